#include "view/gltf_mesh.h"

#include "math/quat.h"
#include "math/rotation.h"
#include "view/gltf_data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { POINTS, LINES, LINE_LOOP, LINE_STRIP, TRIANGLES, STRIP, FAN };

// What a file may blow up to, in vertices and corners that are looked at. A file of some kilobytes
// may well draw one bolt some thousand times, so four million are allowed to anybody; large files
// get what they have if every vertex, of 12 bytes, is drawn in a hundred places.
enum { FREE_COST = 1 << 22, COST_PER_BYTE = 8, PRIMITIVE_COST = 8 };

typedef struct gltf_walk {
    sg_gltf g;
    SG_VEC(sg_vec3) vertex;
    SG_VEC(uint32_t) corner;
    size_t n_dropped;
    size_t length, cost; // of the file; vertices, corners and primitives that were looked at
    // Of the present node: its coordinates to those of the scene.
    sg_mat3 A;
    sg_vec3 b;
} gltf_walk;

static bool out_of_memory(gltf_walk *w)
{
    w->g.arena.failed = true;
    return false;
}

// ---- primitives -----------------------------------------------------------------------------

static bool charge(gltf_walk *w, size_t cost)
{
    w->cost += cost;
    return w->cost <= FREE_COST + COST_PER_BYTE * (w->length + w->g.n_beside) ||
           sg_gltf_complain(&w->g, "its meshes are drawn too often for a file of this size");
}

static bool add_triangle(gltf_walk *w, const uint32_t c[3], size_t first, size_t n, bool mirrored)
{
    if (c[0] >= n || c[1] >= n || c[2] >= n) {
        w->n_dropped++;
        return true;
    }
    if (!SG_RESERVE(w->g.arena.allocator, &w->corner, w->corner.len + 3))
        return out_of_memory(w);
    uint32_t *to = w->corner.data + w->corner.len;
    to[0] = (uint32_t)first + c[0];
    to[1] = (uint32_t)first + c[mirrored ? 2 : 1];
    to[2] = (uint32_t)first + c[mirrored ? 1 : 2];
    w->corner.len += 3;
    return true;
}

// Vertex number of corner `i`, from the indices if there are some.
static uint32_t corner_at(const gltf_walk *w, bool indexed, size_t i)
{
    double x = indexed ? w->g.values.data[i] : (double)i;
    return x >= 0.0 && x < (double)UINT32_MAX ? (uint32_t)x : UINT32_MAX;
}

static bool add_corners(gltf_walk *w, unsigned mode, bool indexed, size_t n_corners, size_t first,
                        size_t n)
{
    bool mirrored = m3_det(&w->A) < 0.0;
    size_t step = mode == TRIANGLES ? 3 : 1;
    for (size_t i = 0; i + 2 < n_corners; i += step) {
        size_t odd = mode == STRIP ? i % 2 : 0; // every second one runs the other way around
        const uint32_t c[3] = {corner_at(w, indexed, mode == FAN ? 0 : i + odd),
                               corner_at(w, indexed, i + 1 - odd), corner_at(w, indexed, i + 2)};
        bool joint = mode != TRIANGLES && (c[0] == c[1] || c[1] == c[2] || c[0] == c[2]);
        if (!joint && !add_triangle(w, c, first, n, mirrored))
            return false;
    }
    return true;
}

// Draco keeps the numbers for itself and leaves accessors without bytes behind.
static bool check_draco(gltf_walk *w, const sg_json *primitive, uint64_t position)
{
    static const char name[] = "KHR_draco_mesh_compression";
    const sg_json *a = position < w->g.accessors.n ? w->g.accessors.item[position] : NULL;
    return !sg_json_member(sg_json_member(primitive, "extensions"), name) ||
           sg_json_member(a, "bufferView") ||
           sg_gltf_complain(&w->g, "it needs the extension %s, which is not read", name);
}

static bool add_primitive(gltf_walk *w, const sg_json *primitive)
{
    sg_gltf *g = &w->g;
    const sg_json *attributes = sg_json_member(primitive, "attributes");
    uint64_t mode, position, indices;
    size_t n, n_corners, first = w->vertex.len;
    bool indexed = sg_json_member(primitive, "indices") != NULL;
    if (!charge(w, PRIMITIVE_COST) ||
        !sg_gltf_whole(g, primitive, "mode", TRIANGLES, "a primitive", &mode) ||
        !sg_gltf_whole(g, attributes, "POSITION", UINT64_MAX, "a primitive", &position) ||
        !sg_gltf_whole(g, primitive, "indices", 0, "a primitive", &indices))
        return false;
    if (mode > FAN)
        return sg_gltf_complain(g, "a primitive has a mode that does not exist");
    if (mode < TRIANGLES || position == UINT64_MAX) // without surface; without positions
        return true;
    if (!check_draco(w, primitive, position) || !sg_gltf_read_accessor(g, position, 3, &n) ||
        !charge(w, n))
        return false;
    if (n >= UINT32_MAX - first)
        return sg_gltf_complain(g, "there are too many vertices");
    if (!SG_RESERVE(g->arena.allocator, &w->vertex, first + n))
        return out_of_memory(w);
    for (size_t i = 0; i < n; i++) {
        sg_vec3 p = m3_mul_v(&w->A, v3_from(g->values.data + 3 * i));
        w->vertex.data[w->vertex.len++] = v3_add(p, w->b);
    }
    n_corners = n;
    if (indexed && !sg_gltf_read_accessor(g, indices, 1, &n_corners))
        return false;
    return charge(w, n_corners) && add_corners(w, (unsigned)mode, indexed, n_corners, first, n);
}

static bool add_mesh(gltf_walk *w, const sg_json *mesh)
{
    const sg_json *list = sg_json_member(mesh, "primitives");
    for (const sg_json *p = list ? list->first : NULL; p; p = p->next)
        if (!add_primitive(w, p))
            return false;
    return true;
}

// ---- nodes ----------------------------------------------------------------------------------

// False if it is absent; sets *wrong if it is there and no list of `n` numbers.
static bool numbers_of(const sg_json *object, const char *key, size_t n, double *out, bool *wrong)
{
    const sg_json *v = sg_json_member(object, key);
    if (!v)
        return false;
    if (v->type != SG_JSON_VECTOR || v->n != n) {
        *wrong = true;
        return false;
    }
    memcpy(out, v->numbers, n * sizeof *out);
    return true;
}

// Coordinates of the node to those of its parent.
static bool transformation(sg_gltf *g, const sg_json *node, sg_mat3 *A, sg_vec3 *b)
{
    double m[16], r[3] = {0, 0, 0}, scale[3] = {1, 1, 1}, q[4] = {0, 0, 0, 1};
    bool wrong = false;
    if (numbers_of(node, "matrix", 16, m, &wrong)) { // column by column
        *A = (sg_mat3){{{m[0], m[4], m[8]}, {m[1], m[5], m[9]}, {m[2], m[6], m[10]}}};
        *b = v3_make(m[12], m[13], m[14]);
        return true;
    }
    numbers_of(node, "translation", 3, r, &wrong);
    numbers_of(node, "scale", 3, scale, &wrong);
    numbers_of(node, "rotation", 4, q, &wrong);
    double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (wrong || !(norm > 0.0) || !isfinite(norm))
        return sg_gltf_complain(g, "a node has a transformation that is none");
    sg_quat unit = {q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm};
    sg_mat3 R_abs = q_to_mat3(unit);
    *A = m3_transpose(R_abs);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            A->m[i][k] *= scale[k];
    *b = v3_from(r);
    return true;
}

// A node that waits, and where its parent is.
typedef struct waiting_node {
    uint64_t number;
    sg_mat3 A;
    sg_vec3 b;
} waiting_node;

typedef SG_VEC(waiting_node) waiting_list;

// Whole numbers of a list; each names a node that nobody named before, since nodes form trees. That
// also bounds the work.
static bool push_nodes(gltf_walk *w, const sg_json *list, bool *seen, waiting_list *waiting)
{
    sg_gltf *g = &w->g;
    for (size_t i = 0; list && list->type == SG_JSON_VECTOR && i < list->n; i++) {
        double x = list->numbers[list->n - 1 - i]; // the first one is taken from the end first
        if (!(x >= 0.0 && x < (double)g->nodes.n && x == floor(x)))
            return sg_gltf_complain(g, "there is no nodes[%.17g]", x);
        uint64_t number = (uint64_t)x;
        if (seen[number])
            return sg_gltf_complain(g, "nodes[%.17g] stands in two places; nodes form trees", x);
        seen[number] = true;
        waiting_node next = {number, w->A, w->b};
        if (!SG_PUSH(g->arena.allocator, waiting, next))
            return out_of_memory(w);
    }
    return true;
}

static bool add_node(gltf_walk *w, const waiting_node *at, bool *seen, waiting_list *waiting)
{
    sg_gltf *g = &w->g;
    const sg_json *node = sg_gltf_item(g, &g->nodes, "nodes", at->number);
    sg_mat3 own = M3_IDENTITY;
    sg_vec3 shift = V3_ZERO;
    if (!node || !transformation(g, node, &own, &shift))
        return false;
    w->b = v3_add(at->b, m3_mul_v(&at->A, shift));
    w->A = m3_mul(at->A, own);
    if (sg_json_member(node, "mesh")) {
        uint64_t number;
        if (!sg_gltf_whole(g, node, "mesh", 0, "a node", &number))
            return false;
        const sg_json *mesh = sg_gltf_item(g, &g->meshes, "meshes", number);
        if (!mesh || !add_mesh(w, mesh))
            return false;
    }
    return push_nodes(w, sg_json_member(node, "children"), seen, waiting);
}

// Where no scene says which nodes there are, those that are nobody's children.
static bool push_roots(gltf_walk *w, bool *seen, waiting_list *waiting)
{
    sg_gltf *g = &w->g;
    bool *child = SG_NEW_ARRAY(&g->arena, bool, g->nodes.n);
    if (!child)
        return false;
    for (size_t i = 0; i < g->nodes.n; i++) {
        const sg_json *list = sg_json_member(g->nodes.item[i], "children");
        for (size_t k = 0; list && list->type == SG_JSON_VECTOR && k < list->n; k++)
            if (list->numbers[k] >= 0.0 && list->numbers[k] < (double)g->nodes.n)
                child[(size_t)list->numbers[k]] = true;
    }
    for (size_t i = g->nodes.n; i-- > 0;)
        if (!child[i]) {
            waiting_node next = {i, w->A, w->b};
            seen[i] = true;
            if (!SG_PUSH(g->arena.allocator, waiting, next))
                return out_of_memory(w);
        }
    return true;
}

static bool add_nodes(gltf_walk *w)
{
    sg_gltf *g = &w->g;
    waiting_list waiting = {0};
    uint64_t number;
    bool *seen = SG_NEW_ARRAY(&g->arena, bool, g->nodes.n), ok = seen != NULL;
    if (ok && g->scenes.n) {
        ok = sg_gltf_whole(g, g->root, "scene", 0, "the file", &number);
        const sg_json *scene = ok ? sg_gltf_item(g, &g->scenes, "scenes", number) : NULL;
        ok = scene && push_nodes(w, sg_json_member(scene, "nodes"), seen, &waiting);
    } else if (ok) {
        ok = push_roots(w, seen, &waiting);
    }
    while (ok && waiting.len) {
        waiting_node at = waiting.data[--waiting.len];
        ok = add_node(w, &at, seen, &waiting);
    }
    SG_VEC_FREE(g->arena.allocator, &waiting);
    return ok;
}

// ---- files ----------------------------------------------------------------------------------

static uint32_t little32(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static bool complain_at_byte(sg_gltf *g, size_t byte, const char *why)
{
    g->complaint.at_byte = true;
    g->complaint.byte = byte;
    return sg_gltf_complain(g, "%s", why);
}

// 'glTF', version, length; then parts: length, kind, bytes. The first is the text, the second, if
// any, holds numbers.
static bool open_parts(sg_gltf *g, const char *bytes, size_t length, sg_gltf_bytes *text)
{
    enum { HEADER = 12, PART = 8, TEXT = 0x4E4F534A, NUMBERS = 0x004E4942 };
    if (length < HEADER + PART)
        return complain_at_byte(g, length, "the file ends in its header");
    if (little32(bytes + 4) != 2)
        return complain_at_byte(g, 4, "only version 2 of glTF is read");
    size_t at = HEADER;
    for (int part = 0; part < 2 && length - at >= PART; part++) {
        size_t n = little32(bytes + at), kind = little32(bytes + at + 4);
        if (n > length - at - PART)
            return complain_at_byte(g, at, "the file ends before this part of it");
        if (part == 0 && kind != TEXT)
            return complain_at_byte(g, at + 4, "the first part of a .glb file must be its JSON");
        if (part == 0)
            *text = (sg_gltf_bytes){bytes + at + PART, n};
        else if (kind == NUMBERS)
            g->chunk = (sg_gltf_bytes){bytes + at + PART, n};
        at += PART + n;
    }
    return true;
}

// Extensions that say nothing about where triangles are, or that are read.
static bool is_harmless(const char *name)
{
    static const char *const begins[] = {"KHR_mesh_quantization",
                                         "KHR_materials_",
                                         "KHR_texture_",
                                         "KHR_lights_",
                                         "KHR_xmp",
                                         "EXT_texture_",
                                         "EXT_lights_",
                                         "KHR_animation_pointer",
                                         "MSFT_texture_"};
    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++)
        if (strncmp(name, begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}

static bool check_extensions(sg_gltf *g)
{
    const sg_json *list = sg_json_member(g->root, "extensionsRequired");
    for (const sg_json *m = list ? list->first : NULL; m; m = m->next)
        if (m->type == SG_JSON_STRING && !is_harmless(m->string))
            return sg_gltf_complain(g, "it needs the extension %.60s, which is not read",
                                    m->string);
    return true;
}

static bool parse(sg_gltf *g, const char *bytes, size_t length, sg_gltf_bytes text)
{
    size_t at;
    const char *why = NULL;
    g->root = sg_json_parse(text.bytes, text.length, &g->arena, &at, &why);
    if (!g->root && why) {
        if (text.bytes == bytes)
            sg_mesh_place(bytes, length, at, &g->complaint);
        else
            g->complaint.at_byte = true;
        g->complaint.byte = (size_t)(text.bytes - bytes) + at;
        sg_gltf_complain(g, "it is not JSON: %s is missing", why);
    }
    return g->root != NULL;
}

static bool read_file(gltf_walk *w, const char *bytes, size_t length)
{
    sg_gltf *g = &w->g;
    sg_gltf_bytes text = {bytes, length};
    if (length >= 4 && memcmp(bytes, "glTF", 4) == 0 && !open_parts(g, bytes, length, &text))
        return false;
    if (!parse(g, bytes, length, text))
        return false;
    const char *version = sg_json_text(sg_json_member(g->root, "asset"), "version");
    if (version[0] != '2')
        return sg_gltf_complain(g, "its asset.version is '%.20s', and only 2.x of glTF is read",
                                version);
    if (!check_extensions(g) || !sg_gltf_list_make(g, "buffers", &g->buffers) ||
        !sg_gltf_list_make(g, "bufferViews", &g->views) ||
        !sg_gltf_list_make(g, "accessors", &g->accessors) ||
        !sg_gltf_list_make(g, "meshes", &g->meshes) || !sg_gltf_list_make(g, "nodes", &g->nodes) ||
        !sg_gltf_list_make(g, "scenes", &g->scenes))
        return false;
    g->buffer = SG_NEW_ARRAY(&g->arena, sg_gltf_bytes, g->buffers.n + 1);
    if (!g->buffer)
        return false;
    if (g->nodes.n)
        return add_nodes(w);
    for (size_t i = 0; i < g->meshes.n; i++)
        if (!add_mesh(w, g->meshes.item[i]))
            return false;
    return true;
}

sg_status sg_gltf_read_mesh(const char *bytes, size_t length, sg_vec3 scale,
                            const sg_gltf_beside *beside, sg_arena *arena, sg_triangles *out,
                            sg_mesh_complaint *complaint)
{
    gltf_walk w = {.A = {{{scale.x, 0, 0}, {0, scale.y, 0}, {0, 0, scale.z}}}};
    sg_gltf *g = &w.g;
    sg_arena_init(&g->arena, arena->allocator);
    g->beside = beside;
    g->most = FREE_COST;
    w.length = length;
    *out = (sg_triangles){0};
    sg_status status = SG_ERR_INPUT;
    bool ok = read_file(&w, bytes, length);
    *complaint = g->complaint;
    if (g->arena.failed)
        status = SG_ERR_MEMORY;
    else if (ok)
        status = sg_triangles_make_used(w.vertex.data, w.vertex.len, w.corner.data,
                                        w.corner.len / 3, arena, out, complaint);
    out->n_dropped += w.n_dropped;
    SG_VEC_FREE(arena->allocator, &w.vertex);
    SG_VEC_FREE(arena->allocator, &w.corner);
    SG_VEC_FREE(arena->allocator, &g->values);
    sg_arena_destroy(&g->arena);
    return status;
}
