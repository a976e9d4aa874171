#include "fds.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "uapi.h"

/* close_range(2) is missing below Linux 5.9 and under filters that do not know it. */
static void close_one_by_one(int first)
{
    struct rlimit limit;
    long highest = 65536;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_max < (rlim_t)highest) {
        highest = (long)limit.rlim_max;
    }
    for (int fd = first; fd < highest; fd++) {
        close(fd);
    }
}

bool fds_prepare(void)
{
    if (fcntl(FD_MESSAGES_IN, F_GETFD) < 0 || fcntl(FD_MESSAGES_OUT, F_GETFD) < 0) {
        return false;
    }
    for (int fd = 0; fd <= 2; fd++) {
        /* The lowest free number is `fd` itself, since everything below it is open. */
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd) {
            return false;
        }
    }
    if (syscall(PLD_SYS_CLOSE_RANGE, FD_FIRST_OWN, ~0u, 0) != 0) {
        close_one_by_one(FD_FIRST_OWN);
    }
    int flags = fcntl(FD_MESSAGES_OUT, F_GETFL);
    return flags >= 0 && fcntl(FD_MESSAGES_OUT, F_SETFL, flags | O_NONBLOCK) == 0;
}

bool fds_close_on_exec(int first)
{
    if (syscall(PLD_SYS_CLOSE_RANGE, first, ~0u, PLD_CLOSE_RANGE_CLOEXEC) == 0) {
        return true;
    }
    /* Everything above the messages was opened by the launcher itself, with O_CLOEXEC. */
    for (int fd = first; fd < FD_FIRST_OWN; fd++) {
        if (fcntl(fd, F_SETFD, FD_CLOEXEC) != 0) {
            return false;
        }
    }
    return true;
}

bool fds_silence(int fd)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0) {
        return false;
    }
    bool done = dup3(null, fd, fd > 2 ? O_CLOEXEC : 0) == fd;
    close(null);
    return done;
}

void fds_close(int *fd)
{
    if (*fd >= 0) {
        close(*fd);
        *fd = -1;
    }
}

bool fds_pipe(int ends[2])
{
    if (pipe2(ends, O_CLOEXEC) != 0) {
        ends[0] = ends[1] = -1;
        return false;
    }
    return fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0;
}
