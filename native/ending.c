#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "clock.h"
#include "supervise.h"
#include "treekill.h"

/* How long output may still flow to a reader after a run that was stopped. */
#define DRAIN_MS 1000u

static void set_cause(struct supervision *state, enum cause cause, uint32_t detail)
{
    if (state->cause == CAUSE_OWN) {
        state->cause = cause;
        state->cause_detail = detail;
    }
}

void ending_set_status(struct supervision *state, int status)
{
    if (!state->ended) {
        state->ended = true;
        state->status = status;
        state->ended_at = clock_now();
    }
}

void ending_ask(struct supervision *state, enum cause cause, uint32_t detail, int signal)
{
    set_cause(state, cause, detail);
    /* The guardian does it: only the parent knows that the number is still the command's. A stopped
     * process acts on the signal once it is continued. */
    uint8_t signals[2] = {(uint8_t)signal, SIGCONT};
    ssize_t wrote = write(state->run->lifeline[1], signals, sizeof signals);
    uint64_t kill_at = wrote == (ssize_t)sizeof signals
                           ? clock_after(state->run->plan->grace_ms)
                           : clock_now();
    state->kill_at = kill_at < state->kill_at ? kill_at : state->kill_at;
}

static void reaped(void *context, pid_t pid, int status)
{
    struct supervision *state = context;
    if (pid == state->run->guardian || pid == state->broker) {
        return;
    }
    if (pid == state->command) {
        ending_set_status(state, status);
    } else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
        state->leftovers++;
    }
}

/* In a pid namespace they are reaped inside and die together, so they are counted before. */
static uint32_t count_leftovers(const struct supervision *state)
{
    uint32_t living = tree_count_living(state->run->guardian);
    uint32_t command = state->ended || living == 0 ? 0 : 1;
    return living - command;
}

void ending_kill(struct supervision *state, enum cause cause, uint32_t detail)
{
    set_cause(state, cause, detail);
    if (state->dead) {
        return;
    }
    reports_read(state); /* whose status is the command's has to be known before it is reaped */
    bool namespace = state->run->plan->tree_kill == TREE_KILL_NAMESPACE;
    if (namespace) {
        state->leftovers = count_leftovers(state);
    }
    if (state->caller_gone) {
        /* Whoever killed the caller may kill this process next, and the guardian, which would do it
         * then, ends with the tree. */
        terminal_detach(&state->run->terminal);
    }
    const struct treekill_reaper reaper = {reaped, state};
    if (!treekill_all(state->run->plan->tree_kill, &reaper)) {
        state->failed = true;
        fail(&state->failure, STAGE_INTERNAL, EBUSY, "processes that cannot be killed");
    }
    reports_read(state);
    if (namespace && state->announced && !state->ended) {
        ending_set_status(state, SIGKILL); /* it died with process 1, which could not tell */
    }
    state->dead = true;
    watch_tree_dead(&state->watch);
    state->watch_end = watch_mark(&state->watch);
    int error = scratch_remove(&state->run->scratch);
    if (error != 0 && !state->failed) {
        state->failed = true;
        fail(&state->failure, STAGE_SCRATCH, error, "could not be removed");
    }
    state->timeout_at = state->kill_at = CLOCK_NEVER;
    watchdog_stop(&state->watchdog);
    if (state->cause != CAUSE_OWN) {
        state->drain_until = clock_after(DRAIN_MS);
    }
}

static uint64_t microseconds(struct timeval time)
{
    return (uint64_t)time.tv_sec * 1000000u + (uint64_t)time.tv_usec;
}

static void send_ended(struct supervision *state)
{
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    bool exited = WIFEXITED(state->status);
    uint8_t head[88];
    uint8_t *at = put_u32(head, exited ? 1 : 2);
    at = put_u32(at, (uint32_t)(exited ? WEXITSTATUS(state->status) : WTERMSIG(state->status)));
    at = put_u32(at, !exited && WCOREDUMP(state->status) ? 1 : 0);
    at = put_u32(at, (uint32_t)state->cause);
    at = put_u32(at, state->cause_detail);
    at = put_u32(at, state->leftovers);
    at = put_u64(at, microseconds(usage.ru_utime));
    at = put_u64(at, microseconds(usage.ru_stime));
    at = put_u64(at, (uint64_t)usage.ru_maxrss);
    at = put_u64(at, (state->ended_at - state->started_at) / 1000u);
    at = put_u64(at, state->streams[0].total);
    at = put_u64(at, state->streams[1].total);
    at = put_u64(at, state->streams[0].withheld);
    put_u64(at, state->streams[1].withheld);
    wire_send(state->out, MESSAGE_ENDED, head, sizeof head, NULL, 0);
}

enum supervise_result ending_report(struct supervision *state)
{
    if (state->caller_gone) {
        return SUPERVISE_GONE;
    }
    bool stopped = state->cause == CAUSE_TIMEOUT || state->cause == CAUSE_CANCEL;
    if (!state->ended && stopped) {
        ending_set_status(state, SIGKILL); /* before its number was known */
    }
    if (!state->failed && !(state->ended && (state->announced || stopped))) {
        state->failed = true;
        fail(&state->failure, STAGE_GUARDIAN, ESRCH, "the command's status is not known");
    }
    if (state->failed) {
        wire_send_failure(state->out, &state->failure);
        return SUPERVISE_FAILED;
    }
    send_ended(state);
    return SUPERVISE_ENDED;
}
