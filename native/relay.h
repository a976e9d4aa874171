/*
 * One of the command's output streams on its way to the caller's descriptor, with the copy that
 * Paldron gets. Never waits for a reader: see how_to_write() in relay.c.
 */
#ifndef PALDRON_RELAY_H
#define PALDRON_RELAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filter.h"
#include "plan.h"
#include "wire.h"

#define RELAY_BUFFER (64u << 10)

enum write_mode {
    WRITE_NONBLOCKING, /* a description of our own, or one that cannot block */
    WRITE_SOCKET,
    WRITE_CAREFUL, /* may block: small pieces, after asking, with an alarm running */
};

struct stream {
    uint32_t number; /* 1 or 2 */
    int in;          /* read end of the command's pipe; -1 when done with it */
    int out;
    bool own_out;
    enum write_mode mode;
    uint64_t copy_left, relay_left;
    bool limited; /* relay_left counts */
    bool filtered;
    struct filter filter;
    uint64_t total;
    size_t start, end;
    uint8_t buffer[RELAY_BUFFER + FILTER_HELD];
};

enum relay_state { RELAY_GOING_ON, RELAY_NO_READER, RELAY_LIMIT, RELAY_FAILED };

/* `number` is what OUTPUT calls it, `out` the caller's descriptor. Where it reads from (`in`) is set
 * afterwards. */
void relay_open(struct stream *stream, int number, int out, const struct plan *plan);

/* Moves what can be moved without waiting. `drain`: nobody writes any more, so an empty pipe is the
 * end. RELAY_FAILED sets *error. After anything but RELAY_GOING_ON the caller stops reading; not
 * here, because the command would see SIGPIPE before it is killed. Bounded in time, so that clocks and signals get their turn. */
enum relay_state relay_pump(struct stream *stream, struct wire_out *copy, bool drain, int *error);

/* What to poll: a descriptor and events, or -1 where only room for the copy is missing. */
int relay_wait(const struct stream *stream, const struct wire_out *copy, short *events);

/* Nothing left to read or to write. */
bool relay_done(const struct stream *stream);

/* The command's end is over, whatever is left in it. */
void relay_stop_reading(struct stream *stream);
void relay_close(struct stream *stream);

#endif
