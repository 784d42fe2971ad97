// Operators as functions, functions made of functions.
#include "builtins/subjects.h"

#include <math.h>
#include <string.h>

// ==(3): a function that compares with 3.
typedef struct comparing {
    sg_operator op;
    sg_value with;
} comparing;

static void comparing_mark(sg_vm *vm, void *data) { sg_mark_value(vm, ((comparing *)data)->with); }

static void comparing_destroy(sg_vm *vm, void *data)
{
    sg_heap_resize(vm, data, sizeof(comparing), 0);
}

static sg_status comparing_call(sg_vm *vm, void *data, const sg_args *args, sg_value *out)
{
    const comparing *c = data;
    if (sg_args_check_count(vm, args, sg_operator_text(c->op), 1, 1) != SG_OK)
        return SG_ERR_MODEL;
    return sg_binary(vm, c->op, args->v[0], c->with, out);
}

static const sg_native_class comparing_class = {
    .name = "Fix2", .mark = comparing_mark, .destroy = comparing_destroy, .call = comparing_call};

sg_status sg_comparing_make(sg_vm *vm, sg_operator op, sg_value with, sg_value *out)
{
    comparing *c = sg_heap_resize(vm, NULL, 0, sizeof *c);
    if (!c)
        return SG_ERR_MEMORY;
    *c = (comparing){op, with};
    *out = sg_native_make(vm, &comparing_class, c);
    return SG_OK;
}

static sg_status native_operator(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    sg_operator op = (sg_operator)(uintptr_t)context;
    if (args->n_kw && sg_args_check_keywords(vm, args, sg_operator_text(op), NULL, 0) != SG_OK)
        return SG_ERR_MODEL;
    if (args->n == 1 &&
        ((op >= SG_OPER_EQ && op <= SG_OPER_GE) || op == SG_OPER_IN || op == SG_OPER_IDENTICAL))
        return sg_comparing_make(vm, op, args->v[0], out);
    if (args->n == 1) {
        if (op == SG_OPER_SUB)
            return sg_unary(vm, SG_OPER_NEG, args->v[0], out);
        if (op == SG_OPER_ADD)
            return sg_unary(vm, SG_OPER_POS, args->v[0], out);
        if (op == SG_OPER_NOT)
            return sg_unary(vm, op, args->v[0], out);
        if (op == SG_OPER_MUL || op == SG_OPER_OR || op == SG_OPER_AND) {
            *out = args->v[0];
            return SG_OK;
        }
    }
    uint32_t most = op == SG_OPER_ADD || op == SG_OPER_MUL || op == SG_OPER_OR || op == SG_OPER_AND
                        ? UINT32_MAX
                        : 2;
    if (sg_args_check_count(vm, args, sg_operator_text(op), 2, most) != SG_OK)
        return SG_ERR_MODEL;
    sg_value result = args->v[0];
    sg_status status = SG_OK;
    for (uint32_t i = 1; i < args->n && status == SG_OK; i++)
        status = sg_binary(vm, op, result, args->v[i], &result);
    *out = result;
    return status;
}

static sg_status negated(sg_vm *vm, const sg_args *args, sg_operator op, sg_value *out)
{
    sg_value result;
    sg_status status = sg_binary(vm, op, args->v[0], args->v[1], &result);
    return status == SG_OK ? sg_unary(vm, SG_OPER_NOT, result, out) : status;
}

static sg_status native_not_in(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "∉", 2, 2) != SG_OK)
        return SG_ERR_MODEL;
    return negated(vm, args, SG_OPER_IN, out);
}

static sg_status native_not_approx(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "≉", 2, 2) != SG_OK)
        return SG_ERR_MODEL;
    return negated(vm, args, SG_OPER_APPROX, out);
}

// f ∘ g: a function that calls g, then f.
typedef struct composed {
    sg_value outer, inner;
} composed;

static void composed_mark(sg_vm *vm, void *data)
{
    sg_mark_value(vm, ((composed *)data)->outer);
    sg_mark_value(vm, ((composed *)data)->inner);
}

static void composed_destroy(sg_vm *vm, void *data)
{
    sg_heap_resize(vm, data, sizeof(composed), 0);
}

static sg_status composed_call(sg_vm *vm, void *data, const sg_args *args, sg_value *out)
{
    const composed *c = data;
    sg_value between;
    sg_status status = sg_call(vm, c->inner, args, &between);
    return status == SG_OK ? sg_call_values(vm, c->outer, &between, 1, out) : status;
}

static const sg_native_class composed_class = {.name = "ComposedFunction",
                                               .mark = composed_mark,
                                               .destroy = composed_destroy,
                                               .call = composed_call};

static sg_status native_compose(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "∘", 2, 2) != SG_OK)
        return SG_ERR_MODEL;
    composed *c = sg_heap_resize(vm, NULL, 0, sizeof *c);
    if (!c)
        return SG_ERR_MEMORY;
    *c = (composed){args->v[0], args->v[1]};
    *out = sg_native_make(vm, &composed_class, c);
    return SG_OK;
}

static sg_status native_pipe(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "|>", 2, 2) != SG_OK)
        return SG_ERR_MODEL;
    if (args->v[1].tag == SG_UNIT) // 3u"km" |> u"m"
        return sg_to_unit(vm, args->v[0], args->v[1].aux, out);
    return sg_call_values(vm, args->v[1], args->v, 1, out);
}

static sg_status native_xor(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "xor", 2, 2) != SG_OK)
        return SG_ERR_MODEL;
    if (args->v[0].tag == SG_BOOL && args->v[1].tag == SG_BOOL) {
        *out = sg_bool(args->v[0].b != args->v[1].b);
        return SG_OK;
    }
    int64_t a = 0, b = 0;
    if (sg_arg_int(vm, args, 0, &a) != SG_OK || sg_arg_int(vm, args, 1, &b) != SG_OK)
        return SG_ERR_MODEL;
    *out = sg_int(a ^ b);
    return SG_OK;
}

// Of an element, where a .&& b and a .|| b are written. Both sides were evaluated before.
static sg_status logical(sg_vm *vm, const sg_args *args, bool ends_with, sg_value *out)
{
    bool left = false;
    if (sg_args_check_count(vm, args, ends_with ? "||" : "&&", 2, 2) != SG_OK)
        return SG_ERR_MODEL;
    sg_status status = sg_truth(vm, args->v[0], &left);
    *out = left == ends_with ? args->v[0] : args->v[1];
    return status;
}

static sg_status native_and(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    return logical(vm, args, false, out);
}

static sg_status native_or(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    return logical(vm, args, true, out);
}

bool sg_register_operators(sg_vm *vm)
{
    for (int i = 0; i < SG_OPER_COUNT; i++) {
        if (i == SG_OPER_NEG || i == SG_OPER_POS)
            continue; // the functions of the binary ones serve
        vm->operators[i] = sg_vm_register(vm, NULL, sg_operator_text((sg_operator)i),
                                          native_operator, (void *)(uintptr_t)i, NULL);
        if (!vm->operators[i])
            return false;
    }
    static const sg_builtin list[] = {{"∉", native_not_in, NULL}, {"≉", native_not_approx, NULL},
                                      {"|>", native_pipe, NULL},  {"∘", native_compose, NULL},
                                      {"xor", native_xor, NULL},  {"⊻", native_xor, NULL},
                                      {"&&", native_and, NULL},   {"||", native_or, NULL}};
    return sg_register_all(vm, list, SG_COUNT(list));
}
