#include "parts/read.h"

#include "base/assert.h"
#include "base/number.h"
#include "math/quat.h"
#include "math/rotation.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// How far R*R' of a given rotation may be from 1: numbers typed with a dozen digits pass.
#define ROTATION_SLACK 1e-9

const char *sg_element_kind(const sg_vm *vm, const sg_dict *dict)
{
    return dict->class_.i ? sg_vm_text(vm, dict->class_) : "";
}

sg_keywords sg_reader_make(sg_part *part, const sg_part_element *element)
{
    const char *what =
        sg_arena_printf(&part->records.arena, "%s '%s'", element->kind, element->path);
    return (sg_keywords){.part = part,
                         .dict = element->dict,
                         .what = what ? what : element->kind,
                         .span = element->span,
                         .ok = true};
}

sg_keywords sg_reader_inner(const sg_keywords *outer, const sg_dict *dict)
{
    sg_keywords r = *outer;
    r.dict = dict;
    const char *kind = sg_element_kind(r.part->vm, dict);
    const char *what = sg_arena_printf(&r.part->records.arena, "%s of %s", kind, outer->what);
    r.what = what ? what : kind;
    if (dict->span.file)
        r.span = dict->span;
    return r;
}

bool sg_read_has(const sg_keywords *r, const char *key, sg_value *value)
{
    sg_sym sym = sg_sym_find(r->part->vm->symbols, key, strlen(key));
    return sym.i && sg_dict_get_sym(r->dict, sym, value) && value->tag != SG_NOTHING;
}

bool sg_read_given(const sg_keywords *r, const char *key)
{
    sg_value value;
    sg_sym sym = sg_sym_find(r->part->vm->symbols, key, strlen(key));
    return sym.i && sg_dict_get_sym(r->dict, sym, &value);
}

sg_span sg_read_span(const sg_keywords *r, const char *key)
{
    sg_sym sym = sg_sym_find(r->part->vm->symbols, key, strlen(key));
    sg_span span = sym.i ? sg_dict_span(r->dict, sym) : r->span;
    return span.file && !r->whole ? span : r->span;
}

// A component that a model has many of is wrong in all of them: the first one is enough.
static bool was_told(const sg_diags *diags, sg_code code, sg_span span, const char *text)
{
    size_t n = strlen(text);
    for (size_t i = 0; i < diags->len && span.file; i++) {
        const sg_diag *d = &diags->list[i];
        size_t length = strlen(d->message);
        if (d->severity == SG_ERROR && d->code == code && d->span.file == span.file &&
            d->span.first == span.first && length > n && strcmp(d->message + length - n, text) == 0)
            return true;
    }
    return false;
}

void sg_read_fail(sg_keywords *r, const char *key, sg_code code, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    sg_diags *diags = r->part->vm->diags;
    sg_span span = sg_read_span(r, key);
    if (was_told(diags, code, span, text))
        diags->n_errors++; // it is one all the same
    else
        sg_diags_add(diags, r->lenient ? SG_WARNING : SG_ERROR, code, span, "%s: %s", r->what,
                     text);
    r->ok = false;
}

bool sg_value_number(sg_value value, double *out)
{
    if (value.tag == SG_INT)
        *out = (double)value.i;
    else if (value.tag == SG_FLOAT || value.tag == SG_FLOAT32)
        *out = value.d;
    else
        return false;
    return true;
}

void sg_read_number(sg_keywords *r, const char *key, double *out)
{
    sg_value value;
    double number;
    if (!sg_read_has(r, key, &value))
        return;
    if (sg_value_number(value, &number) && isfinite(number))
        *out = number;
    else
        sg_read_fail(r, key, SG_E_ARGUMENT, "%s must be a finite number", key);
}

// More than anything that is counted in a model.
static const int64_t largest_count = 1000000;

void sg_read_count(sg_keywords *r, const char *key, int *out)
{
    sg_value value;
    if (!sg_read_has(r, key, &value))
        return;
    if (value.tag != SG_INT)
        sg_read_fail(r, key, SG_E_ARGUMENT, "%s must be a whole number", key);
    else if (value.i < -largest_count || value.i > largest_count)
        sg_read_fail(r, key, SG_E_ARGUMENT, "%s = %" PRId64 " is out of range", key, value.i);
    else
        *out = (int)value.i;
}

void sg_read_flag(sg_keywords *r, const char *key, bool *out)
{
    sg_value value;
    if (!sg_read_has(r, key, &value))
        return;
    if (value.tag != SG_BOOL)
        sg_read_fail(r, key, SG_E_ARGUMENT, "%s must be true or false", key);
    else
        *out = value.b;
}

bool sg_value_vec3(sg_value value, sg_vec3 *out)
{
    const sg_array *array = sg_is(value, SG_OBJ_ARRAY) ? (const sg_array *)value.o : NULL;
    double x[3];
    if (!array || array->len != 3)
        return false;
    for (size_t i = 0; i < 3; i++)
        if (!sg_value_number(sg_array_get(array, i), &x[i]) || !isfinite(x[i]))
            return false;
    *out = v3_from(x);
    return true;
}

bool sg_value_mat3(sg_value value, sg_mat3 *out)
{
    const sg_array *array = sg_is(value, SG_OBJ_ARRAY) ? (const sg_array *)value.o : NULL;
    if (!array || array->ndims != 2 || array->dims[0] != 3 || array->dims[1] != 3)
        return false;
    for (size_t i = 0; i < 9; i++) {
        double *entry = &out->m[i % 3][i / 3];
        if (!sg_value_number(sg_array_get(array, i), entry) || !isfinite(*entry))
            return false;
    }
    return true;
}

bool sg_value_rotation(sg_value value, sg_mat3 *out)
{
    const sg_array *array = sg_is(value, SG_OBJ_ARRAY) ? (const sg_array *)value.o : NULL;
    double q[4] = {0};
    bool four = array && array->ndims == 1 && array->len == 4;
    for (size_t i = 0; four && i < 4; i++)
        if (!sg_value_number(sg_array_get(array, i), &q[i]))
            return false;
    if (four)
        *out = q_to_mat3((sg_quat){q[0], q[1], q[2], q[3]});
    return (four || sg_value_mat3(value, out)) && m3_rotation_error(out) <= ROTATION_SLACK;
}

void sg_read_vec3(sg_keywords *r, const char *key, sg_vec3 *out)
{
    sg_value value;
    if (sg_read_has(r, key, &value) && !sg_value_vec3(value, out))
        sg_read_fail(r, key, SG_E_ARGUMENT, "%s must be a vector of three finite numbers", key);
}

void sg_check_radian(const sg_keywords *r, sg_vec3 rotation)
{
    double most = v3_max_abs(rotation);
    if (r->ok && most > SG_TWO_PI)
        sg_note(r->part->vm->diags, sg_read_span(r, "rotation"),
                "%s: rotation is in radian, and %g of them are %.3g turns; degrees are written "
                "[...]u\"°\"",
                r->what, most, most / SG_TWO_PI);
}

sg_pose sg_read_place(sg_keywords *r, sg_vec3 translation, sg_vec3 *rotation)
{
    sg_value value;
    sg_mat3 R;
    if (!sg_read_has(r, "rotationMatrix", &value) || !sg_value_mat3(value, &R))
        return pose_from_abs(rot_123(*rotation), translation);
    *rotation = rot_123_from(&R, 0.0);
    return pose_from_abs(R, translation);
}

void sg_read_string(sg_keywords *r, const char *key, const char **out)
{
    sg_value value;
    if (!sg_read_has(r, key, &value))
        return;
    if (sg_is(value, SG_OBJ_STRING) && sg_string_is_plain((const sg_string *)value.o))
        *out = ((const sg_string *)value.o)->text;
    else
        sg_read_fail(r, key, SG_E_ARGUMENT, "%s must be a text, without NUL", key);
}

void sg_read_inner(sg_keywords *r, const char *key, const char *example, const sg_dict **out)
{
    sg_value value;
    *out = NULL;
    if (!sg_read_has(r, key, &value))
        return;
    if (sg_is(value, SG_OBJ_DICT))
        *out = (const sg_dict *)value.o;
    else
        sg_read_fail(r, key, SG_E_ARGUMENT, "%s must be made by a constructor, such as %s", key,
                     example);
}

void sg_read_object(sg_keywords *r, const char *key, int *out)
{
    sg_value value;
    if (!sg_read_has(r, key, &value))
        return;
    uint64_t *index = value.tag == SG_OBJECT
                          ? sg_map_get(&r->part->records.object_of, (uint64_t)(uintptr_t)value.o)
                          : NULL;
    if (index)
        *out = (int)*index;
    else if (sg_is(value, SG_OBJ_STRING))
        sg_read_fail(r, key, SG_E_TREE, "%s must be an Object3D: write :%s instead of \"%s\"", key,
                     ((const sg_string *)value.o)->text, ((const sg_string *)value.o)->text);
    else if (sg_is(value, SG_OBJ_DICT) &&
             strcmp(sg_element_kind(r->part->vm, (sg_dict *)value.o), "Map") == 0)
        sg_read_fail(r, key, SG_E_TREE,
                     "%s is a component; name one of its objects, such as :(component.object)",
                     key);
    else
        sg_read_fail(r, key, SG_E_TREE,
                     "%s is not an Object3D of this Model3D that was declared before", key);
}

void sg_read_axis(sg_keywords *r, const char *key, int standard, sg_vec3 *out)
{
    sg_value value = sg_int(standard);
    sg_read_has(r, key, &value);
    double axis[3] = {0};
    if (value.tag == SG_INT && value.i != 0 && value.i >= -3 && value.i <= 3) {
        axis[(value.i < 0 ? -value.i : value.i) - 1] = value.i < 0 ? -1.0 : 1.0;
        *out = v3_from(axis);
        return;
    }
    if (value.tag != SG_INT && sg_value_vec3(value, out) && v3_max_abs(*out) > 0.0) {
        *out = v3_unit(*out);
        return;
    }
    sg_read_fail(r, key, SG_E_JOINT,
                 "%s must be 1, 2, 3, -1, -2, -3 or a vector of three numbers that are not all "
                 "zero",
                 key);
}
