/* Writes the traces of fixtures/ from recipes. usage: make_fixtures DIRECTORY
   A test compares the committed files with what this makes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builder.h"

#define DEMO_PROVIDER   "d7a1c6f0-3c58-4c6f-9d35-0e7b5f1f2a01"
#define SOURCE_PROVIDER "5b1f6e0c-7a51-4c39-8b52-6f0d5c9be3a2"
#define DNS_CLIENT      "1c95126e-7eea-49a9-a3fe-a378b03ddb4d"
#define PROCESS_CLASS   "3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c"
#define MESSAGE_GUID    "a2b4c6d8-0f1e-4a3b-9c8d-7e6f5a4b3c2d"
#define ACTIVITY        "11111111-2222-3333-4444-555555555555"

/* S-1-5-18 */
static const uint8_t system_sid[] = {1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0};
/* S-1-5-21-1-2-3-1001 */
static const uint8_t user_sid[] = {1, 5, 0, 0, 0, 0, 0, 5, 21, 0, 0,    0, 1, 0,
                                   0, 0, 2, 0, 0, 0, 3, 0, 0,  0, 0xE9, 3, 0, 0};

static void put_pointer(etl_payload *p, int pointer_size, uint64_t value)
{
    if (pointer_size == 8)
        etl_put_u64(p, value);
    else
        etl_put_u32(p, (uint32_t)value);
}

/* Process_TypeGroup1, version 4 */
static etl_payload process(int pointer_size, uint32_t id, uint32_t parent, const char *image,
                           const char *command_line)
{
    etl_payload p = {.size = 0};
    put_pointer(&p, pointer_size, 0xFFFF900012340000 + id);
    etl_put_u32(&p, id);
    etl_put_u32(&p, parent);
    etl_put_u32(&p, 1);
    etl_put_u32(&p, 259);
    put_pointer(&p, pointer_size, 0x1AD000);
    etl_put_u32(&p, 0);
    put_pointer(&p, pointer_size, 0xFFFFA00000000010);
    put_pointer(&p, pointer_size, 0);
    etl_put_bytes(&p, user_sid, sizeof user_sid);
    etl_put_string(&p, image);
    etl_put_wide(&p, command_line);
    etl_put_wide(&p, "");
    etl_put_wide(&p, "");
    return p;
}

/* Image_Load, version 3 */
static etl_payload image(int pointer_size, uint32_t process_id, const char *name)
{
    etl_payload p = {.size = 0};
    put_pointer(&p, pointer_size, 0x7FF712340000);
    put_pointer(&p, pointer_size, 0x38000);
    etl_put_u32(&p, process_id);
    etl_put_u32(&p, 0x3C1F2);
    etl_put_u32(&p, 0x65000000);
    etl_put_u8(&p, 8);
    etl_put_u8(&p, 1);
    etl_put_u16(&p, 0);
    put_pointer(&p, pointer_size, 0x140000000);
    for (int i = 0; i < 4; i++)
        etl_put_u32(&p, 0);
    etl_put_wide(&p, name);
    return p;
}

static void disk_read(etl_build *b, int64_t time, uint64_t offset)
{
    etl_payload p = {.size = 0};
    etl_put_u32(&p, 0);       /* DiskNumber */
    etl_put_u32(&p, 0x60043); /* IrpFlags */
    etl_put_u32(&p, 16384);   /* TransferSize */
    etl_put_u32(&p, 0);
    etl_put_u64(&p, offset);
    etl_put_u64(&p, 0xFFFF8000AAAA0010);
    etl_put_u64(&p, 0xFFFF8000BBBB0020);
    etl_put_u64(&p, 1234);
    etl_put_u32(&p, 708);
    etl_build_perfinfo(b, 8, 0x010A, 3, time, p.data, p.size);
}

static void tcp_send(etl_build *b, int64_t time)
{
    etl_payload p = {.size = 0};
    static const uint8_t local[] = {192, 168, 1, 20}, remote[] = {203, 0, 113, 7};
    etl_put_u32(&p, 704);
    etl_put_u32(&p, 517);
    etl_put_bytes(&p, remote, 4);
    etl_put_bytes(&p, local, 4);
    etl_put_bytes(&p, "\x01\xBB", 2); /* port 443, network order */
    etl_put_bytes(&p, "\xC3\x50", 2);
    etl_put_u32(&p, 100);
    etl_put_u32(&p, 101);
    etl_put_u32(&p, 0);
    etl_put_u64(&p, 0);
    etl_build_perfinfo(b, 8, 0x060A, 2, time, p.data, p.size);
}

/* A TraceLogging event of the demo provider: text, number, result code, list, and a struct. */
static void download(etl_build *b, int64_t time, const char *url, uint32_t bytes, uint32_t result)
{
    etl_payload traits = {.size = 0}, meta = {.size = 0}, p = {.size = 0};
    etl_put_traits(&traits, "etlkit-Demo");
    etl_put_tl_event(&meta, "Download");
    etl_put_tl_field(&meta, "Url", 1, -1, 0);
    etl_put_tl_field(&meta, "Bytes", 8, -1, 0);
    etl_put_tl_field(&meta, "Result", 7, 15, 0); /* HRESULT */
    etl_put_tl_field(&meta, "Attempts", 0x40 | 6, -1, 0);
    etl_put_tl_field(&meta, "Peer", 24, 2, 0);
    etl_put_tl_field(&meta, "Address", 8, 8, 0); /* IPv4 */
    etl_put_tl_field(&meta, "Port", 6, 7, 0);    /* port */
    etl_put_wide(&p, url);
    etl_put_u32(&p, bytes);
    etl_put_u32(&p, result);
    etl_put_u16(&p, 3);
    etl_put_u16(&p, 10);
    etl_put_u16(&p, 20);
    etl_put_u16(&p, 40);
    etl_put_bytes(&p, "\xCB\x00\x71\x07\x01\xBB", 6);
    uint8_t stack[8 + 3 * 8] = {0};
    for (int i = 0; i < 3; i++)
        memcpy(stack + 8 + 8 * i, "\x10\x00\x34\x12\xF7\x7F\x00\x00", 8), stack[8 + 8 * i] += i;
    etl_build_item items[] = {{2, user_sid, sizeof user_sid},
                              {6, stack, sizeof stack},
                              {12, traits.data, (uint16_t)traits.size},
                              {11, meta.data, (uint16_t)meta.size}};
    etl_build_event_record(b, 8,
                           &(etl_build_event){.provider = DEMO_PROVIDER,
                                              .channel = 11,
                                              .level = result ? 2 : 4,
                                              .keyword = 0x10,
                                              .process = 704,
                                              .thread = 708,
                                              .time = time,
                                              .activity = ACTIVITY,
                                              .items = items,
                                              .item_count = 4},
                           p.data, p.size);
}

static const char manifest[] =
    "<instrumentationManifest xmlns=\"http://schemas.microsoft.com/win/2004/08/events\">"
    "<instrumentation><events><provider name=\"etlkit-Demo-Source\" guid=\"{" SOURCE_PROVIDER "}\" "
    "symbol=\"Demo\" resourceFileName=\"demo\" messageFileName=\"demo\"><tasks>"
    "<task name=\"Job\" value=\"1\"/></tasks><maps><valueMap name=\"State\">"
    "<map value=\"1\" message=\"$(string.running)\"/><map value=\"2\" message=\"$(string.done)\"/>"
    "</valueMap></maps><templates><template tid=\"JobArgs\">"
    "<data name=\"Name\" inType=\"win:UnicodeString\"/>"
    "<data name=\"State\" inType=\"win:UInt32\" map=\"State\"/>"
    "<data name=\"Share\" inType=\"win:Double\"/></template></templates><events>"
    "<event value=\"1\" version=\"0\" level=\"win:Informational\" task=\"Job\" opcode=\"win:Start\""
    " symbol=\"JobStart\" template=\"JobArgs\" message=\"$(string.job)\"/>"
    "<event value=\"2\" version=\"0\" level=\"win:Informational\" task=\"Job\" opcode=\"win:Stop\""
    " symbol=\"JobStop\" template=\"JobArgs\" message=\"$(string.job)\"/></events></provider>"
    "</events></instrumentation><localization><resources culture=\"en-US\"><stringTable>"
    "<string id=\"running\" value=\"Running\"/><string id=\"done\" value=\"Done\"/>"
    "<string id=\"job\" value=\"Job %1 is %2\"/></stringTable></resources></localization>"
    "</instrumentationManifest>";

static void job(etl_build *b, int64_t time, uint16_t id, uint32_t state, double share)
{
    etl_payload p = {.size = 0};
    uint64_t bits;
    memcpy(&bits, &share, sizeof bits);
    etl_put_wide(&p, "nightly backup");
    etl_put_u32(&p, state);
    etl_put_u64(&p, bits);
    etl_build_event_record(b, 8,
                           &(etl_build_event){.provider = SOURCE_PROVIDER,
                                              .id = id,
                                              .task = 1,
                                              .level = 4,
                                              .opcode = (uint8_t)id,
                                              .process = 704,
                                              .thread = 712,
                                              .time = time},
                           p.data, p.size);
}

/* ManifestData: one chunk, as EventSource writes it when a session starts or stops. */
static void manifest_event(etl_build *b, int64_t time)
{
    etl_payload p = {.size = 0};
    etl_put_u8(&p, 1);
    etl_put_u8(&p, 1);
    etl_put_u8(&p, 0);
    etl_put_u8(&p, 0x5B);
    etl_put_u16(&p, 1);
    etl_put_u16(&p, 0);
    etl_put_bytes(&p, manifest, sizeof manifest - 1);
    etl_build_event_record(b, 8,
                           &(etl_build_event){.provider = SOURCE_PROVIDER,
                                              .id = 0xFFFE,
                                              .version = 1,
                                              .task = 0xFFFE,
                                              .opcode = 0xFE,
                                              .keyword = UINT64_C(0x00FFFFFFFFFFFFFF),
                                              .process = 704,
                                              .thread = 712,
                                              .time = time},
                           p.data, p.size);
}

/* Microsoft-Windows-DNS-Client 3008: a query is complete. */
static void dns_query(etl_build *b, int64_t time, const char *name, const char *result)
{
    etl_payload p = {.size = 0};
    etl_put_wide(&p, name);
    etl_put_u32(&p, 1);
    etl_put_u64(&p, 0x40004000);
    etl_put_u32(&p, 0);
    etl_put_wide(&p, result);
    etl_build_event_record(b, 8,
                           &(etl_build_event){.provider = DNS_CLIENT,
                                              .id = 3008,
                                              .level = 4,
                                              .channel = 16,
                                              .keyword = UINT64_C(0x8000000000000000),
                                              .process = 704,
                                              .thread = 708,
                                              .time = time},
                           p.data, p.size);
}

static void plain_string(etl_build *b, int64_t time, const char *text)
{
    etl_payload p = {.size = 0};
    etl_put_wide(&p, text);
    etl_build_event_record(b, 8,
                           &(etl_build_event){.provider = DEMO_PROVIDER,
                                              .flags = 4,
                                              .level = 4,
                                              .process = 704,
                                              .thread = 708,
                                              .time = time},
                           p.data, p.size);
}

/* One of everything, over two processors and twenty seconds. Time is in units of 100 ns. */
static etl_build *demo(etl_build_compression compression)
{
    const int64_t second = 10000000;
    etl_build *b = etl_build_new(&(etl_build_options){.first_time = 1000 * second,
                                                      .buffer_size = 8192,
                                                      .events_lost = 3,
                                                      .compression = compression,
                                                      .logger_name = "Demo"});
    const int64_t t = 1000 * second;
    etl_payload p;
    etl_build_buffer(b, 0);
    p = process(8, 4, 0, "System", "");
    etl_build_system(b, 8, 0x0303, 4, 4, 8, t + 1 * second, p.data, p.size);
    p = process(8, 704, 600, "demo.exe", "demo.exe --sync \"C:\\Users\\ann\\Documents\"");
    etl_build_system(b, 8, 0x0301, 4, 600, 620, t + 2 * second, p.data, p.size);
    p = image(8, 704, "\\Device\\HarddiskVolume3\\Program Files\\Demo\\demo.exe");
    etl_build_system(b, 8, 0x030A, 3, 704, 708, t + 2 * second + 500, p.data, p.size);
    dns_query(b, t + 4 * second, "updates.example.com", "203.0.113.7;");
    download(b, t + 6 * second, "https://updates.example.com/1.bin", 65536, 0);
    download(b, t + 8 * second, "https://updates.example.com/2.bin", 0, 0x80072EE2);
    plain_string(b, t + 9 * second, "retry in 5 s");
    job(b, t + 10 * second, 1, 1, 0.25);
    etl_build_buffer(b, 1);
    disk_read(b, t + 3 * second, 0x1000000);
    disk_read(b, t + 5 * second, 0x1004000);
    tcp_send(b, t + 7 * second);
    job(b, t + 15 * second, 2, 2, 1.0);
    p = process(8, 704, 600, "demo.exe", "demo.exe --sync \"C:\\Users\\ann\\Documents\"");
    etl_build_system(b, 8, 0x0302, 4, 704, 708, t + 16 * second, p.data, p.size);
    etl_build_message(b, MESSAGE_GUID, 10, 0xAA, 4, 100, t + 18 * second, "\x22\x00\x00\xC0", 4);
    etl_build_buffer(b, 0);
    manifest_event(b, t + 20 * second);
    return b;
}

/* Every header kind with a published layout, with the given pointer size. */
static etl_build *kinds(int pointer_size)
{
    etl_build *b = etl_build_new(&(etl_build_options){.header32 = pointer_size == 4,
                                                      .clock = 2,
                                                      .first_time = INT64_C(134274384000000000),
                                                      .processor_number = pointer_size == 4});
    int64_t t = INT64_C(134274384000000000);
    etl_payload p;
    etl_build_buffer(b, 1);
    p = process(pointer_size, 55, 4, "a.exe", "a.exe");
    etl_build_system(b, pointer_size, 0x0301, 4, 55, 56, t + 1, p.data, p.size);
    p.size = 0;
    put_pointer(&p, pointer_size, 0xFFFFF80012345678);
    etl_put_u32(&p, 56);
    etl_put_u32(&p, 1);
    etl_build_perfinfo(b, pointer_size, 0x0F2E, 2, t + 2, p.data, p.size);
    p = process(pointer_size, 57, 4, "b.exe", "b.exe");
    etl_build_full(b, pointer_size, PROCESS_CLASS, 2, 4, 57, 58, t + 3, p.data, p.size);
    p.size = 0;
    etl_put_wide(&p, "no schema for this one");
    etl_build_item items[] = {{2, system_sid, sizeof system_sid},
                              {3, "\x02\x00\x00\x00", 4},
                              {10, "\x07\x00\x00\x00\x00\x00\x00\x00", 8},
                              {13, "\x09\x00\x00\x00\x00\x00\x01\x00", 8}};
    etl_build_event_record(b, pointer_size,
                           &(etl_build_event){.provider = MESSAGE_GUID,
                                              .id = 7,
                                              .version = 1,
                                              .level = 3,
                                              .process = 59,
                                              .thread = 60,
                                              .time = t + 4,
                                              .items = items,
                                              .item_count = 4},
                           p.data, p.size);
    etl_build_message(b, MESSAGE_GUID, 3, 0x2B | (pointer_size == 8 ? 0x80 : 0x40), 61, 62, t + 5,
                      "\x01\x02\x03", 3);
    p = process(pointer_size, 63, 4, "c.exe", "c.exe");
    etl_build_compact(b, pointer_size, 0x0301, 4, 63, 64, t + 6, p.data, p.size);
    p = process(pointer_size, 65, 4, "d.exe", "d.exe");
    etl_build_instance(b, pointer_size, PROCESS_CLASS, MESSAGE_GUID, 2, 4, 65, 66, t + 7, p.data,
                       p.size);
    etl_build_wnode(b, pointer_size == 8, MESSAGE_GUID, t + 8, "\x01\x02\x03", 3);
    return b;
}

static void write_fixture(const char *directory, const char *name, etl_build *b)
{
    char path[4096];
    size_t size;
    uint8_t *bytes = etl_build_finish(b, &size);
    snprintf(path, sizeof path, "%s/%s", directory, name);
    etl_test_write_file(path, bytes, size);
    free(bytes);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: make_fixtures DIRECTORY\n");
        return 2;
    }
    write_fixture(argv[1], "demo.etl", demo(ETL_BUILD_PLAIN));
    write_fixture(argv[1], "demo-xpress.etl", demo(ETL_BUILD_XPRESS));
    write_fixture(argv[1], "demo-xpress-huffman.etl", demo(ETL_BUILD_XPRESS_HUFFMAN));
    write_fixture(argv[1], "demo-lznt1.etl", demo(ETL_BUILD_LZNT1));
    write_fixture(argv[1], "kinds64.etl", kinds(8));
    write_fixture(argv[1], "kinds32.etl", kinds(4));
    return 0;
}
