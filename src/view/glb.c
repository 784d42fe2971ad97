#include "view/glb.h"

#include "math/quat.h"
#include "result/json.h"
#include "result/outfile.h"
#include "segue/session.h"
#include "view/tessellate.h"

#include <math.h>
#include <string.h>

static const sg_span nowhere = {0, 0, 0};

// Numbers of the format.
enum {
    GLB_FLOAT = 5126,
    GLB_UINT = 5125,
    GLB_VERTICES = 34962,
    GLB_INDICES = 34963,
    GLB_LINES = 1,
    GLB_TRIANGLES = 4
};

typedef struct glb_job {
    const sg_scene *scene;
    const sg_animation *a;
    sg_diags *diags;
    sg_arena arena;
    sg_buf bin; // the numbers
    sg_buf views, accessors, meshes, materials, nodes, samplers, channels;
    uint32_t n_views, n_accessors, n_meshes, n_materials, n_samplers, n_nodes;
    uint32_t *mesh;     // by visual; UINT32_MAX where there is none
    uint32_t *material; // likewise
    float *time;        // of the keys, strictly increasing
    size_t *frame;      // of each key
    size_t n_keys;
    uint32_t times; // accessor
    bool failed;
} glb_job;

static void next(sg_buf *out)
{
    if (out->len)
        sg_buf_putc(out, ',');
}

// ---- numbers --------------------------------------------------------------------------------

static uint32_t add_view(glb_job *j, const void *bytes, size_t length, int target)
{
    sg_buf_pad(&j->bin, '\0', (4 - j->bin.len % 4) % 4);
    next(&j->views);
    sg_buf_printf(&j->views, "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu", j->bin.len,
                  length);
    if (target)
        sg_buf_printf(&j->views, ",\"target\":%d", target);
    sg_buf_putc(&j->views, '}');
    sg_buf_add(&j->bin, bytes, length);
    return j->n_views++;
}

static void put_range(glb_job *j, const float *x, size_t n, size_t width)
{
    static const char *const names[] = {"min", "max"};
    for (int side = 0; side < 2; side++) {
        double bound[3] = {0};
        for (size_t k = 0; k < width; k++)
            bound[k] = (double)x[k];
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < width; k++) {
                double v = (double)x[i * width + k];
                bound[k] = side ? fmax(bound[k], v) : fmin(bound[k], v);
            }
        sg_json_put_numbers_member(&j->accessors, names[side], bound, width);
    }
}

// `n` tuples of floats; positions and times say their range.
static uint32_t add_floats(glb_job *j, const float *x, size_t n, size_t width, int target,
                           bool range)
{
    static const char *const types[] = {"", "SCALAR", "", "VEC3", "VEC4"};
    uint32_t view = add_view(j, x, n * width * sizeof *x, target);
    next(&j->accessors);
    sg_buf_printf(&j->accessors, "{\"bufferView\":%u,\"componentType\":%d,\"count\":%zu", view,
                  GLB_FLOAT, n);
    sg_json_put_text_member(&j->accessors, "type", types[width]);
    if (range)
        put_range(j, x, n, width);
    sg_buf_putc(&j->accessors, '}');
    return j->n_accessors++;
}

static uint32_t add_indices(glb_job *j, const uint32_t *index, size_t n)
{
    uint32_t view = add_view(j, index, n * sizeof *index, GLB_INDICES);
    next(&j->accessors);
    sg_buf_printf(&j->accessors,
                  "{\"bufferView\":%u,\"componentType\":%d,\"count\":%zu,\"type\":\"SCALAR\"}",
                  view, GLB_UINT, n);
    return j->n_accessors++;
}

static uint32_t add_points(glb_job *j, const sg_vec3 *points, size_t n, bool normals)
{
    sg_arena_mark mark = sg_arena_mark_get(&j->arena);
    float *x = SG_NEW_ARRAY(&j->arena, float, 3 * n + 1);
    uint32_t accessor = 0;
    for (size_t i = 0; x && i < n; i++) {
        x[3 * i] = (float)points[i].x;
        x[3 * i + 1] = (float)points[i].y;
        x[3 * i + 2] = (float)points[i].z;
    }
    if (x)
        accessor = add_floats(j, x, n, 3, GLB_VERTICES, !normals);
    sg_arena_release(&j->arena, mark);
    return accessor;
}

// ---- materials ------------------------------------------------------------------------------

static double linear_of(double c)
{
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static uint32_t add_material(glb_job *j, const sg_look *look, bool two_sided)
{
    sg_buf *out = &j->materials;
    double color[4] = {0, 0, 0, 1.0 - look->transparency};
    for (int k = 0; k < 3; k++)
        color[k] = linear_of(look->rgb[k] / 255.0);
    next(out);
    sg_buf_puts(out, "{\"pbrMetallicRoughness\":{");
    sg_json_put_numbers_member(out, "baseColorFactor", color, 4);
    sg_json_put_number_member(out, "metallicFactor", 0.0);
    sg_json_put_number_member(out, "roughnessFactor", 0.85 - 0.6 * look->shininess);
    sg_buf_puts(out, "}");
    if (look->transparency > 0.0)
        sg_json_put_text_member(out, "alphaMode", "BLEND");
    if (two_sided)
        sg_json_put_flag_member(out, "doubleSided", true);
    sg_buf_putc(out, '}');
    return j->n_materials++;
}

static bool same_material(const sg_visual *a, const sg_visual *b)
{
    return memcmp(a->look.rgb, b->look.rgb, sizeof a->look.rgb) == 0 &&
           a->look.transparency == b->look.transparency && a->look.shininess == b->look.shininess &&
           a->mesh.two_sided == b->mesh.two_sided;
}

// ---- meshes ---------------------------------------------------------------------------------

static void put_primitive(glb_job *j, uint32_t position, uint32_t normal, uint32_t index,
                          uint32_t material)
{
    sg_buf_printf(&j->meshes,
                  "{\"attributes\":{\"POSITION\":%u,\"NORMAL\":%u},\"indices\":%u,\"material\":%u,"
                  "\"mode\":%d}",
                  position, normal, index, material, GLB_TRIANGLES);
}

static bool put_facets(glb_job *j, const sg_facets *f, uint32_t material)
{
    if (f->failed || !f->corner.len)
        return false;
    uint32_t position = add_points(j, f->vertex.data, f->vertex.len, false);
    uint32_t normal = add_points(j, f->normal.data, f->normal.len, true);
    put_primitive(j, position, normal, add_indices(j, f->corner.data, f->corner.len), material);
    return true;
}

static void put_arrows(glb_job *j, double length)
{
    for (int axis = 0; axis < 3; axis++) {
        sg_facets f;
        sg_look look = sg_look_make("");
        for (int k = 0; k < 3; k++)
            look.rgb[k] = k == axis ? 200 : 40;
        j->failed |= !sg_facets_of_arrow(&f, length, axis, j->arena.allocator);
        if (axis)
            sg_buf_putc(&j->meshes, ',');
        put_facets(j, &f, add_material(j, &look, false));
        sg_facets_free(&f);
    }
}

static void put_lines(glb_job *j, const sg_visual *v, uint32_t material)
{
    SG_VEC(sg_vec3) points = {0};
    for (int side = 0; side < 2; side++) {
        double length = v->size[side], half = 0.5 * v->size[1 - side], distance = v->size[2];
        int n = distance > 0.0 ? (int)fmin(10000.0, floor((length + 1e-12) / distance)) : 0;
        for (int k = 0; k <= n; k++)
            for (int end = -1; end <= 1; end += 2) {
                double x = k * distance - 0.5 * length, p[3];
                p[(v->axis + 1 + side) % 3] = x;
                p[(v->axis + 2 - side) % 3] = end * half;
                p[v->axis] = 0.0;
                j->failed |= !SG_PUSH(j->arena.allocator, &points, v3_from(p));
            }
    }
    if (!j->failed)
        sg_buf_printf(&j->meshes, "{\"attributes\":{\"POSITION\":%u},\"material\":%u,\"mode\":%d}",
                      add_points(j, points.data, points.len, false), material, GLB_LINES);
    SG_VEC_FREE(j->arena.allocator, &points);
}

static bool is_drawn(const sg_visual *v)
{
    return sg_has_facets(v) || v->kind == SG_VISUAL_FRAME || v->kind == SG_VISUAL_GRID;
}

static void add_mesh(glb_job *j, size_t i)
{
    const sg_visual *v = &j->a->visuals.data[i];
    sg_facets f = {0};
    if (sg_has_facets(v)) {
        j->failed |= !sg_facets_of(&f, v, j->arena.allocator);
        if (!f.corner.len) {
            j->mesh[i] = UINT32_MAX;
            sg_facets_free(&f);
            return;
        }
    }
    next(&j->meshes);
    sg_buf_puts(&j->meshes, "{\"primitives\":[");
    if (v->kind == SG_VISUAL_FRAME)
        put_arrows(j, v->size[0]);
    else if (v->kind == SG_VISUAL_GRID)
        put_lines(j, v, j->material[i]);
    else
        put_facets(j, &f, j->material[i]);
    sg_buf_puts(&j->meshes, "]}");
    sg_facets_free(&f);
    j->mesh[i] = j->n_meshes++;
}

static void warn_of_left_out(glb_job *j)
{
    size_t n = 0, first = 0;
    for (size_t i = 0; i < j->a->visuals.len; i++) {
        const sg_visual *v = &j->a->visuals.data[i];
        if (is_drawn(v) || v->kind == SG_VISUAL_BARE)
            continue;
        first = n++ ? first : i;
    }
    if (n)
        sg_warning(
            j->diags, SG_E_ANIMATION, nowhere,
            "glTF has no place for texts and files of three.js without surface: '%s' is left "
            "out%s",
            j->a->visuals.data[first].path, n > 1 ? ", and so are others" : "");
}

static bool make_meshes(glb_job *j)
{
    size_t n = j->a->visuals.len;
    const sg_visual *v = j->a->visuals.data;
    j->mesh = SG_NEW_ARRAY(&j->arena, uint32_t, n + 1);
    j->material = SG_NEW_ARRAY(&j->arena, uint32_t, n + 1);
    for (size_t i = 0; j->mesh && j->material && i < n && !j->failed; i++) {
        size_t k = 0;
        j->mesh[i] = j->material[i] = UINT32_MAX;
        if (!is_drawn(&v[i]))
            continue;
        if (v[i].kind != SG_VISUAL_FRAME) {
            while (k < i && !(j->material[k] != UINT32_MAX && same_material(&v[k], &v[i])))
                k++;
            j->material[i] =
                k < i ? j->material[k] : add_material(j, &v[i].look, v[i].mesh.two_sided);
        }
        for (k = 0; k < i; k++)
            if (j->mesh[k] != UINT32_MAX && j->material[k] == j->material[i] &&
                sg_same_facets(&v[k], &v[i]))
                break;
        if (k < i)
            j->mesh[i] = j->mesh[k];
        else
            add_mesh(j, i);
    }
    warn_of_left_out(j);
    return j->mesh && j->material && !j->failed;
}

// ---- time -----------------------------------------------------------------------------------

// Keys must come at strictly increasing single precision times that begin at 0: of several frames
// that round to the same, the first stays, and the last moves on by the least step (an event).
static bool choose_keys(glb_job *j)
{
    size_t n = j->a->time.len;
    j->time = SG_NEW_ARRAY(&j->arena, float, n + 1);
    j->frame = SG_NEW_ARRAY(&j->arena, size_t, n + 1);
    if (!j->time || !j->frame)
        return false;
    for (size_t k = 0; k < n; k++) {
        float t = (float)(j->a->time.data[k] - j->a->time.data[0]);
        size_t m = j->n_keys;
        if (m && !(t > j->time[m - 1])) {
            bool second = m > 1 && j->time[m - 1] == nextafterf(j->time[m - 2], INFINITY);
            if (second) { // the later right limit replaces the earlier one
                j->frame[m - 1] = k;
                continue;
            }
            t = nextafterf(j->time[m - 1], INFINITY);
        }
        j->time[m] = t;
        j->frame[m] = k;
        j->n_keys++;
    }
    return true;
}

// ---- nodes and their motion -----------------------------------------------------------------

// The world turned so that up is y.
static sg_quat turn_up(sg_vec3 up)
{
    const double h = sqrt(0.5);
    if (up.x > 0.5)
        return (sg_quat){0, 0, h, h};
    if (up.x < -0.5)
        return (sg_quat){0, 0, -h, h};
    if (up.z > 0.5)
        return (sg_quat){-h, 0, 0, h};
    if (up.z < -0.5)
        return (sg_quat){h, 0, 0, h};
    return up.y < -0.5 ? (sg_quat){1, 0, 0, 0} : Q_IDENTITY;
}

static void round_unit(const double *q, const float *last, float *out)
{
    double norm = 0.0, dot = 0.0;
    for (int k = 0; k < 4; k++) {
        norm = hypot(norm, q[k]);
        dot += last ? (double)last[k] * q[k] : 0.0;
    }
    for (int k = 0; k < 4; k++)
        out[k] = (float)((dot < 0.0 ? -q[k] : q[k]) / (norm > 0.0 ? norm : 1.0));
}

static void add_channel(glb_job *j, uint32_t node, const char *path, uint32_t output,
                        const char *interpolation)
{
    next(&j->samplers);
    sg_buf_printf(&j->samplers, "{\"input\":%u,\"output\":%u,\"interpolation\":\"%s\"}", j->times,
                  output, interpolation);
    next(&j->channels);
    sg_buf_printf(&j->channels, "{\"sampler\":%u,\"target\":{\"node\":%u,\"path\":\"%s\"}}",
                  j->n_samplers++, node, path);
}

static bool changes(const float *x, size_t n, size_t width)
{
    for (size_t i = width; i < n * width; i++)
        if (x[i] != x[i % width])
            return true;
    return false;
}

// Tracks of one node; those that never change are left to the node itself.
static bool animate(glb_job *j, size_t i, uint32_t node)
{
    size_t n = j->n_keys;
    sg_arena_mark mark = sg_arena_mark_get(&j->arena);
    float *r = SG_NEW_ARRAY(&j->arena, float, 3 * n + 1);
    float *q = SG_NEW_ARRAY(&j->arena, float, 4 * n + 1);
    float *size = SG_NEW_ARRAY(&j->arena, float, 3 * n + 1);
    for (size_t m = 0; r && q && size && m < n; m++) {
        const sg_visual_pose *pose = sg_animation_pose(j->a, j->frame[m], i);
        for (size_t k = 0; k < 3; k++) {
            r[3 * m + k] = (float)pose->r[k];
            size[3 * m + k] = sg_scene_present(j->scene, j->frame[m], i) ? 1.0F : 0.0F;
        }
        round_unit(pose->q, m ? q + 4 * (m - 1) : NULL, q + 4 * m);
    }
    bool ok = r && q && size;
    if (ok && changes(r, n, 3))
        add_channel(j, node, "translation", add_floats(j, r, n, 3, 0, false), "LINEAR");
    if (ok && changes(q, n, 4))
        add_channel(j, node, "rotation", add_floats(j, q, n, 4, 0, false), "LINEAR");
    if (ok && changes(size, n, 3))
        add_channel(j, node, "scale", add_floats(j, size, n, 3, 0, false), "STEP");
    sg_arena_release(&j->arena, mark);
    return ok;
}

static void put_node(glb_job *j, size_t i)
{
    const sg_visual *v = &j->a->visuals.data[i];
    sg_buf *out = &j->nodes;
    next(out);
    sg_buf_putc(out, '{');
    sg_json_put_text_member(out, "name", v->path);
    sg_json_put_number_member(out, "mesh", j->mesh[i]);
    if (j->n_keys) {
        const sg_visual_pose *pose = sg_animation_pose(j->a, 0, i);
        float q[4];
        double unit[4];
        round_unit(pose->q, NULL, q);
        for (int k = 0; k < 4; k++)
            unit[k] = (double)q[k];
        sg_json_put_numbers_member(out, "translation", pose->r, 3);
        sg_json_put_numbers_member(out, "rotation", unit, 4);
        if (!sg_scene_present(j->scene, 0, i)) {
            const double none[3] = {0, 0, 0};
            sg_json_put_numbers_member(out, "scale", none, 3);
        }
    }
    sg_json_put_key(out, "extras");
    sg_buf_putc(out, '{');
    sg_json_put_text_member(out, "path", v->path);
    sg_buf_puts(out, "}}");
}

static bool make_nodes(glb_job *j)
{
    j->n_nodes = 1; // behind the root
    if (j->n_keys > 1)
        j->times = add_floats(j, j->time, j->n_keys, 1, 0, true);
    for (size_t i = 0; i < j->a->visuals.len; i++) {
        if (j->mesh[i] == UINT32_MAX)
            continue;
        put_node(j, i);
        if (j->n_keys > 1 && !animate(j, i, j->n_nodes))
            return false;
        j->n_nodes++;
    }
    return true;
}

// ---- the file -------------------------------------------------------------------------------

static void put_list(sg_buf *out, const char *name, const sg_buf *list)
{
    if (!list->len)
        return;
    sg_json_put_key(out, name);
    sg_buf_putc(out, '[');
    sg_buf_add(out, list->text, list->len);
    sg_buf_putc(out, ']');
}

static void put_root(const glb_job *j, sg_buf *out)
{
    sg_quat q = turn_up(j->a->up);
    const double turn[4] = {q.x, q.y, q.z, q.w};
    sg_json_put_key(out, "nodes");
    sg_buf_puts(out, "[{\"name\":\"world\"");
    sg_json_put_numbers_member(out, "rotation", turn, 4);
    if (j->n_nodes > 1) {
        sg_json_put_key(out, "children");
        for (uint32_t k = 1; k < j->n_nodes; k++)
            sg_buf_printf(out, "%c%u", k > 1 ? ',' : '[', k);
        sg_buf_putc(out, ']');
    }
    sg_json_put_key(out, "extras");
    sg_buf_putc(out, '{');
    sg_json_put_number_member(out, "startTime", j->n_keys ? j->a->time.data[0] : 0.0);
    sg_json_put_key(out, "segments");
    sg_buf_putc(out, '[');
    for (size_t k = 0; k < j->a->time.len; k++)
        if (k == 0 || j->scene->segment[k] != j->scene->segment[k - 1])
            sg_buf_printf(out, "%s%.17g", k ? "," : "", j->a->time.data[k] - j->a->time.data[0]);
    sg_buf_puts(out, "]}}");
    if (j->nodes.len) {
        sg_buf_putc(out, ',');
        sg_buf_add(out, j->nodes.text, j->nodes.len);
    }
    sg_buf_putc(out, ']');
}

static void put_document(const glb_job *j, sg_buf *out)
{
    sg_buf_puts(out, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Segue " SG_VERSION_TEXT
                     "\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}]");
    put_root(j, out);
    put_list(out, "meshes", &j->meshes);
    put_list(out, "materials", &j->materials);
    if (j->channels.len) {
        sg_json_put_key(out, "animations");
        sg_buf_puts(out, "[{\"name\":\"Simulation\"");
        put_list(out, "samplers", &j->samplers);
        put_list(out, "channels", &j->channels);
        sg_buf_puts(out, "}]");
    }
    if (j->bin.len)
        sg_buf_printf(out, ",\"buffers\":[{\"byteLength\":%zu}]", j->bin.len);
    put_list(out, "bufferViews", &j->views);
    put_list(out, "accessors", &j->accessors);
    sg_buf_putc(out, '}');
}

static void write_u32(sg_outfile *file, uint32_t x) { sg_outfile_write(file, &x, sizeof x); }

static sg_status write_file(glb_job *j, sg_buf *document, const char *path)
{
    sg_outfile file;
    sg_buf_pad(document, ' ', (4 - document->len % 4) % 4);
    sg_buf_pad(&j->bin, '\0', (4 - j->bin.len % 4) % 4);
    uint64_t total = 12 + 8 + (uint64_t)document->len + (j->bin.len ? 8 + j->bin.len : 0);
    if (j->failed || document->failed || j->bin.failed || j->arena.failed)
        return SG_ERR_MEMORY;
    if (total > UINT32_MAX) {
        sg_error(j->diags, SG_E_ANIMATION, nowhere,
                 "'%s' would be larger than a binary glTF file can be (4 GB)", path);
        return SG_ERR_LIMIT;
    }
    sg_status status = sg_outfile_open(&file, path, j->arena.allocator, j->diags);
    if (status != SG_OK)
        return status;
    sg_outfile_write(&file, "glTF", 4);
    write_u32(&file, 2);
    write_u32(&file, (uint32_t)total);
    write_u32(&file, (uint32_t)document->len);
    sg_outfile_write(&file, "JSON", 4);
    sg_outfile_write(&file, document->text, document->len);
    if (j->bin.len) {
        write_u32(&file, (uint32_t)j->bin.len);
        sg_outfile_write(&file, "BIN", 4);
        sg_outfile_write(&file, j->bin.text, j->bin.len);
    }
    status = sg_outfile_commit(&file, j->diags);
    sg_outfile_abandon(&file);
    return status;
}

sg_status sg_glb_write(const sg_scene *scene, const char *path, sg_diags *diags)
{
    glb_job j = {.scene = scene, .a = &scene->animation, .diags = diags};
    sg_buf document;
    sg_buf *const bufs[] = {&j.bin,   &j.views,    &j.accessors, &j.meshes, &j.materials,
                            &j.nodes, &j.samplers, &j.channels,  &document};
    sg_arena_init(&j.arena, scene->allocator);
    for (size_t i = 0; i < sizeof bufs / sizeof bufs[0]; i++)
        sg_buf_init(bufs[i], scene->allocator);
    sg_status status = choose_keys(&j) && make_meshes(&j) && make_nodes(&j) ? SG_OK : SG_ERR_MEMORY;
    if (status == SG_OK) {
        put_document(&j, &document);
        for (size_t i = 0; i < sizeof bufs / sizeof bufs[0]; i++)
            j.failed |= bufs[i]->failed;
        status = write_file(&j, &document, path);
    }
    for (size_t i = 0; i < sizeof bufs / sizeof bufs[0]; i++)
        sg_buf_free(bufs[i]);
    sg_arena_destroy(&j.arena);
    return status;
}
