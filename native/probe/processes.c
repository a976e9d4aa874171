/* Processes and terminals of others, and the run's own. */
#include "probe.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static pid_t target(void) { return (pid_t)number("PID"); }

/* In a pid namespace the number may be somebody else's: whether it arrived, the target tells. */
static int signal_outside(void) { return outcome(kill(target(), SIGUSR1)); }
static int thread_signal_outside(void)
{
    return outcome(syscall(SYS_tgkill, target(), target(), SIGUSR1));
}

static pid_t waiting_child(void)
{
    pid_t child = fork();
    if (child == 0) {
        for (;;) {
            pause();
        }
    }
    return child;
}

static int signal_own(void)
{
    pid_t child = waiting_child();
    if (child < 0) {
        return CANNOT_TRY;
    }
    int error = outcome(kill(child, SIGKILL));
    int status = 0;
    if (error != 0 || waitpid(child, &status, 0) != child) {
        return error;
    }
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL ? 0 : CANNOT_TRY;
}

static int trace_outside(void)
{
    int error = outcome(ptrace(PTRACE_SEIZE, target(), NULL, NULL));
    if (error == 0) {
        ptrace(PTRACE_DETACH, target(), NULL, NULL);
    }
    return error;
}

static int trace_own(void)
{
    pid_t child = fork();
    if (child == 0) {
        _exit(ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0 && raise(SIGSTOP) == 0 ? 0 : 1);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) {
        return CANNOT_TRY;
    }
    ptrace(PTRACE_CONT, child, NULL, NULL);
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : CANNOT_TRY;
}

/* Only its own token tells that it was the target that was read. */
static int is_token(const char *text, size_t length)
{
    const char *token = setting("TOKEN");
    return memmem(text, length, token, strlen(token)) != NULL ? 0 : ENOENT;
}

static int memory_outside(void)
{
    char text[64] = {0};
    struct iovec local = {text, strlen(setting("TOKEN"))};
    struct iovec remote = {(void *)strtoull(setting("ADDRESS"), NULL, 16), local.iov_len};
    ssize_t got = process_vm_readv(target(), &local, 1, &remote, 1, 0);
    return got < 0 ? errno : is_token(text, (size_t)got);
}

static const char *process_file(const char *name)
{
    char *path;
    return asprintf(&path, "/proc/%d/%s", target(), name) < 0 ? NULL : path;
}

static int read_process(const char *name, off_t offset)
{
    static char text[65536];
    int fd = open(process_file(name), O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return errno;
    }
    ssize_t got = pread(fd, text, sizeof text, offset);
    int error = got < 0 ? errno : is_token(text, (size_t)got);
    close(fd);
    return error;
}
static int arguments_outside(void) { return read_process("cmdline", 0); }
static int environment_outside(void) { return read_process("environ", 0); }
static int proc_memory_outside(void)
{
    return read_process("mem", (off_t)strtoull(setting("ADDRESS"), NULL, 16));
}
/* Its working folder is the one outside, and so names it. */
static int folder_outside(void)
{
    char text[4096];
    ssize_t got = readlink(process_file("cwd"), text, sizeof text - 1);
    if (got < 0) {
        return errno;
    }
    text[got] = 0;
    return strcmp(text, setting("OUT")) == 0 ? 0 : ENOENT;
}
static int root_outside(void)
{
    char *path;
    if (asprintf(&path, "%s/root%s", process_file(""), below("OUT", "read")) < 0) {
        return CANNOT_TRY;
    }
    return opened(open(path, O_RDONLY | O_CLOEXEC));
}
static int environment_own(void) { return opened(open("/proc/self/environ", O_RDONLY | O_CLOEXEC)); }

static int terminal_outside(void)
{
    int fd = open(setting("TERMINAL"), O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        return errno;
    }
    int error = write(fd, "x", 1) == 1 ? 0 : errno;
    close(fd);
    return error;
}

/* Opens a terminal of its own; the other side of it is in `main_side`. */
static int open_terminal(int *main_side)
{
    *main_side = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (*main_side < 0 || grantpt(*main_side) != 0 || unlockpt(*main_side) != 0) {
        return -1;
    }
    const char *name = ptsname(*main_side);
    return name == NULL ? -1 : open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
}
static int terminal_own(void)
{
    int main_side;
    return opened(open_terminal(&main_side));
}
/* ioctl_tty(2): puts a byte into the input of the terminal that controls the caller. */
static int terminal_inject(void)
{
    int main_side;
    setsid();
    int fd = open_terminal(&main_side);
    if (fd < 0 || ioctl(fd, TIOCSCTTY, 0) != 0) {
        return CANNOT_TRY;
    }
    return outcome(ioctl(fd, TIOCSTI, "x"));
}

/* A process that leaves its session, hears no polite signal and holds no pipe. */
static int leave_behind(void)
{
    pid_t child = fork();
    if (child == 0) {
        setsid();
        if (fork() != 0) {
            _exit(0);
        }
        signal(SIGTERM, SIG_IGN);
        signal(SIGHUP, SIG_IGN);
        for (int fd = 0; fd < 3; fd++) {
            close(fd);
        }
        for (;;) {
            pause();
        }
    }
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child ? WEXITSTATUS(status) : CANNOT_TRY;
}

const struct attempt process_attempts[] = {
    {"signal-outside", signal_outside},
    {"thread-signal-outside", thread_signal_outside},
    {"signal-own", signal_own},
    {"trace-outside", trace_outside},
    {"memory-outside", memory_outside},
    {"proc-memory-outside", proc_memory_outside},
    {"trace-own", trace_own},
    {"arguments-outside", arguments_outside},
    {"environment-outside", environment_outside},
    {"folder-outside", folder_outside},
    {"root-outside", root_outside},
    {"environment-own", environment_own},
    {"terminal-outside", terminal_outside},
    {"terminal-own", terminal_own},
    {"terminal-inject", terminal_inject},
    {"leave-behind", leave_behind},
    {NULL, NULL},
};
