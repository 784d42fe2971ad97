// Geoms of MJCF: shapes, and the mass that bodies get from them.
#include "math/dense.h"
#include "robots/mjcf_reader.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

typedef enum geom_type {
    PLANE,
    SPHERE,
    CAPSULE,
    ELLIPSOID,
    CYLINDER,
    BOX,
    MESH,
    N_TYPES
} geom_type;

typedef struct geom {
    geom_type type;
    double size[3]; // as MJCF has it: radius, half lengths
    sg_robot_place place;
} geom;

// ---- volume and inertia -------------------------------------------------------------------------

static double volume_of(const geom *g)
{
    const double *s = g->size;
    switch (g->type) {
    case SPHERE:
        return 4.0 / 3.0 * pi * s[0] * s[0] * s[0];
    case CAPSULE:
        return pi * s[0] * s[0] * (2.0 * s[1] + 4.0 / 3.0 * s[0]);
    case ELLIPSOID:
        return 4.0 / 3.0 * pi * s[0] * s[1] * s[2];
    case CYLINDER:
        return pi * s[0] * s[0] * 2.0 * s[1];
    case BOX:
        return 8.0 * s[0] * s[1] * s[2];
    case PLANE:
    case MESH:
    case N_TYPES:
        break;
    }
    return 0.0;
}

// Principal moments about the center, along the axes of the geom.
static sg_vec3 moments_of(const geom *g, double m)
{
    double a = g->size[0] * g->size[0], b = g->size[1] * g->size[1], c = g->size[2] * g->size[2];
    switch (g->type) {
    case SPHERE:
        return (sg_vec3){0.4 * m * a, 0.4 * m * a, 0.4 * m * a};
    case CAPSULE: { // a cylinder, and two halves of a ball that are apart
        double r = g->size[0], h = 2.0 * g->size[1];
        double ball = m * 4.0 * r / (4.0 * r + 3.0 * h), rod = m - ball;
        double across = rod * (3.0 * r * r + h * h) / 12.0 + 0.4 * ball * r * r +
                        ball * h * (3.0 * r + 2.0 * h) / 8.0;
        return (sg_vec3){across, across, 0.5 * rod * r * r + 0.4 * ball * r * r};
    }
    case ELLIPSOID:
        return (sg_vec3){m * (b + c) / 5.0, m * (a + c) / 5.0, m * (a + b) / 5.0};
    case CYLINDER:
        return (sg_vec3){m * (3.0 * a + 4.0 * b) / 12.0, m * (3.0 * a + 4.0 * b) / 12.0,
                         0.5 * m * a};
    case BOX:
        return (sg_vec3){m * (b + c) / 3.0, m * (a + c) / 3.0, m * (a + b) / 3.0};
    case PLANE:
    case MESH:
    case N_TYPES:
        break;
    }
    return V3_ZERO;
}

// Of a point mass about the origin.
static sg_mat3 moment_at(double m, sg_vec3 at)
{
    return m3_scale(m3_sub(m3_scale(M3_IDENTITY, v3_norm2(at)), m3_outer(at, at)), m);
}

static void add_mass(sg_mjcf_mass *sum, const geom *g, double mass)
{
    sg_mat3 own = m3_diagonal(moments_of(g, mass));
    own = m3_mul(m3_mul(g->place.turn, own), m3_transpose(g->place.turn));
    if (!(mass > 0.0))
        return;
    if (sum->n++ == 0) {
        *sum = (sg_mjcf_mass){1, mass, g->place.at, own};
        return;
    }
    if (sum->n == 2) { // from the center of the first one to the origin
        sum->inertia = m3_add(sum->inertia, moment_at(sum->mass, sum->center));
        sum->center = v3_scale(sum->center, sum->mass);
    }
    sum->mass += mass;
    sum->center = v3_add_scaled(sum->center, g->place.at, mass);
    sum->inertia = m3_add(sum->inertia, m3_add(own, moment_at(mass, g->place.at)));
}

// ---- what a geom is -----------------------------------------------------------------------------

static geom_type type_of(sg_mjcf_reader *r, const sg_mjcf_node *node)
{
    static const char *const names[] = {"plane",    "sphere", "capsule", "ellipsoid",
                                        "cylinder", "box",    "mesh"};
    const char *type = sg_mjcf_get(r, node, "type");
    if (!type)
        return sg_mjcf_get(r, node, "mesh") ? MESH : SPHERE;
    for (int k = 0; k < N_TYPES; k++)
        if (strcmp(type, names[k]) == 0)
            return (geom_type)k;
    SG_MJCF_SAY(r, SG_ERROR, node, "geoms of type '%.40s' are not there", type);
    return N_TYPES;
}

// From one point to another; its z axis leads from the second to the first.
static bool read_ends(sg_mjcf_reader *r, const sg_mjcf_node *node, geom *g)
{
    double ends[6];
    if (!sg_mjcf_numbers(r, node, "fromto", ends, 6, 6))
        return false;
    sg_vec3 a = v3_from(ends), b = v3_from(ends + 3), d = v3_sub(a, b);
    double half = 0.5 * v3_norm(d);
    if (g->type == PLANE || g->type == SPHERE || g->type == MESH)
        SG_MJCF_SAY(r, SG_ERROR, node, "fromto is for capsule, cylinder, box and ellipsoid");
    if (!(half > 0.0)) {
        SG_MJCF_SAY(r, SG_ERROR, node, "the two points of fromto are the same");
        return true;
    }
    g->place = (sg_robot_place){.at = v3_scale(v3_add(a, b), 0.5), .turn = sg_mjcf_turn_z(d)};
    if (g->type == ELLIPSOID || g->type == BOX) {
        g->size[1] = g->size[0];
        g->size[2] = half;
    } else {
        g->size[1] = half;
    }
    return true;
}

static void read_size(sg_mjcf_reader *r, const sg_mjcf_node *node, geom *g)
{
    static const int counts[] = {2, 1, 2, 3, 2, 3, 0};
    static const char *const words[] = {"a plane",    "a sphere", "a capsule", "an ellipsoid",
                                        "a cylinder", "a box",    "a mesh"};
    double size[3] = {0, 0, 0};
    int n = sg_mjcf_numbers(r, node, "size", size, 1, 3);
    memcpy(g->size, size, sizeof size);
    g->place = (sg_robot_place){.turn = M3_IDENTITY};
    bool ends = read_ends(r, node, g);
    if (!ends)
        g->place = sg_mjcf_place(r, node);
    if (g->type == MESH || (g->type == PLANE && n >= 2))
        return;
    int needed = ends ? 1 : counts[g->type];
    if (n < needed && !r->in.failed)
        SG_MJCF_SAY(r, SG_ERROR, node, "size of %s: %d numbers are needed", words[g->type], needed);
    for (int k = 0; k < counts[g->type] && !r->in.failed; k++)
        if (!(g->size[k] > 0.0))
            SG_MJCF_SAY(r, SG_ERROR, node, "size of %s is not positive", words[g->type]);
}

// Folder and name, seen from the folder of the first file.
static const char *mesh_path(sg_mjcf_reader *r, const char *file)
{
    const char *slash = strrchr(file, '/'), *folder = r->mesh_folder;
    if (r->strip_path && slash)
        file = slash + 1;
    size_t n = folder && file[0] != '/' ? strlen(folder) : 0, m = strlen(file);
    char *path = SG_NEW_ARRAY(r->in.arena, char, n + m + 2);
    if (!path)
        return "";
    memcpy(path, folder ? folder : "", n);
    if (n && path[n - 1] != '/')
        path[n++] = '/';
    memcpy(path + n, file, m + 1);
    return path;
}

static const sg_mjcf_node *mesh_named(sg_mjcf_reader *r, const char *name)
{
    const sg_mjcf_node *mesh = sg_mjcf_find(r, "asset", "mesh", name);
    if (mesh)
        return mesh;
    for (const sg_mjcf_node *s = r->root->child; s; s = s->next) // by the name of its file
        for (const sg_mjcf_node *n = s->child; n && sg_mjcf_is(s, "asset"); n = n->next) {
            const char *file = sg_xml_get(n->e, "file");
            if (!sg_mjcf_is(n, "mesh") || sg_xml_get(n->e, "name") || !file)
                continue;
            const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
            const char *dot = strrchr(base, '.');
            size_t length = dot ? (size_t)(dot - base) : strlen(base);
            if (strlen(name) == length && memcmp(name, base, length) == 0)
                return n;
        }
    return NULL;
}

static void read_mesh(sg_mjcf_reader *r, const sg_mjcf_node *node, geom *g, sg_robot_shape *out)
{
    const char *name = sg_mjcf_get(r, node, "mesh");
    const sg_mjcf_node *mesh = name ? mesh_named(r, name) : NULL;
    const char *file = mesh ? sg_mjcf_get(r, mesh, "file") : NULL;
    if (!mesh || !file || !*file) {
        SG_MJCF_SAY(r, SG_ERROR, mesh ? mesh : node,
                    mesh ? "mesh '%.60s' has no file" : "there is no mesh '%.60s'",
                    name ? name : "");
        return;
    }
    sg_robot_place ref = {.at = sg_mjcf_vector(r, mesh, "refpos", V3_ZERO), .turn = M3_IDENTITY};
    double q[4];
    if (sg_mjcf_numbers(r, mesh, "refquat", q, 4, 4) &&
        q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 0.0)
        ref.turn = sg_robot_turn_of_quaternion(q[1], q[2], q[3], q[0]);
    sg_robot_place back = sg_robot_back(&ref);
    g->place = sg_robot_behind(&g->place, &back);
    out->file = mesh_path(r, file);
    out->size = sg_mjcf_vector(r, mesh, "scale", (sg_vec3){1, 1, 1});
}

// A plane is the upper side of a box; without a size it reaches far.
static void make_box_of_plane(geom *g)
{
    static const double far = 50.0, thin = 0.5; // [m] half lengths
    double x = g->size[0] > 0.0 ? g->size[0] : far, y = g->size[1] > 0.0 ? g->size[1] : far;
    sg_robot_place down = {.at = {0.0, 0.0, -thin}, .turn = M3_IDENTITY};
    g->place = sg_robot_behind(&g->place, &down);
    g->size[0] = x;
    g->size[1] = y;
    g->size[2] = thin;
    g->type = BOX;
}

static void set_form(const geom *g, sg_robot_shape *out)
{
    const double *s = g->size;
    out->place = g->place;
    switch (g->type) {
    case SPHERE:
        out->form = SG_ROBOT_SPHERE;
        out->size = (sg_vec3){s[0], 0, 0};
        break;
    case CAPSULE:
    case CYLINDER:
        out->form = g->type == CAPSULE ? SG_ROBOT_CAPSULE : SG_ROBOT_CYLINDER;
        out->size = (sg_vec3){s[0], 2.0 * s[1], 0};
        break;
    case ELLIPSOID:
    case BOX:
        out->form = g->type == BOX ? SG_ROBOT_BOX : SG_ROBOT_ELLIPSOID;
        out->size = (sg_vec3){2.0 * s[0], 2.0 * s[1], 2.0 * s[2]};
        break;
    case MESH:
    case PLANE:
    case N_TYPES:
        out->form = SG_ROBOT_MESH;
        break;
    }
}

static void read_look(sg_mjcf_reader *r, const sg_mjcf_node *node, sg_robot_shape *out)
{
    const char *name = sg_mjcf_get(r, node, "material");
    const sg_mjcf_node *material = name ? sg_mjcf_find(r, "asset", "material", name) : NULL;
    double color[4] = {0.5, 0.5, 0.5, 1.0};
    if (name && !material)
        SG_MJCF_SAY(r, SG_ERROR, node, "there is no material '%.60s'", name);
    if (material)
        for (int k = 0; k < 4; k++)
            color[k] = 1.0;
    if (material)
        sg_mjcf_numbers(r, material, "rgba", color, 4, 4);
    sg_mjcf_numbers(r, node, "rgba", color, 4, 4);
    for (int k = 0; k < 4; k++)
        out->color[k] = fmin(fmax(color[k], 0.0), 1.0);
    out->has_color = true;
    out->seen = out->color[3] > 0.0 && sg_mjcf_number(r, node, "group", 0.0) < 3.0;
}

static uint32_t bits(sg_mjcf_reader *r, const sg_mjcf_node *node, const char *name)
{
    double x = sg_mjcf_number(r, node, name, 1.0);
    if (x >= 0.0 && x <= 4294967295.0 && x == floor(x))
        return (uint32_t)x;
    SG_MJCF_SAY(r, SG_ERROR, node, "%s is no number of 32 bits", name);
    return 1;
}

static void weigh(sg_mjcf_reader *r, const sg_mjcf_node *node, const geom *g, bool plane,
                  sg_mjcf_mass *sum, sg_robot_shape *out)
{
    double density = sg_mjcf_number(r, node, "density", 1000.0), mass = 0.0;
    bool whole = sg_mjcf_numbers(r, node, "mass", &mass, 1, 1) > 0;
    if (density < 0.0 || mass < 0.0)
        SG_MJCF_SAY(r, SG_ERROR, node, "mass and density are not negative");
    if (sg_mjcf_flag(r, node, "shellinertia", false))
        SG_MJCF_SAY(r, SG_ERROR, node, "shellinertia is not there: geoms are solid");
    if (plane || r->in.failed)
        return;
    if (g->type == MESH) { // its volume is known to who reads its file
        out->density = whole ? 0.0 : density;
        out->mass = whole ? mass : 0.0;
        r->robot->mass_is_known &= !(out->density > 0.0);
        r->robot->total_mass += out->mass;
        return;
    }
    add_mass(sum, g, whole ? mass : density * volume_of(g));
}

void sg_mjcf_read_geom(sg_mjcf_reader *r, const sg_mjcf_node *node, const sg_robot_place *frame,
                       uint32_t link, bool weighs, sg_mjcf_mass *mass)
{
    sg_robot_shape *shape = SG_NEW(r->in.arena, sg_robot_shape),
                   **end = &r->robot->links[link].shapes;
    geom g = {.type = type_of(r, node)};
    if (!shape || g.type == N_TYPES)
        return;
    while (*end)
        end = &(*end)->next;
    *shape = (sg_robot_shape){.groups = bits(r, node, "contype"),
                              .partners = bits(r, node, "conaffinity")};
    const char *name = sg_xml_get(node->e, "name");
    shape->name = name && *name ? name : NULL;
    read_size(r, node, &g);
    if (g.type == MESH)
        read_mesh(r, node, &g, shape);
    else if (sg_mjcf_get(r, node, "mesh"))
        SG_MJCF_SAY(r, SG_ERROR, node, "a form that is fitted to a mesh is not there");
    g.place = sg_robot_behind(frame, &g.place);
    bool plane = g.type == PLANE;
    if (plane)
        make_box_of_plane(&g);
    set_form(&g, shape);
    read_look(r, node, shape);
    shape->collides = (shape->groups || shape->partners) && !r->no_contacts;
    double group = sg_mjcf_number(r, node, "group", 0.0);
    if (weighs && group >= r->groups[0] && group <= r->groups[1])
        weigh(r, node, &g, plane, mass, shape);
    if (sg_mjcf_get(r, node, "friction") && sg_robot_is_new(&r->in, "geom friction"))
        SG_MJCF_SAY(r, SG_NOTE, node,
                    "friction of geoms is not used: contacts are those of materials");
    *end = shape;
}

// ---- bodies -------------------------------------------------------------------------------------

static void read_inertial(sg_mjcf_reader *r, const sg_mjcf_node *node, sg_robot_link *link)
{
    sg_robot_place place = sg_mjcf_place(r, node);
    double a[6] = {0};
    sg_mat3 own = m3_diagonal(V3_ZERO);
    if (!sg_xml_get(node->e, "mass"))
        SG_MJCF_SAY(r, SG_ERROR, node, "<inertial> needs a mass");
    link->mass = sg_mjcf_number(r, node, "mass", 0.0);
    if (link->mass < 0.0)
        SG_MJCF_SAY(r, SG_ERROR, node, "the mass is negative");
    if (sg_mjcf_numbers(r, node, "fullinertia", a, 6, 6))
        own = (sg_mat3){{{a[0], a[3], a[4]}, {a[3], a[1], a[5]}, {a[4], a[5], a[2]}}};
    else if (sg_mjcf_numbers(r, node, "diaginertia", a, 3, 3))
        own = m3_diagonal(v3_from(a));
    else if (!r->in.failed)
        SG_MJCF_SAY(r, SG_ERROR, node, "<inertial> needs diaginertia or fullinertia");
    link->center = place.at;
    link->inertia = m3_mul(m3_mul(place.turn, own), m3_transpose(place.turn));
}

// Principal moments are not less than this.
static sg_mat3 bound_below(sg_mat3 m, double least)
{
    const double a[3][3] = {{m.m[0][0], m.m[0][1], m.m[0][2]},
                            {m.m[1][0], m.m[1][1], m.m[1][2]},
                            {m.m[2][0], m.m[2][1], m.m[2][2]}};
    double value[3], v[3][3];
    sg_symmetric_eigen3(a, value, v);
    if (value[0] >= least)
        return m;
    sg_mat3 out = m3_diagonal(V3_ZERO);
    for (int k = 0; k < 3; k++) {
        sg_vec3 axis = {v[0][k], v[1][k], v[2][k]};
        out = m3_add(out, m3_scale(m3_outer(axis, axis), fmax(value[k], least)));
    }
    return out;
}

void sg_mjcf_settle_mass(sg_mjcf_reader *r, const sg_mjcf_node *body, const sg_mjcf_node *inertial,
                         const sg_mjcf_mass *geoms, sg_robot_link *link)
{
    bool by_mesh = false;
    for (const sg_robot_shape *s = link->shapes; s; s = s->next)
        by_mesh |= s->density > 0.0 || s->mass > 0.0;
    bool own = inertial && (r->from_geoms != SG_MJCF_ALWAYS || (geoms->n == 0 && !by_mesh));
    if (own) {
        read_inertial(r, inertial, link);
    } else if (geoms->n == 1) {
        link->mass = geoms->mass;
        link->center = geoms->center;
        link->inertia = geoms->inertia;
    } else if (geoms->n > 1) {
        link->mass = geoms->mass;
        link->center = v3_scale(geoms->center, 1.0 / geoms->mass);
        link->inertia = m3_sub(geoms->inertia, moment_at(geoms->mass, link->center));
    }
    if (!by_mesh) {
        link->mass = fmax(link->mass, r->bound_mass);
        if (r->bound_inertia > 0.0)
            link->inertia = bound_below(link->inertia, r->bound_inertia);
    }
    r->robot->total_mass += link->mass;
    const char *wrong =
        link->mass > 0.0 ? sg_robot_judge_inertia(&link->inertia, link->mass, r->balance) : NULL;
    if (wrong)
        SG_MJCF_SAY(r, SG_WARNING, inertial ? inertial : body,
                    "the inertia of body '%.60s' is none that a body can have: %s%s", link->name,
                    wrong,
                    r->balance ? "; it was repaired"
                               : "; repairInertia = true, or --repair-inertia, makes it plausible");
}
