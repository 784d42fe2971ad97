#include "syntax/parser.h"

#include "harness/sg_test.h"

#include <stdlib.h>
#include <string.h>

typedef struct parser_fixture {
    sg_sources sources;
    sg_diags diags;
    sg_arena arena;
    sg_symbols *symbols;
    sg_buf out;
} parser_fixture;

static parser_fixture make(void)
{
    parser_fixture f;
    sg_sources_init(&f.sources, NULL);
    sg_diags_init(&f.diags, NULL);
    sg_arena_init(&f.arena, NULL);
    sg_buf_init(&f.out, sg_allocator_default());
    f.symbols = sg_symbols_create(sg_allocator_default());
    return f;
}

static void unmake(parser_fixture *f)
{
    sg_buf_free(&f->out);
    sg_symbols_destroy(f->symbols);
    sg_arena_destroy(&f->arena);
    sg_diags_destroy(&f->diags);
    sg_sources_destroy(&f->sources);
}

static sg_ast *parse_bytes(parser_fixture *f, const char *text, size_t length, sg_status *status)
{
    sg_ast *ast = NULL;
    uint32_t file = sg_sources_add(&f->sources, "test.jl", text, length);
    *status =
        sg_parse(&f->sources, file, f->symbols, &f->arena, &f->diags, (sg_parser_options){0}, &ast);
    if (ast)
        SG_CHECK_MSG(sg_ast_validate(ast), "shape of the tree of: %.200s", text);
    return ast;
}

static sg_ast *parse(parser_fixture *f, const char *text, sg_status *status)
{
    return parse_bytes(f, text, strlen(text), status);
}

static const char *messages(parser_fixture *f)
{
    sg_buf_clear(&f->out);
    for (size_t i = 0; i < f->diags.len; i++)
        sg_diag_render(&f->diags.list[i], &f->sources, &f->out);
    return sg_buf_text(&f->out);
}

// What is printed for `text`, which must parse; and what is printed parses to the same tree.
static void check_print(const char *file, int line, const char *text, const char *expected)
{
    parser_fixture f = make();
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

SG_TEST(literals_are_read_as_julia_reads_them)
{
    SAME("105");
    PRINTS("1_000_000", "1000000");
    PRINTS("0x1F + 0b101 + 0o17", "31 + 5 + 15");
    PRINTS("5.84e5", "584000.0");
    PRINTS("1.0E-2", "0.01");
    PRINTS("1f0", "1f0");
    PRINTS("2.5f-3", "0.0025f0");
    PRINTS(".5 + 5. + 5.e2", "0.5 + 5.0 + 500.0");
    PRINTS("1.*x", "1 .* x");
    PRINTS("[1.,2.]", "[1.0, 2.0]");
    SAME("-9223372036854775808");
    SAME("9223372036854775807");
    SAME("true || false");
    SAME("'a' == '\\n'");
    SAME("'ü'");
    SAME("\"a\\\"b\\\\c\\n\\$\\t\"");
    PRINTS("\"\\u03a9 \\x41\"", "\"Ω A\"");
    SAME("\"$(x) is $(y + 1)\"");
    PRINTS("\"$x!\"", "\"$(x!)\"");
    PRINTS("\"\"\"\n    a\n      b\n    c\"\"\"", "\"a\\n  b\\nc\"");
    PRINTS("\"\"\"\n  a \"quoted\" $(f(\"x\"))\n  \"\"\"", "\"a \\\"quoted\\\" $(f(\"x\"))\\n\"");
    PRINTS("raw\"C:\\dir\"", "\"C:\\\\dir\"");
    SAME("2.0u\"m\"");
    SAME("info\"the \\\"x\\\"\"");
    SAME(":name");
    PRINTS(":true", "true");
    PRINTS(":1", "1");
    PRINTS(":(x)", ":x");
    SAME(":+");
    SAME(":(=)");
    PRINTS(":(==)", ":==");
    PRINTS("\"a\r\nb\"", "\"a\\nb\"");
    SAME("x' * 'c'");
}

SG_TEST(names_are_normalized)
{
    PRINTS("Ω = u\"Ω\"", "Ω = u\"Ω\""); // OHM SIGN and GREEK OMEGA
    PRINTS("\xe2\x84\xa6 = 1", "Ω = 1");
    PRINTS("\xc2\xb5 = \xce\xbc", "μ = μ");
    PRINTS("a\xcc\x88x = 1", "äx = 1");
    SAME("x₁ = ẋ + ∂f");
    SAME("simulate!(m)");
    PRINTS("a!=b", "a != b");
    SAME("π / 2");
}

SG_TEST(juxtaposition_is_a_product)
{
    SAME("(0.8 ± 0.1) * u\"m\"");
    PRINTS("(0.8±0.1)u\"m\"", "(0.8 ± 0.1) * u\"m\"");
    SAME("zeros(3)u\"K\"");
    SAME("[30, 20, 10]u\"°\"");
    SAME("2r");
    PRINTS("2(x + 1)", "2 * (x + 1)");
    PRINTS("2e5x", "200000.0x");
    PRINTS("3e", "3 * e");
    PRINTS("-2x", "-2x");
    PRINTS("2.0u\"m\"/3.0u\"s\"", "2.0u\"m\" / 3.0u\"s\"");
    PRINTS("2^3x", "2^3x");
}

SG_TEST(calls_take_all_forms_of_arguments)
{
    SAME("f(a, k = v)");
    SAME("f(a; k = v)");
    SAME("f(; k = v)");
    SAME("f(; path)");
    SAME("f(args...; kwargs...)");
    SAME("f(x for x in r)");
    SAME("sum(x^2 for x in r if x > 0)");
    SAME("A.B.f(x)");
    SAME("SVector{3, Float64}(1, 2, 3)");
    SAME("sin.(v)");
    SAME("a[end, :, begin]");
    SAME("a[end - 1:end]");
    SAME("a[f(end)]");
    SAME("m[:key]");
    SAME("a[[\"x\", \"y\"]]");
    SAME("R * I * R'");
    SAME("(a = 1, b = 2)");
    SAME("(a,)");
    SAME("()");
    PRINTS("(; kwargs...)", "(; kwargs...)");
    SAME("map(x -> x^2, v)");
    SAME("(a, b) -> a + b");
    SAME("() -> 3");
    PRINTS("(a; k=1) -> a + k", "(a; k = 1) -> a + k");
    SAME("reduce((+), v)");
    PRINTS("reduce(*, v)", "reduce((*), v)");
    PRINTS("+(a, b)", "(+)(a, b)");
    SAME("Base.:(|)(a, b)");
    PRINTS("f(a,\n  # comment\n  b = 1,\n)", "f(a, b = 1)");
    PRINTS("f(\n  a\n  +\n  b\n)", "f(a + b)");
    ROUND("open(f) do io, x\n  println(io)\nend");
    SAME("(a; b)");
    SAME("\"a\" * \"b\"^3");
    SAME("!f(x)");
    SAME("a.b[1].c(2)'");
    SAME("f(a => 1, b => 2)");
    SAME("x::Int");
    SAME("a in b");
    SAME("!(a in b)");
    SAME("x isa Int");
}

SG_TEST(macros_take_arguments_with_and_without_parentheses)
{
    SAME("@test a == b");
    SAME("@instantiateModel(m, unitless = true)");
    SAME("@usingModiaPlot()");
    PRINTS("@usingModiaPlot", "@usingModiaPlot()");
    PRINTS("@show A_0, x_0", "@show (A_0, x_0)");
    SAME("@time x = f()");
    PRINTS("@show a -b", "@show a -b");
    ROUND("@testset verbose=true \"t\" begin\n @test a\n end");
    PRINTS("Test.@test_throws E f(x)", "@test_throws E f(x)");
    PRINTS("@SMatrix[1 2; 3 4]", "@SMatrix [1 2; 3 4]");
    ROUND("@enum Name a b c");
    ROUND("f(@m a, b)");
    ROUND("@inline function f(x)\n x\nend");
    ROUND("@time for i in 1:3\n f(i)\nend");
}

SG_TEST(what_fuzzing_found_prints_as_it_was_read)
{
    ROUND(": :P");
    ROUND(": ::P");
    ROUND("!: :P");
    ROUND("x + : : y");
    ROUND("x: ::P");
    ROUND(":> :y");
    ROUND("sin.∈(v) .+ 1");
    ROUND("x .∈ y");
    ROUND("!@testset \"x\" for i in 1:3\n @test i > 0\nend");
    ROUND("\"\"\n:\"\"");
    ROUND("\"\"\n:\"\":e");
    ROUND("\"\"\n:\"\"\ns");
    ROUND("e[end\ns;;]");
    ROUND("x[[1, end]]");
}

SG_TEST(definitions_and_control_flow)
{
    ROUND("module M\nusing A, B.C\nimport A.B: c, d as e, @m\nimport X as Y\nexport a, b\nend");
    ROUND("function f(a, b::T = 1, c...; k, l::Int = 2, kw...)::S where {T, S<:Real}\n  return a, "
          "b\nend");
    SAME("f(x) = x^2");
    SAME("f(x::T)::T where {T} = x");
    ROUND("g(x) =\n  if x > 0\n    1\n  elseif x < 0\n    -1\n  else\n    0\n  end");
    ROUND("for i in 1:3, j = 1:2\n if i == j; continue end\n break\nend");
    ROUND("for (k, v) in zip(a, b)\n println(k)\nend");
    ROUND("while x < 3\n x += 1\nend");
    ROUND("let a = 1, b = 2\n a + b\nend");
    ROUND("try\n f()\ncatch e\n g(e)\nfinally\n h()\nend");
    ROUND("try f() catch; g() end");
    ROUND("begin a = 1; b = 2 end");
    ROUND("struct A{T} <: B\n x::T\n y\n A(x) = new(x)\nend");
    ROUND("mutable struct C\n x\nend");
    SAME("abstract type A <: B end");
    SAME("const x = 3");
    SAME("global a, b");
    SAME("local x = 3");
    ROUND("\"docs\"\nf(x) = x");
    ROUND("\"\"\"\ndocs\n\"\"\"\nR = Model(a = 1)");
    ROUND("macro m(x)\n x\nend");
    ROUND("function (x, y)\n x + y\nend");
    SAME("(a, b) = f()");
    PRINTS("a, b = b, a", "(a, b) = (b, a)");
    SAME("o.f = v");
    SAME("v[i] = x");
    ROUND("function f end");
    ROUND("if a b else c end");
    ROUND("Base.:|(m::Model, n) = f(m, n)");
    ROUND("mutable = 3; abstract = mutable");
    ROUND("return");
    ROUND("#= a #= nested =# comment =# x = 1 # end");
}

SG_TEST(quotes_keep_their_expressions)
{
    PRINTS(":(a + $b)", ":(a + $b)");
    SAME(":[0.0, -$L / 2, 0.0]");
    SAME(":(f($(x + 1)))");
    SAME(":(a, b.c)");
    SAME(":[a b; c d]");
    PRINTS(":([a b; c d])", ":[a b; c d]");
    ROUND("quote\n a = 1\n b = 2\nend");
    ROUND(":[\n R*i = v\n 0 = p.i + n.i\n (a, b) = f(c)\n]");
    SAME(":(if c; a else b end)");
    ROUND(":[ connect(a, b)\n if x > 1; y = 2 else y = 3 end ]");
}

// ---- mistakes ------------------------------------------------------------------------------

static void check_messages(const char *file, int line, const char *text, const char *expected)
{
    parser_fixture f = make();
    sg_status status;
    parse(&f, text, &status);
    if (status != SG_ERR_MODEL)
        sg_test_fail(file, line, "%s: no mistake was reported", text);
    sg_buf_clear(&f.out);
    for (size_t i = 0; i < f.diags.len; i++) {
        const sg_diag *d = &f.diags.list[i];
        sg_position at = sg_source_position(&f.sources, d->span.file, d->span.first);
        sg_buf_printf(&f.out, "%s%u:%u: ", i ? "\n" : "", at.line, at.column);
        if (d->severity == SG_NOTE)
            sg_buf_puts(&f.out, "note: ");
        else
            sg_buf_printf(&f.out, "E%04d: ", (int)d->code);
        sg_buf_puts(&f.out, d->message);
    }
    sg_test_same_text(file, line, text, sg_buf_text(&f.out), expected);
    unmake(&f);
}

#define FAILS(text, expected) check_messages(__FILE__, __LINE__, text, expected)

// One file of everything; each line or block is something that model files or their authors write.
SG_TEST(a_file_of_everything_parses_and_prints_back)
{
    ROUND("@testset \"x\" for i in 1:3\n"
          " @test i > 0\n"
          "end\n"
          "a.b.c = 3\n"
          "x[1].y = f(2)[3].z\n"
          "f(x)::Float64 = 2x\n"
          "for i ∈ 1:3 println(i) end\n"
          "x = if a; b else c end\n"
          "const a::Float64 = 1.0\n"
          "function f(x::T) where T\n"
          " x\n"
          "end\n"
          "function f(x::T, y::S) where {T <: Real, S}\n"
          " x\n"
          "end\n"
          "println(\"a\", # comment\n"
          "  \"b\")\n"
          "using Modia.Test: @test\n"
          "import Base: +, *\n"
          "A[1, :] .= 0\n"
          "@. a + b\n"
          "g = x -> begin\n"
          " y = x\n"
          " y\n"
          "end\n"
          "h = (x, y) -> (x; y)\n"
          "!isempty(x) && return nothing\n"
          "cond || error(\"...\")\n"
          "return if x\n"
          " 1\n"
          "else\n"
          " 2\n"
          "end\n"
          "f.(x; k = 1)\n"
          "f.(g.(x))\n"
          "a' * b'\n"
          "[a'; b']\n"
          "1:3 .+ 1\n"
          "-1:1\n"
          "a[end+1] = x[:, end]\n"
          "global x += 1\n"
          "local a, b = 1, 2\n"
          "struct A end\n"
          "mutable struct B; x; y end\n"
          "function f(x; y) x end\n"
          "[1, 2, 3,]\n"
          "(1, 2,)\n"
          "x::Union{Nothing,Int} = nothing\n"
          "Dict{Symbol,Any}(:a => 1, :b => [1, 2])\n"
          "v = @view a[1:2]\n"
          "[a..., b...]\n"
          "(a..., b)\n"
          "a ∉ b\n"
          "x = \"\"\"\n"
          "  a $(f(\"b\")) c\n"
          "  \"\"\"\n"
          ":(a[1].b)\n"
          ":(x -> x)\n"
          "2pi + 2π - 3e-3 + 1e+5\n"
          "f(a; b, c = 1, d...)\n"
          "@assert x == 1 \"message\"\n"
          "y = a ?\n"
          "  b :\n"
          "  c\n"
          "a ? :x : :y\n"
          "a ? (1:2) : (3:4)\n"
          "a == b ? c : d\n"
          "x .+ y .* z\n"
          "x.^2 .- .!y\n"
          "2 .^ x\n"
          "-x.^2\n"
          "a = [1 2\n"
          "     3 4];\n"
          "x = a[1, 2]; y = 3;\n"
          "f() = nothing\n"
          "f(x) = (y = x; y + 1)\n"
          "f(x, ::Val{true}) = 1\n"
          "f(x::Vector{<:Real}) = 2\n"
          "(f ∘ g)(x)\n"
          "a ⊻ b & c | d << 2\n"
          "x = :a => :b\n"
          "T = Vector{Vector{Float64}}\n"
          "x = y -> z -> y + z\n"
          "map(x -> (x, x^2), v)\n"
          "sum(i * j for i in 1:3, j in 1:3 if i < j)\n"
          "any(x > 1 for x in v)\n"
          "sort(v, by = x -> -x, rev = true)\n"
          "open(f, \"x\") do io\n"
          "  println(io)\n"
          "end\n"
          "a.b.(c)\n"
          "x = -a[1] - -b\n"
          "[1 - 2, 3-4]\n"
          "[a, -b]\n"
          "[f(x) -y]\n"
          "[x' y']\n"
          "[1:3; 4]\n"
          "[\"a\" \"b\"; \"c\" \"d\"]\n"
          "[(1, 2) (3, 4)]\n"
          "[:a :b]\n"
          "[x for x = 1:3]\n"
          "[[1, 2], [3, 4]]\n"
          "s = \"a\\$b $(1 + 1) \\\"q\\\"\"\n"
          "s = \"$a$b$(c)d\"\n"
          "x = 'a' : 'z'\n"
          "a[1:2:end, begin:2]\n"
          "Base.sin(x::A) = 1\n"
          "f(x; y::Int = 3, z) = 1\n"
          "Test.@test x == 1\n"
          "@time @show f(x)\n"
          "A = @SMatrix [1 2; 3 4]\n"
          "f(@view(a[1]), 2)\n"
          "let\n"
          "  x = 1\n"
          "end\n"
          "try\n"
          "  f()\n"
          "catch\n"
          "  g()\n"
          "end\n"
          "try\n"
          "  f()\n"
          "catch err\n"
          "  rethrow()\n"
          "finally\n"
          "  h()\n"
          "end\n"
          "quote\n"
          "  x = $y\n"
          "end\n"
          ":(x = $(f(1)); y)\n"
          "begin\n"
          "end\n"
          "while true\n"
          "  break\n"
          "end\n"
          "x = [1,\n"
          "     2, # two\n"
          "     3]\n"
          "x = [\n"
          "  a\n"
          "  b\n"
          "]\n"
          "x = (a +\n"
          "     b)\n"
          "x = a +\n"
          "    b\n"
          "m = Model(a = 1, # first\n"
          "          b = 2  # second\n"
          ")\n"
          "m = A | B |\n"
          "    C\n"
          "m = A |\n"
          "    Map(x = 1)\n"
          "equations = :[\n"
          "  a = b; c = d\n"
          "  e = f\n"
          "]\n"
          ":[ (a, b) (c, d) ]\n"
          ":[\n"
          "  (a.p, b.n)\n"
          "  (c, d)\n"
          "]\n"
          "f(a, b)(c)[1]\n"
          "a.f(x).g\n"
          "x = 1 + # comment\n"
          "    2\n"
          "if a == 1 || b == 2 &&\n"
          "   c == 3\n"
          "  1\n"
          "end\n"
          "\"docs\"\n"
          "module X end\n"
          "abstract type Y{T} <: Z end\n"
          "f = !g\n"
          "!f(x)\n"
          "!(a, b)\n"
          "x = a in (1, 2) ? 1 : 2\n"
          "for (i, (a, b)) in enumerate(zip(x, y)) end\n"
          "for i = 1:2, j = 1:3; end\n"
          "a, (b, c) = f()\n"
          "(a, b), c = g()\n"
          "x, y... = z\n"
          "@m\n"
          "@m a b; c\n"
          "@m(a)(b)\n"
          "@m [1 2]\n"
          "@m begin end\n"
          "export a, b, @c\n"
          "import A.B.C as D, E\n"
          "using .A, ..B: c\n"
          "x = u\"m\"^2 / 3u\"s\"\n"
          "x = 5.0u\"N*m\"*3\n"
          "x = [1, 2]u\"m\" + [3, 4]*u\"m\"\n"
          "x = (2 + 3)u\"kg\"\n"
          "f(x)u\"s\"\n"
          "x = 2.0*u\"m/s\"\n");
}

// Trees that once printed as something else; found by the fuzzer.
SG_TEST(what_the_fuzzer_found_prints_right)
{
    ROUND("A'C * B");
    ROUND("||(a, b) = f()");
    ROUND("+(a, b) = 1");
    ROUND("(a, ; b)");
    ROUND("! (a, b)");
    ROUND("0 * x + 2 * e5");
    ROUND("a::T + b::T = c");
    ROUND("-(3.0u\"kg\")");
    ROUND("[a b; [c; d] e]");
    ROUND("x = (T):(:(a + b)) % 2");
    SAME("\"p$(3.0u\"kg\")q\"");
    SAME("\"p$(\"s\")q\"");
    ROUND("begin \"a$(b)\"; c end");
    ROUND("x[function (x)\n y\n end, end]");
    ROUND("-2.0::T");
    ROUND("-(2e5).fld + (2)(x)");
    ROUND("@m(-2.0, [])");
    SAME("[x for i in a ? b : c if d]");
    FAILS("[i :3i+=1]", "1:4: E0201: this expression cannot be assigned to");
}

// Every span covers the text of its node.
SG_TEST(spans_are_exact)
{
    parser_fixture f = make();
    sg_status status;
    sg_ast *ast = parse(&f, "x = f(a + 1, [b, c])[2]", &status);
    SG_REQUIRE(status == SG_OK && ast->n == 1);
    const sg_ast *assign = ast->kids[0], *index = assign->kids[1], *call = index->kids[0];
    SG_CHECK(assign->span.first == 0 && assign->span.last == 23);
    SG_CHECK(index->span.first == 4 && index->span.last == 23);
    SG_CHECK(call->span.first == 4 && call->span.last == 20);
    SG_CHECK(call->kids[1]->span.first == 6 && call->kids[1]->span.last == 11);
    SG_CHECK(call->kids[2]->span.first == 13 && call->kids[2]->span.last == 19);
    unmake(&f);
}

SG_TEST(a_mistake_is_reported_once_where_it_is)
{
    FAILS("x = ", "1:5: E0201: expected an expression, found the end of the file");
    FAILS("f(a, b", "1:7: E0201: expected ',' or ')', found the end of the file\n"
                    "1:2: note: to close this '('");
    FAILS("function f(x)\n  y = x\n", "3:1: E0201: expected 'end', found the end of the file\n"
                                      "1:1: note: to close this 'function'");
    FAILS("end\nx = 1", "1:1: E0201: 'end' without anything to close");
    FAILS("x = (1 + 2", "1:11: E0201: expected ',' or ')', found the end of the file\n"
                        "1:5: note: to close this '('");
    FAILS("x = 1 2", "1:7: E0201: expected an operator, ';' or the end of the line, found '2'");
    FAILS("println (x)", "1:9: E0201: no blank may stand between a function and its '('");
    FAILS("x = a * ) b\ny = 2", "1:9: E0201: expected an expression, found ')'");
    FAILS("1 = x", "1:1: E0201: a number cannot be assigned to; a comparison is written '=='");
    FAILS("f(a + b = 2)", "1:3: E0201: this expression cannot be assigned to; a comparison is "
                          "written '=='");
    FAILS("x = a ? b", "1:10: E0201: expected ':' and the value for false, found the end of the "
                       "file\n1:7: note: of this '?'");
    FAILS("x = $y", "1:5: E0201: '$' inserts a value, which is possible only inside a quote :( ) "
                    "or :[ ] and inside a string");
    FAILS("[1, 2; 3]",
          "1:6: E0201: the elements of a row have blanks between them, not commas: [1 2; 3 4]");
    FAILS("[1 2, 3]", "1:5: E0201: ',' does not go together with rows; use either commas, or "
                      "blanks and newlines (or ';')");
    FAILS("[1, 3 -4]", "1:7: E0201: the blank before '-' begins a new element here; write it with "
                       "blanks on both sides or none");
    FAILS("x = a and b", "1:7: E0201: 'and' is written '&&'");
    FAILS("// text\nx = 1", "1:1: E0201: comments begin with '#', not with '//'");
    FAILS("if a\n b\nelse if c\n d\nend\n",
          "6:1: E0201: expected 'end', found the end of the file\n"
          "1:1: note: to close this 'if'\n"
          "3:1: note: 'else if' begins a block of its own here; 'elseif' does not");
    FAILS("module M\nfunction f(x)\n  if x\n    y\nend\nfunction g()\nend\nend",
          "8:4: E0201: expected 'end', found the end of the file\n"
          "1:1: note: to close this 'module'\n"
          "3:3: note: the 'end' of this 'if' stands in another column; its own one may be missing");
    FAILS("try\n x\nend", "1:1: E0201: 'try' without 'catch' or 'finally'");
    FAILS("x = [1, 2)",
          "1:10: E0201: expected ',' or ']', found ')'\n1:5: note: to close this '['");
    FAILS("if x\n y\n", "3:1: E0201: expected 'end', found the end of the file\n"
                        "1:1: note: to close this 'if'");
}

SG_TEST(independent_mistakes_are_all_reported)
{
    FAILS("a = )\nb = 1\nc = (2\nd = 3\n",
          "1:5: E0201: expected an expression, found ')'\n"
          "4:1: E0201: expected ',' or ')', found 'd'\n3:5: note: to close this '('");
    FAILS("function f(x)\n  y = = 3\n  z = 1\nend\nw = * 2\n",
          "2:7: E0201: expected a name or an expression before '='\n"
          "5:5: E0201: expected an expression before '*'");
    FAILS("if x ) 3\n  y = 1\nend\nz = ]\n", "1:6: E0201: expected an expression, found ')'\n"
                                             "4:5: E0201: expected an expression, found ']'");
    FAILS("m = Model(\n  a = 1\n  b = 2,\n  c = 3\n)\nx = ]\n",
          "3:3: E0201: expected ',' or ')', found 'b'\n1:10: note: to close this '('\n"
          "6:5: E0201: expected an expression, found ']'");
}

SG_TEST(bad_characters_and_numbers_are_named)
{
    FAILS("x = “text”",
          "1:5: E0103: a typographic quote; strings are written with plain \" quotes");
    FAILS("x = 3 \xe2\x88\x92 4", "1:7: E0103: a dash (U+2212); minus is written '-'");
    FAILS("x =\xc2\xa0"
          "3",
          "1:4: E0103: an invisible character (U+00A0); replace it by a blank");
    FAILS("x = 99999999999999999999",
          "1:5: E0103: this integer is larger than 9223372036854775807, the largest one; append "
          "'.0' for a floating-point number");
    FAILS("x = 1e999", "1:5: E0103: this number is larger than a Float64 can be (1.8e308); write "
                       "Inf for infinity");
    FAILS("x = \"abc\ny = 2", "1:5: E0102: this string is not closed; if the closing quotes are "
                              "there, look for a quote too many before");
    FAILS("module A\nx = 1 #= open\nend",
          "2:7: E0102: this comment is not closed; '=#' is missing");
    FAILS("x = \"\\q\"\ny = )", "1:6: E0103: an unknown escape; a backslash is written '\\\\', a "
                                "dollar sign '\\$'\n2:5: E0201: expected an expression, found ')'");
    FAILS("x = 'ab'", "1:5: E0102: a character literal holds one character and ends with \"'\"; "
                      "strings are written with \"");
}

SG_TEST(text_that_is_no_text_is_refused_with_one_message)
{
    parser_fixture f = make();
    sg_status status;
    parse_bytes(&f, "x = 1\0y", 7, &status);
    SG_CHECK(status == SG_ERR_MODEL && f.diags.len == 1 && f.diags.list[0].code == SG_E_ENCODING);
    unmake(&f);
    static const char *const bad[] = {"x = \xff",         "\xc0\x80",  "\xed\xa0\x80",
                                      "\xf5\x80\x80\x80", "x\xe2\x82", "\xe0\x80\x80"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        f = make();
        parse(&f, bad[i], &status);
        SG_CHECK_MSG(status == SG_ERR_MODEL && f.diags.len == 1 &&
                         f.diags.list[0].code == SG_E_ENCODING,
                     "case %zu", i);
        unmake(&f);
    }
}

static char *repeat(const char *head, const char *unit, size_t times, const char *tail)
{
    size_t n = strlen(unit), h = strlen(head), t = strlen(tail);
    char *text = malloc(h + n * times + t + 1);
    memcpy(text, head, h);
    for (size_t i = 0; i < times; i++)
        memcpy(text + h + i * n, unit, n);
    memcpy(text + h + n * times, tail, t + 1);
    return text;
}

static void check_deep(const char *head, const char *unit, const char *tail)
{
    char *text = repeat(head, unit, 1000000, tail);
    parser_fixture f = make();
    sg_status status;
    parse(&f, text, &status);
    size_t nesting = 0;
    for (size_t i = 0; i < f.diags.len; i++)
        nesting += f.diags.list[i].code == SG_E_NESTING;
    SG_CHECK_MSG(status == SG_ERR_MODEL && nesting == 1 && f.diags.n_errors == 1,
                 "%s%s...: %zu of %zu messages about nesting; first: %s", head, unit, nesting,
                 f.diags.n_errors, f.diags.len ? f.diags.list[0].message : "");
    unmake(&f);
    free(text);
}

SG_TEST(nesting_a_million_deep_is_one_message)
{
    check_deep("x = ", "(", "");
    check_deep("x = ", "[", "");
    check_deep("x = ", "f(", "");
    check_deep("x = ", "-", "1");
    check_deep("x = ", "!", "a");
    check_deep("", "begin ", "");
    check_deep("", "if a ", "");
    check_deep("x = ", "a^", "a");
    check_deep("", "a = ", "a");
    check_deep("x = ", "a ? b : ", "c");
    check_deep("x = ", "a => ", "c");
    check_deep("x = ", "x -> ", "c");
    check_deep("x = ", "a && ", "c");
    check_deep("x = ", "a - ", "c");
    check_deep("x = a", ".b", "");
    check_deep("x = a", "'", "");
    check_deep("x = a", "[1]", "");
    check_deep("x = ", "\"$(", "");
    check_deep("x = ", ":(", "");
    check_deep("", "if a; b else", " c end");
    check_deep("if a\n", "elseif a\n", "end");
    check_deep("x = ", "[1 for i in ", "");
    check_deep("x = [1", " for i in 1", "]");
    check_deep("", "function f() ", "");
    check_deep("", "@m ", "x");
    check_deep("x = T", "{T", "");
    check_deep("x = a", "::T", "");
    check_deep("x = a", " where T", "");
}

SG_TEST(long_flat_texts_are_fine)
{
    char *text = repeat("x = 1", " + a", 1000000, "\n");
    parser_fixture f = make();
    sg_status status;
    parse(&f, text, &status);
    SG_CHECK(status == SG_OK);
    free(text);
    text = repeat("x = [", "1.5, ", 2000000, "]\n");
    parse(&f, text, &status);
    SG_CHECK(status == SG_OK);
    free(text);
    text = repeat("#=", "#=", 2000000, "");
    parse(&f, text, &status);
    SG_CHECK(status == SG_ERR_MODEL && f.diags.n_errors == 1);
    free(text);
    text = repeat("x = ", "9", 5000000, "");
    parse(&f, text, &status);
    SG_CHECK(status == SG_ERR_MODEL && f.diags.n_errors == 2);
    free(text);
    text = repeat("x", "y", 5000000, " = 1");
    parse(&f, text, &status);
    SG_CHECK(status == SG_OK);
    free(text);
    text = repeat("", ")", 1000000, "");
    parse(&f, text, &status);
    SG_CHECK(status == SG_ERR_MODEL && f.diags.n_errors < 10);
    free(text);
    text = repeat("", "x = )\n", 200000, "");
    parse(&f, text, &status);
    SG_CHECK(status == SG_ERR_MODEL);
    free(text);
    unmake(&f);
}

SG_TEST(running_out_of_memory_is_reported_and_leaks_nothing)
{
    const char *text = "module M\nx = [1 2; 3 4] + \"a$(b)c\"\nf(x) = :[a = b\n c = d]\nend";
    for (uint64_t n = 1; n < 400; n++) {
        sg_test_allocator test;
        sg_test_allocator_init(&test, n);
        sg_sources sources;
        sg_diags diags;
        sg_arena arena;
        sg_sources_init(&sources, NULL);
        sg_diags_init(&diags, NULL);
        sg_arena_init(&arena, &test.allocator);
        sg_symbols *symbols = sg_symbols_create(sg_allocator_default());
        sg_ast *ast;
        uint32_t file = sg_sources_add(&sources, "t", text, strlen(text));
        sg_status status =
            sg_parse(&sources, file, symbols, &arena, &diags, (sg_parser_options){0}, &ast);
        bool finished = test.requests < n;
        SG_CHECK(status == (finished ? SG_OK : SG_ERR_MEMORY));
        sg_arena_destroy(&arena);
        SG_CHECK(test.live_blocks == 0);
        sg_symbols_destroy(symbols);
        sg_diags_destroy(&diags);
        sg_sources_destroy(&sources);
        if (finished)
            break;
    }
}
