// Variables that leave their interval: which side, which element, once, and what is no violation.
#include "natives/bounds.h"

#include "harness/sg_test.h"

#include <math.h>
#include <string.h>

typedef struct fixture {
    sg_symbols *symbols;
    sg_flat flat;
    sg_diags diags;
    sg_arena arena;
    sg_bounds_watch watch;
    sg_sink sink;
} fixture;

// x is to stay between -1 and 2.
static void begin(fixture *f, double tolerance)
{
    const sg_allocator *allocator = sg_allocator_default();
    f->symbols = sg_symbols_create(allocator);
    sg_flat_init(&f->flat, allocator, f->symbols);
    sg_diags_init(&f->diags, allocator);
    sg_arena_init(&f->arena, allocator);
    sg_sym name = sg_sym_intern_text(f->symbols, "x");
    sg_flat_var *x = sg_flat_var_get(&f->flat, sg_flat_var_add(&f->flat, name, (sg_span){0}));
    x->min = -1.0;
    x->max = 2.0;
    f->watch = (sg_bounds_watch){
        .flat = &f->flat, .diags = &f->diags, .arena = &f->arena, .tolerance = tolerance};
    f->sink = sg_bounds_sink(&f->watch);
}

static void end(fixture *f)
{
    sg_arena_destroy(&f->arena);
    sg_diags_destroy(&f->diags);
    sg_flat_destroy(&f->flat);
    sg_symbols_destroy(f->symbols);
}

static void segment(fixture *f, uint32_t number, const sg_signal *signals, size_t n)
{
    SG_CHECK(f->sink.begin_segment(f->sink.context, "M", number, 0.0, signals, n) == SG_OK);
}

// How many messages there are behind a point with these values.
static size_t told(fixture *f, double t, double a, double b)
{
    const double values[] = {a, b};
    SG_CHECK(f->sink.point(f->sink.context, t, values, 2) == SG_OK);
    return f->diags.len;
}

static const sg_signal own = {
    .name = "x", .alias = "", .kind = SG_SIGNAL_VAR, .size = {1, 1}, .column = 1};

SG_TEST(a_variable_that_leaves_its_interval_is_told_once_with_side_and_time)
{
    fixture f;
    begin(&f, 1e-6);
    segment(&f, 0, &own, 1);
    SG_CHECK(told(&f, 0.0, 9.0, 2.0) == 0 && told(&f, 1.0, -9.0, -1.0) == 0);
    SG_CHECK(told(&f, 1.5, 0.0, NAN) == 0);
    SG_CHECK(told(&f, 2.0, 0.0, 2.5) == 1 && told(&f, 3.0, 0.0, -3.0) == 1);
    const char *text = f.diags.list[0].message;
    SG_CHECK_MSG(strstr(text, "'x' = 2.5 at time = 2 s is above its max = 2"), "%s", text);
    end(&f);
}

SG_TEST(what_is_less_than_the_error_of_the_run_is_no_violation)
{
    fixture f;
    begin(&f, 1e-3);
    segment(&f, 0, &own, 1);
    SG_CHECK(told(&f, 1.0, 0.0, 2.0 + 0.019) == 0); // ten tolerances of its size
    SG_CHECK(told(&f, 2.0, 0.0, 2.0 + 0.022) == 1);
    end(&f);
}

SG_TEST(aliases_are_followed_with_their_sign_and_constants_say_nothing)
{
    fixture f;
    begin(&f, 1e-6);
    const sg_signal signals[] = {
        {.name = "x", .alias = "y", .kind = SG_SIGNAL_NEGATED, .size = {1, 1}},
        {.name = "y", .alias = "z", .kind = SG_SIGNAL_ALIAS, .size = {1, 1}},
        {.name = "z", .alias = "", .kind = SG_SIGNAL_VAR, .size = {1, 1}, .column = 0}};
    segment(&f, 0, signals, 3);
    SG_CHECK(told(&f, 0.0, -1.9, 0.0) == 0);
    // A constant has no column; another segment has the variable again.
    const sg_signal constant = {
        .name = "x", .alias = "", .kind = SG_SIGNAL_CONSTANT, .size = {1, 1}};
    segment(&f, 1, &constant, 1);
    SG_CHECK(told(&f, 1.0, 5.0, 5.0) == 0);
    segment(&f, 2, signals, 3);
    SG_CHECK(told(&f, 2.0, 1.5, 0.0) == 1);
    const char *text = f.diags.list[0].message;
    SG_CHECK_MSG(strstr(text, "'x' = -1.5") && strstr(text, "below its min = -1"), "%s", text);
    end(&f);
}

SG_TEST(an_element_of_a_vector_is_named)
{
    fixture f;
    begin(&f, 1e-6);
    const sg_signal vector = {
        .name = "x", .alias = "", .kind = SG_SIGNAL_VAR, .rank = 1, .size = {2, 1}, .column = 0};
    segment(&f, 0, &vector, 1);
    SG_CHECK(told(&f, 0.5, 0.0, 7.0) == 1);
    SG_CHECK_MSG(strstr(f.diags.list[0].message, "'x[2]' = 7"), "%s", f.diags.list[0].message);
    end(&f);
}
