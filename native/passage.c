#include "passage.h"

#include <errno.h>
#include <string.h>

static size_t copied_length(const struct stream *stream)
{
    return stream->end < stream->copy_left ? stream->end : (size_t)stream->copy_left;
}

/* False: the queue has no room now. */
static bool send_copy(struct stream *stream, struct wire_out *copy)
{
    size_t length = copied_length(stream);
    if (length == 0) {
        return true;
    }
    uint8_t head[RELAY_COPY_HEADER];
    put_u32(head, stream->number);
    if (!wire_put(copy, MESSAGE_OUTPUT, head, sizeof head, stream->buffer, length)) {
        return false;
    }
    stream->copy_left -= length;
    return true;
}

void passage_enter(const struct passage *passage, struct stream *stream)
{
    stream->mark = watch_mark(passage->watch);
    stream->state = STREAM_READ;
}

int passage_leave(const struct passage *passage, struct stream *stream)
{
    const struct watch *watch = passage->watch;
    if (stream->state == STREAM_READ && watch_reached(watch, stream->mark)) {
        stream->asked = watch_told(watch);
        stream->state = STREAM_ASKED;
    }
    if (stream->state != STREAM_ASKED || !watch_answered(watch, stream->asked) ||
        !send_copy(stream, passage->copy)) {
        return EAGAIN;
    }
    stream->state = STREAM_PASSED;
    bool refused = watch_refused(watch, stream->asked);
    stream->withheld += refused ? stream->end : 0;
    if (stream->filtered) {
        static uint8_t unfiltered[RELAY_BUFFER];
        memcpy(unfiltered, stream->buffer, stream->end);
        stream->end = filter_run(&stream->filter, unfiltered, stream->end, stream->buffer);
    }
    if (!refused || !watch_holds(watch) || stream->end == 0) {
        return 0;
    }
    size_t length = stream->end;
    stream->end = 0;
    return hold_put(passage->hold, stream->index, stream->buffer, length) ? 0 : EDQUOT;
}

bool passage_ready(const struct passage *passage, const struct stream *stream)
{
    const struct watch *watch = passage->watch;
    if (stream->state == STREAM_READ) {
        return watch_reached(watch, stream->mark);
    }
    size_t length = copied_length(stream);
    return stream->state == STREAM_ASKED && watch_answered(watch, stream->asked) &&
           (length == 0 || wire_room(passage->copy) >= RELAY_COPY_HEADER + length);
}
