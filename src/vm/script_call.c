// Calls: finding the method, binding arguments and keywords, pushing the frame; and calls from C.
#include "vm/script_exec.h"

enum { POLL_EVERY = 1024, MAX_NATIVE_DEPTH = 200, MAX_KEYWORD_SPANS = 100 };

// Collection, limits and interruption; every so many back-edges and calls.
sg_status sg_exec_poll(sg_vm *vm)
{
    vm->budget = POLL_EVERY;
    sg_status status = sg_vm_poll(vm); // without memory, collecting takes its time
    if (status == SG_OK)
        sg_heap_safe_point(vm);
    return status;
}

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
                 "%s has no keyword argument '%s'%s%s%s (it takes %s)", sg_vm_text(vm, proto->name),
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
        regs[i] = sg_undef();
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
        base[i] = sg_undef();
    base[fixed] = sg_object(tuple);
    return SG_OK;
}

// Pushes the frame of a closure whose arguments are at base[0..n), keywords behind them.
static sg_call_result enter(sg_vm *vm, sg_closure *closure, sg_value callee, sg_value *base,
                            uint32_t n, const sg_sym *kw, uint32_t n_kw, sg_value *result)
{
    sg_proto *proto = closure->proto;
    if (n < proto->n_required || (n > proto->n_params && !proto->varargs)) {
        raise_arity(vm, proto, n);
        return SG_CALL_FAILED;
    }
    uint32_t extent = proto->n_regs > n + n_kw ? proto->n_regs : n + n_kw;
    if (vm->n_frames >= vm->max_frames || base + extent + n_kw + 1 >= vm->stack_end) {
        sg_raise_status(vm, SG_ERR_LIMIT, SG_E_LIMIT, (sg_span){0},
                        "calls are nested too deeply (%u levels), probably a recursion of '%s' "
                        "without end",
                        vm->n_frames, sg_vm_text(vm, proto->name));
        return SG_CALL_FAILED;
    }
    sg_value *values = base + extent;
    for (uint32_t i = 0; i < n_kw; i++)
        values[i] = base[n + i];
    if (proto->varargs) {
        if (pack_rest(vm, proto, base, n) != SG_OK)
            return SG_CALL_FAILED;
    } else {
        for (uint32_t i = n; i < proto->n_params; i++)
            base[i] = sg_undef();
    }
    if ((n_kw || proto->n_kw || proto->kwrest) &&
        bind_keywords(vm, proto, base, kw, values, n_kw) != SG_OK)
        return SG_CALL_FAILED;
    for (uint32_t i = (uint32_t)proto->n_params + proto->n_kw + proto->kwrest; i < proto->n_regs;
         i++)
        base[i] = sg_undef();
    vm->frames[vm->n_frames++] = (sg_frame){.proto = proto,
                                            .closure = closure,
                                            .ip = proto->code,
                                            .base = base,
                                            .result = result,
                                            .callee = callee};
    vm->top = base + proto->n_regs;
    if (--vm->budget < 0 && sg_exec_poll(vm) != SG_OK) {
        vm->n_frames--;
        return SG_CALL_FAILED;
    }
    return SG_CALL_FRAME;
}

static sg_call_result call_native(sg_vm *vm, sg_native_fn native, void *context, sg_value *slot,
                                  uint32_t n, const sg_sym *kw, uint32_t n_kw, sg_value *result)
{
    sg_args args = {.v = slot + 1,
                    .n = n,
                    .kw = kw,
                    .kwv = slot + 1 + n,
                    .n_kw = n_kw,
                    .span = sg_vm_where(vm)};
    sg_vm_at(vm, args.span);
    sg_span spans[MAX_KEYWORD_SPANS];
    if (vm->kw_spans && n + n_kw <= MAX_KEYWORD_SPANS) {
        for (uint32_t i = 0; i < n; i++)
            spans[i] = args.span;
        for (uint32_t i = 0; i < n_kw; i++)
            spans[n + i] = (sg_span){vm->kw_spans[i].aux, (uint32_t)(vm->kw_spans[i].i >> 32),
                                     (uint32_t)vm->kw_spans[i].i};
        args.spans = spans;
    }
    vm->kw_spans = NULL;
    sg_value out = SG_VALUE_NOTHING;
    if (native(vm, &args, context, &out) != SG_OK)
        return SG_CALL_FAILED;
    if (vm->limits.memory && vm->limits.memory->live > vm->threshold_in_all)
        vm->budget = 0;        // the executor collects at its next safe point
    if (out.tag == SG_UNDEF) { // an allocation inside was refused
        if (vm->exception.tag == SG_UNDEF)
            sg_raise_status(vm, SG_ERR_MEMORY, SG_E_MEMORY, (sg_span){0}, "out of memory");
        return SG_CALL_FAILED;
    }
    *result = out;
    return SG_CALL_DONE;
}

static sg_call_result call_function(sg_vm *vm, const sg_function *function, sg_value callee,
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
            return SG_CALL_FAILED;
        }
    }
    raise_no_method(vm, first, slot + 1, n);
    return SG_CALL_FAILED;
}

static sg_call_result call_other(sg_vm *vm, sg_value *slot, uint32_t n, const sg_sym *kw,
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
        return SG_CALL_FAILED;
    *result = out;
    return SG_CALL_DONE;
}

// slot[0] is callable, slot[1..n] the arguments, then the keyword values.
sg_call_result sg_begin_call(sg_vm *vm, sg_value *slot, uint32_t n, const sg_sym *kw, uint32_t n_kw,
                             sg_value *result)
{
    sg_value callee = slot[0];
    if (callee.tag == SG_OBJECT) {
        if (callee.o->kind == SG_OBJ_CLOSURE)
            return enter(vm, (sg_closure *)callee.o, callee, slot + 1, n, kw, n_kw, result);
        if (callee.o->kind == SG_OBJ_FUNCTION)
            return call_function(vm, (sg_function *)callee.o, callee, slot, n, kw, n_kw, result);
        if (callee.o->kind == SG_OBJ_STRUCT) {
            const sg_type *type = ((sg_struct *)callee.o)->type;
            const sg_function *caller = type->generic ? type->generic->caller : type->caller;
            // The instance is the first parameter, and it lies right before the arguments.
            const sg_method *method = caller ? sg_function_pick(vm, caller, slot, n + 1) : NULL;
            if (method)
                return enter(vm, method->closure, callee, slot, n + 1, kw, n_kw, result);
        }
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

// Runs a call that was begun from C to its end.
static sg_status finish_call(sg_vm *vm, sg_call_result kind)
{
    if (kind == SG_CALL_DONE)
        return SG_OK;
    if (kind == SG_CALL_FRAME) {
        vm->frames[vm->n_frames - 1].entry = 1;
        vm->native_depth++;
        sg_status status = sg_execute(vm);
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
    sg_value result = sg_undef();
    sg_status status = finish_call(vm, sg_begin_call(vm, slot, n, args->kw, n_kw, &result));
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

sg_call_result sg_call_list(sg_vm *vm, sg_value *slot)
{
    // The lists stay in their registers while their contents are copied above the frame.
    const sg_array *list = (const sg_array *)slot[1].o;
    const sg_dict *dict = slot[2].tag == SG_OBJECT ? (const sg_dict *)slot[2].o : NULL;
    uint32_t n = (uint32_t)list->len, n_kw = dict ? (uint32_t)sg_dict_len(dict) : 0;
    sg_value *top = vm->top;
    size_t syms = (n_kw * sizeof(sg_sym) + sizeof(sg_value) - 1) / sizeof(sg_value);
    if (top + n + n_kw + syms + 8 >= vm->stack_end || list->len > 100000) {
        sg_raise_status(vm, SG_ERR_LIMIT, SG_E_LIMIT, (sg_span){0},
                        "a call with %zu arguments and %u keywords is too large", list->len, n_kw);
        return SG_CALL_FAILED;
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
        return SG_CALL_FAILED;
    if (keep) {
        slot[2] = sg_object(keep);
        names = (sg_sym *)(void *)keep->text;
    }
    vm->top = values + 1 + n + n_kw;
    sg_call_result kind = sg_begin_call(vm, values, n, names, n_kw, slot);
    if (kind != SG_CALL_FRAME)
        vm->top = top;
    return kind;
}
