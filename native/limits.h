/* Resource limits of the command. prlimit(2), proc_pid_oom_score_adj(5). */
#ifndef PALDRON_LIMITS_H
#define PALDRON_LIMITS_H

#include "failure.h"
#include "plan.h"

/* Sets soft and hard limits, never above the inherited hard limit. Safe after fork; to be called as
 * late as possible, since a low limit also binds what comes after it. */
bool limits_apply(const struct plan *plan, struct failure *failure);

/* Writes oom_score_adj, which the plan has. The process must be dumpable, or its /proc files belong to root. */
bool limits_oom_score(const struct plan *plan, struct failure *failure);

#endif
