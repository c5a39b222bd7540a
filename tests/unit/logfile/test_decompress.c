#include <criterion/criterion.h>
#include <stdlib.h>

#include "builder.h"
#include "compress.h"
#include "logfile/logfile.h"

typedef bool decompressor(const uint8_t *, size_t, uint8_t *, size_t);

static const struct {
    int algorithm;
    decompressor *decompress;
} algorithms[] = {{ETL_BUILD_LZNT1, etl_lznt1_decompress},
                  {ETL_BUILD_XPRESS, etl_xpress_decompress},
                  {ETL_BUILD_XPRESS_HUFFMAN, etl_xpress_huffman_decompress}};

/* Inputs that make every kind of token: literals, short and long matches, near and far ones. */
static size_t sample(int kind, uint8_t *out)
{
    uint32_t state = 12345 + (uint32_t)kind;
    size_t size = 0;
    switch (kind) {
    case 0: memcpy(out, "abc", 3); return 3;
    case 1: memset(out, 'x', 70000); return 70000; /* the u16 length form */
    case 2:
        for (; size < 9000; size++) {
            state = state * 1664525 + 1013904223;
            out[size] = (uint8_t)(state >> 24);
        }
        return size;
    case 3:
        while (size < 20000) {
            state = state * 1664525 + 1013904223;
            size_t length = 1 + (state >> 20) % 60;
            memset(out + size, (int)('a' + (state >> 28)), length);
            size += length;
        }
        return size;
    default:
        for (; size < 5000; size++)
            out[size] = (uint8_t)("event trace log "[size % 16] + (size % 333 == 0));
        return size;
    }
}

Test(decompress, gives_back_what_was_compressed)
{
    uint8_t *in = malloc(80000), *packed = malloc(200000), *out = malloc(80000);
    for (size_t a = 0; a < ETL_COUNT_OF(algorithms); a++) {
        for (int kind = 0; kind < 5; kind++) {
            size_t size = sample(kind, in);
            size_t packed_size = etl_test_compress(algorithms[a].algorithm, in, size, packed);
            memset(out, 0xEE, size);
            cr_assert(algorithms[a].decompress(packed, packed_size, out, size),
                      "algorithm %d, sample %d", algorithms[a].algorithm, kind);
            cr_assert_arr_eq(out, in, size, "algorithm %d, sample %d", algorithms[a].algorithm,
                             kind);
        }
    }
    free(in);
    free(packed);
    free(out);
}

Test(decompress, xpress_by_hand)
{
    /* MS-XCA: flags with the fourth bit set, three literals, then a match of length 297 at offset
       3: token 0x0017 (offset 3, length 7), nibble 15, byte 255, u16 297 - 3. */
    static const uint8_t in[] = {0xFF, 0xFF, 0xFF, 0x1F, 'a',  'b', 'c',
                                 0x17, 0x00, 0x0F, 0xFF, 0x26, 0x01};
    uint8_t out[300];
    cr_assert(etl_xpress_decompress(in, sizeof in, out, sizeof out));
    for (size_t i = 0; i < sizeof out; i++)
        cr_assert_eq(out[i], "abc"[i % 3]);
}

Test(decompress, lznt1_by_hand)
{
    /* A stored chunk of four bytes. */
    static const uint8_t in[] = {0x03, 0x30, 'w', 'x', 'y', 'z'};
    uint8_t out[4];
    cr_assert(etl_lznt1_decompress(in, sizeof in, out, sizeof out));
    cr_assert_arr_eq(out, "wxyz", 4);
}

/* The example of MS-XCA for LZNT1. */
Test(decompress, lznt1_of_the_specification)
{
    static const uint8_t in[] = {
        0x38, 0xb0, 0x88, 0x46, 0x23, 0x20, 0x00, 0x20, 0x47, 0x20, 0x41, 0x00, 0x10, 0xa2, 0x47,
        0x01, 0xa0, 0x45, 0x20, 0x44, 0x00, 0x08, 0x45, 0x01, 0x50, 0x79, 0x00, 0xc0, 0x45, 0x20,
        0x05, 0x24, 0x13, 0x88, 0x05, 0xb4, 0x02, 0x4a, 0x44, 0xef, 0x03, 0x58, 0x02, 0x8c, 0x09,
        0x16, 0x01, 0x48, 0x45, 0x00, 0xbe, 0x00, 0x9e, 0x00, 0x04, 0x01, 0x18, 0x90, 0x00};
    static const char text[] = "F# F# G A A G F# E D D E F# F# E E F# F# G A A G F# E D D E F# E D "
                               "D E E F# D E F# G F# D E F# G F# E D E A F# F# G A A G F# E D D E "
                               "F# E D D";
    uint8_t out[sizeof text];
    cr_assert(etl_lznt1_decompress(in, sizeof in, out, sizeof out));
    cr_assert_str_eq((char *)out, text);
}

/* The example of MS-XCA for Huffman codes: a to v take five bits, w to z and the end four. */
Test(decompress, xpress_huffman_of_the_specification)
{
    static const uint8_t codes[] = {0xd8, 0x52, 0x3e, 0xd7, 0x94, 0x11, 0x5b, 0xe9, 0x19, 0x5f,
                                    0xf9, 0xd6, 0x7c, 0xdf, 0x8d, 0x04, 0x00, 0x00, 0x00, 0x00};
    uint8_t in[256 + sizeof codes] = {0}, out[26];
    in[0x61 / 2] = 0x50;
    memset(in + 0x61 / 2 + 1, 0x55, 10);
    in[0x76 / 2] = 0x45;
    in[0x78 / 2] = 0x44;
    in[0x7A / 2] = 0x04;
    in[256 / 2] = 0x04;
    memcpy(in + 256, codes, sizeof codes);
    cr_assert(etl_xpress_huffman_decompress(in, sizeof in, out, sizeof out));
    cr_assert_arr_eq(out, "abcdefghijklmnopqrstuvwxyz", 26);
}

/* Matches of every short offset and length, at the end of the output and away from it, where words
   are copied. */
Test(decompress, xpress_matches_of_every_period)
{
    for (unsigned offset = 1; offset <= 40; offset++) {
        for (unsigned length = 3; length <= 60; length++) {
            for (unsigned tail = 0; tail <= 33; tail += 11) {
                uint8_t in[160] = {0}, out[160];
                size_t size = 0;
                /* literals: as many as the offset; then the match; then the tail */
                unsigned flag = 0, flags_at = 0;
                for (unsigned i = 0; i < offset + 1 + tail; i++, flag++) {
                    if (flag % 32 == 0) {
                        flags_at = (unsigned)size;
                        size += 4;
                    }
                    if (i != offset) {
                        in[size++] = (uint8_t)(i + 1);
                        continue;
                    }
                    in[flags_at + 3 - flag % 32 / 8] |= (uint8_t)(0x80 >> flag % 8);
                    unsigned rest = length - 3, low = rest < 7 ? rest : 7;
                    in[size++] = (uint8_t)((offset - 1) << 3 | low);
                    in[size++] = (uint8_t)((offset - 1) >> 5);
                    if (low == 7)
                        in[size++] = (uint8_t)(rest - 7 < 15 ? rest - 7 : 15);
                    if (low == 7 && rest - 7 >= 15)
                        in[size++] = (uint8_t)(rest - 22);
                }
                size_t out_size = offset + length + tail;
                cr_assert(etl_xpress_decompress(in, size, out, out_size));
                for (size_t i = 0; i < out_size; i++) {
                    size_t expected = i < offset            ? i + 1
                                      : i < offset + length ? i % offset + 1
                                                            : i - length + 2;
                    cr_assert_eq(out[i], expected, "offset %u, length %u, at %zu", offset, length,
                                 i);
                }
            }
        }
    }
}

Test(decompress, refuses_what_does_not_fit)
{
    uint8_t out[300];
    static const uint8_t offset_too_far[] = {0xFF, 0xFF, 0xFF, 0x7F, 'a', 0xF8, 0xFF};
    cr_assert_not(etl_xpress_decompress(offset_too_far, sizeof offset_too_far, out, sizeof out));
    static const uint8_t no_code[256] = {0};
    cr_assert_not(etl_xpress_huffman_decompress(no_code, sizeof no_code, out, sizeof out));
    cr_assert_not(etl_lznt1_decompress(no_code, 2, out, sizeof out));
    for (size_t a = 0; a < ETL_COUNT_OF(algorithms); a++)
        cr_assert_not(algorithms[a].decompress(out, 0, out, 1));
}

/* Any prefix and any single flipped bit either works or is refused; ASan sees the rest. */
Test(decompress, survives_damage)
{
    uint8_t *in = malloc(80000), *packed = malloc(200000), *out = malloc(80000);
    for (size_t a = 0; a < ETL_COUNT_OF(algorithms); a++) {
        size_t size = sample(4, in);
        size_t packed_size = etl_test_compress(algorithms[a].algorithm, in, size, packed);
        uint8_t *exact = malloc(packed_size);
        for (size_t cut = 0; cut < packed_size; cut += 3) {
            uint8_t *part = malloc(cut ? cut : 1);
            memcpy(part, packed, cut);
            algorithms[a].decompress(part, cut, out, size);
            free(part);
        }
        for (size_t bit = 0; bit < packed_size * 8; bit += 5) {
            memcpy(exact, packed, packed_size);
            exact[bit / 8] ^= (uint8_t)(1u << bit % 8);
            algorithms[a].decompress(exact, packed_size, out, size);
        }
        free(exact);
    }
    free(in);
    free(packed);
    free(out);
}
