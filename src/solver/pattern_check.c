// A debug mode: does anything depend on a state that the pattern leaves out?
//
// A pattern that lacks an entry costs no digit that anybody sees, only steps: Newton's method goes
// on with a matrix that is not the one of the model, and columns that were thought to share no row
// are perturbed together. So the pattern is tried: every column by itself, all rows looked at.
#include "solver/jacobian.h"

#include <float.h>
#include <math.h>

// Newton's method notices what an entry leaves out from this part of a correction on.
static const double felt = 1e-3;
// Rounding of a rate, in units in its last place: long sums, and quotients of them.
static const double roundings = 1e4;

static double weight(const sg_jacobian_scale *scale, const double *x, int32_t i)
{
    return scale->rtol * fabs(x[i]) + (scale->atol_each ? scale->atol_each[i] : scale->atol);
}

static bool has_row(const sg_jacobian *jac, int32_t j, int32_t row)
{
    for (int32_t p = jac->start[j]; p < jac->start[j + 1]; p++)
        if (jac->rows[p] == row)
            return true;
    return false;
}

typedef struct trial {
    sg_jacobian_function function;
    void *user;
    double t, *x, *dx, cj;
} trial;

// f at x with so much added to state j, or with what that becomes by rounding, which is left there.
static int move(const trial *e, int32_t j, double *step, double *f)
{
    double before = e->x[j], rate = e->dx ? e->dx[j] : 0.0;
    e->x[j] += *step;
    *step = e->x[j] - before;
    if (e->dx)
        e->dx[j] += e->cj * *step;
    int flag = e->function(e->user, e->t, e->x, e->dx, f);
    e->x[j] = before;
    if (e->dx)
        e->dx[j] = rate;
    return flag;
}

// Rounding may be large where large forces cancel. What is true grows with the increment, again and
// again; rounding does not.
static bool grows(const sg_jacobian *jac, const trial *e, int32_t j, int32_t i, double f0,
                  double moved)
{
    double step = jac->increment[j];
    for (int k = 0; k < 3; k++) {
        step *= 16.0;
        double tried = step, before = moved;
        if (move(e, j, &tried, jac->f1) != 0)
            return false;
        moved = fabs(jac->f1[i] - f0);
        if (!(moved > 8.0 * before && moved < 32.0 * before))
            return false;
    }
    return true;
}

int sg_jacobian_check(sg_jacobian *jac, sg_jacobian_function function, void *user, double t,
                      double *x, double *dx, double cj, const double *f0,
                      const sg_jacobian_scale *scale, sg_jacobian_missed *out)
{
    trial e = {function, user, t, x, dx, cj};
    for (int32_t j = 0; j < jac->n; j++) {
        double step = jac->increment[j], worst = 0.0, moved = 0.0;
        int32_t row = -1;
        int flag = jac->quadrature && jac->quadrature[j] ? 1 : move(&e, j, &step, jac->f1);
        if (flag < 0)
            return flag;
        for (int32_t i = 0; flag == 0 && i < jac->n; i++) {
            double by = fabs(jac->f1[i] - f0[i]), size = fmax(fabs(f0[i]), fabs(jac->f1[i]));
            // Rates of states that nothing depends on are left out on purpose.
            if (!(by > roundings * DBL_EPSILON * size) || (jac->quadrature && jac->quadrature[i]) ||
                has_row(jac, j, i))
                continue;
            double share =
                fabs(scale->h) * (by / fabs(step)) * weight(scale, x, j) / weight(scale, x, i);
            if (share > felt && share > worst) {
                worst = share;
                row = i;
                moved = by;
            }
        }
        if (row >= 0 && worst > out->share && grows(jac, &e, j, row, f0[row], moved))
            *out = (sg_jacobian_missed){row, j, worst};
    }
    return 0;
}
