#include <criterion/criterion.h>

#include <stdlib.h>

#include "schema/schema.h"
#include "schema/text_model.h"

#define GUID_TEXT "11111111-2222-3333-4444-555555555555"

static etl_text_set set;
static etl_error error;

static int read_text(const char *text)
{
    etl_text_set_free(&set);
    error = (etl_error){0};
    return etl_text_read(&set, "f.txt", text, strlen(text), &error);
}

static const etl_event_schema *only_schema(const char *text)
{
    cr_assert_eq(read_text(text), ETL_OK, "%s", error.message);
    cr_assert_eq(set.provider_count, 1);
    cr_assert_eq(set.providers[0].schema_count, 1);
    return &set.providers[0].schemas[0];
}

static void refused(const char *text, const char *expect)
{
    int r = read_text(text);
    cr_assert(r < 0, "accepted: %s", text);
    cr_assert(strstr(error.message, expect), "\"%s\" is not in: %s", expect, error.message);
}

static void drop(void)
{
    etl_text_set_free(&set);
}

TestSuite(schema_text, .fini = drop);

Test(schema_text, names_are_resolved)
{
    const etl_event_schema *s = only_schema("# comment\n"
                                            "provider " GUID_TEXT " My Provider\r\n"
                                            "builds 7600-22000\n"
                                            "level 17 Special level\n"
                                            "channel 16 My/Operational\n"
                                            "keyword 0x1 Net\n"
                                            "keyword 0x6 Both\n"
                                            "keyword 0x8 Other\n"
                                            "task 2 Query\n"
                                            "opcode 11 Anywhere\n"
                                            "opcode 2:11 Sent\n"
                                            "\n"
                                            "event 3008 v1 level=17 opcode=11 task=2 "
                                            "keywords=0x8000000000000007 channel=My/Operational "
                                            "sym=QuerySent\n");
    cr_assert_eq(s->id, 3008);
    cr_assert_eq(s->version, 1);
    cr_assert_not(s->classic);
    cr_assert_eq(s->source, ETL_SCHEMA_PACK);
    cr_assert_str_eq(s->provider_name, "My Provider");
    cr_assert_str_eq(s->event_name, "QuerySent");
    cr_assert_str_eq(s->level_name, "Special level");
    cr_assert_str_eq(s->task_name, "Query");
    cr_assert_str_eq(s->opcode_name, "Sent");
    cr_assert_eq(s->channel, 16);
    cr_assert_str_eq(s->channel_name, "My/Operational");
    cr_assert_str_eq(s->keyword_names, "Net, Both");
    cr_assert_eq(s->build_first, 7600);
    cr_assert_eq(s->build_last, 22000);
    cr_assert_eq(s->property_count, 0);
}

Test(schema_text, predefined_and_unknown_names)
{
    const etl_event_schema *s = only_schema("provider " GUID_TEXT "\n"
                                            "event 1 v0 level=4 opcode=1 task-name=\"A task\" "
                                            "keyword-names=\"a, b\" channel=Some/Where builds=-\n");
    cr_assert_null(s->provider_name);
    cr_assert_str_eq(s->level_name, etl_winmeta_level(4));
    cr_assert_str_eq(s->opcode_name, etl_winmeta_opcode(1));
    cr_assert_str_eq(s->task_name, "A task");
    cr_assert_str_eq(s->keyword_names, "a, b");
    cr_assert_eq(s->channel, 0);
    cr_assert_str_eq(s->channel_name, "Some/Where");
    cr_assert_eq(s->build_first, 0);
}

Test(schema_text, fields)
{
    const etl_event_schema *s = only_schema("map Kinds value\n"
                                            "  0 none at all\n"
                                            "  0x10 a\\\\b\\n\n"
                                            "map Flags bits\n"
                                            "  1 One\n"
                                            "template T\n"
                                            "  \"a b\" UInt32 map=Kinds\n"
                                            "  N UInt16 out=HexInt16\n"
                                            "  S UnicodeString len=N\n"
                                            "  F UnicodeString len=32\n"
                                            "  A Pointer cnt=\"a b\"\n"
                                            "  B UInt8 cnt=3 guess\n"
                                            "  P UInt32 only64\n"
                                            "  O AnsiString out=Utf8 optional\n"
                                            "  R Binary rest\n"
                                            "class " GUID_TEXT " Group\n"
                                            "type 5 v2 name=\"Two words\" template=T\n");
    cr_assert(s->classic);
    cr_assert_eq(s->id, 0);
    cr_assert_eq(s->opcode, 5);
    cr_assert_str_eq(s->provider_name, "Group");
    cr_assert_str_eq(s->event_name, "Two words");
    cr_assert_eq(s->property_count, 9);
    cr_assert_eq(s->top_level_count, 9);
    const etl_property *p = s->properties;
    cr_assert_str_eq(p[0].name, "a b");
    cr_assert_eq(p[0].out_type, ETL_OUT_UNSIGNEDINT);
    cr_assert_eq(p[0].map->kind, ETL_MAP_VALUE);
    cr_assert_eq(p[0].map->entry_count, 2);
    cr_assert_str_eq(p[0].map->entries[0].text, "none at all");
    cr_assert_eq(p[0].map->entries[1].value, 16);
    cr_assert_str_eq(p[0].map->entries[1].text, "a\\b\n");
    cr_assert_eq(p[1].out_type, ETL_OUT_HEXINT16);
    cr_assert_eq(p[2].flags, ETL_PROPERTY_PARAM_LENGTH);
    cr_assert_eq(p[2].length, 1);
    cr_assert_eq(p[3].flags, ETL_PROPERTY_FIXED_LENGTH);
    cr_assert_eq(p[3].length, 32);
    cr_assert_eq(p[4].flags, ETL_PROPERTY_PARAM_COUNT);
    cr_assert_eq(p[4].count, 0);
    cr_assert_eq(p[5].flags, ETL_PROPERTY_FIXED_COUNT);
    cr_assert_eq(p[5].count, 3);
    cr_assert_eq(p[6].flags, ETL_PROPERTY_ONLY64);
    cr_assert_eq(p[7].flags, ETL_PROPERTY_OPTIONAL);
    cr_assert_eq(p[7].out_type, ETL_OUT_UTF8);
    cr_assert_eq(p[8].flags, ETL_PROPERTY_REST);
}

Test(schema_text, structs_nest)
{
    const etl_event_schema *s = only_schema("template T\n"
                                            "  n UInt32\n"
                                            "  outer struct cnt=n {\n"
                                            "    n UInt8\n"
                                            "    inner struct cnt=n {\n"
                                            "      x UInt64\n"
                                            "    }\n"
                                            "  }\n"
                                            "  tail opaque\n"
                                            "provider " GUID_TEXT " P\n"
                                            "event 1 v0 template=T\n");
    cr_assert_eq(s->top_level_count, 3);
    cr_assert_eq(s->property_count, 6);
    const etl_property *p = s->properties;
    cr_assert_eq(p[1].flags, ETL_PROPERTY_STRUCT | ETL_PROPERTY_PARAM_COUNT);
    cr_assert_eq(p[1].count, 0);
    cr_assert_eq(p[1].struct_start, 3);
    cr_assert_eq(p[1].struct_members, 2);
    cr_assert_eq(p[2].flags, ETL_PROPERTY_OPAQUE);
    cr_assert_eq(p[4].count, 3, "the inner n, not the outer");
    cr_assert_eq(p[4].struct_start, 5);
    cr_assert_str_eq(p[5].name, "x");
}

Test(schema_text, files_of_one_guid_join)
{
    const char *first = "provider " GUID_TEXT " One\nevent 1 v0\n";
    const char *second = "class " GUID_TEXT " Two\naka Three\ntype 1 v0\n";
    cr_assert_eq(etl_text_read(&set, "a", first, strlen(first), NULL), ETL_OK);
    cr_assert_eq(etl_text_read(&set, "b", second, strlen(second), NULL), ETL_OK);
    cr_assert_eq(set.provider_count, 1);
    cr_assert_str_eq(set.providers[0].name, "One");
    cr_assert_eq(set.providers[0].schema_count, 2);
    cr_assert_str_eq(set.providers[0].schemas[1].provider_name, "Two");
    cr_assert_eq(set.name_count, 1);
}

Test(schema_text, names_and_hooks)
{
    cr_assert_eq(read_text("name " GUID_TEXT " tss Some Name\n"
                           "hook 0x03 0x0a - PROCESS WMI_LOG_TYPE_PROCESS_LOAD_IMAGE\n"),
                 ETL_OK);
    cr_assert_eq(set.name_count, 1);
    cr_assert_str_eq(set.names[0].name, "Some Name");
    cr_assert_eq(set.hook_count, 1);
    cr_assert_eq(set.hooks[0].group, 3);
    cr_assert_eq(set.hooks[0].type, 10);
    cr_assert(etl_guid_is_zero(&set.hooks[0].class_guid));
}

Test(schema_text, long_keyword_lists_are_kept)
{
    etl_str input = {0};
    etl_str_puts(&input, "provider " GUID_TEXT " P\n");
    for (int i = 0; i < 60; i++)
        etl_str_printf(&input, "keyword 0x%llx A rather long name of a keyword, %02d\n", 1ULL << i,
                       i);
    etl_str_puts(&input, "event 1 v0 keywords=0x0fffffffffffffff\n");
    const etl_event_schema *s = only_schema(input.data);
    cr_assert_gt(strlen(s->keyword_names), ETL_LIMIT_NAME_BYTES);
    cr_assert(strstr(s->keyword_names, "keyword, 59"));
    etl_str_free(&input);
}

#define P "provider " GUID_TEXT " P\n"

Test(schema_text, errors_name_file_and_line)
{
    refused("\n\nbogus\n", "f.txt:3: unknown word");
    refused("event 1 v0\n", "f.txt:1: \"event\" before the first provider");
    refused("provider 123 P\n", "f.txt:1: not a GUID");
    refused("class " GUID_TEXT "\n", "the name is missing");
    refused(P "type 1 v0\n", "f.txt:2: \"type\" outside a class");
    refused("class " GUID_TEXT " C\nevent 1 v0\n", "\"event\" in a class");
    refused(P "event 65536 v0\n", "the event id is a number up to 65535");
    refused(P "event 1 v256\n", "the version is v0 to v255");
    refused(P "event 1 0\n", "the version is v0 to v255");
    refused(P "event 1 v0 level=256\n", "level is a number up to 255");
    refused(P "event 1 v0 color=red\n", "unknown attribute \"color\"");
    refused(P "event 1 v0 level\n", "has no value");
    refused(P "event 1 v0 template=T\n", "no template \"T\" before this line");
    refused(P "event 1 v0 builds=9-8\n", "builds are FIRST-LAST");
    refused(P "event 1 v0 builds=70000\n", "builds are FIRST-LAST");
    refused(P "event 1 v0 sym=\"open\n", "a quote is not closed");
    refused(P "event 1 v0 sym=\"a\\q\"\n", "unknown escape");
    refused(P "task 1 A\ntask 1 B\n", "f.txt:3: 1 has a name already");
    refused(P "keyword 12z A\n", "the mask is no number");
    refused(P "opcode 1:2:3 A\n", "an opcode is VALUE or TASK:VALUE");
    refused("  indented\n", "f.txt:1: an indented line outside");
    refused("\xff\n", "not UTF-8");
}

Test(schema_text, errors_in_bodies)
{
    refused("map M other\n", "f.txt:1: the kind of a map");
    refused("map M value\n  x text\n", "f.txt:2: a map entry is VALUE TEXT");
    refused("map M value\nmap M value\n", "f.txt:2: the file has a map \"M\" already");
    refused("template T\n  a\n", "f.txt:2: field a has no type");
    refused("template T\n  a UInt33\n", "f.txt:2: unknown type \"UInt33\"");
    refused("template T\n  a UInt32 out=Nothing\n", "unknown out-type");
    refused("template T\n  a UInt32 map=M\n", "no map \"M\" before this line");
    refused("template T\n  a UInt32 size=4\n", "unknown attribute \"size\"");
    refused("template T\n  a Binary len=b\n  b UInt32\n", "f.txt:2: len names no field");
    refused("template T\n  a Binary len=0\n", "len is 1 to 65535");
    refused("template T\n  a struct\n", "ends with \"{\"");
    refused("template T\n  a struct {\n  }\n", "f.txt:3: a struct without fields");
    refused("template T\n  }\n", "f.txt:2: \"}\" without a struct");
    refused("template T\n  a struct {\n    b UInt8\n", "f.txt:1: a struct of template T");
    refused("template T\n  a UnicodeString\n  b Binary len=a\n", "f.txt:1: property 1 (b)");
    refused("template T\n  a UInt8\ntemplate T\n", "f.txt:3: the file has a template");
}

Test(schema_text, every_prefix_is_handled)
{
    const char *text = "provider " GUID_TEXT " P\nkeyword 0x1 k\nmap \"m\" bits\n  1 x\\t\n"
                       "template T\n  a UInt32 map=m\n  s struct cnt=a {\n    b Binary len=4\n  }\n"
                       "event 1 v0 level=4 sym=\"q\\\"q\" template=T builds=1-2\n";
    for (size_t size = 0; size <= strlen(text); size++) {
        /* On the heap, so that a sanitizer sees a read too far. */
        char *part = malloc(size + 1);
        memcpy(part, text, size);
        etl_text_set local = {0};
        etl_text_read(&local, "f", size ? part : "", size, NULL);
        etl_text_set_free(&local);
        free(part);
    }
}
