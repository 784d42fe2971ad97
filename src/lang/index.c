// Reading and writing elements: scalars, ranges, colons, vectors of indices, logical vectors, keys.
#include "lang/runtime.h"

#include <string.h>

// One index as a list of positions from 0: a scalar, or `n` positions.
typedef struct index_selector {
    bool scalar;
    size_t first, n;
    const sg_array *list; // of Int; null for the whole extent or a contiguous range
    int64_t step;
} index_selector;

static size_t selected(const index_selector *s, size_t i)
{
    if (s->list)
        return (size_t)(s->list->n[i] - 1);
    return (size_t)((int64_t)s->first + (int64_t)i * s->step);
}

static sg_status raise_bounds(sg_vm *vm, int64_t at, size_t extent, uint32_t dim, uint32_t n)
{
    if (n == 1)
        return sg_raise(vm, "BoundsError", SG_E_BOUNDS, (sg_span){0},
                        "index %lld is outside of an array with %zu element%s", (long long)at,
                        extent, extent == 1 ? "" : "s");
    return sg_raise(vm, "BoundsError", SG_E_BOUNDS, (sg_span){0},
                    "index %lld of dimension %u is outside of 1:%zu", (long long)at, dim + 1,
                    extent);
}

static sg_status raise_index_type(sg_vm *vm, sg_value at)
{
    sg_buf text;
    sg_status status =
        sg_raise(vm, "ArgumentError", SG_E_TYPE, (sg_span){0},
                 "an array is indexed by integers, ranges, ':' or vectors of them, not by %s",
                 sg_type_text(vm, at, &text));
    sg_buf_free(&text);
    return status;
}

// A logical vector as a list of positions.
static sg_status select_logical(sg_vm *vm, const sg_array *flags, size_t extent,
                                index_selector *out)
{
    if (flags->len != extent)
        return sg_raise(vm, "BoundsError", SG_E_BOUNDS, (sg_span){0},
                        "a logical index needs %zu elements, it has %zu", extent, flags->len);
    size_t n = 0;
    for (size_t i = 0; i < flags->len; i++)
        n += flags->b[i];
    sg_array *list = sg_vector_make(vm, SG_ELEM_INT, n);
    if (!list)
        return SG_ERR_MEMORY;
    size_t k = 0;
    for (size_t i = 0; i < flags->len; i++)
        if (flags->b[i])
            list->n[k++] = (int64_t)i + 1;
    *out = (index_selector){.list = list, .n = n};
    return SG_OK;
}

static sg_status select_from(sg_vm *vm, sg_value at, size_t extent, uint32_t dim, uint32_t n_dims,
                             index_selector *out)
{
    if (at.tag == SG_INT) {
        if ((uint64_t)at.i - 1 >= extent)
            return raise_bounds(vm, at.i, extent, dim, n_dims);
        *out = (index_selector){.scalar = true, .first = (size_t)at.i - 1, .n = 1, .step = 1};
        return SG_OK;
    }
    if (at.tag == SG_COLON) {
        *out = (index_selector){.n = extent, .step = 1};
        return SG_OK;
    }
    if (sg_is(at, SG_OBJ_RANGE)) {
        const sg_range *range = (const sg_range *)at.o;
        if (range->start.tag != SG_INT)
            return raise_index_type(vm, at);
        if (range->len) {
            int64_t first = range->start.i, last = sg_range_get(range, (size_t)range->len - 1).i;
            if ((uint64_t)first - 1 >= extent)
                return raise_bounds(vm, first, extent, dim, n_dims);
            if ((uint64_t)last - 1 >= extent)
                return raise_bounds(vm, last, extent, dim, n_dims);
        }
        *out = (index_selector){
            .first = (size_t)range->start.i - 1, .n = (size_t)range->len, .step = range->step.i};
        return SG_OK;
    }
    if (sg_is(at, SG_OBJ_ARRAY)) {
        const sg_array *list = (const sg_array *)at.o;
        if (list->elem == SG_ELEM_BOOL)
            return select_logical(vm, list, extent, out);
        if (list->elem == SG_ELEM_INT || list->len == 0) {
            for (size_t i = 0; i < list->len; i++)
                if ((uint64_t)list->n[i] - 1 >= extent)
                    return raise_bounds(vm, list->n[i], extent, dim, n_dims);
            *out = (index_selector){.list = list, .n = list->len};
            return SG_OK;
        }
    }
    if (at.tag == SG_BOOL || at.tag == SG_FLOAT)
        return raise_index_type(vm, at);
    return raise_index_type(vm, at);
}

// a[] is the element of an array that has exactly one.
static sg_status check_single(sg_vm *vm, const sg_array *array)
{
    if (array->len == 1)
        return SG_OK;
    return sg_raise(vm, "BoundsError", SG_E_BOUNDS, (sg_span){0},
                    "an index is missing: without one an array must have one element, this has %zu",
                    array->len);
}

// Selectors for all given indices; a single one addresses the elements in order.
static sg_status select_all(sg_vm *vm, const sg_array *array, const sg_value *at, uint32_t n,
                            index_selector *s)
{
    if (n == 0 || n > SG_MAX_DIMS)
        return sg_raise(vm, "BoundsError", SG_E_BOUNDS, (sg_span){0},
                        "an array is indexed by 1 to %d indices", SG_MAX_DIMS);
    if (n > 1 && n < array->ndims)
        return sg_raise(vm, "BoundsError", SG_E_BOUNDS, (sg_span){0},
                        "an array with %u dimensions needs %u indices, %u given", array->ndims,
                        array->ndims, n);
    for (uint32_t i = 0; i < n; i++) {
        size_t extent = n == 1 ? array->len : i < array->ndims ? array->dims[i] : 1;
        sg_status status = select_from(vm, at[i], extent, i, n, &s[i]);
        if (status != SG_OK)
            return status;
    }
    return SG_OK;
}

static size_t position(const sg_array *array, const index_selector *s, uint32_t n,
                       const size_t *count)
{
    size_t at = 0, stride = 1;
    for (uint32_t i = 0; i < n; i++) {
        at += selected(&s[i], count[i]) * stride;
        stride *= i < array->ndims ? array->dims[i] : 1;
    }
    return at;
}

static bool step_count(const index_selector *s, uint32_t n, size_t *count)
{
    for (uint32_t i = 0; i < n; i++) {
        if (++count[i] < s[i].n)
            return true;
        count[i] = 0;
    }
    return false;
}

static sg_status index_array(sg_vm *vm, const sg_array *array, const sg_value *at, uint32_t n,
                             sg_value *out)
{
    index_selector s[SG_MAX_DIMS] = {0};
    sg_status status = select_all(vm, array, at, n, s);
    if (status != SG_OK)
        return status;
    size_t dims[SG_MAX_DIMS], total = 1, count[SG_MAX_DIMS] = {0};
    uint32_t ndims = 0;
    for (uint32_t i = 0; i < n; i++) {
        total *= s[i].n;
        if (!s[i].scalar)
            dims[ndims++] = s[i].n;
    }
    if (ndims == 0) {
        *out = sg_array_get(array, position(array, s, n, count));
        return SG_OK;
    }
    // A matrix of indices gives a matrix.
    if (n == 1 && sg_is(at[0], SG_OBJ_ARRAY) && ((sg_array *)at[0].o)->ndims == 2 &&
        ((sg_array *)at[0].o)->elem == SG_ELEM_INT) {
        ndims = 2;
        memcpy(dims, ((sg_array *)at[0].o)->dims, 2 * sizeof(size_t));
    }
    sg_array *result = sg_array_make(vm, (sg_elem)array->elem, ndims, dims);
    if (!result)
        return SG_ERR_MEMORY;
    result->unit = array->unit;
    result->eltype = array->eltype;
    result->head.flags |= (uint16_t)(array->head.flags & SG_ARRAY_FLOAT32);
    for (size_t k = 0; k < total; k++) {
        sg_array_store(result, k, sg_array_get(array, position(array, s, n, count)));
        step_count(s, n, count);
    }
    *out = sg_object(result);
    return SG_OK;
}

// ---- other collections --------------------------------------------------------------------------

static sg_status index_range(sg_vm *vm, const sg_range *range, sg_value at, sg_value *out)
{
    if (at.tag == SG_INT) {
        if ((uint64_t)at.i - 1 >= (uint64_t)range->len)
            return raise_bounds(vm, at.i, (size_t)range->len, 0, 1);
        *out = sg_range_get(range, (size_t)at.i - 1);
        return SG_OK;
    }
    sg_array *array = sg_as_array(vm, sg_object((void *)(uintptr_t)range));
    return array ? index_array(vm, array, &at, 1, out) : SG_ERR_MEMORY;
}

static sg_status index_tuple(sg_vm *vm, const sg_tuple *tuple, sg_value at, sg_value *out)
{
    if (at.tag == SG_SYMBOL && tuple->names) {
        for (uint32_t i = 0; i < tuple->n; i++)
            if (tuple->names[i].i == at.sym.i) {
                *out = tuple->items[i];
                return SG_OK;
            }
        return sg_raise(vm, "KeyError", SG_E_KEY, (sg_span){0}, "a named tuple has no '%s'",
                        sg_vm_text(vm, at.sym));
    }
    if (at.tag == SG_INT) {
        if ((uint64_t)at.i - 1 >= tuple->n)
            return sg_raise(vm, "BoundsError", SG_E_BOUNDS, (sg_span){0},
                            "index %lld is outside of a tuple with %u element%s", (long long)at.i,
                            tuple->n, tuple->n == 1 ? "" : "s");
        *out = tuple->items[at.i - 1];
        return SG_OK;
    }
    index_selector s;
    sg_status status = select_from(vm, at, tuple->n, 0, 1, &s);
    if (status != SG_OK)
        return status;
    sg_tuple *part = sg_tuple_make(vm, (uint32_t)s.n);
    if (!part)
        return SG_ERR_MEMORY;
    for (size_t i = 0; i < s.n; i++)
        part->items[i] = tuple->items[selected(&s, i)];
    *out = sg_object(part);
    return SG_OK;
}

// The code point that starts at byte `at`; false inside of one.
static bool decode(const sg_string *s, size_t at, uint32_t *code, size_t *length)
{
    unsigned char c = (unsigned char)s->text[at];
    if ((c & 0xC0) == 0x80)
        return false;
    size_t n = c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
    *code = n == 1 ? c : n == 2 ? c & 0x1Fu : n == 3 ? c & 0xFu : c & 7u;
    for (size_t i = 1; i < n && at + i < s->len; i++)
        *code = *code << 6 | ((unsigned char)s->text[at + i] & 0x3Fu);
    *length = n;
    return true;
}

static sg_status index_string(sg_vm *vm, const sg_string *s, sg_value at, sg_value *out)
{
    if (at.tag == SG_INT) {
        uint32_t code;
        size_t length;
        if ((uint64_t)at.i - 1 >= s->len)
            return sg_raise(vm, "BoundsError", SG_E_BOUNDS, (sg_span){0},
                            "index %lld is outside of a string with %u bytes", (long long)at.i,
                            s->len);
        if (!decode(s, (size_t)at.i - 1, &code, &length))
            return sg_raise(vm, "StringIndexError", SG_E_BOUNDS, (sg_span){0},
                            "index %lld is inside of a character", (long long)at.i);
        *out = (sg_value){.tag = SG_CHAR, .i = code};
        return SG_OK;
    }
    if (at.tag == SG_COLON) {
        *out = sg_object((void *)(uintptr_t)s);
        return SG_OK;
    }
    if (sg_is(at, SG_OBJ_RANGE) && ((sg_range *)at.o)->start.tag == SG_INT &&
        ((sg_range *)at.o)->step.i == 1) {
        const sg_range *range = (const sg_range *)at.o;
        if (!range->len) {
            *out = sg_string_value(vm, "");
            return SG_OK;
        }
        int64_t first = range->start.i, last = sg_range_get(range, (size_t)range->len - 1).i;
        if (first < 1 || last < first || last > s->len)
            return sg_raise(vm, "BoundsError", SG_E_BOUNDS, (sg_span){0},
                            "%lld:%lld is outside of a string with %u bytes", (long long)first,
                            (long long)last, s->len);
        uint32_t code;
        size_t length = 1;
        if (decode(s, (size_t)last - 1, &code, &length))
            last += (int64_t)length - 1; // the last index names the start of a character
        if (last > s->len)
            last = s->len;
        *out = sg_object(sg_string_make(vm, s->text + first - 1, (size_t)(last - first + 1)));
        return SG_OK;
    }
    return sg_raise(vm, "ArgumentError", SG_E_TYPE, (sg_span){0},
                    "a string is indexed by an integer or a range");
}

static sg_status raise_key(sg_vm *vm, const sg_dict *dict, sg_value key)
{
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    sg_show_value(vm, sg_runtime_of(vm)->units, key, &text);
    const char *near = NULL;
    const char *names[256];
    size_t n = 0, at = 0;
    bool other_kind = false; // "force" where the key is :force, or the other way round
    sg_dict_entry entry;
    const char *wanted = key.tag == SG_SYMBOL        ? sg_vm_text(vm, key.sym)
                         : sg_is(key, SG_OBJ_STRING) ? ((sg_string *)key.o)->text
                                                     : NULL;
    while (wanted && n < SG_COUNT(names) && sg_dict_next(dict, &at, &entry)) {
        if (entry.key.tag == SG_SYMBOL)
            names[n++] = sg_vm_text(vm, entry.key.sym);
        else if (sg_is(entry.key, SG_OBJ_STRING))
            names[n++] = ((sg_string *)entry.key.o)->text;
        other_kind |= n && strcmp(names[n - 1], wanted) == 0;
    }
    if (wanted)
        near = other_kind ? wanted : sg_closest_name(wanted, names, n);
    bool symbol = key.tag == SG_SYMBOL;
    sg_status status = sg_raise(
        vm, "KeyError", SG_E_KEY, (sg_span){0}, "there is no key %s%s%s%s%s", sg_buf_text(&text),
        near ? ", did you mean " : "", near ? (other_kind ? (symbol ? "\"" : ":") : "'") : "",
        near ? near : "", near ? (other_kind ? (symbol ? "\"?" : "?") : "'?") : "");
    sg_buf_free(&text);
    if (sg_is(vm->exception, SG_OBJ_EXCEPTION))
        ((sg_exception *)vm->exception.o)->payload = key;
    return status;
}

static sg_status index_dict(sg_vm *vm, sg_dict *dict, sg_value at, sg_value *out)
{
    if (sg_dict_get(dict, at, out)) {
        // A copy still shares its inner dictionaries; whoever gets hold of one may change it.
        if (dict->head.flags & SG_DICT_LAZY && sg_is(*out, SG_OBJ_DICT)) {
            sg_dict *own = sg_dict_copy(vm, (sg_dict *)out->o);
            if (!own ||
                !sg_dict_put(vm, dict, at, sg_object(own),
                             at.tag == SG_SYMBOL ? sg_dict_span(dict, at.sym) : (sg_span){0}))
                return SG_ERR_MEMORY;
            *out = sg_object(own);
        }
        return SG_OK;
    }
    if (sg_is(at, SG_OBJ_ARRAY) && ((sg_array *)at.o)->elem == SG_ELEM_ANY) {
        sg_dict *part = sg_dict_make(vm, dict->class_);
        const sg_array *keys = (const sg_array *)at.o;
        for (size_t i = 0; part && i < keys->len; i++) {
            sg_value value;
            if (!sg_dict_get(dict, keys->v[i], &value))
                return raise_key(vm, dict, keys->v[i]);
            if (!sg_dict_put(vm, part, keys->v[i], value, (sg_span){0}))
                return SG_ERR_MEMORY;
        }
        *out = sg_object(part);
        return SG_OK;
    }
    return raise_key(vm, dict, at);
}

// T[a, b, c] makes an array with element type T.
static sg_status typed_array(sg_vm *vm, sg_type *type, const sg_value *items, uint32_t n,
                             sg_value *out)
{
    const sg_types *t = &vm->types;
    sg_elem elem = type == t->Float64 || type == t->Float32 ? SG_ELEM_FLOAT
                   : sg_type_wide(type) == t->Int64         ? SG_ELEM_INT
                   : type == t->Bool                        ? SG_ELEM_BOOL
                                                            : SG_ELEM_ANY;
    sg_array *array = sg_vector_make(vm, elem, n);
    if (!array)
        return SG_ERR_MEMORY;
    if (type == t->Float32)
        array->head.flags |= SG_ARRAY_FLOAT32;
    if (elem == SG_ELEM_ANY)
        array->eltype = type;
    for (uint32_t i = 0; i < n; i++) {
        sg_value item = items[i];
        if (type->wide || !sg_isa(vm, item, type)) {
            sg_status status = sg_convert(vm, type, item, &item);
            if (status != SG_OK)
                return status;
        }
        sg_array_store(array, i, item);
    }
    *out = sg_object(array);
    return SG_OK;
}

static bool user_method(sg_vm *vm, const char *name, sg_value base, const sg_value *at, uint32_t n,
                        sg_value *function)
{
    if (!sg_is(base, SG_OBJ_STRUCT) || n > 7)
        return false;
    *function = sg_module_get(vm->base, sg_vm_sym(vm, name));
    if (!sg_is(*function, SG_OBJ_FUNCTION))
        return false;
    (void)at;
    return ((sg_function *)function->o)->n_methods > 0;
}

sg_status sg_index(sg_vm *vm, sg_value base, const sg_value *at, uint32_t n, sg_value *out)
{
    sg_value function;
    if (base.tag == SG_OBJECT) {
        switch ((int)base.o->kind) {
        case SG_OBJ_ARRAY:
            if (n == 0) {
                sg_status status = check_single(vm, (const sg_array *)base.o);
                if (status == SG_OK)
                    *out = sg_array_get((sg_array *)base.o, 0);
                return status;
            }
            return index_array(vm, (sg_array *)base.o, at, n, out);
        case SG_OBJ_RANGE:
            if (n == 1)
                return index_range(vm, (sg_range *)base.o, at[0], out);
            break;
        case SG_OBJ_TUPLE:
        case SG_OBJ_NAMED_TUPLE:
        case SG_OBJ_PAIR:
            if (n == 1)
                return index_tuple(vm, (sg_tuple *)base.o, at[0], out);
            break;
        case SG_OBJ_STRING:
            if (n == 1)
                return index_string(vm, (sg_string *)base.o, at[0], out);
            break;
        case SG_OBJ_DICT:
            if (n == 1)
                return index_dict(vm, (sg_dict *)base.o, at[0], out);
            break;
        case SG_OBJ_TYPE:
            return typed_array(vm, (sg_type *)base.o, at, n, out);
        case SG_OBJ_NATIVE:
            if (((sg_native *)base.o)->class_->index)
                return ((sg_native *)base.o)
                    ->class_->index(vm, ((sg_native *)base.o)->data, at, n, out);
            break;
        case SG_OBJ_STRUCT: {
            sg_struct *s = (sg_struct *)base.o;
            if (s->type == vm->types.Ref && n == 0) {
                *out = s->fields[0];
                return SG_OK;
            }
            if (user_method(vm, "getindex", base, at, n, &function)) {
                sg_value args[8] = {base};
                memcpy(args + 1, at, n * sizeof(sg_value));
                return sg_call_values(vm, function, args, n + 1, out);
            }
            break;
        }
        default:
            break;
        }
    }
    if (sg_is_plain_number(base) && (n == 0 || (n == 1 && at[0].tag == SG_INT && at[0].i == 1))) {
        *out = base;
        return SG_OK;
    }
    sg_buf text;
    sg_status status =
        sg_raise(vm, "MethodError", SG_E_TYPE, (sg_span){0}, "%s cannot be indexed%s",
                 sg_type_text(vm, base, &text), n > 1 ? " this way" : "");
    sg_buf_free(&text);
    return status;
}

// ---- writing ------------------------------------------------------------------------------------

static sg_status store_element(sg_vm *vm, sg_array *array, size_t at, sg_value value)
{
    if (array->eltype && !sg_isa(vm, value, array->eltype)) {
        sg_status status = sg_convert(vm, array->eltype, value, &value);
        if (status != SG_OK)
            return status;
    }
    if (sg_array_store(array, at, value))
        return SG_OK;
    // A quantity of another unit of the same dimension, a plain number into a dimensionless one.
    if (array->elem == SG_ELEM_FLOAT && (sg_is_quantity(value) || sg_is_plain_number(value))) {
        sg_value converted;
        sg_status status =
            sg_quantity_convert(vm, sg_runtime_of(vm)->units, value, array->unit, &converted);
        if (status != SG_OK)
            return status;
        if (sg_array_store(array, at, converted))
            return SG_OK;
    }
    sg_buf text;
    sg_type *type = sg_array_eltype(vm, array);
    sg_status status = array->elem == SG_ELEM_INT && value.tag == SG_FLOAT
                           ? sg_raise(vm, "InexactError", SG_E_NUMBER, (sg_span){0},
                                      "%g cannot be stored in an array of Int64", value.d)
                           : sg_raise(vm, "MethodError", SG_E_TYPE, (sg_span){0},
                                      "a value of type %s cannot be stored in an array of %s",
                                      sg_type_text(vm, value, &text), sg_vm_text(vm, type->name));
    if (!(array->elem == SG_ELEM_INT && value.tag == SG_FLOAT))
        sg_buf_free(&text);
    return status;
}

static sg_status set_array(sg_vm *vm, sg_array *array, const sg_value *at, uint32_t n,
                           sg_value value)
{
    index_selector s[SG_MAX_DIMS] = {0};
    sg_status status = select_all(vm, array, at, n, s);
    if (status != SG_OK)
        return status;
    size_t total = 1, count[SG_MAX_DIMS] = {0};
    bool scalar = true;
    for (uint32_t i = 0; i < n; i++) {
        total *= s[i].n;
        scalar = scalar && s[i].scalar;
    }
    if (scalar)
        return store_element(vm, array, position(array, s, n, count), value);
    sg_array *source = NULL;
    if (sg_is_sequence(value) || sg_is(value, SG_OBJ_TUPLE)) {
        source = sg_as_array(vm, value);
        if (!source)
            return SG_ERR_MEMORY;
        if (source == array) // a[2:3] = a[..] reads from a copy already; a .= a needs one
            source = sg_array_clone(vm, source);
        if (!source)
            return SG_ERR_MEMORY;
        if (source->len != total && source->len != 1)
            return sg_raise(vm, "DimensionMismatch", SG_E_SHAPE, (sg_span){0},
                            "%zu elements are assigned to %zu places", source->len, total);
    }
    for (size_t k = 0; k < total && status == SG_OK; k++) {
        sg_value item = source ? sg_array_get(source, source->len == 1 ? 0 : k) : value;
        status = store_element(vm, array, position(array, s, n, count), item);
        step_count(s, n, count);
    }
    return status;
}

sg_status sg_index_set(sg_vm *vm, sg_value base, const sg_value *at, uint32_t n, sg_value value)
{
    sg_value function;
    if (sg_is(base, SG_OBJ_ARRAY)) {
        sg_array *array = (sg_array *)base.o;
        if (n)
            return set_array(vm, array, at, n, value);
        sg_status status = check_single(vm, array);
        return status == SG_OK ? store_element(vm, array, 0, value) : status;
    }
    if (sg_is(base, SG_OBJ_DICT) && n == 1)
        return sg_dict_put(vm, (sg_dict *)base.o, at[0], value, sg_vm_where(vm)) ? SG_OK
                                                                                 : SG_ERR_MEMORY;
    if (sg_is(base, SG_OBJ_STRUCT) && ((sg_struct *)base.o)->type == vm->types.Ref && n == 0) {
        ((sg_struct *)base.o)->fields[0] = value;
        return SG_OK;
    }
    if (user_method(vm, "setindex!", base, at, n, &function)) {
        sg_value args[10] = {base, value}, ignored;
        memcpy(args + 2, at, n * sizeof(sg_value));
        return sg_call_values(vm, function, args, n + 2, &ignored);
    }
    sg_buf text;
    sg_status status = sg_raise(vm, "MethodError", SG_E_TYPE, (sg_span){0},
                                "elements of %s cannot be assigned", sg_type_text(vm, base, &text));
    sg_buf_free(&text);
    return status;
}
