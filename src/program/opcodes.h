// The operators of the numeric program, one list for builder, linker, executor and dump.
//
// SG_UNARY(NAME, expression of x) and SG_BINARY(NAME, expression of x and y) are functions of
// numbers; the linker makes a scalar and an element-by-element form of each. SG_OTHER(NAME) has
// code of its own. Define the three macros, then include.
SG_UNARY(NEG, -x)
#define SG_FUNCTION(name, text, value, slope, derivative, units, least, most) SG_UNARY(name, value)
#define SG_FUNCTION_OWN(name, text, value, slope, derivative, units) SG_UNARY(name, value)
#include "base/functions_list.h"
SG_UNARY(SIGN, sg_sign(x))
SG_UNARY(FLOOR, floor(x))
SG_UNARY(CEIL, ceil(x))
SG_UNARY(ROUND, sg_round(x))
SG_UNARY(TRUNC, trunc(x))
SG_UNARY(NOT,
         1.0 - x) // conditions are 0 or 1, and in between while they slide (integration/sliding.h)
SG_BINARY(ADD, x + y)
SG_BINARY(SUB, x - y)
SG_BINARY(MUL, x *y)
SG_BINARY(DIV, x / y)
SG_BINARY(POW, pow(x, y))
#define SG_FUNCTION2(name, text, value, derivative, size) SG_BINARY(name, value)
#include "base/functions2_list.h"
SG_BINARY(MOD, sg_mod(x, y))
SG_BINARY(REM, fmod(x, y))
SG_BINARY(IDIV, trunc(x / y))
SG_BINARY(MIN, sg_min(x, y))
SG_BINARY(MAX, sg_max(x, y))
SG_BINARY(COPYSIGN, copysign(x, y))
SG_BINARY(LT, x < y ? 1.0 : 0.0)
SG_BINARY(LE, x <= y ? 1.0 : 0.0)
SG_BINARY(GT, x > y ? 1.0 : 0.0)
SG_BINARY(GE, x >= y ? 1.0 : 0.0)
SG_BINARY(EQ, x == y ? 1.0 : 0.0)
SG_BINARY(NE, x != y ? 1.0 : 0.0)
SG_BINARY(AND, x *y)
SG_BINARY(OR, x + y - x * y)
// data and control
SG_OTHER(COPY)        // dst = a; a scalar fills an array
SG_OTHER(DEPEND)      // dst = a, which also depends on the other operands in a hidden way
SG_OTHER(SELECT)      // dst = a ? b : c
SG_OTHER(JUMP)        // to step `aux`
SG_OTHER(JUMP_UNLESS) // to step `aux` if a is false
SG_OTHER(CALL)        // function `aux`; operands: results, then arguments
SG_OTHER(SOLVE)       // system `aux`; its steps follow and are not run in line
// arrays
SG_OTHER(LDIV) // a \ b
SG_OTHER(VECT)
SG_OTHER(VCAT)
SG_OTHER(HCAT)
SG_OTHER(RANGE)
// base, one or two indices; register 0 stands for a colon. With a dot, one element for each index
// or pair of them, NaN for those that lead nowhere if `aux` is 1.
SG_OTHER(INDEX)
SG_OTHER(SETINDEX) // base, values, one or two indices: one element for each; with a dot, all others
SG_OTHER(ONLY)     // a, which has one element
SG_OTHER(SIZE)     // of a along dimension `aux`, of all of it when aux is 0
SG_OTHER(SIZE_AT)  // of a along dimension b
SG_OTHER(TRANSPOSE)
SG_OTHER(ZEROS)
SG_OTHER(ONES)
SG_OTHER(ZERO) // zero in the shape of a
SG_OTHER(FILL)
SG_OTHER(SUM)
SG_OTHER(PROD)
SG_OTHER(MAXIMUM)
SG_OTHER(MINIMUM)
SG_OTHER(NORM)
SG_OTHER(DOT)
SG_OTHER(CROSS)
SG_OTHER(DIAGONAL)
// events; `aux` is the slot of conditions and the memory number of the others
SG_OTHER(POSITIVE)
SG_OTHER(NEGATIVE)
SG_OTHER(AFTER)
SG_OTHER(CLOCK)        // period, or first tick and period
SG_OTHER(SAMPLE)       // value, clock
SG_OTHER(HOLD)         // value, clock
SG_OTHER(PREVIOUS)     // clock
SG_OTHER(SET_PREVIOUS) // value; no result
SG_OTHER(PRE)          // no operand
SG_OTHER(SET_PRE)      // value; no result
SG_OTHER(EDGE)
SG_OTHER(CHANGE)
SG_OTHER(INITIAL)
SG_OTHER(TERMINAL)
SG_OTHER(REINIT) // value; `aux` is the state's number
// value; `aux` is the text to show
SG_OTHER(ASSERT)
SG_OTHER(TERMINATE)
SG_OTHER(DELAY)     // time; `aux` is the row of sg_program.taps
SG_OTHER(SET_DELAY) // value; no result; `aux` is the memory number
// functions that jump, as levels: value, and how fast it changes with time if that is known
SG_OTHER(HELD_SIGN)
SG_OTHER(HELD_FLOOR)
SG_OTHER(HELD_CEIL)
SG_OTHER(HELD_ROUND)
SG_OTHER(HELD_TRUNC)
