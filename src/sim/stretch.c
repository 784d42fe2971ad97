#include "sim/stretch.h"

#include "sim/integration.h"
#include "sim/scales.h"

#include <math.h>
#include <string.h>

// Tolerances of twins are these parts of what they are in the run.
static const double levels[] = {1e-4, 1e-8, 1e-16, 1e-32, 1e-64};
enum { LEVELS = sizeof levels / sizeof *levels };
// Squares of smaller ones are no numbers any more.
static const double least_atol = 1e-140;
// Events of two answers are the same one if they are this part of the stretch, or of the run so
// far, apart.
static const double same_time = 1e-3, same_in_run = 1e-6;
// A stretch is looked at after so many steps, whatever comes.
enum { MOST_STEPS = 2000 };
// Between two events that are so few steps apart nothing had time to go wrong, and where events
// pile up what is small is where it is because of them.
enum { FEW_STEPS = 10 };
// What a twin may take: steps beside those of the stretch, so many times as many; and all of them
// together, beside those of the run.
enum { TWIN_FREE = 500, TWIN_TIMES = 5, ALL_FREE = 20000, ALL_TIMES = 4 };

bool sg_stretch_possible(const sg_integration *g)
{
    return !g->options.plain_atol && !(g->options.h_fixed > 0.0) && g->segment.n_states &&
           !g->model->sudden && !g->segment.differential && !g->segment.n_carried && !g->carries &&
           !g->constraints && !g->env.sliding.n && !g->slid && !g->env.delays.n_taps;
}

void sg_stretch_open(sg_integration *g, double t, const double *x)
{
    sg_stretch *s = &g->stretch;
    if (s->open || !sg_stretch_possible(g))
        return;
    s->open = true;
    s->due = false;
    s->t = t;
    s->steps = 0;
    memcpy(s->x, x, g->segment.n_states * sizeof *x);
    memcpy(s->largest, g->largest, g->segment.n_states * sizeof *x);
    sg_scales_begin_stretch(g);
}

void sg_stretch_close(sg_integration *g) { g->stretch.open = g->stretch.due = false; }

// ---- twins --------------------------------------------------------------------------------------

typedef struct answer {
    double *x;
    double t; // where it ended, before the end of the stretch if an event came [s]
    bool ok;  // it came as far as that
} answer;

static uint64_t all_steps(const sg_integration *g) { return sg_integration_statistics(g).n_steps; }

static sg_status twin_steps(sg_integration *g, sg_solver *solver, answer *a)
{
    const sg_sim_model *model = g->model;
    sg_stretch *s = &g->stretch;
    uint64_t most = TWIN_FREE + (uint64_t)TWIN_TIMES * s->steps;
    const double *x = s->x;
    bool sharply = false;
    a->t = s->t;
    a->ok = false;
    for (uint64_t k = 0; k < most && !a->ok; k++, s->spent++) {
        sg_advance advance;
        double stop =
            model->next_stop ? model->next_stop(model->user, a->t, &sharply) : (double)INFINITY;
        double h = model->bound_step ? model->bound_step(model->user, a->t, x) : (double)INFINITY;
        if (!(h > 0.0))
            return SG_OK;
        sg_solver_bound_step(solver, h);
        sg_status status = g->options.poll ? g->options.poll(g->options.poll_user) : SG_OK;
        if (status)
            return status;
        status = sg_solver_step(solver, fmin(g->t, stop), &advance);
        if (status) // this one cannot; that is no answer
            return status == SG_ERR_SOLVER ? SG_OK : status;
        a->t = advance.t;
        x = advance.x;
        a->ok = a->t >= g->t || advance.kind == SG_STEP_ROOT;
    }
    memcpy(a->x, x, g->segment.n_states * sizeof *x);
    return SG_OK;
}

// From the beginning of the stretch to where the run stands, with `level` of the tolerances.
static sg_status run_twin(sg_integration *g, double level, answer *a)
{
    sg_stretch *s = &g->stretch;
    sg_solver *solver = NULL;
    for (uint32_t i = 0; i < g->segment.n_states; i++) {
        double least = fmin(1.0, least_atol / (sg_integration_atol(g, i) * g->part[i]));
        s->part[i] = g->part[i] * (g->scales.suspect[i] ? fmax(level, least) : 1.0);
    }
    a->ok = false;
    memcpy(g->env.x, s->x, g->segment.n_states * sizeof *s->x);
    sg_status status = sg_integration_make_solver(g, s->part, s->atol, &solver);
    if (!status)
        status = sg_solver_tighten(solver, g->tightened);
    if (!status)
        status = sg_solver_reinit(solver, s->t, s->x);
    if (!status)
        status = twin_steps(g, solver, a);
    else if (status == SG_ERR_SOLVER)
        status = SG_OK;
    sg_solver_destroy(solver);
    return status;
}

// ---- what follows -------------------------------------------------------------------------------

static sg_status go_back(sg_integration *g)
{
    sg_stretch *s = &g->stretch;
    uint32_t n = g->segment.n_states;
    memcpy(g->part, s->part, n * sizeof *g->part);
    memcpy(g->largest, s->largest, n * sizeof *g->largest);
    g->refined = true;
    memcpy(g->env.x, s->x, n * sizeof *s->x);
    g->t = s->t;
    s->repeated++;
    sg_stretch_close(g);
    return sg_integration_change_solver(g, false);
}

// Twins with ever smaller tolerances, until two answers agree. `repeat` if those of the run are
// others.
static sg_status find_answer(sg_integration *g, bool *repeat, bool *known)
{
    sg_stretch *s = &g->stretch;
    uint32_t n = g->segment.n_states;
    answer before = {s->mine, g->t, true}, now = {s->theirs, g->t, false};
    memcpy(before.x, g->x, n * sizeof *before.x);
    sg_scales_begin_test(g);
    *repeat = *known = false;
    for (int k = 0; k < LEVELS; k++) {
        if (s->spent > ALL_FREE + ALL_TIMES * all_steps(g))
            return SG_OK;
        sg_status status = run_twin(g, levels[k], &now);
        if (status || !now.ok)
            return status;
        bool both = fabs(before.t - now.t) <=
                    fmax(same_time * (g->t - s->t), same_in_run * (g->t - g->options.start));
        if (sg_scales_agree(g, before.x, now.x) && both) {
            *repeat = k > 0;
            *known = true;
            return SG_OK;
        }
        if (sg_scales_are_noise(g))
            return SG_OK;
        answer swap = before;
        before = now;
        now = (answer){swap.x, g->t, false};
    }
    return SG_OK;
}

static sg_status test(sg_integration *g, sg_stretch_outcome *outcome)
{
    uint64_t before = g->options.allocated ? *g->options.allocated : 0;
    uint64_t spent = g->stretch.spent;
    bool repeat, known;
    sg_status status = find_answer(g, &repeat, &known);
    // Where nothing was wrong, tests take no more steps than the run.
    g->stretch.next = repeat ? 0 : all_steps(g) + (g->stretch.spent - spent);
    g->changes_alloc += g->options.allocated ? *g->options.allocated - before : 0;
    if (status)
        return status;
    *outcome = repeat ? SG_STRETCH_REPEATED : SG_STRETCH_OVER;
    if (repeat) {
        sg_scales_tell_repeat(g);
        return go_back(g);
    }
    status = sg_scales_settled(g, known);
    sg_stretch_close(g);
    return status;
}

sg_status sg_stretch_settle(sg_integration *g, bool closing, sg_stretch_outcome *outcome)
{
    sg_stretch *s = &g->stretch;
    *outcome = SG_STRETCH_NONE;
    if (!s->open)
        return SG_OK;
    // An event right behind the start ends a stretch in which everything that begins at zero is
    // small; repeated with smaller tolerances it would come sooner still.
    bool brief = g->t - s->t <= 1e-6 * g->env.sliding.scale;
    bool few = s->t == g->restarted && s->steps < FEW_STEPS && (g->n_events > 0 || brief);
    bool looks = closing || s->steps >= MOST_STEPS;
    bool may = all_steps(g) >= s->next;
    if (may && (s->due || (looks && !few && sg_scales_armed(g))))
        return test(g, outcome);
    *outcome = SG_STRETCH_GOES_ON;
    if (looks || !sg_scales_near(g)) {
        sg_stretch_close(g);
        *outcome = SG_STRETCH_OVER;
    }
    return SG_OK;
}
