/*
 * The watch over the workspace while a command runs: names that match the plan's patterns are told
 * to Paldron as they appear (SEEN in docs/wire.md), and output that was printed later than that waits
 * for its answer. The supervisor's own; the command neither sees nor reaches it.
 */
#ifndef PALDRON_WATCH_H
#define PALDRON_WATCH_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "plan.h"
#include "watch_tree.h"
#include "wire.h"

#define WATCH_EVENTS (32u << 10)
#define WATCH_ENTRIES (32u << 10)

enum watch_state {
    WATCH_OFF,      /* not wanted, or it could not be set up, which was told */
    WATCH_STARTING, /* the folders that were there are not all watched yet */
    WATCH_ON,
    WATCH_LOST, /* something was missed, or may have been */
};

/* The kind field of SEEN. */
enum seen_kind {
    SEEN_NAME = 0,    /* a name that matches was found, made or moved here */
    SEEN_CHANGED = 1, /* a file that matches was changed */
    SEEN_UNREAD = 2,  /* a folder or file that cannot be watched */
    SEEN_LOST = 3,    /* nothing more is told; anything may have appeared */
};

struct watch {
    enum watch_state state;
    const struct plan *plan;
    struct wire_out *out;
    int root, queue; /* of inotify */
    struct watch_tree tree;
    struct watched *stack; /* folders that are still to be watched and scanned */
    struct watched *scanned;
    int scanned_fd; /* -1: no folder is being scanned */
    size_t entry_at, entry_end;
    uint64_t folders;
    int error; /* what the host refused */
    uint32_t told, judged;
    uint32_t left; /* SEEN messages about events */
    uint32_t refused; /* the first that was answered with "hold", 0: none */
    size_t start, end;
    uint64_t consumed; /* bytes of events */
    _Alignas(8) char events[WATCH_EVENTS];
    _Alignas(8) char entries[WATCH_ENTRIES];
};

/* Starts watching; what the host refuses is told and leaves the watch off. */
void watch_open(struct watch *watch, const struct plan *plan, struct wire_out *out);
/* Watches everything that is there, before anything runs. False: the host refuses it. */
bool watch_all(struct watch *watch, struct failure *failure);
void watch_close(struct watch *watch);

/* Does what there is to do, for about a millisecond. */
void watch_work(struct watch *watch);
/* What to poll for: a descriptor, or -1. */
int watch_wait(const struct watch *watch);
/* Whether there is work that needs no waiting. */
bool watch_busy(const struct watch *watch);

/* A point behind everything that has happened up to now, and whether the watch has come to it. */
uint64_t watch_mark(const struct watch *watch);
bool watch_reached(const struct watch *watch, uint64_t mark);

/* Nothing of the tree is alive: folders that are not watched yet need not be any more. */
void watch_tree_dead(struct watch *watch);

/* How much was told, whether it is answered up to there, and whether one of these answers was to
 * hold what was printed later. */
uint32_t watch_told(const struct watch *watch);
bool watch_answered(const struct watch *watch, uint32_t told);
bool watch_refused(const struct watch *watch, uint32_t told);
/* Whether the plan wants output held; else it goes on, counted. */
bool watch_holds(const struct watch *watch);
/* An answer, in the order of what was told; false where it is none. */
bool watch_answer(struct watch *watch, uint32_t number, uint32_t answer);

/* ---- between the files of the watch ---- */

/* Room for one more SEEN. */
bool watch_room(const struct watch *watch);
void watch_tell(struct watch *watch, enum seen_kind kind, const struct stat *status, int error,
                const struct watched *folder, const char *name);
void watch_tell_start(struct watch *watch, int error);
/* Nothing more is told. */
void watch_lose(struct watch *watch, int error);
/* What the host refused: nothing is watched from the start, or not everything any more. */
void watch_fail(struct watch *watch, int error);
/* The folder opened for reading, without following links; -1 with errno. */
int watch_open_folder(const struct watch *watch, const struct watched *folder);
bool watch_push(struct watch *watch, struct watched *parent, const char *name, bool reported);
/* One folder opened, or some entries of it. False: there is nothing to scan. */
bool watch_scan(struct watch *watch);
/* Whether the plan's patterns match, or everything in the folder is told. */
enum match watch_match(const struct watch *watch, const struct watched *folder, const char *name);

#endif
