// Rounding, and remainders of whole turns.
#include "builtins/subjects.h"

#include <math.h>
#include <string.h>

static double to_even(double x) { return nearbyint(x); }
static double from_zero(double x) { return x < 0.0 ? floor(x) : ceil(x); }

static double ties_up(double x)
{
    double low = floor(x);
    return x - low >= 0.5 ? low + 1.0 : low;
}

// The modes are symbols of their own names.
typedef struct rounding_mode {
    const char *name;
    double (*round)(double);
} rounding_mode;

static const rounding_mode modes[] = {{"RoundNearest", to_even},
                                      {"RoundNearestTiesAway", round},
                                      {"RoundNearestTiesUp", ties_up},
                                      {"RoundUp", ceil},
                                      {"RoundDown", floor},
                                      {"RoundToZero", trunc},
                                      {"RoundFromZero", from_zero}};

// Of the last argument; null if that is none, and raises then.
static const rounding_mode *mode_of(sg_vm *vm, const sg_args *args, const char *name)
{
    sg_value v = args->v[args->n - 1];
    const char *text = v.tag == SG_SYMBOL ? sg_vm_text(vm, v.sym) : "";
    for (size_t i = 0; i < SG_COUNT(modes); i++)
        if (strcmp(text, modes[i].name) == 0)
            return &modes[i];
    sg_buf buf;
    SG_RAISE_ARGUMENT(vm, args,
                      "%s: the last argument must be RoundNearest, RoundUp, RoundDown, RoundToZero "
                      "or another mode, not of type %s; digits are a keyword, digits = 2",
                      name, sg_type_text(vm, v, &buf));
    sg_buf_free(&buf);
    return NULL;
}

static double round_digits(double x, const sg_value *digits, const sg_value *significant,
                           double (*how)(double))
{
    if (significant && significant->tag == SG_INT && x != 0 && isfinite(x)) {
        double power = pow(10, (double)significant->i - 1 - floor(log10(fabs(x))));
        return how(x * power) / power;
    }
    if (digits && digits->tag == SG_INT && isfinite(x)) {
        double power = pow(10, fabs((double)digits->i));
        return digits->i >= 0 ? how(x * power) / power : how(x / power) * power;
    }
    return how(x);
}

// round([T], x, [mode]; digits, sigdigits), and floor, ceil, trunc without a mode.
static sg_status native_round(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    static const char *const names[] = {"round", "floor", "ceil", "trunc"};
    static double (*const functions[])(double) = {to_even, floor, ceil, trunc};
    size_t which = (size_t)(uintptr_t)context;
    static const char *const keywords[] = {"digits", "sigdigits"};
    bool typed = args->n > 1 && sg_is(args->v[0], SG_OBJ_TYPE);
    uint32_t most = 1U + typed + (which == 0);
    if (sg_args_check_count(vm, args, names[which], 1, most) != SG_OK ||
        sg_args_check_keywords(vm, args, names[which], keywords, 2) != SG_OK)
        return SG_ERR_MODEL;
    bool to_int = typed && sg_subtype((sg_type *)args->v[0].o, vm->types.Integer);
    double (*how)(double) = functions[which];
    if (args->n > 1U + typed) {
        const rounding_mode *mode = mode_of(vm, args, names[which]);
        if (!mode)
            return SG_ERR_MODEL;
        how = mode->round;
    }
    sg_value v = args->v[typed];
    const sg_type *narrow =
        to_int && ((sg_type *)args->v[0].o)->wide ? (sg_type *)args->v[0].o : NULL;
    if (v.tag == SG_INT || v.tag == SG_QTY_INT) {
        *out = v;
        return narrow ? sg_convert(vm, narrow, v, out) : SG_OK;
    }
    if (!sg_is_plain_number(v) && !sg_is_quantity(v))
        return sg_raise_no_number(vm, args, names[which], v);
    double x = round_digits(sg_quantity_number(v), sg_args_find(vm, args, "digits"),
                            sg_args_find(vm, args, "sigdigits"), how);
    if (to_int) {
        if (!(x >= -0x1p63 && x < 0x1p63))
            return sg_raise(vm, "InexactError", SG_E_NUMBER, args->span,
                            "%g does not fit into an integer of 64 bits", x);
        *out = sg_int((int64_t)x);
        return narrow ? sg_convert(vm, narrow, *out, out) : SG_OK;
    }
    *out = sg_quantity_make(x, sg_quantity_unit(v));
    if (v.tag == SG_FLOAT32)
        out->tag = SG_FLOAT32;
    return SG_OK;
}

// ---- whole turns --------------------------------------------------------------------------------

// 2 pi is the sum of the two.
static const double turn = 0x1.921fb54442d18p+2, turn_rest = 0x1.1a62633145c07p-52;

// x less the nearest whole turn. sin and cos of the library reduce x by pi with all its digits, so
// that large angles lose nothing.
static double nearest(double x) { return fabs(x) < M_PI ? x : atan2(sin(x), cos(x)); }

// From 0 to a turn.
static double above(double x)
{
    if (x >= 0.0 && x < turn)
        return x;
    double r = nearest(x), sum = turn + r;
    if (!(r < 0.0))
        return r;
    return sum + ((turn - sum + r) + turn_rest); // what rounding took from the sum comes back
}

// mod2pi(x), and rem2pi(x, mode): x less a number of turns that is rounded by the mode.
static sg_status native_turns(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    bool modulus = context != NULL;
    const char *name = modulus ? "mod2pi" : "rem2pi";
    uint32_t n = modulus ? 1 : 2;
    double x = 0;
    if (sg_args_check_count(vm, args, name, n, n) != SG_OK ||
        sg_arg_float(vm, args, 0, &x) != SG_OK)
        return SG_ERR_MODEL;
    const rounding_mode *mode = modulus ? NULL : mode_of(vm, args, name);
    if (!modulus && !mode)
        return SG_ERR_MODEL;
    if (!modulus && mode->round == to_even)
        *out = sg_float(nearest(x));
    else if (modulus || mode->round == floor || (mode->round == trunc && x >= 0.0))
        *out = sg_float(above(x));
    else if (mode->round == ceil || mode->round == trunc)
        *out = sg_float(0.0 - above(-x));
    else
        return SG_RAISE_ARGUMENT(vm, args,
                                 "rem2pi rounds to RoundNearest, RoundDown, RoundUp or "
                                 "RoundToZero, not to %s",
                                 mode->name);
    return SG_OK;
}

bool sg_register_rounding(sg_vm *vm)
{
    static const sg_builtin_form list[] = {
        {"round", native_round, 0}, {"floor", native_round, 1},  {"ceil", native_round, 2},
        {"trunc", native_round, 3}, {"rem2pi", native_turns, 0}, {"mod2pi", native_turns, 1}};
    if (!sg_register_forms(vm, list, SG_COUNT(list)))
        return false;
    for (size_t i = 0; i < SG_COUNT(modes); i++) {
        sg_sym name = sg_vm_sym(vm, modes[i].name);
        if (!sg_module_set(vm, vm->base, name, sg_symbol(name)))
            return false;
    }
    return true;
}
