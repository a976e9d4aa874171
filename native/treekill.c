#include "treekill.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "landlock.h"
#include "privileges.h"
#include "tree.h"
#include "uapi.h"

#define PATIENCE_MS 10000u

/* Set by treekill_enter_scope() alone, once the domain is proven. Inherited by fork, as is the
 * domain itself; a domain cannot be left. */
static bool scope_proven;

/* INVARIANT: the only place that signals every process. */
static void kill_domain(void)
{
    if (!scope_proven) {
        abort();
    }
    kill(-1, SIGKILL);
}

/*
 * Links and renames between folders are refused (EXDEV) by every layer that does not allow them,
 * also by one that handles nothing of the file system (landlock(7)): so this layer handles just
 * that right and allows it everywhere. What the command may do is up to its own layer.
 */
static bool allow_refer(int ruleset)
{
    int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (root < 0) {
        return false;
    }
    struct pld_landlock_path_beneath_attr rule = {PLD_LANDLOCK_FS_REFER, root};
    bool added = syscall(PLD_SYS_LANDLOCK_ADD_RULE, ruleset, PLD_LANDLOCK_RULE_PATH_BENEATH, &rule,
                         0) == 0;
    int error_number = errno;
    close(root);
    errno = error_number;
    return added;
}

static int signal_ruleset(struct failure *failure)
{
    struct pld_landlock_ruleset_attr attributes = {
        .handled_access_fs = PLD_LANDLOCK_FS_REFER,
        .scoped = PLD_LANDLOCK_SCOPE_SIGNAL,
    };
    int ruleset =
        (int)syscall(PLD_SYS_LANDLOCK_CREATE_RULESET, &attributes, sizeof attributes, 0);
    if (ruleset >= 0 && allow_refer(ruleset)) {
        return ruleset;
    }
    fail(failure, STAGE_TREE_KILL, errno, "landlock_create_ruleset");
    if (ruleset >= 0) {
        close(ruleset);
    }
    return -1;
}

static bool restrict_signals(struct failure *failure)
{
    uint32_t error;
    uint32_t abi = landlock_abi(&error, NULL);
    if (abi < 6) {
        return fail(failure, STAGE_TREE_KILL, ENOTSUP, "landlock abi 6");
    }
    if (!privileges_no_new(failure)) {
        return false;
    }
    int ruleset = signal_ruleset(failure);
    if (ruleset < 0) {
        return false;
    }
    /* Each kill(-1) is denied for every outside process: not worth a line in the audit log. */
    uint32_t flags = abi >= 7 ? PLD_LANDLOCK_RESTRICT_LOG_SAME_EXEC_OFF : 0;
    bool entered = syscall(PLD_SYS_LANDLOCK_RESTRICT_SELF, ruleset, flags) == 0;
    int error_number = errno;
    close(ruleset);
    return entered || fail(failure, STAGE_TREE_KILL, error_number, "landlock_restrict_self");
}

/*
 * A process outside the domain that could be signalled before it was entered. Usually the parent;
 * where that belongs to another user (or is out of sight: then its number reads 0, which would mean
 * the own process group), a child that waits for the end of a pipe.
 */
struct witness {
    pid_t pid;
    int pipe[2]; /* -1: the witness is the parent */
};

static bool call_witness(struct witness *witness)
{
    *witness = (struct witness){getppid(), {-1, -1}};
    if (witness->pid > 0 && kill(witness->pid, 0) == 0) {
        return true;
    }
    if (pipe2(witness->pipe, O_CLOEXEC) != 0) {
        return false;
    }
    witness->pid = fork();
    if (witness->pid == 0) {
        char byte;
        close(witness->pipe[1]);
        ssize_t got = read(witness->pipe[0], &byte, 1);
        _exit(got == 0 ? 0 : 1);
    }
    close(witness->pipe[0]);
    return witness->pid > 0 && kill(witness->pid, 0) == 0;
}

/* The parent's number may pass to another process when it dies; it must still be the parent. */
static bool is_out_of_reach(const struct witness *witness)
{
    bool refused = kill(witness->pid, 0) == -1 && errno == EPERM;
    return refused && (witness->pipe[1] >= 0 || getppid() == witness->pid);
}

static void dismiss_witness(const struct witness *witness)
{
    if (witness->pipe[1] >= 0) {
        close(witness->pipe[1]);
        waitpid(witness->pid, NULL, 0);
    }
}

bool treekill_enter_scope(struct failure *failure)
{
    struct witness witness;
    if (!call_witness(&witness)) {
        return fail(failure, STAGE_TREE_KILL, errno, "no witness for the signal domain");
    }
    bool restricted = restrict_signals(failure);
    bool proven = restricted && is_out_of_reach(&witness);
    dismiss_witness(&witness);
    if (!proven) {
        return restricted ? fail(failure, STAGE_TREE_KILL, ENOTSUP, "domain does not bound signals")
                          : false;
    }
    scope_proven = true;
    return true;
}

bool treekill_has_children(void)
{
    siginfo_t info;
    return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0 || errno != ECHILD;
}

bool treekill_reap(const struct treekill_reaper *reaper)
{
    for (;;) {
        int status;
        pid_t pid = waitpid(-1, &status, WNOHANG | __WALL);
        if (pid > 0) {
            reaper->reaped(reaper->context, pid, status);
        } else if (pid == 0) {
            return true;
        } else if (errno != EINTR) {
            return false;
        }
    }
}

struct counting {
    const struct treekill_reaper *next;
    unsigned long count;
};

static void count_reaped(void *context, pid_t pid, int status)
{
    struct counting *counting = context;
    counting->count++;
    counting->next->reaped(counting->next->context, pid, status);
}

/* INVARIANT: only own children, by the kernel's word and not by what /proc said: ECHILD otherwise.
 * The number stays the child's until this process reaps it. */
static void kill_child(void *context, pid_t pid)
{
    (void)context;
    siginfo_t info;
    if (pid > 1 && waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0) {
        kill(pid, SIGKILL);
    }
}

/* Dying takes a moment. SIGCHLD is blocked, here and in the guardian. */
static void wait_for_a_death(void)
{
    sigset_t death;
    sigemptyset(&death);
    sigaddset(&death, SIGCHLD);
    const struct timespec moment = {0, 1000000};
    sigtimedwait(&death, NULL, &moment);
}

bool treekill_all(enum tree_kill mode, const struct treekill_reaper *reaper)
{
    struct counting counting = {reaper, 0};
    const struct treekill_reaper counter = {count_reaped, &counting};
    unsigned long before = 0;
    uint64_t patience = clock_after(PATIENCE_MS);
    for (unsigned round = 0;; round++) {
        if (mode == TREE_KILL_SCOPE) {
            kill_domain();
        } else {
            tree_each_child(kill_child, NULL);
        }
        if (!treekill_reap(&counter)) {
            return true;
        }
        if (counting.count != before) {
            before = counting.count;
            patience = clock_after(PATIENCE_MS);
        } else if (clock_now() > patience) {
            return false;
        }
        /* A tree that keeps forking is only caught up with by sweeping without a pause. */
        if (mode == TREE_KILL_SCOPE || round >= 8) {
            wait_for_a_death();
        }
    }
}
