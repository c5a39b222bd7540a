/* Text of other encodings to UTF-8, and matching. */
#include "base/base.h"
#include "base/utf8.h"

/* ETL_TEXT_PORTABLE lets a test run the path of other processors on this one. */
#if defined(__SSE2__) && !defined(ETL_TEXT_PORTABLE)
#define USE_SSE2 1
#include <emmintrin.h>
#else
#define USE_SSE2 0
#endif

static char *put_utf8(char *out, uint32_t code)
{
    if (code < 0x80) {
        *out++ = (char)code;
    } else if (code < 0x800) {
        *out++ = (char)(0xC0 | code >> 6);
        *out++ = (char)(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        *out++ = (char)(0xE0 | code >> 12);
        *out++ = (char)(0x80 | (code >> 6 & 0x3F));
        *out++ = (char)(0x80 | (code & 0x3F));
    } else {
        *out++ = (char)(0xF0 | code >> 18);
        *out++ = (char)(0x80 | (code >> 12 & 0x3F));
        *out++ = (char)(0x80 | (code >> 6 & 0x3F));
        *out++ = (char)(0x80 | (code & 0x3F));
    }
    return out;
}

#if !USE_SSE2
/* Four ASCII units in one word to the four bytes of its low half. */
static uint32_t pack_ascii(uint64_t v)
{
    v = (v | v >> 8) & UINT64_C(0x0000FFFF0000FFFF);
    return (uint32_t)(v | v >> 16);
}

static void store_u32(char *out, uint32_t v)
{
    out[0] = (char)v;
    out[1] = (char)(v >> 8);
    out[2] = (char)(v >> 16);
    out[3] = (char)(v >> 24);
}
#endif

size_t etl_utf16_to_utf8(const uint8_t *in, size_t units, char *out)
{
    char *start = out;
    const uint8_t *end = in + 2 * units;
    while (in < end) {
        /* Runs of ASCII, eight units at a time; one byte a unit is stored, never more. */
#if USE_SSE2
        while (end - in >= 16) {
            __m128i v = _mm_loadu_si128((const __m128i *)(const void *)in);
            __m128i high = _mm_and_si128(v, _mm_set1_epi16((short)0xFF80));
            if (_mm_movemask_epi8(_mm_cmpeq_epi16(high, _mm_setzero_si128())) != 0xFFFF)
                break;
            _mm_storel_epi64((__m128i *)(void *)out, _mm_packus_epi16(v, v));
            in += 16;
            out += 8;
        }
#else
        while (end - in >= 16) {
            uint64_t a = etl_load_u64(in), b = etl_load_u64(in + 8);
            if ((a | b) & UINT64_C(0xFF80FF80FF80FF80))
                break;
            store_u32(out, pack_ascii(a));
            store_u32(out + 4, pack_ascii(b));
            in += 16;
            out += 8;
        }
#endif
        if (in == end)
            break;
        uint32_t code = etl_load_u16(in);
        in += 2;
        if (code < 0x80) {
            *out++ = (char)code;
            continue;
        }
        if (code >= 0xD800 && code < 0xE000) {
            uint32_t low = code < 0xDC00 && in < end ? etl_load_u16(in) : 0;
            if (low >= 0xDC00 && low < 0xE000) {
                in += 2;
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            } else {
                code = 0xFFFD;
            }
        }
        out = put_utf8(out, code);
    }
    return (size_t)(out - start);
}

size_t etl_utf16_length(const uint8_t *in, size_t max_units)
{
    size_t at = 0;
#if USE_SSE2
    for (; at + 8 <= max_units; at += 8) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(in + 2 * at));
        int zero = _mm_movemask_epi8(_mm_cmpeq_epi16(v, _mm_setzero_si128()));
        if (zero)
            return at + (size_t)__builtin_ctz((unsigned)zero) / 2;
    }
#endif
    while (at < max_units && (in[2 * at] | in[2 * at + 1]))
        at++;
    return at;
}

/* Windows-1252, 0x80 to 0x9F; its five holes read as the control characters they stand for. */
static const uint16_t cp1252[32] = {0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                    0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,   0x017D, 0x8F,
                                    0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

size_t etl_ansi_to_utf8(const uint8_t *in, size_t size, char *out)
{
    if (etl_utf8_valid(in, size)) {
        if (size)
            memcpy(out, in, size);
        return size;
    }
    char *start = out;
    for (size_t i = 0; i < size; i++)
        out = put_utf8(out, in[i] >= 0x80 && in[i] < 0xA0 ? cp1252[in[i] - 0x80] : in[i]);
    return (size_t)(out - start);
}

bool etl_ascii_equal(const char *a, const char *b)
{
    for (; *a && etl_ascii_lower(*a) == etl_ascii_lower(*b); a++, b++)
        ;
    return etl_ascii_lower(*a) == etl_ascii_lower(*b);
}

bool etl_wildcard_match(const char *pattern, const char *text)
{
    const char *star = NULL, *retry = NULL;
    while (*text) {
        if (*pattern == '*') {
            star = ++pattern;
            retry = text;
        } else if (*pattern == '?' ||
                   (*pattern && etl_ascii_lower(*pattern) == etl_ascii_lower(*text))) {
            text = *pattern++ == '?' ? etl_utf8_next(text) : text + 1;
        } else if (star) {
            pattern = star;
            text = retry = etl_utf8_next(retry);
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}
