/*
 * The steps that make the new root, in the plan's order.
 */
#ifndef PALDRON_STEPS_H
#define PALDRON_STEPS_H

#include "records.h"

enum step_kind {
    STEP_FOLDER,
    STEP_BIND,
    STEP_TMPFS,
    STEP_PROC,
    STEP_DEVPTS,
    STEP_LINK,
    STEP_MASK,
    STEP_GUARD,
    STEP_LANDLOCK,
    STEP_FILE,
};

struct step {
    enum step_kind kind;
    uint32_t attributes; /* MOUNT_ATTR_* */
    uint32_t mode;
    uint64_t size, inodes; /* of a tmpfs */
    uint64_t access;       /* Landlock rights */
    const char *target;    /* in the new root */
    const char *text;      /* of a link */
    struct path_record source;
    const uint8_t *bytes; /* of a file, as many as its size */
};

#endif
