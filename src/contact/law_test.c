#include "contact/law_form.h"
#include "contact/parts.h"
#include "harness/sg_test_math.h"
#include "math/scalar.h"

static sg_contact_pair steel(double restitution)
{
    return (sg_contact_pair){.young = {2e11, 2e11},
                             .poisson = {0.3, 0.3},
                             .radius = 0.1,
                             .restitution = restitution,
                             .friction = 0.5,
                             .rolling = 0.001,
                             .v_min = 0.01,
                             .w_min = 0.01};
}

static sg_contact_law spring(void)
{
    sg_spring_pair pair = {.spring = 1e6,
                           .damping = 2000.0,
                           .drilling = 0.002,
                           .friction = 0.5,
                           .v_min = 0.001,
                           .w_min = 0.002};
    return sg_contact_law_spring(SG_CONTACT_LINEAR, &pair);
}

// Each law by springs in turn, with damping that matters at these depths.
static sg_contact_law any_spring(int i)
{
    sg_contact_law law = spring();
    int n = 0, k = 0;
    for (int r = 0; r < SG_CONTACT_N_RESPONSES; r++)
        n += sg_law_form_of((sg_contact_response)r) != NULL;
    for (int r = 0; r < SG_CONTACT_N_RESPONSES; r++)
        if (sg_law_form_of((sg_contact_response)r) && k++ == i % n)
            law.kind = (sg_contact_response)r;
    if (law.kind != SG_CONTACT_LINEAR)
        law.damping *= 1e3;
    return law;
}

SG_TEST(each_law_by_springs_has_a_table_and_no_other_has)
{
    for (int r = 0; r < SG_CONTACT_N_RESPONSES; r++) {
        const sg_law_form *form = sg_law_form_of((sg_contact_response)r);
        SG_CHECK((form != NULL) == (sg_response_takes((sg_contact_response)r) == SG_BY_SPRING));
        SG_CHECK(!form || form->press);
    }
}

// components3d.md A.6, paper_numbers.md 5.
SG_TEST(constants_are_those_of_the_papers)
{
    sg_law_options o = sg_law_options_make();
    SG_NEAR(sg_law_regularize(0.0, 0.01), 0.01 / 3, 1e-15, 0.01);
    SG_NEAR(sg_law_regularize(-0.005, 0.01), 0.005416666666666667, 1e-14, 0.01);
    SG_NEAR(sg_law_regularize(0.01, 0.01), 0.01, 1e-15, 0.01);
    SG_NEAR(0.005 / sg_law_regularize(0.005, 0.01), 0.923077, 1e-6, 1.0);
    sg_contact_pair pair = steel(0.7);
    sg_contact_law law = sg_contact_law_start(&o, &pair, 1.0);
    SG_NEAR(law.stiffness, 1.098901098901099e11 * 0.4216370213557839, 1e-14, 1.0);
    SG_NEAR(law.damping, 0.6857143, 1e-7, 1.0);
    // cor' at v_min is 0.69301, and reg is v_min itself.
    SG_NEAR(sg_law_damping(&o, 0.7, -0.01, 0.01), 8 * (1 - 0.69301) / (5 * 0.69301 * 0.01), 1e-12,
            1.0);
    SG_CHECK(sg_law_damping(&o, 0.7, 0.0, 0.01) == 2000.0);
    SG_CHECK(sg_law_damping(&o, 0.0, 10.0, 0.01) == 2000.0);
    o.nonsmooth_restitution = true;
    SG_NEAR(sg_law_damping(&o, 0.7, 0.05, 0.01), 13.714285714, 1e-9, 1.0);
    SG_CHECK(sg_law_damping(&o, 0.7, 0.01, 0.01) == 2000.0);
    SG_NEAR(sg_law_damping(&o, 0.6, 4.02916, 0.01), 0.264736736, 1e-8, 1.0);
    SG_CHECK(sg_law_damping(&o, 0.0, 3.0, 0.01) == 2000.0);
    pair.poisson[1] = 1.0; // no material has that: no force
    SG_CHECK(sg_contact_law_start(&o, &pair, 1.0).stiffness == 0.0);
}

// The rebound by integrating p'' = -p^1.5 (1 + x p') from p' = 1, in steps that get shorter where
// damping is large.
static double integrated_rebound(double x)
{
    double p = 0.0, v = 1.0, h = 1e-4 / (1.0 + x);
    for (int64_t i = 0; p >= 0.0 && i < 100000000; i++) {
        double k[4][2], at[2] = {p, v};
        for (int j = 0; j < 4; j++) {
            double q = s_max(at[0], 0.0);
            k[j][0] = at[1];
            k[j][1] = -q * sqrt(q) * s_max(1.0 + x * at[1], 0.0);
            double step = j < 2 ? 0.5 * h : h;
            at[0] = p + step * k[j][0];
            at[1] = v + step * k[j][1];
        }
        p += h / 6.0 * (k[0][0] + 2.0 * k[1][0] + 2.0 * k[2][0] + k[3][0]);
        v += h / 6.0 * (k[0][1] + 2.0 * k[1][1] + 2.0 * k[2][1] + k[3][1]);
    }
    return -v;
}

SG_TEST(restitution_and_damping_belong_together_as_integrating_the_law_says)
{
    const double dampings[] = {1e-3, 0.05, 0.6857142857, 1.0, 3.0, 10.0, 20.0};
    for (size_t i = 0; i < sizeof dampings / sizeof *dampings; i++)
        SG_NEAR(sg_law_rebound(dampings[i]), integrated_rebound(dampings[i]), 1e-6, 1e-2);
    for (double e = 1e-3; e <= 1.0; e *= 1.01) {
        SG_NEAR(sg_law_rebound(sg_law_rebound_damping(e)), e, 1e-9, 0.0);
        SG_NEAR(sg_law_rebound(sg_law_rebound_damping(1.0 - 1e-4 * e)), 1.0 - 1e-4 * e, 1e-9, 0.0);
    }
    SG_CHECK(sg_law_rebound(0.0) == 1.0 && sg_law_rebound_damping(1.0) == 0.0);
    sg_law_options o = sg_law_options_make();
    SG_NEAR(sg_law_effective(&o, 0.7), 0.68318, 2e-5, 0.0);
    SG_NEAR(sg_law_effective(&o, 0.05), 0.03289, 1e-3, 0.0);
    SG_CHECK(sg_law_effective(&o, 1.0) == 1.0 && sg_law_effective(&o, 0.0) == 0.0);
    o.exact = true;
    SG_CHECK(sg_law_effective(&o, 0.7) == 0.7);
}

SG_TEST(exact_restitution_holds_from_the_speed_on_at_which_bodies_count_as_still)
{
    sg_law_options o = sg_law_options_make();
    o.exact = true;
    for (int nonsmooth = 0; nonsmooth < 2; nonsmooth++)
        for (double v_min = 1e-6; v_min < 1.0; v_min *= 10.0)
            for (double e = 0.05; e <= 1.0; e += 0.05)
                for (double v = 1.0001 * v_min; v < 1e4; v *= 7.0) {
                    o.nonsmooth_restitution = nonsmooth;
                    double d = sg_law_damping(&o, e, v, v_min);
                    SG_CHECK_MSG(fabs(sg_law_rebound(d * v) / e - 1.0) <= 0.0101,
                                 "e = %g, v = %g, v_min = %g: %g", e, v, v_min,
                                 sg_law_rebound(d * v));
                }
}

SG_TEST(a_contact_gives_back_what_it_takes_if_it_has_hardly_any_damping)
{
    sg_law_options o = sg_law_options_make();
    const struct {
        double restitution, speed;
        bool back;
    } cases[] = {{1.0, 1.0, true},
                 {1.0, 0.05, true},
                 {0.99999, 1.0, true},
                 {0.99, 1.0, false},
                 {0.7, 1e3, false},
                 {0.0, 1.0, false},
                 {1.0, 0.01, false}, // so slow that the law itself
                                     // takes it for sticking
                 {1.0, 0.0, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sg_contact_pair pair = steel(cases[i].restitution);
        sg_contact_law law = sg_contact_law_start(&o, &pair, cases[i].speed);
        SG_CHECK_MSG(sg_contact_law_gives_back(&law, cases[i].speed) == cases[i].back, "case %zu",
                     i);
    }
    sg_contact_pair nothing = steel(1.0);
    nothing.young[0] = 0.0;
    sg_contact_law law = sg_contact_law_start(&o, &nothing, 1.0);
    SG_CHECK(!sg_contact_law_gives_back(&law, 1.0));
    law = spring();
    SG_CHECK(!sg_contact_law_gives_back(&law, 1.0));
    law.damping = 0.0;
    SG_CHECK(sg_contact_law_gives_back(&law, 1.0));
}

// The pressure over that of the spring at this rate, less one, by the rate.
static double damping_at(const sg_contact_law *law, double rate)
{
    sg_contact_action a;
    sg_contact_law_act(law, 1e-5, v3_axis(2), v3_make(0, 0, -rate), V3_ZERO, &a);
    return (a.pressure / (law->stiffness * pow(1e-5, 1.5)) - 1.0) / rate;
}

SG_TEST(a_contact_that_is_hit_has_the_damping_of_the_hit)
{
    sg_law_options o = sg_law_options_make();
    sg_contact_pair pair = steel(0.7);
    sg_contact_law law = sg_contact_law_start(&o, &pair, 0.0);
    double hit = sg_law_damping(&o, 0.7, 1.0, pair.v_min);
    // As it grows, between steps, and from the top on: also while the bodies leave each other.
    SG_NEAR(damping_at(&law, 1.0), hit, 1e-6, hit);
    for (int i = 0; i < 10; i++) // a sine with its top between two looks
        sg_contact_law_follow(&law, i, 1e-5, sin(acos(-1.0) * (0.05 + 0.1 * i)));
    SG_NEAR(law.hits.hit.fastest, 1.0, 1e-3, 0.0);
    law.now = 10.0;
    SG_NEAR(damping_at(&law, 0.5), hit, 1e-3, hit);
    SG_NEAR(damping_at(&law, -0.5), hit, 1e-3, hit);
    // Turned round after a slower way back it is an impact of its own, as fast as that.
    sg_contact_law_follow(&law, 12.0, 1e-5, -0.2);
    double left = sg_law_damping(&o, 0.7, 0.2, pair.v_min);
    double top = sg_law_damping(&o, 0.7, law.hits.hit.top, pair.v_min);
    SG_CHECK(top > hit && left > hit);
    SG_NEAR(damping_at(&law, 0.1), top, 1e-6, top);
    sg_contact_law_follow(&law, 13.0, 1e-5, 0.1);
    SG_NEAR(law.damping, top, 1e-6, top);
    // Weight is no hit: an impact that gets 5 % faster keeps its damping to the last bit.
    law = sg_contact_law_start(&o, &pair, 1.0);
    double start = law.damping;
    sg_contact_law_follow(&law, 0.0, 1e-5, 1.05);
    SG_CHECK(law.damping == start);
    // The released program's stays.
    o.nonsmooth_restitution = true;
    law = sg_contact_law_start(&o, &pair, 0.0);
    sg_contact_law_follow(&law, 0.0, 1e-5, 1.0);
    SG_NEAR(damping_at(&law, 2.0), o.max_damping, 1e-9, o.max_damping);
}

SG_TEST(hits_do_not_depend_on_where_steps_end)
{
    // A sine of the rate from rest, with steps of other lengths and beginnings: its top is seen to
    // the fourth order, and forces within a step take the value that is remembered behind it.
    sg_law_options o = sg_law_options_make();
    sg_contact_pair pair = steel(0.7);
    double pi = acos(-1.0);
    for (int n = 8; n <= 64; n *= 2) {
        double worst = 0.0, jump = 0.0, h = 1.0 / n;
        for (int shift = 0; shift < 10; shift++) {
            sg_contact_law law = sg_contact_law_start(&o, &pair, 0.0);
            for (double t = 0.1 * shift * h; t < 0.9; t += h) {
                law.now = t;
                double before = damping_at(&law, sin(pi * t));
                sg_contact_law_follow(&law, t, 1e-5, sin(pi * t));
                double behind = damping_at(&law, sin(pi * t));
                jump = fmax(jump, fabs(before - behind) / behind);
            }
            worst = fmax(worst, fabs(law.hits.hit.fastest - 1.0));
        }
        SG_CHECK_MSG(worst < 2.0 * pow(pi * h, 4.0), "%d steps: %g", n, worst);
        SG_CHECK_MSG(jump < 1e-12, "%d steps: %g", n, jump);
    }
}

SG_TEST(where_the_point_of_a_contact_jumps_the_hit_is_as_fast_as_the_rate_behind_it)
{
    // A capsule rolls over its side: one end is about to leave, the other one comes with 1.4 m/s.
    // Solvers go over that with one short step and longer ones behind it.
    sg_law_options o = sg_law_options_make();
    sg_contact_pair pair = steel(0.7);
    double way_back[] = {-0.5, -1e-6, 0.0, 0.3};
    for (int i = 0; i < 32; i++) {
        double before = way_back[i % 4], h = pow(10.0, -3.0 - i / 4), slow = -100.0 * h;
        sg_contact_law law = sg_contact_law_start(&o, &pair, 0.0);
        for (int k = -3; k < 0; k++) // it changes, but little
            sg_contact_law_follow(&law, k * 10.0 * h, 1e-5, before + k * slow);
        for (int k = 0; k < 5; k++)
            sg_contact_law_follow(&law, k * k * h, 1e-5, 1.4 + k * slow);
        SG_CHECK_MSG(fabs(law.hits.hit.fastest - 1.4) < 1e-12, "case %d: %.6f m/s", i,
                     law.hits.hit.fastest);
        // A jump on the way back, to a slower end, is no hit.
        law = sg_contact_law_start(&o, &pair, 1.4);
        for (int k = 0; k < 8; k++)
            sg_contact_law_follow(&law, k * h + (k > 4), 1e-5, k < 4 ? -1.0 : -0.5 + 1e-3 * k);
        SG_NEAR(law.hits.hit.top, 1.0, 1e-12, 0.0);
    }
}

static double pressure_at(const sg_contact_law *law, double p, double rate)
{
    sg_contact_action a;
    sg_contact_law_act(law, p, v3_axis(2), v3_make(0, 0, -rate), V3_ZERO, &a);
    return a.pressure;
}

SG_TEST(what_goes_deeper_than_an_impact_could_is_squeezed)
{
    sg_law_options o = sg_law_options_make();
    for (int i = 0; i < 12; i++) {
        double v = (double[]){1e-4, 1e-3, 0.01, 0.5}[i % 4];
        sg_contact_pair pair = steel((double[]){0.0, 0.3, 0.7}[i / 4]);
        sg_contact_law heavy = sg_contact_law_start(&o, &pair, v), law = heavy;
        law.mass = 4.0;
        double r = pow(5.0 * v * v / law.stiffness, 0.4), before = 0.0;
        // Impacts are what they were, in all digits: they go as deep as the integral of
        // m v dv = -k p^1.5 (1 + d v) dp tells.
        double x = law.damping * v;
        double deepest = 1.2 * r * pow(2.0 * (x - log1p(x)) / (x * x), 0.4);
        SG_CHECK(pressure_at(&law, deepest, v) == pressure_at(&heavy, deepest, v));
        SG_CHECK(pressure_at(&law, deepest, -v) == pressure_at(&heavy, deepest, -v));
        for (double p = r; p < 1e6 * r; p *= 1.01) { // the deeper, the harder
            double f = pressure_at(&law, p, v);
            SG_CHECK_MSG(f > before, "case %d at %g r", i, p / r);
            before = f;
        }
        // Hertz' force soon: without damping it would be as large where p^1.5 is 1 + x times that.
        double soon = 2.0 * r * pow(1.0 + x, 1.0);
        for (double p = soon; p < 1e6 * r; p *= 10.0) {
            double hertz = law.stiffness * pow(p, 1.5);
            SG_NEAR(pressure_at(&law, p, v), hertz, 0.016, 0.0);
            SG_NEAR(pressure_at(&law, p, -v), hertz, 0.016, 0.0);
        }
    }
}

SG_TEST(regularized_friction_is_smooth_at_its_threshold)
{
    double h = 1e-6, v = 0.01;
    double below = (sg_law_regularize(v, v) - sg_law_regularize(v - h, v)) / h;
    double second = (sg_law_regularize(v, v) - 2 * sg_law_regularize(v - h, v) +
                     sg_law_regularize(v - 2 * h, v)) /
                    (h * h);
    SG_NEAR(below, 1.0, 1e-7, 1.0);
    SG_NEAR(second, 0.0, 0.03, 1.0); // the third derivative is -2/v_min^2
}

static void act(const sg_contact_law *law, double p, sg_vec3 n, sg_vec3 v, sg_vec3 w,
                sg_contact_action *a)
{
    sg_contact_law_act(law, p, n, v, w, a);
}

SG_TEST(forces_are_continuous_never_pull_and_what_is_lost_is_never_negative)
{
    sg_rng rng = sg_rng_seeded(41);
    sg_law_options o = sg_law_options_make();
    for (int i = 0; i < 20000; i++) {
        sg_contact_pair pair = steel(sg_rng_uniform(&rng, 0, 1));
        sg_contact_law law = sg_contact_law_start(&o, &pair, sg_rng_uniform(&rng, 0, 2));
        sg_vec3 n = sg_rng_direction(&rng);
        double speed = pow(10, sg_rng_uniform(&rng, -4, 1));
        sg_vec3 v = v3_scale(sg_rng_direction(&rng), speed);
        sg_vec3 w = v3_scale(sg_rng_direction(&rng), pow(10, sg_rng_uniform(&rng, -4, 2)));
        double p = i % 10 ? pow(10, sg_rng_uniform(&rng, -12, -3)) : -1e-13;
        sg_contact_action a, b;
        act(&law, p, n, v, w, &a);
        SG_CHECK(a.pressure >= 0.0 && a.damped >= -1e-13 * a.pressure * speed);
        SG_CHECK(a.slid >= 0.0 && a.rolled >= 0.0 && a.stored >= 0.0);
        if (p <= 0.0)
            SG_CHECK(a.pressure == 0.0 && v3_norm(a.force) == 0.0 && a.stored == 0.0);
        // The power that bodies lose is the rate of what is stored and what is lost.
        double power = v3_dot(a.force, v) + v3_dot(a.torque, w);
        double store = p > 0.0 ? law.stiffness * p * sqrt(p) * a.rate : 0.0;
        double scale = a.pressure * (speed + 0.1 * v3_norm(w)) + fabs(store);
        SG_NEAR(-power, store + a.damped + a.slid + a.rolled, 1e-12, scale);
        double step = 1e-9 * speed;
        act(&law, p, n, v3_add_scaled(v, sg_rng_direction(&rng), step), w, &b);
        double steep = law.stiffness * fmax(p, 0.0) * sqrt(fmax(p, 0.0)) *
                       (law.damping + (1 + law.damping * speed) / 0.003);
        SG_CHECK(v3_norm(v3_sub(a.force, b.force)) <= 2 * steep * step + 1e-12 * a.pressure);
    }
}

// [OED2005] 4.5.
SG_TEST(a_linear_contact_is_spring_and_damper_friction_and_a_torque_about_the_normal)
{
    sg_contact_law law = spring();
    sg_contact_action a;
    sg_vec3 n = {0, 1, 0};
    act(&law, 1e-3, n, v3_make(0.3, -0.1, 0.4), v3_make(5, 0.5, 7), &a);
    SG_NEAR(a.pressure, 1000 + 200, 1e-14, 1.0);
    SG_NEAR(v3_norm(v3_sub(a.force, v3_make(-0.6 * 600, 1200, -0.8 * 600))), 0.0, 1e-12, 1200.0);
    SG_NEAR(v3_norm(v3_sub(a.torque, v3_make(0, -0.002 * 1200, 0))), 0.0, 1e-15, 1.0);
    SG_NEAR(a.stored, 0.5, 1e-15, 1.0);
    // Below the thresholds both are proportional to the speed.
    act(&law, 1e-3, n, v3_make(0.00025, 0, 0), v3_make(0, -0.001, 0), &a);
    SG_NEAR(a.force.x, -0.25 * 500, 1e-13, 1.0);
    SG_NEAR(a.torque.y, 0.5 * 0.002 * 1000, 1e-14, 1.0);
    act(&law, 1e-3, n, v3_make(1, 0.6, 0), V3_ZERO, &a); // leaving fast: it does not pull
    SG_CHECK(a.pressure == 0.0 && v3_norm(a.force) == 0.0);
    act(&law, -1e-13, n, v3_make(1, -1, 0), v3_make(1, 1, 1), &a);
    SG_CHECK(a.pressure == 0.0 && v3_norm(a.force) == 0.0 && v3_norm(a.torque) == 0.0);
}

SG_TEST(power_of_a_contact_by_springs_is_what_is_stored_and_lost)
{
    sg_rng rng = sg_rng_seeded(43);
    for (int i = 0; i < 20000; i++) {
        sg_contact_law law = any_spring(i);
        sg_vec3 n = sg_rng_direction(&rng);
        sg_vec3 v = v3_scale(sg_rng_direction(&rng), pow(10, sg_rng_uniform(&rng, -5, 1)));
        sg_vec3 w = v3_scale(sg_rng_direction(&rng), pow(10, sg_rng_uniform(&rng, -5, 2)));
        double p = i % 10 ? pow(10, sg_rng_uniform(&rng, -9, -2)) : -1e-13;
        sg_contact_action a;
        act(&law, p, n, v, w, &a);
        double store = law.stiffness * fmax(p, 0.0) * a.rate;
        double power = v3_dot(a.force, v) + v3_dot(a.torque, w);
        double scale = a.pressure * (v3_norm(v) + 0.002 * v3_norm(w)) + fabs(store);
        SG_NEAR(-power, store + a.damped + a.slid + a.rolled, 1e-12, scale);
        SG_CHECK(a.pressure >= 0.0 && a.damped >= -1e-13 * scale);
        SG_CHECK(a.slid >= 0.0 && a.rolled >= 0.0 && a.stored >= 0.0);
    }
}

SG_TEST(contact_radii_are_those_of_the_tables)
{
    sg_solid_material m = sg_solid_material_make("Steel");
    sg_shape ball, box, cone, cylinder, capsule;
    const char *why;
    sg_shape_sphere(0.06, &ball, &why);
    sg_shape_box(v3_make(1, 2, 0.2), 0.001, &box, &why);
    sg_shape_cone(2, 0.4, 0.2, 1.0, 0.0, 0.001, &cone, &why);
    sg_shape_cylinder(2, 0.4, 0.3, 0.001, &cylinder, &why);
    sg_shape_capsule(2, 0.4, 0.3, &capsule, &why);
    sg_contact_part b = sg_contact_part_make(&ball, &m, 0, 0.0);
    sg_contact_part f = sg_contact_part_make(&box, &m, 0, 0.0);
    SG_NEAR(sg_contact_radius(&b, &f), 0.03, 1e-15, 1.0);
    SG_NEAR(sg_contact_radius(&f, &b), 0.03, 1e-15, 1.0);
    SG_NEAR(sg_contact_radius(&b, &b), 0.015, 1e-15, 1.0);
    SG_NEAR(sg_contact_radius(&f, &f), 0.05, 1e-15, 1.0);
    SG_NEAR(sg_contact_part_make(&cone, &m, 0, 0.0).radius, 0.15, 1e-15, 1.0);
    SG_NEAR(sg_contact_part_make(&cylinder, &m, 0, 0.0).radius, 0.15, 1e-15, 1.0);
    SG_NEAR(sg_contact_part_make(&capsule, &m, 0, 0.0).radius, 0.2, 1e-15, 1.0);
    f = sg_contact_part_make(&box, &m, 0, 7.0);
    SG_CHECK(f.radius == 7.0 && f.is_flat);
}

SG_TEST(no_pressure_is_more_than_the_most_at_its_depth_and_rate)
{
    sg_rng rng = sg_rng_seeded(11);
    int n_near = 0;
    for (int i = 0; i < 400; i++) {
        sg_law_options o = sg_law_options_make();
        o.exact = i % 2;
        o.max_damping = i % 3 ? o.max_damping : 1.0;
        sg_contact_pair pair = steel(sg_rng_uniform(&rng, 0.0, 1.0));
        sg_contact_law law = sg_contact_law_start(&o, &pair, sg_rng_uniform(&rng, 0.0, 3.0));
        law.mass = 1.0;
        for (int k = 0; k < 30; k++) {
            double p = sg_rng_uniform(&rng, 0.0, 1e-3), rate = sg_rng_uniform(&rng, -2.0, 2.0);
            sg_contact_action action;
            law.now = 1e-5 * k;
            sg_contact_law_act(&law, p, (sg_vec3){0.0, 0.0, 1.0}, (sg_vec3){0.0, 0.0, -rate},
                               V3_ZERO, &action);
            double most = sg_contact_law_most(&law, p, fmax(0.0, rate));
            SG_CHECK(action.pressure <= most * (1.0 + 1e-12));
            n_near += action.pressure > 0.9 * most && rate > 0.1;
            sg_contact_law_follow(&law, law.now, p, rate);
        }
    }
    SG_CHECK(n_near > 10); // or it says nothing
    sg_contact_law soft = spring();
    SG_CHECK(isinf(sg_contact_law_most(&soft, 1e-3, 1.0)));
}
