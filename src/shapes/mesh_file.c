#include "shapes/mesh_file.h"

#include "shapes/mesh_reader.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

sg_mesh_format sg_mesh_format_of(const char *name)
{
    static const struct {
        const char *ending;
        sg_mesh_format format;
    } table[] = {{".obj", SG_MESH_OBJ},   {".stl", SG_MESH_STL},  {".ply", SG_MESH_PLY},
                 {".gltf", SG_MESH_GLTF}, {".glb", SG_MESH_GLTF}, {".json", SG_MESH_THREE}};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof table / sizeof table[0]; i++)
        if (strcasecmp(dot, table[i].ending) == 0)
            return table[i].format;
    return SG_MESH_UNKNOWN;
}

static sg_status refuse(sg_mesh_complaint *complaint, const char *why)
{
    snprintf(complaint->why, sizeof complaint->why, "%s", why);
    return SG_ERR_INPUT;
}

// ---- merging --------------------------------------------------------------------------------

static bool is_there(const uint32_t *corner, size_t nv)
{
    return corner[0] < nv && corner[1] < nv && corner[2] < nv;
}

// `number` says which vertices are wanted, and then what they are called.
static bool merge(sg_weld *weld, const sg_vec3 *vertex, size_t nv, uint32_t *number, size_t *added)
{
    for (size_t i = 0; i < nv; i++)
        if (number[i]) {
            ++*added;
            if (!sg_weld_add(weld, vertex[i], &number[i]))
                return false;
        }
    return true;
}

// The triangles of `corner` whose numbers are there, renamed by `number` if that is not null.
static bool take(const sg_weld *weld, size_t nv, const uint32_t *corner, size_t nt,
                 const uint32_t *number, sg_arena *arena, sg_triangles *out)
{
    out->n_vertices = weld->vertices.len;
    out->vertex = SG_NEW_ARRAY(arena, sg_vec3, out->n_vertices);
    out->corner = nt <= SIZE_MAX / 3 ? SG_NEW_ARRAY(arena, uint32_t, 3 * nt) : NULL;
    if (!out->vertex || !out->corner)
        return false;
    memcpy(out->vertex, weld->vertices.data, out->n_vertices * sizeof *out->vertex);
    for (size_t t = 0; t < nt; t++) {
        const uint32_t *c = corner + 3 * t;
        if (!is_there(c, nv)) {
            out->n_dropped++;
            continue;
        }
        for (int k = 0; k < 3; k++)
            out->corner[3 * out->n_triangles + (size_t)k] = number ? number[c[k]] : c[k];
        out->n_triangles++;
    }
    out->lo = out->hi = out->vertex[0];
    for (size_t i = 1; i < out->n_vertices; i++) {
        out->lo = v3_lower(out->lo, out->vertex[i]);
        out->hi = v3_upper(out->hi, out->vertex[i]);
    }
    return true;
}

static sg_status check_parts(const sg_vec3 *vertex, size_t nv, const uint32_t *corner, size_t nt,
                             sg_mesh_complaint *complaint)
{
    if (nv == 0)
        return refuse(complaint, "the file holds no vertices");
    if (nt == 0)
        return refuse(complaint, "the file holds no triangles");
    for (size_t i = 0; vertex && i < nv; i++)
        if (!v3_is_finite(vertex[i]))
            return refuse(complaint, "a coordinate of a vertex is not finite");
    for (size_t t = 0; t < nt; t++)
        if (is_there(corner + 3 * t, nv))
            return SG_OK;
    return refuse(complaint, "every face names a vertex that does not exist");
}

static sg_status make(const sg_vec3 *vertex, size_t nv, const uint32_t *corner, size_t nt,
                      bool only_used, sg_arena *arena, sg_triangles *out,
                      sg_mesh_complaint *complaint)
{
    *out = (sg_triangles){0};
    *complaint = (sg_mesh_complaint){0};
    if (check_parts(vertex, nv, corner, nt, complaint) != SG_OK)
        return SG_ERR_INPUT;
    sg_arena scratch;
    sg_weld weld;
    size_t added = 0;
    sg_arena_init(&scratch, arena->allocator);
    sg_weld_init(&weld, arena->allocator);
    uint32_t *number = SG_NEW_ARRAY(&scratch, uint32_t, nv);
    bool ok = number != NULL;
    for (size_t i = 0; ok && !only_used && i < nv; i++)
        number[i] = 1;
    for (size_t t = 0; ok && only_used && t < nt; t++)
        if (is_there(corner + 3 * t, nv))
            for (int k = 0; k < 3; k++)
                number[corner[3 * t + (size_t)k]] = 1;
    ok = ok && merge(&weld, vertex, nv, number, &added) &&
         take(&weld, nv, corner, nt, number, arena, out);
    out->n_repeated = added - out->n_vertices;
    sg_weld_free(&weld);
    sg_arena_destroy(&scratch);
    return ok ? SG_OK : SG_ERR_MEMORY;
}

sg_status sg_triangles_make(const sg_vec3 *vertex, size_t nv, const uint32_t *corner, size_t nt,
                            sg_arena *arena, sg_triangles *out, sg_mesh_complaint *complaint)
{
    return make(vertex, nv, corner, nt, false, arena, out, complaint);
}

sg_status sg_triangles_make_used(const sg_vec3 *vertex, size_t nv, const uint32_t *corner,
                                 size_t nt, sg_arena *arena, sg_triangles *out,
                                 sg_mesh_complaint *complaint)
{
    return make(vertex, nv, corner, nt, true, arena, out, complaint);
}

// ---- files ----------------------------------------------------------------------------------

static sg_status finish(sg_mesh_reader *r, sg_arena *arena, sg_triangles *out,
                        sg_mesh_complaint *complaint)
{
    sg_status status;
    size_t nt = r->corners.len / 3;
    bool mirrored = r->scale.x * r->scale.y * r->scale.z < 0.0;
    for (size_t t = 0; mirrored && t < nt; t++) { // counter-clockwise again
        uint32_t *c = r->corners.data + 3 * t, second = c[1];
        c[1] = c[2];
        c[2] = second;
    }
    if (r->n_welded) {
        size_t nv = r->weld.vertices.len;
        status = check_parts(NULL, nv, r->corners.data, nt, complaint);
        if (status == SG_OK && !take(&r->weld, nv, r->corners.data, nt, NULL, arena, out))
            status = SG_ERR_MEMORY;
        out->n_repeated = r->n_welded - nv;
    } else {
        for (size_t i = 0; i < r->vertices.len; i++)
            r->vertices.data[i] = v3_mul(r->vertices.data[i], r->scale);
        status = make(r->vertices.data, r->vertices.len, r->corners.data, nt, r->only_used, arena,
                      out, complaint);
    }
    out->n_dropped += r->n_dropped;
    return status;
}

sg_status sg_mesh_read(sg_mesh_format format, const char *bytes, size_t length, sg_vec3 scale,
                       sg_arena *arena, sg_triangles *out, sg_mesh_complaint *complaint)
{
    bool (*read)(sg_mesh_reader *) = format == SG_MESH_OBJ   ? sg_mesh_read_obj
                                     : format == SG_MESH_STL ? sg_mesh_read_stl
                                     : format == SG_MESH_PLY ? sg_mesh_read_ply
                                                             : NULL;
    *out = (sg_triangles){0};
    *complaint = (sg_mesh_complaint){0};
    if (!read)
        return refuse(complaint, "only .obj, .stl and .ply files are read here");
    if (length == 0)
        return refuse(complaint, "the file is empty");
    sg_mesh_reader r = {.allocator = arena->allocator,
                        .start = bytes,
                        .at = bytes,
                        .end = bytes + length,
                        .place = bytes,
                        .scale = scale};
    sg_weld_init(&r.weld, arena->allocator);
    bool ok = read(&r);
    sg_status status = r.no_memory ? SG_ERR_MEMORY : SG_ERR_INPUT;
    *complaint = r.complaint;
    if (ok)
        status = finish(&r, arena, out, complaint);
    sg_weld_free(&r.weld);
    SG_VEC_FREE(r.allocator, &r.vertices);
    SG_VEC_FREE(r.allocator, &r.corners);
    SG_VEC_FREE(r.allocator, &r.polygon);
    return status;
}
