#include "guardian.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "broker.h"
#include "command.h"
#include "fds.h"
#include "namespaces.h"
#include "treekill.h"
#include "uapi.h"

#define REAP_ROUNDS 64

static void tell(const struct run *run, enum guardian_note_kind kind, pid_t process, int status)
{
    struct guardian_note note;
    memset(&note, 0, sizeof note);
    note.kind = kind;
    note.process = process;
    note.status = status;
    struct pollfd room = {.fd = run->notes[1], .events = POLLOUT};
    if (kind == NOTE_STOPPED && poll(&room, 1, 0) <= 0) {
        return; /* a command that stops and goes on all the time */
    }
    /* A note is smaller than PIPE_BUF, and there are three more of them: it cannot block for long.
     * Where the supervisor is gone, the lifeline says so. */
    if (write(run->notes[1], &note, sizeof note) != (ssize_t)sizeof note) {
        return;
    }
}

void guardian_drop_descriptors(struct run *run)
{
    fds_close(&run->terminal.slave);
    fds_close(&run->failures[1]);
    fds_close(&run->output[0][1]);
    fds_close(&run->output[1][1]);
    fds_close(&run->ruleset);
    fds_close(&run->cwd);
    for (int fd = 0; fd <= FD_MESSAGES_OUT; fd++) {
        if (!fds_silence(fd)) {
            close(fd);
        }
    }
}

static void ignore_reaped(void *context, pid_t pid, int status)
{
    (void)context;
    (void)pid;
    (void)status;
}
static const struct treekill_reaper nobody = {ignore_reaped, NULL};

/* Nothing more can be done where something cannot be killed; going on to try does no harm. */
static _Noreturn void end_everything(struct run *run)
{
    /* A pid namespace ends with its process 1, which this is then. */
    while (run->plan->tree_kill != TREE_KILL_NAMESPACE &&
           !treekill_all(run->plan->tree_kill, &nobody)) {
    }
    scratch_remove(&run->scratch);
    if (run->terminal.streams != 0) {
        terminal_restore(&run->terminal);
    }
    _exit(0);
}

/* Who reads from the terminal and is not in its foreground is stopped. */
static void pass_terminal_on(const struct run *run, pid_t command, uint8_t order)
{
    if (run->terminal.streams != 0 && command > 1) {
        pty_set_foreground(&run->terminal, order == LIFELINE_FOREGROUND ? command : getpgrp());
    }
}

/* Signals the command's process group; the number cannot be another's before it is reaped. */
static void pass_on(pid_t command, int signal)
{
    if (command > 1 && signal > 0 && kill(-command, signal) != 0 && errno == ESRCH) {
        kill(command, signal); /* it has not made its session yet */
    }
}

static void read_lifeline(struct run *run, pid_t command)
{
    uint8_t signals[16];
    for (;;) {
        ssize_t got = read(run->lifeline[0], signals, sizeof signals);
        if (got == 0) {
            end_everything(run);
        }
        if (got < 0) {
            return;
        }
        for (ssize_t i = 0; i < got; i++) {
            if (signals[i] >= LIFELINE_FOREGROUND) {
                pass_terminal_on(run, command, signals[i]);
            } else {
                pass_on(command, signals[i]);
            }
        }
    }
}

/* A child can make its parent its tracer (PTRACE_TRACEME) and stops then at every signal: that is
 * no end. It is let go and gets its signal; SIGTRAP is what a stop without one shows. On a terminal
 * a command that was really stopped is reported, so that the caller stops as well. */
static bool is_stopped(const struct run *run, const siginfo_t *info, pid_t command)
{
    if (info->si_code != CLD_TRAPPED && info->si_code != CLD_STOPPED) {
        return false;
    }
    long signal = info->si_status == SIGTRAP ? 0 : info->si_status & 0x7f;
    if (ptrace(PTRACE_DETACH, info->si_pid, NULL, signal) != 0) {
        siginfo_t taken = {.si_pid = 0};
        waitid(P_PID, (id_t)info->si_pid, &taken, WSTOPPED | WNOHANG | __WALL);
        if (taken.si_pid == command) {
            tell(run, NOTE_STOPPED, command, taken.si_status);
        }
    }
    return true;
}

/* Reaps what has ended. The command is reported before it is reaped, so that its status is known
 * to whoever reaps it even if the guardian dies in between; its pid becomes -1. False where there
 * may be more: a tree that dies or stops without end must not keep the lifeline from being read. */
static bool reap(struct run *run, pid_t *command)
{
    siginfo_t info;
    int events = WEXITED | (run->terminal.streams != 0 ? WSTOPPED : 0);
    for (int round = 0; round < REAP_ROUNDS; round++) {
        info.si_pid = 0;
        if (waitid(P_ALL, 0, &info, events | WNOHANG | WNOWAIT | __WALL) != 0 ||
            info.si_pid == 0) {
            return true;
        }
        if (is_stopped(run, &info, *command)) {
            continue;
        }
        int status = 0;
        if (info.si_pid == *command) {
            status = info.si_code == CLD_EXITED ? (info.si_status & 0xff) << 8 : info.si_status;
            status |= info.si_code == CLD_DUMPED ? 0x80 : 0;
            tell(run, NOTE_ENDED, *command, status);
            *command = -1;
        }
        waitpid(info.si_pid, &status, WNOHANG | __WALL);
    }
    return false;
}

static _Noreturn void watch(struct run *run, pid_t command)
{
    struct pollfd waits[2] = {{.fd = run->lifeline[0], .events = POLLIN},
                              {.fd = run->signals, .events = POLLIN}};
    bool all_reaped = true;
    if (run->terminal.streams != 0) {
        /* From here on the lifeline says that the supervisor is gone; the terminal is to be
         * restored then. */
        prctl(PLD_PR_SET_PDEATHSIG, 0, 0, 0, 0);
    }
    for (;;) {
        poll(waits, 2, all_reaped ? -1 : 0);
        struct signalfd_siginfo ignored;
        while (read(run->signals, &ignored, sizeof ignored) > 0) {
        }
        all_reaped = reap(run, &command);
        read_lifeline(run, command);
    }
}

static _Noreturn void give_up(const struct run *run, const struct failure *failure)
{
    ssize_t wrote = write(run->failures[1], failure, sizeof *failure);
    _exit(wrote == (ssize_t)sizeof *failure ? 1 : 2);
}

/* The command may run already; what it hands over waits until there is somebody to answer. */
static void start_broker(struct run *run, int listener)
{
    struct failure failure;
    pid_t broker = broker_start(run, listener, &failure);
    if (broker < 0) {
        give_up(run, &failure);
    }
    if (broker > 0) {
        tell(run, NOTE_BROKER, broker, 0);
    }
}

_Noreturn void guardian_main(struct run *run)
{
    struct failure failure;
    fds_close(&run->lifeline[1]);
    fds_close(&run->notes[0]);
    fds_close(&run->failures[0]);
    fds_close(&run->output[0][0]);
    fds_close(&run->output[1][0]);
    fds_close(&run->terminal.handover[0]);
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    if (setsid() < 0 || prctl(PLD_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0) {
        fail(&failure, STAGE_GUARDIAN, errno, "session");
        give_up(run, &failure);
    }
    if (run->plan->namespaces != 0 && !namespaces_settle(run, &failure)) {
        give_up(run, &failure);
    }
    if (!pty_make(&run->terminal, &failure)) {
        give_up(run, &failure);
    }
    if (!broker_prepare(run->plan, &failure)) {
        give_up(run, &failure);
    }
    int listener;
    pid_t command = command_start(run, &listener);
    if (command < 0) {
        fail(&failure, STAGE_FORK, errno, "clone");
        give_up(run, &failure);
    }
    tell(run, NOTE_FORKED, command, 0);
    if (run->plan->broker != 0) {
        start_broker(run, listener);
    }
    guardian_drop_descriptors(run);
    watch(run, command);
}
