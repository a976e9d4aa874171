#include "masks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fds.h"
#include "mounts.h"
#include "paths.h"
#include "uapi_mount.h"

#define SOURCE "/.masks"
#define ATTRIBUTES                                                                                 \
    (PLD_MOUNT_ATTR_RDONLY | PLD_MOUNT_ATTR_NOSUID | PLD_MOUNT_ATTR_NODEV | PLD_MOUNT_ATTR_NOEXEC)

/* Copies can only be made of what is attached (before Linux 6.15), so it stands in the new root
 * while that is made. Everything in it has mode 000: not even the owner reads it. */
static int attach_source(struct places *places)
{
    static const struct fs_option options[] = {
        {"size", "65536"}, {"nr_inodes", "8"}, {"mode", "0700"}};
    int mount = mounts_new("tmpfs", options, 3, 0);
    if (mount < 0) {
        return mount;
    }
    int place = places_make(places, SOURCE, S_IFDIR | 0700);
    int result = place < 0 ? place : mounts_attach(mount, place);
    if (place >= 0) {
        close(place);
    }
    if (result == 0 && (mknodat(mount, "file", S_IFREG, 0) != 0 ||
                        mkdirat(mount, "folder", 0) != 0)) {
        result = -errno;
    }
    result = result == 0 ? mounts_restrict(mount, ATTRIBUTES, false) : result;
    if (result != 0) {
        close(mount);
        return result;
    }
    return mount;
}

static int prepare(struct masks *masks, struct places *places)
{
    int mount = attach_source(places);
    if (mount < 0) {
        return mount;
    }
    masks->file = openat(mount, "file", O_PATH | O_CLOEXEC | O_NOFOLLOW);
    masks->folder = openat(mount, "folder", O_PATH | O_CLOEXEC | O_NOFOLLOW);
    int result = masks->file < 0 || masks->folder < 0 ? -errno : 0;
    close(mount);
    return result;
}

/* The path in the new root, if it is what the plan saw. */
static int open_same(const struct places *places, const struct path_record *path)
{
    int fd = places_open(places, path->path);
    if (fd < 0) {
        return fd;
    }
    int error = paths_same(fd, path);
    if (error != 0) {
        close(fd);
        return -error;
    }
    return fd;
}

/* Attaches a copy of `source` on `place`. */
static int cover(int place, int source, uint32_t attributes)
{
    int copy = mounts_copy(source);
    if (copy < 0) {
        return copy;
    }
    int result = mounts_restrict(copy, attributes, true);
    result = result == 0 ? mounts_attach(copy, place) : result;
    close(copy);
    return result;
}

bool masks_cover(struct masks *masks, struct places *places, const struct path_record *path,
                 struct failure *failure)
{
    int result = masks->file < 0 ? prepare(masks, places) : 0;
    int place = result == 0 ? open_same(places, path) : result;
    if (place >= 0) {
        result = cover(place, path->type == S_IFDIR ? masks->folder : masks->file, 0);
        close(place);
    } else {
        result = place;
    }
    return result == 0 || fail(failure, STAGE_MASKS, -result, path->path);
}

bool masks_guard(const struct places *places, const struct path_record *path, uint32_t attributes,
                 struct failure *failure)
{
    int place = open_same(places, path);
    int result = place < 0 ? place : cover(place, place, attributes);
    if (place >= 0) {
        close(place);
    }
    return result == 0 || fail(failure, STAGE_MASKS, -result, path->path);
}

bool masks_finish(struct masks *masks, struct places *places, struct failure *failure)
{
    if (masks->file < 0) {
        return true;
    }
    char path[64];
    int place = places_open(places, SOURCE);
    snprintf(path, sizeof path, "/proc/self/fd/%d", place);
    masks_close(masks);
    bool gone = place >= 0 && umount2(path, PLD_MNT_DETACH) == 0;
    int error = errno;
    if (place >= 0) {
        close(place);
    }
    gone = gone && unlinkat(places->root, SOURCE + 1, AT_REMOVEDIR) == 0;
    return gone || fail(failure, STAGE_MASKS, error, SOURCE);
}

void masks_close(struct masks *masks)
{
    fds_close(&masks->file);
    fds_close(&masks->folder);
}
