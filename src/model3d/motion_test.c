// The functions of a part against closed forms of mechanics: pendulums, a top, free fall.
#pragma GCC diagnostic ignored "-Wunused-function"
#include "math/rotation.h"
#include "model3d/part_test.h"

#include <math.h>

#define G 9.81

static const sg_gravity earth = {.kind = SG_GRAVITY_UNIFORM, .g = {0.0, -G, 0.0}};
static const sg_vec3 axis_z = {0.0, 0.0, 1.0};

// phi'' = -m g l cos(phi) / (I + m l^2) for a rod whose center is at l along x.
SG_TEST(a_pendulum_accelerates_as_its_inertia_and_weight_say)
{
    machine m;
    SG_REQUIRE(open_machine(&m));
    m.part->records.gravity = earth;
    add_object(&m, -1, V3_ZERO, (sg_mass){0});
    add_object(&m, -1, V3_ZERO, lump(2.0, v3_make(0.7, 0, 0), v3_make(0.1, 0.2, 0.3)));
    add_joint(&m, 0, 1, SG_JOINT_REVOLUTE, axis_z, false);
    SG_REQUIRE(begin_segment(&m, true) == SG_OK);
    for (double phi = -3.0; phi <= 3.0; phi += 0.37) {
        double qv[2] = {phi, 5.0 * phi}, a;
        SG_CHECK(evaluate(m.part->run, SG_MODE_RHS, NULL, 0.0, qv, &a) == SG_OK);
        SG_NEAR(a, -2.0 * G * 0.7 * cos(phi) / (0.3 + 2.0 * 0.49), 1e-14, 1.0);
    }
    close_machine(&m);
}

// The double pendulum of two point masses at the ends of massless rods, angles relative: M and h of
// the textbook.
SG_TEST(terms_and_matrix_of_two_driven_joints_are_those_of_the_double_pendulum)
{
    machine m;
    double m1 = 1.3, m2 = 0.8, l1 = 0.9, l2 = 0.6;
    SG_REQUIRE(open_machine(&m));
    m.part->records.gravity = earth;
    add_object(&m, -1, V3_ZERO, (sg_mass){0});
    int rod1 = add_object(&m, -1, V3_ZERO, (sg_mass){0});
    int tip1 = add_object(&m, rod1, v3_make(l1, 0, 0), lump(m1, V3_ZERO, V3_ZERO));
    int rod2 = add_object(&m, -1, V3_ZERO, lump(m2, v3_make(l2, 0, 0), V3_ZERO));
    add_joint(&m, 0, rod1, SG_JOINT_REVOLUTE, axis_z, true);
    // Declared from its far side: the same joint, turning the other way round.
    add_joint(&m, rod2, tip1, SG_JOINT_REVOLUTE, v3_neg(axis_z), true);
    SG_REQUIRE(begin_segment(&m, true) == SG_OK);
    double args[5] = {0.0, 0.4, 1.1, -0.7, 2.3}, h[2], M[4];
    SG_CHECK(call(m.part->run, SG_PART_TERMS, SG_MODE_RHS, NULL, 0.0, args, 5, h) == SG_OK);
    SG_CHECK(call(m.part->run, SG_PART_MATRIX, SG_MODE_RHS, NULL, 0.0, h, 1, M) == SG_OK);
    double q1 = args[1], w1 = args[2], q2 = args[3], w2 = args[4];
    double c = m2 * l1 * l2 * cos(q2), s = m2 * l1 * l2 * sin(q2), i2 = m2 * l2 * l2;
    SG_NEAR(M[0], (m1 + m2) * l1 * l1 + i2 + 2.0 * c, 1e-14, 1.0);
    SG_NEAR(M[1], i2 + c, 1e-14, 1.0);
    SG_NEAR(M[2], i2 + c, 1e-14, 1.0);
    SG_NEAR(M[3], i2, 1e-14, 1.0);
    double weight2 = m2 * G * l2 * cos(q1 + q2);
    SG_NEAR(h[0], (m1 + m2) * G * l1 * cos(q1) + weight2 - s * (2.0 * w1 + w2) * w2, 1e-14, 1.0);
    SG_NEAR(h[1], weight2 + s * w1 * w1, 1e-14, 1.0);
    // tau = M a + h, asked in one call.
    double motion[3] = {0.0, 3.0, -4.0}, tau[2];
    m.part->built.inside = m.part->built.inverse = true;
    SG_CHECK(call(m.part->run, SG_PART_TERMS, SG_MODE_RHS, NULL, 0.0, args, 5, tau) == SG_OK);
    SG_CHECK(call(m.part->run, SG_PART_INVERSE, SG_MODE_RHS, NULL, 0.0, motion, 3, tau) == SG_OK);
    for (int i = 0; i < 2; i++)
        SG_NEAR(tau[i], h[i] + M[2 * i] * 3.0 - M[2 * i + 1] * 4.0, 1e-13, 1.0);
    // And back: these torques give these accelerations.
    double forces[3] = {0.0, tau[0], tau[1]}, a[2];
    SG_CHECK(call(m.part->run, SG_PART_FORWARD, SG_MODE_RHS, NULL, 0.0, forces, 3, a) == SG_OK);
    SG_NEAR(a[0], 3.0, 1e-12, 0.0);
    SG_NEAR(a[1], -4.0, 1e-12, 0.0);
    close_machine(&m);
}

// Euler's equations of a free body, and its center falls.
SG_TEST(a_free_body_falls_and_turns_by_eulers_equations)
{
    machine m;
    double start[12] = {1, 2, 3, 0.1, 0.2, 0.3, 0.2, 0.4, -0.3, 2.0, -1.0, 3.0}, none[1];
    double I[3] = {0.4, 0.7, 0.9}, none_a[1];
    SG_REQUIRE(open_machine(&m));
    m.part->records.gravity = earth;
    add_object(&m, -1, V3_ZERO, (sg_mass){0});
    add_free(&m, 0, lump(3.0, V3_ZERO, v3_from(I)), start);
    SG_REQUIRE(begin_segment(&m, true) == SG_OK);
    SG_CHECK(evaluate(m.part->run, SG_MODE_RHS, NULL, 0.0, none, none_a) == SG_OK);
    const double *dx = m.hidden.derivatives.data, *w = start + 9;
    static const double fall[3] = {0.0, -G, 0.0};
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        SG_CHECK(dx[i] == start[3 + i]);
        SG_NEAR(dx[3 + i], fall[i], 1e-15, 1.0);
        SG_NEAR(dx[9 + i], (I[j] - I[k]) * w[j] * w[k] / I[i], 1e-14, 1.0);
    }
    // Rates of the angles, by a difference of the rotation matrix: R' = -skew(w) R.
    double h = 1e-6;
    sg_vec3 angles = v3_from(start + 6), rates = v3_from(dx + 6);
    sg_mat3 R = rot_123(angles), R1 = rot_123(v3_add_scaled(angles, rates, h));
    sg_mat3 S = m3_skew(v3_from(w)), turned = m3_mul(S, R);
    for (int i = 0; i < 9; i++)
        SG_NEAR((R1.m[i / 3][i % 3] - R.m[i / 3][i % 3]) / h, -turned.m[i / 3][i % 3], 1e-4, 1.0);
    close_machine(&m);
}

// At an event where the middle angle left the safe range the sequence changes and the orientation
// does not; the solver is told the new angles.
typedef struct heard {
    sg_events events;
    uint32_t state, n;
    double value[3];
} heard;

static void hear(sg_events *events, uint32_t state, uint32_t n, const double *value)
{
    heard *h = (heard *)(void *)events;
    h->state = state;
    h->n = n;
    memcpy(h->value, value, n * sizeof *value);
}

SG_TEST(angles_change_their_sequence_at_an_event_and_the_orientation_stays)
{
    static const sg_event_ops ops = {.reinit = hear};
    machine m;
    double start[12] = {0, 0, 0, 0, 0, 0, 0.3, 1.4, -0.2}, z[1], none[1], a[1];
    heard h = {.events = {.ops = &ops, .z = z, .mode = SG_MODE_CROSSINGS}};
    SG_REQUIRE(open_machine(&m));
    m.n_visible = 5;
    add_object(&m, -1, V3_ZERO, (sg_mass){0});
    add_free(&m, 0, lump(1.0, V3_ZERO, v3_make(1, 1, 1)), start);
    SG_REQUIRE(begin_segment(&m, true) == SG_OK);
    SG_CHECK(evaluate(m.part->run, SG_MODE_CROSSINGS, &h.events, 0.0, none, a) == SG_OK);
    SG_NEAR(z[0], 1.4 - 1.5, 1e-8, 0.0);
    double x[12];
    memcpy(x, start, sizeof x);
    x[7] = 1.51;
    m.hidden.x = x;
    h.events.mode = SG_MODE_EVENT;
    sg_mat3 before = rot_123(v3_from(x + 6));
    SG_CHECK(evaluate(m.part->run, SG_MODE_EVENT, &h.events, 0.0, none, a) == SG_OK);
    SG_CHECK(h.n == 3 && h.state == 5 + 6 &&
             m.part->run->tree.xzy[m.part->records.frees.data[0].body]);
    sg_mat3 after = rot_132(v3_from(h.value));
    for (int i = 0; i < 9; i++)
        SG_NEAR(after.m[i / 3][i % 3], before.m[i / 3][i % 3], 1e-13, 1.0);
    SG_CHECK(z[0] < 0.0); // safe again
    // A second pass of the same event still has the old angles, and sees the new ones.
    h.n = 0;
    SG_CHECK(evaluate(m.part->run, SG_MODE_EVENT, &h.events, 0.0, none, a) == SG_OK);
    SG_CHECK(h.n == 0 && m.part->run->tree.xzy[m.part->records.frees.data[0].body] && z[0] < 0.0);
    m.hidden.x = NULL;
    close_machine(&m);
}
