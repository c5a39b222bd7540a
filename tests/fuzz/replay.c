/* Runs a fuzz target over files and over damaged variants of them, always the same ones: every
   truncation and a flipped bit in every byte (of small inputs, of all with --exhaustive), and
   random edits from a fixed seed. usage: replay_X [--exhaustive] [--mutations N] FILE... */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 88172645463325252u;

static uint64_t next_random(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* An exact-size heap copy, so that ASan sees the first byte read too far. */
static void run(const uint8_t *data, size_t size)
{
    uint8_t *copy = calloc(1, size ? size : 1);
    if (!copy)
        abort();
    if (size)
        memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static void mutate(const uint8_t *data, size_t size, unsigned long count)
{
    static const uint32_t odd_values[] = {
        0, 1, 7, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
    uint8_t *copy = malloc(size);
    if (!copy)
        abort();
    for (unsigned long i = 0; i < count; i++) {
        memcpy(copy, data, size);
        size_t used = size;
        unsigned edits = 1 + (unsigned)(next_random() % 4);
        for (unsigned k = 0; k < edits; k++) {
            size_t at = (size_t)(next_random() % size);
            uint32_t value = odd_values[next_random() % (sizeof odd_values / sizeof *odd_values)];
            switch (next_random() % 4) {
            case 0: copy[at] ^= (uint8_t)(1u << (next_random() % 8)); break;
            case 1: copy[at] = (uint8_t)next_random(); break;
            case 2: memcpy(copy + at, &value, size - at < 4 ? size - at : 4); break;
            default: used = at;
            }
        }
        run(copy, used);
    }
    free(copy);
}

static void damage_each_byte(uint8_t *data, size_t size)
{
    for (size_t cut = 0; cut < size; cut++)
        run(data, cut);
    for (size_t at = 0; at < size; at++) {
        data[at] ^= (uint8_t)(1u << (at * 5 % 8));
        run(data, size);
        data[at] ^= (uint8_t)(1u << (at * 5 % 8));
    }
}

int main(int argc, char **argv)
{
    unsigned long mutations = 500;
    int exhaustive = 0;
    int passed = 0;
    run((const uint8_t *)"", 0);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--mutations") == 0 && i + 1 < argc) {
            mutations = strtoul(argv[++i], NULL, 10);
            continue;
        }
        if (strcmp(argv[i], "--exhaustive") == 0) {
            exhaustive = 1;
            continue;
        }
        FILE *file = fopen(argv[i], "rb");
        if (!file) {
            perror(argv[i]);
            return 1;
        }
        fseek(file, 0, SEEK_END);
        long size = ftell(file);
        rewind(file);
        uint8_t *data = malloc(size > 0 ? (size_t)size : 1);
        if (size <= 0 || !data || fread(data, 1, (size_t)size, file) != (size_t)size) {
            fprintf(stderr, "%s: cannot be read\n", argv[i]);
            return 1;
        }
        fclose(file);
        run(data, (size_t)size);
        if (exhaustive || size <= 1024)
            damage_each_byte(data, (size_t)size);
        mutate(data, (size_t)size, mutations);
        free(data);
        passed++;
    }
    printf("%d inputs, each with %lu mutations\n", passed, mutations);
    return 0;
}
