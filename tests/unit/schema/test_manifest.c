#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "schema/sources.h"

static etl_arena arena;
static etl_hashmap names;
static etl_builder builder;
static const etl_event_schema *events[65536];
static size_t event_count, problem_count, provider_count;
static char last_problem[512];

static void set_up(void)
{
    etl_builder_init(&builder, &arena, &names);
}

static void tear_down(void)
{
    etl_builder_free(&builder);
    etl_hashmap_free(&names);
    etl_arena_free(&arena);
}

TestSuite(manifest, .init = set_up, .fini = tear_down);

static int take_event(void *context, const etl_event_schema *schema, etl_error *error)
{
    (void)context;
    (void)error;
    cr_assert_eq(etl_schema_check(schema, NULL), ETL_OK);
    if (event_count < ETL_COUNT_OF(events))
        events[event_count++] = schema;
    return ETL_OK;
}

static int take_provider(void *context, const etl_guid *guid, const char *name, int rank,
                         etl_error *error)
{
    (void)context;
    (void)guid;
    (void)rank;
    (void)error;
    cr_assert_not_null(name);
    provider_count++;
    return ETL_OK;
}

static void take_problem(void *context, const char *text)
{
    (void)context;
    problem_count++;
    snprintf(last_problem, sizeof last_problem, "%s", text);
}

static const etl_builder_sink sink = {
    .event = take_event, .provider = take_provider, .problem = take_problem};

static int parse_bytes(const char *xml, size_t size, etl_error *error)
{
    event_count = problem_count = provider_count = 0;
    char *copy = malloc(size ? size : 1);
    memcpy(copy, xml, size);
    int r = etl_manifest_parse(&builder, copy, size, ETL_SCHEMA_EVENTSOURCE, NULL, &sink, error);
    free(copy);
    return r;
}

static int parse(const char *xml)
{
    etl_error error = {0};
    int r = parse_bytes(xml, strlen(xml), &error);
    if (r < 0)
        cr_log_info("%s", error.message);
    return r;
}

#define HEAD                                                                                       \
    "<instrumentationManifest xmlns='http://schemas.microsoft.com/win/2004/08/events'>"            \
    "<instrumentation xmlns:win='w' xmlns:xs='x' xmlns:my='y'><events>"
#define PROVIDER "<provider name='Test-P' guid='{11111111-2222-3333-4444-555555555555}'>"
#define TAIL     "</provider></events></instrumentation>"
#define END      "</instrumentationManifest>"

static const char full[] = HEAD
    "<messageTable><message symbol='M' value='1' message='$(string.m)'/></messageTable>" PROVIDER
    "<channels><importChannel chid='S' name='System'/><channel chid='A' name='Test/A'/>"
    "<channel chid='D' name='Test/D' value='30'/><channel chid='E' name='Test/E'/></channels>"
    "<levels><level name='my:Loud' value='20' message='$(string.loud)'/></levels>"
    "<tasks><task name='Request' value='0x10'><opcodes><opcode name='Go' "
    "value='11'/></opcodes></task>"
    "<task name='GC' value='2' message='$(string.gc)'/></tasks>"
    "<opcodes><opcode name='Go' value='12'/><opcode name='win:Start'/></opcodes>"
    "<keywords><keyword name='K1' mask='0x1'/><keyword name='K2' mask='0x8000000000'/></keywords>"
    "<maps><valueMap name='VM'><map value='1' message='$(string.one)'/><map value='0x2' "
    "symbol='TWO'/>"
    "</valueMap><bitMap name='BM'><map value='0x80000000' message='$(mc.M)'/></bitMap></maps>"
    "<templates><template tid='T'>"
    "<data name='N' inType='win:UInt16'/><data name='Size' inType='win:UInt32' "
    "outType='win:HexInt32'/>"
    "<struct name='S' count='N'><data name='V' inType='win:UInt32' map='VM'/>"
    "<data name='L' inType='win:UInt8'/><data name='Txt' inType='win:UnicodeString' length='L'/>"
    "</struct><data name='Arr' inType='win:Pointer' count='2'/>"
    "<data name='Bin' inType='win:Binary' length='Size'/>"
    "<data name='Mac' inType='win:Binary' length='6'/>"
    "<data name='Flags' inType='win:UInt32' outType='xs:hexInt32' map='BM'/>"
    "<data name='Ok' inType='win:Boolean'/><binary name='Tail' length='4'/>"
    "<UserData><Event xmlns='z'><template tid='no'/></Event></UserData></template></templates>"
    "<events>"
    "<event value='1' version='2' symbol='First' level='win:Error' task='Request' opcode='Go'"
    " keywords='K1 my:K2 win:SQM' template='T' channel='A' message='$(string.msg)'/>"
    "<event value='2' task='Request' opcode='win:Start' level='my:Loud' channel='S'"
    " message='x $(string.one) y'/>"
    "<event value='0x3' task='GC' channel='E' opcode='Go' message='$(string.none)'/>"
    "<event value='4' name='Named'/></events>" TAIL
    "<localization><resources culture='de-DE'><stringTable><string id='one' value='Eins'/>"
    "</stringTable></resources><resources culture='en-US'><stringTable>"
    "<string id='one' value='One'/><string id='loud' value='Loudly'/><string id='gc' "
    "value='Garbage'/>"
    "<string id='m' value='High bit'/><string id='msg' value='Hello %1&#xD;&#xA;'/></stringTable>"
    "</resources></localization>" END;

Test(manifest, events)
{
    cr_assert_eq(parse(full), ETL_OK);
    cr_assert_eq(problem_count, 0, "%s", last_problem);
    cr_assert_eq(event_count, 4);
    const etl_event_schema *e = events[0];
    cr_assert_eq(e->id, 1);
    cr_assert_eq(e->version, 2);
    cr_assert_eq(e->level, 2);
    cr_assert_eq(e->task, 16);
    cr_assert_eq(e->opcode, 11, "the task's own opcode hides the provider's");
    cr_assert_eq(e->keyword, UINT64_C(0x0008008000000001));
    cr_assert_eq(e->channel, 16);
    cr_assert_str_eq(e->provider_name, "Test-P");
    cr_assert_str_eq(e->event_name, "First");
    cr_assert_str_eq(e->task_name, "Request");
    cr_assert_str_eq(e->opcode_name, "Go");
    cr_assert_str_eq(e->level_name, "Error");
    cr_assert_str_eq(e->channel_name, "Test/A");
    cr_assert_str_eq(e->keyword_names, "K1, K2, SQM");
    cr_assert_str_eq(e->message, "Hello %1");
    e = events[1];
    cr_assert_str_eq(e->event_name, "RequestStart");
    cr_assert_str_eq(e->message, "x One y");
    cr_assert_eq(e->level, 20);
    cr_assert_str_eq(e->level_name, "Loudly");
    cr_assert_eq(e->channel, 8);
    e = events[2];
    cr_assert_eq(e->id, 3);
    cr_assert_eq(e->opcode, 12);
    cr_assert_eq(e->channel, 31, "behind an explicit value");
    cr_assert_str_eq(e->event_name, "GarbageGo");
    cr_assert_null(e->message);
    cr_assert_str_eq(events[3]->event_name, "Named");
    cr_assert_str_eq(events[3]->opcode_name, "Info");
}

Test(manifest, properties)
{
    cr_assert_eq(parse(full), ETL_OK);
    const etl_event_schema *e = events[0];
    const etl_property *p = e->properties;
    cr_assert_eq(e->top_level_count, 9);
    cr_assert_eq(e->property_count, 12);
    cr_assert_str_eq(p[2].name, "S");
    cr_assert_eq(p[2].flags, ETL_PROPERTY_STRUCT | ETL_PROPERTY_PARAM_COUNT);
    cr_assert_eq(p[2].count, 0);
    cr_assert_eq(p[2].struct_start, 9);
    cr_assert_eq(p[2].struct_members, 3);
    cr_assert_eq(p[1].out_type, ETL_OUT_HEXINT32);
    cr_assert_eq(p[3].flags, ETL_PROPERTY_FIXED_COUNT);
    cr_assert_eq(p[3].count, 2);
    cr_assert_eq(p[3].out_type, ETL_OUT_HEXINT64);
    cr_assert_eq(p[4].flags, ETL_PROPERTY_PARAM_LENGTH);
    cr_assert_eq(p[4].length, 1);
    cr_assert_eq(p[5].flags, ETL_PROPERTY_FIXED_LENGTH);
    cr_assert_eq(p[5].length, 6);
    cr_assert_eq(p[6].out_type, ETL_OUT_HEXINT32);
    cr_assert_eq(p[6].map->kind, ETL_MAP_BITS);
    cr_assert_str_eq(p[6].map->entries[0].text, "High bit");
    cr_assert_eq(p[6].map->entries[0].value, 0x80000000);
    cr_assert_eq(p[7].in_type, ETL_IN_BOOLEAN);
    cr_assert_eq(p[8].in_type, ETL_IN_BINARY);
    cr_assert_eq(p[8].length, 4);
    cr_assert_str_eq(p[9].map->name, "VM");
    cr_assert_eq(p[9].map->entry_count, 2);
    cr_assert_str_eq(p[9].map->entries[0].text, "One", "English wins over what came first");
    cr_assert_str_eq(p[9].map->entries[1].text, "TWO");
    cr_assert_eq(p[11].flags, ETL_PROPERTY_PARAM_LENGTH);
    cr_assert_eq(p[11].length, 10, "a member of the same struct");
}

Test(manifest, several_providers)
{
    static const char xml[] = HEAD PROVIDER
        "<events><event value='1'/></events></provider>"
        "<provider name='Q' guid='nonsense'><events><event value='2'/></events></provider>"
        "<provider name='R' guid='11111111-0000-0000-0000-000000000000'><events>"
        "<event value='3' template='missing'/><event value='99999'/><event value='4' "
        "version='256'/>"
        "<event/><event value='5'/></events>" TAIL END;
    cr_assert_eq(parse(xml), ETL_OK);
    cr_assert_eq(provider_count, 2);
    cr_assert_eq(event_count, 2);
    cr_assert_eq(events[1]->id, 5);
    cr_assert_eq(problem_count, 5);
}

Test(manifest, what_cannot_be_sized_is_opaque)
{
    static const char xml[] = HEAD PROVIDER
        "<templates><template tid='A'><data name='x' inType='win:Novel'/>"
        "<data name='y' inType='win:Binary' length='z'/><data name='t' inType='win:AnsiString'/>"
        "<struct name='s' count='t'><data name='m' inType='win:UInt8'/></struct></template>"
        "</templates><events><event value='1' template='A'/></events>" TAIL END;
    cr_assert_eq(parse(xml), ETL_OK);
    cr_assert_eq(event_count, 1);
    const etl_property *p = events[0]->properties;
    cr_assert_eq(p[0].flags, ETL_PROPERTY_OPAQUE);
    cr_assert_eq(p[1].flags, ETL_PROPERTY_OPAQUE);
    cr_assert_eq(p[2].flags, 0);
    cr_assert_eq(p[3].flags, ETL_PROPERTY_OPAQUE);
    cr_assert_eq(problem_count, 3);
}

Test(manifest, elements_in_the_wrong_place_are_ignored)
{
    static const char xml[] = HEAD
        "<event value='9'/>" PROVIDER "<event value='8'/><x><events><event value='7'/></events></x>"
        "<events><event value='1'><template tid='x'/></event></events>" TAIL
        "<counters><provider name='C'/></counters>" END;
    cr_assert_eq(parse(xml), ETL_OK);
    cr_assert_eq(event_count, 1);
    cr_assert_eq(provider_count, 1);
    cr_assert_eq(parse("<a><b/></a>"), ETL_ERR_DAMAGED);
    cr_assert_eq(parse(""), ETL_ERR_DAMAGED);
}

Test(manifest, entities_and_document_types_are_refused)
{
    static const char bomb[] =
        "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'bbbbbbbbbb'>"
        "<!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;'><!ENTITY d '&c;&c;&c;&c;&c;&c;&c;&c;'>]>"
        "<instrumentationManifest>&d;</instrumentationManifest>";
    static const char external[] = "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>";
    cr_assert_eq(parse(bomb), ETL_ERR_LIMIT);
    cr_assert_eq(parse(external), ETL_ERR_LIMIT);
}

static void repeat(etl_str *xml, const char *text, size_t count)
{
    for (size_t i = 0; i < count; i++)
        etl_str_puts(xml, text);
}

Test(manifest, deep_nesting)
{
    etl_str xml = {0};
    repeat(&xml, "<a>", 100000);
    cr_assert_eq(parse(xml.data), ETL_ERR_LIMIT);
    etl_str_clear(&xml);
    etl_str_puts(&xml, HEAD PROVIDER "<templates><template tid='A'>");
    repeat(&xml, "<struct name='s'>", ETL_LIMIT_STRUCT_DEPTH + 1);
    etl_str_puts(&xml, "<data name='x' inType='win:UInt8'/>");
    repeat(&xml, "</struct>", ETL_LIMIT_STRUCT_DEPTH + 1);
    etl_str_puts(&xml, "</template></templates><events><event value='1' template='A'/>"
                       "<event value='2'/></events>" TAIL END);
    cr_assert_eq(parse(xml.data), ETL_OK);
    cr_assert_eq(event_count, 1);
    cr_assert(strstr(last_problem, "nest deeper"), "%s", last_problem);
    etl_str_free(&xml);
}

Test(manifest, too_much_of_everything)
{
    etl_str xml = {0};
    etl_str_puts(&xml, HEAD PROVIDER "<maps><valueMap name='M'>");
    repeat(&xml, "<map value='1' symbol='a'/>", ETL_LIMIT_MAP_ENTRIES + 1);
    etl_str_puts(&xml, "</valueMap></maps><templates><template tid='A'>"
                       "<data name='x' inType='win:UInt8' map='M'/></template><template tid='B'>");
    repeat(&xml, "<data name='x' inType='win:UInt8'/>", ETL_LIMIT_PROPERTIES + 1);
    etl_str_puts(&xml, "</template></templates><events><event value='1' template='A'/>"
                       "<event value='2' template='B'/></events>" TAIL END);
    cr_assert_eq(parse(xml.data), ETL_OK);
    cr_assert_eq(event_count, 1);
    cr_assert_null(events[0]->properties[0].map);
    cr_assert_eq(problem_count, 2);
    etl_str_free(&xml);

    char *huge = calloc(1, (size_t)ETL_LIMIT_MANIFEST_BYTES + 1);
    memset(huge, ' ', (size_t)ETL_LIMIT_MANIFEST_BYTES + 1);
    cr_assert_eq(parse_bytes(huge, (size_t)ETL_LIMIT_MANIFEST_BYTES + 1, NULL), ETL_ERR_LIMIT);
    free(huge);
}

/* A megabyte that asks for gigabytes: events share the layout of a template, composed text has a
   budget. */
Test(manifest, amplification)
{
    etl_str xml = {0};
    etl_str_puts(&xml, HEAD PROVIDER "<templates><template tid='A'>");
    repeat(&xml, "<data name='x' inType='win:UInt8'/>", ETL_LIMIT_PROPERTIES);
    etl_str_puts(&xml, "</template></templates><events>");
    for (int i = 0; i < 20000; i++)
        etl_str_printf(&xml, "<event value='%d' template='A' message='%d$(string.a)$(string.a)'/>",
                       i, i);
    etl_str_puts(&xml,
                 "</events>" TAIL "<localization><resources><stringTable><string id='a' value='");
    repeat(&xml, "0123456789", 6000);
    etl_str_puts(&xml, "'/></stringTable></resources></localization>" END);
    cr_assert_eq(parse(xml.data), ETL_OK);
    cr_assert_eq(event_count, 20000);
    cr_assert_eq(events[0]->properties, events[19999]->properties);
    cr_assert_lt(arena.total, (size_t)32 << 20);
    etl_str_free(&xml);
}

Test(manifest, truncated_at_every_byte)
{
    for (size_t size = 0; size < sizeof full - 1; size++) {
        cr_assert_eq(parse_bytes(full, size, NULL), ETL_ERR_DAMAGED);
        cr_assert_eq(event_count, 0);
    }
    cr_assert_eq(parse_bytes(full, sizeof full, NULL), ETL_OK, "a NUL at the end is dropped");
}

Test(manifest, bits_flipped)
{
    static char copy[sizeof full];
    for (size_t bit = 0; bit < (sizeof full - 1) * 8; bit += 3) {
        memcpy(copy, full, sizeof full);
        copy[bit / 8] = (char)(copy[bit / 8] ^ 1 << bit % 8);
        parse_bytes(copy, sizeof full - 1, NULL);
    }
}

static char *read_file(const char *path, size_t *ret_size)
{
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    fseek(file, 0, SEEK_END);
    *ret_size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*ret_size);
    cr_assert_eq(fread(bytes, 1, *ret_size, file), *ret_size);
    fclose(file);
    return bytes;
}

/* Numbers of events were counted with another XML reader. */
Test(manifest, real_manifests)
{
    const char *corpus = getenv("ETLKIT_CORPUS");
    if (!corpus)
        cr_skip_test("ETLKIT_CORPUS is not set");
    static const struct {
        const char *name;
        size_t providers, events;
        int status;
    } files[] = {
        {"CSV.man", 1, 27, ETL_OK},
        {"ClrEtwAll.man", 4, 384, ETL_OK},
        {"ETWClrProfiler.man", 1, 19, ETL_OK},
        {"IE_Client.man", 2, 236, ETL_OK},
        {"SystemEvents.man", 33, 450, ETL_OK},
        {"Sysmon.man", 0, 0, ETL_ERR_DAMAGED},
    };
    for (size_t i = 0; i < ETL_COUNT_OF(files); i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/corpus/schemas/%s", corpus, files[i].name);
        size_t size;
        char *bytes = read_file(path, &size);
        etl_error error = {0};
        int r = parse_bytes(bytes, size, &error);
        cr_expect_eq(r, files[i].status, "%s: %s", files[i].name, error.message);
        cr_expect_eq(provider_count, files[i].providers, "%s: %zu providers", files[i].name,
                     provider_count);
        cr_expect_eq(event_count, files[i].events, "%s: %zu events", files[i].name, event_count);
        cr_expect_eq(problem_count, 0, "%s: %s", files[i].name, last_problem);
        free(bytes);
    }
}
