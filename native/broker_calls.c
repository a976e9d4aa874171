#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "broker.h"
#include "uapi.h"

#define PAGE 4096u

struct broker_answer broker_value(int64_t value)
{
    return (struct broker_answer){.value = value};
}

struct broker_answer broker_error(int error)
{
    return (struct broker_answer){.error = error};
}

bool broker_waits(const struct broker *broker, const struct broker_call *call)
{
    return ioctl(broker->listener, PLD_SECCOMP_NOTIF_ID_VALID, &call->id) == 0;
}

/* Closed where the caller made itself undumpable, or runs a program that it may not read. */
static int open_memory(const struct broker_call *call)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", (int)call->task);
    return open(path, O_RDONLY | O_CLOEXEC);
}

int broker_read(const struct broker *broker, const struct broker_call *call, uint64_t address,
                void *into, size_t size)
{
    int memory = open_memory(call);
    if (memory < 0) {
        return EPERM;
    }
    ssize_t got = pread(memory, into, size, (off_t)address);
    close(memory);
    if (got != (ssize_t)size) {
        return EFAULT;
    }
    return broker_waits(broker, call) ? 0 : ESRCH;
}

int broker_read_string(const struct broker *broker, const struct broker_call *call,
                       uint64_t address, char *into, size_t size, int too_long)
{
    int memory = open_memory(call);
    if (memory < 0) {
        return EPERM;
    }
    int error = too_long;
    for (size_t have = 0; have < size;) {
        /* Not past the end of a page: the next one may not be there. */
        uint64_t from = address + have;
        size_t want = PAGE - (size_t)(from % PAGE);
        want = want < size - have ? want : size - have;
        ssize_t got = pread(memory, into + have, want, (off_t)from);
        if (got <= 0) {
            error = EFAULT;
            break;
        }
        if (memchr(into + have, 0, (size_t)got) != NULL) {
            error = 0;
            break;
        }
        have += (size_t)got;
    }
    close(memory);
    if (error == 0 && !broker_waits(broker, call)) {
        error = ESRCH;
    }
    return error;
}
