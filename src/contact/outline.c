#include "contact/outline.h"

#include <stdlib.h>

void sg_outline_put(sg_outline *outline, const sg_outline_corner *corner, int n)
{
    int from = outline->n ? outline->end[outline->n - 1] : 0;
    if (n < 3 || outline->n == SG_OUTLINE_PIECES || from + n > SG_OUTLINE_CORNERS)
        return;
    for (int i = 0; i < n; i++)
        outline->corner[from + i] = corner[i];
    outline->end[outline->n++] = from + n;
}

void sg_outline_add(sg_outline *outline, const sg_polygon *p, sg_vec3 m, const sg_rim *rim,
                    int n_rims, sg_vec3 n, double o, double k)
{
    sg_vec3 x[SG_REGION_OUTLINE];
    sg_outline_corner corner[SG_REGION_OUTLINE];
    int count = sg_region_outline(p, m, rim, n_rims, x);
    for (int i = 0; i < count; i++) {
        double pressure = k * (o - v3_dot(n, x[i]));
        corner[i] = (sg_outline_corner){x[i], pressure > 0.0 ? pressure : 0.0};
    }
    sg_outline_put(outline, corner, count);
}

double sg_outline_peak(const sg_outline *outline)
{
    double peak = 0.0;
    for (int i = 0; outline->n && i < outline->end[outline->n - 1]; i++)
        peak = fmax(peak, outline->corner[i].pressure);
    return peak;
}

static double area_of(const sg_outline_corner *c, int n)
{
    sg_vec3 twice = V3_ZERO;
    for (int i = 1; i + 1 < n; i++)
        twice = v3_add(twice, v3_cross(v3_sub(c[i].x, c[0].x), v3_sub(c[i + 1].x, c[0].x)));
    return 0.5 * v3_norm(twice);
}

// Of the area of the largest piece. A picture has a thousand pixels from side to side.
static const double too_small = 1e-6;

void sg_outline_tidy(sg_outline *outline)
{
    double largest = 0.0;
    int n = outline->n, at = 0;
    for (int i = 0, from = 0; i < n; from = outline->end[i++])
        largest = fmax(largest, area_of(&outline->corner[from], outline->end[i] - from));
    outline->n = 0;
    for (int i = 0, from = 0; i < n; i++) {
        int end = outline->end[i];
        if (area_of(&outline->corner[from], end - from) > too_small * largest) {
            for (int k = from; k < end; k++)
                outline->corner[at++] = outline->corner[k];
            outline->end[outline->n++] = at;
        }
        from = end;
    }
}

// ---- the hull -------------------------------------------------------------------------------

typedef struct flat_point {
    double u, v;
    int corner;
} flat_point;

static int by_place(const void *a, const void *b)
{
    const flat_point *p = a, *q = b;
    if (p->u != q->u)
        return p->u < q->u ? -1 : 1;
    return (p->v > q->v) - (p->v < q->v);
}

static double turn(const flat_point *a, const flat_point *b, const flat_point *c)
{
    return (b->u - a->u) * (c->v - a->v) - (b->v - a->v) * (c->u - a->u);
}

// Half of the hull over points in order: what turns by less than `least` is on a line.
static int walk(const flat_point *p, int n, int step, double least, flat_point *out, int count)
{
    int from = count;
    for (int i = step > 0 ? 0 : n - 1; i >= 0 && i < n; i += step) {
        while (count >= from + 2 && turn(&out[count - 2], &out[count - 1], &p[i]) <= least)
            count--;
        out[count++] = p[i];
    }
    return count - 1; // the last one begins the other half
}

// Twice the area that the hull loses without corner i.
static double worth(const flat_point *p, int n, int i)
{
    return turn(&p[(i + n - 1) % n], &p[i], &p[(i + 1) % n]);
}

static int drop_least(flat_point *p, int n)
{
    int least = 0;
    for (int i = 1; i < n; i++)
        if (worth(p, n, i) < worth(p, n, least))
            least = i;
    for (int i = least; i + 1 < n; i++)
        p[i] = p[i + 1];
    return n - 1;
}

// Corners of neighboring pieces are the same but for rounding: of the square of the size.
static const double on_a_line = 1e-9;

int sg_outline_hull(const sg_outline *outline, sg_vec3 n, int most, sg_vec3 *out)
{
    flat_point p[SG_OUTLINE_CORNERS], hull[2 * SG_OUTLINE_CORNERS + 2];
    int count = outline->n ? outline->end[outline->n - 1] : 0;
    sg_vec3 e1 = v3_perpendicular(n), e2 = v3_cross(n, e1);
    double size = 0.0;
    for (int i = 0; i < count; i++) {
        sg_vec3 x = v3_sub(outline->corner[i].x, outline->corner[0].x);
        p[i] = (flat_point){v3_dot(x, e1), v3_dot(x, e2), i};
        size = fmax(size, v3_norm2(x));
    }
    if (count < 3 || most < 3)
        return 0;
    qsort(p, (size_t)count, sizeof *p, by_place);
    int m = walk(p, count, 1, on_a_line * size, hull, 0);
    m = walk(p, count, -1, on_a_line * size, hull, m);
    while (m > most)
        m = drop_least(hull, m);
    for (int i = 0; i < m; i++)
        out[i] = outline->corner[hull[i].corner].x;
    return m < 3 ? 0 : m;
}
