#include "solver/bodies.h"

#include <math.h>
#include <string.h>

enum { SIX = SG_BODY_UNKNOWNS };

// ---- the order ----------------------------------------------------------------------------------

// Bodies and whom they are linked to while others are eliminated.
typedef struct graph {
    sg_arena *arena;
    int32_t n;
    int32_t **list, *count;      // by body
    int32_t *head, *next, *last; // bodies of a degree in a row; -1 is none
    int32_t *mark, n_marks;
} graph;

static void put_in(graph *g, int32_t body)
{
    int32_t degree = g->count[body], first = g->head[degree];
    g->next[body] = first;
    g->last[body] = -1;
    if (first >= 0)
        g->last[first] = body;
    g->head[degree] = body;
}

static void take_out(graph *g, int32_t body)
{
    int32_t next = g->next[body], last = g->last[body];
    if (last >= 0)
        g->next[last] = next;
    else
        g->head[g->count[body]] = next;
    if (next >= 0)
        g->last[next] = last;
}

static void note_link(graph *g, int32_t one, int32_t other)
{
    bool is_there = one == other;
    for (int32_t m = 0; m < g->count[one]; m++)
        is_there |= g->list[one][m] == other;
    if (!is_there)
        g->list[one][g->count[one]++] = other;
}

static bool make_graph(graph *g, int32_t n, int32_t n_pairs, const sg_bodies_pair *pairs)
{
    sg_arena *a = g->arena;
    g->n = n;
    g->list = SG_NEW_ARRAY(a, int32_t *, n + 1);
    g->count = SG_NEW_ARRAY(a, int32_t, n + 1);
    g->head = SG_NEW_ARRAY(a, int32_t, n + 1);
    g->next = SG_NEW_ARRAY(a, int32_t, n + 1);
    g->last = SG_NEW_ARRAY(a, int32_t, n + 1);
    g->mark = SG_NEW_ARRAY(a, int32_t, n + 1);
    int32_t *all = SG_NEW_ARRAY(a, int32_t, 2 * (size_t)n_pairs + 1);
    if (a->failed)
        return false;
    for (int32_t p = 0; p < n_pairs; p++) {
        g->count[pairs[p].a]++;
        g->count[pairs[p].b]++;
    }
    for (int32_t k = 0, at = 0; k < n; k++) {
        g->list[k] = all + at;
        at += g->count[k];
        g->count[k] = 0;
    }
    for (int32_t p = 0; p < n_pairs; p++) {
        note_link(g, pairs[p].a, pairs[p].b);
        note_link(g, pairs[p].b, pairs[p].a);
    }
    for (int32_t k = 0; k <= n; k++)
        g->head[k] = -1;
    for (int32_t k = n; k-- > 0;)
        put_in(g, k);
    return true;
}

// Those that `gone` was linked to are all linked to each other from now on.
static bool join_rest(graph *g, int32_t gone, int32_t body)
{
    const int32_t *more = g->list[gone];
    int32_t n = 0, *list = SG_NEW_ARRAY(g->arena, int32_t, g->count[body] + g->count[gone]);
    if (!list)
        return false;
    g->n_marks++;
    take_out(g, body);
    g->mark[body] = g->mark[gone] = g->n_marks;
    for (int32_t k = 0; k < g->count[body] + g->count[gone]; k++) {
        int32_t other = k < g->count[body] ? g->list[body][k] : more[k - g->count[body]];
        if (g->mark[other] == g->n_marks)
            continue;
        g->mark[other] = g->n_marks;
        list[n++] = other;
    }
    g->list[body] = list;
    g->count[body] = n;
    put_in(g, body);
    return true;
}

// Always the one with the fewest links. Their lists stay as they were when they went.
static bool find_order(graph *g, int32_t *rank, int32_t *order)
{
    for (int32_t k = 0, degree = 0; k < g->n; k++) {
        degree = degree > 0 ? degree - 1 : 0; // of those left, at most one link was lost
        while (g->head[degree] < 0)
            degree++;
        int32_t gone = g->head[degree];
        take_out(g, gone);
        rank[gone] = k;
        order[k] = gone;
        for (int32_t m = 0; m < g->count[gone]; m++)
            if (!join_rest(g, gone, g->list[gone][m]))
                return false;
    }
    return true;
}

// ---- begin --------------------------------------------------------------------------------------

static void set_links(sg_bodies *s, const graph *g, const int32_t *order)
{
    int32_t at = 0;
    for (int32_t k = 0; k < s->n; k++) {
        const int32_t *list = g->list[order[k]];
        s->start[k] = at;
        for (int32_t m = 0; m < g->count[order[k]]; m++) {
            int32_t rank = s->rank[list[m]], e = at++;
            for (; e > s->start[k] && s->to[e - 1] > rank; e--)
                s->to[e] = s->to[e - 1];
            s->to[e] = rank;
        }
    }
    s->start[s->n] = at;
}

static int32_t link_of(const sg_bodies *s, int32_t rank, int32_t later)
{
    for (int32_t e = s->start[rank]; e < s->start[rank + 1]; e++)
        if (s->to[e] == later)
            return e;
    return -1;
}

static bool allocate(sg_bodies *s, sg_arena *arena, int32_t links)
{
    size_t n = (size_t)s->n + 1, m = (size_t)links + 1;
    s->start = SG_NEW_ARRAY(arena, int32_t, n);
    s->to = SG_NEW_ARRAY(arena, int32_t, m);
    s->is_given = SG_NEW_ARRAY(arena, bool, m);
    s->own = SG_NEW_ARRAY(arena, sg_body_slopes, n);
    s->above = SG_NEW_ARRAY(arena, sg_body_slopes, m);
    s->below = SG_NEW_ARRAY(arena, sg_body_slopes, m);
    s->angles = SG_NEW_ARRAY(arena, sg_body_angles, n);
    s->inverse = SG_NEW_ARRAY(arena, sg_body_block, n);
    s->right = SG_NEW_ARRAY(arena, sg_body_block, m);
    s->left = SG_NEW_ARRAY(arena, sg_body_block, m);
    s->angles_inverse = SG_NEW_ARRAY(arena, sg_body_turn, n);
    s->b = SG_NEW_ARRAY(arena, double, SIX *n);
    s->places = SG_NEW_ARRAY(arena, double, 3 * n);
    s->where = SG_NEW_ARRAY(arena, int32_t, n);
    return !arena->failed;
}

sg_status sg_bodies_init(sg_bodies *s, sg_arena *arena, int32_t n, int32_t n_pairs,
                         const sg_bodies_pair *pairs)
{
    sg_arena scratch;
    sg_arena_init(&scratch, arena->allocator);
    graph g = {.arena = &scratch};
    *s = (sg_bodies){.n = n, .rank = SG_NEW_ARRAY(arena, int32_t, n + 1)};
    int32_t *order = SG_NEW_ARRAY(&scratch, int32_t, n + 1), links = 0;
    bool done =
        s->rank && order && make_graph(&g, n, n_pairs, pairs) && find_order(&g, s->rank, order);
    for (int32_t k = 0; done && k < n; k++)
        links += g.count[k];
    if (done && allocate(s, arena, links))
        set_links(s, &g, order);
    else
        done = false;
    sg_arena_destroy(&scratch);
    for (int32_t p = 0; done && p < n_pairs; p++) {
        int32_t a = s->rank[pairs[p].a], b = s->rank[pairs[p].b];
        if (a != b)
            s->is_given[link_of(s, a < b ? a : b, a < b ? b : a)] = true;
    }
    return done ? SG_OK : SG_ERR_MEMORY;
}

void sg_bodies_clear(sg_bodies *s)
{
    memset(s->own, 0, (size_t)s->n * sizeof *s->own);
    memset(s->angles, 0, (size_t)s->n * sizeof *s->angles);
    for (int32_t e = 0; e < s->start[s->n]; e++) {
        if (!s->is_given[e])
            continue;
        memset(&s->above[e], 0, sizeof s->above[e]);
        memset(&s->below[e], 0, sizeof s->below[e]);
    }
}

sg_body_slopes *sg_bodies_between(sg_bodies *s, int32_t of, int32_t by)
{
    int32_t row = s->rank[of], column = s->rank[by];
    if (row == column)
        return &s->own[row];
    int32_t e = row < column ? link_of(s, row, column) : link_of(s, column, row);
    if (e < 0 || !s->is_given[e])
        return NULL;
    return row < column ? &s->above[e] : &s->below[e];
}

// ---- blocks -------------------------------------------------------------------------------------

// c - a b
static void subtract_product(sg_body_block *c, const sg_body_block *a, const sg_body_block *b)
{
    for (int j = 0; j < SIX; j++) {
        double sum[SIX];
        for (int i = 0; i < SIX; i++)
            sum[i] = c->m[j][i];
        for (int k = 0; k < SIX; k++)
            for (int i = 0; i < SIX; i++)
                sum[i] -= a->m[k][i] * b->m[j][k];
        for (int i = 0; i < SIX; i++)
            c->m[j][i] = sum[i];
    }
}

// a b in the place of b
static void multiply(const sg_body_block *a, sg_body_block *b)
{
    for (int j = 0; j < SIX; j++) {
        double sum[SIX] = {0.0};
        for (int k = 0; k < SIX; k++)
            for (int i = 0; i < SIX; i++)
                sum[i] += a->m[k][i] * b->m[j][k];
        for (int i = 0; i < SIX; i++)
            b->m[j][i] = sum[i];
    }
}

// y + f a x, with a of `columns` columns
static void add_product(int columns, double f, const double *a, const double *x, double *y)
{
    double sum[SIX];
    for (int i = 0; i < SIX; i++)
        sum[i] = y[i];
    for (int k = 0; k < columns; k++)
        for (int i = 0; i < SIX; i++)
            sum[i] += a[SIX * k + i] * (f * x[k]);
    for (int i = 0; i < SIX; i++)
        y[i] = sum[i];
}

// Gauss and Jordan, on columns: where `a` becomes one, one becomes its inverse. Columns are
// exchanged for the largest of a row.
static bool invert(int n, double *a, double *inverse)
{
    for (int i = 0; i < n * n; i++)
        inverse[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
    for (int r = 0; r < n; r++) {
        int best = r;
        for (int j = r + 1; j < n; j++)
            best = fabs(a[j * n + r]) > fabs(a[best * n + r]) ? j : best;
        double pivot = a[best * n + r];
        if (!(fabs(pivot) > 0.0) || !isfinite(pivot))
            return false;
        for (int i = 0; i < n; i++) {
            double x = a[best * n + i] / pivot, y = inverse[best * n + i] / pivot;
            a[best * n + i] = a[r * n + i];
            inverse[best * n + i] = inverse[r * n + i];
            a[r * n + i] = x;
            inverse[r * n + i] = y;
        }
        for (int j = 0; j < n; j++) {
            double f = a[j * n + r];
            if (j == r || f == 0.0)
                continue;
            for (int i = 0; i < n; i++) {
                a[j * n + i] -= f * a[r * n + i];
                inverse[j * n + i] -= f * inverse[r * n + i];
            }
        }
    }
    return true;
}

// ---- factors ------------------------------------------------------------------------------------

static void set_block(const sg_body_slopes *slopes, double diagonal, double g, sg_body_block *block)
{
    for (int j = 0; j < SIX; j++)
        for (int i = 0; i < SIX; i++)
            block->m[j][i] = (i == j ? diagonal : 0.0) - g * slopes->motion[j][i];
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < SIX; i++)
            block->m[j][i] -= g * g * slopes->place[j][i];
}

static bool set_matrix(sg_bodies *s, double g)
{
    s->g = g;
    for (int32_t k = 0; k < s->n; k++) {
        double angles[3][3];
        set_block(&s->own[k], 1.0, g, &s->inverse[k]);
        for (int j = 0; j < 3; j++)
            for (int i = 0; i < 3; i++)
                angles[j][i] = (i == j ? 1.0 : 0.0) - g * s->angles[k].own[j][i];
        if (!invert(3, angles[0], s->angles_inverse[k].m[0]))
            return false;
    }
    for (int32_t e = 0; e < s->start[s->n]; e++) {
        if (s->is_given[e]) {
            set_block(&s->above[e], 0.0, g, &s->right[e]);
            set_block(&s->below[e], 0.0, g, &s->left[e]);
        } else {
            s->right[e] = (sg_body_block){0};
            s->left[e] = (sg_body_block){0};
        }
    }
    return true;
}

// What is left for the bodies that k is linked to.
static void eliminate(sg_bodies *s, int32_t k)
{
    for (int32_t e = s->start[k]; e < s->start[k + 1]; e++)
        multiply(&s->inverse[k], &s->right[e]);
    for (int32_t e = s->start[k]; e < s->start[k + 1]; e++) {
        int32_t i = s->to[e];
        for (int32_t f = s->start[i]; f < s->start[i + 1]; f++)
            s->where[s->to[f]] = f;
        subtract_product(&s->inverse[i], &s->left[e], &s->right[e]);
        for (int32_t f = e + 1; f < s->start[k + 1]; f++) {
            int32_t link = s->where[s->to[f]];
            subtract_product(&s->right[link], &s->left[e], &s->right[f]);
            subtract_product(&s->left[link], &s->left[f], &s->right[e]);
        }
    }
}

bool sg_bodies_factor(sg_bodies *s, double g)
{
    if (!set_matrix(s, g))
        return false;
    for (int32_t k = 0; k < s->n; k++) {
        sg_body_block block = s->inverse[k];
        if (!invert(SIX, block.m[0], s->inverse[k].m[0]))
            return false;
        eliminate(s, k);
    }
    return true;
}

// ---- solution -----------------------------------------------------------------------------------

// b by rank: of velocities and turnings, and of places.
static void gather(sg_bodies *s, const double *b)
{
    for (int32_t body = 0; body < s->n; body++) {
        const double *own = b + (size_t)SG_BODY_STATES * (size_t)body;
        double *to = s->b + (size_t)SIX * (size_t)s->rank[body];
        for (int i = 0; i < 3; i++) {
            to[i] = own[SG_BODY_VELOCITY + i];
            to[3 + i] = own[SG_BODY_TURNING + i];
            s->places[3 * s->rank[body] + i] = own[SG_BODY_PLACE + i];
        }
    }
}

// What places do to velocities and turnings.
static void add_places(sg_bodies *s)
{
    for (int32_t k = 0; k < s->n; k++) {
        const double *own = s->places + 3 * (size_t)k;
        double *to = s->b + (size_t)SIX * (size_t)k;
        add_product(3, s->g, s->own[k].place[0], own, to);
        for (int32_t e = s->start[k]; e < s->start[k + 1]; e++) {
            if (!s->is_given[e])
                continue;
            add_product(3, s->g, s->above[e].place[0], s->places + 3 * (size_t)s->to[e], to);
            add_product(3, s->g, s->below[e].place[0], own, s->b + (size_t)SIX * (size_t)s->to[e]);
        }
    }
}

static void solve_blocks(sg_bodies *s)
{
    for (int32_t k = 0; k < s->n; k++) {
        double *b = s->b + (size_t)SIX * (size_t)k, x[SIX] = {0.0};
        add_product(SIX, 1.0, s->inverse[k].m[0], b, x);
        memcpy(b, x, sizeof x);
        for (int32_t e = s->start[k]; e < s->start[k + 1]; e++)
            add_product(SIX, -1.0, s->left[e].m[0], b, s->b + (size_t)SIX * (size_t)s->to[e]);
    }
    for (int32_t k = s->n; k-- > 0;)
        for (int32_t e = s->start[k]; e < s->start[k + 1]; e++)
            add_product(SIX, -1.0, s->right[e].m[0], s->b + (size_t)SIX * (size_t)s->to[e],
                        s->b + (size_t)SIX * (size_t)k);
}

static void scatter(sg_bodies *s, const double *b, double *x)
{
    for (int32_t body = 0; body < s->n; body++) {
        int32_t k = s->rank[body];
        const double *from = b + (size_t)SG_BODY_STATES * (size_t)body;
        const double *found = s->b + (size_t)SIX * (size_t)k;
        double *to = x + (size_t)SG_BODY_STATES * (size_t)body, angles[3];
        for (int i = 0; i < 3; i++) {
            angles[i] = from[SG_BODY_ANGLES + i];
            for (int j = 0; j < 3; j++)
                angles[i] += s->g * s->angles[k].turning[j][i] * found[3 + j];
        }
        for (int i = 0; i < 3; i++) {
            to[SG_BODY_PLACE + i] = from[SG_BODY_PLACE + i] + s->g * found[i];
            to[SG_BODY_VELOCITY + i] = found[i];
            to[SG_BODY_TURNING + i] = found[3 + i];
        }
        for (int i = 0; i < 3; i++) {
            double sum = 0.0;
            for (int j = 0; j < 3; j++)
                sum += s->angles_inverse[k].m[j][i] * angles[j];
            to[SG_BODY_ANGLES + i] = sum;
        }
    }
}

void sg_bodies_solve(sg_bodies *s, const double *b, double *x)
{
    gather(s, b);
    add_places(s);
    solve_blocks(s);
    scatter(s, b, x);
}
