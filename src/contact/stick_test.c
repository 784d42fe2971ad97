#include "contact/stick.h"

#include "harness/sg_test.h"

static const sg_law_options plain = {.reduction = 1.0, .max_damping = 2000.0};

static sg_contact_law steel(double adhesion)
{
    sg_contact_pair pair = {.young = {2e11, 2e11},
                            .poisson = {0.3, 0.3},
                            .radius = 0.05,
                            .restitution = 0.5,
                            .friction = 0.3,
                            .adhesion = adhesion,
                            .still = 0.01,
                            .turning = 0.01};
    return sg_contact_law_start(&plain, &pair, 0.0);
}

static sg_stick stick_of(void)
{
    double poisson[2] = {0.3, 0.3};
    sg_stick_body body[2] = {{0.0, 0.0}, {2.0, 0.01}};
    return sg_stick_make(poisson, body, false);
}

static sg_vec3 random_vec3(sg_rng *rng)
{
    double x = sg_rng_uniform(rng, -1, 1), y = sg_rng_uniform(rng, -1, 1);
    return (sg_vec3){x, y, sg_rng_uniform(rng, -1, 1)};
}

typedef struct
try {
    sg_vec3 n, v, w;
    sg_mat3 frame;
    double y[SG_ANCHOR], rate[SG_ANCHOR], side, share;
    bool slips;
    int branch;
    sg_contact_action out;
}
try;

static const double depth = 1e-6;

static void act(try *t, double adhesion)
{
    sg_contact_law law = steel(adhesion);
    sg_stick stick = stick_of();
    sg_stick_anchor at = {.y = t->y,
                          .rate = t->rate,
                          .frame = &t->frame,
                          .side = t->side,
                          .slips = t->slips,
                          .branch = &t->branch};
    sg_stick_act(&law, &stick, depth, t->n, t->v, t->w, &at, &t->share, &t->out);
}

SG_TEST(an_anchor_holds_with_the_stiffness_of_mindlin)
{
    try t = {.n = {0, 0, 1}, .frame = M3_IDENTITY, .y = {1e-8, 0, 0, 0}, .side = 1.0};
    act(&t, 0.3);
    sg_contact_law law = steel(0.3);
    double kn = 1.5 * law.stiffness * sqrt(depth);
    SG_NEAR(t.out.force.x, -2.0 * 0.7 / 1.7 * kn * 1e-8, 1e-12, 1.0);
    SG_NEAR(t.out.force.z, law.stiffness * depth * sqrt(depth), 1e-12, 1.0);
    SG_CHECK(t.share > 0.0 && t.share < 1.0);
    for (int i = 0; i < SG_ANCHOR; i++) // nothing creeps
        SG_CHECK(t.rate[i] == 0.0);
}

SG_TEST(beyond_the_limit_it_is_the_law_of_coulomb)
{
    try t = {.n = {0, 0, 1}, .v = {2, 0, 0}, .frame = M3_IDENTITY, .y = {1e-3, 0, 0, 0}, .side = 1};
    act(&t, 0.3);
    SG_NEAR(t.out.force.x, -0.3 * t.out.pressure, 1e-12, 1.0);
    SG_CHECK(t.share > 1.0 && t.rate[0] < 0.0);
}

SG_TEST(what_stuck_holds_with_the_static_coefficient_until_it_slips)
{
    double at_once = 0.0;
    for (int slips = 0; slips < 2; slips++) {
        try t = {.n = {0, 0, 1},
                 .frame = M3_IDENTITY,
                 .y = {1e-3, 0, 0, 0},
                 .side = 1.0,
                 .slips = slips};
        act(&t, 0.45);
        SG_NEAR(t.out.friction, (slips ? 0.3 : 0.45) * t.out.pressure, 1e-12, 1.0);
        at_once += t.share;
    }
    SG_CHECK(at_once > 0.0);
}

// Spin takes its share of the limit: what turns on the spot slides without resistance at first.
SG_TEST(spin_and_sliding_share_the_limit)
{
    try t = {.n = {0, 0, 1}, .frame = M3_IDENTITY, .y = {0, 1e-9, 0, 1.0}, .side = 1.0};
    act(&t, 0.3);
    double a = sqrt(0.05 * depth);
    SG_NEAR(-t.out.torque.z, 0.3 * t.out.pressure * 3.0 * 3.14159265358979 / 16.0 * a, 1e-3, 1e-9);
    SG_CHECK(fabs(t.out.force.y) < 1e-3 * 0.3 * t.out.pressure);
}

// Who is called A, and whose frame it is, does not matter.
SG_TEST(renaming_the_bodies_turns_the_force_round)
{
    sg_rng rng = sg_rng_seeded(3);
    for (int i = 0; i < 1000; i++) {
        sg_vec3 n = v3_unit(random_vec3(&rng));
        sg_vec3 z = v3_scale(v3_cross(n, random_vec3(&rng)), 1e-6);
        sg_vec3 v = v3_scale(random_vec3(&rng), 0.001);
        sg_vec3 w = random_vec3(&rng);
        try t = {.n = n, .v = v, .w = w, .frame = M3_IDENTITY, .side = 1.0};
        try u = {
            .n = v3_neg(n), .v = v3_neg(v), .w = v3_neg(w), .frame = M3_IDENTITY, .side = -1.0};
        v3_store(z, t.y);
        v3_store(z, u.y); // of B against A, in the frame of the same body
        t.y[3] = u.y[3] = 1e-4 * sg_rng_uniform(&rng, -1, 1);
        act(&t, 0.3);
        act(&u, 0.3);
        SG_CHECK(v3_norm(v3_add(t.out.force, u.out.force)) <= 1e-9 * v3_norm(t.out.force));
        SG_CHECK(v3_norm(v3_add(t.out.torque, u.out.torque)) <= 1e-9 * v3_norm(t.out.torque));
        for (int k = 0; k < SG_ANCHOR; k++)
            SG_NEAR(t.rate[k], u.rate[k], 1e-9, 1e-3);
    }
}

// A normal that turns takes z along, with all of its size.
SG_TEST(where_the_normal_turns_the_anchor_keeps_its_size)
{
    double c = cos(0.1), s = sin(0.1);
    try t = {.n = {s, 0, c}, .frame = M3_IDENTITY, .y = {1e-8, 0, 0, 0}, .side = 1.0};
    try flat = {.n = {0, 0, 1}, .frame = M3_IDENTITY, .y = {1e-8, 0, 0, 0}, .side = 1.0};
    act(&t, 0.3);
    act(&flat, 0.3);
    SG_NEAR(t.out.friction, flat.out.friction, 1e-12, 1.0);
    sg_vec3 y = v3_from(t.y), rate = v3_from(t.rate);
    SG_CHECK(v3_dot(rate, t.n) < 0.0); // it lies down
    SG_CHECK(fabs(v3_dot(y, rate)) < 0.11 * v3_norm(y) * v3_norm(rate));
}
