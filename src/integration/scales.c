#include "integration/scales.h"

#include "integration/felt.h"
#include "integration/integration.h"

#include <float.h>
#include <math.h>
#include <string.h>

// A state is far below when it never reaches this part of its tolerance.
#define FAR_BELOW 0.1
// What rounding in larger states may leave in one that ought to be zero, relative to them.
#define NOISE (1000.0 * DBL_EPSILON)
// ... which is so many times what they are moved by where rounding is measured.
#define NOISE_TIMES 500.0
// ... or, where that was measured, this many times what was found.
#define ROUNDING_TIMES 10.0

// A state has left the neighborhood of zero when it exceeds its tolerance this many times, and what
// it does then matters from here on.
#define GROWN 100.0
#define MATTERS 1e4
// ... and others of its family that are so many times larger measure it.
#define BESIDE (MATTERS / GROWN)
// What decayed to less than this part of its tolerance is zero to whoever asked for that tolerance.
#define GONE 1e-4
// A state that fell so low is still there if it fell as a power of time does, with this exponent at
// most: 1/t has one, and what exp(-t) has grows with time. Both over the stretch and in its last
// step.
#define SLOW 3.0
// A state passes through zero if its rate there explains this part of the way of its last step.
#define PASSING 0.5
// How often states that never were large are looked at when they leave, beside a part of all steps:
// in a long chain one does after another.
#define LOOKS 10
#define LOOKS_PART 10
// What a test found right is right until it is smaller by this.
#define SMALLER 1e-3
// ... nor of what it is when it has grown by so much: it began at zero, and was tested right there.
#define LARGER 1e3
// A state grows by itself if the others give this share of its derivative at most.
#define DRIVEN 1e-3
// Growth leads on from where the step before ended if that was at least this part of where it is.
#define GRADUAL 0.2
// Two answers agree up to so many relative tolerances, within these bounds; states that are
// controlled may differ by as many tolerances. From this part on they differ grossly.
#define AGREE 1e2
#define AGREE_LEAST 1e-6
#define AGREE_MOST 1e-2
#define AGREE_GROWING 0.05
#define AGREE_CONTROLLED 0.03
#define GROSS 0.1
#define OPEN 100.0
// Twins that are so many times closer to each other than to the run are better than it: the third
// and later ones of what grows, any of what begins at zero. Differences of noise are of one size.
#define CLOSER 4.0
#define MUCH_CLOSER 100.0
// A warning that nobody can test takes so many looks that say the same.
#define STEADY 2

void sg_scales_make(sg_scales *s, sg_arena *a, size_t n)
{
    *s = (sg_scales){.low = SG_NEW_ARRAY(a, bool, n),
                     .grown = SG_NEW_ARRAY(a, bool, n),
                     .left = SG_NEW_ARRAY(a, bool, n),
                     .fell = SG_NEW_ARRAY(a, double, n),
                     .rates = SG_NEW_ARRAY(a, double, n),
                     .settled = SG_NEW_ARRAY(a, double, n),
                     .most = SG_NEW_ARRAY(a, double, n),
                     .suspect = SG_NEW_ARRAY(a, bool, n),
                     .drift = SG_NEW_ARRAY(a, double, n),
                     .of_family = SG_NEW_ARRAY(a, double, n),
                     .errors = SG_NEW_ARRAY(a, double, n),
                     .rounding = SG_NEW_ARRAY(a, double, n),
                     .told = s->told};
}

void sg_scales_forget(sg_integration *g)
{
    sg_scales *s = &g->watched.scales;
    uint32_t n = g->segment.n_states;
    memset(s->low, 0, n * sizeof *s->low);
    memset(s->grown, 0, n * sizeof *s->grown);
    memcpy(g->sizes.before, g->x, (size_t)g->n_solver * sizeof *g->sizes.before);
    sg_growth_restart(g);
}

void sg_integration_forget_scales(sg_integration *g)
{
    memset(g->sizes.largest, 0, (size_t)g->n_solver * sizeof *g->sizes.largest);
    memset(g->watched.scales.settled, 0, (size_t)g->n_solver * sizeof *g->watched.scales.settled);
}

void sg_integration_watch_scales(sg_integration *g)
{
    for (uint32_t i = 0; i < g->segment.n_states; i++) {
        double size = fabs(g->x[i]); // as fmax below, without a call
        g->sizes.largest[i] = size > g->sizes.largest[i] ? size : g->sizes.largest[i];
        g->sizes.recent[i] = size > g->sizes.recent[i] ? size : g->sizes.recent[i];
    }
}

bool sg_scales_is_unscaled(const sg_integration *g, uint32_t i)
{
    const sg_sim_segment *s = &g->segment;
    return !s->atol && !(s->nominal && s->nominal[i] > 0.0) &&
           !(s->quadrature && s->quadrature[i]) && !(g->options.atol > 0.0);
}

bool sg_scales_are_tiny(const sg_integration *g)
{
    double most = 0.0;
    for (uint32_t i = 0; i < g->segment.n_states; i++)
        most = fmax(most, fmax(g->sizes.largest[i], fabs(g->env.x[i])) / sg_integration_atol(g, i));
    return most > 0.0 && most < 1.0;
}

double sg_integration_atol(const sg_integration *g, uint32_t i)
{
    sg_tolerances t = sg_tolerances_of(g);
    return sg_tolerance_at(&t, i);
}

// Is a state measured by a length that is given, like the position of a body that touches others?
// How near to zero it is says nothing then.
static bool has_fixed_size(const sg_integration *g, uint32_t i)
{
    const sg_sim_segment *s = &g->segment;
    return s->most && s->nominal && s->nominal[i] > 0.0 && g->sizes.most[i] <= s->nominal[i];
}

// What it is since a stretch was repeated.
static double present_atol(const sg_integration *g, uint32_t i)
{
    return sg_integration_atol(g, i) * g->sizes.part[i];
}

static bool was_never_large(const sg_integration *g, uint32_t i)
{
    return g->watched.stretch.open && g->watched.stretch.largest[i] <= GROWN * present_atol(g, i);
}

// Did it leave although the model leads it back?
static bool leaps(const sg_integration *g, uint32_t i, double rate)
{
    return rate * g->x[i] < 0.0 && was_never_large(g, i);
}

// Does a state that left in one step grow by itself? What passes through zero, or is reached by a
// wave, leaves like this, too, so the model is asked; growth that leads on from where the step
// before ended needs no second look.
static void confirm_growth(sg_integration *g)
{
    sg_scales *s = &g->watched.scales;
    bool any = false, asked = g->watched.growth.rate > 0.0;
    // ... unless nobody will test what is found.
    double gradual = sg_stretch_possible(g) ? GRADUAL : (double)INFINITY;
    for (uint32_t i = 0; i < g->segment.n_states; i++)
        any = any || (s->left[i] && s->grown[i] && g->sizes.before[i] / g->x[i] <= gradual);
    bool grows = any && !asked && sg_growth_of(g, s->left);
    for (uint32_t i = 0; any && i < g->segment.n_states; i++)
        if (s->left[i] && !leaps(g, i, s->rates[i]) && g->sizes.before[i] / g->x[i] <= gradual)
            s->grown[i] = g->watched.growth.grew[i] || (grows && g->watched.growth.takes_part[i]);
}

// Marks in `grown` those of the states that have just left the neighborhood of zero (`low` until
// now) and would stand still if they, and everything else below its tolerance, were zero.
static void find_growth(sg_integration *g)
{
    sg_scales *s = &g->watched.scales;
    uint32_t n = g->segment.n_states;
    double *rates = s->rates;
    memcpy(g->x_out, g->x, n * sizeof(double));
    if (sg_sim_env_rhs(&g->env, g->t, g->x_out, rates) != SG_OK)
        return;
    for (uint32_t k = 0; k < n; k++)
        if (s->left[k] || (fabs(g->x[k]) < present_atol(g, k) && !has_fixed_size(g, k)))
            g->x_out[k] = 0.0;
    if (sg_sim_env_rhs(&g->env, g->t, g->x_out, g->dx_out) != SG_OK)
        return;
    for (uint32_t i = 0; i < n; i++) {
        // What was large once may come through zero. What never was has no reason to leave.
        bool away = rates[i] * g->x[i] > 0.0 || was_never_large(g, i);
        s->grown[i] |= s->left[i] && ((away && fabs(g->dx_out[i]) <= DRIVEN * fabs(rates[i])) ||
                                      g->watched.growth.grew[i]);
    }
    confirm_growth(g);
}

static const char *name_of(const sg_integration *g, uint32_t i)
{
    return g->segment.state_names ? g->segment.state_names[i] : "a state";
}

// ---- after each step ----------------------------------------------------------------------------

void sg_scales_begin_stretch(sg_integration *g)
{
    for (uint32_t i = 0; i < g->segment.n_states; i++)
        g->watched.scales.most[i] = fabs(g->sizes.before[i]);
}

// Is a state that never was large low? One that is zero has nothing that could be wrong.
static bool is_small(const sg_integration *g, uint32_t i, double size, double atol)
{
    return g->sizes.largest[i] <= GROWN * atol && size > 0.0 && size < FAR_BELOW * atol;
}

// True if the state has left the neighborhood of zero in this step.
static bool watch_state(sg_integration *g, uint32_t i, double atol)
{
    sg_scales *s = &g->watched.scales;
    if (has_fixed_size(g, i))
        return false;
    double size = fabs(g->x[i]), before = g->sizes.before[i];
    // A long step may lead from one side of zero to the other.
    bool through = before * g->x[i] < 0.0 && fabs(before) <= GROWN * atol && size <= GROWN * atol;
    bool fallen = (size < GROWN * atol || through) && g->sizes.largest[i] > GROWN * atol;
    if (fallen || is_small(g, i, size, atol))
        s->low[i] = true;
    s->fell[i] = fallen && fabs(before) > GROWN * atol ? before : 0.0;
    if (s->grown[i] && size > MATTERS * sg_integration_atol(g, i))
        g->watched.stretch.due = true;
    // What is followed comes back when it is put in place.
    if (!s->low[i] || size <= GROWN * atol || sg_dormant_has(g, i))
        return false;
    s->low[i] = false;
    s->settled[i] = 0.0;
    return true;
}

// Something ought to have grown by now, and has not.
static void expect_growth(sg_integration *g)
{
    const sg_growth *w = &g->watched.growth;
    g->watched.stretch.due = g->watched.stretch.open;
    if (g->watched.scales.told || sg_stretch_possible(g))
        return;
    // One look may be deceived, and here nobody tests what it says.
    g->watched.growth.next = w->steps + 1;
    if (w->steady < STEADY)
        return;
    g->watched.scales.told = true;
    sg_sim_remark(
        g->diags, g->t, SG_WARNING, SG_E_SIM_SCALE,
        "'%s' is %.2g, below its absolute tolerance %.2g and not controlled, but would "
        "grow, by a factor of e in %.2g s, and ought to be above it by now; whether it is "
        "right could not be tested here: repeat the run with a smaller atol",
        name_of(g, w->which), g->x[w->which], present_atol(g, w->which), 1.0 / w->rate);
}

// Each look costs two evaluations.
static bool may_look(sg_integration *g)
{
    sg_scales *s = &g->watched.scales;
    s->steps++;
    for (uint32_t i = 0; i < g->segment.n_states; i++)
        if (s->left[i] && g->sizes.largest[i] > MATTERS * present_atol(g, i))
            return true;
    if (s->looks > LOOKS + s->steps / LOOKS_PART)
        return false;
    s->looks++;
    return true;
}

// Of most states, most of the time: it is not small, was not, and has not grown out of that. There
// is nothing more to say of it then, and watch_state would only find that out.
static inline bool is_large(const sg_integration *g, const sg_tolerances *t, uint32_t i)
{
    const sg_scales *s = &g->watched.scales;
    return fabs(g->x[i]) > GROWN * (sg_tolerance_at(t, i) * g->sizes.part[i]) && !s->low[i] &&
           !s->grown[i];
}

void sg_scales_watch(sg_integration *g, double t0)
{
    uint32_t n = g->segment.n_states;
    if (g->options.plain_atol)
        return;
    sg_scales *s = &g->watched.scales;
    const sg_tolerances t = sg_tolerances_of(g);
    const double *part = g->sizes.part;
    bool all_large = !g->segment.most, near = false, left = false;
    for (uint32_t i = 0; i < n && all_large; i++)
        all_large = is_large(g, &t, i);
    for (uint32_t i = 0; i < n && !near && !all_large; i++)
        near = g->x[i] != 0.0 && fabs(g->x[i]) < GROWN * (sg_tolerance_at(&t, i) * part[i]);
    if (near)
        sg_stretch_open(g, t0, g->sizes.before);
    s->length = g->t - t0;
    for (uint32_t i = 0; i < n; i++) {
        double size = fabs(g->x[i]);
        bool large = all_large || (!g->segment.most && is_large(g, &t, i));
        s->fell[i] = large ? 0.0 : s->fell[i];
        s->left[i] = !large && watch_state(g, i, sg_tolerance_at(&t, i) * part[i]);
        left |= s->left[i];
        s->most[i] = size > s->most[i] ? size : s->most[i];
    }
    if (left &&
        may_look(g)) // this costs evaluations, one of them at states that are none of the solution
        find_growth(g);
    memcpy(g->sizes.before, g->x, n * sizeof *g->sizes.before);
    g->watched.stretch.steps++;
    sg_growth_watch(g, false);
    if (sg_growth_missing(g, MATTERS))
        expect_growth(g);
    if (!g->watched.stretch.open && !all_large)
        sg_scales_settled(g, false);
}

bool sg_scales_near(const sg_integration *g)
{
    bool near = false;
    for (uint32_t i = 0; i < g->segment.n_states && !near; i++)
        near = g->watched.scales.low[i] || g->watched.scales.grown[i] ||
               (g->x[i] != 0.0 && fabs(g->x[i]) < GROWN * present_atol(g, i));
    return near;
}

static void measure_families(sg_integration *g)
{
    const uint32_t *family = g->segment.family;
    double *most = g->watched.scales.of_family;
    for (uint32_t i = 0; i < g->segment.n_states; i++)
        most[i] = 0.0;
    for (uint32_t i = 0; family && i < g->segment.n_states; i++)
        if (family[i])
            most[family[i] - 1] = fmax(most[family[i] - 1], g->sizes.largest[i]);
}

// What a state and the others of its family never exceed, as measured last.
static double largest_of_family(const sg_integration *g, uint32_t i)
{
    uint32_t family = g->segment.family ? g->segment.family[i] : 0;
    return family ? g->watched.scales.of_family[family - 1] : g->sizes.largest[i];
}

// Where others of a family are to be seen, one that began at zero and never was but a small part of
// them is measured by them: a joint of a chain that nothing has reached yet, or that quivers while
// others swing, the axis of a robot that is not used, what runs ahead of a wave.
static bool is_beside_others(const sg_integration *g, uint32_t i)
{
    double atol = present_atol(g, i), size = fmax(g->sizes.largest[i], GROWN * atol);
    return !g->watched.growth.given[i] && size <= MATTERS * atol &&
           largest_of_family(g, i) > BESIDE * size;
}

// Is the small value of a state one that somebody may look for?
static bool is_looked_for(const sg_integration *g, uint32_t i)
{
    const sg_scales *s = &g->watched.scales;
    double size = fabs(g->x[i]), settled = s->settled[i];
    return s->low[i] && size > 0.0 && sg_scales_is_unscaled(g, i) &&
           !(size > SMALLER * settled && size < LARGER * settled) && !is_beside_others(g, i);
}

// Has a state come to rest, from more than its tolerance, if its value is x and its rate dx? Then
// it decays by orders of magnitude within its stretch.
static bool is_at_rest(const sg_integration *g, uint32_t i, double x, double dx)
{
    const sg_stretch *stretch = &g->watched.stretch;
    double size = fabs(x), atol = present_atol(g, i);
    if (!(stretch->largest[i] > GROWN * atol) || size >= GROWN * atol)
        return false;
    double times = log((g->t - g->restarted) / (stretch->t - g->restarted));
    bool fast = log(fabs(stretch->x[i]) / size) > SLOW * times;
    return size < GONE * atol || fabs(dx) * (g->t - stretch->t) > SLOW * size || fast;
}

// What was large and fell is known from where it was. What never was is a value if neither rounding
// nor errors of others explain it: the tilt of a gyroscope that none of its forces turns may be
// 1e-10 because its speed is known to 1e-8.
bool sg_scales_is_value(const sg_integration *g, uint32_t i)
{
    const sg_scales *s = &g->watched.scales;
    return s->most[i] > s->rounding[i] &&
           s->most[i] >
               ROUNDING_TIMES * fmax(g->watched.growth.noise[i], g->watched.growth.errors[i]) &&
           g->sizes.largest[i] <= GROWN * present_atol(g, i) && is_looked_for(g, i);
}

bool sg_scales_sees_values(const sg_integration *g)
{
    bool any = false;
    for (uint32_t i = 0; i < g->segment.n_states && !any; i++)
        any = sg_scales_is_value(g, i);
    return any;
}

// ... or one that began as such, which is there down to rounding.
static bool is_there(const sg_integration *g, uint32_t i)
{
    double size = g->watched.scales.most[i], least = g->watched.scales.rounding[i];
    if (g->watched.growth.given[i])
        return size > fmin(least, g->watched.growth.noise[i]);
    return g->sizes.largest[i] > GROWN * present_atol(g, i) ? size > least
                                                            : sg_scales_is_value(g, i);
}

static size_t array_name(const char *name)
{
    const char *bracket = strrchr(name, '[');
    return bracket ? (size_t)(bracket - name) : 0;
}

// Elements of one array have one unit: what is rounding beside the largest of them is nothing.
static void measure_beside_others(sg_integration *g)
{
    const char *const *names = g->segment.state_names;
    uint32_t n = g->segment.n_states, end;
    for (uint32_t i = 0; names && i < n; i = end) {
        size_t length = array_name(names[i]);
        double most = g->sizes.largest[i];
        for (end = i + 1; length && end < n && array_name(names[end]) == length &&
                          memcmp(names[i], names[end], length) == 0;
             end++)
            most = fmax(most, g->sizes.largest[end]);
        for (uint32_t k = i; k < end && end > i + 1; k++)
            g->watched.growth.errors[k] =
                fmax(g->watched.growth.errors[k], NOISE / ROUNDING_TIMES * most);
    }
}

// What rounding of large states may leave in each: the part NOISE of those that it feels, or what
// that part makes of its derivative, as far as it was measured. A membrane that 1e5 Pa move by
// 1e-13 m is there.
static void measure_rounding(sg_integration *g, const double *sizes)
{
    double *out = g->watched.scales.rounding;
    // Equations of a condition that slides are not the model's.
    bool own = g->env.sliding.n || g->memory.carry.on || g->memory.constrained.by;
    sg_felt_sizes(own ? NULL : &g->watched.scales.felt, g->segment.n_states, sizes, out);
    for (uint32_t i = 0; i < g->segment.n_states; i++)
        out[i] = fmin(NOISE * out[i], NOISE_TIMES * g->watched.growth.noise[i]);
}

// What a state may be besides a value.
static void measure(sg_integration *g)
{
    sg_growth_measure_noise(g);
    sg_growth_measure_errors(g);
    measure_beside_others(g);
    measure_rounding(g, g->watched.scales.most);
}

// Does a state that fell in the last step just pass through zero, at the speed that brought it
// here? Then its value is a difference of large ones, which no smaller tolerance makes more exact.
// What decays is slow where it is small.
static bool is_passing(const sg_integration *g, uint32_t i, double rate)
{
    const sg_scales *s = &g->watched.scales;
    double way = g->x[i] - s->fell[i];
    return s->fell[i] != 0.0 && rate * way > 0.0 && fabs(rate) * s->length >= PASSING * fabs(way);
}

// Is there a small value that somebody may look for, and that stays?
static bool any_is_looked_for(sg_integration *g, bool at_event)
{
    bool any = false, fell = false;
    for (uint32_t i = 0; i < g->segment.n_states && !any; i++) {
        // Where an event found it at zero, when that was decides what follows: a ball bounces.
        bool looked_for = is_looked_for(g, i), just = g->watched.scales.fell[i] != 0.0 && !at_event;
        any = looked_for && !just;
        fell |= looked_for && just;
    }
    if (any || !fell || sg_sim_env_rhs(&g->env, g->t, g->x, g->dx_out) != SG_OK)
        return any || fell;
    for (uint32_t i = 0; i < g->segment.n_states && !any; i++)
        any = is_looked_for(g, i) && !is_passing(g, i, g->dx_out[i]);
    return any;
}

bool sg_scales_armed(sg_integration *g, bool at_event)
{
    sg_scales *s = &g->watched.scales;
    bool grown = sg_growth_promises(g) || sg_growth_missing(g, 1.0);
    measure_families(g);
    for (uint32_t i = 0; i < g->segment.n_states; i++)
        grown = grown || s->grown[i];
    s->looking = false;
    if (!any_is_looked_for(g, at_event))
        return grown;
    measure(g);
    for (uint32_t i = 0; i < g->segment.n_states; i++)
        s->looking = s->looking || (is_looked_for(g, i) && is_there(g, i));
    return grown || s->looking;
}

// ---- a test -------------------------------------------------------------------------------------

bool sg_scales_grows(const sg_integration *g, uint32_t i)
{
    return g->watched.scales.grown[i] || g->watched.growth.grew[i] ||
           (g->watched.scales.growing && g->watched.growth.rate > 0.0 &&
            g->watched.growth.takes_part[i]);
}

void sg_scales_begin_test(sg_integration *g)
{
    sg_scales *s = &g->watched.scales;
    for (uint32_t i = 0; i < g->segment.n_states; i++) {
        double least = fmin(fabs(g->x[i]), fabs(g->watched.stretch.x[i]));
        s->suspect[i] = s->low[i] || s->grown[i] || least < GROWN * present_atol(g, i);
    }
    s->difference = s->difference_before = INFINITY;
    s->gross = s->open = s->compared = false;
    s->growing = sg_growth_promises(g) || sg_growth_missing(g, 1.0);
    for (uint32_t i = 0; i < g->segment.n_states; i++)
        s->growing = s->growing || s->grown[i] || g->watched.growth.grew[i];
    measure_families(g);
    measure(g);
    s->least = s->growing && g->watched.growth.size > 0.0 ? fmin(1.0, g->watched.growth.size) : 1.0;
    for (uint32_t i = 0; i < g->segment.n_states; i++) {
        double then = fabs(g->watched.stretch.x[i]);
        if (sg_scales_grows(g, i) && then > 0.0 && sg_growth_is_value(g, i))
            s->least = fmin(s->least, then / present_atol(g, i));
    }
}

double sg_scales_same(const sg_integration *g)
{
    double most = g->watched.scales.growing ? AGREE_GROWING : AGREE_MOST;
    return fmin(fmax(AGREE * g->options.tolerance, AGREE_LEAST), most);
}

bool sg_scales_agree(sg_integration *g, const double *a, const double *b, bool early)
{
    sg_scales *s = &g->watched.scales;
    double rtol = g->options.tolerance, overall = 0.0;
    double part = sg_scales_same(g);
    double times = s->growing ? OPEN : AGREE, most = fmin(times * rtol, AGREE_CONTROLLED);
    s->difference_before = s->difference;
    s->difference = 0.0;
    s->small = true;
    s->gross = s->open = false;
    bool rates = sg_sim_env_rhs(&g->env, g->t, b, g->dx_out) == SG_OK;
    for (uint32_t i = 0; i < g->segment.n_states; i++)
        overall = fmax(overall, fmax(fabs(a[i]), fabs(b[i])));
    for (uint32_t i = 0; i < g->segment.n_states; i++) {
        double d = fabs(a[i] - b[i]), size = fmax(fabs(a[i]), fabs(b[i]));
        bool grows = sg_scales_grows(g, i);
        bool small =
            s->suspect[i] && !s->grown[i] && size < GROWN * present_atol(g, i) &&
            (grows || (s->looking && sg_scales_is_unscaled(g, i) && !is_beside_others(g, i)));
        if (!small)
            size = fmax(size, s->most[i]);
        else if (early)
            size = fmax(size, g->watched.stretch.most[i]);
        double tolerance = rtol * size + sg_integration_atol(g, i);
        // What grows makes more of what is off.
        if (grows && size > 0.0)
            d += s->drift[i] * size;
        double slack = small   ? 0.0
                       : grows ? 10.0 * sg_integration_atol(g, i)
                               : most * size + times * sg_integration_atol(g, i);
        double noise = grows || g->watched.growth.given[i] ? g->watched.growth.noise[i]
                                                           : fmin(NOISE * overall, s->rounding[i]);
        // What errors within the tolerances of others make of it is no evidence, either. Of what is
        // known from where it was, or was given, they say too much: it may be led back.
        bool own = was_never_large(g, i) && !g->watched.growth.given[i];
        if (!s->suspect[i] || own)
            slack = fmax(slack, g->watched.growth.errors[i]);
        double bound = fmax(part * size, fmax(noise, slack));
        bool rests = small && fabs(a[i]) < GROWN * present_atol(g, i) && rates &&
                     is_at_rest(g, i, b[i], g->dx_out[i]);
        if (d <= bound || !isfinite(d) || rests)
            continue;
        s->small &= small && size < present_atol(g, i);
        bool far = d > GROSS * size && d > MATTERS * tolerance;
        s->gross |= s->grown[i] && far;
        s->open |= s->growing && d > GROSS * size && d > OPEN * tolerance;
        if (d / tolerance <= s->difference)
            continue;
        s->difference = d / tolerance;
        s->worst = i;
        s->mine = a[i];
        s->theirs = b[i];
    }
    return s->difference == 0.0;
}

void sg_scales_add_drift(sg_integration *g, const double *a, const double *b)
{
    double own = sg_growth_own(g);
    double times = own > 0.0 ? fmax(1.0, g->watched.growth.pending / own) : 1.0;
    for (uint32_t i = 0; i < g->segment.n_states; i++) {
        double size = fmax(fabs(a[i]), fabs(b[i]));
        if (size > 0.0 && sg_scales_grows(g, i))
            g->watched.scales.drift[i] += times * fabs(a[i] - b[i]) / size;
    }
}

bool sg_scales_are_noise(const sg_integration *g)
{
    const sg_scales *s = &g->watched.scales;
    return s->small && !s->growing && s->difference >= 0.5 * s->difference_before;
}

bool sg_scales_are_closer(const sg_integration *g, bool again)
{
    const sg_scales *s = &g->watched.scales;
    if (s->growing && again)
        return CLOSER * s->difference < s->difference_run;
    return sg_scales_sees_values(g) && MUCH_CLOSER * s->difference < s->difference_run;
}

// The one whose tolerance made the difference, as far as one can tell; others may only feel it.
static uint32_t smallest_suspect(const sg_integration *g)
{
    uint32_t first = g->watched.scales.worst;
    double least = INFINITY;
    if (g->watched.scales.suspect[first])
        return first;
    for (uint32_t i = 0; i < g->segment.n_states; i++) {
        double size = fmax(fabs(g->watched.stretch.x[i]), fabs(g->x[i])) / present_atol(g, i);
        if (g->watched.scales.suspect[i] && size > 0.0 && size < least) {
            least = size;
            first = i;
        }
    }
    return first;
}

void sg_scales_tell_repeat(sg_integration *g)
{
    const sg_stretch *stretch = &g->watched.stretch;
    if (stretch->repeated > 0)
        return;
    uint32_t first = smallest_suspect(g);
    sg_sim_report(g->diags, stretch->t, SG_NOTE, SG_E_SIM_SCALE,
                  "'%s' becomes so small that its absolute tolerance %.2g does not control it, and "
                  "results depend on that; from time = %.10g s on the run was repeated with "
                  "smaller absolute tolerances of such states (%.2g for '%s'), until they made no "
                  "difference any more",
                  name_of(g, first), present_atol(g, first), stretch->t,
                  sg_integration_atol(g, first) * stretch->part[first], name_of(g, first));
}

// Nothing else can be said of a state that has grown where no stretch could be repeated.
static void warn_grown(sg_integration *g, uint32_t i)
{
    if (g->watched.scales.told || fabs(g->x[i]) <= MATTERS * sg_integration_atol(g, i))
        return;
    g->watched.scales.told = true;
    sg_sim_remark(g->diags, g->t, SG_WARNING, SG_E_SIM_SCALE,
                  "'%s' had fallen below its absolute tolerance %.2g and has grown to %.2g since, "
                  "out of nothing but what is below it and not controlled; whether that is right "
                  "could not be tested here: repeat the run with a smaller atol",
                  name_of(g, i), present_atol(g, i), g->x[i]);
}

// What is small ought to grow, nobody sees it, and no two twins agree on what comes of it.
static void warn_open(sg_integration *g)
{
    const sg_scales *s = &g->watched.scales;
    if (s->told || !s->growing)
        return;
    g->watched.scales.told = true;
    if (!s->compared) {
        sg_sim_report(
            g->diags, g->t, SG_WARNING, SG_E_SIM_SCALE,
            "'%s' is below its absolute tolerance and not controlled, but would grow. The "
            "run could not be repeated from time = %.10g s with smaller tolerances, so "
            "that its values, and what they do to others, may mean nothing; give simulate! "
            "an atol that is below them",
            name_of(g, g->watched.growth.which), g->watched.stretch.t);
        return;
    }
    sg_sim_report(
        g->diags, g->t, SG_WARNING, SG_E_SIM_SCALE,
        "'%s' is below its absolute tolerance and not controlled, but would grow. The run "
        "was repeated from time = %.10g s with ever smaller tolerances, and no two "
        "answers agree: for '%s' the last ones were %.4g and %.4g, so that its values "
        "from here on may mean nothing",
        name_of(g, g->watched.growth.which), g->watched.stretch.t, name_of(g, s->worst), s->mine,
        s->theirs);
}

static sg_status refuse(sg_integration *g)
{
    const sg_scales *s = &g->watched.scales;
    sg_sim_report(g->diags, g->t, SG_ERROR, SG_E_SIM_SCALE,
                  "'%s' had fallen below its absolute tolerance %.2g and has grown since, out of "
                  "what is below it and not controlled. The run was repeated from time = %.10g s "
                  "with ever smaller tolerances, and no two answers agree: the last ones were "
                  "%.4g and %.4g. Its values from here on would mean nothing",
                  name_of(g, s->worst), present_atol(g, s->worst), g->watched.stretch.t, s->mine,
                  s->theirs);
    return SG_ERR_SOLVER;
}

sg_status sg_scales_settled(sg_integration *g, bool known)
{
    sg_scales *s = &g->watched.scales;
    bool tested = g->watched.stretch.open;
    if (tested && !known && s->gross)
        return refuse(g);
    for (uint32_t i = 0; i < g->segment.n_states; i++) {
        if (s->grown[i] && !sg_stretch_possible(g))
            warn_grown(g, i);
        // Only a twin with a smaller tolerance of this state says something of it.
        if (tested && s->low[i] && g->watched.stretch.part[i] < g->sizes.part[i])
            s->settled[i] = fabs(g->x[i]);
        if (tested)
            s->grown[i] = false;
    }
    // Rates of one moment say little of what began at zero; of that a test must have shown
    // something.
    // If all that twins disagree about is below its tolerance in both of them, it is not missing:
    // it ought to be above, and smaller tolerances say that it is not.
    bool shown = s->compared && !s->small;
    bool missing = sg_growth_missing(g, 1.0) &&
                   (shown || (!s->compared && g->watched.growth.given[g->watched.growth.which]));
    if (tested && !known && (s->open || missing))
        warn_open(g);
    if (tested && (known || sg_growth_missing(g, 1.0)))
        sg_growth_settled(g);
    return SG_OK;
}

// ---- where no stretch can be repeated -----------------------------------------------------------

// Of a state that is small all the time, estimated errors of steps may be small beside it, although
// nobody asked for that: others make the steps short. Up to this part of its size, added up, it is
// right as it is.
#define CONTROLLED 0.01

static bool is_far_below(const sg_integration *g, uint32_t i)
{
    double atol = 0.1 * g->options.tolerance * g->sizes.part[i];
    return g->sizes.largest[i] < FAR_BELOW * atol && sg_scales_is_unscaled(g, i);
}

void sg_scales_add_errors(sg_integration *g)
{
    bool any = false, scaled = g->options.atol > 0.0 || g->segment.atol;
    for (uint32_t i = 0; i < g->segment.n_states && !any && !scaled; i++)
        any = g->sizes.largest[i] > 0.0 && is_far_below(g, i);
    if (any && !sg_stretch_possible(g))
        sg_solver_add_errors(g->solver, g->watched.scales.errors, (int32_t)g->segment.n_states);
}

void sg_scales_add_errors_of(sg_integration *g, const sg_island_step *step)
{
    bool any = false, scaled = g->options.atol > 0.0 || g->segment.atol;
    for (int32_t k = 0; k < step->n && !any && !scaled; k++) {
        uint32_t i = (uint32_t)step->states[k];
        any = g->sizes.largest[i] > 0.0 && is_far_below(g, i);
    }
    if (!any)
        return;
    memset(g->dx_out, 0, (size_t)step->n * sizeof *g->dx_out);
    sg_solver_add_errors(step->solver, g->dx_out, step->n);
    for (int32_t k = 0; k < step->n; k++)
        g->watched.scales.errors[step->states[k]] += g->dx_out[k];
}

// Is what the state was at most known, or nothing but rounding?
static bool is_right_anyway(const sg_integration *g, uint32_t i)
{
    return g->watched.scales.errors[i] <= CONTROLLED * g->sizes.largest[i] ||
           g->sizes.largest[i] <= ROUNDING_TIMES * g->watched.growth.noise[i] ||
           g->sizes.largest[i] <= g->watched.scales.rounding[i];
}

// ---- at the end ---------------------------------------------------------------------------------

void sg_integration_check_scales(sg_integration *g)
{
    const sg_sim_segment *s = &g->segment;
    double atol = 0.1 * g->options.tolerance;
    if (sg_growth_missing(g, 1.0))
        expect_growth(g);
    // What is small in the last of several segments may have been large before.
    if (g->options.atol > 0.0 || g->options.plain_atol || g->n_segments > 1 ||
        sg_stretch_possible(g))
        return;
    bool measured = false;
    measure_families(g);
    for (uint32_t i = 0; i < s->n_states; i++) {
        double most = g->sizes.largest[i];
        if (!(most > 0.0) || !is_far_below(g, i) ||
            largest_of_family(g, i) >= FAR_BELOW * atol * g->sizes.part[i])
            continue;
        if (!measured) {
            sg_growth_measure_noise(g);
            measure_rounding(g, g->sizes.largest);
        }
        measured = true;
        if (is_right_anyway(g, i))
            continue;
        sg_sim_remark(
            g->diags, g->t, SG_WARNING, SG_E_SIM_SCALE,
            "'%s' never exceeds %.2g, far below the absolute tolerance %.2g, so its error "
            "is not controlled; say how large it is with Var(nominal = %.0e) or give "
            "simulate! a smaller atol",
            s->state_names ? s->state_names[i] : "a state", most, atol, most);
        return;
    }
}
