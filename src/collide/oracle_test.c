#include "collide/oracle_test.h"

#include "harness/sg_test_math.h"

typedef long double real;

static real smoothing(const test_shape *s)
{
    const double *d = s->d;
    double least = 0.0;
    switch (s->kind) {
    case 1:
    case 6:
        least = fmin(d[0], fmin(d[1], d[2]));
        break;
    case 4:
    case 5:
        least = fmin(d[0], d[1]);
        break;
    case 8:
        least = fmin(d[0], d[2]);
        break;
    default:
        break;
    }
    return (real)fmin(s->rho, 0.1 * least);
}

// Base and top circle of a cone or frustum after shrinking, on its axis.
static void shrunk_cone(const test_shape *s, real *rb, real *zb, real *rt, real *zt)
{
    real b = s->d[0] / 2.0L, t = s->kind == 8 ? s->d[1] / 2.0L : 0.0L;
    real h = s->kind == 8 ? s->d[2] : s->d[1], base = s->kind == 8 ? -0.5L * h : 0.0L;
    real rho = smoothing(s), slope = (b - t) / h, shift = rho * sqrtl(1.0L + slope * slope);
    // Radius at height z over the base: b - slope z - shift.
    *rb = b - slope * rho - shift;
    *zb = base + rho;
    *rt = b - slope * (h - rho) - shift;
    *zt = base + h - rho;
    if (*rt < 0.0L || t == 0.0L) {
        *rt = 0.0L;
        *zt = base + (b - shift) / slope;
    }
}

static real norm(real x, real y, real p)
{
    return powl(powl(fabsl(x), p) + powl(fabsl(y), p), 1.0L / p);
}

static real local_value(const test_shape *s, const real u[3])
{
    const double *d = s->d;
    real rho = smoothing(s);
    real ua = u[s->axis], ub = u[(s->axis + 1) % 3], uc = u[(s->axis + 2) % 3];
    real across = sqrtl(ub * ub + uc * uc);
    switch (s->kind) {
    case 0:
        return d[0] / 2.0L;
    case 1:
    case 9:
        return fabsl(u[0]) * (d[0] / 2.0L - rho) + fabsl(u[1]) * (d[1] / 2.0L - rho) +
               fabsl(u[2]) * (d[2] / 2.0L - rho) + rho;
    case 2:
        return 0.5L * sqrtl(u[0] * u[0] * d[0] * d[0] + u[1] * u[1] * d[1] * d[1] +
                            u[2] * u[2] * d[2] * d[2]);
    case 3:
        return fabsl(ua) * d[1] / 2.0L + d[0] / 2.0L;
    case 4:
        return across * (d[0] / 2.0L - rho) + fabsl(ua) * (d[1] / 2.0L - rho) + rho;
    case 5:
    case 8: {
        real rb, zb, rt, zt;
        shrunk_cone(s, &rb, &zb, &rt, &zt);
        return fmaxl(rb * across + zb * ua, rt * across + zt * ua) + rho;
    }
    case TEST_SUPERELLIPSOID: {
        real s_xy = norm(u[0] * d[0], u[1] * d[1], 2.0L / (2.0L - d[4]));
        return 0.5L * norm(s_xy, u[2] * d[2], 2.0L / (2.0L - d[3]));
    }
    case 6: // length along the axis, width along the next, thickness along the third
        return fabsl(ua) * d[0] / 2.0L + (d[1] / 2.0L - rho) * sqrtl(ua * ua + ub * ub) +
               (d[2] / 2.0L - rho) * fabsl(uc) + rho;
    default: {
        real most = -1e300L;
        for (int i = 0; i < s->nv; i++)
            most =
                fmaxl(most, u[0] * s->vertex[i].x + u[1] * s->vertex[i].y + u[2] * s->vertex[i].z);
        return most;
    }
    }
}

static real placed_value(const test_shape *s, const sg_pose *p, const real n[3], real sign)
{
    real u[3];
    for (int j = 0; j < 3; j++)
        u[j] = sign * (n[0] * p->R.m[0][j] + n[1] * p->R.m[1][j] + n[2] * p->R.m[2][j]);
    return local_value(s, u);
}

long double oracle_value(const oracle_pair *pair, const long double n[3])
{
    real apart = n[0] * ((real)pair->pa.r.x - pair->pb.r.x) +
                 n[1] * ((real)pair->pa.r.y - pair->pb.r.y) +
                 n[2] * ((real)pair->pa.r.z - pair->pb.r.z);
    return apart + placed_value(pair->a, &pair->pa, n, 1) + placed_value(pair->b, &pair->pb, n, -1);
}

// Outside a rectangle of half sides x and y with everything grown by rho.
static real beyond(real x, real y, real hx, real hy, real rho)
{
    real ox = fmaxl(0, fabsl(x) - hx), oy = fmaxl(0, fabsl(y) - hy);
    return fmaxl(0, sqrtl(ox * ox + oy * oy) - rho);
}

static real outside_cone(const test_shape *s, real along, real across)
{
    real rb, zb, rt, zt, rho = smoothing(s);
    shrunk_cone(s, &rb, &zb, &rt, &zt);
    real dr = rt - rb, dz = zt - zb, l = sqrtl(dr * dr + dz * dz);
    if (along >= zb && along <= zt && (across - rb) * dz - (along - zb) * dr <= 0)
        return 0;
    // Distance to base, side and top as segments.
    real t = fmaxl(0, fminl(1, ((across - rb) * dr + (along - zb) * dz) / (l * l)));
    real best = hypotl(across - rb - t * dr, along - zb - t * dz);
    best = fminl(best, hypotl(fmaxl(0, across - rb), along - zb));
    best = fminl(best, hypotl(fmaxl(0, across - rt), along - zt));
    return fmaxl(0, best - rho);
}

static real outside_mesh(const sg_mesh *m, const real x[3])
{
    real most = 0;
    for (int f = 0; f < m->nf; f++) {
        sg_vec3 a = sg_mesh_vertex(m, m->face[3 * f]), b = sg_mesh_vertex(m, m->face[3 * f + 1]),
                c = sg_mesh_vertex(m, m->face[3 * f + 2]);
        sg_vec3 n = v3_cross(v3_sub(b, a), v3_sub(c, a));
        // Thin triangles have no reliable plane; their neighbors speak for them.
        if (v3_norm(n) < 1e-3 * v3_norm(v3_sub(b, a)) * v3_norm(v3_sub(c, a)))
            continue;
        n = v3_unit(n);
        most = fmaxl(most, n.x * (x[0] - m->center.x - a.x) + n.y * (x[1] - m->center.y - a.y) +
                               n.z * (x[2] - m->center.z - a.z));
    }
    return most;
}

double oracle_outside(const test_shape *s, const sg_pose *p, sg_vec3 point)
{
    real w[3] = {(real)point.x - p->r.x, (real)point.y - p->r.y, (real)point.z - p->r.z}, x[3];
    for (int j = 0; j < 3; j++)
        x[j] = w[0] * p->R.m[0][j] + w[1] * p->R.m[1][j] + w[2] * p->R.m[2][j];
    const double *d = s->d;
    real rho = smoothing(s), xa = x[s->axis], xb = x[(s->axis + 1) % 3], xc = x[(s->axis + 2) % 3];
    real across = hypotl(xb, xc);
    switch (s->kind) {
    case TEST_SUPERELLIPSOID: { // along the ray from the middle, which is farther than straight out
        real n = 2 * norm(norm(x[0] / d[0], x[1] / d[1], 2.0L / d[4]), x[2] / d[2], 2.0L / d[3]);
        return (double)(fmaxl(0, 1 - 1 / n) * sqrtl(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]));
    }
    case 0:
        return (double)fmaxl(0, sqrtl(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) - d[0] / 2.0L);
    case 1:
    case 9: {
        real o = 0;
        for (int i = 0; i < 3; i++) {
            real over = fmaxl(0, fabsl(x[i]) - (d[i] / 2.0L - rho));
            o += over * over;
        }
        return (double)fmaxl(0, sqrtl(o) - rho);
    }
    case 2: {
        // First order: excess of the quadratic form over its gradient.
        real q = -1, g = 0;
        for (int i = 0; i < 3; i++) {
            real y = 2 * x[i] / d[i];
            q += y * y;
            g += 16 * y * y / ((real)d[i] * d[i]);
        }
        return (double)fmaxl(0, g > 0 ? q / sqrtl(g) : 0);
    }
    case 3:
        return (double)beyond(xa, across, d[1] / 2.0L, 0, d[0] / 2.0L);
    case 4:
        return (double)beyond(xa, across, d[1] / 2.0L - rho, d[0] / 2.0L - rho, rho);
    case 5:
    case 8:
        return (double)outside_cone(s, xa, across);
    case 6: {
        real flat = hypotl(fmaxl(0, fabsl(xa) - d[0] / 2.0L), xb);
        return (double)beyond(flat, xc, d[1] / 2.0L - rho, d[2] / 2.0L - rho, rho);
    }
    default:
        return (double)outside_mesh(&s->mesh, x);
    }
}

static real value_at(const oracle_pair *pair, sg_vec3 n, real out[3])
{
    real v[3] = {n.x, n.y, n.z}, l = sqrtl(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++)
        out[i] = v[i] / l;
    return oracle_value(pair, out);
}

// Walks downhill from n by trial steps; stops when it cannot come below `bar` any more.
static real walk(const oracle_pair *pair, sg_vec3 n, real value, real bar, double least_step,
                 sg_rng *rng)
{
    real unit[3];
    double slope = 4.0 * pair->size; // no support value changes faster than the shapes are wide
    for (double step = 0.15; step > least_step; step *= 0.5)
        for (int lucky = 1, k = 0; lucky && k < 8; k++) {
            lucky = 0;
            if (value - slope * step * 4.0 > bar)
                return value;
            sg_vec3 e = v3_unit(v3_cross(n, sg_rng_direction(rng))), f = v3_cross(n, e);
            for (int i = 0; i < 4; i++) {
                sg_vec3 t = v3_add_scaled(n, i < 2 ? e : f, i % 2 ? step : -step);
                real v = value_at(pair, t, unit);
                if (v < value) {
                    value = v;
                    n = v3_unit(t);
                    lucky = 1;
                }
            }
        }
    return value;
}

// The least support value that a search over all directions finds below `bar`.
static real least_value(const oracle_pair *pair, sg_vec3 claimed, real bar, int effort, sg_rng *rng)
{
    enum { KEEP = 5 };
    sg_vec3 best[KEEP];
    real value[KEEP], unit[3], least = 1e300L;
    for (int i = 0; i < KEEP; i++)
        value[i] = 1e300L;
    for (int i = 0; i < 80 * effort; i++) {
        sg_vec3 n = sg_rng_direction(rng);
        real v = value_at(pair, n, unit);
        for (int k = 0; k < KEEP; k++)
            if (v < value[k]) {
                for (int j = KEEP - 1; j > k; j--) {
                    value[j] = value[j - 1];
                    best[j] = best[j - 1];
                }
                value[k] = v;
                best[k] = n;
                break;
            }
    }
    for (int k = 0; k < KEEP; k++)
        least = fminl(least, walk(pair, best[k], value[k], bar, 1e-4, rng));
    // And close to the claimed one, on all scales.
    for (double scale = 0.3; scale > 1e-9; scale *= 0.3)
        for (int i = 0; i < 3; i++) {
            sg_vec3 n = v3_unit(v3_add_scaled(claimed, sg_rng_direction(rng), scale));
            least = fminl(least, value_at(pair, n, unit));
        }
    return least;
}

const char *oracle_objection(const oracle_pair *pair, const sg_distance_result *r, double tolerance,
                             int effort, struct sg_rng *rng, double *measure)
{
    real unit[3], h = value_at(pair, r->n, unit);
    double tol = tolerance * pair->size;
    // Points far from the world's origin are rounded there.
    double coordinates = fmax(v3_max_abs(pair->pa.r), v3_max_abs(pair->pb.r));
    double point_tol = tol + 16 * 0x1p-52 * (coordinates + pair->size);
    *measure = fabs(v3_norm(r->n) - 1.0);
    if (!(*measure < 1e-15))
        return "the normal is not a unit vector";
    *measure = (double)(h + r->delta) / pair->size;
    if (!(fabsl(h + r->delta) <= tol))
        return "the distance is not minus the support value along the normal";
    *measure = v3_norm(v3_sub(v3_sub(r->b, r->a), v3_scale(r->n, r->delta))) / pair->size;
    if (!(*measure * pair->size <= point_tol))
        return "b - a is not delta n";
    *measure =
        fmax(oracle_outside(pair->a, &pair->pa, r->a), oracle_outside(pair->b, &pair->pb, r->b)) /
        pair->size;
    if (!(*measure * pair->size <= point_tol))
        return "a point lies outside its shape";
    if (r->delta > -tol)
        return NULL; // apart: the plane and the points prove it
    real bar = -r->delta - tol;
    real least = least_value(pair, r->n, bar, effort, rng);
    *measure = (double)(least + r->delta) / pair->size;
    return least < bar ? "there is a direction of less depth" : NULL;
}
