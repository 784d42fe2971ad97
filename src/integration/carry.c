#include "integration/carry.h"

#include "base/assert.h"
#include "integration/formulation.h"
#include "integration/kept.h"
#include "integration/newton.h"
#include "math/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

// A look takes three evaluations, a tenth at most of those of the steps between two looks. Enough
// are two in a row that find unknowns that states do not determine, or one of them and four whose
// steps fail, or nine of the latter. The solver's matrix is full then: 300 unknowns are 2e7
// operations. Newton's method gains digits at least one by one if it gains any. First lengths are a
// hundredth of each other, from 2e-7 to 2e-13 of the run: shorter ones drown in the rounding of
// time.
enum {
    LOOK_EVERY = 32, // steps
    ENOUGH = 9,
    STRONG = 5,
    LARGEST = 300,
    PROJECTION_STEPS = 10,
    FIRST_LENGTHS = 4
};
// A projection is done when it moves nothing by more than this part of its tolerance.
static const double projected = 1e-3;
// The length of the first step behind a restart, in five hundredths of the run.
static const double first_length = 1e-4;
// ... and how far it may move a state, in tolerances.
static const double moved = 0.1;
// What a solution may be off by over a step, in tolerances, because of its local errors.
static const double contradiction = 10.0;
// What an unknown that was zero so far is measured by: its tolerance is then that of a state.
static const double unknown_size = 0.1;

// Components, delays and sliding hold more than the states and these unknowns.
static bool holds_all(const sg_integration *g)
{
    return g->segment.n_carried && g->segment.n_states && g->model->carry && !g->model->project &&
           !g->env.sliding.n && !g->env.layout.n_delay;
}

static bool can_carry(const sg_integration *g)
{
    sg_family family = g->options.method->family;
    bool implicit = family == SG_FAMILY_BDF || family == SG_FAMILY_DIRK || family == SG_FAMILY_IDA;
    return holds_all(g) && !g->memory.carry.on && implicit && g->model->residual &&
           !g->options.plain_atol && !(g->options.h_fixed > 0.0) &&
           g->segment.n_states + g->segment.n_carried <= LARGEST;
}

static double tolerance_of(const sg_integration *g, uint32_t i, double x)
{
    return g->options.tolerance * fabs(x) + sg_integration_atol(g, i);
}

static bool is_determined(sg_integration *g, double t, const double *x)
{
    const sg_sim_model *model = g->model;
    for (uint32_t i = 0; i < g->segment.n_states; i++) // as they follow the sizes of states
        g->dx_out[i] =
            g->options.tolerance * fabs(x[i]) + sg_integration_atol(g, i) * g->sizes.part[i];
    g->env.events.time = t;
    g->env.n_evals += 3;
    return model->determines(model->user, &g->env.events, t, x, g->dx_out, g->memory.carry.work);
}

// From env.x on with the other solver.
static sg_status change_over(sg_integration *g)
{
    sg_status status = sg_integration_change_solver(g, true);
    if (!status)
        sg_sim_report(g->diags, g->t, SG_NOTE, SG_E_NONE,
                      "%s: from time = %.10g s on, IDA finds the unknowns of nonlinear systems "
                      "together with the states, which do not determine them within the tolerance",
                      g->model->name, g->t);
    return status;
}

static void keep(sg_integration *g)
{
    if (g->segment.n_carried && g->segment.n_states)
        memmove(g->env.x, g->x, (size_t)g->n_solver * sizeof *g->x);
}

static sg_status look(sg_integration *g)
{
    if (!can_carry(g) || !g->solver || ++g->memory.carry.steps < LOOK_EVERY)
        return SG_OK;
    g->memory.carry.steps = 0;
    // Steps of a multistep method that fail again and again are a sign, too, but a weak one: what
    // is solved for is never exact.
    uint64_t rejected = sg_solver_statistics(g->solver).n_rejected;
    bool fails = rejected - g->memory.carry.rejected >= LOOK_EVERY / 2 &&
                 g->options.method->family != SG_FAMILY_DIRK;
    g->memory.carry.rejected = rejected;
    if (!is_determined(g, g->t, g->x))
        g->memory.carry.looks += STRONG;
    else
        g->memory.carry.looks = fails ? g->memory.carry.looks + 1 : 0;
    if (g->memory.carry.looks < ENOUGH)
        return SG_OK;
    keep(g);
    return change_over(g);
}

// ---- projection -------------------------------------------------------------------------------

typedef struct carry_step {
    sg_integration *g;
    uint32_t n, m; // all unknowns, and the carried ones among them
    double *A;     // m x n: derivatives of the residuals, times tolerances, in rows of length 1
    double *normal, *r; // A transpose(A); residuals of the carried unknowns
    double *off, *dz;   //
    double *tolerance;
    int *pivot;
} carry_step;

static bool residuals(const carry_step *p, double *r)
{
    sg_sim_env *env = &p->g->env;
    env->carried = sg_carried_in(p->g, env->x);
    sg_status status = sg_sim_env_rhs(env, p->g->t, env->x, env->dx);
    env->carried = NULL;
    p->g->model->carried(p->g->model->user, NULL, r, NULL);
    return status == SG_OK;
}

// Fills A and r, scaled so that all rows have the length one.
static bool differentiate(const carry_step *p)
{
    double *x = p->g->env.x;
    bool ok = residuals(p, p->r);
    for (uint32_t j = 0; j < p->n && ok; j++) {
        double before = x[j];
        x[j] += sqrt(DBL_EPSILON) * (fabs(before) + p->tolerance[j]);
        double h = x[j] - before;
        ok = residuals(p, p->off);
        x[j] = before;
        for (uint32_t i = 0; i < p->m; i++)
            p->A[(size_t)i * p->n + j] = (p->off[i] - p->r[i]) / h * p->tolerance[j];
    }
    for (uint32_t i = 0; i < p->m && ok; i++) {
        double *row = p->A + (size_t)i * p->n, sum = 0.0;
        for (uint32_t j = 0; j < p->n; j++)
            sum += row[j] * row[j];
        ok = sum > 0.0 && isfinite(sum);
        for (uint32_t j = 0; j < p->n; j++)
            row[j] /= sqrt(sum);
        p->r[i] /= sqrt(sum);
    }
    return ok;
}

// The shortest step, measured in tolerances, that leads to residuals of zero. Returns its largest
// part, or infinity.
static double step(const carry_step *p)
{
    double most = 0.0;
    uint32_t m = p->m;
    if (!differentiate(p))
        return INFINITY;
    for (uint32_t i = 0; i < m; i++)
        for (uint32_t k = 0; k < m; k++) {
            double sum = 0.0;
            for (uint32_t j = 0; j < p->n; j++)
                sum += p->A[(size_t)i * p->n + j] * p->A[(size_t)k * p->n + j];
            p->normal[i * m + k] = sum;
        }
    if (sg_lu_factor(p->normal, (int)m, p->pivot, NULL) != SG_OK)
        return INFINITY;
    sg_lu_solve(p->normal, (int)m, p->pivot, p->r);
    for (uint32_t j = 0; j < p->n; j++) {
        p->dz[j] = 0.0;
        for (uint32_t i = 0; i < m; i++)
            p->dz[j] -= p->A[(size_t)i * p->n + j] * p->r[i];
        most = fmax(most, fabs(p->dz[j]));
    }
    for (uint32_t j = 0; j < p->n && isfinite(most); j++)
        p->g->env.x[j] += p->dz[j] * p->tolerance[j];
    return isfinite(most) ? most : (double)INFINITY;
}

// Moves env.x to where all residuals vanish; false, and nothing moved, if there is no such point.
static bool project(sg_integration *g, sg_arena *arena)
{
    uint32_t n = (uint32_t)g->n_solver, m = g->segment.n_carried;
    carry_step p = {.g = g,
                    .n = n,
                    .m = m,
                    .A = SG_NEW_ARRAY(arena, double, (size_t)m *n),
                    .normal = SG_NEW_ARRAY(arena, double, (size_t)m *m),
                    .r = SG_NEW_ARRAY(arena, double, m),
                    .off = SG_NEW_ARRAY(arena, double, m),
                    .dz = SG_NEW_ARRAY(arena, double, n),
                    .tolerance = SG_NEW_ARRAY(arena, double, n),
                    .pivot = SG_NEW_ARRAY(arena, int, m)};
    double *before = SG_NEW_ARRAY(arena, double, n);
    if (arena->failed)
        return false;
    memcpy(before, g->env.x, n * sizeof *before);
    for (uint32_t j = 0; j < n; j++)
        p.tolerance[j] = g->options.tolerance * fabs(g->env.x[j]) + g->sizes.atol[j];
    double off = step(&p);
    for (int k = 1; k < PROJECTION_STEPS && off > projected && isfinite(off); k++)
        off = step(&p);
    if (!(off <= projected))
        memcpy(g->env.x, before, n * sizeof *before);
    return off <= projected;
}

// Is everything that led to this event still on its new side?
static bool keeps_sides(sg_integration *g)
{
    sg_sim_env *env = &g->env;
    env->carried = sg_carried_in(g, env->x);
    sg_status status =
        g->event.found ? sg_sim_env_crossings(env, g->t, env->x, env->events.z) : SG_OK;
    env->carried = NULL;
    for (uint32_t i = 0; g->event.found && !status && i < env->n_crossings; i++)
        if (g->event.found[i] * env->events.z[i] < 0.0)
            return false;
    return status == SG_OK;
}

void sg_integration_project_carried(sg_integration *g)
{
    sg_sim_env *env = &g->env;
    if (!g->memory.carry.on || sg_sim_env_rhs(env, g->t, env->x, env->dx) == SG_OK)
        return;
    sg_arena *arena = &g->memory.carry.scratch;
    sg_arena_mark mark = sg_arena_mark_get(arena);
    size_t bytes = (size_t)g->n_solver * sizeof(double);
    double *before = SG_NEW_ARRAY(arena, double, g->n_solver);
    if (before)
        memcpy(before, env->x, bytes);
    if (before && !(project(g, arena) && keeps_sides(g)))
        memcpy(env->x, before, bytes);
    sg_arena_release(arena, mark);
}

// ---- restarts ---------------------------------------------------------------------------------

// A short step of the implicit Euler method from the states x0, with the carried unknowns as its
// unknowns: x = x0 + h (f(x0, w) - v), 0 = g(x, w). With v = 0 it leads on from x0; with the slope
// of a solution that goes through x0 it leads back there, and w is what belongs to both.
typedef struct first_step {
    sg_integration *g;
    double t, h; // [s]
    const double *x0, *v;
} first_step;

static bool first_residuals(void *context, const double *w, double *r, double *size)
{
    const first_step *s = context;
    sg_integration *g = s->g;
    sg_sim_env *env = &g->env;
    env->carried = w;
    sg_status status = sg_sim_env_rhs(env, s->t, s->x0, env->dx);
    for (uint32_t i = 0; i < env->n_states; i++)
        env->x[i] = s->x0[i] + s->h * (env->dx[i] - (s->v ? s->v[i] : 0.0));
    if (!status)
        status = sg_sim_env_rhs(env, s->t, env->x, env->dx_work);
    env->carried = NULL;
    g->model->carried(g->model->user, NULL, r, NULL);
    memset(size, 0, g->segment.n_carried * sizeof *size); // terms are not known
    return status == SG_OK;
}

// Takes it; true if it moved the states so little that it may pass for none.
static bool take_first_step(sg_integration *g, first_step *s, double *w, sg_arena *arena)
{
    uint32_t m = g->segment.n_carried;
    double *typical = SG_NEW_ARRAY(arena, double, m);
    double *r = SG_NEW_ARRAY(arena, double, 2 * m);
    if (arena->failed)
        return false;
    g->model->carried(g->model->user, NULL, NULL, typical);
    for (uint32_t i = 0; i < m; i++)
        typical[i] = g->memory.carry.on
                         ? g->sizes.atol[g->segment.n_states + i] / g->options.tolerance
                     : typical[i] > 0.0 ? typical[i]
                                        : unknown_size;
    sg_newton_problem problem = {(int)m, (int)m, s, first_residuals, typical};
    sg_newton_result result;
    if (sg_newton_solve(&problem, w, arena, &result) != SG_OK ||
        result.outcome != SG_NEWTON_SOLVED || !first_residuals(s, w, r, r + m))
        return false;
    for (uint32_t i = 0; i < g->segment.n_states; i++)
        if (!(fabs(g->env.x[i] - s->x0[i]) <= moved * tolerance_of(g, i, s->x0[i])))
            return false;
    return true;
}

// Does moving the states from x0 to env.x, with time standing still, lead any condition to its
// other side? One that depends on time as well would change back at once, for ever.
static bool changes_sides(sg_integration *g, const double *x0, const double *w, sg_arena *arena)
{
    sg_sim_env *env = &g->env;
    double *before = SG_NEW_ARRAY(arena, double, env->n_crossings);
    if (!before)
        return false;
    env->carried = w;
    bool ok = sg_sim_env_crossings(env, g->t, x0, before) == SG_OK &&
              sg_sim_env_crossings(env, g->t, env->x, env->events.z) == SG_OK;
    env->carried = NULL;
    bool any = false;
    for (uint32_t i = 0; ok && i < env->n_crossings && !any; i++)
        any = before[i] * env->events.z[i] < 0.0;
    return any;
}

// From env.x and the unknowns behind it, which move; false, and nothing moved, if it cannot be
// done.
static bool find_first_step(sg_integration *g, sg_arena *arena)
{
    double *x = g->env.x, h = first_length * g->env.sliding.scale;
    uint32_t n = g->segment.n_states, m = g->segment.n_carried;
    double *x0 = SG_NEW_ARRAY(arena, double, n + m), *w = SG_NEW_ARRAY(arena, double, m);
    bool done = false;
    if (arena->failed)
        return false;
    memcpy(x0, x, (n + m) * sizeof *x0);
    for (int k = 0; k < FIRST_LENGTHS && !done; k++) {
        first_step step = {g, g->t, h, x0, NULL};
        memcpy(w, x0 + n, m * sizeof *w);
        done = take_first_step(g, &step, w, arena);
        h *= 0.01;
    }
    if (done && changes_sides(g, x0, w, arena))
        memcpy(x, x0, n * sizeof *x);
    memcpy(done ? x + n : x, done ? w : x0, (done ? m : n + m) * sizeof *x);
    return done;
}

// The unknowns `w` with which the solution has the slope dx_out at x; false where there are none.
static bool follow_slope(sg_integration *g, double t, double h, const double *x, double *w,
                         sg_arena *arena)
{
    uint32_t n = g->segment.n_states;
    double *own = SG_NEW_ARRAY(arena, double, n);
    if (!own)
        return false;
    first_step step = {g, t, h, x, g->dx_out};
    memcpy(own, g->env.x, n * sizeof *own);
    bool done = take_first_step(g, &step, w, arena);
    memcpy(g->env.x, own, n * sizeof *own);
    return done;
}

// Of a multistep method the unknowns are right at the ends of its steps. In between nobody controls
// how well its polynomials follow them, while the states are as good as ever.
bool sg_integration_refine_carried(sg_integration *g, double t, double h, double *x)
{
    if (!g->memory.carry.on || sg_solver_interpolate(g->solver, t, x, g->dx_out) != SG_OK)
        return false;
    sg_arena *arena = &g->memory.carry.scratch;
    sg_arena_mark mark = sg_arena_mark_get(arena);
    double *w = SG_NEW_ARRAY(arena, double, g->segment.n_carried);
    double *behind = x + g->segment.n_states;
    if (w)
        memcpy(w, behind, g->segment.n_carried * sizeof *w);
    bool found = w && follow_slope(g, t, h, x, w, arena);
    if (found)
        memcpy(behind, w, g->segment.n_carried * sizeof *w);
    sg_arena_release(arena, mark);
    return found;
}

// Is the slope of the solution another one than the derivatives, for more than local errors? Then
// the unknowns may be anything.
static bool slope_contradicts(const sg_integration *g, double h, const double *x,
                              const double *slope)
{
    for (uint32_t i = 0; i < g->segment.n_states; i++)
        if (h * fabs(g->dx_out[i] - slope[i]) > contradiction * tolerance_of(g, i, x[i]))
            return true;
    return false;
}

// With the unknowns that the slope in dx_out asks for; SG_ERR_SOLVER where there are none.
static sg_status evaluate_by_slope(sg_integration *g, double t, double h, const double *x)
{
    sg_arena *arena = &g->memory.carry.scratch;
    sg_arena_mark mark = sg_arena_mark_get(arena);
    uint64_t before = g->options.allocated ? *g->options.allocated : 0;
    double *w = SG_NEW_ARRAY(arena, double, g->segment.n_carried);
    sg_status status = w ? SG_ERR_SOLVER : SG_ERR_MEMORY;
    if (w)
        g->model->carried(g->model->user, w, NULL, NULL);
    if (w && follow_slope(g, t, h, x, w, arena)) {
        g->env.carried = w;
        status = sg_sim_env_store(&g->env, t, x, g->dx_out);
        g->env.carried = NULL;
    }
    sg_arena_release(arena, mark);
    g->changes.alloc += g->options.allocated ? *g->options.allocated - before : 0;
    return status;
}

sg_status sg_integration_evaluate_inside(sg_integration *g, double t, double h, const double *x)
{
    size_t n = (size_t)g->n_solver;
    double *at = g->memory.carry.inside, *slope = at + n;
    if (g->memory.carry.on || !holds_all(g))
        return sg_integration_evaluate(g, t, x);
    memcpy(at, x, n * sizeof *at); // which may be x_out
    // The slope comes first: it may take evaluations elsewhere in the step.
    sg_status none = sg_solver_interpolate(g->solver, t, g->x_out, slope);
    memcpy(g->x_out, at, n * sizeof *at);
    sg_status status = sg_integration_evaluate(g, t, at);
    bool lost = status == SG_ERR_SOLVER, off = !status && slope_contradicts(g, h, at, slope);
    if (none || (!lost && !off))
        return status;
    if (g->env.events.pure)
        sg_kept_put_back(g); // where a search that failed has ended is no place to begin
    bool determined = off && is_determined(g, t, at);
    memcpy(g->dx_out, slope, n * sizeof *slope);
    sg_status other = determined ? SG_ERR_SOLVER : evaluate_by_slope(g, t, h, at);
    return other == SG_ERR_SOLVER ? sg_integration_evaluate(g, t, at) : other; // that says why
}

// Memory for the above is taken where the solver restarts; also for a step that fails, after which
// first steps of several lengths are tried, if that is not very much.
static void reserve_scratch(sg_integration *g)
{
    enum { MUCH = 1 << 20, TRIES = 2 * FIRST_LENGTHS };
    size_t m = g->segment.n_carried, n = m + g->segment.n_states;
    size_t one = (sg_newton_numbers((int)m, (int)m) + 4 * n + 64) * sizeof(double);
    size_t all = TRIES * one + (m * (n + m) + 8 * n) * sizeof(double);
    (void)sg_arena_reserve(&g->memory.carry.scratch, all < MUCH ? all : one);
}

// Lets the unknowns behind env.x follow its states.
static sg_status settle(sg_integration *g)
{
    sg_sim_env *env = &g->env;
    sg_arena *arena = &g->memory.carry.scratch;
    sg_arena_mark mark = sg_arena_mark_get(arena);
    // Where there is no such step the states are off, by their tolerances.
    bool done = find_first_step(g, arena);
    if (!done && project(g, arena)) {
        find_first_step(g, arena);
        done = true;
    }
    bool failed = arena->failed;
    sg_arena_release(arena, mark);
    if (done || failed)
        return failed ? SG_ERR_MEMORY : SG_OK;
    sg_status status = sg_sim_env_rhs(env, g->t, env->x, env->dx);
    g->model->carried(g->model->user, env->x + g->segment.n_states, NULL, NULL);
    return status;
}

static sg_status restart(sg_integration *g)
{
    if (!g->memory.carry.on)
        return SG_OK;
    reserve_scratch(g);
    size_t errors = sg_integration_errors(g);
    // From those of the last evaluation.
    g->model->carried(g->model->user, g->env.x + g->segment.n_states, NULL, NULL);
    sg_status status = settle(g);
    return status ? sg_integration_model_failed(g, status, SG_E_SIM_EVAL, errors, "At a restart")
                  : SG_OK;
}

// ---- steps that failed ------------------------------------------------------------------------

// Do the residuals change when the states do?
static bool feels_states(sg_integration *g)
{
    sg_sim_env *env = &g->env;
    uint32_t m = g->segment.n_carried;
    double *w = g->memory.carry.work, *r[] = {w + m, w + 2 * m};
    bool felt = false;
    g->model->carried(g->model->user, w, NULL, NULL);
    for (int k = 0; k < 2; k++) {
        for (uint32_t i = 0; i < env->n_states; i++)
            g->x_out[i] = env->x[i] + k * tolerance_of(g, i, env->x[i]);
        env->carried = w;
        sg_status status = sg_sim_env_rhs(env, g->t, g->x_out, g->dx_out);
        env->carried = NULL;
        g->model->carried(g->model->user, NULL, r[k], NULL);
        if (status)
            return true;
    }
    for (uint32_t i = 0; i < m; i++)
        felt |= r[0][i] != r[1][i];
    return felt;
}

// Did the model give no values because of where the step had led the states? Not if time alone
// makes the difference.
static bool refuses_states(sg_integration *g)
{
    sg_sim_env *env = &g->env;
    const double *x = NULL;
    if (!sg_solver_refused(g->solver, &g->memory.carry.refused_t, &x) || !feels_states(g))
        return false;
    memcpy(g->memory.carry.refused_x, x, env->n_states * sizeof *x);
    return sg_sim_env_rhs(env, g->t, env->x, env->dx) != SG_OK ||
           sg_sim_env_rhs(env, g->memory.carry.refused_t, env->x, env->dx) == SG_OK;
}

static bool retry(sg_integration *g)
{
    bool first = can_carry(g), stays = g->memory.carry.on && g->t == g->memory.carry.failed;
    if (!first && !g->memory.carry.on)
        return false;
    g->memory.carry.failed = g->t;
    g->memory.carry.tries = stays ? g->memory.carry.tries + 1 : 0;
    if (first)
        return refuses_states(g) && change_over(g) == SG_OK;
    if (!stays)
        g->memory.carry.refused_t = NAN;
    // Behind a jump of the unknowns short steps are harder than long ones. The first length is left
    // to the method.
    static const double lengths[] = {0.0, 1e-2, 1e-4, 1.0, 1e-6};
    if (g->memory.carry.tries >= SG_COUNT(lengths) || settle(g) != SG_OK)
        return false;
    g->memory.carry.length = lengths[g->memory.carry.tries] * g->env.sliding.scale;
    return sg_integration_change_solver(g, true) == SG_OK;
}

// ---- the formulation --------------------------------------------------------------------------

static void segment(sg_integration *g, size_t n)
{
    sg_carry *c = &g->memory.carry;
    sg_arena *arena = &g->segment_arena;
    c->on = false;
    c->steps = c->looks = 0;
    c->rejected = 0;
    c->failed = -INFINITY;
    c->length = 0.0;
    c->refused_t = NAN;
    c->refused_x = SG_NEW_ARRAY(arena, double, g->n_solver);
    c->inside = SG_NEW_ARRAY(arena, double, 2 * n);
    c->work = SG_NEW_ARRAY(arena, double, 3 * (size_t)g->segment.n_carried + 1);
}

static bool is_on(const sg_integration *g) { return g->memory.carry.on; }

static uint32_t begin(sg_integration *g) { return g->segment.n_carried; }

static sg_status rhs(void *user, double t, const double *x, double *dx)
{
    sg_integration *g = user;
    memset(dx + g->segment.n_states, 0, g->segment.n_carried * sizeof *dx);
    g->env.carried = sg_carried_in(g, x);
    sg_status status = sg_sim_env_rhs(&g->env, t, x, dx);
    g->env.carried = NULL;
    return status;
}

static sg_status residual(void *user, double t, const double *x, const double *dx, double *r)
{
    sg_integration *g = user;
    g->env.carried = sg_carried_in(g, x);
    sg_status status = sg_sim_env_residual(&g->env, t, x, dx, r);
    g->env.carried = NULL;
    g->model->carried(g->model->user, NULL, r + g->segment.n_states, NULL);
    return status;
}

static sg_status roots(void *user, double t, const double *x, const double *dx, double *z)
{
    sg_integration *g = user;
    (void)dx;
    g->env.carried = sg_carried_in(g, x);
    sg_status status = sg_sim_env_crossings(&g->env, t, x, z);
    g->env.carried = NULL;
    return status;
}

// Nobody says how large they are, but they were solved for before.
static double tolerances(sg_integration *g, double standard, double *atol)
{
    double *own = atol + g->segment.n_states;
    g->model->carried(g->model->user, NULL, NULL, own);
    for (uint32_t i = 0; i < g->segment.n_carried; i++)
        own[i] = own[i] > 0.0 ? g->options.tolerance * own[i] : standard;
    return 1.0;
}

// What a step leaves of the residuals is felt in the next one, the more the shorter it is.
static double newton_part(const sg_integration *g)
{
    (void)g;
    return 1e-3;
}

static double length_of_first(const sg_integration *g) { return g->memory.carry.length; }

const sg_formulation sg_formulation_carried = {.name = "carried",
                                               .method = "IDA",
                                               .rhs = rhs,
                                               .residual = residual,
                                               .roots = roots,
                                               .own_forms = true,
                                               .fits = is_on,
                                               .begin = begin,
                                               .tolerances = tolerances,
                                               .newton_part = newton_part,
                                               .first_step = length_of_first,
                                               .segment = segment,
                                               .restart = restart,
                                               .keep = keep,
                                               .retry = retry,
                                               .look = look};
