/*
 * Reading bytes that somebody else wrote: a cursor that cannot leave its buffer, and the walk over
 * the records of a payload. One forward pass, no recursion, no allocation.
 */
#ifndef PALDRON_RECORDS_H
#define PALDRON_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"

struct cursor {
    const uint8_t *at;
    size_t left;
    bool short_of; /* something was asked for that is not there; stays set */
};

/* Little-endian reads; past the end they return 0 and set `short_of`. */
uint16_t cursor_u16(struct cursor *cursor);
uint32_t cursor_u32(struct cursor *cursor);
uint64_t cursor_u64(struct cursor *cursor);
const uint8_t *cursor_bytes(struct cursor *cursor, size_t length);

struct record_kind {
    uint16_t type;
    bool many; /* may come more than once */
    bool last; /* its payload is the number of records before it, and nothing may follow it */
    const char *name;
    /* Reads the whole payload of one record. False: the record is not valid. */
    bool (*read)(void *into, struct cursor *payload);
};

/* Reads records to the end of `cursor`. `seen` gets bit i for kinds[i] (at most 64 kinds). */
bool records_read(struct cursor *cursor, const struct record_kind *kinds, size_t count, void *into,
                  uint64_t *seen, struct failure *failure);

/* A bump allocator: one block, sized from the payload, never grown. */
struct arena {
    uint8_t *at;
    size_t left;
};
/* Zeroed memory aligned for any object, or NULL. */
void *arena_take(struct arena *arena, size_t size);
/* The rest of `cursor` as a string; NULL where it holds a NUL. */
char *arena_string(struct arena *arena, struct cursor *cursor, size_t length);

/* A path with the identity under which Paldron judged it. */
struct path_record {
    uint64_t dev;
    uint64_t ino;
    uint32_t type; /* S_IFMT bits */
    const char *path;
};
/* Reads a P record; absolute paths only. */
bool arena_path(struct arena *arena, struct cursor *cursor, struct path_record *record);

/* A name for one path component: not empty, `.` or `..`, without a slash, at most 255 bytes. */
bool is_component(const char *name);

#endif
