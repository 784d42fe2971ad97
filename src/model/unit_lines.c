#include "model/unit_lines.h"

#include "model/convert.h"
#include "vm/vm.h"

#include <string.h>

typedef struct reading {
    sg_instance *instance;
    sg_units *units;
    sg_arena *arena;
    const sg_allocator *allocator;
    sg_unit_lines *out;
    bool no_memory;
} reading;

static sg_unit_place find_place(reading *p, const sg_ast *ast, const sg_scope *scope, sg_buf *text)
{
    const sg_flat *flat = &p->instance->flat;
    sg_unit_place found = {SG_PLACE_PLAIN, 0};
    sg_buf_clear(text);
    if (!sg_convert_reference(p->instance, ast, text))
        return found;
    const char *name = sg_buf_text(text);
    if (strcmp(name, "time") == 0)
        return (sg_unit_place){SG_PLACE_TIME, 0};
    sg_sym full = sg_scope_name(p->instance, scope, name);
    found.id = sg_flat_par_find(flat, full).i;
    if (found.id)
        found.kind = SG_PLACE_PAR;
    else if ((found.id = sg_flat_var_find(flat, full).i))
        found.kind = SG_PLACE_VAR;
    return found;
}

static void read_lines(reading *p)
{
    sg_instance *instance = p->instance;
    sg_map known_forms; // tree -> number of the first line with it
    sg_buf text;
    sg_map_init(&known_forms, p->allocator);
    sg_buf_init(&text, p->allocator);
    for (size_t i = 0; i < instance->written.len && !p->no_memory; i++) {
        const sg_written *w = &instance->written.data[i];
        uint64_t key = (uint64_t)(uintptr_t)w->ast, *seen = sg_map_get(&known_forms, key);
        sg_unit_line at = {.first_place = (uint32_t)p->out->places.len};
        if (seen) {
            at.form = p->out->lines.data[*seen].form;
            memcpy(at.roots, p->out->lines.data[*seen].roots, sizeof at.roots);
        } else {
            at.form = sg_unit_form_make(instance, p->units, w->ast, p->arena, at.roots);
            p->no_memory |= !at.form || !sg_map_put(&known_forms, key, i);
        }
        if (w->variable.i)
            at.bound = sg_flat_var_find(&instance->flat, w->variable).i;
        for (uint32_t k = 0; !p->no_memory && k < at.form->n_names; k++) {
            sg_unit_place found = find_place(p, at.form->names[k], &w->scope, &text);
            p->no_memory |= !SG_PUSH(p->allocator, &p->out->places, found);
        }
        p->no_memory |= !SG_PUSH(p->allocator, &p->out->lines, at);
    }
    sg_buf_free(&text);
    sg_map_free(&known_forms);
}

// Calls `note` for every variable of a job.
static void each_variable(reading *p, uint32_t job,
                          void (*note)(reading *p, uint32_t job, uint32_t var))
{
    if (job < p->out->lines.len) {
        const sg_unit_line *at = &p->out->lines.data[job];
        for (uint32_t k = 0; k < at->form->n_names; k++) {
            sg_unit_place found = p->out->places.data[at->first_place + k];
            if (found.kind == SG_PLACE_VAR)
                note(p, job, found.id);
        }
        if (at->bound)
            note(p, job, at->bound);
        return;
    }
    const sg_flat_eq *eq = &p->instance->flat.eqs.data[p->out->joins.data[job - p->out->lines.len]];
    const sg_exprs *x = &p->instance->flat.exprs;
    sg_expr_id sides[2] = {eq->lhs, eq->rhs};
    for (int i = 0; i < 2; i++)
        for (uint32_t k = 0; k < sg_join_n_terms(x, sides[i]); k++)
            if (sg_join_term(x, sides[i], k).i)
                note(p, job, sg_join_term(x, sides[i], k).i);
}

static void count_job(reading *p, uint32_t job, uint32_t var)
{
    (void)job;
    p->out->first_job[var + 2]++;
}

static void place_job(reading *p, uint32_t job, uint32_t var)
{
    p->out->job_list[p->out->first_job[var + 1]++] = job;
}

static bool index_jobs(reading *p)
{
    const sg_flat *flat = &p->instance->flat;
    for (uint32_t i = 1; i < flat->eqs.len; i++) {
        const sg_flat_eq *eq = &flat->eqs.data[i];
        bool bare = eq->origin == SG_EQ_BINDING && sg_expr_var_of(&flat->exprs, eq->rhs).i;
        if (eq->origin == SG_EQ_CONNECTION || bare)
            p->no_memory |= !SG_PUSH(p->allocator, &p->out->joins, i);
    }
    p->out->n_jobs = (uint32_t)(p->out->lines.len + p->out->joins.len);
    p->out->first_job = SG_NEW_ARRAY(p->arena, uint32_t, flat->vars.len + 3);
    if (p->arena->failed || p->no_memory)
        return false;
    for (uint32_t job = 0; job < p->out->n_jobs; job++)
        each_variable(p, job, count_job);
    for (size_t v = 1; v < flat->vars.len + 3; v++)
        p->out->first_job[v] += p->out->first_job[v - 1];
    p->out->job_list = SG_NEW_ARRAY(p->arena, uint32_t, p->out->first_job[flat->vars.len + 1] + 1);
    if (!p->out->job_list)
        return false;
    for (uint32_t job = 0; job < p->out->n_jobs; job++)
        each_variable(p, job, place_job);
    return true;
}

bool sg_unit_lines_read(sg_instance *instance, sg_units *units, sg_arena *arena,
                        const sg_allocator *allocator, sg_unit_lines *out)
{
    reading p = {
        .instance = instance, .units = units, .arena = arena, .allocator = allocator, .out = out};
    read_lines(&p);
    return !p.no_memory && index_jobs(&p);
}

void sg_unit_lines_free(sg_unit_lines *lines, const sg_allocator *allocator)
{
    SG_VEC_FREE(allocator, &lines->lines);
    SG_VEC_FREE(allocator, &lines->places);
    SG_VEC_FREE(allocator, &lines->joins);
}
