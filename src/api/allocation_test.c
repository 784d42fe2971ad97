// Between events nothing is allocated, and the log says how much was.
#include "harness/counted_malloc.h"
#include "harness/sg_test.h"
#include "segue/session.h"
#include "segue/sink.h"

#include <stdio.h>
#include <string.h>

// Two balls that roll into each other on the ground, an arm that strikes one of them, and bodies of
// shapes without closed form; results are stored, and the balance is kept.
static const char model[] =
    "using Modia3D\n"
    "steel(shape) = Solid(shape = shape, solidMaterial = \"Steel\", collision = true)\n"
    "free(r, v, shape) = Object3D(parent = :world, fixedToParent = false, translation = r,\n"
    "                             velocity = v, feature = steel(shape))\n"
    "M = Model3D(world = Object3D(feature = Scene(balance = true,\n"
    "                                             elasticContactReductionFactor = 1e-4)),\n"
    "    ground = Object3D(parent = :world, translation = [0.0, -0.05, 0.0],\n"
    "        feature = steel(Box(lengthX = 2.0, lengthY = 0.1, lengthZ = 2.0))),\n"
    "    a = free([0.0, 0.05, 0.0], [0.5, 0.0, 0.0], Sphere(diameter = 0.1)),\n"
    "    b = free([0.13, 0.05, 0.0], [0.0, 0.0, 0.0], Sphere(diameter = 0.1)),\n"
    "    c = free([0.0, 0.2, 0.5], [0.0, 0.0, 0.0], Ellipsoid(lengthX = 0.1, lengthY = 0.12,\n"
    "                                                         lengthZ = 0.14)),\n"
    "    base = Object3D(parent = :world, translation = [0.34, 0.55, 0.0]),\n"
    "    bob = Object3D(feature = steel(Sphere(diameter = 0.1))),\n"
    "    hinge = Object3D(parent = :bob, translation = [0.0, 0.5, 0.0]),\n"
    "    joint = Revolute(obj1 = :base, obj2 = :hinge, axis = 3, phi = Var(init = 0.3)),\n"
    "    pair = ContactResult(object1 = :a, object2 = :b))\n"
    "m = @instantiateModel(M, unitless = true)\n"
    "simulate!(m, %s(), stopTime = 0.5, interval = 0.001, tolerance = 1e-7, log = true)\n";

typedef struct witness {
    uint64_t n, seen;  // points; mallocs at the last one
    uint64_t between;  // mallocs from point to point without an event in between
    uint64_t n_events; //
    int open;          // points that are still those of an event: behind it the solver starts anew
    char log[8192];
} witness;

static sg_status see_point(void *context, double t, const double *values, size_t n)
{
    witness *w = context;
    (void)t;
    (void)values;
    (void)n;
    if (++w->n > 2 && !w->open) // behind the first one the solver is made
        w->between += n_mallocs - w->seen;
    w->seen = n_mallocs;
    w->open -= w->open > 0;
    return SG_OK;
}

static sg_status see_event(void *context, sg_event_kind kind, double t, const char *text)
{
    witness *w = context;
    (void)kind;
    (void)t;
    (void)text;
    w->n_events++;
    w->open = 2;
    return SG_OK;
}

static void keep_log(void *context, const char *text, size_t length)
{
    witness *w = context;
    size_t used = strlen(w->log);
    if (used + length < sizeof w->log)
        memcpy(w->log + used, text, length);
}

static void count_errors(void *context, const sg_diag *diag, const char *rendered)
{
    (void)context;
    SG_CHECK_MSG(diag->severity != SG_ERROR, "%s", rendered);
}

SG_TEST(between_events_a_model_with_contacts_allocates_nothing)
{
    // Tsit5 warns that the model is stiff, which needs no memory either.
    static const char *const names[] = {"CVODE_BDF", "CVODE_Adams", "IDA",     "Tsit5",
                                        "Vern7",     "Rodas5",      "KenCarp4"};
    if (!COUNTS_MALLOC) {
        sg_test_skip("malloc cannot be counted in this build");
        return;
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char script[sizeof model + 32];
        witness w = {0};
        sg_sink sink = {.context = &w, .point = see_point, .event = see_event};
        snprintf(script, sizeof script, model, names[i]);
        sg_session_options o = sg_session_options_make();
        o.write = keep_log;
        o.report = count_errors;
        o.context = &w;
        o.sinks = &sink;
        o.n_sinks = 1;
        o.output_dir = SG_SCRATCH "/allocation";
        sg_session *session;
        SG_REQUIRE(sg_session_create(NULL, &o, &session) == SG_OK);
        SG_CHECK(sg_session_run_text(session, "m.jl", script, strlen(script)) == SG_OK);
        sg_session_destroy(session);
        SG_CHECK_MSG(w.n > 200 && w.n_events > 4, "%s: %llu points, %llu events", names[i],
                     (unsigned long long)w.n, (unsigned long long)w.n_events);
        SG_CHECK_MSG(w.between == 0, "%s: %llu allocations between events", names[i],
                     (unsigned long long)w.between);
        SG_CHECK_MSG(strstr(w.log, "simAlloc               = 0 bytes") != NULL, "%s: %s", names[i],
                     w.log);
    }
}
