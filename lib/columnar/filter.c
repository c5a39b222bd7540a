/* Which events the user wants. What depends on the type is asked once per type. */
#include "columnar/columnar.h"

static bool provider_matches(const char *pattern, const etl_provider *provider)
{
    etl_guid guid;
    if (etl_guid_parse(pattern, &guid))
        return etl_guid_equal(&guid, &provider->guid);
    return etl_wildcard_match(pattern, provider->name);
}

static bool event_matches(const etl_event_pattern *pattern, const etl_event_type *type)
{
    if (!pattern->name) {
        uint16_t number = type->kind == ETL_KIND_CLASSIC ? type->opcode : type->event_id;
        return number >= pattern->first && number <= pattern->last;
    }
    return etl_wildcard_match(pattern->name, type->name) ||
           (type->event_name && etl_wildcard_match(pattern->name, type->event_name));
}

bool etl_filter_wants_type(const etl_filter *filter, const etl_event_type *type)
{
    bool wanted = filter->provider_count == 0;
    for (size_t i = 0; i < filter->provider_count && !wanted; i++)
        wanted = provider_matches(filter->providers[i], type->provider);
    if (!wanted)
        return false;
    wanted = filter->event_count == 0;
    for (size_t i = 0; i < filter->event_count && !wanted; i++)
        wanted = event_matches(&filter->events[i], type);
    return wanted;
}

bool etl_filter_wants_record(const etl_filter *filter, const etl_record *record)
{
    if (!filter->process_count)
        return true;
    if (!(record->flags & ETL_RECORD_HAS_PROCESS))
        return false;
    for (size_t i = 0; i < filter->process_count; i++)
        if (filter->processes[i] == record->process_id)
            return true;
    return false;
}
