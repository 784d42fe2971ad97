// What the files of the executor share; see vm/script_exec.c.
#pragma once

#include "base/assert.h"
#include "vm/bytecode.h"
#include "vm/vm.h"

// How a call went on: a frame was pushed, the result is there, or an exception is pending.
typedef enum sg_call_result { SG_CALL_FRAME, SG_CALL_DONE, SG_CALL_FAILED } sg_call_result;

static inline sg_value sg_undef(void) { return (sg_value){.tag = SG_UNDEF}; }

static inline bool sg_both_plain(sg_value a, sg_value b)
{
    return (a.tag == SG_INT || a.tag == SG_FLOAT) && (b.tag == SG_INT || b.tag == SG_FLOAT);
}

static inline double sg_plain_number(sg_value v) { return v.tag == SG_INT ? (double)v.i : v.d; }

// Runs the frames above the newest entry frame to their end.
sg_status sg_execute(sg_vm *vm);

// ---- calls (vm/script_call.c)
// ------------------------------------------------------------------------

sg_status sg_exec_poll(sg_vm *vm);
sg_call_result sg_begin_call(sg_vm *vm, sg_value *slot, uint32_t n, const sg_sym *kw, uint32_t n_kw,
                             sg_value *result);
sg_call_result sg_call_list(sg_vm *vm, sg_value *slot);

// ---- slow paths of instructions (vm/script_slow.c) ----------------------------------------------

sg_status sg_exec_raise_undefined(sg_vm *vm, sg_sym name);
sg_status sg_exec_load_global(sg_vm *vm, sg_cell *cell, sg_value *out);
sg_status sg_exec_store_global(sg_vm *vm, sg_cell *cell, sg_value value, bool constant);
bool sg_exec_power(sg_value a, sg_value b, sg_value *out);
sg_status sg_exec_binary(sg_vm *vm, sg_operator op, sg_value a, sg_value b, sg_value *out);
sg_status sg_exec_unary(sg_vm *vm, sg_operator op, sg_value a, sg_value *out);
sg_status sg_exec_prepare_for(sg_vm *vm, sg_value *r);
sg_status sg_exec_next(sg_vm *vm, sg_value collection, int64_t *at, sg_value *out, bool *done);
sg_status sg_exec_append_all(sg_vm *vm, sg_array *list, sg_value collection);
sg_status sg_exec_put_all(sg_vm *vm, sg_dict *dict, sg_value source);
sg_status sg_exec_add_method(sg_vm *vm, sg_value *r, uint32_t n);
sg_status sg_exec_function_of(sg_vm *vm, sg_value value, sg_value *out);
sg_status sg_exec_caller(sg_vm *vm, sg_value type, sg_value *out);
sg_status sg_exec_global_function(sg_vm *vm, sg_cell *cell, sg_value *out);
sg_status sg_exec_closure(sg_vm *vm, const sg_frame *frame, const sg_proto *proto,
                          const sg_instr *captures, uint32_t n, sg_value *out);
sg_status sg_exec_destructure(sg_vm *vm, sg_value *r, uint32_t n, sg_value source);
sg_status sg_exec_called_type(sg_vm *vm, const sg_frame *frame, uint32_t param, sg_value *out);
sg_status sg_exec_compare(sg_vm *vm, sg_operator op, sg_value a, sg_value b, bool *out);

// The common call, without the detours: a script function with one method that takes exactly these
// arguments as they are. False if the call is not of this kind; nothing is done then.
static inline bool sg_push_simple(sg_vm *vm, sg_value *slot, uint32_t n)
{
    if (slot->tag != SG_OBJECT)
        return false;
    sg_closure *closure;
    if (slot->o->kind == SG_OBJ_FUNCTION) {
        const sg_function *function = (const sg_function *)slot->o;
        if (function->n_methods != 1 || !function->methods[0].plain)
            return false;
        closure = function->methods[0].closure;
    } else if (slot->o->kind == SG_OBJ_CLOSURE) {
        closure = (sg_closure *)slot->o;
    } else {
        return false;
    }
    sg_proto *proto = closure->proto;
    sg_value *base = slot + 1, *end = base + proto->n_regs;
    if (proto->n_params != n || proto->varargs || proto->n_kw || proto->kwrest ||
        vm->n_frames >= vm->max_frames || end + 8 >= vm->stack_end || vm->budget <= 0)
        return false;
    vm->budget--;
    for (sg_value *v = base + n; v < end; v++)
        v->tag = SG_UNDEF;
    sg_frame *frame = &vm->frames[vm->n_frames++];
    frame->proto = proto;
    frame->closure = closure;
    frame->ip = proto->code;
    frame->base = base;
    frame->result = slot;
    frame->callee = *slot;
    frame->entry = 0;
    vm->top = end;
    return true;
}
