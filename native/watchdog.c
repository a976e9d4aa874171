#include "watchdog.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "clock.h"
#include "paths.h"

/* Looking at a large tree takes long; at most a tenth of the time goes into it. */
#define SHARE 10u

void watchdog_start(struct watchdog *watchdog, const struct plan *plan)
{
    *watchdog = (struct watchdog){.plan = plan, .next = CLOCK_NEVER, .room = -1};
    if (plan->has_room) {
        struct failure ignored; /* a folder that cannot be looked at has no room */
        watchdog->room = paths_open(&plan->room_folder, &ignored);
    }
    if (plan->has_watchdog &&
        (plan->watchdog_memory > 0 || plan->watchdog_tasks > 0 || plan->has_room)) {
        watchdog->next = clock_after(plan->watchdog_interval_ms);
    }
}

static bool read_file(pid_t pid, const char *name, char *text, size_t size)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    ssize_t got = read(fd, text, size - 1);
    close(fd);
    if (got <= 0) {
        return false;
    }
    text[got] = '\0';
    return true;
}

/* The number of `key` in a file of "Key:   123 kB" lines, in bytes; 0 where it is missing. */
static uint64_t value_of(const char *text, const char *key)
{
    const char *line = strstr(text, key);
    return line == NULL ? 0 : strtoull(line + strlen(key), NULL, 10) * 1024;
}

/* Quick, and too much where processes share pages: proc_pid_status(5). */
static uint64_t resident(pid_t pid)
{
    char text[4096];
    if (!read_file(pid, "status", text, sizeof text)) {
        return 0;
    }
    return value_of(text, "\nRssAnon:") + value_of(text, "\nRssShmem:") +
           value_of(text, "\nVmSwap:");
}

/* Slow, and shared pages are divided among those who share them. Of a process that made itself
 * undumpable the kernel tells nothing; the quick number has to do. Linux 5.9 for Pss_Anon. */
static uint64_t proportional(pid_t pid)
{
    char text[4096];
    if (!read_file(pid, "smaps_rollup", text, sizeof text) ||
        strstr(text, "\nPss_Anon:") == NULL) {
        return resident(pid);
    }
    return value_of(text, "\nPss_Anon:") + value_of(text, "\nPss_Shmem:") +
           value_of(text, "\nSwapPss:");
}

static bool above(const struct tree *tree, uint64_t limit, uint64_t (*measure)(pid_t))
{
    uint64_t sum = 0;
    for (size_t i = 0; i < tree->count && sum <= limit; i++) {
        sum += measure(tree->pids[i]);
    }
    return sum > limit;
}

/* fstatfs(2), on an O_PATH descriptor since Linux 3.12. */
static bool has_room(const struct watchdog *watchdog)
{
    const struct plan *plan = watchdog->plan;
    struct statfs found;
    if (!plan->has_room) {
        return true;
    }
    if (watchdog->room < 0 || fstatfs(watchdog->room, &found) != 0) {
        return false;
    }
    return (uint64_t)found.f_bavail * (uint64_t)found.f_bsize >= plan->room_bytes &&
           (uint64_t)found.f_ffree >= plan->room_inodes;
}

static enum watchdog_finding look(struct watchdog *watchdog)
{
    if (!has_room(watchdog)) {
        return WATCHDOG_ROOM;
    }
    const struct plan *plan = watchdog->plan;
    struct tree *tree = &watchdog->tree;
    /* Guardian and broker are part of what is read, and none of the run's own. */
    size_t own = plan->broker != 0 ? 2 : 1;
    size_t limit = plan->watchdog_tasks == 0 ? 0 : (size_t)plan->watchdog_tasks + own;
    if (!tree_read(tree, limit)) {
        return WATCHDOG_FINE;
    }
    if (limit > 0 && tree->tasks > limit) {
        return WATCHDOG_TASKS;
    }
    uint64_t memory = plan->watchdog_memory;
    if (memory > 0 && above(tree, memory, resident) && above(tree, memory, proportional)) {
        return WATCHDOG_MEMORY;
    }
    return WATCHDOG_FINE;
}

enum watchdog_finding watchdog_look(struct watchdog *watchdog)
{
    uint64_t start = clock_now();
    enum watchdog_finding finding = look(watchdog);
    uint64_t spent_ms = (clock_now() - start) / 1000000u;
    uint64_t interval = watchdog->plan->watchdog_interval_ms;
    watchdog->next = clock_after(interval > spent_ms * SHARE ? interval : spent_ms * SHARE);
    return finding;
}

void watchdog_stop(struct watchdog *watchdog)
{
    tree_free(&watchdog->tree);
    if (watchdog->room >= 0) {
        close(watchdog->room);
        watchdog->room = -1;
    }
    watchdog->next = CLOCK_NEVER;
}
