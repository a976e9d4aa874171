/*
 * One run: what supervisor, guardian and command share, and the steps that come before the first
 * of them is forked (the order is explained in run.c).
 */
#ifndef PALDRON_RUN_H
#define PALDRON_RUN_H

#include <signal.h>
#include <sys/types.h>
#include <time.h>

#include "failure.h"
#include "plan.h"
#include "scratch.h"
#include "terminal.h"
#include "wire.h"

/* What the guardian tells the supervisor. */
enum guardian_note_kind { NOTE_FORKED = 1, NOTE_ENDED = 2, NOTE_STOPPED = 3, NOTE_BROKER = 4 };
struct guardian_note {
    uint32_t kind;
    pid_t process; /* the command, or the broker */
    int status; /* NOTE_STOPPED: the signal */
};

/* What goes over the lifeline: numbers of signals, and these. */
enum lifeline_order { LIFELINE_FOREGROUND = 128, LIFELINE_BACKGROUND = 129 };

struct run {
    const struct plan *plan;
    struct scratch scratch;
    int ruleset; /* -1: none */
    int cwd;     /* O_PATH */
    int *broker_fds; /* O_PATH: its places, the scratch folder among them, then its sockets */
    size_t broker_place_count;
    struct timespec started; /* by the clock that file systems use */
    int signals; /* signalfd, SIGCHLD and the signals that end a run */
    /* Pipes, read end first. Each process closes the ends that are not its own. */
    int lifeline[2];  /* supervisor to guardian: signals to pass on, lifeline_order; its end is the supervisor's */
    int notes[2];     /* guardian to supervisor */
    int failures[2];  /* guardian and command to supervisor: a struct failure; closed by execve */
    int output[2][2]; /* stdout and stderr */
    struct terminal terminal;
    sigset_t signals_before;
    uid_t uid; /* of the caller, as seen outside */
    gid_t gid;
    pid_t guardian;
};

/* Carries out the plan up to and including the fork of the guardian. On failure nothing of the
 * command has run and what was made is removed. */
bool run_start(struct run *run, const struct plan *plan, struct failure *failure);

/* Closes what only the broker needs. */
void run_close_broker(struct run *run);

/* Closes what the supervisor holds and gives signals back their meaning. */
void run_close(struct run *run);

#endif
