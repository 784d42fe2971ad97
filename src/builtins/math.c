// Elementary functions, integers, questions about numbers.
#include "base/number.h"
#include "builtins/subjects.h"

#include <math.h>

// ---- functions of one number --------------------------------------------------------------------

typedef double (*real_fn)(double);

static double sign_of(double x) { return isnan(x) ? x : (x > 0) - (x < 0); }
static double deg2rad(double x) { return x * M_PI / 180; }
static double rad2deg(double x) { return x * 180 / M_PI; }

// Exact at multiples of 90 degrees.
static double sind(double x)
{
    double r = fmod(x, 360);
    if (fmod(r, 180) == 0)
        return copysign(0.0, x);
    if (r == 90 || r == -270)
        return 1;
    if (r == -90 || r == 270)
        return -1;
    if (r == 30 || r == 150 || r == -330 || r == -210)
        return 0.5;
    if (r == -30 || r == -150 || r == 330 || r == 210)
        return -0.5;
    return sin(r * M_PI / 180);
}
static double cosd(double x)
{
    double r = fabs(fmod(x, 360));
    if (r == 90 || r == 270)
        return 0;
    if (r == 60 || r == 300)
        return 0.5;
    if (r == 120 || r == 240)
        return -0.5;
    if (r == 0)
        return 1;
    if (r == 180)
        return -1;
    return cos(r * M_PI / 180);
}
static double tand(double x) { return sind(x) / cosd(x); }
static double asind(double x) { return rad2deg(asin(x)); }
static double acosd(double x) { return rad2deg(acos(x)); }
static double atand(double x) { return rad2deg(atan(x)); }
static double sinpi(double x) { return sind(180 * fmod(x, 2)); }
static double cospi(double x) { return cosd(180 * fmod(x, 2)); }
static double sec(double x) { return 1 / cos(x); }
static double csc(double x) { return 1 / sin(x); }
static double cot(double x) { return 1 / tan(x); }
static double exp10_(double x) { return pow(10, x); }
static double sinc(double x) { return x == 0 ? 1 : sin(M_PI * x) / (M_PI * x); }

// Those that equations have, too.
#define SG_FUNCTION(name, text, value, slope, derivative, units, least, most)                      \
    static double value_of_##name(double x) { return value; }
#define SG_FUNCTION_OWN(name, text, value, slope, derivative, units)
#include "base/functions_list.h"

typedef struct elementary {
    const char *name;
    real_fn function;
    double lo, hi; // where it is defined
} elementary;

static const elementary elementaries[] = {
#define SG_FUNCTION(name, text, value, slope, derivative, units, least, most)                      \
    {text, value_of_##name, least, most},
#define SG_FUNCTION_OWN(name, text, value, slope, derivative, units)
#include "base/functions_list.h"
    {"exp2", exp2, -HUGE_VAL, HUGE_VAL},
    {"exp10", exp10_, -HUGE_VAL, HUGE_VAL},
    {"sind", sind, -HUGE_VAL, HUGE_VAL},
    {"cosd", cosd, -HUGE_VAL, HUGE_VAL},
    {"tand", tand, -HUGE_VAL, HUGE_VAL},
    {"asind", asind, -1, 1},
    {"acosd", acosd, -1, 1},
    {"atand", atand, -HUGE_VAL, HUGE_VAL},
    {"deg2rad", deg2rad, -HUGE_VAL, HUGE_VAL},
    {"rad2deg", rad2deg, -HUGE_VAL, HUGE_VAL},
    {"sinpi", sinpi, -HUGE_VAL, HUGE_VAL},
    {"cospi", cospi, -HUGE_VAL, HUGE_VAL},
    {"sec", sec, -HUGE_VAL, HUGE_VAL},
    {"csc", csc, -HUGE_VAL, HUGE_VAL},
    {"cot", cot, -HUGE_VAL, HUGE_VAL},
    {"gamma", tgamma, -HUGE_VAL, HUGE_VAL},
    {"sinc", sinc, -HUGE_VAL, HUGE_VAL}};

static sg_status native_elementary(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    const elementary *e = context;
    if (sg_args_check_count(vm, args, e->name, 1, 1) != SG_OK)
        return SG_ERR_MODEL;
    sg_value v = args->v[0];
    double x = 0;
    if (v.tag == SG_FLOAT) {
        x = v.d;
    } else if (v.tag == SG_MISSING) {
        *out = v;
        return SG_OK;
    } else if (!sg_to_float(v, &x)) {
        if (!sg_is_quantity(v))
            return sg_raise_no_number(vm, args, e->name, v);
        sg_status status = sg_quantity_plain(vm, sg_runtime_of(vm)->units, v, e->name, &x);
        if (status != SG_OK)
            return status;
    }
    if (x < e->lo || x > e->hi)
        return sg_raise(vm, "DomainError", SG_E_NUMBER, args->span,
                        "%s(%g) is not a real number; it is defined from %g to %g", e->name, x,
                        e->lo, e->hi);
    *out = sg_float(e->function(x));
    if (v.tag == SG_FLOAT32)
        *out = (sg_value){.tag = SG_FLOAT32, .d = (double)(float)out->d};
    return SG_OK;
}

static sg_status native_sqrt(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    bool cube = context != NULL;
    if (sg_args_check_count(vm, args, cube ? "cbrt" : "sqrt", 1, 1) != SG_OK)
        return SG_ERR_MODEL;
    sg_value v = args->v[0];
    double x = 0;
    if (sg_is_quantity(v))
        return sg_quantity_root(vm, sg_runtime_of(vm)->units, v, cube ? 4 : 6, out);
    if (v.tag == SG_MISSING) {
        *out = v;
        return SG_OK;
    }
    if (!sg_to_float(v, &x))
        return sg_raise_no_number(vm, args, cube ? "cbrt" : "sqrt", v);
    if (x < 0 && !cube)
        return sg_raise(vm, "DomainError", SG_E_NUMBER, args->span, "sqrt(%g) is not a real number",
                        x);
    *out = sg_float(cube ? sg_cbrt(x) : sqrt(x));
    return SG_OK;
}

static sg_status native_log(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "log", 1, 2) != SG_OK)
        return SG_ERR_MODEL;
    double x, base = 0;
    sg_value v = args->v[args->n - 1];
    if (sg_is_quantity(v)) {
        if (sg_quantity_plain(vm, sg_runtime_of(vm)->units, v, "log", &x) != SG_OK)
            return SG_ERR_MODEL;
    } else if (!sg_to_float(v, &x)) {
        return sg_raise_no_number(vm, args, "log", v);
    }
    if (args->n == 2 && sg_arg_float(vm, args, 0, &base) != SG_OK)
        return SG_ERR_MODEL;
    if (x < 0 || (args->n == 2 && base <= 0))
        return sg_raise(vm, "DomainError", SG_E_NUMBER, args->span, "log(%g) is not a real number",
                        x);
    *out = sg_float(args->n == 2 ? log(x) / log(base) : log(x));
    return SG_OK;
}

static sg_status native_atan(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "atan", 1, 2) != SG_OK)
        return SG_ERR_MODEL;
    sg_value q = args->v[0];
    if (args->n == 2 && (sg_is_quantity(q) || sg_is_quantity(args->v[1]))) {
        // Both sides of one dimension: the angle does not depend on the unit.
        sg_value other;
        sg_status status = sg_quantity_convert(vm, sg_runtime_of(vm)->units, args->v[1],
                                               sg_quantity_unit(q), &other);
        if (status != SG_OK)
            return status;
        *out = sg_float(atan2(sg_quantity_number(q), sg_quantity_number(other)));
        return SG_OK;
    }
    double y = 0, x = 0;
    if (sg_is_quantity(q)) {
        if (sg_quantity_plain(vm, sg_runtime_of(vm)->units, q, "atan", &y) != SG_OK)
            return SG_ERR_MODEL;
    } else if (sg_arg_float(vm, args, 0, &y) != SG_OK) {
        return SG_ERR_MODEL;
    }
    if (args->n == 1) {
        *out = sg_float(atan(y));
        return SG_OK;
    }
    if (sg_arg_float(vm, args, 1, &x) != SG_OK)
        return SG_ERR_MODEL;
    *out = sg_float(atan2(y, x));
    return SG_OK;
}

// ---- abs, sign, rounding ------------------------------------------------------------------------

static sg_status native_abs(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "abs", 1, 1) != SG_OK)
        return SG_ERR_MODEL;
    sg_value v = args->v[0];
    *out = v;
    switch ((int)v.tag) {
    case SG_INT:
    case SG_QTY_INT:
        out->i = v.i < 0 ? (int64_t)(0 - (uint64_t)v.i) : v.i;
        return SG_OK;
    case SG_FLOAT:
    case SG_FLOAT32:
    case SG_QTY:
        out->d = fabs(v.d);
        return SG_OK;
    case SG_BOOL:
        *out = sg_int(v.b);
        return SG_OK;
    case SG_MISSING:
        return SG_OK;
    default:
        return sg_raise_no_number(vm, args, "abs", v);
    }
}

static sg_status native_abs2(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "abs2", 1, 1) != SG_OK)
        return SG_ERR_MODEL;
    return sg_binary(vm, SG_OPER_MUL, args->v[0], args->v[0], out);
}

static sg_status native_sign(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "sign", 1, 1) != SG_OK)
        return SG_ERR_MODEL;
    sg_value v = args->v[0];
    if (v.tag == SG_INT || v.tag == SG_BOOL) {
        int64_t i = v.tag == SG_INT ? v.i : v.b;
        *out = sg_int((i > 0) - (i < 0));
        return SG_OK;
    }
    if (!sg_is_plain_number(v) && !sg_is_quantity(v))
        return sg_raise_no_number(vm, args, "sign", v);
    *out = sg_float(sign_of(sg_quantity_number(v)));
    return SG_OK;
}

// ---- integers -----------------------------------------------------------------------------------

typedef enum division { DIV, MOD, REM, FLD, CLD, DIVREM, MOD1 } division;

// The answers of one division, by their names.
typedef struct quotients {
    sg_value truncated, floored, raised, remainder, modulus, modulus1;
} quotients;

static sg_status divide_ints(sg_vm *vm, const sg_args *args, division which, int64_t a, int64_t b,
                             quotients *out)
{
    if (b == 0)
        return sg_raise(vm, "DivideError", SG_E_NUMBER, args->span, "integer division by zero");
    // The smallest integer has no negative, so it cannot be divided by -1; remainders can be told.
    bool quotient = which == DIV || which == FLD || which == CLD || which == DIVREM;
    if (a == INT64_MIN && b == -1 && quotient)
        return sg_raise(vm, "DivideError", SG_E_NUMBER, args->span,
                        "%lld / -1 does not fit into an integer of 64 bits", (long long)a);
    int64_t q = b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b, r = b == -1 ? 0 : a % b;
    int64_t low = q - (r != 0 && (r < 0) != (b < 0)), m = r != 0 && (r < 0) != (b < 0) ? r + b : r;
    *out = (quotients){sg_int(q), sg_int(low), sg_int(low + (m != 0)),
                       sg_int(r), sg_int(m),   sg_int(m == 0 ? b : m)};
    return SG_OK;
}

static quotients divide_floats(double x, double y)
{
    double r = fmod(x, y), m = r != 0 && (r < 0) != (y < 0) ? r + y : r;
    return (quotients){sg_float(trunc(x / y)),
                       sg_float(floor(x / y)),
                       sg_float(ceil(x / y)),
                       sg_float(r),
                       sg_float(m),
                       sg_float(m == 0 ? y : m)};
}

static sg_status choose_quotient(sg_vm *vm, division which, const quotients *q, sg_value *out)
{
    sg_value values[] = {[DIV] = q->truncated, [MOD] = q->modulus, [REM] = q->remainder,
                         [FLD] = q->floored,   [CLD] = q->raised,  [MOD1] = q->modulus1};
    if (which != DIVREM) {
        *out = values[which];
        return SG_OK;
    }
    sg_tuple *pair = sg_tuple_make(vm, 2);
    if (!pair)
        return SG_ERR_MEMORY;
    pair->items[0] = q->truncated;
    pair->items[1] = q->remainder;
    *out = sg_object(pair);
    return SG_OK;
}

static sg_status native_division(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    static const char *const names[] = {"div", "mod", "rem", "fld", "cld", "divrem", "mod1"};
    division which = (division)(uintptr_t)context;
    if (sg_args_check_count(vm, args, names[which], 2, 2) != SG_OK)
        return SG_ERR_MODEL;
    sg_value a = args->v[0], b = args->v[1];
    if (sg_is_quantity(a) || sg_is_quantity(b)) {
        if (which == REM || which == DIV)
            return sg_binary(vm, which == REM ? SG_OPER_REM : SG_OPER_IDIV, a, b, out);
        sg_value same;
        sg_status status =
            sg_quantity_convert(vm, sg_runtime_of(vm)->units, b, sg_quantity_unit(a), &same);
        if (status != SG_OK)
            return status;
        quotients q = divide_floats(sg_quantity_number(a), sg_quantity_number(same));
        sg_value *measured[] = {&q.remainder, &q.modulus, &q.modulus1};
        for (size_t i = 0; i < SG_COUNT(measured); i++)
            *measured[i] = sg_quantity_make(measured[i]->d, sg_quantity_unit(a));
        return choose_quotient(vm, which, &q, out);
    }
    bool ints = (a.tag == SG_INT || a.tag == SG_BOOL) && (b.tag == SG_INT || b.tag == SG_BOOL);
    quotients q;
    if (ints) {
        sg_status status = divide_ints(vm, args, which, a.tag == SG_INT ? a.i : a.b,
                                       b.tag == SG_INT ? b.i : b.b, &q);
        return status == SG_OK ? choose_quotient(vm, which, &q, out) : status;
    }
    double x = 0, y = 0;
    if (sg_arg_float(vm, args, 0, &x) != SG_OK || sg_arg_float(vm, args, 1, &y) != SG_OK)
        return SG_ERR_MODEL;
    q = divide_floats(x, y);
    return choose_quotient(vm, which, &q, out);
}

static uint64_t size_of(int64_t x) { return x < 0 ? 0 - (uint64_t)x : (uint64_t)x; }

static uint64_t gcd(uint64_t x, uint64_t y)
{
    while (y) {
        uint64_t t = x % y;
        x = y;
        y = t;
    }
    return x;
}

static sg_status native_gcd(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    bool lcm = context != NULL;
    if (sg_args_check_count(vm, args, lcm ? "lcm" : "gcd", 1, UINT32_MAX) != SG_OK)
        return SG_ERR_MODEL;
    uint64_t result = 0;
    for (uint32_t i = 0; i < args->n; i++) {
        int64_t x = 0;
        bool fits = true;
        if (sg_arg_int(vm, args, i, &x) != SG_OK)
            return SG_ERR_MODEL;
        if (i == 0)
            result = size_of(x);
        else if (!lcm)
            result = gcd(result, size_of(x));
        else if (result && x)
            fits = !__builtin_mul_overflow(result / gcd(result, size_of(x)), size_of(x), &result);
        else
            result = 0;
        if (!fits || (i + 1 == args->n && result > INT64_MAX))
            return sg_raise(vm, "OverflowError", SG_E_NUMBER, args->span,
                            "%s does not fit into an integer of 64 bits", lcm ? "lcm" : "gcd");
    }
    *out = sg_int((int64_t)result);
    return SG_OK;
}

static sg_status native_factorial(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    int64_t n = 0;
    if (sg_arg_int(vm, args, 0, &n) != SG_OK)
        return SG_ERR_MODEL;
    if (n < 0 || n > 20)
        return sg_raise(vm, "DomainError", SG_E_NUMBER, args->span,
                        "factorial(%lld) does not fit into an integer of 64 bits", (long long)n);
    int64_t result = 1;
    for (int64_t i = 2; i <= n; i++)
        result *= i;
    *out = sg_int(result);
    return SG_OK;
}

static sg_status native_parity(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    int64_t n = 0;
    if (sg_arg_int(vm, args, 0, &n) != SG_OK)
        return SG_ERR_MODEL;
    *out = sg_bool((n & 1) == (int64_t)(uintptr_t)context);
    return SG_OK;
}

// ---- questions about numbers --------------------------------------------------------------------

typedef enum number_question {
    IS_NAN,
    IS_INF,
    IS_FINITE,
    IS_INTEGER,
    IS_ZERO,
    IS_ONE,
    SIGN_BIT
} number_question;

static sg_status native_question(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    static const char *const names[] = {"isnan",  "isinf", "isfinite", "isinteger",
                                        "iszero", "isone", "signbit"};
    number_question which = (number_question)(uintptr_t)context;
    if (sg_args_check_count(vm, args, names[which], 1, 1) != SG_OK)
        return SG_ERR_MODEL;
    sg_value v = args->v[0];
    if (which == IS_ZERO && sg_is(v, SG_OBJ_ARRAY)) {
        const sg_array *a = (const sg_array *)v.o;
        bool zero = true;
        for (size_t i = 0; i < a->len && zero; i++)
            zero = sg_quantity_number(sg_array_get(a, i)) == 0;
        *out = sg_bool(zero);
        return SG_OK;
    }
    if (!sg_is_plain_number(v) && !sg_is_quantity(v))
        return sg_raise_no_number(vm, args, names[which], v);
    double x = sg_quantity_number(v);
    switch (which) {
    case IS_NAN:
        *out = sg_bool(isnan(x));
        break;
    case IS_INF:
        *out = sg_bool(isinf(x));
        break;
    case IS_FINITE:
        *out = sg_bool(isfinite(x));
        break;
    case IS_INTEGER:
        *out = sg_bool(x == floor(x) && isfinite(x));
        break;
    case IS_ZERO:
        *out = sg_bool(x == 0);
        break;
    case IS_ONE:
        *out = sg_bool(x == 1);
        break;
    case SIGN_BIT:
        *out = sg_bool(signbit(x));
        break;
    }
    return SG_OK;
}

static sg_status native_clamp(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "clamp", 3, 3) != SG_OK)
        return SG_ERR_MODEL;
    sg_value below, above;
    sg_status status = sg_binary(vm, SG_OPER_LT, args->v[0], args->v[1], &below);
    if (status == SG_OK)
        status = sg_binary(vm, SG_OPER_GT, args->v[0], args->v[2], &above);
    if (status != SG_OK)
        return status;
    *out = below.b ? args->v[1] : above.b ? args->v[2] : args->v[0];
    return SG_OK;
}

static sg_status native_hypot(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    double sum = 0;
    for (uint32_t i = 0; i < args->n; i++) {
        double x = 0;
        if (sg_arg_float(vm, args, i, &x) != SG_OK)
            return SG_ERR_MODEL;
        sum = hypot(sum, x);
    }
    *out = sg_float(sum);
    return SG_OK;
}

static sg_status native_copysign(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    double x = 0, y = 0;
    if (sg_arg_float(vm, args, 0, &x) != SG_OK || sg_arg_float(vm, args, 1, &y) != SG_OK)
        return SG_ERR_MODEL;
    *out = sg_float(copysign(x, y));
    return SG_OK;
}

static sg_status native_muladd(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "muladd", 3, 3) != SG_OK)
        return SG_ERR_MODEL;
    sg_value product;
    sg_status status = sg_binary(vm, SG_OPER_MUL, args->v[0], args->v[1], &product);
    return status == SG_OK ? sg_binary(vm, SG_OPER_ADD, product, args->v[2], out) : status;
}

// isapprox(a, b; rtol, atol): norms for arrays.
static sg_status magnitude(sg_vm *vm, sg_value v, double *out, uint32_t *unit)
{
    sg_value norm = sg_module_get(vm->base, sg_vm_sym(vm, "norm")), result;
    sg_status status = sg_call_values(vm, norm, &v, 1, &result);
    if (status == SG_OK) {
        *out = sg_quantity_number(result);
        *unit = sg_quantity_unit(result);
    }
    return status;
}

static sg_status native_isapprox(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    static const char *const keywords[] = {"rtol", "atol", "nans", "norm"};
    if (sg_args_check_count(vm, args, "isapprox", 2, 2) != SG_OK ||
        sg_args_check_keywords(vm, args, "isapprox", keywords, 4) != SG_OK)
        return SG_ERR_MODEL;
    const sg_value *rtol = sg_args_find(vm, args, "rtol"), *atol = sg_args_find(vm, args, "atol");
    const sg_value *nans = sg_args_find(vm, args, "nans");
    sg_value a = args->v[0], b = args->v[1], difference;
    bool same;
    if (sg_value_equal(vm, a, b, nans && nans->tag == SG_BOOL && nans->b, &same) != SG_OK)
        return SG_ERR_MODEL;
    if (same) {
        *out = sg_bool(true);
        return SG_OK;
    }
    sg_status status = sg_binary(vm, SG_OPER_SUB, a, b, &difference);
    double d = 0, na = 0, nb = 0;
    uint32_t unit_d = 0, unit_a = 0, unit_b = 0;
    if (status == SG_OK)
        status = magnitude(vm, difference, &d, &unit_d);
    if (status == SG_OK)
        status = magnitude(vm, a, &na, &unit_a);
    if (status == SG_OK)
        status = magnitude(vm, b, &nb, &unit_b);
    if (status != SG_OK)
        return status;
    const sg_units *units = sg_runtime_of(vm)->units;
    if (unit_d || unit_a || unit_b) { // compare in SI
        d = sg_unit_to_si(units, d, unit_d);
        na = sg_unit_to_si(units, na, unit_a);
        nb = sg_unit_to_si(units, nb, unit_b);
    }
    double absolute = atol ? sg_quantity_si(units, *atol) : 0;
    double relative = rtol           ? sg_quantity_si(units, *rtol)
                      : absolute > 0 ? 0
                                     : sqrt(2.220446049250313e-16);
    *out = sg_bool(d <= fmax(absolute, relative * fmax(na, nb)));
    return SG_OK;
}

static sg_status native_eps(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    double x = 1;
    if (args->n && sg_is(args->v[0], SG_OBJ_TYPE)) {
        bool single = (sg_type *)args->v[0].o == vm->types.Float32;
        *out = single ? (sg_value){.tag = SG_FLOAT32, .d = 1.1920928955078125e-07}
                      : sg_float(2.220446049250313e-16);
        return SG_OK;
    }
    if (args->n && sg_arg_float(vm, args, 0, &x) != SG_OK)
        return SG_ERR_MODEL;
    *out = sg_float(nextafter(fabs(x), HUGE_VAL) - fabs(x));
    return SG_OK;
}

static sg_status native_limits(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    int which = (int)(uintptr_t)context; // 0 typemax, 1 typemin, 2 floatmax, 3 floatmin
    const sg_type *type =
        args->n && sg_is(args->v[0], SG_OBJ_TYPE) ? (const sg_type *)args->v[0].o : NULL;
    bool integer = type && sg_type_wide(type) == vm->types.Int64;
    if (which == 0 && integer && type->wide && type->greatest == INT64_MAX)
        return sg_raise(vm, "OverflowError", SG_E_UNSUPPORTED, args->span,
                        "the greatest %s does not fit into 63 bits, which whole numbers have here",
                        sg_vm_text(vm, type->name));
    if (which == 0)
        *out = integer ? sg_int(type->wide ? type->greatest : INT64_MAX) : sg_float(HUGE_VAL);
    else if (which == 1)
        *out = integer ? sg_int(type->wide ? type->least : INT64_MIN) : sg_float(-HUGE_VAL);
    else
        *out = sg_float(which == 2 ? 1.7976931348623157e308 : 2.2250738585072014e-308);
    return SG_OK;
}

bool sg_register_math(sg_vm *vm)
{
    for (size_t i = 0; i < SG_COUNT(elementaries); i++)
        if (!sg_vm_offer(vm, NULL, elementaries[i].name, native_elementary,
                         (void *)(uintptr_t)&elementaries[i], NULL))
            return false;
    static const sg_builtin_form more[] = {{"sqrt", native_sqrt, 0},
                                           {"√", native_sqrt, 0},
                                           {"cbrt", native_sqrt, 1},
                                           {"log", native_log, 0},
                                           {"atan", native_atan, 0},
                                           {"atan2", native_atan, 0},
                                           {"abs", native_abs, 0},
                                           {"abs2", native_abs2, 0},
                                           {"sign", native_sign, 0},
                                           {"div", native_division, DIV},
                                           {"mod", native_division, MOD},
                                           {"rem", native_division, REM},
                                           {"fld", native_division, FLD},
                                           {"cld", native_division, CLD},
                                           {"divrem", native_division, DIVREM},
                                           {"mod1", native_division, MOD1},
                                           {"gcd", native_gcd, 0},
                                           {"lcm", native_gcd, 1},
                                           {"factorial", native_factorial, 0},
                                           {"iseven", native_parity, 0},
                                           {"isodd", native_parity, 1},
                                           {"isnan", native_question, IS_NAN},
                                           {"isinf", native_question, IS_INF},
                                           {"isfinite", native_question, IS_FINITE},
                                           {"isinteger", native_question, IS_INTEGER},
                                           {"iszero", native_question, IS_ZERO},
                                           {"isone", native_question, IS_ONE},
                                           {"signbit", native_question, SIGN_BIT},
                                           {"clamp", native_clamp, 0},
                                           {"hypot", native_hypot, 0},
                                           {"copysign", native_copysign, 0},
                                           {"muladd", native_muladd, 0},
                                           {"fma", native_muladd, 0},
                                           {"isapprox", native_isapprox, 0},
                                           {"≈", native_isapprox, 0},
                                           {"eps", native_eps, 0},
                                           {"typemax", native_limits, 0},
                                           {"typemin", native_limits, 1},
                                           {"floatmax", native_limits, 2},
                                           {"floatmin", native_limits, 3}};
    if (!sg_register_forms(vm, more, SG_COUNT(more)))
        return false;
    static const struct {
        const char *name;
        double value;
    } constants[] = {{"pi", M_PI},
                     {"π", M_PI},
                     {"ℯ", M_E},
                     {"Inf", HUGE_VAL},
                     {"Inf64", HUGE_VAL},
                     {"NaN", (double)NAN},
                     {"NaN64", (double)NAN},
                     {"golden", 1.618033988749895}};
    for (size_t i = 0; i < SG_COUNT(constants); i++)
        if (!sg_module_set(vm, vm->base, sg_vm_sym(vm, constants[i].name),
                           sg_float(constants[i].value)))
            return false;
    return sg_module_set(vm, vm->base, sg_vm_sym(vm, "nothing"), SG_VALUE_NOTHING) &&
           sg_module_set(vm, vm->base, sg_vm_sym(vm, "missing"), SG_VALUE_MISSING);
}
