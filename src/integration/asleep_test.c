// What is followed beside the solver moves as its matrix says, whatever its size.
#include "integration/asleep.h"

#include "integration/standing_test.h"

#include <float.h>
#include <math.h>

// A matrix of two rows.
static void two(double *a, double a00, double a01, double a10, double a11)
{
    a[0] = a00;
    a[1] = a01;
    a[SG_MODES] = a10;
    a[SG_MODES + 1] = a11;
}

static sg_asleep pair(double first, double second)
{
    sg_asleep s = {.n = 2, .of = {{.which = 0, .atol = 1.0}, {.which = 1, .atol = 1.0}}};
    sg_asleep_set(&s, 0, first);
    sg_asleep_set(&s, 1, second);
    return s;
}

SG_TEST(states_move_by_more_than_numbers_hold_and_come_back)
{
    double down[SG_MODES * SG_MODES] = {0}, up[SG_MODES * SG_MODES] = {0};
    sg_asleep s = pair(1e-3, -1.0);
    two(down, -1e5, 0.0, 0.0, -3.0);
    two(up, 1e5, 0.0, 0.0, 2.0);
    sg_asleep_move(&s, down);
    SG_CHECK(sg_asleep_value(&s, 0) == 0.0);
    sg_asleep_move(&s, up);
    SG_NEAR(sg_asleep_value(&s, 0), 1e-3, 1e-9, 0.0);
    SG_NEAR(sg_asleep_value(&s, 1), -exp(-1.0), 1e-14, 0.0);
}

// A pendulum in units of 1e17 of its speed: a quarter of a turn and 40 factors of e, twice.
SG_TEST(states_turn_in_odd_units)
{
    double a[SG_MODES * SG_MODES] = {0}, quarter = 1.5707963267948966;
    sg_asleep s = pair(2.0, 0.0);
    two(a, -40.0, 1e17 * quarter, -1e-17 * quarter, -40.0);
    sg_asleep_move(&s, a);
    SG_NEAR(sg_asleep_value(&s, 1), -2e-17 * exp(-40.0), 1e-9, 0.0);
    sg_asleep_move(&s, a);
    SG_NEAR(sg_asleep_value(&s, 0), -2.0 * exp(-80.0), 1e-9, 0.0);
}

// x' = A(t) x with A = [cos t, t; -t, 0.3] over one second in n parts, against many of them.
static double moved(int n)
{
    sg_asleep s = pair(1.0, 0.5);
    for (int i = 0; i < n; i++) {
        double A[3][SG_MODES * SG_MODES] = {0}, out[SG_MODES * SG_MODES];
        for (int k = 0; k < 3; k++) {
            double t = (i + 0.5 * k) / n;
            two(A[k], cos(3.0 * t), 4.0 * t, -t, 0.3);
        }
        sg_asleep_exponent(A[0], A[1], A[2], 2, 1.0 / n, out);
        sg_asleep_move(&s, out);
    }
    return sg_asleep_value(&s, 0);
}

SG_TEST(exponents_are_of_order_four)
{
    double right = moved(512), coarse = fabs(moved(8) - right), fine = fabs(moved(16) - right);
    SG_CHECK_MSG(coarse > 12.0 * fine && coarse < 20.0 * fine, "%g and %g", coarse, fine);
}

SG_TEST(what_an_exponent_may_be_off_by_falls_with_the_square_of_the_part)
{
    double A[SG_MODES * SG_MODES] = {0}, M[SG_MODES * SG_MODES] = {0}, B[SG_MODES * SG_MODES] = {0};
    double out[SG_MODES * SG_MODES];
    two(A, -1.0, 0.0, 0.0, -2.0);
    SG_CHECK(sg_asleep_exponent(A, A, A, 2, 3.0, out) == 0.0 && out[0] == -3.0);
    two(M, -1.5, 0.0, 0.0, -2.0);
    two(B, -2.0, 0.0, 0.0, -2.0); // straight
    SG_NEAR(sg_asleep_exponent(A, M, B, 2, 3.0, out), 0.0, 0.0, 0.0);
    SG_NEAR(out[0], -4.5, 1e-15, 0.0);
    two(M, -1.4, 0.0, 0.0, -2.0);
    SG_NEAR(sg_asleep_exponent(A, M, B, 2, 3.0, out), 0.2, 1e-14, 0.0);
}

SG_TEST(parts_act_on_each_other_in_one_way_circles_in_both)
{
    double A[SG_MODES * SG_MODES] = {0};
    uint32_t part[SG_MODES];
    sg_asleep s = {.n = 4};
    two(A, -1.0, 0.0, 2.0, -1.0); // the first acts on the second
    A[2 * SG_MODES + 3] = 1.0;
    A[3 * SG_MODES + 2] = -1.0;
    sg_asleep_parts(&s, A, part);
    SG_CHECK(part[0] == 0 && part[1] == 0 && part[2] == 2 && part[3] == 2);
    sg_asleep_circles(&s, A, part);
    SG_CHECK(part[0] == 0 && part[1] == 1 && part[2] == 2 && part[3] == 2);
}

SG_TEST(a_square_is_not_straight)
{
    double A[SG_MODES * SG_MODES] = {0}, B[SG_MODES * SG_MODES] = {0};
    A[0] = -1.0;
    B[0] = -1.0 * sg_asleep_nearer;
    SG_CHECK(!sg_asleep_is_straight(A, B, 1));
    B[0] = -0.84;
    SG_CHECK(!sg_asleep_is_straight(A, B, 1));
    B[0] = -0.94;
    SG_CHECK(sg_asleep_is_straight(A, B, 1));
}

// --- the matrix of a model -----------------------------------------------------------------------

// dx0 = p[0] x0 + p[1] x1 + p[2] x0^2.
static void bent(const double *p, double t, const double *x, double *dx)
{
    (void)t;
    dx[0] = p[0] * x[0] + p[1] * x[1] + p[2] * x[0] * x[0];
    dx[1] = 0.0;
}

static void begin(standing *s, one_function *m, double p0, double p1, double p2)
{
    *m = (one_function){.rates = bent, .n = 2, .p = {p0, p1, p2}, .start = {1.0, 1.0}};
    stand(s, m, "CVODE_BDF");
}

SG_TEST(what_is_as_good_as_zero_is_moved_by_a_tenth_of_its_tolerance)
{
    standing s;
    one_function m;
    double A[SG_MODES * SG_MODES];
    begin(&s, &m, -1.0, 0.0, 1.0 / ATOL);
    sg_asleep a = {.n = 1, .of = {{.which = 0, .atol = ATOL}}};
    sg_asleep_set(&a, 0, 1e-200);
    SG_CHECK(sg_asleep_find_matrix(s.g, &a, 1.0, 1.0, A));
    SG_NEAR(A[0], -0.9, 1e-12, 0.0);
    leave(&s);
}

SG_TEST(matrices_are_the_same_up_to_a_hundredth_of_the_tolerance)
{
    standing s;
    one_function m;
    double A[SG_MODES * SG_MODES] = {0};
    begin(&s, &m, -1.0, 0.0, 0.0);
    sg_asleep a = {.n = 1, .of = {{.which = 0, .atol = ATOL}}};
    sg_asleep_set(&a, 0, 50.0);
    A[0] = -1.0 - 0.006 * TOLERANCE;
    SG_CHECK(sg_asleep_is_same(s.g, &a, 1.0, A));
    A[0] = -1.0 - 0.016 * TOLERANCE;
    SG_CHECK(!sg_asleep_is_same(s.g, &a, 1.0, A));
    leave(&s);
}

SG_TEST(what_rounding_leaves_of_others_is_no_part_of_the_matrix)
{
    for (int k = 0; k < 2; k++) {
        standing s;
        one_function m;
        double A[SG_MODES * SG_MODES];
        begin(&s, &m, 1.0, (k ? 1600.0 : 600.0) * DBL_EPSILON, 0.0);
        sg_asleep a = pair(50.0, 50.0);
        SG_CHECK(sg_asleep_find_matrix(s.g, &a, 1.0, 1.0, A));
        SG_CHECK(A[0] == 1.0 && (A[1] != 0.0) == k);
        leave(&s);
    }
}
