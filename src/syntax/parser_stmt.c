// Statements and blocks, and how the parser goes on after a mistake.
#include "syntax/foreign.h"
#include "syntax/parser_internal.h"

#include <string.h>

// ---- recovery ------------------------------------------------------------------------------

// Nobody indents further than this; a line of megabytes must not be searched at every statement.
enum { MAX_COLUMN = 200 };

static uint32_t column_of(const sg_parser *p, uint32_t at)
{
    uint32_t column = 0;
    while (at && p->lexer.text[at - 1] != '\n' && column < MAX_COLUMN) {
        at--;
        column++;
    }
    return column;
}

static bool opens_block(int kind)
{
    switch (kind) {
    case SG_TOKEN_BEGIN:
    case SG_TOKEN_DO:
    case SG_TOKEN_FOR:
    case SG_TOKEN_FUNCTION:
    case SG_TOKEN_IF:
    case SG_TOKEN_LET:
    case SG_TOKEN_MACRO:
    case SG_TOKEN_MODULE:
    case SG_TOKEN_QUOTE:
    case SG_TOKEN_STRUCT:
    case SG_TOKEN_TRY:
    case SG_TOKEN_WHILE:
        return true;
    default:
        return false;
    }
}

static bool ends_block(int kind)
{
    return kind == SG_TOKEN_END || kind == SG_TOKEN_ELSE || kind == SG_TOKEN_ELSEIF ||
           kind == SG_TOKEN_CATCH || kind == SG_TOKEN_FINALLY || kind == SG_TOKEN_EOF;
}

// Passes over a string without looking into it.
static void skip_string(sg_lexer *lexer, const sg_token *token)
{
    const char *text = lexer->text;
    uint32_t at = token->first;
    bool triple = text[at] == '"' && text[at + 1] == '"' && text[at + 2] == '"';
    char quote = text[at];
    uint32_t limit = lexer->length;
    for (at += triple ? 3 : 1; at < limit; at++) {
        if (text[at] == '\\')
            at++;
        else if (text[at] == quote && (!triple || (text[at + 1] == '"' && text[at + 2] == '"'))) {
            lexer->pos = at + (triple ? 3 : 1);
            return;
        } else if (text[at] == '\n' && quote == '\'')
            break; // it was an adjoint
    }
    if (quote == '"')
        lexer->pos = limit;
}

// Skips to where the next statement of this block begins: behind a newline or ';' with all
// brackets closed, or at a line that is indented no more than the statement itself, since then a
// bracket was left open.
static void recover(sg_parser *p, uint32_t column)
{
    uint32_t brackets = p->stopped_brackets, blocks = 0;
    bool began = false;
    p->panic = false;
    p->token = p->stopped;
    p->lexer.pos = p->token.last;
    p->lexer.mute = true;
    for (;; began = true) {
        sg_token *t = &p->token;
        if (t->kind == SG_TOKEN_EOF)
            break;
        if ((t->flags & SG_TOKEN_NEWLINE) && (began || !brackets || ends_block(t->kind))) {
            if (!brackets && !blocks)
                break;
            bool closes = t->kind == SG_TOKEN_RPAREN || t->kind == SG_TOKEN_RBRACKET ||
                          t->kind == SG_TOKEN_RBRACE;
            if (brackets && !closes && column_of(p, t->first) <= column)
                break;
        } else if ((t->flags & SG_TOKEN_NEWLINE) && column_of(p, t->first) <= column &&
                   t->kind != SG_TOKEN_RPAREN && t->kind != SG_TOKEN_RBRACKET &&
                   t->kind != SG_TOKEN_RBRACE) {
            break;
        }
        switch (t->kind) {
        case SG_TOKEN_LPAREN:
        case SG_TOKEN_LBRACKET:
        case SG_TOKEN_LBRACE:
            brackets++;
            break;
        case SG_TOKEN_RPAREN:
        case SG_TOKEN_RBRACKET:
        case SG_TOKEN_RBRACE:
            brackets -= brackets > 0;
            break;
        case SG_TOKEN_STRING:
            skip_string(&p->lexer, t);
            break;
        case SG_TOKEN_TICK:
            if (t->flags & SG_TOKEN_BLANK)
                skip_string(&p->lexer, t);
            break;
        case SG_TOKEN_SEMICOLON:
            if (!brackets && !blocks)
                goto done;
            break;
        default:
            if (brackets)
                break;
            if (ends_block(t->kind)) {
                if (!blocks)
                    goto done;
                blocks -= t->kind == SG_TOKEN_END;
            } else if (began && opens_block(t->kind)) {
                blocks++;
            }
            break;
        }
        p->token = sg_lex(&p->lexer);
    }
done:
    p->lexer.mute = false;
    p->mode = SG_MODE_NEWLINE;
    p->brackets = 0;
    p->last_end = p->token.first;
}

// ---- blocks --------------------------------------------------------------------------------

// What each block begins with: newlines end statements again, whatever brackets are around.
typedef struct scope {
    uint8_t mode;
    uint32_t brackets;
} scope;

static scope begin_scope(sg_parser *p)
{
    scope old = {p->mode, p->brackets};
    p->mode = SG_MODE_NEWLINE;
    p->brackets = 0;
    return old;
}

static void end_scope(sg_parser *p, scope old)
{
    p->mode = old.mode;
    p->brackets = old.brackets;
}

bool sg_at_word(const sg_parser *p, const char *word)
{
    size_t length = strlen(word);
    return sg_is_token(p, SG_TOKEN_NAME) && p->token.last - p->token.first == length &&
           memcmp(p->lexer.text + p->token.first, word, length) == 0;
}

// What the word at the present place is called here; null for all but words of other languages.
static const char *foreign_word(const sg_parser *p)
{
    if (!sg_is_token(p, SG_TOKEN_NAME))
        return NULL;
    return sg_foreign_separator(p->lexer.text + p->token.first, p->token.last - p->token.first);
}

bool sg_fail_foreign(sg_parser *p, const sg_ast *before)
{
    bool all;
    if (p->panic || before->kind != SG_AST_NAME || !sg_is_token(p, SG_TOKEN_NAME) ||
        sg_line_ends(p))
        return false;
    const char *sentence = sg_foreign_opener(p->lexer.text + before->span.first,
                                             before->span.last - before->span.first, &all);
    if (!sentence)
        return false;
    sg_fail(p, SG_E_SYNTAX, before->span, "%s", sentence);
    p->dead |= all;
    return true;
}

static void fail_separator(sg_parser *p, const sg_ast *statement)
{
    char found[80];
    if (sg_fail_foreign(p, statement))
        return;
    const char *word = foreign_word(p);
    sg_describe(p, found, sizeof found);
    if (word) {
        sg_fail(p, SG_E_SYNTAX, sg_parser_here(p), "%s", word);
        return;
    }
    if (sg_is_token(p, SG_TOKEN_LPAREN) && p->last_kind == SG_TOKEN_NAME)
        sg_fail(p, SG_E_SYNTAX, sg_parser_here(p),
                "no blank may stand between a function and its '('");
    else if (sg_is_token(p, SG_TOKEN_RPAREN) || sg_is_token(p, SG_TOKEN_RBRACKET) ||
             sg_is_token(p, SG_TOKEN_RBRACE))
        sg_fail(p, SG_E_SYNTAX, sg_parser_here(p), "%s without anything to close", found);
    else
        sg_fail(p, SG_E_SYNTAX, sg_parser_here(p),
                "expected an operator, ';' or the end of the line, found %s", found);
}

// block = { sep } { statement { sep } }, up to a word that ends it
sg_ast *sg_parse_block(sg_parser *p)
{
    size_t base = sg_mark(p);
    uint32_t first = p->token.first, last = first;
    scope old = begin_scope(p);
    for (;;) {
        while (sg_is_token(p, SG_TOKEN_SEMICOLON))
            sg_parser_advance(p);
        if (p->failed || (ends_block(p->token.kind) && !p->panic))
            break;
        uint32_t start = p->token.first;
        if (!p->panic) {
            sg_ast *statement = sg_parse_statement(p);
            sg_push(p, statement);
            last = statement->span.last;
            if (!p->panic && !sg_is_token(p, SG_TOKEN_SEMICOLON) && !sg_line_ends(p) &&
                !ends_block(p->token.kind))
                fail_separator(p, statement);
        }
        if (p->panic) {
            recover(p, column_of(p, start));
            if (p->token.first == start && !ends_block(p->token.kind) &&
                !sg_is_token(p, SG_TOKEN_SEMICOLON)) {
                p->panic = false;
                p->token = sg_lex(&p->lexer); // always some progress
                if (p->token.kind == SG_TOKEN_STOP) {
                    p->panic = true;
                    p->stopped = p->token;
                    p->stopped_brackets = 0;
                }
            }
        }
    }
    end_scope(p, old);
    return sg_finish(p, SG_AST_BLOCK, base, first, last);
}

static bool follows_else(const sg_parser *p, sg_token opener)
{
    return opener.kind == SG_TOKEN_IF && opener.first >= 5 &&
           memcmp(p->lexer.text + opener.first - 5, "else ", 5) == 0;
}

// Remembers the first block whose `end` does not look like its own, in case one is missing later.
static void suspect(sg_parser *p, sg_token opener)
{
    if (p->suspect.last)
        return;
    bool lines = (opener.flags & SG_TOKEN_NEWLINE) && (p->token.flags & SG_TOKEN_NEWLINE);
    bool moved = lines && column_of(p, opener.first) != column_of(p, p->token.first);
    if (moved || follows_else(p, opener))
        p->suspect = opener;
}

static void explain_missing_end(sg_parser *p, sg_token opener)
{
    const sg_token *s = &p->suspect;
    sg_note(p->diags, sg_at(p, opener.first, opener.last), "to close this '%.*s'",
            (int)(opener.last - opener.first), p->lexer.text + opener.first);
    if (s->last <= opener.first)
        return;
    if (follows_else(p, *s))
        sg_note(p->diags, sg_at(p, s->first - 5, s->last),
                "'else if' begins a block of its own here; 'elseif' does not");
    else
        sg_note(p->diags, sg_at(p, s->first, s->last),
                "the 'end' of this '%.*s' stands in another column; its own one may be missing",
                (int)(s->last - s->first), p->lexer.text + s->first);
}

// "end", pointing at what it should close
static void expect_end(sg_parser *p, sg_token opener)
{
    if (sg_is_token(p, SG_TOKEN_END)) {
        suspect(p, opener);
        sg_parser_advance(p);
        return;
    }
    size_t errors = p->diags->n_errors;
    if (!p->panic) {
        char found[80];
        uint8_t mode = p->mode;
        p->mode = 0;
        sg_describe(p, found, sizeof found);
        p->mode = mode;
        sg_fail(p, SG_E_SYNTAX, sg_parser_here(p), "expected 'end', found %s", found);
    }
    if (p->diags->n_errors != errors)
        explain_missing_end(p, opener);
}

// An expression in the first line of a block. After a mistake in it the block itself is still
// read, so that its `end` stays its own.
static sg_ast *parse_header(sg_parser *p, sg_ast *(*rule)(sg_parser *))
{
    scope old = begin_scope(p);
    uint32_t column = column_of(p, p->token.first);
    sg_ast *node = rule(p);
    if (p->panic && !p->dead)
        recover(p, column);
    end_scope(p, old);
    return node;
}

static sg_ast *parse_condition(sg_parser *p)
{
    if (sg_line_ends(p) || sg_is_token(p, SG_TOKEN_SEMICOLON))
        return sg_fail_expected(p, "a condition");
    sg_ast *condition = sg_parse_expr(p);
    const char *word = sg_line_ends(p) ? NULL : foreign_word(p);
    return word && !p->panic ? sg_fail(p, SG_E_SYNTAX, sg_parser_here(p), "%s", word) : condition;
}

// if = "if" expr block { "elseif" expr block } [ "else" block ] "end"
static sg_ast *parse_if(sg_parser *p, sg_token opener)
{
    sg_token here = p->token;
    size_t base = sg_mark(p);
    sg_parser_advance(p);
    sg_push(p, parse_header(p, parse_condition));
    sg_push(p, sg_parse_block(p));
    if (sg_is_token(p, SG_TOKEN_ELSEIF)) {
        if (sg_enter(p))
            sg_push(p, parse_if(p, opener));
        sg_leave(p);
    } else {
        if (sg_is_token(p, SG_TOKEN_ELSE)) {
            sg_parser_advance(p);
            sg_push(p, sg_parse_block(p));
        }
        expect_end(p, opener);
    }
    return sg_finish(p, SG_AST_IF, base, here.first, p->last_end);
}

static sg_ast *parse_for_header(sg_parser *p)
{
    size_t base = sg_mark(p);
    uint32_t first = p->token.first;
    for (;;) {
        sg_push(p, sg_parse_iter(p));
        if (!sg_is_token(p, SG_TOKEN_COMMA))
            break;
        sg_parser_advance(p);
    }
    return sg_finish(p, SG_AST_BLOCK, base, first, p->last_end);
}

static void push_kids(sg_parser *p, const sg_ast *list)
{
    if (list->kind == SG_AST_ERROR) {
        sg_push(p, (sg_ast *)list);
        return;
    }
    for (uint32_t i = 0; i < list->n; i++)
        sg_push(p, list->kids[i]);
}

// for = "for" forspec {"," forspec} block "end"
static sg_ast *parse_for(sg_parser *p, sg_token opener)
{
    size_t base = sg_mark(p);
    sg_parser_advance(p);
    push_kids(p, parse_header(p, parse_for_header));
    sg_push(p, sg_parse_block(p));
    expect_end(p, opener);
    return sg_finish(p, SG_AST_FOR, base, opener.first, p->last_end);
}

// while = "while" expr block "end"
static sg_ast *parse_while(sg_parser *p, sg_token opener)
{
    size_t base = sg_mark(p);
    sg_parser_advance(p);
    sg_push(p, parse_header(p, parse_condition));
    sg_push(p, sg_parse_block(p));
    expect_end(p, opener);
    return sg_finish(p, SG_AST_WHILE, base, opener.first, p->last_end);
}

static sg_ast *parse_let_header(sg_parser *p)
{
    size_t base = sg_mark(p);
    uint32_t first = p->token.first;
    while (!sg_line_ends(p) && !sg_is_token(p, SG_TOKEN_SEMICOLON) && !p->panic) {
        sg_push(p, sg_parse_expr(p));
        if (!sg_is_token(p, SG_TOKEN_COMMA))
            break;
        sg_parser_advance(p);
    }
    return sg_finish(p, SG_AST_BLOCK, base, first, p->last_end);
}

// let = "let" [ expr {"," expr} ] block "end"
static sg_ast *parse_let(sg_parser *p, sg_token opener)
{
    size_t base = sg_mark(p);
    sg_parser_advance(p);
    push_kids(p, parse_header(p, parse_let_header));
    sg_push(p, sg_parse_block(p));
    expect_end(p, opener);
    return sg_finish(p, SG_AST_LET, base, opener.first, p->last_end);
}

// try = "try" block [ "catch" [IDENT] block ] [ "finally" block ] "end"
static sg_ast *parse_try(sg_parser *p, sg_token opener)
{
    size_t base = sg_mark(p);
    sg_parser_advance(p);
    sg_push(p, sg_parse_block(p));
    sg_ast *name = NULL, *handler = NULL, *cleanup = NULL;
    if (sg_is_token(p, SG_TOKEN_CATCH)) {
        sg_parser_advance(p);
        if (sg_is_token(p, SG_TOKEN_NAME) && !(p->token.flags & SG_TOKEN_NEWLINE)) {
            name = sg_name_leaf(p, p->token.sym, p->token.first, p->token.last);
            sg_parser_advance(p);
        }
        handler = sg_parse_block(p);
    }
    if (sg_is_token(p, SG_TOKEN_FINALLY)) {
        sg_parser_advance(p);
        cleanup = sg_parse_block(p);
    }
    uint32_t at = p->token.first;
    sg_push(p, name ? name : sg_leaf(p, SG_AST_NONE, at, at));
    sg_push(p, handler ? handler : sg_leaf(p, SG_AST_NONE, at, at));
    sg_push(p, cleanup ? cleanup : sg_leaf(p, SG_AST_NONE, at, at));
    if (!handler && !cleanup && sg_is_token(p, SG_TOKEN_END))
        sg_error(p->diags, SG_E_SYNTAX, sg_at(p, opener.first, opener.last),
                 "'try' without 'catch' or 'finally'");
    expect_end(p, opener);
    return sg_finish(p, SG_AST_TRY, base, opener.first, p->last_end);
}

// ---- definitions ---------------------------------------------------------------------------

static sg_ast *parse_signature(sg_parser *p) { return sg_parse_binary(p, SG_PREC_UNARY); }

static bool is_signature(const sg_ast *node)
{
    while (node->n && (node->kind == SG_AST_WHERE || (node->kind == SG_AST_TYPED && node->n == 2)))
        node = node->kids[0];
    return node->kind == SG_AST_CALL || node->kind == SG_AST_ERROR;
}

// function = "function" signature block "end"; without a name it is a value
static sg_ast *parse_function(sg_parser *p, sg_token opener)
{
    size_t base = sg_mark(p);
    sg_ast_kind kind = sg_is_token(p, SG_TOKEN_MACRO) ? SG_AST_MACRODEF : SG_AST_FUNCTION;
    sg_parser_advance(p);
    sg_ast *signature = parse_header(p, parse_signature);
    bool bare = (signature->kind == SG_AST_NAME || signature->kind == SG_AST_FIELD) &&
                sg_is_token(p, SG_TOKEN_END);
    bool anonymous = signature->kind == SG_AST_TUPLE ||
                     (signature->flags & SG_AST_PAREN && signature->kind != SG_AST_CALL);
    if (!anonymous && !bare && !is_signature(signature) && !p->panic) {
        sg_error(p->diags, SG_E_SYNTAX, signature->span,
                 "expected a name and parameters like f(x, y) behind '%.*s'",
                 (int)(opener.last - opener.first), p->lexer.text + opener.first);
        signature = sg_leaf(p, SG_AST_ERROR, signature->span.first, signature->span.last);
    }
    sg_ast *body = sg_parse_block(p);
    expect_end(p, opener);
    if (anonymous) {
        sg_ast *node = sg_to_lambda(p, signature, body);
        node->span = sg_at(p, opener.first, p->last_end);
        return node;
    }
    sg_push(p, signature);
    sg_push(p, body);
    return sg_finish(p, kind, base, opener.first, p->last_end);
}

// do-block = "do" [params] block "end"
sg_ast *sg_parse_do(sg_parser *p, sg_ast *call)
{
    sg_token opener = p->token;
    sg_parser_advance(p);
    size_t base = sg_mark(p);
    push_kids(p, parse_header(p, parse_let_header));
    sg_ast *params = sg_finish(p, SG_AST_TUPLE, base, opener.last, p->last_end);
    sg_ast *body = sg_parse_block(p);
    expect_end(p, opener);
    sg_ast *lambda = sg_node2(p, SG_AST_LAMBDA, params, body, opener.first, p->last_end);
    return sg_node2(p, SG_AST_DO, call, lambda, call->span.first, p->last_end);
}

// typename = IDENT [ "{" args "}" ] [ "<:" postfix ]
static sg_ast *parse_typename(sg_parser *p)
{
    sg_ast *name = sg_parse_postfix(p);
    if (name->kind != SG_AST_NAME && name->kind != SG_AST_CURLY && name->kind != SG_AST_ERROR)
        return sg_fail(p, SG_E_SYNTAX, name->span, "expected the name of a type");
    if (sg_is_token(p, SG_TOKEN_OP) && p->token.op == SG_TOKEN_OP_SUBTYPE && !sg_line_ends(p)) {
        sg_parser_advance(p);
        sg_ast *super = sg_parse_postfix(p);
        name = sg_node2(p, SG_AST_TYPED, name, super, name->span.first, super->span.last);
    }
    return name;
}

// struct = ["mutable"] "struct" typename block "end"
static sg_ast *parse_struct(sg_parser *p, sg_token opener, uint8_t flags)
{
    size_t base = sg_mark(p);
    sg_parser_advance(p);
    sg_push(p, parse_header(p, parse_typename));
    sg_push(p, sg_parse_block(p));
    expect_end(p, opener);
    sg_ast *node = sg_finish(p, SG_AST_STRUCT, base, opener.first, p->last_end);
    node->flags |= flags;
    return node;
}

// module = "module" IDENT block "end"
static sg_ast *parse_module(sg_parser *p, sg_token opener)
{
    size_t base = sg_mark(p);
    sg_parser_advance(p);
    sg_sym sym = {0};
    if (sg_is_token(p, SG_TOKEN_NAME) && !sg_line_ends(p)) {
        sym = p->token.sym;
        sg_parser_advance(p);
    } else {
        sg_error(p->diags, SG_E_SYNTAX, sg_at(p, opener.first, opener.last),
                 "expected a name behind 'module'");
    }
    sg_push(p, sg_parse_block(p));
    expect_end(p, opener);
    sg_ast *node = sg_finish(p, SG_AST_MODULE, base, opener.first, p->last_end);
    node->sym = sym;
    return node;
}

// "abstract" "type" typename "end"
static sg_ast *parse_abstract(sg_parser *p, sg_token opener)
{
    sg_parser_advance(p);
    sg_parser_advance(p);
    sg_ast *name = parse_header(p, parse_typename);
    expect_end(p, opener);
    return sg_node1(p, SG_AST_ABSTRACT, name, opener.first, p->last_end);
}

// ---- the rest ------------------------------------------------------------------------------

static sg_ast *parse_begin(sg_parser *p, sg_token opener)
{
    bool quote = sg_is_token(p, SG_TOKEN_QUOTE);
    p->quotes += quote;
    sg_parser_advance(p);
    sg_ast *block = sg_parse_block(p);
    expect_end(p, opener);
    p->quotes -= quote;
    block->span = sg_at(p, opener.first, p->last_end);
    return quote ? sg_node1(p, SG_AST_QUOTE, block, opener.first, p->last_end) : block;
}

static sg_ast *parse_return(sg_parser *p)
{
    uint32_t first = p->token.first;
    size_t base = sg_mark(p);
    sg_parser_advance(p);
    if (!sg_line_ends(p) && sg_starts_expr(p))
        sg_push(p, sg_parse_expr_or_tuple(p));
    return sg_finish(p, SG_AST_RETURN, base, first, p->last_end);
}

static sg_ast *parse_jump(sg_parser *p, sg_ast_kind kind)
{
    sg_ast *node = sg_leaf(p, kind, p->token.first, p->token.last);
    sg_parser_advance(p);
    return node;
}

// ("const"|"global"|"local") expr-or-tuple
static sg_ast *parse_declaration(sg_parser *p, sg_ast_kind kind)
{
    uint32_t first = p->token.first;
    sg_parser_advance(p);
    sg_ast *statement = sg_parse_statement(p);
    return sg_node1(p, kind, statement, first, p->last_end);
}

bool sg_is_block_keyword(sg_token_kind kind)
{
    int k = (int)kind; // a plain switch: most kinds are not
    return (opens_block(k) && k != SG_TOKEN_DO) || k == SG_TOKEN_RETURN || k == SG_TOKEN_BREAK ||
           k == SG_TOKEN_CONTINUE || k == SG_TOKEN_CONST || k == SG_TOKEN_GLOBAL ||
           k == SG_TOKEN_LOCAL || k == SG_TOKEN_USING || k == SG_TOKEN_IMPORT ||
           k == SG_TOKEN_EXPORT;
}

sg_ast *sg_parse_keyword(sg_parser *p)
{
    sg_token opener = p->token;
    switch (opener.kind) {
    case SG_TOKEN_BEGIN:
    case SG_TOKEN_QUOTE:
        return parse_begin(p, opener);
    case SG_TOKEN_IF:
        return parse_if(p, opener);
    case SG_TOKEN_FOR:
        return parse_for(p, opener);
    case SG_TOKEN_WHILE:
        return parse_while(p, opener);
    case SG_TOKEN_LET:
        return parse_let(p, opener);
    case SG_TOKEN_TRY:
        return parse_try(p, opener);
    case SG_TOKEN_FUNCTION:
    case SG_TOKEN_MACRO:
        return parse_function(p, opener);
    case SG_TOKEN_STRUCT:
        return parse_struct(p, opener, 0);
    case SG_TOKEN_MODULE:
        return parse_module(p, opener);
    case SG_TOKEN_RETURN:
        return parse_return(p);
    case SG_TOKEN_BREAK:
        return parse_jump(p, SG_AST_BREAK);
    case SG_TOKEN_CONTINUE:
        return parse_jump(p, SG_AST_CONTINUE);
    case SG_TOKEN_CONST:
        return parse_declaration(p, SG_AST_CONST);
    case SG_TOKEN_GLOBAL:
        return parse_declaration(p, SG_AST_GLOBAL);
    case SG_TOKEN_LOCAL:
        return parse_declaration(p, SG_AST_LOCAL);
    case SG_TOKEN_USING:
    case SG_TOKEN_IMPORT:
        return sg_parse_using(p);
    default:
        return sg_parse_export(p);
    }
}

// `mutable struct`, `abstract type` and `primitive type` begin with words that are names elsewhere.
static sg_ast *parse_word_statement(sg_parser *p)
{
    sg_token opener = p->token;
    bool is_mutable = sg_at_word(p, "mutable"), is_abstract = sg_at_word(p, "abstract");
    bool is_primitive = sg_at_word(p, "primitive");
    if (!is_mutable && !is_abstract && !is_primitive)
        return NULL;
    sg_lexer ahead = p->lexer;
    ahead.mute = true;
    sg_token next = sg_lex(&ahead);
    if (next.flags & SG_TOKEN_NEWLINE)
        return NULL;
    bool type = next.kind == SG_TOKEN_NAME && next.last - next.first == 4 &&
                memcmp(p->lexer.text + next.first, "type", 4) == 0;
    if (is_mutable && next.kind == SG_TOKEN_STRUCT) {
        sg_parser_advance(p);
        opener.last = p->token.last;
        return parse_struct(p, opener, SG_AST_MUTABLE);
    }
    if (is_abstract && type)
        return parse_abstract(p, opener);
    if (is_primitive && type)
        return sg_fail(p, SG_E_SYNTAX, sg_at(p, opener.first, next.last),
                       "primitive types are not supported; use a struct");
    return NULL;
}

// Whether a string is the documentation of what follows on the next line.
static bool documents(const sg_parser *p, const sg_ast *node)
{
    if (node->kind != SG_AST_STRING && node->kind != SG_AST_INTERP_STRING)
        return false;
    if ((node->flags & SG_AST_PAREN) || !(p->token.flags & SG_TOKEN_NEWLINE))
        return false;
    // Neither a text nor a quoted one is something that could be documented.
    bool text = sg_is_token(p, SG_TOKEN_STRING) ||
                (sg_is_token(p, SG_TOKEN_COLON) && p->lexer.text[p->token.last] == '"');
    return !ends_block(p->token.kind) && sg_starts_expr(p) && !p->panic && !text;
}

// statement = docstring statement | using | export | expr-or-tuple
sg_ast *sg_parse_statement(sg_parser *p)
{
    sg_ast *node = NULL;
    if (sg_is_token(p, SG_TOKEN_NAME))
        node = parse_word_statement(p);
    if (!node)
        node = sg_parse_expr_or_tuple(p);
    if (!documents(p, node))
        return node;
    if (!sg_enter(p)) {
        sg_leave(p);
        return node;
    }
    sg_ast *statement = sg_parse_statement(p);
    sg_leave(p);
    return sg_node2(p, SG_AST_DOC, node, statement, node->span.first, statement->span.last);
}
