#include "paths.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "uapi.h"

static bool same(const struct stat *found, const struct path_record *record)
{
    return found->st_dev == record->dev && found->st_ino == record->ino &&
           (found->st_mode & S_IFMT) == record->type;
}

int paths_same(int fd, const struct path_record *record)
{
    struct stat found;
    if (fstat(fd, &found) != 0) {
        return errno;
    }
    return same(&found, record) ? 0 : ESTALE;
}

int paths_open(const struct path_record *record, struct failure *failure)
{
    struct pld_open_how how = {
        .flags = O_PATH | O_CLOEXEC,
        .resolve = PLD_RESOLVE_NO_SYMLINKS | PLD_RESOLVE_NO_MAGICLINKS,
    };
    int fd = (int)syscall(PLD_SYS_OPENAT2, AT_FDCWD, record->path, &how, sizeof how);
    if (fd < 0) {
        fail(failure, STAGE_PATH, errno, record->path);
        return -1;
    }
    int error = paths_same(fd, record);
    if (error != 0) {
        close(fd);
        fail(failure, STAGE_PATH, error, record->path);
        return -1;
    }
    return fd;
}

int paths_compare(const char *path, const struct path_record *record)
{
    struct stat found;
    if (stat(path, &found) != 0) {
        return errno;
    }
    return same(&found, record) ? 0 : ESTALE;
}
