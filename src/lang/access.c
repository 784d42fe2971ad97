// Fields, conversions to types, and calls of values that are not functions.
#include "lang/runtime.h"

#include <math.h>
#include <string.h>

enum { FEW_FIELDS = 10 }; // may be listed

static sg_status raise_field(sg_vm *vm, sg_value base, sg_sym name, const sg_sym *known, uint32_t n)
{
    const char *names[64];
    uint32_t count = n < 64 ? n : 64;
    for (uint32_t i = 0; i < count; i++)
        names[i] = sg_vm_text(vm, known[i]);
    const char *text = sg_vm_text(vm, name);
    const char *near = sg_closest_name(text, names, count);
    if (base.tag == SG_SYMBOL)
        return sg_raise(vm, "ErrorException", SG_E_FIELD, (sg_span){0},
                        "Symbol has no field '%s'; the name of a part of a component is written "
                        ":(%s.%s)",
                        text, sg_vm_text(vm, base.sym), text);
    sg_buf type;
    const char *kind = sg_type_text(vm, base, &type);
    if (sg_is(base, SG_OBJ_DICT) && ((sg_dict *)base.o)->class_.i)
        kind = sg_vm_text(vm, ((sg_dict *)base.o)->class_);
    sg_buf rest;
    sg_buf_init(&rest, vm->allocator);
    if (near)
        sg_buf_printf(&rest, ", did you mean '%s'?", near);
    for (uint32_t i = 0; !near && i < count && count <= FEW_FIELDS; i++)
        sg_buf_printf(&rest, "%s%s", i ? ", " : "; it has ", names[i]);
    sg_status status = sg_raise(vm, "ErrorException", SG_E_FIELD, (sg_span){0},
                                "%s has no field '%s'%s", kind, text, sg_buf_text(&rest));
    sg_buf_free(&rest);
    sg_buf_free(&type);
    return status;
}

static bool named(const sg_vm *vm, sg_sym name, const char *text)
{
    return strcmp(sg_vm_text(vm, name), text) == 0;
}

static sg_status struct_field(sg_vm *vm, sg_value base, sg_sym name, sg_value *out)
{
    const sg_struct *s = (const sg_struct *)base.o;
    const sg_type *shape = s->type->generic ? s->type->generic : s->type;
    if (s->type == vm->types.Ref && named(vm, name, "x")) {
        *out = s->fields[0];
        return SG_OK;
    }
    for (uint32_t i = 0; i < shape->n_fields; i++) {
        if (shape->field_names[i].i != name.i)
            continue;
        if (s->fields[i].tag == SG_UNDEF)
            return sg_raise(vm, "UndefRefError", SG_E_FIELD, (sg_span){0},
                            "field '%s' of %s has no value yet", sg_vm_text(vm, name),
                            sg_vm_text(vm, s->type->name));
        *out = s->fields[i];
        return SG_OK;
    }
    return raise_field(vm, base, name, shape->field_names, shape->n_fields);
}

static sg_status module_field(sg_vm *vm, sg_module *module, sg_sym name, sg_value *out)
{
    *out = sg_module_recall(module, name);
    if (out->tag != SG_UNDEF)
        return SG_OK;
    const char *text = sg_vm_text(vm, name);
    const sg_script_host *host = &sg_runtime_of(vm)->host;
    if (host->define && host->define(host->context, module, text)) {
        *out = sg_module_recall(module, name);
        if (out->tag != SG_UNDEF)
            return SG_OK;
    }
    if (named(vm, module->name, "Measurements") ||
        named(vm, module->name, "MonteCarloMeasurements"))
        return sg_raise(vm, "UndefVarError", SG_E_UNSUPPORTED, (sg_span){0},
                        "'%s': numbers with uncertainty are not supported yet", text);
    const char *near = sg_suggest_name(vm, module, text);
    return sg_raise(vm, "UndefVarError", SG_E_NAME, (sg_span){0},
                    "'%s' is not defined in module %s%s%s%s", text, sg_vm_text(vm, module->name),
                    near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static sg_status exception_field(sg_vm *vm, sg_value base, sg_sym name, sg_value *out)
{
    const sg_exception *e = (const sg_exception *)base.o;
    if (named(vm, name, "msg") || named(vm, name, "message"))
        *out = e->message;
    else if (named(vm, name, "key") || named(vm, name, "var") || named(vm, name, "val") ||
             named(vm, name, "error"))
        *out = e->payload;
    else
        return raise_field(vm, base, name, NULL, 0);
    return SG_OK;
}

// ex.head and ex.args of a quoted expression, for scripts that look into one.
static sg_status quote_field(sg_vm *vm, sg_value base, sg_sym name, sg_value *out)
{
    const sg_ast *root = ((sg_quote *)base.o)->root;
    if (named(vm, name, "head")) {
        *out = sg_symbol(sg_vm_sym(vm, sg_quote_head(root)));
        return SG_OK;
    }
    if (!named(vm, name, "args"))
        return raise_field(vm, base, name, NULL, 0);
    *out = sg_object(sg_quote_args(vm, root));
    return out->tag == SG_UNDEF ? SG_ERR_MEMORY : SG_OK;
}

static sg_status dict_field(sg_vm *vm, sg_value base, sg_sym name, sg_value *out)
{
    const sg_dict *dict = (const sg_dict *)base.o;
    if (sg_dict_get_sym(dict, name, out))
        return SG_OK;
    sg_sym known[64];
    uint32_t n = 0;
    size_t at = 0;
    sg_dict_entry entry;
    while (n < 64 && sg_dict_next(dict, &at, &entry))
        if (entry.key.tag == SG_SYMBOL)
            known[n++] = entry.key.sym;
    return raise_field(vm, base, name, known, n);
}

sg_status sg_field(sg_vm *vm, sg_value base, sg_sym name, sg_value *out)
{
    if (base.tag != SG_OBJECT)
        return raise_field(vm, base, name, NULL, 0);
    switch ((int)base.o->kind) {
    case SG_OBJ_STRUCT:
        return struct_field(vm, base, name, out);
    case SG_OBJ_MODULE:
        return module_field(vm, (sg_module *)base.o, name, out);
    case SG_OBJ_DICT:
        return dict_field(vm, base, name, out);
    case SG_OBJ_NAMED_TUPLE: {
        const sg_tuple *tuple = (const sg_tuple *)base.o;
        for (uint32_t i = 0; i < tuple->n; i++)
            if (tuple->names[i].i == name.i) {
                *out = tuple->items[i];
                return SG_OK;
            }
        return raise_field(vm, base, name, tuple->names, tuple->n);
    }
    case SG_OBJ_PAIR: {
        const sg_tuple *pair = (const sg_tuple *)base.o;
        bool first = named(vm, name, "first");
        if (!first && !named(vm, name, "second"))
            return raise_field(vm, base, name, NULL, 0);
        *out = pair->items[first ? 0 : 1];
        return SG_OK;
    }
    case SG_OBJ_EXCEPTION:
        return exception_field(vm, base, name, out);
    case SG_OBJ_QUOTE:
        return quote_field(vm, base, name, out);
    case SG_OBJ_RANGE: {
        const sg_range *range = (const sg_range *)base.o;
        if (named(vm, name, "start"))
            *out = range->start;
        else if (named(vm, name, "step"))
            *out = range->step;
        else if (named(vm, name, "stop"))
            *out = range->len ? sg_range_get(range, (size_t)range->len - 1) : range->start;
        else if (named(vm, name, "len"))
            *out = sg_int(range->len);
        else
            return raise_field(vm, base, name, NULL, 0);
        return SG_OK;
    }
    case SG_OBJ_TYPE: {
        const sg_type *type = (const sg_type *)base.o;
        if (!named(vm, name, "parameters"))
            return raise_field(vm, base, name, NULL, 0);
        *out = sg_object(sg_array_from_values(vm, type->params, type->n_params));
        return SG_OK;
    }
    case SG_OBJ_NATIVE: {
        const sg_native *native = (const sg_native *)base.o;
        bool found = false;
        if (native->class_->get_field) {
            sg_status status = native->class_->get_field(vm, native->data, name, &found, out);
            if (status != SG_OK || found)
                return status;
        }
        return raise_field(vm, base, name, NULL, 0);
    }
    default:
        return raise_field(vm, base, name, NULL, 0);
    }
}

sg_status sg_field_set(sg_vm *vm, sg_value base, sg_sym name, sg_value value)
{
    if (sg_is(base, SG_OBJ_STRUCT)) {
        sg_struct *s = (sg_struct *)base.o;
        const sg_type *shape = s->type->generic ? s->type->generic : s->type;
        if (!shape->is_mutable)
            return sg_raise(vm, "ErrorException", SG_E_FIELD, (sg_span){0},
                            "%s cannot be changed; declare it as 'mutable struct'",
                            sg_vm_text(vm, s->type->name));
        for (uint32_t i = 0; i < shape->n_fields; i++) {
            if (shape->field_names[i].i != name.i)
                continue;
            const sg_type *type = shape->field_types[i];
            if (type && (!sg_isa(vm, value, type) || sg_type_has_unit(vm, type) || type->wide)) {
                sg_status status = sg_convert(vm, type, value, &value);
                if (status != SG_OK)
                    return status;
            }
            s->fields[i] = value;
            return SG_OK;
        }
        return raise_field(vm, base, name, shape->field_names, shape->n_fields);
    }
    if (sg_is(base, SG_OBJ_DICT))
        return sg_dict_put(vm, (sg_dict *)base.o, sg_symbol(name), value, sg_vm_where(vm))
                   ? SG_OK
                   : SG_ERR_MEMORY;
    if (sg_is(base, SG_OBJ_MODULE))
        return sg_module_set(vm, (sg_module *)base.o, name, value) ? SG_OK : SG_ERR_MEMORY;
    if (sg_is(base, SG_OBJ_NATIVE) && ((sg_native *)base.o)->class_->set_field) {
        const sg_native *native = (const sg_native *)base.o;
        bool found = false;
        sg_status status = native->class_->set_field(vm, native->data, name, value, &found);
        if (status != SG_OK || found)
            return status;
    }
    return raise_field(vm, base, name, NULL, 0);
}

// ---- conversion ---------------------------------------------------------------------------------

static sg_status raise_convert(sg_vm *vm, const sg_type *type, sg_value value)
{
    sg_buf from, to;
    sg_buf_init(&to, vm->allocator);
    sg_type_print(vm, type, &to);
    sg_status status =
        sg_raise(vm, "MethodError", SG_E_TYPE, (sg_span){0}, "%s cannot be converted to %s",
                 sg_type_text(vm, value, &from), sg_buf_text(&to));
    sg_buf_free(&from);
    sg_buf_free(&to);
    return status;
}

static sg_status convert_number(sg_vm *vm, const sg_type *type, sg_value value, sg_value *out)
{
    const sg_types *t = &vm->types;
    double d = 0;
    bool plain = sg_to_float(value, &d);
    if (!plain && sg_is_quantity(value) &&
        !sg_unit_has_dimension(sg_runtime_of(vm)->units, sg_quantity_unit(value))) {
        d = sg_quantity_si(sg_runtime_of(vm)->units, value);
        plain = true;
        value = sg_float(d);
    }
    if (!plain && value.tag == SG_ENUM && (type == t->Int64 || type == t->Integer)) {
        *out = sg_int(value.i);
        return SG_OK;
    }
    if (!plain && value.tag == SG_CHAR && type == t->Int64) {
        *out = sg_int(value.i);
        return SG_OK;
    }
    if (!plain)
        return raise_convert(vm, type, value);
    if (type == t->Float64 || type == t->AbstractFloat) {
        *out = sg_float(d);
        return SG_OK;
    }
    if (type == t->Float32) {
        *out = (sg_value){.tag = SG_FLOAT32, .d = (double)(float)d};
        return SG_OK;
    }
    if (type == t->Bool) {
        if (d != 0 && d != 1)
            return sg_raise(vm, "InexactError", SG_E_NUMBER, (sg_span){0},
                            "%g is neither true nor false", d);
        *out = sg_bool(d != 0);
        return SG_OK;
    }
    if (value.tag == SG_INT) {
        *out = value;
        return SG_OK;
    }
    if (d != floor(d) || !(d >= -0x1p63 && d < 0x1p63))
        return sg_raise(vm, "InexactError", SG_E_NUMBER, (sg_span){0},
                        "%.17g is not an integer of 64 bits; round it first", d);
    *out = sg_int((int64_t)d);
    return SG_OK;
}

static sg_status convert_narrow(sg_vm *vm, const sg_type *type, sg_value value, sg_value *out)
{
    sg_status status = convert_number(vm, type->wide, value, out);
    if (status == SG_OK && (out->i < type->least || out->i > type->greatest))
        return sg_raise(vm, "InexactError", SG_E_NUMBER, (sg_span){0},
                        "%lld is not of type %s, which %s at %lld", (long long)out->i,
                        sg_vm_text(vm, type->name), out->i < type->least ? "begins" : "ends",
                        (long long)(out->i < type->least ? type->least : type->greatest));
    return status;
}

static const sg_type *element_type(const sg_type *type)
{
    for (uint32_t i = 0; i < type->n_params; i++)
        if (sg_is(type->params[i], SG_OBJ_TYPE) && !((sg_type *)type->params[i].o)->is_var)
            return (const sg_type *)type->params[i].o;
    return NULL;
}

static sg_status convert_array(sg_vm *vm, const sg_type *type, sg_value value, sg_value *out)
{
    sg_array *array = sg_as_array(vm, value);
    if (!array)
        return SG_ERR_MODEL;
    const sg_type *element = element_type(type);
    sg_value typed = sg_object(array);
    bool is_static = type->generic == vm->types.SVector || type->generic == vm->types.SMatrix ||
                     type->generic == vm->types.MVector || type->generic == vm->types.MMatrix ||
                     type == vm->types.SVector || type == vm->types.SMatrix;
    if (element) {
        sg_array *list = sg_collect(vm, typed);
        if (!list || (list->elem != SG_ELEM_ANY && !sg_array_widen(vm, list, SG_ELEM_ANY)))
            return SG_ERR_MODEL;
        sg_status status = sg_index(vm, sg_object((void *)(uintptr_t)element), list->v,
                                    (uint32_t)list->len, &typed);
        if (status != SG_OK)
            return status;
        sg_array *result = (sg_array *)typed.o;
        result->ndims = array->ndims;
        memcpy(result->dims, array->dims, sizeof result->dims);
        result->head.flags |= (uint16_t)(array->head.flags & SG_ARRAY_STATIC);
    } else if (is_static) {
        typed = sg_object(sg_array_clone(vm, array));
        if (typed.tag == SG_UNDEF)
            return SG_ERR_MEMORY;
    }
    if (is_static)
        ((sg_array *)typed.o)->head.flags |= SG_ARRAY_STATIC;
    *out = typed;
    return SG_OK;
}

// A field of m/s that is given 2 mm/s holds 0.002 m/s.
static sg_status convert_quantity(sg_vm *vm, const sg_type *type, sg_value value, sg_value *out)
{
    sg_units *units = sg_runtime_of(vm)->units;
    uint32_t unit = SG_UNIT_NONE;
    double plain;
    for (uint32_t i = 0; i < type->n_params; i++)
        if (type->params[i].tag == SG_UNIT)
            unit = type->params[i].aux;
    bool number = sg_is_quantity(value) || sg_to_float(value, &plain);
    uint32_t given = sg_is_quantity(value) ? sg_quantity_unit(value) : SG_UNIT_NONE;
    if (!number || !sg_unit_same_dimension(units, given, unit))
        return raise_convert(vm, type, value);
    return sg_quantity_convert(vm, units, value, unit, out);
}

sg_status sg_convert(sg_vm *vm, const sg_type *type, sg_value value, sg_value *out)
{
    if (sg_type_has_unit(vm, type))
        return convert_quantity(vm, type, value, out);
    if (type->wide)
        return convert_narrow(vm, type, value, out);
    const sg_type *element = element_type(type);
    bool narrow = element && element->wide; // each element is looked at
    if (!narrow && sg_isa(vm, value, type)) {
        *out = value;
        return SG_OK;
    }
    const sg_types *t = &vm->types;
    if (type->is_union) {
        for (uint32_t i = 0; i < type->n_params; i++) {
            if (sg_convert(vm, (const sg_type *)type->params[i].o, value, out) == SG_OK)
                return SG_OK;
            vm->exception = (sg_value){.tag = SG_UNDEF};
        }
        return raise_convert(vm, type, value);
    }
    if (type == t->Float64 || type == t->Float32 || type == t->AbstractFloat || type == t->Int64 ||
        type == t->Bool || type == t->Integer || type == t->Signed)
        return convert_number(vm, type, value, out);
    const sg_type *generic = type->generic ? type->generic : type;
    if (sg_subtype(generic, t->AbstractArray) &&
        (sg_is_sequence(value) || sg_is(value, SG_OBJ_TUPLE)))
        return convert_array(vm, type, value, out);
    if (type == t->String && value.tag == SG_SYMBOL) {
        *out = sg_string_value(vm, sg_vm_text(vm, value.sym));
        return SG_OK;
    }
    if (generic == t->Dict || generic == t->OrderedDict || generic == t->AbstractDict) {
        if (sg_is(value, SG_OBJ_DICT)) {
            *out = value;
            return SG_OK;
        }
    }
    if (generic == t->Tuple && sg_is(value, SG_OBJ_TUPLE)) {
        *out = value;
        return SG_OK;
    }
    if (type->is_abstract && generic == t->Function && value.tag == SG_OBJECT) {
        *out = value;
        return SG_OK;
    }
    sg_value convert = sg_module_get(vm->base, sg_vm_sym(vm, "convert"));
    if (sg_is(convert, SG_OBJ_FUNCTION) && ((sg_function *)convert.o)->n_methods) {
        sg_value args[2] = {sg_object((void *)(uintptr_t)type), value};
        if (sg_function_pick(vm, (sg_function *)convert.o, args, 2))
            return sg_call_values(vm, convert, args, 2, out);
    }
    return raise_convert(vm, type, value);
}

// ---- calls --------------------------------------------------------------------------------------

// The default constructor of a struct: all fields in order.
static sg_status default_constructor(sg_vm *vm, sg_type *type, const sg_args *args, sg_value *out)
{
    const sg_type *shape = type->generic ? type->generic : type;
    if (args->n_kw)
        return sg_raise(vm, "MethodError", SG_E_KEYWORD, args->span,
                        "the constructor of %s takes the fields in order, not keyword arguments",
                        sg_vm_text(vm, type->name));
    if (args->n != shape->n_fields) {
        sg_buf fields;
        sg_buf_init(&fields, vm->allocator);
        for (uint32_t i = 0; i < shape->n_fields; i++)
            sg_buf_printf(&fields, "%s%s", i ? ", " : "", sg_vm_text(vm, shape->field_names[i]));
        sg_status status = sg_raise(vm, "MethodError", SG_E_METHOD, args->span,
                                    "%s(%s) takes %u value%s, %u given", sg_vm_text(vm, type->name),
                                    sg_buf_text(&fields), shape->n_fields,
                                    shape->n_fields == 1 ? "" : "s", args->n);
        sg_buf_free(&fields);
        return status;
    }
    return sg_struct_new(vm, type, args->v, args->n, out);
}

static sg_status call_type(sg_vm *vm, sg_type *type, const sg_args *args, sg_value *out)
{
    const sg_type *shape = type->generic ? type->generic : type;
    const sg_function *maker = shape->constructor;
    if (maker && maker->native) {
        // The native sees the type as applied in its context argument.
        return maker->native(vm, args, type, out);
    }
    if (type->is_abstract && args->n == 1)
        return sg_convert(vm, type, args->v[0], out);
    if (shape->has_inner || (type->is_abstract)) {
        sg_buf text;
        sg_buf_init(&text, vm->allocator);
        for (uint32_t i = 0; i < args->n; i++) {
            sg_type *argument = sg_typeof(vm, args->v[i]);
            sg_buf_puts(&text, i ? ", ::" : "::");
            if (argument)
                sg_type_print(vm, argument, &text);
        }
        sg_status status = sg_raise(vm, "MethodError", SG_E_METHOD, args->span,
                                    "no constructor of %s accepts (%s)", sg_vm_text(vm, type->name),
                                    sg_buf_text(&text));
        sg_buf_free(&text);
        return status;
    }
    if (type == vm->types.Float64 || type == vm->types.Int64 || type == vm->types.Bool ||
        type == vm->types.Float32 || type->wide) {
        if (sg_args_check_count(vm, args, sg_vm_text(vm, type->name), 1, 1) != SG_OK)
            return SG_ERR_MODEL;
        return sg_convert(vm, type, args->v[0], out);
    }
    return default_constructor(vm, type, args, out);
}

sg_status sg_call_value(sg_vm *vm, sg_value callee, const sg_args *args, sg_value *out)
{
    if (sg_is(callee, SG_OBJ_TYPE))
        return call_type(vm, (sg_type *)callee.o, args, out);
    // 2(x + 1) is a product
    if ((sg_is_plain_number(callee) || sg_is_quantity(callee)) && args->n == 1 && !args->n_kw)
        return sg_binary(vm, SG_OPER_MUL, callee, args->v[0], out);
    sg_buf text;
    sg_status status =
        sg_raise(vm, "MethodError", SG_E_METHOD, args->span, "a value of type %s cannot be called",
                 sg_type_text(vm, callee, &text));
    sg_buf_free(&text);
    return status;
}
