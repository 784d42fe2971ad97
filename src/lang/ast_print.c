// A tree in the dialect's own spelling. Parentheses are put where the binding of operators asks for
// them, not where they were written, so that trees made by interpolation print right as well.
#include "lang/ast.h"
#include "lang/lexer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct printer {
    const sg_symbols *symbols;
    sg_buf *out;
    sg_value_printer print_value; // may be null
    void *context;
    uint32_t indent;
    bool compact; // inside quotes and array literals: blocks stand on one line
} printer;

static void print(printer *pr, const sg_ast *ast, sg_prec least);

static void puts_(printer *pr, const char *text) { sg_buf_puts(pr->out, text); }

static const char *text_of(const printer *pr, sg_sym sym) { return sg_sym_text(pr->symbols, sym); }

static void print_list(printer *pr, sg_ast *const *kids, uint32_t n, const char *separator)
{
    for (uint32_t i = 0; i < n; i++) {
        if (i)
            puts_(pr, separator);
        print(pr, kids[i], SG_PREC_NONE);
    }
}

// ---- names and literals --------------------------------------------------------------------

// An operator as a value needs parentheses, so that it is not taken for one.
static void print_name(printer *pr, sg_sym sym)
{
    const char *text = text_of(pr, sym);
    bool plain = sg_is_plain_name(text, strlen(text)) || text[0] == '@';
    bool dots = text[0] == '.' && text[strspn(text, ".")] == '\0';
    sg_buf_printf(pr->out, plain || dots || !text[0] ? "%s" : "(%s)", text);
}

static void print_float(printer *pr, double d, bool single)
{
    char digits[32];
    size_t n = sg_format_shortest(d, digits);
    digits[n] = '\0';
    if (isinf(d) || isnan(d)) {
        puts_(pr, digits);
        if (single)
            puts_(pr, "32");
        return;
    }
    if (single) // the fewest digits that give the same single
        for (int precision = 6; precision < 10; precision++) {
            snprintf(digits, sizeof digits, "%.*g", precision, d);
            if ((double)strtof(digits, NULL) == d)
                break;
        }
    char *exponent = strchr(digits, 'e');
    if (single) {
        if (exponent)
            *exponent = 'f';
        puts_(pr, digits);
        if (!exponent)
            puts_(pr, "f0");
        return;
    }
    puts_(pr, digits);
    if (!exponent && !strchr(digits, '.'))
        puts_(pr, ".0");
}

static void print_escaped(printer *pr, sg_text text, char quote, bool dollar)
{
    for (uint32_t i = 0; i < text.len; i++) {
        char c = text.bytes[i];
        if (c == '\n')
            puts_(pr, "\\n");
        else if (c == '\t')
            puts_(pr, "\\t");
        else if (c == '\r')
            puts_(pr, "\\r");
        else if (c == quote || c == '\\' || (c == '$' && dollar))
            sg_buf_printf(pr->out, "\\%c", c);
        else if ((unsigned char)c < 0x20 || c == 0x7f)
            sg_buf_printf(pr->out, "\\x%02x", (unsigned)(unsigned char)c);
        else
            sg_buf_putc(pr->out, c);
    }
}

static void print_char(printer *pr, int64_t code)
{
    char bytes[4];
    sg_text text = {bytes, sg_utf8_encode((uint32_t)code, bytes)};
    sg_buf_putc(pr->out, '\'');
    print_escaped(pr, text, '\'', false);
    sg_buf_putc(pr->out, '\'');
}

static void print_interp_string(printer *pr, const sg_ast *ast)
{
    sg_buf_putc(pr->out, '"');
    for (uint32_t i = 0; i < ast->n; i++) {
        const sg_ast *kid = ast->kids[i];
        if (kid->kind == SG_AST_STRING) {
            print_escaped(pr, kid->text, '"', true);
        } else {
            puts_(pr, "$(");
            print(pr, kid, SG_PREC_NONE);
            puts_(pr, ")");
        }
    }
    sg_buf_putc(pr->out, '"');
}

static void print_strmacro(printer *pr, const sg_ast *ast)
{
    sg_buf_printf(pr->out, "%s\"", text_of(pr, ast->sym));
    for (uint32_t i = 0; i < ast->extra.len; i++) {
        if (ast->extra.bytes[i] == '"')
            sg_buf_putc(pr->out, '\\');
        sg_buf_putc(pr->out, ast->extra.bytes[i]);
    }
    sg_buf_putc(pr->out, '"');
}

static void print_symbol(printer *pr, sg_sym sym)
{
    const char *text = text_of(pr, sym);
    sg_lexer lexer = {.text = text, .length = (uint32_t)strlen(text)};
    if (sg_lex_name_length(&lexer, 0) == lexer.length ||
        sg_op_find(text, strlen(text)) != SG_OP_COUNT)
        sg_buf_printf(pr->out, ":%s", text);
    else if (strspn(text, "=:.+-*/\\^%&|<>!~?") == strlen(text))
        sg_buf_printf(pr->out, ":(%s)", text);
    else
        sg_buf_printf(pr->out, "Symbol(\"%s\")", text);
}

// ---- blocks --------------------------------------------------------------------------------

static void newline(printer *pr)
{
    if (pr->compact) {
        puts_(pr, "; ");
        return;
    }
    sg_buf_putc(pr->out, '\n');
    sg_buf_pad(pr->out, ' ', 4 * (size_t)pr->indent);
}

// The statements of a block, each on its line; a single expression stands for itself.
static void print_body(printer *pr, const sg_ast *body)
{
    bool block = body->kind == SG_AST_BLOCK && !(body->flags & SG_AST_PAREN);
    uint32_t n = block ? body->n : 1;
    sg_ast *const single[1] = {(sg_ast *)body};
    sg_ast *const *kids = block ? body->kids : single;
    pr->indent++;
    for (uint32_t i = 0; i < n; i++) {
        newline(pr);
        print(pr, kids[i], SG_PREC_NONE);
        // What would otherwise document the next statement.
        if (!pr->compact && i + 1 < n && kids[i]->kind == SG_AST_STRING)
            puts_(pr, ";");
    }
    pr->indent--;
}

static void print_end(printer *pr)
{
    if (pr->compact)
        sg_buf_putc(pr->out, ' ');
    else
        newline(pr);
    puts_(pr, "end");
}

static void print_if(printer *pr, const sg_ast *ast, const char *word)
{
    puts_(pr, word);
    print(pr, ast->kids[0], SG_PREC_NONE);
    // One expression a branch fits a line, as in equations.
    print_body(pr, ast->kids[1]);
    if (ast->n > 2) {
        const sg_ast *otherwise = ast->kids[2];
        if (pr->compact)
            sg_buf_putc(pr->out, ' ');
        else
            newline(pr);
        if (otherwise->kind == SG_AST_IF && !(otherwise->flags & SG_AST_TERNARY)) {
            print_if(pr, otherwise, "elseif ");
            return;
        }
        puts_(pr, "else");
        if (pr->compact && otherwise->kind == SG_AST_BLOCK) {
            sg_buf_putc(pr->out, ' ');
            print_list(pr, otherwise->kids, otherwise->n, "; ");
        } else {
            print_body(pr, otherwise);
        }
    }
    print_end(pr);
}

static void print_try(printer *pr, const sg_ast *ast)
{
    puts_(pr, "try");
    print_body(pr, ast->kids[0]);
    if (ast->kids[2]->kind != SG_AST_NONE) {
        pr->compact ? puts_(pr, " ") : newline(pr);
        puts_(pr, "catch");
        if (ast->kids[1]->kind != SG_AST_NONE) {
            puts_(pr, " ");
            print(pr, ast->kids[1], SG_PREC_NONE);
        } else if (pr->compact) {
            puts_(pr, ";");
        }
        print_body(pr, ast->kids[2]);
    }
    if (ast->kids[3]->kind != SG_AST_NONE) {
        pr->compact ? puts_(pr, " ") : newline(pr);
        puts_(pr, "finally");
        print_body(pr, ast->kids[3]);
    }
    print_end(pr);
}

// word {header} body end
static void print_headed(printer *pr, const char *word, const sg_ast *ast)
{
    puts_(pr, word);
    if (ast->n > 1)
        puts_(pr, " ");
    print_list(pr, ast->kids, ast->n - 1, ", ");
    print_body(pr, ast->kids[ast->n - 1]);
    print_end(pr);
}

static void print_function(printer *pr, const char *word, const sg_ast *ast)
{
    const sg_ast *body = ast->kids[1];
    if (ast->kind == SG_AST_FUNCTION && body->kind != SG_AST_BLOCK) {
        print(pr, ast->kids[0], SG_PREC_NONE);
        puts_(pr, " = ");
        print(pr, body, SG_PREC_NONE);
        return;
    }
    puts_(pr, word);
    print(pr, ast->kids[0], SG_PREC_NONE);
    print_body(pr, body);
    print_end(pr);
}

// ---- operators -----------------------------------------------------------------------------

static const sg_op_info *operator_of(const printer *pr, const sg_ast *name)
{
    if (name->kind != SG_AST_NAME)
        return NULL;
    const char *text = text_of(pr, name->sym);
    sg_op op = sg_op_find(text, strlen(text));
    return op == SG_OP_COUNT ? NULL : &sg_op_table[op];
}

static bool is_number(const sg_ast *ast)
{
    return ast->kind == SG_AST_INT || ast->kind == SG_AST_FLOAT || ast->kind == SG_AST_FLOAT32;
}

// The leftmost leaf of an expression that binds more strongly than a product, or null.
static const sg_ast *leftmost(const printer *pr, const sg_ast *ast)
{
    for (;;) {
        bool power = false;
        if (ast->flags & SG_AST_INFIX) {
            const sg_op_info *op = operator_of(pr, ast->kids[0]);
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
static bool juxtaposes(const printer *pr, const sg_ast *left, const sg_ast *right)
{
    const sg_ast *first = leftmost(pr, right);
    if (!first || (first->kind != SG_AST_STRMACRO &&
                   (first->kind != SG_AST_NAME || operator_of(pr, first) != NULL)))
        return false;
    // 2 * e5 is not 2e5, and 0 * x is not 0x.
    bool zero = left->kind == SG_AST_INT && left->i == 0;
    if (is_number(left) && strchr(zero ? "eEfxob_" : "eEf_", text_of(pr, first->sym)[0]))
        return false;
    return is_number(left) || left->kind == SG_AST_VECT || left->kind == SG_AST_INDEX ||
           (left->kind == SG_AST_CALL && !(left->flags & SG_AST_INFIX));
}

typedef struct binding {
    const sg_op_info *op; // null if not written as an operator
    sg_prec prec;
    bool unary;
} binding;

static binding binding_of(const printer *pr, const sg_ast *ast)
{
    binding none = {NULL, SG_PREC_ATOM, false};
    if (ast->kind != SG_AST_CALL || ast->n < 2 || !(ast->flags & SG_AST_INFIX))
        return none;
    const sg_op_info *op = operator_of(pr, ast->kids[0]);
    if (!op)
        return none;
    for (uint32_t i = 1; i < ast->n; i++)
        if (ast->kids[i]->kind == SG_AST_KW || ast->kids[i]->kind == SG_AST_PARAMETERS ||
            ast->kids[i]->kind == SG_AST_SPLAT || ast->kids[i]->kind == SG_AST_GENERATOR)
            return none;
    if (ast->n == 2)
        return op->flags & SG_OP_UNARY ? (binding){op, SG_PREC_UNARY, true} : none;
    bool logical = op->prec == SG_PREC_AND || op->prec == SG_PREC_OR; // have kinds of their own
    if (op->prec == SG_PREC_NONE || (logical && !(ast->flags & SG_AST_DOTTED)) ||
        (ast->n > 3 && !(op->flags & SG_OP_NARY)) || (ast->n > 3 && (ast->flags & SG_AST_DOTTED)))
        return none;
    return (binding){op, (sg_prec)op->prec, false};
}

static void open(printer *pr, bool need)
{
    if (need)
        puts_(pr, "(");
}

static void close(printer *pr, bool need)
{
    if (need)
        puts_(pr, ")");
}

static bool prints_juxtaposed(const printer *pr, const sg_ast *ast)
{
    return (ast->flags & SG_AST_JUXT) && ast->n == 3 && juxtaposes(pr, ast->kids[1], ast->kids[2]);
}

// a + b + c is one node, so (a + b) + c needs its parentheses.
static bool is_same_nary(const printer *pr, const sg_ast *kid, const sg_op_info *op)
{
    binding b = binding_of(pr, kid);
    return (op->flags & SG_OP_NARY) && b.op == op && !(kid->flags & SG_AST_DOTTED) &&
           !prints_juxtaposed(pr, kid);
}

static void print_unary(printer *pr, const sg_ast *ast, const sg_op_info *op)
{
    const sg_ast *kid = ast->kids[1];
    if (ast->flags & SG_AST_DOTTED)
        puts_(pr, ".");
    puts_(pr, op->canonical);
    bool tight = is_number(kid) || kid->kind == SG_AST_TUPLE || kid->kind == SG_AST_NAME;
    bool need = (tight && kid->kind != SG_AST_NAME) ||
                (kid->kind == SG_AST_NAME && operator_of(pr, kid) != NULL);
    binding b = binding_of(pr, kid);
    open(pr, need);
    // -(-x) keeps apart from --x.
    print(pr, kid, b.unary ? SG_PREC_POWER : SG_PREC_UNARY);
    close(pr, need);
}

static void print_binary(printer *pr, const sg_ast *ast, binding b)
{
    const sg_op_info *op = b.op;
    if (prints_juxtaposed(pr, ast)) {
        print(pr, ast->kids[1], is_number(ast->kids[1]) ? SG_PREC_UNARY : SG_PREC_POWER);
        print(pr, ast->kids[2], SG_PREC_POWER);
        return;
    }
    bool tight = b.prec >= SG_PREC_POWER;
    for (uint32_t i = 1; i < ast->n; i++) {
        const sg_ast *kid = ast->kids[i];
        if (i > 1) {
            sg_buf_printf(pr->out, "%s%s%s%s", tight ? "" : " ",
                          ast->flags & SG_AST_DOTTED ? "." : "", op->canonical, tight ? "" : " ");
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
        open(pr, nary || negative);
        print(pr, kid, (nary || negative) ? SG_PREC_NONE : (sg_prec)least);
        close(pr, nary || negative);
    }
}

static void print_args(printer *pr, sg_ast *const *kids, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (kids[i]->kind == SG_AST_PARAMETERS)
            puts_(pr, "; ");
        else if (i)
            puts_(pr, ", ");
        bool need = kids[i]->kind == SG_AST_ASSIGN || kids[i]->kind == SG_AST_GENERATOR;
        if (n == 1 && kids[i]->kind == SG_AST_GENERATOR)
            need = false;
        open(pr, need);
        print(pr, kids[i], SG_PREC_NONE);
        close(pr, need);
    }
}

static void print_call(printer *pr, const sg_ast *ast)
{
    binding b = binding_of(pr, ast);
    if (b.op && b.unary) {
        print_unary(pr, ast, b.op);
    } else if (b.op) {
        print_binary(pr, ast, b);
    } else {
        print(pr, ast->kids[0], SG_PREC_POSTFIX);
        puts_(pr, ast->flags & SG_AST_DOTTED ? ".(" : "(");
        print_args(pr, ast->kids + 1, ast->n - 1);
        puts_(pr, ")");
    }
}

static void print_compare(printer *pr, const sg_ast *ast)
{
    for (uint32_t i = 0; i < ast->n; i++) {
        if (i % 2 == 0) {
            print(pr, ast->kids[i], (sg_prec)(SG_PREC_COMPARE + 1));
        } else {
            const char *dot = ast->kids[i]->flags & SG_AST_DOTTED ? "." : "";
            sg_buf_printf(pr->out, " %s%s ", dot, text_of(pr, ast->kids[i]->sym));
        }
    }
}

// ---- arrays --------------------------------------------------------------------------------

// Elements separated by blanks: what holds blanks of its own is put in parentheses.
static void print_element(printer *pr, const sg_ast *ast)
{
    bool bare = ast->kind == SG_AST_ASSIGN;
    binding b = binding_of(pr, ast);
    bool simple =
        b.prec == SG_PREC_ATOM || b.prec == SG_PREC_POWER || b.unary || prints_juxtaposed(pr, ast);
    bool need = !bare && (!simple || ast->kind == SG_AST_COLON || ast->kind == SG_AST_MACROCALL);
    open(pr, need);
    print(pr, ast, simple && !bare ? SG_PREC_UNARY : SG_PREC_NONE);
    close(pr, need);
}

static void print_row(printer *pr, const sg_ast *ast)
{
    for (uint32_t i = 0; i < ast->n; i++) {
        if (i)
            puts_(pr, " ");
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
static void print_equations(printer *pr, const sg_ast *ast)
{
    bool compact = pr->compact;
    puts_(pr, "[");
    pr->compact = true;
    pr->indent++;
    for (uint32_t i = 0; i < ast->n; i++) {
        sg_buf_putc(pr->out, '\n');
        sg_buf_pad(pr->out, ' ', 4 * (size_t)pr->indent);
        if (ast->kids[i]->kind == SG_AST_ROW)
            print_row(pr, ast->kids[i]);
        else
            print(pr, ast->kids[i], SG_PREC_NONE);
    }
    pr->indent--;
    pr->compact = compact;
    if (ast->n == 1)
        puts_(pr, ";");
    puts_(pr, "]");
}

static void print_array_inside(printer *pr, const sg_ast *ast)
{
    switch (ast->kind) {
    case SG_AST_VECT:
        print_list(pr, ast->kids, ast->n, ", ");
        break;
    case SG_AST_HCAT:
        print_row(pr, ast);
        break;
    case SG_AST_VCAT:
    case SG_AST_NCAT: {
        bool v = ast->kind == SG_AST_VCAT;
        size_t semicolons = v ? 1 : (size_t)ast->i;
        for (uint32_t i = 0; i < ast->n; i++) {
            const sg_ast *kid = ast->kids[i];
            if (i) {
                sg_buf_pad(pr->out, ';', semicolons);
                puts_(pr, " ");
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
        print(pr, ast->kids[0], SG_PREC_NONE); // a comprehension's generator
        break;
    }
}

static void print_array(printer *pr, const sg_ast *ast)
{
    if (ast->kind == SG_AST_VCAT && is_equation_list(ast)) {
        print_equations(pr, ast);
        return;
    }
    bool compact = pr->compact;
    pr->compact = true;
    puts_(pr, "[");
    print_array_inside(pr, ast);
    puts_(pr, "]");
    pr->compact = compact;
}

static void print_generator(printer *pr, const sg_ast *ast)
{
    // Nested loops share one body, which comes first.
    const sg_ast *inner = ast;
    while (inner->flags & SG_AST_FLATTEN)
        inner = inner->kids[0];
    print(pr, inner->kids[0], SG_PREC_NONE);
    for (const sg_ast *g = ast;; g = g->kids[0]) {
        for (uint32_t i = 1; i < g->n; i++) {
            bool filter = g->kids[i]->kind == SG_AST_FILTER;
            puts_(pr, filter ? " if " : i == 1 ? " for " : ", ");
            if (filter)
                print(pr, g->kids[i]->kids[0], SG_PREC_OR);
            else
                print(pr, g->kids[i], SG_PREC_NONE);
        }
        if (g == inner)
            break;
    }
}

// ---- the rest ------------------------------------------------------------------------------

static void print_tuple(printer *pr, const sg_ast *ast)
{
    bool named = ast->n && ast->kids[ast->n - 1]->kind == SG_AST_PARAMETERS;
    puts_(pr, "(");
    if (ast->n == 2 && named) { // (a; b) would be two statements
        print_args(pr, ast->kids, 1);
        puts_(pr, ",");
        print_args(pr, ast->kids + 1, 1);
    } else {
        print_args(pr, ast->kids, ast->n);
    }
    if (ast->n == 1 && !named)
        puts_(pr, ",");
    puts_(pr, ")");
}

// The parameters of an anonymous function.
static void print_lambda_head(printer *pr, const sg_ast *ast)
{
    bool plain = ast->n == 1 && ast->kids[0]->kind == SG_AST_NAME;
    open(pr, !plain);
    print_args(pr, ast->kids, ast->n);
    if (!plain && ast->n == 1 && ast->kids[0]->kind != SG_AST_PARAMETERS)
        puts_(pr, ",");
    close(pr, !plain);
}

static void print_quote(printer *pr, const sg_ast *ast)
{
    const sg_ast *kid = ast->kids[0];
    if (kid->kind == SG_AST_BLOCK && !(kid->flags & SG_AST_PAREN)) {
        puts_(pr, "quote");
        print_body(pr, kid);
        print_end(pr);
    } else if (kid->kind == SG_AST_VECT || kid->kind == SG_AST_VCAT || kid->kind == SG_AST_HCAT ||
               kid->kind == SG_AST_NCAT) {
        puts_(pr, ":");
        print(pr, kid, SG_PREC_NONE);
    } else {
        bool compact = pr->compact;
        pr->compact = true;
        puts_(pr, ":(");
        if (kid->kind == SG_AST_TUPLE && kid->n > 1 && kid->kids[0]->kind != SG_AST_KW)
            print_args(pr, kid->kids, kid->n); // :(a, b)
        else
            print(pr, kid, SG_PREC_NONE);
        puts_(pr, ")");
        pr->compact = compact;
    }
}

static void print_parameters(printer *pr, const sg_ast *ast) { print_args(pr, ast->kids, ast->n); }

static void print_keyword(printer *pr, const sg_ast *ast)
{
    puts_(pr, text_of(pr, ast->sym));
    if (ast->n > 1) {
        puts_(pr, "::");
        print(pr, ast->kids[1], SG_PREC_POSTFIX);
    }
    puts_(pr, " = ");
    print(pr, ast->kids[0], SG_PREC_NONE);
}

static void print_macrocall(printer *pr, const sg_ast *ast)
{
    sg_buf_printf(pr->out, "@%s", text_of(pr, ast->sym));
    bool keyword = ast->n == 0;
    for (uint32_t i = 0; i < ast->n; i++)
        keyword =
            keyword || ast->kids[i]->kind == SG_AST_KW || ast->kids[i]->kind == SG_AST_PARAMETERS;
    if (keyword) {
        puts_(pr, "(");
        print_args(pr, ast->kids, ast->n);
        puts_(pr, ")");
        return;
    }
    for (uint32_t i = 0; i < ast->n; i++) {
        puts_(pr, " ");
        print(pr, ast->kids[i], SG_PREC_NONE);
    }
}

static void print_path(printer *pr, const sg_ast *ast)
{
    for (uint32_t i = 0; i < ast->n; i++) {
        const sg_ast *kid = ast->kids[i];
        if (kid->kind == SG_AST_TUPLE) {
            puts_(pr, ": ");
            for (uint32_t k = 0; k < kid->n; k++) {
                const sg_ast *name = kid->kids[k];
                puts_(pr, k ? ", " : "");
                bool renamed = name->kind == SG_AST_KW;
                puts_(pr, text_of(pr, renamed ? name->kids[0]->sym : name->sym));
                if (renamed)
                    sg_buf_printf(pr->out, " as %s", text_of(pr, name->sym));
            }
            continue;
        }
        const char *text = text_of(pr, kid->sym);
        bool after_dots = i == 1 && text_of(pr, ast->kids[0]->sym)[0] == '.';
        sg_buf_printf(pr->out, "%s%s", i && !after_dots ? "." : "", text);
    }
    if (ast->sym.i)
        sg_buf_printf(pr->out, " as %s", text_of(pr, ast->sym));
}

static void print_names(printer *pr, const char *word, const sg_ast *ast)
{
    puts_(pr, word);
    for (uint32_t i = 0; i < ast->n; i++) {
        puts_(pr, i ? ", " : " ");
        if (ast->kids[i]->kind == SG_AST_NAME)
            puts_(pr, text_of(pr, ast->kids[i]->sym));
        else
            print(pr, ast->kids[i], SG_PREC_NONE);
    }
}

static void print_value(printer *pr, sg_value value)
{
    if (pr->print_value) {
        pr->print_value(pr->context, value, pr->out);
        return;
    }
    switch (value.tag) {
    case SG_INT:
        sg_buf_printf(pr->out, "%lld", (long long)value.i);
        break;
    case SG_FLOAT:
        print_float(pr, value.d, false);
        break;
    case SG_BOOL:
        puts_(pr, value.b ? "true" : "false");
        break;
    case SG_SYMBOL:
        print_symbol(pr, value.sym);
        break;
    case SG_NOTHING:
        puts_(pr, "nothing");
        break;
    case SG_MISSING:
        puts_(pr, "missing");
        break;
    case SG_OBJECT:
        if (value.o->kind == SG_OBJ_STRING) {
            const sg_string *s = (const sg_string *)value.o;
            puts_(pr, "\"");
            print_escaped(pr, (sg_text){s->text, s->len}, '"', true);
            puts_(pr, "\"");
            break;
        }
        puts_(pr, "<value>");
        break;
    default:
        puts_(pr, "<value>");
        break;
    }
}

// How strongly the printed form of a node binds.
static sg_prec prec_of(const printer *pr, const sg_ast *ast)
{
    switch (ast->kind) {
    case SG_AST_CALL: {
        binding b = binding_of(pr, ast);
        if (b.op && !b.unary && prints_juxtaposed(pr, ast))
            return SG_PREC_JUXT;
        return b.prec;
    }
    case SG_AST_INT:
        return ast->i < 0 ? SG_PREC_UNARY : SG_PREC_ATOM;
    case SG_AST_FLOAT:
    case SG_AST_FLOAT32:
        return signbit(ast->d) ? SG_PREC_UNARY : SG_PREC_ATOM;
    case SG_AST_ASSIGN:
    case SG_AST_OPASSIGN:
    case SG_AST_LAMBDA:
        return SG_PREC_ASSIGN;
    case SG_AST_FUNCTION:
        return ast->kids[1]->kind == SG_AST_BLOCK ? SG_PREC_ATOM : SG_PREC_ASSIGN;
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

static void print_leaf_or_block(printer *pr, const sg_ast *ast);

static void print_node(printer *pr, const sg_ast *ast)
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
        print(pr, kids[0], (sg_prec)(prec + 1));
        puts_(pr, and? " && " : " || ");
        print(pr, kids[1], prec);
        break;
    }
    case SG_AST_RANGE:
        for (uint32_t i = 0; i < ast->n; i++) {
            if (i)
                puts_(pr, ":");
            // x:(:a) would read as x::a
            bool need = kids[i]->kind == SG_AST_SYMBOL || kids[i]->kind == SG_AST_QUOTE;
            open(pr, need);
            print(pr, kids[i], (sg_prec)(SG_PREC_RANGE + 1));
            close(pr, need);
        }
        break;
    case SG_AST_TYPED:
        if (ast->n == 2)
            print(pr, kids[0], SG_PREC_POSTFIX);
        puts_(pr, "::");
        print(pr, kids[ast->n - 1], SG_PREC_POSTFIX);
        break;
    case SG_AST_WHERE:
        print(pr, kids[0], SG_PREC_DECLARE);
        puts_(pr, " where {");
        print_list(pr, kids + 1, ast->n - 1, ", ");
        puts_(pr, "}");
        break;
    case SG_AST_ASSIGN:
        print(pr, kids[0], SG_PREC_PAIR);
        puts_(pr, ast->flags & SG_AST_DOTTED ? " .= " : " = ");
        print(pr, kids[1], SG_PREC_ASSIGN);
        break;
    case SG_AST_OPASSIGN:
        print(pr, kids[0], SG_PREC_PAIR);
        sg_buf_printf(pr->out, " %s%s= ", ast->flags & SG_AST_DOTTED ? "." : "",
                      text_of(pr, ast->sym));
        print(pr, kids[1], SG_PREC_ASSIGN);
        break;
    case SG_AST_LAMBDA:
        if (kids[1]->kind == SG_AST_BLOCK && !(kids[1]->flags & SG_AST_PAREN) && kids[1]->n != 1) {
            puts_(pr, "function ");
            print_tuple(pr, kids[0]);
            print_body(pr, kids[1]);
            print_end(pr);
            break;
        }
        print_lambda_head(pr, kids[0]);
        puts_(pr, " -> ");
        print(pr, kids[1], SG_PREC_ASSIGN);
        break;
    case SG_AST_INDEX:
        print(pr, kids[0], SG_PREC_POSTFIX);
        puts_(pr, "[");
        print_list(pr, kids + 1, ast->n - 1, ", ");
        puts_(pr, "]");
        break;
    case SG_AST_TYPED_ARRAY:
        print(pr, kids[0], SG_PREC_POSTFIX);
        print(pr, kids[1], SG_PREC_NONE);
        break;
    case SG_AST_FIELD: {
        const char *name = text_of(pr, ast->sym);
        sg_lexer lexer = {.text = name, .length = (uint32_t)strlen(name)};
        print(pr, kids[0], SG_PREC_POSTFIX);
        sg_buf_printf(pr->out, sg_lex_name_length(&lexer, 0) ? ".%s" : ".:(%s)", name);
        break;
    }
    case SG_AST_CURLY:
        print(pr, kids[0], SG_PREC_POSTFIX);
        puts_(pr, "{");
        print_list(pr, kids + 1, ast->n - 1, ", ");
        puts_(pr, "}");
        break;
    case SG_AST_ADJOINT:
        print(pr, kids[0], SG_PREC_POSTFIX);
        puts_(pr, "'");
        break;
    case SG_AST_SPLAT:
        print(pr, kids[0], SG_PREC_COND);
        puts_(pr, "...");
        break;
    case SG_AST_ITER:
        print(pr, kids[0], SG_PREC_POSTFIX);
        puts_(pr, " in ");
        print(pr, kids[1], SG_PREC_OR);
        break;
    case SG_AST_IF:
        if (ast->flags & SG_AST_TERNARY) {
            print(pr, kids[0], SG_PREC_OR);
            puts_(pr, " ? ");
            bool range = kids[1]->kind == SG_AST_RANGE;
            open(pr, range);
            print(pr, kids[1], SG_PREC_COND);
            close(pr, range);
            puts_(pr, " : ");
            print(pr, kids[2], SG_PREC_COND);
            break;
        }
        print_if(pr, ast, "if ");
        break;
    default:
        print_leaf_or_block(pr, ast);
        break;
    }
}

static void print_leaf_or_block(printer *pr, const sg_ast *ast)
{
    sg_ast *const *kids = ast->kids;
    switch (ast->kind) {
    case SG_AST_INT:
        sg_buf_printf(pr->out, "%lld", (long long)ast->i);
        break;
    case SG_AST_FLOAT:
    case SG_AST_FLOAT32:
        print_float(pr, ast->d, ast->kind == SG_AST_FLOAT32);
        break;
    case SG_AST_BOOL:
        puts_(pr, ast->i ? "true" : "false");
        break;
    case SG_AST_CHAR:
        print_char(pr, ast->i);
        break;
    case SG_AST_STRING:
        puts_(pr, "\"");
        print_escaped(pr, ast->text, '"', true);
        puts_(pr, "\"");
        break;
    case SG_AST_NAME:
        print_name(pr, ast->sym);
        break;
    case SG_AST_SYMBOL:
        print_symbol(pr, ast->sym);
        break;
    case SG_AST_COLON:
        puts_(pr, ":");
        break;
    case SG_AST_END:
        puts_(pr, "end");
        break;
    case SG_AST_BEGIN:
        puts_(pr, "begin");
        break;
    case SG_AST_VALUE:
        print_value(pr, ast->value);
        break;
    case SG_AST_STRMACRO:
        print_strmacro(pr, ast);
        break;
    case SG_AST_INTERP_STRING:
        print_interp_string(pr, ast);
        break;
    case SG_AST_QUOTE:
        print_quote(pr, ast);
        break;
    case SG_AST_INTERPOLATE:
        puts_(pr, kids[0]->kind == SG_AST_NAME ? "$" : "$(");
        print(pr, kids[0], SG_PREC_NONE);
        puts_(pr, kids[0]->kind == SG_AST_NAME ? "" : ")");
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
    case SG_AST_DO:
        print(pr, kids[0], SG_PREC_POSTFIX);
        puts_(pr, kids[1]->kids[0]->n ? " do " : " do");
        print_list(pr, kids[1]->kids[0]->kids, kids[1]->kids[0]->n, ", ");
        print_body(pr, kids[1]->kids[1]);
        print_end(pr);
        break;
    case SG_AST_MACROCALL:
        print_macrocall(pr, ast);
        break;
    case SG_AST_BLOCK:
        if (ast->flags & SG_AST_PAREN) {
            puts_(pr, "(");
            print_list(pr, kids, ast->n, "; ");
            puts_(pr, ast->n < 2 ? ";)" : ")");
            break;
        }
        puts_(pr, "begin");
        print_body(pr, ast);
        print_end(pr);
        break;
    case SG_AST_FUNCTION:
        print_function(pr, "function ", ast);
        break;
    case SG_AST_MACRODEF:
        print_function(pr, "macro ", ast);
        break;
    case SG_AST_RETURN:
        puts_(pr, ast->n ? "return " : "return");
        if (ast->n)
            print(pr, kids[0], SG_PREC_NONE);
        break;
    case SG_AST_BREAK:
        puts_(pr, "break");
        break;
    case SG_AST_CONTINUE:
        puts_(pr, "continue");
        break;
    case SG_AST_FOR:
        print_headed(pr, "for", ast);
        break;
    case SG_AST_WHILE:
        print_headed(pr, "while", ast);
        break;
    case SG_AST_LET:
        print_headed(pr, "let", ast);
        break;
    case SG_AST_TRY:
        print_try(pr, ast);
        break;
    case SG_AST_STRUCT:
        puts_(pr, ast->flags & SG_AST_MUTABLE ? "mutable struct " : "struct ");
        if (kids[0]->kind == SG_AST_TYPED && kids[0]->n == 2) {
            print(pr, kids[0]->kids[0], SG_PREC_NONE);
            puts_(pr, " <: ");
            print(pr, kids[0]->kids[1], SG_PREC_NONE);
        } else {
            print(pr, kids[0], SG_PREC_NONE);
        }
        print_body(pr, kids[1]);
        print_end(pr);
        break;
    case SG_AST_ABSTRACT:
        puts_(pr, "abstract type ");
        if (kids[0]->kind == SG_AST_TYPED && kids[0]->n == 2) {
            print(pr, kids[0]->kids[0], SG_PREC_NONE);
            puts_(pr, " <: ");
            print(pr, kids[0]->kids[1], SG_PREC_NONE);
        } else {
            print(pr, kids[0], SG_PREC_NONE);
        }
        puts_(pr, " end");
        break;
    case SG_AST_MODULE:
        sg_buf_printf(pr->out, "module %s", text_of(pr, ast->sym));
        print_body(pr, kids[0]);
        print_end(pr);
        break;
    case SG_AST_USING:
        print_names(pr, "using", ast);
        break;
    case SG_AST_IMPORT:
        print_names(pr, "import", ast);
        break;
    case SG_AST_PATH:
        print_path(pr, ast);
        break;
    case SG_AST_EXPORT:
        print_names(pr, "export", ast);
        break;
    case SG_AST_CONST:
        puts_(pr, "const ");
        print(pr, kids[0], SG_PREC_NONE);
        break;
    case SG_AST_GLOBAL:
    case SG_AST_LOCAL:
        puts_(pr, ast->kind == SG_AST_GLOBAL ? "global " : "local ");
        if (kids[0]->kind == SG_AST_TUPLE && kids[0]->n > 1)
            print_list(pr, kids[0]->kids, kids[0]->n, ", ");
        else
            print(pr, kids[0], SG_PREC_NONE);
        break;
    case SG_AST_DOC:
        print(pr, kids[0], SG_PREC_NONE);
        newline(pr);
        print(pr, kids[1], SG_PREC_NONE);
        break;
    case SG_AST_FILTER:
        puts_(pr, "if ");
        print(pr, kids[0], SG_PREC_NONE);
        break;
    case SG_AST_ERROR:
        puts_(pr, "<error>");
        break;
    default:
        break;
    }
}

static void print(printer *pr, const sg_ast *ast, sg_prec least)
{
    bool need = prec_of(pr, ast) < least;
    open(pr, need);
    print_node(pr, ast);
    close(pr, need);
}

void sg_ast_print(const sg_symbols *symbols, const sg_ast *ast, sg_buf *out)
{
    sg_ast_print_with(symbols, ast, NULL, NULL, out);
}

void sg_ast_print_with(const sg_symbols *symbols, const sg_ast *ast, sg_value_printer print_value_,
                       void *context, sg_buf *out)
{
    printer pr = {.symbols = symbols, .out = out, .print_value = print_value_, .context = context};
    // A file's block is its statements.
    if (ast->kind == SG_AST_BLOCK && ast->span.first == 0 && !(ast->flags & SG_AST_PAREN)) {
        for (uint32_t i = 0; i < ast->n; i++) {
            print(&pr, ast->kids[i], SG_PREC_NONE);
            puts_(&pr, i + 1 < ast->n && ast->kids[i]->kind == SG_AST_STRING ? ";\n" : "\n");
        }
        return;
    }
    print(&pr, ast, SG_PREC_NONE);
}
