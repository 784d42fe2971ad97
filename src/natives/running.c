#include "natives/running.h"

#include "model3d/model3d.h"
#include "natives/result_files.h"
#include "result/writer.h"

#include <string.h>

// ---- what a result says of its run ------------------------------------------------------------

static sg_attribute text_attribute(const char *key, const char *text)
{
    return (sg_attribute){key, SG_ELEMENT_TEXT, 0.0, text};
}

static sg_attribute number_attribute(const char *key, double number)
{
    return (sg_attribute){key, SG_ELEMENT_REAL, number, ""};
}

// The evaluated parameters with their numbers in SI units.
sg_parameter *sg_running_parameters(const sg_model_object *m, sg_arena *arena, size_t *n)
{
    const sg_flat *flat = &m->instance.flat;
    sg_parameter *list = SG_NEW_ARRAY(arena, sg_parameter, flat->pars.len + 1);
    *n = 0;
    for (size_t i = 1; list && i < flat->pars.len; i++) {
        const sg_flat_par *par = &flat->pars.data[i];
        if (par->value.kind != SG_FLAT_NUMBER && par->value.kind != SG_FLAT_ARRAY)
            continue;
        bool array = par->value.kind == SG_FLAT_ARRAY;
        list[(*n)++] = (sg_parameter){
            .name = sg_sym_text(flat->symbols, par->name),
            .unit = sg_sym_text(flat->symbols, par->unit.i ? par->unit : par->shown_unit),
            .plain = !par->unit.i && par->shown_unit.i,
            .info = "",
            .type = par->value.truth   ? SG_ELEMENT_BOOLEAN
                    : par->value.whole ? SG_ELEMENT_INTEGER
                                       : SG_ELEMENT_REAL,
            .rank = array ? par->value.matrix ? 2 : 1 : 0,
            .size = {array ? par->value.rows : 1, array ? par->value.cols : 1},
            .value = par->value.numbers,
            .text = ""};
    }
    return list;
}

sg_status sg_running_meta(sg_model_object *m, const sg_sim_options *o, sg_result_writer *writer,
                          sg_arena *arena)
{
    double interval = o->interval > 0 ? o->interval : (o->stop - o->start) / 500;
    sg_attribute attributes[] = {
        text_attribute("model.name", sg_vm_text(m->session->vm, m->instance.name)),
        text_attribute("model.file", sg_script_name(m->session)),
        number_attribute("experiment.startTime", o->start),
        number_attribute("experiment.stopTime", o->stop),
        number_attribute("experiment.interval", interval),
        number_attribute("experiment.tolerance", o->tolerance),
        text_attribute("experiment.algorithm", o->method->name),
        number_attribute("experiment.dtmax", o->h_max > 0 ? o->h_max : 100 * interval),
        number_attribute("experiment.interp_points", o->interp_points),
        {"experiment.adaptive", SG_ELEMENT_BOOLEAN, o->adaptive, ""}};
    size_t n;
    sg_parameter *parameters = sg_running_parameters(m, arena, &n);
    if (!parameters)
        return SG_ERR_MEMORY;
    return sg_result_writer_meta(writer, attributes, sizeof attributes / sizeof attributes[0],
                                 parameters, n);
}

// ---- why a run failed ---------------------------------------------------------------------------

// What a function of the script had to say, before the equation that called it.
static void report_cause(sg_model_object *m, size_t first_diag, bool told)
{
    sg_diags *diags = &m->session->diags;
    size_t at = first_diag > m->session->told.n ? first_diag : m->session->told.n;
    while (at < diags->len && diags->list[at].code != SG_E_EQ_CALL)
        at++;
    bool called = at < diags->len;
    size_t before = diags->len;
    sg_script_table_report(&m->table, told && !called ? SG_NOTE : SG_ERROR);
    if (!called || diags->len == before)
        return;
    sg_diag call = diags->list[at];
    call.severity = SG_NOTE;
    memmove(&diags->list[at], &diags->list[at + 1], (diags->len - at - 1) * sizeof call);
    diags->list[diags->len - 1] = call;
}

void sg_running_explain(sg_model_object *m, size_t first_diag, size_t n_errors)
{
    report_cause(m, first_diag, m->session->diags.n_errors > n_errors);
    sg_components_explain(m->components, &m->session->diags);
}
