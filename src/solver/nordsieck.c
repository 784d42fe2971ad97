#include "solver/nordsieck.h"

#include <cvode/cvode.h>

void sg_nordsieck_forget(sg_nordsieck *p)
{
    p->order = 0;
    p->steps = 0;
}

void sg_nordsieck_note(sg_nordsieck *p, void *memory, bool went)
{
    long steps = 0;
    p->order = 0;
    // A call that failed, or took no step, leaves an array that need not be that of a step.
    if (!went || CVodeGetNumSteps(memory, &steps) != CV_SUCCESS || steps == p->steps)
        return;
    p->steps = steps;
    if (CVodeGetCurrentTime(memory, &p->t) != CV_SUCCESS ||
        CVodeGetLastStep(memory, &p->h) != CV_SUCCESS ||
        CVodeGetLastOrder(memory, &p->order) != CV_SUCCESS)
        p->order = 0;
}

// CVODE's answer; which columns it has taken is seen on the way.
static int ask(sg_nordsieck *p, void *memory, double t, int derivative, N_Vector out)
{
    sg_vectors *home = ((sg_vector *)out->content)->home;
    bool look = p->order && derivative == 0 && p->columns.n <= p->order;
    if (look)
        home->seen = &p->columns;
    int flag = CVodeGetDky(memory, t, derivative, out);
    home->seen = NULL;
    if (look && (flag != CV_SUCCESS || p->columns.n != p->order + 1))
        p->columns.n = 0;
    return flag;
}

// Powers of s, the highest first, multiplied in CVODE's order.
static void value_factors(int order, double s, double *factors)
{
    double power = 1.0;
    for (int j = 0; j <= order; j++) {
        factors[order - j] = power;
        power *= s;
    }
}

static void slope_factors(int order, double s, double *factors)
{
    for (int j = order; j >= 1; j--) {
        double factor = (double)j;
        for (int i = 1; i < j; i++)
            factor *= s;
        factors[order - j] = factor;
    }
}

// The factors of the sum, and its columns; 0 where CVODE has to say what lies outside of a step,
// and allows for rounding there.
static int sum_at(const sg_nordsieck *p, double t, int derivative, double *factors,
                  N_Vector const **columns)
{
    double back = (t - p->t) / p->h;
    if (!p->order || p->columns.n <= p->order || !(back <= 0.0 && back >= -1.0))
        return 0;
    if (derivative)
        slope_factors(p->order, back, factors);
    else
        value_factors(p->order, back, factors);
    // More columns may be known than this order has: the last ones are those of low orders.
    *columns = p->columns.v + (p->columns.n - 1 - p->order);
    return p->order + 1 - derivative;
}

int sg_nordsieck_at(sg_nordsieck *p, void *memory, double t, int derivative, N_Vector out)
{
    double factors[SG_VECTORS_SEEN];
    N_Vector const *columns;
    int n = sum_at(p, t, derivative, factors, &columns);
    if (!n)
        return ask(p, memory, t, derivative, out);
    sg_vectors_combine(n, factors, p->columns.v + (columns - p->columns.v), out);
    if (derivative)
        N_VScale(1.0 / p->h, out, out);
    return CV_SUCCESS;
}

bool sg_nordsieck_some(const sg_nordsieck *p, double t, int derivative, int32_t first, int32_t n,
                       double *out)
{
    double factors[SG_VECTORS_SEEN];
    N_Vector const *columns;
    int count = sum_at(p, t, derivative, factors, &columns);
    for (int k = 0; k < count; k++) {
        const double *column = sg_vector_data(columns[k]) + first;
        for (int32_t i = 0; i < n; i++)
            out[i] = k == 0 ? factors[0] * column[i] : out[i] + factors[k] * column[i];
    }
    double scale = 1.0 / p->h;
    for (int32_t i = 0; derivative && count && i < n; i++)
        out[i] *= scale;
    return count > 0;
}
