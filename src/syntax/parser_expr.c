// Operators, from assignment down to the postfix forms. Each function carries its grammar rule.
#include "syntax/parser_internal.h"

static sg_ast *parse_unary(sg_parser *p);

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// In arrays and macro arguments `a -b` is two elements, `a - b` and `a-b` are one.
static bool begins_element(const sg_parser *p)
{
    return (p->mode & SG_MODE_BLANK) && (p->token.flags & SG_TOKEN_BLANK) &&
           !is_blank(p->lexer.text[p->token.last]);
}

// The binary operator at the present place and its strength, SG_PREC_NONE if there is none.
static sg_prec binary_here(const sg_parser *p)
{
    const sg_token *t = &p->token;
    if (sg_line_ends(p))
        return SG_PREC_NONE;
    if (t->kind == SG_TOKEN_OP) {
        const sg_token_op_info *op = &sg_op_table[t->op];
        if ((op->flags & SG_TOKEN_OP_UNARY) && !(t->flags & SG_TOKEN_DOTTED) && begins_element(p))
            return SG_PREC_NONE;
        return (sg_prec)op->prec;
    }
    if (t->kind == SG_TOKEN_COLON && !(p->mode & SG_MODE_NO_RANGE) && !begins_element(p))
        return SG_PREC_RANGE;
    return SG_PREC_NONE;
}

static sg_ast *infix(sg_parser *p, const sg_token *op, sg_ast *left, sg_ast *right)
{
    size_t base = sg_mark(p);
    sg_push(p, sg_op_leaf(p, (sg_token_op)op->op, op->first, op->last));
    sg_push(p, left);
    sg_push(p, right);
    sg_ast *node = sg_finish(p, SG_AST_CALL, base, left->span.first, right->span.last);
    node->flags |= SG_AST_INFIX;
    if (op->flags & SG_TOKEN_DOTTED)
        node->flags |= SG_AST_DOTTED;
    return node;
}

// { ("+"|"*") operand } as one node: a + b + c.
static sg_ast *parse_nary(sg_parser *p, sg_ast *left, sg_prec prec)
{
    sg_token op = p->token;
    size_t base = sg_mark(p);
    sg_push(p, sg_op_leaf(p, (sg_token_op)op.op, op.first, op.last));
    sg_push(p, left);
    sg_ast *right = left;
    while (binary_here(p) == prec && sg_is_token(p, SG_TOKEN_OP) && p->token.op == op.op &&
           !(p->token.flags & SG_TOKEN_DOTTED)) {
        sg_parser_advance(p);
        right = sg_parse_binary(p, (sg_prec)(prec + 1));
        sg_push(p, right);
    }
    sg_ast *node = sg_finish(p, SG_AST_CALL, base, left->span.first, right->span.last);
    node->flags |= SG_AST_INFIX;
    return node;
}

// cmp = pipe { cmpop pipe }
static sg_ast *parse_comparison(sg_parser *p, sg_ast *left)
{
    sg_token op = p->token;
    sg_parser_advance(p);
    sg_ast *right = sg_parse_binary(p, (sg_prec)(SG_PREC_COMPARE + 1));
    if (binary_here(p) != SG_PREC_COMPARE)
        return infix(p, &op, left, right);
    size_t base = sg_mark(p);
    sg_push(p, left);
    for (;;) {
        sg_ast *name = sg_op_leaf(p, (sg_token_op)op.op, op.first, op.last);
        if (op.flags & SG_TOKEN_DOTTED)
            name->flags |= SG_AST_DOTTED;
        sg_push(p, name);
        sg_push(p, right);
        if (binary_here(p) != SG_PREC_COMPARE)
            break;
        op = p->token;
        sg_parser_advance(p);
        right = sg_parse_binary(p, (sg_prec)(SG_PREC_COMPARE + 1));
    }
    return sg_finish(p, SG_AST_COMPARE, base, left->span.first, right->span.last);
}

// range = sum [ ":" sum [ ":" sum ] ]
static sg_ast *parse_range(sg_parser *p, sg_ast *left)
{
    size_t base = sg_mark(p);
    sg_push(p, left);
    sg_ast *right = left;
    for (int i = 0; i < 2 && sg_is_token(p, SG_TOKEN_COLON) && binary_here(p); i++) {
        sg_parser_advance(p);
        // x[2:] and the like
        if (!sg_starts_expr(p)) {
            sg_push(p, right = sg_fail_expected(p, "the end of the range behind ':'"));
            break;
        }
        right = sg_parse_binary(p, (sg_prec)(SG_PREC_RANGE + 1));
        sg_push(p, right);
    }
    return sg_finish(p, SG_AST_RANGE, base, left->span.first, right->span.last);
}

static sg_ast *parse_logical(sg_parser *p, sg_ast *left, sg_prec prec)
{
    sg_token op = p->token;
    sg_parser_advance(p);
    sg_ast *right = sg_parse_binary(p, prec); // to the right
    if (op.flags & SG_TOKEN_DOTTED)
        return infix(p, &op, left, right);
    return sg_node2(p, prec == SG_PREC_AND ? SG_AST_AND : SG_AST_OR, left, right, left->span.first,
                    right->span.last);
}

// A name or number with a delimiter right behind it is a whole expression. Most are, so they are
// spared the way down through all the levels.
static bool is_alone(const sg_parser *p)
{
    uint8_t kind = p->token.kind;
    if (kind != SG_TOKEN_NAME && kind != SG_TOKEN_FLOAT && kind != SG_TOKEN_INT)
        return false;
    const char *behind = p->lexer.text + p->token.last;
    switch (behind[0]) {
    case ',':
    case ')':
    case ']':
    case ';':
        return true;
    case ' ':
        return behind[1] == '=' && behind[2] == ' ';
    default:
        return false;
    }
}

// or, and, cmp, range, sum, term: operators of at least this strength
sg_ast *sg_parse_binary(sg_parser *p, sg_prec least)
{
    if (is_alone(p))
        return sg_parse_primary(p);
    if (!sg_enter(p)) {
        sg_leave(p);
        return sg_leaf(p, SG_AST_ERROR, p->token.first, p->token.last);
    }
    sg_ast *left = parse_unary(p);
    for (;;) {
        sg_prec prec = binary_here(p);
        if (prec < least || prec == SG_PREC_NONE || prec > SG_PREC_SHIFT)
            break;
        if (prec == SG_PREC_OR || prec == SG_PREC_AND) {
            left = parse_logical(p, left, prec);
        } else if (prec == SG_PREC_COMPARE) {
            left = parse_comparison(p, left);
        } else if (prec == SG_PREC_RANGE) {
            left = parse_range(p, left);
        } else if ((sg_op_table[p->token.op].flags & SG_TOKEN_OP_NARY) &&
                   !(p->token.flags & SG_TOKEN_DOTTED)) {
            left = parse_nary(p, left, prec);
        } else {
            sg_token op = p->token;
            sg_parser_advance(p);
            left = infix(p, &op, left, sg_parse_binary(p, (sg_prec)(prec + 1)));
        }
    }
    sg_leave(p);
    return left;
}

// ---- unary, juxtaposition, power -----------------------------------------------------------

// A minus sign and a number are one literal, unless a power binds the number first: -2^2.
static bool is_negative_literal(const sg_parser *p)
{
    const char *text = p->lexer.text;
    uint32_t at = p->token.last;
    if (p->token.op != SG_TOKEN_OP_MINUS || (p->token.flags & SG_TOKEN_DOTTED) ||
        !((text[at] >= '0' && text[at] <= '9') ||
          (text[at] == '.' && text[at + 1] >= '0' && text[at + 1] <= '9')))
        return false;
    sg_lexer ahead = p->lexer;
    ahead.mute = true;
    sg_lex(&ahead);
    if (text[ahead.pos] == '\'' || text[ahead.pos] == '[')
        return false;
    while (is_blank(text[ahead.pos]) && text[ahead.pos] != '\n')
        ahead.pos++;
    char c = text[ahead.pos];
    return c != '^' && !(c == '.' && text[ahead.pos + 1] == '^');
}

static sg_ast *parse_power(sg_parser *p);
static sg_ast *parse_declarations(sg_parser *p, sg_ast *node);

static bool juxtaposes(const sg_parser *p)
{
    if (p->token.flags & SG_TOKEN_BLANK)
        return false;
    switch (p->last_kind) {
    case SG_TOKEN_INT:
    case SG_TOKEN_FLOAT:
    case SG_TOKEN_FLOAT32:
        return sg_is_token(p, SG_TOKEN_NAME) || sg_is_token(p, SG_TOKEN_LPAREN) ||
               (sg_is_token(p, SG_TOKEN_OP) && p->token.op == SG_TOKEN_OP_ROOT);
    case SG_TOKEN_RPAREN:
    case SG_TOKEN_RBRACKET:
    case SG_TOKEN_TICK:
        return sg_is_token(p, SG_TOKEN_NAME);
    default:
        return false;
    }
}

// juxt = power { ~ power }, behind a number, ")" or "]" only
static sg_ast *juxtapose(sg_parser *p, sg_ast *left)
{
    while (juxtaposes(p)) {
        uint32_t at = p->token.first;
        sg_ast *right = sg_is_token(p, SG_TOKEN_OP) ? parse_unary(p) : parse_power(p);
        size_t base = sg_mark(p);
        sg_push(p, sg_op_leaf(p, SG_TOKEN_OP_TIMES, at, at));
        sg_push(p, left);
        sg_push(p, right);
        left = sg_finish(p, SG_AST_CALL, base, left->span.first, right->span.last);
        left->flags |= SG_AST_INFIX | SG_AST_JUXT;
    }
    return left;
}

static sg_ast *parse_negative(sg_parser *p)
{
    uint32_t first = p->token.first;
    sg_parser_advance(p);
    sg_ast *node = sg_leaf(p, SG_AST_INT, first, p->token.last);
    if (sg_is_token(p, SG_TOKEN_INT)) {
        // The lexer keeps the magnitude of the least integer as that integer itself.
        node->i = p->token.i == INT64_MIN ? INT64_MIN : -p->token.i;
    } else {
        node->kind = sg_is_token(p, SG_TOKEN_FLOAT) ? SG_AST_FLOAT : SG_AST_FLOAT32;
        node->d = -p->token.d;
    }
    sg_parser_advance(p);
    if (sg_is_token(p, SG_TOKEN_DECLARE))
        return parse_declarations(p, node);
    return juxtapose(p, node);
}

// Behind a prefix operator: an operand follows, or else the operator itself is meant, as in
// reduce(+, v).
static bool stands_alone(const sg_parser *p)
{
    switch (p->token.kind) {
    case SG_TOKEN_RPAREN:
    case SG_TOKEN_RBRACKET:
    case SG_TOKEN_RBRACE:
    case SG_TOKEN_COMMA:
    case SG_TOKEN_SEMICOLON:
    case SG_TOKEN_EOF:
    case SG_TOKEN_ASSIGN:
        return true;
    default:
        return sg_line_ends(p) && !sg_starts_expr(p);
    }
}

// unary = ("-"|"+"|"!") unary | juxt
static sg_ast *parse_unary(sg_parser *p)
{
    sg_token op = p->token;
    if (op.kind != SG_TOKEN_OP || !(sg_op_table[op.op].flags & SG_TOKEN_OP_UNARY))
        return juxtapose(p, parse_power(p));
    if (is_negative_literal(p))
        return parse_negative(p);
    sg_parser_advance(p);
    if (stands_alone(p))
        return sg_op_leaf(p, (sg_token_op)op.op, op.first, op.last);
    if (!sg_enter(p)) {
        sg_leave(p);
        return sg_leaf(p, SG_AST_ERROR, op.first, op.last);
    }
    bool call = sg_adjoins(p, SG_TOKEN_LPAREN);
    size_t base = sg_mark(p);
    sg_push(p, sg_op_leaf(p, (sg_token_op)op.op, op.first, op.last));
    sg_ast *operand = parse_unary(p);
    if (call && operand->kind == SG_AST_TUPLE && operand->n > 1 &&
        !(operand->flags & SG_AST_PAREN)) { // +(a, b)
        for (uint32_t i = 0; i < operand->n; i++)
            sg_push(p, operand->kids[i]);
    } else {
        sg_push(p, operand);
    }
    sg_ast *node = sg_finish(p, SG_AST_CALL, base, op.first, operand->span.last);
    if (node->n == 2)
        node->flags |= SG_AST_INFIX;
    if (op.flags & SG_TOKEN_DOTTED)
        node->flags |= SG_AST_DOTTED;
    sg_leave(p);
    return node;
}

// where = "where" ( "{" params "}" | cmp )
static sg_ast *parse_where(sg_parser *p, sg_ast *left)
{
    size_t base = sg_mark(p);
    sg_push(p, left);
    sg_parser_advance(p);
    if (sg_is_token(p, SG_TOKEN_LBRACE)) {
        sg_bracket bracket = sg_open(p, 0);
        while (!sg_is_token(p, SG_TOKEN_RBRACE) && !p->panic) {
            sg_push(p, sg_parse_binary(p, SG_PREC_COMPARE));
            if (!sg_is_token(p, SG_TOKEN_COMMA))
                break;
            sg_parser_advance(p);
        }
        sg_close(p, bracket, SG_TOKEN_RBRACE, "',' or '}'");
    } else {
        sg_push(p, sg_parse_binary(p, SG_PREC_COMPARE));
    }
    return sg_finish(p, SG_AST_WHERE, base, left->span.first, p->last_end);
}

// A block in parentheses turns into parameters when '->' follows: (a; b = 1) -> a + b.
static void push_block_params(sg_parser *p, const sg_ast *block)
{
    sg_push(p, block->kids[0]);
    size_t base = sg_mark(p);
    for (uint32_t i = 1; i < block->n; i++) {
        sg_ast *kid = block->kids[i];
        if (kid->kind == SG_AST_ASSIGN && kid->kids[0]->kind == SG_AST_NAME) {
            sg_ast *kw = sg_node1(p, SG_AST_KW, kid->kids[1], kid->span.first, kid->span.last);
            kw->sym = kid->kids[0]->sym;
            kid = kw;
        }
        sg_push(p, kid);
    }
    sg_push(p, sg_finish(p, SG_AST_PARAMETERS, base, block->span.first, block->span.last));
}

sg_ast *sg_to_lambda(sg_parser *p, sg_ast *params, sg_ast *body)
{
    if (params->kind != SG_AST_TUPLE) {
        size_t base = sg_mark(p);
        if (params->kind == SG_AST_BLOCK && (params->flags & SG_AST_PAREN) && params->n)
            push_block_params(p, params);
        else
            sg_push(p, params);
        params = sg_finish(p, SG_AST_TUPLE, base, params->span.first, params->span.last);
    }
    return sg_node2(p, SG_AST_LAMBDA, params, body, params->span.first, body->span.last);
}

static bool is_parameter(const sg_ast *node)
{
    switch (node->kind) {
    case SG_AST_NAME:
    case SG_AST_TYPED:
    case SG_AST_TUPLE:
    case SG_AST_ERROR:
        return true;
    case SG_AST_BLOCK:
        return (node->flags & SG_AST_PAREN) != 0;
    case SG_AST_SPLAT:
        return (node->flags & SG_AST_PAREN) != 0;
    case SG_AST_ASSIGN: // (x = 1) -> x
        return (node->flags & SG_AST_PAREN) != 0;
    default:
        return false;
    }
}

// "->" expr
static sg_ast *parse_arrow(sg_parser *p, sg_ast *params)
{
    if (!is_parameter(params))
        return sg_fail(p, SG_E_SYNTAX, params->span,
                       "expected parameters before '->': a name or a tuple of names");
    sg_parser_advance(p);
    return sg_to_lambda(p, params, sg_parse_expr(p));
}

// { "::" postfix } { "where" .. } [ "->" expr ] behind an operand
static sg_ast *parse_declarations(sg_parser *p, sg_ast *node)
{
    while (!sg_line_ends(p)) {
        if (sg_is_token(p, SG_TOKEN_DECLARE)) {
            sg_parser_advance(p);
            sg_ast *type = sg_parse_postfix(p);
            node = sg_node2(p, SG_AST_TYPED, node, type, node->span.first, type->span.last);
        } else if (sg_is_token(p, SG_TOKEN_WHERE)) {
            node = parse_where(p, node);
        } else if (sg_is_token(p, SG_TOKEN_ARROW)) {
            return parse_arrow(p, node);
        } else {
            break;
        }
    }
    return node;
}

// typed = [ postfix ] declarations
static sg_ast *parse_declared(sg_parser *p)
{
    if (!sg_is_token(p, SG_TOKEN_DECLARE))
        return parse_declarations(p, sg_parse_postfix(p));
    uint32_t first = p->token.first; // an argument without a name: f(::Int)
    sg_parser_advance(p);
    sg_ast *type = sg_parse_postfix(p);
    return parse_declarations(p, sg_node1(p, SG_AST_TYPED, type, first, type->span.last));
}

// power = typed [ ("^"|".^") unary ]
static sg_ast *parse_power(sg_parser *p)
{
    sg_ast *base = parse_declared(p);
    if (!sg_is_token(p, SG_TOKEN_OP) || p->token.op != SG_TOKEN_OP_POWER || sg_line_ends(p))
        return base;
    sg_token op = p->token;
    sg_parser_advance(p);
    if (!sg_enter(p)) {
        sg_leave(p);
        return base;
    }
    sg_ast *node = infix(p, &op, base, parse_unary(p));
    sg_leave(p);
    return node;
}

// ---- postfix -------------------------------------------------------------------------------

// ~"." ( IDENT | "(" args ")" | ":" operator | "@" macro )
static sg_ast *parse_field(sg_parser *p, sg_ast *object)
{
    uint32_t first = object->span.first;
    sg_parser_advance(p);
    if (p->token.flags & SG_TOKEN_BLANK)
        return sg_fail_expected(p, "the name of a field directly behind '.'");
    if (sg_is_token(p, SG_TOKEN_LPAREN))
        return sg_parse_call(p, object, SG_AST_DOTTED);
    if (sg_is_token(p, SG_TOKEN_AT))
        return sg_parse_macrocall(p, first);
    if (sg_is_token(p, SG_TOKEN_COLON)) { // Base.:| and Base.:(==)
        sg_parser_advance(p);
        bool paren = sg_is_token(p, SG_TOKEN_LPAREN);
        if (paren)
            sg_parser_advance(p);
        if (!sg_is_token(p, SG_TOKEN_OP) && !sg_is_token(p, SG_TOKEN_NAME))
            return sg_fail_expected(p, "an operator or a name behind '.:'");
        sg_ast *node = sg_node1(p, SG_AST_FIELD, object, first, p->token.last);
        node->sym = sg_is_token(p, SG_TOKEN_NAME)
                        ? p->token.sym
                        : sg_op_leaf(p, (sg_token_op)p->token.op, 0, 0)->sym;
        sg_parser_advance(p);
        if (paren) {
            if (!sg_is_token(p, SG_TOKEN_RPAREN))
                return sg_fail_expected(p, "')'");
            sg_parser_advance(p);
        }
        return node;
    }
    sg_sym sym = p->token.sym;
    if (!sg_is_token(p, SG_TOKEN_NAME)) {
        // Keywords may be fields, since nothing else can stand here.
        uint32_t length = sg_lex_name_length(&p->lexer, p->token.first);
        if (!length || p->panic)
            return sg_fail_expected(p, "the name of a field behind '.'");
        sym = sg_lex_intern(&p->lexer, p->token.first, length);
        p->token.kind = SG_TOKEN_NAME;
    }
    sg_ast *node = sg_node1(p, SG_AST_FIELD, object, first, p->token.last);
    node->sym = sym;
    sg_parser_advance(p);
    return node;
}

// postfix = primary { ~"(" args ")" | ~"[" index "]" | ~"{" args "}" | ~"." .. | ~"'" | do-block }
sg_ast *sg_parse_postfix(sg_parser *p)
{
    sg_ast *node = sg_parse_primary(p);
    for (;;) {
        if (sg_is_token(p, SG_TOKEN_DO) && !sg_line_ends(p)) {
            if (node->kind != SG_AST_CALL)
                return sg_fail(p, SG_E_SYNTAX, sg_parser_here(p), "'do' must follow a call");
            node = sg_parse_do(p, node);
            continue;
        }
        if (p->token.flags & SG_TOKEN_BLANK)
            return node;
        switch (p->token.kind) {
        case SG_TOKEN_LPAREN:
            if ((node->kind == SG_AST_INT || node->kind == SG_AST_FLOAT ||
                 node->kind == SG_AST_FLOAT32) &&
                !(node->flags & SG_AST_PAREN))
                return node; // 2(x + 1) is a product
            node = sg_parse_call(p, node, 0);
            break;
        case SG_TOKEN_LBRACKET:
            node = sg_parse_index(p, node);
            break;
        case SG_TOKEN_LBRACE:
            node = sg_parse_braces(p, node);
            break;
        case SG_TOKEN_DOT:
            node = parse_field(p, node);
            break;
        case SG_TOKEN_TICK:
            node = sg_node1(p, SG_AST_ADJOINT, node, node->span.first, p->token.last);
            sg_parser_advance(p);
            break;
        default:
            return node;
        }
    }
}

// ---- assignment, pairs, conditions ---------------------------------------------------------

// cond = or [ "?" expr ":" expr ]
static sg_ast *parse_cond(sg_parser *p)
{
    sg_ast *condition = sg_parse_binary(p, SG_PREC_OR);
    if (!sg_is_token(p, SG_TOKEN_QUESTION) || sg_line_ends(p))
        return condition;
    sg_span question = sg_parser_here(p);
    if (!sg_enter(p)) {
        sg_leave(p);
        return condition;
    }
    uint8_t mode = p->mode;
    p->mode |= SG_MODE_NO_RANGE;
    p->mode &= (uint8_t)~SG_MODE_BLANK;
    sg_parser_advance(p);
    size_t base = sg_mark(p);
    sg_push(p, condition);
    sg_push(p, sg_parse_expr(p));
    p->mode = mode;
    if (!sg_is_token(p, SG_TOKEN_COLON)) {
        size_t errors = p->diags->n_errors;
        if (!p->panic)
            sg_fail_expected(p, "':' and the value for false");
        sg_fail_note(p, errors, question, "of this '?'");
        p->stack.len = base;
        sg_leave(p);
        return condition;
    }
    sg_parser_advance(p);
    sg_ast *otherwise = sg_parse_expr(p);
    sg_push(p, otherwise);
    sg_ast *node = sg_finish(p, SG_AST_IF, base, condition->span.first, otherwise->span.last);
    node->flags |= SG_AST_TERNARY;
    sg_leave(p);
    return node;
}

// pair = cond [ "=>" pair ] [ "..." ]
sg_ast *sg_parse_pair(sg_parser *p)
{
    if (is_alone(p))
        return sg_parse_primary(p);
    sg_ast *left = parse_cond(p);
    if (sg_is_token(p, SG_TOKEN_OP) && p->token.op == SG_TOKEN_OP_PAIR && !sg_line_ends(p)) {
        sg_token op = p->token;
        sg_parser_advance(p);
        if (sg_enter(p))
            left = infix(p, &op, left, sg_parse_pair(p));
        sg_leave(p);
    }
    if (sg_is_token(p, SG_TOKEN_ELLIPSIS) && !sg_line_ends(p)) {
        left = sg_node1(p, SG_AST_SPLAT, left, left->span.first, p->token.last);
        sg_parser_advance(p);
    }
    return left;
}

// The call inside f(x)::T where {T}, or null.
static const sg_ast *signature_call(const sg_ast *node)
{
    while (node->n && (node->kind == SG_AST_WHERE || (node->kind == SG_AST_TYPED && node->n == 2)))
        node = node->kids[0];
    if (node->kind != SG_AST_CALL || (node->flags & SG_AST_DOTTED))
        return NULL;
    bool typed = !(node->flags & SG_AST_INFIX);
    for (uint32_t i = 1; i < node->n && !typed; i++) // a::T + b::T = ..
        typed = node->kids[i]->kind == SG_AST_TYPED;
    return typed ? node : NULL;
}

static bool is_target(const sg_parser *p, const sg_ast *node)
{
    switch (node->kind) {
    case SG_AST_NAME:
    case SG_AST_FIELD:
    case SG_AST_INDEX:
    case SG_AST_TYPED:
    case SG_AST_CURLY:
    case SG_AST_INTERPOLATE:
    case SG_AST_ERROR:
    case SG_AST_MACROCALL:
        return true;
    case SG_AST_TUPLE:
        for (uint32_t i = 0; i < node->n; i++)
            if (node->kids[i]->kind != SG_AST_SPLAT && node->kids[i]->kind != SG_AST_PARAMETERS &&
                !is_target(p, node->kids[i]))
                return false;
        return true;
    default:
        return false;
    }
}

static sg_ast *make_assignment(sg_parser *p, const sg_token *op, sg_ast *left, sg_ast *right)
{
    uint32_t first = left->span.first, last = right->span.last;
    bool equation = p->quotes > 0 || ((p->mode & SG_MODE_ARRAY) && op->kind == SG_TOKEN_ASSIGN);
    sg_ast *node;
    if (op->kind == SG_TOKEN_OPASSIGN) {
        node = sg_node2(p, SG_AST_OPASSIGN, left, right, first, last);
        node->sym = sg_op_leaf(p, (sg_token_op)op->op, 0, 0)->sym;
    } else if (!equation && !(op->flags & SG_TOKEN_DOTTED) && signature_call(left)) {
        return sg_node2(p, SG_AST_FUNCTION, left, right, first, last);
    } else {
        node = sg_node2(p, SG_AST_ASSIGN, left, right, first, last);
    }
    if (op->flags & SG_TOKEN_DOTTED)
        node->flags |= SG_AST_DOTTED;
    // An equation may have any left side; an assignment needs something to assign to.
    if (!equation && !(op->flags & SG_TOKEN_DOTTED) && !is_target(p, left) && !p->panic) {
        bool number = left->kind == SG_AST_INT || left->kind == SG_AST_FLOAT;
        return sg_fail(p, SG_E_SYNTAX, left->span, "%s cannot be assigned to%s",
                       number ? "a number" : "this expression",
                       op->kind == SG_TOKEN_ASSIGN ? "; a comparison is written '=='" : "");
    }
    return node;
}

static bool assigns(const sg_parser *p)
{
    return (sg_is_token(p, SG_TOKEN_ASSIGN) || sg_is_token(p, SG_TOKEN_OPASSIGN)) &&
           !sg_line_ends(p);
}

// [ assignop right ] behind what it may be assigned to.
static sg_ast *parse_assignment(sg_parser *p, sg_ast *left, sg_ast *(*right)(sg_parser *p))
{
    if (!assigns(p))
        return left;
    sg_token op = p->token;
    sg_parser_advance(p);
    sg_ast *node = sg_enter(p) ? make_assignment(p, &op, left, right(p)) : left;
    sg_leave(p);
    return node;
}

// expr = pair [ assignop expr ]
sg_ast *sg_parse_expr(sg_parser *p) { return parse_assignment(p, sg_parse_pair(p), sg_parse_expr); }

// expr-or-tuple = expr [ "," expr {"," expr} ] [ "=" expr-or-tuple ]
sg_ast *sg_parse_expr_or_tuple(sg_parser *p)
{
    sg_ast *left = sg_parse_pair(p);
    if (sg_is_token(p, SG_TOKEN_COMMA)) {
        size_t base = sg_mark(p);
        sg_push(p, left);
        while (sg_is_token(p, SG_TOKEN_COMMA)) {
            sg_parser_advance(p);
            if (assigns(p))
                break; // a, = f()
            sg_push(p, sg_parse_pair(p));
        }
        left = sg_finish(p, SG_AST_TUPLE, base, left->span.first, p->last_end);
    }
    return parse_assignment(p, left, sg_parse_expr_or_tuple);
}

bool sg_starts_expr(const sg_parser *p)
{
    switch (p->token.kind) {
    case SG_TOKEN_EOF:
    case SG_TOKEN_STOP:
    case SG_TOKEN_RPAREN:
    case SG_TOKEN_RBRACKET:
    case SG_TOKEN_RBRACE:
    case SG_TOKEN_COMMA:
    case SG_TOKEN_SEMICOLON:
    case SG_TOKEN_DOT:
    case SG_TOKEN_QUESTION:
    case SG_TOKEN_ARROW:
    case SG_TOKEN_ELLIPSIS:
    case SG_TOKEN_ASSIGN:
    case SG_TOKEN_OPASSIGN:
    case SG_TOKEN_CATCH:
    case SG_TOKEN_DO:
    case SG_TOKEN_ELSE:
    case SG_TOKEN_ELSEIF:
    case SG_TOKEN_FINALLY:
    case SG_TOKEN_WHERE:
        return false;
    case SG_TOKEN_END:
        return (p->mode & SG_MODE_INDEX) != 0;
    case SG_TOKEN_OP:
        return (sg_op_table[p->token.op].flags & SG_TOKEN_OP_UNARY) != 0;
    default:
        return true;
    }
}
