/* Names of types in manifests (etl-format 11.2). Prefixes and case vary in real files: xs:HexInt32
   stands where win:HexInt32 is meant. */
#include "schema/manifest_types.h"

typedef struct type_name {
    const char *name;
    uint16_t type;
} type_name;

static const type_name in_types[] = {
    {"UnicodeString", ETL_IN_UNICODESTRING},
    {"AnsiString", ETL_IN_ANSISTRING},
    {"Int8", ETL_IN_INT8},
    {"UInt8", ETL_IN_UINT8},
    {"Int16", ETL_IN_INT16},
    {"UInt16", ETL_IN_UINT16},
    {"Int32", ETL_IN_INT32},
    {"UInt32", ETL_IN_UINT32},
    {"Int64", ETL_IN_INT64},
    {"UInt64", ETL_IN_UINT64},
    {"Float", ETL_IN_FLOAT},
    {"Double", ETL_IN_DOUBLE},
    {"Boolean", ETL_IN_BOOLEAN},
    {"Binary", ETL_IN_BINARY},
    {"GUID", ETL_IN_GUID},
    {"Pointer", ETL_IN_POINTER},
    {"FILETIME", ETL_IN_FILETIME},
    {"SYSTEMTIME", ETL_IN_SYSTEMTIME},
    {"SID", ETL_IN_SID},
    {"HexInt32", ETL_IN_HEXINT32},
    {"HexInt64", ETL_IN_HEXINT64},
    {"CountedUnicodeString", ETL_IN_COUNTEDSTRING16},
    {"CountedAnsiString", ETL_IN_COUNTEDANSI16},
    {"CountedBinary", ETL_IN_COUNTEDBINARY16},
};

static const type_name out_types[] = {
    {"string", ETL_OUT_STRING},
    {"dateTime", ETL_OUT_DATETIME},
    {"byte", ETL_OUT_BYTE},
    {"unsignedByte", ETL_OUT_UNSIGNEDBYTE},
    {"short", ETL_OUT_SHORT},
    {"unsignedShort", ETL_OUT_UNSIGNEDSHORT},
    {"int", ETL_OUT_INT},
    {"unsignedInt", ETL_OUT_UNSIGNEDINT},
    {"long", ETL_OUT_LONG},
    {"unsignedLong", ETL_OUT_UNSIGNEDLONG},
    {"float", ETL_OUT_FLOAT},
    {"double", ETL_OUT_DOUBLE},
    {"boolean", ETL_OUT_BOOLEAN},
    {"GUID", ETL_OUT_GUID},
    {"hexBinary", ETL_OUT_HEXBINARY},
    {"HexInt8", ETL_OUT_HEXINT8},
    {"HexInt16", ETL_OUT_HEXINT16},
    {"HexInt32", ETL_OUT_HEXINT32},
    {"HexInt64", ETL_OUT_HEXINT64},
    {"PID", ETL_OUT_PID},
    {"TID", ETL_OUT_TID},
    {"Port", ETL_OUT_PORT},
    {"IPv4", ETL_OUT_IPV4},
    {"IPv6", ETL_OUT_IPV6},
    {"SocketAddress", ETL_OUT_SOCKETADDRESS},
    {"CIMDateTime", ETL_OUT_CIMDATETIME},
    {"ETWTIME", ETL_OUT_ETWTIME},
    {"Xml", ETL_OUT_XML},
    {"ErrorCode", ETL_OUT_ERRORCODE},
    {"Win32Error", ETL_OUT_WIN32ERROR},
    {"NTSTATUS", ETL_OUT_NTSTATUS},
    {"HResult", ETL_OUT_HRESULT},
    {"DateTimeCultureInsensitive", ETL_OUT_CULTURE_INSENSITIVE_DATETIME},
    {"Json", ETL_OUT_JSON},
    {"Utf8", ETL_OUT_UTF8},
    {"Pkcs7WithTypeInfo", ETL_OUT_PKCS7_WITH_TYPE_INFO},
    {"CodePointer", ETL_OUT_CODE_POINTER},
    {"DateTimeUtc", ETL_OUT_DATETIME_UTC},
};

static uint16_t find_type(const type_name *types, size_t count, const char *name)
{
    const char *local = man_local(name);
    for (size_t i = 0; i < count; i++) {
        if (etl_ascii_equal(types[i].name, local))
            return types[i].type;
    }
    return 0;
}

uint16_t man_in_type(const char *name)
{
    return find_type(in_types, ETL_COUNT_OF(in_types), name);
}

uint16_t man_out_type(const char *name)
{
    return find_type(out_types, ETL_COUNT_OF(out_types), name);
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
