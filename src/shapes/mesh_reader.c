#include "shapes/mesh_reader.h"

#include "base/digits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

// ---- complaints -----------------------------------------------------------------------------

void sg_mesh_place(const char *text, size_t length, size_t at, sg_mesh_complaint *complaint)
{
    size_t begin = 0;
    complaint->line = complaint->column = 1;
    if (at > length)
        at = length;
    for (size_t i = 0; i < at; i++)
        if (text[i] == '\n') {
            complaint->line++;
            begin = i + 1;
        }
    for (size_t i = begin; i < at; i++) // characters, not bytes
        complaint->column += ((unsigned char)text[i] & 0xC0) != 0x80;
}

bool sg_mesh_complain(sg_mesh_reader *r, const char *why)
{
    snprintf(r->complaint.why, sizeof r->complaint.why, "%s", why);
    size_t at = (size_t)(r->place - r->start);
    if (r->is_text) {
        sg_mesh_place(r->start, (size_t)(r->end - r->start), at, &r->complaint);
    } else {
        r->complaint.at_byte = true;
        r->complaint.byte = at;
    }
    return false;
}

bool sg_mesh_complain_of(sg_mesh_reader *r, const char *format, const char *word, size_t length)
{
    char why[sizeof r->complaint.why], shown[48];
    snprintf(shown, sizeof shown, "%.*s", (int)(length < 40 ? length : 40), word);
    snprintf(why, sizeof why, format, shown); // NOLINT: the formats are constants of the readers
    return sg_mesh_complain(r, why);
}

bool sg_mesh_out_of_memory(sg_mesh_reader *r)
{
    r->no_memory = true;
    return false;
}

// ---- words ----------------------------------------------------------------------------------

static inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v'; }

const char *sg_mesh_word(sg_mesh_reader *r, size_t *length)
{
    const char *at = r->at, *end = r->end;
    while (at < end && is_blank(*at))
        at++;
    const char *word = at;
    while (at < end && *at != '\n' && !is_blank(*at))
        at++;
    r->at = at;
    r->place = word;
    *length = (size_t)(at - word);
    return word;
}

// Where the line behind the present one begins, if nothing but blanks is left of this one.
static const char *line_behind(const sg_mesh_reader *r)
{
    const char *at = r->at;
    while (at < r->end && is_blank(*at))
        at++;
    return at < r->end && *at == '\n' ? at + 1 : NULL;
}

const char *sg_mesh_joined_word(sg_mesh_reader *r, size_t *length)
{
    for (;;) {
        const char *word = sg_mesh_word(r, length), *next;
        if (*length == 0 || word[*length - 1] != '\\' || !(next = line_behind(r)))
            return word;
        if (*length > 1) { // it is met again, alone
            r->at = word + --*length;
            return word;
        }
        r->at = next;
    }
}

void sg_mesh_next_line(sg_mesh_reader *r)
{
    const char *newline = memchr(r->at, '\n', sg_mesh_left(r));
    r->at = newline ? newline + 1 : r->end;
}

bool sg_mesh_is_word(const char *word, size_t length, const char *expected)
{
    return strlen(expected) == length && strncasecmp(word, expected, length) == 0;
}

bool sg_mesh_read_point(sg_mesh_reader *r, sg_vec3 *out)
{
    double x[3];
    for (int i = 0; i < 3; i++) {
        size_t length;
        const char *word = sg_mesh_joined_word(r, &length);
        if (!length || length > SG_NUMBER_LONGEST || !sg_number_parse(word, length, &x[i]))
            return sg_mesh_complain(r, "a vertex needs three numbers");
        if (!isfinite(x[i]))
            return sg_mesh_complain(r, "a coordinate of a vertex is not finite");
    }
    *out = v3_from(x);
    return true;
}

// ---- lists ----------------------------------------------------------------------------------

bool sg_mesh_add_vertex(sg_mesh_reader *r, sg_vec3 p)
{
    if (r->vertices.len >= UINT32_MAX - 1)
        return sg_mesh_complain(r, "there are too many vertices");
    return SG_PUSH(r->allocator, &r->vertices, p) || sg_mesh_out_of_memory(r);
}

bool sg_mesh_add_triangle(sg_mesh_reader *r, uint32_t a, uint32_t b, uint32_t c)
{
    if (!SG_RESERVE(r->allocator, &r->corners, r->corners.len + 3))
        return sg_mesh_out_of_memory(r);
    uint32_t *corner = r->corners.data + r->corners.len;
    corner[0] = a;
    corner[1] = b;
    corner[2] = c;
    r->corners.len += 3;
    return true;
}

bool sg_mesh_add_fan(sg_mesh_reader *r)
{
    const uint32_t *p = r->polygon.data;
    for (size_t i = 2; i < r->polygon.len; i++)
        if (!sg_mesh_add_triangle(r, p[0], p[i - 1], p[i]))
            return false;
    return true;
}
