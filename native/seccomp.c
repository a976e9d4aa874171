#include "seccomp.h"

#include <errno.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Once a call has been received, only what kills its caller interrupts it: an answer that was given
 * is not asked for a second time. Linux 5.19. */
int seccomp_listen(const struct pld_sock_filter *filter, size_t length)
{
    struct pld_sock_fprog program = {.len = (uint16_t)length, .filter = filter};
    unsigned long flags = PLD_SECCOMP_FILTER_FLAG_SPEC_ALLOW |
                          PLD_SECCOMP_FILTER_FLAG_NEW_LISTENER |
                          PLD_SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
    return (int)syscall(PLD_SYS_SECCOMP, PLD_SECCOMP_SET_MODE_FILTER, flags, &program);
}

bool seccomp_load(const struct plan *plan, int *listener, struct failure *failure)
{
    if (plan->filter == NULL) {
        return true;
    }
    if (plan->broker != 0) {
        *listener = seccomp_listen(plan->filter, plan->filter_length);
        return *listener >= 0 || fail(failure, STAGE_BROKER, errno, "seccomp");
    }
    struct pld_sock_fprog program = {
        .len = (uint16_t)plan->filter_length,
        .filter = plan->filter,
    };
    if (syscall(PLD_SYS_SECCOMP, PLD_SECCOMP_SET_MODE_FILTER, PLD_SECCOMP_FILTER_FLAG_SPEC_ALLOW,
                &program) != 0) {
        return fail(failure, STAGE_SECCOMP, errno, "seccomp");
    }
    return true;
}

static bool action_available(uint32_t action)
{
    return syscall(PLD_SYS_SECCOMP, PLD_SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

uint32_t seccomp_support(void)
{
    if (prctl(PLD_PR_GET_SECCOMP, 0, 0, 0, 0) < 0) {
        return 0;
    }
    uint32_t support = 0;
    if (action_available(PLD_SECCOMP_RET_ERRNO) &&
        action_available(PLD_SECCOMP_RET_KILL_PROCESS)) {
        support |= 1;
    }
    if (action_available(PLD_SECCOMP_RET_USER_NOTIF)) {
        support |= 2;
    }
    return support;
}
