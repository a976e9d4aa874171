#include "clear.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "paths.h"
#include "scratch.h"

struct decoder {
    struct clear_request *request;
    struct arena strings;
};

static bool read_parent(void *into, struct cursor *payload)
{
    struct decoder *decoder = into;
    return arena_path(&decoder->strings, payload, &decoder->request->parent);
}

static bool read_name(void *into, struct cursor *payload)
{
    struct decoder *decoder = into;
    char *name = arena_string(&decoder->strings, payload, payload->left);
    decoder->request->name = name;
    return name != NULL && is_component(name);
}

static const struct record_kind kinds[] = {
    {1, false, false, "PARENT", read_parent},
    {2, false, false, "NAME", read_name},
};
#define KIND_COUNT (sizeof kinds / sizeof kinds[0])
#define ALL_KINDS ((1u << KIND_COUNT) - 1)

bool clear_decode(struct clear_request *request, const uint8_t *payload, size_t length,
                  struct failure *failure)
{
    memset(request, 0, sizeof *request);
    size_t strings = length + 64;
    request->block = calloc(1, strings);
    if (request->block == NULL) {
        return fail(failure, STAGE_MEMORY, ENOMEM, "clear");
    }
    struct decoder decoder = {request, {request->block, strings}};
    struct cursor cursor = {payload, length, false};
    uint64_t seen = 0;
    if (!records_read(&cursor, kinds, KIND_COUNT, &decoder, &seen, failure)) {
        return false;
    }
    return seen == ALL_KINDS || fail(failure, STAGE_WIRE, EPROTO, "CLEAR");
}

void clear_free(struct clear_request *request)
{
    free(request->block);
    memset(request, 0, sizeof *request);
}

int clear(const struct clear_request *request)
{
    struct failure failure;
    struct scratch scratch = {.folder = -1, .name = request->name};
    scratch.parent = paths_open(&request->parent, &failure);
    if (scratch.parent < 0) {
        return (int)failure.error;
    }
    scratch.folder =
        openat(scratch.parent, scratch.name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat found;
    int error = scratch.folder < 0 || fstat(scratch.folder, &found) != 0 ? errno : 0;
    if (error == 0 && found.st_uid != geteuid()) {
        error = EPERM;
    }
    if (error == 0) {
        return scratch_remove(&scratch);
    }
    if (scratch.folder >= 0) {
        close(scratch.folder);
    }
    close(scratch.parent);
    return error == ENOENT ? 0 : error; /* the guardian was there first */
}
