#include "equations/init_check.h"
#include "sim/compiled_internal.h"
#include "sim/compiled_sizes.h"
#include "sim/start.h"

#include <math.h>
#include <string.h>

static void use(sg_compiled *compiled, sg_linked_choice *linked)
{
    compiled->choices.present = linked;
    compiled->structure = &linked->choice->structure;
    compiled->program = linked->choice->program;
    compiled->exec = linked->exec;
}

sg_linked_choice *sg_compiled_find_choice(sg_compiled *compiled, const signed char *preference,
                                          uint32_t n, sg_diags *diags, sg_status *status)
{
    const sg_allocator *allocator = compiled->allocator;
    const sg_state_choice *choice =
        sg_translated_choice(compiled->translated, preference, n, diags, status);
    if (!choice)
        return NULL;
    for (size_t i = 0; i < compiled->choices.used.len; i++)
        if (compiled->choices.used.data[i]->choice == choice)
            return compiled->choices.used.data[i];
    sg_linked_choice *linked = allocator->resize(allocator->context, NULL, 0, sizeof *linked);
    *status = SG_ERR_MEMORY;
    if (!linked)
        return NULL;
    *status = sg_linked_choice_create(linked, allocator, choice, compiled->externs);
    if (*status == SG_OK && SG_PUSH(allocator, &compiled->choices.used, linked))
        return linked;
    *status = SG_ERR_MEMORY;
    sg_linked_choice_destroy(linked);
    allocator->resize(allocator->context, linked, sizeof *linked, 0);
    return NULL;
}

sg_status sg_compiled_create(sg_compiled *compiled, const sg_allocator *allocator,
                             sg_translated *translated, const sg_extern *externs, sg_diags *diags)
{
    *compiled = (sg_compiled){.allocator = allocator,
                              .translated = translated,
                              .flat = translated->flat,
                              .externs = externs,
                              .diags = diags};
    sg_arena_init(&compiled->arena, allocator);
    sg_arena_init(&compiled->linked, allocator);
    sg_arena_init(&compiled->segments.arenas[0], allocator);
    sg_arena_init(&compiled->segments.arenas[1], allocator);
    sg_arena_init(&compiled->segments.first_arena, allocator);
    for (int i = 0; i < 4; i++) {
        sg_arena_init(&compiled->patterns.own[i / 2].arenas[i % 2], allocator);
        sg_arena_init(&compiled->patterns.looped[i / 2].arenas[i % 2], allocator);
    }
    sg_hidden_init(&compiled->hidden, allocator);
    sg_status status = SG_OK;
    sg_linked_choice *linked = sg_compiled_find_choice(compiled, NULL, 0, diags, &status);
    if (!linked)
        return status;
    use(compiled, linked);
    compiled->choices.preference =
        SG_NEW_ARRAY(&compiled->arena, signed char, compiled->flat->vars.len + 1);
    return compiled->choices.preference ? SG_OK : SG_ERR_MEMORY;
}

sg_status sg_compiled_set_components(sg_compiled *compiled, sg_sim_components components)
{
    compiled->components = components;
    compiled->n_trees = sg_components_trees(components, &compiled->arena, &compiled->trees);
    return compiled->trees ? SG_OK : SG_ERR_MEMORY;
}

void sg_compiled_destroy(sg_compiled *compiled)
{
    const sg_allocator *allocator = compiled->allocator;
    if (!allocator)
        return;
    for (size_t i = 0; i < compiled->choices.used.len; i++) {
        sg_linked_choice_destroy(compiled->choices.used.data[i]);
        allocator->resize(allocator->context, compiled->choices.used.data[i],
                          sizeof(sg_linked_choice), 0);
    }
    SG_VEC_FREE(allocator, &compiled->choices.used);
    sg_hidden_destroy(&compiled->hidden);
    sg_arena_destroy(&compiled->segments.first_arena);
    for (int i = 0; i < 4; i++) {
        sg_arena_destroy(&compiled->patterns.own[i / 2].arenas[i % 2]);
        sg_arena_destroy(&compiled->patterns.looped[i / 2].arenas[i % 2]);
    }
    sg_arena_destroy(&compiled->segments.arenas[0]);
    sg_arena_destroy(&compiled->segments.arenas[1]);
    sg_arena_destroy(&compiled->linked);
    sg_arena_destroy(&compiled->arena);
}

// ---- values ---------------------------------------------------------------------------------

static bool given_value(const sg_flat_value *value, sg_given *out)
{
    if (value->kind == SG_FLAT_NUMBER)
        out->shape = sg_dims_scalar(value->truth ? SG_TRUTH : value->whole ? SG_WHOLE : SG_REAL);
    else if (value->kind == SG_FLAT_ARRAY && value->cols == 1 && !value->matrix)
        out->shape = sg_dims_vector(value->rows);
    else if (value->kind == SG_FLAT_ARRAY)
        out->shape = sg_dims_matrix(value->rows, value->cols);
    else
        return false;
    out->data = value->numbers;
    return true;
}

static bool give_parameter(void *context, uint32_t par, sg_given *out)
{
    sg_compiled *compiled = context;
    return given_value(&compiled->flat->pars.data[par].value, out) ||
           (compiled->others.parameter &&
            compiled->others.parameter(compiled->context, (sg_par_id){par}, &compiled->linked,
                                       out));
}

static double give_nominal(void *context, uint32_t var)
{
    const sg_compiled *compiled = context;
    bool known = !compiled->no_nominals && var < compiled->flat->vars.len;
    return known ? compiled->flat->vars.data[var].nominal : 0.0;
}

static bool give_start(void *context, uint32_t var, sg_given *out)
{
    sg_compiled *compiled = context;
    const sg_flat *flat = compiled->flat;
    if (var >= flat->vars.len)
        return false;
    if (compiled->choices.moved && !isnan(compiled->choices.moved[var])) {
        *out = (sg_given){sg_dims_scalar(SG_REAL), &compiled->choices.moved[var]};
        return true;
    }
    if (given_value(&flat->vars.data[var].value, out))
        return true;
    if (compiled->inputs && sg_inputs_start(compiled->inputs, var, &compiled->linked, out))
        return true;
    uint32_t other = compiled->guesses[var].i;
    if (!other || !given_value(&flat->vars.data[other].value, out))
        return false;
    if (compiled->structure->aliases[other].kind == SG_ALIAS_PLUS)
        return true;
    size_t n = sg_dims_count(out->shape);
    double *negated = SG_NEW_ARRAY(&compiled->linked, double, n + 1);
    for (size_t i = 0; negated && i < n; i++)
        negated[i] = -out->data[i];
    out->data = negated;
    return negated != NULL;
}

// A start value is a guess for the physical quantity, whichever of its names survived.
static bool find_guesses(sg_compiled *compiled)
{
    const sg_flat *flat = compiled->flat;
    compiled->guesses = SG_NEW_ARRAY(&compiled->linked, sg_var_id, flat->vars.len + 1);
    for (uint32_t v = 1; compiled->guesses && v < flat->vars.len; v++) {
        sg_alias alias = compiled->structure->aliases[v];
        sg_given given;
        if ((alias.kind == SG_ALIAS_PLUS || alias.kind == SG_ALIAS_MINUS) &&
            !compiled->guesses[alias.of.i].i && given_value(&flat->vars.data[v].value, &given))
            compiled->guesses[alias.of.i].i = v;
    }
    return compiled->guesses != NULL;
}

static bool give_constant(void *context, uint32_t index, sg_given *out)
{
    sg_compiled *compiled = context;
    return compiled->others.constant &&
           compiled->others.constant(compiled->context, index, &compiled->linked, out);
}

// ---- running --------------------------------------------------------------------------------

static sg_status evaluate_with_parts(sg_compiled *compiled, sg_eval_mode mode, sg_events *events,
                                     double t, const double *x, double *dx)
{
    sg_hidden *hidden = &compiled->hidden;
    hidden->x = x + compiled->exec->at.n_x;
    if (compiled->inputs)
        sg_inputs_apply(compiled->inputs, events, t);
    sg_status status = compiled->choices.present->base.model.eval(&compiled->choices.present->base,
                                                                  mode, events, t, x, dx);
    if (status == SG_OK && dx)
        sg_hidden_derivatives(hidden, dx + compiled->exec->at.n_x);
    hidden->x = NULL;
    if (compiled->bounds_steps && compiled->last.x) {
        compiled->last.events = events;
        compiled->last.t = status == SG_OK ? t : (double)NAN;
        memcpy(compiled->last.x, x, compiled->last.n * sizeof *x);
    }
    bool watched = compiled->impulses.n && compiled->impulses.exec == compiled->exec;
    if (status == SG_OK && watched && !sg_impulse_check(&compiled->impulses, mode, events, t, x))
        status = sg_compiled_find_impulse(compiled, events, t, x);
    return status;
}

// Equations alone need nothing around the program.
static sg_status evaluate(void *user, sg_eval_mode mode, sg_events *events, double t,
                          const double *x, double *dx)
{
    sg_compiled *compiled = user;
    sg_program_model *base = &compiled->choices.present->base;
    bool alone = !compiled->components.n && !compiled->hidden.states.len && !compiled->inputs &&
                 !compiled->impulses.n;
    return alone ? base->model.eval(base, mode, events, t, x, dx)
                 : evaluate_with_parts(compiled, mode, events, t, x, dx);
}

static sg_status residual(void *user, sg_events *events, double t, const double *x,
                          const double *dx, double *r)
{
    sg_compiled *compiled = user;
    sg_hidden *hidden = &compiled->hidden;
    uint32_t n = compiled->exec->at.n_x;
    hidden->x = x + n;
    if (compiled->inputs)
        sg_inputs_apply(compiled->inputs, events, t);
    sg_status status = compiled->choices.present->base.model.residual(
        &compiled->choices.present->base, events, t, x, dx, r);
    hidden->x = NULL;
    for (size_t i = 0; status == SG_OK && i < hidden->states.len; i++) {
        const sg_hidden_var *var = &hidden->states.data[i];
        for (uint32_t k = var->at; k < var->at + var->n; k++)
            r[n + k] = dx[n + k] - hidden->derivatives.data[k];
    }
    return status;
}

static void carry(void *user, const double *unknowns)
{
    sg_program_model *base = &((sg_compiled *)user)->choices.present->base;
    base->model.carry(base, unknowns);
}

static void carried(void *user, double *unknowns, double *residuals, double *sizes)
{
    sg_program_model *base = &((sg_compiled *)user)->choices.present->base;
    base->model.carried(base, unknowns, residuals, sizes);
}

static void give(void *user, const double *variables)
{
    sg_program_model *base = &((sg_compiled *)user)->choices.present->base;
    base->model.give(base, variables);
}

static void given(void *user, double *variables, double *residuals)
{
    sg_program_model *base = &((sg_compiled *)user)->choices.present->base;
    base->model.given(base, variables, residuals);
}

static sg_status given_pattern(void *user, const sg_sparsity **pattern)
{
    sg_program_model *base = &((sg_compiled *)user)->choices.present->base;
    return base->model.given_pattern(base, pattern);
}

static bool determines(void *user, sg_events *events, double t, const double *x,
                       const double *tolerance, double *work)
{
    sg_compiled *compiled = user;
    sg_program_model *base = &compiled->choices.present->base;
    if (compiled->inputs)
        sg_inputs_apply(compiled->inputs, events, t);
    return base->model.determines(base, events, t, x, tolerance, work);
}

// What modelers forget when a system has no unique solution.
static void hint_singular(const sg_compiled *compiled, sg_diags *diags)
{
    const sg_failure *failure = &compiled->exec->failure;
    // A matrix that the model divides by is no system of equations.
    if (failure->kind != SG_FAILED_SINGULAR ||
        compiled->program->steps.data[failure->step].op != SG_OP_SOLVE)
        return;
    const sg_torn_system *system = &compiled->program->systems.data[failure->system];
    bool connected = false;
    for (uint32_t k = 0; k < system->n_unknowns; k++)
        connected |= compiled->flat->vars.data[system->unknown_vars[k]].attributes &
                     (SG_ATTR_POTENTIAL | SG_ATTR_FLOW);
    if (!compiled->translated->options.translate.alias_reduction)
        sg_note(diags, (sg_span){0},
                "aliasReduction = false keeps redundant equations, such as those of a circuit "
                "without a ground; leave it out, or check whether a ground or a fixed point is "
                "missing");
    else if (connected)
        sg_note(diags, (sg_span){0},
                "is a ground or a fixed point missing, are sources in parallel or in series, or "
                "does a loop of ideal components leave a current or force open?");
}

static void explain(void *user, double t, sg_diags *diags)
{
    sg_compiled *compiled = user;
    if (!sg_impulse_explain(&compiled->impulses, compiled->flat, t, diags))
        compiled->choices.present->base.model.explain(&compiled->choices.present->base, t, diags);
    hint_singular(compiled, diags);
}

static double next_stop(void *user, double t, bool *sharply)
{
    sg_compiled *compiled = user;
    return sg_inputs_next_stop(compiled->inputs, t, sharply);
}

static double bound_step(void *user, double t, const double *x)
{
    sg_compiled *compiled = user;
    // After most steps the crossing functions were asked for just here.
    bool is_there =
        compiled->last.t == t && memcmp(compiled->last.x, x, compiled->last.n * sizeof *x) == 0;
    if (!is_there && compiled->last.events) {
        sg_eval_mode mode = compiled->last.events->mode;
        compiled->last.events->mode = SG_MODE_RHS;
        sg_status status = evaluate(user, SG_MODE_RHS, compiled->last.events, t, x, NULL);
        compiled->last.events->mode = mode;
        if (status != SG_OK)
            return INFINITY; // the step itself will tell
    }
    compiled->hidden.x = x + compiled->exec->at.n_x;
    double h = sg_components_bound_step(compiled->components);
    compiled->hidden.x = NULL;
    return h;
}

static void renew_sizes(void *user, double *most) { sg_compiled_renew_most(user, most); }

static double foreseen(void *user, double t0, double t1, bool goes_on)
{
    sg_compiled *compiled = user;
    return compiled->last.t == t1 ? sg_components_foreseen(compiled->components, t0, t1, goes_on)
                                  : t1;
}

static bool sees_steps(void *user)
{
    return sg_components_see_steps(((const sg_compiled *)user)->components);
}

static void see_step(void *user)
{
    sg_components_see_step(((const sg_compiled *)user)->components);
}

static void branches(void *user, sg_branches what, double *increment)
{
    sg_compiled *compiled = user;
    bool closely = what == SG_BRANCHES_HELD_CLOSELY;
    compiled->hidden.held = what == SG_BRANCHES_HELD || closely;
    if (compiled->hidden.held)
        sg_compiled_renew_increments(compiled, closely, increment);
    compiled->hidden.noted = what == SG_BRANCHES_NOTED;
}

static bool gives_back(void *user)
{
    return sg_components_give_back(((sg_compiled *)user)->components);
}

static const sg_islands *islands(void *user, const sg_island_whole *whole)
{
    sg_compiled *compiled = user;
    const sg_hidden *hidden = &compiled->hidden;
    sg_island_whole known = whole ? *whole : (sg_island_whole){0};
    known.n_before = (int32_t)compiled->exec->at.n_x;
    bool alone = !compiled->inputs && !compiled->model.reselect;
    for (size_t i = 0; alone && i < hidden->states.len; i++)
        alone = !hidden->states.data[i].quadrature;
    const sg_islands *all = alone ? sg_components_islands(compiled->components, &known) : NULL;
    uint32_t n = 0;
    for (int32_t k = 0; all && k < all->n_cells; k++)
        n += (uint32_t)all->width[k];
    return n == compiled->exec->at.n_x + sg_hidden_count(hidden) ? all : NULL;
}

static sg_status project(void *user, sg_events *events, double t, double *x, sg_projection how,
                         bool *moved)
{
    return sg_components_project(user, events, t, x, how, moved);
}

static sg_enclosure *enclosure(void *user)
{
    return ((sg_compiled *)user)->choices.present->base.enclosure;
}

static uint64_t fingerprint(void *user)
{
    sg_program_model *base = &((sg_compiled *)user)->choices.present->base;
    return base->model.fingerprint(base);
}

sg_status sg_compiled_evaluate(sg_compiled *compiled, sg_eval_mode mode, sg_events *events,
                               double t, const double *x, double *dx)
{
    sg_eval_mode before = events->mode;
    events->mode = mode;
    sg_status status = evaluate(compiled, mode, events, t, x, dx);
    events->mode = before;
    return status;
}

int32_t sg_compiled_state(const sg_compiled *compiled, sg_var_id var, double *sign)
{
    const sg_program *p = compiled->program;
    const sg_alias *alias = &compiled->structure->aliases[var.i];
    bool is_alias = alias->kind == SG_ALIAS_PLUS || alias->kind == SG_ALIAS_MINUS;
    uint32_t name = is_alias ? alias->of.i : var.i;
    *sign = alias->kind == SG_ALIAS_MINUS ? -1.0 : 1.0;
    for (uint32_t i = 0; var.i && i < p->n_states; i++)
        if (p->state_vars[i] == name)
            return (int32_t)compiled->exec->at.state[i];
    return -1;
}

const double *sg_compiled_value(void *context, sg_var_id var, size_t *n)
{
    const sg_compiled *compiled = context;
    sg_operand operand = sg_exec_var(compiled->exec, var.i);
    *n = operand.data ? sg_dims_count(operand.shape) : 0;
    return operand.data;
}

// Variables with `init` that are computed must come out with that value (language 4.8).
static sg_status check_init(void *user, const sg_events *events, const double *x)
{
    (void)events;
    (void)x;
    sg_compiled *compiled = user;
    return sg_check_init_values(compiled->structure, compiled->flat, compiled->tolerance,
                                sg_compiled_value, NULL, compiled, compiled->diags);
}

// ---- linking --------------------------------------------------------------------------------

// The pattern of the program, of its residual or its derivatives, with the hidden states behind it;
// null is full. What the program says of trees is refined where mechanisms are in groups.
static sg_status with_hidden(sg_compiled *compiled, bool residual, sg_arena *arena,
                             const sg_sparsity **out)
{
    sg_program_model *base = &compiled->choices.present->base;
    const sg_sim_tree_groups *groups = compiled->patterns.groups;
    // A residual that is another than dx - f has rows of its own.
    bool same = !residual || !base->leaves_systems;
    bool alone = !sg_hidden_count(&compiled->hidden) && !groups;
    *out = NULL;
    if (compiled->hidden.n_outer && !groups)
        return SG_OK;
    if (!alone && (!compiled->patterns.ties_known || (compiled->patterns.ties && !same)))
        return SG_OK;
    const sg_sparsity *visible = groups && same ? groups->visible : NULL;
    sg_status status = visible ? SG_OK : base->model.pattern(base, residual, &visible);
    if (status || !visible || (size_t)visible->n != compiled->exec->at.n_x)
        return status;
    *out = alone ? visible
                 : sg_hidden_pattern(&compiled->hidden, visible, groups ? &groups->outer : NULL,
                                     compiled->patterns.ties, arena);
    return arena->failed ? SG_ERR_MEMORY : SG_OK;
}

// Blocks of the Jacobian come and go with contacts.
static sg_status present_pattern(void *user, bool residual, const sg_sparsity **out)
{
    sg_compiled *compiled = user;
    sg_present_pattern *p = &compiled->patterns.own[residual];
    uint64_t n_relinked = compiled->hidden.n_relinked;
    if (!p->known || p->n_relinked != n_relinked) {
        sg_arena *arena = &p->arenas[p->turn ^= 1];
        sg_arena_release(arena, (sg_arena_mark){0});
        p->known = with_hidden(compiled, residual, arena, &p->pattern) == SG_OK;
        p->n_relinked = n_relinked;
    }
    *out = p->pattern;
    return p->known ? SG_OK : SG_ERR_MEMORY;
}

sg_status sg_compiled_describe(sg_compiled *compiled, sg_sim_segment *segment)
{
    const sg_hidden *hidden = &compiled->hidden;
    const sg_sim_segment *visible = &compiled->choices.present->base.model.segment;
    sg_arena *arena = &compiled->segments.arenas[compiled->segments.turn ^= 1];
    sg_arena_release(arena, (sg_arena_mark){0});
    *segment = *visible;
    // Components hold more than the program knows, and a change of states would change them, too.
    if (compiled->define_hidden || compiled->choices.present->choice->n_entries)
        segment->n_carried = segment->n_given = 0;
    segment->constraints = compiled->constraints.most ? &compiled->constraints : NULL;
    compiled->segments.start = compiled->choices.present->base.start;
    segment->state_units = sg_compiled_units(compiled, arena);
    compiled->patterns.own[0].known = compiled->patterns.own[1].known = false;
    compiled->patterns.looped[0].known = compiled->patterns.looped[1].known = false;
    compiled->last.n = visible->n_states + sg_hidden_count(hidden);
    compiled->last.x = SG_NEW_ARRAY(arena, double, compiled->last.n + 1);
    compiled->last.kept.x = SG_NEW_ARRAY(arena, double, compiled->last.n + 1);
    compiled->last.t = (double)NAN;
    segment->nominal = sg_compiled_nominals(compiled, arena);
    segment->most = sg_compiled_most(compiled, arena);
    segment->increment = sg_compiled_increments(compiled, arena);
    segment->vectors = sg_compiled_vectors(compiled, arena, &segment->n_vectors);
    segment->family = sg_compiled_families(compiled, arena);
    segment->crossings = sg_hidden_crossings(hidden);
    compiled->patterns.groups = NULL;
    if (!sg_hidden_count(hidden) && !compiled->define_hidden)
        return segment->state_units && segment->family ? SG_OK : SG_ERR_MEMORY;
    if (hidden->n_outer)
        compiled->patterns.groups =
            sg_trees_groups(compiled->exec, compiled->trees, compiled->n_trees,
                            (uint32_t)compiled->flat->funcs.len, hidden->n_outer, arena);
    compiled->patterns.ties_known =
        sg_trees_ties(compiled->exec, hidden, compiled->trees, compiled->n_trees,
                      (uint32_t)compiled->flat->funcs.len, arena, &compiled->patterns.ties);
    segment->n_states = visible->n_states + sg_hidden_count(hidden);
    double *start = SG_NEW_ARRAY(arena, double, segment->n_states + 1);
    const char **names = SG_NEW_ARRAY(arena, const char *, segment->n_states + 1);
    bool *quadrature = SG_NEW_ARRAY(arena, bool, segment->n_states + 1);
    bool *unlisted = SG_NEW_ARRAY(arena, bool, segment->n_states + 1);
    if (!start || !names || !quadrature || !unlisted || !segment->family || !segment->state_units)
        return SG_ERR_MEMORY;
    uint32_t at = 0;
    bool changes = false;
    for (; at < visible->n_states; at++) {
        start[at] = visible->start[at];
        names[at] = visible->state_names[at];
    }
    for (size_t i = 0; i < hidden->states.len; i++) {
        const sg_hidden_var *var = &hidden->states.data[i];
        for (uint32_t k = 0; k < var->n; k++, at++) {
            start[at] = hidden->start.data[var->at + k];
            quadrature[at] = var->quadrature;
            changes |= var->quadrature && !var->rests;
            unlisted[at] = var->unlisted || var->internal;
            // A copy: the next segment defines its variables anew, while these names stay in use.
            names[at] = var->scalar ? sg_arena_text(arena, var->name, strlen(var->name))
                                    : sg_arena_printf(arena, "%s[%u]", var->name, k + 1);
        }
    }
    segment->start = compiled->segments.start = start;
    segment->state_names = names;
    segment->quadrature = quadrature;
    segment->quadratures_rest = !changes;
    segment->unlisted = unlisted;
    return arena->failed ? SG_ERR_MEMORY : SG_OK;
}

static const bool *copy_marks(sg_arena *arena, const bool *marks, uint32_t n)
{
    bool *copy = marks ? SG_NEW_ARRAY(arena, bool, n + 1) : NULL;
    if (copy)
        memcpy(copy, marks, n * sizeof *copy);
    return copy;
}

sg_status sg_compiled_keep_first(sg_compiled *compiled, sg_sim_segment *segment)
{
    sg_arena *arena = &compiled->segments.first_arena;
    if (!compiled->model.reselect)
        return SG_OK;
    sg_arena_release(arena, (sg_arena_mark){0});
    uint32_t n = segment->n_states;
    const char **names = SG_NEW_ARRAY(arena, const char *, n + 1);
    const char **units = SG_NEW_ARRAY(arena, const char *, n + 1);
    double *start = SG_NEW_ARRAY(arena, double, n + 1);
    for (uint32_t i = 0; names && units && start && i < n; i++) {
        const char *name = segment->state_names[i], *unit = segment->state_units[i];
        names[i] = sg_arena_text(arena, name, strlen(name));
        units[i] = sg_arena_text(arena, unit, strlen(unit));
        start[i] = segment->start[i];
    }
    segment->state_names = names;
    segment->state_units = units;
    segment->start = compiled->segments.first_start = start;
    segment->quadrature = copy_marks(arena, segment->quadrature, n);
    segment->unlisted = copy_marks(arena, segment->unlisted, n);
    uint32_t *family = segment->family ? SG_NEW_ARRAY(arena, uint32_t, n + 1) : NULL;
    if (family)
        memcpy(family, segment->family, n * sizeof *family);
    segment->family = family;
    return arena->failed ? SG_ERR_MEMORY : SG_OK;
}

sg_status sg_compiled_define(sg_compiled *compiled)
{
    sg_status status = compiled->define_hidden ? compiled->define_hidden(compiled->context) : SG_OK;
    // The machine of scripts, through which segments begin, knows no such status.
    if (status == SG_ERR_MODEL && sg_components_refused(compiled->components))
        status = SG_ERR_ACTION;
    if (status == SG_OK)
        compiled->constraints = sg_components_constraints(compiled);
    compiled->bounds_steps = sg_components_bound_steps(compiled->components);
    return status;
}

// The visible states go on with their values; the hidden ones are defined anew.
static sg_status next_segment(void *user, double t, const double *x, sg_sim_segment *next)
{
    (void)t;
    sg_compiled *compiled = user;
    compiled->hidden.x = x + compiled->exec->at.n_x; // what the components may still look at
    sg_status status = sg_compiled_define(compiled);
    compiled->hidden.x = NULL;
    if (status == SG_OK)
        status = sg_compiled_describe(compiled, next);
    if (status == SG_OK && compiled->exec->at.n_x)
        memcpy(compiled->segments.start, x, compiled->exec->at.n_x * sizeof *x);
    if (status != SG_OK || compiled->choices.present != compiled->choices.first)
        return status;
    compiled->model.segment = *next; // its states may be others
    return sg_compiled_keep_first(compiled, &compiled->model.segment);
}

// For components: whether no state is behind a variable that the program computes.
static bool led(const void *context, const uint32_t *vars, uint32_t n, bool *out)
{
    const sg_compiled *compiled = context;
    const sg_exec *exec = compiled->exec;
    sg_arena scratch;
    bool *moved = NULL;
    sg_arena_init(&scratch, exec->allocator);
    bool ok = sg_exec_moved(exec, &scratch, &moved) == SG_OK;
    for (uint32_t i = 0; ok && i < n; i++) {
        const sg_alias *alias = &compiled->structure->aliases[vars[i]];
        bool is_other = alias->kind == SG_ALIAS_PLUS || alias->kind == SG_ALIAS_MINUS;
        uint32_t var = is_other ? alias->of.i : vars[i];
        uint32_t reg = var < exec->program->n_vars ? exec->program->var_regs[var].i : 0;
        out[i] = alias->kind == SG_ALIAS_ZERO || reg != 0;
        uint32_t count = out[i] && reg ? sg_dims_count(exec->shapes[reg]) : 0;
        for (uint32_t k = 0; k < count; k++)
            out[i] &= !moved[exec->offsets[reg] + k];
    }
    sg_arena_destroy(&scratch);
    return ok;
}

// Hidden states are not looked through, unless nothing depends on them.
static const sg_descriptor *descriptor(void *user)
{
    sg_compiled *compiled = user;
    const sg_hidden *hidden = &compiled->hidden;
    for (size_t i = 0; i < hidden->states.len; i++)
        if (!hidden->states.data[i].quadrature)
            return NULL;
    return sg_trees_descriptor(compiled->exec, compiled->structure, compiled->trees,
                               compiled->n_trees, (uint32_t)compiled->flat->funcs.len,
                               sg_hidden_count(hidden),
                               &compiled->segments.arenas[compiled->segments.turn]);
}

// ---- other states ---------------------------------------------------------------------------

// Present values in place of start values, where the program that is left knows the variable.
static bool give_present(void *context, uint32_t var, sg_given *out)
{
    const sg_compiled *compiled = context;
    sg_operand operand = sg_exec_var(compiled->exec, var);
    if (!operand.data || operand.shape.num == SG_OPAQUE)
        return give_start(context, var, out);
    *out = (sg_given){operand.shape, operand.data};
    return true;
}

static bool same_memories(const sg_event_layout *a, const sg_event_layout *b)
{
    return a->n_positive == b->n_positive && a->n_after == b->n_after && a->n_clock == b->n_clock &&
           a->n_sample == b->n_sample && a->n_hold == b->n_hold && a->n_previous == b->n_previous &&
           a->n_pre == b->n_pre && a->n_delay == b->n_delay && a->n_taps == b->n_taps;
}

sg_status sg_compiled_change_over(sg_compiled *compiled, sg_linked_choice *to, const double *x,
                                  sg_sim_segment *next)
{
    sg_linked_choice *from = compiled->choices.present;
    uint32_t n_hidden = sg_hidden_count(&compiled->hidden), n_old = from->exec->at.n_x;
    sg_exec_source source = {compiled,     give_parameter,   give_present,    give_constant,
                             give_nominal, compiled->native, compiled->memory};
    to->exec->events = from->exec->events;
    sg_status status = sg_linked_choice_link(to, &source, compiled->model.name,
                                             compiled->dae_min_size, compiled->diags);
    if (status == SG_OK && !same_memories(&to->exec->memories.layout, &compiled->model.events))
        return SG_ERR_MODEL;
    if (status != SG_OK)
        return status;
    use(compiled, to);
    compiled->model.linear = to->base.model.linear; // those of a choice go when it is linked anew
    compiled->model.n_linear = to->base.model.n_linear;
    if (compiled->inputs && !sg_inputs_bind(compiled->inputs, compiled->exec))
        return SG_ERR_INTERNAL;
    status = sg_compiled_describe(compiled, next);
    if (status == SG_OK && n_hidden)
        memcpy(compiled->segments.start + to->exec->at.n_x, x + n_old, n_hidden * sizeof *x);
    return status;
}

// The choice of the language, unless it is singular at the start values. Other states begin where
// the choice was judged: what was no state had only a guess.
static sg_status select_first(sg_compiled *compiled, const sg_exec_source *source, sg_diags *diags)
{
    sg_linked_choice *first = compiled->choices.used.data[0];
    uint32_t n = (uint32_t)compiled->flat->vars.len;
    double *moved = SG_NEW_ARRAY(&compiled->linked, double, n + 1);
    if (!moved)
        return SG_ERR_MEMORY;
    memset(compiled->choices.preference, 0, n);
    if (sg_linked_choice_judge_start(first, compiled->translated->flat, source,
                                     compiled->start_time, compiled->choices.preference, moved)) {
        sg_status status = SG_OK;
        sg_linked_choice *other =
            sg_compiled_find_choice(compiled, compiled->choices.preference, n, diags, &status);
        compiled->choices.moved = other ? moved : NULL;
        first = other ? other : first;
    }
    compiled->choices.first = first;
    use(compiled, first);
    return SG_OK;
}

sg_status sg_compiled_link(sg_compiled *compiled, uint32_t dae_min_size, sg_diags *diags)
{
    const char *name = sg_sym_text(compiled->flat->symbols, compiled->flat->name);
    sg_arena_destroy(&compiled->linked);
    compiled->linked_ok = false;
    compiled->dae_min_size = dae_min_size;
    compiled->choices.end = false;
    compiled->choices.moved = NULL;
    if (!find_guesses(compiled))
        return SG_ERR_MEMORY;
    sg_exec_source source = {compiled,     give_parameter,   give_start,      give_constant,
                             give_nominal, compiled->native, compiled->memory};
    sg_status status = select_first(compiled, &source, diags);
    compiled->exec->events = NULL; // those of the last run are gone
    if (status == SG_OK)
        status = sg_compiled_define(compiled);
    if (status == SG_OK)
        status =
            sg_linked_choice_link(compiled->choices.present, &source, name, dae_min_size, diags);
    if (status != SG_OK)
        return status;
    compiled->diags = diags;
    compiled->model = compiled->choices.present->base.model;
    compiled->model.user = compiled;
    compiled->model.eval = evaluate;
    compiled->model.residual = residual;
    compiled->model.explain = explain;
    compiled->model.carry = carry;
    compiled->model.carried = carried;
    compiled->model.give = give;
    compiled->model.given = given;
    compiled->model.given_pattern = given_pattern;
    compiled->model.determines = determines;
    compiled->model.remembers = sg_compiled_remembers;
    compiled->model.keep = sg_compiled_keep;
    compiled->model.reserve = sg_compiled_reserve;
    compiled->model.put_back = sg_compiled_put_back;
    compiled->model.searches_results = sg_compiled_searches_results;
    if (!sg_impulse_init(&compiled->impulses, &compiled->linked, compiled->flat,
                         compiled->structure, compiled->exec))
        return SG_ERR_MEMORY;
    if (compiled->translated->options.compat_comparisons) // nobody looks at jumps there
        compiled->impulses.n = 0;
    if (compiled->inputs && !sg_inputs_bind(compiled->inputs, compiled->exec))
        return SG_ERR_INTERNAL;
    compiled->model.next_stop = compiled->inputs ? next_stop : NULL;
    compiled->model.bound_step = compiled->bounds_steps ? bound_step : NULL;
    compiled->model.renew_sizes = compiled->bounds_steps ? renew_sizes : NULL;
    compiled->model.foreseen = compiled->bounds_steps ? foreseen : NULL;
    compiled->model.sees_steps = compiled->components.n ? sees_steps : NULL;
    compiled->model.see_step = see_step;
    compiled->model.branches = branches;
    compiled->model.gives_back = compiled->components.n ? gives_back : NULL;
    compiled->model.islands = compiled->components.n ? islands : NULL;
    compiled->model.nonsmooth = compiled->bounds_steps; // for bodies that touch
    compiled->model.project = sg_components_may_project(compiled->components) ? project : NULL;
    compiled->model.enclosure = enclosure;
    compiled->model.fingerprint = fingerprint;
    compiled->model.pattern = present_pattern;
    compiled->model.initialized = check_init;
    compiled->model.solve_start = sg_start_has_conditions(compiled) ? sg_start_solve : NULL;
    compiled->model.next_segment = compiled->define_hidden ? next_segment : NULL;
    compiled->model.reselect =
        compiled->choices.present->choice->n_entries ? sg_compiled_reselect : NULL;
    compiled->model.first_states = sg_compiled_first_states;
    compiled->model.archive = sg_compiled_archive;
    compiled->model.descriptor = compiled->n_trees ? descriptor : NULL;
    compiled->hidden.state_of = sg_compiled_state_of;
    compiled->hidden.led = led;
    compiled->hidden.context = compiled;
    compiled->linked_ok = true;
    status = sg_compiled_describe(compiled, &compiled->model.segment);
    return status ? status : sg_compiled_keep_first(compiled, &compiled->model.segment);
}
