#include "program/native.h"

#include "program/exec.h"
#include "program/fused.h"

#include <string.h>

enum {
    LEAST_ROW = 4,    // entries that are worth a call, unless there are arrays among them
    LONGEST_ROW = 400 // entries in one function; compilers take longer than linear
};

static const char preamble[] =
    "double floor(double), ceil(double), trunc(double), rint(double);\n"
    "double pow(double, double), fmod(double, double);\n"
    "#define sqrt(x) __builtin_sqrt(x)\n"
    "#define fabs(x) __builtin_fabs(x)\n"
    "#define copysign(x, y) __builtin_copysign(x, y)\n"
    "static double sg_sign(double x) { return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x; }\n"
    "static double sg_round(double x) { return rint(x); }\n"
    "static double sg_mod(double x, double y)\n"
    "{\n"
    "    double r = fmod(x, y);\n"
    "    if (r == 0.0)\n"
    "        return copysign(r, y);\n"
    "    return (r < 0.0) != (y < 0.0) ? r + y : r;\n"
    "}\n"
    "static double sg_min(double x, double y)\n"
    "{ return x != x ? x : y != y ? y : x < y ? x : y; }\n"
    "static double sg_max(double x, double y)\n"
    "{ return x != x ? x : y != y ? y : x > y ? x : y; }\n"
    "static double choose(double c, double yes, double no)\n"
    "{ return c == 1.0 ? yes : c == 0.0 ? no : c * yes + (1.0 - c) * no; }\n";

// Values of the functions that stand in lists, as they are written there: "sin(x)", "hypot(x, y)".
static const char *const listed[] = {
#define SG_FUNCTION(name, text, value, slope, derivative, units, least, most) #value,
#define SG_FUNCTION_OWN(name, text, value, slope, derivative, units) #value,
#include "base/functions_list.h"
#define SG_FUNCTION2(name, text, value, derivative, size) #value,
#include "base/functions2_list.h"
};

// Those of libm are declared; ours are in no library that the text is linked with.
static void put_prototypes(sg_buf *out)
{
    for (size_t i = 0; i < sizeof listed / sizeof *listed; i++)
        if (strncmp(listed[i], "sg_", 3) != 0)
            sg_buf_printf(out, "double %.*s(double%s);\n", (int)strcspn(listed[i], "("), listed[i],
                          strchr(listed[i], ',') ? ", double" : "");
}

// The expression of x and y that an entry computes, null for those that stay with the interpreter.
static const char *expression_of(uint16_t form)
{
    switch (form) {
#define SG_UNARY(name, expression)                                                                 \
    case SG_L_##name:                                                                              \
    case SG_LV_##name:                                                                             \
        return #expression;
#define SG_BINARY(name, expression)                                                                \
    case SG_L_##name:                                                                              \
    case SG_LV_##name:                                                                             \
        return #expression;
#define SG_OTHER(name)
#include "program/opcodes.h"
#undef SG_UNARY
#undef SG_BINARY
#undef SG_OTHER
    case SG_L_SQUARE:
        return "x * x";
    case SG_L_COPY:
    case SG_LV_COPY:
        return "x";
    case SG_L_SELECT:
    case SG_LV_SELECT:
        return "choose(x, y, z)";
    default:
        return NULL;
    }
}

static bool is_binary(uint16_t form) { return form >= SG_L_ADD && form <= SG_LV_OR; }

static bool is_select(uint16_t form) { return form == SG_L_SELECT || form == SG_LV_SELECT; }

static bool is_native(const sg_linked *c)
{
    const char *text = expression_of(c->form);
    for (size_t i = 0; text && i < sizeof listed / sizeof *listed; i++)
        if (strncmp(listed[i], "sg_", 3) == 0 && strcmp(text, listed[i]) == 0)
            return false;
    return text;
}

static bool is_array(const sg_linked *c)
{
    switch (c->form) {
#define SG_UNARY(name, expression)                                                                 \
    case SG_LV_##name:                                                                             \
        return true;
#define SG_BINARY(name, expression)                                                                \
    case SG_LV_##name:                                                                             \
        return true;
#define SG_OTHER(name)
#include "program/opcodes.h"
#undef SG_UNARY
#undef SG_BINARY
#undef SG_OTHER
    case SG_LV_COPY:
    case SG_LV_SELECT:
        return true;
    default:
        return false;
    }
}

// ---- rows -----------------------------------------------------------------------------------

// Entries that a jump leads to, or where ranges of systems begin and end.
static void mark_borders(const sg_exec *exec, bool *border)
{
    const sg_program *p = exec->program;
    border[exec->steps.dynamics_end] = true;
    for (uint32_t i = 0; i < exec->steps.n; i++)
        if (exec->steps.list[i].form == SG_L_JUMP || exec->steps.list[i].form == SG_L_UNLESS)
            border[exec->steps.list[i].a] = true;
    for (uint32_t k = 0; k < p->systems.len; k++) {
        const sg_system_work *s = &exec->systems[k];
        const uint32_t ends[] = {s->body, s->prep, s->tangent, s->whole_at, s->end};
        for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
            border[ends[i]] = true;
        for (uint32_t i = 0; s->inners && i < p->systems.data[k].n_inner; i++)
            border[s->inners[i].done] = true;
    }
}

static uint32_t find_rows(const sg_exec *exec, const bool *border, sg_native_row *rows)
{
    uint32_t n = 0;
    for (uint32_t i = 0, next; i < exec->steps.n; i = next) {
        bool arrays = false;
        for (next = i; next < exec->steps.n && next - i < LONGEST_ROW; next++) {
            if (!is_native(&exec->steps.list[next]) || (next > i && border[next]))
                break;
            arrays |= is_array(&exec->steps.list[next]);
        }
        if (next - i >= LEAST_ROW || arrays) {
            if (rows)
                rows[n] = (sg_native_row){.at = i, .n = next - i};
            n++;
        }
        next += next == i;
    }
    return n;
}

// ---- loops ----------------------------------------------------------------------------------

static bool apart(uint32_t a, uint32_t n, uint32_t b, uint32_t m)
{
    return a + n <= b || b + m <= a;
}

// May an operand be read in the loop that computes `first` to this entry? It is no result of the
// loop, or exactly the element of this round.
static bool readable(const sg_linked *first, const sg_linked *c, uint32_t at, bool moves)
{
    for (const sg_linked *e = first; e < c; e++)
        if (!apart(e->dst, e->n, at, moves ? c->n : 1) && !(moves && e->dst == at))
            return false;
    return true;
}

static bool joins(const sg_linked *first, const sg_linked *c)
{
    bool two = is_binary(c->form) || is_select(c->form);
    bool moves = two || c->form == SG_LV_COPY ? c->sa : true;
    if (!is_array(c) || c->n != first->n || !readable(first, c, c->a, moves) ||
        (two && !readable(first, c, c->b, c->sb)) ||
        (is_select(c->form) && !readable(first, c, c->c, c->sc)))
        return false;
    for (const sg_linked *e = first; e < c; e++)
        if (!apart(e->dst, e->n, c->dst, c->n))
            return false;
    return true;
}

// ---- who writes ---------------------------------------------------------------------------------

// Who writes the functions. A scope is what a variable in C lives in: a function, or a round of one
// of its loops.
typedef struct native_row {
    const sg_exec *exec;
    sg_buf *out;
    uint32_t *scope;   // per entry, from 1; 0: it is not in a row
    uint32_t *made_in; // per number: the scope that has it as a variable
    bool *needed;      // per number: somebody outside of that scope reads it
    // Per number, as far as the row has come: the one that it is a copy of, and the last entry that
    // wrote it, from 1; 0 outside of the row.
    uint32_t *copy_of, *written;
    uint32_t row_begin; // the first entry of the row, from 1
    bool straight;      // time, states and derivatives are arguments, nothing else is left behind
} native_row;

static void need(native_row *w, uint32_t at, uint64_t n)
{
    for (uint64_t i = at; i < at + n && i < w->exec->n_w; i++)
        w->needed[i] = true;
}

static void need_reg(native_row *w, uint32_t r)
{
    if (r)
        need(w, w->exec->offsets[r], sg_dims_count(w->exec->shapes[r]));
}

// ---- copies -----------------------------------------------------------------------------------

// Shifted rows (u[i-1], vcat(a, u[1:end-1])) are copies that loops read once. Where the original is
// still there the loop reads that, in pieces as far as one original goes, and nobody needs the
// copy.

enum { MOST_PIECES = 6 };

static void begin_row(native_row *w, uint32_t first) { w->row_begin = first + 1; }

static bool is_copied(const native_row *w, uint32_t at)
{
    uint32_t since = w->written[at], from = w->copy_of[at];
    return since >= w->row_begin && from != UINT32_MAX &&
           (w->written[from] < w->row_begin || w->written[from] <= since);
}

// The entry, which is the next one of the row, has been run.
static void note_entry(native_row *w, uint32_t entry)
{
    const sg_linked *c = &w->exec->steps.list[entry];
    bool copies = c->form == SG_L_COPY || c->form == SG_LV_COPY;
    for (uint32_t i = 0; i < (is_array(c) ? c->n : 1); i++) {
        uint32_t from = c->a + (c->form == SG_LV_COPY && c->sa ? i : 0);
        w->copy_of[c->dst + i] = !copies              ? UINT32_MAX
                                 : is_copied(w, from) ? w->copy_of[from]
                                                      : from;
        w->written[c->dst + i] = entry + 1;
    }
}

// Where a number is read in a scope.
static uint32_t original(const native_row *w, uint32_t at, uint32_t scope)
{
    bool here = w->made_in[at] == scope;
    return !here && is_copied(w, at) && w->made_in[w->copy_of[at]] != scope ? w->copy_of[at] : at;
}

typedef struct read_numbers {
    uint32_t at[3];
    bool moves[3];
    int n;
} read_numbers;

static read_numbers operands_of(const sg_linked *c)
{
    bool two = is_binary(c->form) || is_select(c->form), in_loop = is_array(c);
    bool first = in_loop && (two || c->form == SG_LV_COPY ? c->sa : true);
    return (read_numbers){.at = {c->a, c->b, c->c},
                          .moves = {first, in_loop && c->sb, in_loop && c->sc},
                          .n = is_select(c->form) ? 3
                               : two              ? 2
                                                  : 1};
}

// Where a number is if time, states and derivatives are arguments. Rows of originals end where
// another place begins.
typedef enum native_place { IN_WORKSPACE, IN_STATES, IN_DERIVATIVES, IS_TIME } native_place;

static native_place place_of(const native_row *w, uint32_t at)
{
    const sg_exec *exec = w->exec;
    return at - exec->at.x < exec->at.n_x     ? IN_STATES
           : at - exec->at.der < exec->at.n_x ? IN_DERIVATIVES
           : at == exec->at.time              ? IS_TIME
                                              : IN_WORKSPACE;
}

// The end of the piece of a loop that begins at element i: up to there every operand of the entries
// `from` to `to` has its originals in a row.
static uint32_t piece_end(const native_row *w, uint32_t from, uint32_t to, uint32_t i)
{
    uint32_t n = w->exec->steps.list[from].n, end = n;
    for (uint32_t e = from; e < to; e++) {
        read_numbers o = operands_of(&w->exec->steps.list[e]);
        for (int k = 0; k < o.n; k++) {
            uint32_t first = original(w, o.at[k] + i, w->scope[e]);
            for (uint32_t q = i + 1; o.moves[k] && q < end; q++)
                if (original(w, o.at[k] + q, w->scope[e]) != first + (q - i) ||
                    place_of(w, first + (q - i)) != place_of(w, first))
                    end = q;
        }
    }
    return end;
}

// The entry behind the loop that begins with an entry.
static uint32_t loop_end(const native_row *w, uint32_t from, uint32_t row_end)
{
    uint32_t to = from + 1;
    while (to < row_end && w->scope[to] == w->scope[from])
        to++;
    return to;
}

// Is it worth while? Many pieces are longer than the copies that they save.
static bool goes_in_pieces(const native_row *w, uint32_t from, uint32_t to)
{
    uint32_t n = w->exec->steps.list[from].n, pieces = 0;
    for (uint32_t i = 0; i < n && pieces <= MOST_PIECES; pieces++)
        i = piece_end(w, from, to, i);
    return pieces <= MOST_PIECES;
}

// ---- what must be stored --------------------------------------------------------------------

// Read by an entry; within the scope that makes it, that is no reason.
static void need_of_entry(native_row *w, uint32_t entry, bool originals)
{
    const sg_linked *c = &w->exec->steps.list[entry];
    uint32_t scope = w->scope[entry], n = c->n ? c->n : 1;
    read_numbers o = {.at = {c->a, c->b, c->c}, .moves = {true, true, true}, .n = 3};
    if (scope)
        o = operands_of(c);
    for (int k = 0; k < o.n; k++)
        for (uint32_t i = o.at[k]; i < o.at[k] + (o.moves[k] ? n : 1) && i < w->exec->n_w; i++) {
            uint32_t at = originals ? original(w, i, scope) : i;
            w->needed[at] |= !scope || w->made_in[at] != scope;
        }
}

static void need_of_row(native_row *w, const sg_native_row *row)
{
    uint32_t end = row->at + row->n;
    begin_row(w, row->at);
    for (uint32_t i = row->at; i < end;) {
        bool loop = is_array(&w->exec->steps.list[i]);
        uint32_t next = loop ? loop_end(w, i, end) : i + 1;
        bool originals = !loop || goes_in_pieces(w, i, next);
        for (uint32_t e = i; e < next; e++)
            need_of_entry(w, e, originals);
        for (; i < next; i++)
            note_entry(w, i);
    }
}

// The scopes of all rows, and what is made in them.
static void find_scopes(native_row *w, const sg_native_row *rows, uint32_t n)
{
    const sg_exec *exec = w->exec;
    uint32_t scope = 0;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t function = ++scope, end = rows[k].at + rows[k].n;
        const sg_linked *first = NULL;
        for (uint32_t i = rows[k].at; i < end; i++) {
            const sg_linked *c = &exec->steps.list[i];
            if (!is_array(c)) {
                first = NULL;
                w->scope[i] = function;
                w->made_in[c->dst] = function;
                continue;
            }
            if (!first || !joins(first, c)) {
                first = c;
                scope++;
            }
            w->scope[i] = scope;
            for (uint32_t j = 0; j < c->n; j++)
                w->made_in[c->dst + j] = scope;
        }
    }
}

// Of programs without events nobody looks at what is between: only messages do, and they ask for it
// (sg_native_refill). Else every number is stored, like those of systems.
static void find_needed(native_row *w, const sg_native_row *rows, uint32_t n)
{
    const sg_exec *exec = w->exec;
    const sg_program *p = exec->program;
    const sg_event_layout *e = &exec->memories.layout;
    bool all = e->n_positive || e->n_pre || e->n_clock || e->n_previous || e->n_delay ||
               e->n_after || e->n_hold || e->n_sample || p->systems.len;
    memset(w->needed, all, exec->n_w);
    find_scopes(w, rows, n);
    if (all)
        return;
    for (uint32_t i = 0; i < exec->steps.n; i++)
        if (!w->scope[i])
            need_of_entry(w, i, false);
    for (uint32_t k = 0; k < n; k++)
        need_of_row(w, &rows[k]);
    for (uint32_t k = 0; k < exec->n_wides; k++)
        for (uint32_t i = 0; i < exec->wides[k].n_operands; i++)
            need(w, exec->wides[k].offsets[i], sg_dims_count(exec->wides[k].operands[i].shape));
    for (uint32_t v = 1; v < p->n_vars; v++)
        need_reg(w, p->var_regs[v].i);
    for (uint32_t k = 0; k < p->n_extras; k++)
        need_reg(w, p->extra_regs[k].i);
    for (uint32_t i = 0; i < exec->steps.n_wholes; i++)
        need_reg(w, p->steps.data[exec->steps.wholes[i]].dst);
    need(w, exec->at.x, exec->at.n_x);
    need(w, exec->at.der, exec->at.n_x);
}

// ---- text -----------------------------------------------------------------------------------

// Number `at` of the workspace, of element i of a loop where it moves, which began `behind`
// elements before.
static void put_number(const native_row *w, uint32_t at, bool moves, uint32_t behind)
{
    static const char *const names[] = {"w", "states", "der"};
    native_place in = w->straight ? place_of(w, at) : IN_WORKSPACE;
    at -= in == IN_STATES ? w->exec->at.x : in == IN_DERIVATIVES ? w->exec->at.der : 0;
    if (in == IS_TIME)
        sg_buf_puts(w->out, "time");
    else if (moves && at >= behind)
        sg_buf_printf(w->out, "%s[%uu + i]", names[in], at - behind);
    else if (moves)
        sg_buf_printf(w->out, "%s[i - %uu]", names[in], behind - at);
    else
        sg_buf_printf(w->out, "%s[%u]", names[in], at);
}

// A number is there as a variable if its scope has come to it. In a piece of a loop that begins at
// element `begin` its elements are those of the original.
static void put_operand(const native_row *w, const char *name, uint32_t at, bool moves,
                        uint32_t scope, const uint32_t *begin)
{
    uint32_t i = moves && begin ? *begin : 0;
    uint32_t from = begin ? original(w, at + i, scope) : at;
    sg_buf_printf(w->out, "%s = ", name);
    if (w->made_in[at] == scope)
        sg_buf_printf(w->out, "t%u", at);
    else
        put_number(w, from, moves, i);
}

static bool is_needed(const native_row *w, const sg_linked *c)
{
    bool needed = false;
    for (uint32_t i = 0; i < (is_array(c) ? c->n : 1) && !needed; i++)
        needed = w->needed[c->dst + i];
    return needed;
}

static void put_entry(native_row *w, const sg_linked *c, uint32_t scope, const uint32_t *begin)
{
    static const char *const names[] = {"x", "y", "z"};
    sg_buf *out = w->out;
    read_numbers o = operands_of(c);
    sg_buf_printf(out, "    double t%u; { double ", c->dst);
    for (int k = 0; k < o.n; k++) {
        sg_buf_puts(out, k ? ", " : "");
        put_operand(w, names[k], o.at[k], o.moves[k], scope, begin);
    }
    sg_buf_printf(out, "; t%u = %s; }", c->dst, expression_of(c->form));
    if (is_needed(w, c)) {
        sg_buf_putc(out, ' ');
        put_number(w, c->dst, is_array(c), 0);
        sg_buf_printf(out, " = t%u;", c->dst);
    }
    sg_buf_putc(out, '\n');
    w->made_in[c->dst] = scope;
}

// The entries `from` to `to` as one loop, or a few one after the other.
static void put_loop(native_row *w, uint32_t from, uint32_t to)
{
    const sg_linked *code = w->exec->steps.list;
    uint32_t n = code[from].n, scope = w->scope[from];
    bool pieces = goes_in_pieces(w, from, to);
    for (uint32_t i = 0, end; i < n; i = end) {
        for (uint32_t e = from; e < to; e++)
            w->made_in[code[e].dst] = 0;
        end = pieces ? piece_end(w, from, to, i) : n;
        sg_buf_printf(
            w->out, "#pragma GCC ivdep\n    for (unsigned long i = %uu; i < %uu; i++) {\n", i, end);
        for (uint32_t e = from; e < to; e++)
            put_entry(w, &code[e], scope, pieces ? &i : NULL);
        sg_buf_puts(w->out, "    }\n");
    }
}

// Array steps in a row are one loop where no step needs another element than its own.
static void put_row(native_row *w, const sg_native_row *row)
{
    static const uint32_t none = 0;
    uint32_t end = row->at + row->n;
    begin_row(w, row->at);
    for (uint32_t i = row->at; i < end;) {
        bool loop = is_array(&w->exec->steps.list[i]);
        uint32_t next = loop ? loop_end(w, i, end) : i + 1;
        if (loop)
            put_loop(w, i, next);
        else
            put_entry(w, &w->exec->steps.list[i], w->scope[i], &none);
        for (; i < next; i++)
            note_entry(w, i);
    }
}

static void forget_rows(native_row *w)
{
    memset(w->made_in, 0, w->exec->n_w * sizeof *w->made_in);
    memset(w->written, 0, w->exec->n_w * sizeof *w->written);
}

// Is one row all of the dynamics? Then there are no events, systems, calls or asserts among them,
// and integers are looked at when all variables are evaluated.
static bool is_straight(const sg_exec *exec, const sg_native_row *rows)
{
    return rows[0].at == 0 && rows[0].n == exec->steps.dynamics_end;
}

// Derivatives that no entry writes depend on parameters alone.
static void put_fixed_derivatives(native_row *w)
{
    uint32_t at = w->exec->at.der, n = w->exec->at.n_x;
    for (uint32_t i = 0, end; i < n; i = end) {
        bool fixed = !w->written[at + i];
        for (end = i + 1; end < n && !w->written[at + end] == fixed;)
            end++;
        if (fixed)
            sg_buf_printf(w->out,
                          "    for (unsigned long i = %uu; i < %uu; i++) der[i] = w[%uu + i];\n", i,
                          end, at);
    }
}

// The first row once more, from arguments to derivatives. It keeps in the workspace only what its
// own loops hand on to each other.
static void put_straight(native_row *w, const sg_native_row *row)
{
    forget_rows(w);
    find_scopes(w, row, 1);
    memset(w->needed, 0, w->exec->n_w);
    need_of_row(w, row);
    need(w, w->exec->at.der, w->exec->at.n_x);
    forget_rows(w);
    w->straight = true;
    sg_buf_puts(w->out, "static int straight(double *restrict w, double time,\n"
                        "    const double *restrict states, double *restrict der)\n{\n");
    put_row(w, row);
    put_fixed_derivatives(w);
    sg_buf_puts(w->out, "    return 0;\n}\n");
    w->straight = false;
}

static void put_program(native_row *w, const sg_native_row *rows, uint32_t n)
{
    bool straight = is_straight(w->exec, rows);
    put_prototypes(w->out);
    sg_buf_puts(w->out, preamble);
    find_needed(w, rows, n);
    forget_rows(w);
    for (uint32_t k = 0; k < n; k++) {
        sg_buf_printf(w->out, "static void row%u(double *restrict w)\n{\n", k);
        put_row(w, &rows[k]);
        sg_buf_puts(w->out, "}\n");
    }
    if (straight)
        put_straight(w, &rows[0]);
    sg_buf_puts(w->out, "void (*const " SG_NATIVE_TABLE "[])(double *) = {\n");
    for (uint32_t k = 0; k < n; k++)
        sg_buf_printf(w->out, "    row%u,\n", k);
    if (straight)
        sg_buf_puts(w->out, "    (void (*)(double *))straight,\n");
    sg_buf_puts(w->out, "};\n");
}

bool sg_native_attach(sg_exec *exec, const sg_native_host *host)
{
    sg_arena *arena = &exec->arena;
    bool *border = SG_NEW_ARRAY(arena, bool, exec->steps.n + 2);
    exec->native.rows = NULL;
    exec->native.n_rows = 0;
    exec->native.straight = NULL;
    if (!border)
        return false;
    mark_borders(exec, border);
    uint32_t n = find_rows(exec, border, NULL);
    if (n == 0)
        return true;
    sg_buf text;
    sg_buf_init(&text, exec->allocator);
    sg_native_row *rows = SG_NEW_ARRAY(arena, sg_native_row, n + 1);
    uint32_t *row_of = SG_NEW_ARRAY(arena, uint32_t, exec->steps.n + 1);
    native_row w = {.exec = exec,
                    .out = &text,
                    .scope = SG_NEW_ARRAY(arena, uint32_t, exec->steps.n + 1),
                    .made_in = SG_NEW_ARRAY(arena, uint32_t, exec->n_w + 1),
                    .copy_of = SG_NEW_ARRAY(arena, uint32_t, exec->n_w + 1),
                    .written = SG_NEW_ARRAY(arena, uint32_t, exec->n_w + 1),
                    .needed = SG_NEW_ARRAY(arena, bool, exec->n_w + 1)};
    if (!arena->failed) {
        find_rows(exec, border, rows);
        put_program(&w, rows, n);
    }
    bool ok = !arena->failed && !text.failed;
    sg_native_function *const *functions =
        ok ? host->compile(host->context, sg_buf_text(&text), text.len) : NULL;
    sg_buf_free(&text);
    for (uint32_t k = 0; functions && k < n; k++) {
        rows[k].run = functions[k];
        row_of[rows[k].at] = k;
        exec->steps.list[rows[k].at].run = SG_NATIVE_RUN;
    }
    if (functions) {
        exec->native.rows = rows;
        exec->native.n_rows = n;
        exec->native.row_of = row_of;
        if (is_straight(exec, rows))
            exec->native.straight = (sg_native_straight *)(void (*)(void))functions[n];
    }
    return ok;
}

void sg_native_refill(sg_exec *exec)
{
    for (uint32_t k = 0; k < exec->native.n_rows; k++) {
        const sg_native_row *row = &exec->native.rows[k];
        exec->steps.list[row->at].run = exec->steps.list[row->at].form;
        sg_run_range(exec, row->at, row->at + row->n);
        exec->steps.list[row->at].run = SG_NATIVE_RUN;
    }
}
