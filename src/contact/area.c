#include "contact/area.h"

#include "contact/area_index.h"
#include "contact/area_side.h"
#include "contact/strip.h"
#include "contact/way.h"
#include "shapes/support.h"

#include <float.h>
#include <stdlib.h>

sg_status sg_area_work_init(sg_area_work *work, int planes, sg_arena *arena)
{
    for (int i = 0; i < 2; i++) {
        work->room[i] = planes + 2 * SG_AREA_TANGENTS;
        work->face[i] = SG_NEW_ARRAY(arena, sg_area_face, work->room[i]);
        work->taken[i] = SG_NEW_ARRAY(arena, int, planes + 1);
        work->n[i] = 0;
    }
    work->n_points = work->n_pieces = 0;
    work->outline = NULL;
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

// Of a mesh only neighbors can be; true and the result if these are known.
static bool cut_to_neighbors(const sg_area_work *work, int which, int i, const sg_area_body *body,
                             sg_polygon *polygon, bool *left)
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
            *left = sg_polygon_cut(polygon, v3_sub(face[k].n, own->n), face[k].o - own->o);
    }
    return true;
}

// Cuts to where face i is the nearest of its body.
static bool cut_to_cell(const sg_area_work *work, int which, int i, const sg_area_place *p,
                        sg_vec3 origin, sg_polygon *polygon)
{
    const sg_area_face *face = work->face[which], *own = &face[i];
    sg_vec3 shift = v3_sub(p->frame.r, origin);
    bool half = !own->cell && v3_norm2(p->body->side[own->side].half) > 0.0, left = false;
    if (own->bulge)
        return sg_bulge_cut(own->bulge, polygon);
    if (own->cell && cut_to_neighbors(work, which, i, p->body, polygon, &left))
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
        if (!sg_polygon_cut(polygon, v3_sub(other->n, own->n), other->o - own->o))
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
                    .slope = v3_add_scaled(v3_scale(u, s->slope), face->n, 1.0 / s->c),
                    .level = s->r - s->slope * v3_dot(u, at) - face->o / s->c};
    return 1;
}

enum { BALL = 4, ROUNDS = 3 * BALL }; // an end of a capsule, and the other one

typedef struct pressing {
    sg_area_work *work;
    const sg_area_law *law;
    const sg_area_place *place;
    sg_area_patch *out;
    double least;   // pressure that rounding makes [Pa]; it is added where directions are measured
    double weight;  // sum of p,
    sg_vec3 moment; // of p x
    sg_vec3 facing; // and of p n, all with `least`
    sg_vec3 v, w;   // how A moves against B at the origin
    double closed;  // sum of speeds of approach over the area,
    sg_vec3 drawn;  // and of these times x
    sg_bend bend;   // of the piece
    struct {        // of the pieces on round sides, by whose they are:
        double weight;
        sg_vec3 moment;
    } round[ROUNDS];
} pressing;

static int roundness(const sg_area_face *a, const sg_area_face *b)
{
    int ball = a->bulge ? a->bulge->ball : b->bulge ? b->bulge->ball : 0;
    return (a->cell ? 0 : 1) + (b->cell ? 0 : 2) + BALL * ball;
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

// How a patch would travel along the round side of a body that turns: across its axis, in full
// where it lies on its side, and not where it stands on its end.
static sg_vec3 travels(const sg_area_place *p, sg_vec3 n, sg_vec3 turn)
{
    const sg_area_side *s = &p->body->side[0]; // a second one has the same axis
    sg_vec3 e = v3_scale(v3_cross(pose_vector(&p->frame, s->u), n), 1.0 / s->c);
    double lies = v3_norm2(e);
    return v3_scale(e, v3_dot(e, turn) / fmax(1.0, lies));
}

// The part of `turn` by which a patch on round sides moves on; of two such sides in turn, the mean
// of both orders, so that it does not matter which one is A.
static sg_vec3 rolls_on(const sg_area_place place[2], int round, sg_vec3 n, sg_vec3 turn)
{
    if (round >= BALL)
        return turn; // whichever way it turns
    if (round != 3)
        return round == 0 ? V3_ZERO : travels(&place[round - 1], n, turn);
    sg_vec3 a = travels(&place[0], n, turn), b = travels(&place[1], n, turn);
    sg_vec3 both = v3_add(travels(&place[0], n, b), travels(&place[1], n, a));
    return v3_add_scaled(v3_add(a, b), both, -0.5);
}

static inline double s_max0(double x) { return x > 0.0 ? x : 0.0; }

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
static const double looks_along = 0.5;

static double looks_aside(sg_vec3 face, sg_vec3 n)
{
    double along = v3_dot(face, n) / looks_along, part = s_max0(1.0 - along * along);
    return part * part;
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
            face->alike = near * (2.0 - near) * looks_aside(face->n, n);
            if (face->alike == 0.0)
                face->twin = -1;
        }
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

// Takes from a piece what its faces push aside where they are flush with others.
static void level(pressing *s, const sg_area_face *a, const sg_area_face *b, sg_vec3 m, int n)
{
    const sg_area_face *face[2] = {a, b};
    for (int which = 0; which < 2; which++) {
        const sg_area_face *own = face[which];
        double along = v3_dot(m, own->n), sum = 0.0;
        sg_vec3 moment = V3_ZERO;
        if (own->twin < 0 || is_apart(own, s->work->face[1 - which], s->work->size))
            continue;
        for (int i = 0; i < n; i++) {
            const sg_region_point *at = &s->work->point[i];
            double p = s->law->kappa[0] * (a->o - v3_dot(a->n, at->x));
            double wp = p > 0.0 ? at->w * p : 0.0;
            wp *= left_out(own, s->work->face[1 - which], s->work->size, at->x);
            sum += wp;
            moment = v3_add_scaled(moment, at->x, wp);
        }
        sg_vec3 across = v3_scale(own->n, -along);
        s->out->force = v3_add_scaled(s->out->force, across, sum);
        s->out->torque = v3_add(s->out->torque, v3_cross(moment, across));
        s->facing = v3_add_scaled(s->facing, across, sum);
    }
}

// A bent piece does not look along m everywhere: what it pushes aside at x, where w p is the force.
// Returns what of the energy p^2/2 over the area is there. (Below a bent face, D deep, lies more
// than below a plane one: the integral of s over a ball's shell is D^2/2 (1 + 2 D/3r) of its
// inside.)
static double push_aside(pressing *s, const sg_area_face *a, const sg_area_face *b, sg_vec3 m,
                         sg_vec3 x, double w, double p)
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
    s->facing = v3_add_scaled(s->facing, off, force);
    return v3_dot(give, v3_add(m, off));
}

// What the pieces press without damping.
static void add_points(pressing *s, const sg_area_face *a, const sg_area_face *b, sg_vec3 m, int n)
{
    sg_area_work *work = s->work;
    sg_area_patch *out = s->out;
    const double *kappa = s->law->kappa;
    double give = v3_dot(v3_sub(v3_scale(a->n, 1.0 / kappa[0]), v3_scale(b->n, 1.0 / kappa[1])), m);
    double sum = 0.0, area = 0.0, squares = 0.0;
    sg_vec3 moment = V3_ZERO, first = V3_ZERO;
    int round = roundness(a, b);
    bool room = work->n_points + n <= SG_AREA_POINTS && work->n_pieces < SG_AREA_PIECES;
    if (room && n > 0)
        work->piece[work->n_pieces++] = (sg_area_piece){m, work->n_points, n, round};
    const sg_region_point *from = work->point;
    sg_area_point *to = room ? &work->at[work->n_points] : NULL;
    work->n_points += room ? n : 0;
    sg_vec3 normal = a->n;
    double offset = a->o, kappa_a = kappa[0];
    bool is_bent = s->bend.bulge != NULL;
    // At a first touch of nothing but rounding the direction of a bulge may be any: far from where
    // it is touched its plane would press with what nothing is deep enough for.
    double most = is_bent ? 2.0 * fmin(kappa[0], kappa[1]) * work->deepest : (double)INFINITY;
    for (int i = 0; i < n; i++) {
        sg_vec3 x = from[i].x;
        double w = from[i].w, p = kappa_a * (offset - v3_dot(normal, x));
        p += is_bent ? sg_bend_at(&s->bend, x) : 0.0;
        p = p > 0.0 && p <= most ? p : 0.0;
        double wp = w * p;
        squares += wp * p * (is_bent ? push_aside(s, a, b, m, x, w, p) : give);
        area += w;
        sum += wp;
        moment = v3_add_scaled(moment, x, wp);
        first = v3_add_scaled(first, x, w);
        if (to)
            to[i] = (sg_area_point){x, w, p};
    }
    out->stored += 0.5 * squares;
    if (round != 0 && sum > 0.0) {
        sg_vec3 x = v3_scale(moment, 1.0 / sum);
        double bent = 1.0 / radius_at(a, &s->place[0], out->origin, x) +
                      1.0 / radius_at(b, &s->place[1], out->origin, x);
        out->roll += sum / bent;
        s->round[round].weight += sum;
        s->round[round].moment = v3_add(s->round[round].moment, moment);
    }
    out->pressing += sum;
    out->force = v3_add_scaled(out->force, m, sum);
    out->torque = v3_add(out->torque, v3_cross(moment, m));
    out->area += area;
    s->weight += sum + s->least * area;
    s->facing = v3_add_scaled(s->facing, m, sum + s->least * area);
    s->moment = v3_add(s->moment, v3_add_scaled(moment, first, s->least));
    level(s, a, b, m, n);
}

// A piece that turns comes to rest point by point. Points are few, so where v_s is far less than
// the speeds by which they differ, damping would change sides in as many stairs, and a solver takes
// a dozen steps for each. v_s is this part of the spread of speeds at least, which makes one slope
// of them.
static const double spread_part = 0.5;

// Mean square of the speeds that `turn` makes within a piece.
static double spread_of(const pressing *s, const sg_area_piece *piece, sg_vec3 turn)
{
    const sg_area_point *at = &s->work->at[piece->first];
    double area = 0.0, sum = 0.0, squares = 0.0;
    for (int i = 0; i < piece->n; i++) {
        double v = v3_dot(turn, v3_sub(at[i].x, at[0].x)), wv = at[i].w * v;
        area += at[i].w;
        sum += wv;
        squares += wv * v;
    }
    double mean = sum / area;
    return area > 0.0 ? s_max0(squares / area - mean * mean) : 0.0;
}

// Damping of a piece that closes with the speed `closing` along n at the origin, and by `turn` more
// away from there. It acts along n, too: along the piece, which may look aside at a corner, it
// would push what slides past.
static void damp_piece(pressing *s, const sg_area_piece *piece, sg_vec3 n, double closing,
                       sg_vec3 turn, double slow)
{
    sg_area_patch *out = s->out;
    double sum = 0.0, loss = s->law->loss, faces = s_max0(v3_dot(piece->m, n));
    sg_vec3 moment = V3_ZERO, m = v3_scale(n, faces), drawn = s->drawn;
    double closed = s->closed, peak = out->peak;
    slow += spread_part * spread_part * spread_of(s, piece, turn);
    for (int i = 0; i < piece->n; i++) {
        sg_area_point *at = &s->work->at[piece->first + i];
        double v = closing + v3_dot(turn, at->x), more = loss * at->p * v / sqrt(v * v + slow);
        closed += at->w * v;
        drawn = v3_add_scaled(drawn, at->x, at->w * v);
        at->p += more;
        peak = at->p > peak ? at->p : peak;
        sum += at->w * more;
        moment = v3_add_scaled(moment, at->x, at->w * more);
    }
    s->closed = closed;
    s->drawn = drawn;
    out->peak = peak;
    out->pressing += sum;
    out->force = v3_add_scaled(out->force, m, sum);
    out->torque = v3_add(out->torque, v3_cross(moment, m));
    out->damped += v3_dot(m, v3_add(v3_scale(s->v, sum), v3_cross(s->w, moment)));
    s->weight += sum;
    s->facing = v3_add_scaled(s->facing, m, sum);
    s->moment = v3_add(s->moment, moment);
}

// Keeps nothing over nothing finite [J].
static const double no_energy = 1e-300;

// The square of v_s is no less than this part of that at rest.
static const double least_rest = 1e-8;

// Below v_s damping is a dashpot, p a v/v_s. For a patch of stiffness K that presses with N on a
// mass m it is critical with v_s = a/2 N/sqrt(K m). What presses with less than its weight on a
// face would swing on and on with the v_s of its weight, so that is its v_s where it is less.
static double rests_by(const sg_area_law *law, const sg_area_patch *patch)
{
    if (!(law->weight > 0.0) || !(patch->area > 0.0))
        return 1.0;
    double pressed = patch->pressing / law->weight, share = pressed * pressed * law->whole;
    share /= patch->area;
    return fmax(least_rest, share / sqrt(1.0 + share * share));
}

static void add_damping(pressing *s)
{
    const sg_area_law *law = s->law;
    sg_vec3 n = v3_unit(s->facing), turn = v3_cross(n, s->w);
    double closing = v3_dot(s->v, n);
    double stored = s->out->stored, calm = law->load / (stored + no_energy);
    double hits = 1.0 / (1.0 + calm * calm);
    double slow = law->v_min * law->v_min * rests_by(law, s->out) + law->swift * stored * hits;
    sg_vec3 along[ROUNDS] = {V3_ZERO};
    double at[ROUNDS] = {0.0}; // what goes with the patch at the center of those pieces
    for (int k = 1; k < ROUNDS; k++)
        if (s->round[k].weight > 0.0) {
            along[k] = rolls_on(s->place, k, n, turn);
            at[k] = v3_dot(along[k], s->round[k].moment) / s->round[k].weight;
        }
    double stiff = law->kappa[0] * law->kappa[1] / (law->kappa[0] + law->kappa[1]);
    double weight = s->weight;
    sg_vec3 center = v3_scale(s->moment, 1.0 / weight);
    for (int i = 0; i < s->work->n_pieces; i++) {
        const sg_area_piece *piece = &s->work->piece[i];
        int k = piece->round;
        damp_piece(s, piece, n, closing + at[k], v3_sub(turn, along[k]), slow);
    }
    s->out->shift = v3_scale(v3_add_scaled(s->drawn, center, -s->closed), stiff / weight);
}

// Two sides that both stand along the normal meet in a piece as wide as they are deep: nothing,
// where that is this part of the size. A touch of faces has twice as many of these as of others.
static const double shallow = 1e-5, upright = 1e-3;

static bool are_upright(const pressing *s, const sg_area_face *a, const sg_area_face *b, sg_vec3 n)
{
    return s->work->deepest < shallow * s->work->size && fabs(v3_dot(a->n, n)) < upright &&
           fabs(v3_dot(b->n, n)) < upright;
}

// Planes that differ by less have no line in common that rounding would not move by meters.
static const double alike = 1e-12;

// Faces that lean against a piece as if they hardly pressed on it bend no less than this.
static const double least_bend = 0.05;

// The piece of the surface where face i of A and face j of B press equally.
static void meet(pressing *s, int i, int j, double size)
{
    const sg_area_face *a = &s->work->face[0][i], *b = &s->work->face[1][j];
    const double *kappa = s->law->kappa;
    sg_vec3 origin = s->out->origin;
    // A bent face is less deep than its plane.
    const sg_area_face *bent = a->bulge ? a : b;
    s->bend = (sg_bend){.bulge = bent->bulge, .n = bent->n};
    double deepest = (bent->bulge ? 2.0 : 1.0) * s->work->deepest;
    sg_vec3 m = v3_sub(v3_scale(a->n, kappa[0]), v3_scale(b->n, kappa[1]));
    double length = v3_norm(m);
    if (length < alike * (kappa[0] + kappa[1]))
        return; // they look the same way
    double d = (kappa[0] * a->o - kappa[1] * b->o) / length;
    if (fabs(d) >= size)
        return;
    sg_polygon polygon, within;
    sg_rim rim[SG_REGION_RIMS];
    m = v3_scale(m, 1.0 / length);
    // Nowhere in the overlap is a body deeper than it.
    double along = v3_dot(a->n, m), depth = a->o - d * along;
    double wide = 1.5 * size * v3_norm(v3_cross(a->n, m)); // 1 - along^2 is lost by rounding
    if (depth - wide > deepest || depth + wide < 0.0)
        return;
    sg_polygon_square(v3_scale(m, d), m, 1.01 * size, &polygon);
    if (!sg_polygon_cut(&polygon, a->n, a->o + (bent->bulge ? deepest : 0.0)) ||
        !sg_polygon_cut(&polygon, v3_neg(a->n), deepest - a->o) ||
        !cut_to_cell(s->work, 0, i, &s->place[0], origin, &polygon) ||
        !cut_to_cell(s->work, 1, j, &s->place[1], origin, &polygon))
        return;
    int n = take_rim(a, &s->place[0], origin, rim);
    n += take_rim(b, &s->place[1], origin, rim + n);
    if (s->bend.bulge) {
        // The conic that ends a strip touches the line where the tangent plane does no longer
        // press. An edge there would cross it or not by a rounding, and slices would lie one way
        // or the other: 1e-8 of the force, in which Newton's method gets stuck.
        within = polygon;
        if (!sg_polygon_cut(&within, a->n, a->o))
            return;
        sg_vec3 w = sg_way_find(s->work, s->law, a, b, m, &within, &s->bend);
        s->bend.way = w;
        double leans = (a->bulge ? -v3_dot(b->n, w) : v3_dot(a->n, w)) / v3_dot(m, w);
        s->bend.g = kappa[0] * kappa[1] / length * fmax(least_bend, leans);
        const sg_area_face *flat = a->bulge ? b : a;
        double gives = kappa[flat == b] * v3_dot(flat->n, w);
        s->bend.aside = fabs(gives) > 0.0 ? -s->bend.g / gives : 0.0;
        sg_vec3 slope = v3_scale(a->n, -kappa[0]);
        if (s->work->outline)
            sg_bend_outline(s->work->outline, &s->bend, &polygon, m, d, kappa[0] * a->o, slope, rim,
                            n);
        n = sg_bend_points(&s->bend, &polygon, m, d, kappa[0] * a->o, slope, rim, n,
                           s->work->point);
    } else {
        if (s->work->outline)
            sg_outline_add(s->work->outline, &polygon, m, rim, n, a->n, a->o, kappa[0]);
        n = sg_region_points(&polygon, m, rim, n, s->work->point);
    }
    add_points(s, a, b, m, n);
}

// Principal axes of the mean squares aa, ab, bb along e1 and e2.
static void find_axes(sg_area_patch *out, sg_vec3 e1, sg_vec3 e2, double aa, double ab, double bb)
{
    double half = 0.5 * (aa - bb), apart = hypot(half, ab), mean = 0.5 * (aa + bb);
    double a = half >= 0.0 ? half + apart : ab, b = half >= 0.0 ? ab : apart - half;
    double norm = hypot(a, b);
    out->along = e1;
    if (norm > 0.0)
        out->along = v3_add(v3_scale(e1, a / norm), v3_scale(e2, b / norm));
    out->second[0] = mean + apart;
    out->second[1] = s_max0(mean - apart);
}

// What friction needs to know of the spread of pressure and area.
static void measure(pressing *s)
{
    sg_area_patch *out = s->out;
    out->center = v3_scale(s->moment, 1.0 / s->weight);
    out->n = v3_unit(s->facing);
    sg_vec3 e1 = v3_perpendicular(out->n), e2 = v3_cross(out->n, e1);
    double aa = 0.0, ab = 0.0, bb = 0.0;
    double arm = 0.0, spread = 0.0;
    for (int i = 0; i < s->work->n_points; i++) {
        const sg_area_point *at = &s->work->at[i];
        sg_vec3 x = v3_sub(at->x, out->center);
        double d2 = v3_norm2(x), wp = at->w * (at->p + s->least);
        double a = v3_dot(x, e1), b = v3_dot(x, e2);
        arm += wp * sqrt(d2);
        spread += at->w * d2;
        aa += wp * a * a;
        ab += wp * a * b;
        bb += wp * b * b;
    }
    double p = 1.0 / s->weight;
    find_axes(out, e1, e2, p * aa, p * ab, p * bb);
    const double *kappa = s->law->kappa;
    out->stiffness = out->area * kappa[0] * kappa[1] / (kappa[0] + kappa[1]);
    out->arm = arm / s->weight;
    out->spread = spread / out->area;
}

static sg_vec3 velocity_at(const sg_area_place *p, sg_vec3 x)
{
    return v3_add(p->motion.v, v3_cross(p->motion.w, v3_sub(x, p->at)));
}

// Depths are differences of places, known to some roundings of them [m].
static double resolution(const sg_area_place place[2])
{
    double far = 0.0;
    for (int i = 0; i < 2; i++)
        far = fmax(far, v3_norm(place[i].frame.r) + place[i].body->shape->bound);
    return 8.0 * DBL_EPSILON * far;
}

bool sg_area_press(sg_area_work *work, const sg_area_law *law, const sg_area_place place[2],
                   const sg_area_touch *touch, sg_area_patch *out)
{
    const sg_shape *shape[2] = {place[0].body->shape, place[1].body->shape};
    int small = shape[0]->bound < shape[1]->bound ? 0 : 1;
    *out = (sg_area_patch){.n = touch->n};
    out->origin = pose_point(&place[small].frame, shape[small]->centroid);
    out->center = v3_sub(touch->point, out->origin);
    pressing s = {.work = work, .law = law, .place = place, .out = out};
    s.least = law->kappa[0] * law->kappa[1] / (law->kappa[0] + law->kappa[1]) * resolution(place);
    s.w = v3_sub(place[0].motion.w, place[1].motion.w);
    s.v = v3_sub(velocity_at(&place[0], out->origin), velocity_at(&place[1], out->origin));
    work->n[0] = work->n[1] = work->n_points = work->n_pieces = 0;
    work->size = shape[small]->bound;
    work->deepest = (1.0 + 1e-6) * touch->depth;
    if (!(touch->depth > 0.0))
        return false;
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
    if (!(out->pressing > 0.0))
        return false;
    out->roll /= out->pressing;
    add_damping(&s);
    measure(&s);
    return true;
}
