// Where the watches draw their lines. Each number that decides is approached from both sides, so
// that one that is wrong by a factor of three is noticed (tools/seed_constants).
//
// The integration stands where it began; tests put it into the state of a run that went wrong and
// let one watch look at it.
#include "integration/watch.h"

#include "integration/formulation.h"
#include "integration/standing_test.h"

#include <math.h>
#include <string.h>

static void resting(const double *p, double t, const double *x, double *dx)
{
    (void)p;
    (void)t;
    (void)x;
    dx[0] = 0.0;
}

// --- stalls --------------------------------------------------------------------------------------

static const sg_watch *watch_named(const char *name)
{
    const sg_watch *w = sg_watches();
    while (w->name && strcmp(w->name, name) != 0)
        w++;
    SG_CHECK(w->name);
    return w;
}

// Steps until it speaks, at most `most`; 0 if it does not. Each moves time by `each`.
static long stalls_after(double at, double each, long most)
{
    one_function m = {.rates = resting};
    standing s;
    stand(&s, &m, "Tsit5");
    const sg_watch *w = watch_named("stalls");
    sg_watch_step step = {.from = at, .h = each, .left = 1.0};
    long found = 0;
    s.g->t = s.g->watched.stall.from = at;
    for (long i = 1; i <= most && !found; i++) {
        s.g->t += each;
        found = w->step(s.g, &step) ? i : 0;
    }
    leave(&s);
    return found;
}

SG_TEST(a_run_stalls_after_a_million_steps_of_a_millionth_of_it)
{
    long n = stalls_after(500.0, 0.0, 2000000);
    SG_CHECK_MSG(n > 500000 && n < 2000000, "%ld", n);
    // The run takes 1000 s: a millionth of it is 1e-3 s.
    SG_CHECK(stalls_after(500.0, 0.6e-3 / (double)n, n) == n);
    SG_CHECK(stalls_after(500.0, 1.6e-3 / (double)n, n) == 0);
    // Right before its end it does not matter any more.
    SG_CHECK(stalls_after(1001.0 - 0.6e-3, 0.0, n) == 0);
    SG_CHECK(stalls_after(1001.0 - 1.6e-3, 0.0, n) == n);
}

// --- creep ---------------------------------------------------------------------------------------

// Jumps by p[1] where the state is p[0] tolerances from where it stands.
static void jumping(const double *p, double t, const double *x, double *dx)
{
    (void)t;
    dx[0] = x[0] > p[0] * ATOL ? 1.0 - p[1] : 1.0;
}

// Steep over p[0] tolerances.
static void steep(const double *p, double t, const double *x, double *dx)
{
    (void)t;
    dx[0] = 1.0 + tanh(x[0] / (p[0] * ATOL));
}

typedef struct crept {
    long looked, spoke; // after so many steps; 0: not
} crept;

static crept creep(one_function m, double each)
{
    standing s;
    stand(&s, &m, "Tsit5");
    crept c = {0};
    sg_watch_step step = {.h = each, .left = 1.0};
    for (long i = 1; i <= 100000 && !c.spoke; i++) {
        s.g->t = 1.0 + (double)(i - 1) * each;
        c.spoke = sg_integration_watch_creep(s.g, &step) ? i : 0;
        c.looked = c.looked || m.evals == 0 ? c.looked : i;
    }
    leave(&s);
    return c;
}

SG_TEST(a_run_creeps_when_twice_twenty_thousand_steps_lead_nowhere)
{
    one_function m = {.rates = jumping, .p = {5.0, 2.0}};
    crept c = creep(m, 0.0);
    SG_CHECK_MSG(c.looked > 10000 && c.looked < 40000, "%ld", c.looked);
    SG_CHECK_MSG(c.spoke == 2 * c.looked, "%ld %ld", c.spoke, c.looked);
    // Progress is half of a five hundredth of the run, 2 s.
    SG_CHECK(creep(m, 0.6 / (double)c.looked).spoke > 0);
    SG_CHECK(creep(m, 1.6 / (double)c.looked).spoke == 0);
}

SG_TEST(creep_looks_for_jumps_within_ten_tolerances)
{
    SG_CHECK(creep((one_function){.rates = jumping, .p = {6.0, 2.0}}, 0.0).spoke > 0);
    SG_CHECK(creep((one_function){.rates = jumping, .p = {16.0, 2.0}}, 0.0).spoke == 0);
    // ... that change a derivative by a tenth of its size.
    SG_CHECK(creep((one_function){.rates = jumping, .p = {5.0, 0.16}}, 0.0).spoke > 0);
    SG_CHECK(creep((one_function){.rates = jumping, .p = {5.0, 0.06}}, 0.0).spoke == 0);
}

SG_TEST(creep_tells_a_slope_from_a_jump_a_thousandth_as_far_away)
{
    SG_CHECK(creep((one_function){.rates = steep, .p = {0.01}}, 0.0).spoke > 0);
    SG_CHECK(creep((one_function){.rates = steep, .p = {0.03}}, 0.0).spoke == 0);
}

// --- verification --------------------------------------------------------------------------------

typedef struct verified {
    sg_status status;
    size_t told;
} verified;

// What is said where the derivative f[i] of state i differs by d[i] from the slope of the solution
// in a step of the length h, with states of the size `largest`, and steps were taken again too
// often already.
static verified verify(standing *s, one_function *m, const double *x, const double *d, double h,
                       double largest)
{
    sg_integration *g = s->g;
    size_t before = s->diags.len;
    memcpy(g->x_out, x, m->n * sizeof *x);
    m->rates(m->p, 2.0, x, g->dx_out);
    for (uint32_t i = 0; i < m->n; i++) {
        g->watched.verify.work[i] = g->dx_out[i] - d[i];
        g->sizes.largest[i] = largest;
    }
    g->watched.verify.told = false;
    g->watched.verify.n_back = UINT32_MAX;
    sg_status status = sg_integration_verify(g, 2.0, h);
    return (verified){status, s->diags.len - before};
}

static verified verify_one(one_function m, double x, double d, double largest)
{
    standing s;
    stand(&s, &m, "CVODE_BDF");
    verified v = verify(&s, &m, &x, &d, 1.0, largest);
    leave(&s);
    return v;
}

SG_TEST(a_step_went_over_something_from_ten_thousand_tolerances_on)
{
    double tolerance = TOLERANCE + ATOL; // of a state of size one
    one_function m = {.rates = resting};
    SG_CHECK(verify_one(m, 1.0, 0.6e4 * tolerance, 0.1).told == 0);
    SG_CHECK(verify_one(m, 1.0, 1.6e4 * tolerance, 0.1).told == 1);
    // ... if that is a hundredth of the state; from a tenth on the run ends.
    SG_CHECK(verify_one(m, 1.0, 0.06, 10.0).told == 0);
    SG_CHECK(verify_one(m, 1.0, 0.16, 10.0).told == 1);
    SG_CHECK(verify_one(m, 1.0, 0.6, 10.0).status == SG_OK);
    SG_CHECK(verify_one(m, 1.0, 1.6, 10.0).status == SG_ERR_SOLVER);
}

SG_TEST(a_step_that_went_over_something_is_taken_again_in_steps_an_eighth_as_long)
{
    one_function m = {.rates = resting};
    standing s;
    stand(&s, &m, "CVODE_BDF");
    double x = 1.0, d = 1.6;
    verify(&s, &m, &x, &d, 1.0, 10.0);
    SG_CHECK(!s.g->watched.verify.back);
    s.g->watched.verify.n_back = 0;
    s.g->watched.verify.work[0] = s.g->dx_out[0] - d;
    SG_CHECK(sg_integration_verify(s.g, 2.0, 1.0) == SG_OK && s.g->watched.verify.back);
    SG_CHECK(s.g->watched.verify.bound == 0.125 && s.g->watched.verify.until == s.g->t);
    leave(&s);
}

static bool is_taken_again(double h, uint32_t n_back)
{
    one_function m = {.rates = resting};
    standing s;
    stand(&s, &m, "CVODE_BDF");
    double x = 1.0, d = 1.6 / h;
    verify(&s, &m, &x, &d, h, 10.0);
    s.g->watched.verify.n_back = n_back;
    s.g->watched.verify.work[0] = s.g->dx_out[0] - d;
    sg_integration_verify(s.g, 2.0, h);
    bool back = s.g->watched.verify.back;
    leave(&s);
    return back;
}

SG_TEST(steps_are_taken_again_a_hundred_thousand_times_and_down_to_1e_7_of_the_run)
{
    SG_CHECK(is_taken_again(1.0, 60000));
    SG_CHECK(!is_taken_again(1.0, 160000));
    SG_CHECK(is_taken_again(8.0 * 1.6e-4, 0)); // in eighths, of 1000 s
    SG_CHECK(!is_taken_again(8.0 * 0.6e-4, 0));
}

static void drifting(const double *p, double t, const double *x, double *dx)
{
    (void)t;
    (void)x;
    dx[0] = p[0];
}

// Is a step without motion taken for one of a model that moves, so many tolerances in its length?
static bool follows_roughly(double moves)
{
    one_function m = {.rates = drifting, .start = {1.0}};
    standing s;
    stand(&s, &m, "Tsit5");
    sg_integration *g = s.g;
    sg_advance step;
    g->options.h_initial = 1.0;
    SG_CHECK(sg_integration_change_solver(g, false) == SG_OK);
    sg_solver_bound_step(g->solver, 1.0);
    SG_CHECK(sg_solver_step(g->solver, 1000.0, &step) == SG_OK);
    g->watched.verify.n_back = UINT32_MAX;
    g->sizes.largest[0] = 0.1;
    SG_CHECK(sg_integration_follows_roughly(g, 1.5, 1.0)); // the cubic is made
    m.p[0] = moves * (TOLERANCE + ATOL);
    bool follows = sg_integration_follows_roughly(g, 1.5, 1.0);
    leave(&s);
    return follows;
}

SG_TEST(a_rough_look_asks_for_half_of_what_the_exact_one_does)
{
    SG_CHECK(follows_roughly(0.3e4));
    SG_CHECK(!follows_roughly(0.7e4));
}

// Decays to p[1] at the rate p[0].
static void decaying(const double *p, double t, const double *x, double *dx)
{
    (void)t;
    dx[0] = -p[0] * (x[0] - p[1]);
}

SG_TEST(what_decays_may_be_a_hundred_tolerances_from_where_derivatives_agree)
{
    double tolerance = TOLERANCE + ATOL, rate = 1e3;
    for (int k = 0; k < 2; k++) {
        double off = (k ? 160.0 : 60.0) * tolerance;
        one_function m = {.rates = decaying, .p = {rate, 1.0 + off}};
        SG_CHECK(verify_one(m, 1.0, rate * off, 1.0).told == (size_t)k);
    }
}

// The same up to the state p[1], and no slower from there on.
static void decaying_at_first(const double *p, double t, const double *x, double *dx)
{
    (void)t;
    dx[0] = p[2] - p[0] * (fmin(x[0], p[1]) - 1.0);
}

SG_TEST(what_decays_must_lose_half_of_the_difference_on_its_way)
{
    double off = 30.0 * (TOLERANCE + ATOL), rate = 1e3;
    for (int k = 0; k < 2; k++) {
        double loses = k ? 0.3 : 0.7;
        one_function m = {.rates = decaying_at_first, .p = {rate, 1.0 + loses * off, rate * off}};
        SG_CHECK(verify_one(m, 1.0, rate * off, 1.0).told == (size_t)k);
    }
}

SG_TEST(watches_look_at_two_hundred_and_fifty_points_of_a_run)
{
    one_function m = {.rates = resting};
    standing s;
    stand(&s, &m, "CVODE_BDF");
    double apart = sg_integration_next_look(s.g, 1.0, 1001.0, 0) - 1.0;
    SG_CHECK_MSG(apart > 0.6 * 4.0 && apart < 1.7 * 4.0, "%g", apart);
    leave(&s);
}

SG_TEST(what_decays_quickly_at_twenty_points_is_not_looked_at_any_more)
{
    double tolerance = TOLERANCE + ATOL, rate = 1e3, x = 1.0, d = rate * 60.0 * tolerance;
    one_function m = {.rates = decaying, .p = {rate, 1.0 + 60.0 * tolerance}};
    standing s;
    stand(&s, &m, "CVODE_BDF");
    int n = 0;
    while (sg_integration_is_verified(s.g) && n < 100) {
        SG_CHECK(verify(&s, &m, &x, &d, 1.0, 1.0).told == 0);
        n++;
    }
    SG_CHECK_MSG(n > 10 && n < 40, "%d", n);
    leave(&s);
}

static void all_rest(const double *p, double t, const double *x, double *dx)
{
    (void)p;
    (void)t;
    (void)x;
    memset(dx, 0, 5 * sizeof *dx);
}

// What is aside of a motion is rounding, and any push is more; beside the motion it is not.
SG_TEST(what_went_over_a_component_is_measured_by_its_vector)
{
    static const uint32_t vector[] = {1};
    static const double rounding = 1e-8, moves = 10.0;
    for (uint32_t k = 0; k < 5; k++) {
        one_function m = {.rates = all_rest, .n = 5};
        standing s;
        stand(&s, &m, "CVODE_BDF");
        sg_integration *g = s.g;
        double x[5] = {0.0}, d[5] = {0.0};
        verify(&s, &m, x, d, 1.0, rounding); // finds nothing
        g->sizes.largest[2] = moves;
        for (int in_vector = 0; in_vector < 2; in_vector++) {
            g->segment.vectors = in_vector ? vector : NULL;
            g->segment.n_vectors = (uint32_t)in_vector;
            g->watched.verify.told = false;
            memset(g->watched.verify.work, 0, 5 * sizeof(double));
            g->watched.verify.work[k] = 0.06;
            bool beside = k == 2 || (in_vector && k >= 1 && k <= 3);
            SG_CHECK(sg_integration_verify(g, 2.0, 1.0) == (beside ? SG_OK : SG_ERR_SOLVER));
            SG_CHECK(g->watched.verify.told == !beside);
        }
        leave(&s);
    }
}

// A body on a stiff spring that begins p[1] tolerances further on.
static void on_spring(const double *p, double t, const double *x, double *dx)
{
    (void)t;
    dx[0] = x[1];
    dx[1] = -p[0] * fmin(x[0] - p[1] * ATOL, 0.0);
}

// Moves a little less than a contact is deep: what is known of it may be less than a tolerance.
SG_TEST(what_swings_is_looked_at_a_hundredth_of_a_tolerance_away)
{
    static const struct {
        double deep; // in tolerances
        size_t told;
    } cases[] = {{0.02, 0}, {0.005, 1}};
    for (int k = 0; k < 2; k++) {
        one_function m = {.rates = on_spring, .p = {1e8, cases[k].deep}, .n = 2};
        standing s;
        stand(&s, &m, "CVODE_BDF");
        double x[2] = {0.0, 0.0}, d[2] = {0.0, 1e8 * 80.0 * ATOL};
        SG_CHECK(verify(&s, &m, x, d, 1e-3, 1e-3).told == cases[k].told);
        leave(&s);
    }
}

// --- poles ---------------------------------------------------------------------------------------

// |p[0] - t|^-p[1] beside p[2], finite within p[3].
static void pole_in_time(const double *p, double t, const double *x, double *dx)
{
    (void)x;
    dx[0] = p[2] + pow(fabs(p[0] - t) + p[3], -p[1]);
}

// The same where the state is p[0] tolerances on, toward which it leads from both sides.
static void pole_in_state(const double *p, double t, const double *x, double *dx)
{
    (void)t;
    double from = p[0] * ATOL - x[0];
    dx[0] = copysign(pow(fabs(from), -p[1]), from);
}

static void straight(const double *p, double t, const double *x, double *dx)
{
    (void)x;
    dx[0] = 1.0 + p[0] * (t - 1.0);
}

// Is a pole found behind a step of the length h? `evals`: by so many evaluations; may be null.
static bool finds(one_function m, double h, uint64_t *evals)
{
    standing s;
    stand(&s, &m, "Tsit5");
    s.g->watched.pole.h = 1.0;
    sg_watch_step step = {.from = 1.0 - h, .h = h, .left = 1.0};
    bool found = sg_integration_watch_poles(s.g, &step) == SG_ERR_SOLVER;
    if (evals)
        *evals = m.evals;
    leave(&s);
    return found;
}

static const double h = 1e-4; // of a step toward a pole, as time allows thousands of times less

static one_function in_time(double steps, double exponent)
{
    return (one_function){.rates = pole_in_time, .p = {1.0 + steps * h, exponent}};
}

SG_TEST(poles_are_looked_for_thirty_steps_ahead_and_ten_tolerances)
{
    SG_CHECK(finds(in_time(15.0, 1.0), h, NULL));
    SG_CHECK(!finds(in_time(45.0, 1.0), h, NULL));
    one_function m = {.rates = pole_in_state, .p = {6.0, 1.0}};
    SG_CHECK(finds(m, 1e-8, NULL));
    m.p[0] = 16.0;
    SG_CHECK(!finds(m, 1e-8, NULL));
}

SG_TEST(a_pole_ends_a_solution_that_has_no_integral_or_turns_back)
{
    SG_CHECK(finds(in_time(15.0, 0.97), h, NULL));
    SG_CHECK(!finds(in_time(15.0, 0.5), h, NULL));
    one_function m = {.rates = pole_in_state, .p = {6.0, 0.4}};
    SG_CHECK(finds(m, 1e-8, NULL));
    m.p[1] = 0.1;
    SG_CHECK(!finds(m, 1e-8, NULL));
}

// The search shrinks 30 steps 3e7 times.
SG_TEST(a_peak_is_told_from_a_pole_down_to_a_millionth_of_a_step)
{
    one_function m = in_time(15.0, 1.0);
    m.p[3] = 1e-5 * h;
    SG_CHECK(!finds(m, h, NULL));
    m.p[3] = 1e-9 * h;
    SG_CHECK(finds(m, h, NULL));
}

SG_TEST(the_exponent_of_a_pole_is_the_smallest_of_the_last_three_looks)
{
    // It stands out late, beside something else.
    one_function m = in_time(20.0, 1.0);
    m.p[2] = 2.0 / h;
    SG_CHECK(finds(m, h, NULL));
    // The last look hits the very point of what has an integral.
    double least = 1e-10;
    m = (one_function){.rates = pole_in_time, .p = {1.0 + 15.0 * least, 0.5, 0.0, 1e-30}};
    SG_CHECK(!finds(m, least, NULL));
}

SG_TEST(nothing_is_searched_where_derivatives_hardly_differ)
{
    uint64_t evals[2];
    one_function m = {.rates = straight, .p = {0.2 / (30.0 * h)}};
    SG_CHECK(!finds(m, h, &evals[0]));
    m.p[0] = 0.8 / (30.0 * h);
    SG_CHECK(!finds(m, h, &evals[1]));
    SG_CHECK_MSG(evals[1] > evals[0] + 6, "%d %d", (int)evals[0], (int)evals[1]);
}

// Does it look at a step, behind others that were so long and short?
static bool looks(const char *method, double longest, double least, double length, uint32_t steps,
                  uint32_t *next)
{
    one_function m = {.rates = resting};
    standing s;
    stand(&s, &m, method);
    sg_pole *p = &s.g->watched.pole;
    *p = (sg_pole){.h = longest, .least = least, .steps = steps, .next = *next, .work = p->work};
    sg_watch_step step = {.from = 1.0 - length, .h = length, .left = 1.0};
    SG_CHECK(sg_integration_watch_poles(s.g, &step) == SG_OK);
    *next = p->next;
    leave(&s);
    return m.evals > 0;
}

SG_TEST(poles_are_looked_for_where_steps_became_short)
{
    uint32_t none = 0, all = 1000;
    SG_CHECK(looks("Tsit5", 1.0, 1.0, 0.06, 0, &none));
    SG_CHECK(!looks("Tsit5", 1.0, 1.0, 0.16, 0, &none));
    SG_CHECK(looks("CVODE_BDF", 1.0, 1.0, 0.006, 0, &none));
    SG_CHECK(!looks("CVODE_BDF", 1.0, 1.0, 0.016, 0, &none));
    // Steps toward a pole are shorter than all before.
    SG_CHECK(!looks("Tsit5", 1.0, 1e-3, 0.9e-3, 10, &all));
    SG_CHECK(looks("Tsit5", 1.0, 1e-3, 0.5e-3, 10, &all));
}

SG_TEST(of_many_short_steps_a_part_is_looked_at)
{
    uint32_t next = 0;
    SG_CHECK(looks("Tsit5", 1.0, 1e-3, 0.9e-3, 6399, &next));
    SG_CHECK_MSG(next > 6400 + 50 && next < 6400 + 200, "%u", next);
    next = 0;
    SG_CHECK(looks("CVODE_BDF", 1.0, 1e-3, 0.9e-3, 799, &next));
    SG_CHECK_MSG(next > 800 + 50 && next < 800 + 200, "%u", next);
}

// --- conditions that nobody located ----------------------------------------------------------

static bool is_missed(double below)
{
    one_function m = {.rates = resting, .has_condition = true, .start = {1.0}};
    standing s;
    stand(&s, &m, "CVODE_BDF");
    s.g->env.bands[0].reach = 1.0;
    s.g->env.x[0] = -below;
    s.g->t = 2.0;
    s.g->restarted = 1.0;
    bool missed = sg_integration_check_missed(s.g) != SG_OK;
    leave(&s);
    return missed;
}

SG_TEST(a_condition_is_missed_from_a_hundred_millionth_of_its_argument_on)
{
    SG_CHECK(!is_missed(0.6e-8));
    SG_CHECK(is_missed(1.6e-8));
}

// --- constraints among the equations of the solver -------------------------------------------

static sg_status stay(void *user, sg_events *events, double t, double *x,
                      sg_constraint_outlook *out)
{
    (void)user;
    (void)events;
    (void)t;
    (void)x;
    *out = SG_CONSTRAINTS_STAY;
    return SG_OK;
}

// Steps after which IDA does without them, at most `most`; 0 if it does not. Each moves time by
// `each`.
static int gives_up_after(double each, int most)
{
    one_function m = {.rates = resting, .start = {1.0}};
    static const sg_sim_constraints constraints = {.most = 1, .look = stay};
    standing s;
    stand(&s, &m, "IDA");
    sg_integration *g = s.g;
    g->segment.constraints = g->memory.constrained.by = &constraints;
    int found = 0;
    for (int i = 1; i <= most && !found; i++) {
        SG_CHECK(sg_formulation_constrained.look(g) == SG_OK);
        g->t += each;
        found = g->memory.constrained.given_up ? i : 0;
    }
    leave(&s);
    return found;
}

SG_TEST(ida_does_without_constraints_after_five_hundred_steps_that_lead_nowhere)
{
    int n = gives_up_after(0.0, 2000);
    SG_CHECK_MSG(n > 300 && n < 800, "%d", n);
    // That is a millionth of a five hundredth of the run, 2 s.
    SG_CHECK(gives_up_after(1.2e-6 / n, n) == n);
    SG_CHECK(gives_up_after(3.2e-6 / n, n) == 0);
}
