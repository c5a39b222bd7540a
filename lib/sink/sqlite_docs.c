/* The doc table: what every table and column means, inside the database itself. */
#include "sink/sqlite_sink.h"

/* Table, column ('' is the table itself), description. */
static const char *const docs[][3] = {
    {"meta", "", "tool, versions and command that made this database"},
    {"source", "", "one row an input file, with its session, losses and byte accounting"},
    {"source", "path", "as given on the command line"},
    {"source", "compression", "none, or what the input was wrapped in"},
    {"source", "size", "bytes of the input as stored"},
    {"source", "trace_size", "bytes of the trace after unwrapping"},
    {"source", "sha256", "of the input as stored"},
    {"source", "logger_name", "session name"},
    {"source", "log_file_name", "path the session wrote to"},
    {"source", "os_build", "Windows build of the writer"},
    {"source", "clock", "QPC, system time or CPU cycle: unit of event.raw_time"},
    {"source", "frequency", "ticks a second of event.raw_time"},
    {"source", "first_raw_time", "raw time of the header record, which start_time belongs to"},
    {"source", "timer_resolution", "clock interrupt period in units of 100 ns"},
    {"source", "pointer_size", "of the log; each event has its own"},
    {"source", "log_file_mode", "LogFileMode bits; log_file_mode_text spells them out"},
    {"source", "boot_time", "UTC, rounded by Windows; never used for event times"},
    {"source", "start_time", "UTC; start of the session"},
    {"source", "end_time", "UTC; NULL when the file was not closed"},
    {"source", "bias", "minutes to add to local time for UTC"},
    {"source", "buffers_written", "as the header says; a hint only"},
    {"source", "buffers_read", "buffers found in the file"},
    {"source", "buffers_damaged", "buffers that could not be read, or only in part"},
    {"source", "records", "event records found, header and metadata records included"},
    {"source", "records_unknown", "records of an unknown kind, whose bytes are kept raw"},
    {"source", "events_lost", "events that the session lost, as its header says"},
    {"source", "buffers_lost", "buffers that the session lost, as its header says"},
    {"source", "bytes_header",
     "with bytes_used, bytes_padding and bytes_skipped this is trace_size"},
    {"provider", "", "providers, event classes and WPP message GUIDs that occur"},
    {"provider", "guid", "lower case, no braces"},
    {"provider", "name", "the GUID where no name is known"},
    {"event_type", "", "kinds of event: provider with event id, opcode (classic) or name"},
    {"event_type", "kind", "manifest, tracelogging, string, classic or wpp"},
    {"event_type", "schema_source",
     "where the schema came from: tracelogging (the record), trace, eventsource, pack, string, "
     "none"},
    {"event_type", "event_count", "events in this database"},
    {"event_type", "exact_count", "events whose payload the schema used up exactly"},
    {"event_type", "name", "name of the view; its table is name_data"},
    {"event_type", "table_name",
     "table of the typed payload; NULL when no event of the type has a schema"},
    {"field", "", "payload fields by event type"},
    {"field", "name", "as the schema spells it; members of a struct as Struct_Member"},
    {"field", "column_name", "column of the table; differs from name when names clash"},
    {"field", "in_type", "TDH in-type number"},
    {"field", "out_type", "TDH out-type number"},
    {"field", "is_json", "1: an array or an array of structs, stored as JSON"},
    {"event", "", "one row an event, ids in time order"},
    {"event", "ts", "nanoseconds since 1970-01-01 UTC, in steps of 100"},
    {"event", "process_id", "NULL when the record does not tell"},
    {"event", "thread_id", "NULL when the record does not tell"},
    {"event", "cpu", "processor of the buffer"},
    {"event", "keywords", "64 bits, signed"},
    {"event", "user_id", "row of sid"},
    {"event", "stack_id", "row of stack: the stack captured with the event"},
    {"event", "version", "of the event, which its schema was chosen by"},
    {"event", "status",
     "0 exact, 1 by the schema of a lower version, 2 by the other pointer size, 3 bytes left over, "
     "4 too short, 5 known in part, 6 no schema; from 3 on raw_payload has the bytes"},
    {"event", "file_offset", "byte offset of the record; of its buffer when that is compressed"},
    {"event", "raw_time", "in ticks of the session clock, see source.clock"},
    {"raw_payload", "", "payload bytes of events that were not decoded exactly (all with --raw)"},
    {"extended", "",
     "extended data items without a column of their own; WPP sequence "
     "and component, instances of classic events"},
    {"activity", "", "activity ids"},
    {"sid", "", "user SIDs of events"},
    {"stack", "", "distinct call stacks"},
    {"stack_frame", "", "addresses of a stack, innermost first"},
    {"map_value", "", "enumerations (value) and bit maps (bits) by column"},
    {"diagnostic", "", "data problems and losses, counted"},
    {"diagnostic", "count", "how many this row stands for"},
    {"doc", "", "this table"},
    {"event_text", "", "view: the event table with all names spelled out"},
    {"event_text", "event_id", "row of event; event_number is the id that Windows gave the event"},
    {"event_text", "time", "UTC, ISO 8601 with seven decimals"},
    {"event_text", "event_type", "name of the type's view"},
    {"event_text", "event", "name of the event as its schema has it"},
    {"event_text", "event_number", "id of a manifest event, number of a WPP message, else 0"},
    {"event_text", "process_id", "of the record's header: for a process start that is the parent"},
    {"event_text", "status",
     "exact, lower version, pointer size, trailing bytes, short, opaque or no schema; see "
     "event.status"},
    {"event_text", "source", "path of the input"}};

int etl_sqlite_write_docs(etl_sqlite_sink *sink, etl_error *error)
{
    etl_str sql = {0};
    etl_str_puts(&sql, "INSERT INTO doc VALUES");
    for (size_t i = 0; i < ETL_COUNT_OF(docs); i++) {
        for (int k = 0; k < 3; k++) {
            etl_str_puts(&sql, k ? "," : i ? ",(" : "(");
            etl_sqlite_literal(&sql, docs[i][k]);
        }
        etl_str_puts(&sql, ")");
    }
    int r = sql.failed ? etl_fail(error, ETL_ERR_NOMEM, "out of memory for SQL")
                       : etl_sqlite_exec(sink->db, sql.data, error);
    etl_str_free(&sql);
    /* Columns without a line of their own explain themselves; they are listed all the same. */
    if (r == ETL_OK)
        r = etl_sqlite_exec(sink->db,
                            "INSERT OR IGNORE INTO doc SELECT m.name, c.name,"
                            " replace(c.name,'_',' ') FROM sqlite_master m, pragma_table_info("
                            "m.name) c WHERE (m.type='table' OR m.name='event_text') AND m.name "
                            "NOT LIKE '%\\_data' "
                            "ESCAPE '\\' AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\';"
                            "INSERT OR IGNORE INTO doc SELECT t.table_name, '',"
                            "'typed payload of '||t.name||' events' FROM event_type t WHERE "
                            "t.table_name IS NOT NULL;"
                            "INSERT OR IGNORE INTO doc SELECT t.table_name, f.column_name,"
                            "'property '||f.name FROM field f JOIN event_type t ON "
                            "t.id=f.event_type_id WHERE t.table_name IS NOT NULL;"
                            "INSERT OR IGNORE INTO doc SELECT table_name,'event_id','row of event'"
                            " FROM event_type WHERE table_name IS NOT NULL;"
                            "INSERT OR IGNORE INTO doc SELECT name,'','view: events of this type "
                            "with all names and texts' FROM event_type;",
                            error);
    return r;
}
