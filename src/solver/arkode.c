// ARKODE: explicit and diagonally implicit Runge-Kutta methods. They restart at full order after an
// event, with the step size they had. Their continuous solution is ours (continuous.h).
#include "solver/continuous.h"
#include "solver/engine.h"
#include "solver/stiffness.h"

#include <arkode/arkode_arkstep.h>
#include <float.h>
#include <math.h>

// For the continuous solution to follow a step.
#define MAX_ATTEMPTS 8
// Of one step, as with IDA.
#define MAX_FAILURES 60
// Quarters from any step down to nothing.
#define MAX_SHORTER 60

typedef struct ark_extra {
    sg_continuous continuous;
    sg_stiffness stiffness; // of explicit methods with step control
    N_Vector error;         // for it
    bool explicit_method;
    bool first;     // no step was taken since creation
    int asked;      // slopes while it is created
    long shortened; // steps tried again because the model could not be evaluated
    long rejected;  // at the last restart; ARKODE goes on counting
} ark_extra;

// The last stage of many methods is the first one of the next step, but ARKODE evaluates it again.
// So the slope at the last point is kept, until something else may have changed at a restart.
static int rhs(sunrealtype t, N_Vector y, N_Vector ydot, void *user)
{
    sg_solver *s = user;
    if (s->phase.creating) {
        N_VConst(0.0, ydot);
        return ((ark_extra *)s->extra)->asked++ == 0 ? 0 : -1;
    }
    return sg_continuous_slope(&((ark_extra *)s->extra)->continuous, s, t, sg_vector_data(y),
                               sg_vector_data(ydot));
}

// ARKODE takes a vector for each stage in its first step, and at most so many more.
#define CLONES_BESIDE_STAGES 8

static sg_status set_table(sg_solver *s, ark_extra *e)
{
    const sg_algorithm *m = s->options.method;
    ARKodeButcherTable table = sg_table_load(s->options.h_fixed > 0.0 ? m->fixed : m->adaptive);
    if (!table)
        return sg_solver_fail(s, SG_ERR_MEMORY, "out of memory");
    sg_status status = sg_continuous_init(&e->continuous, s, table, !e->explicit_method);
    if (!status)
        status = sg_stiffness_init(&e->stiffness, s, table);
    e->error = sg_vector_new(&s->vectors);
    if (!e->error || sg_vectors_reserve(&s->vectors, table->stages + CLONES_BESIDE_STAGES))
        status = SG_ERR_MEMORY;
    if (status)
        return sg_solver_fail(s, status, "out of memory");
    int flag = ARKStepSetTables(s->memory, table->q, table->p, e->explicit_method ? NULL : table,
                                e->explicit_method ? table : NULL);
    return sg_flag_status(s, SG_ARKODE, flag);
}

static int tolerances_flag(sg_solver *s)
{
    const sg_solver_options *o = &s->options;
    return s->problem.most || s->wrapped.atol ? ARKStepWFtolerances(s->memory, sg_solver_weigh)
                                              : ARKStepSStolerances(s->memory, o->rtol, o->atol);
}

static sg_status set_options(sg_solver *s)
{
    const sg_solver_options *o = &s->options;
    void *mem = s->memory;
    int flag = ARKStepSetUserData(mem, s);
    if (flag == ARK_SUCCESS) // never used, but this one costs no right-hand sides
        flag = ARKStepSetInterpolantType(mem, ARK_INTERP_LAGRANGE);
    if (flag == ARK_SUCCESS)
        flag = tolerances_flag(s);
    if (flag == ARK_SUCCESS && o->h_max > 0.0)
        flag = ARKStepSetMaxStep(mem, o->h_max);
    if (flag == ARK_SUCCESS && o->h_min > 0.0)
        flag = ARKStepSetMinStep(mem, o->h_min);
    if (flag == ARK_SUCCESS)
        flag = ARKStepSetMaxHnilWarns(mem, -1);
    // The first step is a guess from the interval, with which a few attempts may not be enough.
    if (flag == ARK_SUCCESS)
        flag = ARKStepSetMaxErrTestFails(mem, MAX_FAILURES);
    if (flag == ARK_SUCCESS)
        flag = ARKStepSetMaxConvFails(mem, MAX_FAILURES);
    return sg_flag_status(s, SG_ARKODE, flag);
}

static int linear_system(sunrealtype t, N_Vector y, N_Vector fy, SUNMatrix A, SUNMatrix mass,
                         sunbooleantype jok, sunbooleantype *jcur, sunrealtype gamma, void *user,
                         N_Vector t1, N_Vector t2, N_Vector t3)
{
    (void)mass;
    return sg_linear_system(t, y, fy, A, jok, jcur, gamma, user, t1, t2, t3);
}

static sg_status set_newton(sg_solver *s)
{
    sg_status status = sg_linear_create(s);
    if (status)
        return status;
    int flag = ARKStepSetLinearSolver(s->memory, s->system.linear, s->system.matrix);
    if (flag == ARK_SUCCESS)
        flag = ARKStepSetLinSysFn(s->memory, linear_system);
    if (flag == ARK_SUCCESS)
        flag = ARKStepSetDeduceImplicitRhs(s->memory, 1);
    // ARKODE keeps a factored matrix for 20 steps and then accepts the first Newton iterate
    // although the step has changed: errors of 1e-3 at a tolerance of 1e-8. One factorization a
    // step cures it.
    if (flag == ARK_SUCCESS)
        flag = ARKStepSetLSetupFrequency(s->memory, 1);
    if (flag == ARK_SUCCESS)
        flag = ARKStepSetNonlinConvCoef(s->memory, 0.01);
    // A fixed step cannot be shortened when Newton's iteration fails, so it gets every help.
    if (flag == ARK_SUCCESS && s->options.h_fixed > 0.0)
        flag = ARKStepSetMaxNonlinIters(s->memory, 20);
    if (flag == ARK_SUCCESS && s->options.h_fixed > 0.0)
        flag = ARKStepSetJacEvalFrequency(s->memory, 1);
    return sg_flag_status(s, SG_ARKODE, flag);
}

// ARKODE takes part of its memory where the first step begins. One is begun here, for that alone:
// it gets the first slope it asks for, is refused the second, and has taken all in between. The
// restart that follows forgets about it.
static sg_status take_memory(sg_solver *s)
{
    double t = 0.0;
    // Without step control, as it will be: other tables are refused before anything is taken.
    if (s->options.h_fixed > 0.0)
        ARKStepSetFixedStep(s->memory, s->options.h_fixed);
    int flag = ARKStepEvolve(s->memory, 1.0, s->wrapped.x, &t, ARK_ONE_STEP);
    return flag == ARK_MEM_FAIL ? sg_flag_status(s, SG_ARKODE, flag) : SG_OK;
}

static sg_status create(sg_solver *s)
{
    ark_extra *e = SG_NEW(&s->arena, ark_extra);
    if (!e)
        return sg_solver_fail(s, SG_ERR_MEMORY, "out of memory");
    s->extra = e;
    e->first = true;
    e->explicit_method = s->options.method->family == SG_FAMILY_ERK;
    s->memory = ARKStepCreate(e->explicit_method ? rhs : NULL, e->explicit_method ? NULL : rhs, 0.0,
                              s->wrapped.x, s->context);
    if (!s->memory)
        return sg_solver_fail(s, SG_ERR_MEMORY, "out of memory");
    ARKStepSetErrHandlerFn(s->memory, sg_flag_silence, NULL);
    sg_status status = set_table(s, e);
    if (!status)
        status = set_options(s);
    if (!status && !e->explicit_method)
        status = set_newton(s);
    return status ? status : take_memory(s);
}

static long count_rejected(const sg_solver *s, const ark_extra *e)
{
    long errors = 0, iterations = 0;
    ARKStepGetNumErrTestFails(s->memory, &errors);
    if (!e->explicit_method)
        ARKStepGetNumNonlinSolvConvFails(s->memory, &iterations);
    return errors + iterations + e->shortened;
}

static void counters(const sg_solver *s, sg_engine_counters *c)
{
    const ark_extra *e = s->extra;
    c->rejected = count_rejected(s, e) - e->rejected;
    c->order = e->continuous.order;
    ARKStepGetCurrentStep(s->memory, &c->h);
}

static sg_status reinit(sg_solver *s)
{
    ark_extra *e = s->extra;
    sg_continuous_restart(&e->continuous);
    e->rejected = count_rejected(s, e);
    int flag = ARKStepReset(s->memory, s->t, s->wrapped.x);
    // ARKODE goes on with the step it had. Where bodies have just touched, one as long as in flight
    // may throw all stages that count far out of the contact: they feel no force, and the error
    // test is content.
    bool afresh = e->first || (s->problem.nonsmooth && e->explicit_method);
    if (flag == ARK_SUCCESS && afresh && s->options.h_fixed <= 0.0)
        flag = ARKStepSetInitStep(s->memory, s->options.h_initial);
    return sg_flag_status(s, SG_ARKODE, flag);
}

// A step of fixed size that would end a hair before t_stop ends there.
static double fixed_step(const sg_solver *s, double t_stop)
{
    double h = s->options.h_fixed, left = t_stop - s->t;
    return left < h * (1.0 + 1e-8) ? left : h;
}

static int evolve(sg_solver *s, double t_stop)
{
    int flag = ARK_SUCCESS;
    if (s->options.h_fixed > 0.0)
        flag = ARKStepSetFixedStep(s->memory, fixed_step(s, t_stop));
    if (flag == ARK_SUCCESS)
        flag = ARKStepSetStopTime(s->memory, t_stop);
    if (flag == ARK_SUCCESS)
        flag = ARKStepEvolve(s->memory, t_stop, s->wrapped.x, &s->t, ARK_ONE_STEP);
    return flag;
}

// By what factor a step must shrink, or may grow, for the continuous solution to follow it.
static double follow_factor(const sg_continuous *c)
{
    // The change by raising the degree from 4 to 5 overestimates the error of the quintic.
    double allowed = c->degree == 5 ? 4.0 : 1.0;
    double factor = 0.9 * pow(allowed / fmax(c->change, 1e-10), c->degree == 5 ? 0.2 : 0.25);
    return fmin(20.0, factor);
}

static int limit_step(sg_solver *s, double h)
{
    double most = s->pace.most;
    return ARKStepSetMaxStep(s->memory, most > 0.0 ? fmin(most, h) : h);
}

// Implicit methods: takes the step again until the continuous solution follows it.
static sg_status follow(sg_solver *s, ark_extra *e, double t_stop)
{
    sg_continuous *c = &e->continuous;
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        sg_status status = sg_continuous_prepare(c, s);
        if (status)
            return status;
        double factor = follow_factor(c), h = c->h * fmax(0.1, factor);
        int flag = limit_step(s, h);
        if (factor > 0.85)
            return sg_flag_status(s, SG_ARKODE, flag);
        sg_continuous_retry(c, s);
        if (flag == ARK_SUCCESS)
            flag = ARKStepReset(s->memory, s->t, s->wrapped.x);
        if (flag == ARK_SUCCESS)
            flag = ARKStepSetInitStep(s->memory, h);
        if (flag == ARK_SUCCESS)
            flag = evolve(s, t_stop);
        sg_continuous_end(c, s);
        status = sg_flag_status(s, SG_ARKODE, flag);
        if (status)
            return status;
    }
    return SG_OK;
}

// ARKODE gives up at once when an explicit stage cannot be computed. A shorter step may avoid the
// place where the model has no values, so that is tried first, down to the resolution of time.
static int evolve_shorter(sg_solver *s, ark_extra *e, double t_stop)
{
    int flag = evolve(s, t_stop);
    for (int k = 0; k < MAX_SHORTER && flag == ARK_UNREC_RHSFUNC_ERR; k++) {
        double h = 0.25 * (s->refusal.t - e->continuous.t0);
        if (s->callback != SG_OK || !(h > DBL_EPSILON * fabs(e->continuous.t0)))
            return flag;
        e->shortened++;
        sg_continuous_retry(&e->continuous, s);
        int again = ARKStepReset(s->memory, s->t, s->wrapped.x);
        if (again == ARK_SUCCESS)
            again = ARKStepSetInitStep(s->memory, h);
        if (again != ARK_SUCCESS)
            return again;
        flag = evolve(s, t_stop);
    }
    return flag;
}

static void watch_stiffness(sg_solver *s, ark_extra *e)
{
    if (s->pace.stiff != 0.0 || !sg_stiffness_due(&e->stiffness) ||
        ARKStepGetEstLocalErrors(s->memory, e->error) != ARK_SUCCESS ||
        sg_continuous_slope(&e->continuous, s, s->t, s->x, e->stiffness.slope) != 0)
        return;
    sg_stiffness_look(&e->stiffness, s, e->continuous.h, sg_vector_data(e->error));
}

static sg_status step(sg_solver *s, double t_stop)
{
    ark_extra *e = s->extra;
    sg_continuous_begin(&e->continuous, s);
    bool shorter = e->explicit_method && s->options.h_fixed <= 0.0;
    int flag = shorter ? evolve_shorter(s, e, t_stop) : evolve(s, t_stop);
    sg_continuous_end(&e->continuous, s);
    e->first = false;
    sg_status status = sg_flag_status(s, SG_ARKODE, flag);
    if (!status && shorter)
        watch_stiffness(s, e);
    bool follows = e->explicit_method || s->options.h_fixed > 0.0;
    return status || follows ? status : follow(s, e, t_stop);
}

// Errors of the polynomial at an event, in tolerances, that do not matter beside those of steps.
static const double doubtful = 0.1;

// Explicit methods. What follows is as long as the errors of the shorter step allow, but not longer
// than what the method had in mind.
static bool shorten(sg_solver *s, double t_end, sg_status *status)
{
    ark_extra *e = s->extra;
    sg_continuous *c = &e->continuous;
    if (!e->explicit_method || s->options.h_fixed > 0.0 || c->t0 != s->roots.t_out ||
        sg_continuous_doubt(c, s, t_end) < doubtful)
        return false;
    double before = 0.0, after = 0.0;
    ARKStepGetCurrentStep(s->memory, &before);
    sg_continuous_retry(c, s);
    int flag = ARKStepReset(s->memory, s->t, s->wrapped.x);
    if (flag == ARK_SUCCESS)
        flag = ARKStepSetInitStep(s->memory, t_end - s->t);
    if (flag == ARK_SUCCESS)
        flag = evolve_shorter(s, e, t_end);
    sg_continuous_end(c, s);
    if (flag >= 0 && ARKStepGetCurrentStep(s->memory, &after) == ARK_SUCCESS && after > before)
        ARKStepSetInitStep(s->memory, before);
    *status = sg_flag_status(s, SG_ARKODE, flag);
    return true;
}

static sg_status interpolate(sg_solver *s, double t, double *x, double *dx)
{
    ark_extra *e = s->extra;
    return sg_continuous_evaluate(&e->continuous, s, t, x, dx);
}

static bool interpolate_roughly(sg_solver *s, double t, double *x, double *dx)
{
    ark_extra *e = s->extra;
    return sg_continuous_evaluate_roughly(&e->continuous, s, t, x, dx);
}

static void keep(sg_solver *s) { sg_continuous_keep(&((ark_extra *)s->extra)->continuous); }

static void put_back(sg_solver *s) { sg_continuous_put_back(&((ark_extra *)s->extra)->continuous); }

static sg_status expand(sg_solver *s, double t, sg_expansion *e)
{
    ark_extra *extra = s->extra;
    return sg_continuous_expand(&extra->continuous, s, t, e);
}

static sg_status set_tolerances(sg_solver *s)
{
    return sg_flag_status(s, SG_ARKODE, tolerances_flag(s));
}

static sg_status set_max_step(sg_solver *s, double h_max)
{
    return sg_flag_status(s, SG_ARKODE, ARKStepSetMaxStep(s->memory, h_max));
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
    if (s->extra && ((ark_extra *)s->extra)->error)
        N_VDestroy(((ark_extra *)s->extra)->error);
    if (s->extra)
        sg_continuous_destroy(&((ark_extra *)s->extra)->continuous);
}

static bool iterate(const sg_solver *s, sg_newton_point *out)
{
    N_Vector predicted, x, f, rest;
    void *user;
    *out = (sg_newton_point){0};
    if (ARKStepGetNonlinearSystemData(s->memory, &out->t, &predicted, &x, &f, &out->factor, &rest,
                                      &user) != ARK_SUCCESS)
        return false;
    out->x = sg_vector_data(x);
    out->f = sg_vector_data(f);
    return true;
}

const sg_engine_ops sg_arkode_ops = {.create = create,
                                     .reinit = reinit,
                                     .step = step,
                                     .interpolate = interpolate,
                                     .interpolate_roughly = interpolate_roughly,
                                     .keep = keep,
                                     .put_back = put_back,
                                     .shorten = shorten,
                                     .expand = expand,
                                     .set_max_step = set_max_step,
                                     .set_tolerances = set_tolerances,
                                     .counters = counters,
                                     .local_errors = local_errors,
                                     .iterate = iterate,
                                     .destroy = destroy};
