// What the files of the tree's printer share.
#pragma once

#include "syntax/ast.h"
#include "syntax/token.h"

typedef struct sg_ast_printer {
    const sg_symbols *symbols;
    sg_buf *out;
    sg_value_printer print_value; // may be null
    void *context;
    uint32_t indent;
    bool compact; // inside quotes and array literals: blocks stand on one line
} sg_ast_printer;

static inline void sg_ast_puts(sg_ast_printer *pr, const char *text) { sg_buf_puts(pr->out, text); }
static inline const char *sg_ast_text(const sg_ast_printer *pr, sg_sym sym)
{
    return sg_sym_text(pr->symbols, sym);
}
static inline void sg_ast_open(sg_ast_printer *pr, bool need)
{
    if (need)
        sg_buf_putc(pr->out, '(');
}
static inline void sg_ast_close(sg_ast_printer *pr, bool need)
{
    if (need)
        sg_buf_putc(pr->out, ')');
}

// ast_print.c: a node, in parentheses if it binds less than `least`
void sg_ast_print_node(sg_ast_printer *pr, const sg_ast *ast, sg_prec least);
static inline void sg_ast_print_list(sg_ast_printer *pr, sg_ast *const *kids, uint32_t n,
                                     const char *separator)
{
    for (uint32_t i = 0; i < n; i++) {
        if (i)
            sg_ast_puts(pr, separator);
        sg_ast_print_node(pr, kids[i], SG_PREC_NONE);
    }
}

// ast_print_leaf.c: a name or literal; false if the node is none
bool sg_ast_print_literal(sg_ast_printer *pr, const sg_ast *ast);

// ast_print_block.c: a statement (false if the node is none), and the statements up to `end`
bool sg_ast_print_statement(sg_ast_printer *pr, const sg_ast *ast);
void sg_ast_print_body(sg_ast_printer *pr, const sg_ast *body);
