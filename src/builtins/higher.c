// Functions over collections: map, filter, reductions, searching.
//
// Whatever calls a function of the script may collect the heap, so intermediate lists are rooted.
#include "builtins/subjects.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool callable(sg_value v)
{
    return sg_is(v, SG_OBJ_FUNCTION) || sg_is(v, SG_OBJ_CLOSURE) || sg_is(v, SG_OBJ_TYPE) ||
           sg_is(v, SG_OBJ_STRUCT) || (sg_is(v, SG_OBJ_NATIVE) && ((sg_native *)v.o)->class_->call);
}

static sg_status check_callable(sg_vm *vm, const sg_args *args, const char *name)
{
    if (args->n && callable(args->v[0]))
        return SG_OK;
    return SG_RAISE_ARGUMENT(vm, args, "the first argument of %s must be a function", name);
}

// ---- map, filter, foreach -----------------------------------------------------------------------

static sg_status native_map(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    bool discard = context != NULL; // foreach
    if (sg_args_check_count(vm, args, "map", 2, 9) != SG_OK ||
        check_callable(vm, args, discard ? "foreach" : "map") != SG_OK)
        return SG_ERR_MODEL;
    uint32_t n = args->n - 1;
    int64_t at[8] = {0};
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_array *list = sg_vector_make(vm, SG_ELEM_ANY, 0);
    if (!list)
        return SG_ERR_MEMORY;
    sg_root_push(vm, sg_object(list));
    sg_status status = SG_OK;
    for (;;) {
        sg_value items[8], result;
        bool done = false;
        sg_root_mark inner = sg_root_mark_get(vm);
        for (uint32_t i = 0; i < n && status == SG_OK && !done; i++) {
            status = sg_iterate(vm, args->v[1 + i], &at[i], &items[i], &done);
            if (status == SG_OK && !done)
                sg_root_push(vm, items[i]);
        }
        if (status == SG_OK && !done)
            status = sg_call_values(vm, args->v[0], items, n, &result);
        sg_root_pop(vm, inner);
        if (status != SG_OK || done)
            break;
        if (!discard && !sg_array_push(vm, list, result))
            status = SG_ERR_MEMORY;
    }
    sg_root_pop(vm, mark);
    *out = SG_VALUE_NOTHING;
    if (status != SG_OK || discard)
        return status;
    if (sg_is(args->v[1], SG_OBJ_TUPLE) && n == 1) {
        sg_tuple *tuple = sg_tuple_make(vm, (uint32_t)list->len);
        for (size_t i = 0; tuple && i < list->len; i++)
            tuple->items[i] = sg_array_get(list, i);
        *out = sg_object(tuple);
        return SG_OK;
    }
    sg_array *result = sg_array_narrow(vm, list);
    if (result && n == 1 && sg_is(args->v[1], SG_OBJ_ARRAY)) { // the shape is kept
        const sg_array *source = (const sg_array *)args->v[1].o;
        if (source->len == result->len) {
            result->ndims = source->ndims;
            memcpy(result->dims, source->dims, sizeof result->dims);
            result->head.flags |= (uint16_t)(source->head.flags & SG_ARRAY_STATIC);
        }
    }
    *out = sg_object(result);
    return SG_OK;
}

static sg_status native_filter(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    bool in_place = context != NULL;
    if (sg_args_check_count(vm, args, "filter", 2, 2) != SG_OK ||
        check_callable(vm, args, "filter") != SG_OK)
        return SG_ERR_MODEL;
    sg_value source = args->v[1];
    bool dict = sg_is(source, SG_OBJ_DICT);
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_array *list = sg_vector_make(vm, SG_ELEM_ANY, 0);
    sg_dict *kept = dict ? sg_dict_make(vm, ((sg_dict *)source.o)->class_) : NULL;
    if (!list || (dict && !kept))
        return SG_ERR_MEMORY;
    sg_root_push(vm, sg_object(list));
    if (kept)
        sg_root_push(vm, sg_object(kept));
    int64_t at = 0;
    sg_status status = SG_OK;
    while (status == SG_OK) {
        sg_value item, keep;
        bool done = false, truth = false;
        status = sg_iterate(vm, source, &at, &item, &done);
        if (status != SG_OK || done)
            break;
        sg_root_mark inner = sg_root_mark_get(vm);
        sg_root_push(vm, item);
        status = sg_call_values(vm, args->v[0], &item, 1, &keep);
        if (status == SG_OK)
            status = sg_truth(vm, keep, &truth);
        sg_root_pop(vm, inner);
        if (status != SG_OK || !truth)
            continue;
        bool ok = dict ? sg_dict_put(vm, kept, ((sg_tuple *)item.o)->items[0],
                                     ((sg_tuple *)item.o)->items[1], args->span)
                       : sg_array_push(vm, list, item);
        if (!ok)
            status = SG_ERR_MEMORY;
    }
    sg_root_pop(vm, mark);
    if (status != SG_OK)
        return status;
    if (dict) {
        *out = sg_object(kept);
    } else if (sg_is(source, SG_OBJ_STRING)) {
        sg_buf text;
        sg_buf_init(&text, vm->allocator);
        for (size_t i = 0; i < list->len; i++)
            sg_print_value(vm, NULL, sg_array_get(list, i), &text);
        *out = sg_object(sg_string_make(vm, sg_buf_text(&text), text.len));
        sg_buf_free(&text);
    } else {
        sg_array *result = sg_array_narrow(vm, list);
        if (in_place && result && sg_is(source, SG_OBJ_ARRAY)) {
            sg_array *array = (sg_array *)source.o;
            for (size_t i = 0; i < result->len; i++)
                sg_array_store(array, i, sg_array_get(result, i));
            array->len = array->dims[0] = result->len;
            result = array;
        }
        *out = sg_object(result);
    }
    return SG_OK;
}

// ---- reductions ---------------------------------------------------------------------------------

static sg_status native_reduce(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    int mode = (int)(uintptr_t)context; // 0 reduce, foldl; 1 foldr; 2 mapreduce
    static const char *const keywords[] = {"init"};
    if (sg_args_check_count(vm, args, "reduce", 2, 3) != SG_OK ||
        sg_args_check_keywords(vm, args, "reduce", keywords, 1) != SG_OK ||
        check_callable(vm, args, "reduce") != SG_OK)
        return SG_ERR_MODEL;
    const sg_value *init = sg_args_find(vm, args, "init");
    sg_value function = args->v[mode == 2 ? 1 : 0], source = args->v[args->n - 1];
    sg_array *items = sg_collect(vm, source);
    if (!items)
        return SG_ERR_MODEL;
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_root_push(vm, sg_object(items));
    sg_value total = init ? *init : SG_VALUE_NOTHING;
    bool have = init != NULL;
    sg_status status = SG_OK;
    for (size_t k = 0; k < items->len && status == SG_OK; k++) {
        sg_value item = sg_array_get(items, mode == 1 ? items->len - 1 - k : k);
        if (mode == 2)
            status = sg_call_values(vm, args->v[0], &item, 1, &item);
        if (status != SG_OK)
            break;
        if (!have) {
            total = item;
            have = true;
            continue;
        }
        sg_root_mark inner = sg_root_mark_get(vm);
        sg_root_push(vm, total);
        sg_root_push(vm, item);
        sg_value pair[2] = {mode == 1 ? item : total, mode == 1 ? total : item};
        status = sg_call_values(vm, function, pair, 2, &total);
        sg_root_pop(vm, inner);
    }
    sg_root_pop(vm, mark);
    if (status == SG_OK && !have)
        return SG_RAISE_ARGUMENT(vm, args, "reducing an empty collection needs init = value");
    *out = total;
    return status;
}

typedef enum fold { SUM, PROD, MAXIMUM, MINIMUM } fold;

static sg_status fold_two(sg_vm *vm, fold which, sg_value a, sg_value b, sg_value *out)
{
    if (which == SUM || which == PROD)
        return sg_binary(vm, which == SUM ? SG_OPER_ADD : SG_OPER_MUL, a, b, out);
    double x = 0, y = 0;
    if (sg_to_float(a, &x) && sg_to_float(b, &y) && (isnan(x) || isnan(y))) {
        *out = isnan(x) ? a : b;
        return SG_OK;
    }
    sg_value less;
    sg_status status =
        sg_binary(vm, SG_OPER_LT, which == MAXIMUM ? a : b, which == MAXIMUM ? b : a, &less);
    if (status == SG_OK)
        *out = less.tag == SG_BOOL && less.b ? b : a;
    return status;
}

// Sum, largest and smallest of a range of integers, however long it is. The sum wraps around as
// adding one by one would.
static bool fold_range(fold which, sg_value v, sg_value *out)
{
    const sg_range *r = sg_is(v, SG_OBJ_RANGE) ? (const sg_range *)v.o : NULL;
    if (!r || r->start.tag != SG_INT || r->step.tag != SG_INT)
        return false;
    if (r->len == 0 && (which == SUM || which == PROD)) {
        *out = sg_int(which == PROD);
        return true;
    }
    if (r->len == 0 || which == PROD)
        return false;
    uint64_t n = (uint64_t)r->len, first = (uint64_t)r->start.i, step = (uint64_t)r->step.i;
    uint64_t half = n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n; // n (n - 1) / 2
    int64_t last = (int64_t)(first + (n - 1) * step);
    bool up = r->step.i > 0;
    *out = which == SUM               ? sg_int((int64_t)(n * first + half * step))
           : (which == MAXIMUM) == up ? sg_int(last)
                                      : sg_int(r->start.i);
    return true;
}

// sum over one dimension of a matrix: sum(A, dims = 1)
static sg_status fold_dims(sg_vm *vm, fold which, const sg_array *a, int64_t dim, sg_value *out)
{
    if (a->ndims > 2 || dim < 1 || dim > 2)
        return sg_raise(vm, "ArgumentError", SG_E_UNSUPPORTED, (sg_span){0},
                        "dims must be 1 or 2 for a matrix");
    size_t rows = a->dims[0], cols = a->ndims == 2 ? a->dims[1] : 1;
    size_t dims[2] = {dim == 1 ? 1 : rows, dim == 1 ? cols : 1};
    sg_array *result = sg_array_make(vm, SG_ELEM_ANY, a->ndims, dims);
    sg_status status = result ? SG_OK : SG_ERR_MEMORY;
    for (size_t j = 0; j < cols && status == SG_OK; j++)
        for (size_t i = 0; i < rows && status == SG_OK; i++) {
            size_t k = dim == 1 ? j : i;
            sg_value item = sg_array_get(a, i + j * rows);
            bool first = dim == 1 ? i == 0 : j == 0;
            if (first)
                result->v[k] = item;
            else
                status = fold_two(vm, which, result->v[k], item, &result->v[k]);
        }
    *out = sg_object(result ? sg_array_narrow(vm, result) : NULL);
    return status;
}

static sg_status native_fold(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    static const char *const names[] = {"sum", "prod", "maximum", "minimum"};
    static const char *const keywords[] = {"init", "dims"};
    fold which = (fold)(uintptr_t)context;
    if (sg_args_check_count(vm, args, names[which], 1, 2) != SG_OK ||
        sg_args_check_keywords(vm, args, names[which], keywords, 2) != SG_OK ||
        (args->n == 2 && check_callable(vm, args, names[which]) != SG_OK))
        return SG_ERR_MODEL;
    sg_value source = args->v[args->n - 1];
    const sg_value *init = sg_args_find(vm, args, "init"), *dims = sg_args_find(vm, args, "dims");
    if (dims && dims->tag == SG_INT && sg_is(source, SG_OBJ_ARRAY))
        return fold_dims(vm, which, (sg_array *)source.o, dims->i, out);
    if (args->n == 1 && !init && fold_range(which, source, out))
        return SG_OK;
    sg_value total = init ? *init : SG_VALUE_NOTHING;
    bool have = init != NULL;
    int64_t at = 0;
    sg_status status = SG_OK;
    sg_root_mark mark = sg_root_mark_get(vm);
    while (status == SG_OK) {
        sg_value item;
        bool done = false;
        sg_root_pop(vm, mark);
        sg_root_push(vm, total);
        status = sg_iterate(vm, source, &at, &item, &done);
        if (status != SG_OK || done)
            break;
        if (args->n == 2)
            status = sg_call_values(vm, args->v[0], &item, 1, &item);
        if (status != SG_OK)
            break;
        if (!have) {
            total = which == SUM && item.tag == SG_BOOL ? sg_int(item.b) : item;
            have = true;
        } else {
            status = fold_two(vm, which, total, item, &total);
        }
    }
    sg_root_pop(vm, mark);
    if (status != SG_OK)
        return status;
    if (!have && (which == MAXIMUM || which == MINIMUM))
        return SG_RAISE_ARGUMENT(vm, args, "%s of an empty collection", names[which]);
    if (!have) {
        bool ints = sg_is(source, SG_OBJ_ARRAY) && ((sg_array *)source.o)->elem == SG_ELEM_INT;
        double zero = which == PROD;
        total = ints ? sg_int(which == PROD) : sg_float(zero);
    }
    *out = total;
    return SG_OK;
}

// max(a, b, ...), min(a, b, ...)
static sg_status native_max(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    fold which = (fold)(uintptr_t)context;
    if (sg_args_check_count(vm, args, which == MAXIMUM ? "max" : "min", 1, UINT32_MAX) != SG_OK)
        return SG_ERR_MODEL;
    sg_value result = args->v[0];
    bool any_float = result.tag == SG_FLOAT;
    sg_status status = SG_OK;
    for (uint32_t i = 1; i < args->n && status == SG_OK; i++) {
        any_float = any_float || args->v[i].tag == SG_FLOAT;
        status = fold_two(vm, which, result, args->v[i], &result);
    }
    if (any_float && result.tag == SG_INT)
        result = sg_float((double)result.i); // the result is of the promoted type
    *out = result;
    return status;
}

static sg_status native_extrema(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    sg_value lo, hi;
    sg_status status = native_fold(vm, args, (void *)(uintptr_t)MINIMUM, &lo);
    if (status == SG_OK)
        status = native_fold(vm, args, (void *)(uintptr_t)MAXIMUM, &hi);
    sg_tuple *tuple = status == SG_OK ? sg_tuple_make(vm, 2) : NULL;
    if (tuple) {
        tuple->items[0] = lo;
        tuple->items[1] = hi;
    }
    *out = sg_object(tuple);
    return status;
}

static sg_status native_mean(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    int mode = (int)(uintptr_t)context; // 0 mean, 1 var, 2 std
    static const char *const names[] = {"mean", "var", "std"};
    if (sg_args_check_count(vm, args, names[mode], 1, mode == 0 ? 2 : 1) != SG_OK)
        return SG_ERR_MODEL;
    sg_value sum;
    sg_status status = native_fold(vm, args, (void *)(uintptr_t)SUM, &sum);
    int64_t n = sg_length(vm, args->v[args->n - 1]);
    if (status != SG_OK || n < 1)
        return status != SG_OK ? status : SG_RAISE_ARGUMENT(vm, args, "mean of nothing");
    sg_value mean;
    status = sg_binary(vm, SG_OPER_DIV, sum, sg_int(n), &mean);
    if (status != SG_OK || mode == 0) {
        *out = mean;
        return status;
    }
    sg_array *a = sg_as_array(vm, args->v[0]);
    a = a ? sg_float_copy(vm, a) : NULL;
    if (!a)
        return SG_ERR_MODEL;
    double m = sg_quantity_number(mean), total = 0;
    for (size_t i = 0; i < a->len; i++)
        total += (a->f[i] - m) * (a->f[i] - m);
    double variance = total / (double)(n - 1);
    if (!a->unit) {
        *out = sg_float(mode == 1 ? variance : sqrt(variance));
        return SG_OK;
    }
    sg_value deviation = sg_quantity_make(sqrt(variance), a->unit);
    *out = deviation;
    return mode == 1 ? sg_binary(vm, SG_OPER_MUL, deviation, deviation, out) : SG_OK;
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Linear between the two neighbors of rank 1 + p (n - 1): type 7 of Hyndman and Fan, the default of
// Julia, R and NumPy.
static double quantile_of(const sg_array *sorted, double p)
{
    double at = p * (double)(sorted->len - 1), low = floor(at);
    size_t i = (size_t)low;
    double x = sorted->f[i];
    return at > low ? x + (at - low) * (sorted->f[i + 1] - x) : x;
}

static sg_status native_quantile(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    bool median = context != NULL;
    if (sg_args_check_count(vm, args, median ? "median" : "quantile", median ? 1 : 2,
                            median ? 1 : 2) != SG_OK)
        return SG_ERR_MODEL;
    sg_array *a = sg_as_array(vm, args->v[0]);
    sg_array *sorted = a && a->len ? sg_float_copy(vm, a) : NULL;
    sg_array *shares = !median && sg_is(args->v[1], SG_OBJ_ARRAY) ? (sg_array *)args->v[1].o : NULL;
    if (!sorted)
        return SG_RAISE_ARGUMENT(vm, args, "quantiles need a vector of numbers that is not empty");
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_root_push(vm, sg_object(sorted));
    for (size_t i = 0; i < sorted->len; i++)
        if (isnan(sorted->f[i]))
            return SG_RAISE_ARGUMENT(vm, args, "quantiles of numbers with a NaN are not defined");
    qsort(sorted->f, sorted->len, sizeof *sorted->f, compare_numbers);
    size_t n = shares ? shares->len : 1;
    sg_array *many = shares ? sg_vector_make(vm, SG_ELEM_FLOAT, n) : NULL;
    if (many)
        many->unit = sorted->unit;
    sg_status status = shares && !many ? SG_ERR_MEMORY : SG_OK;
    for (size_t i = 0; i < n && status == SG_OK; i++) {
        double p = 0.5;
        if ((shares && !sg_to_float(sg_array_get(shares, i), &p)) ||
            (!shares && !median && !sg_to_float(args->v[1], &p)) || !(p >= 0.0 && p <= 1.0)) {
            status = SG_RAISE_ARGUMENT(vm, args, "a share is a number from 0 to 1");
            break;
        }
        double x = quantile_of(sorted, p);
        if (many)
            many->f[i] = x;
        else
            *out = sorted->unit ? sg_quantity_make(x, sorted->unit) : sg_float(x);
    }
    if (many)
        *out = sg_object(many);
    sg_root_pop(vm, mark);
    return status;
}

// any, all, count: a predicate first, or a collection of Bools.
typedef enum quantifier { ANY, ALL, COUNT } quantifier;

static sg_status native_any(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    static const char *const names[] = {"any", "all", "count"};
    quantifier which = (quantifier)(uintptr_t)context;
    if (sg_args_check_count(vm, args, names[which], 1, 2) != SG_OK ||
        (args->n == 2 && check_callable(vm, args, names[which]) != SG_OK))
        return SG_ERR_MODEL;
    int64_t at = 0, count = 0;
    bool result = which == ALL;
    for (;;) {
        sg_value item;
        bool done = false, truth = false;
        sg_status status = sg_iterate(vm, args->v[args->n - 1], &at, &item, &done);
        if (status != SG_OK)
            return status;
        if (done)
            break;
        if (args->n == 2)
            status = sg_call_values(vm, args->v[0], &item, 1, &item);
        if (status == SG_OK)
            status = sg_truth(vm, item, &truth);
        if (status != SG_OK)
            return status;
        count += truth;
        if (which != COUNT && truth == (which == ANY)) {
            result = truth;
            break;
        }
    }
    *out = which == COUNT ? sg_int(count) : sg_bool(result);
    return SG_OK;
}

// ---- cumulative ---------------------------------------------------------------------------------

static sg_status native_cumsum(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    int mode = (int)(uintptr_t)context; // 0 cumsum, 1 cumprod, 2 diff
    sg_array *a = args->n ? sg_as_array(vm, args->v[0]) : NULL;
    if (!a)
        return SG_RAISE_ARGUMENT(vm, args, "expected a vector");
    size_t n = mode == 2 ? (a->len ? a->len - 1 : 0) : a->len;
    sg_array *result = sg_vector_make(vm, SG_ELEM_ANY, n);
    sg_status status = result ? SG_OK : SG_ERR_MEMORY;
    for (size_t i = 0; i < n && status == SG_OK; i++) {
        if (mode == 2)
            status = sg_binary(vm, SG_OPER_SUB, sg_array_get(a, i + 1), sg_array_get(a, i),
                               &result->v[i]);
        else if (i == 0)
            result->v[0] = sg_array_get(a, 0);
        else
            status = sg_binary(vm, mode ? SG_OPER_MUL : SG_OPER_ADD, result->v[i - 1],
                               sg_array_get(a, i), &result->v[i]);
    }
    *out = sg_object(result ? sg_array_narrow(vm, result) : NULL);
    return status;
}

// ---- reversing ----------------------------------------------------------------------------------
// ------------------------------------------------------------------------------------

static sg_status native_reverse(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    bool in_place = context != NULL;
    if (sg_args_check_count(vm, args, "reverse", 1, 1) != SG_OK)
        return SG_ERR_MODEL;
    sg_value v = args->v[0];
    sg_array *items = sg_collect(vm, v);
    if (!items)
        return SG_ERR_MODEL;
    size_t n = items->len;
    if (sg_is(v, SG_OBJ_STRING)) {
        sg_buf text;
        sg_buf_init(&text, vm->allocator);
        for (size_t i = n; i-- > 0;)
            sg_print_value(vm, NULL, sg_array_get(items, i), &text);
        *out = sg_object(sg_string_make(vm, sg_buf_text(&text), text.len));
        sg_buf_free(&text);
        return SG_OK;
    }
    if (sg_is(v, SG_OBJ_TUPLE)) {
        sg_tuple *tuple = sg_tuple_make(vm, (uint32_t)n);
        for (size_t i = 0; tuple && i < n; i++)
            tuple->items[i] = sg_array_get(items, n - 1 - i);
        *out = sg_object(tuple);
        return SG_OK;
    }
    sg_array *source = sg_as_array(vm, v);
    sg_array *result = source ? (in_place ? source : sg_array_clone(vm, source)) : NULL;
    for (size_t i = 0; result && i < n; i++)
        sg_array_store(result, i, sg_array_get(items, n - 1 - i));
    *out = sg_object(result);
    return result ? SG_OK : SG_ERR_MEMORY;
}

// ---- searching ----------------------------------------------------------------------------------

typedef enum find_mode { FIND_FIRST, FIND_LAST, FIND_ALL } find_mode;

static sg_status native_find(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    find_mode mode = (find_mode)(uintptr_t)context;
    if (sg_args_check_count(vm, args, "find", 1, 2) != SG_OK)
        return SG_ERR_MODEL;
    if (args->n == 2 && !callable(args->v[0])) {
        sg_value function = sg_module_get(vm->base, sg_vm_sym(vm, "_find_text"));
        return sg_call(vm, function, args, out);
    }
    sg_value source = args->v[args->n - 1];
    sg_array *items = sg_collect(vm, source);
    sg_array *found = items ? sg_vector_make(vm, SG_ELEM_INT, 0) : NULL;
    if (!found)
        return SG_ERR_MODEL;
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_root_push(vm, sg_object(items));
    sg_root_push(vm, sg_object(found));
    sg_status status = SG_OK;
    for (size_t k = 0; k < items->len && status == SG_OK; k++) {
        size_t i = mode == FIND_LAST ? items->len - 1 - k : k;
        sg_value item = sg_array_get(items, i);
        bool truth = false;
        if (args->n == 2)
            status = sg_call_values(vm, args->v[0], &item, 1, &item);
        if (status == SG_OK)
            status = sg_truth(vm, item, &truth);
        if (status == SG_OK && truth) {
            if (!sg_array_push(vm, found, sg_int((int64_t)i + 1)))
                status = SG_ERR_MEMORY;
            if (mode != FIND_ALL)
                break;
        }
    }
    sg_root_pop(vm, mark);
    *out = mode == FIND_ALL ? sg_object(found)
           : found->len     ? sg_int(found->n[0])
                            : SG_VALUE_NOTHING;
    return status;
}

static sg_status native_argmax(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    int mode = (int)(uintptr_t)context; // bit 0: min; bit 1: value too
    sg_array *items = args->n ? sg_collect(vm, args->v[0]) : NULL;
    if (!items)
        return SG_ERR_MODEL;
    if (!items->len)
        return SG_RAISE_ARGUMENT(vm, args, "the collection is empty");
    size_t best = 0;
    sg_status status = SG_OK;
    for (size_t i = 1; i < items->len && status == SG_OK; i++) {
        sg_value a = sg_array_get(items, mode & 1 ? i : best),
                 b = sg_array_get(items, mode & 1 ? best : i);
        if (sg_less(vm, a, b, &status))
            best = i;
    }
    *out = sg_int((int64_t)best + 1);
    if (mode & 2) {
        sg_tuple *tuple = sg_tuple_make(vm, 2);
        if (!tuple)
            return SG_ERR_MEMORY;
        tuple->items[0] = sg_array_get(items, best);
        tuple->items[1] = *out;
        *out = sg_object(tuple);
    }
    return status;
}

static sg_status native_ifelse(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    bool truth = false;
    if (sg_args_check_count(vm, args, "ifelse", 3, 3) != SG_OK ||
        sg_truth(vm, args->v[0], &truth) != SG_OK)
        return SG_ERR_MODEL;
    *out = args->v[truth ? 1 : 2];
    return SG_OK;
}

static sg_status native_ntuple(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    int64_t n = 0;
    if (sg_args_check_count(vm, args, "ntuple", 2, 2) != SG_OK ||
        sg_arg_int(vm, args, 1, &n) != SG_OK || check_callable(vm, args, "ntuple") != SG_OK)
        return SG_ERR_MODEL;
    sg_tuple *tuple = sg_tuple_make(vm, n < 0 ? 0 : (uint32_t)n);
    if (!tuple)
        return SG_ERR_MEMORY;
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_root_push(vm, sg_object(tuple));
    sg_status status = SG_OK;
    for (uint32_t i = 0; i < tuple->n && status == SG_OK; i++) {
        sg_value at = sg_int(i + 1);
        status = sg_call_values(vm, args->v[0], &at, 1, &tuple->items[i]);
    }
    sg_root_pop(vm, mark);
    *out = sg_object(tuple);
    return status;
}

bool sg_register_higher_order(sg_vm *vm)
{
    static const sg_builtin_form list[] = {{"map", native_map, 0},
                                           {"foreach", native_map, 1},
                                           {"filter", native_filter, 0},
                                           {"filter!", native_filter, 1},
                                           {"reduce", native_reduce, 0},
                                           {"foldl", native_reduce, 0},
                                           {"foldr", native_reduce, 1},
                                           {"mapreduce", native_reduce, 2},
                                           {"sum", native_fold, SUM},
                                           {"prod", native_fold, PROD},
                                           {"maximum", native_fold, MAXIMUM},
                                           {"minimum", native_fold, MINIMUM},
                                           {"max", native_max, MAXIMUM},
                                           {"min", native_max, MINIMUM},
                                           {"extrema", native_extrema, 0},
                                           {"mean", native_mean, 0},
                                           {"quantile", native_quantile, 0},
                                           {"median", native_quantile, 1},
                                           {"var", native_mean, 1},
                                           {"std", native_mean, 2},
                                           {"any", native_any, ANY},
                                           {"all", native_any, ALL},
                                           {"count", native_any, COUNT},
                                           {"cumsum", native_cumsum, 0},
                                           {"cumprod", native_cumsum, 1},
                                           {"diff", native_cumsum, 2},
                                           {"reverse", native_reverse, 0},
                                           {"reverse!", native_reverse, 1},
                                           {"findfirst", native_find, FIND_FIRST},
                                           {"findlast", native_find, FIND_LAST},
                                           {"findall", native_find, FIND_ALL},
                                           {"argmax", native_argmax, 0},
                                           {"argmin", native_argmax, 1},
                                           {"findmax", native_argmax, 2},
                                           {"findmin", native_argmax, 3},
                                           {"ifelse", native_ifelse, 0},
                                           {"ntuple", native_ntuple, 0}};
    return sg_register_forms(vm, list, SG_COUNT(list));
}
