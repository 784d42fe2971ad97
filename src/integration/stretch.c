#include "integration/stretch.h"

#include "integration/formulation.h"
#include "integration/scales.h"
#include "integration/sizes.h"

#include <math.h>
#include <string.h>

// Tolerances of twins are these parts of what they are in the run.
static const double levels[] = {1e-4, 1e-8, 1e-16, 1e-32, 1e-64};
enum { LEVELS = sizeof levels / sizeof *levels };
// Squares of smaller ones are no numbers any more.
static const double least_atol = 1e-140;
// The reciprocals of smaller ones are none, either.
static const double least_number = 1e-304;
// What began at zero is there from so many times what rounding may leave in it.
static const double above_rounding = 5.0;
// ... and tolerances stay so many times above what was measured of that.
static const double above_noise = 10.0;
// A state never was large if it had so many tolerances at most.
static const double few_tolerances = 100.0;
// A state is seen by a tolerance that is this part of it.
static const double seen = 0.01;
// Events of two answers are the same one if they are this part of the stretch, or of the run so
// far, apart.
static const double same_time = 1e-3, same_in_run = 1e-6;
// From one place a run begins again so often at most: what asks for more than that is no better
// with smaller tolerances.
enum { AGAIN = 2 };
// ... and so often for a crossing function, with tolerances 1e-4 times smaller each time. Three
// were 60 tolerances off for values of 1e-20; behind six, no step leads away from where all is
// zero.
enum { ASKED = 4 };
// A stretch is looked at after so many steps, whatever comes.
enum { MOST_STEPS = 2000 };
// Right behind a restart, so few steps and so little of the run on (in five hundredths of it),
// nothing had time to go wrong.
enum { FEW_STEPS = 10 };
static const double behind_restart = 1e-6;
// What a twin may take: steps beside those of the stretch, so many times as many; and all of them
// together, beside those of the run.
enum { GROWTH_FREE = 5000, GROWTH_TIMES = 100 };
// No number grows by more than that; next to a pole rates say anything.
static const double most_exponent = 1000.0;
enum { FREE_WORK = 2000000 }; // evaluations times states
enum { TWIN_FREE = 500, TWIN_TIMES = 5, ALL_FREE = 20000, ALL_TIMES = 4 };
// Of what begins at zero: steps of a twin that need not come to the end, and how many times as many
// the one may take that is compared with it, with tolerances so many times smaller (a method of
// order p takes 10^(1/p) times as many, 3.2 with p = 2); how often sizes are looked for, from which
// part on they are others, and up to which part of them values are the same.
enum { PARTLY = 200, PARTLY_TIMES = 4, SIZES = 4 };
static const double closer_twin = 10.0, smaller_size = 0.1, same_value = 0.01;
// A run goes back so often because of them: states of a circuit that wake up one after another.
enum { SIZED_MOST = 20 };

// Events pile up if each time between restarts is shorter than the last but one, six times in a
// row: they come in pairs where one thing reverses and another crosses. Until they are as far apart
// again as when that was seen first, what is small is where it is because of them: behind the pile
// they chatter.
void sg_stretch_restart(sg_stretch *s, double seconds)
{
    if (!(seconds > 0.0)) // several at a time, or the run went back
        return;
    memmove(s->between + 1, s->between, (SG_STRETCH_TIMES - 1) * sizeof *s->between);
    s->between[0] = seconds;
    bool shorter = true;
    for (int k = 0; k + 2 < SG_STRETCH_TIMES; k++)
        shorter &= s->between[k] < s->between[k + 2];
    if (shorter)
        s->pile = fmax(s->pile, fmax(seconds, s->between[1]));
    else if (seconds > s->pile)
        s->pile = 0.0;
}

static bool events_pile_up(const sg_integration *g)
{
    return g->t - g->restarted <= g->watched.stretch.pile;
}

bool sg_stretch_possible(const sg_integration *g)
{
    return !g->options.plain_atol && !(g->options.h_fixed > 0.0) && g->segment.n_states &&
           !g->model->nonsmooth && !g->segment.n_carried &&
           g->formulation == &sg_formulation_plain && !g->env.sliding.n && !g->env.delays.n_taps;
}

void sg_stretch_open(sg_integration *g, double t, const double *x)
{
    sg_stretch *s = &g->watched.stretch;
    if (s->open || !sg_stretch_possible(g))
        return;
    s->open = true;
    s->due = false;
    s->t = t;
    s->steps = 0;
    memcpy(s->x, x, g->segment.n_states * sizeof *x);
    memcpy(s->largest, g->sizes.largest, g->segment.n_states * sizeof *x);
    sg_scales_begin_stretch(g);
}

void sg_stretch_close(sg_integration *g)
{
    g->watched.stretch.open = g->watched.stretch.due = false;
    g->watched.stretch.asked = 0;
}

void sg_stretch_ask(sg_integration *g, uint32_t crossing)
{
    g->watched.stretch.asked = crossing + 1;
}

// ---- twins --------------------------------------------------------------------------------------

typedef struct answer {
    double *x;
    double t;   // where it ended, before the end of the stretch if an event came [s]
    bool root;  // ... which is so
    bool ok;    // it came as far as that
    bool blind; // what ought to grow was below its tolerances, too
    bool spent; // it had no steps left
} answer;

// Did a state that ought to grow fall below the tolerance of the twin, at two points in a row? One
// that swings through zero does at one.
static bool loses(sg_integration *g, const double *x, const double *before)
{
    const sg_growth *growth = &g->watched.growth;
    for (uint32_t i = 0; i < g->segment.n_states; i++) {
        double atol = g->watched.stretch.atol[i];
        growth->seen[i] = growth->seen[i] || fabs(x[i]) > atol;
        if (growth->seen[i] && sg_scales_grows(g, i) && fabs(x[i]) < atol && fabs(before[i]) < atol)
            return true;
    }
    return false;
}

static uint64_t all_steps(const sg_integration *g) { return sg_integration_statistics(g).n_steps; }

static uint64_t most_steps(const sg_integration *g)
{
    const sg_stretch *s = &g->watched.stretch;
    // Where the run lost what ought to have grown it took hardly any steps.
    uint64_t growth =
        g->watched.scales.growing
            ? GROWTH_FREE + GROWTH_TIMES * (uint64_t)fmin(g->watched.growth.exponent, most_exponent)
        : s->rescues ? GROWTH_FREE
                     : 0;
    return TWIN_FREE + (uint64_t)TWIN_TIMES * s->steps + growth;
}

// Tests of all stretches together take as many evaluations as the run itself, beside some that only
// models of many states notice, unless it is about to end.
static bool can_afford(const sg_integration *g)
{
    const sg_stretch *s = &g->watched.stretch;
    uint64_t all = sg_sim_env_own_evals(&g->env);
    uint64_t tests = s->evals + (all - s->begun), run = all - tests;
    return s->rescues || tests <= FREE_WORK / g->segment.n_states + run;
}

// Up to `until`, with `most` steps.
static sg_status twin_steps(sg_integration *g, sg_solver *solver, double until, uint64_t most,
                            answer *a)
{
    const sg_sim_model *model = g->model;
    sg_stretch *s = &g->watched.stretch;
    const double *x = s->x;
    bool sharply = false;
    a->t = s->t;
    a->ok = a->blind = a->root = a->spent = false;
    memcpy(a->x, s->x, g->segment.n_states * sizeof *x);
    for (uint32_t i = 0; i < g->segment.n_states; i++) {
        g->watched.growth.seen[i] = fabs(s->x[i]) > s->atol[i];
        s->most[i] = fabs(s->x[i]);
    }
    for (uint64_t k = 0; k < most && !a->ok && can_afford(g); k++, s->spent++) {
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
        status = sg_solver_step(solver, fmin(until, stop), &advance);
        if (status) // this one cannot; that is no answer
            return status == SG_ERR_SOLVER ? SG_OK : status;
        a->t = advance.t;
        x = advance.x;
        a->blind |= g->watched.scales.growing && loses(g, x, a->x);
        memcpy(a->x, x, g->segment.n_states * sizeof *x);
        for (uint32_t i = 0; i < g->segment.n_states; i++)
            s->most[i] = fmax(s->most[i], fabs(x[i]));
        a->root = advance.kind == SG_STEP_ROOT;
        a->ok = a->t >= until || a->root;
    }
    a->spent = !a->ok;
    for (uint32_t i = 0; g->watched.scales.growing && i < g->segment.n_states; i++)
        a->blind |= !g->watched.growth.seen[i] && x[i] != 0.0 && sg_scales_grows(g, i);
    return SG_OK;
}

// What a tolerance becomes. It begins below the size of a state that ought to grow, or began with a
// value: an answer that does not see it, either, says nothing.
static double part_of(const sg_integration *g, uint32_t i, double level)
{
    const sg_scales *scales = &g->watched.scales;
    double atol = sg_integration_atol(g, i) * g->sizes.part[i],
           size = fabs(g->watched.stretch.x[i]) / atol;
    double least = fmin(1.0, least_atol / atol);
    bool grows = sg_scales_grows(g, i);
    bool value = size > 0.0 && sg_growth_is_value(g, i);
    if (!grows && !scales->looking)
        return 1.0;
    // What began at zero is as large as it became, if that is not rounding. An answer that is no
    // more exact than what it is compared by says nothing: it may take the steps of the run.
    double compared = fmin(seen, sg_scales_same(g));
    double became = scales->most[i] / atol;
    bool there = scales->most[i] > above_rounding * scales->rounding[i];
    if (sg_scales_is_value(g, i)) // nobody follows rounding
        least = fmax(least, fmin(1.0, above_noise * g->watched.growth.noise[i] / atol));
    if (!grows && !(g->watched.growth.given[i] && value))
        return fmax(there ? fmin(level, compared * became * level / levels[0]) : level, least);
    if (!value)
        return fmax(level * fmin(1.0, seen * scales->least), least);
    // Errors of a state that is there are not larger than itself, whatever its square is.
    least = fmin(least, fmax(seen * level * size, least_number / atol));
    return fmax(level * fmin(1.0, seen * size), least);
}

// From the beginning of the stretch, with the tolerances that `part` says.
static sg_status follow_parts(sg_integration *g, double until, uint64_t most, answer *a)
{
    sg_stretch *s = &g->watched.stretch;
    sg_solver *solver = NULL;
    a->ok = a->spent = false;
    memcpy(g->env.x, s->x, g->segment.n_states * sizeof *s->x);
    sg_status status = sg_integration_make_solver(g, s->part, s->atol, &solver);
    if (!status)
        status = sg_solver_tighten(solver, g->sizes.tightened);
    if (!status)
        status = sg_solver_reinit(solver, s->t, s->x);
    if (!status)
        status = twin_steps(g, solver, until, most, a);
    else if (status != SG_ERR_MEMORY)
        status = SG_OK;
    sg_solver_destroy(solver);
    return status;
}

// To where the run stands, with `level` of the tolerances.
static sg_status run_twin(sg_integration *g, double level, answer *a)
{
    sg_stretch *s = &g->watched.stretch;
    for (uint32_t i = 0; i < g->segment.n_states; i++)
        s->part[i] = g->sizes.part[i] * (g->watched.scales.suspect[i] ? part_of(g, i, level) : 1.0);
    return follow_parts(g, g->t, most_steps(g), a);
}

// ---- what begins at zero ------------------------------------------------------------------------
//
// A state that begins at zero and stays below its tolerance was never controlled: 300 periods of
// an oscillation may be six steps, and a twin that sees them runs out of its own long before. It
// need not come to the end. What two twins with different tolerances agree on as far as they come
// is a value and no noise; where each takes many times the steps of the run, the run did not see
// it.

// Do its tolerances follow its size from here on?
static bool sizes_itself(const sg_integration *g, uint32_t i)
{
    return g->watched.scales.suspect[i] && sg_scales_is_value(g, i);
}

// Sets `part` by the sizes in `seen`, and makes it `times` smaller.
static void set_sizes(sg_integration *g, double times)
{
    sg_stretch *s = &g->watched.stretch;
    for (uint32_t i = 0; i < g->segment.n_states; i++) {
        s->part[i] = g->sizes.part[i];
        if (sizes_itself(g, i))
            s->part[i] = fmin(g->sizes.part[i], sg_sizes_part(g, i, s->size[i]) / times);
    }
}

// The way of the first twin, with tolerances for the sizes that the states have on it: those of
// the run may be anything below its tolerances.
static sg_status find_sizes(sg_integration *g, answer *a)
{
    sg_stretch *s = &g->watched.stretch;
    memcpy(s->size, g->watched.scales.most, g->segment.n_states * sizeof *s->size);
    for (int round = 0; round < SIZES; round++) {
        bool smaller = false;
        set_sizes(g, 1.0);
        sg_status status = follow_parts(g, g->t, PARTLY, a);
        if (status || !(a->ok || a->spent))
            return status;
        for (uint32_t i = 0; i < g->segment.n_states; i++) {
            if (!sizes_itself(g, i) || s->most[i] >= smaller_size * s->size[i] ||
                !(s->most[i] > 0.0))
                continue;
            s->size[i] = s->most[i];
            smaller = true;
        }
        if (!smaller)
            return SG_OK;
    }
    return SG_OK;
}

// Noise does not come out the same twice; a value does, to what the method makes of its tolerance.
static bool are_values(const sg_integration *g, const answer *a, const answer *b)
{
    for (uint32_t i = 0; i < g->segment.n_states; i++)
        if (sizes_itself(g, i) &&
            !(fabs(a->x[i] - b->x[i]) <= same_value * g->watched.stretch.most[i]))
            return false;
    return true;
}

static sg_status find_partly(sg_integration *g, answer *a, answer *b, bool *repeat)
{
    sg_stretch *s = &g->watched.stretch;
    if (!sg_scales_sees_values(g) || s->sized >= SIZED_MOST)
        return SG_OK;
    sg_status status = find_sizes(g, a);
    if (status || !(a->ok || a->spent) || !(a->t > s->t))
        return status;
    set_sizes(g, closer_twin);
    status = follow_parts(g, a->t, (uint64_t)PARTLY_TIMES * PARTLY, b);
    bool both = b->ok && fabs(a->t - b->t) <= same_time * (a->t - s->t);
    if (status || !both || !are_values(g, a, b))
        return status;
    set_sizes(g, 1.0);
    *repeat = true;
    s->sized++;
    return SG_OK;
}

// ---- what follows -------------------------------------------------------------------------------

// What never was large keeps smaller tolerances until it is: from then on they would make each of
// its passages through zero a thousand steps. What fell needs them as long as the run lasts.
static void let_follow(sg_integration *g)
{
    const sg_stretch *s = &g->watched.stretch;
    for (uint32_t i = 0; i < g->segment.n_states; i++) {
        double atol = sg_integration_atol(g, i);
        bool large = s->largest[i] > few_tolerances * atol;
        if (large || s->part[i] >= g->sizes.part[i] || s->part[i] * atol <= least_atol)
            continue;
        g->sizes.sized[i] = s->part[i];
        g->sizes.some = true;
    }
}

static sg_status go_back(sg_integration *g)
{
    sg_stretch *s = &g->watched.stretch;
    uint32_t n = g->segment.n_states;
    let_follow(g);
    memcpy(s->part_before, g->sizes.part, n * sizeof *g->sizes.part);
    memcpy(g->sizes.part, s->part, n * sizeof *g->sizes.part);
    memcpy(g->sizes.largest, s->largest, n * sizeof *g->sizes.largest);
    g->sizes.refined = true;
    memcpy(g->env.x, s->x, n * sizeof *s->x);
    g->t = s->t;
    s->repeated++;
    s->again = s->t == s->last ? s->again + 1 : 1;
    s->last = s->t;
    sg_stretch_close(g);
    return sg_integration_change_solver(g, false);
}

// A twin had no steps left, and does not say what the one before was: that is the better answer,
// since no method is less exact with smaller tolerances. What an event wakes begins from it; where
// none follows, as in the front of what spreads through a long chain, the next stretch asks again.
static sg_status leave_open(sg_integration *g, answer *now, answer *before, bool others,
                            bool *repeat)
{
    sg_stretch *s = &g->watched.stretch;
    sg_status status = find_partly(g, now, before, repeat);
    if (status || *repeat || !others || !s->wakes || !sg_scales_sees_values(g) ||
        s->sized >= SIZED_MOST)
        return status;
    memcpy(s->part, s->part_before, g->segment.n_states * sizeof *s->part);
    *repeat = true;
    s->sized++;
    return SG_OK;
}

// Twins with ever smaller tolerances, until two answers agree. `repeat` if those of the run are
// others; `closer` if none do but the last of them, with the tolerances `part_before`, are.
static sg_status ask_twins(sg_integration *g, bool *closer, bool *repeat, bool *known)
{
    sg_stretch *s = &g->watched.stretch;
    uint32_t n = g->segment.n_states;
    answer before = {.x = s->mine, .t = g->t, .ok = true}, now = {.x = s->theirs};
    memcpy(before.x, g->x, n * sizeof *before.x);
    sg_scales_begin_test(g);
    *closer = *repeat = *known = false;
    bool others = false; // those before are a twin's
    for (int k = 0; k < LEVELS; k++) {
        if (s->spent > ALL_FREE + ALL_TIMES * all_steps(g) || !can_afford(g))
            return SG_OK;
        sg_status status = run_twin(g, levels[k], &now);
        if (!status && now.spent && !g->watched.scales.growing && !s->rescues)
            return leave_open(g, &now, &before, others, repeat);
        if (status || (!now.ok && !g->watched.scales.growing && !s->rescues))
            return status;
        if (!now.ok) // it lost its way where a smaller tolerance may see one
            continue;
        bool both = fabs(before.t - now.t) <=
                    fmax(same_time * (g->t - s->t), same_in_run * (g->t - g->options.start));
        bool early = before.root && now.root && now.t < g->t;
        if (sg_scales_agree(g, before.x, now.x, early) && both && !now.blind) {
            *repeat = others;
            *known = true;
            // Those of the one before were small enough, unless something makes more of the rest.
            if (others && !g->watched.scales.growing)
                memcpy(s->part, s->part_before, n * sizeof *s->part);
            if (!others)
                sg_scales_add_drift(g, before.x, now.x);
            return SG_OK;
        }
        if (sg_scales_are_noise(g) && !now.blind)
            return find_partly(g, &now, &before, repeat);
        if (!others)
            g->watched.scales.difference_run = g->watched.scales.difference;
        others = true;
        g->watched.scales.compared = true;
        answer swap = before;
        before = now;
        now = (answer){.x = swap.x};
        memcpy(s->part_before, s->part, n * sizeof *s->part);
        *closer = k > 0 && !before.blind && sg_scales_are_closer(g, k > 1);
    }
    return SG_OK;
}

// The run was right so far, but nothing made it so: a method of order five is exact where a body
// falls freely, and leaps wherever the next stretch asks for more. What was seen to be a value has
// tolerances for its size from the event on.
static void follow_values(sg_integration *g)
{
    for (uint32_t i = 0; i < g->segment.n_states; i++) {
        double part = sizes_itself(g, i) ? sg_sizes_part(g, i, g->watched.scales.most[i]) : 1.0;
        if (part >= g->sizes.part[i])
            continue;
        g->sizes.part[i] = g->sizes.sized[i] = part;
        g->sizes.refined = g->sizes.resized = g->sizes.some = true;
    }
}

static sg_status find_answer(sg_integration *g, bool *repeat, bool *known)
{
    bool closer;
    sg_status status = ask_twins(g, &closer, repeat, known);
    if (status || *repeat || *known || !closer)
        return status;
    memcpy(g->watched.stretch.part, g->watched.stretch.part_before,
           g->segment.n_states * sizeof *g->watched.stretch.part);
    *repeat = true;
    return SG_OK;
}

static sg_status test(sg_integration *g, sg_stretch_outcome *outcome)
{
    uint64_t before = g->options.allocated ? *g->options.allocated : 0;
    uint64_t spent = g->watched.stretch.spent;
    bool repeat, known;
    g->watched.stretch.begun = sg_sim_env_own_evals(&g->env);
    sg_status status = find_answer(g, &repeat, &known);
    g->watched.stretch.evals += sg_sim_env_own_evals(&g->env) - g->watched.stretch.begun;
    // Where nothing was wrong, tests take no more steps than the run.
    g->watched.stretch.next = repeat ? 0 : all_steps(g) + (g->watched.stretch.spent - spent);
    g->changes.alloc += g->options.allocated ? *g->options.allocated - before : 0;
    if (status)
        return status;
    repeat = repeat &&
             (g->watched.stretch.t != g->watched.stretch.last || g->watched.stretch.again < AGAIN);
    *outcome = repeat ? SG_STRETCH_REPEATED : SG_STRETCH_OVER;
    if (repeat) {
        sg_scales_tell_repeat(g);
        return go_back(g);
    }
    g->watched.growth.pending = 0.0;
    if (known && !g->watched.stretch.wakes)
        g->watched.stretch.known = g->t;
    if (known && g->watched.stretch.wakes)
        follow_values(g);
    status = sg_scales_settled(g, known);
    sg_stretch_close(g);
    return status;
}

bool sg_stretch_rescue(sg_integration *g)
{
    const sg_stretch *s = &g->watched.stretch;
    sg_stretch_outcome outcome = SG_STRETCH_NONE;
    if (!s->open || !(g->t > s->t) || events_pile_up(g))
        return false;
    g->watched.stretch.wakes = false;
    g->watched.scales.looking = g->watched.stretch.rescues = true;
    g->changes.went_back = test(g, &outcome) == SG_OK && outcome == SG_STRETCH_REPEATED;
    g->watched.stretch.rescues = false;
    return g->changes.went_back;
}

static void tell_asked(sg_integration *g)
{
    if (g->watched.stretch.repeated > 0)
        return;
    sg_sim_report(g->diags, g->watched.stretch.t, SG_NOTE, SG_E_SIM_SCALE,
                  "whether %s changes at time = %.10g s depends on states that are below their "
                  "absolute tolerances and not controlled; from time = %.10g s on the run was "
                  "repeated with smaller ones of these states",
                  sg_integration_crossing_text(g, g->watched.stretch.asked - 1), g->t,
                  g->watched.stretch.t);
}

bool sg_stretch_is_brief(const sg_integration *g)
{
    const sg_stretch *s = &g->watched.stretch;
    return s->t == g->restarted && s->steps < FEW_STEPS &&
           (g->t - s->t) / g->env.sliding.scale <= behind_restart;
}

sg_status sg_stretch_settle(sg_integration *g, bool closing, sg_stretch_outcome *outcome)
{
    sg_stretch *s = &g->watched.stretch;
    *outcome = SG_STRETCH_NONE;
    if (!s->open)
        return SG_OK;
    if (s->asked) {
        *outcome = SG_STRETCH_REPEATED;
        tell_asked(g);
        return go_back(g);
    }
    // An event right behind the start ends a stretch in which everything that begins at zero is
    // small; repeated with smaller tolerances it would come sooner still. So would events that pile
    // up. What lasts may be wrong after one step.
    bool few = sg_stretch_is_brief(g) || g->t - g->restarted <= s->pile;
    bool looks = closing || s->steps >= MOST_STEPS;
    if (looks)
        sg_growth_watch(g, true);
    few &= !sg_growth_promises(g);
    // Next to the end of a solution steps drown in rounding: no twin goes from a time to itself.
    bool moved = g->t > s->t;
    bool may = (looks || s->due) && all_steps(g) >= s->next; // nobody asks otherwise
    if (looks && !s->due && sg_growth_promises(g)) {
        g->watched.growth.pending += sg_growth_own(g);
        may = (may || sg_growth_is_much(g)) && !sg_growth_is_little(g);
    }
    if (may && moved && (s->due || (looks && !few))) {
        // This costs evaluations.
        s->wakes = closing && g->t < g->options.stop;
        if (sg_scales_armed(g, s->wakes) || s->due)
            return test(g, outcome);
    }
    *outcome = SG_STRETCH_GOES_ON;
    if (looks || !sg_scales_near(g)) {
        sg_stretch_close(g);
        *outcome = SG_STRETCH_OVER;
    }
    return SG_OK;
}

bool sg_stretch_was_in_vain(const sg_integration *g)
{
    const sg_stretch *s = &g->watched.stretch;
    return s->undone && s->undone == s->repeated && s->t == s->last;
}

bool sg_stretch_asked_often(const sg_integration *g)
{
    const sg_stretch *s = &g->watched.stretch;
    return sg_stretch_was_in_vain(g) || (s->t == s->last && s->again >= ASKED);
}

bool sg_stretch_undo(sg_integration *g)
{
    sg_stretch *s = &g->watched.stretch;
    if (!s->repeated || s->undone == s->repeated || g->t != s->last)
        return false;
    s->undone = s->repeated;
    s->again = AGAIN;
    memcpy(g->sizes.part, s->part_before, g->segment.n_states * sizeof *g->sizes.part);
    sg_sim_report(
        g->diags, g->t, SG_WARNING, SG_E_SIM_SCALE,
        "with these tolerances there is no step from time = %.10g s on, so the run goes on "
        "with those that it had; states that are below them may mean nothing",
        g->t);
    return sg_integration_change_solver(g, false) == SG_OK;
}
