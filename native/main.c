/*
 * paldron-launcher: carries out what Paldron sends on descriptor 3 and answers on 4 (docs/wire.md).
 * It makes no decision of its own. Exit status: 0 at the end of the messages, 1 after a failure.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "clear.h"
#include "facts.h"
#include "fds.h"
#include "plan.h"
#include "supervise.h"
#include "walk.h"

struct server {
    struct wire_in in;
    struct wire_out out;
    bool greeted, ran;
};

/* A handler's result: serve on, or exit with a status. */
enum next { SERVE_ON = -1, EXIT_DONE = 0, EXIT_FAILED = 1 };

static enum next stop(struct server *server, const struct failure *failure)
{
    if (wire_send_failure(&server->out, failure) == 0) {
        wire_flush_all(&server->out);
    }
    return EXIT_FAILED;
}

static enum next stop_bad(struct server *server, const char *detail)
{
    struct failure failure;
    fail(&failure, STAGE_WIRE, EPROTO, detail);
    return stop(server, &failure);
}

static enum next on_hello(struct server *server, const struct message *message)
{
    struct cursor payload = {message->payload, message->length, false};
    if (server->greeted || cursor_u32(&payload) != WIRE_VERSION) {
        return stop_bad(server, server->greeted ? "second HELLO" : "version");
    }
    server->greeted = true;
    if (facts_send(&server->out) != 0 || wire_flush_all(&server->out) != 0) {
        return EXIT_FAILED;
    }
    return SERVE_ON;
}

static enum next on_walk(struct server *server, const struct message *message)
{
    struct walk_request request;
    struct failure failure;
    bool walked = walk_decode(&request, message->payload, message->length, &failure) &&
                  walk(&request, &server->out, &failure);
    walk_free(&request);
    return walked ? SERVE_ON : stop(server, &failure);
}

static enum next on_run(struct server *server, const struct message *message)
{
    if (server->ran) {
        return stop_bad(server, "second RUN");
    }
    server->ran = true;
    struct plan plan;
    struct failure failure;
    if (!plan_decode(&plan, message->payload, message->length, &failure)) {
        plan_free(&plan);
        return stop(server, &failure);
    }
    enum supervise_result result = supervise(&plan, &server->in, &server->out);
    plan_free(&plan);
    if (result == SUPERVISE_GONE || wire_flush_all(&server->out) != 0) {
        return EXIT_FAILED;
    }
    return result == SUPERVISE_ENDED ? SERVE_ON : EXIT_FAILED;
}

static enum next on_release(struct server *server, const struct message *message)
{
    struct cursor payload = {message->payload, message->length, false};
    uint32_t show = cursor_u32(&payload);
    if (!server->ran || show > 1) {
        return stop_bad(server, "RELEASE");
    }
    release_held(&server->out, show == 1);
    return wire_flush_all(&server->out) == 0 ? SERVE_ON : EXIT_FAILED;
}

static enum next on_clear(struct server *server, const struct message *message)
{
    if (server->ran) {
        return stop_bad(server, "CLEAR after RUN");
    }
    struct clear_request request;
    struct failure failure;
    bool decoded = clear_decode(&request, message->payload, message->length, &failure);
    uint8_t answer[4];
    put_u32(answer, decoded ? (uint32_t)clear(&request) : 0);
    clear_free(&request);
    if (!decoded) {
        return stop(server, &failure);
    }
    int sent = wire_send(&server->out, MESSAGE_CLEARED, answer, sizeof answer, NULL, 0);
    return sent == 0 && wire_flush_all(&server->out) == 0 ? SERVE_ON : EXIT_FAILED;
}

static enum next handle(struct server *server, const struct message *message)
{
    if (!server->greeted && message->type != MESSAGE_HELLO) {
        return stop_bad(server, "no HELLO");
    }
    switch (message->type) {
    case MESSAGE_HELLO:
        return on_hello(server, message);
    case MESSAGE_WALK:
        return on_walk(server, message);
    case MESSAGE_RUN:
        return on_run(server, message);
    case MESSAGE_RELEASE:
        return on_release(server, message);
    case MESSAGE_CLEAR:
        return on_clear(server, message);
    default: /* CANCEL and JUDGED that crossed the end of the run it was meant for */
        return server->ran ? SERVE_ON : stop_bad(server, "CANCEL without a run");
    }
}

static enum next serve_buffered(struct server *server)
{
    struct message message;
    for (;;) {
        switch (wire_next(&server->in, &message)) {
        case WIRE_MORE:
            return SERVE_ON;
        case WIRE_INVALID:
            return stop_bad(server, "message header");
        case WIRE_MESSAGE: {
            enum next next = handle(server, &message);
            if (next != SERVE_ON) {
                return next;
            }
        }
        }
    }
}

static enum next serve(struct server *server)
{
    for (;;) {
        enum next next = serve_buffered(server);
        if (next != SERVE_ON) {
            return next;
        }
        long got = wire_fill(&server->in);
        if (got <= 0) {
            bool whole = server->in.start == server->in.end;
            return got == 0 && whole ? EXIT_DONE : EXIT_FAILED;
        }
    }
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1 || !fds_prepare()) {
        fputs("paldron-launcher: started by paldron, not by hand\n", stderr);
        return EXIT_FAILED;
    }
    /* Inherited dispositions: an ignored SIGCHLD would reap the command behind our back. */
    signal(SIGCHLD, SIG_DFL);
    signal(SIGPIPE, SIG_IGN);
    static struct server server = {.in.fd = FD_MESSAGES_IN, .out.fd = FD_MESSAGES_OUT};
    enum next next = serve(&server);
    free(server.in.buffer);
    return (int)next;
}
