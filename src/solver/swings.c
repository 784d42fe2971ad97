#include "solver/swings.h"

#include <math.h>

// What a step counts for one step later.
static const double fading = 0.8;
// So many steps of one length and order in a row are needed.
enum { ENOUGH = 10 };
// Phase over a step [rad] and growth, at least; and what the fit may leave of the squares.
static const double least_phase = 0.6, least_growth = 1.0, left = 0.03;

// Products of the errors of this step, of the last one and of the one before.
enum { NOW_NOW, NOW_LAST, NOW_BEFORE, LAST_LAST, LAST_BEFORE, BEFORE_BEFORE };

void sg_swings_init(sg_swings *s, sg_arena *arena, int32_t n)
{
    *s = (sg_swings){.errors = SG_NEW_ARRAY(arena, double, 4 * (size_t)n)};
    s->before = s->errors ? s->errors + 2 * (size_t)n : NULL;
    s->earlier = s->errors ? s->errors + 3 * (size_t)n : NULL;
}

void sg_swings_begin(sg_swings *s) { s->steps = 0; }

static bool is_swing(const sg_swings *s, double *phase)
{
    const double *m = s->sums;
    double d = m[LAST_LAST] * m[BEFORE_BEFORE] - m[LAST_BEFORE] * m[LAST_BEFORE];
    // One error is a multiple of the other: then it turns over from step to step.
    bool turns = !(d > 1e-6 * m[LAST_LAST] * m[BEFORE_BEFORE]);
    double a = turns ? m[NOW_LAST] / m[LAST_LAST]
                     : (m[NOW_LAST] * m[BEFORE_BEFORE] - m[NOW_BEFORE] * m[LAST_BEFORE]) / d;
    double b = turns ? 0.0 : (m[NOW_LAST] * m[LAST_BEFORE] - m[NOW_BEFORE] * m[LAST_LAST]) / d;
    double rest = m[NOW_NOW] - a * m[NOW_LAST] + b * m[NOW_BEFORE];
    double growth = turns ? -a : sqrt(fmax(b, 0.0));
    if (!(rest <= left * m[NOW_NOW]) || !(growth >= least_growth))
        return false;
    *phase = turns ? acos(-1.0) : acos(fmin(fmax(a / (2.0 * growth), -1.0), 1.0));
    return *phase >= least_phase;
}

bool sg_swings_note(sg_swings *s, const double *errors, int32_t n, double h, int order)
{
    const double *weights = errors + n;
    double now = 0.0, last = 0.0, before = 0.0, phase = 0.0;
    if (order != s->order || fabs(h - s->h) > 1e-9 * fabs(h))
        s->steps = 0;
    for (int32_t i = 0; i < n; i++) {
        double e = errors[i] * weights[i];
        now += e * e;
        last += e * s->before[i];
        before += e * s->earlier[i];
        s->earlier[i] = s->before[i];
        s->before[i] = e;
    }
    bool counts = s->steps >= 2 && s->earlier_size > 0.0 && s->size > 0.0 && isfinite(now);
    const double products[] = {now, last, before, s->size, s->apart, s->earlier_size};
    for (int k = 0; k < 6; k++)
        s->sums[k] =
            counts ? (s->steps > 2 ? fading * s->sums[k] : 0.0) + products[k] / s->size : 0.0;
    s->steps = isfinite(now) && (counts || s->steps < 2) ? s->steps + 1 : 0;
    s->earlier_size = s->size;
    s->size = now;
    s->apart = last;
    s->h = h;
    s->order = order;
    if (s->steps < ENOUGH || !is_swing(s, &phase))
        return false;
    s->rate = phase / h;
    return true;
}
