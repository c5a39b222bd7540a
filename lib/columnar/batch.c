/* The tables that every batch has, and the batch itself. */
#include "columnar/columnar.h"

#include <stdlib.h>

#define INT(n)                                                                                     \
    &(const etl_column_def)                                                                        \
    {                                                                                              \
        .name = n, .type = ETL_COLUMN_INT64, .in_type = ETL_IN_INT64, .out_type = ETL_OUT_LONG     \
    }
#define TEXT(n)                                                                                    \
    &(const etl_column_def)                                                                        \
    {                                                                                              \
        .name = n, .type = ETL_COLUMN_TEXT                                                         \
    }
#define BINARY(n)                                                                                  \
    &(const etl_column_def)                                                                        \
    {                                                                                              \
        .name = n, .type = ETL_COLUMN_BINARY                                                       \
    }
#define GUID(n)                                                                                    \
    &(const etl_column_def)                                                                        \
    {                                                                                              \
        .name = n, .type = ETL_COLUMN_GUID                                                         \
    }

/* In the order of etl_event_column. */
const etl_column_def *const etl_event_columns[] = {INT("id"),
                                                   INT("ts"),
                                                   INT("event_type_id"),
                                                   INT("source_id"),
                                                   INT("process_id"),
                                                   INT("thread_id"),
                                                   INT("cpu"),
                                                   INT("level"),
                                                   INT("opcode"),
                                                   INT("keywords"),
                                                   INT("activity_id"),
                                                   INT("related_activity_id"),
                                                   INT("user_id"),
                                                   INT("stack_id"),
                                                   INT("version"),
                                                   INT("status"),
                                                   INT("file_offset"),
                                                   INT("raw_time"),
                                                   NULL};
const etl_column_def *const etl_raw_payload_columns[] = {INT("event_id"), BINARY("payload"), NULL};
const etl_column_def *const etl_extended_columns[] = {INT("event_id"), TEXT("type"), TEXT("value"),
                                                      NULL};
const etl_column_def *const etl_activity_columns[] = {INT("id"), GUID("guid"), NULL};
const etl_column_def *const etl_sid_columns[] = {INT("id"), TEXT("sid"), NULL};
const etl_column_def *const etl_stack_columns[] = {INT("id"), INT("frame_count"), NULL};
const etl_column_def *const etl_stack_frame_columns[] = {INT("stack_id"), INT("ordinal"),
                                                         INT("address"), NULL};
const etl_column_def etl_event_id_column = {.name = "event_id", .type = ETL_COLUMN_INT64};

static_assert(ETL_COUNT_OF(etl_event_columns) == ETL_EVENT_COLUMN_COUNT + 1,
              "etl_event_column and its definitions must agree");

static bool init_table(etl_table *table, const char *name, const etl_column_def *const *defs)
{
    size_t count = 0;
    while (defs[count])
        count++;
    table->name = name;
    return etl_table_extend(table, defs, count);
}

/* The event table is filled in every round: its rows are there from the start. */
static bool reserve_rows(etl_table *table, size_t rows)
{
    for (size_t i = 0; i < table->column_count; i++) {
        if (rows && !etl_column_pad(&table->columns[i], rows))
            return false;
        etl_column_reset(&table->columns[i]);
    }
    return true;
}

etl_batch *etl_batch_new(size_t rows)
{
    etl_batch *batch = calloc(1, sizeof *batch);
    if (!batch)
        return NULL;
    batch->event_capacity = rows;
    batch->event_row = malloc(rows * sizeof *batch->event_row);
    batch->event_type = malloc(rows * sizeof *batch->event_type);
    if (!batch->event_row || !batch->event_type ||
        !init_table(&batch->events, "event", etl_event_columns) ||
        !reserve_rows(&batch->events, rows) ||
        !init_table(&batch->raw_payload, "raw_payload", etl_raw_payload_columns) ||
        !init_table(&batch->extended, "extended", etl_extended_columns) ||
        !init_table(&batch->activity, "activity", etl_activity_columns) ||
        !init_table(&batch->sid, "sid", etl_sid_columns) ||
        !init_table(&batch->stack, "stack", etl_stack_columns) ||
        !init_table(&batch->stack_frame, "stack_frame", etl_stack_frame_columns))
        return etl_batch_free(batch);
    return batch;
}

void etl_batch_reset(etl_batch *batch)
{
    etl_table_reset(&batch->events);
    etl_table_reset(&batch->raw_payload);
    etl_table_reset(&batch->extended);
    etl_table_reset(&batch->activity);
    etl_table_reset(&batch->sid);
    etl_table_reset(&batch->stack);
    etl_table_reset(&batch->stack_frame);
    /* A type that did not occur in the last round gives its memory back. */
    for (size_t i = 0; i < batch->table_count; i++) {
        etl_table *table = &batch->tables[i];
        if (table->row_count)
            etl_table_reset(table);
        else if (table->column_capacity)
            etl_table_done(table);
    }
}

etl_batch *etl_batch_free(etl_batch *batch)
{
    if (!batch)
        return NULL;
    etl_table_done(&batch->events);
    etl_table_done(&batch->raw_payload);
    etl_table_done(&batch->extended);
    etl_table_done(&batch->activity);
    etl_table_done(&batch->sid);
    etl_table_done(&batch->stack);
    etl_table_done(&batch->stack_frame);
    for (size_t i = 0; i < batch->table_count; i++)
        etl_table_done(&batch->tables[i]);
    free(batch->tables);
    free(batch->event_row);
    free(batch->event_type);
    free(batch);
    return NULL;
}

etl_table *etl_batch_table(etl_batch *batch, const etl_event_type *type)
{
    size_t index = type->id - 1;
    if (index >= batch->table_count) {
        if (index >= batch->table_capacity) {
            size_t capacity = (index + 1) * 2;
            etl_table *tables = realloc(batch->tables, capacity * sizeof *tables);
            if (!tables)
                return NULL;
            batch->tables = tables;
            batch->table_capacity = capacity;
        }
        memset(&batch->tables[batch->table_count], 0,
               (index + 1 - batch->table_count) * sizeof *batch->tables);
        batch->table_count = index + 1;
    }
    etl_table *table = &batch->tables[index];
    if (!table->column_count) {
        const etl_column_def *id = &etl_event_id_column;
        if (!etl_table_extend(table, &id, 1))
            return NULL;
    }
    table->type = type;
    table->name = type->name;
    size_t known = table->column_count - 1;
    if (known < type->column_count &&
        !etl_table_extend(table, type->columns + known, type->column_count - known))
        return NULL;
    return table;
}
