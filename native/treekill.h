/*
 * Killing the whole tree of a run, and nothing else.
 *
 * Scope: supervisor and guardian sit in a Landlock domain that only scopes signals, the command in
 * one nested in it, so that kill(-1, SIGKILL) reaches exactly the tree. OUTSIDE SUCH A DOMAIN THE
 * SAME CALL KILLS EVERY PROCESS OF THE USER; it is therefore made in one place, behind a flag that
 * only a proven domain sets (Linux 6.12, Landlock ABI 6).
 * Sweep: only direct children are signalled. Nobody but their parent can reap them, so their
 * numbers cannot have passed to another process; being a subreaper makes every orphan a direct
 * child in turn.
 */
#ifndef PALDRON_TREEKILL_H
#define PALDRON_TREEKILL_H

#include <sys/types.h>

#include "failure.h"
#include "plan.h"

/* Enters the signal-scope domain and proves it: a witness outside could be signalled before and
 * cannot be afterwards. Sets no_new_privs. */
bool treekill_enter_scope(struct failure *failure);

/* Whether this process has children it did not start as part of a run. */
bool treekill_has_children(void);

/* Told about each process that was reaped. */
struct treekill_reaper {
    void (*reaped)(void *context, pid_t pid, int status);
    void *context;
};

/* Reaps what has ended. False: no child is left. */
bool treekill_reap(const struct treekill_reaper *reaper);

/* Kills and reaps until no child is left. False where some could not be killed within ten seconds
 * in which nothing moved (a process in an uninterruptible wait, or one with other credentials). */
bool treekill_all(enum tree_kill mode, const struct treekill_reaper *reaper);

#endif
