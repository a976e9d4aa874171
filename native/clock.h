/*
 * Time. CLOCK_MONOTONIC: a machine that sleeps does not use up the time of a run; stopping the
 * command does. Instants are nanoseconds; CLOCK_NEVER stands for none.
 */
#ifndef PALDRON_CLOCK_H
#define PALDRON_CLOCK_H

#include <stdint.h>
#include <time.h>

#define CLOCK_NEVER UINT64_MAX

static inline uint64_t clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The instant `milliseconds` from now; one beyond the range of the type is never. */
static inline uint64_t clock_after(uint64_t milliseconds)
{
    uint64_t now = clock_now();
    return milliseconds > (CLOCK_NEVER - now) / 1000000u ? CLOCK_NEVER
                                                         : now + milliseconds * 1000000u;
}

#endif
