#include "landlock.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "paths.h"

bool landlock_add_rule(int ruleset, int fd, uint64_t access, const char *name,
                       struct failure *failure)
{
    struct pld_landlock_path_beneath_attr rule = {.allowed_access = access, .parent_fd = fd};
    if (access != 0 && syscall(PLD_SYS_LANDLOCK_ADD_RULE, ruleset, PLD_LANDLOCK_RULE_PATH_BENEATH,
                               &rule, 0) != 0) {
        return fail(failure, STAGE_LANDLOCK, errno, name);
    }
    return true;
}

static bool add_path(int ruleset, const struct landlock_path *path, struct failure *failure)
{
    int fd = paths_open(&path->path, failure);
    if (fd < 0) {
        return false;
    }
    /* Rights on a folder's content are EINVAL for anything that is not a folder. */
    uint64_t access = path->access;
    if (path->path.type != S_IFDIR) {
        access &= PLD_LANDLOCK_FS_FILE;
    }
    bool added = landlock_add_rule(ruleset, fd, access, path->path.path, failure);
    close(fd);
    return added;
}

static bool add_rules(int ruleset, const struct plan *plan, int scratch, struct failure *failure)
{
    for (size_t i = 0; i < plan->landlock_path_count; i++) {
        if (!add_path(ruleset, &plan->landlock_paths[i], failure)) {
            return false;
        }
    }
    return scratch < 0 ||
           landlock_add_rule(ruleset, scratch, plan->scratch_access, plan->scratch_name, failure);
}

int landlock_build(const struct plan *plan, int scratch, struct failure *failure)
{
    if (!plan->has_landlock) {
        return -2;
    }
    struct pld_landlock_ruleset_attr attributes = {
        .handled_access_fs = plan->handled_fs,
        .handled_access_net = plan->handled_net,
        .scoped = plan->scoped,
    };
    /* An older kernel takes the longer structure as long as what it does not know is zero. */
    int ruleset =
        (int)syscall(PLD_SYS_LANDLOCK_CREATE_RULESET, &attributes, sizeof attributes, 0);
    if (ruleset < 0) {
        fail(failure, STAGE_LANDLOCK, errno, "landlock_create_ruleset");
        return -1;
    }
    if (!add_rules(ruleset, plan, scratch, failure)) {
        close(ruleset);
        return -1;
    }
    return ruleset;
}

bool landlock_enter(int ruleset, uint32_t flags, struct failure *failure)
{
    if (syscall(PLD_SYS_LANDLOCK_RESTRICT_SELF, ruleset, flags) != 0) {
        return fail(failure, STAGE_LANDLOCK, errno, "landlock_restrict_self");
    }
    return true;
}

uint32_t landlock_abi(uint32_t *error, uint32_t *errata)
{
    long abi =
        syscall(PLD_SYS_LANDLOCK_CREATE_RULESET, NULL, 0, PLD_LANDLOCK_CREATE_VERSION);
    *error = abi < 0 ? (uint32_t)errno : 0;
    if (errata != NULL) {
        /* Linux 6.15 and stable kernels since; an older one answers EINVAL. */
        long bits = syscall(PLD_SYS_LANDLOCK_CREATE_RULESET, NULL, 0, PLD_LANDLOCK_CREATE_ERRATA);
        *errata = bits > 0 ? (uint32_t)bits : 0;
    }
    return abi > 0 ? (uint32_t)abi : 0;
}
