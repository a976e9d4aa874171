/* Modes, owners, times and extended attributes: chmod(2), chown(2), utimensat(2), xattr(7). */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "broker.h"
#include "uapi.h"

#define NAME_SIZE 256       /* XATTR_NAME_MAX and the end */
#define VALUE_SIZE (64 << 10) /* XATTR_SIZE_MAX */

struct metadata_call;
typedef int metadata_act(const struct broker *broker, const struct broker_call *call,
                         const struct metadata_call *how, int file);

/* Which arguments name the file; -1: none. */
struct metadata_call {
    long number;
    int folder, path, flags;
    int fixed;   /* AT_* flags that the call implies */
    int allowed; /* AT_* flags that it takes */
    int first;   /* the first of its other arguments */
    metadata_act *act;
};

/* The file behind a descriptor, by a path; `/proc/self/fd` leads to it and to nothing else. */
static void path_of(int file, char *into, size_t size)
{
    snprintf(into, size, "/proc/self/fd/%d", file);
}

static bool is_link(int file)
{
    struct stat status;
    return fstat(file, &status) != 0 || S_ISLNK(status.st_mode);
}

static int change_mode(const struct broker *broker, const struct broker_call *call,
                       const struct metadata_call *how, int file)
{
    (void)broker;
    char path[64];
    path_of(file, path, sizeof path);
    if (is_link(file)) {
        return EOPNOTSUPP;
    }
    return chmod(path, (mode_t)call->args[how->first] & 07777) == 0 ? 0 : errno;
}

static int change_owner(const struct broker *broker, const struct broker_call *call,
                        const struct metadata_call *how, int file)
{
    (void)broker;
    uid_t uid = (uid_t)call->args[how->first];
    gid_t gid = (gid_t)call->args[how->first + 1];
    return fchownat(file, "", uid, gid, AT_EMPTY_PATH) == 0 ? 0 : errno;
}

static int set_times(int file, const struct timespec *times)
{
    /* AT_EMPTY_PATH: Linux 5.8, of a link itself too. */
    return syscall(SYS_utimensat, file, "", times, AT_EMPTY_PATH) == 0 ? 0 : errno;
}

static int change_times(const struct broker *broker, const struct broker_call *call,
                        const struct metadata_call *how, int file)
{
    struct timespec times[2];
    uint64_t address = call->args[how->first];
    int error = address == 0 ? 0 : broker_read(broker, call, address, times, sizeof times);
    return error != 0 ? error : set_times(file, address == 0 ? NULL : times);
}

#ifdef SYS_utimes
static int change_times_us(const struct broker *broker, const struct broker_call *call,
                           const struct metadata_call *how, int file)
{
    int64_t given[4];
    uint64_t address = call->args[how->first];
    if (address == 0) {
        return set_times(file, NULL);
    }
    int error = broker_read(broker, call, address, given, sizeof given);
    if (error != 0) {
        return error;
    }
    if (given[1] < 0 || given[1] >= 1000000 || given[3] < 0 || given[3] >= 1000000) {
        return EINVAL;
    }
    struct timespec times[2] = {{given[0], given[1] * 1000}, {given[2], given[3] * 1000}};
    return set_times(file, times);
}

static int change_times_s(const struct broker *broker, const struct broker_call *call,
                          const struct metadata_call *how, int file)
{
    int64_t given[2];
    uint64_t address = call->args[how->first];
    int error = address == 0 ? 0 : broker_read(broker, call, address, given, sizeof given);
    struct timespec times[2] = {{0, 0}, {0, 0}};
    if (address != 0 && error == 0) {
        times[0].tv_sec = given[0];
        times[1].tv_sec = given[1];
    }
    return error != 0 ? error : set_times(file, address == 0 ? NULL : times);
}
#endif

static int read_name(const struct broker *broker, const struct broker_call *call, uint64_t address,
                     char *into)
{
    int error = broker_read_string(broker, call, address, into, NAME_SIZE, ERANGE);
    return error == 0 && into[0] == '\0' ? ERANGE : error;
}

/* Only attributes that the kernel keeps to privileged processes exist on links. */
static int put_attribute(const struct broker *broker, const struct broker_call *call, int file,
                         const uint64_t *name_value_size_flags)
{
    static char value[VALUE_SIZE];
    char name[NAME_SIZE], path[64];
    size_t size = (size_t)name_value_size_flags[2];
    int error = read_name(broker, call, name_value_size_flags[0], name);
    if (error != 0 || size > sizeof value) {
        return error != 0 ? error : E2BIG;
    }
    error = size == 0 ? 0 : broker_read(broker, call, name_value_size_flags[1], value, size);
    if (error != 0 || is_link(file)) {
        return error != 0 ? error : EPERM;
    }
    path_of(file, path, sizeof path);
    return setxattr(path, name, value, size, (int)name_value_size_flags[3]) == 0 ? 0 : errno;
}

static int set_attribute(const struct broker *broker, const struct broker_call *call,
                         const struct metadata_call *how, int file)
{
    return put_attribute(broker, call, file, &call->args[how->first]);
}

/* setxattrat(2): value, size and flags lie in a structure. */
static int set_attribute_at(const struct broker *broker, const struct broker_call *call,
                            const struct metadata_call *how, int file)
{
    struct {
        uint64_t value;
        uint32_t size, flags;
    } given;
    if (call->args[how->first + 2] != sizeof given) {
        return EINVAL;
    }
    int error = broker_read(broker, call, call->args[how->first + 1], &given, sizeof given);
    uint64_t arguments[4] = {call->args[how->first], given.value, given.size, given.flags};
    return error != 0 ? error : put_attribute(broker, call, file, arguments);
}

static int remove_attribute(const struct broker *broker, const struct broker_call *call,
                            const struct metadata_call *how, int file)
{
    char name[NAME_SIZE], path[64];
    int error = read_name(broker, call, call->args[how->first], name);
    if (error != 0 || is_link(file)) {
        return error != 0 ? error : EPERM;
    }
    path_of(file, path, sizeof path);
    return removexattr(path, name) == 0 ? 0 : errno;
}

#define NOFOLLOW AT_SYMLINK_NOFOLLOW
#define BOTH (AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH)

static const struct metadata_call calls[] = {
#ifdef SYS_chmod /* calls that aarch64 never had */
    {SYS_chmod, -1, 0, -1, 0, 0, 1, change_mode},
    {SYS_chown, -1, 0, -1, 0, 0, 1, change_owner},
    {SYS_lchown, -1, 0, -1, NOFOLLOW, 0, 1, change_owner},
    {SYS_utime, -1, 0, -1, 0, 0, 1, change_times_s},
    {SYS_utimes, -1, 0, -1, 0, 0, 1, change_times_us},
    {SYS_futimesat, 0, 1, -1, 0, 0, 2, change_times_us},
#endif
    {SYS_fchmod, 0, -1, -1, 0, 0, 1, change_mode},
    {SYS_fchmodat, 0, 1, -1, 0, 0, 2, change_mode},
    {PLD_SYS_FCHMODAT2, 0, 1, 3, 0, BOTH, 2, change_mode},
    {SYS_fchown, 0, -1, -1, 0, 0, 1, change_owner},
    {SYS_fchownat, 0, 1, 4, 0, BOTH, 2, change_owner},
    {SYS_utimensat, 0, 1, 3, 0, BOTH, 2, change_times},
    {SYS_setxattr, -1, 0, -1, 0, 0, 1, set_attribute},
    {SYS_lsetxattr, -1, 0, -1, NOFOLLOW, 0, 1, set_attribute},
    {SYS_fsetxattr, 0, -1, -1, 0, 0, 1, set_attribute},
    {PLD_SYS_SETXATTRAT, 0, 1, 2, 0, BOTH, 3, set_attribute_at},
    {SYS_removexattr, -1, 0, -1, 0, 0, 1, remove_attribute},
    {SYS_lremovexattr, -1, 0, -1, NOFOLLOW, 0, 1, remove_attribute},
    {SYS_fremovexattr, 0, -1, -1, 0, 0, 1, remove_attribute},
    {PLD_SYS_REMOVEXATTRAT, 0, 1, 2, 0, BOTH, 3, remove_attribute},
};

static int act(const struct broker *broker, const struct broker_call *call,
               const struct metadata_call *how)
{
    char path[PATH_MAX];
    uint64_t address = how->path < 0 ? 0 : call->args[how->path];
    int folder = how->folder < 0 ? AT_FDCWD : (int)call->args[how->folder];
    int flags = how->flags < 0 ? 0 : (int)call->args[how->flags];
    if ((flags & ~how->allowed) != 0) {
        return EINVAL;
    }
    /* Of those that take a path only the calls for times take none as the descriptor. */
    bool may_lack = how->path < 0 || (how->folder >= 0 && how->act != change_mode &&
                                      how->act != change_owner && how->first == 2);
    int error = address != 0 ? broker_read_string(broker, call, address, path, sizeof path, ENAMETOOLONG)
                             : (may_lack && folder != AT_FDCWD ? 0 : EFAULT);
    if (error != 0) {
        return error;
    }
    int target = broker_open(call, folder, address != 0 ? path : NULL, flags | how->fixed);
    int file = target < 0 ? target : broker_hold(broker, target);
    if (file < 0) {
        return -file;
    }
    error = how->act(broker, call, how, file);
    close(file);
    return error;
}

bool broker_metadata(const struct broker *broker, const struct broker_call *call,
                     struct broker_answer *answer)
{
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        if (calls[i].number == call->number) {
            int error = act(broker, call, &calls[i]);
            *answer = error == 0 ? broker_value(0) : broker_error(error);
            return true;
        }
    }
    return false;
}
