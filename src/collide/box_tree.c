#include "collide/box_tree.h"

#include "math/scalar.h"

// Room around a leaf's box, of its longest edge: a body moves some steps before its leaf has to.
static const double room_share = 0.1;

static sg_aabb unite(const sg_aabb *a, const sg_aabb *b)
{
    return (sg_aabb){{s_min(a->lo.x, b->lo.x), s_min(a->lo.y, b->lo.y), s_min(a->lo.z, b->lo.z)},
                     {s_max(a->hi.x, b->hi.x), s_max(a->hi.y, b->hi.y), s_max(a->hi.z, b->hi.z)}};
}

static bool holds(const sg_aabb *outer, const sg_aabb *inner)
{
    return outer->lo.x <= inner->lo.x && outer->lo.y <= inner->lo.y && outer->lo.z <= inner->lo.z &&
           outer->hi.x >= inner->hi.x && outer->hi.y >= inner->hi.y && outer->hi.z >= inner->hi.z;
}

// Half of the surface: what a random line or box meets a box in proportion to.
static double surface(const sg_aabb *b)
{
    double x = b->hi.x - b->lo.x, y = b->hi.y - b->lo.y, z = b->hi.z - b->lo.z;
    return x * y + y * z + z * x;
}

static double surface_with(const sg_aabb *a, const sg_aabb *b)
{
    sg_aabb u = unite(a, b);
    return surface(&u);
}

// Square of the distance, 0 when they overlap.
static double apart2(const sg_aabb *a, const sg_aabb *b)
{
    double x = s_max(s_max(a->lo.x - b->hi.x, b->lo.x - a->hi.x), 0.0);
    double y = s_max(s_max(a->lo.y - b->hi.y, b->lo.y - a->hi.y), 0.0);
    double z = s_max(s_max(a->lo.z - b->hi.z, b->lo.z - a->hi.z), 0.0);
    return x * x + y * y + z * z;
}

sg_status sg_box_tree_init_tall(sg_box_tree *tree, int n, const int *group, sg_arena *arena)
{
    *tree = (sg_box_tree){.n = n, .root = -1};
    size_t leaves = (size_t)n;
    // A walk pops one pair and pushes three at most, on a path down two trees of height n.
    tree->room = 4 * n + 16;
    tree->node = SG_NEW_ARRAY(arena, sg_box_node, 2 * leaves + 1);
    tree->in = SG_NEW_ARRAY(arena, bool, leaves + 1);
    tree->free = SG_NEW_ARRAY(arena, int, leaves + 1);
    tree->stack = sg_arena_alloc_array(arena, (size_t)tree->room, sizeof *tree->stack, 8);
    tree->ground = SG_NEW_ARRAY(arena, sg_aabb, leaves + 1);
    if (!tree->node || !tree->ground || !tree->in || !tree->free || !tree->stack)
        return SG_ERR_MEMORY;
    for (int i = 0; i < n; i++)
        tree->node[i] = (sg_box_node){.parent = -1, .child = {-1, -1}, .group = group[i]};
    for (int i = n - 2; i >= 0; i--) // so that the lowest numbers are taken first
        tree->free[tree->n_free++] = n + i;
    return SG_OK;
}

sg_status sg_box_tree_init(sg_box_tree *tree, int n, const int *group, sg_arena *arena)
{
    sg_status status = sg_box_tree_init_tall(tree, n, group, arena);
    tree->is_flat = n <= SG_BOX_TREE_FLAT;
    return status;
}

// A node from what its children are.
static void gather(sg_box_tree *t, int k)
{
    sg_box_node *n = &t->node[k];
    const sg_box_node *a = &t->node[n->child[0]], *b = &t->node[n->child[1]];
    n->box = unite(&a->box, &b->box);
    n->height = 1 + (a->height > b->height ? a->height : b->height);
    n->group = a->group == b->group ? a->group : -1;
}

static void replace_child(sg_box_tree *t, int parent, int old, int fresh)
{
    t->node[fresh].parent = parent;
    if (parent < 0)
        t->root = fresh;
    else
        t->node[parent].child[t->node[parent].child[1] == old] = fresh;
}

// Lifts the higher child of k above it where the heights differ by two, and returns what stands in
// k's place then.
static int balance(sg_box_tree *t, int k)
{
    sg_box_node *n = &t->node[k];
    int tall = t->node[n->child[1]].height > t->node[n->child[0]].height, up = n->child[tall];
    int low = n->child[!tall];
    if (t->node[up].height - t->node[low].height < 2)
        return k;
    sg_box_node *u = &t->node[up];
    // The higher grandchild stays with `up`, the other one moves over to k.
    int high = t->node[u->child[1]].height > t->node[u->child[0]].height;
    int stays = u->child[high], moves = u->child[!high];
    replace_child(t, n->parent, k, up);
    u->child[0] = k;
    u->child[1] = stays;
    n->parent = up;
    n->child[tall] = moves;
    t->node[moves].parent = k;
    gather(t, k);
    gather(t, up);
    return up;
}

static void repair_upward(sg_box_tree *t, int k)
{
    while (k >= 0) {
        gather(t, k);
        k = t->node[balance(t, k)].parent;
    }
}

// The node beside which a new leaf makes the tree grow least.
static int best_neighbor(const sg_box_tree *t, const sg_aabb *box)
{
    int k = t->root;
    while (t->node[k].child[0] >= 0) {
        const sg_box_node *n = &t->node[k];
        double with = surface_with(&n->box, box), grown = with - surface(&n->box);
        double here = 2.0 * with, best = here;
        int next = -1;
        for (int i = 0; i < 2; i++) {
            const sg_box_node *c = &t->node[n->child[i]];
            double cost = surface_with(&c->box, box) + 2.0 * grown;
            if (c->child[0] >= 0)
                cost -= surface(&c->box);
            if (cost < best) {
                best = cost;
                next = n->child[i];
            }
        }
        if (next < 0)
            break;
        k = next;
    }
    return k;
}

static void insert(sg_box_tree *t, int leaf)
{
    t->in[leaf] = true;
    t->moves++;
    if (t->root < 0) {
        t->root = leaf;
        t->node[leaf].parent = -1;
        return;
    }
    int beside = best_neighbor(t, &t->node[leaf].box), k = t->free[--t->n_free];
    replace_child(t, t->node[beside].parent, beside, k);
    t->node[k].child[0] = beside;
    t->node[k].child[1] = leaf;
    t->node[beside].parent = t->node[leaf].parent = k;
    repair_upward(t, k);
}

static void take_out(sg_box_tree *t, int leaf)
{
    int k = t->node[leaf].parent;
    t->in[leaf] = false;
    if (k < 0) {
        t->root = -1;
        return;
    }
    int other = t->node[k].child[t->node[k].child[0] == leaf], above = t->node[k].parent;
    replace_child(t, above, k, other);
    t->free[t->n_free++] = k;
    repair_upward(t, above);
}

void sg_box_tree_put(sg_box_tree *t, int leaf, const sg_aabb *box)
{
    t->node[leaf].box = *box;
    if (t->is_flat) {
        t->in[leaf] = true;
        return;
    }
    if (t->in[leaf] && holds(&t->ground[leaf], box))
        return;
    if (t->in[leaf])
        take_out(t, leaf);
    t->ground[leaf] = sg_aabb_loosen(*box, 2.0 * room_share);
    insert(t, leaf);
}

// Children first. The depth is that of a balanced tree, some 1.4 times the logarithm of n.
static void settle_below(sg_box_tree *t, int k)
{
    const sg_box_node *n = &t->node[k];
    if (n->child[0] < 0)
        return;
    settle_below(t, n->child[0]);
    settle_below(t, n->child[1]);
    t->node[k].box = unite(&t->node[n->child[0]].box, &t->node[n->child[1]].box);
}

void sg_box_tree_settle(sg_box_tree *t)
{
    if (t->root >= 0)
        settle_below(t, t->root);
}

void sg_box_tree_clear_speeds(sg_box_tree *t)
{
    for (int k = 0; k < 2 * t->n; k++)
        t->node[k].speed = t->node[k].push = 0.0;
}

void sg_box_tree_set_speed(sg_box_tree *t, int leaf, double speed, double push)
{
    // Leaves of a flat tree have no parents.
    for (int k = leaf; k >= 0; k = t->node[k].parent) {
        sg_box_node *n = &t->node[k];
        if (n->speed >= speed && n->push >= push && k != leaf)
            return;
        n->speed = s_max(n->speed, speed);
        n->push = s_max(n->push, push);
    }
}

static void push(sg_box_tree *t, int a, int b)
{
    t->stack[t->top].a = a;
    t->stack[t->top++].b = b;
}

void sg_box_tree_walk(sg_box_tree *t)
{
    t->top = t->i = t->j = 0;
    if (t->root >= 0)
        push(t, t->root, t->root);
}

// Puts the parts of a pair of nodes on the stack, the nearer ones on top.
static void split(sg_box_tree *t, int a, int b)
{
    const sg_box_node *na = &t->node[a], *nb = &t->node[b];
    if (a == b) {
        push(t, na->child[0], na->child[1]);
        push(t, na->child[0], na->child[0]);
        push(t, na->child[1], na->child[1]);
        return;
    }
    bool split_b = na->child[0] < 0 || (nb->child[0] >= 0 && surface(&nb->box) > surface(&na->box));
    int whole = split_b ? a : b;
    const int *part = split_b ? nb->child : na->child;
    const sg_aabb *box = &t->node[whole].box;
    int far = apart2(box, &t->node[part[1]].box) > apart2(box, &t->node[part[0]].box);
    push(t, whole, part[far]);
    push(t, whole, part[!far]);
}

// The most of the three gaps between two boxes, negative where they overlap in all directions.
static inline double most_apart(const sg_aabb *a, const sg_aabb *b)
{
    double x = s_max(a->lo.x - b->hi.x, b->lo.x - a->hi.x);
    double y = s_max(a->lo.y - b->hi.y, b->lo.y - a->hi.y);
    double z = s_max(a->lo.z - b->hi.z, b->lo.z - a->hi.z);
    return s_max(s_max(x, y), z);
}

static bool next_flat(sg_box_tree *t, double reach, double time, int *a, int *b)
{
    int i = t->i, j = t->j;
    for (; i < t->n; i++, j = i) {
        const sg_box_node *ni = &t->node[i];
        for (j++; j < t->n; j++) {
            const sg_box_node *nj = &t->node[j];
            if (ni->group == nj->group)
                continue;
            double far = reach;
            if (time > 0.0)
                far += time * (ni->speed + nj->speed + 0.5 * time * (ni->push + nj->push));
            double gap = most_apart(&ni->box, &nj->box);
            if (gap > 0.0 && gap >= far)
                continue;
            t->i = i;
            t->j = j;
            *a = i;
            *b = j;
            return true;
        }
    }
    t->i = t->n;
    return false;
}

bool sg_box_tree_next_in(sg_box_tree *t, double reach, double time, int *a, int *b)
{
    if (t->is_flat)
        return next_flat(t, reach, time, a, b);
    while (t->top > 0) {
        t->top--;
        int i = t->stack[t->top].a, j = t->stack[t->top].b;
        const sg_box_node *ni = &t->node[i], *nj = &t->node[j];
        if (ni->group >= 0 && ni->group == nj->group)
            continue;
        if (i != j) {
            double d2 = apart2(&ni->box, &nj->box);
            double far = reach;
            if (time > 0.0)
                far += time * (ni->speed + nj->speed + 0.5 * time * (ni->push + nj->push));
            if (d2 > 0.0 && !(far > 0.0 && d2 < far * far))
                continue;
            if (ni->child[0] < 0 && nj->child[0] < 0) {
                *a = i < j ? i : j;
                *b = i < j ? j : i;
                return true;
            }
        } else if (ni->child[0] < 0) {
            continue;
        }
        split(t, i, j);
    }
    return false;
}

bool sg_box_tree_next(sg_box_tree *t, double reach, int *a, int *b)
{
    return sg_box_tree_next_in(t, reach, 0.0, a, b);
}

const char *sg_box_tree_validate(const sg_box_tree *t)
{
    int leaves = 0, inner = 0, present = 0;
    for (int i = 0; i < t->n; i++)
        present += t->in[i];
    for (int k = 0; k < 2 * t->n - 1; k++) {
        const sg_box_node *n = &t->node[k];
        if (k < t->n && !t->in[k])
            continue;
        bool is_free = false;
        for (int i = 0; i < t->n_free; i++)
            is_free = is_free || t->free[i] == k;
        if (is_free)
            continue;
        leaves += k < t->n;
        inner += k >= t->n;
        if (n->parent < 0 && t->root != k)
            return "a node without a parent is not the root";
        if (n->parent >= 0 && t->node[n->parent].child[0] != k && t->node[n->parent].child[1] != k)
            return "a parent does not know its child";
        if (n->parent >= 0 && !holds(&t->node[n->parent].box, &n->box))
            return "a box is larger than its parent's";
        if (k < t->n)
            continue;
        const sg_box_node *a = &t->node[n->child[0]], *b = &t->node[n->child[1]];
        if (n->height != 1 + (a->height > b->height ? a->height : b->height))
            return "a height is wrong";
        if (n->group != (a->group == b->group ? a->group : -1))
            return "a group is wrong";
    }
    if (leaves != present || inner != (present > 1 ? present - 1 : 0))
        return "nodes were lost";
    return NULL;
}
