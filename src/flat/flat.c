#include "flat/flat.h"

#include "base/assert.h"
#include "base/digits.h"
#include "symbolic/print.h"

#include <math.h>
#include <string.h>

void sg_flat_init(sg_flat *flat, const sg_allocator *allocator, sg_symbols *symbols)
{
    *flat = (sg_flat){.allocator = allocator, .symbols = symbols};
    sg_arena_init(&flat->arena, allocator);
    sg_exprs_init(&flat->exprs, allocator);
    sg_map_init(&flat->var_by_name, allocator);
    sg_map_init(&flat->par_by_name, allocator);
    flat->failed = !SG_PUSH(allocator, &flat->vars, (sg_flat_var){0}) ||
                   !SG_PUSH(allocator, &flat->pars, (sg_flat_par){0}) ||
                   !SG_PUSH(allocator, &flat->eqs, (sg_flat_eq){0}) ||
                   !SG_PUSH(allocator, &flat->funcs, (sg_flat_func){0}) ||
                   !SG_PUSH(allocator, &flat->consts, (sg_flat_const){0});
}

void sg_flat_destroy(sg_flat *flat)
{
    SG_VEC_FREE(flat->allocator, &flat->vars);
    SG_VEC_FREE(flat->allocator, &flat->pars);
    SG_VEC_FREE(flat->allocator, &flat->eqs);
    SG_VEC_FREE(flat->allocator, &flat->initial_eqs);
    SG_VEC_FREE(flat->allocator, &flat->funcs);
    SG_VEC_FREE(flat->allocator, &flat->consts);
    SG_VEC_FREE(flat->allocator, &flat->results);
    SG_VEC_FREE(flat->allocator, &flat->assumptions);
    SG_VEC_FREE(flat->allocator, &flat->independent);
    sg_map_free(&flat->var_by_name);
    sg_map_free(&flat->par_by_name);
    sg_exprs_destroy(&flat->exprs);
    sg_arena_destroy(&flat->arena);
}

bool sg_flat_failed(const sg_flat *flat)
{
    return flat->failed || flat->arena.failed || sg_exprs_failed(&flat->exprs);
}

// ---- variables ----

sg_var_id sg_flat_var_find(const sg_flat *flat, sg_sym name)
{
    uint64_t *known = sg_map_get(&flat->var_by_name, name.i);
    return (sg_var_id){known ? (uint32_t)*known : 0};
}

static sg_flat_var new_var(sg_sym name, sg_span span)
{
    return (sg_flat_var){.name = name, .span = span, .min = (double)NAN, .max = (double)NAN};
}

sg_var_id sg_flat_var_add(sg_flat *flat, sg_sym name, sg_span span)
{
    sg_var_id var = sg_flat_var_find(flat, name);
    if (var.i)
        return var;
    var.i = (uint32_t)flat->vars.len;
    if (!name.i || !SG_PUSH(flat->allocator, &flat->vars, new_var(name, span)) ||
        !sg_map_put(&flat->var_by_name, name.i, var.i)) {
        flat->failed = true;
        return (sg_var_id){0};
    }
    return var;
}

sg_var_id sg_flat_der(sg_flat *flat, sg_var_id var)
{
    if (!var.i)
        return var;
    sg_flat_var *v = &flat->vars.data[var.i];
    if (v->der.i)
        return v->der;
    sg_var_id der = {(uint32_t)flat->vars.len};
    sg_flat_var made = new_var(v->name, v->span);
    made.of = var;
    made.attributes = v->attributes & (SG_ATTR_HIDE_RESULT | SG_ATTR_ELEMENT);
    if (!SG_PUSH(flat->allocator, &flat->vars, made)) {
        flat->failed = true;
        return (sg_var_id){0};
    }
    flat->vars.data[var.i].der = der;
    return der;
}

sg_flat_var *sg_flat_var_get(const sg_flat *flat, sg_var_id var)
{
    SG_ASSERT(var.i < flat->vars.len);
    return &flat->vars.data[var.i];
}

void sg_flat_set_value(sg_flat *flat, sg_var_id var, uint32_t has_what, sg_flat_value value)
{
    sg_flat_var *v = sg_flat_var_get(flat, var);
    if (has_what == SG_ATTR_HAS_START && (v->attributes & SG_ATTR_HAS_INIT))
        return; // init wins
    v->attributes |= has_what;
    v->value = value;
}

void sg_flat_spread_values(sg_flat *flat)
{
    for (size_t i = 1; i < flat->vars.len; i++) {
        sg_flat_var *part = &flat->vars.data[i];
        if (!part->part_of.i)
            continue;
        const sg_flat_var *of = &flat->vars.data[part->part_of.i];
        part->nominal = of->nominal;
        part->unit = of->unit;
        part->value = (sg_flat_value){0};
        if (of->value.kind != SG_FLAT_ARRAY || part->part >= of->value.rows * of->value.cols)
            continue;
        part->value = sg_flat_number(flat, of->value.numbers[part->part]);
        part->value.whole = of->value.whole;
        part->value.truth = of->value.truth;
    }
}

// ---- parameters, functions, constants ----

sg_par_id sg_flat_par_find(const sg_flat *flat, sg_sym name)
{
    uint64_t *known = sg_map_get(&flat->par_by_name, name.i);
    return (sg_par_id){known ? (uint32_t)*known : 0};
}

sg_par_id sg_flat_par_add(sg_flat *flat, sg_sym name, sg_flat_value value, sg_span span)
{
    sg_par_id par = sg_flat_par_find(flat, name);
    if (par.i)
        return par;
    par.i = (uint32_t)flat->pars.len;
    if (!SG_PUSH(flat->allocator, &flat->pars,
                 (sg_flat_par){.name = name, .value = value, .span = span}) ||
        !sg_map_put(&flat->par_by_name, name.i, par.i)) {
        flat->failed = true;
        return (sg_par_id){0};
    }
    return par;
}

sg_func_id sg_flat_func_add(sg_flat *flat, sg_sym name, void *handle)
{
    sg_func_id func = {(uint32_t)flat->funcs.len};
    if (!SG_PUSH(flat->allocator, &flat->funcs, (sg_flat_func){.name = name, .handle = handle})) {
        flat->failed = true;
        return (sg_func_id){0};
    }
    return func;
}

uint32_t sg_flat_const_add(sg_flat *flat, sg_sym text, void *handle)
{
    if (!SG_PUSH(flat->allocator, &flat->consts, (sg_flat_const){.text = text, .handle = handle})) {
        flat->failed = true;
        return 0;
    }
    return (uint32_t)flat->consts.len - 1;
}

bool sg_flat_remembers(const sg_flat *flat, sg_expr_id call)
{
    const sg_exprs *exprs = &flat->exprs;
    bool any = flat->funcs.data[sg_expr_get(exprs, call)->index].remembers;
    for (uint32_t k = 0; k < sg_expr_n_args(exprs, call) && !any; k++) {
        const sg_expr_node *arg = sg_expr_get(exprs, sg_expr_arg(exprs, call, k));
        any = arg->op == SG_X_CONST && flat->consts.data[arg->index].is_model;
    }
    return any;
}

// ---- equations ----

static sg_eq_id push_eq(sg_flat *flat, sg_flat_eq eq)
{
    if (!SG_PUSH(flat->allocator, &flat->eqs, eq)) {
        flat->failed = true;
        return (sg_eq_id){0};
    }
    return (sg_eq_id){(uint32_t)flat->eqs.len - 1};
}

sg_eq_id sg_flat_eq_add(sg_flat *flat, sg_expr_id lhs, sg_expr_id rhs, sg_span span,
                        sg_sym component, sg_eq_origin origin)
{
    return push_eq(
        flat, (sg_flat_eq){
                  .lhs = lhs, .rhs = rhs, .span = span, .component = component, .origin = origin});
}

bool sg_flat_initial_add(sg_flat *flat, sg_expr_id lhs, sg_expr_id rhs, sg_span span,
                         sg_sym component)
{
    sg_flat_eq eq = {
        .lhs = lhs, .rhs = rhs, .span = span, .component = component, .origin = SG_EQ_INITIAL};
    if (!lhs.i || !rhs.i || !SG_PUSH(flat->allocator, &flat->initial_eqs, eq))
        flat->failed = true;
    return !flat->failed;
}

sg_eq_id sg_flat_eq_add_multi(sg_flat *flat, const sg_expr_id *results, uint32_t n, sg_expr_id call,
                              sg_span span, sg_sym component)
{
    uint32_t first = (uint32_t)flat->results.len;
    for (uint32_t k = 0; k < n; k++) {
        if (!SG_PUSH(flat->allocator, &flat->results, results[k])) {
            flat->failed = true;
            return (sg_eq_id){0};
        }
    }
    return push_eq(flat, (sg_flat_eq){.rhs = call,
                                      .first_result = first,
                                      .n_results = n,
                                      .span = span,
                                      .component = component});
}

sg_flat_value sg_flat_array(sg_flat *flat, const double *numbers, uint32_t rows, uint32_t cols,
                            bool fixed_size)
{
    size_t n = (size_t)rows * cols;
    double *copy = SG_NEW_ARRAY(&flat->arena, double, n ? n : 1);
    if (!copy) { // a value of no kind: nobody looks for its numbers
        flat->failed = true;
        return (sg_flat_value){0};
    }
    if (n)
        memcpy(copy, numbers, n * sizeof(double));
    return (sg_flat_value){.kind = SG_FLAT_ARRAY,
                           .fixed_size = fixed_size,
                           .rows = rows,
                           .cols = cols,
                           .numbers = copy};
}

sg_flat_value sg_flat_number(sg_flat *flat, double number)
{
    sg_flat_value value = sg_flat_array(flat, &number, 1, 1, true);
    if (value.numbers)
        value.kind = SG_FLAT_NUMBER;
    return value;
}

// ---- text ----

static unsigned der_depth(const sg_flat *flat, sg_var_id *var)
{
    unsigned depth = 0;
    for (; flat->vars.data[var->i].of.i; depth++)
        *var = flat->vars.data[var->i].of;
    return depth;
}

void sg_flat_print_var(const sg_flat *flat, sg_var_id var, sg_buf *out)
{
    unsigned depth = der_depth(flat, &var);
    for (unsigned k = 0; k < depth; k++)
        sg_buf_puts(out, "der(");
    sg_buf_puts(out, sg_sym_text(flat->symbols, flat->vars.data[var.i].name));
    sg_buf_pad(out, ')', depth);
}

sg_sym sg_flat_result_name(sg_flat *flat, sg_var_id var)
{
    sg_flat_var *asked = &flat->vars.data[var.i];
    if (asked->result.i)
        return asked->result;
    unsigned depth = der_depth(flat, &var);
    sg_sym name = flat->vars.data[var.i].name;
    if (!depth)
        return name;
    const char *text = sg_sym_text(flat->symbols, name), *leaf = strrchr(text, '.');
    leaf = leaf ? leaf + 1 : text;
    sg_buf buf;
    sg_buf_init(&buf, flat->allocator);
    sg_buf_add(&buf, text, (size_t)(leaf - text));
    for (unsigned k = 0; k < depth; k++)
        sg_buf_puts(&buf, "der(");
    sg_buf_puts(&buf, leaf);
    sg_buf_pad(&buf, ')', depth);
    sg_sym made = sg_sym_intern(flat->symbols, sg_buf_text(&buf), buf.len);
    flat->failed = flat->failed || buf.failed || !made.i;
    sg_buf_free(&buf);
    asked->result = made;
    return made;
}

// Printing asks for names one at a time and copies each at once, so one buffer serves them all.
typedef struct namer {
    const sg_flat *flat;
    sg_buf buf;
} namer;

static const char *name_var(void *context, sg_var_id var)
{
    namer *n = context;
    sg_buf_clear(&n->buf);
    sg_flat_print_var(n->flat, var, &n->buf);
    return sg_buf_text(&n->buf);
}

static const char *name_par(void *context, sg_par_id par)
{
    namer *n = context;
    return sg_sym_text(n->flat->symbols, n->flat->pars.data[par.i].name);
}

static const char *name_func(void *context, sg_func_id func)
{
    namer *n = context;
    return sg_sym_text(n->flat->symbols, n->flat->funcs.data[func.i].name);
}

static const char *name_const(void *context, uint32_t index)
{
    namer *n = context;
    return sg_sym_text(n->flat->symbols, n->flat->consts.data[index].text);
}

void sg_flat_print_expr(const sg_flat *flat, sg_expr_id expr, sg_buf *out)
{
    namer n = {.flat = flat};
    sg_buf_init(&n.buf, flat->allocator);
    sg_expr_names names = {&n, name_var, name_par, name_func, name_const};
    sg_expr_print(&flat->exprs, expr, &names, 0, out);
    sg_buf_free(&n.buf);
}

void sg_flat_print_eq(const sg_flat *flat, sg_eq_id eq, sg_buf *out)
{
    const sg_flat_eq *e = sg_flat_eq_get(flat, eq);
    if (e->n_results) {
        for (uint32_t k = 0; k < e->n_results; k++) {
            sg_buf_puts(out, k ? ", " : "(");
            sg_flat_print_expr(flat, flat->results.data[e->first_result + k], out);
        }
        sg_buf_puts(out, e->n_results == 1 ? ",)" : ")");
    } else {
        sg_flat_print_expr(flat, e->lhs, out);
    }
    sg_buf_puts(out, " = ");
    sg_flat_print_expr(flat, e->rhs, out);
}

static void print_value(const sg_flat_value *value, sg_buf *out)
{
    char text[32];
    size_t n = (size_t)value->rows * value->cols, shown = n < 8 ? n : 8;
    if (value->kind == SG_FLAT_OTHER) {
        sg_buf_puts(out, "(object)");
        return;
    }
    if (value->kind == SG_FLAT_ARRAY)
        sg_buf_printf(out, "%s%ux%u [", value->fixed_size ? "static " : "", value->rows,
                      value->cols);
    for (size_t k = 0; k < shown; k++) {
        sg_format_shortest(value->numbers[k], text);
        sg_buf_printf(out, k ? ", %s" : "%s", text);
    }
    if (value->kind == SG_FLAT_ARRAY)
        sg_buf_puts(out, shown < n ? ", …]" : "]");
}

static void dump_var(const sg_flat *flat, uint32_t i, sg_buf *out)
{
    static const struct {
        uint32_t bit;
        const char *text;
    } words[] = {
        {SG_ATTR_POTENTIAL, " potential"},    {SG_ATTR_FLOW, " flow"},
        {SG_ATTR_TOP_INPUT, " input"},        {SG_ATTR_OUTPUT, " output"},
        {SG_ATTR_HIDE_RESULT, " hideResult"}, {SG_ATTR_COMPONENT_INPUT, " component input"}};
    const sg_flat_var *v = &flat->vars.data[i];
    sg_buf_puts(out, "  ");
    sg_flat_print_var(flat, (sg_var_id){i}, out);
    if (v->unit.i)
        sg_buf_printf(out, " [%s]", sg_sym_text(flat->symbols, v->unit));
    for (size_t k = 0; k < SG_COUNT(words); k++) {
        if (v->attributes & words[k].bit)
            sg_buf_puts(out, words[k].text);
    }
    if (v->value.kind != SG_FLAT_NONE) {
        sg_buf_puts(out, v->attributes & SG_ATTR_HAS_INIT ? " init = " : " start = ");
        print_value(&v->value, out);
    }
    sg_buf_putc(out, '\n');
}

void sg_flat_dump(const sg_flat *flat, sg_buf *out)
{
    sg_buf_printf(out, "model %s\nparameters\n", sg_sym_text(flat->symbols, flat->name));
    for (size_t i = 1; i < flat->pars.len; i++) {
        const sg_flat_par *p = &flat->pars.data[i];
        sg_buf_printf(out, "  %s = ", sg_sym_text(flat->symbols, p->name));
        print_value(&p->value, out);
        if (p->unit.i)
            sg_buf_printf(out, " [%s]", sg_sym_text(flat->symbols, p->unit));
        sg_buf_putc(out, '\n');
    }
    sg_buf_puts(out, "variables\n");
    for (size_t i = 1; i < flat->vars.len; i++)
        dump_var(flat, (uint32_t)i, out);
    sg_buf_puts(out, "equations\n");
    for (size_t i = 1; i < flat->eqs.len; i++) {
        sg_buf_printf(out, "%3zu ", i);
        sg_flat_print_eq(flat, (sg_eq_id){(uint32_t)i}, out);
        sg_buf_putc(out, '\n');
    }
    if (flat->initial_eqs.len)
        sg_buf_puts(out, "initial equations\n");
    for (size_t i = 0; i < flat->initial_eqs.len; i++) {
        sg_buf_printf(out, "%3zu ", i + 1);
        sg_flat_print_expr(flat, flat->initial_eqs.data[i].lhs, out);
        sg_buf_puts(out, " = ");
        sg_flat_print_expr(flat, flat->initial_eqs.data[i].rhs, out);
        sg_buf_putc(out, '\n');
    }
}

// ---- invariants ----

static bool sound_result(const sg_flat *flat, sg_expr_id e)
{
    return sg_expr_var_of(&flat->exprs, e).i || sg_expr_is_zero(&flat->exprs, e);
}

static bool sound_eq(const sg_flat *flat, const sg_flat_eq *e)
{
    if (!e->rhs.i || (!e->n_results && !e->lhs.i))
        return false;
    for (uint32_t k = 0; k < e->n_results; k++) {
        if (!sound_result(flat, flat->results.data[e->first_result + k]))
            return false;
    }
    sg_expr_id call = e->rhs;
    if (e->n_results && sg_expr_op_of(&flat->exprs, call) == SG_X_IMPLICIT)
        call = sg_expr_arg(&flat->exprs, call, 0);
    return !e->n_results || sg_expr_op_of(&flat->exprs, call) == SG_X_CALL;
}

sg_status sg_flat_validate(const sg_flat *flat, sg_diags *diags)
{
    sg_status status = sg_exprs_validate(&flat->exprs);
    for (size_t i = 1; i < flat->vars.len && !status; i++) {
        const sg_flat_var *v = &flat->vars.data[i];
        if (!v->name.i || (v->of.i && flat->vars.data[v->of.i].der.i != i) ||
            (v->der.i && flat->vars.data[v->der.i].of.i != i))
            status = SG_ERR_INTERNAL;
    }
    for (size_t i = 1; i < flat->eqs.len; i++) {
        if (sound_eq(flat, &flat->eqs.data[i]))
            continue;
        status = SG_ERR_INTERNAL;
        sg_error(diags, SG_E_NONE, flat->eqs.data[i].span,
                 "equation %zu of the flat model is malformed", i);
    }
    return status;
}
