// Shared by infer.c (shapes and linked form of one step), pick.c (those that pick elements) and
// infer_event.c (those of events). Private.
#pragma once

#include "program/linker.h"

static inline uint32_t sg_link_operand(const sg_linker *l, const sg_step *step, uint32_t k)
{
    return l->program->operands.data[step->first_operand + k];
}
static inline sg_dims sg_link_shape(const sg_linker *l, uint32_t r) { return l->exec->shapes[r]; }
static inline uint32_t sg_link_at(const sg_linker *l, uint32_t r) { return l->exec->offsets[r]; }
static inline double sg_link_value(const sg_linker *l, uint32_t r)
{
    return l->w.data[sg_link_at(l, r)];
}
static inline bool sg_link_is_fixed(const sg_linker *l, uint32_t r)
{
    return l->program->regs.data[r].is_fixed;
}
static inline bool sg_link_is_scalar(sg_dims s) { return s.dims == SG_SCALAR; }
static inline bool sg_link_same_size(sg_dims a, sg_dims b)
{
    return a.rows == b.rows && a.cols == b.cols;
}

// A literal zero stands for the zero of any shape: derivatives and eliminated terms leave it.
static inline bool sg_link_is_zero(const sg_linker *l, uint32_t r)
{
    const sg_reg_info *info = &l->program->regs.data[r];
    return info->kind == SG_REG_NUMBER && l->program->numbers.data[info->index] == 0.0;
}
static inline uint32_t sg_link_result_at(const sg_linker *l, const sg_step *step)
{
    return sg_link_at(l, step->dst);
}

// n numbers; with `fill` the same one.
void sg_link_copy(sg_linker *l, uint32_t dst, uint32_t from, uint32_t n, bool fill);
// The result is a part of the operand's memory if it may be, else a copy.
bool sg_link_alias(sg_linker *l, const sg_step *step, sg_dims shape, uint32_t from);
// An operation on whole arrays, the last of l->wides.
bool sg_link_wide(sg_linker *l, const sg_step *step, sg_dims shape);

// Elements in a few long rows are copied as such. The mean length from which that is faster than
// taking them one by one, and than choosing between two values for each, measured.
enum { SG_LONG_ROW = 12 };

// ---- pick.c ---------------------------------------------------------------------------------

bool sg_link_index(sg_linker *l, const sg_step *step);
bool sg_link_replace(sg_linker *l, const sg_step *step);
bool sg_link_only(sg_linker *l, const sg_step *step);

// ---- infer_event.c --------------------------------------------------------------------------

bool sg_link_condition(sg_linker *l, const sg_step *step);
bool sg_link_level(sg_linker *l, const sg_step *step);
bool sg_link_memory(sg_linker *l, const sg_step *step);
bool sg_link_store(sg_linker *l, const sg_step *step);
bool sg_link_delay(sg_linker *l, const sg_step *step);
bool sg_link_reinit(sg_linker *l, const sg_step *step);
