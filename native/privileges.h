/* Giving up privileges for good. capabilities(7), prctl(2). */
#ifndef PALDRON_PRIVILEGES_H
#define PALDRON_PRIVILEGES_H

#include <stdbool.h>
#include <stdint.h>

#include "failure.h"

/* no_new_privs, then every capability out of every set. The uid stays. With no_new_privs an
 * execve(2) gains nothing, so a bounding set that an ordinary user cannot change does not matter.
 * Safe after fork. */
bool privileges_drop(struct failure *failure);

bool privileges_no_new(struct failure *failure);

uint64_t privileges_effective(void);

#endif
