/* What the watch knows by number (inotify's wd): folders, and files that are watched themselves. */
#ifndef PALDRON_WATCH_TREE_H
#define PALDRON_WATCH_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define WATCH_PATH_MAX (60u << 10)

struct watched {
    int number;    /* of the watch; -1: none, or no more */
    bool file;     /* a file, watched once for a change of itself */
    bool reported; /* everything in it is */
    uint32_t children;
    struct watched *parent; /* NULL: the root */
    struct watched *next;   /* in its bucket, or on the stack of folders to be scanned */
    char *name;
};

struct watch_tree {
    struct watched **buckets;
    size_t bucket_count, count;
};

/* NULL where memory ran out. */
struct watched *watched_new(struct watched *parent, const char *name, bool reported);
/* Frees it, and folders above, where nothing is watched and nothing lies below. */
void watched_drop(struct watched *watched);
/* Gives `known` the place of `fresh`, which is dropped. False where it lies above its own new place. */
bool watched_move(struct watched *known, struct watched *fresh);
/* Its path relative to the root, with `name` (or NULL) below it. -1: longer than WATCH_PATH_MAX. */
ssize_t watched_path(const struct watched *watched, const char *name, char *buffer);

bool watch_tree_add(struct watch_tree *tree, struct watched *watched, int number);
struct watched *watch_tree_find(const struct watch_tree *tree, int number);
void watch_tree_remove(struct watch_tree *tree, struct watched *watched);

#endif
