/* What the watch says: SEEN and WATCHING. */
#include <errno.h>
#include <string.h>

#include "fds.h"
#include "watch.h"

#define SEEN_HEAD 68u

bool watch_room(const struct watch *watch)
{
    return wire_room(watch->out) >= SEEN_HEAD + WATCH_PATH_MAX;
}

void watch_tell(struct watch *watch, enum seen_kind kind, const struct stat *status, int error,
                const struct watched *folder, const char *name)
{
    static char path[WATCH_PATH_MAX];
    ssize_t length = folder == NULL ? 0 : watched_path(folder, name, path);
    if (length < 0) {
        watch_fail(watch, ENAMETOOLONG);
        return;
    }
    /* What was there at the start is bounded by itself. */
    if (watch->state == WATCH_ON && watch->left-- == 0) {
        watch_fail(watch, ENOBUFS);
        return;
    }
    uint8_t head[SEEN_HEAD];
    uint8_t *at = put_u32(head, ++watch->told);
    at = put_u32(at, (uint32_t)kind);
    put_status(at, status, error);
    /* There is room where it comes often: watch_work() looks. */
    wire_send(watch->out, MESSAGE_SEEN, head, sizeof head, path, (size_t)length);
}

void watch_tell_start(struct watch *watch, int error)
{
    uint8_t head[12];
    put_u64(put_u32(head, (uint32_t)error), watch->folders);
    wire_send(watch->out, MESSAGE_WATCHING, head, sizeof head, NULL, 0);
}

void watch_lose(struct watch *watch, int error)
{
    const struct stat none = {0};
    watch->state = WATCH_LOST;
    watch_tell(watch, SEEN_LOST, &none, error, NULL, NULL);
}

void watch_fail(struct watch *watch, int error)
{
    if (watch->state == WATCH_STARTING) {
        watch->state = WATCH_OFF;
        watch->error = error;
        fds_close(&watch->queue);
        watch_tell_start(watch, error);
    } else if (watch->state == WATCH_ON) {
        watch_lose(watch, error);
    }
}
