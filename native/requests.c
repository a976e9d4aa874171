#include <errno.h>

#include "records.h"
#include "supervise.h"

static void on_cancel(struct supervision *state, uint32_t signal)
{
    if (state->dead) {
        state->stop_draining = true;
    } else if (state->ended) {
        ending_kill(state, CAUSE_OWN, 0);
    } else if (signal == 0) {
        ending_kill(state, CAUSE_CANCEL, 0);
    } else {
        ending_ask(state, CAUSE_CANCEL, signal, (int)signal);
    }
}

static void bad_message(struct supervision *state, const char *detail)
{
    state->failed = true;
    fail(&state->failure, STAGE_WIRE, EPROTO, detail);
    ending_kill(state, CAUSE_OWN, 0);
    state->stop_draining = true;
}

void requests_caller_gone(struct supervision *state)
{
    state->caller_gone = true;
    ending_kill(state, CAUSE_OWN, 0);
    state->stop_draining = true;
}

void requests_take(struct supervision *state)
{
    struct message message;
    enum wire_next next;
    while ((next = wire_next(state->in, &message)) == WIRE_MESSAGE) {
        struct cursor payload = {message.payload, message.length, false};
        uint32_t word = cursor_u32(&payload);
        if (message.type == MESSAGE_TERMINAL && word >= 1 && word <= 3 &&
            state->run->plan->terminal_streams != 0) {
            jobs_event(state, word);
        } else if (message.type == MESSAGE_JUDGED) {
            if (!watch_answer(&state->watch, word, cursor_u32(&payload))) {
                bad_message(state, "JUDGED");
                return;
            }
        } else if (message.type == MESSAGE_CANCEL && word <= 64) {
            on_cancel(state, word);
        } else {
            bad_message(state, "message while a command runs");
            return;
        }
    }
    if (next == WIRE_INVALID) {
        bad_message(state, "message header");
    }
}

void requests_read(struct supervision *state)
{
    if (wire_fill(state->in) <= 0) {
        requests_caller_gone(state);
    } else {
        requests_take(state);
    }
}
