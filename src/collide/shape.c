#include "collide/shape.h"

static const char bad_number[] = "a size is not a finite number";
static const char bad_sign[] = "a size is zero or negative; the shape has no volume";
static const char bad_range[] = "a size is outside 1e-40 m to 1e40 m";

// Sizes beyond this range would overflow or vanish in products of six lengths.
#define SMALLEST_SIZE 1e-40
#define LARGEST_SIZE 1e40

static sg_status refuse(const char *text, const char **why)
{
    *why = text;
    return SG_ERR_INPUT;
}

static sg_status check_sizes(const double *sizes, int n, const char **why)
{
    for (int i = 0; i < n; i++) {
        if (!isfinite(sizes[i]))
            return refuse(bad_number, why);
        if (sizes[i] <= 0.0)
            return refuse(bad_sign, why);
        if (sizes[i] < SMALLEST_SIZE || sizes[i] > LARGEST_SIZE)
            return refuse(bad_range, why);
    }
    return SG_OK;
}

static sg_status check_axis(int axis, const char **why)
{
    return axis >= 0 && axis <= 2 ? SG_OK : refuse("the axis is not 1, 2 or 3", why);
}

static sg_status cut_smoothing(double smoothing, double smallest, double *rho, const char **why)
{
    if (!(smoothing >= 0.0) || !isfinite(smoothing))
        return refuse("the smoothing radius is negative or not a finite number", why);
    *rho = fmin(smoothing, 0.1 * smallest);
    return SG_OK;
}

sg_status sg_shape_sphere(double diameter, sg_shape *out, const char **why)
{
    sg_status status = check_sizes(&diameter, 1, why);
    if (status)
        return status;
    *out = (sg_shape){.kind = SG_SHAPE_SPHERE,
                      .core = SG_CORE_POINT,
                      .axis = 2,
                      .radius = 0.5 * diameter,
                      .bound = 0.5 * diameter,
                      .smallest = diameter,
                      .length = diameter};
    return SG_OK;
}

sg_status sg_shape_box(sg_vec3 lengths, double smoothing, sg_shape *out, const char **why)
{
    double sizes[3] = {lengths.x, lengths.y, lengths.z}, rho;
    sg_status status = check_sizes(sizes, 3, why);
    double smallest = fmin(lengths.x, fmin(lengths.y, lengths.z));
    if (!status)
        status = cut_smoothing(smoothing, smallest, &rho, why);
    if (status)
        return status;
    sg_vec3 half = v3_scale(lengths, 0.5);
    *out = (sg_shape){.kind = SG_SHAPE_BOX,
                      .core = SG_CORE_BOX,
                      .axis = 2,
                      .radius = rho,
                      .half = v3_sub(half, v3_make(rho, rho, rho)),
                      .bound = v3_norm(half),
                      .inradius = 0.5 * smallest - rho,
                      .smallest = smallest,
                      .length = lengths.z,
                      .smoothing = rho};
    return SG_OK;
}

sg_status sg_shape_ellipsoid(sg_vec3 lengths, sg_shape *out, const char **why)
{
    double sizes[3] = {lengths.x, lengths.y, lengths.z};
    sg_status status = check_sizes(sizes, 3, why);
    if (status)
        return status;
    double smallest = fmin(lengths.x, fmin(lengths.y, lengths.z));
    // No curvature radius of an ellipsoid is less than a^2/c, a the shortest and c the longest
    // semi-axis. A ball of that radius rolls freely inside (Blaschke), so it is a summand and can
    // be set aside; a little less of it leaves the core some volume.
    double rho = 0.45 * smallest * smallest / v3_max(lengths);
    *out = (sg_shape){.kind = SG_SHAPE_ELLIPSOID,
                      .core = SG_CORE_ELLIPSOID,
                      .axis = 2,
                      .radius = rho,
                      .half = v3_scale(lengths, 0.5),
                      .bound = 0.5 * v3_max(lengths),
                      .inradius = 0.5 * smallest - rho,
                      .smallest = smallest,
                      .length = lengths.z,
                      .curved = true};
    return SG_OK;
}

sg_status sg_shape_capsule(int axis, double diameter, double length, sg_shape *out,
                           const char **why)
{
    double sizes[2] = {diameter, length};
    sg_status status = check_axis(axis, why);
    if (!status)
        status = check_sizes(sizes, 2, why);
    if (status)
        return status;
    *out = (sg_shape){.kind = SG_SHAPE_CAPSULE,
                      .core = SG_CORE_SEGMENT,
                      .axis = axis,
                      .radius = 0.5 * diameter,
                      .half = {0.0, 0.0, 0.5 * length},
                      .bound = 0.5 * (diameter + length),
                      .smallest = diameter,
                      .length = length};
    return SG_OK;
}

// Radius of the ball around the centroid that fits into the frustum.
static double frustum_inradius(const sg_shape *s)
{
    double dr = s->rb - s->rt, height = s->z1 - s->z0, slant = sqrt(dr * dr + height * height);
    double c = s->centroid.z - s->z0;
    double side = (s->rb * height - dr * c) / slant;
    return fmin(side, fmin(c, height - c));
}

static double frustum_bound(double rb, double rt, double below, double above)
{
    return fmax(sqrt(rb * rb + below * below), sqrt(rt * rt + above * above));
}

sg_status sg_shape_cylinder(int axis, double diameter, double length, double smoothing,
                            sg_shape *out, const char **why)
{
    double sizes[2] = {diameter, length}, rho;
    sg_status status = check_axis(axis, why);
    if (!status)
        status = check_sizes(sizes, 2, why);
    if (!status)
        status = cut_smoothing(smoothing, fmin(diameter, length), &rho, why);
    if (status)
        return status;
    double r = 0.5 * diameter, h = 0.5 * length;
    *out = (sg_shape){.kind = SG_SHAPE_CYLINDER,
                      .core = SG_CORE_FRUSTUM,
                      .axis = axis,
                      .radius = rho,
                      .rb = r - rho,
                      .rt = r - rho,
                      .z0 = -(h - rho),
                      .z1 = h - rho,
                      .bound = frustum_bound(r, r, h, h),
                      .smallest = fmin(diameter, length),
                      .length = length,
                      .smoothing = rho,
                      .curved = true};
    out->inradius = frustum_inradius(out);
    return SG_OK;
}

sg_status sg_shape_cone(int axis, double diameter, double top_diameter, double length, double base,
                        double smoothing, sg_shape *out, const char **why)
{
    double sizes[2] = {diameter, length}, rho;
    sg_status status = check_axis(axis, why);
    if (!status)
        status = check_sizes(sizes, 2, why);
    if (!status && (!(top_diameter >= 0.0) || !(top_diameter < diameter)))
        status = refuse("the top diameter of a cone is not in [0, diameter)", why);
    if (!status && !isfinite(base))
        status = refuse(bad_number, why);
    if (!status)
        status = cut_smoothing(smoothing, fmin(diameter, length), &rho, why);
    if (status)
        return status;
    double b = 0.5 * diameter, t = 0.5 * top_diameter, dr = b - t;
    double slant = sqrt(dr * dr + length * length), cut = rho / length;
    double rb = b - cut * (slant + dr), rt = t - cut * (slant - dr), z1 = length - rho;
    if (rt < 0.0 || t == 0.0) { // the shrunk side meets the axis below the shrunk top
        rt = 0.0;
        z1 = (b - rho * slant / length) * length / dr;
    }
    double q = b * b + b * t + t * t;
    *out = (sg_shape){.kind = SG_SHAPE_CONE,
                      .core = SG_CORE_FRUSTUM,
                      .axis = axis,
                      .radius = rho,
                      .rb = rb,
                      .rt = rt,
                      .base_radius = b,
                      .top_radius = t,
                      .z0 = base + rho,
                      .z1 = base + z1,
                      .smallest = fmin(diameter, length),
                      .length = length,
                      .smoothing = rho,
                      .curved = true};
    // Height of the centroid over the base: L/4 (b^2 + 2 b t + 3 t^2) / (b^2 + b t + t^2).
    out->centroid.z = base + 0.25 * length * (b * b + 2 * b * t + 3 * t * t) / q;
    double above_base = out->centroid.z - base;
    out->bound = frustum_bound(b, t, above_base, length - above_base);
    out->inradius = frustum_inradius(out);
    return SG_OK;
}

sg_status sg_shape_beam(int axis, double length, double width, double thickness, double smoothing,
                        sg_shape *out, const char **why)
{
    double sizes[3] = {length, width, thickness}, rho;
    double smallest = fmin(length, fmin(width, thickness));
    sg_status status = check_axis(axis, why);
    if (!status)
        status = check_sizes(sizes, 3, why);
    if (!status)
        status = cut_smoothing(smoothing, smallest, &rho, why);
    if (status)
        return status;
    double w = 0.5 * width, t = 0.5 * thickness, l = 0.5 * length;
    *out = (sg_shape){.kind = SG_SHAPE_BEAM,
                      .core = SG_CORE_STADIUM,
                      .axis = axis,
                      .radius = rho,
                      .half = {w - rho, t - rho, l},
                      .bound = sqrt((l + w) * (l + w) + t * t),
                      .inradius = fmin(w, t) - rho,
                      .smallest = smallest,
                      .length = length,
                      .smoothing = rho,
                      .curved = true};
    return SG_OK;
}

sg_status sg_shape_mesh(const sg_mesh *mesh, sg_shape *out, const char **why)
{
    if (!mesh || mesh->nv < 4)
        return refuse("the mesh is empty", why);
    *out = (sg_shape){.kind = SG_SHAPE_MESH,
                      .core = SG_CORE_MESH,
                      .axis = 2,
                      .origin = mesh->center,
                      .centroid = mesh->centroid,
                      .bound = mesh->bound,
                      .inradius = mesh->inradius,
                      .smallest = mesh->shortest_edge,
                      .mesh = mesh};
    return SG_OK;
}

sg_pose sg_shape_frame(const sg_shape *shape, const sg_pose *pose)
{
    // Canonical (x, y, z) are the local axes (axis+1, axis+2, axis), taken cyclically.
    if (shape->core == SG_CORE_MESH)
        return (sg_pose){.R = pose->R, .r = pose_point(pose, shape->origin)};
    if (shape->axis == 2)
        return *pose;
    sg_vec3 x = m3_column(&pose->R, 0), y = m3_column(&pose->R, 1), z = m3_column(&pose->R, 2);
    return (sg_pose){.R = shape->axis == 0 ? m3_columns(y, z, x) : m3_columns(z, x, y),
                     .r = pose->r};
}

sg_vec3 sg_shape_centroid(const sg_shape *shape, const sg_pose *pose)
{
    sg_pose frame = sg_shape_frame(shape, pose);
    return pose_point(&frame, shape->centroid);
}

const char *sg_shape_kind_name(sg_shape_kind kind)
{
    static const char *const names[] = {"sphere",   "box",  "ellipsoid", "capsule",
                                        "cylinder", "cone", "beam",      "mesh"};
    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "unknown";
}
