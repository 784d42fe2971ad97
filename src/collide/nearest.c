#include "collide/nearest.h"

// An AVL tree of this many pairs is lower than 1.45 times their binary logarithm.
enum { MOST_HEIGHT = 64 };

bool sg_nearest_init(sg_nearest *s, int cap, sg_arena *arena)
{
    *s = (sg_nearest){.cap = cap, .root = -1};
    s->pair = SG_NEW_ARRAY(arena, sg_nearest_pair, cap);
    s->path = SG_NEW_ARRAY(arena, int, MOST_HEIGHT);
    return !arena->failed;
}

void sg_nearest_clear(sg_nearest *s)
{
    s->n = 0;
    s->root = -1;
}

static bool comes_before(const sg_nearest_pair *x, const sg_nearest_pair *y)
{
    if (x->z != y->z)
        return x->z < y->z;
    return x->a != y->a ? x->a < y->a : x->b < y->b;
}

static int height(const sg_nearest *s, int k) { return k < 0 ? 0 : s->pair[k].height; }

static void measure(sg_nearest *s, int k)
{
    int low = height(s, s->pair[k].child[0]), high = height(s, s->pair[k].child[1]);
    s->pair[k].height = 1 + (low > high ? low : high);
}

// Lifts a child to the place of its parent; returns it.
static int rotate(sg_nearest *s, int k, int side)
{
    int up = s->pair[k].child[side];
    s->pair[k].child[side] = s->pair[up].child[!side];
    s->pair[up].child[!side] = k;
    measure(s, k);
    measure(s, up);
    return up;
}

// The root of what hung at k, balanced.
static int balance(sg_nearest *s, int k)
{
    measure(s, k);
    int *child = s->pair[k].child, lean = height(s, child[1]) - height(s, child[0]);
    if (lean >= -1 && lean <= 1)
        return k;
    int side = lean > 0, up = child[side];
    if (height(s, s->pair[up].child[!side]) > height(s, s->pair[up].child[side]))
        child[side] = rotate(s, up, !side);
    return rotate(s, k, side);
}

// From the end of the path to the root. What is at place i of the path hangs on side[i] of the one
// before.
static void balance_path(sg_nearest *s, int n)
{
    while (n-- > 0) {
        int old = s->path[n], fresh = balance(s, old);
        if (n == 0)
            s->root = fresh;
        else
            s->pair[s->path[n - 1]].child[s->pair[s->path[n - 1]].child[1] == old] = fresh;
    }
}

static int farthest(const sg_nearest *s)
{
    int k = s->root;
    while (k >= 0 && s->pair[k].child[1] >= 0)
        k = s->pair[k].child[1];
    return k;
}

double sg_nearest_reach(const sg_nearest *s, double none)
{
    return s->n < s->cap ? none : s->pair[farthest(s)].z;
}

// Takes the farthest pair out; its room is returned.
static int remove_farthest(sg_nearest *s)
{
    int n = 0, k = s->root;
    while (s->pair[k].child[1] >= 0) {
        s->path[n++] = k;
        k = s->pair[k].child[1];
    }
    if (n == 0)
        s->root = s->pair[k].child[0];
    else
        s->pair[s->path[n - 1]].child[1] = s->pair[k].child[0];
    balance_path(s, n);
    return k;
}

bool sg_nearest_add(sg_nearest *s, double z, int a, int b)
{
    sg_nearest_pair x = {z, a, b, {-1, -1}, 1};
    if (s->n == s->cap && !comes_before(&x, &s->pair[farthest(s)]))
        return false;
    int room = s->n < s->cap ? s->n++ : remove_farthest(s), n = 0;
    s->pair[room] = x;
    for (int k = s->root; k >= 0; k = s->pair[k].child[!comes_before(&x, &s->pair[k])])
        s->path[n++] = k;
    if (n == 0)
        s->root = room;
    else
        s->pair[s->path[n - 1]].child[!comes_before(&x, &s->pair[s->path[n - 1]])] = room;
    balance_path(s, n);
    return true;
}

int sg_nearest_list(const sg_nearest *s, sg_nearest_pair *out)
{
    int stack[MOST_HEIGHT], top = 0, n = 0;
    for (int k = s->root; k >= 0 || top > 0;) {
        while (k >= 0) {
            stack[top++] = k;
            k = s->pair[k].child[0];
        }
        k = stack[--top];
        out[n++] = s->pair[k];
        k = s->pair[k].child[1];
    }
    return n;
}

const char *sg_nearest_validate(const sg_nearest *s)
{
    for (int k = 0; k < s->n; k++) {
        const sg_nearest_pair *p = &s->pair[k];
        int low = height(s, p->child[0]), high = height(s, p->child[1]);
        if (high - low > 1 || low - high > 1)
            return "out of balance";
        if (p->height != 1 + (low > high ? low : high))
            return "a wrong height";
        for (int side = 0; side < 2; side++)
            if (p->child[side] >= 0 && comes_before(&s->pair[p->child[side]], p) != (side == 0))
                return "out of order";
    }
    return (s->root < 0) == (s->n == 0) ? 0 : "a wrong root";
}
