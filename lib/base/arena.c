/* Bump allocation in blocks that double up to a limit. */
#include "base/base.h"

#include <stdlib.h>

enum { FIRST_BLOCK = 4096, LARGEST_BLOCK = 1 << 20, ALIGN = 16 };

typedef struct etl_arena_block {
    struct etl_arena_block *next;
    size_t size;
    _Alignas(ALIGN) uint8_t data[];
} etl_arena_block;

void *etl_arena_alloc(etl_arena *arena, size_t size)
{
    if (size > SIZE_MAX / 2)
        return NULL;
    size = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    if (!arena->blocks || size > arena->blocks->size - arena->used) {
        size_t block_size = arena->blocks ? arena->blocks->size * 2 : FIRST_BLOCK;
        if (block_size > LARGEST_BLOCK)
            block_size = LARGEST_BLOCK;
        if (block_size < size)
            block_size = size;
        etl_arena_block *block = calloc(1, sizeof *block + block_size);
        if (!block)
            return NULL;
        block->next = arena->blocks;
        block->size = block_size;
        arena->blocks = block;
        arena->used = 0;
        arena->total += block_size;
    }
    void *p = arena->blocks->data + arena->used;
    arena->used += size;
    return p;
}

void *etl_arena_array(etl_arena *arena, size_t count, size_t size)
{
    size_t bytes;
    return __builtin_mul_overflow(count, size, &bytes) ? NULL : etl_arena_alloc(arena, bytes);
}

char *etl_arena_strndup(etl_arena *arena, const char *text, size_t length)
{
    char *copy = etl_arena_alloc(arena, length + 1);
    if (copy && length)
        memcpy(copy, text, length);
    return copy;
}

char *etl_arena_strdup(etl_arena *arena, const char *text)
{
    return etl_arena_strndup(arena, text, strlen(text));
}

static bool is_blank(const uint8_t *unit)
{
    return !unit[1] && (unit[0] == ' ' || unit[0] == '\r' || unit[0] == '\n' || unit[0] == '\t');
}

char *etl_arena_utf16(etl_arena *arena, const uint8_t *in, size_t units, bool trim)
{
    while (trim && units && is_blank(in + 2 * (units - 1)))
        units--;
    while (trim && units && is_blank(in)) {
        in += 2;
        units--;
    }
    size_t bytes;
    if (__builtin_mul_overflow(units, (size_t)3, &bytes))
        return NULL;
    /* Eight bytes of slack: the fast path stores whole words. */
    char *copy = etl_arena_alloc(arena, bytes + 8);
    if (copy)
        copy[etl_utf16_to_utf8(in, units, copy)] = 0;
    return copy;
}

void etl_arena_free(etl_arena *arena)
{
    while (arena->blocks) {
        etl_arena_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
    memset(arena, 0, sizeof *arena);
}
