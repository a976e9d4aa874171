#include "plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct decoder {
    struct plan *plan;
    struct arena strings;
};

static const char *rest_string(struct decoder *decoder, struct cursor *payload)
{
    return arena_string(&decoder->strings, payload, payload->left);
}

static bool read_exec(void *into, struct cursor *payload)
{
    struct decoder *decoder = into;
    decoder->plan->exec = rest_string(decoder, payload);
    return decoder->plan->exec != NULL && decoder->plan->exec[0] == '/';
}

static bool read_program(void *into, struct cursor *payload)
{
    struct decoder *decoder = into;
    return arena_path(&decoder->strings, payload, &decoder->plan->program);
}

static bool read_arg(void *into, struct cursor *payload)
{
    struct decoder *decoder = into;
    struct plan *plan = decoder->plan;
    plan->argv[plan->argc] = arena_string(&decoder->strings, payload, payload->left);
    return plan->argv[plan->argc++] != NULL;
}

static bool read_env(void *into, struct cursor *payload)
{
    struct decoder *decoder = into;
    struct plan *plan = decoder->plan;
    char *line = arena_string(&decoder->strings, payload, payload->left);
    plan->env[plan->envc++] = line;
    return line != NULL && line[0] != '=' && strchr(line, '=') != NULL;
}

static bool read_cwd(void *into, struct cursor *payload)
{
    struct decoder *decoder = into;
    return arena_path(&decoder->strings, payload, &decoder->plan->cwd);
}

static bool read_landlock(void *into, struct cursor *payload)
{
    struct plan *plan = ((struct decoder *)into)->plan;
    plan->has_landlock = true;
    plan->handled_fs = cursor_u64(payload);
    plan->handled_net = cursor_u64(payload);
    plan->scoped = cursor_u64(payload);
    plan->restrict_flags = cursor_u32(payload);
    return true;
}

static bool read_landlock_path(void *into, struct cursor *payload)
{
    struct decoder *decoder = into;
    struct plan *plan = decoder->plan;
    struct landlock_path *rule = &plan->landlock_paths[plan->landlock_path_count++];
    rule->access = cursor_u64(payload);
    return plan->has_landlock && rule->access != 0 && (rule->access & ~plan->handled_fs) == 0 &&
           arena_path(&decoder->strings, payload, &rule->path);
}

static bool read_seccomp(void *into, struct cursor *payload)
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

static bool read_privileges(void *into, struct cursor *payload)
{
    ((struct decoder *)into)->plan->drop_privileges = true;
    return cursor_u32(payload) == 1;
}

static bool read_limit(void *into, struct cursor *payload)
{
    struct plan *plan = ((struct decoder *)into)->plan;
    struct plan_limit *limit = &plan->limits[plan->limit_count++];
    limit->resource = cursor_u32(payload);
    limit->soft = cursor_u64(payload);
    limit->hard = cursor_u64(payload);
    return limit->resource < PLD_RLIM_NLIMITS && limit->soft <= limit->hard;
}

static bool read_scratch(void *into, struct cursor *payload)
{
    struct decoder *decoder = into;
    decoder->plan->has_scratch = true;
    decoder->plan->scratch_access = cursor_u64(payload);
    return arena_path(&decoder->strings, payload, &decoder->plan->scratch_parent);
}

static bool read_scratch_name(void *into, struct cursor *payload)
{
    struct decoder *decoder = into;
    decoder->plan->scratch_name = rest_string(decoder, payload);
    return decoder->plan->scratch_name != NULL && is_component(decoder->plan->scratch_name);
}

static bool read_scratch_folder(void *into, struct cursor *payload)
{
    struct decoder *decoder = into;
    struct plan *plan = decoder->plan;
    const char *name = rest_string(decoder, payload);
    plan->scratch_folders[plan->scratch_folder_count++] = name;
    return name != NULL && is_component(name);
}

static bool read_timing(void *into, struct cursor *payload)
{
    struct plan *plan = ((struct decoder *)into)->plan;
    plan->timeout_ms = cursor_u64(payload);
    plan->grace_ms = cursor_u32(payload);
    return true;
}

static bool read_tree_kill(void *into, struct cursor *payload)
{
    uint32_t value = cursor_u32(payload);
    ((struct decoder *)into)->plan->tree_kill = (enum tree_kill)value;
    return value == TREE_KILL_SCOPE || value == TREE_KILL_SWEEP;
}

static bool read_watchdog(void *into, struct cursor *payload)
{
    struct plan *plan = ((struct decoder *)into)->plan;
    plan->has_watchdog = true;
    plan->watchdog_interval_ms = cursor_u32(payload);
    plan->watchdog_memory = cursor_u64(payload);
    plan->watchdog_tasks = cursor_u32(payload);
    return plan->watchdog_interval_ms > 0;
}

static bool read_output(void *into, struct cursor *payload)
{
    struct plan *plan = ((struct decoder *)into)->plan;
    plan->copy_bytes = cursor_u64(payload);
    plan->relay_bytes = cursor_u64(payload);
    return true;
}

static bool read_oom_score(void *into, struct cursor *payload)
{
    struct plan *plan = ((struct decoder *)into)->plan;
    plan->has_oom_score = true;
    plan->oom_score = (int32_t)cursor_u32(payload);
    return plan->oom_score >= -1000 && plan->oom_score <= 1000;
}

/* The index of a kind is its bit in `seen`. */
enum { EXEC, PROGRAM, ARG, CWD, TIMING, TREE_KILL, OUTPUT, END, LANDLOCK, SECCOMP, PRIVILEGES,
       SCRATCH, SCRATCH_NAME, SCRATCH_FOLDER };
static const struct record_kind kinds[] = {
    [EXEC] = {1, false, false, "EXEC", read_exec},
    [PROGRAM] = {2, false, false, "PROGRAM", read_program},
    [ARG] = {3, true, false, "ARG", read_arg},
    [CWD] = {5, false, false, "CWD", read_cwd},
    [TIMING] = {14, false, false, "TIMING", read_timing},
    [TREE_KILL] = {15, false, false, "TREE_KILL", read_tree_kill},
    [OUTPUT] = {17, false, false, "OUTPUT", read_output},
    [END] = {255, false, true, "END", NULL},
    [LANDLOCK] = {6, false, false, "LANDLOCK", read_landlock},
    [SECCOMP] = {8, false, false, "SECCOMP", read_seccomp},
    [PRIVILEGES] = {9, false, false, "PRIVILEGES", read_privileges},
    [SCRATCH] = {11, false, false, "SCRATCH", read_scratch},
    [SCRATCH_NAME] = {12, false, false, "SCRATCH_NAME", read_scratch_name},
    [SCRATCH_FOLDER] = {13, true, false, "SCRATCH_FOLDER", read_scratch_folder},
    {4, true, false, "ENV", read_env},
    {7, true, false, "LANDLOCK_PATH", read_landlock_path},
    {10, true, false, "LIMIT", read_limit},
    {16, false, false, "WATCHDOG", read_watchdog},
    {18, false, false, "OOM_SCORE", read_oom_score},
};
#define KIND_COUNT (sizeof kinds / sizeof kinds[0])
#define BIT(kind) ((uint64_t)1 << (kind))

/* What must come together. Returns the name of what is wrong, or NULL. */
static const char *contradiction(const struct plan *plan, uint64_t seen)
{
    for (int kind = EXEC; kind <= END; kind++) {
        if ((seen & BIT(kind)) == 0) {
            return kinds[kind].name;
        }
    }
    if ((seen & (BIT(LANDLOCK) | BIT(SECCOMP))) != 0 && (seen & BIT(PRIVILEGES)) == 0) {
        return "PRIVILEGES";
    }
    /* In the supervisor's own domain the command could signal the supervisor; only a domain of its
     * own that is scoped as well bounds it. */
    if (plan->tree_kill == TREE_KILL_SCOPE && (plan->scoped & PLD_LANDLOCK_SCOPE_SIGNAL) == 0) {
        return "TREE_KILL without a signal scope in LANDLOCK";
    }
    bool named = (seen & BIT(SCRATCH_NAME)) != 0;
    bool folders = (seen & BIT(SCRATCH_FOLDER)) != 0;
    if (plan->has_scratch != named || (folders && !named)) {
        return "SCRATCH";
    }
    if (plan->has_landlock && (plan->scratch_access & ~plan->handled_fs) != 0) {
        return "SCRATCH";
    }
    return NULL;
}

/* Every record has a header of 8 bytes, so `length / 8` bounds each list and `length` the strings
 * with their terminators. The block is virtual memory: only what is used becomes real. */
static bool make_lists(struct decoder *decoder, size_t length)
{
    struct plan *plan = decoder->plan;
    size_t records = length / 8 + 1;
    size_t pointers = records * sizeof(char *) + 16;
    size_t paths = (length / 40 + 1) * sizeof(struct landlock_path) + 16;
    size_t limits = (length / 28 + 1) * sizeof(struct plan_limit) + 16;
    size_t strings = length + 64;
    uint8_t *block = calloc(1, 3 * pointers + paths + limits + strings);
    if (block == NULL) {
        return false;
    }
    plan->block = block;
    plan->argv = (char **)(void *)block;
    plan->env = (char **)(void *)(block + pointers);
    plan->scratch_folders = (const char **)(void *)(block + 2 * pointers);
    plan->landlock_paths = (struct landlock_path *)(void *)(block + 3 * pointers);
    plan->limits = (struct plan_limit *)(void *)(block + 3 * pointers + paths);
    decoder->strings = (struct arena){block + 3 * pointers + paths + limits, strings};
    return true;
}

bool plan_decode(struct plan *plan, const uint8_t *payload, size_t length,
                 struct failure *failure)
{
    memset(plan, 0, sizeof *plan);
    struct decoder decoder = {.plan = plan};
    if (!make_lists(&decoder, length)) {
        return fail(failure, STAGE_MEMORY, ENOMEM, "plan");
    }
    struct cursor cursor = {payload, length, false};
    uint64_t seen = 0;
    if (!records_read(&cursor, kinds, KIND_COUNT, &decoder, &seen, failure)) {
        return false;
    }
    const char *wrong = contradiction(plan, seen);
    return wrong == NULL || fail(failure, STAGE_WIRE, EPROTO, wrong);
}

void plan_free(struct plan *plan)
{
    free(plan->block);
    memset(plan, 0, sizeof *plan);
}
