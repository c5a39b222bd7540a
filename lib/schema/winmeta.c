/* Facts of winmeta.xml and tdh.h that need no manifest: type defaults, predefined levels and
   opcodes (etl-format 6.1, 6.2, 11.1). */
#include "schema/builder.h"

uint16_t etl_default_out_type(uint16_t in_type)
{
    switch (in_type) {
    case ETL_IN_UNICODESTRING:
    case ETL_IN_ANSISTRING:
    case ETL_IN_COUNTEDSTRING16:
    case ETL_IN_COUNTEDANSI16:
    case ETL_IN_COUNTEDSTRING:
    case ETL_IN_COUNTEDANSISTRING:
    case ETL_IN_REVERSEDCOUNTEDSTRING:
    case ETL_IN_REVERSEDCOUNTEDANSISTRING:
    case ETL_IN_NONNULLTERMINATEDSTRING:
    case ETL_IN_NONNULLTERMINATEDANSISTRING:
    case ETL_IN_UNICODECHAR:
    case ETL_IN_ANSICHAR:
    case ETL_IN_SID:
    case ETL_IN_WBEMSID: return ETL_OUT_STRING;
    case ETL_IN_INT8: return ETL_OUT_BYTE;
    case ETL_IN_UINT8: return ETL_OUT_UNSIGNEDBYTE;
    case ETL_IN_INT16: return ETL_OUT_SHORT;
    case ETL_IN_UINT16: return ETL_OUT_UNSIGNEDSHORT;
    case ETL_IN_INT32: return ETL_OUT_INT;
    case ETL_IN_UINT32: return ETL_OUT_UNSIGNEDINT;
    case ETL_IN_INT64: return ETL_OUT_LONG;
    case ETL_IN_UINT64: return ETL_OUT_UNSIGNEDLONG;
    case ETL_IN_FLOAT: return ETL_OUT_FLOAT;
    case ETL_IN_DOUBLE: return ETL_OUT_DOUBLE;
    case ETL_IN_BOOLEAN: return ETL_OUT_BOOLEAN;
    case ETL_IN_GUID: return ETL_OUT_GUID;
    case ETL_IN_POINTER:
    case ETL_IN_SIZET:
    case ETL_IN_HEXINT64: return ETL_OUT_HEXINT64;
    case ETL_IN_FILETIME:
    case ETL_IN_SYSTEMTIME: return ETL_OUT_DATETIME;
    case ETL_IN_HEXINT32: return ETL_OUT_HEXINT32;
    /* Binary, hex dump, and types of unknown meaning, which only bytes can show. */
    default: return ETL_OUT_HEXBINARY;
    }
}

bool etl_in_type_is_integer(uint16_t in_type)
{
    return (in_type >= ETL_IN_INT8 && in_type <= ETL_IN_UINT64) || in_type == ETL_IN_HEXINT32 ||
           in_type == ETL_IN_HEXINT64;
}

bool etl_in_type_is_known(uint16_t in_type)
{
    return in_type <= ETL_IN_COUNTEDANSI16 || in_type == ETL_IN_COUNTEDBINARY16 ||
           (in_type >= ETL_IN_COUNTEDSTRING && in_type <= ETL_IN_WBEMSID);
}

bool etl_in_type_has_length(uint16_t in_type)
{
    return in_type == ETL_IN_UNICODESTRING || in_type == ETL_IN_ANSISTRING ||
           in_type == ETL_IN_BINARY;
}

const char *etl_winmeta_level(uint8_t level)
{
    static const char *const names[] = {"LogAlways", "Critical",      "Error",
                                        "Warning",   "Informational", "Verbose"};
    return level < ETL_COUNT_OF(names) ? names[level] : NULL;
}

const char *etl_winmeta_opcode(uint8_t opcode)
{
    static const char *const names[] = {"Info",      "Start", "Stop",   "DC_Start", "DC_Stop",
                                        "Extension", "Reply", "Resume", "Suspend",  "Send"};
    if (opcode < ETL_COUNT_OF(names))
        return names[opcode];
    return opcode == 240 ? "Receive" : NULL;
}

const char *etl_schema_source_name(int source)
{
    static const char *const names[ETL_SCHEMA_SOURCE_COUNT] = {
        [ETL_SCHEMA_NONE] = "none",
        [ETL_SCHEMA_STRING] = "string",
        [ETL_SCHEMA_TRACELOGGING] = "tracelogging",
        [ETL_SCHEMA_TRACE] = "trace",
        [ETL_SCHEMA_EVENTSOURCE] = "eventsource",
        [ETL_SCHEMA_PACK] = "pack",
    };
    return source >= 0 && source < ETL_SCHEMA_SOURCE_COUNT ? names[source] : "none";
}

const etl_event_schema *etl_schema_string_only(void)
{
    static const etl_property message = {
        .name = "Message", .in_type = ETL_IN_UNICODESTRING, .out_type = ETL_OUT_STRING, .count = 1};
    static const etl_event_schema schema = {.source = ETL_SCHEMA_STRING,
                                            .event_name = "String",
                                            .property_count = 1,
                                            .top_level_count = 1,
                                            .properties = &message};
    return &schema;
}

const etl_event_schema *etl_schema_manifest_data(void)
{
    static const etl_property properties[] = {
        {.name = "Format", .in_type = ETL_IN_UINT8, .out_type = ETL_OUT_UNSIGNEDBYTE},
        {.name = "MajorVersion", .in_type = ETL_IN_UINT8, .out_type = ETL_OUT_UNSIGNEDBYTE},
        {.name = "MinorVersion", .in_type = ETL_IN_UINT8, .out_type = ETL_OUT_UNSIGNEDBYTE},
        {.name = "Magic", .in_type = ETL_IN_UINT8, .out_type = ETL_OUT_HEXINT8},
        {.name = "TotalChunks", .in_type = ETL_IN_UINT16, .out_type = ETL_OUT_UNSIGNEDSHORT},
        {.name = "ChunkNumber", .in_type = ETL_IN_UINT16, .out_type = ETL_OUT_UNSIGNEDSHORT},
        {.name = "Data", .in_type = ETL_IN_NONNULLTERMINATEDANSISTRING, .out_type = ETL_OUT_UTF8}};
    static const etl_event_schema schema = {.id = ETL_MANIFEST_EVENT_ID,
                                            .version = 1,
                                            .opcode = ETL_MANIFEST_OPCODE,
                                            .source = ETL_SCHEMA_EVENTSOURCE,
                                            .event_name = "ManifestData",
                                            .property_count = ETL_COUNT_OF(properties),
                                            .top_level_count = ETL_COUNT_OF(properties),
                                            .properties = properties};
    return &schema;
}
