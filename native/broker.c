#include "broker.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "canary.h"
#include "fds.h"
#include "guardian.h"
#include "privileges.h"
#include "uapi.h"

#define RETRY_MS 5

void broker_send(const struct broker *broker, uint64_t id, const struct broker_answer *answer)
{
    struct pld_seccomp_resp response = {
        .id = id,
        .value = answer->error != 0 ? 0 : answer->value,
        .error = -answer->error,
        .flags = answer->pass ? PLD_SECCOMP_RESP_CONTINUE : 0,
    };
    /* ENOENT: the caller was killed meanwhile. */
    ioctl(broker->listener, PLD_SECCOMP_NOTIF_SEND, &response);
}

/* The filter and this table are made from one list; a call that is in none of them is a mistake and
 * fails. */
static struct broker_answer judge(struct broker *broker, const struct broker_call *call)
{
    struct broker_answer answer = broker_error(EPERM);
    bool known = ((broker->classes & BROKER_METADATA) != 0 &&
                  (broker_metadata(broker, call, &answer) ||
                   broker_truncate(broker, call, &answer))) ||
                 ((broker->classes & BROKER_SOCKETS) != 0 &&
                  broker_sockets(broker, call, &answer)) ||
                 ((broker->classes & BROKER_PROCESSES) != 0 &&
                  broker_processes(broker, call, &answer));
    return known ? answer : broker_error(EPERM);
}

static void take_one(struct broker *broker)
{
    struct pld_seccomp_notif notification;
    memset(&notification, 0, sizeof notification); /* the kernel asks for that */
    if (ioctl(broker->listener, PLD_SECCOMP_NOTIF_RECV, &notification) != 0) {
        return; /* ENOENT: killed before it was read */
    }
    struct broker_call call = {
        .id = notification.id,
        .task = (pid_t)notification.pid,
        .number = notification.data.nr,
    };
    memcpy(call.args, notification.data.args, sizeof call.args);
    struct broker_answer answer =
        notification.data.arch == PLD_AUDIT_ARCH ? judge(broker, &call) : broker_error(ENOSYS);
    if (!answer.later) {
        broker_send(broker, call.id, &answer);
    }
}

static _Noreturn void serve(struct broker *broker)
{
    bool waiting = false;
    for (;;) {
        struct pollfd listener = {.fd = broker->listener, .events = POLLIN};
        int ready = poll(&listener, 1, waiting ? RETRY_MS : -1);
        if (ready > 0 && (listener.revents & POLLIN) != 0) {
            take_one(broker);
        } else if (ready > 0) {
            _exit(0); /* nobody has the filter any more */
        }
        waiting = broker_sockets_retry(broker);
    }
}

static _Noreturn void broker_main(struct run *run, int listener, pid_t guardian)
{
    static struct broker broker;
    prctl(PLD_PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (getppid() != guardian) {
        _exit(1);
    }
    prctl(PLD_PR_SET_NAME, "paldron-broker", 0, 0, 0);
    setsid(); /* out of the group and away from the terminal that the guardian may have */
    fds_close(&run->terminal.master);
    guardian_drop_descriptors(run);
    broker.listener = listener;
    broker.classes = run->plan->broker;
    broker.self = getpid();
    broker.guardian = guardian;
    broker.started = run->started;
    broker.places = run->broker_fds;
    broker.place_count = run->broker_place_count;
    broker.sockets = run->broker_fds + run->broker_place_count;
    broker.socket_count = run->plan->broker_socket_count;
    for (size_t i = 0; i < BROKER_MAX_WAITING; i++) {
        broker.waiting[i].socket = -1;
    }
    /* Wakes the other side on this processor: half the time of an answer. Linux 6.6, else slower. */
    ioctl(listener, PLD_SECCOMP_NOTIF_SET_FLAGS, PLD_SECCOMP_FD_SYNC_WAKE_UP);
    serve(&broker);
}

bool broker_prepare(const struct plan *plan, struct failure *failure)
{
    return plan->broker == 0 || (privileges_drop(failure) && canary_lives(failure));
}

pid_t broker_start(struct run *run, int listener, struct failure *failure)
{
    pid_t guardian = getpid();
    pid_t broker = listener < 0 ? 0 : fork();
    if (broker == 0 && listener >= 0) {
        close(run->lifeline[0]);
        close(run->notes[1]);
        close(run->signals);
        broker_main(run, listener, guardian);
    }
    if (broker < 0) {
        fail(failure, STAGE_BROKER, errno, "fork");
    }
    fds_close(&listener);
    run_close_broker(run);
    return broker;
}
