#include "model/unitcheck.h"

#include "base/assert.h"
#include "lang/runtime.h"
#include "lang/unit.h"
#include "model/modifiers.h"
#include "model/unit_lines.h"
#include "vm/vm.h"

#include <string.h>

enum { MOST_ARGUMENTS = 32 }; // of a function that is tried

typedef enum knowledge {
    OPEN, // nothing is known
    ANY,  // the literal 0
    KNOWN // `unit`, a product of SI base units
} knowledge;

typedef struct unit_measure {
    knowledge how;
    uint32_t unit;
} unit_measure;

typedef struct pass {
    sg_instance *instance;
    sg_units *units;
    sg_arena *arena;
    const sg_allocator *allocator;
    uint32_t *vars; // unit of each variable, SG_UNIT_BAD while open
    uint32_t *pars;
    uint32_t second; // u"s"
    sg_unit_lines of;
    SG_VEC(uint32_t) queue;
    bool *queued;
    const sg_unit_line *at;
    bool free_derivatives; // der(x) may have any unit
    sg_severity severity;  // of what does not fit
    bool report;           // the last pass: tell what does not fit
    bool misfit;           // something does not
    bool failed;
    bool no_memory;
} pass;

static const unit_measure open_measure = {OPEN, SG_UNIT_NONE};
static const unit_measure plain = {KNOWN, SG_UNIT_NONE};

static unit_measure known(pass *p, uint32_t unit)
{
    if (unit == SG_UNIT_BAD)
        return open_measure;
    return (unit_measure){KNOWN, sg_unit_preferred(p->units, unit)};
}

static bool fits(const pass *p, unit_measure a, unit_measure b)
{
    return a.how != KNOWN || b.how != KNOWN || sg_unit_same_dimension(p->units, a.unit, b.unit);
}

// sin(time) is meant for seconds without their unit, and most models written so have no units.
static const char *way_out(const pass *p, unit_measure a, unit_measure b)
{
    unit_measure second = {KNOWN, p->second};
    bool number = fits(p, a, plain) || fits(p, b, plain);
    bool time = fits(p, a, second) || fits(p, b, second);
    return number && time ? "; as a plain number, time is time/u\"s\"; a model without units is "
                            "instantiated with unitless = true"
                          : "";
}

static void complain(pass *p, sg_span span, const char *what, unit_measure a, unit_measure b)
{
    p->misfit = true;
    if (!p->report)
        return;
    sg_buf ta, tb;
    sg_buf_init(&ta, p->instance->vm->allocator);
    sg_buf_init(&tb, p->instance->vm->allocator);
    sg_unit_describe_dimension(p->units, a.unit, &ta);
    sg_unit_describe_dimension(p->units, b.unit, &tb);
    const char *na = sg_unit_text(p->units, a.unit), *nb = sg_unit_text(p->units, b.unit);
    sg_diags_add(p->instance->vm->diags, p->severity, SG_E_UNIT_EQUATION, span,
                 "%s: one is in %s (%s), the other in %s (%s)%s", what, na[0] ? na : "1",
                 sg_buf_text(&ta), nb[0] ? nb : "1", sg_buf_text(&tb), way_out(p, a, b));
    sg_buf_free(&ta);
    sg_buf_free(&tb);
    p->failed |= p->severity == SG_ERROR;
}

// ---- learning ---------------------------------------------------------------------------------

static void enqueue(pass *p, uint32_t job)
{
    if (p->queued[job] || p->no_memory)
        return;
    p->queued[job] = true;
    p->no_memory |= !SG_PUSH(p->allocator, &p->queue, job);
}

// A variable and its derivatives follow from each other, except that the derivative of a plain
// number may be anything per second: models without units are left alone.
static void learn(pass *p, uint32_t var, uint32_t unit)
{
    const sg_flat *flat = &p->instance->flat;
    while (unit != SG_UNIT_BAD && p->vars[var] == SG_UNIT_BAD) {
        p->vars[var] = sg_unit_preferred(p->units, unit);
        p->no_memory |= p->vars[var] == SG_UNIT_BAD; // else its lines learn it again without end
        for (uint32_t k = p->of.first_job[var]; k < p->of.first_job[var + 1]; k++)
            enqueue(p, p->of.job_list[k]);
        uint32_t of = flat->vars.data[var].of.i, der = flat->vars.data[var].der.i;
        if (p->vars[var] == SG_UNIT_NONE || p->vars[var] == SG_UNIT_BAD || p->free_derivatives)
            return;
        if (der)
            learn(p, der, sg_unit_divide(p->units, p->vars[var], p->second));
        unit = of ? sg_unit_multiply(p->units, p->vars[var], p->second) : SG_UNIT_BAD;
        var = of ? of : var;
    }
}

static unit_measure measure_of(const pass *p, sg_unit_place at)
{
    uint32_t unit = SG_UNIT_NONE;
    if (at.kind == SG_PLACE_TIME)
        unit = p->second;
    else if (at.kind != SG_PLACE_PLAIN)
        unit = at.kind == SG_PLACE_VAR ? p->vars[at.id] : p->pars[at.id];
    return unit == SG_UNIT_BAD ? open_measure : (unit_measure){KNOWN, unit};
}

// ---- what an expression is measured in --------------------------------------------------------

static unit_measure infer(pass *p, uint32_t k);

static const sg_unit_node *node_at(const pass *p, uint32_t k) { return &p->at->form->nodes[k]; }
static uint32_t kid_of(const pass *p, const sg_unit_node *node, uint32_t i)
{
    return p->at->form->kids[node->first_kid + i];
}

// All parts from number `from` on have the same unit.
static unit_measure infer_same(pass *p, const sg_unit_node *node, uint32_t from, const char *what)
{
    unit_measure all = {ANY, SG_UNIT_NONE};
    for (uint32_t i = from; i < node->n_kids; i++) {
        uint32_t kid = kid_of(p, node, i);
        unit_measure one = infer(p, kid);
        if (!fits(p, all, one))
            complain(p, node_at(p, kid)->ast->span, what, all, one);
        if (one.how == KNOWN || (one.how == OPEN && all.how == ANY))
            all = all.how == KNOWN ? all : one;
    }
    return all;
}

static unit_measure combine(pass *p, unit_measure a, unit_measure b, bool divide)
{
    if (a.how == ANY || b.how == ANY)
        return a.how == ANY && !divide ? b.how == KNOWN ? open_measure : a : open_measure;
    if (a.how == OPEN || b.how == OPEN)
        return open_measure;
    return known(p, divide ? sg_unit_divide(p->units, a.unit, b.unit)
                           : sg_unit_multiply(p->units, a.unit, b.unit));
}

static unit_measure infer_product(pass *p, const sg_unit_node *node)
{
    unit_measure product = infer(p, kid_of(p, node, 0));
    for (uint32_t i = 1; i < node->n_kids; i++)
        product = combine(p, product, infer(p, kid_of(p, node, i)), false);
    return product;
}

static unit_measure infer_power(pass *p, const sg_unit_node *node)
{
    unit_measure base = infer(p, kid_of(p, node, 0));
    if (base.how != KNOWN || base.unit == SG_UNIT_NONE)
        return base;
    return node->has_exponent ? known(p, sg_unit_power(p->units, base.unit, node->exponent))
                              : open_measure;
}

static unit_measure infer_function(pass *p, const sg_unit_node *node)
{
    uint32_t kid = kid_of(p, node, 0);
    unit_measure inner = infer(p, kid);
    if (!fits(p, inner, plain))
        complain(p, node_at(p, kid)->ast->span, "the argument of this function has a unit", inner,
                 plain);
    return plain;
}

static unit_measure infer_delay(pass *p, const sg_unit_node *node)
{
    uint32_t kid = kid_of(p, node, 1);
    unit_measure time = infer(p, kid), second = known(p, p->second);
    if (!fits(p, time, second) && !fits(p, time, plain))
        complain(p, node_at(p, kid)->ast->span, "the time of a delay is no time", time, second);
    return infer(p, kid_of(p, node, 0));
}

static void infer_parts(pass *p, const sg_unit_node *node)
{
    for (uint32_t i = 0; i < node->n_kids; i++)
        infer(p, kid_of(p, node, i));
}

// The call of the flat model behind a node of the present equation; null if there is none.
static sg_written_call *find_call(const pass *p, const sg_ast *ast)
{
    const sg_instance *instance = p->instance;
    uint32_t here = (uint32_t)(p->at - p->of.lines.data);
    size_t low = 0, high = instance->calls.len; // they stand in the order of the equations
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (instance->calls.data[middle].written < here)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < instance->calls.len && instance->calls.data[low].written == here; low++)
        if (instance->calls.data[low].ast == ast)
            return &instance->calls.data[low];
    return NULL;
}

// The exception says which units do not fit, and where in the function.
static void complain_of_function(pass *p, const sg_unit_node *node, sg_written_call *call,
                                 sg_sym name)
{
    sg_vm *vm = p->instance->vm;
    const sg_exception *e = (const sg_exception *)(const void *)vm->exception.o;
    bool units = sg_is(vm->exception, SG_OBJ_EXCEPTION) && e->type == vm->types.DimensionError;
    p->misfit |= units;
    if (units && p->report && !call->told) {
        const sg_string *text =
            sg_is(e->message, SG_OBJ_STRING) ? (const sg_string *)(const void *)e->message.o : NULL;
        sg_error(vm->diags, SG_E_UNIT_EQUATION, node->ast->span,
                 "the function '%s' does not fit the units of these arguments: %s",
                 sg_vm_text(vm, name), text ? text->text : "");
        if (e->span.file)
            sg_note(vm->diags, e->span, "here");
        p->failed = call->told = true;
    }
    vm->exception = (sg_value){.tag = SG_UNDEF};
}

// A function that only computes is tried on ones of the right units; what comes out has the unit of
// its value. Anything but units that goes wrong (a domain, a size) says nothing.
static unit_measure try_function(pass *p, const sg_unit_node *node, sg_written_call *call,
                                 const uint32_t *units)
{
    sg_vm *vm = p->instance->vm;
    const sg_flat_func *func = &p->instance->flat.funcs.data[call->func.i];
    sg_value args[MOST_ARGUMENTS], value;
    for (uint32_t i = 0; i < node->n_kids; i++)
        args[i] = units[i] ? sg_quantity(1.0, units[i]) : (sg_value){.tag = SG_FLOAT, .d = 1.0};
    sg_value function = p->instance->handles.data[(uintptr_t)func->handle - 1];
    sg_status status = sg_call_values(vm, function, args, node->n_kids, &value);
    if (status == SG_ERR_MODEL) {
        complain_of_function(p, node, call, func->name);
        return open_measure;
    }
    if (status != SG_OK) {
        p->no_memory = true;
        return open_measure;
    }
    if (value.tag == SG_QTY || value.tag == SG_QTY_INT)
        return known(p, value.aux);
    const sg_array *array =
        sg_is(value, SG_OBJ_ARRAY) ? (const sg_array *)(const void *)value.o : NULL;
    if (array && array->elem == SG_ELEM_FLOAT)
        return known(p, array->unit);
    return value.tag == SG_FLOAT && value.d != 0.0 ? plain : open_measure;
}

// A function that has to be called gets its arguments with units.
static unit_measure infer_call(pass *p, const sg_unit_node *node)
{
    sg_flat *flat = &p->instance->flat;
    sg_written_call *call = find_call(p, node->ast);
    uint32_t units[MOST_ARGUMENTS] = {0}, n = node->n_kids;
    bool any = false, all = n <= MOST_ARGUMENTS && call;
    for (uint32_t i = 0; i < n; i++) {
        unit_measure one = infer(p, kid_of(p, node, i));
        all &= one.how == KNOWN;
        if (one.how == KNOWN && i < MOST_ARGUMENTS)
            units[i] = one.unit;
        any |= one.how == KNOWN && one.unit != SG_UNIT_NONE;
    }
    if (!call || n > MOST_ARGUMENTS || !any)
        return open_measure;
    sg_flat_func *func = &flat->funcs.data[call->func.i];
    if (func->body && all)
        return try_function(p, node, call, units);
    if (!func->body && p->report) {
        uint32_t *copy = SG_NEW_ARRAY(&flat->arena, uint32_t, n + 1);
        if (copy)
            memcpy(copy, units, n * sizeof *copy);
        func->arg_units = copy;
        func->n_args = copy ? n : 0;
    }
    return open_measure;
}

static unit_measure infer(pass *p, uint32_t k)
{
    const sg_unit_node *node = node_at(p, k);
    unit_measure inner;
    switch ((sg_unit_kind)node->kind) {
    case SG_UNITS_OPEN:
        return open_measure;
    case SG_UNITS_LITERAL:
        return node->any ? (unit_measure){ANY, SG_UNIT_NONE} : known(p, node->unit);
    case SG_UNITS_NAME:
        return measure_of(p, p->of.places.data[p->at->first_place + node->name]);
    case SG_UNITS_SUM:
        return infer_same(p, node, 0, "a sum of different units");
    case SG_UNITS_ABS:
        return infer_same(p, node, 0, "different units together");
    case SG_UNITS_ARRAY:
        return infer_same(p, node, 0, "elements of different units in one array");
    case SG_UNITS_COMPARE:
        infer_same(p, node, 0, "a comparison of different units");
        return plain;
    case SG_UNITS_BRANCH:
        infer(p, kid_of(p, node, 0));
        return infer_same(p, node, 1, "branches of different units");
    case SG_UNITS_PRODUCT:
        return infer_product(p, node);
    case SG_UNITS_QUOTIENT:
        inner = infer(p, kid_of(p, node, 0));
        return combine(p, inner, infer(p, kid_of(p, node, 1)), true);
    case SG_UNITS_POWER:
        return infer_power(p, node);
    case SG_UNITS_ROOT:
        inner = infer(p, kid_of(p, node, 0));
        return inner.how == KNOWN ? known(p, sg_unit_power(p->units, inner.unit, SG_UNIT_POWER / 2))
                                  : inner;
    case SG_UNITS_DERIVATIVE:
        inner = infer(p, kid_of(p, node, 0));
        return inner.how == KNOWN && inner.unit != SG_UNIT_NONE && !p->free_derivatives
                   ? known(p, sg_unit_divide(p->units, inner.unit, p->second))
                   : open_measure;
    case SG_UNITS_SAME:
        return infer(p, kid_of(p, node, 0));
    case SG_UNITS_DELAY:
        return infer_delay(p, node);
    case SG_UNITS_PLAIN:
        infer_parts(p, node);
        return plain;
    case SG_UNITS_FUNCTION:
        return infer_function(p, node);
    case SG_UNITS_CALL:
        return infer_call(p, node);
    }
    return open_measure;
}

// ---- what the parts must be measured in -------------------------------------------------------

static void push(pass *p, uint32_t k, uint32_t unit);

// Exactly one open factor: it takes what the others leave.
static void push_product(pass *p, const sg_unit_node *node, uint32_t unit)
{
    uint32_t open = UINT32_MAX, others = SG_UNIT_NONE;
    for (uint32_t i = 0; i < node->n_kids; i++) {
        uint32_t kid = kid_of(p, node, i);
        unit_measure one = infer(p, kid);
        if (one.how == ANY || (one.how == OPEN && open != UINT32_MAX))
            return;
        if (one.how == OPEN)
            open = kid;
        else
            others = sg_unit_multiply(p->units, others, one.unit);
        if (others == SG_UNIT_BAD)
            return;
    }
    if (open != UINT32_MAX)
        push(p, open, sg_unit_divide(p->units, unit, others));
}

static void push_quotient(pass *p, const sg_unit_node *node, uint32_t unit)
{
    uint32_t over = kid_of(p, node, 0), under = kid_of(p, node, 1);
    unit_measure a = infer(p, over), b = infer(p, under);
    if (a.how == OPEN && b.how == KNOWN)
        push(p, over, sg_unit_multiply(p->units, unit, b.unit));
    else if (a.how == KNOWN && b.how == OPEN)
        push(p, under, sg_unit_divide(p->units, a.unit, unit));
}

static void push(pass *p, uint32_t k, uint32_t unit)
{
    const sg_unit_node *node = node_at(p, k);
    if (unit == SG_UNIT_BAD)
        return;
    switch ((int)node->kind) {
    case SG_UNITS_NAME: {
        sg_unit_place at = p->of.places.data[p->at->first_place + node->name];
        if (at.kind == SG_PLACE_VAR)
            learn(p, at.id, unit);
        return;
    }
    case SG_UNITS_SUM:
    case SG_UNITS_ABS:
    case SG_UNITS_ARRAY:
        for (uint32_t i = 0; i < node->n_kids; i++)
            push(p, kid_of(p, node, i), unit);
        return;
    case SG_UNITS_BRANCH:
        for (uint32_t i = 1; i < node->n_kids; i++)
            push(p, kid_of(p, node, i), unit);
        return;
    case SG_UNITS_PRODUCT:
        push_product(p, node, unit);
        return;
    case SG_UNITS_QUOTIENT:
        push_quotient(p, node, unit);
        return;
    case SG_UNITS_DERIVATIVE:
        if (unit != SG_UNIT_NONE && !p->free_derivatives)
            push(p, kid_of(p, node, 0), sg_unit_multiply(p->units, unit, p->second));
        return;
    case SG_UNITS_SAME:
    case SG_UNITS_DELAY:
        push(p, kid_of(p, node, 0), unit);
        return;
    default:
        return;
    }
}

// ---- equations ------------------------------------------------------------------------------

static void visit_equation(pass *p, const sg_unit_line *at)
{
    unit_measure l = infer(p, at->roots[0]), r = infer(p, at->roots[1]);
    if (!fits(p, l, r)) {
        const sg_ast *left = node_at(p, at->roots[0])->ast, *right = node_at(p, at->roots[1])->ast;
        sg_span span = left->span;
        span.last = right->span.last;
        complain(p, span, "the two sides of this equation have different units", l, r);
    }
    // A side that is known may still have open terms: p.v - n.v with one of the two.
    unit_measure unit = l.how == KNOWN ? l : r;
    if (unit.how != KNOWN)
        return;
    push(p, at->roots[0], unit.unit);
    push(p, at->roots[1], unit.unit);
}

static void visit_binding(pass *p, const sg_unit_line *at)
{
    unit_measure l = measure_of(p, (sg_unit_place){SG_PLACE_VAR, at->bound}),
                 r = infer(p, at->roots[0]);
    if (!fits(p, l, r))
        complain(p, node_at(p, at->roots[0])->ast->span,
                 "this value does not fit the unit of its variable", l, r);
    if (r.how == KNOWN)
        learn(p, at->bound, r.unit);
    if (l.how == KNOWN && r.how == OPEN)
        push(p, at->roots[0], l.unit);
}

static void visit_join(pass *p, const sg_flat_eq *eq)
{
    const sg_exprs *x = &p->instance->flat.exprs;
    sg_expr_id sides[2] = {eq->lhs, eq->rhs};
    uint32_t unit = SG_UNIT_BAD;
    for (int i = 0; i < 2; i++)
        for (uint32_t k = 0; k < sg_join_n_terms(x, sides[i]); k++) {
            sg_var_id var = sg_join_term(x, sides[i], k);
            if (!var.i || p->vars[var.i] == SG_UNIT_BAD)
                continue;
            unit_measure one = {KNOWN, p->vars[var.i]};
            unit_measure all = {unit == SG_UNIT_BAD ? OPEN : KNOWN, unit};
            if (!fits(p, all, one))
                complain(p, eq->span, "this connection joins different units", all, one);
            if (unit == SG_UNIT_BAD)
                unit = p->vars[var.i];
        }
    for (int i = 0; unit != SG_UNIT_BAD && i < 2; i++)
        for (uint32_t k = 0; k < sg_join_n_terms(x, sides[i]); k++) {
            sg_var_id var = sg_join_term(x, sides[i], k);
            if (var.i)
                learn(p, var.i, unit);
        }
}

static void visit(pass *p, uint32_t job)
{
    if (job >= p->of.lines.len) {
        visit_join(p, &p->instance->flat.eqs.data[p->of.joins.data[job - p->of.lines.len]]);
        return;
    }
    p->at = &p->of.lines.data[job];
    if (p->at->bound)
        visit_binding(p, p->at);
    else
        visit_equation(p, p->at);
}

// ---- the whole model ---------------------------------------------------------------------------

static uint32_t parse_unit(pass *p, sg_sym text)
{
    if (!text.i)
        return SG_UNIT_NONE;
    const char *name = sg_vm_text(p->instance->vm, text);
    return sg_unit_parse(p->units, name, strlen(name), NULL, NULL, NULL);
}

static bool begin(pass *p)
{
    sg_flat *flat = &p->instance->flat;
    p->units = sg_runtime_of(p->instance->vm)->units;
    p->second = sg_unit_parse(p->units, "s", 1, NULL, NULL, NULL);
    p->vars = SG_NEW_ARRAY(p->arena, uint32_t, flat->vars.len + 1);
    p->pars = SG_NEW_ARRAY(p->arena, uint32_t, flat->pars.len + 1);
    if (!p->vars || !p->pars)
        return false;
    for (size_t i = 1; i < flat->vars.len; i++) {
        bool given = flat->vars.data[i].value.kind == SG_FLAT_NUMBER ||
                     flat->vars.data[i].value.kind == SG_FLAT_ARRAY;
        p->vars[i] = given ? parse_unit(p, flat->vars.data[i].unit) : SG_UNIT_BAD;
    }
    for (size_t i = 1; i < flat->pars.len; i++) {
        bool number = flat->pars.data[i].value.kind == SG_FLAT_NUMBER ||
                      flat->pars.data[i].value.kind == SG_FLAT_ARRAY;
        p->pars[i] = number ? parse_unit(p, flat->pars.data[i].unit) : SG_UNIT_BAD;
    }
    return true;
}

// Units that variables and their derivatives were declared with say something of each other.
static void learn_from_declared(pass *p)
{
    const sg_flat *flat = &p->instance->flat;
    for (uint32_t i = 1; i < flat->vars.len; i++) {
        uint32_t unit = p->vars[i], of = flat->vars.data[i].of.i, der = flat->vars.data[i].der.i;
        if (unit == SG_UNIT_BAD || unit == SG_UNIT_NONE || p->free_derivatives)
            continue;
        if (of)
            learn(p, of, sg_unit_multiply(p->units, unit, p->second));
        if (der)
            learn(p, der, sg_unit_divide(p->units, unit, p->second));
    }
}

// Every equation once, and again whenever something new is known of one of its variables.
static void find_units(pass *p)
{
    for (uint32_t job = 0; job < p->of.n_jobs; job++)
        enqueue(p, job);
    learn_from_declared(p);
    for (size_t next = 0; next < p->queue.len && !p->no_memory; next++) {
        uint32_t job = p->queue.data[next];
        p->queued[job] = false;
        visit(p, job);
    }
}

static void report(pass *p)
{
    p->report = true;
    for (uint32_t job = 0; job < p->of.n_jobs && !p->no_memory; job++)
        visit(p, job);
}

// Nominal values that have a unit are as large as their variable only if it is the same.
static void check_nominals(pass *p)
{
    const sg_flat *flat = &p->instance->flat;
    sg_buf what;
    sg_buf_init(&what, p->allocator);
    for (uint32_t i = 1; i < flat->vars.len; i++) {
        const sg_flat_var *var = &flat->vars.data[i];
        unit_measure own = known(p, p->vars[i]);
        unit_measure nominal = known(p, parse_unit(p, var->nominal_unit));
        if (!var->nominal_unit.i || fits(p, own, nominal))
            continue;
        sg_buf_clear(&what);
        sg_buf_printf(&what, "'%s' and its nominal value have different units",
                      sg_vm_text(p->instance->vm, var->name));
        complain(p, var->span, sg_buf_text(&what), own, nominal);
    }
    sg_buf_free(&what);
}

static void name_units(pass *p)
{
    sg_flat *flat = &p->instance->flat;
    sg_map names; // unit -> symbol of the name people know
    sg_map_init(&names, p->allocator);
    for (size_t i = 1; i < flat->vars.len; i++) {
        sg_flat_var *var = &flat->vars.data[i];
        if (var->unit.i || p->vars[i] == SG_UNIT_BAD)
            continue;
        // A derivative is called after its variable: V*s^-1.
        uint32_t of = var->of.i ? parse_unit(p, flat->vars.data[var->of.i].unit) : SG_UNIT_NONE;
        uint32_t rate =
            of != SG_UNIT_NONE && of != SG_UNIT_BAD ? sg_unit_divide(p->units, of, p->second) : of;
        bool by_rate = rate != SG_UNIT_NONE && rate != SG_UNIT_BAD;
        uint64_t key = by_rate ? rate : p->vars[i] | (uint64_t)1 << 32;
        uint64_t *seen = sg_map_get(&names, key);
        if (!seen) {
            const char *text =
                by_rate ? sg_unit_text(p->units, rate) : sg_unit_common_text(p->units, p->vars[i]);
            sg_sym sym = text[0] ? sg_sym_intern_text(flat->symbols, text) : (sg_sym){0};
            p->no_memory |= !sg_map_put(&names, key, sym.i);
            seen = sg_map_get(&names, key);
        }
        if (seen && *seen)
            var->unit = (sg_sym){(uint32_t)*seen};
    }
    sg_map_free(&names);
}

static bool open_pass(pass *p)
{
    bool ok = begin(p) &&
              sg_unit_lines_read(p->instance, p->units, p->arena, p->allocator, &p->of) &&
              (p->queued = SG_NEW_ARRAY(p->arena, bool, p->of.n_jobs + 1));
    if (ok)
        find_units(p);
    return ok && !p->no_memory;
}

static void close_pass(pass *p)
{
    sg_unit_lines_free(&p->of, p->allocator);
    SG_VEC_FREE(p->allocator, &p->queue);
}

// T*der(x) + x with a plain T: published models have such lines, and what is wrong with them is
// only that der(x) is not measured like x.
static bool only_derivatives_misfit(sg_instance *instance, sg_arena *arena)
{
    pass p = {.instance = instance,
              .arena = arena,
              .allocator = instance->vm->allocator,
              .free_derivatives = true,
              .severity = SG_ERROR};
    bool ok = open_pass(&p) && !p.misfit;
    close_pass(&p);
    return ok;
}

sg_status sg_unitcheck(sg_instance *instance)
{
    sg_arena scratch;
    pass p = {.instance = instance,
              .arena = &scratch,
              .allocator = instance->vm->allocator,
              .severity = SG_ERROR};
    sg_arena_init(&scratch, p.allocator);
    bool ok = open_pass(&p);
    // A value of the user explains what does not fit in the equations of a component.
    if (ok)
        p.failed = sg_modifiers_blame_units(instance, p.misfit);
    if (ok && p.misfit && instance->compat_derivatives &&
        only_derivatives_misfit(instance, &scratch))
        p.severity = SG_WARNING;
    if (ok && !p.failed) {
        report(&p);
        check_nominals(&p);
    }
    if (ok)
        name_units(&p);
    ok &= !p.no_memory;
    close_pass(&p);
    sg_arena_destroy(&scratch);
    return !ok ? SG_ERR_MEMORY : p.failed ? SG_ERR_MODEL : SG_OK;
}
