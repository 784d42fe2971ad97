// What hangs together with a world that was put together by hand, and how to call it.
#include "byhand/objects.h"
#include "parts/read.h"

#include <stdlib.h>
#include <string.h>

typedef struct gathering {
    sg_vm *vm;
    sg_hand_analysis *analysis;
    uint32_t number;
    bool ok;
} gathering;

static void meet(gathering *g, sg_hand_object *o)
{
    if (!o || !g->ok || o->gathered == g->number)
        return;
    o->gathered = g->number;
    g->ok = SG_PUSH(g->vm->allocator, &g->analysis->objects, o);
}

static int by_order(const void *a, const void *b)
{
    // Objects and joints both begin with their element.
    const sg_hand_element *x = *(const sg_hand_element *const *)a;
    const sg_hand_element *y = *(const sg_hand_element *const *)b;
    return (x->order > y->order) - (x->order < y->order);
}

bool sg_hand_gather(sg_vm *vm, sg_hand_object *world, sg_hand_analysis *a)
{
    gathering g = {vm, a, ++world->element.shop->n_gathered, true};
    meet(&g, world);
    for (size_t i = 0; g.ok && i < a->objects.len; i++) {
        sg_hand_object *o = a->objects.data[i];
        meet(&g, o->parent);
        for (size_t k = 0; k < o->children.len; k++)
            meet(&g, o->children.data[k]);
        for (size_t k = 0; g.ok && k < o->joints.len; k++) {
            sg_hand_joint *j = o->joints.data[k];
            meet(&g, j->obj1);
            meet(&g, j->obj2);
            if (j->obj1 == o)
                g.ok = SG_PUSH(vm->allocator, &a->joints, j);
        }
    }
    if (!g.ok)
        return false;
    qsort(a->objects.data, a->objects.len, sizeof *a->objects.data, by_order);
    if (a->joints.len)
        qsort(a->joints.data, a->joints.len, sizeof *a->joints.data, by_order);
    return true;
}

// ---- names --------------------------------------------------------------------------------------

typedef struct naming {
    sg_vm *vm;
    sg_arena arena;
    sg_map variables; // sg_obj * -> symbol, of the module that is running
    sg_map taken;     // symbols
    bool ok;
} naming;

static void note_variable(naming *n, sg_value value, const char *text)
{
    uint64_t key = (uint64_t)(uintptr_t)value.o;
    if (!text)
        n->ok = false;
    else if (n->ok && !sg_map_get(&n->variables, key))
        n->ok = sg_map_put(&n->variables, key, sg_vm_sym(n->vm, text).i);
}

// An object is called as the variable that holds it, `arm`, or the array, `links[2]`.
static void note_variables(naming *n)
{
    const sg_module *module = sg_vm_current_module(n->vm);
    for (size_t i = 0; n->ok && i < module->cells.len; i++) {
        sg_sym name = {(uint32_t)module->cells.entries[i].key};
        sg_value value = sg_module_get(module, name);
        const char *text = sg_vm_text(n->vm, name);
        if (sg_is_by_hand(value))
            note_variable(n, value, text);
        const sg_array *array = sg_is(value, SG_OBJ_ARRAY) ? (const sg_array *)value.o : NULL;
        for (size_t k = 0; array && array->elem == SG_ELEM_ANY && n->ok && k < array->len; k++)
            if (sg_is_by_hand(array->v[k]))
                note_variable(n, array->v[k], sg_arena_printf(&n->arena, "%s[%zu]", text, k + 1));
    }
}

static naming begin_naming(sg_vm *vm)
{
    naming n = {.vm = vm, .ok = true};
    sg_arena_init(&n.arena, vm->allocator);
    sg_map_init(&n.variables, vm->allocator);
    sg_map_init(&n.taken, vm->allocator);
    note_variables(&n);
    return n;
}

static void end_naming(naming *n)
{
    sg_map_free(&n->variables);
    sg_map_free(&n->taken);
    sg_arena_destroy(&n->arena);
}

static sg_sym given_name(const naming *n, const sg_hand_element *e)
{
    uint64_t *variable = sg_map_get(&n->variables, (uint64_t)(uintptr_t)e->self.o);
    return e->name.i ? e->name : variable ? (sg_sym){(uint32_t)*variable} : (sg_sym){0};
}

// Names are unique, since signals and tracks of the animation are known by them.
static void name_element(naming *n, sg_hand_element *e, const char *kind, size_t number)
{
    sg_sym given = given_name(n, e);
    const char *text =
        given.i ? sg_vm_text(n->vm, given) : sg_arena_printf(&n->arena, "%s%zu", kind, number);
    const char *name = text;
    for (int i = 2; n->ok && name; i++) {
        e->name = sg_vm_sym(n->vm, name);
        if (!sg_map_get(&n->taken, e->name.i))
            break;
        name = sg_arena_printf(&n->arena, "%s_%d", text, i);
    }
    n->ok = n->ok && name && sg_map_put(&n->taken, e->name.i, 1);
}

static bool is_scene(sg_vm *vm, const sg_hand_object *o)
{
    sg_value feature;
    return sg_dict_get_sym(o->element.keys, sg_vm_sym(vm, "feature"), &feature) &&
           sg_is(feature, SG_OBJ_DICT) &&
           strcmp(sg_element_kind(vm, (const sg_dict *)feature.o), "Scene") == 0;
}

// Where worlds have a Scene, an object without one that is nowhere attached was forgotten.
static void warn_of_lost(const naming *n, const sg_hand_object *world)
{
    for (size_t i = 0; is_scene(n->vm, world) && i < n->variables.len; i++) {
        sg_map_entry *entry = &n->variables.entries[i];
        const sg_native *native = (const sg_native *)(uintptr_t)entry->key;
        const sg_hand_object *o = sg_hand_object_of(sg_object((void *)(uintptr_t)native));
        if (o && !o->parent && !o->element.world && o->gathered != world->gathered &&
            !is_scene(n->vm, o))
            sg_warning(n->vm->diags, SG_E_TREE, o->element.span,
                       "Object3D '%s' has no parent, and no joint connects it to the world '%s'; "
                       "it is left out",
                       sg_vm_text(n->vm, (sg_sym){(uint32_t)entry->value}),
                       sg_vm_text(n->vm, world->element.name));
    }
}

bool sg_hand_name_all(sg_vm *vm, sg_hand_analysis *a)
{
    naming n = begin_naming(vm);
    for (size_t i = 0; n.ok && i < a->objects.len; i++)
        name_element(&n, &a->objects.data[i]->element, "object", i + 1);
    for (size_t i = 0; n.ok && i < a->joints.len; i++)
        name_element(&n, &a->joints.data[i]->element, "joint", i + 1);
    if (n.ok)
        warn_of_lost(&n, a->world);
    end_naming(&n);
    return n.ok;
}

const char *sg_hand_name(sg_vm *vm, const sg_hand_element *e)
{
    const char *kind = sg_vm_text(vm, e->keys->class_);
    naming n = begin_naming(vm);
    sg_sym name = given_name(&n, e);
    const char *text = name.i ? sg_arena_printf(&n.arena, "%s '%s'", kind, sg_vm_text(vm, name))
                              : sg_arena_printf(&n.arena, "this %s", kind);
    sg_sym kept = text ? sg_vm_sym(vm, text) : e->keys->class_;
    end_naming(&n);
    return sg_vm_text(vm, kept);
}
