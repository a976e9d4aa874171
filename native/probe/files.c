/* What lies outside the workspace: content, names, modes. */
#include "probe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

static const char *outside(const char *name) { return below("OUT", name); }

static int append(const char *path)
{
    int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (fd < 0) {
        return errno;
    }
    int error = write(fd, "x", 1) == 1 ? 0 : errno;
    close(fd);
    return error;
}

static int read_one(const char *path)
{
    char byte;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return errno;
    }
    int error = read(fd, &byte, 1) == 1 ? 0 : errno;
    close(fd);
    return error;
}

static int write_outside(void) { return append(outside("written")); }
static int create_outside(void)
{
    return opened(open(outside("created"), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
}
static int truncate_outside(void) { return outcome(truncate(outside("cut"), 0)); }
static int remove_outside(void) { return outcome(unlink(outside("removed"))); }
static int rename_outside(void) { return outcome(rename(outside("renamed"), outside("taken"))); }
static int read_outside(void) { return read_one(outside("read")); }
static int list_outside(void)
{
    return opened(open(setting("OUT"), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

static int mode_outside(void) { return outcome(chmod(outside("mode"), 0600)); }
static int owner_outside(void) { return outcome(chown(outside("mode"), getuid(), getgid())); }
static int times_outside(void)
{
    const struct timespec old[2] = {{1, 0}, {1, 0}};
    return outcome(utimensat(AT_FDCWD, outside("mode"), old, 0));
}
static int attribute_outside(void)
{
    return outcome(setxattr(outside("mode"), "user.paldron", "x", 1, 0));
}

static const char *own(const char *name) { return below("WRITABLE", name); }

static int write_inside(void)
{
    int fd = open(own("made"), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0) {
        return errno;
    }
    int error = write(fd, "made\n", 5) == 5 ? outcome(ftruncate(fd, 2)) : errno;
    close(fd);
    if (error == 0) {
        error = outcome(rename(own("made"), own("kept")));
    }
    return error == 0 ? outcome(unlink(own("kept"))) : error;
}
static int read_inside(void) { return read_one("plain"); }
static int mode_inside(void)
{
    int error = outcome(chmod(own("plain"), 0600));
    return error == 0 ? outcome(chmod(own("plain"), 0644)) : error;
}
static int times_inside(void) { return outcome(utimensat(AT_FDCWD, own("plain"), NULL, 0)); }

const struct attempt file_attempts[] = {
    {"write-outside", write_outside},
    {"create-outside", create_outside},
    {"truncate-outside", truncate_outside},
    {"remove-outside", remove_outside},
    {"rename-outside", rename_outside},
    {"read-outside", read_outside},
    {"list-outside", list_outside},
    {"mode-outside", mode_outside},
    {"owner-outside", owner_outside},
    {"times-outside", times_outside},
    {"attribute-outside", attribute_outside},
    {"write-inside", write_inside},
    {"read-inside", read_inside},
    {"mode-inside", mode_inside},
    {"times-inside", times_inside},
    {NULL, NULL},
};
