#include "natives/fmu_curves.h"

#include "harness/sg_test.h"

#include <math.h>

static sg_fmu_curves one_curve(sg_arena *arena, bool bends)
{
    sg_fmu_curves c;
    sg_arena_init(arena, NULL);
    SG_CHECK(sg_fmu_curves_make(&c, arena, 1));
    c.continuous[0] = c.counts[0] = true;
    c.bends = bends;
    c.size[0] = 1.0;
    return c;
}

static double sine(double t) { return sin(3.0 * t); }

// What `bend` says against the largest error between two points; and how many points it takes.
SG_TEST(the_error_between_points_is_what_is_told)
{
    for (int bends = 0; bends < 2; bends++) {
        sg_arena arena;
        sg_fmu_curves c = one_curve(&arena, bends);
        double h = 0.01, t = 0.0;
        for (int k = 0; k < 200; k++, t += h) {
            double y = sine(t), next = sine(t + h), worst = 0.0;
            sg_fmu_curves_add(&c, t, &y);
            double told = sg_fmu_curves_bend(&c, t + h, &next, 1e-6);
            for (int i = 1; k > 3 && i < 20; i++) {
                double at = t + h * i / 20.0;
                worst = fmax(worst, fabs(sg_fmu_curves_between(&c, 0, at, t + h, next) - sine(at)));
            }
            // Of a line h^2 y''/8, of a parabola about h^3 y'''/15.
            SG_CHECK_MSG(k < 4 || worst <= 1.5e-6 * told + 3e-6, "%d: %g, told %g", k, worst, told);
            SG_CHECK(worst <= (bends ? 5e-6 : 2e-4));
            h = 0.01 * (1.0 + 0.3 * sin(k)); // steps of all lengths
        }
        sg_arena_destroy(&arena);
    }
}

SG_TEST(a_parabola_is_foreseen_where_the_curve_is_one)
{
    sg_arena arena;
    sg_fmu_curves c = one_curve(&arena, true);
    double slope, y, t = 0.0;
    for (int k = 0; k < 5; k++, t += 0.1 + 0.02 * k) {
        y = 1.0 + t * (2.0 - 3.0 * t);
        if (k)
            sg_fmu_curves_learn(&c, t, &y);
        sg_fmu_curves_add(&c, t, &y);
    }
    SG_CHECK(c.bent[0]);
    SG_NEAR(sg_fmu_curves_ahead(&c, 0, 1.0, &slope), 0.0, 1e-13, 1.0);
    SG_NEAR(slope, -4.0, 1e-12, 1.0);
    // It jumps: the mistake is told, and a line is taken from there on.
    y = 5.0;
    SG_CHECK(sg_fmu_curves_missed(&c, 1.0, &y, 1e-6) > 1e5);
    sg_fmu_curves_learn(&c, 1.0, &y);
    sg_fmu_curves_add(&c, 1.0, &y);
    y = 5.1;
    sg_fmu_curves_learn(&c, 1.1, &y);
    SG_CHECK(!c.bent[0]);
    // A second point at one instant: nothing of before counts.
    sg_fmu_curves_add(&c, 1.0, &y);
    SG_CHECK(c.n_points == 1);
    SG_NEAR(sg_fmu_curves_ahead(&c, 0, 2.0, &slope), 5.1, 0.0, 1.0);
    sg_arena_destroy(&arena);
}
