/* Greedy encoders: good enough to make every kind of token. */
#include "compress.h"

#include <stdlib.h>
#include <string.h>

#include "builder.h"

static void store16(uint8_t *to, size_t value)
{
    to[0] = (uint8_t)value;
    to[1] = (uint8_t)(value >> 8);
}

static void store32(uint8_t *to, uint32_t value)
{
    store16(to, value & 0xFFFF);
    store16(to + 2, value >> 16);
}

/* Longest match before `at` within `window`; looks back over everything: inputs are small. */
static size_t find_match(const uint8_t *in, size_t size, size_t at, size_t window, size_t most,
                         size_t *ret_offset)
{
    size_t best = 0;
    for (size_t offset = 1; offset <= at && offset <= window; offset++) {
        size_t length = 0;
        while (at + length < size && length < most && in[at + length] == in[at + length - offset])
            length++;
        if (length > best) {
            best = length;
            *ret_offset = offset;
        }
    }
    return best;
}

/* MS-XCA 2.3 */
static size_t xpress(const uint8_t *in, size_t size, uint8_t *out)
{
    size_t at = 0, written = 4, flag_at = 0, nibble_at = 0;
    uint32_t flags = 0;
    int count = 0;
    while (at < size) {
        size_t offset = 0;
        size_t length = find_match(in, size, at, 8192, 70000, &offset);
        int match = length >= 3;
        if (match) {
            size_t rest = length - 3;
            size_t low = rest < 7 ? rest : 7;
            store16(out + written, (offset - 1) << 3 | low);
            written += 2;
            if (low == 7) {
                rest -= 7;
                size_t nibble = rest < 15 ? rest : 15;
                if (nibble_at) {
                    out[nibble_at] |= (uint8_t)(nibble << 4);
                    nibble_at = 0;
                } else {
                    nibble_at = written;
                    out[written++] = (uint8_t)nibble;
                }
                if (nibble == 15) {
                    rest -= 15;
                    if (rest < 255) {
                        out[written++] = (uint8_t)rest;
                    } else if (rest + 22 < 65536) {
                        out[written++] = 255;
                        store16(out + written, rest + 22);
                        written += 2;
                    } else {
                        out[written++] = 255;
                        store16(out + written, 0);
                        store32(out + written + 2, (uint32_t)(rest + 22));
                        written += 6;
                    }
                }
            }
            at += length;
        } else {
            out[written++] = in[at++];
        }
        flags = flags << 1 | (uint32_t)match;
        if (++count == 32) {
            store32(out + flag_at, flags);
            flag_at = written;
            written += 4;
            count = 0;
            flags = 0;
        }
    }
    /* A match flag at the end stops a decoder that does not know the size. */
    flags = count ? flags << (32 - count) | ((1u << (32 - count)) - 1) : UINT32_MAX;
    store32(out + flag_at, flags);
    return written;
}

/* MS-XCA 2.5 */
static size_t lznt1(const uint8_t *in, size_t size, uint8_t *out)
{
    size_t written = 0;
    for (size_t start = 0; start < size; start += 4096) {
        const uint8_t *chunk = in + start;
        size_t chunk_size = size - start < 4096 ? size - start : 4096;
        size_t head = written, at = 0;
        written += 2;
        while (at < chunk_size) {
            size_t flag_at = written++;
            out[flag_at] = 0;
            for (int bit = 0; bit < 8 && at < chunk_size; bit++) {
                unsigned shift = 12;
                for (size_t d = at ? at - 1 : 0; d >= 16; d >>= 1)
                    shift--;
                size_t offset = 0;
                size_t length = at ? find_match(chunk, chunk_size, at, (size_t)1 << (16 - shift),
                                                ((size_t)1 << shift) + 2, &offset)
                                   : 0;
                if (length >= 3) {
                    out[flag_at] |= (uint8_t)(1 << bit);
                    store16(out + written, (offset - 1) << shift | (length - 3));
                    written += 2;
                    at += length;
                } else {
                    out[written++] = chunk[at++];
                }
            }
        }
        if (written - head - 2 > 4096) {
            /* Incompressible: stored. */
            memcpy(out + head + 2, chunk, chunk_size);
            written = head + 2 + chunk_size;
            store16(out + head, 0x3000 | (chunk_size - 1));
        } else {
            store16(out + head, 0xB000 | (written - head - 3));
        }
    }
    return written;
}

/* MS-XCA 2.1 with a fixed code: all 512 symbols take 9 bits, so codes are the symbols themselves.
 */
static size_t xpress_huffman(const uint8_t *in, size_t size, uint8_t *out)
{
    size_t written = 0;
    for (size_t start = 0; start < size; start += 65536) {
        size_t end = size - start < 65536 ? size : start + 65536;
        memset(out + written, 0x99, 256);
        written += 256;
        /* Two words are read ahead; a further one when the bits in front of it are used up. */
        size_t word[2] = {written, written + 2};
        memset(out + written, 0, 4);
        written += 4;
        uint32_t bits = 0;
        int count = 0;
        for (size_t at = start; at < end;) {
            size_t offset = 0;
            size_t length = find_match(in, end, at, 65535, 65538, &offset);
            unsigned symbol = in[at], offset_bits = 0;
            if (length >= 3) {
                while (offset >> (offset_bits + 1))
                    offset_bits++;
                symbol = 256 + (offset_bits << 4) + (unsigned)(length - 3 < 15 ? length - 3 : 15);
            }
            unsigned pieces[2] = {symbol, (unsigned)(offset - ((size_t)1 << offset_bits))};
            unsigned sizes[2] = {9, length >= 3 ? offset_bits : 0};
            for (int k = 0; k < 2; k++) {
                for (unsigned bit = sizes[k]; bit-- > 0;) {
                    /* A word goes out when a bit no longer fits, not when it is full: extra length
                       bytes stand where the decoder has not yet read the next word. */
                    if (count == 16) {
                        store16(out + word[0], bits);
                        word[0] = word[1];
                        word[1] = written;
                        memset(out + written, 0, 2);
                        written += 2;
                        bits = 0;
                        count = 0;
                    }
                    bits = bits << 1 | (pieces[k] >> bit & 1);
                    count++;
                }
                if (k == 0 && length >= 18) {
                    size_t rest = length - 3 - 15;
                    if (rest < 255) {
                        out[written++] = (uint8_t)rest;
                    } else {
                        out[written++] = 255;
                        store16(out + written, length - 3);
                        written += 2;
                    }
                }
            }
            at += length >= 3 ? length : 1;
        }
        if (count)
            store16(out + word[0], bits << (16 - count));
    }
    return written;
}

size_t etl_test_compress(int algorithm, const uint8_t *in, size_t size, uint8_t *out)
{
    switch (algorithm) {
    case ETL_BUILD_LZNT1: return lznt1(in, size, out);
    case ETL_BUILD_XPRESS_HUFFMAN: return xpress_huffman(in, size, out);
    default: return xpress(in, size, out);
    }
}
