// Functions of one number that equations know, one row each: the only place to touch for one more.
// (base/number.h if the C library does not have it, and program/enclosed.c if conditions shall be
// bounded through it; without that they are sampled.)
//
//     SG_FUNCTION(NAME, "name", f(x), |f'(x)|, derivative, UNITS, least, most)
//
// `f(x)` and `|f'(x)|` are expressions of x, the latter also of f, the value. The derivative is
// built from X, F (f itself), ONE, NUM(c), SQ (x squared), SQUARE(a), NEG(a), ADD(a, b), SUB(a, b),
// MUL(a, b), DIV(a, b) and CALL(NAME, "name", a); in the graph of expressions and, for functions of
// the script, in syntax trees. UNITS is how units pass through (model/unit_form.h): FUNCTION of
// plain numbers, ROOT, ABS (the same), CALL (nothing is known). Scripts have the function where it
// is defined, from `least` to `most`; SG_FUNCTION_OWN: they have code of their own for it.
//
// Define both macros, then include; this file takes them back.
SG_FUNCTION(SIN, "sin", sin(x), fabs(cos(x)), CALL(COS, "cos", X), FUNCTION, -HUGE_VAL, HUGE_VAL)
SG_FUNCTION(COS, "cos", cos(x), fabs(sin(x)), NEG(CALL(SIN, "sin", X)), FUNCTION, -HUGE_VAL,
            HUGE_VAL)
SG_FUNCTION(TAN, "tan", tan(x), 1.0 + f * f, ADD(ONE, SQUARE(F)), FUNCTION, -HUGE_VAL, HUGE_VAL)
SG_FUNCTION(ASIN, "asin", asin(x), 1.0 / sqrt(fabs(1.0 - x * x)),
            DIV(ONE, CALL(SQRT, "sqrt", SUB(ONE, SQ))), FUNCTION, -1, 1)
SG_FUNCTION(ACOS, "acos", acos(x), 1.0 / sqrt(fabs(1.0 - x * x)),
            DIV(NUM(-1.0), CALL(SQRT, "sqrt", SUB(ONE, SQ))), FUNCTION, -1, 1)
SG_FUNCTION_OWN(ATAN, "atan", atan(x), 1.0 / (1.0 + x * x), DIV(ONE, ADD(ONE, SQ)), FUNCTION)
SG_FUNCTION(SINH, "sinh", sinh(x), cosh(x), CALL(COSH, "cosh", X), FUNCTION, -HUGE_VAL, HUGE_VAL)
SG_FUNCTION(COSH, "cosh", cosh(x), fabs(sinh(x)), CALL(SINH, "sinh", X), FUNCTION, -HUGE_VAL,
            HUGE_VAL)
SG_FUNCTION(TANH, "tanh", tanh(x), 1.0 - f * f, SUB(ONE, SQUARE(F)), FUNCTION, -HUGE_VAL, HUGE_VAL)
SG_FUNCTION(ASINH, "asinh", asinh(x), 1.0 / sqrt(x * x + 1.0),
            DIV(ONE, CALL(SQRT, "sqrt", ADD(SQ, ONE))), FUNCTION, -HUGE_VAL, HUGE_VAL)
SG_FUNCTION(ACOSH, "acosh", acosh(x), 1.0 / sqrt(fabs(x * x - 1.0)),
            DIV(ONE, CALL(SQRT, "sqrt", SUB(SQ, ONE))), FUNCTION, 1, HUGE_VAL)
SG_FUNCTION(ATANH, "atanh", atanh(x), 1.0 / fabs(1.0 - x * x), DIV(ONE, SUB(ONE, SQ)), FUNCTION, -1,
            1)
SG_FUNCTION_OWN(SIND, "sind", sg_sind(x), SG_DEGREE *fabs(sg_cosd(x)),
                MUL(NUM(SG_DEGREE), CALL(COSD, "cosd", X)), CALL)
SG_FUNCTION_OWN(COSD, "cosd", sg_cosd(x), SG_DEGREE *fabs(sg_sind(x)),
                MUL(NUM(-SG_DEGREE), CALL(SIND, "sind", X)), CALL)
SG_FUNCTION_OWN(TAND, "tand", sg_tand(x), SG_DEGREE *(1.0 + f * f),
                MUL(NUM(SG_DEGREE), ADD(ONE, SQUARE(F))), CALL)
SG_FUNCTION(ERF, "erf", erf(x), SG_ERF_SLOPE *exp(-x *x),
            MUL(NUM(SG_ERF_SLOPE), CALL(EXP, "exp", NEG(SQ))), FUNCTION, -HUGE_VAL, HUGE_VAL)
SG_FUNCTION(EXP, "exp", exp(x), f, F, FUNCTION, -HUGE_VAL, HUGE_VAL)
SG_FUNCTION(EXPM1, "expm1", expm1(x), exp(x), ADD(F, ONE), FUNCTION, -HUGE_VAL, HUGE_VAL)
SG_FUNCTION_OWN(LOG, "log", log(x), 1.0 / fabs(x), DIV(ONE, X), FUNCTION)
SG_FUNCTION(LOG1P, "log1p", log1p(x), 1.0 / fabs(1.0 + x), DIV(ONE, ADD(ONE, X)), FUNCTION, -1,
            HUGE_VAL)
SG_FUNCTION(LOG2, "log2", log2(x), 1.0 / fabs(x * log(2.0)), DIV(NUM(1.4426950408889634), X),
            FUNCTION, 0, HUGE_VAL)
SG_FUNCTION(LOG10, "log10", log10(x), 1.0 / fabs(x * log(10.0)), DIV(NUM(0.4342944819032518), X),
            FUNCTION, 0, HUGE_VAL)
SG_FUNCTION_OWN(SQRT, "sqrt", sqrt(x), 0.5 / f, DIV(NUM(0.5), F), ROOT)
SG_FUNCTION_OWN(CBRT, "cbrt", sg_cbrt(x), fabs(f / (3.0 * x)), DIV(ONE, MUL(NUM(3.0), SQUARE(F))),
                CALL)
SG_FUNCTION_OWN(ABS, "abs", fabs(x), 1.0, CALL(SIGN, "sign", X), ABS)
#undef SG_FUNCTION
#undef SG_FUNCTION_OWN
