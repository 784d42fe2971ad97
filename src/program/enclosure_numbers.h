// The numbers of an enclosure (enclosure.h), and operators on whole arrays of them.
#pragma once

#include "program/enclosure.h"
#include "program/linked.h"

static inline sg_enclosed sg_enclosure_get(const sg_enclosure *e, uint32_t at)
{
    return e->varies[at] ? e->numbers[at] : sg_enclosed_point(e->exec->w[at]);
}

static inline void sg_enclosure_put(sg_enclosure *e, uint32_t at, sg_enclosed value)
{
    e->numbers[at] = value;
    e->terms[at] = 0.0;
}

// Half length r of the interval. False: the result is not known.
bool sg_enclosure_run_wide(sg_enclosure *e, const sg_wide *w, double r);
