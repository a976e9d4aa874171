/* What output passes between the command's pipe and the caller: the watch, which may have it wait. */
#ifndef PALDRON_PASSAGE_H
#define PALDRON_PASSAGE_H

#include "hold.h"
#include "relay.h"
#include "watch.h"

struct passage {
    struct wire_out *copy;
    struct watch *watch;
    struct hold *hold;
};

/* A chunk was read into the stream's buffer. */
void passage_enter(const struct passage *passage, struct stream *stream);

/*
 * A chunk goes on when the watch has come to all that had happened by the time it was read, and all
 * that was told by then is answered: what was printed after a file appeared never overtakes it.
 * 0: what is left in the buffer may be written, EAGAIN: not yet, EDQUOT: more than can be held.
 */
int passage_leave(const struct passage *passage, struct stream *stream);
/* Whether a chunk that waits could go a step further now, so that nothing is to be waited for. */
bool passage_ready(const struct passage *passage, const struct stream *stream);

#endif
