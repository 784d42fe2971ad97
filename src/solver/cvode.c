// CVODE: the variable-order multistep methods, BDF with Newton and Adams with functional iteration.
#include "solver/engine.h"

#include <cvode/cvode.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

// What Newton's method may leave of the error that a step is allowed: CVODE's own part, and that
// where stiffness comes and goes. There 0.1 makes noise that the error test takes for errors of the
// step: with a tenth of that, steps are longer.
static const double own_part = 0.1, nonsmooth_part = 0.01;

// Where branches are held a Jacobian takes dozens of evaluations, and one more correction takes
// one: with the usual three Newton's method gives up half as often again. Those behind these must
// show it by their residual, be the matrix a new one or not: across a kink, where it is far too
// stiff, they are small anyhow, and a block that slips was left where it stuck.
enum { USUAL_CORRECTIONS = 3, MOST_CORRECTIONS = 6 };

static int rhs(sunrealtype t, N_Vector y, N_Vector ydot, void *user)
{
    sg_solver *s = user;
    int flag = sg_solver_call_rhs(s, t, sg_vector_data(y), sg_vector_data(ydot));
    if (!flag && s->bent.f_wanted && t == s->bent.t) {
        memcpy(s->bent.f, sg_vector_data(ydot), (size_t)s->problem.n * sizeof *s->bent.f);
        s->bent.f_wanted = false;
    }
    return flag;
}

// Methods of order three and more feed swings that a model damps little, as long as the error of a
// step, about the tolerance, hides it: a tower of ten boxes never came to rest, but swayed on with
// 1e-8 m. (CVODE's own detection of stability limits sees one mode at a time.) Where a step changes
// the states by less than this many tolerances, order two is enough, which feeds nothing;
// where it is more than `moving`, others are allowed again.
static const double calm = 3.0, moving = 30.0;
static const int calm_order = 2;

static int usual_order(const sg_solver *s)
{
    int most = s->options.method->max_order;
    return most > 0 ? most : 5;
}

static bool feeds_swings(const sg_solver *s)
{
    return s->problem.sways && s->options.method->family != SG_FAMILY_ADAMS &&
           usual_order(s) > calm_order;
}

// Weights of our own where they may become smaller (look_for_chatter).
static int tolerances_flag(sg_solver *s)
{
    const sg_solver_options *o = &s->options;
    return s->problem.most || s->wrapped.atol || feeds_swings(s)
               ? CVodeWFtolerances(s->memory, sg_solver_weigh)
               : CVodeSStolerances(s->memory, o->rtol, o->atol);
}

// What the last step changed, in tolerances; negative if that is not known.
static double change_of(sg_solver *s, double h)
{
    sg_vector_point(s->wrapped.out, s->calm.work);
    sg_vector_point(s->wrapped.out2, s->calm.work + s->problem.n);
    if (CVodeGetDky(s->memory, s->t, 1, s->wrapped.out) != CV_SUCCESS ||
        CVodeGetErrWeights(s->memory, s->wrapped.out2) != CV_SUCCESS)
        return -1.0;
    return fabs(h) * N_VWrmsNorm(s->wrapped.out, s->wrapped.out2) *
           (s->calm.part > 0.0 ? s->calm.part : 1.0);
}

// A body that friction just holds rests beside a kink, at 1e-6 of its limit, say. Errors within the
// tolerance take it across and back: Newton's method fails with the matrix of one side on the
// other, for ever, and what should hold creeps by some tolerances a second. So where nothing moves
// and it fails in half of the steps or more, errors are held to a smaller part of the tolerance for
// a while, until the body has come to rest by the law and not by the tolerance.
enum { CHATTER_STEPS = 32, SHARP_STEPS = 256 };
static const double sharper = 0.01, sharpest = 1e-4;

static void look_for_chatter(sg_solver *s)
{
    sg_calm *c = &s->calm;
    long failed = 0;
    CVodeGetNumNonlinSolvConvFails(s->memory, &failed);
    if (!c->on || failed < c->failed) { // or it began anew
        c->steps = 0;
        c->failed = failed;
    }
    bool many = failed - c->failed > CHATTER_STEPS / 2;
    c->steps++;
    if (c->steps < (c->part > 0.0 && !many ? SHARP_STEPS : CHATTER_STEPS))
        return;
    double part = c->part > 0.0 ? c->part : 1.0;
    c->part = many ? fmax(sharper * part, sharpest) : 0.0;
    c->steps = 0;
    c->failed = failed;
}

// Orders cannot be taken from a method that uses them, or is about to, so it begins anew, with the
// step it had: an order above the largest one would rise without end.
static int take_low_orders(sg_solver *s, double h)
{
    int last = 0, next = 0, flag = CVodeGetLastOrder(s->memory, &last);
    if (flag == CV_SUCCESS)
        flag = CVodeGetCurrentOrder(s->memory, &next);
    if (flag == CV_SUCCESS && (last > calm_order || next > calm_order)) {
        sg_engine_counters before = {0};
        s->ops->counters(s, &before);
        s->rejected_before += (uint64_t)before.rejected;
        flag = CVodeReInit(s->memory, s->t, s->wrapped.x);
        if (flag == CV_SUCCESS)
            flag = CVodeSetInitStep(s->memory, h);
        sg_nordsieck_forget(&s->polynomial);
        s->bent.f_wanted = true;
        s->bent.on = false;
    }
    return flag == CV_SUCCESS ? CVodeSetMaxOrd(s->memory, calm_order) : flag;
}

static int calm_down(sg_solver *s, double h)
{
    s->calm.on = true;
    return take_low_orders(s, h);
}

// Where the method feeds a swing (swings.h) it takes order two, for so many steps at most. Order
// five feeds none whose phase over a step is larger than this [rad].
enum { SWING_STEPS = 1000 };
static const double past_swing = 12.0;

static int end_swing(sg_solver *s)
{
    s->swings.limited = 0;
    return CVodeSetMaxOrd(s->memory, usual_order(s));
}

// Behind a step: of which length and order, and with which errors?
static int look_for_swings(sg_solver *s)
{
    sg_swings *w = &s->swings;
    double h = 0.0;
    int order = 0, flag = CVodeGetLastStep(s->memory, &h);
    if (flag == CV_SUCCESS)
        flag = CVodeGetLastOrder(s->memory, &order);
    if (flag != CV_SUCCESS)
        return flag;
    if (w->limited) {
        bool past = fabs(h) * w->rate > past_swing;
        w->rate = past || w->limited > 1 ? w->rate : 0.0;
        return past || --w->limited == 0 ? end_swing(s) : CV_SUCCESS;
    }
    if (order <= calm_order) {
        sg_swings_begin(w);
        return CV_SUCCESS;
    }
    sg_vector_point(s->wrapped.out, w->errors);
    sg_vector_point(s->wrapped.out2, w->errors + s->problem.n);
    flag = CVodeGetEstLocalErrors(s->memory, s->wrapped.out);
    if (flag == CV_SUCCESS)
        flag = CVodeGetErrWeights(s->memory, s->wrapped.out2);
    if (flag != CV_SUCCESS || !sg_swings_note(w, w->errors, s->problem.n, fabs(h), order))
        return flag;
    sg_swings_begin(w);
    w->limited = SWING_STEPS;
    return take_low_orders(s, h);
}

// Before a step.
static sg_status choose_orders(sg_solver *s)
{
    if (!s->calm.work || s->bent.f_wanted)
        return SG_OK;
    int flag = CV_SUCCESS;
    double h = 0.0;
    CVodeGetLastStep(s->memory, &h);
    double change = change_of(s, h);
    look_for_chatter(s);
    if (!s->calm.on && change >= 0.0 && change < calm) {
        flag = calm_down(s, h);
    } else if (s->calm.on && change > moving) {
        s->calm.on = false;
        s->calm.part = 0.0; // what moves has the tolerance that was asked for
        flag = CVodeSetMaxOrd(s->memory, usual_order(s));
    }
    return sg_flag_status(s, SG_CVODE, flag);
}

static sg_status set_options(sg_solver *s)
{
    const sg_solver_options *o = &s->options;
    void *mem = s->memory;
    int flag = CVodeSetUserData(mem, s);
    if (flag == CV_SUCCESS)
        flag = tolerances_flag(s);
    if (flag == CV_SUCCESS && o->method->max_order > 0)
        flag = CVodeSetMaxOrd(mem, o->method->max_order);
    if (flag == CV_SUCCESS && o->h_max > 0.0)
        flag = CVodeSetMaxStep(mem, o->h_max);
    if (flag == CV_SUCCESS && o->h_min > 0.0)
        flag = CVodeSetMinStep(mem, o->h_min);
    if (flag == CV_SUCCESS)
        flag = CVodeSetMaxHnilWarns(mem, -1);
    if (flag == CV_SUCCESS && s->problem.sways && o->method->family != SG_FAMILY_ADAMS)
        flag = CVodeSetStabLimDet(mem, 1);
    return sg_flag_status(s, SG_CVODE, flag);
}

// CVODE's own test, but for corrections that must be believed.
static int has_converged(SUNNonlinearSolver iteration, N_Vector sum, N_Vector correction,
                         sunrealtype tolerance, N_Vector weights, void *user)
{
    sg_solver *s = user;
    sg_correction *c = &s->correction;
    double size = N_VWrmsNorm(correction, weights), last = c->size;
    int m = 0;
    (void)sum;
    SUNNonlinSolGetCurIter(iteration, &m);
    sg_correction_renew(s, 1.0);
    if (m > 0)
        c->rate = fmax(0.3 * c->rate, size / last);
    c->size = size;
    c->is_fresh &= m < USUAL_CORRECTIONS;
    // A residual needs no proof if CVODE itself would take a correction of its size for none.
    double believed_below = s->problem.nonsmooth ? own_part / nonsmooth_part : 1.0;
    bool believed = sg_correction_believed(s, m, size, 1.0, sg_vector_data(weights),
                                           believed_below * tolerance);
    if (believed && size * fmin(1.0, c->rate) <= tolerance)
        return SUN_NLS_SUCCESS;
    return m > 0 && size > 2.0 * last ? SUN_NLS_CONV_RECVR : SUN_NLS_CONTINUE;
}

static sg_status check_corrections(sg_solver *s)
{
    SUNNonlinearSolver iteration = NULL;
    sg_status status = sg_correction_create(s, &iteration);
    if (status)
        return status;
    int flag = CVodeSetNonlinearSolver(s->memory, iteration);
    if (flag == CV_SUCCESS)
        flag = CVodeSetNonlinConvCoef(s->memory, s->problem.nonsmooth ? nonsmooth_part : own_part);
    if (flag == CV_SUCCESS)
        flag = SUNNonlinSolSetConvTestFn(iteration, has_converged, s);
    if (flag == CV_SUCCESS && s->problem.branches)
        flag = CVodeSetMaxNonlinIters(s->memory, MOST_CORRECTIONS);
    return sg_flag_status(s, SG_CVODE, flag);
}

static sg_status set_iteration(sg_solver *s)
{
    if (s->options.method->family == SG_FAMILY_ADAMS) {
        SUNNonlinearSolver iteration = SUNNonlinSol_FixedPoint(s->wrapped.x, 0, s->context);
        if (!iteration)
            return sg_solver_fail(s, SG_ERR_MEMORY, "out of memory");
        s->extra = iteration;
        return sg_flag_status(s, SG_CVODE, CVodeSetNonlinearSolver(s->memory, iteration));
    }
    sg_status status = sg_linear_create(s);
    if (status)
        return status;
    int flag = CVodeSetLinearSolver(s->memory, s->system.linear, s->system.matrix);
    if (flag == CV_SUCCESS)
        flag = CVodeSetLinSysFn(s->memory, sg_linear_system);
    status = sg_flag_status(s, SG_CVODE, flag);
    return status || s->problem.rough ? status : check_corrections(s);
}

static sg_status create(sg_solver *s)
{
    int lmm = s->options.method->family == SG_FAMILY_ADAMS ? CV_ADAMS : CV_BDF;
    s->memory = CVodeCreate(lmm, s->context);
    if (!s->memory)
        return sg_solver_fail(s, SG_ERR_MEMORY, "out of memory");
    CVodeSetErrHandlerFn(s->memory, sg_flag_silence, NULL);
    int flag = CVodeInit(s->memory, rhs, 0.0, s->wrapped.x);
    sg_status status = sg_flag_status(s, SG_CVODE, flag);
    if (flag < 0) { // it has freed its vectors, and CVodeFree would do so again
        free(s->memory);
        s->memory = NULL;
    }
    if (!status)
        status = set_options(s);
    if (!status)
        status = set_iteration(s);
    if (feeds_swings(s))
        s->calm.work = SG_NEW_ARRAY(&s->arena, double, 2 * (size_t)s->problem.n);
    else if (s->problem.rough && lmm == CV_BDF && usual_order(s) > calm_order)
        sg_swings_init(&s->swings, &s->arena, s->problem.n);
    return status || !s->arena.failed ? status : sg_solver_fail(s, SG_ERR_MEMORY, "out of memory");
}

static sg_status reinit(sg_solver *s)
{
    int flag = CVodeReInit(s->memory, s->t, s->wrapped.x);
    if (flag == CV_SUCCESS)
        flag = CVodeSetInitStep(s->memory, s->options.h_initial);
    if (flag == CV_SUCCESS && s->calm.on)
        flag = CVodeSetMaxOrd(s->memory, usual_order(s));
    // Swings that were fed before are about as fast as they were.
    sg_swings *w = &s->swings;
    sg_swings_begin(w);
    w->limited = w->rate > 0.0 ? SWING_STEPS : 0;
    if (flag == CV_SUCCESS && w->errors)
        flag = CVodeSetMaxOrd(s->memory, w->limited ? calm_order : usual_order(s));
    sg_nordsieck_forget(&s->polynomial);
    s->bent.f_wanted = true;
    s->bent.on = s->calm.on = false;
    s->calm.part = 0.0;
    return sg_flag_status(s, SG_CVODE, flag);
}

// The step to come may have order one: where it begins is kept. The slope at a restart is what the
// method asks for first.
static sg_status keep_begin(sg_solver *s)
{
    s->bent.t = s->t;
    memcpy(s->bent.x, s->x, (size_t)s->problem.n * sizeof *s->bent.x);
    if (s->bent.f_wanted)
        return SG_OK;
    sg_vector_point(s->wrapped.out, s->bent.f);
    return sg_flag_status(s, SG_CVODE, CVodeGetDky(s->memory, s->t, 1, s->wrapped.out));
}

static sg_status step(sg_solver *s, double t_stop)
{
    sg_status status = choose_orders(s);
    if (!status && s->swings.errors && !s->bent.f_wanted)
        status = sg_flag_status(s, SG_CVODE, look_for_swings(s));
    bool low = s->bent.f_wanted || s->bent.on;
    if (!status && low)
        status = keep_begin(s);
    if (status)
        return status;
    int flag = CVodeSetStopTime(s->memory, t_stop), order = 0;
    if (flag == CV_SUCCESS)
        flag = CVode(s->memory, t_stop, s->wrapped.x, &s->t, CV_ONE_STEP);
    sg_nordsieck_note(&s->polynomial, s->memory, flag >= 0);
    CVodeGetLastOrder(s->memory, &order);
    s->bent.on = low && order == 1 && !s->bent.f_wanted;
    return sg_flag_status(s, SG_CVODE, flag);
}

// A step of order one is a straight line to the method, with the slope at its end. A body that has
// just lifted off with little speed would fall from the first moment on there, and a contact that
// ended would begin again at once, thousands of times. The first steps after a restart are lines
// bent so that they leave with the slope that the model has. They differ from straight ones by no
// more than half of the error that the step was accepted with.
static void bend(const sg_solver *s, double t, int32_t first, int32_t n, double *x, double *dx)
{
    sg_bent_line line = {s->bent.x + first, s->bent.f + first, s->x + first, s->t - s->bent.t};
    sg_vector_bend(&line, t - s->bent.t, n, x, dx);
}

static int derivative_at(sg_solver *s, double t, int k, double *out)
{
    sg_vector_point(s->wrapped.out, out);
    return sg_nordsieck_at(&s->polynomial, s->memory, t, k, s->wrapped.out);
}

static sg_status interpolate(sg_solver *s, double t, double *x, double *dx)
{
    if (s->bent.on && t >= s->bent.t && t < s->t) {
        bend(s, t, 0, s->problem.n, x, dx);
        return SG_OK;
    }
    int flag = derivative_at(s, t, 0, x);
    if (flag == CV_SUCCESS && dx)
        flag = derivative_at(s, t, 1, dx);
    return sg_flag_status(s, SG_CVODE, flag);
}

static bool interpolate_some(sg_solver *s, double t, int32_t first, int32_t n, double *x,
                             double *dx)
{
    if (s->bent.on && t >= s->bent.t && t < s->t) {
        bend(s, t, first, n, x, dx);
        return true;
    }
    return sg_nordsieck_some(&s->polynomial, t, 0, first, n, x) &&
           (!dx || sg_nordsieck_some(&s->polynomial, t, 1, first, n, dx));
}

static sg_status expand(sg_solver *s, double t, sg_expansion *e)
{
    int order = 0, flag = CVodeGetLastOrder(s->memory, &order);
    (void)t;
    if (s->bent.on) {
        e->origin = s->bent.t;
        e->unit = s->t - s->bent.t;
        e->degree = 2;
        for (int32_t i = 0; i < s->problem.n; i++) {
            e->c[0][i] = s->bent.x[i];
            e->c[1][i] = e->unit * s->bent.f[i];
            e->c[2][i] = s->x[i] - s->bent.x[i] - e->c[1][i];
        }
        return SG_OK;
    }
    if (flag == CV_SUCCESS)
        flag = sg_expand_derivatives(s, order, CVodeGetDky, e);
    return sg_flag_status(s, SG_CVODE, flag);
}

static sg_status set_tolerances(sg_solver *s)
{
    return sg_flag_status(s, SG_CVODE, tolerances_flag(s));
}

static sg_status set_max_step(sg_solver *s, double h_max)
{
    return sg_flag_status(s, SG_CVODE, CVodeSetMaxStep(s->memory, h_max));
}

static void counters(const sg_solver *s, sg_engine_counters *c)
{
    long errors = 0, iterations = 0;
    CVodeGetNumErrTestFails(s->memory, &errors);
    CVodeGetNumNonlinSolvConvFails(s->memory, &iterations);
    c->rejected = errors + iterations;
    c->unsolved = iterations;
    CVodeGetLastOrder(s->memory, &c->order);
    CVodeGetCurrentStep(s->memory, &c->h);
}

static sg_status local_errors(sg_solver *s, N_Vector errors, N_Vector weights)
{
    int flag = CVodeGetEstLocalErrors(s->memory, errors);
    if (flag == CV_SUCCESS)
        flag = CVodeGetErrWeights(s->memory, weights);
    return sg_flag_status(s, SG_CVODE, flag);
}

static void destroy(sg_solver *s)
{
    if (s->memory)
        CVodeFree(&s->memory);
    if (s->extra)
        SUNNonlinSolFree(s->extra);
}

static bool iterate(const sg_solver *s, sg_newton_point *out)
{
    N_Vector predicted, x, f, zn1;
    double rl1;
    void *user;
    *out = (sg_newton_point){0};
    if (CVodeGetNonlinearSystemData(s->memory, &out->t, &predicted, &x, &f, &out->factor, &rl1,
                                    &zn1, &user) != CV_SUCCESS)
        return false;
    out->x = sg_vector_data(x);
    out->f = sg_vector_data(f);
    return true;
}

const sg_engine_ops sg_cvode_ops = {.create = create,
                                    .reinit = reinit,
                                    .step = step,
                                    .interpolate = interpolate,
                                    .interpolate_some = interpolate_some,
                                    .expand = expand,
                                    .set_max_step = set_max_step,
                                    .set_tolerances = set_tolerances,
                                    .counters = counters,
                                    .local_errors = local_errors,
                                    .iterate = iterate,
                                    .destroy = destroy};
