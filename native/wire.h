/*
 * The framing of docs/wire.md: messages in on one descriptor, messages out on another. Knows
 * nothing of what the messages mean.
 */
#ifndef PALDRON_WIRE_H
#define PALDRON_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "failure.h"

#define WIRE_VERSION 1u
#define WIRE_MAX_PAYLOAD (16u << 20)
#define WIRE_HEADER 8u

enum message_type {
    MESSAGE_HELLO = 1,
    MESSAGE_WALK = 2,
    MESSAGE_RUN = 3,
    MESSAGE_CANCEL = 4,
    MESSAGE_TERMINAL = 5,
    MESSAGE_JUDGED = 6,
    MESSAGE_RELEASE = 7,
    MESSAGE_CLEAR = 8,
    MESSAGE_READY = 17,
    MESSAGE_ENTRY = 18,
    MESSAGE_WALKED = 19,
    MESSAGE_FAILED = 20,
    MESSAGE_STARTED = 21,
    MESSAGE_OUTPUT = 22,
    MESSAGE_ENDED = 23,
    MESSAGE_STOPPED = 24,
    MESSAGE_SEEN = 25,
    MESSAGE_WATCHING = 26,
    MESSAGE_RELEASED = 27,
    MESSAGE_CLEARED = 28,
};

struct message {
    uint16_t type;
    uint32_t length;
    const uint8_t *payload; /* valid until the next wire_fill() */
};

struct wire_in {
    int fd;
    uint8_t *buffer;
    size_t capacity, start, end;
};

enum wire_next { WIRE_MORE, WIRE_MESSAGE, WIRE_INVALID };

/* Reads what is there, once. Blocks if nothing is (poll first). Returns bytes, 0 at the end of the
 * stream, or -errno. Memory grows to one message, never beyond WIRE_MAX_PAYLOAD and a block. */
long wire_fill(struct wire_in *in);

/* Takes the next whole message out of the buffer. WIRE_INVALID: unknown type, flags, or length. */
enum wire_next wire_next(struct wire_in *in, struct message *message);

#define WIRE_OUT_CAPACITY (256u << 10)

/* A bounded queue in front of a non-blocking descriptor. */
struct wire_out {
    int fd;
    size_t start, end;
    uint8_t buffer[WIRE_OUT_CAPACITY];
};

/* Payload bytes that wire_put() would still take. */
size_t wire_room(const struct wire_out *out);
bool wire_pending(const struct wire_out *out);

/* Queues one message made of two parts; false (and nothing queued) where there is no room. */
bool wire_put(struct wire_out *out, enum message_type type, const void *head, size_t head_length,
              const void *tail, size_t tail_length);

/* Writes what the descriptor takes now. 0, or -errno; "would block" is not an error. */
int wire_flush(struct wire_out *out);

/* Writes everything, waiting for the reader. 0 or -errno. */
int wire_flush_all(struct wire_out *out);

/* As wire_put(), waiting for room; a message larger than the queue is written in pieces. */
int wire_send(struct wire_out *out, enum message_type type, const void *head, size_t head_length,
              const void *tail, size_t tail_length);

int wire_send_failure(struct wire_out *out, const struct failure *failure);

/* Little-endian stores; both return the place after what they wrote. */
uint8_t *put_u32(uint8_t *at, uint32_t value);
uint8_t *put_u64(uint8_t *at, uint64_t value);
/* What ENTRY and SEEN say of a file, from its mode to the errno. */
uint8_t *put_status(uint8_t *at, const struct stat *status, int error);

#endif
