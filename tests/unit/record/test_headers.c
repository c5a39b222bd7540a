#include "record_test.h"

#define PROVIDER "12345678-9abc-def0-1122-334455667788"

static const uint8_t payload[] = {1, 2, 3, 4, 5};

static void expect_guid(const etl_guid *guid, const char *text)
{
    char got[ETL_GUID_TEXT_SIZE];
    etl_guid_text(guid, got);
    cr_assert_str_eq(got, text);
}

static void expect_payload(const etl_record *r)
{
    cr_assert_eq(r->payload.size, sizeof payload);
    cr_assert_arr_eq(r->payload.data, payload, sizeof payload);
}

Test(headers, system_of_both_pointer_sizes)
{
    for (int pointer = 4; pointer <= 8; pointer += 4) {
        etl_build *b = etl_build_new(NULL);
        etl_build_buffer(b, 1);
        etl_build_system(b, pointer, 0x0501, 3, 111, 222, 50, payload, sizeof payload);
        opened o = open_built(b);
        etl_record r = next_record(&o); /* the header record */
        cr_assert_eq(r.hook_id, 0);
        expect_guid(&r.provider, "68fdd900-4a3e-11d1-84f4-0000f80464e3");
        r = next_record(&o);
        cr_assert_eq(r.kind, ETL_HEADER_SYSTEM);
        cr_assert_str_eq(etl_record_kind_name(&r), pointer == 8 ? "SYSTEM64" : "SYSTEM32");
        cr_assert_eq(r.pointer_size, pointer);
        cr_assert_eq(r.hook_id, 0x0501);
        cr_assert_eq(r.opcode, 1);
        cr_assert_eq(r.version, 3);
        cr_assert_eq(r.process_id, 111);
        cr_assert_eq(r.thread_id, 222);
        cr_assert_eq(r.cpu, 1);
        cr_assert_eq(r.raw_time, 50);
        cr_assert_eq(r.file_offset, 4096 + 72);
        cr_assert(r.flags & ETL_RECORD_HAS_PROCESS);
        cr_assert(r.flags & ETL_RECORD_HAS_THREAD);
        expect_guid(&r.provider, "3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c");
        expect_payload(&r);
        close_trace(&o);
    }
}

Test(headers, absent_ids_are_absent)
{
    etl_build *b = etl_build_new(NULL);
    etl_build_buffer(b, 0);
    etl_build_system(b, 8, 0x0501, 3, UINT32_MAX, UINT32_MAX, 50, NULL, 0);
    etl_build_perfinfo(b, 4, 0x0F2E, 2, 51, payload, sizeof payload);
    opened o = open_built(b);
    next_record(&o);
    etl_record r = next_record(&o);
    cr_assert_not(r.flags & (ETL_RECORD_HAS_PROCESS | ETL_RECORD_HAS_THREAD));
    cr_assert_eq(r.payload.size, 0);
    r = next_record(&o);
    cr_assert_eq(r.kind, ETL_HEADER_PERFINFO);
    cr_assert_eq(r.pointer_size, 4);
    cr_assert_not(r.flags & (ETL_RECORD_HAS_PROCESS | ETL_RECORD_HAS_THREAD));
    expect_payload(&r);
    close_trace(&o);
}

Test(headers, counters_before_the_payload_are_stripped)
{
    /* 0x8000: one PEBS index, 0x0200: two PMC counters */
    uint8_t data[24 + sizeof payload] = {0};
    memcpy(data + 24, payload, sizeof payload);
    etl_build *b = etl_build_new(NULL);
    etl_build_buffer(b, 0);
    etl_build_perfinfo(b, 8, 0x0F2E, 0x8202, 51, data, sizeof data);
    etl_build_perfinfo(b, 8, 0x0F2E, 0x8702, 52, data, 8); /* says more than there is */
    opened o = open_built(b);
    next_record(&o);
    etl_record r = next_record(&o);
    cr_assert_eq(r.version, 2);
    expect_payload(&r);
    r = next_record(&o);
    cr_assert_eq(r.payload.size, 0);
    close_trace(&o);
}

Test(headers, image_load_hook_is_an_image_event)
{
    expect_guid(etl_hook_guid(0x030A), "2cb15d1d-5fc1-11d2-abe1-00a0c911f518");
    expect_guid(etl_hook_guid(0x0301), "3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c");
    expect_guid(etl_hook_guid(0xFF01), "00000000-0000-0000-0000-000000000000");
}

Test(headers, full)
{
    for (int pointer = 4; pointer <= 8; pointer += 4) {
        etl_build *b = etl_build_new(NULL);
        etl_build_buffer(b, 0);
        etl_build_full(b, pointer, PROVIDER, 36, 0x0102, 7, UINT32_MAX, 60, payload,
                       sizeof payload);
        opened o = open_built(b);
        next_record(&o);
        etl_record r = next_record(&o);
        cr_assert_eq(r.kind, ETL_HEADER_FULL);
        cr_assert_eq(r.pointer_size, pointer);
        expect_guid(&r.provider, PROVIDER);
        cr_assert_eq(r.opcode, 36);
        cr_assert_eq(r.version, 2);
        cr_assert_eq(r.id, 0);
        cr_assert_eq(r.process_id, 7);
        cr_assert_not(r.flags & ETL_RECORD_HAS_THREAD);
        expect_payload(&r);
        close_trace(&o);
    }
}

Test(headers, event_with_every_extended_item)
{
    uint8_t bytes[64];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)i;
    static const uint16_t sizes[19] = {0, 16, 12, 4, 24, 16, 24, 8,  16, 8,
                                       8, 9,  7,  8, 16, 8,  16, 16, 16};
    etl_build_item items[19];
    for (uint16_t type = 1; type <= 18; type++)
        items[type - 1] = (etl_build_item){type, bytes, sizes[type]};
    items[18] = (etl_build_item){99, bytes, 3}; /* a type that nobody knows */
    etl_build_event e = {.provider = PROVIDER,
                         .id = 0x1234,
                         .task = 5,
                         .version = 6,
                         .channel = 7,
                         .level = 4,
                         .opcode = 9,
                         .keyword = UINT64_C(0x8000000000000010),
                         .process = 10,
                         .thread = 11,
                         .time = 70,
                         .activity = "00000000-0000-0000-0000-000000000001",
                         .items = items,
                         .item_count = 19};
    for (int pointer = 4; pointer <= 8; pointer += 4) {
        etl_build *b = etl_build_new(NULL);
        etl_build_buffer(b, 0);
        etl_build_event_record(b, pointer, &e, payload, sizeof payload);
        opened o = open_built(b);
        next_record(&o);
        etl_record r = next_record(&o);
        cr_assert_eq(r.kind, ETL_HEADER_EVENT);
        cr_assert_eq(r.pointer_size, pointer);
        expect_guid(&r.provider, PROVIDER);
        cr_assert_eq(r.id, 0x1234);
        cr_assert_eq(r.task, 5);
        cr_assert_eq(r.version, 6);
        cr_assert_eq(r.channel, 7);
        cr_assert_eq(r.level, 4);
        cr_assert_eq(r.opcode, 9);
        cr_assert_eq(r.keyword, UINT64_C(0x8000000000000010));
        cr_assert_eq(r.process_id, 10);
        cr_assert_eq(r.thread_id, 11);
        cr_assert(r.flags & ETL_RECORD_HAS_ACTIVITY);
        cr_assert_eq(r.related_activity.size, 16);
        cr_assert_eq(r.sid.size, 12);
        cr_assert_eq(r.schema_tl.size, 9);
        cr_assert_eq(r.traits.size, 7);
        cr_assert_eq(r.stack.size, 24);
        cr_assert_eq(r.stack_pointer_size, 8);
        expect_payload(&r);
        uint32_t position = 0;
        etl_extended_item item;
        for (uint16_t i = 0; i < 19; i++) {
            cr_assert_eq(etl_record_extended_next(&r, &position, &item), ETL_OK);
            cr_assert_eq(item.type, items[i].type);
            cr_assert_eq(item.data.size, items[i].size);
            cr_assert_arr_eq(item.data.data, bytes, items[i].size);
        }
        cr_assert_eq(etl_record_extended_next(&r, &position, &item), ETL_END);
        close_trace(&o);
    }
}

Test(headers, string_only)
{
    etl_build *b = etl_build_new(NULL);
    etl_build_buffer(b, 0);
    etl_build_event_record(b, 8, &(etl_build_event){.provider = PROVIDER, .flags = 4, .time = 1},
                           "h\0i\0\0", 6);
    opened o = open_built(b);
    next_record(&o);
    etl_record r = next_record(&o);
    cr_assert(r.flags & ETL_RECORD_STRING_ONLY);
    close_trace(&o);
}

/* Items whose data is shorter than their type says are not handed out as what they are not. */
Test(headers, items_of_the_wrong_size)
{
    static const etl_build_item items[] = {{ETL_EXT_RELATED_ACTIVITY, "abc", 3},
                                           {ETL_EXT_STACK64, "abcdefg", 7}};
    etl_build *b = etl_build_new(NULL);
    etl_build_buffer(b, 0);
    etl_build_event_record(
        b, 8, &(etl_build_event){.provider = PROVIDER, .time = 1, .items = items, .item_count = 2},
        payload, sizeof payload);
    opened o = open_built(b);
    next_record(&o);
    etl_record r = next_record(&o);
    cr_assert_null(r.related_activity.data);
    cr_assert_null(r.stack.data);
    cr_assert_eq(r.stack_pointer_size, 0);
    uint32_t position = 0;
    etl_extended_item item;
    cr_assert_eq(etl_record_extended_next(&r, &position, &item), ETL_OK);
    cr_assert_eq(item.data.size, 3);
    expect_payload(&r);
    close_trace(&o);
}

/* Before the first time of its buffer a message has that time; in a buffer without times it has
   the time of the flush, where that is in the session's clock. */
Test(headers, messages_without_time)
{
    static const struct {
        uint32_t mode;
        int64_t expected;
    } rows[] = {{0, 5000}, {0x10000, 1000}, {0x800, 1000}, {0x20000, 1000}};
    for (size_t i = 0; i < ETL_COUNT_OF(rows); i++) {
        etl_build *b =
            etl_build_new(&(etl_build_options){.first_time = 1000, .mode = rows[i].mode});
        etl_build_buffer(b, 0);
        etl_build_message(b, PROVIDER, 1, 0x02, 0, 0, 0, NULL, 0);
        etl_build_perfinfo(b, 8, 0x0F2E, 2, 3000, NULL, 0);
        etl_build_message(b, PROVIDER, 2, 0x02, 0, 0, 0, NULL, 0);
        etl_build_buffer(b, 0);
        etl_build_message(b, PROVIDER, 3, 0x02, 0, 0, 0, NULL, 0);
        size_t size;
        uint8_t *bytes = etl_build_finish(b, &size);
        memcpy(bytes + 2 * 4096 + 0x10, "\x88\x13", 2); /* TimeStamp 5000 */
        opened o = open_trace(bytes, size, ETL_TIME_MIN, ETL_TIME_MAX);
        next_record(&o);
        etl_record r = next_record(&o);
        cr_assert_eq(r.id, 1);
        cr_assert_eq(r.raw_time, 3000);
        cr_assert_not(r.flags & ETL_RECORD_HAS_TIME);
        next_record(&o);
        r = next_record(&o);
        cr_assert_eq(r.id, 2);
        cr_assert_eq(r.raw_time, 3000);
        r = next_record(&o);
        cr_assert_eq(r.id, 3);
        cr_assert_eq(r.raw_time, rows[i].expected, "mode %x", rows[i].mode);
        close_trace(&o);
    }
}

/* A message that does not say its pointer size has that of the log. */
Test(headers, message_pointer_size_of_the_log)
{
    for (int header32 = 0; header32 < 2; header32++) {
        etl_build *b = etl_build_new(&(etl_build_options){.header32 = header32});
        etl_build_buffer(b, 0);
        etl_build_message(b, PROVIDER, 1, 0x0A, 0, 0, 1, NULL, 0);
        etl_build_message(b, PROVIDER, 1, 0x8A, 0, 0, 2, NULL, 0);
        opened o = open_built(b);
        next_record(&o);
        cr_assert_eq(next_record(&o).pointer_size, header32 ? 4 : 8);
        cr_assert_eq(next_record(&o).pointer_size, 8);
        close_trace(&o);
    }
}

Test(headers, messages_with_every_option)
{
    for (uint16_t options = 0; options < 0x100; options++) {
        etl_build *b = etl_build_new(&(etl_build_options){.clock = 2, .first_time = 1000});
        etl_build_buffer(b, 0);
        etl_build_message(b, PROVIDER, 43, options, 4, 8, 2000, payload, sizeof payload);
        opened o = open_built(b);
        next_record(&o);
        etl_record r = next_record(&o);
        cr_assert_eq(r.kind, ETL_HEADER_MESSAGE);
        cr_assert_eq(r.id, 43);
        cr_assert_eq(r.header_flags, options);
        cr_assert_eq(!!(r.flags & ETL_RECORD_HAS_SEQUENCE), !!(options & 1));
        if (options & 1)
            cr_assert_eq(r.sequence, 5);
        if (options & 4)
            cr_assert_eq(r.component_id, 7);
        else if (options & 2)
            expect_guid(&r.provider, PROVIDER);
        /* without a time of its own it has that of the record before it, or of the session */
        cr_assert_eq(r.raw_time, options & 0x18 ? 2000 : 1000);
        cr_assert_eq(!!(r.flags & ETL_RECORD_HAS_THREAD), !!(options & 0x20));
        if (options & 0x20) {
            cr_assert_eq(r.process_id, 4);
            cr_assert_eq(r.thread_id, 8);
        }
        cr_assert_eq(r.pointer_size, options & 0x40 ? 4 : 8);
        expect_payload(&r);
        close_trace(&o);
    }
}

Test(headers, compact_has_no_processor_times)
{
    for (int pointer = 4; pointer <= 8; pointer += 4) {
        etl_build *b = etl_build_new(NULL);
        etl_build_buffer(b, 1);
        etl_build_compact(b, pointer, 0x0501, 3, 111, 222, 50, payload, sizeof payload);
        opened o = open_built(b);
        next_record(&o);
        etl_record r = next_record(&o);
        cr_assert_eq(r.kind, ETL_HEADER_COMPACT);
        cr_assert_str_eq(etl_record_kind_name(&r), pointer == 8 ? "COMPACT64" : "COMPACT32");
        cr_assert_eq(r.pointer_size, pointer);
        cr_assert_eq(r.hook_id, 0x0501);
        cr_assert_eq(r.version, 3);
        cr_assert_eq(r.process_id, 111);
        cr_assert_eq(r.thread_id, 222);
        cr_assert_eq(r.raw_time, 50);
        cr_assert_not(r.flags & ETL_RECORD_HAS_CPU_TIME);
        expect_guid(&r.provider, "3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c");
        expect_payload(&r);
        close_trace(&o);
    }
}

Test(headers, instance_names_its_instances)
{
    etl_guid parent;
    cr_assert(etl_guid_parse("aaaaaaaa-9abc-def0-1122-334455667788", &parent));
    for (int pointer = 4; pointer <= 8; pointer += 4) {
        etl_build *b = etl_build_new(NULL);
        etl_build_buffer(b, 1);
        etl_build_instance(b, pointer, PROVIDER, "aaaaaaaa-9abc-def0-1122-334455667788", 7, 2, 111,
                           222, 50, payload, sizeof payload);
        opened o = open_built(b);
        next_record(&o);
        etl_record r = next_record(&o);
        cr_assert_eq(r.kind, ETL_HEADER_INSTANCE);
        cr_assert_str_eq(etl_record_kind_name(&r), pointer == 8 ? "INSTANCE64" : "INSTANCE32");
        cr_assert_eq(r.opcode, 7);
        cr_assert_eq(r.version, 2);
        cr_assert_eq(r.process_id, 111);
        cr_assert_eq(r.thread_id, 222);
        cr_assert_eq(r.raw_time, 50);
        expect_guid(&r.provider, PROVIDER);
        etl_bytes instance = etl_record_instance(&r);
        cr_assert_eq(instance.size, 24);
        cr_assert_eq(instance.data[0], 31);
        cr_assert_eq(instance.data[4], 32);
        cr_assert_arr_eq(instance.data + 8, parent.bytes, 16);
        expect_payload(&r);
        close_trace(&o);
    }
}

/* Logs of layout 1.0 have registration handles where later ones have GUIDs. */
Test(headers, instance_of_an_old_log)
{
    uint8_t raw[0x38 + sizeof payload] = {sizeof raw, 0, 11, 0xC0, 7, 4, 2, 0, 222,
                                          0,          0, 0,  111,  0, 0, 0, 50};
    raw[0x20] = 31;
    memcpy(raw + 0x38, payload, sizeof payload);
    uint8_t buffer[ETL_BUFFER_HEADER_SIZE + sizeof raw] = {0};
    memcpy(buffer + ETL_BUFFER_HEADER_SIZE, raw, sizeof raw);
    etl_record_walk walk = etl_record_walk_start((etl_buffer_view){buffer, sizeof buffer, true});
    etl_record r;
    cr_assert_eq(etl_record_walk_next(&walk, &r), ETL_OK);
    cr_assert_eq(r.kind, ETL_HEADER_INSTANCE);
    cr_assert_not(r.flags & ETL_RECORD_HAS_GUID);
    cr_assert_eq(etl_record_instance(&r).size, 32);
    cr_assert_eq(etl_record_instance(&r).data[8], 31);
    expect_payload(&r);
    walk = etl_record_walk_start((etl_buffer_view){buffer, sizeof buffer, false});
    cr_assert_eq(etl_record_walk_next(&walk, &r), ETL_END, "0x48 bytes are needed since 1.1");
}

Test(headers, wnode_by_word_and_by_type)
{
    for (int typed = 0; typed <= 1; typed++) {
        etl_build *b = etl_build_new(NULL);
        etl_build_buffer(b, 1);
        etl_build_wnode(b, typed, PROVIDER, 50, payload, sizeof payload);
        opened o = open_built(b);
        next_record(&o);
        etl_record r = next_record(&o);
        cr_assert_eq(r.kind, ETL_HEADER_WNODE);
        cr_assert_str_eq(etl_record_kind_name(&r), "WNODE");
        cr_assert_eq(r.raw_time, 50);
        cr_assert_eq(r.size, 0x30 + sizeof payload);
        cr_assert_eq(etl_record_instance(&r).size, 0);
        expect_guid(&r.provider, PROVIDER);
        expect_payload(&r);
        close_trace(&o);
    }
}

/* Its size is the one that has 32 bits. */
Test(headers, wnode_larger_than_other_records_can_be)
{
    static const uint8_t large[100000] = {1, [99999] = 2};
    etl_build *b = etl_build_new(&(etl_build_options){.buffer_size = 1 << 17});
    etl_build_buffer(b, 1);
    etl_build_wnode(b, false, PROVIDER, 50, large, sizeof large);
    etl_build_perfinfo(b, 8, 0x0F2E, 2, 51, NULL, 0);
    opened o = open_built(b);
    next_record(&o);
    etl_record r = next_record(&o);
    cr_assert_eq(r.size, 100048);
    cr_assert_eq(r.payload.size, sizeof large);
    cr_assert_eq(r.payload.data[99999], 2);
    cr_assert_eq(next_record(&o).hook_id, 0x0F2E);
    close_trace(&o);
}

/* Type 15 is laid out as the words that real messages have. */
Test(headers, message_by_type)
{
    const uint8_t raw[16] = {13, 0, 15, 0xC0, 5, 0, 0, 0, 1, 2, 3, 4, 5};
    etl_build *b = etl_build_new(NULL);
    etl_build_buffer(b, 1);
    etl_build_raw(b, raw, sizeof raw);
    opened o = open_built(b);
    next_record(&o);
    etl_record r = next_record(&o);
    cr_assert_eq(r.kind, ETL_HEADER_MESSAGE);
    cr_assert_eq(r.id, 5);
    expect_payload(&r);
    close_trace(&o);
}
