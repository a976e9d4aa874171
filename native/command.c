#include "command.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "fds.h"
#include "landlock.h"
#include "limits.h"
#include "paths.h"
#include "privileges.h"
#include "seccomp.h"
#include "uapi.h"

/* The guardian's death is seen by the supervisor as well; this only makes it quicker. */
static bool die_with(pid_t parent, struct failure *failure)
{
    if (prctl(PLD_PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) {
        return fail(failure, STAGE_SESSION, errno, "parent death signal");
    }
    return getppid() == parent || fail(failure, STAGE_GUARDIAN, ESRCH, "guardian is gone");
}

static bool own_session(const struct run *run, struct failure *failure)
{
    if (run->terminal.streams != 0) {
        return pty_enter(&run->terminal, failure);
    }
    return setsid() >= 0 || fail(failure, STAGE_SESSION, errno, "setsid");
}

static bool connect_output(const struct run *run, struct failure *failure)
{
    for (int fd = 1; fd <= 2; fd++) {
        bool terminal = (run->terminal.streams >> fd & 1) != 0;
        if (!terminal && dup2(run->output[fd - 1][1], fd) != fd) {
            return fail(failure, STAGE_DESCRIPTORS, errno, "dup2");
        }
    }
    return true;
}

/* The files in /proc of a process that is not dumpable belong to root. The flag goes with the
 * memory, so it is the guardian's as well and is taken back; execve sets it for the command. */
static bool set_oom_score(const struct plan *plan, struct failure *failure)
{
    /* In a new root it was set before /proc became read-only there, and is inherited. */
    if (!plan->has_oom_score || plan->namespaces != 0) {
        return true;
    }
    if (prctl(PLD_PR_SET_DUMPABLE, 1, 0, 0, 0) != 0) {
        return fail(failure, STAGE_LIMITS, errno, "dumpable");
    }
    bool done = limits_oom_score(plan, failure);
    if (prctl(PLD_PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) {
        return fail(failure, STAGE_LIMITS, errno, "dumpable");
    }
    return done;
}

static bool change_folder(const struct run *run, struct failure *failure)
{
    /* In a new root it is the folder of the parent: the descriptor leads to the old one. */
    return run->plan->namespaces != 0 || fchdir(run->cwd) == 0 || fail(failure, STAGE_CWD, errno, run->plan->cwd.path);
}

static bool enter_domain(const struct run *run, struct failure *failure)
{
    return !run->plan->has_landlock ||
           landlock_enter(run->ruleset, run->plan->restrict_flags, failure);
}

static bool check_program(const struct plan *plan, struct failure *failure)
{
    int error = paths_compare(plan->exec, &plan->program);
    return error == 0 || fail(failure, STAGE_PATH, error, plan->exec);
}

static bool reset_signals(void)
{
    struct sigaction standard = {.sa_handler = SIG_DFL};
    for (int signal = 1; signal < NSIG; signal++) {
        sigaction(signal, &standard, NULL); /* fails for KILL, STOP and libc's own two */
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    return true;
}

static void replace(const struct run *run, struct failure *failure)
{
    execve(run->plan->exec, run->plan->argv, run->plan->env);
    fail(failure, STAGE_EXEC, errno, run->plan->exec);
}

struct start {
    const struct run *run;
    pid_t parent;
    int listener;
};

/* Shares the guardian's memory and descriptors: writes to nothing but its own stack and the listener,
 * and closes nothing. */
static int command_main(void *argument)
{
    struct start *start = argument;
    const struct run *run = start->run;
    const struct plan *plan = run->plan;
    struct failure failure;
    /* INVARIANT: limits after everything that opens or allocates, a listener included; the filter
     * after everything that it could refuse, which setting one's own limits is not. Any failure ends
     * the process: nothing is undone, nothing is tried again. */
    bool ready = die_with(start->parent, &failure) && own_session(run, &failure) &&
                 connect_output(run, &failure) && set_oom_score(plan, &failure) &&
                 change_folder(run, &failure) &&
                 (!plan->drop_privileges || privileges_drop(&failure)) &&
                 enter_domain(run, &failure) && check_program(plan, &failure) &&
                 (fds_close_on_exec(3) || fail(&failure, STAGE_DESCRIPTORS, errno, "close_range")) &&
                 reset_signals() && seccomp_load(plan, &start->listener, &failure) &&
                 limits_apply(plan, &failure);
    if (ready) {
        replace(run, &failure);
    }
    ssize_t wrote = write(run->failures[1], &failure, sizeof failure);
    return wrote == (ssize_t)sizeof failure ? 127 : 126; /* clone(2): ends the process */
}

/*
 * clone(2) as vfork(2) does it, on a stack of its own: copying the memory of a process that only
 * calls execve costs more than everything else between here and there. Signal dispositions,
 * credentials, limits and domains are the child's own; memory, and with it errno and the dumpable
 * flag, is shared while the guardian is held. So is the table of descriptors, which is how the
 * guardian gets the listener; execve gives the command a copy, without what is close-on-exec.
 */
pid_t command_start(const struct run *run, int *listener)
{
    static _Alignas(16) char stack[64 << 10];
    struct start start = {run, getpid(), -1};
    int flags = CLONE_VM | CLONE_VFORK | CLONE_FILES | SIGCHLD;
    pid_t command = clone(command_main, stack + sizeof stack, flags, &start);
    *listener = start.listener;
    return command;
}
