/* Instrumentation manifests, of .man files and of EventSource (etl-format 8.2, 11): turns the tree
   of manifest_xml.c into schemas. */
#include "schema/sources.h"
#include "schema/manifest_types.h"
#include "schema/manifest_xml.h"

#include <stdio.h>

enum {
    MESSAGE_BYTES_MAX = 0xFFFF,
    KEYWORDS_MAX = 64,
    FIRST_OWN_CHANNEL = 16,
    /* Text that is put together from several references: small input could ask for much of it. */
    COMPOSED_BYTES_MAX = 4 << 20,
};

typedef struct manifest {
    etl_builder *builder;
    const etl_builder_sink *sink;
    etl_error *error;
    etl_hashmap index; /* (scope node, kind, name) to node */
    etl_str key;
    etl_str text;
    size_t composed;
    uint8_t source;
    int status; /* first failure that ends the work: no memory, or one of the sink */
} manifest;

/* What is the same for all events of a provider. */
typedef struct provider_view {
    man_node *node;
    etl_guid guid;
    const char *name;
} provider_view;

static void no_memory(manifest *m)
{
    if (m->status == ETL_OK)
        m->status = etl_fail(m->error, ETL_ERR_NOMEM, "no memory for a manifest");
}

static void problem(manifest *m, const char *format, ...) ETL_PRINTF(2, 3);
static void problem(manifest *m, const char *format, ...)
{
    if (!m->sink->problem)
        return;
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    m->sink->problem(m->sink->context, text);
}

/* ---- index ---- */

static void make_key(manifest *m, const man_node *scope, man_kind kind, const char *name)
{
    uint8_t tag = (uint8_t)kind;
    etl_str_clear(&m->key);
    etl_str_add(&m->key, &scope, sizeof scope);
    etl_str_add(&m->key, &tag, 1);
    etl_str_puts(&m->key, name);
    if (m->key.failed)
        no_memory(m);
}

static void index_put(manifest *m, const man_node *scope, man_kind kind, const char *name,
                      man_node *node, bool replace)
{
    if (!name || m->status < 0)
        return;
    make_key(m, scope, kind, name);
    if (m->status < 0)
        return;
    if (!replace && etl_hashmap_get(&m->index, m->key.data, m->key.size))
        return; /* the first of a name counts */
    if (etl_hashmap_put(&m->index, m->key.data, m->key.size, node) < 0)
        no_memory(m);
}

/* By the name as it stands, else without its prefix. */
static man_node *index_get(manifest *m, const man_node *scope, man_kind kind, const char *name)
{
    make_key(m, scope, kind, name);
    if (m->status < 0)
        return NULL;
    man_node *node = etl_hashmap_get(&m->index, m->key.data, m->key.size);
    const char *local = man_local(name);
    if (node || local == name)
        return node;
    make_key(m, scope, kind, local);
    return m->status < 0 ? NULL : etl_hashmap_get(&m->index, m->key.data, m->key.size);
}

static void index_strings(manifest *m, man_node *localization)
{
    for (man_node *resources = localization->first; resources; resources = resources->next) {
        const char *culture = man_get(resources, MAN_CULTURE);
        bool english = culture && strncmp(culture, "en", 2) == 0;
        for (man_node *table = resources->first; table; table = table->next) {
            for (man_node *text = table->first; text; text = text->next)
                index_put(m, NULL, MAN_STRING, man_get(text, MAN_ID), text, english);
        }
    }
}

static bool win_number(man_kind kind, const char *name, uint64_t *ret)
{
    switch (kind) {
    case MAN_LEVEL: return man_win_level(name, ret);
    case MAN_OPCODE: return man_win_opcode(name, ret);
    case MAN_KEYWORD: return man_win_keyword(name, ret);
    default: return false;
    }
}

static void index_values(manifest *m, man_node *scope, man_node *list)
{
    for (man_node *node = list->first; node; node = node->next) {
        const char *value = man_get(node, node->kind == MAN_KEYWORD ? MAN_MASK : MAN_VALUE);
        const char *name = man_get(node, MAN_NAME);
        /* An opcode may be listed under its predefined name, without a number. */
        if ((!value || !man_number(value, &node->number)) && name)
            win_number(node->kind, man_local(name), &node->number);
        index_put(m, scope, node->kind, name, node, false);
        if (name)
            index_put(m, scope, node->kind, man_local(name), node, false);
    }
}

static void index_channels(manifest *m, man_node *provider, man_node *list)
{
    uint64_t next = FIRST_OWN_CHANNEL;
    for (man_node *node = list->first; node; node = node->next) {
        const char *value = man_get(node, MAN_VALUE), *name = man_get(node, MAN_NAME);
        bool shared =
            node->kind == MAN_IMPORT_CHANNEL && name && man_win_channel(name, &node->number);
        if (!shared && (!value || !man_number(value, &node->number)))
            node->number = next;
        if (node->number >= next)
            next = node->number + 1;
        index_put(m, provider, MAN_CHANNEL, man_get(node, MAN_CHID), node, false);
        index_put(m, provider, MAN_CHANNEL, name, node, false);
        index_put(m, provider, MAN_CHANNEL, man_get(node, MAN_SYMBOL), node, false);
    }
}

static void index_provider(manifest *m, man_node *provider)
{
    for (man_node *list = provider->first; list; list = list->next) {
        switch (list->kind) {
        case MAN_CHANNELS: index_channels(m, provider, list); break;
        case MAN_TASKS:
            for (man_node *task = list->first; task; task = task->next) {
                for (man_node *opcodes = task->first; opcodes; opcodes = opcodes->next)
                    index_values(m, task, opcodes);
            }
            index_values(m, provider, list);
            break;
        case MAN_LEVELS:
        case MAN_OPCODES:
        case MAN_KEYWORDS: index_values(m, provider, list); break;
        case MAN_MAPS:
            for (man_node *map = list->first; map; map = map->next)
                index_put(m, provider, MAN_VALUE_MAP, man_get(map, MAN_NAME), map, false);
            break;
        case MAN_TEMPLATES:
            for (man_node *item = list->first; item; item = item->next)
                index_put(m, provider, MAN_TEMPLATE, man_get(item, MAN_TID), item, false);
            break;
        default: break;
        }
    }
}

/* ---- text ---- */

static const char *intern_message(manifest *m, const char *text, size_t length)
{
    while (length > 0 && strchr(" \t\r\n", text[length - 1]))
        length--;
    const char *copy = etl_builder_text(m->builder, text, length, MESSAGE_BYTES_MAX);
    if (!copy)
        no_memory(m);
    return copy;
}

/* Text of `string.id` or `mc.name`, without "$(" and ")". */
static const char *reference_text(manifest *m, const char *reference, size_t length)
{
    char name[ETL_LIMIT_NAME_BYTES];
    if (length >= sizeof name)
        return NULL;
    memcpy(name, reference, length);
    name[length] = 0;
    man_node *node = NULL;
    if (strncmp(name, "mc.", 3) == 0) {
        node = index_get(m, NULL, MAN_MESSAGE, name + 3);
        const char *text = node ? man_get(node, MAN_MESSAGE_TEXT) : NULL;
        size_t size = text ? strlen(text) : 0;
        if (size < 10 || strncmp(text, "$(string.", 9) != 0 || text[size - 1] != ')')
            return text ? intern_message(m, text, size) : NULL;
        snprintf(name, sizeof name, "%.*s", (int)(size - 3), text + 2);
    }
    if (strncmp(name, "string.", 7) != 0)
        return NULL;
    make_key(m, NULL, MAN_STRING, name + 7);
    node = m->status < 0 ? NULL : etl_hashmap_get(&m->index, m->key.data, m->key.size);
    if (!node)
        return NULL;
    if (!node->result) {
        const char *text = man_get(node, MAN_VALUE);
        node->result = text ? intern_message(m, text, strlen(text)) : NULL;
    }
    return node->result;
}

/* A message with its references replaced. NULL: there is none, or one that nothing defines. */
static const char *message_text(manifest *m, const char *text)
{
    if (!text)
        return NULL;
    size_t length = strlen(text);
    const char *end = strchr(text, ')');
    if (length > 3 && strncmp(text, "$(", 2) == 0 && end == text + length - 1)
        return reference_text(m, text + 2, length - 3);
    if (!strstr(text, "$("))
        return intern_message(m, text, length);
    etl_str_clear(&m->text);
    while (*text && m->text.size < MESSAGE_BYTES_MAX && m->composed < COMPOSED_BYTES_MAX) {
        const char *begin = strstr(text, "$(");
        end = begin ? strchr(begin, ')') : NULL;
        if (!end)
            break;
        size_t before = m->text.size;
        etl_str_add(&m->text, text, (size_t)(begin - text));
        const char *value = reference_text(m, begin + 2, (size_t)(end - begin - 2));
        if (value)
            etl_str_puts(&m->text, value);
        m->composed += m->text.size - before;
        text = end + 1;
    }
    etl_str_puts(&m->text, text);
    if (m->text.failed) {
        no_memory(m);
        return NULL;
    }
    return m->text.data ? intern_message(m, m->text.data, m->text.size) : NULL;
}

static const char *intern_name(manifest *m, const char *text)
{
    const char *copy = text ? etl_builder_name(m->builder, text, strlen(text)) : NULL;
    if (text && !copy)
        no_memory(m);
    return copy;
}

/* What TDH shows for a task, opcode, level or keyword: its message, else its name. */
static const char *display_name(manifest *m, man_node *node)
{
    if (node->result)
        return node->result;
    const char *text = message_text(m, man_get(node, MAN_MESSAGE_TEXT));
    const char *name = man_get(node, MAN_NAME);
    if (text && *text)
        node->result = intern_name(m, text);
    else if (name)
        node->result = intern_name(m, man_local(name));
    return node->result;
}

/* ---- maps and templates ---- */

static const etl_map *finish_map(manifest *m, man_node *node)
{
    if (node->result || node->failed)
        return node->result;
    etl_builder_begin_map(m->builder);
    etl_error error;
    int r = ETL_OK;
    for (man_node *entry = node->first; entry && r == ETL_OK; entry = entry->next) {
        const char *value = man_get(entry, MAN_VALUE);
        uint64_t number;
        if (!value || !man_number(value, &number))
            continue;
        const char *text = message_text(m, man_get(entry, MAN_MESSAGE_TEXT));
        if (!text)
            text = man_get(entry, MAN_SYMBOL);
        text = intern_name(m, text ? text : "");
        if (m->status < 0)
            return NULL;
        /* Map values have 32 bits in every other source (etl-format 6.4). */
        r = etl_builder_add_entry(m->builder, (uint32_t)number, text, &error);
    }
    const etl_map *map = NULL;
    const char *name = intern_name(m, man_get(node, MAN_NAME));
    etl_map_kind kind = node->kind == MAN_BIT_MAP ? ETL_MAP_BITS : ETL_MAP_VALUE;
    if (r == ETL_OK)
        r = etl_builder_finish_map(m->builder, name, kind, &map, &error);
    if (r == ETL_ERR_NOMEM)
        no_memory(m);
    else if (r < 0)
        problem(m, "map %.64s: %s", name ? name : "", error.message);
    node->failed = r < 0;
    node->result = map;
    return map;
}

/* Index of the property that a count or length names: earlier, in the same struct or around it. */
static bool find_reference(manifest *m, const char *name, uint16_t parent, uint16_t *ret)
{
    const etl_builder *builder = m->builder;
    const char *wanted = intern_name(m, name);
    for (;;) {
        for (size_t i = builder->node_count; i-- > 0;) {
            const etl_property *property = &builder->nodes[i].property;
            if (builder->nodes[i].parent != parent || property->name != wanted)
                continue;
            *ret = (uint16_t)i;
            uint16_t array = ETL_PROPERTY_STRUCT | ETL_PROPERTY_FIXED_COUNT |
                             ETL_PROPERTY_PARAM_COUNT | ETL_PROPERTY_OPAQUE;
            return !(property->flags & array) && etl_in_type_is_integer(property->in_type);
        }
        if (parent == ETL_BUILDER_NO_PARENT)
            return false;
        parent = builder->nodes[parent].parent;
    }
}

/* A count or length: a number, or the name of an integer. What names nothing usable makes the
   layout unknown from here on. */
static uint16_t read_amount(manifest *m, const char *text, uint16_t parent, uint16_t fixed_flag,
                            uint16_t reference_flag, uint16_t *flags)
{
    uint64_t number;
    uint16_t index;
    if (man_number(text, &number) && number <= UINT16_MAX) {
        *flags |= fixed_flag;
        return (uint16_t)number;
    }
    if (find_reference(m, text, parent, &index)) {
        *flags |= reference_flag;
        return index;
    }
    problem(m, "a property refers to %.64s, which is no integer before it", text);
    *flags |= ETL_PROPERTY_OPAQUE;
    return 0;
}

static int add_node(manifest *m, man_node *provider, man_node *item, uint16_t parent,
                    uint16_t *ret_index, etl_error *error)
{
    const char *name = man_get(item, MAN_NAME), *in_type = man_get(item, MAN_IN_TYPE);
    const char *out_type = man_get(item, MAN_OUT_TYPE), *map_name = man_get(item, MAN_MAP);
    const char *count = man_get(item, MAN_COUNT), *length = man_get(item, MAN_LENGTH);
    etl_property property = {.count = 1, .name = intern_name(m, name ? name : "")};
    if (item->kind == MAN_STRUCT) {
        property.flags = ETL_PROPERTY_STRUCT;
    } else {
        property.in_type =
            item->kind == MAN_BINARY ? ETL_IN_BINARY : man_in_type(in_type ? in_type : "");
        property.out_type = out_type ? man_out_type(out_type) : ETL_OUT_NULL;
        if (property.in_type == ETL_IN_NULL) {
            problem(m, "property %.64s has the unknown type %.64s",
                    property.name ? property.name : "", in_type ? in_type : "");
            property.flags = ETL_PROPERTY_OPAQUE;
        }
        if (length && etl_in_type_has_length(property.in_type))
            property.length = read_amount(m, length, parent, ETL_PROPERTY_FIXED_LENGTH,
                                          ETL_PROPERTY_PARAM_LENGTH, &property.flags);
        man_node *map = map_name ? index_get(m, provider, MAN_VALUE_MAP, map_name) : NULL;
        property.map = map ? finish_map(m, map) : NULL;
    }
    if (count)
        property.count = read_amount(m, count, parent, ETL_PROPERTY_FIXED_COUNT,
                                     ETL_PROPERTY_PARAM_COUNT, &property.flags);
    if (m->status < 0)
        return m->status;
    etl_builder_node *node;
    int r = etl_builder_add_property(m->builder, parent, property.name, &node, error);
    if (r < 0)
        return r;
    if (property.flags & ETL_PROPERTY_OPAQUE)
        property.flags = ETL_PROPERTY_OPAQUE; /* no half-known struct, count or length */
    node->property = property;
    *ret_index = (uint16_t)(m->builder->node_count - 1);
    return ETL_OK;
}

/* Members directly behind their struct; the reader bounds how deep elements nest. */
static int add_nodes(manifest *m, man_node *provider, man_node *list, uint16_t parent,
                     etl_error *error)
{
    for (man_node *item = list->first; item; item = item->next) {
        uint16_t index = 0;
        int r = add_node(m, provider, item, parent, &index, error);
        bool is_struct =
            r == ETL_OK && (m->builder->nodes[index].property.flags & ETL_PROPERTY_STRUCT);
        if (is_struct)
            r = add_nodes(m, provider, item, index, error);
        if (r < 0)
            return r;
    }
    return ETL_OK;
}

/* One layout serves all events of a template, else a short manifest could ask for gigabytes. */
static const etl_builder_layout *finish_template(manifest *m, man_node *provider, man_node *node)
{
    if (node->result || node->failed)
        return node->result;
    etl_error error = {0};
    etl_builder_layout *layout = etl_arena_alloc(m->builder->arena, sizeof *layout);
    if (!layout) {
        no_memory(m);
        return NULL;
    }
    etl_builder_begin_layout(m->builder);
    int r = add_nodes(m, provider, node, ETL_BUILDER_NO_PARENT, &error);
    if (r == ETL_OK)
        r = etl_builder_finish_layout(m->builder, layout, &error);
    if (r == ETL_ERR_NOMEM)
        no_memory(m);
    node->failed = r < 0;
    if (r < 0 && m->status == ETL_OK) {
        const char *tid = man_get(node, MAN_TID);
        problem(m, "template %.64s: %.160s", tid ? tid : "", error.message);
    }
    node->result = r < 0 ? NULL : layout;
    return node->result;
}

/* ---- events ---- */

static uint64_t number_attribute(const man_node *node, man_attribute attribute, uint64_t fallback)
{
    const char *text = man_get(node, attribute);
    uint64_t number;
    return text && man_number(text, &number) ? number : fallback;
}

static void set_level(manifest *m, man_node *provider, const man_node *event,
                      etl_event_schema *schema)
{
    const char *name = man_get(event, MAN_EVENT_LEVEL);
    uint64_t number = 0;
    if (name) {
        man_node *node = index_get(m, provider, MAN_LEVEL, name);
        if (node) {
            number = node->number;
            schema->level_name = display_name(m, node);
        } else if (!man_win_level(man_local(name), &number)) {
            man_number(name, &number);
        }
    }
    schema->level = (uint8_t)number;
    if (!schema->level_name)
        schema->level_name = etl_winmeta_level(schema->level);
}

static void set_task_and_opcode(manifest *m, man_node *provider, const man_node *event,
                                etl_event_schema *schema)
{
    const char *task_name = man_get(event, MAN_EVENT_TASK);
    const char *opcode_name = man_get(event, MAN_EVENT_OPCODE);
    man_node *task = task_name ? index_get(m, provider, MAN_TASK, task_name) : NULL;
    if (task) {
        schema->task = (uint16_t)task->number;
        schema->task_name = display_name(m, task);
    } else if (task_name) {
        uint64_t number = 0;
        man_number(task_name, &number);
        schema->task = (uint16_t)number;
    }
    uint64_t opcode = 0;
    if (opcode_name) {
        /* Opcodes of the task hide those of the provider. */
        man_node *node = task ? index_get(m, task, MAN_OPCODE, opcode_name) : NULL;
        if (!node)
            node = index_get(m, provider, MAN_OPCODE, opcode_name);
        if (node) {
            opcode = node->number;
            schema->opcode_name = display_name(m, node);
        } else if (!man_win_opcode(man_local(opcode_name), &opcode)) {
            man_number(opcode_name, &opcode);
        }
    }
    schema->opcode = (uint8_t)opcode;
    if (!schema->opcode_name)
        schema->opcode_name = etl_winmeta_opcode(schema->opcode);
}

static void set_keywords(manifest *m, man_node *provider, const man_node *event,
                         etl_event_schema *schema)
{
    const char *list = man_get(event, MAN_EVENT_KEYWORDS);
    etl_str names = {0};
    for (int i = 0; list && i < KEYWORDS_MAX; i++) {
        list += strspn(list, " ,\t\r\n");
        size_t length = strcspn(list, " ,\t\r\n");
        char name[ETL_LIMIT_NAME_BYTES];
        if (length == 0 || length >= sizeof name)
            break;
        memcpy(name, list, length);
        name[length] = 0;
        list += length;
        man_node *node = index_get(m, provider, MAN_KEYWORD, name);
        uint64_t mask = 0;
        const char *text = node ? display_name(m, node) : man_local(name);
        if (node)
            mask = node->number;
        else if (!man_win_keyword(man_local(name), &mask))
            man_number(name, &mask);
        schema->keyword |= mask;
        if (names.size > 0)
            etl_str_puts(&names, ", ");
        etl_str_puts(&names, text ? text : "");
    }
    if (names.size > 0)
        schema->keyword_names = intern_name(m, names.failed ? "" : names.data);
    if (names.failed)
        no_memory(m);
    etl_str_free(&names);
}

static void set_channel(manifest *m, man_node *provider, const man_node *event,
                        etl_event_schema *schema)
{
    const char *name = man_get(event, MAN_EVENT_CHANNEL);
    man_node *node = name ? index_get(m, provider, MAN_CHANNEL, name) : NULL;
    uint64_t number = 0;
    if (node) {
        number = node->number;
        schema->channel_name = intern_name(m, man_get(node, MAN_NAME));
    } else if (name && !man_win_channel(man_local(name), &number)) {
        man_number(name, &number);
    }
    schema->channel = (uint8_t)number;
}

static void set_names(manifest *m, const man_node *event, etl_event_schema *schema)
{
    const char *symbol = man_get(event, MAN_SYMBOL);
    if (!symbol)
        symbol = man_get(event, MAN_NAME);
    bool failed = false;
    schema->event_name = symbol
                             ? intern_name(m, symbol)
                             : etl_builder_event_name(m->builder, schema->task_name, schema->opcode,
                                                      schema->opcode_name, &failed);
    if (failed)
        no_memory(m);
    schema->message = message_text(m, man_get(event, MAN_MESSAGE_TEXT));
}

static void add_event(manifest *m, const provider_view *provider, const man_node *event)
{
    uint64_t id = number_attribute(event, MAN_VALUE, UINT64_MAX);
    uint64_t version = number_attribute(event, MAN_VERSION, 0);
    if (id > UINT16_MAX || version > UINT8_MAX) {
        problem(m, "an event of %.64s has no usable value and version",
                provider->name ? provider->name : "a provider without a name");
        return;
    }
    const etl_builder_layout *layout = NULL;
    const char *tid = man_get(event, MAN_EVENT_TEMPLATE);
    if (tid) {
        man_node *node = index_get(m, provider->node, MAN_TEMPLATE, tid);
        layout = node ? finish_template(m, provider->node, node) : NULL;
        if (!node)
            problem(m, "event %u uses the unknown template %.64s", (unsigned)id, tid);
        if (!layout)
            return;
    }
    etl_event_schema *schema = etl_arena_alloc(m->builder->arena, sizeof *schema);
    if (!schema) {
        no_memory(m);
        return;
    }
    schema->provider = provider->guid;
    schema->id = (uint16_t)id;
    schema->version = (uint8_t)version;
    schema->source = m->source;
    schema->provider_name = provider->name;
    if (layout) {
        schema->property_count = layout->property_count;
        schema->top_level_count = layout->top_level_count;
        schema->properties = layout->properties;
    }
    set_level(m, provider->node, event, schema);
    set_task_and_opcode(m, provider->node, event, schema);
    set_keywords(m, provider->node, event, schema);
    set_channel(m, provider->node, event, schema);
    set_names(m, event, schema);
    if (m->status == ETL_OK && m->sink->event)
        m->status = m->sink->event(m->sink->context, schema, m->error);
}

static void add_provider(manifest *m, man_node *node, const etl_guid *fallback)
{
    const char *guid = man_get(node, MAN_GUID);
    provider_view provider = {.node = node, .name = intern_name(m, man_get(node, MAN_NAME))};
    if (guid ? !etl_guid_parse(guid, &provider.guid) : !fallback) {
        problem(m, "provider %.64s has no usable GUID", provider.name ? provider.name : "");
        return;
    }
    if (!guid)
        provider.guid = *fallback;
    index_provider(m, node);
    if (m->status == ETL_OK && provider.name && *provider.name && m->sink->provider)
        m->status = m->sink->provider(m->sink->context, &provider.guid, provider.name,
                                      ETL_NAME_RANK_SCHEMA, m->error);
    for (man_node *list = node->first; list; list = list->next) {
        if (list->kind != MAN_EVENTS)
            continue;
        for (man_node *event = list->first; event && m->status == ETL_OK; event = event->next)
            add_event(m, &provider, event);
    }
}

/* Returns how many there are. */
static size_t add_providers(manifest *m, man_node *root, const etl_guid *fallback)
{
    size_t count = 0;
    for (man_node *part = root->first; part; part = part->next) {
        if (part->kind != MAN_INSTRUMENTATION)
            continue;
        for (man_node *events = part->first; events; events = events->next) {
            for (man_node *node = events->first; node && m->status == ETL_OK; node = node->next) {
                if (node->kind != MAN_PROVIDER)
                    continue;
                add_provider(m, node, fallback);
                count++;
            }
        }
    }
    return count;
}

static void index_texts(manifest *m, man_node *root)
{
    for (man_node *part = root->first; part; part = part->next) {
        if (part->kind == MAN_LOCALIZATION)
            index_strings(m, part);
        if (part->kind != MAN_INSTRUMENTATION)
            continue;
        for (man_node *events = part->first; events; events = events->next) {
            for (man_node *table = events->first; table; table = table->next) {
                if (table->kind != MAN_MESSAGE_TABLE)
                    continue;
                for (man_node *text = table->first; text; text = text->next)
                    index_put(m, NULL, MAN_MESSAGE, man_get(text, MAN_SYMBOL), text, false);
            }
        }
    }
}

int etl_manifest_parse(etl_builder *builder, const char *xml, size_t size, uint8_t source,
                       const etl_guid *fallback, const etl_builder_sink *sink, etl_error *error)
{
    etl_arena tree = {0};
    man_node *document;
    while (size > 0 && xml[size - 1] == 0)
        size--; /* some writers count a terminator */
    int r = man_read(&tree, xml, size, &document, error);
    if (r < 0) {
        etl_arena_free(&tree);
        return r;
    }
    manifest m = {.builder = builder, .sink = sink, .error = error, .source = source};
    size_t providers = 0;
    if (document->first) {
        index_texts(&m, document->first);
        if (m.status == ETL_OK)
            providers = add_providers(&m, document->first, fallback);
    }
    r = m.status;
    if (r == ETL_OK && providers == 0)
        r = etl_fail(error, ETL_ERR_DAMAGED, "no provider in a manifest");
    etl_hashmap_free(&m.index);
    etl_str_free(&m.key);
    etl_str_free(&m.text);
    etl_arena_free(&tree);
    return r;
}
