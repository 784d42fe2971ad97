// Peaks of contacts whose motion is known: the cubic, the law on it, and looks in any order.
#include "contact/peaks.h"

#include "harness/sg_test.h"

#include <math.h>

// A sine that begins and ends at depth 0, seen n times.
static sg_contact_look sine(double t)
{
    double pi = acos(-1.0);
    return (sg_contact_look){t, sin(pi * t), pi * cos(pi * t), sin(pi * t) * sin(pi * t)};
}

SG_TEST(the_top_of_a_sine_is_found_to_the_fourth_power_of_the_step)
{
    double pi = acos(-1.0);
    for (int n = 3; n < 40; n += 2) { // the top is halfway between two looks
        sg_contact_peak k = {0};
        for (int i = 0; i <= n; i++)
            sg_contact_peak_look(&k, NULL, sine((double)i / n));
        SG_NEAR(k.depth, 1.0, 1.1 * pow(pi / n, 4.0) / 384.0, 0.0);
        SG_NEAR(k.depth_time, 0.5, 1e-12, 0.0);
        SG_CHECK(k.pressure <= 1.0 + pow(pi / n, 3.0) && k.pressure > 1.0 - pow(2.0 * pi / n, 3.0));
    }
}

SG_TEST(the_force_of_a_law_between_looks_is_that_of_its_top)
{
    // k p^1.5 (1 + d rate) of the same sine: the top is in front of that of the depth.
    sg_contact_law law = {
        .stays = true, .stiffness = 2.0, .damping = 0.1, .v_min = 0.01, .w_min = 0.01};
    double pi = acos(-1.0), most = 0.0, when = 0.0;
    for (int i = 0; i <= 1000000; i++) {
        double t = 1e-6 * i, f = 2.0 * pow(sin(pi * t), 1.5) * (1.0 + 0.1 * pi * cos(pi * t));
        when = f > most ? t : when;
        most = fmax(f, most);
    }
    for (int n = 6; n < 40; n++) {
        sg_contact_peak k = {0};
        for (int i = 0; i <= n; i++) {
            sg_contact_look look = sine((double)i / n);
            double depth = fmax(0.0, look.depth);
            look.pressure = 2.0 * pow(depth, 1.5) * (1.0 + 0.1 * look.rate);
            sg_contact_peak_look(&k, &law, look);
        }
        SG_NEAR(k.pressure, most, 1e-3 * most, 0.0);
        SG_NEAR(k.pressure_time, when, 0.02, 1.0);
        SG_CHECK(k.pressure_time < k.depth_time);
    }
}

// What was stored in between changes no peak, and the depths since the last point add up to it.
SG_TEST(stored_points_see_each_peak_once)
{
    sg_contact_peak k = {0};
    double deepest = 0.0;
    int n_tops = 0;
    for (int i = 0; i <= 12; i++) {
        sg_contact_peak_look(&k, NULL, sine(i / 12.0));
        sg_contact_look here = sine((i + 0.3) / 12.0);
        double lately = sg_contact_peak_lately(&k, &here);
        sg_contact_peak_store(&k, here);
        n_tops += lately > 0.9999;
        deepest = fmax(deepest, lately);
    }
    SG_CHECK(n_tops == 1);
    SG_NEAR(deepest, k.depth, 1e-4, 0.0);
    SG_NEAR(k.depth, 1.0, 2e-5, 0.0);
}

SG_TEST(an_event_with_a_jump_of_velocity_has_no_peak_of_its_own)
{
    sg_contact_peak k = {0};
    sg_contact_peak_look(&k, NULL, (sg_contact_look){0.0, 0.0, 1.0, 0.0});
    sg_contact_peak_look(&k, NULL, (sg_contact_look){0.0, 0.0, -1.0, 0.0}); // an impulse
    sg_contact_peak_look(&k, NULL, (sg_contact_look){0.1, 0.0, -1.0, 0.0});
    SG_NEAR(k.depth, 0.0, 0.0, 0.0);
    // And one that only moves apart keeps the depth that it began with.
    sg_contact_peak j = {0};
    sg_contact_peak_look(&j, NULL, (sg_contact_look){0.0, 0.5, -1.0, 3.0});
    sg_contact_peak_look(&j, NULL, (sg_contact_look){0.5, 0.0, -1.0, 0.0});
    SG_CHECK(j.depth == 0.5 && j.depth_time == 0.0 && j.pressure == 3.0);
}
