/* The processes of a run, read from /proc. proc_pid_task(5): `children` needs CONFIG_PROC_CHILDREN;
 * without it /proc is searched for parents. */
#ifndef PALDRON_TREE_H
#define PALDRON_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Whether /proc is there and shows this process's own pid namespace: in another one the numbers
 * would be those of other processes. */
bool tree_visible(void);

/* Of /proc/PID/stat, proc_pid_stat(5). */
struct tree_stat {
    char state;
    pid_t parent, group, session;
    int terminal;     /* device of the controlling terminal, as the kernel numbers it */
    pid_t foreground; /* process group of that terminal, -1 for none */
};
bool tree_stat(pid_t pid, struct tree_stat *stat);

typedef void tree_visit(void *context, pid_t pid);

/* Calls `visit` for the children this process has now. The list may lack some while the tree
 * changes; call again until there are none. */
void tree_each_child(tree_visit *visit, void *context);

/* The only child of a process that has just forked once; 0 where it cannot be told. */
pid_t tree_child_of(pid_t pid);

/* How many descendants of this process, `except` left out, have not ended. */
uint32_t tree_count_living(pid_t except);

/* All descendants of this process: growable, reused from call to call. */
struct tree {
    pid_t *pids;
    size_t count, capacity;
    size_t tasks; /* threads of all of them */
};

/* Reads the tree. False where /proc does not tell. Stops early above `max_tasks` (0: no limit). */
bool tree_read(struct tree *tree, size_t max_tasks);
void tree_free(struct tree *tree);

#endif
