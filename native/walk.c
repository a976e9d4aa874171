#include "walk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fds.h"
#include "paths.h"
#include "uapi.h"
#include "walk_state.h"

#define OPEN_FOLDERS 32u
#define READ_BUFFER (128u << 10)
#define OPEN_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)

enum walk_status {
    WALK_GOING_ON = -1,
    WALK_COMPLETE = 0,
    WALK_ENTRIES = 1,
    WALK_DEPTH = 2,
    WALK_ROOT = 3,
};

/* One entry: reports it, and remembers it where it is a folder. */
static bool take_entry(struct walk *walk, const struct frame *frame,
                       const struct pld_dirent64 *entry)
{
    const char *name = entry->d_name;
    size_t length = strlen(name);
    const struct walk_request *request = walk->request;
    enum match match = frame->reported ? MATCH_DEEP
                                       : match_any(request->patterns, request->pattern_count, name,
                                                   length);
    unsigned char type = entry->d_type;
    bool report = match != MATCH_NONE || name_is_not_ascii(name, length) ||
                  (request->odd && type != PLD_DT_UNKNOWN &&
                   walk_is_odd(walk, frame, name, length, type));
    walk->entries++;
    if (report || type == PLD_DT_UNKNOWN) {
        struct stat status;
        memset(&status, 0, sizeof status);
        int error = fstatat(frame->fd, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? 0 : errno;
        if (error == ENOENT) {
            return true; /* gone since it was read */
        }
        if (error == 0) {
            type = (unsigned char)((status.st_mode & S_IFMT) >> 12);
        }
        report = report || (request->odd && walk_is_odd(walk, frame, name, length, type));
        if (report && !walk_report(walk, ENTRY_PRESENT, &status, error, frame, name)) {
            return false;
        }
    }
    return type != PLD_DT_DIR || walk_remember(walk, name, length, match == MATCH_DEEP);
}

/* Reads a folder to its end. Its subfolders are remembered by name, so that no place in an open
 * folder has to be kept while the walk is further down. */
static bool read_folder(struct walk *walk, const struct frame *frame)
{
    walk->folders++;
    for (;;) {
        long got = syscall(SYS_getdents64, frame->fd, walk->buffer, READ_BUFFER);
        if (got == 0) {
            return true;
        }
        if (got < 0) {
            return walk_report_unread(walk, frame, errno);
        }
        for (long at = 0; at < got;) {
            const struct pld_dirent64 *entry = (const void *)(walk->buffer + at);
            at += entry->d_reclen;
            bool dots = entry->d_name[0] == '.' &&
                        (entry->d_name[1] == '\0' ||
                         (entry->d_name[1] == '.' && entry->d_name[2] == '\0'));
            if (dots) {
                continue;
            }
            if (walk->entries >= walk->request->max_entries) {
                walk->status = WALK_ENTRIES;
                return true;
            }
            if (!take_entry(walk, frame, entry)) {
                return false;
            }
        }
    }
}

/* Keeps the number of open folders bounded: the one far above is closed and found again later. */
static void close_far_above(struct walk *walk)
{
    if (walk->depth <= OPEN_FOLDERS) {
        return;
    }
    struct frame *far = &walk->frames[walk->depth - 1 - OPEN_FOLDERS];
    if (far->fd >= 0 && far != walk->frames) { /* the root stays open */
        struct stat status;
        if (fstat(far->fd, &status) == 0) {
            far->dev = status.st_dev;
            far->ino = status.st_ino;
            fds_close(&far->fd);
        }
    }
}

/* Goes into the folder `name` of the topmost frame. */
static bool enter(struct walk *walk, const char *name, bool reported)
{
    const struct frame *above = &walk->frames[walk->depth - 1];
    int fd = openat(above->fd, name, OPEN_FLAGS);
    if (fd < 0) {
        int error = errno;
        struct stat status;
        memset(&status, 0, sizeof status);
        if (fstatat(above->fd, name, &status, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT) {
            return true;
        }
        return walk_report(walk, ENTRY_UNREAD, &status, error, above, name);
    }
    if (walk->depth >= walk->request->max_depth) {
        close(fd);
        walk->status = WALK_DEPTH;
        return true;
    }
    if (!walk_push(walk, fd, name, reported)) {
        close(fd);
        return false;
    }
    close_far_above(walk);
    return read_folder(walk, &walk->frames[walk->depth - 1]);
}

static bool is_folder(int fd, const struct frame *frame)
{
    struct stat status;
    return fstat(fd, &status) == 0 && status.st_dev == frame->dev && status.st_ino == frame->ino;
}

/* From the root down by name, each step without following links. */
static int open_from_root(const struct walk *walk, size_t path_length)
{
    int fd = openat(walk->frames[0].fd, ".", OPEN_FLAGS);
    for (size_t at = 0; fd >= 0 && at < path_length;) {
        char name[256];
        const char *slash = memchr(walk->path + at, '/', path_length - at);
        size_t length = slash == NULL ? path_length - at : (size_t)(slash - (walk->path + at));
        memcpy(name, walk->path + at, length);
        name[length] = '\0';
        int next = openat(fd, name, OPEN_FLAGS);
        close(fd);
        fd = next;
        at += length + 1;
    }
    return fd;
}

/* Opens a frame again that close_far_above() closed: it must be the same folder. */
static bool open_again(struct walk *walk, struct frame *frame, int below)
{
    int fd = openat(below, "..", OPEN_FLAGS);
    if (fd >= 0 && !is_folder(fd, frame)) {
        fds_close(&fd);
    }
    if (fd < 0) {
        fd = open_from_root(walk, frame->path_length);
    }
    if (fd >= 0 && !is_folder(fd, frame)) {
        fds_close(&fd);
    }
    frame->fd = fd;
    if (fd >= 0) {
        return true;
    }
    walk_forget(walk, frame); /* moved while it was walked: what is left in it was not seen */
    return walk_report_unread(walk, frame, ESTALE);
}

static bool leave(struct walk *walk)
{
    struct frame *done = &walk->frames[--walk->depth];
    bool going_on = true;
    if (walk->depth > 0 && walk->frames[walk->depth - 1].fd < 0) {
        going_on = open_again(walk, &walk->frames[walk->depth - 1], done->fd);
    }
    fds_close(&done->fd);
    return going_on;
}

static bool walk_all(struct walk *walk)
{
    while (walk->depth > 0 && walk->status == WALK_GOING_ON) {
        char name[256];
        bool reported;
        bool going_on = walk_next(walk, name, &reported) ? enter(walk, name, reported)
                                                         : leave(walk);
        if (!going_on) {
            return false;
        }
    }
    return true;
}

static int open_root(const struct walk_request *request, struct failure *failure)
{
    int path = paths_open(&request->root, failure);
    if (path < 0) {
        return -1;
    }
    int root = openat(path, ".", OPEN_FLAGS);
    if (root < 0) {
        fail(failure, STAGE_PATH, errno, request->root.path);
    }
    close(path);
    return root;
}

bool walk(const struct walk_request *request, struct wire_out *out, struct failure *failure)
{
    struct walk walk = {.request = request, .out = out, .failure = failure,
                        .status = WALK_GOING_ON};
    struct failure unopened;
    int root = open_root(request, &unopened);
    uint32_t error = 0;
    bool walked = true;
    if (root < 0) {
        walk.status = WALK_ROOT;
        error = (uint32_t)unopened.error;
    } else {
        walk.buffer = malloc(READ_BUFFER);
        walked = walk.buffer != NULL ? walk_push(&walk, root, "", false)
                                     : fail(failure, STAGE_MEMORY, ENOMEM, "walk");
        walked = walked && read_folder(&walk, &walk.frames[0]) && walk_all(&walk);
        walk.status = walk.status == WALK_GOING_ON ? WALK_COMPLETE : walk.status;
    }
    walked = walked && walk_finish(&walk, (uint32_t)walk.status, error);
    walk_release(&walk);
    return walked;
}
