// Flows of connectors that nothing is connected to are zero (language 3.5, appendix 25), unless the
// other equations leave no room for that.
//
// Who writes `rev.phi = sin(time)` beside a joint with an open flange prescribes its motion, and
// the torque comes out; the published program never closes flows, so there the model is complete.
// Here the equation `rev.flange.tau = 0` would be one too many. So when there are more equations
// than unknowns, all others are assigned first, and a zero flow that then finds no unknown is
// dropped.
#include "equations/system.h"

#include <string.h>

static bool is_zero_flow(const sg_system *sys, size_t row)
{
    return sg_system_source(sys, (int)row)->origin == SG_EQ_FLOW_ZERO;
}

static int count_unknowns(const sg_system *sys)
{
    int n = 0;
    for (size_t j = 0; j < sys->cols.len; j++)
        n += !sys->potential[j];
    return n;
}

static void copy_row(const sg_graph *from, int row, sg_graph *to)
{
    sg_row r = sg_graph_row(from, row);
    for (int k = 0; k < r.n; k++)
        sg_graph_add(to, r.cols[k]);
    sg_graph_end_row(to);
}

// Zero flows last; in front of them x with der(x), since either of them is enough.
static sg_status build_ordered(sg_system *sys, sg_graph *out, int *n_front)
{
    sg_graph all;
    sg_status status = sg_system_build_graph(sys, &all, true);
    sg_graph_init(out, sys->allocator, (int)sys->cols.len);
    for (size_t i = 0; !status && i < sys->eqs.len; i++)
        if (!is_zero_flow(sys, i))
            copy_row(&all, (int)i, out);
    for (size_t j = 0; !status && j < sys->cols.len; j++) {
        if (!sys->potential[j])
            continue;
        sg_graph_add(out, (int)j);
        sg_graph_add(out, sg_system_col(sys, sys->flat->vars.data[sys->cols.data[j].i].der));
        sg_graph_end_row(out);
    }
    *n_front = sg_graph_rows(out);
    for (size_t i = 0; !status && i < sys->eqs.len; i++)
        if (is_zero_flow(sys, i))
            copy_row(&all, (int)i, out);
    sg_graph_free(&all);
    return status ? status : out->failed ? SG_ERR_MEMORY : SG_OK;
}

// Once for each connector, which may have several flows.
static void tell(sg_system *sys, size_t row, bool zero, sg_sym *told)
{
    const sg_flat_eq *e = sg_system_source(sys, (int)row);
    const sg_flat_var *flow = &sys->flat->vars.data[sg_expr_var_of(&sys->flat->exprs, e->lhs).i];
    const char *name = sg_sym_text(sys->flat->symbols, flow->name), *dot = strrchr(name, '.');
    int length = dot ? (int)(dot - name) : 0;
    if (!e->span.file) // it may stay open (model/connect.c)
        return;
    sg_sym connector = sg_sym_find(sys->flat->symbols, name, (size_t)length);
    if (zero && connector.i && connector.i == told->i)
        return;
    *told = zero ? connector : (sg_sym){0};
    if (zero)
        sg_note(sys->diags, e->span, "nothing is connected to '%.*s': its flow is set to zero",
                length, name);
    else
        sg_note(sys->diags, e->span,
                "nothing is connected to '%.*s', and yet '%s' is not zero: it is what the other "
                "equations take, such as a prescribed motion",
                length, name, name);
}

// Drops the zero flows whose row has no column. Placeholders name their row, which may move.
static sg_status drop_unmatched(sg_system *sys, const int *row_of, int n_front)
{
    bool *matched = SG_NEW_ARRAY(&sys->scratch, bool, sys->eqs.len + 1);
    int *moved = SG_NEW_ARRAY(&sys->scratch, int, sys->eqs.len + 1);
    if (!matched || !moved)
        return SG_ERR_MEMORY;
    for (size_t j = 0; j < sys->cols.len; j++)
        if (row_of[j] >= n_front)
            matched[row_of[j] - n_front] = true;
    size_t kept = 0, zero = 0;
    sg_sym told = {0};
    for (size_t i = 0; i < sys->eqs.len; i++) {
        moved[i] = (int)kept;
        if (is_zero_flow(sys, i)) {
            bool keep = matched[zero++];
            tell(sys, i, keep, &told);
            if (!keep)
                continue;
        }
        sg_equation eq = sys->eqs.data[i];
        if (eq.base != SG_NONE)
            eq.base = moved[eq.base];
        sys->eqs.data[kept++] = eq;
    }
    sys->eqs.len = kept;
    return SG_OK;
}

sg_status sg_system_free_flows(sg_system *sys)
{
    bool room = (int)sys->eqs.len <= count_unknowns(sys), any = false;
    sg_sym told = {0};
    for (size_t i = 0; i < sys->eqs.len; i++) {
        any = any || is_zero_flow(sys, i);
        if (room && is_zero_flow(sys, i))
            tell(sys, i, true, &told);
    }
    if (!any || room)
        return SG_OK;
    sg_graph graph;
    int n_front = 0;
    int *row_of = SG_NEW_ARRAY(&sys->scratch, int, sys->cols.len + 1);
    sg_status status = row_of ? build_ordered(sys, &graph, &n_front) : SG_ERR_MEMORY;
    if (!row_of)
        return status;
    if (!status)
        status = sg_graph_match(&graph, NULL, row_of);
    if (!status)
        status = drop_unmatched(sys, row_of, n_front);
    sg_graph_free(&graph);
    return status;
}
