// Allocation with accounting, and mark and sweep at safe points.
#include "base/sanitize.h"
#include "vm/bytecode.h"
#include "vm/vm.h"

#include <string.h>

enum { FIRST_THRESHOLD = 8 << 20 };

static bool within_limit(sg_vm *vm, size_t more)
{
    size_t limit = vm->limits.max_memory;
    if (!limit || (more <= limit && vm->bytes <= limit - more))
        return true;
    sg_raise_status(vm, SG_ERR_LIMIT, SG_E_LIMIT, (sg_span){0},
                    "the script needs more memory than the limit of %zu MiB", limit >> 20);
    return false;
}

static void count_bytes(sg_vm *vm, size_t more)
{
    vm->bytes += more;
    vm->n_allocations++;
    if (vm->bytes > vm->threshold)
        vm->budget = 0; // the executor collects at its next safe point
}

static void refuse(sg_vm *vm)
{
    sg_raise_status(vm, SG_ERR_MEMORY, SG_E_MEMORY, (sg_span){0}, "out of memory");
}

// Long texts take their time: false if the limits do not wait for them.
static bool clear(sg_vm *vm, char *bytes, size_t size)
{
    enum { PIECE = 1 << 21 };
    for (; size > PIECE; bytes += PIECE, size -= PIECE) {
        memset(bytes, 0, PIECE);
        if (sg_vm_worked(vm, PIECE / 8) != SG_OK)
            return false;
    }
    memset(bytes, 0, size);
    return true;
}

void *sg_heap_new(sg_vm *vm, sg_obj_kind kind, size_t size)
{
    if (!within_limit(vm, size))
        return NULL;
    sg_obj *object = vm->pool.allocator.resize(&vm->pool, NULL, 0, size);
    if (!object) {
        refuse(vm);
        return NULL;
    }
    if (!clear(vm, (char *)object, size)) {
        vm->pool.allocator.resize(&vm->pool, object, size, 0);
        return NULL;
    }
    object->kind = (uint8_t)kind;
    object->size = size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;
    object->next = vm->objects;
    vm->objects = object;
    count_bytes(vm, size);
    return object;
}

void *sg_heap_resize(sg_vm *vm, void *block, size_t old_size, size_t new_size)
{
    if (new_size > old_size && !within_limit(vm, new_size - old_size))
        return NULL;
    void *result = vm->pool.allocator.resize(&vm->pool, block, old_size, new_size);
    if (new_size && !result) {
        refuse(vm);
        return NULL;
    }
    if (new_size > old_size)
        count_bytes(vm, new_size - old_size);
    else
        vm->bytes -= old_size - new_size;
    return result;
}

// ---- marking ------------------------------------------------------------------------------------

void sg_mark_object(sg_vm *vm, void *object)
{
    sg_obj *o = object;
    if (!o || o->marked)
        return;
    o->marked = 1;
    // Once it could not grow it is not tried again: a refusal takes time, and there may be
    // millions.
    bool full = vm->gray_overflow && vm->gray.len == vm->gray.cap;
    if (full || !SG_PUSH(&vm->pool.allocator, &vm->gray, o))
        vm->gray_overflow = true;
}

void sg_mark_value(sg_vm *vm, sg_value value)
{
    if (value.tag == SG_OBJECT)
        sg_mark_object(vm, value.o);
}

static void mark_values(sg_vm *vm, const sg_value *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sg_mark_value(vm, values[i]);
}

static void mark_type(sg_vm *vm, sg_type *type)
{
    sg_mark_object(vm, type->parent);
    sg_mark_object(vm, type->also);
    sg_mark_object(vm, type->generic);
    sg_mark_object(vm, type->constructor);
    sg_mark_object(vm, type->caller);
    mark_values(vm, type->params, type->n_params);
    for (uint32_t i = 0; i < type->n_fields && type->field_types; i++)
        sg_mark_object(vm, type->field_types[i]);
}

static void mark_function(sg_vm *vm, sg_function *function)
{
    sg_mark_object(vm, function->fallback);
    for (uint32_t i = 0; i < function->n_methods; i++) {
        sg_method *method = &function->methods[i];
        sg_mark_object(vm, method->closure);
        for (uint32_t k = 0; k < method->n_max; k++)
            sg_mark_object(vm, method->types[k]);
    }
}

static void mark_module(sg_vm *vm, sg_module *module)
{
    sg_mark_object(vm, module->parent);
    for (size_t i = 0; i < module->cells.len; i++)
        sg_mark_object(vm, (sg_cell *)(uintptr_t)module->cells.entries[i].value);
    for (uint32_t i = 0; i < module->n_uses; i++)
        sg_mark_object(vm, module->uses[i]);
}

static void mark_children(sg_vm *vm, sg_obj *o)
{
    switch ((sg_obj_kind)o->kind) {
    case SG_OBJ_STRING:
        break;
    case SG_OBJ_ARRAY: {
        sg_array *array = (sg_array *)o;
        sg_mark_object(vm, array->eltype);
        if (array->elem == SG_ELEM_ANY)
            mark_values(vm, array->v, array->len);
        break;
    }
    case SG_OBJ_RANGE:
        break; // start and step are immediate
    case SG_OBJ_TUPLE:
    case SG_OBJ_NAMED_TUPLE:
    case SG_OBJ_PAIR:
        mark_values(vm, ((sg_tuple *)o)->items, ((sg_tuple *)o)->n);
        break;
    case SG_OBJ_DICT:
        sg_dict_mark(vm, (sg_dict *)o);
        break;
    case SG_OBJ_FUNCTION:
        mark_function(vm, (sg_function *)o);
        break;
    case SG_OBJ_CLOSURE: {
        sg_closure *closure = (sg_closure *)o;
        sg_mark_object(vm, closure->proto);
        for (uint32_t i = 0; i < closure->n; i++)
            sg_mark_object(vm, closure->cells[i]);
        break;
    }
    case SG_OBJ_CELL:
        sg_mark_value(vm, ((sg_cell *)o)->value);
        sg_mark_object(vm, ((sg_cell *)o)->link);
        break;
    case SG_OBJ_TYPE:
        mark_type(vm, (sg_type *)o);
        break;
    case SG_OBJ_STRUCT:
        sg_mark_object(vm, ((sg_struct *)o)->type);
        mark_values(vm, ((sg_struct *)o)->fields, ((sg_struct *)o)->n);
        break;
    case SG_OBJ_MODULE:
        mark_module(vm, (sg_module *)o);
        break;
    case SG_OBJ_QUOTE:
        vm->hooks->mark_quote(vm, o);
        break;
    case SG_OBJ_NATIVE: {
        sg_native *native = (sg_native *)o;
        if (native->class_->mark)
            native->class_->mark(vm, native->data);
        break;
    }
    case SG_OBJ_EXCEPTION:
        sg_mark_object(vm, ((sg_exception *)o)->type);
        sg_mark_value(vm, ((sg_exception *)o)->message);
        sg_mark_value(vm, ((sg_exception *)o)->payload);
        break;
    case SG_OBJ_PROTO: {
        sg_proto *proto = (sg_proto *)o;
        sg_mark_object(vm, proto->module);
        mark_values(vm, proto->constants, proto->n_constants);
        break;
    }
    }
}

static void drain(sg_vm *vm)
{
    while (vm->gray.len)
        mark_children(vm, vm->gray.data[--vm->gray.len]);
}

static void mark_roots(sg_vm *vm)
{
    mark_values(vm, vm->stack, (size_t)(vm->top - vm->stack));
    for (uint32_t i = 0; i < vm->n_frames; i++) {
        sg_mark_object(vm, vm->frames[i].proto);
        sg_mark_object(vm, vm->frames[i].closure);
        sg_mark_value(vm, vm->frames[i].callee);
    }
    mark_values(vm, vm->roots.data, vm->roots.len);
    sg_mark_value(vm, vm->exception);
    sg_mark_object(vm, vm->base);
    sg_mark_object(vm, vm->main);
    for (size_t i = 0; i < vm->modules.len; i++)
        sg_mark_object(vm, vm->modules.data[i]);
    for (size_t i = 0; i < vm->all_types.len; i++)
        sg_mark_object(vm, vm->all_types.data[i]);
    for (size_t i = 0; i < vm->enums.len; i++)
        sg_mark_object(vm, vm->enums.data[i]);
    for (int i = 0; i < SG_OPER_COUNT; i++)
        sg_mark_object(vm, vm->operators[i]);
    if (vm->hooks->mark_roots)
        vm->hooks->mark_roots(vm);
}

// ---- sweeping -----------------------------------------------------------------------------------

static void release(sg_vm *vm, void *block, size_t size)
{
    if (block)
        sg_heap_resize(vm, block, size, 0);
}

static void free_type(sg_vm *vm, sg_type *type)
{
    release(vm, type->params, type->n_params * sizeof(sg_value));
    release(vm, type->var_names, type->n_vars * sizeof(sg_sym));
    release(vm, type->field_names, type->n_fields * sizeof(sg_sym));
    release(vm, type->field_types, type->n_fields * sizeof(sg_type *));
}

static void free_function(sg_vm *vm, sg_function *function)
{
    for (uint32_t i = 0; i < function->n_methods; i++)
        release(vm, function->methods[i].types, function->methods[i].n_max * sizeof(sg_type *));
    release(vm, function->methods, function->cap_methods * sizeof(sg_method));
}

static void free_object(sg_vm *vm, sg_obj *o)
{
    switch ((sg_obj_kind)o->kind) {
    case SG_OBJ_ARRAY: {
        sg_array *array = (sg_array *)o;
        if (!(o->flags & SG_ARRAY_SHARED))
            release(vm, array->data, array->cap * sg_elem_size((sg_elem)array->elem));
        break;
    }
    case SG_OBJ_NAMED_TUPLE:
        release(vm, ((sg_tuple *)o)->names, ((sg_tuple *)o)->n * sizeof(sg_sym));
        break;
    case SG_OBJ_DICT:
        sg_dict_free(vm, (sg_dict *)o);
        break;
    case SG_OBJ_FUNCTION:
        free_function(vm, (sg_function *)o);
        break;
    case SG_OBJ_TYPE:
        free_type(vm, (sg_type *)o);
        break;
    case SG_OBJ_MODULE:
        sg_map_free(&((sg_module *)o)->cells);
        sg_shelf_free(vm, ((sg_module *)o)->shelf);
        release(vm, ((sg_module *)o)->uses, ((sg_module *)o)->cap_uses * sizeof(sg_module *));
        break;
    case SG_OBJ_QUOTE:
        vm->hooks->free_quote(vm, o);
        break;
    case SG_OBJ_NATIVE: {
        sg_native *native = (sg_native *)o;
        if (native->class_->destroy)
            native->class_->destroy(vm, native->data);
        break;
    }
    case SG_OBJ_EXCEPTION:
        release(vm, ((sg_exception *)o)->trace, ((sg_exception *)o)->n_trace * sizeof(sg_span));
        release(vm, ((sg_exception *)o)->trace_names,
                ((sg_exception *)o)->n_trace * sizeof(sg_sym));
        break;
    case SG_OBJ_PROTO:
        sg_proto_free(vm, (sg_proto *)o);
        break;
    case SG_OBJ_STRING:
    case SG_OBJ_RANGE:
    case SG_OBJ_TUPLE:
    case SG_OBJ_PAIR:
    case SG_OBJ_CLOSURE:
    case SG_OBJ_CELL:
    case SG_OBJ_STRUCT:
        break;
    }
    vm->bytes -= o->size;
    vm->pool.allocator.resize(&vm->pool, o, o->size, 0);
}

static void sweep(sg_vm *vm)
{
    sg_obj **at = &vm->objects;
    while (*at) {
        sg_obj *o = *at;
        if (o->marked) {
            o->marked = 0;
            at = &o->next;
        } else {
            *at = o->next;
            free_object(vm, o);
        }
    }
}

void sg_heap_collect(sg_vm *vm)
{
    vm->n_collections++;
    vm->epoch++;
    vm->gray.len = 0;
    vm->gray_overflow = false;
    mark_roots(vm);
    drain(vm);
    while (vm->gray_overflow) { // the gray list could not grow: look at the marked ones again
        vm->gray_overflow = false;
        vm->epoch++;
        for (sg_obj *o = vm->objects; o; o = o->next)
            if (o->marked) {
                mark_children(vm, o);
                drain(vm);
            }
    }
    sweep(vm);
    vm->threshold = vm->bytes > FIRST_THRESHOLD / 2 ? 2 * vm->bytes : FIRST_THRESHOLD;
    // What can be collected must not count against the limit: look again halfway to it.
    size_t limit = vm->limits.max_memory, room = limit > vm->bytes ? limit - vm->bytes : 0;
    if (limit && vm->threshold - vm->bytes > room / 2)
        vm->threshold = vm->bytes + room / 2;
}

static uint64_t bytes_in_all(const sg_vm *vm)
{
    return vm->limits.memory ? vm->limits.memory->live : 0;
}

void sg_heap_begin(sg_vm *vm)
{
    uint64_t left = vm->left_in_all = bytes_in_all(vm);
    vm->threshold_in_all = left + (left / 2 > FIRST_THRESHOLD ? left / 2 : FIRST_THRESHOLD);
}

static void collect_all(sg_vm *vm)
{
    sg_heap_collect(vm);
    sg_heap_begin(vm);
}

void sg_heap_safe_point(sg_vm *vm)
{
    if (vm->bytes <= vm->threshold && bytes_in_all(vm) <= vm->threshold_in_all)
        return;
    collect_all(vm);
}

// What a statement leaves behind lives as long as the model that it made: here it pays to look
// after less growth.
void sg_heap_end_statement(sg_vm *vm)
{
    uint64_t left = vm->left_in_all, growth = left / 8;
    growth = growth > FIRST_THRESHOLD ? growth : FIRST_THRESHOLD;
    if (vm->bytes > vm->threshold || bytes_in_all(vm) > left + growth)
        collect_all(vm);
}

// Does it hold anything but blocks of the pool? These go with the pool.
static bool holds_more(const sg_obj *o)
{
    return SG_ASAN || o->kind == SG_OBJ_MODULE || o->kind == SG_OBJ_QUOTE ||
           o->kind == SG_OBJ_NATIVE;
}

void sg_heap_destroy(sg_vm *vm)
{
    for (sg_obj *o = vm->objects, *next; o; o = next) {
        next = o->next;
        if (holds_more(o))
            free_object(vm, o);
    }
    vm->objects = NULL;
    SG_VEC_FREE(&vm->pool.allocator, &vm->gray);
    SG_VEC_FREE(&vm->pool.allocator, &vm->roots);
    sg_pool_destroy(&vm->pool);
}

// A block of the pool costs a header of 16 bytes and up to 15 more, those of arrays two of these.
#define POOL_OVERHEAD 1.6
enum { LARGEST_RESERVED = 64 << 10 };

void sg_heap_reserve(sg_vm *vm)
{
    // The next collection may move the threshold up to this.
    size_t most = vm->bytes > vm->threshold / 2 ? 2 * vm->bytes : vm->threshold;
    size_t want = (size_t)(POOL_OVERHEAD * (double)(most - vm->bytes));
    // No more than a part of what is left: who needs little must not fail for what he might need.
    const sg_counted *all = vm->limits.memory;
    if (all && all->max) {
        size_t left = all->max > all->live ? (size_t)(all->max - all->live) / 8 : 0;
        want = want < left + vm->pool.room ? want : left + vm->pool.room;
    }
    sg_pool_keep(&vm->pool, true);
    if (want > LARGEST_RESERVED)
        (void)sg_pool_reserve(&vm->pool, want, LARGEST_RESERVED);
}

void sg_heap_settle(sg_vm *vm) { sg_pool_keep(&vm->pool, false); }

sg_root_mark sg_root_mark_get(const sg_vm *vm) { return (sg_root_mark){vm->roots.len}; }

bool sg_root_push(sg_vm *vm, sg_value value)
{
    if (SG_PUSH(&vm->pool.allocator, &vm->roots, value))
        return true;
    refuse(vm);
    return false;
}

void sg_root_pop(sg_vm *vm, sg_root_mark mark) { vm->roots.len = mark.depth; }
