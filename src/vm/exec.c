// The executor of script bytecode.
//
// Calls between script functions push a frame and go on in the same loop; only a native that
// calls back enters it again. Integers and floats are computed here; everything else goes through
// the hooks. The instruction pointer is saved into the frame before anything that may raise, so
// an error knows its place.
#include "base/assert.h"
#include "vm/bytecode.h"
#include "vm/vm.h"

#include <math.h>
#include <string.h>

enum { POLL_EVERY = 1024, MAX_NATIVE_DEPTH = 200 };

typedef enum call_result { CALL_FRAME, CALL_DONE, CALL_FAILED } call_result;

static sg_value undef(void) { return (sg_value){.tag = SG_UNDEF}; }

// Collection, limits and interruption; every so many back-edges and calls.
static sg_status poll(sg_vm *vm)
{
    vm->budget = POLL_EVERY;
    sg_heap_safe_point(vm);
    sg_status status = sg_limits_check_slow(&vm->limits);
    if (status == SG_ERR_INTERRUPT)
        return sg_raise_status(vm, status, SG_E_INTERRUPT, (sg_span){0}, "interrupted");
    if (status != SG_OK)
        return sg_raise_status(vm, status, SG_E_LIMIT, (sg_span){0},
                               "the limit of %g s of processor time was reached",
                               vm->limits.max_cpu_time);
    return SG_OK;
}

// ---- calls --------------------------------------------------------------------------------------

static sg_status raise_arity(sg_vm *vm, const sg_proto *proto, uint32_t n)
{
    const char *name = sg_vm_text(vm, proto->name);
    uint32_t most = proto->varargs ? UINT32_MAX : proto->n_params;
    const char *extent = proto->varargs ? "at least " : proto->n_required < most ? "up to " : "";
    uint32_t shown = proto->varargs ? proto->n_required : proto->n_params;
    return sg_raise(vm, "MethodError", SG_E_METHOD, (sg_span){0},
                    "%s takes %s%u argument%s, %u given", *name ? name : "this function", extent,
                    shown, shown == 1 ? "" : "s", n);
}

static sg_status raise_no_method(sg_vm *vm, const sg_function *function, const sg_value *args,
                                 uint32_t n)
{
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    for (uint32_t i = 0; i < n; i++) {
        sg_type *type = sg_typeof(vm, args[i]);
        sg_buf_puts(&text, i ? ", ::" : "::");
        if (type)
            sg_type_print(vm, type, &text);
    }
    sg_status status = sg_raise(
        vm, "MethodError", SG_E_METHOD, (sg_span){0}, "no method of '%s' accepts (%s)%s%s",
        sg_vm_text(vm, function->name), sg_buf_text(&text),
        function->signature ? "; expected " : "", function->signature ? function->signature : "");
    sg_buf_free(&text);
    return status;
}

static sg_status raise_keyword(sg_vm *vm, const sg_proto *proto, sg_sym given)
{
    const char *valid[64];
    size_t n = proto->n_kw < 64 ? proto->n_kw : 64;
    sg_buf list;
    sg_buf_init(&list, vm->allocator);
    for (size_t i = 0; i < n; i++) {
        valid[i] = sg_vm_text(vm, proto->kw_names[i]);
        sg_buf_printf(&list, "%s%s", i ? ", " : "", valid[i]);
    }
    const char *name = sg_vm_text(vm, given);
    const char *near = sg_closest_name(name, valid, n);
    sg_status status =
        sg_raise(vm, "MethodError", SG_E_KEYWORD, (sg_span){0},
                 "%s has no keyword argument '%s'%s%s%s; it takes %s", sg_vm_text(vm, proto->name),
                 name, near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "",
                 n ? sg_buf_text(&list) : "none");
    sg_buf_free(&list);
    return status;
}

// Puts keyword values into their registers; `values` are a copy above the frame.
static sg_status bind_keywords(sg_vm *vm, const sg_proto *proto, sg_value *base, const sg_sym *kw,
                               const sg_value *values, uint32_t n_kw)
{
    sg_value *regs = base + proto->n_params;
    for (uint32_t i = 0; i < proto->n_kw; i++)
        regs[i] = undef();
    sg_dict *rest = NULL;
    if (proto->kwrest) {
        rest = sg_dict_make(vm, (sg_sym){0});
        if (!rest)
            return SG_ERR_MEMORY;
        regs[proto->n_kw] = sg_object(rest);
    }
    for (uint32_t i = 0; i < n_kw; i++) {
        uint32_t k = 0;
        while (k < proto->n_kw && proto->kw_names[k].i != kw[i].i)
            k++;
        if (k < proto->n_kw)
            regs[k] = values[i];
        else if (!rest)
            return raise_keyword(vm, proto, kw[i]);
        else if (!sg_dict_put(vm, rest, sg_symbol(kw[i]), values[i], (sg_span){0}))
            return SG_ERR_MEMORY;
    }
    return SG_OK;
}

static sg_status pack_rest(sg_vm *vm, const sg_proto *proto, sg_value *base, uint32_t n)
{
    uint32_t fixed = proto->n_params - 1u;
    uint32_t extra = n > fixed ? n - fixed : 0;
    sg_tuple *tuple = sg_tuple_make(vm, extra);
    if (!tuple)
        return SG_ERR_MEMORY;
    for (uint32_t i = 0; i < extra; i++)
        tuple->items[i] = base[fixed + i];
    for (uint32_t i = n; i < fixed; i++)
        base[i] = undef();
    base[fixed] = sg_object(tuple);
    return SG_OK;
}

// Pushes the frame of a closure whose arguments are at base[0..n), keywords behind them.
static call_result enter(sg_vm *vm, sg_closure *closure, sg_value callee, sg_value *base,
                         uint32_t n, const sg_sym *kw, uint32_t n_kw, sg_value *result)
{
    sg_proto *proto = closure->proto;
    if (n < proto->n_required || (n > proto->n_params && !proto->varargs)) {
        raise_arity(vm, proto, n);
        return CALL_FAILED;
    }
    uint32_t extent = proto->n_regs > n + n_kw ? proto->n_regs : n + n_kw;
    if (vm->n_frames >= vm->max_frames || base + extent + n_kw + 1 >= vm->stack_end) {
        sg_raise_status(vm, SG_ERR_LIMIT, SG_E_LIMIT, (sg_span){0},
                        "calls are nested too deeply (%u levels), probably a recursion of '%s' "
                        "without end",
                        vm->n_frames, sg_vm_text(vm, proto->name));
        return CALL_FAILED;
    }
    sg_value *values = base + extent;
    for (uint32_t i = 0; i < n_kw; i++)
        values[i] = base[n + i];
    if (proto->varargs) {
        if (pack_rest(vm, proto, base, n) != SG_OK)
            return CALL_FAILED;
    } else {
        for (uint32_t i = n; i < proto->n_params; i++)
            base[i] = undef();
    }
    if ((n_kw || proto->n_kw || proto->kwrest) &&
        bind_keywords(vm, proto, base, kw, values, n_kw) != SG_OK)
        return CALL_FAILED;
    for (uint32_t i = (uint32_t)proto->n_params + proto->n_kw + proto->kwrest; i < proto->n_regs;
         i++)
        base[i] = undef();
    vm->frames[vm->n_frames++] = (sg_frame){.proto = proto,
                                            .closure = closure,
                                            .ip = proto->code,
                                            .base = base,
                                            .result = result,
                                            .callee = callee};
    vm->top = base + proto->n_regs;
    if (--vm->budget < 0 && poll(vm) != SG_OK) {
        vm->n_frames--;
        return CALL_FAILED;
    }
    return CALL_FRAME;
}

static call_result call_native(sg_vm *vm, sg_native_fn native, void *context, sg_value *slot,
                               uint32_t n, const sg_sym *kw, uint32_t n_kw, sg_value *result)
{
    sg_args args = {.v = slot + 1,
                    .n = n,
                    .kw = kw,
                    .kwv = slot + 1 + n,
                    .n_kw = n_kw,
                    .span = sg_vm_where(vm)};
    sg_value out = SG_VALUE_NOTHING;
    if (native(vm, &args, context, &out) != SG_OK)
        return CALL_FAILED;
    if (out.tag == SG_UNDEF) { // an allocation inside was refused
        if (vm->exception.tag == SG_UNDEF)
            sg_raise_status(vm, SG_ERR_MEMORY, SG_E_MEMORY, (sg_span){0}, "out of memory");
        return CALL_FAILED;
    }
    *result = out;
    return CALL_DONE;
}

static call_result call_function(sg_vm *vm, const sg_function *function, sg_value callee,
                                 sg_value *slot, uint32_t n, const sg_sym *kw, uint32_t n_kw,
                                 sg_value *result)
{
    const sg_function *first = function;
    for (; function; function = function->fallback) {
        const sg_method *method = sg_function_pick(vm, function, slot + 1, n);
        if (method)
            return enter(vm, method->closure, callee, slot + 1, n, kw, n_kw, result);
        if (function->native)
            return call_native(vm, function->native, function->context, slot, n, kw, n_kw, result);
    }
    if (first->n_methods == 1) { // say what is wrong with the only one
        const sg_proto *proto = first->methods[0].closure->proto;
        if (n < proto->n_required || (n > proto->n_params && !proto->varargs)) {
            raise_arity(vm, proto, n);
            return CALL_FAILED;
        }
    }
    raise_no_method(vm, first, slot + 1, n);
    return CALL_FAILED;
}

static call_result call_other(sg_vm *vm, sg_value *slot, uint32_t n, const sg_sym *kw,
                              uint32_t n_kw, sg_value *result)
{
    sg_value callee = slot[0];
    sg_args args = {.v = slot + 1,
                    .n = n,
                    .kw = kw,
                    .kwv = slot + 1 + n,
                    .n_kw = n_kw,
                    .span = sg_vm_where(vm)};
    sg_value out = SG_VALUE_NOTHING;
    sg_status status;
    if (sg_is(callee, SG_OBJ_NATIVE) && ((sg_native *)callee.o)->class_->call)
        status =
            ((sg_native *)callee.o)->class_->call(vm, ((sg_native *)callee.o)->data, &args, &out);
    else
        status = vm->hooks->call(vm, callee, &args, &out);
    if (status != SG_OK || out.tag == SG_UNDEF)
        return CALL_FAILED;
    *result = out;
    return CALL_DONE;
}

// slot[0] is callable, slot[1..n] the arguments, then the keyword values.
static call_result begin_call(sg_vm *vm, sg_value *slot, uint32_t n, const sg_sym *kw,
                              uint32_t n_kw, sg_value *result)
{
    sg_value callee = slot[0];
    if (callee.tag == SG_OBJECT) {
        if (callee.o->kind == SG_OBJ_CLOSURE)
            return enter(vm, (sg_closure *)callee.o, callee, slot + 1, n, kw, n_kw, result);
        if (callee.o->kind == SG_OBJ_FUNCTION)
            return call_function(vm, (sg_function *)callee.o, callee, slot, n, kw, n_kw, result);
        if (callee.o->kind == SG_OBJ_TYPE) {
            const sg_type *type = (const sg_type *)callee.o;
            const sg_function *maker = type->constructor;
            if (!maker && type->generic)
                maker = type->generic->constructor;
            const sg_method *method = maker ? sg_function_pick(vm, maker, slot + 1, n) : NULL;
            if (method)
                return enter(vm, method->closure, callee, slot + 1, n, kw, n_kw, result);
        }
    }
    return call_other(vm, slot, n, kw, n_kw, result);
}

static sg_status execute(sg_vm *vm);

// Runs a call that was begun from C to its end.
static sg_status finish_call(sg_vm *vm, call_result kind)
{
    if (kind == CALL_DONE)
        return SG_OK;
    if (kind == CALL_FRAME) {
        vm->frames[vm->n_frames - 1].entry = 1;
        vm->native_depth++;
        sg_status status = execute(vm);
        vm->native_depth--;
        return status;
    }
    sg_value e = vm->exception;
    return sg_is(e, SG_OBJ_EXCEPTION) ? ((sg_exception *)e.o)->status
           : e.tag == SG_INT          ? (sg_status)e.i
                                      : SG_ERR_MODEL;
}

sg_status sg_call(sg_vm *vm, sg_value callee, const sg_args *args, sg_value *out)
{
    if (vm->native_depth >= MAX_NATIVE_DEPTH)
        return sg_raise_status(vm, SG_ERR_LIMIT, SG_E_LIMIT, args->span,
                               "functions that call back are nested too deeply");
    sg_value *slot = vm->top;
    uint32_t n = args->n, n_kw = args->n_kw;
    if (slot + n + n_kw + 8 >= vm->stack_end)
        return sg_raise_status(vm, SG_ERR_LIMIT, SG_E_LIMIT, args->span,
                               "calls are nested too deeply");
    slot[0] = callee;
    for (uint32_t i = 0; i < n; i++)
        slot[1 + i] = args->v[i];
    for (uint32_t i = 0; i < n_kw; i++)
        slot[1 + n + i] = args->kwv[i];
    vm->top = slot + 1 + n + n_kw;
    sg_value result = undef();
    sg_status status = finish_call(vm, begin_call(vm, slot, n, args->kw, n_kw, &result));
    vm->top = slot;
    *out = result;
    return status;
}

sg_status sg_call_values(sg_vm *vm, sg_value callee, const sg_value *values, uint32_t n,
                         sg_value *out)
{
    sg_args args = {.v = values, .n = n, .span = sg_vm_where(vm)};
    return sg_call(vm, callee, &args, out);
}

sg_status sg_run_proto(sg_vm *vm, sg_proto *proto, sg_value *out)
{
    sg_value *slot = vm->top;
    slot[0] = sg_object(proto);
    vm->top = slot + 1;
    sg_closure *closure = sg_heap_new(vm, SG_OBJ_CLOSURE, sizeof *closure);
    if (!closure) {
        vm->top = slot;
        return SG_ERR_MEMORY;
    }
    closure->proto = proto;
    if (vm->native_depth >= MAX_NATIVE_DEPTH) {
        vm->top = slot;
        return sg_raise_status(vm, SG_ERR_LIMIT, SG_E_LIMIT, (sg_span){0},
                               "files include each other too deeply");
    }
    *out = SG_VALUE_NOTHING;
    sg_status status =
        finish_call(vm, enter(vm, closure, sg_object(closure), slot + 1, 0, NULL, 0, out));
    vm->top = slot;
    return status;
}

// ---- slow paths of instructions -----------------------------------------------------------------

static sg_status raise_undefined(sg_vm *vm, sg_sym name)
{
    const char *text = sg_vm_text(vm, name);
    const char *near = sg_suggest_name(vm, sg_vm_current_module(vm), text);
    sg_status status =
        sg_raise(vm, "UndefVarError", SG_E_NAME, (sg_span){0}, "'%s' is not defined%s%s%s", text,
                 near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
    if (sg_is(vm->exception, SG_OBJ_EXCEPTION))
        ((sg_exception *)vm->exception.o)->payload = sg_symbol(name);
    return status;
}

static sg_status load_global(sg_vm *vm, sg_cell *cell, sg_value *out)
{
    *out = sg_cell_value(cell);
    if (out->tag != SG_UNDEF)
        return SG_OK;
    // Perhaps a module that is used now defines it since.
    sg_module *module = sg_vm_current_module(vm);
    sg_cell *found = sg_module_find(module, cell->name);
    if (!found || found == cell)
        return raise_undefined(vm, cell->name);
    cell->link = found;
    *out = sg_cell_value(found);
    return SG_OK;
}

static sg_status store_global(sg_vm *vm, sg_cell *cell, sg_value value, bool constant)
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

static bool power(sg_value a, sg_value b, sg_value *out)
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

static sg_status slow_binary(sg_vm *vm, sg_operator op, sg_value a, sg_value b, sg_value *out)
{
    sg_function *function = vm->operators[op];
    if (function && function->n_methods) { // a script extended the operator
        sg_value args[2] = {a, b};
        if (sg_function_pick(vm, function, args, 2))
            return sg_call_values(vm, sg_object(function), args, 2, out);
    }
    return vm->hooks->binary(vm, op, a, b, out);
}

static sg_status slow_unary(sg_vm *vm, sg_operator op, sg_value a, sg_value *out)
{
    sg_operator twin = op == SG_OPER_NEG ? SG_OPER_SUB : op == SG_OPER_POS ? SG_OPER_ADD : op;
    sg_function *function = vm->operators[twin];
    if (function && function->n_methods && sg_function_pick(vm, function, &a, 1))
        return sg_call_values(vm, sg_object(function), &a, 1, out);
    return vm->hooks->unary(vm, op, a, out);
}

// The number of elements of start:step:stop.
static uint64_t range_count(int64_t start, int64_t step, int64_t stop)
{
    if (step > 0)
        return stop < start ? 0 : ((uint64_t)stop - (uint64_t)start) / (uint64_t)step + 1;
    return stop > start ? 0 : ((uint64_t)start - (uint64_t)stop) / (0 - (uint64_t)step) + 1;
}

static sg_status prepare_for(sg_vm *vm, sg_value *r)
{
    bool plain = r[0].tag == SG_INT && r[2].tag == SG_INT &&
                 (r[1].tag == SG_UNDEF || (r[1].tag == SG_INT && r[1].i != 0));
    if (plain) {
        if (r[1].tag == SG_UNDEF)
            r[1] = sg_int(1);
        r[2] = sg_int((int64_t)range_count(r[0].i, r[1].i, r[2].i));
        return SG_OK;
    }
    sg_value range = undef();
    sg_status status = vm->hooks->range(vm, r[0], r[1], r[2], &range);
    r[0] = range;
    r[1] = sg_int(0);
    return status;
}

static sg_status next_item(sg_vm *vm, sg_value collection, int64_t *at, sg_value *out, bool *done)
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

static sg_status append_all(sg_vm *vm, sg_array *list, sg_value collection)
{
    int64_t at = 0;
    for (;;) {
        sg_value value;
        bool done = false;
        sg_status status = next_item(vm, collection, &at, &value, &done);
        if (status != SG_OK || done)
            return status;
        if (!sg_array_push(vm, list, value))
            return SG_ERR_MEMORY;
    }
}

static sg_status put_all(sg_vm *vm, sg_dict *dict, sg_value source)
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
        sg_status status = next_item(vm, source, &at, &pair, &done);
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

static call_result call_list(sg_vm *vm, sg_value *slot)
{
    // The lists stay in their registers while their contents are copied above the frame.
    const sg_array *list = (const sg_array *)slot[1].o;
    const sg_dict *dict = slot[2].tag == SG_OBJECT ? (const sg_dict *)slot[2].o : NULL;
    uint32_t n = (uint32_t)list->len, n_kw = dict ? (uint32_t)sg_dict_len(dict) : 0;
    sg_value *top = vm->top;
    size_t syms = (n_kw * sizeof(sg_sym) + sizeof(sg_value) - 1) / sizeof(sg_value);
    if (top + n + n_kw + syms + 8 >= vm->stack_end || list->len > 100000) {
        sg_raise_status(vm, SG_ERR_LIMIT, SG_E_LIMIT, (sg_span){0},
                        "a call with %zu arguments is too large", list->len);
        return CALL_FAILED;
    }
    sg_value *values = top;
    values[0] = slot[0];
    for (uint32_t i = 0; i < n; i++)
        values[1 + i] = sg_array_get(list, i);
    sg_sym *names = (sg_sym *)(void *)(values + 1 + n + n_kw + 1);
    size_t at = 0;
    uint32_t k = 0;
    sg_dict_entry entry;
    while (dict && sg_dict_next(dict, &at, &entry)) {
        names[k] = entry.key.sym;
        values[1 + n + k++] = entry.value;
    }
    // The names must survive until they are bound: keep them in a heap string.
    sg_string *keep = n_kw ? sg_string_make(vm, (const char *)names, n_kw * sizeof(sg_sym)) : NULL;
    if (n_kw && !keep)
        return CALL_FAILED;
    if (keep) {
        slot[2] = sg_object(keep);
        names = (sg_sym *)(void *)keep->text;
    }
    vm->top = values + 1 + n + n_kw;
    call_result kind = begin_call(vm, values, n, names, n_kw, slot);
    if (kind != CALL_FRAME)
        vm->top = top;
    return kind;
}

static sg_status add_method(sg_vm *vm, sg_value *r, uint32_t n)
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

static sg_status function_of_value(sg_vm *vm, sg_value value, sg_value *out)
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

static sg_status global_function(sg_vm *vm, sg_cell *cell, sg_value *out)
{
    sg_value now = cell->value;
    sg_value outer = sg_cell_value(cell);
    if (now.tag == SG_UNDEF && cell->head.flags & SG_CELL_IMPORTED && outer.tag != SG_UNDEF)
        return function_of_value(vm, outer, out);
    if (sg_is(now, SG_OBJ_FUNCTION) || sg_is(now, SG_OBJ_TYPE))
        return function_of_value(vm, now, out);
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

static sg_status make_closure(sg_vm *vm, const sg_frame *frame, const sg_proto *proto,
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

sg_status sg_struct_new(sg_vm *vm, sg_type *type, const sg_value *fields, uint32_t n, sg_value *out)
{
    const sg_type *shape = type->generic ? type->generic : type;
    if (n > shape->n_fields)
        return sg_raise(vm, "ArgumentError", SG_E_METHOD, (sg_span){0},
                        "%s has %u field%s, %u values given", sg_vm_text(vm, type->name),
                        shape->n_fields, shape->n_fields == 1 ? "" : "s", n);
    sg_struct *s = sg_heap_new(vm, SG_OBJ_STRUCT, sizeof *s + shape->n_fields * sizeof(sg_value));
    if (!s)
        return SG_ERR_MEMORY;
    s->type = type;
    s->n = shape->n_fields;
    for (uint32_t i = 0; i < s->n; i++) {
        s->fields[i] = i < n ? fields[i] : undef();
        const sg_type *wanted = shape->field_types ? shape->field_types[i] : NULL;
        if (i >= n || !wanted || sg_isa(vm, fields[i], wanted))
            continue;
        sg_status status = vm->hooks->convert(vm, wanted, fields[i], &s->fields[i]);
        if (status != SG_OK)
            return status;
    }
    *out = sg_object(s);
    return SG_OK;
}

static sg_status destructure(sg_vm *vm, sg_value *r, uint32_t n, sg_value source)
{
    int64_t at = 0;
    for (uint32_t i = 0; i < n; i++) {
        bool done = false;
        sg_status status = next_item(vm, source, &at, &r[i], &done);
        if (status != SG_OK)
            return status;
        if (done)
            return sg_raise(vm, "BoundsError", SG_E_BOUNDS, (sg_span){0},
                            "%u values are assigned, but there are only %u", n, i);
    }
    return SG_OK;
}

static sg_status called_type(sg_vm *vm, const sg_frame *frame, uint32_t param, sg_value *out)
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

static bool less_or_equal_tags(sg_value a, sg_value b)
{
    return (a.tag == SG_INT || a.tag == SG_FLOAT) && (b.tag == SG_INT || b.tag == SG_FLOAT);
}

static double number(sg_value v) { return v.tag == SG_INT ? (double)v.i : v.d; }

// A comparison that the fast path left: *out is its truth.
static sg_status compare(sg_vm *vm, sg_operator op, sg_value a, sg_value b, bool *out)
{
    if (less_or_equal_tags(a, b)) {
        double x = number(a), y = number(b);
        *out = op == SG_OPER_LT ? x < y : op == SG_OPER_LE ? x <= y : x == y;
        return SG_OK;
    }
    sg_value result = undef();
    sg_status status = slow_binary(vm, op, a, b, &result);
    return status == SG_OK ? sg_truth(vm, result, out) : status;
}

// ---- the loop -----------------------------------------------------------------------------------

// Unwinds to the innermost handler within this executor; false when there is none.
static bool unwind(sg_vm *vm, sg_status *status)
{
    if (vm->exception.tag == SG_UNDEF)
        sg_raise_status(vm, *status, SG_E_NONE, (sg_span){0}, "the operation failed");
    sg_value pending = vm->exception;
    if (sg_is(pending, SG_OBJ_EXCEPTION))
        *status = ((sg_exception *)pending.o)->status;
    else
        *status = SG_ERR_MEMORY;
    bool catchable = *status != SG_ERR_LIMIT && *status != SG_ERR_INTERRUPT &&
                     *status != SG_ERR_MEMORY && *status != SG_ERR_INTERNAL;
    for (;;) {
        sg_frame *frame = &vm->frames[vm->n_frames - 1];
        uint32_t pc = (uint32_t)(frame->ip - frame->proto->code) - 1;
        for (uint32_t i = 0; catchable && i < frame->proto->n_handlers; i++) {
            const sg_handler *handler = &frame->proto->handlers[i];
            if (pc < handler->from || pc >= handler->to)
                continue;
            frame->base[handler->reg] = pending;
            frame->ip = frame->proto->code + handler->target;
            vm->exception = undef();
            vm->top = frame->base + frame->proto->n_regs;
            return true;
        }
        bool entry = frame->entry;
        vm->n_frames--;
        if (entry)
            return false;
    }
}

#define RK(operand) (((operand)&SG_RK) ? k[(operand) & ~SG_RK] : r[operand])
#define SAVE() (frame->ip = ip)
#define TRY(call)                                                                                  \
    do {                                                                                           \
        SAVE();                                                                                    \
        status = (call);                                                                           \
        if (status != SG_OK)                                                                       \
            goto failed;                                                                           \
    } while (0)
#define ARITHMETIC(operator_, op_, wide)                                                           \
    {                                                                                              \
        sg_value x = RK(ins.b), y = RK(ins.c);                                                     \
        if (x.tag == SG_FLOAT && y.tag == SG_FLOAT) {                                              \
            r[ins.a] = sg_float(x.d operator_ y.d);                                                \
        } else if (x.tag == SG_INT && y.tag == SG_INT) {                                           \
            r[ins.a] = wide;                                                                       \
        } else if (less_or_equal_tags(x, y)) {                                                     \
            r[ins.a] = sg_float(number(x) operator_ number(y));                                    \
        } else {                                                                                   \
            sg_value out = undef();                                                                \
            TRY(slow_binary(vm, op_, x, y, &out));                                                 \
            r[ins.a] = out;                                                                        \
        }                                                                                          \
        break;                                                                                     \
    }
#define COMPARISON(operator_, op_)                                                                 \
    {                                                                                              \
        sg_value x = RK(ins.b), y = RK(ins.c);                                                     \
        if (x.tag == SG_INT && y.tag == SG_INT) {                                                  \
            r[ins.a] = sg_bool(x.i operator_ y.i);                                                 \
        } else if (less_or_equal_tags(x, y)) {                                                     \
            r[ins.a] = sg_bool(number(x) operator_ number(y));                                     \
        } else {                                                                                   \
            sg_value out = undef();                                                                \
            TRY(slow_binary(vm, op_, x, y, &out));                                                 \
            r[ins.a] = out;                                                                        \
        }                                                                                          \
        break;                                                                                     \
    }
#define BRANCH(operator_, op_)                                                                     \
    {                                                                                              \
        sg_value x = RK(ins.b), y = RK(ins.c);                                                     \
        bool truth;                                                                                \
        if (x.tag == SG_INT && y.tag == SG_INT)                                                    \
            truth = x.i operator_ y.i;                                                             \
        else if (x.tag == SG_FLOAT && y.tag == SG_FLOAT)                                           \
            truth = x.d operator_ y.d;                                                             \
        else                                                                                       \
            TRY(compare(vm, op_, x, y, &truth));                                                   \
        ip += truth == (bool)ins.a ? ip->x + 1 : 1;                                                \
        break;                                                                                     \
    }
#define SAFE_POINT()                                                                               \
    if (--vm->budget < 0)                                                                          \
    TRY(poll(vm))

static sg_status execute(sg_vm *vm)
{
    sg_frame *frame;
    const sg_instr *ip;
    sg_value *r;
    const sg_value *k;
    sg_status status = SG_OK;

reload:
    frame = &vm->frames[vm->n_frames - 1];
    ip = frame->ip;
    r = frame->base;
    k = frame->proto->constants;

    for (;;) {
        const sg_instr ins = *ip++;
        switch ((sg_bc)ins.op) {
        case SG_BC_MOVE:
            r[ins.a] = r[ins.b];
            break;
        case SG_BC_LOADK:
            r[ins.a] = k[ins.x];
            break;
        case SG_BC_NOTHING:
            r[ins.a] = SG_VALUE_NOTHING;
            break;
        case SG_BC_UNDEF:
            r[ins.a] = undef();
            break;
        case SG_BC_CHECK:
            if (r[ins.a].tag == SG_UNDEF)
                TRY(raise_undefined(vm, k[ins.x].sym));
            break;
        case SG_BC_GLOBAL: {
            const sg_cell *cell = (const sg_cell *)k[ins.x].o;
            sg_value value = cell->value;
            if (value.tag == SG_UNDEF)
                TRY(load_global(vm, (sg_cell *)k[ins.x].o, &value));
            r[ins.a] = value;
            break;
        }
        case SG_BC_SET_GLOBAL:
            TRY(store_global(vm, (sg_cell *)k[ins.x].o, r[ins.a], false));
            break;
        case SG_BC_CONST_GLOBAL:
            TRY(store_global(vm, (sg_cell *)k[ins.x].o, r[ins.a], true));
            break;
        case SG_BC_NEW_CELL: {
            SAVE();
            sg_cell *cell = sg_cell_make(vm, k[ins.x].sym);
            if (!cell)
                goto failed_memory;
            r[ins.a] = sg_object(cell);
            break;
        }
        case SG_BC_WRAP_CELL: {
            SAVE();
            sg_cell *cell = sg_cell_make(vm, (sg_sym){0});
            if (!cell)
                goto failed_memory;
            cell->value = r[ins.a];
            r[ins.a] = sg_object(cell);
            break;
        }
        case SG_BC_CELL: {
            const sg_cell *cell = (const sg_cell *)r[ins.b].o;
            if (cell->value.tag == SG_UNDEF)
                TRY(raise_undefined(vm, cell->name));
            r[ins.a] = cell->value;
            break;
        }
        case SG_BC_SET_CELL:
            ((sg_cell *)r[ins.a].o)->value = r[ins.b];
            break;
        case SG_BC_UP: {
            const sg_cell *cell = frame->closure->cells[ins.b];
            if (cell->value.tag == SG_UNDEF)
                TRY(raise_undefined(vm, cell->name));
            r[ins.a] = cell->value;
            break;
        }
        case SG_BC_SET_UP:
            frame->closure->cells[ins.b]->value = r[ins.a];
            break;
        case SG_BC_UP_CELL:
            r[ins.a] = sg_object(frame->closure->cells[ins.b]);
            break;
        case SG_BC_ADD:
            ARITHMETIC(+, SG_OPER_ADD, sg_int((int64_t)((uint64_t)x.i + (uint64_t)y.i)))
        case SG_BC_SUB:
            ARITHMETIC(-, SG_OPER_SUB, sg_int((int64_t)((uint64_t)x.i - (uint64_t)y.i)))
        case SG_BC_MUL:
            ARITHMETIC(*, SG_OPER_MUL, sg_int((int64_t)((uint64_t)x.i * (uint64_t)y.i)))
        case SG_BC_DIV:
            ARITHMETIC(/, SG_OPER_DIV, sg_float((double)x.i / (double)y.i))
        case SG_BC_POW: {
            sg_value x = RK(ins.b), y = RK(ins.c), out = undef();
            if (!power(x, y, &out))
                TRY(slow_binary(vm, SG_OPER_POW, x, y, &out));
            r[ins.a] = out;
            break;
        }
        case SG_BC_EQ:
            COMPARISON(==, SG_OPER_EQ)
        case SG_BC_NE:
            COMPARISON(!=, SG_OPER_NE)
        case SG_BC_LT:
            COMPARISON(<, SG_OPER_LT)
        case SG_BC_LE:
            COMPARISON(<=, SG_OPER_LE)
        case SG_BC_BINARY: {
            sg_value out = undef();
            TRY(slow_binary(vm, (sg_operator)ins.c, r[ins.a], r[ins.b], &out));
            r[ins.a] = out;
            break;
        }
        case SG_BC_NEG:
            if (r[ins.b].tag == SG_FLOAT) {
                r[ins.a] = sg_float(-r[ins.b].d);
            } else if (r[ins.b].tag == SG_INT) {
                r[ins.a] = sg_int((int64_t)(0 - (uint64_t)r[ins.b].i));
            } else {
                sg_value out = undef();
                TRY(slow_unary(vm, SG_OPER_NEG, r[ins.b], &out));
                r[ins.a] = out;
            }
            break;
        case SG_BC_NOT:
            if (r[ins.b].tag == SG_BOOL) {
                r[ins.a] = sg_bool(!r[ins.b].b);
            } else {
                sg_value out = undef();
                TRY(slow_unary(vm, SG_OPER_NOT, r[ins.b], &out));
                r[ins.a] = out;
            }
            break;
        case SG_BC_UNARY: {
            sg_value out = undef();
            TRY(slow_unary(vm, (sg_operator)ins.c, r[ins.b], &out));
            r[ins.a] = out;
            break;
        }
        case SG_BC_JUMP:
            ip += ins.x;
            break;
        case SG_BC_JUMP_BACK:
            ip += ins.x;
            SAFE_POINT();
            break;
        case SG_BC_JUMP_IF:
        case SG_BC_JUMP_UNLESS: {
            bool truth = r[ins.a].b;
            if (r[ins.a].tag != SG_BOOL)
                TRY(sg_truth(vm, r[ins.a], &truth));
            if (truth == (ins.op == SG_BC_JUMP_IF))
                ip += ins.x;
            break;
        }
        case SG_BC_JUMP_DEFINED:
            if (r[ins.a].tag != SG_UNDEF)
                ip += ins.x;
            break;
        case SG_BC_IF_LT:
            BRANCH(<, SG_OPER_LT)
        case SG_BC_IF_LE:
            BRANCH(<=, SG_OPER_LE)
        case SG_BC_IF_EQ:
            BRANCH(==, SG_OPER_EQ)
        case SG_BC_FOR_PREP:
            TRY(prepare_for(vm, &r[ins.a]));
            break;
        case SG_BC_FOR_FIRST:
        case SG_BC_FOR_LOOP: {
            sg_value *loop = &r[ins.a];
            if (loop->tag == SG_INT) {
                bool first = ins.op == SG_BC_FOR_FIRST;
                if (loop[2].i == 0) {
                    ip += first ? ins.x : 0;
                    break;
                }
                loop[2].i--;
                if (!first) {
                    loop->i += loop[1].i;
                    ip += ins.x;
                }
                loop[3] = sg_int(loop->i);
                SAFE_POINT();
                break;
            }
            bool done = false;
            TRY(next_item(vm, loop[0], &loop[1].i, &loop[3], &done));
            if (ins.op == SG_BC_FOR_FIRST ? done : !done)
                ip += ins.x;
            SAFE_POINT();
            break;
        }
        case SG_BC_ITER: {
            bool done = false;
            sg_value *loop = &r[ins.a];
            sg_value item = undef();
            TRY(next_item(vm, loop[0], &loop[1].i, &item, &done));
            loop[2] = item;
            if (done)
                ip += ins.x;
            SAFE_POINT();
            break;
        }
        case SG_BC_CALL:
        case SG_BC_CALL_KW: {
            const sg_tuple *names = ins.op == SG_BC_CALL_KW ? (const sg_tuple *)k[ins.c].o : NULL;
            SAVE();
            call_result kind = begin_call(vm, &r[ins.a], ins.b, names ? names->names : NULL,
                                          names ? names->n : 0, &r[ins.a]);
            if (kind == CALL_FRAME)
                goto reload;
            if (kind == CALL_FAILED)
                goto failed_call;
            break;
        }
        case SG_BC_CALL_LIST: {
            SAVE();
            call_result kind = call_list(vm, &r[ins.a]);
            if (kind == CALL_FRAME)
                goto reload;
            if (kind == CALL_FAILED)
                goto failed_call;
            break;
        }
        case SG_BC_BROADCAST:
        case SG_BC_BROADCAST_KW: {
            const sg_tuple *names =
                ins.op == SG_BC_BROADCAST_KW ? (const sg_tuple *)k[ins.c].o : NULL;
            sg_args args = {.v = &r[ins.a + 1],
                            .n = ins.b,
                            .kw = names ? names->names : NULL,
                            .kwv = &r[ins.a + 1 + ins.b],
                            .n_kw = names ? names->n : 0};
            SAVE();
            args.span = sg_vm_where(vm);
            sg_value out = undef();
            TRY(vm->hooks->broadcast(vm, r[ins.a], &args, &out));
            r[ins.a] = out;
            break;
        }
        case SG_BC_RETURN: {
            sg_value value = r[ins.a];
            bool entry = frame->entry;
            *frame->result = value;
            vm->n_frames--;
            if (entry)
                return SG_OK;
            frame--;
            vm->top = frame->base + frame->proto->n_regs;
            goto reload;
        }
        case SG_BC_INDEX: {
            sg_value base = r[ins.a], out = undef();
            if (ins.b == 2 && sg_is(base, SG_OBJ_ARRAY) && r[ins.a + 1].tag == SG_INT &&
                r[ins.a + 2].tag == SG_INT) {
                const sg_array *array = (const sg_array *)base.o;
                uint64_t i = (uint64_t)r[ins.a + 1].i - 1, j = (uint64_t)r[ins.a + 2].i - 1;
                if (array->ndims == 2 && i < array->dims[0] && j < array->dims[1]) {
                    r[ins.a] = sg_array_get(array, i + j * array->dims[0]);
                    break;
                }
            }
            TRY(vm->hooks->index(vm, base, &r[ins.a + 1], ins.b, &out));
            r[ins.a] = out;
            break;
        }
        case SG_BC_INDEX1: {
            sg_value base = r[ins.b], at = RK(ins.c), out = undef();
            if (sg_is(base, SG_OBJ_ARRAY) && at.tag == SG_INT) {
                const sg_array *array = (const sg_array *)base.o;
                if ((uint64_t)at.i - 1 < array->len) {
                    r[ins.a] = sg_array_get(array, (size_t)at.i - 1);
                    break;
                }
            }
            TRY(vm->hooks->index(vm, base, &at, 1, &out));
            r[ins.a] = out;
            break;
        }
        case SG_BC_SET_INDEX:
            TRY(vm->hooks->index_set(vm, r[ins.a], &r[ins.a + 1], ins.b, r[ins.a + ins.b + 1]));
            break;
        case SG_BC_SET_INDEX1: {
            sg_value base = r[ins.a], at = RK(ins.b), value = RK(ins.c);
            if (sg_is(base, SG_OBJ_ARRAY) && at.tag == SG_INT) {
                sg_array *array = (sg_array *)base.o;
                if ((uint64_t)at.i - 1 < array->len && !array->unit &&
                    !(array->head.flags & SG_ARRAY_FLOAT32)) {
                    if (array->elem == SG_ELEM_FLOAT && value.tag == SG_FLOAT) {
                        array->f[at.i - 1] = value.d;
                        break;
                    }
                    if (array->elem == SG_ELEM_INT && value.tag == SG_INT) {
                        array->n[at.i - 1] = value.i;
                        break;
                    }
                }
            }
            TRY(vm->hooks->index_set(vm, base, &at, 1, value));
            break;
        }
        case SG_BC_FIELD: {
            sg_value base = r[ins.b], out = undef();
            sg_sym name = k[ins.c].sym;
            if (sg_is(base, SG_OBJ_STRUCT)) {
                const sg_struct *s = (const sg_struct *)base.o;
                const sg_type *shape = s->type->generic ? s->type->generic : s->type;
                uint32_t i = 0;
                while (i < s->n && shape->field_names[i].i != name.i)
                    i++;
                if (i < s->n && s->fields[i].tag != SG_UNDEF) {
                    r[ins.a] = s->fields[i];
                    break;
                }
            }
            TRY(vm->hooks->field(vm, base, name, &out));
            r[ins.a] = out;
            break;
        }
        case SG_BC_SET_FIELD:
            TRY(vm->hooks->field_set(vm, r[ins.a], k[ins.c].sym, r[ins.b]));
            break;
        case SG_BC_RANGE: {
            sg_value out = undef();
            TRY(vm->hooks->range(vm, r[ins.a], r[ins.a + 1], r[ins.a + 2], &out));
            r[ins.a] = out;
            break;
        }
        case SG_BC_TUPLE: {
            SAVE();
            sg_tuple *tuple = sg_tuple_make(vm, ins.b);
            if (!tuple)
                goto failed_memory;
            for (uint32_t i = 0; i < ins.b; i++)
                tuple->items[i] = r[ins.a + i];
            r[ins.a] = sg_object(tuple);
            break;
        }
        case SG_BC_BUILD: {
            sg_value out = undef();
            uint32_t what = ip->b, extra = ip->c;
            ip++;
            TRY(vm->hooks->build(vm, what, extra, &r[ins.a], ins.b, &out));
            r[ins.a] = out;
            break;
        }
        case SG_BC_VECTOR: {
            SAVE();
            sg_array *list = sg_vector_make(vm, SG_ELEM_ANY, 0);
            if (!list)
                goto failed_memory;
            r[ins.a] = sg_object(list);
            break;
        }
        case SG_BC_PUSH:
            SAVE();
            if (!sg_array_push(vm, (sg_array *)r[ins.a].o, r[ins.b]))
                goto failed_memory;
            break;
        case SG_BC_SPLAT:
            TRY(append_all(vm, (sg_array *)r[ins.a].o, r[ins.b]));
            break;
        case SG_BC_DICT: {
            SAVE();
            sg_dict *dict = sg_dict_make(vm, (sg_sym){0});
            if (!dict)
                goto failed_memory;
            r[ins.a] = sg_object(dict);
            break;
        }
        case SG_BC_PUT:
            SAVE();
            if (!sg_dict_put(vm, (sg_dict *)r[ins.a].o, k[ins.c], r[ins.b], sg_vm_where(vm)))
                goto failed_memory;
            break;
        case SG_BC_SPLAT_KW:
            TRY(put_all(vm, (sg_dict *)r[ins.a].o, r[ins.b]));
            break;
        case SG_BC_CLOSURE: {
            const sg_proto *proto = (const sg_proto *)k[ins.x].o;
            uint32_t n = 0;
            while (ip[n].op == SG_BC_CAPTURE)
                n++;
            sg_value out = undef();
            TRY(make_closure(vm, frame, proto, ip, n, &out));
            r[ins.a] = out;
            ip += n;
            break;
        }
        case SG_BC_CAPTURE:
            break;
        case SG_BC_METHOD:
            TRY(add_method(vm, &r[ins.a], ins.b));
            break;
        case SG_BC_NEW_FUNCTION: {
            SAVE();
            sg_function *function = sg_function_make(vm, k[ins.x].sym);
            if (!function)
                goto failed_memory;
            r[ins.a] = sg_object(function);
            break;
        }
        case SG_BC_FUNCTION: {
            sg_value out = undef();
            TRY(global_function(vm, (sg_cell *)k[ins.x].o, &out));
            r[ins.a] = out;
            break;
        }
        case SG_BC_EXTEND: {
            sg_value out = undef();
            TRY(function_of_value(vm, r[ins.b], &out));
            r[ins.a] = out;
            break;
        }
        case SG_BC_CONVERT: {
            sg_value out = undef();
            if (!sg_is(r[ins.b], SG_OBJ_TYPE))
                TRY(sg_raise(vm, "TypeError", SG_E_TYPE, (sg_span){0},
                             "what stands behind '::' is not a type"));
            if (sg_isa(vm, r[ins.a], (const sg_type *)r[ins.b].o))
                break;
            TRY(vm->hooks->convert(vm, (const sg_type *)r[ins.b].o, r[ins.a], &out));
            r[ins.a] = out;
            break;
        }
        case SG_BC_NEW: {
            sg_value out = undef();
            if (!sg_is(r[ins.a], SG_OBJ_TYPE))
                TRY(sg_raise(vm, "TypeError", SG_E_TYPE, (sg_span){0}, "new needs a struct type"));
            TRY(sg_struct_new(vm, (sg_type *)r[ins.a].o, &r[ins.a + 1], ins.b, &out));
            r[ins.a] = out;
            break;
        }
        case SG_BC_CALLED:
            TRY(called_type(vm, frame, ins.b, &r[ins.a]));
            break;
        case SG_BC_REQUIRE:
            if (r[ins.a].tag == SG_UNDEF)
                TRY(sg_raise(vm, "UndefKeywordError", SG_E_KEYWORD, (sg_span){0},
                             "keyword argument '%s' of %s has no default value and must be given",
                             sg_vm_text(vm, k[ins.x].sym), sg_vm_text(vm, frame->proto->name)));
            break;
        case SG_BC_DESTRUCT:
            TRY(destructure(vm, &r[ins.a], ins.b, r[ins.c]));
            break;
        case SG_BC_CAUGHT: {
            sg_value e = r[ins.b];
            bool carries = sg_is(e, SG_OBJ_EXCEPTION) && e.o->flags == 1;
            r[ins.a] = carries ? ((sg_exception *)e.o)->payload : e;
            break;
        }
        case SG_BC_THROW:
            SAVE();
            TRY(sg_throw(vm, r[ins.a], sg_vm_where(vm)));
            break;
        case SG_BC_RETHROW:
            SAVE();
            vm->exception = r[ins.a];
            status = SG_ERR_MODEL;
            goto failed;
        case SG_BC_COUNT:
            break;
        }
        continue;

    failed_call:
    failed_memory:
        status = SG_ERR_MODEL; // the pending exception knows better
    failed:
        if (!unwind(vm, &status))
            return status;
        goto reload;
    }
}
