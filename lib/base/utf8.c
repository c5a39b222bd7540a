/* Checking UTF-8, and making hostile text safe to print. */
#include "base/base.h"
#include "base/utf8.h"

bool etl_utf8_valid(const uint8_t *in, size_t size)
{
    for (size_t at = 0; at < size;) {
        if (size - at >= 8 && !(etl_load_u64(in + at) & UINT64_C(0x8080808080808080))) {
            at += 8;
            continue;
        }
        size_t length = etl_utf8_sequence(in + at, size - at);
        if (!length)
            return false;
        at += length;
    }
    return true;
}

const char *etl_utf8_next(const char *text)
{
    size_t length = etl_utf8_sequence((const uint8_t *)text, strnlen(text, 4));
    return text + (length ? length : 1);
}

/* Whether the bytes up to the end start a sequence that only lacks its last bytes. */
static bool cut_off(const uint8_t *in, size_t left)
{
    size_t size = in[0] >= 0xF0 ? 4 : in[0] >= 0xE0 ? 3 : 2;
    if (in[0] < 0xC2 || in[0] > 0xF4 || left >= size)
        return false;
    for (size_t i = 1; i < left; i++)
        if ((in[i] & 0xC0) != 0x80)
            return false;
    return true;
}

size_t etl_utf8_one_line(char *text, size_t size)
{
    uint8_t *p = (uint8_t *)text;
    size_t at = 0;
    while (at < size) {
        size_t length = etl_utf8_sequence(p + at, size - at);
        if (!length && cut_off(p + at, size - at))
            break;
        if (!length) {
            p[at++] = '?';
            continue;
        }
        /* U+0080 to U+009F are control characters too; terminals obey them. */
        if (p[at] < 0x20 || p[at] == 0x7F)
            p[at] = ' ';
        else if (length == 2 && p[at] == 0xC2 && p[at + 1] < 0xA0)
            p[at] = p[at + 1] = ' ';
        at += length;
    }
    p[at] = 0;
    return at;
}
