/* manifest_xml: the elements of an instrumentation manifest that mean something for decoding, as a
   tree. Knows XML and the nesting rules, not what the attributes say. */
#ifndef ETL_SCHEMA_MANIFEST_XML_H
#define ETL_SCHEMA_MANIFEST_XML_H

#include "base/base.h"

typedef enum man_kind {
    MAN_DOCUMENT,
    MAN_MANIFEST,
    MAN_INSTRUMENTATION,
    MAN_PROVIDERS, /* instrumentation/events */
    MAN_PROVIDER,
    MAN_CHANNELS,
    MAN_CHANNEL,
    MAN_IMPORT_CHANNEL,
    MAN_LEVELS,
    MAN_LEVEL,
    MAN_TASKS,
    MAN_TASK,
    MAN_OPCODES,
    MAN_OPCODE,
    MAN_KEYWORDS,
    MAN_KEYWORD,
    MAN_MAPS,
    MAN_VALUE_MAP,
    MAN_BIT_MAP,
    MAN_MAP_ENTRY,
    MAN_TEMPLATES,
    MAN_TEMPLATE,
    MAN_DATA,
    MAN_STRUCT,
    MAN_BINARY,
    MAN_EVENTS,
    MAN_EVENT,
    MAN_MESSAGE_TABLE,
    MAN_MESSAGE,
    MAN_LOCALIZATION,
    MAN_RESOURCES,
    MAN_STRING_TABLE,
    MAN_STRING
} man_kind;

typedef enum man_attribute {
    MAN_NAME,
    MAN_GUID,
    MAN_SYMBOL,
    MAN_VALUE,
    MAN_MASK,
    MAN_MESSAGE_TEXT,
    MAN_ID,
    MAN_CHID,
    MAN_TID,
    MAN_IN_TYPE,
    MAN_OUT_TYPE,
    MAN_COUNT,
    MAN_LENGTH,
    MAN_MAP,
    MAN_VERSION,
    MAN_EVENT_LEVEL,
    MAN_EVENT_TASK,
    MAN_EVENT_OPCODE,
    MAN_EVENT_KEYWORDS,
    MAN_EVENT_TEMPLATE,
    MAN_EVENT_CHANNEL,
    MAN_CULTURE,
    MAN_ATTRIBUTE_COUNT
} man_attribute;

typedef struct man_pair {
    man_attribute attribute;
    const char *value;
} man_pair;

typedef struct man_node {
    man_kind kind;
    uint32_t pair_count;
    const man_pair *pairs;
    struct man_node *parent;
    struct man_node *first;
    struct man_node *last;
    struct man_node *next;
    /* For whoever walks the tree. */
    uint64_t number;
    const void *result;
    bool failed;
} man_node;

/* The whole document, in `arena`. ETL_ERR_DAMAGED names line and fault; documents with a DTD and
   those that nest too deep are refused with ETL_ERR_LIMIT. */
int man_read(etl_arena *arena, const char *xml, size_t size, man_node **ret_document,
             etl_error *error);
/* Attribute text, or NULL. */
const char *man_get(const man_node *node, man_attribute attribute);

#endif
