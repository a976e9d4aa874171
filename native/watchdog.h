/* Looks at the whole tree, and at the disk it writes to, from time to time, and says what has gone too far. */
#ifndef PALDRON_WATCHDOG_H
#define PALDRON_WATCHDOG_H

#include "plan.h"
#include "tree.h"

enum watchdog_finding { WATCHDOG_FINE, WATCHDOG_MEMORY, WATCHDOG_TASKS, WATCHDOG_ROOM };

struct watchdog {
    const struct plan *plan;
    struct tree tree;
    int room; /* the folder whose file system is looked at, -1 without one */
    uint64_t next; /* instant of the next look, CLOCK_NEVER without a watchdog */
};

void watchdog_start(struct watchdog *watchdog, const struct plan *plan);

/* Looks once and sets the next time. */
enum watchdog_finding watchdog_look(struct watchdog *watchdog);
void watchdog_stop(struct watchdog *watchdog);

#endif
