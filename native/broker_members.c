#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "broker.h"

#define TRIES 4
#define MAX_DEPTH 65536

/* proc_pid_stat(5); the name may hold anything, also brackets. 0 where there is no such process. */
static pid_t parent_of(pid_t pid)
{
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0) {
        close(fd);
    }
    text[got > 0 ? got : 0] = '\0';
    const char *after = strrchr(text, ')');
    return after == NULL || strlen(after) < 4 ? 0 : (pid_t)strtol(after + 4, NULL, 10);
}

/* Whoever loses its parent becomes the guardian's child, so a chain that breaks is followed again. */
bool broker_is_member(const struct broker *broker, pid_t pid)
{
    for (int round = 0; round < TRIES; round++) {
        pid_t at = pid;
        for (int depth = 0; depth < MAX_DEPTH && at > 1 && at != broker->self; depth++) {
            pid_t parent = parent_of(at);
            if (parent == broker->guardian) {
                return at != broker->self && at != broker->guardian;
            }
            at = parent;
        }
        if (at != 0) {
            return false; /* it ends elsewhere */
        }
    }
    return false;
}
