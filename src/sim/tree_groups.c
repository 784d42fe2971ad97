// Which states of the equations belong to which mechanism, for Jacobians by the contact graph.
//
// To the program a component with joints is a few opaque functions: all derivatives seem to depend
// on all joints. But a mechanism (joints that carry each other) only feels its own joints and
// torques, and what touches it. The joints name their mechanisms, and the trace of the program with
// the functions held (sg_exec_held) tells which states their arguments are made of and which
// derivatives their results are.
#include "program/exec.h"
#include "sim/entries.h"
#include "sim/trees.h"

typedef struct analysis {
    const sg_exec *exec;
    const sg_sim_tree *trees;
    uint32_t n_trees, n_outer;
    sg_held held;
    int32_t *group_of; // by held result: the group of its joint, -1 if it is none's
    bool separate;     // each derivative that hangs on a result is that of one joint
    // By group: derivatives that hang on it; states that its coordinates and its torques consist
    // of.
    sg_sparsity rows, columns, torques;
} analysis;

static uint32_t group_of_joint(const sg_sim_tree_joint *joint)
{
    uint32_t number;
    sg_hidden_is_outer(joint->group, &number);
    return number;
}

// None where they are not in groups; what hangs on them then is nobody's.
static const sg_sim_tree_joint *joints_of(const sg_sim_tree *tree, uint32_t *n)
{
    const sg_sim_tree_joint *joints = tree->joints(tree->context, n);
    *n = joints ? *n : 0;
    return joints;
}

// ---- is each derivative that of one joint?
// -------------------------------------------------------

static void name_results(const analysis *a, const sg_sim_tree *tree)
{
    uint32_t n, given = 0, other = 0;
    const sg_sim_tree_joint *joints = joints_of(tree, &n);
    const sg_held_call *forward = sg_trees_find_call(&a->held, tree->forward);
    const sg_held_call *accelerations = sg_trees_find_call(&a->held, tree->accelerations);
    for (uint32_t j = 0; j < n; j++) {
        int32_t group = (int32_t)group_of_joint(&joints[j]);
        if (joints[j].given) {
            if (forward && given < forward->n)
                a->group_of[forward->first + given] = group;
            given++;
            continue;
        }
        for (uint32_t k = 0; k < joints[j].n_results; k++, other++)
            if (accelerations && other < accelerations->n)
                a->group_of[accelerations->first + other] = group;
    }
}

// Do arguments of a call depend on something that is held, other than results of `except`?
static bool depends_on_held(const analysis *a, const sg_held_call *call, uint32_t from,
                            const sg_held_call *except)
{
    uint32_t n_x = a->exec->at.n_x;
    for (uint32_t i = call->starts[from]; i < call->starts[call->n_args]; i++) {
        uint32_t item = call->items[i];
        bool excepted =
            except && item >= n_x + except->first && item < n_x + except->first + except->n;
        if (item >= n_x && !excepted)
            return true;
    }
    return false;
}

// Coordinates are known before anything of the tree is.
static bool has_known_coordinates(const analysis *a, const sg_sim_tree *tree)
{
    uint32_t n;
    const sg_sim_tree_joint *joints = joints_of(tree, &n);
    const sg_held_call *terms = sg_trees_find_call(&a->held, tree->terms);
    uint32_t n_inputs = 0;
    for (uint32_t j = 0; j < n; j++)
        n_inputs += joints[j].n_inputs;
    return !n || (terms && terms->n_args == 1 + n_inputs && !depends_on_held(a, terms, 0, NULL));
}

// Torques come from states, accelerations of other joints only from those that `forward` gives.
static bool has_known_torques(const analysis *a, const sg_sim_tree *tree)
{
    const sg_held_call *forward = sg_trees_find_call(&a->held, tree->forward);
    const sg_held_call *accelerations = sg_trees_find_call(&a->held, tree->accelerations);
    return (!forward || !depends_on_held(a, forward, 1, NULL)) &&
           (!accelerations || !depends_on_held(a, accelerations, 1, forward));
}

static bool is_separate(const analysis *a)
{
    bool separate = a->held.separate;
    for (uint32_t k = 0; separate && k < a->n_trees; k++)
        separate = has_known_torques(a, &a->trees[k]);
    for (uint32_t i = 0; separate && i < a->exec->at.n_x; i++)
        separate = a->held.result[i] < 0 || a->group_of[a->held.result[i]] >= 0;
    return separate;
}

// ---- lists --------------------------------------------------------------------------------------

// States among what an argument of a call depends on.
static void list_argument(const analysis *a, const sg_held_call *call, uint32_t arg, uint32_t group,
                          sg_entries *entries)
{
    for (uint32_t i = call->starts[arg]; i < call->starts[arg + 1]; i++)
        if (call->items[i] < a->exec->at.n_x)
            sg_entries_add(entries, (int32_t)call->items[i], (int32_t)group);
}

static void list_columns(const void *context, sg_entries *entries)
{
    const analysis *a = context;
    for (uint32_t k = 0; k < a->n_trees; k++) {
        uint32_t n, arg = 1; // behind the time
        const sg_sim_tree_joint *joints = joints_of(&a->trees[k], &n);
        const sg_held_call *terms = sg_trees_find_call(&a->held, a->trees[k].terms);
        for (uint32_t j = 0; j < n; j++)
            for (uint32_t i = 0; i < joints[j].n_inputs; i++)
                list_argument(a, terms, arg++, group_of_joint(&joints[j]), entries);
    }
}

// Torques and, behind them, inertias of rotors.
static void list_torques(const void *context, sg_entries *entries)
{
    const analysis *a = context;
    for (uint32_t k = 0; k < a->n_trees; k++) {
        uint32_t n, n_given = 0, given = 0;
        const sg_sim_tree_joint *joints = joints_of(&a->trees[k], &n);
        const sg_held_call *forward = sg_trees_find_call(&a->held, a->trees[k].forward);
        for (uint32_t j = 0; j < n; j++)
            n_given += joints[j].given;
        for (uint32_t j = 0; forward && j < n; j++) {
            for (uint32_t arg = 1 + given; joints[j].given && arg < forward->n_args; arg += n_given)
                list_argument(a, forward, arg, group_of_joint(&joints[j]), entries);
            given += joints[j].given;
        }
    }
}

static void list_rows(const void *context, sg_entries *entries)
{
    const analysis *a = context;
    for (uint32_t i = 0; i < a->exec->at.n_x; i++) {
        int32_t result = a->held.result[i];
        if (result >= 0 && a->separate)
            sg_entries_add(entries, (int32_t)i, a->group_of[result]);
        for (uint32_t g = 0; result >= 0 && !a->separate && g < a->n_outer; g++)
            sg_entries_add(entries, (int32_t)i, (int32_t)g);
    }
}

static void list_block(const sg_sparsity *rows, const sg_sparsity *columns, uint32_t group,
                       sg_entries *entries)
{
    for (int32_t j = columns->start[group]; j < columns->start[group + 1]; j++)
        for (int32_t i = rows->start[group]; i < rows->start[group + 1]; i++)
            sg_entries_add(entries, rows->rows[i], columns->rows[j]);
}

static void list_visible(const void *context, sg_entries *entries)
{
    const analysis *a = context;
    const sg_pattern *others = &a->held.derivatives;
    for (uint32_t j = 0; j < others->n_cols; j++)
        for (uint32_t p = others->starts[j]; p < others->starts[j + 1]; p++)
            sg_entries_add(entries, (int32_t)others->rows[p], (int32_t)j);
    for (uint32_t g = 0; g < a->n_outer; g++) {
        list_block(&a->rows, &a->columns, g, entries);
        list_block(&a->rows, &a->torques, g, entries);
    }
}

// ---- all together
// ---------------------------------------------------------------------------------

static bool trace_held(analysis *a, uint32_t n_functions, sg_arena *arena)
{
    bool *is_held = SG_NEW_ARRAY(arena, bool, n_functions + 1);
    for (uint32_t k = 0; is_held && k < a->n_trees; k++) {
        const sg_sim_tree *t = &a->trees[k];
        is_held[t->terms] = is_held[t->matrix] = is_held[t->accelerations] = true;
        is_held[t->forward] = true;
    }
    if (is_held)
        is_held[0] = false;
    if (!is_held || sg_exec_held(a->exec, is_held, arena, &a->held) != SG_OK)
        return false;
    uint32_t n = 0;
    for (uint32_t i = 0; i < a->held.n_calls; i++)
        n += a->held.calls[i].n;
    a->group_of = SG_NEW_ARRAY(arena, int32_t, n + 1);
    for (uint32_t i = 0; a->group_of && i < n; i++)
        a->group_of[i] = -1;
    return a->group_of != NULL;
}

const sg_sim_tree_groups *sg_trees_groups(const sg_exec *exec, const sg_sim_tree *trees,
                                          uint32_t n_trees, uint32_t n_functions, uint32_t n_outer,
                                          sg_arena *arena)
{
    analysis *a = SG_NEW(arena, analysis);
    sg_sim_tree_groups *out = SG_NEW(arena, sg_sim_tree_groups);
    sg_sparsity *visible = SG_NEW(arena, sg_sparsity);
    if (arena->failed)
        return NULL;
    *a = (analysis){.exec = exec, .trees = trees, .n_trees = n_trees, .n_outer = n_outer};
    if (!trace_held(a, n_functions, arena))
        return NULL;
    for (uint32_t k = 0; k < n_trees; k++) {
        if (!has_known_coordinates(a, &trees[k]))
            return NULL;
        name_results(a, &trees[k]);
    }
    a->separate = is_separate(a);
    int32_t n = (int32_t)n_outer;
    if (!sg_sparsity_make(n, list_rows, a, arena, &a->rows) ||
        !sg_sparsity_make(n, list_columns, a, arena, &a->columns) ||
        !sg_sparsity_make(n, list_torques, a, arena, &a->torques) ||
        !sg_sparsity_make((int32_t)exec->at.n_x, list_visible, a, arena, visible))
        return NULL;
    *out = (sg_sim_tree_groups){{&a->rows, &a->columns}, a->separate ? visible : NULL};
    return out;
}
