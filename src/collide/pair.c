#include "collide/pair.h"

void sg_pair_init(sg_pair *pair, const sg_shape *a, const sg_pose *pose_a, const sg_shape *b,
                  const sg_pose *pose_b)
{
    sg_pose fa = sg_shape_frame(a, pose_a), fb = sg_shape_frame(b, pose_b);
    // First the difference of the places, which is exact where they are close to each other, then
    // the origins of the canonical frames: far from the world's origin the other order loses
    // digits.
    sg_vec3 between = v3_sub(pose_b->r, pose_a->r);
    if (a->core == SG_CORE_MESH)
        between = v3_sub(between, pose_vector(pose_a, a->origin));
    if (b->core == SG_CORE_MESH)
        between = v3_add(between, pose_vector(pose_b, b->origin));
    bool flat = a->inradius <= 0.0 && b->inradius <= 0.0;
    *pair = (sg_pair){.a = a,
                      .b = b,
                      .R = m3_tmul(fa.R, fb.R),
                      .r = m3_tmul_v(&fa.R, between),
                      .ra = flat ? a->radius : 0.0,
                      .outer_a = flat ? 0.0 : a->radius,
                      .outer_b = b->radius,
                      .size = 0.5 * (a->bound + b->bound),
                      .hint_a = UINT32_MAX,
                      .hint_b = UINT32_MAX,
                      .curved = flat || a->curved || b->curved};
    pair->inradius = a->inradius + b->inradius + pair->ra + pair->rb;
}

sg_vec3 sg_pair_center(const sg_pair *pair)
{
    sg_vec3 b = v3_add(m3_mul_v(&pair->R, pair->b->centroid), pair->r);
    return v3_sub(pair->a->centroid, b);
}

static sg_support_point combine(const sg_pair *pair, sg_vec3 n, sg_vec3 a, sg_vec3 b)
{
    if (pair->ra > 0.0)
        a = v3_add_scaled(a, n, pair->ra);
    b = v3_add(m3_mul_v(&pair->R, b), pair->r);
    return (sg_support_point){.p = v3_sub(a, b), .a = a};
}

sg_support_point sg_pair_support(sg_pair *pair, sg_vec3 n)
{
    pair->calls++;
    sg_vec3 a = sg_support(pair->a, n, pair->hint_a, &pair->hint_a);
    sg_vec3 nb = v3_neg(m3_tmul_v(&pair->R, n));
    sg_vec3 b = sg_support(pair->b, nb, pair->hint_b, &pair->hint_b);
    sg_support_point s = combine(pair, n, a, b);
    s.ia = pair->hint_a;
    s.ib = pair->hint_b;
    return s;
}

sg_support_point sg_pair_piece(const sg_pair *pair, uint32_t ia, uint32_t ib, sg_vec3 n)
{
    sg_vec3 a = sg_support_piece(pair->a, ia, n);
    sg_vec3 b = sg_support_piece(pair->b, ib, v3_neg(m3_tmul_v(&pair->R, n)));
    sg_support_point s = combine(pair, n, a, b);
    s.ia = ia;
    s.ib = ib;
    return s;
}

bool sg_pair_curvature(const sg_pair *pair, uint32_t ia, uint32_t ib, sg_vec3 n, sg_vec3 e1,
                       sg_vec3 e2, double c[3])
{
    c[0] = c[2] = pair->ra;
    c[1] = 0.0;
    if (pair->a->curved && !sg_support_curvature(pair->a, ia, n, e1, e2, c))
        return false;
    if (!pair->b->curved)
        return true;
    // The map n -> -n leaves second derivatives as they are.
    return sg_support_curvature(pair->b, ib, v3_neg(m3_tmul_v(&pair->R, n)),
                                m3_tmul_v(&pair->R, e1), m3_tmul_v(&pair->R, e2), c);
}

void sg_pair_least_curvature(const sg_pair *pair, uint32_t met_a, uint32_t met_b, sg_vec3 n,
                             double tau, sg_vec3 e1, sg_vec3 e2, double c[3])
{
    c[0] = c[2] = pair->ra;
    c[1] = 0.0;
    if (pair->a->curved)
        sg_support_least_curvature(pair->a, met_a, n, tau, e1, e2, c);
    if (pair->b->curved)
        sg_support_least_curvature(pair->b, met_b, v3_neg(m3_tmul_v(&pair->R, n)), tau,
                                   m3_tmul_v(&pair->R, e1), m3_tmul_v(&pair->R, e2), c);
}
