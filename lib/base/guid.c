/* GUID text. */
#include "etlkit/types.h"

/* Byte of the GUID that each pair of digits shows: the first three groups are little-endian. */
static const uint8_t text_order[16] = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};

static bool dash_before(int pair)
{
    return pair == 4 || pair == 6 || pair == 8 || pair == 10;
}

void etl_guid_text(const etl_guid *guid, char ret_text[ETL_GUID_TEXT_SIZE])
{
    static const char digits[] = "0123456789abcdef";
    char *out = ret_text;
    for (int i = 0; i < 16; i++) {
        if (dash_before(i))
            *out++ = '-';
        uint8_t byte = guid->bytes[text_order[i]];
        *out++ = digits[byte >> 4];
        *out++ = digits[byte & 15];
    }
    *out = 0;
}

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool etl_guid_parse(const char *text, etl_guid *ret_guid)
{
    bool brace = *text == '{';
    text += brace;
    etl_guid guid;
    for (int i = 0; i < 16; i++) {
        if (dash_before(i) && *text++ != '-')
            return false;
        int high = digit(text[0]);
        int low = high < 0 ? -1 : digit(text[1]);
        if (low < 0)
            return false;
        guid.bytes[text_order[i]] = (uint8_t)(high << 4 | low);
        text += 2;
    }
    if (brace && *text++ != '}')
        return false;
    if (*text)
        return false;
    *ret_guid = guid;
    return true;
}
