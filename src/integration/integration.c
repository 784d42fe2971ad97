#include "integration/integration.h"

#include "integration/border.h"
#include "integration/carry.h"
#include "integration/constrained.h"
#include "integration/dying.h"
#include "integration/formulation.h"
#include "integration/layer.h"
#include "integration/past.h"
#include "integration/sizes.h"
#include "integration/smooth.h"
#include "integration/watch.h"
#include "program/enclosure.h"

#include <math.h>
#include <string.h>

// ---- the solver's view of the model -------------------------------------------------------------

static sg_status solver_project(void *user, double t, double *x)
{
    return sg_integration_project(user, t, x);
}

static sg_status project(sg_integration *g, double t, double *x, sg_projection how)
{
    const sg_sim_model *model = g->model;
    bool moved = false;
    return model->project && g->segment.n_states
               ? model->project(model->user, &g->env.events, t, x, how, &moved)
               : SG_OK;
}

sg_status sg_integration_project(sg_integration *g, double t, double *x)
{
    return project(g, t, x, SG_PROJECT_STEP);
}

sg_status sg_integration_project_stored(sg_integration *g, double t, double *x)
{
    return project(g, t, x, SG_PROJECT_STORED);
}

// The descriptor form, if the model is large and has one, and the accelerations at the start are
// what it says.
static const sg_descriptor *find_descriptor(sg_integration *g, int32_t least_states)
{
    const sg_sim_model *model = g->model;
    sg_family family = g->options.method->family;
    bool implicit = family == SG_FAMILY_BDF || family == SG_FAMILY_DIRK || family == SG_FAMILY_IDA;
    // Equations that are left to the solver are not of this form.
    for (uint32_t i = 0; i < model->n_linear; i++)
        implicit &= family != SG_FAMILY_IDA || !model->linear[i].in_residual;
    bool wanted = implicit && model->descriptor && g->n_solver >= least_states;
    const sg_descriptor *d = wanted ? model->descriptor(model->user) : NULL;
    if (!d || g->formulation->rhs(g, g->t, g->env.x, g->dx_out) != SG_OK)
        return NULL;
    int32_t n = d->tree->start[d->tree->n];
    double *work = SG_NEW_ARRAY(&g->segment_arena, double, 2 * n + 1);
    if (!work || d->hold(d->user, g->dx_out, work, work + n) != SG_OK)
        return NULL;
    d->release(d->user);
    return d;
}

// Absolute tolerances: a tenth of the relative one times the typical size of a state, where the
// model gives one. Null when they are the same for all.
static const double *make_tolerances(sg_integration *g, double standard, const double *part,
                                     double *each)
{
    const sg_sim_segment *segment = &g->segment;
    const double *nominal = g->options.plain_atol ? NULL : segment->nominal;
    if (!nominal && !g->formulation->begin && !part)
        return segment->atol;
    for (uint32_t i = 0; i < segment->n_states; i++) {
        double atol = segment->atol                 ? segment->atol[i]
                      : nominal && nominal[i] > 0.0 ? 0.1 * g->options.tolerance * nominal[i]
                                                    : standard;
        each[i] = atol * (part ? part[i] : 1.0);
    }
    return each;
}

// Can the method do what the model needs?
static sg_status check_method(sg_integration *g)
{
    const sg_integration_options *o = &g->options;
    if (o->h_fixed > g->env.delays.shortest) {
        sg_sim_remark(g->diags, g->t, SG_ERROR, SG_E_DELAY,
                      "the model delays something by %.10g s, but all steps are %.10g s long; make "
                      "interval shorter or leave out adaptive = false",
                      g->env.delays.shortest, o->h_fixed);
        return SG_ERR_USAGE;
    }
    return SG_OK;
}

static void solver_branches(void *user, sg_branches what)
{
    sg_integration *g = user;
    g->model->branches(g->model->user, what, g->sizes.increment);
}

static sg_status solver_pattern(void *user, const sg_sparsity **pattern)
{
    sg_integration *g = user;
    return g->model->pattern(g->model->user, sg_formulation_takes_residual(g), pattern);
}

// What local errors may be of the tolerance where energy is kept. An impact takes a hundred steps
// and more, and where energy is kept so are their errors: together they were up to 200 tolerances
// of it. It is to be the same before and after an impact to within the tolerance, or `kept` for
// smaller ones; `errors` is how many times smaller each step's has to be for that: twice the number
// of steps times the root of that of a body's states; of ten families of impacts the worst leaves a
// factor of 1.5 (docs/theory/contact.md). The flight behind it begins with steps of low order,
// which lose as much; so it goes on like this up to the next event.
static double tight_part(double tolerance)
{
    static const double kept = 1e-6, errors = 2000.0;
    return fmin(1.0, fmax(tolerance, kept) / (errors * tolerance));
}

sg_status sg_integration_make_solver(sg_integration *g, const double *part, double *atol,
                                     sg_solver **solver)
{
    const sg_integration_options *o = &g->options;
    const sg_sim_segment *segment = &g->segment;
    const sg_formulation *f = g->formulation;
    // Of the state that stands in where there is none, the model's pattern and forms say nothing.
    bool dae = sg_formulation_takes_residual(g), some = segment->n_states > 0;
    sg_problem problem = {
        .n = g->n_solver,
        .n_roots = (int32_t)g->env.n_crossings,
        .user = g,
        .rhs = f->rhs,
        .residual = dae || f->own_residual ? f->residual : NULL,
        .roots = f->roots,
        .foreseen = sg_integration_foreseen,
        .project = g->model->project && !f->holds ? solver_project : NULL,
        .find_pattern = f->pattern                                   ? f->pattern
                        : g->model->pattern && some && !f->own_forms ? solver_pattern
                                                                     : NULL,
        .quadrature = segment->quadrature ? g->quadrature : NULL,
        .quadratures_rest = segment->quadratures_rest,
        .branches = g->model->branches && segment->increment ? solver_branches : NULL,
        .nonsmooth = g->model->nonsmooth,
        .rough = (segment->n_carried || f->rough) && !g->model->nonsmooth,
        .differential = f->begin ? g->differential : NULL};
    g->looked.enclosure =
        g->model->enclosure && !o->plain_atol ? g->model->enclosure(g->model->user) : NULL;
    problem.look = g->looked.enclosure ? sg_integration_look : NULL;
    problem.untold = g->looked.enclosure && g->looked.enclosure->calls ? g->looked.untold : NULL;
    problem.look_at_states = g->looked.enclosure && g->looked.enclosure->n_states;
    sg_solver_options options = sg_solver_options_default();
    problem.descriptor = f->own_forms ? NULL : find_descriptor(g, options.sparse_from);
    problem.border =
        problem.descriptor || problem.n < options.sparse_from ? NULL : sg_integration_border(g);
    options.method = sg_formulation_method(g);
    options.rtol = o->tolerance;
    options.atol = o->atol > 0.0 && !o->plain_atol ? o->atol : 0.1 * o->tolerance;
    options.classic_increments = o->plain_atol || (f->cancels && !sg_scales_are_tiny(g));
    options.check_patterns = o->check_patterns;
    options.timing = o->timing ? &o->timing->solver : NULL;
    problem.atol = make_tolerances(g, options.atol, part, atol);
    problem.most = segment->most && !o->plain_atol ? g->sizes.most : NULL;
    problem.vectors = o->plain_atol ? NULL : segment->vectors;
    problem.n_vectors = segment->n_vectors;
    problem.sways = segment->increment != NULL;
    problem.increment = segment->increment && !o->plain_atol ? g->sizes.increment : NULL;
    if (f->tolerances)
        options.rtol *= f->tolerances(g, options.atol, atol);
    options.h_max = fmin(o->h_max, g->env.delays.shortest);
    options.h_min = o->h_min;
    options.h_fixed = o->h_fixed;
    options.h_initial = f->first_step ? f->first_step(g) : o->h_initial;
    options.interp_points = o->interp_points;
    options.newton_part = f->newton_part ? f->newton_part(g) : 0.0;
    options.own_rates = f->own_residual;
    const char *message = "";
    sg_island_watch watch = {g, f->step};
    sg_island_whole whole = {.user = g, .rhs = f->rhs, .project = solver_project};
    sg_status status =
        f->apart ? sg_solver_create_islands(g->allocator, &problem, &options,
                                            g->model->islands(g->model->user, &whole), &watch,
                                            tight_part(o->tolerance), solver, &message)
                 : sg_solver_create(g->allocator, &problem, &options, solver, &message);
    if (status)
        sg_sim_remark(g->diags, g->t, SG_ERROR, SG_E_SIM_OPTIONS, "solver %s: %s", o->method->name,
                      message);
    return status;
}

static sg_status create_solver(sg_integration *g)
{
    sg_formulation_choose(g);
    sg_status status = check_method(g);
    return status ? status
                  : sg_integration_make_solver(g, g->sizes.refined ? g->sizes.part : NULL,
                                               g->sizes.atol, &g->solver);
}

static void add_stats(sg_integration_stats *sum, const sg_solver *solver)
{
    sg_solver_stats s = sg_solver_statistics(solver);
    sum->n_rhs += s.n_rhs;
    sum->n_roots += s.n_roots;
    sum->n_jacobians += s.n_jacobians;
    sum->n_steps += s.n_steps;
    sum->n_rejected += s.n_rejected;
    sum->h_last = s.h_last;
}

static void drop_solver(sg_integration *g)
{
    if (!g->solver)
        return;
    add_stats(&g->past, g->solver);
    sg_solver_destroy(g->solver);
    g->solver = NULL;
}

// ---- begin and end ------------------------------------------------------------------------------

sg_status sg_integration_create(const sg_allocator *allocator, const sg_sim_model *model,
                                const sg_integration_options *options, sg_diags *diags,
                                sg_integration **out)
{
    if (!allocator)
        allocator = sg_allocator_default();
    sg_integration *g = *out = allocator->resize(allocator->context, NULL, 0, sizeof *g);
    if (!g)
        return SG_ERR_MEMORY;
    *g = (sg_integration){.allocator = allocator,
                          .model = model,
                          .options = *options,
                          .diags = diags,
                          .segment = model->segment,
                          .t = options->start};
    sg_arena_init(&g->arena, allocator);
    sg_arena_init(&g->segment_arena, allocator);
    sg_map_init(&g->sizes.handed_on, allocator);
    sg_arena_init(&g->memory.carry.scratch, allocator);
    sg_buf_init(&g->text, allocator);
    sg_buf_reserve(&g->text, 256); // that messages between events allocate nothing
    sg_status status = sg_sim_env_init(&g->env, &g->arena, model, g->t, options->fixed_thresholds);
    g->env.sliding.scale = options->scale > 0.0 ? options->scale : 1.0;
    g->env.compat_previous = options->compat_previous;
    g->env.frees = sg_smooth_free;
    g->env.frees_user = g;
    g->env.timing = options->timing;
    g->env.delays.tolerance = options->tolerance;
    return status;
}

void sg_integration_destroy(sg_integration *g)
{
    if (!g)
        return;
    sg_solver_destroy(g->solver);
    sg_sim_delays_destroy(&g->env.delays);
    sg_buf_free(&g->text);
    sg_arena_destroy(&g->memory.carry.scratch);
    sg_map_free(&g->sizes.handed_on);
    sg_arena_destroy(&g->segment_arena);
    sg_arena_destroy(&g->arena);
    g->allocator->resize(g->allocator->context, g, sizeof *g, 0);
}

sg_integration_stats sg_integration_statistics(const sg_integration *g)
{
    sg_integration_stats stats = g->past;
    if (g->solver)
        add_stats(&stats, g->solver);
    stats.n_evals = g->env.n_evals;
    return stats;
}

// ---- segments -----------------------------------------------------------------------------------

// Patterns of contacts come and go: what these know is not for long.
static sg_status make_felt(sg_integration *g)
{
    const sg_sim_model *model = g->model;
    const sg_sparsity *pattern = NULL;
    uint32_t n = g->segment.n_states;
    if (n < 2 || n > SG_FELT_LARGEST || !model->pattern || model->nonsmooth)
        return SG_OK;
    sg_status status = model->pattern(model->user, false, &pattern);
    bool fits = status == SG_OK && pattern && (uint32_t)pattern->n == n;
    sg_felt_make(&g->watched.scales.felt, &g->segment_arena, fits ? pattern : NULL);
    return status;
}

// Room for what watches remember of `n` unknowns, and for stretches that are repeated.
static void make_stretch(sg_integration *g, size_t n)
{
    sg_arena *a = &g->segment_arena;
    sg_scales_make(&g->watched.scales, a, n);
    g->watched.stretch = (sg_stretch){.x = SG_NEW_ARRAY(a, double, n),
                                      .largest = SG_NEW_ARRAY(a, double, n),
                                      .part = SG_NEW_ARRAY(a, double, n),
                                      .part_before = SG_NEW_ARRAY(a, double, n),
                                      .atol = SG_NEW_ARRAY(a, double, n),
                                      .mine = SG_NEW_ARRAY(a, double, n),
                                      .theirs = SG_NEW_ARRAY(a, double, n),
                                      .most = SG_NEW_ARRAY(a, double, n),
                                      .size = SG_NEW_ARRAY(a, double, n),
                                      .spent = g->watched.stretch.spent,
                                      .next = g->watched.stretch.next,
                                      .repeated = g->watched.stretch.repeated,
                                      .last = NAN,
                                      .known = NAN};
    sg_growth_make(&g->watched.growth, a, n);
    sg_dormant_make(&g->watched.dormant, a, n);
    g->sizes.part = SG_NEW_ARRAY(a, double, n);
    g->sizes.follows = SG_NEW_ARRAY(a, bool, n);
    g->sizes.floor = SG_NEW_ARRAY(a, double, n);
    g->sizes.n_steps = g->sizes.n_rejected = 0;
    g->sizes.n_bad = 0;
    g->sizes.sized = SG_NEW_ARRAY(a, double, n);
    g->sizes.refined = g->sizes.resized = g->sizes.some = false;
    for (size_t i = 0; g->sizes.part && g->sizes.sized && i < n; i++)
        g->sizes.part[i] = g->sizes.sized[i] = 1.0;
}

sg_status sg_integration_begin_segment(sg_integration *g)
{
    g->n_segments++;
    sg_arena_destroy(&g->segment_arena);
    sg_arena_init(&g->segment_arena, g->allocator);
    sg_formulation_leave(g);
    // Room for what the solver may have behind the states.
    size_t n = (size_t)g->n_solver + sg_sim_segment_behind(&g->segment);
    g->x_out = SG_NEW_ARRAY(&g->segment_arena, double, n);
    g->dx_out = SG_NEW_ARRAY(&g->segment_arena, double, n);
    g->event.found = NULL;
    g->sizes.largest = SG_NEW_ARRAY(&g->segment_arena, double, n);
    g->sizes.recent = SG_NEW_ARRAY(&g->segment_arena, double, n);
    g->sizes.before = SG_NEW_ARRAY(&g->segment_arena, double, n);
    g->watched.verify.work = SG_NEW_ARRAY(&g->segment_arena, double, 4 * n);
    g->watched.dying_work = SG_NEW_ARRAY(&g->segment_arena, double, 9 * n);
    size_t n_crossings = (size_t)g->env.layout.n_positive + g->segment.crossings.n + 1;
    g->event.crossed = SG_NEW_ARRAY(&g->segment_arena, int8_t, n_crossings);
    g->looked.untold = SG_NEW_ARRAY(&g->segment_arena, bool, n_crossings);
    g->looked.may = SG_NEW_ARRAY(&g->segment_arena, bool, n_crossings);
    g->looked.first = SG_NEW_ARRAY(&g->segment_arena, double, n_crossings);
    g->watched.creep.dx = SG_NEW_ARRAY(&g->segment_arena, double, n);
    g->watched.pole.work = SG_NEW_ARRAY(&g->segment_arena, double, 2 * n);
    sg_formulations_segment(g, n);
    make_stretch(g, n);
    g->sizes.atol = SG_NEW_ARRAY(&g->segment_arena, double, n);
    g->sizes.most = SG_NEW_ARRAY(&g->segment_arena, double, n);
    g->sizes.increment = SG_NEW_ARRAY(&g->segment_arena, double, n);
    for (size_t i = 0; g->sizes.increment && i < n; i++)
        g->sizes.increment[i] =
            g->segment.increment && i < g->segment.n_states ? g->segment.increment[i] : 0.0;
    for (size_t i = 0; g->sizes.most && i < n; i++)
        g->sizes.most[i] =
            g->segment.most && i < g->segment.n_states ? g->segment.most[i] : (double)INFINITY;
    g->differential = SG_NEW_ARRAY(&g->segment_arena, bool, n);
    for (uint32_t i = 0; g->differential && i < g->segment.n_states; i++)
        g->differential[i] = true;
    g->quadrature = SG_NEW_ARRAY(&g->segment_arena, bool, n);
    for (uint32_t i = 0; g->quadrature && i < g->segment.n_states; i++)
        g->quadrature[i] = g->segment.quadrature && g->segment.quadrature[i];
    sg_status status = make_felt(g);
    return status ? status : sg_sim_env_begin_segment(&g->env, &g->segment_arena, &g->segment);
}

// Moves the states until the conditions of the start hold, and begins again from there.
static sg_status solve_start(sg_integration *g)
{
    const sg_sim_model *model = g->model;
    for (int round = 0; round < SG_SIM_MAX_ITERATIONS; round++) {
        bool moved = false;
        sg_status status =
            model->solve_start(model->user, &g->env.events, g->t, g->env.x, round, &moved);
        if (status || !moved)
            return status;
        sg_sim_env_forget(&g->env);
        status = sg_integration_event(g, SG_SIM_INITIAL);
        if (status)
            return status;
    }
    sg_sim_remark(g->diags, g->t, SG_ERROR, SG_E_START,
                  "%s: the start did not settle in %d rounds: events change what the initial "
                  "conditions depend on",
                  model->name, SG_SIM_MAX_ITERATIONS);
    return SG_ERR_INIT;
}

// Constraints that the start values only come near to: once they are known, from there again.
static sg_status project_start(sg_integration *g)
{
    bool moved = false;
    sg_status status =
        g->model->project(g->model->user, &g->env.events, g->t, g->env.x, SG_PROJECT_START, &moved);
    if (status || !moved)
        return status;
    sg_sim_env_forget(&g->env);
    return sg_integration_event(g, SG_SIM_INITIAL);
}

sg_status sg_integration_initialize(sg_integration *g)
{
    sg_status status = sg_integration_event(g, SG_SIM_INITIAL);
    if (!status && g->model->project && g->segment.n_states)
        status = project_start(g);
    if (!status && g->n_segments == 1 && g->model->solve_start)
        status = solve_start(g);
    if (!status)
        status = sg_integration_check_start(g);
    if (!status && g->n_segments == 1 && g->model->initialized)
        status = g->model->initialized(g->model->user, &g->env.events, g->env.x);
    return status;
}

bool sg_integration_event_due(const sg_integration *g)
{
    return g->env.restart < SG_RESTART_FULL &&
           sg_events_same_instant(&g->env.events, g->env.next_event, g->t);
}

sg_status sg_integration_start(sg_integration *g)
{
    sg_sizes_begin(g);
    sg_status status = create_solver(g);
    return status ? status : sg_integration_restart(g);
}

sg_status sg_integration_next_segment(sg_integration *g)
{
    if (!g->model->next_segment) {
        sg_sim_report(g->diags, g->t, SG_ERROR, SG_E_SEGMENT,
                      "a full restart was requested at time = %.10g s, but no component of the "
                      "model can begin a new segment",
                      g->t);
        return SG_ERR_ACTION;
    }
    drop_solver(g);
    size_t errors = sg_integration_errors(g);
    sg_status status = sg_sizes_hand_on(g);
    if (!status)
        status = sg_sim_env_terminal(&g->env, g->t, g->env.x, false);
    if (!status)
        status = g->model->next_segment(g->model->user, g->t, g->env.x, &g->segment);
    return status ? sg_integration_model_failed(g, status, SG_E_SEGMENT, errors,
                                                "At the end of a segment")
                  : SG_OK;
}

sg_status sg_integration_terminate(sg_integration *g)
{
    g->env.carried = sg_carried_in(g, g->env.x);
    sg_status status = sg_sim_env_terminal(&g->env, g->t, g->env.x, true);
    g->env.carried = NULL;
    return status;
}

// ---- steps --------------------------------------------------------------------------------------

// Time must advance, whatever the model says.
double sg_integration_shortest_bound(const sg_integration *g)
{
    double part = 1e-7; // of the scale of time; of one second it is not more
    if (g->options.fixed_thresholds)
        return SG_SIM_FIXED_INSTANT;
    return fmax(fmin(part * g->env.sliding.scale, SG_SIM_FIXED_INSTANT),
                SG_SIM_INSTANT_PART * fabs(g->t));
}

// What the model allows as the next step.
static sg_status bound_step(sg_integration *g)
{
    double most = sg_integration_verified_bound(g);
    if (isfinite(most))
        sg_solver_bound_step(g->solver, most);
    if (!g->model->bound_step || g->formulation->apart)
        return SG_OK;
    double h = g->model->bound_step(g->model->user, g->t, g->x);
    if (!(h > 0.0)) {
        sg_sim_report(g->diags, g->t, SG_ERROR, SG_E_SIM_STEP,
                      "%s: at time = %.10g s the model bounds the next step to %g s, which is no "
                      "step",
                      g->model->name, g->t, h);
        return SG_ERR_SOLVER;
    }
    sg_solver_bound_step(g->solver, fmax(h, sg_integration_shortest_bound(g)));
    if (g->model->renew_sizes && g->segment.most)
        g->model->renew_sizes(g->model->user, g->sizes.most);
    return SG_OK;
}

static sg_status check_pattern(sg_integration *g)
{
    int32_t rate, state, n = (int32_t)g->segment.n_states;
    const char *const *names = g->segment.state_names;
    if (!sg_solver_missed(g->solver, &rate, &state))
        return SG_OK;
    sg_sim_remark(g->diags, g->t, SG_ERROR, SG_E_SIM_PATTERN,
                  "the rate of '%s' depends on '%s', which the pattern of Jacobians leaves out; "
                  "this is a mistake of Segue, please report it",
                  names && rate < n ? names[rate] : "an unknown",
                  names && state < n ? names[state] : "an unknown");
    return SG_ERR_INTERNAL;
}

static sg_status went_back(sg_integration *g, sg_integration_step *step)
{
    *step = (sg_integration_step){.t0 = g->t, .t = g->t, .x = g->x, .again = true};
    return SG_OK;
}

sg_status sg_integration_advance(sg_integration *g, double t_stop, sg_integration_step *step)
{
    g->changes.went_back = false;
    const sg_sim_model *model = g->model;
    sg_sim_delays *delays = &g->env.delays;
    bool sharply = false;
    double bend = model->next_stop ? model->next_stop(model->user, g->t, &sharply) : HUGE_VAL;
    double delayed_bend = sg_sim_delays_next_bend(delays, g->t);
    double event = fmin(g->env.next_event, sg_sim_delays_next_jump(delays));
    t_stop = fmin(t_stop, fmin(event, fmin(bend, delayed_bend)));
    size_t errors = sg_integration_errors(g);
    sg_status status = bound_step(g);
    if (status)
        return status;
    if (sg_layer_is_ahead(g, t_stop))
        sg_layer_pass(g, t_stop);
    sg_formulations_keep(g);
    sg_advance advance;
    double from = g->t;
    status = sg_solver_step(g->solver, t_stop, &advance);
    while (status == SG_ERR_SOLVER && sg_formulations_retry(g))
        status = sg_solver_step(g->solver, t_stop, &advance);
    while (status == SG_ERR_SOLVER && !g->changes.status && sg_layer_pass(g, t_stop))
        status = sg_solver_step(g->solver, t_stop, &advance);
    while (status == SG_ERR_SOLVER && !g->changes.status && sg_sizes_give_way(g))
        status = sg_solver_step(g->solver, t_stop, &advance);
    if (status == SG_ERR_SOLVER && !g->changes.status && sg_stretch_undo(g))
        status = sg_solver_step(g->solver, t_stop, &advance);
    if (status == SG_ERR_SOLVER && !g->changes.status && sg_stretch_rescue(g))
        return went_back(g, step);
    if (status)
        return sg_integration_solver_failed(g, g->changes.status ? g->changes.status : status,
                                            errors);
    if (advance.kind == SG_STEP_PAUSE) {
        *step = (sg_integration_step){.t0 = g->t, .t = advance.t, .x = g->x, .paused = true};
        return SG_OK;
    }
    bool woken = sg_dormant_follow(g, &advance);
    g->t = advance.t;
    g->x = advance.x;
    status = g->options.check_patterns ? check_pattern(g) : SG_OK;
    if (status)
        return status;
    sg_integration_watch_scales(g);
    status = sg_watches_step(g, &(sg_watch_step){from, g->t - advance.t0, t_stop - g->t});
    if (status || g->changes.went_back)
        return status ? status : went_back(g, step);
    status = sg_integration_record_past(g);
    if (!status)
        status = sg_dying_sort_out(g, &advance);
    if (status)
        return status;
    bool root = advance.kind == SG_STEP_ROOT;
    bool timed = !root && sg_events_same_instant(&g->env.events, event, advance.t);
    bool bends = sharply && advance.t >= bend;
    sg_sim_delays_stopped(delays, g->t, !root && !timed && !bends && advance.t >= delayed_bend);
    *step = (sg_integration_step){.t0 = advance.t0,
                                  .t = advance.t,
                                  .x = advance.x,
                                  .state_event = root,
                                  .time_event = timed,
                                  .bend = woken || bends || advance.t >= delayed_bend,
                                  .found = root ? advance.found : NULL,
                                  .quiet = root && advance.quiet};
    return SG_OK;
}

sg_status sg_integration_interpolate(sg_integration *g, double t, double *x)
{
    return sg_solver_interpolate(g->solver, t, x, NULL);
}

void sg_integration_take(sg_integration *g, const sg_integration_step *step)
{
    if (g->env.n_states)
        memcpy(g->env.x, step->x, (size_t)g->n_solver * sizeof(double));
    sg_integration_project(g, g->t, g->env.x); // where it cannot be, the evaluation fails, too
    if (!step->state_event && !step->time_event)
        return;
    sg_integration_project_carried(g);
    // The solver's own list goes with the solver, which may be exchanged before the next event.
    g->event.found = step->found ? g->event.crossed : NULL;
    if (step->found)
        memcpy(g->event.crossed, step->found, g->env.n_crossings * sizeof *g->event.crossed);
    g->event.at = g->t;
    g->event.n++;
}

// What local errors may be of the tolerance from here on.
static double part_of_tolerance(sg_integration *g)
{
    if (!g->model->gives_back || g->options.plain_atol)
        return 1.0;
    bool gives = g->model->gives_back(g->model->user);
    if (!(g->t == g->watched.energy.from)) // an event may restart more than once
        g->watched.energy.kept_before = g->watched.energy.keeps;
    g->watched.energy.keeps = gives;
    g->watched.energy.from = g->t;
    return gives || g->watched.energy.kept_before ? tight_part(g->options.tolerance) : 1.0;
}

sg_status sg_integration_restart(sg_integration *g)
{
    size_t errors = sg_integration_errors(g);
    static const double dummy = 0.0;
    bool slides = sg_formulation_slides_otherwise(g);
    if (slides || g->sizes.resized) {
        g->sizes.resized = false;
        drop_solver(g);
        sg_status status = create_solver(g);
        if (status)
            return status;
    }
    sg_status status = sg_formulations_restart(g);
    if (status)
        return status;
    g->x = g->segment.n_states ? g->env.x : &dummy; // whoever fails from here on may tell of it
    status = sg_solver_renew_pattern(g->solver);
    if (status)
        return sg_integration_solver_failed(g, status, errors);
    memset(g->sizes.recent, 0, g->segment.n_states * sizeof *g->sizes.recent);
    sg_integration_watch_scales(g);
    sg_stretch_restart(&g->watched.stretch, g->t - g->restarted);
    g->restarted = g->t;
    sg_stretch_close(g);
    sg_watches_restart(g); // an event may have set anything
    status = sg_integration_resume_past(g);
    if (status)
        return status;
    if (g->segment.n_states) // what events set may be beside the constraints
        sg_integration_project(g, g->t, g->env.x);
    bool fits = true;
    status = sg_integration_constraints_fit(g, &fits);
    if (!status)
        sg_sizes_wake(g);
    if (!status && (!fits || g->sizes.resized)) {
        g->sizes.resized = false;
        drop_solver(g);
        status = create_solver(g);
    }
    if (status)
        return status;
    g->sizes.tightened = part_of_tolerance(g);
    status = sg_solver_tighten(g->solver, g->sizes.tightened);
    g->env.arming = true;
    if (!status)
        status = sg_solver_reinit(g->solver, g->t, g->x);
    g->env.arming = false;
    int32_t islands = sg_solver_count_islands(g->solver);
    g->memory.islands.most = islands > g->memory.islands.most ? islands : g->memory.islands.most;
    return status ? sg_integration_solver_failed(g, status, errors) : SG_OK;
}

sg_status sg_integration_look_again(sg_integration *g)
{
    size_t errors = sg_integration_errors(g);
    sg_status status = sg_solver_look_again(g->solver, NULL);
    return status ? sg_integration_solver_failed(g, status, errors) : SG_OK;
}

sg_status sg_integration_evaluate(sg_integration *g, double t, const double *x)
{
    g->env.carried = sg_carried_in(g, x);
    sg_status status = sg_sim_env_store(&g->env, t, x, g->dx_out);
    g->env.carried = NULL;
    return status;
}

sg_status sg_integration_evaluate_rates(sg_integration *g, double t, const double *x)
{
    g->env.carried = sg_carried_in(g, x);
    sg_status status = sg_sim_env_rhs(&g->env, t, x, g->dx_out);
    g->env.carried = NULL;
    return status;
}

// ---- other states -------------------------------------------------------------------------------

sg_status sg_integration_reselect(sg_integration *g, sg_sim_segment *next, bool *changed)
{
    sg_sim_env *env = &g->env;
    *next = g->segment;
    *changed = false;
    sg_status status = sg_solver_interpolate(g->solver, g->t, env->x, NULL);
    if (!status)
        status = sg_integration_evaluate(g, g->t, env->x);
    if (status) // a step that was accepted can be evaluated; if not, the next one will tell
        return SG_OK;
    return g->model->reselect(g->model->user, g->t, env->x, next, changed);
}

sg_status sg_integration_change_states(sg_integration *g, const sg_sim_segment *next)
{
    double least_part = sg_sizes_least_part(g);
    g->segment = *next;
    g->env.delays.order = 0; // the solution goes on smoothly
    sg_watches_change(g);
    drop_solver(g);
    sg_status status = sg_sim_env_change_states(&g->env, &g->segment);
    if (status)
        return status;
    sg_sizes_exchange(g, least_part);
    status = create_solver(g);
    return status ? status : sg_integration_restart(g);
}

sg_status sg_integration_change_solver(sg_integration *g, bool carries)
{
    uint64_t before = g->options.allocated ? *g->options.allocated : 0;
    drop_solver(g);
    g->memory.carry.on = carries;
    sg_status status = create_solver(g);
    if (!status)
        status = sg_integration_restart(g);
    g->changes.alloc += g->options.allocated ? *g->options.allocated - before : 0;
    g->changes.status = status;
    return status;
}

void sg_integration_without_solver(sg_integration *g)
{
    drop_solver(g);
    sg_formulation_leave(g);
}

sg_status sg_integration_first_states(sg_integration *g)
{
    if (g->changes.first_again)
        return SG_OK;
    g->changes.first_again = true;
    sg_status status = sg_integration_evaluate(g, g->t, g->env.x);
    if (!status)
        status = g->model->first_states(g->model->user, g->t, g->env.x, &g->segment);
    return status ? status : sg_sim_env_change_states(&g->env, &g->segment);
}
