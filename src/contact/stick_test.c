#include "contact/stick.h"

#include "harness/sg_test.h"

#include <string.h>

static const sg_law_options plain = {.reduction = 1.0, .max_damping = 2000.0};

static sg_contact_law steel(double adhesion)
{
    sg_contact_pair pair = {.young = {2e11, 2e11},
                            .poisson = {0.3, 0.3},
                            .radius = 0.05,
                            .restitution = 0.5,
                            .friction = 0.3,
                            .adhesion = adhesion,
                            .v_min = 0.01,
                            .w_min = 0.01};
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

// That anchors are counted at.
static const double depth = 1e-5 * 0.05;

static void act_at(try *t, double adhesion, double deep)
{
    sg_contact_law law = steel(adhesion);
    sg_stick stick = stick_of();
    sg_stick_anchor at = {.y = t->y,
                          .rate = t->rate,
                          .frame = &t->frame,
                          .side = t->side,
                          .slips = t->slips,
                          .branch = &t->branch};
    sg_stick_act(&law, &stick, deep, t->n, t->v, t->w, &at, &t->share, &t->out);
}

static void act(try *t, double adhesion) { act_at(t, adhesion, depth); }

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

// A cycle of load and motion that is out of step with it, below the limit: pressed, pulled along,
// let go, turned back. It takes 100 s, so dashpots do not matter.
typedef struct cycle {
    double load; // along the normal, about 1
    double v, w; // across and about it
} cycle;

enum { CYCLE_STEPS = 4000 };
static const double cycle_time = 100.0;

static cycle cycle_at(double k, double moves, double turns)
{
    double rate = 2.0 * 3.14159265358979323846 / cycle_time,
           a = rate * k / CYCLE_STEPS * cycle_time;
    return (cycle){1.0 + 0.5 * sin(a), moves * rate * cos(a + 1.0), turns * rate * cos(a + 0.3)};
}

SG_TEST(a_cycle_of_load_and_force_makes_no_energy)
{
    try t = {.n = {0, 0, 1}, .frame = M3_IDENTITY, .side = 1.0};
    double work = 0.0, most = 0.0, dt = cycle_time / CYCLE_STEPS;
    for (int i = 0; i < CYCLE_STEPS; i++) {
        cycle c = cycle_at(i + 0.5, 2e-8, 1e-5);
        t.v.x = c.v;
        t.w.z = c.w;
        double before[SG_ANCHOR];
        memcpy(before, t.y, sizeof before);
        act_at(&t, 0.3, c.load * depth);
        for (int k = 0; k < SG_ANCHOR; k++)
            t.y[k] = before[k] + 0.5 * dt * t.rate[k];
        act_at(&t, 0.3, c.load * depth);
        SG_CHECK(t.share < 0.9);
        work += dt * t.out.slid;
        most = fmax(most, t.out.kept);
        for (int k = 0; k < SG_ANCHOR; k++)
            t.y[k] = before[k] + dt * t.rate[k];
    }
    act_at(&t, 0.3, depth);
    SG_CHECK(most > 0.0);
    SG_NEAR(work, t.out.kept, 1e-3, most);
}

// The same over an area that changes with the load and whose center moves.
SG_TEST(a_cycle_over_an_area_that_changes_makes_no_energy)
{
    sg_flat_stick stick = {.ratio = 0.8,
                           .damping = 2e-5,
                           .relaxing = 1e-5,
                           .swing = 4e-5,
                           .size = 0.2,
                           .whole = 0.8 * 4e10};
    sg_contact_law law = steel(0.3);
    sg_mat3 frame = M3_IDENTITY;
    double y[SG_ANCHOR] = {0}, rate[SG_ANCHOR], share, work = 0.0, most = 0.0;
    int branch = 0;
    double dt = cycle_time / CYCLE_STEPS, kept = 0.0;
    sg_flat_anchor anchor = {
        .y = y, .rate = rate, .frame = &frame, .side = 1.0, .branch = &branch, .share = &share};
    for (int i = 0; i < CYCLE_STEPS; i++) {
        cycle c = cycle_at(i + 0.5, 2e-9, 2e-8);
        double side = 0.1 * c.load, before[SG_ANCHOR];
        sg_area_patch patch = {.n = {0, 0, 1},
                               .force = {0, 0, 600.0},
                               .shift = {1e-3 * c.load, -2e-3, 0},
                               .stiffness = 4e12 * side * side * side,
                               .arm = 0.38 * side,
                               .spread = side * side / 6.0,
                               .along = {1, 0, 0},
                               .second = {side * side / 12.0, side * side / 12.0}};
        sg_contact_action out;
        memcpy(before, y, sizeof before);
        for (int half = 0; half < 2; half++) {
            sg_flat_act(&law, &stick, &patch, (sg_vec3){c.v, 0.3 * c.v, 0}, (sg_vec3){0, 0, c.w},
                        &anchor, &out);
            for (int k = 0; k < SG_ANCHOR; k++)
                y[k] = before[k] + (half ? dt : 0.5 * dt) * rate[k];
        }
        SG_CHECK(share < 0.9);
        work += dt * (out.slid + out.rolled);
        kept = out.kept;
        most = fmax(most, kept);
    }
    SG_CHECK(most > 0.0);
    SG_NEAR(work, kept, 3e-3, most);
}

// Two faces that lie flat on each other have all of their area from the first touch on. What motion
// adds to the rate of their anchor goes with the pressure all the same.
SG_TEST(an_anchor_goes_on_steadily_where_faces_lift_off)
{
    static const double y_of[2][SG_ANCHOR] = {{0}, {1e-7, -2e-7, 0, 3e-6}}, side = 0.2;
    sg_flat_stick stick = {.ratio = 0.8,
                           .damping = 2e-5,
                           .relaxing = 1e-5,
                           .swing = 4e-5,
                           .size = side,
                           .whole = 0.8 * 4e10};
    sg_contact_law law = steel(0.3);
    sg_mat3 frame = M3_IDENTITY;
    for (int c = 0; c < 2; c++)
        for (double f = 1e3; f > 1e-9; f *= 1e-3) {
            double rate[2][SG_ANCHOR], share;
            for (int moves = 0; moves < 2; moves++) {
                int branch = 0;
                sg_flat_anchor anchor = {.y = y_of[c],
                                         .rate = rate[moves],
                                         .frame = &frame,
                                         .side = 1.0,
                                         .branch = &branch,
                                         .share = &share};
                sg_area_patch patch = {.n = {0, 0, 1},
                                       .force = {0, 0, f},
                                       .stiffness = 4e10,
                                       .arm = 0.38 * side,
                                       .spread = side * side / 6.0,
                                       .along = {1, 0, 0},
                                       .second = {side * side / 12.0, side * side / 12.0}};
                sg_contact_action out;
                sg_flat_act(&law, &stick, &patch, (sg_vec3){0.5 * moves, 0.1 * moves, 0},
                            (sg_vec3){0, 0, 20.0 * moves}, &anchor, &out);
            }
            // A few times f/k_t within the time of flowing back, and the turning of y.
            double most = 4.0 * f / (stick.whole * stick.relaxing) + 3e-6;
            for (int k = 0; k < SG_ANCHOR; k++)
                SG_NEAR(rate[1][k] - rate[0][k], 0.0, 1.0, k == 3 ? most / side : most);
        }
}
