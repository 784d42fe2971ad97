// Energy of an overlap that the pressing pieces do not hold: where cells of one body end at each
// other (contact/area.h).

#include "contact/area.h"
#include "contact/strip.h"

static bool is_same_surface(const sg_area_face *a, const sg_area_face *b)
{
    return a->cell && b->cell && a->cell->plane == b->cell->plane;
}

static double sum_squares(const sg_area_work *work, const sg_area_face *own, double kappa, int n)
{
    double sum = 0.0;
    for (int l = 0; l < n; l++) {
        double p = kappa * (own->o - v3_dot(own->n, work->point[l].x));
        sum += work->point[l].w * p * p;
    }
    return sum;
}

// Points of the plane m x = d where a face presses less than a bent one of the other body.
static int points_below(sg_area_work *work, const sg_polygon *polygon, sg_vec3 m, double d,
                        const sg_area_face *own, double kappa, const sg_area_face *bent,
                        double yields)
{
    sg_polygon within = *polygon;
    sg_bend bend = {.bulge = bent->bulge, .n = bent->bulge->ahead, .g = yields};
    if (!sg_bulge_cut(bent->bulge, &within))
        return 0;
    double o = bent->bulge->r + v3_dot(bend.n, bent->bulge->at);
    sg_vec3 slope = v3_sub(v3_scale(own->n, kappa), v3_scale(bend.n, yields));
    return sg_bend_points(&bend, &within, m, d, yields * o - kappa * own->o, slope, NULL, 0,
                          work->point);
}

// Where faces i and k of a body are equally deep, and it presses less than the other.
static double stored_between(sg_area_work *work, const sg_area_law *law, int which, int i, int k)
{
    const sg_area_face *face = work->face[which], *own = &face[i];
    const sg_area_face *other = work->face[1 - which];
    double kappa = law->kappa[which], yields = law->kappa[1 - which];
    sg_vec3 m = v3_sub(face[k].n, own->n);
    double length = v3_norm(m), size = work->size;
    if (length < 1e-9)
        return 0.0;
    double d = (face[k].o - own->o) / length;
    if (fabs(d) >= size)
        return 0.0;
    m = v3_scale(m, 1.0 / length);
    sg_polygon polygon;
    sg_polygon_square(v3_scale(m, d), m, 1.01 * size, &polygon);
    if (!sg_polygon_cut(&polygon, own->n, own->o) ||
        !sg_polygon_cut(&polygon, v3_neg(own->n), work->deepest - own->o))
        return 0.0;
    for (int l = 0; l < work->n[1 - which]; l++) // p <= p of the other
        if (!other[l].beyond && !other[l].bulge &&
            !sg_polygon_cut(&polygon, v3_sub(v3_scale(other[l].n, yields), v3_scale(own->n, kappa)),
                            yields * other[l].o - kappa * own->o))
            return 0.0;
    for (int l = 0; l < work->n[which]; l++)
        if (l != i && l != k && !face[l].beyond && !is_same_surface(own, &face[l]) &&
            !is_same_surface(&face[k], &face[l]) &&
            !sg_polygon_cut(&polygon, v3_sub(face[l].n, own->n), face[l].o - own->o))
            return 0.0;
    if (work->n[1 - which] == 0 || !other[0].bulge) {
        int n = sg_region_points(&polygon, m, NULL, 0, work->point);
        return 0.5 * length / kappa * sum_squares(work, own, kappa, n);
    }
    double sum = 0.0;
    for (int l = 0; l < work->n[1 - which]; l++) // p <= p of the bent one
        sum += sum_squares(work, own, kappa,
                           points_below(work, &polygon, m, d, own, kappa, &other[l], yields));
    return 0.5 * length / kappa * sum;
}

double sg_area_stored_beside(sg_area_work *work, const sg_area_law *law)
{
    double sum = 0.0;
    for (int which = 0; which < 2; which++)
        for (int i = 0; i < work->n[which]; i++)
            for (int k = i + 1; k < work->n[which]; k++) {
                const sg_area_face *face = work->face[which];
                bool first = !face[i].beyond && !face[k].beyond && !face[i].bulge &&
                             (i == 0 || !is_same_surface(&face[i - 1], &face[i]));
                if (first && !is_same_surface(&face[k - 1], &face[k]))
                    sum += stored_between(work, law, which, i, k);
            }
    return sum;
}
