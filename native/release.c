#include <errno.h>
#include <poll.h>
#include <string.h>

#include "supervise.h"

/* Waits for the reader of the stream; false where the caller has said something, or is gone. */
static bool wait_for_reader(const struct supervision *state, const struct stream *stream)
{
    struct pollfd polls[2] = {
        {.fd = state->in->fd, .events = POLLIN},
        {.fd = stream->out, .events = POLLOUT},
    };
    while (poll(polls, 2, -1) < 0) {
        if (errno != EINTR) {
            return false;
        }
    }
    return polls[0].revents == 0;
}

/* 0 or an errno. A reader that is gone is none. */
static int show_chunk(const struct supervision *state, struct stream *stream)
{
    for (;;) {
        int error = relay_write(stream);
        if (error == 0 || error == EPIPE) {
            return 0;
        }
        if (error != EAGAIN) {
            return error;
        }
        if (!wait_for_reader(state, stream)) {
            return ECANCELED;
        }
    }
}

static int show_all(struct supervision *state)
{
    static uint8_t chunk[RELAY_BUFFER + FILTER_HELD];
    for (;;) {
        uint32_t index;
        size_t length = hold_take(&state->hold, &index, chunk, sizeof chunk);
        if (length == 0) {
            return 0;
        }
        struct stream *stream = &state->streams[index];
        memcpy(stream->buffer, chunk, length);
        stream->start = 0;
        stream->end = length;
        int error = show_chunk(state, stream);
        if (error != 0) {
            return error;
        }
    }
}

void release_held(struct wire_out *out, bool show)
{
    struct supervision *state = &supervised;
    uint8_t head[4];
    int error = show && hold_pending(&state->hold) ? show_all(state) : 0;
    hold_drop(&state->hold);
    outputs_close(state);
    put_u32(head, (uint32_t)error);
    wire_send(out, MESSAGE_RELEASED, head, sizeof head, NULL, 0);
}
