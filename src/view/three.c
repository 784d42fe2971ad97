#include "base/number.h"
#include "math/rotation.h"
#include "view/three_internal.h"

#include <math.h>
#include <string.h>

enum { FLUSH_AT = 1 << 16 };

// ---- text -----------------------------------------------------------------------------------

void sg_three_flush(sg_three *w)
{
    w->failed |= w->text.failed; // which clearing forgets
    sg_outfile_write(&w->file, sg_buf_text(&w->text), w->text.len);
    sg_buf_clear(&w->text);
}

void sg_three_puts(sg_three *w, const char *text)
{
    sg_buf_puts(&w->text, text);
    if (w->text.len > FLUSH_AT)
        sg_three_flush(w);
}

void sg_three_number(sg_three *w, double x)
{
    sg_json_put_number(&w->text, x == 0.0 ? 0.0 : x, false); // no -0
    if (w->text.len > FLUSH_AT)
        sg_three_flush(w);
}

void sg_three_numbers(sg_three *w, const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        sg_buf_putc(&w->text, i ? ',' : '[');
        sg_three_number(w, x[i]);
    }
    sg_buf_puts(&w->text, n ? "]" : "[]");
}

static void put_vec3(sg_three *w, sg_vec3 v)
{
    double x[3];
    v3_store(v, x);
    sg_three_numbers(w, x, 3);
}

void sg_three_string(sg_three *w, const char *text) { sg_json_put_string(&w->text, text); }

void sg_three_uuid(sg_three *w, sg_uuid uuid)
{
    char text[37];
    sg_uuid_format(uuid, text);
    sg_three_string(w, text);
}

sg_uuid sg_three_name(const sg_three *w, size_t visual, const char *suffix)
{
    char text[1024];
    sg_buf name;
    const char *path = w->a->visuals.data[visual].path;
    if (!suffix[0] && strcmp(path, "Scene") == 0)
        suffix = ".object"; // the scene itself has the other one
    if (strlen(path) + strlen(suffix) < sizeof text) {
        strcpy(text, path);
        strcat(text, suffix);
        return sg_uuid_make(sg_uuid_modia3d, text);
    }
    sg_buf_init(&name, w->a->allocator);
    sg_buf_puts(&name, path);
    sg_buf_puts(&name, suffix);
    sg_uuid uuid = sg_uuid_make(sg_uuid_modia3d, sg_buf_text(&name));
    sg_buf_free(&name);
    return uuid;
}

void sg_three_next(sg_three *w)
{
    sg_three_puts(w, w->first ? "\n" : ",\n");
    w->first = false;
}

void sg_three_key(sg_three *w, const char *key)
{
    sg_buf_putc(&w->text, ',');
    sg_three_string(w, key);
    sg_buf_putc(&w->text, ':');
}

void sg_three_entry(sg_three *w, sg_uuid uuid, const char *type)
{
    sg_three_puts(w, "{\"uuid\":");
    sg_three_uuid(w, uuid);
    sg_three_key(w, "type");
    sg_three_string(w, type);
}

void sg_three_paint(sg_three *w, const sg_look *look)
{
    sg_three_puts(w, "\"color\":");
    sg_three_number(w, (look->rgb[0] * 256 + look->rgb[1]) * 256 + look->rgb[2]);
    sg_three_key(w, "opacity");
    sg_three_number(w, 1.0 - look->transparency);
    sg_three_key(w, "transparent");
    sg_three_puts(w, look->transparency > 0.0 ? "true" : "false");
}

static void begin_list(sg_three *w, const char *key)
{
    sg_three_puts(w, ",\n");
    sg_three_string(w, key);
    sg_three_puts(w, ":[");
    w->first = true;
}

static void end_list(sg_three *w) { sg_three_puts(w, "]"); }

// ---- geometries, materials, shapes ----------------------------------------------------------

// Lists of other three.js files go into those of the same name.
static void import_lists(sg_three *w, const char *list)
{
    for (size_t i = 0; i < w->a->visuals.len; i++)
        if (w->place[i].import)
            sg_three_import_list(w, i, list);
}

static void write_geometries(sg_three *w)
{
    begin_list(w, "geometries");
    for (size_t i = 0; i < w->a->visuals.len; i++)
        if (w->place[i].shown && !w->place[i].import && w->place[i].geometry == i)
            sg_three_geometry(w, i);
    import_lists(w, "geometries");
    end_list(w);
}

static void write_arrow_material(sg_three *w, const char *name, int color)
{
    sg_three_next(w);
    sg_three_entry(w, sg_uuid_make(sg_uuid_modia3d, name), "MeshPhongMaterial");
    sg_three_key(w, "color");
    sg_three_number(w, color);
    sg_three_puts(w, ",\"opacity\":1,\"transparent\":false,\"shininess\":0.5}");
}

static void write_material(sg_three *w, size_t i)
{
    const sg_visual *v = &w->a->visuals.data[i];
    const sg_look *look = &v->look;
    bool lines = v->kind == SG_VISUAL_GRID, mesh = v->kind == SG_VISUAL_MESH;
    sg_three_next(w);
    sg_three_entry(w, sg_three_name(w, i, ".material"),
                   lines ? "LineBasicMaterial" : "MeshPhongMaterial");
    sg_three_puts(w, ",");
    sg_three_paint(w, look);
    if (lines) {
        sg_three_key(w, "linewidth");
        sg_three_number(w, v->size[3]);
        sg_three_puts(w, "}");
        return;
    }
    sg_three_key(w, "shininess");
    sg_three_number(w, 100.0 * look->shininess);
    if (!look->reflects)
        sg_three_puts(w, ",\"specular\":0");
    if (look->wires)
        sg_three_puts(w, ",\"wireframe\":true");
    if (mesh && !v->mesh.smooth)
        sg_three_puts(w, ",\"flatShading\":true");
    if (mesh && v->mesh.two_sided)
        sg_three_puts(w, ",\"side\":2");
    sg_three_puts(w, "}");
}

static void write_materials(sg_three *w)
{
    begin_list(w, "materials");
    write_arrow_material(w, "coordinateSystem.red", 0xff0000);
    write_arrow_material(w, "coordinateSystem.green", 0x00ff00);
    write_arrow_material(w, "coordinateSystem.blue", 0x0000ff);
    for (size_t i = 0; i < w->a->visuals.len; i++)
        if (w->place[i].shown && !w->place[i].import &&
            w->a->visuals.data[i].kind != SG_VISUAL_FRAME)
            write_material(w, i);
    import_lists(w, "materials");
    end_list(w);
}

static void write_shapes(sg_three *w)
{
    begin_list(w, "shapes");
    for (size_t i = 0; i < w->a->visuals.len; i++)
        if (w->place[i].shown)
            sg_three_outline(w, i);
    import_lists(w, "shapes");
    end_list(w);
}

// ---- objects --------------------------------------------------------------------------------

static sg_vec3 position_of(const sg_three_place *place, const sg_visual_pose *pose)
{
    sg_vec3 r = v3_from(pose->r);
    if (v3_max_abs(place->ro) == 0.0)
        return r;
    sg_mat3 R_abs = q_to_mat3((sg_quat){pose->q[0], pose->q[1], pose->q[2], pose->q[3]});
    return v3_add(r, m3_tmul_v(&R_abs, place->ro));
}

static sg_quat orientation_of(const sg_three_place *place, const sg_visual_pose *pose)
{
    return q_absolute((sg_quat){pose->q[0], pose->q[1], pose->q[2], pose->q[3]}, place->qo);
}

static void put_quat(sg_three *w, sg_quat q)
{
    double x[4] = {q.x, q.y, q.z, q.w};
    sg_three_numbers(w, x, 4);
}

void sg_three_pose(sg_three *w, sg_vec3 r, sg_quat q)
{
    sg_three_key(w, "position");
    put_vec3(w, r);
    sg_three_key(w, "quaternion");
    put_quat(w, q);
}

static void write_visual(sg_three *w, size_t i)
{
    static const sg_visual_pose at_origin = {{0, 0, 0}, {0, 0, 0, 1}};
    const sg_visual *v = &w->a->visuals.data[i];
    const sg_three_place *place = &w->place[i];
    const sg_visual_pose *pose = w->a->time.len ? sg_animation_pose(w->a, 0, i) : &at_origin;
    const char *type = v->kind == SG_VISUAL_FRAME  ? "Group"
                       : v->kind == SG_VISUAL_GRID ? "LineSegments"
                                                   : "Mesh";
    sg_three_next(w);
    sg_three_puts(w, "{\"name\":");
    sg_three_string(w, v->path);
    sg_three_key(w, "uuid");
    sg_three_uuid(w, sg_three_name(w, i, ""));
    sg_three_pose(w, position_of(place, pose), orientation_of(place, pose));
    sg_three_key(w, "scale");
    put_vec3(w, place->scale);
    if (v->look.shadows & 1)
        sg_three_puts(w, ",\"castShadow\":true");
    if (v->look.shadows & 2)
        sg_three_puts(w, ",\"receiveShadow\":true");
    if (place->import) {
        sg_three_import_object(w, i);
    } else {
        sg_three_key(w, "type");
        sg_three_string(w, type);
        if (v->kind == SG_VISUAL_FRAME) {
            sg_three_arrows(w, i);
        } else {
            sg_three_key(w, "geometry");
            sg_three_uuid(w, sg_three_name(w, place->geometry, ".geometry"));
            sg_three_key(w, "material");
            sg_three_uuid(w, sg_three_name(w, i, ".material"));
        }
    }
    sg_three_puts(w, "}");
}

// ---- cameras and lights (components3d.md 11.5) ----------------------------------------------

// From a scene with y up to one with another axis up.
static sg_mat3 view_matrix(sg_vec3 up)
{
    if (up.y < 0.0)
        return (sg_mat3){{{0, 0, 1}, {0, -1, 0}, {1, 0, 0}}};
    if (up.x > 0.0)
        return (sg_mat3){{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}};
    if (up.x < 0.0)
        return (sg_mat3){{{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}}};
    if (up.z > 0.0)
        return (sg_mat3){{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}};
    if (up.z < 0.0)
        return (sg_mat3){{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}};
    return M3_IDENTITY;
}

// World to a frame at the viewpoint whose z axis comes from the origin.
static sg_mat3 look_at(const sg_animation *a, sg_viewpoint v, sg_vec3 *position)
{
    double sb = sin(v.longitude), cb = cos(v.longitude), sa = sin(v.latitude), ca = cos(v.latitude);
    sg_mat3 V = view_matrix(a->up);
    sg_mat3 Rc = {{{cb, 0, -sb}, {-sa * sb, ca, -sa * cb}, {ca * sb, sa, ca * cb}}};
    sg_mat3 R = m3_mul(Rc, V);
    *position = m3_tmul_v(&R, v3_make(0.0, 0.0, v.distance));
    return R;
}

static void begin_lamp(sg_three *w, const char *name, const char *type)
{
    sg_three_next(w);
    sg_three_entry(w, sg_uuid_make(w->scene, name), type);
    sg_three_key(w, "name");
    sg_three_string(w, name);
}

// three.js divides by pi since its release 155: with these a surface that faces the light shows its
// color as the model says it, and one in the shade two fifths of it. (The published program writes
// 1 and 0.5 for older releases; today that is dark.)
static void write_lights(sg_three *w)
{
    sg_vec3 position;
    look_at(w->a, w->a->light, &position);
    begin_lamp(w, "Directional Light", "DirectionalLight");
    sg_three_puts(w, ",\"color\":16777215,\"intensity\":1.9");
    sg_three_key(w, "position");
    put_vec3(w, position);
    sg_three_puts(w, "}");
    begin_lamp(w, "Ambient Light", "AmbientLight");
    sg_three_puts(w, ",\"color\":16777215,\"intensity\":1.25}");
}

static void write_camera(sg_three *w)
{
    sg_vec3 position;
    double distance = w->a->camera.distance;
    sg_mat3 R = look_at(w->a, w->a->camera, &position);
    begin_lamp(w, "Perspective Camera", "PerspectiveCamera");
    sg_three_puts(w, ",\"fov\":50,\"aspect\":1.5");
    sg_three_key(w, "near");
    sg_three_number(w, distance / 100.0);
    sg_three_key(w, "far");
    sg_three_number(w, distance * 100.0);
    sg_three_key(w, "position");
    put_vec3(w, position);
    sg_three_key(w, "rotation");
    put_vec3(w, rot_123_from(&R, 0.0));
    sg_three_puts(w, "}");
}

static void write_side_view(sg_three *w, const char *name, sg_vec3 direction, sg_vec3 rotation)
{
    double distance = w->a->camera.distance, half = 0.5 * distance;
    const struct {
        const char *key;
        double value;
    } range[] = {{"left", -half},   {"right", half}, {"top", half},
                 {"bottom", -half}, {"near", 0.0},   {"far", 100.0 * distance}};
    begin_lamp(w, name, "OrthographicCamera");
    for (size_t i = 0; i < sizeof range / sizeof range[0]; i++) {
        sg_three_key(w, range[i].key);
        sg_three_number(w, range[i].value);
    }
    sg_three_key(w, "position");
    put_vec3(w, v3_scale(direction, distance));
    sg_three_key(w, "rotation");
    put_vec3(w, rotation);
    sg_three_puts(w, "}");
}

static void write_object(sg_three *w)
{
    sg_three_puts(w, ",\n\"object\":");
    sg_three_entry(w, w->scene, "Scene");
    sg_three_puts(w, ",\"name\":\"Scene\"");
    if (w->a->time.len) {
        sg_three_puts(w, ",\"animations\":[");
        sg_three_uuid(w, w->scene);
        sg_three_puts(w, "]");
    }
    begin_list(w, "children");
    write_lights(w);
    write_camera(w);
    write_side_view(w, "Orthographic Camera XY", v3_make(0, 0, 1), V3_ZERO);
    write_side_view(w, "Orthographic Camera YZ", v3_make(1, 0, 0),
                    v3_make(0, SG_PI / 2, SG_PI / 2));
    write_side_view(w, "Orthographic Camera ZX", v3_make(0, 1, 0),
                    v3_make(-SG_PI / 2, 0, -SG_PI / 2));
    for (size_t i = 0; i < w->a->visuals.len; i++)
        if (w->place[i].shown)
            write_visual(w, i);
    end_list(w);
    sg_three_puts(w, "}");
}

// ---- animation ------------------------------------------------------------------------------

// A track whose values never change has one key. `turns`: the orientation counts, `moves`: the
// place does.
static size_t count_keys(const sg_animation *a, size_t i, bool turns, bool moves)
{
    const sg_visual_pose *first = sg_animation_pose(a, 0, i);
    for (size_t k = 1; k < a->time.len; k++) {
        const sg_visual_pose *p = sg_animation_pose(a, k, i);
        if ((turns && memcmp(p->q, first->q, sizeof p->q) != 0) ||
            (moves && memcmp(p->r, first->r, sizeof p->r) != 0))
            return a->time.len;
    }
    return 1;
}

// With the first n of these times.
static void begin_track_at(sg_three *w, size_t i, const char *suffix, const char *type,
                           const double *times, size_t n)
{
    char uuid[37];
    sg_uuid_format(sg_three_name(w, i, ""), uuid);
    sg_three_next(w);
    sg_three_puts(w, "{\"name\":\"");
    sg_three_puts(w, uuid);
    sg_three_puts(w, suffix);
    sg_three_puts(w, "\",\"uuid\":");
    sg_three_uuid(w, sg_three_name(w, i, suffix));
    sg_three_key(w, "type");
    sg_three_string(w, type);
    sg_three_key(w, "times");
    if (times == w->a->time.data && n == w->a->time.len)
        sg_three_puts(w, sg_buf_text(&w->times));
    else
        sg_three_numbers(w, times, n);
    sg_three_puts(w, ",\"values\":[");
}

static void begin_track(sg_three *w, size_t i, const char *suffix, const char *type, size_t n)
{
    begin_track_at(w, i, suffix, type, w->a->time.data, n);
}

static void write_position_track(sg_three *w, size_t i)
{
    // Turning moves a geometry whose origin is not that of its object.
    size_t n = count_keys(w->a, i, v3_max_abs(w->place[i].ro) > 0.0, true);
    begin_track(w, i, ".position", "vector3", n);
    for (size_t k = 0; k < n; k++) {
        sg_vec3 r = position_of(&w->place[i], sg_animation_pose(w->a, k, i));
        if (k)
            sg_three_puts(w, ",");
        sg_three_number(w, r.x);
        sg_three_puts(w, ",");
        sg_three_number(w, r.y);
        sg_three_puts(w, ",");
        sg_three_number(w, r.z);
    }
    sg_three_puts(w, "]}");
}

static void write_turning_track(sg_three *w, size_t i)
{
    size_t n = count_keys(w->a, i, true, false);
    sg_quat last = Q_IDENTITY;
    begin_track(w, i, ".quaternion", "quaternion", n);
    for (size_t k = 0; k < n; k++) {
        sg_quat q = orientation_of(&w->place[i], sg_animation_pose(w->a, k, i));
        // q and -q are the same; the way between two keys should be the short one.
        q = k && q_dot(q, last) < 0.0 ? q_neg(q) : q;
        last = q;
        const double x[4] = {q.x, q.y, q.z, q.w};
        for (int j = 0; j < 4; j++) {
            if (k || j)
                sg_three_puts(w, ",");
            sg_three_number(w, x[j]);
        }
    }
    sg_three_puts(w, "]}");
}

// Nothing but that it is seen until then; three.js takes the key before a time as it is.
static void write_visible_track(sg_three *w, size_t i)
{
    const double times[2] = {w->a->time.data[0], w->a->visuals.data[i].ends_at};
    size_t first = times[1] > times[0] ? 0 : 1; // or it is never seen
    begin_track_at(w, i, ".visible", "bool", times + first, 2 - first);
    sg_three_puts(w, first ? "false]}" : "true,false]}");
}

static void write_animation(sg_three *w)
{
    size_t n = w->a->time.len;
    if (!n)
        return;
    for (size_t k = 0; k < n; k++) { // every track that moves repeats them
        sg_buf_putc(&w->times, k ? ',' : '[');
        sg_json_put_number(&w->times, w->a->time.data[k], false);
    }
    sg_buf_putc(&w->times, ']');
    begin_list(w, "animations");
    sg_three_next(w);
    sg_three_puts(w, "{\"name\":\"Simulation\",\"uuid\":");
    sg_three_uuid(w, w->scene);
    sg_three_key(w, "duration");
    sg_three_number(w, w->a->time.data[n - 1]);
    begin_list(w, "tracks");
    for (size_t i = 0; i < w->a->visuals.len; i++)
        if (w->place[i].shown) {
            write_position_track(w, i);
            write_turning_track(w, i);
            if (w->a->visuals.data[i].vanishes)
                write_visible_track(w, i);
        }
    end_list(w);
    sg_three_puts(w, "}");
    end_list(w);
}

// ---- the document ---------------------------------------------------------------------------

// Said once for each kind of shape, at its first object.
static void warn_of_unshown(sg_three *w, size_t i)
{
    const sg_visual *v = &w->a->visuals.data[i];
    const char *shape = v->shape ? v->shape : "";
    size_t n = 0;
    for (size_t k = 0; k < w->a->visuals.len; k++) {
        const char *other = w->a->visuals.data[k].shape;
        if (!w->place[k].why || strcmp(other ? other : "", shape) != 0)
            continue;
        if (k < i)
            return;
        n++;
    }
    sg_buf others;
    sg_buf_init(&others, w->a->allocator);
    if (n > 1)
        sg_buf_printf(&others, ", and so %s %zu more", n > 2 ? "are" : "is", n - 1);
    sg_warning(w->diags, SG_E_ANIMATION, w->span,
               "the animation file cannot show '%s': %s %s; it is left out%s", v->path, shape,
               w->place[i].why, sg_buf_text(&others));
    sg_buf_free(&others);
}

// The first visual with the same geometry: coordinate systems of one length, and meshes with the
// same surface that are lit in the same way.
static size_t owner_of_geometry(const sg_animation *a, size_t i)
{
    const sg_visual *v = &a->visuals.data[i];
    bool frame = v->kind == SG_VISUAL_FRAME;
    for (size_t k = 0; k < i; k++) {
        const sg_visual *other = &a->visuals.data[k];
        if (other->kind == v->kind && !other->mesh.three &&
            (frame
                 ? other->size[0] == v->size[0]
                 : other->mesh.surface == v->mesh.surface && other->mesh.smooth == v->mesh.smooth))
            return k;
    }
    return i;
}

static bool place_all(sg_three *w)
{
    const sg_animation *a = w->a;
    w->place = SG_NEW_ARRAY(&w->arena, sg_three_place, a->visuals.len + 1);
    for (size_t i = 0; w->place && i < a->visuals.len; i++) {
        const sg_visual *v = &a->visuals.data[i];
        sg_three_place *place = &w->place[i];
        *place = sg_three_place_of(v);
        place->geometry = i;
        if (v->kind == SG_VISUAL_MESH && v->mesh.three)
            place->import = sg_three_open_import(w, &v->mesh);
        if (place->import)
            place->scale = v->mesh.scale;
        else if (v->kind == SG_VISUAL_MESH && !v->mesh.surface)
            place->why = "has no file that can be read";
        place->shown = !place->why && !place->bare;
        if (v->kind == SG_VISUAL_FRAME || (v->kind == SG_VISUAL_MESH && !v->mesh.three))
            place->geometry = owner_of_geometry(a, i);
    }
    for (size_t i = 0; w->place && i < a->visuals.len; i++)
        if (w->place[i].why)
            warn_of_unshown(w, i);
    return w->place != NULL;
}

static sg_status write_document(sg_three *w)
{
    sg_three_puts(w, "{\"metadata\":{\"version\":4.5,\"type\":\"Object\",\"generator\":\"Segue\"}");
    write_geometries(w);
    write_materials(w);
    write_shapes(w);
    // Only other three.js files bring these along.
    static const char *const rest[] = {"images", "textures"};
    for (int i = 0; i < 2 && w->imports; i++) {
        begin_list(w, rest[i]);
        import_lists(w, rest[i]);
        end_list(w);
    }
    write_object(w);
    write_animation(w);
    sg_three_puts(w, "}\n");
    sg_three_flush(w);
    return w->failed || w->times.failed || w->arena.failed ? SG_ERR_MEMORY : SG_OK;
}

sg_status sg_three_write(const sg_animation *a, const char *path, sg_span span, sg_diags *diags)
{
    sg_three w = {
        .a = a, .diags = diags, .span = span, .scene = sg_uuid_make(sg_uuid_modia3d, "Scene")};
    size_t first = sg_diags_count(diags);
    sg_arena_init(&w.arena, a->allocator);
    sg_buf_init(&w.text, a->allocator);
    sg_buf_init(&w.times, a->allocator);
    sg_status status = place_all(&w) ? SG_OK : SG_ERR_MEMORY;
    if (status == SG_OK)
        status = sg_outfile_open(&w.file, path, a->allocator, diags);
    if (status == SG_OK) {
        status = write_document(&w);
        if (status == SG_OK)
            status = sg_outfile_commit(&w.file, diags);
        sg_outfile_abandon(&w.file);
    }
    for (size_t i = first; i < sg_diags_count(diags); i++)
        if (!diags->list[i].span.file)
            diags->list[i].span = span;
    sg_three_close_imports(&w);
    sg_buf_free(&w.text);
    sg_buf_free(&w.times);
    sg_arena_destroy(&w.arena);
    return status;
}
