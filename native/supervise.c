#include "supervise.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "clock.h"
#include "fds.h"
#include "treekill.h"

/* After the command's own end, processes that still hold its output (`> >(tee log)`) get this long
 * to finish writing before they are killed as leftovers. */
#define LINGER_MS 100u
#define MAX_WAIT (3600u * 1000000000ull)

enum {
    WAIT_MESSAGES,
    WAIT_REPLIES,
    WAIT_SIGNALS,
    WAIT_NOTES,
    WAIT_FAILURES,
    WAIT_KEYS,
    WAIT_WATCH,
    WAIT_STREAMS,
    WAIT_COUNT = WAIT_STREAMS + STREAMS
};

/* One run; static, so that its buffers cost nothing untouched. What it held outlives it. */
struct supervision supervised;

static void note_reaped(void *context, pid_t pid, int status)
{
    struct supervision *state = context;
    if (pid == state->run->guardian) {
        state->guardian_gone = true;
    } else if (pid == state->command) {
        ending_set_status(state, status);
    }
}

static void read_signals(struct supervision *state)
{
    struct signalfd_siginfo info;
    while (read(state->run->signals, &info, sizeof info) == (ssize_t)sizeof info) {
        if (info.ssi_signo != SIGCHLD) {
            ending_kill(state, state->ended ? CAUSE_OWN : CAUSE_CANCEL, info.ssi_signo);
            state->stop_draining = true;
        }
    }
    const struct treekill_reaper reaper = {note_reaped, state};
    treekill_reap(&reaper);
    if (state->guardian_gone && !state->dead) {
        ending_kill(state, CAUSE_GUARDIAN, 0);
    }
}

static void check_clocks(struct supervision *state)
{
    uint64_t now = clock_now();
    if (now >= state->timeout_at && !state->ended) {
        state->timeout_at = CLOCK_NEVER;
        ending_ask(state, CAUSE_TIMEOUT, 0, SIGTERM);
        now = clock_now();
    }
    if (now >= state->kill_at) {
        ending_kill(state, CAUSE_OWN, 0); /* the cause is known already */
    }
    if (now >= state->watchdog.next && !state->ended) {
        static const enum cause causes[] = {
            [WATCHDOG_MEMORY] = CAUSE_MEMORY,
            [WATCHDOG_TASKS] = CAUSE_TASKS,
            [WATCHDOG_ROOM] = CAUSE_ROOM,
        };
        enum watchdog_finding finding = watchdog_look(&state->watchdog);
        if (finding != WATCHDOG_FINE) {
            ending_kill(state, causes[finding], 0);
        }
    }
    if (now >= state->drain_until) {
        state->stop_draining = true;
    }
}

static uint64_t next_instant(const struct supervision *state)
{
    uint64_t until = state->kill_at < state->drain_until ? state->kill_at : state->drain_until;
    if (!state->ended) {
        until = state->timeout_at < until ? state->timeout_at : until;
        until = state->watchdog.next < until ? state->watchdog.next : until;
    }
    return until;
}

static void wait_for_events(struct supervision *state, struct pollfd *polls)
{
    struct run *run = state->run;
    polls[WAIT_MESSAGES] = (struct pollfd){.fd = state->in->fd, .events = POLLIN};
    polls[WAIT_REPLIES] =
        (struct pollfd){.fd = wire_pending(state->out) ? state->out->fd : -1, .events = POLLOUT};
    polls[WAIT_SIGNALS] = (struct pollfd){.fd = run->signals, .events = POLLIN};
    polls[WAIT_NOTES] = (struct pollfd){.fd = run->notes[0], .events = POLLIN};
    polls[WAIT_FAILURES] = (struct pollfd){.fd = run->failures[0], .events = POLLIN};
    terminal_poll(&run->terminal, &polls[WAIT_KEYS]);
    polls[WAIT_WATCH] = (struct pollfd){.fd = watch_wait(&state->watch), .events = POLLIN};
    bool work = outputs_poll(state, &polls[WAIT_STREAMS]) || watch_busy(&state->watch);
    uint64_t until = next_instant(state);
    uint64_t now = clock_now();
    uint64_t left = until > now && !work ? until - now : 0;
    left = left < MAX_WAIT ? left : MAX_WAIT;
    struct timespec timeout = {(time_t)(left / 1000000000u), (long)(left % 1000000000u)};
    if (ppoll(polls, WAIT_COUNT, &timeout, NULL) < 0) {
        for (int i = 0; i < WAIT_COUNT; i++) {
            polls[i].revents = 0;
        }
    }
}

/* The command has ended by itself: leftovers that hold its output may finish it, then they go. */
static void after_end(struct supervision *state)
{
    if (!state->ended || state->dead) {
        return;
    }
    /* As long as this is open, a terminal that the command has closed is not at its end. */
    fds_close(&state->run->terminal.slave);
    bool open = outputs_open_still(state);
    uint64_t linger_until = state->ended_at + LINGER_MS * 1000000u;
    if (!open || state->cause != CAUSE_OWN || clock_now() >= linger_until) {
        ending_kill(state, CAUSE_OWN, 0);
    } else {
        state->kill_at = linger_until < state->kill_at ? linger_until : state->kill_at;
    }
}

static bool finished(const struct supervision *state)
{
    const struct watch *watch = &state->watch;
    bool watched = watch_reached(watch, state->watch_end) && watch_answered(watch, watch_told(watch));
    return state->dead && (state->stop_draining || (outputs_done(state) && watched));
}

static void step(struct supervision *state)
{
    struct pollfd polls[WAIT_COUNT];
    bool had_ended = state->ended;
    wait_for_events(state, polls);
    if ((polls[WAIT_FAILURES].revents | polls[WAIT_NOTES].revents) != 0) {
        reports_read(state);
        if (state->failed) {
            ending_kill(state, CAUSE_OWN, 0);
        }
    }
    if (polls[WAIT_MESSAGES].revents != 0) {
        requests_read(state);
    }
    if (polls[WAIT_SIGNALS].revents != 0) {
        read_signals(state);
    }
    terminal_pump(&state->run->terminal, polls[WAIT_KEYS].revents);
    check_clocks(state);
    after_end(state);
    if (polls[WAIT_WATCH].revents != 0 || watch_busy(&state->watch)) {
        watch_work(&state->watch);
    }
    outputs_pump(state);
    if (!had_ended) {
        after_end(state); /* output that closed together with the command is not lingered for */
    }
}

static enum supervise_result run_to_end(struct supervision *state)
{
    struct run *run = state->run;
    outputs_open(state);
    watchdog_start(&state->watchdog, run->plan);
    requests_take(state); /* that came with RUN */
    while (!finished(state)) {
        step(state);
    }
    enum supervise_result result = ending_report(state);
    if (result != SUPERVISE_ENDED || !hold_pending(&state->hold)) {
        outputs_close(state);
    }
    run_close(run);
    return result;
}

enum supervise_result supervise(const struct plan *plan, struct wire_in *in, struct wire_out *out)
{
    struct supervision *state = &supervised;
    struct run run;
    struct failure failure;
    if (plan->watch_first) {
        watch_open(&state->watch, plan, out);
    }
    if ((plan->watch_first && !watch_all(&state->watch, &failure)) ||
        !run_start(&run, plan, &failure)) {
        wire_send_failure(out, &failure);
        return SUPERVISE_FAILED;
    }
    state->run = &run;
    state->in = in;
    state->out = out;
    state->command = state->broker = -1;
    state->started_at = clock_now();
    state->timeout_at = plan->timeout_ms > 0 ? clock_after(plan->timeout_ms) : CLOCK_NEVER;
    state->kill_at = state->drain_until = CLOCK_NEVER;
    hold_open(&state->hold, plan->watch_hold_bytes);
    state->passage = (struct passage){out, &state->watch, &state->hold};
    if (!plan->watch_first) {
        watch_open(&state->watch, plan, out); /* beside the command's start */
    }
    return run_to_end(state);
}
