/*
 * Kernel constants and system call numbers that the launcher needs. The headers of the build host
 * may be older than the kernel it runs on (Debian 12 knows Landlock up to ABI 2), so nothing newer
 * than Linux 5.4 is taken from them.
 */
#ifndef PALDRON_UAPI_H
#define PALDRON_UAPI_H

#include <stdint.h>

#if defined(__x86_64__)
#define PLD_AUDIT_ARCH 0xC000003Eu
#define PLD_SYS_SECCOMP 317L
#elif defined(__aarch64__)
#define PLD_AUDIT_ARCH 0xC00000B7u
#define PLD_SYS_SECCOMP 277L
#else
#error "paldron-launcher is built for x86_64 and aarch64"
#endif

/* Numbers from 424 on are the same on every architecture. */
#define PLD_SYS_PIDFD_SEND_SIGNAL 424L       /* pidfd_send_signal(2), Linux 5.1 */
#define PLD_SYS_PIDFD_OPEN 434L              /* pidfd_open(2), Linux 5.3 */
#define PLD_SYS_CLOSE_RANGE 436L             /* close_range(2), Linux 5.9 */
#define PLD_SYS_OPENAT2 437L                 /* openat2(2), Linux 5.6 */
#define PLD_SYS_LANDLOCK_CREATE_RULESET 444L /* landlock_create_ruleset(2), Linux 5.13 */
#define PLD_SYS_LANDLOCK_ADD_RULE 445L       /* landlock_add_rule(2), Linux 5.13 */
#define PLD_SYS_LANDLOCK_RESTRICT_SELF 446L  /* landlock_restrict_self(2), Linux 5.13 */
#define PLD_SYS_FCHMODAT2 452L               /* fchmodat2(2), Linux 6.6 */
#define PLD_SYS_SETXATTRAT 463L              /* setxattrat(2), Linux 6.13 */
#define PLD_SYS_REMOVEXATTRAT 466L           /* removexattrat(2), Linux 6.13 */

/* openat2(2) */
struct pld_open_how {
    uint64_t flags;
    uint64_t mode;
    uint64_t resolve;
};
#define PLD_RESOLVE_NO_MAGICLINKS 0x02u
#define PLD_RESOLVE_NO_SYMLINKS 0x04u
#define PLD_RESOLVE_BENEATH 0x08u

/* close_range(2) */
#define PLD_CLOSE_RANGE_CLOEXEC 4u /* Linux 5.11 */

/* landlock(7) */
struct pld_landlock_ruleset_attr {
    uint64_t handled_access_fs;
    uint64_t handled_access_net;
    uint64_t scoped;
};
struct pld_landlock_path_beneath_attr {
    uint64_t allowed_access;
    int32_t parent_fd;
} __attribute__((packed));
#define PLD_LANDLOCK_CREATE_VERSION 1u
#define PLD_LANDLOCK_CREATE_ERRATA 2u
#define PLD_LANDLOCK_RULE_PATH_BENEATH 1
#define PLD_LANDLOCK_SCOPE_SIGNAL 2u               /* ABI 6, Linux 6.12 */
#define PLD_LANDLOCK_RESTRICT_LOG_SAME_EXEC_OFF 1u /* ABI 7, Linux 6.15 */
#define PLD_LANDLOCK_FS_EXECUTE (1u << 0)
#define PLD_LANDLOCK_FS_WRITE_FILE (1u << 1)
#define PLD_LANDLOCK_FS_READ_FILE (1u << 2)
#define PLD_LANDLOCK_FS_REFER (1u << 13)
#define PLD_LANDLOCK_FS_TRUNCATE (1u << 14)
#define PLD_LANDLOCK_FS_IOCTL_DEV (1u << 15)
/* The rights that a rule on something other than a folder may carry. */
#define PLD_LANDLOCK_FS_FILE                                                                       \
    (PLD_LANDLOCK_FS_EXECUTE | PLD_LANDLOCK_FS_WRITE_FILE | PLD_LANDLOCK_FS_READ_FILE |            \
     PLD_LANDLOCK_FS_TRUNCATE | PLD_LANDLOCK_FS_IOCTL_DEV)

/* seccomp(2) */
struct pld_sock_filter {
    uint16_t code;
    uint8_t jt;
    uint8_t jf;
    uint32_t k;
};
struct pld_sock_fprog {
    uint16_t len;
    const struct pld_sock_filter *filter;
};
#define PLD_SECCOMP_SET_MODE_FILTER 1u
#define PLD_SECCOMP_GET_ACTION_AVAIL 2u       /* Linux 4.14 */
#define PLD_SECCOMP_FILTER_FLAG_SPEC_ALLOW 4u /* Linux 4.17 */
#define PLD_SECCOMP_RET_KILL_PROCESS 0x80000000u
#define PLD_SECCOMP_RET_ERRNO 0x00050000u
#define PLD_SECCOMP_RET_USER_NOTIF 0x7fc00000u /* Linux 5.0 */
#define PLD_SECCOMP_RET_ALLOW 0x7fff0000u
#define PLD_SECCOMP_FILTER_FLAG_NEW_LISTENER 8u             /* Linux 5.0 */
#define PLD_SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1u << 5) /* Linux 5.19 */

/* seccomp_unotify(2) */
struct pld_seccomp_data {
    int32_t nr;
    uint32_t arch;
    uint64_t ip;
    uint64_t args[6];
};
struct pld_seccomp_notif {
    uint64_t id;
    uint32_t pid;
    uint32_t flags;
    struct pld_seccomp_data data;
};
struct pld_seccomp_resp {
    uint64_t id;
    int64_t value;
    int32_t error; /* negative */
    uint32_t flags;
};
struct pld_seccomp_addfd {
    uint64_t id;
    uint32_t flags;
    uint32_t srcfd;
    uint32_t newfd;
    uint32_t newfd_flags;
};
#define PLD_SECCOMP_NOTIF_RECV 0xC0502100u
#define PLD_SECCOMP_NOTIF_SEND 0xC0182101u
#define PLD_SECCOMP_NOTIF_ID_VALID 0x40082102u
#define PLD_SECCOMP_NOTIF_ADDFD 0x40182103u     /* Linux 5.9 */
#define PLD_SECCOMP_NOTIF_SET_FLAGS 0x40082104u /* Linux 6.6 */
#define PLD_SECCOMP_FD_SYNC_WAKE_UP 1u
#define PLD_SECCOMP_ADDFD_FLAG_SETFD 1u
#define PLD_SECCOMP_RESP_CONTINUE 1u

/* capget(2), capset(2), prctl(2) */
struct pld_cap_header {
    uint32_t version;
    int32_t pid;
};
struct pld_cap_data {
    uint32_t effective;
    uint32_t permitted;
    uint32_t inheritable;
};
#define PLD_CAP_VERSION_3 0x20080522u
#define PLD_CAP_SETPCAP 8
#define PLD_PR_SET_PDEATHSIG 1
#define PLD_PR_SET_DUMPABLE 4
#define PLD_PR_SET_NAME 15
#define PLD_PR_GET_SECCOMP 21
#define PLD_PR_CAPBSET_DROP 24
#define PLD_PR_SET_CHILD_SUBREAPER 36
#define PLD_PR_SET_NO_NEW_PRIVS 38
#define PLD_PR_CAP_AMBIENT 47
#define PLD_PR_CAP_AMBIENT_CLEAR_ALL 4

#define PLD_TIOCGPTPEER 0x5441 /* ioctl_tty(2), Linux 4.13 */
#define PLD_RLIM_NLIMITS 16u
#define PLD_F_SETPIPE_SZ 1031

/* getdents64(2) */
struct pld_dirent64 {
    uint64_t d_ino;
    int64_t d_off;
    uint16_t d_reclen;
    uint8_t d_type;
    char d_name[];
};
#define PLD_DT_UNKNOWN 0
#define PLD_DT_DIR 4
#define PLD_DT_REG 8
#define PLD_DT_LNK 10

#endif
