/* The command's Landlock domain: built by the supervisor, entered by the command. landlock(7). */
#ifndef PALDRON_LANDLOCK_H
#define PALDRON_LANDLOCK_H

#include "failure.h"
#include "plan.h"

/* Makes the ruleset and a rule for each path, opened and compared as it goes, so that one
 * descriptor holds them all. `scratch` is an O_PATH descriptor or -1. Returns the ruleset, -1 with
 * `failure` filled in, or -2 where the plan has no Landlock. */
int landlock_build(const struct plan *plan, int scratch, struct failure *failure);

/* Adds a rule for what `fd` stands for. Safe after fork. */
bool landlock_add_rule(int ruleset, int fd, uint64_t access, const char *name,
                       struct failure *failure);

/* Enters the ruleset. Needs no_new_privs. Safe after fork. */
bool landlock_enter(int ruleset, uint32_t flags, struct failure *failure);

/* The ABI, or 0 with *error set. `errata` may be NULL. */
uint32_t landlock_abi(uint32_t *error, uint32_t *errata);

#endif
