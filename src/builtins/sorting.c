// Sorting of collections, by any order.
#include "builtins/subjects.h"

#include <string.h>

typedef struct sorting {
    sg_vm *vm;
    sg_value *keys;
    size_t *order, *scratch;
    sg_value less; // a function, or nothing
    bool reverse;
    sg_status status;
} sorting;

static bool comes_before(sorting *s, size_t a, size_t b)
{
    if (s->status != SG_OK)
        return false;
    sg_value x = s->keys[s->reverse ? b : a], y = s->keys[s->reverse ? a : b];
    if (s->less.tag == SG_NOTHING)
        return sg_less(s->vm, x, y, &s->status);
    sg_value pair[2] = {x, y}, result;
    bool truth = false;
    s->status = sg_call_values(s->vm, s->less, pair, 2, &result);
    if (s->status == SG_OK)
        s->status = sg_truth(s->vm, result, &truth);
    return truth;
}

// Merge sort: stable, and its number of comparisons does not depend on the data much.
static void merge_sort(sorting *s, size_t lo, size_t hi)
{
    if (hi - lo < 2 || s->status != SG_OK)
        return;
    size_t mid = lo + (hi - lo) / 2;
    merge_sort(s, lo, mid);
    merge_sort(s, mid, hi);
    size_t i = lo, j = mid, k = lo;
    while (i < mid && j < hi)
        s->scratch[k++] = comes_before(s, s->order[j], s->order[i]) ? s->order[j++] : s->order[i++];
    while (i < mid)
        s->scratch[k++] = s->order[i++];
    while (j < hi)
        s->scratch[k++] = s->order[j++];
    memcpy(s->order + lo, s->scratch + lo, (hi - lo) * sizeof(size_t));
    if (s->status == SG_OK)
        s->status = sg_vm_worked(s->vm, hi - lo);
}

typedef enum sort_mode { SORT, SORT_IN_PLACE, SORT_PERM } sort_mode;

static sg_status native_sort(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    sort_mode mode = (sort_mode)(uintptr_t)context;
    static const char *const keywords[] = {"by", "lt", "rev"};
    if (sg_args_check_count(vm, args, "sort", 1, 1) != SG_OK ||
        sg_args_check_keywords(vm, args, "sort", keywords, 3) != SG_OK)
        return SG_ERR_MODEL;
    const sg_value *by = sg_args_find(vm, args, "by"), *lt = sg_args_find(vm, args, "lt");
    const sg_value *rev = sg_args_find(vm, args, "rev");
    sg_array *items = sg_collect(vm, args->v[0]);
    if (!items)
        return SG_ERR_MODEL;
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_root_push(vm, sg_object(items));
    if (items->elem != SG_ELEM_ANY && !sg_array_widen(vm, items, SG_ELEM_ANY))
        return SG_ERR_MEMORY;
    sg_array *keys = items;
    size_t n = items->len;
    sorting s = {.vm = vm,
                 .less = lt ? *lt : SG_VALUE_NOTHING,
                 .reverse = rev && rev->tag == SG_BOOL && rev->b};
    if (by) {
        keys = sg_vector_make(vm, SG_ELEM_ANY, n);
        if (!keys)
            return SG_ERR_MEMORY;
        sg_root_push(vm, sg_object(keys));
        for (size_t i = 0; i < n && s.status == SG_OK; i++)
            s.status = sg_call_values(vm, *by, &items->v[i], 1, &keys->v[i]);
    }
    sg_array *order = sg_vector_make(vm, SG_ELEM_INT, n),
             *scratch = order ? sg_vector_make(vm, SG_ELEM_INT, n) : NULL;
    if (!scratch)
        return SG_ERR_MEMORY;
    sg_root_push(vm, sg_object(order));
    sg_root_push(vm, sg_object(scratch));
    s.keys = keys->v;
    s.order = (size_t *)(void *)order->n;
    s.scratch = (size_t *)(void *)scratch->n;
    for (size_t i = 0; i < n; i++)
        s.order[i] = i;
    if (s.status == SG_OK)
        merge_sort(&s, 0, n);
    sg_root_pop(vm, mark);
    if (s.status != SG_OK)
        return s.status;
    if (mode == SORT_PERM) {
        for (size_t i = 0; i < n; i++)
            order->n[i]++;
        *out = sg_object(order);
        return SG_OK;
    }
    sg_array *sorted = sg_vector_make(vm, SG_ELEM_ANY, n);
    if (!sorted)
        return SG_ERR_MEMORY;
    for (size_t i = 0; i < n; i++)
        sorted->v[i] = items->v[s.order[i]];
    if (mode == SORT_IN_PLACE && sg_is(args->v[0], SG_OBJ_ARRAY)) {
        sg_array *array = (sg_array *)args->v[0].o;
        for (size_t i = 0; i < n; i++)
            sg_array_store(array, i, sorted->v[i]);
        *out = args->v[0];
        return SG_OK;
    }
    *out = sg_object(sg_array_narrow(vm, sorted));
    return SG_OK;
}

static sg_status native_issorted(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    sg_array *items = args->n ? sg_collect(vm, args->v[0]) : NULL;
    if (!items)
        return SG_ERR_MODEL;
    sg_status status = SG_OK;
    bool sorted = true;
    for (size_t i = 1; i < items->len && sorted && status == SG_OK; i++)
        sorted = !sg_less(vm, sg_array_get(items, i), sg_array_get(items, i - 1), &status);
    *out = sg_bool(sorted);
    return status;
}

bool sg_register_sorting(sg_vm *vm)
{
    static const sg_builtin_form list[] = {{"sort", native_sort, SORT},
                                           {"sort!", native_sort, SORT_IN_PLACE},
                                           {"sortperm", native_sort, SORT_PERM},
                                           {"issorted", native_issorted, 0}};
    return sg_register_forms(vm, list, SG_COUNT(list));
}
