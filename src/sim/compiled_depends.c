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

sg_status sg_compiled_depends(const sg_compiled *compiled, const uint32_t *inputs, size_t n_inputs,
                              const uint32_t *vars, size_t n_vars, sg_arena *arena,
                              sg_compiled_dependence *out)
{
    const sg_exec *exec = compiled->exec;
    *out = (sg_compiled_dependence){.n_states = exec->n_x};
    if (!sg_exec_is_plain(exec) || compiled->model.segment.n_states != exec->n_x)
        return SG_OK;
    uint32_t n_columns, n_rows;
    const uint32_t *columns = offsets_of(exec, inputs, n_inputs, arena, &n_columns);
    const uint32_t *given = offsets_of(exec, vars, n_vars, arena, &n_rows);
    uint32_t *rows = SG_NEW_ARRAY(arena, uint32_t, n_rows + exec->n_x + 1);
    if (!columns || !given || !rows)
        return arena->failed ? SG_ERR_MEMORY : SG_OK;
    for (uint32_t i = 0; i < exec->n_x; i++)
        rows[i] = exec->der_at + i;
    for (uint32_t i = 0; i < n_rows; i++)
        rows[exec->n_x + i] = given[i];
    sg_status status = sg_exec_depends(exec, arena, columns, n_columns, rows, exec->n_x + n_rows,
                                       &out->starts, &out->items);
    out->known = status == SG_OK;
    out->n_inputs = n_columns;
    return status;
}
