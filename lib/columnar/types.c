/* Event types and providers: identity, names, and the union of the columns of all versions. */
#include "columnar/columnar.h"

#include <stdio.h>
#include <stdlib.h>

/* SQL names that the database uses itself, those of indexes too; a type must not take them. */
static const char *const reserved_names[] = {"meta",
                                             "source",
                                             "provider",
                                             "event_type",
                                             "field",
                                             "event",
                                             "extended",
                                             "raw_payload",
                                             "sid",
                                             "activity",
                                             "stack",
                                             "stack_frame",
                                             "map_value",
                                             "diagnostic",
                                             "doc",
                                             "event_text",
                                             "event_ts",
                                             "event_without_data",
                                             "extended_by_event"};

enum { NAME_LIMIT = 180, COMPARED_ENTRIES = 512 };

const char *etl_event_kind_name(int kind)
{
    static const char *const names[] = {[ETL_KIND_MANIFEST] = "manifest",
                                        [ETL_KIND_TRACELOGGING] = "tracelogging",
                                        [ETL_KIND_STRING] = "string",
                                        [ETL_KIND_CLASSIC] = "classic",
                                        [ETL_KIND_WPP] = "wpp"};
    return kind >= 0 && (size_t)kind < ETL_COUNT_OF(names) ? names[kind] : "unknown";
}

int etl_types_init(etl_types *types, const etl_catalog *catalog)
{
    memset(types, 0, sizeof *types);
    types->catalog = catalog;
    for (size_t i = 0; i < ETL_COUNT_OF(reserved_names); i++)
        if (etl_hashmap_put(&types->names, reserved_names[i], strlen(reserved_names[i]), types))
            return ETL_ERR_NOMEM;
    return ETL_OK;
}

void etl_types_done(etl_types *types)
{
    free(types->types);
    free(types->providers);
    etl_hashmap_free(&types->by_key);
    etl_hashmap_free(&types->by_guid);
    etl_hashmap_free(&types->names);
    etl_hashmap_free(&types->numbers);
    etl_hashmap_free(&types->column_names);
    etl_arena_free(&types->arena);
}

static bool push(void ***items, size_t *count, size_t *capacity, void *item)
{
    if (*count == *capacity) {
        size_t grown = *capacity ? *capacity * 2 : 64;
        void **moved = realloc(*items, grown * sizeof *moved);
        if (!moved)
            return false;
        *items = moved;
        *capacity = grown;
    }
    (*items)[(*count)++] = item;
    return true;
}

static etl_provider *get_provider(etl_types *types, const etl_guid *guid)
{
    etl_provider *provider = etl_hashmap_get(&types->by_guid, guid, sizeof *guid);
    if (provider)
        return provider;
    provider = etl_arena_alloc(&types->arena, sizeof *provider);
    if (!provider)
        return NULL;
    const char *name = etl_catalog_provider_name(types->catalog, guid);
    char text[ETL_GUID_TEXT_SIZE];
    if (!name || !*name) {
        etl_guid_text(guid, text);
        name = text;
    }
    provider->id = (uint32_t)types->provider_count + 1;
    provider->guid = *guid;
    provider->name = etl_arena_strdup(&types->arena, name);
    void **items = (void **)types->providers;
    if (!provider->name ||
        !push(&items, &types->provider_count, &types->provider_capacity, provider))
        return NULL;
    types->providers = (etl_provider **)items;
    return etl_hashmap_put(&types->by_guid, guid, sizeof *guid, provider) ? NULL : provider;
}

void etl_sql_name(etl_str *out, const char *text)
{
    for (const char *p = text; *p && out->size < NAME_LIMIT; p++)
        etl_str_add(out, etl_ascii_is_alnum(*p) ? p : "_", 1);
}

static bool name_taken(const etl_types *types, const char *name, size_t size)
{
    char lower[NAME_LIMIT + 64];
    if (size >= sizeof lower)
        return true;
    for (size_t i = 0; i < size; i++)
        lower[i] = etl_ascii_lower(name[i]);
    return etl_hashmap_get(&types->names, lower, size) != NULL;
}

static bool take_name(etl_types *types, const char *name, size_t size)
{
    char lower[NAME_LIMIT + 64];
    for (size_t i = 0; i < size; i++)
        lower[i] = etl_ascii_lower(name[i]);
    return etl_hashmap_put(&types->names, lower, size, types) == ETL_OK;
}

/* A type takes two names: its view and, with the suffix, its table. */
static bool both_free(const etl_types *types, etl_str *name)
{
    size_t size = name->size;
    if (name_taken(types, name->data, size))
        return false;
    etl_str_puts(name, "_data");
    bool taken = name_taken(types, name->data, name->size);
    name->size = size;
    name->data[size] = 0;
    return !taken;
}

/* The first number that makes the name free. Where the last search for the name ended is kept: a
   file may bring very many types whose names read the same. */
static void add_number(etl_types *types, etl_str *name)
{
    size_t size = name->size;
    uintptr_t n = (uintptr_t)etl_hashmap_get(&types->numbers, name->data, size);
    char *key = etl_arena_strndup(&types->arena, name->data, size);
    if (n < 2)
        n = 2;
    for (;; n++) {
        name->size = size;
        etl_str_printf(name, "_%u", (unsigned)n);
        if (name->failed || both_free(types, name))
            break;
    }
    if (!key || etl_hashmap_put(&types->numbers, key, size, (void *)(n + 1)))
        name->failed = true;
}

/* SQLite keeps names that begin so to itself. */
static bool is_sqlite_name(const char *name)
{
    return etl_wildcard_match("sqlite_*", name);
}

/* Process_Start, Microsoft_Windows_DNS_Client_3008, MyProvider_MyEvent. */
static const char *make_name(etl_types *types, const etl_type *type)
{
    const etl_event_type *pub = &type->pub;
    etl_str name = {0};
    char guid[ETL_GUID_TEXT_SIZE];
    etl_guid_text(&pub->provider->guid, guid);
    const char *owner = pub->provider->name;
    if (pub->kind == ETL_KIND_CLASSIC) {
        const char *group = etl_catalog_class_name(types->catalog, &pub->provider->guid);
        if (group && *group)
            owner = group;
    }
    if (strcmp(owner, guid) == 0)
        etl_str_puts(&name, pub->kind == ETL_KIND_WPP ? "WPP_" : "Provider_");
    etl_sql_name(&name, owner);
    etl_str_puts(&name, "_");
    if (pub->kind == ETL_KIND_STRING)
        etl_str_puts(&name, "String_");
    if ((pub->kind == ETL_KIND_TRACELOGGING || pub->kind == ETL_KIND_CLASSIC) && pub->event_name &&
        *pub->event_name)
        etl_sql_name(&name, pub->event_name);
    else
        etl_str_printf(&name, "%u", pub->kind == ETL_KIND_CLASSIC ? pub->opcode : pub->event_id);
    /* Neither a digit nor SQLite's own prefix may come first. */
    if (name.size && (etl_ascii_is_digit(name.data[0]) || is_sqlite_name(name.data))) {
        char first = name.data[0];
        etl_str_puts(&name, " ");
        memmove(name.data + 1, name.data, name.size - 1);
        name.data[0] = '_';
        name.data[1] = first;
    }
    size_t base = name.size;
    if (!name.failed && !both_free(types, &name)) {
        etl_str_printf(&name, "_%.8s", guid);
        if (!name.failed && !both_free(types, &name))
            add_number(types, &name);
    }
    const char *result = NULL;
    if (!name.failed && name.size >= base) {
        result = etl_arena_strndup(&types->arena, name.data, name.size);
        bool ok = take_name(types, name.data, name.size);
        etl_str_puts(&name, "_data");
        if (!ok || name.failed || !take_name(types, name.data, name.size))
            result = NULL;
    }
    etl_str_free(&name);
    return result;
}

static const char *keep(etl_types *types, const char *text)
{
    return text && *text ? etl_arena_strdup(&types->arena, text) : NULL;
}

static void name_by_schema(etl_types *types, etl_event_type *pub, const etl_event_schema *schema)
{
    pub->event_name = keep(types, schema->event_name);
    pub->task_name = keep(types, schema->task_name);
    pub->opcode_name = keep(types, schema->opcode_name);
    pub->level_name = keep(types, schema->level_name);
    pub->channel_name = keep(types, schema->channel_name);
    pub->keyword_names = keep(types, schema->keyword_names);
    pub->message = keep(types, schema->message);
    pub->schema_source = schema->source;
}

etl_type *etl_types_get(etl_types *types, const etl_record *record, int kind,
                        const etl_event_schema *schema)
{
    /* GUID, kind, number, TraceLogging name */
    uint8_t key[20 + ETL_LIMIT_NAME_BYTES];
    size_t key_size = 20;
    uint16_t number = kind == ETL_KIND_CLASSIC ? record->opcode : record->id;
    memcpy(key, record->provider.bytes, 16);
    key[16] = (uint8_t)kind;
    key[17] = (uint8_t)number;
    key[18] = (uint8_t)(number >> 8);
    key[19] = 0;
    if (kind == ETL_KIND_TRACELOGGING) {
        const char *name = schema && schema->event_name ? schema->event_name : "";
        size_t length = strnlen(name, ETL_LIMIT_NAME_BYTES);
        key[17] = key[18] = 0;
        memcpy(key + 20, name, length);
        key_size += length;
    }
    etl_type *type = etl_hashmap_get(&types->by_key, key, key_size);
    if (type) {
        if (schema && !type->named_by_schema) {
            name_by_schema(types, &type->pub, schema);
            type->named_by_schema = true;
        }
        return type;
    }
    if (types->count > ETL_LIMIT_EVENT_TYPES) /* one more: what all others share */
        return NULL;
    type = etl_arena_alloc(&types->arena, sizeof *type);
    if (!type)
        return NULL;
    etl_event_type *pub = &type->pub;
    pub->provider = get_provider(types, &record->provider);
    if (!pub->provider)
        return NULL;
    pub->id = (uint32_t)types->count + 1;
    pub->kind = (uint8_t)kind;
    pub->event_id = record->id;
    pub->opcode = record->opcode;
    pub->level = record->level;
    pub->channel = record->channel;
    pub->task = record->task;
    pub->keywords = record->keyword;
    if (schema) {
        name_by_schema(types, pub, schema);
        type->named_by_schema = true;
    }
    if (!pub->level_name && record->kind != ETL_HEADER_MESSAGE)
        pub->level_name = etl_winmeta_level(record->level);
    if (!pub->opcode_name && record->kind == ETL_HEADER_EVENT)
        pub->opcode_name = etl_winmeta_opcode(record->opcode);
    pub->name = make_name(types, type);
    void **items = (void **)types->types;
    if (!pub->name || !push(&items, &types->count, &types->capacity, type))
        return NULL;
    types->types = (etl_type **)items;
    return etl_hashmap_put(&types->by_key, key, key_size, type) ? NULL : type;
}

/* Values that read differently must not share a column. */
static int render_class(uint16_t in_type, uint16_t out_type)
{
    if (in_type == ETL_IN_FILETIME)
        return 1;
    switch (out_type) {
    case ETL_OUT_IPV4: return 2;
    case ETL_OUT_BOOLEAN: return 3;
    case ETL_OUT_DATETIME:
    case ETL_OUT_DATETIME_UTC: return 1;
    default: return 0;
    }
}

static uint8_t column_type(const etl_field *field)
{
    switch (field->type) {
    case ETL_FIELD_INT: return ETL_COLUMN_INT64;
    case ETL_FIELD_DOUBLE: return ETL_COLUMN_DOUBLE;
    case ETL_FIELD_BINARY: return ETL_COLUMN_BINARY;
    case ETL_FIELD_GUID: return ETL_COLUMN_GUID;
    default: return ETL_COLUMN_TEXT;
    }
}

/* Key of a column name in types->column_names; SQLite ignores the case of ASCII letters. */
static bool column_key(etl_str *key, const etl_type *type, const char *name)
{
    etl_str_clear(key);
    etl_str_add(key, &type->pub.id, sizeof type->pub.id);
    etl_str_puts(key, name);
    for (size_t i = sizeof type->pub.id; !key->failed && i < key->size; i++)
        key->data[i] = etl_ascii_lower(key->data[i]);
    return !key->failed;
}

/* A name for a column that no other of the type has, numbered when it must be. One probe a number,
   and numbers go on where they ended: a schema may call all of its fields the same. */
static const char *name_column(etl_types *types, const etl_type *type, const char *wanted)
{
    etl_hashmap *map = &types->column_names;
    const char *result = NULL;
    etl_str key = {0}, name = {0};
    etl_str_puts(&name, wanted);
    if (name.failed || !column_key(&key, type, name.data))
        goto done;
    uintptr_t n = (uintptr_t)etl_hashmap_get(map, key.data, key.size);
    bool taken = n != 0 || etl_ascii_equal(wanted, etl_event_id_column.name);
    size_t base = name.size;
    for (n = n < 2 ? 2 : n; taken; n++) {
        name.size = base;
        etl_str_printf(&name, "_%u", (unsigned)n);
        if (name.failed || !column_key(&key, type, name.data))
            goto done;
        taken = etl_hashmap_get(map, key.data, key.size) != NULL;
    }
    if (etl_hashmap_put(map, key.data, key.size, (void *)(uintptr_t)2) ||
        (name.size != base &&
         (!column_key(&key, type, wanted) || etl_hashmap_put(map, key.data, key.size, (void *)n))))
        goto done;
    result = etl_arena_strndup(&types->arena, name.data, name.size);

done:
    etl_str_free(&key);
    etl_str_free(&name);
    return result;
}

/* Two versions of a map may share a column unless they give one value different names. */
static bool maps_agree(const etl_map *a, const etl_map *b)
{
    if (!a || !b || a == b)
        return true;
    if (a->kind != b->kind)
        return false;
    /* Real maps are small; of huge ones only equal ones agree. */
    if (a->entry_count > COMPARED_ENTRIES || b->entry_count > COMPARED_ENTRIES) {
        bool same = a->entry_count == b->entry_count;
        for (uint32_t i = 0; same && i < a->entry_count; i++)
            same = a->entries[i].value == b->entries[i].value &&
                   strcmp(a->entries[i].text, b->entries[i].text) == 0;
        return same;
    }
    for (uint32_t i = 0; i < a->entry_count; i++)
        for (uint32_t k = 0; k < b->entry_count; k++)
            if (a->entries[i].value == b->entries[k].value &&
                strcmp(a->entries[i].text, b->entries[k].text) != 0)
                return false;
    return true;
}

static bool map_has(const etl_map *map, uint64_t value)
{
    for (uint32_t i = 0; i < map->entry_count; i++)
        if (map->entries[i].value == value)
            return true;
    return false;
}

/* The map of a column names the values of all versions that share it. */
static bool add_to_map(etl_types *types, etl_column_def *def, const etl_map *map)
{
    const etl_map *have = def->map;
    if (!have)
        def->map = map;
    if (!map || !have || map == have || have->entry_count > COMPARED_ENTRIES)
        return true;
    uint32_t count = have->entry_count;
    for (uint32_t i = 0; i < map->entry_count; i++)
        count += !map_has(have, map->entries[i].value);
    if (count == have->entry_count)
        return true;
    etl_map *wider = etl_arena_alloc(&types->arena, sizeof *wider);
    etl_map_entry *entries = etl_arena_array(&types->arena, count, sizeof *entries);
    if (!wider || !entries)
        return false;
    *wider = *have;
    wider->entries = entries;
    wider->entry_count = count;
    count = have->entry_count;
    if (count)
        memcpy(entries, have->entries, count * sizeof *entries);
    for (uint32_t i = 0; i < map->entry_count; i++)
        if (!map_has(have, map->entries[i].value))
            entries[count++] = map->entries[i];
    def->map = wider;
    return true;
}

int etl_type_column(etl_types *types, etl_type *type, const etl_field *field, const bool *used)
{
    uint8_t wanted = column_type(field);
    bool json = field->type == ETL_FIELD_JSON;
    uint16_t in_type = field->property->in_type, out_type = field->property->out_type;
    for (size_t i = 0; i < type->pub.column_count; i++) {
        etl_column_def *def = (etl_column_def *)type->columns[i]; /* const to others */
        if (!used[i] && def->type == wanted && def->json == json &&
            strcmp(def->property, field->name) == 0 &&
            render_class(def->in_type, def->out_type) == render_class(in_type, out_type) &&
            maps_agree(def->map, field->property->map))
            return add_to_map(types, def, field->property->map) ? (int)i : -1;
    }
    if (type->pub.column_count >= ETL_LIMIT_TYPE_COLUMNS ||
        types->column_count >= ETL_LIMIT_COLUMNS)
        return ETL_TYPE_FULL;
    etl_column_def *def = etl_arena_alloc(&types->arena, sizeof *def);
    if (!def)
        return -1;
    def->property = etl_arena_strdup(&types->arena, field->name);
    def->type = wanted;
    def->json = json;
    def->in_type = in_type;
    def->out_type = out_type;
    def->map = field->property->map;
    def->ordinal = (uint16_t)(type->pub.column_count + 1);
    /* An empty name cannot be a column. */
    def->name = name_column(types, type, *field->name ? field->name : "field");
    if (!def->name || !def->property)
        return -1;
    if (type->pub.column_count == type->column_capacity) {
        /* Batches that are out point to the old array: it stays with the arena. */
        size_t capacity = type->column_capacity ? type->column_capacity * 2 : 16;
        const etl_column_def **columns = etl_arena_array(&types->arena, capacity, sizeof *columns);
        if (!columns)
            return -1;
        if (type->pub.column_count)
            memcpy(columns, type->columns, type->pub.column_count * sizeof *columns);
        type->columns = columns;
        type->column_capacity = capacity;
        type->pub.columns = columns;
    }
    type->columns[type->pub.column_count] = def;
    type->pub.column_count++;
    types->column_count++;
    return def->ordinal - 1;
}
