// The states of a compiled model: which they are, their units, and how large they are for a solver.
#include "sim/compiled_sizes.h"

#include <math.h>

// For components: the state that a variable is, by its own name or that of its alias.
int32_t sg_compiled_state_of(const void *context, uint32_t var)
{
    const sg_compiled *compiled = context;
    const sg_program *p = compiled->exec->program;
    const sg_alias *alias = &compiled->structure->aliases[var];
    uint32_t is = alias->kind == SG_ALIAS_PLUS ? alias->of.i : var;
    for (uint32_t i = 0; i < p->n_states; i++)
        if (p->state_vars[i] == is)
            return (int32_t)compiled->exec->at.state[i];
    return -1;
}

const char *const *sg_compiled_units(const sg_compiled *compiled, sg_arena *arena)
{
    const sg_exec *exec = compiled->exec;
    const sg_hidden *hidden = &compiled->hidden;
    const char **units =
        SG_NEW_ARRAY(arena, const char *, exec->at.n_x + sg_hidden_count(hidden) + 1);
    uint32_t at = 0;
    for (uint32_t i = 0; units && i < compiled->program->n_states; i++) {
        uint32_t var = compiled->program->state_vars[i];
        uint32_t count = sg_dims_count(sg_exec_var(exec, var).shape);
        for (uint32_t k = 0; k < count; k++)
            units[at++] = sg_sym_text(compiled->flat->symbols, compiled->flat->vars.data[var].unit);
    }
    for (size_t i = 0; units && i < hidden->states.len; i++)
        for (uint32_t k = 0; k < hidden->states.data[i].n; k++)
            units[at++] = hidden->states.data[i].unit;
    return units;
}

// An array of more elements than that is a field or a row of equal parts. In a shorter one each
// element may be something else, as in a state space.
enum { FIELD = 16 };

static void find_fields(const sg_compiled *compiled, uint32_t *family)
{
    const sg_exec *exec = compiled->exec;
    for (uint32_t i = 0; i < compiled->program->n_states; i++) {
        uint32_t count = sg_dims_count(sg_exec_var(exec, compiled->program->state_vars[i]).shape);
        for (uint32_t k = 0; count > FIELD && k < count; k++)
            family[exec->at.state[i] + k] = 1 + exec->at.state[i];
    }
}

// `number`: of each variable, 1 + the state that it is; 0: none.
static void find_motions(const sg_compiled *compiled, const uint32_t *number, uint32_t *family)
{
    for (uint32_t k = 0; k < compiled->n_trees; k++) {
        const sg_sim_tree *tree = &compiled->trees[k];
        uint32_t first[SG_TREE_N_KINDS] = {0};
        sg_sim_tree_kind kind;
        sg_var_id var;
        for (uint32_t i = 0; tree->variable && tree->variable(tree->context, i, &var, &kind); i++) {
            const sg_alias *alias = &compiled->structure->aliases[var.i];
            uint32_t state = var.i ? number[alias->kind == SG_ALIAS_PLUS ? alias->of.i : var.i] : 0;
            if (!state)
                continue;
            if (!first[kind])
                first[kind] = state;
            family[state - 1] = first[kind];
        }
    }
}

// Components number theirs as they like.
static void find_hidden(const sg_compiled *compiled, uint32_t *first, uint32_t *family)
{
    uint32_t at = compiled->exec->at.n_x;
    for (size_t i = 0; i < compiled->hidden.states.len; i++) {
        const sg_hidden_var *v = &compiled->hidden.states.data[i];
        if (v->family && !first[v->family])
            first[v->family] = 1 + at;
        for (uint32_t k = 0; k < v->n; k++)
            family[at++] = v->family ? first[v->family] : 0;
    }
}

const uint32_t *sg_compiled_families(const sg_compiled *compiled, sg_arena *arena)
{
    const sg_program *p = compiled->program;
    uint32_t n = compiled->exec->at.n_x + sg_hidden_count(&compiled->hidden);
    uint32_t *family = SG_NEW_ARRAY(arena, uint32_t, n + 1);
    uint32_t *number = SG_NEW_ARRAY(arena, uint32_t, compiled->flat->vars.len + 1);
    uint32_t *first = SG_NEW_ARRAY(arena, uint32_t, n + 1);
    if (!family || !number || !first)
        return NULL;
    for (uint32_t i = 0; i < p->n_states; i++)
        number[p->state_vars[i]] = 1 + compiled->exec->at.state[i];
    find_fields(compiled, family);
    find_motions(compiled, number, family);
    find_hidden(compiled, first, family);
    return family;
}

// Typical sizes of the states; null when the model gives none.
const double *sg_compiled_nominals(const sg_compiled *compiled, sg_arena *arena)
{
    const sg_exec *exec = compiled->exec;
    bool any = false;
    double *nominal =
        SG_NEW_ARRAY(arena, double, exec->at.n_x + sg_hidden_count(&compiled->hidden) + 1);
    uint32_t at = 0;
    for (uint32_t i = 0; nominal && i < compiled->program->n_states; i++) {
        uint32_t var = compiled->program->state_vars[i];
        uint32_t count = sg_dims_count(sg_exec_var(exec, var).shape);
        for (uint32_t k = 0; k < count; k++)
            nominal[at++] = compiled->flat->vars.data[var].nominal;
        any |= compiled->flat->vars.data[var].nominal > 0.0;
    }
    at = exec->at.n_x;
    for (size_t i = 0; nominal && i < compiled->hidden.states.len; i++) {
        const sg_hidden_var *v = &compiled->hidden.states.data[i];
        any |= v->nominal > 0.0;
        for (uint32_t k = 0; k < v->n; k++)
            nominal[at++] = v->nominal;
    }
    return any ? nominal : NULL;
}

void sg_compiled_renew_most(const sg_compiled *compiled, double *most)
{
    const sg_hidden *hidden = &compiled->hidden;
    uint32_t at = compiled->exec->at.n_x;
    for (size_t i = 0; i < hidden->states.len; i++) {
        const sg_hidden_var *v = &hidden->states.data[i];
        for (uint32_t k = 0; k < v->n; k++)
            most[at++] = v->most > 0.0 ? v->most : (double)INFINITY;
    }
    for (size_t i = 0; i < hidden->sizes.len; i++) {
        const sg_hidden_size *s = &hidden->sizes.data[i];
        for (uint32_t k = 0; s->state >= 0 && k < s->n; k++)
            most[(uint32_t)s->state + k] = s->most > 0.0 ? s->most : (double)INFINITY;
    }
}

// How much of the sizes of states counts; null when it is all of all.
const double *sg_compiled_most(sg_compiled *compiled, sg_arena *arena)
{
    sg_hidden *hidden = &compiled->hidden;
    uint32_t n = compiled->exec->at.n_x;
    double *most = SG_NEW_ARRAY(arena, double, n + sg_hidden_count(hidden) + 1);
    bool any = false;
    for (uint32_t i = 0; most && i < n; i++)
        most[i] = (double)INFINITY;
    for (size_t i = 0; i < hidden->states.len; i++)
        any |= hidden->states.data[i].most > 0.0;
    for (size_t i = 0; i < hidden->sizes.len; i++) {
        sg_hidden_size *s = &hidden->sizes.data[i];
        s->state = sg_compiled_state_of(compiled, s->var);
        s->n = sg_dims_count(sg_exec_var(compiled->exec, s->var).shape);
        any |= s->state >= 0;
    }
    if (most)
        sg_compiled_renew_most(compiled, most);
    return any ? most : NULL;
}

const double *sg_compiled_increments(const sg_compiled *compiled, sg_arena *arena)
{
    const sg_hidden *hidden = &compiled->hidden;
    uint32_t n = compiled->exec->at.n_x, at = n;
    double *increment = SG_NEW_ARRAY(arena, double, n + sg_hidden_count(hidden) + 1);
    bool any = false;
    for (uint32_t i = 0; increment && i < n; i++)
        increment[i] = 0.0;
    for (size_t i = 0; increment && i < hidden->states.len; i++) {
        const sg_hidden_var *v = &hidden->states.data[i];
        any |= v->increment > 0.0;
        for (uint32_t k = 0; k < v->n; k++)
            increment[at++] = v->increment;
    }
    for (size_t i = 0; increment && i < hidden->sizes.len; i++) {
        const sg_hidden_size *s = &hidden->sizes.data[i];
        int32_t state = s->increment > 0.0 ? sg_compiled_state_of(compiled, s->var) : -1;
        any |= state >= 0;
        if (state >= 0)
            increment[state] = s->increment;
    }
    return any ? increment : NULL;
}

const uint32_t *sg_compiled_vectors(const sg_compiled *compiled, sg_arena *arena, uint32_t *n)
{
    const sg_hidden *hidden = &compiled->hidden;
    uint32_t at = compiled->exec->at.n_x;
    uint32_t *first = SG_NEW_ARRAY(arena, uint32_t, hidden->states.len + 1);
    *n = 0;
    for (size_t i = 0; first && i < hidden->states.len; i++) {
        const sg_hidden_var *v = &hidden->states.data[i];
        if (v->vector && v->n == 3)
            first[(*n)++] = at;
        at += v->n;
    }
    return first;
}

void sg_compiled_renew_increments(const sg_compiled *compiled, bool closely, double *increment)
{
    const sg_hidden *hidden = &compiled->hidden;
    uint32_t at = compiled->exec->at.n_x;
    for (size_t i = 0; i < hidden->states.len; i++) {
        const sg_hidden_var *v = &hidden->states.data[i];
        for (uint32_t k = 0; k < v->n; k++)
            increment[at++] = v->increment * (closely && v->finer > 0.0 ? v->finer : 1.0);
    }
}
