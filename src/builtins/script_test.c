#include "lang/script.h"

#include "builtins/builtins.h"
#include "harness/sg_test.h"

#include <stdio.h>
#include <string.h>

typedef struct script_world {
    sg_symbols *symbols;
    sg_sources sources;
    sg_diags diags;
    sg_buf out;
    sg_script *script;
} script_world;

static void collect(void *context, const char *text, size_t length)
{
    sg_buf_add(context, text, length);
}

static bool open_world(script_world *w, const sg_allocator *allocator, sg_limits limits)
{
    memset(w, 0, sizeof *w);
    sg_sources_init(&w->sources, allocator);
    sg_diags_init(&w->diags, allocator);
    sg_buf_init(&w->out, sg_allocator_default());
    w->symbols = sg_symbols_create(allocator);
    sg_script_host host = {
        .context = &w->out, .builtins = sg_builtins_register, .write_out = collect};
    w->script = w->symbols
                    ? sg_script_create(allocator, w->symbols, &w->sources, &w->diags, limits, host)
                    : NULL;
    return w->script != NULL;
}

static void close_world(script_world *w)
{
    sg_script_destroy(w->script);
    if (w->symbols)
        sg_symbols_destroy(w->symbols);
    sg_diags_destroy(&w->diags);
    sg_sources_destroy(&w->sources);
    sg_buf_free(&w->out);
}

static sg_status run(script_world *w, const char *text)
{
    return sg_script_run_text(w->script, NULL, "test.jl", text, strlen(text), NULL);
}

// Runs the text and compares what it prints.
static void expect_output(const char *text, const char *output)
{
    script_world w;
    SG_REQUIRE(open_world(&w, sg_allocator_default(), sg_limits_default()));
    sg_status status = run(&w, text);
    SG_CHECK_MSG(status == SG_OK, "%s: %s", text, w.diags.len ? w.diags.list[0].message : "?");
    SG_SAME_TEXT(sg_buf_text(&w.out), output);
    close_world(&w);
}

// Runs the text, which must fail with this code and a message that contains the words.
static void expect_error(const char *text, sg_code code, const char *words)
{
    script_world w;
    SG_REQUIRE(open_world(&w, sg_allocator_default(), sg_limits_default()));
    SG_CHECK_MSG(run(&w, text) != SG_OK, "no error in: %s", text);
    SG_REQUIRE(w.diags.len > 0);
    SG_CHECK_MSG(w.diags.list[0].code == code && strstr(w.diags.list[0].message, words),
                 "%s gives E%04d %s", text, (int)w.diags.list[0].code, w.diags.list[0].message);
    close_world(&w);
}

SG_TEST(a_loop_at_top_level_assigns_a_global_that_exists)
{
    expect_output("s = 0\nfor i in 1:4\n s += i\nend\nprintln(s)", "10\n");
}

SG_TEST(a_loop_in_a_function_assigns_the_local_of_the_function)
{
    expect_output("x = 5\nfunction f()\n x = 0\n for i in 1:3\n x += i\n end\n x\nend\n"
                  "println(f(), x)",
                  "65\n");
}

SG_TEST(closures_share_the_variables_they_capture)
{
    expect_output("function counter()\n n = 0\n up() = (n += 1)\n get() = n\n (up, get)\nend\n"
                  "up, get = counter()\nup(); up()\nprintln(get())",
                  "2\n");
}

SG_TEST(each_pass_of_a_loop_has_its_own_variable)
{
    expect_output("fs = []\nfor i in 1:3\n push!(fs, () -> i)\nend\nprintln([f() for f in fs])",
                  "[1, 2, 3]\n");
}

SG_TEST(methods_are_chosen_by_the_types_of_the_arguments)
{
    expect_output("f(x::Int) = 1\nf(x::Number) = 2\nf(x) = 3\nf(::Val{true}) = 4\n"
                  "f(x::Vector{Float64}) = 5\nf(::Type{Int}) = 6\n"
                  "println(f(1), f(1.0), f(\"a\"), f(Val(true)), f([1.0]), f(Int), f([1]))",
                  "1234563\n");
}

SG_TEST(a_method_with_the_same_signature_replaces_the_old_one)
{
    expect_output("f(x) = 1\nf(x, y) = 2\nf(x) = 3\nprintln(f(0), f(0, 0))", "32\n");
}

SG_TEST(defaults_may_use_earlier_parameters)
{
    expect_output("f(a, b = 2a; c = a + b) = (a, b, c)\nprintln(f(1), f(1, 1; c = 0))",
                  "(1, 2, 3)(1, 1, 0)\n");
}

SG_TEST(keyword_arguments_can_be_collected_and_spread)
{
    expect_output("g(; x, y = 2) = x * y\nf(args...; kw...) = g(; kw...) + length(args)\n"
                  "println(f(1, 2; x = 3), f(; x = 1, y = 1))",
                  "81\n");
}

SG_TEST(finally_runs_on_every_way_out)
{
    expect_output("function f(k)\n for i in 1:3\n  try\n   k == 1 && return \"r\"\n"
                  "   k == 2 && break\n   k == 3 && error(\"e\")\n  finally\n   print(i)\n  end\n"
                  " end\n \"end\"\nend\n"
                  "println(f(1)); println(f(2)); println(f(4))\n"
                  "try\n f(3)\ncatch e\n println(e.msg)\nend",
                  "1r\n1end\n123end\n1e\n");
}

SG_TEST(thrown_values_arrive_unchanged)
{
    expect_output("try\n throw(42)\ncatch e\n println(e + 1)\nend", "43\n");
}

SG_TEST(equations_concatenate_and_everything_else_is_replaced)
{
    expect_output("A = Model(a = 1, b = Var(init = 1.0), equations = :[x = 1])\n"
                  "B = A | Map(a = 2, b = Var(start = 3.0), c = 4, equations = :[y = 2])\n"
                  "println(B[:a], B[:b], B[:c], B[:equations], A[:a])",
                  "2Var(init = 1.0, start = 3.0)4[\n    x = 1\n    y = 2]1\n");
}

SG_TEST(nothing_deletes_and_redeclare_replaces)
{
    expect_output("A = Model(a = 1, c = Model(x = 1, y = 2))\n"
                  "println(haskey(A | Map(a = nothing), :a))\n"
                  "println(keys((A | Map(c = redeclare | Model(z = 1)))[:c]))\n"
                  "println(keys((A | Map(c = Map(x = nothing)))[:c]))\n"
                  "println(haskey(A | Map(d = Var(init = nothing)), :d))",
                  "false\n[:_redeclare, :z]\n[:y]\nfalse\n");
}

SG_TEST(changing_a_part_of_a_merged_model_leaves_the_base_alone)
{
    expect_output("A = Model(c = Model(x = 1))\nB = A | Map(d = 1)\nB[:c][:x] = 5\n"
                  "println(A[:c][:x], B[:c][:x])",
                  "15\n");
}

SG_TEST(a_scalar_replaces_a_variable_but_a_variable_does_not_replace_a_scalar)
{
    expect_output("println((Model(x = Var(init = 1.0)) | Map(x = 2.0))[:x])\n"
                  "println((Model(x = 2.0) | Map(x = Var(init = 1.0)))[:x])",
                  "2.0\n2.0\n");
}

SG_TEST(arrays_slice_broadcast_and_concatenate)
{
    expect_output("A = [1 2 3; 4 5 6]\nprintln(A[2, 2:end], A[:, 1], A[end], size(A'))\n"
                  "println([1, 2] .+ [10 20], [[1, 2]; 3], [1 2][:, 2])\n"
                  "v = [5, 6, 7]\nv[v .> 5] .= 0\nprintln(v)",
                  "[5, 6][1, 4]6(3, 2)\n[11 21; 12 22][1, 2, 3][2]\n[5, 0, 0]\n");
}

SG_TEST(quotes_take_values_in)
{
    expect_output("L = 2.0\nprintln(:(a + $L * b), eval(:($L + 1)))", "a + 2.0 * b3.0\n");
}

SG_TEST(modules_have_their_own_names)
{
    expect_output("module A\n x = 1\n f() = x + 1\nend\nx = 10\nprintln(A.f(), A.x, x)\n"
                  "using .A\nprintln(f())",
                  "2110\n2\n");
}

SG_TEST(a_name_that_is_not_known_gets_a_suggestion)
{
    expect_error("stopTime = 1\nprintln(stoptime)", SG_E_NAME, "did you mean 'stopTime'");
    expect_error("f(; tolerance = 1) = 1\nf(tolerence = 2)", SG_E_KEYWORD,
                 "did you mean 'tolerance'");
}

SG_TEST(recursion_without_end_is_a_clear_error)
{
    expect_error("f(x) = f(x + 1)\nf(1)", SG_E_LIMIT, "recursion of 'f'");
    expect_error("f(x) = map(f, [x])\nf(1)", SG_E_LIMIT, "nested too deeply");
}

SG_TEST(an_array_that_cannot_exist_is_refused_at_once)
{
    expect_error("zeros(10^14)", SG_E_LIMIT, "memory");
    expect_error("zeros(10^10, 10^10)", SG_E_LIMIT, "memory");
}

SG_TEST(an_uncaught_error_tells_the_calls_that_led_to_it)
{
    script_world w;
    SG_REQUIRE(open_world(&w, sg_allocator_default(), sg_limits_default()));
    SG_CHECK(run(&w, "g(x) = x + missingName\nf(x) = g(x)\nf(1)") == SG_ERR_MODEL);
    SG_REQUIRE(w.diags.len == 3);
    SG_CHECK(w.diags.list[1].severity == SG_NOTE && w.diags.list[2].severity == SG_NOTE);
    SG_SAME_TEXT(w.diags.list[1].message, "called from here: g");
    SG_SAME_TEXT(w.diags.list[2].message, "called from here: f");
    close_world(&w);
}

SG_TEST(tests_are_counted_and_go_on_after_a_failure)
{
    script_world w;
    SG_REQUIRE(open_world(&w, sg_allocator_default(), sg_limits_default()));
    SG_CHECK(run(&w,
                 "@testset \"s\" begin\n @test 1 == 1\n @test 1 == 2\n @test error(\"x\")\n"
                 " @test_skip 1 == 2\n @test_throws ErrorException error(\"y\")\nend\n") == SG_OK);
    sg_test_counts counts = sg_script_tests(w.script);
    SG_CHECK(counts.passed == 2 && counts.failed == 2 && counts.broken == 1);
    SG_CHECK(strstr(sg_buf_text(&w.out), "Pass 2  Fail 2  Broken 1  Total 5") != NULL);
    close_world(&w);
}

SG_TEST(an_error_in_a_test_set_ends_only_the_set)
{
    script_world w;
    SG_REQUIRE(open_world(&w, sg_allocator_default(), sg_limits_default()));
    SG_CHECK(run(&w, "@testset \"s\" begin\n error(\"x\")\n println(\"no\")\nend\n"
                     "println(\"on\")") == SG_OK);
    SG_CHECK(strstr(sg_buf_text(&w.out), "on\n") != NULL);
    SG_CHECK(strstr(sg_buf_text(&w.out), "no\n") == NULL);
    SG_CHECK(sg_script_tests(w.script).failed == 1);
    close_world(&w);
}

SG_TEST(a_function_of_numbers_allocates_nothing)
{
    script_world w;
    SG_REQUIRE(open_world(&w, sg_allocator_default(), sg_limits_default()));
    SG_REQUIRE(run(&w, "function f(x, n)\n s = 0.0\n for i in 1:n\n  s += i * x\n  if s > 100.0\n"
                       "   s = s / 2 - g(s)\n  end\n end\n s\nend\ng(y) = y^2 + 1\n"
                       "f(1.5, 10)") == SG_OK);
    sg_vm *vm = sg_script_vm(w.script);
    sg_value function = sg_script_global(w.script, "f"), out;
    sg_value args[2] = {sg_float(0.5), sg_int(100000)};
    uint64_t before = vm->n_allocations;
    SG_CHECK(sg_call_values(vm, function, args, 2, &out) == SG_OK);
    SG_CHECK_MSG(vm->n_allocations == before, "%llu allocations",
                 (unsigned long long)(vm->n_allocations - before));
    close_world(&w);
}

SG_TEST(a_long_loop_that_makes_garbage_does_not_grow_memory)
{
    script_world w;
    SG_REQUIRE(open_world(&w, sg_allocator_default(), sg_limits_default()));
    SG_REQUIRE(run(&w, "s = 0\nfor i in 1:200000\n t = (i, [i, i + 1], \"text $i\")\n"
                       " s += length(t[2])\nend\nprintln(s)") == SG_OK);
    SG_SAME_TEXT(sg_buf_text(&w.out), "400000\n");
    sg_vm *vm = sg_script_vm(w.script);
    SG_CHECK(vm->n_collections > 0);
    SG_CHECK_MSG(vm->bytes < (size_t)40 << 20, "%zu bytes", vm->bytes);
    close_world(&w);
}

SG_TEST(collecting_at_every_safe_point_changes_nothing)
{
    script_world w;
    SG_REQUIRE(open_world(&w, sg_allocator_default(), sg_limits_default()));
    sg_vm *vm = sg_script_vm(w.script);
    const char *text = "function f(n)\n d = Dict()\n for i in 1:n\n  d[\"k$i\"] = [i, i^2]\n"
                       "  vm_squeeze()\n end\n sum(map(x -> x[2], values(d)))\nend\n"
                       "println(f(50), sort([3, 1, 2]; by = x -> -x), filter(x -> x > 1, [1, 2]))";
    SG_CHECK(run(&w, "vm_squeeze() = nothing") == SG_OK);
    vm->threshold = 1; // until the first collection sets it
    for (int i = 0; i < 20; i++) {
        vm->threshold = 1;
        vm->budget = 0;
        sg_buf_clear(&w.out);
        SG_CHECK(run(&w, text) == SG_OK);
        SG_SAME_TEXT(sg_buf_text(&w.out), "42925[3, 2, 1][2]\n");
    }
    close_world(&w);
}

SG_TEST(a_chain_of_merges_costs_time_linear_in_its_length)
{
    script_world w;
    SG_REQUIRE(open_world(&w, sg_allocator_default(), sg_limits_default()));
    sg_vm *vm = sg_script_vm(w.script);
    const char *text = "m = Model()\nfor i in 1:%d\n global m = m | "
                       "OrderedDict(Symbol(\"k$i\") => i)\nend\nprintln(length(m))";
    uint64_t work[2];
    for (int k = 0; k < 2; k++) {
        char code[256];
        snprintf(code, sizeof code, text, k ? 8000 : 2000);
        uint64_t before = vm->n_allocations;
        SG_CHECK(run(&w, code) == SG_OK);
        work[k] = vm->n_allocations - before;
    }
    // Every copy of the entries would be an allocation of its own size; their number per merge
    // stays the same, and the bytes alive stay linear.
    SG_CHECK_MSG(work[1] < 5 * work[0], "%llu and %llu", (unsigned long long)work[0],
                 (unsigned long long)work[1]);
    SG_CHECK(vm->bytes < (size_t)64 << 20);
    close_world(&w);
}

SG_TEST(a_refused_allocation_is_an_error_and_never_a_crash)
{
    const char *text =
        "f(x; k = 1) = [x, k]\nm = Model(a = 1, equations = :[x = $(2)]) | Map(b = 2)"
        "\nd = Dict(\"a\" => f(1))\ns = \"$(d)\" * \"b\"\n"
        "v = map(x -> x^2, [1, 2, 3])\nprintln(s, v, m)";
    sg_test_allocator count;
    sg_test_allocator_init(&count, 0);
    script_world w;
    SG_REQUIRE(open_world(&w, &count.allocator, sg_limits_default()));
    uint64_t first = count.requests;
    SG_CHECK(run(&w, text) == SG_OK);
    uint64_t last = count.requests;
    close_world(&w);
    SG_CHECK(count.live_blocks == 0);
    for (uint64_t at = first; at <= last; at++) {
        sg_test_allocator failing;
        sg_test_allocator_init(&failing, at);
        if (open_world(&w, &failing.allocator, sg_limits_default()))
            run(&w, text);
        close_world(&w);
        SG_CHECK_MSG(failing.live_blocks == 0, "request %llu leaks %lld blocks",
                     (unsigned long long)at, (long long)failing.live_blocks);
    }
}

SG_TEST(an_interrupted_loop_ends_cleanly)
{
    script_world w;
    volatile sig_atomic_t stop = 1;
    sg_limits limits = sg_limits_default();
    limits.stop = &stop;
    SG_REQUIRE(open_world(&w, sg_allocator_default(), limits));
    SG_CHECK(run(&w, "while true\nend") == SG_ERR_INTERRUPT);
    SG_CHECK(run(&w, "try\n while true\n end\ncatch\n println(\"caught\")\nend") ==
             SG_ERR_INTERRUPT);
    SG_SAME_TEXT(sg_buf_text(&w.out), "");
    close_world(&w);
}

SG_TEST(all_syntax_errors_of_a_file_are_reported_and_nothing_runs)
{
    script_world w;
    SG_REQUIRE(open_world(&w, sg_allocator_default(), sg_limits_default()));
    SG_CHECK(run(&w, "println(1)\nx = (1 +\n)\ny = ]\n") == SG_ERR_MODEL);
    SG_CHECK(w.diags.n_errors >= 2);
    SG_SAME_TEXT(sg_buf_text(&w.out), "");
    close_world(&w);
}

static bool find_length(void *context, sg_sym name, sg_value *out)
{
    const sg_sym *wanted = context;
    *out = sg_float(2.5);
    return name.i == wanted->i;
}

SG_TEST(names_around_an_expression_come_before_globals)
{
    script_world w;
    SG_REQUIRE(open_world(&w, sg_allocator_default(), sg_limits_default()));
    SG_REQUIRE(run(&w, "L = 100\ntwice(x) = 2x\ne = :(twice(L) + 1)") == SG_OK);
    sg_vm *vm = sg_script_vm(w.script);
    sg_sym name = sg_vm_sym(vm, "L");
    const sg_quote *quote = (const sg_quote *)sg_script_global(w.script, "e").o;
    sg_value out;
    SG_CHECK(sg_script_eval_with(w.script, vm->main, quote->root, find_length, &name, &out) ==
             SG_OK);
    SG_CHECK(out.tag == SG_FLOAT && out.d == 6.0);
    close_world(&w);
}
