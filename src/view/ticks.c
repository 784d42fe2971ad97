#include "view/ticks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The least of 1, 2, 5 times a power of ten that is not below x.
static double nice_above(double x)
{
    double power = pow(10, floor(log10(x)));
    double mantissa = x / power;
    return power * (mantissa <= 1.0000001   ? 1
                    : mantissa <= 2.0000001 ? 2
                    : mantissa <= 5.0000001 ? 5
                                            : 10);
}

static void mend(double *lo, double *hi)
{
    // Beyond this, differences overflow; such curves leave the frame.
    const double largest = 1e300;
    if (!isfinite(*lo) || !isfinite(*hi) || *lo > *hi) {
        *lo = 0;
        *hi = 1;
    }
    *lo = fmax(*lo, -largest);
    *hi = fmin(*hi, largest);
    // A range that numbers of this size cannot resolve is drawn as a constant, else the digits
    // of rounding would fill the frame.
    double size = fmax(fabs(*lo), fabs(*hi));
    if (*hi - *lo <= 1e-12 * size || *hi - *lo < 1e-300) {
        double pad = size > 1e-290 ? 0.1 * size : 1;
        *lo -= pad;
        *hi += pad;
    }
}

static int exponent_of(double x) { return x > 0 ? (int)floor(log10(x) + 1e-9) : 0; }

sg_axis sg_axis_make(double lo, double hi, int wanted, bool round_out)
{
    mend(&lo, &hi);
    if (round_out) {
        double pad = 0.05 * (hi - lo);
        lo -= pad;
        hi += pad;
    }
    sg_axis axis = {.lo = lo, .hi = hi};
    axis.step = nice_above((hi - lo) / (wanted < 2 ? 2 : wanted));
    double first = ceil(lo / axis.step - 1e-9), last = floor(hi / axis.step + 1e-9);
    axis.first = first;
    axis.n = last < first ? 0 : (int)fmin(last - first + 1, SG_MAX_TICKS);
    int size = exponent_of(fmax(fabs(lo), fabs(hi)));
    // A common power of ten shortens labels, unless the digits that matter come late: 101325.001.
    bool late_digits = size >= 0 && size < 10 && size - exponent_of(axis.step) > 5;
    if ((size >= 5 || size < -3) && !late_digits)
        axis.exponent = size;
    axis.decimals = axis.exponent - exponent_of(axis.step);
    axis.decimals = axis.decimals < 0 ? 0 : axis.decimals > 15 ? 15 : axis.decimals;
    return axis;
}

// Fewer decades than this have ticks at round numbers, as a plain axis has.
static const double few_decades = 1.3;
// Up to so many decades there is room for 2 and 5 between the powers.
static const double some_decades = 3.2;

static void add_tick(sg_axis *axis, double at)
{
    if (axis->n < SG_MAX_TICKS && at >= axis->lo - 1e-9 && at <= axis->hi + 1e-9)
        axis->at[axis->n++] = at;
}

sg_axis sg_axis_make_log(double lo, double hi, int wanted, bool round_out)
{
    const double largest = 300; // as that of mend
    if (!isfinite(lo) || !isfinite(hi) || lo > hi) {
        lo = 0;
        hi = 1;
    }
    lo = fmax(lo, -largest);
    hi = fmin(hi, largest);
    double pad = hi - lo < 1e-9 ? 0.5 : round_out ? 0.05 * (hi - lo) : 0;
    sg_axis axis = {.lo = lo - pad, .hi = hi + pad, .log = true};
    double decades = axis.hi - axis.lo;
    if (decades < few_decades) {
        sg_axis plain = sg_axis_make(pow(10, axis.lo), pow(10, axis.hi), wanted, false);
        axis.decimals = plain.decimals;
        axis.exponent = plain.exponent;
        for (int i = 0; i < plain.n; i++)
            if (sg_axis_tick(&plain, i) > 0)
                add_tick(&axis, log10(sg_axis_tick(&plain, i)));
        return axis;
    }
    double every = fmax(1, ceil(decades / (wanted < 2 ? 2 : wanted)));
    axis.decimals = -1;
    double begin = floor(axis.lo / every) * every;
    int n = (int)((axis.hi - begin) / every); // both are bounded by `largest`
    for (int i = 0; i <= n; i++) {
        double k = begin + i * every;
        add_tick(&axis, k);
        if (decades <= some_decades && wanted >= 4) {
            add_tick(&axis, k + log10(2));
            add_tick(&axis, k + log10(5));
        }
    }
    return axis;
}

// Multiples of the step, so that zero is zero.
double sg_axis_tick(const sg_axis *axis, int i)
{
    return axis->log ? axis->at[i] : (axis->first + i) * axis->step;
}

double sg_axis_value(const sg_axis *axis, int i)
{
    double tick = sg_axis_tick(axis, i);
    return axis->log ? pow(10, tick) : tick;
}

static void put_power(const char *digits, size_t n, sg_buf *out)
{
    static const char *const raised[] = {"\u2070", "\u00B9", "\u00B2", "\u00B3", "\u2074",
                                         "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
    for (size_t i = 0; i < n; i++) {
        if (digits[i] >= '0' && digits[i] <= '9')
            sg_buf_puts(out, raised[digits[i] - '0']);
        else
            sg_buf_puts(out, digits[i] == '/' ? "\u2044" : digits[i] == '-' ? "\u207B" : "\u00B7");
    }
}

void sg_put_power_of_ten(int exponent, sg_buf *out)
{
    char digits[16];
    int n = snprintf(digits, sizeof digits, "%d", exponent);
    sg_buf_puts(out, "10");
    put_power(digits, (size_t)n, out);
}

// 1, 20, 0.005 as such; what is very large or small as a power of ten, 5·10⁻⁷.
static void label_log(double tick, char *out, size_t size)
{
    int power = (int)floor(tick + 1e-9);
    double mantissa = round(pow(10, tick - power));
    if (power > -4 && power < 5) {
        snprintf(out, size, "%.*f", power < 0 ? -power : 0, pow(10, tick));
        return;
    }
    sg_buf text;
    sg_buf_init(&text, NULL);
    if (mantissa > 1)
        sg_buf_printf(&text, "%.0f\u00B7", mantissa);
    sg_put_power_of_ten(power, &text);
    snprintf(out, size, "%s", sg_buf_text(&text));
    sg_buf_free(&text);
}

void sg_axis_label(const sg_axis *axis, int i, char *out, size_t size)
{
    if (axis->logical) {
        snprintf(out, size, "%s", sg_axis_tick(axis, i) > 0.5 ? "true" : "false");
        return;
    }
    if (axis->log && axis->decimals < 0) {
        label_log(sg_axis_tick(axis, i), out, size);
        return;
    }
    double value = sg_axis_value(axis, i) / pow(10, axis->exponent);
    // The sign of people, and never "-0".
    snprintf(out, size, "%s%.*f", value < 0 ? "\xE2\x88\x92" : "", axis->decimals, fabs(value));
    for (char *p = out; *p; p++)
        if (*p == ',')
            *p = '.'; // whatever the locale says
}

// One factor without its sign: "m", "m^2".
static void put_factor(const char *factor, size_t n, sg_buf *out)
{
    const char *caret = memchr(factor, '^', n);
    size_t base = caret ? (size_t)(caret - factor) : n;
    sg_buf_add(out, factor, base);
    if (!caret)
        return;
    const char *power = caret + 1;
    size_t digits = n - base - 1;
    if (digits && *power == '-') {
        power++;
        digits--;
    }
    if (digits != 1 || *power != '1')
        put_power(power, digits, out);
}

void sg_axis_unit(const char *unit, sg_buf *out)
{
    // Anything with parentheses or a division of its own stays as it is.
    if (strpbrk(unit, "()/ ")) {
        sg_buf_puts(out, unit);
        return;
    }
    int n_below = 0;
    for (const char *p = unit; (p = strstr(p, "^-")); p += 2)
        n_below++;
    for (int below = 0; below < 2; below++) {
        int written = 0;
        const char *p = unit;
        while (*p) {
            size_t n = strcspn(p, "*");
            const char *caret = memchr(p, '^', n);
            bool is_below = caret && caret[1] == '-';
            if (n && is_below == (below == 1)) {
                if (written++)
                    sg_buf_puts(out, "\u00B7");
                else if (below)
                    sg_buf_puts(out, n_below > 1 ? "/(" : "/");
                put_factor(p, n, out);
            }
            p += n;
            if (*p)
                p++;
        }
        if (!below && !written && n_below)
            sg_buf_putc(out, '1');
        if (below && written > 1)
            sg_buf_putc(out, ')');
    }
}

const char *sg_quantity_text(sg_arena *arena, const char *prefix, const char *name,
                             const char *unit)
{
    sg_buf text;
    sg_buf_init(&text, arena->allocator);
    sg_buf_puts(&text, prefix);
    sg_buf_puts(&text, name);
    if (unit[0]) {
        sg_buf_puts(&text, " [");
        sg_axis_unit(unit, &text);
        sg_buf_puts(&text, "]");
    }
    const char *label = text.failed ? NULL : sg_arena_text(arena, sg_buf_text(&text), text.len);
    sg_buf_free(&text);
    return label;
}
