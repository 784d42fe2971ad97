#include "fmu/client.h"

#include "fmu/message.h"
#include "wall/helper.h"

#include <math.h>
#include <stdio.h>

// ---- units --------------------------------------------------------------------------------------

static double factor_of(const sg_foreign_variable *v)
{
    return v->unit && v->unit->known ? v->unit->factor : 1.0;
}

static double offset_of(const sg_foreign_variable *v)
{
    return v->unit && v->unit->known ? v->unit->offset : 0.0;
}

static void to_si(const sg_foreign_variable *v, double *x)
{
    double factor = factor_of(v), offset = offset_of(v);
    if (factor != 1.0 || offset != 0.0)
        for (size_t i = 0; i < v->n; i++)
            x[i] = factor * x[i] + offset;
}

static void from_si(const sg_foreign_variable *v, const double *x, double *out, bool slope)
{
    double factor = factor_of(v), offset = slope ? 0.0 : offset_of(v);
    bool plain = factor == 1.0 && offset == 0.0;
    for (size_t i = 0; i < v->n; i++)
        out[i] = plain ? x[i] : (x[i] - offset) / factor;
}

// Of a list of variables.
static void list_to_si(const sg_fmu_instance *f, const sg_fmu_list *list, double *x)
{
    for (uint32_t i = 0; i < list->n; i++)
        to_si(&f->fmu->variables[list->variables[i]], x + list->first[i]);
}

static void put_inputs(sg_fmu_instance *f, const double *u, bool slope)
{
    const sg_fmu_list *list = &f->lists->inputs;
    for (uint32_t i = 0; i < list->n; i++)
        from_si(&f->fmu->variables[list->variables[i]], u + list->first[i],
                f->room + list->first[i], slope);
    msg_list(f->message, f->room, list->n_elements);
}

static const sg_foreign_variable *state(const sg_fmu_foreign *fmu, uint32_t k)
{
    return &fmu->variables[fmu->variables[fmu->derivatives[k]].derivative_of];
}

static void put_states(sg_fmu_instance *f, const double *x)
{
    size_t at = 0;
    for (uint32_t k = 0; f->exchange && k < f->fmu->n_derivatives; k++) {
        const sg_foreign_variable *v = state(f->fmu, k);
        from_si(v, x + at, f->room + at, false);
        at += v->n;
    }
    msg_list(f->message, f->room, at);
}

static void get_states(sg_fmu_instance *f, sg_msg_reader *in, sg_fmu_point *out)
{
    size_t n = f->exchange ? f->fmu->n_states : 0, at = 0;
    msg_get_list(in, n ? out->x : f->room, n);
    msg_get_list(in, n ? out->nominals : f->room, n);
    for (uint32_t k = 0; n && k < f->fmu->n_derivatives; k++) {
        const sg_foreign_variable *v = state(f->fmu, k);
        to_si(v, out->x + at);
        for (size_t i = 0; i < v->n; i++)
            out->nominals[at + i] = fabs(factor_of(v) * out->nominals[at + i]);
        at += v->n;
    }
}

static void get_point(sg_fmu_instance *f, sg_msg_reader *in, sg_fmu_point *out)
{
    out->terminate = msg_get_u32(in);
    out->next_defined = msg_get_u32(in);
    out->next = msg_get_f64(in);
    get_states(f, in, out);
    msg_get_list(in, out->y, f->lists->outputs.n_elements);
    list_to_si(f, &f->lists->outputs, out->y);
}

// ---- asking -------------------------------------------------------------------------------------

static void begin(sg_fmu_instance *f, sg_fmu_request what)
{
    sg_buf_clear(f->message);
    msg_u32(f->message, what);
    msg_u32(f->message, f->id);
}

static sg_status ask(sg_fmu_instance *f, sg_msg_reader *in)
{
    const void *answer;
    size_t n;
    if (f->message->failed) {
        snprintf(f->words, sizeof f->words, "out of memory");
        return SG_ERR_MEMORY;
    }
    sg_status status = sg_helper_ask_until(f->helper, sg_buf_text(f->message), f->message->len,
                                           &answer, &n, f->words, f->over, f->context);
    if (status == SG_ERR_INTERRUPT)
        snprintf(f->words, sizeof f->words, "the run ends before it has answered");
    *in = (sg_msg_reader){answer, (const char *)answer + (status ? 0 : n), false};
    return status;
}

// An answer that does not have what was asked for.
static sg_status whole(sg_fmu_instance *f, const sg_msg_reader *in)
{
    if (!in->bad && in->at == in->end)
        return SG_OK;
    snprintf(f->words, sizeof f->words, "it gave no answer that makes sense");
    return SG_ERR_IO;
}

sg_status sg_fmu_load(sg_fmu_instance *f, sg_arena *arena, const char *name, const void *bytes,
                      size_t n)
{
    sg_msg_reader in;
    size_t most = f->fmu->n_states;
    most = most > f->lists->inputs.n_elements ? most : f->lists->inputs.n_elements;
    f->message = SG_NEW(arena, sg_buf);
    f->room = SG_NEW_ARRAY(arena, double, most + 1);
    if (!f->message || !f->room)
        return SG_ERR_MEMORY;
    sg_buf_init(f->message, arena->allocator);
    begin(f, SG_FMU_LOAD);
    msg_u32(f->message, f->exchange ? 0 : 1);
    msg_text(f->message, name);
    msg_bytes(f->message, bytes, n);
    sg_status status = ask(f, &in);
    if (status == SG_OK)
        f->id = msg_get_u32(&in);
    sg_buf_free(f->message); // it held the whole file
    sg_buf_init(f->message, arena->allocator);
    return status ? status : whole(f, &in);
}

void sg_fmu_free(sg_fmu_instance *f)
{
    sg_msg_reader in;
    if (f->id) {
        begin(f, SG_FMU_FREE);
        ask(f, &in);
    }
    f->id = 0;
    if (f->message)
        sg_buf_free(f->message);
}

sg_status sg_fmu_start(sg_fmu_instance *f, double tolerance, double start, double stop,
                       const sg_fmu_setting *settings, size_t n, const double *u, sg_fmu_point *out)
{
    sg_msg_reader in;
    uint32_t texts = 0;
    begin(f, SG_FMU_START);
    msg_f64(f->message, tolerance);
    msg_f64(f->message, start);
    msg_f64(f->message, stop);
    for (size_t i = 0; i < n; i++)
        texts += settings[i].text != NULL;
    msg_u32(f->message, (uint32_t)n - texts);
    for (size_t i = 0; i < n; i++)
        if (!settings[i].text) {
            const sg_foreign_variable *v = &f->fmu->variables[settings[i].variable];
            msg_u32(f->message, settings[i].variable);
            msg_u32(f->message, (uint32_t)(v->n * sizeof(double)));
            double factor = factor_of(v), offset = offset_of(v);
            bool plain = factor == 1.0 && offset == 0.0;
            for (size_t k = 0; k < v->n; k++)
                msg_f64(f->message,
                        plain ? settings[i].x[k] : (settings[i].x[k] - offset) / factor);
        }
    msg_u32(f->message, texts);
    for (size_t i = 0; i < n; i++)
        if (settings[i].text) {
            msg_u32(f->message, settings[i].variable);
            msg_text(f->message, settings[i].text);
        }
    put_inputs(f, u, false);
    sg_status status = ask(f, &in);
    if (status)
        return status;
    get_point(f, &in, out);
    return whole(f, &in);
}

sg_status sg_fmu_evaluate(sg_fmu_instance *f, double t, const double *x, const double *u,
                          double *dx, double *z, double *y)
{
    sg_msg_reader in;
    begin(f, SG_FMU_EVALUATE);
    msg_u32(f->message, (dx ? 1u : 0) | (z ? 2u : 0) | (y ? 4u : 0));
    msg_f64(f->message, t);
    put_states(f, x);
    msg_u32(f->message, u != NULL);
    if (u)
        put_inputs(f, u, false);
    sg_status status = ask(f, &in);
    if (status)
        return status;
    if (dx) {
        msg_get_list(&in, dx, f->fmu->n_states);
        size_t at = 0;
        for (uint32_t k = 0; k < f->fmu->n_derivatives; k++) {
            const sg_foreign_variable *v = state(f->fmu, k);
            for (size_t i = 0; i < v->n; i++)
                dx[at++] *= factor_of(v);
        }
    }
    if (z)
        msg_get_list(&in, z, f->fmu->n_indicators);
    if (y) {
        msg_get_list(&in, y, f->lists->outputs.n_elements);
        list_to_si(f, &f->lists->outputs, y);
    }
    return whole(f, &in);
}

sg_status sg_fmu_at_event(sg_fmu_instance *f, double t, const double *x, const double *u,
                          sg_fmu_point *out)
{
    sg_msg_reader in;
    begin(f, SG_FMU_EVENT);
    msg_f64(f->message, t);
    put_states(f, x);
    put_inputs(f, u, false);
    sg_status status = ask(f, &in);
    if (status)
        return status;
    get_point(f, &in, out);
    return whole(f, &in);
}

sg_status sg_fmu_step_completed(sg_fmu_instance *f, double t, const double *x, bool *event,
                                bool *terminate)
{
    sg_msg_reader in;
    begin(f, SG_FMU_COMPLETED);
    msg_f64(f->message, t);
    put_states(f, x);
    sg_status status = ask(f, &in);
    if (status)
        return status;
    *event = msg_get_u32(&in);
    *terminate = msg_get_u32(&in);
    return whole(f, &in);
}

sg_status sg_fmu_do_step(sg_fmu_instance *f, double t, double h, const double *u,
                         const double *slopes, bool save, double *reached, bool *event,
                         bool *terminate, double *y)
{
    sg_msg_reader in;
    begin(f, SG_FMU_STEP);
    msg_f64(f->message, t);
    msg_f64(f->message, h);
    msg_u32(f->message, save);
    put_inputs(f, u, false);
    put_inputs(f, slopes, true);
    sg_status status = ask(f, &in);
    if (status)
        return status;
    *reached = msg_get_f64(&in);
    *event = msg_get_u32(&in);
    *terminate = msg_get_u32(&in);
    msg_get_list(&in, y, f->lists->outputs.n_elements);
    list_to_si(f, &f->lists->outputs, y);
    return whole(f, &in);
}

sg_status sg_fmu_go_back(sg_fmu_instance *f)
{
    sg_msg_reader in;
    begin(f, SG_FMU_BACK);
    sg_status status = ask(f, &in);
    return status ? status : whole(f, &in);
}

sg_status sg_fmu_read(sg_fmu_instance *f, double t, const double *x, double *shown)
{
    sg_msg_reader in;
    begin(f, SG_FMU_READ);
    msg_f64(f->message, t);
    put_states(f, x);
    sg_status status = ask(f, &in);
    if (status)
        return status;
    msg_get_list(&in, shown, f->lists->shown.n_elements);
    list_to_si(f, &f->lists->shown, shown);
    return whole(f, &in);
}
