// Components written in C in a session: what they see, what is refused, and memory that is refused
// now and then.
#include "segue/component.h"

#include "harness/sg_test.h"
#include "segue/session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Decays towards its argument, in cells whose number doubles in the second segment, at 0.5 s.
typedef struct cells {
    double *x;
    size_t n;
    int state, mean, early;
    unsigned n_begun, n_terminal;
} cells;

static int n_destroyed;

static sg_status begin(void *memory, const sg_component_segment *segment)
{
    cells *c = memory;
    size_t n;
    const double *start = segment->parameter(segment, "start", &n);
    if (!start)
        return segment->fail(segment, "start is missing");
    SG_CHECK(segment->parameter(segment, "text", &n) == NULL && n == 0);
    SG_CHECK(segment->parameter(segment, "absent", &n) == NULL && n == 0);
    if (segment->first) {
        segment->parameter(segment, "start", &c->n);
        c->n_begun = 0;
        free(c->x);
        c->x = malloc(2 * c->n * sizeof *c->x);
        for (size_t i = 0; c->x && i < c->n; i++)
            c->x[i] = start[i];
    } else {
        for (size_t i = 0; i < c->n; i++)
            c->x[c->n + i] = c->x[i];
        c->n *= 2;
    }
    SG_CHECK(segment->first == (c->n_begun == 0));
    SG_NEAR(segment->time, 0.5 * c->n_begun++, 1e-9, 1.0);
    SG_SAME_TEXT(segment->path, "c");
    segment->set_length(segment, 0, 1, 2);
    c->state =
        segment->add_state(segment, &(sg_component_variable){"x", "m", c->x, c->n, .vector = true});
    double zero = 0.0;
    c->mean = segment->add_local(segment, &(sg_component_variable){"mean", NULL, &zero, 1, false});
    c->early = segment->add_crossings(segment, "time passes", 1);
    return SG_OK;
}

// (first, ends) = look(): a number and a vector of two.
static sg_status look(void *memory, const sg_component_call *call)
{
    const cells *c = memory;
    const double *x = call->state(call, c->state);
    if (!x)
        return SG_ERR_MODEL;
    SG_CHECK(call->results[0].n == 1 && call->results[1].n == 2);
    call->results[0].data[0] = x[0];
    call->results[1].data[0] = x[0];
    call->results[1].data[1] = x[c->n - 1];
    return SG_OK;
}

static sg_status drive(void *memory, const sg_component_call *call)
{
    cells *c = memory;
    const double *x = call->state(call, c->state);
    double rate[8], mean = 0.0;
    if (!x || c->n > 8)
        return SG_ERR_MODEL;
    for (size_t i = 0; i < c->n; i++) {
        rate[i] = call->arguments[0].data[0] - x[i];
        mean += x[i] / (double)c->n;
        c->x[i] = x[i];
    }
    call->set_derivative(call, c->state, rate);
    if (call->purpose == SG_COMPONENT_RESULT)
        call->set_local(call, c->mean, &mean);
    if (call->purpose >= SG_COMPONENT_CROSSINGS)
        call->set_crossing(call, c->early, 0.5 - call->time);
    if (call->purpose == SG_COMPONENT_EVENT && !call->initial && c->n_begun == 1)
        call->end_segment(call);
    c->n_terminal += call->purpose == SG_COMPONENT_TERMINAL;
    return SG_OK;
}

static void destroy(void *memory)
{
    const cells *c = memory;
    n_destroyed++;
    free(c->x);
}

static sg_status build(void *memory, const sg_component_builder *builder)
{
    (void)memory;
    builder->write(builder, "drive(u)");
    return SG_OK;
}

static const sg_component_function functions[] = {{"look", 0, 2, look}, {"drive", 1, 0, drive}};
static const sg_component component = {.abi = SG_COMPONENT_ABI,
                                       .name = "cells",
                                       .memory_size = sizeof(cells),
                                       .functions = functions,
                                       .n_functions = 2,
                                       .equations = "(first, ends) = look()\nboth = 2*ends\n",
                                       .build = build,
                                       .init_segment = begin,
                                       .destroy = destroy};

static const char model[] =
    "using Modia\n"
    "M = Model(c = Component(\"cells\", start = [1, 3], text = \"a\", u = input),\n"
    "    y = Var(init = 0.0), equations = :[c.u = 2.0; der(y) = c.first])\n"
    "m = @instantiateModel(M, unitless = true)\n"
    "for i in 1:2\n"
    "    simulate!(m, stopTime = 1.0, tolerance = 1e-9)\n"
    "    x = getLastValue(m, \"c.x\", unit = false)\n"
    "    @test isapprox(x, [2 - exp(-1), 2 + exp(-1), 2 - exp(-1), 2 + exp(-1)], rtol = 1e-6)\n"
    "    @test isapprox(getLastValue(m, \"c.both\"), 2*[x[1], x[4]], rtol = 1e-9)\n"
    "    @test isapprox(getLastValue(m, \"y\"), 2 - (1 - exp(-1)), rtol = 1e-6)\n"
    "    @test isapprox(getLastValue(m, \"c.mean\"), 2.0, rtol = 1e-6)\n"
    "end\n";

static void count_errors(void *context, const sg_diag *diag, const char *rendered)
{
    (void)rendered;
    *(size_t *)context += diag->severity == SG_ERROR;
}

// The number of requests for memory; the one at `fail_at` was refused.
static uint64_t run(uint64_t fail_at, int *exit_status)
{
    sg_test_allocator a;
    size_t errors = 0;
    sg_test_allocator_init(&a, fail_at);
    sg_session_options o = sg_session_options_make();
    o.report = count_errors;
    o.context = &errors;
    sg_session *session;
    *exit_status = -1;
    if (sg_session_create(&a.allocator, &o, &session) == SG_OK) {
        sg_status added = sg_session_add_component(session, &component);
        SG_CHECK(added == SG_OK || (fail_at && added == SG_ERR_MEMORY));
        sg_session_run_text(session, "cells.jl", model, strlen(model));
        *exit_status = sg_session_exit_status(session);
        sg_session_destroy(session);
        SG_CHECK(*exit_status != 0 || errors == 0);
    }
    SG_CHECK_MSG(a.live_blocks == 0, "%lld blocks left after request %llu was refused",
                 (long long)a.live_blocks, (unsigned long long)fail_at);
    return a.requests;
}

SG_TEST(a_component_sees_parameters_states_and_purposes_and_changes_its_size)
{
    int exit_status;
    n_destroyed = 0;
    run(0, &exit_status);
    SG_CHECK_MSG(exit_status == 0, "exit status %d", exit_status);
    SG_CHECK(n_destroyed == 1);
}

SG_TEST(a_component_survives_refused_memory)
{
    int exit_status;
    uint64_t requests = run(0, &exit_status);
    for (uint64_t at = 1 + requests / 2; at < requests; at += 1 + requests / 400)
        run(at, &exit_status);
}

SG_TEST(components_that_cannot_be_are_refused)
{
    size_t errors = 0;
    sg_session_options o = sg_session_options_make();
    o.report = count_errors;
    o.context = &errors;
    sg_session *session;
    SG_REQUIRE(sg_session_create(NULL, &o, &session) == SG_OK);
    sg_component wrong = component;
    wrong.abi = 0;
    SG_CHECK(sg_session_add_component(session, &wrong) == SG_ERR_USAGE);
    wrong = component;
    wrong.name = "";
    SG_CHECK(sg_session_add_component(session, &wrong) == SG_ERR_USAGE);
    wrong = component;
    wrong.functions = NULL;
    SG_CHECK(sg_session_add_component(session, &wrong) == SG_ERR_USAGE);
    const sg_component_function same[] = {functions[0], functions[0]};
    wrong.functions = same;
    SG_CHECK(sg_session_add_component(session, &wrong) == SG_ERR_USAGE);
    const sg_component_function many = {"many", 0, SG_COMPONENT_MOST_RESULTS + 1, look};
    wrong.functions = &many;
    wrong.n_functions = 1;
    SG_CHECK(sg_session_add_component(session, &wrong) == SG_ERR_USAGE);
    SG_CHECK(sg_session_add_component(session, &component) == SG_OK);
    SG_CHECK(sg_session_add_component(session, &component) == SG_ERR_USAGE);
    SG_CHECK(errors == 4); // the same message is told once
    SG_CHECK(sg_session_load_components(session, "no such library.so") == SG_ERR_IO);
    sg_session_destroy(session);
}
