#include "vm/script_function.h"

#include <string.h>

sg_status sg_script_table_init(sg_script_table *table, sg_vm *vm)
{
    *table = (sg_script_table){.vm = vm, .error = {.tag = SG_UNDEF}};
    table->objects = sg_vector_make(vm, SG_ELEM_ANY, 0);
    return table->objects ? SG_OK : SG_ERR_MEMORY;
}

void sg_script_table_mark(sg_script_table *table)
{
    sg_mark_object(table->vm, table->objects);
    sg_mark_value(table->vm, table->error);
}

void sg_script_table_report(sg_script_table *table, sg_severity severity)
{
    if (table->error.tag == SG_UNDEF)
        return;
    table->vm->exception = table->error;
    table->error = (sg_value){.tag = SG_UNDEF};
    sg_report_exception_as(table->vm, severity);
}

// The number behind a value, if it is one.
static bool number_of(const sg_script_table *table, sg_value v, sg_num *num, double *x)
{
    switch (v.tag) {
    case SG_FLOAT:
    case SG_FLOAT32:
        *num = SG_REAL;
        *x = v.d;
        return true;
    case SG_INT:
        *num = SG_WHOLE;
        *x = (double)v.i;
        return true;
    case SG_BOOL:
        *num = SG_TRUTH;
        *x = v.b ? 1.0 : 0.0;
        return true;
    case SG_QTY:
    case SG_QTY_INT:
        *num = SG_REAL;
        return table->to_number && table->to_number(table->context, v, x);
    default:
        return false;
    }
}

static const sg_array *array_of(sg_value v)
{
    return v.tag == SG_OBJECT && v.o->kind == SG_OBJ_ARRAY ? (const sg_array *)v.o : NULL;
}
static const sg_tuple *tuple_of(sg_value v)
{
    return v.tag == SG_OBJECT && v.o->kind == SG_OBJ_TUPLE ? (const sg_tuple *)v.o : NULL;
}

// What the value looks like to the program.
static sg_dims shape_of(const sg_script_table *table, sg_value v)
{
    sg_num num;
    double x;
    const sg_array *a = array_of(v);
    if (number_of(table, v, &num, &x))
        return sg_dims_scalar(num);
    if (!a || a->ndims > 2 || a->len > UINT32_MAX / 2)
        return sg_dims_scalar(SG_OPAQUE);
    sg_num all = a->elem == SG_ELEM_INT ? SG_WHOLE : a->elem == SG_ELEM_BOOL ? SG_TRUTH : SG_REAL;
    for (size_t i = 0; a->elem == SG_ELEM_ANY && i < a->len; i++)
        if (!number_of(table, a->v[i], &num, &x))
            return sg_dims_scalar(SG_OPAQUE);
    return (sg_dims){(uint8_t)all, a->ndims == 1 ? SG_VECTOR : SG_MATRIX, (uint32_t)a->dims[0],
                     a->ndims == 1 ? 1 : (uint32_t)a->dims[1]};
}

// A handle for the value; the slot that `place` holds already is used again.
static bool store_object(sg_script_table *table, sg_value v, double *place)
{
    size_t slot = (size_t)*place;
    if (slot >= 1 && slot <= table->objects->len) {
        table->objects->v[slot - 1] = v;
        return true;
    }
    if (!sg_array_push(table->vm, table->objects, v))
        return false;
    *place = (double)table->objects->len;
    return true;
}

// Writes the value where the program wants it; false if its shape has changed.
static bool write_value(sg_script_table *table, sg_value v, sg_operand to)
{
    sg_dims shape = shape_of(table, v);
    const sg_array *a = array_of(v);
    sg_num num;
    double x;
    if (to.shape.num == SG_OPAQUE)
        return store_object(table, v, to.data);
    if (shape.num == SG_OPAQUE || shape.rows != to.shape.rows || shape.cols != to.shape.cols)
        return false;
    if (!a) {
        number_of(table, v, &num, &x);
        *to.data = x;
        return true;
    }
    for (size_t i = 0; i < a->len; i++) {
        sg_value item = a->elem == SG_ELEM_FLOAT && !a->unit
                            ? (sg_value){.tag = SG_FLOAT, .d = a->f[i]}
                            : sg_array_get(a, i);
        if (!number_of(table, item, &num, &to.data[i]))
            return false;
    }
    return true;
}

sg_value sg_script_value(sg_script_table *table, sg_operand from)
{
    const sg_value undefined = {.tag = SG_UNDEF};
    double x = from.shape.rows && from.shape.cols ? from.data[0] : 0.0;
    if (from.shape.num == SG_OPAQUE) {
        size_t slot = (size_t)x;
        return slot >= 1 && slot <= table->objects->len ? table->objects->v[slot - 1]
                                                        : SG_VALUE_NOTHING;
    }
    if (from.shape.dims == SG_SCALAR)
        return from.shape.num == SG_WHOLE   ? sg_int((int64_t)x)
               : from.shape.num == SG_TRUTH ? sg_bool(x != 0.0)
                                            : sg_float(x);
    size_t dims[2] = {from.shape.rows, from.shape.cols};
    bool whole = from.shape.num == SG_WHOLE;
    sg_array *a = sg_array_make(table->vm, whole ? SG_ELEM_INT : SG_ELEM_FLOAT,
                                from.shape.dims == SG_VECTOR ? 1 : 2, dims);
    if (!a)
        return undefined;
    for (size_t i = 0; i < a->len; i++) {
        if (whole)
            a->n[i] = (int64_t)from.data[i];
        else
            a->f[i] = from.data[i];
    }
    return (sg_value){.tag = SG_OBJECT, .o = &a->head};
}

enum { MOST_ARGUMENTS = 64 };

static sg_value with_unit(sg_value v, uint32_t unit)
{
    if (v.tag == SG_FLOAT)
        return (sg_value){.tag = SG_QTY, .aux = unit, .d = v.d};
    if (v.tag == SG_OBJECT && v.o->kind == SG_OBJ_ARRAY &&
        ((sg_array *)(void *)v.o)->elem == SG_ELEM_FLOAT)
        ((sg_array *)(void *)v.o)->unit = unit; // made for this call
    return v;
}

static sg_status call_script(sg_script_function *f, const sg_extern_call *call, sg_value *out)
{
    sg_script_table *table = f->table;
    sg_value args[MOST_ARGUMENTS];
    if (call->n_args > MOST_ARGUMENTS)
        return SG_ERR_LIMIT;
    for (uint32_t k = 0; k < call->n_args; k++) {
        args[k] = sg_script_value(table, call->args[k]);
        if (args[k].tag == SG_UNDEF)
            return SG_ERR_MEMORY;
        if (f->arg_units && k < f->n_units && f->arg_units[k])
            args[k] = with_unit(args[k], f->arg_units[k]);
    }
    sg_status status = sg_call_values(table->vm, f->callee, args, call->n_args, out);
    if (status == SG_OK)
        return SG_OK;
    // The machine must be ready for the next call; the exception is kept for the report.
    table->error = table->vm->exception;
    table->vm->exception = (sg_value){.tag = SG_UNDEF};
    return status == SG_ERR_MODEL ? SG_ERR_SOLVER : status;
}

// Result k of a function that returned `v`: several results are a tuple or a vector.
static bool result_at(sg_value v, uint32_t k, uint32_t n, sg_value *item)
{
    const sg_tuple *t = tuple_of(v);
    const sg_array *a = array_of(v);
    if (n == 1 && !(t && t->n == 1)) {
        *item = v;
        return true;
    }
    if (t && k < t->n)
        *item = t->items[k];
    else if (a && k < a->len)
        *item = sg_array_get(a, k);
    else
        return false;
    return true;
}

static sg_status too_few(sg_script_table *table, uint32_t n)
{
    sg_raise(table->vm, "ErrorException", SG_E_EQ_CALL, (sg_span){0},
             "the function must return %u values, as the equation asks for", n);
    table->error = table->vm->exception;
    table->vm->exception = (sg_value){.tag = SG_UNDEF};
    return SG_ERR_MODEL;
}

static sg_status shapes(void *context, const sg_extern_call *call, sg_dims *results)
{
    sg_script_function *f = context;
    sg_value v, item;
    sg_status status = call_script(f, call, &v);
    for (uint32_t k = 0; status == SG_OK && k < call->n_results; k++) {
        if (!result_at(v, k, call->n_results, &item))
            return too_few(f->table, call->n_results);
        results[k] = shape_of(f->table, item);
        // An Int at the start may well be a Float later; only objects stay what they are.
        if (results[k].num != SG_OPAQUE)
            results[k].num = SG_REAL;
    }
    return status;
}

static sg_status call(void *context, const sg_extern_call *c)
{
    sg_script_function *f = context;
    sg_value v, item;
    sg_status status = call_script(f, c, &v);
    for (uint32_t k = 0; status == SG_OK && k < c->n_results; k++) {
        if (!result_at(v, k, c->n_results, &item))
            return too_few(f->table, c->n_results);
        if (!write_value(f->table, item, c->results[k])) {
            sg_raise(f->table->vm, "DimensionMismatch", SG_E_EQ_CALL, (sg_span){0},
                     "the function returned another kind or size of value than at the start");
            f->table->error = f->table->vm->exception;
            f->table->vm->exception = (sg_value){.tag = SG_UNDEF};
            return SG_ERR_MODEL;
        }
    }
    return status;
}

sg_extern sg_script_extern(sg_script_function *function)
{
    return (sg_extern){function, shapes, call};
}

bool sg_script_given(sg_script_table *table, sg_value value, sg_arena *arena, sg_given *out)
{
    sg_dims shape = shape_of(table, value);
    double *data = SG_NEW_ARRAY(arena, double, (size_t)shape.rows *shape.cols + 1);
    if (!data || !write_value(table, value, (sg_operand){shape, data}))
        return false;
    *out = (sg_given){shape, data};
    return true;
}
