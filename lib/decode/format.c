/* Values as readers expect them: etl-format 6.2 and 6.7. */
#include "decode/decode.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned int_bits(uint16_t in_type)
{
    switch (in_type) {
    case ETL_IN_INT8:
    case ETL_IN_UINT8:
    case ETL_IN_ANSICHAR: return 8;
    case ETL_IN_INT16:
    case ETL_IN_UINT16:
    case ETL_IN_UNICODECHAR: return 16;
    case ETL_IN_INT32:
    case ETL_IN_UINT32:
    case ETL_IN_HEXINT32:
    case ETL_IN_BOOLEAN: return 32;
    default: return 64;
    }
}

static bool is_signed(uint16_t in_type)
{
    return in_type == ETL_IN_INT8 || in_type == ETL_IN_INT16 || in_type == ETL_IN_INT32 ||
           in_type == ETL_IN_INT64;
}

bool etl_out_type_is_hex(uint16_t in_type, uint16_t out_type)
{
    switch (out_type) {
    case ETL_OUT_HEXINT8:
    case ETL_OUT_HEXINT16:
    case ETL_OUT_HEXINT32:
    case ETL_OUT_HEXINT64:
    case ETL_OUT_CODE_POINTER: return true;
    case ETL_OUT_NULL:
        return in_type == ETL_IN_HEXINT32 || in_type == ETL_IN_HEXINT64 ||
               in_type == ETL_IN_POINTER || in_type == ETL_IN_SIZET;
    default: return false;
    }
}

bool etl_out_type_is_time(uint16_t in_type, uint16_t out_type)
{
    switch (out_type) {
    case ETL_OUT_NULL: return in_type == ETL_IN_FILETIME;
    case ETL_OUT_DATETIME:
    case ETL_OUT_CIMDATETIME:
    case ETL_OUT_CULTURE_INSENSITIVE_DATETIME:
    case ETL_OUT_DATETIME_UTC: return int_bits(in_type) == 64;
    default: return false;
    }
}

static void format_time(int64_t value, etl_str *out)
{
    if (value <= 0) { /* never set */
        etl_str_printf(out, "%llu", (unsigned long long)value);
        return;
    }
    char text[ETL_TIME_TEXT_SIZE];
    etl_time_text(value, text);
    etl_str_puts(out, text);
}

static void format_char(uint64_t value, bool wide, etl_str *out)
{
    uint8_t bytes[2] = {(uint8_t)value, (uint8_t)(value >> 8)};
    char text[ETL_UTF8_MAX(2)];
    if (!value)
        return;
    size_t size = wide ? etl_utf16_to_utf8(bytes, 1, text) : etl_ansi_to_utf8(bytes, 1, text);
    etl_str_add(out, text, size);
}

void etl_format_int(int64_t value, uint16_t in_type, uint16_t out_type, etl_str *out)
{
    unsigned bits = int_bits(in_type);
    uint64_t raw = (uint64_t)value;
    if (bits < 64)
        raw &= (UINT64_C(1) << bits) - 1;
    if (etl_out_type_is_hex(in_type, out_type)) {
        etl_str_printf(out, "0x%llX", (unsigned long long)raw);
    } else if (etl_out_type_is_time(in_type, out_type)) {
        format_time(value, out);
    } else if (out_type == ETL_OUT_BOOLEAN ||
               (in_type == ETL_IN_BOOLEAN && out_type == ETL_OUT_NULL)) {
        etl_str_puts(out, raw ? "true" : "false");
    } else if (out_type == ETL_OUT_NTSTATUS || out_type == ETL_OUT_HRESULT) {
        etl_str_printf(out, "0x%08llX", (unsigned long long)raw);
    } else if (out_type == ETL_OUT_IPV4) {
        etl_str_printf(out, "%u.%u.%u.%u", (unsigned)(raw & 0xFF), (unsigned)(raw >> 8 & 0xFF),
                       (unsigned)(raw >> 16 & 0xFF), (unsigned)(raw >> 24 & 0xFF));
    } else if (out_type == ETL_OUT_STRING && bits <= 16) {
        format_char(raw, bits == 16, out);
    } else if (is_signed(in_type) && out_type != ETL_OUT_WIN32ERROR &&
               out_type != ETL_OUT_ERRORCODE) {
        etl_str_printf(out, "%lld", (long long)value);
    } else {
        etl_str_printf(out, "%llu", (unsigned long long)raw);
    }
}

static void add_name(etl_str *out, bool *first, const char *text)
{
    if (!*first)
        etl_str_puts(out, "|");
    etl_str_puts(out, text);
    *first = false;
}

bool etl_format_map(const etl_map *map, uint64_t value, etl_str *out)
{
    for (uint32_t i = 0; i < map->entry_count; i++) {
        if (map->entries[i].value == value && map->entries[i].text) {
            etl_str_puts(out, map->entries[i].text);
            return true;
        }
    }
    if (map->kind != ETL_MAP_BITS)
        return false;
    uint64_t rest = value;
    bool first = true;
    for (uint32_t i = 0; i < map->entry_count; i++) {
        const etl_map_entry *entry = &map->entries[i];
        /* Names of several bits that say nothing new are left out. */
        if ((entry->value & value) != entry->value || !(entry->value & rest) || !entry->text)
            continue;
        add_name(out, &first, entry->text);
        rest &= ~entry->value;
    }
    if (first)
        return false;
    if (rest) {
        char hex[24];
        snprintf(hex, sizeof hex, "0x%llX", (unsigned long long)rest);
        add_name(out, &first, hex);
    }
    return true;
}

void etl_format_double(double value, bool single, etl_str *out)
{
    if (!isfinite(value)) {
        etl_str_puts(out, isnan(value) ? "NaN" : value < 0 ? "-Infinity" : "Infinity");
        return;
    }
    char text[40];
    for (int digits = single ? 6 : 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        double back = strtod(text, NULL);
        if (single ? (float)back == (float)value : back == value)
            break;
    }
    char *comma = strchr(text, ','); /* a caller may have set a locale */
    if (comma)
        *comma = '.';
    etl_str_puts(out, text);
}

void etl_format_hex(const uint8_t *data, size_t size, etl_str *out)
{
    static const char digits[] = "0123456789ABCDEF";
    char *to = etl_str_reserve(out, 2 * size);
    if (!to)
        return;
    for (size_t i = 0; i < size; i++) {
        *to++ = digits[data[i] >> 4];
        *to++ = digits[data[i] & 15];
    }
    out->size += 2 * size;
    *to = '\0';
}

bool etl_format_sid(const uint8_t *data, size_t size, etl_str *out)
{
    if (size < 8 || data[0] != 1 || data[1] > 15 || size != 8 + 4u * data[1])
        return false;
    uint64_t authority = 0;
    for (size_t i = 2; i < 8; i++)
        authority = authority << 8 | data[i];
    if (authority <= UINT32_MAX)
        etl_str_printf(out, "S-%u-%llu", data[0], (unsigned long long)authority);
    else
        etl_str_printf(out, "S-%u-0x%012llX", data[0], (unsigned long long)authority);
    for (size_t i = 8; i < size; i += 4)
        etl_str_printf(out, "-%u", etl_load_u32(data + i));
    return true;
}

/* ---- network addresses ---- */

static void add_ipv4(const uint8_t *p, etl_str *out)
{
    etl_str_printf(out, "%u.%u.%u.%u", p[0], p[1], p[2], p[3]);
}

/* IPv4-mapped (::ffff:a.b.c.d), -translated (::ffff:0:a.b.c.d) and -compatible (::a.b.c.d, but
   not :: and ::1, where only the last 16 bits are set). */
static bool has_ipv4_tail(const uint16_t groups[8])
{
    for (size_t i = 0; i < 4; i++)
        if (groups[i])
            return false;
    if (groups[4] == 0 && groups[5] == 0xFFFF)
        return true;
    if (groups[4] == 0xFFFF && groups[5] == 0)
        return true;
    return groups[4] == 0 && groups[5] == 0 && groups[6] != 0;
}

void etl_format_ipv6(const uint8_t data[16], etl_str *out)
{
    uint16_t groups[8];
    for (size_t i = 0; i < 8; i++)
        groups[i] = etl_load_be16(data + 2 * i);
    bool dotted = has_ipv4_tail(groups);
    size_t count = dotted ? 6 : 8;
    /* RFC 5952: the first of the longest runs of two zero groups or more becomes "::". */
    size_t best = 0, best_size = 1;
    for (size_t i = 0; i < count;) {
        size_t end = i;
        while (end < count && !groups[end])
            end++;
        if (end - i > best_size) {
            best = i;
            best_size = end - i;
        }
        i = end + 1;
    }
    bool colon = false;
    for (size_t i = 0; i < count; i++) {
        if (best_size > 1 && i == best) {
            etl_str_puts(out, "::");
            i += best_size - 1;
            colon = false;
            continue;
        }
        etl_str_printf(out, colon ? ":%x" : "%x", groups[i]);
        colon = true;
    }
    if (dotted) {
        if (colon)
            etl_str_puts(out, ":");
        add_ipv4(data + 12, out);
    }
}

bool etl_format_sockaddr(const uint8_t *data, size_t size, etl_str *out)
{
    enum { FAMILY_INET = 2, FAMILY_INET6 = 23, FAMILY_LINK = 33 };
    if (size < 2)
        return false;
    unsigned family = etl_load_u16(data);
    if (family == FAMILY_INET && size >= 8) {
        unsigned port = etl_load_be16(data + 2);
        add_ipv4(data + 4, out);
        if (port)
            etl_str_printf(out, ":%u", port);
        return true;
    }
    if (family == FAMILY_INET6 && size >= 24) {
        unsigned port = etl_load_be16(data + 2);
        uint32_t scope = size >= 28 ? etl_load_u32(data + 24) : 0;
        if (port)
            etl_str_puts(out, "[");
        etl_format_ipv6(data + 8, out);
        if (scope)
            etl_str_printf(out, "%%%u", scope);
        if (port)
            etl_str_printf(out, "]:%u", port);
        return true;
    }
    if (family == FAMILY_LINK && size >= 8) {
        etl_str_printf(out, "%02X-%02X-%02X-%02X-%02X-%02X", data[2], data[3], data[4], data[5],
                       data[6], data[7]);
        return true;
    }
    return false;
}

/* ---- time ---- */

void etl_format_systemtime(const uint8_t data[16], bool utc, etl_str *out)
{
    unsigned part[8]; /* year, month, day of week, day, hour, minute, second, millisecond */
    for (size_t i = 0; i < 8; i++)
        part[i] = etl_load_u16(data + 2 * i);
    if (part[0] < 1601 || part[0] > 9999 || part[1] < 1 || part[1] > 12 || part[3] < 1 ||
        part[3] > 31 || part[4] > 23 || part[5] > 59 || part[6] > 59 || part[7] > 999) {
        etl_format_hex(data, 16, out);
        return;
    }
    etl_str_printf(out, "%04u-%02u-%02uT%02u:%02u:%02u.%03u0000%s", part[0], part[1], part[3],
                   part[4], part[5], part[6], part[7], utc ? "Z" : "");
}
