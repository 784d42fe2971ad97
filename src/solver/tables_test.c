// Runge-Kutta coefficients against the conditions of order, one for each rooted tree (Hairer,
// Norsett and Wanner, Solving Ordinary Differential Equations I, II.2), and every solver name on
// problems whose solution is known.
#include "solver/tables.h"

#include "harness/sg_test.h"
#include "solver/solver.h"

#include <string.h>

#define MAX_ORDER 8
#define MAX_TREES 200 // up to order 8
#define STAGES 16

// A tree is a root with other trees on it, ascending, from earlier in the list.
typedef struct trees {
    int n, order[MAX_TREES], n_children[MAX_TREES], child[MAX_TREES][MAX_ORDER];
    double density[MAX_TREES];
} trees;

static void add_tree(trees *t, int order, const int *child, int n)
{
    SG_REQUIRE(t->n < MAX_TREES);
    t->order[t->n] = order;
    t->n_children[t->n] = n;
    t->density[t->n] = order;
    for (int k = 0; k < n; k++) {
        t->child[t->n][k] = child[k];
        t->density[t->n] *= t->density[child[k]];
    }
    t->n++;
}

// All ways to put `left` more nodes on a root, in trees up to number `most`.
static void grow(trees *t, int order, int left, int most, int *child, int n)
{
    if (left == 0) {
        add_tree(t, order, child, n);
        return;
    }
    for (int k = most; k >= 0; k--)
        if (t->order[k] <= left) {
            child[n] = k;
            grow(t, order, left - t->order[k], k, child, n + 1);
        }
}

static void make_trees(trees *t)
{
    int child[MAX_ORDER] = {0};
    memset(t, 0, sizeof *t);
    add_tree(t, 1, child, 0);
    for (int order = 2; order <= MAX_ORDER; order++)
        grow(t, order, order - 1, t->n - 1, child, 0);
}

// The largest order up to which all conditions hold. Implicit tables have coefficients in the
// digits of their papers, so a condition holds to ten digits.
static int order_of(const trees *t, ARKodeButcherTable table, const double *b)
{
    static double phi[MAX_TREES][STAGES];
    for (int i = 0; i < t->n; i++) {
        double weight = 0.0;
        for (int s = 0; s < table->stages; s++) {
            phi[i][s] = 1.0;
            for (int k = 0; k < t->n_children[i]; k++) {
                double inner = 0.0;
                for (int j = 0; j < table->stages; j++)
                    inner += table->A[s][j] * phi[t->child[i][k]][j];
                phi[i][s] *= inner;
            }
            weight += b[s] * phi[i][s];
        }
        if (!(fabs(weight - 1.0 / t->density[i]) < 1e-10))
            return t->order[i] - 1;
    }
    return MAX_ORDER;
}

// What the error estimate of a step of size 1 makes of y' = t^k.
static double estimate_of_power(ARKodeButcherTable table, int k)
{
    double sum = 0.0;
    for (int s = 0; s < table->stages; s++)
        sum += (table->b[s] - table->d[s]) * pow(table->c[s], k);
    return fabs(sum);
}

SG_TEST(tables_meet_all_conditions_of_their_order)
{
    trees t;
    make_trees(&t);
    SG_CHECK(t.n == MAX_TREES);
    for (int table = SG_TABLE_NONE + 1; table <= SG_TABLE_ESDIRK5; table++) {
        ARKodeButcherTable coefficients = sg_table_load((sg_table)table);
        SG_REQUIRE(coefficients && coefficients->stages <= STAGES);
        int q = order_of(&t, coefficients, coefficients->b);
        SG_CHECK_MSG(q == coefficients->q, "table %d: order %d, not %d", table, q, coefficients->q);
        for (int s = 0; s < coefficients->stages; s++) {
            double sum = -coefficients->c[s];
            for (int j = 0; j < coefficients->stages; j++)
                sum += coefficients->A[s][j];
            SG_CHECK_MSG(fabs(sum) < 1e-10, "table %d: row %d is off by %g", table, s, sum);
        }
        if (coefficients->d) {
            int p = order_of(&t, coefficients, coefficients->d);
            SG_CHECK_MSG(p == coefficients->p, "table %d: estimate of order %d, not %d", table, p,
                         coefficients->p);
        }
        ARKodeButcherTable_Free(coefficients);
    }
}

SG_TEST(error_estimates_see_right_hand_sides_of_time_alone)
{
    for (int table = SG_TABLE_NONE + 1; table <= SG_TABLE_ESDIRK5; table++) {
        ARKodeButcherTable coefficients = sg_table_load((sg_table)table);
        SG_REQUIRE(coefficients);
        int lower = coefficients->p < coefficients->q ? coefficients->p : coefficients->q;
        if (coefficients->d)
            SG_CHECK_MSG(estimate_of_power(coefficients, lower) > 1e-7,
                         "table %d: %g of t^%d is seen", table,
                         estimate_of_power(coefficients, lower), lower);
        ARKodeButcherTable_Free(coefficients);
    }
}

// ---- every name -------------------------------------------------------------------------------

static sg_status cosine(void *user, double t, const double *x, double *dx)
{
    (void)user;
    (void)x;
    dx[0] = cos(20.0 * t);
    return SG_OK;
}

// Lotka and Volterra's foxes and hares: nonlinear and periodic, with an invariant.
static sg_status foxes(void *user, double t, const double *x, double *dx)
{
    (void)user;
    (void)t;
    dx[0] = x[0] * (1.0 - x[1]);
    dx[1] = x[1] * (x[0] - 1.0);
    return SG_OK;
}

static double foxes_invariant(const double *x) { return x[0] - log(x[0]) + x[1] - log(x[1]); }

typedef struct trial {
    bool ok;
    double x[2]; // at the end
    uint64_t n_steps;
} trial;

static trial integrate(const sg_algorithm *method, double tolerance, double t_end,
                       sg_status (*rhs)(void *, double, const double *, double *), int32_t n,
                       const double *x0)
{
    trial result = {0};
    sg_problem problem = {.n = n, .rhs = rhs};
    sg_solver_options options = sg_solver_options_default();
    options.method = method;
    options.rtol = tolerance;
    options.atol = 0.1 * tolerance;
    sg_solver *solver = NULL;
    SG_CHECK(sg_solver_create(NULL, &problem, &options, &solver, NULL) == SG_OK);
    if (!solver)
        return result;
    sg_advance step = {.kind = SG_STEP_INNER};
    sg_status status = sg_solver_reinit(solver, 0.0, x0);
    while (!status && step.kind != SG_STEP_STOP && result.n_steps < 2000000) {
        status = sg_solver_step(solver, t_end, &step);
        result.n_steps++;
    }
    result.ok = !status && step.kind == SG_STEP_STOP;
    SG_CHECK_MSG(result.ok, "%s: %s after %llu steps", method->name, sg_solver_message(solver),
                 (unsigned long long)result.n_steps);
    if (result.ok)
        memcpy(result.x, step.x, (size_t)n * sizeof(double));
    sg_solver_destroy(solver);
    return result;
}

static int order_of_method(const sg_algorithm *m)
{
    ARKodeButcherTable table = sg_algorithm_is_one_step(m) ? sg_table_load(m->adaptive) : NULL;
    int order = table ? table->q : m->max_order > 0 ? m->max_order : 5;
    if (table)
        ARKodeButcherTable_Free(table);
    return order;
}

// A tolerance that the method can afford: steps grow with its order.
static double affordable(const sg_algorithm *m)
{
    int order = order_of_method(m);
    return order <= 1 ? 1e-5 : order <= 2 ? 1e-6 : 1e-8;
}

// The local error is kept below the tolerance; those of order 1 take 1/sqrt(tolerance) steps.
static double allowed(const sg_algorithm *m, double tolerance)
{
    return order_of_method(m) <= 1 ? 10.0 * sqrt(tolerance) : 300.0 * tolerance;
}

SG_TEST(every_solver_name_integrates_a_pure_quadrature)
{
    size_t n;
    const sg_algorithm *all = sg_algorithm_list(&n);
    for (size_t i = 0; i < n; i++) {
        double tolerance = affordable(&all[i]), x0 = 0.0;
        trial coarse = integrate(&all[i], 100.0 * tolerance, 10.0, cosine, 1, &x0);
        trial fine = integrate(&all[i], tolerance, 10.0, cosine, 1, &x0);
        double exact = sin(200.0) / 20.0;
        double error = fabs(fine.x[0] - exact), before = fabs(coarse.x[0] - exact);
        SG_CHECK_MSG(error < allowed(&all[i], tolerance), "%s: off by %.2g at %g", all[i].name,
                     error, tolerance);
        SG_CHECK_MSG(before < allowed(&all[i], 100.0 * tolerance), "%s: off by %.2g at %g",
                     all[i].name, before, 100.0 * tolerance);
    }
}

SG_TEST(every_solver_name_follows_a_nonlinear_orbit)
{
    size_t n;
    const sg_algorithm *all = sg_algorithm_list(&n);
    for (size_t i = 0; i < n; i++) {
        double tolerance = affordable(&all[i]), x0[2] = {2.0, 0.5};
        trial end = integrate(&all[i], tolerance, 15.0, foxes, 2, x0);
        double drift = fabs(foxes_invariant(end.x) - foxes_invariant(x0));
        SG_CHECK_MSG(drift < allowed(&all[i], tolerance), "%s: invariant off by %.2g at %g",
                     all[i].name, drift, tolerance);
    }
}
