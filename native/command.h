/* The child side: from fork to execve of the command. */
#ifndef PALDRON_COMMAND_H
#define PALDRON_COMMAND_H

#include "run.h"

/* Starts the command and returns its pid, or -1 with errno. Called by the guardian, which is held
 * until the command has called execve or ended. A failure of the command's own steps is written to
 * run->failures; end of file there means that execve succeeded. `listener`: where the calls of its
 * filter arrive, -1 for none. */
pid_t command_start(const struct run *run, int *listener);

#endif
