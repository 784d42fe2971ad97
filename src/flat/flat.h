// The flat model: a list of equations between dotted names, and nothing else.
//
// This is the seam between language and evaluation. Flattening (model/) fills it from dictionaries,
// a C program or a test fills it by hand, and translation (equations/) reads it without knowing
// where it came from. The order of variables, parameters and equations is the order in which they
// were added; it is normative, because the order of the states follows from it (language 4.1, 4.2).
//
// Values are numbers in SI units. Sizes are not part of the structure: an array variable is one
// symbol with one equation, and a start value says only which kind of shape it has.
#pragma once

#include "base/buf.h"
#include "base/diags.h"
#include "base/map.h"
#include "base/symbol.h"
#include "base/vec.h"
#include "symbolic/function.h"

// Numbers as evaluated when the model was instantiated; `merge` may change them, and the sizes too
// unless the value is static (SVector, SMatrix).
typedef enum sg_flat_kind {
    SG_FLAT_NONE,   // no value was given
    SG_FLAT_NUMBER, // one number
    SG_FLAT_ARRAY,  // rows x cols numbers, column by column; vectors have cols = 1
    SG_FLAT_OTHER   // text or an object; the numbers are not used
} sg_flat_kind;

typedef struct sg_flat_value {
    sg_flat_kind kind;
    bool fixed_size; // a static array: its length is part of its type
    bool whole;      // Int
    bool truth;      // Bool
    bool matrix;     // two dimensions, also with a single column
    uint32_t rows, cols;
    const double *numbers; // SI; in the arena of the model
} sg_flat_value;

enum {
    SG_ATTR_POTENTIAL = 1,
    SG_ATTR_FLOW = 2,
    SG_ATTR_TOP_INPUT = 4, // an input of the whole model: a known quantity
    SG_ATTR_OUTPUT = 8,
    SG_ATTR_HIDE_RESULT = 16,
    SG_ATTR_HAS_INIT = 32,  // `value` holds `init`: it must hold after initialization
    SG_ATTR_HAS_START = 64, // `value` holds `start`: a guess. With both, init wins
    SG_ATTR_COMPONENT_INPUT = 128,
    SG_ATTR_STEADY = 256,   // its derivative vanishes at the start
    SG_ATTR_DECLARED = 512, // a Var of its component; else only equations name it
    SG_ATTR_ELEMENT = 1024, // of an array that translation took apart; not in results
    // An element that equations determine by themselves. Its array has an init value for all of
    // its elements, so that this one need not hold.
    SG_ATTR_DETERMINED = 2048,
    SG_ATTR_MISSED = 4096 // nothing declares it and no equation gives it, as was told
};

typedef struct sg_flat_var {
    sg_sym name;         // full dotted name; of a derivative: that of the variable, see `of`
    sg_sym unit;         // SI unit as text, null if none or not known
    sg_sym shown_unit;   // for people, where equations are written without; null if not known
    sg_flat_value value; // init or start
    double nominal;      // a typical size, SI; 0 if none was given
    sg_sym nominal_unit; // null if it was given without
    double min, max;     // SI; NaN if none was given
    uint32_t attributes;
    sg_span span;      // the declaration, or the first use
    sg_var_id der;     // der(this), null if there is none
    sg_var_id of;      // this is der(of), null if it is no derivative
    sg_sym result;     // of a derivative: its name in results, null until somebody asks
    sg_var_id part_of; // this is element `part`, from 0, column by column, of an array
    uint32_t part;     //
    uint32_t n_parts;  // the elements of this one are variables; 0: it is one variable
} sg_flat_var;

typedef struct sg_flat_par {
    sg_sym name; // full dotted name
    sg_sym unit;
    sg_sym shown_unit; // as that of a variable
    sg_flat_value value;
    sg_span span;
    bool settled_size; // equations were written element by element for this size
    uint32_t settled_rows, settled_cols;
} sg_flat_par;

typedef enum sg_eq_origin {
    SG_EQ_WRITTEN,    // a line of an `equations` list
    SG_EQ_CONNECTION, // made from a connect statement
    SG_EQ_BINDING,    // a key bound to an expression: R = :r
    SG_EQ_FLOW_ZERO,  // the flow of a connector that nothing is connected to
    SG_EQ_INITIAL     // holds at the start only
} sg_eq_origin;

// lhs = rhs; or, with n_results > 0, (results...) = rhs, where rhs is a CALL node (perhaps inside
// implicitDependency) and each result a variable or the literal 0, which makes it a residual.
typedef struct sg_flat_eq {
    sg_expr_id lhs, rhs;
    uint32_t first_result, n_results; // into sg_flat.results
    sg_span span;
    sg_sym component; // path of the component that brought it in, null at the top level
    sg_eq_origin origin;
} sg_flat_eq;

// A function that equations call, one row for each call. What it does is known to whoever runs it,
// or it is an expression of its arguments.
typedef struct sg_flat_func {
    sg_sym name;
    void *handle;
    const sg_func_body *body;  // null: it must be called
    const char *why_no_body;   // for messages, null if nobody asked
    sg_func_id derivative;     // row of its derivative, null until somebody asks
    const uint32_t *arg_units; // SI units of the arguments (lang/unit.h), null if there are none
    uint32_t n_args;
    bool remembers; // a function of a predefined component, which looks into its memory
} sg_flat_func;

// A string or object in an equation.
typedef struct sg_flat_const {
    sg_sym text; // how it prints
    void *handle;
    bool is_model; // instantiatedModel: what is called with it may look into memories
} sg_flat_const;

// What translation took for granted about the present values of parameters: these terms add up to
// nothing. Where that no longer holds the model must be translated again.
typedef struct sg_flat_assumption {
    sg_expr_id *terms;
    uint32_t n;
} sg_flat_assumption;

// Rows of coefficients that were independent for the values a model was translated with. Where they
// no longer are, a constraint is hidden in their equations, and the model must be translated again.
typedef struct sg_flat_entry {
    int row, col;
    sg_expr_id value;
} sg_flat_entry;
typedef struct sg_flat_matrix {
    int n_rows, n_cols;
    uint32_t n;
    sg_flat_entry *entries;
    double part; // of its terms, below which a sum is nothing
    // Null, or an array among the unknowns and the number of its elements.
    sg_var_id array;
    uint32_t array_size;
} sg_flat_matrix;

typedef struct sg_flat {
    const sg_allocator *allocator;
    sg_symbols *symbols; // borrowed
    sg_arena arena;      // numbers of values
    sg_sym name;         // of the model, for messages
    sg_exprs exprs;
    // Row 0 of each table is unused, so that an id of 0 is null.
    SG_VEC(sg_flat_var) vars;
    SG_VEC(sg_flat_par) pars;
    SG_VEC(sg_flat_eq) eqs;
    SG_VEC(sg_flat_eq) initial_eqs; // of the start only, from row 0 on
    SG_VEC(sg_flat_func) funcs;
    SG_VEC(sg_flat_const) consts;
    SG_VEC(sg_expr_id) results;
    SG_VEC(sg_flat_assumption) assumptions;
    SG_VEC(sg_flat_matrix) independent;
    sg_map var_by_name, par_by_name; // symbol -> id
    bool unitless;
    bool failed; // the allocator refused
} sg_flat;

void sg_flat_init(sg_flat *flat, const sg_allocator *allocator, sg_symbols *symbols);
void sg_flat_destroy(sg_flat *flat);
bool sg_flat_failed(const sg_flat *flat);

// The variable of this name, made when first asked for. Attributes are set through the pointer of
// sg_flat_var_get, which holds until the next variable is made.
sg_var_id sg_flat_var_add(sg_flat *flat, sg_sym name, sg_span span);
sg_var_id sg_flat_var_find(const sg_flat *flat, sg_sym name); // null if there is none
sg_var_id sg_flat_der(sg_flat *flat, sg_var_id var);          // der(var), made when first asked for
sg_flat_var *sg_flat_var_get(const sg_flat *flat, sg_var_id var);
void sg_flat_set_value(sg_flat *flat, sg_var_id var, uint32_t has_what, sg_flat_value value);

// The value of an expression of numbers and parameters, C[2] of a vector among them, as they are
// now. False if it is none.
bool sg_flat_constant(sg_flat *flat, sg_expr_id e, double *value);
// Do all assumptions of the translation hold for the present values?
bool sg_flat_assumptions_hold(sg_flat *flat);

// The values of arrays that translation took apart, for the variables of their elements.
void sg_flat_spread_values(sg_flat *flat);

sg_par_id sg_flat_par_add(sg_flat *flat, sg_sym name, sg_flat_value value, sg_span span);
sg_par_id sg_flat_par_find(const sg_flat *flat, sg_sym name);
sg_func_id sg_flat_func_add(sg_flat *flat, sg_sym name, void *handle);
uint32_t sg_flat_const_add(sg_flat *flat, sg_sym text, void *handle);
// Does the call look into the memory of a predefined component? Then its value may change while its
// arguments do not, and it has no derivative ([Neumayr-thesis] 10.1.3).
bool sg_flat_remembers(const sg_flat *flat, sg_expr_id call);

sg_eq_id sg_flat_eq_add(sg_flat *flat, sg_expr_id lhs, sg_expr_id rhs, sg_span span,
                        sg_sym component, sg_eq_origin origin);
// One that holds at the start; false when memory ran out.
bool sg_flat_initial_add(sg_flat *flat, sg_expr_id lhs, sg_expr_id rhs, sg_span span,
                         sg_sym component);
sg_eq_id sg_flat_eq_add_multi(sg_flat *flat, const sg_expr_id *results, uint32_t n, sg_expr_id call,
                              sg_span span, sg_sym component);
static inline sg_flat_eq *sg_flat_eq_get(const sg_flat *flat, sg_eq_id eq)
{
    return &flat->eqs.data[eq.i];
}

// Copies of numbers into the model's arena.
sg_flat_value sg_flat_number(sg_flat *flat, double number);
sg_flat_value sg_flat_array(sg_flat *flat, const double *numbers, uint32_t rows, uint32_t cols,
                            bool fixed_size);

// Text. A derivative is der(a.b) in equations and a.der(b) in results (language 9.12, 5.4).
void sg_flat_print_var(const sg_flat *flat, sg_var_id var, sg_buf *out);
sg_sym sg_flat_result_name(sg_flat *flat, sg_var_id var);
void sg_flat_print_expr(const sg_flat *flat, sg_expr_id expr, sg_buf *out);
void sg_flat_print_eq(const sg_flat *flat, sg_eq_id eq, sg_buf *out);
// Parameters, variables with their attributes, and the numbered equations.
void sg_flat_dump(const sg_flat *flat, sg_buf *out);

// Our own mistakes in filling it: dangling ids, results that are no variables, calls that are none.
sg_status sg_flat_validate(const sg_flat *flat, sg_diags *diags);
