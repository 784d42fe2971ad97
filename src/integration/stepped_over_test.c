// What happens between the points of a method is seen. Each number that decides is approached from
// both sides (tools/seed_constants).
#include "integration/standing_test.h"
#include "program/enclosure.h"
#include "program/exec.h"

#include <string.h>

// A program with one condition on the time, and an integration that stands in front of a step.
typedef struct looked_over {
    one_function m;
    standing s;
    sg_program *p;
    sg_exec *exec;
    sg_diags diags;
    sg_arena arena;
    sg_reg time;
} looked_over;

static void resting(const double *p, double t, const double *x, double *dx)
{
    (void)p;
    (void)t;
    (void)x;
    dx[0] = 0.0;
}

static void begin(looked_over *l)
{
    memset(l, 0, sizeof *l);
    l->p = sg_program_create(sg_allocator_default());
    sg_diags_init(&l->diags, NULL);
    sg_arena_init(&l->arena, sg_allocator_default());
    l->time = sg_program_reg(l->p, SG_REG_TIME, 0);
    l->m = (one_function){.rates = resting, .has_condition = true, .start = {1.0}};
    stand(&l->s, &l->m, "CVODE_BDF");
}

static void end(looked_over *l)
{
    leave(&l->s);
    sg_exec_destroy(l->exec);
    sg_program_destroy(l->p);
    sg_diags_destroy(&l->diags);
    sg_arena_destroy(&l->arena);
}

static sg_reg num(looked_over *l, double x) { return sg_program_number(l->p, x, SG_REAL); }

static sg_reg op1(looked_over *l, sg_op op, sg_reg a)
{
    return sg_program_step(l->p, op, false, (sg_reg){0}, &a, 1, 0, 0);
}

static sg_reg op2(looked_over *l, sg_op op, sg_reg a, sg_reg b)
{
    return sg_program_step(l->p, op, false, (sg_reg){0}, (sg_reg[2]){a, b}, 2, 0, 0);
}

static sg_reg square(looked_over *l, sg_reg x) { return op2(l, SG_OP_MUL, x, x); }

// The condition is that this is positive, and so it is, or not, at the beginning.
static void finish(looked_over *l, sg_reg argument, bool is_positive)
{
    sg_integration *g = l->s.g;
    sg_exec_source source = {0};
    SG_REQUIRE(SG_PUSH(l->p->allocator, &l->p->positive_text, "positive(...)") &&
               SG_PUSH(l->p->allocator, &l->p->positive_key, 1));
    op1(l, SG_OP_POSITIVE, argument);
    l->exec = sg_exec_create(sg_allocator_default(), l->p, NULL);
    SG_REQUIRE(l->exec && sg_exec_link(l->exec, &source, &l->diags) == SG_OK);
    g->looked.enclosure = sg_enclosure_create(l->exec, SG_EXPANSION_DEGREE + 1, &l->arena);
    SG_REQUIRE(g->looked.enclosure);
    g->env.events.positive[0] = is_positive;
}

static sg_status look(looked_over *l, double from, double to, double *next)
{
    sg_expansion x = {.origin = from, .unit = 1.0, .end = to};
    return sg_integration_look(l->s.g, from, to, &x, next);
}

// ---- what no bounds decide ----------------------------------------------------------------------

// Bounds never know the sign of t*t - t*t, which is zero until a pulse adds something to it. Does a
// look at a step of length one see it? Times are in parts of 1/4096.
static bool sees_pulse(double from, double to)
{
    looked_over l;
    begin(&l);
    double middle = 0.5 * (from + to) / 4096.0, half = 0.5 * (to - from) / 4096.0;
    sg_reg nothing = op2(&l, SG_OP_SUB, square(&l, l.time), square(&l, l.time));
    sg_reg aside = op2(&l, SG_OP_SUB, l.time, num(&l, middle));
    sg_reg pulse = op2(&l, SG_OP_SUB, num(&l, half * half), square(&l, aside));
    sg_reg sum = op2(&l, SG_OP_ADD, nothing, op2(&l, SG_OP_MAX, pulse, num(&l, 0.0)));
    finish(&l, op2(&l, SG_OP_SUB, op1(&l, SG_OP_SIGN, sum), num(&l, 0.5)), false);
    double next = 1.0;
    bool seen = look(&l, 0.0, 1.0, &next) != SG_OK || next < 1.0;
    end(&l);
    return seen;
}

SG_TEST(what_was_not_constant_before_is_taken_for_constant_over_a_4096th_of_a_step)
{
    // Of the first interval the places at 0, 0.38, 0.72 and 1 are looked at.
    SG_CHECK(!sees_pulse(0.43, 0.68));
    SG_CHECK(sees_pulse(0.8, 1.1));
}

SG_TEST(what_stays_constant_is_taken_for_it_over_an_eighth_of_a_step)
{
    // Intervals have doubled to 512, and one begins at 2047: places at 2243 and 2417.
    SG_CHECK(!sees_pulse(2260.0, 2400.0));
    SG_CHECK(sees_pulse(2535.0, 2600.0)); // ... and at 2559
}

// ---- how fast is too fast -----------------------------------------------------------------------

// Is sin(1 + phase*(t - from)/short_one) followed to where it is zero?
static bool is_followed(double from, double length, double short_one, double phase)
{
    looked_over l;
    begin(&l);
    sg_reg since = op2(&l, SG_OP_SUB, l.time, num(&l, from));
    sg_reg turned = op2(&l, SG_OP_MUL, since, num(&l, phase / short_one));
    finish(&l, op1(&l, SG_OP_SIN, op2(&l, SG_OP_ADD, turned, num(&l, 1.0))), true);
    double next = from + length;
    sg_status status = look(&l, from, from + length, &next);
    SG_CHECK(status == SG_OK || status == SG_ERR_SOLVER);
    bool found = status == SG_OK && next < from + 4.0 * short_one;
    end(&l);
    return found;
}

SG_TEST(a_step_is_halved_down_to_a_ten_million_millionth)
{
    double least = ldexp(1.0, -44); // the first power of two below 1e-13
    SG_CHECK(is_followed(0.0, 1.0, least, 1.0));
    SG_CHECK(!is_followed(0.0, 1.0, least, 3.0));
}

SG_TEST(time_is_halved_down_to_eight_units_in_its_last_place)
{
    double least = ldexp(1.0, -49), length = ldexp(1.0, -20);
    SG_CHECK(is_followed(1.0, length, least, 1.5));
    SG_CHECK(!is_followed(1.0, length, least, 3.0));
}

// A comparison with one of what swings by `most`, too fast for all intervals.
static sg_status look_at_swing(double most)
{
    looked_over l;
    begin(&l);
    sg_reg turned = op2(&l, SG_OP_MUL, l.time, num(&l, 1e18));
    sg_reg swing = op1(&l, SG_OP_SIN, op2(&l, SG_OP_ADD, turned, num(&l, 1.0)));
    sg_reg sum = op2(&l, SG_OP_ADD, num(&l, 1.0), op2(&l, SG_OP_MUL, swing, num(&l, 0.5 * most)));
    finish(&l, op2(&l, SG_OP_SUB, sum, num(&l, 1.0)), true);
    double next = 1.0;
    sg_status status = look(&l, 0.0, 1.0, &next);
    end(&l);
    return status;
}

SG_TEST(what_changes_by_a_thousandth_of_its_size_at_an_instant_is_too_fast)
{
    SG_CHECK(look_at_swing(0.6e-3) == SG_OK);
    SG_CHECK(look_at_swing(1.6e-3) == SG_ERR_SOLVER);
}

// ---- how much is looked at in one go ------------------------------------------------------------

// Calls for a step of length one in which 0.5 + sin(rate*t)*sin(rate*t) is positive, which bounds
// know of parts of a period only.
static int calls_for(double rate)
{
    looked_over l;
    begin(&l);
    sg_reg swing = op1(&l, SG_OP_SIN, op2(&l, SG_OP_MUL, l.time, num(&l, rate)));
    finish(&l, op2(&l, SG_OP_ADD, num(&l, 0.5), square(&l, swing)), true);
    int n = 0;
    double next = 0.0;
    while (next < 1.0 && n < 1000) {
        SG_CHECK(look(&l, next, 1.0, &next) == SG_OK);
        n++;
    }
    end(&l);
    return n;
}

SG_TEST(four_thousand_intervals_are_looked_at_in_one_call)
{
    SG_CHECK(calls_for(2000.0) == 1);
    SG_CHECK(calls_for(5500.0) == 2);
}
