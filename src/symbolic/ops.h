// Every kind of expression node: SG_X(NAME, text, least, most, traits). `text` is the name or
// operator in the dialect; most = 255 stands for any number of arguments. Include with SG_X
// defined. Traits: see the enum in expr.h.
//
// leaves
SG_X(NUM, "number", 0, 0, LEAF)     // payload: double; type real, int or bool
SG_X(VAR, "variable", 0, 0, LEAF)   // payload: sg_var_id; der(x) is a variable of its own
SG_X(PAR, "parameter", 0, 0, LEAF)  // payload: sg_par_id
SG_X(CONST, "constant", 0, 0, LEAF) // payload: index of a string or opaque value of the user's
SG_X(TIME, "time", 0, 0, LEAF)
SG_X(COLON, ":", 0, 0, LEAF) // only as an index
// arithmetic as Julia has it: `*` of arrays is the matrix product, `+` wants equal shapes
SG_X(ADD, "+", 1, 255, INFIX)
SG_X(SUB, "-", 2, 2, INFIX)
SG_X(NEG, "-", 1, 1, PREFIX)
SG_X(MUL, "*", 1, 255, INFIX)
SG_X(DIV, "/", 2, 2, INFIX)
SG_X(LDIV, "\\", 2, 2, INFIX) // a \ b: division, or the solution of a linear system
SG_X(POW, "^", 2, 2, INFIX)
// element by element
SG_X(DOT_ADD, ".+", 2, 2, INFIX)
SG_X(DOT_SUB, ".-", 2, 2, INFIX)
SG_X(DOT_MUL, ".*", 2, 2, INFIX)
SG_X(DOT_DIV, "./", 2, 2, INFIX)
SG_X(DOT_POW, ".^", 2, 2, INFIX)
// functions of numbers; of arrays too when written with a dot (node flag `dot`)
#define SG_FUNCTION(name, text, value, slope, derivative, units, least, most)                      \
    SG_X(name, text, 1, 1, SCALAR)
#define SG_FUNCTION_OWN(name, text, value, slope, derivative, units) SG_X(name, text, 1, 1, SCALAR)
#include "base/functions_list.h"
#define SG_FUNCTION2(name, text, value, derivative, size) SG_X(name, text, 2, 2, SCALAR)
#include "base/functions2_list.h"
SG_X(SIGN, "sign", 1, 1, SCALAR)
SG_X(FLOOR, "floor", 1, 1, SCALAR)
SG_X(CEIL, "ceil", 1, 1, SCALAR)
SG_X(ROUND, "round", 1, 1, SCALAR)
SG_X(TRUNC, "trunc", 1, 1, SCALAR)
SG_X(MOD, "mod", 2, 2, SCALAR)
SG_X(REM, "rem", 2, 2, SCALAR)
SG_X(IDIV, "div", 2, 2, SCALAR)
SG_X(MIN, "min", 1, 255, SCALAR)
SG_X(MAX, "max", 1, 255, SCALAR)
SG_X(COPYSIGN, "copysign", 2, 2, SCALAR)
// conditions; values are 0 and 1 of type bool
SG_X(LT, "<", 2, 2, INFIX | BOOL)
SG_X(LE, "<=", 2, 2, INFIX | BOOL)
SG_X(GT, ">", 2, 2, INFIX | BOOL)
SG_X(GE, ">=", 2, 2, INFIX | BOOL)
SG_X(EQ, "==", 2, 2, INFIX | BOOL)
SG_X(NE, "!=", 2, 2, INFIX | BOOL)
SG_X(AND, "&&", 2, 2, INFIX | BOOL)
SG_X(OR, "||", 2, 2, INFIX | BOOL)
SG_X(NOT, "!", 1, 1, PREFIX | BOOL)
SG_X(IF, "if", 3, 3, SPECIAL)
// arrays
SG_X(VECT, "vect", 0, 255, SPECIAL) // [a, b, c]
SG_X(VCAT, "vcat", 1, 255, SPECIAL) // [a; b]
SG_X(HCAT, "hcat", 1, 255, SPECIAL) // [a b]; a matrix literal is a vcat of hcats
SG_X(RANGE, "range", 2, 3, SPECIAL) // first:last or first:step:last
// base, one or two of: number, vector, range, colon; with a dot, one element for each index or pair
SG_X(INDEX, "index", 2, 3, SPECIAL)
SG_X(SETINDEX, "setindex", 3, 4, SPECIAL) // base, values, where; with a dot all different
SG_X(END, "end", 1, 1, SPECIAL) // size of the base; payload: dimension from 1, 0 = all of it
SG_X(TRANSPOSE, "transpose", 1, 1, ARRAY)
SG_X(LENGTH, "length", 1, 1, ARRAY)
SG_X(SIZE, "size", 2, 2, ARRAY)
SG_X(ZEROS, "zeros", 1, 2, ARRAY)
SG_X(ONES, "ones", 1, 2, ARRAY)
SG_X(ZERO, "zero", 1, 1, ARRAY) // zero in the shape of its argument
SG_X(FILL, "fill", 2, 3, ARRAY)
SG_X(SUM, "sum", 1, 1, ARRAY)
SG_X(PROD, "prod", 1, 1, ARRAY)
SG_X(MAXIMUM, "maximum", 1, 1, ARRAY)
SG_X(MINIMUM, "minimum", 1, 1, ARRAY)
SG_X(NORM, "norm", 1, 1, ARRAY)
SG_X(DOT, "dot", 2, 2, ARRAY)
SG_X(CROSS, "cross", 2, 2, ARRAY)
SG_X(DIAGONAL, "Diagonal", 1, 1, ARRAY)
SG_X(ONLY, "only", 1, 1, ARRAY) // the one element of an array, or the number itself
// functions of the user or of a component; RESULT picks one of a call's results
SG_X(CALL, "call", 0, 255, SPECIAL)   // payload: sg_func_id
SG_X(RESULT, "result", 1, 1, SPECIAL) // payload: result number from 0
SG_X(IMPLICIT, "implicitDependency", 1, 255, ARRAY)
// event operators (language 3.8); each distinct node owns one slot of the event table
SG_X(POSITIVE, "positive", 1, 1, EVENT | BOOL)
SG_X(NEGATIVE, "negative", 1, 1, EVENT | BOOL)
SG_X(EDGE, "edge", 1, 1, EVENT | BOOL)
SG_X(CHANGE, "change", 1, 1, EVENT | BOOL)
SG_X(AFTER, "after", 1, 1, EVENT | BOOL)
SG_X(CLOCK, "Clock", 1, 2, EVENT | BOOL)
SG_X(SAMPLE, "sample", 2, 2, EVENT)
SG_X(HOLD, "hold", 2, 2, EVENT)
SG_X(PREVIOUS, "previous", 2, 2, EVENT)
SG_X(PRE, "pre", 1, 1, EVENT)
SG_X(INITIAL, "initial", 0, 0, EVENT | BOOL)
SG_X(TERMINAL, "terminal", 0, 0, EVENT | BOOL)
SG_X(REINIT, "reinit", 2, 2, EVENT)
// extensions: lines of their own; payload: index of the text among the constants
SG_X(ASSERT, "assert", 1, 1, EVENT | BOOL)
SG_X(TERMINATE, "terminate", 1, 1, EVENT | BOOL)
// a variable some time ago; payload: how often that is differentiated with respect to time
SG_X(DELAY, "delay", 2, 2, EVENT)
