// Names of variables in the way of the standard ("structured", FMI 2.0, 2.2.9).
#include "fmi/description.h"

#include <string.h>

static bool is_plain(const char *part, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char c = part[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && (i == 0 || c < '0' || c > '9'))
            return false;
    }
    return n > 0;
}

// name = letter {letter | digit} | "'" anything "'"
static bool put_part(sg_buf *out, const char *part, size_t n)
{
    if (is_plain(part, n)) {
        sg_buf_add(out, part, n);
        return true;
    }
    bool ascii = n > 0;
    for (size_t i = 0; i < n; i++)
        ascii &= (unsigned char)part[i] >= 0x20 && (unsigned char)part[i] < 0x7f && part[i] != '`';
    if (!ascii) {
        sg_buf_add(out, part, n);
        return false;
    }
    sg_buf_putc(out, '\'');
    for (size_t i = 0; i < n; i++) {
        if (part[i] == '\'' || part[i] == '"' || part[i] == '\\')
            sg_buf_putc(out, '\\');
        sg_buf_putc(out, part[i]);
    }
    sg_buf_putc(out, '\'');
    return true;
}

// Digits and commas in brackets at the end of a part are indices.
static size_t without_indices(const char *part, size_t n)
{
    size_t i = n;
    if (n < 3 || part[n - 1] != ']')
        return n;
    for (i = n - 1; i > 0 && part[i - 1] != '['; i--)
        if ((part[i - 1] < '0' || part[i - 1] > '9') && part[i - 1] != ',')
            return n;
    bool digits = i > 1 && part[i] != ',' && part[n - 2] != ',' && i < n - 1;
    return digits ? i - 1 : n;
}

static bool put_path(sg_buf *out, const char *path, size_t n)
{
    bool fits = true;
    while (n) {
        const char *dot = memchr(path, '.', n);
        size_t part = dot ? (size_t)(dot - path) : n, name = without_indices(path, part);
        fits &= put_part(out, path, name);
        sg_buf_add(out, path + name, part - name);
        if (dot)
            sg_buf_putc(out, '.');
        part += dot != NULL;
        path += part;
        n -= part;
    }
    return fits;
}

bool sg_fmu_name(const sg_fmu_variable *variable, uint32_t k, sg_buf *out)
{
    // a.b.der(der(c)) is der(a.b.c,2).
    const char *name = variable->name, *dot = strrchr(name, '.'), *last = dot ? dot + 1 : name;
    size_t length = strlen(last), order = 0;
    while (length > 5 && strncmp(last, "der(", 4) == 0 && last[length - 1] == ')') {
        last += 4;
        length -= 5;
        order++;
    }
    if (order && (memchr(last, '(', length) || memchr(last, ')', length))) {
        last = dot ? dot + 1 : name;
        length = strlen(last);
        order = 0;
    }
    if (order)
        sg_buf_puts(out, "der(");
    bool fits = !dot || put_path(out, name, (size_t)(dot - name));
    if (dot)
        sg_buf_putc(out, '.');
    fits &= put_path(out, last, length);
    if (variable->rank == 1)
        sg_buf_printf(out, "[%u]", k + 1);
    else if (variable->rank == 2)
        sg_buf_printf(out, "[%u,%u]", k % variable->size[0] + 1, k / variable->size[0] + 1);
    if (order > 1)
        sg_buf_printf(out, ",%zu", order);
    if (order)
        sg_buf_putc(out, ')');
    return fits;
}
