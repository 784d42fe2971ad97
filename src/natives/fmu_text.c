// The model that stands for an FMU, as text: variables under their names, and equations that call
// the functions of the instance.
#include "base/digits.h"
#include "natives/fmu_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- names --------------------------------------------------------------------------------------

enum { DEEPEST = 20 }; // models inside of models; deeper names become flat

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 128;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Words that mean something else in the language, or in a model.
static bool is_taken(const char *name)
{
    static const char *const words[] = {"baremodule", "begin",
                                        "break",      "catch",
                                        "const",      "continue",
                                        "do",         "else",
                                        "elseif",     "end",
                                        "export",     "false",
                                        "finally",    "for",
                                        "function",   "global",
                                        "if",         "import",
                                        "in",         "isa",
                                        "let",        "local",
                                        "macro",      "module",
                                        "quote",      "return",
                                        "struct",     "true",
                                        "try",        "using",
                                        "while",      "equations",
                                        "connect",    "initialEquations",
                                        "time",       "der",
                                        "init",       "start",
                                        "kind",       "step",
                                        "path"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], name) == 0)
            return true;
    return name[0] == '_' || strncmp(name, "fmu", 3) == 0;
}

// One name between dots: what is no letter or digit becomes _, "u[1]" is u_1.
static void append_part(sg_buf *out, const char *from, size_t n)
{
    size_t begin = out->len;
    for (size_t i = 0; i < n; i++) {
        bool good = is_letter(from[i]) || is_digit(from[i]);
        if (out->len == begin && (is_digit(from[i]) || !good || from[i] == '_'))
            sg_buf_putc(out, 'v');
        if (good)
            sg_buf_putc(out, from[i]);
        else if (out->len && out->text[out->len - 1] != '_' && i + 1 < n)
            sg_buf_putc(out, '_');
    }
    if (out->len == begin)
        sg_buf_putc(out, 'v');
    if (!out->failed && is_taken(out->text + begin))
        sg_buf_putc(out, '_');
}

static bool is_dotted(const char *name)
{
    int dots = 0;
    bool round = false;
    for (const char *at = name; *at; at++) {
        round |= *at == '(' || *at == '\'' || *at == '[';
        dots += *at == '.';
    }
    return dots > 0 && dots < DEEPEST && !round;
}

static void make_name(sg_buf *out, const char *name, bool flat)
{
    sg_buf_clear(out);
    if (flat || !is_dotted(name)) {
        append_part(out, name, strlen(name));
        return;
    }
    for (const char *at = name;;) {
        size_t n = strcspn(at, ".");
        append_part(out, at, n);
        if (!at[n])
            return;
        sg_buf_putc(out, '.');
        at += n + 1;
    }
}

// Does one of them lie inside of the other, or are they the same?
static bool clash(const char *a, const char *b)
{
    size_t n = 0;
    while (a[n] && a[n] == b[n])
        n++;
    return (!a[n] && (!b[n] || b[n] == '.')) || (!b[n] && a[n] == '.');
}

static bool in_model(const sg_foreign_variable *v)
{
    return v->type != SG_FMU_STRING && v->type != SG_FMU_OTHER && !v->constant &&
           (v->causality == SG_FOREIGN_INPUT || v->causality == SG_FOREIGN_OUTPUT ||
            (v->causality == SG_FOREIGN_PARAMETER && v->start));
}

static bool give_names(sg_fmu_component *f, sg_arena *arena)
{
    sg_buf text;
    f->names = SG_NEW_ARRAY(arena, const char *, f->fmu.n_variables + 1);
    if (!f->names)
        return false;
    sg_buf_init(&text, arena->allocator);
    for (uint32_t i = 0; i < f->fmu.n_variables; i++) {
        if (!in_model(&f->fmu.variables[i]))
            continue;
        make_name(&text, f->fmu.variables[i].name, false);
        bool taken = false;
        for (int attempt = 0; attempt < 1000; attempt++) {
            taken = false;
            for (uint32_t k = 0; k < i && !taken; k++)
                taken = f->names[k] && clash(f->names[k], sg_buf_text(&text));
            if (!taken)
                break;
            make_name(&text, f->fmu.variables[i].name, true);
            if (attempt > 0)
                sg_buf_printf(&text, "_%d", attempt + 1);
        }
        f->names[i] = sg_arena_text(arena, sg_buf_text(&text), text.len);
    }
    bool ok = !text.failed && !arena->failed;
    sg_buf_free(&text);
    return ok;
}

// ---- groups -------------------------------------------------------------------------------------

static uint32_t position(const sg_fmu_list *list, uint32_t variable)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (list->variables[i] == variable)
            return i;
    return list->n;
}

// Which inputs an output depends on, as a row of flags.
static void find_dependencies(const sg_fmu_component *f, uint32_t variable, bool *row)
{
    uint32_t n = f->lists.inputs.n;
    memset(row, !f->exchange ? 0 : 1, n * sizeof *row);
    for (uint32_t i = 0; f->exchange && i < f->fmu.n_outputs; i++) {
        const sg_fmu_output *o = &f->fmu.outputs[i];
        if (o->variable != variable || o->all)
            continue;
        memset(row, 0, n * sizeof *row);
        for (uint32_t k = 0; k < o->n_inputs; k++) {
            uint32_t at = position(&f->lists.inputs, o->inputs[k]);
            if (at < n)
                row[at] = true;
        }
    }
}

static bool make_group(sg_fmu_component *f, sg_arena *arena, const bool *rows, uint32_t first,
                       bool *done)
{
    uint32_t n_in = f->lists.inputs.n, n_out = f->lists.outputs.n;
    sg_fmu_group *g = &f->groups[f->n_groups++];
    uint32_t *outputs = SG_NEW_ARRAY(arena, uint32_t, SG_COMPONENT_MOST_RESULTS),
             *inputs = SG_NEW_ARRAY(arena, uint32_t, n_in + 1);
    if (!outputs || !inputs)
        return false;
    *g = (sg_fmu_group){.outputs = outputs, .inputs = inputs};
    const bool *row = rows + (size_t)first * n_in;
    for (uint32_t k = 0; k < n_in; k++)
        if (row[k])
            inputs[g->n_inputs++] = k;
    for (uint32_t o = first; o < n_out && g->n_outputs < SG_COMPONENT_MOST_RESULTS; o++)
        if (!done[o] && memcmp(row, rows + (size_t)o * n_in, n_in * sizeof *row) == 0) {
            outputs[g->n_outputs++] = o;
            done[o] = true;
        }
    return true;
}

static bool make_groups(sg_fmu_component *f, sg_arena *arena)
{
    uint32_t n_in = f->lists.inputs.n, n_out = f->lists.outputs.n;
    sg_arena scratch;
    sg_arena_init(&scratch, arena->allocator);
    bool *rows = SG_NEW_ARRAY(&scratch, bool, (size_t)n_in *n_out + 1),
         *done = SG_NEW_ARRAY(&scratch, bool, n_out + 1);
    f->groups = SG_NEW_ARRAY(arena, sg_fmu_group, n_out + 1);
    bool ok = rows && done && f->groups;
    for (uint32_t o = 0; ok && o < n_out; o++)
        find_dependencies(f, f->lists.outputs.variables[o], rows + (size_t)o * n_in);
    for (uint32_t o = 0; ok && o < n_out; o++)
        if (!done[o])
            ok = make_group(f, arena, rows, o, done);
    sg_arena_destroy(&scratch);
    return ok;
}

sg_status sg_fmu_plan(sg_fmu_component *f, sg_arena *arena, char words[SG_FMU_WORDS])
{
    // A function takes its number besides its inputs.
    if (f->lists.inputs.n >= SG_COMPONENT_MOST_ARGUMENTS) {
        snprintf(words, SG_FMU_WORDS, "it has %u inputs; Segue takes up to %d",
                 (unsigned)f->lists.inputs.n, SG_COMPONENT_MOST_ARGUMENTS - 1);
        return SG_ERR_LIMIT;
    }
    if (!give_names(f, arena) || !make_groups(f, arena))
        return SG_ERR_MEMORY;
    sg_component_function *functions = SG_NEW_ARRAY(arena, sg_component_function, f->n_groups + 1);
    if (!functions)
        return SG_ERR_MEMORY;
    for (uint32_t g = 0; g < f->n_groups; g++)
        functions[g] = (sg_component_function){sg_arena_printf(arena, "fmuOutputs%u", g),
                                               f->groups[g].n_inputs + 1, f->groups[g].n_outputs,
                                               sg_fmu_outputs};
    functions[f->n_groups] =
        (sg_component_function){"fmuDrive", f->lists.inputs.n, 0, sg_fmu_drive};
    f->table.functions = functions;
    f->table.n_functions = f->n_groups + 1;
    return arena->failed ? SG_ERR_MEMORY : SG_OK;
}

// ---- units and numbers --------------------------------------------------------------------------

void sg_fmu_unit_text(const sg_foreign_variable *v, char out[160])
{
    static const char *const bases[] = {"kg", "m", "s", "A", "K", "mol", "cd"};
    size_t n = 0;
    out[0] = '\0';
    for (int i = 0; v->unit && v->unit->known && i < 7; i++)
        if (v->unit->exponent[i])
            n += (size_t)snprintf(out + n, 160 - n, v->unit->exponent[i] == 1 ? "%s%s" : "%s%s^%d",
                                  n ? "*" : "", bases[i], v->unit->exponent[i]);
}

static double in_si(const sg_foreign_variable *v, double x)
{
    return v->unit && v->unit->known ? v->unit->factor * x + v->unit->offset : x;
}

static void write_number(const sg_foreign_variable *v, double x, sg_buf *out)
{
    char digits[40];
    if (v->type == SG_FMU_BOOLEAN) {
        sg_buf_puts(out, x != 0.0 ? "1" : "0");
        return;
    }
    x = in_si(v, x);
    sg_format_shortest(x, digits);
    sg_buf_puts(out, digits);
    bool real = v->type == SG_FMU_FLOAT64 || v->type == SG_FMU_FLOAT32;
    if (real && isfinite(x) && !strpbrk(digits, ".e"))
        sg_buf_puts(out, ".0");
}

static void write_value(const sg_foreign_variable *v, sg_buf *out)
{
    char unit[160];
    if (v->n_dimensions)
        sg_buf_putc(out, '[');
    for (size_t i = 0; i < v->n; i++) {
        if (i)
            sg_buf_puts(out, ", ");
        write_number(v, v->start ? v->start[v->n_start == 1 ? 0 : i] : 0.0, out);
    }
    if (v->n_dimensions)
        sg_buf_putc(out, ']');
    sg_fmu_unit_text(v, unit);
    if (unit[0])
        sg_buf_printf(out, "%su\"%s\"", v->n_dimensions ? "*" : "", unit);
}

// ---- the model ----------------------------------------------------------------------------------

static void write_variable(const sg_foreign_variable *v, sg_buf *out)
{
    if (v->causality == SG_FOREIGN_OUTPUT) {
        char unit[160]; // the start value says what the unit is
        sg_fmu_unit_text(v, unit);
        sg_buf_puts(out, "Var(output = true");
        if (unit[0]) {
            sg_buf_puts(out, ", start = ");
            write_value(v, out);
        }
        sg_buf_puts(out, ")");
    } else if (v->causality == SG_FOREIGN_INPUT) {
        sg_buf_puts(out, "Var(input = true, start = ");
        write_value(v, out);
        sg_buf_puts(out, ")");
    } else {
        write_value(v, out);
    }
}

// All names below `prefix`, in the order of the description, each model inside once.
static void write_level(const sg_fmu_component *f, const char *prefix, size_t length, int depth,
                        sg_buf *out)
{
    for (uint32_t i = 0; i < f->fmu.n_variables && depth <= DEEPEST; i++) {
        const char *name = f->names[i];
        if (!name || strncmp(name, prefix, length) != 0)
            continue;
        size_t n = strcspn(name + length, ".");
        if (!name[length + n]) {
            sg_buf_printf(out, "%s = ", name + length);
            write_variable(&f->fmu.variables[i], out);
            sg_buf_puts(out, ",\n");
            continue;
        }
        bool first = true;
        for (uint32_t k = 0; k < i && first; k++)
            first = !f->names[k] || strncmp(f->names[k], name, length + n + 1) != 0;
        if (!first)
            continue;
        sg_buf_printf(out, "%.*s = Model(\n", (int)n, name + length);
        char inside[1024];
        if (length + n + 1 < sizeof inside) {
            memcpy(inside, name, length + n + 1);
            inside[length + n + 1] = '\0';
            write_level(f, inside, length + n + 1, depth + 1, out);
        }
        sg_buf_puts(out, "),\n");
    }
}

void sg_fmu_write_model(const sg_fmu_component *f, const char *name, sg_buf *out)
{
    sg_buf_printf(out, "componentFunctions | Model(\n_buildOption = \"%s\",\n", name);
    for (uint32_t i = 0; i < f->lists.outputs.n; i++)
        sg_buf_printf(out, "fmuY%u = Var(hideResult = true),\n", i);
    write_level(f, "", 0, 0, out);
    sg_buf_puts(out, ")\n");
}

static void write_input(const sg_fmu_component *f, uint32_t k, sg_buf *out)
{
    uint32_t variable = f->lists.inputs.variables[k];
    char unit[160];
    sg_fmu_unit_text(&f->fmu.variables[variable], unit);
    sg_buf_puts(out, f->names[variable]);
    if (unit[0])
        sg_buf_printf(out, "/u\"%s\"", unit);
}

void sg_fmu_write_equations(const sg_fmu_component *f, sg_buf *out)
{
    for (uint32_t g = 0; g < f->n_groups; g++) {
        const sg_fmu_group *group = &f->groups[g];
        for (uint32_t i = 0; i < group->n_outputs; i++)
            sg_buf_printf(out, "%s%sfmuY%u", group->n_outputs > 1 && i == 0 ? "(" : "",
                          i ? ", " : "", group->outputs[i]);
        sg_buf_printf(out, "%s = fmuOutputs%u(%u.0", group->n_outputs > 1 ? ")" : "", g, g);
        for (uint32_t k = 0; k < group->n_inputs; k++) {
            sg_buf_puts(out, ", ");
            write_input(f, group->inputs[k], out);
        }
        sg_buf_puts(out, ")\n");
    }
    for (uint32_t i = 0; i < f->lists.outputs.n; i++) {
        uint32_t variable = f->lists.outputs.variables[i];
        char unit[160];
        sg_fmu_unit_text(&f->fmu.variables[variable], unit);
        sg_buf_printf(out, unit[0] ? "%s = fmuY%u*u\"%s\"\n" : "%s = fmuY%u\n", f->names[variable],
                      i, unit);
    }
    sg_buf_puts(out, "fmuDrive(");
    for (uint32_t k = 0; k < f->lists.inputs.n; k++) {
        if (k)
            sg_buf_puts(out, ", ");
        write_input(f, k, out);
    }
    sg_buf_puts(out, ")\n");
}
