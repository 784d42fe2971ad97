// The picture in a page: bodies, their geometries and looks, and where they were.
#include "result/json.h"
#include "result/touches.h"
#include "view/page.h"
#include "view/scene_names.h"
#include "view/tessellate.h"

#include <math.h>
#include <string.h>

typedef struct scene_job {
    const sg_scene *scene;
    sg_buf *head;
    sg_page_bytes *bytes;
    sg_arena arena;
    sg_vec3 middle; // positions are single precision, relative to this point of the world
    float *r;       // of one body, three a frame
    int16_t *q;     // four a frame
    bool failed;
} scene_job;

// ---- geometries -----------------------------------------------------------------------------

// Shapes that the page has no geometry of its own for come as triangles (web/shapes.js).
static bool comes_as_facets(const sg_visual *v)
{
    static const bool drawn_there[SG_VISUAL_KINDS] = {
        [SG_VISUAL_SPHERE] = true,   [SG_VISUAL_ELLIPSOID] = true, [SG_VISUAL_BOX] = true,
        [SG_VISUAL_CYLINDER] = true, [SG_VISUAL_CONE] = true,      [SG_VISUAL_CAPSULE] = true};
    bool pipe = v->kind == SG_VISUAL_CYLINDER && v->size[2] > 0.0;
    return sg_has_facets(v) && (pipe || !drawn_there[v->kind]);
}

static void put_list(scene_job *j, const char *name, const void *list, size_t n, size_t element)
{
    const double place[2] = {(double)sg_page_add(j->bytes, list, n * element), (double)n};
    sg_json_put_numbers_member(j->head, name, place, 2);
}

static void put_points(scene_job *j, const char *name, const sg_vec3 *points, size_t n)
{
    sg_arena_mark mark = sg_arena_mark_get(&j->arena);
    float *x = SG_NEW_ARRAY(&j->arena, float, 3 * n + 1);
    for (size_t i = 0; x && i < n; i++) {
        x[3 * i] = (float)points[i].x;
        x[3 * i + 1] = (float)points[i].y;
        x[3 * i + 2] = (float)points[i].z;
    }
    if (x)
        put_list(j, name, x, 3 * n, sizeof *x);
    sg_arena_release(&j->arena, mark);
}

static void put_facets(scene_job *j, const sg_visual *v)
{
    sg_facets f;
    j->failed |= !sg_facets_of(&f, v, j->arena.allocator);
    if (!j->failed) {
        put_points(j, "position", f.vertex.data, f.vertex.len);
        put_points(j, "normal", f.normal.data, f.normal.len);
        put_list(j, "index", f.corner.data, f.corner.len, sizeof *f.corner.data);
    }
    sg_facets_free(&f);
}

static bool same_geometry(const sg_visual *a, const sg_visual *b)
{
    if (a->kind == SG_VISUAL_MESH && b->kind == SG_VISUAL_MESH && a->mesh.three_text)
        return a->mesh.three_text == b->mesh.three_text && v3_equal(a->mesh.scale, b->mesh.scale);
    return sg_same_facets(a, b);
}

static void put_geometry(scene_job *j, const sg_visual *v)
{
    sg_buf *out = j->head;
    if (out->failed)
        return;
    sg_buf_puts(out, out->text[out->len - 1] == '[' ? "{" : ",{");
    sg_json_put_text_member(out, "kind", sg_visual_kind_names[v->kind]);
    sg_json_put_number_member(out, "axis", v->axis);
    sg_json_put_numbers_member(out, "size", v->size, SG_VISUAL_SIZES);
    if (comes_as_facets(v))
        put_facets(j, v);
    if (v->kind == SG_VISUAL_MESH && v->mesh.three_text) {
        double scale[3];
        v3_store(v->mesh.scale, scale);
        put_list(j, "three", v->mesh.three_text, v->mesh.three_length, 1);
        sg_json_put_numbers_member(out, "scale", scale, 3);
    }
    sg_buf_putc(out, '}');
}

// Numbers the geometries in the order of the bodies that bring them. Most bodies of a large scene
// are like the one before.
static void put_geometries(scene_job *j, uint32_t *number)
{
    const sg_animation *a = &j->scene->animation;
    const sg_visual *v = a->visuals.data;
    SG_VEC(size_t) owners = {0};
    sg_json_put_key(j->head, "geometries");
    sg_buf_putc(j->head, '[');
    for (size_t i = 0; i < a->visuals.len && !j->failed; i++) {
        bool again = i && same_geometry(&v[i - 1], &v[i]);
        size_t k = again ? number[i - 1] : 0;
        while (!again && k < owners.len && !same_geometry(&v[owners.data[k]], &v[i]))
            k++;
        number[i] = (uint32_t)k;
        if (k < owners.len)
            continue;
        j->failed |= !SG_PUSH(j->arena.allocator, &owners, i);
        put_geometry(j, &v[i]);
    }
    sg_buf_putc(j->head, ']');
    SG_VEC_FREE(j->arena.allocator, &owners);
}

// ---- motion ---------------------------------------------------------------------------------

static void find_middle(scene_job *j)
{
    const sg_animation *a = &j->scene->animation;
    sg_vec3 lo = V3_ZERO, hi = V3_ZERO;
    for (size_t k = 0; k < a->poses.len; k++) {
        sg_vec3 r = v3_from(a->poses.data[k].r);
        lo = k ? v3_lower(lo, r) : r;
        hi = k ? v3_upper(hi, r) : r;
    }
    j->middle = v3_scale(v3_add(lo, hi), 0.5);
}

// The orientation as four short integers; the sign is the one with the shorter way.
static void round_turn(const sg_visual_pose *pose, const double *last, int16_t *out)
{
    double dot = 0.0, norm = 0.0;
    for (int k = 0; k < 4; k++) {
        dot += pose->q[k] * last[k];
        norm = hypot(norm, pose->q[k]);
    }
    double scale = (dot < 0.0 ? -32767.0 : 32767.0) / (norm > 0.0 ? norm : 1.0);
    for (int k = 0; k < 4; k++)
        out[k] = (int16_t)lrint(pose->q[k] * scale);
}

// How many frames differ from the first; 1 where none does.
static size_t round_motion(scene_job *j, size_t body)
{
    const sg_animation *a = &j->scene->animation;
    size_t n = a->time.len;
    bool moves = false;
    double last[4] = {0, 0, 0, 1};
    for (size_t k = 0; k < n; k++) {
        const sg_visual_pose *pose = sg_animation_pose(a, k, body);
        sg_vec3 r = v3_sub(v3_from(pose->r), j->middle);
        float *x = j->r + 3 * k;
        int16_t *q = j->q + 4 * k;
        x[0] = (float)r.x;
        x[1] = (float)r.y;
        x[2] = (float)r.z;
        round_turn(pose, last, q);
        for (int i = 0; i < 4; i++)
            last[i] = q[i];
        moves |= k && (memcmp(x, j->r, 3 * sizeof *x) != 0 || memcmp(q, j->q, 4 * sizeof *q) != 0);
    }
    return moves ? n : n ? 1 : 0;
}

static bool was_hidden(const sg_scene *s, size_t body)
{
    for (size_t k = 0; k < s->animation.time.len; k++)
        if (!sg_scene_present(s, k, body))
            return true;
    return false;
}

// Numbers of the segments in which a body is not there.
static void put_absence(scene_job *j, size_t body)
{
    const sg_scene *s = j->scene;
    sg_json_put_key(j->head, "absent");
    sg_buf_putc(j->head, '[');
    for (size_t k = 0; k < s->n_segments; k++)
        if (!s->present[k * s->animation.visuals.len + body])
            sg_buf_printf(j->head, "%s%zu", j->head->text[j->head->len - 1] == '[' ? "" : ",", k);
    sg_buf_putc(j->head, ']');
}

static void put_body(scene_job *j, size_t i, uint32_t geometry)
{
    const sg_visual *v = &j->scene->animation.visuals.data[i];
    sg_buf *out = j->head;
    size_t n = round_motion(j, i);
    const double color[3] = {v->look.rgb[0], v->look.rgb[1], v->look.rgb[2]};
    sg_buf_puts(out, i ? ",\n{" : "{");
    sg_json_put_text_member(out, "path", v->path);
    sg_json_put_text_member(out, "shape", v->shape);
    sg_json_put_number_member(out, "object", v->object);
    sg_json_put_number_member(out, "geometry", geometry);
    sg_json_put_numbers_member(out, "color", color, 3);
    sg_json_put_number_member(out, "transparency", v->look.transparency);
    sg_json_put_number_member(out, "shininess", v->look.shininess);
    sg_json_put_number_member(out, "shadows", v->look.shadows);
    if (v->plain)
        sg_json_put_flag_member(out, "plain", true);
    if (v->look.wires)
        sg_json_put_flag_member(out, "wires", true);
    if (!v->look.reflects)
        sg_json_put_flag_member(out, "flat", true);
    if (v->kind == SG_VISUAL_MESH && v->mesh.two_sided)
        sg_json_put_flag_member(out, "twoSided", true);
    if (v->kind == SG_VISUAL_MESH && v->mesh.recolor)
        sg_json_put_flag_member(out, "recolor", true);
    if (v->kind == SG_VISUAL_TEXT)
        sg_scene_put_writing(out, &v->text);
    if (was_hidden(j->scene, i))
        put_absence(j, i);
    put_list(j, "r", j->r, n, 3 * sizeof *j->r);
    put_list(j, "q", j->q, n, 4 * sizeof *j->q);
    sg_buf_putc(out, '}');
}

// ---- contacts -------------------------------------------------------------------------------

// Corners of patches in a page, 16 bytes each. A wall of a hundred bricks over a thousand points
// has as many.
enum { MOST_CORNERS = 1 << 20 };

// How contacts hold, and their patches: law and grip, five numbers, and the pieces.
static void put_patches(scene_job *j, size_t total)
{
    const sg_scene *s = j->scene;
    uint32_t pieces = s->first_piece[total], corners = s->first_corner[pieces];
    uint32_t *kind = SG_NEW_ARRAY(&j->arena, uint32_t, 2 * total + 1);
    float *hold = SG_NEW_ARRAY(&j->arena, float, 5 * total + 1);
    if (!kind || !hold)
        return;
    for (size_t i = 0; i < total; i++) {
        const sg_scene_patch *p = &s->patch[i];
        const float x[5] = {p->normal, p->friction, p->share, p->area, p->peak};
        kind[2 * i] = p->law;
        kind[2 * i + 1] = p->grip;
        memcpy(&hold[5 * i], x, sizeof x);
    }
    sg_json_put_key(j->head, "laws");
    sg_buf_putc(j->head, '[');
    for (unsigned i = 0; sg_touch_law_word(i); i++) {
        sg_buf_puts(j->head, i ? "," : "");
        sg_json_put_string(j->head, sg_touch_law_word(i));
    }
    sg_buf_putc(j->head, ']');
    put_list(j, "kind", kind, 2 * total, sizeof *kind);
    put_list(j, "hold", hold, 5 * total, sizeof *hold);
    if (!corners || corners > MOST_CORNERS)
        return;
    put_list(j, "pieces", s->first_piece, total + 1, sizeof *s->first_piece);
    put_list(j, "corners", s->first_corner, (size_t)pieces + 1, sizeof *s->first_corner);
    put_list(j, "pressure", s->corner, 4 * (size_t)corners, sizeof(float));
}

static void put_contacts(scene_job *j)
{
    const sg_scene *s = j->scene;
    size_t n = s->animation.time.len, total = s->first_contact[n];
    uint32_t *first = SG_NEW_ARRAY(&j->arena, uint32_t, n + 2);
    uint32_t *pair = SG_NEW_ARRAY(&j->arena, uint32_t, 2 * total + 1);
    float *place = SG_NEW_ARRAY(&j->arena, float, 10 * total + 1);
    if (!first || !pair || !place || !total)
        return;
    for (size_t k = 0; k <= n; k++)
        first[k] = (uint32_t)s->first_contact[k];
    const double middle[3] = {j->middle.x, j->middle.y, j->middle.z};
    for (size_t i = 0; i < total; i++) {
        const sg_scene_contact *c = &s->contacts[i];
        pair[2 * i] = c->a;
        pair[2 * i + 1] = c->b;
        for (size_t k = 0; k < 3; k++) {
            place[10 * i + k] = (float)(c->point[k] - middle[k]);
            place[10 * i + 3 + k] = (float)c->normal[k];
            place[10 * i + 6 + k] = (float)c->force[k];
        }
        place[10 * i + 9] = (float)c->depth;
    }
    sg_json_put_key(j->head, "contacts");
    sg_buf_putc(j->head, '{');
    put_list(j, "first", first, n + 1, sizeof *first);
    put_list(j, "pair", pair, 2 * total, sizeof *pair);
    put_list(j, "place", place, 10 * total, sizeof *place);
    put_patches(j, total);
    sg_buf_putc(j->head, '}');
}

// ---- all ------------------------------------------------------------------------------------

static void put_viewpoint(sg_buf *out, const char *key, const sg_viewpoint *v)
{
    const double x[3] = {v->distance, v->longitude, v->latitude};
    sg_json_put_numbers_member(out, key, x, 3);
}

static void put_all(scene_job *j)
{
    const sg_scene *s = j->scene;
    const sg_animation *a = &s->animation;
    size_t n = a->visuals.len;
    uint32_t *geometry = SG_NEW_ARRAY(&j->arena, uint32_t, n + 1);
    j->r = SG_NEW_ARRAY(&j->arena, float, 3 * a->time.len + 3);
    j->q = SG_NEW_ARRAY(&j->arena, int16_t, 4 * a->time.len + 4);
    if (j->arena.failed)
        return;
    const double up[3] = {a->up.x, a->up.y, a->up.z};
    const double middle[3] = {j->middle.x, j->middle.y, j->middle.z};
    sg_buf *out = j->head;
    sg_json_put_numbers_member(out, "up", up, 3);
    sg_json_put_numbers_member(out, "middle", middle, 3);
    sg_json_put_number_member(out, "frames", (double)a->time.len);
    put_viewpoint(out, "camera", &a->camera);
    put_viewpoint(out, "light", &a->light);
    sg_json_put_flag_member(out, "showContacts", s->extras.contacts);
    sg_json_put_flag_member(out, "showBoxes", s->extras.boxes);
    sg_json_put_key(out, "objects");
    sg_buf_putc(out, '[');
    for (size_t i = 0; i < s->n_objects; i++) {
        sg_buf_puts(out, i ? "," : "");
        sg_json_put_string(out, s->objects[i]);
    }
    sg_buf_puts(out, "]");
    put_geometries(j, geometry);
    sg_json_put_key(out, "bodies");
    sg_buf_putc(out, '[');
    for (size_t i = 0; i < n && !out->failed; i++)
        put_body(j, i, geometry[i]);
    sg_buf_putc(out, ']');
    put_contacts(j);
}

sg_status sg_page_put_scene(sg_buf *head, sg_page_bytes *bytes, const sg_scene *scene)
{
    scene_job j = {.scene = scene, .head = head, .bytes = bytes};
    sg_arena_init(&j.arena, scene->allocator);
    find_middle(&j);
    sg_json_put_key(head, "scene");
    sg_buf_putc(head, '{');
    put_all(&j);
    sg_buf_putc(head, '}');
    bool failed = j.failed || j.arena.failed;
    sg_arena_destroy(&j.arena);
    return failed ? SG_ERR_MEMORY : SG_OK;
}
