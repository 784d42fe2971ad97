// For the tests of this folder: a script that defines a model M, and M instantiated.
#pragma once

#include "base/assert.h"
#include "builtins/builtins.h"
#include "harness/sg_test.h"
#include "lang/script.h"
#include "model/instance.h"
#include "symbolic/eval.h"

#include <string.h>

// Each test uses a part of these helpers.
#pragma GCC diagnostic ignored "-Wunused-function"

enum { MAX_WORLD_VARS = 256 };

typedef struct model_world {
    sg_symbols *symbols;
    sg_sources sources;
    sg_diags diags;
    sg_script *script;
    sg_vm *vm;
    sg_instance instance;
    sg_status status;           // of the instantiation
    double var[MAX_WORLD_VARS]; // values of variables by id, for residuals
} model_world;

static void mark_world(sg_vm *vm, void *data)
{
    (void)vm;
    sg_instance_mark(&((model_world *)data)->instance);
}

static const sg_native_class world_class = {.name = "World", .mark = mark_world};

// Runs the script and instantiates its M. To be closed in any case.
static bool open_model_with(const sg_allocator *allocator, model_world *w, const char *text,
                            bool unitless)
{
    memset(w, 0, sizeof *w);
    sg_sources_init(&w->sources, allocator);
    sg_diags_init(&w->diags, allocator);
    w->symbols = sg_symbols_create(allocator);
    w->script = sg_script_create(allocator, w->symbols, &w->sources, &w->diags, sg_limits_default(),
                                 (sg_script_host){.builtins = sg_builtins_register});
    w->vm = sg_script_vm(w->script);
    w->instance.vm = w->vm;
    w->status = sg_script_run_text(w->script, NULL, "test.jl", text, strlen(text), NULL);
    if (w->status != SG_OK) {
        sg_test_fail(__FILE__, __LINE__, "the script fails: %s",
                     w->diags.len ? w->diags.list[0].message : "?");
        return false;
    }
    sg_value self = sg_native_make(w->vm, &world_class, w);
    sg_root_push(w->vm, self); // as long as the machine
    w->status =
        sg_instance_create(&w->instance, w->vm, w->vm->main, self, sg_script_global(w->script, "M"),
                           sg_vm_sym(w->vm, "M"), unitless, (sg_span){0});
    return w->status == SG_OK;
}

static bool open_model(model_world *w, const char *text, bool unitless)
{
    return open_model_with(sg_allocator_default(), w, text, unitless);
}

static void close_model(model_world *w)
{
    sg_instance_destroy(&w->instance);
    sg_script_destroy(w->script);
    sg_diags_destroy(&w->diags);
    sg_sources_destroy(&w->sources);
    sg_symbols_destroy(w->symbols);
}

// A model that must be fine; the test goes on without it.
#define OPEN_MODEL(w, text, unitless)                                                              \
    SG_CHECK_MSG(open_model(w, text, unitless), "%s: %s", text,                                    \
                 (w)->diags.len ? (w)->diags.list[0].message : "?")

// The model must be refused with this code and a message that contains the words.
static void expect_refusal(const char *text, sg_code code, const char *words)
{
    model_world w;
    SG_CHECK_MSG(!open_model(&w, text, false), "nothing wrong in: %s", text);
    bool found = false;
    for (size_t i = 0; i < w.diags.len; i++)
        found |= w.diags.list[i].code == code && strstr(w.diags.list[i].message, words);
    SG_CHECK_MSG(found, "%s: gives %s", text, w.diags.len ? w.diags.list[0].message : "nothing");
    close_model(&w);
}

// An evaluated parameter that is one number, in SI units; NaN if there is none.
static double parameter(model_world *w, const char *name)
{
    sg_value value;
    sg_flat_value numbers;
    sg_sym unit;
    if (!sg_instance_value(&w->instance, sg_vm_sym(w->vm, name), &value) ||
        !sg_model_numbers(&w->instance, value, &numbers, &unit) || numbers.kind != SG_FLAT_NUMBER)
        return (double)NAN;
    return numbers.numbers[0];
}

static sg_var_id variable(model_world *w, const char *name)
{
    return sg_flat_var_find(&w->instance.flat, sg_vm_sym(w->vm, name));
}

static size_t n_equations(const model_world *w) { return w->instance.flat.eqs.len - 1; }

static double var_value(void *context, sg_var_id var)
{
    return ((model_world *)context)->var[var.i];
}

static double par_value(void *context, sg_par_id par)
{
    return ((model_world *)context)->instance.flat.pars.data[par.i].value.numbers[0];
}

static double number_of(model_world *w, sg_expr_id e)
{
    sg_expr_values values = {w, var_value, par_value, 0.0};
    double value;
    return sg_expr_eval(&w->instance.flat.exprs, e, &values, &value) ? value : (double)NAN;
}

// Left minus right side of equation i, from 0, at the values of w->var.
static double residual(model_world *w, size_t i)
{
    const sg_flat_eq *eq = &w->instance.flat.eqs.data[i + 1];
    return number_of(w, eq->lhs) - number_of(w, eq->rhs);
}

static double largest_residual(model_world *w)
{
    double largest = 0.0;
    for (size_t i = 0; i < n_equations(w); i++)
        largest = fmax(largest, fabs(residual(w, i)));
    return largest;
}
