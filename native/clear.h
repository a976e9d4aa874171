/*
 * Removing the scratch folder of a run whose launcher was killed (CLEAR in docs/wire.md): there may
 * have been no guardian yet, or none any more.
 */
#ifndef PALDRON_CLEAR_H
#define PALDRON_CLEAR_H

#include "failure.h"
#include "records.h"

struct clear_request {
    struct path_record parent;
    const char *name;
    void *block; /* the memory both point into */
};

bool clear_decode(struct clear_request *request, const uint8_t *payload, size_t length,
                  struct failure *failure);
void clear_free(struct clear_request *request);

/* 0 where nothing is left of it, or an errno. It has to belong to the caller. */
int clear(const struct clear_request *request);

#endif
