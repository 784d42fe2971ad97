// Cells, modules, and the choice of a method.
#include "vm/function.h"

#include "vm/vm.h"

#include <string.h>

sg_cell *sg_cell_make(sg_vm *vm, sg_sym name)
{
    sg_cell *cell = sg_heap_new(vm, SG_OBJ_CELL, sizeof *cell);
    if (!cell)
        return NULL;
    cell->name = name;
    cell->value = (sg_value){.tag = SG_UNDEF};
    return cell;
}

sg_module *sg_module_make(sg_vm *vm, sg_sym name, sg_module *parent)
{
    sg_module *module = sg_heap_new(vm, SG_OBJ_MODULE, sizeof *module);
    if (!module)
        return NULL;
    sg_map_init(&module->cells, vm->allocator);
    module->name = name;
    module->parent = parent;
    if (!SG_PUSH(vm->allocator, &vm->modules, module))
        return NULL;
    if (vm->base && !sg_module_use(vm, module, vm->base))
        return NULL;
    return module;
}

bool sg_module_use(sg_vm *vm, sg_module *module, sg_module *used)
{
    if (module == used)
        return true;
    for (uint32_t i = 0; i < module->n_uses; i++)
        if (module->uses[i] == used)
            return true;
    if (module->n_uses == module->cap_uses) {
        uint32_t cap = module->cap_uses ? 2 * module->cap_uses : 4;
        void *uses = sg_heap_resize(vm, module->uses, module->cap_uses * sizeof(sg_module *),
                                    cap * sizeof(sg_module *));
        if (!uses)
            return false;
        module->uses = uses;
        module->cap_uses = cap;
    }
    module->uses[module->n_uses++] = used;
    return true;
}

static sg_cell *own_cell(const sg_module *module, sg_sym name)
{
    uint64_t *at = sg_map_get(&module->cells, name.i);
    if (!at && module->shelf && sg_shelf_fetch(module->shelf, name))
        at = sg_map_get(&module->cells, name.i);
    return at ? (sg_cell *)(uintptr_t)*at : NULL;
}

static sg_cell *find_used(const sg_module *module, sg_sym name)
{
    // The newest module wins; Base, which every module uses first, is asked last.
    for (uint32_t i = module->n_uses; i-- > 0;) {
        sg_cell *cell = own_cell(module->uses[i], name);
        if (cell && sg_cell_value(cell).tag != SG_UNDEF)
            return cell;
    }
    return NULL;
}

sg_cell *sg_module_find(const sg_module *module, sg_sym name)
{
    sg_cell *cell = own_cell(module, name);
    if (cell && sg_cell_value(cell).tag != SG_UNDEF)
        return cell;
    return find_used(module, name);
}

sg_value sg_module_get(const sg_module *module, sg_sym name)
{
    const sg_cell *cell = sg_module_find(module, name);
    return cell ? sg_cell_value(cell) : (sg_value){.tag = SG_UNDEF};
}

sg_value sg_module_recall(sg_module *module, sg_sym name)
{
    sg_cell **recent = &module->recent[name.i % SG_MODULE_RECENT];
    if (*recent && (*recent)->name.i == name.i)
        return sg_cell_value(*recent);
    sg_cell *cell = own_cell(module, name);
    if (!cell || cell->value.tag == SG_UNDEF)
        return sg_module_get(module, name);
    *recent = cell;
    return cell->value;
}

sg_cell *sg_module_cell(sg_vm *vm, sg_module *module, sg_sym name)
{
    sg_cell *cell = own_cell(module, name);
    if (!cell) {
        cell = sg_cell_make(vm, name);
        if (!cell || !sg_map_put(&module->cells, name.i, (uintptr_t)cell))
            return NULL;
        uint32_t slot = sg_name_slot(sg_vm_text(vm, name), sg_sym_length(vm->symbols, name));
        module->taken[slot / 64] |= (uint64_t)1 << slot % 64;
    }
    if (cell->value.tag == SG_UNDEF && (!cell->link || sg_cell_value(cell).tag == SG_UNDEF))
        cell->link = find_used(module, name);
    return cell;
}

bool sg_module_set(sg_vm *vm, sg_module *module, sg_sym name, sg_value value)
{
    sg_cell *cell = sg_module_cell(vm, module, name);
    if (!cell)
        return false;
    cell->value = value;
    cell->head.flags |= SG_CELL_ASSIGNED;
    return true;
}

// ---- methods ------------------------------------------------------------------------------------

sg_function *sg_function_make(sg_vm *vm, sg_sym name)
{
    sg_function *function = sg_heap_new(vm, SG_OBJ_FUNCTION, sizeof *function);
    if (function)
        function->name = name;
    return function;
}

static const sg_type *type_at(const sg_vm *vm, const sg_method *method, uint32_t i)
{
    uint32_t last = method->n_max ? method->n_max - 1 : 0;
    if (i > last)
        i = last;
    const sg_type *type = method->n_max ? method->types[i] : NULL;
    return type ? type : vm->types.Any;
}

static bool same_signature(const sg_method *a, const sg_method *b)
{
    if (a->n_max != b->n_max || a->n_required != b->n_required || a->varargs != b->varargs)
        return false;
    for (uint32_t i = 0; i < a->n_max; i++) {
        const sg_type *x = a->types[i], *y = b->types[i];
        if (x == y)
            continue;
        if (!x || !y)
            return (!x && !y->parent) || (!y && !x->parent);
        if (!(sg_subtype(x, y) && sg_subtype(y, x)))
            return false;
    }
    return true;
}

// May `a` stand in front of `b`: every call that both accept is meant for `a`?
static bool at_least_as_specific(const sg_vm *vm, const sg_method *a, const sg_method *b)
{
    uint32_t n = a->n_max > b->n_max ? a->n_max : b->n_max;
    if (!a->varargs && !b->varargs && n > 0)
        n = a->n_max < b->n_max ? a->n_max : b->n_max;
    bool equal = true;
    for (uint32_t i = 0; i < n; i++) {
        const sg_type *x = type_at(vm, a, i), *y = type_at(vm, b, i);
        if (!sg_subtype(x, y))
            return false;
        equal = equal && sg_subtype(y, x);
    }
    return !(equal && a->varargs && !b->varargs);
}

bool sg_function_add(sg_vm *vm, sg_function *function, sg_closure *closure, sg_type *const *types,
                     uint32_t n_required, uint32_t n_max, bool varargs)
{
    sg_method method = {
        .closure = closure, .n_required = n_required, .n_max = n_max, .varargs = varargs};
    if (n_max) {
        method.types = sg_heap_resize(vm, NULL, 0, n_max * sizeof(sg_type *));
        if (!method.types)
            return false;
        memcpy(method.types, types, n_max * sizeof(sg_type *));
    }
    method.plain = !varargs && n_required == n_max;
    for (uint32_t i = 0; i < n_max; i++)
        method.plain = method.plain && !types[i];
    for (uint32_t i = 0; i < function->n_methods; i++) {
        sg_method *old = &function->methods[i];
        if (same_signature(old, &method)) {
            if (method.types)
                sg_heap_resize(vm, method.types, n_max * sizeof(sg_type *), 0);
            old->closure = closure;
            return true;
        }
    }
    if (function->n_methods == function->cap_methods) {
        uint32_t cap = function->cap_methods ? 2 * function->cap_methods : 1;
        void *methods =
            sg_heap_resize(vm, function->methods, function->cap_methods * sizeof(sg_method),
                           cap * sizeof(sg_method));
        if (!methods) {
            if (method.types)
                sg_heap_resize(vm, method.types, n_max * sizeof(sg_type *), 0);
            return false;
        }
        function->methods = methods;
        function->cap_methods = cap;
    }
    uint32_t at = 0;
    while (at < function->n_methods && !at_least_as_specific(vm, &method, &function->methods[at]))
        at++;
    memmove(&function->methods[at + 1], &function->methods[at],
            (function->n_methods - at) * sizeof(sg_method));
    function->methods[at] = method;
    function->n_methods++;
    return true;
}

static bool accepts(sg_vm *vm, const sg_method *method, const sg_value *args, uint32_t n)
{
    if (n < method->n_required || (n > method->n_max && !method->varargs))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = i < method->n_max ? i : method->n_max - 1;
        const sg_type *type = method->types[k];
        if (type && !sg_isa(vm, args[i], type))
            return false;
    }
    return true;
}

const sg_method *sg_function_pick(sg_vm *vm, const sg_function *function, const sg_value *args,
                                  uint32_t n)
{
    for (uint32_t i = 0; i < function->n_methods; i++)
        if (accepts(vm, &function->methods[i], args, n))
            return &function->methods[i];
    return NULL;
}
