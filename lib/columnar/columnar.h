/* columnar: records to batches. Event types, their columns, interning, filter, and the decoder that
   drives the layers above. */
#ifndef ETL_COLUMNAR_H
#define ETL_COLUMNAR_H

#include "decode/decode.h"
#include "etlkit/decoder.h"
#include "record/record.h"
#include "schema/schema.h"

/* ---- columns and tables (column.c) ---- */

/* Appends at row `row` of the table; rows between the column's end and `row` become NULL. False
   when memory is out. */
static inline bool etl_column_add_int(etl_column *column, size_t row, int64_t value);
bool etl_column_add_double(etl_column *column, size_t row, double value);
bool etl_column_add_guid(etl_column *column, size_t row, const uint8_t guid[16]);
bool etl_column_add_data(etl_column *column, size_t row, const void *data, size_t size);
/* Room for `size` bytes of row `row`, to be written before commit, or NULL. */
uint8_t *etl_column_begin_data(etl_column *column, size_t row, size_t size);
void etl_column_commit_data(etl_column *column, size_t size);
/* NULLs up to `rows`. */
bool etl_column_pad(etl_column *column, size_t rows);
void etl_column_reset(etl_column *column);
void etl_column_done(etl_column *column);

/* Makes place for row `row`: fills the gap before it, grows. */
bool etl_column_open_row(etl_column *column, size_t row);

static inline bool etl_column_add_int(etl_column *column, size_t row, int64_t value)
{
    if (ETL_UNLIKELY(column->length != row || row >= column->capacity || column->validity) &&
        !etl_column_open_row(column, row))
        return false;
    column->values.ints[row] = value;
    column->length = row + 1;
    return true;
}

/* Appends the columns that `defs` has and the table has not. */
bool etl_table_extend(etl_table *table, const etl_column_def *const *defs, size_t count);
bool etl_table_pad(etl_table *table);
void etl_table_reset(etl_table *table);
void etl_table_done(etl_table *table);

etl_batch *etl_batch_new(size_t rows);
void etl_batch_reset(etl_batch *batch);
etl_batch *etl_batch_free(etl_batch *batch);
/* The batch's table of a type, with all columns that the type has by now; NULL when memory is out.
   Valid until the next call. */
etl_table *etl_batch_table(etl_batch *batch, const etl_event_type *type);

/* Definitions of the tables that every batch has (batch.c); they end with a NULL. */
extern const etl_column_def *const etl_event_columns[];
extern const etl_column_def *const etl_raw_payload_columns[];
extern const etl_column_def *const etl_extended_columns[];
extern const etl_column_def *const etl_activity_columns[];
extern const etl_column_def *const etl_sid_columns[];
extern const etl_column_def *const etl_stack_columns[];
extern const etl_column_def *const etl_stack_frame_columns[];
extern const etl_column_def etl_event_id_column; /* column 0 of data tables */

/* Appends the text of one value; nothing for NULL. Maps by name when `use_map`. */
void etl_column_value_text(const etl_column *column, size_t row, bool use_map, etl_str *out);

/* ---- event types (types.c) ---- */

typedef struct etl_type {
    etl_event_type pub;
    const etl_column_def **columns;
    size_t column_capacity;
    bool named_by_schema; /* names come from a schema, not from the record alone */
} etl_type;

typedef struct etl_types {
    etl_arena arena;
    etl_type **types;
    size_t count, capacity;
    etl_provider **providers;
    size_t provider_count, provider_capacity;
    size_t column_count; /* of all types */
    etl_hashmap by_key;
    etl_hashmap by_guid;
    etl_hashmap names;        /* lower-case SQL names in use */
    etl_hashmap numbers;      /* type name that was taken: number to try next */
    etl_hashmap column_names; /* type id and lower-case column name: number to try next */
    const etl_catalog *catalog;
} etl_types;

int etl_types_init(etl_types *types, const etl_catalog *catalog);
void etl_types_done(etl_types *types);
/* The type of a record; made on first sight. `schema` may be NULL. NULL when memory is out. */
etl_type *etl_types_get(etl_types *types, const etl_record *record, int kind,
                        const etl_event_schema *schema);
/* Index of the column that takes `field`, made when the type has no fitting one. used[i] tells
   which columns the layout took already. -1 when memory is out, ETL_TYPE_FULL at the limit. */
enum { ETL_TYPE_FULL = -2 };
int etl_type_column(etl_types *types, etl_type *type, const etl_field *field, const bool *used);
/* Makes a valid name out of any text: letters, digits, underscores. */
void etl_sql_name(etl_str *out, const char *text);

/* ---- bindings: distinct event of the trace to type and layouts (binding.c) ---- */

typedef struct etl_bound_layout {
    const etl_layout *layout;
    uint16_t *columns; /* field to column of the table, 0: none; NULL until first used */
    bool partial; /* some field has no column (ETL_LIMIT_TYPE_COLUMNS): payload stays raw too */
} etl_bound_layout;

typedef struct etl_binding {
    uint64_t hash;
    etl_guid provider;
    uint16_t id;
    uint8_t version, opcode, kind;
    uint32_t build;
    uint32_t metadata_size;
    const uint8_t *metadata; /* TraceLogging: part of the key */
    etl_type *type;
    size_t layout_count, exact_count;
    etl_bound_layout *layouts;
    uint16_t max_fields;
    int8_t wanted; /* by the filter: -1 not asked yet */
} etl_binding;

typedef struct etl_bindings {
    etl_arena arena;
    etl_binding **slots;
    size_t capacity, count;
    etl_catalog *catalog;
    etl_types *types;
    etl_diag *diag;
    etl_binding *overflow;  /* shared by all events past the limit */
    const uint32_t *builds; /* Windows build by source: it ranks the layouts of one version */
} etl_bindings;

void etl_bindings_done(etl_bindings *bindings);
/* One hash probe for a known event. NULL when memory is out or the schema pack is damaged. */
etl_binding *etl_bindings_get(etl_bindings *bindings, const etl_record *record, etl_error *error);
/* Chooses the layout by payload fit, fills `slices`. NULL: no schema. *ret_pointer_size is the one
   that fits. */
etl_bound_layout *etl_binding_choose(etl_binding *binding, const etl_record *record,
                                     etl_slice *slices, int *ret_status, uint8_t *ret_pointer_size);

/* ---- interning (intern.c): values that repeat become row ids ---- */

typedef struct etl_intern {
    etl_hashmap activities, sids, stacks;
    etl_str scratch;
} etl_intern;

/* Row id from 1, or 0 when memory is out; new values are appended to the batch's table. */
int64_t etl_intern_activity(etl_intern *intern, etl_batch *batch, const uint8_t guid[16]);
int64_t etl_intern_sid(etl_intern *intern, etl_batch *batch, etl_bytes sid);
int64_t etl_intern_stack(etl_intern *intern, etl_batch *batch, etl_bytes stack,
                         uint8_t pointer_size);
void etl_intern_done(etl_intern *intern);

/* ---- extended data items (extended.c) ---- */

enum { ETL_EXTENDED_NAME_SIZE = 24 };
/* Name and text of an item for the extended table; false when it has columns elsewhere. */
bool etl_extended_text(const etl_extended_item *item, char ret_name[ETL_EXTENDED_NAME_SIZE],
                       etl_str *out);

/* ---- filter (filter.c) ---- */

bool etl_filter_wants_type(const etl_filter *filter, const etl_event_type *type);
bool etl_filter_wants_record(const etl_filter *filter, const etl_record *record);

/* ---- scan pass (collect.c): metadata records into the catalog ---- */

typedef struct etl_collector {
    etl_catalog *catalog;
    etl_guid last_traits;
    etl_hashmap seen_traits;
} etl_collector;

int etl_collect(etl_collector *collector, const etl_record *record, etl_error *error);
void etl_collector_done(etl_collector *collector);

#endif
