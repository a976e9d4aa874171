/* Reading the records of RUN into a plan: what plan.c, plan_fields.c and plan_steps.c share. */
#ifndef PALDRON_PLAN_DECODER_H
#define PALDRON_PLAN_DECODER_H

#include "plan.h"

struct decoder {
    struct plan *plan;
    struct arena strings;
};

/* Each reads the whole payload of one record into the plan of the decoder `into`. False: not valid. */
bool read_exec(void *into, struct cursor *payload);
bool read_program(void *into, struct cursor *payload);
bool read_arg(void *into, struct cursor *payload);
bool read_env(void *into, struct cursor *payload);
bool read_cwd(void *into, struct cursor *payload);
bool read_landlock(void *into, struct cursor *payload);
bool read_landlock_path(void *into, struct cursor *payload);
bool read_seccomp(void *into, struct cursor *payload);
bool read_privileges(void *into, struct cursor *payload);
bool read_limit(void *into, struct cursor *payload);
bool read_scratch(void *into, struct cursor *payload);
bool read_scratch_name(void *into, struct cursor *payload);
bool read_scratch_folder(void *into, struct cursor *payload);
bool read_scratch_link(void *into, struct cursor *payload);
bool read_timing(void *into, struct cursor *payload);
bool read_tree_kill(void *into, struct cursor *payload);
bool read_watchdog(void *into, struct cursor *payload);
bool read_output(void *into, struct cursor *payload);
bool read_oom_score(void *into, struct cursor *payload);
bool read_terminal(void *into, struct cursor *payload);
bool read_namespaces(void *into, struct cursor *payload);
bool read_step_folder(void *into, struct cursor *payload);
bool read_step_bind(void *into, struct cursor *payload);
bool read_step_tmpfs(void *into, struct cursor *payload);
bool read_step_proc(void *into, struct cursor *payload);
bool read_step_devpts(void *into, struct cursor *payload);
bool read_step_link(void *into, struct cursor *payload);
bool read_step_mask(void *into, struct cursor *payload);
bool read_step_guard(void *into, struct cursor *payload);
bool read_step_landlock(void *into, struct cursor *payload);
bool read_step_file(void *into, struct cursor *payload);
bool read_broker(void *into, struct cursor *payload);
bool read_broker_place(void *into, struct cursor *payload);
bool read_broker_socket(void *into, struct cursor *payload);
bool read_room(void *into, struct cursor *payload);
bool read_watch(void *into, struct cursor *payload);
bool read_watch_name(void *into, struct cursor *payload);
bool read_watch_name_alone(void *into, struct cursor *payload);

#endif
