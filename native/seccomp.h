/* Loading the plan's system call filter. seccomp(2). */
#ifndef PALDRON_SECCOMP_H
#define PALDRON_SECCOMP_H

#include <stdint.h>

#include "failure.h"
#include "plan.h"

/* Loads the filter if the plan has one. Safe after fork. */
bool seccomp_load(const struct plan *plan, struct failure *failure);

/* Bit 0: filters with ERRNO and KILL_PROCESS. Bit 1: USER_NOTIF. */
uint32_t seccomp_support(void);

#endif
