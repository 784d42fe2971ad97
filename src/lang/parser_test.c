#include "lang/parser.h"

#include "harness/sg_test.h"

#include <stdlib.h>
#include <string.h>

typedef struct fixture {
    sg_sources sources;
    sg_diags diags;
    sg_arena arena;
    sg_symbols *symbols;
    sg_buf out;
} fixture;

static fixture make(void)
{
    fixture f;
    sg_sources_init(&f.sources, NULL);
    sg_diags_init(&f.diags, NULL);
    sg_arena_init(&f.arena, NULL);
    sg_buf_init(&f.out, sg_allocator_default());
    f.symbols = sg_symbols_create(sg_allocator_default());
    return f;
}

static void unmake(fixture *f)
{
    sg_buf_free(&f->out);
    sg_symbols_destroy(f->symbols);
    sg_arena_destroy(&f->arena);
    sg_diags_destroy(&f->diags);
    sg_sources_destroy(&f->sources);
}

static sg_ast *parse_bytes(fixture *f, const char *text, size_t length, sg_status *status)
{
    sg_ast *ast = NULL;
    uint32_t file = sg_sources_add(&f->sources, "test.jl", text, length);
    *status =
        sg_parse(&f->sources, file, f->symbols, &f->arena, &f->diags, (sg_parser_options){0}, &ast);
    if (ast)
        SG_CHECK_MSG(sg_ast_validate(ast), "shape of the tree of: %.200s", text);
    return ast;
}

static sg_ast *parse(fixture *f, const char *text, sg_status *status)
{
    return parse_bytes(f, text, strlen(text), status);
}

static const char *messages(fixture *f)
{
    sg_buf_clear(&f->out);
    for (size_t i = 0; i < f->diags.len; i++)
        sg_diag_render(&f->diags.list[i], &f->sources, (sg_diag_style){0}, &f->out);
    return sg_buf_text(&f->out);
}

// What is printed for `text`, which must parse; and what is printed parses to the same tree.
static void check_print(const char *file, int line, const char *text, const char *expected)
{
    fixture f = make();
    sg_status status;
    sg_ast *ast = parse(&f, text, &status);
    if (status != SG_OK) {
        sg_test_fail(file, line, "%s does not parse:\n%s", text, messages(&f));
    } else {
        sg_ast_print(f.symbols, ast, &f.out);
        if (f.out.len)
            f.out.text[--f.out.len] = '\0'; // the last newline
        if (expected)
            sg_test_same_text(file, line, text, sg_buf_text(&f.out), expected);
        char *printed = strdup(sg_buf_text(&f.out));
        sg_ast *again = parse(&f, printed, &status);
        if (status != SG_OK)
            sg_test_fail(file, line, "%s, printed as %s, does not parse:\n%s", text, printed,
                         messages(&f));
        else if (!sg_ast_equal(ast, again)) {
            sg_buf_clear(&f.out);
            sg_ast_dump(f.symbols, ast, &f.out);
            sg_buf_puts(&f.out, "----\n");
            sg_ast_dump(f.symbols, again, &f.out);
            sg_test_fail(file, line, "%s, printed as %s, is another tree:\n%s", text, printed,
                         sg_buf_text(&f.out));
        }
        free(printed);
    }
    unmake(&f);
}

#define PRINTS(text, expected) check_print(__FILE__, __LINE__, text, expected)
#define SAME(text) check_print(__FILE__, __LINE__, text, text)
#define ROUND(text) check_print(__FILE__, __LINE__, text, NULL)

SG_TEST(operators_bind_as_the_table_of_precedences_says)
{
    SAME("a + b * c");
    PRINTS("a+b+c", "a + b + c");
    SAME("(a + b) + c");
    SAME("a - b - c");
    SAME("a - (b - c)");
    SAME("-x^2");
    SAME("(-x)^2");
    SAME("2^-1");
    SAME("-2^2");
    SAME("(-2)^2");
    SAME("1 / 2u\"s\"");
    SAME("2a^2");
    SAME("a | b + c | d");
    SAME("a => b => c");
    SAME("a ? b : c ? d : e");
    SAME("a && b || c && d");
    SAME("a < b < c");
    SAME("1:n + 1");
    SAME("a:2:b");
    PRINTS("a ≤ b", "a <= b");
    PRINTS("x ∈ y", "x in y");
    SAME("!a && b");
    SAME("x = y = 3");
    SAME("x += 1");
    SAME("x .= y .+ z");
    SAME("a |> f |> g");
    SAME("a <: B");
    SAME("1.0 ± 0.1");
    SAME("a ÷ b % c");
    SAME("a << 2 + 1");
}

SG_TEST(array_literals_follow_the_layout_rules)
{
    SAME("[1, 2, 3]");
    SAME("[1 2; 3 4]");
    PRINTS("[1 2\n 3 4]", "[1 2; 3 4]");
    PRINTS("[-w^2  -2*D*w]", "[-w^2 (-2 * D * w)]");
    PRINTS("[pi/4 - 0.1  2]", "[(pi / 4 - 0.1) 2]");
    PRINTS("[a-b c]", "[(a - b) c]");
    PRINTS("[a - b c]", "[(a - b) c]");
    PRINTS("[a -b c]", "[a -b c]");
    SAME("[a b;]");
    SAME("[a;;]");
    PRINTS("[a; b;;]", "[[a; b];;]");
    SAME("[]");
    SAME("[i^2 for i in 1:n]");
    SAME("[i + j for i in 1:n, j in 1:m if i < j]");
    SAME("[i + j for i in 1:n for j in 1:i]");
    SAME("Float64[1 2; 3 4]");
    SAME("T[1, 2]");
}

SG_TEST(equations_stand_one_a_line)
{
    PRINTS(":[\n  der(x) = -x # decay\n\n  0 = y + 1\n]", ":[\n    der(x) = -x\n    0 = y + 1]");
    SAME(":[a = b]");
    ROUND(":[ (a, b) = f(x)\n c = if a > 0; 1 elseif b > 1; 2 else 3 end ]");
}
