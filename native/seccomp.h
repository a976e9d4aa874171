/* Loading the plan's system call filter. seccomp(2). */
#ifndef PALDRON_SECCOMP_H
#define PALDRON_SECCOMP_H

#include <stdint.h>

#include "failure.h"
#include "plan.h"

/* Loads the filter if the plan has one; with a broker `listener` gets the descriptor on which its
 * calls arrive. Safe after fork. */
bool seccomp_load(const struct plan *plan, int *listener, struct failure *failure);

/* Loads a filter that hands calls over. The listener (close-on-exec), or -1 with errno. */
int seccomp_listen(const struct pld_sock_filter *filter, size_t length);

/* Bit 0: filters with ERRNO and KILL_PROCESS. Bit 1: USER_NOTIF. */
uint32_t seccomp_support(void);

#endif
