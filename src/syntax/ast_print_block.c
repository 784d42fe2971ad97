// Statements and blocks in the dialect's own spelling.
#include "syntax/ast_print_internal.h"

static void newline(sg_ast_printer *pr)
{
    if (pr->compact) {
        sg_ast_puts(pr, "; ");
        return;
    }
    sg_buf_putc(pr->out, '\n');
    sg_buf_pad(pr->out, ' ', 4 * (size_t)pr->indent);
}

// The statements of a block, each on its line; a single expression stands for itself.
static void print_body(sg_ast_printer *pr, const sg_ast *body)
{
    bool block = body->kind == SG_AST_BLOCK && !(body->flags & SG_AST_PAREN);
    uint32_t n = block ? body->n : 1;
    sg_ast *const single[1] = {(sg_ast *)body};
    sg_ast *const *kids = block ? body->kids : single;
    pr->indent++;
    for (uint32_t i = 0; i < n; i++) {
        newline(pr);
        sg_ast_print_node(pr, kids[i], SG_PREC_NONE);
        // What would otherwise document the next statement.
        if (!pr->compact && i + 1 < n &&
            (kids[i]->kind == SG_AST_STRING || kids[i]->kind == SG_AST_INTERP_STRING))
            sg_ast_puts(pr, ";");
    }
    pr->indent--;
}

static void print_end(sg_ast_printer *pr)
{
    if (pr->compact)
        sg_buf_putc(pr->out, ' ');
    else
        newline(pr);
    sg_ast_puts(pr, "end");
}

void sg_ast_print_body(sg_ast_printer *pr, const sg_ast *body)
{
    print_body(pr, body);
    print_end(pr);
}

static void print_if(sg_ast_printer *pr, const sg_ast *ast, const char *word)
{
    sg_ast_puts(pr, word);
    sg_ast_print_node(pr, ast->kids[0], SG_PREC_NONE);
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
        sg_ast_puts(pr, "else");
        if (pr->compact && otherwise->kind == SG_AST_BLOCK) {
            sg_buf_putc(pr->out, ' ');
            sg_ast_print_list(pr, otherwise->kids, otherwise->n, "; ");
        } else {
            print_body(pr, otherwise);
        }
    }
    print_end(pr);
}

static void print_try(sg_ast_printer *pr, const sg_ast *ast)
{
    sg_ast_puts(pr, "try");
    print_body(pr, ast->kids[0]);
    if (ast->kids[2]->kind != SG_AST_NONE) {
        pr->compact ? sg_ast_puts(pr, " ") : newline(pr);
        sg_ast_puts(pr, "catch");
        if (ast->kids[1]->kind != SG_AST_NONE) {
            sg_ast_puts(pr, " ");
            sg_ast_print_node(pr, ast->kids[1], SG_PREC_NONE);
        } else if (pr->compact) {
            sg_ast_puts(pr, ";");
        }
        print_body(pr, ast->kids[2]);
    }
    if (ast->kids[3]->kind != SG_AST_NONE) {
        pr->compact ? sg_ast_puts(pr, " ") : newline(pr);
        sg_ast_puts(pr, "finally");
        print_body(pr, ast->kids[3]);
    }
    print_end(pr);
}

// word {header} body end
static void print_headed(sg_ast_printer *pr, const char *word, const sg_ast *ast)
{
    sg_ast_puts(pr, word);
    if (ast->n > 1)
        sg_ast_puts(pr, " ");
    sg_ast_print_list(pr, ast->kids, ast->n - 1, ", ");
    sg_ast_print_body(pr, ast->kids[ast->n - 1]);
}

static void print_function(sg_ast_printer *pr, const char *word, const sg_ast *ast)
{
    const sg_ast *body = ast->kids[1];
    bool block = body->kind == SG_AST_BLOCK && !(body->flags & SG_AST_PAREN);
    if (ast->kind == SG_AST_FUNCTION && !block) {
        sg_ast_print_node(pr, ast->kids[0], SG_PREC_NONE);
        sg_ast_puts(pr, " = ");
        sg_ast_print_node(pr, body, SG_PREC_NONE);
        return;
    }
    sg_ast_puts(pr, word);
    sg_ast_print_node(pr, ast->kids[0], SG_PREC_NONE);
    sg_ast_print_body(pr, body);
}

static void print_path(sg_ast_printer *pr, const sg_ast *ast)
{
    for (uint32_t i = 0; i < ast->n; i++) {
        const sg_ast *kid = ast->kids[i];
        if (kid->kind == SG_AST_TUPLE) {
            sg_ast_puts(pr, ": ");
            for (uint32_t k = 0; k < kid->n; k++) {
                const sg_ast *name = kid->kids[k];
                sg_ast_puts(pr, k ? ", " : "");
                bool renamed = name->kind == SG_AST_KW;
                sg_ast_puts(pr, sg_ast_text(pr, renamed ? name->kids[0]->sym : name->sym));
                if (renamed)
                    sg_buf_printf(pr->out, " as %s", sg_ast_text(pr, name->sym));
            }
            continue;
        }
        const char *text = sg_ast_text(pr, kid->sym);
        bool after_dots = i == 1 && sg_ast_text(pr, ast->kids[0]->sym)[0] == '.';
        sg_buf_printf(pr->out, "%s%s", i && !after_dots ? "." : "", text);
    }
    if (ast->sym.i)
        sg_buf_printf(pr->out, " as %s", sg_ast_text(pr, ast->sym));
}

static void print_names(sg_ast_printer *pr, const char *word, const sg_ast *ast)
{
    sg_ast_puts(pr, word);
    for (uint32_t i = 0; i < ast->n; i++) {
        sg_ast_puts(pr, i ? ", " : " ");
        if (ast->kids[i]->kind == SG_AST_NAME)
            sg_ast_puts(pr, sg_ast_text(pr, ast->kids[i]->sym));
        else
            sg_ast_print_node(pr, ast->kids[i], SG_PREC_NONE);
    }
}

static void print_typename(sg_ast_printer *pr, const sg_ast *name)
{
    bool has_super = name->kind == SG_AST_TYPED && name->n == 2;
    sg_ast_print_node(pr, has_super ? name->kids[0] : name, SG_PREC_NONE);
    if (has_super) {
        sg_ast_puts(pr, " <: ");
        sg_ast_print_node(pr, name->kids[1], SG_PREC_NONE);
    }
}

static bool print_definition(sg_ast_printer *pr, const sg_ast *ast)
{
    sg_ast *const *kids = ast->kids;
    switch (ast->kind) {
    case SG_AST_FUNCTION:
        print_function(pr, "function ", ast);
        break;
    case SG_AST_MACRODEF:
        print_function(pr, "macro ", ast);
        break;
    case SG_AST_STRUCT:
        sg_ast_puts(pr, ast->flags & SG_AST_MUTABLE ? "mutable struct " : "struct ");
        print_typename(pr, kids[0]);
        sg_ast_print_body(pr, kids[1]);
        break;
    case SG_AST_ABSTRACT:
        sg_ast_puts(pr, "abstract type ");
        print_typename(pr, kids[0]);
        sg_ast_puts(pr, " end");
        break;
    case SG_AST_MODULE:
        sg_buf_printf(pr->out, "module %s", sg_ast_text(pr, ast->sym));
        sg_ast_print_body(pr, kids[0]);
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
        sg_ast_puts(pr, "const ");
        sg_ast_print_node(pr, kids[0], SG_PREC_NONE);
        break;
    case SG_AST_GLOBAL:
    case SG_AST_LOCAL:
        sg_ast_puts(pr, ast->kind == SG_AST_GLOBAL ? "global " : "local ");
        if (kids[0]->kind == SG_AST_TUPLE && kids[0]->n > 1)
            sg_ast_print_list(pr, kids[0]->kids, kids[0]->n, ", ");
        else
            sg_ast_print_node(pr, kids[0], SG_PREC_NONE);
        break;
    case SG_AST_DOC:
        sg_ast_print_node(pr, kids[0], SG_PREC_NONE);
        newline(pr);
        sg_ast_print_node(pr, kids[1], SG_PREC_NONE);
        break;
    default:
        return false;
    }
    return true;
}

bool sg_ast_print_statement(sg_ast_printer *pr, const sg_ast *ast)
{
    sg_ast *const *kids = ast->kids;
    switch (ast->kind) {
    case SG_AST_IF:
        print_if(pr, ast, "if ");
        break;
    case SG_AST_BLOCK:
        if (ast->flags & SG_AST_PAREN) {
            sg_ast_puts(pr, "(");
            sg_ast_print_list(pr, kids, ast->n, "; ");
            sg_ast_puts(pr, ast->n < 2 ? ";)" : ")");
            break;
        }
        sg_ast_puts(pr, "begin");
        sg_ast_print_body(pr, ast);
        break;
    case SG_AST_RETURN:
        sg_ast_puts(pr, ast->n ? "return " : "return");
        if (ast->n)
            sg_ast_print_node(pr, kids[0], SG_PREC_NONE);
        break;
    case SG_AST_BREAK:
        sg_ast_puts(pr, "break");
        break;
    case SG_AST_CONTINUE:
        sg_ast_puts(pr, "continue");
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
    case SG_AST_DO:
        sg_ast_print_node(pr, kids[0], SG_PREC_POSTFIX);
        sg_ast_puts(pr, kids[1]->kids[0]->n ? " do " : " do");
        sg_ast_print_list(pr, kids[1]->kids[0]->kids, kids[1]->kids[0]->n, ", ");
        sg_ast_print_body(pr, kids[1]->kids[1]);
        break;
    default:
        return print_definition(pr, ast);
    }
    return true;
}
