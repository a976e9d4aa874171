#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "fds.h"
#include "guardian.h"
#include "landlock.h"
#include "namespaces.h"
#include "paths.h"
#include "tree.h"
#include "treekill.h"
#include "uapi.h"

#define PIPE_SIZE (256 << 10)

/* Everything the plan names is opened and compared before anything is made or entered. */
static bool open_paths(struct run *run, struct failure *failure)
{
    const struct plan *plan = run->plan;
    int program = paths_open(&plan->program, failure);
    if (program < 0) {
        return false;
    }
    close(program); /* compared again just before execve, which takes a path */
    run->cwd = paths_open(&plan->cwd, failure);
    return run->cwd >= 0;
}

static bool open_for_broker(struct run *run, struct failure *failure)
{
    const struct plan *plan = run->plan;
    if (plan->broker == 0) {
        return true;
    }
    size_t count = plan->broker_place_count + plan->broker_socket_count + 1;
    run->broker_fds = malloc(count * sizeof *run->broker_fds);
    if (run->broker_fds == NULL) {
        return fail(failure, STAGE_MEMORY, ENOMEM, "broker");
    }
    for (size_t i = 0; i < count; i++) {
        run->broker_fds[i] = -1;
    }
    size_t next = 0;
    for (size_t i = 0; i < plan->broker_place_count; i++) {
        if ((run->broker_fds[next++] = paths_open(&plan->broker_places[i], failure)) < 0) {
            return false;
        }
    }
    if (run->scratch.folder >= 0) {
        run->broker_fds[next++] = fcntl(run->scratch.folder, F_DUPFD_CLOEXEC, 0);
    }
    run->broker_place_count = next;
    for (size_t i = 0; i < plan->broker_socket_count; i++) {
        if ((run->broker_fds[next++] = paths_open(&plan->broker_sockets[i], failure)) < 0) {
            return false;
        }
    }
    return true;
}

void run_close_broker(struct run *run)
{
    size_t count = run->broker_place_count + run->plan->broker_socket_count;
    for (size_t i = 0; run->broker_fds != NULL && i < count; i++) {
        fds_close(&run->broker_fds[i]);
    }
    free(run->broker_fds);
    run->broker_fds = NULL;
}

/* Leaves the caller's session, so that neither a signal to its process group nor its terminal
 * reaches the run. */
static bool own_session(struct failure *failure)
{
    if (setsid() < 0 && getsid(0) != getpid()) {
        return fail(failure, STAGE_SESSION, errno, "setsid");
    }
    return true;
}

static bool watch_signals(struct run *run, struct failure *failure)
{
    sigset_t all;
    sigfillset(&all);
    sigdelset(&all, SIGALRM); /* interrupts a write that blocks against expectation: relay.c */
    sigprocmask(SIG_BLOCK, &all, &run->signals_before);
    sigset_t watched;
    sigemptyset(&watched);
    sigaddset(&watched, SIGCHLD);
    sigaddset(&watched, SIGTERM);
    sigaddset(&watched, SIGINT);
    sigaddset(&watched, SIGHUP);
    sigaddset(&watched, SIGQUIT);
    run->signals = signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
    return run->signals >= 0 || fail(failure, STAGE_INTERNAL, errno, "signalfd");
}

static bool become_supervisor(struct run *run, struct failure *failure)
{
    /* Sweeping signals children, and waiting ends when none is left: only the run's may exist. */
    if (treekill_has_children()) {
        return fail(failure, STAGE_INTERNAL, ECHILD, "children before the run");
    }
    bool reads_proc = run->plan->tree_kill == TREE_KILL_SWEEP || run->plan->has_watchdog;
    if (reads_proc && !tree_visible()) {
        return fail(failure, STAGE_TREE_KILL, ENOENT, "/proc of this pid namespace");
    }
    if (!own_session(failure) || !watch_signals(run, failure)) {
        return false;
    }
    if (prctl(PLD_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0 || /* Linux 3.4 */
        prctl(PLD_PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) {
        return fail(failure, STAGE_INTERNAL, errno, "prctl");
    }
    return run->plan->tree_kill != TREE_KILL_SCOPE || treekill_enter_scope(failure);
}

static bool make_pipes(struct run *run, struct failure *failure)
{
    if (!fds_pipe(run->lifeline) || fcntl(run->lifeline[1], F_SETFL, O_NONBLOCK) != 0 || !fds_pipe(run->notes) ||
        !fds_pipe(run->failures) || !fds_pipe(run->output[0]) ||
        !fds_pipe(run->output[1])) {
        return fail(failure, STAGE_PIPES, errno, "pipe2");
    }
    /* Fewer switches between command and relay. Best effort: the user's share may be used up. */
    fcntl(run->output[0][1], PLD_F_SETPIPE_SZ, PIPE_SIZE);
    fcntl(run->output[1][1], PLD_F_SETPIPE_SZ, PIPE_SIZE);
    return true;
}

static bool fork_guardian(struct run *run, struct failure *failure)
{
    run->guardian = namespaces_fork(run->plan->namespaces);
    if (run->guardian < 0) {
        return fail(failure, run->plan->namespaces != 0 ? STAGE_NAMESPACES : STAGE_GUARDIAN, errno,
                    "fork");
    }
    if (run->guardian == 0) {
        guardian_main(run);
    }
    fds_close(&run->lifeline[0]);
    fds_close(&run->notes[1]);
    fds_close(&run->failures[1]);
    fds_close(&run->output[0][1]);
    fds_close(&run->output[1][1]);
    fds_close(&run->terminal.handover[1]);
    fds_close(&run->ruleset);
    fds_close(&run->cwd);
    run_close_broker(run);
    /* Whoever feeds stdin shall notice when the command closes it. */
    return fds_silence(0) || fail(failure, STAGE_DESCRIPTORS, errno, "/dev/null");
}

static bool build_ruleset(struct run *run, struct failure *failure)
{
    run->ruleset = landlock_build(run->plan, run->scratch.folder, failure);
    return run->ruleset != -1;
}

/*
 * The order matters: everything that can be wrong with the plan comes first; the scratch folder has
 * to exist before its Landlock rule; the signal domain is entered before the guardian is forked,
 * because both must be in it; the limits and the filter are the command's own and come last.
 */
bool run_start(struct run *run, const struct plan *plan, struct failure *failure)
{
    *run = (struct run){
        .plan = plan,
        .scratch = SCRATCH_NONE,
        .ruleset = -1,
        .cwd = -1,
        .signals = -1,
        .lifeline = {-1, -1},
        .notes = {-1, -1},
        .failures = {-1, -1},
        .output = {{-1, -1}, {-1, -1}},
        .guardian = -1,
        .uid = geteuid(),
        .gid = getegid(),
    };
    clock_gettime(CLOCK_REALTIME_COARSE, &run->started);
    sigprocmask(SIG_SETMASK, NULL, &run->signals_before);
    bool started = open_paths(run, failure) && terminal_open(&run->terminal, plan, failure) &&
                   scratch_make(&run->scratch, plan, failure) &&
                   open_for_broker(run, failure) &&
                   build_ruleset(run, failure) && become_supervisor(run, failure) &&
                   make_pipes(run, failure) && fork_guardian(run, failure);
    if (!started) {
        if (run->guardian <= 0) {
            scratch_remove(&run->scratch);
        } /* else the guardian does, as soon as the lifeline is closed */
        run_close(run);
    }
    return started;
}

void run_close(struct run *run)
{
    for (int end = 0; end < 2; end++) {
        fds_close(&run->lifeline[end]);
        fds_close(&run->notes[end]);
        fds_close(&run->failures[end]);
        fds_close(&run->output[0][end]);
        fds_close(&run->output[1][end]);
    }
    fds_close(&run->ruleset);
    fds_close(&run->cwd);
    fds_close(&run->signals);
    terminal_close(&run->terminal);
    run_close_broker(run);
    sigprocmask(SIG_SETMASK, &run->signals_before, NULL);
}
