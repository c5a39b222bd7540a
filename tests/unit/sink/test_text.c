#include "sink_test.h"

/* All events of PROVIDER as text. */
static char *render_some(etl_build *b, etl_text_format format, const etl_decoder_options *options,
                         uint64_t *limit)
{
    static const char *const providers[] = {PROVIDER};
    etl_filter filter = {
        .begin = ETL_TIME_MIN, .end = ETL_TIME_MAX, .providers = providers, .provider_count = 1};
    decoding d = decode_built(b, options);
    cr_assert_eq(etl_decoder_set_filter(d.decoder, &filter, NULL), ETL_OK);
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    etl_text_writer *writer;
    cr_assert_eq(etl_text_writer_open(file, format, &writer, NULL), ETL_OK);
    etl_batch *batch;
    int r;
    while ((r = etl_decoder_next(d.decoder, &batch, NULL)) == ETL_OK) {
        cr_assert_eq(etl_text_writer_batch(writer, batch, limit, NULL), ETL_OK);
        etl_decoder_recycle(d.decoder, batch);
    }
    cr_assert_eq(r, ETL_END);
    cr_assert_null(etl_text_writer_close(writer));
    fclose(file);
    decode_done(&d);
    return text;
}

static void assert_text(etl_build *b, etl_text_format format, const char *expected)
{
    char *text = render_some(b, format, NULL, NULL);
    cr_assert_str_eq(text, expected, "got\n%s\ninstead of\n%s", text, expected);
    free(text);
}

/* ---- a JSON reader that only says yes or no ---- */

static const char *json_value(const char *p);

static const char *json_string(const char *p)
{
    if (*p++ != '"')
        return NULL;
    for (; *p != '"'; p++) {
        unsigned char c = (unsigned char)*p;
        if (c < 0x20 || c == 0x7F)
            return NULL;
        if (c != '\\')
            continue;
        p++;
        if (*p == 'u') {
            if (strspn(p + 1, "0123456789abcdefABCDEF") < 4)
                return NULL;
            p += 4;
        } else if (!*p || !strchr("\"\\/bfnrt", *p)) {
            return NULL;
        }
    }
    return p + 1;
}

static const char *json_list(const char *p, char end, bool object)
{
    p++;
    if (*p == end)
        return p + 1;
    for (;;) {
        if (object) {
            p = json_string(p);
            if (!p || *p++ != ':')
                return NULL;
        }
        p = json_value(p);
        if (!p)
            return NULL;
        if (*p == end)
            return p + 1;
        if (*p++ != ',')
            return NULL;
    }
}

static const char *json_value(const char *p)
{
    if (*p == '"')
        return json_string(p);
    if (*p == '{')
        return json_list(p, '}', true);
    if (*p == '[')
        return json_list(p, ']', false);
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < ETL_COUNT_OF(words); i++)
        if (strncmp(p, words[i], strlen(words[i])) == 0)
            return p + strlen(words[i]);
    const char *digits = p + (*p == '-');
    if (*digits < '0' || *digits > '9' || (*digits == '0' && digits[1] >= '0' && digits[1] <= '9'))
        return NULL;
    char *end;
    strtod(p, &end);
    return end;
}

/* Each line is one object. Returns the number of lines. */
static size_t assert_json_lines(const char *text)
{
    cr_assert(etl_utf8_valid((const uint8_t *)text, strlen(text)));
    size_t lines = 0;
    for (const char *p = text; *p; lines++) {
        cr_assert_eq(*p, '{');
        const char *end = json_value(p);
        cr_assert(end && *end == '\n', "%s", p);
        p = end + 1;
    }
    return lines;
}

Test(text, the_json_reader_itself)
{
    static const char *const bad[] = {"{\"a\":\"\x01\"}", "{\"a\":NaN}", "{\"a\" 1}", "{\"a\":01}",
                                      "{\"a\":\"\\x\"}",  "[1,]",        "{a:1}",     "\"abc"};
    for (size_t i = 0; i < ETL_COUNT_OF(bad); i++) {
        const char *end = json_value(bad[i]);
        cr_assert(!end || *end, "%s", bad[i]);
    }
    cr_assert_str_eq(json_value("{\"a\":[1,-2.5e3,true,\"\\u0041\"],\"b\":{}}"), "");
}

/* ---- what lines look like ---- */

/* A TraceLogging event with one field of each kind. */
static etl_build *kinds(void)
{
    double share = 0.25;
    etl_payload meta = {.size = 0}, p = {.size = 0};
    etl_put_tl_event(&meta, "E");
    etl_put_tl_field(&meta, "Text", 1, -1, 0);
    etl_put_tl_field(&meta, "Plain", 2, -1, 0);
    etl_put_tl_field(&meta, "Empty", 1, -1, 0);
    etl_put_tl_field(&meta, "Signed", 7, -1, 0);
    etl_put_tl_field(&meta, "Big", 10, -1, 0);
    etl_put_tl_field(&meta, "Yes", 13, -1, 0);
    etl_put_tl_field(&meta, "Ip", 8, 8, 0);
    etl_put_tl_field(&meta, "When", 17, -1, 0);
    etl_put_tl_field(&meta, "Share", 12, -1, 0);
    etl_put_tl_field(&meta, "Id", 15, -1, 0);
    etl_put_tl_field(&meta, "List", 0x40 | 6, -1, 0);
    etl_put_wide(&p, "a b");
    etl_put_string(&p, "ab");
    etl_put_wide(&p, "");
    etl_put_u32(&p, (uint32_t)-5);
    etl_put_u64(&p, UINT64_MAX);
    etl_put_u32(&p, 1);
    etl_put_bytes(&p, "\x0A\x00\x00\x01", 4);
    etl_put_u64(&p, (uint64_t)START);
    etl_put_bytes(&p, &share, 8);
    etl_put_guid(&p, OTHER);
    etl_put_u16(&p, 2);
    etl_put_u16(&p, 7);
    etl_put_u16(&p, 8);
    etl_build *b = new_build();
    put_tl(b, PROVIDER, "Prov", &meta, 5, &p);
    return b;
}

Test(text, line)
{
    assert_text(kinds(), ETL_TEXT_LINE,
                "2026-07-02T04:00:00.0000005Z cpu=0 pid=10 tid=11 Prov_E Text=\"a b\" Plain=ab "
                "Empty=\"\" Signed=-5 Big=18446744073709551615 Yes=true Ip=10.0.0.1 "
                "When=2026-07-02T04:00:00.0000000Z Share=0.25 Id=" OTHER " List=[7,8]\n");
}

Test(text, json)
{
    char *text = render_some(kinds(), ETL_TEXT_JSON, NULL, NULL);
    cr_assert_eq(assert_json_lines(text), 1);
    free(text);
    assert_text(
        kinds(), ETL_TEXT_JSON,
        "{\"time\":\"2026-07-02T04:00:00.0000005Z\",\"event_id\":1,\"provider\":\"Prov\","
        "\"provider_guid\":\"" PROVIDER "\",\"event_type\":\"Prov_E\",\"event\":\"E\",\"id\":0,"
        "\"version\":0,\"opcode\":0,\"level\":4,\"keywords\":\"0x0\",\"cpu\":0,\"process_id\":10,"
        "\"thread_id\":11,\"status\":\"exact\",\"data\":{\"Text\":\"a b\",\"Plain\":\"ab\","
        "\"Empty\":\"\",\"Signed\":-5,\"Big\":18446744073709551615,\"Yes\":true,"
        "\"Ip\":\"10.0.0.1\",\"When\":\"2026-07-02T04:00:00.0000000Z\",\"Share\":0.25,"
        "\"Id\":\"" OTHER "\",\"List\":[7,8]}}\n");
}

Test(text, raw_payload_and_status)
{
    for (int format = ETL_TEXT_LINE; format <= ETL_TEXT_JSON; format++) {
        etl_build *b = new_build();
        etl_payload p = U32S(0xAABBCCDD);
        put_event(b, 1, 0, 5, &p);
        p.size = 0;
        put_event(b, 2, 0, 6, &p);
        p = U32S(1);
        put_event(b, 3, 0, 7, &p);
        char *text = render_some(b, (etl_text_format)format, NULL, NULL);
        const char *first = format == ETL_TEXT_JSON ? ",\"payload\":\"DDCCBBAA\"}\n"
                                                    : " [no schema] payload=DDCCBBAA\n";
        const char *third = format == ETL_TEXT_JSON ? ",\"payload\":\"01000000\"}\n"
                                                    : " [no schema] payload=01000000\n";
        cr_assert_eq(occurrences(text, first), 1, "%s", text);
        cr_assert_eq(occurrences(text, third), 1, "%s", text);
        cr_assert_eq(occurrences(text, "payload"), 2);
        cr_assert_eq(occurrences(text, "\n"), 3);
        if (format == ETL_TEXT_JSON)
            cr_assert_eq(assert_json_lines(text), 3);
        free(text);
    }
}

/* Interned ids refer to rows of earlier batches. */
Test(text, activities_and_sids_across_batches)
{
    etl_build *b = new_build();
    etl_build_item items[] = {{2, "\x01\x01\0\0\0\0\0\x05\x12\0\0\0", 12},
                              {1, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x09", 16}};
    for (int i = 0; i < 3; i++)
        etl_build_event_record(b, 8,
                               &(etl_build_event){.provider = PROVIDER,
                                                  .id = 1,
                                                  .process = 1,
                                                  .thread = 2,
                                                  .time = i,
                                                  .activity = OTHER,
                                                  .items = items,
                                                  .item_count = i == 1 ? 0 : 2},
                               NULL, 0);
    char *text = render_some(b, ETL_TEXT_JSON, &(etl_decoder_options){.batch_rows = 1}, NULL);
    cr_assert_eq(assert_json_lines(text), 3);
    cr_assert_eq(occurrences(text, ",\"activity\":\"" OTHER "\""), 3, "%s", text);
    cr_assert_eq(occurrences(text, ",\"user_sid\":\"S-1-5-18\""), 2);
    cr_assert_eq(
        occurrences(text, ",\"related_activity\":\"00000000-0000-0000-0000-000000000009\""), 2);
    free(text);
}

Test(text, mapped_values_have_a_text_twin)
{
    static const info_field fields[] = {{"A", ETL_IN_UINT32, 0, "M"}};
    static const map_text entries[] = {{1, "say \"one\"\n"}};
    for (int format = ETL_TEXT_LINE; format <= ETL_TEXT_JSON; format++) {
        etl_build *b = new_build();
        put_map(b, PROVIDER, "M", false, entries, 1);
        put_info(b, &(info){.provider = PROVIDER,
                            .provider_name = "P",
                            .id = 1,
                            .fields = fields,
                            .field_count = 1});
        for (uint32_t i = 1; i <= 2; i++) {
            etl_payload p = U32S(i);
            put_event(b, 1, 0, i, &p);
        }
        char *text = render_some(b, (etl_text_format)format, NULL, NULL);
        if (format == ETL_TEXT_JSON) {
            cr_assert_eq(assert_json_lines(text), 2);
            cr_assert_eq(occurrences(text, "{\"A\":1,\"A_text\":\"say \\\"one\\\""), 1, "%s", text);
            cr_assert_eq(occurrences(text, "{\"A\":2}"), 1, "%s", text);
        } else {
            cr_assert_eq(occurrences(text, " A=\"say \\\"one\\\""), 1, "%s", text);
            cr_assert_eq(occurrences(text, " A=2\n"), 1, "%s", text);
        }
        free(text);
    }
}

/* A terminal or a parser behind the pipe must not be reached by what a trace says. */
Test(text, hostile_texts_are_escaped)
{
    for (int format = ETL_TEXT_LINE; format <= ETL_TEXT_JSON; format++) {
        etl_payload meta = {.size = 0}, p = {.size = 0};
        etl_put_tl_event(&meta, "E\x1B[2J");
        etl_put_tl_field(&meta, "Na\n\"me\x1B", 1, -1, 0);
        etl_put_tl_field(&meta, "Ansi", 2, -1, 0);
        /* quote, backslash, ESC, line feed, DEL, CSI, a lone surrogate, a pair */
        static const uint16_t units[] = {'"',    '\\', 0x1B,   '\n',   0x7F, 0x9B,
                                         0xD800, 'x',  0xD83D, 0xDE00, 0};
        for (size_t i = 0; i < ETL_COUNT_OF(units); i++)
            etl_put_u16(&p, units[i]);
        etl_put_string(&p, "\x80\xFF\x01");
        etl_build *b = new_build();
        put_tl(b, PROVIDER, "P\x07\"q", &meta, 5, &p);
        char *text = render_some(b, (etl_text_format)format, NULL, NULL);
        cr_assert(etl_utf8_valid((const uint8_t *)text, strlen(text)));
        for (const char *c = text; *c; c++)
            cr_assert((unsigned char)*c >= 0x20 || (*c == '\n' && !c[1]), "byte %d of %s",
                      (int)(c - text), text);
        cr_assert_null(strchr(text, 0x7F));
        cr_assert_null(strstr(text, "\xC2\x9B"));
        cr_assert_not_null(strstr(text, "\"\\\"\\\\\\u001b\\n\\u007f\\u009b\xEF\xBF\xBDx"
                                        "\xF0\x9F\x98\x80\""),
                           "%s", text);
        cr_assert_not_null(strstr(text, "Na\\n\\\"me\\u001b"), "%s", text);
        if (format == ETL_TEXT_JSON)
            cr_assert_eq(assert_json_lines(text), 1);
        free(text);
    }
}

/* What is no number in JSON becomes text. */
Test(text, doubles_without_a_number)
{
    static const double values[] = {1.0 / 3, __builtin_inf(), -__builtin_inf(), 1e300};
    etl_payload meta = {.size = 0};
    etl_put_tl_event(&meta, "E");
    etl_put_tl_field(&meta, "D", 12, -1, 0);
    etl_put_tl_field(&meta, "L", 0x40 | 12, -1, 0);
    etl_build *b = new_build();
    for (size_t i = 0; i < ETL_COUNT_OF(values); i++) {
        etl_payload p = {.size = 0};
        etl_put_bytes(&p, &values[i], 8);
        etl_put_u16(&p, 1);
        etl_put_bytes(&p, &values[i], 8);
        put_tl(b, PROVIDER, "P", &meta, 5, &p);
    }
    char *text = render_some(b, ETL_TEXT_JSON, NULL, NULL);
    cr_assert_eq(assert_json_lines(text), 4);
    cr_assert_eq(occurrences(text, "\"D\":\"Infinity\""), 1, "%s", text);
    cr_assert_eq(occurrences(text, "\"D\":\"-Infinity\""), 1);
    cr_assert_eq(occurrences(text, "\"D\":0.3333333333333333,"), 1, "%s", text);
    free(text);
}

/* ---- limits and failures ---- */

static etl_build *many(int count)
{
    etl_build *b = new_build();
    etl_payload p = U32S(1);
    for (int i = 0; i < count; i++)
        put_event(b, 1, 0, i, &p);
    return b;
}

Test(text, limit)
{
    static const uint64_t limits[] = {0, 1, 7, 10, 11};
    static const size_t batch_rows[] = {1, 3, 0};
    for (size_t i = 0; i < ETL_COUNT_OF(limits); i++) {
        for (size_t k = 0; k < ETL_COUNT_OF(batch_rows); k++) {
            uint64_t limit = limits[i];
            etl_decoder_options options = {.batch_rows = batch_rows[k]};
            char *text = render_some(many(10), ETL_TEXT_LINE, &options, &limit);
            uint64_t written = limits[i] < 10 ? limits[i] : 10;
            cr_assert_eq(occurrences(text, "\n"), written);
            cr_assert_eq(limit, limits[i] - written);
            free(text);
        }
    }
}

/* Writes everything to a stream without a buffer. */
static int write_to(FILE *file, etl_error *error)
{
    setvbuf(file, NULL, _IONBF, 0);
    decoding d = decode_built(many(3), NULL);
    etl_text_writer *writer;
    cr_assert_eq(etl_text_writer_open(file, ETL_TEXT_JSON, &writer, NULL), ETL_OK);
    etl_batch *batch;
    cr_assert_eq(etl_decoder_next(d.decoder, &batch, NULL), ETL_OK);
    cr_assert_gt(batch->events.row_count, 0);
    int r = etl_text_writer_batch(writer, batch, NULL, error);
    etl_text_writer_close(writer);
    decode_done(&d);
    return r;
}

Test(text, full_disk)
{
    FILE *file = fopen("/dev/full", "w");
    cr_assert_not_null(file);
    etl_error error = {0};
    cr_assert_eq(write_to(file, &error), ETL_ERR_OUTPUT);
    cr_assert_eq(error.system_errno, ENOSPC);
    cr_assert_neq(error.message[0], 0);
    fclose(file);
}

Test(text, reader_that_went_away)
{
    int ends[2];
    signal(SIGPIPE, SIG_IGN);
    cr_assert_eq(pipe(ends), 0);
    close(ends[0]);
    FILE *file = fdopen(ends[1], "w");
    etl_error error = {0};
    cr_assert_eq(write_to(file, &error), ETL_ERR_OUTPUT);
    cr_assert_eq(error.system_errno, EPIPE);
    fclose(file);
}

Test(text, arguments)
{
    etl_text_writer *writer = NULL;
    cr_assert_eq(etl_text_writer_open(NULL, ETL_TEXT_LINE, &writer, NULL), ETL_ERR_ARG);
    cr_assert_eq(etl_text_writer_open(stdout, ETL_TEXT_LINE, NULL, NULL), ETL_ERR_ARG);
    cr_assert_eq(etl_text_writer_batch(NULL, NULL, NULL, NULL), ETL_ERR_ARG);
    cr_assert_null(etl_text_writer_close(NULL));
}
