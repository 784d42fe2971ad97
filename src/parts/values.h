// Vectors and matrices of the mechanics as values of the language.
#pragma once

#include "math/mat3.h"
#include "math/quat.h"
#include "vm/vm.h"

static inline sg_value sg_vector_value(sg_vm *vm, sg_vec3 v)
{
    sg_array *a = sg_vector_make(vm, SG_ELEM_FLOAT, 3);
    if (a)
        v3_store(v, a->f);
    return sg_object(a);
}

// Columns one after the other, as the language keeps them.
static inline sg_value sg_matrix_value(sg_vm *vm, const sg_mat3 *m)
{
    size_t dims[2] = {3, 3};
    sg_array *a = sg_array_make(vm, SG_ELEM_FLOAT, 2, dims);
    for (size_t i = 0; a && i < 9; i++)
        a->f[i] = m->m[i % 3][i / 3];
    return sg_object(a);
}

static inline sg_value sg_quaternion_value(sg_vm *vm, sg_quat q)
{
    sg_array *a = sg_vector_make(vm, SG_ELEM_FLOAT, 4);
    double *x = a ? a->f : (double[4]){0};
    x[0] = q.x, x[1] = q.y, x[2] = q.z, x[3] = q.w;
    return sg_object(a);
}
