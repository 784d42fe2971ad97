// Operations element by element, in loops that compilers turn into vector instructions.
//
// A step of an array is one call here, so its cost is that of its elements. No two elements are
// combined, so the bits are those of the operations on single numbers. Results never lie where
// operands do: every register is written by one step.
#pragma once

#include "program/linked.h"

// n numbers; strides of the operands are 0 or 1.
typedef void sg_kernel(double *restrict to, const double *restrict a, const double *restrict b,
                       uint32_t sa, uint32_t sb, uint32_t n);

// Of the array form of an operator with one or two operands.
#define SG_UNARY(name, expression) sg_kernel sg_kernel_##name;
#define SG_BINARY(name, expression) sg_kernel sg_kernel_##name;
#define SG_OTHER(name)
#include "program/opcodes.h"
#undef SG_UNARY
#undef SG_BINARY
#undef SG_OTHER
