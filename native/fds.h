/* Descriptors: what the launcher was given, and closing everything it was not. */
#ifndef PALDRON_FDS_H
#define PALDRON_FDS_H

#include <stdbool.h>

#define FD_MESSAGES_IN 3
#define FD_MESSAGES_OUT 4
#define FD_FIRST_OWN 5

/* False where 3 or 4 is closed. Opens /dev/null for closed 0 to 2 and closes 5 and above. */
bool fds_prepare(void);

/* Marks every descriptor from `first` on as close-on-exec. Safe after fork. */
bool fds_close_on_exec(int first);

/* Puts /dev/null in the place of `fd`, so that its number stays taken. Safe after fork. */
bool fds_silence(int fd);

/* Closes `*fd` if it is open and sets it to -1. */
void fds_close(int *fd);

/* pipe2(2) with O_CLOEXEC and a read end that does not block. */
bool fds_pipe(int ends[2]);

#endif
