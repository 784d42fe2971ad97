// A C++ program that calls a function of every public header: whatever lacks extern "C" does not
// link. The results are looked at, so that the calls are real.
#include "segue/alloc.h"
#include "segue/component.h"
#include "segue/diag.h"
#include "segue/diag_codes.h"
#include "segue/distance.h"
#include "segue/multibody.h"
#include "segue/result.h"
#include "segue/session.h"
#include "segue/signal.h"
#include "segue/status.h"

#include <cmath>
#include <cstdio>
#include <cstring>

static int failures = 0;

static void check(bool ok, const char *what)
{
    if (!ok) {
        std::printf("wrong: %s\n", what);
        failures++;
    }
}

static void shared_things()
{
    const sg_allocator *allocator = sg_allocator_default();
    void *block = allocator->resize(allocator->context, nullptr, 0, 64);
    check(block != nullptr, "alloc.h");
    allocator->resize(allocator->context, block, 64, 0);

    sg_diags *diags = sg_diags_create(nullptr);
    sg_result *result = nullptr;
    check(sg_result_open(nullptr, "there is no such file.segue", diags, &result) == SG_ERR_IO,
          "result.h");
    check(sg_diags_count(diags) == 1 && sg_diags_get(diags, 0)->code == SG_E_IO, "diag.h");
    sg_result_destroy(result);
    sg_diags_destroy(diags);
    check(sg_is_missing(sg_missing()) && !sg_is_missing(1.0), "signal.h");
}

// Two balls of diameter 1, their centers 3 apart.
static void distance()
{
    sg_shape_spec spec = {};
    spec.kind = SG_SHAPE_SPHERE;
    spec.size[0] = 1.0;
    sg_shape *ball = nullptr;
    sg_distance_query *query = nullptr;
    sg_distance_query_options settings = sg_distance_query_options_make();
    check(sg_shape_create(nullptr, &spec, nullptr, &ball) == SG_OK, "sg_shape_create");
    check(sg_distance_query_create(nullptr, &settings, &query) == SG_OK,
          "sg_distance_query_create");
    sg_placement here = {}, there = {};
    for (int i = 0; i < 9; i += 4)
        here.R[i] = there.R[i] = 1.0;
    there.r[2] = 3.0;
    sg_distance_answer answer = {};
    check(sg_distance_between(query, ball, &here, ball, &there, &answer) == SG_OK &&
              std::fabs(answer.delta - 2.0) < 1e-12,
          "distance.h");
    sg_distance_query_destroy(query);
    sg_shape_destroy(ball);
}

static void multibody()
{
    sg_multibody_object objects[2] = {sg_multibody_object_make("world", -1, SG_MULTIBODY_FIXED),
                                      sg_multibody_object_make("cart", 0, SG_MULTIBODY_PRISMATIC)};
    objects[1].mass = 2.0;
    sg_multibody_gravity gravity = {};
    sg_multibody *system = nullptr;
    check(sg_multibody_create(nullptr, objects, 2, gravity, nullptr, &system) == SG_OK,
          "sg_multibody_create");
    const double q = 0.0, v = 0.0, tau = 6.0;
    double a = 0.0;
    check(system && sg_multibody_set_state(system, &q, &v) == SG_OK &&
              sg_multibody_forward(system, &tau, &a, nullptr) == SG_OK &&
              std::fabs(a - 3.0) < 1e-12,
          "multibody.h");
    sg_multibody_destroy(system);
}

static void session()
{
    static const char script[] = "x = 1 + 1\n@test x == 2\n";
    sg_session_options options = sg_session_options_make();
    sg_session *session = nullptr;
    check(sg_session_create(NULL, &options, &session) == SG_OK, "sg_session_create");
    check(session && sg_session_run_text(session, "script", script, std::strlen(script)) == SG_OK &&
              sg_session_exit_status(session) == 0,
          "session.h");
    sg_component other = {};
    other.abi = SG_COMPONENT_ABI + 1;
    check(session && sg_session_add_component(session, &other) == SG_ERR_USAGE, "component.h");
    sg_session_destroy(session);
}

int main()
{
    shared_things();
    distance();
    multibody();
    session();
    return failures == 0 ? 0 : 1;
}
