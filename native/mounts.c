#include "mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "uapi_mount.h"

#ifndef AT_RECURSIVE
#define AT_RECURSIVE 0x8000 /* Linux 5.2 */
#endif

static int configure(int context, const struct fs_option *options, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (syscall(PLD_SYS_FSCONFIG, context, PLD_FSCONFIG_SET_STRING, options[i].key,
                    options[i].value, 0) != 0) {
            return -errno;
        }
    }
    return syscall(PLD_SYS_FSCONFIG, context, PLD_FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0 ? 0
                                                                                           : -errno;
}

int mounts_new(const char *type, const struct fs_option *options, size_t count,
               uint32_t attributes)
{
    int context = (int)syscall(PLD_SYS_FSOPEN, type, PLD_FSOPEN_CLOEXEC);
    if (context < 0) {
        return -errno;
    }
    int result = configure(context, options, count);
    if (result == 0) {
        result = (int)syscall(PLD_SYS_FSMOUNT, context, PLD_FSMOUNT_CLOEXEC, attributes);
        result = result < 0 ? -errno : result;
    }
    close(context);
    return result;
}

int mounts_copy(int fd)
{
    int copy = (int)syscall(PLD_SYS_OPEN_TREE, fd, "",
                            PLD_OPEN_TREE_CLONE | PLD_OPEN_TREE_CLOEXEC | AT_EMPTY_PATH |
                                AT_RECURSIVE);
    return copy < 0 ? -errno : copy;
}

int mounts_restrict(int mount, uint32_t attributes, bool below)
{
    struct pld_mount_attr attr = {.attr_set = attributes};
    unsigned flags = AT_EMPTY_PATH | (below ? AT_RECURSIVE : 0);
    if (attributes == 0 ||
        syscall(PLD_SYS_MOUNT_SETATTR, mount, "", flags, &attr, sizeof attr) == 0) {
        return 0;
    }
    return -errno;
}

int mounts_attach(int mount, int place)
{
    return syscall(PLD_SYS_MOVE_MOUNT, mount, "", place, "",
                   PLD_MOVE_MOUNT_F_EMPTY_PATH | PLD_MOVE_MOUNT_T_EMPTY_PATH) == 0
               ? 0
               : -errno;
}
