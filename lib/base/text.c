/* Text of other encodings to UTF-8, and matching. */
#include "base/base.h"

#ifdef __SSE2__
#include <emmintrin.h>
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

size_t etl_utf16_to_utf8(const uint8_t *in, size_t units, char *out)
{
    char *start = out;
    const uint8_t *end = in + 2 * units;
    while (in < end) {
#ifdef __SSE2__
        /* Runs of ASCII, eight units at a time. The output has room: three bytes a unit. */
        while (end - in >= 16) {
            __m128i v = _mm_loadu_si128((const __m128i *)(const void *)in);
            __m128i high = _mm_and_si128(v, _mm_set1_epi16((short)0xFF80));
            if (_mm_movemask_epi8(_mm_cmpeq_epi16(high, _mm_setzero_si128())) != 0xFFFF)
                break;
            _mm_storel_epi64((__m128i *)(void *)out, _mm_packus_epi16(v, v));
            in += 16;
            out += 8;
        }
        if (in == end)
            break;
#endif
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
#ifdef __SSE2__
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

/* Length of the valid UTF-8 sequence at `in`, 0 if there is none (RFC 3629: no surrogates, no
   overlong forms). */
static size_t utf8_sequence(const uint8_t *in, size_t left)
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

bool etl_utf8_valid(const uint8_t *in, size_t size)
{
    for (size_t at = 0; at < size;) {
        size_t length = utf8_sequence(in + at, size - at);
        if (!length)
            return false;
        at += length;
    }
    return true;
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

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

bool etl_wildcard_match(const char *pattern, const char *text)
{
    const char *star = NULL, *retry = NULL;
    while (*text) {
        if (*pattern == '*') {
            star = ++pattern;
            retry = text;
        } else if (*pattern == '?' || (*pattern && lower(*pattern) == lower(*text))) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star;
            text = ++retry;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}
