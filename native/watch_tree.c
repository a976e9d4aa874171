#include "watch_tree.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_BUCKETS 256u

struct watched *watched_new(struct watched *parent, const char *name, bool reported)
{
    struct watched *made = calloc(1, sizeof *made);
    char *own = strdup(name);
    if (made == NULL || own == NULL) {
        free(made);
        free(own);
        return NULL;
    }
    *made = (struct watched){.number = -1, .reported = reported, .parent = parent, .name = own};
    if (parent != NULL) {
        parent->children++;
    }
    return made;
}

void watched_drop(struct watched *watched)
{
    while (watched != NULL && watched->number < 0 && watched->children == 0) {
        struct watched *above = watched->parent;
        free(watched->name);
        free(watched);
        if (above != NULL) {
            above->children--;
        }
        watched = above;
    }
}

bool watched_move(struct watched *known, struct watched *fresh)
{
    for (const struct watched *at = fresh; at != NULL; at = at->parent) {
        if (at == known) {
            return false; /* a mount of a folder below itself */
        }
    }
    if (known->parent == NULL) {
        return false;
    }
    struct watched *parent = known->parent;
    char *name = known->name;
    known->parent = fresh->parent;
    known->name = fresh->name;
    known->reported = fresh->reported;
    fresh->parent = parent;
    fresh->name = name;
    watched_drop(fresh); /* the counts of both parents are right: each lost one and got one */
    return true;
}

ssize_t watched_path(const struct watched *watched, const char *name, char *buffer)
{
    /* Written from its end. */
    size_t at = WATCH_PATH_MAX;
    const char *part = name;
    for (const struct watched *next = watched;;) {
        if (part != NULL && part[0] != '\0') {
            size_t length = strlen(part);
            if (length + 1 > at) {
                return -1;
            }
            at -= at == WATCH_PATH_MAX ? 0 : 1;
            if (at < WATCH_PATH_MAX) {
                buffer[at] = '/';
            }
            at -= length;
            memcpy(buffer + at, part, length);
        }
        if (next == NULL) {
            break;
        }
        part = next->name;
        next = next->parent;
    }
    size_t length = WATCH_PATH_MAX - at;
    memmove(buffer, buffer + at, length);
    return (ssize_t)length;
}

static struct watched **bucket(const struct watch_tree *tree, int number)
{
    return &tree->buckets[(uint32_t)number % tree->bucket_count];
}

/* Numbers are given in order, so the remainder spreads them evenly. */
static bool grow(struct watch_tree *tree)
{
    struct watch_tree grown = {.bucket_count = tree->bucket_count * 2, .count = tree->count};
    grown.bucket_count = grown.bucket_count == 0 ? FIRST_BUCKETS : grown.bucket_count;
    grown.buckets = calloc(grown.bucket_count, sizeof *grown.buckets);
    if (grown.buckets == NULL) {
        return false;
    }
    for (size_t i = 0; i < tree->bucket_count; i++) {
        for (struct watched *at = tree->buckets[i]; at != NULL;) {
            struct watched *next = at->next;
            struct watched **into = bucket(&grown, at->number);
            at->next = *into;
            *into = at;
            at = next;
        }
    }
    free(tree->buckets);
    *tree = grown;
    return true;
}

bool watch_tree_add(struct watch_tree *tree, struct watched *watched, int number)
{
    if (tree->count >= tree->bucket_count && !grow(tree)) {
        return false;
    }
    watched->number = number;
    struct watched **into = bucket(tree, number);
    watched->next = *into;
    *into = watched;
    tree->count++;
    return true;
}

struct watched *watch_tree_find(const struct watch_tree *tree, int number)
{
    if (tree->bucket_count == 0) {
        return NULL;
    }
    struct watched *at = *bucket(tree, number);
    while (at != NULL && at->number != number) {
        at = at->next;
    }
    return at;
}

void watch_tree_remove(struct watch_tree *tree, struct watched *watched)
{
    struct watched **at = bucket(tree, watched->number);
    while (*at != watched) {
        at = &(*at)->next;
    }
    *at = watched->next;
    watched->number = -1;
    tree->count--;
    watched_drop(watched);
}
