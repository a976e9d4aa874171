/* Sockets: what can be made, what can be reached with them, and the run's own. */
#include "probe.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

enum { MPTCP = 262, SCTP = 132, IO_URING_SETUP = 425 };

static int family(int domain, int type, int protocol)
{
    return opened(socket(domain, type | SOCK_CLOEXEC, protocol));
}
static int ping_socket(void) { return family(AF_INET, SOCK_DGRAM, IPPROTO_ICMP); }
static int raw_socket(void) { return family(AF_INET, SOCK_RAW, IPPROTO_ICMP); }
static int raw6_socket(void) { return family(AF_INET6, SOCK_RAW, IPPROTO_ICMPV6); }
static int packet_socket(void) { return family(AF_PACKET, SOCK_DGRAM, 0); }
static int vsock_socket(void) { return family(AF_VSOCK, SOCK_STREAM, 0); }
static int alg_socket(void) { return family(AF_ALG, SOCK_SEQPACKET, 0); }
static int mptcp_socket(void) { return family(AF_INET, SOCK_STREAM, MPTCP); }
static int sctp_socket(void) { return family(AF_INET, SOCK_STREAM, SCTP); }
static int netlink_diag(void) { return family(AF_NETLINK, SOCK_RAW, 4); }
static int netlink_route(void) { return family(AF_NETLINK, SOCK_RAW, 0); }
static int unix_pair(void)
{
    int ends[2];
    return outcome(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
}
/* io_uring_setup(2), Linux 5.1. */
static int io_uring(void)
{
    char parameters[120] = {0};
    return opened((int)syscall(IO_URING_SETUP, 1, parameters));
}

static struct sockaddr_in loopback(in_port_t port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

/* 0 only where the target answered. */
static int ask(int fd, const void *address, socklen_t length)
{
    char answer;
    if (fd < 0 || connect(fd, address, length) != 0) {
        return errno;
    }
    ssize_t got = read(fd, &answer, 1);
    return got == 1 ? 0 : got == 0 ? CANNOT_TRY : errno;
}

static int tcp_outside(void)
{
    struct sockaddr_in address = loopback((in_port_t)number("TCP"));
    return ask(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), &address, sizeof address);
}
static int tcp6_outside(void)
{
    struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    address.sin6_port = htons((in_port_t)number("TCP6"));
    return ask(socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0), &address, sizeof address);
}
static int mptcp_outside(void)
{
    struct sockaddr_in address = loopback((in_port_t)number("TCP"));
    return ask(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, MPTCP), &address, sizeof address);
}

/* Whether it arrived, the target tells: nothing is heard of a datagram to nobody. */
static int udp_outside(void)
{
    struct sockaddr_in address = loopback((in_port_t)number("UDP"));
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    return fd < 0 ? errno : outcome(sendto(fd, "x", 1, 0, (struct sockaddr *)&address, sizeof address));
}

/* An abstract name, or a path where it starts with a slash or a dot. */
static socklen_t unix_name(struct sockaddr_un *address, const char *name)
{
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    size_t skip = name[0] == '/' || name[0] == '.' ? 0 : 1;
    size_t length = strlen(name);
    if (skip + length >= sizeof address->sun_path) {
        _exit(CANNOT_TRY);
    }
    memcpy(address->sun_path + skip, name, length);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + skip + length);
}
static int ask_unix(const char *name)
{
    struct sockaddr_un address;
    socklen_t length = unix_name(&address, name);
    return ask(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), &address, length);
}
static int unix_outside(void) { return ask_unix(below("OUT", "socket")); }
static int abstract_outside(void) { return ask_unix(setting("ABSTRACT")); }

/* Connects to a server of its own. */
static int serve(int domain, struct sockaddr *address, socklen_t length)
{
    int server = socket(domain, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int client = socket(domain, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (server < 0 || client < 0 || bind(server, address, length) != 0 || listen(server, 1) != 0) {
        return errno;
    }
    socklen_t bound = length;
    if (domain == AF_INET && getsockname(server, address, &bound) != 0) {
        return errno;
    }
    return outcome(connect(client, address, length));
}
static int tcp_own(void)
{
    struct sockaddr_in address = loopback(0);
    return serve(AF_INET, (struct sockaddr *)&address, sizeof address);
}
static int own_unix(const char *name)
{
    struct sockaddr_un address;
    socklen_t length = unix_name(&address, name);
    return serve(AF_UNIX, (struct sockaddr *)&address, length);
}
static int unix_own(void)
{
    if (chdir(setting("WRITABLE")) != 0) {
        return CANNOT_TRY;
    }
    unlink("./s");
    int error = own_unix("./s");
    unlink("./s");
    return error;
}
static int abstract_own(void) { return own_unix("paldron-probe-own"); }

const struct attempt network_attempts[] = {
    {"tcp-outside", tcp_outside},
    {"tcp6-outside", tcp6_outside},
    {"mptcp-outside", mptcp_outside},
    {"udp-outside", udp_outside},
    {"unix-outside", unix_outside},
    {"abstract-outside", abstract_outside},
    {"ping-socket", ping_socket},
    {"raw-socket", raw_socket},
    {"raw6-socket", raw6_socket},
    {"packet-socket", packet_socket},
    {"vsock-socket", vsock_socket},
    {"alg-socket", alg_socket},
    {"mptcp-socket", mptcp_socket},
    {"sctp-socket", sctp_socket},
    {"netlink-diag", netlink_diag},
    {"io-uring", io_uring},
    {"netlink-route", netlink_route},
    {"unix-pair", unix_pair},
    {"tcp-own", tcp_own},
    {"unix-own", unix_own},
    {"abstract-own", abstract_own},
    {NULL, NULL},
};
