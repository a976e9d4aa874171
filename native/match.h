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
    bool alone;       /* of a folder: not what lies in it */
};

/* Lowers `text` in place. */
struct pattern pattern_make(char *text);

/* Whether the whole name matches. Takes at most length * pattern length steps, never recurses. */
bool pattern_matches(const struct pattern *pattern, const char *name, size_t length);

/* What the patterns together say of a name; MATCH_DEEP where one that is not alone matches. */
enum match { MATCH_NONE, MATCH_ALONE, MATCH_DEEP };
enum match match_any(const struct pattern *patterns, size_t count, const char *name,
                     size_t length);

/* Whether the name holds a byte that is no ASCII; whether its case matters is not known here. */
bool name_is_not_ascii(const char *name, size_t length);

/* Whether the name holds a control character, a newline for one. */
bool name_has_control(const char *name, size_t length);

#endif
