// Who makes runs, wherever they are handed out: a process of the pool, a task of a queue, a rank.
#include "session_cli.h"
#include "study_cli.h"
#include "watch.h"

#include <stdlib.h>

typedef struct worker {
    cli_run *run;
    const cli_source *source;
    sg_study *study;
    sg_model *model;
    sg_diags *diags;
    bool *there; // runs that need not be made
    uint64_t n;
} worker;

static const char *first_error(const sg_diags *diags)
{
    for (size_t i = 0; i < sg_diags_count(diags); i++)
        if (sg_diags_get(diags, i)->severity == SG_ERROR)
            return sg_diags_get(diags, i)->message;
    return "the model cannot be opened";
}

static sg_status open_model(worker *w)
{
    const sg_session_options *o = &w->run->session;
    sg_model_options m = sg_model_options_make();
    m.name = w->run->model;
    m.stop = o->stop_time;
    m.tolerance = o->tolerance;
    m.atol = o->atol;
    m.interval = o->interval;
    m.solver = o->solver;
    m.compat = o->compat;
    m.modia3d_path = o->modia3d_path;
    m.allow_read = o->allow_read;
    m.n_allow_read = o->n_allow_read;
    m.max_memory = o->max_memory;
    m.stop_flag = o->stop;
    sg_status status = sg_model_open_file(NULL, w->run->parsed.rest[0], &m, w->diags, &w->model);
    for (size_t i = 0; i < o->n_settings && status == SG_OK; i++)
        status = sg_model_set_text(w->model, o->settings[i].name, o->settings[i].value);
    return status;
}

static sg_status find_missing(worker *w)
{
    sg_study_table *table = NULL;
    sg_status status = cli_study_load(&w->run->study, w->study, &table);
    w->n = sg_study_count(w->study);
    w->there = status == SG_OK ? calloc(w->n + 1, sizeof *w->there) : NULL;
    for (uint64_t i = 0; w->there && i < w->n; i++)
        w->there[i] = sg_study_table_has(table, i);
    sg_study_table_destroy(table);
    return w->there ? SG_OK : status ? status : SG_ERR_MEMORY;
}

static sg_status prepare(worker *w)
{
    sg_status status;
    w->diags = sg_diags_create(NULL);
    w->study = cli_study_make(w->run, w->diags, &status);
    if (w->study)
        status = find_missing(w);
    if (status == SG_OK)
        status = open_model(w);
    if (status != SG_OK && status != SG_ERR_INTERRUPT)
        w->source->give_up(w->source->context, status, first_error(w->diags));
    return status;
}

static sg_status make_run(worker *w, uint64_t i)
{
    const cli_study *s = &w->run->study;
    const cli_source *source = w->source;
    sg_study_run_options o = sg_study_run_options_make();
    o.max_time = s->max_time;
    o.max_cpu_time = s->max_cpu_time;
    o.keep = s->keep;
    sg_study_row row;
    sg_status status = sg_study_run(w->study, w->model, w->diags, i, &o, &row);
    if (status == SG_ERR_INTERRUPT || cli_watch_stopped())
        return SG_ERR_INTERRUPT;
    if (status != SG_OK) {
        source->give_up(source->context, status, first_error(w->diags));
        return status;
    }
    // The series first: a row says that its run is complete.
    if (!cli_study_save_run(s, &row) || !source->done(source->context, i, &row)) {
        source->give_up(source->context, SG_ERR_IO,
                        "a row or a run cannot be written to the folder of the study");
        return SG_ERR_IO;
    }
    return SG_OK;
}

void cli_study_work(cli_run *run, const cli_source *source)
{
    worker w = {.run = run, .source = source};
    sg_status status = prepare(&w);
    uint64_t i;
    while (status == SG_OK && source->next(source->context, &i)) {
        if (i < w.n && !w.there[i])
            status = make_run(&w, i);
        else
            source->done(source->context, i, NULL);
    }
    sg_model_destroy(w.model);
    sg_study_destroy(w.study);
    sg_diags_destroy(w.diags);
    free(w.there);
}
