/* What the launcher needs of namespaces and of the mount calls; see uapi.h for why it is not taken
 * from the build host's headers. */
#ifndef PALDRON_UAPI_MOUNT_H
#define PALDRON_UAPI_MOUNT_H

#include <stdint.h>

#define PLD_SYS_OPEN_TREE 428L     /* open_tree(2), Linux 5.2 */
#define PLD_SYS_MOVE_MOUNT 429L    /* move_mount(2), Linux 5.2 */
#define PLD_SYS_FSOPEN 430L        /* fsopen(2), Linux 5.2 */
#define PLD_SYS_FSCONFIG 431L      /* fsconfig(2), Linux 5.2 */
#define PLD_SYS_FSMOUNT 432L       /* fsmount(2), Linux 5.2 */
#define PLD_SYS_MOUNT_SETATTR 442L /* mount_setattr(2), Linux 5.12 */

#define PLD_OPEN_TREE_CLONE 1u
#define PLD_OPEN_TREE_CLOEXEC 02000000u
#define PLD_MOVE_MOUNT_F_EMPTY_PATH 0x04u
#define PLD_MOVE_MOUNT_T_EMPTY_PATH 0x40u
#define PLD_FSOPEN_CLOEXEC 1u
#define PLD_FSMOUNT_CLOEXEC 1u
#define PLD_FSCONFIG_SET_STRING 1u
#define PLD_FSCONFIG_CMD_CREATE 6u

struct pld_mount_attr {
    uint64_t attr_set;
    uint64_t attr_clr;
    uint64_t propagation;
    uint64_t userns_fd;
};
#define PLD_MOUNT_ATTR_RDONLY 1u
#define PLD_MOUNT_ATTR_NOSUID 2u
#define PLD_MOUNT_ATTR_NODEV 4u
#define PLD_MOUNT_ATTR_NOEXEC 8u
#define PLD_MOUNT_ATTR_ALL 15u

#define PLD_MS_REC_PRIVATE ((1u << 14) | (1u << 18))
#define PLD_MNT_DETACH 2

/* clone(2) */
#define PLD_CLONE_NEWNS 0x00020000u
#define PLD_CLONE_NEWIPC 0x08000000u
#define PLD_CLONE_NEWUSER 0x10000000u
#define PLD_CLONE_NEWPID 0x20000000u
#define PLD_CLONE_NEWNET 0x40000000u
#define PLD_CLONE_NAMESPACES                                                                       \
    (PLD_CLONE_NEWNS | PLD_CLONE_NEWIPC | PLD_CLONE_NEWUSER | PLD_CLONE_NEWPID | PLD_CLONE_NEWNET)

#endif
