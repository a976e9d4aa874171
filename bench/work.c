/*
 * work none | opens N | creates N | spawns N: does it in the working folder and prints the microseconds that it took, so
 * that starting a sandbox and working in it are told apart.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static void opens(int count)
{
    for (int i = 0; i < count; i++) {
        int fd = open("opened", O_RDONLY | O_CLOEXEC);
        if (fd < 0) {
            exit(3);
        }
        close(fd);
    }
}

static void creates(int count)
{
    char name[32];
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "created-%d", i);
        int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
        if (fd < 0) {
            exit(3);
        }
        close(fd);
    }
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "created-%d", i);
        unlink(name);
    }
}

static void spawns(int count)
{
    char *const argv[] = {"true", NULL};
    for (int i = 0; i < count; i++) {
        pid_t child;
        int status;
        if (posix_spawn(&child, "/bin/true", NULL, NULL, argv, environ) != 0 ||
            waitpid(child, &status, 0) != child || status != 0) {
            exit(3);
        }
    }
}

int main(int argc, char **argv)
{
    int count = argc == 3 ? atoi(argv[2]) : 0;
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    if (argc == 3 && strcmp(argv[1], "opens") == 0) {
        opens(count);
    } else if (argc == 3 && strcmp(argv[1], "creates") == 0) {
        creates(count);
    } else if (argc == 3 && strcmp(argv[1], "spawns") == 0) {
        spawns(count);
    } else if (argc != 2) {
        return 2;
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("took %ld\n", (end.tv_sec - start.tv_sec) * 1000000L + (end.tv_nsec - start.tv_nsec) / 1000);
    return 0;
}
