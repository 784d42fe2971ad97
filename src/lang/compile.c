#include "lang/compile_internal.h"
#include "lang/runtime.h"

#include <stdarg.h>
#include <stdio.h>

// Lists of finished functions are kept for the next ones: a script of many small statements would
// otherwise spend its time in the allocator.
enum { KEPT = 4 };

struct sg_compiler {
    sg_fn kept[KEPT];
    uint32_t n;
};

static void clear_lists(sg_fn *fn)
{
    fn->code.len = fn->spans.len = fn->constants.len = fn->handlers.len = 0;
    fn->locals.len = fn->ups.len = 0;
    sg_map_clear(&fn->constant_index);
    sg_map_clear(&fn->captured);
}

static void free_lists(sg_fn *fn, const sg_allocator *allocator)
{
    SG_VEC_FREE(allocator, &fn->code);
    SG_VEC_FREE(allocator, &fn->spans);
    SG_VEC_FREE(allocator, &fn->constants);
    SG_VEC_FREE(allocator, &fn->handlers);
    SG_VEC_FREE(allocator, &fn->locals);
    SG_VEC_FREE(allocator, &fn->ups);
    sg_map_free(&fn->constant_index);
    sg_map_free(&fn->captured);
}

sg_compiler *sg_compiler_create(const sg_allocator *allocator)
{
    sg_compiler *compiler = allocator->resize(allocator->context, NULL, 0, sizeof *compiler);
    if (compiler)
        compiler->n = 0;
    return compiler;
}

void sg_compiler_destroy(sg_compiler *compiler, const sg_allocator *allocator)
{
    if (!compiler)
        return;
    for (uint32_t i = 0; i < compiler->n; i++)
        free_lists(&compiler->kept[i], allocator);
    allocator->resize(allocator->context, compiler, sizeof *compiler, 0);
}

void sg_fn_open(sg_fn *fn, sg_fn *up, sg_vm *vm, sg_module *module, sg_sym name)
{
    sg_compiler *compiler = sg_runtime_of(vm)->compiler;
    sg_fn lists = {0};
    if (compiler->n) {
        lists = compiler->kept[--compiler->n];
    } else {
        sg_map_init(&lists.constant_index, vm->allocator);
        sg_map_init(&lists.captured, vm->allocator);
    }
    *fn = (sg_fn){.up = up, .vm = vm, .module = module, .name = name, .caught = 0xFFFF};
#define TAKE(list)                                                                                 \
    fn->list.data = lists.list.data;                                                               \
    fn->list.cap = lists.list.cap
    TAKE(code);
    TAKE(spans);
    TAKE(constants);
    TAKE(handlers);
    TAKE(locals);
    TAKE(ups);
#undef TAKE
    fn->constant_index = lists.constant_index;
    fn->captured = lists.captured;
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

static void free_fn(sg_fn *fn)
{
    sg_compiler *compiler = sg_runtime_of(fn->vm)->compiler;
    if (compiler->n < KEPT && fn->code.cap < 4096 && fn->captured.cap < 256) {
        clear_lists(fn);
        compiler->kept[compiler->n++] = *fn;
    } else {
        free_lists(fn, fn->vm->allocator);
    }
}

sg_proto *sg_fn_close(sg_fn *fn)
{
    sg_proto *proto = NULL;
    if (fn->max_reg >= SG_MAX_REGS || fn->constants.len >= SG_RK)
        sg_fn_error(fn, SG_E_LIMIT, fn->span, "this statement is too large; split it");
    if (!fn->failed)
        proto = sg_proto_make(fn->vm, fn->name, fn->module);
    if (proto &&
        !sg_proto_fill(fn->vm, proto, fn->code.data, fn->spans.data, (uint32_t)fn->code.len,
                       fn->constants.data, (uint32_t)fn->constants.len, fn->handlers.data,
                       (uint32_t)fn->handlers.len))
        proto = NULL;
    if (proto)
        proto->n_regs = (uint16_t)fn->max_reg;
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

uint16_t sg_new_reg(sg_fn *fn) { return sg_regs(fn, 1); }

void sg_reg_drop(sg_fn *fn, uint32_t next) { fn->next_reg = next; }

sg_sym sg_fn_sym(sg_fn *fn, const char *text) { return sg_vm_sym(fn->vm, text); }

sg_proto *sg_compile_statement(sg_vm *vm, sg_module *module, const sg_ast *statement,
                               sg_name_lookup lookup, void *context)
{
    sg_fn fn;
    sg_fn_open(&fn, NULL, vm, module, (sg_sym){0});
    fn.top = true;
    fn.lookup = lookup;
    fn.lookup_context = context;
    fn.span = statement->span;
    sg_note_captures(&fn, statement);
    uint16_t dst = sg_new_reg(&fn);
    sg_compile_to(&fn, statement, dst);
    fn.span = statement->span;
    sg_emit(&fn, SG_BC_RETURN, dst, 0, 0);
    return sg_fn_close(&fn);
}
