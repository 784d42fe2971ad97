// Functions of two numbers that equations know, one row each. Scripts have code of their own for
// them (builtins/math.c), and conditions are bounded through them where program/enclosed.c knows
// how; without that they are sampled.
//
//     SG_FUNCTION2(NAME, "name", f(x, y), derivative, size)
//
// `f` is an expression of x and y. The derivative along the path of both arguments is built from A,
// B, their derivatives DA and DB, F (f itself), SQUARE(a), ADD(a, b), SUB(a, b), MUL(a, b) and
// DIV(a, b); in the graph of expressions and, for functions of the script, in syntax trees. `size`
// is how large roundings of the value may be (program/accuracy.h), from x and y, their sizes sx and
// sy, and the value f: where it does not follow from the slopes by GROWN(|f_x| sx + |f_y| sy), it
// says so itself.
//
// Define the macro, then include; this file takes it back.
SG_FUNCTION2(ATAN2, "atan", atan2(x, y),
             DIV(SUB(MUL(B, DA), MUL(A, DB)), ADD(SQUARE(B), SQUARE(A))),
             GROWN((sx * fabs(y) + fabs(x) * sy) / (x * x + y * y)))
SG_FUNCTION2(HYPOT, "hypot", hypot(x, y), DIV(ADD(MUL(A, DA), MUL(B, DB)), F),
             fmax(sx, fmax(sy, fabs(f))))
#undef SG_FUNCTION2
