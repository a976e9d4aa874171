/* Opening a path of the plan as the same file that Paldron judged. */
#ifndef PALDRON_PATHS_H
#define PALDRON_PATHS_H

#include "failure.h"
#include "records.h"

/* Opens with openat2(O_PATH), following no link in any component, and compares device, inode and
 * type. Returns a close-on-exec descriptor, or -1 with `failure` filled in (ESTALE: another file). */
int paths_open(const struct path_record *record, struct failure *failure);

/* Whether `fd` stands for the file of `record`: 0 or an errno. */
int paths_same(int fd, const struct path_record *record);

/* Whether `path`, links followed, is still the file of `record`: 0 or an errno. Safe after fork. */
int paths_compare(const char *path, const struct path_record *record);

#endif
