/* The command's own terminal, from the inside. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fds.h"
#include "terminal.h"
#include "uapi.h"

static bool send_pair(int socket, int master, int slave)
{
    char byte = 0;
    struct iovec data = {&byte, 1};
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(2 * sizeof(int))];
    memset(control, 0, sizeof control);
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = sizeof control};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(2 * sizeof(int));
    int fds[2] = {master, slave};
    memcpy(CMSG_DATA(head), fds, sizeof fds);
    return sendmsg(socket, &message, MSG_NOSIGNAL) == 1;
}

bool pty_receive(int socket, int fds[2])
{
    char byte;
    struct iovec data = {&byte, 1};
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(2 * sizeof(int))];
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = sizeof control};
    if (recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) != 1) {
        return false;
    }
    const struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (head == NULL || head->cmsg_type != SCM_RIGHTS ||
        head->cmsg_len != CMSG_LEN(2 * sizeof(int))) {
        return false;
    }
    memcpy(fds, CMSG_DATA(head), 2 * sizeof(int));
    return true;
}

/* The terminal of the file system that the command sees, so that its name can be found there. */
static bool open_pair(struct terminal *terminal)
{
    int unlocked = 0;
    terminal->master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (terminal->master < 0 || ioctl(terminal->master, TIOCSPTLCK, &unlocked) != 0) {
        return false;
    }
    /* TIOCGPTPEER, Linux 4.13: by descriptor, since the name may be of another mount. */
    terminal->slave =
        ioctl(terminal->master, PLD_TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
    return terminal->slave >= 0;
}

bool pty_make(struct terminal *terminal, struct failure *failure)
{
    if (terminal->streams == 0) {
        return true;
    }
    struct winsize size;
    bool made = open_pair(terminal) &&
                tcsetattr(terminal->slave, TCSANOW, &terminal->modes->saved) == 0 &&
                (ioctl(terminal->outer, TIOCGWINSZ, &size) != 0 ||
                 ioctl(terminal->slave, TIOCSWINSZ, &size) == 0) &&
                ioctl(terminal->slave, TIOCSCTTY, 0) == 0 &&
                send_pair(terminal->handover[1], terminal->master, terminal->slave);
    int error = errno;
    fds_close(&terminal->handover[1]);
    return made || fail(failure, STAGE_TERMINAL, error, "/dev/ptmx");
}

/* Stopping by a key needs a parent in the same session and another group: the guardian leads the
 * session, the command its group. Changing the foreground from the background raises SIGTTOU, which
 * is blocked here. */
bool pty_enter(const struct terminal *terminal, struct failure *failure)
{
    if (setpgid(0, 0) != 0 ||
        (terminal->foreground && tcsetpgrp(terminal->slave, getpid()) != 0)) {
        return fail(failure, STAGE_SESSION, errno, "process group on the terminal");
    }
    for (int fd = 0; fd <= 2; fd++) {
        if ((terminal->streams >> fd & 1) != 0 && dup2(terminal->slave, fd) != fd) {
            return fail(failure, STAGE_DESCRIPTORS, errno, "dup2");
        }
    }
    return true;
}

void pty_set_foreground(const struct terminal *terminal, pid_t group)
{
    tcsetpgrp(terminal->master, group); /* fails where the group is gone: then there is nobody */
}
