// What is visible of a part, and frames of it while the model runs (components3d.md 11.1, 11.2).
#include "base/number.h"
#include "contact/seen.h"
#include "elements/contacts.h"
#include "elements/elements.h"
#include "elements/shown.h"
#include "parts/part.h"
#include "parts/solid.h"
#include "parts/view.h"
#include "view/three.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

// ---- keywords of the Scene ------------------------------------------------------------------

static void read_positive(sg_keywords *r, const char *key, double *out)
{
    sg_read_number(r, key, out);
    if (r->ok && !(*out > 0.0 && isfinite(*out)))
        sg_read_fail(r, key, SG_E_ARGUMENT, "%s must be positive and finite", key);
}

static void read_viewpoint(sg_keywords *r, const char *const *keys, sg_viewpoint *out)
{
    read_positive(r, keys[0], &out->distance);
    sg_read_number(r, keys[1], &out->longitude);
    sg_read_number(r, keys[2], &out->latitude);
    if (r->ok && !(isfinite(out->longitude) && isfinite(out->latitude)))
        sg_read_fail(r, keys[1], SG_E_ARGUMENT, "%s and %s must be finite", keys[1], keys[2]);
}

static bool ends_in_json(const char *name)
{
    size_t n = strlen(name);
    return n > 5 && strcmp(name + n - 5, ".json") == 0;
}

static void read_file(sg_keywords *r, sg_part_view *view)
{
    const char *name = "";
    sg_read_string(r, "animationFile", &name);
    if (!r->ok || !name[0])
        return;
    view->file_span = sg_read_span(r, "animationFile");
    if (ends_in_json(name))
        view->file = sg_arena_text(&r->part->records.arena, name, strlen(name));
    else
        sg_warning(r->part->vm->diags, SG_E_ARGUMENT, view->file_span,
                   "%s: animationFile '%s' does not end in .json; no animation is written", r->what,
                   name);
}

void sg_read_view(sg_keywords *r)
{
    static const char *const camera[] = {"cameraDistance", "cameraLongitude", "cameraLatitude"};
    static const char *const light[] = {"lightDistance", "lightLongitude", "lightLatitude"};
    double length = 1.0;
    read_positive(r, "nominalLength", &length);
    sg_part_view view = {.frame_length = 0.2 * length,
                         .camera = {10.0 * length, 30.0 * SG_DEGREE, 15.0 * SG_DEGREE},
                         .light = {10.0 * length, 60.0 * SG_DEGREE, 45.0 * SG_DEGREE},
                         .n_markers = 5,
                         .marker_diameter = 0.1};
    read_file(r, &view);
    sg_read_flag(r, "provideAnimationData", &view.history); // its name in older models
    sg_read_flag(r, "provideAnimationHistory", &view.history);
    sg_read_flag(r, "visualizeFrames", &view.frames);
    sg_read_flag(r, "visualizeContactPoints", &view.contact_points);
    sg_read_flag(r, "visualizeSupportPoints", &view.support_points);
    sg_read_flag(r, "visualizeBoundingBox", &view.boxes);
    read_positive(r, "defaultFrameLength", &view.frame_length);
    read_positive(r, "defaultContactSphereDiameter", &view.marker_diameter);
    sg_read_count(r, "nVisualContSupPoints", &view.n_markers);
    if (r->ok && view.n_markers < 1)
        sg_read_fail(r, "nVisualContSupPoints", SG_E_ARGUMENT,
                     "nVisualContSupPoints must be positive");
    read_viewpoint(r, camera, &view.camera);
    read_viewpoint(r, light, &view.light);
    r->part->records.scene.view = view;
}

// ---- the list -------------------------------------------------------------------------------

// FOLDER/NAME.json for FOLDER/NAME.obj.
static const char *with_json(sg_arena *arena, const char *file)
{
    const char *slash = strrchr(file, '/'), *dot = strrchr(slash ? slash : file, '.');
    return sg_arena_printf(arena, "%.*s.json", dot ? (int)(dot - file) : (int)strlen(file), file);
}

// The three.js file beside a mesh, if there is one that the model may read. `name` is what the
// model says, `file` where that is on disk.
static const char *three_of(sg_keywords *r, const char *name, const char *file)
{
    const sg_part_host *host = r->part->records.host;
    if (ends_in_json(file))
        return file;
    const char *there = with_json(&r->part->records.arena, file);
    const char *beside = with_json(&r->part->records.arena, name);
    struct stat info;
    if (!there || !beside ||
        lstat(there, &info) != 0) // where a link leads is asked behind the rules
        return NULL;
    return host->locate(host->context, beside, sg_read_span(r, "filename"));
}

// The surface of a mesh, read now if nobody needed it before. What cannot be read is not drawn.
static bool draw_mesh(sg_keywords *r, const sg_part_shape *shape, sg_visual *v)
{
    const char *name = "";
    v->mesh.scale = v3_make(1.0, 1.0, 1.0);
    sg_read_string(r, "filename", &name);
    sg_read_vec3(r, "scale", &v->mesh.scale);
    sg_read_flag(r, "smoothNormals", &v->mesh.smooth);
    sg_read_flag(r, "doubleSided", &v->mesh.two_sided);
    sg_read_flag(r, "useMaterialColor", &v->mesh.recolor);
    v->mesh.three = three_of(r, name, shape->file);
    const sg_part_mesh *mesh = shape->mesh;
    if (!mesh && !v->mesh.three)
        mesh = sg_part_load_mesh(r, name, shape->file, v->mesh.scale);
    v->mesh.surface = mesh ? &mesh->surface : NULL;
    v->mesh.inside_out = mesh && sg_part_mesh_inside_out(r->part, mesh);
    return v->mesh.surface || v->mesh.three;
}

static int read_axis(sg_keywords *r)
{
    int axis = 3;
    sg_read_count(r, "axis", &axis);
    return axis >= 1 && axis <= 3 ? axis - 1 : 2;
}

static void draw_grid(sg_keywords *r, sg_visual *v)
{
    static const char *const keys[] = {"length", "width", "distance", "lineWidth"};
    static const double standard[] = {1.0, 0.6, 0.1, 1.0};
    v->kind = SG_VISUAL_GRID;
    v->axis = read_axis(r);
    for (int k = 0; k < 4; k++) {
        v->size[k] = standard[k];
        sg_read_number(r, keys[k], &v->size[k]);
    }
}

static void draw_spring(sg_keywords *r, sg_visual *v)
{
    static const char *const keys[] = {"length", "diameter", "wireDiameter", "windings"};
    static const double standard[] = {1.0, 1.0, 0.05, 5.0};
    v->kind = SG_VISUAL_SPRING;
    v->axis = read_axis(r);
    for (int k = 0; k < 4; k++) {
        v->size[k] = standard[k];
        sg_read_number(r, keys[k], &v->size[k]);
    }
}

static void draw_gear(sg_keywords *r, sg_visual *v)
{
    static const char *const keys[] = {"diameter",     "length", "innerDiameter",
                                       "rootDiameter", "angle",  "teeth"};
    static const double standard[] = {1.0, 1.0, 0.0, 0.9, 0.0, 20.0};
    v->kind = SG_VISUAL_GEAR;
    v->axis = read_axis(r);
    for (int k = 0; k < 6; k++) {
        v->size[k] = standard[k];
        sg_read_number(r, keys[k], &v->size[k]);
    }
}

// A choice as number; its names are those of the enumerations of Modia3D.
static int read_choice(const sg_keywords *r, const char *key, int standard)
{
    sg_value value;
    bool given = sg_read_has(r, key, &value) && (value.tag == SG_ENUM || value.tag == SG_INT);
    return given ? (int)value.i : standard;
}

// The color is that of the font.
static void draw_text(sg_keywords *r, sg_visual *v)
{
    const sg_dict *font = NULL;
    sg_visual_text *t = &v->text;
    v->kind = SG_VISUAL_TEXT;
    v->plain = false;
    v->size[0] = 0.1;
    *t = (sg_visual_text){.text = "", .family = "FreeSans"};
    sg_read_string(r, "text", &t->text);
    sg_read_vec3(r, "offset", &t->offset);
    t->plane = read_choice(r, "axisAlignment", 0);
    t->align = read_choice(r, "alignment", 3);
    v->look = sg_look_make("");
    sg_read_inner(r, "font", "Font(bold = true)", &font);
    if (!font)
        return;
    sg_keywords inner = sg_reader_inner(r, font);
    sg_read_look_value(&inner, &v->look);
    sg_read_flag(&inner, "bold", &t->bold);
    sg_read_flag(&inner, "italic", &t->italic);
    sg_read_number(&inner, "charSize", &v->size[0]);
    sg_read_string(&inner, "fontFamily", &t->family);
}

// Shapes by their number, all with their middle at the origin and their axis along z; what the
// three lengths do not say is in `extra` (docs/shapes.md).
static void draw_modelica(sg_keywords *r, sg_visual *v)
{
    static const sg_visual_kind kinds[] = {
        SG_VISUAL_BOX,      SG_VISUAL_ELLIPSOID, SG_VISUAL_CYLINDER, SG_VISUAL_CONE,
        SG_VISUAL_CAPSULE,  SG_VISUAL_FRAME,     SG_VISUAL_SPRING,   SG_VISUAL_GEAR,
        SG_VISUAL_CYLINDER, SG_VISUAL_GRID,      SG_VISUAL_BEAM};
    static const char *const lengths[] = {"lengthX", "lengthY", "lengthZ"};
    int type = 1;
    double l[3] = {1.0, 1.0, 1.0}, *s = v->size;
    sg_vec3 e = V3_ZERO;
    sg_read_count(r, "type", &type);
    for (int k = 0; k < 3; k++)
        sg_read_number(r, lengths[k], &l[k]);
    sg_read_vec3(r, "extra", &e);
    v->kind = kinds[type >= 1 && type <= 11 ? type - 1 : 0];
    v->axis = 2;
    switch (type) {
    case 3:
    case 9: // a cylinder, and a pipe with its inner diameter as extra
        s[0] = l[0], s[1] = l[2], s[2] = type == 9 ? e.x : 0.0;
        break;
    case 4: // a cone; extra: diameter at the top
        s[0] = l[0], s[1] = l[2], s[2] = e.x;
        break;
    case 5: // a capsule
        s[0] = l[0], s[1] = fmax(0.0, l[2] - l[0]);
        break;
    case 7: // a spring; extra: windings, diameter of the wire
        s[0] = l[2], s[1] = l[0], s[2] = e.y > 0.0 ? e.y : 0.05 * l[0],
        s[3] = e.x > 0.0 ? e.x : 5.0;
        break;
    case 8: // a gear wheel; extra: teeth, inner diameter
        s[0] = l[0], s[1] = l[2], s[2] = e.y, s[3] = 0.9 * l[0], s[5] = e.x > 0.0 ? e.x : 20.0;
        break;
    case 10: // a grid; extra: distance of the lines
        s[0] = l[0], s[1] = l[1], s[2] = e.x > 0.0 ? e.x : 0.1 * fmin(l[0], l[1]), s[3] = 1.0;
        break;
    case 11: // a beam
        s[0] = fmax(0.0, l[2] - l[0]), s[1] = l[0], s[2] = l[1];
        break;
    default:
        memcpy(s, l, sizeof l);
        break;
    }
}

// False where there is nothing to draw.
static bool describe(sg_part *part, const sg_part_shape *shape, sg_span span, sg_visual *v)
{
    sg_keywords outer = {.part = part, .what = v->path, .span = span, .ok = true, .lenient = true};
    sg_keywords r = sg_reader_inner(&outer, shape->dict);
    v->shape = shape->kind;
    if (shape->solid) {
        v->kind = (sg_visual_kind)shape->form;
        v->axis = shape->size.axis;
        memcpy(v->size, shape->size.size, sizeof shape->size.size);
        return v->kind != SG_VISUAL_MESH || draw_mesh(&r, shape, v);
    }
    if (strcmp(shape->kind, "CoordinateSystem") == 0) {
        v->kind = SG_VISUAL_FRAME;
        v->size[0] = 1.0;
        sg_read_number(&r, "length", &v->size[0]);
    } else if (strcmp(shape->kind, "Grid") == 0) {
        draw_grid(&r, v);
    } else if (strcmp(shape->kind, "SpringShape") == 0) {
        draw_spring(&r, v);
    } else if (strcmp(shape->kind, "GearWheel") == 0) {
        draw_gear(&r, v);
    } else if (strcmp(shape->kind, "TextShape") == 0) {
        draw_text(&r, v);
    } else {
        draw_modelica(&r, v);
    }
    return true;
}

static bool list_object(sg_part *part, int object, sg_animation *a)
{
    const sg_part_object *o = &part->records.objects.data[object];
    sg_visual v = {.path = o->name, .object = object, .look = sg_look_make("")};
    if (part->records.scene.view.frames) {
        sg_visual frame = v;
        frame.path = sg_arena_printf(&part->records.arena, "%s.frame", o->name);
        frame.kind = SG_VISUAL_FRAME;
        frame.size[0] = part->records.scene.view.frame_length;
        if (!frame.path || !sg_animation_add(a, &frame))
            return false;
    }
    if (!o->solid || !o->solid->shape || !o->solid->visible)
        return true;
    v.look = o->solid->look;
    v.plain = o->solid->plain;
    return !describe(part, o->solid->shape, o->span, &v) || sg_animation_add(a, &v);
}

static void warn_of_markers(const sg_part *part)
{
    const sg_part_view *v = &part->records.scene.view;
    const char *keyword = v->contact_points   ? "visualizeContactPoints"
                          : v->support_points ? "visualizeSupportPoints"
                          : v->boxes          ? "visualizeBoundingBox"
                                              : NULL;
    if (keyword && v->file)
        sg_warning(part->vm->diags, SG_E_UNSUPPORTED,
                   part->records.objects.data[part->records.world].span,
                   "%s = true is not drawn in an animationFile; the page of the run shows contact "
                   "points and boxes (segue view)",
                   keyword);
}

// World first, super-object after super-object, as they were gathered. With `bare`, bodies of which
// nothing is visible are listed without a shape.
static bool list_visuals(sg_part *part, sg_animation *a, bool bare)
{
    const sg_tree *tree = part->segment.tree;
    for (int b = 0; b < tree->n_bodies; b++) {
        size_t before = a->visuals.len;
        for (int m = 0; m < tree->body[b].n_members; m++)
            if (!list_object(part, tree->member[tree->body[b].member + m], a))
                return false;
        if (!bare || b == 0 || a->visuals.len > before || !tree->body[b].n_members)
            continue;
        int object = tree->member[tree->body[b].member];
        sg_visual v = {.path = part->records.objects.data[object].name,
                       .kind = SG_VISUAL_BARE,
                       .size = {part->records.scene.view.frame_length},
                       .look = sg_look_make(""),
                       .object = object};
        if (!sg_animation_add(a, &v))
            return false;
    }
    return true;
}

static void set_viewpoints(const sg_part *part, sg_animation *a)
{
    sg_vec3 g =
        part->records.gravity.kind == SG_GRAVITY_UNIFORM ? part->records.gravity.g : V3_ZERO;
    a->up = sg_animation_up(g);
    a->camera = part->records.scene.view.camera;
    a->light = part->records.scene.view.light;
}

// ---- the scene of a run file ----------------------------------------------------------------

bool sg_part_stage(sg_part *part, sg_animation *stage, int first_object)
{
    size_t before = stage->visuals.len;
    if (!part->segment.tree)
        return true;
    if (!before)
        set_viewpoints(part, stage);
    if (!list_visuals(part, stage, true))
        return false;
    for (size_t i = before; i < stage->visuals.len; i++)
        stage->visuals.data[i].object += first_object;
    return true;
}

sg_scene_extras sg_part_stage_extras(const sg_part *part)
{
    return (sg_scene_extras){.contacts = part->records.scene.view.contact_points,
                             .boxes = part->records.scene.view.boxes};
}

size_t sg_part_n_objects(const sg_part *part)
{
    return part->segment.tree ? part->records.objects.len : 0;
}

const char *sg_part_object_path(const sg_part *part, size_t object)
{
    return part->records.objects.data[object].name;
}

bool sg_part_object_gone(const sg_part *part, size_t object)
{
    return part->records.objects.data[object].gone;
}

void sg_part_stage_poses(const sg_part *part, const sg_visual *visuals, size_t n, int first_object,
                         sg_visual_pose *out)
{
    for (size_t i = 0; i < n; i++) {
        sg_pose pose = sg_tree_object_pose(part->segment.tree, &part->run->tree,
                                           visuals[i].object - first_object);
        out[i] = sg_visual_pose_of(&pose);
    }
}

// How a contact holds, and the patch over which it presses.
static void stage_patch(const sg_part *part, const sg_contacts *c, size_t i, sg_scene_log *log)
{
    const sg_contact *k = &c->contact.data[i];
    sg_contact_seen seen = sg_contact_look_at(k);
    sg_body_view view = sg_part_body_view(part->run);
    sg_outline outline;
    uint32_t piece[SG_OUTLINE_PIECES];
    sg_scene_corner corner[SG_OUTLINE_CORNERS];
    bool presses = sg_contact_presses(k);
    sg_contacts_outline(c, &view, i, &outline);
    int n = outline.n ? outline.end[outline.n - 1] : 0;
    for (int m = 0; m < outline.n; m++)
        piece[m] = (uint32_t)(outline.end[m] - (m ? outline.end[m - 1] : 0));
    for (int m = 0; m < n; m++) {
        sg_vec3 x = v3_sub(outline.corner[m].x, k->patch.center);
        corner[m] = (sg_scene_corner){{(float)x.x, (float)x.y, (float)x.z},
                                      (float)outline.corner[m].pressure};
    }
    sg_scene_patch patch = {.grip = (uint32_t)seen.grip,
                            .n_pieces = (uint32_t)outline.n,
                            .n_corners = (uint32_t)n,
                            .normal = presses ? (float)k->action.pressure : 0.0F,
                            .friction = presses ? (float)k->action.friction : 0.0F,
                            .share = (float)seen.share,
                            .area = (float)seen.area,
                            .peak = (float)sg_outline_peak(&outline)};
    sg_scene_log_patch(log, &patch, seen.law, piece, corner);
}

bool sg_part_stage_contacts(const sg_part *part, uint32_t first_object, sg_scene_log *log)
{
    const sg_part_touching *t = sg_part_touching_of(part->run);
    for (size_t i = 0; t && t->is_made && i < t->contacts.contact.len; i++) {
        const sg_touch *touch = &t->contacts.detect.touch.data[i];
        const sg_contact *k = &t->contacts.contact.data[i];
        sg_scene_contact c = {.a = (uint32_t)t->object[touch->a] + first_object,
                              .b = (uint32_t)t->object[touch->b] + first_object,
                              .depth = k->action.penetration};
        v3_store(touch->point, c.point);
        v3_store(touch->n, c.normal);
        v3_store(sg_contact_presses(k) ? k->action.force : V3_ZERO, c.force);
        if (!sg_scene_log_contact(log, &c))
            return false;
        stage_patch(part, &t->contacts, i, log);
    }
    return true;
}

// ---- a run ----------------------------------------------------------------------------------

sg_status sg_part_begin_animation(sg_part *part, double start, double interval, double n_frames)
{
    sg_animation_destroy(&part->built.animation);
    sg_animation_init(&part->built.animation, part->allocator);
    part->built.recorded =
        part->segment.tree && (part->records.scene.view.file || part->records.scene.view.history);
    if (!part->built.recorded)
        return SG_OK;
    sg_animation *a = &part->built.animation;
    set_viewpoints(part, a);
    warn_of_markers(part);
    return list_visuals(part, a, false) && sg_animation_begin(a, start, interval, n_frames)
               ? SG_OK
               : SG_ERR_MEMORY;
}

// The list stays that of the first segment. Each segment reads the objects of the same dictionary
// in the same order, so their numbers stay, too.
static sg_status fill_frame(const sg_part *part, sg_visual_pose *row)
{
    const sg_animation *a = &part->built.animation;
    for (size_t i = 0; row && i < a->visuals.len; i++) {
        sg_pose pose =
            sg_tree_object_pose(part->segment.tree, &part->run->tree, a->visuals.data[i].object);
        row[i] = sg_visual_pose_of(&pose);
    }
    return row ? SG_OK : SG_ERR_MEMORY;
}

// What an action deleted is not seen from then on. Its pose stays the last one.
static void note_deleted(sg_part *part, double t)
{
    sg_animation *a = &part->built.animation;
    for (size_t i = 0; i < a->visuals.len; i++) {
        sg_visual *v = &a->visuals.data[i];
        if (!v->vanishes && part->records.objects.data[v->object].gone) {
            v->vanishes = true;
            v->ends_at = t;
        }
    }
}

sg_status sg_part_record(sg_part *part, double t)
{
    if (part->built.recorded)
        note_deleted(part, t);
    return part->built.recorded ? fill_frame(part, sg_animation_point(&part->built.animation, t))
                                : SG_OK;
}

sg_status sg_part_add_frame(sg_part *part, double t)
{
    return part->built.recorded
               ? fill_frame(part, sg_animation_add_frame(&part->built.animation, t))
               : SG_OK;
}

static int find_object(const sg_part *part, const char *path)
{
    for (size_t i = 0; i < part->records.objects.len; i++)
        if (strcmp(part->records.objects.data[i].name, path) == 0)
            return (int)i;
    return -1;
}

void sg_part_finish_animation(sg_part *part)
{
    if (part->built.recorded)
        sg_animation_finish(&part->built.animation);
}

sg_status sg_part_write_animation(const sg_part *part, const char **path)
{
    const sg_animation *a = sg_part_animation(part);
    const sg_part_view *view = &part->records.scene.view;
    sg_diags *diags = part->vm->diags;
    *path = NULL;
    if (!a || !view->file || !sg_animation_frames(a))
        return SG_OK;
    if (!a->visuals.len) {
        sg_warning(diags, SG_E_ANIMATION, view->file_span,
                   "animationFile = \"%s\" is not written: nothing is visible; give objects a "
                   "Solid or Visual with a shape, or the Scene visualizeFrames = true",
                   view->file);
        return SG_OK;
    }
    const char *file =
        part->records.host->output(part->records.host->context, view->file, view->file_span);
    sg_status status = file ? sg_three_write(a, file, view->file_span, diags) : SG_ERR_IO;
    *path = status == SG_OK ? file : NULL;
    return status;
}

const sg_animation *sg_part_animation(const sg_part *part)
{
    return part->built.recorded ? &part->built.animation : NULL;
}

const char *sg_part_animation_file(const sg_part *part, sg_span *span)
{
    *span = part->records.scene.view.file_span;
    return part->records.scene.view.file;
}

bool sg_part_has_object(const sg_part *part, const char *path)
{
    return find_object(part, path) >= 0;
}
