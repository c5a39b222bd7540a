/* What etlkit info has found in one trace, for its text and JSON forms. */
#ifndef ETL_INFO_H
#define ETL_INFO_H

#include "cli/inputs.h"
#include "cli/json_out.h"

typedef struct info_report {
    etl_source *source;
    const etl_session_info *session;
    const etl_decoder *decoder;
    const etl_decoder_totals *totals;
    const etl_provider **providers; /* most events first */
    size_t provider_count;
    const etl_event_type **inexact; /* not all events decoded exactly; most of those first */
    size_t inexact_count;
    uint64_t sequence_gaps;
    bool full; /* all rows of long tables */
} info_report;

/* Events of a type that were not decoded exactly by their own schema. */
uint64_t info_inexact_events(const etl_event_type *type);
void info_sha256(etl_source *source, char ret_text[65]);

void info_print_text(const info_report *report);

void info_print_json(const info_report *report, json_out *json);

#endif
