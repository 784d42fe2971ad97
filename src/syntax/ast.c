#include "syntax/ast.h"

#include "base/digits.h"
#include "syntax/lexer.h"

#include <math.h>
#include <string.h>

const char *sg_ast_kind_name(sg_ast_kind kind)
{
    static const char *const names[SG_AST_COUNT] = {
#define SG_AST_KIND(name, text, children) text,
#include "syntax/ast_kinds.h"
#undef SG_AST_KIND
    };
    return (unsigned)kind < SG_AST_COUNT ? names[kind] : "?";
}

// ---- which payload a kind has --------------------------------------------------------------

typedef enum payload {
    P_NONE,
    P_INT,
    P_DIMENSION,
    P_FLOAT,
    P_SYM,
    P_TEXT,
    P_VALUE,
    P_MACRO
} payload;

static payload payload_of(const sg_ast *ast)
{
    switch (ast->kind) {
    case SG_AST_INT:
    case SG_AST_BOOL:
    case SG_AST_CHAR:
        return P_INT;
    case SG_AST_NCAT:
        return P_DIMENSION;
    case SG_AST_FLOAT:
    case SG_AST_FLOAT32:
        return P_FLOAT;
    case SG_AST_NAME:
    case SG_AST_SYMBOL:
    case SG_AST_FIELD:
    case SG_AST_KW:
    case SG_AST_OPASSIGN:
    case SG_AST_MACROCALL:
    case SG_AST_MODULE:
    case SG_AST_PATH:
        return P_SYM;
    case SG_AST_STRING:
        return P_TEXT;
    case SG_AST_VALUE:
        return P_VALUE;
    case SG_AST_STRMACRO:
        return P_MACRO;
    default:
        return P_NONE;
    }
}

// ---- copying and comparing -----------------------------------------------------------------

static sg_text copy_text(sg_arena *arena, sg_text text)
{
    if (!text.bytes)
        return text;
    const char *copy = sg_arena_text(arena, text.bytes, text.len);
    return copy ? (sg_text){copy, text.len} : (sg_text){"", 0};
}

sg_ast *sg_ast_copy(sg_arena *arena, const sg_ast *ast)
{
    sg_ast *node = SG_NEW(arena, sg_ast);
    if (!node)
        return NULL;
    *node = *ast;
    if (ast->kind == SG_AST_STRING || ast->kind == SG_AST_STRMACRO)
        node->text = copy_text(arena, ast->text);
    if (ast->n) {
        node->kids = SG_NEW_ARRAY(arena, sg_ast *, ast->n);
        for (uint32_t i = 0; i < ast->n; i++)
            if (!node->kids || !(node->kids[i] = sg_ast_copy(arena, ast->kids[i])))
                return NULL;
    }
    return node;
}

static bool same_text(sg_text a, sg_text b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.bytes, b.bytes, a.len) == 0);
}

static bool same_payload(const sg_ast *a, const sg_ast *b)
{
    switch (payload_of(a)) {
    case P_INT:
        return a->i == b->i;
    case P_DIMENSION:
        return a->dimension == b->dimension;
    case P_FLOAT:
        return a->d == b->d || (isnan(a->d) && isnan(b->d));
    case P_SYM:
        return sg_sym_equal(a->sym, b->sym);
    case P_TEXT:
        return same_text(a->text, b->text);
    case P_VALUE:
        return sg_value_identical(a->value, b->value);
    case P_MACRO:
        return sg_sym_equal(a->sym, b->sym) && same_text(a->text, b->text);
    case P_NONE:
        break;
    }
    return true;
}

bool sg_ast_equal(const sg_ast *a, const sg_ast *b)
{
    const int counts = SG_AST_DOTTED | SG_AST_MUTABLE | SG_AST_FLATTEN;
    if (a == b)
        return true;
    if (a->kind != b->kind || a->n != b->n || (a->flags & counts) != (b->flags & counts) ||
        !same_payload(a, b))
        return false;
    for (uint32_t i = 0; i < a->n; i++)
        if (!sg_ast_equal(a->kids[i], b->kids[i]))
            return false;
    return true;
}

// ---- validating ----------------------------------------------------------------------------

typedef struct node_shape {
    uint32_t least, most; // children
} node_shape;

static node_shape shape_of(const sg_ast *ast)
{
    const uint32_t any = UINT32_MAX;
    switch (ast->kind) {
    case SG_AST_QUOTE:
    case SG_AST_INTERPOLATE:
    case SG_AST_SPLAT:
    case SG_AST_FIELD:
    case SG_AST_ADJOINT:
    case SG_AST_COMPREHENSION:
    case SG_AST_FILTER:
    case SG_AST_ABSTRACT:
    case SG_AST_MODULE:
    case SG_AST_CONST:
    case SG_AST_GLOBAL:
    case SG_AST_LOCAL:
        return (node_shape){1, 1};
    case SG_AST_ITER:
    case SG_AST_AND:
    case SG_AST_OR:
    case SG_AST_ASSIGN:
    case SG_AST_OPASSIGN:
    case SG_AST_LAMBDA:
    case SG_AST_DO:
    case SG_AST_FUNCTION:
    case SG_AST_MACRODEF:
    case SG_AST_STRUCT:
    case SG_AST_WHILE:
    case SG_AST_DOC:
    case SG_AST_TYPED_ARRAY:
        return (node_shape){2, 2};
    case SG_AST_TRY:
        return (node_shape){4, 4};
    case SG_AST_KW:
    case SG_AST_TYPED:
        return (node_shape){1, 2};
    case SG_AST_RETURN:
        return (node_shape){0, 1};
    case SG_AST_RANGE:
    case SG_AST_IF:
        return (node_shape){2, 3};
    case SG_AST_COMPARE:
        return (node_shape){5, any};
    case SG_AST_GENERATOR:
    case SG_AST_FOR:
        return (node_shape){2, any};
    case SG_AST_INTERP_STRING:
    case SG_AST_CALL:
    case SG_AST_INDEX:
    case SG_AST_CURLY:
    case SG_AST_VCAT:
    case SG_AST_HCAT:
    case SG_AST_NCAT:
    case SG_AST_ROW:
    case SG_AST_WHERE:
    case SG_AST_LET:
    case SG_AST_USING:
    case SG_AST_IMPORT:
    case SG_AST_PATH:
    case SG_AST_EXPORT:
        return (node_shape){1, any};
    case SG_AST_PARAMETERS:
    case SG_AST_TUPLE:
    case SG_AST_VECT:
    case SG_AST_MACROCALL:
    case SG_AST_BLOCK:
        return (node_shape){0, any};
    default:
        return (node_shape){0, 0};
    }
}

static bool is_kind(const sg_ast *ast, sg_ast_kind kind)
{
    return ast->kind == kind || ast->kind == SG_AST_ERROR;
}

// Kinds of children where only certain ones make sense.
static bool kids_fit(const sg_ast *ast)
{
    sg_ast *const *kids = ast->kids;
    switch (ast->kind) {
    case SG_AST_COMPREHENSION:
        return is_kind(kids[0], SG_AST_GENERATOR);
    case SG_AST_GENERATOR:
        return is_kind(kids[1], SG_AST_ITER) &&
               (!(ast->flags & SG_AST_FLATTEN) || is_kind(kids[0], SG_AST_GENERATOR));
    case SG_AST_LAMBDA:
        return is_kind(kids[0], SG_AST_TUPLE);
    case SG_AST_DO:
        return is_kind(kids[1], SG_AST_LAMBDA);
    case SG_AST_MODULE:
        return is_kind(kids[0], SG_AST_BLOCK);
    case SG_AST_STRUCT:
    case SG_AST_WHILE:
        return is_kind(kids[1], SG_AST_BLOCK);
    case SG_AST_FOR:
        return is_kind(kids[0], SG_AST_ITER) && is_kind(kids[ast->n - 1], SG_AST_BLOCK);
    case SG_AST_COMPARE:
        for (uint32_t i = 1; i < ast->n; i += 2)
            if (!is_kind(kids[i], SG_AST_NAME))
                return false;
        return ast->n % 2 == 1;
    default:
        return true;
    }
}

bool sg_ast_validate(const sg_ast *ast)
{
    if (!ast || ast->kind >= SG_AST_COUNT || ast->height > SG_AST_MAX_HEIGHT || !ast->height)
        return false;
    if (ast->span.first > ast->span.last)
        return false;
    node_shape allowed = shape_of(ast);
    if (ast->n < allowed.least || ast->n > allowed.most)
        return false;
    for (uint32_t i = 0; i < ast->n; i++)
        if (!ast->kids[i] || ast->kids[i]->height >= ast->height || !sg_ast_validate(ast->kids[i]))
            return false;
    return kids_fit(ast);
}

// ---- dumping -------------------------------------------------------------------------------

static void dump_text(sg_text text, sg_buf *out)
{
    sg_buf_putc(out, '"');
    for (uint32_t i = 0; i < text.len; i++) {
        char c = text.bytes[i];
        if (c == '\n')
            sg_buf_puts(out, "\\n");
        else if ((unsigned char)c < 0x20)
            sg_buf_printf(out, "\\x%02x", (unsigned)(unsigned char)c);
        else
            sg_buf_putc(out, c);
    }
    sg_buf_putc(out, '"');
}

static void dump_payload(const sg_symbols *symbols, const sg_ast *ast, sg_buf *out)
{
    char number[32];
    switch (payload_of(ast)) {
    case P_INT:
        sg_buf_printf(out, " %lld", (long long)ast->i);
        break;
    case P_DIMENSION:
        sg_buf_printf(out, " %u", (unsigned)ast->dimension);
        break;
    case P_FLOAT:
        sg_buf_putc(out, ' ');
        sg_buf_add(out, number, sg_format_shortest(ast->d, number));
        break;
    case P_SYM:
        if (ast->sym.i)
            sg_buf_printf(out, " %s", sg_sym_text(symbols, ast->sym));
        break;
    case P_TEXT:
        sg_buf_putc(out, ' ');
        dump_text(ast->text, out);
        break;
    case P_MACRO:
        sg_buf_printf(out, " %s ", sg_sym_text(symbols, ast->sym));
        dump_text(ast->text, out);
        break;
    case P_VALUE:
        sg_buf_printf(out, " tag %u", (unsigned)ast->value.tag);
        break;
    case P_NONE:
        break;
    }
}

static void dump_node(const sg_symbols *symbols, const sg_ast *ast, size_t depth, sg_buf *out)
{
    static const struct {
        int flag;
        const char *text;
    } flags[] = {{SG_AST_INFIX, " infix"},     {SG_AST_JUXT, " juxtaposed"},
                 {SG_AST_DOTTED, " dotted"},   {SG_AST_PAREN, " paren"},
                 {SG_AST_TERNARY, " ternary"}, {SG_AST_MUTABLE, " mutable"},
                 {SG_AST_FLATTEN, " flatten"}};
    sg_buf_pad(out, ' ', 2 * depth);
    sg_buf_puts(out, sg_ast_kind_name((sg_ast_kind)ast->kind));
    dump_payload(symbols, ast, out);
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        if (ast->flags & flags[i].flag)
            sg_buf_puts(out, flags[i].text);
    sg_buf_printf(out, " @%u:%u\n", ast->span.first, ast->span.last);
    for (uint32_t i = 0; i < ast->n; i++)
        dump_node(symbols, ast->kids[i], depth + 1, out);
}

void sg_ast_dump(const sg_symbols *symbols, const sg_ast *ast, sg_buf *out)
{
    dump_node(symbols, ast, 0, out);
}
