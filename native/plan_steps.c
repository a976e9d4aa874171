/* The steps that make the new root, read from their records. */
#include <string.h>

#include "plan_decoder.h"
#include "uapi_mount.h"

bool read_namespaces(void *into, struct cursor *payload)
{
    struct plan *plan = ((struct decoder *)into)->plan;
    plan->namespaces = cursor_u32(payload);
    return (plan->namespaces & ~PLD_CLONE_NAMESPACES) == 0 &&
           (plan->namespaces & PLD_CLONE_NEWNS) != 0;
}

/* Steps are kept in the order in which they came, whatever their kind. */
static struct step *add_step(struct decoder *decoder, enum step_kind kind)
{
    struct step *step = &decoder->plan->steps[decoder->plan->step_count++];
    step->kind = kind;
    return step;
}

static bool read_target(struct decoder *decoder, struct step *step, struct cursor *payload,
                        size_t length)
{
    step->target = arena_string(&decoder->strings, payload, length);
    return step->target != NULL && step->target[0] == '/';
}

static bool read_attributes(struct step *step, struct cursor *payload)
{
    step->attributes = cursor_u32(payload);
    return (step->attributes & ~PLD_MOUNT_ATTR_ALL) == 0;
}

static bool read_mode(struct step *step, struct cursor *payload)
{
    step->mode = cursor_u32(payload);
    return (step->mode & ~01777u) == 0;
}

bool read_step_folder(void *into, struct cursor *payload)
{
    struct step *step = add_step(into, STEP_FOLDER);
    return read_mode(step, payload) && read_target(into, step, payload, payload->left);
}

bool read_step_bind(void *into, struct cursor *payload)
{
    struct decoder *decoder = into;
    struct step *step = add_step(decoder, STEP_BIND);
    return read_attributes(step, payload) &&
           read_target(decoder, step, payload, cursor_u32(payload)) &&
           arena_path(&decoder->strings, payload, &step->source);
}

bool read_step_tmpfs(void *into, struct cursor *payload)
{
    struct step *step = add_step(into, STEP_TMPFS);
    bool valid = read_attributes(step, payload) && read_mode(step, payload);
    step->size = cursor_u64(payload);
    step->inodes = cursor_u64(payload);
    /* Zero would mean "no limit". */
    return valid && step->size > 0 && step->inodes > 0 &&
           read_target(into, step, payload, payload->left);
}

static bool read_pseudo(struct decoder *decoder, enum step_kind kind, struct cursor *payload)
{
    struct step *step = add_step(decoder, kind);
    return read_attributes(step, payload) && read_target(decoder, step, payload, payload->left);
}

bool read_step_proc(void *into, struct cursor *payload)
{
    return read_pseudo(into, STEP_PROC, payload);
}

bool read_step_devpts(void *into, struct cursor *payload)
{
    return read_pseudo(into, STEP_DEVPTS, payload);
}

bool read_step_link(void *into, struct cursor *payload)
{
    struct decoder *decoder = into;
    struct step *step = add_step(decoder, STEP_LINK);
    if (!read_target(decoder, step, payload, cursor_u32(payload))) {
        return false;
    }
    step->text = arena_string(&decoder->strings, payload, payload->left);
    return step->text != NULL && step->text[0] != '\0';
}

bool read_step_mask(void *into, struct cursor *payload)
{
    struct decoder *decoder = into;
    return arena_path(&decoder->strings, payload, &add_step(decoder, STEP_MASK)->source);
}

bool read_step_guard(void *into, struct cursor *payload)
{
    struct decoder *decoder = into;
    struct step *step = add_step(decoder, STEP_GUARD);
    return read_attributes(step, payload) && arena_path(&decoder->strings, payload, &step->source);
}

bool read_step_landlock(void *into, struct cursor *payload)
{
    struct decoder *decoder = into;
    struct step *step = add_step(decoder, STEP_LANDLOCK);
    step->access = cursor_u64(payload);
    return decoder->plan->has_landlock && step->access != 0 &&
           (step->access & ~decoder->plan->handled_fs) == 0 &&
           read_target(decoder, step, payload, payload->left);
}

/* The bytes are copied, as nothing may point into the payload. */
bool read_step_file(void *into, struct cursor *payload)
{
    struct decoder *decoder = into;
    struct step *step = add_step(decoder, STEP_FILE);
    bool valid = read_mode(step, payload) &&
                 read_target(decoder, step, payload, cursor_u32(payload));
    step->size = payload->left;
    uint8_t *copy = arena_take(&decoder->strings, payload->left);
    const uint8_t *bytes = cursor_bytes(payload, payload->left);
    if (!valid || copy == NULL || bytes == NULL) {
        return false;
    }
    step->bytes = memcpy(copy, bytes, step->size);
    return true;
}
