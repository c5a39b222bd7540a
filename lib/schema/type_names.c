/* How manifests and schemas/ spell in-types and out-types (etl-format 11.2), without the prefix:
   win:UInt32 is UInt32. Types that only MOF has are named after tdh.h. */
#include "schema/schema.h"

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
    {"ReversedCountedString", ETL_IN_REVERSEDCOUNTEDSTRING},
    {"ReversedCountedAnsiString", ETL_IN_REVERSEDCOUNTEDANSISTRING},
    {"NonNullTerminatedString", ETL_IN_NONNULLTERMINATEDSTRING},
    {"NonNullTerminatedAnsiString", ETL_IN_NONNULLTERMINATEDANSISTRING},
    {"UnicodeChar", ETL_IN_UNICODECHAR},
    {"AnsiChar", ETL_IN_ANSICHAR},
    {"SizeT", ETL_IN_SIZET},
    {"HexDump", ETL_IN_HEXDUMP},
    {"WbemSid", ETL_IN_WBEMSID},
};

static const type_name out_types[] = {
    {"String", ETL_OUT_STRING},
    {"DateTime", ETL_OUT_DATETIME},
    {"Byte", ETL_OUT_BYTE},
    {"UnsignedByte", ETL_OUT_UNSIGNEDBYTE},
    {"Short", ETL_OUT_SHORT},
    {"UnsignedShort", ETL_OUT_UNSIGNEDSHORT},
    {"Int", ETL_OUT_INT},
    {"UnsignedInt", ETL_OUT_UNSIGNEDINT},
    {"Long", ETL_OUT_LONG},
    {"UnsignedLong", ETL_OUT_UNSIGNEDLONG},
    {"Float", ETL_OUT_FLOAT},
    {"Double", ETL_OUT_DOUBLE},
    {"Boolean", ETL_OUT_BOOLEAN},
    {"GUID", ETL_OUT_GUID},
    {"HexBinary", ETL_OUT_HEXBINARY},
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
    {"ReducedString", ETL_OUT_REDUCEDSTRING},
    {"NoPrint", ETL_OUT_NOPRINT},
};

static uint16_t find(const type_name *types, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (etl_ascii_equal(types[i].name, name))
            return types[i].type;
    return 0;
}

uint16_t etl_in_type_by_name(const char *name)
{
    return find(in_types, ETL_COUNT_OF(in_types), name);
}

uint16_t etl_out_type_by_name(const char *name)
{
    return find(out_types, ETL_COUNT_OF(out_types), name);
}
