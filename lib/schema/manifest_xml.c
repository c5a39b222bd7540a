/* See manifest_xml.h. The nesting rules are those of etl-format 11.1. */
#include "schema/manifest_xml.h"

#include <expat.h>

enum {
    DEPTH_MAX = 64,
    /* Real manifests of dozens of providers have some thousand elements that count. */
    NODES_MAX = 1 << 18,
};

/* An element counts only inside the parent that is given: `provider` is one thing in events and
   another in performance counters, `event` one in a provider and another in a configuration. */
static const struct {
    man_kind parent;
    const char *name;
    man_kind kind;
} elements[] = {
    {MAN_DOCUMENT, "instrumentationManifest", MAN_MANIFEST},
    {MAN_DOCUMENT, "assembly", MAN_MANIFEST},
    {MAN_MANIFEST, "instrumentation", MAN_INSTRUMENTATION},
    {MAN_MANIFEST, "localization", MAN_LOCALIZATION},
    {MAN_INSTRUMENTATION, "events", MAN_PROVIDERS},
    {MAN_PROVIDERS, "provider", MAN_PROVIDER},
    {MAN_PROVIDERS, "messageTable", MAN_MESSAGE_TABLE},
    {MAN_MESSAGE_TABLE, "message", MAN_MESSAGE},
    {MAN_PROVIDER, "channels", MAN_CHANNELS},
    {MAN_CHANNELS, "channel", MAN_CHANNEL},
    {MAN_CHANNELS, "importChannel", MAN_IMPORT_CHANNEL},
    {MAN_PROVIDER, "levels", MAN_LEVELS},
    {MAN_LEVELS, "level", MAN_LEVEL},
    {MAN_PROVIDER, "tasks", MAN_TASKS},
    {MAN_TASKS, "task", MAN_TASK},
    {MAN_TASK, "opcodes", MAN_OPCODES},
    {MAN_PROVIDER, "opcodes", MAN_OPCODES},
    {MAN_OPCODES, "opcode", MAN_OPCODE},
    {MAN_PROVIDER, "keywords", MAN_KEYWORDS},
    {MAN_KEYWORDS, "keyword", MAN_KEYWORD},
    {MAN_PROVIDER, "maps", MAN_MAPS},
    {MAN_MAPS, "valueMap", MAN_VALUE_MAP},
    {MAN_MAPS, "bitMap", MAN_BIT_MAP},
    {MAN_VALUE_MAP, "map", MAN_MAP_ENTRY},
    {MAN_BIT_MAP, "map", MAN_MAP_ENTRY},
    {MAN_PROVIDER, "templates", MAN_TEMPLATES},
    {MAN_TEMPLATES, "template", MAN_TEMPLATE},
    {MAN_TEMPLATE, "data", MAN_DATA},
    {MAN_TEMPLATE, "struct", MAN_STRUCT},
    {MAN_TEMPLATE, "binary", MAN_BINARY},
    {MAN_STRUCT, "data", MAN_DATA},
    {MAN_STRUCT, "struct", MAN_STRUCT},
    {MAN_STRUCT, "binary", MAN_BINARY},
    {MAN_PROVIDER, "events", MAN_EVENTS},
    {MAN_EVENTS, "event", MAN_EVENT},
    {MAN_LOCALIZATION, "resources", MAN_RESOURCES},
    {MAN_RESOURCES, "stringTable", MAN_STRING_TABLE},
    {MAN_STRING_TABLE, "string", MAN_STRING},
};

static const char *const attribute_names[MAN_ATTRIBUTE_COUNT] = {
    [MAN_NAME] = "name",
    [MAN_GUID] = "guid",
    [MAN_SYMBOL] = "symbol",
    [MAN_VALUE] = "value",
    [MAN_MASK] = "mask",
    [MAN_MESSAGE_TEXT] = "message",
    [MAN_ID] = "id",
    [MAN_CHID] = "chid",
    [MAN_TID] = "tid",
    [MAN_IN_TYPE] = "inType",
    [MAN_OUT_TYPE] = "outType",
    [MAN_COUNT] = "count",
    [MAN_LENGTH] = "length",
    [MAN_MAP] = "map",
    [MAN_VERSION] = "version",
    [MAN_EVENT_LEVEL] = "level",
    [MAN_EVENT_TASK] = "task",
    [MAN_EVENT_OPCODE] = "opcode",
    [MAN_EVENT_KEYWORDS] = "keywords",
    [MAN_EVENT_TEMPLATE] = "template",
    [MAN_EVENT_CHANNEL] = "channel",
    [MAN_CULTURE] = "culture",
};

typedef struct xml_reader {
    XML_Parser parser;
    etl_arena *arena;
    man_node *current;
    unsigned depth;
    unsigned ignored; /* depth below an element that does not count */
    size_t node_count;
    int status;
    const char *reason;
} xml_reader;

static void stop(xml_reader *reader, int status, const char *reason)
{
    if (reader->status == ETL_OK) {
        reader->status = status;
        reader->reason = reason;
    }
    XML_StopParser(reader->parser, XML_FALSE);
}

static const char *local_name(const char *name)
{
    const char *colon = strrchr(name, ':');
    return colon ? colon + 1 : name;
}

static int find_attribute(const char *name)
{
    for (int i = 0; i < MAN_ATTRIBUTE_COUNT; i++) {
        if (strcmp(attribute_names[i], name) == 0)
            return i;
    }
    return -1;
}

static bool copy_attributes(etl_arena *arena, man_node *node, const char **attributes)
{
    uint32_t count = 0;
    for (size_t i = 0; attributes[i]; i += 2)
        count += find_attribute(attributes[i]) >= 0;
    if (count == 0)
        return true;
    man_pair *pairs = etl_arena_array(arena, count, sizeof *pairs);
    if (!pairs)
        return false;
    for (size_t i = 0; attributes[i]; i += 2) {
        int attribute = find_attribute(attributes[i]);
        if (attribute < 0)
            continue;
        man_pair *pair = &pairs[node->pair_count++];
        pair->attribute = (man_attribute)attribute;
        pair->value = etl_arena_strdup(arena, attributes[i + 1]);
        if (!pair->value)
            return false;
    }
    node->pairs = pairs;
    return true;
}

static void on_start(void *context, const char *name, const char **attributes)
{
    xml_reader *reader = context;
    if (reader->status < 0)
        return; /* expat may report a few more elements after a stop */
    if (++reader->depth > DEPTH_MAX) {
        stop(reader, ETL_ERR_LIMIT, "elements nest too deep");
        return;
    }
    if (reader->ignored > 0) {
        reader->ignored++;
        return;
    }
    const char *local = local_name(name);
    size_t at = 0;
    while (at < ETL_COUNT_OF(elements) &&
           (elements[at].parent != reader->current->kind || strcmp(elements[at].name, local) != 0))
        at++;
    if (at == ETL_COUNT_OF(elements)) {
        reader->ignored = 1;
        return;
    }
    if (++reader->node_count > NODES_MAX) {
        stop(reader, ETL_ERR_LIMIT, "too many elements");
        return;
    }
    man_node *node = etl_arena_alloc(reader->arena, sizeof *node);
    if (!node || !copy_attributes(reader->arena, node, attributes)) {
        stop(reader, ETL_ERR_NOMEM, "no memory");
        return;
    }
    node->kind = elements[at].kind;
    node->parent = reader->current;
    if (reader->current->last)
        reader->current->last->next = node;
    else
        reader->current->first = node;
    reader->current->last = node;
    reader->current = node;
}

static void on_end(void *context, const char *name)
{
    (void)name;
    xml_reader *reader = context;
    if (reader->status < 0)
        return;
    reader->depth--;
    if (reader->ignored > 0)
        reader->ignored--;
    else
        reader->current = reader->current->parent;
}

/* No manifest has one, and entities are how a small document becomes a large one. */
static void on_doctype(void *context, const char *name, const char *system_id,
                       const char *public_id, int has_internal_subset)
{
    (void)name;
    (void)system_id;
    (void)public_id;
    (void)has_internal_subset;
    stop(context, ETL_ERR_LIMIT, "a document type is not allowed");
}

int man_read(etl_arena *arena, const char *xml, size_t size, man_node **ret_document,
             etl_error *error)
{
    if (size > ETL_LIMIT_MANIFEST_BYTES)
        return etl_fail(error, ETL_ERR_LIMIT, "a manifest has %zu bytes, the limit is %d", size,
                        ETL_LIMIT_MANIFEST_BYTES);
    man_node *document = etl_arena_alloc(arena, sizeof *document);
    XML_Parser parser = document ? XML_ParserCreate(NULL) : NULL;
    if (!parser)
        return etl_fail(error, ETL_ERR_NOMEM, "no memory for a manifest");
    xml_reader reader = {.parser = parser, .arena = arena, .current = document};
    XML_SetUserData(parser, &reader);
    XML_SetElementHandler(parser, on_start, on_end);
    XML_SetStartDoctypeDeclHandler(parser, on_doctype);
    int r = ETL_OK;
    if (XML_Parse(parser, xml, (int)size, XML_TRUE) != XML_STATUS_OK) {
        enum XML_Error code = XML_GetErrorCode(parser);
        unsigned long line = (unsigned long)XML_GetCurrentLineNumber(parser);
        if (reader.status < 0)
            r = etl_fail(error, reader.status, "manifest line %lu: %s", line, reader.reason);
        else if (code == XML_ERROR_NO_MEMORY)
            r = etl_fail(error, ETL_ERR_NOMEM, "no memory for a manifest");
        else
            r = etl_fail(error, ETL_ERR_DAMAGED, "manifest line %lu: %s", line,
                         XML_ErrorString(code));
    }
    XML_ParserFree(parser);
    *ret_document = document;
    return r;
}

const char *man_get(const man_node *node, man_attribute attribute)
{
    for (uint32_t i = 0; i < node->pair_count; i++) {
        if (node->pairs[i].attribute == attribute)
            return node->pairs[i].value;
    }
    return NULL;
}
