#include "model/body.h"

#include "base/assert.h"
#include "lang/quantity.h"
#include "lang/runtime.h"
#include "model/literal.h"
#include "syntax/ast.h"
#include "vm/bytecode.h"
#include "vm/vm.h"

#include <math.h>
#include <string.h>

enum {
    MAX_LOCALS = 64,
    MAX_ITEMS = 256,  // of a call, tuple or array
    MAX_CALLS = 16,   // functions that call functions
    MAX_WORK = 20000, // nodes looked at: loops and branches multiply
    MAX_DEPTH = 3000, // of expressions inside each other, over all functions that call each other
    MAX_LOOP = 1000   // rounds of one loop
};

// What an expression of the function stands for: one value, or several.
typedef struct meaning {
    sg_expr_id one; // null: a tuple
    sg_expr_id *items;
    uint32_t n;
    bool returned; // by a return statement: nothing behind it is looked at
} meaning;

typedef struct local {
    sg_sym name;
    meaning value;
} local;

typedef struct body_reader {
    sg_instance *instance;
    sg_exprs *exprs;
    sg_arena *arena;
    sg_module *module; // of the function that is read
    local locals[MAX_LOCALS];
    uint32_t n_locals;
    uint32_t calls;   // how deep
    uint32_t depth;   // of the expression that is read
    bool in_branch;   // what is read may not be computed in every case
    uint32_t *work;   // shared by the functions below
    const char **why; // likewise; set once
} body_reader;

static const meaning nothing = {0};

static meaning read(body_reader *r, const sg_ast *ast);
static meaning read_statements(body_reader *r, const sg_ast *const *list, uint32_t n);

static meaning give_up(body_reader *r, const char *format, const char *detail)
{
    if (!*r->why)
        *r->why = sg_arena_printf(r->arena, format, detail);
    if (!*r->why)
        *r->why = "memory ran out";
    return nothing;
}

static bool understood(meaning m) { return m.one.i || m.items; }
static meaning one(sg_expr_id e) { return (meaning){.one = e}; }

static const char *name_text(const body_reader *r, sg_sym sym)
{
    return sg_vm_text(r->instance->vm, sym);
}

// ---- names ----------------------------------------------------------------------------------

static local *find_local(body_reader *r, sg_sym name)
{
    for (uint32_t i = r->n_locals; i > 0; i--)
        if (sg_sym_equal(r->locals[i - 1].name, name))
            return &r->locals[i - 1];
    return NULL;
}

static bool assign(body_reader *r, sg_sym name, meaning value)
{
    local *known = find_local(r, name);
    value.returned = false;
    if (known) {
        known->value = value;
        return true;
    }
    if (r->n_locals == MAX_LOCALS) {
        give_up(r, "%s", "it has too many variables");
        return false;
    }
    r->locals[r->n_locals++] = (local){name, value};
    return true;
}

static meaning read_name(body_reader *r, const sg_ast *ast)
{
    const char *text = name_text(r, ast->sym);
    const local *known = find_local(r, ast->sym);
    if (known && !understood(known->value))
        return give_up(r, "'%s' may not have a value", text);
    if (known)
        return known->value;
    const sg_cell *cell = sg_module_find(r->module, ast->sym);
    sg_value value = cell ? sg_cell_value(cell) : (sg_value){.tag = SG_UNDEF};
    bool constant = cell && (cell->head.flags & SG_CELL_CONST);
    sg_flat_value numbers;
    sg_sym unit;
    if (!constant || !sg_model_numbers(r->instance, value, &numbers, &unit))
        return give_up(r, "it uses '%s', which is neither one of its variables nor a constant",
                       text);
    return one(sg_convert_value(r->instance, value, ast->span));
}

// ---- expressions ----------------------------------------------------------------------------

// The values from number `from` on, in the arena: expressions are deep, so not on the stack.
static sg_expr_id *read_values(body_reader *r, const sg_ast *ast, uint32_t from)
{
    if (ast->n - from > MAX_ITEMS) {
        give_up(r, "%s", "a list in it is too long");
        return NULL;
    }
    sg_expr_id *out = SG_NEW_ARRAY(r->arena, sg_expr_id, ast->n - from + 1);
    if (!out) {
        r->exprs->failed = true;
        give_up(r, "%s", "memory ran out");
    }
    for (uint32_t i = from; out && i < ast->n; i++) {
        meaning m = read(r, ast->kids[i]);
        if (!m.one.i || m.returned) {
            give_up(r, "%s", "it computes with tuples, or returns inside of an expression");
            return NULL;
        }
        out[i - from] = m.one;
    }
    return out;
}

static bool is_comparison(sg_expr_op op) { return op >= SG_X_LT && op <= SG_X_NE; }

static sg_expr_id compare(body_reader *r, sg_expr_op op, bool dot, const sg_expr_id *args)
{
    bool literal = sg_expr_is_literal(r->exprs, args[0]) && sg_expr_is_literal(r->exprs, args[1]);
    return literal ? sg_expr_make(r->exprs, op, args, 2)
                   : sg_expr_raw(r->exprs, op, dot, SG_EXPR_IN_FUNCTION, args, 2);
}

static meaning read_function_call(body_reader *r, const sg_ast *ast, sg_value function);

static meaning read_call(body_reader *r, const sg_ast *ast)
{
    const sg_ast *callee = ast->kids[0];
    uint32_t n = ast->n - 1;
    if (callee->kind != SG_AST_NAME)
        return give_up(r, "%s", "it calls something that has no plain name");
    const char *name = name_text(r, callee->sym);
    for (uint32_t i = 1; i < ast->n; i++) {
        int kind = ast->kids[i]->kind;
        if (kind == SG_AST_KW || kind == SG_AST_SPLAT || kind == SG_AST_PARAMETERS ||
            kind == SG_AST_GENERATOR || kind == SG_AST_LAMBDA)
            return give_up(r, "it calls '%s' with more than plain arguments", name);
    }
    sg_value function = sg_module_get(r->module, callee->sym);
    bool own = sg_is(function, SG_OBJ_FUNCTION) && ((sg_function *)function.o)->n_methods > 0;
    bool dotted = ast->flags & SG_AST_DOTTED;
    if (own && !dotted && !find_local(r, callee->sym))
        return read_function_call(r, ast, function);
    sg_expr_op op = sg_convert_operator(name, n);
    if (own || op == SG_X_NULL || find_local(r, callee->sym) ||
        (sg_expr_op_info(op)->traits & SG_TRAIT_EVENT) || op == SG_X_IMPLICIT)
        return give_up(r, "it calls '%s'", name);
    const sg_expr_id *args = read_values(r, ast, 1);
    if (!args)
        return nothing;
    if (is_comparison(op))
        return one(compare(r, op, dotted, args));
    return one(dotted ? sg_expr_make_dot(r->exprs, op, args, n)
                      : sg_expr_make(r->exprs, op, args, n));
}

static meaning read_chain(body_reader *r, const sg_ast *ast)
{
    sg_expr_id all = {0};
    for (uint32_t i = 0; i + 2 < ast->n; i += 2) {
        sg_expr_op op = sg_convert_operator(name_text(r, ast->kids[i + 1]->sym), 2);
        sg_expr_id pair[2] = {read(r, ast->kids[i]).one, read(r, ast->kids[i + 2]).one};
        if (!is_comparison(op) || !pair[0].i || !pair[1].i)
            return give_up(r, "%s", "of a comparison in it");
        sg_expr_id next = compare(r, op, false, pair);
        all = all.i ? sg_expr_binary(r->exprs, SG_X_AND, all, next) : next;
    }
    return one(all);
}

// Elements by literal or computed index; a whole row or column by a colon.
static meaning read_index(body_reader *r, const sg_ast *ast)
{
    sg_expr_id args[3];
    double at;
    if (ast->n < 2 || ast->n > 3)
        return give_up(r, "%s", "of an index in it");
    meaning base = read(r, ast->kids[0]);
    if (!understood(base))
        return nothing;
    args[0] = base.one;
    for (uint32_t i = 1; i < ast->n; i++) {
        const sg_ast *kid = ast->kids[i];
        args[i] = kid->kind == SG_AST_COLON ? sg_expr_raw(r->exprs, SG_X_COLON, false, 0, NULL, 0)
                  : kid->kind == SG_AST_END && base.one.i
                      ? sg_expr_end(r->exprs, args[0], ast->n == 2 ? 0 : i)
                      : read(r, kid).one;
        if (!args[i].i)
            return give_up(r, "%s", "of an index in it");
        // Both sides of a branch are computed, and an index that is out of range is an error.
        bool sure = kid->kind == SG_AST_COLON || kid->kind == SG_AST_END ||
                    sg_expr_is_literal(r->exprs, args[i]);
        if (r->in_branch && !sure)
            return give_up(r, "%s", "an index is computed in one of its branches");
    }
    if (base.one.i)
        return one(sg_expr_make(r->exprs, SG_X_INDEX, args, ast->n));
    if (ast->n != 2 || !sg_expr_is_number(r->exprs, args[1], &at) || at < 1 || at > base.n)
        return give_up(r, "%s", "a tuple in it is indexed with something that is not a literal");
    return one(base.items[(uint32_t)at - 1]);
}

static meaning choose(body_reader *r, sg_expr_id condition, meaning yes, meaning no)
{
    if (yes.one.i && no.one.i)
        return one(sg_expr_if(r->exprs, condition, yes.one, no.one));
    if (!yes.items || !no.items || yes.n != no.n)
        return give_up(r, "%s", "its branches have different kinds of values");
    meaning both = {.items = SG_NEW_ARRAY(r->arena, sg_expr_id, yes.n + 1), .n = yes.n};
    for (uint32_t k = 0; both.items && k < yes.n; k++)
        both.items[k] = sg_expr_if(r->exprs, condition, yes.items[k], no.items[k]);
    return both;
}

static meaning read_array(body_reader *r, const sg_ast *ast, sg_expr_op op)
{
    const sg_expr_id *args = read_values(r, ast, 0);
    return args ? one(sg_expr_make(r->exprs, op, args, ast->n)) : nothing;
}

static meaning read_tuple(body_reader *r, const sg_ast *ast)
{
    meaning m = {.items = read_values(r, ast, 0), .n = ast->n};
    return m.items ? m : nothing;
}

static meaning read_quantity(body_reader *r, const sg_ast *ast)
{
    sg_value value;
    if (sg_script_eval(sg_runtime_of(r->instance->vm), r->module, ast, &value) != SG_OK)
        return give_up(r, "%s", "of a unit in it");
    if (value.tag == SG_UNIT)
        value = sg_quantity(1.0, value.aux);
    return one(sg_convert_value(r->instance, value, ast->span));
}

// ---- statements -----------------------------------------------------------------------------

static bool has_return(const sg_ast *ast)
{
    if (ast->kind == SG_AST_RETURN)
        return true;
    bool found = false;
    for (uint32_t i = 0; ast->kind != SG_AST_STRMACRO && i < ast->n && !found; i++)
        found = has_return(ast->kids[i]);
    return found;
}

// Both branches from the same variables; afterwards each variable has the value of its branch.
static meaning read_if(body_reader *r, const sg_ast *ast)
{
    meaning condition = read(r, ast->kids[0]);
    bool else_given = ast->n > 2 && ast->kids[2]->kind != SG_AST_NONE;
    if (!condition.one.i || condition.returned)
        return give_up(r, "%s", "of a condition in it");
    if (sg_expr_is_literal(r->exprs, condition.one)) {
        bool yes = !sg_expr_is_zero(r->exprs, condition.one);
        return yes ? read(r, ast->kids[1]) : else_given ? read(r, ast->kids[2]) : nothing;
    }
    body_reader *other = SG_NEW(r->arena, body_reader);
    if (!other)
        return nothing;
    bool before_in_branch = r->in_branch;
    r->in_branch = true;
    *other = *r;
    meaning yes = read(r, ast->kids[1]);
    meaning no = else_given ? read(other, ast->kids[2]) : nothing;
    r->in_branch = before_in_branch;
    if (*r->why)
        return nothing;
    for (uint32_t i = 0; i < r->n_locals; i++) {
        const local *there = find_local(other, r->locals[i].name);
        meaning before = there ? there->value : nothing;
        if (!understood(before) || !understood(r->locals[i].value))
            r->locals[i].value = nothing; // reading it is an error in some case
        else if (before.one.i != r->locals[i].value.one.i || before.items)
            r->locals[i].value = choose(r, condition.one, r->locals[i].value, before);
    }
    // As a statement it may have no value, and nobody asks for it.
    return understood(yes) && understood(no) ? choose(r, condition.one, yes, no) : nothing;
}

static bool may_return(const sg_ast *ast)
{
    return (ast->kind == SG_AST_IF || ast->kind == SG_AST_AND || ast->kind == SG_AST_OR) &&
           has_return(ast);
}

// A branch returns: what follows belongs to the other one. `c && return x` is a branch too, and
// `c || return x` one with the opposite condition.
static meaning read_early_return(body_reader *r, const sg_ast *ast, const sg_ast *const *rest,
                                 uint32_t n)
{
    meaning condition = read(r, ast->kids[0]);
    if (ast->kind == SG_AST_OR && condition.one.i)
        condition.one = sg_expr_unary(r->exprs, SG_X_NOT, condition.one);
    body_reader *other = SG_NEW(r->arena, body_reader);
    const sg_ast **list = SG_NEW_ARRAY(r->arena, const sg_ast *, n + 2);
    if (!condition.one.i || condition.returned || !other || !list)
        return give_up(r, "%s", "of a condition in it");
    r->in_branch = true;
    *other = *r;
    memcpy(list + 1, rest, n * sizeof *rest);
    list[0] = ast->kids[1];
    meaning yes = read_statements(r, list, n + 1);
    list[0] = ast->n > 2 ? ast->kids[2] : NULL;
    bool else_given = list[0] && list[0]->kind != SG_AST_NONE;
    meaning no = else_given ? read_statements(other, list, n + 1) : read_statements(other, rest, n);
    if (!understood(yes) || !understood(no))
        return give_up(r, "%s", "one of its branches has no value");
    meaning both = choose(r, condition.one, yes, no);
    both.returned = true;
    return both;
}

static meaning read_for(body_reader *r, const sg_ast *ast)
{
    const sg_ast *iter = ast->kids[0], *range = iter->kids[1];
    double ends[3] = {0, 1, 0};
    if (ast->n != 2 || iter->kids[0]->kind != SG_AST_NAME || range->kind != SG_AST_RANGE ||
        has_return(ast->kids[1]))
        return give_up(r, "%s", "of a loop in it");
    for (uint32_t i = 0; i < range->n; i++) {
        meaning m = read(r, range->kids[i]);
        uint32_t at = range->n == 2 ? 2 * i : i;
        if (!m.one.i || !sg_expr_is_number(r->exprs, m.one, &ends[at]))
            return give_up(r, "%s", "the range of a loop in it is not literal");
    }
    double rounds = floor((ends[2] - ends[0]) / ends[1] + 1e-9);
    if (!(rounds < MAX_LOOP) || ends[1] == 0.0)
        return give_up(r, "%s", "a loop in it is too long");
    bool whole = ends[0] == floor(ends[0]) && ends[1] == floor(ends[1]);
    for (int k = 0; k <= (int)rounds && !*r->why; k++) {
        double at = ends[0] + k * ends[1];
        if (!assign(r, iter->kids[0]->sym,
                    one(whole ? sg_expr_int(r->exprs, at) : sg_expr_num(r->exprs, at))))
            return nothing;
        read(r, ast->kids[1]);
    }
    return nothing;
}

static bool assign_target(body_reader *r, const sg_ast *target, meaning value)
{
    if (target->kind == SG_AST_TYPED && target->n == 2)
        target = target->kids[0];
    if (target->kind == SG_AST_NAME)
        return assign(r, target->sym, value);
    if (target->kind != SG_AST_TUPLE) {
        give_up(r, "%s", "it changes an array or a field");
        return false;
    }
    if (value.one.i) { // a vector is taken apart
        meaning parts = {.items = SG_NEW_ARRAY(r->arena, sg_expr_id, target->n + 1),
                         .n = target->n};
        for (uint32_t k = 0; parts.items && k < target->n; k++)
            parts.items[k] =
                sg_expr_binary(r->exprs, SG_X_INDEX, value.one, sg_expr_int(r->exprs, k + 1.0));
        value = parts;
    }
    if (!value.items || value.n < target->n) {
        give_up(r, "%s", "it takes apart what has too few values");
        return false;
    }
    for (uint32_t k = 0; k < target->n; k++)
        if (!assign_target(r, target->kids[k], one(value.items[k])))
            return false;
    return true;
}

static meaning read_assign(body_reader *r, const sg_ast *ast)
{
    meaning value = read(r, ast->kids[1]);
    if (!understood(value) || value.returned || (ast->flags & SG_AST_DOTTED))
        return give_up(r, "%s", "of an assignment in it");
    if (ast->kind == SG_AST_OPASSIGN) {
        meaning old = read(r, ast->kids[0]);
        sg_expr_op op = sg_convert_operator(name_text(r, ast->sym), 2);
        if (ast->kids[0]->kind != SG_AST_NAME || !old.one.i || !value.one.i || op == SG_X_NULL)
            return give_up(r, "%s", "of an assignment in it");
        value = one(sg_expr_binary(r->exprs, op, old.one, value.one));
    }
    return assign_target(r, ast->kids[0], value) ? value : nothing;
}

static meaning read_statements(body_reader *r, const sg_ast *const *list, uint32_t n)
{
    meaning last = nothing;
    for (uint32_t i = 0; i < n && !*r->why; i++) {
        if (may_return(list[i]))
            return read_early_return(r, list[i], list + i + 1, n - i - 1);
        last = read(r, list[i]);
        if (last.returned)
            return last;
    }
    return last;
}

static meaning read_return(body_reader *r, const sg_ast *ast)
{
    if (ast->n == 0 || ast->kids[0]->kind == SG_AST_NONE)
        return give_up(r, "%s", "it returns nothing");
    meaning m = read(r, ast->kids[0]);
    m.returned = true;
    return m;
}

static meaning read_node(body_reader *r, const sg_ast *ast)
{
    switch ((int)ast->kind) {
    case SG_AST_INT:
        return one(sg_expr_int(r->exprs, (double)ast->i));
    case SG_AST_FLOAT:
        return one(sg_expr_num(r->exprs, ast->d));
    case SG_AST_BOOL:
        return one(sg_expr_bool(r->exprs, ast->i != 0));
    case SG_AST_STRMACRO:
        return read_quantity(r, ast);
    case SG_AST_NAME:
        return read_name(r, ast);
    case SG_AST_CALL:
        return read_call(r, ast);
    case SG_AST_INDEX:
        return read_index(r, ast);
    case SG_AST_ADJOINT:
        return read_array(r, ast, SG_X_TRANSPOSE);
    case SG_AST_VECT:
        return read_array(r, ast, SG_X_VECT);
    case SG_AST_VCAT:
        return read_array(r, ast, SG_X_VCAT);
    case SG_AST_HCAT:
    case SG_AST_ROW:
        return ast->n == 1 ? read(r, ast->kids[0]) : read_array(r, ast, SG_X_HCAT);
    case SG_AST_TUPLE:
        return read_tuple(r, ast);
    case SG_AST_IF:
        return read_if(r, ast);
    case SG_AST_AND:
        return read_array(r, ast, SG_X_AND);
    case SG_AST_OR:
        return read_array(r, ast, SG_X_OR);
    case SG_AST_COMPARE:
        return read_chain(r, ast);
    case SG_AST_BLOCK:
        return read_statements(r, (const sg_ast *const *)ast->kids, ast->n);
    case SG_AST_ASSIGN:
    case SG_AST_OPASSIGN:
        return read_assign(r, ast);
    case SG_AST_RETURN:
        return read_return(r, ast);
    case SG_AST_FOR:
        return read_for(r, ast);
    case SG_AST_NONE:
        return nothing;
    case SG_AST_WHILE:
        return give_up(r, "%s", "it has a while loop");
    default:
        return give_up(r, "%s", "of a statement that computes more than numbers");
    }
}

static meaning read(body_reader *r, const sg_ast *ast)
{
    if (*r->why)
        return nothing;
    if (++*r->work > MAX_WORK)
        return give_up(r, "%s", "it is too long");
    if (r->depth >= MAX_DEPTH)
        return give_up(r, "%s", "it is nested too deeply");
    r->depth++;
    meaning m = read_node(r, ast);
    r->depth--;
    return m;
}

// ---- functions ------------------------------------------------------------------------------

static bool takes_numbers(const body_reader *r, const sg_type *type)
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
static const sg_method *find_method(body_reader *r, const sg_function *f, uint32_t n_args)
{
    const sg_method *found = NULL;
    for (uint32_t i = 0; i < f->n_methods; i++) {
        const sg_method *m = &f->methods[i];
        bool fits = n_args >= m->n_required && (m->varargs || n_args <= m->n_max);
        if (fits && found) {
            give_up(r, "%s", "the types of its arguments decide which method runs");
            return NULL;
        }
        found = fits ? m : found;
    }
    if (!found || found->varargs || found->n_max != n_args || f->native) {
        give_up(r, "%s", "no method takes exactly these arguments");
        return NULL;
    }
    for (uint32_t k = 0; found->types && k < n_args; k++)
        if (!takes_numbers(r, found->types[k])) {
            give_up(r, "%s", "the type of a parameter is not that of plain numbers");
            return NULL;
        }
    return found;
}

static meaning read_method(body_reader *r, const sg_function *f, const sg_expr_id *args, uint32_t n)
{
    const sg_method *method = find_method(r, f, n);
    const sg_proto *proto = method ? method->closure->proto : NULL;
    if (!proto)
        return nothing;
    if (!proto->tree || !proto->params || proto->n_kw || proto->kwrest || method->closure->n)
        return give_up(r, "%s", "it is not a plain function with a name");
    body_reader *inner = SG_NEW(r->arena, body_reader);
    if (!inner)
        return nothing;
    *inner = (body_reader){.instance = r->instance,
                           .exprs = r->exprs,
                           .arena = r->arena,
                           .module = proto->module,
                           .calls = r->calls + 1,
                           .depth = r->depth,
                           .in_branch = r->in_branch,
                           .work = r->work,
                           .why = r->why};
    if (inner->calls > MAX_CALLS)
        return give_up(r, "%s", "it calls itself");
    for (uint32_t k = 0; k < n; k++)
        if (!proto->params[k].i || !assign(inner, proto->params[k], one(args[k])))
            return give_up(r, "%s", "of its parameters");
    meaning m = read(inner, proto->tree);
    m.returned = false;
    return understood(m) || *r->why ? m : give_up(r, "%s", "it has no value in every case");
}

static meaning read_function_call(body_reader *r, const sg_ast *ast, sg_value function)
{
    const sg_expr_id *args = read_values(r, ast, 1);
    if (!args)
        return nothing;
    return read_method(r, (const sg_function *)(const void *)function.o, args, ast->n - 1);
}

// The results that the equation wants, from what the function gives.
static bool take_results(body_reader *r, meaning m, sg_expr_id *results, uint32_t n)
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

static const sg_func_body *read_body(sg_instance *instance, const sg_function *function,
                                     uint32_t n_args, uint32_t n_results, sg_arena *scratch,
                                     const char **why)
{
    sg_arena *arena = &instance->flat.arena;
    uint32_t work = 0;
    sg_expr_id args[MAX_ITEMS];
    body_reader *r = SG_NEW(scratch, body_reader);
    sg_func_body *body = SG_NEW(arena, sg_func_body);
    sg_expr_id *results = SG_NEW_ARRAY(arena, sg_expr_id, n_results + 1);
    if (!r || !body || !results || n_args > MAX_ITEMS)
        return NULL;
    *r = (body_reader){.instance = instance,
                       .exprs = &instance->flat.exprs,
                       .arena = scratch,
                       .module = instance->module,
                       .work = &work,
                       .why = why};
    // Parameters are the variables 1, 2, ... until the body is put in place.
    for (uint32_t k = 0; k < n_args; k++)
        args[k] = sg_expr_var(r->exprs, (sg_var_id){k + 1});
    meaning m = read_method(r, function, args, n_args);
    if (!*why && !take_results(r, m, results, n_results))
        *why = "it does not return that many numbers";
    if (*why)
        *why = sg_arena_text(arena, *why, strlen(*why));
    if (*why || instance->flat.exprs.failed)
        return NULL;
    *body = (sg_func_body){n_args, n_results, results};
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
