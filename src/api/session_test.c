#include "segue/session.h"

#include "harness/sg_test.h"

#include <string.h>

typedef struct heard {
    char out[4096], err[8192];
} heard;

static void append(char *to, size_t size, const char *text, size_t length)
{
    size_t used = strlen(to);
    if (used + length < size) {
        memcpy(to + used, text, length);
        to[used + length] = '\0';
    }
}

static void hear_out(void *context, const char *text, size_t length)
{
    append(((heard *)context)->out, sizeof((heard *)0)->out, text, length);
}

static void hear_diag(void *context, const sg_diag *diag, const char *rendered)
{
    (void)diag;
    append(((heard *)context)->err, sizeof((heard *)0)->err, rendered, strlen(rendered));
}

static const char model[] =
    "using Modia\n"
    "f(t) = sin(t)\n"
    "M = Model(T = 0.2u\"s\", x = Var(init = 0.3),\n"
    "          equations = :[T*der(x) + x = f(time/u\"s\"); y = [x, 2.0]])\n"
    "m = @instantiateModel(M | Map(T = 0.3u\"s\"))\n"
    "simulate!(m, stopTime = 1.0)\n"
    "println(length(getValues(m, \"y\")))\n";

static sg_session *run_script(const sg_allocator *allocator, const char *text, heard *h)
{
    sg_session_options options = sg_session_options_make();
    options.write = hear_out;
    options.report = hear_diag;
    options.context = h;
    sg_session *session;
    if (sg_session_create(allocator, &options, &session) != SG_OK)
        return NULL;
    sg_session_run_text(session, "test.jl", text, strlen(text));
    return session;
}

static sg_session *run(const sg_allocator *allocator, heard *h)
{
    return run_script(allocator, model, h);
}

SG_TEST(a_session_runs_a_model_and_hands_out_what_it_prints)
{
    heard h = {"", ""};
    sg_session *session = run(NULL, &h);
    SG_REQUIRE(session);
    SG_SAME_TEXT(h.out, "1002\n");
    SG_SAME_TEXT(h.err, "");
    SG_CHECK(sg_session_exit_status(session) == 0);
    const char *json;
    SG_CHECK(sg_session_summary(session, &json) == SG_OK && strstr(json, "\"stateNames\":[\"x\"]"));
    sg_session_destroy(session);
}

SG_TEST(two_sessions_do_not_know_each_other)
{
    heard a = {"", ""}, b = {"", ""};
    sg_session *first = run(NULL, &a), *second = run(NULL, &b);
    SG_REQUIRE(first && second);
    SG_SAME_TEXT(b.out, a.out);
    sg_session_run_text(first, "x.jl", "only_here = 1", 13);
    sg_session_run_text(second, "x.jl", "only_here", 9);
    SG_CHECK(sg_session_exit_status(first) == 0 && sg_session_exit_status(second) == 2);
    sg_session_destroy(first);
    sg_session_destroy(second);
}

// Wherever memory runs out, there is an end without crash, leak or wrong result.
static void check_refused_allocations(const char *text, const char *output)
{
    sg_test_allocator counting;
    sg_test_allocator_init(&counting, 0);
    heard h = {"", ""};
    sg_session_destroy(run_script(&counting.allocator, text, &h));
    SG_SAME_TEXT(h.out, output);
    SG_CHECK_MSG(counting.live_blocks == 0, "%d blocks left", (int)counting.live_blocks);
    uint64_t total = counting.requests;
    for (uint64_t n = 1; n <= total; n++) {
        sg_test_allocator test;
        sg_test_allocator_init(&test, n);
        h = (heard){"", ""};
        sg_session *session = run_script(&test.allocator, text, &h);
        if (session && sg_session_exit_status(session) == 0)
            SG_CHECK_MSG(strcmp(h.out, output) == 0, "request %d: %s", (int)n, h.out);
        sg_session_destroy(session);
        SG_CHECK_MSG(test.live_blocks == 0, "request %d leaves %d blocks", (int)n,
                     (int)test.live_blocks);
    }
}

SG_TEST(a_refused_allocation_ends_a_session_cleanly) { check_refused_allocations(model, "1002\n"); }

// Units, functions as expressions and as calls, their derivatives, and states that change.
SG_TEST(a_refused_allocation_ends_a_pendulum_that_turns_over_cleanly)
{
    static const char pendulum[] =
        "using Modia\n"
        "square(x) = x^2\n"
        "function steps(x)\n    n = 0.0*x\n    while n < 2*x\n        n = n + x\n    end\n"
        "    return n\nend\n"
        "M = Model(L = 1.0u\"m\", g = 9.81u\"m/s^2\", x = Var(init = 0.0u\"m\"),\n"
        "    vx = Var(init = 8.0u\"m/s\"), y = Var(start = -1.0u\"m\"), vy = Var(start = "
        "0.0u\"m/s\"),\n"
        "    F = Var(start = 0.0u\"1/s^2\"),\n"
        "    equations = :[vx = der(x); vy = der(y); der(vx) = -F*x; der(vy) = -F*y - g\n"
        "                  square(x) + y^2 = L^2; s = steps(time/u\"s\" + 1.0); sd = der(s)])\n"
        "m = @instantiateModel(M)\n"
        "simulate!(m, stopTime = 0.25, interval = 0.25)\n"
        "println(getLastValue(m, \"sd\"))\n";
    check_refused_allocations(pendulum, "2.0\n");
}

// Initial equations, steady states, a choice of states that is singular at the start, der of an
// expression, elements of results.
SG_TEST(a_refused_allocation_ends_a_start_that_is_solved_for_cleanly)
{
    static const char conditions[] =
        "using Modia\n"
        "square(x) = x^2\n"
        "M = Model(x = Var(init = 0.0), y = Var(start = 0.5), a = Var(start = 1.0),\n"
        "    b = Var(start = 1.0, steady = true), r = Var(init = 2.0),\n"
        "    equations = :[der(x) = u*cos(time); der(y) = -y + u*sin(time)\n"
        "                  0 = cos(time)*x + sin(time)*y\n"
        "                  der(2*a + square(a)) = -a; der(b) = a - b; r = b + y],\n"
        "    initialEquations = :[square(a) = 1.0])\n"
        "m = @instantiateModel(M, unitless = true)\n"
        "simulate!(m, stopTime = 0.0)\n"
        "println(round(getLastValue(m, \"y\"); digits = 6))\n";
    check_refused_allocations(conditions, "1.0\n");
}

// 3D parts: elements, joints on both sides, free motion that changes its angles, a full table of
// results.
SG_TEST(a_refused_allocation_ends_a_3d_model_cleanly)
{
    static const char parts[] =
        "using Modia3D\n"
        "Lump = Solid(shape = Box(lengthX = 0.2), massProperties = "
        "MassPropertiesFromShapeAndMass(mass "
        "= 1.0))\n"
        "M = Model3D(world = Object3D(feature = Scene()), arm = Object3D(feature = Lump),\n"
        "    tip = Object3D(parent = :arm, translation = [0.5, 0, 0]), rod = Object3D(feature = "
        "Lump),\n"
        "    nut = Object3D(parent = :world, fixedToParent = false, rotation = [0.1, 1.55, 0.0],\n"
        "                   angularVelocity = [0.0, 4.0, 0.0], feature = Lump),\n"
        "    rev1 = RevoluteWithFlange(obj1 = :world, obj2 = :tip),\n"
        "    rev2 = Revolute(obj1 = :arm, obj2 = :rod),\n"
        "    equations = :[rev1.flange.tau = -0.1*rev1.w])\n"
        "m = @instantiateModel(M, unitless = true)\n"
        "simulate!(m, stopTime = 0.1, interval = 0.1)\n"
        "println(length(getValues(m, \"nut.translation\")))\n";
    check_refused_allocations(parts, "6\n");
}

// ---- no memory ----------------------------------------------------------------------------------

typedef struct miser {
    bool shut; // from now on only `left` more requests are served
    int left, n_told;
} miser;

static void *give(void *context, void *block, size_t old_size, size_t new_size)
{
    miser *m = context;
    const sg_allocator *usual = sg_allocator_default();
    if (m->shut && new_size > old_size && m->left-- <= 0)
        return NULL;
    return usual->resize(usual->context, block, old_size, new_size);
}

static void hear_lack(void *context, const sg_diag *diag, const char *rendered)
{
    miser *m = context;
    m->n_told += diag->code == SG_E_MEMORY && strstr(rendered, "out of memory");
}

SG_TEST(a_session_that_gets_no_more_memory_says_so_once)
{
    static const char text[] =
        "using Modia\nM = Model(x = Var(init = 1.0), equations = :[der(x) = -x])\n"
        "M = @instantiateModel(M)\nsimulate!(M, stopTime = 1.0)\n";
    for (int left = 0; left < 200; left += left < 20 ? 1 : 7) {
        miser m = {.left = left};
        const sg_allocator allocator = {.resize = give, .context = &m};
        sg_session_options options = sg_session_options_make();
        options.report = hear_lack;
        options.context = &m;
        sg_session *session;
        SG_REQUIRE(sg_session_create(&allocator, &options, &session) == SG_OK);
        m.shut = true;
        sg_status status = sg_session_run_text(session, "x.jl", text, strlen(text));
        SG_CHECK_MSG(status != SG_ERR_MEMORY || m.n_told == 1, "%d requests: told %d times", left,
                     m.n_told);
        SG_CHECK_MSG(status == SG_ERR_MEMORY || status == SG_OK, "%d requests: status %d", left,
                     (int)status);
        sg_session_destroy(session);
    }
}
