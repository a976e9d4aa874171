/* Namespaces of their own for the run. namespaces(7), user_namespaces(7). */
#ifndef PALDRON_NAMESPACES_H
#define PALDRON_NAMESPACES_H

#include "run.h"

/* fork(2), with the child in new namespaces (CLONE_NEW* flags; 0 for an ordinary fork). */
pid_t namespaces_fork(uint32_t flags);

/* In that child: identity maps, loopback, the new root; then no capability is left. */
bool namespaces_settle(struct run *run, struct failure *failure);

#endif
