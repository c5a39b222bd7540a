#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <zstd.h>

#include "schema/pack_format.h"
#include "schema/pack_section.h"
#include "schema/text_model.h"

static const char text[] =
    "provider 0aaaaaaa-0000-0000-0000-000000000001 Alpha\n"
    "keyword 0x2 Two\n"
    "task 7 Seven\n"
    "map Colors value\n"
    "  1 red\n"
    "  2 green\n"
    "template T1\n"
    "  Count UInt16\n"
    "  Items struct cnt=Count {\n"
    "    Length UInt32\n"
    "    Data Binary len=Length\n"
    "    Color UInt8 map=Colors\n"
    "  }\n"
    "  Tail UnicodeString\n"
    "template T2\n"
    "  Count UInt16\n"
    "event 9 v1 level=4 task=7 keywords=0x2 sym=Nine template=T1 builds=19041-22000\n"
    "event 9 v1 level=4 task=7 keywords=0x2 sym=Nine template=T2 builds=7600-18362\n"
    "event 9 v0 level=4 sym=Nine template=T2\n"
    "event 2 v0 sym=Two\n"
    "class 0bbbbbbb-0000-0000-0000-000000000002 Beta\n"
    "type 3 v2 name=DCStart template=T2\n"
    "type 1 v0 name=Start template=T2\n"
    "name 0bbbbbbb-0000-0000-0000-000000000002 mof Not the best name\n"
    "name 0ccccccc-0000-0000-0000-000000000003 tss Gamma\n"
    "name 0ccccccc-0000-0000-0000-000000000003 tss Gamma too\n"
    "hook 0x14 0x0a 0bbbbbbb-0000-0000-0000-000000000002 IMAGE LOAD\n"
    "hook 0x03 0x0a 0bbbbbbb-0000-0000-0000-000000000002 PROCESS LOAD_IMAGE\n";

static char path[] = "/tmp/etlkit-test-pack-XXXXXX";
static etl_str bytes;

static void write_pack(const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    cr_assert(file);
    cr_assert_eq(fwrite(data, 1, size, file), size);
    fclose(file);
}

static void build(etl_str *out)
{
    etl_text_set set = {0};
    etl_error error = {0};
    cr_assert_eq(etl_text_read(&set, "f", text, strlen(text), &error), ETL_OK, "%s", error.message);
    cr_assert_eq(etl_pack_write(&set, out, &error), ETL_OK, "%s", error.message);
    etl_text_set_free(&set);
}

static void set_up(void)
{
    int fd = mkstemp(path);
    cr_assert(fd >= 0);
    close(fd);
    build(&bytes);
    write_pack(bytes.data, bytes.size);
}

static void tear_down(void)
{
    etl_str_free(&bytes);
    unlink(path);
}

TestSuite(pack, .init = set_up, .fini = tear_down);

static etl_guid guid(const char *guid_text)
{
    etl_guid g;
    cr_assert(etl_guid_parse(guid_text, &g));
    return g;
}

#define ALPHA guid("0aaaaaaa-0000-0000-0000-000000000001")
#define BETA  guid("0bbbbbbb-0000-0000-0000-000000000002")
#define GAMMA guid("0ccccccc-0000-0000-0000-000000000003")

static etl_pack *open_pack(void)
{
    etl_pack *pack;
    etl_error error = {0};
    cr_assert_eq(etl_pack_open(path, &pack, &error), ETL_OK, "%s", error.message);
    return pack;
}

Test(pack, round_trip)
{
    etl_pack *pack = open_pack();
    etl_guid alpha = ALPHA;
    etl_error error = {.code = -1};
    const etl_pack_provider *p = etl_pack_provider_get(pack, &alpha, &error);
    cr_assert(p, "%s", error.message);
    cr_assert_eq(error.code, ETL_OK);
    cr_assert_str_eq(p->name, "Alpha");
    cr_assert_eq(p->schema_count, 4);
    cr_assert_eq(p, etl_pack_provider_get(pack, &alpha, NULL), "kept");

    const etl_event_schema *s = p->schemas;
    cr_assert_eq(s[0].id, 2);
    cr_assert_eq(s[0].property_count, 0);
    cr_assert_null(s[0].task_name);
    cr_assert_eq(s[1].id, 9);
    cr_assert_eq(s[1].version, 0);
    cr_assert_eq(s[2].version, 1);
    cr_assert_eq(s[2].build_first, 19041, "the first in the text is the primary");
    cr_assert_eq(s[2].build_last, 22000);
    cr_assert_eq(s[3].build_first, 7600);
    cr_assert_str_eq(s[2].event_name, "Nine");
    cr_assert_str_eq(s[2].task_name, "Seven");
    cr_assert_str_eq(s[2].keyword_names, "Two");
    cr_assert_str_eq(s[2].provider_name, "Alpha");
    cr_assert_null(s[2].message);
    cr_assert_eq(memcmp(&s[2].provider, &alpha, sizeof alpha), 0);
    cr_assert_eq(s[2].source, ETL_SCHEMA_PACK);

    cr_assert_eq(s[2].property_count, 6);
    cr_assert_eq(s[2].top_level_count, 3);
    const etl_property *f = s[2].properties;
    cr_assert_eq(f[1].flags, ETL_PROPERTY_STRUCT | ETL_PROPERTY_PARAM_COUNT);
    cr_assert_eq(f[1].count, 0);
    cr_assert_eq(f[1].struct_start, 3);
    cr_assert_eq(f[1].struct_members, 3);
    cr_assert_eq(f[4].flags, ETL_PROPERTY_PARAM_LENGTH);
    cr_assert_eq(f[4].length, 3);
    cr_assert_str_eq(f[5].map->name, "Colors");
    cr_assert_eq(f[5].map->entry_count, 2);
    cr_assert_str_eq(f[5].map->entries[1].text, "green");
    cr_assert_eq(f[5].map->entries[1].value, 2);
    etl_pack_close(pack);
}

Test(pack, classes)
{
    etl_pack *pack = open_pack();
    etl_guid beta = BETA;
    const etl_pack_provider *p = etl_pack_provider_get(pack, &beta, NULL);
    cr_assert(p);
    cr_assert_eq(p->schema_count, 2);
    cr_assert(p->schemas[0].classic);
    cr_assert_eq(p->schemas[0].opcode, 1);
    cr_assert_eq(p->schemas[1].opcode, 3);
    cr_assert_eq(p->schemas[1].version, 2);
    cr_assert_str_eq(p->schemas[1].event_name, "DCStart");
    cr_assert_str_eq(p->schemas[1].provider_name, "Beta");
    etl_pack_close(pack);
}

Test(pack, unknown_guid_is_no_error)
{
    etl_pack *pack = open_pack();
    etl_guid gamma = GAMMA;
    etl_error error = {.code = -1};
    cr_assert_null(etl_pack_provider_get(pack, &gamma, &error));
    cr_assert_eq(error.code, ETL_OK);
    cr_assert_null(etl_pack_provider_get(pack, &gamma, NULL));
    etl_guid other = {{1}};
    cr_assert_null(etl_pack_name(pack, &other));
    etl_pack_close(pack);
}

Test(pack, names_and_hooks)
{
    etl_pack *pack = open_pack();
    etl_guid alpha = ALPHA, beta = BETA, gamma = GAMMA;
    cr_assert_str_eq(etl_pack_name(pack, &alpha), "Alpha");
    cr_assert_str_eq(etl_pack_name(pack, &beta), "Beta", "its own name is the best");
    cr_assert_str_eq(etl_pack_name(pack, &gamma), "Gamma", "the first is the best");
    cr_assert_str_eq(etl_pack_hook_name(pack, 3, 10), "LOAD_IMAGE");
    cr_assert_str_eq(etl_pack_hook_name(pack, 0x14, 10), "LOAD");
    cr_assert_null(etl_pack_hook_name(pack, 0x14, 11));
    etl_pack_hook hook;
    cr_assert(etl_pack_hook_get(pack, 3, 10, &hook));
    cr_assert_str_eq(hook.group_name, "PROCESS");
    cr_assert_eq(memcmp(&hook.class_guid, &beta, sizeof beta), 0);
    cr_assert_str_eq(etl_pack_class_hook_name(pack, &beta, 10), "LOAD_IMAGE");
    cr_assert_null(etl_pack_class_hook_name(pack, &alpha, 10));
    cr_assert_eq(etl_pack_provider_count(pack), 2);
    etl_guid first = etl_pack_provider_guid(pack, 0);
    cr_assert_eq(memcmp(&first, &alpha, sizeof alpha), 0);
    etl_pack_close(pack);
}

Test(pack, same_text_same_bytes)
{
    etl_str again = {0};
    build(&again);
    cr_assert_eq(again.size, bytes.size);
    cr_assert_eq(memcmp(again.data, bytes.data, bytes.size), 0);
    etl_str_free(&again);
}

/* Asks for everything, whatever becomes of it. */
static int use(etl_error *error)
{
    etl_pack *pack;
    int r = etl_pack_open(path, &pack, error);
    if (r < 0)
        return r;
    for (size_t i = 0; i < etl_pack_provider_count(pack); i++) {
        etl_guid g = etl_pack_provider_guid(pack, i);
        etl_pack_name(pack, &g);
        if (!etl_pack_provider_get(pack, &g, error))
            r = error->code;
    }
    etl_pack_close(pack);
    return r;
}

Test(pack, every_changed_byte_is_an_error)
{
    char *copy = malloc(bytes.size);
    for (size_t i = 0; i < bytes.size; i++) {
        memcpy(copy, bytes.data, bytes.size);
        copy[i] ^= 0x41;
        write_pack(copy, bytes.size);
        etl_error error = {0};
        cr_assert_lt(use(&error), 0, "byte %zu", i);
        cr_assert_gt(strlen(error.message), 0);
    }
    free(copy);
}

/* The checksum keeps damage away from the section reader; it must be sound without it, too. */
Test(pack, damaged_sections_do_not_crash)
{
    const uint8_t *entry = (const uint8_t *)bytes.data + ETL_PACK_HEADER_SIZE;
    size_t offset = etl_load_u64(entry + 16), stored = etl_load_u32(entry + 24);
    size_t size = etl_load_u32(entry + 28), bound = ZSTD_compressBound(size), accepted = 0;
    uint8_t *section = malloc(size), *packed = malloc(bound);
    cr_assert(section && packed);
    cr_assert_eq(ZSTD_decompress(section, size, bytes.data + offset, stored), size);
    for (size_t i = 0; i < size; i++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            section[i] ^= 1 << bit;
            size_t packed_size = ZSTD_compress(packed, bound, section, size, 1);
            section[i] ^= 1 << bit;
            etl_arena arena = {0};
            etl_pack_provider provider = {0};
            etl_error error = {0};
            if (etl_pack_section_load(&arena, packed, packed_size, size, &provider, &error) < 0)
                cr_assert_gt(strlen(error.message), 0);
            else
                accepted++;
            etl_arena_free(&arena);
        }
    }
    cr_assert_lt(accepted, size * 8);
    for (size_t cut = 0; cut < size; cut++) {
        size_t packed_size = ZSTD_compress(packed, bound, section, cut, 1);
        etl_arena arena = {0};
        etl_pack_provider provider = {0};
        cr_assert_lt(etl_pack_section_load(&arena, packed, packed_size, cut, &provider, NULL), 0);
        etl_arena_free(&arena);
    }
    free(section);
    free(packed);
}

Test(pack, every_truncation_is_an_error)
{
    for (size_t size = 0; size < bytes.size; size++) {
        write_pack(bytes.data, size);
        etl_error error = {0};
        cr_assert_eq(use(&error), ETL_ERR_DAMAGED, "%zu bytes", size);
    }
}

Test(pack, missing_file)
{
    etl_pack *pack;
    etl_error error = {0};
    cr_assert_eq(etl_pack_open("/nonexistent/x.pack", &pack, &error), ETL_ERR_IO);
    cr_assert_null(pack);
    cr_assert_eq(etl_pack_open("/tmp", &pack, &error), ETL_ERR_DAMAGED);
    cr_assert_null(etl_pack_close(NULL));
}

Test(pack, empty)
{
    etl_text_set set = {0};
    etl_str empty = {0};
    cr_assert_eq(etl_pack_write(&set, &empty, NULL), ETL_OK);
    cr_assert_eq(empty.size, ETL_PACK_HEADER_SIZE);
    write_pack(empty.data, empty.size);
    etl_pack *pack = open_pack();
    etl_guid alpha = ALPHA;
    cr_assert_null(etl_pack_provider_get(pack, &alpha, NULL));
    cr_assert_null(etl_pack_name(pack, &alpha));
    cr_assert_null(etl_pack_hook_name(pack, 0, 0));
    etl_pack_close(pack);
    etl_str_free(&empty);
    etl_text_set_free(&set);
}
