#include "parts/inside.h"

#include "symbolic/walk.h"

#include <string.h>

// e = sign * forces[index] + rest, where rest does not contain the forces.
typedef struct torque {
    uint32_t index; // from 0
    bool negative;
    sg_expr_id rest;
} torque;

static bool split(sg_exprs *x, sg_expr_id e, sg_var_id forces, torque *out);

static bool split_sum(sg_exprs *x, sg_expr_id e, sg_var_id forces, torque *out)
{
    uint32_t n = sg_expr_n_args(x, e), with = n;
    bool minus = sg_expr_op_of(x, e) == SG_X_SUB;
    for (uint32_t k = 0; k < n; k++)
        if (sg_expr_contains_var(x, sg_expr_arg(x, e, k), forces)) {
            if (with != n)
                return false;
            with = k;
        }
    if (with == n || !split(x, sg_expr_arg(x, e, with), forces, out))
        return false;
    if (minus && with == 1) {
        out->negative = !out->negative;
        out->rest = sg_expr_neg(x, out->rest);
    }
    for (uint32_t k = 0; k < n; k++)
        if (k != with)
            out->rest = minus && k == 1 ? sg_expr_sub(x, out->rest, sg_expr_arg(x, e, k))
                                        : sg_expr_add(x, out->rest, sg_expr_arg(x, e, k));
    return true;
}

static bool split(sg_exprs *x, sg_expr_id e, sg_var_id forces, torque *out)
{
    double number;
    switch ((int)sg_expr_op_of(x, e)) {
    case SG_X_IMPLICIT:
        return split(x, sg_expr_arg(x, e, 0), forces, out);
    case SG_X_INDEX:
        if (sg_expr_n_args(x, e) != 2 || sg_expr_var_of(x, sg_expr_arg(x, e, 0)).i != forces.i ||
            !sg_expr_is_number(x, sg_expr_arg(x, e, 1), &number) || !(number >= 1.0))
            return false;
        *out = (torque){(uint32_t)number - 1, false, sg_expr_num(x, 0.0)};
        return true;
    case SG_X_NEG:
        if (!split(x, sg_expr_arg(x, e, 0), forces, out))
            return false;
        out->negative = !out->negative;
        out->rest = sg_expr_neg(x, out->rest);
        return true;
    case SG_X_ADD:
    case SG_X_SUB:
        return split_sum(x, e, forces, out);
    default:
        return false;
    }
}

typedef struct members {
    const bool *is_member; // by variable
    uint32_t n_vars;
    bool met;
} members;

static void meet(void *context, sg_var_id var)
{
    members *m = context;
    m->met |= var.i < m->n_vars && m->is_member[var.i];
}

static const sg_block *find_block(const sg_blocks *blocks, const sg_inside *part)
{
    for (uint32_t i = 0; i < blocks->n; i++) {
        const sg_block *b = &blocks->list[i];
        if (b->kind == SG_BLOCK_LINEAR && b->n_unknowns == part->n && b->n_residuals == part->n &&
            b->n_assigns == 1 && b->assigns[0].var.i == part->forces.i)
            return b;
    }
    return NULL;
}

// terms + matrix*[a1, a2, ...]: the list of the accelerations.
static sg_expr_id find_list(const sg_exprs *x, sg_expr_id value)
{
    for (uint32_t k = 0; sg_expr_op_of(x, value) == SG_X_ADD && k < sg_expr_n_args(x, value); k++) {
        sg_expr_id product = sg_expr_arg(x, value, k);
        for (uint32_t j = 0;
             sg_expr_op_of(x, product) == SG_X_MUL && j < sg_expr_n_args(x, product); j++)
            if (sg_expr_op_of(x, sg_expr_arg(x, product, j)) == SG_X_VECT)
                return sg_expr_arg(x, product, j);
    }
    return (sg_expr_id){0};
}

// The torques of all joints as expressions of what is known before the block, args[1] on.
static bool find_torques(sg_exprs *x, const sg_block *b, const sg_inside *part, members *m,
                         sg_expr_id *args, sg_eq_id *eqs)
{
    for (uint32_t k = 0; k < b->n_residuals; k++) {
        torque t;
        if (!split(x, b->residuals[k].value, part->forces, &t) || t.index >= part->n ||
            args[1 + t.index].i)
            return false;
        m->met = false;
        sg_expr_incidence(x, t.rest, SG_INCIDENCE_IMPLICIT, meet, m);
        if (m->met || !t.rest.i)
            return false;
        args[1 + t.index] = t.negative ? t.rest : sg_expr_neg(x, t.rest);
        eqs[t.index] = b->residuals[k].eq;
    }
    return true;
}

// The block's place is taken by one assignment for each acceleration.
static bool replace(sg_blocks *blocks, const sg_block *old, const sg_assign *assigns, uint32_t n,
                    sg_arena *arena)
{
    sg_block *list = SG_NEW_ARRAY(arena, sg_block, blocks->n + n);
    sg_assign *kept = SG_NEW_ARRAY(arena, sg_assign, n);
    if (!list || !kept)
        return false;
    memcpy(kept, assigns, n * sizeof *kept);
    uint32_t at = 0;
    for (uint32_t i = 0; i < blocks->n; i++) {
        if (&blocks->list[i] != old) {
            list[at++] = blocks->list[i];
            continue;
        }
        for (uint32_t k = 0; k < n; k++)
            list[at++] = (sg_block){.kind = SG_BLOCK_ASSIGN, .assigns = &kept[k], .n_assigns = 1};
    }
    blocks->list = list;
    blocks->n = at;
    return true;
}

bool sg_solve_inside(sg_exprs *x, sg_blocks *blocks, const sg_inside *part, sg_arena *arena)
{
    const sg_block *b = part->n ? find_block(blocks, part) : NULL;
    bool *is_member = SG_NEW_ARRAY(arena, bool, blocks->n_vars + 1);
    sg_expr_id *args = SG_NEW_ARRAY(arena, sg_expr_id, part->n + 1);
    sg_eq_id *eqs = SG_NEW_ARRAY(arena, sg_eq_id, part->n + 1);
    sg_assign *assigns = SG_NEW_ARRAY(arena, sg_assign, part->n + 1);
    if (!b || arena->failed)
        return false;
    is_member[part->forces.i] = true;
    for (uint32_t k = 0; k < b->n_unknowns; k++)
        is_member[b->unknowns[k].i] = true;
    members m = {is_member, blocks->n_vars, false};
    sg_expr_id list = find_list(x, b->assigns[0].value);
    if (!list.i || sg_expr_n_args(x, list) != part->n || !find_torques(x, b, part, &m, args, eqs))
        return false;
    args[0] = sg_expr_var(x, part->terms);
    sg_expr_id call = sg_expr_call(x, part->forward, args, part->n + 1);
    sg_expr_id all = sg_expr_result(x, call, 0);
    for (uint32_t k = 0; k < part->n; k++) {
        sg_var_id a = sg_expr_var_of(x, sg_expr_arg(x, list, k));
        if (!a.i || a.i >= blocks->n_vars || !is_member[a.i])
            return false;
        sg_expr_id index[2] = {all, sg_expr_int(x, k + 1)};
        assigns[k] = (sg_assign){a, sg_expr_make(x, SG_X_INDEX, index, 2), eqs[k]};
    }
    return !sg_exprs_failed(x) && replace(blocks, b, assigns, part->n, arena);
}
