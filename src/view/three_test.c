// The structure of the files; tests/readers lets three.js itself read them.
#include "view/three.h"

#include "base/source.h"
#include "harness/sg_test.h"
#include "math/rotation.h"
#include "result/json.h"
#include "view/uuid.h"

#include <string.h>
#include <unistd.h>

static const char path[] = SG_SCRATCH "/three_test.json";

typedef struct drawing_desk {
    sg_animation a;
    sg_diags diags;
    sg_arena arena;
} drawing_desk;

static void open_desk(drawing_desk *d)
{
    sg_animation_init(&d->a, sg_allocator_default());
    sg_diags_init(&d->diags, sg_allocator_default());
    sg_arena_init(&d->arena, sg_allocator_default());
}

static void close_desk(drawing_desk *d)
{
    sg_animation_destroy(&d->a);
    sg_diags_destroy(&d->diags);
    sg_arena_destroy(&d->arena);
    unlink(path);
}

static void add(drawing_desk *d, const char *name, sg_visual_kind kind, double x, double y,
                double z)
{
    sg_visual v = {.path = name,
                   .shape = name,
                   .kind = kind,
                   .size = {x, y, z, 1.0},
                   .look = sg_look_make("")};
    SG_CHECK(sg_animation_add(&d->a, &v));
}

static void add_frame(drawing_desk *d, double t, sg_pose pose)
{
    sg_visual_pose *row = sg_animation_add_frame(&d->a, t);
    for (size_t i = 0; i < d->a.visuals.len; i++)
        row[i] = sg_visual_pose_of(&pose);
}

static const sg_json *write_and_parse(drawing_desk *d)
{
    char *text = NULL;
    size_t length = 0, at = 0;
    const char *why = NULL;
    const sg_allocator *allocator = sg_allocator_default();
    SG_CHECK(sg_three_write(&d->a, path, (sg_span){0}, &d->diags) == SG_OK);
    if (sg_read_file(allocator, path, &text, &length) != SG_OK)
        return NULL;
    const sg_json *root = sg_json_parse(text, length, &d->arena, &at, &why);
    SG_CHECK_MSG(root, "%s at %zu", why ? why : "", at);
    allocator->resize(allocator->context, text, length + 1, 0);
    return root;
}

static const sg_json *item(const sg_json *list, const char *key, const char *value)
{
    for (const sg_json *m = list ? list->first : NULL; m; m = m->next)
        if (strcmp(sg_json_text(m, key), value) == 0)
            return m;
    return NULL;
}

static const sg_json *child(const sg_json *root, const char *name)
{
    return item(sg_json_member(sg_json_member(root, "object"), "children"), "name", name);
}

static const sg_json *track(const sg_json *root, const char *name, const char *what)
{
    char uuid[64];
    const sg_json *clips = sg_json_member(root, "animations");
    sg_uuid_format(sg_uuid_make(sg_uuid_modia3d, name), uuid);
    strcat(uuid, what);
    return clips ? item(sg_json_member(clips->first, "tracks"), "name", uuid) : NULL;
}

static bool refers(const sg_json *root, const sg_json *from, const char *key, const char *list)
{
    const char *uuid = sg_json_text(from, key);
    return uuid[0] && item(sg_json_member(root, list), "uuid", uuid);
}

SG_TEST(every_object_has_its_geometry_material_and_tracks)
{
    static const struct {
        const char *name, *geometry;
        sg_visual_kind kind;
    } all[] = {{"Sphere", "SphereGeometry", SG_VISUAL_SPHERE},
               {"Ellipsoid", "SphereGeometry", SG_VISUAL_ELLIPSOID},
               {"Box", "BoxGeometry", SG_VISUAL_BOX},
               {"Cone", "CylinderGeometry", SG_VISUAL_CONE},
               {"Capsule", "LatheGeometry", SG_VISUAL_CAPSULE},
               {"Cylinder", "ExtrudeGeometry", SG_VISUAL_CYLINDER},
               {"Beam", "ExtrudeGeometry", SG_VISUAL_BEAM},
               {"Grid", "BufferGeometry", SG_VISUAL_GRID}};
    drawing_desk d;
    open_desk(&d);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        add(&d, all[i].name, all[i].kind, 0.5, 0.4, 0.3);
    add_frame(&d, 0.0, POSE_IDENTITY);
    add_frame(&d, 1.0, pose_translation(v3_make(1, 2, 3)));
    const sg_json *root = write_and_parse(&d);
    SG_SAME_TEXT(sg_json_text(sg_json_member(root, "metadata"), "type"), "Object");
    SG_SAME_TEXT(sg_json_text(sg_json_member(root, "object"), "uuid"),
                 "7e7c965e-496f-5a3f-aa68-d1597c04d113");
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        const sg_json *object = child(root, all[i].name);
        SG_CHECK_MSG(refers(root, object, "geometry", "geometries"), "%s", all[i].name);
        SG_CHECK_MSG(refers(root, object, "material", "materials"), "%s", all[i].name);
        const sg_json *geometry =
            item(sg_json_member(root, "geometries"), "uuid", sg_json_text(object, "geometry"));
        SG_SAME_TEXT(sg_json_text(geometry, "type"), all[i].geometry);
        const sg_json *position = track(root, all[i].name, ".position");
        const sg_json *turn = track(root, all[i].name, ".quaternion");
        // They move and do not turn: keys for the one, a single key for the other.
        SG_CHECK(position && sg_json_member(position, "times")->n == 2);
        SG_CHECK(position && sg_json_member(position, "values")->n == 6);
        SG_CHECK(turn && sg_json_member(turn, "times")->n == 1);
        SG_CHECK(turn && sg_json_member(turn, "values")->n == 4);
    }
    SG_CHECK(sg_json_member(root, "shapes")->n == 2);
    SG_CHECK(d.diags.len == 0);
    close_desk(&d);
}

SG_TEST(the_base_of_a_cone_that_turns_stays_where_it_is)
{
    drawing_desk d;
    open_desk(&d);
    add(&d, "cone", SG_VISUAL_CONE, 0.5, 2.0, 0.0); // about x, of length 2
    for (int k = 0; k < 4; k++)
        add_frame(&d, k, pose_make(m3_transpose(rot_3(1.0 * k)), v3_make(5, 0, 0)));
    const sg_json *values =
        sg_json_member(track(write_and_parse(&d), "cone", ".position"), "values");
    SG_CHECK(values && values->n == 12);
    for (int k = 0; values && k < 4; k++) { // its middle goes around
        SG_NEAR(values->numbers[3 * k], 5.0 + cos(1.0 * k), 1e-15, 1.0);
        SG_NEAR(values->numbers[3 * k + 1], sin(1.0 * k), 1e-15, 1.0);
    }
    close_desk(&d);
}

SG_TEST(orientations_go_the_short_way_from_key_to_key)
{
    drawing_desk d;
    open_desk(&d);
    add(&d, "box", SG_VISUAL_BOX, 1, 1, 1);
    for (int k = 0; k < 20; k++)
        add_frame(&d, k, pose_make(m3_transpose(rot_3(0.7 * k)), V3_ZERO));
    const sg_json *values =
        sg_json_member(track(write_and_parse(&d), "box", ".quaternion"), "values");
    SG_CHECK(values && values->n == 80);
    for (int k = 1; values && k < 20; k++) {
        const double *q = values->numbers + 4 * k, *p = q - 4;
        SG_NEAR(q[0] * p[0] + q[1] * p[1] + q[2] * p[2] + q[3] * p[3], cos(0.35), 1e-14, 1.0);
    }
    close_desk(&d);
}

SG_TEST(shapes_without_a_place_in_the_file_get_one_warning_a_kind)
{
    drawing_desk d;
    open_desk(&d);
    add(&d, "TextShape", SG_VISUAL_TEXT, 0, 0, 0);
    add(&d, "TextShape", SG_VISUAL_TEXT, 0, 0, 0);
    add(&d, "object", SG_VISUAL_BARE, 0, 0, 0);
    add(&d, "Grid", SG_VISUAL_GRID, 1.0, 1.0, 1e-9);
    add(&d, "box", SG_VISUAL_BOX, 1, 1, 1);
    add_frame(&d, 0.0, POSE_IDENTITY);
    const sg_json *root = write_and_parse(&d);
    SG_CHECK(d.diags.n_warnings == 2 && d.diags.n_errors == 0);
    SG_CHECK(strstr(d.diags.list[0].message, "and so is 1 more") != NULL);
    SG_CHECK(strstr(d.diags.list[1].message, "10,000 lines") != NULL);
    SG_CHECK(child(root, "box") && !child(root, "TextShape") && !child(root, "Grid"));
    SG_CHECK(!child(root, "object"));
    SG_CHECK(!track(root, "TextShape", ".position") && track(root, "box", ".position"));
    close_desk(&d);
}

SG_TEST(a_scene_without_frames_has_no_clip)
{
    drawing_desk d;
    open_desk(&d);
    add(&d, "box", SG_VISUAL_BOX, 1, 1, 1);
    const sg_json *root = write_and_parse(&d);
    SG_CHECK(child(root, "box") && !sg_json_member(root, "animations"));
    SG_CHECK(!sg_json_member(sg_json_member(root, "object"), "animations"));
    close_desk(&d);
}

SG_TEST(names_may_hold_any_character)
{
    drawing_desk d;
    open_desk(&d);
    add(&d, "boxes[2]: \"a/b\\c\"", SG_VISUAL_BEAM, 1, 0.5, 0.5);
    add_frame(&d, 0.0, POSE_IDENTITY);
    const sg_json *root = write_and_parse(&d);
    SG_CHECK(child(root, "boxes[2]: \"a/b\\c\"") != NULL);
    SG_CHECK(track(root, "boxes[2]: \"a/b\\c\"", ".position") != NULL);
    close_desk(&d);
}

SG_TEST(an_object_called_scene_is_not_the_scene)
{
    drawing_desk d;
    open_desk(&d);
    add(&d, "Scene", SG_VISUAL_BOX, 1, 1, 1);
    add_frame(&d, 0.0, POSE_IDENTITY);
    const sg_json *root = write_and_parse(&d), *object = child(root, "Scene");
    const char *uuid = sg_json_text(object, "uuid");
    SG_CHECK(uuid[0] && strcmp(uuid, sg_json_text(sg_json_member(root, "object"), "uuid")) != 0);
    SG_CHECK(track(root, "Scene.object", ".position") != NULL);
    SG_CHECK(!track(root, "Scene", ".position"));
    close_desk(&d);
}

SG_TEST(the_camera_looks_at_the_origin_with_up_upwards)
{
    static const sg_vec3 ups[] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                  {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    for (size_t i = 0; i < 6; i++) {
        drawing_desk d;
        open_desk(&d);
        d.a.up = ups[i];
        d.a.camera = (sg_viewpoint){3.0, 0.7, 0.4};
        const sg_json *camera = child(write_and_parse(&d), "Perspective Camera");
        const sg_json *r = sg_json_member(camera, "position"),
                      *turn = sg_json_member(camera, "rotation");
        SG_CHECK(r && turn);
        if (r && turn) {
            sg_vec3 at = v3_from(r->numbers);
            sg_mat3 R = rot_123(v3_from(turn->numbers));
            sg_vec3 seen = m3_mul_v(&R, at), up = m3_mul_v(&R, ups[i]);
            SG_NEAR(v3_dot(at, ups[i]), 3.0 * sin(0.4), 1e-14, 1.0);
            SG_NEAR(seen.z, 3.0, 1e-14, 1.0);
            SG_NEAR(up.x, 0.0, 1e-14, 1.0);
            SG_NEAR(up.y, cos(0.4), 1e-14, 1.0);
        }
        close_desk(&d);
    }
}

// Which of several requests is refused must not matter: the whole file, or the one from before.
SG_TEST(a_file_is_whole_or_as_it_was_when_memory_is_refused)
{
    static const char three[] = SG_SOURCE_DIR "/tests/readers/animation/drawn.json";
    const sg_allocator *plain = sg_allocator_default();
    size_t whole = 0;
    for (uint64_t at = 0, refused = 1; at <= refused; at++) {
        sg_test_allocator t;
        drawing_desk d;
        char *text = NULL;
        size_t length = 0;
        sg_test_allocator_init(&t, 0);
        open_desk(&d);
        sg_animation_init(&d.a, &t.allocator);
        add(&d, "pipe", SG_VISUAL_CYLINDER, 1, 1, 0.5);
        sg_visual drawn = {.path = "drawn", .kind = SG_VISUAL_MESH, .mesh = {.three = three}};
        SG_CHECK(sg_animation_add(&d.a, &drawn));
        add_frame(&d, 0.0, POSE_IDENTITY);
        t.fail_at = at ? t.requests + at : 0;
        uint64_t before = t.requests;
        sg_status status = sg_three_write(&d.a, path, (sg_span){0}, &d.diags);
        SG_CHECK_MSG(status == (at && at < refused ? SG_ERR_MEMORY : SG_OK), "request %d", (int)at);
        refused = at ? refused : t.requests - before + 1;
        t.fail_at = 0;
        SG_CHECK(sg_read_file(plain, path, &text, &length) == SG_OK);
        SG_CHECK_MSG(!at || length == whole, "%zu bytes, %zu before", length, whole);
        whole = at ? whole : length;
        plain->resize(plain->context, text, length + 1, 0);
        sg_animation_destroy(&d.a);
        SG_CHECK_MSG(t.live_blocks == 0, "%d blocks left", (int)t.live_blocks);
        sg_animation_init(&d.a, plain);
        sg_diags_destroy(&d.diags);
        sg_arena_destroy(&d.arena);
        sg_animation_destroy(&d.a);
    }
    unlink(path);
}

SG_TEST(a_file_that_cannot_be_written_is_an_error)
{
    drawing_desk d;
    open_desk(&d);
    add(&d, "box", SG_VISUAL_BOX, 1, 1, 1);
    SG_CHECK(sg_three_write(&d.a, SG_SCRATCH "/no/such/folder/x.json", (sg_span){0}, &d.diags) ==
             SG_ERR_IO);
    SG_CHECK(d.diags.n_errors == 1);
    close_desk(&d);
}
