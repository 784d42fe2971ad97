// Arrays: storage, growth and the choice of the element kind.
#include "vm/vm.h"

#include <math.h>
#include <string.h>

size_t sg_elem_size(sg_elem elem)
{
    switch (elem) {
    case SG_ELEM_ANY:
        return sizeof(sg_value);
    case SG_ELEM_FLOAT:
        return sizeof(double);
    case SG_ELEM_INT:
        return sizeof(int64_t);
    case SG_ELEM_BOOL:
        return 1;
    }
    return sizeof(sg_value);
}

// Slots behind the length stay undefined values, which the collector never reads.
static void clear_elements(sg_array *array, size_t from, size_t to)
{
    if (array->elem == SG_ELEM_ANY)
        for (size_t i = from; i < to; i++)
            array->v[i] = SG_VALUE_NOTHING;
    else if (to > from)
        memset((char *)array->data + from * sg_elem_size((sg_elem)array->elem), 0,
               (to - from) * sg_elem_size((sg_elem)array->elem));
}

enum { PIECE = 1 << 18 }; // elements between two looks at the limits

sg_array *sg_array_make(sg_vm *vm, sg_elem elem, uint32_t ndims, const size_t *dims)
{
    size_t n = 1, size = sg_elem_size(elem);
    for (uint32_t i = 0; i < ndims; i++) {
        if (dims[i] && n > (SIZE_MAX >> 5) / dims[i]) {
            sg_raise(vm, "ArgumentError", SG_E_LIMIT, (sg_span){0},
                     "an array of this size does not fit into memory");
            return NULL;
        }
        n *= dims[i];
    }
    sg_array *array = sg_heap_new(vm, SG_OBJ_ARRAY, sizeof *array);
    if (!array)
        return NULL;
    array->elem = (uint8_t)elem;
    array->ndims = (uint8_t)ndims;
    for (uint32_t i = 0; i < ndims; i++)
        array->dims[i] = dims[i];
    if (n) {
        array->data = sg_heap_resize(vm, NULL, 0, n * size);
        if (!array->data)
            return NULL;
    }
    array->cap = n;
    for (size_t done; array->len < n; array->len = done) { // gigabytes take seconds
        done = n - array->len > PIECE ? array->len + PIECE : n;
        clear_elements(array, array->len, done);
        if (sg_vm_worked(vm, done - array->len) != SG_OK)
            return NULL;
    }
    return array;
}

sg_array *sg_vector_make(sg_vm *vm, sg_elem elem, size_t n)
{
    return sg_array_make(vm, elem, 1, &n);
}

bool sg_array_reserve(sg_vm *vm, sg_array *array, size_t cap)
{
    if (cap <= array->cap)
        return true;
    size_t size = sg_elem_size((sg_elem)array->elem);
    if (cap < 2 * array->cap)
        cap = 2 * array->cap;
    if (cap < 4)
        cap = 4;
    if (cap > (SIZE_MAX >> 5)) {
        sg_raise(vm, "ArgumentError", SG_E_LIMIT, (sg_span){0},
                 "an array of this size does not fit into memory");
        return false;
    }
    void *data = array->head.flags & SG_ARRAY_SHARED ? NULL : array->data;
    void *grown = sg_heap_resize(vm, data, data ? array->cap * size : 0, cap * size);
    if (!grown)
        return false;
    if (array->head.flags & SG_ARRAY_SHARED) {
        if (array->len)
            memcpy(grown, array->data, array->len * size);
        array->head.flags &= (uint16_t)~SG_ARRAY_SHARED;
    }
    array->data = grown;
    array->cap = cap;
    return true;
}

sg_value sg_array_get(const sg_array *array, size_t index)
{
    switch ((sg_elem)array->elem) {
    case SG_ELEM_ANY:
        return array->v[index];
    case SG_ELEM_FLOAT:
        if (array->unit)
            return sg_quantity(array->f[index], array->unit);
        if (array->head.flags & SG_ARRAY_FLOAT32)
            return (sg_value){.tag = SG_FLOAT32, .d = array->f[index]};
        return sg_float(array->f[index]);
    case SG_ELEM_INT:
        if (array->unit)
            return (sg_value){.tag = SG_QTY_INT, .aux = array->unit, .i = array->n[index]};
        return sg_int(array->n[index]);
    case SG_ELEM_BOOL:
        return sg_bool(array->b[index]);
    }
    return SG_VALUE_NOTHING;
}

static bool store_float(sg_array *array, size_t index, sg_value value)
{
    double d;
    uint32_t unit = 0;
    if (value.tag == SG_FLOAT || value.tag == SG_FLOAT32) {
        d = value.d;
    } else if (value.tag == SG_QTY) {
        d = value.d;
        unit = value.aux;
    } else if (value.tag == SG_QTY_INT) {
        d = (double)value.i;
        unit = value.aux;
    } else if (value.tag == SG_INT) {
        d = (double)value.i;
    } else if (value.tag == SG_BOOL) {
        d = value.b;
    } else {
        return false;
    }
    if (unit != array->unit)
        return false;
    array->f[index] = array->head.flags & SG_ARRAY_FLOAT32 ? (double)(float)d : d;
    return true;
}

bool sg_array_store(sg_array *array, size_t index, sg_value value)
{
    switch ((sg_elem)array->elem) {
    case SG_ELEM_ANY:
        array->v[index] = value;
        return true;
    case SG_ELEM_FLOAT:
        return store_float(array, index, value);
    case SG_ELEM_INT: {
        uint32_t unit = value.tag == SG_QTY_INT || value.tag == SG_QTY ? value.aux : 0;
        if (unit != array->unit)
            return false;
        if (value.tag == SG_INT || value.tag == SG_QTY_INT)
            array->n[index] = value.i;
        else if (value.tag == SG_BOOL)
            array->n[index] = value.b;
        else if ((value.tag == SG_FLOAT || value.tag == SG_QTY || value.tag == SG_FLOAT32) &&
                 value.d == floor(value.d) && fabs(value.d) < 0x1p63)
            array->n[index] = (int64_t)value.d;
        else
            return false;
        return true;
    }
    case SG_ELEM_BOOL:
        if (value.tag == SG_BOOL)
            array->b[index] = value.b;
        else if (value.tag == SG_INT && (value.i == 0 || value.i == 1))
            array->b[index] = value.i == 1;
        else
            return false;
        return true;
    }
    return false;
}

bool sg_array_widen(sg_vm *vm, sg_array *array, sg_elem elem)
{
    if (array->elem == elem)
        return true;
    size_t size = sg_elem_size(elem);
    size_t cap = array->cap ? array->cap : 4;
    sg_array next = *array;
    next.elem = (uint8_t)elem;
    next.head.flags &= (uint16_t)~SG_ARRAY_SHARED;
    next.cap = cap;
    next.unit = elem == SG_ELEM_ANY ? 0 : array->unit;
    next.data = sg_heap_resize(vm, NULL, 0, cap * size);
    if (!next.data)
        return false;
    for (size_t i = 0; i < array->len; i++)
        sg_array_store(&next, i, sg_array_get(array, i));
    if (!(array->head.flags & SG_ARRAY_SHARED) && array->data)
        sg_heap_resize(vm, array->data, array->cap * sg_elem_size((sg_elem)array->elem), 0);
    *array = next;
    return true;
}

// The element kind that holds the value, and its unit.
static sg_elem kind_of(sg_value value, uint32_t *unit)
{
    *unit = 0;
    switch ((sg_tag)value.tag) {
    case SG_BOOL:
        return SG_ELEM_BOOL;
    case SG_INT:
        return SG_ELEM_INT;
    case SG_FLOAT:
        return SG_ELEM_FLOAT;
    case SG_QTY:
        *unit = value.aux;
        return SG_ELEM_FLOAT;
    case SG_QTY_INT:
        *unit = value.aux;
        return SG_ELEM_INT;
    case SG_UNDEF:
    case SG_NOTHING:
    case SG_MISSING:
    case SG_FLOAT32:
    case SG_CHAR:
    case SG_SYMBOL:
    case SG_UNIT:
    case SG_COLON:
    case SG_ENUM:
    case SG_OBJECT:
        break;
    }
    return SG_ELEM_ANY;
}

bool sg_array_push(sg_vm *vm, sg_array *array, sg_value item)
{
    uint32_t unit;
    sg_elem kind = kind_of(item, &unit);
    if (array->len == 0 && array->elem == SG_ELEM_ANY && !array->eltype && array->cap == 0 &&
        kind != SG_ELEM_ANY && (array->head.flags & SG_ARRAY_STATIC)) {
        array->elem = (uint8_t)kind;
        array->unit = unit;
    }
    if (!sg_array_reserve(vm, array, array->len + 1))
        return false;
    if (!sg_array_store(array, array->len, item)) {
        sg_elem wide = array->elem == SG_ELEM_INT && kind == SG_ELEM_FLOAT && unit == array->unit
                           ? SG_ELEM_FLOAT
                           : SG_ELEM_ANY;
        if (!sg_array_widen(vm, array, wide) || !sg_array_reserve(vm, array, array->len + 1))
            return false;
        sg_array_store(array, array->len, item);
    }
    array->len++;
    array->ndims = 1;
    array->dims[0] = array->len;
    return true;
}

// Float32 beside whole numbers stays Float32, beside Float64 it becomes that.
static bool all_single(const sg_value *values, size_t n)
{
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        if (values[i].tag == SG_FLOAT)
            return false;
        any = any || values[i].tag == SG_FLOAT32;
    }
    return any;
}

sg_array *sg_array_from_values(sg_vm *vm, const sg_value *values, size_t n)
{
    uint32_t unit = 0, first_unit = 0;
    sg_elem elem = SG_ELEM_ANY;
    for (size_t i = 0; i < n; i++) {
        sg_elem next = kind_of(values[i], &unit);
        if (values[i].tag == SG_FLOAT32)
            next = SG_ELEM_FLOAT;
        if (i == 0) {
            elem = next;
            first_unit = unit;
        }
        if (next == SG_ELEM_ANY || unit != first_unit) {
            elem = SG_ELEM_ANY;
            break;
        }
        if (next != elem)
            elem = next == SG_ELEM_FLOAT || elem == SG_ELEM_FLOAT ? SG_ELEM_FLOAT : SG_ELEM_INT;
    }
    sg_array *array = sg_vector_make(vm, elem, n);
    if (!array)
        return NULL;
    array->unit = elem == SG_ELEM_ANY ? 0 : first_unit;
    if (elem == SG_ELEM_FLOAT && all_single(values, n))
        array->head.flags |= SG_ARRAY_FLOAT32;
    for (size_t i = 0; i < n; i++)
        sg_array_store(array, i, values[i]);
    return array;
}
