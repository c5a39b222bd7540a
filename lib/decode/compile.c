/* Compiles schemas to layouts: once per event version, so that slicing has nothing to decide. */
#include "decode/layout.h"

#include <stdio.h>

enum {
    SIZE_VARIABLE = 0,
    SIZE_POINTER = 255,
    MAX_VISITS = 8 * ETL_LIMIT_PROPERTIES, /* whatever structs share */
    COUNT_FLAGS = ETL_PROPERTY_PARAM_COUNT | ETL_PROPERTY_FIXED_COUNT | ETL_PROPERTY_PAYLOAD_COUNT
};

typedef struct type_info {
    uint8_t kind;
    uint8_t size;
    bool is_signed;
} type_info;

/* etl-format 6.1 */
static const type_info basic_types[] = {
    [ETL_IN_NULL] = {ETL_VALUE_BINARY, SIZE_VARIABLE, false},
    [ETL_IN_UNICODESTRING] = {ETL_VALUE_UTF16, SIZE_VARIABLE, false},
    [ETL_IN_ANSISTRING] = {ETL_VALUE_ANSI, SIZE_VARIABLE, false},
    [ETL_IN_INT8] = {ETL_VALUE_INT, 1, true},
    [ETL_IN_UINT8] = {ETL_VALUE_INT, 1, false},
    [ETL_IN_INT16] = {ETL_VALUE_INT, 2, true},
    [ETL_IN_UINT16] = {ETL_VALUE_INT, 2, false},
    [ETL_IN_INT32] = {ETL_VALUE_INT, 4, true},
    [ETL_IN_UINT32] = {ETL_VALUE_INT, 4, false},
    [ETL_IN_INT64] = {ETL_VALUE_INT, 8, true},
    [ETL_IN_UINT64] = {ETL_VALUE_INT, 8, false},
    [ETL_IN_FLOAT] = {ETL_VALUE_DOUBLE, 4, true},
    [ETL_IN_DOUBLE] = {ETL_VALUE_DOUBLE, 8, true},
    [ETL_IN_BOOLEAN] = {ETL_VALUE_INT, 4, false},
    [ETL_IN_BINARY] = {ETL_VALUE_BINARY, SIZE_VARIABLE, false},
    [ETL_IN_GUID] = {ETL_VALUE_GUID, 16, false},
    [ETL_IN_POINTER] = {ETL_VALUE_INT, SIZE_POINTER, false},
    [ETL_IN_FILETIME] = {ETL_VALUE_INT, 8, false},
    [ETL_IN_SYSTEMTIME] = {ETL_VALUE_SYSTEMTIME, 16, false},
    [ETL_IN_SID] = {ETL_VALUE_BINARY, SIZE_VARIABLE, false},
    [ETL_IN_HEXINT32] = {ETL_VALUE_INT, 4, false},
    [ETL_IN_HEXINT64] = {ETL_VALUE_INT, 8, false},
    [ETL_IN_COUNTEDSTRING16] = {ETL_VALUE_UTF16, SIZE_VARIABLE, false},
    [ETL_IN_COUNTEDANSI16] = {ETL_VALUE_ANSI, SIZE_VARIABLE, false},
    [ETL_IN_STRUCT] = {ETL_VALUE_STRUCT, SIZE_VARIABLE, false},
    [ETL_IN_COUNTEDBINARY16] = {ETL_VALUE_BINARY, SIZE_VARIABLE, false},
};

static const type_info mof_types[] = {
    [ETL_IN_COUNTEDSTRING - 300] = {ETL_VALUE_UTF16, SIZE_VARIABLE, false},
    [ETL_IN_COUNTEDANSISTRING - 300] = {ETL_VALUE_ANSI, SIZE_VARIABLE, false},
    [ETL_IN_REVERSEDCOUNTEDSTRING - 300] = {ETL_VALUE_UTF16, SIZE_VARIABLE, false},
    [ETL_IN_REVERSEDCOUNTEDANSISTRING - 300] = {ETL_VALUE_ANSI, SIZE_VARIABLE, false},
    [ETL_IN_NONNULLTERMINATEDSTRING - 300] = {ETL_VALUE_UTF16, SIZE_VARIABLE, false},
    [ETL_IN_NONNULLTERMINATEDANSISTRING - 300] = {ETL_VALUE_ANSI, SIZE_VARIABLE, false},
    [ETL_IN_UNICODECHAR - 300] = {ETL_VALUE_UTF16, 2, false},
    [ETL_IN_ANSICHAR - 300] = {ETL_VALUE_ANSI, 1, false},
    [ETL_IN_SIZET - 300] = {ETL_VALUE_INT, SIZE_POINTER, false},
    [ETL_IN_HEXDUMP - 300] = {ETL_VALUE_BINARY, SIZE_VARIABLE, false},
    [ETL_IN_WBEMSID - 300] = {ETL_VALUE_BINARY, SIZE_VARIABLE, false},
};

typedef struct leaf {
    uint16_t property;
    uint16_t flags; /* ONLY64 and OPTIONAL, its own or of a struct around it */
} leaf;

typedef struct compiler {
    const etl_event_schema *schema;
    etl_arena *arena;
    etl_error *error;
    uint16_t registers[ETL_LIMIT_PROPERTIES]; /* of properties that others refer to */
    uint16_t register_count;
    uint32_t visits;
} compiler;

/* Ops of one scope for one pointer size. */
typedef struct program {
    etl_layout_op *ops;
    layout_span *spans;
    uint16_t op_count, span_count;
    bool run_open;
} program;

static bool is_scalar_struct(const etl_property *property)
{
    return property->flags & ETL_PROPERTY_STRUCT &&
           !(property->flags & (COUNT_FLAGS | ETL_PROPERTY_REST | ETL_PROPERTY_OPAQUE));
}

/* A byte or unit that is text: the MOF character types, and integers that read as characters
   (etl-format 6.2, STRING). */
static bool is_char(const etl_property *property)
{
    if (property->flags & (ETL_PROPERTY_STRUCT | ETL_PROPERTY_PAYLOAD_LENGTH))
        return false;
    switch (property->in_type) {
    case ETL_IN_UNICODECHAR:
    case ETL_IN_ANSICHAR: return true;
    case ETL_IN_INT8:
    case ETL_IN_UINT8:
    case ETL_IN_UINT16: return property->out_type == ETL_OUT_STRING;
    default: return false;
    }
}

static type_info info_of(const etl_property *property)
{
    size_t type = property->in_type;
    type_info info = {ETL_VALUE_BINARY, SIZE_VARIABLE, false};
    if (property->flags & ETL_PROPERTY_STRUCT)
        return (type_info){ETL_VALUE_STRUCT, SIZE_VARIABLE, false};
    if (type < ETL_COUNT_OF(basic_types))
        info = basic_types[type];
    else if (type >= 300 && type - 300 < ETL_COUNT_OF(mof_types))
        info = mof_types[type - 300];
    if (info.kind == ETL_VALUE_STRUCT) /* not one by its flag */
        info.kind = ETL_VALUE_BINARY;
    if (is_char(property))
        info.kind = info.size == 2 ? ETL_VALUE_UTF16 : ETL_VALUE_ANSI;
    if (property->flags & ETL_PROPERTY_PAYLOAD_LENGTH) {
        /* What a custom serializer wrote is its own secret, unless it is text. */
        if (info.kind != ETL_VALUE_UTF16 && info.kind != ETL_VALUE_ANSI)
            info.kind = ETL_VALUE_BINARY;
        info.size = SIZE_VARIABLE;
    }
    return info;
}

static bool is_array(const etl_property *property)
{
    if (property->flags & COUNT_FLAGS)
        return true;
    if (property->flags & ETL_PROPERTY_STRUCT)
        return property->flags & ETL_PROPERTY_REST;
    return property->flags & ETL_PROPERTY_REST && property->in_type != ETL_IN_BINARY &&
           property->in_type != ETL_IN_NONNULLTERMINATEDSTRING &&
           property->in_type != ETL_IN_NONNULLTERMINATEDANSISTRING;
}

/* Only strings and binary have a length (etl-format 6.5: fixed-size types ignore it). */
static bool has_length_register(const etl_property *property)
{
    return property->flags & ETL_PROPERTY_PARAM_LENGTH &&
           (property->in_type == ETL_IN_UNICODESTRING || property->in_type == ETL_IN_ANSISTRING ||
            property->in_type == ETL_IN_BINARY);
}

/* False when only the payload tells. */
static bool fixed_size(const etl_property *property, unsigned pointer_size, uint32_t *ret_size)
{
    type_info info = info_of(property);
    if (property->flags & (ETL_PROPERTY_STRUCT | ETL_PROPERTY_PAYLOAD_LENGTH) ||
        has_length_register(property))
        return false;
    if (info.size != SIZE_VARIABLE) {
        *ret_size = info.size == SIZE_POINTER ? pointer_size : info.size;
        return true;
    }
    switch (property->in_type) {
    case ETL_IN_UNICODESTRING:
    case ETL_IN_ANSISTRING:
        *ret_size = property->length * (property->in_type == ETL_IN_UNICODESTRING ? 2u : 1u);
        return property->length != 0;
    case ETL_IN_BINARY:
        if (property->flags & ETL_PROPERTY_REST && !is_array(property))
            return false;
        *ret_size = property->length;
        if (!*ret_size && property->out_type == ETL_OUT_IPV6)
            *ret_size = 16;
        return true;
    case ETL_IN_NULL:
    case ETL_IN_STRUCT: *ret_size = 0; return true;
    default: return false;
    }
}

bool layout_is_walked(const etl_property *property)
{
    uint32_t size;
    return is_array(property) && !is_char(property) && !has_length_register(property) &&
           !fixed_size(property, 8, &size);
}

static uint8_t field_type(const etl_property *property, type_info info)
{
    if (property->flags & ETL_PROPERTY_STRUCT)
        return ETL_FIELD_JSON;
    if (is_array(property) && !is_char(property))
        return ETL_FIELD_JSON;
    switch (info.kind) {
    case ETL_VALUE_INT: return ETL_FIELD_INT;
    case ETL_VALUE_DOUBLE: return ETL_FIELD_DOUBLE;
    case ETL_VALUE_GUID: return ETL_FIELD_GUID;
    case ETL_VALUE_BINARY:
        return property->in_type == ETL_IN_SID || property->in_type == ETL_IN_WBEMSID ||
                       property->out_type == ETL_OUT_IPV6 ||
                       property->out_type == ETL_OUT_SOCKETADDRESS
                   ? ETL_FIELD_TEXT
                   : ETL_FIELD_BINARY;
    default: return ETL_FIELD_TEXT;
    }
}

/* ---- ops ---- */

static etl_layout_op *add_op(program *p, layout_code code, size_t slot)
{
    etl_layout_op *op = &p->ops[p->op_count++];
    op->code = (uint8_t)code;
    op->slot = (uint16_t)slot;
    op->length_register = LAYOUT_NO_REGISTER;
    p->run_open = false;
    return op;
}

static void add_fixed(program *p, size_t slot, uint32_t size, uint32_t count)
{
    etl_layout_op *run = p->run_open ? &p->ops[p->op_count - 1] : NULL;
    if (!run || size > UINT32_MAX - run->unit) {
        run = add_op(p, OP_RUN, slot);
        run->u.spans = &p->spans[p->span_count];
        p->run_open = true;
    }
    p->spans[p->span_count++] = (layout_span){run->unit, size, count};
    run->unit += size;
    run->n++;
}

/* Notes that the scope reads a register; one that nothing in it sets comes from outside. */
static uint16_t read_register(layout_scope *scope, const bool *set, uint16_t reg)
{
    if (!set[reg] && scope->outer_register != reg) {
        if (scope->outer_register != LAYOUT_NO_REGISTER)
            scope->many_outer = true;
        scope->outer_register = reg;
    }
    return reg;
}

static void set_count(const compiler *c, layout_scope *scope, const bool *set, etl_layout_op *op,
                      const etl_property *property)
{
    if (property->flags & ETL_PROPERTY_PARAM_COUNT) {
        op->from = FROM_REGISTER;
        op->reg = read_register(scope, set, c->registers[property->count]);
    } else if (property->flags & ETL_PROPERTY_PAYLOAD_COUNT) {
        op->from = FROM_U16;
    } else if (property->flags & ETL_PROPERTY_FIXED_COUNT) {
        op->n = property->count;
    } else if (property->flags & ETL_PROPERTY_REST) {
        op->from = FROM_REST;
    } else {
        op->n = 1;
    }
}

/* Strings and binary whose size the payload tells, one value. */
static void add_sized(const compiler *c, layout_scope *scope, const bool *set, program *p,
                      size_t slot, const etl_property *property)
{
    type_info info = info_of(property);
    if (property->in_type == ETL_IN_SID || property->in_type == ETL_IN_WBEMSID) {
        add_op(p, property->in_type == ETL_IN_SID ? OP_SID : OP_WBEMSID, slot);
        return;
    }
    bool text = info.kind == ETL_VALUE_UTF16 || info.kind == ETL_VALUE_ANSI;
    bool plain =
        property->in_type == ETL_IN_UNICODESTRING || property->in_type == ETL_IN_ANSISTRING;
    bool wide = info.kind == ETL_VALUE_UTF16;
    if (plain && !property->length &&
        !(property->flags & (ETL_PROPERTY_PARAM_LENGTH | ETL_PROPERTY_PAYLOAD_LENGTH))) {
        add_op(p, wide ? OP_WSTRING : OP_STRING, slot);
        return;
    }
    etl_layout_op *op = add_op(p, OP_SIZED, slot);
    op->unit = 1;
    if (wide)
        op->flags |= OP_WIDE;
    if (text)
        op->flags |= OP_TEXT | OP_TRIM_NUL;
    if (property->flags & ETL_PROPERTY_PAYLOAD_LENGTH) {
        op->from = FROM_U16;
        return;
    }
    if (has_length_register(property)) {
        op->from = FROM_REGISTER;
        op->reg = read_register(scope, set, c->registers[property->length]);
        op->unit = wide ? 2 : 1;
        return;
    }
    switch (property->in_type) {
    case ETL_IN_COUNTEDSTRING16:
    case ETL_IN_COUNTEDANSI16:
    case ETL_IN_COUNTEDBINARY16:
    case ETL_IN_COUNTEDSTRING:
    case ETL_IN_COUNTEDANSISTRING:
        op->from = FROM_U16;
        op->flags |= OP_CLAMP; /* etl-format 6.5; the others do not */
        break;
    case ETL_IN_REVERSEDCOUNTEDSTRING:
    case ETL_IN_REVERSEDCOUNTEDANSISTRING: op->from = FROM_BE16; break;
    case ETL_IN_HEXDUMP: op->from = FROM_U32; break;
    case ETL_IN_UNICODESTRING:
    case ETL_IN_ANSISTRING: {
        op->n = property->length;
        op->unit = wide ? 2 : 1;
        op->flags = (uint8_t)((op->flags & ~OP_TRIM_NUL) | OP_CUT_NUL);
        break;
    }
    default: /* NONNULLTERMINATED…, binary to the end or to the length that it has at most */
        op->from = FROM_REST;
        if (!text)
            op->n = property->length;
    }
}

/* Characters: one, or as many as the count says, are one text. */
static void add_chars(const compiler *c, layout_scope *scope, const bool *set, program *p,
                      size_t slot, const etl_property *property)
{
    etl_layout_op *op = add_op(p, OP_SIZED, slot);
    bool wide = info_of(property).kind == ETL_VALUE_UTF16;
    op->unit = wide ? 2 : 1;
    set_count(c, scope, set, op, property);
    op->flags =
        (uint8_t)((wide ? OP_WIDE : 0) |
                  (op->from == FROM_NUMBER || op->from == FROM_REST ? OP_CUT_NUL : OP_TRIM_NUL));
}

static void add_array(const compiler *c, layout_scope *scope, const bool *set, program *p,
                      size_t slot, const etl_field *field, unsigned pointer_size)
{
    const etl_property *property = field->property;
    uint32_t size = 0;
    if (layout_is_walked(property)) {
        const layout_element *element = (const layout_element *)(const void *)property;
        etl_layout_op *op = add_op(p, OP_EACH, slot);
        op->u.element = element;
        set_count(c, scope, set, op, property);
        if (element->scope.outer_register != LAYOUT_NO_REGISTER)
            read_register(scope, set, element->scope.outer_register);
        scope->many_outer |= element->scope.many_outer;
        return;
    }
    if (fixed_size(property, pointer_size, &size) && property->flags & ETL_PROPERTY_FIXED_COUNT &&
        size <= ETL_LIMIT_RECORD_SIZE / 2) { /* the product fits 32 bits */
        uint32_t count = size ? property->count : 0;
        add_fixed(p, slot, size * count, count);
        return;
    }
    etl_layout_op *op = add_op(p, OP_ARRAY, slot);
    set_count(c, scope, set, op, property);
    op->unit = size;
    if (has_length_register(property)) {
        op->length_register = read_register(scope, set, c->registers[property->length]);
        op->unit = property->in_type == ETL_IN_UNICODESTRING ? 2 : 1;
    }
}

static void add_field(const compiler *c, layout_scope *scope, const bool *set, program *p,
                      size_t slot, uint16_t flags, unsigned pointer_size)
{
    const etl_field *field = &scope->layout.fields[slot];
    const etl_property *property = field->property;
    bool is_struct = property->flags & ETL_PROPERTY_STRUCT;
    uint32_t size;
    if (flags & ETL_PROPERTY_ONLY64 && pointer_size == 4) {
        add_op(p, OP_ABSENT, slot);
        return;
    }
    if (flags & ETL_PROPERTY_OPTIONAL) /* skips exactly one op */
        add_op(p, OP_OPTIONAL, slot);
    if (property->flags & ETL_PROPERTY_OPAQUE)
        add_op(p, OP_OPAQUE, slot);
    else if (!is_struct && property->in_type == ETL_IN_NULL)
        add_op(p, OP_ABSENT, slot);
    else if (!is_struct && is_char(property))
        add_chars(c, scope, set, p, slot, property);
    else if (is_array(property))
        add_array(c, scope, set, p, slot, field, pointer_size);
    else if (field->kind != ETL_VALUE_UTF16 && field->kind != ETL_VALUE_ANSI &&
             fixed_size(property, pointer_size, &size))
        add_fixed(p, slot, size, 1);
    else
        add_sized(c, scope, set, p, slot, property);
    if (flags & ETL_PROPERTY_OPTIONAL) /* a run that may be skipped must not grow */
        p->run_open = false;
}

static int build_program(const compiler *c, layout_scope *scope, const leaf *leaves,
                         unsigned pointer_size, etl_layout_op **ret_ops, uint16_t *ret_count)
{
    size_t count = scope->layout.field_count, op_count = count + 1;
    for (size_t i = 0; i < count; i++)
        op_count += (leaves[i].flags & ETL_PROPERTY_OPTIONAL ? 1u : 0u) +
                    (c->registers[leaves[i].property] != LAYOUT_NO_REGISTER);
    program p = {.ops = etl_arena_array(c->arena, op_count, sizeof *p.ops),
                 .spans = etl_arena_array(c->arena, count + 1, sizeof *p.spans)};
    if (!p.ops || !p.spans)
        return etl_fail(c->error, ETL_ERR_NOMEM, "out of memory for an event layout");
    bool set[ETL_LIMIT_PROPERTIES] = {false};
    for (size_t i = 0; i < count; i++) {
        add_field(c, scope, set, &p, i, leaves[i].flags, pointer_size);
        uint16_t reg = c->registers[leaves[i].property];
        if (reg != LAYOUT_NO_REGISTER) {
            add_op(&p, OP_LOAD, i)->reg = reg;
            set[reg] = true;
        }
    }
    add_op(&p, OP_END, 0);
    *ret_ops = p.ops;
    *ret_count = p.op_count;
    return ETL_OK;
}

/* ---- fields ---- */

typedef struct gathering {
    leaf *leaves; /* NULL: only count */
    etl_field *fields;
    size_t count;
} gathering;

/* Members of scalar structs become fields of their own. */
static int gather(compiler *c, gathering *g, size_t first, size_t count, const char *prefix,
                  uint16_t inherited, unsigned depth)
{
    if (depth > ETL_LIMIT_STRUCT_DEPTH || first + count > c->schema->property_count)
        return etl_fail(c->error, ETL_ERR_DAMAGED, "an event schema has impossible structs");
    for (size_t i = first; i < first + count; i++) {
        const etl_property *property = &c->schema->properties[i];
        if (++c->visits > MAX_VISITS || g->count >= LAYOUT_MAX_FIELDS)
            return etl_fail(c->error, ETL_ERR_LIMIT, "an event schema has too many fields");
        uint16_t flags =
            inherited | (property->flags & (ETL_PROPERTY_ONLY64 | ETL_PROPERTY_OPTIONAL));
        const char *own = property->name ? property->name : "";
        char *name = NULL;
        if (g->leaves) {
            size_t size = strlen(prefix) + strlen(own) + 2;
            name = etl_arena_alloc(c->arena, size);
            if (!name)
                return etl_fail(c->error, ETL_ERR_NOMEM, "out of memory for an event layout");
            snprintf(name, size, "%s%s%s", prefix, *prefix ? "_" : "", own);
        }
        if (is_scalar_struct(property)) {
            int r = gather(c, g, property->struct_start, property->struct_members, name ? name : "",
                           flags, depth + 1);
            if (r != ETL_OK)
                return r;
            continue;
        }
        if (g->leaves) {
            type_info info = info_of(property);
            g->leaves[g->count] = (leaf){(uint16_t)i, flags};
            g->fields[g->count] = (etl_field){.name = name,
                                              .property = property,
                                              .type = field_type(property, info),
                                              .kind = info.kind,
                                              .is_signed = info.is_signed,
                                              .width = info.size == SIZE_POINTER ? 0 : info.size};
        }
        g->count++;
    }
    return ETL_OK;
}

static int compile_scope(compiler *c, layout_scope *scope, size_t first, size_t count,
                         size_t scratch_used, unsigned depth, bool inside_array);

/* The element of an array that has to be walked. A scalar one is a scope of one field. */
static int compile_element(compiler *c, etl_field *field, size_t index, size_t scratch_used,
                           unsigned depth)
{
    layout_element *element = etl_arena_alloc(c->arena, sizeof *element);
    if (!element)
        return etl_fail(c->error, ETL_ERR_NOMEM, "out of memory for an event layout");
    const etl_property *property = field->property;
    element->property = *property;
    element->is_struct = property->flags & ETL_PROPERTY_STRUCT;
    field->property = &element->property;
    if (element->is_struct)
        return compile_scope(c, &element->scope, property->struct_start, property->struct_members,
                             scratch_used, depth + 1, true);
    if (scratch_used >= LAYOUT_MAX_FIELDS)
        return etl_fail(c->error, ETL_ERR_LIMIT, "an event schema has too many fields");
    etl_property *single = etl_arena_alloc(c->arena, sizeof *single);
    etl_field *member = etl_arena_alloc(c->arena, sizeof *member);
    if (!single || !member)
        return etl_fail(c->error, ETL_ERR_NOMEM, "out of memory for an event layout");
    *single = *property;
    single->flags &= ETL_PROPERTY_PAYLOAD_LENGTH | ETL_PROPERTY_FIXED_LENGTH;
    *member = *field;
    member->property = single;
    member->type = field_type(single, info_of(single));
    element->scope.layout = (etl_layout){.schema = c->schema, .field_count = 1, .fields = member};
    element->scope.outer_register = LAYOUT_NO_REGISTER;
    leaf only = {(uint16_t)index, 0};
    uint16_t own = c->registers[index];
    c->registers[index] = LAYOUT_NO_REGISTER; /* an element is no count */
    int r = ETL_OK;
    for (size_t i = 0; i < 2 && r == ETL_OK; i++) {
        etl_layout_op *ops = NULL;
        r = build_program(c, &element->scope, &only, i ? 8 : 4, &ops,
                          &element->scope.layout.op_count);
        element->scope.programs[i] = ops;
    }
    element->scope.layout.ops = element->scope.programs[1];
    c->registers[index] = own;
    return r;
}

static int compile_scope(compiler *c, layout_scope *scope, size_t first, size_t count,
                         size_t scratch_used, unsigned depth, bool inside_array)
{
    gathering g = {0};
    int r = gather(c, &g, first, count, "", 0, depth);
    if (r != ETL_OK)
        return r;
    if (inside_array && g.count > LAYOUT_MAX_FIELDS - scratch_used)
        return etl_fail(c->error, ETL_ERR_LIMIT, "an event schema has too many fields");
    g.leaves = etl_arena_array(c->arena, g.count + 1, sizeof *g.leaves);
    g.fields = etl_arena_array(c->arena, g.count + 1, sizeof *g.fields);
    if (!g.leaves || !g.fields)
        return etl_fail(c->error, ETL_ERR_NOMEM, "out of memory for an event layout");
    g.count = 0;
    r = gather(c, &g, first, count, "", 0, depth);
    scope->layout =
        (etl_layout){.schema = c->schema, .field_count = (uint16_t)g.count, .fields = g.fields};
    scope->outer_register = LAYOUT_NO_REGISTER;
    scope->register_count = c->register_count;
    if (inside_array)
        scratch_used += g.count;
    for (size_t i = 0; i < g.count && r == ETL_OK; i++)
        if (layout_is_walked(g.fields[i].property) &&
            !(g.fields[i].property->flags & ETL_PROPERTY_OPAQUE))
            r = compile_element(c, &g.fields[i], g.leaves[i].property, scratch_used, depth);
    for (size_t i = 0; i < 2 && r == ETL_OK; i++) {
        etl_layout_op *ops = NULL;
        r = build_program(c, scope, g.leaves, i ? 8 : 4, &ops, &scope->layout.op_count);
        scope->programs[i] = ops;
    }
    scope->layout.ops = scope->programs[1];
    return r;
}

static int assign_registers(compiler *c)
{
    size_t count = c->schema->property_count;
    for (size_t i = 0; i < count; i++)
        c->registers[i] = LAYOUT_NO_REGISTER;
    for (size_t i = 0; i < count; i++) {
        const etl_property *property = &c->schema->properties[i];
        const uint16_t targets[2] = {property->count, property->length};
        const uint16_t wanted[2] = {ETL_PROPERTY_PARAM_COUNT, ETL_PROPERTY_PARAM_LENGTH};
        for (size_t k = 0; k < 2; k++) {
            if (!(property->flags & wanted[k]))
                continue;
            if (targets[k] >= count)
                return etl_fail(c->error, ETL_ERR_DAMAGED,
                                "a property refers to one that does not exist");
            if (c->registers[targets[k]] == LAYOUT_NO_REGISTER)
                c->registers[targets[k]] = c->register_count++;
        }
    }
    return ETL_OK;
}

int etl_layout_compile(const etl_event_schema *schema, etl_arena *arena,
                       const etl_layout **ret_layout, etl_error *error)
{
    *ret_layout = NULL;
    if (schema->property_count > ETL_LIMIT_PROPERTIES)
        return etl_fail(error, ETL_ERR_LIMIT, "an event schema has too many properties");
    compiler c = {.schema = schema, .arena = arena, .error = error};
    int r = assign_registers(&c);
    if (r != ETL_OK)
        return r;
    layout_scope *scope = etl_arena_alloc(arena, sizeof *scope);
    if (!scope)
        return etl_fail(error, ETL_ERR_NOMEM, "out of memory for an event layout");
    r = compile_scope(&c, scope, 0, schema->top_level_count, 0, 0, false);
    if (r == ETL_OK)
        *ret_layout = &scope->layout;
    return r;
}
