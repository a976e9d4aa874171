#include "newroot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "landlock.h"
#include "masks.h"
#include "mounts.h"
#include "paths.h"
#include "places.h"
#include "uapi_mount.h"

struct building {
    struct places places;
    struct masks masks;
    int ruleset;
};

static int make_tmpfs(const struct step *step)
{
    char size[24], inodes[24], mode[8];
    snprintf(size, sizeof size, "%llu", (unsigned long long)step->size);
    snprintf(inodes, sizeof inodes, "%llu", (unsigned long long)step->inodes);
    snprintf(mode, sizeof mode, "%o", step->mode);
    const struct fs_option options[] = {{"size", size}, {"nr_inodes", inodes}, {"mode", mode}};
    return mounts_new("tmpfs", options, 3, step->attributes);
}

static int attach_at(const struct building *building, int mount, const char *target, mode_t mode)
{
    int place = places_make(&building->places, target, mode);
    if (place < 0) {
        return place;
    }
    int result = mounts_attach(mount, place);
    close(place);
    return result;
}

/* Mounts `mount` (or passes its error on) and gives it up. */
static bool finish(struct building *building, int mount, const struct step *step, bool own,
                   struct failure *failure)
{
    enum stage stage = step->kind == STEP_PROC ? STAGE_PROC : STAGE_MOUNTS;
    if (mount < 0) {
        return fail(failure, stage, -mount, step->target);
    }
    mode_t type = step->kind == STEP_BIND && step->source.type != S_IFDIR ? S_IFREG : S_IFDIR;
    int result = own && !places_own(&building->places, mount) ? -ENFILE : 0;
    if (result == 0) {
        result = attach_at(building, mount, step->target, type | 0755);
    }
    close(mount);
    return result == 0 || fail(failure, stage, -result, step->target);
}

static bool bind(struct building *building, const struct step *step, struct failure *failure)
{
    int source = paths_open(&step->source, failure);
    if (source < 0) {
        return false;
    }
    int mount = mounts_copy(source);
    close(source);
    int result = mount < 0 ? mount : mounts_restrict(mount, step->attributes, true);
    if (mount >= 0 && result != 0) {
        close(mount);
    }
    return finish(building, result == 0 ? mount : result, step, false, failure);
}

static bool make_folder(const struct building *building, const struct step *step,
                        struct failure *failure)
{
    int fd = places_make(&building->places, step->target, S_IFDIR | step->mode);
    if (fd < 0) {
        return fail(failure, STAGE_MOUNTS, -fd, step->target);
    }
    close(fd);
    return true;
}

static bool make_link(const struct building *building, const struct step *step,
                      struct failure *failure)
{
    int result = places_link(&building->places, step->target, step->text);
    return result == 0 || fail(failure, STAGE_MOUNTS, -result, step->target);
}

static int write_file(int root, const char *name, const struct step *step)
{
    int fd = openat(root, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, step->mode);
    if (fd < 0) {
        return -errno;
    }
    int result = 0;
    for (size_t done = 0; result == 0 && done < step->size;) {
        ssize_t wrote = write(fd, step->bytes + done, step->size - done);
        result = wrote < 0 ? -errno : 0;
        done += wrote < 0 ? 0 : (size_t)wrote;
    }
    close(fd);
    return result;
}

/* A file of the run's own is laid over the target. It has a name only until it is mounted. */
static bool lay_file(struct building *building, const struct step *step, struct failure *failure)
{
    static const char name[] = ".file";
    int root = building->places.root;
    int result = write_file(root, name, step);
    int source = result == 0 ? openat(root, name, O_PATH | O_NOFOLLOW | O_CLOEXEC) : result;
    int mount = source < 0 ? source : mounts_copy(source);
    if (mount >= 0) {
        result = mounts_restrict(mount, PLD_MOUNT_ATTR_RDONLY | PLD_MOUNT_ATTR_NOSUID | PLD_MOUNT_ATTR_NODEV, false);
        result = result == 0 ? attach_at(building, mount, step->target, S_IFREG | 0755) : result;
        close(mount);
    } else {
        result = mount;
    }
    if (source >= 0) {
        close(source);
    }
    if (unlinkat(root, name, 0) != 0 && result == 0) {
        result = -errno;
    }
    return result == 0 || fail(failure, STAGE_MOUNTS, -result, step->target);
}

static bool allow(const struct building *building, const struct step *step,
                  struct failure *failure)
{
    int fd = places_open(&building->places, step->target);
    if (fd < 0) {
        return fail(failure, STAGE_LANDLOCK, -fd, step->target);
    }
    bool added = landlock_add_rule(building->ruleset, fd, step->access, step->target, failure);
    close(fd);
    return added;
}

static bool take_step(struct building *building, const struct step *step, struct failure *failure)
{
    static const struct fs_option pts[] = {{"ptmxmode", "0666"}, {"mode", "0620"}};
    switch (step->kind) {
    case STEP_FOLDER:
        return make_folder(building, step, failure);
    case STEP_BIND:
        return bind(building, step, failure);
    case STEP_TMPFS:
        return finish(building, make_tmpfs(step), step, true, failure);
    case STEP_PROC: /* shows the pid namespace of whoever mounts it */
        return finish(building, mounts_new("proc", NULL, 0, step->attributes), step, false,
                      failure);
    case STEP_DEVPTS:
        return finish(building, mounts_new("devpts", pts, 2, step->attributes), step, false,
                      failure);
    case STEP_LINK:
        return make_link(building, step, failure);
    case STEP_MASK:
        return masks_cover(&building->masks, &building->places, &step->source, failure);
    case STEP_GUARD:
        return masks_guard(&building->places, &step->source, step->attributes, failure);
    case STEP_FILE:
        return lay_file(building, step, failure);
    case STEP_LANDLOCK:
        return allow(building, step, failure);
    }
    return fail(failure, STAGE_INTERNAL, EINVAL, "step");
}

/* The root comes first, on top of the old one. Paths are still looked up in the old one: a process
 * does not see what is mounted over its own root. */
static bool make_root(struct building *building, const struct step *step, struct failure *failure)
{
    if (mount(NULL, "/", NULL, PLD_MS_REC_PRIVATE, NULL) != 0) {
        return fail(failure, STAGE_MOUNTS, errno, "private");
    }
    struct step open_root = *step;
    open_root.attributes &= ~PLD_MOUNT_ATTR_RDONLY; /* set when everything is in place */
    int root = make_tmpfs(&open_root);
    if (root < 0) {
        return fail(failure, STAGE_MOUNTS, -root, "tmpfs");
    }
    building->places.root = root;
    if (!places_own(&building->places, root) ||
        syscall(PLD_SYS_MOVE_MOUNT, root, "", AT_FDCWD, "/", PLD_MOVE_MOUNT_F_EMPTY_PATH) != 0) {
        return fail(failure, STAGE_MOUNTS, errno, "root");
    }
    return true;
}

static bool build(struct building *building, const struct plan *plan, struct failure *failure)
{
    if (!make_root(building, &plan->steps[0], failure)) {
        return false;
    }
    for (size_t i = 1; i < plan->step_count; i++) {
        if (!take_step(building, &plan->steps[i], failure)) {
            return false;
        }
    }
    if (!masks_finish(&building->masks, &building->places, failure)) {
        return false;
    }
    int sealed = mounts_restrict(building->places.root, plan->steps[0].attributes, false);
    return sealed == 0 || fail(failure, STAGE_MOUNTS, -sealed, "root");
}

/* pivot_root(2): with the same folder for both the old root ends up on top, and is let go. */
static bool enter(int root, struct failure *failure)
{
    if (fchdir(root) != 0 || syscall(SYS_pivot_root, ".", ".") != 0 ||
        umount2(".", PLD_MNT_DETACH) != 0 || chdir("/") != 0) {
        return fail(failure, STAGE_PIVOT, errno, "pivot_root");
    }
    return true;
}

/* By path, in the new root: a folder held open from before would be the uncovered one. */
static bool change_folder(const struct path_record *cwd, struct failure *failure)
{
    if (chdir(cwd->path) != 0) {
        return fail(failure, STAGE_CWD, errno, cwd->path);
    }
    int error = paths_compare(".", cwd);
    return error == 0 || fail(failure, STAGE_CWD, error, cwd->path);
}

bool newroot_enter(struct run *run, struct failure *failure)
{
    struct building building = {
        .places = {.root = -1}, .masks = MASKS_NONE, .ruleset = run->ruleset};
    mode_t before = umask(0);
    bool entered =
        build(&building, run->plan, failure) && enter(building.places.root, failure) &&
        change_folder(&run->plan->cwd, failure);
    umask(before);
    masks_close(&building.masks);
    if (building.places.root >= 0) {
        close(building.places.root);
    }
    return entered;
}
