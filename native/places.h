/*
 * Places in the new root. Looked up without following a link in any component; one that is missing
 * is made, but only on a file system of this run, never on a disk.
 */
#ifndef PALDRON_PLACES_H
#define PALDRON_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define PLACES_OWN 16

struct places {
    int root;              /* the new root */
    dev_t own[PLACES_OWN]; /* file systems that this run made */
    size_t own_count;
};

/* Counts the file system of `fd` to the run's own. */
bool places_own(struct places *places, int fd);

/* An O_PATH descriptor of `target` (absolute, in the new root; a link at its end is not followed),
 * or -errno. */
int places_open(const struct places *places, const char *target);

/* The same; what is missing is made: folders of mode 0755, and at the end one of `mode` (S_IFDIR or
 * S_IFREG with permissions). EROFS: it would have been on a file system that is not the run's. */
int places_make(const struct places *places, const char *target, mode_t mode);

/* Makes a link and the folders above it. An existing one with the same text is fine. 0 or -errno. */
int places_link(const struct places *places, const char *target, const char *text);

#endif
