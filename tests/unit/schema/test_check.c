#include <criterion/criterion.h>

#include "schema/builder.h"

static int check(const etl_property *properties, size_t count, size_t top_level, const char *expect)
{
    etl_event_schema schema = {.property_count = (uint16_t)count,
                               .top_level_count = (uint16_t)top_level,
                               .properties = properties};
    etl_error error = {0};
    int r = etl_schema_check(&schema, &error);
    if (expect)
        cr_assert(strstr(error.message, expect), "got: %s", error.message);
    return r;
}

/* clang-format off */
#define U32(n)  {.name = n, .in_type = ETL_IN_UINT32, .out_type = ETL_OUT_UNSIGNEDINT, .count = 1}
#define TEXT(n) {.name = n, .in_type = ETL_IN_UNICODESTRING, .out_type = ETL_OUT_STRING, .count = 1}
/* clang-format on */

Test(check, sound_schemas)
{
    cr_assert_eq(check(NULL, 0, 0, NULL), ETL_OK);
    etl_property p[] = {U32("Count"), U32("Item"), TEXT("Name")};
    p[1].flags = ETL_PROPERTY_PARAM_COUNT;
    p[1].count = 0;
    p[2].flags = ETL_PROPERTY_PARAM_LENGTH;
    p[2].length = 0;
    cr_assert_eq(check(p, 3, 3, NULL), ETL_OK);
}

Test(check, references_point_backwards_to_integers)
{
    etl_property p[] = {U32("a"), TEXT("b"), U32("c")};
    p[2].flags = ETL_PROPERTY_PARAM_COUNT;
    p[2].count = 2;
    cr_assert_eq(check(p, 3, 3, "does not come before"), ETL_ERR_DAMAGED);
    p[2].count = 0xFFFF;
    cr_assert_eq(check(p, 3, 3, "property 2 (c)"), ETL_ERR_DAMAGED);
    p[2].count = 1;
    cr_assert_eq(check(p, 3, 3, "not an integer"), ETL_ERR_DAMAGED);
    p[2].count = 0;
    p[0].flags = ETL_PROPERTY_FIXED_COUNT;
    cr_assert_eq(check(p, 3, 3, "not an integer"), ETL_ERR_DAMAGED);
}

Test(check, references_stay_in_scope)
{
    /* n, s { m }, t { v[n or m] } */
    etl_property p[] = {U32("n"), U32("s"), U32("t"), U32("m"), U32("v")};
    p[1].flags = p[2].flags = ETL_PROPERTY_STRUCT;
    p[1].struct_start = 3;
    p[2].struct_start = 4;
    p[1].struct_members = p[2].struct_members = 1;
    p[4].flags = ETL_PROPERTY_PARAM_COUNT;
    p[4].count = 0;
    cr_assert_eq(check(p, 5, 3, NULL), ETL_OK);
    p[4].count = 3;
    cr_assert_eq(check(p, 5, 3, "another struct"), ETL_ERR_DAMAGED);
}

Test(check, a_reference_from_a_struct_to_what_follows_it)
{
    etl_property p[] = {U32("s"), U32("n"), U32("v")};
    p[0].flags = ETL_PROPERTY_STRUCT;
    p[0].struct_start = 2;
    p[0].struct_members = 1;
    p[2].flags = ETL_PROPERTY_PARAM_COUNT;
    p[2].count = 1;
    cr_assert_eq(check(p, 3, 2, "does not come before"), ETL_ERR_DAMAGED);
}

Test(check, structs_nest_forward_and_share_nothing)
{
    etl_property p[] = {U32("s"), U32("t"), U32("x")};
    p[0].flags = p[1].flags = ETL_PROPERTY_STRUCT;
    p[0].struct_start = p[1].struct_start = 2;
    p[0].struct_members = p[1].struct_members = 1;
    cr_assert_eq(check(p, 3, 2, "two structs"), ETL_ERR_DAMAGED);
    p[1].struct_start = 1;
    cr_assert_eq(check(p, 3, 2, "out of range"), ETL_ERR_DAMAGED);
    p[1].struct_start = 2;
    p[1].struct_members = 2;
    p[0].struct_members = 0;
    cr_assert_eq(check(p, 3, 2, "out of range"), ETL_ERR_DAMAGED);
    p[1].struct_members = 0;
    cr_assert_eq(check(p, 3, 2, "no struct"), ETL_ERR_DAMAGED);
}

Test(check, depth)
{
    etl_property p[ETL_LIMIT_STRUCT_DEPTH + 2];
    for (size_t n = ETL_LIMIT_STRUCT_DEPTH; n <= ETL_LIMIT_STRUCT_DEPTH + 1; n++) {
        for (size_t i = 0; i <= n; i++)
            p[i] = (etl_property){.name = "s",
                                  .in_type = ETL_IN_UINT8,
                                  .count = 1,
                                  .flags = i < n ? ETL_PROPERTY_STRUCT : 0,
                                  .struct_start = (uint16_t)(i + 1),
                                  .struct_members = 1};
        cr_assert_eq(check(p, n + 1, 1, NULL),
                     n == ETL_LIMIT_STRUCT_DEPTH ? ETL_OK : ETL_ERR_DAMAGED);
    }
}

Test(check, counts_are_bounded)
{
    etl_property p[] = {U32("s"), U32("x")};
    p[0].flags = ETL_PROPERTY_STRUCT | ETL_PROPERTY_FIXED_COUNT;
    p[0].count = 1000;
    p[0].struct_start = p[0].struct_members = 1;
    p[1].flags = ETL_PROPERTY_FIXED_COUNT;
    p[1].count = 65;
    cr_assert_eq(check(p, 2, 1, NULL), ETL_OK);
    p[1].count = 66;
    cr_assert_eq(check(p, 2, 1, "multiply"), ETL_ERR_DAMAGED);
}

Test(check, odd_properties)
{
    etl_property p[] = {U32("x")};
    cr_assert_eq(check(p, 1, 2, NULL), ETL_ERR_DAMAGED);
    p[0].flags = ETL_PROPERTY_PARAM_COUNT | ETL_PROPERTY_FIXED_COUNT;
    cr_assert_eq(check(p, 1, 1, "two counts"), ETL_ERR_DAMAGED);
    p[0].flags = ETL_PROPERTY_PARAM_LENGTH | ETL_PROPERTY_PAYLOAD_LENGTH;
    cr_assert_eq(check(p, 1, 1, "two lengths"), ETL_ERR_DAMAGED);
    p[0].flags = 0;
    p[0].in_type = 99;
    cr_assert_eq(check(p, 1, 1, "unknown type"), ETL_ERR_DAMAGED);
    p[0].flags = ETL_PROPERTY_OPAQUE;
    cr_assert_eq(check(p, 1, 1, NULL), ETL_OK);
    p[0].name = NULL;
    cr_assert_eq(check(p, 1, 1, "no name"), ETL_ERR_DAMAGED);
}

Test(check, too_many_properties)
{
    static etl_property p[ETL_LIMIT_PROPERTIES + 1];
    for (size_t i = 0; i < ETL_COUNT_OF(p); i++)
        p[i] = (etl_property)U32("x");
    cr_assert_eq(check(p, ETL_LIMIT_PROPERTIES, ETL_LIMIT_PROPERTIES, NULL), ETL_OK);
    cr_assert_eq(check(p, ETL_COUNT_OF(p), ETL_COUNT_OF(p), NULL), ETL_ERR_DAMAGED);
}

Test(check, defaults_and_names_of_winmeta)
{
    cr_assert_eq(etl_default_out_type(ETL_IN_UINT32), ETL_OUT_UNSIGNEDINT);
    cr_assert_eq(etl_default_out_type(ETL_IN_POINTER), ETL_OUT_HEXINT64);
    cr_assert_eq(etl_default_out_type(ETL_IN_WBEMSID), ETL_OUT_STRING);
    cr_assert_eq(etl_default_out_type(9999), ETL_OUT_HEXBINARY);
    cr_assert_str_eq(etl_winmeta_level(2), "Error");
    cr_assert_null(etl_winmeta_level(6));
    cr_assert_str_eq(etl_winmeta_opcode(240), "Receive");
    cr_assert_null(etl_winmeta_opcode(10));
    cr_assert_str_eq(etl_schema_source_name(ETL_SCHEMA_PACK), "pack");
    cr_assert_str_eq(etl_schema_source_name(77), "none");
    cr_assert_eq(etl_schema_check(etl_schema_string_only(), NULL), ETL_OK);
}
