#include <fcntl.h>
#include <unistd.h>

#include "fds.h"
#include "supervise.h"

/* Whatever the command prints on its terminal is one stream. It goes where the command's stdout
 * would, else its stderr, else to the terminal that is only its stdin. */
static struct stream *terminal_stream(struct supervision *state)
{
    uint32_t streams = state->run->terminal.streams;
    return &state->streams[(streams & 2) != 0 ? 0 : (streams & 4) != 0 ? 1 : 2];
}

/* A terminal that was opened only to be read shows nothing. */
static int shown_on(const struct run *run)
{
    int outer = run->terminal.outer;
    bool writable = (fcntl(outer, F_GETFL) & O_ACCMODE) != O_RDONLY;
    return writable && (run->plan->terminal_flags & PLAN_TERMINAL_SHOWN) != 0 ? outer : 2;
}

void outputs_open(struct supervision *state)
{
    struct run *run = state->run;
    for (int i = 0; i < STREAMS; i++) {
        struct stream *stream = &state->streams[i];
        stream->in = -1;
        stream->index = (uint32_t)i;
        bool piped = i < 2 && (run->terminal.streams >> (i + 1) & 1) == 0;
        if (piped || (run->terminal.streams != 0 && stream == terminal_stream(state))) {
            int number = i == 0 ? 1 : 2;
            relay_open(stream, number, i == 2 ? shown_on(run) : number, run->plan);
        }
        if (piped) {
            stream->in = run->output[i][0];
            run->output[i][0] = -1;
        }
    }
}

void outputs_receive(struct supervision *state)
{
    struct terminal *terminal = &state->run->terminal;
    if (terminal_receive(terminal)) {
        /* Of its own, since the stream closes it before the keys end. */
        terminal_stream(state)->in = fcntl(terminal->master, F_DUPFD_CLOEXEC, FD_FIRST_OWN);
    }
}

void outputs_pump(struct supervision *state)
{
    bool may = state->announced || state->dead; /* STARTED comes before OUTPUT */
    for (int i = 0; may && i < STREAMS; i++) {
        struct stream *stream = &state->streams[i];
        int error = 0;
        enum relay_state result = relay_pump(stream, &state->passage, state->dead, &error);
        if (result == RELAY_LIMIT) {
            ending_kill(state, CAUSE_RELAY_LIMIT, 0);
        } else if (result == RELAY_FAILED) {
            ending_kill(state, CAUSE_OUTPUT, (uint32_t)error);
        }
        if (result != RELAY_GOING_ON) {
            relay_stop_reading(stream);
        }
    }
    if (wire_flush(state->out) != 0) {
        requests_caller_gone(state);
    }
}

bool outputs_poll(const struct supervision *state, struct pollfd *polls)
{
    bool work = false;
    for (int i = 0; i < STREAMS; i++) {
        polls[i] = (struct pollfd){.fd = -1};
        if (state->announced || state->dead) {
            polls[i].fd = relay_wait(&state->streams[i], &state->passage, &polls[i].events);
            work = work || (state->dead && polls[i].fd >= 0 && polls[i].events == POLLIN) ||
                   passage_ready(&state->passage, &state->streams[i]);
        }
    }
    return work;
}

bool outputs_open_still(const struct supervision *state)
{
    bool open = false;
    for (int i = 0; i < STREAMS; i++) {
        open = open || state->streams[i].in >= 0;
    }
    return open;
}

bool outputs_done(const struct supervision *state)
{
    bool done = true;
    for (int i = 0; i < STREAMS; i++) {
        done = done && relay_done(&state->streams[i]);
    }
    return done;
}

void outputs_close(struct supervision *state)
{
    for (int i = 0; i < STREAMS; i++) {
        relay_close(&state->streams[i]);
    }
}
