// A program that has no watch of its own, as the command has (cli/watch.h), can end a session: it
// sets `stop` from another thread, or gives a limit, and the session ends within half a second of
// CPU time, whatever it is at. All of it happens by polling.
#include "harness/sg_test.h"
#include "segue/session.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define BEGINS_AFTER 0.15 // CPU time of a session until it is stopped [s]
// From then on [s].
#if defined(__SANITIZE_ADDRESS__) || defined(SG_NO_SANDBOX)
#define MAY_TAKE 2.0
#else
#define MAY_TAKE 0.5
#endif

static const struct {
    const char *name, *text;
} long_scripts[] = {
    {"product", "A = rand(1500, 1500)\nB = A * A\n"},
    {"solve", "A = rand(1500, 1500)\nB = A \\ A\n"},
    {"inverse", "A = rand(1500, 1500)\nB = inv(A)\n"},
    {"determinant", "using LinearAlgebra\nA = rand(2500, 2500)\ndet(A)\n"},
    {"power", "A = rand(900, 900)\nB = A^1000\n"},
    {"join", "s = join(1:10^8)\n"},
    {"zeros", "z = [zeros(10^8) for i in 1:8]\n"},
    {"sort", "x = rand(4 * 10^7); sort!(x); sort!(x, rev = true)\n"},
    {"sort by", "x = rand(4 * 10^6); sort(x, by = v -> -v)\n"},
    {"texts", "x = [rand(10^6) for i in 1:50]; s = string(x)\n"},
    {"broadcast", "x = rand(10^8); y = sin.(x) .+ cos.(x) .* exp.(x)\n"},
    {"comprehension", "x = [sin(i) * cos(j) for i in 1:20000, j in 1:40000]\n"},
    {"sums", "x = rand(5 * 10^7); for i in 1:1000 sum(x); maximum(x) end\n"},
    {"collect", "x = [collect(1:10^8) for i in 1:8]\n"},
    {"replace", "s = repeat(\"abcdefgh\", 10^8); t = replace(s, \"abc\" => \"x\")\n"},
    {"unique", "x = rand(10^7); y = unique(x); z = y[sortperm(y)]\n"},
    {"recursion", "f(n) = n < 2 ? 1 : f(n - 1) + f(n - 2); f(60)\n"},
    {"reversed", "x = rand(10^8); for i in 1:1000 x = reverse(x) end\n"},
    {"concatenated",
     "x = vcat([rand(1000) for i in 1:10^5]...)\nwhile true; x = vcat(x, x)[1:10^8]; end\n"},
    {"compared", "x = zeros(10^8); for i in 1:1000 x == copy(x) end\n"},
    {"searched", "x = zeros(10^8); for i in 1:1000 findfirst(v -> v > 0, x); 1.0 in x end\n"},
    {"translating",
     "using Modia\nN = 100000\nname(i) = Symbol(\"x\", i)\n"
     "rows = [:(der($(name(i))) = -$(name(i)) + sin($(name(i == 1 ? N : i - 1)))) for i in 1:N]\n"
     "M = Model(equations = :[$(rows...)])\nm = @instantiateModel(M, unitless = true)\n"},
    {"instantiating",
     "using Modia\ninclude(\"$(Modia.modelsPath)/Electric.jl\")\n"
     "row(n) = n == 0 ? Resistor | Map(R = 1.0u\"Ω\") :\n"
     "    Model(a = row(n - 1), b = row(n - 1), p = Pin, n = Pin, connect = :[(p, a.p); (a.n, "
     "b.p); "
     "(b.n, n)])\n"
     "M = Model(row = row(13), V = ConstantVoltage | Map(V = 1.0u\"V\"), g = Ground,\n"
     "          connect = :[(V.p, row.p); (row.n, V.n, g.p)])\nm = @instantiateModel(M)\n"},
    {"initializing",
     "using Modia\nN = 1200\n"
     "M = Model(A = [sin(i*j) for i in 1:N, j in 1:N], b = ones(N), y = Var(start = zeros(N)),\n"
     "          x = Var(init = 0.5), equations = :[der(x) = -x + b'*y; A*y + 0.1*sin.(y) = x*b])\n"
     "m = @instantiateModel(M, unitless = true)\nsimulate!(m, stopTime = 1.0)\n"},
    {"a large matrix",
     "using Modia\nN = 1500\n"
     "M = Model(A = [sin(i*j)/N for i in 1:N, j in 1:N], x = Var(init = ones(N)),\n"
     "          equations = :[der(x) = A*x - 1000.0*x])\n"
     "m = @instantiateModel(M, unitless = true)\nsimulate!(m, stopTime = 1000.0)\n"},
    {"long steps",
     "using Modia\nN = 400\n"
     "M = Model(A = [sin(i*j)/N for i in 1:N, j in 1:N], x = Var(init = ones(N)),\n"
     "          equations = :[der(x) = A*x - 1000.0*x])\n"
     "m = @instantiateModel(M, unitless = true)\nsimulate!(m, Tsit5(), stopTime = 1000.0)\n"},
    {"points",
     "using Modia\nM = Model(x = Var(init = 1.0), equations = :[der(x) = -x; y = sin(1e4*time)])\n"
     "m = @instantiateModel(M, unitless = true)\nsimulate!(m, stopTime = 1.0, interval = 1e-8)\n"},
};

typedef struct host {
    volatile sig_atomic_t stop;
    atomic_bool over;
    double begin, stopped; // CPU time of the process [s]
    int n_errors;
    char last[400];
} host;

static double cpu_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void keep_error(void *context, const sg_diag *diag, const char *rendered)
{
    host *h = context;
    if (diag->severity != SG_ERROR)
        return;
    h->n_errors++;
    snprintf(h->last, sizeof h->last, "%s", rendered);
}

static void *press_the_key(void *context)
{
    host *h = context;
    while (!h->over && cpu_time() - h->begin < BEGINS_AFTER)
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    h->stopped = cpu_time();
    h->stop = SG_STOP_INTERRUPT;
    return NULL;
}

static int run(host *h, sg_session_options *options, const char *text)
{
    sg_session *session;
    options->report = keep_error;
    options->context = h;
    if (sg_session_create(NULL, options, &session) != SG_OK)
        return -1;
    sg_session_run_text(session, "long.jl", text, strlen(text));
    int status = sg_session_exit_status(session);
    sg_session_destroy(session);
    return status;
}

static void stop_each(bool check_only)
{
    for (size_t i = 0; i < sizeof long_scripts / sizeof long_scripts[0]; i++) {
        host h = {.begin = cpu_time()};
        sg_session_options options = sg_session_options_make();
        options.stop = &h.stop;
        options.check_only = check_only;
        if (check_only && strstr(long_scripts[i].text, "simulate!"))
            continue;
        pthread_t thread;
        SG_REQUIRE(pthread_create(&thread, NULL, press_the_key, &h) == 0);
        int status = run(&h, &options, long_scripts[i].text);
        double took = cpu_time() - h.stopped;
        h.over = true;
        pthread_join(thread, NULL);
        const char *name = long_scripts[i].name;
        SG_CHECK_MSG(status == 130 && h.n_errors == 1, "%s: status %d, %d errors, %s", name, status,
                     h.n_errors, h.last);
        SG_CHECK_MSG(strncmp(h.last, "long.jl:", 8) == 0 && strstr(h.last, "interrupted"),
                     "%s: no place, or another message: %s", name, h.last);
        SG_CHECK_MSG(took < MAY_TAKE, "%s: went on for %g s", name, took);
    }
}

// ---- where it is
// ---------------------------------------------------------------------------------

typedef struct onlooker {
    const sg_session *session;
    atomic_bool over;
    int n_seen, n_wrong;
} onlooker;

// The text of number k says something in line k + 1.
static void *look_on(void *context)
{
    onlooker *o = context;
    while (!o->over) {
        const char *file;
        unsigned line, column, number;
        if (!sg_session_place(o->session, &file, &line, &column))
            continue;
        o->n_seen++;
        if (sscanf(file, "text%u", &number) != 1 || (line != 1 && line != number + 1))
            o->n_wrong++;
    }
    return NULL;
}

SG_TEST(another_thread_asks_where_a_session_is)
{
    enum { TEXTS = 3000, MOST = 50 };
    onlooker o = {0};
    sg_session_options options = sg_session_options_make();
    sg_session *session;
    SG_REQUIRE(sg_session_create(NULL, &options, &session) == SG_OK);
    o.session = session;
    pthread_t thread;
    SG_REQUIRE(pthread_create(&thread, NULL, look_on, &o) == 0);
    for (unsigned k = 0; k < TEXTS; k++) {
        char name[32], text[MOST + 32];
        memset(text, '\n', MOST);
        snprintf(name, sizeof name, "text%u", k % MOST);
        snprintf(text + k % MOST, sizeof text - MOST, "x = abs(%u)\n", k);
        SG_CHECK(sg_session_run_text(session, name, text, strlen(text)) == SG_OK);
    }
    o.over = true;
    pthread_join(thread, NULL);
    sg_session_destroy(session);
    SG_CHECK_MSG(o.n_wrong == 0, "%d of %d places are wrong", o.n_wrong, o.n_seen);
}

SG_TEST(a_host_ends_whatever_a_session_is_at) { stop_each(false); }
SG_TEST(a_host_ends_whatever_a_session_checks) { stop_each(true); }

// A limit strikes anywhere on the way: there is one message, and it is the truth.
SG_TEST(a_limit_is_told_wherever_it_strikes)
{
    const char *text =
        "using Modia3D\n"
        "Link = Model(L = 0.1, rod = Object3D(feature = Solid(massProperties = MassProperties(\n"
        "    mass = 1.0, Ixx = 0.1, Iyy = 0.1, Izz = 0.1))),\n"
        "    tip = Object3D(parent = :rod, translation = :[L, 0.0, 0.0]))\n"
        "chain(n) = n == 0 ? Model(first = Link) :\n"
        "    Model(first = Link, left = chain(n - 1), right = chain(n - 1),\n"
        "        turn = Revolute(obj1 = :(first.tip), obj2 = :(left.first.rod)),\n"
        "        swing = Revolute(obj1 = :(first.tip), obj2 = :(right.first.rod), axis = 2))\n"
        "M = Model3D(world = Object3D(feature = Scene()), tree = chain(6),\n"
        "    top = Revolute(obj1 = :world, obj2 = :(tree.first.rod), phi = Var(init = 1.0)))\n"
        "m = @instantiateModel(M, unitless = true)\nsimulate!(m, stopTime = 1000.0)\n";
    for (int i = 1; i <= 60; i++) {
        host h = {0};
        sg_session_options options = sg_session_options_make();
        options.max_cpu_time = 0.001 * i;
        int status = run(&h, &options, text);
        SG_CHECK_MSG(status == 6 && h.n_errors == 1 && strstr(h.last, "of CPU time was reached"),
                     "after %d ms: status %d, %d errors, %s", i, status, h.n_errors, h.last);
    }
}

SG_TEST(limits_of_time_end_whatever_a_session_is_at)
{
    for (size_t i = 0; i < sizeof long_scripts / sizeof long_scripts[0]; i++) {
        host h = {.begin = cpu_time()};
        sg_session_options options = sg_session_options_make();
        options.max_cpu_time = BEGINS_AFTER;
        int status = run(&h, &options, long_scripts[i].text);
        double took = cpu_time() - h.begin - BEGINS_AFTER;
        const char *name = long_scripts[i].name;
        SG_CHECK_MSG(status == 6 && h.n_errors == 1, "%s: status %d, %d errors, %s", name, status,
                     h.n_errors, h.last);
        SG_CHECK_MSG(strncmp(h.last, "long.jl:", 8) == 0 &&
                         strstr(h.last, "of CPU time was reached"),
                     "%s: no place, or another message: %s", name, h.last);
        SG_CHECK_MSG(took < MAY_TAKE, "%s: went on for %g s", name, took);
    }
}
