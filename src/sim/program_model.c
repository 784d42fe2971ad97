#include "sim/program_model.h"

#include <math.h>
#include <string.h>

// At the start a delayed value is the present one. Each pass brings the values of the last one, so
// nested delays take one pass each. One that depends on itself may come to rest that way; others
// are found by integration/past.h.
#define START_PASSES 50

static sg_status settle_delays(sg_exec *exec, sg_events *events, double t, const double *x,
                               double *dx, unsigned what)
{
    sg_status status = SG_OK;
    for (int k = 0; k < START_PASSES && !status && sg_events_move_delays(events); k++)
        status = sg_exec_eval(exec, t, x, dx, what);
    return status;
}

static sg_status eval(void *user, sg_eval_mode mode, sg_events *events, double t, const double *x,
                      double *dx)
{
    sg_program_model *m = user;
    if (mode == SG_MODE_RHS && dx) {
        if (m->exec->steps.plain)
            return sg_exec_plain(m->exec, t, x, dx);
        if (m->exec->native.straight)
            return sg_exec_straight(m->exec, t, x, dx);
    }
    m->exec->events = events;
    m->events = events;
    m->x = x;
    m->dx = dx;
    unsigned what = sg_mode_wants_all(mode) ? SG_EVAL_ALL : SG_EVAL_DYNAMICS;
    sg_status status = sg_exec_eval(m->exec, t, x, dx, what);
    if (events->n_delay && !status)
        status = settle_delays(m->exec, events, t, x, dx, what);
    m->x = m->dx = NULL;
    return status;
}

static sg_status residual(void *user, sg_events *events, double t, const double *x,
                          const double *dx, double *r)
{
    sg_program_model *m = user;
    m->exec->events = events;
    m->events = events;
    m->x = x;
    sg_status status = sg_exec_residual(m->exec, t, x, dx, r, m->dae_min_size);
    m->x = NULL;
    return status;
}

static void carry(void *user, const double *unknowns)
{
    sg_program_model *m = user;
    m->exec->handed.carried = unknowns;
}

static void carried(void *user, double *unknowns, double *residuals, double *sizes)
{
    const sg_program_model *m = user;
    sg_exec_get_carried(m->exec, unknowns, residuals, sizes);
}

static bool determines(void *user, sg_events *events, double t, const double *x,
                       const double *tolerance, double *work)
{
    sg_program_model *m = user;
    m->exec->events = events;
    return sg_exec_determines(m->exec, t, x, tolerance, work);
}

static sg_status keep(void *user)
{
    sg_exec_keep(((sg_program_model *)user)->exec);
    return SG_OK;
}

static bool searches_results(void *user)
{
    return sg_exec_searches_results(((const sg_program_model *)user)->exec);
}

static void put_back(void *user) { sg_exec_put_back(((sg_program_model *)user)->exec); }

static void explain(void *user, double t, sg_diags *diags)
{
    sg_program_model *m = user;
    sg_exec_explain(m->exec, t, diags);
}

// The same numbers, none of which reaches the sign.
static void list(sg_listed_pattern *listed, const sg_pattern *p)
{
    listed->pattern =
        (sg_sparsity){(int32_t)p->n_cols, (const int32_t *)p->starts, (const int32_t *)p->rows};
    listed->known = true;
    listed->full = !p->starts;
}

// Where no system is left to the solver, r = dx - f has the pattern of f; who fills a Jacobian
// adds the diagonal.
static sg_status pattern(void *user, bool residual, const sg_sparsity **out)
{
    sg_program_model *m = user;
    bool left = residual && m->leaves_systems;
    sg_listed_pattern *listed = left ? &m->residuals : &m->derivatives;
    if (!listed->known) {
        sg_pattern p = {0};
        sg_status status = left ? sg_exec_residual_pattern(m->exec, &m->arena, m->dae_min_size, &p)
                                : sg_exec_patterns(m->exec, &m->arena, &p, NULL);
        if (status)
            return status;
        list(listed, &p);
    }
    *out = listed->full ? NULL : &listed->pattern;
    return SG_OK;
}

static void give(void *user, const double *variables)
{
    ((sg_program_model *)user)->exec->handed.all = variables;
}

static void given(void *user, double *variables, double *residuals)
{
    sg_exec_get_given(((sg_program_model *)user)->exec, variables, residuals);
}

static sg_status given_pattern(void *user, const sg_sparsity **out)
{
    sg_program_model *m = user;
    if (!m->given.known) {
        sg_pattern p = {0};
        sg_status status = sg_exec_given_pattern(m->exec, &m->arena, &p);
        if (status)
            return status;
        list(&m->given, &p);
    }
    *out = m->given.full ? NULL : &m->given.pattern;
    return SG_OK;
}

static uint64_t fingerprint(void *user)
{
    const sg_exec *exec = ((sg_program_model *)user)->exec;
    uint64_t sum = 0;
    for (uint32_t var = 1; var < exec->program->n_vars; var++) {
        sg_operand value = sg_exec_var(exec, var);
        uint32_t n = value.data ? sg_dims_count(value.shape) : 0;
        for (uint32_t i = 0; i < n; i++) {
            uint64_t bits;
            memcpy(&bits, &value.data[i], sizeof bits);
            sum = (sum ^ bits) * 0x9E3779B97F4A7C15u;
            sum ^= sum >> 29;
        }
    }
    return sum;
}

static sg_enclosure *enclosure(void *user) { return ((sg_program_model *)user)->enclosure; }

// "x" for a number, "v[2]" for an element, "A[1,2]" for one of a matrix.
static const char **state_names(sg_program_model *m)
{
    const sg_exec *exec = m->exec;
    const sg_program *p = exec->program;
    const char **names = SG_NEW_ARRAY(&m->arena, const char *, exec->at.n_x + 1);
    for (uint32_t s = 0; names && s < p->n_states; s++) {
        const char *name = p->var_names ? p->var_names[p->state_vars[s]] : "x";
        sg_dims shape = exec->shapes[p->var_regs[p->state_vars[s]].i];
        for (uint32_t i = 0; i < sg_dims_count(shape); i++) {
            uint32_t row = i % shape.rows + 1, col = i / shape.rows + 1;
            names[exec->at.state[s] + i] =
                shape.dims == SG_SCALAR   ? name
                : shape.dims == SG_MATRIX ? sg_arena_printf(&m->arena, "%s[%u,%u]", name, row, col)
                                          : sg_arena_printf(&m->arena, "%s[%u]", name, i + 1);
        }
    }
    return names;
}

static bool leaves_systems(const sg_exec *exec, uint32_t dae_min_size)
{
    bool left = false;
    for (uint32_t i = 0; !left && sg_exec_linear_size(exec, i, dae_min_size, &left); i++)
        continue;
    return left;
}

static void list_linear(sg_program_model *m)
{
    bool left;
    uint32_t n = 0;
    while (sg_exec_linear_size(m->exec, n, m->dae_min_size, &left))
        n++;
    sg_sim_linear *list = SG_NEW_ARRAY(&m->arena, sg_sim_linear, n + 1);
    for (uint32_t i = 0; list && i < n; i++)
        list[i].size = sg_exec_linear_size(m->exec, i, m->dae_min_size, &list[i].in_residual);
    m->model.linear = list;
    m->model.n_linear = list ? n : 0;
}

sg_status sg_program_model_init(sg_program_model *m, const sg_allocator *allocator, sg_exec *exec,
                                const char *name, uint32_t dae_min_size)
{
    *m = (sg_program_model){.exec = exec,
                            .dae_min_size = dae_min_size,
                            .leaves_systems = leaves_systems(exec, dae_min_size)};
    sg_arena_init(&m->arena, allocator);
    m->start = SG_NEW_ARRAY(&m->arena, double, exec->at.n_x + 1);
    const char **names = state_names(m);
    if (m->arena.failed) {
        sg_program_model_destroy(m);
        return SG_ERR_MEMORY;
    }
    sg_exec_start_states(exec, m->start);
    m->model = (sg_sim_model){.user = m,
                              .name = name,
                              .events = exec->memories.layout,
                              .segment = {.n_states = exec->at.n_x,
                                          .start = m->start,
                                          .state_names = names,
                                          .n_carried = exec->handed.n_carried,
                                          .n_given = exec->handed.n_all},
                              .eval = eval,
                              .residual = residual,
                              .carry = carry,
                              .carried = carried,
                              .give = give,
                              .given = given,
                              .given_pattern = given_pattern,
                              .determines = determines,
                              .keep = keep,
                              .put_back = put_back,
                              .searches_results = searches_results,
                              .explain = explain,
                              .pattern = pattern,
                              .enclosure = enclosure,
                              .fingerprint = fingerprint};
    list_linear(m);
    m->enclosure = sg_enclosure_create(exec, SG_EXPANSION_DEGREE + 1, &m->arena);
    return m->arena.failed ? SG_ERR_MEMORY : SG_OK;
}

void sg_program_model_destroy(sg_program_model *m)
{
    sg_arena_destroy(&m->arena);
    memset(m, 0, sizeof(*m));
}
