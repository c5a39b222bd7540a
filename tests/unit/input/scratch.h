/* Files of a test that vanish with it. */
#ifndef TESTS_INPUT_SCRATCH_H
#define TESTS_INPUT_SCRATCH_H

#include <criterion/criterion.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/base.h"

typedef struct scratch {
    char path[64];
} scratch;

static inline scratch scratch_file(const void *data, size_t size)
{
    scratch s = {"/tmp/etlkit-test-XXXXXX"};
    int fd = mkstemp(s.path);
    cr_assert_geq(fd, 0);
    cr_assert_eq(write(fd, data, size), (ssize_t)size);
    close(fd);
    return s;
}

static inline void assert_hex(const uint8_t digest[32], const char *expected)
{
    char text[65];
    for (size_t i = 0; i < 32; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
    cr_assert_str_eq(text, expected);
}

#endif
