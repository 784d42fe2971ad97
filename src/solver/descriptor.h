// Newton's equations of a model in descriptor form, E dx = g(x).
//
// The Jacobian of dx = E^-1 g is J = E^-1 C, where C is the derivative of g - E dx with dx held.
// Its inverse factor makes J full, but (I - gamma J) x = b is the same as
//
//   (E - gamma C) x = E b,
//
// which is as sparse as the model; in the same way (cj I - J) x = b of IDA becomes
// (cj E - C) x = E b. For a tree of n bodies and depth d that is n d entries, and
// factors without fill, instead of n^2 and n^3. C comes in two parts: the model knows the one (T),
// the other is differenced over few colors (solver/jacobian.h).
#pragma once

#include "solver/jacobian.h"

typedef struct sg_descriptor_form {
    int32_t n, nnz;
    int32_t *start, *rows;       // both patterns and the diagonal together
    int32_t *of_held, *of_tree;  // where their entries are
    int32_t *diagonal;           //
    double *e, *c;               // nnz each
    bool *has_e;                 // columns that have more of E than zeros
    double *tree_e, *tree_t, *b; // work space
    sg_jacobian whole; // of alpha E - beta C: pattern and values alone, where somebody wants them
} sg_descriptor_form;

// `held` is the Jacobian made of descriptor->held.
sg_status sg_descriptor_init(sg_descriptor_form *form, sg_arena *arena, const sg_jacobian *held,
                             const sg_sparsity *tree);
// Makes `whole`; `given` is its pattern without diagonal entries that are there for E only, which
// tells rows of second order (solver/reduced.h).
sg_status sg_descriptor_whole(sg_descriptor_form *form, sg_arena *arena,
                              const sg_descriptor *descriptor, sg_sparsity *given);
// Sets E and C from tree_e, tree_t and the values of `held`.
void sg_descriptor_set(sg_descriptor_form *form, const sg_jacobian *held, const sg_sparsity *tree);
// values = alpha E - beta C; y = E x.
void sg_descriptor_matrix(const sg_descriptor_form *form, double alpha, double beta,
                          double *values);
void sg_descriptor_mul(const sg_descriptor_form *form, const double *x, double *y);
