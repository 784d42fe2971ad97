#include "model/unit_form.h"

#include "base/assert.h"
#include "vm/vm.h"

#include <string.h>

typedef struct maker {
    sg_instance *instance;
    sg_units *units;
    SG_VEC(sg_unit_node) nodes;
    SG_VEC(uint32_t) kids;
    SG_VEC(const sg_ast *) names;
    bool failed;
} maker;

static uint32_t make(maker *m, const sg_ast *ast);

static const struct {
    const char *name;
    uint8_t kind;
    uint8_t n; // number of arguments, 0 for any
} functions[] = {
    {"+", SG_UNITS_SUM, 0},          {"-", SG_UNITS_SUM, 0},
    {"*", SG_UNITS_PRODUCT, 0},      {"/", SG_UNITS_QUOTIENT, 2},
    {"^", SG_UNITS_POWER, 2},        {"der", SG_UNITS_DERIVATIVE, 1},
    {"<", SG_UNITS_COMPARE, 0},      {"<=", SG_UNITS_COMPARE, 0},
    {">", SG_UNITS_COMPARE, 0},      {">=", SG_UNITS_COMPARE, 0},
    {"==", SG_UNITS_COMPARE, 0},     {"!=", SG_UNITS_COMPARE, 0},
    {"min", SG_UNITS_ABS, 0},        {"max", SG_UNITS_ABS, 0},
    {"maximum", SG_UNITS_ABS, 0},    {"minimum", SG_UNITS_ABS, 0},
    {"sum", SG_UNITS_ABS, 0},        {"pre", SG_UNITS_SAME, 0},
    {"previous", SG_UNITS_SAME, 0},  {"hold", SG_UNITS_SAME, 0},
    {"sample", SG_UNITS_SAME, 0},    {"positive", SG_UNITS_PLAIN, 0},
    {"negative", SG_UNITS_PLAIN, 0}, {"edge", SG_UNITS_PLAIN, 0},
    {"change", SG_UNITS_PLAIN, 0},   {"after", SG_UNITS_PLAIN, 0},
    {"Clock", SG_UNITS_PLAIN, 0},    {"noEvent", SG_UNITS_SAME, 1},
    {"assert", SG_UNITS_PLAIN, 0},   {"terminate", SG_UNITS_PLAIN, 0},
    {"initial", SG_UNITS_PLAIN, 0},  {"terminal", SG_UNITS_PLAIN, 0},
    {"sign", SG_UNITS_PLAIN, 0},     {"delay", SG_UNITS_DELAY, 2},
    {"length", SG_UNITS_PLAIN, 0},   {"size", SG_UNITS_PLAIN, 0},
    {"!", SG_UNITS_PLAIN, 0},
#define SG_FUNCTION(name, text, value, slope, derivative, units, least, most)                      \
    {text, SG_UNITS_##units, 1},
#define SG_FUNCTION_OWN(name, text, value, slope, derivative, units) {text, SG_UNITS_##units, 1},
#include "base/functions_list.h"
};

static uint32_t add(maker *m, sg_unit_node node)
{
    m->failed |= !SG_PUSH(m->instance->vm->allocator, &m->nodes, node);
    return m->failed ? 0 : (uint32_t)m->nodes.len - 1;
}

static uint32_t add_literal(maker *m, const sg_ast *ast, uint32_t unit, bool any)
{
    uint8_t kind = unit == SG_UNIT_BAD ? SG_UNITS_OPEN : SG_UNITS_LITERAL;
    return add(m, (sg_unit_node){.kind = kind, .unit = unit, .any = any, .ast = ast});
}

// A node over ast->kids[from..].
static uint32_t add_parts(maker *m, const sg_ast *ast, uint8_t kind, uint32_t from)
{
    const sg_allocator *allocator = m->instance->vm->allocator;
    uint32_t few[16], *list = few, n = ast->n - from;
    size_t cap = 0;
    if (n > SG_COUNT(few)) {
        list = NULL;
        if (!sg_vec_reserve(allocator, (void **)&list, &cap, n, sizeof *list)) {
            m->failed = true;
            return 0;
        }
    }
    for (uint32_t i = 0; i < n; i++)
        list[i] = make(m, ast->kids[from + i]);
    uint32_t first = (uint32_t)m->kids.len;
    for (uint32_t i = 0; i < n; i++)
        m->failed |= !SG_PUSH(allocator, &m->kids, list[i]);
    if (cap)
        sg_vec_free(allocator, (void **)&list, &cap, sizeof *list);
    return add(m, (sg_unit_node){.kind = kind, .ast = ast, .first_kid = first, .n_kids = n});
}

static uint32_t make_call(maker *m, const sg_ast *ast)
{
    const sg_ast *callee = ast->kids[0];
    const char *name = callee->kind == SG_AST_NAME ? sg_vm_text(m->instance->vm, callee->sym) : "";
    uint8_t kind = SG_UNITS_CALL;
    for (size_t i = 0; i < SG_COUNT(functions); i++)
        if (strcmp(functions[i].name, name) == 0 &&
            (!functions[i].n || functions[i].n == ast->n - 1))
            kind = functions[i].kind;
    if (ast->n == 1 && (kind == SG_UNITS_PRODUCT || kind == SG_UNITS_SAME))
        kind = SG_UNITS_OPEN;
    uint32_t node = add_parts(m, ast, kind, 1);
    if (kind == SG_UNITS_POWER && !m->failed) {
        const sg_ast *exponent = ast->kids[2];
        bool known = exponent->kind == SG_AST_INT && exponent->i > -100 && exponent->i < 100;
        m->nodes.data[node].has_exponent = known;
        m->nodes.data[node].exponent = known ? (int32_t)exponent->i * SG_UNIT_POWER : 0;
    }
    return node;
}

static uint32_t make_value(maker *m, const sg_ast *ast)
{
    sg_value value = ast->value;
    switch ((int)value.tag) {
    case SG_INT:
        return add_literal(m, ast, SG_UNIT_NONE, value.i == 0);
    case SG_FLOAT:
        return add_literal(m, ast, SG_UNIT_NONE, value.d == 0.0);
    case SG_QTY:
    case SG_QTY_INT:
    case SG_UNIT:
        return add_literal(m, ast, value.aux, false);
    default:
        return add_literal(m, ast, SG_UNIT_BAD, false);
    }
}

static uint32_t make_name(maker *m, const sg_ast *ast)
{
    m->failed |= !SG_PUSH(m->instance->vm->allocator, &m->names, ast);
    return add(
        m, (sg_unit_node){.kind = SG_UNITS_NAME, .ast = ast, .name = (uint32_t)m->names.len - 1});
}

static uint32_t make(maker *m, const sg_ast *ast)
{
    switch ((int)ast->kind) {
    case SG_AST_INT:
        return add_literal(m, ast, SG_UNIT_NONE, ast->i == 0);
    case SG_AST_FLOAT:
        return add_literal(m, ast, SG_UNIT_NONE, ast->d == 0.0);
    case SG_AST_BOOL:
        return add_literal(m, ast, SG_UNIT_NONE, false);
    case SG_AST_VALUE:
        return make_value(m, ast);
    case SG_AST_STRMACRO:
        return add_literal(
            m, ast, sg_unit_parse(m->units, ast->text.bytes, ast->text.len, NULL, NULL, NULL),
            false);
    case SG_AST_NAME:
    case SG_AST_FIELD:
        return make_name(m, ast);
    case SG_AST_CALL:
        return make_call(m, ast);
    case SG_AST_INDEX: {
        // The index itself is not looked at.
        sg_ast base = *ast;
        base.n = 1;
        uint32_t node = add_parts(m, &base, SG_UNITS_SAME, 0);
        if (!m->failed)
            m->nodes.data[node].ast = ast;
        return node;
    }
    case SG_AST_ADJOINT:
        return add_parts(m, ast, SG_UNITS_SAME, 0);
    case SG_AST_VECT:
    case SG_AST_VCAT:
    case SG_AST_HCAT:
    case SG_AST_ROW:
        return add_parts(m, ast, SG_UNITS_ARRAY, 0);
    case SG_AST_IF:
        return add_parts(m, ast, SG_UNITS_BRANCH, 0);
    case SG_AST_BLOCK:
        return ast->n == 1 ? add_parts(m, ast, SG_UNITS_SAME, 0)
                           : add_literal(m, ast, SG_UNIT_BAD, false);
    case SG_AST_AND:
    case SG_AST_OR:
        return add_parts(m, ast, SG_UNITS_PLAIN, 0);
    default:
        return add_literal(m, ast, SG_UNIT_BAD, false);
    }
}

static void *keep(sg_arena *arena, const void *items, size_t n, size_t size)
{
    void *copy = sg_arena_alloc_array(arena, n + 1, size, 8);
    if (copy && n)
        memcpy(copy, items, n * size);
    return copy;
}

sg_unit_form *sg_unit_form_make(sg_instance *instance, sg_units *units, const sg_ast *ast,
                                sg_arena *arena, uint32_t roots[2])
{
    const sg_allocator *allocator = instance->vm->allocator;
    maker m = {.instance = instance, .units = units};
    roots[0] = make(&m, ast->kind == SG_AST_ASSIGN ? ast->kids[0] : ast);
    roots[1] = ast->kind == SG_AST_ASSIGN ? make(&m, ast->kids[1]) : roots[0];
    sg_unit_form *form = SG_NEW(arena, sg_unit_form);
    if (form)
        *form = (sg_unit_form){.nodes = keep(arena, m.nodes.data, m.nodes.len, sizeof *form->nodes),
                               .kids = keep(arena, m.kids.data, m.kids.len, sizeof *form->kids),
                               .names = keep(arena, m.names.data, m.names.len, sizeof *form->names),
                               .n_nodes = (uint32_t)m.nodes.len,
                               .n_kids = (uint32_t)m.kids.len,
                               .n_names = (uint32_t)m.names.len};
    SG_VEC_FREE(allocator, &m.nodes);
    SG_VEC_FREE(allocator, &m.kids);
    SG_VEC_FREE(allocator, &m.names);
    return m.failed || arena->failed ? NULL : form;
}
