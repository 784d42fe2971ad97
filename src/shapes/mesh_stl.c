// STL, as text and as bytes: loose triangles, whose corners are merged as they come.
#include "shapes/mesh_reader.h"

#include <string.h>
#include <strings.h>

enum { HEADER = 80, RECORD = 50, LOOK_AT = 512 };

static uint32_t little32(const unsigned char *b)
{
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double little_float(const unsigned char *b)
{
    uint32_t bits = little32(b);
    float x;
    memcpy(&x, &bits, sizeof x);
    return (double)x;
}

// The count in the header decides: many writers of bytes begin them with the word "solid", too.
// Where the count does not fit, a text is what begins so and has no zero byte soon after.
static bool is_binary(const sg_mesh_reader *r)
{
    size_t length = sg_mesh_left(r), blanks = 0;
    if (length < HEADER + 4)
        return false;
    uint64_t n = little32((const unsigned char *)r->at + HEADER);
    if (HEADER + 4 + n * RECORD == length)
        return true;
    while (blanks < HEADER && strchr(" \t\r\n", r->at[blanks]) && r->at[blanks])
        blanks++;
    return strncasecmp(r->at + blanks, "solid", 5) != 0 ||
           memchr(r->at, '\0', length < LOOK_AT ? length : LOOK_AT) != NULL;
}

static bool add_corner(sg_mesh_reader *r, sg_vec3 p, uint32_t *number)
{
    sg_vec3 scaled = v3_mul(p, r->scale);
    if (!v3_is_finite(scaled))
        return sg_mesh_complain(r, "a coordinate of a vertex is not finite");
    r->n_welded++;
    return sg_weld_add(&r->weld, scaled, number) || sg_mesh_out_of_memory(r);
}

static bool read_bytes(sg_mesh_reader *r)
{
    const unsigned char *b = (const unsigned char *)r->at;
    uint64_t n = little32(b + HEADER);
    r->place = r->at + HEADER;
    if (n > (sg_mesh_left(r) - HEADER - 4) / RECORD)
        return sg_mesh_complain(r,
                                "the file ends before its last triangle, or it is not an STL file");
    b += HEADER + 4;
    // A closed surface has half as many vertices as triangles.
    if (!SG_RESERVE(r->allocator, &r->corners, 3 * n) ||
        !sg_weld_reserve(&r->weld, (size_t)n / 2 + 3))
        return sg_mesh_out_of_memory(r);
    for (uint64_t t = 0; t < n; t++, b += RECORD) {
        uint32_t corner[3];
        for (int k = 0; k < 3; k++) {
            const unsigned char *c = b + 12 + 12 * k; // the normal comes first
            sg_vec3 p = v3_make(little_float(c), little_float(c + 4), little_float(c + 8));
            r->place = (const char *)c;
            if (!add_corner(r, p, &corner[k]))
                return false;
        }
        if (!sg_mesh_add_triangle(r, corner[0], corner[1], corner[2]))
            return false;
    }
    return true;
}

static bool is_passed_over(const char *word, size_t length)
{
    static const char *const words[] = {"facet", "outer", "endloop", "solid", "endsolid"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (sg_mesh_is_word(word, length, words[i]))
            return true;
    return length == 0;
}

// facet normal x y z / outer loop / vertex x y z three times / endloop / endfacet
static bool read_text(sg_mesh_reader *r)
{
    uint32_t corner[3];
    size_t n = 0;
    r->is_text = true;
    while (r->at < r->end) {
        size_t length;
        sg_vec3 p;
        const char *word = sg_mesh_word(r, &length);
        if (sg_mesh_is_word(word, length, "vertex")) {
            if (n == 3)
                return sg_mesh_complain(r, "a facet has more than three corners");
            if (!sg_mesh_read_point(r, &p) || !add_corner(r, p, &corner[n]))
                return false;
            if (++n == 3 && !sg_mesh_add_triangle(r, corner[0], corner[1], corner[2]))
                return false;
        } else if (sg_mesh_is_word(word, length, "endfacet")) {
            if (n != 3)
                return sg_mesh_complain(r, "a facet needs three corners");
            n = 0;
        } else if (!is_passed_over(word, length)) {
            return sg_mesh_complain(r, "this is not a line of an STL file");
        }
        sg_mesh_next_line(r);
    }
    r->place = r->end;
    return n == 0 || sg_mesh_complain(r, "the file ends inside of a facet");
}

bool sg_mesh_read_stl(sg_mesh_reader *r) { return is_binary(r) ? read_bytes(r) : read_text(r); }
