// ARKODE: explicit and diagonally implicit Runge-Kutta methods. They restart at full order after an
// event, with the step size they had.
//
// The continuous solution of explicit methods is our own, since ARKODE evaluates its own anew, with
// right-hand sides, at every point it is asked for: a polynomial made once for each step that
// somebody looks into. Values and slopes at both ends give the cubic; for methods of order 4 and
// more the slope at its middle raises the degree by one, and from order 6 on two more slopes, taken
// from the quartic, give the quintic (Enright et al., ACM TOMS 12 (1986) 193-218). Implicit methods
// use ARKODE's Lagrange polynomial through past values: slopes of a stiff problem are noise.
#include "solver/engine.h"
#include "solver/tables.h"

#include <arkode/arkode_arkstep.h>
#include <math.h>
#include <string.h>

#define MAX_DEGREE 5

typedef struct ark_extra {
    int order;
    bool explicit_method;
    double t0;                 // start of the last step
    double *x0, *f0;           // there
    double *f1;                // slope at its end
    int degree;                // of the polynomial that is ready, 0 is none
    double *p[MAX_DEGREE + 1]; // coefficients in theta = (t - t0)/h
    double *f, *x;             // work space
    bool first;                // no step was taken since creation
} ark_extra;

static int rhs(sunrealtype t, N_Vector y, N_Vector ydot, void *user)
{
    return sg_solver_call_rhs(user, t, N_VGetArrayPointer(y), N_VGetArrayPointer(ydot));
}

static bool allocate(sg_solver *s, ark_extra *e)
{
    int32_t n = s->problem.n;
    e->x0 = SG_NEW_ARRAY(&s->arena, double, n);
    e->f0 = SG_NEW_ARRAY(&s->arena, double, n);
    e->f1 = SG_NEW_ARRAY(&s->arena, double, n);
    e->f = SG_NEW_ARRAY(&s->arena, double, n);
    e->x = SG_NEW_ARRAY(&s->arena, double, n);
    for (int k = 0; k <= MAX_DEGREE; k++)
        e->p[k] = SG_NEW_ARRAY(&s->arena, double, n);
    return !s->arena.failed;
}

static int set_table(sg_solver *s, ark_extra *e)
{
    const sg_method *m = s->options.method;
    ARKodeButcherTable table = sg_table_load(s->options.h_fixed > 0.0 ? m->fixed : m->adaptive);
    if (!table)
        return ARK_MEM_FAIL;
    e->order = table->q;
    int flag = ARKStepSetTables(s->memory, table->q, table->p, e->explicit_method ? NULL : table,
                                e->explicit_method ? table : NULL);
    ARKodeButcherTable_Free(table);
    return flag;
}

static int set_options(sg_solver *s, const ark_extra *e)
{
    const sg_solver_options *o = &s->options;
    void *mem = s->memory;
    int flag = ARKStepSetUserData(mem, s);
    if (flag == ARK_SUCCESS)
        flag = ARKStepSetInterpolantType(mem, e->explicit_method ? ARK_INTERP_HERMITE
                                                                 : ARK_INTERP_LAGRANGE);
    if (flag == ARK_SUCCESS && e->explicit_method)
        flag = ARKStepSetInterpolantDegree(mem, 3);
    if (flag == ARK_SUCCESS)
        flag = s->vatol ? ARKStepSVtolerances(mem, o->rtol, s->vatol)
                        : ARKStepSStolerances(mem, o->rtol, o->atol);
    if (flag == ARK_SUCCESS && o->h_max > 0.0)
        flag = ARKStepSetMaxStep(mem, o->h_max);
    if (flag == ARK_SUCCESS && o->h_min > 0.0)
        flag = ARKStepSetMinStep(mem, o->h_min);
    if (flag == ARK_SUCCESS)
        flag = ARKStepSetMaxHnilWarns(mem, -1);
    return flag;
}

static sg_status set_newton(sg_solver *s)
{
    sg_status status = sg_linear_create(s);
    if (status)
        return status;
    int flag = ARKStepSetLinearSolver(s->memory, s->linear, s->matrix);
    if (flag == ARK_SUCCESS)
        flag = ARKStepSetJacFn(s->memory, sg_linear_jacobian);
    if (flag == ARK_SUCCESS)
        flag = ARKStepSetDeduceImplicitRhs(s->memory, 1);
    // ARKODE keeps a factored matrix for 20 steps and then accepts the first Newton iterate
    // although the step has changed: errors of 1e-3 at a tolerance of 1e-8. One factorization a
    // step cures it.
    if (flag == ARK_SUCCESS)
        flag = ARKStepSetLSetupFrequency(s->memory, 1);
    if (flag == ARK_SUCCESS)
        flag = ARKStepSetNonlinConvCoef(s->memory, 0.01);
    return sg_flag_status(s, SG_ARKODE, flag);
}

static sg_status create(sg_solver *s)
{
    ark_extra *e = SG_NEW(&s->arena, ark_extra);
    if (!e || !allocate(s, e))
        return sg_solver_fail(s, SG_ERR_MEMORY, "out of memory");
    s->extra = e;
    e->first = true;
    e->explicit_method = s->options.method->family == SG_FAMILY_ERK;
    s->memory = ARKStepCreate(e->explicit_method ? rhs : NULL, e->explicit_method ? NULL : rhs, 0.0,
                              s->vx, s->context);
    if (!s->memory)
        return sg_solver_fail(s, SG_ERR_MEMORY, "out of memory");
    ARKStepSetErrHandlerFn(s->memory, sg_flag_silence, NULL);
    int flag = set_table(s, e);
    if (flag == ARK_SUCCESS)
        flag = set_options(s, e);
    sg_status status = sg_flag_status(s, SG_ARKODE, flag);
    return status || e->explicit_method ? status : set_newton(s);
}

static sg_status reinit(sg_solver *s)
{
    ark_extra *e = s->extra;
    e->degree = 0;
    int flag = ARKStepReset(s->memory, s->t, s->vx);
    if (flag == ARK_SUCCESS && e->first && s->options.h_fixed <= 0.0)
        flag = ARKStepSetInitStep(s->memory, s->options.h_initial);
    if (flag == ARK_SUCCESS && e->explicit_method && sg_solver_call_rhs(s, s->t, s->x, e->f1) != 0)
        flag = ARK_FIRST_RHSFUNC_ERR;
    return sg_flag_status(s, SG_ARKODE, flag);
}

// A step of fixed size that would end a hair before t_stop ends there.
static double fixed_step(const sg_solver *s, double t_stop)
{
    double h = s->options.h_fixed, left = t_stop - s->t;
    return left < h * (1.0 + 1e-8) ? left : h;
}

static sg_status step(sg_solver *s, double t_stop)
{
    ark_extra *e = s->extra;
    size_t bytes = (size_t)s->problem.n * sizeof(double);
    e->t0 = s->t;
    e->degree = 0;
    if (e->explicit_method) {
        memcpy(e->x0, s->x, bytes);
        memcpy(e->f0, e->f1, bytes);
    }
    int flag = ARK_SUCCESS;
    if (s->options.h_fixed > 0.0)
        flag = ARKStepSetFixedStep(s->memory, fixed_step(s, t_stop));
    if (flag == ARK_SUCCESS)
        flag = ARKStepSetStopTime(s->memory, t_stop);
    if (flag == ARK_SUCCESS)
        flag = ARKStepEvolve(s->memory, t_stop, s->vx, &s->t, ARK_ONE_STEP);
    if (flag >= 0 && e->explicit_method) { // ARKODE knows the slope at the end already
        N_VSetArrayPointer(e->f1, s->vout);
        int slope = ARKStepGetDky(s->memory, s->t, 1, s->vout);
        flag = slope < 0 ? slope : flag;
    }
    e->first = false;
    return sg_flag_status(s, SG_ARKODE, flag);
}

static void evaluate(const ark_extra *e, int32_t n, double theta, double *x)
{
    memcpy(x, e->p[e->degree], (size_t)n * sizeof(double));
    for (int k = e->degree - 1; k >= 0; k--)
        for (int32_t i = 0; i < n; i++)
            x[i] = x[i] * theta + e->p[k][i];
}

static void slope(const ark_extra *e, int32_t n, double h, double theta, double *dx)
{
    for (int32_t i = 0; i < n; i++)
        dx[i] = e->degree * e->p[e->degree][i];
    for (int k = e->degree - 1; k >= 1; k--)
        for (int32_t i = 0; i < n; i++)
            dx[i] = dx[i] * theta + k * e->p[k][i];
    for (int32_t i = 0; i < n; i++)
        dx[i] /= h;
}

static void make_cubic(const sg_solver *s, ark_extra *e, double h)
{
    for (int32_t i = 0; i < s->problem.n; i++) {
        double rise = s->x[i] - e->x0[i], left = h * e->f0[i], right = h * e->f1[i];
        e->p[0][i] = e->x0[i];
        e->p[1][i] = left;
        e->p[2][i] = 3.0 * rise - 2.0 * left - right;
        e->p[3][i] = left + right - 2.0 * rise;
    }
    e->degree = 3;
}

// The slope of the model at theta in e->f, and of the polynomial there in e->x; both in dx/dt.
static bool compare_slopes(sg_solver *s, ark_extra *e, double h, double theta)
{
    evaluate(e, s->problem.n, theta, e->x);
    if (sg_solver_call_rhs(s, e->t0 + theta * h, e->x, e->f) != 0)
        return false;
    slope(e, s->problem.n, h, theta, e->x);
    return true;
}

// The correction w = theta^2 (1 - theta)^2 leaves values and slopes at the ends alone; its slope is
// 4/27 at theta = 1/3 and zero in the middle, which is why the slope is compared at a third.
static bool make_quartic(sg_solver *s, ark_extra *e, double h)
{
    if (!compare_slopes(s, e, h, 1.0 / 3.0))
        return false;
    for (int32_t i = 0; i < s->problem.n; i++) {
        double c = 27.0 / 4.0 * h * (e->f[i] - e->x[i]);
        e->p[2][i] += c;
        e->p[3][i] -= 2.0 * c;
        e->p[4][i] = c;
    }
    e->degree = 4;
    return true;
}

// Adds w (a + b theta), with a and b such that the slopes at both thirds are those of the model.
static bool make_quintic(sg_solver *s, ark_extra *e, double h)
{
    double *first = e->p[5];
    int32_t n = s->problem.n;
    if (!compare_slopes(s, e, h, 1.0 / 3.0))
        return false;
    for (int32_t i = 0; i < n; i++)
        first[i] = h * (e->f[i] - e->x[i]);
    if (!compare_slopes(s, e, h, 2.0 / 3.0))
        return false;
    for (int32_t i = 0; i < n; i++) {
        double second = h * (e->f[i] - e->x[i]);
        double a = -27.0 / 4.0 * (first[i] + 2.0 * second);
        double b = 81.0 / 4.0 * (first[i] + second);
        e->p[2][i] += a;
        e->p[3][i] += b - 2.0 * a;
        e->p[4][i] += a - 2.0 * b;
        e->p[5][i] = b;
    }
    e->degree = 5;
    return true;
}

// A model that cannot be evaluated inside of a step leaves the lower degree in place.
static void make_polynomial(sg_solver *s, ark_extra *e, double h)
{
    make_cubic(s, e, h);
    if (e->order >= 4 && make_quartic(s, e, h) && e->order >= 6)
        make_quintic(s, e, h);
}

static sg_status interpolate(sg_solver *s, double t, double *x, double *dx)
{
    ark_extra *e = s->extra;
    if (e->explicit_method) {
        double h = s->t - e->t0, theta = (t - e->t0) / h;
        if (e->degree == 0)
            make_polynomial(s, e, h);
        evaluate(e, s->problem.n, theta, x);
        if (dx)
            slope(e, s->problem.n, h, theta, dx);
        return SG_OK;
    }
    N_VSetArrayPointer(x, s->vout);
    int flag = ARKStepGetDky(s->memory, t, 0, s->vout);
    if (flag == ARK_SUCCESS && dx) {
        N_VSetArrayPointer(dx, s->vout);
        flag = ARKStepGetDky(s->memory, t, 1, s->vout);
    }
    return sg_flag_status(s, SG_ARKODE, flag);
}

static sg_status set_max_step(sg_solver *s, double h_max)
{
    return sg_flag_status(s, SG_ARKODE, ARKStepSetMaxStep(s->memory, h_max));
}

static void counters(const sg_solver *s, sg_engine_counters *c)
{
    const ark_extra *e = s->extra;
    long errors = 0, iterations = 0;
    ARKStepGetNumErrTestFails(s->memory, &errors);
    if (!e->explicit_method)
        ARKStepGetNumNonlinSolvConvFails(s->memory, &iterations);
    c->rejected = errors + iterations;
    c->order = e->order;
    ARKStepGetCurrentStep(s->memory, &c->h);
}

static sg_status local_errors(sg_solver *s, N_Vector errors, N_Vector weights)
{
    int flag = ARKStepGetEstLocalErrors(s->memory, errors);
    if (flag == ARK_SUCCESS)
        flag = ARKStepGetErrWeights(s->memory, weights);
    return sg_flag_status(s, SG_ARKODE, flag);
}

static void destroy(sg_solver *s)
{
    if (s->memory)
        ARKStepFree(&s->memory);
}

const sg_engine_ops sg_arkode_ops = {.create = create,
                                     .reinit = reinit,
                                     .step = step,
                                     .interpolate = interpolate,
                                     .set_max_step = set_max_step,
                                     .counters = counters,
                                     .local_errors = local_errors,
                                     .destroy = destroy};
