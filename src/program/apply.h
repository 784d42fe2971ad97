// One operation of two numbers, for those who do not run a whole program: element by element, and
// where values are bounded. NaN for what is no such operation.
#pragma once

#include "base/number.h"
#include "program/program.h"

#include <math.h>

static inline double sg_apply_binary(sg_op op, double x, double y)
{
    switch ((int)op) {
#define SG_UNARY(name, expression)
#define SG_BINARY(name, expression)                                                                \
    case SG_OP_##name:                                                                             \
        return expression;
#define SG_OTHER(name)
#include "program/opcodes.h"
#undef SG_UNARY
#undef SG_BINARY
#undef SG_OTHER
    default:
        return NAN;
    }
}
