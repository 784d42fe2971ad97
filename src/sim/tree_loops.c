// Patterns of Jacobians where loops of joints are cut, with the forces in the cuts among the
// unknowns.
//
// A tree on the world feels its own joints and the forces on it; where these act depends on what is
// at the other end of a cut. How fast a cut opens depends on the trees at its ends, and so on all
// that these feel. In a long row of loops that is a band, while everything depends on everything
// where the forces are eliminated.
#include "program/exec.h"
#include "sim/entries.h"
#include "sim/trees.h"

typedef struct looped {
    const sg_sim_tree_groups *groups;
    const sg_sparsity *rows, *columns; // of the groups
    sg_sim_tree_loops loops;
    sg_sparsity touching; // by group: constraints of `loops.rows`, counted from 0
    uint32_t n_states;
    bool integrals;
} looped;

typedef struct constraint {
    uint32_t end[2], cut;
} constraint;

static constraint constraint_of(const looped *l, uint32_t i)
{
    int row = l->loops.rows[i];
    return (constraint){{l->loops.end1[row], l->loops.end2[row]}, l->loops.cut[row]};
}

static void list_touching(const void *context, sg_entries *entries)
{
    const looped *l = context;
    for (uint32_t i = 0; i < l->loops.n_rows; i++) {
        constraint c = constraint_of(l, i);
        for (int k = 0; k < 2; k++)
            if (c.end[k] != SG_TREE_NO_GROUP)
                sg_entries_add(entries, (int32_t)i, (int32_t)c.end[k]);
    }
}

// A row depends on the coordinates of a group.
static void list_coordinates(const looped *l, int32_t row, uint32_t group, sg_entries *entries)
{
    if (group == SG_TREE_NO_GROUP)
        return;
    for (int32_t i = l->columns->start[group]; i < l->columns->start[group + 1]; i++)
        sg_entries_add(entries, row, l->columns->rows[i]);
}

// ... and on all that its accelerations depend on.
static void list_felt(const looped *l, int32_t row, uint32_t group, sg_entries *entries)
{
    if (group == SG_TREE_NO_GROUP)
        return;
    list_coordinates(l, row, group, entries);
    for (int32_t p = l->touching.start[group]; p < l->touching.start[group + 1]; p++) {
        int32_t i = l->touching.rows[p];
        constraint c = constraint_of(l, (uint32_t)i);
        list_coordinates(l, row, c.end[0], entries);
        list_coordinates(l, row, c.end[1], entries);
        sg_entries_add(entries, row, (int32_t)l->n_states + i);
        if (l->integrals)
            sg_entries_add(entries, row, (int32_t)(l->n_states + l->loops.n_rows) + i);
    }
}

// Accelerations of the group's joints; with integrals, coordinates are moved as well.
static void list_group(const looped *l, uint32_t group, sg_entries *entries)
{
    for (int32_t i = l->rows->start[group]; i < l->rows->start[group + 1]; i++)
        list_felt(l, l->rows->rows[i], group, entries);
    for (int32_t i = l->columns->start[group]; l->integrals && i < l->columns->start[group + 1];
         i++)
        list_felt(l, l->columns->rows[i], group, entries);
}

// What is measured in a cut; with integrals its coordinates follow from those of its ends.
static void list_cut(const looped *l, const constraint *c, sg_entries *entries)
{
    uint32_t cut = c->cut;
    for (int k = 0; k < 2; k++) {
        for (int32_t i = l->rows->start[cut]; i < l->rows->start[cut + 1]; i++)
            list_felt(l, l->rows->rows[i], c->end[k], entries);
        for (int32_t i = l->columns->start[cut]; l->integrals && i < l->columns->start[cut + 1];
             i++) {
            list_coordinates(l, l->columns->rows[i], c->end[k], entries);
            list_coordinates(l, l->columns->rows[i], cut, entries);
        }
    }
}

static void list_all(const void *context, sg_entries *entries)
{
    const looped *l = context;
    const sg_sparsity *visible = l->groups->visible;
    for (int32_t j = 0; j < visible->n; j++)
        for (int32_t p = visible->start[j]; p < visible->start[j + 1]; p++)
            sg_entries_add(entries, visible->rows[p], j);
    for (uint32_t g = 0; g < l->loops.n_groups; g++)
        list_group(l, g, entries);
    for (uint32_t i = 0; i < l->loops.n_rows; i++) {
        constraint c = constraint_of(l, i);
        int32_t row = (int32_t)(l->n_states + i);
        list_cut(l, &c, entries);
        for (int k = 0; k < 2; k++) {
            if (!l->integrals) {
                list_felt(l, row, c.end[k], entries);
                continue;
            }
            list_coordinates(l, row, c.end[k], entries);
            list_coordinates(l, row + (int32_t)l->loops.n_rows, c.end[k], entries);
        }
    }
}

const sg_sparsity *sg_trees_with_loops(const sg_exec *exec, const sg_sim_tree *tree,
                                       uint32_t n_functions, uint32_t n_states,
                                       sg_constraint_unknowns behind, sg_arena *arena)
{
    sg_sim_tree cut = *tree;
    looped l = {.n_states = n_states, .integrals = behind == SG_CONSTRAINT_INTEGRALS};
    sg_sparsity *out = SG_NEW(arena, sg_sparsity);
    if (!out || !tree->loops || !tree->loops(tree->context, &l.loops))
        return NULL;
    cut.joints = tree->loop_joints;
    l.groups = sg_trees_groups(exec, &cut, 1, n_functions, l.loops.n_groups, arena);
    if (!l.groups || !l.groups->visible)
        return NULL;
    l.rows = l.groups->outer.rows;
    l.columns = l.groups->outer.columns;
    uint32_t n = n_states + (l.integrals ? 2 : 1) * l.loops.n_rows;
    bool ok = sg_sparsity_make((int32_t)l.loops.n_groups, list_touching, &l, arena, &l.touching) &&
              sg_sparsity_make((int32_t)n, list_all, &l, arena, out);
    return ok ? out : NULL;
}
