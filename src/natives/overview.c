#include "natives/overview.h"

#include "lang/print.h"
#include "lang/runtime.h"
#include "natives/natives.h"

#include <stdio.h>
#include <string.h>

enum { NAME = 512, DEEPEST = 16, MOST_NUMBERS = 12 };

typedef struct writer {
    sg_model_object *model;
    sg_vm *vm;
    sg_buf *out;
    size_t n;      // lines so far
    bool starts;   // start values are wanted, else parameters
    int width;     // of names; they are measured in a first pass
    char try[160]; // the first plain number, as an option
} writer;

static const char *text_of(const writer *w, sg_sym symbol) { return sg_vm_text(w->vm, symbol); }

static const char *key_of(const writer *w, const sg_dict_entry *e)
{
    return e->key.tag == SG_SYMBOL ? text_of(w, e->key.sym) : "_";
}

static void join(char out[NAME], const char *path, const char *name)
{
    snprintf(out, NAME, "%s%s%s", path, path[0] ? "." : "", name);
}

static sg_value entry_of(const writer *w, const sg_dict *d, const char *key)
{
    sg_dict_entry e;
    for (size_t at = 0; sg_dict_next(d, &at, &e);)
        if (strcmp(key_of(w, &e), key) == 0)
            return e.value;
    return SG_VALUE_NOTHING;
}

// ---- parts ----------------------------------------------------------------------------------

// A part made of a Model of the library or the file still has its list of equations or connections.
static const char *find_kind(const writer *w, const sg_module *module, const char *key,
                             sg_value equations)
{
    for (size_t i = 0; i < module->cells.len; i++) {
        const sg_cell *cell = (const sg_cell *)(uintptr_t)module->cells.entries[i].value;
        if (!sg_is(cell->value, SG_OBJ_DICT))
            continue;
        sg_value own = entry_of(w, (sg_dict *)cell->value.o, key);
        if (own.tag == equations.tag && own.tag == SG_OBJECT && own.o == equations.o)
            return text_of(w, cell->name);
    }
    return module->parent && module->parent != module ? find_kind(w, module->parent, key, equations)
                                                      : "";
}

static const char *kind_of(const writer *w, const sg_dict *d)
{
    sg_value made = entry_of(w, d, "_constructor");
    if (sg_is(made, SG_OBJ_DICT))
        made = entry_of(w, (sg_dict *)made.o, "value");
    if (made.tag == SG_SYMBOL)
        return text_of(w, made.sym);
    if (entry_of(w, d, "_buildFunction").tag != SG_NOTHING)
        return "Model3D";
    static const char *const keys[] = {"equations", "connect"};
    for (int i = 0; i < 2; i++) {
        sg_value list = entry_of(w, d, keys[i]);
        if (list.tag == SG_OBJECT)
            return find_kind(w, w->model->instance.module, keys[i], list);
    }
    return "";
}

static bool is_connector(const writer *w, const sg_dict *d)
{
    sg_dict_entry e;
    for (size_t at = 0; sg_dict_next(d, &at, &e);)
        if (sg_is(e.value, SG_OBJ_DICT)) {
            const sg_dict *inner = (sg_dict *)e.value.o;
            if (entry_of(w, inner, "flow").tag == SG_BOOL ||
                entry_of(w, inner, "potential").tag == SG_BOOL)
                return true;
        }
    return false;
}

// Models, and elements of 3D parts; not what these are made of.
static bool is_part(const writer *w, const sg_dict_entry *e)
{
    if (!sg_is(e->value, SG_OBJ_DICT) || key_of(w, e)[0] == '_')
        return false;
    const sg_dict *d = (sg_dict *)e->value.o;
    bool model = strcmp(text_of(w, d->class_), "Model") == 0;
    return (model && !is_connector(w, d)) || (!model && kind_of(w, d)[0]);
}

static void widen(writer *w, const char *name)
{
    int length = (int)strlen(name);
    w->width = length > w->width ? (length < 40 ? length : 40) : w->width;
}

static void put_parts(writer *w, const sg_dict *d, const char *path, int depth)
{
    sg_dict_entry e;
    for (size_t at = 0; depth < DEEPEST && sg_dict_next(d, &at, &e);) {
        if (!is_part(w, &e))
            continue;
        char name[NAME];
        join(name, path, key_of(w, &e));
        const sg_dict *inner = (sg_dict *)e.value.o;
        const char *kind = kind_of(w, inner);
        bool model = strcmp(text_of(w, inner->class_), "Model") == 0, first = true;
        if (!w->out) {
            widen(w, name);
        } else {
            if (w->n++ == 0)
                sg_buf_puts(w->out, "\nparts\n");
            sg_buf_printf(w->out, "  %-*s  %s", w->width, name, kind[0] ? kind : "Model");
        }
        for (int i = 0; w->out && i < 3; i++) { // what joints, forces and frames refer to
            static const char *const keys[] = {"parent", "obj1", "obj2"};
            sg_value to = entry_of(w, inner, keys[i]);
            if (sg_is(to, SG_OBJ_DICT))
                to = entry_of(w, (sg_dict *)to.o, "value");
            if (to.tag != SG_SYMBOL)
                continue;
            sg_buf_printf(w->out, "%s%s", first ? " on " : ", ", text_of(w, to.sym));
            first = false;
        }
        if (w->out)
            sg_buf_putc(w->out, '\n');
        if (model)
            put_parts(w, inner, name, depth + 1);
    }
}

// ---- values ---------------------------------------------------------------------------------

// Numbers in SI units, as --set takes them; other values as the language writes them.
static void put_value(writer *w, sg_sym full, sg_value value)
{
    sg_instance *instance = &w->model->instance;
    sg_value evaluated = value;
    sg_instance_value(instance, full, &evaluated);
    sg_flat_value numbers;
    sg_sym unit = {0};
    size_t n = 0;
    if (sg_model_numbers(instance, evaluated, &numbers, &unit) && !numbers.truth)
        n = (size_t)numbers.rows * numbers.cols;
    if (n == 0 || n > MOST_NUMBERS || (n > 1 && numbers.matrix)) {
        sg_print_options options = sg_print_defaults();
        options.show = true;
        options.max_items = MOST_NUMBERS;
        options.max_depth = 2;
        sg_print(w->vm, sg_runtime_of(w->vm)->units, evaluated, options, w->out);
        return;
    }
    bool list = numbers.kind != SG_FLAT_NUMBER;
    for (size_t i = 0; i < n; i++)
        sg_buf_printf(w->out, "%s%.10g", i ? ", " : list ? "[" : "", numbers.numbers[i]);
    sg_buf_puts(w->out, list ? "]" : "");
    sg_var_id var = sg_flat_var_find(&instance->flat, full);
    sg_par_id par = sg_flat_par_find(&instance->flat, full);
    if (!unit.i) // equations without units still know them
        unit = var.i   ? sg_flat_var_get(&instance->flat, var)->shown_unit
               : par.i ? instance->flat.pars.data[par.i].shown_unit
                       : unit;
    if (unit.i)
        sg_buf_printf(w->out, " %s", text_of(w, unit));
}

static void put_leaf(writer *w, const char *name, sg_value value, const char *info)
{
    sg_instance *instance = &w->model->instance;
    sg_sym full = sg_model_join(instance, (sg_sym){0}, name);
    bool start = sg_flat_var_find(&instance->flat, full).i != 0;
    // Symbols name other parts, and code is no value.
    if (start != w->starts || value.tag == SG_SYMBOL || value.tag == SG_NOTHING)
        return;
    if (!w->out) {
        widen(w, name);
        return;
    }
    if (w->n++ == 0)
        sg_buf_puts(w->out, w->starts ? "\nstart values\n" : "\nparameters\n");
    sg_buf_printf(w->out, "  %-*s  ", w->width, name);
    put_value(w, full, value);
    if (info[0])
        sg_buf_printf(w->out, "  %s", info);
    sg_buf_putc(w->out, '\n');
    // Something to begin with: no whole number, which often chooses among kinds.
    double number;
    sg_flat_value numbers;
    sg_sym unit = {0};
    if (!w->try[0] && sg_instance_value(instance, full, &value) && value.tag != SG_BOOL &&
        value.tag != SG_INT && !strstr(name, ".feature.") &&
        sg_model_numbers(instance, value, &numbers, &unit) && numbers.kind == SG_FLAT_NUMBER &&
        (number = numbers.numbers[0]) != 0)
        snprintf(w->try, sizeof w->try, "%s=%.6g", name, 2 * number);
}

static void put_values(writer *w, const sg_dict *d, const char *path, int depth)
{
    sg_dict_entry e;
    for (size_t at = 0; depth < DEEPEST && sg_dict_next(d, &at, &e);) {
        char name[NAME];
        if (key_of(w, &e)[0] == '_' || strcmp(key_of(w, &e), "canCollide") == 0)
            continue;
        join(name, path, key_of(w, &e));
        if (!sg_is(e.value, SG_OBJ_DICT)) {
            put_leaf(w, name, e.value, "");
            continue;
        }
        const sg_dict *inner = (sg_dict *)e.value.o;
        sg_value value = entry_of(w, inner, "value"), info = entry_of(w, inner, "info");
        const char *words = sg_text_of(w->vm, info);
        if (value.tag != SG_NOTHING)
            put_leaf(w, name, value, words ? words : "");
        else
            put_values(w, inner, name, depth + 1);
    }
}

// Once for each name and reason.
static bool was_put(const sg_flat *flat, size_t i)
{
    const sg_flat_func *f = &flat->funcs.data[i];
    for (size_t k = 1; k < i; k++) {
        const sg_flat_func *g = &flat->funcs.data[k];
        if (sg_sym_equal(f->name, g->name) && !g->body && g->why_no_body &&
            strcmp(f->why_no_body, g->why_no_body) == 0)
            return true;
    }
    return false;
}

void sg_model_put_calls(const sg_model_object *m, sg_buf *out)
{
    const sg_flat *flat = &m->instance.flat;
    size_t n = 0;
    for (size_t i = 1; i < flat->funcs.len; i++) {
        const sg_flat_func *f = &flat->funcs.data[i];
        if (f->body || !f->why_no_body || f->remembers || was_put(flat, i))
            continue;
        if (n++ == 0)
            sg_buf_puts(out, "\nfunctions that are called while the simulation runs, and are no "
                             "part of its program\n");
        sg_buf_printf(out, "  %s: because %s\n", sg_sym_text(flat->symbols, f->name),
                      f->why_no_body);
    }
}

void sg_model_overview(sg_model_object *m, const char *name, sg_buf *out)
{
    sg_instance *instance = &m->instance;
    writer w = {.model = m, .vm = instance->vm, .width = 4};
    if (!sg_is(instance->model, SG_OBJ_DICT) || !sg_is(instance->parameters, SG_OBJ_DICT))
        return;
    const sg_dict *values = (sg_dict *)instance->parameters.o;
    put_parts(&w, (sg_dict *)instance->model.o, "", 0);
    for (int pass = 0; pass < 2; pass++, w.starts = !w.starts)
        put_values(&w, values, "", 0);
    w.out = out;
    sg_buf_printf(out, "%s: instantiated from %s, %zu equations, %zu parameters\n", name,
                  sg_vm_text(w.vm, instance->name), instance->flat.eqs.len - 1,
                  instance->flat.pars.len - 1);
    put_parts(&w, (sg_dict *)instance->model.o, "", 0);
    for (int pass = 0; pass < 2; pass++, w.starts = !w.starts) {
        w.n = 0;
        put_values(&w, values, "", 0);
    }
    sg_model_put_calls(m, out);
    if (m->n_parts)
        sg_buf_puts(out, "\n3D elements count in m, kg, s and rad.\n");
    if (w.try[0])
        sg_buf_printf(out,
                      "\nvary one: segue run --set %s FILE (SI units, or 5u\"mm\"); the same by "
                      "merge of simulate!\n",
                      w.try);
}
