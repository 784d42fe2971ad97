// What the files of the parser share.
//
// After a mistake the parser reports once and puts a token in its own way that fits nowhere
// (SG_TOKEN_STOP). Every loop ends there, the functions return, and the next statement list skips
// to the end of the statement and goes on. So no function needs to ask whether another failed.
#pragma once

#include "base/vec.h"
#include "syntax/lexer.h"
#include "syntax/parser.h"

// What the brackets around the present place decide.
enum {
    SG_MODE_NEWLINE = 1,  // a newline ends the expression
    SG_MODE_BLANK = 2,    // a blank separates elements (arrays, macro arguments)
    SG_MODE_INDEX = 4,    // `end` is the last index
    SG_MODE_NO_RANGE = 8, // ':' belongs to an open '?'
    SG_MODE_ARRAY = 16,   // elements of an array literal: `f(x) = y` is an equation
    SG_MODE_NO_WORD_IN = 32
};

typedef struct sg_parser {
    sg_lexer lexer;
    sg_token token;     // the one to look at
    uint8_t last_kind;  // of the token before it
    uint32_t last_end;  // where that one ended
    uint8_t mode;       // SG_MODE_
    uint32_t quotes;    // quotes around the present place
    uint32_t depth;     // nesting
    uint32_t max_depth; //
    uint32_t brackets;  // open ones since the last block began
    bool panic;         // a mistake was reported; token is STOP
    bool dead;          // nothing more is reported: the text ended early
    bool failed;        // memory
    sg_token stopped;   // the token at which panic began
    uint32_t stopped_brackets;
    sg_token suspect; // the first block that may have taken another one's `end`
    sg_arena *arena;
    sg_symbols *symbols;
    sg_diags *diags;
    SG_VEC(sg_ast *) stack; // children of unfinished nodes
    SG_VEC(uint8_t) seps;   // separators of unfinished array literals
    sg_buf text;            // of the string being read
    sg_sym ops[SG_TOKEN_OP_COUNT];
    sg_name_cache cache;
    char *room; // the rest of the last chunk of nodes and pointers to children
    size_t n_room;
    sg_ast nowhere; // handed out when memory is out
} sg_parser;

static inline sg_span sg_at(const sg_parser *p, uint32_t first, uint32_t last)
{
    return (sg_span){p->lexer.file, first, last};
}
static inline sg_span sg_parser_here(const sg_parser *p)
{
    return sg_at(p, p->token.first, p->token.last);
}
// Whether the expression ends here because of a newline.
static inline bool sg_line_ends(const sg_parser *p)
{
    return (p->token.flags & SG_TOKEN_NEWLINE) && (p->mode & SG_MODE_NEWLINE);
}
static inline bool sg_is_token(const sg_parser *p, sg_token_kind kind)
{
    return p->token.kind == kind;
}
// At `kind` with nothing in between.
static inline bool sg_adjoins(const sg_parser *p, sg_token_kind kind)
{
    return p->token.kind == kind && !(p->token.flags & SG_TOKEN_BLANK);
}
static inline bool sg_is_name(const sg_parser *p, const sg_ast *node, const char *text)
{
    return node->kind == SG_AST_NAME &&
           sg_sym_equal(node->sym, sg_sym_intern_text(p->symbols, text));
}

// parser.c: tokens, nodes, mistakes
void sg_parser_advance(sg_parser *p);
// Reports (unless a mistake was already) and stops. Returns an ERROR node.
sg_ast *sg_fail(sg_parser *p, sg_code code, sg_span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// "expected X, found Y" at the present token.
sg_ast *sg_fail_expected(sg_parser *p, const char *expected);
// With a name behind a word such as `Real` or `def` of another language: says what to write here.
bool sg_fail_foreign(sg_parser *p, const sg_ast *before);
void sg_fail_note(sg_parser *p, size_t errors_before, sg_span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
const char *sg_describe(const sg_parser *p, char *out, size_t size);
// False, after reporting, when nested too deeply. Pair with sg_leave.
bool sg_enter(sg_parser *p);
static inline void sg_leave(sg_parser *p) { p->depth--; }

sg_ast *sg_leaf(sg_parser *p, sg_ast_kind kind, uint32_t first, uint32_t last);
sg_ast *sg_name_leaf(sg_parser *p, sg_sym sym, uint32_t first, uint32_t last);
sg_ast *sg_op_leaf(sg_parser *p, sg_token_op op, uint32_t first, uint32_t last);
// Children are pushed first; the node takes all above `base` off the stack.
static inline size_t sg_mark(const sg_parser *p) { return p->stack.len; }
static inline void sg_push(sg_parser *p, sg_ast *child)
{
    if (!SG_PUSH(p->arena->allocator, &p->stack, child))
        p->failed = true;
}
sg_ast *sg_finish(sg_parser *p, sg_ast_kind kind, size_t base, uint32_t first, uint32_t last);
sg_ast *sg_node1(sg_parser *p, sg_ast_kind kind, sg_ast *a, uint32_t first, uint32_t last);
sg_ast *sg_node2(sg_parser *p, sg_ast_kind kind, sg_ast *a, sg_ast *b, uint32_t first,
                 uint32_t last);

// Opening a bracket: the old mode comes back for sg_close.
typedef struct sg_bracket {
    uint32_t first; // of the opening token
    uint8_t mode;   // outside
} sg_bracket;
sg_bracket sg_open(sg_parser *p, uint8_t mode);
// At the closing token: advances and returns true. Otherwise says what was expected and points at
// the opening one.
bool sg_close(sg_parser *p, sg_bracket bracket, sg_token_kind kind, const char *expected);

// parser_stmt.c
sg_ast *sg_parse_block(sg_parser *p);
sg_ast *sg_parse_statement(sg_parser *p);
bool sg_at_word(const sg_parser *p, const char *word); // a name that is a keyword here only
bool sg_is_block_keyword(sg_token_kind kind);
sg_ast *sg_parse_keyword(sg_parser *p); // at a keyword that begins an expression or statement
sg_ast *sg_parse_do(sg_parser *p, sg_ast *call);

// parser_import.c, at the keyword
sg_ast *sg_parse_using(sg_parser *p); // or import
sg_ast *sg_parse_export(sg_parser *p);

// parser_expr.c
sg_ast *sg_parse_expr(sg_parser *p);          // with assignment, without bare tuples
sg_ast *sg_parse_expr_or_tuple(sg_parser *p); // a, b = c, d
sg_ast *sg_parse_pair(sg_parser *p);          // without assignment
sg_ast *sg_parse_binary(sg_parser *p, sg_prec least);
sg_ast *sg_parse_postfix(sg_parser *p);
bool sg_starts_expr(const sg_parser *p);
sg_ast *sg_to_lambda(sg_parser *p, sg_ast *params, sg_ast *body);

// parser_primary.c
sg_ast *sg_parse_primary(sg_parser *p);
sg_ast *sg_parse_call(sg_parser *p, sg_ast *callee, uint8_t flags); // at '('
sg_ast *sg_parse_macrocall(sg_parser *p, uint32_t first);           // at '@'
sg_ast *sg_parse_braces(sg_parser *p, sg_ast *type);                // at '{', T{..}

// parser_array.c
sg_ast *sg_parse_array(sg_parser *p);                   // at '['
sg_ast *sg_parse_index(sg_parser *p, sg_ast *array);    // at '['
sg_ast *sg_parse_generator(sg_parser *p, sg_ast *expr); // at 'for'
sg_ast *sg_parse_iter(sg_parser *p);                    // i in r

// parser_text.c
sg_ast *sg_parse_string(sg_parser *p);                 // at '"'
sg_ast *sg_parse_char(sg_parser *p);                   // at '\''
sg_ast *sg_parse_strmacro(sg_parser *p, sg_ast *name); // at '"'
