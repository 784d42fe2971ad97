// Array literals, indices, comprehensions and generators. The layout rules are those of
// language.md 1.7: blanks separate columns, newlines and ';' rows, ';;' and ';;;' further
// dimensions.
#include "syntax/parser_internal.h"

// How strongly a separator divides; blanks bind their neighbors closest.
typedef enum array_level {
    ELEMENT,
    BY_BLANK,
    BY_ROW,
    BY_COLUMN
} array_level; // BY_COLUMN + k is ';;' and on

enum { MAX_DIMENSION = 4 };

// The separator at the present place, ELEMENT if the literal ends or goes on otherwise.
static int separator(sg_parser *p)
{
    // Another closing bracket: this one is missing, and who closes it says so.
    if (sg_is_token(p, SG_TOKEN_RBRACKET) || sg_is_token(p, SG_TOKEN_RPAREN) ||
        sg_is_token(p, SG_TOKEN_RBRACE) || sg_is_token(p, SG_TOKEN_EOF) || p->panic)
        return ELEMENT;
    if (sg_is_token(p, SG_TOKEN_SEMICOLON)) {
        int n = 0;
        do {
            n++;
            sg_parser_advance(p);
        } while (sg_adjoins(p, SG_TOKEN_SEMICOLON));
        return BY_BLANK + n;
    }
    if (p->token.flags & SG_TOKEN_NEWLINE)
        return BY_ROW;
    if ((p->token.flags & SG_TOKEN_BLANK) && sg_starts_expr(p))
        return BY_BLANK;
    return ELEMENT;
}

// Elements [from, to) of the stack, each with the separator behind it. `top` keeps a node even
// around a single part: [a;;] is a matrix.
static sg_ast *build(sg_parser *p, size_t from, size_t to, const uint8_t *seps, int at, bool top)
{
    if (at == ELEMENT)
        return p->stack.data[from];
    size_t base = sg_mark(p);
    uint32_t first = p->stack.data[from]->span.first;
    uint32_t last = p->stack.data[to - 1]->span.last;
    for (size_t i = from; i < to;) {
        size_t end = i;
        while (end + 1 < to && seps[end - from] < at)
            end++;
        sg_ast *part = build(p, i, end + 1, seps + (i - from), at - 1, false);
        // Directly in a matrix the parts are its rows; a part of one element is that element.
        if (at == BY_ROW && end > i && part->kind == SG_AST_HCAT)
            part->kind = SG_AST_ROW;
        sg_push(p, part);
        i = end + 1;
    }
    if (p->failed)
        return &p->nowhere;
    if (p->stack.len == base + 1 && !top) {
        sg_ast *only = p->stack.data[base];
        p->stack.len = base;
        if (only->kind == SG_AST_ROW)
            only->kind = SG_AST_HCAT;
        return only;
    }
    sg_ast_kind kind = at == BY_BLANK ? SG_AST_HCAT : at == BY_ROW ? SG_AST_VCAT : SG_AST_NCAT;
    sg_ast *node = sg_finish(p, kind, base, first, last);
    if (kind == SG_AST_NCAT)
        node->dimension = (uint32_t)(at - BY_BLANK);
    return node;
}

// { separator element }: at the first separator that is not a comma, with one element on the stack
static sg_ast *parse_rows(sg_parser *p, size_t base)
{
    size_t seps = p->seps.len;
    int highest = ELEMENT;
    while (!p->panic) {
        int sep = separator(p);
        if (sep > BY_BLANK + MAX_DIMENSION) {
            sg_fail(p, SG_E_SYNTAX, sg_parser_here(p), "arrays have at most %d dimensions",
                    (int)MAX_DIMENSION);
            break;
        }
        if (sep != ELEMENT && !SG_PUSH(p->arena->allocator, &p->seps, (uint8_t)sep))
            p->failed = true;
        if (sep > highest)
            highest = sep;
        if (sep == ELEMENT || sg_is_token(p, SG_TOKEN_RBRACKET) || p->failed)
            break;
        sg_push(p, sg_parse_expr(p));
        if (sg_is_token(p, SG_TOKEN_COMMA))
            sg_fail(p, SG_E_SYNTAX, sg_parser_here(p),
                    "',' does not go together with rows; use either commas, or blanks and "
                    "newlines (or ';')");
    }
    if (p->failed || highest == ELEMENT) {
        p->seps.len = seps;
        if (p->failed)
            return &p->nowhere;
        p->stack.len = base;
        return p->stack.data[base];
    }
    sg_ast *node = build(p, base, p->stack.len, p->seps.data + seps, highest, true);
    p->seps.len = seps;
    p->stack.len = p->failed ? p->stack.len : base;
    return node;
}

// What stands between '[' and ']': VECT, HCAT, VCAT, NCAT or COMPREHENSION.
static sg_ast *parse_inside(sg_parser *p)
{
    size_t base = sg_mark(p);
    uint32_t first = p->token.first;
    if (sg_is_token(p, SG_TOKEN_RBRACKET))
        return sg_leaf(p, SG_AST_VECT, first, first);
    while (sg_is_token(p, SG_TOKEN_SEMICOLON)) // [;] and [;;]: nothing, in more dimensions
        sg_parser_advance(p);
    if (sg_is_token(p, SG_TOKEN_RBRACKET))
        return sg_leaf(p, SG_AST_VECT, first, first);
    sg_ast *element = sg_parse_expr(p);
    if (sg_is_token(p, SG_TOKEN_FOR)) {
        sg_ast *generator = sg_parse_generator(p, element);
        return sg_node1(p, SG_AST_COMPREHENSION, generator, first, p->last_end);
    }
    sg_push(p, element);
    if (!sg_is_token(p, SG_TOKEN_COMMA) && !sg_is_token(p, SG_TOKEN_RBRACKET))
        return parse_rows(p, base);
    while (sg_is_token(p, SG_TOKEN_COMMA)) {
        sg_parser_advance(p);
        if (sg_is_token(p, SG_TOKEN_RBRACKET))
            break;
        sg_push(p, sg_parse_expr(p));
    }
    return sg_finish(p, SG_AST_VECT, base, first, p->last_end);
}

// [1, 3 -4]: a prefix operator where a comma is missing, or a blank too few.
static void fail_at_prefix(sg_parser *p, const sg_ast *inside)
{
    if (inside->kind != SG_AST_VECT || !sg_is_token(p, SG_TOKEN_OP) || sg_line_ends(p))
        return;
    sg_fail(p, SG_E_SYNTAX, sg_parser_here(p),
            "the blank before '%s' begins a new element here; write it with blanks on both sides "
            "or none",
            sg_op_table[p->token.op].text);
}

// [1, 2; 3, 4]
static void fail_at_row(sg_parser *p, const sg_ast *inside)
{
    if (inside->kind == SG_AST_VECT && inside->n > 1 && sg_is_token(p, SG_TOKEN_SEMICOLON) &&
        !p->panic)
        sg_fail(p, SG_E_SYNTAX, sg_parser_here(p),
                "the elements of a row have blanks between them, not commas: [1 2; 3 4]");
}

static const char *expected_in_array(const sg_ast *inside)
{
    return inside->kind == SG_AST_VECT && inside->n > 1 ? "',' or ']'" : "a separator or ']'";
}

// array = "[" .. "]"
sg_ast *sg_parse_array(sg_parser *p)
{
    uint8_t outer = p->mode & SG_MODE_INDEX; // x[[1, end]]
    sg_bracket bracket = sg_open(p, SG_MODE_NEWLINE | SG_MODE_BLANK | SG_MODE_ARRAY | outer);
    sg_ast *node = parse_inside(p);
    fail_at_prefix(p, node);
    fail_at_row(p, node);
    sg_close(p, bracket, SG_TOKEN_RBRACKET, expected_in_array(node));
    if (node->kind == SG_AST_ERROR)
        return node;
    node->span = sg_at(p, bracket.first, p->last_end);
    return node;
}

// array ~"[" index "]"; with blanks or rows inside, a typed array: Float64[1 2; 3 4]
sg_ast *sg_parse_index(sg_parser *p, sg_ast *array)
{
    sg_bracket bracket = sg_open(p, SG_MODE_NEWLINE | SG_MODE_BLANK | SG_MODE_INDEX);
    sg_ast *inside = parse_inside(p);
    sg_close(p, bracket, SG_TOKEN_RBRACKET, expected_in_array(inside));
    uint32_t first = array->span.first;
    if (inside->kind != SG_AST_VECT) {
        inside->span = sg_at(p, bracket.first, p->last_end);
        return sg_node2(p, SG_AST_TYPED_ARRAY, array, inside, first, p->last_end);
    }
    size_t base = sg_mark(p);
    sg_push(p, array);
    for (uint32_t i = 0; i < inside->n; i++)
        sg_push(p, inside->kids[i]);
    return sg_finish(p, SG_AST_INDEX, base, first, p->last_end);
}

// ---- iteration -----------------------------------------------------------------------------

// forspec = ( IDENT | "(" IDENT {"," IDENT} ")" ) ( "in" | "=" ) expr
sg_ast *sg_parse_iter(sg_parser *p)
{
    sg_ast *target = sg_parse_postfix(p);
    if (target->kind == SG_AST_NAME && sg_is_token(p, SG_TOKEN_NAME) &&
        sg_is_name(p, target, "outer") && !sg_line_ends(p))
        target = sg_parse_postfix(p);
    if (sg_is_token(p, SG_TOKEN_DECLARE)) { // for x::T in r
        sg_parser_advance(p);
        sg_ast *type = sg_parse_postfix(p);
        target = sg_node2(p, SG_AST_TYPED, target, type, target->span.first, type->span.last);
    }
    bool in = sg_is_token(p, SG_TOKEN_OP) &&
              (p->token.op == SG_TOKEN_OP_IN || p->token.op == SG_TOKEN_OP_IN_SIGN);
    if (!in && !sg_is_token(p, SG_TOKEN_ASSIGN))
        return sg_fail_expected(p, "'in' or '=' behind the name in 'for'");
    if (target->kind != SG_AST_NAME && target->kind != SG_AST_TUPLE &&
        target->kind != SG_AST_TYPED && target->kind != SG_AST_ERROR)
        return sg_fail(p, SG_E_SYNTAX, target->span,
                       "expected a name or a tuple of names behind 'for'");
    sg_parser_advance(p);
    uint8_t mode = p->mode;
    p->mode &= (uint8_t)~SG_MODE_BLANK;
    sg_ast *range = sg_parse_pair(p);
    p->mode = mode;
    return sg_node2(p, SG_AST_ITER, target, range, target->span.first, range->span.last);
}

// expr { "for" forspec {"," forspec} [ "if" cond ] }
sg_ast *sg_parse_generator(sg_parser *p, sg_ast *expr)
{
    uint32_t first = expr->span.first;
    if (!sg_enter(p)) {
        sg_leave(p);
        return sg_leaf(p, SG_AST_ERROR, first, first);
    }
    // The body comes first in the text but belongs to the innermost loop.
    size_t base = sg_mark(p);
    uint8_t mode = p->mode;
    p->mode &= (uint8_t) ~(SG_MODE_NEWLINE | SG_MODE_BLANK);
    sg_push(p, expr);
    do {
        sg_parser_advance(p);
        sg_push(p, sg_parse_iter(p));
    } while (sg_is_token(p, SG_TOKEN_COMMA) && !p->panic);
    if (sg_is_token(p, SG_TOKEN_IF)) {
        uint32_t at = p->token.first;
        sg_parser_advance(p);
        sg_ast *condition = sg_parse_pair(p);
        sg_push(p, sg_node1(p, SG_AST_FILTER, condition, at, condition->span.last));
    }
    bool nested = sg_is_token(p, SG_TOKEN_FOR);
    if (nested) {
        sg_ast *inner = sg_parse_generator(p, expr); // may move the stack
        if (!p->failed)
            p->stack.data[base] = inner;
    }
    p->mode = mode;
    sg_ast *node = sg_finish(p, SG_AST_GENERATOR, base, first, p->last_end);
    if (nested)
        node->flags |= SG_AST_FLATTEN;
    sg_leave(p);
    return node;
}
