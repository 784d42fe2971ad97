// Trees of bodies inside a model, for implicit methods: from the program and the components that
// hold the trees to the descriptor form of the solver (sg_descriptor).
//
// A component gives accelerations a with (M(q) + R) a = tau - h(q, v), where tau and the inertias R
// of rotors come from the equations. With a held, M a + h depends on joints that carry each other
// and on nothing else; the component knows these derivatives. Those of tau and R are taken by
// differences of the program, in which the component then returns tau - R a in the place of a.
//
// That needs a simple structure: coordinates and velocities of the joints, which the component
// names, are states, the accelerations are derivatives of those, and nothing else depends on them.
// The pattern of the program tells whether it is so (sg_exec_held); if not, there is no descriptor.
#pragma once

#include "base/arena.h"
#include "equations/translate.h"
#include "integration/model.h"
#include "sim/hidden.h"

struct sg_exec; // program/exec.h

typedef struct sg_sim_tree_shape {
    int n_joints;
    const sg_var_id *q, *v; // by joint: its coordinate and velocity in the flat model
    const bool *given;      // by joint: its acceleration is an element of `forward`, with a torque
    const int *element;     // by joint: of the result of `forward` or of `accelerations`, from 0
    int n_given;
    int n_pairs; // of joints that carry each other: `high` carries `low`, or is the same
    const int *low, *high;
} sg_sim_tree_shape;

// By joint, and by pair: the mass matrix, d tau[low] / d q[high], d v[high], and the other way
// round.
typedef struct sg_sim_tree_values {
    const double *a, *rotor;
    const double *M, *low_q, *low_v, *high_q, *high_v;
} sg_sim_tree_values;

// A joint as the program sees it, in whatever form: arguments of `terms`, one torque of `forward`
// or numbers in the result of `accelerations`.
typedef struct sg_sim_tree_joint {
    uint32_t group;     // of the states of all joints that carry each other (sg_hidden_add_outer)
    uint32_t n_inputs;  // arguments, in the order of the joints
    bool given;         // it has a torque and an acceleration that `forward` gives
    uint32_t n_results; // else: of `accelerations`
} sg_sim_tree_joint;

// What equations see of a component, and what they give to it, where its states are in groups. All
// zero: it is not known.
typedef struct sg_sim_tree_senses {
    // By number in the result of `motion`: groups of hidden states that it depends on, from
    // seen[seen_start[k]] on.
    const uint32_t *seen_start, *seen;
    // By argument of `terms` behind the first, n_given of them: groups that it acts on.
    uint32_t n_given;
    const uint32_t *given_start, *given;
} sg_sim_tree_senses;

// What states of joints measure. Those of one kind in one tree are as large as the largest of them.
typedef enum sg_sim_tree_kind {
    SG_TREE_ANGLE,
    SG_TREE_TURNING, // speed of an angle
    SG_TREE_WAY,
    SG_TREE_SLIDING, // speed along a way
    SG_TREE_N_KINDS
} sg_sim_tree_kind;

// Constraints between trees of joints: by number, the groups at their ends and that of the joint
// which is cut; a group of the joints of `loop_joints`, or none.
#define SG_TREE_NO_GROUP UINT32_MAX
typedef struct sg_sim_tree_loops {
    uint32_t n_groups;
    uint32_t n_rows;
    const int *rows; // numbers of those that have forces at present
    const uint32_t *end1, *end2, *cut;
} sg_sim_tree_loops;

typedef struct sg_sim_tree {
    void *context;
    // Functions of the program, 0 for one that it does not have.
    uint32_t terms, matrix, accelerations, forward, motion;
    // False if equations see and give nothing; may be null. What comes back holds until the next
    // segment.
    bool (*senses)(void *context, sg_sim_tree_senses *senses);
    // The i-th variable of its joints, coordinates and speeds, null if that is none of one kind;
    // false: there are no more.
    bool (*variable)(void *context, uint32_t i, sg_var_id *var, sg_sim_tree_kind *kind);
    // The joints of this segment, or null if they are not in groups.
    const sg_sim_tree_joint *(*joints)(void *context, uint32_t *n);
    // The same where loops are cut and the forces there are given: each tree on the world is a
    // group and so is each cut; and who feels these forces. Null or false: it is not known.
    const sg_sim_tree_joint *(*loop_joints)(void *context, uint32_t *n);
    bool (*loops)(void *context, sg_sim_tree_loops *loops);
    // False if it cannot be held in this segment. What comes back holds until the next one.
    bool (*shape)(void *context, sg_sim_tree_shape *shape);
    // From now on functions return what does not move, and `forward` tau - R a.
    void (*hold)(void *context, sg_sim_tree_values *values);
    void (*release)(void *context);
} sg_sim_tree;

// The descriptor form of a linked program, or null: there is none, or memory ran out (the arena
// remembers). Lives in the arena. `n_quadratures` states behind those of the program only account
// for the others: as nothing depends on them, Newton's method needs no derivatives of their rates.
const sg_descriptor *sg_trees_descriptor(const struct sg_exec *exec, const sg_structure *structure,
                                         const sg_sim_tree *trees, uint32_t n_trees,
                                         uint32_t n_functions, uint32_t n_quadratures,
                                         sg_arena *arena);

// What the groups of the joints are made of, where contacts and elements link them with each other
// and with hidden states (sg_hidden_pattern).
typedef struct sg_sim_tree_groups {
    sg_hidden_outer outer;
    // Of the derivatives of the visible states without links: joints depend on those that they
    // carry or are carried by. Null where equations mix what the trees return, so that the pattern
    // of the program is the best one; then all that hangs on a tree depends on all its links.
    const sg_sparsity *visible;
} sg_sim_tree_groups;

// Of a linked program with `n_outer` such groups; null: nothing is known, or memory ran out (the
// arena remembers). Lives in the arena.
const sg_sim_tree_groups *sg_trees_groups(const struct sg_exec *exec, const sg_sim_tree *trees,
                                          uint32_t n_trees, uint32_t n_functions, uint32_t n_outer,
                                          sg_arena *arena);

// What sg_sim_tree_senses add to the pattern of visible and hidden states (sg_hidden_pattern);
// *ties is null if nothing. False where it is not known, or memory ran out (the arena remembers).
// Lives in the arena.
bool sg_trees_ties(const struct sg_exec *exec, const sg_hidden *hidden, const sg_sim_tree *trees,
                   uint32_t n_trees, uint32_t n_functions, sg_arena *arena,
                   const sg_sparsity **ties);

// The pattern of the equations of `n_states` states and, behind these, of the unknowns of the
// constraints of the only tree (tree_loops.c): accelerations across the constraints, or their rates
// and gaps. Null: it is not known, or memory ran out (the arena remembers). Lives in the arena.
const sg_sparsity *sg_trees_with_loops(const struct sg_exec *exec, const sg_sim_tree *tree,
                                       uint32_t n_functions, uint32_t n_states,
                                       sg_constraint_unknowns behind, sg_arena *arena);

// ---- between the files of this folder -------------------------------------------------------

struct sg_held; // program/exec.h
// The only call of a function; null if there is none, or more.
const struct sg_held_call *sg_trees_find_call(const struct sg_held *held, uint32_t function);
