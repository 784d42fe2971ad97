// Implicit methods on E dx = g: a hub with many arms, whose mass matrix is an arrow and whose
// accelerations all depend on everything.
#include "harness/sg_test.h"
#include "solver/solver.h"
#include "solver/steps_test.h"

#include <string.h>

// x: angles of hub and arms, then their rates. (A + sum b_i) v0' + sum b_i v_i' = -k q0,
// b_i (v0' + v_i') = g_i with b_i = 1 + 0.2 sin(q_i), g_i = -k_i q_i - 0.3 v_i - sin(q_0 + q_i).
#define ARMS 30
#define JOINTS (ARMS + 1)
#define STATES (2 * JOINTS)

typedef struct hub {
    bool held, full;  // the pattern of the tree has all entries, as that of a chain
    double a[JOINTS]; // while held
    int n_holds;
    int32_t held_start[STATES + 1], held_rows[3 * STATES];
    int32_t tree_start[STATES + 1], tree_rows[STATES * JOINTS];
    sg_sparsity held_pattern, tree;
    sg_descriptor descriptor;
    double q[STATES]; // of the last evaluation
} hub;

static double inertia(double q) { return 1.0 + 0.2 * sin(q); }

static sg_status hub_rhs(void *user, double t, const double *x, double *dx)
{
    hub *h = user;
    const double *q = x, *v = x + JOINTS;
    double sum = 2.0, force = -3.0 * q[0];
    (void)t;
    memcpy(h->q, x, sizeof h->q);
    memcpy(dx, v, JOINTS * sizeof *dx);
    for (int i = 1; i < JOINTS; i++)
        dx[JOINTS + i] = -(2.0 + i) * q[i] - 0.3 * v[i];
    dx[JOINTS] = force;
    if (h->held) // springs and dampers, the rest is known to the hold
        return SG_OK;
    for (int i = 1; i < JOINTS; i++) {
        double g = dx[JOINTS + i] - sin(q[0] + q[i]);
        dx[JOINTS + i] = g / inertia(q[i]);
        force -= g;
    }
    dx[JOINTS] = force / sum;
    for (int i = 1; i < JOINTS; i++)
        dx[JOINTS + i] -= dx[JOINTS];
    return SG_OK;
}

// Columns of q_j and v_j on `tree`: the hub has all rows, an arm its own and that of the hub.
static sg_status hub_hold(void *user, const double *dx, double *e, double *t)
{
    hub *h = user;
    const double *a = dx + JOINTS;
    h->held = true;
    h->n_holds++;
    memset(e, 0, (size_t)h->tree_start[STATES] * sizeof *e);
    memset(t, 0, (size_t)h->tree_start[STATES] * sizeof *t);
    double *tq = t + h->tree_start[0], *ev = e + h->tree_start[JOINTS];
    for (int i = 1; i < JOINTS; i++) {
        double b = inertia(h->q[i]), slope = 0.2 * cos(h->q[i]), c = cos(h->q[0] + h->q[i]);
        tq[i] = -c;
        ev[0] += b;
        ev[i] = b;
        double *tqi = t + h->tree_start[i], *evi = e + h->tree_start[JOINTS + i];
        tqi[0] = -slope * (a[0] + a[i]);
        int own = h->full ? i : 1;
        tqi[own] = -slope * (a[0] + a[i]) - c;
        evi[0] = b;
        evi[own] = b - 1.0;
    }
    ev[0] += 2.0 - 1.0;
    return SG_OK;
}

static void hub_release(void *user) { ((hub *)user)->held = false; }

static void make_hub(hub *h, bool full)
{
    int32_t at = 0, k = 0;
    memset(h, 0, sizeof *h);
    h->full = full;
    for (int32_t j = 0; j < STATES; j++) {
        int32_t joint = j % JOINTS;
        h->held_start[j] = k;
        if (j >= JOINTS)
            h->held_rows[k++] = joint;
        h->held_rows[k++] = JOINTS + joint;
        h->tree_start[j] = at;
        h->tree_rows[at++] = JOINTS;
        for (int32_t i = 1; i < JOINTS; i++)
            if (joint == 0 || joint == i || full)
                h->tree_rows[at++] = JOINTS + i;
    }
    h->held_start[STATES] = k;
    h->tree_start[STATES] = at;
    h->held_pattern = (sg_sparsity){STATES, h->held_start, h->held_rows};
    h->tree = (sg_sparsity){STATES, h->tree_start, h->tree_rows};
    h->descriptor = (sg_descriptor){h, &h->held_pattern, &h->tree, hub_hold, hub_release};
}

static sg_solver_stats run_hub(const char *method, bool described, bool full, double *x)
{
    static hub h;
    make_hub(&h, full);
    sg_problem problem = {
        .n = STATES, .user = &h, .rhs = hub_rhs, .descriptor = described ? &h.descriptor : NULL};
    for (int i = 0; i < STATES; i++)
        x[i] = i < JOINTS ? 0.02 * i : 0.0;
    sg_solver *solver = start_steps(&problem, method, 1e-8, x);
    memcpy(x, steps_to(solver, 2.0), STATES * sizeof *x);
    SG_CHECK(!h.held);
    sg_solver_stats stats = sg_solver_statistics(solver);
    SG_CHECK(h.n_holds == (described ? (int)stats.n_jacobians : 0));
    sg_solver_destroy(solver);
    return stats;
}

static void compare_forms(bool full)
{
    static const char *const methods[] = {"CVODE_BDF", "KenCarp4", "IDA"};
    for (int i = 0; i < 3; i++) {
        double described[STATES], whole[STATES];
        sg_solver_stats a = run_hub(methods[i], true, full, described);
        sg_solver_stats b = run_hub(methods[i], false, false, whole);
        for (int k = 0; k < STATES; k++)
            SG_NEAR(described[k], whole[k], 1e-6, 1.0);
        // Two colors and two more for the point itself, instead of one for each state; and now and
        // then a second look.
        SG_CHECK(a.n_rhs_jacobian >= 4 * a.n_jacobians && a.n_rhs_jacobian < 5 * a.n_jacobians);
        SG_CHECK(b.n_rhs_jacobian >= STATES * b.n_jacobians);
        // The same Jacobian: the same steps, but for rounding.
        SG_CHECK_MSG(10 * a.n_steps < 11 * b.n_steps, "%d and %d steps", (int)a.n_steps,
                     (int)b.n_steps);
        SG_CHECK(a.n_factored == (full ? JOINTS : STATES));
    }
}

SG_TEST(a_sparse_descriptor_form_gives_the_steps_of_the_full_jacobian_for_a_few_evaluations)
{
    compare_forms(false);
}

SG_TEST(a_full_descriptor_form_does_so_by_half_of_its_unknowns) { compare_forms(true); }
