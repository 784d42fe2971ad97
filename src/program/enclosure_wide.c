// Operators on whole arrays of enclosed numbers (enclosure.h).
#include "program/enclosure_numbers.h"

// Sums and products of many numbers, one after the other.
static sg_enclosed reduce(const sg_enclosure *e, const sg_wide *w, double r)
{
    uint32_t n = sg_dims_count(w->operands[0].shape);
    sg_enclosed sum = sg_enclosed_point(w->op == SG_OP_PROD ? 1.0 : 0.0);
    if (!n)
        return w->op == SG_OP_MAXIMUM || w->op == SG_OP_MINIMUM ? sg_enclosed_unknown() : sum;
    for (uint32_t i = 0; i < n; i++) {
        sg_enclosed x = sg_enclosure_get(e, w->offsets[0] + i);
        switch (w->op) {
        case SG_OP_SUM:
            sum = sg_enclosed_binary(SG_OP_ADD, sum, x, r);
            break;
        case SG_OP_PROD:
            sum = sg_enclosed_binary(SG_OP_MUL, sum, x, r);
            break;
        case SG_OP_MAXIMUM:
            sum = i ? sg_enclosed_binary(SG_OP_MAX, sum, x, r) : x;
            break;
        case SG_OP_MINIMUM:
            sum = i ? sg_enclosed_binary(SG_OP_MIN, sum, x, r) : x;
            break;
        case SG_OP_NORM:
            sum = sg_enclosed_binary(
                SG_OP_ADD, sum, sg_enclosed_binary(SG_OP_POW, x, sg_enclosed_point(2.0), r), r);
            break;
        default: // DOT
            sum = sg_enclosed_binary(
                SG_OP_ADD, sum,
                sg_enclosed_binary(SG_OP_MUL, x, sg_enclosure_get(e, w->offsets[1] + i), r), r);
        }
    }
    return w->op == SG_OP_NORM ? sg_enclosed_unary(SG_OP_SQRT, sum, r) : sum;
}

static void multiply_matrices(sg_enclosure *e, const sg_wide *w, double r)
{
    uint32_t m = w->operands[0].shape.rows, k = w->operands[0].shape.cols;
    uint32_t n = w->operands[1].shape.cols;
    for (uint32_t j = 0; j < n; j++)
        for (uint32_t i = 0; i < m; i++) {
            sg_enclosed sum = sg_enclosed_point(0.0);
            for (uint32_t q = 0; q < k; q++) {
                sg_enclosed a = sg_enclosure_get(e, w->offsets[0] + i + q * m);
                sg_enclosed b = sg_enclosure_get(e, w->offsets[1] + q + j * k);
                sum = sg_enclosed_binary(SG_OP_ADD, sum, sg_enclosed_binary(SG_OP_MUL, a, b, r), r);
            }
            sg_enclosure_put(e, w->result_at + i + j * m, sum);
        }
}

static void broadcast(sg_enclosure *e, const sg_wide *w, double r)
{
    sg_dims a = w->operands[0].shape, b = w->operands[1].shape, to = w->result.shape;
    uint32_t ar = a.rows > 1, ac = a.cols > 1 ? a.rows : 0;
    uint32_t br = b.rows > 1, bc = b.cols > 1 ? b.rows : 0;
    for (uint32_t j = 0; j < to.cols; j++)
        for (uint32_t i = 0; i < to.rows; i++)
            sg_enclosure_put(e, w->result_at + i + j * to.rows,
                             sg_enclosed_binary(
                                 (sg_op)w->op, sg_enclosure_get(e, w->offsets[0] + i * ar + j * ac),
                                 sg_enclosure_get(e, w->offsets[1] + i * br + j * bc), r));
}

static void stack(sg_enclosure *e, const sg_wide *w)
{
    uint32_t rows = w->result.shape.rows, top = 0;
    for (uint32_t k = 0; k < w->n_operands; k++) {
        sg_dims s = w->operands[k].shape;
        for (uint32_t j = 0; j < s.cols; j++)
            for (uint32_t i = 0; i < s.rows; i++)
                sg_enclosure_put(e, w->result_at + top + i + j * rows,
                                 sg_enclosure_get(e, w->offsets[k] + i + j * s.rows));
        top += s.rows;
    }
}

static void append(sg_enclosure *e, const sg_wide *w)
{
    uint32_t at = w->result_at;
    for (uint32_t k = 0; k < w->n_operands; k++)
        for (uint32_t i = 0; i < sg_dims_count(w->operands[k].shape); i++)
            sg_enclosure_put(e, at++, sg_enclosure_get(e, w->offsets[k] + i));
}

bool sg_enclosure_run_wide(sg_enclosure *e, const sg_wide *w, double r)
{
    uint32_t n = sg_dims_count(w->result.shape);
    switch (w->op) {
    case SG_OP_MUL:
        if (e->exec->program->steps.data[w->step].dot)
            broadcast(e, w, r);
        else
            multiply_matrices(e, w, r);
        return true;
    case SG_OP_ADD:
    case SG_OP_SUB:
    case SG_OP_DIV:
    case SG_OP_POW:
    case SG_OP_MIN:
    case SG_OP_MAX:
        if (!e->exec->program->steps.data[w->step].dot && w->op != SG_OP_ADD && w->op != SG_OP_SUB)
            return false;
        broadcast(e, w, r);
        return true;
    case SG_OP_VCAT:
        stack(e, w);
        return true;
    case SG_OP_VECT:
    case SG_OP_HCAT:
        append(e, w);
        return true;
    case SG_OP_TRANSPOSE: {
        sg_dims s = w->operands[0].shape;
        for (uint32_t j = 0; j < s.cols; j++)
            for (uint32_t i = 0; i < s.rows; i++)
                sg_enclosure_put(e, w->result_at + j + i * s.cols,
                                 sg_enclosure_get(e, w->offsets[0] + i + j * s.rows));
        return true;
    }
    case SG_OP_INDEX:
        for (uint32_t i = 0; w->picks && i < n; i++)
            sg_enclosure_put(e, w->result_at + i, sg_enclosure_get(e, w->offsets[0] + w->picks[i]));
        return w->picks != NULL;
    case SG_OP_SETINDEX: {
        uint32_t by = sg_dims_count(w->operands[1].shape) > 1;
        for (uint32_t i = 0; i < n; i++)
            sg_enclosure_put(e, w->result_at + i, sg_enclosure_get(e, w->offsets[0] + i));
        for (uint32_t i = 0; i < w->n_picks; i++)
            sg_enclosure_put(e, w->result_at + w->picks[i],
                             sg_enclosure_get(e, w->offsets[1] + i * by));
        return true;
    }
    case SG_OP_SUM:
    case SG_OP_PROD:
    case SG_OP_MAXIMUM:
    case SG_OP_MINIMUM:
    case SG_OP_NORM:
    case SG_OP_DOT:
        sg_enclosure_put(e, w->result_at, reduce(e, w, r));
        return true;
    case SG_OP_FILL:
        for (uint32_t i = 0; i < n; i++)
            sg_enclosure_put(e, w->result_at + i, sg_enclosure_get(e, w->offsets[0]));
        return true;
    default:
        return false;
    }
}
