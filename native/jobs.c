#include <signal.h>
#include <unistd.h>

#include "supervise.h"

/* The word of TERMINAL (docs/wire.md). */
enum terminal_event { EVENT_RESIZED = 1, EVENT_CONTINUED = 2, EVENT_STOP = 3 };

static void order(const struct supervision *state, const uint8_t *orders, size_t count)
{
    /* Does not block, and may find the guardian gone, which is noticed elsewhere. */
    if (write(state->run->lifeline[1], orders, count) < 0) {
        return;
    }
}

static void go_on(struct supervision *state)
{
    struct terminal *terminal = &state->run->terminal;
    bool attached = terminal_attach(terminal);
    terminal->foreground = terminal->foreground || attached;
    state->stop_told = false;
    const uint8_t orders[2] = {attached ? LIFELINE_FOREGROUND : LIFELINE_BACKGROUND, SIGCONT};
    order(state, orders, sizeof orders);
}

void jobs_started(struct supervision *state)
{
    if (state->run->terminal.foreground && !state->caller_gone) {
        terminal_attach(&state->run->terminal);
    }
}

/* In the background of its own terminal the command is stopped when it reads from it. Where the
 * caller has the foreground of the real one, that only means that it wants the keys now. */
void jobs_stopped(struct supervision *state, int signal)
{
    if (state->ended || state->dead) {
        return;
    }
    if ((signal == SIGTTIN || signal == SIGTTOU) && terminal_attach(&state->run->terminal)) {
        go_on(state);
        return;
    }
    terminal_detach(&state->run->terminal);
    uint8_t head[4];
    put_u32(head, (uint32_t)signal);
    if (!state->stop_told) {
        state->stop_told = wire_put(state->out, MESSAGE_STOPPED, head, sizeof head, NULL, 0);
    }
}

void jobs_event(struct supervision *state, uint32_t event)
{
    if (state->dead) {
        return;
    }
    if (event == EVENT_RESIZED) {
        terminal_resize(&state->run->terminal);
    } else if (event == EVENT_STOP) {
        const uint8_t stop = SIGTSTP;
        order(state, &stop, 1);
    } else if (state->stop_told) {
        go_on(state);
    } else if (state->announced) {
        jobs_started(state); /* only the caller was stopped */
    }
}
