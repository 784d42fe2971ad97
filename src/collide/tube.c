#include "collide/tube.h"

#include "math/scalar.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static double outer_radius(const sg_shape *s) { return s->rb + s->radius; }
static double half_length(const sg_shape *s) { return 0.5 * s->length; }
static double wall_of(const sg_shape *s) { return outer_radius(s) - s->bore; }

double sg_tube_half(const sg_shape *s) { return s_min(0.5 * wall_of(s), half_length(s)); }

sg_vec3 sg_tube_axis(const sg_shape *s, const sg_pose *pose)
{
    sg_pose frame = sg_shape_frame(s, pose);
    return m3_mul_v(&frame.R, (sg_vec3){0.0, 0.0, 1.0});
}

// As many that the corners of inner faces take no more than a quarter of the wall.
int sg_tube_pieces(const sg_shape *s)
{
    double angle = acos(s->bore / (s->bore + 0.25 * wall_of(s)));
    double n = ceil(0.25 * pi / angle) * 4.0;
    return n < 48.0 ? 48 : n < SG_TUBE_MOST_PIECES ? (int)n : SG_TUBE_MOST_PIECES;
}

void sg_tube_piece(const sg_shape *s, int k, sg_vec3 corner[SG_TUBE_CORNERS])
{
    const sg_pose one = POSE_IDENTITY;
    sg_pose frame = sg_shape_frame(s, &one);
    int n = sg_tube_pieces(s);
    double h = half_length(s), half = pi / n;
    // Of a wall thinner than that the corners stay in its middle.
    double inner = s_min(s->bore / cos(half), s->bore + 0.5 * wall_of(s));
    for (int i = 0; i < SG_TUBE_CORNERS; i++) {
        double angle = 2.0 * half * (k + (i & 1)), r = i & 2 ? outer_radius(s) : inner;
        sg_vec3 p = {r * cos(angle), r * sin(angle), i & 4 ? h : -h};
        corner[i] = pose_point(&frame, p);
    }
}

sg_closed_answer sg_tube_ball(const sg_shape *s, const sg_pose *pose, sg_vec3 center, double radius)
{
    sg_pose frame = sg_shape_frame(s, pose);
    sg_vec3 c = m3_tmul_v(&frame.R, v3_sub(center, frame.r));
    double round = s_min(s->smoothing, 0.1 * s_min(wall_of(s), s->length));
    double rho = hypot(c.x, c.y);
    // On the axis all directions are as near; one is taken.
    double ex = rho > 0.0 ? c.x / rho : 1.0, ey = rho > 0.0 ? c.y / rho : 0.0;
    double inner = s->bore + round - rho, outer = rho - (outer_radius(s) - round);
    double across = s_max(inner, outer), along = fabs(c.z) - (half_length(s) - round);
    double out = inner > outer ? -1.0 : 1.0, up = c.z < 0.0 ? -1.0 : 1.0;
    double distance, nr, nz;
    if (across <= 0.0 && along <= 0.0) { // the center is in the wall: out by the shortest way
        distance = s_max(across, along);
        nr = across > along ? out : 0.0;
        nz = across > along ? 0.0 : up;
    } else {
        double r = s_max(across, 0.0), z = s_max(along, 0.0);
        distance = hypot(r, z);
        nr = out * r / distance;
        nz = up * z / distance;
    }
    sg_closed_answer a = {.delta = distance - round - radius};
    a.n = m3_mul_v(&frame.R, (sg_vec3){nr * ex, nr * ey, nz});
    a.middle = v3_add_scaled(center, a.n, -(radius + 0.5 * a.delta));
    return a;
}

bool sg_tube_is_outside(const sg_shape *s, const sg_pose *pose, sg_vec3 point, double delta)
{
    sg_pose frame = sg_shape_frame(s, pose);
    sg_vec3 p = m3_tmul_v(&frame.R, v3_sub(point, frame.r));
    return hypot(p.x, p.y) >= s->bore && -delta <= wall_of(s);
}
