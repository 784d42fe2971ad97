// From a flat model to sorted blocks: the structural part of translation.
//
//     sg_structure structure;
//     status = sg_translate(&flat, &options, &arena, &diags, &structure);
//
// The passes, in order: unknowns are numbered, aliases and redundant equations eliminated, the
// balance checked, the index reduced, states selected, and everything sorted (language 4.2 to 4.6).
// Derivatives that index reduction needs are added to the flat model as variables; otherwise it is
// not changed, and may be translated again with other preferences for the states.
#pragma once

#include "base/diags.h"
#include "equations/blocks.h"
#include "flat/flat.h"

typedef struct sg_translate_options {
    bool alias_reduction; // default true; language 4.3
    // Re-selection of states: per variable id of the flat model, may be null. Positive: rather a
    // state; negative: rather not. Goes before init and start, but only where constraints have no
    // literal coefficients; the choices that language 4.6 makes stay.
    const signed char *preference;
    uint32_t n_preference;
    // Derivatives of functions of the user, see symbolic/diff.h; may be null.
    sg_expr_id (*diff_call)(void *context, sg_exprs *exprs, sg_expr_id call, uint32_t k,
                            const sg_expr_id *d_args);
    // True if a function is known to be linear in the arguments that are unknowns (the residuals
    // of a multibody component). May be null: then such systems are solved by Newton's method,
    // which takes one step when they are.
    bool (*is_linear_call)(void *context, sg_func_id func);
    void *context;
} sg_translate_options;

sg_translate_options sg_translate_options_default(void);

// What became of a variable of the flat model.
typedef enum sg_alias_kind {
    SG_ALIAS_NONE, // it is computed or known
    SG_ALIAS_PLUS, // equal to `of`
    SG_ALIAS_MINUS,
    SG_ALIAS_ZERO,     // an equation says so
    SG_ALIAS_FREE_ZERO // nothing determines it (a circuit without ground); zero was chosen
} sg_alias_kind;

typedef struct sg_alias {
    sg_alias_kind kind;
    sg_var_id of;
} sg_alias;

// Variables that constraints tie together in a way that cannot be solved once and for all: which of
// them are states may have to change while the model moves (the pendulum in Cartesian coordinates;
// language 4.6 knows no such choice). The residuals vanish; `solved` and `dummies` are computed
// from them, `states` were kept. See equations/reselect.h.
typedef struct sg_constraint_set {
    sg_expr_id *residuals;
    uint32_t n_residuals; // n_solved + n_dummies
    sg_var_id *vars;      // first the solved ones, then the dummies, then the states
    uint32_t n_solved, n_dummies, n_states;
    // d residual / d var, row by row; null if one of them is not known.
    sg_expr_id *jacobian;
} sg_constraint_set;

static inline const sg_var_id *sg_constraint_dummies(const sg_constraint_set *set)
{
    return set->vars + set->n_solved;
}
static inline const sg_var_id *sg_constraint_states(const sg_constraint_set *set)
{
    return set->vars + set->n_solved + set->n_dummies;
}

// left = right at the start of a run: an initial equation, or der(x) = 0 of a variable that is
// steady. Aliases are replaced, so everything in it is computed by the program.
typedef struct sg_initial_condition {
    sg_expr_id left, right;
    sg_var_id steady; // null: an initial equation,
    uint32_t eq;      // this row of flat->initial_eqs
    sg_span span;
} sg_initial_condition;

typedef struct sg_structure {
    sg_blocks blocks;
    sg_alias *aliases;   // per variable id; rows of blocks.vars
    sg_var_id *unknowns; // in the numbering of language 4.2, before elimination
    uint32_t n_unknowns;
    // Variables with init that are no states, and aliases of them: language 4.8.
    sg_var_id *init_checks;
    uint32_t n_init_checks;
    sg_initial_condition *initial;
    uint32_t n_initial;
    sg_var_id *states_without_start;
    uint32_t n_states_without_start;
    sg_constraint_set *constraints;
    uint32_t n_constraints;
    uint32_t n_equations;      // of the flat model, with placeholders
    uint32_t n_differentiated; // added by index reduction
    uint32_t n_removed;        // aliases, zeros, redundant
} sg_structure;

// Everything in `out` lives in `arena`, the names too.
sg_status sg_translate(sg_flat *flat, const sg_translate_options *options, sg_arena *arena,
                       sg_diags *diags, sg_structure *out);

// Would the present values of parameters give the same structure as those that the model was
// translated with? Other coefficients may vanish, or make rows depend on each other.
bool sg_translation_holds(sg_flat *flat);

// "t1.port.q = -v.a.q", one a line, then the zeros.
void sg_structure_dump_aliases(const sg_structure *structure, const sg_flat *flat, sg_buf *out);
// States, then the blocks in order of evaluation.
void sg_structure_dump_blocks(const sg_structure *structure, const sg_flat *flat, sg_buf *out);
