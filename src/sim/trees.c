#include "sim/trees.h"

#include "program/exec.h"
#include "sim/entries.h"

#include <string.h>

// Where the derivatives of a pair of joints go on the tree's pattern: rows of velocities.
typedef struct tree_place {
    int32_t low_q, low_v;   // row low, columns q and v of high
    int32_t high_q, high_v; // row high, columns q and v of low
} tree_place;

typedef struct tree {
    const sg_sim_tree *component;
    sg_sim_tree_shape shape;
    int32_t *q, *v;     // states, by joint
    tree_place *places; // by pair
} tree;

typedef struct form {
    sg_descriptor descriptor; // must be first
    sg_sparsity held, tree;
    tree *trees;
    uint32_t n_trees;
} form;

const sg_held_call *sg_trees_find_call(const sg_held *held, uint32_t function)
{
    const sg_held_call *found = NULL;
    for (uint32_t i = 0; function && i < held->n_calls; i++)
        if (held->calls[i].function == function) {
            if (found)
                return NULL;
            found = &held->calls[i];
        }
    return found;
}

// ---- is it of this form? ----------------------------------------------------------------------

// By variable of the flat model: 1 + the state that it is, 0 if it is none.
static int32_t *number_states(const sg_exec *exec, const sg_structure *structure, sg_arena *arena)
{
    const sg_program *p = exec->program;
    int32_t *number = SG_NEW_ARRAY(arena, int32_t, structure->blocks.n_vars + 1);
    for (uint32_t i = 0; number && i < p->n_states; i++)
        number[p->state_vars[i]] = (int32_t)exec->at.state[i] + 1;
    return number;
}

// The state that a variable is, by its own name or that of its alias; -1: none.
static int32_t state_of(const int32_t *numbers, const sg_structure *structure, sg_var_id var)
{
    const sg_alias *alias = &structure->aliases[var.i];
    return numbers[alias->kind == SG_ALIAS_PLUS ? alias->of.i : var.i] - 1;
}

// Which states the joints are, and that their accelerations go where they belong.
static bool find_states(tree *t, const int32_t *numbers, const sg_structure *structure,
                        const sg_held *held, sg_arena *arena, bool *taken)
{
    const sg_sim_tree *c = t->component;
    const sg_held_call *forward = sg_trees_find_call(held, c->forward);
    const sg_held_call *others = sg_trees_find_call(held, c->accelerations);
    t->q = SG_NEW_ARRAY(arena, int32_t, t->shape.n_joints + 1);
    t->v = SG_NEW_ARRAY(arena, int32_t, t->shape.n_joints + 1);
    if (arena->failed || !sg_trees_find_call(held, c->terms))
        return false;
    for (int j = 0; j < t->shape.n_joints; j++) {
        const sg_held_call *call = t->shape.given[j] ? forward : others;
        t->q[j] = state_of(numbers, structure, t->shape.q[j]);
        t->v[j] = state_of(numbers, structure, t->shape.v[j]);
        if (!call || t->q[j] < 0 || t->v[j] < 0 || taken[t->q[j]] || taken[t->v[j]] ||
            t->q[j] == t->v[j] || (uint32_t)t->shape.element[j] >= call->n ||
            held->result[t->v[j]] != (int32_t)call->first + t->shape.element[j])
            return false;
        taken[t->q[j]] = taken[t->v[j]] = true;
    }
    return true;
}

// The torques must not hang on what is held; the first argument only says what comes first.
static bool torques_are_known(const tree *t, const sg_held *held, uint32_t n_states)
{
    const sg_held_call *forward = sg_trees_find_call(held, t->component->forward);
    for (uint32_t i = forward ? forward->starts[1] : 0;
         forward && i < forward->starts[forward->n_args]; i++)
        if (forward->items[i] >= n_states)
            return false;
    return true;
}

// All derivatives that hang on a held result belong to joints.
static bool nothing_else_hangs(const form *f, const sg_held *held, uint32_t n_states)
{
    uint32_t hanging = 0, joints = 0;
    for (uint32_t i = 0; i < n_states; i++)
        hanging += held->result[i] >= 0;
    for (uint32_t k = 0; k < f->n_trees; k++)
        joints += (uint32_t)f->trees[k].shape.n_joints;
    return held->separate && hanging == joints;
}

// ---- patterns -----------------------------------------------------------------------------------

// What a pattern is made of.
typedef struct list_context {
    const form *f;
    const sg_held *held;
} list_context;

static void list_held(const void *context, sg_entries *c)
{
    const form *f = ((const list_context *)context)->f;
    const sg_held *held = ((const list_context *)context)->held;
    for (int32_t j = 0; j < (int32_t)held->derivatives.n_cols; j++)
        for (uint32_t p = held->derivatives.starts[j]; p < held->derivatives.starts[j + 1]; p++)
            sg_entries_add(c, (int32_t)held->derivatives.rows[p], j);
    for (uint32_t k = 0; k < f->n_trees; k++) {
        const tree *t = &f->trees[k];
        const sg_held_call *forward = sg_trees_find_call(held, t->component->forward);
        for (int j = 0; forward && j < t->shape.n_joints; j++)
            for (uint32_t arg = 1 + (uint32_t)t->shape.element[j];
                 t->shape.given[j] && arg < forward->n_args; arg += (uint32_t)t->shape.n_given)
                for (uint32_t i = forward->starts[arg]; i < forward->starts[arg + 1]; i++)
                    sg_entries_add(c, t->v[j], (int32_t)forward->items[i]);
    }
}

static void list_tree(const void *context, sg_entries *c)
{
    const form *f = ((const list_context *)context)->f;
    for (uint32_t k = 0; k < f->n_trees; k++) {
        const tree *t = &f->trees[k];
        for (int p = 0; p < t->shape.n_pairs; p++) {
            int low = t->shape.low[p], high = t->shape.high[p];
            sg_entries_add(c, t->v[low], t->q[high]);
            sg_entries_add(c, t->v[low], t->v[high]);
            sg_entries_add(c, t->v[high], t->q[low]);
            sg_entries_add(c, t->v[high], t->v[low]);
        }
    }
}

static int32_t find_entry(const sg_sparsity *pattern, int32_t row, int32_t column)
{
    int32_t low = pattern->start[column], high = pattern->start[column + 1];
    while (low + 1 < high) {
        int32_t middle = low + (high - low) / 2;
        if (pattern->rows[middle] <= row)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static bool find_places(tree *t, const sg_sparsity *pattern, sg_arena *arena)
{
    t->places = SG_NEW_ARRAY(arena, tree_place, t->shape.n_pairs + 1);
    for (int p = 0; t->places && p < t->shape.n_pairs; p++) {
        int32_t low = t->shape.low[p], high = t->shape.high[p];
        t->places[p] = (tree_place){
            find_entry(pattern, t->v[low], t->q[high]), find_entry(pattern, t->v[low], t->v[high]),
            find_entry(pattern, t->v[high], t->q[low]), find_entry(pattern, t->v[high], t->v[low])};
    }
    return t->places != NULL;
}

// ---- while running ------------------------------------------------------------------------------

static void release(void *user)
{
    form *f = user;
    for (uint32_t k = 0; k < f->n_trees; k++)
        f->trees[k].component->release(f->trees[k].component->context);
}

static void write_pairs(const tree *t, const sg_sim_tree_values *values, double *e, double *slope)
{
    for (int p = 0; p < t->shape.n_pairs; p++) {
        const tree_place *at = &t->places[p];
        int low = t->shape.low[p];
        bool same = low == t->shape.high[p];
        // The one of dx itself is not part of what is asked for.
        e[at->low_v] = e[at->high_v] = values->M[p] + (same ? values->rotor[low] - 1.0 : 0.0);
        slope[at->high_q] = -values->high_q[p];
        slope[at->high_v] = -values->high_v[p];
        slope[at->low_q] = -values->low_q[p];
        slope[at->low_v] = -values->low_v[p];
    }
}

static sg_status hold(void *user, const double *dx, double *e, double *slope)
{
    form *f = user;
    size_t n = (size_t)f->tree.start[f->tree.n];
    bool fits = true;
    memset(e, 0, n * sizeof *e);
    memset(slope, 0, n * sizeof *slope);
    for (uint32_t k = 0; k < f->n_trees; k++) {
        const tree *t = &f->trees[k];
        sg_sim_tree_values values;
        t->component->hold(t->component->context, &values);
        write_pairs(t, &values, e, slope);
        // Behind a gear the program may come back to an acceleration with a rounding.
        for (int j = 0; j < t->shape.n_joints; j++)
            fits &= dx[t->v[j]] == values.a[j];
    }
    if (!fits)
        release(f);
    return fits ? SG_OK : SG_ERR_USAGE;
}

// ---- putting it together ------------------------------------------------------------------------

static bool analyze(form *f, const sg_exec *exec, const sg_structure *structure,
                    const sg_sim_tree *trees, uint32_t n_functions, uint32_t n_quadratures,
                    sg_arena *arena)
{
    bool *is_held = SG_NEW_ARRAY(arena, bool, n_functions + 1);
    bool *taken = SG_NEW_ARRAY(arena, bool, exec->at.n_x + 1);
    const int32_t *numbers = number_states(exec, structure, arena);
    f->trees = SG_NEW_ARRAY(arena, tree, f->n_trees + 1);
    if (arena->failed)
        return false;
    for (uint32_t k = 0; k < f->n_trees; k++) {
        const sg_sim_tree *c = &trees[k];
        f->trees[k].component = c;
        is_held[c->terms] = is_held[c->matrix] = is_held[c->accelerations] = true;
        is_held[c->forward] = true;
        if (!c->shape(c->context, &f->trees[k].shape))
            return false;
    }
    is_held[0] = false;
    sg_held held;
    if (sg_exec_held(exec, is_held, arena, &held) != SG_OK)
        return false;
    for (uint32_t k = 0; k < f->n_trees; k++)
        if (!find_states(&f->trees[k], numbers, structure, &held, arena, taken) ||
            !torques_are_known(&f->trees[k], &held, exec->at.n_x))
            return false;
    int32_t n = (int32_t)(exec->at.n_x + n_quadratures);
    list_context context = {f, &held};
    bool ok = nothing_else_hangs(f, &held, exec->at.n_x) &&
              sg_sparsity_make(n, list_held, &context, arena, &f->held) &&
              sg_sparsity_make(n, list_tree, &context, arena, &f->tree);
    for (uint32_t k = 0; ok && k < f->n_trees; k++)
        ok = find_places(&f->trees[k], &f->tree, arena);
    return ok;
}

const sg_descriptor *sg_trees_descriptor(const sg_exec *exec, const sg_structure *structure,
                                         const sg_sim_tree *trees, uint32_t n_trees,
                                         uint32_t n_functions, uint32_t n_quadratures,
                                         sg_arena *arena)
{
    form *f = SG_NEW(arena, form);
    if (!f)
        return NULL;
    f->n_trees = n_trees;
    if (!analyze(f, exec, structure, trees, n_functions, n_quadratures, arena))
        return NULL;
    f->descriptor = (sg_descriptor){f, &f->held, &f->tree, hold, release};
    return &f->descriptor;
}
