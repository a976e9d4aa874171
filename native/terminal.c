#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fds.h"
#include "tree.h"
#include "uapi.h"

/* The terminal's device; /dev/tty and the name it was opened by tell nothing. */
static int device_of(int fd)
{
    int device = 0;
    return isatty(fd) && ioctl(fd, TIOCGDEV, &device) == 0 ? device : 0; /* Linux 2.6.38 */
}

uint32_t terminal_find(void)
{
    uint32_t found = 0;
    int device = 0;
    for (int fd = 0; fd <= 2; fd++) {
        int own = device_of(fd);
        device = device == 0 ? own : device;
        found |= own != 0 && own == device ? 1u << fd : 0;
    }
    return found;
}

static void find_caller(struct terminal *terminal)
{
    struct tree_stat caller;
    terminal->session = terminal->group = 0;
    if (tree_stat(getppid(), &caller) && caller.terminal == device_of(terminal->outer)) {
        terminal->session = caller.session;
        terminal->group = caller.group;
    }
}

/* Keys are only read while the caller is in the foreground, as the kernel would see to if this
 * process had the terminal; it has left the caller's session. The leader of that outlives the
 * caller. */
static bool is_ours(const struct terminal *terminal)
{
    struct tree_stat leader;
    return terminal->session == 0 || !tree_stat(terminal->session, &leader) ||
           leader.foreground == terminal->group;
}

static int open_outer(uint32_t streams)
{
    int fd = (streams & 1) != 0 ? 0 : (streams & 2) != 0 ? 1 : 2;
    return fcntl(fd, F_DUPFD_CLOEXEC, FD_FIRST_OWN);
}

bool terminal_open(struct terminal *terminal, const struct plan *plan, struct failure *failure)
{
    terminal->streams = plan->terminal_streams;
    terminal->outer = terminal->master = terminal->slave = -1;
    terminal->handover[0] = terminal->handover[1] = -1;
    terminal->start = terminal->end = 0;
    terminal->attached = false;
    if (terminal->streams == 0) {
        return true;
    }
    terminal->modes = mmap(NULL, sizeof *terminal->modes, PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    terminal->outer = open_outer(terminal->streams);
    if ((terminal_find() & terminal->streams) != terminal->streams ||
        terminal->modes == MAP_FAILED || terminal->outer < 0 ||
        tcgetattr(terminal->outer, &terminal->modes->saved) != 0 ||
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, terminal->handover) != 0) {
        return fail(failure, STAGE_TERMINAL, errno, "the caller's");
    }
    find_caller(terminal);
    terminal->foreground =
        (plan->terminal_flags & PLAN_TERMINAL_FOREGROUND) != 0 && is_ours(terminal);
    terminal->keep_output_modes = (plan->terminal_flags & PLAN_TERMINAL_FOREGROUND) == 0;
    return true;
}

bool terminal_receive(struct terminal *terminal)
{
    int pair[2];
    if (terminal->handover[0] < 0 || !pty_receive(terminal->handover[0], pair)) {
        return false;
    }
    terminal->master = pair[0];
    terminal->slave = pair[1];
    fds_close(&terminal->handover[0]);
    return true;
}

/* As cfmakeraw(3), and reads never wait. In a pipeline others may print on the terminal too: lines
 * go on to end where it begins the next one. */
static void make_raw(struct terminal *terminal)
{
    struct terminal_modes *modes = terminal->modes;
    modes->raw = modes->saved;
    cfmakeraw(&modes->raw);
    if (terminal->keep_output_modes) {
        modes->raw.c_oflag = modes->saved.c_oflag;
    }
    modes->raw.c_cc[VMIN] = 0;
    modes->raw.c_cc[VTIME] = 0;
}

bool terminal_attach(struct terminal *terminal)
{
    if (terminal->outer < 0 || terminal->master < 0 || !is_ours(terminal)) {
        return false;
    }
    if (terminal->attached) {
        return true;
    }
    if (tcgetattr(terminal->outer, &terminal->modes->saved) != 0) {
        return false;
    }
    make_raw(terminal);
    terminal->modes->changed = true; /* before it is true: the guardian compares */
    terminal->attached = tcsetattr(terminal->outer, TCSANOW, &terminal->modes->raw) == 0;
    terminal_resize(terminal);
    return terminal->attached;
}

static bool same_modes(const struct termios *a, const struct termios *b)
{
    return a->c_iflag == b->c_iflag && a->c_oflag == b->c_oflag && a->c_lflag == b->c_lflag &&
           a->c_cc[VMIN] == b->c_cc[VMIN] && a->c_cc[VTIME] == b->c_cc[VTIME];
}

/* Modes that are not the ones set here are somebody else's: a shell has taken over. */
void terminal_restore(const struct terminal *terminal)
{
    struct termios now;
    if (terminal->outer < 0 || !terminal->modes->changed ||
        tcgetattr(terminal->outer, &now) != 0) {
        return;
    }
    if (same_modes(&now, &terminal->modes->raw)) {
        tcsetattr(terminal->outer, TCSANOW, &terminal->modes->saved);
        tcflush(terminal->outer, TCIFLUSH);
    }
    terminal->modes->changed = false;
}

void terminal_detach(struct terminal *terminal)
{
    terminal->attached = false;
    terminal->start = terminal->end = 0;
    terminal_restore(terminal);
}

void terminal_resize(const struct terminal *terminal)
{
    struct winsize size;
    if (terminal->master >= 0 && ioctl(terminal->outer, TIOCGWINSZ, &size) == 0) {
        ioctl(terminal->master, TIOCSWINSZ, &size); /* tells the foreground where it differs */
    }
}

void terminal_poll(const struct terminal *terminal, struct pollfd *wait)
{
    bool waiting = terminal->start < terminal->end;
    wait->fd = !terminal->attached ? -1 : waiting ? terminal->master : terminal->outer;
    wait->events = waiting ? POLLOUT : POLLIN;
}

void terminal_pump(struct terminal *terminal, short events)
{
    if (!terminal->attached || events == 0) {
        return;
    }
    if (terminal->start == terminal->end) {
        ssize_t got = is_ours(terminal) ? read(terminal->outer, terminal->input, TERMINAL_INPUT) : -1;
        if (got < 0 || (got == 0 && (events & (POLLHUP | POLLERR)) != 0)) {
            terminal_detach(terminal);
            return;
        }
        terminal->start = 0;
        terminal->end = (size_t)got;
    }
    while (terminal->start < terminal->end) {
        ssize_t took = write(terminal->master, terminal->input + terminal->start,
                             terminal->end - terminal->start);
        if (took <= 0) {
            return; /* full: the command has to read first */
        }
        terminal->start += (size_t)took;
    }
}

void terminal_close(struct terminal *terminal)
{
    if (terminal->streams == 0) {
        return;
    }
    if (terminal->modes != MAP_FAILED) {
        terminal_detach(terminal);
        munmap(terminal->modes, sizeof *terminal->modes);
        terminal->modes = MAP_FAILED;
    }
    fds_close(&terminal->outer);
    fds_close(&terminal->master);
    fds_close(&terminal->slave);
    fds_close(&terminal->handover[0]);
    fds_close(&terminal->handover[1]);
    terminal->streams = 0;
}
