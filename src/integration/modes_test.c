// Exponentials of small matrices over long times.
#include "integration/modes.h"

#include "harness/sg_test.h"

#include <math.h>

// A matrix of two rows.
static void two(double *a, double a00, double a01, double a10, double a11)
{
    a[0] = a00;
    a[1] = a01;
    a[SG_MODES] = a10;
    a[SG_MODES + 1] = a11;
}

SG_TEST(an_exponential_is_a_rotation_times_a_factor)
{
    double a[SG_MODES * SG_MODES] = {0}, out[SG_MODES * SG_MODES];
    for (double t = 0.01; t < 2000.0; t *= 10.0) {
        two(a, -0.3 * t, t, -t, -0.3 * t);
        double factor = sg_modes_exponential(a, 2, out) + 0.3 * t;
        double rounding = 1e-15 * (1.0 + t); // a squaring doubles it
        SG_NEAR(out[0] * exp(factor), cos(t), rounding, 1.0);
        SG_NEAR(out[1] * exp(factor), sin(t), rounding, 1.0);
    }
}

SG_TEST(what_is_stiff_is_gone_and_the_rest_has_a_logarithm)
{
    double a[SG_MODES * SG_MODES] = {0}, out[SG_MODES * SG_MODES];
    two(a, -1e9, 0.0, 0.0, -5e3);
    double factor = sg_modes_exponential(a, 2, out);
    SG_NEAR(factor + log(out[SG_MODES + 1]), -5e3, 1e-9, 1.0);
    SG_CHECK(out[0] == 0.0);
}

SG_TEST(a_mode_that_grows_is_found_among_stiff_ones_and_oscillations)
{
    double a[SG_MODES * SG_MODES] = {0}, out[SG_MODES * SG_MODES];
    two(a, 0.7, 100.0, -100.0, 0.7);
    a[2 * SG_MODES + 2] = -1e6;
    SG_NEAR(sg_modes_rate(a, 3, 100.0, out), 0.7, 3e-3, 0.0);
    two(a, -0.7, 100.0, -100.0, -0.7);
    SG_CHECK(sg_modes_rate(a, 3, 100.0, out) == 0.0);
}

SG_TEST(states_in_odd_units_are_balanced)
{
    double a[SG_MODES * SG_MODES] = {0}, unit[SG_MODES];
    two(a, 0.0, 1e17, -2.5e-16, -9.9);
    sg_modes_balance(a, 2, unit);
    sg_modes_change_units(a, 2, unit);
    SG_CHECK(fabs(a[1]) < 20.0 && fabs(a[SG_MODES]) < 20.0);
    SG_NEAR(a[1] * a[SG_MODES], -25.0, 1e-14, 0.0);
    SG_CHECK(a[SG_MODES + 1] == -9.9);
}
