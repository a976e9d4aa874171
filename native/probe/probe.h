/* What `paldron doctor` tries inside a run and, as its control, outside of one. */
#ifndef PALDRON_PROBE_H
#define PALDRON_PROBE_H

#include <sys/types.h>

struct attempt {
    const char *name;
    int (*run)(void);
};

/* An attempt answers 0, an errno, or that it could not be made at all. */
enum { CANNOT_TRY = 251 };

/* Ended by an entry without a name. */
extern const struct attempt file_attempts[];
extern const struct attempt workspace_attempts[];
extern const struct attempt network_attempts[];
extern const struct attempt process_attempts[];
extern const struct attempt limit_attempts[];

/* A value of the file `paldron-doctor` (`KEY=VALUE` lines in the working folder); ends the attempt where there is none. */
const char *setting(const char *key);
long number(const char *key);
/* A path below the folder that a key names. */
const char *below(const char *key, const char *name);

/* errno for -1, else 0; `opened` also closes the descriptor that was got. */
int outcome(long result);
int opened(int fd);

/* The target of the attempts: listens, holds a terminal and a secret, says what reached it. */
int stand(const char *token, const char *folder);

#endif
