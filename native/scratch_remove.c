#include "scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fds.h"
#include "uapi.h"

/*
 * Removal. Folders inside folders are first moved up into the scratch folder itself, so the tree is
 * never deeper than two levels and needs neither recursion nor a way back up.
 */
struct removal {
    int top; /* readable descriptor of the scratch folder */
    unsigned long moved;
    int error; /* the first one */
    bool progress;
};

static void note(struct removal *removal, int error)
{
    if (removal->error == 0 && error != ENOENT) {
        removal->error = error;
    }
}

/* chmod(2) of the folder behind an O_PATH descriptor, which fchmod(2) refuses. */
static bool make_accessible(int folder)
{
    if (syscall(PLD_SYS_FCHMODAT2, folder, "", 0700, AT_EMPTY_PATH) == 0) {
        return true;
    }
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", folder); /* below Linux 6.6 */
    return chmod(path, 0700) == 0;
}

/* Opens the folder `name` for reading, mode 000 or not; -1 where it is no folder. */
static int open_folder(int parent, const char *name)
{
    int path = openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (path < 0) {
        return -1;
    }
    make_accessible(path); /* where it fails, the open below tells whether it was needed */
    int folder = openat(path, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int error = errno;
    close(path);
    errno = error;
    return folder;
}

/* Moves folder/name to a fresh name in the scratch folder. */
static void move_up(struct removal *removal, int folder, const char *name)
{
    int inner = openat(folder, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (inner >= 0) {
        make_accessible(inner); /* moving a folder to another parent writes its `..` */
        close(inner);
    }
    for (int attempts = 0; attempts < 1000; attempts++) {
        char fresh[40];
        snprintf(fresh, sizeof fresh, "moved-%lu", removal->moved++);
        if (renameat(folder, name, removal->top, fresh) == 0) {
            removal->progress = true;
            return;
        }
        if (errno != EEXIST && errno != ENOTEMPTY && errno != ENOTDIR) {
            break;
        }
    }
    note(removal, errno);
}

typedef void visit_entry(struct removal *removal, int folder, const char *name);

/* Calls `visit` for each entry that is in the folder now. */
static void for_each_entry(struct removal *removal, int folder, visit_entry *visit)
{
    _Alignas(struct pld_dirent64) char buffer[8192];
    lseek(folder, 0, SEEK_SET);
    for (;;) {
        long got = syscall(SYS_getdents64, folder, buffer, sizeof buffer);
        if (got <= 0) {
            if (got < 0) {
                note(removal, errno);
            }
            return;
        }
        for (long at = 0; at < got;) {
            const struct pld_dirent64 *entry = (const void *)(buffer + at);
            at += entry->d_reclen;
            if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
                visit(removal, folder, entry->d_name);
            }
        }
    }
}

static bool remove_plain(struct removal *removal, int folder, const char *name)
{
    if (unlinkat(folder, name, 0) == 0 || unlinkat(folder, name, AT_REMOVEDIR) == 0) {
        removal->progress = true;
        return true;
    }
    return errno == ENOENT;
}

static void empty_inner(struct removal *removal, int folder, const char *name)
{
    if (!remove_plain(removal, folder, name)) {
        move_up(removal, folder, name);
    }
}

static void empty_top(struct removal *removal, int top, const char *name)
{
    if (remove_plain(removal, top, name)) {
        return;
    }
    int inner = open_folder(top, name);
    if (inner < 0) {
        note(removal, errno);
        return;
    }
    for_each_entry(removal, inner, empty_inner);
    close(inner);
    if (unlinkat(top, name, AT_REMOVEDIR) == 0) {
        removal->progress = true;
    } else if (errno != ENOTEMPTY) { /* not empty: reading while removing skipped something */
        note(removal, errno);
    }
}

int scratch_remove(struct scratch *scratch)
{
    if (scratch->parent < 0) {
        return 0;
    }
    struct removal removal = {.top = -1};
    if (scratch->folder >= 0) {
        make_accessible(scratch->folder);
        removal.top = openat(scratch->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    }
    do {
        removal.progress = false;
        removal.error = 0;
        if (removal.top >= 0) {
            for_each_entry(&removal, removal.top, empty_top);
        }
    } while (removal.progress);
    int error = removal.error;
    if (unlinkat(scratch->parent, scratch->name, AT_REMOVEDIR) != 0 && errno != ENOENT) {
        error = error != 0 ? error : errno;
    }
    fds_close(&removal.top);
    fds_close(&scratch->folder);
    fds_close(&scratch->parent);
    return error;
}
