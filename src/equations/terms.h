// A row as a sum of terms: constants times what contains certain variables, and a rest without
// them.
//
// What contains them need not be linear. c(x1 - x2)*(x1 - x2) in one equation and
// c(x1 - x2)*(x2 - x1) in another are, multiplied out, the same two products with opposite signs,
// and their sum has neither; combine.c looks for such sums. Products keep the order of their
// factors, since these may be matrices, and functions are taken as they stand: what is written in
// two ways counts as two things, so a sum may be missed, but none is made up.
#pragma once

#include "equations/system.h"

typedef struct sg_term {
    sg_expr_id atom, coef; // coef: numbers and parameters that are numbers
} sg_term;

typedef struct sg_terms {
    SG_VEC(sg_term) list; // each atom once
    sg_expr_id rest;
} sg_terms;

// Numbers and parameters that are numbers, C[2] of a vector among them: arrays need not commute.
bool sg_terms_is_plain(sg_flat *flat, sg_expr_id e);
bool sg_terms_is_element(const sg_exprs *exprs, sg_expr_id e);

// rhs - lhs of a row. False if it is no single equation, too long, or memory ran out (asked for by
// sg_flat_failed and sys->scratch.failed). `is_unknown` has a flag for each variable id; the list
// is used again by the next call and freed by sg_terms_free.
bool sg_terms_of(sg_terms *terms, sg_system *sys, int row, const bool *is_unknown);
void sg_terms_free(sg_terms *terms, const sg_system *sys);
