// Atoms, calls, parentheses, quotes and macro calls.
#include "syntax/parser_internal.h"

// equations = [der(x) = -x], without the colon.
static bool holds_equations(const sg_parser *p, const sg_ast *target, const sg_ast *value)
{
    bool list =
        value->kind == SG_AST_VECT || value->kind == SG_AST_VCAT || value->kind == SG_AST_HCAT;
    if (!list || p->quotes ||
        !(sg_is_name(p, target, "equations") || sg_is_name(p, target, "initialEquations")))
        return false;
    for (uint32_t i = 0; i < value->n; i++)
        if (value->kids[i]->kind == SG_AST_ASSIGN || value->kids[i]->kind == SG_AST_FUNCTION)
            return true;
    return false;
}

// A keyword argument or parameter from its parts: name = value, name::T = value.
static sg_ast *make_keyword(sg_parser *p, sg_ast *assign)
{
    sg_ast *target = assign->kids[0], *value = assign->kids[1], *type = NULL;
    if (target->kind == SG_AST_TYPED && target->n == 2) {
        type = target->kids[1];
        target = target->kids[0];
    }
    if (target->kind == SG_AST_NAME && holds_equations(p, target, value))
        return sg_fail(p, SG_E_SYNTAX, value->span, "equations are quoted: %s = :[...]",
                       sg_sym_text(p->symbols, target->sym));
    if (target->kind != SG_AST_NAME) {
        if (p->quotes || target->kind == SG_AST_ERROR)
            return assign; // macros and equations may mean it
        return sg_fail(p, SG_E_SYNTAX, target->span,
                       "expected a name before '=' in an argument list; a comparison is written "
                       "'=='");
    }
    sg_ast *kw = type ? sg_node2(p, SG_AST_KW, value, type, assign->span.first, assign->span.last)
                      : sg_node1(p, SG_AST_KW, value, assign->span.first, assign->span.last);
    kw->sym = target->sym;
    return kw;
}

// arg = expr [ "for" forspec ] | expr "..." | name "=" expr
static sg_ast *parse_arg(sg_parser *p)
{
    sg_ast *arg = sg_parse_expr(p);
    if (sg_is_token(p, SG_TOKEN_FOR))
        return sg_parse_generator(p, arg);
    if (arg->kind == SG_AST_ASSIGN && !(arg->flags & (SG_AST_PAREN | SG_AST_DOTTED)))
        return make_keyword(p, arg);
    if (arg->kind == SG_AST_FUNCTION && !(arg->flags & SG_AST_PAREN) &&
        arg->kids[1]->kind != SG_AST_BLOCK)
        return sg_fail(p, SG_E_SYNTAX, arg->kids[0]->span,
                       "expected a name before '=' in an argument list; a comparison is written "
                       "'=='");
    return arg;
}

// { arg "," } up to `close` or ';'
static void parse_args(sg_parser *p, sg_token_kind close)
{
    while (!sg_is_token(p, close) && !sg_is_token(p, SG_TOKEN_SEMICOLON) && !p->panic) {
        sg_push(p, parse_arg(p));
        if (!sg_is_token(p, SG_TOKEN_COMMA))
            break;
        sg_parser_advance(p);
    }
}

// ";" { arg "," }: what stands behind the semicolon of a call or tuple
static void parse_parameters(sg_parser *p)
{
    uint32_t first = p->token.first;
    size_t base = sg_mark(p);
    while (sg_is_token(p, SG_TOKEN_SEMICOLON))
        sg_parser_advance(p);
    parse_args(p, SG_TOKEN_RPAREN);
    sg_push(p, sg_finish(p, SG_AST_PARAMETERS, base, first, p->last_end));
}

// "(" args ")"
sg_ast *sg_parse_call(sg_parser *p, sg_ast *callee, uint8_t flags)
{
    size_t base = sg_mark(p);
    sg_push(p, callee);
    sg_bracket bracket = sg_open(p, p->mode & SG_MODE_INDEX);
    parse_args(p, SG_TOKEN_RPAREN);
    if (sg_is_token(p, SG_TOKEN_SEMICOLON))
        parse_parameters(p);
    if (!p->failed && p->stack.len > base)
        sg_fail_foreign(p, p->stack.data[p->stack.len - 1]);
    sg_close(p, bracket, SG_TOKEN_RPAREN, "',' or ')'");
    sg_ast *node = sg_finish(p, SG_AST_CALL, base, callee->span.first, p->last_end);
    node->flags |= flags;
    return node;
}

// T "{" args "}"
sg_ast *sg_parse_braces(sg_parser *p, sg_ast *type)
{
    size_t base = sg_mark(p);
    sg_push(p, type);
    sg_bracket bracket = sg_open(p, 0);
    parse_args(p, SG_TOKEN_RBRACE);
    sg_close(p, bracket, SG_TOKEN_RBRACE, "',' or '}'");
    return sg_finish(p, SG_AST_CURLY, base, type->span.first, p->last_end);
}

// ---- parentheses ---------------------------------------------------------------------------

static sg_ast *finish_tuple(sg_parser *p, size_t base, sg_bracket bracket)
{
    if (sg_is_token(p, SG_TOKEN_SEMICOLON))
        parse_parameters(p);
    sg_close(p, bracket, SG_TOKEN_RPAREN, "',' or ')'");
    return sg_finish(p, SG_AST_TUPLE, base, bracket.first, p->last_end);
}

// expr ";" expr {";" expr} ")"
static sg_ast *finish_sequence(sg_parser *p, size_t base, sg_bracket bracket)
{
    while (sg_is_token(p, SG_TOKEN_SEMICOLON)) {
        sg_parser_advance(p);
        if (sg_is_token(p, SG_TOKEN_RPAREN))
            break;
        if (!sg_is_token(p, SG_TOKEN_SEMICOLON))
            sg_push(p, sg_parse_expr(p));
        // (a; b, c = 1): parameters of a function
        while (sg_is_token(p, SG_TOKEN_COMMA)) {
            sg_parser_advance(p);
            if (!sg_is_token(p, SG_TOKEN_RPAREN))
                sg_push(p, sg_parse_expr(p));
        }
    }
    sg_close(p, bracket, SG_TOKEN_RPAREN, "';' or ')'");
    sg_ast *node = sg_finish(p, SG_AST_BLOCK, base, bracket.first, p->last_end);
    node->flags |= SG_AST_PAREN;
    return node;
}

// "(" ")" | "(" expr ")" | "(" expr "," .. ")" | "(" expr ";" .. ")" | "(" ";" args ")"
static sg_ast *parse_paren(sg_parser *p)
{
    size_t base = sg_mark(p);
    sg_bracket bracket = sg_open(p, p->mode & SG_MODE_INDEX);
    if (sg_is_token(p, SG_TOKEN_RPAREN) || sg_is_token(p, SG_TOKEN_SEMICOLON))
        return finish_tuple(p, base, bracket);
    sg_ast *first = sg_parse_expr(p);
    if (sg_is_token(p, SG_TOKEN_FOR)) {
        sg_ast *node = sg_parse_generator(p, first);
        sg_close(p, bracket, SG_TOKEN_RPAREN, "')'");
        node->span = sg_at(p, bracket.first, p->last_end);
        node->flags |= SG_AST_PAREN;
        return node;
    }
    if (sg_is_token(p, SG_TOKEN_COMMA)) {
        if (first->kind == SG_AST_ASSIGN && !(first->flags & SG_AST_PAREN))
            first = make_keyword(p, first);
        sg_push(p, first);
        sg_parser_advance(p);
        parse_args(p, SG_TOKEN_RPAREN);
        return finish_tuple(p, base, bracket);
    }
    sg_push(p, first);
    if (sg_is_token(p, SG_TOKEN_SEMICOLON))
        return finish_sequence(p, base, bracket);
    p->stack.len = p->failed ? p->stack.len : base;
    sg_close(p, bracket, SG_TOKEN_RPAREN, "',' or ')'");
    first->flags |= SG_AST_PAREN;
    if (!p->panic && first->kind != SG_AST_ERROR)
        first->span = sg_at(p, bracket.first, p->last_end);
    return first;
}

// ---- quotes --------------------------------------------------------------------------------

// A quoted name is a symbol and a quoted literal is itself.
static sg_ast *make_quote(sg_parser *p, sg_ast *expr, uint32_t first)
{
    switch (expr->kind) {
    case SG_AST_NAME: {
        sg_ast *node = sg_leaf(p, SG_AST_SYMBOL, first, p->last_end);
        node->sym = expr->sym;
        return node;
    }
    case SG_AST_INT:
    case SG_AST_FLOAT:
    case SG_AST_FLOAT32:
    case SG_AST_BOOL:
    case SG_AST_CHAR:
    case SG_AST_STRING:
    case SG_AST_ERROR:
        return expr;
    default:
        return sg_node1(p, SG_AST_QUOTE, expr, first, p->last_end);
    }
}

// ":(" .. ")": what stands in parentheses; operators and assignments may stand alone there
static sg_ast *parse_quoted_paren(sg_parser *p, uint32_t first)
{
    sg_lexer ahead = p->lexer;
    ahead.mute = true;
    sg_token op = sg_lex(&ahead), close = sg_lex(&ahead);
    bool is_op = op.kind == SG_TOKEN_OP || op.kind == SG_TOKEN_ASSIGN ||
                 op.kind == SG_TOKEN_OPASSIGN || op.kind == SG_TOKEN_COLON;
    if (is_op && close.kind == SG_TOKEN_RPAREN) { // :(==), :(=), :(:)
        sg_ast *node = sg_leaf(p, SG_AST_SYMBOL, first, close.last);
        node->sym = op.kind == SG_TOKEN_OP && !(op.flags & SG_TOKEN_DOTTED)
                        ? sg_op_leaf(p, (sg_token_op)op.op, 0, 0)->sym
                        : sg_sym_intern(p->symbols, p->lexer.text + op.first, op.last - op.first);
        sg_parser_advance(p);
        sg_parser_advance(p);
        sg_parser_advance(p);
        return node;
    }
    return make_quote(p, parse_paren(p), first);
}

// ":" at the beginning of an expression: symbol, quote, or the index of everything
static sg_ast *parse_colon(sg_parser *p)
{
    uint32_t first = p->token.first;
    sg_parser_advance(p);
    if ((p->token.flags & SG_TOKEN_BLANK) || sg_is_token(p, SG_TOKEN_COMMA) ||
        sg_is_token(p, SG_TOKEN_RBRACKET) || sg_is_token(p, SG_TOKEN_RPAREN))
        return sg_leaf(p, SG_AST_COLON, first, first + 1);
    sg_token token = p->token;
    uint8_t mode = p->mode;
    sg_ast *node;
    switch (token.kind) {
    case SG_TOKEN_LPAREN:
    case SG_TOKEN_LBRACKET:
        p->quotes++;
        p->mode &= (uint8_t)~SG_MODE_INDEX;
        if (token.kind == SG_TOKEN_LPAREN) {
            node = parse_quoted_paren(p, first);
        } else {
            sg_ast *array = sg_parse_array(p);
            node = sg_node1(p, SG_AST_QUOTE, array, first, p->last_end);
        }
        p->quotes--;
        p->mode = mode;
        return node;
    case SG_TOKEN_INT:
    case SG_TOKEN_FLOAT:
    case SG_TOKEN_FLOAT32:
    case SG_TOKEN_TRUE:
    case SG_TOKEN_FALSE:
    case SG_TOKEN_STRING:
        node = sg_parse_primary(p);
        node->span.first = first;
        return node;
    case SG_TOKEN_DOLLAR:
        p->quotes++;
        node = sg_parse_primary(p);
        p->quotes--;
        return sg_node1(p, SG_AST_QUOTE, node, first, p->last_end);
    case SG_TOKEN_ASSIGN:
        return sg_fail(p, SG_E_SYNTAX, sg_at(p, first, token.last),
                       "there is no ':='; equations and assignments are written with '='");
    case SG_TOKEN_OP:
    case SG_TOKEN_OPASSIGN:
        node = sg_leaf(p, SG_AST_SYMBOL, first, token.last);
        node->sym =
            token.kind == SG_TOKEN_OP && !(token.flags & SG_TOKEN_DOTTED)
                ? sg_op_leaf(p, (sg_token_op)token.op, 0, 0)->sym
                : sg_sym_intern(p->symbols, p->lexer.text + token.first, token.last - token.first);
        sg_parser_advance(p);
        return node;
    default:
        break;
    }
    uint32_t length = p->panic ? 0 : sg_lex_name_length(&p->lexer, token.first);
    if (!length)
        return sg_fail_expected(p, "a name, '(' or '[' behind ':'");
    node = sg_leaf(p, SG_AST_SYMBOL, first, token.first + length);
    node->sym = sg_lex_intern(&p->lexer, token.first, length);
    p->token.kind = SG_TOKEN_STRING; // no juxtaposition behind a symbol
    sg_parser_advance(p);
    return node;
}

// interp = "$" ~ ( IDENT | "(" expr ")" ), inside quotes only
static sg_ast *parse_dollar(sg_parser *p)
{
    uint32_t first = p->token.first;
    if (!p->quotes)
        return sg_fail(p, SG_E_SYNTAX, sg_parser_here(p),
                       "'$' inserts a value, which is possible only inside a quote :( ) or :[ ] "
                       "and inside a string");
    sg_parser_advance(p);
    bool fits = sg_is_token(p, SG_TOKEN_NAME) || sg_is_token(p, SG_TOKEN_LPAREN);
    if (!fits || (p->token.flags & SG_TOKEN_BLANK))
        return sg_fail_expected(p, "a name or '(' behind '$'");
    uint32_t quotes = p->quotes;
    p->quotes = 0; // what is inserted is evaluated outside
    sg_ast *expr;
    if (sg_is_token(p, SG_TOKEN_LPAREN)) {
        expr = parse_paren(p);
    } else {
        expr = sg_name_leaf(p, p->token.sym, p->token.first, p->token.last);
        sg_parser_advance(p);
    }
    p->quotes = quotes;
    return sg_node1(p, SG_AST_INTERPOLATE, expr, first, p->last_end);
}

// ---- macros --------------------------------------------------------------------------------

// { expr } to the end of the line, separated by blanks
static void parse_macro_args(sg_parser *p)
{
    uint8_t mode = p->mode;
    bool tuples = (mode & SG_MODE_NEWLINE) && !(mode & (SG_MODE_ARRAY | SG_MODE_BLANK));
    p->mode |= SG_MODE_BLANK;
    while (!sg_line_ends(p) && sg_starts_expr(p) && !sg_is_token(p, SG_TOKEN_FOR)) {
        sg_push(p, tuples ? sg_parse_expr_or_tuple(p) : sg_parse_expr(p));
    }
    // A loop may be the first argument of a macro at the beginning of a line, but behind an
    // element it begins a comprehension.
    if (sg_is_token(p, SG_TOKEN_FOR) && tuples && !sg_line_ends(p))
        sg_push(p, sg_parse_expr(p));
    p->mode = mode;
}

// macrocall = "@" path ( ~"(" args ")" | ~array | { expr } )
sg_ast *sg_parse_macrocall(sg_parser *p, uint32_t first)
{
    size_t base = sg_mark(p);
    sg_parser_advance(p);
    bool dot = sg_is_token(p, SG_TOKEN_DOT); // @. a + b
    if ((!sg_is_token(p, SG_TOKEN_NAME) && !dot) || (p->token.flags & SG_TOKEN_BLANK))
        return sg_fail_expected(p, "the name of a macro directly behind '@'");
    sg_sym sym = dot ? sg_sym_intern_text(p->symbols, ".") : p->token.sym;
    sg_parser_advance(p);
    while (!dot && sg_adjoins(p, SG_TOKEN_DOT)) { // @Test.test
        sg_parser_advance(p);
        if (!sg_is_token(p, SG_TOKEN_NAME))
            return sg_fail_expected(p, "the name of a macro");
        sym = p->token.sym;
        sg_parser_advance(p);
    }
    if (sg_adjoins(p, SG_TOKEN_LPAREN)) {
        sg_bracket bracket = sg_open(p, 0);
        parse_args(p, SG_TOKEN_RPAREN);
        if (sg_is_token(p, SG_TOKEN_SEMICOLON))
            parse_parameters(p);
        sg_close(p, bracket, SG_TOKEN_RPAREN, "',' or ')'");
    } else if (sg_adjoins(p, SG_TOKEN_LBRACKET)) {
        sg_push(p, sg_parse_array(p));
    } else {
        parse_macro_args(p);
    }
    sg_ast *node = sg_finish(p, SG_AST_MACROCALL, base, first, p->last_end);
    node->sym = sym;
    return node;
}

// ---- atoms ---------------------------------------------------------------------------------

static sg_ast *parse_number(sg_parser *p)
{
    sg_ast_kind kind = sg_is_token(p, SG_TOKEN_INT)     ? SG_AST_INT
                       : sg_is_token(p, SG_TOKEN_FLOAT) ? SG_AST_FLOAT
                                                        : SG_AST_FLOAT32;
    sg_ast *node = sg_leaf(p, kind, p->token.first, p->token.last);
    if (kind == SG_AST_INT) {
        node->i = p->token.i;
        if (node->i == INT64_MIN) // only with a minus sign before it
            return sg_fail(p, SG_E_TOKEN, sg_parser_here(p),
                           "this integer is larger than 9223372036854775807, the largest one; "
                           "append '.0' for a floating-point number");
    } else {
        node->d = p->token.d;
    }
    sg_parser_advance(p);
    return node;
}

static sg_ast *parse_name(sg_parser *p)
{
    sg_ast *node = sg_name_leaf(p, p->token.sym, p->token.first, p->token.last);
    sg_parser_advance(p);
    if (sg_adjoins(p, SG_TOKEN_STRING))
        return sg_parse_strmacro(p, node);
    return node;
}

static sg_ast *parse_bool(sg_parser *p)
{
    sg_ast *node = sg_leaf(p, SG_AST_BOOL, p->token.first, p->token.last);
    node->i = sg_is_token(p, SG_TOKEN_TRUE);
    sg_parser_advance(p);
    return node;
}

// `begin` and `end` inside an index
static sg_ast *parse_edge(sg_parser *p)
{
    sg_ast_kind kind = sg_is_token(p, SG_TOKEN_END) ? SG_AST_END : SG_AST_BEGIN;
    sg_ast *node = sg_leaf(p, kind, p->token.first, p->token.last);
    p->token.kind = SG_TOKEN_NAME;
    sg_parser_advance(p);
    return node;
}

static sg_ast *fail_at_primary(sg_parser *p)
{
    char found[80];
    sg_span span = sg_parser_here(p);
    if (sg_is_token(p, SG_TOKEN_ASSIGN))
        return sg_fail(p, SG_E_SYNTAX, span, "expected a name or an expression before '='");
    if (sg_is_token(p, SG_TOKEN_DO))
        return sg_fail(p, SG_E_SYNTAX, span, "'do' must follow a call on the same line");
    if (sg_line_ends(p) && p->last_end && !sg_is_token(p, SG_TOKEN_EOF) &&
        !sg_is_block_keyword((sg_token_kind)p->token.kind))
        return sg_fail(p, SG_E_SYNTAX, span, "expected an expression, found '%.*s'",
                       (int)(p->token.last - p->token.first), p->lexer.text + p->token.first);
    uint8_t mode = p->mode;
    p->mode = 0; // name the token, not the line's end
    sg_describe(p, found, sizeof found);
    p->mode = mode;
    return sg_fail(p, SG_E_SYNTAX, span, "expected an expression, found %s", found);
}

sg_ast *sg_parse_primary(sg_parser *p)
{
    switch (p->token.kind) {
    case SG_TOKEN_NAME:
        return parse_name(p);
    case SG_TOKEN_INT:
    case SG_TOKEN_FLOAT:
    case SG_TOKEN_FLOAT32:
        return parse_number(p);
    case SG_TOKEN_STRING:
        return sg_parse_string(p);
    case SG_TOKEN_TICK:
        return sg_parse_char(p);
    case SG_TOKEN_LPAREN:
        return parse_paren(p);
    case SG_TOKEN_LBRACKET:
        return sg_parse_array(p);
    case SG_TOKEN_COLON:
        return parse_colon(p);
    case SG_TOKEN_DOLLAR:
        return parse_dollar(p);
    case SG_TOKEN_AT:
        return sg_parse_macrocall(p, p->token.first);
    case SG_TOKEN_TRUE:
    case SG_TOKEN_FALSE:
        return parse_bool(p);
    case SG_TOKEN_OP: { // an operator as a value: reduce(*, v), ==(a, b)
        sg_ast *node = sg_op_leaf(p, (sg_token_op)p->token.op, p->token.first, p->token.last);
        if (!(sg_op_table[p->token.op].flags & SG_TOKEN_OP_UNARY)) {
            sg_token op = p->token;
            sg_parser_advance(p);
            bool fits = sg_is_token(p, SG_TOKEN_LPAREN) || sg_is_token(p, SG_TOKEN_RPAREN) ||
                        sg_is_token(p, SG_TOKEN_COMMA) || sg_is_token(p, SG_TOKEN_SEMICOLON) ||
                        sg_is_token(p, SG_TOKEN_RBRACKET);
            if (!fits && !p->panic && op.op == SG_TOKEN_OP_RATIONAL)
                return sg_fail(p, SG_E_SYNTAX, sg_at(p, op.first, op.last),
                               "comments begin with '#', not with '//'");
            if (!fits && !p->panic && op.first && p->lexer.text[op.first] == '*' &&
                p->lexer.text[op.first - 1] == '*')
                return sg_fail(p, SG_E_SYNTAX, sg_at(p, op.first - 1, op.last),
                               "a power is written '^': x^2");
            if (!fits && !p->panic)
                return sg_fail(p, SG_E_SYNTAX, sg_at(p, op.first, op.last),
                               "expected an expression before '%.*s'", (int)(op.last - op.first),
                               p->lexer.text + op.first);
            return node;
        }
        return fail_at_primary(p);
    }
    case SG_TOKEN_LBRACE:
        return sg_fail(p, SG_E_SYNTAX, sg_parser_here(p),
                       "'{' is possible only directly behind a type; arrays are written [..]");
    case SG_TOKEN_END:
    case SG_TOKEN_BEGIN:
        if (p->mode & SG_MODE_INDEX)
            return parse_edge(p);
        break;
    default:
        break;
    }
    if (sg_is_block_keyword((sg_token_kind)p->token.kind)) {
        if (!sg_enter(p)) {
            sg_leave(p);
            return sg_leaf(p, SG_AST_ERROR, p->token.first, p->token.last);
        }
        sg_ast *node = sg_parse_keyword(p);
        sg_leave(p);
        return node;
    }
    return fail_at_primary(p);
}
