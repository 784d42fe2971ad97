#include "integration/delays.h"

#include "base/archive.h"
#include "program/enclosed.h"

#include <float.h>
#include <math.h>
#include <string.h>

// The places of a piece, from 0 to 1; the second and the last but one are predicted first.
static const double places[SG_DELAY_NODES] = {0.0, 0.125, 0.25, 0.5, 0.75, 0.875, 1.0};
// Squares of u = 2*place - 1 at the three places on each side.
static const double q1 = 0.25, q2 = 0.5625, q3 = 1.0;

// Eight periods within a step look like none at all of these: a piece is looked at here, too, and
// may be off by so many times as much.
static const double place_between = 0.38196601125;
#define MISSED_BETWEEN 10.0

// A number is followed if it is predicted up to this part of the tolerance; a jump is one if it is
// more than that part.
#define FOLLOWED 0.1
#define JUMP 1e-3
// Below this the residuals of nonlinear systems begin.
#define LEAST_TOLERANCE 1e-11
// A number near zero is measured by this part of the largest value it ever had.
#define SMALL 1e-3

// ---- memory -------------------------------------------------------------------------------------

static void *room(const sg_allocator *a, void *old, size_t old_size, size_t size)
{
    return a->resize(a->context, old, old_size, size);
}

static double *numbers(const sg_allocator *a, size_t n)
{
    double *x = room(a, NULL, 0, n * sizeof *x);
    if (x)
        memset(x, 0, n * sizeof *x);
    return x;
}

static size_t piece_size(const sg_sim_delays *d) { return (size_t)d->n * SG_DELAY_NODES; }

// A bend of order k is followed by n^k stops, n delays of different length given.
static uint32_t stops_until(const sg_sim_delays *d)
{
    uint32_t n = 0, smooth = 1;
    for (uint32_t k = 0; k < d->n_taps && n < SG_DELAY_STOPS; k++) {
        bool known = false;
        for (uint32_t i = 0; i < k && !known; i++)
            known = d->taps[i].time == d->taps[k].time;
        n += !known;
    }
    for (uint32_t stops = n * n; stops <= SG_DELAY_STOPS && smooth < SG_DELAY_SMOOTH; stops *= n)
        smooth++;
    return smooth;
}

sg_status sg_sim_delays_init(sg_sim_delays *d, const sg_allocator *allocator,
                             const sg_event_layout *layout)
{
    *d = (sg_sim_delays){.allocator = allocator,
                         .n_taps = layout->n_taps,
                         .n = layout->n_delay,
                         .tolerance = LEAST_TOLERANCE,
                         .shortest = (double)INFINITY};
    if (!d->n_taps)
        return SG_OK;
    d->taps = room(allocator, NULL, 0, d->n_taps * sizeof *d->taps);
    if (!d->taps)
        return SG_ERR_MEMORY;
    memcpy(d->taps, layout->taps, d->n_taps * sizeof *d->taps);
    for (uint32_t k = 0; k < d->n_taps; k++) {
        d->longest = fmax(d->longest, d->taps[k].time);
        d->shortest = fmin(d->shortest, d->taps[k].time);
    }
    d->smooth = stops_until(d);
    d->views = room(allocator, NULL, 0, d->n_taps * sizeof *d->views);
    if (d->views)
        memset(d->views, 0, d->n_taps * sizeof *d->views);
    d->start = numbers(allocator, d->n + 1);
    d->last = numbers(allocator, d->n + 1);
    d->largest = numbers(allocator, d->n + 1);
    d->nodes = numbers(allocator, (SG_DELAY_CUTS + 2) * piece_size(d) + 1);
    return d->views && d->start && d->last && d->largest && d->nodes ? SG_OK : SG_ERR_MEMORY;
}

void sg_sim_delays_destroy(sg_sim_delays *d)
{
    const sg_allocator *a = d->allocator;
    if (!a)
        return;
    if (d->taps)
        room(a, d->taps, d->n_taps * sizeof *d->taps, 0);
    if (d->views)
        room(a, d->views, d->n_taps * sizeof *d->views, 0);
    double *vectors[] = {d->start, d->last, d->largest};
    for (int k = 0; k < 3; k++)
        if (vectors[k])
            room(a, vectors[k], (d->n + 1) * sizeof(double), 0);
    if (d->nodes)
        room(a, d->nodes, ((SG_DELAY_CUTS + 2) * piece_size(d) + 1) * sizeof(double), 0);
    if (d->pieces)
        room(a, d->pieces, d->piece_cap * sizeof *d->pieces, 0);
    if (d->coefs)
        room(a, d->coefs, d->piece_cap * piece_size(d) * sizeof(double), 0);
    if (d->breaks)
        room(a, d->breaks, d->break_cap * sizeof *d->breaks, 0);
    if (d->jumped)
        room(a, d->jumped, d->break_cap * d->n_taps, 0);
    *d = (sg_sim_delays){0};
}

size_t sg_sim_delays_memory(const sg_sim_delays *d)
{
    return d->piece_cap * (sizeof *d->pieces + piece_size(d) * sizeof(double)) +
           d->break_cap * (sizeof *d->breaks + d->n_taps);
}

// A ring of the capacity `next` with the same elements, `size` bytes each, from `first` to `end`.
// Capacities are powers of two, so that a number's place is its lowest bits.
static void *grown(const sg_allocator *a, void *ring, size_t cap, size_t next, size_t size,
                   uint64_t first, uint64_t end)
{
    char *to = room(a, NULL, 0, next * size);
    for (uint64_t i = first; to && i < end; i++)
        memcpy(to + (i & (next - 1)) * size, (char *)ring + (i & (cap - 1)) * size, size);
    return to;
}

// Two rings of one capacity grow together, for `more` elements.
static bool grow_both(const sg_allocator *a, void **one, size_t size1, void **two, size_t size2,
                      size_t *cap, uint64_t first, uint64_t end, size_t more)
{
    if (end - first + more <= *cap)
        return true;
    size_t next = 16;
    while (next < end - first + more)
        next *= 2;
    void *new1 = grown(a, *one, *cap, next, size1, first, end);
    void *new2 = grown(a, *two, *cap, next, size2, first, end);
    if (!new1 || !new2) {
        if (new1)
            room(a, new1, next * size1, 0);
        if (new2)
            room(a, new2, next * size2, 0);
        return false;
    }
    if (*cap) {
        room(a, *one, *cap * size1, 0);
        room(a, *two, *cap * size2, 0);
    }
    *one = new1;
    *two = new2;
    *cap = next;
    return true;
}

static bool room_for_pieces(sg_sim_delays *d, size_t more)
{
    return grow_both(d->allocator, (void **)&d->pieces, sizeof *d->pieces, (void **)&d->coefs,
                     piece_size(d) * sizeof(double), &d->piece_cap, d->first_piece, d->end_piece,
                     more);
}

// How many pieces a delay is long nobody knows before the steps are taken: as many again as there
// are, or what fits here [bytes].
enum { RESERVE = 512 << 10, FEWEST_RESERVED = 64 };

sg_status sg_sim_delays_reserve(sg_sim_delays *d)
{
    if (!d->n_taps)
        return SG_OK;
    size_t used = (size_t)(d->end_piece - d->first_piece);
    size_t more = RESERVE / (sizeof *d->pieces + piece_size(d) * sizeof(double));
    more = more < FEWEST_RESERVED ? FEWEST_RESERVED : more;
    return room_for_pieces(d, more > used ? more : used) ? SG_OK : SG_ERR_MEMORY;
}

static sg_delay_piece *piece_at(const sg_sim_delays *d, uint64_t i)
{
    return &d->pieces[i & (d->piece_cap - 1)];
}

static double *coefs_at(const sg_sim_delays *d, uint64_t i)
{
    return d->coefs + (i & (d->piece_cap - 1)) * piece_size(d);
}

static sg_delay_break *break_at(const sg_sim_delays *d, uint64_t i)
{
    return &d->breaks[i & (d->break_cap - 1)];
}

static bool jumped_at(const sg_sim_delays *d, uint64_t i, uint32_t tap)
{
    return d->jumped[(i & (d->break_cap - 1)) * d->n_taps + tap];
}

// ---- polynomials --------------------------------------------------------------------------------

// a + b q + c q^2 through three values.
static void fit(double g1, double g2, double g3, double *a, double *b, double *c)
{
    double d12 = (g2 - g1) / (q2 - q1), d23 = (g3 - g2) / (q3 - q2);
    *c = (d23 - d12) / (q3 - q1);
    *b = d12 - *c * (q1 + q2);
    *a = g1 - q1 * (*b + *c * q1);
}

// Coefficients of one number from its values. What is constant has exactly one.
static void make_coefs(const double *v, uint32_t stride, double *c)
{
    double mid = v[3 * stride];
    double even[3], odd[3];
    static const int left[3] = {2, 1, 0};
    static const double u[3] = {0.5, 0.75, 1.0};
    for (int k = 0; k < 3; k++) {
        double low = v[(uint32_t)left[k] * stride] - mid;
        double high = v[(uint32_t)(6 - left[k]) * stride] - mid;
        even[k] = 0.5 * (high + low) / (u[k] * u[k]);
        odd[k] = 0.5 * (high - low) / u[k];
    }
    c[0] = mid;
    fit(even[0], even[1], even[2], &c[2], &c[4], &c[6]);
    fit(odd[0], odd[1], odd[2], &c[1], &c[3], &c[5]);
}

// The derivative of this order of a polynomial at u, with respect to u.
static double evaluate(const double *c, double u, uint32_t order)
{
    double sum = 0.0;
    for (uint32_t k = SG_DELAY_NODES; k-- > order;) {
        double factor = 1.0;
        for (uint32_t i = 0; i < order; i++)
            factor *= (double)(k - i);
        sum = sum * u + factor * c[k];
    }
    return sum;
}

// By how much the polynomial through the five even places misses the other two.
static double missed(const double *v, uint32_t stride)
{
    double mid = v[3 * stride];
    double low[3] = {v[2 * stride] - mid, v[stride] - mid, v[0] - mid};
    double high[3] = {v[4 * stride] - mid, v[5 * stride] - mid, v[6 * stride] - mid};
    double even1 = 0.5 * (high[0] + low[0]) / q1, even3 = 0.5 * (high[2] + low[2]);
    double odd1 = 0.5 * (high[0] - low[0]) / 0.5, odd3 = 0.5 * (high[2] - low[2]);
    double part = (q2 - q1) / (q3 - q1);
    double even2 = q2 * (even1 + part * (even3 - even1));
    double odd2 = 0.75 * (odd1 + part * (odd3 - odd1));
    return fabs(even2 - 0.5 * (high[1] + low[1])) + fabs(odd2 - 0.5 * (high[1] - low[1]));
}

// Does a polynomial follow every number over [t0, t1]? What is not finite any more nobody can
// follow, and neither what is lost because the time of a place is rounded.
// With `between`, values at a place that no period fits: is the polynomial there, too?
static bool follows(const sg_sim_delays *d, double t0, double t1, const double *v,
                    const double *between)
{
    double tolerance = fmax(d->tolerance, LEAST_TOLERANCE);
    double rounded = 16.0 * DBL_EPSILON * fmax(fabs(t0), fabs(t1)) / (t1 - t0); // part of the piece
    for (uint32_t i = 0; i < d->n; i++) {
        double low = v[i], high = v[i], c[SG_DELAY_NODES];
        for (uint32_t k = 1; k < SG_DELAY_NODES; k++) {
            low = fmin(low, v[k * d->n + i]);
            high = fmax(high, v[k * d->n + i]);
        }
        double size = fmax(fmax(fabs(low), fabs(high)), SMALL * d->largest[i]);
        double allowed = FOLLOWED * tolerance * size + rounded * (high - low), off;
        if (between) {
            make_coefs(v + i, d->n, c);
            off = fabs(between[i] - evaluate(c, 2.0 * place_between - 1.0, 0)) / MISSED_BETWEEN;
        } else {
            off = missed(v + i, d->n);
        }
        if (off > allowed && isfinite(size))
            return false;
    }
    return true;
}

// ---- keeping the past ---------------------------------------------------------------------------

static void note_sizes(sg_sim_delays *d, const double *values)
{
    for (uint32_t i = 0; i < d->n; i++)
        if (fabs(values[i]) > d->largest[i])
            d->largest[i] = fabs(values[i]);
}

static sg_status push_piece(sg_sim_delays *d, double t0, double t1, const double *v)
{
    if (!room_for_pieces(d, 1))
        return SG_ERR_MEMORY;
    *piece_at(d, d->end_piece) = (sg_delay_piece){t0, t1};
    double *c = coefs_at(d, d->end_piece);
    for (uint32_t i = 0; i < d->n; i++)
        make_coefs(v + i, d->n, c + (size_t)i * SG_DELAY_NODES);
    d->end_piece++;
    return SG_OK;
}

static sg_status sample_into(sg_sim_delays *d, double t, sg_delay_sampler *sample, void *context,
                             double *to)
{
    const double *values;
    sg_status status = sample(context, t, &values);
    if (!status) {
        memcpy(to, values, d->n * sizeof *to);
        note_sizes(d, to);
    }
    return status;
}

// Values at [t0, t1] are in nodes[depth]; a piece, or two halves of which the first and the last
// places and one in between are known.
static sg_status cut(sg_sim_delays *d, int depth, double t0, double t1, sg_delay_sampler *sample,
                     void *context)
{
    const uint32_t n = d->n;
    const double *v = d->nodes + (size_t)depth * piece_size(d);
    double middle = t0 + 0.5 * (t1 - t0);
    double *half = d->nodes + ((size_t)depth + 1) * piece_size(d);
    bool done = depth == SG_DELAY_CUTS || !(middle > t0) || !(middle < t1);
    sg_status status = SG_OK;
    if (!done && follows(d, t0, t1, v, NULL)) {
        status = sample_into(d, t0 + place_between * (t1 - t0), sample, context, half);
        done = follows(d, t0, t1, v, half);
    }
    if (status || done)
        return status ? status : push_piece(d, t0, t1, v);
    // Place 2*p of the whole is place p of the left half, place 2*p - 1 that of the right one.
    static const int known[2][SG_DELAY_NODES] = {{0, -1, 1, 2, -1, -1, 3},
                                                 {3, -1, -1, 4, 5, -1, 6}};
    for (int side = 0; side < 2 && !status; side++) {
        double a = side ? middle : t0, b = side ? t1 : middle;
        for (uint32_t k = 0; k < SG_DELAY_NODES && !status; k++) {
            if (known[side][k] >= 0)
                memcpy(half + k * n, v + (size_t)known[side][k] * n, n * sizeof *half);
            else
                status = sample_into(d, a + places[k] * (b - a), sample, context, half + k * n);
        }
        if (!status)
            status = cut(d, depth + 1, a, b, sample, context);
    }
    return status;
}

// Pieces and breaks that no delay reaches from t on.
static void give_up(sg_sim_delays *d, double t)
{
    while (d->first_piece + 1 < d->end_piece &&
           piece_at(d, d->first_piece)->t1 < t - d->longest * (1.0 + 1e-9))
        d->first_piece++;
    uint64_t first = d->end_break;
    for (uint32_t k = 0; k < d->n_taps; k++) {
        const sg_delay_view *view = &d->views[k];
        uint64_t next = view->jump < view->bend ? view->jump : view->bend;
        first = next < first ? next : first;
    }
    d->first_break = first;
}

sg_status sg_sim_delays_record(sg_sim_delays *d, double t, sg_delay_sampler *sample, void *context)
{
    if (!d->n_taps || !(t > d->end))
        return SG_OK;
    give_up(d, d->end); // points within this step may still be asked for
    double t0 = d->end;
    sg_status status = SG_OK;
    memcpy(d->nodes, d->last, d->n * sizeof(double));
    for (uint32_t k = 1; k < SG_DELAY_NODES && !status; k++)
        status = sample_into(d, k + 1 == SG_DELAY_NODES ? t : t0 + places[k] * (t - t0), sample,
                             context, d->nodes + k * d->n);
    if (status)
        return status;
    memcpy(d->last, d->nodes + (SG_DELAY_NODES - 1) * d->n, d->n * sizeof(double));
    d->end = t;
    return cut(d, 0, t0, t, sample, context);
}

// Breaks arrive to the last bit when they should. Events may be one when they are closer than
// 1e-10 s, but that could be a good part of a delay.
static bool same_time(double a, double b) { return fabs(a - b) <= 4.0 * DBL_EPSILON * fabs(b); }

// ---- breaks -------------------------------------------------------------------------------------

static sg_status push_break(sg_sim_delays *d, uint32_t order)
{
    if (!grow_both(d->allocator, (void **)&d->breaks, sizeof *d->breaks, (void **)&d->jumped,
                   d->n_taps, &d->break_cap, d->first_break, d->end_break, 1))
        return SG_ERR_MEMORY;
    *break_at(d, d->end_break) = (sg_delay_break){d->end, d->end_piece, order};
    d->end_break++;
    return SG_OK;
}

void sg_sim_delays_begin(sg_sim_delays *d, double t, const double *values)
{
    d->begun = true;
    d->begin = d->end = t;
    d->order = 1;
    memcpy(d->start, values, d->n * sizeof *values);
    memcpy(d->last, values, d->n * sizeof *values);
    note_sizes(d, values);
    for (uint32_t k = 0; k < d->n_taps; k++)
        d->views[k] = (sg_delay_view){.from_start = true};
}

// A jump that is smaller than what the tolerance lets pass is none.
static bool has_jumped(const sg_sim_delays *d, uint32_t i, double value)
{
    double tolerance = fmax(d->tolerance, LEAST_TOLERANCE), before = d->last[i];
    double size = fmax(fmax(fabs(before), fabs(value)), SMALL * d->largest[i]);
    return fabs(value - before) > JUMP * tolerance * size;
}

// Derivatives jump where the past bends, and at the start, before which they are zero.
static bool tap_jumps(const sg_sim_delays *d, const sg_delay_tap *tap, uint32_t order,
                      const double *values)
{
    if ((tap->is_rate && d->end_piece == 0) || (tap->order && order <= tap->order))
        return true;
    for (uint32_t i = tap->at; i < tap->at + tap->n; i++)
        if (has_jumped(d, i, values[i]))
            return true;
    return false;
}

sg_status sg_sim_delays_resume(sg_sim_delays *d, const double *values)
{
    bool any = false;
    for (uint32_t i = 0; i < d->n && !any; i++)
        any = has_jumped(d, i, values[i]);
    uint32_t order = any ? 1 : d->order;
    d->order = 1;
    if (order && order <= d->smooth) {
        uint64_t b = d->end_break;
        sg_status status = push_break(d, order);
        if (status)
            return status;
        for (uint32_t k = 0; k < d->n_taps; k++) {
            bool jumped = tap_jumps(d, &d->taps[k], order, values);
            d->jumped[(b & (d->break_cap - 1)) * d->n_taps + k] = jumped;
            if (d->views[k].jump == b && !jumped)
                d->views[k].jump++; // it goes on to wait for the first one
        }
    }
    memcpy(d->last, values, d->n * sizeof *values);
    note_sizes(d, values);
    return SG_OK;
}

double sg_sim_delays_next_jump(const sg_sim_delays *d)
{
    double next = INFINITY;
    for (uint32_t k = 0; k < d->n_taps; k++)
        if (d->views[k].jump < d->end_break)
            next = fmin(next, break_at(d, d->views[k].jump)->t + d->taps[k].time);
    return next;
}

double sg_sim_delays_next_bend(sg_sim_delays *d, double t)
{
    double next = INFINITY;
    for (uint32_t k = 0; k < d->n_taps; k++) {
        sg_delay_view *view = &d->views[k];
        double arrives = INFINITY;
        for (; view->bend < d->end_break; view->bend++) {
            arrives = break_at(d, view->bend)->t + d->taps[k].time;
            if (arrives > t && !same_time(arrives, t))
                break;
            arrives = INFINITY;
        }
        next = fmin(next, arrives);
    }
    return next;
}

void sg_sim_delays_stopped(sg_sim_delays *d, double t, bool for_bend_only)
{
    uint32_t order = d->smooth;
    for (uint32_t k = 0; k < d->n_taps; k++) {
        uint64_t bend = d->views[k].bend;
        if (bend < d->end_break && same_time(break_at(d, bend)->t + d->taps[k].time, t) &&
            break_at(d, bend)->order < order)
            order = break_at(d, bend)->order;
    }
    d->order = for_bend_only ? order + 1 : 1;
}

bool sg_sim_delays_pass(sg_sim_delays *d, double t)
{
    bool any = false;
    for (uint32_t k = 0; k < d->n_taps; k++) {
        sg_delay_view *view = &d->views[k];
        while (view->jump < d->end_break) {
            const sg_delay_break *b = break_at(d, view->jump);
            double arrives = b->t + d->taps[k].time;
            if (arrives > t && !same_time(arrives, t))
                break;
            view->from = b->piece;
            view->from_start = false;
            any = true;
            do
                view->jump++;
            while (view->jump < d->end_break && !jumped_at(d, view->jump, k));
        }
    }
    return any;
}

// ---- looking back -------------------------------------------------------------------------------

// The last piece of [from, to) that does not begin behind t.
static uint64_t find_piece(const sg_sim_delays *d, uint64_t from, uint64_t to, double t)
{
    while (to - from > 1) {
        uint64_t middle = from + (to - from) / 2;
        if (piece_at(d, middle)->t0 <= t)
            from = middle;
        else
            to = middle;
    }
    return from;
}

static double value_in(const sg_sim_delays *d, const sg_delay_tap *p, uint32_t k, uint64_t i,
                       double then)
{
    const sg_delay_piece *piece = piece_at(d, i);
    const double *c = coefs_at(d, i) + (size_t)(p->at + k) * SG_DELAY_NODES;
    double h = piece->t1 - piece->t0;
    double u = ((then - piece->t0) - (piece->t1 - then)) / h;
    u = fmin(1.0, fmax(-1.0, u));
    return pow(2.0 / h, (double)p->order) * evaluate(c, u, p->order);
}

void sg_sim_delays_value(const sg_sim_delays *d, uint32_t tap, double t, double *value)
{
    const sg_delay_tap *p = &d->taps[tap];
    const sg_delay_view *view = &d->views[tap];
    double then = t - p->time;
    uint64_t from = view->from > d->first_piece ? view->from : d->first_piece;
    uint64_t to = view->jump < d->end_break ? break_at(d, view->jump)->piece : d->end_piece;
    if ((view->from_start && then <= d->begin) || to <= d->first_piece) {
        for (uint32_t i = 0; i < p->n; i++)
            value[i] = p->is_rate ? 0.0 : d->start[p->at + i];
        return;
    }
    uint64_t i = to > from ? find_piece(d, from, to, then) : to - 1;
    for (uint32_t k = 0; k < p->n; k++)
        value[k] = value_in(d, p, k, i, then);
}

// One number of a tap over the part of a piece that lies within [low, high].
static sg_enclosed enclose_piece(const sg_sim_delays *d, const sg_delay_tap *p, uint32_t k,
                                 uint64_t i, double low, double high)
{
    const sg_delay_piece *piece = piece_at(d, i);
    const double *c = coefs_at(d, i) + (size_t)(p->at + k) * SG_DELAY_NODES;
    double unit = 0.5 * (piece->t1 - piece->t0), scale = pow(1.0 / unit, (double)p->order);
    double derived[SG_DELAY_NODES];
    int n = 0;
    for (uint32_t j = p->order; j < SG_DELAY_NODES; j++) {
        derived[n] = scale * c[j];
        for (uint32_t m = 0; m < p->order; m++)
            derived[n] *= (double)(j - m);
        n++;
    }
    if (n == 0)
        return sg_enclosed_point(0.0);
    double from = fmin(fmax(low, piece->t0), piece->t1), to = fmax(fmin(high, piece->t1), from);
    double middle = from + 0.5 * (to - from);
    return sg_enclosed_polynomial(derived, n - 1, (middle - piece->t0) / unit - 1.0, unit,
                                  0.5 * (to - from));
}

static void widen(sg_enclosed *all, sg_enclosed x)
{
    all->lo = fmin(all->lo, x.lo);
    all->hi = fmax(all->hi, x.hi);
    all->d_lo = fmin(all->d_lo, x.d_lo);
    all->d_hi = fmax(all->d_hi, x.d_hi);
}

void sg_sim_delays_enclose(const sg_sim_delays *d, uint32_t tap, double t, double r,
                           sg_enclosed *out)
{
    const sg_delay_tap *p = &d->taps[tap];
    const sg_delay_view *view = &d->views[tap];
    double low = t - r - p->time, high = t + r - p->time;
    uint64_t from = view->from > d->first_piece ? view->from : d->first_piece;
    uint64_t to = view->jump < d->end_break ? break_at(d, view->jump)->piece : d->end_piece;
    bool before = (view->from_start && low <= d->begin) || to <= d->first_piece;
    bool inside = to > d->first_piece && !(before && high <= d->begin);
    uint64_t first = to > from ? find_piece(d, from, to, low) : to - 1;
    for (uint32_t k = 0; k < p->n; k++) {
        sg_enclosed all = before ? sg_enclosed_point(p->is_rate ? 0.0 : d->start[p->at + k])
                                 : enclose_piece(d, p, k, first, low, high);
        for (uint64_t i = first; inside && i < to && (i == first || piece_at(d, i)->t0 <= high);
             i++)
            widen(&all, enclose_piece(d, p, k, i, low, high));
        out[k] = all;
    }
    // The values in the middle, as they are told elsewhere.
    for (uint32_t k = 0; k < p->n; k++) {
        double then = t - p->time;
        bool started = !((view->from_start && then <= d->begin) || to <= d->first_piece);
        uint64_t i = to > from ? find_piece(d, from, to, then) : to - 1;
        out[k].mid =
            started ? value_in(d, p, k, i, then) : (p->is_rate ? 0.0 : d->start[p->at + k]);
    }
}

// ---- saved states -------------------------------------------------------------------------------

static sg_status archive_pieces(sg_sim_delays *d, sg_archive *a)
{
    SG_ARCHIVE(a, d->first_piece);
    size_t n = sg_archive_count(a, (size_t)(d->end_piece - d->first_piece), sizeof *d->pieces);
    if (sg_archive_reads(a))
        d->end_piece = d->first_piece;
    for (uint64_t i = d->first_piece; i - d->first_piece < n && !a->failed; i++) {
        if (sg_archive_reads(a) && !room_for_pieces(d, 1))
            return SG_ERR_MEMORY;
        SG_ARCHIVE(a, *piece_at(d, i));
        SG_ARCHIVE_ARRAY(a, coefs_at(d, i), piece_size(d));
        d->end_piece += sg_archive_reads(a);
    }
    return SG_OK;
}

static sg_status archive_breaks(sg_sim_delays *d, sg_archive *a)
{
    SG_ARCHIVE(a, d->first_break);
    size_t n = sg_archive_count(a, (size_t)(d->end_break - d->first_break), sizeof *d->breaks);
    if (sg_archive_reads(a))
        d->end_break = d->first_break;
    for (uint64_t i = d->first_break; i - d->first_break < n && !a->failed; i++) {
        if (sg_archive_reads(a) && push_break(d, 1) != SG_OK)
            return SG_ERR_MEMORY;
        SG_ARCHIVE(a, *break_at(d, i));
        SG_ARCHIVE_ARRAY(a, d->jumped + (i & (d->break_cap - 1)) * d->n_taps, d->n_taps);
    }
    return SG_OK;
}

// Numbers of pieces and breaks stay within what is kept.
static bool views_fit(const sg_sim_delays *d)
{
    for (uint32_t k = 0; k < d->n_taps; k++)
        if (d->views[k].jump < d->first_break || d->views[k].jump > d->end_break ||
            d->views[k].from > d->end_piece)
            return false;
    return true;
}

sg_status sg_sim_delays_archive(sg_sim_delays *d, sg_archive *a)
{
    sg_archive_section(a, "delays");
    if (!d->n_taps)
        return SG_OK;
    SG_ARCHIVE(a, d->begun);
    SG_ARCHIVE(a, d->begin);
    SG_ARCHIVE(a, d->end);
    SG_ARCHIVE_ARRAY(a, d->start, d->n);
    SG_ARCHIVE_ARRAY(a, d->last, d->n);
    SG_ARCHIVE_ARRAY(a, d->largest, d->n);
    SG_ARCHIVE_ARRAY(a, d->views, d->n_taps);
    sg_status status = archive_pieces(d, a);
    if (status == SG_OK)
        status = archive_breaks(d, a);
    if (!a->failed && !views_fit(d))
        a->failed = true;
    if (sg_archive_reads(a))
        d->order = 0;
    return status;
}
