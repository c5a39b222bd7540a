/* LZ77 with Huffman codes of MS-XCA section 2.1 and 2.2: blocks of 65,536 output bytes, each with a
   table of 512 code lengths. */
#include "logfile/logfile.h"

enum { SYMBOLS = 512, TABLE_BYTES = SYMBOLS / 2, MAX_BITS = 15, BLOCK = 65536 };

typedef struct bit_reader {
    etl_cur cur;
    uint32_t bits;
    int extra; /* bits beyond the 16 that are always there */
} bit_reader;

/* Symbol by the next 15 bits, with its length in the low four bits. */
typedef struct decode_table {
    uint16_t symbol[1 << MAX_BITS];
    uint8_t length[1 << MAX_BITS];
} decode_table;

static bool build_table(const uint8_t lengths[TABLE_BYTES], decode_table *table)
{
    size_t at = 0;
    for (unsigned length = 1; length <= MAX_BITS; length++) {
        for (unsigned symbol = 0; symbol < SYMBOLS; symbol++) {
            unsigned own = symbol & 1 ? lengths[symbol / 2] >> 4 : lengths[symbol / 2] & 15;
            if (own != length)
                continue;
            size_t span = (size_t)1 << (MAX_BITS - length);
            if (at + span > (size_t)1 << MAX_BITS)
                return false;
            for (size_t i = 0; i < span; i++) {
                table->symbol[at + i] = (uint16_t)symbol;
                table->length[at + i] = (uint8_t)length;
            }
            at += span;
        }
    }
    /* An incomplete code leaves values that stand for nothing. */
    memset(table->length + at, 0, sizeof table->length - at);
    return at > 0;
}

static void start_bits(bit_reader *reader)
{
    reader->bits = (uint32_t)etl_cur_u16(&reader->cur) << 16;
    reader->bits |= etl_cur_u16(&reader->cur);
    reader->extra = 16;
}

/* Past the end zeros come: the last symbols may need none of them. */
static uint16_t soft_u16(etl_cur *cur)
{
    return etl_cur_left(cur) >= 2 ? etl_cur_u16(cur) : 0;
}

static void consume(bit_reader *reader, unsigned count)
{
    reader->bits <<= count;
    reader->extra -= (int)count;
    if (reader->extra < 0) {
        reader->bits |= (uint32_t)soft_u16(&reader->cur) << -reader->extra;
        reader->extra += 16;
    }
}

static bool match_length(bit_reader *reader, size_t *length)
{
    if (*length < 15)
        return true;
    uint32_t more = etl_cur_u8(&reader->cur);
    if (more == 255) {
        more = etl_cur_u16(&reader->cur);
        if (more == 0)
            more = etl_cur_u32(&reader->cur);
        if (more < 15)
            return false;
        *length = more;
    } else {
        *length = more + 15;
    }
    return !reader->cur.failed;
}

static bool expand_block(bit_reader *reader, const decode_table *table, uint8_t *start,
                         uint8_t **out, const uint8_t *block_end, const uint8_t *end)
{
    while (*out < block_end) {
        uint32_t index = reader->bits >> (32 - MAX_BITS);
        unsigned length_bits = table->length[index];
        if (!length_bits)
            return false;
        unsigned symbol = table->symbol[index];
        consume(reader, length_bits);
        if (symbol < 256) {
            *(*out)++ = (uint8_t)symbol;
            continue;
        }
        symbol -= 256;
        size_t length = symbol & 15;
        unsigned offset_bits = symbol >> 4;
        if (!match_length(reader, &length))
            return false;
        size_t offset = (size_t)1 << offset_bits;
        if (offset_bits) {
            offset += reader->bits >> (32 - offset_bits);
            consume(reader, offset_bits);
        }
        length += 3;
        if (offset > (size_t)(*out - start))
            return false;
        if (length > (size_t)(end - *out))
            length = (size_t)(end - *out);
        for (; length; length--, (*out)++)
            **out = *(*out - offset);
    }
    return true;
}

bool etl_xpress_huffman_decompress(const uint8_t *in, size_t in_size, uint8_t *out, size_t out_size)
{
    decode_table table;
    bit_reader reader = {.cur = etl_cur_make(in, in_size)};
    uint8_t *start = out, *end = out + out_size;
    while (out < end) {
        const uint8_t *lengths = etl_cur_take(&reader.cur, TABLE_BYTES);
        if (!lengths || !build_table(lengths, &table))
            return false;
        start_bits(&reader);
        if (reader.cur.failed)
            return false;
        const uint8_t *block_end = end - out > BLOCK ? out + BLOCK : end;
        if (!expand_block(&reader, &table, start, &out, block_end, end))
            return false;
    }
    return true;
}
