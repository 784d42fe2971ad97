#include "multibody/connect.h"

#include "base/diags.h"

// The one that knows about the tree of `o`; on the way there chains become short.
static int representative(const sg_tree_forest *f, int o)
{
    while (f->up[o] != o) {
        f->up[o] = f->up[f->up[o]];
        o = f->up[o];
    }
    return o;
}

int sg_tree_forest_top(sg_tree_forest *f, int o) { return f->top[representative(f, o)]; }

// What it hangs on without moving freely, or itself.
static bool is_top(const sg_tree_object *o) { return o->parent < 0 || o->joint == SG_JOINT_FREE; }

sg_status sg_tree_forest_init(sg_tree_forest *f, const sg_tree_object *objects, int n,
                              sg_arena *arena)
{
    enum { NEW, OPEN, DONE };
    *f = (sg_tree_forest){n, SG_NEW_ARRAY(arena, int, n + 1), SG_NEW_ARRAY(arena, int, n + 1)};
    char *mark = SG_NEW_ARRAY(arena, char, n + 1);
    if (arena->failed)
        return SG_ERR_MEMORY;
    for (int i = 0; i < n; i++)
        f->up[i] = f->top[i] = i;
    for (int i = 0; i < n; i++) {
        int o = i;
        while (mark[o] == NEW && !is_top(&objects[o])) {
            mark[o] = OPEN;
            o = objects[o].parent;
        }
        // Whoever comes back to an open one goes in a circle.
        int root = mark[o] == OPEN ? o : representative(f, o);
        if (mark[o] == OPEN)
            f->top[root] = -1;
        for (int k = i; mark[k] == OPEN; k = objects[k].parent) {
            mark[k] = DONE;
            f->up[k] = root;
        }
        mark[o] = DONE;
    }
    return SG_OK;
}

// Climbs from tree to tree, by what moves freely.
static bool hangs_on(sg_tree_forest *f, const sg_tree_object *objects, int o, int top)
{
    for (int i = 0; i < f->n && o >= 0; i++) {
        o = sg_tree_forest_top(f, o);
        if (o < 0 || o == top)
            return o == top;
        o = objects[o].parent;
    }
    return false;
}

// The object up to which `o` is rigidly connected.
static int rigid_top(const sg_tree_object *objects, int n, int o)
{
    for (int i = 0; i < n && objects[o].parent >= 0 && objects[o].joint == SG_JOINT_FIXED; i++)
        o = objects[o].parent;
    return o;
}

// What ties an object to its parent.
typedef struct tie {
    int parent;
    sg_joint_kind joint;
    sg_vec3 axis;
    double lead;
    sg_joint_chain before;
    sg_pose place;
    int tag, order;
} tie;

static bool can_turn(sg_joint_kind joint, const sg_joint_chain *before, const sg_pose *place)
{
    // A turn about a line that misses the other object's origin is not a turn of that object.
    bool turns = joint != SG_JOINT_FIXED && joint != SG_JOINT_PRISMATIC;
    for (int i = 0; i < before->n; i++)
        turns |= before->step[i].kind != SG_JOINT_PRISMATIC;
    return joint != SG_JOINT_FREE && (!turns || v3_equal(place->r, V3_ZERO));
}

// The same tie seen from its other end: with pose = P motion(q), the inverse is
// motion(-q) inverse(P) = inverse(P) motion'(q), where motion' goes along -R e. The joints of a
// chain come in reverse.
static tie turned(tie t, int parent)
{
    int n = t.before.n;
    sg_joint_step step[3] = {{t.joint, t.axis, t.lead}};
    for (int i = 0; i < n; i++)
        step[n - i] = t.before.step[i];
    for (int i = 0; i <= n; i++)
        step[i].axis = v3_neg(pose_vector(&t.place, step[i].axis));
    for (int i = 0; i < n; i++)
        t.before.step[i] = step[i];
    t.before.turned = !t.before.turned;
    t.joint = step[n].kind;
    t.axis = step[n].axis;
    t.lead = step[n].lead;
    t.place = pose_inverse(t.place);
    t.parent = parent;
    return t;
}

// Hangs `child` to a new parent; its ancestors become its descendants.
static void hang(sg_tree_object *objects, int n, int child, tie t)
{
    for (int i = 0; i < n && child >= 0; i++) {
        sg_tree_object *o = &objects[child];
        tie old = {o->parent, o->joint, o->axis, o->lead, o->before, o->place, o->tag, t.order};
        o->parent = t.parent;
        o->joint = t.joint;
        o->axis = t.axis;
        o->lead = t.lead;
        o->before = t.before;
        o->place = t.place;
        o->tag = t.tag;
        o->order = t.order;
        int next = old.parent;
        t = turned(old, child);
        child = next;
    }
}

// Does a tree with this top reach the world, by joints or by free motion?
static bool reaches(const sg_tree_object *objects, int top, int world)
{
    return top == world || objects[top].parent >= 0;
}

// Is obj1 what the joint carries, not obj2? What moves freely has no other side to be seen from.
static bool is_reversed(const sg_tree_object *objects, int world, sg_joint_kind kind, int top1,
                        int top2)
{
    return top2 == world || (kind != SG_JOINT_FREE && reaches(objects, top2, world) &&
                             !reaches(objects, top1, world));
}

// Why the joint cannot be, as the end of a sentence about it, or null.
static const char *refusal(const sg_tree_object *objects, int n, int world, const sg_tree_joint *j,
                           sg_tree_forest *forest)
{
    int top1 = sg_tree_forest_top(forest, j->obj1), top2 = sg_tree_forest_top(forest, j->obj2);
    if (top1 < 0 || top2 < 0)
        return "whose parents form a cycle";
    if (top1 == top2 && rigid_top(objects, n, j->obj1) == rigid_top(objects, n, j->obj2))
        return "which are rigidly connected: take the joint out, or give one of them no parent";
    if (top1 == top2)
        return "which other joints connect already";
    bool reversed = is_reversed(objects, world, j->kind, top1, top2);
    int child = reversed ? j->obj1 : j->obj2, top = reversed ? top1 : top2;
    if (j->kind == SG_JOINT_FREE && reversed)
        return "but the second object of a free motion must not hang on the world";
    if (objects[top].parent >= 0)
        return "but what the joint would carry already moves freely on something else: take out "
               "the joint, or the free motion (fixedToParent = false)";
    if (hangs_on(forest, objects, reversed ? j->obj2 : j->obj1, top))
        return "of which one moves freely relative to the other";
    if (reversed && !can_turn(j->kind, &j->before, &j->place))
        return "but a revolute joint with an offset cannot be turned around: put the offset into "
               "an object of its own";
    for (int o = child; objects[o].parent >= 0; o = objects[o].parent)
        if (!can_turn(objects[o].joint, &objects[o].before, &objects[o].place))
            return "but a joint on the way to the root of the second tree cannot be turned around: "
                   "put its offset into an object of its own";
    return NULL;
}

bool sg_tree_closes_loop(const sg_tree_object *objects, int n, int world, const sg_tree_joint *j,
                         sg_tree_forest *forest)
{
    if (j->obj1 < 0 || j->obj1 >= n || j->obj2 < 0 || j->obj2 >= n || j->kind == SG_JOINT_FREE)
        return false;
    int top1 = sg_tree_forest_top(forest, j->obj1), top2 = sg_tree_forest_top(forest, j->obj2);
    if (top1 < 0 || top2 < 0)
        return false;
    if (top1 == top2)
        return rigid_top(objects, n, j->obj1) != rigid_top(objects, n, j->obj2);
    return (reaches(objects, top1, world) && reaches(objects, top2, world)) ||
           hangs_on(forest, objects, j->obj1, top2) || hangs_on(forest, objects, j->obj2, top1);
}

sg_status sg_tree_connect(sg_tree_object *objects, int n, int world, const sg_tree_joint *j,
                          sg_tree_forest *forest, sg_diags *diags)
{
    sg_span nowhere = {0};
    if (j->obj1 < 0 || j->obj1 >= n || j->obj2 < 0 || j->obj2 >= n) {
        sg_error(diags, SG_E_JOINT, nowhere, "joint '%s' names an object that does not exist",
                 j->name);
        return SG_ERR_MODEL;
    }
    const char *why = refusal(objects, n, world, j, forest);
    if (why) {
        sg_error(diags, SG_E_TREE, nowhere, "joint '%s' connects '%s' and '%s', %s", j->name,
                 objects[j->obj1].name, objects[j->obj2].name, why);
        return SG_ERR_MODEL;
    }
    tie t = {j->obj1, j->kind, j->axis, j->lead, j->before, j->place, j->tag, j->order};
    int top1 = sg_tree_forest_top(forest, j->obj1), top2 = sg_tree_forest_top(forest, j->obj2);
    bool reversed = is_reversed(objects, world, j->kind, top1, top2);
    int child = reversed ? j->obj1 : j->obj2, parent = reversed ? j->obj2 : j->obj1;
    hang(objects, n, child, reversed ? turned(t, j->obj2) : t);
    // What moves freely is a top of its own, and so is all that hangs on it.
    int below = representative(forest, child);
    if (j->kind == SG_JOINT_FREE)
        forest->top[below] = child;
    else
        forest->up[below] = representative(forest, parent);
    return SG_OK;
}
