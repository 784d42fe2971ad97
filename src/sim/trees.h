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
#include "sim/model.h"

struct sg_exec; // program/exec.h

typedef struct sg_tree_shape {
    int n_joints;
    const sg_var_id *q, *v; // by joint: its coordinate and velocity in the flat model
    const bool *given;      // by joint: its acceleration is an element of `forward`, with a torque
    const int *element;     // by joint: of the result of `forward` or of `accelerations`, from 0
    int n_given;
    int n_pairs; // of joints that carry each other: `high` carries `low`, or is the same
    const int *low, *high;
} sg_tree_shape;

// By joint, and by pair: the mass matrix, d tau[low] / d q[high], d v[high], and the other way
// round.
typedef struct sg_tree_values {
    const double *a, *rotor;
    const double *M, *low_q, *low_v, *high_q, *high_v;
} sg_tree_values;

typedef struct sg_sim_tree {
    void *context;
    // Functions of the program, 0 for one that it does not have.
    uint32_t terms, matrix, accelerations, forward;
    // False if it cannot be held in this segment. What comes back holds until the next one.
    bool (*shape)(void *context, sg_tree_shape *shape);
    // From now on functions return what does not move, and `forward` tau - R a.
    void (*hold)(void *context, sg_tree_values *values);
    void (*release)(void *context);
} sg_sim_tree;

// The descriptor form of a linked program, or null: there is none, or memory ran out (the arena
// remembers). Lives in the arena. `n_aside` states behind those of the program only account for
// the others: as nothing depends on them, Newton's method needs no derivatives of their rates.
const sg_descriptor *sg_trees_descriptor(const struct sg_exec *exec, const sg_structure *structure,
                                         const sg_sim_tree *trees, uint32_t n_trees,
                                         uint32_t n_functions, uint32_t n_aside, sg_arena *arena);
