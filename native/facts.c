#include "facts.h"

#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "landlock.h"
#include "privileges.h"
#include "seccomp.h"
#include "terminal.h"
#include "uapi.h"

int facts_send(struct wire_out *out)
{
    uint32_t error;
    uint32_t errata;
    uint32_t abi = landlock_abi(&error, &errata);
    uint8_t head[44];
    uint8_t *at = put_u32(head, WIRE_VERSION);
    at = put_u32(at, PLD_AUDIT_ARCH);
    at = put_u32(at, abi);
    at = put_u32(at, error);
    at = put_u32(at, errata);
    at = put_u32(at, seccomp_support());
    at = put_u32(at, getuid());
    at = put_u32(at, getgid());
    at = put_u64(at, privileges_effective());
    put_u32(at, terminal_find());
    struct utsname system;
    if (uname(&system) != 0) {
        system.release[0] = '\0';
    }
    return wire_send(out, MESSAGE_READY, head, sizeof head, system.release,
                     strlen(system.release));
}
