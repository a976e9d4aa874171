/*
 * The new root: made step by step beside the old one, then entered. Runs in process 1 of the new
 * namespaces (or in the guardian, without a pid namespace), before the command is forked.
 */
#ifndef PALDRON_NEWROOT_H
#define PALDRON_NEWROOT_H

#include "run.h"

/* Carries out the plan's steps, changes into the new root and there into the plan's folder. */
bool newroot_enter(struct run *run, struct failure *failure);

#endif
