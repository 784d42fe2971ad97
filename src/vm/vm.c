#include "vm/vm.h"

#include "vm/bytecode.h"

#include <string.h>

// 16 MiB of address space for the default depth of 10,000 calls; pages are touched when used.
enum { STACK_PER_CALL = 100, STACK_LEAST = 1 << 14 };

static const char *const operator_texts[] = {
#define SG_OPERATOR_TEXT(name, text) text,
    SG_OPERATORS(SG_OPERATOR_TEXT)
#undef SG_OPERATOR_TEXT
};

const char *sg_operator_text(sg_operator op) { return operator_texts[op]; }

static void *take(sg_vm *vm, size_t size)
{
    return vm->allocator->resize(vm->allocator->context, NULL, 0, size);
}

static void give_back(sg_vm *vm, void *block, size_t size)
{
    if (block)
        vm->allocator->resize(vm->allocator->context, block, size, 0);
}

static bool make_world(sg_vm *vm)
{
    vm->base = sg_module_make(vm, sg_vm_sym(vm, "Base"), NULL);
    if (!vm->base || !sg_types_init(vm))
        return false;
    vm->main = sg_module_make(vm, sg_vm_sym(vm, "Main"), NULL);
    if (!vm->main)
        return false;
    return sg_module_set(vm, vm->base, vm->base->name, sg_object(vm->base)) &&
           sg_module_set(vm, vm->base, vm->main->name, sg_object(vm->main));
}

sg_vm *sg_vm_create(const sg_allocator *allocator, sg_symbols *symbols, sg_sources *sources,
                    sg_diags *diags, sg_limits limits, const sg_vm_hooks *hooks)
{
    sg_vm *vm = allocator->resize(allocator->context, NULL, 0, sizeof *vm);
    if (!vm)
        return NULL;
    *vm = (sg_vm){.allocator = allocator,
                  .symbols = symbols,
                  .sources = sources,
                  .diags = diags,
                  .limits = limits,
                  .hooks = hooks,
                  .threshold = (size_t)8 << 20,
                  .budget = 1024,
                  .max_frames = limits.max_depth ? (uint32_t)limits.max_depth : 10000,
                  .random_state = 42};
    sg_pool_init(&vm->pool, allocator);
    sg_map_init(&vm->interned_types, allocator);
    vm->exception = (sg_value){.tag = SG_UNDEF};
    size_t n_stack = (size_t)vm->max_frames * STACK_PER_CALL + STACK_LEAST;
    vm->stack = take(vm, n_stack * sizeof(sg_value));
    vm->frames = take(vm, vm->max_frames * sizeof(sg_frame));
    vm->top = vm->stack;
    vm->stack_end = vm->stack ? vm->stack + n_stack : NULL;
    if (!vm->stack || !vm->frames || !make_world(vm)) {
        sg_vm_destroy(vm);
        return NULL;
    }
    return vm;
}

void sg_vm_destroy(sg_vm *vm)
{
    if (!vm)
        return;
    sg_heap_destroy(vm);
    give_back(vm, vm->stack, (size_t)((char *)vm->stack_end - (char *)vm->stack));
    give_back(vm, vm->frames, vm->max_frames * sizeof(sg_frame));
    SG_VEC_FREE(vm->allocator, &vm->modules);
    SG_VEC_FREE(vm->allocator, &vm->all_types);
    SG_VEC_FREE(vm->allocator, &vm->enums);
    sg_map_free(&vm->interned_types);
    give_back(vm, vm, sizeof *vm);
}

sg_function *sg_vm_register(sg_vm *vm, sg_module *module, const char *name, sg_native_fn native,
                            void *context, const char *signature)
{
    sg_sym sym = sg_vm_sym(vm, name);
    if (!module)
        module = vm->base;
    sg_cell *cell = sg_module_cell(vm, module, sym);
    if (!cell)
        return NULL;
    sg_value old = cell->value;
    sg_function *function = NULL;
    if (sg_is(old, SG_OBJ_FUNCTION))
        function = (sg_function *)old.o;
    else if (sg_is(old, SG_OBJ_TYPE))
        function = ((sg_type *)old.o)->constructor;
    if (!function) {
        function = sg_function_make(vm, sym);
        if (!function)
            return NULL;
        if (sg_is(old, SG_OBJ_TYPE)) // the constructor of a built-in type
            ((sg_type *)old.o)->constructor = function;
        else
            cell->value = sg_object(function);
    }
    function->native = native;
    function->context = context;
    function->signature = signature;
    return function;
}

sg_module *sg_vm_module(sg_vm *vm, const char *name)
{
    sg_sym sym = sg_vm_sym(vm, name);
    sg_value known = sg_module_get(vm->base, sym);
    if (sg_is(known, SG_OBJ_MODULE))
        return (sg_module *)known.o;
    sg_module *module = sg_module_make(vm, sym, vm->base);
    if (!module || !sg_module_set(vm, vm->base, sym, sg_object(module)))
        return NULL;
    return module;
}

sg_module *sg_vm_current_module(const sg_vm *vm)
{
    return vm->n_frames ? vm->frames[vm->n_frames - 1].proto->module : vm->main;
}

sg_span sg_vm_where(const sg_vm *vm)
{
    if (!vm->n_frames)
        return (sg_span){0};
    const sg_frame *frame = &vm->frames[vm->n_frames - 1];
    return sg_proto_span(frame->proto, frame->ip);
}

sg_status sg_vm_poll(sg_vm *vm)
{
    vm->worked = 0;
    sg_status status = sg_limits_check_slow(&vm->limits);
    if (status == SG_OK)
        return SG_OK;
    char words[SG_LIMITS_WORDS];
    sg_code code = sg_limits_words(&vm->limits, status, words);
    sg_span span = sg_vm_where(vm);
    return sg_raise_status(vm, status, code, span.file ? span : vm->place, "%s", words);
}

void sg_vm_write(sg_vm *vm, const char *text, size_t length)
{
    if (vm->write_out)
        vm->write_out(vm->out_context, text, length);
}

void sg_vm_write_error(sg_vm *vm, const char *text, size_t length)
{
    if (vm->write_err)
        vm->write_err(vm->err_context, text, length);
    else
        sg_vm_write(vm, text, length);
}
