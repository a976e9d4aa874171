#include "scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fds.h"
#include "paths.h"

/* Nothing but the launcher has been in the folder yet, so that its names are what they seem. */
static bool make_link(int folder, const struct scratch_link *link)
{
    char path[PATH_MAX];
    if (strlen(link->path) >= sizeof path) {
        errno = ENAMETOOLONG;
        return false;
    }
    strcpy(path, link->path);
    for (char *end = strchr(path, '/'); end != NULL; end = strchr(end + 1, '/')) {
        *end = '\0';
        if (mkdirat(folder, path, 0700) != 0 && errno != EEXIST) {
            return false;
        }
        *end = '/';
    }
    return symlinkat(link->text, folder, path) == 0;
}

static bool make_folders(struct scratch *scratch, const struct plan *plan)
{
    if (mkdirat(scratch->parent, scratch->name, 0700) != 0) {
        fds_close(&scratch->parent); /* not ours to remove */
        return false;
    }
    scratch->folder =
        openat(scratch->parent, scratch->name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat made;
    if (scratch->folder < 0 || fstat(scratch->folder, &made) != 0) {
        return false;
    }
    if (made.st_uid != geteuid() || (made.st_mode & 0777) != 0700) {
        errno = ESTALE;
        return false;
    }
    for (size_t i = 0; i < plan->scratch_folder_count; i++) {
        if (mkdirat(scratch->folder, plan->scratch_folders[i], 0700) != 0) {
            return false;
        }
    }
    for (size_t i = 0; i < plan->scratch_link_count; i++) {
        if (!make_link(scratch->folder, &plan->scratch_links[i])) {
            return false;
        }
    }
    return true;
}

bool scratch_make(struct scratch *scratch, const struct plan *plan, struct failure *failure)
{
    *scratch = SCRATCH_NONE;
    if (!plan->has_scratch) {
        return true;
    }
    scratch->name = plan->scratch_name;
    scratch->parent = paths_open(&plan->scratch_parent, failure);
    if (scratch->parent < 0) {
        return false;
    }
    mode_t mask = umask(0);
    bool made = make_folders(scratch, plan);
    int error = errno;
    umask(mask);
    if (!made) {
        scratch_remove(scratch);
        return fail(failure, STAGE_SCRATCH, error, plan->scratch_parent.path);
    }
    return true;
}
