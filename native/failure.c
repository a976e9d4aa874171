#include "failure.h"

#include <string.h>

bool fail(struct failure *failure, enum stage stage, int error, const char *detail)
{
    size_t length = strlen(detail);
    if (length >= FAILURE_DETAIL) {
        detail += length - (FAILURE_DETAIL - 1);
        length = FAILURE_DETAIL - 1;
    }
    memset(failure, 0, sizeof *failure);
    failure->stage = stage;
    failure->error = error;
    memcpy(failure->detail, detail, length);
    return false;
}
