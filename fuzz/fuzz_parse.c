// Any bytes are either parsed or refused with a message; what was parsed is well formed, can be
// printed, and what was printed parses to the same tree.
#include "base/diags.h"
#include "syntax/parser.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct parsing {
    sg_sources sources;
    sg_diags diags;
    sg_arena arena;
    sg_symbols *symbols;
} parsing;

static void begin(parsing *p)
{
    sg_sources_init(&p->sources, sg_allocator_default());
    sg_diags_init(&p->diags, sg_allocator_default());
    sg_arena_init(&p->arena, sg_allocator_default());
    p->symbols = sg_symbols_create(sg_allocator_default());
}

static void end(parsing *p)
{
    sg_symbols_destroy(p->symbols);
    sg_arena_destroy(&p->arena);
    sg_diags_destroy(&p->diags);
    sg_sources_destroy(&p->sources);
}

static void give_up(const char *why)
{
    fprintf(stderr, "fuzz_parse: %s\n", why);
    abort();
}

static sg_ast *parse(parsing *p, const char *text, size_t length)
{
    uint32_t file = sg_sources_add(&p->sources, "fuzz.jl", text, length);
    sg_ast *ast = NULL;
    sg_status status =
        sg_parse(&p->sources, file, p->symbols, &p->arena, &p->diags, (sg_parser_options){0}, &ast);
    if ((status == SG_OK) != (p->diags.n_errors == 0))
        give_up("the status and the list of diagnostics tell different stories");
    if (!ast || !sg_ast_validate(ast))
        give_up("the tree is not well formed");
    return status == SG_OK ? ast : NULL;
}

// Every message must be renderable, whatever the bytes.
static void render(const parsing *p)
{
    sg_buf text;
    sg_buf_init(&text, sg_allocator_default());
    for (size_t i = 0; i < p->diags.len; i++)
        sg_diag_render(&p->diags.list[i], &p->sources, &text);
    sg_buf_free(&text);
}

static void show_difference(parsing *p, const sg_ast *ast, const sg_ast *again,
                            const sg_buf *printed)
{
    sg_buf text;
    sg_buf_init(&text, sg_allocator_default());
    sg_ast_dump(p->symbols, ast, &text);
    sg_buf_puts(&text, "---- printed and parsed again:\n");
    if (again)
        sg_ast_dump(p->symbols, again, &text);
    fprintf(stderr, "%s\n----\n%s", sg_buf_text(printed), sg_buf_text(&text));
    sg_buf_free(&text);
    give_up("what was printed is not the same tree");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    parsing p;
    begin(&p);
    sg_ast *ast = parse(&p, (const char *)data, size);
    render(&p);
    if (ast) {
        sg_buf printed;
        sg_buf_init(&printed, sg_allocator_default());
        sg_ast_print(p.symbols, ast, &printed);
        sg_ast *again = parse(&p, sg_buf_text(&printed), printed.len);
        if (!again || !sg_ast_equal(ast, again))
            show_difference(&p, ast, again, &printed);
        sg_buf_free(&printed);
    }
    end(&p);
    return 0;
}
