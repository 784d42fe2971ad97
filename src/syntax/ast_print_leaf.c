// Names, literals and spliced values in the dialect's own spelling.
#include "base/digits.h"
#include "syntax/ast_print_internal.h"
#include "syntax/lexer.h"
#include "syntax/number_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// An operator as a value needs parentheses, so that it is not taken for one.
static void print_name(sg_ast_printer *pr, sg_sym sym)
{
    const char *text = sg_ast_text(pr, sym);
    bool plain = sg_is_plain_name(text, strlen(text)) || text[0] == '@';
    bool dots = text[0] == '.' && text[strspn(text, ".")] == '\0';
    sg_buf_printf(pr->out, plain || dots || !text[0] ? "%s" : "(%s)", text);
}

static void print_float(sg_ast_printer *pr, double d, bool single)
{
    char digits[32];
    size_t n = sg_format_shortest(d, digits);
    digits[n] = '\0';
    if (isinf(d) || isnan(d)) {
        sg_ast_puts(pr, digits);
        if (single)
            sg_ast_puts(pr, "32");
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
        sg_ast_puts(pr, digits);
        if (!exponent)
            sg_ast_puts(pr, "f0");
        return;
    }
    sg_print_float(d, pr->out);
}

static void print_escaped(sg_ast_printer *pr, sg_text text, char quote, bool dollar)
{
    for (uint32_t i = 0; i < text.len; i++) {
        char c = text.bytes[i];
        if (c == '\n')
            sg_ast_puts(pr, "\\n");
        else if (c == '\t')
            sg_ast_puts(pr, "\\t");
        else if (c == '\r')
            sg_ast_puts(pr, "\\r");
        else if (c == quote || c == '\\' || (c == '$' && dollar))
            sg_buf_printf(pr->out, "\\%c", c);
        else if ((unsigned char)c < 0x20 || c == 0x7f)
            sg_buf_printf(pr->out, "\\x%02x", (unsigned)(unsigned char)c);
        else
            sg_buf_putc(pr->out, c);
    }
}

static void print_char(sg_ast_printer *pr, int64_t code)
{
    char bytes[4];
    sg_text text = {bytes, sg_utf8_encode((uint32_t)code, bytes)};
    sg_buf_putc(pr->out, '\'');
    print_escaped(pr, text, '\'', false);
    sg_buf_putc(pr->out, '\'');
}

static void print_interp_string(sg_ast_printer *pr, const sg_ast *ast)
{
    sg_buf_putc(pr->out, '"');
    for (uint32_t i = 0; i < ast->n; i++) {
        const sg_ast *kid = ast->kids[i];
        if (kid->kind == SG_AST_STRING && !(kid->flags & SG_AST_PAREN)) {
            print_escaped(pr, kid->text, '"', true);
        } else {
            sg_ast_puts(pr, "$(");
            sg_ast_print_node(pr, kid, SG_PREC_NONE);
            sg_ast_puts(pr, ")");
        }
    }
    sg_buf_putc(pr->out, '"');
}

static void print_strmacro(sg_ast_printer *pr, const sg_ast *ast)
{
    sg_buf_printf(pr->out, "%s\"", sg_ast_text(pr, ast->sym));
    for (uint32_t i = 0; i < ast->text.len; i++) {
        if (ast->text.bytes[i] == '"')
            sg_buf_putc(pr->out, '\\');
        sg_buf_putc(pr->out, ast->text.bytes[i]);
    }
    sg_buf_putc(pr->out, '"');
}

static void print_symbol(sg_ast_printer *pr, sg_sym sym)
{
    const char *text = sg_ast_text(pr, sym);
    sg_lexer lexer = {.text = text, .length = (uint32_t)strlen(text)};
    if (sg_lex_name_length(&lexer, 0) == lexer.length ||
        sg_op_find(text, strlen(text)) != SG_TOKEN_OP_COUNT)
        sg_buf_printf(pr->out, ":%s", text);
    else if (strspn(text, "=:.+-*/\\^%&|<>!~?") == strlen(text))
        sg_buf_printf(pr->out, ":(%s)", text);
    else
        sg_buf_printf(pr->out, "Symbol(\"%s\")", text);
}

static void print_value(sg_ast_printer *pr, sg_value value)
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
        sg_ast_puts(pr, value.b ? "true" : "false");
        break;
    case SG_SYMBOL:
        print_symbol(pr, value.sym);
        break;
    case SG_NOTHING:
        sg_ast_puts(pr, "nothing");
        break;
    case SG_MISSING:
        sg_ast_puts(pr, "missing");
        break;
    case SG_OBJECT:
        if (value.o->kind == SG_OBJ_STRING) {
            const sg_string *s = (const sg_string *)value.o;
            sg_ast_puts(pr, "\"");
            print_escaped(pr, (sg_text){s->text, s->len}, '"', true);
            sg_ast_puts(pr, "\"");
            break;
        }
        sg_ast_puts(pr, "<value>");
        break;
    default:
        sg_ast_puts(pr, "<value>");
        break;
    }
}

bool sg_ast_print_literal(sg_ast_printer *pr, const sg_ast *ast)
{
    switch (ast->kind) {
    case SG_AST_INT:
        sg_buf_printf(pr->out, "%lld", (long long)ast->i);
        break;
    case SG_AST_FLOAT:
    case SG_AST_FLOAT32:
        print_float(pr, ast->d, ast->kind == SG_AST_FLOAT32);
        break;
    case SG_AST_BOOL:
        sg_ast_puts(pr, ast->i ? "true" : "false");
        break;
    case SG_AST_CHAR:
        print_char(pr, ast->i);
        break;
    case SG_AST_STRING:
        sg_ast_puts(pr, "\"");
        print_escaped(pr, ast->text, '"', true);
        sg_ast_puts(pr, "\"");
        break;
    case SG_AST_NAME:
        print_name(pr, ast->sym);
        break;
    case SG_AST_SYMBOL:
        print_symbol(pr, ast->sym);
        break;
    case SG_AST_COLON:
        sg_ast_puts(pr, ":");
        break;
    case SG_AST_END:
        sg_ast_puts(pr, "end");
        break;
    case SG_AST_BEGIN:
        sg_ast_puts(pr, "begin");
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
    case SG_AST_ERROR:
        sg_ast_puts(pr, "<error>");
        break;
    default:
        return false;
    }
    return true;
}
