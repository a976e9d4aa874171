/* What the caller has at the number that it wants to connect, read from /proc. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "broker.h"

/* proc_pid_net(5): states of a socket in /proc/net/unix. */
enum { STATE_UNCONNECTED = 1 };
#define FLAG_LISTENS 0x10000u

static bool read_line(FILE *file, char *line, size_t size)
{
    return fgets(line, (int)size, file) != NULL;
}

static uint32_t flags_of(const struct broker_call *call, int fd)
{
    char path[64], line[128];
    unsigned flags = 0;
    snprintf(path, sizeof path, "/proc/%d/fdinfo/%d", (int)call->task, fd);
    FILE *file = fopen(path, "re");
    while (file != NULL && read_line(file, line, sizeof line) && sscanf(line, "flags: %o", &flags) != 1) {
    }
    if (file != NULL) {
        fclose(file);
    }
    return flags;
}

/* The row of an inode in /proc/net/unix: 0 or an errno. */
static int look_up(unsigned long wanted, struct broker_own_socket *socket)
{
    FILE *file = fopen("/proc/self/net/unix", "re");
    char line[512];
    int error = file == NULL ? EACCES : ENOTSOCK;
    while (error == ENOTSOCK && read_line(file, line, sizeof line)) {
        unsigned flags, type, state;
        unsigned long inode;
        char name[8] = "";
        /* Num RefCount Protocol Flags Type St Inode Path */
        if (sscanf(line, "%*s %*x %*x %x %x %x %lu %7s", &flags, &type, &state, &inode, name) < 4 ||
            inode != wanted) {
            continue;
        }
        socket->type = (int)type;
        error = 0;
        if ((flags & FLAG_LISTENS) != 0) {
            error = EINVAL;
        } else if (state != STATE_UNCONNECTED) {
            error = EISCONN;
        } else if (name[0] != '\0') {
            error = EOPNOTSUPP; /* its name would be lost */
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return error;
}

int broker_own_socket(const struct broker_call *call, int fd, struct broker_own_socket *socket)
{
    char path[64], link[64];
    unsigned long inode;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)call->task, fd);
    ssize_t length = readlink(path, link, sizeof link - 1);
    if (length < 0) {
        return errno == ENOENT ? EBADF : EPERM;
    }
    link[length] = '\0';
    if (sscanf(link, "socket:[%lu]", &inode) != 1) {
        return ENOTSOCK;
    }
    socket->flags = flags_of(call, fd);
    return look_up(inode, socket);
}
