#include "filter.h"

#include <stdbool.h>
#include <string.h>

#define ESCAPE 0x1b

void filter_start(struct filter *filter)
{
    memset(filter, 0, sizeof *filter);
}

/* Enough for any colour; what is longer is taken out. */
static void hold(struct filter *filter, uint8_t byte)
{
    if (filter->held_length < FILTER_HELD) {
        filter->held[filter->held_length++] = byte;
    }
}

static void begin(struct filter *filter, enum filter_state state, uint8_t byte)
{
    filter->state = state;
    filter->held_length = 0;
    hold(filter, byte);
}

static uint8_t *release(struct filter *filter, uint8_t *out)
{
    memcpy(out, filter->held, filter->held_length);
    filter->state = FILTER_TEXT;
    return out + filter->held_length;
}

static bool is_plain(uint8_t byte)
{
    return (byte >= 0x20 && byte < 0x7f) || byte == '\n' || byte == '\r' || byte == '\t' ||
           byte == '\b' || byte == '\a';
}

/* The first byte of a character of several. */
static uint8_t count_missing(uint8_t byte)
{
    return byte >= 0xc2 && byte < 0xe0 ? 1 : byte >= 0xe0 && byte < 0xf0 ? 2
                                         : byte >= 0xf0 && byte < 0xf5   ? 3
                                                                         : 0;
}

static uint8_t *take_text(struct filter *filter, uint8_t byte, uint8_t *out)
{
    if (byte == ESCAPE) {
        begin(filter, FILTER_ESCAPE, byte);
    } else if (count_missing(byte) > 0) {
        begin(filter, FILTER_CHARACTER, byte);
        filter->missing = count_missing(byte);
    } else if (is_plain(byte)) {
        *out++ = byte;
    }
    return out;
}

/* U+0080 to U+009F are control characters, also spelled in two bytes. */
static bool continues(const struct filter *filter, uint8_t byte)
{
    bool c1 = filter->held_length == 1 && filter->held[0] == 0xc2 && byte < 0xa0;
    return (byte & 0xc0) == 0x80 && !c1;
}

static void take_escape(struct filter *filter, uint8_t byte)
{
    if (byte == '[') {
        hold(filter, byte);
        filter->state = FILTER_CONTROL;
    } else if (strchr("]PX^_", byte) != NULL && byte != 0) {
        filter->state = FILTER_STRING;
    } else {
        filter->state = byte >= 0x20 && byte < 0x30 ? FILTER_INTERMEDIATE : FILTER_TEXT;
    }
}

/* Colours, erasing in the line, and moving in it; with plain numbers only. */
static bool is_harmless(const struct filter *filter, uint8_t last)
{
    for (size_t i = 2; i < filter->held_length; i++) {
        uint8_t byte = filter->held[i];
        if ((byte < '0' || byte > '9') && byte != ';' && byte != ':') {
            return false;
        }
    }
    return filter->held_length < FILTER_HELD && strchr("mKCDG", last) != NULL;
}

static uint8_t *take_control(struct filter *filter, uint8_t byte, uint8_t *out)
{
    if (byte < 0x40) {
        hold(filter, byte);
        return out;
    }
    filter->state = FILTER_TEXT;
    if (!is_harmless(filter, byte)) {
        return out;
    }
    hold(filter, byte);
    return release(filter, out);
}

/* One byte. A sequence that is broken off ends there: what follows passes as text or not at all, so
 * that no guess about a terminal's own ideas matters. */
static uint8_t *take(struct filter *filter, uint8_t byte, uint8_t *out)
{
    bool printable = byte >= 0x20 && byte < 0x7f;
    switch (filter->state) {
    case FILTER_TEXT:
        return take_text(filter, byte, out);
    case FILTER_CHARACTER:
        if (!continues(filter, byte)) {
            filter->state = FILTER_TEXT;
            return (byte & 0xc0) == 0x80 ? out : take_text(filter, byte, out);
        }
        hold(filter, byte);
        return --filter->missing == 0 ? release(filter, out) : out;
    case FILTER_STRING:
        if (byte == '\a' || byte == '\n' || byte == ESCAPE) {
            filter->state = FILTER_TEXT;
            return byte == '\a' ? out : take_text(filter, byte, out);
        }
        return out;
    case FILTER_ESCAPE:
    case FILTER_INTERMEDIATE:
    case FILTER_CONTROL:
        break;
    }
    if (!printable) {
        filter->state = FILTER_TEXT;
        return take_text(filter, byte, out);
    }
    if (filter->state == FILTER_CONTROL) {
        return take_control(filter, byte, out);
    }
    if (filter->state == FILTER_ESCAPE) {
        take_escape(filter, byte);
    } else {
        filter->state = byte < 0x30 ? FILTER_INTERMEDIATE : FILTER_TEXT;
    }
    return out;
}

size_t filter_run(struct filter *filter, const uint8_t *bytes, size_t length, uint8_t *out)
{
    uint8_t *at = out;
    for (size_t i = 0; i < length; i++) {
        at = take(filter, bytes[i], at);
    }
    return (size_t)(at - out);
}
