// What the elements of arrays depend on after operations on whole arrays.
#include "program/tracer.h"

// A zero in a matrix of parameters is a zero for the whole segment.
static void trace_product(sg_tracer *t, const sg_wide *w)
{
    const sg_program *p = t->exec->program;
    uint32_t left = p->operands.data[p->steps.data[w->step].first_operand];
    bool fixed = p->regs.data[left].is_fixed;
    uint32_t m = w->operands[0].shape.rows, k = w->operands[0].shape.cols;
    uint32_t n = w->operands[1].shape.cols;
    for (uint32_t j = 0; j < n; j++)
        for (uint32_t i = 0; i < m; i++) {
            uint32_t all = 0;
            for (uint32_t q = 0; q < k; q++) {
                uint32_t a = i + q * m;
                if (fixed && w->operands[0].data[a] == 0.0)
                    continue;
                all = sg_trace_join(t, all, t->of[w->offsets[0] + a]);
                all = sg_trace_join(t, all, t->of[w->offsets[1] + q + j * k]);
            }
            t->of[w->result_at + i + j * m] = all;
        }
}

static void trace_broadcast(sg_tracer *t, const sg_wide *w)
{
    sg_dims a = w->operands[0].shape, b = w->operands[1].shape, r = w->result.shape;
    uint32_t ar = a.rows > 1, ac = a.cols > 1 ? a.rows : 0;
    uint32_t br = b.rows > 1, bc = b.cols > 1 ? b.rows : 0;
    for (uint32_t j = 0; j < r.cols; j++)
        for (uint32_t i = 0; i < r.rows; i++)
            t->of[w->result_at + i + j * r.rows] = sg_trace_join(
                t, t->of[w->offsets[0] + i * ar + j * ac], t->of[w->offsets[1] + i * br + j * bc]);
}

static void trace_vertical(sg_tracer *t, const sg_wide *w)
{
    uint32_t rows = w->result.shape.rows, top = 0;
    for (uint32_t k = 0; k < w->n_operands; k++) {
        sg_dims s = w->operands[k].shape;
        for (uint32_t j = 0; j < s.cols; j++)
            for (uint32_t i = 0; i < s.rows; i++)
                t->of[w->result_at + top + i + j * rows] = t->of[w->offsets[k] + i + j * s.rows];
        top += s.rows;
    }
}

static void trace_solution(sg_tracer *t, const sg_wide *w)
{
    uint32_t n = w->operands[0].shape.rows, columns = w->operands[1].shape.cols;
    uint32_t matrix = sg_trace_join_range(t, w->offsets[0], n * n);
    for (uint32_t j = 0; j < columns; j++)
        sg_trace_assign(t, w->result_at + j * n, n,
                        sg_trace_join(t, matrix, sg_trace_join_range(t, w->offsets[1] + j * n, n)));
}

static void trace_replaced(sg_tracer *t, const sg_wide *w)
{
    uint32_t n = sg_dims_count(w->result.shape), by = sg_dims_count(w->operands[1].shape) > 1;
    for (uint32_t i = 0; i < n; i++)
        t->of[w->result_at + i] = t->of[w->offsets[0] + i];
    for (uint32_t i = 0; i < w->n_picks; i++)
        t->of[w->result_at + w->picks[i]] = t->of[w->offsets[1] + i * by];
}

static void trace_cross(sg_tracer *t, const sg_wide *w)
{
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t j = (i + 1) % 3, k = (i + 2) % 3, all = 0;
        all = sg_trace_join(t, t->of[w->offsets[0] + j], t->of[w->offsets[0] + k]);
        all = sg_trace_join(t, all, t->of[w->offsets[1] + j]);
        t->of[w->result_at + i] = sg_trace_join(t, all, t->of[w->offsets[1] + k]);
    }
}

void sg_trace_wide(sg_tracer *t, const sg_wide *w)
{
    uint32_t n = sg_dims_count(w->result.shape);
    sg_dims s = w->n_operands ? w->operands[0].shape : w->result.shape;
    switch (w->op) {
    case SG_OP_MUL:
        if (t->exec->program->steps.data[w->step].dot)
            trace_broadcast(t, w);
        else
            trace_product(t, w);
        return;
    case SG_OP_LDIV:
        trace_solution(t, w);
        return;
    case SG_OP_VCAT:
        trace_vertical(t, w);
        return;
    case SG_OP_TRANSPOSE:
        for (uint32_t j = 0; j < s.cols; j++)
            for (uint32_t i = 0; i < s.rows; i++)
                t->of[w->result_at + j + i * s.cols] = t->of[w->offsets[0] + i + j * s.rows];
        return;
    case SG_OP_INDEX:
        for (uint32_t i = 0; w->picks && i < n; i++)
            t->of[w->result_at + i] = t->of[w->offsets[0] + w->picks[i]];
        if (!w->picks && t->decides) // which one it is depends on the indices
            sg_trace_assign(t, w->result_at, n, sg_trace_join_operands(t, w, 0));
        else if (!w->picks)
            sg_trace_assign(t, w->result_at, n,
                            sg_trace_join_range(t, w->offsets[0], sg_dims_count(s)));
        return;
    case SG_OP_SETINDEX:
        trace_replaced(t, w);
        return;
    case SG_OP_CROSS:
        trace_cross(t, w);
        return;
    case SG_OP_DIAGONAL:
        sg_trace_assign(t, w->result_at, n, 0);
        for (uint32_t i = 0; i < w->result.shape.rows; i++)
            t->of[w->result_at + i * (w->result.shape.rows + 1)] = t->of[w->offsets[0] + i];
        return;
    case SG_OP_RANGE:
    case SG_OP_ZEROS:
    case SG_OP_ONES:
        sg_trace_assign(t, w->result_at, n, 0);
        return;
    case SG_OP_FILL:
        sg_trace_assign(t, w->result_at, n, t->of[w->offsets[0]]);
        return;
    case SG_OP_DEPEND: {
        uint32_t hidden = sg_trace_join_operands(t, w, 1);
        for (uint32_t i = 0; i < n; i++)
            t->of[w->result_at + i] = sg_trace_join(t, hidden, t->of[w->offsets[0] + i]);
        return;
    }
    case SG_OP_SUM:
    case SG_OP_PROD:
    case SG_OP_MAXIMUM:
    case SG_OP_MINIMUM:
    case SG_OP_NORM:
    case SG_OP_DOT:
        t->of[w->result_at] = sg_trace_join_operands(t, w, 0);
        return;
    default:
        trace_broadcast(t, w);
    }
}
