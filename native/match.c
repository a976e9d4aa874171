#include "match.h"

#include <string.h>

static inline char lower(char byte)
{
    return byte >= 'A' && byte <= 'Z' ? (char)(byte + ('a' - 'A')) : byte;
}

static char literal(char byte)
{
    return byte == '*' || byte == '?' ? 0 : byte;
}

struct pattern pattern_make(char *text)
{
    size_t length = strlen(text);
    for (size_t i = 0; i < length; i++) {
        text[i] = lower(text[i]);
    }
    struct pattern pattern = {.text = text, .length = length};
    if (length > 0) {
        pattern.first = literal(text[0]);
        pattern.last = literal(text[length - 1]);
    }
    return pattern;
}

/* Greedy with one point to go back to: the last star. An earlier star never has to take more, since
 * the last one can take whatever it would have. */
static bool matches(const struct pattern *pattern, const char *name, size_t length)
{
    size_t at = 0;
    size_t star = pattern->length; /* none yet */
    size_t star_name = 0;
    for (size_t i = 0; i < length;) {
        bool more = at < pattern->length;
        if (more && pattern->text[at] == '*') {
            star = at++;
            star_name = i;
        } else if (more && (pattern->text[at] == '?' || pattern->text[at] == lower(name[i]))) {
            at++;
            i++;
        } else if (star < pattern->length) {
            at = star + 1;
            i = ++star_name;
        } else {
            return false;
        }
    }
    while (at < pattern->length && pattern->text[at] == '*') {
        at++;
    }
    return at == pattern->length;
}

bool pattern_matches(const struct pattern *pattern, const char *name, size_t length)
{
    /* Most names differ from most patterns in the first or last byte already. */
    if (length == 0 || (pattern->first != 0 && pattern->first != lower(name[0])) ||
        (pattern->last != 0 && pattern->last != lower(name[length - 1]))) {
        return false;
    }
    return matches(pattern, name, length);
}

enum match match_any(const struct pattern *patterns, size_t count, const char *name,
                     size_t length)
{
    enum match best = MATCH_NONE;
    for (size_t i = 0; i < count; i++) {
        bool open = best == MATCH_NONE || !patterns[i].alone;
        if (open && pattern_matches(&patterns[i], name, length)) {
            if (!patterns[i].alone) {
                return MATCH_DEEP;
            }
            best = MATCH_ALONE;
        }
    }
    return best;
}

bool name_is_not_ascii(const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (((unsigned char)name[i] & 0x80) != 0) {
            return true;
        }
    }
    return false;
}

bool name_has_control(const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)name[i];
        if (byte < 0x20 || byte == 0x7f) {
            return true;
        }
    }
    return false;
}
