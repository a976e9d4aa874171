#include "plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plan_decoder.h"
#include "uapi_mount.h"

/* The index of a kind is its bit in `seen`. */
enum { EXEC, PROGRAM, ARG, CWD, TIMING, TREE_KILL, OUTPUT, END, LANDLOCK, SECCOMP, PRIVILEGES,
       SCRATCH, SCRATCH_NAME, SCRATCH_FOLDER, SCRATCH_LINK, NAMESPACES, BROKER };
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
    [SCRATCH_LINK] = {19, true, false, "SCRATCH_LINK", read_scratch_link},
    [NAMESPACES] = {32, false, false, "NAMESPACES", read_namespaces},
    [BROKER] = {43, false, false, "BROKER", read_broker},
    {4, true, false, "ENV", read_env},
    {7, true, false, "LANDLOCK_PATH", read_landlock_path},
    {10, true, false, "LIMIT", read_limit},
    {16, false, false, "WATCHDOG", read_watchdog},
    {18, false, false, "OOM_SCORE", read_oom_score},
    {20, false, false, "TERMINAL", read_terminal},
    {21, false, false, "ROOM", read_room},
    {33, true, false, "ROOT_FOLDER", read_step_folder},
    {34, true, false, "ROOT_BIND", read_step_bind},
    {35, true, false, "ROOT_TMPFS", read_step_tmpfs},
    {36, false, false, "ROOT_PROC", read_step_proc},
    {37, false, false, "ROOT_DEVPTS", read_step_devpts},
    {38, true, false, "ROOT_LINK", read_step_link},
    {39, true, false, "MASK", read_step_mask},
    {40, true, false, "GUARD", read_step_guard},
    {41, true, false, "LANDLOCK_NEW", read_step_landlock},
    {42, true, false, "ROOT_FILE", read_step_file},
    {44, true, false, "BROKER_PLACE", read_broker_place},
    {45, true, false, "BROKER_SOCKET", read_broker_socket},
    {46, false, false, "WATCH", read_watch},
    {47, true, false, "WATCH_NAME", read_watch_name},
    {48, true, false, "WATCH_NAME_ALONE", read_watch_name_alone},
};
#define KIND_COUNT (sizeof kinds / sizeof kinds[0])
#define BIT(kind) ((uint64_t)1 << (kind))

/* What must come together. Returns the name of what is wrong, or NULL. */
static const char *namespace_contradiction(const struct plan *plan, uint64_t seen)
{
    bool namespaces = (seen & BIT(NAMESPACES)) != 0;
    bool pids = (plan->namespaces & PLD_CLONE_NEWPID) != 0;
    if (namespaces && (seen & BIT(PRIVILEGES)) == 0) {
        return "PRIVILEGES";
    }
    if (pids != (plan->tree_kill == TREE_KILL_NAMESPACE)) {
        return "TREE_KILL without its pid namespace";
    }
    bool root = plan->step_count > 0 && plan->steps[0].kind == STEP_TMPFS &&
                strcmp(plan->steps[0].target, "/") == 0;
    return namespaces == root && (namespaces || plan->step_count == 0) ? NULL : "NAMESPACES";
}

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
    /* It sees paths and processes as they are outside, and without a filter nobody would ask it. */
    if (plan->broker != 0 && ((seen & BIT(SECCOMP)) == 0 || (seen & BIT(NAMESPACES)) != 0)) {
        return "BROKER";
    }
    bool named = (seen & BIT(SCRATCH_NAME)) != 0;
    bool filled = (seen & (BIT(SCRATCH_FOLDER) | BIT(SCRATCH_LINK))) != 0;
    if (plan->has_scratch != named || (filled && !named)) {
        return "SCRATCH";
    }
    if (plan->has_landlock && (plan->scratch_access & ~plan->handled_fs) != 0) {
        return "SCRATCH";
    }
    return namespace_contradiction(plan, seen);
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
    size_t steps = (length / 13 + 1) * sizeof(struct step) + 16;
    size_t links = (length / 12 + 1) * sizeof(struct scratch_link) + 16;
    size_t records_of_paths = (length / 32 + 1) * sizeof(struct path_record) + 16;
    size_t patterns = (length / 9 + 1) * sizeof(struct pattern) + 16;
    size_t strings = length + 64;
    size_t lists =
        3 * pointers + paths + limits + steps + links + 2 * records_of_paths + patterns;
    uint8_t *block = calloc(1, lists + strings);
    if (block == NULL) {
        return false;
    }
    plan->block = block;
    plan->argv = (char **)(void *)block;
    plan->env = (char **)(void *)(block + pointers);
    plan->scratch_folders = (const char **)(void *)(block + 2 * pointers);
    plan->landlock_paths = (struct landlock_path *)(void *)(block + 3 * pointers);
    plan->limits = (struct plan_limit *)(void *)(block + 3 * pointers + paths);
    uint8_t *after = block + 3 * pointers + paths + limits;
    plan->steps = (struct step *)(void *)after;
    plan->scratch_links = (struct scratch_link *)(void *)(after + steps);
    after += steps + links;
    plan->broker_places = (struct path_record *)(void *)after;
    plan->broker_sockets = (struct path_record *)(void *)(after + records_of_paths);
    plan->watch_names = (struct pattern *)(void *)(after + 2 * records_of_paths);
    decoder->strings = (struct arena){block + lists, strings};
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
