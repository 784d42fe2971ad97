// Colors as models write them.
#include "base/digits.h"
#include "shapes/palette.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { MAX_COLOR = 64 };

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)tolower((unsigned char)c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// Three, four, six or eight digits; four and eight have the opacity in front or behind.
static bool from_digits(const char *text, bool alpha_first, uint8_t rgb[3], double *alpha)
{
    size_t n = strlen(text), per = n <= 4 ? 1 : 2, count = n / per;
    int part[4];
    if (n != count * per || count < 3 || count > 4)
        return false;
    for (size_t i = 0; i < count; i++) {
        int high = digit(text[i * per]), low = digit(text[i * per + per - 1]);
        if (high < 0 || low < 0)
            return false;
        part[i] = 16 * high + low;
    }
    size_t first = count == 4 && alpha_first ? 1 : 0;
    for (size_t i = 0; i < 3; i++)
        rgb[i] = (uint8_t)part[first + i];
    if (count == 4)
        *alpha = part[alpha_first ? 0 : 3] / 255.0;
    return true;
}

// One number of rgb(...) or hsl(...): plain or in percent of `whole`. Returns what follows it.
static const char *read_part(const char *text, double whole, double *out)
{
    while (*text == ' ')
        text++;
    size_t n = strspn(text, "+-.0123456789eE");
    if (!sg_number_parse(text, n, out) || !isfinite(*out))
        return NULL;
    text += n;
    if (*text == '%') {
        *out *= whole / 100.0;
        text++;
    }
    while (*text == ' ')
        text++;
    return text;
}

static double channel(double m1, double m2, double h)
{
    h -= floor(h);
    if (h < 1.0 / 6.0)
        return m1 + (m2 - m1) * h * 6.0;
    if (h < 0.5)
        return m2;
    return h < 2.0 / 3.0 ? m1 + (m2 - m1) * (2.0 / 3.0 - h) * 6.0 : m1;
}

static uint8_t byte_of(double x) { return (uint8_t)lrint(fmin(fmax(x, 0.0), 1.0) * 255.0); }

// rgb(r, g, b) with 0 to 255, hsl(degrees, percent, percent); rgba and hsla with an opacity of 0 to
// 1 behind.
static bool from_function(const char *text, uint8_t rgb[3], double *alpha)
{
    bool hsl = strncmp(text, "hsl", 3) == 0, with_alpha = text[3] == 'a';
    if (!hsl && strncmp(text, "rgb", 3) != 0)
        return false;
    const char *at = text + 3 + with_alpha;
    double part[4] = {0, 0, 0, 1};
    for (int i = 0; i < 3 + with_alpha; i++) {
        if (*at != (i ? ',' : '('))
            return false;
        double whole = i == 3 || hsl ? 1.0 : 255.0;
        at = read_part(at + 1, whole, &part[i]);
        if (!at)
            return false;
    }
    if (strcmp(at, ")") != 0)
        return false;
    *alpha = fmin(fmax(part[3], 0.0), 1.0);
    if (hsl) {
        double h = part[0] / 360.0, s = part[1], l = part[2];
        double m2 = l <= 0.5 ? l * (s + 1.0) : l + s - l * s, m1 = 2.0 * l - m2;
        rgb[0] = byte_of(channel(m1, m2, h + 1.0 / 3.0));
        rgb[1] = byte_of(channel(m1, m2, h));
        rgb[2] = byte_of(channel(m1, m2, h - 1.0 / 3.0));
    } else {
        for (int i = 0; i < 3; i++)
            rgb[i] = byte_of(part[i] / 255.0);
    }
    return true;
}

void sg_color_fold(char *name)
{
    size_t n = 0;
    for (const char *c = name; *c; c++)
        if (*c != ' ')
            name[n++] = (char)tolower((unsigned char)*c);
    name[n] = '\0';
    char *grey = strstr(name, "grey");
    if (grey)
        grey[2] = 'a';
}

// Those of the user stand behind the others and come first.
static bool from_name(const sg_palette *p, char *name, uint8_t rgb[3])
{
    sg_color_fold(name);
    for (size_t i = p->colors.len; i-- > 0;)
        if (strcmp(p->colors.data[i].name, name) == 0) {
            memcpy(rgb, p->colors.data[i].rgb, 3);
            return true;
        }
    return false;
}

bool sg_color_read(const sg_palette *p, const char *text, uint8_t rgb[3], double *alpha)
{
    char lower[MAX_COLOR];
    size_t n = strlen(text);
    *alpha = 1.0;
    if (n >= sizeof lower)
        return false;
    for (size_t i = 0; i <= n; i++)
        lower[i] = (char)tolower((unsigned char)text[i]);
    if (lower[0] == '#')
        return from_digits(lower + 1, false, rgb, alpha);
    if (strncmp(lower, "0x", 2) == 0)
        return from_digits(lower + 2, true, rgb, alpha);
    return from_function(lower, rgb, alpha) || from_name(p, lower, rgb);
}
