/* The records of the watch. */
#include <string.h>
#include <sys/stat.h>

#include "plan_decoder.h"

bool read_watch(void *into, struct cursor *payload)
{
    struct decoder *decoder = into;
    struct plan *plan = decoder->plan;
    uint32_t mode = cursor_u32(payload);
    uint32_t first = cursor_u32(payload);
    plan->watch_mode = (enum plan_watch)mode;
    plan->watch_first = first == 1;
    plan->watch_told = cursor_u32(payload);
    plan->watch_hold_bytes = cursor_u64(payload);
    return (mode == PLAN_WATCH_TELL || mode == PLAN_WATCH_HOLD) && first <= 1 &&
           arena_path(&decoder->strings, payload, &plan->watch_root) &&
           plan->watch_root.type == S_IFDIR;
}

static bool add_name(struct decoder *decoder, struct cursor *payload, bool alone)
{
    struct plan *plan = decoder->plan;
    char *text = arena_string(&decoder->strings, payload, payload->left);
    if (plan->watch_mode == PLAN_WATCH_NONE || text == NULL || text[0] == '\0' ||
        strchr(text, '/') != NULL) {
        return false;
    }
    struct pattern pattern = pattern_make(text);
    pattern.alone = alone;
    plan->watch_names[plan->watch_name_count++] = pattern;
    return true;
}

bool read_watch_name(void *into, struct cursor *payload)
{
    return add_name(into, payload, false);
}

bool read_watch_name_alone(void *into, struct cursor *payload)
{
    return add_name(into, payload, true);
}
