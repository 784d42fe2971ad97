#include "syntax/parser.h"

#include "base/assert.h"
#include "syntax/parser_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Nodes are taken from the arena by the chunk, which costs less than one by one.
enum { DEFAULT_DEPTH = 1000, CHUNK = 4096 };

// ---- tokens --------------------------------------------------------------------------------

void sg_parser_advance(sg_parser *p)
{
    if (p->panic)
        return;
    p->last_kind = p->token.kind;
    p->last_end = p->token.last;
    p->token = sg_lex(&p->lexer);
    if (p->token.kind == SG_TOKEN_STOP) { // reported by the lexer
        p->panic = true;
        p->stopped = p->token;
        p->stopped_brackets = p->brackets;
    }
    if (p->lexer.gave_up)
        p->dead = true;
}

bool sg_enter(sg_parser *p)
{
    if (p->depth++ < p->max_depth)
        return true;
    sg_fail(p, SG_E_NESTING, sg_parser_here(p), "nested more than %u levels deep", p->max_depth);
    // What is open here would only give more messages about what is not closed.
    p->dead = true;
    return false;
}

// ---- mistakes ------------------------------------------------------------------------------

const char *sg_describe(const sg_parser *p, char *out, size_t size)
{
    const sg_token *t = &p->token;
    uint32_t length = t->last - t->first;
    if (length > 40)
        for (length = 40; ((unsigned char)p->lexer.text[t->first + length] & 0xC0) == 0x80;)
            length--; // not in the middle of a character
    if (t->kind == SG_TOKEN_EOF)
        snprintf(out, size, "the end of the file");
    else if (sg_line_ends(p))
        snprintf(out, size, "the end of the line");
    else if (t->kind == SG_TOKEN_STRING)
        snprintf(out, size, "a string");
    else
        snprintf(out, size, "'%.*s'", (int)length, p->lexer.text + t->first);
    return out;
}

sg_ast *sg_fail(sg_parser *p, sg_code code, sg_span span, const char *format, ...)
{
    if (!p->panic) {
        if (!p->dead && !p->failed) {
            char message[400];
            va_list list;
            va_start(list, format);
            vsnprintf(message, sizeof message, format, list);
            va_end(list);
            sg_error(p->diags, code, span, "%s", message);
        }
        p->panic = true;
        p->stopped = p->token;
        p->stopped_brackets = p->brackets;
        if (p->token.kind == SG_TOKEN_EOF)
            p->dead = true;
        p->token.kind = SG_TOKEN_STOP;
        p->token.flags |= SG_TOKEN_BLANK;
    }
    return sg_leaf(p, SG_AST_ERROR, span.first, span.last);
}

sg_ast *sg_fail_expected(sg_parser *p, const char *expected)
{
    char found[80];
    sg_span span = sg_parser_here(p);
    if (sg_line_ends(p) && !sg_is_token(p, SG_TOKEN_EOF))
        span.first = p->last_end, span.last = p->last_end + 1; // where something is missing
    return sg_fail(p, SG_E_SYNTAX, span, "expected %s, found %s", expected,
                   sg_describe(p, found, sizeof found));
}

void sg_fail_note(sg_parser *p, size_t errors_before, sg_span span, const char *format, ...)
{
    if (p->diags->n_errors == errors_before)
        return;
    char message[400];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    sg_note(p->diags, span, "%s", message);
}

// ---- nodes ---------------------------------------------------------------------------------

// As much of a node as its kind has. The others have children or a number.
static size_t size_of(sg_ast_kind kind)
{
    if (kind == SG_AST_NAME || kind == SG_AST_SYMBOL || kind == SG_AST_COLON ||
        kind == SG_AST_END || kind == SG_AST_BEGIN)
        return offsetof(sg_ast, kids);
    if (kind == SG_AST_STRING || kind == SG_AST_STRMACRO)
        return sizeof(sg_ast);
    return offsetof(sg_ast, kids) + sizeof(sg_ast **);
}

// Behind every piece there are as many bytes as a short node lacks, so that it can be read as a
// whole one.
static void *take(sg_parser *p, size_t size)
{
    enum { BEHIND = sizeof(sg_ast) - offsetof(sg_ast, kids) };
    if (size > CHUNK / 4)
        return sg_arena_alloc(p->arena, size, _Alignof(sg_ast));
    if (size + BEHIND > p->n_room) {
        p->room = sg_arena_alloc(p->arena, CHUNK, _Alignof(sg_ast));
        p->n_room = p->room ? CHUNK : 0;
        if (!p->room)
            return NULL;
    }
    void *piece = p->room;
    p->room += size;
    p->n_room -= size;
    return piece;
}

sg_ast *sg_leaf(sg_parser *p, sg_ast_kind kind, uint32_t first, uint32_t last)
{
    sg_ast *node = take(p, size_of(kind));
    if (!node) {
        p->failed = true;
        p->nowhere = (sg_ast){.kind = SG_AST_ERROR, .height = 1};
        return &p->nowhere;
    }
    node->kind = (uint8_t)kind;
    node->height = 1;
    // A construct of which nothing was found begins behind the last token that was.
    node->span = sg_at(p, first, last < first ? first : last);
    return node;
}

sg_ast *sg_name_leaf(sg_parser *p, sg_sym sym, uint32_t first, uint32_t last)
{
    sg_ast *node = sg_leaf(p, SG_AST_NAME, first, last);
    node->sym = sym;
    return node;
}

sg_ast *sg_op_leaf(sg_parser *p, sg_token_op op, uint32_t first, uint32_t last)
{
    if (!p->ops[op].i) {
        p->ops[op] = sg_sym_intern_text(p->symbols, sg_op_table[op].canonical);
        if (!p->ops[op].i)
            p->failed = true;
    }
    return sg_name_leaf(p, p->ops[op], first, last);
}

sg_ast *sg_finish(sg_parser *p, sg_ast_kind kind, size_t base, uint32_t first, uint32_t last)
{
    if (p->failed) { // the stack may lack what could not be pushed
        p->stack.len = p->stack.len < base ? p->stack.len : base;
        return &p->nowhere;
    }
    size_t n = p->stack.len > base ? p->stack.len - base : 0;
    sg_ast *const *kids = n ? p->stack.data + base : NULL;
    uint16_t height = 0;
    for (size_t i = 0; i < n; i++)
        if (kids[i]->height > height)
            height = kids[i]->height;
    p->stack.len = base;
    if (height >= SG_AST_MAX_HEIGHT) {
        sg_ast *error = sg_fail(p, SG_E_NESTING, sg_at(p, first, last),
                                "more than %d operations follow each other in one expression",
                                SG_AST_MAX_HEIGHT);
        p->dead = true;
        return error;
    }
    sg_ast *node = sg_leaf(p, kind, first, last);
    if (node == &p->nowhere)
        return node;
    node->height = (uint16_t)(height + 1);
    if (n) {
        node->kids = take(p, n * sizeof(sg_ast *));
        if (!node->kids) {
            p->failed = true;
            node->kind = SG_AST_ERROR;
            return node;
        }
        memcpy(node->kids, kids, n * sizeof *kids);
        node->n = (uint32_t)n;
    }
    return node;
}

sg_ast *sg_node1(sg_parser *p, sg_ast_kind kind, sg_ast *a, uint32_t first, uint32_t last)
{
    size_t base = sg_mark(p);
    sg_push(p, a);
    return sg_finish(p, kind, base, first, last);
}

sg_ast *sg_node2(sg_parser *p, sg_ast_kind kind, sg_ast *a, sg_ast *b, uint32_t first,
                 uint32_t last)
{
    size_t base = sg_mark(p);
    sg_push(p, a);
    sg_push(p, b);
    return sg_finish(p, kind, base, first, last);
}

// ---- brackets ------------------------------------------------------------------------------

sg_bracket sg_open(sg_parser *p, uint8_t mode)
{
    sg_bracket bracket = {p->token.first, p->mode};
    p->mode = mode;
    p->brackets++;
    sg_parser_advance(p);
    return bracket;
}

bool sg_close(sg_parser *p, sg_bracket bracket, sg_token_kind kind, const char *expected)
{
    if (sg_is_token(p, kind)) {
        p->mode = bracket.mode;
        p->brackets--;
        sg_parser_advance(p);
        return true;
    }
    size_t errors = p->diags->n_errors;
    if (!p->panic)
        sg_fail_expected(p, expected);
    sg_fail_note(p, errors, sg_at(p, bracket.first, bracket.first + 1), "to close this '%c'",
                 p->lexer.text[bracket.first]);
    p->mode = bracket.mode;
    if (p->brackets)
        p->brackets--;
    return false;
}

// ---- the whole file ------------------------------------------------------------------------

static bool check_text(sg_diags *diags, uint32_t file, const sg_source *source)
{
    uint32_t bad = sg_utf8_check(source->text, source->length);
    if (bad == source->length)
        return true;
    sg_span span = {file, bad, bad + 1};
    unsigned char byte = (unsigned char)source->text[bad];
    if (byte == 0)
        sg_error(diags, SG_E_ENCODING, span,
                 "the text holds a NUL byte here; is this a binary file?");
    else
        sg_error(diags, SG_E_ENCODING, span,
                 "the byte 0x%02x here is not valid UTF-8; save the file in UTF-8 encoding", byte);
    return false;
}

static sg_ast *parse_file(sg_parser *p)
{
    size_t base = sg_mark(p);
    for (;;) {
        sg_ast *block = sg_parse_block(p);
        for (uint32_t i = 0; i < block->n; i++)
            sg_push(p, block->kids[i]);
        if (sg_is_token(p, SG_TOKEN_EOF) || p->failed)
            break;
        // A block ends only at a word that closes one.
        sg_ast *error = sg_fail(p, SG_E_SYNTAX, sg_parser_here(p), "'%s' without anything to close",
                                sg_token_kind_text(p->token.kind));
        sg_push(p, error);
        p->panic = false;
        p->token = p->stopped;
        sg_parser_advance(p);
        if (p->panic) { // a bad character behind it
            p->panic = false;
            sg_parser_advance(p);
        }
    }
    return sg_finish(p, SG_AST_BLOCK, base, 0, p->lexer.length);
}

sg_status sg_parse(const sg_sources *sources, uint32_t file, sg_symbols *symbols, sg_arena *arena,
                   sg_diags *diags, sg_parser_options options, sg_ast **out)
{
    *out = NULL;
    const sg_source *source = sg_sources_get(sources, file);
    if (!source)
        return SG_ERR_USAGE;
    size_t errors = diags->n_errors;
    bool readable = check_text(diags, file, source);
    sg_parser p = {
        // The lexer relies on the NUL behind the text, so what is unreadable becomes empty.
        .lexer = {.text = readable ? source->text : "",
                  .length = readable ? source->length : 0,
                  .file = file,
                  .symbols = symbols,
                  .diags = diags},
        .mode = SG_MODE_NEWLINE,
        .max_depth = options.max_depth ? options.max_depth : DEFAULT_DEPTH,
        .arena = arena,
        .symbols = symbols,
        .diags = diags,
    };
    p.lexer.cache = &p.cache;
    sg_buf_init(&p.text, arena->allocator);
    if (readable && source->length >= 3 && memcmp(source->text, "\xef\xbb\xbf", 3) == 0)
        p.lexer.pos = 3;
    sg_parser_advance(&p);
    p.token.flags |= SG_TOKEN_NEWLINE | SG_TOKEN_BLANK;
    *out = parse_file(&p);
    SG_VEC_FREE(arena->allocator, &p.stack);
    SG_VEC_FREE(arena->allocator, &p.seps);
    bool failed = p.failed || p.lexer.failed || p.text.failed || arena->failed;
    sg_buf_free(&p.text);
    if (failed) {
        *out = NULL;
        return SG_ERR_MEMORY;
    }
    return diags->n_errors == errors ? SG_OK : SG_ERR_MODEL;
}
