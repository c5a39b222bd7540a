/* LZNT1 of MS-XCA section 2.5: chunks of up to 4096 bytes. */
#include "logfile/logfile.h"

enum { CHUNK = 4096 };

/* One compressed chunk; returns bytes written, or -1. */
static ptrdiff_t expand_chunk(const uint8_t *in, size_t in_size, uint8_t *out, size_t room)
{
    const uint8_t *end = in + in_size;
    size_t written = 0;
    while (in < end) {
        uint8_t flags = *in++;
        for (int bit = 0; bit < 8 && in < end; bit++, flags >>= 1) {
            if (!(flags & 1)) {
                if (written == room)
                    return -1;
                out[written++] = *in++;
                continue;
            }
            if (end - in < 2 || written == 0)
                return -1;
            uint32_t token = etl_load_u16(in);
            in += 2;
            /* The further into the chunk, the more bits the offset takes. */
            unsigned shift = 12;
            for (size_t d = written - 1; d >= 16; d >>= 1)
                shift--;
            size_t length = (token & ((1u << shift) - 1)) + 3;
            size_t offset = (token >> shift) + 1;
            if (offset > written || length > room - written)
                return -1;
            for (size_t i = 0; i < length; i++, written++)
                out[written] = out[written - offset];
        }
    }
    return (ptrdiff_t)written;
}

bool etl_lznt1_decompress(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size)
{
    etl_cur cur = etl_cur_make(in, in_size);
    size_t written = 0;
    while (written < out_size) {
        if (etl_cur_left(&cur) < 2)
            return false;
        uint16_t head = etl_cur_u16(&cur);
        size_t size = (head & 0xFFFu) + 1;
        const uint8_t *chunk = head ? etl_cur_take(&cur, size) : NULL;
        if (!chunk)
            return false;
        size_t room = out_size - written < CHUNK ? out_size - written : CHUNK;
        if (head & 0x8000) {
            ptrdiff_t got = expand_chunk(chunk, size, out + written, room);
            if (got <= 0)
                return false;
            written += (size_t)got;
        } else {
            size_t copy = size < room ? size : room;
            memcpy(out + written, chunk, copy);
            written += copy;
        }
    }
    return true;
}
