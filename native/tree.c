#include "tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Enough for every pid that Linux can give (PID_MAX_LIMIT is 4 Mi, but then memory ends first). */
#define MAX_PIDS (1u << 20)

bool tree_visible(void)
{
    char link[24];
    char self[24];
    ssize_t length = readlink("/proc/self", link, sizeof link - 1);
    if (length <= 0) {
        return false;
    }
    link[length] = '\0';
    snprintf(self, sizeof self, "%d", (int)getpid());
    return strcmp(link, self) == 0;
}

static bool each_child_of(const char *file, tree_visit *visit, void *context)
{
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    char buffer[4096];
    pid_t pid = 0;
    ssize_t got;
    while ((got = read(fd, buffer, sizeof buffer)) > 0) {
        for (ssize_t i = 0; i < got; i++) {
            if (buffer[i] >= '0' && buffer[i] <= '9') {
                pid = pid * 10 + (buffer[i] - '0');
            } else if (pid > 0) {
                visit(context, pid);
                pid = 0;
            }
        }
    }
    close(fd);
    return true;
}

static bool read_stat(const char *pid, struct tree_stat *stat)
{
    char buffer[512];
    snprintf(buffer, sizeof buffer, "/proc/%.20s/stat", pid);
    int fd = open(buffer, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    ssize_t got = read(fd, buffer, sizeof buffer - 1);
    close(fd);
    if (got <= 0) {
        return false;
    }
    buffer[got] = '\0';
    const char *after_name = strrchr(buffer, ')'); /* the name itself may hold anything */
    return after_name != NULL &&
           sscanf(after_name + 1, " %c %d %d %d %d %d", &stat->state, &stat->parent, &stat->group,
                  &stat->session, &stat->terminal, &stat->foreground) == 6;
}

bool tree_stat(pid_t pid, struct tree_stat *stat)
{
    char name[16];
    snprintf(name, sizeof name, "%d", (int)pid);
    return read_stat(name, stat);
}

/* The parent of a process, 0 where it is gone, or has ended and only living ones are asked for. */
static pid_t parent_of(const char *pid, bool living)
{
    struct tree_stat stat;
    if (!read_stat(pid, &stat)) {
        return 0;
    }
    return living && (stat.state == 'Z' || stat.state == 'X') ? 0 : stat.parent;
}

static void search_children(tree_visit *visit, void *context)
{
    DIR *proc = opendir("/proc");
    if (proc == NULL) {
        return;
    }
    pid_t self = getpid();
    const struct dirent *entry;
    while ((entry = readdir(proc)) != NULL) {
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
            parent_of(entry->d_name, false) == self) {
            visit(context, (pid_t)atoi(entry->d_name));
        }
    }
    closedir(proc);
}

void tree_each_child(tree_visit *visit, void *context)
{
    char file[64];
    snprintf(file, sizeof file, "/proc/self/task/%d/children", (int)getpid());
    if (!each_child_of(file, visit, context)) {
        search_children(visit, context);
    }
}

static void append(void *context, pid_t pid)
{
    struct tree *tree = context;
    if (tree->count == tree->capacity) {
        size_t capacity = tree->capacity == 0 ? 256 : tree->capacity * 2;
        pid_t *grown = capacity > MAX_PIDS ? NULL : realloc(tree->pids, capacity * sizeof *grown);
        if (grown == NULL) {
            return;
        }
        tree->pids = grown;
        tree->capacity = capacity;
    }
    tree->pids[tree->count++] = pid;
}

/* Children are listed per thread. */
static void read_process(struct tree *tree, pid_t pid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *tasks = opendir(path);
    if (tasks == NULL) {
        return; /* gone; its children are somebody else's now and are found next time */
    }
    const struct dirent *entry;
    while ((entry = readdir(tasks)) != NULL) {
        if (entry->d_name[0] != '.') {
            char file[96];
            snprintf(file, sizeof file, "%s/%.20s/children", path, entry->d_name);
            tree->tasks++;
            each_child_of(file, append, tree);
        }
    }
    closedir(tasks);
}

bool tree_read(struct tree *tree, size_t max_tasks)
{
    tree->count = tree->tasks = 0;
    char file[64];
    snprintf(file, sizeof file, "/proc/self/task/%d/children", (int)getpid());
    if (!each_child_of(file, append, tree)) {
        return false;
    }
    for (size_t i = 0; i < tree->count; i++) {
        read_process(tree, tree->pids[i]);
        if (max_tasks > 0 && tree->tasks > max_tasks) {
            break;
        }
    }
    return true;
}

void tree_free(struct tree *tree)
{
    free(tree->pids);
    *tree = (struct tree){NULL, 0, 0, 0};
}

static void keep(void *context, pid_t pid)
{
    *(pid_t *)context = pid;
}

pid_t tree_child_of(pid_t pid)
{
    char file[64];
    pid_t child = 0;
    snprintf(file, sizeof file, "/proc/%d/task/%d/children", (int)pid, (int)pid);
    each_child_of(file, keep, &child);
    return child;
}

uint32_t tree_count_living(pid_t except)
{
    struct tree tree = {NULL, 0, 0, 0};
    uint32_t living = 0;
    tree_read(&tree, 0);
    for (size_t i = 0; i < tree.count; i++) {
        char pid[16];
        snprintf(pid, sizeof pid, "%d", (int)tree.pids[i]);
        living += tree.pids[i] != except && parent_of(pid, true) > 0 ? 1 : 0;
    }
    tree_free(&tree);
    return living;
}
