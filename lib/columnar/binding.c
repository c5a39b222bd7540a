/* Distinct events of a trace (provider, id, version, opcode, kind, TraceLogging metadata) and what
   is known of each: type and candidate layouts. One probe a record; everything else happens once.
 */
#include "columnar/columnar.h"

#include <stdlib.h>

static int kind_of(const etl_record *record)
{
    if (record->kind == ETL_HEADER_MESSAGE)
        return ETL_KIND_WPP;
    if (record->kind != ETL_HEADER_EVENT)
        return ETL_KIND_CLASSIC;
    if (record->flags & ETL_RECORD_STRING_ONLY)
        return ETL_KIND_STRING;
    return record->schema_tl.data ? ETL_KIND_TRACELOGGING : ETL_KIND_MANIFEST;
}

static uint64_t mix(uint64_t h, uint64_t value)
{
    h = (h ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return h ^ h >> 32;
}

static uint64_t hash_of(const etl_record *record, int kind, uint32_t build)
{
    uint64_t h =
        mix(etl_load_u64(record->provider.bytes), etl_load_u64(record->provider.bytes + 8));
    h = mix(h, (uint64_t)record->id << 24 | (uint64_t)record->version << 16 |
                   (uint64_t)record->opcode << 8 | (uint64_t)kind);
    h = mix(h, build);
    if (kind == ETL_KIND_TRACELOGGING)
        h = mix(h, etl_hash(record->schema_tl.data, record->schema_tl.size));
    return h;
}

static bool same(const etl_binding *binding, uint64_t hash, const etl_record *record, int kind,
                 uint32_t build)
{
    return binding->hash == hash && binding->kind == kind && binding->build == build &&
           binding->id == record->id && binding->version == record->version &&
           binding->opcode == record->opcode &&
           etl_guid_equal(&binding->provider, &record->provider) &&
           (kind != ETL_KIND_TRACELOGGING ||
            (binding->metadata_size == record->schema_tl.size &&
             memcmp(binding->metadata, record->schema_tl.data, record->schema_tl.size) == 0));
}

static bool grow(etl_bindings *bindings)
{
    size_t capacity = bindings->capacity ? bindings->capacity * 2 : 256;
    etl_binding **slots = calloc(capacity, sizeof *slots);
    if (!slots)
        return false;
    for (size_t i = 0; i < bindings->capacity; i++) {
        etl_binding *binding = bindings->slots[i];
        if (!binding)
            continue;
        size_t at = binding->hash & (capacity - 1);
        while (slots[at])
            at = (at + 1) & (capacity - 1);
        slots[at] = binding;
    }
    free(bindings->slots);
    bindings->slots = slots;
    bindings->capacity = capacity;
    return true;
}

void etl_bindings_done(etl_bindings *bindings)
{
    free(bindings->slots);
    etl_arena_free(&bindings->arena);
}

static int add_layouts(etl_bindings *bindings, etl_binding *binding,
                       const etl_event_schema *const *schemas, size_t count, size_t exact_count,
                       const etl_record *record, etl_error *error)
{
    binding->layouts = etl_arena_array(&bindings->arena, count, sizeof *binding->layouts);
    if (!binding->layouts)
        return etl_fail(error, ETL_ERR_NOMEM, "out of memory for event layouts");
    for (size_t i = 0; i < count; i++) {
        etl_error bad = {0};
        const etl_layout *layout;
        int r = etl_schema_check(schemas[i], &bad);
        if (r == ETL_OK)
            r = etl_layout_compile(schemas[i], &bindings->arena, &layout, &bad);
        if (r == ETL_ERR_NOMEM)
            return etl_fail(error, r, "out of memory for event layouts");
        if (r != ETL_OK) {
            etl_diag_add(bindings->diag, ETL_DIAG_SCHEMA_BAD, record->source, record->file_offset,
                         1, "%s", bad.message);
            continue;
        }
        binding->layouts[binding->layout_count].layout = layout;
        binding->layout_count++;
        if (i < exact_count)
            binding->exact_count++;
        if (layout->field_count > binding->max_fields)
            binding->max_fields = layout->field_count;
    }
    return ETL_OK;
}

static int find_schemas(etl_bindings *bindings, etl_binding *binding, const etl_record *record,
                        etl_error *error)
{
    const etl_event_schema *one = NULL;
    switch (binding->kind) {
    case ETL_KIND_STRING: one = etl_schema_string_only(); break;
    case ETL_KIND_TRACELOGGING: {
        etl_error bad = {0};
        int r = etl_catalog_tracelogging(bindings->catalog, &record->provider,
                                         record->schema_tl.data, record->schema_tl.size,
                                         record->traits.data, record->traits.size, &one, &bad);
        if (r == ETL_ERR_NOMEM)
            return etl_fail(error, r, "out of memory for a TraceLogging schema");
        if (r != ETL_OK)
            etl_diag_add(bindings->diag, ETL_DIAG_SCHEMA_BAD, record->source, record->file_offset,
                         1, "TraceLogging metadata: %s", bad.message);
        break;
    }
    case ETL_KIND_WPP: break;
    default: {
        etl_schema_key key = {.provider = record->provider,
                              .id = record->id,
                              .version = record->version,
                              .opcode = record->opcode,
                              .classic = binding->kind == ETL_KIND_CLASSIC};
        etl_schema_set set = {0};
        int r = etl_catalog_lookup(bindings->catalog, &key, binding->build, &set, error);
        if (r != ETL_OK)
            return r;
        if (!set.count && binding->kind == ETL_KIND_MANIFEST &&
            record->id == ETL_MANIFEST_EVENT_ID && record->opcode == ETL_MANIFEST_OPCODE) {
            one = etl_schema_manifest_data();
            break;
        }
        binding->type = etl_types_get(bindings->types, record, binding->kind,
                                      set.count ? set.schemas[0] : NULL);
        return set.count ? add_layouts(bindings, binding, set.schemas, set.count, set.exact_count,
                                       record, error)
                         : ETL_OK;
    }
    }
    binding->type = etl_types_get(bindings->types, record, binding->kind, one);
    return one ? add_layouts(bindings, binding, &one, 1, 1, record, error) : ETL_OK;
}

/* Past the limit of distinct events nothing new is learned: such records share one type without a
   schema, so that memory stays bounded and no event is lost. */
static etl_binding *overflow(etl_bindings *bindings, const etl_record *record, etl_error *error)
{
    etl_diag_add(bindings->diag, ETL_DIAG_EVENT_TYPE_LIMIT, record->source, record->file_offset, 1,
                 NULL);
    if (!bindings->overflow) {
        etl_binding *binding = etl_arena_alloc(&bindings->arena, sizeof *binding);
        etl_record nobody = {.kind = ETL_HEADER_MESSAGE};
        if (binding)
            binding->type = etl_types_get(bindings->types, &nobody, ETL_KIND_WPP, NULL);
        if (!binding || !binding->type) {
            etl_fail(error, ETL_ERR_NOMEM, "out of memory for event types");
            return NULL;
        }
        binding->kind = ETL_KIND_WPP;
        binding->wanted = -1;
        bindings->overflow = binding;
    }
    return bindings->overflow;
}

etl_binding *etl_bindings_get(etl_bindings *bindings, const etl_record *record, etl_error *error)
{
    int kind = kind_of(record);
    uint32_t build = bindings->builds[record->source];
    uint64_t hash = hash_of(record, kind, build);
    if (bindings->capacity) {
        size_t at = hash & (bindings->capacity - 1);
        for (; bindings->slots[at]; at = (at + 1) & (bindings->capacity - 1))
            if (same(bindings->slots[at], hash, record, kind, build))
                return bindings->slots[at];
    }
    if (bindings->count >= ETL_LIMIT_EVENT_TYPES)
        return overflow(bindings, record, error);
    if (bindings->count * 2 >= bindings->capacity && !grow(bindings))
        goto no_memory;
    etl_binding *binding = etl_arena_alloc(&bindings->arena, sizeof *binding);
    if (!binding)
        goto no_memory;
    binding->hash = hash;
    binding->provider = record->provider;
    binding->id = record->id;
    binding->version = record->version;
    binding->opcode = record->opcode;
    binding->kind = (uint8_t)kind;
    binding->build = build;
    binding->wanted = -1;
    if (kind == ETL_KIND_TRACELOGGING) {
        uint8_t *copy = etl_arena_alloc(&bindings->arena, record->schema_tl.size);
        if (!copy)
            goto no_memory;
        memcpy(copy, record->schema_tl.data, record->schema_tl.size);
        binding->metadata = copy;
        binding->metadata_size = record->schema_tl.size;
    }
    if (find_schemas(bindings, binding, record, error) != ETL_OK)
        return NULL;
    if (!binding->type)
        goto no_memory;
    size_t at = hash & (bindings->capacity - 1);
    while (bindings->slots[at])
        at = (at + 1) & (bindings->capacity - 1);
    bindings->slots[at] = binding;
    bindings->count++;
    return binding;

no_memory:
    etl_fail(error, ETL_ERR_NOMEM, "out of memory for event types");
    return NULL;
}

/* Texts of a wrong reading are full of control characters. */
static bool texts_plausible(const etl_layout *layout, const etl_slice *slices)
{
    for (size_t i = 0; i < layout->field_count; i++) {
        if (layout->fields[i].kind != ETL_VALUE_UTF16 || !slices[i].data)
            continue;
        for (uint32_t at = 0; at + 2 <= slices[i].size; at += 2) {
            if (etl_load_u16(slices[i].data + at) < 0x20)
                return false;
        }
    }
    return true;
}

/* A 32-bit writer may log payloads of 64-bit machines as they are; both readings can then use the
   payload up, as both begin with pointers and end with a text. Leaves the slices of the reading it
   chooses. */
static bool other_size_reads_better(const etl_layout *layout, const etl_record *record,
                                    etl_slice *slices)
{
    const uint8_t *payload = record->payload.data;
    size_t size = record->payload.size;
    if (texts_plausible(layout, slices))
        return false;
    if (etl_layout_slice(layout, payload, size, 8, slices) == ETL_FIT_EXACT &&
        texts_plausible(layout, slices))
        return true;
    etl_layout_slice(layout, payload, size, 4, slices);
    return false;
}

etl_bound_layout *etl_binding_choose(etl_binding *binding, const etl_record *record,
                                     etl_slice *slices, int *ret_status, uint8_t *ret_pointer_size)
{
    const uint8_t *payload = record->payload.data;
    size_t size = record->payload.size;
    uint8_t own = record->pointer_size;
    *ret_pointer_size = own;
    for (size_t i = 0; i < binding->exact_count; i++) {
        if (etl_layout_slice(binding->layouts[i].layout, payload, size, own, slices) ==
            ETL_FIT_EXACT) {
            *ret_status = ETL_STATUS_EXACT;
            if (ETL_UNLIKELY(own == 4 && record->kind == ETL_HEADER_FULL) &&
                other_size_reads_better(binding->layouts[i].layout, record, slices)) {
                *ret_status = ETL_STATUS_POINTER_SIZE;
                *ret_pointer_size = 8;
            }
            return &binding->layouts[i];
        }
    }
    /* Some writers put payloads of the other pointer size under their header: the exact fit tells.
     */
    uint8_t other = own == 8 ? 4 : 8;
    for (size_t i = 0; i < binding->exact_count; i++) {
        if (etl_layout_slice(binding->layouts[i].layout, payload, size, other, slices) ==
            ETL_FIT_EXACT) {
            *ret_status = ETL_STATUS_POINTER_SIZE;
            *ret_pointer_size = other;
            return &binding->layouts[i];
        }
    }
    /* Only the nearest lower version: what lies further off fits by chance too often. */
    size_t lower = binding->exact_count;
    for (size_t i = lower; i < binding->layout_count; i++) {
        if (binding->layouts[i].layout->schema->version !=
            binding->layouts[lower].layout->schema->version)
            break;
        if (etl_layout_slice(binding->layouts[i].layout, payload, size, own, slices) ==
            ETL_FIT_EXACT) {
            *ret_status = ETL_STATUS_LOWER_VERSION;
            return &binding->layouts[i];
        }
    }
    if (!binding->exact_count) {
        *ret_status = ETL_STATUS_NO_SCHEMA;
        return NULL;
    }
    etl_fit fit = etl_layout_slice(binding->layouts[0].layout, payload, size, own, slices);
    *ret_status = fit == ETL_FIT_TRAILING ? ETL_STATUS_TRAILING
                  : fit == ETL_FIT_SHORT  ? ETL_STATUS_SHORT
                                          : ETL_STATUS_OPAQUE;
    return &binding->layouts[0];
}
