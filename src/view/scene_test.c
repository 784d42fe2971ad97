// What is written of a scene is read again, from a run that went well and from one that did not.
#include "view/scene.h"

#include "harness/sg_test.h"
#include "result/result.h"
#include "result/writer.h"
#include "view/page.h"

#include <string.h>
#include <unistd.h>

enum { POINTS = 1300 }; // more than one blob

static sg_status keep(void *context, const char *name, const void *bytes, size_t length)
{
    return sg_result_writer_blob(context, name, bytes, length);
}

typedef struct filming {
    sg_diags diags;
    sg_animation stage;
    sg_scene_log log;
    sg_result_writer *writer;
    sg_result *result;
    sg_triangles surface;
    sg_vec3 vertex[3];
    uint32_t corner[3];
} filming;

static const char *const objects[] = {"world", "ball", "<b>arm</b>"};

static void add(filming *f, sg_visual v)
{
    v.look = sg_look_make("");
    v.look.rgb[0] = 200;
    SG_CHECK(sg_animation_add(&f->stage, &v));
}

static void open_film(filming *f)
{
    const sg_allocator *a = sg_allocator_default();
    sg_writer_options options = sg_writer_options_default();
    *f = (filming){0};
    sg_diags_init(&f->diags, a);
    sg_animation_init(&f->stage, a);
    sg_scene_log_init(&f->log, a);
    SG_CHECK(sg_result_writer_create(&options, &f->diags, &f->writer) == SG_OK);
    f->log.keep = keep;
    f->log.context = f->writer;
    f->vertex[1] = v3_make(1, 0, 0);
    f->vertex[2] = v3_make(0, 1, 0);
    f->corner[1] = 1;
    f->corner[2] = 2;
    f->surface =
        (sg_triangles){.vertex = f->vertex, .n_vertices = 3, .corner = f->corner, .n_triangles = 1};
    add(f,
        (sg_visual){
            .path = "ball", .kind = SG_VISUAL_SPHERE, .size = {0.1}, .object = 1, .plain = true});
    add(f, (sg_visual){.path = "mesh",
                       .kind = SG_VISUAL_MESH,
                       .mesh = {.surface = &f->surface, .smooth = true},
                       .object = 2});
    add(f, (sg_visual){.path = "text",
                       .kind = SG_VISUAL_TEXT,
                       .size = {0.2},
                       .text = {.text = "<img onerror=\"x\">", .family = "Arial", .plane = 2},
                       .object = 2});
    f->stage.up = v3_make(0, 0, 1);
}

// A triangle and a square, with the pressure k.
static void log_patch(sg_scene_log *log, int k)
{
    static const uint32_t pieces[2] = {3, 4};
    sg_scene_corner corner[7] = {{{0}, 0}};
    for (int i = 0; i < 7; i++)
        corner[i] = (sg_scene_corner){{(float)i, 0, 0}, (float)k};
    sg_scene_patch patch = {
        .grip = 1, .n_pieces = 2, .n_corners = 7, .normal = (float)k, .share = 0.25F};
    sg_scene_log_patch(log, &patch, "area", pieces, corner);
}

// The ball moves; the text is gone in the second segment.
static void film(filming *f)
{
    const sg_signal signals[] = {{.name = "h", .unit = "m"}};
    SG_CHECK(sg_scene_log_begin(&f->log, &f->stage, objects, 3,
                                (sg_scene_extras){.contacts = true}) == SG_OK);
    for (int k = 0; k < POINTS; k++) {
        double h = 0.25 * k;
        if (k == 0 || k == 700) {
            SG_CHECK(sg_result_writer_begin_segment(f->writer, k, k ? "deleted" : "", signals, 1) ==
                     SG_OK);
            SG_CHECK(sg_scene_log_segment(&f->log, k != 0) == SG_OK);
            if (k)
                sg_scene_log_hide(&f->log, 2);
        }
        SG_CHECK(sg_result_writer_point(f->writer, k, &h) == SG_OK);
        sg_visual_pose *row = sg_scene_log_point(&f->log);
        for (int i = 0; i < 3; i++)
            row[i] = (sg_visual_pose){{i, i ? 0 : h, 0}, {0, 0, 0, 1}};
        sg_scene_contact c = {
            .a = 0, .b = 1, .point = {k, 0, 0}, .force = {0, 0, 9}, .depth = 1e-6};
        for (int i = 0; i < k % 3; i++) {
            SG_CHECK(sg_scene_log_contact(&f->log, &c));
            if (i == 0)
                log_patch(&f->log, k);
        }
        SG_CHECK(sg_scene_log_tick(&f->log) == SG_OK);
    }
}

static void close_film(filming *f)
{
    sg_result_destroy(f->result);
    sg_result_writer_destroy(f->writer);
    sg_scene_log_destroy(&f->log);
    sg_animation_destroy(&f->stage);
    sg_diags_destroy(&f->diags);
}

// Of each point the first contact has a patch, the second one none.
static void check_patches(const sg_scene *s, size_t i, size_t k)
{
    const sg_scene_patch *p = &s->patch[i];
    uint32_t piece = s->first_piece[i];
    SG_CHECK(p->law == 1 && p->grip == 1 && p->normal == (float)k && p->share == 0.25F);
    SG_CHECK(p->n_pieces == 2 && s->first_piece[i + 1] == piece + 2);
    SG_CHECK(s->first_corner[piece + 1] == s->first_corner[piece] + 3);
    SG_CHECK(s->first_corner[piece + 2] == s->first_corner[piece] + 7);
    SG_CHECK(s->corner[s->first_corner[piece] + 6].x[0] == 6.0F);
    SG_CHECK(s->corner[s->first_corner[piece] + 6].pressure == (float)k);
    if (k % 3 == 2)
        SG_CHECK(s->patch[i + 1].law == 0 && s->patch[i + 1].n_pieces == 0);
}

static void check_scene(const sg_scene *s, size_t n_frames, bool has_patches)
{
    const sg_animation *a = &s->animation;
    SG_CHECK(a->visuals.len == 3 && a->time.len == n_frames && s->n_objects == 3);
    SG_CHECK(strcmp(s->objects[2], "<b>arm</b>") == 0);
    SG_CHECK(a->up.z == 1.0 && s->extras.contacts && !s->extras.boxes);
    const sg_visual *v = a->visuals.data;
    SG_CHECK(v[0].kind == SG_VISUAL_SPHERE && v[0].size[0] == 0.1 && v[0].look.rgb[0] == 200);
    SG_CHECK(v[0].plain && !v[1].plain);
    SG_CHECK(v[1].kind == SG_VISUAL_MESH && v[1].mesh.smooth && v[1].object == 2);
    SG_CHECK(v[1].mesh.surface->n_triangles == 1 && v[1].mesh.surface->vertex[2].y == 1.0);
    SG_CHECK(strcmp(v[2].text.text, "<img onerror=\"x\">") == 0 && v[2].text.plane == 2);
    for (size_t k = 0; k < n_frames; k++) {
        SG_CHECK(a->time.data[k] == (double)k);
        SG_CHECK(sg_animation_pose(a, k, 0)->r[1] == 0.25 * (double)k);
        SG_CHECK(sg_animation_pose(a, k, 1)->r[0] == 1.0);
        SG_CHECK(sg_scene_present(s, k, 0) && sg_scene_present(s, k, 2) == (k < 700));
        SG_CHECK(s->first_contact[k + 1] - s->first_contact[k] == k % 3);
        if (k % 3)
            SG_CHECK(s->contacts[s->first_contact[k]].point[0] == (double)k);
        if (k % 3 && has_patches)
            check_patches(s, s->first_contact[k], k);
    }
}

SG_TEST(a_scene_comes_back_as_it_was)
{
    filming f;
    sg_scene *s;
    open_film(&f);
    film(&f);
    SG_CHECK(sg_scene_log_flush(&f.log) == SG_OK);
    SG_CHECK(sg_result_writer_finish(f.writer, SG_OK, NULL, 0, &f.result) == SG_OK);
    SG_CHECK(sg_scene_open(f.result, NULL, &f.diags, &s) == SG_OK && s);
    if (s)
        check_scene(s, POINTS, true);
    sg_scene_close(s);
    close_film(&f);
}

// What waited when the run was killed is lost; all before it is there.
SG_TEST(a_scene_that_was_cut_ends_early)
{
    filming f;
    sg_scene *s;
    open_film(&f);
    film(&f);
    SG_CHECK(sg_result_writer_finish(f.writer, SG_OK, NULL, 0, &f.result) == SG_OK);
    SG_CHECK(sg_scene_open(f.result, NULL, &f.diags, &s) == SG_OK && s);
    if (s)
        check_scene(s, 1212, true); // 512 + 188 + 512
    sg_scene_close(s);
    close_film(&f);
}

// Patches that do not fit their contacts are not believed: each byte of the counts is a wrong one.
SG_TEST(damaged_patches_leave_contacts_as_they_are)
{
    static const char *const bad[] = {"", "0123456789ab", "\0\0\0\0\0\0\0\0\0\0\0\0"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        filming f;
        sg_scene *s;
        open_film(&f);
        film(&f);
        SG_CHECK(sg_scene_log_flush(&f.log) == SG_OK);
        for (int k = 0; k < 4; k++) {
            char name[] = {"scene.patches.0"};
            name[sizeof name - 2] = (char)('0' + k);
            SG_CHECK(keep(f.writer, name, bad[i], i ? 12 : 0) == SG_OK); // the last one holds
        }
        SG_CHECK(sg_result_writer_finish(f.writer, SG_OK, NULL, 0, &f.result) == SG_OK);
        SG_CHECK(sg_scene_open(f.result, NULL, &f.diags, &s) == SG_OK && s);
        if (s) {
            check_scene(s, POINTS, false);
            SG_CHECK(s->patch[0].law == 0 && s->first_piece[s->first_contact[POINTS]] == 0);
        }
        sg_scene_close(s);
        close_film(&f);
    }
}

SG_TEST(a_result_without_a_scene_has_none)
{
    filming f;
    sg_scene *s;
    const sg_signal signals[] = {{.name = "h", .unit = "m"}};
    open_film(&f);
    SG_CHECK(sg_result_writer_begin_segment(f.writer, 0, "", signals, 1) == SG_OK);
    SG_CHECK(sg_result_writer_finish(f.writer, SG_OK, NULL, 0, &f.result) == SG_OK);
    SG_CHECK(sg_scene_open(f.result, NULL, &f.diags, &s) == SG_OK && !s);
    close_film(&f);
}

// Any byte of the blobs may be wrong; then less is shown, or nothing, and nothing breaks.
SG_TEST(damaged_scenes_are_refused_or_shown_in_part)
{
    static const char strange[] = "{\"version\":1,\"visuals\":[{\"kind\":\"mesh\",\"mesh\":"
                                  "{\"number\":7}},3,{}],\"looks\":[1],\"objects\":[2]}";
    static const char *const bad[] = {"", "{", "[]", "{\"version\":2}", "{\"version\":1}", strange};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        filming f;
        sg_scene *s;
        const sg_signal signals[] = {{.name = "h", .unit = "m"}};
        open_film(&f);
        SG_CHECK(keep(f.writer, "scene", bad[i], strlen(bad[i])) == SG_OK);
        SG_CHECK(keep(f.writer, "scene.frames.0", "0123456789abcdef0123456789", 26) == SG_OK);
        SG_CHECK(sg_result_writer_begin_segment(f.writer, 0, "", signals, 1) == SG_OK);
        SG_CHECK(sg_result_writer_finish(f.writer, SG_OK, NULL, 0, &f.result) == SG_OK);
        sg_status status = sg_scene_open(f.result, NULL, &f.diags, &s);
        SG_CHECK(status == (i < 4 ? SG_ERR_INPUT : SG_OK));
        SG_CHECK(!s || s->animation.time.len == 0);
        sg_scene_close(s);
        close_film(&f);
    }
}
