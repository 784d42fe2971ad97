#include "sim/inputs.h"

#include "harness/sg_test.h"
#include "integration/env.h"

// A table with a step at t = 1 and a held column that changes at t = 2.
static const double times[] = {0, 1, 1, 2, 3};
static const double ramp[] = {0, 1, 5, 5, 7};
static const double gear[] = {1, 1, 1, 2, 2};

typedef struct asked {
    sg_events events; // first
    double next;
    int restarts;
} asked;

static void ask_next(sg_events *events, double instant)
{
    ((asked *)(void *)events)->next = instant;
}

static void ask_restart(sg_events *events, sg_restart kind)
{
    ((asked *)(void *)events)->restarts += kind == SG_RESTART;
}

static const sg_event_ops ops = {.next_event = ask_next, .restart = ask_restart};

SG_TEST(a_step_in_a_table_has_two_sides_and_only_an_event_leads_to_the_other)
{
    sg_arena arena;
    sg_arena_init(&arena, sg_allocator_default());
    sg_input_column columns[] = {{1, 0, false, true, ramp}, {2, 0, true, true, gear}};
    sg_inputs in;
    SG_REQUIRE(sg_inputs_init(&in, &arena, times, 5, columns, 2) == SG_OK);
    SG_CHECK(in.n_breaks == 2 && in.n_kinks == 1 && in.kinks[0] == 2.0);
    double u[2];
    in.targets[0] = &u[0];
    in.targets[1] = &u[1];
    asked a = {
        .events = {.ops = &ops, .mode = SG_MODE_EVENT, .initial = true, .first_initial = true}};
    sg_events *e = &a.events;

    sg_inputs_apply(&in, e, 0.0);
    SG_CHECK(u[0] == 0.0 && u[1] == 1.0 && a.next == 1.0 && a.restarts == 0);
    e->initial = e->first_initial = false;
    e->mode = SG_MODE_RHS;
    sg_inputs_apply(&in, e, 0.5);
    SG_CHECK(u[0] == 0.5);
    sg_inputs_apply(&in, e, 1.0);
    SG_CHECK(u[0] == 1.0); // still the old side, however often it is asked
    e->mode = SG_MODE_EVENT;
    sg_inputs_apply(&in, e, 1.0);
    SG_CHECK(u[0] == 5.0 && a.next == 2.0 && a.restarts == 1);
    e->mode = SG_MODE_RHS;
    sg_inputs_apply(&in, e, 1.5);
    SG_CHECK(u[0] == 5.0 && u[1] == 1.0);
    sg_inputs_apply(&in, e, 2.0);
    SG_CHECK(u[0] == 5.0 && u[1] == 1.0); // the gear waits for its event, the ramp is continuous
    e->mode = SG_MODE_EVENT;
    sg_inputs_apply(&in, e, 2.0);
    SG_CHECK(u[0] == 5.0 && u[1] == 2.0 && a.restarts == 2);
    e->mode = SG_MODE_RHS;
    sg_inputs_apply(&in, e, 2.5);
    SG_CHECK(u[0] == 6.0 && u[1] == 2.0);
    sg_inputs_apply(&in, e, 1.75); // evaluation does not depend on what came before
    sg_inputs_apply(&in, e, 3.0);
    SG_CHECK(u[0] == 7.0);
    bool sharply;
    SG_CHECK(sg_inputs_next_stop(&in, 0.0, &sharply) == 2.0 && sharply);
    SG_CHECK(isinf(sg_inputs_next_stop(&in, 2.0, &sharply)) && !sharply);
    SG_CHECK(sg_inputs_next_stop(&in, 0.5, &sharply) == 2.0);
    sg_arena_destroy(&arena);
}
