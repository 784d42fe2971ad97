// Iteration: what `for` and the functions over collections see.
#include "lang/runtime.h"

#include <string.h>

// ---- zip and enumerate --------------------------------------------------------------------------

typedef struct zip {
    uint32_t n;
    bool counted; // enumerate: the number comes first
    sg_value items[];
} zip;

static void zip_mark(sg_vm *vm, void *data)
{
    const zip *z = data;
    for (uint32_t i = 0; i < z->n; i++)
        sg_mark_value(vm, z->items[i]);
}

static void zip_destroy(sg_vm *vm, void *data)
{
    const zip *z = data;
    sg_heap_resize(vm, data, sizeof *z + z->n * sizeof(sg_value), 0);
}

// Every collection of a zip is walked by its own state, kept in an Int vector behind the items.
static sg_status zip_iterate(sg_vm *vm, void *data, int64_t *at, sg_value *item, bool *done)
{
    zip *z = data;
    // The states lie in the last item, an Int vector, so nested loops over one zip need their own:
    // *at == 0 starts afresh, which is how `for` begins.
    sg_array *states = (sg_array *)z->items[z->n - 1].o;
    if (*at == 0)
        memset(states->n, 0, states->len * sizeof(int64_t));
    uint32_t n = z->n - 1;
    sg_tuple *tuple = sg_tuple_make(vm, n + z->counted);
    if (!tuple)
        return SG_ERR_MEMORY;
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_root_push(vm, sg_object(tuple));
    sg_status status = SG_OK;
    for (uint32_t i = 0; i < n && status == SG_OK && !*done; i++)
        status = sg_iterate(vm, z->items[i], &states->n[i], &tuple->items[i + z->counted], done);
    sg_root_pop(vm, mark);
    if (z->counted)
        tuple->items[0] = sg_int(*at + 1);
    (*at)++;
    *item = sg_object(tuple);
    return status;
}

static int64_t zip_length(sg_vm *vm, void *data)
{
    const zip *z = data;
    int64_t least = -1;
    for (uint32_t i = 0; i + 1 < z->n; i++) {
        int64_t n = sg_length(vm, z->items[i]);
        if (n >= 0 && (least < 0 || n < least))
            least = n;
    }
    return least;
}

static const sg_native_class zip_class = {.name = "Zip",
                                          .mark = zip_mark,
                                          .destroy = zip_destroy,
                                          .iterate = zip_iterate,
                                          .length = zip_length};

sg_value sg_zip_make(sg_vm *vm, const sg_value *items, uint32_t n, bool counted)
{
    sg_value none = {.tag = SG_UNDEF};
    sg_array *states = sg_vector_make(vm, SG_ELEM_INT, n);
    zip *z = states ? sg_heap_resize(vm, NULL, 0, sizeof *z + (n + 1) * sizeof(sg_value)) : NULL;
    if (!z)
        return none;
    z->n = n + 1;
    z->counted = counted;
    memcpy(z->items, items, n * sizeof(sg_value));
    z->items[n] = sg_object(states);
    return sg_native_make(vm, &zip_class, z);
}

// ---- generators ---------------------------------------------------------------------------------

typedef struct generator {
    sg_value function, items, filter;
} generator;

static void generator_mark(sg_vm *vm, void *data)
{
    const generator *g = data;
    sg_mark_value(vm, g->function);
    sg_mark_value(vm, g->items);
    sg_mark_value(vm, g->filter);
}

static void generator_destroy(sg_vm *vm, void *data)
{
    sg_heap_resize(vm, data, sizeof(generator), 0);
}

static sg_status generator_iterate(sg_vm *vm, void *data, int64_t *at, sg_value *item, bool *done)
{
    const generator *g = data;
    for (;;) {
        sg_value x;
        sg_status status = sg_iterate(vm, g->items, at, &x, done);
        if (status != SG_OK || *done)
            return status;
        if (g->filter.tag != SG_NOTHING) {
            sg_root_mark mark = sg_root_mark_get(vm);
            sg_root_push(vm, x);
            sg_value keep;
            bool truth = false;
            status = sg_call_values(vm, g->filter, &x, 1, &keep);
            if (status == SG_OK)
                status = sg_truth(vm, keep, &truth);
            sg_root_pop(vm, mark);
            if (status != SG_OK)
                return status;
            if (!truth)
                continue;
        }
        return sg_call_values(vm, g->function, &x, 1, item);
    }
}

static int64_t generator_length(sg_vm *vm, void *data)
{
    const generator *g = data;
    return g->filter.tag == SG_NOTHING ? sg_length(vm, g->items) : -1;
}

static const sg_native_class generator_class = {.name = "Generator",
                                                .mark = generator_mark,
                                                .destroy = generator_destroy,
                                                .iterate = generator_iterate,
                                                .length = generator_length};

sg_value sg_generator_make(sg_vm *vm, sg_value function, sg_value items, sg_value filter)
{
    generator *g = sg_heap_resize(vm, NULL, 0, sizeof *g);
    if (!g)
        return (sg_value){.tag = SG_UNDEF};
    *g = (generator){function, items, filter};
    return sg_native_make(vm, &generator_class, g);
}

// ---- all collections ----------------------------------------------------------------------------

static sg_status iterate_string(const sg_string *s, int64_t *at, sg_value *item, bool *done)
{
    if (*at >= s->len) {
        *done = true;
        return SG_OK;
    }
    unsigned char c = (unsigned char)s->text[*at];
    size_t n = c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
    uint32_t code = n == 1 ? c : n == 2 ? c & 0x1Fu : n == 3 ? c & 0xFu : c & 7u;
    for (size_t i = 1; i < n && (size_t)*at + i < s->len; i++)
        code = code << 6 | ((unsigned char)s->text[(size_t)*at + i] & 0x3Fu);
    *at += (int64_t)n;
    *item = (sg_value){.tag = SG_CHAR, .i = code};
    return SG_OK;
}

static sg_status iterate_dict(sg_vm *vm, const sg_dict *dict, int64_t *at, sg_value *item,
                              bool *done)
{
    size_t position = (size_t)*at;
    sg_dict_entry entry;
    *done = !sg_dict_next(dict, &position, &entry);
    *at = (int64_t)position;
    if (!*done)
        *item = sg_pair_make(vm, entry.key, entry.value);
    return !*done && item->tag == SG_UNDEF ? SG_ERR_MEMORY : SG_OK;
}

sg_status sg_iterate(sg_vm *vm, sg_value collection, int64_t *at, sg_value *item, bool *done)
{
    *done = false;
    sg_status status = sg_vm_worked(vm, 1);
    if (status != SG_OK)
        return status;
    if (collection.tag == SG_OBJECT) {
        switch ((int)collection.o->kind) {
        case SG_OBJ_ARRAY: {
            const sg_array *array = (const sg_array *)collection.o;
            *done = (size_t)*at >= array->len;
            if (!*done)
                *item = sg_array_get(array, (size_t)(*at)++);
            return SG_OK;
        }
        case SG_OBJ_RANGE: {
            const sg_range *range = (const sg_range *)collection.o;
            *done = *at >= range->len;
            if (!*done)
                *item = sg_range_get(range, (size_t)(*at)++);
            return SG_OK;
        }
        case SG_OBJ_TUPLE:
        case SG_OBJ_NAMED_TUPLE:
        case SG_OBJ_PAIR: {
            const sg_tuple *tuple = (const sg_tuple *)collection.o;
            *done = *at >= tuple->n;
            if (!*done)
                *item = tuple->items[(*at)++];
            return SG_OK;
        }
        case SG_OBJ_STRING:
            return iterate_string((sg_string *)collection.o, at, item, done);
        case SG_OBJ_DICT:
            return iterate_dict(vm, (sg_dict *)collection.o, at, item, done);
        case SG_OBJ_NATIVE: {
            const sg_native *native = (const sg_native *)collection.o;
            if (native->class_->iterate)
                return native->class_->iterate(vm, native->data, at, item, done);
            break;
        }
        default:
            break;
        }
    }
    if (sg_is_plain_number(collection) || sg_is_quantity(collection)) { // a number is one item
        *done = *at > 0;
        *item = collection;
        (*at)++;
        return SG_OK;
    }
    sg_buf text;
    status = sg_raise(vm, "MethodError", SG_E_TYPE, (sg_span){0}, "%s cannot be iterated over",
                      sg_type_text(vm, collection, &text));
    sg_buf_free(&text);
    return status;
}

int64_t sg_length(sg_vm *vm, sg_value c)
{
    if (c.tag != SG_OBJECT)
        return 1;
    switch ((int)c.o->kind) {
    case SG_OBJ_ARRAY:
        return (int64_t)((sg_array *)c.o)->len;
    case SG_OBJ_RANGE:
        return ((sg_range *)c.o)->len;
    case SG_OBJ_TUPLE:
    case SG_OBJ_NAMED_TUPLE:
    case SG_OBJ_PAIR:
        return ((sg_tuple *)c.o)->n;
    case SG_OBJ_DICT:
        return (int64_t)sg_dict_len((sg_dict *)c.o);
    case SG_OBJ_STRING: {
        const sg_string *s = (const sg_string *)c.o;
        int64_t n = 0;
        for (uint32_t i = 0; i < s->len; i++)
            n += ((unsigned char)s->text[i] & 0xC0) != 0x80;
        return n;
    }
    case SG_OBJ_NATIVE: {
        const sg_native *native = (const sg_native *)c.o;
        return native->class_->length ? native->class_->length(vm, native->data) : -1;
    }
    default:
        return -1;
    }
}

sg_array *sg_collect(sg_vm *vm, sg_value collection)
{
    sg_array *list = sg_vector_make(vm, SG_ELEM_ANY, 0);
    if (!list)
        return NULL;
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_root_push(vm, sg_object(list));
    sg_root_push(vm, collection);
    int64_t at = 0;
    bool done = false, ok = true;
    while (ok) {
        sg_value item;
        ok = sg_iterate(vm, collection, &at, &item, &done) == SG_OK;
        if (!ok || done)
            break;
        ok = sg_array_push(vm, list, item);
    }
    sg_root_pop(vm, mark);
    return ok ? list : NULL;
}
