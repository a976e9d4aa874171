#include "records.h"

#include <errno.h>
#include <stdalign.h>
#include <string.h>
#include <sys/stat.h>

const uint8_t *cursor_bytes(struct cursor *cursor, size_t length)
{
    if (cursor->left < length) {
        cursor->short_of = true;
        cursor->left = 0;
        return NULL;
    }
    const uint8_t *at = cursor->at;
    cursor->at += length;
    cursor->left -= length;
    return at;
}

static uint64_t little_endian(struct cursor *cursor, size_t length)
{
    const uint8_t *at = cursor_bytes(cursor, length);
    uint64_t value = 0;
    for (size_t i = 0; at != NULL && i < length; i++) {
        value |= (uint64_t)at[i] << (8 * i);
    }
    return value;
}

uint16_t cursor_u16(struct cursor *cursor)
{
    return (uint16_t)little_endian(cursor, 2);
}

uint32_t cursor_u32(struct cursor *cursor)
{
    return (uint32_t)little_endian(cursor, 4);
}

uint64_t cursor_u64(struct cursor *cursor)
{
    return little_endian(cursor, 8);
}

static size_t find_kind(const struct record_kind *kinds, size_t count, uint16_t type)
{
    size_t index = 0;
    while (index < count && kinds[index].type != type) {
        index++;
    }
    return index;
}

static bool read_last(struct cursor *payload, uint32_t before, const struct cursor *rest)
{
    return cursor_u32(payload) == before && !payload->short_of && payload->left == 0 &&
           rest->left == 0;
}

bool records_read(struct cursor *cursor, const struct record_kind *kinds, size_t count, void *into,
                  uint64_t *seen, struct failure *failure)
{
    *seen = 0;
    for (uint32_t number = 0; cursor->left > 0; number++) {
        uint16_t type = cursor_u16(cursor);
        uint16_t flags = cursor_u16(cursor);
        uint32_t length = cursor_u32(cursor);
        struct cursor payload = {cursor_bytes(cursor, length), length, false};
        size_t index = find_kind(kinds, count, type);
        if (cursor->short_of || flags != 0 || index == count) {
            return fail(failure, STAGE_WIRE, EPROTO, "record header");
        }
        const struct record_kind *kind = &kinds[index];
        uint64_t bit = (uint64_t)1 << index;
        if ((*seen & bit) != 0 && !kind->many) {
            return fail(failure, STAGE_WIRE, EPROTO, kind->name);
        }
        *seen |= bit;
        bool valid = kind->last ? read_last(&payload, number, cursor) : kind->read(into, &payload);
        if (!valid || payload.short_of || payload.left != 0) {
            return fail(failure, STAGE_WIRE, EPROTO, kind->name);
        }
    }
    return true;
}

void *arena_take(struct arena *arena, size_t size)
{
    size_t skip = -(uintptr_t)arena->at & (alignof(max_align_t) - 1);
    if (arena->left < skip || arena->left - skip < size) {
        return NULL;
    }
    void *taken = arena->at + skip;
    arena->at += skip + size;
    arena->left -= skip + size;
    return memset(taken, 0, size);
}

char *arena_string(struct arena *arena, struct cursor *cursor, size_t length)
{
    const uint8_t *bytes = cursor_bytes(cursor, length);
    if (bytes == NULL || memchr(bytes, 0, length) != NULL || arena->left <= length) {
        return NULL;
    }
    char *text = (char *)arena->at;
    memcpy(text, bytes, length);
    text[length] = '\0';
    arena->at += length + 1;
    arena->left -= length + 1;
    return text;
}

bool arena_path(struct arena *arena, struct cursor *cursor, struct path_record *record)
{
    record->dev = cursor_u64(cursor);
    record->ino = cursor_u64(cursor);
    record->type = cursor_u32(cursor);
    record->path = arena_string(arena, cursor, cursor_u32(cursor));
    return record->path != NULL && record->path[0] == '/' && (record->type & ~(uint32_t)S_IFMT) == 0;
}

bool is_component(const char *name)
{
    size_t length = strlen(name);
    return length > 0 && length <= 255 && strchr(name, '/') == NULL && strcmp(name, ".") != 0 &&
           strcmp(name, "..") != 0;
}
