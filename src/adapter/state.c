// States of an instance: where its model stands, and what the importer had said.
#include "adapter/instance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sg_adapter_state {
    sg_adapter_mode mode;
    double start, stop, tolerance;
    double present_stop; // of the model [s]; with an open end it moves
    double *values;      // of all variables
    bool *given;
    size_t n_values, n_given;
    sg_model_state *model; // null before it is initialized
};

enum { MAGIC = 0x53464d31 };

// The fixed part of the bytes.
typedef struct head {
    uint32_t magic, mode;
    double start, stop, tolerance, present_stop;
    uint64_t n_values, n_given, n_model;
} head;

void sg_adapter_state_destroy(sg_adapter_state *state)
{
    if (!state)
        return;
    sg_model_state_destroy(state->model);
    free(state->values);
    free(state->given);
    free(state);
}

static sg_adapter_state *new_state(size_t n_values, size_t n_given)
{
    sg_adapter_state *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->n_values = n_values;
    s->n_given = n_given;
    s->values = calloc(n_values + 1, sizeof *s->values);
    s->given = calloc(n_given + 1, sizeof *s->given);
    if (s->values && s->given)
        return s;
    sg_adapter_state_destroy(s);
    return NULL;
}

sg_adapter_status sg_adapter_save(sg_adapter *a, sg_adapter_state **state)
{
    sg_adapter_state *s = new_state(a->table.n_references, a->table.n_variables);
    if (!s)
        return sg_adapter_say(a, SG_ADAPTER_ERROR, "out of memory");
    s->mode = a->mode;
    s->start = a->start;
    s->stop = a->stop;
    s->tolerance = a->tolerance;
    memcpy(s->values, a->values, s->n_values * sizeof *s->values);
    memcpy(s->given, a->given, s->n_given * sizeof *s->given);
    sg_model_now now = sg_model_look(a->model);
    s->present_stop = now.stop;
    bool early = a->mode & (SG_ADAPTER_INSTANTIATED | SG_ADAPTER_INITIALIZING);
    if (!early && sg_model_save(a->model, &s->model) != SG_OK) {
        sg_adapter_state_destroy(s);
        sg_adapter_pass_on(a);
        return SG_ADAPTER_ERROR;
    }
    memset(a->fresh, 0, a->table.n_variables * sizeof *a->fresh);
    *state = s;
    return SG_ADAPTER_OK;
}

sg_adapter_status sg_adapter_restore(sg_adapter *a, const sg_adapter_state *s)
{
    if (!s || s->n_values != a->table.n_references || s->n_given != a->table.n_variables)
        return sg_adapter_say(a, SG_ADAPTER_ERROR, "this is no state of this FMU");
    sg_status status = SG_OK;
    if (s->model) {
        sg_model_experiment e = sg_model_experiment_make();
        e.start = isnan(s->start) ? a->table.start : s->start;
        e.stop = s->present_stop;
        e.tolerance = isnan(s->tolerance) ? a->table.tolerance : s->tolerance;
        sg_model_reset(a->model);
        status = sg_model_set_experiment(a->model, &e);
        if (!status)
            status = sg_model_restore(a->model, s->model);
    } else if (a->mode & ~(unsigned)(SG_ADAPTER_INSTANTIATED | SG_ADAPTER_INITIALIZING)) {
        if (sg_adapter_reset(a) != SG_ADAPTER_OK)
            return SG_ADAPTER_ERROR;
    }
    if (status) {
        sg_adapter_pass_on(a);
        a->mode = SG_ADAPTER_FAILED;
        return SG_ADAPTER_ERROR;
    }
    a->mode = s->mode;
    a->start = s->start;
    a->stop = s->stop;
    a->tolerance = s->tolerance;
    a->current = s->model != NULL;
    a->length = isnan(a->table.stop) ? 1.0 : a->table.stop - a->table.start;
    a->length = a->length > 0.0 ? a->length : 1.0;
    memcpy(a->values, s->values, s->n_values * sizeof *s->values);
    memcpy(a->given, s->given, s->n_given * sizeof *s->given);
    memset(a->fresh, 0, s->n_given * sizeof *a->fresh);
    a->time = sg_model_look(a->model).time;
    return SG_ADAPTER_OK;
}

size_t sg_adapter_state_size(const sg_adapter_state *s)
{
    size_t n = 0;
    if (s->model)
        sg_model_state_bytes(s->model, &n);
    return sizeof(head) + s->n_values * sizeof *s->values + s->n_given + n;
}

void sg_adapter_state_write(const sg_adapter_state *s, void *bytes)
{
    size_t n_model = 0;
    const void *model = s->model ? sg_model_state_bytes(s->model, &n_model) : NULL;
    head h = {.magic = MAGIC,
              .mode = s->mode,
              .start = s->start,
              .stop = s->stop,
              .tolerance = s->tolerance,
              .present_stop = s->present_stop,
              .n_values = s->n_values,
              .n_given = s->n_given,
              .n_model = n_model};
    unsigned char *at = bytes;
    memcpy(at, &h, sizeof h);
    at += sizeof h;
    memcpy(at, s->values, s->n_values * sizeof *s->values);
    at += s->n_values * sizeof *s->values;
    for (size_t i = 0; i < s->n_given; i++)
        *at++ = s->given[i];
    if (model)
        memcpy(at, model, n_model);
}

sg_adapter_state *sg_adapter_state_read(const sg_adapter *a, const void *bytes, size_t n)
{
    head h;
    const unsigned char *at = bytes;
    if (!bytes || n < sizeof h)
        return NULL;
    memcpy(&h, at, sizeof h);
    at += sizeof h;
    if (h.magic != MAGIC || h.n_values != a->table.n_references ||
        h.n_given != a->table.n_variables || h.n_model > n ||
        n != sizeof h + h.n_values * sizeof(double) + h.n_given + h.n_model)
        return NULL;
    sg_adapter_state *s = new_state(h.n_values, h.n_given);
    if (!s)
        return NULL;
    s->mode = (sg_adapter_mode)h.mode;
    s->start = h.start;
    s->stop = h.stop;
    s->tolerance = h.tolerance;
    s->present_stop = h.present_stop;
    memcpy(s->values, at, s->n_values * sizeof *s->values);
    at += s->n_values * sizeof *s->values;
    for (size_t i = 0; i < s->n_given; i++)
        s->given[i] = *at++ != 0;
    if (h.n_model && sg_model_state_make(NULL, at, h.n_model, &s->model) != SG_OK) {
        sg_adapter_state_destroy(s);
        return NULL;
    }
    return s;
}
