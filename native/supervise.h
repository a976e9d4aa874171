/*
 * The supervisor while a command runs: one loop that never blocks on anything but poll(2), so that
 * no reader and no child can keep a clock from firing.
 */
#ifndef PALDRON_SUPERVISE_H
#define PALDRON_SUPERVISE_H

#include <sys/wait.h>

#include "hold.h"
#include "passage.h"
#include "relay.h"
#include "run.h"
#include "watchdog.h"
#include "wire.h"

/* The cause field of ENDED. */
enum cause {
    CAUSE_OWN = 0,
    CAUSE_TIMEOUT = 1,
    CAUSE_CANCEL = 2,
    CAUSE_MEMORY = 3,
    CAUSE_TASKS = 4,
    CAUSE_OUTPUT = 5,
    CAUSE_RELAY_LIMIT = 6,
    CAUSE_GUARDIAN = 7,
    CAUSE_ROOM = 8,
};

/* stdout, stderr, and a terminal that is neither of them. */
#define STREAMS 3

struct supervision {
    struct run *run;
    struct wire_in *in;
    struct wire_out *out;
    struct stream streams[STREAMS];
    struct watchdog watchdog;
    struct watch watch;
    uint64_t watch_end; /* its mark when nothing of the tree was alive any more */
    struct hold hold;
    struct passage passage;
    uint64_t started_at;
    /* Instants, CLOCK_NEVER for none. */
    uint64_t timeout_at, kill_at, drain_until;
    pid_t command; /* -1 until known */
    pid_t broker;  /* the same */
    bool executed, announced;
    bool ended;      /* the command's status is known */
    int status;
    uint64_t ended_at;
    enum cause cause;
    uint32_t cause_detail;
    bool caller_gone;    /* end of file on the messages */
    bool guardian_gone;
    bool dead;           /* nothing of the tree is alive */
    bool stop_draining;
    uint32_t leftovers;
    bool stop_told; /* the caller knows that the command is stopped */
    bool failed;
    struct failure failure;
};

/* The one run. */
extern struct supervision supervised;

enum supervise_result {
    SUPERVISE_ENDED,  /* ENDED was queued, go on serving */
    SUPERVISE_FAILED, /* FAILED was queued, exit */
    SUPERVISE_GONE,   /* the caller is gone, exit */
};

/* Starts the plan and stays until nothing of it is alive and its scratch folder is gone. */
enum supervise_result supervise(const struct plan *plan, struct wire_in *in, struct wire_out *out);

/* ---- reports.c: what guardian and command tell ---- */

/* Reads what is there, without waiting, and queues STARTED once execve is known to have succeeded.
 * Sets state->failed where a step failed. */
void reports_read(struct supervision *state);

/* ---- outputs.c: the command's output streams ---- */

void outputs_open(struct supervision *state);
/* The terminal comes from the guardian, before the command starts. */
void outputs_receive(struct supervision *state);
void outputs_pump(struct supervision *state);
/* What the streams wait for. Returns whether there is work without waiting: when the tree is dead,
 * what is left in a pipe is taken out even if a stranger still holds its other end. */
bool outputs_poll(const struct supervision *state, struct pollfd *polls);
/* Whether somebody may still print. */
bool outputs_open_still(const struct supervision *state);
bool outputs_done(const struct supervision *state);
void outputs_close(struct supervision *state);

/* ---- release.c: what was held, once there is a verdict ---- */

/* Shows what was held, in its order, or forgets it. Waits for the reader, as long as the caller does
 * not say something else. Answers RELEASED. After the run that held it. */
void release_held(struct wire_out *out, bool show);

/* ---- requests.c: what the caller says while a command runs ---- */

/* Reads once and takes what is whole; the end of the stream ends the run. */
void requests_read(struct supervision *state);
void requests_take(struct supervision *state);
void requests_caller_gone(struct supervision *state);

/* ---- jobs.c: stopping and going on, where the command has a terminal ---- */

/* The command was stopped by `signal`. */
void jobs_stopped(struct supervision *state, int signal);
/* What the caller says of its terminal: enum terminal_event. */
void jobs_event(struct supervision *state, uint32_t event);
/* The command has started: keys go to it where it is in the foreground. */
void jobs_started(struct supervision *state);

/* ---- ending.c: how a run is brought to its end ---- */

/* Asks the command's group to end (signal) and kills the tree after the grace. The first cause
 * stays. */
void ending_ask(struct supervision *state, enum cause cause, uint32_t detail, int signal);

/* Kills the tree at once, reaps it, removes the scratch folder. Returns when nothing is alive. */
void ending_kill(struct supervision *state, enum cause cause, uint32_t detail);

void ending_set_status(struct supervision *state, int status);

/* Queues ENDED or FAILED. */
enum supervise_result ending_report(struct supervision *state);

#endif
