/* What the READY message tells about this host, found by trying. */
#ifndef PALDRON_FACTS_H
#define PALDRON_FACTS_H

#include "wire.h"

/* Queues READY. 0 or -errno. */
int facts_send(struct wire_out *out);

#endif
