#include "wire.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "records.h"

#define READ_BLOCK (64u << 10)

static bool make_room(struct wire_in *in, size_t wanted)
{
    if (in->start > 0) {
        memmove(in->buffer, in->buffer + in->start, in->end - in->start);
        in->end -= in->start;
        in->start = 0;
    }
    if (in->capacity - in->end >= wanted) {
        return true;
    }
    uint8_t *grown = realloc(in->buffer, in->end + wanted);
    if (grown == NULL) {
        return false;
    }
    in->buffer = grown;
    in->capacity = in->end + wanted;
    return true;
}

/* Bytes that the message at the front still lacks, so that a long one is read in few calls. */
static size_t missing(const struct wire_in *in)
{
    size_t have = in->end - in->start;
    if (have < WIRE_HEADER) {
        return READ_BLOCK;
    }
    struct cursor cursor = {in->buffer + in->start + 4, 4, false};
    size_t whole = WIRE_HEADER + (size_t)cursor_u32(&cursor);
    return whole > have && whole - have > READ_BLOCK ? whole - have : READ_BLOCK;
}

long wire_fill(struct wire_in *in)
{
    if (!make_room(in, missing(in))) {
        return -ENOMEM;
    }
    ssize_t got;
    do {
        got = read(in->fd, in->buffer + in->end, in->capacity - in->end);
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        return -errno;
    }
    in->end += (size_t)got;
    return got;
}

/* The lengths a message may have; this is checked before its payload is waited for. */
static bool header_valid(uint16_t type, uint16_t flags, uint32_t length)
{
    if (flags != 0) {
        return false;
    }
    switch (type) {
    case MESSAGE_HELLO:
    case MESSAGE_CANCEL:
    case MESSAGE_TERMINAL:
    case MESSAGE_RELEASE:
        return length == 4;
    case MESSAGE_JUDGED:
        return length == 8;
    case MESSAGE_WALK:
    case MESSAGE_RUN:
    case MESSAGE_CLEAR:
        return length <= WIRE_MAX_PAYLOAD;
    default:
        return false;
    }
}

enum wire_next wire_next(struct wire_in *in, struct message *message)
{
    if (in->end - in->start < WIRE_HEADER) {
        return WIRE_MORE;
    }
    struct cursor cursor = {in->buffer + in->start, WIRE_HEADER, false};
    uint16_t type = cursor_u16(&cursor);
    uint16_t flags = cursor_u16(&cursor);
    uint32_t length = cursor_u32(&cursor);
    if (!header_valid(type, flags, length)) {
        return WIRE_INVALID;
    }
    if (in->end - in->start - WIRE_HEADER < length) {
        return WIRE_MORE;
    }
    message->type = type;
    message->length = length;
    message->payload = in->buffer + in->start + WIRE_HEADER;
    in->start += WIRE_HEADER + length;
    return WIRE_MESSAGE;
}

size_t wire_room(const struct wire_out *out)
{
    size_t used = out->end - out->start;
    size_t left = WIRE_OUT_CAPACITY - used;
    return left > WIRE_HEADER ? left - WIRE_HEADER : 0;
}

bool wire_pending(const struct wire_out *out)
{
    return out->end > out->start;
}

static uint8_t *put_header(uint8_t *at, enum message_type type, size_t length)
{
    return put_u32(put_u32(at, (uint32_t)type), (uint32_t)length); /* the flags are zero */
}

bool wire_put(struct wire_out *out, enum message_type type, const void *head, size_t head_length,
              const void *tail, size_t tail_length)
{
    size_t length = head_length + tail_length;
    if (length > wire_room(out)) {
        return false;
    }
    if (WIRE_OUT_CAPACITY - out->end < WIRE_HEADER + length) {
        memmove(out->buffer, out->buffer + out->start, out->end - out->start);
        out->end -= out->start;
        out->start = 0;
    }
    uint8_t *at = put_header(out->buffer + out->end, type, length);
    memcpy(at, head, head_length);
    if (tail_length > 0) {
        memcpy(at + head_length, tail, tail_length);
    }
    out->end += WIRE_HEADER + length;
    return true;
}

int wire_flush(struct wire_out *out)
{
    while (out->end > out->start) {
        ssize_t wrote = write(out->fd, out->buffer + out->start, out->end - out->start);
        if (wrote < 0) {
            if (errno == EINTR) {
                continue;
            }
            return errno == EAGAIN ? 0 : -errno;
        }
        out->start += (size_t)wrote;
    }
    out->start = out->end = 0;
    return 0;
}

static int wait_writable(int fd)
{
    struct pollfd wait = {.fd = fd, .events = POLLOUT};
    return poll(&wait, 1, -1) < 0 && errno != EINTR ? -errno : 0;
}

int wire_flush_all(struct wire_out *out)
{
    for (;;) {
        int error = wire_flush(out);
        if (error != 0 || !wire_pending(out)) {
            return error;
        }
        error = wait_writable(out->fd);
        if (error != 0) {
            return error;
        }
    }
}

static int write_all(int fd, const uint8_t *bytes, size_t length)
{
    while (length > 0) {
        ssize_t wrote = write(fd, bytes, length);
        if (wrote >= 0) {
            bytes += wrote;
            length -= (size_t)wrote;
        } else if (errno == EAGAIN) {
            int error = wait_writable(fd);
            if (error != 0) {
                return error;
            }
        } else if (errno != EINTR) {
            return -errno;
        }
    }
    return 0;
}

int wire_send(struct wire_out *out, enum message_type type, const void *head, size_t head_length,
              const void *tail, size_t tail_length)
{
    if (wire_put(out, type, head, head_length, tail, tail_length)) {
        return 0;
    }
    int error = wire_flush_all(out);
    if (error != 0 || wire_put(out, type, head, head_length, tail, tail_length)) {
        return error;
    }
    uint8_t header[WIRE_HEADER];
    put_header(header, type, head_length + tail_length);
    error = write_all(out->fd, header, sizeof header);
    error = error != 0 ? error : write_all(out->fd, head, head_length);
    return error != 0 ? error : write_all(out->fd, tail, tail_length);
}

int wire_send_failure(struct wire_out *out, const struct failure *failure)
{
    uint8_t head[8];
    put_u32(put_u32(head, failure->stage), (uint32_t)failure->error);
    return wire_send(out, MESSAGE_FAILED, head, sizeof head, failure->detail,
                     strnlen(failure->detail, FAILURE_DETAIL));
}

uint8_t *put_u32(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        at[i] = (uint8_t)(value >> (8 * i));
    }
    return at + 4;
}

uint8_t *put_u64(uint8_t *at, uint64_t value)
{
    return put_u32(put_u32(at, (uint32_t)value), (uint32_t)(value >> 32));
}

uint8_t *put_status(uint8_t *at, const struct stat *status, int error)
{
    at = put_u32(at, status->st_mode);
    at = put_u32(at, (uint32_t)status->st_nlink);
    at = put_u64(at, status->st_dev);
    at = put_u64(at, status->st_ino);
    at = put_u64(at, (uint64_t)status->st_size);
    at = put_u64(at, (uint64_t)status->st_mtim.tv_sec);
    at = put_u32(at, (uint32_t)status->st_mtim.tv_nsec);
    at = put_u64(at, (uint64_t)status->st_ctim.tv_sec);
    at = put_u32(at, (uint32_t)status->st_ctim.tv_nsec);
    return put_u32(at, (uint32_t)error);
}
