#include "multibody/tree.h"

#include "base/diags.h"

#include <stdlib.h>
#include <string.h>

// How far a given rotation may be from one, in each entry of R'R - 1: products of many rotations
// and matrices typed with a dozen digits pass, a scaled or sheared frame does not.
#define ROTATION_SLACK 1e-9

static const sg_span nowhere = {0};

int sg_joint_dof(sg_joint_kind kind)
{
    switch (kind) {
    case SG_JOINT_REVOLUTE:
    case SG_JOINT_PRISMATIC:
    case SG_JOINT_HELICAL:
    case SG_JOINT_BALL_REST:
        return 1;
    case SG_JOINT_BALL:
        return 3;
    case SG_JOINT_FREE:
        return 6;
    case SG_JOINT_FIXED:
        break;
    }
    return 0;
}

// Joints with one coordinate have one.
static bool is_axis(sg_joint_kind kind, sg_vec3 axis)
{
    return sg_joint_dof(kind) != 1 || (v3_is_finite(axis) && v3_max_abs(axis) > 0.0);
}

static void check_object(const sg_tree_object *o, sg_diags *diags)
{
    const char *why;
    bool ok = is_axis(o->joint, o->axis);
    for (int i = 0; i < o->before.n; i++)
        ok &= is_axis(o->before.step[i].kind, o->before.step[i].axis);
    if (sg_mass_check(&o->mass, &why))
        sg_error(diags, SG_E_MASS, o->span, "object '%s': %s", o->name, why);
    if (!ok)
        sg_error(diags, SG_E_JOINT, o->span,
                 "object '%s': the axis of its joint must be finite and not zero", o->name);
    if (!v3_is_finite(o->place.r) || !(m3_rotation_error(&o->place.R) <= ROTATION_SLACK))
        sg_error(diags, SG_E_JOINT, o->span,
                 "object '%s': its place in the parent is not finite or not a rotation", o->name);
}

static void check_gravity(const sg_gravity *gravity, sg_diags *diags)
{
    bool uniform = gravity->kind == SG_GRAVITY_UNIFORM, none = gravity->kind == SG_GRAVITY_NONE;
    if (uniform && !v3_is_finite(gravity->g))
        sg_error(diags, SG_E_ARGUMENT, nowhere, "the acceleration of gravity is not finite");
    else if (!uniform && !none && !(gravity->mue >= 0.0 && isfinite(gravity->mue)))
        sg_error(diags, SG_E_ARGUMENT, nowhere,
                 "mue of the gravity field is %g; it must be finite and not negative",
                 gravity->mue);
}

// The object without parent, or -1 after reporting that there is none or more than one.
static int find_world(const sg_tree_object *objects, int n, sg_diags *diags)
{
    int world = -1;
    bool ok = true;
    for (int i = 0; i < n; i++) {
        if (objects[i].parent < -1 || objects[i].parent >= n) {
            sg_error(diags, SG_E_TREE, objects[i].span, "object '%s': parent %d does not exist",
                     objects[i].name, objects[i].parent);
            ok = false;
        } else if (objects[i].parent == -1 && world >= 0) {
            sg_error(
                diags, SG_E_TREE, objects[world].span,
                "objects '%s' and '%s' both have no parent; exactly one object, the world, has "
                "none: give the other one a parent or a joint",
                objects[world].name, objects[i].name);
            ok = false;
        } else if (objects[i].parent == -1) {
            world = i;
        }
    }
    if (n == 0)
        sg_error(diags, SG_E_TREE, nowhere, "there are no objects");
    else if (world < 0 && ok)
        sg_error(diags, SG_E_TREE, nowhere,
                 "every object has a parent; exactly one, the world, must have none");
    return ok ? world : -1;
}

// Names the objects of one cycle: from an object that the search never reached, n steps up end
// inside of it.
static void report_cycle(const sg_tree_object *objects, int n, const sg_tree_member *object,
                         sg_diags *diags)
{
    int o = 0;
    while (object[o].body >= 0)
        o++;
    for (int i = 0; i < n; i++)
        o = objects[o].parent;
    sg_error(diags, SG_E_TREE, objects[o].span,
             "object '%s' is its own ancestor: the parents form a cycle", objects[o].name);
    int p = objects[o].parent;
    for (int shown = 0; p != o && shown < 5; shown++, p = objects[p].parent)
        sg_note(diags, objects[p].span, "'%s' is on the way around", objects[p].name);
}

// One object in the order in which children are met.
typedef struct turn {
    int order, object;
} turn;

// The search: children as linked lists in the order of declaration, and the stack of rigid ones.
typedef struct tree_search {
    const sg_tree_object *objects;
    int *first_child, *next; // by object, -1 ends
    turn *turns;
    int *stack;
    int n_stack, n_found;
    sg_tree_compat compat;
    sg_tree *tree;
} tree_search;

static const sg_mat3 no_turn = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

static bool same_matrix(const sg_mat3 *a, const sg_mat3 *b)
{
    return v3_equal(m3_row(a, 0), m3_row(b, 0)) && v3_equal(m3_row(a, 1), m3_row(b, 1)) &&
           v3_equal(m3_row(a, 2), m3_row(b, 2));
}

static bool is_parallel(sg_vec3 a, sg_vec3 b) // of length one
{
    return v3_max_abs(v3_cross(a, b)) <= 1e-12;
}

sg_turning sg_tree_turning(const sg_tree *tree, int body, sg_vec3 *axis)
{
    sg_turning turning = SG_TURNS_NEVER;
    sg_mat3 from_body = no_turn; // what the orientations between here and the body come to
    sg_vec3 e = V3_ZERO;         // here
    for (int k = body; k > 0; k = tree->body[k].parent) {
        const sg_tree_body *b = &tree->body[k];
        bool turns = b->joint == SG_JOINT_REVOLUTE || b->joint == SG_JOINT_HELICAL;
        if (b->joint == SG_JOINT_FREE || b->joint == SG_JOINT_BALL_REST ||
            (turns && turning && !is_parallel(e, b->axis)))
            return SG_TURNS_FREELY;
        if (turns && !turning) {
            turning = SG_TURNS_ABOUT_ONE_AXIS;
            e = b->axis;
            *axis = m3_tmul_v(&from_body, e);
        }
        e = m3_mul_v(&b->place.R, e);
        from_body = m3_mul(b->place.R, from_body);
    }
    return turning;
}

bool sg_tree_moves(const sg_tree *tree, int body)
{
    for (int k = body; k > 0; k = tree->body[k].parent)
        if (tree->body[k].dof > 0)
            return true;
    return false;
}

// Does it make a difference to the motion of the body whether its inertia is a or b? By more than
// the rounding of turning it.
static bool differs(const sg_tree *tree, int body, const sg_mat3 *a, const sg_mat3 *b)
{
    sg_vec3 axis;
    sg_turning turning = sg_tree_turning(tree, body, &axis);
    sg_mat3 d = m3_sub(*a, *b);
    double largest = 0.0;
    if (turning == SG_TURNS_ABOUT_ONE_AXIS)
        largest = fabs(v3_dot(axis, m3_mul_v(&d, axis)));
    for (int i = 0; turning == SG_TURNS_FREELY && i < 3; i++)
        largest = fmax(largest, v3_max_abs(m3_row(&d, i)));
    return largest > 1e-12 * m3_trace(b);
}

// Does a slider along `axis`, of length one, feel a Coriolis acceleration on the body?
static bool has_coriolis(const sg_tree *tree, int body, sg_vec3 axis)
{
    sg_vec3 e;
    sg_turning turning = sg_tree_turning(tree, body, &e);
    return turning == SG_TURNS_FREELY || (turning && !is_parallel(e, axis));
}

// Bodies that a joint takes besides the one that it carries.
static int n_between(const sg_tree_object *o)
{
    return o->joint == SG_JOINT_BALL ? 2 : o->before.n;
}

static void add_between(tree_search *s, int root, int parent_body, sg_joint_step step,
                        const sg_pose *place)
{
    sg_tree *tree = s->tree;
    tree->body[tree->n_bodies++] = (sg_tree_body){.root = root,
                                                  .parent = parent_body,
                                                  .joint = step.kind,
                                                  .dof = 1,
                                                  .first = tree->n_dof++,
                                                  .axis = v3_unit(step.axis),
                                                  .lead = step.lead,
                                                  .coriolis = 2.0,
                                                  .place = *place};
}

// What is between the parent and the last joint of a chain: bodies with numbers and coordinates one
// after the other.
static void open_chain(tree_search *s, int root, int parent_body, const sg_pose *parent_pose)
{
    const sg_tree_object *o = &s->objects[root];
    sg_pose place = pose_mul(*parent_pose, o->place);
    for (int i = 0; i < n_between(o); i++) {
        sg_joint_step of_ball = {i ? SG_JOINT_BALL_REST : SG_JOINT_BALL, v3_axis(i), 0.0};
        sg_joint_step step = o->joint == SG_JOINT_BALL ? of_ball : o->before.step[i];
        add_between(s, root, i ? s->tree->n_bodies - 1 : parent_body, step,
                    i ? &POSE_IDENTITY : &place);
    }
    // The last one follows; its number is the next.
}

int sg_tree_chain_body(const sg_tree *tree, const sg_tree_object *o, int object, int step)
{
    int n = n_between(o);
    return tree->object[object].body - n + (o->before.turned && o->before.n ? n - step : step);
}

static void open_body(tree_search *s, int root, int parent_body, const sg_pose *parent_pose)
{
    const sg_tree_object *o = &s->objects[root];
    sg_tree *tree = s->tree;
    bool chained = parent_body >= 0 && n_between(o) > 0;
    bool ball = o->joint == SG_JOINT_BALL;
    if (chained)
        open_chain(s, root, parent_body, parent_pose);
    sg_tree_body *b = &tree->body[tree->n_bodies];
    *b = (sg_tree_body){.root = root,
                        .parent = chained ? tree->n_bodies - 1 : parent_body,
                        .joint = ball ? SG_JOINT_BALL_REST : o->joint,
                        .dof = ball ? 1 : sg_joint_dof(o->joint),
                        .first = tree->n_dof,
                        .axis = ball ? v3_axis(2) : v3_unit(o->axis),
                        .lead = o->lead,
                        .coriolis = 2.0,
                        .place = chained ? POSE_IDENTITY : pose_mul(*parent_pose, o->place)};
    if (parent_body < 0)
        *b = (sg_tree_body){.root = root, .parent = -1, .place = POSE_IDENTITY};
    if (o->joint == SG_JOINT_PRISMATIC && !chained &&
        has_coriolis(tree, parent_body, m3_mul_v(&b->place.R, b->axis))) {
        b->coriolis = s->compat.single_coriolis ? 1.0 : 2.0;
        tree->mattered.single_coriolis = true;
    }
    tree->object[root] = (sg_tree_member){.body = tree->n_bodies, .pose = POSE_IDENTITY};
    tree->n_dof += b->dof;
    tree->n_bodies++;
}

// A member that the published program takes for one that is not turned: fixed without rotation, but
// to something turned, and asked for its orientation by a joint, a force or a contact.
static bool is_straightened(const tree_search *s, int o)
{
    bool asked = s->objects[o].is_asked;
    if (!s->objects[o].shifted_only || same_matrix(&s->tree->object[o].pose.R, &no_turn))
        return false;
    for (int c = s->first_child[o]; c >= 0 && !asked; c = s->next[c])
        asked = s->objects[c].joint != SG_JOINT_FIXED && s->objects[c].tag > 0;
    return asked;
}

// Masses and members further down know better, so this comes when all of them are found.
static void straighten(tree_search *s, int n)
{
    for (int o = 0; o < n; o++) {
        if (!is_straightened(s, o))
            continue;
        s->tree->mattered.straight_fix = true;
        if (s->compat.straight_fix)
            s->tree->object[o].pose.R = no_turn;
    }
}

// Sorts the children of `o` into new roots, and members of this body that wait on the stack.
static void expand(tree_search *s, int o)
{
    sg_tree_member at = s->tree->object[o];
    sg_pose holder = at.pose;
    if (is_straightened(s, o) && s->compat.straight_fix)
        holder.R = no_turn;
    for (int c = s->first_child[o]; c >= 0; c = s->next[c]) {
        const sg_tree_object *child = &s->objects[c];
        if (child->joint != SG_JOINT_FIXED || child->assembly_root) {
            open_body(s, c, at.body, &holder);
        } else {
            s->tree->object[c] = (sg_tree_member){at.body, pose_mul(at.pose, child->place)};
            s->stack[s->n_stack++] = c;
        }
    }
}

static void add_member(tree_search *s, sg_tree_body *b, int o)
{
    const sg_mass *m = &s->objects[o].mass;
    const sg_pose *pose = &s->tree->object[o].pose;
    sg_inertia own = inertia_to_parent(pose, inertia_make(m->m, m->c, m->I_CM));
    if (!same_matrix(&pose->R, &no_turn)) {
        sg_inertia unturned = inertia_make(m->m, pose_point(pose, m->c), m->I_CM);
        int body = s->tree->object[o].body;
        s->tree->mattered.unturned_inertia |= differs(s->tree, body, &unturned.I, &own.I);
        own = s->compat.unturned_inertia ? unturned : own;
    }
    b->inertia = inertia_add(b->inertia, own);
    s->tree->member[s->n_found++] = o;
    b->n_members++;
}

// What the recursions need not compute every time they pass.
static void note_shortcuts(sg_tree *tree)
{
    for (int k = 0; k < tree->n_bodies; k++) {
        sg_tree_body *b = &tree->body[k];
        b->is_straight = same_matrix(&b->place.R, &no_turn);
        b->moves = b->joint == SG_JOINT_PRISMATIC ? SG_MOVE_SLIDES
                   : b->joint == SG_JOINT_HELICAL ? SG_MOVE_SCREWS
                                                  : SG_MOVE_TURNS;
        b->main_axis = -1;
        for (int i = 0; i < 3; i++)
            if (v3_equal(b->axis, v3_axis(i)))
                b->main_axis = i;
        b->is_leaf = true;
    }
    for (int k = tree->n_bodies - 1; k > 0; k--) {
        sg_tree_body *up = &tree->body[tree->body[k].parent];
        tree->body[k].is_last = up->is_leaf;
        up->is_leaf = false;
    }
}

// components3d.md 6.1: the bodies are the queue of roots themselves.
static void find_super_objects(tree_search *s, int world)
{
    open_body(s, world, -1, &POSE_IDENTITY);
    for (int k = 0; k < s->tree->n_bodies; k++) {
        sg_tree_body *b = &s->tree->body[k];
        b->member = s->n_found;
        if (s->tree->object[b->root].body != k)
            continue; // between two joints of a chain
        add_member(s, b, b->root);
        expand(s, b->root);
        while (s->n_stack > 0) {
            int c = s->stack[--s->n_stack];
            add_member(s, b, c);
            expand(s, c);
        }
    }
}

// A free body without mass has no acceleration, whatever else the model says; a joint may still get
// inertia from a drive, so it is judged when its motion is asked for (multibody/dynamics.h).
static void check_free_bodies(const sg_tree *tree, const sg_tree_object *objects, sg_diags *diags)
{
    for (int k = 1; k < tree->n_bodies; k++) {
        const sg_tree_body *b = &tree->body[k];
        if (b->joint == SG_JOINT_FREE && b->inertia.m == 0.0)
            sg_error(diags, SG_E_MASS, objects[b->root].span,
                     "object '%s' moves freely, but neither it nor what is fixed to it has mass",
                     tree->name[b->root]);
    }
}

static bool allocate(tree_search *s, sg_arena *arena, int n)
{
    sg_tree *tree = s->tree = SG_NEW(arena, sg_tree);
    s->first_child = SG_NEW_ARRAY(arena, int, n);
    s->next = SG_NEW_ARRAY(arena, int, n);
    s->turns = SG_NEW_ARRAY(arena, turn, n);
    s->stack = SG_NEW_ARRAY(arena, int, n);
    if (!tree)
        return false;
    size_t bodies = (size_t)n;
    for (int i = 0; i < n; i++)
        bodies += (size_t)n_between(&s->objects[i]);
    tree->n_objects = n;
    tree->body = SG_NEW_ARRAY(arena, sg_tree_body, bodies);
    tree->object = SG_NEW_ARRAY(arena, sg_tree_member, n);
    tree->member = SG_NEW_ARRAY(arena, int, n);
    tree->name = SG_NEW_ARRAY(arena, const char *, n);
    for (int i = 0; i < n && !arena->failed; i++)
        tree->name[i] = sg_arena_text(arena, s->objects[i].name, strlen(s->objects[i].name));
    return !arena->failed;
}

static int compare_turns(const void *a, const void *b)
{
    const turn *x = a, *y = b;
    return x->order != y->order ? (x->order > y->order) - (x->order < y->order)
                                : (x->object > y->object) - (x->object < y->object);
}

static void link_children(tree_search *s, int n)
{
    for (int i = 0; i < n; i++) {
        s->first_child[i] = s->next[i] = -1;
        s->tree->object[i].body = -1;
        s->turns[i] = (turn){s->objects[i].order, i};
    }
    qsort(s->turns, (size_t)n, sizeof *s->turns, compare_turns);
    for (int i = n - 1; i >= 0; i--) { // backwards, since each goes in front
        int o = s->turns[i].object, p = s->objects[o].parent;
        if (p >= 0) {
            s->next[o] = s->first_child[p];
            s->first_child[p] = o;
        }
    }
}

sg_status sg_tree_build(const sg_tree_object *objects, int n, sg_gravity gravity, sg_arena *arena,
                        sg_diags *diags, sg_tree **out)
{
    static const sg_tree_compat physics = {0};
    return sg_tree_build_compat(objects, n, gravity, &physics, arena, diags, out);
}

sg_status sg_tree_build_compat(const sg_tree_object *objects, int n, sg_gravity gravity,
                               const sg_tree_compat *compat, sg_arena *arena, sg_diags *diags,
                               sg_tree **out)
{
    *out = NULL;
    size_t errors = diags->n_errors;
    for (int i = 0; i < n; i++)
        check_object(&objects[i], diags);
    check_gravity(&gravity, diags);
    int world = find_world(objects, n, diags);
    if (world < 0)
        return SG_ERR_MODEL;
    tree_search s = {.objects = objects, .compat = *compat};
    if (!allocate(&s, arena, n))
        return SG_ERR_MEMORY;
    s.tree->gravity = gravity;
    link_children(&s, n);
    find_super_objects(&s, world);
    if (s.n_found < n)
        report_cycle(objects, n, s.tree->object, diags);
    else
        straighten(&s, n);
    note_shortcuts(s.tree);
    check_free_bodies(s.tree, objects, diags);
    if (diags->n_errors > errors)
        return SG_ERR_MODEL;
    *out = s.tree;
    return SG_OK;
}

static const char *joint_name(sg_joint_kind kind)
{
    switch (kind) {
    case SG_JOINT_REVOLUTE:
        return "revolute";
    case SG_JOINT_PRISMATIC:
        return "prismatic";
    case SG_JOINT_HELICAL:
        return "helical";
    case SG_JOINT_BALL:
    case SG_JOINT_BALL_REST:
        return "ball";
    case SG_JOINT_FREE:
        return "free";
    case SG_JOINT_FIXED:
        break;
    }
    return "fixed";
}

void sg_tree_dump(const sg_tree *tree, sg_buf *out)
{
    for (int k = 0; k < tree->n_bodies; k++) {
        const sg_tree_body *b = &tree->body[k];
        sg_buf_printf(out, "%d %s", k, tree->name[b->root]);
        if (k > 0)
            sg_buf_printf(out, ": %s on %s, %g kg", joint_name(b->joint),
                          tree->name[tree->body[b->parent].root], b->inertia.m);
        for (int i = 1; i < b->n_members; i++)
            sg_buf_printf(out, "%s%s", i == 1 ? "; with " : ", ",
                          tree->name[tree->member[b->member + i]]);
        sg_buf_printf(out, "\n");
    }
}
