#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "columnar/columnar.h"

static const etl_column_def int_def = {.name = "i", .type = ETL_COLUMN_INT64};
static const etl_column_def double_def = {.name = "d", .type = ETL_COLUMN_DOUBLE};
static const etl_column_def guid_def = {.name = "g", .type = ETL_COLUMN_GUID};
static const etl_column_def text_def = {.name = "t", .type = ETL_COLUMN_TEXT};
static const etl_column_def *const all_defs[] = {&int_def, &double_def, &guid_def, &text_def};

static void assert_text(const etl_column *column, size_t row, const char *expected)
{
    cr_assert_not(etl_column_is_null(column, row));
    size_t size = column->offsets[row + 1] - column->offsets[row];
    cr_assert_eq(size, strlen(expected));
    cr_assert_eq(memcmp(column->values.data + column->offsets[row], expected, size), 0);
}

Test(column, no_bitmap_without_nulls)
{
    etl_column column = {.def = &int_def};
    for (size_t i = 0; i < 1000; i++)
        cr_assert(etl_column_add_int(&column, i, (int64_t)(i * i) - 7));
    cr_assert_eq(column.length, 1000);
    cr_assert_eq(column.null_count, 0);
    cr_assert_null(column.validity);
    for (size_t i = 0; i < 1000; i++) {
        cr_assert_not(etl_column_is_null(&column, i));
        cr_assert_eq(column.values.ints[i], (int64_t)(i * i) - 7);
    }
    etl_column_done(&column);
    cr_assert_null(column.values.data);
}

/* Every third row is there; bitmap, values and offsets grow over several capacities. */
Test(column, gaps_become_null_in_every_type)
{
    enum { ROWS = 3000 };
    etl_table table = {0};
    cr_assert(etl_table_extend(&table, all_defs, ETL_COUNT_OF(all_defs)));
    uint8_t guid[16] = {0};
    for (size_t i = 2; i < ROWS; i += 3) {
        char text[16];
        snprintf(text, sizeof text, "row %zu", i);
        guid[0] = (uint8_t)i;
        guid[1] = (uint8_t)(i >> 8);
        cr_assert(etl_column_add_int(&table.columns[0], i, (int64_t)i));
        cr_assert(etl_column_add_double(&table.columns[1], i, (double)i / 4));
        cr_assert(etl_column_add_guid(&table.columns[2], i, guid));
        cr_assert(etl_column_add_data(&table.columns[3], i, text, strlen(text)));
    }
    table.row_count = ROWS + 5;
    cr_assert(etl_table_pad(&table));
    for (size_t c = 0; c < table.column_count; c++) {
        cr_assert_eq(table.columns[c].length, ROWS + 5);
        cr_assert_eq(table.columns[c].null_count, ROWS + 5 - ROWS / 3);
        for (size_t i = 0; i < ROWS + 5; i++)
            cr_assert_eq(etl_column_is_null(&table.columns[c], i), i % 3 != 2 || i >= ROWS,
                         "column %zu row %zu", c, i);
    }
    for (size_t i = 0; i < ROWS + 5; i++) {
        bool there = i % 3 == 2 && i < ROWS;
        char text[16] = "";
        if (there)
            snprintf(text, sizeof text, "row %zu", i);
        cr_assert_eq(table.columns[0].values.ints[i], there ? (int64_t)i : 0);
        cr_assert_eq(table.columns[1].values.doubles[i], there ? (double)i / 4 : 0);
        cr_assert_eq(table.columns[2].values.guids[i].bytes[1], there ? i >> 8 : 0);
        cr_assert_eq(table.columns[3].offsets[i + 1] - table.columns[3].offsets[i], strlen(text));
        if (there)
            assert_text(&table.columns[3], i, text);
    }
    etl_table_done(&table);
}

Test(column, padding_of_an_empty_column)
{
    for (size_t i = 0; i < ETL_COUNT_OF(all_defs); i++) {
        etl_column column = {.def = all_defs[i]};
        cr_assert(etl_column_pad(&column, 0));
        cr_assert_eq(column.length, 0);
        cr_assert(etl_column_pad(&column, 9));
        cr_assert(etl_column_pad(&column, 4), "less than there is changes nothing");
        cr_assert_eq(column.length, 9);
        cr_assert_eq(column.null_count, 9);
        for (size_t row = 0; row < 9; row++)
            cr_assert(etl_column_is_null(&column, row));
        etl_column_done(&column);
    }
}

Test(column, empty_data_is_not_null)
{
    etl_column column = {.def = &text_def};
    cr_assert(etl_column_add_data(&column, 0, "", 0));
    cr_assert(etl_column_add_data(&column, 1, NULL, 0));
    cr_assert(etl_column_add_data(&column, 3, "x\0y", 3));
    assert_text(&column, 0, "");
    assert_text(&column, 1, "");
    cr_assert(etl_column_is_null(&column, 2));
    cr_assert_eq(column.offsets[4] - column.offsets[3], 3);
    cr_assert_eq(memcmp(column.values.data, "x\0y", 3), 0);
    etl_column_done(&column);
}

/* Room is reserved for the worst case; only what was written counts. */
Test(column, reserved_data_is_committed_in_part)
{
    etl_column column = {.def = &text_def};
    for (size_t i = 0; i < 500; i++) {
        uint8_t *to = etl_column_begin_data(&column, i, 300);
        cr_assert_not_null(to);
        memset(to, 'a' + (int)(i % 26), 300);
        etl_column_commit_data(&column, i % 7);
    }
    cr_assert_eq(column.length, 500);
    for (size_t i = 0; i < 500; i++) {
        cr_assert_eq(column.offsets[i + 1] - column.offsets[i], i % 7);
        for (size_t k = column.offsets[i]; k < column.offsets[i + 1]; k++)
            cr_assert_eq(column.values.data[k], 'a' + i % 26);
    }
    cr_assert_eq(column.data_size, column.offsets[500]);
    etl_column_done(&column);
}

Test(column, reset_forgets_rows_and_keeps_memory)
{
    etl_table table = {0};
    cr_assert(etl_table_extend(&table, all_defs, ETL_COUNT_OF(all_defs)));
    for (int round = 0; round < 3; round++) {
        size_t first = round == 1 ? 10 : 0; /* the second round has NULLs */
        for (size_t i = first; i < 200; i++) {
            char text[16];
            snprintf(text, sizeof text, "%d/%zu", round, i);
            cr_assert(etl_column_add_int(&table.columns[0], i, round));
            cr_assert(etl_column_add_data(&table.columns[3], i, text, strlen(text)));
        }
        table.row_count = 200;
        cr_assert(etl_table_pad(&table));
        cr_assert_eq(table.columns[0].null_count, first);
        cr_assert_eq(table.columns[1].null_count, 200);
        for (size_t i = 0; i < 200; i++) {
            char text[16];
            snprintf(text, sizeof text, "%d/%zu", round, i);
            cr_assert_eq(etl_column_is_null(&table.columns[0], i), i < first);
            if (i >= first)
                assert_text(&table.columns[3], i, text);
        }
        size_t capacity = table.columns[0].capacity;
        const void *memory = table.columns[0].values.data;
        etl_table_reset(&table);
        cr_assert_eq(table.row_count, 0);
        cr_assert_eq(table.columns[3].data_size, 0);
        cr_assert_eq(table.columns[0].length, 0);
        cr_assert_eq(table.columns[0].null_count, 0);
        cr_assert_null(table.columns[0].validity);
        cr_assert_eq(table.columns[0].capacity, capacity);
        cr_assert_eq(table.columns[0].values.data, memory);
    }
    etl_table_done(&table);
}

/* Offsets have 32 bits: data that would not fit is refused, and nothing is changed by that. */
Test(column, data_past_32_bit_offsets_is_refused)
{
    etl_column column = {.def = &text_def};
    cr_assert(etl_column_add_data(&column, 0, "abc", 3));
    cr_assert_null(etl_column_begin_data(&column, 1, (size_t)UINT32_MAX - 2));
    cr_assert_null(etl_column_begin_data(&column, 1, SIZE_MAX));
    cr_assert_eq(column.length, 1);
    cr_assert_eq(column.data_size, 3);
    cr_assert(etl_column_add_data(&column, 1, "def", 3));
    assert_text(&column, 0, "abc");
    assert_text(&column, 1, "def");
    etl_column_done(&column);
}

Test(column, text_of_values)
{
    static const etl_map_entry entries[] = {{2, "Two"}};
    static const etl_map map = {"M", ETL_MAP_VALUE, 1, entries};
    static const etl_column_def mapped = {
        .name = "m", .type = ETL_COLUMN_INT64, .in_type = ETL_IN_UINT32, .map = &map};
    etl_column column = {.def = &mapped};
    cr_assert(etl_column_add_int(&column, 0, 2));
    cr_assert(etl_column_add_int(&column, 2, 3));
    char text[8];
    cr_assert_eq(etl_column_text(&column, 0, text, sizeof text), 3);
    cr_assert_str_eq(text, "Two");
    cr_assert_eq(etl_column_text(&column, 0, text, 3), 3, "as snprintf: the length without a cut");
    cr_assert_str_eq(text, "Tw");
    cr_assert_eq(etl_column_text(&column, 1, text, sizeof text), 0);
    cr_assert_str_eq(text, "");
    cr_assert_eq(etl_column_text(&column, 2, text, sizeof text), 1);
    cr_assert_str_eq(text, "3");
    cr_assert_eq(etl_column_text(&column, 2, NULL, 0), 1);
    etl_column_done(&column);
}

/* Columns that come later are NULL in the rows before; a type that pauses gives memory back. */
Test(column, batch_tables_follow_their_type)
{
    const etl_column_def *defs[2] = {&int_def, &text_def};
    etl_event_type type = {.id = 5, .name = "T", .columns = defs, .column_count = 1};
    etl_batch *batch = etl_batch_new(4);
    cr_assert_not_null(batch);
    etl_table *table = etl_batch_table(batch, &type);
    cr_assert_not_null(table);
    cr_assert_eq(batch->table_count, 5);
    cr_assert_eq(batch->tables[0].row_count, 0);
    cr_assert_eq(table->column_count, 2);
    cr_assert_str_eq(table->columns[0].def->name, "event_id");
    cr_assert(etl_column_add_int(&table->columns[0], 0, 1));
    cr_assert(etl_column_add_int(&table->columns[1], 0, 11));
    table->row_count = 1;
    type.column_count = 2;
    table = etl_batch_table(batch, &type);
    cr_assert_eq(table->column_count, 3);
    cr_assert(etl_column_add_int(&table->columns[0], 1, 2));
    cr_assert(etl_column_add_data(&table->columns[2], 1, "late", 4));
    table->row_count = 2;
    cr_assert(etl_table_pad(table));
    cr_assert(etl_column_is_null(&table->columns[2], 0));
    assert_text(&table->columns[2], 1, "late");
    cr_assert(etl_column_is_null(&table->columns[1], 1));

    etl_batch_reset(batch);
    cr_assert_eq(batch->tables[4].row_count, 0);
    cr_assert_eq(batch->tables[4].column_count, 3);
    etl_batch_reset(batch);
    cr_assert_eq(batch->tables[4].column_count, 0, "not used in the last round");
    table = etl_batch_table(batch, &type);
    cr_assert_eq(table->column_count, 3);
    cr_assert_null(etl_batch_free(batch));
}
