#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "uapi.h"
#include "watch.h"

#define OPEN_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)

/* As many components at a time as one path may have; none of them a link. */
int watch_open_folder(const struct watch *watch, const struct watched *folder)
{
    static char path[WATCH_PATH_MAX + 1];
    ssize_t length = watched_path(folder, NULL, path);
    if (length < 0) {
        errno = ENAMETOOLONG;
        return -1;
    }
    path[length] = '\0';
    int fd = openat(watch->root, ".", OPEN_FLAGS);
    for (char *at = path; fd >= 0 && *at != '\0';) {
        size_t left = strlen(at);
        size_t take = left;
        if (take >= PATH_MAX) {
            take = PATH_MAX - 1;
            while (at[take] != '/') {
                take--;
            }
        }
        char *rest = at + take;
        rest += *rest == '/' ? 1 : 0;
        at[take] = '\0';
        const struct pld_open_how how = {.flags = OPEN_FLAGS,
                                         .resolve = PLD_RESOLVE_BENEATH | PLD_RESOLVE_NO_SYMLINKS};
        int next = (int)syscall(PLD_SYS_OPENAT2, fd, at, &how, sizeof how); /* Linux 5.6 */
        int error = errno;
        close(fd);
        errno = error;
        fd = next;
        at = rest;
    }
    return fd;
}
