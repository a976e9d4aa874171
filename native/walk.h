/*
 * The walk over a folder that reports entries by name (WALK in docs/wire.md). Relative to
 * descriptors throughout: no path is resolved twice, no link is followed, no length is too long.
 */
#ifndef PALDRON_WALK_H
#define PALDRON_WALK_H

#include "failure.h"
#include "match.h"
#include "records.h"
#include "wire.h"

struct walk_request {
    uint32_t id;
    struct path_record root;
    struct pattern *patterns;
    size_t pattern_count;
    uint64_t max_entries;
    uint32_t max_depth;
    bool odd; /* links that may lead out, special files and names with control characters too */
    void *block; /* the memory everything above points into */
};

bool walk_decode(struct walk_request *request, const uint8_t *payload, size_t length,
                 struct failure *failure);
void walk_free(struct walk_request *request);

/* Walks and sends ENTRY messages and one WALKED. False: the messages could not be sent, or memory
 * ran out (`failure` says which). */
bool walk(const struct walk_request *request, struct wire_out *out, struct failure *failure);

#endif
