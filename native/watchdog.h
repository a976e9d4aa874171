/* Looks at the whole tree from time to time and says when it has grown too large. */
#ifndef PALDRON_WATCHDOG_H
#define PALDRON_WATCHDOG_H

#include "plan.h"
#include "tree.h"

enum watchdog_finding { WATCHDOG_FINE, WATCHDOG_MEMORY, WATCHDOG_TASKS };

struct watchdog {
    const struct plan *plan;
    struct tree tree;
    uint64_t next; /* instant of the next look, CLOCK_NEVER without a watchdog */
};

void watchdog_start(struct watchdog *watchdog, const struct plan *plan);

/* Looks once and sets the next time. */
enum watchdog_finding watchdog_look(struct watchdog *watchdog);
void watchdog_stop(struct watchdog *watchdog);

#endif
