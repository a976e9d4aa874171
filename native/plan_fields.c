/* The fields of a plan, one reader for each kind of record. */
#include <string.h>

#include "plan_decoder.h"

static const char *rest_string(struct decoder *decoder, struct cursor *payload)
{
    return arena_string(&decoder->strings, payload, payload->left);
}

bool read_exec(void *into, struct cursor *payload)
{
    struct decoder *decoder = into;
    decoder->plan->exec = rest_string(decoder, payload);
    return decoder->plan->exec != NULL && decoder->plan->exec[0] == '/';
}

bool read_program(void *into, struct cursor *payload)
{
    struct decoder *decoder = into;
    return arena_path(&decoder->strings, payload, &decoder->plan->program);
}

bool read_arg(void *into, struct cursor *payload)
{
    struct decoder *decoder = into;
    struct plan *plan = decoder->plan;
    plan->argv[plan->argc] = arena_string(&decoder->strings, payload, payload->left);
    return plan->argv[plan->argc++] != NULL;
}

bool read_env(void *into, struct cursor *payload)
{
    struct decoder *decoder = into;
    struct plan *plan = decoder->plan;
    char *line = arena_string(&decoder->strings, payload, payload->left);
    plan->env[plan->envc++] = line;
    return line != NULL && line[0] != '=' && strchr(line, '=') != NULL;
}

bool read_cwd(void *into, struct cursor *payload)
{
    struct decoder *decoder = into;
    return arena_path(&decoder->strings, payload, &decoder->plan->cwd);
}

bool read_landlock(void *into, struct cursor *payload)
{
    struct plan *plan = ((struct decoder *)into)->plan;
    plan->has_landlock = true;
    plan->handled_fs = cursor_u64(payload);
    plan->handled_net = cursor_u64(payload);
    plan->scoped = cursor_u64(payload);
    plan->restrict_flags = cursor_u32(payload);
    return true;
}

bool read_landlock_path(void *into, struct cursor *payload)
{
    struct decoder *decoder = into;
    struct plan *plan = decoder->plan;
    struct landlock_path *rule = &plan->landlock_paths[plan->landlock_path_count++];
    rule->access = cursor_u64(payload);
    return plan->has_landlock && rule->access != 0 && (rule->access & ~plan->handled_fs) == 0 &&
           arena_path(&decoder->strings, payload, &rule->path);
}

bool read_seccomp(void *into, struct cursor *payload)
{
    struct decoder *decoder = into;
    size_t size = payload->left;
    size_t count = size / sizeof(struct pld_sock_filter);
    if (count < 1 || count > PLAN_MAX_FILTER || size % sizeof(struct pld_sock_filter) != 0) {
        return false;
    }
    decoder->plan->filter = arena_take(&decoder->strings, size);
    decoder->plan->filter_length = count;
    const uint8_t *bytes = cursor_bytes(payload, size);
    if (decoder->plan->filter == NULL || bytes == NULL) {
        return false;
    }
    memcpy(decoder->plan->filter, bytes, size);
    return true;
}

bool read_privileges(void *into, struct cursor *payload)
{
    ((struct decoder *)into)->plan->drop_privileges = true;
    return cursor_u32(payload) == 1;
}

bool read_limit(void *into, struct cursor *payload)
{
    struct plan *plan = ((struct decoder *)into)->plan;
    struct plan_limit *limit = &plan->limits[plan->limit_count++];
    limit->resource = cursor_u32(payload);
    limit->soft = cursor_u64(payload);
    limit->hard = cursor_u64(payload);
    return limit->resource < PLD_RLIM_NLIMITS && limit->soft <= limit->hard;
}

bool read_scratch(void *into, struct cursor *payload)
{
    struct decoder *decoder = into;
    decoder->plan->has_scratch = true;
    decoder->plan->scratch_access = cursor_u64(payload);
    return arena_path(&decoder->strings, payload, &decoder->plan->scratch_parent);
}

bool read_scratch_name(void *into, struct cursor *payload)
{
    struct decoder *decoder = into;
    decoder->plan->scratch_name = rest_string(decoder, payload);
    return decoder->plan->scratch_name != NULL && is_component(decoder->plan->scratch_name);
}

bool read_scratch_folder(void *into, struct cursor *payload)
{
    struct decoder *decoder = into;
    struct plan *plan = decoder->plan;
    const char *name = rest_string(decoder, payload);
    plan->scratch_folders[plan->scratch_folder_count++] = name;
    return name != NULL && is_component(name);
}

/* Components that lead further in, never up or out. */
static bool is_inside(const char *path)
{
    char part[256];
    for (;;) {
        size_t length = strcspn(path, "/");
        if (length >= sizeof part) {
            return false;
        }
        memcpy(part, path, length);
        part[length] = '\0';
        if (!is_component(part)) {
            return false;
        }
        if (path[length] == '\0') {
            return true;
        }
        path += length + 1;
    }
}

bool read_scratch_link(void *into, struct cursor *payload)
{
    struct decoder *decoder = into;
    struct plan *plan = decoder->plan;
    struct scratch_link *link = &plan->scratch_links[plan->scratch_link_count++];
    link->path = arena_string(&decoder->strings, payload, cursor_u32(payload));
    link->text = rest_string(decoder, payload);
    return link->path != NULL && is_inside(link->path) && link->text != NULL &&
           link->text[0] != '\0';
}

bool read_broker(void *into, struct cursor *payload)
{
    uint32_t classes = cursor_u32(payload);
    ((struct decoder *)into)->plan->broker = classes;
    return classes != 0 && (classes & ~(uint32_t)BROKER_ALL) == 0;
}

bool read_broker_place(void *into, struct cursor *payload)
{
    struct decoder *decoder = into;
    struct plan *plan = decoder->plan;
    return plan->broker != 0 &&
           arena_path(&decoder->strings, payload, &plan->broker_places[plan->broker_place_count++]);
}

bool read_broker_socket(void *into, struct cursor *payload)
{
    struct decoder *decoder = into;
    struct plan *plan = decoder->plan;
    return (plan->broker & BROKER_SOCKETS) != 0 &&
           arena_path(&decoder->strings, payload,
                      &plan->broker_sockets[plan->broker_socket_count++]);
}

bool read_timing(void *into, struct cursor *payload)
{
    struct plan *plan = ((struct decoder *)into)->plan;
    plan->timeout_ms = cursor_u64(payload);
    plan->grace_ms = cursor_u32(payload);
    return true;
}

bool read_tree_kill(void *into, struct cursor *payload)
{
    uint32_t value = cursor_u32(payload);
    ((struct decoder *)into)->plan->tree_kill = (enum tree_kill)value;
    return value == TREE_KILL_SCOPE || value == TREE_KILL_SWEEP || value == TREE_KILL_NAMESPACE;
}

bool read_watchdog(void *into, struct cursor *payload)
{
    struct plan *plan = ((struct decoder *)into)->plan;
    plan->has_watchdog = true;
    plan->watchdog_interval_ms = cursor_u32(payload);
    plan->watchdog_memory = cursor_u64(payload);
    plan->watchdog_tasks = cursor_u32(payload);
    return plan->watchdog_interval_ms > 0;
}

bool read_room(void *into, struct cursor *payload)
{
    struct decoder *decoder = into;
    struct plan *plan = decoder->plan;
    plan->has_room = true;
    plan->room_bytes = cursor_u64(payload);
    plan->room_inodes = cursor_u64(payload);
    return plan->has_watchdog && arena_path(&decoder->strings, payload, &plan->room_folder);
}

bool read_output(void *into, struct cursor *payload)
{
    struct plan *plan = ((struct decoder *)into)->plan;
    plan->copy_bytes = cursor_u64(payload);
    plan->relay_bytes = cursor_u64(payload);
    return true;
}

bool read_terminal(void *into, struct cursor *payload)
{
    struct plan *plan = ((struct decoder *)into)->plan;
    plan->terminal_streams = cursor_u32(payload);
    plan->terminal_flags = cursor_u32(payload);
    return plan->terminal_streams <= 7 && plan->terminal_flags <= 7;
}

bool read_oom_score(void *into, struct cursor *payload)
{
    struct plan *plan = ((struct decoder *)into)->plan;
    plan->has_oom_score = true;
    plan->oom_score = (int32_t)cursor_u32(payload);
    return plan->oom_score >= -1000 && plan->oom_score <= 1000;
}
