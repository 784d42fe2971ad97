#include "base/assert.h"
#include "lang/quantity.h"
#include "lang/runtime.h"
#include "model/body_internal.h"
#include "model/literal.h"
#include "vm/bytecode.h"
#include "vm/vm.h"

#include <math.h>
#include <string.h>

static const sg_meaning nothing = {0};

sg_meaning sg_body_give_up(sg_body_reader *r, const char *format, const char *detail)
{
    if (!r->common->why)
        r->common->why = sg_arena_printf(r->arena, format, detail);
    if (!r->common->why)
        r->common->why = "memory ran out";
    return nothing;
}

const char *sg_body_name_text(const sg_body_reader *r, sg_sym sym)
{
    return sg_vm_text(r->instance->vm, sym);
}

// ---- names ----------------------------------------------------------------------------------

sg_body_name *sg_body_local(sg_body_reader *r, sg_sym name)
{
    for (uint32_t i = r->n_locals; i > 0; i--)
        if (sg_sym_equal(r->locals[i - 1].name, name))
            return &r->locals[i - 1];
    return NULL;
}

bool sg_body_assign(sg_body_reader *r, sg_sym name, sg_meaning value)
{
    sg_body_name *known = sg_body_local(r, name);
    value.returned = false;
    if (known) {
        known->value = value;
        known->shared = true;
        return true;
    }
    if (r->n_locals == SG_BODY_NAMES) {
        sg_body_give_up(r, "%s", "it has too many variables");
        return false;
    }
    r->locals[r->n_locals++] = (sg_body_name){name, value, true};
    return true;
}

static sg_meaning read_name(sg_body_reader *r, const sg_ast *ast)
{
    const char *text = sg_body_name_text(r, ast->sym);
    const sg_body_name *known = sg_body_local(r, ast->sym);
    if (r->n_loops && sg_body_is_written(r, ast->sym))
        return sg_body_give_up(r, "it uses '%s' while a loop writes to it", text);
    if (known && !sg_is_understood(known->value))
        return sg_body_give_up(r, "'%s' may not have a value", text);
    if (known)
        return known->value;
    const sg_cell *cell = sg_module_find(r->module, ast->sym);
    sg_value value = cell ? sg_cell_value(cell) : (sg_value){.tag = SG_UNDEF};
    bool constant = cell && (cell->head.flags & SG_CELL_CONST);
    sg_flat_value numbers;
    sg_sym unit;
    if (!constant || !sg_model_numbers(r->instance, value, &numbers, &unit))
        return sg_body_give_up(
            r, "it uses '%s', which is neither one of its variables nor a constant", text);
    return sg_meaning_of(sg_convert_value(r->instance, value, ast->span));
}

// ---- expressions ----------------------------------------------------------------------------

// The values from number `from` on, in the arena: expressions are deep, so not on the stack.
static sg_expr_id *read_values(sg_body_reader *r, const sg_ast *ast, uint32_t from)
{
    if (ast->n - from > SG_BODY_ITEMS) {
        sg_body_give_up(r, "%s", "a list in it is too long");
        return NULL;
    }
    sg_expr_id *out = SG_NEW_ARRAY(r->arena, sg_expr_id, ast->n - from + 1);
    if (!out) {
        r->exprs->failed = true;
        sg_body_give_up(r, "%s", "memory ran out");
    }
    for (uint32_t i = from; out && i < ast->n; i++) {
        sg_meaning m = sg_body_read(r, ast->kids[i]);
        if (!m.one.i || m.returned) {
            sg_body_give_up(r, "%s", "it computes with tuples, or returns inside of an expression");
            return NULL;
        }
        out[i - from] = m.one;
    }
    return out;
}

static bool is_comparison(sg_expr_op op) { return op >= SG_X_LT && op <= SG_X_NE; }

static sg_expr_id compare(sg_body_reader *r, sg_expr_op op, bool dot, const sg_expr_id *args)
{
    bool literal = sg_expr_is_literal(r->exprs, args[0]) && sg_expr_is_literal(r->exprs, args[1]);
    return literal ? sg_expr_make(r->exprs, op, args, 2)
                   : sg_expr_raw(r->exprs, op, dot, SG_EXPR_IN_FUNCTION, args, 2);
}

static sg_meaning read_function_call(sg_body_reader *r, const sg_ast *ast, sg_value function);
static sg_meaning read_dotted_call(sg_body_reader *r, const sg_ast *ast, sg_value function);

static bool is_reduction(sg_expr_op op)
{
    return op == SG_X_SUM || op == SG_X_PROD || op == SG_X_MAXIMUM || op == SG_X_MINIMUM;
}

// size(x) is a tuple of two; of a vector the second is not asked for.
static sg_meaning read_size(sg_body_reader *r, const sg_ast *ast)
{
    sg_meaning base = sg_body_read(r, ast->kids[1]);
    double along;
    if (!base.one.i)
        return sg_body_give_up(r, "%s", "of a size in it");
    if (ast->n == 3) {
        sg_meaning d = sg_body_read(r, ast->kids[2]);
        if (!d.one.i || !sg_expr_is_number(r->exprs, d.one, &along) || (along != 1 && along != 2))
            return sg_body_give_up(r, "%s", "of a size in it");
        return sg_meaning_of(sg_expr_end(r->exprs, base.one, (uint32_t)along));
    }
    sg_meaning m = {.items = SG_NEW_ARRAY(r->arena, sg_expr_id, 3), .n = 2};
    for (uint32_t k = 0; m.items && k < 2; k++)
        m.items[k] = sg_expr_end(r->exprs, base.one, k + 1);
    return m.items ? m : nothing;
}

// Functions of the language that are no operators of the graph.
static sg_meaning read_builtin(sg_body_reader *r, const sg_ast *ast, const char *name)
{
    uint32_t n = ast->n - 1;
    bool typed = n > 1 && ast->kids[1]->kind == SG_AST_NAME &&
                 strcmp(sg_body_name_text(r, ast->kids[1]->sym), "Float64") == 0;
    if (strcmp(name, "size") == 0 && n >= 1 && n <= 2)
        return read_size(r, ast);
    if ((strcmp(name, "similar") == 0 || strcmp(name, "copy") == 0) && n == 1) {
        sg_meaning m = sg_body_read(r, ast->kids[1]);
        bool same = name[0] == 'c';
        return m.one.i && !same ? sg_meaning_of(sg_expr_unary(r->exprs, SG_X_ZERO, m.one)) : m;
    }
    if ((strcmp(name, "vcat") == 0 || strcmp(name, "hcat") == 0) && n >= 1) {
        const sg_expr_id *args = read_values(r, ast, 1);
        sg_expr_op op = name[0] == 'v' ? SG_X_VCAT : SG_X_HCAT;
        return args ? sg_meaning_of(sg_expr_make(r->exprs, op, args, n)) : nothing;
    }
    if ((strcmp(name, "zeros") == 0 || strcmp(name, "ones") == 0) && typed && n <= 3) {
        const sg_expr_id *args = read_values(r, ast, 2);
        sg_expr_op op = name[0] == 'z' ? SG_X_ZEROS : SG_X_ONES;
        return args ? sg_meaning_of(sg_expr_make(r->exprs, op, args, n - 1)) : nothing;
    }
    if (strcmp(name, "clamp") == 0 && n == 3) {
        const sg_expr_id *args = read_values(r, ast, 1);
        if (!args)
            return nothing;
        sg_expr_id inner[2] = {sg_expr_make(r->exprs, SG_X_MAX, args, 2), args[2]};
        return sg_meaning_of(sg_expr_make(r->exprs, SG_X_MIN, inner, 2));
    }
    return nothing;
}

static sg_meaning read_call(sg_body_reader *r, const sg_ast *ast)
{
    const sg_ast *callee = ast->kids[0];
    uint32_t n = ast->n - 1;
    if (callee->kind != SG_AST_NAME)
        return sg_body_give_up(r, "%s", "it calls something that has no plain name");
    const char *name = sg_body_name_text(r, callee->sym);
    sg_value function = sg_module_get(r->module, callee->sym);
    bool own = sg_is(function, SG_OBJ_FUNCTION) && ((sg_function *)function.o)->n_methods > 0;
    bool dotted = ast->flags & SG_AST_DOTTED, named = sg_body_local(r, callee->sym);
    sg_expr_op op = sg_convert_operator(name, n);
    if (!own && !named && !dotted && n == 1 && ast->kids[1]->kind == SG_AST_GENERATOR &&
        is_reduction(op))
        return sg_body_reduction(r, ast->kids[1], op);
    for (uint32_t i = 1; i < ast->n; i++) {
        int kind = ast->kids[i]->kind;
        if (kind == SG_AST_KW || kind == SG_AST_SPLAT || kind == SG_AST_PARAMETERS ||
            kind == SG_AST_GENERATOR || kind == SG_AST_LAMBDA)
            return sg_body_give_up(r, "it calls '%s' with more than plain arguments", name);
    }
    if (own && !dotted && !named)
        return read_function_call(r, ast, function);
    if (own && dotted && !named)
        return read_dotted_call(r, ast, function);
    sg_meaning builtin = !own && !named && !dotted ? read_builtin(r, ast, name) : nothing;
    if (sg_is_understood(builtin) || r->common->why)
        return builtin;
    if (own || op == SG_X_NULL || named || (sg_expr_op_info(op)->traits & SG_TRAIT_EVENT) ||
        op == SG_X_IMPLICIT)
        return sg_body_give_up(r, "it calls '%s'", name);
    const sg_expr_id *args = read_values(r, ast, 1);
    if (!args)
        return nothing;
    if (is_comparison(op))
        return sg_meaning_of(compare(r, op, dotted, args));
    return sg_meaning_of(dotted ? sg_expr_make_dot(r->exprs, op, args, n)
                                : sg_expr_make(r->exprs, op, args, n));
}

static sg_meaning read_chain(sg_body_reader *r, const sg_ast *ast)
{
    sg_expr_id all = {0};
    for (uint32_t i = 0; i + 2 < ast->n; i += 2) {
        sg_expr_op op = sg_convert_operator(sg_body_name_text(r, ast->kids[i + 1]->sym), 2);
        sg_expr_id pair[2] = {sg_body_read(r, ast->kids[i]).one,
                              sg_body_read(r, ast->kids[i + 2]).one};
        if (!is_comparison(op) || !pair[0].i || !pair[1].i)
            return sg_body_give_up(r, "%s", "of a comparison in it");
        sg_expr_id next = compare(r, op, false, pair);
        all = all.i ? sg_expr_binary(r->exprs, SG_X_AND, all, next) : next;
    }
    return sg_meaning_of(all);
}

// An element of an array that was changed element by element before, where that is literal.
static sg_expr_id unchanged_part(const sg_body_reader *r, sg_expr_id base, const sg_expr_id *args,
                                 uint32_t n, sg_expr_id *value)
{
    const sg_exprs *x = r->exprs;
    while (sg_expr_op_of(x, base) == SG_X_SETINDEX && sg_expr_n_args(x, base) == n + 1) {
        bool same = true, other = false;
        for (uint32_t k = 1; k < n; k++) {
            sg_expr_id at = sg_expr_arg(x, base, k + 1);
            bool literal = sg_expr_is_literal(x, at) && sg_expr_is_literal(x, args[k]);
            same &= at.i == args[k].i;
            other |= literal && at.i != args[k].i;
        }
        if (same)
            *value = sg_expr_arg(x, base, 1);
        if (same || !other)
            return base;
        base = sg_expr_arg(x, base, 0);
    }
    return base;
}

static sg_expr_id read_one_index(sg_body_reader *r, const sg_ast *ast, uint32_t i, sg_expr_id base)
{
    const sg_ast *kid = ast->kids[i];
    if (kid->kind == SG_AST_COLON)
        return sg_expr_raw(r->exprs, SG_X_COLON, false, 0, NULL, 0);
    sg_expr_id outer = r->indexed;
    uint32_t dimension = r->dimension;
    r->indexed = base;
    r->dimension = ast->n == 2 ? 0 : i;
    sg_expr_id index = sg_body_read(r, kid).one;
    r->indexed = outer;
    r->dimension = dimension;
    return index;
}

// Elements by literal or computed index; a whole row or column by a colon.
static sg_meaning read_index(sg_body_reader *r, const sg_ast *ast)
{
    sg_expr_id args[3];
    double at;
    if (ast->n < 2 || ast->n > 3)
        return sg_body_give_up(r, "%s", "of an index in it");
    const sg_ast *named = ast->kids[0]->kind == SG_AST_NAME ? ast->kids[0] : NULL;
    bool written = named && r->n_loops && sg_body_is_written(r, named->sym);
    const sg_body_name *array = written ? sg_body_local(r, named->sym) : NULL;
    sg_meaning base = array ? array->value : sg_body_read(r, ast->kids[0]);
    if (!sg_is_understood(base))
        return written ? sg_body_give_up(r, "%s", "of an index in it") : nothing;
    args[0] = base.one;
    for (uint32_t i = 1; i < ast->n; i++) {
        const sg_ast *kid = ast->kids[i];
        args[i] = read_one_index(r, ast, i, args[0]);
        if (!args[i].i)
            return sg_body_give_up(r, "%s", "of an index in it");
        // Both sides of a branch are computed, and an index that is out of range is an error.
        bool sure = kid->kind == SG_AST_COLON || kid->kind == SG_AST_END ||
                    sg_expr_is_literal(r->exprs, args[i]) || sg_body_sure_index(r, args[i]);
        if (r->in_branch && !sure)
            return sg_body_give_up(r, "%s", "an index is computed in one of its branches");
    }
    sg_meaning inside;
    if (written && sg_body_written(r, named->sym, args + 1, ast->n - 1, &inside))
        return inside;
    if (base.one.i) {
        sg_expr_id value = {0};
        args[0] = unchanged_part(r, args[0], args, ast->n, &value);
        return sg_meaning_of(value.i ? value : sg_expr_make(r->exprs, SG_X_INDEX, args, ast->n));
    }
    if (ast->n != 2 || !sg_expr_is_number(r->exprs, args[1], &at) || at < 1 || at > base.n)
        return sg_body_give_up(r, "%s",
                               "a tuple in it is indexed with something that is not a literal");
    return sg_meaning_of(base.items[(uint32_t)at - 1]);
}

// a:b outside of loops: its length must be known before a run.
static sg_meaning read_range(sg_body_reader *r, const sg_ast *ast)
{
    const sg_expr_id *args = read_values(r, ast, 0);
    sg_expr_id range = args ? sg_expr_make(r->exprs, SG_X_RANGE, args, ast->n) : (sg_expr_id){0};
    return range.i && sg_body_is_settled(r, range)
               ? sg_meaning_of(range)
               : sg_body_give_up(r, "%s", "a range in it is not known before a run");
}

static sg_meaning read_end(sg_body_reader *r)
{
    return r->indexed.i ? sg_meaning_of(sg_expr_end(r->exprs, r->indexed, r->dimension))
                        : sg_body_give_up(r, "%s", "of an index in it");
}

sg_meaning sg_body_choose(sg_body_reader *r, sg_expr_id condition, sg_meaning yes, sg_meaning no)
{
    if (yes.one.i && no.one.i)
        return sg_meaning_of(sg_expr_if(r->exprs, condition, yes.one, no.one));
    if (!yes.items || !no.items || yes.n != no.n)
        return sg_body_give_up(r, "%s", "its branches have different kinds of values");
    sg_meaning both = {.items = SG_NEW_ARRAY(r->arena, sg_expr_id, yes.n + 1), .n = yes.n};
    for (uint32_t k = 0; both.items && k < yes.n; k++)
        both.items[k] = sg_expr_if(r->exprs, condition, yes.items[k], no.items[k]);
    return both;
}

static sg_meaning read_array(sg_body_reader *r, const sg_ast *ast, sg_expr_op op)
{
    const sg_expr_id *args = read_values(r, ast, 0);
    return args ? sg_meaning_of(sg_expr_make(r->exprs, op, args, ast->n)) : nothing;
}

static sg_meaning read_tuple(sg_body_reader *r, const sg_ast *ast)
{
    sg_meaning m = {.items = read_values(r, ast, 0), .n = ast->n};
    return m.items ? m : nothing;
}

static sg_meaning read_quantity(sg_body_reader *r, const sg_ast *ast)
{
    sg_value value;
    if (sg_script_eval(sg_runtime_of(r->instance->vm), r->module, ast, &value) != SG_OK)
        return sg_body_give_up(r, "%s", "of a unit in it");
    if (value.tag == SG_UNIT)
        value = sg_quantity(1.0, value.aux);
    return sg_meaning_of(sg_convert_value(r->instance, value, ast->span));
}

static sg_meaning read_node(sg_body_reader *r, const sg_ast *ast)
{
    switch ((int)ast->kind) {
    case SG_AST_INT:
        return sg_meaning_of(sg_expr_int(r->exprs, (double)ast->i));
    case SG_AST_FLOAT:
        return sg_meaning_of(sg_expr_num(r->exprs, ast->d));
    case SG_AST_BOOL:
        return sg_meaning_of(sg_expr_bool(r->exprs, ast->i != 0));
    case SG_AST_STRMACRO:
        return read_quantity(r, ast);
    case SG_AST_NAME:
        return read_name(r, ast);
    case SG_AST_CALL:
        return read_call(r, ast);
    case SG_AST_INDEX:
        return read_index(r, ast);
    case SG_AST_RANGE:
        return read_range(r, ast);
    case SG_AST_END:
        return read_end(r);
    case SG_AST_COMPREHENSION:
        return sg_body_comprehension(r, ast);
    case SG_AST_ADJOINT:
        return read_array(r, ast, SG_X_TRANSPOSE);
    case SG_AST_VECT:
        return read_array(r, ast, SG_X_VECT);
    case SG_AST_VCAT:
        return read_array(r, ast, SG_X_VCAT);
    case SG_AST_HCAT:
    case SG_AST_ROW:
        return ast->n == 1 ? sg_body_read(r, ast->kids[0]) : read_array(r, ast, SG_X_HCAT);
    case SG_AST_TUPLE:
        return read_tuple(r, ast);
    case SG_AST_IF:
        return sg_body_if(r, ast);
    case SG_AST_AND:
        return read_array(r, ast, SG_X_AND);
    case SG_AST_OR:
        return read_array(r, ast, SG_X_OR);
    case SG_AST_COMPARE:
        return read_chain(r, ast);
    case SG_AST_BLOCK:
        return sg_body_statements(r, (const sg_ast *const *)ast->kids, ast->n);
    case SG_AST_ASSIGN:
    case SG_AST_OPASSIGN:
        return sg_body_assignment(r, ast);
    case SG_AST_RETURN:
        return sg_body_return(r, ast);
    case SG_AST_FOR:
        return sg_body_for(r, ast);
    case SG_AST_NONE:
        return nothing;
    case SG_AST_WHILE:
        return sg_body_give_up(r, "%s", "it has a while loop");
    default:
        return sg_body_give_up(r, "%s", "of a statement that computes more than numbers");
    }
}

sg_meaning sg_body_read(sg_body_reader *r, const sg_ast *ast)
{
    if (r->common->why)
        return nothing;
    if (++r->common->work > SG_BODY_WORK)
        return sg_body_give_up(r, "%s", "it is too long");
    if (r->depth >= SG_BODY_DEPTH)
        return sg_body_give_up(r, "%s", "it is nested too deeply");
    r->depth++;
    sg_meaning m = read_node(r, ast);
    r->depth--;
    return m;
}

// ---- functions ------------------------------------------------------------------------------

static bool takes_numbers(const sg_body_reader *r, const sg_type *type)
{
    const sg_types *t = &r->instance->vm->types;
    const sg_type *const accepted[] = {t->Any,           t->Number,         t->Real,
                                       t->AbstractFloat, t->Float64,        t->AbstractArray,
                                       t->Array,         t->AbstractVector, t->AbstractMatrix,
                                       t->Vector,        t->Matrix};
    for (size_t i = 0; type && i < SG_COUNT(accepted); i++)
        if (type == accepted[i])
            return true;
    return !type;
}

// The only method that a call with this many arguments can mean, if it takes numbers.
static const sg_method *find_method(sg_body_reader *r, const sg_function *f, uint32_t n_args)
{
    const sg_method *found = NULL;
    for (uint32_t i = 0; i < f->n_methods; i++) {
        const sg_method *m = &f->methods[i];
        bool fits = n_args >= m->n_required && (m->varargs || n_args <= m->n_max);
        if (fits && found) {
            sg_body_give_up(r, "%s", "the types of its arguments decide which method runs");
            return NULL;
        }
        found = fits ? m : found;
    }
    if (!found || found->varargs || found->n_max != n_args || f->native) {
        sg_body_give_up(r, "%s", "no method takes exactly these arguments");
        return NULL;
    }
    for (uint32_t k = 0; found->types && k < n_args; k++)
        if (!takes_numbers(r, found->types[k])) {
            sg_body_give_up(r, "%s", "the type of a parameter is not that of plain numbers");
            return NULL;
        }
    return found;
}

static sg_meaning read_method(sg_body_reader *r, const sg_function *f, const sg_expr_id *args,
                              uint32_t n)
{
    const sg_method *method = find_method(r, f, n);
    const sg_proto *proto = method ? method->closure->proto : NULL;
    if (!proto)
        return nothing;
    if (!proto->tree || !proto->params || proto->n_kw || proto->kwrest || method->closure->n)
        return sg_body_give_up(r, "%s", "it is not a plain function with a name");
    sg_body_reader *inner = SG_NEW(r->arena, sg_body_reader);
    if (!inner)
        return nothing;
    *inner = (sg_body_reader){.instance = r->instance,
                              .exprs = r->exprs,
                              .arena = r->arena,
                              .module = proto->module,
                              .calls = r->calls + 1,
                              .depth = r->depth,
                              .in_branch = r->in_branch,
                              .common = r->common,
                              .n_loops = r->n_loops};
    memcpy(inner->loops, r->loops, sizeof r->loops);
    if (inner->calls > SG_BODY_CALLS)
        return sg_body_give_up(r, "%s", "it calls itself");
    for (uint32_t k = 0; k < n; k++)
        if (!proto->params[k].i || !sg_body_assign(inner, proto->params[k], sg_meaning_of(args[k])))
            return sg_body_give_up(r, "%s", "of its parameters");
    sg_meaning m = sg_body_read(inner, proto->tree);
    m.returned = false;
    return sg_is_understood(m) || r->common->why
               ? m
               : sg_body_give_up(r, "%s", "it has no value in every case");
}

static sg_meaning read_function_call(sg_body_reader *r, const sg_ast *ast, sg_value function)
{
    const sg_expr_id *args = read_values(r, ast, 1);
    if (!args)
        return nothing;
    return read_method(r, (const sg_function *)(const void *)function.o, args, ast->n - 1);
}

// f.(x, y): f of numbers, then for all elements at once.
static sg_meaning read_dotted_call(sg_body_reader *r, const sg_ast *ast, sg_value function)
{
    uint32_t n = ast->n - 1;
    const sg_expr_id *args = read_values(r, ast, 1);
    sg_expr_id *names = args ? SG_NEW_ARRAY(r->arena, sg_expr_id, n + 1) : NULL;
    if (!names || n == 0)
        return sg_body_give_up(r, "%s", "of a call in it");
    sg_var_id first = {SG_LANE_VARS + r->common->n_lanes};
    r->common->n_lanes += n;
    for (uint32_t k = 0; k < n; k++)
        names[k] = sg_expr_var(r->exprs, (sg_var_id){first.i + k});
    sg_meaning m = read_method(r, (const sg_function *)(const void *)function.o, names, n);
    if (!m.one.i)
        return sg_body_give_up(r, "%s", "a function in it that is called with a dot has no number");
    return sg_body_broadcast(r, m.one, first, args, n);
}

// The results that the equation wants, from what the function gives.
static bool take_results(sg_body_reader *r, sg_meaning m, sg_expr_id *results, uint32_t n)
{
    if (n == 1) {
        results[0] = m.one.i ? m.one : m.n == 1 ? m.items[0] : (sg_expr_id){0};
        return results[0].i;
    }
    bool vector = m.one.i && sg_expr_op_of(r->exprs, m.one) == SG_X_VECT;
    if (!vector && (!m.items || m.n < n))
        return false;
    if (vector && sg_expr_n_args(r->exprs, m.one) < n)
        return false;
    for (uint32_t k = 0; k < n; k++)
        results[k] = vector ? sg_expr_arg(r->exprs, m.one, k) : m.items[k];
    return true;
}

// A reader at the beginning of a function; parameters are the variables 1, 2, ... until the body is
// put in place.
static sg_body_reader *begin(sg_instance *instance, sg_arena *scratch, sg_body_common **common)
{
    sg_body_reader *r = SG_NEW(scratch, sg_body_reader);
    *common = SG_NEW(scratch, sg_body_common);
    if (!r || !*common)
        return NULL;
    *r = (sg_body_reader){.instance = instance,
                          .exprs = &instance->flat.exprs,
                          .arena = scratch,
                          .module = instance->module,
                          .common = *common};
    return r;
}

static const sg_func_body *finish(sg_body_reader *r, sg_meaning m, uint32_t n_args,
                                  uint32_t n_results, const char **why)
{
    sg_arena *arena = &r->instance->flat.arena;
    sg_func_body *body = SG_NEW(arena, sg_func_body);
    sg_expr_id *results = SG_NEW_ARRAY(arena, sg_expr_id, n_results + 1);
    bool *settled = SG_NEW_ARRAY(arena, bool, n_args + 1);
    if (!body || !results || !settled)
        return NULL;
    *why = r->common->why;
    if (!*why && !take_results(r, m, results, n_results))
        *why = "it does not return that many numbers";
    if (*why)
        *why = sg_arena_text(arena, *why, strlen(*why));
    if (*why || r->exprs->failed)
        return NULL;
    memcpy(settled, r->common->settled, n_args * sizeof *settled);
    *body = (sg_func_body){n_args, n_results, results, settled};
    return body;
}

static const sg_func_body *read_body(sg_instance *instance, const sg_function *function,
                                     uint32_t n_args, uint32_t n_results, sg_arena *scratch,
                                     const char **why)
{
    sg_expr_id args[SG_BODY_ITEMS];
    sg_body_common *common;
    sg_body_reader *r = begin(instance, scratch, &common);
    if (!r || n_args > SG_BODY_ITEMS)
        return NULL;
    for (uint32_t k = 0; k < n_args; k++)
        args[k] = sg_expr_var(r->exprs, (sg_var_id){k + 1});
    return finish(r, read_method(r, function, args, n_args), n_args, n_results, why);
}

const sg_func_body *sg_model_body_of_tree(sg_instance *instance, const sg_ast *tree,
                                          const sg_sym *params, uint32_t n, const char **why)
{
    sg_arena scratch;
    sg_body_common *common;
    const sg_func_body *body = NULL;
    *why = NULL;
    sg_arena_init(&scratch, instance->vm->allocator);
    sg_body_reader *r = begin(instance, &scratch, &common);
    for (uint32_t k = 0; r && k < n && k < SG_BODY_ITEMS; k++)
        sg_body_assign(r, params[k], sg_meaning_of(sg_expr_var(r->exprs, (sg_var_id){k + 1})));
    if (r && n <= SG_BODY_NAMES)
        body = finish(r, sg_body_read(r, tree), n, 1, why);
    sg_arena_destroy(&scratch);
    return body;
}

const sg_func_body *sg_model_body(sg_instance *instance, sg_value function, uint32_t n_args,
                                  uint32_t n_results, const char **why)
{
    *why = NULL;
    if (!sg_is(function, SG_OBJ_FUNCTION)) {
        *why = "it is not a function";
        return NULL;
    }
    if (n_args > UINT8_MAX || n_results > UINT8_MAX) {
        *why = "it has too many arguments or results";
        return NULL;
    }
    // Addresses leave the upper bits free.
    uint64_t key =
        (uint64_t)(uintptr_t)function.o ^ (uint64_t)n_args << 48 ^ (uint64_t)n_results << 56;
    uint64_t *known = sg_map_get(&instance->bodies, key);
    sg_body_entry *entry = known ? (sg_body_entry *)(uintptr_t)*known : NULL;
    if (!entry) {
        sg_arena scratch;
        sg_arena_init(&scratch, instance->vm->allocator);
        entry = SG_NEW(&instance->flat.arena, sg_body_entry);
        if (entry)
            entry->body = read_body(instance, (const sg_function *)(const void *)function.o, n_args,
                                    n_results, &scratch, &entry->why);
        sg_arena_destroy(&scratch);
        if (!entry || !sg_map_put(&instance->bodies, key, (uint64_t)(uintptr_t)entry))
            return NULL;
    }
    *why = entry->why;
    return entry->body;
}

// Parameters, literals and sizes are known; variables are not, even where an equation makes them
// constant.
static bool settled_variable(void *context, sg_var_id var, bool demand)
{
    (void)context;
    (void)var;
    (void)demand;
    return false;
}

bool sg_model_body_fits(sg_instance *instance, const sg_func_body *body, const sg_expr_id *args)
{
    sg_lanes l;
    bool fits = true;
    sg_lanes_init(&l, &instance->flat.exprs);
    l.is_settled = settled_variable;
    for (uint32_t k = 0; body->settled && k < body->n_params && fits; k++)
        fits = !body->settled[k] || sg_lanes_settled(&l, args[k], false);
    sg_lanes_free(&l);
    return fits;
}
