// Bytes come from anywhere: nothing here trusts a count before it has seen the bytes for it.
#include "result/json.h"
#include "result/result.h"
#include "view/scene_names.h"
#include "view/scene_patch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const sg_visual_kind_names[SG_VISUAL_KINDS] = {
#define SG_SHAPE(NAME, name, Constructor, keywords) #name,
#include "segue/shape_list.h"
    "frame", "grid", "spring", "gear", "text", "bare"};

static const sg_span nowhere = {0, 0, 0};

static sg_status refuse(sg_diags *diags, const sg_result *result, const char *why)
{
    sg_error(diags, SG_E_ANIMATION, nowhere, "the scene in '%s' cannot be read: %s", result->name,
             why);
    return SG_ERR_INPUT;
}

// ---- the description ------------------------------------------------------------------------

// Numbers of a list, as many as are there; the rest stays.
static void read_numbers(const sg_json *object, const char *key, double *out, size_t n)
{
    const sg_json *list = sg_json_member(object, key);
    for (size_t i = 0; list && list->type == SG_JSON_VECTOR && i < n && i < list->n; i++)
        if (isfinite(list->numbers[i]))
            out[i] = list->numbers[i];
}

static sg_vec3 read_vec3(const sg_json *object, const char *key, sg_vec3 standard)
{
    double x[3];
    v3_store(standard, x);
    read_numbers(object, key, x, 3);
    return v3_from(x);
}

static bool read_flag(const sg_json *object, const char *key)
{
    const sg_json *flag = sg_json_member(object, key);
    return flag && flag->type == SG_JSON_BOOL && flag->number != 0.0;
}

// A count from 0 to `most`.
static long read_count(const sg_json *object, const char *key, double most)
{
    double x = sg_json_number(object, key, 0.0);
    return x >= 0.0 && x <= most ? (long)x : 0;
}

static sg_viewpoint read_viewpoint(const sg_json *root, const char *key, sg_viewpoint standard)
{
    double x[3] = {standard.distance, standard.longitude, standard.latitude};
    read_numbers(root, key, x, 3);
    return (sg_viewpoint){x[0], x[1], x[2]};
}

static sg_look read_look(const sg_json *node)
{
    sg_look look = sg_look_make("");
    double rgb[3] = {look.rgb[0], look.rgb[1], look.rgb[2]};
    read_numbers(node, "color", rgb, 3);
    for (int i = 0; i < 3; i++)
        look.rgb[i] = (uint8_t)fmax(0.0, fmin(255.0, rgb[i]));
    look.transparency = fmax(0.0, fmin(1.0, sg_json_number(node, "transparency", 0.0)));
    look.shininess = fmax(0.0, fmin(1.0, sg_json_number(node, "shininess", 0.7)));
    look.wires = read_flag(node, "wires");
    look.reflects = read_flag(node, "reflects");
    look.shadows = (int)read_count(node, "shadows", 3);
    return look;
}

static bool read_objects(sg_scene *s, const sg_json *list)
{
    if (!list || list->type != SG_JSON_ARRAY)
        return true;
    s->objects = SG_NEW_ARRAY(&s->arena, const char *, list->n + 1);
    for (const sg_json *e = list->first; s->objects && e; e = e->next)
        s->objects[s->n_objects++] =
            e->type == SG_JSON_STRING ? sg_arena_text(&s->arena, e->string, strlen(e->string)) : "";
    return s->objects && !s->arena.failed;
}

static bool read_triangles(const char *bytes, size_t length, sg_arena *arena, sg_triangles *out)
{
    sg_reader r = {(const unsigned char *)bytes, (const unsigned char *)bytes + length, false};
    size_t n = sg_read_u32(&r), m = sg_read_u32(&r);
    *out = (sg_triangles){.n_vertices = n, .n_triangles = m};
    if (r.failed || (size_t)(r.end - r.at) / 24 < n || (size_t)(r.end - r.at) - 24 * n < 12 * m)
        return false;
    out->vertex = SG_NEW_ARRAY(arena, sg_vec3, n + 1);
    out->corner = SG_NEW_ARRAY(arena, uint32_t, 3 * m + 1);
    if (!out->vertex || !out->corner)
        return false;
    for (size_t i = 0; i < n; i++) {
        double x[3];
        for (int k = 0; k < 3; k++)
            x[k] = sg_read_f64(&r);
        out->vertex[i] = v3_from(x);
        if (!v3_is_finite(out->vertex[i]))
            return false;
    }
    for (size_t i = 0; i < 3 * m; i++)
        if ((out->corner[i] = sg_read_u32(&r)) >= n)
            return false;
    return true;
}

// Meshes that were read, by number, so that equal bodies keep sharing them.
typedef struct mesh_shelf {
    sg_triangles **surface;
    const char **three;
    size_t *length;
    long n;
} mesh_shelf;

static bool read_mesh(sg_scene *s, const sg_result *result, const sg_json *node, mesh_shelf *shelf,
                      sg_visual_mesh *out)
{
    long number = read_count(node, "number", (double)shelf->n - 1);
    bool three = read_flag(node, "three");
    if (!node)
        return false;
    if (!shelf->surface[number] && !shelf->three[number]) {
        char name[40];
        size_t length;
        snprintf(name, sizeof name, "scene.mesh.%ld", number);
        const char *bytes = sg_result_blob(result, name, &s->arena, &length);
        sg_triangles *t = SG_NEW(&s->arena, sg_triangles);
        if (!bytes || !t)
            return false;
        if (three) {
            shelf->three[number] = bytes;
            shelf->length[number] = length;
        } else if (read_triangles(bytes, length, &s->arena, t)) {
            shelf->surface[number] = t;
        } else {
            return false;
        }
    }
    *out = (sg_visual_mesh){.surface = shelf->surface[number],
                            .scale = read_vec3(node, "scale", v3_make(1, 1, 1)),
                            .inside_out = read_flag(node, "insideOut"),
                            .smooth = read_flag(node, "smooth"),
                            .two_sided = read_flag(node, "twoSided"),
                            .recolor = read_flag(node, "recolor")};
    if (shelf->three[number]) {
        out->three = sg_json_text(node, "file");
        out->three_text = shelf->three[number];
        out->three_length = shelf->length[number];
    }
    return out->surface || out->three;
}

static void read_writing(const sg_json *node, sg_visual_text *out)
{
    *out = (sg_visual_text){.text = sg_json_text(node, "text"),
                            .family = sg_json_text(node, "family"),
                            .bold = read_flag(node, "bold"),
                            .italic = read_flag(node, "italic"),
                            .plane = (int)read_count(node, "plane", 3),
                            .align = (int)read_count(node, "align", 3),
                            .offset = read_vec3(node, "offset", V3_ZERO)};
}

static sg_visual_kind kind_of(const char *name)
{
    int k = 0;
    while (k < SG_VISUAL_BARE && strcmp(sg_visual_kind_names[k], name) != 0)
        k++;
    return (sg_visual_kind)k; // what a later version calls otherwise has no shape
}

static bool read_visual(sg_scene *s, const sg_result *result, const sg_json *node,
                        const sg_look *looks, long n_looks, mesh_shelf *shelf)
{
    sg_visual v = {.path = sg_json_text(node, "path"),
                   .shape = sg_json_text(node, "shape"),
                   .kind = kind_of(sg_json_text(node, "kind")),
                   .axis = (int)read_count(node, "axis", 2),
                   .look = sg_look_make(""),
                   .plain = read_flag(node, "plain")};
    long look = read_count(node, "look", (double)n_looks - 1);
    if (look < n_looks)
        v.look = looks[look];
    v.object = (int)read_count(node, "object", (double)s->n_objects - 1);
    read_numbers(node, "size", v.size, SG_VISUAL_SIZES);
    const sg_json *mesh = sg_json_member(node, "mesh");
    if (v.kind == SG_VISUAL_MESH && !read_mesh(s, result, mesh, shelf, &v.mesh))
        v.kind = SG_VISUAL_BARE;
    if (v.kind == SG_VISUAL_TEXT)
        read_writing(sg_json_member(node, "text"), &v.text);
    return !s->arena.failed && sg_animation_add(&s->animation, &v);
}

static sg_status read_visuals(sg_scene *s, const sg_result *result, const sg_json *root)
{
    const sg_json *list = sg_json_member(root, "visuals"),
                  *look_list = sg_json_member(root, "looks");
    long n = list ? (long)list->n : 0, n_looks = look_list ? (long)look_list->n : 0;
    sg_look *looks = SG_NEW_ARRAY(&s->arena, sg_look, n_looks + 1);
    mesh_shelf shelf = {.surface = SG_NEW_ARRAY(&s->arena, sg_triangles *, n + 1),
                        .three = SG_NEW_ARRAY(&s->arena, const char *, n + 1),
                        .length = SG_NEW_ARRAY(&s->arena, size_t, n + 1),
                        .n = n};
    if (s->arena.failed)
        return SG_ERR_MEMORY;
    n_looks = 0;
    for (const sg_json *e = look_list ? look_list->first : NULL; e; e = e->next)
        looks[n_looks++] = read_look(e);
    for (const sg_json *e = list ? list->first : NULL; e; e = e->next)
        if (!read_visual(s, result, e, looks, n_looks, &shelf))
            return SG_ERR_MEMORY;
    return SG_OK;
}

static sg_status read_description(sg_scene *s, const sg_result *result, const char *text,
                                  size_t length, sg_diags *diags)
{
    size_t at;
    const char *why;
    const sg_json *root = sg_json_parse(text, length, &s->arena, &at, &why);
    if (!root)
        return why ? refuse(diags, result, "its description is not JSON") : SG_ERR_MEMORY;
    if (sg_json_number(root, "version", 0.0) != SG_SCENE_VERSION)
        return refuse(diags, result, "it was written by a later version of Segue");
    s->animation.up = read_vec3(root, "up", s->animation.up);
    s->animation.camera = read_viewpoint(root, "camera", s->animation.camera);
    s->animation.light = read_viewpoint(root, "light", s->animation.light);
    s->extras = (sg_scene_extras){.frames = read_flag(root, "showFrames"),
                                  .contacts = read_flag(root, "showContacts"),
                                  .boxes = read_flag(root, "showBoxes")};
    if (!read_objects(s, sg_json_member(root, "objects")))
        return SG_ERR_MEMORY;
    return read_visuals(s, result, root);
}

// ---- frames ---------------------------------------------------------------------------------

typedef struct frames_blob {
    const char *bytes;
    size_t length;
    uint32_t segment, n_points, n_contacts;
    uint64_t first;
} frames_blob;

// Bytes of poses that the motions of the visuals announce; false when they do not fit.
static bool check_motions(const frames_blob *b, sg_reader r, size_t n_visuals)
{
    uint64_t poses = 0;
    for (size_t i = 0; i < n_visuals; i++) {
        uint32_t motion = sg_read_u32(&r);
        if (motion > SG_SCENE_MOVING)
            return false;
        poses += motion == SG_SCENE_ABSENT ? 0 : motion == SG_SCENE_STILL ? 1 : b->n_points;
    }
    uint64_t want = poses * sizeof(sg_visual_pose) + (uint64_t)b->n_points * 4 +
                    (uint64_t)b->n_contacts * sizeof(sg_scene_contact);
    return !r.failed && want == (uint64_t)(r.end - r.at);
}

static sg_reader reader_of(const frames_blob *b, size_t skip)
{
    const unsigned char *bytes = (const unsigned char *)b->bytes;
    return (sg_reader){bytes + (skip < b->length ? skip : b->length), bytes + b->length, false};
}

enum { FRAMES_HEADER = 24 };

static bool open_frames(const sg_scene *s, const char *bytes, size_t length, uint64_t first,
                        size_t n_segments, frames_blob *out)
{
    *out = (frames_blob){.bytes = bytes, .length = length};
    sg_reader r = reader_of(out, 0);
    out->segment = sg_read_u32(&r);
    out->n_points = sg_read_u32(&r);
    out->first = sg_read_u64(&r);
    uint32_t n_visuals = sg_read_u32(&r);
    out->n_contacts = sg_read_u32(&r);
    return !r.failed && out->first == first && out->segment < n_segments && out->n_points &&
           n_visuals == s->animation.visuals.len && check_motions(out, r, n_visuals);
}

// The poses of a blob are written visual by visual; here they stand frame by frame.
static bool take_poses(sg_scene *s, const frames_blob *b, sg_reader *r)
{
    sg_animation *a = &s->animation;
    size_t n = a->visuals.len, at = a->poses.len;
    sg_reader motions = reader_of(b, FRAMES_HEADER);
    if (!SG_RESERVE(a->allocator, &a->poses, at + n * b->n_points + 1))
        return false;
    a->poses.len += n * b->n_points;
    memset(a->poses.data + at, 0, n * b->n_points * sizeof *a->poses.data);
    for (size_t i = 0; i < n; i++) {
        uint32_t motion = sg_read_u32(&motions);
        // Where a body is not there it stays where it was.
        sg_visual_pose pose = {{0}, {0, 0, 0, 1}};
        if (at)
            pose = a->poses.data[at - n + i];
        s->present[b->segment * n + i] = motion != SG_SCENE_ABSENT;
        for (uint32_t k = 0; k < b->n_points; k++) {
            if (motion == SG_SCENE_MOVING || (motion == SG_SCENE_STILL && k == 0)) {
                memcpy(&pose, r->at, sizeof pose);
                r->at += sizeof pose;
            }
            a->poses.data[at + k * n + i] = pose;
        }
    }
    return true;
}

typedef struct touch_lists {
    SG_VEC(size_t) first;
    SG_VEC(sg_scene_contact) list;
    SG_VEC(uint32_t) segment;
    sg_scene_patches patches;
} touch_lists;

static bool take_contacts(const sg_scene *s, const frames_blob *b, sg_reader *r, touch_lists *t)
{
    uint64_t n = 0;
    for (uint32_t k = 0; k < b->n_points; k++) {
        if (!SG_PUSH(s->allocator, &t->first, t->list.len + (size_t)n) ||
            !SG_PUSH(s->allocator, &t->segment, b->segment))
            return false;
        n += sg_read_u32(r);
    }
    for (uint32_t k = 0; k < b->n_contacts && n == b->n_contacts; k++) {
        sg_scene_contact c;
        memcpy(&c, r->at, sizeof c);
        r->at += sizeof c;
        if (c.a >= s->n_objects || c.b >= s->n_objects)
            c.a = c.b = 0;
        if (!SG_PUSH(s->allocator, &t->list, c))
            return false;
    }
    return true;
}

static sg_status read_frames(sg_scene *s, const sg_result *result, touch_lists *t)
{
    sg_animation *a = &s->animation;
    size_t n = a->visuals.len;
    s->n_segments = result->n_segments;
    s->present = SG_NEW_ARRAY(&s->arena, unsigned char, s->n_segments *n + 1);
    if (!s->present)
        return SG_ERR_MEMORY;
    for (unsigned k = 0;; k++) {
        char name[40];
        size_t length;
        frames_blob b;
        snprintf(name, sizeof name, "scene.frames.%u", k);
        sg_arena_mark mark = sg_arena_mark_get(&s->arena);
        const char *bytes = sg_result_blob(result, name, &s->arena, &length);
        if (!bytes)
            return s->arena.failed ? SG_ERR_MEMORY : SG_OK;
        // A gap ends what can be shown.
        if (!open_frames(s, bytes, length, t->segment.len, s->n_segments, &b) ||
            b.first + b.n_points > result->n_points)
            return SG_OK;
        sg_reader r = reader_of(&b, FRAMES_HEADER + n * sizeof(uint32_t));
        size_t before = t->list.len;
        if (!take_poses(s, &b, &r) || !take_contacts(s, &b, &r, t))
            return SG_ERR_MEMORY;
        snprintf(name, sizeof name, "scene.patches.%u", k);
        bytes = sg_result_blob(result, name, &s->arena, &length);
        if (!sg_scene_patches_take(&t->patches, bytes, length, (uint32_t)(t->list.len - before),
                                   s->allocator))
            return SG_ERR_MEMORY;
        sg_arena_release(&s->arena, mark);
    }
}

static sg_status read_times(sg_scene *s, const sg_result *result, size_t n, sg_diags *diags)
{
    sg_animation *a = &s->animation;
    if (!SG_RESERVE(a->allocator, &a->time, n + 1))
        return SG_ERR_MEMORY;
    a->time.len = n;
    return n ? sg_result_read(result, SG_TIME, 0, 0, n, a->time.data, diags) : SG_OK;
}

static sg_status keep_lists(sg_scene *s, const touch_lists *t)
{
    size_t n = t->segment.len;
    s->segment = SG_NEW_ARRAY(&s->arena, uint32_t, n + 1);
    s->first_contact = SG_NEW_ARRAY(&s->arena, size_t, n + 1);
    s->contacts = SG_NEW_ARRAY(&s->arena, sg_scene_contact, t->list.len + 1);
    if (s->arena.failed)
        return SG_ERR_MEMORY;
    if (n) {
        memcpy(s->segment, t->segment.data, n * sizeof *s->segment);
        memcpy(s->first_contact, t->first.data, n * sizeof *s->first_contact);
    }
    if (t->list.len)
        memcpy(s->contacts, t->list.data, t->list.len * sizeof *s->contacts);
    s->first_contact[n] = t->list.len;
    if (!sg_scene_patches_keep(&t->patches, s))
        return SG_ERR_MEMORY;
    for (size_t k = n; k-- > 0;) // a list that does not fit its count is empty
        if (s->first_contact[k] > s->first_contact[k + 1])
            s->first_contact[k] = s->first_contact[k + 1];
    return SG_OK;
}

// What an action deleted is gone for good.
static void note_deleted(sg_scene *s)
{
    sg_animation *a = &s->animation;
    for (size_t i = 0; i < a->visuals.len; i++)
        for (size_t k = 0; k < a->time.len && !a->visuals.data[i].vanishes; k++) {
            a->visuals.data[i].vanishes = !sg_scene_present(s, k, i);
            a->visuals.data[i].ends_at = a->time.data[k];
        }
}

sg_status sg_scene_open(const sg_result *result, const sg_allocator *allocator, sg_diags *diags,
                        sg_scene **out)
{
    *out = NULL;
    const sg_allocator *a = allocator ? allocator : sg_allocator_default();
    sg_scene *s = a->resize(a->context, NULL, 0, sizeof *s);
    if (!s)
        return SG_ERR_MEMORY;
    *s = (sg_scene){.allocator = a};
    sg_arena_init(&s->arena, a);
    sg_animation_init(&s->animation, a);
    size_t length;
    touch_lists t = {0};
    const char *text = sg_result_blob(result, "scene", &s->arena, &length);
    sg_status status = s->arena.failed ? SG_ERR_MEMORY : SG_OK;
    if (text && status == SG_OK) {
        status = read_description(s, result, text, length, diags);
        if (status == SG_OK)
            status = read_frames(s, result, &t);
        if (status == SG_OK)
            status = read_times(s, result, t.segment.len, diags);
        if (status == SG_OK)
            status = keep_lists(s, &t);
        if (status == SG_OK)
            note_deleted(s);
    }
    SG_VEC_FREE(a, &t.first);
    SG_VEC_FREE(a, &t.list);
    SG_VEC_FREE(a, &t.segment);
    sg_scene_patches_destroy(&t.patches, a);
    if (status == SG_OK && text)
        *out = s;
    else
        sg_scene_close(s);
    return status;
}

void sg_scene_close(sg_scene *s)
{
    if (!s)
        return;
    sg_animation_destroy(&s->animation);
    sg_arena_destroy(&s->arena);
    s->allocator->resize(s->allocator->context, s, sizeof *s, 0);
}
