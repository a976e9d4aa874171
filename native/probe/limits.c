/* What a run may use, tried in a run of its own with low limits. */
#include "probe.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MIB = 1024 * 1024, FILE_MIB = 3, OPEN_FILES = 200, MEMORY_MIB = 600, USED_MIB = 320, PROCESSES = 60, CPU_SECONDS = 2, WALL_SECONDS = 2 };
static const struct timespec MEMORY_WAIT = {.tv_nsec = 300 * 1000 * 1000};
/* More than the copy that is kept of a stream (1 MiB). */
enum { PRINTED_KIB = 1536 };

static int write_many(int fd, int kib)
{
    static char block[1024];
    for (int i = 0; i < kib; i++) {
        if (write(fd, block, sizeof block) != (ssize_t)sizeof block) {
            return errno;
        }
    }
    return 0;
}

static int limit_file_size(void)
{
    signal(SIGXFSZ, SIG_IGN);
    int fd = open(below("WRITABLE", "large"), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    return fd < 0 ? CANNOT_TRY : write_many(fd, FILE_MIB * 1024);
}

static int limit_open_files(void)
{
    for (int i = 0; i < OPEN_FILES; i++) {
        if (fcntl(0, F_DUPFD_CLOEXEC, 3) < 0) {
            return errno;
        }
    }
    return 0;
}

static int limit_memory(void)
{
    void *got = mmap(NULL, (size_t)MEMORY_MIB * MIB, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (got == MAP_FAILED) {
        return errno;
    }
    // What a limit of the kernel's lets through is stopped when it is used, by a watchdog that looks now and then.
    memset(got, 1, (size_t)USED_MIB * MIB);
    nanosleep(&MEMORY_WAIT, NULL);
    munmap(got, (size_t)MEMORY_MIB * MIB);
    return 0;
}

static int limit_processes(void)
{
    pid_t children[PROCESSES];
    int made = 0;
    int error = 0;
    for (; made < PROCESSES; made++) {
        children[made] = fork();
        if (children[made] == 0) {
            for (;;) {
                pause();
            }
        }
        if (children[made] < 0) {
            error = errno;
            break;
        }
    }
    /* A watchdog that counts looks every 50 ms. */
    if (error == 0) {
        sleep(1);
    }
    for (int i = 0; i < made; i++) {
        kill(children[i], SIGKILL);
        waitpid(children[i], NULL, 0);
    }
    return error;
}

/* In a child of its own, which the limit ends. */
static int limit_cpu(void)
{
    pid_t child = fork();
    if (child == 0) {
        struct timespec used = {0, 0};
        while (used.tv_sec < CPU_SECONDS) {
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
        }
        _exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) {
        return CANNOT_TRY;
    }
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU ? EPERM : 0;
}

static int limit_time(void)
{
    sleep(WALL_SECONDS);
    return 0;
}

static int print_much(void)
{
    return write_many(1, PRINTED_KIB);
}

const struct attempt limit_attempts[] = {
    {"limit-file-size", limit_file_size},
    {"limit-open-files", limit_open_files},
    {"limit-memory", limit_memory},
    {"limit-processes", limit_processes},
    {"limit-cpu", limit_cpu},
    {"limit-time", limit_time},
    {"print-much", print_much},
    {NULL, NULL},
};
