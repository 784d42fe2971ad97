// Between the files that turn syntax trees into expressions.
#pragma once

#include "model/convert.h"

typedef struct sg_converter {
    sg_instance *instance;
    sg_exprs *exprs;
    sg_symbols *symbols;
    sg_diags *diags;
    const sg_scope *scope;
    uint32_t depth;
    uint32_t n_results; // that the equation wants of its call
    sg_expr_id indexed; // what `end` refers to; null outside of an index
    uint32_t dimension; // ... along this one, 0: all elements
} sg_converter;

// Null after an error was reported, or when memory ran out.
sg_expr_id sg_convert_node(sg_converter *c, const sg_ast *ast);

// Lines like assert(condition, "text") and terminate(condition, "text"), noEvent(expression) and
// delay(expression, time) (checks.c).
bool sg_convert_is_check(const sg_converter *c, const sg_ast *ast);
bool sg_convert_check(sg_converter *c, const sg_ast *ast);
sg_expr_id sg_convert_no_event(sg_converter *c, const sg_ast *ast);
sg_expr_id sg_convert_delay(sg_converter *c, const sg_ast *ast);

// Operators of events and clocks (operators.c): false, reported, for arguments that they cannot
// have. Whether a comparison is one of text, which only a function can make.
bool sg_convert_check_arguments(sg_converter *c, const sg_ast *ast, sg_expr_op op,
                                const sg_expr_id *args);
bool sg_convert_compares_text(sg_converter *c, const sg_ast *ast, sg_expr_op op);

// Lines that are no equations (not_equations.c), reported; always false. An equation whose value in
// one branch is the variable itself: true, reported.
bool sg_convert_refuse_line(sg_converter *c, const sg_ast *ast);
bool sg_convert_keeps_itself(sg_converter *c, const sg_ast *ast);

// Makes a function of what the graph cannot express (a comprehension, a call with keywords, a
// string), and a call of it with the variables of the model that it mentions (lift.c).
sg_expr_id sg_convert_by_function(sg_converter *c, const sg_ast *ast);
