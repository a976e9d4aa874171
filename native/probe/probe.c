/*
 * paldron-probe TOKEN: makes the attempts that the file `paldron-doctor` lists, each in a child of its own, and prints
 * `NAME ERRNO` or `NAME SIGNAL n` for each. paldron-probe stand TOKEN FOLDER: their target.
 * paldron-probe nothing: ends at once. It is told what to try and judges nothing.
 */
#include "probe.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Seconds after which an attempt that hangs has failed. */
enum { PATIENCE = 10 };

static char settings[8192];

static char *find_setting(const char *key)
{
    size_t length = strlen(key);
    for (const char *line = settings; *line != 0;) {
        size_t end = strcspn(line, "\n");
        if (strncmp(line, key, length) == 0 && line[length] == '=') {
            return strndup(line + length + 1, end - length - 1);
        }
        line += end + (line[end] == '\n');
    }
    return NULL;
}

const char *setting(const char *key)
{
    const char *value = find_setting(key);
    if (value == NULL) {
        _exit(CANNOT_TRY);
    }
    return value;
}

long number(const char *key) { return strtol(setting(key), NULL, 10); }

const char *below(const char *key, const char *name)
{
    char *path;
    if (asprintf(&path, "%s/%s", setting(key), name) < 0) {
        _exit(CANNOT_TRY);
    }
    return path;
}

int outcome(long result) { return result == -1 ? errno : 0; }

int opened(int fd)
{
    int error = outcome(fd);
    if (fd >= 0) {
        close(fd);
    }
    return error;
}

static const struct attempt *find(const char *name)
{
    const struct attempt *tables[] = {file_attempts, workspace_attempts, network_attempts,
                                      process_attempts, limit_attempts};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        for (const struct attempt *entry = tables[i]; entry->name != NULL; entry++) {
            if (strcmp(entry->name, name) == 0) {
                return entry;
            }
        }
    }
    fprintf(stderr, "paldron-probe: no attempt is called %s\n", name);
    exit(2);
}

static void make(const struct attempt *entry)
{
    pid_t child = fork();
    if (child == 0) {
        alarm(PATIENCE);
        _exit(entry->run());
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) {
        printf("%s %d\n", entry->name, CANNOT_TRY);
    } else if (WIFSIGNALED(status)) {
        printf("%s SIGNAL %d\n", entry->name, WTERMSIG(status));
    } else {
        printf("%s %d\n", entry->name, WEXITSTATUS(status));
    }
    fflush(stdout);
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "stand") == 0) {
        return stand(argv[2], argv[3]);
    }
    if (argc == 2 && strcmp(argv[1], "nothing") == 0) {
        return 0;
    }
    FILE *file = fopen("paldron-doctor", "re");
    if (file == NULL) {
        perror("paldron-probe: paldron-doctor");
        return 1;
    }
    settings[fread(settings, 1, sizeof settings - 1, file)] = 0;
    fclose(file);
    char *names = find_setting("TRY");
    for (char *rest = names; names != NULL;) {
        char *name = strsep(&rest, " ");
        if (name == NULL) {
            break;
        }
        if (*name != 0) {
            make(find(name));
        }
    }
    return 0;
}
