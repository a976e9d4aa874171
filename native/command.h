/* The child side: from fork to execve of the command. */
#ifndef PALDRON_COMMAND_H
#define PALDRON_COMMAND_H

#include "run.h"

/* Runs in the forked child and does not return. Uses only what is safe after fork. A failure is
 * written to run->failures; end of file there means that execve succeeded. */
_Noreturn void command_main(struct run *run, pid_t parent);

#endif
