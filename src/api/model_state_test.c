// States that are saved and restored: the same bits from there on, whatever a model consists of.
#include "harness/sg_test.h"
#include "segue/component.h"
#include "segue/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static sg_model *open_file(const char *file, sg_diags *diags)
{
    char path[512];
    sg_model *model = NULL;
    snprintf(path, sizeof path, "%s/%s", SG_SOURCE_DIR, file);
    sg_status status = sg_model_open_file(NULL, path, NULL, diags, &model);
    for (size_t i = 0; status != SG_OK && i < sg_diags_count(diags); i++)
        printf("%s\n", sg_diags_get(diags, i)->message);
    SG_CHECK_MSG(status == SG_OK, "%s", file);
    return model;
}

// The points of a result from a time on: the first one, and how many.
static size_t points_from(sg_result *r, double time, size_t *first)
{
    size_t n = (size_t)sg_result_points(r);
    double *t = malloc((n + 1) * sizeof *t);
    SG_CHECK(sg_result_values(r, "time", 0, n, t, NULL) == SG_OK);
    *first = 0;
    while (*first < n && !(t[*first] > time))
        ++*first;
    free(t);
    return n - *first;
}

// Every number of two results behind `time`.
static void same_results(sg_model *a, sg_model *b, double time, const char *file)
{
    sg_result *x = NULL, *y = NULL;
    SG_REQUIRE(sg_model_result(a, &x) == SG_OK && sg_model_result(b, &y) == SG_OK);
    size_t from_x, from_y, n = points_from(x, time, &from_x);
    size_t n_signals = sg_result_describe(x).n_signals, n_equal = 0;
    SG_CHECK_MSG(n == points_from(y, time, &from_y), "%s: %zu points, not %zu", file, n,
                 points_from(y, time, &from_y));
    double *p = malloc(2 * (n + 1) * sizeof *p), *q = p + n;
    for (size_t i = 0; i < n_signals && n == points_from(y, time, &from_y); i++) {
        const sg_signal *s = sg_result_signal(x, i);
        for (uint32_t k = 0; k < sg_signal_count(s); k++) {
            char name[256];
            sg_element_name(s, k, name, sizeof name);
            if (sg_result_values(x, name, from_x, n, p, NULL) != SG_OK ||
                sg_result_values(y, name, from_y, n, q, NULL) != SG_OK)
                continue;
            n_equal++;
            SG_CHECK_MSG(memcmp(p, q, n * sizeof *p) == 0, "%s: %s", file, name);
        }
    }
    SG_CHECK_MSG(n_equal > 0 || n_signals == 0, "%s", file);
    free(p);
    sg_result_destroy(x);
    sg_result_destroy(y);
}

// Half of the run, saved; one goes on, another one from the state.
static void try_file(const char *file, bool by_steps)
{
    sg_diags *diags = sg_diags_create(NULL);
    sg_model *a = open_file(file, diags), *b = open_file(file, diags);
    sg_model_state *state = NULL, *copy = NULL;
    SG_CHECK_MSG(sg_model_initialize(a) == SG_OK, "%s", file);
    double stop = sg_model_look(a).stop;
    while (by_steps && !sg_model_look(a).done && sg_model_look(a).time < 0.5 * stop)
        SG_CHECK(sg_model_step(a) == SG_OK);
    if (!by_steps)
        SG_CHECK_MSG(sg_model_step_to(a, 0.5 * stop) == SG_OK, "%s", file);
    SG_CHECK(sg_model_save(a, &state) == SG_OK);
    size_t n;
    const void *bytes = sg_model_state_bytes(state, &n);
    SG_CHECK(sg_model_state_make(NULL, bytes, n, &copy) == SG_OK);
    SG_CHECK_MSG(sg_model_restore(b, copy) == SG_OK, "%s", file);
    double time = sg_model_look(a).time;
    sg_model_now now = sg_model_look(a), then = sg_model_look(b);
    SG_CHECK_MSG(now.time == then.time && now.n_steps == then.n_steps &&
                     now.n_state_events == then.n_state_events && now.segment == then.segment &&
                     now.n_contacts == then.n_contacts && now.n_evaluated == then.n_evaluated,
                 "%s", file);
    if (!sg_model_look(a).done) {
        SG_CHECK_MSG(sg_model_step_to(a, stop) == SG_OK, "%s", file);
        SG_CHECK_MSG(sg_model_step_to(b, stop) == SG_OK, "%s", file);
    }
    for (size_t i = 0; i < sg_diags_count(diags); i++)
        if (sg_diags_get(diags, i)->severity == SG_ERROR)
            printf("%s\n", sg_diags_get(diags, i)->message);
    same_results(a, b, time, file);
    sg_model_state_destroy(state);
    sg_model_state_destroy(copy);
    sg_model_destroy(a);
    sg_model_destroy(b);
    sg_diags_destroy(diags);
}

SG_TEST(a_state_with_events_delays_and_clocks_is_restored)
{
    try_file("examples/events/bouncing_ball.jl", true);
    try_file("examples/events/dead_time.jl", false);
    try_file("tests/models/a16_sampled_control.jl", true);
}

SG_TEST(a_state_with_carried_unknowns_is_restored)
{
    try_file("tests/models/carried_unknowns.jl", true);
}

// Random numbers go on where they were, also in a handle that has drawn others.
SG_TEST(a_state_with_random_numbers_is_restored)
{
    static const char held[] = "using Modia\n"
                               "draw(x) = rand()\n"
                               "Walk = Model(x = Var(init = 0.0), s = Var(start = 0.0),\n"
                               "    equations = :[c = Clock(0.1)\n"
                               "                  s = sample(draw(time), c)\n"
                               "                  f = hold(s, c)\n"
                               "                  der(x) = f - 0.5])\n";
    sg_model_options options = sg_model_options_make();
    options.stop = 3.0;
    sg_model *a = NULL, *b = NULL;
    sg_diags *diags = sg_diags_create(NULL);
    sg_status status = sg_model_open_text(NULL, "w.jl", held, strlen(held), &options, diags, &a);
    for (size_t i = 0; i < sg_diags_count(diags); i++)
        printf("%s\n", sg_diags_get(diags, i)->message);
    SG_REQUIRE(status == SG_OK);
    SG_CHECK(sg_model_open_text(NULL, "w.jl", held, strlen(held), &options, NULL, &b) == SG_OK);
    sg_model_state *state = NULL;
    double first = 0.0, x = 0.0, y = 0.0;
    SG_CHECK(sg_model_initialize(b) == SG_OK && sg_model_step_to(b, 2.0) == SG_OK);
    SG_CHECK(sg_model_initialize(a) == SG_OK && sg_model_step_to(a, 1.55) == SG_OK);
    SG_CHECK(sg_model_get(a, "x", &first, 1) == SG_OK && sg_model_save(a, &state) == SG_OK);
    SG_CHECK(sg_model_step_to(a, 3.0) == SG_OK && sg_model_get(a, "x", &x, 1) == SG_OK);
    SG_CHECK(sg_model_restore(b, state) == SG_OK && sg_model_step_to(b, 3.0) == SG_OK);
    SG_CHECK(sg_model_get(b, "x", &y, 1) == SG_OK);
    SG_CHECK_MSG(x == y && x != first, "%.17g, %.17g", x, y);
    sg_model_state_destroy(state);
    sg_model_destroy(a);
    sg_model_destroy(b);
    sg_diags_destroy(diags);
}

// Contacts with areas and anchors, segments by actions, chosen states, loops, bushings.
SG_TEST(a_state_with_contacts_and_segments_is_restored)
{
    try_file("examples/contact/two_balls.jl", true);
    try_file("examples/contact/hail.jl", false); // islands
    try_file("tests/models/e8_sixteen_balls.jl", true);
    try_file("tests/models/flat_contact.jl", false);
    try_file("examples/mechanics/trapeze.jl", false);
    try_file("examples/robots/gripping_robot.jl", false);
    try_file("tests/models/actions_joint.jl", true);
    try_file("tests/models/actions_park.jl", false);
    try_file("tests/models/actions_loop.jl", false);
}

SG_TEST(a_state_with_choices_loops_and_sliding_is_restored)
{
    try_file("examples/mechanics/cartesian_pendulum.jl", true);
    try_file("examples/loops/suspension.jl", false);
    try_file("tests/models/loops_ggl.jl", false);
    try_file("examples/events/stick_slip.jl", true);
    try_file("tests/models/d3_bushing.jl", false);
}

// The last of the states that a model has.
static double last_state(sg_model *model, const char *name)
{
    double x = (double)NAN;
    SG_CHECK(sg_model_get(model, name, &x, 1) == SG_OK);
    return x;
}

// What is forgotten by all who restore is missing in all of them: a run that was saved again and
// again is one that never was, up to the tolerance. Here a ball that bounces.
SG_TEST(a_run_whose_state_is_saved_often_is_the_same_run)
{
    sg_diags *diags = sg_diags_create(NULL);
    sg_model *saved = open_file("examples/events/bouncing_ball.jl", diags);
    sg_model *plain = open_file("examples/events/bouncing_ball.jl", diags);
    SG_CHECK(sg_model_initialize(saved) == SG_OK && sg_model_initialize(plain) == SG_OK);
    double stop = sg_model_look(saved).stop;
    for (int i = 1; i <= 20; i++) {
        sg_model_state *state = NULL;
        SG_CHECK(sg_model_step_to(saved, stop * i / 21.0) == SG_OK);
        SG_CHECK(sg_model_save(saved, &state) == SG_OK);
        if (i % 2) // also from what was read
            SG_CHECK(sg_model_restore(saved, state) == SG_OK);
        sg_model_state_destroy(state);
    }
    SG_CHECK(sg_model_step_to(saved, stop) == SG_OK && sg_model_step_to(plain, stop) == SG_OK);
    SG_CHECK(sg_model_look(saved).n_state_events == sg_model_look(plain).n_state_events);
    SG_NEAR(last_state(saved, "h"), last_state(plain, "h"), 1e-5, 1.0);
    sg_model_destroy(saved);
    sg_model_destroy(plain);
    sg_diags_destroy(diags);
}

// Saving restarts the integrator and does nothing else: an input that nobody feels, set at the same
// times, gives the same numbers, also at a tolerance at which a restart shows.
SG_TEST(a_saved_run_is_one_that_restarts)
{
    static const char text[] =
        "using Modia\n"
        "Levels = Model(x = Var(init = 0.0), u = Var(input = true, start = 0.0),\n"
        "    equations = :[der(x) = 2.0*cos(4.0*time); unfelt = 0.0*u; k = floor(7.0*x)\n"
        "                  p = mod(time, 0.37); half = p > 0.185])\n"
        "levels = @instantiateModel(Levels, unitless = true)\n";
    sg_model_options options = sg_model_options_make();
    options.stop = 4.0;
    options.tolerance = 1e-3;
    options.solver = "CVODE_BDF";
    sg_model *m[3] = {NULL};
    double x[3] = {0};
    for (int k = 0; k < 3; k++) {
        SG_REQUIRE(sg_model_open_text(NULL, "l.jl", text, strlen(text), &options, NULL, &m[k]) ==
                   SG_OK);
        SG_CHECK(sg_model_initialize(m[k]) == SG_OK);
        for (int i = 1; i <= 3; i++) {
            sg_model_state *state = NULL;
            double u = i;
            SG_CHECK(sg_model_step_to(m[k], i) == SG_OK);
            if (k == 0)
                SG_CHECK(sg_model_save(m[k], &state) == SG_OK);
            if (k == 1)
                SG_CHECK(sg_model_set(m[k], "u", &u, 1) == SG_OK);
            sg_model_state_destroy(state);
        }
        SG_CHECK(sg_model_step_to(m[k], 4.0) == SG_OK);
        x[k] = last_state(m[k], "x");
    }
    SG_NEAR(x[0], x[1], 1e-14, 1.0);
    SG_CHECK(fabs(x[0] - x[2]) > 1e-6); // restarts do show
    for (int k = 0; k < 3; k++)
        sg_model_destroy(m[k]);
}

// A host's own time wins over one of the grid that differs by a bit: time never goes back.
SG_TEST(time_never_goes_back_in_a_result_of_a_handle)
{
    static const char text[] =
        "using Modia\n"
        "Decay = Model(x = Var(init = 1.0), u = Var(input = true, start = 0.0),\n"
        "    equations = :[der(x) = -x + u])\n";
    sg_model_options options = sg_model_options_make();
    options.stop = 2 * 0.9820032573112512; // of whose 500 intervals 250 are a bit more than a half
    sg_model *m = NULL;
    double u = 1.0, t[1000];
    sg_result *result = NULL;
    SG_REQUIRE(sg_model_open_text(NULL, "d.jl", text, strlen(text), &options, NULL, &m) == SG_OK);
    SG_CHECK(sg_model_initialize(m) == SG_OK);
    SG_CHECK(sg_model_step_to(m, 0.5 * options.stop) == SG_OK);
    SG_CHECK(sg_model_set(m, "u", &u, 1) == SG_OK && sg_model_step_to(m, options.stop) == SG_OK);
    SG_REQUIRE(sg_model_result(m, &result) == SG_OK);
    size_t n = (size_t)sg_result_points(result);
    SG_REQUIRE(n > 500 && n < 1000 && sg_result_values(result, "time", 0, n, t, NULL) == SG_OK);
    for (size_t i = 1; i < n; i++)
        SG_CHECK_MSG(t[i] >= t[i - 1], "%.17g behind %.17g", t[i], t[i - 1]);
    sg_result_destroy(result);
    sg_model_destroy(m);
}

// Restoring takes as long as a reset: a hundred times as many steps before make no difference.
SG_TEST(restoring_a_state_does_not_repeat_the_run)
{
    static const char text[] = "using Modia\n"
                               "Ring = Model(x = Var(init = 1.0), v = Var(init = 0.0),\n"
                               "    equations = :[der(x) = v\n"
                               "                  der(v) = -x])\n";
    sg_model_options options = sg_model_options_make();
    options.stop = 2e4;
    options.record = false;
    sg_model *a = NULL, *b = NULL;
    SG_REQUIRE(sg_model_open_text(NULL, "r.jl", text, strlen(text), &options, NULL, &a) == SG_OK);
    SG_REQUIRE(sg_model_open_text(NULL, "r.jl", text, strlen(text), &options, NULL, &b) == SG_OK);
    sg_model_state *state = NULL;
    clock_t begin = clock();
    SG_CHECK(sg_model_initialize(a) == SG_OK && sg_model_step_to(a, 1.5e4) == SG_OK);
    double ran = (double)(clock() - begin);
    SG_CHECK(sg_model_save(a, &state) == SG_OK);
    begin = clock();
    SG_CHECK(sg_model_restore(b, state) == SG_OK);
    double restored = (double)(clock() - begin);
    SG_CHECK_MSG(restored < 0.1 * ran, "run %g, restored in %g", ran, restored);
    SG_CHECK(last_state(a, "x") == last_state(b, "x"));
    SG_CHECK(sg_model_look(a).n_steps == sg_model_look(b).n_steps);
    sg_model_state_destroy(state);
    sg_model_destroy(a);
    sg_model_destroy(b);
}

// ---- a component in C -----------------------------------------------------------------------

// Numbers that fade; every second beat ends the segment, and the next one has one more of them.
typedef struct beater {
    int n, beats;
    int state;
    double next;
} beater;

static sg_status begin_beats(void *memory, const sg_component_segment *segment)
{
    static const double ones[64] = {1.0, 1.0, 1.0, 1.0};
    beater *b = memory;
    if (segment->first)
        *b = (beater){.next = 0.1};
    b->n++;
    b->state = segment->add_state(
        segment,
        &(sg_component_variable){.name = "x", .value = ones, .n = (size_t)b->n, .vector = true});
    return SG_OK;
}

static sg_status beat(void *memory, const sg_component_call *call)
{
    beater *b = memory;
    double rate[64] = {0};
    const double *x = call->state(call, b->state);
    for (int i = 0; i < b->n; i++)
        rate[i] = -(1.0 + b->beats) * x[i];
    call->set_derivative(call, b->state, rate);
    call->results[0].data[0] = x[0] + b->beats;
    if (call->purpose != SG_COMPONENT_EVENT)
        return SG_OK;
    if (!call->initial && call->time >= b->next - 1e-9) {
        b->next += 0.1;
        if (++b->beats % 2 == 0)
            call->end_segment(call);
    }
    call->set_next_event(call, b->next);
    return SG_OK;
}

static const sg_component_function beats[] = {{"beat", 0, 1, beat}};
static sg_component beating = {.abi = SG_COMPONENT_ABI,
                               .name = "beating",
                               .memory_size = sizeof(beater),
                               .functions = beats,
                               .n_functions = 1,
                               .equations = "y = beat()",
                               .init_segment = begin_beats};

static sg_model *open_beats(const sg_component *component, sg_diags *diags)
{
    static const char text[] = "using Modia\n"
                               "M = Model(c = Component(\"beating\"), z = Var(init = 0.0),\n"
                               "    equations = :[der(z) = c.y])\n";
    sg_model_options options = sg_model_options_make();
    const sg_component *const components[] = {component};
    sg_model *model = NULL;
    options.stop = 1.0;
    options.components = components;
    options.n_components = 1;
    sg_status status =
        sg_model_open_text(NULL, "m.jl", text, strlen(text), &options, diags, &model);
    for (size_t i = 0; i < sg_diags_count(diags); i++)
        printf("%s\n", sg_diags_get(diags, i)->message);
    SG_CHECK(status == SG_OK);
    return model;
}

SG_TEST(a_state_with_a_component_in_c_is_restored_if_its_memory_is_plain)
{
    sg_diags *diags = sg_diags_create(NULL);
    sg_component plain = beating;
    plain.plain_memory = true;
    sg_model *a = open_beats(&plain, diags), *b = open_beats(&plain, diags);
    sg_model *never = open_beats(&plain, diags), *opaque = open_beats(&beating, NULL);
    sg_model_state *state = NULL;
    SG_REQUIRE(a && b && never && opaque);
    SG_CHECK(sg_model_initialize(a) == SG_OK && sg_model_step_to(a, 0.55) == SG_OK);
    SG_CHECK(sg_model_look(a).segment == 3);
    SG_CHECK(sg_model_save(a, &state) == SG_OK && sg_model_restore(b, state) == SG_OK);
    SG_CHECK(sg_model_step_to(a, 0.95) == SG_OK && sg_model_step_to(b, 0.95) == SG_OK);
    SG_CHECK(sg_model_initialize(never) == SG_OK && sg_model_step_to(never, 0.95) == SG_OK);
    double x[5] = {0}, y[5] = {0}, z[5] = {0};
    SG_CHECK(sg_model_look(a).segment == 5 && sg_model_look(b).segment == 5);
    SG_CHECK(sg_model_get(a, "c.x", x, 5) == SG_OK && sg_model_get(b, "c.x", y, 5) == SG_OK);
    SG_CHECK(sg_model_get(never, "c.x", z, 5) == SG_OK && memcmp(x, y, sizeof x) == 0);
    for (int i = 0; i < 5; i++)
        SG_NEAR(x[i], z[i], 1e-4, 1.0);
    SG_CHECK(last_state(a, "z") == last_state(b, "z"));
    SG_NEAR(last_state(a, "z"), last_state(never, "z"), 1e-4, 1.0);
    sg_model_state_destroy(state);
    // The other one says why, and goes on.
    SG_CHECK(sg_model_initialize(opaque) == SG_OK && sg_model_step_to(opaque, 0.55) == SG_OK);
    SG_CHECK(sg_model_save(opaque, &state) == SG_ERR_USAGE && !state);
    SG_CHECK(sg_model_step_to(opaque, 0.95) == SG_OK);
    SG_NEAR(last_state(opaque, "z"), last_state(never, "z"), 1e-4, 1.0);
    sg_model_destroy(a);
    sg_model_destroy(b);
    sg_model_destroy(never);
    sg_model_destroy(opaque);
    sg_diags_destroy(diags);
}

// ---- components of the script -----------------------------------------------------------------

// States that come and go with segments, of three components; a ball with a memory of its own.
SG_TEST(a_state_with_components_of_the_script_is_restored)
{
    try_file("tests/models/segments_of_components.jl", true);
    try_file("tests/models/segments_of_components.jl", false);
    try_file("tests/models/component_functions.jl", true);
    try_file("tests/models/predefined_components.jl", false);
    try_file("examples/thesis/heated_rod.jl", false);
}

// All kinds of values, what is shared, what contains itself, functions with a memory, and a random
// number that a segment draws when it begins.
SG_TEST(objects_of_the_script_are_saved_with_all_that_they_lead_to)
{
    static const char text[] =
        "using Modia\n"
        "@enum Mood calm wild\n"
        "mutable struct Node; next; weight::Float64; end\n"
        "struct Pair2{T}; a::T; b::T; end\n"
        "mutable struct Memory\n"
        "    i; n; list; same; table; ring; pair; mood; text; name; step; span; unit; count; "
        "shape; kind; me\n"
        "end\n"
        "function counter()\n    n = 0\n    return () -> (n += 1; n)\nend\n"
        "twice(x) = 2.0*x\n"
        "function fresh()\n"
        "    ring = Node(nothing, 0.5)\n    ring.next = Node(ring, 0.25)\n"
        "    list = [1.0, 2.0]\n"
        "    return Memory(0, 0, list, list, Dict(\"k\" => 1, :s => [1, \"two\", 3.0u\"m\"]), "
        "ring,\n"
        "                  Pair2(1, 2), calm, \"text\", :name, twice, 1:3, 2.5u\"km/hr\", "
        "counter(), (a = 1, b = [true, false]),\n"
        "                  Float64, nothing)\n"
        "end\n"
        "build!(model, modelModule, FloatType, TimeType, options, ID, path) =\n"
        "    (model | Model(m = Var(hideResult = true), y = Var(), equations = :[m = "
        "opened(instantiatedModel, $ID)\n"
        "        y = value(instantiatedModel, m, time)]), fresh())\n"
        "function init!(m, path, ID, parameters; log = false)\n"
        "    o = Modia.get_instantiatedSubmodel(m, ID)\n"
        "    if Modia.isFirstInitialOfAllSegments(m)\n"
        "        o.n = 0; o.list = [1.0, 2.0]; o.same = o.list; o.ring.weight = 0.5; o.mood = "
        "calm; o.me = m\n"
        "        o.count = counter(); o.table = Dict(\"k\" => 1, :s => [1, \"two\", 3.0u\"m\"]); "
        "o.unit = 2.5u\"km/hr\"\n"
        "    end\n"
        "    o.i = Modia.new_x_segmented_variable!(m, path * \".x\", path * \".der(x)\", 1.0 + "
        "rand())\n"
        "    return nothing\n"
        "end\n"
        "opened(m, ID) = Modia.get_instantiatedSubmodel(m, ID)\n"
        "function value(m, o, time)\n"
        "    x = Modia.copy_scalar_x_segmented_value_from_state(m, o.i)\n"
        "    Modia.copy_der_x_segmented_value_to_state(m, o.i, -x)\n"
        "    if Modia.isEvent(m) && Modia.isFirstEventIteration(m)\n"
        "        o.n = o.n + 1\n"
        "        push!(o.list, 0.5*o.n + rand())\n"
        "        o.ring.next.next.weight += 0.125\n"
        "        o.mood = o.mood == calm ? wild : calm\n"
        "        o.table[\"k\"] = o.count() + o.table[\"k\"]\n"
        "        o.unit = o.unit + 1.0u\"km/hr\"\n"
        "        Modia.setNextEvent!(m, 0.1*o.n)\n"
        "        o.n == 7 && Modia.setFullRestartEvent!(m)\n"
        "    end\n"
        "    me = o.me === m ? 1.0 : 0.0\n"
        "    return x + sum(o.same) + 10*o.ring.weight + o.table[\"k\"] + o.step(o.pair.b) + "
        "(o.mood == wild ? 100.0 : 0.0) +\n"
        "        length(o.table[:s][2]) + ustrip(o.unit) + me + o.shape.a + length(o.span)\n"
        "end\n"
        "Part = Model(_buildFunction = Par(functionName = :(build!)), _initSegmentFunction = "
        "Par(functionName = :(init!)))\n"
        "Whole = Model(part = Part, z = Var(init = 0.0), equations = :[der(z) = part.y])\n"
        "whole = @instantiateModel(Whole, unitless = true)\n";
    sg_model_options options = sg_model_options_make();
    sg_diags *diags = sg_diags_create(NULL);
    sg_model *m[3] = {NULL};
    options.stop = 2.0;
    for (int k = 0; k < 3; k++) {
        sg_status status =
            sg_model_open_text(NULL, "o.jl", text, strlen(text), &options, diags, &m[k]);
        for (size_t i = 0; status != SG_OK && i < sg_diags_count(diags); i++)
            printf("%s\n", sg_diags_get(diags, i)->message);
        SG_REQUIRE(status == SG_OK);
    }
    sg_model_state *state = NULL;
    SG_CHECK(sg_model_initialize(m[1]) == SG_OK && sg_model_step_to(m[1], 0.3) == SG_OK);
    SG_CHECK(sg_model_initialize(m[0]) == SG_OK && sg_model_step_to(m[0], 1.23) == SG_OK);
    SG_CHECK(sg_model_save(m[0], &state) == SG_OK && sg_model_restore(m[1], state) == SG_OK);
    SG_CHECK(sg_model_initialize(m[2]) == SG_OK && sg_model_step_to(m[2], 1.23) == SG_OK);
    double y[3] = {0}, z[3] = {0};
    for (int k = 0; k < 3; k++) {
        SG_CHECK(sg_model_step_to(m[k], 2.0) == SG_OK);
        y[k] = last_state(m[k], "part.y");
        z[k] = last_state(m[k], "z");
    }
    for (size_t i = 0; i < sg_diags_count(diags); i++)
        printf("%s\n", sg_diags_get(diags, i)->message);
    SG_CHECK_MSG(y[0] == y[1] && z[0] == z[1], "%.17g %.17g %.17g %.17g", y[0], y[1], z[0], z[1]);
    SG_NEAR(y[0], y[2], 1e-5, 1.0);
    SG_NEAR(z[0], z[2], 1e-5, 1.0);
    SG_CHECK(y[0] > 50.0 && sg_model_look(m[0]).segment == 2);
    sg_model_state_destroy(state);
    for (int k = 0; k < 3; k++)
        sg_model_destroy(m[k]);
    sg_diags_destroy(diags);
}

// ---- values ---------------------------------------------------------------------------------

static const char plain[] =
    "using Modia\n"
    "Plant = Model(k = 2.0, u = Var(input = true, start = 0.0), x = Var(init = 1.0),\n"
    "    y = Var(start = 0.5),\n"
    "    equations = :[der(x) = -k*x^3 + u + y\n"
    "                  0 = y^3 + y - x])\n"
    "plant = @instantiateModel(Plant, log = false)\n"
    "simulate!(plant, stopTime = 2.0, tolerance = 1e-6, log = false)\n";

static sg_model *open_plain(void)
{
    sg_model *model = NULL;
    SG_CHECK(sg_model_open_text(NULL, "plant.jl", plain, strlen(plain), NULL, NULL, &model) ==
             SG_OK);
    return model;
}

static void control(sg_model *model, int from, int to)
{
    for (int i = from; i < to; i++) {
        double x = 0.0;
        SG_CHECK(sg_model_get(model, "x", &x, 1) == SG_OK);
        double u = 2.0 * (0.3 - x);
        SG_CHECK(sg_model_set(model, "u", &u, 1) == SG_OK);
        SG_CHECK(sg_model_step_to(model, 0.01 * (i + 1)) == SG_OK);
    }
}

SG_TEST(a_state_of_a_controlled_model_is_restored_after_other_runs)
{
    sg_model *a = open_plain(), *b = open_plain();
    double k = 3.0, other = 7.0, start = 0.8;
    SG_CHECK(sg_model_set(a, "k", &k, 1) == SG_OK && sg_model_set(a, "x", &start, 1) == SG_OK);
    SG_CHECK(sg_model_initialize(a) == SG_OK);
    control(a, 0, 80);
    sg_model_state *state = NULL;
    SG_CHECK(sg_model_save(a, &state) == SG_OK);
    control(a, 80, 200);
    double x = 0.0, again = 0.0;
    SG_CHECK(sg_model_get(a, "x", &x, 1) == SG_OK);
    // The same handle with other values in between; and another one with values of its own.
    SG_CHECK(sg_model_reset(a) == SG_OK && sg_model_set(a, "k", &other, 1) == SG_OK);
    SG_CHECK(sg_model_initialize(a) == SG_OK);
    control(a, 0, 10);
    SG_CHECK(sg_model_set_text(b, "y", "0.9") == SG_OK && sg_model_set(b, "k", &other, 1) == SG_OK);
    sg_model *both[] = {a, b};
    for (int i = 0; i < 2; i++) {
        SG_CHECK(sg_model_restore(both[i], state) == SG_OK);
        SG_CHECK(sg_model_get(both[i], "k", &again, 1) == SG_OK && again == 3.0);
        control(both[i], 80, 200);
        SG_CHECK(sg_model_get(both[i], "x", &again, 1) == SG_OK && again == x);
    }
    // Saved once more, through a file.
    sg_model_state *second = NULL, *read = NULL;
    SG_CHECK(sg_model_save(b, &second) == SG_OK);
    SG_CHECK(sg_model_state_write(second, SG_SCRATCH "/plant.state", NULL) == SG_OK);
    SG_CHECK(sg_model_state_read(NULL, SG_SCRATCH "/plant.state", NULL, &read) == SG_OK);
    SG_CHECK(sg_model_restore(a, read) == SG_OK && sg_model_look(a).time == 2.0);
    SG_CHECK(sg_model_get(a, "x", &again, 1) == SG_OK && again == x);
    sg_model_state_destroy(state);
    sg_model_state_destroy(second);
    sg_model_state_destroy(read);
    sg_model_destroy(a);
    sg_model_destroy(b);
}

// What it is told about bytes of a state with another number at `at` and a right sum.
static bool says_of_changed(const sg_model_state *state, size_t at, const char *expected)
{
    enum { SUM = 56 }; // where the head has it
    size_t n;
    const unsigned char *bytes = sg_model_state_bytes(state, &n);
    unsigned char *copy = malloc(n);
    memcpy(copy, bytes, n);
    copy[at] ^= 1;
    memset(copy + SUM, 0, 8);
    uint64_t sum = 0xcbf29ce484222325ULL;
    for (size_t i = 0; i < n; i++)
        sum = (sum ^ copy[i]) * 0x100000001b3ULL;
    memcpy(copy + SUM, &sum, sizeof sum);
    sg_diags *diags = sg_diags_create(NULL);
    sg_model *model = NULL;
    sg_model_state *changed = NULL;
    FILE *file = fopen(SG_SCRATCH "/changed.state", "wb");
    fwrite(copy, 1, n, file);
    fclose(file);
    free(copy);
    bool refused =
        sg_model_open_text(NULL, "plant.jl", plain, strlen(plain), NULL, diags, &model) == SG_OK &&
        (sg_model_state_read(NULL, SG_SCRATCH "/changed.state", diags, &changed) == SG_ERR_INPUT ||
         sg_model_restore(model, changed) == SG_ERR_INPUT);
    bool told =
        sg_diags_count(diags) == 1 && strstr(sg_diags_get(diags, 0)->message, expected) != NULL;
    SG_CHECK_MSG(told, "%s",
                 sg_diags_count(diags) ? sg_diags_get(diags, 0)->message : "nothing was told");
    sg_model_state_destroy(changed);
    sg_model_destroy(model);
    sg_diags_destroy(diags);
    return refused && told;
}

SG_TEST(a_state_of_another_version_build_or_model_is_refused_with_the_reason)
{
    sg_model *model = open_plain();
    SG_REQUIRE(model);
    sg_model_state *state = NULL;
    SG_CHECK(sg_model_initialize(model) == SG_OK && sg_model_save(model, &state) == SG_OK);
    SG_CHECK(says_of_changed(state, 8, "another version of Segue"));
    SG_CHECK(says_of_changed(state, 16, "another build of Segue"));
    SG_CHECK(says_of_changed(state, 24, "another model"));
    SG_CHECK(says_of_changed(state, 32, "other times, tolerances"));
    sg_model_state_destroy(state);
    sg_model_destroy(model);
}

SG_TEST(a_state_that_is_damaged_or_of_another_model_is_refused)
{
    sg_model *a = open_plain(), *b = NULL;
    sg_model_options options = sg_model_options_make();
    options.tolerance = 1e-7;
    SG_CHECK(sg_model_open_text(NULL, "plant.jl", plain, strlen(plain), &options, NULL, &b) ==
             SG_OK);
    SG_CHECK(sg_model_initialize(a) == SG_OK);
    control(a, 0, 5);
    sg_model_state *state = NULL, *bad = NULL;
    SG_CHECK(sg_model_save(a, &state) == SG_OK);
    SG_CHECK(sg_model_restore(b, state) == SG_ERR_INPUT); // other options
    size_t n;
    const unsigned char *bytes = sg_model_state_bytes(state, &n);
    unsigned char *copy = malloc(n);
    for (size_t i = 0; i < n; i++) {
        memcpy(copy, bytes, n);
        copy[i] ^= 0x40;
        sg_status status = sg_model_state_make(NULL, copy, n, &bad);
        if (status == SG_OK) { // what is not in the sum is compared when it is restored
            SG_CHECK_MSG(sg_model_restore(a, bad) == SG_ERR_INPUT, "byte %zu", i);
            sg_model_state_destroy(bad);
        }
        SG_CHECK(sg_model_state_make(NULL, bytes, i, &bad) != SG_OK); // cut off
    }
    free(copy);
    SG_CHECK(sg_model_state_read(NULL, SG_SCRATCH "/none", NULL, &bad) == SG_ERR_IO);
    SG_CHECK(sg_model_restore(a, state) == SG_OK && sg_model_look(a).time == 0.05);
    sg_model_state_destroy(state);
    sg_model_destroy(a);
    sg_model_destroy(b);
}
