/* Patterns for one path component: `*` any run of bytes, `?` one byte, ASCII letters without regard
 * to case. */
#ifndef PALDRON_MATCH_H
#define PALDRON_MATCH_H

#include <stdbool.h>
#include <stddef.h>

struct pattern {
    const char *text; /* lower case */
    size_t length;
    char first, last; /* 0: a wildcard, so nothing is known */
};

/* Lowers `text` in place. */
struct pattern pattern_make(char *text);

/* Whether the whole name matches. Takes at most length * pattern length steps, never recurses. */
bool pattern_matches(const struct pattern *pattern, const char *name, size_t length);

/* Whether the name holds a byte that is no ASCII; whether its case matters is not known here. */
bool name_is_not_ascii(const char *name, size_t length);

#endif
