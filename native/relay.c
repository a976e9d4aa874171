#include "relay.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "fds.h"
#include "passage.h"

#define ROUNDS 16

static void do_nothing(int signal)
{
    (void)signal;
}

/* A write that blocks all the same is interrupted ten times a second. */
static void set_alarm(long microseconds)
{
    struct sigaction action = {.sa_handler = do_nothing}; /* no SA_RESTART */
    struct itimerval interval = {{0, microseconds}, {0, microseconds}};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &interval, NULL);
}

/*
 * The caller's descriptors are shared with others (a shell, a pager), and O_NONBLOCK is a property
 * of what is shared. So: sockets have a flag per call; pipes and terminals are opened anew through
 * /proc, which gives a description of our own; regular files do not block. Where that fails (no
 * /proc, a pipe of another user) poll(2) promises room for PIPE_BUF bytes of a pipe as long as
 * nobody else writes, and an alarm ends the wait where somebody did.
 */
static void how_to_write(struct stream *stream, int fd)
{
    struct stat status;
    stream->out = fd;
    stream->own_out = false;
    stream->mode = WRITE_NONBLOCKING;
    if (fstat(fd, &status) != 0 || S_ISREG(status.st_mode)) {
        return;
    }
    if (S_ISSOCK(status.st_mode)) {
        stream->mode = WRITE_SOCKET;
        return;
    }
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    int own = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (own >= 0) {
        stream->out = own;
        stream->own_out = true;
        return;
    }
    stream->mode = WRITE_CAREFUL;
    set_alarm(100000);
}

void relay_open(struct stream *stream, int number, int out, const struct plan *plan)
{
    stream->number = (uint32_t)number;
    stream->in = -1;
    stream->copy_left = plan->copy_bytes;
    stream->relay_left = plan->relay_bytes;
    stream->limited = plan->relay_bytes > 0;
    stream->total = stream->withheld = 0;
    stream->state = STREAM_PASSED;
    stream->start = stream->end = 0;
    stream->filtered = (plan->terminal_flags & PLAN_TERMINAL_FILTER) != 0 && isatty(out);
    filter_start(&stream->filter);
    how_to_write(stream, out);
}

static ssize_t write_some(const struct stream *stream)
{
    const uint8_t *bytes = stream->buffer + stream->start;
    size_t length = stream->end - stream->start;
    if (stream->mode == WRITE_SOCKET) {
        return send(stream->out, bytes, length, MSG_DONTWAIT | MSG_NOSIGNAL);
    }
    if (stream->mode == WRITE_CAREFUL) {
        struct pollfd ready = {.fd = stream->out, .events = POLLOUT};
        if (poll(&ready, 1, 0) <= 0) {
            errno = EAGAIN;
            return -1;
        }
        length = length < PIPE_BUF ? length : PIPE_BUF;
    }
    return write(stream->out, bytes, length);
}

int relay_write(struct stream *stream)
{
    while (stream->start < stream->end) {
        ssize_t wrote = write_some(stream);
        if (wrote < 0 && (errno == EINTR || errno == EAGAIN)) {
            return EAGAIN;
        }
        if (wrote < 0) {
            stream->start = stream->end = 0;
            return errno;
        }
        stream->start += (size_t)wrote;
    }
    stream->start = stream->end = 0;
    return 0;
}

/* How much may be read now: what the copy still takes must fit into its queue. */
static size_t readable_size(const struct stream *stream, const struct wire_out *copy)
{
    size_t size = RELAY_BUFFER;
    if (stream->copy_left > 0) {
        size_t room = wire_room(copy);
        room = room > RELAY_COPY_HEADER ? room - RELAY_COPY_HEADER : 0;
        size = size < room ? size : room;
    }
    return size;
}

/* One read. 0: something came, EAGAIN: nothing now, ENODATA: the end, EDQUOT: the limit. */
static int read_some(struct stream *stream, const struct passage *passage)
{
    size_t size = readable_size(stream, passage->copy);
    if (size == 0) {
        return EAGAIN;
    }
    ssize_t got = read(stream->in, stream->buffer, size);
    if (got <= 0) {
        /* EIO: of a terminal that nobody has open any more, pty(7). */
        return got == 0 || errno == EIO ? ENODATA : errno == EINTR ? EAGAIN : errno;
    }
    stream->total += (uint64_t)got;
    stream->end = (size_t)got;
    bool over = stream->limited && (uint64_t)got > stream->relay_left;
    if (over) {
        stream->end = (size_t)stream->relay_left;
    }
    stream->relay_left -= stream->limited ? stream->end : 0;
    passage_enter(passage, stream);
    return over ? EDQUOT : 0;
}

enum relay_state relay_pump(struct stream *stream, const struct passage *passage, bool drain,
                            int *error)
{
    for (int round = 0; round < ROUNDS; round++) {
        int result = stream->state == STREAM_PASSED ? 0 : passage_leave(passage, stream);
        if (result == EDQUOT) {
            return RELAY_LIMIT;
        }
        result = result == 0 ? relay_write(stream) : result;
        if (result == EAGAIN) {
            return RELAY_GOING_ON;
        }
        if (result != 0) {
            *error = result;
            return result == EPIPE ? RELAY_NO_READER : RELAY_FAILED;
        }
        if (stream->in < 0) {
            return RELAY_GOING_ON;
        }
        result = read_some(stream, passage);
        if (result == EDQUOT) {
            return RELAY_LIMIT;
        }
        if (result == EAGAIN && (!drain || readable_size(stream, passage->copy) == 0)) {
            return RELAY_GOING_ON;
        }
        if (result != 0) {
            relay_stop_reading(stream);
        }
    }
    return RELAY_GOING_ON;
}

int relay_wait(const struct stream *stream, const struct passage *passage, short *events)
{
    if (stream->state != STREAM_PASSED) {
        return -1;
    }
    if (stream->start < stream->end) {
        *events = POLLOUT;
        return stream->out;
    }
    *events = POLLIN;
    return readable_size(stream, passage->copy) > 0 ? stream->in : -1;
}

bool relay_done(const struct stream *stream)
{
    return stream->in < 0 && stream->start == stream->end;
}

void relay_stop_reading(struct stream *stream)
{
    fds_close(&stream->in);
}

void relay_close(struct stream *stream)
{
    relay_stop_reading(stream);
    if (stream->own_out) {
        fds_close(&stream->out);
    }
    if (stream->mode == WRITE_CAREFUL) {
        set_alarm(0);
    }
}
