/*
 * Signals and scheduling of other processes: kill(2), tgkill(2), rt_sigqueueinfo(2),
 * pidfd_send_signal(2), sched_setaffinity(2), setpriority(2) and their like. Only processes of the run are reached. A
 * signal goes through a pidfd, which stays with the process that was judged; a call that names the
 * caller itself, which cannot end before it has its answer, goes on as it is.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "broker.h"
#include "uapi.h"

#define INFO_SIZE 128 /* siginfo_t */

static struct broker_answer from(long result)
{
    return result == 0 ? broker_value(0) : broker_error(errno);
}

static struct broker_answer go_on(void)
{
    return (struct broker_answer){.pass = true};
}

/* A number from a file of /proc; 0 where there is none. */
static long number_in(const char *path, const char *format)
{
    char line[256];
    long found = 0;
    FILE *file = fopen(path, "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL && sscanf(line, format, &found) != 1) {
    }
    if (file != NULL) {
        fclose(file);
    }
    return found;
}

static pid_t process_of(pid_t task)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/status", (int)task);
    return (pid_t)number_in(path, "Tgid: %ld");
}

/* A pidfd of a process of the run, or a negative errno. It is judged after it was opened: from then
 * on the number cannot pass to another without the descriptor telling. */
static int open_member(const struct broker *broker, pid_t pid)
{
    int pidfd = (int)syscall(PLD_SYS_PIDFD_OPEN, pid, 0);
    if (pidfd < 0) {
        return errno == EINVAL && pid > 0 ? -ESRCH : -errno;
    }
    if (!broker_is_member(broker, pid)) {
        close(pidfd);
        return -EPERM;
    }
    return pidfd;
}

static struct broker_answer send_one(const struct broker *broker, pid_t pid, int signal,
                                     const void *info)
{
    int pidfd = open_member(broker, pid);
    if (pidfd < 0) {
        return broker_error(-pidfd);
    }
    struct broker_answer answer = from(syscall(PLD_SYS_PIDFD_SEND_SIGNAL, pidfd, signal, info, 0));
    close(pidfd);
    return answer;
}

/* Of a process group, or with group 0 of all but the caller. */
static struct broker_answer send_many(const struct broker *broker, pid_t caller, pid_t group,
                                      int signal)
{
    DIR *processes = opendir("/proc");
    const struct dirent *entry;
    struct broker_answer answer = broker_error(ESRCH);
    while (processes != NULL && (entry = readdir(processes)) != NULL) {
        pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
        bool meant = pid > 0 && (group == 0 ? pid != caller : getpgid(pid) == group);
        if (!meant) {
            continue;
        }
        struct broker_answer one = send_one(broker, pid, signal, NULL);
        if (one.error == 0 || answer.error == ESRCH) {
            answer = group == 0 && one.error == EPERM ? answer : one;
        }
    }
    if (processes != NULL) {
        closedir(processes);
    }
    return answer;
}

static struct broker_answer on_kill(const struct broker *broker, const struct broker_call *call)
{
    pid_t pid = (pid_t)call->args[0];
    pid_t caller = process_of(call->task);
    int signal = (int)call->args[1];
    if (pid == caller) {
        return go_on();
    }
    if (pid == 0) {
        pid = -getpgid(call->task); /* on a terminal it may have joined the guardian's group */
    }
    if (pid < 0) {
        return send_many(broker, caller, pid == -1 ? 0 : -pid, signal);
    }
    return send_one(broker, pid, signal, NULL);
}

/* To one thread; the kernel compares both numbers once more. */
static struct broker_answer send_thread(const struct broker *broker, pid_t process, pid_t task,
                                        int signal, void *info)
{
    int pidfd = open_member(broker, process);
    if (pidfd < 0) {
        return broker_error(-pidfd);
    }
    struct broker_answer answer =
        from(info == NULL ? syscall(SYS_tgkill, process, task, signal)
                          : syscall(SYS_rt_tgsigqueueinfo, process, task, signal, info));
    close(pidfd);
    return answer;
}

static struct broker_answer on_thread(const struct broker *broker, const struct broker_call *call)
{
    bool alone = call->number == SYS_tkill;
    pid_t task = (pid_t)call->args[alone ? 0 : 1];
    pid_t process = alone ? process_of(task) : (pid_t)call->args[0];
    if (task <= 0 || (!alone && process <= 0)) {
        return broker_error(EINVAL);
    }
    if (!alone && process == process_of(call->task)) {
        return go_on();
    }
    return process <= 0 ? broker_error(ESRCH)
                        : send_thread(broker, process, task, (int)call->args[alone ? 1 : 2], NULL);
}

/* What a process may say of a signal to another is the kernel's rule (rt_sigqueueinfo(2)); it would
 * take the broker for the sender. */
static int read_info(const struct broker *broker, const struct broker_call *call, uint64_t address,
                     uint8_t *info)
{
    int error = broker_read(broker, call, address, info, INFO_SIZE);
    int32_t code;
    memcpy(&code, info + 2 * sizeof code, sizeof code);
    return error != 0 ? error : (code >= 0 || code == SI_TKILL ? EPERM : 0);
}

static struct broker_answer on_queue(const struct broker *broker, const struct broker_call *call)
{
    _Alignas(8) uint8_t info[INFO_SIZE];
    bool thread = call->number == SYS_rt_tgsigqueueinfo;
    pid_t process = (pid_t)call->args[0];
    if (process == process_of(call->task)) {
        return go_on();
    }
    if (process <= 0) {
        return broker_error(thread ? EINVAL : ESRCH);
    }
    int error = read_info(broker, call, call->args[thread ? 3 : 2], info);
    if (error != 0) {
        return broker_error(error);
    }
    return thread ? send_thread(broker, process, (pid_t)call->args[1], (int)call->args[2], info)
                  : send_one(broker, process, (int)call->args[1], info);
}

static struct broker_answer on_pidfd(const struct broker *broker, const struct broker_call *call)
{
    _Alignas(8) uint8_t info[INFO_SIZE];
    char path[64];
    if (call->args[3] != 0) {
        return broker_error(EINVAL); /* groups and threads, Linux 6.9 */
    }
    snprintf(path, sizeof path, "/proc/%d/fdinfo/%d", (int)call->task, (int)call->args[0]);
    pid_t pid = (pid_t)number_in(path, "Pid: %ld");
    if (pid == 0) {
        return broker_error(EBADF);
    }
    if (pid < 0) {
        return broker_error(ESRCH); /* it has ended */
    }
    int error = call->args[2] == 0 ? 0 : read_info(broker, call, call->args[2], info);
    return error != 0 ? broker_error(error)
                      : send_one(broker, pid, (int)call->args[1], call->args[2] == 0 ? NULL : info);
}

/* The arguments that matter are in registers, so the call may go on; at worst the number passes to
 * another process in between, whose processors or priority then change. */
/* `task`: as a register holds it, so the call can go on as it is. */
static struct broker_answer on_schedule(const struct broker *broker, pid_t task)
{
    if (task <= 0) {
        return go_on();
    }
    pid_t process = process_of(task);
    if (process == 0) {
        return broker_error(ESRCH);
    }
    return broker_is_member(broker, process) ? go_on() : broker_error(EPERM);
}

bool broker_processes(const struct broker *broker, const struct broker_call *call,
                      struct broker_answer *answer)
{
    switch (call->number) {
    case SYS_kill:
        *answer = on_kill(broker, call);
        return true;
    case SYS_tkill:
    case SYS_tgkill:
        *answer = on_thread(broker, call);
        return true;
    case SYS_rt_sigqueueinfo:
    case SYS_rt_tgsigqueueinfo:
        *answer = on_queue(broker, call);
        return true;
    case PLD_SYS_PIDFD_SEND_SIGNAL:
        *answer = on_pidfd(broker, call);
        return true;
    case SYS_sched_setaffinity:
    case SYS_sched_setscheduler:
    case SYS_sched_setparam:
    case SYS_sched_setattr:
        *answer = on_schedule(broker, (pid_t)call->args[0]);
        return true;
    case SYS_setpriority:
    case SYS_ioprio_set:
        *answer = on_schedule(broker, (pid_t)call->args[1]);
        return true;
    default:
        return false;
    }
}
