#include "sim/band.h"

// Not zero, and less than anything that is measured in any unit.
#define NARROWEST 1e-300
// Visits to a side that are this part of the largest ever are rounding ...
#define FAINT 1e-13
// ... if there are so many in a row, on both sides.
#define MANY_FAINT 8
// What is off by more than this part is no noise: something jumped.
#define NOISY 1e-8
// A band is so many times as wide as what was seen of the noise.
#define COVER 4.0

void sg_sim_band_init(sg_sim_band *band, bool fixed)
{
    double least = fixed ? SG_SIM_FIXED_BAND : NARROWEST;
    *band = (sg_sim_band){.width = least, .noise = least, .fixed = fixed};
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
    band->visit = 0.0;
    band->width = band->noise;
}

void sg_sim_band_deny(sg_sim_band *band, double value)
{
    if (band->fixed || !(fabs(value) <= NOISY * band->reach))
        return;
    band->noise = COVER * fmax(fabs(value), band->width);
    band->width = fmax(band->width, band->noise);
}

void sg_sim_band_arm(sg_sim_band *band, double off)
{
    if (!band->fixed && off >= band->width && off <= NOISY * band->reach)
        sg_sim_band_widen(band, off);
}

void sg_sim_band_widen(sg_sim_band *band, double off)
{
    band->width = fmax(fmax(band->width, band->noise), 2.0 * off);
}
