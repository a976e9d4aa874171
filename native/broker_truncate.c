/* truncate(2), where Landlock below ABI 3 does not tell it from reading. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "broker.h"
#include "uapi.h"

/* The limit is the caller's: the broker has none. prlimit(2), Linux 2.6.36. */
static int fits(const struct broker_call *call, int file, off_t length)
{
    struct stat status;
    struct rlimit limit;
    if (fstat(file, &status) != 0) {
        return errno;
    }
    if (length <= status.st_size) {
        return 0;
    }
    if (prlimit(call->task, RLIMIT_FSIZE, NULL, &limit) != 0) {
        return EPERM;
    }
    return limit.rlim_cur == RLIM_INFINITY || (rlim_t)length <= limit.rlim_cur ? 0 : EFBIG;
}

static int cut(const struct broker *broker, const struct broker_call *call)
{
    char path[PATH_MAX];
    off_t length = (off_t)call->args[1];
    if (length < 0) {
        return EINVAL;
    }
    int error = broker_read_string(broker, call, call->args[0], path, sizeof path, ENAMETOOLONG);
    if (error != 0) {
        return error;
    }
    int target = broker_open(call, AT_FDCWD, path, 0);
    if (target < 0) {
        return -target;
    }
    int file = broker_hold(broker, target);
    if (file < 0) {
        return EACCES; /* what Landlock says where it guards against this */
    }
    error = fits(call, file, length);
    if (error == 0) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
        error = truncate(path, length) == 0 ? 0 : errno;
    }
    close(file);
    return error;
}

bool broker_truncate(const struct broker *broker, const struct broker_call *call,
                     struct broker_answer *answer)
{
    if (call->number != SYS_truncate) {
        return false;
    }
    int error = cut(broker, call);
    *answer = error == 0 ? broker_value(0) : broker_error(error);
    return true;
}
