// Any call of any built-in function is answered or ends in an error, within its limits.
//
// The input is a text of calls, one a line, each run for itself so that an error ends only its own
// line. Mutation puts calls together from the functions that the modules of the language have
// (asked of a session, so none is forgotten) and from a pool of awkward values and keywords; it
// nests them, too. Values that take time to make are made only where a line names them.
#include "mutate.h"
#include "segue/session.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES = 2048, MOST_LINES = 12, LONGEST_LINE = 1024, LONGEST_TEXT = 65536 };

static const char *const values[] = {"0",
                                     "1",
                                     "-1",
                                     "2",
                                     "3",
                                     "7",
                                     "typemax(Int)",
                                     "typemin(Int)",
                                     "1.5",
                                     "-0.0",
                                     "NaN",
                                     "Inf",
                                     "-Inf",
                                     "1e300",
                                     "5e-324",
                                     "Float32(1.5)",
                                     "true",
                                     "false",
                                     "nothing",
                                     "missing",
                                     "\"\"",
                                     "\"abc\"",
                                     "\"äö%d\\0\"",
                                     "\"1.5\"",
                                     "\"[1, {}]\"",
                                     "\"%5.2f\"",
                                     ":x",
                                     ":(a + b)",
                                     "'c'",
                                     "()",
                                     "(1,)",
                                     "(1, \"a\")",
                                     "(a = 1, b = 2)",
                                     "1 => 2",
                                     "1:3",
                                     "1:0",
                                     "3:-1:1",
                                     "1:500",
                                     "0.0:0.1:1.0",
                                     "typemin(Int):typemax(Int)÷2:typemax(Int)",
                                     "1:typemax(Int)",
                                     "Any[]",
                                     "Float64[]",
                                     "[1, 2, 3]",
                                     "[1.0, 2.0]",
                                     "[3.0, NaN, 1.0]",
                                     "[1.0 2.0; 3.0 4.0]",
                                     "zeros(0, 3)",
                                     "zeros(3, 0)",
                                     "zeros(2, 2, 2)",
                                     "Any[1, \"a\", :b]",
                                     "[\"a\", \"b\"]",
                                     "[true, false]",
                                     "[[1], [2]]",
                                     "[missing, 1.0]",
                                     "[1.0u\"m\", 2.0u\"m\"]",
                                     "2.0u\"m\"",
                                     "3u\"s\"",
                                     "u\"V\"",
                                     "Int",
                                     "Float64",
                                     "String",
                                     "Any",
                                     "Vector{Float64}",
                                     "Point",
                                     "Point(1, 2)",
                                     "Ref(1)",
                                     "Base",
                                     "stdout",
                                     "x -> x",
                                     "(x, y) -> x",
                                     "() -> 1",
                                     "x -> error(\"no\")",
                                     "sin",
                                     "+",
                                     "typeof",
                                     "Dict(1 => 2)",
                                     "Dict(\"a\" => [1])",
                                     "enumerate([1, 2])",
                                     "zip(1:2, 1:3)",
                                     "(i for i in 1:3)",
                                     ":[a = b, c = d]",
                                     "Model(a = 1)",
                                     "Map(b = Var(init = 1.0))",
                                     "Var(init = 1.0)",
                                     "lag",
                                     "deep",
                                     "itself",
                                     "[itself]",
                                     "(itself, 1)",
                                     "Dict(1 => itself)",
                                     "Object3D(parent = :world)",
                                     "world3",
                                     "RevoluteWithFlange(obj1 = :a, obj2 = :b)",
                                     "Solid(shape = Sphere(diameter = 0.1))",
                                     "SVector{3,Float64}(1, 2, 3)",
                                     "Set([1, 2])",
                                     "big",
                                     "r\"a.c\"",
                                     "MIME(\"text/plain\")",
                                     NULL};
static const char *const keywords[] = {
    "init",  "unit",     "all",       "length",    "step",     "stop",  "by",   "rev",
    "dims",  "stopTime", "interval",  "tolerance", "log",      "merge", "atol", "rtol",
    "base",  "digits",   "sigdigits", "mass",      "diameter", "axis",  "lt",   "keepempty",
    "limit", "count",    "init",      "start",     "value",    "obj1",  "obj2", NULL};

// Each is put before the calls if they name it.
static const struct {
    const char *name, *text;
} before[] = {
    {"Point", "struct Point; x; y; end\n"},
    {"deep", "deep = Any[1]\nfor i in 1:5000; global deep = Any[deep]; end\n"},
    {"itself", "itself = Any[1]\npush!(itself, itself)\n"},
    {"big", "big = \"x\"^100000\n"},
    {"lag", "lag = @instantiateModel(Model(T = 0.2, x = Var(init = 0.3), equations = :[T*der(x) + "
            "x = sin(time)]), unitless = true)\nsimulate!(lag, stopTime = 0.1, interval = 0.05)\n"},
    {"world3", "world3 = Model3D(world = Object3D(feature = Scene()), a = Object3D(parent = "
               ":world))\n"},
};
static const char modules[] =
    "Base, Modia, Modia3D, Statistics, LinearAlgebra, Test, JSON, Printf, "
    "Random";

// ---- running the calls ------------------------------------------------------------------------

static void give_up(const char *why)
{
    fprintf(stderr, "fuzz_calls: %s\n", why);
    abort();
}

static void count_errors(void *context, const sg_diag *diag, const char *rendered)
{
    size_t *n_errors = context;
    (void)rendered;
    *n_errors += diag->severity == SG_ERROR;
}

static sg_session_options tight_options(void)
{
    sg_session_options options = sg_session_options_make();
    options.output_dir = "/dev/null/nowhere";
    options.max_cpu_time = 0.2;
    options.max_memory = (size_t)64 << 20;
    options.max_events = 100;
    return options;
}

static void add(char *text, size_t *n, const char *bytes, size_t length)
{
    if (*n + length < LONGEST_TEXT) {
        memcpy(text + *n, bytes, length);
        *n += length;
    }
}

static void add_text(char *text, size_t *n, const char *more) { add(text, n, more, strlen(more)); }

static bool names(const uint8_t *data, size_t size, const char *word)
{
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= size; i++)
        if (memcmp(data + i, word, length) == 0)
            return true;
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char text[LONGEST_TEXT];
    size_t n = 0, n_errors = 0;
    add_text(text, &n, "using ");
    add_text(text, &n, modules);
    add_text(text, &n, ", StaticArrays\n");
    for (size_t i = 0; i < sizeof before / sizeof before[0]; i++)
        if (names(data, size, before[i].name))
            add_text(text, &n, before[i].text);
    for (size_t i = 0; i < size;) {
        const uint8_t *end = memchr(data + i, '\n', size - i);
        size_t length = end ? (size_t)(end - (data + i)) : size - i;
        add_text(text, &n, "try; ");
        add(text, &n, (const char *)data + i, length);
        add_text(text, &n, "\ncatch; end\n");
        i += length + 1;
    }
    sg_session_options options = tight_options();
    options.report = count_errors;
    options.context = &n_errors;
    sg_session *session;
    if (sg_session_create(NULL, &options, &session) != SG_OK)
        return 0;
    sg_status status = sg_session_run_text(session, "calls.jl", text, n);
    if (status == SG_ERR_INTERNAL)
        give_up("our own mistake");
    if (status != SG_OK && status != SG_ERR_CHECK && n_errors == 0)
        give_up("a failure without a message");
    sg_session_destroy(session);
    return 0;
}

// ---- making calls -----------------------------------------------------------------------------

static char all_names[LONGEST_TEXT];
static const char *functions[MOST_NAMES + 1];

static void keep_output(void *context, const char *text, size_t length)
{
    size_t *n = context;
    if (*n + length < sizeof all_names) {
        memcpy(all_names + *n, text, length);
        *n += length;
    }
}

// What the modules have; `exit`, `sleep` and their like end or hold up the fuzzer itself.
static void find_functions(void)
{
    char script[512];
    snprintf(script, sizeof script,
             "using %s\nfor m in (%s), f in names(m, all = true)\n"
             "if !(getfield(m, f) isa Module) && !(f in [:exit, :sleep, :readline])\n"
             "println(m === Base ? \"\" : string(m, \".\"), f)\nend\nend\n",
             modules, modules);
    size_t n = 0, count = 0;
    sg_session_options options = sg_session_options_make();
    options.write = keep_output;
    options.context = &n;
    sg_session *session;
    if (sg_session_create(NULL, &options, &session) != SG_OK ||
        sg_session_run_text(session, "names.jl", script, strlen(script)) != SG_OK)
        give_up("no names of functions");
    sg_session_destroy(session);
    for (char *name = strtok(all_names, "\n"); name && count < MOST_NAMES;
         name = strtok(NULL, "\n"))
        functions[count++] = name;
    if (count < 100)
        give_up("few functions");
}

static const char *one_of(const char *const *list, mutate_rng *rng)
{
    size_t n = 0;
    while (list[n])
        n++;
    return list[mutate_below(rng, n)];
}

static void put_call(char *line, size_t *n, int depth, mutate_rng *rng);

static void put_value(char *line, size_t *n, int depth, mutate_rng *rng)
{
    if (depth < 2 && mutate_below(rng, 8) == 0)
        put_call(line, n, depth + 1, rng);
    else
        add_text(line, n, one_of(values, rng));
}

static bool is_operator(const char *name)
{
    return ispunct((unsigned char)name[0]) && name[0] != '@' && name[0] != '_';
}

// f(a, b; k = c)
static void put_call(char *line, size_t *n, int depth, mutate_rng *rng)
{
    const char *name = one_of(functions, rng);
    bool quoted = is_operator(name);
    if (*n > LONGEST_LINE)
        return;
    add_text(line, n, quoted ? "(" : "");
    add_text(line, n, name);
    add_text(line, n, quoted ? ")(" : "(");
    size_t n_args = mutate_below(rng, 5), n_keywords = mutate_below(rng, 5) == 0;
    for (size_t i = 0; i < n_args; i++) {
        add_text(line, n, i ? ", " : "");
        put_value(line, n, depth, rng);
    }
    if (n_keywords) {
        add_text(line, n, n_args ? ", " : "");
        add_text(line, n, one_of(keywords, rng));
        add_text(line, n, " = ");
        put_value(line, n, depth, rng);
    }
    add_text(line, n, ")");
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

// A new call, at the end or instead of everything; or a change in the words of what is there.
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    static char line[LONGEST_TEXT];
    static const char *const no_lines[] = {"nothing\n", NULL};
    if (!functions[0])
        find_functions();
    mutate_rng rng = mutate_rng_seeded(seed);
    size_t n_lines = 0, n = 0;
    for (size_t i = 0; i < size; i++)
        n_lines += data[i] == '\n';
    if (mutate_below(&rng, 2) && n_lines > 0) {
        mutate_pool pool = {functions, values, no_lines};
        return mutate_text((char *)data, size, most, &pool, seed);
    }
    put_call(line, &n, 0, &rng);
    add_text(line, &n, "\n");
    if (n_lines >= MOST_LINES || size + n > most)
        size = 0;
    if (n > most)
        return 0;
    memcpy(data + size, line, n);
    return size + n;
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t most, unsigned seed);

size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t most, unsigned seed)
{
    return mutate_splice((const char *)a, a_size, (const char *)b, b_size, (char *)out, most, seed);
}
