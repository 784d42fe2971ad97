#include "contact/area_sums.h"

#include "math/scalar.h"
#include "math/two.h"

#include <float.h>
#include <string.h>

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

sg_area_pressing sg_area_pressing_make(sg_area_work *work, const sg_area_law *law,
                                       const sg_area_place place[2], sg_area_patch *out)
{
    double stiff = law->kappa[0] * law->kappa[1] / (law->kappa[0] + law->kappa[1]);
    return (sg_area_pressing){
        .work = work,
        .law = law,
        .place = place,
        .out = out,
        .least = stiff * resolution(place),
        .v = v3_sub(velocity_at(&place[0], out->origin), velocity_at(&place[1], out->origin)),
        .w = v3_sub(place[0].motion.w, place[1].motion.w)};
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
    if (round >= SG_AREA_BALL)
        return turn; // whichever way it turns
    if (round != 3)
        return round == 0 ? V3_ZERO : travels(&place[round - 1], n, turn);
    sg_vec3 a = travels(&place[0], n, turn), b = travels(&place[1], n, turn);
    sg_vec3 both = v3_add(travels(&place[0], n, b), travels(&place[1], n, a));
    return v3_add_scaled(v3_add(a, b), both, -0.5);
}

// ---- damping ------------------------------------------------------------------------------------

// A piece that turns comes to rest point by point. Points are few, so where v_s is far less than
// the speeds by which they differ, damping would change sides in as many stairs, and a solver takes
// a dozen steps for each. v_s is this part of the spread of speeds at least, which makes one slope
// of them.
static const double spread_part = 0.5;

// Three numbers for both of two points.
typedef struct two_vec3 {
    sg_two x, y, z;
} two_vec3;

static inline two_vec3 both_of(sg_vec3 a)
{
    return (two_vec3){two_both(a.x), two_both(a.y), two_both(a.z)};
}

static inline two_vec3 place_of(const sg_region_twin *at)
{
    return (two_vec3){two_load(at->x), two_load(at->y), two_load(at->z)};
}

static inline sg_two dot_two(two_vec3 a, two_vec3 b)
{
    return two_add_product(two_add(two_mul(a.x, b.x), two_mul(a.y, b.y)), a.z, b.z);
}

static inline two_vec3 sub_two(two_vec3 a, two_vec3 b)
{
    return (two_vec3){two_sub(a.x, b.x), two_sub(a.y, b.y), two_sub(a.z, b.z)};
}

static inline two_vec3 add_two(two_vec3 sum, two_vec3 a, sg_two by)
{
    return (two_vec3){two_add_product(sum.x, a.x, by), two_add_product(sum.y, a.y, by),
                      two_add_product(sum.z, a.z, by)};
}

static inline sg_vec3 sum_of(two_vec3 a)
{
    return v3_make(two_sum(a.x), two_sum(a.y), two_sum(a.z));
}

// Sums over the area of a piece.
typedef struct closings {
    double area, speed, squares; // of speeds as seen from that of the first point
    double first;                // which is this
} closings;

// How fast a piece closes at its points.
static closings close_at(const sg_region_twin *at, int n, double closing, two_vec3 turn, sg_two *v)
{
    sg_two closes = two_both(closing), areas = two_both(0.0), sums = areas, squares = areas;
    v[0] = two_add(closes, dot_two(turn, place_of(at)));
    sg_two first = two_both(two_first(v[0]));
    for (int i = 0; i < n; i++) {
        v[i] = two_add(closes, dot_two(turn, place_of(&at[i])));
        sg_two w = two_load(at[i].w), apart = two_sub(v[i], first), wv = two_mul(w, apart);
        areas = two_add(areas, w);
        sums = two_add(sums, wv);
        squares = two_add_product(squares, wv, apart);
    }
    return (closings){two_sum(areas), two_sum(sums), two_sum(squares), two_first(first)};
}

// Mean square of how speeds differ within a piece.
static double spread_of(const closings *c)
{
    double mean = c->speed / c->area;
    return c->area > 0.0 ? s_max(0.0, c->squares / c->area - mean * mean) : 0.0;
}

// Damping of a piece that closes with the speed `closing` along n at the origin, and by `turn` more
// away from there. It acts along n, too: along the piece, which may look aside at a corner, it
// would push what slides past.
static void damp_piece(sg_area_pressing *s, const sg_area_piece *piece, sg_vec3 n, double closing,
                       sg_vec3 turn, double slow)
{
    sg_area_patch *out = s->out;
    sg_region_twin *at = &s->work->at[piece->first];
    sg_two *speed = s->work->speed;
    closings c = close_at(at, piece->n, closing, both_of(turn), speed);
    slow += spread_part * spread_part * spread_of(&c);
    two_vec3 moments = both_of(V3_ZERO), drawn = moments;
    sg_two sums = two_both(0.0), peak = sums, loss = two_both(s->law->loss), slows = two_both(slow);
    for (int i = 0; i < piece->n; i++) {
        two_vec3 x = place_of(&at[i]);
        sg_two w = two_load(at[i].w), p = two_load(at[i].p), v = speed[i];
        sg_two over = two_sqrt(two_add_product(slows, v, v));
        sg_two more = two_div(two_mul(two_mul(loss, p), v), over), wm = two_mul(w, more);
        drawn = add_two(drawn, x, two_mul(w, v));
        p = two_add(p, more);
        two_store(p, at[i].p);
        peak = two_max(p, peak);
        sums = two_add(sums, wm);
        moments = add_two(moments, x, wm);
    }
    double sum = two_sum(sums), faces = s_max(0.0, v3_dot(piece->m, n));
    sg_vec3 moment = sum_of(moments), m = v3_scale(n, faces);
    s->closed += c.speed + c.first * c.area;
    s->drawn = v3_add(s->drawn, sum_of(drawn));
    out->peak = s_max(out->peak, s_max(two_first(peak), two_second(peak)));
    out->pressing += sum;
    out->force = v3_add_scaled(out->force, m, sum);
    out->torque = v3_add(out->torque, v3_cross(moment, m));
    out->damped += v3_dot(m, v3_add(v3_scale(s->v, sum), v3_cross(s->w, moment)));
    s->sums.weight += sum;
    s->sums.facing = v3_add_scaled(s->sums.facing, m, sum);
    s->sums.moment = v3_add(s->sums.moment, moment);
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

static void add_damping(sg_area_pressing *s)
{
    const sg_area_law *law = s->law;
    sg_vec3 n = v3_unit(s->sums.facing), turn = v3_cross(n, s->w);
    double closing = v3_dot(s->v, n);
    double stored = s->out->stored, calm = law->load / (stored + no_energy);
    double hits = 1.0 / (1.0 + calm * calm);
    double slow = law->v_min * law->v_min * rests_by(law, s->out) + law->swift * stored * hits;
    sg_vec3 along[SG_AREA_ROUNDS]; // what goes with the patch at the center of those pieces
    double at[SG_AREA_ROUNDS];
    along[0] = V3_ZERO;
    at[0] = 0.0;
    for (int k = 1; s->sums.is_round && k < SG_AREA_ROUNDS; k++) {
        double weight = s->sums.round[k].weight;
        along[k] = weight > 0.0 ? rolls_on(s->place, k, n, turn) : V3_ZERO;
        at[k] = weight > 0.0 ? v3_dot(along[k], s->sums.round[k].moment) / weight : 0.0;
    }
    double stiff = law->kappa[0] * law->kappa[1] / (law->kappa[0] + law->kappa[1]);
    double weight = s->sums.weight;
    sg_vec3 center = v3_scale(s->sums.moment, 1.0 / weight);
    for (int i = 0; i < s->work->n_pieces; i++) {
        const sg_area_piece *piece = &s->work->piece[i];
        int k = s->sums.is_round ? piece->round : 0;
        damp_piece(s, piece, n, closing + at[k], v3_sub(turn, along[k]), slow);
    }
    s->out->shift = v3_scale(v3_add_scaled(s->drawn, center, -s->closed), stiff / weight);
}

// ---- how pressure is spread ---------------------------------------------------------------------

// Principal axes of the mean squares aa, ab, bb along e1 and e2.
static void find_axes(sg_area_patch *out, sg_vec3 e1, sg_vec3 e2, double aa, double ab, double bb)
{
    double half = 0.5 * (aa - bb), apart = sqrt(half * half + ab * ab), mean = 0.5 * (aa + bb);
    double a = half >= 0.0 ? half + apart : ab, b = half >= 0.0 ? ab : apart - half;
    double norm = sqrt(a * a + b * b);
    out->along = e1;
    if (norm > 0.0)
        out->along = v3_add(v3_scale(e1, a / norm), v3_scale(e2, b / norm));
    out->second[0] = mean + apart;
    out->second[1] = s_max(0.0, mean - apart);
}

// What friction needs to know of the spread of pressure and area.
static void measure(sg_area_pressing *s)
{
    sg_area_patch *out = s->out;
    out->center = v3_scale(s->sums.moment, 1.0 / s->sums.weight);
    out->n = v3_unit(s->sums.facing);
    sg_vec3 e1 = v3_perpendicular(out->n), e2 = v3_cross(out->n, e1);
    two_vec3 center = both_of(out->center), one = both_of(e1), other = both_of(e2);
    sg_two least = two_both(s->least), aa = two_both(0.0), ab = aa, bb = aa, arm = aa, spread = aa;
    for (int i = 0; i < s->work->n_twos; i++) {
        const sg_region_twin *at = &s->work->at[i];
        two_vec3 x = sub_two(place_of(at), center);
        sg_two d2 = dot_two(x, x), w = two_load(at->w);
        sg_two wp = two_mul(w, two_add(two_load(at->p), least));
        sg_two a = dot_two(x, one), b = dot_two(x, other), wa = two_mul(wp, a);
        arm = two_add_product(arm, wp, two_sqrt(d2));
        spread = two_add_product(spread, w, d2);
        aa = two_add_product(aa, wa, a);
        ab = two_add_product(ab, wa, b);
        bb = two_add_product(bb, two_mul(wp, b), b);
    }
    double p = 1.0 / s->sums.weight;
    find_axes(out, e1, e2, p * two_sum(aa), p * two_sum(ab), p * two_sum(bb));
    const double *kappa = s->law->kappa;
    out->stiffness = out->area * kappa[0] * kappa[1] / (kappa[0] + kappa[1]);
    out->arm = two_sum(arm) / s->sums.weight;
    out->spread = two_sum(spread) / out->area;
}

// ---- the evaluation -----------------------------------------------------------------------------

static void keep(const sg_area_pressing *s, sg_area_kept *kept)
{
    const sg_area_work *work = s->work;
    kept->is = work->n_twos <= SG_AREA_KEPT_TWOS && work->n_pieces <= SG_AREA_KEPT_PIECES;
    if (!kept->is)
        return;
    kept->patch = *s->out;
    kept->sums = s->sums;
    kept->n_twos = work->n_twos;
    kept->n_pieces = work->n_pieces;
    memcpy(kept->at, work->at, (size_t)work->n_twos * sizeof *work->at);
    memcpy(kept->piece, work->piece, (size_t)work->n_pieces * sizeof *work->piece);
}

bool sg_area_finish(sg_area_pressing *s)
{
    if (s->work->keep)
        keep(s, s->work->keep);
    if (!(s->out->pressing > 0.0))
        return false;
    s->out->roll /= s->out->pressing;
    add_damping(s);
    measure(s);
    return true;
}

bool sg_area_press_again(sg_area_work *work, const sg_area_kept *kept, const sg_area_law *law,
                         const sg_area_place place[2], sg_area_patch *out)
{
    *out = kept->patch;
    sg_area_pressing s = sg_area_pressing_make(work, law, place, out);
    s.sums = kept->sums;
    work->n_twos = kept->n_twos;
    work->n_pieces = kept->n_pieces;
    memcpy(work->at, kept->at, (size_t)kept->n_twos * sizeof *kept->at);
    memcpy(work->piece, kept->piece, (size_t)kept->n_pieces * sizeof *kept->piece);
    return sg_area_finish(&s);
}
