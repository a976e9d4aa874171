#include "hold.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fds.h"

/* Before each chunk: u32 stream, u32 length. */
#define HEAD 8u

void hold_open(struct hold *hold, uint64_t limit)
{
    *hold = (struct hold){.fd = -1, .limit = limit};
}

static bool write_at(struct hold *hold, const void *bytes, size_t length)
{
    const uint8_t *at = bytes;
    while (length > 0) {
        ssize_t wrote = pwrite(hold->fd, at, length, (off_t)hold->write_at);
        if (wrote <= 0) {
            return false;
        }
        at += wrote;
        length -= (size_t)wrote;
        hold->write_at += (uint64_t)wrote;
    }
    return true;
}

bool hold_put(struct hold *hold, uint32_t stream, const uint8_t *bytes, size_t length)
{
    if (hold->write_at - hold->read_at + HEAD + length > hold->limit) {
        return false;
    }
    if (hold->fd < 0) {
        hold->fd = (int)syscall(SYS_memfd_create, "held output", MFD_CLOEXEC); /* Linux 3.17 */
        if (hold->fd < 0) {
            return false;
        }
    }
    const uint32_t head[2] = {stream, (uint32_t)length};
    uint64_t before = hold->write_at;
    if (write_at(hold, head, sizeof head) && write_at(hold, bytes, length)) {
        return true;
    }
    hold->write_at = before; /* whole or not at all */
    return false;
}

bool hold_pending(const struct hold *hold)
{
    return hold->read_at < hold->write_at;
}

size_t hold_take(struct hold *hold, uint32_t *stream, uint8_t *bytes, size_t capacity)
{
    uint32_t head[2];
    if (!hold_pending(hold) ||
        pread(hold->fd, head, sizeof head, (off_t)hold->read_at) != (ssize_t)sizeof head ||
        head[1] > capacity ||
        pread(hold->fd, bytes, head[1], (off_t)(hold->read_at + HEAD)) != (ssize_t)head[1]) {
        hold_drop(hold);
        return 0;
    }
    *stream = head[0];
    hold->read_at += HEAD + head[1];
    if (!hold_pending(hold)) {
        hold_drop(hold);
    }
    return head[1];
}

void hold_drop(struct hold *hold)
{
    hold->read_at = hold->write_at = 0;
    fds_close(&hold->fd);
}
