#include "parts/script_call.h"

#include "lang/quantity.h"
#include "lang/runtime.h"
#include "lang/strip.h"
#include "parts/host.h"
#include "parts/values.h"

#include <math.h>
#include <string.h>

static bool is_callable(sg_value value)
{
    return sg_is(value, SG_OBJ_FUNCTION) || sg_is(value, SG_OBJ_CLOSURE) ||
           sg_is(value, SG_OBJ_STRUCT) || sg_is(value, SG_OBJ_NATIVE);
}

static sg_status complain(const sg_part_law *law, sg_part_state *s, const char *expected)
{
    if (!s->failed)
        sg_error(s->diags, SG_E_FORCE, law->span, "%s must return %s", law->what, expected);
    s->failed = true;
    return SG_ERR_MODEL;
}

// What the function raised is reported once; the run ends with it. That it was interrupted, or took
// too much time, is for others to say; a recursion without end is its own limit.
static sg_status raised(const sg_part_law *law, sg_part_state *s, sg_status status)
{
    bool limit = status == SG_ERR_LIMIT;
    if (status == SG_ERR_INTERRUPT || s->failed ||
        (limit && sg_limits_check_slow(&law->part->vm->limits) != SG_OK))
        return status;
    sg_report_exception(law->part->vm);
    sg_note(s->diags, law->span, "called as %s", law->what);
    s->failed = true;
    return limit ? status : SG_ERR_MODEL;
}

// The plain number or array in SI units. Raises if it is measured in something else than `unit`.
static sg_status without_unit(const sg_part_law *law, sg_law_unit unit, sg_value value,
                              sg_value *out)
{
    sg_units *units = sg_runtime_of(law->part->vm)->units;
    uint32_t bad = sg_quantity_misfit(units, value, unit.id);
    if (bad == SG_UNIT_NONE)
        return sg_strip_to_si(law->part->vm, value, out);
    return sg_raise(law->part->vm, "DimensionError", SG_E_DIMENSION, law->span,
                    "what it returns is measured in %s, not in %s", unit.text,
                    sg_unit_text(units, bad));
}

static sg_status call(const sg_part_law *law, sg_part_eval *e, const sg_args *args, sg_value *out)
{
    sg_part_host *host = law->part->records.host;
    sg_part_eval *before = host->active;
    host->active = e;
    sg_status status = sg_call(law->part->vm, law->function, args, out);
    if (status == SG_OK && !law->torque_unit.text) // else there are two results
        status = without_unit(law, law->unit, *out, out);
    host->active = before;
    if (e->asks && !e->asked_by)
        e->asked_by = law;
    return status == SG_OK ? SG_OK : raised(law, e->state, status);
}

// No error yet: a solver that looks too far ahead takes a smaller step. If it cannot go on, this is
// why (sg_part_explain).
static void note_not_finite(const sg_part_law *law, sg_part_state *s, double at)
{
    s->no_number = law;
    s->no_number_at = at;
}

static sg_status call_law(const void *context, void *caller, double x, double *y)
{
    const sg_part_law *law = context;
    sg_part_eval *e = caller;
    sg_value argument = sg_float(x), out;
    sg_args args = {.v = &argument, .n = 1, .span = law->span};
    sg_status status = call(law, e, &args, &out);
    if (status != SG_OK)
        return status;
    if (!sg_value_number(out, y))
        return complain(law, e->state, "a number");
    if (!isfinite(*y))
        note_not_finite(law, e->state, x);
    return SG_OK;
}

static const char contact_result[] = "(force, torque), each a vector of three numbers";

// Three numbers, which need not be finite.
static bool three_numbers(sg_value value, sg_vec3 *out)
{
    const sg_array *array = sg_is(value, SG_OBJ_ARRAY) ? (const sg_array *)value.o : NULL;
    double x[3];
    for (size_t i = 0; i < 3; i++)
        if (!array || array->len != 3 || !sg_value_number(sg_array_get(array, i), &x[i]))
            return false;
    *out = v3_from(x);
    return true;
}

sg_status sg_part_call_load(const sg_part_law *load, sg_part_eval *e, double time, sg_vec3 *out)
{
    const sg_part *part = load->part;
    const sg_part_object *objects = part->records.objects.data;
    sg_value values[3] = {sg_float(time), sg_object(objects[load->object_apply].value),
                          SG_VALUE_NOTHING};
    if (load->object_coord >= 0)
        values[2] = sg_object(objects[load->object_coord].value);
    sg_args args = {.kw = load->names, .kwv = values, .n_kw = 3, .span = load->span};
    sg_value result;
    sg_status status = call(load, e, &args, &result);
    if (status != SG_OK)
        return status;
    if (!three_numbers(result, out))
        return complain(load, e->state, "a vector of three numbers");
    if (!v3_is_finite(*out))
        note_not_finite(load, e->state, time);
    return SG_OK;
}

// One of the two that a contact law returns.
static sg_status take_vector(const sg_part_law *law, sg_part_eval *e, sg_law_unit unit,
                             sg_value value, sg_vec3 *out)
{
    sg_status status = without_unit(law, unit, value, &value);
    if (status != SG_OK)
        return raised(law, e->state, status);
    return three_numbers(value, out) ? SG_OK : complain(law, e->state, contact_result);
}

sg_status sg_part_call_contact(const void *context, void *caller, const sg_written_motion *m,
                               sg_vec3 *force, sg_vec3 *torque)
{
    const sg_part_law *law = context;
    sg_part_eval *e = caller;
    sg_vm *vm = law->part->vm;
    const sg_vec3 vector[3] = {m->slide, m->spin, m->normal};
    sg_value values[SG_LAW_KEYWORDS] = {sg_float(m->penetration), sg_float(m->rate)};
    sg_root_mark mark = sg_root_mark_get(vm);
    for (int i = 0; i < 3; i++) {
        values[2 + i] = sg_vector_value(vm, vector[i]);
        sg_root_push(vm, values[2 + i]);
    }
    values[5] = sg_float(m->time);
    sg_args args = {.kw = law->names, .kwv = values, .n_kw = SG_LAW_KEYWORDS, .span = law->span};
    sg_value result;
    sg_status status = call(law, e, &args, &result);
    sg_root_pop(vm, mark);
    if (status != SG_OK)
        return status;
    const sg_tuple *pair = sg_is(result, SG_OBJ_TUPLE) ? (const sg_tuple *)result.o : NULL;
    if (!pair || pair->n != 2)
        return complain(law, e->state, contact_result);
    sg_root_push(vm, result);
    status = take_vector(law, e, law->unit, pair->items[0], force);
    if (status == SG_OK)
        status = take_vector(law, e, law->torque_unit, pair->items[1], torque);
    sg_root_pop(vm, mark);
    if (status == SG_OK && !(v3_is_finite(*force) && v3_is_finite(*torque)))
        note_not_finite(law, e->state, m->penetration);
    return status;
}

// ---- reading --------------------------------------------------------------------------------

static sg_law_unit unit_of(const sg_keywords *r, const char *text)
{
    sg_units *units = sg_runtime_of(r->part->vm)->units;
    return (sg_law_unit){text, sg_unit_parse(units, text, strlen(text), NULL, NULL, NULL)};
}

static bool store_function(sg_keywords *r, const char *key, sg_value value, sg_part_law *storage)
{
    if (!is_callable(value))
        return false;
    const char *what = sg_arena_printf(&r->part->records.arena, "%s of %s", key, r->what);
    bool turns = strncmp(key, "rot", 3) == 0 || strncmp(key, "torque", 6) == 0;
    *storage = (sg_part_law){.part = r->part,
                             .function = value,
                             .what = what ? what : key,
                             .span = sg_read_span(r, key),
                             .unit = unit_of(r, turns ? "N*m" : "N"),
                             .names = {sg_vm_sym(r->part->vm, "time"),
                                       sg_vm_sym(r->part->vm, "objectApply"),
                                       sg_vm_sym(r->part->vm, "objectCoord")}};
    return true;
}

static bool law_of(sg_keywords *r, const char *key, sg_value value, sg_law *law,
                   sg_part_law *storage)
{
    *law = (sg_law){0};
    // Among functions a quantity is still one: an array of both is not stripped as a whole.
    if (sg_strip_to_si(r->part->vm, value, &value) != SG_OK)
        return false;
    if (sg_value_number(value, &law->slope) && isfinite(law->slope))
        return true;
    if (!store_function(r, key, value, storage))
        return false;
    *law = (sg_law){.call = call_law, .context = storage};
    return true;
}

void sg_read_law(sg_keywords *r, const char *key, sg_law *law, sg_part_law *storage)
{
    sg_value value;
    if (sg_read_has(r, key, &value) && !law_of(r, key, value, law, storage))
        sg_read_fail(r, key, SG_E_FORCE, "%s must be a number or a function of one number", key);
}

void sg_read_laws(sg_keywords *r, const char *key, sg_law law[3], sg_part_law storage[3])
{
    sg_value value;
    if (!sg_read_has(r, key, &value))
        return;
    const sg_array *array = sg_is(value, SG_OBJ_ARRAY) ? (const sg_array *)value.o : NULL;
    bool ok = array && array->len == 3;
    for (size_t i = 0; ok && i < 3; i++)
        ok = law_of(r, key, sg_array_get(array, i), &law[i], &storage[i]);
    if (!ok)
        sg_read_fail(r, key, SG_E_FORCE,
                     "%s must be a vector of three, each a number or a function of one number",
                     key);
}

void sg_read_function(sg_keywords *r, const char *key, sg_part_law *storage)
{
    sg_value value;
    if (!sg_read_has(r, key, &value) || !store_function(r, key, value, storage))
        sg_read_fail(r, key, SG_E_FORCE,
                     "%s must be a function of the keywords time, objectApply and objectCoord",
                     key);
}

void sg_read_contact_function(sg_keywords *r, const char *key, sg_part_law *storage)
{
    static const char *const names[SG_LAW_KEYWORDS] = {"delta", "deltaDot", "vt",
                                                       "wrel",  "normal",   "time"};
    sg_value value;
    if (!sg_read_has(r, key, &value) || !store_function(r, key, value, storage)) {
        sg_read_fail(r, key, SG_E_FORCE,
                     "%s must be a function of the keywords delta, deltaDot, vt, wrel, normal and "
                     "time that returns (force, torque)",
                     key);
        return;
    }
    storage->torque_unit = unit_of(r, "N*m");
    for (int i = 0; i < SG_LAW_KEYWORDS; i++)
        storage->names[i] = sg_vm_sym(r->part->vm, names[i]);
}
