#include "lang/quantity.h"

#include "base/number.h"

#include <math.h>

double sg_quantity_number(sg_value v)
{
    switch (v.tag) {
    case SG_BOOL:
        return v.b ? 1.0 : 0.0;
    case SG_INT:
    case SG_QTY_INT:
        return (double)v.i;
    case SG_FLOAT:
    case SG_FLOAT32:
    case SG_QTY:
        return v.d;
    default:
        return 1.0; // a bare unit
    }
}

sg_value sg_quantity_make(double number, uint32_t unit)
{
    return unit ? sg_quantity(number, unit) : sg_float(number);
}

sg_value sg_quantity_make_int(int64_t number, uint32_t unit)
{
    return unit ? (sg_value){.tag = SG_QTY_INT, .aux = unit, .i = number} : sg_int(number);
}

static bool is_integer(sg_value v)
{
    return v.tag == SG_INT || v.tag == SG_BOOL || v.tag == SG_QTY_INT || v.tag == SG_UNIT;
}

static int64_t integer_of(sg_value v)
{
    return v.tag == SG_BOOL ? v.b : v.tag == SG_UNIT ? 1 : v.i;
}

// ---- errors --------------------------------------------------------------------------------

static void describe(const sg_units *units, uint32_t unit, sg_buf *out)
{
    const char *text = sg_unit_text(units, unit);
    if (text[0])
        sg_buf_printf(out, "%s (", text);
    sg_unit_describe_dimension(units, unit, out);
    if (text[0])
        sg_buf_puts(out, ")");
}

sg_status sg_raise_dimension(sg_vm *vm, sg_units *units, const char *operation, uint32_t a,
                             uint32_t b)
{
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    describe(units, a, &text);
    sg_buf_puts(&text, " and ");
    describe(units, b, &text);
    sg_status status =
        sg_raise(vm, "DimensionError", SG_E_DIMENSION, sg_vm_where(vm),
                 "%s are not dimensionally compatible in '%s'", sg_buf_text(&text), operation);
    sg_buf_free(&text);
    return status;
}

static sg_status raise_affine(sg_vm *vm, const sg_units *units, uint32_t unit)
{
    return sg_raise(
        vm, "DimensionError", SG_E_UNIT, sg_vm_where(vm),
        "%s has an offset from absolute zero, so it cannot be used like this; convert with "
        "uconvert(u\"K\", x) first",
        sg_unit_text(units, unit));
}

static sg_status raise_bad_unit(sg_vm *vm)
{
    return sg_raise(vm, "DimensionError", SG_E_UNIT, sg_vm_where(vm),
                    "the unit of this result has too many factors or an exponent that is not a "
                    "fraction with denominator 1, 2, 3, 4, 6 or 12");
}

// ---- sums ----------------------------------------------------------------------------------

static sg_status add_affine(sg_vm *vm, const sg_units *units, sg_operator op, sg_value a,
                            sg_value b, uint32_t kelvin, sg_value *out)
{
    uint32_t ua = sg_quantity_unit(a), ub = sg_quantity_unit(b);
    bool first = sg_unit_is_affine(units, ua), second = sg_unit_is_affine(units, ub);
    double x = sg_quantity_number(a), y = sg_quantity_number(b);
    if (first && second && op == SG_OPER_SUB) { // 25 °C - 20 °C is 5 K
        *out =
            sg_quantity_make(ua == ub ? sg_unit_convert_difference(units, x - y, ua, kelvin)
                                      : sg_unit_to_si(units, x, ua) - sg_unit_to_si(units, y, ub),
                             kelvin);
        return SG_OK;
    }
    if (first && !second) {
        double difference = sg_unit_convert_difference(units, y, ub, ua);
        *out = sg_quantity_make(op == SG_OPER_SUB ? x - difference : x + difference, ua);
        return SG_OK;
    }
    if (second && !first && op == SG_OPER_ADD) {
        *out = sg_quantity_make(y + sg_unit_convert_difference(units, x, ua, ub), ub);
        return SG_OK;
    }
    return raise_affine(vm, units, first ? ua : ub);
}

// Two numbers of one dimension in one unit: theirs, or the preferred one when they differ.
static sg_status to_one_unit(sg_vm *vm, sg_units *units, sg_value a, sg_value b, double *x,
                             double *y, uint32_t *unit)
{
    uint32_t ua = sg_quantity_unit(a), ub = sg_quantity_unit(b);
    *x = sg_quantity_number(a);
    *y = sg_quantity_number(b);
    *unit = ua;
    if (ua == ub)
        return SG_OK;
    *unit = sg_unit_preferred(units, ua);
    if (*unit == SG_UNIT_BAD)
        return raise_bad_unit(vm);
    *x = sg_unit_convert(units, *x, ua, *unit);
    *y = sg_unit_convert(units, *y, ub, *unit);
    return SG_OK;
}

static sg_status add(sg_vm *vm, sg_units *units, sg_operator op, sg_value a, sg_value b,
                     sg_value *out)
{
    uint32_t ua = sg_quantity_unit(a), ub = sg_quantity_unit(b);
    if (!sg_unit_same_dimension(units, ua, ub))
        return sg_raise_dimension(vm, units, sg_operator_text(op), ua, ub);
    if (sg_unit_is_affine(units, ua) || sg_unit_is_affine(units, ub))
        return add_affine(vm, units, op, a, b, sg_unit_preferred(units, ua), out);
    bool minus = op == SG_OPER_SUB;
    if (ua == ub && is_integer(a) && is_integer(b)) {
        uint64_t x = (uint64_t)integer_of(a), y = (uint64_t)integer_of(b);
        *out = sg_quantity_make_int((int64_t)(minus ? x - y : x + y), ua);
        return SG_OK;
    }
    double x, y;
    uint32_t unit;
    sg_status status = to_one_unit(vm, units, a, b, &x, &y, &unit);
    if (status != SG_OK)
        return status;
    *out = sg_quantity_make(minus ? x - y : x + y, unit);
    return SG_OK;
}

// ---- products and powers -------------------------------------------------------------------

static sg_status multiply(sg_vm *vm, sg_units *units, sg_operator op, sg_value a, sg_value b,
                          sg_value *out)
{
    uint32_t ua = sg_quantity_unit(a), ub = sg_quantity_unit(b);
    bool divide = op == SG_OPER_DIV;
    if (sg_unit_is_affine(units, ua) || sg_unit_is_affine(units, ub)) {
        // 20.0u"°C" is a number times a bare unit; nothing else is possible.
        bool literal = !divide && ((b.tag == SG_UNIT && !ua) || (a.tag == SG_UNIT && !ub));
        if (!literal)
            return raise_affine(vm, units, sg_unit_is_affine(units, ua) ? ua : ub);
    }
    uint32_t unit = divide ? sg_unit_divide(units, ua, ub) : sg_unit_multiply(units, ua, ub);
    if (unit == SG_UNIT_BAD)
        return raise_bad_unit(vm);
    if (a.tag == SG_UNIT && b.tag == SG_UNIT) {
        *out = unit ? (sg_value){.tag = SG_UNIT, .aux = unit} : sg_int(1);
    } else if (is_integer(a) && is_integer(b) && (!divide || b.tag == SG_UNIT)) {
        uint64_t x = (uint64_t)integer_of(a), y = (uint64_t)integer_of(b);
        *out = sg_quantity_make_int((int64_t)(x * y), unit); // dividing by a bare unit is by one
    } else {
        double x = sg_quantity_number(a), y = sg_quantity_number(b);
        *out = sg_quantity_make(divide ? x / y : x * y, unit);
    }
    return SG_OK;
}

static sg_status power(sg_vm *vm, sg_units *units, sg_value a, sg_value b, sg_value *out)
{
    double exponent;
    sg_status status = sg_quantity_plain(vm, units, b, "the exponent of ^", &exponent);
    if (status != SG_OK)
        return status;
    uint32_t ua = sg_quantity_unit(a);
    if (sg_unit_is_affine(units, ua))
        return raise_affine(vm, units, ua);
    double twelfths = exponent * SG_UNIT_POWER;
    if (ua && (twelfths != nearbyint(twelfths) || fabs(twelfths) > 12000.0))
        return raise_bad_unit(vm);
    uint32_t unit = ua ? sg_unit_power(units, ua, (int32_t)twelfths) : 0;
    if (unit == SG_UNIT_BAD)
        return raise_bad_unit(vm);
    if (a.tag == SG_UNIT) {
        *out = unit ? (sg_value){.tag = SG_UNIT, .aux = unit} : sg_int(1);
    } else if (is_integer(a) && is_integer(b) && integer_of(b) >= 0) {
        uint64_t result = 1, base = (uint64_t)integer_of(a);
        for (int64_t n = integer_of(b); n; n >>= 1, base *= base)
            if (n & 1)
                result *= base;
        *out = sg_quantity_make_int((int64_t)result, unit);
    } else {
        *out = sg_quantity_make(pow(sg_quantity_number(a), exponent), unit);
    }
    return SG_OK;
}

// ÷ gives a number, % keeps the unit.
static sg_status remainder_of(sg_vm *vm, sg_units *units, sg_operator op, sg_value a, sg_value b,
                              sg_value *out)
{
    uint32_t ua = sg_quantity_unit(a), ub = sg_quantity_unit(b);
    if (!sg_unit_same_dimension(units, ua, ub))
        return sg_raise_dimension(vm, units, sg_operator_text(op), ua, ub);
    if (sg_unit_is_affine(units, ua) || sg_unit_is_affine(units, ub))
        return raise_affine(vm, units, sg_unit_is_affine(units, ua) ? ua : ub);
    bool whole = op == SG_OPER_IDIV;
    if (ua == ub && is_integer(a) && is_integer(b)) {
        int64_t x = integer_of(a), y = integer_of(b);
        if (y == 0)
            return sg_raise(vm, "DivideError", SG_E_NUMBER, sg_vm_where(vm),
                            "integer division by zero");
        int64_t q = y == -1 ? (int64_t)(0 - (uint64_t)x) : x / y, r = y == -1 ? 0 : x % y;
        *out = whole ? sg_int(q) : sg_quantity_make_int(r, ua);
        return SG_OK;
    }
    double x, y;
    uint32_t unit;
    sg_status status = to_one_unit(vm, units, a, b, &x, &y, &unit);
    if (status != SG_OK)
        return status;
    *out = whole ? sg_float(trunc(x / y)) : sg_quantity_make(fmod(x, y), unit);
    return SG_OK;
}

// ---- comparison ----------------------------------------------------------------------------

static sg_status compare(sg_vm *vm, sg_units *units, sg_operator op, sg_value a, sg_value b,
                         sg_value *out)
{
    uint32_t ua = sg_quantity_unit(a), ub = sg_quantity_unit(b);
    if (!sg_unit_same_dimension(units, ua, ub)) {
        if (op != SG_OPER_EQ && op != SG_OPER_NE)
            return sg_raise_dimension(vm, units, sg_operator_text(op), ua, ub);
        *out = sg_bool(op == SG_OPER_NE);
        return SG_OK;
    }
    double x = sg_quantity_number(a), y = sg_quantity_number(b);
    if (ua != ub) {
        x = sg_unit_to_si(units, x, ua);
        y = sg_unit_to_si(units, y, ub);
    }
    switch ((int)op) {
    case SG_OPER_EQ:
        *out = sg_bool(x == y);
        break;
    case SG_OPER_NE:
        *out = sg_bool(x != y);
        break;
    case SG_OPER_LT:
        *out = sg_bool(x < y);
        break;
    case SG_OPER_LE:
        *out = sg_bool(x <= y);
        break;
    case SG_OPER_GT:
        *out = sg_bool(x > y);
        break;
    default:
        *out = sg_bool(x >= y);
        break;
    }
    return SG_OK;
}

sg_status sg_quantity_binary(sg_vm *vm, sg_units *units, sg_operator op, sg_value a, sg_value b,
                             sg_value *out)
{
    switch ((int)op) {
    case SG_OPER_ADD:
    case SG_OPER_SUB:
        return add(vm, units, op, a, b, out);
    case SG_OPER_MUL:
    case SG_OPER_DIV:
        return multiply(vm, units, op, a, b, out);
    case SG_OPER_POW:
        return power(vm, units, a, b, out);
    case SG_OPER_IDIV:
    case SG_OPER_REM:
        return remainder_of(vm, units, op, a, b, out);
    case SG_OPER_EQ:
    case SG_OPER_NE:
    case SG_OPER_LT:
    case SG_OPER_LE:
    case SG_OPER_GT:
    case SG_OPER_GE:
        return compare(vm, units, op, a, b, out);
    default:
        return sg_raise(vm, "MethodError", SG_E_METHOD, sg_vm_where(vm),
                        "'%s' is not defined for quantities", sg_operator_text(op));
    }
}

sg_status sg_quantity_unary(sg_vm *vm, sg_operator op, sg_value a, sg_value *out)
{
    if (op == SG_OPER_POS) {
        *out = a;
    } else if (op == SG_OPER_NEG) {
        *out = is_integer(a) ? sg_quantity_make_int((int64_t)(0 - (uint64_t)integer_of(a)), a.aux)
                             : sg_quantity_make(-sg_quantity_number(a), a.aux);
    } else {
        return sg_raise(vm, "MethodError", SG_E_METHOD, sg_vm_where(vm),
                        "'%s' is not defined for quantities", sg_operator_text(op));
    }
    return SG_OK;
}

sg_status sg_quantity_rule(sg_vm *vm, sg_units *units, sg_operator op, uint32_t a, uint32_t b,
                           sg_unit_rule *out)
{
    *out = (sg_unit_rule){.unit = a, .scale_a = 1.0, .scale_b = 1.0};
    if (op == SG_OPER_MUL || op == SG_OPER_DIV) {
        if (!a && !b)
            return SG_OK;
        if (sg_unit_is_affine(units, a) || sg_unit_is_affine(units, b))
            return raise_affine(vm, units, sg_unit_is_affine(units, a) ? a : b);
        out->unit = op == SG_OPER_DIV ? sg_unit_divide(units, a, b) : sg_unit_multiply(units, a, b);
        return out->unit == SG_UNIT_BAD ? raise_bad_unit(vm) : SG_OK;
    }
    if (a == b && !(sg_unit_is_affine(units, a) && op == SG_OPER_ADD)) {
        if (op == SG_OPER_SUB && sg_unit_is_affine(units, a)) {
            out->unit = sg_unit_preferred(units, a);
            out->scale_a = out->scale_b = sg_unit_factor(units, a);
        }
        return SG_OK;
    }
    if (!sg_unit_same_dimension(units, a, b))
        return sg_raise_dimension(vm, units, sg_operator_text(op), a, b);
    if (sg_unit_is_affine(units, a) || sg_unit_is_affine(units, b))
        return raise_affine(vm, units, sg_unit_is_affine(units, a) ? a : b);
    out->unit = sg_unit_preferred(units, a);
    out->scale_a = sg_unit_factor(units, a);
    out->scale_b = sg_unit_factor(units, b);
    return out->unit == SG_UNIT_BAD ? raise_bad_unit(vm) : SG_OK;
}

// ---- conversion ----------------------------------------------------------------------------

sg_status sg_quantity_convert(sg_vm *vm, sg_units *units, sg_value q, uint32_t unit, sg_value *out)
{
    uint32_t from = sg_quantity_unit(q);
    if (from == unit) {
        *out = q.tag == SG_UNIT ? sg_quantity_make_int(1, unit) : q;
        return SG_OK;
    }
    if (!sg_unit_same_dimension(units, from, unit))
        return sg_raise_dimension(vm, units, "uconvert", from, unit);
    *out = sg_quantity_make(sg_unit_convert(units, sg_quantity_number(q), from, unit), unit);
    return SG_OK;
}

sg_value sg_quantity_strip(sg_value q)
{
    if (q.tag == SG_UNIT)
        return sg_int(1);
    if (q.tag == SG_QTY_INT)
        return sg_int(q.i);
    return q.tag == SG_QTY ? sg_float(q.d) : q;
}

sg_value sg_quantity_upreferred(sg_units *units, sg_value q)
{
    if (!sg_is_quantity(q))
        return q;
    uint32_t unit = sg_unit_preferred(units, q.aux);
    if (unit == SG_UNIT_BAD)
        return q;
    if (q.tag == SG_UNIT && unit)
        return (sg_value){.tag = SG_UNIT, .aux = unit};
    if (unit == q.aux)
        return q;
    return sg_quantity_make(sg_unit_convert(units, sg_quantity_number(q), q.aux, unit), unit);
}

double sg_quantity_si(const sg_units *units, sg_value q)
{
    uint32_t unit = sg_quantity_unit(q);
    double x = sg_quantity_number(q);
    return unit ? sg_unit_to_si(units, x, unit) : x;
}

sg_status sg_quantity_plain(sg_vm *vm, sg_units *units, sg_value q, const char *what, double *out)
{
    uint32_t unit = sg_quantity_unit(q);
    if (sg_unit_has_dimension(units, unit)) {
        sg_buf text;
        sg_buf_init(&text, vm->allocator);
        describe(units, unit, &text);
        sg_status status =
            sg_raise(vm, "DimensionError", SG_E_DIMENSION, sg_vm_where(vm),
                     "%s needs a plain number, not one with the unit %s", what, sg_buf_text(&text));
        sg_buf_free(&text);
        return status;
    }
    *out = sg_quantity_si(units, q);
    return SG_OK;
}

sg_status sg_quantity_root(sg_vm *vm, sg_units *units, sg_value q, int32_t twelfths, sg_value *out)
{
    uint32_t unit = sg_quantity_unit(q);
    double x = sg_quantity_number(q);
    if (sg_unit_is_affine(units, unit))
        return raise_affine(vm, units, unit);
    uint32_t root = unit ? sg_unit_power(units, unit, twelfths) : 0;
    if (root == SG_UNIT_BAD)
        return raise_bad_unit(vm);
    if (x < 0.0 && twelfths == 6)
        return sg_raise(vm, "DomainError", SG_E_NUMBER, sg_vm_where(vm),
                        "the square root of a negative number");
    double y = twelfths == 6   ? sqrt(x)
               : twelfths == 4 ? sg_cbrt(x)
                               : pow(x, (double)twelfths / SG_UNIT_POWER);
    *out = sg_quantity_make(y, root);
    return SG_OK;
}

uint32_t sg_quantity_misfit(const sg_units *units, sg_value value, uint32_t expected)
{
    if (sg_is_quantity(value) && !sg_unit_same_dimension(units, value.aux, expected))
        return value.aux;
    // Not deeper: an array may hold itself.
    const sg_array *array = sg_is(value, SG_OBJ_ARRAY) ? (const sg_array *)value.o : NULL;
    for (size_t i = 0; array && i < array->len && i < 3; i++) {
        sg_value element = sg_array_get(array, i);
        if (sg_is_quantity(element) && !sg_unit_same_dimension(units, element.aux, expected))
            return element.aux;
    }
    return SG_UNIT_NONE;
}
