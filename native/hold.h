/*
 * Output that waits for an answer: chunks in their order, in memory without a name that ends with
 * the launcher.
 */
#ifndef PALDRON_HOLD_H
#define PALDRON_HOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hold {
    int fd; /* -1: nothing was ever held */
    uint64_t read_at, write_at;
    uint64_t limit;
};

void hold_open(struct hold *hold, uint64_t limit);
/* False: more than may be held, or no memory. */
bool hold_put(struct hold *hold, uint32_t stream, const uint8_t *bytes, size_t length);
bool hold_pending(const struct hold *hold);
/* The next chunk: its length, 0 where there is none. `capacity` is at least what hold_put() got. */
size_t hold_take(struct hold *hold, uint32_t *stream, uint8_t *bytes, size_t capacity);
/* Forgets everything. */
void hold_drop(struct hold *hold);

#endif
