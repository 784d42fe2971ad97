#include "view/surfaces.h"

#include "result/outfile.h"
#include "view/tessellate.h"
#include "view/three_mesh.h"

#include <string.h>

static const sg_span nowhere = {0, 0, 0};

bool sg_scene_solidify(sg_scene *s, sg_diags *diags)
{
    for (size_t i = 0; i < s->animation.visuals.len; i++) {
        sg_visual *v = &s->animation.visuals.data[i];
        char message[SG_THREE_MESSAGE] = "";
        if (v->kind != SG_VISUAL_MESH || v->mesh.surface || !v->mesh.three_text)
            continue;
        sg_triangles *t = SG_NEW(&s->arena, sg_triangles);
        sg_status status = t ? sg_three_read_mesh(v->mesh.three_text, v->mesh.three_length,
                                                  v->mesh.scale, &s->arena, t, message)
                             : SG_ERR_MEMORY;
        if (status == SG_ERR_MEMORY)
            return false;
        if (message[0])
            sg_warning(diags, SG_E_ANIMATION, nowhere, "'%s': %s", v->path, message);
        if (status == SG_OK)
            v->mesh.surface = t;
    }
    return true;
}

typedef struct surface_job {
    sg_outfile file;
    sg_buf text;
    uint32_t n_vertices, n_triangles; // so far
} surface_job;

typedef void put_surface(surface_job *j, const char *path, const sg_facets *f);

// Into the world.
static void place(sg_facets *f, const sg_visual_pose *pose)
{
    sg_quat q = {pose->q[0], pose->q[1], pose->q[2], pose->q[3]};
    sg_mat3 R = q_to_mat3(q);
    for (size_t i = 0; i < f->vertex.len; i++) {
        f->vertex.data[i] = v3_add(m3_tmul_v(&R, f->vertex.data[i]), v3_from(pose->r));
        f->normal.data[i] = m3_tmul_v(&R, f->normal.data[i]);
    }
}

static sg_status put_all(surface_job *j, const sg_scene *s, put_surface *put)
{
    const sg_animation *a = &s->animation;
    for (size_t i = 0; i < a->visuals.len && a->time.len; i++) {
        const sg_visual *v = &a->visuals.data[i];
        sg_facets f;
        if (!sg_has_facets(v) || !sg_scene_present(s, 0, i))
            continue;
        bool ok = sg_facets_of(&f, v, s->allocator);
        if (ok) {
            place(&f, sg_animation_pose(a, 0, i));
            put(j, v->path, &f);
        }
        sg_facets_free(&f);
        if (!ok || j->text.failed)
            return SG_ERR_MEMORY;
    }
    return SG_OK;
}

// ---- Wavefront ------------------------------------------------------------------------------

static void put_points(sg_buf *out, const char *word, const sg_vec3 *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sg_buf_printf(out, "%s %.9g %.9g %.9g\n", word, p[i].x, p[i].y, p[i].z);
}

// Names end at the line's end in this format.
static void put_name(sg_buf *out, const char *path)
{
    sg_buf_puts(out, "o ");
    for (; *path; path++)
        sg_buf_putc(out, *path == '\n' || *path == '\r' ? ' ' : *path);
    sg_buf_putc(out, '\n');
}

static void put_obj(surface_job *j, const char *path, const sg_facets *f)
{
    sg_buf_clear(&j->text);
    put_name(&j->text, path);
    put_points(&j->text, "v", f->vertex.data, f->vertex.len);
    put_points(&j->text, "vn", f->normal.data, f->normal.len);
    for (size_t i = 0; i + 2 < f->corner.len; i += 3) {
        uint32_t c[3];
        for (size_t k = 0; k < 3; k++)
            c[k] = j->n_vertices + f->corner.data[i + k] + 1;
        sg_buf_printf(&j->text, "f %u//%u %u//%u %u//%u\n", c[0], c[0], c[1], c[1], c[2], c[2]);
    }
    j->n_vertices += (uint32_t)f->vertex.len;
    sg_outfile_write(&j->file, sg_buf_text(&j->text), j->text.len);
}

// ---- STL ------------------------------------------------------------------------------------

static void put_stl(surface_job *j, const char *path, const sg_facets *f)
{
    (void)path;
    for (size_t i = 0; i + 2 < f->corner.len; i += 3) {
        const uint32_t *c = f->corner.data + i;
        sg_vec3 p[4];
        float x[12];
        for (int k = 0; k < 3; k++)
            p[k + 1] = f->vertex.data[c[k]];
        p[0] = v3_cross(v3_sub(p[2], p[1]), v3_sub(p[3], p[1]));
        if (!(v3_norm(p[0]) > 0.0)) // nothing to print
            continue;
        p[0] = v3_unit(p[0]);
        for (int k = 0; k < 4; k++) {
            x[3 * k] = (float)p[k].x;
            x[3 * k + 1] = (float)p[k].y;
            x[3 * k + 2] = (float)p[k].z;
        }
        sg_outfile_write(&j->file, x, sizeof x);
        sg_outfile_write(&j->file, "\0", 2); // attributes
        j->n_triangles++;
    }
}

static sg_status write_file(const sg_scene *s, const char *path, bool stl, sg_diags *diags)
{
    surface_job j = {0};
    char header[84] = "Segue";
    sg_buf_init(&j.text, s->allocator);
    sg_status status = sg_outfile_open(&j.file, path, s->allocator, diags);
    if (status == SG_OK) {
        if (stl)
            sg_outfile_write(&j.file, header, sizeof header);
        else
            sg_outfile_puts(&j.file, "# Segue\n");
        status = put_all(&j, s, stl ? put_stl : put_obj);
        if (stl)
            sg_outfile_patch(&j.file, 80, &j.n_triangles, sizeof j.n_triangles);
        if (status == SG_OK)
            status = sg_outfile_commit(&j.file, diags);
        sg_outfile_abandon(&j.file);
    }
    sg_buf_free(&j.text);
    return status;
}

sg_status sg_obj_write(const sg_scene *s, const char *path, sg_diags *diags)
{
    return write_file(s, path, false, diags);
}

sg_status sg_stl_write(const sg_scene *s, const char *path, sg_diags *diags)
{
    return write_file(s, path, true, diags);
}
