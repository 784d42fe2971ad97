// What the numbers of a compiled model depend on, as far as its equations tell (program/depends.h).
#include "sim/compiled_depends.h"

#include "program/depends.h"

// Elements of variables as offsets into the workspace; null if one of them is not computed there.
static const uint32_t *offsets_of(const sg_exec *exec, const uint32_t *vars, size_t n,
                                  sg_arena *arena, uint32_t *count)
{
    *count = 0;
    for (size_t i = 0; i < n; i++) {
        sg_operand o = sg_exec_var(exec, vars[i]);
        if (!o.data || o.data < exec->w || o.data >= exec->w + exec->n_w)
            return NULL;
        *count += sg_dims_count(o.shape);
    }
    uint32_t *list = SG_NEW_ARRAY(arena, uint32_t, *count + 1), k = 0;
    for (size_t i = 0; list && i < n; i++) {
        sg_operand o = sg_exec_var(exec, vars[i]);
        for (uint32_t e = 0; e < sg_dims_count(o.shape); e++)
            list[k++] = (uint32_t)(o.data - exec->w) + e;
    }
    return list;
}

// Hidden states are behind those of the equations, before inputs and time, and their rates depend
// on everything. What depends on one of them does so by a function of others, and so on everything.
static sg_status add_hidden(uint32_t n_x, uint32_t n_hidden, uint32_t n_rows, sg_arena *arena,
                            sg_compiled_dependence *out)
{
    uint32_t *starts = SG_NEW_ARRAY(arena, uint32_t, n_x + n_hidden + n_rows + 1);
    bool *everything = SG_NEW_ARRAY(arena, bool, n_x + n_hidden + n_rows + 1);
    if (!starts || !everything)
        return SG_ERR_MEMORY;
    for (uint32_t i = 0; i < n_x + n_hidden + n_rows; i++) {
        bool hidden = i >= n_x && i < n_x + n_hidden;
        uint32_t row = i < n_x ? i : i - n_hidden;
        everything[i] = hidden || out->everything[row];
        starts[i + 1] = hidden ? starts[i] : out->starts[row + 1];
    }
    for (uint32_t k = 0; k < starts[n_x + n_hidden + n_rows]; k++)
        out->items[k] += out->items[k] < n_x ? 0 : n_hidden;
    out->starts = starts;
    out->everything = everything;
    return SG_OK;
}

sg_status sg_compiled_depends(const sg_compiled *compiled, const uint32_t *inputs, size_t n_inputs,
                              const uint32_t *vars, size_t n_vars, sg_arena *arena,
                              sg_compiled_dependence *out)
{
    const sg_exec *exec = compiled->exec;
    uint32_t n_states = compiled->model.segment.n_states, n_hidden = n_states - exec->at.n_x;
    *out = (sg_compiled_dependence){.n_states = n_states};
    // States that others take the place of on the way have no dependencies for good.
    if (compiled->model.reselect || n_states < exec->at.n_x)
        return SG_OK;
    uint32_t n_columns, n_rows;
    const uint32_t *columns = offsets_of(exec, inputs, n_inputs, arena, &n_columns);
    const uint32_t *given = offsets_of(exec, vars, n_vars, arena, &n_rows);
    uint32_t *rows = SG_NEW_ARRAY(arena, uint32_t, n_rows + exec->at.n_x + 1);
    if (!columns || !given || !rows)
        return arena->failed ? SG_ERR_MEMORY : SG_OK;
    for (uint32_t i = 0; i < exec->at.n_x; i++)
        rows[i] = exec->at.der + i;
    for (uint32_t i = 0; i < n_rows; i++)
        rows[exec->at.n_x + i] = given[i];
    sg_status status =
        sg_exec_depends(exec, arena, columns, n_columns, n_hidden, rows, exec->at.n_x + n_rows,
                        &out->starts, &out->items, &out->everything);
    if (!status && n_hidden)
        status = add_hidden(exec->at.n_x, n_hidden, n_rows, arena, out);
    out->known = status == SG_OK;
    out->n_inputs = n_columns;
    return status;
}
