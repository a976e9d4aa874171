/*
 * Small wrappers around the mount calls, all on descriptors: nothing here looks up an absolute path.
 */
#ifndef PALDRON_MOUNTS_H
#define PALDRON_MOUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fs_option {
    const char *key;
    const char *value;
};

/* A new file system as a detached mount. Returns its descriptor or -errno. */
int mounts_new(const char *type, const struct fs_option *options, size_t count,
               uint32_t attributes);

/* A detached copy of what `fd` stands for, with every mount below it. Returns it or -errno. */
int mounts_copy(int fd);

/* Sets attributes on a mount, and on every mount below it. 0 or -errno. */
int mounts_restrict(int mount, uint32_t attributes, bool below);

/* Attaches a detached mount on top of `place`. 0 or -errno. */
int mounts_attach(int mount, int place);

#endif
