#include "lang/unit.h"

#include "harness/sg_test.h"

#include <stdio.h>
#include <string.h>

static uint32_t unit(sg_units *units, const char *text)
{
    sg_buf message;
    sg_buf_init(&message, sg_allocator_default());
    uint32_t u = sg_unit_parse(units, text, strlen(text), &message, NULL, NULL);
    SG_CHECK_MSG(u != SG_UNIT_BAD, "u\"%s\": %s", text, sg_buf_text(&message));
    sg_buf_free(&message);
    return u;
}

SG_TEST(units_print_in_the_order_of_their_english_names)
{
    static const char *const cases[][2] = {
        {"N*m*s/rad", "m*N*s*rad^-1"},
        {"kg*m^2", "kg*m^2"},
        {"rad/s", "rad*s^-1"},
        {"m/s", "m*s^-1"},
        {"J/(kg*K)", "J*kg^-1*K^-1"},
        {"1/s/s", "s^-2"},
        {"kg^-1", "kg^-1"},
        {"1/Ω", "Ω^-1"},
        {"W/(m*K)", "W*K^-1*m^-1"},
        {"m/m", ""},
        {"mm/s", "mm*s^-1"},
        {"V/A", "V*A^-1"},
        {"km/hr", "km*hr^-1"},
        {"µF", "μF"},
        {"m^(1//2)", "m^(1//2)"},
        {"km*m", "m*km"},
        {"m*km", "m*km"},
        {"1", ""},
        {"°C", "°C"},
        {"mol", "mol"},
        {"dam", "dam"},
        {"cd", "cd"},
        {"Pa*s", "Pa*s"},
        {"(m/s)^2", "m^2*s^-2"},
        {"\xe2\x84\xa6", "Ω"},
        {"m s^-1", "m*s^-1"},
        {"kΩ", "kΩ"},
    };
    sg_units *units = sg_units_create(NULL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        SG_SAME_TEXT(sg_unit_text(units, unit(units, cases[i][0])), cases[i][1]);
    sg_buf out;
    sg_buf_init(&out, sg_allocator_default());
    sg_unit_print(units, unit(units, "N*m*s/rad"), &out);
    SG_SAME_TEXT(sg_buf_text(&out), "m N s rad^-1");
    sg_buf_free(&out);
    sg_units_destroy(units);
}

SG_TEST(equal_units_are_one_id)
{
    sg_units *units = sg_units_create(NULL);
    SG_CHECK(unit(units, "N*m") == unit(units, "m*N"));
    SG_CHECK(unit(units, "m/s") == unit(units, "m*s^-1"));
    SG_CHECK(unit(units, "m") != unit(units, "mm"));
    uint32_t m = unit(units, "m"), s = unit(units, "s");
    SG_CHECK(sg_unit_divide(units, m, s) == unit(units, "m/s"));
    SG_CHECK(sg_unit_multiply(units, m, m) == unit(units, "m^2"));
    SG_CHECK(sg_unit_divide(units, m, m) == SG_UNIT_NONE);
    SG_CHECK(sg_unit_power(units, unit(units, "m^2"), 6) == m);
    SG_CHECK(sg_unit_power(units, m, -24) == unit(units, "m^-2"));
    SG_CHECK(sg_unit_multiply(units, unit(units, "°C"), m) == SG_UNIT_BAD);
    sg_units_destroy(units);
}

// Products are remembered in few places; each asks for more than fit, and for each three times.
SG_TEST(products_that_were_asked_for_before_are_the_same)
{
    static const char *const names[] = {"m", "s", "kg", "A", "K", "mol", "cd", "rad"};
    sg_units *units = sg_units_create(NULL);
    for (int again = 0; again < 3; again++)
        for (int i = 0; i < 8; i++)
            for (int k = 0; k < 8; k++) {
                char product[32], quotient[32];
                snprintf(product, sizeof product, "%s*%s", names[i], names[k]);
                snprintf(quotient, sizeof quotient, "%s/%s", names[i], names[k]);
                uint32_t a = unit(units, names[i]), b = unit(units, names[k]);
                SG_CHECK(sg_unit_multiply(units, a, b) == unit(units, product));
                uint32_t part = sg_unit_divide(units, a, b);
                SG_CHECK(part == (i == k ? SG_UNIT_NONE : unit(units, quotient)));
                SG_CHECK(sg_unit_multiply(units, part, b) == a);
            }
    sg_units_destroy(units);
}

SG_TEST(conversions_are_exact_where_they_can_be)
{
    sg_units *units = sg_units_create(NULL);
    static const struct {
        double x;
        const char *from, *to;
        double result;
    } cases[] = {
        {5, "mm", "m", 0.005},
        {1, "hr", "s", 3600},
        {90, "minute", "hr", 1.5},
        {1, "bar", "Pa", 1e5},
        {20, "°C", "K", 293.15},
        {300, "K", "°C", 300 - 273.15},
        {1, "kg", "g", 1000},
        {1, "L", "m^3", 0.001},
        {36, "km/hr", "m/s", 10},
        {1, "N", "kg*m/s^2", 1},
        {1, "inch", "mm", 25.4},
        {1, "Wh", "J", 3600},
        {1, "mbar", "Pa", 100},
        {180, "°", "rad", M_PI},
        {1, "d", "hr", 24},
        {60, "rpm", "rad/s", 2 * M_PI},
        {1, "eV", "J", 1.602176634e-19},
        {100, "percent", "1", 1},
        {1, "μm", "nm", 1000},
        {2, "cm^2", "m^2", 2e-4},
        {1, "1/minute", "Hz", 1.0 / 60},
        {32, "°F", "°C", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t from = unit(units, cases[i].from), to = unit(units, cases[i].to);
        SG_CHECK_MSG(sg_unit_same_dimension(units, from, to), "%s and %s", cases[i].from,
                     cases[i].to);
        SG_NEAR(sg_unit_convert(units, cases[i].x, from, to), cases[i].result, 2e-16,
                cases[i].result == 0 ? 300.0 : 0.0);
    }
    SG_CHECK(sg_unit_convert(units, 5, unit(units, "mm"), unit(units, "m")) == 0.005);
    SG_CHECK(sg_unit_convert(units, 90, unit(units, "minute"), unit(units, "hr")) == 1.5);
    SG_CHECK(sg_unit_convert_difference(units, 5, unit(units, "°C"), unit(units, "K")) == 5);
    SG_CHECK(sg_unit_to_si(units, 20, unit(units, "°C")) == 293.15);
    sg_units_destroy(units);
}

// Every derived unit against its definition in base units, so that a wrong exponent shows.
SG_TEST(derived_units_have_the_dimension_of_their_definition)
{
    static const char *const cases[][2] = {
        {"N", "kg*m/s^2"}, {"J", "N*m"},        {"W", "J/s"},      {"Pa", "N/m^2"},
        {"V", "W/A"},      {"Ω", "V/A"},        {"S", "A/V"},      {"F", "C/V"},
        {"H", "Wb/A"},     {"T", "Wb/m^2"},     {"Wb", "V*s"},     {"C", "A*s"},
        {"Hz", "1/s"},     {"lx", "lm/m^2"},    {"Gy", "J/kg"},    {"Sv", "J/kg"},
        {"kat", "mol/s"},  {"dyn", "g*cm/s^2"}, {"erg", "dyn*cm"}, {"psi", "lbf/inch^2"},
        {"lbf", "lb*ge"},  {"ac", "ft*yd"},     {"G", "T"},        {"atm", "bar"},
        {"Bq", "Hz"},      {"lm", "cd*sr"},     {"b", "m^2"},      {"slug", "lb"},
        {"cal", "btu"},
    };
    sg_units *units = sg_units_create(NULL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        SG_CHECK_MSG(
            sg_unit_same_dimension(units, unit(units, cases[i][0]), unit(units, cases[i][1])),
            "%s and %s", cases[i][0], cases[i][1]);
    SG_NEAR(sg_unit_factor(units, unit(units, "lbf")), sg_unit_factor(units, unit(units, "lb*ge")),
            1e-15, 0.0);
    SG_NEAR(sg_unit_factor(units, unit(units, "psi")),
            sg_unit_factor(units, unit(units, "lbf/inch^2")), 1e-15, 0.0);
    SG_NEAR(sg_unit_factor(units, unit(units, "slug")),
            sg_unit_factor(units, unit(units, "lbf*s^2/ft")), 1e-15, 0.0);
    SG_SAME_TEXT(sg_unit_text(units, sg_unit_preferred(units, unit(units, "N"))), "kg*m*s^-2");
    SG_CHECK(sg_unit_preferred(units, unit(units, "rad")) == SG_UNIT_NONE);
    SG_CHECK(!sg_unit_has_dimension(units, unit(units, "°")));
    sg_buf out;
    sg_buf_init(&out, sg_allocator_default());
    sg_unit_describe_dimension(units, unit(units, "N"), &out);
    SG_SAME_TEXT(sg_buf_text(&out), "length*mass/time^2");
    sg_buf_free(&out);
    sg_units_destroy(units);
}

SG_TEST(wrong_units_are_explained)
{
    static const struct {
        const char *text, *message;
        uint32_t first, last;
    } cases[] = {
        {"min", "'min' is not a unit; did you mean 'minute'?", 0, 3},
        {"kg*ohm", "'ohm' is not a unit; did you mean 'Ω'?", 3, 6},
        {"m//s", "expected a unit here", 2, 3},
        {"m*", "expected one more unit here", 2, 2},
        {"m2", "powers are written with '^', as in u\"m^2\"", 1, 2},
        {"(m", "expected ')' in this unit", 2, 2},
        {"m^x", "expected an integer behind '^'", 2, 3},
        {"2*m", "the only number in a unit is 1, as in u\"1/s\"", 0, 1},
        {"J/°C", "°C and °F have no place in a product; use K for differences of temperature", 0,
         5},
        {"m)", "expected '*', '/' or '^' in this unit", 1, 2},
        {"m^1000", "this unit has too many factors or a too large exponent", 0, 6},
        {"qqq", "'qqq' is not a unit", 0, 3},
    };
    sg_units *units = sg_units_create(NULL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sg_buf message;
        sg_buf_init(&message, sg_allocator_default());
        uint32_t first, last;
        SG_CHECK(sg_unit_parse(units, cases[i].text, strlen(cases[i].text), &message, &first,
                               &last) == SG_UNIT_BAD);
        SG_SAME_TEXT(sg_buf_text(&message), cases[i].message);
        SG_CHECK_MSG(first == cases[i].first && last == cases[i].last, "%s: %u to %u",
                     cases[i].text, first, last);
        sg_buf_free(&message);
    }
    sg_units_destroy(units);
}

SG_TEST(a_refused_allocation_gives_no_unit)
{
    for (uint64_t n = 1; n < 60; n++) {
        sg_test_allocator test;
        sg_test_allocator_init(&test, n);
        sg_units *units = sg_units_create(&test.allocator);
        if (units)
            sg_unit_parse(units, "kg*m/s^2", 8, NULL, NULL, NULL);
        sg_units_destroy(units);
        SG_CHECK(test.live_blocks == 0);
    }
}
