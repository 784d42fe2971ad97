#include "multibody/loops.h"

#include "base/number.h"
#include "math/dense.h"
#include "multibody/cut_form.h"
#include "multibody/joint.h"

#include <math.h>
#include <string.h>

// A row whose pivot is a smaller part of what it could be says nothing that others do not say.
#define DEPENDENT 1e-12

// ---- building -----------------------------------------------------------------------------------

// The bodies between two ends and the world, without the world.
static bool make_path(const sg_tree *tree, int body1, int body2, sg_arena *arena, sg_loop_path *p)
{
    int n = 0, i = body1, j = body2;
    for (; i > 0 || j > 0; n++) {
        int k = i > j ? i : j;
        i = i == k ? tree->body[k].parent : i;
        j = j == k ? tree->body[k].parent : j;
    }
    int *body = SG_NEW_ARRAY(arena, int, n + 1), *number = SG_NEW_ARRAY(arena, int, n + 1);
    int *up = SG_NEW_ARRAY(arena, int, n + 1);
    if (arena->failed)
        return false;
    *p = (sg_loop_path){
        .body1 = body1, .body2 = body2, .n = n, .body = body, .number = number, .up = up};
    i = body1, j = body2;
    for (int m = 0; m < n; m++) {
        int k = body[m] = i > j ? i : j;
        i = i == k ? tree->body[k].parent : i;
        j = j == k ? tree->body[k].parent : j;
        number[m] = p->n_numbers;
        p->n_numbers += tree->body[k].dof;
    }
    p->at1 = p->at2 = -1;
    for (int m = 0; m < n; m++) {
        p->at1 = body[m] == body1 ? m : p->at1;
        p->at2 = body[m] == body2 ? m : p->at2;
        up[m] = -1;
        for (int k = m + 1; k < n; k++)
            up[m] = body[k] == tree->body[body[m]].parent ? k : up[m];
    }
    return true;
}

static bool paths_meet(const sg_loop_path *a, const sg_loop_path *b)
{
    for (int i = 0, j = 0; i < a->n && j < b->n;) {
        if (a->body[i] == b->body[j])
            return true;
        if (a->body[i] > b->body[j])
            i++;
        else
            j++;
    }
    return false;
}

static sg_loop_meeting meet(const sg_tree *tree, const sg_loop_path *a, const sg_loop_path *b,
                            sg_arena *arena)
{
    sg_loop_meeting m = {0};
    int *pair = SG_NEW_ARRAY(arena, int,
                             2 * (a->n_numbers < b->n_numbers ? a->n_numbers : b->n_numbers) + 1);
    for (int i = 0, j = 0; pair && i < a->n && j < b->n;) {
        int k = a->body[i], other = b->body[j];
        for (int d = 0; k == other && d < tree->body[k].dof; d++, m.n++) {
            pair[2 * m.n] = a->number[i] + d;
            pair[2 * m.n + 1] = b->number[j] + d;
        }
        i += k >= other;
        j += other >= k;
    }
    m.pair = pair;
    return m;
}

// The first cut that a path shares a joint with, and what they share from there on.
static bool find_meetings(const sg_tree *tree, sg_tree_loops *l, int c, sg_arena *arena)
{
    int first = 0;
    while (first < c && !paths_meet(&l->path[first], &l->path[c]))
        first++;
    l->reach[c] = first;
    l->met[c] = SG_NEW_ARRAY(arena, sg_loop_meeting, c - first + 1);
    for (int k = first; l->met[c] && k <= c; k++)
        l->met[c][k - first] = meet(tree, &l->path[c], &l->path[k], arena);
    return !arena->failed;
}

static bool add_cuts(const sg_tree *tree, sg_tree_loops *l, sg_arena *arena, int *first_row)
{
    for (int c = 0; c < l->n_cuts; c++) {
        const sg_tree_cut *cut = &l->cut[c];
        const sg_tree_member *m1 = &tree->object[cut->obj1], *m2 = &tree->object[cut->obj2];
        sg_loop_path *p = &l->path[c];
        if (!make_path(tree, m1->body, m2->body, arena, p))
            return false;
        p->p1 = pose_point(&m1->pose, cut->place.r);
        p->p2 = m2->pose.r;
        p->length = cut->length;
        p->reach = v3_norm(p->p1) + v3_norm(p->p2) + fabs(cut->length);
        for (int m = 0; m < p->n; m++)
            p->reach = fmax(p->reach, v3_norm(tree->body[p->body[m]].place.r));
        first_row[c] = l->n_rows;
        int n = sg_cut_rows(tree, cut, l->row + l->n_rows);
        for (int i = 0; i < n; i++) {
            sg_loop_row *row = &l->row[l->n_rows++];
            row->path = row->cut = c;
            row->y = l->n_y;
            l->n_y += p->n_numbers;
        }
        l->measured[c] = sg_cut_coordinate(tree, cut);
        l->measured[c].path = l->measured[c].cut = c;
        if (!find_meetings(tree, l, c, arena))
            return false;
        l->max_path = p->n > l->max_path ? p->n : l->max_path;
    }
    first_row[l->n_cuts] = l->n_rows;
    return true;
}

static bool add_drives(const sg_tree *tree, const sg_loop_drive *drives, sg_tree_loops *l,
                       sg_arena *arena)
{
    for (int d = 0; d < l->n_drives; d++) {
        sg_loop_row *row = &l->row[l->n_rows + d];
        if (drives[d].cut >= 0) {
            *row = l->measured[drives[d].cut];
        } else {
            sg_loop_path *p = &l->path[l->n_paths];
            *row = (sg_loop_row){.sort = SG_ROW_JOINT, .path = l->n_paths++, .cut = -1};
            if (!make_path(tree, 0, drives[d].body, arena, p))
                return false;
            l->max_path = p->n > l->max_path ? p->n : l->max_path;
        }
        row->y = l->n_y;
        l->n_y += l->path[row->path].n_numbers;
    }
    return true;
}

// Nothing else says how large a mechanism is whose joints all are in one point.
static double find_length(const sg_tree *tree, const sg_tree_loops *l)
{
    double length = 0.0;
    for (int k = 1; k < tree->n_bodies; k++) {
        const sg_tree_body *b = &tree->body[k];
        double I = m3_trace(&b->inertia.I);
        length = fmax(length, v3_norm(b->place.r));
        length = fmax(length, b->inertia.m > 0.0 ? sqrt(I / b->inertia.m) : 0.0);
    }
    for (int c = 0; c < l->n_cuts; c++)
        length = fmax(length, l->path[c].reach);
    return length > 0.0 ? length : 1.0;
}

sg_status sg_tree_loops_build(const sg_tree *tree, const sg_tree_cut *cuts, int n_cuts,
                              const sg_loop_drive *drives, int n_drives, sg_arena *arena,
                              sg_tree_loops **out)
{
    sg_tree_loops *l = *out = SG_NEW(arena, sg_tree_loops);
    int *first_row = SG_NEW_ARRAY(arena, int, n_cuts + 1);
    sg_tree_cut *cut = SG_NEW_ARRAY(arena, sg_tree_cut, n_cuts + 1);
    if (arena->failed)
        return SG_ERR_MEMORY;
    if (n_cuts)
        memcpy(cut, cuts, (size_t)n_cuts * sizeof *cut);
    *l = (sg_tree_loops){.n_cuts = n_cuts, .n_drives = n_drives, .n_paths = n_cuts, .cut = cut};
    l->first_row = first_row;
    l->row = SG_NEW_ARRAY(arena, sg_loop_row, SG_CUT_MAX_ROWS * n_cuts + n_drives + 1);
    l->measured = SG_NEW_ARRAY(arena, sg_loop_row, n_cuts + 1);
    l->path = SG_NEW_ARRAY(arena, sg_loop_path, n_cuts + n_drives + 1);
    l->reach = SG_NEW_ARRAY(arena, int, n_cuts + 1);
    l->met = SG_NEW_ARRAY(arena, sg_loop_meeting *, n_cuts + 1);
    if (arena->failed || !add_cuts(tree, l, arena, first_row) ||
        !add_drives(tree, drives, l, arena))
        return SG_ERR_MEMORY;
    l->length = find_length(tree, l);
    return SG_OK;
}

// Every row from the first one of the cuts that its own cut shares a joint with.
void sg_tree_loops_envelope(const sg_tree_loops *l, sg_loop_state *t)
{
    int at = 0, column = 0;
    for (int i = 0; i < t->n_active; i++) {
        int first = l->first_row[l->reach[l->row[t->active[i]].cut]];
        for (column = 0; t->active[column] < first;)
            column++;
        t->start[i] = column;
        t->at[i] = at;
        at += i - column;
    }
    t->at[t->n_active] = at;
}

static void activate_all(const sg_tree_loops *l, sg_loop_state *t)
{
    t->n_active = l->n_rows;
    for (int i = 0; i < l->n_rows; i++)
        t->active[i] = i;
    sg_tree_loops_envelope(l, t);
}

sg_status sg_tree_loop_state_init(const sg_tree *tree, const sg_tree_loops *l, sg_arena *arena,
                                  sg_loop_state *t)
{
    size_t n = (size_t)(l->n_rows + l->n_drives) + 1, dof = (size_t)tree->n_dof + 1;
    bool free = false;
    for (int k = 1; k < tree->n_bodies; k++)
        free |= tree->body[k].joint == SG_JOINT_FREE;
    *t = (sg_loop_state){.g = SG_NEW_ARRAY(arena, double, n),
                         .rate = SG_NEW_ARRAY(arena, double, n),
                         .whole = SG_NEW_ARRAY(arena, double, dof),
                         .gamma = SG_NEW_ARRAY(arena, double, n),
                         .lambda = SG_NEW_ARRAY(arena, double, n),
                         .drive = SG_NEW_ARRAY(arena, double, n),
                         .on1 = SG_NEW_ARRAY(arena, sg_force, n),
                         .on2 = SG_NEW_ARRAY(arena, sg_force, n),
                         .y = SG_NEW_ARRAY(arena, double, l->n_y + 1),
                         .usual = SG_NEW_ARRAY(arena, double, n),
                         .size = SG_NEW_ARRAY(arena, double, n),
                         .y0 = SG_NEW_ARRAY(arena, double, dof),
                         .root = SG_NEW_ARRAY(arena, double, dof),
                         .sum = SG_NEW_ARRAY(arena, double, dof),
                         .felt = SG_NEW_ARRAY(arena, double, dof),
                         .scratch = SG_NEW_ARRAY(arena, sg_force, l->max_path + 1),
                         .pull = SG_NEW_ARRAY(arena, sg_force, (size_t)tree->n_bodies),
                         .active = SG_NEW_ARRAY(arena, int, n),
                         .start = SG_NEW_ARRAY(arena, int, n),
                         .at = SG_NEW_ARRAY(arena, int, n),
                         .pivot = SG_NEW_ARRAY(arena, double, n),
                         .work = SG_NEW_ARRAY(arena, double, 2 * n)};
    if (free)
        t->cholesky = SG_NEW_ARRAY(arena, double, 36 * (size_t)tree->n_bodies);
    if (arena->failed)
        return SG_ERR_MEMORY;
    activate_all(l, t);
    t->factor = SG_NEW_ARRAY(arena, double, t->at[l->n_rows] + 1);
    return t->factor ? SG_OK : SG_ERR_MEMORY;
}

// ---- M^-1 ---------------------------------------------------------------------------------------

// x with L x = f, and f with f = L x, of a free joint.
static void free_whiten(const double *L, sg_force f, double *x)
{
    v3_store(f.n, x);
    v3_store(f.f, x + 3);
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < i; k++)
            x[i] -= L[i * 6 + k] * x[k];
        x[i] /= L[i * 6 + i];
    }
}

static sg_force free_color(const double *L, const double *x)
{
    double f[6] = {0};
    for (int i = 0; i < 6; i++)
        for (int k = 0; k <= i; k++)
            f[i] += L[i * 6 + k] * x[k];
    return (sg_force){v3_from(f), v3_from(f + 3)};
}

static void factor_free(const sg_articulated *a, double *L)
{
    sg_mat3 I = s3_full(&a->I), M = s3_full(&a->M);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            L[i * 6 + j] = I.m[i][j];
            L[i * 6 + j + 3] = L[(j + 3) * 6 + i] = a->H.m[i][j];
            L[(i + 3) * 6 + j + 3] = M.m[i][j];
        }
    if (sg_cholesky_factor(L, 6)) // told where the accelerations are computed
        for (int i = 0; i < 36; i++)
            L[i] = i % 7 == 0 ? (double)INFINITY : 0.0;
}

// Roots of the inertias that the joints feel, and M^(-1/2) of the forces without the loops.
static void whiten_joints(const sg_tree *tree, const sg_tree_state *s, sg_loop_state *t,
                          const bool *locked)
{
    for (int k = 1; k < tree->n_bodies; k++) {
        const sg_tree_body *b = &tree->body[k];
        const sg_tree_work *w = &s->work[k];
        if (locked && locked[k]) {
            for (int d = 0; d < b->dof; d++)
                t->y0[b->first + d] = t->root[b->first + d] = 0.0;
        } else if (b->joint == SG_JOINT_FREE) {
            double *L = t->cholesky + 36 * (size_t)k;
            factor_free(&w->below, L);
            free_whiten(L, force_scale(w->below.p, -1.0), t->y0 + b->first);
        } else if (b->dof == 1) {
            t->root[b->first] = 1.0 / sqrt(w->inverse_D);
            t->y0[b->first] = w->u / t->root[b->first];
        }
    }
}

// What forces `f` on the bodies of a path, from place `from` on, leave at the joints on their way
// to the world; they are used up. Returns how much they could leave if all joints gave way to them.
static double sweep(const sg_tree *tree, const sg_tree_state *s, const sg_loop_path *path, int from,
                    const sg_loop_state *t, const bool *locked, double *y)
{
    double size = 0.0;
    sg_force *f = t->scratch;
    for (int m = from; m < path->n; m++) {
        int k = path->body[m];
        const sg_tree_body *b = &tree->body[k];
        const sg_tree_work *w = &s->work[k];
        double *out = y + path->number[m];
        bool rigid = b->dof == 0 || (locked && locked[k]);
        for (int d = 0; rigid && d < b->dof; d++)
            out[d] = 0.0;
        if (!rigid && b->joint == SG_JOINT_FREE) {
            free_whiten(t->cholesky + 36 * (size_t)k, f[m], out);
            for (int d = 0; d < 6; d++)
                size += out[d] * out[d];
            continue; // nothing gets through
        }
        if (!rigid) {
            double u = 0.0;
            joint_force(b, &s->link[k], f[m], &u);
            out[0] = u / t->root[b->first];
            bool turns = b->moves != SG_MOVE_SLIDES;
            // A force through the axis could do something elsewhere.
            double most = turns ? v3_norm2(f[m].n) + path->reach * path->reach * v3_norm2(f[m].f)
                                : v3_norm2(f[m].f);
            size += most * w->inverse_D;
            if (path->up[m] >= 0)
                f[m] = force_sub(f[m], force_scale(w->U, u * w->inverse_D));
        }
        if (path->up[m] >= 0)
            f[path->up[m]] = force_add(f[path->up[m]], arm_to_parent(s->link[k].arm, f[m]));
    }
    return size;
}

static void sweep_row(const sg_tree *tree, const sg_tree_state *s, const sg_tree_loops *l,
                      sg_loop_state *t, const bool *locked, int i)
{
    const sg_loop_row *row = &l->row[i];
    const sg_loop_path *path = &l->path[row->path];
    memset(t->scratch, 0, (size_t)path->n * sizeof *t->scratch);
    if (row->sort == SG_ROW_JOINT) {
        int k = path->body[0];
        const sg_tree_work *w = &s->work[k];
        t->y[row->y] = 1.0 / t->root[tree->body[k].first];
        if (path->up[0] >= 0)
            t->scratch[path->up[0]] =
                arm_to_parent(s->link[k].arm, force_scale(w->U, -w->inverse_D));
        sweep(tree, s, path, 1, t, locked, t->y + row->y);
        return;
    }
    if (path->at1 >= 0)
        t->scratch[path->at1] = t->on1[i];
    if (path->at2 >= 0)
        t->scratch[path->at2] = force_add(t->scratch[path->at2], t->on2[i]);
    t->size[i] = sweep(tree, s, path, 0, t, locked, t->y + row->y);
}

// Entry of G M^-1 transpose(G), of rows of cuts, i not before j.
static double product_of_cuts(const sg_tree_loops *l, const sg_loop_state *t, int i, int j)
{
    const sg_loop_row *r = &l->row[i], *c = &l->row[j];
    const sg_loop_meeting *m = &l->met[r->cut][c->cut - l->reach[r->cut]];
    const double *x = t->y + r->y, *y = t->y + c->y;
    double sum = 0.0;
    for (int d = 0; d < m->n; d++)
        sum += x[m->pair[2 * d]] * y[m->pair[2 * d + 1]];
    return sum;
}

// The same for any two rows.
static double product(const sg_tree *tree, const sg_tree_loops *l, const sg_loop_state *t, int i,
                      int j)
{
    const sg_loop_row *r = &l->row[i], *c = &l->row[j];
    const sg_loop_path *p = &l->path[r->path], *q = &l->path[c->path];
    const double *x = t->y + r->y, *y = t->y + c->y;
    double sum = 0.0;
    if (p == q) {
        for (int d = 0; d < p->n_numbers; d++)
            sum += x[d] * y[d];
        return sum;
    }
    for (int m = 0, n = 0; m < p->n && n < q->n;) {
        int a = p->body[m], b = q->body[n];
        for (int d = 0; a == b && d < tree->body[a].dof; d++)
            sum += x[p->number[m] + d] * y[q->number[n] + d];
        m += a >= b;
        n += b >= a;
    }
    return sum;
}

// The same with a vector over all degrees of freedom.
static double product_with(const sg_tree *tree, const sg_tree_loops *l, const sg_loop_state *t,
                           int i, const double *all)
{
    const sg_loop_path *p = &l->path[l->row[i].path];
    const double *y = t->y + l->row[i].y;
    double sum = 0.0;
    for (int m = 0; m < p->n; m++) {
        const sg_tree_body *b = &tree->body[p->body[m]];
        for (int d = 0; d < b->dof; d++)
            sum += y[p->number[m] + d] * all[b->first + d];
    }
    return sum;
}

static void add_product(const sg_tree *tree, const sg_tree_loops *l, const sg_loop_state *t, int i,
                        double factor, double *all)
{
    const sg_loop_path *p = &l->path[l->row[i].path];
    const double *y = t->y + l->row[i].y;
    for (int m = 0; m < p->n && factor != 0.0; m++) {
        const sg_tree_body *b = &tree->body[p->body[m]];
        for (int d = 0; d < b->dof; d++)
            all[b->first + d] += factor * y[p->number[m] + d];
    }
}

// ---- factors ------------------------------------------------------------------------------------

// L D transpose(L) within the envelope. A row without a pivot of its own is passed over: its force
// stays zero.
static void factor(const sg_tree_loops *l, sg_loop_state *t, double least, double doubt)
{
    t->n_singular = 0;
    for (int i = 0; i < t->n_active; i++) {
        double *row = t->factor + t->at[i] - t->start[i];
        double pivot = product_of_cuts(l, t, t->active[i], t->active[i]);
        for (int j = t->start[i]; j < i; j++) {
            const double *other = t->factor + t->at[j] - t->start[j];
            double sum = product_of_cuts(l, t, t->active[i], t->active[j]);
            for (int k = t->start[i] > t->start[j] ? t->start[i] : t->start[j]; k < j; k++)
                sum -= row[k] * other[k]; // row still holds L D
            row[j] = sum;
        }
        for (int j = t->start[i]; j < i; j++) {
            double entry = t->pivot[j] > 0.0 ? row[j] / t->pivot[j] : 0.0;
            pivot -= entry * row[j];
            row[j] = entry;
        }
        int r = t->active[i];
        bool independent = pivot > fmax(least, doubt * t->usual[r]) * t->size[r];
        t->pivot[i] = independent ? pivot : 0.0;
        if (!independent && t->n_singular++ == 0)
            t->singular = t->active[i];
    }
}

void sg_tree_loops_factor(const sg_tree *tree, const sg_tree_state *s, const sg_tree_loops *l,
                          sg_loop_state *t, const bool *locked, double least, double doubt)
{
    whiten_joints(tree, s, t, locked);
    memset(t->felt, 0, (size_t)tree->n_dof * sizeof *t->felt);
    for (int i = 0; i < t->n_active; i++)
        sweep_row(tree, s, l, t, locked, t->active[i]);
    factor(l, t, least, doubt);
}

void sg_tree_loops_select(const sg_tree *tree, const sg_tree_state *s, const sg_tree_loops *l,
                          sg_loop_state *t, const bool *locked)
{
    activate_all(l, t);
    sg_tree_loops_factor(tree, s, l, t, locked, DEPENDENT, 0.0);
    int n = 0;
    for (int i = 0; i < l->n_rows; i++)
        if (t->pivot[i] > 0.0)
            t->active[n++] = i;
    t->n_active = n;
    sg_tree_loops_envelope(l, t);
    factor(l, t, DEPENDENT, 0.0);
}

void sg_tree_loops_solve(const sg_tree_loops *l, sg_loop_state *t, const double *residual,
                         double *lambda)
{
    double *x = t->work;
    for (int i = 0; i < t->n_active; i++) {
        const double *row = t->factor + t->at[i] - t->start[i];
        x[i] = -residual[t->active[i]];
        for (int k = t->start[i]; k < i; k++)
            x[i] -= row[k] * x[k];
        x[i] = t->pivot[i] > 0.0 ? x[i] : 0.0;
    }
    for (int i = 0; i < t->n_active; i++)
        x[i] = t->pivot[i] > 0.0 ? x[i] / t->pivot[i] : 0.0;
    for (int i = t->n_active - 1; i >= 0; i--) {
        const double *row = t->factor + t->at[i] - t->start[i];
        for (int k = t->start[i]; k < i; k++)
            x[k] -= row[k] * x[i];
    }
    memset(lambda, 0, (size_t)l->n_rows * sizeof *lambda);
    for (int i = 0; i < t->n_active; i++)
        lambda[t->active[i]] = t->pivot[i] > 0.0 ? x[i] : 0.0;
}

void sg_tree_loops_get_used(sg_loop_state *t)
{
    for (int i = 0; i < t->n_active; i++) {
        int r = t->active[i];
        t->usual[r] = fmax(t->usual[r], t->pivot[i] / t->size[r]);
    }
}

double sg_tree_loops_doubt(const sg_tree_state *s, const sg_tree_loops *l, const sg_loop_state *t)
{
    return cbrt(pow(sg_tree_loops_gap(s, l, t, true), 2.0));
}

double sg_tree_loops_weakest(const sg_loop_state *t)
{
    double least = INFINITY;
    for (int i = 0; i < t->n_active; i++)
        least = fmin(least, t->pivot[i] / t->size[t->active[i]]);
    return least;
}

int sg_tree_loops_faded(const sg_loop_state *t, double *left)
{
    int row = -1;
    *left = INFINITY;
    for (int i = 0; i < t->n_active; i++) {
        int r = t->active[i];
        double part = t->pivot[i] / (t->size[r] * t->usual[r]);
        row = part < *left ? r : row;
        *left = fmin(*left, part);
    }
    return row;
}

double sg_tree_loops_gap(const sg_tree_state *s, const sg_tree_loops *l, const sg_loop_state *t,
                         bool active)
{
    double most = 0.0;
    for (int i = 0; i < (active ? t->n_active : l->n_rows); i++) {
        int r = active ? t->active[i] : i;
        const sg_loop_path *p = &l->path[l->row[r].path];
        double size = 1.0;
        if (l->row[r].sort != SG_ROW_PERP && l->row[r].sort != SG_ROW_TURN)
            size =
                v3_norm(s->link[p->body1].world.r) + v3_norm(s->link[p->body2].world.r) + l->length;
        most = fmax(most, fabs(t->g[r]) / size);
    }
    return most;
}

// ---- dynamics -----------------------------------------------------------------------------------

// Adds M^(1/2) t->sum to the forces in the joints, in place of what was added before; `alone`: they
// are all there is.
static void push_joints(const sg_tree *tree, sg_tree_state *s, sg_loop_state *t, const bool *locked,
                        bool alone)
{
    for (int k = 1; k < tree->n_bodies; k++) {
        const sg_tree_body *b = &tree->body[k];
        sg_tree_work *w = &s->work[k];
        double *felt = t->felt + b->first;
        if (b->dof == 0 || (locked && locked[k]))
            continue;
        if (b->joint == SG_JOINT_FREE) {
            sg_force f = free_color(t->cholesky + 36 * (size_t)k, t->sum + b->first);
            sg_force before = {v3_from(felt), v3_from(felt + 3)};
            w->below.p = alone ? force_scale(f, -1.0) : force_sub(force_add(w->below.p, before), f);
            v3_store(f.n, felt);
            v3_store(f.f, felt + 3);
        } else {
            double u = t->root[b->first] * t->sum[b->first];
            w->u = alone ? u : w->u - *felt + u;
            *felt = u;
        }
    }
}

// lambda for what the joints feel without it, t->y0 and the drives in t->sum.
static void find_lambda(const sg_tree *tree, const sg_tree_loops *l, sg_loop_state *t)
{
    double *residual = t->work + l->n_rows + 1;
    for (int d = 0; d < tree->n_dof; d++)
        t->whole[d] = t->y0[d] + t->sum[d];
    for (int i = 0; i < t->n_active; i++) {
        int r = t->active[i];
        residual[r] = t->gamma[r] + product_with(tree, l, t, r, t->whole);
    }
    sg_tree_loops_solve(l, t, residual, t->lambda);
    for (int i = 0; i < t->n_active; i++)
        add_product(tree, l, t, t->active[i], t->lambda[t->active[i]], t->sum);
}

void sg_tree_loops_forces(const sg_tree *tree, sg_tree_state *s, const sg_tree_loops *l,
                          sg_loop_state *t, const double *drive)
{
    memset(t->sum, 0, (size_t)tree->n_dof * sizeof *t->sum);
    for (int d = 0; d < l->n_drives; d++) {
        t->drive[d] = drive ? drive[d] : 0.0;
        add_product(tree, l, t, l->n_rows + d, t->drive[d], t->sum);
    }
    find_lambda(tree, l, t);
    push_joints(tree, s, t, NULL, false);
}

void sg_tree_loops_terms(const sg_tree *tree, const sg_tree_state *s, const sg_tree_loops *l,
                         sg_loop_state *t, double *b, double *A)
{
    int n = l->n_drives;
    double *residual = t->work + l->n_rows + 1;
    for (int d = 0; d < n; d++)
        sweep_row(tree, s, l, t, NULL, l->n_rows + d);
    memset(t->sum, 0, (size_t)tree->n_dof * sizeof *t->sum);
    find_lambda(tree, l, t);
    for (int d = 0; d < n; d++)
        b[d] = t->gamma[l->n_rows + d] + product_with(tree, l, t, l->n_rows + d, t->y0) +
               product_with(tree, l, t, l->n_rows + d, t->sum);
    for (int d = 0; d < n; d++) {
        for (int i = 0; i < t->n_active; i++)
            residual[t->active[i]] = product(tree, l, t, t->active[i], l->n_rows + d);
        sg_tree_loops_solve(l, t, residual, t->lambda);
        memset(t->sum, 0, (size_t)tree->n_dof * sizeof *t->sum);
        add_product(tree, l, t, l->n_rows + d, 1.0, t->sum);
        for (int i = 0; i < t->n_active; i++)
            add_product(tree, l, t, t->active[i], t->lambda[t->active[i]], t->sum);
        for (int k = 0; k < n; k++)
            A[k * n + d] = product_with(tree, l, t, l->n_rows + k, t->sum);
    }
}

sg_status sg_tree_loops_respond(const sg_tree *tree, sg_tree_state *s, const sg_tree_loops *l,
                                sg_loop_state *t, const double *lambda, const bool *locked,
                                double *x)
{
    int bad_body;
    memset(t->sum, 0, (size_t)tree->n_dof * sizeof *t->sum);
    memset(t->y0, 0, (size_t)tree->n_dof * sizeof *t->y0); // serves as zero forces
    for (int i = 0; i < t->n_active; i++)
        add_product(tree, l, t, t->active[i], lambda[t->active[i]], t->sum);
    push_joints(tree, s, t, locked, true);
    return sg_tree_forward_down(tree, s, t->y0, locked, x, &bad_body);
}

void sg_tree_loops_transpose(const sg_tree *tree, const sg_tree_state *s, const sg_tree_loops *l,
                             sg_loop_state *t, const int *row, int n, const double *mu, double *x)
{
    sg_force *f = t->pull;
    memset(f, 0, (size_t)tree->n_bodies * sizeof *f);
    for (int i = 0; i < n; i++) {
        const sg_loop_path *p = &l->path[l->row[row[i]].path];
        f[p->body1] = force_add(f[p->body1], force_scale(t->on1[row[i]], mu[i]));
        f[p->body2] = force_add(f[p->body2], force_scale(t->on2[row[i]], mu[i]));
    }
    for (int k = tree->n_bodies - 1; k > 0; k--) {
        const sg_tree_body *b = &tree->body[k];
        joint_force(b, &s->link[k], f[k], x + b->first);
        f[b->parent] = force_add(f[b->parent], arm_to_parent(s->link[k].arm, f[k]));
    }
}

double sg_tree_loops_inertia(const sg_tree *tree, const sg_tree_loops *l, const sg_loop_state *t,
                             int row)
{
    return 1.0 / product(tree, l, t, row, row);
}

sg_force sg_tree_loops_reaction(const sg_tree *tree, const sg_tree_state *s, const sg_tree_loops *l,
                                const sg_loop_state *t, int cut)
{
    sg_force sum = {V3_ZERO, V3_ZERO};
    for (int i = l->first_row[cut]; i < l->first_row[cut + 1]; i++)
        sum = force_add(sum, force_scale(t->on2[i], t->lambda[i]));
    for (int d = 0; d < l->n_drives; d++)
        if (l->row[l->n_rows + d].cut == cut)
            sum = force_add(sum, force_scale(t->on2[l->n_rows + d], t->drive[d]));
    sg_vec3 arm = v3_sub(s->link[l->path[cut].body2].world.r,
                         sg_tree_object_pose(tree, s, l->cut[cut].obj2).r);
    sum.n = v3_add(sum.n, v3_cross(arm, sum.f));
    return sum;
}
