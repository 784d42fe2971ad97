// Islands for tests that neither foresee nor bound anything.
#pragma once

#include "solver/islands.h"

#include <math.h>

static inline double sg_calm_foreseen(void *user, int32_t island, double t0, double t1,
                                      bool goes_on)
{
    (void)user;
    (void)island;
    (void)t0;
    (void)goes_on;
    return t1;
}

static inline double sg_calm_bound(void *user, int32_t island, double t, const double *x,
                                   double *most)
{
    (void)user;
    (void)island;
    (void)t;
    (void)x;
    (void)most;
    return INFINITY;
}

static inline sg_status sg_calm_swept(void *user, int32_t island, double t, const double *x)
{
    (void)user;
    (void)island;
    (void)t;
    (void)x;
    return SG_OK;
}
