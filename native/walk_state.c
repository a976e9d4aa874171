#include "walk_state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "uapi.h"

#define ENTRY_HEAD 68u

/* Doubles *memory until it holds `needed` bytes. */
static bool reserve(struct walk *walk, void *memory, size_t *capacity, size_t needed)
{
    void **block = memory;
    if (needed <= *capacity) {
        return true;
    }
    size_t wanted = *capacity < 4096 ? 4096 : *capacity * 2;
    wanted = wanted < needed ? needed : wanted;
    void *grown = realloc(*block, wanted);
    if (grown == NULL) {
        return fail(walk->failure, STAGE_MEMORY, ENOMEM, "walk");
    }
    *block = grown;
    *capacity = wanted;
    return true;
}

/* Writes folder/name into walk->path; sets its length. */
static bool put_path(struct walk *walk, const struct frame *folder, const char *name,
                     size_t *length)
{
    size_t start = folder->path_length;
    size_t name_length = strlen(name);
    if (!reserve(walk, &walk->path, &walk->path_capacity, start + name_length + 2)) {
        return false;
    }
    if (start > 0) {
        walk->path[start++] = '/';
    }
    memcpy(walk->path + start, name, name_length);
    *length = start + name_length;
    return true;
}

bool walk_push(struct walk *walk, int fd, const char *name, bool reported)
{
    size_t bytes = walk->frame_capacity;
    if (!reserve(walk, &walk->frames, &bytes, (walk->depth + 1) * sizeof(struct frame))) {
        return false;
    }
    walk->frame_capacity = bytes;
    size_t length = 0;
    if (walk->depth > 0 && !put_path(walk, &walk->frames[walk->depth - 1], name, &length)) {
        return false;
    }
    walk->frames[walk->depth++] = (struct frame){
        .fd = fd,
        .path_length = length,
        .names_start = walk->names_length,
        .reported = reported,
    };
    return true;
}

bool walk_remember(struct walk *walk, const char *name, size_t length, bool reported)
{
    if (!reserve(walk, &walk->names, &walk->names_capacity, walk->names_length + length + 2)) {
        return false;
    }
    char *at = walk->names + walk->names_length;
    memcpy(at, name, length);
    at[length] = (char)(unsigned char)length;
    at[length + 1] = reported ? 1 : 0;
    walk->names_length += length + 2;
    return true;
}

bool walk_next(struct walk *walk, char name[256], bool *reported)
{
    const struct frame *frame = &walk->frames[walk->depth - 1];
    if (walk->names_length == frame->names_start) {
        return false;
    }
    const char *end = walk->names + walk->names_length;
    size_t length = (unsigned char)end[-2];
    *reported = end[-1] != 0;
    memcpy(name, end - 2 - length, length);
    name[length] = '\0';
    walk->names_length -= length + 2;
    return true;
}

void walk_forget(struct walk *walk, const struct frame *frame)
{
    walk->names_length = frame->names_start;
}

static bool sent(struct walk *walk, int error)
{
    return error == 0 || fail(walk->failure, STAGE_WIRE, -error, "messages out");
}

static bool send_entry(struct walk *walk, enum entry_kind kind, const struct stat *status,
                       int error, size_t path_length)
{
    uint8_t head[ENTRY_HEAD];
    uint8_t *at = put_u32(head, walk->request->id);
    at = put_u32(at, (uint32_t)kind);
    put_status(at, status, error);
    walk->reported++;
    return sent(walk, wire_send(walk->out, MESSAGE_ENTRY, head, sizeof head, walk->path,
                                path_length));
}

bool walk_report(struct walk *walk, enum entry_kind kind, const struct stat *status, int error,
                 const struct frame *folder, const char *name)
{
    size_t length;
    return put_path(walk, folder, name, &length) &&
           send_entry(walk, kind, status, error, length);
}

bool walk_report_unread(struct walk *walk, const struct frame *folder, int error)
{
    struct stat status;
    if (folder->fd < 0 || fstat(folder->fd, &status) != 0) {
        memset(&status, 0, sizeof status);
    }
    return send_entry(walk, ENTRY_UNREAD, &status, error, folder->path_length);
}

/* Whether a link is not known to end below the root of the walk. */
static bool may_lead_out(struct walk *walk, const struct frame *folder, const char *name)
{
    size_t length;
    if (!put_path(walk, folder, name, &length)) {
        return true; /* reporting it fails as well */
    }
    walk->path[length] = '\0'; /* put_path() left room for it */
    /* O_PATH opens nothing: a device or FIFO behind it notices nothing. */
    struct pld_open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = PLD_RESOLVE_BENEATH};
    long end = syscall(PLD_SYS_OPENAT2, walk->frames[0].fd, walk->path, &how, sizeof how);
    if (end >= 0) {
        close((int)end);
    }
    return end < 0;
}

bool walk_is_odd(struct walk *walk, const struct frame *frame, const char *name, size_t length,
                 unsigned char type)
{
    if (name_has_control(name, length)) {
        return true;
    }
    if (type == PLD_DT_LNK) {
        return may_lead_out(walk, frame, name);
    }
    return type != PLD_DT_REG && type != PLD_DT_DIR;
}

bool walk_finish(struct walk *walk, uint32_t status, uint32_t error)
{
    uint8_t head[36];
    uint8_t *at = put_u32(head, walk->request->id);
    at = put_u32(at, status);
    at = put_u32(at, error);
    at = put_u64(at, walk->folders);
    at = put_u64(at, walk->entries);
    put_u64(at, walk->reported);
    return sent(walk, wire_send(walk->out, MESSAGE_WALKED, head, sizeof head, NULL, 0)) &&
           sent(walk, wire_flush_all(walk->out));
}

void walk_release(struct walk *walk)
{
    while (walk->depth > 0) {
        walk->depth--;
        if (walk->frames[walk->depth].fd >= 0) {
            close(walk->frames[walk->depth].fd);
        }
    }
    free(walk->frames);
    free(walk->path);
    free(walk->names);
    free(walk->buffer);
}
