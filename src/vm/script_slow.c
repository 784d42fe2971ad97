// What instructions do when their operands are not plain numbers.
#include "vm/script_exec.h"

#include <math.h>
#include <string.h>

// Names of the reference that stand for numbers with uncertainty (language 2.10).
static bool is_uncertain(const char *name)
{
    static const char *const names[] = {
        "Measurement",        "measurement",   "Particles",   "StaticParticles",
        "unsafe_comparisons", "Distributions", "uncertainty", "pmean"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

// The package that would bring in a name, if the script had asked for it.
static const char *package_of(const sg_vm *vm, sg_sym name)
{
    for (size_t i = 0; i < vm->base->cells.len; i++) {
        const sg_cell *cell = (const sg_cell *)(uintptr_t)vm->base->cells.entries[i].value;
        sg_value value = sg_cell_value(cell);
        const char *package = sg_vm_text(vm, cell->name);
        // Those with a dot in their name are for the program itself.
        if (sg_is(value, SG_OBJ_MODULE) && !strchr(package, '.') &&
            sg_module_get((const sg_module *)value.o, name).tag != SG_UNDEF)
            return package;
    }
    return NULL;
}

sg_status sg_exec_raise_undefined(sg_vm *vm, sg_sym name)
{
    const char *text = sg_vm_text(vm, name);
    if (is_uncertain(text))
        return sg_raise(vm, "UndefVarError", SG_E_UNSUPPORTED, (sg_span){0},
                        "'%s': numbers with uncertainty (Measurement, Particles, ±) are not "
                        "supported yet; use their nominal values",
                        text);
    const char *package = package_of(vm, name);
    const char *near = sg_suggest_name(vm, sg_vm_current_module(vm), text);
    sg_status status =
        package
            ? sg_raise(vm, "UndefVarError", SG_E_NAME, (sg_span){0},
                       "'%s' is not defined; it comes with: using %s", text, package)
            : sg_raise(vm, "UndefVarError", SG_E_NAME, (sg_span){0}, "'%s' is not defined%s%s%s",
                       text, near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
    if (sg_is(vm->exception, SG_OBJ_EXCEPTION))
        ((sg_exception *)vm->exception.o)->payload = sg_symbol(name);
    return status;
}

sg_status sg_exec_load_global(sg_vm *vm, sg_cell *cell, sg_value *out)
{
    *out = sg_cell_value(cell);
    if (out->tag != SG_UNDEF)
        return SG_OK;
    // Perhaps a module that is used now defines it since.
    sg_module *module = sg_vm_current_module(vm);
    sg_cell *found = sg_module_find(module, cell->name);
    if (!found || found == cell)
        return sg_exec_raise_undefined(vm, cell->name);
    cell->link = found;
    *out = sg_cell_value(found);
    return SG_OK;
}

sg_status sg_exec_store_global(sg_vm *vm, sg_cell *cell, sg_value value, bool constant)
{
    (void)constant; // constants may be redefined, as scripts that include a library twice do
    if (cell->head.flags & SG_CELL_CONST && !constant)
        return sg_raise(vm, "ErrorException", SG_E_CONST, (sg_span){0},
                        "'%s' is a constant and cannot be given another value",
                        sg_vm_text(vm, cell->name));
    cell->value = value;
    if (constant)
        cell->head.flags |= SG_CELL_CONST;
    return SG_OK;
}

static int64_t int_power(int64_t base, int64_t exponent)
{
    uint64_t result = 1, factor = (uint64_t)base;
    for (uint64_t e = (uint64_t)exponent; e; e >>= 1) {
        if (e & 1)
            result *= factor;
        factor *= factor;
    }
    return (int64_t)result;
}

bool sg_exec_power(sg_value a, sg_value b, sg_value *out)
{
    if (a.tag == SG_INT && b.tag == SG_INT) {
        *out = b.i >= 0 ? sg_int(int_power(a.i, b.i)) : sg_float(pow((double)a.i, (double)b.i));
        return true;
    }
    if (a.tag == SG_FLOAT && b.tag == SG_INT) {
        *out = sg_float(b.i == 2 ? a.d * a.d : b.i == 3 ? a.d * a.d * a.d : pow(a.d, (double)b.i));
        return true;
    }
    if (b.tag != SG_FLOAT || (a.tag != SG_FLOAT && a.tag != SG_INT))
        return false;
    double x = a.tag == SG_INT ? (double)a.i : a.d;
    if (x < 0 && b.d != floor(b.d))
        return false; // a DomainError, raised by the slow path
    *out = sg_float(pow(x, b.d));
    return true;
}

sg_status sg_exec_binary(sg_vm *vm, sg_operator op, sg_value a, sg_value b, sg_value *out)
{
    sg_function *function = vm->operators[op];
    if (function && function->n_methods) { // a script extended the operator
        sg_value args[2] = {a, b};
        if (sg_function_pick(vm, function, args, 2))
            return sg_call_values(vm, sg_object(function), args, 2, out);
    }
    return vm->hooks->binary(vm, op, a, b, out);
}

sg_status sg_exec_unary(sg_vm *vm, sg_operator op, sg_value a, sg_value *out)
{
    sg_operator twin = op == SG_OPER_NEG ? SG_OPER_SUB : op == SG_OPER_POS ? SG_OPER_ADD : op;
    sg_function *function = vm->operators[twin];
    if (function && function->n_methods && sg_function_pick(vm, function, &a, 1))
        return sg_call_values(vm, sg_object(function), &a, 1, out);
    return vm->hooks->unary(vm, op, a, out);
}

// The sg_plain_number of elements of start:step:stop.
static uint64_t range_count(int64_t start, int64_t step, int64_t stop)
{
    if (step > 0)
        return stop < start ? 0 : ((uint64_t)stop - (uint64_t)start) / (uint64_t)step + 1;
    return stop > start ? 0 : ((uint64_t)start - (uint64_t)stop) / (0 - (uint64_t)step) + 1;
}

sg_status sg_exec_prepare_for(sg_vm *vm, sg_value *r)
{
    bool plain = r[0].tag == SG_INT && r[2].tag == SG_INT &&
                 (r[1].tag == SG_UNDEF || (r[1].tag == SG_INT && r[1].i != 0));
    if (plain) {
        if (r[1].tag == SG_UNDEF)
            r[1] = sg_int(1);
        r[2] = sg_int((int64_t)range_count(r[0].i, r[1].i, r[2].i));
        return SG_OK;
    }
    sg_value range = sg_undef();
    sg_status status = vm->hooks->range(vm, r[0], r[1], r[2], &range);
    r[0] = range;
    r[1] = sg_int(0);
    return status;
}

sg_status sg_exec_next(sg_vm *vm, sg_value collection, int64_t *at, sg_value *out, bool *done)
{
    if (sg_is(collection, SG_OBJ_ARRAY)) {
        const sg_array *array = (const sg_array *)collection.o;
        *done = (size_t)*at >= array->len;
        if (!*done)
            *out = sg_array_get(array, (size_t)(*at)++);
        return SG_OK;
    }
    if (sg_is(collection, SG_OBJ_RANGE)) {
        const sg_range *range = (const sg_range *)collection.o;
        *done = *at >= range->len;
        if (!*done)
            *out = sg_range_get(range, (size_t)(*at)++);
        return SG_OK;
    }
    return vm->hooks->iterate(vm, collection, at, out, done);
}

sg_status sg_exec_append_all(sg_vm *vm, sg_array *list, sg_value collection)
{
    int64_t at = 0;
    // What cannot fit fails at once.
    if (sg_is(collection, SG_OBJ_RANGE) &&
        !sg_array_reserve(vm, list, list->len + (size_t)((sg_range *)collection.o)->len))
        return SG_ERR_LIMIT;
    for (;;) {
        sg_value value;
        bool done = false;
        sg_status status = sg_exec_next(vm, collection, &at, &value, &done);
        if (status != SG_OK || done)
            return status;
        if (!sg_array_push(vm, list, value))
            return SG_ERR_MEMORY;
    }
}

sg_status sg_exec_put_all(sg_vm *vm, sg_dict *dict, sg_value source)
{
    if (sg_is(source, SG_OBJ_NAMED_TUPLE)) {
        const sg_tuple *tuple = (const sg_tuple *)source.o;
        for (uint32_t i = 0; i < tuple->n; i++)
            if (!sg_dict_put(vm, dict, sg_symbol(tuple->names[i]), tuple->items[i], (sg_span){0}))
                return SG_ERR_MEMORY;
        return SG_OK;
    }
    if (source.tag == SG_NOTHING)
        return SG_OK;
    int64_t at = 0;
    for (;;) {
        sg_value pair;
        bool done = false;
        sg_status status = sg_exec_next(vm, source, &at, &pair, &done);
        if (status != SG_OK || done)
            return status;
        bool ok = (sg_is(pair, SG_OBJ_PAIR) || sg_is(pair, SG_OBJ_TUPLE)) &&
                  ((sg_tuple *)pair.o)->n == 2 && ((sg_tuple *)pair.o)->items[0].tag == SG_SYMBOL;
        if (!ok)
            return sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, (sg_span){0},
                            "only a dictionary with symbols as keys can be given as keywords");
        const sg_tuple *tuple = (const sg_tuple *)pair.o;
        if (!sg_dict_put(vm, dict, tuple->items[0], tuple->items[1], (sg_span){0}))
            return SG_ERR_MEMORY;
    }
}

sg_status sg_exec_add_method(sg_vm *vm, sg_value *r, uint32_t n)
{
    sg_type *types[256];
    if (n > SG_COUNT(types))
        return sg_raise(vm, "ErrorException", SG_E_LIMIT, (sg_span){0}, "too many parameters");
    for (uint32_t i = 0; i < n; i++) {
        if (sg_is(r[2 + i], SG_OBJ_TYPE)) {
            types[i] = (sg_type *)r[2 + i].o;
        } else if (r[2 + i].tag == SG_NOTHING) {
            types[i] = NULL;
        } else {
            return sg_raise(vm, "TypeError", SG_E_TYPE, (sg_span){0},
                            "the annotation of parameter %u is not a type", i + 1);
        }
    }
    sg_closure *closure = (sg_closure *)r[0].o;
    if (!sg_function_add(vm, (sg_function *)r[1].o, closure, types, closure->proto->n_required, n,
                         closure->proto->varargs))
        return SG_ERR_MEMORY;
    return SG_OK;
}

static sg_function *constructor_of(sg_vm *vm, sg_type *type)
{
    sg_type *owner = type->generic ? type->generic : type;
    if (!owner->constructor)
        owner->constructor = sg_function_make(vm, owner->name);
    return owner->constructor;
}

sg_status sg_exec_function_of(sg_vm *vm, sg_value value, sg_value *out)
{
    if (sg_is(value, SG_OBJ_FUNCTION)) {
        *out = value;
        return SG_OK;
    }
    if (sg_is(value, SG_OBJ_TYPE)) {
        *out = sg_object(constructor_of(vm, (sg_type *)value.o));
        return out->tag == SG_UNDEF ? SG_ERR_MEMORY : SG_OK;
    }
    return sg_raise(vm, "ErrorException", SG_E_TYPE, (sg_span){0},
                    "a method can be added to a function or a type only");
}

sg_status sg_exec_caller(sg_vm *vm, sg_value type, sg_value *out)
{
    if (!sg_is(type, SG_OBJ_TYPE))
        return sg_raise(vm, "TypeError", SG_E_TYPE, (sg_span){0},
                        "what stands behind '::' is not a type");
    sg_type *owner = (sg_type *)type.o;
    if (owner->generic)
        owner = owner->generic;
    if (!owner->caller)
        owner->caller = sg_function_make(vm, owner->name);
    *out = sg_object(owner->caller);
    return owner->caller ? SG_OK : SG_ERR_MEMORY;
}

sg_status sg_exec_global_function(sg_vm *vm, sg_cell *cell, sg_value *out)
{
    sg_value now = cell->value;
    sg_value outer = sg_cell_value(cell);
    if (now.tag == SG_UNDEF && cell->head.flags & SG_CELL_IMPORTED && outer.tag != SG_UNDEF)
        return sg_exec_function_of(vm, outer, out);
    if (sg_is(now, SG_OBJ_FUNCTION) || sg_is(now, SG_OBJ_TYPE))
        return sg_exec_function_of(vm, now, out);
    sg_function *function = sg_function_make(vm, cell->name);
    if (!function)
        return SG_ERR_MEMORY;
    if (now.tag == SG_UNDEF && sg_is(outer, SG_OBJ_FUNCTION))
        function->fallback = (sg_function *)outer.o;
    cell->value = sg_object(function);
    cell->head.flags |= SG_CELL_ASSIGNED;
    *out = cell->value;
    return SG_OK;
}

sg_status sg_exec_closure(sg_vm *vm, const sg_frame *frame, const sg_proto *proto,
                          const sg_instr *captures, uint32_t n, sg_value *out)
{
    sg_closure *closure = sg_heap_new(vm, SG_OBJ_CLOSURE, sizeof *closure + n * sizeof(sg_cell *));
    if (!closure)
        return SG_ERR_MEMORY;
    closure->proto = (sg_proto *)(uintptr_t)proto;
    closure->n = n;
    for (uint32_t i = 0; i < n; i++)
        closure->cells[i] = captures[i].a ? frame->closure->cells[captures[i].b]
                                          : (sg_cell *)frame->base[captures[i].b].o;
    *out = sg_object(closure);
    return SG_OK;
}

sg_status sg_exec_destructure(sg_vm *vm, sg_value *r, uint32_t n, sg_value source)
{
    int64_t at = 0;
    for (uint32_t i = 0; i < n; i++) {
        bool done = false;
        sg_status status = sg_exec_next(vm, source, &at, &r[i], &done);
        if (status != SG_OK)
            return status;
        if (done)
            return sg_raise(vm, "BoundsError", SG_E_BOUNDS, (sg_span){0},
                            "%u values are assigned, but there are only %u", n, i);
    }
    return SG_OK;
}

sg_status sg_exec_called_type(sg_vm *vm, const sg_frame *frame, uint32_t param, sg_value *out)
{
    *out = frame->callee;
    if (!param)
        return SG_OK;
    if (sg_is(frame->callee, SG_OBJ_TYPE)) {
        const sg_type *type = (const sg_type *)frame->callee.o;
        if (param <= type->n_params) {
            *out = type->params[param - 1];
            return SG_OK;
        }
    }
    *out = sg_object(vm->types.Any);
    return SG_OK;
}

// A comparison that the fast path left: *out is its truth.
sg_status sg_exec_compare(sg_vm *vm, sg_operator op, sg_value a, sg_value b, bool *out)
{
    if (sg_both_plain(a, b)) {
        double x = sg_plain_number(a), y = sg_plain_number(b);
        *out = op == SG_OPER_LT ? x < y : op == SG_OPER_LE ? x <= y : x == y;
        return SG_OK;
    }
    sg_value result = sg_undef();
    sg_status status = sg_exec_binary(vm, op, a, b, &result);
    return status == SG_OK ? sg_truth(vm, result, out) : status;
}
