#include "solver/stiffness.h"

#include <math.h>

#define FIRST_LOOK 1000 // steps
#define EVERY 25        // steps
#define ENOUGH 15       // looks in favor
#define AGAINST 1       // what a look against is worth
// Steps that stability bounds come this close to its boundary.
#define CLOSE 0.5

// |R(z)| of the method for x' = lambda x, z = h lambda.
static double growth(ARKodeButcherTable table, double z)
{
    double k[32], end = 1.0;
    for (int i = 0; i < table->stages && i < 32; i++) {
        k[i] = 1.0;
        for (int j = 0; j < i; j++)
            k[i] += z * table->A[i][j] * k[j];
        end += z * table->b[i] * k[i];
    }
    return fabs(end);
}

sg_status sg_stiffness_init(sg_stiffness *stiffness, sg_solver *s, ARKodeButcherTable table)
{
    size_t n = (size_t)s->problem.n;
    *stiffness = (sg_stiffness){.slope = SG_NEW_ARRAY(&s->arena, double, n),
                                .x = SG_NEW_ARRAY(&s->arena, double, n),
                                .f = SG_NEW_ARRAY(&s->arena, double, n),
                                .direction = SG_NEW_ARRAY(&s->arena, double, n)};
    while (stiffness->boundary < 20.0 && growth(table, -stiffness->boundary - 0.05) <= 1.0)
        stiffness->boundary += 0.05;
    return s->arena.failed ? SG_ERR_MEMORY : SG_OK;
}

bool sg_stiffness_due(sg_stiffness *stiffness)
{
    stiffness->n_steps++;
    return stiffness->n_steps >= FIRST_LOOK && stiffness->n_steps % EVERY == 0;
}

static double tolerance_of(const sg_solver *s, int32_t i)
{
    double atol = s->problem.atol ? s->problem.atol[i] : s->options.atol;
    return s->options.rtol * fabs(s->x[i]) + atol;
}

// Makes a direction as long as the tolerances are. False if it has no length.
static bool normalize(const sg_solver *s, const double *from, double *to)
{
    double most = 0.0;
    for (int32_t i = 0; i < s->problem.n; i++)
        most = fmax(most, fabs(from[i]) / tolerance_of(s, i));
    for (int32_t i = 0; i < s->problem.n; i++)
        to[i] = from[i] / most;
    return most > 0.0 && isfinite(most);
}

// The change of the slope along the direction, in stiffness->f. False when there is no model.
static bool slope_along(sg_stiffness *stiffness, sg_solver *s)
{
    for (int32_t i = 0; i < s->problem.n; i++)
        stiffness->x[i] = s->x[i] + stiffness->direction[i];
    if (sg_solver_call_rhs(s, s->t, stiffness->x, stiffness->f) != 0)
        return false;
    for (int32_t i = 0; i < s->problem.n; i++)
        stiffness->f[i] -= stiffness->slope[i];
    return true;
}

void sg_stiffness_look(sg_stiffness *stiffness, sg_solver *s, double h, const double *error)
{
    double lambda = 0.0;
    // One round of the power method, then the quotient of Rayleigh.
    if (normalize(s, error, stiffness->direction) && slope_along(stiffness, s) &&
        normalize(s, stiffness->f, stiffness->direction) && slope_along(stiffness, s)) {
        double up = 0.0, down = 0.0;
        for (int32_t i = 0; i < s->problem.n; i++) {
            double w = tolerance_of(s, i), d = stiffness->direction[i] / w;
            up += d * stiffness->f[i] / w;
            down += d * d;
        }
        lambda = up / down;
    }
    bool bound = -h * lambda > CLOSE * stiffness->boundary;
    stiffness->seen += bound ? 1 : -AGAINST;
    stiffness->seen = stiffness->seen < 0 ? 0 : stiffness->seen;
    if (stiffness->seen >= ENOUGH)
        s->pace.stiff = lambda;
}
