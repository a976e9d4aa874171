/*
 * The caller's terminal and the command's own. The command gets a new one (a pty) and never holds a
 * descriptor of the caller's; the supervisor passes keys on and shows what is printed. Three users:
 * the supervisor (terminal.c), the guardian and the command (pty.c).
 */
#ifndef PALDRON_TERMINAL_H
#define PALDRON_TERMINAL_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <termios.h>

#include "failure.h"
#include "plan.h"

#define TERMINAL_INPUT 4096u

/* In memory that supervisor and guardian share: whoever is left can restore the caller's modes. */
struct terminal_modes {
    struct termios saved, raw;
    bool changed; /* the caller's terminal has the raw ones */
};

struct terminal {
    uint32_t streams; /* bit n: descriptor n of the command is its terminal; 0: it has none */
    bool foreground;  /* the command wants the keys: from its start, or since it asked for them */
    bool keep_output_modes;
    int outer;        /* the caller's */
    int master, slave;
    int handover[2];  /* the guardian opens the pair where the command lives, and hands it over */
    struct terminal_modes *modes;
    pid_t session, group; /* of the caller; 0: this is not the terminal that controls it */
    bool attached;
    size_t start, end;
    uint8_t input[TERMINAL_INPUT]; /* typed, and not taken by the command yet */
};

/* Bit n: descriptor n is a terminal, the same for all bits. */
uint32_t terminal_find(void);

/* Before the fork: what the caller's terminal is like. Nothing of it is changed. */
bool terminal_open(struct terminal *terminal, const struct plan *plan, struct failure *failure);

/* Takes the pair when the guardian hands it over; true once. */
bool terminal_receive(struct terminal *terminal);

/* Keys go to the command from now on. False where the caller's terminal is somebody else's at the
 * moment: the caller runs in the background. */
bool terminal_attach(struct terminal *terminal);
/* The caller's terminal is as it was, and what was typed and not read is dropped: an answer that
 * the command asked the terminal for must not become a line for the shell. */
void terminal_detach(struct terminal *terminal);
/* The part of terminal_detach() that the guardian can do. */
void terminal_restore(const struct terminal *terminal);

void terminal_resize(const struct terminal *terminal);
void terminal_poll(const struct terminal *terminal, struct pollfd *wait);
void terminal_pump(struct terminal *terminal, short events);
void terminal_close(struct terminal *terminal);

/* ---- pty.c ---- */

/* In the guardian: opens the pair, makes it the terminal of the session, hands it over. */
bool pty_make(struct terminal *terminal, struct failure *failure);
/* In the command: a process group of its own, in the foreground where it starts there. */
bool pty_enter(const struct terminal *terminal, struct failure *failure);
/* In the guardian: whom the keys go to, a process group. */
void pty_set_foreground(const struct terminal *terminal, pid_t group);
/* In the supervisor: the descriptors that the guardian sent. */
bool pty_receive(int socket, int fds[2]);

#endif
