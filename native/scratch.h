/*
 * The folder made for one run: private, and gone when the tree is dead.
 */
#ifndef PALDRON_SCRATCH_H
#define PALDRON_SCRATCH_H

#include "failure.h"
#include "plan.h"

struct scratch {
    int parent; /* O_PATH; -1: there is none */
    int folder; /* O_PATH */
    const char *name;
};
#define SCRATCH_NONE ((struct scratch){-1, -1, NULL})

/* Makes the folder (mode 0700, whatever the umask) and the folders in it. An existing one is a
 * failure. What was made before a failure is removed again. */
bool scratch_make(struct scratch *scratch, const struct plan *plan, struct failure *failure);

/* Removes it with everything in it. 0, or the errno of the first thing that could not be removed.
 * Follows no link, needs no more memory or descriptors for a deep tree than for a flat one. Only to
 * be called when nothing that writes in it is alive. */
int scratch_remove(struct scratch *scratch);

#endif
