#include "base/source.h"
#include "result/json.h"
#include "result/schema.h"
#include "view/scene_names.h"
#include "view/scene_patch.h"

#include <stdio.h>
#include <string.h>

// Frames go out when there are this many, or this many poses or contacts. There is room for more
// contacts than that, up to so many of one point.
enum { MOST_POINTS = 512, MOST_POSES = 1 << 15, MOST_CONTACTS = 1 << 13, AT_A_POINT = 1 << 11 };

void sg_scene_log_init(sg_scene_log *log, const sg_allocator *allocator)
{
    *log = (sg_scene_log){.allocator = allocator};
    sg_buf_init(&log->bytes, allocator);
}

void sg_scene_log_destroy(sg_scene_log *log)
{
    if (!log->allocator)
        return;
    SG_VEC_FREE(log->allocator, &log->poses);
    SG_VEC_FREE(log->allocator, &log->absent);
    SG_VEC_FREE(log->allocator, &log->touching);
    SG_VEC_FREE(log->allocator, &log->contacts);
    sg_scene_patches_destroy(&log->patches, log->allocator);
    sg_buf_free(&log->bytes);
}

// ---- the description ------------------------------------------------------------------------

static void put_vec3(sg_buf *out, const char *key, sg_vec3 v)
{
    double x[3];
    v3_store(v, x);
    sg_json_put_numbers_member(out, key, x, 3);
}

static void put_viewpoint(sg_buf *out, const char *key, const sg_viewpoint *v)
{
    const double x[3] = {v->distance, v->longitude, v->latitude};
    sg_json_put_numbers_member(out, key, x, 3);
}

static bool same_look(const sg_look *a, const sg_look *b)
{
    return memcmp(a->rgb, b->rgb, sizeof a->rgb) == 0 && a->transparency == b->transparency &&
           a->shininess == b->shininess && a->wires == b->wires && a->reflects == b->reflects &&
           a->shadows == b->shadows;
}

// The first visual that looks the same; scenes have few looks, and neighbors mostly the same.
static size_t owner_of_look(const sg_animation *a, size_t i)
{
    const sg_visual *v = a->visuals.data;
    if (i && same_look(&v[i - 1].look, &v[i].look))
        return i - 1;
    for (size_t k = 0; k < i; k++)
        if (same_look(&v[k].look, &v[i].look))
            return k;
    return i;
}

static void put_look(sg_buf *out, const sg_look *look)
{
    const double rgb[3] = {look->rgb[0], look->rgb[1], look->rgb[2]};
    sg_buf_puts(out, out->text[out->len - 1] == '[' ? "{" : ",\n{");
    sg_json_put_numbers_member(out, "color", rgb, 3);
    sg_json_put_number_member(out, "transparency", look->transparency);
    sg_json_put_number_member(out, "shininess", look->shininess);
    sg_json_put_flag_member(out, "wires", look->wires);
    sg_json_put_flag_member(out, "reflects", look->reflects);
    sg_json_put_number_member(out, "shadows", look->shadows);
    sg_buf_putc(out, '}');
}

static bool same_mesh(const sg_visual *a, const sg_visual *b)
{
    if (a->kind != SG_VISUAL_MESH || b->kind != SG_VISUAL_MESH)
        return false;
    if (a->mesh.three && b->mesh.three)
        return strcmp(a->mesh.three, b->mesh.three) == 0;
    return !a->mesh.three && !b->mesh.three && a->mesh.surface == b->mesh.surface;
}

static void put_mesh(sg_buf *out, const sg_visual_mesh *m, uint32_t number)
{
    sg_json_put_key(out, "mesh");
    sg_buf_putc(out, '{');
    sg_json_put_number_member(out, "number", number);
    sg_json_put_flag_member(out, "three", m->three != NULL);
    if (m->three) {
        sg_json_put_text_member(out, "file", m->three);
        put_vec3(out, "scale", m->scale);
        sg_json_put_flag_member(out, "recolor", m->recolor);
    }
    sg_json_put_flag_member(out, "insideOut", m->inside_out);
    sg_json_put_flag_member(out, "smooth", m->smooth);
    sg_json_put_flag_member(out, "twoSided", m->two_sided);
    sg_buf_putc(out, '}');
}

void sg_scene_put_writing(sg_buf *out, const sg_visual_text *t)
{
    sg_json_put_key(out, "text");
    sg_buf_putc(out, '{');
    sg_json_put_text_member(out, "text", t->text);
    sg_json_put_text_member(out, "family", t->family);
    sg_json_put_flag_member(out, "bold", t->bold);
    sg_json_put_flag_member(out, "italic", t->italic);
    sg_json_put_number_member(out, "plane", t->plane);
    sg_json_put_number_member(out, "align", t->align);
    put_vec3(out, "offset", t->offset);
    sg_buf_putc(out, '}');
}

static void put_visual(sg_buf *out, const sg_visual *v, uint32_t look, uint32_t mesh)
{
    sg_buf_puts(out, out->text[out->len - 1] == '[' ? "{" : ",\n{");
    sg_json_put_text_member(out, "path", v->path);
    sg_json_put_text_member(out, "shape", v->shape);
    sg_json_put_text_member(out, "kind", sg_visual_kind_names[v->kind]);
    sg_json_put_number_member(out, "axis", v->axis);
    sg_json_put_numbers_member(out, "size", v->size, SG_VISUAL_SIZES);
    sg_json_put_number_member(out, "look", look);
    sg_json_put_number_member(out, "object", v->object);
    if (v->plain)
        sg_json_put_flag_member(out, "plain", true);
    if (v->kind == SG_VISUAL_MESH)
        put_mesh(out, &v->mesh, mesh);
    if (v->kind == SG_VISUAL_TEXT)
        sg_scene_put_writing(out, &v->text);
    sg_buf_putc(out, '}');
}

// Numbers of looks and meshes, in the order of the visuals that bring them.
typedef struct scene_numbers {
    uint32_t *look, *mesh;
} scene_numbers;

static bool number_all(const sg_animation *a, sg_arena *arena, scene_numbers *out)
{
    size_t n = a->visuals.len;
    const sg_visual *v = a->visuals.data;
    uint32_t looks = 0, meshes = 0;
    out->look = SG_NEW_ARRAY(arena, uint32_t, n + 1);
    out->mesh = SG_NEW_ARRAY(arena, uint32_t, n + 1);
    for (size_t i = 0; out->look && out->mesh && i < n; i++) {
        size_t look = owner_of_look(a, i), k = 0;
        out->look[i] = look < i ? out->look[look] : looks++;
        if (v[i].kind != SG_VISUAL_MESH)
            continue;
        while (k < i && !same_mesh(&v[k], &v[i]))
            k++;
        out->mesh[i] = k < i ? out->mesh[k] : meshes++;
    }
    return out->look && out->mesh;
}

static void describe(sg_buf *out, const sg_animation *a, const char *const *objects,
                     size_t n_objects, sg_scene_extras extras, const scene_numbers *numbers)
{
    sg_buf_putc(out, '{');
    sg_json_put_number_member(out, "version", SG_SCENE_VERSION);
    put_vec3(out, "up", a->up);
    put_viewpoint(out, "camera", &a->camera);
    put_viewpoint(out, "light", &a->light);
    sg_json_put_flag_member(out, "showFrames", extras.frames);
    sg_json_put_flag_member(out, "showContacts", extras.contacts);
    sg_json_put_flag_member(out, "showBoxes", extras.boxes);
    sg_json_put_key(out, "objects");
    sg_buf_putc(out, '[');
    for (size_t i = 0; i < n_objects; i++) {
        sg_buf_puts(out, i ? "," : "");
        sg_json_put_string(out, objects[i]);
    }
    sg_buf_puts(out, "],\n\"looks\":[");
    uint32_t next = 0;
    for (size_t i = 0; i < a->visuals.len && !out->failed; i++)
        if (numbers->look[i] == next) {
            put_look(out, &a->visuals.data[i].look);
            next++;
        }
    sg_buf_puts(out, "],\n\"visuals\":[");
    for (size_t i = 0; i < a->visuals.len && !out->failed; i++)
        put_visual(out, &a->visuals.data[i], numbers->look[i], numbers->mesh[i]);
    sg_buf_puts(out, "]}\n");
}

// ---- meshes ---------------------------------------------------------------------------------

static sg_status keep_three(const sg_scene_log *log, const char *name, const sg_visual_mesh *m)
{
    const sg_allocator *a = log->allocator;
    char *bytes;
    size_t length;
    if (m->three_text)
        return log->keep(log->context, name, m->three_text, m->three_length);
    sg_status status = sg_read_file(a, m->three, &bytes, &length);
    if (status != SG_OK) // gone since it was found: drawn as nothing
        return status == SG_ERR_MEMORY ? status : log->keep(log->context, name, "", 0);
    status = log->keep(log->context, name, bytes, length);
    a->resize(a->context, bytes, length + 1, 0);
    return status;
}

static sg_status keep_triangles(sg_scene_log *log, const char *name, const sg_triangles *s)
{
    sg_buf *out = &log->bytes;
    sg_buf_clear(out);
    sg_put_u32(out, (uint32_t)s->n_vertices);
    sg_put_u32(out, (uint32_t)s->n_triangles);
    for (size_t i = 0; i < s->n_vertices; i++) {
        sg_put_f64(out, s->vertex[i].x);
        sg_put_f64(out, s->vertex[i].y);
        sg_put_f64(out, s->vertex[i].z);
    }
    sg_buf_add(out, (const char *)s->corner, 3 * s->n_triangles * sizeof *s->corner);
    return out->failed ? SG_ERR_MEMORY : log->keep(log->context, name, out->text, out->len);
}

static sg_status keep_meshes(sg_scene_log *log, const sg_animation *a, const scene_numbers *numbers)
{
    uint32_t next = 0;
    sg_status status = SG_OK;
    for (size_t i = 0; i < a->visuals.len && status == SG_OK; i++) {
        const sg_visual *v = &a->visuals.data[i];
        char name[40];
        if (v->kind != SG_VISUAL_MESH || numbers->mesh[i] != next)
            continue;
        snprintf(name, sizeof name, "scene.mesh.%u", (unsigned)next++);
        status = v->mesh.three ? keep_three(log, name, &v->mesh)
                               : keep_triangles(log, name, v->mesh.surface);
    }
    return status;
}

sg_status sg_scene_log_begin(sg_scene_log *log, const sg_animation *stage,
                             const char *const *objects, size_t n_objects, sg_scene_extras extras)
{
    sg_arena arena;
    scene_numbers numbers;
    sg_arena_init(&arena, log->allocator);
    log->n_visuals = stage->visuals.len;
    log->n_points = log->n_blobs = log->segment = 0;
    log->first = 0;
    sg_status status = number_all(stage, &arena, &numbers) ? SG_OK : SG_ERR_MEMORY;
    if (status == SG_OK) {
        sg_buf_clear(&log->bytes);
        describe(&log->bytes, stage, objects, n_objects, extras, &numbers);
        status = log->bytes.failed
                     ? SG_ERR_MEMORY
                     : log->keep(log->context, "scene", log->bytes.text, log->bytes.len);
    }
    if (status == SG_OK)
        status = keep_meshes(log, stage, &numbers);
    sg_arena_destroy(&arena);
    return status;
}

// ---- frames ---------------------------------------------------------------------------------

// How a visual is in a blob: not there, at one place, or moving.
static uint32_t motion_of(const sg_scene_log *log, size_t visual)
{
    const sg_visual_pose *p = log->poses.data + visual;
    if (log->absent.data[visual])
        return SG_SCENE_ABSENT;
    for (uint32_t k = 1; k < log->n_points; k++)
        if (memcmp(p, p + k * log->n_visuals, sizeof *p) != 0)
            return SG_SCENE_MOVING;
    return SG_SCENE_STILL;
}

static void put_poses(sg_buf *out, const sg_scene_log *log)
{
    size_t begin = out->len;
    for (size_t i = 0; i < log->n_visuals; i++)
        sg_put_u32(out, motion_of(log, i));
    for (size_t i = 0; i < log->n_visuals && !out->failed; i++) {
        uint32_t motion;
        memcpy(&motion, out->text + begin + i * sizeof motion, sizeof motion);
        uint32_t n = motion == SG_SCENE_ABSENT ? 0 : motion == SG_SCENE_STILL ? 1 : log->n_points;
        for (uint32_t k = 0; k < n; k++)
            sg_buf_add(out, (const char *)&log->poses.data[k * log->n_visuals + i],
                       sizeof(sg_visual_pose));
    }
}

sg_status sg_scene_log_flush(sg_scene_log *log)
{
    sg_buf *out = &log->bytes;
    char name[40];
    if (!log->n_points)
        return SG_OK;
    sg_buf_clear(out);
    sg_put_u32(out, log->segment);
    sg_put_u32(out, log->n_points);
    sg_put_u64(out, log->first);
    sg_put_u32(out, (uint32_t)log->n_visuals);
    sg_put_u32(out, (uint32_t)log->contacts.len);
    put_poses(out, log);
    sg_buf_add(out, (const char *)log->touching.data, log->n_points * sizeof(uint32_t));
    if (log->contacts.len)
        sg_buf_add(out, (const char *)log->contacts.data,
                   log->contacts.len * sizeof(sg_scene_contact));
    uint32_t blob = log->n_blobs++;
    snprintf(name, sizeof name, "scene.frames.%u", (unsigned)blob);
    log->first += log->n_points;
    log->n_points = 0;
    log->poses.len = log->touching.len = log->contacts.len = 0;
    sg_status status =
        out->failed ? SG_ERR_MEMORY : log->keep(log->context, name, out->text, out->len);
    return status == SG_OK ? sg_scene_patches_flush(log, blob) : status;
}

// So that points and blobs ask for no memory between events.
static bool make_room(sg_scene_log *log)
{
    size_t n = log->n_visuals, most = MOST_POINTS * n;
    size_t poses = (most < MOST_POSES ? most : MOST_POSES) + n;
    size_t contacts = MOST_CONTACTS + AT_A_POINT;
    size_t bytes = poses * sizeof(sg_visual_pose) + (MOST_POINTS + n + 8) * sizeof(uint32_t) +
                   contacts * sizeof(sg_scene_contact);
    size_t patches;
    bool room = sg_scene_patches_room(&log->patches, contacts, log->allocator, &patches);
    sg_buf_clear(&log->bytes);
    return room && sg_buf_reserve(&log->bytes, bytes > patches ? bytes : patches) &&
           SG_RESERVE(log->allocator, &log->contacts, contacts) &&
           SG_RESERVE(log->allocator, &log->absent, n + 1) &&
           SG_RESERVE(log->allocator, &log->poses, poses + 1) &&
           SG_RESERVE(log->allocator, &log->touching, MOST_POINTS);
}

sg_status sg_scene_log_segment(sg_scene_log *log, uint32_t segment)
{
    sg_status status = sg_scene_log_flush(log);
    log->segment = segment;
    if (!make_room(log))
        return SG_ERR_MEMORY;
    log->absent.len = log->n_visuals;
    memset(log->absent.data, 0, log->n_visuals);
    return status;
}

sg_visual_pose *sg_scene_log_point(sg_scene_log *log)
{
    size_t at = log->poses.len;
    if (!SG_RESERVE(log->allocator, &log->poses, at + log->n_visuals + 1) ||
        !SG_PUSH(log->allocator, &log->touching, 0))
        return NULL;
    log->n_points++;
    log->corners_here = 0;
    log->poses.len += log->n_visuals;
    memset(log->poses.data + at, 0, log->n_visuals * sizeof *log->poses.data);
    return log->poses.data + at;
}

bool sg_scene_log_contact(sg_scene_log *log, const sg_scene_contact *contact)
{
    log->touching.data[log->touching.len - 1]++;
    return SG_PUSH(log->allocator, &log->contacts, *contact) &&
           SG_PUSH(log->allocator, &log->patches.rows, ((sg_scene_patch){0}));
}

sg_status sg_scene_log_tick(sg_scene_log *log)
{
    bool enough = log->n_points >= MOST_POINTS || log->poses.len >= MOST_POSES ||
                  log->contacts.len >= MOST_CONTACTS || sg_scene_patches_full(&log->patches);
    return enough ? sg_scene_log_flush(log) : SG_OK;
}
