// Swings that a multistep method feeds itself.
//
// Methods of order three and more lead swings away from rest that the model damps little or not at
// all, where their steps are about as long as a part of the period: BDF of order four makes an
// undamped swing a third larger in each step of half a period. As long as it is smaller than the
// tolerance nobody sees it. Then steps become short enough to follow it for ever, although the
// solution that was asked for hardly has it: a circuit of slow currents with a mode of microseconds
// took 20,000 steps for 50 of its periods. Order two damps such a swing, and steps go on to grow.
//
// It shows in the estimated errors of the steps. Those of a solution that is followed change little
// from step to step. Those of a swing are vectors e with e(n) = a e(n-1) - b e(n-2), where sqrt(b)
// is its growth over one step and a = 2 sqrt(b) cos(phase): a and b are fitted to the last few
// steps. Nobody who follows a swing takes less than ten steps for a period, at usual tolerances.
// So where the phase is larger than that, it grows, and the fit is good, the swing is one of the
// method.
#pragma once

#include "base/arena.h"

typedef struct sg_swings {
    double *errors;           // of a step, and weights behind them; null: nobody looks
    double *before, *earlier; // errors of the last step and of the one before, n each
    double size, apart;       // ... squares of the last; its product with the one before
    double earlier_size;      // squares of the one before
    double sums[6];           // of products of three errors in a row, old ones fading
    double h;                 // [s]
    int order, steps;         // of which the last ones were, and how many
    double rate;              // of the swing that was found last [rad/s], 0: none
    int limited;              // steps that order two still holds for
} sg_swings;

void sg_swings_init(sg_swings *s, sg_arena *arena, int32_t n);
// From now on errors are those of other steps.
void sg_swings_begin(sg_swings *s);
// The errors of a step, and weights behind them: true if they are those of a swing, whose rate is
// known then.
bool sg_swings_note(sg_swings *s, const double *errors, int32_t n, double h, int order);
