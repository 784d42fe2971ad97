// Operations on whole arrays, column-major.
#include "base/number.h"
#include "math/dense.h"
#include "program/apply.h"
#include "program/linked.h"

#include <math.h>
#include <string.h>

// Rows and columns of length one are stretched.
static void broadcast(const sg_wide *w)
{
    sg_dims a = w->operands[0].shape, b = w->operands[1].shape, r = w->result.shape;
    const double *x = w->operands[0].data, *y = w->operands[1].data;
    uint32_t ar = a.rows > 1, ac = a.cols > 1 ? a.rows : 0;
    uint32_t br = b.rows > 1, bc = b.cols > 1 ? b.rows : 0;
    for (uint32_t j = 0; j < r.cols; j++)
        for (uint32_t i = 0; i < r.rows; i++)
            w->result.data[i + j * r.rows] =
                sg_apply_binary((sg_op)w->op, x[i * ar + j * ac], y[i * br + j * bc]);
}

// Of a tangent, zeros on the right are exact and many: a matrix times the list of all unknowns
// picks one column.
static void matrix_product(const sg_exec *exec, const sg_wide *w)
{
    uint32_t m = w->operands[0].shape.rows, k = w->operands[0].shape.cols;
    uint32_t n = w->operands[1].shape.cols;
    const double *a = w->operands[0].data, *b = w->operands[1].data;
    double *c = w->result.data;
    memset(c, 0, (size_t)m * n * sizeof(double));
    for (uint32_t j = 0; j < n; j++)
        for (uint32_t p = 0; p < k; p++) {
            double factor = b[p + j * k];
            if (exec->solving.in_tangent && factor == 0.0)
                continue;
            for (uint32_t i = 0; i < m; i++)
                c[i + j * m] += a[i + p * m] * factor;
        }
}

static void transpose(const sg_wide *w)
{
    sg_dims s = w->operands[0].shape;
    for (uint32_t j = 0; j < s.cols; j++)
        for (uint32_t i = 0; i < s.rows; i++)
            w->result.data[j + i * s.cols] = w->operands[0].data[i + j * s.rows];
}

static void vertical(const sg_wide *w)
{
    uint32_t rows = w->result.shape.rows, top = 0;
    for (uint32_t k = 0; k < w->n_operands; k++) {
        sg_dims s = w->operands[k].shape;
        for (uint32_t j = 0; j < s.cols; j++)
            for (uint32_t i = 0; i < s.rows; i++)
                w->result.data[top + i + j * rows] = w->operands[k].data[i + j * s.rows];
        top += s.rows;
    }
}

static double reduce(const sg_wide *w)
{
    const double *a = w->operands[0].data;
    uint32_t n = sg_dims_count(w->operands[0].shape);
    double r = w->op == SG_OP_PROD                                ? 1.0
               : w->op == SG_OP_MAXIMUM || w->op == SG_OP_MINIMUM ? a[0]
                                                                  : 0.0;
    for (uint32_t i = 0; i < n; i++)
        switch (w->op) {
        case SG_OP_SUM:
            r += a[i];
            break;
        case SG_OP_PROD:
            r *= a[i];
            break;
        case SG_OP_MAXIMUM:
            r = sg_max(r, a[i]);
            break;
        case SG_OP_MINIMUM:
            r = sg_min(r, a[i]);
            break;
        case SG_OP_NORM:
            r = hypot(r, a[i]);
            break;
        default:
            r += a[i] * w->operands[1].data[i];
        }
    return r;
}

static void cross(const sg_wide *w)
{
    const double *a = w->operands[0].data, *b = w->operands[1].data;
    double *r = w->result.data;
    r[0] = a[1] * b[2] - a[2] * b[1];
    r[1] = a[2] * b[0] - a[0] * b[2];
    r[2] = a[0] * b[1] - a[1] * b[0];
}

static void diagonal(const sg_wide *w)
{
    uint32_t n = w->result.shape.rows;
    memset(w->result.data, 0, (size_t)n * n * sizeof(double));
    for (uint32_t i = 0; i < n; i++)
        w->result.data[i + (size_t)i * n] = w->operands[0].data[i];
}

static void fill(const sg_wide *w, double value)
{
    uint32_t n = sg_dims_count(w->result.shape);
    for (uint32_t i = 0; i < n; i++)
        w->result.data[i] = value;
}

static void range(const sg_wide *w)
{
    double first = w->operands[0].data[0], by = w->n_operands == 3 ? w->operands[1].data[0] : 1.0;
    for (uint32_t i = 0; i < w->result.shape.rows; i++)
        w->result.data[i] = first + i * by;
}

// One number of an index that changes at run time; a null offset with no elements is a colon.
static bool index_at(const sg_operand *index, bool colon, uint32_t i, uint32_t limit, uint32_t *at)
{
    double x = colon ? i + 1.0 : index->data[i];
    if (!(x >= 1.0 && x <= limit && x == floor(x)))
        return false;
    *at = (uint32_t)x - 1;
    return true;
}

static sg_status pick(sg_exec *exec, const sg_wide *w)
{
    const double *base = w->operands[0].data;
    sg_dims s = w->operands[0].shape;
    if (w->picks) {
        uint32_t n = sg_dims_count(w->result.shape);
        for (uint32_t i = 0; i < n; i++)
            w->result.data[i] = base[w->picks[i]];
        return SG_OK;
    }
    bool one = w->n_operands == 2;
    const sg_step *step = &exec->program->steps.data[w->step];
    const uint32_t *regs = exec->program->operands.data + step->first_operand;
    bool colon0 = regs[1] == 0, colon1 = !one && regs[2] == 0;
    uint32_t limit = one ? sg_dims_count(s) : s.rows, n = 0, row, col = 0;
    uint32_t n0 = colon0 ? limit : sg_dims_count(w->operands[1].shape);
    uint32_t n1 = one ? 1 : colon1 ? s.cols : sg_dims_count(w->operands[2].shape);
    for (uint32_t j = 0; j < n1; j++)
        for (uint32_t i = 0; i < n0; i++) {
            bool inside = index_at(&w->operands[1], colon0, i, limit, &row) &&
                          (one || index_at(&w->operands[2], colon1, j, s.cols, &col));
            if (!inside) {
                exec->failure.value = colon0 ? i + 1.0 : w->operands[1].data[i];
                exec->failure.size = limit;
                return sg_exec_fail(exec, SG_FAILED_INDEX, SG_ERR_SOLVER, w->step);
            }
            w->result.data[n++] = base[row + col * s.rows];
        }
    return SG_OK;
}

static void replace(const sg_wide *w)
{
    const double *values = w->operands[1].data;
    uint32_t by = sg_dims_count(w->operands[1].shape) > 1;
    memcpy(w->result.data, w->operands[0].data, sg_dims_count(w->result.shape) * sizeof(double));
    for (uint32_t i = 0; i < w->n_picks; i++)
        w->result.data[w->picks[i]] = values[i * by];
}

static sg_status solve(sg_exec *exec, const sg_wide *w)
{
    uint32_t n = w->operands[0].shape.rows, columns = w->operands[1].shape.cols;
    const double *a = w->operands[0].data, *b = w->operands[1].data;
    double *column = w->work + (size_t)n * n;
    int bad = 0;
    for (uint32_t j = 0; j < n; j++)
        for (uint32_t i = 0; i < n; i++)
            w->work[j + (size_t)i * n] = a[i + (size_t)j * n];
    if (sg_lu_factor(w->work, (int)n, w->pivots, &bad) != SG_OK ||
        sg_lu_is_singular(w->work, (int)n, &bad))
        return sg_exec_fail(exec, SG_FAILED_SINGULAR, SG_ERR_SOLVER, w->step);
    for (uint32_t j = 0; j < columns; j++) {
        memcpy(column, b + (size_t)j * n, n * sizeof(double));
        sg_lu_solve(w->work, (int)n, w->pivots, column);
        memcpy(w->result.data + (size_t)j * n, column, n * sizeof(double));
    }
    return SG_OK;
}

sg_status sg_run_wide(sg_exec *exec, const sg_wide *w)
{
    switch (w->op) {
    case SG_OP_MUL:
        if (exec->program->steps.data[w->step].dot)
            broadcast(w);
        else
            matrix_product(exec, w);
        return SG_OK;
    case SG_OP_DEPEND:
        memmove(w->result.data, w->operands[0].data,
                sg_dims_count(w->result.shape) * sizeof(double));
        return SG_OK;
    case SG_OP_LDIV:
        return solve(exec, w);
    case SG_OP_VCAT:
        vertical(w);
        return SG_OK;
    case SG_OP_TRANSPOSE:
        transpose(w);
        return SG_OK;
    case SG_OP_INDEX:
        return pick(exec, w);
    case SG_OP_SETINDEX:
        replace(w);
        return SG_OK;
    case SG_OP_RANGE:
        range(w);
        return SG_OK;
    case SG_OP_ZEROS:
    case SG_OP_ONES:
        fill(w, w->op == SG_OP_ONES ? 1.0 : 0.0);
        return SG_OK;
    case SG_OP_FILL:
        fill(w, w->operands[0].data[0]);
        return SG_OK;
    case SG_OP_SUM:
    case SG_OP_PROD:
    case SG_OP_MAXIMUM:
    case SG_OP_MINIMUM:
    case SG_OP_NORM:
    case SG_OP_DOT:
        w->result.data[0] = reduce(w);
        return SG_OK;
    case SG_OP_CROSS:
        cross(w);
        return SG_OK;
    case SG_OP_DIAGONAL:
        diagonal(w);
        return SG_OK;
    default:
        broadcast(w);
        return SG_OK;
    }
}
