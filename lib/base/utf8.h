/* UTF-8 helpers shared inside base. */
#ifndef ETL_BASE_UTF8_H
#define ETL_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of the well-formed sequence at `in` (1 to 4), or 0 (RFC 3629: no surrogates, no overlong
   forms). `left` is at least 1. */
static inline size_t etl_utf8_sequence(const uint8_t *in, size_t left)
{
    uint8_t a = in[0];
    if (a < 0x80)
        return 1;
    size_t size = a >= 0xC2 && a <= 0xDF   ? 2
                  : (a & 0xF0) == 0xE0     ? 3
                  : a >= 0xF0 && a <= 0xF4 ? 4
                                           : 0;
    if (!size || left < size)
        return 0;
    for (size_t i = 1; i < size; i++)
        if ((in[i] & 0xC0) != 0x80)
            return 0;
    if ((a == 0xE0 && in[1] < 0xA0) || (a == 0xED && in[1] > 0x9F) || (a == 0xF0 && in[1] < 0x90) ||
        (a == 0xF4 && in[1] > 0x8F))
        return 0;
    return size;
}

/* The next character of a NUL-terminated text that is not at its end. */
const char *etl_utf8_next(const char *text);

/* Makes text printable as one line, in place: control characters become blanks, bytes that are no
   UTF-8 become '?', a sequence that the end cuts off is dropped. Writes a NUL at the end of what
   remains (at most at text[size]) and returns its length. */
size_t etl_utf8_one_line(char *text, size_t size);

#endif
