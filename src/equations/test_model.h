// Flat models from a few lines of text, for the tests of this folder:
//
//     par C = 2          a parameter
//     init x = 1         also: start; a vector as init x = [1, 2], a static one as [1, 2]s
//     flow a.i           also: potential, input (of the whole model), inlet (of a component)
//     in c               the equations that follow belong to component c; "in" alone: to none
//     connect a = b      an equation made by a connection
//     C*der(x) = f(x)    any other line is an equation; (0, y) = f(x) has several results
//
// Names are dotted. Functions that the expression graph does not know are functions of the user.
#pragma once

#include "equations/translate.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct test_model {
    sg_symbols *symbols;
    sg_flat flat;
    sg_arena arena;
    sg_diags diags;
    sg_translate_options options;
    sg_structure structure;
    sg_status status;
    sg_sym component;
    const char *at; // the parser
    bool bad;       // a line that it does not understand
    sg_buf text;
} test_model;

static sg_expr_id parse_sum(test_model *m);

static void skip_blanks(test_model *m)
{
    while (*m->at == ' ')
        m->at++;
}

static bool accept(test_model *m, const char *token)
{
    skip_blanks(m);
    if (strncmp(m->at, token, strlen(token)))
        return false;
    m->at += strlen(token);
    return true;
}

static sg_sym parse_name(test_model *m)
{
    skip_blanks(m);
    const char *first = m->at;
    while (isalnum((unsigned char)*m->at) || *m->at == '_' || *m->at == '.')
        m->at++;
    return sg_sym_intern(m->symbols, first, (size_t)(m->at - first));
}

static sg_expr_id parse_call(test_model *m, sg_sym name)
{
    sg_expr_id args[16];
    uint32_t n = 0;
    sg_exprs *x = &m->flat.exprs;
    const char *text = sg_sym_text(m->symbols, name);
    while (!accept(m, ")") && n < 16) {
        args[n++] = parse_sum(m);
        accept(m, ",");
    }
    if (!strcmp(text, "der"))
        return sg_expr_var(x, sg_flat_der(&m->flat, sg_expr_var_of(x, args[0])));
    sg_expr_op op = sg_expr_op_by_name(text, n);
    if (op != SG_X_NULL)
        return sg_expr_make(x, op, args, n);
    sg_func_id func = {0};
    for (size_t i = 1; i < m->flat.funcs.len; i++) {
        if (m->flat.funcs.data[i].name.i == name.i)
            func.i = (uint32_t)i;
    }
    if (!func.i)
        func = sg_flat_func_add(&m->flat, name, NULL);
    return sg_expr_call(x, func, args, n);
}

static sg_expr_id parse_atom(test_model *m)
{
    sg_exprs *x = &m->flat.exprs;
    skip_blanks(m);
    if (isdigit((unsigned char)*m->at)) {
        char *end;
        double number = strtod(m->at, &end);
        bool whole = !memchr(m->at, '.', (size_t)(end - m->at));
        m->at = end;
        return whole ? sg_expr_int(x, number) : sg_expr_num(x, number);
    }
    if (accept(m, "(")) {
        sg_expr_id e = parse_sum(m);
        accept(m, ")");
        return e;
    }
    if (accept(m, "[")) {
        sg_expr_id parts[16];
        uint32_t n = 0;
        while (!accept(m, "]") && n < 16) {
            parts[n++] = parse_sum(m);
            accept(m, ",");
        }
        return sg_expr_make(x, SG_X_VECT, parts, n);
    }
    sg_sym name = parse_name(m);
    if (accept(m, "(")) {
        sg_expr_id e = parse_call(m, name);
        return sg_expr_op_of(x, e) == SG_X_CALL && !accept(m, "...") ? sg_expr_result(x, e, 0) : e;
    }
    if (!strcmp(sg_sym_text(m->symbols, name), "time"))
        return sg_expr_time(x);
    sg_par_id par = sg_flat_par_find(&m->flat, name);
    sg_expr_id e =
        par.i ? sg_expr_par(x, par) : sg_expr_var(x, sg_flat_var_add(&m->flat, name, (sg_span){0}));
    if (accept(m, "[")) {
        sg_expr_id args[2] = {e, parse_sum(m)};
        accept(m, "]");
        e = sg_expr_make(x, SG_X_INDEX, args, 2);
    }
    return e;
}

static sg_expr_id parse_power(test_model *m)
{
    sg_expr_id e = parse_atom(m);
    return accept(m, "^") ? sg_expr_pow(&m->flat.exprs, e, parse_atom(m)) : e;
}

static sg_expr_id parse_product(test_model *m)
{
    if (accept(m, "-"))
        return sg_expr_neg(&m->flat.exprs, parse_product(m));
    sg_expr_id e = parse_power(m);
    for (;;) {
        if (accept(m, "*"))
            e = sg_expr_mul(&m->flat.exprs, e, parse_power(m));
        else if (accept(m, "/"))
            e = sg_expr_div(&m->flat.exprs, e, parse_power(m));
        else
            return e;
    }
}

static sg_expr_id parse_sum(test_model *m)
{
    sg_exprs *x = &m->flat.exprs;
    sg_expr_id e = parse_product(m);
    for (;;) {
        if (accept(m, "+"))
            e = sg_expr_add(x, e, parse_product(m));
        else if (accept(m, "-"))
            e = sg_expr_sub(x, e, parse_product(m));
        else if (accept(m, "<"))
            e = sg_expr_binary(x, SG_X_LT, e, parse_product(m));
        else if (accept(m, "?")) {
            sg_expr_id yes = parse_sum(m);
            accept(m, ":");
            e = sg_expr_if(x, e, yes, parse_sum(m));
        } else
            return e;
    }
}

static sg_flat_value parse_value(test_model *m)
{
    double numbers[16];
    uint32_t n = 0;
    char *end;
    accept(m, "=");
    if (!accept(m, "["))
        return sg_flat_number(&m->flat, strtod(m->at, NULL));
    while (!accept(m, "]") && n < 16) {
        numbers[n++] = strtod(m->at, &end);
        m->at = end;
        accept(m, ",");
    }
    return sg_flat_array(&m->flat, numbers, n, 1, accept(m, "s"));
}

static void parse_multi(test_model *m)
{
    sg_expr_id results[16];
    uint32_t n = 0;
    while (!accept(m, ")") && n < 16) {
        results[n++] = parse_sum(m);
        accept(m, ",");
    }
    accept(m, "=");
    sg_exprs *x = &m->flat.exprs;
    sg_expr_id call = parse_atom(m);
    if (sg_expr_op_of(x, call) == SG_X_RESULT)
        call = sg_expr_arg(x, call, 0);
    sg_flat_eq_add_multi(&m->flat, results, n, call, (sg_span){0}, m->component);
}

static void parse_line(test_model *m, const char *line)
{
    static const struct {
        const char *word;
        uint32_t bit;
    } attributes[] = {{"flow ", SG_ATTR_FLOW},
                      {"potential ", SG_ATTR_POTENTIAL},
                      {"input ", SG_ATTR_TOP_INPUT},
                      {"inlet ", SG_ATTR_COMPONENT_INPUT}};
    m->at = line;
    for (size_t k = 0; k < sizeof attributes / sizeof attributes[0]; k++) {
        if (accept(m, attributes[k].word)) {
            sg_var_id var = sg_flat_var_add(&m->flat, parse_name(m), (sg_span){0});
            sg_flat_var_get(&m->flat, var)->attributes |= attributes[k].bit;
            return;
        }
    }
    if (accept(m, "par ")) {
        sg_sym name = parse_name(m);
        sg_flat_par_add(&m->flat, name, parse_value(m), (sg_span){0});
    } else if (accept(m, "init ") || accept(m, "start ")) {
        uint32_t what = line[strspn(line, " ")] == 'i' ? SG_ATTR_HAS_INIT : SG_ATTR_HAS_START;
        sg_var_id var = sg_flat_var_add(&m->flat, parse_name(m), (sg_span){0});
        sg_flat_set_value(&m->flat, var, what, parse_value(m));
    } else if (accept(m, "in ")) {
        m->component = parse_name(m);
    } else if (accept(m, "(") && strchr(line, '=') > strchr(line, ')')) {
        const char *close = strchr(m->at, ')') + 1;
        if (close[strspn(close, " ")] == '=') {
            parse_multi(m);
            return;
        }
        m->at = line;
        sg_expr_id lhs = parse_sum(m);
        accept(m, "=");
        sg_flat_eq_add(&m->flat, lhs, parse_sum(m), (sg_span){0}, m->component, SG_EQ_WRITTEN);
    } else if (*m->at || m->at != line) {
        m->at = line;
        sg_eq_origin origin = accept(m, "connect ") ? SG_EQ_CONNECTION : SG_EQ_WRITTEN;
        skip_blanks(m);
        if (!*m->at)
            return;
        sg_expr_id lhs = parse_sum(m);
        m->bad = m->bad || !accept(m, "=");
        sg_flat_eq_add(&m->flat, lhs, parse_sum(m), (sg_span){0}, m->component, origin);
    }
}

static void model_begin(test_model *m)
{
    memset(m, 0, sizeof *m);
    m->symbols = sg_symbols_create(sg_allocator_default());
    sg_flat_init(&m->flat, sg_allocator_default(), m->symbols);
    sg_arena_init(&m->arena, sg_allocator_default());
    sg_diags_init(&m->diags, sg_allocator_default());
    sg_buf_init(&m->text, sg_allocator_default());
    m->options = sg_translate_options_default();
    m->flat.name = sg_sym_intern_text(m->symbols, "M");
}

static void model_parse(test_model *m, const char *text)
{
    char line[400];
    for (const char *at = text; *at;) {
        size_t n = strcspn(at, "\n");
        snprintf(line, sizeof line, "%.*s", (int)n, at);
        if (line[strspn(line, " ")])
            parse_line(m, line);
        at += n + (at[n] == '\n');
    }
}

static void model_translate(test_model *m)
{
    sg_diags ignored;
    sg_diags_init(&ignored, sg_allocator_default());
    m->bad = m->bad || sg_flat_validate(&m->flat, &ignored) != SG_OK;
    sg_diags_destroy(&ignored);
    m->status = m->bad ? SG_ERR_INTERNAL
                       : sg_translate(&m->flat, &m->options, &m->arena, &m->diags, &m->structure);
}

static void model_end(test_model *m)
{
    sg_buf_free(&m->text);
    sg_diags_destroy(&m->diags);
    sg_arena_destroy(&m->arena);
    sg_flat_destroy(&m->flat);
    sg_symbols_destroy(m->symbols);
}

// All messages, one a line.
__attribute__((unused)) static const char *model_messages(test_model *m)
{
    sg_buf_clear(&m->text);
    for (size_t k = 0; k < m->diags.len; k++)
        sg_buf_printf(&m->text, "%s\n", m->diags.list[k].message);
    return sg_buf_text(&m->text);
}

__attribute__((unused)) static const char *model_vars(test_model *m, const sg_var_id *vars,
                                                      uint32_t n)
{
    sg_buf_clear(&m->text);
    for (uint32_t k = 0; k < n; k++) {
        sg_buf_puts(&m->text, k ? " " : "");
        sg_flat_print_var(&m->flat, vars[k], &m->text);
    }
    return sg_buf_text(&m->text);
}

__attribute__((unused)) static const char *model_states(test_model *m)
{
    return model_vars(m, m->structure.blocks.states, m->structure.blocks.n_states);
}

// Iteration variables of all systems, separated by "|".
__attribute__((unused)) static const char *model_tears(test_model *m)
{
    bool any = false;
    sg_buf_clear(&m->text);
    for (uint32_t i = 0; i < m->structure.blocks.n; i++) {
        const sg_block *b = &m->structure.blocks.list[i];
        if (b->kind == SG_BLOCK_ASSIGN)
            continue;
        sg_buf_puts(&m->text, any ? " | " : "");
        sg_buf_puts(&m->text, b->kind == SG_BLOCK_LINEAR ? "" : "~");
        for (uint32_t k = 0; k < b->n_unknowns; k++) {
            sg_buf_puts(&m->text, k ? " " : "");
            sg_flat_print_var(&m->flat, b->unknowns[k], &m->text);
        }
        any = true;
    }
    return sg_buf_text(&m->text);
}

// What is computed, in the order of evaluation; the unknowns of a system in brackets.
__attribute__((unused)) static const char *model_order(test_model *m)
{
    sg_buf_clear(&m->text);
    for (uint32_t i = 0; i < m->structure.blocks.n; i++) {
        const sg_block *b = &m->structure.blocks.list[i];
        sg_buf_puts(&m->text, i ? " " : "");
        for (uint32_t k = 0; k < b->n_unknowns; k++) {
            sg_buf_puts(&m->text, k ? " " : "[");
            sg_flat_print_var(&m->flat, b->unknowns[k], &m->text);
        }
        for (uint32_t k = 0; k < b->n_assigns; k++) {
            sg_buf_puts(&m->text, k || b->n_unknowns ? " " : "");
            sg_flat_print_var(&m->flat, b->assigns[k].var, &m->text);
        }
        sg_buf_puts(&m->text, b->n_unknowns ? "]" : "");
    }
    return sg_buf_text(&m->text);
}

__attribute__((unused)) static const char *model_blocks(test_model *m)
{
    sg_buf_clear(&m->text);
    sg_structure_dump_blocks(&m->structure, &m->flat, &m->text);
    return sg_buf_text(&m->text);
}
