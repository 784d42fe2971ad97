#include "integration/sliding.h"

#include "base/archive.h"
#include "integration/env.h"
#include "math/dense.h"

#include <math.h>
#include <string.h>

// Steps of differences are this part of the scale, a five hundredth of the run: small against what
// a model does in it, large against the rounding of time and states.
#define DIFFERENCE_PART 1e-3
// A fast circuit in a long run goes through all of its life in that time. So rates at an event are
// compared with those over a step so many times shorter, as often as this, until both agree to this
// part. States that move by less than this part of themselves need no second look.
#define SHORTER 16.0
#define SHORTER_STEPS 8
#define SAME_RATE 0.01
#define HARDLY_MOVES 0.01
// Where the solver's steps are much shorter than that, so is what happens in the model. There rates
// are looked for first over this part of the last step, where unknowns are found at once that have
// to be searched for from farther away.
#define STEP_PART 0.1
// What is left of an argument fades within so many of these: slowly enough for the long
// steps of explicit methods.
#define FADE_INTERVALS 100.0
// Alpha may leave [0, 1] by this much before sliding ends: its differences are not exact.
#define ALPHA_HYSTERESIS 1e-8
// Both sides must push back by more than rounding of their rates.
#define RATE_NOISE 1e-9
// An argument that is farther from the surface than this part of what it has ever been, or than
// the sides would lead it away within this part of the scale, has been moved by an event.
#define OFF_SURFACE 1e-6
#define OFF_TIME 1e-3
// Derivatives computed with conditions in between and those combined of both sides are the same up
// to this part of both sides, where the equations are linear in what slides.
#define LINEAR 1e-9
// Where they are not, the parts in between are searched by Newton's method: until they change by
// less than this, with differences over this step, and so often at most.
#define PART_FOUND 1e-12
#define PART_STEP 1e-4
#define PART_STEPS 20

bool sg_sim_sliding_init(sg_sim_sliding *s, sg_arena *arena, uint32_t n_slots)
{
    *s = (sg_sim_sliding){.n_slots = n_slots, .scale = 1.0, .shorter = 1.0};
    s->index = SG_NEW_ARRAY(arena, uint32_t, n_slots);
    s->argument = SG_NEW_ARRAY(arena, double, n_slots);
    s->fraction = SG_NEW_ARRAY(arena, double, n_slots);
    s->speed = SG_NEW_ARRAY(arena, double, n_slots);
    s->before = SG_NEW_ARRAY(arena, double, n_slots);
    if (arena->failed)
        return false;
    for (uint32_t i = 0; i < n_slots; i++)
        s->fraction[i] = (double)NAN;
    return true;
}

static void forget(sg_sim_env *env, uint32_t slot)
{
    sg_sim_sliding *s = &env->sliding;
    s->index[slot] = 0;
    s->fraction[slot] = (double)NAN;
    env->events.relaxed = s->n ? s->fraction : NULL;
}

void sg_sim_sliding_clear(sg_sim_env *env)
{
    sg_sim_sliding *s = &env->sliding;
    uint32_t n = s->n;
    s->n = s->cap = 0;
    for (uint32_t i = 0; i < n; i++)
        forget(env, s->list[i].slot);
    s->list = NULL;
}

// Room for one more; what was there stays.
static bool make_room(sg_sim_env *env, sg_arena *arena)
{
    sg_sim_sliding *s = &env->sliding;
    if (s->n < s->cap)
        return true;
    uint32_t cap = s->cap ? 2 * s->cap : 4;
    size_t n = env->n_states;
    sg_sim_slide *list = SG_NEW_ARRAY(arena, sg_sim_slide, cap);
    s->f = SG_NEW_ARRAY(arena, double, (cap + 1) * n);
    s->x = SG_NEW_ARRAY(arena, double, n);
    s->rate = SG_NEW_ARRAY(arena, double, (cap + 1) * cap);
    s->matrix = SG_NEW_ARRAY(arena, double, cap *cap);
    s->right = SG_NEW_ARRAY(arena, double, cap);
    s->pivots = SG_NEW_ARRAY(arena, int, cap);
    if (arena->failed)
        return false;
    if (s->n)
        memcpy(list, s->list, s->n * sizeof *list);
    s->list = list;
    s->cap = cap;
    return true;
}

// Puts a slot between its sides.
static void place(sg_sim_env *env, const sg_sim_slide *slide, double part)
{
    if (env->levels[slide->slot])
        env->events.level[slide->slot] = slide->low + part * (slide->high - slide->low);
    else
        env->sliding.fraction[slide->slot] = part;
    // Components see conditions that are true or false.
    env->events.positive[slide->slot] = env->levels[slide->slot] || part > 0.5;
}

static double present(const sg_sim_env *env, uint32_t slot)
{
    return env->levels[slot] ? env->events.level[slot] : env->events.positive[slot] ? 1.0 : 0.0;
}

// The slot stands on one of its sides again.
static void settle(sg_sim_env *env, const sg_sim_slide *slide, bool high)
{
    if (env->levels[slide->slot])
        env->events.level[slide->slot] = high ? slide->high : slide->low;
    else
        env->events.positive[slide->slot] = high;
}

// The arguments at a place nearby. There the solver does not begin, if it does at x: an argument
// may be as far beyond zero as the whole force of a clutch takes it, which is no rounding.
static sg_status look_nearby(sg_sim_env *env, double t, const double *x)
{
    bool arming = env->arming;
    env->arming = false;
    sg_status status = sg_sim_env_arguments(env, t, x);
    env->arming = arming;
    return status;
}

// Rates of the arguments of all that slide, and of one more slot, along f.
static sg_status find_rates(sg_sim_env *env, double t, const double *x, const double *f,
                            uint32_t more, double *rates)
{
    sg_sim_sliding *s = &env->sliding;
    double step = DIFFERENCE_PART * s->scale * s->shorter;
    for (int side = 1; side >= -1; side -= 2) {
        for (uint32_t i = 0; i < env->n_states; i++)
            s->x[i] = x[i] + side * step * f[i];
        sg_status status = look_nearby(env, t + side * step, s->x);
        if (status)
            return status;
        for (uint32_t k = 0; k < s->n; k++) {
            double a = s->argument[s->list[k].slot];
            rates[k] = side > 0 ? a : (rates[k] - a) / (2.0 * step);
        }
        if (more) {
            double a = s->argument[more - 1];
            rates[s->n] = side > 0 ? a : (rates[s->n] - a) / (2.0 * step);
        }
    }
    return SG_OK;
}

// The derivatives with all slides on their lower sides, then with one after the other on its upper
// side; rates of their arguments along each.
static sg_status evaluate_sides(sg_sim_env *env, double t, const double *x)
{
    sg_sim_sliding *s = &env->sliding;
    sg_status status = SG_OK;
    for (uint32_t k = 0; k < s->n; k++)
        place(env, &s->list[k], 0.0);
    for (uint32_t k = 0; k <= s->n && !status; k++) {
        double *f = s->f + (size_t)k * env->n_states;
        if (k)
            place(env, &s->list[k - 1], 1.0);
        status = sg_sim_env_plain(env, t, x, f);
        if (k)
            place(env, &s->list[k - 1], 0.0);
    }
    for (uint32_t k = 0; k <= s->n && !status; k++)
        status = find_rates(env, t, x, s->f + (size_t)k * env->n_states, 0,
                            s->rate + (size_t)k * s->cap);
    return status;
}

sg_status sg_sim_sliding_rhs(sg_sim_env *env, double t, const double *x, double *dx)
{
    sg_sim_sliding *s = &env->sliding;
    int m = (int)s->n;
    size_t n = env->n_states;
    sg_status status = evaluate_sides(env, t, x);
    if (!status)
        status = sg_sim_env_arguments(env, t, x);
    if (status)
        return status;
    for (int k = 0; k < m; k++) {
        const sg_sim_slide *slide = &s->list[k];
        double off = s->argument[slide->slot] - slide->surface;
        s->right[k] = -s->rate[k] - off / (FADE_INTERVALS * s->scale);
        for (int i = 0; i < m; i++)
            s->matrix[k * m + i] = s->rate[(size_t)(i + 1) * s->cap + (size_t)k] - s->rate[k];
    }
    if (sg_lu_factor(s->matrix, m, s->pivots, NULL) != SG_OK)
        return SG_ERR_SOLVER;
    sg_lu_solve(s->matrix, m, s->pivots, s->right);
    memcpy(dx, s->f, n * sizeof *dx);
    for (int k = 0; k < m; k++) {
        s->list[k].alpha = s->right[k];
        place(env, &s->list[k], fmin(fmax(s->right[k], 0.0), 1.0));
        const double *f = s->f + (size_t)(k + 1) * n;
        for (size_t i = 0; i < n; i++)
            dx[i] += s->right[k] * (f[i] - s->f[i]);
    }
    return SG_OK;
}

bool sg_sim_sliding_agrees(const sg_sim_env *env, const double *dx, const double *combined)
{
    const sg_sim_sliding *s = &env->sliding;
    for (size_t i = 0; i < env->n_states; i++) {
        double sides = 0.0;
        for (size_t k = 0; k <= s->n; k++)
            sides = fmax(sides, fabs(s->f[k * env->n_states + i]));
        if (fabs(dx[i] - combined[i]) > LINEAR * sides)
            return false;
    }
    return true;
}

// Rates of the arguments, beyond those with which they fade, when the slides stand at `parts`.
static sg_status rates_between(sg_sim_env *env, double t, const double *x, const double *parts,
                               double *rates)
{
    sg_sim_sliding *s = &env->sliding;
    for (uint32_t k = 0; k < s->n; k++)
        place(env, &s->list[k], parts[k]);
    sg_status status = sg_sim_env_plain(env, t, x, s->f);
    if (!status)
        status = find_rates(env, t, x, s->f, 0, rates);
    if (!status)
        status = sg_sim_env_arguments(env, t, x);
    for (uint32_t k = 0; k < s->n && !status; k++) {
        const sg_sim_slide *slide = &s->list[k];
        rates[k] += (s->argument[slide->slot] - slide->surface) / (FADE_INTERVALS * s->scale);
    }
    return status;
}

sg_status sg_sim_sliding_meet(sg_sim_env *env, double t, const double *x)
{
    sg_sim_sliding *s = &env->sliding;
    int m = (int)s->n;
    double *parts = s->f + env->n_states, change = 1.0; // behind derivatives, for want of others
    if ((size_t)m > env->n_states)
        return SG_OK;
    for (int k = 0; k < m; k++)
        parts[k] = fmin(fmax(s->list[k].alpha, 0.0), 1.0);
    sg_status status = rates_between(env, t, x, parts, s->rate);
    for (int step = 0; step < PART_STEPS && !status && change > PART_FOUND; step++) {
        for (int i = 0; i < m && !status; i++) {
            double *moved = s->rate + (size_t)(i + 1) * s->cap, was = parts[i];
            double h = was < 0.5 ? PART_STEP : -PART_STEP;
            parts[i] = was + h;
            status = rates_between(env, t, x, parts, moved);
            parts[i] = was;
            for (int k = 0; k < m; k++)
                s->matrix[k * m + i] = (moved[k] - s->rate[k]) / h;
        }
        if (status || sg_lu_factor(s->matrix, m, s->pivots, NULL) != SG_OK)
            return status;
        for (int k = 0; k < m; k++)
            s->right[k] = -s->rate[k];
        sg_lu_solve(s->matrix, m, s->pivots, s->right);
        change = 0.0;
        for (int k = 0; k < m; k++) {
            double next = fmin(fmax(parts[k] + s->right[k], 0.0), 1.0);
            change = fmax(change, fabs(next - parts[k]));
            parts[k] = next;
        }
        status = rates_between(env, t, x, parts, s->rate);
    }
    return status;
}

static double *place_of(sg_sim_env *env, uint32_t slot)
{
    return env->levels[slot] ? &env->events.level[slot] : &env->sliding.fraction[slot];
}

void sg_sim_sliding_keep(sg_sim_env *env)
{
    for (uint32_t k = 0; k < env->sliding.n; k++) {
        sg_sim_slide *slide = &env->sliding.list[k];
        slide->kept[0] = slide->alpha;
        slide->kept[1] = *place_of(env, slide->slot);
        slide->kept[2] = env->events.positive[slide->slot] ? 1.0 : 0.0;
    }
}

void sg_sim_sliding_put_back(sg_sim_env *env)
{
    for (uint32_t k = 0; k < env->sliding.n; k++) {
        sg_sim_slide *slide = &env->sliding.list[k];
        slide->alpha = slide->kept[0];
        *place_of(env, slide->slot) = slide->kept[1];
        env->events.positive[slide->slot] = slide->kept[2] > 0.5;
    }
}

void sg_sim_sliding_crossings(const sg_sim_sliding *s, double *z)
{
    for (uint32_t k = 0; k < s->n; k++) {
        double alpha = s->list[k].alpha;
        z[s->list[k].slot] = fmin(alpha, 1.0 - alpha) + ALPHA_HYSTERESIS;
    }
}

// Ends sliding of entry k, on the side that leads away.
static void end_slide(sg_sim_env *env, uint32_t k)
{
    sg_sim_sliding *s = &env->sliding;
    sg_sim_slide slide = s->list[k];
    bool high = slide.alpha > 0.5;
    double off = s->argument[slide.slot] - slide.surface;
    settle(env, &slide, high);
    s->list[k] = s->list[--s->n];
    s->index[s->list[k].slot] = k + 1;
    forget(env, slide.slot);
    // What is left of the argument may be on the other side; that is no crossing. Else it is where
    // it belongs, and a band would let it swing across, farther each time.
    if (high ? off < 0.0 : off > 0.0)
        sg_sim_band_widen(&env->bands[slide.slot], fabs(off));
    env->settled = slide.slot + 1;
    if (env->restart < SG_RESTART)
        env->restart = SG_RESTART;
}

void sg_sim_sliding_before_event(sg_sim_env *env, const int8_t *found)
{
    sg_sim_sliding *s = &env->sliding;
    for (uint32_t i = 0; i < s->n_slots; i++) {
        s->before[i] = present(env, i);
        s->speed[i] = (double)NAN;
    }
    s->reinit = false;
    for (uint32_t k = s->n; found && k > 0; k--)
        if (found[s->list[k - 1].slot])
            end_slide(env, k - 1);
}

// What lies on both sides of the boundary that a slot has just crossed; false if it is not one.
static bool sides_of(const sg_sim_env *env, uint32_t slot, sg_sim_slide *slide)
{
    double before = env->sliding.before[slot], now = present(env, slot);
    *slide = (sg_sim_slide){.slot = slot, .low = 0.0, .high = 1.0};
    if (!env->levels[slot])
        return true;
    sg_level_kind kind = (sg_level_kind)(env->levels[slot] - 1);
    slide->low = kind == SG_LEVEL_SIGN ? -1.0 : fmin(before, now);
    slide->high = kind == SG_LEVEL_SIGN ? 1.0 : fmax(before, now);
    slide->surface = sg_level_cell_of(kind, slide->low).high;
    return kind == SG_LEVEL_SIGN || slide->high - slide->low == 1.0;
}

static bool hardly_moves(const sg_sim_env *env, const double *f)
{
    const sg_sim_sliding *s = &env->sliding;
    double step = DIFFERENCE_PART * s->scale * s->shorter;
    for (uint32_t i = 0; i < env->n_states; i++)
        if (fabs(step * f[i]) > HARDLY_MOVES * fabs(env->x[i]))
            return false;
    return true;
}

// The rate of one more slot's argument along f, over a step that is short enough for it.
static sg_status find_rate(sg_sim_env *env, double t, const double *f, uint32_t slot, double *rate)
{
    sg_sim_sliding *s = &env->sliding;
    double was = s->shorter;
    sg_status status = find_rates(env, t, env->x, f, slot + 1, s->rate);
    *rate = s->rate[s->n];
    for (int k = 0; k < SHORTER_STEPS && (!status || status == SG_ERR_SOLVER); k++) {
        double longer = *rate;
        bool known = !status;
        if (known && hardly_moves(env, f))
            return SG_OK;
        s->shorter /= SHORTER;
        status = find_rates(env, t, env->x, f, slot + 1, s->rate);
        *rate = s->rate[s->n];
        if (known && !status && fabs(*rate - longer) <= SAME_RATE * fabs(*rate)) {
            s->shorter *= SHORTER;
            *rate = longer;
            return SG_OK;
        }
    }
    if (status && status != SG_ERR_SOLVER)
        return status;
    // Nothing but rounding is left; the first one is as good as any.
    s->shorter = was;
    status = find_rates(env, t, env->x, f, slot + 1, s->rate);
    *rate = s->rate[s->n];
    return status;
}

// The same over a part of the solver's last step. SG_ERR_SOLVER where a still shorter one says
// something else, as where rounding decides.
static sg_status find_close_rate(sg_sim_env *env, double t, const double *f, uint32_t slot,
                                 double *rate)
{
    sg_sim_sliding *s = &env->sliding;
    double was = s->shorter, close = STEP_PART * s->last_step / (DIFFERENCE_PART * s->scale);
    s->shorter = close;
    sg_status status = find_rates(env, t, env->x, f, slot + 1, s->rate);
    *rate = s->rate[s->n];
    s->shorter = close / SHORTER;
    if (!status && *rate != 0.0)
        status = find_rates(env, t, env->x, f, slot + 1, s->rate);
    s->shorter = was;
    bool same = *rate != 0.0 && fabs(s->rate[s->n] - *rate) <= SAME_RATE * fabs(*rate);
    return status || same ? status : SG_ERR_SOLVER;
}

typedef sg_status find_function(sg_sim_env *env, double t, const double *f, uint32_t slot,
                                double *rate);

// The rate of a slot's argument when it stands on one side and the others go on sliding.
static sg_status rate_on_side(sg_sim_env *env, double t, const sg_sim_slide *slide, bool high,
                              find_function *find, double *rate)
{
    sg_sim_sliding *s = &env->sliding;
    double was = present(env, slide->slot);
    settle(env, slide, high);
    double *f = s->f + (size_t)(s->cap) * env->n_states; // behind those of the slides
    env->events.probing = true;
    sg_status status =
        s->n ? sg_sim_sliding_rhs(env, t, env->x, f) : sg_sim_env_plain(env, t, env->x, f);
    env->events.probing = false;
    if (!status)
        status = find(env, t, f, slide->slot, rate);
    if (env->levels[slide->slot])
        env->events.level[slide->slot] = was;
    else
        env->events.positive[slide->slot] = was > 0.0;
    return status;
}

// Where the solver's steps are much shorter than differences are, rates close by say whether one
// side leads away, without unknowns that have to be searched for from far away. True if one does;
// a slide itself begins with what the usual differences say.
static bool leads_away_close_by(sg_sim_env *env, double t, const sg_sim_slide *slide)
{
    sg_sim_sliding *s = &env->sliding;
    double low, high;
    if (!(s->last_step > 0.0) ||
        STEP_PART * s->last_step * SHORTER > DIFFERENCE_PART * s->scale * s->shorter)
        return false;
    bool ok = rate_on_side(env, t, slide, false, find_close_rate, &low) == SG_OK &&
              rate_on_side(env, t, slide, true, find_close_rate, &high) == SG_OK &&
              !(low > 0.0 && high < 0.0);
    if (ok)
        s->speed[slide->slot] = fmax(fabs(low), fabs(high));
    return ok;
}

// A switch that was crossed just now slides if both sides lead to it.
static sg_status try_slot(sg_sim_env *env, sg_arena *arena, double t, uint32_t slot)
{
    sg_sim_sliding *s = &env->sliding;
    sg_sim_slide slide;
    double low, high;
    if (!sides_of(env, slot, &slide))
        return SG_OK;
    if (!make_room(env, arena))
        return SG_ERR_MEMORY;
    if (s->n == 0)
        s->shorter = 1.0;
    if (leads_away_close_by(env, t, &slide))
        return SG_OK;
    sg_status status = rate_on_side(env, t, &slide, false, find_rate, &low);
    if (!status)
        status = rate_on_side(env, t, &slide, true, find_rate, &high);
    if (!status)
        s->speed[slot] = fmax(fabs(low), fabs(high));
    if (status == SG_ERR_SOLVER || (!status && !(low > 0.0 && high < 0.0)))
        return SG_OK; // one side leads away, or cannot be evaluated from here
    double noise = RATE_NOISE * (low - high);
    if (status || low < noise || -high < noise)
        return status;
    if (env->frees && env->frees(env->frees_user, slot))
        return SG_OK; // there is no jump to slide along
    slide.alpha = low / (low - high);
    slide.near = env->fixed ? 1e4 * SG_SIM_FIXED_BAND
                            : fmax(OFF_SURFACE * env->bands[slot].reach,
                                   OFF_TIME * s->scale * s->speed[slot]);
    s->list[s->n++] = slide;
    s->index[slot] = s->n;
    s->n_begun++;
    env->events.relaxed = s->fraction;
    place(env, &slide, slide.alpha);
    if (env->restart < SG_RESTART)
        env->restart = SG_RESTART;
    return SG_OK;
}

// Slides whose alpha is out of range, or whose argument was moved, end. True if one did.
static sg_status drop_one(sg_sim_env *env, double t, bool *dropped)
{
    sg_sim_sliding *s = &env->sliding;
    *dropped = false;
    if (!s->n)
        return SG_OK;
    sg_status status = sg_sim_sliding_rhs(env, t, env->x, env->dx);
    if (status && status != SG_ERR_SOLVER)
        return status;
    for (uint32_t k = 0; k < s->n && !*dropped; k++) {
        sg_sim_slide *slide = &s->list[k];
        double off = s->argument[slide->slot] - slide->surface;
        if (fabs(off) > fmax(slide->near, env->bands[slide->slot].width))
            slide->alpha = off > 0.0 ? 2.0 : -1.0;
        *dropped = status ||
                   !(slide->alpha >= -ALPHA_HYSTERESIS && slide->alpha <= 1.0 + ALPHA_HYSTERESIS);
        if (*dropped)
            end_slide(env, k);
    }
    return SG_OK;
}

sg_status sg_sim_sliding_after_event(sg_sim_env *env, sg_arena *arena, double t, bool *again)
{
    sg_sim_sliding *s = &env->sliding;
    bool dropped = true;
    *again = false;
    while (dropped) {
        sg_status status = drop_one(env, t, &dropped);
        if (status)
            return status;
        *again |= dropped;
    }
    // States that an event has set are where they are for a reason.
    for (uint32_t i = 0; i < s->n_slots && !s->reinit && env->n_states; i++) {
        bool crossed = present(env, i) != s->before[i] && !s->index[i] && i + 1 != env->settled;
        if (!crossed || isnan(s->argument[i]))
            continue;
        sg_status status = try_slot(env, arena, t, i);
        if (status)
            return status;
        // Another one may not be able to go on with it.
        status = s->n ? drop_one(env, t, &dropped) : SG_OK;
        if (status)
            return status;
        *again |= dropped;
    }
    return SG_OK;
}

// ---- saved states -------------------------------------------------------------------------------

sg_status sg_sim_sliding_archive(sg_sim_env *env, sg_arena *arena, sg_archive *a)
{
    sg_sim_sliding *s = &env->sliding;
    sg_archive_section(a, "sliding");
    SG_ARCHIVE_ARRAY(a, s->argument, s->n_slots);
    SG_ARCHIVE_ARRAY(a, s->fraction, s->n_slots);
    SG_ARCHIVE_ARRAY(a, s->speed, s->n_slots);
    SG_ARCHIVE_ARRAY(a, s->before, s->n_slots);
    SG_ARCHIVE(a, s->n_begun);
    SG_ARCHIVE(a, s->shorter);
    size_t n = sg_archive_count(a, s->n, sizeof *s->list);
    for (size_t k = 0; k < n && !a->failed; k++) {
        if (sg_archive_reads(a)) {
            if (!make_room(env, arena))
                return SG_ERR_MEMORY;
            s->list[k] = (sg_sim_slide){0};
        }
        SG_ARCHIVE(a, s->list[k]);
        if (s->list[k].slot >= s->n_slots)
            a->failed = true;
        if (a->failed)
            break;
        s->n = (uint32_t)k + 1;
        s->index[s->list[k].slot] = s->n;
    }
    if (s->n)
        env->events.relaxed = s->fraction;
    return SG_OK;
}
