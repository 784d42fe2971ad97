// The working form of a model while it is translated: equations by row, unknowns by column, and
// what the passes found out about them. Shared by the passes of this folder only.
#pragma once

#include "base/diags.h"
#include "equations/blocks.h"
#include "equations/graph.h"
#include "equations/pantelides.h"
#include "equations/shapes.h"
#include "equations/translate.h"
#include "flat/flat.h"

// A row: lhs = rhs; or, with n_results > 0, results = values one by one; or a placeholder, which
// only counts (language 4.2).
typedef struct sg_equation {
    sg_expr_id lhs, rhs;
    sg_expr_id implicit;              // implicitDependency around a call with several results
    uint32_t first_result, n_results; // into results and values; placeholder: into placeholder_vars
    sg_eq_id from;                    // row of flat->eqs
    int base;                         // the row it is the derivative or the placeholder of
    int order;                        // how often it was differentiated
    bool placeholder;
    bool removed;     // aliases, zeros, redundant rows
    bool transformed; // a sum that integer elimination put in place of the written form
} sg_equation;

// Rows that add up, each with its weight, to one without the variables `vars`; it takes the place
// of the last of them (combine.c).
typedef struct sg_combination {
    int *rows, n;
    sg_expr_id *weights;
    sg_var_id *vars;
    int n_vars;
    bool present;  // with the present values of parameters only
    bool vain;     // nothing is left of the sum, so all rows stay as they are
    bool rejected; // with it the model has no solvable structure: likewise, for good
} sg_combination;

typedef struct sg_system {
    sg_flat *flat;
    const sg_allocator *allocator;
    sg_arena *arena;  // what outlives the translation
    sg_arena scratch; // what does not
    sg_diags *diags;
    const sg_translate_options *options;
    sg_func_bodies bodies;               // functions that are expressions
    bool split;                          // arrays were taken apart; the equations are others now
    sg_array_shapes shapes;              // once somebody asks (singular_arrays.c)
    SG_VEC(sg_var_id) singular;          // unknowns of components that hold arrays and a constraint
    SG_VEC(bool) marks;                  // of variables, all false between two uses (combine.c)
    SG_VEC(sg_combination) combinations; // found so far, in this order
    SG_VEC(sg_equation) eqs;
    SG_VEC(sg_expr_id) results, values;
    SG_VEC(sg_var_id) placeholder_vars;
    SG_VEC(sg_var_id) cols; // the unknowns, language 4.2
    sg_ints col_of;         // per variable id: its column or SG_NONE
    int n_loaded;           // rows before elimination
    int n_original_cols;    // the columns before index reduction
    bool *eliminated;       // per column, after alias elimination
    bool *potential;        // per original column: its derivative is an unknown too
    sg_alias *aliases;      // per variable id
    sg_ints free_zeros;     // columns set to zero because nothing determines them
    // The structure up to the sorting of the highest derivatives (with implicitDependency), and
    // the exact one after it, both over the rows of `eqs`.
    sg_graph graph, exact;
    sg_index_reduction red;
    int *var_base; // per column: the column it is the derivative of or SG_NONE
    // State selection.
    bool *is_state;  // per column
    int *solved_row; // per column: the row it is solved from while the rest is torn, or SG_NONE
    int *paired_row; // per column that is no state: a row of its own, so that all are matched
} sg_system;

// unknowns.c: rows from the flat model, placeholders, numbering, graphs.
sg_status sg_system_load(sg_system *sys);
sg_status sg_system_number(sg_system *sys);
sg_status sg_system_build_graph(sg_system *sys, sg_graph *graph, bool with_implicit);
sg_status sg_system_check_memory(sg_system *sys);
// open_flows.c: drops zero flows of open connectors that the model has no room for.
sg_status sg_system_free_flows(sg_system *sys);
// aliases.c
sg_status sg_system_eliminate(sg_system *sys);
// hidden_sums.c
sg_status sg_system_find_hidden_sums(sg_system *sys);
// combine.c: puts what was found in place; looks for more in a component and its columns.
sg_status sg_system_combine(sg_system *sys);
sg_status sg_system_find_combinations(sg_system *sys, sg_row rows, const int *cols);
// singular_arrays.c: the same for whole arrays; notes those that have to be taken apart. `part` is
// that of its terms below which a sum is nothing.
sg_status sg_system_find_singular_arrays(sg_system *sys, sg_row rows, const int *cols, double part);
// check.c: language 4.4; explains what is wrong.
sg_status sg_system_check(sg_system *sys);
// balance.c: names the components that bring too few or too many equations.
void sg_note_unbalanced(sg_system *sys, bool missing);
// reduce.c: Pantelides, and the differentiated equations.
sg_status sg_system_reduce_index(sg_system *sys);
// elements.c: takes arrays apart that a constraint holds by single elements; then all begins anew.
sg_status sg_system_split_arrays(sg_system *sys, bool *done);
// The same for those that singular_arrays.c has noted.
sg_status sg_system_split_singular(sg_system *sys, bool *done);
// The same where equations and unknowns do not fit together, if by their elements they are as many.
sg_status sg_system_split_unbalanced(sg_system *sys, bool *done);
// states.c
sg_status sg_system_select_states(sg_system *sys, sg_structure *out);
// sort.c: the final order, as blocks.
sg_status sg_system_sort(sg_system *sys, sg_structure *out);

// initial.c: conditions at the start.
sg_status sg_system_write_initial(sg_system *sys, sg_structure *out);

// rhs - lhs, or the side that is not the literal zero.
sg_expr_id sg_system_residual(sg_system *sys, int row);
// Columns that a row with several results yields; SG_NONE for a placeholder and for a row whose
// results are all zero, 0 for an ordinary row.
int sg_system_outputs(const sg_system *sys, int row, int *cols, int max);
void sg_system_print_eq(const sg_system *sys, int row, sg_buf *out);
// Lets the blocks print equations later, when somebody asks.
bool sg_system_keep_texts(const sg_system *sys, sg_blocks *blocks);
static inline const sg_flat_eq *sg_system_source(const sg_system *sys, int row)
{
    return &sys->flat->eqs.data[sys->eqs.data[row].from.i];
}

static inline sg_var_id sg_system_var(const sg_system *sys, int col) { return sys->cols.data[col]; }
static inline int sg_system_col(const sg_system *sys, sg_var_id var)
{
    return var.i < sys->col_of.len ? sys->col_of.data[var.i] : SG_NONE;
}

// linear_form.c: a row as c1*v1 + c2*v2 + ... + something else, with literal coefficients.
typedef struct sg_linear_form {
    const sg_allocator *allocator;
    SG_VEC(sg_var_id) vars; // in the order of first occurrence; coefficients that vanish stay as 0
    SG_VEC(double) coefs;
    SG_VEC(bool) opaque; // per entry: also occurs in another way
    bool other;          // there is something else: parameters, time, products, functions
    double constant;     // sum of literals
    sg_ints at;          // per variable id: entry + 1, valid where the stamp is the present one
    SG_VEC(uint32_t) stamp_of;
    uint32_t stamp;
    SG_VEC(struct sg_linear_term {
        sg_expr_id e;
        double factor;
    })
    stack;
    bool failed;
} sg_linear_form;

// lhs - rhs of a row. Rows with several results and placeholders have only `other`.
void sg_linear_form_of(sg_linear_form *form, sg_system *sys, int row);
// The literal coefficient of a variable that occurs in no other way, else 0.
double sg_linear_form_coef(const sg_linear_form *form, sg_var_id var);
void sg_linear_form_free(sg_linear_form *form);
