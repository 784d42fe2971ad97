#include "syntax/number_text.h"

#include "base/digits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Digits and decimal exponent of a number in its shortest form "d.ddde+xx" or plain.
typedef struct shown_decimal {
    char digits[24];
    int n, exponent; // value is 0.d1d2d3... * 10^exponent
    bool negative;
} shown_decimal;

static shown_decimal decompose(const char *shortest)
{
    shown_decimal d = {.n = 0};
    int point = -1, exponent = 0;
    const char *p = shortest;
    if (*p == '-') {
        d.negative = true;
        p++;
    }
    int seen = 0; // digits before the point, with leading zeros
    for (; *p && *p != 'e'; p++) {
        if (*p == '.') {
            point = seen;
            continue;
        }
        if ((d.n || *p != '0') && d.n < (int)sizeof d.digits - 1)
            d.digits[d.n++] = *p;
        else if (!d.n)
            exponent--; // a leading zero
        seen++;
    }
    if (*p == 'e')
        exponent += (int)strtol(p + 1, NULL, 10);
    if (point < 0)
        point = seen;
    d.exponent = exponent + point;
    while (d.n > 1 && d.digits[d.n - 1] == '0')
        d.n--;
    if (!d.n) {
        d.digits[d.n++] = '0';
        d.exponent = 1;
    }
    return d;
}

// 1e-4 <= |x| < 1e6 in decimal form, otherwise 1.0e6. `mark` begins the exponent.
static void print_decimal(const shown_decimal *d, char mark, sg_buf *out)
{
    if (d->negative)
        sg_buf_putc(out, '-');
    int e = d->exponent;
    bool zero = d->n == 1 && d->digits[0] == '0';
    if (!zero && (e > 6 || e < -3)) {
        sg_buf_printf(out, "%c.", d->digits[0]);
        if (d->n > 1)
            sg_buf_add(out, d->digits + 1, (size_t)(d->n - 1));
        else
            sg_buf_putc(out, '0');
        sg_buf_printf(out, "%c%d", mark, e - 1);
        return;
    }
    if (e <= 0) {
        sg_buf_puts(out, "0.");
        sg_buf_pad(out, '0', (size_t)-e);
        sg_buf_add(out, d->digits, (size_t)d->n);
        return;
    }
    int whole = e < d->n ? e : d->n;
    sg_buf_add(out, d->digits, (size_t)whole);
    sg_buf_pad(out, '0', (size_t)(e - whole));
    sg_buf_putc(out, '.');
    if (d->n > e)
        sg_buf_add(out, d->digits + e, (size_t)(d->n - e));
    else
        sg_buf_putc(out, '0');
}

void sg_print_float(double x, sg_buf *out)
{
    char text[32];
    if (isnan(x)) {
        sg_buf_puts(out, "NaN");
        return;
    }
    size_t n = sg_format_shortest(x, text);
    text[n] = '\0';
    if (isinf(x)) {
        sg_buf_puts(out, text);
        return;
    }
    shown_decimal d = decompose(text);
    print_decimal(&d, 'e', out);
}

static void print_single(double x, char mark, sg_buf *out)
{
    char text[32] = "";
    for (int precision = 6; precision < 10; precision++) {
        snprintf(text, sizeof text, "%.*g", precision, x);
        if ((double)strtof(text, NULL) == x)
            break;
    }
    shown_decimal d = decompose(text);
    print_decimal(&d, mark, out);
}

void sg_print_float32(double x, sg_buf *out)
{
    if (isnan(x) || isinf(x))
        sg_print_float(x, out);
    else
        print_single(x, 'e', out);
}

void sg_show_float32(double x, sg_buf *out)
{
    if (isnan(x) || isinf(x)) {
        sg_print_float(x, out);
        sg_buf_puts(out, "32");
        return;
    }
    size_t start = out->len;
    print_single(x, 'f', out);
    if (!out->failed && !memchr(out->text + start, 'f', out->len - start))
        sg_buf_puts(out, "f0");
}
