/* Whether a broker can work here at all: tried with a child, before the command is started. */
#ifndef PALDRON_CANARY_H
#define PALDRON_CANARY_H

#include "failure.h"

/* A child hands a call over; it is received, the child's memory read, a descriptor put into it, the
 * call answered. Any of it may be refused: a listener by one that is there already, memory by Yama,
 * all of it by an older kernel. Needs no_new_privs. */
bool canary_lives(struct failure *failure);

#endif
