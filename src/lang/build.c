// Literals with parts: arrays, concatenations, ranges, strings, named tuples, types.
#include "lang/runtime.h"
#include "vm/bytecode.h"

#include <math.h>
#include <string.h>

// ---- ranges -------------------------------------------------------------------------------------

// The smallest denominator (a small one) with which x is a fraction, or 0.
static double denominator(double x)
{
    static const double tried[] = {1,    2,    3,    4,    5,    6,   8,   9,   10,  12,  15,  16,
                                   20,   25,   30,   32,   40,   50,  60,  64,  80,  90,  100, 120,
                                   125,  128,  200,  250,  256,  300, 360, 400, 500, 512, 600, 1000,
                                   1024, 2000, 2500, 3600, 5000, 1e4, 2e4, 1e5, 1e6, 1e7, 1e8, 1e9};
    if (fabs(x) > 1e9)
        return x == floor(x) && fabs(x) < 0x1p53 ? 1 : 0;
    for (size_t i = 0; i < SG_COUNT(tried); i++) {
        double n = round(x * tried[i]);
        if (n / tried[i] == x)
            return tried[i];
    }
    return 0;
}

// One denominator for two numbers, or 0.
static double common_denominator(double a, double b)
{
    double da = denominator(a), db = denominator(b);
    if (da == 0 || db == 0)
        return 0;
    double x = da, y = db;
    while (y != 0) { // greatest common divisor
        double t = fmod(x, y);
        x = y;
        y = t;
    }
    double d = da / x * db;
    return d < 0x1p50 ? d : 0;
}

sg_value sg_range_by_length(sg_vm *vm, double start, double stop, int64_t n, uint32_t unit)
{
    double step = n > 1 ? (stop - start) / (double)(n - 1) : 0;
    sg_value range =
        sg_range_make(vm, sg_quantity_make(start, unit), sg_quantity_make(step, unit), n);
    if (range.tag == SG_UNDEF || n < 2)
        return range;
    sg_range *r = (sg_range *)range.o;
    double d = common_denominator(start, stop), parts = (double)(n - 1);
    if (d != 0 && fabs(start * d * parts) < 0x1p50 && fabs(stop * d * parts) < 0x1p50) {
        r->num = round(start * d) * parts;
        r->num_step = round(stop * d) - round(start * d);
        r->den = d * parts;
    } else { // (start*(n-1) + i*(stop-start))/(n-1) still ends exactly at stop
        r->num = start * parts;
        r->num_step = stop - start;
        r->den = parts;
    }
    return range;
}

static sg_status float_range(sg_vm *vm, double start, double step, double stop, uint32_t unit,
                             sg_value *out)
{
    if (step == 0 || isnan(start + step + stop))
        return sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, (sg_span){0},
                        "the step of a range must not be zero or NaN");
    double count = (stop - start) / step;
    double d = common_denominator(start, step);
    if (d != 0) // count in the exact fractions
        count = (stop * d - round(start * d)) / round(step * d);
    if (isnan(count)) // infinite ends and steps
        return sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, (sg_span){0},
                        "the number of elements from %g to %g by %g is undefined", start, stop,
                        step);
    int64_t n = count < 0         ? 0
                : count >= 0x1p62 ? INT64_MAX / 2
                                  : (int64_t)floor(count * (1 + 4e-16)) + 1;
    *out = sg_range_make(vm, sg_quantity_make(start, unit), sg_quantity_make(step, unit), n);
    if (out->tag != SG_UNDEF && d != 0) {
        sg_range *r = (sg_range *)out->o;
        r->num = round(start * d);
        r->num_step = round(step * d);
        r->den = d;
    }
    return SG_OK;
}

static int64_t int_count(int64_t start, int64_t step, int64_t stop)
{
    uint64_t n;
    if (step > 0)
        n = stop < start ? 0 : ((uint64_t)stop - (uint64_t)start) / (uint64_t)step + 1;
    else
        n = stop > start ? 0 : ((uint64_t)start - (uint64_t)stop) / (0 - (uint64_t)step) + 1;
    return n > INT64_MAX ? INT64_MAX : (int64_t)n;
}

sg_status sg_range_build(sg_vm *vm, sg_value start, sg_value step, sg_value stop, sg_value *out)
{
    sg_runtime *runtime = sg_runtime_of(vm);
    if (step.tag == SG_UNDEF) {
        step = sg_int(1);
        if (sg_is_quantity(start)) // 1u"s":5u"s" steps by one of the unit
            step = (sg_value){.tag = SG_QTY_INT, .aux = sg_quantity_unit(start), .i = 1};
    }
    if (start.tag == SG_BOOL)
        start = sg_int(start.b);
    if (stop.tag == SG_BOOL)
        stop = sg_int(stop.b);
    if (start.tag == SG_CHAR && stop.tag == SG_CHAR) {
        *out = sg_range_make(vm, start, sg_int(1), stop.i - start.i + 1);
        return SG_OK;
    }
    if (start.tag == SG_INT && step.tag == SG_INT && stop.tag == SG_INT) {
        if (!step.i)
            return sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, (sg_span){0},
                            "the step of a range must not be zero");
        *out = sg_range_make(vm, start, step, int_count(start.i, step.i, stop.i));
        return SG_OK;
    }
    if (sg_is_quantity(start) || sg_is_quantity(step) || sg_is_quantity(stop)) {
        uint32_t unit = sg_quantity_unit(start);
        sg_status status = sg_quantity_convert(vm, runtime->units, step, unit, &step);
        if (status == SG_OK)
            status = sg_quantity_convert(vm, runtime->units, stop, unit, &stop);
        if (status != SG_OK)
            return status;
        return float_range(vm, sg_quantity_number(start), sg_quantity_number(step),
                           sg_quantity_number(stop), unit, out);
    }
    double a, s, b;
    if (!sg_to_float(start, &a) || !sg_to_float(step, &s) || !sg_to_float(stop, &b)) {
        sg_buf ta, tb;
        sg_status status = sg_raise(vm, "MethodError", SG_E_TYPE, (sg_span){0},
                                    "a range needs numbers, not %s and %s",
                                    sg_type_text(vm, start, &ta), sg_type_text(vm, stop, &tb));
        sg_buf_free(&ta);
        sg_buf_free(&tb);
        return status;
    }
    return float_range(vm, a, s, b, 0, out);
}

// ---- concatenation ------------------------------------------------------------------------------

static bool is_block(sg_value v) { return sg_is(v, SG_OBJ_ARRAY) || sg_is(v, SG_OBJ_RANGE); }

// Mixed plain numbers and angles become radians (language.md 2.5).
static bool plain_angles(sg_vm *vm, sg_value *values, size_t n)
{
    sg_units *units = sg_runtime_of(vm)->units;
    bool plain = false, angle = false;
    for (size_t i = 0; i < n; i++) {
        if (sg_is_plain_number(values[i]))
            plain = true;
        else if (sg_is_quantity(values[i]) &&
                 !sg_unit_has_dimension(units, sg_quantity_unit(values[i])))
            angle = true;
        else
            return false;
    }
    if (!plain || !angle)
        return false;
    for (size_t i = 0; i < n; i++)
        values[i] = sg_float(sg_quantity_si(units, values[i]));
    return true;
}

// Different units of one dimension in one array: all in the unit of the first.
static void unify_units(sg_vm *vm, sg_value *values, size_t n)
{
    sg_units *units = sg_runtime_of(vm)->units;
    if (!n || !sg_is_quantity(values[0]))
        return;
    uint32_t unit = sg_quantity_unit(values[0]);
    bool differ = false;
    for (size_t i = 0; i < n; i++) {
        if (!sg_is_quantity(values[i]) ||
            !sg_unit_same_dimension(units, unit, sg_quantity_unit(values[i])))
            return;
        differ = differ || sg_quantity_unit(values[i]) != unit;
    }
    for (size_t i = 0; differ && i < n; i++)
        if (sg_quantity_convert(vm, units, values[i], unit, &values[i]) != SG_OK)
            vm->exception = (sg_value){.tag = SG_UNDEF};
}

static sg_array *vector_of(sg_vm *vm, const sg_value *items, size_t n)
{
    bool quantities = false;
    for (size_t i = 0; i < n; i++)
        quantities = quantities || sg_is_quantity(items[i]);
    if (!quantities)
        return sg_array_from_values(vm, items, n);
    sg_array *copy = sg_vector_make(vm, SG_ELEM_ANY, n);
    if (!copy)
        return NULL;
    memcpy(copy->v, items, n * sizeof(sg_value));
    if (!plain_angles(vm, copy->v, n))
        unify_units(vm, copy->v, n);
    return sg_array_from_values(vm, copy->v, n);
}

// Rows and columns of an operand; numbers are 1 x 1, vectors n x 1.
static void block_size(sg_value v, size_t *rows, size_t *cols)
{
    *rows = *cols = 1;
    if (sg_is(v, SG_OBJ_RANGE)) {
        *rows = (size_t)((sg_range *)v.o)->len;
    } else if (sg_is(v, SG_OBJ_ARRAY)) {
        const sg_array *a = (const sg_array *)v.o;
        *rows = a->dims[0];
        *cols = a->ndims > 1 ? a->dims[1] : 1;
    }
}

static sg_value block_item(sg_value v, size_t i)
{
    if (sg_is(v, SG_OBJ_ARRAY))
        return sg_array_get((sg_array *)v.o, i);
    if (sg_is(v, SG_OBJ_RANGE))
        return sg_range_get((sg_range *)v.o, i);
    return v;
}

static sg_status raise_blocks(sg_vm *vm, const char *what, size_t a, size_t b)
{
    return sg_raise(vm, "DimensionMismatch", SG_E_SHAPE, (sg_span){0},
                    "blocks of an array need the same number of %s: %zu and %zu", what, a, b);
}

static sg_status finish_array(sg_vm *vm, sg_array *any, sg_value *out)
{
    if (!plain_angles(vm, any->v, any->len))
        unify_units(vm, any->v, any->len);
    sg_array *narrow = sg_array_narrow(vm, any);
    *out = sg_object(narrow);
    return narrow ? SG_OK : SG_ERR_MEMORY;
}

sg_status sg_vcat(sg_vm *vm, const sg_value *items, uint32_t n, sg_value *out)
{
    size_t rows = 0, cols = 0;
    bool matrix = false, have = false;
    for (uint32_t i = 0; i < n; i++) {
        size_t r, c;
        block_size(items[i], &r, &c);
        matrix = matrix || (sg_is(items[i], SG_OBJ_ARRAY) && ((sg_array *)items[i].o)->ndims == 2);
        if (have && c != cols)
            return raise_blocks(vm, "columns", cols, c);
        cols = c;
        have = true;
        rows += r;
    }
    size_t dims[2] = {rows, have ? cols : 0};
    sg_array *any = sg_array_make(vm, SG_ELEM_ANY, matrix ? 2 : 1, dims);
    if (!any)
        return SG_ERR_MEMORY;
    size_t top = 0;
    for (uint32_t k = 0; k < n; k++) {
        size_t r, c;
        block_size(items[k], &r, &c);
        for (size_t j = 0; j < c; j++)
            for (size_t i = 0; i < r; i++)
                any->v[top + i + j * rows] = block_item(items[k], i + j * r);
        top += r;
    }
    if (!any->len && n) { // keep the kind of what was joined
        for (uint32_t k = 0; k < n; k++)
            if (sg_is(items[k], SG_OBJ_ARRAY) && ((sg_array *)items[k].o)->elem != SG_ELEM_ANY) {
                any->elem = ((sg_array *)items[k].o)->elem;
                break;
            }
    }
    return finish_array(vm, any, out);
}

sg_status sg_hcat(sg_vm *vm, const sg_value *items, uint32_t n, sg_value *out)
{
    size_t rows = 0, cols = 0;
    for (uint32_t i = 0; i < n; i++) {
        size_t r, c;
        block_size(items[i], &r, &c);
        if (i && r != rows)
            return raise_blocks(vm, "rows", rows, r);
        rows = r;
        cols += c;
    }
    size_t dims[2] = {n ? rows : 0, cols};
    sg_array *any = sg_array_make(vm, SG_ELEM_ANY, 2, dims);
    if (!any)
        return SG_ERR_MEMORY;
    size_t at = 0;
    for (uint32_t k = 0; k < n; k++) {
        size_t r, c;
        block_size(items[k], &r, &c);
        for (size_t i = 0; i < r * c; i++)
            any->v[at++] = block_item(items[k], i);
    }
    return finish_array(vm, any, out);
}

static sg_status hvcat(sg_vm *vm, const sg_value *items, uint32_t n, sg_value *out)
{
    const sg_tuple *lengths = (const sg_tuple *)items[0].o;
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_tuple *rows = sg_tuple_make(vm, lengths->n);
    if (!rows)
        return SG_ERR_MEMORY;
    uint32_t at = 1;
    sg_status status = SG_OK;
    for (uint32_t i = 0; i < lengths->n && status == SG_OK; i++) {
        uint32_t length = (uint32_t)lengths->items[i].i;
        if (at + length > n)
            break;
        status = sg_hcat(vm, items + at, length, &rows->items[i]);
        at += length;
    }
    if (status == SG_OK)
        status = sg_vcat(vm, rows->items, rows->n, out);
    sg_root_pop(vm, mark);
    return status;
}

// [a;; b] joins columns, [a;;; b] stacks matrices.
static sg_status ncat(sg_vm *vm, const sg_value *items, uint32_t n, uint32_t dim, sg_value *out)
{
    if (dim <= 1)
        return sg_vcat(vm, items, n, out);
    if (dim == 2)
        return sg_hcat(vm, items, n, out);
    if (dim != 3)
        return sg_raise(vm, "ArgumentError", SG_E_UNSUPPORTED, (sg_span){0},
                        "arrays are joined along 3 dimensions at most");
    size_t rows = 0, cols = 0, pages = 0;
    for (uint32_t i = 0; i < n; i++) {
        size_t r, c;
        block_size(items[i], &r, &c);
        if (i && (r != rows || c != cols))
            return raise_blocks(vm, "elements", rows * cols, r * c);
        rows = r;
        cols = c;
        bool cube = sg_is(items[i], SG_OBJ_ARRAY) && ((sg_array *)items[i].o)->ndims == 3;
        pages += cube ? ((sg_array *)items[i].o)->dims[2] : 1;
    }
    size_t dims[3] = {rows, cols, pages}, at = 0;
    sg_array *any = sg_array_make(vm, SG_ELEM_ANY, 3, dims);
    if (!any)
        return SG_ERR_MEMORY;
    for (uint32_t k = 0; k < n; k++) {
        size_t count = is_block(items[k]) ? (size_t)sg_length(vm, items[k]) : 1;
        for (size_t i = 0; i < count; i++)
            any->v[at++] = block_item(items[k], i);
    }
    return finish_array(vm, any, out);
}

static sg_status typed_cat(sg_vm *vm, const sg_value *items, sg_value *out)
{
    if (!sg_is(items[0], SG_OBJ_TYPE))
        return sg_raise(vm, "TypeError", SG_E_TYPE, (sg_span){0},
                        "an array literal behind a value that is not a type");
    sg_array *array = sg_as_array(vm, items[1]);
    if (!array)
        return SG_ERR_MEMORY;
    sg_value typed;
    sg_array *list = sg_collect(vm, items[1]);
    if (!list)
        return SG_ERR_MEMORY;
    if (list->elem != SG_ELEM_ANY && !sg_array_widen(vm, list, SG_ELEM_ANY))
        return SG_ERR_MEMORY;
    sg_status status = sg_index(vm, items[0], list->v, (uint32_t)list->len, &typed);
    if (status != SG_OK)
        return status;
    sg_array *result = (sg_array *)typed.o;
    result->ndims = array->ndims;
    memcpy(result->dims, array->dims, sizeof result->dims);
    *out = typed;
    return SG_OK;
}

// ---- the others ---------------------------------------------------------------------------------

static sg_status build_string(sg_vm *vm, const sg_value *items, uint32_t n, sg_value *out)
{
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    for (uint32_t i = 0; i < n; i++)
        sg_print_value(vm, sg_runtime_of(vm)->units, items[i], &text);
    *out = sg_object(text.failed ? NULL : sg_string_make(vm, sg_buf_text(&text), text.len));
    sg_buf_free(&text);
    return out->tag == SG_UNDEF ? SG_ERR_MEMORY : SG_OK;
}

static sg_status named_tuple(sg_vm *vm, const sg_dict *dict, sg_value *out)
{
    uint32_t n = (uint32_t)sg_dict_len(dict), i = 0;
    sg_sym small[32], *names = small;
    if (n > 32)
        names = vm->allocator->resize(vm->allocator->context, NULL, 0, n * sizeof(sg_sym));
    if (!names)
        return sg_raise_status(vm, SG_ERR_MEMORY, SG_E_MEMORY, (sg_span){0}, "out of memory");
    size_t at = 0;
    sg_dict_entry entry;
    while (sg_dict_next(dict, &at, &entry))
        names[i++] = entry.key.sym;
    sg_tuple *tuple = sg_named_tuple_make(vm, n, names);
    at = 0;
    for (i = 0; tuple && sg_dict_next(dict, &at, &entry); i++)
        tuple->items[i] = entry.value;
    if (names != small)
        vm->allocator->resize(vm->allocator->context, names, n * sizeof(sg_sym), 0);
    *out = sg_object(tuple);
    return tuple ? SG_OK : SG_ERR_MEMORY;
}

static sg_status reshape_list(sg_vm *vm, const sg_value *items, uint32_t n, sg_value *out)
{
    sg_array *list = sg_array_narrow(vm, (sg_array *)items[0].o);
    if (!list)
        return SG_ERR_MEMORY;
    size_t total = 1;
    for (uint32_t i = 1; i < n; i++) {
        int64_t length = sg_length(vm, items[i]);
        list->dims[i - 1] = length < 0 ? 0 : (size_t)length;
        total *= list->dims[i - 1];
    }
    list->ndims = (uint8_t)(n - 1);
    if (total != list->len) { // the collections changed between the two looks
        list->ndims = 1;
        list->dims[0] = list->len;
    }
    *out = sg_object(list);
    return SG_OK;
}

static sg_status apply_type(sg_vm *vm, const sg_value *items, uint32_t n, sg_value *out)
{
    if (sg_is(items[0], SG_OBJ_FUNCTION) || sg_is(items[0], SG_OBJ_NATIVE)) {
        *out = items[0]; // a constructor function of the host, as in PTP_path{Float64}
        return SG_OK;
    }
    if (!sg_is(items[0], SG_OBJ_TYPE)) {
        sg_buf text;
        sg_status status =
            sg_raise(vm, "TypeError", SG_E_TYPE, (sg_span){0},
                     "'{ }' needs a type in front, not %s", sg_type_text(vm, items[0], &text));
        sg_buf_free(&text);
        return status;
    }
    sg_type *generic = (sg_type *)items[0].o;
    if (generic != vm->types.Union) {
        *out = sg_object(sg_type_apply(vm, generic, items + 1, n - 1));
        return SG_OK;
    }
    sg_type *members[64];
    if (n - 1 > SG_COUNT(members))
        return sg_raise(vm, "ArgumentError", SG_E_LIMIT, (sg_span){0}, "a Union is too large");
    for (uint32_t i = 1; i < n; i++) {
        if (!sg_is(items[i], SG_OBJ_TYPE))
            return sg_raise(vm, "TypeError", SG_E_TYPE, (sg_span){0}, "Union joins types");
        members[i - 1] = (sg_type *)items[i].o;
    }
    *out = sg_object(sg_type_union(vm, members, n - 1));
    return SG_OK;
}

static sg_status length_of(sg_vm *vm, sg_value v, uint32_t dim, sg_value *out)
{
    int64_t n = 0;
    if (dim && sg_is(v, SG_OBJ_ARRAY)) {
        const sg_array *array = (const sg_array *)v.o;
        n = dim <= array->ndims ? (int64_t)array->dims[dim - 1] : 1;
    } else if (sg_is(v, SG_OBJ_STRING)) {
        n = ((sg_string *)v.o)->len;
    } else {
        n = sg_length(vm, v);
    }
    if (n >= 0) {
        *out = sg_int(n);
        return SG_OK;
    }
    sg_buf text;
    sg_status status = sg_raise(vm, "MethodError", SG_E_TYPE, (sg_span){0},
                                "'end' has no meaning for %s", sg_type_text(vm, v, &text));
    sg_buf_free(&text);
    return status;
}

static sg_status type_of_param(sg_vm *vm, const sg_value *items, sg_value *out)
{
    sg_value v = items[0];
    int64_t place = items[1].i;
    if (sg_is(v, SG_OBJ_TYPE)) { // ::Type{T}
        *out = v;
        return SG_OK;
    }
    sg_type *type = sg_typeof(vm, v);
    if (!type)
        return SG_ERR_MEMORY;
    *out = sg_object(type);
    if (place > 0 && type->n_params) {
        // Element types come last in static arrays, first elsewhere.
        uint32_t i = (uint32_t)place - 1;
        if (i >= type->n_params)
            i = type->n_params - 1;
        *out = type->params[i];
    }
    return SG_OK;
}

static bool same_fields(const sg_type *type, const sg_value *items, uint32_t n)
{
    if (type->n_fields != (n - 4) / 2)
        return false;
    for (uint32_t i = 0; i < type->n_fields; i++)
        if (type->field_names[i].i != items[4 + 2 * i].sym.i)
            return false;
    return true;
}

// struct: name, supertype, bits (1 mutable, 2 abstract, 4 inner constructors), names of parameters,
// fields.
static sg_status build_struct(sg_vm *vm, const sg_value *items, uint32_t n, sg_value *out)
{
    sg_type *parent = vm->types.Any;
    if (sg_is(items[1], SG_OBJ_TYPE))
        parent = (sg_type *)items[1].o;
    else if (items[1].tag != SG_NOTHING)
        return sg_raise(vm, "TypeError", SG_E_TYPE, (sg_span){0},
                        "what stands behind '<:' is not a type");
    sg_value old = sg_module_get(sg_vm_current_module(vm), items[0].sym);
    bool mutable_ = items[2].i & 1, abstract_ = items[2].i & 2, inner = items[2].i & 4;
    if (sg_is(old, SG_OBJ_TYPE) && same_fields((sg_type *)old.o, items, n) &&
        ((sg_type *)old.o)->parent == parent && ((sg_type *)old.o)->is_mutable == mutable_ &&
        ((sg_type *)old.o)->is_abstract == abstract_ && !((sg_type *)old.o)->generic &&
        sg_module_find(vm->base, items[0].sym) == NULL) {
        *out = old; // the same declaration again, as when a file is included twice
        return SG_OK;
    }
    sg_type *type = sg_type_make(vm, items[0].sym, parent, abstract_);
    if (!type)
        return SG_ERR_MEMORY;
    type->is_mutable = mutable_;
    type->has_inner = inner;
    const sg_tuple *vars = (const sg_tuple *)items[3].o;
    if (vars->n) {
        type->var_names = sg_heap_resize(vm, NULL, 0, vars->n * sizeof(sg_sym));
        if (!type->var_names)
            return SG_ERR_MEMORY;
        type->n_vars = vars->n;
        for (uint32_t i = 0; i < vars->n; i++)
            type->var_names[i] = vars->items[i].sym;
    }
    uint32_t n_fields = (n - 4) / 2;
    if (n_fields) {
        type->field_names = sg_heap_resize(vm, NULL, 0, n_fields * sizeof(sg_sym));
        type->field_types =
            type->field_names ? sg_heap_resize(vm, NULL, 0, n_fields * sizeof(sg_type *)) : NULL;
        if (!type->field_types) {
            if (type->field_names)
                sg_heap_resize(vm, type->field_names, n_fields * sizeof(sg_sym), 0);
            type->field_names = NULL;
            return SG_ERR_MEMORY;
        }
        type->n_fields = n_fields;
    }
    for (uint32_t i = 0; i < n_fields; i++) {
        type->field_names[i] = items[4 + 2 * i].sym;
        sg_value field = items[5 + 2 * i];
        type->field_types[i] = sg_is(field, SG_OBJ_TYPE) ? (sg_type *)field.o : NULL;
    }
    *out = sg_object(type);
    return SG_OK;
}

sg_status sg_build_hook(sg_vm *vm, uint32_t what, uint32_t extra, const sg_value *items, uint32_t n,
                        sg_value *out)
{
    switch ((sg_build)what) {
    case SG_BUILD_VECTOR:
        *out = sg_object(vector_of(vm, items, n));
        return out->tag == SG_UNDEF ? SG_ERR_MEMORY : SG_OK;
    case SG_BUILD_HCAT:
        return sg_hcat(vm, items, n, out);
    case SG_BUILD_VCAT:
        return sg_vcat(vm, items, n, out);
    case SG_BUILD_HVCAT:
        return hvcat(vm, items, n, out);
    case SG_BUILD_NCAT:
        return ncat(vm, items, n, extra, out);
    case SG_BUILD_TYPED:
        return sg_index(vm, items[0], items + 1, n - 1, out);
    case SG_BUILD_TYPED_CAT:
        return typed_cat(vm, items, out);
    case SG_BUILD_NAMED_TUPLE:
        return named_tuple(vm, (sg_dict *)items[0].o, out);
    case SG_BUILD_STRING:
        return build_string(vm, items, n, out);
    case SG_BUILD_QUOTE:
        return sg_quote_fill(vm, items, n, out);
    case SG_BUILD_RESERVE: {
        int64_t length = sg_is(items[1], SG_OBJ_RANGE) ? ((sg_range *)items[1].o)->len : 0;
        *out = items[0];
        return sg_array_reserve(vm, (sg_array *)items[0].o, (size_t)length) ? SG_OK : SG_ERR_LIMIT;
    }
    case SG_BUILD_COLLECT: {
        sg_array *list = (sg_array *)items[0].o;
        *out = sg_object(list->elem == SG_ELEM_ANY ? vector_of(vm, list->v, list->len) : list);
        if (list->len == 0 && out->tag != SG_UNDEF && extra != SG_ELEM_ANY)
            *out = sg_object(sg_array_make(vm, (sg_elem)extra, 1, &(size_t){0}));
        return out->tag == SG_UNDEF ? SG_ERR_MEMORY : SG_OK;
    }
    case SG_BUILD_RESHAPE:
        return reshape_list(vm, items, n, out);
    case SG_BUILD_TYPE:
        return apply_type(vm, items, n, out);
    case SG_BUILD_GENERATOR:
        *out = sg_generator_make(vm, items[0], items[1], n > 2 ? items[2] : SG_VALUE_NOTHING);
        return SG_OK;
    case SG_BUILD_LENGTH:
        return length_of(vm, items[0], extra, out);
    case SG_BUILD_TYPE_VAR:
        *out = sg_object(sg_type_var(vm, items[0].sym,
                                     sg_is(items[1], SG_OBJ_TYPE) ? (sg_type *)items[1].o : NULL));
        return SG_OK;
    case SG_BUILD_TYPE_OF_PARAM:
        return type_of_param(vm, items, out);
    case SG_BUILD_STRUCT:
        return build_struct(vm, items, n, out);
    case SG_BUILD_MACRO:
        break;
    }
    return sg_raise_status(vm, SG_ERR_INTERNAL, SG_E_NONE, (sg_span){0}, "unknown literal");
}
