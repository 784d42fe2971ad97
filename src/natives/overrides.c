#include "natives/overrides.h"

#include "lang/runtime.h"
#include "model/modifiers.h"
#include "result/compare.h"
#include "result/load.h"
#include "result/select.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- names ----------------------------------------------------------------------------------

static bool solver_is_known(const char *name, sg_buf *message)
{
    if (!name || sg_algorithm_find(name))
        return true;
    size_t n;
    const sg_algorithm *list = sg_algorithm_list(&n);
    const char *names[200];
    n = n < SG_COUNT(names) ? n : SG_COUNT(names);
    for (size_t i = 0; i < n; i++)
        names[i] = list[i].name;
    const char *hint = sg_closest_name(name, names, n);
    sg_buf_printf(message, "there is no solver '%s'; ", name);
    if (hint)
        sg_buf_printf(message, "did you mean '%s'?", hint);
    else
        sg_buf_puts(message, "solvers are CVODE_BDF, CVODE_Adams, IDA, Tsit5, DP8 and others "
                             "(docs/solvers.md)");
    return false;
}

bool sg_overrides_known(const sg_session_options *options, sg_buf *message)
{
    const char *list = options->result_format;
    while (list && *list) {
        size_t length = strcspn(list, ",");
        char format[16];
        snprintf(format, sizeof format, "%.*s", (int)length, list);
        if (length && sg_format_by_name(format) == SG_FORMAT_UNKNOWN) {
            sg_buf_printf(message,
                          "'%s' is no result format; there are segue, json, csv, mat and "
                          "arrow",
                          format);
            return false;
        }
        list += length + (list[length] == ',');
    }
    return solver_is_known(options->solver, message);
}

// ---- --set ----------------------------------------------------------------------------------

sg_status sg_put_nested(sg_vm *vm, sg_dict *map, const char *name, sg_value value, sg_span span)
{
    for (;;) {
        size_t length = strcspn(name, ".");
        sg_sym key = sg_sym_intern(vm->symbols, name, length);
        if (!name[length])
            return sg_dict_put(vm, map, sg_symbol(key), value, span) ? SG_OK : SG_ERR_MEMORY;
        sg_value inner;
        if (!sg_dict_get_sym(map, key, &inner) || !sg_is(inner, SG_OBJ_DICT)) {
            inner = sg_object(sg_dict_make(vm, sg_vm_sym(vm, "Map")));
            if (inner.tag == SG_UNDEF || !sg_dict_put(vm, map, sg_symbol(key), inner, span))
                return SG_ERR_MEMORY;
        }
        map = (sg_dict *)inner.o;
        name += length + 1;
    }
}

// A name that this model does not have is meant for another one of the script, if that had it.
static bool is_for_another(sg_model_object *m, size_t i)
{
    sg_session *session = m->session;
    bool here = sg_modifiers_has(
        &m->instance, sg_stored_name(&session->arena, session->options.settings[i].name));
    session->settings_seen[i].known |= here;
    return !here && session->settings_seen[i].known;
}

static sg_status evaluate_settings(sg_model_object *m, sg_dict *map)
{
    sg_session *session = m->session;
    const sg_session_options *o = &session->options;
    sg_status status = SG_OK;
    for (size_t i = 0; i < o->n_settings && status == SG_OK; i++) {
        if (is_for_another(m, i))
            continue;
        const sg_setting *setting = &o->settings[i];
        char name[256];
        snprintf(name, sizeof name, "<--set %s>", setting->name);
        sg_value value;
        // Its place is the same in every simulate!, so that what is wrong with it is told once.
        sg_span *span = &session->settings_seen[i].span;
        if (!span->file)
            *span = (sg_span){.file = (uint32_t)session->sources.len + 1,
                              .last = (uint32_t)strlen(setting->value)};
        status = sg_script_run_text(session->script, NULL, name, setting->value,
                                    strlen(setting->value), &value);
        if (status == SG_OK)
            status = sg_put_nested(session->vm, map, sg_stored_name(&session->arena, setting->name),
                                   value, *span);
    }
    return status;
}

sg_status sg_override_values(sg_model_object *m, sg_value merge, sg_value *out)
{
    sg_session *session = m->session;
    sg_vm *vm = session->vm;
    *out = merge;
    if (session->options.n_settings == 0)
        return SG_OK;
    if (!session->settings_seen)
        session->settings_seen =
            SG_NEW_ARRAY(&session->arena, sg_setting_seen, session->options.n_settings);
    sg_dict *map = sg_dict_make(vm, sg_vm_sym(vm, "Map"));
    if (!map || !session->settings_seen)
        return SG_ERR_MEMORY;
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_root_push(vm, sg_object(map));
    sg_status status = evaluate_settings(m, map);
    if (status == SG_OK && !sg_modifiers_check(&m->instance, map, SG_ERROR))
        status = SG_ERR_USAGE;
    if (status == SG_OK && sg_is(merge, SG_OBJ_DICT))
        status = sg_merge(vm, merge, sg_object(map), out);
    else
        *out = sg_object(map);
    sg_root_pop(vm, mark);
    return status;
}

// ---- files ----------------------------------------------------------------------------------

const char *sg_output_name(sg_session *session, const sg_model_object *m, const char *suffix)
{
    return sg_arena_printf(&session->arena, "%s.%s", m->result_stem, suffix);
}

sg_status sg_write_formats(sg_model_object *m, sg_span span)
{
    sg_session *session = m->session;
    const char *list = session->options.result_format;
    sg_status worst = SG_OK;
    while (list && *list && m->result && worst != SG_ERR_LIMIT) {
        size_t length = strcspn(list, ",");
        char format[16];
        snprintf(format, sizeof format, "%.*s", (int)length, list);
        const char *name = sg_output_name(session, m, format);
        const char *path =
            name ? sg_files_output(&session->files, name, span, &session->diags) : NULL;
        sg_save_options options = {0};
        if (!path)
            worst = sg_files_refusal(&session->files);
        else if (sg_result_save_as(m->result, path, format, &options, &session->diags) != SG_OK)
            worst = SG_ERR_IO;
        list += length + (list[length] == ',');
    }
    return worst;
}

// ---- --converge -----------------------------------------------------------------------------

enum { MOST_LINES = 20 };

// Solvers hold the error of each step, and what comes of it over a run is larger. A hundred times
// the tolerance is usual in a right run; with a coarse one less, for then it says little.
static double allowed_difference(double tolerance)
{
    return fmax(10.0 * tolerance, fmin(100.0 * tolerance, 1e-3));
}

// Below this differences are rounding: of signals that are zero but for what larger ones leave.
static double rounding_of(const sg_comparison *comparison, double rtol)
{
    double largest = 0.0;
    for (size_t i = 0; i < comparison->n; i++)
        if (comparison->list[i].kind <= SG_DIFFERENT_VALUE)
            largest = fmax(largest, comparison->list[i].tolerance / rtol);
    return 16.0 * DBL_EPSILON * largest;
}

static bool is_different(const sg_difference *d, double rounding)
{
    return d->kind != SG_SAME && !(d->kind == SG_DIFFERENT_VALUE && d->error <= rounding);
}

static void list_differences(sg_session *session, const sg_comparison *comparison)
{
    size_t shown = 0;
    for (size_t i = 0; i < comparison->n && shown < MOST_LINES; i++) {
        const sg_difference *d = &comparison->list[i];
        if (d->kind == SG_SAME && d->error == 0.0)
            continue;
        char line[256];
        int length =
            snprintf(line, sizeof line, "  %-32s %.3g at t = %.6g s\n", d->name, d->error, d->time);
        sg_vm_write(session->vm, line, (size_t)length);
        shown++;
    }
}

sg_status sg_report_difference(sg_session *session, const sg_result *coarse, const sg_result *fine,
                               double tolerance, sg_span span)
{
    sg_compare_options options = {.rtol = allowed_difference(tolerance)};
    sg_comparison comparison;
    sg_arena arena;
    sg_arena_init(&arena, session->allocator);
    sg_status status =
        sg_compare_results(coarse, fine, &options, &arena, &session->diags, &comparison);
    if (status != SG_OK) {
        sg_arena_destroy(&arena);
        return status;
    }
    double rounding = rounding_of(&comparison, options.rtol), most = 0.0;
    const sg_difference *worst = NULL;
    size_t n_different = 0;
    for (size_t i = 0; i < comparison.n; i++) {
        const sg_difference *d = &comparison.list[i];
        double ratio = d->tolerance > 0.0 ? d->error / d->tolerance : 0.0;
        n_different += is_different(d, rounding);
        if (is_different(d, rounding) && (!worst || ratio > most)) {
            worst = d;
            most = ratio;
        }
    }
    bool failed = n_different && session->options.checks & SG_SESSION_STRICT;
    sg_diags_add(&session->diags, failed ? SG_ERROR : SG_NOTE, failed ? SG_E_CONVERGENCE : 0, span,
                 "at a ten times smaller tolerance %zu of %zu signals differ by more than %g of "
                 "their size%s%s",
                 n_different, comparison.n, options.rtol, worst ? "; the worst is " : "",
                 worst ? worst->name : "");
    if (failed)
        sg_session_fail(session, SG_ERR_CHECK);
    list_differences(session, &comparison);
    sg_arena_destroy(&arena);
    return SG_OK;
}
