// Functions of the host that wait until a script asks for them: see vm/function.h.
#include "vm/vm.h"

#include <string.h>

typedef struct offer {
    const char *name; // static
    sg_native_fn native;
    void *context;
    const char *signature;
    uint32_t length; // of the name; 0 once it was fetched, or another one took its place
    uint32_t next;   // index + 1 of the next one with this head, older than this one
} offer;

struct sg_shelf {
    sg_vm *vm;
    sg_module *module;
    offer *offers;
    uint32_t n, cap, n_waiting;
    uint32_t heads[256]; // by sg_name_slot: index + 1 of the newest
};

// Has the module a cell of this name? Asked some hundred times before the first line runs.
static bool has_cell(const sg_vm *vm, const sg_module *module, const char *name, size_t length)
{
    uint32_t slot = sg_name_slot(name, length);
    if (!(module->taken[slot / 64] >> slot % 64 & 1))
        return false;
    sg_sym known = sg_sym_find(vm->symbols, name, length);
    return known.i && sg_map_get(&module->cells, known.i);
}

static sg_shelf *shelf_of(sg_vm *vm, sg_module *module)
{
    if (!module->shelf) {
        module->shelf = sg_heap_resize(vm, NULL, 0, sizeof *module->shelf);
        if (module->shelf) {
            memset(module->shelf, 0, sizeof *module->shelf);
            module->shelf->vm = vm;
            module->shelf->module = module;
        }
    }
    return module->shelf;
}

static bool reserve(sg_shelf *shelf)
{
    if (shelf->n < shelf->cap)
        return true;
    uint32_t cap = shelf->cap ? 2 * shelf->cap : 64;
    void *offers =
        sg_heap_resize(shelf->vm, shelf->offers, shelf->cap * sizeof(offer), cap * sizeof(offer));
    if (!offers)
        return false;
    shelf->offers = offers;
    shelf->cap = cap;
    return true;
}

// The newest offer of this name, after which nobody offers it any more; its length is 0 if there
// is none.
static offer take(sg_shelf *shelf, const char *name, size_t length)
{
    offer taken = {0};
    for (uint32_t i = shelf->heads[sg_name_slot(name, length)]; i; i = shelf->offers[i - 1].next) {
        offer *o = &shelf->offers[i - 1];
        if (o->length != length || memcmp(o->name, name, length) != 0)
            continue;
        if (!taken.length)
            taken = *o;
        o->length = 0;
        shelf->n_waiting--;
    }
    return taken;
}

static bool register_taken(sg_shelf *shelf, const offer *o)
{
    return sg_vm_register(shelf->vm, shelf->module, o->name, o->native, o->context, o->signature);
}

bool sg_vm_offer(sg_vm *vm, sg_module *module, const char *name, sg_native_fn native, void *context,
                 const char *signature)
{
    if (!module)
        module = vm->base;
    size_t length = strlen(name);
    // What has a cell is found there, and nobody would look here.
    if (!length || has_cell(vm, module, name, length))
        return sg_vm_register(vm, module, name, native, context, signature);
    sg_shelf *shelf = shelf_of(vm, module);
    if (!shelf || !reserve(shelf))
        return false;
    uint32_t *head = &shelf->heads[sg_name_slot(name, length)];
    shelf->offers[shelf->n++] = (offer){name, native, context, signature, (uint32_t)length, *head};
    *head = shelf->n;
    shelf->n_waiting++;
    return true;
}

bool sg_shelf_fetch(sg_shelf *shelf, sg_sym name)
{
    size_t length = sg_sym_length(shelf->vm->symbols, name);
    if (!shelf->n_waiting || !length)
        return false;
    offer o = take(shelf, sg_vm_text(shelf->vm, name), length);
    return o.length && register_taken(shelf, &o);
}

bool sg_module_complete(const sg_module *module)
{
    sg_shelf *shelf = module->shelf;
    for (uint32_t i = 0; shelf && shelf->n_waiting && i < shelf->n; i++) {
        if (!shelf->offers[i].length)
            continue;
        offer o = take(shelf, shelf->offers[i].name, shelf->offers[i].length);
        if (!register_taken(shelf, &o))
            return false;
    }
    return true;
}

void sg_shelf_free(sg_vm *vm, sg_shelf *shelf)
{
    if (!shelf)
        return;
    if (shelf->offers)
        sg_heap_resize(vm, shelf->offers, shelf->cap * sizeof(offer), 0);
    sg_heap_resize(vm, shelf, sizeof *shelf, 0);
}
