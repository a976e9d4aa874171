#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "broker.h"
#include "uapi.h"

/* How often a file is looked for again that was moved while it was looked for. */
#define TRIES 8
#define LINK_SIZE (PATH_MAX + 16)

static int open_path(int folder, const char *path, int flags)
{
    int fd = openat(folder, path, O_PATH | O_CLOEXEC | flags);
    return fd < 0 ? -errno : fd;
}

/* What the caller's working folder or descriptor stands for. */
static int open_own(const struct broker_call *call, int folder)
{
    char path[64];
    if (folder == AT_FDCWD) {
        snprintf(path, sizeof path, "/proc/%d/cwd", (int)call->task);
    } else {
        snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)call->task, folder);
    }
    int fd = folder < 0 && folder != AT_FDCWD ? -ENOENT : open_path(AT_FDCWD, path, 0);
    if (fd == -ENOENT) {
        return -EBADF;
    }
    return fd == -EACCES ? -EPERM : fd;
}

/* Names by which a process means itself, and what they are for somebody else. */
static const struct {
    const char *name, *is;
    bool whole; /* not the beginning of a path */
} own_names[] = {
    {"/proc/self/", "", false},   {"/proc/thread-self/", "", false}, {"/dev/fd/", "fd/", false},
    {"/dev/stdin", "fd/0", true}, {"/dev/stdout", "fd/1", true},     {"/dev/stderr", "fd/2", true},
};

static void as_seen_by(const struct broker_call *call, const char *path, char *into, size_t size)
{
    for (size_t i = 0; i < sizeof own_names / sizeof own_names[0]; i++) {
        size_t length = strlen(own_names[i].name);
        if (own_names[i].whole ? strcmp(path, own_names[i].name) == 0
                               : strncmp(path, own_names[i].name, length) == 0) {
            snprintf(into, size, "/proc/%d/%s%s", (int)call->task, own_names[i].is, path + length);
            return;
        }
    }
    snprintf(into, size, "%s", path);
}

/* How a path is resolved matters to the caller alone: what may be done is decided by the file that
 * was found (broker_hold). */
int broker_open(const struct broker_call *call, int folder, const char *path, int at_flags)
{
    bool itself = path == NULL || (path[0] == '\0' && (at_flags & AT_EMPTY_PATH) != 0);
    if (itself) {
        return open_own(call, folder);
    }
    int flags = (at_flags & AT_SYMLINK_NOFOLLOW) != 0 ? O_NOFOLLOW : 0;
    if (path[0] == '/') {
        char seen[PATH_MAX + 64];
        as_seen_by(call, path, seen, sizeof seen);
        return open_path(AT_FDCWD, seen, flags);
    }
    if (path[0] == '\0') {
        return -ENOENT;
    }
    int base = open_own(call, folder);
    if (base < 0) {
        return base;
    }
    int fd = open_path(base, path, flags);
    close(base);
    return fd;
}

/* Where a descriptor's file is now; false where it has no name. */
static bool where(int fd, char *into)
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, into, LINK_SIZE - 1);
    into[length > 0 ? length : 0] = '\0';
    return length > 0 && length < LINK_SIZE - 1;
}

static bool same_file(int one, int other)
{
    struct stat first, second;
    return fstat(one, &first) == 0 && fstat(other, &second) == 0 &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

/* Goes down from the place to where the file is said to be: no link, no way out. */
static int open_beneath(int place, const char *path, int target)
{
    char top[LINK_SIZE];
    if (!where(place, top)) {
        return -1;
    }
    size_t length = strcmp(top, "/") == 0 ? 0 : strlen(top);
    if (strncmp(path, top, length) != 0 || (path[length] != '/' && path[length] != '\0')) {
        return -1;
    }
    struct pld_open_how how = {
        .flags = O_PATH | O_NOFOLLOW | O_CLOEXEC,
        .resolve = PLD_RESOLVE_BENEATH | PLD_RESOLVE_NO_SYMLINKS | PLD_RESOLVE_NO_MAGICLINKS,
    };
    int fd = path[length] == '\0' || path[length + 1] == '\0'
                 ? fcntl(place, F_DUPFD_CLOEXEC, 0)
                 : (int)syscall(PLD_SYS_OPENAT2, place, path + length + 1, &how, sizeof how);
    if (fd >= 0 && !same_file(fd, target)) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Without a name nobody else can have it: pipes, sockets, memory files, what was removed. */
static bool is_nameless(int fd, const char *path)
{
    static const char removed[] = " (deleted)";
    struct stat status;
    size_t length = strlen(path);
    if (strncmp(path, "pipe:[", 6) == 0 || strncmp(path, "socket:[", 8) == 0) {
        return true;
    }
    return fstat(fd, &status) == 0 && status.st_nlink == 0 && length >= sizeof removed &&
           strcmp(path + length + 1 - sizeof removed, removed) == 0;
}

int broker_hold(const struct broker *broker, int target)
{
    char path[LINK_SIZE];
    for (int round = 0; round < TRIES && where(target, path); round++) {
        if (is_nameless(target, path)) {
            return target;
        }
        for (size_t i = 0; i < broker->place_count; i++) {
            int fd = open_beneath(broker->places[i], path, target);
            if (fd >= 0) {
                close(target);
                return fd;
            }
        }
        char after[LINK_SIZE];
        if (where(target, after) && strcmp(path, after) == 0) {
            break; /* it has not moved: it is somewhere else */
        }
    }
    close(target);
    return -EPERM;
}
