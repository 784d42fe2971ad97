// Constructors of the smaller objects, and equality of all values.
#include "vm/vm.h"

#include <math.h>
#include <string.h>

sg_string *sg_string_make(sg_vm *vm, const char *text, size_t length)
{
    if (length >= UINT32_MAX - sizeof(sg_string) - 1) {
        sg_raise_status(vm, SG_ERR_LIMIT, SG_E_LIMIT, (sg_span){0}, "a string is too long");
        return NULL;
    }
    sg_string *string = sg_heap_new(vm, SG_OBJ_STRING, sizeof *string + length + 1);
    if (!string)
        return NULL;
    string->len = (uint32_t)length;
    if (length && text)
        memcpy(string->text, text, length);
    return string;
}

sg_value sg_string_value(sg_vm *vm, const char *text)
{
    return sg_object(sg_string_make(vm, text, strlen(text)));
}

static sg_tuple *new_tuple(sg_vm *vm, sg_obj_kind kind, uint32_t n)
{
    sg_tuple *tuple = sg_heap_new(vm, kind, sizeof *tuple + n * sizeof(sg_value));
    if (!tuple)
        return NULL;
    tuple->n = n;
    for (uint32_t i = 0; i < n; i++)
        tuple->items[i] = SG_VALUE_NOTHING;
    return tuple;
}

sg_tuple *sg_tuple_make(sg_vm *vm, uint32_t n) { return new_tuple(vm, SG_OBJ_TUPLE, n); }

sg_tuple *sg_named_tuple_make(sg_vm *vm, uint32_t n, const sg_sym *names)
{
    sg_tuple *tuple = new_tuple(vm, SG_OBJ_NAMED_TUPLE, n);
    if (!tuple || !n)
        return tuple;
    tuple->names = sg_heap_resize(vm, NULL, 0, n * sizeof(sg_sym));
    if (!tuple->names) {
        tuple->n = 0;
        return NULL;
    }
    if (names)
        memcpy(tuple->names, names, n * sizeof(sg_sym));
    else
        memset(tuple->names, 0, n * sizeof(sg_sym));
    return tuple;
}

sg_value sg_pair_make(sg_vm *vm, sg_value first, sg_value second)
{
    sg_tuple *pair = new_tuple(vm, SG_OBJ_PAIR, 2);
    if (!pair)
        return (sg_value){.tag = SG_UNDEF};
    pair->items[0] = first;
    pair->items[1] = second;
    return sg_object(pair);
}

sg_value sg_range_make(sg_vm *vm, sg_value start, sg_value step, int64_t len)
{
    sg_range *range = sg_heap_new(vm, SG_OBJ_RANGE, sizeof *range);
    if (!range)
        return (sg_value){.tag = SG_UNDEF};
    range->start = start;
    range->step = step;
    range->len = len < 0 ? 0 : len;
    return sg_object(range);
}

sg_value sg_range_get(const sg_range *range, size_t index)
{
    sg_value out = range->start;
    if (out.tag == SG_INT || out.tag == SG_QTY_INT || out.tag == SG_CHAR) {
        out.i = (int64_t)((uint64_t)out.i + (uint64_t)index * (uint64_t)range->step.i);
        return out;
    }
    if (range->den != 0)
        out.d = (range->num + (double)index * range->num_step) / range->den;
    else
        out.d += (double)index * range->step.d;
    return out;
}

sg_value sg_native_make(sg_vm *vm, const sg_native_class *class_, void *data)
{
    sg_native *native = sg_heap_new(vm, SG_OBJ_NATIVE, sizeof *native);
    if (!native)
        return (sg_value){.tag = SG_UNDEF};
    native->class_ = class_;
    native->data = data;
    return sg_object(native);
}

void *sg_native_data(sg_value value, const sg_native_class *class_)
{
    if (!sg_is(value, SG_OBJ_NATIVE) || ((sg_native *)value.o)->class_ != class_)
        return NULL;
    return ((sg_native *)value.o)->data;
}

// ---- equality -----------------------------------------------------------------------------------

static bool same_string(const sg_string *a, const sg_string *b)
{
    return a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
}

bool sg_value_identical(sg_value a, sg_value b)
{
    if (a.tag != b.tag)
        return false;
    switch ((sg_tag)a.tag) {
    case SG_UNDEF:
    case SG_NOTHING:
    case SG_MISSING:
    case SG_COLON:
        return true;
    case SG_UNIT:
        return a.aux == b.aux;
    case SG_QTY:
    case SG_QTY_INT:
    case SG_ENUM:
        return a.aux == b.aux && a.i == b.i;
    case SG_SYMBOL:
        return a.sym.i == b.sym.i;
    case SG_BOOL:
        return a.b == b.b;
    case SG_FLOAT:
    case SG_FLOAT32:
    case SG_INT:
    case SG_CHAR:
        return a.i == b.i; // bits: NaN === NaN, 0.0 !== -0.0
    case SG_OBJECT:
        break;
    }
    if (a.o == b.o)
        return true;
    if (a.o->kind != b.o->kind)
        return false;
    if (a.o->kind == SG_OBJ_STRING)
        return same_string((sg_string *)a.o, (sg_string *)b.o);
    if (a.o->kind == SG_OBJ_TUPLE || a.o->kind == SG_OBJ_PAIR) {
        const sg_tuple *x = (sg_tuple *)a.o, *y = (sg_tuple *)b.o;
        if (x->n != y->n)
            return false;
        for (uint32_t i = 0; i < x->n; i++)
            if (!sg_value_identical(x->items[i], y->items[i]))
                return false;
        return true;
    }
    if (a.o->kind == SG_OBJ_STRUCT) {
        const sg_struct *x = (sg_struct *)a.o, *y = (sg_struct *)b.o;
        if (x->type != y->type || x->type->is_mutable)
            return false;
        for (uint32_t i = 0; i < x->n; i++)
            if (!sg_value_identical(x->fields[i], y->fields[i]))
                return false;
        return true;
    }
    return false;
}

static bool is_number(sg_value v)
{
    return v.tag == SG_BOOL || v.tag == SG_INT || v.tag == SG_FLOAT || v.tag == SG_FLOAT32;
}

static double as_double(sg_value v)
{
    return v.tag == SG_BOOL ? (double)v.b : v.tag == SG_INT ? (double)v.i : v.d;
}

static bool equal_numbers(sg_value a, sg_value b, bool isequal)
{
    if (a.tag == SG_BOOL)
        a = sg_int(a.b);
    if (b.tag == SG_BOOL)
        b = sg_int(b.b);
    if (a.tag == SG_INT && b.tag == SG_INT)
        return a.i == b.i;
    double x = as_double(a), y = as_double(b);
    return x == y || (isequal && isnan(x) && isnan(y));
}

// Sequences with one dimension: arrays and ranges compare element by element.
static bool sequence(sg_value v, size_t *n)
{
    if (sg_is(v, SG_OBJ_ARRAY)) {
        *n = ((sg_array *)v.o)->len;
        return true;
    }
    if (sg_is(v, SG_OBJ_RANGE)) {
        *n = (size_t)((sg_range *)v.o)->len;
        return true;
    }
    return false;
}

static sg_value item(sg_value v, size_t i)
{
    if (v.o->kind == SG_OBJ_ARRAY)
        return sg_array_get((sg_array *)v.o, i);
    return sg_range_get((sg_range *)v.o, i);
}

static bool same_shape(sg_value a, sg_value b)
{
    uint32_t na = sg_is(a, SG_OBJ_ARRAY) ? ((sg_array *)a.o)->ndims : 1;
    uint32_t nb = sg_is(b, SG_OBJ_ARRAY) ? ((sg_array *)b.o)->ndims : 1;
    if (na != nb)
        return false;
    for (uint32_t i = 0; na > 1 && i < na; i++)
        if (((sg_array *)a.o)->dims[i] != ((sg_array *)b.o)->dims[i])
            return false;
    return true;
}

// A structure deeper than this (or cyclic) cannot be compared. Keys of dictionaries that deep
// differ.
enum { MAX_NESTING = 1000 };

static bool equal(sg_vm *vm, sg_value a, sg_value b, bool isequal, int depth);

static bool equal_dicts(sg_vm *vm, const sg_dict *a, const sg_dict *b, bool isequal, int depth)
{
    if (sg_dict_len(a) != sg_dict_len(b) || a->class_.i != b->class_.i)
        return false;
    size_t at = 0;
    sg_dict_entry entry;
    while (sg_dict_next(a, &at, &entry)) {
        sg_value other;
        if (!sg_dict_get_within(b, entry.key, depth + 1, &other) ||
            !equal(vm, entry.value, other, isequal, depth + 1))
            return false;
    }
    return true;
}

static bool equal_tuples(sg_vm *vm, const sg_tuple *a, const sg_tuple *b, bool isequal, int depth)
{
    if (a->n != b->n)
        return false;
    for (uint32_t i = 0; i < a->n; i++) {
        if (a->names && a->names[i].i != b->names[i].i)
            return false;
        if (!equal(vm, a->items[i], b->items[i], isequal, depth + 1))
            return false;
    }
    return true;
}

static bool is_quantity(sg_value v) { return v.tag == SG_QTY || v.tag == SG_QTY_INT; }

static bool equal(sg_vm *vm, sg_value a, sg_value b, bool isequal, int depth)
{
    if (depth > MAX_NESTING) {
        if (vm)
            sg_raise(vm, "StackOverflowError", SG_E_LIMIT, (sg_span){0},
                     "a value is nested more than %d levels deep, or contains itself", MAX_NESTING);
        return false;
    }
    if (is_number(a) && is_number(b))
        return equal_numbers(a, b, isequal);
    size_t n, m;
    if (sequence(a, &n) && sequence(b, &m)) {
        if (n != m || !same_shape(a, b))
            return false;
        for (size_t i = 0; i < n; i++)
            if ((vm && sg_vm_worked(vm, 1) != SG_OK) ||
                !equal(vm, item(a, i), item(b, i), isequal, depth + 1))
                return false;
        return true;
    }
    bool unit = is_quantity(a) || is_quantity(b);
    if (unit && !((is_quantity(a) || is_number(a)) && (is_quantity(b) || is_number(b))))
        return false; // a text or a symbol is no amount of anything
    bool quotes = sg_is(a, SG_OBJ_QUOTE) && sg_is(b, SG_OBJ_QUOTE);
    if ((unit || quotes) && vm) { // only lang/ knows units and trees
        sg_value out;
        if (vm->hooks->binary(vm, SG_OPER_EQ, a, b, &out) == SG_OK)
            return out.tag == SG_BOOL && out.b;
        vm->exception = (sg_value){.tag = SG_UNDEF};
        return false;
    }
    if (a.tag != SG_OBJECT || b.tag != SG_OBJECT || a.o->kind != b.o->kind)
        return sg_value_identical(a, b);
    switch ((sg_obj_kind)a.o->kind) {
    case SG_OBJ_DICT:
        return equal_dicts(vm, (sg_dict *)a.o, (sg_dict *)b.o, isequal, depth);
    case SG_OBJ_TUPLE:
    case SG_OBJ_NAMED_TUPLE:
    case SG_OBJ_PAIR:
        return equal_tuples(vm, (sg_tuple *)a.o, (sg_tuple *)b.o, isequal, depth);
    case SG_OBJ_STRING:
    case SG_OBJ_ARRAY:
    case SG_OBJ_RANGE:
    case SG_OBJ_FUNCTION:
    case SG_OBJ_CLOSURE:
    case SG_OBJ_CELL:
    case SG_OBJ_TYPE:
    case SG_OBJ_STRUCT:
    case SG_OBJ_MODULE:
    case SG_OBJ_QUOTE:
    case SG_OBJ_NATIVE:
    case SG_OBJ_EXCEPTION:
    case SG_OBJ_PROTO:
        break;
    }
    return sg_value_identical(a, b);
}

bool sg_value_equal_within(sg_vm *vm, sg_value a, sg_value b, bool isequal, int depth)
{
    return equal(vm, a, b, isequal, depth);
}

sg_status sg_value_equal(sg_vm *vm, sg_value a, sg_value b, bool isequal, bool *same)
{
    *same = equal(vm, a, b, isequal, 0);
    return *same || vm->exception.tag == SG_UNDEF ? SG_OK : SG_ERR_MODEL;
}
