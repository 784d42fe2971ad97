#include "fmu/lists.h"

static bool is_number(const sg_foreign_variable *v)
{
    return v->type != SG_FMU_STRING && v->type != SG_FMU_OTHER;
}

typedef enum which { INPUTS, OUTPUTS, SHOWN } which;

static bool belongs(const sg_foreign_variable *v, which list, bool state)
{
    if (!is_number(v))
        return false;
    switch (list) {
    case INPUTS:
        return v->causality == SG_FOREIGN_INPUT;
    case OUTPUTS:
        return v->causality == SG_FOREIGN_OUTPUT;
    case SHOWN:
        return !state && !v->constant &&
               (v->causality == SG_FOREIGN_LOCAL || v->causality == SG_FOREIGN_CALCULATED);
    }
    return false;
}

static bool make(sg_arena *arena, const sg_fmu_foreign *fmu, const bool *states, which list,
                 sg_fmu_list *out)
{
    uint32_t *variables = SG_NEW_ARRAY(arena, uint32_t, fmu->n_variables + 1),
             *first = SG_NEW_ARRAY(arena, uint32_t, fmu->n_variables + 2);
    if (!variables || !first)
        return false;
    *out = (sg_fmu_list){.variables = variables, .first = first};
    for (uint32_t i = 0; i < fmu->n_variables; i++)
        if (belongs(&fmu->variables[i], list, states[i])) {
            variables[out->n] = i;
            first[out->n++] = out->n_elements;
            out->n_elements += (uint32_t)fmu->variables[i].n;
        }
    first[out->n] = out->n_elements;
    return true;
}

bool sg_fmu_lists_make(sg_arena *arena, const sg_fmu_foreign *fmu, bool exchange, sg_fmu_lists *out)
{
    bool *states = SG_NEW_ARRAY(arena, bool, fmu->n_variables + 1);
    if (!states)
        return false;
    // A derivative of a state appears with the state; both are of the solver's making.
    for (uint32_t i = 0; exchange && i < fmu->n_derivatives; i++)
        states[fmu->variables[fmu->derivatives[i]].derivative_of] = true;
    return make(arena, fmu, states, INPUTS, &out->inputs) &&
           make(arena, fmu, states, OUTPUTS, &out->outputs) &&
           make(arena, fmu, states, SHOWN, &out->shown);
}
