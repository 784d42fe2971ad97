#include "parts/inside.h"

#include "symbolic/diff.h"
#include "symbolic/walk.h"

#include <string.h>

#define NO_JOINT UINT32_MAX

// A residual as the equation of one joint, with `terms` in the place of its force: nothing else of
// a block needs that variable, and as a plain variable the force can be split off.
typedef struct joint_equation {
    const sg_coupling *part;
    uint32_t joint; // from 0
    bool failed;    // forces of several joints
} joint_equation;

static sg_expr_id replace_force(void *context, sg_exprs *x, sg_expr_id e)
{
    joint_equation *eq = context;
    double number;
    if (sg_expr_op_of(x, e) == SG_X_IMPLICIT)
        return sg_expr_arg(x, e, 0);
    if (sg_expr_op_of(x, e) != SG_X_INDEX || sg_expr_n_args(x, e) != 2 ||
        sg_expr_var_of(x, sg_expr_arg(x, e, 0)).i != eq->part->forces.i ||
        !sg_expr_is_number(x, sg_expr_arg(x, e, 1), &number) || !(number >= 1.0))
        return e;
    uint32_t joint = (uint32_t)number - 1;
    eq->failed |= joint >= eq->part->n_given || (eq->joint != NO_JOINT && eq->joint != joint);
    eq->joint = joint;
    return sg_expr_var(x, eq->part->terms);
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

static sg_assign *find_forces(const sg_block *b, const sg_coupling *part)
{
    for (uint32_t k = 0; k < b->n_assigns; k++)
        if (b->assigns[k].var.i == part->forces.i)
            return &b->assigns[k];
    return NULL;
}

static const sg_block *find_block(const sg_blocks *blocks, const sg_coupling *part)
{
    for (uint32_t i = 0; i < blocks->n; i++) {
        const sg_block *b = &blocks->list[i];
        if (b->kind == SG_BLOCK_LINEAR && b->n_unknowns == part->n_given &&
            b->n_residuals == part->n_given && find_forces(b, part))
            return b;
    }
    return NULL;
}

// What the search for the torques works with.
typedef struct system_search {
    sg_exprs *x;
    const sg_block *block;
    const sg_coupling *part;
    members members;      // everything that is computed in the block
    sg_expr_id *expanded; // by variable: in terms of accelerations and forces; null: itself
    sg_expr_id *a;        // acceleration of each joint
    sg_var_id *unknown;   // of the block that it is shift + scale*unknown of: mostly itself, or
    sg_expr_id *shift;    // that of a rotor behind a gear whose states describe both
    sg_expr_id *scale;    //
    bool *is_taken;       // by variable: such an unknown
    sg_expr_id *torque;   // of each joint where its acceleration is zero
    sg_expr_id *rotor;    // inertia that its torque feels beyond that of the bodies
    sg_eq_id *eqs;
    bool has_rotors;
} system_search;

static sg_expr_id expand_var(void *context, sg_var_id var)
{
    const system_search *s = context;
    return var.i < s->members.n_vars ? s->expanded[var.i] : (sg_expr_id){0};
}

// The inner assignments put into each other, but for the forces.
static void expand_assigns(system_search *s)
{
    for (uint32_t k = 0; k < s->block->n_assigns; k++) {
        const sg_assign *assign = &s->block->assigns[k];
        if (assign->var.i != s->part->forces.i)
            s->expanded[assign->var.i] = sg_expr_substitute(s->x, assign->value, expand_var, s);
    }
}

static bool is_known(system_search *s, sg_expr_id e)
{
    s->members.met = false;
    sg_expr_incidence(s->x, e, SG_INCIDENCE_IMPLICIT, meet, &s->members);
    return e.i && !s->members.met;
}

static sg_expr_id quotient(sg_exprs *x, sg_expr_id e, sg_expr_id by)
{
    double number;
    if (sg_expr_is_number(x, by, &number) && number == -1.0)
        return sg_expr_neg(x, e);
    return sg_expr_div(x, e, by);
}

typedef struct meeting {
    const system_search *s;
    sg_var_id unknown;
    uint32_t n; // different ones
} meeting;

static void meet_unknown(void *context, sg_var_id var)
{
    meeting *m = context;
    const system_search *s = m->s;
    bool is_unknown = var.i < s->members.n_vars && s->members.is_member[var.i] &&
                      !s->expanded[var.i].i && var.i != s->part->forces.i;
    m->n += is_unknown && var.i != m->unknown.i;
    if (is_unknown)
        m->unknown = var;
}

// Which unknown the acceleration of a joint follows from, each from another one.
static bool find_unknown(system_search *s, uint32_t joint)
{
    sg_exprs *x = s->x;
    sg_var_id a = sg_expr_var_of(x, s->a[joint]);
    sg_expr_id e = s->expanded[a.i].i ? s->expanded[a.i] : s->a[joint];
    meeting m = {s, {0}, 0};
    sg_expr_incidence(x, e, SG_INCIDENCE_IMPLICIT, meet_unknown, &m);
    if (m.n != 1)
        return false;
    sg_linear u = sg_expr_linear(x, e, m.unknown);
    s->unknown[joint] = m.unknown;
    s->shift[joint] = u.rest;
    s->scale[joint] = u.coefficient;
    if (s->is_taken[m.unknown.i])
        return false;
    s->is_taken[m.unknown.i] = true;
    return u.is_linear && !u.in_condition && is_known(s, u.rest) && is_known(s, u.coefficient);
}

// 0 = s force + p a + c of one joint: the force is -c/s - (p/s) a.
static bool find_torque(system_search *s, const sg_residual *residual)
{
    sg_exprs *x = s->x;
    joint_equation eq = {s->part, NO_JOINT, false};
    sg_expr_id e = sg_expr_substitute(x, residual->value, expand_var, s);
    if (sg_expr_contains_var(x, e, s->part->terms))
        return false;
    e = sg_expr_rewrite(x, e, replace_force, &eq);
    if (eq.failed || eq.joint == NO_JOINT || s->torque[eq.joint].i)
        return false;
    sg_linear force = sg_expr_linear(x, e, s->part->terms);
    if (!force.is_linear || force.in_condition || !is_known(s, force.coefficient))
        return false;
    sg_linear u = sg_expr_linear(x, force.rest, s->unknown[eq.joint]);
    if (!u.is_linear || u.in_condition || !is_known(s, u.coefficient) || !is_known(s, u.rest))
        return false;
    sg_expr_id p = quotient(x, u.coefficient, s->scale[eq.joint]);
    sg_expr_id c = sg_expr_sub(x, u.rest, sg_expr_mul(x, p, s->shift[eq.joint]));
    s->torque[eq.joint] = quotient(x, sg_expr_neg(x, c), force.coefficient);
    s->rotor[eq.joint] = quotient(x, p, force.coefficient);
    s->eqs[eq.joint] = residual->eq;
    s->has_rotors |= !sg_expr_is_zero(x, s->rotor[eq.joint]);
    return true;
}

// Of the joint with the k-th force.
static sg_expr_id acceleration_of(sg_exprs *x, const sg_structure *structure,
                                  const sg_coupling *part, uint32_t k)
{
    return sg_coupling_expr(x, structure, part->joints[part->given[k]].a[0]);
}

// Where the terms themselves wait for the block, as equations give forces that depend on
// accelerations, there is nothing to be known before it.
static bool has_terms(const sg_block *b, const sg_coupling *part)
{
    for (uint32_t k = 0; k < b->n_assigns; k++)
        if (b->assigns[k].var.i == part->terms.i)
            return true;
    return false;
}

static bool search_init(system_search *s, sg_exprs *x, const sg_structure *structure,
                        const sg_block *b, const sg_coupling *part, sg_arena *arena)
{
    const sg_blocks *blocks = &structure->blocks;
    bool *is_member = SG_NEW_ARRAY(arena, bool, blocks->n_vars + 1);
    *s = (system_search){
        .x = x, .block = b, .part = part, .members = {is_member, blocks->n_vars, false}};
    s->expanded = SG_NEW_ARRAY(arena, sg_expr_id, blocks->n_vars + 1);
    s->a = SG_NEW_ARRAY(arena, sg_expr_id, part->n_given);
    s->unknown = SG_NEW_ARRAY(arena, sg_var_id, part->n_given);
    s->shift = SG_NEW_ARRAY(arena, sg_expr_id, part->n_given);
    s->scale = SG_NEW_ARRAY(arena, sg_expr_id, part->n_given);
    s->is_taken = SG_NEW_ARRAY(arena, bool, blocks->n_vars + 1);
    s->torque = SG_NEW_ARRAY(arena, sg_expr_id, part->n_given);
    s->rotor = SG_NEW_ARRAY(arena, sg_expr_id, part->n_given);
    s->eqs = SG_NEW_ARRAY(arena, sg_eq_id, part->n_given);
    if (arena->failed)
        return false;
    for (uint32_t k = 0; k < b->n_unknowns; k++)
        is_member[b->unknowns[k].i] = true;
    for (uint32_t k = 0; k < b->n_assigns; k++)
        is_member[b->assigns[k].var.i] = true;
    for (uint32_t k = 0; k < part->n_given; k++) {
        s->a[k] = acceleration_of(x, structure, part, k);
        sg_var_id a = sg_expr_var_of(x, s->a[k]);
        if (!a.i || a.i >= blocks->n_vars || !is_member[a.i])
            return false;
    }
    return true;
}

// forwardDynamics(terms, torques..., rotors...); the rotors only if there are any.
static sg_expr_id call_forward(const system_search *s, sg_arena *arena)
{
    uint32_t n = s->part->n_given, n_args = s->has_rotors ? 2 * n + 1 : n + 1;
    sg_expr_id *args = SG_NEW_ARRAY(arena, sg_expr_id, 2 * n + 1);
    if (!args)
        return (sg_expr_id){0};
    args[0] = sg_expr_var(s->x, s->part->terms);
    memcpy(args + 1, s->torque, n * sizeof *args);
    memcpy(args + 1 + n, s->rotor, n * sizeof *args);
    return sg_expr_result(s->x,
                          sg_expr_call(s->x, s->part->function[SG_PART_FORWARD], args, n_args), 0);
}

// The accelerations, the forces where the block needed them for more than its residuals, and all
// that followed from both.
static uint32_t write_assigns(const system_search *s, sg_arena *arena, sg_assign *out)
{
    sg_exprs *x = s->x;
    const sg_block *b = s->block;
    uint32_t n = s->part->n_given, at = 0;
    sg_expr_id all = call_forward(s, arena);
    for (uint32_t k = 0; k < n; k++) {
        sg_expr_id index[2] = {all, sg_expr_int(x, k + 1)};
        sg_expr_id a = sg_expr_make(x, SG_X_INDEX, index, 2);
        sg_expr_id value = sg_expr_div(x, sg_expr_sub(x, a, s->shift[k]), s->scale[k]);
        out[at++] = (sg_assign){s->unknown[k], value, s->eqs[k]};
    }
    for (uint32_t k = 0; b->n_assigns > 1 && k < b->n_assigns; k++) {
        out[at] = b->assigns[k];
        if (out[at].var.i == s->part->forces.i) {
            for (uint32_t j = 0; j < n; j++)
                s->a[j] = sg_expr_sub(x, s->torque[j], sg_expr_mul(x, s->rotor[j], s->a[j]));
            out[at].value = sg_expr_make(x, SG_X_VECT, s->a, n);
        }
        at++;
    }
    return at;
}

// The block's place is taken by single assignments.
static bool replace(sg_blocks *blocks, const sg_block *old, sg_assign *assigns, uint32_t n,
                    sg_arena *arena)
{
    sg_block *list = SG_NEW_ARRAY(arena, sg_block, blocks->n + n);
    if (!list)
        return false;
    uint32_t at = 0;
    for (uint32_t i = 0; i < blocks->n; i++) {
        if (&blocks->list[i] != old) {
            list[at++] = blocks->list[i];
            continue;
        }
        for (uint32_t k = 0; k < n; k++)
            list[at++] =
                (sg_block){.kind = SG_BLOCK_ASSIGN, .assigns = &assigns[k], .n_assigns = 1};
    }
    blocks->list = list;
    blocks->n = at;
    return true;
}

// The assignment of the forces from known accelerations, as a call.
static bool call_inverse(sg_exprs *x, const sg_structure *structure, sg_block *b,
                         const sg_coupling *part, sg_arena *arena)
{
    uint32_t n = part->n_given;
    sg_expr_id *args = SG_NEW_ARRAY(arena, sg_expr_id, n + 1);
    sg_assign *assign = SG_NEW(arena, sg_assign);
    if (arena->failed)
        return false;
    args[0] = sg_expr_var(x, part->terms);
    for (uint32_t k = 0; k < n; k++)
        args[1 + k] = acceleration_of(x, structure, part, k);
    *assign = b->assigns[0];
    assign->value =
        sg_expr_result(x, sg_expr_call(x, part->function[SG_PART_INVERSE], args, n + 1), 0);
    b->assigns = assign;
    return !sg_exprs_failed(x);
}

bool sg_solve_inside(sg_exprs *x, sg_structure *structure, const sg_coupling *part, sg_arena *arena,
                     bool *inverse)
{
    system_search s;
    sg_blocks *blocks = &structure->blocks;
    const sg_block *b = part->forces.i ? find_block(blocks, part) : NULL;
    *inverse = false;
    for (uint32_t i = 0; part->forces.i && i < blocks->n; i++) {
        sg_block *single = &blocks->list[i];
        if (single->kind == SG_BLOCK_ASSIGN && single->assigns[0].var.i == part->forces.i)
            return *inverse = call_inverse(x, structure, single, part, arena);
    }
    if (!b || has_terms(b, part) || !search_init(&s, x, structure, b, part, arena))
        return false;
    expand_assigns(&s);
    for (uint32_t k = 0; k < part->n_given; k++)
        if (!find_unknown(&s, k))
            return false;
    for (uint32_t k = 0; k < b->n_residuals; k++)
        if (!find_torque(&s, &b->residuals[k]))
            return false;
    sg_assign *assigns = SG_NEW_ARRAY(arena, sg_assign, part->n_given + b->n_assigns);
    uint32_t n = assigns ? write_assigns(&s, arena, assigns) : 0;
    return n && !arena->failed && !sg_exprs_failed(x) && replace(blocks, b, assigns, n, arena);
}
