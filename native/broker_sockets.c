/*
 * connect(2) of unix sockets. The caller's own socket cannot be had (pidfd_getfd is closed in
 * containers), and letting the call go on would let it read its address once more. So a fresh
 * socket is connected to the very file that was judged and put in the place of the caller's.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "broker.h"
#include "fds.h"
#include "uapi.h"

#define PATH_AT offsetof(struct sockaddr_un, sun_path)

static bool is_named(const struct broker *broker, int target)
{
    struct stat wanted, known;
    if (fstat(target, &wanted) != 0) {
        return false;
    }
    for (size_t i = 0; i < broker->socket_count; i++) {
        if (fstat(broker->sockets[i], &known) == 0 && known.st_dev == wanted.st_dev &&
            known.st_ino == wanted.st_ino) {
            return true;
        }
    }
    return false;
}

/* Opens the file that the address names, if it may be reached. 0 or an errno. */
static int find_target(const struct broker *broker, const struct broker_call *call,
                       const struct sockaddr_un *address, struct broker_waiting *waiting)
{
    struct stat status;
    int target = broker_open(call, AT_FDCWD, address->sun_path, 0);
    if (target < 0) {
        return -target;
    }
    if (fstat(target, &status) != 0 || !S_ISSOCK(status.st_mode)) {
        close(target);
        return ECONNREFUSED; /* as the kernel says it */
    }
    waiting->named = is_named(broker, target);
    waiting->target = waiting->named ? target : broker_hold(broker, target);
    return waiting->target < 0 ? EACCES : 0;
}

static int connect_once(const struct broker_waiting *waiting)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    socklen_t length;
    if (waiting->target >= 0) {
        length = (socklen_t)PATH_AT + 1 + (socklen_t)snprintf(address.sun_path, sizeof address.sun_path,
                                                 "/proc/self/fd/%d", waiting->target);
    } else {
        length = (socklen_t)PATH_AT + waiting->abstract_length;
        memcpy(address.sun_path, waiting->abstract, waiting->abstract_length);
    }
    return connect(waiting->socket, (struct sockaddr *)&address, length) == 0 ? 0 : errno;
}

static bool born_in_run(const struct broker *broker, int target)
{
    struct statx status;
    if (target < 0 || statx(target, "", AT_EMPTY_PATH, STATX_BTIME, &status) != 0 ||
        (status.stx_mask & STATX_BTIME) == 0) {
        return false;
    }
    return status.stx_btime.tv_sec > broker->started.tv_sec ||
           (status.stx_btime.tv_sec == broker->started.tv_sec &&
            (long)status.stx_btime.tv_nsec >= broker->started.tv_nsec);
}

/* By who called listen(2). A daemon leaves the process that did so behind: then the file, which lies
 * in a place of the run, must be younger than the run. A named socket may be anybody's. */
static bool made_by_run(const struct broker *broker, const struct broker_waiting *waiting)
{
    struct ucred peer = {0, 0, 0};
    socklen_t size = sizeof peer;
    if (waiting->named) {
        return true;
    }
    if (getsockopt(waiting->socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) {
        return false;
    }
    bool left = kill(peer.pid, 0) != 0 && errno == ESRCH;
    return left ? born_in_run(broker, waiting->target) : broker_is_member(broker, peer.pid);
}

static int hand_over(const struct broker *broker, const struct broker_waiting *waiting)
{
    if (!made_by_run(broker, waiting)) {
        return waiting->target >= 0 ? EACCES : EPERM;
    }
    if ((waiting->flags & O_NONBLOCK) == 0 && fcntl(waiting->socket, F_SETFL, 0) != 0) {
        return errno;
    }
    struct pld_seccomp_addfd give = {
        .id = waiting->call.id,
        .flags = PLD_SECCOMP_ADDFD_FLAG_SETFD,
        .srcfd = (uint32_t)waiting->socket,
        .newfd = (uint32_t)waiting->call.args[0],
        .newfd_flags = waiting->flags & O_CLOEXEC,
    };
    return ioctl(broker->listener, PLD_SECCOMP_NOTIF_ADDFD, &give) < 0 ? errno : 0;
}

static void forget(struct broker_waiting *waiting)
{
    fds_close(&waiting->socket);
    fds_close(&waiting->target);
}

/* One try; true when the call has its answer. */
static bool try_once(const struct broker *broker, struct broker_waiting *waiting)
{
    int error = connect_once(waiting);
    if (error == EAGAIN && (waiting->flags & O_NONBLOCK) == 0 &&
        broker_waits(broker, &waiting->call)) {
        return false;
    }
    if (error == 0) {
        error = hand_over(broker, waiting);
    }
    struct broker_answer answer = error == 0 ? broker_value(0) : broker_error(error);
    forget(waiting);
    broker_send(broker, waiting->call.id, &answer);
    return true;
}

bool broker_sockets_retry(struct broker *broker)
{
    bool waiting = false;
    for (size_t i = 0; i < BROKER_MAX_WAITING; i++) {
        if (broker->waiting[i].socket >= 0 && !try_once(broker, &broker->waiting[i])) {
            waiting = true;
        }
    }
    return waiting;
}

static struct broker_waiting *free_slot(struct broker *broker)
{
    for (size_t i = 0; i < BROKER_MAX_WAITING; i++) {
        if (broker->waiting[i].socket < 0) {
            return &broker->waiting[i];
        }
    }
    return NULL;
}

static int read_address(const struct broker *broker, const struct broker_call *call,
                        struct sockaddr_un *address, size_t *length)
{
    uint32_t given = (uint32_t)call->args[2];
    memset(address, 0, sizeof *address);
    if (given <= PATH_AT || given > sizeof *address) {
        return EINVAL;
    }
    *length = given - PATH_AT;
    int error = broker_read(broker, call, call->args[1], address, given);
    if (error != 0) {
        return error;
    }
    /* A path may fill the field without an end (unix(7)); the kernel cuts such a one at 108 bytes. */
    return address->sun_family == AF_UNIX ? 0 : EAFNOSUPPORT;
}

/* Everything up to the connecting itself. 0 or an errno. */
static int prepare(const struct broker *broker, const struct broker_call *call,
                   struct broker_waiting *waiting)
{
    struct {
        struct sockaddr_un address;
        char end;
    } given = {.end = '\0'};
    size_t length = 0;
    struct broker_own_socket own;
    int error = read_address(broker, call, &given.address, &length);
    if (error == 0) {
        error = broker_own_socket(call, (int)call->args[0], &own);
    }
    if (error != 0) {
        return error;
    }
    waiting->call = *call;
    waiting->target = -1;
    waiting->named = false;
    waiting->flags = own.flags;
    if (given.address.sun_path[0] == '\0') {
        memcpy(waiting->abstract, given.address.sun_path, length);
        waiting->abstract_length = (uint32_t)length;
    } else if ((error = find_target(broker, call, &given.address, waiting)) != 0) {
        return error;
    }
    waiting->socket = socket(AF_UNIX, own.type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (waiting->socket < 0) {
        error = errno;
        fds_close(&waiting->target);
    }
    return error;
}

bool broker_sockets(struct broker *broker, const struct broker_call *call,
                    struct broker_answer *answer)
{
    if (call->number != SYS_connect) {
        return false;
    }
    struct broker_waiting *waiting = free_slot(broker);
    int error = waiting == NULL ? EAGAIN : prepare(broker, call, waiting);
    if (error != 0) {
        *answer = broker_error(error);
    } else {
        answer->later = true; /* tried at once, and again as long as the queue is full */
    }
    return true;
}
