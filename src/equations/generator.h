// Shared by codegen.c (sections, blocks, systems) and codegen_matrix.c (tangents of systems and the
// entries of their matrices). Private.
#pragma once

#include "equations/blocks.h"
#include "equations/emit.h"

// A term of a tangent and the factor in front of it; null is one. The choices that it is part of
// are applied to the whole coefficient at last: where a branch is not taken it may have no value,
// and zero times that is none.
struct sg_scaled_term {
    sg_expr_id e, factor;
    uint32_t choice; // 1 + the innermost one, 0: none
};
struct sg_choice {
    sg_expr_id condition;
    bool no;        // it is the branch where the condition is false
    uint32_t outer; // as `choice` of a term
};

typedef struct sg_code_generator {
    sg_emitter m;
    const sg_blocks *blocks;
    uint32_t *pinned; // register a variable must be written to (derivatives), else 0
    bool *needed;     // variables that derivatives and events depend on
    uint32_t *member; // of which system (its number + 1) a variable is an unknown or inner variable
    sg_map tangents;  // variable -> expression of its derivative along the seeds
    uint32_t n_vars;  // with those made for tangents
    SG_VEC(sg_expr_id) roots, d_roots, hoisted;
    SG_VEC(struct sg_scaled_term) terms; // of one residual's tangent, still to be looked at
    SG_VEC(struct sg_choice) choices;    // that these are part of
    SG_VEC(sg_expr_id) coefs;            // of the entries of a system's matrix
    SG_VEC(bool) has_seed;               // by node: is a seed or a tangent below it?
    SG_VEC(struct sg_matrix_entry) entries;
} sg_code_generator;

// Values and residuals of a block, in one numbering.
static inline uint32_t sg_block_n_exprs(const sg_block *block)
{
    return block->n_assigns + block->n_residuals;
}
static inline sg_expr_id sg_block_expr(const sg_block *block, uint32_t k)
{
    return k < block->n_assigns ? block->assigns[k].value
                                : block->residuals[k - block->n_assigns].value;
}

// ---- codegen_matrix.c -----------------------------------------------------------------------

// Tangents: unknowns become seeds, inner variables the derivatives of their values.
sg_expr_id sg_codegen_tangent_of(void *context, sg_exprs *exprs, sg_var_id var);
// Derivatives of all values and residuals along the seeds; those of inner variables get
// variables of their own. False if a function in the way has no derivative.
bool sg_codegen_tangents(sg_code_generator *g, const sg_block *block, sg_torn_system *s);
// The matrix of a linear system entry by entry, where it can be told: of the unknowns, if
// nothing was torn, and of all variables.
void sg_codegen_entries(sg_code_generator *g, const sg_block *block, sg_torn_system *s);
void sg_codegen_whole_entries(sg_code_generator *g, const sg_block *block, sg_torn_system *s);
