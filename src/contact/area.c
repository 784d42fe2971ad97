#include "contact/area.h"

#include "contact/area_index.h"
#include "contact/area_side.h"
#include "contact/area_sums.h"
#include "contact/strip.h"
#include "contact/way.h"
#include "math/scalar.h"
#include "math/two.h"
#include "shapes/support.h"

#include <stdlib.h>

sg_status sg_area_work_init(sg_area_work *work, int planes, sg_arena *arena)
{
    for (int i = 0; i < 2; i++) {
        work->room[i] = planes + 2 * SG_AREA_TANGENTS;
        work->face[i] = SG_NEW_ARRAY(arena, sg_area_face, work->room[i]);
        work->taken[i] = SG_NEW_ARRAY(arena, int, planes + 1);
        work->n[i] = 0;
    }
    work->n_twos = work->n_pieces = 0;
    work->outline = NULL;
    work->keep = NULL;
    return arena->failed ? SG_ERR_MEMORY : SG_OK;
}

// What is looked for among the faces of a body.
typedef struct face_search {
    const sg_area_place *own, *other;
    sg_vec3 shift, middle; // of the own frame, and of the other body, from the origin
    sg_vec3 ahead;         // the normal, in the own frame
    double level;          // cells that end before this along it are too far away
    double depth;
    int plane; // the last one that was looked at,
    bool active;
    sg_area_face face; // and what is known of it
} face_search;

// Whether a face of a mesh ends before the level: all of its corners do.
static bool is_behind(const face_search *s, const sg_area_body *body, const sg_area_cell *cell)
{
    const sg_vec3 *corner = &body->corner[cell->corners];
    for (int k = 0; k < cell->n_corners; k++)
        if (v3_dot(s->ahead, corner[k]) >= s->level)
            return false;
    return true;
}

// Faces that are nowhere in the other body deeper than the two overlap: others cannot be nearest.
static void take_cells(sg_area_work *work, int which, face_search *s, int first, int n,
                       sg_vec3 origin)
{
    const sg_area_body *body = s->own->body;
    const sg_shape *shape = s->other->body->shape;
    for (int i = first; i < first + n; i++) {
        const sg_area_cell *cell = &body->cell[i];
        if (cell->within > 0.0 && v3_dot(s->ahead, cell->middle) + cell->within < s->level)
            continue;
        if (body->index && is_behind(s, body, cell))
            continue;
        if (cell->plane != s->plane) {
            sg_area_face *f = &s->face;
            s->plane = cell->plane;
            f->n = pose_vector(&s->own->frame, body->plane[s->plane].n);
            f->o = body->plane[s->plane].o + v3_dot(f->n, s->shift);
            double least = f->o - v3_dot(f->n, s->middle) - shape->bound;
            s->active =
                least <= s->depth && f->o - sg_area_reach(s->other, f->n, origin) <= s->depth;
        }
        s->face.cell = cell;
        if (!s->active || work->n[which] >= work->room[which])
            continue;
        work->face[which][work->n[which]++] = s->face;
        work->taken[which][i] = work->n[which];
    }
}

static void take_planes(sg_area_work *work, int which, const sg_area_place place[2],
                        const sg_area_touch *touch, sg_vec3 origin)
{
    const sg_area_place *own = &place[which], *other = &place[1 - which];
    const sg_area_body *body = own->body;
    double slack = 1.0 + 1e-6;
    face_search s = {
        .own = own,
        .other = other,
        .shift = v3_sub(own->frame.r, origin),
        .middle = v3_sub(pose_point(&other->frame, other->body->shape->centroid), origin),
        .ahead = pose_inverse_vector(&own->frame, which == 0 ? touch->n : v3_neg(touch->n)),
        .depth = slack * touch->depth,
        .plane = -1,
        .face = {.side = -1}};
    // What is `depth` deep at most lies as far from the end of the body, and the face that it is
    // nearest to twice as far.
    uint32_t piece;
    s.level = v3_dot(s.ahead, sg_support(body->shape, s.ahead, UINT32_MAX, &piece)) -
              2.0 * slack * touch->depth - 1e-12 * body->shape->bound;
    if (!body->index) {
        take_cells(work, which, &s, 0, body->n_cells, origin);
        return;
    }
    for (int g = 0; g < body->index->n_groups; g++) {
        const sg_area_group *group = &body->index->group[g];
        if (v3_dot(s.ahead, group->middle) + group->within >= s.level)
            take_cells(work, which, &s, group->first, group->n, origin);
    }
}

static void forget_planes(sg_area_work *work, const sg_area_place place[2])
{
    for (int which = 0; which < 2; which++)
        for (int i = 0; i < work->n[which]; i++) {
            const sg_area_cell *cell = work->face[which][i].cell;
            if (cell)
                work->taken[which][cell - place[which].body->cell] = 0;
        }
}

// Of a body with round ends the bent faces, each for now where it is touched.
static void take_bulges(sg_area_work *work, int which, const sg_area_place place[2],
                        const sg_area_touch *touch, sg_vec3 origin)
{
    const sg_area_place *own = &place[which];
    sg_vec3 ahead = which == 0 ? touch->n : v3_neg(touch->n);
    sg_pose frame = {.R = own->frame.R, .r = v3_sub(own->frame.r, origin)};
    if (!own->body->round_ends)
        return;
    int n = sg_bulge_list(own->body, &frame, ahead, work->deepest, work->bulge[which]);
    for (int i = 0; i < n; i++) {
        const sg_bulge *b = &work->bulge[which][i];
        work->face[which][work->n[which]++] = (sg_area_face){
            .n = b->ahead, .o = b->r + v3_dot(b->ahead, b->at), .side = 0, .bulge = b};
    }
}

// Whether two faces of a mesh are too far apart for a point of the overlap to be equally near.
static bool is_far(const sg_area_face *a, const sg_area_face *b, double deepest)
{
    return a->cell && b->cell && a->cell->within > 0.0 && b->cell->within > 0.0 &&
           sg_area_cells_far(a->cell, b->cell, deepest);
}

static bool same_normal(const sg_area_face *a, const sg_area_face *b)
{
    return a->n.x == b->n.x && a->n.y == b->n.y && a->n.z == b->n.z;
}

// Where two faces that share a normal press equally: at n x = this.
static double level_of(const sg_area_face *a, double kappa_a, const sg_area_face *b, double kappa_b)
{
    return b->o + kappa_a * (a->o - b->o) / (kappa_a - kappa_b);
}

// Cuts a piece, on which a body presses at its face `own`, to where its face `other` presses no
// less. If `met`, the face of the other body, has the normal of `other`, the line is lost in
// rounding, and two pieces that should end at it would cover each other or leave a gap, half as
// wide as the overlap is deep. So it is measured between these two faces, alike for both pieces;
// where both bodies yield alike, one of them has it all.
static bool cut_to_face(const sg_area_work *work, int which, const sg_area_face *own,
                        const sg_area_face *other, const sg_area_face *met, sg_polygon *polygon)
{
    double ours = work->kappa[which], theirs = work->kappa[1 - which];
    if (!same_normal(other, met))
        return sg_polygon_cut(polygon, v3_sub(other->n, own->n), other->o - own->o);
    if (ours == theirs)
        return other->o > met->o || (other->o == met->o && which == 0);
    double level = level_of(other, ours, met, theirs);
    return ours > theirs ? sg_polygon_cut(polygon, met->n, level)
                         : sg_polygon_cut(polygon, v3_neg(met->n), -level);
}

// Of a mesh only neighbors can be; true and the result if these are known.
static bool cut_to_neighbors(const sg_area_work *work, int which, int i, const sg_area_face *met,
                             const sg_area_body *body, sg_polygon *polygon, bool *left)
{
    const sg_area_index *x = body->index;
    const sg_area_face *face = work->face[which], *own = &face[i];
    if (!x || work->deepest > x->reach)
        return false;
    int cell = (int)(own->cell - body->cell);
    if (x->start[cell + 1] - x->start[cell] > work->n[which])
        return false;
    *left = true;
    for (int l = x->start[cell]; *left && l < x->start[cell + 1]; l++) {
        int k = work->taken[which][x->near[l]] - 1;
        if (k >= 0)
            *left = cut_to_face(work, which, own, &face[k], met, polygon);
    }
    return true;
}

// Cuts the piece where it meets a face of the other body to where face i is the nearest of its own.
static bool cut_to_cell(const sg_area_work *work, int which, int i, const sg_area_face *met,
                        const sg_area_place *p, sg_vec3 origin, sg_polygon *polygon)
{
    const sg_area_face *face = work->face[which], *own = &face[i];
    sg_vec3 shift = v3_sub(p->frame.r, origin);
    bool half = !own->cell && v3_norm2(p->body->side[own->side].half) > 0.0, left = false;
    if (own->bulge)
        return sg_bulge_cut(own->bulge, polygon);
    if (own->cell && cut_to_neighbors(work, which, i, met, p->body, polygon, &left))
        return left;
    if (own->cell)
        for (int k = 0; k < own->cell->n_cuts; k++) {
            sg_vec3 n = pose_vector(&p->frame, own->cell->cut[k].n);
            if (!sg_polygon_cut(polygon, n, own->cell->cut[k].o + v3_dot(n, shift)))
                return false;
        }
    else if (half) {
        const sg_area_side *s = &p->body->side[own->side];
        sg_vec3 n = v3_neg(pose_vector(&p->frame, s->half));
        if (!sg_polygon_cut(polygon, n, -v3_dot(s->half, s->at) + v3_dot(n, shift)))
            return false;
    }
    for (int k = 0; k < work->n[which]; k++) {
        const sg_area_face *other = &face[k];
        bool same_plane = own->cell && other->cell && own->cell->plane == other->cell->plane;
        bool beside = !own->cell && !other->cell && own->side == other->side &&
                      (abs(k - i) == 1 || (own->ends && k - i == own->ends));
        bool rim = own->cell && !other->cell; // that of the side itself is exact
        // Half a side ends where its flank begins.
        bool flank = !own->cell && other->cell && other->cell->side < 0 && half;
        if (k == i || same_plane || rim || flank || is_far(own, other, work->deepest) ||
            (!own->cell && !other->cell && !beside))
            continue;
        if (!cut_to_face(work, which, own, other, met, polygon))
            return false;
    }
    return true;
}

// The rim that bounds a face, on the side where it is less deep than the round side.
static int take_rim(const sg_area_face *face, const sg_area_place *p, sg_vec3 origin, sg_rim *out)
{
    if (!face->cell || face->cell->side < 0)
        return 0;
    const sg_area_side *s = &p->body->side[face->cell->side];
    sg_vec3 u = pose_vector(&p->frame, s->u);
    sg_vec3 at = v3_sub(pose_point(&p->frame, s->at), origin);
    // rho <= r + slope y - d / c
    *out = (sg_rim){.at = at,
                    .u = u,
                    .way = pose_vector(&p->frame, v3_perpendicular(s->u)),
                    .slope = v3_add_scaled(v3_scale(u, s->slope), face->n, 1.0 / s->c),
                    .level = s->r - s->slope * v3_dot(u, at) - face->o / s->c};
    return 1;
}

static int roundness(const sg_area_face *a, const sg_area_face *b)
{
    int ball = a->bulge ? a->bulge->ball : b->bulge ? b->bulge->ball : 0;
    return (a->cell ? 0 : 1) + (b->cell ? 0 : 2) + SG_AREA_BALL * ball;
}

// The radius of a round side where x is, in the plane across its axis and the normal; infinite for
// a face.
static double radius_at(const sg_area_face *face, const sg_area_place *p, sg_vec3 origin, sg_vec3 x)
{
    if (face->cell)
        return INFINITY;
    const sg_area_side *s = &p->body->side[face->side];
    sg_vec3 local = pose_inverse_point(&p->frame, v3_add(x, origin));
    return fmax(0.0, s->r + s->slope * v3_dot(s->u, v3_sub(local, s->at))) / s->c;
}

// Flush sides. Where two bodies end at the same plane, as bricks of a wall do, the energy of the
// overlap has a kink: it falls by whatever way one of them is moved across. So the pieces at the
// edges push aside by N d/2L, d deep and L wide, one way or the other by a rounding of who stands
// out. A force that jumps by 4e-5 of itself, which is what dominoes that hit each other feel, costs
// a solver thousands of steps. It grows from zero over this part of the smaller body's size
// instead: far less stiff than friction is, which holds with N/d, as long as d^2 is well below that
// part of L^2; and what it leaves out of the energy is no more than that part of what is stored.
static const double flush_part = 1e-4;
// Two faces look the same way if their normals differ by less than a tenth of a radian.
static const double same_way = 0.995;
// Faces that look along the normal of the touch carry its force: the back of a thin wedge lies as
// near to what it is pressed on as a brick's side does to that of its neighbor. Pushes aside are
// those of faces whose part along the normal is well below this.
static const double looks_along = 0.2;

static double lateral_part(sg_vec3 face, sg_vec3 n)
{
    double along = v3_dot(face, n) / looks_along, part = s_max(0.0, 1.0 - along * along);
    return part * part;
}

// Normals that differ by less than this become one. Where two planes press equally is known to
// 1e-16 of the size over their angle.
static const double one_normal = 1e-8;

// The normal of a face beside its twin: halfway to it, if they differ by little enough.
static sg_vec3 straightened(sg_vec3 own, sg_vec3 twin, double apart)
{
    double more = s_max(0.0, apart / one_normal - 1.0), part = more * more * (3.0 - 2.0 * more);
    sg_vec3 mean = v3_unit(v3_add(own, twin));
    if (part * apart < 0.01 * one_normal)
        part = 0.0;
    return v3_add_scaled(mean, v3_sub(own, mean), part);
}

static void straighten(sg_area_work *work)
{
    bool any = false;
    for (int which = 0; which < 2; which++)
        for (int i = 0; i < work->n[which]; i++) {
            sg_area_face *face = &work->face[which][i];
            face->straight = face->n;
            if (face->twin < 0)
                continue;
            sg_vec3 twin = work->face[1 - which][face->twin].n;
            double apart = v3_distance(face->n, twin);
            if (apart == 0.0 || apart >= 2.0 * one_normal)
                continue;
            face->straight = straightened(face->n, twin, apart);
            any = true;
        }
    for (int which = 0; any && which < 2; which++)
        for (int i = 0; i < work->n[which]; i++)
            work->face[which][i].n = work->face[which][i].straight;
}

static void find_twins(sg_area_work *work, sg_vec3 n)
{
    for (int which = 0; which < 2; which++)
        for (int i = 0; i < work->n[which]; i++) {
            sg_area_face *face = &work->face[which][i];
            double best = same_way;
            face->twin = -1;
            for (int k = 0; k < work->n[1 - which] && !face->bulge; k++) {
                if (work->face[1 - which][k].bulge)
                    continue;
                double same = v3_dot(face->n, work->face[1 - which][k].n);
                if (same > best) {
                    best = same;
                    face->twin = k;
                }
            }
            double near = fmin(1.0, (best - same_way) / (1.0 - same_way));
            face->alike = near * (2.0 - near) * lateral_part(face->n, n);
        }
    straighten(work);
}

// How much of a face's push at x is left out beside its twin, which stands out behind it by s.
static double left_out(const sg_area_face *face, const sg_area_face *others, double size, sg_vec3 x)
{
    const sg_area_face *twin = &others[face->twin];
    double s = (twin->o - v3_dot(twin->n, x)) - (face->o - v3_dot(face->n, x));
    double part = fmin(1.0, fabs(s) / (flush_part * size));
    return face->alike * (1.0 - 0.5 * part * (3.0 - part * part));
}

// Whether a face is nowhere near the plane of its twin, so that nothing of its push is left out.
// All pieces lie in the smaller body, around the origin.
static bool is_apart(const sg_area_face *face, const sg_area_face *others, double size)
{
    const sg_area_face *twin = &others[face->twin];
    double turned = 2.0 * size * v3_distance(twin->n, face->n);
    return fabs(twin->o - face->o) - turned > flush_part * size;
}

static inline sg_vec3 place_of(const sg_region_twin *at, int k)
{
    return v3_make(at->x[k], at->y[k], at->z[k]);
}

// Takes from a piece what its faces push aside where they are flush with others.
static void level(sg_area_pressing *s, const sg_area_face *a, const sg_area_face *b, sg_vec3 m,
                  const sg_region_twin *at, int n)
{
    const sg_area_face *face[2] = {a, b};
    bool twins = v3_dot(a->n, b->n) > same_way; // then what one pushes aside is that of the other
    for (int which = 0; which < 2 - twins; which++) {
        const sg_area_face *own = face[which];
        double along = v3_dot(m, own->n), sum = 0.0;
        sg_vec3 moment = V3_ZERO;
        if (own->twin < 0 || own->alike == 0.0 ||
            is_apart(own, s->work->face[1 - which], s->work->size))
            continue;
        for (int i = 0; i < 2 * n; i++) {
            sg_vec3 x = place_of(&at[i / 2], i % 2);
            double p = s->law->kappa[0] * (a->o - v3_dot(a->n, x));
            double wp = p > 0.0 ? at[i / 2].w[i % 2] * p : 0.0;
            wp *= left_out(own, s->work->face[1 - which], s->work->size, x);
            sum += wp;
            moment = v3_add_scaled(moment, x, wp);
        }
        sg_vec3 across = v3_scale(own->n, -along);
        s->out->force = v3_add_scaled(s->out->force, across, sum);
        s->out->torque = v3_add(s->out->torque, v3_cross(moment, across));
        s->sums.facing = v3_add_scaled(s->sums.facing, across, sum);
    }
}

// A bent piece does not look along m everywhere: what it pushes aside at x, where w p is the force.
// Returns what of the energy p^2/2 over the area is there. (Below a bent face, D deep, lies more
// than below a plane one: the integral of s over a ball's shell is D^2/2 (1 + 2 D/3r) of its
// inside.)
static double lateral_push(sg_area_pressing *s, const sg_area_face *a, const sg_area_face *b,
                           sg_vec3 m, sg_vec3 x, double w, double p)
{
    const double *kappa = s->law->kappa;
    sg_vec3 bent = sg_bulge_normal(s->bend.bulge, x);
    sg_vec3 na = a->bulge ? bent : a->n, nb = a->bulge ? b->n : bent;
    sg_vec3 across = v3_sub(v3_scale(na, kappa[0]), v3_scale(nb, kappa[1]));
    const sg_bulge *bulge = s->bend.bulge;
    double yields = kappa[a->bulge ? 0 : 1], force = w * p;
    double more = (bulge->ball ? 2.0 : 1.0) * p / (3.0 * yields * bulge->r);
    sg_vec3 give = v3_sub(v3_scale(na, (1.0 + (a->bulge ? more : 0.0)) / kappa[0]),
                          v3_scale(nb, (1.0 + (a->bulge ? 0.0 : more)) / kappa[1]));
    double along = v3_dot(across, s->bend.way) / v3_dot(m, s->bend.way);
    if (!(along > 0.0))
        return v3_dot(give, m);
    sg_vec3 off = v3_scale(v3_add_scaled(across, m, -along), 1.0 / along);
    s->out->force = v3_add_scaled(s->out->force, off, force);
    s->out->torque = v3_add_scaled(s->out->torque, v3_cross(x, off), force);
    s->sums.facing = v3_add_scaled(s->sums.facing, off, force);
    return v3_dot(give, v3_add(m, off));
}

// Puts n points together by twos; what is missing behind the last is that one without area.
static int by_twos(const sg_region_point *from, int n, sg_region_twin *out)
{
    for (int i = 0; i < n; i += 2) {
        const sg_region_point *a = &from[i], *b = i + 1 < n ? a + 1 : a;
        out[i / 2] = (sg_region_twin){{a->x.x, b->x.x},
                                      {a->x.y, b->x.y},
                                      {a->x.z, b->x.z},
                                      {a->w, b == a ? 0.0 : b->w},
                                      {0.0, 0.0}};
    }
    return (n + 1) / 2;
}

// What the bend adds to the pressure of the planes.
static sg_two bend_two(const sg_area_pressing *s, const sg_region_twin *at)
{
    return two_make(sg_bend_at(&s->bend, place_of(at, 0)), sg_bend_at(&s->bend, place_of(at, 1)));
}

static sg_two push_two(sg_area_pressing *s, const sg_area_face *a, const sg_area_face *b, sg_vec3 m,
                       const sg_region_twin *at)
{
    double first = lateral_push(s, a, b, m, place_of(at, 0), at->w[0], at->p[0]);
    return two_make(first, lateral_push(s, a, b, m, place_of(at, 1), at->w[1], at->p[1]));
}

// Points where the piece's are found stay there, if there is room.
static void note_piece(sg_area_work *work, sg_vec3 m, int twos, int round)
{
    if (twos == 0 || work->n_twos + twos > SG_AREA_TWOS || work->n_pieces >= SG_AREA_PIECES)
        return;
    work->piece[work->n_pieces++] = (sg_area_piece){m, work->n_twos, twos, round};
    work->n_twos += twos;
}

static void add_round(sg_area_pressing *s, const sg_area_face *a, const sg_area_face *b, double sum,
                      sg_vec3 moment)
{
    int k = roundness(a, b);
    if (k == 0 || !(sum > 0.0))
        return;
    sg_vec3 x = v3_scale(moment, 1.0 / sum), origin = s->out->origin;
    double bent =
        1.0 / radius_at(a, &s->place[0], origin, x) + 1.0 / radius_at(b, &s->place[1], origin, x);
    s->out->roll += sum / bent;
    s->sums.round[k].weight += sum;
    s->sums.round[k].moment = v3_add(s->sums.round[k].moment, moment);
    s->sums.is_round = true;
}

// What a piece presses without damping, at n twos of points.
static void add_points(sg_area_pressing *s, const sg_area_face *a, const sg_area_face *b, sg_vec3 m,
                       sg_region_twin *at, int n)
{
    sg_area_patch *out = s->out;
    const double *kappa = s->law->kappa;
    sg_vec3 gives = v3_sub(v3_scale(a->n, 1.0 / kappa[0]), v3_scale(b->n, 1.0 / kappa[1]));
    sg_two give = two_both(v3_dot(gives, m)), offset = two_both(a->o), stiff = two_both(kappa[0]);
    sg_two nx = two_both(a->n.x), ny = two_both(a->n.y), nz = two_both(a->n.z);
    sg_two sum = two_both(0.0), area = sum, squares = sum;
    sg_two mx = sum, my = sum, mz = sum, fx = sum, fy = sum, fz = sum;
    bool is_bent = s->bend.bulge != NULL;
    // At a first touch of nothing but rounding the direction of a bulge may be any: far from where
    // it is touched its plane would press with what nothing is deep enough for.
    double limit = is_bent ? 2.0 * fmin(kappa[0], kappa[1]) * s->work->deepest : (double)INFINITY;
    for (int i = 0; i < n; i++) {
        sg_region_twin *here = &at[i];
        sg_two x = two_load(here->x), y = two_load(here->y), z = two_load(here->z);
        sg_two w = two_load(here->w), lost = give;
        sg_two along = two_add_product(two_add(two_mul(nx, x), two_mul(ny, y)), nz, z);
        sg_two p = two_mul(stiff, two_sub(offset, along));
        p = two_within(is_bent ? two_add(p, bend_two(s, here)) : p, two_both(limit));
        two_store(p, here->p);
        if (is_bent)
            lost = push_two(s, a, b, m, here);
        sg_two wp = two_mul(w, p);
        squares = two_add_product(squares, two_mul(wp, p), lost);
        area = two_add(area, w);
        sum = two_add(sum, wp);
        mx = two_add_product(mx, x, wp);
        my = two_add_product(my, y, wp);
        mz = two_add_product(mz, z, wp);
        fx = two_add_product(fx, x, w);
        fy = two_add_product(fy, y, w);
        fz = two_add_product(fz, z, w);
    }
    double presses = two_sum(sum), whole = two_sum(area), more = s->least * whole;
    sg_vec3 moment = v3_make(two_sum(mx), two_sum(my), two_sum(mz));
    sg_vec3 first = v3_make(two_sum(fx), two_sum(fy), two_sum(fz));
    out->stored += 0.5 * two_sum(squares);
    add_round(s, a, b, presses, moment);
    out->pressing += presses;
    out->force = v3_add_scaled(out->force, m, presses);
    out->torque = v3_add(out->torque, v3_cross(moment, m));
    out->area += whole;
    s->sums.weight += presses + more;
    s->sums.facing = v3_add_scaled(s->sums.facing, m, presses + more);
    s->sums.moment = v3_add(s->sums.moment, v3_add_scaled(moment, first, s->least));
    level(s, a, b, m, at, n);
    note_piece(s->work, m, n, roundness(a, b));
}

// Two sides that both stand along the normal meet in a piece as wide as they are deep: nothing,
// where that is this part of the size. A touch of faces has twice as many of these as of others.
static const double shallow = 1e-5, upright = 1e-3;

static bool are_upright(const sg_area_pressing *s, const sg_area_face *a, const sg_area_face *b,
                        sg_vec3 n)
{
    return s->work->deepest < shallow * s->work->size && fabs(v3_dot(a->n, n)) < upright &&
           fabs(v3_dot(b->n, n)) < upright;
}

// Planes that differ by less have no line in common that rounding would not move by meters.
static const double alike = 1e-12;

// Faces that lean against a piece as if they hardly pressed on it bend no less than this.
static const double least_bend = 1e-3;

// Where face a of A and face b of B press equally: the plane m x = d, as far as both are nearest.
typedef struct met_faces {
    const sg_area_face *a, *b;
    sg_vec3 m;
    double length, d; // of m before it was made a unit vector
    sg_polygon *polygon;
    sg_rim rim[SG_REGION_RIMS];
    int n_rims;
} met_faces;

// Points over a bent piece; the number of them. (Apart: its room is not needed for planes.)
static __attribute__((noinline)) int bend_points(sg_area_pressing *s, const met_faces *at)
{
    const sg_area_face *a = at->a, *b = at->b;
    const double *kappa = s->law->kappa;
    // The conic that ends a strip touches the line where the tangent plane does no longer press. An
    // edge there would cross it or not by a rounding, and slices would lie one way or the other:
    // 1e-8 of the force, in which Newton's method gets stuck.
    sg_polygon within = *at->polygon;
    if (!sg_polygon_cut(&within, a->n, a->o))
        return 0;
    sg_vec3 w = sg_way_find(s->work, s->law, a, b, at->m, &within, &s->bend);
    s->bend.way = w;
    double along = v3_dot(at->m, w),
           leans = (a->bulge ? -v3_dot(b->n, w) : v3_dot(a->n, w)) / along;
    s->bend.g = kappa[0] * kappa[1] / at->length * fmax(least_bend, leans);
    s->bend.offset = (a->bulge ? kappa[0] : -kappa[1]) / (at->length * along);
    sg_vec3 slope = v3_scale(a->n, -kappa[0]);
    if (s->work->outline)
        sg_bend_outline(s->work->outline, &s->bend, at->polygon, at->m, at->d, kappa[0] * a->o,
                        slope, at->rim, at->n_rims);
    return sg_bend_points(&s->bend, at->polygon, at->m, at->d, kappa[0] * a->o, slope, at->rim,
                          at->n_rims, s->work->point);
}

// The piece of the surface where face i of A and face j of B press equally.
static void meet(sg_area_pressing *s, int i, int j, double size)
{
    const sg_area_face *a = &s->work->face[0][i], *b = &s->work->face[1][j];
    const double *kappa = s->law->kappa;
    sg_vec3 origin = s->out->origin;
    // A bent face is less deep than its plane.
    const sg_area_face *bent = a->bulge ? a : b;
    double deepest = (bent->bulge ? 2.0 : 1.0) * s->work->deepest;
    sg_vec3 m = v3_sub(v3_scale(a->n, kappa[0]), v3_scale(b->n, kappa[1]));
    double length = v3_norm(m);
    if (length < alike * (kappa[0] + kappa[1]))
        return; // they look the same way
    double d = same_normal(a, b)
                   ? copysign(1.0, kappa[0] - kappa[1]) * level_of(a, kappa[0], b, kappa[1])
                   : (kappa[0] * a->o - kappa[1] * b->o) / length;
    if (fabs(d) >= size)
        return;
    m = v3_scale(m, 1.0 / length);
    // Nowhere in the overlap is a body deeper than it.
    double depth = a->o - d * v3_dot(a->n, m);
    double wide = 1.5 * size * v3_norm(v3_cross(a->n, m)); // 1 - along^2 is lost by rounding
    if (depth - wide > deepest || depth + wide < 0.0)
        return;
    met_faces at; // not all of it at once: there is room for rims
    at.a = a;
    at.b = b;
    at.m = m;
    at.length = length;
    at.d = d;
    at.polygon = &s->work->polygon;
    sg_polygon_square(v3_scale(m, d), m, 1.01 * size, at.polygon);
    // Both press equally, so this deep in A the other is as deep as anything, or A itself is.
    double in_a = deepest * s_min(1.0, kappa[1] / kappa[0]);
    if (!sg_polygon_cut(at.polygon, a->n, a->o + (bent->bulge ? in_a : 0.0)) ||
        !sg_polygon_cut(at.polygon, v3_neg(a->n), in_a - a->o) ||
        !cut_to_cell(s->work, 0, i, b, &s->place[0], origin, at.polygon) ||
        !cut_to_cell(s->work, 1, j, a, &s->place[1], origin, at.polygon))
        return;
    at.n_rims = take_rim(a, &s->place[0], origin, at.rim);
    at.n_rims += take_rim(b, &s->place[1], origin, at.rim + at.n_rims);
    s->bend = (sg_bend){.bulge = bent->bulge, .n = bent->n};
    if (!bent->bulge && s->work->outline)
        sg_outline_add(s->work->outline, at.polygon, m, at.rim, at.n_rims, a->n, a->o, kappa[0]);
    sg_region_twin *to = &s->work->at[s->work->n_twos];
    sg_region_point *point = s->work->point;
    int n;
    if (bent->bulge)
        n = by_twos(point, bend_points(s, &at), to);
    else if (at.n_rims > 0)
        n = by_twos(point, sg_region_points(at.polygon, m, at.rim, at.n_rims, point), to);
    else
        n = sg_region_twins(at.polygon, m, to);
    if (n > 0)
        add_points(s, a, b, m, to, n);
}

bool sg_area_press(sg_area_work *work, const sg_area_law *law, const sg_area_place place[2],
                   const sg_area_touch *touch, sg_area_patch *out)
{
    const sg_shape *shape[2] = {place[0].body->shape, place[1].body->shape};
    int small = shape[0]->bound < shape[1]->bound ? 0 : 1;
    *out = (sg_area_patch){.n = touch->n};
    out->origin = pose_point(&place[small].frame, shape[small]->centroid);
    out->center = v3_sub(touch->point, out->origin);
    sg_area_pressing s = sg_area_pressing_make(work, law, place, out);
    work->n[0] = work->n[1] = work->n_twos = work->n_pieces = 0;
    work->size = shape[small]->bound;
    work->kappa[0] = law->kappa[0];
    work->kappa[1] = law->kappa[1];
    work->deepest = (1.0 + 1e-6) * touch->depth;
    if (!(touch->depth > 0.0))
        return sg_area_finish(&s);
    for (int i = 0; i < 2; i++) {
        take_planes(work, i, place, touch, out->origin);
        sg_area_take_sides(work, i, place, touch, out->origin);
        take_bulges(work, i, place, touch, out->origin);
    }
    find_twins(work, touch->n);
    for (int i = 0; i < work->n[0]; i++)
        for (int j = 0; j < work->n[1]; j++)
            if (!are_upright(&s, &work->face[0][i], &work->face[1][j], touch->n))
                meet(&s, i, j, work->size);
    forget_planes(work, place);
    return sg_area_finish(&s);
}
