// Zero-crossing functions of the nearest pairs: the earlier method, [NO2017] section 5.
//
// There are nz functions, each the distance of one pair: of those in contact, less the hysteresis,
// and of the nearest others. Pairs are selected anew at events and before each step, in the order
// of their distances. Between two events as many are negative as there are contacts, and these come
// first, so no function changes its sign by the selection, which is all that a root finder sees.
//
// What the paper stops with an error for is caught here. One function more watches all pairs that
// were not selected, and contacts beyond nz share the first; so no contact is missed, and whoever
// owns the functions is told that there should be more (`is_short`).
#pragma once

#include "collide/detect.h"
#include "collide/nearest.h"

typedef struct sg_smallest {
    sg_nearest set;
    sg_nearest_pair *list; // the selection
    int n;                 // of it
    sg_pair_table slots;   // pairs to their functions
    double *z;             // nz + 1 functions [m], the last one of all other pairs
    int nz;
    bool is_selected;
    // At the last event: there are more contacts than functions, or one began that had none.
    bool is_short;
    int64_t selections;
} sg_smallest;

sg_status sg_smallest_init(sg_detect *detect, int nz, sg_arena *arena);
// After an event has found the contact set: are there too few functions? And a new selection.
sg_status sg_smallest_at_event(sg_detect *detect);
// Another selection, before a step; boxes must be those of the present poses.
sg_status sg_smallest_select(sg_detect *detect);
// The functions at the present poses; the contact set is measured.
sg_status sg_smallest_evaluate(sg_detect *detect);
