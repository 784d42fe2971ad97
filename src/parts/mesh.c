#include "parts/mesh.h"

#include "base/disk.h"
#include "base/source.h"
#include "base/within.h"
#include "parts/host.h"
#include "parts/part.h"
#include "view/gltf_mesh.h"
#include "view/three_mesh.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PIECES = 4096 };

// ---- reading --------------------------------------------------------------------------------

// Memory that ran out is nothing that is wrong with a mesh.
static sg_code code_of(sg_status status)
{
    return status == SG_ERR_MEMORY ? SG_E_MEMORY : SG_E_MESH;
}

static bool read_bytes(sg_keywords *r, const sg_part_mesh *mesh, char **bytes, size_t *length)
{
    sg_status status = sg_read_file(r->part->allocator, mesh->path, bytes, length);
    if (status != SG_OK)
        sg_read_fail(r, "filename", code_of(status), "cannot read the mesh '%s': %s", mesh->name,
                     status == SG_ERR_MEMORY ? "out of memory" : strerror(errno));
    return status == SG_OK;
}

// A file of three.js.
static bool read_three(sg_keywords *r, sg_part_mesh *mesh)
{
    sg_part *part = r->part;
    char *bytes, message[SG_THREE_MESSAGE];
    size_t length;
    if (!read_bytes(r, mesh, &bytes, &length))
        return false;
    sg_status status =
        sg_three_read_mesh(bytes, length, mesh->scale, &part->arena, &mesh->surface, message);
    part->allocator->resize(part->allocator->context, bytes, length + 1, 0);
    if (status != SG_OK)
        sg_read_fail(r, "filename", code_of(status), "the mesh '%s' cannot be used: %s", mesh->name,
                     status == SG_ERR_MEMORY ? "out of memory" : message);
    else if (message[0])
        sg_warning(part->vm->diags, SG_E_MESH, sg_read_span(r, "filename"), "of the mesh '%s' %s",
                   mesh->name, message);
    return status == SG_OK;
}

static void complain_of_mesh(sg_keywords *r, const sg_part_mesh *mesh, sg_status status,
                             const sg_mesh_complaint *complaint)
{
    const char *name = mesh->name;
    if (status == SG_ERR_MEMORY)
        sg_read_fail(r, "filename", SG_E_MEMORY, "out of memory for the mesh '%s'", name);
    else if (complaint->line)
        sg_read_fail(r, "filename", SG_E_MESH, "the mesh is wrong at %s:%zu:%zu: %s", name,
                     complaint->line, complaint->column, complaint->why);
    else if (complaint->at_byte)
        sg_read_fail(r, "filename", SG_E_MESH, "the mesh '%s' is wrong at byte %zu: %s", name,
                     complaint->byte, complaint->why);
    else
        sg_read_fail(r, "filename", SG_E_MESH, "the mesh '%s' cannot be used: %s", name,
                     complaint->why);
}

// -1 for what is not there, is no regular file, or lies outside: which one is not told, nor where
// names and links would lead outside. The books of a repository are nobody's mesh.
static int open_beside(const char *folder, const char *name)
{
    sg_path_walk walk = {.folders = &folder, .n = 1};
    if (snprintf(walk.at, sizeof walk.at, "%s", folder) >= (int)sizeof walk.at ||
        snprintf(walk.rest, sizeof walk.rest, "/%s", name) >= (int)sizeof walk.rest ||
        sg_walk_path(&walk) != SG_WITHIN_YES || !sg_path_walk_inside(&walk, walk.at) ||
        strstr(walk.at + strlen(folder), "/.git/"))
        return -1;
    return sg_open_resolved(walk.at);
}

// A buffer of a glTF file: a regular file in the folder of the mesh or below it.
static bool read_beside(void *context, const char *name, sg_arena *arena, const char **bytes,
                        size_t *length, char *why, size_t room)
{
    const sg_part_mesh *mesh = context;
    const char *own = sg_resolved_path(arena, mesh->path), *slash = own ? strrchr(own, '/') : NULL;
    const char *folder = slash ? sg_arena_text(arena, own, (size_t)(slash - own)) : NULL;
    if (!folder)
        return false;
    int fd = open_beside(folder, name);
    if (fd < 0) {
        snprintf(why, room, "'%.80s' is no file in the folder of the mesh or below it", name);
        return false;
    }
    char *text;
    sg_status status = sg_read_open(arena->allocator, fd, &text, length);
    if (status == SG_ERR_IO)
        snprintf(why, room, "'%.80s' cannot be read", name);
    if (status != SG_OK)
        return false;
    char *kept = sg_arena_alloc(arena, *length + 1, 1);
    if (kept)
        memcpy(kept, text, *length);
    arena->allocator->resize(arena->allocator->context, text, *length + 1, 0);
    *bytes = kept;
    return kept != NULL;
}

static bool read_own_format(sg_keywords *r, sg_mesh_format format, sg_part_mesh *mesh)
{
    sg_part *part = r->part;
    const sg_gltf_beside beside = {read_beside, mesh};
    sg_mesh_complaint complaint = {0};
    char *bytes;
    size_t length;
    if (!read_bytes(r, mesh, &bytes, &length))
        return false;
    sg_status status = format == SG_MESH_GLTF
                           ? sg_gltf_read_mesh(bytes, length, mesh->scale, &beside, &part->arena,
                                               &mesh->surface, &complaint)
                           : sg_mesh_read(format, bytes, length, mesh->scale, &part->arena,
                                          &mesh->surface, &complaint);
    part->allocator->resize(part->allocator->context, bytes, length + 1, 0);
    if (status != SG_OK)
        complain_of_mesh(r, mesh, status, &complaint);
    return status == SG_OK;
}

static const char *extension_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    return dot && (!slash || dot > slash) ? dot : "";
}

// Read by a process without rights (shapes/mesh_foreign.h), which hands back an STL file.
static bool read_other_format(sg_keywords *r, sg_part_mesh *mesh)
{
    sg_part *part = r->part;
    const sg_part_host *host = part->records.host;
    const char *extension = extension_of(mesh->path);
    if (!host->foreign_mesh) {
        sg_read_fail(r, "filename", SG_E_MESH,
                     "the mesh '%s' has a format that is not read: files that end in %s are; "
                     "others only with --foreign-meshes, by the library assimp in a process of its "
                     "own",
                     mesh->name, SG_MESH_ENDINGS);
        return false;
    }
    char *bytes, message[SG_MESH_MESSAGE] = "out of memory";
    size_t length, n_stl;
    const void *stl;
    if (!read_bytes(r, mesh, &bytes, &length))
        return false;
    sg_arena scratch;
    sg_arena_init(&scratch, part->allocator);
    sg_status status = host->foreign_mesh(host->foreign_context, extension, bytes, length, &scratch,
                                          &stl, &n_stl, message);
    part->allocator->resize(part->allocator->context, bytes, length + 1, 0);
    sg_mesh_complaint complaint = {0};
    if (status == SG_OK) {
        status = sg_mesh_read(SG_MESH_STL, stl, n_stl, mesh->scale, &part->arena, &mesh->surface,
                              &complaint);
        snprintf(message, sizeof message, "%s", complaint.why);
    }
    sg_arena_destroy(&scratch);
    if (status != SG_OK)
        sg_read_fail(r, "filename", code_of(status), "the mesh '%s' cannot be used: %s", mesh->name,
                     status == SG_ERR_MEMORY ? "out of memory" : message);
    return status == SG_OK;
}

static sg_part_mesh *find(const sg_part *part, const char *path, sg_vec3 scale)
{
    for (sg_part_mesh *m = part->built.meshes; m; m = m->next)
        if (strcmp(m->path, path) == 0 && v3_equal(m->scale, scale))
            return m;
    return NULL;
}

// `path` is on disk.
static const sg_part_mesh *load(sg_keywords *r, const char *name, const char *path, sg_vec3 scale)
{
    sg_part *part = r->part;
    sg_part_mesh *mesh = find(part, path, scale);
    if (mesh)
        return mesh;
    mesh = SG_NEW(&part->arena, sg_part_mesh);
    if (!mesh)
        return NULL;
    mesh->name = sg_arena_text(&part->arena, name, strlen(name));
    mesh->path = sg_arena_text(&part->arena, path, strlen(path));
    mesh->scale = scale;
    sg_mesh_format format = sg_mesh_format_of(path);
    if (!mesh->name || !mesh->path ||
        !(format == SG_MESH_UNKNOWN ? read_other_format(r, mesh)
          : format == SG_MESH_THREE ? read_three(r, mesh)
                                    : read_own_format(r, format, mesh)))
        return NULL;
    if (mesh->surface.n_dropped)
        sg_warning(part->vm->diags, SG_E_MESH, r->span,
                   "%zu faces of the mesh '%s' name vertices that do not exist; they are left out",
                   mesh->surface.n_dropped, name);
    mesh->next = part->built.meshes;
    part->built.meshes = mesh;
    return mesh;
}

const char *sg_part_locate_mesh(sg_keywords *r, const char *name)
{
    const sg_part_host *host = r->part->records.host;
    const char *path = host->locate(host->context, name, sg_read_span(r, "filename"));
    r->ok &= path != NULL;
    return path;
}

const sg_part_mesh *sg_part_load_mesh(sg_keywords *r, const char *name, const char *path,
                                      sg_vec3 scale)
{
    const sg_part_mesh *mesh = load(r, name, path, scale);
    r->ok &= mesh != NULL;
    return mesh;
}

// ---- pieces ---------------------------------------------------------------------------------

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Names of the .obj files in a folder, sorted; -1 when it cannot be opened.
static int list_folder(const char *folder, sg_arena *arena, const char **names)
{
    DIR *dir = opendir(folder);
    int n = 0;
    if (!dir)
        return -1;
    for (const struct dirent *e; n < MAX_PIECES && (e = readdir(dir)) != NULL;)
        if (sg_mesh_format_of(e->d_name) == SG_MESH_OBJ) {
            names[n] = sg_arena_text(arena, e->d_name, strlen(e->d_name));
            if (names[n])
                n++;
        }
    closedir(dir);
    qsort(names, (size_t)n, sizeof *names, compare_names);
    return n;
}

// FOLDER/convexSolids_FILE for FOLDER/FILE.
static const char *pieces_folder(sg_arena *arena, const char *file)
{
    const char *slash = strrchr(file, '/');
    int length = slash ? (int)(slash - file) + 1 : 0;
    return sg_arena_printf(arena, "%.*sconvexSolids_%s", length, file, file + length);
}

bool sg_part_load_pieces(sg_keywords *r, const char *name, sg_vec3 scale,
                         const sg_part_mesh ***pieces, size_t *n_pieces)
{
    sg_part *part = r->part;
    const sg_part_host *host = part->records.host;
    sg_span span = sg_read_span(r, "filename");
    const char *folder = pieces_folder(&part->records.arena, name);
    const char *path = folder ? host->locate(host->context, folder, span) : NULL;
    if (folder && !path)
        sg_note(
            part->vm->diags, sg_read_span(r, "convexPartition"),
            "convexPartition = true needs this folder beside the mesh, with its convex parts as "
            ".obj files");
    const char **names = SG_NEW_ARRAY(&part->records.arena, const char *, MAX_PIECES);
    *pieces = SG_NEW_ARRAY(&part->records.arena, const sg_part_mesh *, MAX_PIECES);
    *n_pieces = 0;
    r->ok &= path && names && *pieces;
    if (!r->ok)
        return false;
    int n = list_folder(path, &part->records.arena, names);
    if (n <= 0) {
        sg_read_fail(r, "convexPartition", SG_E_MESH,
                     "convexPartition = true needs a folder '%s' with the convex parts as .obj "
                     "files; %s",
                     folder, n < 0 ? strerror(errno) : "there are none in it");
        return false;
    }
    for (int i = 0; i < n; i++) {
        const char *piece = sg_arena_printf(&part->records.arena, "%s/%s", folder, names[i]);
        const char *file = sg_arena_printf(&part->records.arena, "%s/%s", path, names[i]);
        file = file ? host->locate(host->context, file, span) : NULL; // it may be a link
        const sg_part_mesh *mesh = piece && file ? load(r, piece, file, scale) : NULL;
        r->ok &= mesh != NULL;
        (*pieces)[(*n_pieces)++] = mesh;
    }
    return r->ok;
}

// ---- mass -----------------------------------------------------------------------------------

static void weigh(sg_part *part, sg_part_mesh *m)
{
    const sg_triangles *s = &m->surface;
    const char *why;
    sg_arena scratch;
    sg_arena_init(&scratch, part->allocator);
    m->weighed = true;
    sg_mass_of_mesh(s->vertex, s->n_vertices, s->corner, s->n_triangles, 1.0, &scratch, &m->unit,
                    &m->volume, &m->flaws, &m->no_mass);
    sg_mass_of_mesh_published(s->vertex, s->n_vertices, s->corner, s->n_triangles, 1.0,
                              &m->published, &m->published_volume, &why);
    sg_arena_destroy(&scratch);
}

bool sg_part_mesh_inside_out(sg_part *part, const sg_part_mesh *mesh)
{
    sg_part_mesh *own = find(part, mesh->path, mesh->scale);
    if (!own->weighed)
        weigh(part, own);
    return !own->no_mass && own->flaws.inside_out;
}

static void warn_of_flaws(sg_keywords *r, const sg_part_mesh *m)
{
    sg_diags *diags = r->part->vm->diags;
    sg_span span = sg_read_span(r, "filename");
    if (m->flaws.open_edges)
        sg_warning(diags, SG_E_MESH, span,
                   "the mesh '%s' is open: %zu edges have a triangle on one side only, and %.2g "
                   "%% of its surface are missing; its mass is not exact",
                   m->name, m->flaws.open_edges, 100.0 * m->flaws.hole);
    if (m->flaws.inside_out)
        sg_warning(diags, SG_E_MESH, span,
                   "the mesh '%s' is inside out: its triangles run clockwise seen from outside; it "
                   "is taken the other way around",
                   m->name);
}

// Does the published program have other numbers for it?
static bool is_odd(const sg_part_mesh *m)
{
    const sg_mass *a = &m->unit, *b = &m->published;
    sg_mat3 d = m3_sub(a->I_CM, b->I_CM);
    double largest = 0.0, length = cbrt(m->volume);
    for (int i = 0; i < 3; i++)
        largest = fmax(largest, v3_max_abs(m3_row(&d, i)));
    return m->no_mass || largest > 1e-12 * m3_trace(&a->I_CM) ||
           v3_max_abs(v3_sub(a->c, b->c)) > 1e-12 * length ||
           fabs(m->volume - m->published_volume) > 1e-12 * m->volume;
}

bool sg_part_mesh_mass(sg_keywords *r, const sg_part_mesh *mesh, double m, double density,
                       sg_mass *out)
{
    sg_part_mesh *own = find(r->part, mesh->path, mesh->scale);
    bool published = r->part->records.compat.mesh_inertia, first = !own->weighed;
    if (first)
        weigh(r->part, own);
    if (own->no_mass && !published) {
        sg_read_fail(r, "filename", SG_E_MESH,
                     "the mesh '%s' has no mass of its own: %s; mend it, or give "
                     "massProperties = MassProperties(...)",
                     own->name, own->no_mass);
        return false;
    }
    if (first && !published)
        warn_of_flaws(r, own);
    r->part->records.mattered.mesh_inertia |= is_odd(own);
    *out = published ? own->published : own->unit;
    out->m = isnan(m) ? density * (published ? own->published_volume : own->volume) : m;
    out->I_CM = m3_scale(out->I_CM, out->m);
    return true;
}

// ---- hull -----------------------------------------------------------------------------------

const sg_mesh *sg_part_mesh_hull(sg_keywords *r, const sg_part_mesh *mesh)
{
    sg_part_mesh *own = find(r->part, mesh->path, mesh->scale);
    const char *why = NULL;
    if (own->has_hull)
        return &own->hull;
    sg_status status = sg_mesh_hull(r->part->allocator, own->surface.vertex,
                                    own->surface.n_vertices, &own->hull, &why);
    if (status != SG_OK) {
        sg_read_fail(r, "filename", code_of(status), "the mesh '%s' has no convex hull: %s",
                     own->name, why ? why : "out of memory");
        return NULL;
    }
    own->has_hull = true;
    return &own->hull;
}

// Rounding and triangles that are no longer quite in a plane make some 1e-6.
static const double much_hull = 1e-3;

void sg_part_warn_of_concave(sg_keywords *r, const sg_part_mesh *mesh)
{
    sg_part_mesh *own = find(r->part, mesh->path, mesh->scale);
    if (own->told_concave || !own->has_hull)
        return;
    own->told_concave = true;
    if (!own->weighed)
        weigh(r->part, own);
    double more = 1.0 - own->volume / own->hull.volume;
    if (own->no_mass || own->flaws.open_edges || !(more > much_hull))
        return;
    sg_warning(r->part->vm->diags, SG_E_MESH, sg_read_span(r, "filename"),
               "the mesh '%s' is not convex and collides as its convex hull, of which it leaves "
               "%.3g %% empty; give it convex parts (convexPartition = true), make the body of "
               "several solids that are convex, or let its surface touch by a "
               "PolygonalContactModel",
               own->name, 100.0 * more);
}

const sg_mesh *sg_part_tube_piece(sg_keywords *r, const sg_shape *outer, int k)
{
    sg_part *part = r->part;
    const sg_vec3 scale = {outer->rb + outer->radius, outer->length, outer->bore};
    const char *key = sg_arena_printf(&part->records.arena, "tube %d %d", outer->axis, k);
    sg_part_mesh *mesh = key ? find(part, key, scale) : NULL;
    if (mesh)
        return &mesh->hull;
    mesh = SG_NEW(&part->arena, sg_part_mesh); // kept over runs, as the list is
    key = key ? sg_arena_text(&part->arena, key, strlen(key)) : NULL;
    if (!key || !mesh) {
        r->ok = false;
        return NULL;
    }
    sg_vec3 corner[SG_TUBE_CORNERS];
    const char *why = NULL;
    *mesh = (sg_part_mesh){.name = "a tube", .path = key, .scale = scale};
    sg_tube_piece(outer, k, corner);
    sg_status status = sg_mesh_hull(part->allocator, corner, SG_TUBE_CORNERS, &mesh->hull, &why);
    if (status != SG_OK) {
        sg_read_fail(r, "innerDiameter", code_of(status), "the wall cannot collide: %s",
                     why ? why : "out of memory");
        return NULL;
    }
    mesh->has_hull = true;
    mesh->next = part->built.meshes;
    part->built.meshes = mesh;
    return &mesh->hull;
}

void sg_part_free_meshes(sg_part *part)
{
    for (sg_part_mesh *m = part->built.meshes; m; m = m->next)
        if (m->has_hull)
            sg_mesh_destroy(&m->hull);
    part->built.meshes = NULL;
}
