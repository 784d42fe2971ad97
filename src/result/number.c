#include "result/number.h"

#include "base/buf.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// Whole numbers are common and need no search for digits.
static size_t format_whole(double x, char *out)
{
    char digits[24];
    size_t n = 0, length = 0;
    uint64_t rest = (uint64_t)fabs(x);
    if (signbit(x))
        out[length++] = '-';
    do
        digits[n++] = (char)('0' + rest % 10);
    while (rest /= 10);
    while (n)
        out[length++] = digits[--n];
    out[length] = '\0';
    return length;
}

size_t sg_number_format(double x, char *out)
{
    if (fabs(x) < 1e15 && x == floor(x))
        return format_whole(x, out);
    size_t length = sg_format_shortest(x, out);
    for (size_t i = 0; i < length; i++)
        if (out[i] == ',')
            out[i] = '.';
    return length;
}

static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// strtod with the point that it wants at the moment.
static bool parse_slowly(const char *text, size_t length, double *out)
{
    char copy[512];
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
