/*
 * The guardian: parent of the command, in a session of its own, deaf to every signal that can be
 * blocked. It passes signals on to the command's process group, reports how the command ended, and
 * when the supervisor is gone kills the tree and removes the scratch folder. In a pid namespace its
 * place is process 1.
 */
#ifndef PALDRON_GUARDIAN_H
#define PALDRON_GUARDIAN_H

#include "run.h"

/* Runs in the forked child and does not return. */
_Noreturn void guardian_main(struct run *run);

/* Closes what only the command needs. */
void guardian_drop_descriptors(struct run *run);

#endif
