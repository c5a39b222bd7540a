/* Names and numbers of manifest attributes. Prefixes and case vary in real files: xs:HexInt32
   stands where win:HexInt32 is meant. */
#include "schema/manifest_types.h"

uint16_t man_in_type(const char *name)
{
    return etl_in_type_by_name(man_local(name));
}

uint16_t man_out_type(const char *name)
{
    return etl_out_type_by_name(man_local(name));
}

const char *man_local(const char *qname)
{
    const char *colon = strrchr(qname, ':');
    return colon ? colon + 1 : qname;
}

static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

bool man_number(const char *text, uint64_t *ret)
{
    bool negative = *text == '-';
    text += negative || *text == '+';
    unsigned base = 10;
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        base = 16;
        text += 2;
    }
    if (!*text)
        return false;
    uint64_t value = 0;
    for (; *text; text++) {
        unsigned digit = (unsigned)digit_value(*text);
        if (digit >= base || value > (UINT64_MAX - digit) / base)
            return false;
        value = value * base + digit;
    }
    *ret = negative ? 0 - value : value;
    return true;
}

/* Predefined keywords (etl-format 11.1). */
static const struct {
    const char *name;
    uint64_t mask;
} win_keywords[] = {
    {"AnyKeyword", 0},
    {"ResponseTime", UINT64_C(0x0001000000000000)},
    {"WDIContext", UINT64_C(0x0002000000000000)},
    {"WDIDiag", UINT64_C(0x0004000000000000)},
    {"SQM", UINT64_C(0x0008000000000000)},
    {"AuditFailure", UINT64_C(0x0010000000000000)},
    {"AuditSuccess", UINT64_C(0x0020000000000000)},
    {"CorrelationHint", UINT64_C(0x0040000000000000)},
    {"EventLogClassic", UINT64_C(0x0080000000000000)},
};

bool man_win_keyword(const char *name, uint64_t *ret_mask)
{
    for (size_t i = 0; i < ETL_COUNT_OF(win_keywords); i++) {
        if (etl_ascii_equal(win_keywords[i].name, name)) {
            *ret_mask = win_keywords[i].mask;
            return true;
        }
    }
    return false;
}

bool man_win_level(const char *name, uint64_t *ret_value)
{
    for (unsigned i = 0; i <= 5; i++) {
        if (etl_ascii_equal(etl_winmeta_level((uint8_t)i), name)) {
            *ret_value = i;
            return true;
        }
    }
    return false;
}

bool man_win_opcode(const char *name, uint64_t *ret_value)
{
    for (unsigned i = 0; i <= UINT8_MAX; i++) {
        const char *known = etl_winmeta_opcode((uint8_t)i);
        if (known && etl_ascii_equal(known, name)) {
            *ret_value = i;
            return true;
        }
    }
    return false;
}

/* Channels that every machine shares (etl-format 11.1). */
bool man_win_channel(const char *name, uint64_t *ret_value)
{
    static const struct {
        const char *name;
        uint8_t value;
    } channels[] = {{"TraceClassic", 0}, {"System", 8},        {"Application", 9},
                    {"Security", 10},    {"TraceLogging", 11}, {"ProviderMetadata", 12}};
    for (size_t i = 0; i < ETL_COUNT_OF(channels); i++) {
        if (etl_ascii_equal(channels[i].name, name)) {
            *ret_value = channels[i].value;
            return true;
        }
    }
    return false;
}
