// For the tests of this folder: a model from lines of text (equations/test_model.h), translated,
// compiled, linked, and ready to run. Include harness/sg_test.h before it.
#pragma once

#include "equations/codegen.h"
#include "sim/program_model.h"
#include "sim/record_test.h"

// Each test uses a part of these helpers.
#pragma GCC diagnostic ignored "-Wunused-function"
#include "equations/test_model.h"

typedef struct chain {
    test_model m;
    sg_program *program;
    sg_exec *exec;
    sg_program_model model;
    bool ready;
} chain;

static bool give(const sg_flat_value *v, sg_given *out)
{
    if (v->kind != SG_FLAT_NUMBER && v->kind != SG_FLAT_ARRAY)
        return false;
    out->data = v->numbers;
    out->shape = v->kind == SG_FLAT_NUMBER ? sg_dims_scalar(SG_REAL)
                 : v->cols == 1            ? sg_dims_vector(v->rows)
                                           : sg_dims_matrix(v->rows, v->cols);
    return true;
}
static bool give_par(void *context, uint32_t par, sg_given *out)
{
    chain *c = context;
    return give(&c->m.flat.pars.data[par].value, out);
}
static bool give_start(void *context, uint32_t var, sg_given *out)
{
    chain *c = context;
    return var < c->m.flat.vars.len && give(&c->m.flat.vars.data[var].value, out);
}

// Equations may be added between the two.
static void chain_begin(chain *c, const char *text)
{
    memset(c, 0, sizeof(*c));
    model_begin(&c->m);
    model_parse(&c->m, text);
}

static sg_expr_id chain_name(chain *c, const char *text)
{
    sg_sym sym = sg_sym_intern_text(c->m.symbols, text);
    return sg_expr_var(&c->m.flat.exprs, sg_flat_var_add(&c->m.flat, sym, (sg_span){0}));
}

static void chain_equation(chain *c, const char *left, sg_expr_id right)
{
    sg_flat_eq_add(&c->m.flat, chain_name(c, left), right, (sg_span){0}, (sg_sym){0},
                   SG_EQ_WRITTEN);
}

static void chain_finish(chain *c)
{
    model_translate(&c->m);
    sg_exec_source source = {.context = c, .par = give_par, .start = give_start};
    sg_status status = c->m.status;
    if (status == SG_OK)
        status = sg_codegen(&c->m.flat.exprs, &c->m.structure.blocks, NULL, NULL, &c->m.diags,
                            &c->program);
    if (status == SG_OK) {
        c->exec = sg_exec_create(NULL, c->program, NULL);
        status = sg_exec_link(c->exec, &source, &c->m.diags);
    }
    if (status == SG_OK)
        status = sg_program_model_init(&c->model, NULL, c->exec, "test", 10);
    c->ready = status == SG_OK;
    SG_CHECK_MSG(c->ready, "%s", c->m.diags.len ? c->m.diags.list[0].message : "no message");
}

static void chain_end(chain *c)
{
    if (c->ready)
        sg_program_model_destroy(&c->model);
    sg_exec_destroy(c->exec);
    sg_program_destroy(c->program);
    model_end(&c->m);
}
