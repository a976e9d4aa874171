#include "watch.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "clock.h"
#include "fds.h"
#include "paths.h"

#define SLICE_NS 1000000u
/* Between two looks at the clock. */
#define ROUNDS 32

void watch_open(struct watch *watch, const struct plan *plan, struct wire_out *out)
{
    watch->plan = plan;
    watch->out = out;
    watch->root = watch->queue = watch->scanned_fd = -1;
    watch->state = plan->watch_mode == PLAN_WATCH_NONE ? WATCH_OFF : WATCH_STARTING;
    watch->left = plan->watch_told;
    if (watch->state == WATCH_OFF) {
        return;
    }
    struct failure failure;
    watch->root = paths_open(&plan->watch_root, &failure);
    watch->queue = inotify_init1(IN_NONBLOCK | IN_CLOEXEC); /* Linux 2.6.27 */
    if (watch->root < 0 || watch->queue < 0) {
        watch_fail(watch, watch->root < 0 ? failure.error : errno);
        return;
    }
    watch_push(watch, NULL, "", false);
}

bool watch_all(struct watch *watch, struct failure *failure)
{
    while (watch->state == WATCH_STARTING) {
        watch_work(watch);
        int error = wire_flush_all(watch->out);
        if (error != 0) {
            return fail(failure, STAGE_WIRE, -error, "messages out");
        }
    }
    return watch->state != WATCH_OFF || fail(failure, STAGE_WATCH, watch->error, "inotify");
}

void watch_close(struct watch *watch)
{
    fds_close(&watch->root);
    fds_close(&watch->queue);
    fds_close(&watch->scanned_fd);
    watch->state = WATCH_OFF;
}

/* A name in a watched folder: what it stands for is looked up only where it matters. */
static void take_name(struct watch *watch, struct watched *folder, const struct inotify_event *event)
{
    enum match match = watch_match(watch, folder, event->name);
    if (match != MATCH_NONE) {
        struct stat status;
        memset(&status, 0, sizeof status);
        int fd = watch_open_folder(watch, folder);
        bool found = fd >= 0 && fstatat(fd, event->name, &status, AT_SYMLINK_NOFOLLOW) == 0;
        int error = found ? 0 : errno;
        fds_close(&fd);
        watch_tell(watch, SEEN_NAME, &status, error, folder, event->name);
    }
    if ((event->mask & IN_ISDIR) != 0) {
        watch_push(watch, folder, event->name, match == MATCH_DEEP);
    }
}

static void take_event(struct watch *watch, const struct inotify_event *event)
{
    if ((event->mask & IN_Q_OVERFLOW) != 0) {
        watch_fail(watch, EOVERFLOW);
        return;
    }
    struct watched *watched = watch_tree_find(&watch->tree, event->wd);
    if (watched == NULL) {
        return;
    }
    if ((event->mask & IN_IGNORED) != 0) {
        watch_tree_remove(&watch->tree, watched);
    } else if (watched->file) {
        const struct stat none = {0};
        watch_tell(watch, SEEN_CHANGED, &none, 0, watched, NULL);
    } else if (event->len > 0) {
        take_name(watch, watched, event);
    }
}

/* False: there is none. */
static bool next_event(struct watch *watch)
{
    if (watch->start == watch->end) {
        ssize_t got = read(watch->queue, watch->events, WATCH_EVENTS);
        if (got <= 0) {
            return false;
        }
        watch->start = 0;
        watch->end = (size_t)got;
    }
    const struct inotify_event *event = (const void *)(watch->events + watch->start);
    size_t size = sizeof *event + event->len;
    watch->start += size;
    take_event(watch, event);
    watch->consumed += size; /* what it leads to is on the stack */
    return true;
}

static bool is_active(const struct watch *watch)
{
    return watch->state == WATCH_STARTING || watch->state == WATCH_ON;
}

/* False: nothing is left to do. While the watch starts, events are taken between scans, so that
 * their queue does not run over. */
static bool one_round(struct watch *watch)
{
    bool starting = watch->state == WATCH_STARTING;
    if (starting && next_event(watch) && (!is_active(watch) || !watch_room(watch))) {
        return true;
    }
    if (watch_scan(watch)) {
        return true;
    }
    if (starting) {
        watch->state = WATCH_ON;
        watch_tell_start(watch, 0);
    }
    return next_event(watch);
}

void watch_work(struct watch *watch)
{
    uint64_t until = clock_now() + SLICE_NS;
    do {
        for (int round = 0; round < ROUNDS; round++) {
            if (!is_active(watch) || !watch_room(watch) || !one_round(watch)) {
                return;
            }
        }
    } while (clock_now() < until);
}

int watch_wait(const struct watch *watch)
{
    return is_active(watch) && watch_room(watch) ? watch->queue : -1;
}

bool watch_busy(const struct watch *watch)
{
    bool work = watch->state == WATCH_STARTING || watch->stack != NULL || watch->scanned_fd >= 0 ||
                watch->start < watch->end;
    return is_active(watch) && watch_room(watch) && work;
}

uint64_t watch_mark(const struct watch *watch)
{
    int queued = 0;
    if (is_active(watch) && ioctl(watch->queue, FIONREAD, &queued) != 0) {
        queued = 0;
    }
    return watch->consumed + (watch->end - watch->start) + (uint64_t)queued;
}

bool watch_reached(const struct watch *watch, uint64_t mark)
{
    if (watch->state != WATCH_ON) {
        return watch->state != WATCH_STARTING;
    }
    bool scanned = watch->stack == NULL && watch->scanned_fd < 0;
    /* An event is taken only when all that the one before it led to is done. */
    return watch->consumed > mark || (watch->consumed == mark && scanned);
}

void watch_tree_dead(struct watch *watch)
{
    if (watch->state == WATCH_STARTING) {
        watch_lose(watch, EINPROGRESS);
    }
}

uint32_t watch_told(const struct watch *watch)
{
    return watch->told;
}

bool watch_answered(const struct watch *watch, uint32_t told)
{
    return watch->judged >= told;
}

bool watch_refused(const struct watch *watch, uint32_t told)
{
    return watch->refused != 0 && watch->refused <= told;
}

bool watch_holds(const struct watch *watch)
{
    return watch->plan->watch_mode == PLAN_WATCH_HOLD;
}

bool watch_answer(struct watch *watch, uint32_t number, uint32_t answer)
{
    if (number != watch->judged + 1 || number > watch->told || answer > 1) {
        return false;
    }
    watch->judged = number;
    watch->refused = watch->refused == 0 && answer == 1 ? number : watch->refused;
    return true;
}
