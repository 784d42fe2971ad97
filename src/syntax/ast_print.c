// A tree in the dialect's own spelling. Parentheses are put where the binding of operators asks for
// them, not where they were written, so that trees made by interpolation print right as well.
#include "syntax/ast_print_internal.h"
#include "syntax/lexer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- operators -----------------------------------------------------------------------------

static const sg_token_op_info *operator_of(const sg_ast_printer *pr, const sg_ast *name)
{
    if (name->kind != SG_AST_NAME)
        return NULL;
    const char *text = sg_ast_text(pr, name->sym);
    sg_token_op op = sg_op_find(text, strlen(text));
    return op == SG_TOKEN_OP_COUNT ? NULL : &sg_op_table[op];
}

static bool is_number(const sg_ast *ast)
{
    return ast->kind == SG_AST_INT || ast->kind == SG_AST_FLOAT || ast->kind == SG_AST_FLOAT32;
}

// The leftmost leaf of an expression that binds more strongly than a product, or null.
static const sg_ast *leftmost(const sg_ast_printer *pr, const sg_ast *ast)
{
    for (;;) {
        bool power = false;
        if (ast->flags & SG_AST_INFIX) {
            const sg_token_op_info *op = operator_of(pr, ast->kids[0]);
            power = op && op->prec == SG_PREC_POWER && ast->n == 3;
            if (!power)
                return NULL;
        }
        if (ast->kind == SG_AST_CALL || ast->kind == SG_AST_FIELD || ast->kind == SG_AST_INDEX)
            ast = ast->kids[power ? 1 : 0];
        else
            return ast;
    }
}

// Whether a product may be printed by juxtaposition.
static bool juxtaposes(const sg_ast_printer *pr, const sg_ast *left, const sg_ast *right)
{
    const sg_ast *first = leftmost(pr, right);
    if (!first || (first->kind != SG_AST_STRMACRO &&
                   (first->kind != SG_AST_NAME || operator_of(pr, first) != NULL)))
        return false;
    // 2 * e5 is not 2e5, and 0 * x is not 0x.
    bool zero = left->kind == SG_AST_INT && left->i == 0;
    if (is_number(left) && strchr(zero ? "eEfxob_" : "eEf_", sg_ast_text(pr, first->sym)[0]))
        return false;
    return is_number(left) || left->kind == SG_AST_VECT || left->kind == SG_AST_INDEX ||
           (left->kind == SG_AST_CALL && !(left->flags & SG_AST_INFIX));
}

typedef struct operator_binding {
    const sg_token_op_info *op; // null if not written as an operator
    sg_prec prec;
    bool unary;
} operator_binding;

static operator_binding binding_of(const sg_ast_printer *pr, const sg_ast *ast)
{
    operator_binding none = {NULL, SG_PREC_ATOM, false};
    if (ast->kind != SG_AST_CALL || ast->n < 2 || !(ast->flags & SG_AST_INFIX))
        return none;
    const sg_token_op_info *op = operator_of(pr, ast->kids[0]);
    if (!op)
        return none;
    for (uint32_t i = 1; i < ast->n; i++)
        if (ast->kids[i]->kind == SG_AST_KW || ast->kids[i]->kind == SG_AST_PARAMETERS ||
            ast->kids[i]->kind == SG_AST_SPLAT || ast->kids[i]->kind == SG_AST_GENERATOR)
            return none;
    if (ast->n == 2)
        return op->flags & SG_TOKEN_OP_UNARY ? (operator_binding){op, SG_PREC_UNARY, true} : none;
    bool logical = op->prec == SG_PREC_AND || op->prec == SG_PREC_OR; // have kinds of their own
    if (op->prec == SG_PREC_NONE || (logical && !(ast->flags & SG_AST_DOTTED)) ||
        (ast->n > 3 && !(op->flags & SG_TOKEN_OP_NARY)) ||
        (ast->n > 3 && (ast->flags & SG_AST_DOTTED)))
        return none;
    return (operator_binding){op, (sg_prec)op->prec, false};
}

static bool prints_juxtaposed(const sg_ast_printer *pr, const sg_ast *ast)
{
    return (ast->flags & SG_AST_JUXT) && ast->n == 3 && juxtaposes(pr, ast->kids[1], ast->kids[2]);
}

// a + b + c is one node, so (a + b) + c needs its parentheses.
static bool is_same_nary(const sg_ast_printer *pr, const sg_ast *kid, const sg_token_op_info *op)
{
    operator_binding b = binding_of(pr, kid);
    return (op->flags & SG_TOKEN_OP_NARY) && b.op == op && !(kid->flags & SG_AST_DOTTED) &&
           !prints_juxtaposed(pr, kid);
}

static void print_unary(sg_ast_printer *pr, const sg_ast *ast, const sg_token_op_info *op)
{
    const sg_ast *kid = ast->kids[1];
    if (ast->flags & SG_AST_DOTTED)
        sg_ast_puts(pr, ".");
    sg_ast_puts(pr, op->canonical);
    // A sign and a number are one literal, so what begins with a number is put in parentheses.
    bool number = is_number(kid) ||
                  (kid->kind == SG_AST_TYPED && kid->n == 2 && is_number(kid->kids[0])) ||
                  (prints_juxtaposed(pr, kid) && is_number(kid->kids[1]));
    bool need = number || kid->kind == SG_AST_TUPLE ||
                (kid->kind == SG_AST_NAME && operator_of(pr, kid) != NULL);
    operator_binding b = binding_of(pr, kid);
    sg_ast_open(pr, need);
    // -(-x) keeps apart from --x.
    sg_ast_print_node(pr, kid, b.unary ? SG_PREC_POWER : SG_PREC_UNARY);
    sg_ast_close(pr, need);
}

// Only the sign has a dotted form: `x .in y` is not an operator.
static const char *dotted(bool dot, const char *operator)
{
    return !dot ? operator: strcmp(operator, "in") == 0 ? "∈" : operator;
}

static void print_binary(sg_ast_printer *pr, const sg_ast *ast, operator_binding b)
{
    const sg_token_op_info *op = b.op;
    if (prints_juxtaposed(pr, ast)) {
        sg_ast_print_node(pr, ast->kids[1],
                          is_number(ast->kids[1]) ? SG_PREC_UNARY : SG_PREC_POWER);
        sg_ast_print_node(pr, ast->kids[2], SG_PREC_POWER);
        return;
    }
    bool tight = b.prec >= SG_PREC_POWER;
    for (uint32_t i = 1; i < ast->n; i++) {
        const sg_ast *kid = ast->kids[i];
        if (i > 1) {
            bool dot = ast->flags & SG_AST_DOTTED;
            sg_buf_printf(pr->out, "%s%s%s%s", tight ? "" : " ", dot ? "." : "",
                          dotted(dot, op->canonical), tight ? "" : " ");
        }
        int prec = (int)b.prec, least = prec;
        if (b.prec == SG_PREC_POWER)
            least = i == 1 ? SG_PREC_DECLARE : SG_PREC_UNARY;
        else if (b.prec == SG_PREC_PAIR)
            least = i == 1 ? prec + 1 : prec;
        else if (i > 1 || b.prec == SG_PREC_COMPARE)
            least = prec + 1;
        bool nary = is_same_nary(pr, kid, op) && !(ast->flags & SG_AST_DOTTED);
        bool negative = b.prec == SG_PREC_POWER && i == 1 && is_number(kid) &&
                        (kid->kind == SG_AST_INT ? kid->i < 0 : signbit(kid->d) != 0);
        // 2 .+ x and 2.0 .* x: a blank keeps the dot from the number; for ^ parentheses do.
        if (tight && (ast->flags & SG_AST_DOTTED) && i == 1 && kid->kind == SG_AST_INT)
            negative = true;
        sg_ast_open(pr, nary || negative);
        sg_ast_print_node(pr, kid, (nary || negative) ? SG_PREC_NONE : (sg_prec)least);
        sg_ast_close(pr, nary || negative);
    }
}

static void print_args(sg_ast_printer *pr, sg_ast *const *kids, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (kids[i]->kind == SG_AST_PARAMETERS)
            sg_ast_puts(pr, "; ");
        else if (i)
            sg_ast_puts(pr, ", ");
        bool need = kids[i]->kind == SG_AST_ASSIGN || kids[i]->kind == SG_AST_GENERATOR;
        if (n == 1 && kids[i]->kind == SG_AST_GENERATOR)
            need = false;
        sg_ast_open(pr, need);
        sg_ast_print_node(pr, kids[i], SG_PREC_NONE);
        sg_ast_close(pr, need);
    }
}

static void print_call(sg_ast_printer *pr, const sg_ast *ast)
{
    operator_binding b = binding_of(pr, ast);
    if (b.op && b.unary) {
        print_unary(pr, ast, b.op);
    } else if (b.op) {
        print_binary(pr, ast, b);
    } else {
        sg_ast_print_node(pr, ast->kids[0], SG_PREC_POSTFIX);
        sg_ast_puts(pr, ast->flags & SG_AST_DOTTED ? ".(" : "(");
        print_args(pr, ast->kids + 1, ast->n - 1);
        sg_ast_puts(pr, ")");
    }
}

static void print_compare(sg_ast_printer *pr, const sg_ast *ast)
{
    for (uint32_t i = 0; i < ast->n; i++) {
        if (i % 2 == 0) {
            sg_ast_print_node(pr, ast->kids[i], (sg_prec)(SG_PREC_COMPARE + 1));
        } else {
            bool dot = ast->kids[i]->flags & SG_AST_DOTTED;
            sg_buf_printf(pr->out, " %s%s ", dot ? "." : "",
                          dotted(dot, sg_ast_text(pr, ast->kids[i]->sym)));
        }
    }
}

// ---- arrays --------------------------------------------------------------------------------

// Elements separated by blanks: what holds blanks of its own is put in parentheses.
static void print_element(sg_ast_printer *pr, const sg_ast *ast)
{
    bool bare = ast->kind == SG_AST_ASSIGN;
    operator_binding b = binding_of(pr, ast);
    bool simple =
        b.prec == SG_PREC_ATOM || b.prec == SG_PREC_POWER || b.unary || prints_juxtaposed(pr, ast);
    bool need = !bare && (!simple || ast->kind == SG_AST_COLON || ast->kind == SG_AST_MACROCALL);
    sg_ast_open(pr, need);
    sg_ast_print_node(pr, ast, simple && !bare ? SG_PREC_UNARY : SG_PREC_NONE);
    sg_ast_close(pr, need);
}

static void print_row(sg_ast_printer *pr, const sg_ast *ast)
{
    for (uint32_t i = 0; i < ast->n; i++) {
        if (i)
            sg_ast_puts(pr, " ");
        print_element(pr, ast->kids[i]);
    }
}

static bool is_equation_list(const sg_ast *ast)
{
    for (uint32_t i = 0; i < ast->n; i++)
        if (ast->kids[i]->kind == SG_AST_ASSIGN)
            return true;
    return false;
}

// Equations stand one a line, as they are written.
static void print_equations(sg_ast_printer *pr, const sg_ast *ast)
{
    bool compact = pr->compact;
    sg_ast_puts(pr, "[");
    pr->compact = true;
    pr->indent++;
    for (uint32_t i = 0; i < ast->n; i++) {
        sg_buf_putc(pr->out, '\n');
        sg_buf_pad(pr->out, ' ', 4 * (size_t)pr->indent);
        if (ast->kids[i]->kind == SG_AST_ROW)
            print_row(pr, ast->kids[i]);
        else
            sg_ast_print_node(pr, ast->kids[i], SG_PREC_NONE);
    }
    pr->indent--;
    pr->compact = compact;
    if (ast->n == 1)
        sg_ast_puts(pr, ";");
    sg_ast_puts(pr, "]");
}

static void print_array_inside(sg_ast_printer *pr, const sg_ast *ast)
{
    switch (ast->kind) {
    case SG_AST_VECT:
        sg_ast_print_list(pr, ast->kids, ast->n, ", ");
        break;
    case SG_AST_HCAT:
        print_row(pr, ast);
        break;
    case SG_AST_VCAT:
    case SG_AST_NCAT: {
        bool v = ast->kind == SG_AST_VCAT;
        size_t semicolons = v ? 1 : (size_t)ast->dimension;
        for (uint32_t i = 0; i < ast->n; i++) {
            const sg_ast *kid = ast->kids[i];
            if (i) {
                sg_buf_pad(pr->out, ';', semicolons);
                sg_ast_puts(pr, " ");
            }
            if (kid->kind == SG_AST_ROW)
                print_row(pr, kid);
            else
                print_element(pr, kid);
        }
        if (ast->n == 1)
            sg_buf_pad(pr->out, ';', semicolons);
        break;
    }
    default:
        sg_ast_print_node(pr, ast->kids[0], SG_PREC_NONE); // a comprehension's generator
        break;
    }
}

static void print_array(sg_ast_printer *pr, const sg_ast *ast)
{
    if (ast->kind == SG_AST_VCAT && is_equation_list(ast)) {
        print_equations(pr, ast);
        return;
    }
    bool compact = pr->compact;
    pr->compact = true;
    sg_ast_puts(pr, "[");
    print_array_inside(pr, ast);
    sg_ast_puts(pr, "]");
    pr->compact = compact;
}

static void print_generator(sg_ast_printer *pr, const sg_ast *ast)
{
    // Nested loops share one body, which comes first.
    const sg_ast *inner = ast;
    while (inner->flags & SG_AST_FLATTEN)
        inner = inner->kids[0];
    sg_ast_print_node(pr, inner->kids[0], SG_PREC_NONE);
    for (const sg_ast *g = ast;; g = g->kids[0]) {
        for (uint32_t i = 1; i < g->n; i++) {
            bool filter = g->kids[i]->kind == SG_AST_FILTER;
            sg_ast_puts(pr, filter ? " if " : i == 1 ? " for " : ", ");
            if (filter)
                sg_ast_print_node(pr, g->kids[i]->kids[0], SG_PREC_PAIR);
            else
                sg_ast_print_node(pr, g->kids[i], SG_PREC_NONE);
        }
        if (g == inner)
            break;
    }
}

// ---- the rest ------------------------------------------------------------------------------

static void print_tuple(sg_ast_printer *pr, const sg_ast *ast)
{
    bool named = ast->n && ast->kids[ast->n - 1]->kind == SG_AST_PARAMETERS;
    sg_ast_puts(pr, "(");
    if (ast->n == 2 && named) { // (a; b) would be two statements
        print_args(pr, ast->kids, 1);
        sg_ast_puts(pr, ",");
        print_args(pr, ast->kids + 1, 1);
    } else {
        print_args(pr, ast->kids, ast->n);
    }
    if (ast->n == 1 && !named)
        sg_ast_puts(pr, ",");
    sg_ast_puts(pr, ")");
}

// The parameters of an anonymous function.
static void print_lambda_head(sg_ast_printer *pr, const sg_ast *ast)
{
    bool plain = ast->n == 1 && ast->kids[0]->kind == SG_AST_NAME;
    sg_ast_open(pr, !plain);
    print_args(pr, ast->kids, ast->n);
    if (!plain && ast->n == 1 && ast->kids[0]->kind != SG_AST_PARAMETERS)
        sg_ast_puts(pr, ",");
    sg_ast_close(pr, !plain);
}

static void print_quote(sg_ast_printer *pr, const sg_ast *ast)
{
    const sg_ast *kid = ast->kids[0];
    if (kid->kind == SG_AST_BLOCK && !(kid->flags & SG_AST_PAREN)) {
        sg_ast_puts(pr, "quote");
        sg_ast_print_body(pr, kid);
    } else if (kid->kind == SG_AST_VECT || kid->kind == SG_AST_VCAT || kid->kind == SG_AST_HCAT ||
               kid->kind == SG_AST_NCAT) {
        sg_ast_puts(pr, ":");
        sg_ast_print_node(pr, kid, SG_PREC_NONE);
    } else {
        bool compact = pr->compact;
        pr->compact = true;
        sg_ast_puts(pr, ":(");
        if (kid->kind == SG_AST_TUPLE && kid->n > 1 && kid->kids[0]->kind != SG_AST_KW)
            print_args(pr, kid->kids, kid->n); // :(a, b)
        else
            sg_ast_print_node(pr, kid, SG_PREC_NONE);
        sg_ast_puts(pr, ")");
        pr->compact = compact;
    }
}

static void print_parameters(sg_ast_printer *pr, const sg_ast *ast)
{
    print_args(pr, ast->kids, ast->n);
}

static void print_keyword(sg_ast_printer *pr, const sg_ast *ast)
{
    sg_ast_puts(pr, sg_ast_text(pr, ast->sym));
    if (ast->n > 1) {
        sg_ast_puts(pr, "::");
        sg_ast_print_node(pr, ast->kids[1], SG_PREC_POSTFIX);
    }
    sg_ast_puts(pr, " = ");
    sg_ast_print_node(pr, ast->kids[0], SG_PREC_NONE);
}

static void print_macrocall(sg_ast_printer *pr, const sg_ast *ast)
{
    sg_buf_printf(pr->out, "@%s", sg_ast_text(pr, ast->sym));
    // Keywords stand in parentheses only, and a loop behind another argument would begin a
    // comprehension inside of brackets.
    bool list = ast->n == 0;
    for (uint32_t i = 0; i < ast->n; i++) {
        sg_ast_kind kind = ast->kids[i]->kind;
        list = list || kind == SG_AST_KW || kind == SG_AST_PARAMETERS || kind == SG_AST_FOR;
    }
    if (list) {
        sg_ast_puts(pr, "(");
        print_args(pr, ast->kids, ast->n);
        sg_ast_puts(pr, ")");
        return;
    }
    for (uint32_t i = 0; i < ast->n; i++) {
        sg_ast_puts(pr, " ");
        sg_ast_print_node(pr, ast->kids[i], SG_PREC_NONE);
    }
}

// How strongly the printed form of a node binds.
static sg_prec prec_of(const sg_ast_printer *pr, const sg_ast *ast)
{
    switch (ast->kind) {
    case SG_AST_CALL: {
        operator_binding b = binding_of(pr, ast);
        if (b.op && !b.unary && prints_juxtaposed(pr, ast))
            return SG_PREC_JUXT;
        return b.prec;
    }
    case SG_AST_INT:
        return ast->i < 0 ? SG_PREC_UNARY : SG_PREC_DECLARE; // (2).x and (2)(x) need parentheses
    case SG_AST_FLOAT:
    case SG_AST_FLOAT32:
        return signbit(ast->d) ? SG_PREC_UNARY : SG_PREC_DECLARE;
    case SG_AST_ASSIGN:
    case SG_AST_OPASSIGN:
    case SG_AST_LAMBDA:
        return SG_PREC_ASSIGN;
    case SG_AST_FUNCTION:
        return ast->kids[1]->kind == SG_AST_BLOCK && !(ast->kids[1]->flags & SG_AST_PAREN)
                   ? SG_PREC_ATOM
                   : SG_PREC_ASSIGN;
    case SG_AST_IF:
        return ast->flags & SG_AST_TERNARY ? SG_PREC_COND : SG_PREC_ATOM;
    case SG_AST_OR:
        return SG_PREC_OR;
    case SG_AST_AND:
        return SG_PREC_AND;
    case SG_AST_COMPARE:
        return SG_PREC_COMPARE;
    case SG_AST_RANGE:
        return SG_PREC_RANGE;
    case SG_AST_TYPED:
    case SG_AST_WHERE:
        return SG_PREC_DECLARE;
    case SG_AST_RETURN:
    case SG_AST_CONST:
    case SG_AST_GLOBAL:
    case SG_AST_LOCAL:
    case SG_AST_MACROCALL:
    case SG_AST_GENERATOR:
    case SG_AST_SPLAT:
        return SG_PREC_ASSIGN;
    case SG_AST_SYMBOL:
    case SG_AST_QUOTE:
        return SG_PREC_POSTFIX;
    default:
        return SG_PREC_ATOM;
    }
}

static void print_collection(sg_ast_printer *pr, const sg_ast *ast);

static bool begins_with_colon(const sg_ast *ast)
{
    while (ast->n && ast->kind != SG_AST_QUOTE && ast->kind != SG_AST_TUPLE &&
           ast->kind != SG_AST_VECT) {
        if (ast->kind == SG_AST_TYPED && ast->n == 1) // ::T
            return true;
        ast = ast->kids[(ast->flags & SG_AST_INFIX) && ast->n > 2 ? 1 : 0];
    }
    return ast->kind == SG_AST_SYMBOL || ast->kind == SG_AST_QUOTE || ast->kind == SG_AST_COLON;
}

// Or with the symbol of an operator, which a colon behind it would change.
static bool ends_with_colon(const sg_ast_printer *pr, const sg_ast *ast)
{
    while (ast->n && (ast->flags & SG_AST_INFIX))
        ast = ast->kids[ast->n - 1];
    if (ast->kind != SG_AST_SYMBOL)
        return ast->kind == SG_AST_COLON;
    const char *name = sg_ast_text(pr, ast->sym);
    return !sg_is_plain_name(name, strlen(name));
}

static void print_node(sg_ast_printer *pr, const sg_ast *ast)
{
    sg_ast *const *kids = ast->kids;
    switch (ast->kind) {
    case SG_AST_CALL:
        print_call(pr, ast);
        break;
    case SG_AST_COMPARE:
        print_compare(pr, ast);
        break;
    case SG_AST_AND:
    case SG_AST_OR: {
        bool and = ast->kind == SG_AST_AND;
        sg_prec prec = and? SG_PREC_AND : SG_PREC_OR;
        sg_ast_print_node(pr, kids[0], (sg_prec)(prec + 1));
        sg_ast_puts(pr, and? " && " : " || ");
        sg_ast_print_node(pr, kids[1], prec);
        break;
    }
    case SG_AST_RANGE:
        for (uint32_t i = 0; i < ast->n; i++) {
            if (i)
                sg_ast_puts(pr, ":");
            // x:(:a) would read as x::a, and (:):a as ::a
            bool need = (i && begins_with_colon(kids[i])) ||
                        (i + 1 < ast->n && ends_with_colon(pr, kids[i]));
            sg_ast_open(pr, need);
            sg_ast_print_node(pr, kids[i], (sg_prec)(SG_PREC_RANGE + 1));
            sg_ast_close(pr, need);
        }
        break;
    case SG_AST_TYPED:
        if (ast->n == 2) {
            bool need = ends_with_colon(pr, kids[0]);
            sg_ast_open(pr, need);
            sg_ast_print_node(pr, kids[0], need ? SG_PREC_NONE : SG_PREC_POSTFIX);
            sg_ast_close(pr, need);
        }
        sg_ast_puts(pr, "::");
        sg_ast_print_node(pr, kids[ast->n - 1], SG_PREC_POSTFIX);
        break;
    case SG_AST_WHERE:
        sg_ast_print_node(pr, kids[0], SG_PREC_DECLARE);
        sg_ast_puts(pr, " where {");
        sg_ast_print_list(pr, kids + 1, ast->n - 1, ", ");
        sg_ast_puts(pr, "}");
        break;
    case SG_AST_ASSIGN:
        sg_ast_print_node(pr, kids[0], SG_PREC_PAIR);
        sg_ast_puts(pr, ast->flags & SG_AST_DOTTED ? " .= " : " = ");
        sg_ast_print_node(pr, kids[1], SG_PREC_ASSIGN);
        break;
    case SG_AST_OPASSIGN:
        sg_ast_print_node(pr, kids[0], SG_PREC_PAIR);
        sg_buf_printf(pr->out, " %s%s= ", ast->flags & SG_AST_DOTTED ? "." : "",
                      sg_ast_text(pr, ast->sym));
        sg_ast_print_node(pr, kids[1], SG_PREC_ASSIGN);
        break;
    case SG_AST_LAMBDA:
        if (kids[1]->kind == SG_AST_BLOCK && !(kids[1]->flags & SG_AST_PAREN)) {
            sg_ast_puts(pr, "function ");
            print_tuple(pr, kids[0]);
            sg_ast_print_body(pr, kids[1]);
            break;
        }
        print_lambda_head(pr, kids[0]);
        sg_ast_puts(pr, " -> ");
        sg_ast_print_node(pr, kids[1], SG_PREC_ASSIGN);
        break;
    case SG_AST_INDEX:
        sg_ast_print_node(pr, kids[0], SG_PREC_POSTFIX);
        sg_ast_puts(pr, "[");
        sg_ast_print_list(pr, kids + 1, ast->n - 1, ", ");
        sg_ast_puts(pr, "]");
        break;
    case SG_AST_TYPED_ARRAY:
        sg_ast_print_node(pr, kids[0], SG_PREC_POSTFIX);
        sg_ast_print_node(pr, kids[1], SG_PREC_NONE);
        break;
    case SG_AST_FIELD: {
        const char *name = sg_ast_text(pr, ast->sym);
        sg_lexer lexer = {.text = name, .length = (uint32_t)strlen(name)};
        sg_ast_print_node(pr, kids[0], SG_PREC_POSTFIX);
        sg_buf_printf(pr->out, sg_lex_name_length(&lexer, 0) ? ".%s" : ".:(%s)", name);
        break;
    }
    case SG_AST_CURLY:
        sg_ast_print_node(pr, kids[0], SG_PREC_POSTFIX);
        sg_ast_puts(pr, "{");
        sg_ast_print_list(pr, kids + 1, ast->n - 1, ", ");
        sg_ast_puts(pr, "}");
        break;
    case SG_AST_ADJOINT:
        sg_ast_print_node(pr, kids[0], SG_PREC_POSTFIX);
        sg_ast_puts(pr, "'");
        break;
    case SG_AST_SPLAT:
        sg_ast_print_node(pr, kids[0], SG_PREC_COND);
        sg_ast_puts(pr, "...");
        break;
    case SG_AST_ITER:
        sg_ast_print_node(pr, kids[0], SG_PREC_POSTFIX);
        sg_ast_puts(pr, " in ");
        sg_ast_print_node(pr, kids[1], SG_PREC_PAIR);
        break;
    case SG_AST_IF:
        if (ast->flags & SG_AST_TERNARY) {
            sg_ast_print_node(pr, kids[0], SG_PREC_OR);
            sg_ast_puts(pr, " ? ");
            bool range = kids[1]->kind == SG_AST_RANGE;
            sg_ast_open(pr, range);
            sg_ast_print_node(pr, kids[1], SG_PREC_COND);
            sg_ast_close(pr, range);
            sg_ast_puts(pr, " : ");
            sg_ast_print_node(pr, kids[2], SG_PREC_COND);
            break;
        }
        sg_ast_print_statement(pr, ast);
        break;
    default:
        if (!sg_ast_print_literal(pr, ast) && !sg_ast_print_statement(pr, ast))
            print_collection(pr, ast);
        break;
    }
}

static void print_collection(sg_ast_printer *pr, const sg_ast *ast)
{
    sg_ast *const *kids = ast->kids;
    switch (ast->kind) {
    case SG_AST_QUOTE:
        print_quote(pr, ast);
        break;
    case SG_AST_INTERPOLATE:
        sg_ast_puts(pr, kids[0]->kind == SG_AST_NAME ? "$" : "$(");
        sg_ast_print_node(pr, kids[0], SG_PREC_NONE);
        sg_ast_puts(pr, kids[0]->kind == SG_AST_NAME ? "" : ")");
        break;
    case SG_AST_PARAMETERS:
        print_parameters(pr, ast);
        break;
    case SG_AST_KW:
        print_keyword(pr, ast);
        break;
    case SG_AST_TUPLE:
        print_tuple(pr, ast);
        break;
    case SG_AST_VECT:
    case SG_AST_VCAT:
    case SG_AST_HCAT:
    case SG_AST_NCAT:
    case SG_AST_COMPREHENSION:
        print_array(pr, ast);
        break;
    case SG_AST_ROW:
        print_row(pr, ast);
        break;
    case SG_AST_GENERATOR:
        print_generator(pr, ast);
        break;
    case SG_AST_MACROCALL:
        print_macrocall(pr, ast);
        break;
    case SG_AST_FILTER:
        sg_ast_puts(pr, "if ");
        sg_ast_print_node(pr, kids[0], SG_PREC_NONE);
        break;
    default:
        break;
    }
}

void sg_ast_print_node(sg_ast_printer *pr, const sg_ast *ast, sg_prec least)
{
    bool need = prec_of(pr, ast) < least;
    sg_ast_open(pr, need);
    print_node(pr, ast);
    sg_ast_close(pr, need);
}

void sg_ast_print(const sg_symbols *symbols, const sg_ast *ast, sg_buf *out)
{
    sg_ast_print_with(symbols, ast, NULL, NULL, out);
}

void sg_ast_print_with(const sg_symbols *symbols, const sg_ast *ast, sg_value_printer print_value_,
                       void *context, sg_buf *out)
{
    sg_ast_printer pr = {
        .symbols = symbols, .out = out, .print_value = print_value_, .context = context};
    // A file's block is its statements.
    if (ast->kind == SG_AST_BLOCK && ast->span.first == 0 && !(ast->flags & SG_AST_PAREN)) {
        for (uint32_t i = 0; i < ast->n; i++) {
            sg_ast_print_node(&pr, ast->kids[i], SG_PREC_NONE);
            bool text =
                ast->kids[i]->kind == SG_AST_STRING || ast->kids[i]->kind == SG_AST_INTERP_STRING;
            // Else it would document what follows.
            sg_ast_puts(&pr, i + 1 < ast->n && text ? ";\n" : "\n");
        }
        return;
    }
    sg_ast_print_node(&pr, ast, SG_PREC_NONE);
}
