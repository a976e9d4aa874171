#include "namespaces.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "limits.h"
#include "newroot.h"
#include "privileges.h"
#include "uapi.h"
#include "uapi_mount.h"

pid_t namespaces_fork(uint32_t flags)
{
    if (flags == 0) {
        return fork();
    }
    /* Not libc's clone(3), which wants a stack: as after fork(2) the child goes on with a copy of
     * this one. The process has one thread, so libc holds no lock that the child could miss. */
    return (pid_t)syscall(SYS_clone, (unsigned long)flags | SIGCHLD, 0UL, 0UL, 0UL, 0UL);
}

static bool write_file(const char *path, const char *text, struct failure *failure)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    ssize_t length = (ssize_t)strlen(text);
    bool written = fd >= 0 && write(fd, text, (size_t)length) == length;
    int error = errno;
    if (fd >= 0) {
        close(fd);
    }
    return written || fail(failure, STAGE_USERNS_MAP, error, path);
}

/* Own uid and gid to themselves and nothing else: what belongs to others stays theirs. */
static bool map_ids(uid_t uid, gid_t gid, struct failure *failure)
{
    char line[32];
    snprintf(line, sizeof line, "%u %u 1", (unsigned)uid, (unsigned)uid);
    if (!write_file("/proc/self/uid_map", line, failure) ||
        !write_file("/proc/self/setgroups", "deny", failure)) {
        return false;
    }
    snprintf(line, sizeof line, "%u %u 1", (unsigned)gid, (unsigned)gid);
    return write_file("/proc/self/gid_map", line, failure);
}

static bool raise_loopback(struct failure *failure)
{
    struct ifreq request;
    memset(&request, 0, sizeof request);
    strcpy(request.ifr_name, "lo");
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool up = fd >= 0 && ioctl(fd, SIOCGIFFLAGS, &request) == 0;
    request.ifr_flags |= IFF_UP | IFF_RUNNING;
    up = up && ioctl(fd, SIOCSIFFLAGS, &request) == 0; /* netdevice(7) */
    int error = errno;
    if (fd >= 0) {
        close(fd);
    }
    return up || fail(failure, STAGE_LOOPBACK, error, "lo");
}

/* A pid namespace dies with its process 1, and that with the supervisor. Otherwise the guardian has
 * to outlive the supervisor. Whether the supervisor died before this, the lifeline tells. */
static bool die_with_supervisor(const struct plan *plan, struct failure *failure)
{
    if ((plan->namespaces & PLD_CLONE_NEWPID) == 0 ||
        prctl(PLD_PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0) {
        return true;
    }
    return fail(failure, STAGE_GUARDIAN, errno, "parent death signal");
}

static bool set_dumpable(unsigned long value, struct failure *failure)
{
    return prctl(PLD_PR_SET_DUMPABLE, value, 0, 0, 0) == 0 ||
           fail(failure, STAGE_NAMESPACES, errno, "dumpable");
}

/*
 * INVARIANT: while not dumpable its own files in /proc belong to root, so the maps and the score come
 * before that; the mounts need the capabilities and come before these go; the parent death signal
 * is set again afterwards, because a change of credentials may clear it.
 */
bool namespaces_settle(struct run *run, struct failure *failure)
{
    const struct plan *plan = run->plan;
    return set_dumpable(1, failure) && die_with_supervisor(plan, failure) &&
           ((plan->namespaces & PLD_CLONE_NEWUSER) == 0 ||
            map_ids(run->uid, run->gid, failure)) &&
           limits_oom_score(plan, failure) &&
           ((plan->namespaces & PLD_CLONE_NEWNET) == 0 || raise_loopback(failure)) &&
           newroot_enter(run, failure) && set_dumpable(0, failure) && privileges_drop(failure) &&
           die_with_supervisor(plan, failure);
}
