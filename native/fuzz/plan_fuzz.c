/* libFuzzer target: whatever arrives as RUN, WALK or CLEAR must be decoded or refused, never misread. */
#include <stdlib.h>
#include <string.h>

#include "../clear.h"
#include "../plan.h"
#include "../steps.h"
#include "../walk.h"
#include "../wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads every string and list of a plan that was accepted, so that a wrong pointer is noticed. */
static size_t touch(const struct plan *plan)
{
    size_t sum = strlen(plan->exec) + strlen(plan->program.path) + strlen(plan->cwd.path);
    for (size_t i = 0; i < plan->argc; i++) {
        sum += strlen(plan->argv[i]);
    }
    for (size_t i = 0; i < plan->envc; i++) {
        sum += strlen(plan->env[i]);
    }
    for (size_t i = 0; i < plan->landlock_path_count; i++) {
        sum += strlen(plan->landlock_paths[i].path.path);
    }
    for (size_t i = 0; i < plan->scratch_folder_count; i++) {
        sum += strlen(plan->scratch_folders[i]);
    }
    for (size_t i = 0; i < plan->broker_place_count; i++) {
        sum += strlen(plan->broker_places[i].path);
    }
    for (size_t i = 0; i < plan->broker_socket_count; i++) {
        sum += strlen(plan->broker_sockets[i].path);
    }
    for (size_t i = 0; i < plan->step_count; i++) {
        const struct step *step = &plan->steps[i];
        sum += step->target == NULL ? 0 : strlen(step->target);
        sum += step->text == NULL ? 0 : strlen(step->text);
        sum += step->bytes == NULL || step->size == 0 ? 0 : step->bytes[step->size - 1];
    }
    for (size_t i = 0; i < plan->watch_name_count; i++) {
        sum += plan->watch_names[i].length;
    }
    for (size_t i = 0; i < plan->filter_length; i++) {
        sum += plan->filter[i].k;
    }
    if (plan->argc < 1 || plan->argv[plan->argc] != NULL || plan->env[plan->envc] != NULL) {
        abort();
    }
    return sum;
}

static void decode_walk(const uint8_t *data, size_t size)
{
    struct walk_request request;
    struct failure failure;
    if (walk_decode(&request, data, size, &failure)) {
        for (size_t i = 0; i < request.pattern_count; i++) {
            pattern_matches(&request.patterns[i], request.root.path, strlen(request.root.path));
        }
    }
    walk_free(&request);
}

static size_t decode_clear(const uint8_t *data, size_t size)
{
    struct clear_request request;
    struct failure failure;
    size_t sum = 0;
    if (clear_decode(&request, data, size, &failure)) {
        sum = strlen(request.parent.path) + strlen(request.name);
    }
    clear_free(&request);
    return sum;
}

static void split_messages(const uint8_t *data, size_t size)
{
    struct wire_in in = {.fd = -1, .buffer = malloc(size + 1), .capacity = size + 1, .end = size};
    if (in.buffer == NULL) {
        return;
    }
    memcpy(in.buffer, data, size);
    struct message message;
    while (wire_next(&in, &message) == WIRE_MESSAGE) {
        if (message.payload + message.length > in.buffer + in.end) {
            abort();
        }
    }
    free(in.buffer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct plan plan;
    struct failure failure;
    volatile size_t sum = 0;
    if (plan_decode(&plan, data, size, &failure)) {
        sum = touch(&plan);
    }
    plan_free(&plan);
    decode_walk(data, size);
    sum += decode_clear(data, size);
    (void)sum;
    split_messages(data, size);
    return 0;
}
