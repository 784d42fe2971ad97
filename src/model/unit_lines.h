// The equations of a model as the check of units goes through them: each with its form
// (model/unit_form.h) and what its names stand for, and for each variable the equations that
// mention it.
#pragma once

#include "model/unit_form.h"

// What a name of an equation stands for: a variable, a parameter, or neither.
typedef enum sg_unit_place_kind {
    SG_PLACE_VAR,
    SG_PLACE_PAR,
    SG_PLACE_TIME,
    SG_PLACE_PLAIN
} sg_unit_place_kind;

typedef struct sg_unit_place {
    sg_unit_place_kind kind;
    uint32_t id;
} sg_unit_place;

// One equation: its form and the places of its names.
typedef struct sg_unit_line {
    const sg_unit_form *form;
    uint32_t roots[2]; // the same twice for a binding
    uint32_t first_place;
    uint32_t bound; // variable of a binding, 0 for an equation
} sg_unit_line;

// Jobs are lines, then equations of the flat model that only join variables.
typedef struct sg_unit_lines {
    SG_VEC(sg_unit_line) lines;
    SG_VEC(sg_unit_place) places;
    SG_VEC(uint32_t) joins;
    uint32_t n_jobs;
    // Jobs that mention variable v: job_list between first_job[v] and first_job[v + 1].
    uint32_t *first_job, *job_list;
} sg_unit_lines;

// Forms and index live in `arena`, the lists in `allocator`. False when memory runs out; free it
// then, too.
bool sg_unit_lines_read(sg_instance *instance, sg_units *units, sg_arena *arena,
                        const sg_allocator *allocator, sg_unit_lines *out);
void sg_unit_lines_free(sg_unit_lines *lines, const sg_allocator *allocator);

// The variables of an equation that only joins: each side is a variable, a sum of them, or 0.
static inline uint32_t sg_join_n_terms(const sg_exprs *x, sg_expr_id side)
{
    return sg_expr_op_of(x, side) == SG_X_ADD ? sg_expr_n_args(x, side) : 1;
}

static inline sg_var_id sg_join_term(const sg_exprs *x, sg_expr_id side, uint32_t k)
{
    return sg_expr_var_of(x, sg_expr_op_of(x, side) == SG_X_ADD ? sg_expr_arg(x, side, k) : side);
}
