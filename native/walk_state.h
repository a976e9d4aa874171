/* What a walk keeps while it goes, and the messages it sends. Used by walk.c only. */
#ifndef PALDRON_WALK_STATE_H
#define PALDRON_WALK_STATE_H

#include <sys/stat.h>

#include "walk.h"

enum entry_kind { ENTRY_PRESENT = 0, ENTRY_UNREAD = 1 };

/* A folder on the way from the root to where the walk is. */
struct frame {
    int fd; /* -1: closed for now, `dev` and `ino` say which it was */
    uint64_t dev, ino;
    size_t path_length; /* of walk->path, which holds the way to the topmost frame */
    size_t names_start; /* its subfolders that are still to be entered, in walk->names */
    bool reported;      /* everything in it is */
};

struct walk {
    const struct walk_request *request;
    struct wire_out *out;
    struct failure *failure;
    int status;
    uint64_t folders, entries, reported;
    char *buffer; /* of getdents64 */
    struct frame *frames;
    size_t depth, frame_capacity;
    char *path; /* relative to the root; no limit to its length */
    size_t path_capacity;
    /* A stack of names: bytes, then u8 length, u8 reported, read from its end. */
    char *names;
    size_t names_length, names_capacity;
};

/* All return false with walk->failure set where memory or the message stream fails. */
bool walk_push(struct walk *walk, int fd, const char *name, bool reported);
bool walk_remember(struct walk *walk, const char *name, size_t length, bool reported);
bool walk_report(struct walk *walk, enum entry_kind kind, const struct stat *status, int error,
                 const struct frame *folder, const char *name);
/* ENTRY_UNREAD for the folder of the frame itself; the root has an empty path. */
bool walk_report_unread(struct walk *walk, const struct frame *folder, int error);
bool walk_finish(struct walk *walk, uint32_t status, uint32_t error);

/* Whether an entry matters under any name; the file itself is not looked at. */
bool walk_is_odd(struct walk *walk, const struct frame *frame, const char *name, size_t length,
                 unsigned char type);

/* Takes the next name of the topmost frame; false where it has no more. */
bool walk_next(struct walk *walk, char name[256], bool *reported);
/* Drops the names of the frame. */
void walk_forget(struct walk *walk, const struct frame *frame);
void walk_release(struct walk *walk);

#endif
