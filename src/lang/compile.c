#include "lang/compile_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool sg_fn_open(sg_fn *fn, sg_fn *up, sg_vm *vm, sg_module *module, sg_sym name)
{
    *fn = (sg_fn){.up = up, .vm = vm, .module = module, .name = name, .caught = 0xFFFF};
    sg_map_init(&fn->constant_index, vm->allocator);
    sg_map_init(&fn->captured, vm->allocator);
    return true;
}

void sg_fn_error(sg_fn *fn, sg_code code, sg_span span, const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (!fn->failed)
        sg_error(fn->vm->diags, code, span, "%s", text);
    for (sg_fn *at = fn; at; at = at->up)
        at->failed = true;
}

static void out_of_memory(sg_fn *fn)
{
    sg_fn_error(fn, SG_E_MEMORY, fn->span, "out of memory while compiling");
}

// Moves a growing list into memory that the proto owns.
static bool take_list(sg_vm *vm, void **to, const void *from, size_t size)
{
    *to = NULL;
    if (!size)
        return true;
    *to = sg_heap_resize(vm, NULL, 0, size);
    if (!*to)
        return false;
    memcpy(*to, from, size);
    return true;
}

static void free_fn(sg_fn *fn)
{
    const sg_allocator *allocator = fn->vm->allocator;
    SG_VEC_FREE(allocator, &fn->code);
    SG_VEC_FREE(allocator, &fn->spans);
    SG_VEC_FREE(allocator, &fn->constants);
    SG_VEC_FREE(allocator, &fn->handlers);
    SG_VEC_FREE(allocator, &fn->locals);
    SG_VEC_FREE(allocator, &fn->ups);
    sg_map_free(&fn->constant_index);
    sg_map_free(&fn->captured);
}

sg_proto *sg_fn_close(sg_fn *fn)
{
    sg_vm *vm = fn->vm;
    sg_proto *proto = NULL;
    if (fn->max_reg >= SG_MAX_REGS || fn->constants.len >= SG_RK)
        sg_fn_error(fn, SG_E_LIMIT, fn->span, "this statement is too large; split it");
    if (!fn->failed)
        proto = sg_proto_make(vm, fn->name, fn->module);
    if (proto) {
        size_t n = fn->code.len;
        bool ok = take_list(vm, (void **)&proto->code, fn->code.data, n * sizeof(sg_instr)) &&
                  take_list(vm, (void **)&proto->spans, fn->spans.data, n * sizeof(sg_span)) &&
                  take_list(vm, (void **)&proto->constants, fn->constants.data,
                            fn->constants.len * sizeof(sg_value)) &&
                  take_list(vm, (void **)&proto->handlers, fn->handlers.data,
                            fn->handlers.len * sizeof(sg_handler));
        proto->n_code = (uint32_t)n;
        proto->n_constants = (uint32_t)fn->constants.len;
        proto->n_handlers = (uint32_t)fn->handlers.len;
        proto->n_regs = (uint16_t)fn->max_reg;
        if (!ok) {
            // Lists that were not taken are null, so freeing the proto stays balanced.
            proto->n_code = proto->code && proto->spans ? proto->n_code : 0;
            proto->n_constants = proto->constants ? proto->n_constants : 0;
            proto->n_handlers = proto->handlers ? proto->n_handlers : 0;
            proto = NULL;
        }
    }
    free_fn(fn);
    return proto;
}

// ---- code ---------------------------------------------------------------------------------------

static uint32_t push_instr(sg_fn *fn, sg_instr instr)
{
    if (!SG_PUSH(fn->vm->allocator, &fn->code, instr) ||
        !SG_PUSH(fn->vm->allocator, &fn->spans, fn->span))
        out_of_memory(fn);
    return (uint32_t)fn->code.len - 1;
}

uint32_t sg_emit(sg_fn *fn, sg_bc op, uint32_t a, uint32_t b, uint32_t c)
{
    sg_instr instr = {.op = (uint16_t)op, .a = (uint16_t)a};
    instr.b = (uint16_t)b;
    instr.c = (uint16_t)c;
    return push_instr(fn, instr);
}

uint32_t sg_emit_x(sg_fn *fn, sg_bc op, uint32_t a, int32_t x)
{
    sg_instr instr = {.op = (uint16_t)op, .a = (uint16_t)a};
    instr.x = x;
    return push_instr(fn, instr);
}

uint32_t sg_here(const sg_fn *fn) { return (uint32_t)fn->code.len; }

uint32_t sg_emit_jump(sg_fn *fn, sg_bc op, uint32_t a) { return sg_emit_x(fn, op, a, 0); }

void sg_patch_to(sg_fn *fn, uint32_t jump, uint32_t target)
{
    if (jump < fn->code.len)
        fn->code.data[jump].x = (int32_t)target - (int32_t)(jump + 1);
}

void sg_patch(sg_fn *fn, uint32_t jump) { sg_patch_to(fn, jump, sg_here(fn)); }

void sg_patch_all(sg_fn *fn, sg_jumps *jumps)
{
    for (size_t i = 0; i < jumps->len; i++)
        sg_patch(fn, jumps->data[i]);
    SG_VEC_FREE(fn->vm->allocator, jumps);
}

uint32_t sg_constant(sg_fn *fn, sg_value value)
{
    if (value.tag == SG_UNDEF) {
        out_of_memory(fn);
        return 0;
    }
    uint64_t key = sg_hash_u64((uint64_t)value.i + value.tag * 0x9e3779b97f4a7c15ULL + value.aux);
    const uint64_t *known = sg_map_get(&fn->constant_index, key);
    if (known && sg_value_identical(fn->constants.data[*known], value) &&
        value.tag == fn->constants.data[*known].tag)
        return (uint32_t)*known;
    if (!SG_PUSH(fn->vm->allocator, &fn->constants, value) ||
        (!known && !sg_map_put(&fn->constant_index, key, fn->constants.len - 1)))
        out_of_memory(fn);
    return (uint32_t)fn->constants.len - 1;
}

uint16_t sg_regs(sg_fn *fn, uint32_t n)
{
    uint32_t first = fn->next_reg;
    fn->next_reg += n;
    if (fn->next_reg > fn->max_reg)
        fn->max_reg = fn->next_reg;
    if (fn->next_reg >= SG_MAX_REGS) {
        sg_fn_error(fn, SG_E_LIMIT, fn->span, "this expression is too large; split it");
        fn->next_reg = first;
        fn->max_reg = first;
    }
    return (uint16_t)first;
}

uint16_t sg_reg(sg_fn *fn) { return sg_regs(fn, 1); }

void sg_reg_drop(sg_fn *fn, uint32_t next) { fn->next_reg = next; }

sg_sym sg_fn_sym(sg_fn *fn, const char *text) { return sg_vm_sym(fn->vm, text); }

sg_proto *sg_compile_statement(sg_vm *vm, sg_module *module, const sg_ast *statement)
{
    sg_fn fn;
    sg_fn_open(&fn, NULL, vm, module, (sg_sym){0});
    fn.top = true;
    fn.span = statement->span;
    sg_note_captures(&fn, statement);
    uint16_t dst = sg_reg(&fn);
    sg_compile_to(&fn, statement, dst);
    fn.span = statement->span;
    sg_emit(&fn, SG_BC_RETURN, dst, 0, 0);
    return sg_fn_close(&fn);
}
