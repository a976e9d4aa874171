/* Folders on their way to being watched. Each is watched first and read then, so that what appears
 * in it meanwhile is seen by one or the other. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fds.h"
#include "uapi.h"
#include "watch.h"

#define FOLDER_EVENTS (IN_CREATE | IN_MOVED_TO | IN_ONLYDIR)
/* Told once; whatever the answer, the next change says nothing new. */
#define FILE_EVENTS (IN_MODIFY | IN_ATTRIB | IN_ONESHOT)

enum match watch_match(const struct watch *watch, const struct watched *folder, const char *name)
{
    if (folder->reported) {
        return MATCH_DEEP;
    }
    size_t length = strlen(name);
    const struct plan *plan = watch->plan;
    enum match match = match_any(plan->watch_names, plan->watch_name_count, name, length);
    return match == MATCH_NONE && name_is_not_ascii(name, length) ? MATCH_ALONE : match;
}

bool watch_push(struct watch *watch, struct watched *parent, const char *name, bool reported)
{
    struct watched *folder = watched_new(parent, name, reported);
    if (folder == NULL) {
        watch_fail(watch, ENOMEM);
        return false;
    }
    folder->next = watch->stack;
    watch->stack = folder;
    return true;
}

/* By number through /proc: inotify takes a path, and this one stands for the file that is open. */
static int watch_descriptor(const struct watch *watch, int fd, uint32_t events)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return inotify_add_watch(watch->queue, path, events); /* Linux 2.6.13 */
}

/* What stands in the way of one folder or file alone: it is told, and the rest is watched. */
static bool is_its_own(int error)
{
    return error == EACCES || error == EPERM || error == EIO || error == ESTALE;
}

static bool is_gone(int error)
{
    return error == ENOENT || error == ENOTDIR || error == ELOOP;
}

/* A file that is there already: changing it would be as good as making it. */
static void watch_file(struct watch *watch, struct watched *folder, int folder_fd, const char *name,
                       struct stat *status)
{
    int fd = openat(folder_fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) {
        return; /* gone */
    }
    int number = fstat(fd, status) == 0 && S_ISREG(status->st_mode)
                     ? watch_descriptor(watch, fd, FILE_EVENTS)
                     : 0;
    int error = number < 0 ? errno : 0;
    if (number > 0) {
        fstat(fd, status); /* as it is now that no change goes unseen */
    }
    close(fd);
    if (error != 0) {
        if (is_its_own(error)) {
            watch_tell(watch, SEEN_UNREAD, status, error, folder, name);
        } else {
            watch_fail(watch, error);
        }
        return;
    }
    if (number == 0 || watch_tree_find(&watch->tree, number) != NULL) {
        return;
    }
    struct watched *file = watched_new(folder, name, false);
    if (file == NULL || !watch_tree_add(&watch->tree, file, number)) {
        watch_fail(watch, ENOMEM);
        return;
    }
    file->file = true;
}

static void take_entry(struct watch *watch, struct watched *folder, const struct pld_dirent64 *entry)
{
    const char *name = entry->d_name;
    enum match match = watch_match(watch, folder, name);
    bool is_folder = entry->d_type == PLD_DT_DIR;
    if (match != MATCH_NONE || entry->d_type == PLD_DT_UNKNOWN) {
        struct stat status;
        if (fstatat(watch->scanned_fd, name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
            return; /* gone since it was read */
        }
        is_folder = S_ISDIR(status.st_mode);
        if (match != MATCH_NONE && S_ISREG(status.st_mode)) {
            watch_file(watch, folder, watch->scanned_fd, name, &status);
        }
        if (match != MATCH_NONE && watch->state != WATCH_LOST && watch->state != WATCH_OFF) {
            watch_tell(watch, SEEN_NAME, &status, 0, folder, name);
        }
    }
    if (is_folder) {
        watch_push(watch, folder, name, match == MATCH_DEEP);
    }
}

static void end_scan(struct watch *watch)
{
    struct watched *folder = watch->scanned;
    fds_close(&watch->scanned_fd);
    watch->scanned = NULL;
    folder->children--;
    watched_drop(folder);
}

static void some_entries(struct watch *watch)
{
    if (watch->entry_at == watch->entry_end) {
        long got = syscall(SYS_getdents64, watch->scanned_fd, watch->entries, WATCH_ENTRIES);
        if (got < 0 && !is_gone(errno)) {
            watch_fail(watch, errno);
        }
        if (got <= 0) {
            end_scan(watch);
            return;
        }
        watch->entry_at = 0;
        watch->entry_end = (size_t)got;
    }
    while (watch->entry_at < watch->entry_end && watch_room(watch)) {
        const struct pld_dirent64 *entry = (const void *)(watch->entries + watch->entry_at);
        watch->entry_at += entry->d_reclen;
        bool dots = entry->d_name[0] == '.' &&
                    (entry->d_name[1] == '\0' ||
                     (entry->d_name[1] == '.' && entry->d_name[2] == '\0'));
        if (!dots) {
            take_entry(watch, watch->scanned, entry);
        }
    }
}

/* Watches the open folder; the place of one that is watched already is the new one from now on. */
static struct watched *watch_folder(struct watch *watch, struct watched *folder, int fd)
{
    int number = watch_descriptor(watch, fd, FOLDER_EVENTS);
    if (number < 0) {
        watch_fail(watch, errno);
        watched_drop(folder);
        return NULL;
    }
    struct watched *known = watch_tree_find(&watch->tree, number);
    if (known != NULL) {
        if (watched_move(known, folder)) {
            return known;
        }
        watched_drop(folder);
        return NULL;
    }
    if (!watch_tree_add(&watch->tree, folder, number)) {
        watch_fail(watch, ENOMEM);
        return NULL;
    }
    watch->folders++;
    return folder;
}

static void open_next(struct watch *watch)
{
    struct watched *folder = watch->stack;
    watch->stack = folder->next;
    int fd = watch_open_folder(watch, folder);
    if (fd < 0) {
        int error = errno;
        if (is_its_own(error)) {
            struct stat status;
            memset(&status, 0, sizeof status);
            watch_tell(watch, SEEN_UNREAD, &status, error, folder, NULL);
        } else if (!is_gone(error)) {
            watch_fail(watch, error);
        }
        watched_drop(folder);
        return;
    }
    folder = watch_folder(watch, folder, fd);
    if (folder == NULL) {
        close(fd);
        return;
    }
    folder->children++; /* stays until it is scanned */
    watch->scanned = folder;
    watch->scanned_fd = fd;
    watch->entry_at = watch->entry_end = 0;
}

bool watch_scan(struct watch *watch)
{
    if (watch->scanned_fd >= 0) {
        some_entries(watch);
        return true;
    }
    if (watch->stack != NULL) {
        open_next(watch);
        return true;
    }
    return false;
}
