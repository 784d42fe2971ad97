#include "contact/bulge.h"

// A strip that is touched so nearly along its axis is not there.
static const double along_axis = 1e-6;

int sg_bulge_list(const sg_area_body *body, const sg_pose *frame, sg_vec3 ahead, double depth,
                  sg_bulge out[SG_BULGES])
{
    const sg_area_side *s = &body->side[0];
    sg_vec3 u = pose_vector(frame, s->u), way = pose_vector(frame, v3_perpendicular(s->u)), end[2];
    double along = v3_dot(ahead, u), reach[2];
    sg_vec3 across = v3_add_scaled(ahead, u, -along);
    double radial = v3_norm(across);
    int n = 0;
    for (int i = 0; i < 2; i++) {
        end[i] = pose_point(frame, v3_add_scaled(s->at, s->u, s->y[i]));
        reach[i] = along * s->y[i] + s->r;
    }
    double top = fmax(reach[0], reach[1]);
    for (int i = 0; i < 2; i++) {
        if (depth > top - reach[i])
            out[n++] = (sg_bulge){.at = end[i],
                                  .u = i ? u : v3_neg(u),
                                  .way = way,
                                  .r = s->r,
                                  .ball = i + 1,
                                  .ahead = ahead};
    }
    // 1 - cos as a sine, which small angles keep their digits of.
    double below = s->r * along * along / (1.0 + radial);
    if (radial > along_axis && depth > below)
        out[n++] = (sg_bulge){.at = end[0],
                              .u = u,
                              .way = way,
                              .length = s->y[1] - s->y[0],
                              .r = s->r,
                              .ahead = v3_scale(across, 1.0 / radial)};
    return n;
}

bool sg_bulge_cut(const sg_bulge *b, sg_polygon *polygon)
{
    double from = v3_dot(b->u, b->at);
    if (!sg_polygon_cut(polygon, v3_neg(b->u), -from))
        return false;
    return b->ball || sg_polygon_cut(polygon, b->u, from + b->length);
}

sg_vec3 sg_bulge_normal(const sg_bulge *b, sg_vec3 x)
{
    sg_vec3 from = v3_sub(x, b->at);
    return v3_unit(b->ball ? from : v3_add_scaled(from, b->u, -v3_dot(from, b->u)));
}

// How far the bulge is behind its tangent plane at x, e [m].
static double behind(const sg_bend *bend, sg_vec3 x)
{
    const sg_bulge *b = bend->bulge;
    sg_vec3 from = v3_sub(x, b->at);
    double h = v3_dot(bend->n, from), t2;
    sg_vec3 across = v3_add_scaled(from, bend->n, -h);
    if (!b->ball)
        across = v3_add_scaled(across, b->u, -v3_dot(from, b->u));
    t2 = v3_norm2(across);
    return -t2 / (h + sqrt(h * h + t2));
}

double sg_bend_at(const sg_bend *bend, sg_vec3 x)
{
    double e = behind(bend, x);
    return bend->g * behind(bend, v3_add_scaled(x, bend->way, bend->offset * e));
}

bool sg_bend_rim(const sg_bend *bend, sg_vec3 m, double d, double level, sg_vec3 slope, sg_rim *out)
{
    const sg_bulge *b = bend->bulge;
    double away = d - v3_dot(m, b->at);
    sg_vec3 foot = v3_add_scaled(b->at, m, away);
    double L = away * v3_dot(bend->n, m) + (level + v3_dot(slope, foot)) / bend->g;
    sg_vec3 leans = v3_add_scaled(bend->n, slope, 1.0 / bend->g);
    leans = v3_add_scaled(leans, m, -v3_dot(leans, m));
    double square = L * L - (1.0 - v3_norm2(leans)) * away * away;
    double far = square > 0.0 ? L + sqrt(square) : 0.0;
    if (!(far > 0.0))
        return false;
    double part = away * away / far;
    *out = (sg_rim){.at = v3_add_scaled(foot, leans, part),
                    .u = m,
                    .way = sg_rim_turn(b->way, b->u, m),
                    .slope = leans,
                    .level = L - part - v3_dot(leans, foot)};
    return true;
}
