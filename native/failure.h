/*
 * How a step says that it failed: the stage and errno of the FAILED message (docs/wire.md), with
 * a short detail. Every step returns bool and fills the failure when it returns false.
 */
#ifndef PALDRON_FAILURE_H
#define PALDRON_FAILURE_H

#include <stdbool.h>
#include <stdint.h>

enum stage {
    STAGE_NONE = 0,
    STAGE_WIRE = 1,
    STAGE_PATH = 2,
    STAGE_SCRATCH = 3,
    STAGE_GUARDIAN = 4,
    STAGE_TREE_KILL = 5,
    STAGE_PIPES = 6,
    STAGE_FORK = 7,
    STAGE_SESSION = 8,
    STAGE_PRIVILEGES = 9,
    STAGE_LANDLOCK = 10,
    STAGE_LIMITS = 11,
    STAGE_CWD = 12,
    STAGE_SECCOMP = 13,
    STAGE_EXEC = 14,
    STAGE_DESCRIPTORS = 15,
    STAGE_MEMORY = 16,
    STAGE_INTERNAL = 17,
    STAGE_TERMINAL = 18,
    STAGE_WATCH = 19,
    /* From here on: what a host may refuse although a weaker setting works on it. */
    STAGE_NAMESPACES = 32,
    STAGE_USERNS_MAP = 33,
    STAGE_LOOPBACK = 34,
    STAGE_MOUNTS = 35,
    STAGE_PROC = 36,
    STAGE_MASKS = 37,
    STAGE_PIVOT = 38,
    STAGE_BROKER = 39,
};

#define FAILURE_DETAIL 240

/* Also sent raw over a pipe between the processes of one launcher, so it stays below PIPE_BUF. */
struct failure {
    uint32_t stage;
    int32_t error;
    char detail[FAILURE_DETAIL];
};

/* Fills `failure` and returns false, so that a step can end with `return fail(...)`. A detail
 * that is too long keeps its end: of a path, the last components tell most. Safe after fork. */
bool fail(struct failure *failure, enum stage stage, int error, const char *detail);

#endif
