// What modules take from others and offer: using, import, export.
#include "syntax/parser_internal.h"

// name = IDENT | "@" IDENT | operator
static sg_ast *parse_imported(sg_parser *p)
{
    uint32_t first = p->token.first;
    if (sg_is_token(p, SG_TOKEN_COLON)) // import Base: :+
        sg_parser_advance(p);
    if (sg_is_token(p, SG_TOKEN_AT)) {
        sg_parser_advance(p);
        if (!sg_is_token(p, SG_TOKEN_NAME))
            return sg_fail_expected(p, "the name of a macro behind '@'");
        sg_sym sym =
            sg_sym_intern(p->symbols, p->lexer.text + first, (size_t)(p->token.last - first));
        sg_ast *node = sg_name_leaf(p, sym, first, p->token.last);
        sg_parser_advance(p);
        return node;
    }
    if (!sg_is_token(p, SG_TOKEN_NAME) && !sg_is_token(p, SG_TOKEN_OP))
        return sg_fail_expected(p, "a name");
    sg_ast *node = sg_is_token(p, SG_TOKEN_NAME)
                       ? sg_name_leaf(p, p->token.sym, p->token.first, p->token.last)
                       : sg_op_leaf(p, (sg_token_op)p->token.op, p->token.first, p->token.last);
    sg_parser_advance(p);
    return node;
}

// [ "as" IDENT ]
static bool parse_as(sg_parser *p, sg_sym *sym)
{
    if (!sg_at_word(p, "as") || sg_line_ends(p))
        return false;
    sg_parser_advance(p);
    *sym = parse_imported(p)->sym;
    return true;
}

// path = {"."} name {"." name} [ "as" name ]
static sg_ast *parse_path(sg_parser *p)
{
    size_t base = sg_mark(p);
    uint32_t first = p->token.first;
    while (sg_is_token(p, SG_TOKEN_DOT) || sg_is_token(p, SG_TOKEN_ELLIPSIS))
        sg_parser_advance(p);
    if (p->token.first > first && !p->panic)
        sg_push(p, sg_name_leaf(p,
                                sg_sym_intern(p->symbols, p->lexer.text + first,
                                              (size_t)(p->last_end - first)),
                                first, p->last_end));
    sg_push(p, parse_imported(p));
    while (sg_adjoins(p, SG_TOKEN_DOT)) {
        sg_parser_advance(p);
        sg_push(p, parse_imported(p));
    }
    sg_sym alias = {0};
    parse_as(p, &alias);
    if (sg_is_token(p, SG_TOKEN_COLON) && !sg_line_ends(p)) {
        size_t names = sg_mark(p);
        uint32_t at = p->token.first;
        do {
            sg_parser_advance(p);
            sg_ast *name = parse_imported(p);
            sg_sym as = {0};
            if (parse_as(p, &as)) {
                name = sg_node1(p, SG_AST_KW, name, name->span.first, p->last_end);
                name->sym = as;
            }
            sg_push(p, name);
        } while (sg_is_token(p, SG_TOKEN_COMMA));
        sg_push(p, sg_finish(p, SG_AST_TUPLE, names, at, p->last_end));
    }
    sg_ast *node = sg_finish(p, SG_AST_PATH, base, first, p->last_end);
    node->sym = alias;
    return node;
}

// using = ("using"|"import") path ( ":" name {"," name} | {"," path} )
sg_ast *sg_parse_using(sg_parser *p)
{
    sg_ast_kind kind = sg_is_token(p, SG_TOKEN_USING) ? SG_AST_USING : SG_AST_IMPORT;
    uint32_t first = p->token.first;
    size_t base = sg_mark(p);
    do {
        sg_parser_advance(p);
        sg_push(p, parse_path(p));
    } while (sg_is_token(p, SG_TOKEN_COMMA));
    return sg_finish(p, kind, base, first, p->last_end);
}

// export = "export" name {"," name}
sg_ast *sg_parse_export(sg_parser *p)
{
    uint32_t first = p->token.first;
    size_t base = sg_mark(p);
    do {
        sg_parser_advance(p);
        sg_push(p, parse_imported(p));
    } while (sg_is_token(p, SG_TOKEN_COMMA));
    return sg_finish(p, SG_AST_EXPORT, base, first, p->last_end);
}
