/*
 * What of a command's output may reach a terminal where the policy says so: text, colours, and
 * moving about within the line. Everything else a terminal would obey is taken out.
 */
#ifndef PALDRON_FILTER_H
#define PALDRON_FILTER_H

#include <stddef.h>
#include <stdint.h>

#define FILTER_HELD 48u

enum filter_state {
    FILTER_TEXT,
    FILTER_CHARACTER, /* inside one of several bytes */
    FILTER_ESCAPE,
    FILTER_INTERMEDIATE,
    FILTER_CONTROL, /* after ESC [ */
    FILTER_STRING,  /* a title, a clipboard, a device's own language */
};

struct filter {
    enum filter_state state;
    uint8_t held[FILTER_HELD]; /* of a sequence that may turn out to be harmless */
    size_t held_length;
    uint8_t missing; /* bytes of a character */
};

void filter_start(struct filter *filter);

/* Writes what may pass to `out`, which has room for `length` and FILTER_HELD more; returns how much
 * that is. */
size_t filter_run(struct filter *filter, const uint8_t *bytes, size_t length, uint8_t *out);

#endif
