#include "segue/multibody.h"

#include "harness/sg_test.h"

#include <string.h>

enum { WORLD, CART, ARM, BALL, N };

static const sg_multibody_gravity earth = {.field = SG_MULTIBODY_UNIFORM, .g = {0, -9.81, 0}};

static void crane(sg_multibody_object *o)
{
    sg_shape_spec box = {.kind = SG_SHAPE_BOX, .size = {0.4, 0.2, 0.3}};
    sg_shape_spec ball = {.kind = SG_SHAPE_SPHERE, .size = {0.2}};
    o[WORLD] = sg_multibody_object_make("world", -1, SG_MULTIBODY_FIXED);
    o[CART] = sg_multibody_object_make("cart", WORLD, SG_MULTIBODY_PRISMATIC);
    o[ARM] = sg_multibody_object_make("arm", CART, SG_MULTIBODY_REVOLUTE);
    o[BALL] = sg_multibody_object_make("ball", ARM, SG_MULTIBODY_FIXED);
    o[CART].axis[0] = 1.0;
    o[CART].axis[2] = 0.0;
    o[BALL].place.r[1] = -2.0;
    SG_CHECK(sg_multibody_set_shape(&o[CART], &box, 5.0) == SG_OK);
    SG_CHECK(sg_multibody_set_shape(&o[BALL], &ball, 3.0) == SG_OK);
}

// Cart and pendulum of the textbooks: (M + m) s'' + m l (phi'' cos - phi'^2 sin) = F, and so on.
SG_TEST(a_crane_built_through_the_public_functions_moves_as_the_textbook_says)
{
    sg_multibody_object o[N];
    sg_multibody *c;
    crane(o);
    SG_REQUIRE(sg_multibody_create(NULL, o, N, earth, NULL, &c) == SG_OK);
    SG_CHECK(sg_multibody_dof(c) == 2 && sg_multibody_bodies(c) == 3);
    SG_CHECK(sg_multibody_body_of(c, BALL) == 2 && sg_multibody_body_root(c, 2) == ARM);
    SG_CHECK(sg_multibody_first(c, ARM) == 1 && sg_multibody_first(c, BALL) == -1);
    double q[2] = {0.3, 0.7}, v[2] = {1.0, 2.0}, tau[2] = {4.0, 0.5}, a[2], M[4], back[2];
    SG_REQUIRE(sg_multibody_set_state(c, q, v) == SG_OK);
    SG_REQUIRE(sg_multibody_forward(c, tau, a, NULL) == SG_OK);
    double m = 3.0, l = 2.0, I = 0.1 * m * 0.04, s = sin(0.7), co = cos(0.7);
    SG_NEAR(8.0 * a[0] + m * l * (a[1] * co - 4.0 * s), 4.0, 1e-13, 1.0);
    SG_NEAR((I + m * l * l) * a[1] + m * l * (co * a[0] + 9.81 * s), 0.5, 1e-13, 1.0);
    sg_multibody_mass_matrix(c, M);
    SG_NEAR(M[0], 8.0, 1e-14, 0.0);
    SG_NEAR(M[1], m * l * co, 1e-14, 0.0);
    SG_NEAR(M[3], I + m * l * l, 1e-14, 0.0);
    sg_multibody_inverse(c, a, back);
    SG_NEAR(back[0], 4.0, 1e-12, 1.0);
    SG_NEAR(back[1], 0.5, 1e-12, 1.0);

    sg_placement ball;
    double w[3], vb[3], J[12];
    sg_multibody_pose(c, BALL, &ball);
    SG_NEAR(ball.r[0], 0.3 + l * s, 1e-14, 0.0);
    SG_NEAR(ball.r[1], -l * co, 1e-14, 0.0);
    sg_multibody_velocity(c, BALL, w, vb);
    SG_NEAR(vb[0], 1.0 + 2.0 * l * co, 1e-14, 0.0);
    sg_multibody_jacobian(c, BALL, J);
    SG_NEAR(J[3 * 2 + 1], l * co, 1e-14, 0.0);

    // A force that holds the ball's weight leaves no gravity on the arm.
    double lift[3] = {0.0, 9.81 * m, 0.0}, none[3] = {0}, zero[2] = {0};
    SG_CHECK(sg_multibody_set_state(c, q, zero) == SG_OK);
    sg_multibody_apply(c, BALL, lift, none);
    sg_multibody_inverse(c, zero, back);
    SG_NEAR(back[1], 0.0, 1e-13, 10.0);
    sg_multibody_clear_forces(c);
    sg_multibody_inverse(c, zero, back);
    SG_NEAR(back[1], m * l * 9.81 * s, 1e-13, 0.0);

    // The arm's joint holds the ball, and at rest nothing accelerates.
    double n[3], f[3], z[3], at[3];
    sg_multibody_reaction(c, ARM, n, f);
    sg_multibody_acceleration(c, BALL, z, at);
    SG_NEAR(f[1], m * 9.81, 1e-13, 0.0);
    SG_NEAR(n[2], back[1], 1e-13, 0.0);
    SG_NEAR(at[0], 0.0, 1e-13, 1.0);
    sg_multibody_reaction(c, BALL, n, f);
    SG_CHECK(f[1] == 0.0);
    double turn[2] = {0.0, 1.0};
    sg_multibody_inverse(c, turn, back);
    sg_multibody_acceleration(c, BALL, z, at);
    SG_NEAR(z[2], 1.0, 1e-13, 0.0);
    SG_NEAR(sqrt(at[0] * at[0] + at[1] * at[1]), l, 1e-13, 0.0);
    sg_multibody_destroy(c);
}

// The arm of the crane hung up by its ball: the same joint declared from the other side.
SG_TEST(links_may_be_declared_from_either_side)
{
    sg_multibody_object o[N], p[N];
    sg_multibody *a, *b;
    crane(o);
    crane(p);
    sg_multibody_link link = {.name = "swing",
                              .obj1 = ARM,
                              .obj2 = CART,
                              .joint = SG_MULTIBODY_REVOLUTE,
                              .axis = {0.0, 0.0, -1.0},
                              .place = p[CART].place};
    // A tree of its own whose root is the ball.
    p[ARM] = sg_multibody_object_make("arm", BALL, SG_MULTIBODY_FIXED);
    p[BALL].parent = -1;
    p[BALL].place = p[ARM].place;
    p[ARM].place.r[1] = 2.0;
    SG_REQUIRE(sg_multibody_connect(p, N, WORLD, &link, NULL) == SG_OK);
    SG_CHECK(p[ARM].parent == CART && p[BALL].parent == ARM);
    SG_CHECK(sg_multibody_connect(p, N, WORLD, &link, NULL) == SG_ERR_MODEL);
    SG_REQUIRE(sg_multibody_create(NULL, o, N, earth, NULL, &a) == SG_OK);
    SG_REQUIRE(sg_multibody_create(NULL, p, N, earth, NULL, &b) == SG_OK);
    double q[2] = {0.3, 0.7}, v[2] = {1.0, 2.0}, tau[2] = {4.0, 0.5}, x[2], y[2];
    SG_CHECK(sg_multibody_set_state(a, q, v) == SG_OK && sg_multibody_set_state(b, q, v) == SG_OK);
    SG_CHECK(sg_multibody_forward(a, tau, x, NULL) == SG_OK);
    SG_CHECK(sg_multibody_forward(b, tau, y, NULL) == SG_OK);
    SG_NEAR(y[0], x[0], 1e-13, 1.0);
    SG_NEAR(y[1], x[1], 1e-13, 1.0);
    sg_multibody_destroy(a);
    sg_multibody_destroy(b);
}

SG_TEST(a_system_that_cannot_be_says_why)
{
    sg_multibody_object o[N];
    sg_multibody *c;
    sg_diags *diags = sg_diags_create(sg_allocator_default());
    crane(o);
    o[CART].parent = -1;
    SG_CHECK(sg_multibody_create(NULL, o, N, earth, diags, &c) == SG_ERR_MODEL && !c);
    SG_REQUIRE(sg_diags_count(diags) == 1);
    SG_CHECK(strstr(sg_diags_get(diags, 0)->message, "'world' and 'cart'"));
    SG_CHECK(sg_multibody_create(NULL, o, N, earth, NULL, &c) == SG_ERR_MODEL);

    crane(o);
    o[BALL].mass = 0.0;
    memset(o[BALL].inertia, 0, sizeof o[BALL].inertia);
    double zero[2] = {0}, a[2], bad[2] = {0.0, (double)NAN};
    SG_REQUIRE(sg_multibody_create(NULL, o, N, earth, diags, &c) == SG_OK);
    SG_CHECK(sg_multibody_forward(c, zero, a, diags) == SG_ERR_INPUT);
    SG_REQUIRE(sg_diags_count(diags) == 2);
    SG_CHECK(sg_diags_get(diags, 1)->code == SG_E_SINGULAR_MOTION);
    SG_CHECK(strstr(sg_diags_get(diags, 1)->message, "'arm'"));
    SG_CHECK(sg_multibody_set_state(c, zero, bad) == SG_ERR_INPUT);
    sg_multibody_destroy(c);
    sg_diags_destroy(diags);
}

// Power is force times velocity, however the two are computed.
SG_TEST(a_force_at_a_point_acts_along_the_jacobian_of_that_point)
{
    sg_multibody_object o[N];
    sg_multibody *c;
    crane(o);
    o[BALL].joint = SG_MULTIBODY_FREE;
    SG_REQUIRE(sg_multibody_create(NULL, o, N, earth, NULL, &c) == SG_OK);
    enum { DOF = 8 };
    double q[DOF] = {0.3, 0.7, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, v[DOF] = {1, 2, 3, 4, 5, 6, 7, 8};
    double zero[DOF] = {0}, without[DOF], with[DOF], J[6 * DOF];
    const double point[3] = {0.1, -0.2, 0.3}, force[3] = {5.0, -6.0, 7.0};
    SG_REQUIRE(sg_multibody_dof(c) == DOF && sg_multibody_set_state(c, q, v) == SG_OK);
    sg_multibody_inverse(c, zero, without);
    SG_CHECK(sg_multibody_apply_at(c, BALL, point, force) == SG_OK);
    sg_multibody_inverse(c, zero, with);
    SG_CHECK(sg_multibody_point_jacobian(c, BALL, point, J) == SG_OK);
    for (int i = 0; i < DOF; i++) {
        double along = 0.0;
        for (int k = 0; k < 3; k++)
            along += J[(3 + k) * DOF + i] * force[k];
        SG_NEAR(without[i] - with[i], along, 1e-12, 10.0);
    }
    sg_multibody_destroy(c);
}

SG_TEST(numbers_of_objects_that_do_not_exist_are_refused)
{
    sg_multibody_object o[N];
    sg_multibody *c;
    sg_diags *diags = sg_diags_create(NULL);
    crane(o);
    SG_REQUIRE(sg_multibody_create(NULL, o, N, earth, NULL, &c) == SG_OK);
    double x[3] = {0}, y[3] = {0}, J[12], bad[3] = {0.0, (double)INFINITY, 0.0};
    sg_placement pose;
    for (int i = -1; i <= N; i += N + 1) {
        SG_CHECK(sg_multibody_body_of(c, i) == -1 && sg_multibody_first(c, i) == -1);
        SG_CHECK(sg_multibody_body_root(c, i) == -1);
        SG_CHECK(sg_multibody_pose(c, i, &pose) == SG_ERR_USAGE);
        SG_CHECK(sg_multibody_velocity(c, i, x, y) == SG_ERR_USAGE);
        SG_CHECK(sg_multibody_acceleration(c, i, x, y) == SG_ERR_USAGE);
        SG_CHECK(sg_multibody_jacobian(c, i, J) == SG_ERR_USAGE);
        SG_CHECK(sg_multibody_apply(c, i, x, y) == SG_ERR_USAGE);
        SG_CHECK(sg_multibody_apply_at(c, i, x, y) == SG_ERR_USAGE);
        SG_CHECK(sg_multibody_reaction(c, i, x, y) == SG_ERR_USAGE);
    }
    SG_CHECK(sg_multibody_apply(c, BALL, bad, y) == SG_ERR_INPUT);
    sg_multibody_destroy(c);
    // Each call has its message; the same mistake twice is refused twice.
    sg_multibody_gravity repelling = {.field = SG_MULTIBODY_POINT, .mue = -1.0};
    for (int i = 0; i < 2; i++)
        SG_CHECK(sg_multibody_create(NULL, o, N, repelling, diags, &c) == SG_ERR_MODEL && !c);
    SG_CHECK(sg_diags_count(diags) == 1);
    o[ARM].joint = (sg_multibody_joint)17;
    SG_CHECK(sg_multibody_create(NULL, o, N, earth, diags, &c) == SG_ERR_USAGE && !c);
    SG_CHECK(sg_multibody_create(NULL, o, -1, earth, diags, &c) == SG_ERR_USAGE && !c);
    SG_CHECK(sg_multibody_create(NULL, NULL, 3, earth, diags, &c) == SG_ERR_USAGE && !c);
    SG_CHECK(sg_diags_count(diags) == 3);
    sg_diags_destroy(diags);
}

SG_TEST(a_multibody_system_survives_memory_refused_at_every_request)
{
    sg_multibody_object o[N];
    crane(o);
    sg_status status = SG_ERR_MEMORY;
    for (uint64_t at = 1; status != SG_OK && at < 100; at++) {
        sg_test_allocator a;
        sg_test_allocator_init(&a, at);
        sg_multibody *c;
        status = sg_multibody_create(&a.allocator, o, N, earth, NULL, &c);
        SG_CHECK(status == SG_OK || (status == SG_ERR_MEMORY && !c));
        sg_multibody_destroy(c);
        SG_CHECK(a.live_bytes == 0);
        SG_CHECK(status != SG_OK || at > 2); // the handle, and what it holds
    }
    SG_CHECK(status == SG_OK);
}

SG_TEST(an_evaluation_asks_for_no_memory)
{
    sg_multibody_object o[N];
    crane(o);
    sg_test_allocator a;
    sg_test_allocator_init(&a, 0);
    sg_multibody *c;
    SG_REQUIRE(sg_multibody_create(&a.allocator, o, N, earth, NULL, &c) == SG_OK);
    // From here on every request is refused, and counted.
    uint64_t before = a.requests;
    double q[2] = {0.3, 0.7}, v[2] = {1.0, 2.0}, tau[2] = {4.0, 0.5}, acc[2], M[4], J[12];
    for (int i = 0; i < 1000; i++) {
        a.fail_at = a.requests + 1;
        q[1] += 1e-3;
        SG_CHECK(sg_multibody_set_state(c, q, v) == SG_OK);
        SG_CHECK(sg_multibody_forward(c, tau, acc, NULL) == SG_OK);
        sg_multibody_inverse(c, acc, tau);
        sg_multibody_mass_matrix(c, M);
        sg_multibody_jacobian(c, BALL, J);
    }
    SG_CHECK(a.requests == before);
    sg_multibody_destroy(c);
}

SG_TEST(the_mass_of_a_surface_is_that_of_what_it_encloses)
{
    static const double corners[24] = {0, 0, 0, 2, 0, 0, 0, 1, 0, 2, 1, 0,
                                       0, 0, 1, 2, 0, 1, 0, 1, 1, 2, 1, 1};
    static const uint32_t box[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                     2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    sg_multibody_object o = sg_multibody_object_make("box", -1, SG_MULTIBODY_FIXED);
    sg_diags *diags = sg_diags_create(NULL);
    SG_CHECK(sg_multibody_set_mesh(&o, corners, 8, box, 12, 6.0, diags) == SG_OK);
    SG_NEAR(o.mass, 6.0, 0.0, 0.0);
    SG_NEAR(o.center[0], 1.0, 1e-14, 0.0);
    SG_NEAR(o.inertia[0], 6.0 / 12.0 * 2.0, 1e-14, 0.0);
    SG_NEAR(o.inertia[4], 6.0 / 12.0 * 5.0, 1e-14, 0.0);
    SG_CHECK(sg_multibody_set_mesh(&o, corners, 8, box, 11, 6.0, diags) == SG_ERR_INPUT);
    SG_REQUIRE(sg_diags_count(diags) == 1);
    SG_CHECK(strstr(sg_diags_get(diags, 0)->message, "open") != NULL);
    sg_diags_destroy(diags);
    SG_CHECK(sg_multibody_set_mesh(&o, corners, 8, box, 0, 6.0, NULL) == SG_ERR_INPUT);
}
