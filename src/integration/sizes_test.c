// Tolerances by the sizes of states. Each number that decides is approached from both sides
// (tools/seed_constants).
#include "integration/sizes.h"

#include "integration/standing_test.h"

#include <float.h>
#include <math.h>

static void resting(const double *p, double t, const double *x, double *dx)
{
    (void)p;
    (void)t;
    (void)x;
    dx[0] = 0.0;
}

// The part of its tolerance that a state of this size has, where rounding may leave `noise` in it.
static double part_of(double size, double noise)
{
    one_function m = {.rates = resting, .start = {1.0}};
    standing s;
    stand(&s, &m, "CVODE_BDF");
    s.g->watched.growth.noise[0] = noise;
    double part = sg_sizes_part(s.g, 0, size);
    leave(&s);
    return part;
}

SG_TEST(tolerances_of_states_below_a_hundredth_are_for_a_tenth_of_their_sizes)
{
    SG_CHECK(part_of(0.016, 0.0) == 1.0);
    SG_CHECK(part_of(0.006, 0.0) < 1.0);
    SG_NEAR(part_of(1e-6, 0.0), 1e-7, 1e-12, 1e-7);
    // ... ten times above what rounding leaves,
    SG_NEAR(part_of(1e-6, 1e-12), 10.0 * 1e-12 / ATOL, 1e-12, 1e-4);
    // ... and above what has a square.
    SG_CHECK(part_of(1.6e-132, 0.0) < 1.0);
    SG_CHECK(part_of(0.6e-132, 0.0) == 1.0);
}

static sg_status no_next(void *user, double t, const double *x, sg_sim_segment *next)
{
    (void)user;
    (void)t;
    (void)x;
    (void)next;
    return SG_OK;
}

SG_TEST(what_a_segment_computed_is_a_value_above_a_thousand_roundings)
{
    one_function m = {.rates = resting, .start = {1.0}};
    standing s;
    stand(&s, &m, "CVODE_BDF");
    SG_CHECK(sg_sizes_least_value(s.g) == 0.0); // given, not computed
    s.model.next_segment = no_next;
    SG_NEAR(sg_sizes_least_value(s.g), 1000.0 * DBL_EPSILON, 1e-12, DBL_EPSILON);
    leave(&s);
}

SG_TEST(tolerances_follow_a_state_that_is_four_times_as_large)
{
    for (int k = 0; k < 2; k++) {
        one_function m = {.rates = resting, .start = {1e-6}};
        standing s;
        stand(&s, &m, "CVODE_BDF");
        double before = s.g->sizes.part[0];
        SG_NEAR(before, 1e-7, 1e-9, 1e-7); // of the start value
        s.g->sizes.largest[0] = (k ? 6.0 : 2.5) * 1e-6;
        sg_sizes_follow(s.g);
        SG_CHECK((s.g->sizes.part[0] > before) == k);
        leave(&s);
    }
}

static sg_status no_other_states(void *user, double t, const double *x, sg_sim_segment *next,
                                 bool *changed)
{
    (void)next;
    *changed = false;
    return no_next(user, t, x, next);
}

// Something of 1e-9 a second comes in, decays with the rate p[0], and leads the next one on.
static void leading(const double *p, double t, const double *x, double *dx)
{
    (void)t;
    dx[0] = 1e-9 - p[0] * x[0];
    dx[1] = 1e-3 * x[0];
    dx[2] = 0.0;
}

// It stands where all of them are zero, at the beginning of 1000 s, as a model that cannot be
// tested.
static void stand_at_zero(standing *s, one_function *m, double decay)
{
    *m = (one_function){.rates = leading, .n = 3, .p = {decay}};
    stand(s, m, "CVODE_BDF");
    s->model.reselect = no_other_states;
    sg_sizes_begin(s->g);
}

SG_TEST(what_begins_at_zero_is_sized_by_rates_for_as_long_as_they_stay)
{
    one_function m;
    standing s;
    stand_at_zero(&s, &m, 0.0); // for all of the run
    SG_NEAR(s.g->sizes.part[0], 0.1 * 1e-6, 1e-3, 1e-7);
    leave(&s);
    stand_at_zero(&s, &m, 0.1); // for ten seconds, and the next one by way of it
    SG_NEAR(s.g->sizes.part[0], 0.1 * 1e-8, 1e-3, 1e-9);
    SG_NEAR(s.g->sizes.part[1], 0.1 * 1e-10, 1e-3, 1e-11);
    SG_NEAR(s.g->sizes.part[2], 0.1 * 1e-10, 1e-3, 1e-11); // what says nothing, by the others
    leave(&s);
}

SG_TEST(tolerances_of_what_began_at_zero_give_way_by_a_thousand)
{
    one_function m;
    standing s;
    stand_at_zero(&s, &m, 0.1);
    double before = s.g->sizes.part[0];
    SG_CHECK(sg_sizes_give_way(s.g));
    SG_NEAR(s.g->sizes.part[0] / before, 1e3, 1e-9, 1e3);
    for (int k = 0; k < 3; k++)
        SG_CHECK(sg_sizes_give_way(s.g));
    SG_CHECK(s.g->sizes.part[1] == 1.0);
    SG_CHECK(!sg_sizes_give_way(s.g)); // as they were asked for
    leave(&s);
}

// Rests for three steps and quivers for one, which is rejected until it is short enough.
static void quivering(const double *p, double t, const double *x, double *dx)
{
    (void)x;
    dx[0] = p[0] * sin(1e5 * t);
}

static void step_and_reject(standing *s, one_function *m)
{
    sg_solver_stats stats = {0};
    for (int k = 0; k < 10000 && (stats.n_steps < 200 || stats.n_rejected < 200); k++) {
        sg_advance step;
        m->p[0] = k % 4 == 3 ? 1.0 : 0.0;
        sg_solver_bound_step(s->g->solver, 0.01);
        SG_CHECK(sg_solver_step(s->g->solver, 1000.0, &step) == SG_OK);
        stats = sg_solver_statistics(s->g->solver);
    }
    SG_CHECK(stats.n_steps >= 200 && stats.n_rejected >= 200);
}

// How often in a row many steps were rejected, if so many of the last ones were, and it had been
// `n_bad` times before; `times`: tolerances became so much larger.
static uint32_t count_rejected(uint64_t rejected, uint64_t steps, uint32_t n_bad, double *times)
{
    one_function m = {.rates = quivering, .start = {1e-6}};
    standing s;
    stand(&s, &m, "Tsit5");
    sg_state_sizes *z = &s.g->sizes;
    double before = z->part[0];
    SG_CHECK(before < 1.0 && z->refined);
    step_and_reject(&s, &m);
    sg_solver_stats stats = sg_solver_statistics(s.g->solver);
    z->n_steps = stats.n_steps - steps;
    z->n_rejected = stats.n_rejected - rejected;
    z->n_bad = n_bad;
    sg_sizes_follow(s.g);
    *times = z->part[0] / before;
    n_bad = z->n_bad;
    leave(&s);
    return n_bad;
}

SG_TEST(tolerances_are_given_back_where_two_fifths_of_64_steps_are_rejected_four_times)
{
    double times;
    SG_CHECK(count_rejected(40, 40, 0, &times) == 0); // too few
    SG_CHECK(count_rejected(60, 100, 0, &times) == 1);
    SG_CHECK(count_rejected(25, 100, 1, &times) == 0);
    SG_CHECK(count_rejected(60, 100, 1, &times) == 2 && times == 1.0);
    SG_CHECK(count_rejected(60, 100, 5, &times) == 0);
    SG_CHECK_MSG(times > 6.0 && times < 16.0, "%g", times);
}
