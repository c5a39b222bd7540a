/* Growing Arrow-shaped columns. Batches are recycled, so memory grows to the largest batch once. */
#include "columnar/columnar.h"

#include <stdlib.h>

static size_t element_size(const etl_column *column)
{
    switch (column->def->type) {
    case ETL_COLUMN_INT64: return sizeof(int64_t);
    case ETL_COLUMN_DOUBLE: return sizeof(double);
    case ETL_COLUMN_GUID: return sizeof(etl_guid);
    default: return 0;
    }
}

static bool has_offsets(const etl_column *column)
{
    return column->def->type == ETL_COLUMN_TEXT || column->def->type == ETL_COLUMN_BINARY;
}

static bool grow_rows(etl_column *column, size_t rows)
{
    size_t capacity = column->capacity ? column->capacity : 8;
    while (capacity < rows)
        capacity *= 2;
    if (has_offsets(column)) {
        uint32_t *offsets = realloc(column->offsets, (capacity + 1) * sizeof *offsets);
        if (!offsets)
            return false;
        if (!column->offsets)
            offsets[0] = 0;
        column->offsets = offsets;
    } else {
        void *values = realloc(column->values.data, capacity * element_size(column));
        if (!values)
            return false;
        column->values.data = values;
    }
    if (column->validity) {
        uint8_t *validity = realloc(column->validity, (capacity + 7) / 8);
        if (!validity)
            return false;
        column->validity = validity;
    }
    column->capacity = capacity;
    return true;
}

/* The bitmap is made when the first NULL comes: most columns never need one. */
static bool need_validity(etl_column *column)
{
    if (column->validity)
        return true;
    if (!column->capacity && !grow_rows(column, 1))
        return false;
    column->validity = malloc((column->capacity + 7) / 8);
    if (!column->validity)
        return false;
    memset(column->validity, 0xFF, (column->capacity + 7) / 8);
    return true;
}

bool etl_column_pad(etl_column *column, size_t rows)
{
    if (column->length >= rows)
        return true;
    if (rows > column->capacity && !grow_rows(column, rows))
        return false;
    if (!need_validity(column))
        return false;
    size_t element = element_size(column);
    for (size_t row = column->length; row < rows; row++) {
        column->validity[row >> 3] &= (uint8_t) ~(1u << (row & 7));
        if (element)
            memset(column->values.data + row * element, 0, element);
        else
            column->offsets[row + 1] = column->offsets[row];
    }
    column->null_count += rows - column->length;
    column->length = rows;
    return true;
}

bool etl_column_open_row(etl_column *column, size_t row)
{
    if (ETL_UNLIKELY(column->length < row) && !etl_column_pad(column, row))
        return false;
    if (ETL_UNLIKELY(row >= column->capacity) && !grow_rows(column, row + 1))
        return false;
    if (column->validity)
        column->validity[row >> 3] |= (uint8_t)(1u << (row & 7));
    return true;
}

bool etl_column_add_double(etl_column *column, size_t row, double value)
{
    if (!etl_column_open_row(column, row))
        return false;
    column->values.doubles[row] = value;
    column->length = row + 1;
    return true;
}

bool etl_column_add_guid(etl_column *column, size_t row, const uint8_t guid[16])
{
    if (!etl_column_open_row(column, row))
        return false;
    memcpy(column->values.guids[row].bytes, guid, 16);
    column->length = row + 1;
    return true;
}

uint8_t *etl_column_begin_data(etl_column *column, size_t row, size_t size)
{
    if (!etl_column_open_row(column, row) || size > UINT32_MAX - column->data_size)
        return NULL;
    size_t need = column->data_size + size;
    if (ETL_UNLIKELY(need > column->data_capacity) || !column->values.data) {
        size_t capacity = column->data_capacity ? column->data_capacity : 1024;
        while (capacity < need)
            capacity *= 2;
        uint8_t *data = realloc(column->values.data, capacity);
        if (!data)
            return NULL;
        column->values.data = data;
        column->data_capacity = capacity;
    }
    return column->values.data + column->data_size;
}

void etl_column_commit_data(etl_column *column, size_t size)
{
    column->data_size += size;
    column->length++;
    column->offsets[column->length] = (uint32_t)column->data_size;
}

bool etl_column_add_data(etl_column *column, size_t row, const void *data, size_t size)
{
    uint8_t *to = etl_column_begin_data(column, row, size);
    if (!to)
        return false;
    if (size)
        memcpy(to, data, size);
    etl_column_commit_data(column, size);
    return true;
}

void etl_column_reset(etl_column *column)
{
    column->length = 0;
    column->null_count = 0;
    column->data_size = 0;
    free(column->validity);
    column->validity = NULL;
}

void etl_column_done(etl_column *column)
{
    free(column->values.data);
    free(column->offsets);
    free(column->validity);
    memset(column, 0, sizeof *column);
}

bool etl_table_extend(etl_table *table, const etl_column_def *const *defs, size_t count)
{
    size_t need = table->column_count + count;
    if (need > table->column_capacity) {
        size_t capacity = need + need / 2;
        etl_column *columns = realloc(table->columns, capacity * sizeof *columns);
        if (!columns)
            return false;
        table->columns = columns;
        table->column_capacity = capacity;
    }
    for (size_t i = 0; i < count; i++) {
        table->columns[table->column_count] = (etl_column){.def = defs[i]};
        table->column_count++;
    }
    return true;
}

bool etl_table_pad(etl_table *table)
{
    for (size_t i = 0; i < table->column_count; i++)
        if (!etl_column_pad(&table->columns[i], table->row_count))
            return false;
    return true;
}

void etl_table_reset(etl_table *table)
{
    for (size_t i = 0; i < table->column_count; i++)
        etl_column_reset(&table->columns[i]);
    table->row_count = 0;
}

void etl_table_done(etl_table *table)
{
    for (size_t i = 0; i < table->column_count; i++)
        etl_column_done(&table->columns[i]);
    free(table->columns);
    memset(table, 0, sizeof *table);
}

void etl_column_value_text(const etl_column *column, size_t row, bool use_map, etl_str *out)
{
    if (etl_column_is_null(column, row))
        return;
    const etl_column_def *def = column->def;
    switch (def->type) {
    case ETL_COLUMN_INT64: {
        int64_t value = column->values.ints[row];
        if (!use_map || !def->map || !etl_format_map(def->map, (uint64_t)value, out))
            etl_format_int(value, def->in_type, def->out_type, out);
        break;
    }
    case ETL_COLUMN_DOUBLE:
        etl_format_double(column->values.doubles[row], def->in_type == ETL_IN_FLOAT, out);
        break;
    case ETL_COLUMN_GUID: {
        char text[ETL_GUID_TEXT_SIZE];
        etl_guid_text(&column->values.guids[row], text);
        etl_str_puts(out, text);
        break;
    }
    case ETL_COLUMN_TEXT:
        etl_str_add(out, column->values.data + column->offsets[row],
                    column->offsets[row + 1] - column->offsets[row]);
        break;
    case ETL_COLUMN_BINARY:
        etl_format_hex(column->values.data + column->offsets[row],
                       column->offsets[row + 1] - column->offsets[row], out);
        break;
    }
}

size_t etl_column_text(const etl_column *column, size_t row, char *text, size_t size)
{
    etl_str s = {0};
    etl_column_value_text(column, row, true, &s);
    size_t length = s.size;
    if (size) {
        size_t copy = length < size ? length : size - 1;
        if (copy)
            memcpy(text, s.data, copy);
        text[copy] = 0;
    }
    etl_str_free(&s);
    return length;
}
