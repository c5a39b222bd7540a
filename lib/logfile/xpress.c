/* Plain LZ77 of MS-XCA section 2.4, the algorithm of every compressed log seen. */
#include "logfile/logfile.h"

/* Copies a match; offset is within what was written. Words as long as source and target do not
   overlap within one and the target has room. */
static inline void copy_match(uint8_t *out, const uint8_t *out_end, size_t offset, size_t length)
{
    const uint8_t *from = out - offset;
    if (offset >= 8 && (size_t)(out_end - out) >= length + 8) {
        uint8_t *end = out + length;
        while (out < end) {
            memcpy(out, from, 8);
            out += 8;
            from += 8;
        }
        return;
    }
    while (length--)
        *out++ = *from++;
}

bool etl_xpress_decompress(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size)
{
    const uint8_t *in_end = in + in_size;
    const uint8_t *out_start = out, *out_end = out + out_size;
    const uint8_t *nibble = NULL; /* byte whose high nibble is still to be used */
    uint32_t flags = 0;
    unsigned flag_count = 0;
    while (out < out_end) {
        if (flag_count == 0) {
            if (in_end - in < 4)
                return false;
            flags = etl_load_u32(in);
            in += 4;
            flag_count = 32;
            if (flags == 0 && in_end - in >= 32 && out_end - out >= 32) {
                memcpy(out, in, 32);
                out += 32;
                in += 32;
                flag_count = 0;
                continue;
            }
        }
        flag_count--;
        if (!(flags >> flag_count & 1)) {
            if (in == in_end)
                return false;
            *out++ = *in++;
            continue;
        }
        if (in_end - in < 2)
            return false;
        uint32_t token = etl_load_u16(in);
        in += 2;
        size_t length = token & 7;
        size_t offset = (token >> 3) + 1;
        if (length == 7) {
            uint32_t extra;
            if (nibble) {
                extra = *nibble >> 4;
                nibble = NULL;
            } else {
                if (in == in_end)
                    return false;
                nibble = in;
                extra = *in++ & 15;
            }
            if (extra == 15) {
                if (in == in_end)
                    return false;
                extra = *in++;
                if (extra == 255) {
                    if (in_end - in < 2)
                        return false;
                    extra = etl_load_u16(in);
                    in += 2;
                    if (extra == 0) {
                        if (in_end - in < 4)
                            return false;
                        extra = etl_load_u32(in);
                        in += 4;
                    }
                    if (extra < 15 + 7)
                        return false;
                    extra -= 15 + 7;
                }
                extra += 15;
            }
            length = (size_t)extra + 7;
        }
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
