#include "parts/build_ties.h"

#include "base/vec.h"
#include "parts/constructors3d.h"
#include "parts/joint_rows.h"
#include "syntax/ast.h"

#include <string.h>

enum { MAX_LEVELS = 200 };

// ---- dictionaries -------------------------------------------------------------------------------

bool sg_part_attribute(sg_vm *vm, const sg_dict *dict, const char *name, sg_value *out)
{
    return sg_dict_get_sym(dict, sg_vm_sym(vm, name), out);
}

bool sg_part_is_class(sg_vm *vm, sg_value value, const char *name)
{
    return sg_is(value, SG_OBJ_DICT) && ((sg_dict *)value.o)->class_.i &&
           strcmp(sg_vm_text(vm, ((sg_dict *)value.o)->class_), name) == 0;
}

const char *sg_part_constructor_of(sg_vm *vm, const sg_dict *dict)
{
    sg_value value, kind;
    if (!sg_part_attribute(vm, dict, "_constructor", &value))
        return NULL;
    bool is_dict = sg_is(value, SG_OBJ_DICT);
    const sg_dict *par = is_dict ? (const sg_dict *)value.o : dict;
    bool has_kind = sg_part_attribute(vm, par, "_jointType", &kind) && kind.tag == SG_SYMBOL;
    if (is_dict && !sg_part_attribute(vm, par, "value", &value))
        return NULL;
    sg_sym name = has_kind ? kind.sym : sg_constructor_name(vm, &sg_constructors3d, value);
    return name.i ? sg_vm_text(vm, name) : NULL;
}

// ---- who holds whom -----------------------------------------------------------------------------

typedef struct held_object {
    int up; // another one that it is connected to, or itself
} held_object;

// What holds two objects together, or an object and its parent.
typedef struct holder {
    const char *path, *scope; // of it, and of what it stands in
    sg_value end[2];
    bool may_close, cut;
} holder;

typedef struct holder_search {
    sg_vm *vm;
    sg_arena arena;
    SG_VEC(held_object) objects;
    SG_VEC(holder) holders;
    sg_map object_by_path;
    bool any; // some holder may close loops
    bool failed;
    sg_part_ties *ties;
} holder_search;

static void add_object(holder_search *s, const sg_dict *dict, const char *path, const char *scope)
{
    held_object o = {(int)s->objects.len};
    holder h = {.path = path, .scope = scope, .end = {{.tag = SG_SYMBOL}}};
    s->failed |= !sg_map_put(&s->object_by_path, sg_vm_sym(s->vm, path).i, s->objects.len) ||
                 !SG_PUSH(s->vm->allocator, &s->objects, o);
    h.end[0].sym = sg_vm_sym(s->vm, path);
    if (sg_part_attribute(s->vm, dict, "parent", &h.end[1]) && h.end[1].tag != SG_NOTHING)
        s->failed |= !SG_PUSH(s->vm->allocator, &s->holders, h);
}

// Par(value = ...) or the value itself.
static sg_value value_of(holder_search *s, const sg_dict *dict, const char *key)
{
    sg_value value = {.tag = SG_NOTHING}, inner;
    if (sg_part_attribute(s->vm, dict, key, &value) && sg_part_is_class(s->vm, value, "Par") &&
        sg_part_attribute(s->vm, (sg_dict *)value.o, "value", &inner))
        value = inner;
    return value;
}

static void add_holder(holder_search *s, const sg_dict *dict, const char *path, const char *scope,
                       const char *constructor)
{
    sg_value cut = value_of(s, dict, "cut");
    holder h = {.path = path,
                .scope = scope,
                .end = {value_of(s, dict, "obj1"), value_of(s, dict, "obj2")},
                .may_close = sg_joint_may_close(constructor),
                .cut = cut.tag == SG_BOOL && cut.b};
    s->failed |= !SG_PUSH(s->vm->allocator, &s->holders, h);
}

// ---- the walk -----------------------------------------------------------------------------------

// Every component of a model with its path; those of arrays are numbered.
typedef sg_value visit(holder_search *s, sg_value value, const char *path, const char *scope,
                       int depth);

static sg_value walk_array(holder_search *s, const sg_array *array, const char *path,
                           const char *scope, int depth, visit *each)
{
    sg_array *fresh = NULL;
    for (size_t i = 0; i < array->len && !s->failed; i++) {
        const char *name = sg_arena_printf(&s->arena, "%s_%zu", path, i + 1);
        s->failed |= !name;
        if (!name)
            break;
        sg_value value = each(s, array->v[i], name, scope, depth);
        bool same = value.tag == array->v[i].tag && value.o == array->v[i].o;
        if (!fresh && !sg_is(value, SG_OBJ_DICT))
            continue;
        if (!fresh && !same) {
            fresh = sg_array_make(s->vm, SG_ELEM_ANY, array->ndims, array->dims);
            s->failed |= !fresh;
            for (size_t k = 0; fresh && k < array->len; k++)
                fresh->v[k] = array->v[k];
        }
        if (fresh)
            fresh->v[i] = value;
    }
    return sg_object(fresh ? (void *)fresh : (void *)(uintptr_t)array);
}

// The dictionary itself, or a copy where something in it was replaced.
static sg_dict *walk(holder_search *s, sg_dict *model, const char *scope, int depth, visit *each)
{
    sg_dict_entry e;
    sg_dict *fresh = NULL;
    for (size_t at = 0; depth < MAX_LEVELS && !s->failed && sg_dict_next(model, &at, &e);) {
        const char *key = e.key.tag == SG_SYMBOL ? sg_vm_text(s->vm, e.key.sym) : "_";
        const sg_array *array = sg_is(e.value, SG_OBJ_ARRAY) ? (const sg_array *)e.value.o : NULL;
        if (key[0] == '_' || (!sg_is(e.value, SG_OBJ_DICT) && !array) ||
            (array && array->elem != SG_ELEM_ANY))
            continue;
        const char *path = scope[0] ? sg_arena_printf(&s->arena, "%s.%s", scope, key) : key;
        s->failed |= !path;
        if (!path)
            break;
        sg_value value = array ? walk_array(s, array, path, scope, depth, each)
                               : each(s, e.value, path, scope, depth);
        if (value.o == e.value.o)
            continue;
        fresh = fresh ? fresh : sg_dict_copy(s->vm, model);
        s->failed |= !fresh || !sg_dict_put(s->vm, fresh, e.key, value, e.span);
    }
    return fresh ? fresh : model;
}

// Most models have no such joint, and nothing is to be decided.
static sg_value look(holder_search *s, sg_value value, const char *path, const char *scope,
                     int depth)
{
    (void)scope;
    if (s->any || !sg_part_is_class(s->vm, value, "Model"))
        return value;
    const char *constructor = sg_part_constructor_of(s->vm, (sg_dict *)value.o);
    s->any = constructor && sg_joint_may_close(constructor);
    if (!constructor)
        walk(s, (sg_dict *)value.o, path, depth + 1, look);
    return value;
}

static sg_value gather(holder_search *s, sg_value value, const char *path, const char *scope,
                       int depth)
{
    if (!sg_is(value, SG_OBJ_DICT))
        return value;
    sg_dict *dict = (sg_dict *)value.o;
    const char *constructor = sg_part_constructor_of(s->vm, dict);
    if (!constructor) {
        if (sg_part_is_class(s->vm, value, "Model"))
            walk(s, dict, path, depth + 1, gather);
    } else if (strcmp(constructor, "Object3D") == 0) {
        add_object(s, dict, path, scope);
    } else if (strcmp(constructor, "Fix") == 0 || strcmp(constructor, "Free") == 0 ||
               sg_joint_form_of(constructor)) {
        add_holder(s, dict, path, scope, constructor);
    }
    return value;
}

static sg_value strip(holder_search *s, sg_value value, const char *path, const char *scope,
                      int depth)
{
    (void)scope;
    if (!sg_part_is_class(s->vm, value, "Model"))
        return value;
    sg_dict *dict = (sg_dict *)value.o;
    const char *constructor = sg_part_constructor_of(s->vm, dict);
    const sg_joint_form *form = constructor ? sg_joint_form_of(constructor) : NULL;
    if (!constructor)
        return sg_object(walk(s, dict, path, depth + 1, strip));
    if (!form || !sg_part_is_tie(s->ties, path))
        return value;
    sg_dict *fresh = sg_dict_copy(s->vm, dict);
    s->failed |= !fresh;
    sg_dict_entry e;
    for (size_t at = 0; fresh && sg_dict_next(dict, &at, &e);)
        if (sg_part_is_class(s->vm, e.value, "Var") ||
            (e.key.tag == SG_SYMBOL && strcmp(sg_vm_text(s->vm, e.key.sym), "equations") == 0))
            sg_dict_remove(s->vm, fresh, e.key);
    return fresh ? sg_object(fresh) : value;
}

// ---- names --------------------------------------------------------------------------------------

// a.b[2].c as the path of a component, null if it is something else.
static const char *path_of(holder_search *s, const sg_ast *ast)
{
    const char *before;
    switch ((int)ast->kind) {
    case SG_AST_NAME:
        return sg_vm_text(s->vm, ast->sym);
    case SG_AST_FIELD:
        before = path_of(s, ast->kids[0]);
        return before ? sg_arena_printf(&s->arena, "%s.%s", before, sg_vm_text(s->vm, ast->sym))
                      : NULL;
    case SG_AST_INDEX:
        before = ast->n == 2 && ast->kids[1]->kind == SG_AST_INT ? path_of(s, ast->kids[0]) : NULL;
        return before ? sg_arena_printf(&s->arena, "%s_%lld", before, (long long)ast->kids[1]->i)
                      : NULL;
    }
    return NULL;
}

// The object that a name means in a scope: there, or in one around it. -1 if it is none.
static int resolve(holder_search *s, sg_value value, const char *scope)
{
    const char *name = NULL;
    if (value.tag == SG_SYMBOL)
        name = sg_vm_text(s->vm, value.sym);
    else if (sg_is(value, SG_OBJ_QUOTE))
        name = path_of(s, ((const sg_quote *)value.o)->root);
    for (size_t n = strlen(scope); name; n--) {
        if (n == 0 || scope[n] == '.' || scope[n] == '\0') {
            const char *path =
                n ? sg_arena_printf(&s->arena, "%.*s.%s", (int)n, scope, name) : name;
            const uint64_t *found =
                path ? sg_map_get(&s->object_by_path, sg_vm_sym(s->vm, path).i) : NULL;
            if (found)
                return (int)*found;
        }
        if (n == 0)
            break;
    }
    return -1;
}

static int top_of(holder_search *s, int o)
{
    while (s->objects.data[o].up != o)
        o = s->objects.data[o].up = s->objects.data[s->objects.data[o].up].up;
    return o;
}

// Connects what a holder holds; false if it was connected.
static bool connect(holder_search *s, const holder *h)
{
    int a = resolve(s, h->end[0], h->scope), b = resolve(s, h->end[1], h->scope);
    if (a < 0 || b < 0)
        return true; // where the tree is made it will tell
    a = top_of(s, a);
    b = top_of(s, b);
    s->objects.data[b].up = a;
    return a != b;
}

static void decide(holder_search *s)
{
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < s->holders.len && !s->failed; i++) {
            const holder *h = &s->holders.data[i];
            if (h->may_close != (pass == 1))
                continue;
            if ((h->cut || !connect(s, h)) && h->may_close)
                s->failed |= !sg_map_put(&s->ties->by_path, sg_vm_sym(s->vm, h->path).i, 1);
        }
}

sg_status sg_part_find_ties(sg_part_ties *ties, sg_vm *vm, sg_value *model)
{
    holder_search s = {.vm = vm, .ties = ties};
    *ties = (sg_part_ties){.vm = vm};
    sg_map_init(&ties->by_path, vm->allocator);
    sg_map_init(&s.object_by_path, vm->allocator);
    sg_arena_init(&s.arena, vm->allocator);
    walk(&s, (sg_dict *)model->o, "", 0, look);
    if (s.any && !s.failed)
        walk(&s, (sg_dict *)model->o, "", 0, gather);
    if (s.any && !s.failed)
        decide(&s);
    if (ties->by_path.len && !s.failed)
        *model = sg_object(walk(&s, (sg_dict *)model->o, "", 0, strip));
    SG_VEC_FREE(vm->allocator, &s.objects);
    SG_VEC_FREE(vm->allocator, &s.holders);
    sg_map_free(&s.object_by_path);
    bool failed = s.failed || s.arena.failed;
    sg_arena_destroy(&s.arena);
    return failed ? SG_ERR_MEMORY : SG_OK;
}

bool sg_part_is_tie(const sg_part_ties *ties, const char *path)
{
    return ties->by_path.len && sg_map_get(&ties->by_path, sg_vm_sym(ties->vm, path).i);
}

void sg_part_ties_free(sg_part_ties *ties)
{
    if (ties->vm)
        sg_map_free(&ties->by_path);
}
