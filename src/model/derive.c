#include "model/derive.h"

#include "base/assert.h"
#include "base/number.h"
#include "lang/runtime.h"
#include "syntax/ast.h"
#include "vm/bytecode.h"
#include "vm/vm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_NAMES = 128,
    MAX_NESTING = 16, // functions that call functions
    MAX_DEPTH = 3000, // of expressions inside each other, over all of these functions
    MAX_ARGS = 64,
    MAX_LEVEL = 1000
};

typedef struct deriver {
    sg_instance *instance;
    sg_arena *arena; // of the syntax trees, which live as long as the run
    sg_module *module;
    sg_sym names[MAX_NAMES]; // variables that have a partner
    uint32_t n_names;
    uint32_t nesting; // functions that call functions
    uint32_t depth;   // of the expression at hand
    uint32_t level;   // in the names of partners: a derivative may be differentiated again
    const char **why;
    sg_span span;
} deriver;

static sg_ast *d_of(deriver *d, const sg_ast *ast);
static sg_ast *d_statement(deriver *d, const sg_ast *ast, bool last);
static sg_ast *d_kind(deriver *d, const sg_ast *ast);
static bool derive_function(sg_instance *instance, const deriver *outer, const sg_function *f,
                            uint32_t n_args, sg_sym *name, const char **why);
static const sg_proto *only_method(const sg_function *f, uint32_t n_args);

static sg_ast *give_up(deriver *d, const char *what)
{
    if (!*d->why)
        *d->why = sg_arena_printf(&d->instance->flat.arena, "%s", what);
    return NULL;
}

// ---- making trees ---------------------------------------------------------------------------

static sg_ast *node(deriver *d, sg_ast_kind kind, sg_ast *const *kids, uint32_t n)
{
    sg_ast *made = SG_NEW(d->arena, sg_ast);
    sg_ast **copy = SG_NEW_ARRAY(d->arena, sg_ast *, n + 1);
    uint16_t height = 0;
    if (!made || !copy)
        return give_up(d, "memory ran out");
    for (uint32_t i = 0; i < n; i++) {
        if (!kids[i])
            return NULL;
        copy[i] = kids[i];
        height = kids[i]->height > height ? kids[i]->height : height;
    }
    *made = (sg_ast){.kind = (uint8_t)kind,
                     .height = (uint16_t)(height + 1),
                     .n = n,
                     .span = d->span,
                     .kids = copy};
    if (height >= SG_AST_MAX_HEIGHT)
        return give_up(d, "it is nested too deeply");
    return made;
}

static sg_ast *name(deriver *d, sg_sym sym)
{
    sg_ast *made = node(d, SG_AST_NAME, NULL, 0);
    if (made)
        made->sym = sym;
    return made;
}

static sg_ast *number(deriver *d, double value)
{
    sg_ast *made = node(d, SG_AST_FLOAT, NULL, 0);
    if (made)
        made->d = value;
    return made;
}

static sg_ast *apply(deriver *d, const char *function, sg_ast *const *args, uint32_t n)
{
    sg_ast *kids[MAX_ARGS + 1] = {name(d, sg_sym_intern_text(d->instance->vm->symbols, function))};
    for (uint32_t i = 0; i < n; i++)
        kids[i + 1] = args[i];
    sg_ast *made = node(d, SG_AST_CALL, kids, n + 1);
    if (made && !((function[0] >= 'a' && function[0] <= 'z')))
        made->flags = SG_AST_INFIX;
    return made;
}

static sg_ast *one(deriver *d, const char *function, sg_ast *a)
{
    return apply(d, function, (sg_ast *[]){a}, 1);
}
static sg_ast *two(deriver *d, const char *function, sg_ast *a, sg_ast *b)
{
    return apply(d, function, (sg_ast *[]){a, b}, 2);
}

// Trees never change, so the old ones may be part of the new.
static sg_ast *as_it_is(const sg_ast *ast) { return (sg_ast *)(uintptr_t)ast; }

static bool is_zero(const sg_ast *ast) { return ast->kind == SG_AST_FLOAT && ast->d == 0.0; }

static sg_ast *plus(deriver *d, sg_ast *a, sg_ast *b)
{
    if (!a || !b)
        return NULL;
    return is_zero(a) ? b : is_zero(b) ? a : two(d, "+", a, b);
}

static sg_ast *times(deriver *d, sg_ast *a, sg_ast *b)
{
    if (!a || !b)
        return NULL;
    return is_zero(a) ? a : is_zero(b) ? b : two(d, "*", a, b);
}

// ---- names ----------------------------------------------------------------------------------

static bool has_partner(const deriver *d, sg_sym sym)
{
    for (uint32_t i = 0; i < d->n_names; i++)
        if (sg_sym_equal(d->names[i], sym))
            return true;
    return false;
}

static sg_ast *partner(deriver *d, sg_sym sym)
{
    char text[256];
    snprintf(text, sizeof text, "__d%u_%s", d->level, sg_vm_text(d->instance->vm, sym));
    return name(d, sg_sym_intern_text(d->instance->vm->symbols, text));
}

static void note_name(deriver *d, sg_sym sym)
{
    const char *text = sg_vm_text(d->instance->vm, sym);
    if (has_partner(d, sym))
        return;
    // Partners of a derivative are variables like any other; their own ones need other names.
    unsigned long level = strncmp(text, "__d", 3) == 0 ? strtoul(text + 3, NULL, 10) : 0;
    if (level >= d->level && level < MAX_LEVEL)
        d->level = (unsigned)level + 1;
    if (d->n_names == MAX_NAMES)
        give_up(d, "it has too many variables");
    else
        d->names[d->n_names++] = sym;
}

// Variables that are assigned somewhere; those of loops over ranges are no numbers to
// differentiate.
static void note_assigned(deriver *d, const sg_ast *ast)
{
    if (ast->kind == SG_AST_STRMACRO)
        return;
    if ((ast->kind == SG_AST_ASSIGN || ast->kind == SG_AST_OPASSIGN) &&
        ast->kids[0]->kind == SG_AST_NAME)
        note_name(d, ast->kids[0]->sym);
    if (ast->kind == SG_AST_ASSIGN && ast->kids[0]->kind == SG_AST_TUPLE)
        for (uint32_t i = 0; i < ast->kids[0]->n; i++)
            if (ast->kids[0]->kids[i]->kind == SG_AST_NAME)
                note_name(d, ast->kids[0]->kids[i]->sym);
    for (uint32_t i = 0; i < ast->n; i++)
        note_assigned(d, ast->kids[i]);
}

// ---- expressions ----------------------------------------------------------------------------

// The product with `term` in place of its factor number i.
static sg_ast *with_factor(deriver *d, const sg_ast *ast, uint32_t i, sg_ast *term)
{
    sg_ast *factors[MAX_ARGS];
    for (uint32_t k = 1; k < ast->n && k < MAX_ARGS; k++)
        factors[k - 1] = k == i ? term : as_it_is(ast->kids[k]);
    return apply(d, "*", factors, ast->n - 1);
}

static sg_ast *d_product(deriver *d, const sg_ast *ast)
{
    sg_ast *sum = number(d, 0.0);
    for (uint32_t i = 1; i < ast->n && sum; i++) {
        sg_ast *term = d_of(d, ast->kids[i]);
        if (!term)
            return NULL;
        if (is_zero(term))
            continue;
        sum = plus(d, sum, with_factor(d, ast, i, term));
    }
    return sum;
}

static sg_ast *d_sum(deriver *d, const sg_ast *ast, bool minus)
{
    sg_ast *sum = d_of(d, ast->kids[1]);
    if (minus && ast->n == 2)
        return sum ? is_zero(sum) ? sum : one(d, "-", sum) : NULL;
    for (uint32_t i = 2; i < ast->n && sum; i++) {
        sg_ast *term = d_of(d, ast->kids[i]);
        if (!term)
            return NULL;
        if (minus && !is_zero(term))
            sum = is_zero(sum) ? one(d, "-", term) : two(d, "-", sum, term);
        else
            sum = plus(d, sum, term);
    }
    return sum;
}

// a' / b - a/b * b' / b
static sg_ast *d_quotient(deriver *d, const sg_ast *ast)
{
    sg_ast *a = as_it_is(ast->kids[1]), *b = as_it_is(ast->kids[2]);
    sg_ast *da = d_of(d, a), *db = d_of(d, b);
    if (!da || !db)
        return NULL;
    sg_ast *first = is_zero(da) ? da : two(d, "/", da, b);
    sg_ast *second = is_zero(db) ? db : two(d, "/", two(d, "*", two(d, "/", a, b), db), b);
    if (!first || !second)
        return NULL;
    return is_zero(second)  ? first
           : is_zero(first) ? one(d, "-", second)
                            : two(d, "-", first, second);
}

static sg_ast *d_power(deriver *d, const sg_ast *ast)
{
    sg_ast *a = as_it_is(ast->kids[1]), *b = as_it_is(ast->kids[2]);
    sg_ast *da = d_of(d, a), *db = d_of(d, b);
    if (!da || !db)
        return NULL;
    sg_ast *less =
        b->kind == SG_AST_INT ? node(d, SG_AST_INT, NULL, 0) : two(d, "-", b, number(d, 1.0));
    if (less && b->kind == SG_AST_INT)
        less->i = b->i - 1;
    sg_ast *by_base = is_zero(da) ? da : two(d, "*", two(d, "*", b, two(d, "^", a, less)), da);
    sg_ast *by_exponent =
        is_zero(db) ? db : two(d, "*", two(d, "*", two(d, "^", a, b), one(d, "log", a)), db);
    return plus(d, by_base, by_exponent);
}

// d f(a)/d a for functions of one number, from the argument.
static sg_ast *outer_derivative(deriver *d, const char *f, sg_ast *a)
{
#define X a
#define F one(d, f, a)
#define ONE number(d, 1.0)
#define SQ two(d, "*", a, a)
#define NUM(c) number(d, c)
#define NEG(p) one(d, "-", p)
#define SQUARE(p) two(d, "*", p, p)
#define ADD(p, q) two(d, "+", p, q)
#define SUB(p, q) two(d, "-", p, q)
#define MUL(p, q) two(d, "*", p, q)
#define DIV(p, q) two(d, "/", p, q)
#define CALL(name, text, p) one(d, text, p)
#define SG_FUNCTION(name, text, value, slope, derivative, units, least, most)                      \
    if (!strcmp(f, text))                                                                          \
        return derivative;
#define SG_FUNCTION_OWN(name, text, value, slope, derivative, units)                               \
    if (!strcmp(f, text))                                                                          \
        return derivative;
#include "base/functions_list.h"
#undef X
#undef F
#undef ONE
#undef SQ
#undef NUM
#undef NEG
#undef SQUARE
#undef ADD
#undef SUB
#undef MUL
#undef DIV
#undef CALL
    return NULL;
}

static bool is_of_two_numbers(const char *f)
{
#define SG_FUNCTION2(name, text, value, derivative, size)                                          \
    if (!strcmp(f, text))                                                                          \
        return true;
#include "base/functions2_list.h"
    return false;
}

// d f(a, b)/dt for functions of two numbers.
static sg_ast *d_of_pair(deriver *d, const char *f, sg_ast *a, sg_ast *b)
{
    sg_ast *da = d_of(d, a), *db = d_of(d, b);
#define A a
#define B b
#define DA da
#define DB db
#define F two(d, f, a, b)
#define SQUARE(p) two(d, "*", p, p)
#define ADD(p, q) plus(d, p, q)
#define SUB(p, q) two(d, "-", p, q)
#define MUL(p, q) times(d, p, q)
#define DIV(p, q) two(d, "/", p, q)
#define SG_FUNCTION2(name, text, value, derivative, size)                                          \
    if (!strcmp(f, text))                                                                          \
        return derivative;
#include "base/functions2_list.h"
#undef A
#undef B
#undef DA
#undef DB
#undef F
#undef SQUARE
#undef ADD
#undef SUB
#undef MUL
#undef DIV
    return NULL;
}

static bool is_one_of(const char *name_text, const char *list)
{
    size_t length = strlen(name_text);
    for (const char *at = strstr(list, name_text); at && length; at = strstr(at + 1, name_text))
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

// Positions on a path (language 5.8); the acceleration is constant between the corners of its
// graph.
static sg_ast *d_path(deriver *d, const char *f, const sg_ast *ast)
{
    if (!strcmp(f, "getAcceleration"))
        return number(d, 0.0);
    const char *rate = !strcmp(f, "getPosition") ? "getVelocity" : "getAcceleration";
    // Modia.getVelocity, as the script may have a function of that name.
    sg_symbols *symbols = d->instance->vm->symbols;
    sg_ast *modia = name(d, sg_sym_intern_text(symbols, "Modia"));
    sg_ast *kids[4] = {node(d, SG_AST_FIELD, &modia, 1), as_it_is(ast->kids[1]),
                       as_it_is(ast->kids[2]), as_it_is(ast->kids[3])};
    if (kids[0])
        kids[0]->sym = sg_sym_intern_text(symbols, rate);
    return times(d, node(d, SG_AST_CALL, kids, 4), d_of(d, ast->kids[3]));
}

static sg_ast *d_built_in(deriver *d, const char *f, const sg_ast *ast)
{
    if (is_one_of(f, "getPosition getVelocity getAcceleration") && ast->n == 4)
        return d_path(d, f, ast);
    sg_ast *a = ast->n > 1 ? as_it_is(ast->kids[1]) : NULL;
    sg_ast *b = ast->n > 2 ? as_it_is(ast->kids[2]) : NULL;
    if (is_one_of(f, "< <= > >= == != ! floor ceil round trunc sign length size div ÷ isempty"))
        return number(d, 0.0);
    if (is_one_of(f, "zeros ones fill"))
        return two(d, "*", number(d, 0.0), as_it_is(ast));
    if (is_one_of(f, "mod rem % float Float64") && a)
        return d_of(d, a);
    if (is_one_of(f, "sum copy transpose") && ast->n == 2) {
        sg_ast *inner = d_of(d, a);
        return !inner || is_zero(inner) ? inner : one(d, f, inner);
    }
    if (is_one_of(f, "dot cross") && ast->n == 3) {
        sg_ast *da = d_of(d, a), *db = d_of(d, b);
        if (!da || !db)
            return NULL;
        return plus(d, is_zero(da) ? da : two(d, f, da, b), is_zero(db) ? db : two(d, f, a, db));
    }
    if (is_one_of(f, "min max") && ast->n == 3) {
        sg_ast *kids[3] = {two(d, f[1] == 'i' ? "<" : ">", a, b), d_of(d, a), d_of(d, b)};
        return node(d, SG_AST_IF, kids, 3);
    }
    if (is_of_two_numbers(f) && ast->n == 3)
        return d_of_pair(d, f, a, b);
    if (is_one_of(f, "norm") && ast->n == 2)
        return two(d, "/", two(d, "dot", a, d_of(d, a)), as_it_is(ast));
    if (is_one_of(f, "clamp") && ast->n == 4) {
        sg_ast *least = b, *most = as_it_is(ast->kids[3]);
        sg_ast *low[3] = {two(d, "<", a, least), d_of(d, least), d_of(d, a)};
        sg_ast *high[3] = {two(d, ">", a, most), d_of(d, most), node(d, SG_AST_IF, low, 3)};
        return node(d, SG_AST_IF, high, 3);
    }
    sg_ast *outer = ast->n == 2 ? outer_derivative(d, f, a) : NULL;
    if (!outer) {
        char text[200];
        snprintf(text, sizeof text, "it calls '%s'", f);
        return give_up(d, text);
    }
    return times(d, outer, d_of(d, a));
}

// A function of another module is called by its value, since its name is not known here.
static sg_ast *callee_of(deriver *d, const sg_module *module, sg_sym function)
{
    sg_value value = sg_module_get(module, function);
    if (module == d->module || value.tag == SG_UNDEF)
        return name(d, function);
    sg_ast *made = node(d, SG_AST_VALUE, NULL, 0);
    if (made)
        made->value = value;
    return made;
}

static sg_ast *d_call_of_user(deriver *d, const sg_ast *ast, const sg_function *f)
{
    uint32_t n = ast->n - 1;
    sg_sym derivative;
    if (n > MAX_ARGS / 2)
        return give_up(d, "a call in it has too many arguments");
    if (!derive_function(d->instance, d, f, n, &derivative, d->why))
        return NULL;
    sg_ast **kids = SG_NEW_ARRAY(d->arena, sg_ast *, 2 * n + 1);
    if (!kids)
        return give_up(d, "memory ran out");
    kids[0] = callee_of(d, only_method(f, n)->module, derivative);
    for (uint32_t i = 0; i < n; i++) {
        kids[1 + i] = as_it_is(ast->kids[1 + i]);
        kids[1 + n + i] = d_of(d, ast->kids[1 + i]);
    }
    return node(d, SG_AST_CALL, kids, 2 * n + 1);
}

// What `f` or `Module.f` stands for.
static sg_value function_of(const deriver *d, const sg_ast *callee)
{
    if (callee->kind == SG_AST_VALUE)
        return callee->value;
    const sg_module *module = d->module;
    if (callee->kind == SG_AST_FIELD && callee->kids[0]->kind == SG_AST_NAME) {
        sg_value base = sg_module_get(module, callee->kids[0]->sym);
        module = sg_is(base, SG_OBJ_MODULE) ? (const sg_module *)(const void *)base.o : NULL;
    } else if (callee->kind != SG_AST_NAME) {
        module = NULL;
    }
    return module ? sg_module_get(module, callee->sym) : (sg_value){.tag = SG_UNDEF};
}

static sg_ast *d_call(deriver *d, const sg_ast *ast)
{
    const sg_ast *callee = ast->kids[0];
    sg_value function = function_of(d, callee);
    bool named = callee->kind == SG_AST_NAME || sg_is(function, SG_OBJ_FUNCTION);
    if (!named || ast->n > MAX_ARGS || (ast->flags & SG_AST_DOTTED))
        return give_up(d, "of a call in it");
    for (uint32_t i = 1; i < ast->n; i++)
        if (ast->kids[i]->kind == SG_AST_KW || ast->kids[i]->kind == SG_AST_SPLAT ||
            ast->kids[i]->kind == SG_AST_PARAMETERS || ast->kids[i]->kind == SG_AST_LAMBDA)
            return give_up(d, "of a call in it");
    const char *f = sg_vm_text(d->instance->vm, callee->sym);
    if (sg_is(function, SG_OBJ_FUNCTION) && ((sg_function *)function.o)->n_methods > 0)
        return d_call_of_user(d, ast, (const sg_function *)(const void *)function.o);
    if (!strcmp(f, "+"))
        return d_sum(d, ast, false);
    if (!strcmp(f, "-"))
        return d_sum(d, ast, true);
    if (!strcmp(f, "*"))
        return d_product(d, ast);
    if (!strcmp(f, "/") && ast->n == 3)
        return d_quotient(d, ast);
    if (!strcmp(f, "^") && ast->n == 3)
        return d_power(d, ast);
    return d_built_in(d, f, ast);
}

// The same kind of node over the derivatives of its parts from number `from` on.
static sg_ast *d_parts(deriver *d, const sg_ast *ast, uint32_t from)
{
    sg_ast **kids = SG_NEW_ARRAY(d->arena, sg_ast *, ast->n + 1);
    for (uint32_t i = 0; kids && i < ast->n; i++)
        kids[i] = i < from ? as_it_is(ast->kids[i]) : d_of(d, ast->kids[i]);
    sg_ast *made = kids ? node(d, (sg_ast_kind)ast->kind, kids, ast->n) : NULL;
    if (made)
        made->flags = ast->flags;
    return made;
}

static sg_ast *d_index(deriver *d, const sg_ast *ast)
{
    sg_ast *base = d_of(d, ast->kids[0]);
    if (!base || is_zero(base))
        return base;
    sg_ast **kids = SG_NEW_ARRAY(d->arena, sg_ast *, ast->n + 1);
    for (uint32_t i = 0; kids && i < ast->n; i++)
        kids[i] = i ? as_it_is(ast->kids[i]) : base;
    return kids ? node(d, SG_AST_INDEX, kids, ast->n) : NULL;
}

static sg_ast *d_of(deriver *d, const sg_ast *ast)
{
    if (*d->why)
        return NULL;
    if (d->depth >= MAX_DEPTH)
        return give_up(d, "it is nested too deeply");
    d->span = ast->span;
    d->depth++;
    sg_ast *derivative = d_kind(d, ast);
    d->depth--;
    return derivative;
}

static sg_ast *d_kind(deriver *d, const sg_ast *ast)
{
    switch ((int)ast->kind) {
    case SG_AST_INT:
    case SG_AST_FLOAT:
    case SG_AST_BOOL:
    case SG_AST_AND:
    case SG_AST_OR:
    case SG_AST_COMPARE:
        return number(d, 0.0);
    case SG_AST_NAME:
        return has_partner(d, ast->sym) ? partner(d, ast->sym) : number(d, 0.0);
    case SG_AST_FIELD: // of something that is no number, and so does not change with time
        return ast->kids[0]->kind == SG_AST_NAME
                   ? number(d, 0.0)
                   : give_up(d, "it does more than compute with numbers");
    case SG_AST_CALL:
        return d_call(d, ast);
    case SG_AST_INDEX:
        return d_index(d, ast);
    case SG_AST_ADJOINT:
    case SG_AST_VECT:
    case SG_AST_VCAT:
    case SG_AST_HCAT:
    case SG_AST_ROW:
    case SG_AST_TUPLE:
        return d_parts(d, ast, 0);
    case SG_AST_IF:
        if (ast->n < 3 || ast->kids[2]->kind == SG_AST_NONE)
            return give_up(d, "a branch in it has no value in every case");
        return d_parts(d, ast, 1);
    case SG_AST_BLOCK:
        return ast->n == 1 ? d_of(d, ast->kids[0]) : give_up(d, "of a block in it");
    default:
        return give_up(d, "it does more than compute with numbers");
    }
}

// ---- statements -----------------------------------------------------------------------------

static sg_ast *d_target(deriver *d, const sg_ast *target)
{
    if (target->kind == SG_AST_NAME)
        return partner(d, target->sym);
    if (target->kind == SG_AST_TUPLE) {
        sg_ast **kids = SG_NEW_ARRAY(d->arena, sg_ast *, target->n + 1);
        for (uint32_t i = 0; kids && i < target->n; i++)
            kids[i] = d_target(d, target->kids[i]);
        return kids ? node(d, SG_AST_TUPLE, kids, target->n) : NULL;
    }
    if (target->kind == SG_AST_INDEX && target->kids[0]->kind == SG_AST_NAME &&
        has_partner(d, target->kids[0]->sym))
        return d_index(d, target);
    return give_up(d, "it assigns to something that is no variable");
}

// The partner first, since the value may need what it replaces. x += y is x = x + y.
static sg_ast *d_assign(deriver *d, const sg_ast *ast)
{
    sg_ast *target = as_it_is(ast->kids[0]), *value = as_it_is(ast->kids[1]);
    if (ast->flags & SG_AST_DOTTED)
        return give_up(d, "it changes an array as a whole");
    if (ast->kind == SG_AST_OPASSIGN)
        value = two(d, sg_vm_text(d->instance->vm, ast->sym), target, value);
    if (!value)
        return NULL;
    sg_ast *first = node(d, SG_AST_ASSIGN, (sg_ast *[]){d_target(d, target), d_of(d, value)}, 2);
    sg_ast *second = node(d, SG_AST_ASSIGN, (sg_ast *[]){target, value}, 2);
    return node(d, SG_AST_BLOCK, (sg_ast *[]){first, second}, 2);
}

static sg_ast *d_loop(deriver *d, const sg_ast *ast)
{
    sg_ast **kids = SG_NEW_ARRAY(d->arena, sg_ast *, ast->n + 1);
    for (uint32_t i = 0; kids && i + 1 < ast->n; i++) {
        const sg_ast *iter = ast->kids[i];
        bool range = ast->kind == SG_AST_WHILE ||
                     (iter->kids[0]->kind == SG_AST_NAME && !has_partner(d, iter->kids[0]->sym) &&
                      iter->kids[1]->kind == SG_AST_RANGE);
        if (!range)
            return give_up(d, "a loop in it does not run over a range");
        kids[i] = as_it_is(iter);
    }
    if (kids)
        kids[ast->n - 1] = d_statement(d, ast->kids[ast->n - 1], false);
    return kids ? node(d, (sg_ast_kind)ast->kind, kids, ast->n) : NULL;
}

static sg_ast *d_branch(deriver *d, const sg_ast *ast, bool last)
{
    bool otherwise = ast->n > 2 && ast->kids[2]->kind != SG_AST_NONE;
    if (last && !otherwise && ast->kind == SG_AST_IF)
        return give_up(d, "it has no value in every case");
    sg_ast *condition = as_it_is(ast->kids[0]);
    if (ast->kind == SG_AST_OR)
        condition = one(d, "!", condition);
    sg_ast *kids[3] = {condition, d_statement(d, ast->kids[1], last),
                       otherwise ? d_statement(d, ast->kids[2], last) : NULL};
    return node(d, SG_AST_IF, kids, otherwise ? 3 : 2);
}

static sg_ast *d_block(deriver *d, const sg_ast *ast, bool last)
{
    sg_ast **kids = SG_NEW_ARRAY(d->arena, sg_ast *, ast->n + 1);
    for (uint32_t i = 0; kids && i < ast->n; i++)
        kids[i] = d_statement(d, ast->kids[i], last && i + 1 == ast->n);
    return kids ? node(d, SG_AST_BLOCK, kids, ast->n) : NULL;
}

// `last`: the value of the statement is that of the function.
static sg_ast *d_statement(deriver *d, const sg_ast *ast, bool last)
{
    if (*d->why)
        return NULL;
    d->span = ast->span;
    switch ((int)ast->kind) {
    case SG_AST_BLOCK:
        return d_block(d, ast, last);
    case SG_AST_ASSIGN:
    case SG_AST_OPASSIGN: {
        sg_ast *both = d_assign(d, ast);
        if (!last || !both)
            return both;
        return node(d, SG_AST_BLOCK, (sg_ast *[]){both, d_target(d, ast->kids[0])}, 2);
    }
    case SG_AST_RETURN:
        if (ast->n == 0 || ast->kids[0]->kind == SG_AST_NONE)
            return give_up(d, "it returns nothing");
        return node(d, SG_AST_RETURN, (sg_ast *[]){d_of(d, ast->kids[0])}, 1);
    case SG_AST_IF:
        return d_branch(d, ast, last);
    case SG_AST_AND:
    case SG_AST_OR:
        return last ? number(d, 0.0) : d_branch(d, ast, false);
    case SG_AST_WHILE:
    case SG_AST_FOR:
        return last ? give_up(d, "it has no value") : d_loop(d, ast);
    case SG_AST_BREAK:
    case SG_AST_CONTINUE:
    case SG_AST_NONE:
        return as_it_is(ast);
    default:
        return last ? d_of(d, ast) : as_it_is(ast);
    }
}

// ---- functions ------------------------------------------------------------------------------

static const sg_proto *only_method(const sg_function *f, uint32_t n_args)
{
    const sg_method *found = NULL;
    for (uint32_t i = 0; i < f->n_methods; i++) {
        const sg_method *m = &f->methods[i];
        if (n_args < m->n_required || (!m->varargs && n_args > m->n_max))
            continue;
        if (found)
            return NULL;
        found = m;
    }
    if (!found || found->varargs || found->n_max != n_args || found->closure->n)
        return NULL;
    const sg_proto *proto = found->closure->proto;
    return proto->tree && proto->params && !proto->n_kw && !proto->kwrest ? proto : NULL;
}

static bool define(deriver *d, sg_sym derivative, const sg_proto *proto, uint32_t n)
{
    sg_ast *kids[2 * MAX_ARGS + 1] = {name(d, derivative)};
    for (uint32_t k = 0; k < n; k++) {
        kids[1 + k] = name(d, proto->params[k]);
        kids[1 + n + k] = partner(d, proto->params[k]);
    }
    sg_ast *signature = node(d, SG_AST_CALL, kids, 2 * n + 1);
    sg_ast *body = d_statement(d, proto->tree, true);
    sg_ast *function = node(d, SG_AST_FUNCTION, (sg_ast *[]){signature, body}, 2);
    sg_value ignored;
    if (!function)
        return false;
    return sg_script_eval(sg_runtime_of(d->instance->vm), proto->module, function, &ignored) ==
               SG_OK ||
           give_up(d, "its derivative cannot be compiled");
}

// The name of the derivative, which is a function of the same module. It is there before its body
// is, so that functions may call themselves. `outer` is who calls it, or null.
static bool derive_function(sg_instance *instance, const deriver *outer, const sg_function *f,
                            uint32_t n_args, sg_sym *derivative, const char **why)
{
    sg_vm *vm = instance->vm;
    uint32_t nesting = outer ? outer->nesting + 1 : 0;
    const sg_proto *proto = only_method(f, n_args);
    deriver *d = SG_NEW(&instance->flat.arena, deriver);
    if (!d || !proto || n_args > MAX_ARGS / 2 || nesting > MAX_NESTING) {
        *why = *why ? *why : "it is not a plain function with one method for these arguments";
        return false;
    }
    char text[256];
    snprintf(text, sizeof text, "__derivative_of_%s_%u", sg_vm_text(vm, f->name), n_args);
    *derivative = sg_sym_intern_text(vm->symbols, text);
    uint64_t key = (uint64_t)(uintptr_t)proto;
    if (sg_map_get(&instance->derivatives, key))
        return true;
    *d = (deriver){.instance = instance,
                   .arena = &sg_runtime_of(vm)->trees,
                   .module = proto->module,
                   .nesting = nesting,
                   .depth = outer ? outer->depth : 0,
                   .level = 1,
                   .why = why,
                   .span = proto->tree->span};
    for (uint32_t k = 0; k < n_args; k++)
        note_name(d, proto->params[k]);
    note_assigned(d, proto->tree);
    if (!sg_map_put(&instance->derivatives, key, derivative->i))
        return false;
    if (define(d, *derivative, proto, n_args))
        return true;
    sg_map_remove(&instance->derivatives, key);
    return false;
}

bool sg_model_derivative(sg_instance *instance, sg_value function, uint32_t n_args,
                         sg_value *derivative, const char **why)
{
    *why = NULL;
    if (!sg_is(function, SG_OBJ_FUNCTION)) {
        *why = "it is not a function";
        return false;
    }
    const sg_function *f = (const sg_function *)(const void *)function.o;
    sg_sym symbol;
    if (!derive_function(instance, NULL, f, n_args, &symbol, why))
        return false;
    *derivative = sg_module_get(only_method(f, n_args)->module, symbol);
    return derivative->tag != SG_UNDEF;
}
