#include <unistd.h>

#include "fds.h"
#include "supervise.h"

/* In a pid namespace the guardian knows the command by another number. */
static void note_command(struct supervision *state, const struct guardian_note *note)
{
    if (note->kind == NOTE_BROKER) {
        state->broker = note->process;
        return;
    }
    bool inside = state->run->plan->tree_kill == TREE_KILL_NAMESPACE;
    if (!inside || note->kind == NOTE_FORKED) {
        pid_t outside = inside ? tree_child_of(state->run->guardian) : 0;
        state->command = outside > 0 ? outside : note->process;
    }
}

static void read_notes(struct supervision *state)
{
    struct run *run = state->run;
    struct guardian_note note;
    ssize_t got = -1;
    while (run->notes[0] >= 0 &&
           (got = read(run->notes[0], &note, sizeof note)) == (ssize_t)sizeof note) {
        note_command(state, &note);
        if (note.kind == NOTE_STOPPED) {
            jobs_stopped(state, note.status);
        }
        if (note.kind == NOTE_ENDED) {
            ending_set_status(state, note.status);
        }
    }
    if (got == 0) {
        fds_close(&run->notes[0]);
    }
}

/* A whole failure, or the end of the pipe: every holder is gone or has become the command. */
static void read_failures(struct supervision *state)
{
    struct run *run = state->run;
    struct failure failure;
    ssize_t got = run->failures[0] < 0 ? -1 : read(run->failures[0], &failure, sizeof failure);
    if (got < 0) {
        return;
    }
    fds_close(&run->failures[0]);
    state->executed = got == 0;
    if (got == (ssize_t)sizeof failure && !state->failed) {
        failure.detail[FAILURE_DETAIL - 1] = '\0';
        state->failed = true;
        state->failure = failure;
    }
}

void reports_read(struct supervision *state)
{
    outputs_receive(state); /* first: it came before the command */
    read_failures(state);
    read_notes(state);
    if (!state->announced && state->executed && state->command > 0) {
        uint8_t head[4];
        put_u32(head, (uint32_t)state->command);
        /* The queue is empty: no output is read before this. */
        state->announced = wire_put(state->out, MESSAGE_STARTED, head, sizeof head, NULL, 0);
        jobs_started(state);
    }
}
