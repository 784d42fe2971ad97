// An equation as the check of units reads it: what is done with units, and which names occur.
//
// A thousand resistors share one tree, so the tree is read once: operators become a small list of
// kinds, names become numbers. What a name stands for differs from component to component and is
// looked up once for each equation (unitcheck.c).
#pragma once

#include "base/vec.h"
#include "lang/unit.h"
#include "model/instance.h"
#include "syntax/ast.h"

typedef enum sg_unit_kind {
    SG_UNITS_OPEN,       // nothing is known; its parts are not looked at
    SG_UNITS_LITERAL,    // `unit`, or any unit for the number 0
    SG_UNITS_NAME,       // name number `name`
    SG_UNITS_SUM,        // all parts have the same unit
    SG_UNITS_ABS,        // likewise; abs, min, max
    SG_UNITS_ARRAY,      // likewise; elements of an array
    SG_UNITS_COMPARE,    // likewise; the value is a plain number
    SG_UNITS_BRANCH,     // likewise, but for the first part, the condition
    SG_UNITS_PRODUCT,    //
    SG_UNITS_QUOTIENT,   //
    SG_UNITS_POWER,      // of the first part; `exponent`, or open if `has_exponent` is false
    SG_UNITS_ROOT,       // sqrt
    SG_UNITS_DERIVATIVE, // der
    SG_UNITS_SAME,       // as the first part: pre, an element, a block of one
    SG_UNITS_DELAY,      // likewise; the second part is a time, or a plain number of seconds
    SG_UNITS_PLAIN,      // a plain number, whatever the parts are
    SG_UNITS_FUNCTION,   // sin and the like: plain, and so must be the part
    SG_UNITS_CALL        // a function of the user: the parts are looked at, the value is open
} sg_unit_kind;

typedef struct sg_unit_node {
    uint8_t kind; // sg_unit_kind
    bool any;     // LITERAL: 0 fits every unit
    bool has_exponent;
    int32_t exponent;
    uint32_t unit, name;
    uint32_t first_kid, n_kids; // into sg_unit_form.kids
    const sg_ast *ast;
} sg_unit_node;

typedef struct sg_unit_form {
    sg_unit_node *nodes; // parts before wholes
    uint32_t *kids;      // node numbers
    const sg_ast **names;
    uint32_t n_nodes, n_kids, n_names;
} sg_unit_form;

// The form of an expression; for an ASSIGN that of both sides, which are the last two `roots`.
// Everything lives in `arena`; null when memory runs out.
sg_unit_form *sg_unit_form_make(sg_instance *instance, sg_units *units, const sg_ast *ast,
                                sg_arena *arena, uint32_t roots[2]);
