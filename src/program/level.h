// Functions that jump: sign, floor, ceil, round and trunc as levels that change at events only.
//
// Between events such a function keeps its level; the interval of arguments that belongs to the
// level is its cell. The distance to the nearer end of the cell is the crossing function: positive
// inside, negative as soon as the argument has left, on whichever side and by however many levels.
// `mod`, `rem` and `div` are made of floor and trunc (equations/emit.c).
#pragma once

#include "base/number.h"

#include <math.h>

typedef enum sg_level_kind {
    SG_LEVEL_SIGN,
    SG_LEVEL_FLOOR,
    SG_LEVEL_CEIL,
    SG_LEVEL_ROUND,
    SG_LEVEL_TRUNC
} sg_level_kind;

typedef struct sg_level_cell {
    double low, high;
} sg_level_cell;

static inline double sg_level_of(sg_level_kind kind, double x)
{
    switch (kind) {
    case SG_LEVEL_SIGN:
        return sg_sign(x);
    case SG_LEVEL_FLOOR:
        return floor(x);
    case SG_LEVEL_CEIL:
        return ceil(x);
    case SG_LEVEL_ROUND:
        return sg_round(x);
    case SG_LEVEL_TRUNC:
        break;
    }
    return trunc(x);
}

static inline sg_level_cell sg_level_cell_of(sg_level_kind kind, double level)
{
    switch (kind) {
    case SG_LEVEL_SIGN:
        return (sg_level_cell){level < 0.0 ? -(double)INFINITY : 0.0,
                               level > 0.0 ? (double)INFINITY : 0.0};
    case SG_LEVEL_FLOOR:
        return (sg_level_cell){level, level + 1.0};
    case SG_LEVEL_CEIL:
        return (sg_level_cell){level - 1.0, level};
    case SG_LEVEL_ROUND:
        return (sg_level_cell){level - 0.5, level + 0.5};
    case SG_LEVEL_TRUNC:
        break;
    }
    return (sg_level_cell){level > 0.0 ? level : level - 1.0, level < 0.0 ? level : level + 1.0};
}

// The level on the other side of the upper (direction 1) or lower (-1) end of the cell. sign goes
// to the far side at once: at zero itself it is only while the argument stays there.
static inline double sg_level_next(sg_level_kind kind, double level, int direction)
{
    return kind == SG_LEVEL_SIGN ? (double)direction : level + direction;
}
