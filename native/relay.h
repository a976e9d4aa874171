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
#define RELAY_COPY_HEADER 4u

struct passage;

enum write_mode {
    WRITE_NONBLOCKING, /* a description of our own, or one that cannot block */
    WRITE_SOCKET,
    WRITE_CAREFUL, /* may block: small pieces, after asking, with an alarm running */
};

/* Of what is in a buffer: just read, waiting for answers, on its way out (passage.h). */
enum stream_state { STREAM_PASSED, STREAM_READ, STREAM_ASKED };

struct stream {
    uint32_t number; /* 1 or 2 */
    uint32_t index;  /* among the streams of the run */
    int in;          /* read end of the command's pipe; -1 when done with it */
    int out;
    bool own_out;
    enum write_mode mode;
    uint64_t copy_left, relay_left;
    bool limited; /* relay_left counts */
    bool filtered;
    struct filter filter;
    uint64_t total;
    enum stream_state state;
    uint64_t mark;     /* of the watch, when the buffer was filled */
    uint32_t asked;    /* what had been told when the watch came to the mark */
    uint64_t withheld; /* bytes that wait for the verdict */
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
enum relay_state relay_pump(struct stream *stream, const struct passage *passage, bool drain,
                            int *error);

/* Writes what is in the buffer. 0: all of it, EAGAIN: the reader has to read first, else the error,
 * and the rest is dropped. */
int relay_write(struct stream *stream);

/* What to poll: a descriptor and events, or -1 where something else has to happen first. */
int relay_wait(const struct stream *stream, const struct passage *passage, short *events);

/* Nothing left to read or to write. */
bool relay_done(const struct stream *stream);

/* The command's end is over, whatever is left in it. */
void relay_stop_reading(struct stream *stream);
void relay_close(struct stream *stream);

#endif
