#include "privileges.h"

#include <errno.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "uapi.h"

uint64_t privileges_effective(void)
{
    struct pld_cap_header header = {PLD_CAP_VERSION_3, 0};
    struct pld_cap_data data[2] = {{0, 0, 0}, {0, 0, 0}};
    if (syscall(SYS_capget, &header, data) != 0) {
        return 0;
    }
    return data[0].effective | (uint64_t)data[1].effective << 32;
}

bool privileges_no_new(struct failure *failure)
{
    if (prctl(PLD_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        return fail(failure, STAGE_PRIVILEGES, errno, "no_new_privs");
    }
    return true;
}

bool privileges_drop(struct failure *failure)
{
    if (!privileges_no_new(failure)) {
        return false;
    }
    if ((privileges_effective() >> PLD_CAP_SETPCAP & 1) != 0) {
        for (int capability = 0; capability < 64; capability++) {
            if (prctl(PLD_PR_CAPBSET_DROP, capability, 0, 0, 0) != 0) {
                if (errno == EINVAL && capability > 0) {
                    break; /* past the last one this kernel knows */
                }
                return fail(failure, STAGE_PRIVILEGES, errno, "bounding set");
            }
        }
    }
    /* EINVAL: no ambient capabilities below Linux 4.3. */
    if (prctl(PLD_PR_CAP_AMBIENT, PLD_PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0 && errno != EINVAL) {
        return fail(failure, STAGE_PRIVILEGES, errno, "ambient set");
    }
    struct pld_cap_header header = {PLD_CAP_VERSION_3, 0};
    struct pld_cap_data none[2] = {{0, 0, 0}, {0, 0, 0}};
    if (syscall(SYS_capset, &header, none) != 0) {
        return fail(failure, STAGE_PRIVILEGES, errno, "capset");
    }
    return true;
}
