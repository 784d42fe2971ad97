// How fast a text becomes a tree: the goal is 50 MB/s. The text is made of the kinds of lines that
// model files are made of, with comments, units and quoted equations.
#include "base/buf.h"
#include "bench/bench.h"
#include "syntax/parser.h"

#include <stdio.h>
#include <stdlib.h>

static void write_model(sg_buf *text, int i)
{
    sg_buf_printf(text, "# Tank number %d with a valve at its foot\n", i);
    sg_buf_printf(text, "Tank%d = Model(\n    A = %d.5u\"m^2\",\n", i, i);
    sg_buf_printf(text, "    port = Model(p = potential, q = flow),\n"
                        "    h = Var(init = 1.0u\"m\"),\n"
                        "    equations = :[\n"
                        "        A*der(h) = port.q\n"
                        "        port.p = if h > 0.0; 9810.0u\"N/m^3\"*h else 0.0 end\n"
                        "    ])\n");
    sg_buf_printf(text, "level%d(t, k = 2.0; n = 3) = k*sin(2*pi*t/%d) + [1.0, 2.0, 3.0][n]\n", i,
                  i + 1);
    sg_buf_printf(text, "for j in 1:%d\n    println(\"tank $j: $(level%d(j))\")\nend\n", i, i);
}

static void parse_once(void *context)
{
    const sg_buf *text = context;
    sg_sources sources;
    sg_diags diags;
    sg_arena arena;
    sg_ast *ast = NULL;
    sg_sources_init(&sources, sg_allocator_default());
    sg_diags_init(&diags, sg_allocator_default());
    sg_arena_init(&arena, sg_allocator_default());
    sg_symbols *symbols = sg_symbols_create(sg_allocator_default());
    uint32_t file = sg_sources_add(&sources, "bench.jl", text->text, text->len);
    sg_status status =
        sg_parse(&sources, file, symbols, &arena, &diags, (sg_parser_options){0}, &ast);
    if (status != SG_OK) {
        fprintf(stderr, "the benchmark's text does not parse\n");
        exit(1);
    }
    sg_symbols_destroy(symbols);
    sg_arena_destroy(&arena);
    sg_diags_destroy(&diags);
    sg_sources_destroy(&sources);
}

int main(void)
{
    sg_buf text;
    sg_buf_init(&text, sg_allocator_default());
    for (int i = 0; text.len < 4000000; i++)
        write_model(&text, i);
    double time = bench_minimum(parse_once, &text, 10), megabytes = (double)text.len * 1e-6;
    char extra[64];
    snprintf(extra, sizeof extra, "\"MB_per_s\": %.1f, \"goal_MB_per_s\": 50", megabytes / time);
    bench_print("parse", megabytes, "MB", time, extra);
    sg_buf_free(&text);
    return 0;
}
