/*
 * stand TOKEN FOLDER: listens on sockets, holds a terminal and, in its environment, arguments and memory, TOKEN. Says
 * where (`KEY VALUE` lines, then `ready`) and what reached it (`hit NAME`); answers each line of its stdin with
 * `seen` when everything that came before has been said. Ends with its stdin.
 */
#include "probe.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <termios.h>
#include <unistd.h>

/* stdin comes last: what it asks is answered after what the others had to say. */
enum { TCP, TCP6, UDP, PATH, ABSTRACT, TERMINAL, SIGNAL, INPUT, SOURCES };
static const char *const NAMES[SOURCES] = {"tcp", "tcp6", "udp", "unix", "abstract", "terminal", "signal", ""};

static int bound(int type, const void *address, socklen_t length)
{
    const struct sockaddr *at = address;
    int fd = socket(at->sa_family, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, at, length) != 0 || (type == SOCK_STREAM && listen(fd, 8) != 0)) {
        return -1;
    }
    return fd;
}

static int internet(int type, const char *key)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int fd = bound(type, &address, length);
    if (fd >= 0 && getsockname(fd, (struct sockaddr *)&address, &length) == 0) {
        printf("%s %d\n", key, ntohs(address.sin_port));
    }
    return fd;
}

/* Not every host has IPv6. */
static int internet6(void)
{
    struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    socklen_t length = sizeof address;
    int fd = bound(SOCK_STREAM, &address, length);
    if (fd >= 0 && getsockname(fd, (struct sockaddr *)&address, &length) == 0) {
        printf("TCP6 %d\n", ntohs(address.sin6_port));
    }
    return fd;
}

static int local(const char *name, size_t skip)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(name);
    if (skip + length >= sizeof address.sun_path) {
        return -1;
    }
    memcpy(address.sun_path + skip, name, length);
    return bound(SOCK_STREAM, &address,
                 (socklen_t)(offsetof(struct sockaddr_un, sun_path) + skip + length));
}

static int abstract(const char *token)
{
    char name[96];
    snprintf(name, sizeof name, "paldron-probe-%s", token);
    printf("ABSTRACT %s\n", name);
    return local(name, 1);
}

/* Raw, so that nothing is echoed; the other side stays open, or reading would fail. */
static int terminal(void)
{
    int fd = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 || grantpt(fd) != 0 || unlockpt(fd) != 0 || ptsname(fd) == NULL) {
        return -1;
    }
    int side = open(ptsname(fd), O_RDWR | O_NOCTTY | O_CLOEXEC);
    struct termios raw;
    if (side < 0 || tcgetattr(side, &raw) != 0) {
        return -1;
    }
    cfmakeraw(&raw);
    tcsetattr(side, TCSANOW, &raw);
    printf("TERMINAL %s\n", ptsname(fd));
    return fd;
}

static int signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

/* Takes what came to one source; false where nothing did. */
static int took(int source, int fd)
{
    char bytes[256];
    if (source == TCP || source == TCP6 || source == PATH || source == ABSTRACT) {
        int client = accept4(fd, NULL, NULL, SOCK_CLOEXEC);
        if (client >= 0) {
            if (send(client, "x", 1, MSG_NOSIGNAL) < 0) {
                /* It is gone again; it was here. */
            }
            close(client);
        }
        return client >= 0;
    }
    return read(fd, bytes, sizeof bytes) > 0;
}

static int watch(struct pollfd *sources)
{
    char asked[64];
    for (;;) {
        if (poll(sources, SOURCES, -1) < 0) {
            continue;
        }
        for (int source = 0; source < INPUT; source++) {
            while ((sources[source].revents & POLLIN) != 0 && took(source, sources[source].fd)) {
                printf("hit %s\n", NAMES[source]);
            }
        }
        if (sources[INPUT].revents != 0) {
            if (read(0, asked, sizeof asked) <= 0) {
                return 0;
            }
            printf("seen\n");
        }
        fflush(stdout);
    }
}

int stand(const char *token, const char *folder)
{
    static char copy[64];
    snprintf(copy, sizeof copy, "%s", token);
    if (chdir(folder) != 0) {
        return 1;
    }
    /* Yama lets only ancestors trace otherwise, and then nothing would be tried. */
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    struct pollfd sources[SOURCES] = {
        [TCP] = {internet(SOCK_STREAM, "TCP"), POLLIN, 0},
        [TCP6] = {internet6(), POLLIN, 0},
        [UDP] = {internet(SOCK_DGRAM, "UDP"), POLLIN, 0},
        [PATH] = {local("socket", 0), POLLIN, 0},
        [ABSTRACT] = {abstract(token), POLLIN, 0},
        [TERMINAL] = {terminal(), POLLIN, 0},
        [SIGNAL] = {signals(), POLLIN, 0},
        [INPUT] = {0, POLLIN, 0},
    };
    printf("PID %d\nADDRESS %lx\nready\n", getpid(), (unsigned long)(uintptr_t)copy);
    fflush(stdout);
    return watch(sources);
}
