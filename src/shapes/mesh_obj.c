// Wavefront OBJ: lines that begin with v (a vertex) and f (a polygon of vertex numbers). All others
// are passed over: normals, textures, groups, materials, curves.
#include "shapes/mesh_reader.h"

enum { MAX_POLYGON = 1 << 16 };

// vertex[/texture][/normal]: only the first number matters. Negative ones count back from the last
// vertex so far. False when it is no number; 0 stays 0 and names nothing.
static bool read_reference(const sg_mesh_reader *r, const char *word, size_t length, int64_t *out)
{
    size_t i = 0, digits = 0;
    bool negative = length && word[0] == '-';
    int64_t value = 0;
    for (i = negative; i < length && word[i] >= '0' && word[i] <= '9'; i++, digits++)
        value = value < INT64_C(1) << 40 ? value * 10 + (word[i] - '0') : value;
    if (!digits || (i < length && word[i] != '/'))
        return false;
    *out = negative ? (int64_t)r->vertices.len + 1 - value : value;
    return true;
}

// f a b c ...
static bool read_polygon(sg_mesh_reader *r)
{
    bool known = true;
    r->polygon.len = 0;
    for (;;) {
        size_t length;
        int64_t reference;
        const char *word = sg_mesh_joined_word(r, &length);
        if (!length || *word == '#')
            break;
        if (!read_reference(r, word, length, &reference))
            return sg_mesh_complain(r, "a face needs vertex numbers, such as 'f 1 2 3'");
        if (r->polygon.len >= MAX_POLYGON)
            return sg_mesh_complain(r, "a face has too many corners");
        // Vertices may follow later in the file, so the upper bound is checked at the end.
        known &= reference > 0 && reference < (int64_t)UINT32_MAX;
        if (!SG_PUSH(r->allocator, &r->polygon, known ? (uint32_t)(reference - 1) : 0))
            return sg_mesh_out_of_memory(r);
    }
    if (r->polygon.len < 3)
        return sg_mesh_complain(r, "a face needs at least three corners");
    r->n_dropped += !known;
    return !known || sg_mesh_add_fan(r);
}

bool sg_mesh_read_obj(sg_mesh_reader *r)
{
    r->is_text = true;
    while (r->at < r->end) {
        size_t length;
        sg_vec3 p;
        const char *word = sg_mesh_joined_word(r, &length);
        char first = length == 1 ? *word : '\0';
        if (first == 'v' || first == 'V') {
            if (!sg_mesh_read_point(r, &p) || !sg_mesh_add_vertex(r, p))
                return false;
        } else if ((first == 'f' || first == 'F') && !read_polygon(r)) {
            return false;
        }
        sg_mesh_next_line(r);
    }
    return true;
}
