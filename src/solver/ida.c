// IDA: BDF on F(t, x, dx) = 0. Ordinary differential equations run with F = dx - f.
#include "solver/engine.h"

#include <ida/ida.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// What Newton's method may leave, in units of the tolerance: IDA's own part, below which a residual
// needs no proof, and that where stiffness comes and goes.
static const double own_part = 0.33, nonsmooth_part = 0.1;
// rate / (1 - rate) before anything is known of the rate, as IDA has it.
static const double fresh_rate = 20.0;
// More than the usual four where Newton's iteration is to be exact.
enum { EXACT_ITERATIONS = 10 };

static int residual(sunrealtype t, N_Vector y, N_Vector yp, N_Vector r, void *user)
{
    return sg_solver_call_residual(user, t, sg_vector_data(y), sg_vector_data(yp),
                                   sg_vector_data(r));
}

static sg_status mark_algebraic(sg_solver *s)
{
    N_Vector id = sg_vector_new(&s->vectors);
    if (!id)
        return sg_solver_fail(s, SG_ERR_MEMORY, "out of memory");
    double *data = sg_vector_data(id);
    for (int32_t i = 0; i < s->problem.n; i++)
        data[i] = !s->problem.differential || s->problem.differential[i] ? 1.0 : 0.0;
    int flag = IDASetId(s->memory, id);
    // Forces of constraints follow from the rest, and estimates of their errors do not shrink with
    // the step.
    if (flag == IDA_SUCCESS && s->problem.differential)
        flag = IDASetSuppressAlg(s->memory, SUNTRUE);
    N_VDestroy(id);
    return sg_flag_status(s, SG_IDA, flag);
}

static int tolerances_flag(sg_solver *s)
{
    const sg_solver_options *o = &s->options;
    return s->problem.most || s->wrapped.atol ? IDAWFtolerances(s->memory, sg_solver_weigh)
                                              : IDASStolerances(s->memory, o->rtol, o->atol);
}

static sg_status set_options(sg_solver *s)
{
    const sg_solver_options *o = &s->options;
    void *mem = s->memory;
    int flag = IDASetUserData(mem, s);
    if (flag == IDA_SUCCESS)
        flag = tolerances_flag(s);
    if (flag == IDA_SUCCESS && o->method->max_order > 0)
        flag = IDASetMaxOrd(mem, o->method->max_order);
    if (flag == IDA_SUCCESS && o->h_max > 0.0)
        flag = IDASetMaxStep(mem, o->h_max);
    // The first step is a guess from the stop time, with which ten attempts may not be enough.
    if (flag == IDA_SUCCESS)
        flag = IDASetMaxErrTestFails(mem, 60);
    if (flag == IDA_SUCCESS && o->newton_part > 0.0)
        flag = IDASetNonlinConvCoef(mem, o->newton_part);
    if (flag == IDA_SUCCESS && o->newton_part > 0.0)
        flag = IDASetMaxNonlinIters(mem, EXACT_ITERATIONS);
    sg_status status = sg_flag_status(s, SG_IDA, flag);
    return status ? status : mark_algebraic(s);
}

// IDA's own test, but for corrections that must be believed, and for the rate of convergence. IDA
// goes on with that of a step before as long as one iteration seems to do. Where constraints turn,
// so that an old matrix serves worse with every step, that is never found out.
static int has_converged(SUNNonlinearSolver iteration, N_Vector sum, N_Vector correction,
                         sunrealtype tolerance, N_Vector weights, void *user)
{
    sg_solver *s = user;
    sg_correction *c = &s->correction;
    double size = N_VWrmsNorm(correction, weights), cj = 1.0;
    bool is_tiny = false;
    int m = 0;
    (void)sum;
    SUNNonlinSolGetCurIter(iteration, &m);
    IDAGetCurrentCj(s->memory, &cj);
    sg_correction_renew(s, fresh_rate);
    bool believed = s->problem.rough ||
                    sg_correction_believed(s, m, size, 1.0 / cj, sg_vector_data(weights), own_part);
    if (m == 0) {
        c->size = size;
        is_tiny = size <= 1e-4 * tolerance;
        if (s->options.own_rates)
            c->rate = fresh_rate;
    } else {
        double rate = pow(size / c->size, 1.0 / m);
        if (rate > 0.9 && s->options.own_rates && size <= tolerance)
            return SUN_NLS_SUCCESS; // nothing but roundings
        if (rate > 0.9)
            return SUN_NLS_CONV_RECVR;
        c->rate = rate / (1.0 - rate);
    }
    bool is_done = believed && (is_tiny || c->rate * size <= tolerance);
    return is_done ? SUN_NLS_SUCCESS : SUN_NLS_CONTINUE;
}

static sg_status check_corrections(sg_solver *s)
{
    SUNNonlinearSolver iteration = NULL;
    sg_status status = sg_correction_create(s, &iteration);
    if (status)
        return status;
    double part = s->problem.nonsmooth ? nonsmooth_part : own_part;
    if (s->options.newton_part > 0.0)
        part = fmin(part, s->options.newton_part);
    int flag = IDASetNonlinearSolver(s->memory, iteration);
    if (flag == IDA_SUCCESS)
        flag = IDASetNonlinConvCoef(s->memory, part);
    if (flag == IDA_SUCCESS)
        flag = SUNNonlinSolSetConvTestFn(iteration, has_converged, s);
    return sg_flag_status(s, SG_IDA, flag);
}

static sg_status create(sg_solver *s)
{
    s->memory = IDACreate(s->context);
    if (!s->memory)
        return sg_solver_fail(s, SG_ERR_MEMORY, "out of memory");
    IDASetErrHandlerFn(s->memory, sg_flag_silence, NULL);
    int flag = IDAInit(s->memory, residual, 0.0, s->wrapped.x, s->wrapped.dx);
    sg_status status = sg_flag_status(s, SG_IDA, flag);
    if (flag < 0) { // it has freed its vectors, and IDAFree would do so again
        free(s->memory);
        s->memory = NULL;
    }
    if (!status)
        status = set_options(s);
    if (!status)
        status = sg_linear_create(s);
    if (status)
        return status;
    flag = IDASetLinearSolver(s->memory, s->system.linear, s->system.matrix);
    if (flag == IDA_SUCCESS)
        flag = IDASetJacFn(s->memory, sg_linear_jacobian_dae);
    status = sg_flag_status(s, SG_IDA, flag);
    bool own = !s->problem.rough || s->options.own_rates;
    return status || !own ? status : check_corrections(s);
}

// Consistent derivatives: from the model where it can give them, else by IDA's own search, which
// wants a time to aim at for its step size.
static sg_status make_consistent(sg_solver *s)
{
    if (s->problem.rhs) {
        int flag = sg_solver_call_rhs(s, s->t, s->x, s->dx);
        return flag ? sg_flag_status(s, SG_IDA, IDA_FIRST_RES_FAIL) : SG_OK;
    }
    return SG_OK;
}

static sg_status search_consistent(sg_solver *s)
{
    double h = s->options.h_initial > 0.0 ? s->options.h_initial : s->options.h_max;
    int flag = IDACalcIC(s->memory, IDA_YA_YDP_INIT, s->t + (h > 0.0 ? h : 1.0));
    if (flag == IDA_SUCCESS)
        flag = IDAGetConsistentIC(s->memory, s->wrapped.x, s->wrapped.dx);
    return sg_flag_status(s, SG_IDA, flag);
}

static sg_status reinit(sg_solver *s)
{
    memset(s->dx, 0, (size_t)s->problem.n * sizeof(double));
    sg_status status = make_consistent(s);
    if (status)
        return status;
    int flag = IDAReInit(s->memory, s->t, s->wrapped.x, s->wrapped.dx);
    if (flag == IDA_SUCCESS)
        flag = IDASetInitStep(s->memory, s->options.h_initial);
    status = sg_flag_status(s, SG_IDA, flag);
    return status || s->problem.rhs ? status : search_consistent(s);
}

static sg_status step(sg_solver *s, double t_stop)
{
    int flag = IDASetStopTime(s->memory, t_stop);
    if (flag == IDA_SUCCESS)
        flag = IDASolve(s->memory, t_stop, &s->t, s->wrapped.x, s->wrapped.dx, IDA_ONE_STEP);
    return sg_flag_status(s, SG_IDA, flag);
}

static sg_status interpolate(sg_solver *s, double t, double *x, double *dx)
{
    sg_vector_point(s->wrapped.out, x);
    int flag = IDAGetDky(s->memory, t, 0, s->wrapped.out);
    if (flag == IDA_SUCCESS && dx) {
        sg_vector_point(s->wrapped.out2, dx);
        flag = IDAGetDky(s->memory, t, 1, s->wrapped.out2);
    }
    return sg_flag_status(s, SG_IDA, flag);
}

static sg_status expand(sg_solver *s, double t, sg_expansion *e)
{
    int order = 0, flag = IDAGetLastOrder(s->memory, &order);
    (void)t;
    if (flag == IDA_SUCCESS)
        flag = sg_expand_derivatives(s, order, IDAGetDky, e);
    return sg_flag_status(s, SG_IDA, flag);
}

static sg_status set_tolerances(sg_solver *s)
{
    return sg_flag_status(s, SG_IDA, tolerances_flag(s));
}

static sg_status set_max_step(sg_solver *s, double h_max)
{
    return sg_flag_status(s, SG_IDA, IDASetMaxStep(s->memory, h_max));
}

static void counters(const sg_solver *s, sg_engine_counters *c)
{
    long errors = 0, iterations = 0;
    IDAGetNumErrTestFails(s->memory, &errors);
    IDAGetNumNonlinSolvConvFails(s->memory, &iterations);
    c->rejected = errors + iterations;
    c->unsolved = iterations;
    IDAGetLastOrder(s->memory, &c->order);
    IDAGetCurrentStep(s->memory, &c->h);
}

static sg_status local_errors(sg_solver *s, N_Vector errors, N_Vector weights)
{
    int flag = IDAGetEstLocalErrors(s->memory, errors);
    if (flag == IDA_SUCCESS)
        flag = IDAGetErrWeights(s->memory, weights);
    return sg_flag_status(s, SG_IDA, flag);
}

static void destroy(sg_solver *s)
{
    if (s->memory)
        IDAFree(&s->memory);
    if (s->extra)
        SUNNonlinSolFree(s->extra);
}

static bool iterate(const sg_solver *s, sg_newton_point *out)
{
    N_Vector predicted, predicted_dx, x, dx, residual;
    void *user;
    *out = (sg_newton_point){0};
    if (IDAGetNonlinearSystemData(s->memory, &out->t, &predicted, &predicted_dx, &x, &dx, &residual,
                                  &out->factor, &user) != IDA_SUCCESS)
        return false;
    out->x = sg_vector_data(x);
    out->dx = sg_vector_data(dx);
    return true;
}

const sg_engine_ops sg_ida_ops = {.create = create,
                                  .reinit = reinit,
                                  .step = step,
                                  .interpolate = interpolate,
                                  .expand = expand,
                                  .set_max_step = set_max_step,
                                  .set_tolerances = set_tolerances,
                                  .counters = counters,
                                  .local_errors = local_errors,
                                  .iterate = iterate,
                                  .destroy = destroy};
