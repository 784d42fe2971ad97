#include "integration/band.h"

#include <string.h>

// Not zero, and less than anything that is measured in any unit.
#define NARROWEST 1e-300
// Visits to a side that are this part of the largest ever are rounding ...
#define FAINT 1e-13
// ... if there are so many in a row, on both sides.
#define MANY_FAINT 8
// What is off by more than this part is no noise: something jumped.
#define NOISY 1e-8
// An argument that was never farther than so many times where it is now began there.
#define NEVER_FAR 4.0
// A band is so many times as wide as what was seen of the noise.
#define COVER 4.0
// Slopes of a line that is straight enough differ by this factor at most.
#define STRAIGHT 3.0
// The way to zero is remembered by points each of which is this part of the one before.
#define NEARER 0.7
// What had died away is back when it is so many times as large as what it was known to.
#define RETURNED 8.0

void sg_sim_band_init(sg_sim_band *band, bool fixed)
{
    double least = fixed ? SG_SIM_FIXED_BAND : NARROWEST;
    *band = (sg_sim_band){.width = least, .noise = least, .fixed = fixed};
}

void sg_sim_band_await(sg_sim_band *band, int sign, double z)
{
    band->awaited = sign != 0;
    band->seen = z * sign > 0.0 ? fabs(z) + band->width : 0.0;
}

double sg_sim_band_crossing(const sg_sim_band *band, bool holds, double value)
{
    if (holds && value == 0.0 && sg_sim_band_ends_at_zero(band))
        return -NARROWEST;
    return value + (holds ? band->width : -band->width);
}

// Points that the argument has left behind, or that a run which went back has never been to.
static void note_way(sg_sim_band *band, double t, double value)
{
    uint32_t n = band->n_way;
    while (n && (band->on_way[n - 1] >= t || fabs(band->way[n - 1]) <= fabs(value) ||
                 band->way[n - 1] * value < 0.0))
        n--;
    if (n && fabs(value) > NEARER * fabs(band->way[n - 1])) {
        band->n_way = n;
        return;
    }
    if (n == SG_SIM_BAND_WAY) {
        memmove(band->way, band->way + 1, (SG_SIM_BAND_WAY - 1) * sizeof *band->way);
        memmove(band->on_way, band->on_way + 1, (SG_SIM_BAND_WAY - 1) * sizeof *band->on_way);
        n--;
    }
    band->way[n] = value;
    band->on_way[n] = t;
    band->n_way = n + 1;
}

bool sg_sim_band_comes_from_afar(const sg_sim_band *band, double t, double value, double rate,
                                 double off)
{
    for (uint32_t i = band->n_way; i > 0 && t > band->on_way[i - 1]; i--) {
        double slope = (value - band->way[i - 1]) / (t - band->on_way[i - 1]);
        bool near = fabs(band->way[i - 1]) <= off;
        if (near && fabs(band->way[i - 1]) < STRAIGHT * fabs(value))
            continue; // hardly a way
        if (!(slope * rate > 0.0) || fabs(slope) > STRAIGHT * fabs(rate) ||
            fabs(rate) > STRAIGHT * fabs(slope))
            return false;
        if (!near)
            return true;
    }
    return false;
}

void sg_sim_band_pass(sg_sim_band *band, double t, double value)
{
    note_way(band, t, value);
    for (uint32_t i = SG_SIM_BAND_PAST - 1; i > 0; i--) {
        band->past[i] = band->past[i - 1];
        band->when[i] = band->when[i - 1];
    }
    band->past[0] = value;
    band->when[0] = t;
    band->n_past = band->n_past < SG_SIM_BAND_PAST ? band->n_past + 1 : SG_SIM_BAND_PAST;
}

// Do slopes from (t, to) back through the points from `first` on have one sign and about one size?
static bool is_straight(const sg_sim_band *band, uint32_t first, double t, double to, double sign)
{
    double least = INFINITY, most = 0.0;
    for (uint32_t i = first; i < SG_SIM_BAND_PAST; i++) {
        double slope = sign * (to - band->past[i]) / (t - band->when[i]);
        if (!(slope > 0.0))
            return false;
        least = fmin(least, slope);
        most = fmax(most, slope);
        to = band->past[i];
        t = band->when[i];
    }
    return most <= STRAIGHT * least;
}

bool sg_sim_band_comes_steadily(const sg_sim_band *band, double t)
{
    return band->n_past == SG_SIM_BAND_PAST && t > band->when[0] &&
           is_straight(band, 0, t, 0.0, band->past[0] > 0.0 ? -1.0 : 1.0);
}

bool sg_sim_band_goes_steadily(const sg_sim_band *band, bool holds)
{
    double away = holds ? -1.0 : 1.0;
    return band->n_past == SG_SIM_BAND_PAST && away * band->past[SG_SIM_BAND_PAST - 1] > 0.0 &&
           is_straight(band, 1, band->when[0], band->past[0], away);
}

bool sg_sim_band_is_faint(const sg_sim_band *band, double value)
{
    return !band->fixed && fabs(value) <= FAINT * band->reach;
}

void sg_sim_band_change(sg_sim_band *band)
{
    double most = fmax(band->visit, band->last_visit);
    band->n_faint = sg_sim_band_is_faint(band, most) ? band->n_faint + 1 : 0;
    if (band->n_faint >= MANY_FAINT) {
        band->noise = fmax(band->noise, COVER * most);
        band->n_faint = 0;
    }
    band->last_visit = band->visit;
    band->visit = band->hold = 0.0;
    band->width = band->noise;
}

void sg_sim_band_hold(sg_sim_band *band, double off, bool loosely)
{
    band->loosely = loosely;
    band->hold = fmax(band->hold, off);
    band->width = fmax(band->width, band->hold);
}

void sg_sim_band_release(sg_sim_band *band)
{
    if (!(band->hold > 0.0))
        return;
    band->hold = 0.0;
    band->width = band->noise;
}

void sg_sim_band_return(sg_sim_band *band, double inside)
{
    if (inside > (band->loosely ? 0.0 : RETURNED * band->hold))
        sg_sim_band_release(band);
}

void sg_sim_band_deny(sg_sim_band *band, double value)
{
    if (band->fixed || !(fabs(value) <= NOISY * band->reach))
        return;
    band->noise = COVER * fmax(fabs(value), band->width);
    band->width = fmax(band->width, band->noise);
}

void sg_sim_band_is_unsure(sg_sim_band *band, double off)
{
    if (band->fixed)
        return;
    band->noise = fmax(band->noise, off);
    band->width = fmax(band->width, band->noise);
}

void sg_sim_band_arm(sg_sim_band *band, double off)
{
    // Rounding, or an argument that began at zero and was never farther away. What lies in between
    // is no noise: a sliding surface is looked at from beside it.
    bool noise = off <= NOISY * band->reach || band->reach <= NEVER_FAR * off;
    if (!band->fixed && off >= band->width && noise)
        sg_sim_band_widen(band, off);
}

void sg_sim_band_widen(sg_sim_band *band, double off)
{
    band->width = fmax(fmax(band->width, band->noise), 2.0 * off);
}
