#include "places.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "uapi.h"

#define RESOLVE_IN_ROOT 0x10u /* openat2(2), Linux 5.6 */

static int look_up(int folder, const char *path)
{
    struct pld_open_how how = {
        .flags = O_PATH | O_CLOEXEC | O_NOFOLLOW,
        .resolve = RESOLVE_IN_ROOT | PLD_RESOLVE_NO_SYMLINKS | PLD_RESOLVE_NO_MAGICLINKS,
    };
    int fd = (int)syscall(PLD_SYS_OPENAT2, folder, path, &how, sizeof how);
    return fd < 0 ? -errno : fd;
}

bool places_own(struct places *places, int fd)
{
    struct stat found;
    if (places->own_count == PLACES_OWN || fstat(fd, &found) != 0) {
        return false;
    }
    places->own[places->own_count++] = found.st_dev;
    return true;
}

static bool is_own(const struct places *places, int folder)
{
    struct stat found;
    if (fstat(folder, &found) != 0) {
        return false;
    }
    for (size_t i = 0; i < places->own_count; i++) {
        if (places->own[i] == found.st_dev) {
            return true;
        }
    }
    return false;
}

/* INVARIANT: the only place that makes anything by name in the new root. */
static int make(const struct places *places, int folder, const char *name, mode_t mode,
                const char *text)
{
    if (!is_own(places, folder)) {
        return -EROFS;
    }
    int result = text != NULL    ? symlinkat(text, folder, name)
                 : S_ISDIR(mode) ? mkdirat(folder, name, mode & 07777)
                                 : mknodat(folder, name, mode, 0);
    return result == 0 ? 0 : -errno;
}

int places_open(const struct places *places, const char *target)
{
    return look_up(places->root, target);
}

/* Opens or makes one component, and gives up the folder. */
static int step_into(const struct places *places, int folder, const char *name, mode_t mode)
{
    int fd = look_up(folder, name);
    if (fd == -ENOENT) {
        fd = make(places, folder, name, mode, NULL);
        fd = fd < 0 ? fd : look_up(folder, name);
    }
    close(folder);
    return fd;
}

/* The folder of the last component, made where it is missing; `name` gets the component. */
static int parent_of(const struct places *places, char *target, char **name)
{
    int folder = fcntl(places->root, F_DUPFD_CLOEXEC, 0);
    char *rest = target;
    char *part = strtok_r(rest, "/", &rest);
    for (char *next; folder >= 0 && part != NULL; part = next) {
        next = strtok_r(NULL, "/", &rest);
        if (next == NULL) {
            break;
        }
        folder = step_into(places, folder, part, S_IFDIR | 0755);
    }
    *name = part;
    return folder;
}

int places_make(const struct places *places, const char *target, mode_t mode)
{
    int fd = places_open(places, target);
    char copy[PATH_MAX];
    if (fd != -ENOENT || strlen(target) >= sizeof copy) {
        return fd;
    }
    char *name;
    int folder = parent_of(places, strcpy(copy, target), &name);
    if (folder < 0 || name == NULL) {
        return folder;
    }
    return step_into(places, folder, name, mode);
}

static int check_link(int folder, const char *name, const char *text)
{
    char found[PATH_MAX];
    ssize_t length = readlinkat(folder, name, found, sizeof found);
    bool same = length == (ssize_t)strlen(text) && memcmp(found, text, (size_t)length) == 0;
    return same ? 0 : -EEXIST;
}

int places_link(const struct places *places, const char *target, const char *text)
{
    char copy[PATH_MAX];
    char *name;
    if (strlen(target) >= sizeof copy) {
        return -ENAMETOOLONG;
    }
    int folder = parent_of(places, strcpy(copy, target), &name);
    if (folder < 0) {
        return folder;
    }
    int result = name == NULL ? -EEXIST : make(places, folder, name, S_IFLNK, text);
    if (name != NULL && (result == -EEXIST || result == -EROFS)) {
        int exists = check_link(folder, name, text);
        result = exists == 0 ? 0 : result;
    }
    close(folder);
    return result;
}
