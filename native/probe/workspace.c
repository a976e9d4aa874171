/* What the workspace holds that a run may not touch: secrets, files that run later, programs. */
#include "probe.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int secret_read(void) { return opened(open(".env", O_RDONLY | O_CLOEXEC)); }
static int secret_write(void) { return opened(open(".env", O_WRONLY | O_CLOEXEC)); }
static int secret_rename(void) { return outcome(rename(".env", "env-taken")); }
static int secret_remove(void) { return outcome(unlink("removed/.env")); }
static int secret_parent(void) { return outcome(rename("parent", "parent-taken")); }

/* Judged after the run: nothing keeps it from being made. */
static int secret_late(void)
{
    int fd = open(below("WRITABLE", ".env.late"), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0) {
        return errno;
    }
    int error = write(fd, "K=1\n", 4) == 4 ? 0 : errno;
    close(fd);
    return error;
}

static int append(const char *path)
{
    int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (fd < 0) {
        return errno;
    }
    int error = write(fd, "\n", 1) == 1 ? 0 : errno;
    close(fd);
    return error;
}
static int later_hook(void) { return append(".git/hooks/pre-commit"); }
static int later_settings(void) { return append(".claude/settings.json"); }
static int later_rename(void) { return outcome(rename(".claude", ".claude-taken")); }

/* 0 where the kernel accepted the program. */
static int execute(const char *path)
{
    char *const argv[] = {"paldron-probe", "nothing", NULL};
    char *const env[] = {NULL};
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0) {
        return CANNOT_TRY;
    }
    pid_t child = fork();
    if (child == 0) {
        execve(path, argv, env);
        char error = (char)errno;
        _exit(write(report[1], &error, 1) == 1 ? 1 : 2);
    }
    close(report[1]);
    char error = 0;
    ssize_t got = read(report[0], &error, 1);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) {
        return CANNOT_TRY;
    }
    return got == 1 ? error : 0;
}
static int exec_listed(void) { return execute(setting("PROBE")); }
static int exec_unlisted(void) { return execute(below("WRITABLE", "other")); }

const struct attempt workspace_attempts[] = {
    {"secret-read", secret_read},
    {"secret-write", secret_write},
    {"secret-rename", secret_rename},
    {"secret-remove", secret_remove},
    {"secret-parent", secret_parent},
    {"secret-late", secret_late},
    {"later-hook", later_hook},
    {"later-settings", later_settings},
    {"later-rename", later_rename},
    {"exec-listed", exec_listed},
    {"exec-unlisted", exec_unlisted},
    {NULL, NULL},
};
