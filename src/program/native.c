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
    border[exec->dynamics_end] = true;
    for (uint32_t i = 0; i < exec->n_code; i++)
        if (exec->code[i].form == SG_L_JUMP || exec->code[i].form == SG_L_UNLESS)
            border[exec->code[i].a] = true;
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
    for (uint32_t i = 0, next; i < exec->n_code; i = next) {
        bool arrays = false;
        for (next = i; next < exec->n_code && next - i < LONGEST_ROW; next++) {
            if (!is_native(&exec->code[next]) || (next > i && border[next]))
                break;
            arrays |= is_array(&exec->code[next]);
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

// ---- what must be stored --------------------------------------------------------------------

// Who writes the functions. A scope is what a variable in C lives in: a function, or a round of one
// of its loops.
typedef struct native_row {
    const sg_exec *exec;
    sg_buf *out;
    uint32_t *scope;   // per entry, from 1; 0: it is not in a row
    uint32_t *made_in; // per number: the scope that has it as a variable
    bool *needed;      // per number: somebody outside of that scope reads it
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

// Read by an entry; within the scope that makes it, that is no reason.
static void need_of_entry(native_row *w, uint32_t entry)
{
    const sg_linked *c = &w->exec->code[entry];
    uint32_t scope = w->scope[entry], n = c->n ? c->n : 1;
    const uint32_t at[] = {c->a, c->b, c->c};
    for (int k = 0; k < 3; k++)
        for (uint32_t i = at[k]; i < at[k] + n && i < w->exec->n_w; i++)
            w->needed[i] |= !scope || w->made_in[i] != scope;
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
            const sg_linked *c = &exec->code[i];
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
    const sg_event_layout *e = &exec->event_layout;
    bool all = e->n_positive || e->n_pre || e->n_clock || e->n_previous || e->n_delay ||
               e->n_after || e->n_hold || e->n_sample || p->systems.len;
    memset(w->needed, all, exec->n_w);
    find_scopes(w, rows, n);
    if (all)
        return;
    for (uint32_t i = 0; i < exec->n_code; i++)
        need_of_entry(w, i);
    for (uint32_t k = 0; k < exec->n_wides; k++)
        for (uint32_t i = 0; i < exec->wides[k].n_operands; i++)
            need(w, exec->wides[k].offsets[i], sg_dims_count(exec->wides[k].operands[i].shape));
    for (uint32_t v = 1; v < p->n_vars; v++)
        need_reg(w, p->var_regs[v].i);
    for (uint32_t k = 0; k < p->n_extras; k++)
        need_reg(w, p->extra_regs[k].i);
    for (uint32_t i = 0; i < exec->n_whole_steps; i++)
        need_reg(w, p->steps.data[exec->whole_steps[i]].dst);
    need(w, exec->x_at, exec->n_x);
    need(w, exec->der_at, exec->n_x);
}

// ---- text -----------------------------------------------------------------------------------

// A number is there as a variable if its scope has come to it.
static void put_operand(const native_row *w, const char *name, uint32_t at, bool moves,
                        uint32_t scope)
{
    if (w->made_in[at] == scope)
        sg_buf_printf(w->out, "%s = t%u", name, at);
    else
        sg_buf_printf(w->out, moves ? "%s = w[%uu + i]" : "%s = w[%u]", name, at);
}

static bool is_needed(const native_row *w, const sg_linked *c)
{
    bool needed = false;
    for (uint32_t i = 0; i < (is_array(c) ? c->n : 1) && !needed; i++)
        needed = w->needed[c->dst + i];
    return needed;
}

static void put_entry(native_row *w, const sg_linked *c, uint32_t scope)
{
    sg_buf *out = w->out;
    bool two = is_binary(c->form) || is_select(c->form), in_loop = is_array(c);
    bool moves = in_loop && (two || c->form == SG_LV_COPY ? c->sa : true);
    sg_buf_printf(out, "    double t%u; { double ", c->dst);
    put_operand(w, "x", c->a, moves, scope);
    if (two) {
        sg_buf_puts(out, ", ");
        put_operand(w, "y", c->b, in_loop && c->sb, scope);
    }
    if (is_select(c->form)) {
        sg_buf_puts(out, ", ");
        put_operand(w, "z", c->c, in_loop && c->sc, scope);
    }
    sg_buf_printf(out, "; t%u = %s; }", c->dst, expression_of(c->form));
    if (is_needed(w, c))
        sg_buf_printf(out, in_loop ? " w[%uu + i] = t%u;" : " w[%u] = t%u;", c->dst, c->dst);
    sg_buf_putc(out, '\n');
    w->made_in[c->dst] = scope;
}

// Array steps in a row are one loop where no step needs another element than its own.
static void put_row(native_row *w, const sg_native_row *row, uint32_t number)
{
    sg_buf_printf(w->out, "static void row%u(double *restrict w)\n{\n", number);
    const sg_linked *code = w->exec->code, *c = code + row->at, *end = c + row->n;
    while (c < end) {
        uint32_t scope = w->scope[c - code];
        if (!is_array(c)) {
            put_entry(w, c++, scope);
            continue;
        }
        sg_buf_printf(w->out, "#pragma GCC ivdep\n    for (unsigned i = 0; i < %uu; i++) {\n",
                      c->n);
        do
            put_entry(w, c++, scope);
        while (c < end && w->scope[c - code] == scope);
        sg_buf_puts(w->out, "    }\n");
    }
    sg_buf_puts(w->out, "}\n");
}

static void put_program(native_row *w, const sg_native_row *rows, uint32_t n)
{
    put_prototypes(w->out);
    sg_buf_puts(w->out, preamble);
    find_needed(w, rows, n);
    memset(w->made_in, 0, w->exec->n_w * sizeof *w->made_in);
    for (uint32_t k = 0; k < n; k++)
        put_row(w, &rows[k], k);
    sg_buf_puts(w->out, "void (*const " SG_NATIVE_TABLE "[])(double *) = {\n");
    for (uint32_t k = 0; k < n; k++)
        sg_buf_printf(w->out, "    row%u,\n", k);
    sg_buf_puts(w->out, "};\n");
}

bool sg_native_attach(sg_exec *exec, const sg_native_host *host)
{
    sg_arena *arena = &exec->arena;
    bool *border = SG_NEW_ARRAY(arena, bool, exec->n_code + 2);
    exec->rows = NULL;
    exec->n_rows = 0;
    if (!border)
        return false;
    mark_borders(exec, border);
    uint32_t n = find_rows(exec, border, NULL);
    if (n == 0)
        return true;
    sg_buf text;
    sg_buf_init(&text, exec->allocator);
    sg_native_row *rows = SG_NEW_ARRAY(arena, sg_native_row, n + 1);
    uint32_t *row_of = SG_NEW_ARRAY(arena, uint32_t, exec->n_code + 1);
    native_row w = {.exec = exec,
                    .out = &text,
                    .scope = SG_NEW_ARRAY(arena, uint32_t, exec->n_code + 1),
                    .made_in = SG_NEW_ARRAY(arena, uint32_t, exec->n_w + 1),
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
        exec->code[rows[k].at].run = SG_NATIVE_RUN;
    }
    if (functions) {
        exec->rows = rows;
        exec->n_rows = n;
        exec->row_of = row_of;
    }
    return ok;
}

void sg_native_refill(sg_exec *exec)
{
    for (uint32_t k = 0; k < exec->n_rows; k++) {
        const sg_native_row *row = &exec->rows[k];
        exec->code[row->at].run = exec->code[row->at].form;
        sg_run_range(exec, row->at, row->at + row->n);
        exec->code[row->at].run = SG_NATIVE_RUN;
    }
}
