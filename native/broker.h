/*
 * The broker: a process beside the guardian that answers for the few calls which the filter hands
 * over (SECCOMP_RET_USER_NOTIF, seccomp_unotify(2)), because neither Landlock nor seccomp alone can
 * tell what they act on. It has the command's user and none of its capabilities, so that what it
 * does the command could do; it copies what a call names, finds the file once, judges that file by
 * the places of the plan and acts on the descriptor. When it is gone the calls fail (ENOSYS).
 */
#ifndef PALDRON_BROKER_H
#define PALDRON_BROKER_H

#include "run.h"

#define BROKER_MAX_WAITING 64

/* One call of the command's, while it waits for its answer. */
struct broker_call {
    uint64_t id;
    pid_t task; /* the thread; /proc/TASK has its own cwd and descriptors */
    int number;
    uint64_t args[6];
};

struct broker_answer {
    int64_t value;
    int error; /* errno, 0: `value` */
    bool later; /* not yet: it waits in `waiting` */
    bool pass;  /* the kernel carries it out: only where what was judged lies in registers */
};

/* A connection to a listener whose queue is full, tried again. */
struct broker_waiting {
    struct broker_call call;
    int socket; /* -1: free */
    int target; /* O_PATH; -1: an abstract name */
    bool named; /* one of the plan's sockets */
    uint32_t flags; /* of the descriptor that is replaced */
    char abstract[108];
    uint32_t abstract_length;
};

struct broker {
    int listener;
    uint32_t classes;
    pid_t self, guardian;
    struct timespec started;
    const int *places;
    size_t place_count;
    const int *sockets;
    size_t socket_count;
    struct broker_waiting waiting[BROKER_MAX_WAITING];
};

/* ---- broker.c: called by the guardian ---- */

/* Before the command is started: tries whether there can be one. What a broker does the command must
 * be able to do, so the guardian gives up every capability. */
bool broker_prepare(const struct plan *plan, struct failure *failure);
/* Forks it. Its pid, 0 without a listener (the command failed before there was one), or -1. */
pid_t broker_start(struct run *run, int listener, struct failure *failure);

/* ---- broker_calls.c: what a call says ---- */

struct broker_answer broker_value(int64_t value);
struct broker_answer broker_error(int error);

/* Whether the call still waits: what was read before this was the caller's. */
bool broker_waits(const struct broker *broker, const struct broker_call *call);

/* Copies from the caller's memory. 0 or an errno. */
int broker_read(const struct broker *broker, const struct broker_call *call, uint64_t address,
                void *into, size_t size);
/* A string of at most `size` bytes with its end; `too_long` is the errno for a longer one. */
int broker_read_string(const struct broker *broker, const struct broker_call *call,
                       uint64_t address, char *into, size_t size, int too_long);

/* ---- broker_files.c: which file a call names ---- */

/* Opens (O_PATH) what `path` names for the caller; without a path what the descriptor stands for.
 * `at_flags`: AT_SYMLINK_NOFOLLOW, AT_EMPTY_PATH. A descriptor, or a negative errno. */
int broker_open(const struct broker_call *call, int folder, const char *path, int at_flags);

/* The file of `target` as found beneath one of the places, following no link; closes `target`.
 * A descriptor to act on, or -EPERM. */
int broker_hold(const struct broker *broker, int target);

/* ---- broker_own_socket.c ---- */

/* A unix socket of the caller's that could be connected. */
struct broker_own_socket {
    int type;
    uint32_t flags; /* O_* */
};
/* 0 or an errno: also where the socket is bound, since a fresh one could not have its name. */
int broker_own_socket(const struct broker_call *call, int fd, struct broker_own_socket *socket);

/* ---- what each class does ---- */

/* Answers in `answer` and returns true where the call is one of the class. */
bool broker_metadata(const struct broker *broker, const struct broker_call *call,
                     struct broker_answer *answer);
bool broker_truncate(const struct broker *broker, const struct broker_call *call,
                     struct broker_answer *answer);
bool broker_sockets(struct broker *broker, const struct broker_call *call,
                    struct broker_answer *answer);
bool broker_processes(const struct broker *broker, const struct broker_call *call,
                      struct broker_answer *answer);
/* Tries what waits once more; returns whether something still does. */
bool broker_sockets_retry(struct broker *broker);

void broker_send(const struct broker *broker, uint64_t id, const struct broker_answer *answer);

/* ---- broker_members.c ---- */

/* Whether a process is one that the command started, or the command. */
bool broker_is_member(const struct broker *broker, pid_t pid);

#endif
