/* Plain LZ77 of MS-XCA section 2.4, the algorithm of every compressed log seen. */
#include "logfile/logfile.h"

enum { WORD = 16, SHORT_WORD = 8 };

/* Copies a match; offset is within what was written. Words are as long as source and target do not
   overlap within one and the target has room for a whole last one. */
static inline void copy_match(uint8_t *out, const uint8_t *out_end, size_t offset, size_t length)
{
    const uint8_t *from = out - offset;
    uint8_t *end = out + length;
    if ((size_t)(out_end - out) >= length + WORD) {
        if (offset >= WORD) {
            do {
                memcpy(out, from, WORD);
                out += WORD;
                from += WORD;
            } while (out < end);
            return;
        }
        /* A short period: after some bytes a multiple of it is far enough away. */
        size_t period = offset;
        while (period < SHORT_WORD)
            period += offset;
        if (period > offset) {
            for (uint8_t *stop = length < period ? end : out + period; out < stop;)
                *out++ = *from++;
            from = out - period;
        }
        while (out < end) {
            memcpy(out, from, SHORT_WORD);
            out += SHORT_WORD;
            from += SHORT_WORD;
        }
        return;
    }
    while (out < end)
        *out++ = *from++;
}

/* The parts of a match length that do not fit its token; *nibble is the byte whose high half is
   still to be used, or NULL. */
static bool long_length(const uint8_t **in, const uint8_t *in_end, const uint8_t **nibble,
                        size_t *ret_length)
{
    const uint8_t *at = *in;
    uint32_t extra;
    if (*nibble) {
        extra = **nibble >> 4;
        *nibble = NULL;
    } else {
        if (at == in_end)
            return false;
        *nibble = at;
        extra = *at++ & 15;
    }
    if (extra == 15) {
        if (at == in_end)
            return false;
        extra = *at++;
        if (extra == 255) {
            if (in_end - at < 2)
                return false;
            extra = etl_load_u16(at);
            at += 2;
            if (extra == 0) {
                if (in_end - at < 4)
                    return false;
                extra = etl_load_u32(at);
                at += 4;
            }
            if (extra < 15 + 7)
                return false;
            extra -= 15 + 7;
        }
        extra += 15;
    }
    *in = at;
    *ret_length = (size_t)extra + 7;
    return true;
}

bool etl_xpress_decompress(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size)
{
    const uint8_t *in_end = in + in_size;
    const uint8_t *out_start = out, *out_end = out + out_size;
    const uint8_t *nibble = NULL;
    uint32_t flags = 0; /* the next one on top */
    unsigned flag_count = 0;
    while (out < out_end) {
        if (flag_count == 0) {
            if (in_end - in < 4)
                return false;
            flags = etl_load_u32(in);
            in += 4;
            flag_count = 32;
        }
        unsigned run = flags ? (unsigned)__builtin_clz(flags) : 32;
        if (run) {
            run = run < flag_count ? run : flag_count;
            size_t in_left = (size_t)(in_end - in), out_left = (size_t)(out_end - out);
            if (in_left >= 2 * WORD && out_left >= 2 * WORD) {
                memcpy(out, in, WORD);
                if (run > WORD)
                    memcpy(out + WORD, in + WORD, WORD);
            } else {
                if (run > out_left)
                    run = (unsigned)out_left;
                if (run > in_left)
                    return false;
                memcpy(out, in, run);
            }
            in += run;
            out += run;
            flags = run < 32 ? flags << run : 0;
            flag_count -= run;
            if (flag_count == 0 || out == out_end)
                continue;
        }
        flags <<= 1;
        flag_count--;
        if (in_end - in < 2)
            return false;
        uint32_t token = etl_load_u16(in);
        in += 2;
        size_t offset = (token >> 3) + 1;
        size_t length = token & 7;
        if (length == 7 && !long_length(&in, in_end, &nibble, &length))
            return false;
        length += 3;
        if (offset > (size_t)(out - out_start))
            return false;
        /* The last match may be longer than what is wanted. */
        if (length > (size_t)(out_end - out))
            length = (size_t)(out_end - out);
        copy_match(out, out_end, offset, length);
        out += length;
    }
    return true;
}
