/*
 * The plan of one run, decoded and checked. The launcher carries it out and decides nothing.
 */
#ifndef PALDRON_PLAN_H
#define PALDRON_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "match.h"
#include "records.h"
#include "steps.h"
#include "uapi.h"

#define PLAN_MAX_FILTER 4096u

enum plan_terminal {
    PLAN_TERMINAL_FOREGROUND = 1, /* keys go to the command from the start */
    PLAN_TERMINAL_SHOWN = 2,      /* what it prints there is shown even where it is only its stdin */
    PLAN_TERMINAL_FILTER = 4,     /* no escape sequences reach a terminal */
};

/* What a broker answers for; bits of the record BROKER. */
enum broker_class { BROKER_METADATA = 1, BROKER_SOCKETS = 2, BROKER_PROCESSES = 4, BROKER_ALL = 7 };

/* What the watch over the workspace is for. */
enum plan_watch {
    PLAN_WATCH_NONE = 0,
    PLAN_WATCH_TELL = 1, /* SEEN only; what is printed goes on */
    PLAN_WATCH_HOLD = 2, /* output waits for the answer */
};

enum tree_kill { TREE_KILL_SCOPE = 1, TREE_KILL_SWEEP = 2, TREE_KILL_NAMESPACE = 3 };

struct landlock_path {
    uint64_t access;
    struct path_record path;
};

/* A symbolic link inside the scratch folder. */
struct scratch_link {
    const char *path; /* relative to the folder */
    const char *text;
};

struct plan_limit {
    uint32_t resource;
    uint64_t soft;
    uint64_t hard;
};

struct plan {
    const char *exec;
    struct path_record program;
    char **argv; /* both lists end with NULL */
    size_t argc;
    char **env;
    size_t envc;
    struct path_record cwd;

    bool has_landlock;
    uint64_t handled_fs, handled_net, scoped;
    uint32_t restrict_flags;
    struct landlock_path *landlock_paths;
    size_t landlock_path_count;

    struct pld_sock_filter *filter; /* NULL: none */
    size_t filter_length;
    bool drop_privileges;
    struct plan_limit *limits;
    size_t limit_count;

    uint32_t broker; /* enum broker_class, 0: none */
    struct path_record *broker_places;
    size_t broker_place_count;
    struct path_record *broker_sockets;
    size_t broker_socket_count;

    bool has_scratch;
    uint64_t scratch_access;
    struct path_record scratch_parent;
    const char *scratch_name;
    const char **scratch_folders;
    size_t scratch_folder_count;
    struct scratch_link *scratch_links;
    size_t scratch_link_count;

    uint32_t namespaces; /* CLONE_NEW*, 0: none */
    struct step *steps;  /* the first makes the new root */
    size_t step_count;

    uint64_t timeout_ms;
    uint32_t grace_ms;
    enum tree_kill tree_kill;
    bool has_watchdog;
    uint32_t watchdog_interval_ms;
    uint64_t watchdog_memory;
    uint32_t watchdog_tasks;
    bool has_room;
    uint64_t room_bytes, room_inodes; /* what the run leaves free, 0: not looked at */
    struct path_record room_folder;
    uint64_t copy_bytes;
    uint64_t relay_bytes;
    uint32_t terminal_streams; /* bit n: descriptor n of the command is its terminal */
    uint32_t terminal_flags;   /* PLAN_TERMINAL_* */
    enum plan_watch watch_mode;
    bool watch_first; /* the command starts when everything is watched, or not at all */
    uint32_t watch_told;
    uint64_t watch_hold_bytes;
    struct path_record watch_root;
    struct pattern *watch_names;
    size_t watch_name_count;
    bool has_oom_score;
    int32_t oom_score;

    void *block; /* the memory everything above points into */
};

/* Decodes and validates the payload of RUN; nothing points into `payload` afterwards. */
bool plan_decode(struct plan *plan, const uint8_t *payload, size_t length,
                 struct failure *failure);
void plan_free(struct plan *plan);

#endif
