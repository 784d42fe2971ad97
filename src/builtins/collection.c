// Dictionaries, tuples, sets, copies and iterators.
#include "builtins/subjects.h"

#include <string.h>

static sg_status dict_arg(sg_vm *vm, const sg_args *args, const char *function, sg_dict **out)
{
    if (args->n && sg_is(args->v[0], SG_OBJ_DICT)) {
        *out = (sg_dict *)args->v[0].o;
        return SG_OK;
    }
    return SG_RAISE_ARGUMENT(vm, args, "%s needs a dictionary", function);
}

// Puts pairs, two-element tuples, or the entries of a collection into a dictionary.
static sg_status put_pairs(sg_vm *vm, const sg_args *args, sg_dict *dict, sg_value source)
{
    if (sg_is(source, SG_OBJ_PAIR)) {
        const sg_tuple *pair = (const sg_tuple *)source.o;
        return sg_dict_put(vm, dict, pair->items[0], pair->items[1], args->span) ? SG_OK
                                                                                 : SG_ERR_MEMORY;
    }
    if (sg_is(source, SG_OBJ_NAMED_TUPLE)) {
        const sg_tuple *tuple = (const sg_tuple *)source.o;
        for (uint32_t i = 0; i < tuple->n; i++)
            if (!sg_dict_put(vm, dict, sg_symbol(tuple->names[i]), tuple->items[i], args->span))
                return SG_ERR_MEMORY;
        return SG_OK;
    }
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_root_push(vm, sg_object(dict));
    int64_t at = 0;
    sg_status status = SG_OK;
    while (status == SG_OK) {
        sg_value item;
        bool done = false;
        status = sg_iterate(vm, source, &at, &item, &done);
        if (status != SG_OK || done)
            break;
        bool pair =
            (sg_is(item, SG_OBJ_PAIR) || sg_is(item, SG_OBJ_TUPLE)) && ((sg_tuple *)item.o)->n == 2;
        if (!pair)
            status = SG_RAISE_ARGUMENT(vm, args, "a dictionary is made of pairs key => value");
        else if (!sg_dict_put(vm, dict, ((sg_tuple *)item.o)->items[0],
                              ((sg_tuple *)item.o)->items[1], args->span))
            status = SG_ERR_MEMORY;
    }
    sg_root_pop(vm, mark);
    return status;
}

static sg_status native_dict(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    sg_dict *dict = sg_dict_make(vm, (sg_sym){0});
    if (!dict)
        return SG_ERR_MEMORY;
    sg_status status = SG_OK;
    for (uint32_t i = 0; i < args->n && status == SG_OK; i++)
        status = put_pairs(vm, args, dict, args->v[i]);
    for (uint32_t i = 0; i < args->n_kw && status == SG_OK; i++)
        if (!sg_dict_put(vm, dict, sg_symbol(args->kw[i]), args->kwv[i], args->span))
            status = SG_ERR_MEMORY;
    *out = sg_object(dict);
    return status;
}

// A Set is a dictionary from its items to nothing.
static sg_status native_set(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    sg_dict *dict = sg_dict_make(vm, (sg_sym){0});
    sg_array *items = dict && args->n ? sg_collect(vm, args->v[0]) : NULL;
    if (!dict || (args->n && !items))
        return SG_ERR_MODEL;
    for (size_t i = 0; items && i < items->len; i++)
        if (!sg_dict_put(vm, dict, sg_array_get(items, i), SG_VALUE_NOTHING, args->span))
            return SG_ERR_MEMORY;
    *out = sg_object(dict);
    return SG_OK;
}

static sg_status native_haskey(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "haskey", 2, 2) != SG_OK)
        return SG_ERR_MODEL;
    sg_value value;
    if (sg_is(args->v[0], SG_OBJ_NAMED_TUPLE)) {
        bool found = sg_index(vm, args->v[0], args->v + 1, 1, &value) == SG_OK;
        vm->exception = (sg_value){.tag = SG_UNDEF};
        *out = sg_bool(found);
        return SG_OK;
    }
    sg_dict *dict = NULL;
    if (dict_arg(vm, args, "haskey", &dict) != SG_OK)
        return SG_ERR_MODEL;
    bool class_ = args->v[1].tag == SG_SYMBOL && dict->class_.i &&
                  args->v[1].sym.i == sg_runtime_of(vm)->names.class_.i;
    *out = sg_bool(class_ || sg_dict_get(dict, args->v[1], &value));
    return SG_OK;
}

// get(d, k, default), get!(d, k, default); with a function first, it makes the default.
static sg_status native_get(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    bool store = context != NULL;
    if (sg_args_check_count(vm, args, store ? "get!" : "get", 3, 3) != SG_OK)
        return SG_ERR_MODEL;
    bool lazy = sg_is(args->v[0], SG_OBJ_CLOSURE) || sg_is(args->v[0], SG_OBJ_FUNCTION);
    sg_value base = args->v[lazy ? 1 : 0], key = args->v[lazy ? 2 : 1];
    if (sg_is(base, SG_OBJ_DICT) && sg_dict_get((sg_dict *)base.o, key, out))
        return SG_OK;
    if (!sg_is(base, SG_OBJ_DICT)) {
        if (sg_index(vm, base, &key, 1, out) == SG_OK)
            return SG_OK;
        vm->exception = (sg_value){.tag = SG_UNDEF};
    }
    sg_status status = SG_OK;
    *out = args->v[2];
    if (lazy)
        status = sg_call_values(vm, args->v[0], NULL, 0, out);
    if (status == SG_OK && store && sg_is(base, SG_OBJ_DICT) &&
        !sg_dict_put(vm, (sg_dict *)base.o, key, *out, args->span))
        status = SG_ERR_MEMORY;
    return status;
}

typedef enum dict_part { KEYS, VALUES, PAIRS } dict_part;

static sg_status native_keys(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    static const char *const names[] = {"keys", "values", "pairs"};
    dict_part which = (dict_part)(uintptr_t)context;
    if (sg_args_check_count(vm, args, names[which], 1, 1) != SG_OK)
        return SG_ERR_MODEL;
    sg_value v = args->v[0];
    sg_array *list = sg_vector_make(vm, SG_ELEM_ANY, 0);
    if (!list)
        return SG_ERR_MEMORY;
    *out = sg_object(list);
    if (sg_is(v, SG_OBJ_DICT)) {
        size_t at = 0;
        sg_dict_entry entry;
        while (sg_dict_next((sg_dict *)v.o, &at, &entry)) {
            sg_value item = which == KEYS     ? entry.key
                            : which == VALUES ? entry.value
                                              : sg_pair_make(vm, entry.key, entry.value);
            if (!sg_array_push(vm, list, item))
                return SG_ERR_MEMORY;
        }
        return SG_OK;
    }
    if (sg_is(v, SG_OBJ_NAMED_TUPLE)) {
        const sg_tuple *tuple = (const sg_tuple *)v.o;
        for (uint32_t i = 0; i < tuple->n; i++) {
            sg_value key = sg_symbol(tuple->names[i]);
            sg_value item = which == KEYS     ? key
                            : which == VALUES ? tuple->items[i]
                                              : sg_pair_make(vm, key, tuple->items[i]);
            if (!sg_array_push(vm, list, item))
                return SG_ERR_MEMORY;
        }
        return SG_OK;
    }
    int64_t n = sg_length(vm, v);
    if (which == KEYS && n >= 0) {
        *out = sg_range_make(vm, sg_int(1), sg_int(1), n);
        return SG_OK;
    }
    if (which == VALUES) {
        *out = v;
        return SG_OK;
    }
    sg_array *items = sg_collect(vm, v);
    for (size_t i = 0; items && i < items->len; i++)
        if (!sg_array_push(vm, list,
                           sg_pair_make(vm, sg_int((int64_t)i + 1), sg_array_get(items, i))))
            return SG_ERR_MEMORY;
    return items ? SG_OK : SG_ERR_MODEL;
}

static sg_status native_delete(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    sg_dict *dict = NULL;
    if (sg_args_check_count(vm, args, "delete!", 2, 2) != SG_OK ||
        dict_arg(vm, args, "delete!", &dict) != SG_OK)
        return SG_ERR_MODEL;
    sg_dict_remove(vm, dict, args->v[1]);
    *out = args->v[0];
    return SG_OK;
}

// merge(a, b, ...) of plain dictionaries and named tuples: later entries win.
static sg_status native_merge(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    bool in_place = context != NULL;
    if (sg_args_check_count(vm, args, "merge", 1, UINT32_MAX) != SG_OK)
        return SG_ERR_MODEL;
    sg_dict *dict = NULL;
    bool named = sg_is(args->v[0], SG_OBJ_NAMED_TUPLE);
    if (in_place)
        dict_arg(vm, args, "merge!", &dict);
    else if (sg_is(args->v[0], SG_OBJ_DICT))
        dict = sg_dict_copy(vm, (sg_dict *)args->v[0].o);
    else
        dict = sg_dict_make(vm, (sg_sym){0});
    if (!dict)
        return SG_ERR_MODEL;
    sg_status status = SG_OK;
    for (uint32_t i = in_place ? 1 : 0; i < args->n && status == SG_OK; i++)
        status = put_pairs(vm, args, dict, args->v[i]);
    *out = sg_object(dict);
    if (status == SG_OK && named) {
        sg_value item = sg_object(dict);
        return sg_build_hook(vm, 7 /* SG_BUILD_NAMED_TUPLE */, 0, &item, 1, out);
    }
    return status;
}

// ---- tuples and copies --------------------------------------------------------------------------

static sg_status native_tuple(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    bool convert = context != NULL; // Tuple(x) spreads its argument
    const sg_value *items = args->v;
    uint32_t n = args->n;
    sg_array *list = NULL;
    if (convert && args->n == 1) {
        list = sg_collect(vm, args->v[0]);
        if (!list || (list->elem != SG_ELEM_ANY && !sg_array_widen(vm, list, SG_ELEM_ANY)))
            return SG_ERR_MODEL;
        items = list->v;
        n = (uint32_t)list->len;
    }
    sg_tuple *tuple = sg_tuple_make(vm, n);
    if (!tuple)
        return SG_ERR_MEMORY;
    if (n)
        memcpy(tuple->items, items, n * sizeof(sg_value));
    *out = sg_object(tuple);
    return SG_OK;
}

static sg_status native_pair(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "Pair", 2, 2) != SG_OK)
        return SG_ERR_MODEL;
    *out = sg_pair_make(vm, args->v[0], args->v[1]);
    return SG_OK;
}

// The first or last n characters.
static sg_value end_of_text(sg_vm *vm, const sg_string *s, int64_t n, bool last)
{
    size_t at = last ? s->len : 0;
    for (; n > 0 && (last ? at > 0 : at < s->len); n--) {
        do // over the further bytes of a character
            at = last ? at - 1 : at + 1;
        while (at > 0 && at < s->len && ((unsigned char)s->text[at] & 0xC0) == 0x80);
    }
    return sg_object(last ? sg_string_make(vm, s->text + at, s->len - at)
                          : sg_string_make(vm, s->text, at));
}

static sg_status native_first(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    bool last = context != NULL;
    if (sg_args_check_count(vm, args, last ? "last" : "first", 1, 2) != SG_OK)
        return SG_ERR_MODEL;
    sg_value v = args->v[0];
    if (args->n == 2) { // the first or last n
        int64_t n, have;
        if (sg_arg_int(vm, args, 1, &n) != SG_OK)
            return SG_ERR_MODEL;
        if (n < 0)
            return SG_RAISE_ARGUMENT(vm, args, "%lld elements cannot be taken", (long long)n);
        if (sg_is(v, SG_OBJ_STRING)) {
            *out = end_of_text(vm, (const sg_string *)v.o, n, last);
            return SG_OK;
        }
        sg_array *items = sg_collect(vm, v);
        if (!items)
            return SG_ERR_MODEL;
        have = (int64_t)items->len;
        if (n > have)
            n = have;
        sg_value at = sg_range_make(vm, sg_int(last ? have - n + 1 : 1), sg_int(1), n);
        sg_array *narrow = sg_array_narrow(vm, items);
        return narrow ? sg_index(vm, sg_object(narrow), &at, 1, out) : SG_ERR_MEMORY;
    }
    if (last && sg_is_sequence(v) && sg_length(vm, v) > 0) {
        sg_value at = sg_int(sg_length(vm, v));
        return sg_index(vm, v, &at, 1, out);
    }
    int64_t at = 0;
    bool done = false, any = false;
    sg_value item = SG_VALUE_NOTHING;
    for (;;) {
        sg_value next;
        sg_status status = sg_iterate(vm, v, &at, &next, &done);
        if (status != SG_OK)
            return status;
        if (done)
            break;
        item = next;
        any = true;
        if (!last)
            break;
    }
    if (!any)
        return SG_RAISE_ARGUMENT(vm, args, "the collection is empty");
    *out = item;
    return SG_OK;
}

static sg_status deep_copy(sg_vm *vm, sg_value v, sg_value *out);

static sg_status deep_copy_object(sg_vm *vm, sg_value v, sg_value *out)
{
    sg_status status = SG_OK;
    switch ((int)v.o->kind) {
    case SG_OBJ_ARRAY: {
        sg_array *copy = sg_array_clone(vm, (sg_array *)v.o);
        if (!copy)
            return SG_ERR_MEMORY;
        for (size_t i = 0; copy->elem == SG_ELEM_ANY && i < copy->len && status == SG_OK; i++)
            status = deep_copy(vm, copy->v[i], &copy->v[i]);
        *out = sg_object(copy);
        return status;
    }
    case SG_OBJ_DICT: {
        sg_dict *copy = sg_dict_make(vm, ((sg_dict *)v.o)->class_);
        size_t at = 0;
        sg_dict_entry entry;
        while (copy && status == SG_OK && sg_dict_next((sg_dict *)v.o, &at, &entry)) {
            sg_value value;
            status = deep_copy(vm, entry.value, &value);
            if (status == SG_OK && !sg_dict_put(vm, copy, entry.key, value, entry.span))
                status = SG_ERR_MEMORY;
        }
        *out = sg_object(copy);
        return copy ? status : SG_ERR_MEMORY;
    }
    case SG_OBJ_STRUCT: {
        const sg_struct *s = (const sg_struct *)v.o;
        sg_struct *copy = sg_heap_new(vm, SG_OBJ_STRUCT, sizeof *s + s->n * sizeof(sg_value));
        if (!copy)
            return SG_ERR_MEMORY;
        copy->type = s->type;
        copy->n = s->n;
        for (uint32_t i = 0; i < s->n && status == SG_OK; i++)
            status = deep_copy(vm, s->fields[i], &copy->fields[i]);
        *out = sg_object(copy);
        return status;
    }
    case SG_OBJ_TUPLE: {
        const sg_tuple *t = (const sg_tuple *)v.o;
        sg_tuple *copy = sg_tuple_make(vm, t->n);
        for (uint32_t i = 0; copy && i < t->n && status == SG_OK; i++)
            status = deep_copy(vm, t->items[i], &copy->items[i]);
        *out = sg_object(copy);
        return copy ? status : SG_ERR_MEMORY;
    }
    default:
        return SG_OK;
    }
}

static sg_status deep_copy(sg_vm *vm, sg_value v, sg_value *out)
{
    *out = v;
    if (v.tag != SG_OBJECT)
        return SG_OK;
    if (!sg_nest_begin(vm))
        return SG_ERR_MODEL;
    sg_status status = deep_copy_object(vm, v, out);
    sg_nest_end(vm);
    return status;
}

static sg_status native_copy(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    bool deep = context != NULL;
    if (sg_args_check_count(vm, args, deep ? "deepcopy" : "copy", 1, 1) != SG_OK)
        return SG_ERR_MODEL;
    sg_value v = args->v[0];
    if (deep)
        return deep_copy(vm, v, out);
    *out = v;
    if (sg_is(v, SG_OBJ_ARRAY))
        *out = sg_object(sg_array_clone(vm, (sg_array *)v.o));
    else if (sg_is(v, SG_OBJ_DICT)) {
        sg_dict *copy = sg_dict_copy(vm, (sg_dict *)v.o);
        if (copy)
            copy->head.flags = v.o->flags; // a plain copy shares inner dictionaries knowingly
        *out = sg_object(copy);
    }
    return SG_OK;
}

// ---- iterators ----------------------------------------------------------------------------------

static sg_status native_zip(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    bool counted = context != NULL;
    if (sg_args_check_count(vm, args, counted ? "enumerate" : "zip", 1, counted ? 1 : 16) != SG_OK)
        return SG_ERR_MODEL;
    *out = sg_zip_make(vm, args->v, args->n, counted);
    return SG_OK;
}

static sg_status native_collect(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "collect", 1, 2) != SG_OK)
        return SG_ERR_MODEL;
    sg_value v = args->v[args->n - 1];
    if (sg_is_sequence(v)) {
        sg_array *array = sg_as_array(vm, v);
        array = array ? sg_array_clone(vm, array) : NULL;
        *out = sg_object(array);
        return array ? SG_OK : SG_ERR_MEMORY;
    }
    sg_array *list = sg_collect(vm, v);
    *out = sg_object(list ? sg_array_narrow(vm, list) : NULL);
    return list ? SG_OK : SG_ERR_MODEL;
}

static sg_status native_rest(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    sg_array *list = sg_collect(vm, args->v[0]);
    int64_t skip = 0;
    if (!list || sg_arg_int(vm, args, 1, &skip) != SG_OK)
        return SG_ERR_MODEL;
    size_t n = list->len > (size_t)skip ? list->len - (size_t)skip : 0;
    if (sg_is(args->v[0], SG_OBJ_TUPLE)) {
        sg_tuple *tuple = sg_tuple_make(vm, (uint32_t)n);
        for (size_t i = 0; tuple && i < n; i++)
            tuple->items[i] = sg_array_get(list, (size_t)skip + i);
        *out = sg_object(tuple);
        return SG_OK;
    }
    sg_array *rest = sg_vector_make(vm, SG_ELEM_ANY, n);
    for (size_t i = 0; rest && i < n; i++)
        rest->v[i] = sg_array_get(list, (size_t)skip + i);
    *out = sg_object(rest ? sg_array_narrow(vm, rest) : NULL);
    return SG_OK;
}

// union, intersect, setdiff, unique: in order of first appearance.
typedef enum set_op { UNION, INTERSECT, SETDIFF, UNIQUE } set_op;

static sg_status native_set_op(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    set_op which = (set_op)(uintptr_t)context;
    sg_dict *seen = sg_dict_make(vm, (sg_sym){0});
    sg_array *result = sg_vector_make(vm, SG_ELEM_ANY, 0);
    if (!seen || !result || !args->n)
        return SG_RAISE_ARGUMENT(vm, args, "expected collections");
    sg_value ignored;
    if (which == INTERSECT || which == SETDIFF) {
        for (uint32_t i = 1; i < args->n; i++) {
            sg_array *other = sg_collect(vm, args->v[i]);
            for (size_t k = 0; other && k < other->len; k++)
                if (!sg_dict_put(vm, seen, sg_array_get(other, k), SG_VALUE_NOTHING, args->span))
                    return SG_ERR_MEMORY;
            if (!other)
                return SG_ERR_MODEL;
        }
    }
    for (uint32_t i = 0; i < (which == UNION ? args->n : 1); i++) {
        sg_array *items = sg_collect(vm, args->v[i]);
        for (size_t k = 0; items && k < items->len; k++) {
            sg_value item = sg_array_get(items, k);
            bool known = sg_dict_get(seen, item, &ignored);
            if (known == (which == INTERSECT) && !sg_array_push(vm, result, item))
                return SG_ERR_MEMORY;
            if (which == INTERSECT ? sg_dict_remove(vm, seen, item) && false
                                   : !sg_dict_put(vm, seen, item, SG_VALUE_NOTHING, args->span))
                return SG_ERR_MEMORY;
        }
        if (!items)
            return SG_ERR_MODEL;
    }
    *out = sg_object(sg_array_narrow(vm, result));
    return SG_OK;
}

bool sg_register_collections(sg_vm *vm)
{
    static const sg_builtin_form list[] = {{"Dict", native_dict, 0},
                                           {"OrderedDict", native_dict, 0},
                                           {"Set", native_set, 0},
                                           {"haskey", native_haskey, 0},
                                           {"get", native_get, 0},
                                           {"get!", native_get, 1},
                                           {"keys", native_keys, KEYS},
                                           {"values", native_keys, VALUES},
                                           {"pairs", native_keys, PAIRS},
                                           {"delete!", native_delete, 0},
                                           {"merge", native_merge, 0},
                                           {"merge!", native_merge, 1},
                                           {"tuple", native_tuple, 0},
                                           {"Pair", native_pair, 0},
                                           {"first", native_first, 0},
                                           {"last", native_first, 1},
                                           {"copy", native_copy, 0},
                                           {"deepcopy", native_copy, 1},
                                           {"enumerate", native_zip, 1},
                                           {"zip", native_zip, 0},
                                           {"collect", native_collect, 0},
                                           {"rest", native_rest, 0},
                                           {"union", native_set_op, UNION},
                                           {"∪", native_set_op, UNION},
                                           {"intersect", native_set_op, INTERSECT},
                                           {"∩", native_set_op, INTERSECT},
                                           {"setdiff", native_set_op, SETDIFF},
                                           {"unique", native_set_op, UNIQUE}};
    if (!sg_register_forms(vm, list, SG_COUNT(list)))
        return false;
    // Tuple(x) is called with the type as context, which is not null.
    return sg_vm_offer(vm, NULL, "Tuple", native_tuple, vm, NULL);
}
