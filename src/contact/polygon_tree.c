// Surfaces of triangles and their trees of boxes.
#include "contact/polygon.h"

#include <math.h>
#include <stdlib.h>

// Boxes are at least so long along each axis [m], so that flat ones overlap, too.
static const double thinnest = 1e-6;

typedef struct box {
    sg_vec3 lo, hi;
} box;

static box join(box a, box b) { return (box){v3_lower(a.lo, b.lo), v3_upper(a.hi, b.hi)}; }

static double volume(box b)
{
    sg_vec3 d = v3_sub(b.hi, b.lo);
    return d.x * d.y * d.z;
}

static box widen(box b)
{
    for (int i = 0; i < 3; i++) {
        double lo = v3_get(b.lo, i), hi = v3_get(b.hi, i);
        if (hi - lo >= thinnest)
            continue;
        b.lo = v3_with(b.lo, i, 0.5 * (lo + hi - thinnest));
        b.hi = v3_with(b.hi, i, 0.5 * (lo + hi + thinnest));
    }
    return b;
}

static box box_of_face(const sg_polygon_face *f)
{
    box b = {f->corner[0], f->corner[0]};
    for (int k = 1; k < 3; k++)
        b = join(b, (box){f->corner[k], f->corner[k]});
    return b;
}

static box box_of_line(const sg_polygon_face *f, double length)
{
    sg_vec3 end = v3_add_scaled(f->center, f->normal, -length);
    return join((box){f->center, f->center}, (box){end, end});
}

// ---- the tree -------------------------------------------------------------------------------

typedef struct sorted_face {
    double key;
    int face;
} sorted_face;

static int compare(const void *a, const void *b)
{
    const sorted_face *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->face < y->face ? -1 : x->face > y->face;
}

typedef struct tree_builder {
    const sg_polygon_face *face;
    box *of; // by face
    sorted_face *list, *spare;
    sg_polygon_tree *tree;
    int n_boxes;
} tree_builder;

// The axis along which the centers spread most.
static int widest(const tree_builder *b, int first, int n)
{
    sg_vec3 lo = b->face[b->list[first].face].center, hi = lo;
    for (int i = 1; i < n; i++) {
        sg_vec3 c = b->face[b->list[first + i].face].center;
        lo = v3_lower(lo, c);
        hi = v3_upper(hi, c);
    }
    sg_vec3 d = v3_sub(hi, lo);
    if (d.x > d.y)
        return d.x > d.z ? 0 : 2;
    return d.y > d.z ? 1 : 2;
}

// Sorts part of the list into two: faces are taken from both of its ends in turn, and go where they
// enlarge the box less. Returns how many are in the first.
static int split(tree_builder *b, int first, int n)
{
    int axis = widest(b, first, n), low = 0, high = 0;
    sorted_face *list = b->list + first;
    for (int i = 0; i < n; i++)
        list[i].key = v3_get(b->face[list[i].face].center, axis);
    qsort(list, (size_t)n, sizeof *list, compare);
    box lower = b->of[list[0].face], upper = b->of[list[n - 1].face];
    for (int i = 0; i < n; i++) {
        sorted_face next = list[i % 2 ? n - 1 - i / 2 : i / 2];
        box own = b->of[next.face];
        double grows_low = volume(join(lower, own)) - volume(lower);
        double grows_high = volume(join(upper, own)) - volume(upper);
        bool up = i == 0   ? false
                  : i == 1 ? true
                           : grows_high < grows_low || (grows_high == grows_low && low > high);
        if (up) {
            upper = join(upper, own);
            b->spare[n - ++high] = next;
        } else {
            lower = join(lower, own);
            b->spare[low++] = next;
        }
    }
    for (int i = 0; i < n; i++)
        list[i] = b->spare[i];
    return low;
}

// Boxes that wait for their children: a part of the list each.
typedef struct waiting {
    int box, first, n, depth;
} waiting;

static void grow(tree_builder *b, waiting *stack, int n_faces)
{
    sg_polygon_tree *t = b->tree;
    int n_stack = 0;
    stack[n_stack++] = (waiting){0, 0, n_faces, 1};
    b->n_boxes = 1;
    t->depth = 0;
    while (n_stack > 0) {
        waiting w = stack[--n_stack];
        box all = b->of[b->list[w.first].face];
        for (int i = 1; i < w.n; i++)
            all = join(all, b->of[b->list[w.first + i].face]);
        all = widen(all);
        sg_polygon_box *own = &t->box[w.box];
        *own = (sg_polygon_box){all.lo, all.hi, {-1, -1}, b->list[w.first].face};
        t->depth = w.depth > t->depth ? w.depth : t->depth;
        if (w.n == 1)
            continue;
        int low = split(b, w.first, w.n), child = b->n_boxes;
        own->child[0] = child;
        own->child[1] = child + 1;
        b->n_boxes += 2;
        stack[n_stack++] = (waiting){child, w.first, low, w.depth + 1};
        stack[n_stack++] = (waiting){child + 1, w.first + low, w.n - low, w.depth + 1};
    }
}

// Around lines of this length, or around the faces if it is 0.
static bool make_tree(sg_polygon_tree *t, const sg_polygon_face *face, int n, double line,
                      sg_arena *arena)
{
    tree_builder b = {.face = face, .tree = t};
    t->box = SG_NEW_ARRAY(arena, sg_polygon_box, 2 * n);
    sg_arena_mark mark = sg_arena_mark_get(arena);
    b.of = SG_NEW_ARRAY(arena, box, n);
    b.list = SG_NEW_ARRAY(arena, sorted_face, n);
    b.spare = SG_NEW_ARRAY(arena, sorted_face, n);
    waiting *stack = SG_NEW_ARRAY(arena, waiting, n + 1);
    if (arena->failed)
        return false;
    for (int i = 0; i < n; i++) {
        b.of[i] = line > 0.0 ? box_of_line(&face[i], line) : box_of_face(&face[i]);
        b.list[i].face = i;
    }
    grow(&b, stack, n);
    sg_arena_release(arena, mark);
    return true;
}

// ---- the surface ----------------------------------------------------------------------------

static bool make_face(const sg_triangles *t, size_t i, bool flip, sg_polygon_face *out)
{
    const uint32_t *c = t->corner + 3 * i;
    sg_vec3 v[3] = {t->vertex[c[0]], t->vertex[c[flip ? 2 : 1]], t->vertex[c[flip ? 1 : 2]]};
    sg_vec3 cross = v3_cross(v3_sub(v[1], v[0]), v3_sub(v[2], v[0]));
    double size = v3_norm(cross);
    if (!(size > 0.0))
        return false;
    *out = (sg_polygon_face){.corner = {v[0], v[1], v[2]},
                             .center = v3_scale(v3_add(v3_add(v[0], v[1]), v[2]), 1.0 / 3.0),
                             .normal = v3_scale(cross, 1.0 / size),
                             .area = 0.5 * size};
    sg_polygon_face_axes(out);
    for (int k = 0; k < 3; k++)
        out->reach = fmax(out->reach, v3_norm(v3_sub(v[k], out->center)));
    return true;
}

sg_status sg_polygon_surface_init(sg_polygon_surface *s, const sg_triangles *t, bool flip,
                                  double largest, sg_arena *arena)
{
    *s = (sg_polygon_surface){.face = SG_NEW_ARRAY(arena, sg_polygon_face, t->n_triangles + 1)};
    if (!s->face)
        return SG_ERR_MEMORY;
    for (size_t i = 0; i < t->n_triangles; i++)
        s->n += make_face(t, i, flip, &s->face[s->n]);
    if (s->n == 0)
        return SG_ERR_INPUT;
    s->middle = v3_scale(v3_add(t->lo, t->hi), 0.5);
    s->radius = 0.5 * v3_norm(v3_sub(t->hi, t->lo));
    bool ok = make_tree(&s->faces, s->face, s->n, 0.0, arena) &&
              make_tree(&s->lines, s->face, s->n, largest, arena);
    return ok ? SG_OK : SG_ERR_MEMORY;
}
