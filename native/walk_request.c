#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "walk.h"

/* Where no LIMITS record says otherwise. */
#define DEFAULT_ENTRIES 50000000u
#define DEFAULT_DEPTH 100000u

struct decoder {
    struct walk_request *request;
    struct arena strings;
};

static bool read_root(void *into, struct cursor *payload)
{
    struct decoder *decoder = into;
    return arena_path(&decoder->strings, payload, &decoder->request->root) &&
           decoder->request->root.type == S_IFDIR;
}

static bool add_pattern(void *into, struct cursor *payload, bool alone)
{
    struct decoder *decoder = into;
    char *text = arena_string(&decoder->strings, payload, payload->left);
    if (text == NULL || text[0] == '\0' || strchr(text, '/') != NULL) {
        return false;
    }
    struct pattern pattern = pattern_make(text);
    pattern.alone = alone;
    decoder->request->patterns[decoder->request->pattern_count++] = pattern;
    return true;
}

static bool read_name(void *into, struct cursor *payload)
{
    return add_pattern(into, payload, false);
}

static bool read_name_alone(void *into, struct cursor *payload)
{
    return add_pattern(into, payload, true);
}

static bool read_limits(void *into, struct cursor *payload)
{
    struct walk_request *request = ((struct decoder *)into)->request;
    request->max_entries = cursor_u64(payload);
    request->max_depth = cursor_u32(payload);
    return true;
}

static bool read_odd(void *into, struct cursor *payload)
{
    (void)payload;
    ((struct decoder *)into)->request->odd = true;
    return true;
}

static const struct record_kind kinds[] = {
    {1, false, false, "ROOT", read_root},
    {2, true, false, "NAME", read_name},
    {3, false, false, "LIMITS", read_limits},
    {4, true, false, "NAME_ALONE", read_name_alone},
    {5, false, false, "ODD", read_odd},
};
#define KIND_COUNT (sizeof kinds / sizeof kinds[0])

bool walk_decode(struct walk_request *request, const uint8_t *payload, size_t length,
                 struct failure *failure)
{
    memset(request, 0, sizeof *request);
    request->max_entries = DEFAULT_ENTRIES;
    request->max_depth = DEFAULT_DEPTH;
    /* A record has a header of 8 bytes, a NAME at least one byte more. */
    size_t patterns = (length / 9 + 1) * sizeof(struct pattern);
    size_t strings = length + 64;
    request->block = calloc(1, patterns + strings);
    if (request->block == NULL) {
        return fail(failure, STAGE_MEMORY, ENOMEM, "walk");
    }
    request->patterns = request->block;
    struct decoder decoder = {request, {(uint8_t *)request->block + patterns, strings}};
    struct cursor cursor = {payload, length, false};
    request->id = cursor_u32(&cursor);
    uint64_t seen = 0;
    if (cursor.short_of || !records_read(&cursor, kinds, KIND_COUNT, &decoder, &seen, failure)) {
        return cursor.short_of ? fail(failure, STAGE_WIRE, EPROTO, "WALK") : false;
    }
    return (seen & 1) != 0 || fail(failure, STAGE_WIRE, EPROTO, "ROOT");
}

void walk_free(struct walk_request *request)
{
    free(request->block);
    memset(request, 0, sizeof *request);
}
