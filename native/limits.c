#include "limits.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

bool limits_apply(const struct plan *plan, struct failure *failure)
{
    for (size_t i = 0; i < plan->limit_count; i++) {
        const struct plan_limit *wanted = &plan->limits[i];
        struct rlimit limit;
        if (prlimit(0, (enum __rlimit_resource)wanted->resource, NULL, &limit) != 0) {
            return fail(failure, STAGE_LIMITS, errno, "prlimit");
        }
        limit.rlim_max = wanted->hard < limit.rlim_max ? wanted->hard : limit.rlim_max;
        limit.rlim_cur = wanted->soft < limit.rlim_max ? wanted->soft : limit.rlim_max;
        if (prlimit(0, (enum __rlimit_resource)wanted->resource, &limit, NULL) != 0) {
            return fail(failure, STAGE_LIMITS, errno, "prlimit");
        }
    }
    return true;
}

bool limits_oom_score(const struct plan *plan, struct failure *failure)
{
    char text[16];
    int length = snprintf(text, sizeof text, "%d", plan->oom_score);
    int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd < 0) {
        return fail(failure, STAGE_LIMITS, errno, "oom_score_adj");
    }
    bool written = write(fd, text, (size_t)length) == length;
    int error = errno;
    close(fd);
    return written || fail(failure, STAGE_LIMITS, error, "oom_score_adj");
}
