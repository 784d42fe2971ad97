#include "model/unitcheck.h"

#include "base/assert.h"
#include "lang/runtime.h"
#include "lang/unit.h"
#include "vm/vm.h"

#include <string.h>

enum { MAX_PASSES = 50, MAX_TERMS = 4096 };

typedef enum knowledge {
    OPEN, // nothing is known
    ANY,  // the literal 0
    KNOWN // `unit`, a product of SI base units
} knowledge;

typedef struct measure {
    knowledge how;
    uint32_t unit;
} measure;

typedef struct pass {
    sg_instance *instance;
    sg_units *units;
    uint32_t *vars; // unit of each variable, SG_UNIT_BAD while open
    uint32_t *pars;
    uint32_t second; // u"s"
    const sg_scope *scope;
    bool changed; // this pass learnt something
    bool report;  // the last pass: tell what does not fit
    bool failed;
} pass;

static const measure open_measure = {OPEN, SG_UNIT_NONE};
static const measure plain = {KNOWN, SG_UNIT_NONE};

static measure known(pass *p, uint32_t unit)
{
    if (unit == SG_UNIT_BAD)
        return open_measure;
    return (measure){KNOWN, sg_unit_preferred(p->units, unit)};
}

static void complain(pass *p, sg_span span, const char *what, measure a, measure b)
{
    if (!p->report)
        return;
    sg_buf ta, tb;
    sg_buf_init(&ta, p->instance->vm->allocator);
    sg_buf_init(&tb, p->instance->vm->allocator);
    sg_unit_describe_dimension(p->units, a.unit, &ta);
    sg_unit_describe_dimension(p->units, b.unit, &tb);
    const char *na = sg_unit_text(p->units, a.unit), *nb = sg_unit_text(p->units, b.unit);
    sg_error(p->instance->vm->diags, SG_E_UNIT_EQUATION, span,
             "%s: one is in %s (%s), the other in %s (%s)", what, na[0] ? na : "1",
             sg_buf_text(&ta), nb[0] ? nb : "1", sg_buf_text(&tb));
    sg_buf_free(&ta);
    sg_buf_free(&tb);
    p->failed = true;
}

static bool fits(const pass *p, measure a, measure b)
{
    return a.how != KNOWN || b.how != KNOWN || sg_unit_same_dimension(p->units, a.unit, b.unit);
}

// ---- references -----------------------------------------------------------------------------

typedef struct place {
    uint32_t var, par; // at most one is not 0
    bool time;
    bool constant;
} place;

static place find_place(pass *p, const sg_ast *ast)
{
    place found = {0};
    sg_buf text;
    sg_buf_init(&text, p->instance->vm->allocator);
    if (sg_convert_reference(p->instance, ast, &text)) {
        const char *name = sg_buf_text(&text);
        sg_sym base = p->scope->path;
        if (strcmp(name, "time") == 0)
            found.time = true;
        if (strncmp(name, "up.", 3) == 0) {
            name += 3;
            base = p->scope->outer;
        }
        sg_sym full = sg_model_join(p->instance, base, name);
        found.par = sg_flat_par_find(&p->instance->flat, full).i;
        found.var = found.par ? 0 : sg_flat_var_find(&p->instance->flat, full).i;
        found.constant = !found.par && !found.var && !found.time;
    }
    sg_buf_free(&text);
    return found;
}

static measure place_measure(pass *p, place at)
{
    if (at.time)
        return (measure){KNOWN, p->second};
    uint32_t unit = at.var ? p->vars[at.var] : at.par ? p->pars[at.par] : SG_UNIT_NONE;
    if (at.constant)
        return plain;
    return unit == SG_UNIT_BAD ? open_measure : (measure){KNOWN, unit};
}

static void learn(pass *p, uint32_t var, uint32_t unit)
{
    if (unit == SG_UNIT_BAD || p->vars[var] != SG_UNIT_BAD)
        return;
    p->vars[var] = sg_unit_preferred(p->units, unit);
    p->changed = true;
}

// ---- what an expression is measured in --------------------------------------------------------

static measure infer(pass *p, const sg_ast *ast);

static const char *callee_name(const pass *p, const sg_ast *ast)
{
    return ast->kids[0]->kind == SG_AST_NAME ? sg_vm_text(p->instance->vm, ast->kids[0]->sym) : "";
}

// All of kids[from..] have the same unit.
static measure infer_same(pass *p, const sg_ast *ast, uint32_t from, const char *what)
{
    measure all = {ANY, SG_UNIT_NONE};
    for (uint32_t i = from; i < ast->n; i++) {
        measure one = infer(p, ast->kids[i]);
        if (!fits(p, all, one))
            complain(p, ast->kids[i]->span, what, all, one);
        if (one.how == KNOWN || (one.how == OPEN && all.how == ANY))
            all = all.how == KNOWN ? all : one;
    }
    return all;
}

static measure combine(pass *p, measure a, measure b, bool divide)
{
    if (a.how == ANY || b.how == ANY)
        return a.how == ANY && !divide ? b.how == KNOWN ? open_measure : a : open_measure;
    if (a.how == OPEN || b.how == OPEN)
        return open_measure;
    return known(p, divide ? sg_unit_divide(p->units, a.unit, b.unit)
                           : sg_unit_multiply(p->units, a.unit, b.unit));
}

static measure infer_power(pass *p, const sg_ast *ast)
{
    measure base = infer(p, ast->kids[1]);
    const sg_ast *exponent = ast->kids[2];
    if (base.how != KNOWN || base.unit == SG_UNIT_NONE)
        return base;
    if (exponent->kind == SG_AST_INT && exponent->i > -100 && exponent->i < 100)
        return known(p, sg_unit_power(p->units, base.unit, (int32_t)exponent->i * SG_UNIT_POWER));
    return open_measure;
}

// A plain number may be anything per second: models without units are left alone.
static measure infer_derivative(pass *p, const sg_ast *ast)
{
    measure inner = ast->n == 2 ? infer(p, ast->kids[1]) : open_measure;
    return inner.how == KNOWN && inner.unit != SG_UNIT_NONE
               ? known(p, sg_unit_divide(p->units, inner.unit, p->second))
               : open_measure;
}

// Functions of a plain number with a plain value.
static bool is_plain_function(const char *name)
{
    static const char *const names[] = {"sin",  "cos",  "tan",  "asin",  "acos",  "atan",
                                        "sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
                                        "exp",  "log",  "log2", "log10", "log1p", "expm1"};
    for (size_t i = 0; i < SG_COUNT(names); i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static bool is_one_of(const char *name, const char *list)
{
    size_t length = strlen(name);
    for (const char *at = strstr(list, name); at && length; at = strstr(at + 1, name))
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

static measure infer_call(pass *p, const sg_ast *ast)
{
    const char *name = callee_name(p, ast);
    if (is_one_of(name, "+ -"))
        return infer_same(p, ast, 1, "a sum of different units");
    if (strcmp(name, "*") == 0) {
        measure product = infer(p, ast->kids[1]);
        for (uint32_t i = 2; i < ast->n; i++)
            product = combine(p, product, infer(p, ast->kids[i]), false);
        return product;
    }
    if (strcmp(name, "/") == 0 && ast->n == 3)
        return combine(p, infer(p, ast->kids[1]), infer(p, ast->kids[2]), true);
    if (strcmp(name, "^") == 0 && ast->n == 3)
        return infer_power(p, ast);
    if (strcmp(name, "der") == 0)
        return infer_derivative(p, ast);
    if (is_one_of(name, "< <= > >= == !=")) {
        infer_same(p, ast, 1, "a comparison of different units");
        return plain;
    }
    if (is_one_of(name, "abs min max maximum minimum sum"))
        return infer_same(p, ast, 1, "different units together");
    if (is_one_of(name, "pre previous hold sample"))
        return ast->n > 1 ? infer(p, ast->kids[1]) : open_measure;
    if (is_one_of(name, "positive negative edge change after Clock initial terminal sign length "
                        "size !")) {
        for (uint32_t i = 1; i < ast->n; i++)
            infer(p, ast->kids[i]);
        return plain;
    }
    if (strcmp(name, "sqrt") == 0 && ast->n == 2) {
        measure inner = infer(p, ast->kids[1]);
        return inner.how == KNOWN ? known(p, sg_unit_power(p->units, inner.unit, SG_UNIT_POWER / 2))
                                  : inner;
    }
    if (is_plain_function(name) && ast->n == 2) {
        measure inner = infer(p, ast->kids[1]);
        if (!fits(p, inner, plain))
            complain(p, ast->kids[1]->span, "the argument of this function has a unit", inner,
                     plain);
        return plain;
    }
    for (uint32_t i = 1; i < ast->n; i++)
        infer(p, ast->kids[i]);
    return open_measure;
}

static measure infer_value(pass *p, sg_value value)
{
    switch ((int)value.tag) {
    case SG_INT:
        return value.i == 0 ? (measure){ANY, SG_UNIT_NONE} : plain;
    case SG_FLOAT:
        return value.d == 0.0 ? (measure){ANY, SG_UNIT_NONE} : plain;
    case SG_QTY:
    case SG_QTY_INT:
    case SG_UNIT:
        return known(p, value.aux);
    default:
        return open_measure;
    }
}

static measure infer(pass *p, const sg_ast *ast)
{
    switch ((int)ast->kind) {
    case SG_AST_INT:
        return ast->i == 0 ? (measure){ANY, SG_UNIT_NONE} : plain;
    case SG_AST_FLOAT:
        return ast->d == 0.0 ? (measure){ANY, SG_UNIT_NONE} : plain;
    case SG_AST_BOOL:
        return plain;
    case SG_AST_VALUE:
        return infer_value(p, ast->value);
    case SG_AST_STRMACRO:
        return known(p,
                     sg_unit_parse(p->units, ast->extra.bytes, ast->extra.len, NULL, NULL, NULL));
    case SG_AST_NAME:
    case SG_AST_FIELD:
        return place_measure(p, find_place(p, ast));
    case SG_AST_CALL:
        return infer_call(p, ast);
    case SG_AST_INDEX:
    case SG_AST_ADJOINT:
        return infer(p, ast->kids[0]);
    case SG_AST_VECT:
    case SG_AST_VCAT:
    case SG_AST_HCAT:
    case SG_AST_ROW:
        return infer_same(p, ast, 0, "elements of different units in one array");
    case SG_AST_IF:
        infer(p, ast->kids[0]);
        return infer_same(p, ast, 1, "branches of different units");
    case SG_AST_BLOCK:
        return ast->n == 1 ? infer(p, ast->kids[0]) : open_measure;
    case SG_AST_AND:
    case SG_AST_OR:
        infer(p, ast->kids[0]);
        infer(p, ast->kids[1]);
        return plain;
    default:
        return open_measure;
    }
}

// ---- what the parts must be measured in -------------------------------------------------------

static void push(pass *p, const sg_ast *ast, uint32_t unit);

// Exactly one open factor: it takes what the others leave.
static void push_product(pass *p, const sg_ast *ast, uint32_t unit)
{
    const sg_ast *open = NULL;
    uint32_t others = SG_UNIT_NONE;
    for (uint32_t i = 1; i < ast->n; i++) {
        measure one = infer(p, ast->kids[i]);
        if (one.how == ANY || (one.how == OPEN && open))
            return;
        if (one.how == OPEN)
            open = ast->kids[i];
        else
            others = sg_unit_multiply(p->units, others, one.unit);
        if (others == SG_UNIT_BAD)
            return;
    }
    if (open)
        push(p, open, sg_unit_divide(p->units, unit, others));
}

static void push_call(pass *p, const sg_ast *ast, uint32_t unit)
{
    const char *name = callee_name(p, ast);
    if (is_one_of(name, "+ - abs min max")) {
        for (uint32_t i = 1; i < ast->n; i++)
            push(p, ast->kids[i], unit);
    } else if (strcmp(name, "*") == 0) {
        push_product(p, ast, unit);
    } else if (strcmp(name, "/") == 0 && ast->n == 3) {
        measure a = infer(p, ast->kids[1]), b = infer(p, ast->kids[2]);
        if (a.how == OPEN && b.how == KNOWN)
            push(p, ast->kids[1], sg_unit_multiply(p->units, unit, b.unit));
        else if (a.how == KNOWN && b.how == OPEN)
            push(p, ast->kids[2], sg_unit_divide(p->units, a.unit, unit));
    } else if (strcmp(name, "der") == 0 && ast->n == 2 && unit != SG_UNIT_NONE) {
        push(p, ast->kids[1], sg_unit_multiply(p->units, unit, p->second));
    } else if (is_one_of(name, "pre previous hold sample") && ast->n > 1) {
        push(p, ast->kids[1], unit);
    }
}

static void push(pass *p, const sg_ast *ast, uint32_t unit)
{
    if (unit == SG_UNIT_BAD)
        return;
    switch ((int)ast->kind) {
    case SG_AST_NAME:
    case SG_AST_FIELD: {
        place at = find_place(p, ast);
        if (at.var)
            learn(p, at.var, unit);
        return;
    }
    case SG_AST_CALL:
        push_call(p, ast, unit);
        return;
    case SG_AST_INDEX:
    case SG_AST_ADJOINT:
        push(p, ast->kids[0], unit);
        return;
    case SG_AST_IF:
    case SG_AST_VECT:
    case SG_AST_BLOCK:
        for (uint32_t i = ast->kind == SG_AST_IF ? 1 : 0; i < ast->n; i++)
            push(p, ast->kids[i], unit);
        return;
    default:
        return;
    }
}

// ---- equations ------------------------------------------------------------------------------

static void visit_sides(pass *p, const sg_ast *left, const sg_ast *right, sg_span span)
{
    measure l = infer(p, left), r = infer(p, right);
    if (!fits(p, l, r))
        complain(p, span, "the two sides of this equation have different units", l, r);
    // A side that is known may still have open terms: p.v - n.v with one of the two.
    measure unit = l.how == KNOWN ? l : r;
    if (unit.how != KNOWN)
        return;
    push(p, left, unit.unit);
    push(p, right, unit.unit);
}

// Connections know variables only; each side is a variable, a sum of them, or 0.
static void visit_connection(pass *p, const sg_flat_eq *eq)
{
    const sg_exprs *x = &p->instance->flat.exprs;
    sg_expr_id sides[2] = {eq->lhs, eq->rhs};
    uint32_t vars[MAX_TERMS], n = 0, unit = SG_UNIT_BAD;
    for (int i = 0; i < 2; i++) {
        uint32_t n_terms = sg_expr_op_of(x, sides[i]) == SG_X_ADD ? sg_expr_n_args(x, sides[i]) : 1;
        for (uint32_t k = 0; k < n_terms && n < MAX_TERMS; k++) {
            sg_expr_id term =
                sg_expr_op_of(x, sides[i]) == SG_X_ADD ? sg_expr_arg(x, sides[i], k) : sides[i];
            sg_var_id var = sg_expr_var_of(x, term);
            if (!var.i)
                continue;
            vars[n++] = var.i;
            measure one = {p->vars[var.i] == SG_UNIT_BAD ? OPEN : KNOWN, p->vars[var.i]};
            measure all = {unit == SG_UNIT_BAD ? OPEN : KNOWN, unit};
            if (!fits(p, all, one))
                complain(p, eq->span, "this connection joins different units", all, one);
            if (unit == SG_UNIT_BAD)
                unit = p->vars[var.i];
        }
    }
    for (uint32_t k = 0; unit != SG_UNIT_BAD && k < n; k++)
        learn(p, vars[k], unit);
}

static void visit_all(pass *p)
{
    sg_instance *instance = p->instance;
    for (size_t i = 0; i < instance->written.len; i++) {
        const sg_written *w = &instance->written.data[i];
        p->scope = &w->scope;
        if (w->variable.i) { // a binding: name and expression
            place at = {.var = sg_flat_var_find(&instance->flat, w->variable).i};
            measure l = place_measure(p, at), r = infer(p, w->ast);
            if (!fits(p, l, r))
                complain(p, w->ast->span, "this value does not fit the unit of its variable", l, r);
            if (r.how == KNOWN && at.var)
                learn(p, at.var, r.unit);
            if (l.how == KNOWN && r.how == OPEN)
                push(p, w->ast, l.unit);
        } else {
            visit_sides(p, w->ast->kids[0], w->ast->kids[1], w->ast->span);
        }
    }
    for (size_t i = 1; i < instance->flat.eqs.len; i++) {
        const sg_flat_eq *eq = &instance->flat.eqs.data[i];
        if (eq->origin == SG_EQ_CONNECTION)
            visit_connection(p, eq);
    }
    for (size_t i = 1; i < instance->flat.vars.len; i++) {
        uint32_t of = instance->flat.vars.data[i].of.i;
        if (of && p->vars[of] != SG_UNIT_BAD && p->vars[of] != SG_UNIT_NONE)
            learn(p, (uint32_t)i, sg_unit_divide(p->units, p->vars[of], p->second));
        else if (of && p->vars[i] != SG_UNIT_BAD && p->vars[i] != SG_UNIT_NONE)
            learn(p, of, sg_unit_multiply(p->units, p->vars[i], p->second));
    }
}

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
    p->vars = SG_NEW_ARRAY(&flat->arena, uint32_t, flat->vars.len + 1);
    p->pars = SG_NEW_ARRAY(&flat->arena, uint32_t, flat->pars.len + 1);
    if (!p->vars || !p->pars)
        return false;
    for (size_t i = 1; i < flat->vars.len; i++) {
        bool given = flat->vars.data[i].value.kind == SG_SHAPE_NUMBER ||
                     flat->vars.data[i].value.kind == SG_SHAPE_ARRAY;
        p->vars[i] = given ? parse_unit(p, flat->vars.data[i].unit) : SG_UNIT_BAD;
    }
    for (size_t i = 1; i < flat->pars.len; i++) {
        bool number = flat->pars.data[i].value.kind == SG_SHAPE_NUMBER ||
                      flat->pars.data[i].value.kind == SG_SHAPE_ARRAY;
        p->pars[i] = number ? parse_unit(p, flat->pars.data[i].unit) : SG_UNIT_BAD;
    }
    return true;
}

// A unit that was computed, by the name people know: V rather than kg*m^2*A^-1*s^-3.
static const char *common_name(pass *p, uint32_t unit)
{
    static const char *const names[] = {"V",  "Ω", "F",   "H", "C",  "S",   "T",
                                        "Wb", "N", "N*m", "W", "Pa", "W/K", "J/K"};
    for (size_t i = 0; i < SG_COUNT(names); i++) {
        uint32_t id = sg_unit_parse(p->units, names[i], strlen(names[i]), NULL, NULL, NULL);
        if (id != SG_UNIT_BAD && sg_unit_same_dimension(p->units, id, unit))
            return sg_unit_text(p->units, id);
    }
    return sg_unit_text(p->units, unit);
}

bool sg_unitcheck(sg_instance *instance)
{
    pass p = {.instance = instance};
    if (!begin(&p))
        return false;
    for (int i = 0; i < MAX_PASSES; i++) {
        p.changed = false;
        visit_all(&p);
        if (!p.changed)
            break;
    }
    p.report = true;
    visit_all(&p);
    sg_flat *flat = &instance->flat;
    for (size_t i = 1; i < flat->vars.len; i++) {
        sg_flat_var *var = &flat->vars.data[i];
        if (var->unit.i || p.vars[i] == SG_UNIT_BAD)
            continue;
        // A derivative is called after its variable: V*s^-1.
        uint32_t of = var->of.i ? parse_unit(&p, flat->vars.data[var->of.i].unit) : SG_UNIT_NONE;
        uint32_t rate =
            of != SG_UNIT_NONE && of != SG_UNIT_BAD ? sg_unit_divide(p.units, of, p.second) : of;
        const char *text = rate != SG_UNIT_NONE && rate != SG_UNIT_BAD ? sg_unit_text(p.units, rate)
                                                                       : common_name(&p, p.vars[i]);
        if (text[0])
            var->unit = sg_sym_intern_text(flat->symbols, text);
    }
    return !p.failed;
}
