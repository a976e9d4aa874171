/*
 * Covering what must not be seen, and binding folders onto themselves so that none can be renamed
 * away from above a cover.
 */
#ifndef PALDRON_MASKS_H
#define PALDRON_MASKS_H

#include "failure.h"
#include "places.h"
#include "records.h"

struct masks {
    int file;   /* an empty file of mode 000 on a read-only file system; -1: not made yet */
    int folder; /* an empty folder of mode 000 there */
};
#define MASKS_NONE ((struct masks){-1, -1})

/* Covers the file, link or folder, which must still be the one of the record. */
bool masks_cover(struct masks *masks, struct places *places, const struct path_record *path,
                 struct failure *failure);

/* Binds the file or folder onto itself, with attributes. */
bool masks_guard(const struct places *places, const struct path_record *path, uint32_t attributes,
                 struct failure *failure);

/* Takes the place that the covers were copied from out of sight again. */
bool masks_finish(struct masks *masks, struct places *places, struct failure *failure);
void masks_close(struct masks *masks);

#endif
