/* builder: how a schema source hands over what it read. A source adds properties in the order in
   which it meets them and says which of them are struct members; it knows neither the catalog nor
   the layout of the finished property array. Everything lives in the arena of the owner, equal
   names once. */
#ifndef ETL_SCHEMA_BUILDER_H
#define ETL_SCHEMA_BUILDER_H

#include "schema/schema.h"

/* The order in which sources are believed when they name a provider. */
enum { ETL_NAME_RANK_SCHEMA, ETL_NAME_RANK_TRAITS };

/* Who receives finished objects. Any function may be NULL. */
typedef struct etl_builder_sink {
    int (*event)(void *context, const etl_event_schema *schema, etl_error *error);
    int (*provider)(void *context, const etl_guid *guid, const char *name, int rank,
                    etl_error *error);
    /* A property refers to a map of its provider by a name that is not bound yet. */
    int (*map_reference)(void *context, const etl_guid *provider, const char *map_name,
                         etl_property *property, etl_error *error);
    int (*map)(void *context, const etl_guid *provider, const etl_map *map, etl_error *error);
    /* Part of the input is not usable; the rest is. */
    void (*problem)(void *context, const char *text);
    void *context;
} etl_builder_sink;

enum { ETL_BUILDER_NO_PARENT = 0xFFFF };

/* A property as a source sees it. `count` and `length` of properties with a reference flag are
   indexes in the order of addition; finishing turns them into indexes of the layout. */
typedef struct etl_builder_node {
    etl_property property;
    uint16_t parent; /* index of the struct that holds it, or ETL_BUILDER_NO_PARENT */
    uint16_t depth;  /* structs around it */
} etl_builder_node;

/* Finished properties: top level first, then the members of each struct in one run. */
typedef struct etl_builder_layout {
    etl_property *properties;
    uint16_t property_count;
    uint16_t top_level_count;
} etl_builder_layout;

typedef struct etl_builder {
    etl_arena *arena;
    etl_hashmap *names;
    etl_builder_node *nodes;
    size_t node_count;
    size_t node_capacity;
    uint16_t *positions; /* node index to layout index; as many as nodes */
    uint16_t *order;     /* the other way round */
    etl_map_entry *entries;
    size_t entry_count;
    size_t entry_capacity;
    etl_str text; /* scratch */
} etl_builder;

void etl_builder_init(etl_builder *builder, etl_arena *arena, etl_hashmap *names);
void etl_builder_free(etl_builder *builder);

/* One copy of `text`, cut at `limit` bytes between characters; what is not UTF-8 is read as
   Windows-1252. NULL: no memory. */
const char *etl_builder_text(etl_builder *builder, const char *text, size_t length, size_t limit);
/* The same with ETL_LIMIT_NAME_BYTES. */
const char *etl_builder_name(etl_builder *builder, const char *text, size_t length);
/* UTF-16, ends trimmed: message tables leave a blank behind each name (etl-format 6.4). */
const char *etl_builder_wide(etl_builder *builder, const uint8_t *text, size_t units, size_t limit);

/* Forgets what was added since the last finish. */
void etl_builder_begin_layout(etl_builder *builder);
/* The node lives until the next call. ETL_ERR_LIMIT beyond ETL_LIMIT_PROPERTIES or
   ETL_LIMIT_STRUCT_DEPTH. `parent` is the struct that holds it. Payload order: the members
   of a struct are added before anything that stands behind it. */
int etl_builder_add_property(etl_builder *builder, uint16_t parent, const char *name,
                             etl_builder_node **ret_node, etl_error *error);
/* Orders the properties, fills in default out-types and checks the whole (etl_schema_check). */
int etl_builder_finish_layout(etl_builder *builder, etl_builder_layout *ret_layout,
                              etl_error *error);

void etl_builder_begin_map(etl_builder *builder);
int etl_builder_add_entry(etl_builder *builder, uint64_t value, const char *text, etl_error *error);
int etl_builder_finish_map(etl_builder *builder, const char *name, etl_map_kind kind,
                           const etl_map **ret_map, etl_error *error);

/* Task and opcode name joined, such as "RequestStart"; just the task for opcode 0 (Info) or where
   the task says it already. NULL when neither is known; *ret_failed when memory is out. */
const char *etl_builder_event_name(etl_builder *builder, const char *task, uint8_t opcode,
                                   const char *opcode_name, bool *ret_failed);

/* True for in-types that a count or length may be read from. */
bool etl_in_type_is_integer(uint16_t in_type);
/* True for in-types whose payload size is defined (etl-format 6.1). */
bool etl_in_type_is_known(uint16_t in_type);
/* True where `length` changes the payload size: strings and binary (etl-format 6.5). */
bool etl_in_type_has_length(uint16_t in_type);

#endif
