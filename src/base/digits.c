#include "base/digits.h"

#include "base/powers_of_ten.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// The shortest digits after R. Giulietti, "The Schubfach way to render doubles" (2020): of all
// decimals in the interval that rounds to x, those with the fewest digits lie next to x / 10^k on a
// grid that one power of ten decides, so three multiplications find them.
typedef struct decimal {
    uint64_t digits; // times 10^exponent
    int exponent;
} decimal;

__extension__ typedef unsigned __int128 wide;

// The upper 64 bits of g * c, the last of them set if anything below it is.
static uint64_t multiply_to_odd(uint64_t g_high, uint64_t g_low, uint64_t c)
{
    wide low = (wide)g_low * c;
    wide high = (wide)g_high * c + (uint64_t)(low >> 64);
    return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

static int floor_log2_of_power(int e) { return (e * 1741647) >> 19; }

// `fraction` and `exponent` are the fields of the format; the number is neither zero nor special.
static decimal shortest_decimal(uint64_t fraction, int exponent)
{
    uint64_t c = exponent ? fraction | 1ULL << 52 : fraction;
    int q = (exponent ? exponent : 1) - 1075;
    bool closer_below = fraction == 0 && exponent > 1;
    uint64_t odd = c & 1;
    int k = (q * 1262611 - (closer_below ? 524031 : 0)) >> 22;
    int h = q + floor_log2_of_power(-k) + 1;
    uint64_t g_high = power_of_ten[-k - SG_POWER_FIRST].high;
    uint64_t g_low = power_of_ten[-k - SG_POWER_FIRST].low;
    uint64_t lower = multiply_to_odd(g_high, g_low, (4 * c - 2 + closer_below) << h) + odd;
    uint64_t middle = multiply_to_odd(g_high, g_low, (4 * c) << h);
    uint64_t upper = multiply_to_odd(g_high, g_low, (4 * c + 2) << h) - odd;
    uint64_t s = middle / 4;
    if (s >= 10) {
        uint64_t tens = s / 10;
        bool under = lower <= 40 * tens, over = 40 * tens + 40 <= upper;
        if (under != over)
            return (decimal){tens + over, k + 1};
    }
    bool under = lower <= 4 * s, over = 4 * s + 4 <= upper;
    if (under != over)
        return (decimal){s + over, k};
    bool up = middle > 4 * s + 2 || (middle == 4 * s + 2 && (s & 1));
    return (decimal){s + up, k};
}

// Like "%.15g" ("%.17g" for as many digits): an exponent is written below -4 and from 15 on.
static size_t write_decimal(decimal d, char *out)
{
    while (d.digits % 10 == 0) {
        d.digits /= 10;
        d.exponent++;
    }
    char digits[24];
    int n = 0;
    for (uint64_t rest = d.digits; rest; rest /= 10)
        digits[n++] = (char)('0' + rest % 10); // from the last one
    int power = d.exponent + n - 1;            // of ten, at the first one
    size_t length = 0;
    if (power < -4 || power >= (n > 15 ? n : 15)) {
        out[length++] = digits[n - 1];
        if (n > 1)
            out[length++] = '.';
        for (int i = n - 2; i >= 0; i--)
            out[length++] = digits[i];
        return length + (size_t)sprintf(out + length, "e%+03d", power);
    }
    for (int i = power; i < 0; i++) {
        out[length++] = '0';
        if (i == power)
            out[length++] = '.';
    }
    for (int place = 0; place < n || place <= power; place++) {
        if (place == power + 1 && power >= 0)
            out[length++] = '.';
        out[length++] = place < n ? digits[n - 1 - place] : '0';
    }
    out[length] = '\0';
    return length;
}

size_t sg_format_shortest(double x, char *out)
{
    if (isnan(x))
        return (size_t)sprintf(out, "NaN");
    size_t sign = signbit(x) ? 1 : 0;
    out[0] = '-';
    if (isinf(x))
        return sign + (size_t)sprintf(out + sign, "Inf");
    if (x == 0.0)
        return sign + (size_t)sprintf(out + sign, "0");
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    decimal d = shortest_decimal(bits & ((1ULL << 52) - 1), (int)(bits >> 52 & 0x7ff));
    return sign + write_decimal(d, out + sign);
}

static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// strtod with the point that it wants at the moment.
static bool parse_slowly(const char *text, size_t length, double *out)
{
    char copy[SG_NUMBER_LONGEST + 1];
    if (length >= sizeof copy)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    const struct lconv *conventions = localeconv();
    char point = conventions ? conventions->decimal_point[0] : '.';
    char *dot = strchr(copy, '.');
    if (dot && point)
        *dot = point;
    char *end;
    *out = strtod(copy, &end);
    return end == copy + length;
}

static bool parse_word(const char *text, size_t length, bool negative, double *out)
{
    if (length == 3 && strncasecmp(text, "nan", 3) == 0)
        *out = (double)NAN;
    else if ((length == 3 && strncasecmp(text, "inf", 3) == 0) ||
             (length == 8 && strncasecmp(text, "infinity", 8) == 0))
        *out = negative ? -(double)INFINITY : (double)INFINITY;
    else
        return false;
    return true;
}

bool sg_number_parse(const char *text, size_t length, double *out)
{
    const char *p = text, *end = text + length;
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+'))
        p++;
    if (p < end && isalpha((unsigned char)*p))
        return parse_word(p, (size_t)(end - p), negative, out);
    uint64_t mantissa = 0;
    int digits = 0, significant = 0, exponent = 0;
    bool point = false;
    for (; p < end && (isdigit((unsigned char)*p) || (*p == '.' && !point)); p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        digits++;
        if (significant || *p != '0')
            significant++;
        if (significant <= 19)
            mantissa = mantissa * 10 + (uint64_t)(*p - '0');
        exponent -= point;
    }
    if (!digits)
        return false;
    if (p < end && (*p == 'e' || *p == 'E')) {
        p++;
        bool down = p < end && *p == '-';
        if (p < end && (*p == '-' || *p == '+'))
            p++;
        int power = 0;
        if (p == end)
            return false;
        for (; p < end && isdigit((unsigned char)*p); p++)
            power = power < 100000 ? power * 10 + (*p - '0') : power;
        exponent += down ? -power : power;
    }
    if (p != end)
        return false;
    // A product or quotient of two exact numbers is rounded once, so it is right.
    if (significant > 15 || exponent < -22 || exponent > 22)
        return parse_slowly(text, length, out);
    double value = (double)mantissa;
    value = exponent < 0 ? value / powers[-exponent] : value * powers[exponent];
    *out = negative ? -value : value;
    return true;
}
