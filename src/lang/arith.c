// Operators on scalars: numbers, strings, symbols, and the way to everything else.
#include "lang/runtime.h"

#include <math.h>
#include <string.h>

const char *sg_type_text(sg_vm *vm, sg_value value, sg_buf *buf)
{
    sg_buf_init(buf, vm->allocator);
    sg_type *type = sg_typeof(vm, value);
    if (type)
        sg_type_print(vm, type, buf);
    return sg_buf_text(buf);
}

sg_status sg_raise_operands(sg_vm *vm, sg_operator op, sg_value a, sg_value b)
{
    const char *sign = sg_operator_text(op);
    if (strcmp(sign, "±") == 0 || strcmp(sign, "∓") == 0)
        return sg_raise(vm, "MethodError", SG_E_UNSUPPORTED, (sg_span){0},
                        "'%s': numbers with uncertainty (Measurement, Particles) are not supported "
                        "yet; use the nominal value on its left",
                        sign);
    sg_buf ta, tb;
    sg_status status =
        sg_raise(vm, "MethodError", SG_E_METHOD, (sg_span){0}, "'%s' is not defined for %s and %s",
                 sg_operator_text(op), sg_type_text(vm, a, &ta), sg_type_text(vm, b, &tb));
    sg_buf_free(&ta);
    sg_buf_free(&tb);
    return status;
}

bool sg_to_float(sg_value v, double *out)
{
    switch ((sg_tag)v.tag) {
    case SG_BOOL:
        *out = v.b;
        return true;
    case SG_INT:
        *out = (double)v.i;
        return true;
    case SG_FLOAT:
    case SG_FLOAT32:
        *out = v.d;
        return true;
    case SG_UNDEF:
    case SG_NOTHING:
    case SG_MISSING:
    case SG_CHAR:
    case SG_SYMBOL:
    case SG_UNIT:
    case SG_QTY:
    case SG_QTY_INT:
    case SG_COLON:
    case SG_ENUM:
    case SG_OBJECT:
        break;
    }
    return false;
}

// ---- plain numbers ------------------------------------------------------------------------------

static sg_status divide_error(sg_vm *vm)
{
    return sg_raise(vm, "DivideError", SG_E_NUMBER, (sg_span){0}, "integer division by zero");
}

// The smallest integer has no negative.
static sg_status does_not_fit(sg_vm *vm, int64_t a)
{
    return sg_raise(vm, "DivideError", SG_E_NUMBER, (sg_span){0},
                    "%lld / -1 does not fit into an integer of 64 bits", (long long)a);
}

// a * 2^b and, for negative b, the other way round.
static int64_t shift(int64_t a, int64_t b)
{
    if (b >= 0)
        return b >= 64 ? 0 : (int64_t)((uint64_t)a << b);
    return a >> (b < -63 ? 63 : -b);
}

// Comparisons of two numbers a and b, as cases of a switch over operators.
#define COMPARISON(op, text)                                                                       \
    case op:                                                                                       \
        *out = sg_bool(a text b);                                                                  \
        return SG_OK;
#define COMPARISONS                                                                                \
    COMPARISON(SG_OPER_EQ, ==)                                                                     \
    COMPARISON(SG_OPER_NE, !=)                                                                     \
    COMPARISON(SG_OPER_LT, <)                                                                      \
    COMPARISON(SG_OPER_LE, <=)                                                                     \
    COMPARISON(SG_OPER_GT, >)                                                                      \
    COMPARISON(SG_OPER_GE, >=)

static sg_status int_binary(sg_vm *vm, sg_operator op, int64_t a, int64_t b, sg_value *out)
{
    switch ((int)op) {
    case SG_OPER_ADD:
        *out = sg_int((int64_t)((uint64_t)a + (uint64_t)b));
        return SG_OK;
    case SG_OPER_SUB:
        *out = sg_int((int64_t)((uint64_t)a - (uint64_t)b));
        return SG_OK;
    case SG_OPER_MUL:
        *out = sg_int((int64_t)((uint64_t)a * (uint64_t)b));
        return SG_OK;
    case SG_OPER_DIV:
        *out = sg_float((double)a / (double)b);
        return SG_OK;
    case SG_OPER_LDIV:
        *out = sg_float((double)b / (double)a);
        return SG_OK;
    case SG_OPER_POW: {
        if (b < 0) {
            *out = sg_float(pow((double)a, (double)b));
            return SG_OK;
        }
        uint64_t result = 1, factor = (uint64_t)a;
        for (uint64_t e = (uint64_t)b; e; e >>= 1) {
            if (e & 1)
                result *= factor;
            factor *= factor;
        }
        *out = sg_int((int64_t)result);
        return SG_OK;
    }
    case SG_OPER_REM:
    case SG_OPER_IDIV:
        if (!b)
            return divide_error(vm);
        if (b == -1 && a == INT64_MIN && op == SG_OPER_IDIV)
            return does_not_fit(vm, a);
        if (b == -1)
            *out = sg_int(op == SG_OPER_REM ? 0 : (int64_t)(0 - (uint64_t)a));
        else
            *out = sg_int(op == SG_OPER_REM ? a % b : a / b);
        return SG_OK;
    case SG_OPER_RATIONAL:
        if (!b)
            return divide_error(vm);
        if (b == -1 && a == INT64_MIN)
            return does_not_fit(vm, a);
        if (a % b)
            return sg_raise(vm, "ArgumentError", SG_E_UNSUPPORTED, (sg_span){0},
                            "rational numbers are not part of the language; write %lld/%lld",
                            (long long)a, (long long)b);
        *out = sg_int(a / b);
        return SG_OK;
    case SG_OPER_OR:
        *out = sg_int(a | b);
        return SG_OK;
    case SG_OPER_AND:
        *out = sg_int(a & b);
        return SG_OK;
    case SG_OPER_SHL:
        *out = sg_int(shift(a, b));
        return SG_OK;
    case SG_OPER_SHR:
        *out = sg_int(shift(a, b == INT64_MIN ? INT64_MAX : -b));
        return SG_OK;
        COMPARISONS
    default:
        return sg_raise_operands(vm, op, sg_int(a), sg_int(b));
    }
}

static sg_status float_binary(sg_vm *vm, sg_operator op, double a, double b, sg_value *out)
{
    switch ((int)op) {
    case SG_OPER_ADD:
        *out = sg_float(a + b);
        return SG_OK;
    case SG_OPER_SUB:
        *out = sg_float(a - b);
        return SG_OK;
    case SG_OPER_MUL:
        *out = sg_float(a * b);
        return SG_OK;
    case SG_OPER_DIV:
        *out = sg_float(a / b);
        return SG_OK;
    case SG_OPER_LDIV:
        *out = sg_float(b / a);
        return SG_OK;
    case SG_OPER_POW:
        if (a < 0 && b != floor(b) && isfinite(b))
            return sg_raise(vm, "DomainError", SG_E_NUMBER, (sg_span){0},
                            "a negative number cannot be raised to the power %g", b);
        *out = sg_float(b == 2 ? a * a : b == 3 ? a * a * a : pow(a, b));
        return SG_OK;
    case SG_OPER_REM:
        *out = sg_float(fmod(a, b));
        return SG_OK;
    case SG_OPER_IDIV:
        *out = sg_float(trunc(a / b));
        return SG_OK;
        COMPARISONS
    default:
        return sg_raise_operands(vm, op, sg_float(a), sg_float(b));
    }
}

static sg_status number_binary(sg_vm *vm, sg_operator op, sg_value a, sg_value b, sg_value *out)
{
    if (a.tag == SG_BOOL && b.tag == SG_BOOL && (op == SG_OPER_OR || op == SG_OPER_AND)) {
        *out = sg_bool(op == SG_OPER_OR ? a.b || b.b : a.b && b.b);
        return SG_OK;
    }
    if ((a.tag == SG_BOOL || a.tag == SG_INT) && (b.tag == SG_BOOL || b.tag == SG_INT))
        return int_binary(vm, op, a.tag == SG_BOOL ? a.b : a.i, b.tag == SG_BOOL ? b.b : b.i, out);
    double x = 0, y = 0;
    sg_to_float(a, &x);
    sg_to_float(b, &y);
    sg_status status = float_binary(vm, op, x, y, out);
    bool single =
        (a.tag == SG_FLOAT32 && b.tag != SG_FLOAT) || (b.tag == SG_FLOAT32 && a.tag != SG_FLOAT);
    if (status == SG_OK && single && out->tag == SG_FLOAT) {
        out->tag = SG_FLOAT32;
        out->d = (double)(float)out->d;
    }
    return status;
}

// ---- text and order -----------------------------------------------------------------------------

static int compare_strings(const sg_string *a, const sg_string *b)
{
    uint32_t n = a->len < b->len ? a->len : b->len;
    int order = memcmp(a->text, b->text, n);
    return order ? order : a->len < b->len ? -1 : a->len > b->len;
}

static bool order_result(sg_operator op, int order, sg_value *out)
{
    switch ((int)op) {
    case SG_OPER_LT:
        *out = sg_bool(order < 0);
        return true;
    case SG_OPER_LE:
        *out = sg_bool(order <= 0);
        return true;
    case SG_OPER_GT:
        *out = sg_bool(order > 0);
        return true;
    case SG_OPER_GE:
        *out = sg_bool(order >= 0);
        return true;
    default:
        return false;
    }
}

static void add_text(sg_vm *vm, sg_value v, sg_buf *out)
{
    sg_print_value(vm, sg_runtime_of(vm)->units, v, out);
}

static sg_status string_binary(sg_vm *vm, sg_operator op, sg_value a, sg_value b, sg_value *out)
{
    bool ta = sg_is(a, SG_OBJ_STRING) || a.tag == SG_CHAR;
    bool tb = sg_is(b, SG_OBJ_STRING) || b.tag == SG_CHAR;
    if (ta && tb && op == SG_OPER_MUL) {
        sg_buf text;
        sg_buf_init(&text, vm->allocator);
        add_text(vm, a, &text);
        add_text(vm, b, &text);
        *out = sg_object(sg_string_make(vm, sg_buf_text(&text), text.len));
        sg_buf_free(&text);
        return SG_OK;
    }
    if (sg_is(a, SG_OBJ_STRING) && b.tag == SG_INT && op == SG_OPER_POW) {
        const sg_string *s = (const sg_string *)a.o;
        uint64_t n = b.i < 0 ? 0 : (uint64_t)b.i;
        if (s->len && n > UINT32_MAX / 4 / s->len)
            return sg_raise(vm, "ArgumentError", SG_E_LIMIT, (sg_span){0},
                            "a string of this length does not fit into memory");
        sg_string *repeated = sg_string_make(vm, NULL, s->len * n);
        for (uint64_t i = 0; repeated && i < n; i++) {
            memcpy(repeated->text + i * s->len, s->text, s->len);
            if (sg_vm_worked(vm, 1 + s->len / 8) != SG_OK)
                return SG_ERR_LIMIT;
        }
        *out = sg_object(repeated);
        return SG_OK;
    }
    if (sg_is(a, SG_OBJ_STRING) && sg_is(b, SG_OBJ_STRING) &&
        order_result(op, compare_strings((sg_string *)a.o, (sg_string *)b.o), out))
        return SG_OK;
    if (a.tag == SG_CHAR && b.tag == SG_CHAR) {
        if (op == SG_OPER_SUB) {
            *out = sg_int(a.i - b.i);
            return SG_OK;
        }
        if (order_result(op, a.i < b.i ? -1 : a.i > b.i, out))
            return SG_OK;
    }
    if (a.tag == SG_CHAR && b.tag == SG_INT && (op == SG_OPER_ADD || op == SG_OPER_SUB)) {
        int64_t code;
        bool beyond = op == SG_OPER_ADD ? __builtin_add_overflow(a.i, b.i, &code)
                                        : __builtin_sub_overflow(a.i, b.i, &code);
        if (beyond || code < 0 || code > 0x10FFFF)
            return sg_raise(
                vm, "ArgumentError", SG_E_ARGUMENT, (sg_span){0},
                "the result is not the code of a character; codes go from 0 to 1114111");
        *out = (sg_value){.tag = SG_CHAR, .i = code};
        return SG_OK;
    }
    return sg_raise_operands(vm, op, a, b);
}

static bool tuple_less(sg_vm *vm, const sg_tuple *s, const sg_tuple *t, sg_status *status)
{
    for (uint32_t i = 0; i < s->n && i < t->n; i++) {
        if (sg_less(vm, s->items[i], t->items[i], status) || *status != SG_OK)
            return true;
        if (sg_less(vm, t->items[i], s->items[i], status) || *status != SG_OK)
            return false;
    }
    return s->n < t->n;
}

bool sg_less(sg_vm *vm, sg_value a, sg_value b, sg_status *status)
{
    *status = SG_OK;
    double x, y;
    if (sg_to_float(a, &x) && sg_to_float(b, &y))
        return isnan(y) ? !isnan(x) : x < y; // NaN is the largest
    if (a.tag == SG_MISSING || b.tag == SG_MISSING)
        return a.tag != SG_MISSING;
    if (a.tag == SG_SYMBOL && b.tag == SG_SYMBOL)
        return strcmp(sg_vm_text(vm, a.sym), sg_vm_text(vm, b.sym)) < 0;
    bool seq_a = sg_is(a, SG_OBJ_TUPLE) || sg_is(a, SG_OBJ_PAIR);
    if (seq_a && b.tag == SG_OBJECT && b.o->kind == a.o->kind) {
        if (!sg_nest_begin(vm)) {
            *status = SG_ERR_MODEL;
            return false;
        }
        bool less = tuple_less(vm, (const sg_tuple *)a.o, (const sg_tuple *)b.o, status);
        sg_nest_end(vm);
        return less;
    }
    sg_value out = SG_VALUE_NOTHING;
    *status = sg_binary(vm, SG_OPER_LT, a, b, &out);
    return *status == SG_OK && out.tag == SG_BOOL && out.b;
}

// ---- the rest -----------------------------------------------------------------------------------

// A number in a range of integers, without walking along it.
static bool range_contains(const sg_range *r, sg_value item)
{
    double x = item.tag == SG_INT ? (double)item.i : item.tag == SG_BOOL ? item.b : item.d;
    if (x != floor(x) || fabs(x) >= 0x1p63)
        return false;
    int64_t i = item.tag == SG_INT ? item.i : (int64_t)x;
    int64_t first = r->start.i, step = r->step.i;
    bool inside = step > 0 ? i >= first : i <= first;
    uint64_t way = step > 0 ? (uint64_t)i - (uint64_t)first : (uint64_t)first - (uint64_t)i;
    uint64_t stride = step > 0 ? (uint64_t)step : 0 - (uint64_t)step;
    return inside && way % stride == 0 && way / stride < (uint64_t)r->len;
}

static sg_status contains(sg_vm *vm, sg_value item, sg_value collection, sg_value *out)
{
    const sg_range *r = sg_is(collection, SG_OBJ_RANGE) ? (const sg_range *)collection.o : NULL;
    if (r && r->start.tag == SG_INT && r->step.tag == SG_INT && sg_is_plain_number(item)) {
        *out = sg_bool(range_contains(r, item));
        return SG_OK;
    }
    if (sg_is(collection, SG_OBJ_STRING) && item.tag == SG_CHAR) {
        sg_buf text;
        sg_buf_init(&text, vm->allocator);
        add_text(vm, item, &text);
        *out = sg_bool(strstr(((sg_string *)collection.o)->text, sg_buf_text(&text)) != NULL);
        sg_buf_free(&text);
        return SG_OK;
    }
    if (sg_is(collection, SG_OBJ_DICT) && sg_is(item, SG_OBJ_PAIR)) {
        sg_value value;
        const sg_tuple *pair = (const sg_tuple *)item.o;
        bool same = sg_dict_get((sg_dict *)collection.o, pair->items[0], &value);
        sg_status status = SG_OK;
        if (same)
            status = sg_value_equal(vm, value, pair->items[1], false, &same);
        *out = sg_bool(same);
        return status;
    }
    int64_t at = 0;
    for (;;) {
        sg_value value;
        bool done = false, same = false;
        sg_status status = sg_iterate(vm, collection, &at, &value, &done);
        if (status == SG_OK && !done)
            status = sg_value_equal(vm, item, value, false, &same);
        if (status != SG_OK)
            return status;
        if (done || same) {
            *out = sg_bool(!done);
            return SG_OK;
        }
    }
}

static sg_status approx(sg_vm *vm, sg_value a, sg_value b, sg_value *out)
{
    sg_value function = sg_module_get(vm->base, sg_vm_sym(vm, "isapprox"));
    sg_value args[2] = {a, b};
    return sg_call_values(vm, function, args, 2, out);
}

static bool is_array_like(sg_value v) { return sg_is(v, SG_OBJ_ARRAY) || sg_is(v, SG_OBJ_RANGE); }
static bool is_scalar(sg_value v) { return sg_is_plain_number(v) || sg_is_quantity(v); }

// Operators whose meaning does not depend on numbers; false when this is not one.
static bool general_binary(sg_vm *vm, sg_operator op, sg_value a, sg_value b, sg_value *out,
                           sg_status *status)
{
    *status = SG_OK;
    switch ((int)op) {
    case SG_OPER_IDENTICAL:
        *out = sg_bool(sg_value_identical(a, b));
        return true;
    case SG_OPER_NOT_IDENTICAL:
        *out = sg_bool(!sg_value_identical(a, b));
        return true;
    case SG_OPER_PAIR:
        *out = sg_pair_make(vm, a, b);
        return true;
    case SG_OPER_IN:
        *status = contains(vm, a, b, out);
        return true;
    case SG_OPER_APPROX:
        *status = approx(vm, a, b, out);
        return true;
    case SG_OPER_SUBTYPE:
        if (!sg_is(a, SG_OBJ_TYPE) || !sg_is(b, SG_OBJ_TYPE))
            *status = sg_raise(vm, "TypeError", SG_E_TYPE, (sg_span){0}, "'<:' compares types");
        else
            *out = sg_bool(sg_subtype((sg_type *)a.o, (sg_type *)b.o));
        return true;
    case SG_OPER_EQ:
    case SG_OPER_NE: {
        if (a.tag == SG_MISSING || b.tag == SG_MISSING) {
            *out = SG_VALUE_MISSING;
            return true;
        }
        if (is_scalar(a) && is_scalar(b))
            return false;
        bool same;
        if (sg_is(a, SG_OBJ_QUOTE) && sg_is(b, SG_OBJ_QUOTE))
            same = sg_ast_equal(((sg_quote *)a.o)->root, ((sg_quote *)b.o)->root);
        else
            *status = sg_value_equal(vm, a, b, false, &same);
        *out = sg_bool(same == (op == SG_OPER_EQ));
        return true;
    }
    case SG_OPER_OR:
        if (is_scalar(a) && is_scalar(b) && a.tag != SG_QTY && b.tag != SG_QTY)
            return false;
        *status = sg_merge(vm, a, b, out);
        return true;
    default:
        return false;
    }
}

// A method that the script added for its own types; the executor finds it by itself, sum and the
// like come here.
static bool user_operator(sg_vm *vm, sg_operator op, sg_value a, sg_value b, sg_value *out,
                          sg_status *status)
{
    const sg_function *function = vm->operators[op];
    if ((!sg_is(a, SG_OBJ_STRUCT) && !sg_is(b, SG_OBJ_STRUCT)) || !function || !function->n_methods)
        return false;
    sg_value args[2] = {a, b};
    if (!sg_function_pick(vm, function, args, 2))
        return false;
    *status = sg_call_values(vm, sg_object(vm->operators[op]), args, 2, out);
    return true;
}

sg_status sg_binary(sg_vm *vm, sg_operator op, sg_value a, sg_value b, sg_value *out)
{
    sg_status status;
    if (a.tag == SG_UNDEF || b.tag == SG_UNDEF)
        return sg_raise(vm, "UndefVarError", SG_E_NAME, (sg_span){0},
                        "a variable is used before it has a value");
    if (user_operator(vm, op, a, b, out, &status) || general_binary(vm, op, a, b, out, &status))
        return status;
    if (sg_is_plain_number(a) && sg_is_plain_number(b))
        return number_binary(vm, op, a, b, out);
    if (a.tag == SG_MISSING || b.tag == SG_MISSING) {
        *out = SG_VALUE_MISSING;
        return SG_OK;
    }
    if (is_scalar(a) && is_scalar(b))
        return sg_quantity_binary(vm, sg_runtime_of(vm)->units, op, a, b, out);
    if (is_array_like(a) || is_array_like(b)) {
        if (!sg_nest_begin(vm))
            return SG_ERR_MODEL;
        status = sg_array_binary(vm, op, a, b, false, out);
        sg_nest_end(vm);
        return status;
    }
    if (a.tag == SG_ENUM && b.tag == SG_ENUM && a.aux == b.aux &&
        order_result(op, a.i < b.i ? -1 : a.i > b.i, out))
        return SG_OK;
    bool text = sg_is(a, SG_OBJ_STRING) || sg_is(b, SG_OBJ_STRING) || a.tag == SG_CHAR;
    if (text)
        return string_binary(vm, op, a, b, out);
    bool ordered = op >= SG_OPER_LT && op <= SG_OPER_GE;
    if (ordered && ((a.tag == SG_SYMBOL && b.tag == SG_SYMBOL) ||
                    (sg_is(a, SG_OBJ_TUPLE) && sg_is(b, SG_OBJ_TUPLE)))) {
        bool less = sg_less(vm, a, b, &status), more = sg_less(vm, b, a, &status);
        order_result(op, less ? -1 : more, out);
        return status;
    }
    return sg_raise_operands(vm, op, a, b);
}

sg_status sg_unary(sg_vm *vm, sg_operator op, sg_value a, sg_value *out)
{
    if (a.tag == SG_MISSING) {
        *out = a;
        return SG_OK;
    }
    if (op == SG_OPER_NOT && a.tag == SG_BOOL) {
        *out = sg_bool(!a.b);
        return SG_OK;
    }
    if (op == SG_OPER_NEG || op == SG_OPER_POS) {
        if (a.tag == SG_BOOL)
            a = sg_int(a.b);
        bool negate = op == SG_OPER_NEG;
        if (a.tag == SG_INT) {
            *out = negate ? sg_int((int64_t)(0 - (uint64_t)a.i)) : a;
            return SG_OK;
        }
        if (a.tag == SG_FLOAT || a.tag == SG_FLOAT32) {
            *out = a;
            out->d = negate ? -a.d : a.d;
            return SG_OK;
        }
        if (sg_is_quantity(a))
            return sg_quantity_unary(vm, op, a, out);
        if (is_array_like(a)) {
            sg_array *array = sg_as_array(vm, a);
            if (!array)
                return SG_ERR_MEMORY;
            if (negate)
                return sg_array_negate(vm, array, out);
            *out = a;
            return SG_OK;
        }
    }
    sg_buf text;
    sg_status status =
        sg_raise(vm, "MethodError", SG_E_METHOD, (sg_span){0}, "'%s' is not defined for %s",
                 sg_operator_text(op), sg_type_text(vm, a, &text));
    sg_buf_free(&text);
    return status;
}
