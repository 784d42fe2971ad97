#include "parts/loops.h"

#include "parts/loop_near.h"

#include <math.h>
#include <string.h>

// ---- what is cut --------------------------------------------------------------------------------

// Joints with several coordinates close loops without them, which was decided when the model was
// built (parts/build_ties.h).
static sg_status refuse_late(const sg_part *part, const sg_part_link *link)
{
    const char *name = part->built.joints.data[link->joint.tag - 1].form->name;
    if (sg_joint_may_close(name))
        sg_error(part->vm->diags, SG_E_LOOP, link->span,
                 "%s closes a loop that the model did not have when it was instantiated; say "
                 "cut = true there, and it closes the loop without coordinates of its own",
                 link->what);
    else
        sg_error(part->vm->diags, SG_E_LOOP, link->span,
                 "%s closes a loop, where it has no coordinates and so no flanges to act on; take "
                 "the joint without flanges, or let another one close the loop",
                 link->what);
    return SG_ERR_MODEL;
}

static bool may_be_cut(const sg_tree_joint *j)
{
    return !j->before.n && (j->kind == SG_JOINT_FIXED || j->kind == SG_JOINT_REVOLUTE ||
                            j->kind == SG_JOINT_PRISMATIC);
}

static sg_cut_kind kind_of(sg_joint_kind kind)
{
    return kind == SG_JOINT_REVOLUTE    ? SG_CUT_REVOLUTE
           : kind == SG_JOINT_PRISMATIC ? SG_CUT_PRISMATIC
                                        : SG_CUT_RIGID;
}

static sg_status refuse_by_hand(const sg_part *part, const bool *closing)
{
    for (size_t i = 0; i < part->records.links.len; i++)
        if (closing[i])
            sg_error(part->vm->diags, SG_E_TREE, part->records.links.data[i].span,
                     "%s closes a kinematic loop, which cannot be moved by hand; simulate a "
                     "Model3D instead",
                     part->records.links.data[i].what);
    return SG_ERR_MODEL;
}

sg_status sg_part_find_loops(sg_part *part, const bool *closing)
{
    size_t n = part->records.ties.len;
    part->segment.loops = NULL;
    for (size_t i = 0; i < part->records.links.len; i++)
        n += closing[i];
    if (n && part->built.by_hand)
        return refuse_by_hand(part, closing);
    if (!n && !(part->built.looped && part->built.n_given))
        return SG_OK;
    struct sg_part_loops *l = part->segment.loops =
        SG_NEW(&part->segment.arena, struct sg_part_loops);
    if (!l)
        return SG_ERR_MEMORY;
    l->geometry = SG_NEW_ARRAY(&part->segment.arena, sg_tree_cut, n + 1);
    l->cut = SG_NEW_ARRAY(&part->segment.arena, sg_part_cut, n + 1);
    if (part->segment.arena.failed)
        return SG_ERR_MEMORY;
    for (size_t i = 0; i < part->records.links.len; i++) {
        const sg_part_link *link = &part->records.links.data[i];
        const sg_tree_joint *j = &link->joint;
        if (!closing[i])
            continue;
        if (!may_be_cut(j))
            return refuse_late(part, link);
        int joint = j->tag > 0 ? j->tag - 1 : -1;
        if (joint >= 0)
            part->built.joints.data[joint].cut = l->n_cuts;
        l->geometry[l->n_cuts] = (sg_tree_cut){.name = j->name,
                                               .kind = kind_of(j->kind),
                                               .obj1 = j->obj1,
                                               .obj2 = j->obj2,
                                               .axis = j->axis,
                                               .place = j->place};
        l->cut[l->n_cuts++] =
            (sg_part_cut){.what = link->what, .path = j->name, .span = link->span, .joint = joint};
    }
    for (size_t i = 0; i < part->records.ties.len; i++) {
        const sg_part_tie *tie = &part->records.ties.data[i];
        l->geometry[l->n_cuts] = tie->cut;
        l->cut[l->n_cuts++] =
            (sg_part_cut){.what = tie->what, .path = tie->cut.name, .span = tie->span, .joint = -1};
    }
    return SG_OK;
}

static bool is_rigid(const sg_part *part, const sg_part_cut *cut, const sg_tree_cut *geometry)
{
    const sg_tree *tree = part->segment.tree;
    if (tree->object[geometry->obj1].body != tree->object[geometry->obj2].body)
        return false;
    sg_error(part->vm->diags, SG_E_TREE, cut->span,
             "%s connects '%s' and '%s', which are rigidly connected: take it out, or give one of "
             "them no parent",
             cut->what, tree->name[geometry->obj1], tree->name[geometry->obj2]);
    return true;
}

sg_status sg_part_build_loops(sg_part *part)
{
    struct sg_part_loops *l = part->segment.loops;
    sg_tree_loops *loops;
    if (!l)
        return SG_OK;
    for (int c = 0; c < l->n_cuts; c++)
        if (is_rigid(part, &l->cut[c], &l->geometry[c]))
            return SG_ERR_MODEL;
    if (part->built.n_given && !part->built.looped) {
        sg_error(part->vm->diags, SG_E_LOOP, l->cut[0].span,
                 "%s closes a loop that the model did not have when it was instantiated; name "
                 "parents of objects where the model is written, not by merging",
                 l->cut[0].what);
        return SG_ERR_MODEL;
    }
    sg_loop_drive *drives =
        SG_NEW_ARRAY(&part->segment.arena, sg_loop_drive, part->built.n_given + 1);
    l->drive_joint = SG_NEW_ARRAY(&part->segment.arena, int, part->built.n_given + 1);
    if (part->segment.arena.failed)
        return SG_ERR_MEMORY;
    int n = 0;
    for (size_t j = 0; j < part->built.joints.len; j++) {
        const sg_part_joint *joint = &part->built.joints.data[j];
        if (!joint->flange)
            continue;
        l->drive_joint[n] = (int)j;
        drives[n++] = (sg_loop_drive){.body = joint->body, .cut = joint->cut};
    }
    sg_status status = sg_tree_loops_build(part->segment.tree, l->geometry, l->n_cuts, drives, n,
                                           &part->segment.arena, &loops);
    l->tree = loops;
    return status;
}

bool sg_part_has_loops(const sg_part *part)
{
    return part->segment.loops && part->segment.loops->n_cuts;
}

bool sg_part_define_loops(sg_part *part)
{
    static const double zero[3] = {0};
    struct sg_part_loops *l = part->segment.loops;
    for (int c = 0; l && c < l->n_cuts; c++) {
        sg_part_cut *cut = &l->cut[c];
        const char *force = sg_arena_printf(&part->segment.arena, "%s.reactionForce", cut->path);
        const char *torque = sg_arena_printf(&part->segment.arena, "%s.reactionTorque", cut->path);
        if (!force || !torque)
            return false;
        cut->force = sg_hidden_add_local(part->segment.hidden, force, "N", zero, 3, false);
        cut->torque = sg_hidden_add_local(part->segment.hidden, torque, "N*m", zero, 3, false);
    }
    return !part->segment.hidden->failed;
}

bool sg_part_begin_loops(sg_part_state *s)
{
    const sg_part *part = s->part;
    const struct sg_part_loops *l = part->segment.loops;
    sg_arena *arena = &s->arena;
    s->loops = NULL;
    if (!l)
        return true;
    size_t dof = (size_t)part->segment.tree->n_dof + 1, cuts = (size_t)l->n_cuts + 1;
    size_t joints = part->built.joints.len + 1, bodies = (size_t)part->segment.tree->n_bodies;
    size_t values = dof + (size_t)l->tree->n_rows + part->built.n_given * (part->built.n_given + 1);
    struct sg_part_loop_state *t = SG_NEW(arena, struct sg_part_loop_state);
    if (!t || sg_tree_loop_state_init(part->segment.tree, l->tree, arena, &t->loops) != SG_OK)
        return false;
    t->q = SG_NEW_ARRAY(arena, double, cuts);
    t->v = SG_NEW_ARRAY(arena, double, cuts);
    t->drive = SG_NEW_ARRAY(arena, double, part->built.n_given + 1);
    t->step = SG_NEW_ARRAY(arena, double, dof);
    t->zero = SG_NEW_ARRAY(arena, double, dof);
    t->kept_q = SG_NEW_ARRAY(arena, double, dof);
    t->kept_v = SG_NEW_ARRAY(arena, double, dof);
    t->value = SG_NEW_ARRAY(arena, double, values);
    t->mean = SG_NEW_ARRAY(arena, double, values);
    t->beside = SG_NEW_ARRAY(arena, int, l->tree->n_rows + 1);
    t->lock_q = SG_NEW_ARRAY(arena, bool, bodies);
    t->lock_v = SG_NEW_ARRAY(arena, bool, bodies);
    t->q_state = SG_NEW_ARRAY(arena, int32_t, joints);
    t->v_state = SG_NEW_ARRAY(arena, int32_t, joints);
    t->q_sign = SG_NEW_ARRAY(arena, double, joints);
    t->row = SG_NEW_ARRAY(arena, int, (size_t)l->tree->n_rows + 1);
    t->v_sign = SG_NEW_ARRAY(arena, double, joints);
    s->loops = t;
    return !arena->failed;
}

// ---- while it runs ------------------------------------------------------------------------------

// Puts the force of a row on both of its bodies, at their origins.
static void push_row(sg_part_state *s, int row, double force)
{
    const sg_tree *tree = s->part->segment.tree;
    const sg_tree_loops *l = s->part->segment.loops->tree;
    const sg_loop_path *p = &l->path[l->row[row].path];
    const sg_loop_state *t = &s->loops->loops;
    sg_tree_apply(tree, &s->tree, tree->body[p->body1].root, force_scale(t->on1[row], force));
    sg_tree_apply(tree, &s->tree, tree->body[p->body2].root, force_scale(t->on2[row], force));
    s->loops->pushed = true;
}

// What is pushed from here on takes the place of what was pushed before in the same evaluation:
// where a drive depends on accelerations, these are asked for several times.
static void begin_to_push(sg_part_state *s)
{
    if (s->loops_act)
        sg_tree_reapply(s->part->segment.tree, &s->tree, s->unlooped);
    else
        sg_tree_keep_applied(s->part->segment.tree, &s->tree, s->unlooped);
    s->loops_act = true;
}

// Forces of constraints that are given act like all others, and no row is left to be solved for.
static sg_status factor_imposed(sg_part_state *s, int *bad_body)
{
    const sg_part *part = s->part;
    struct sg_part_loop_state *t = s->loops;
    t->is_near = false; // loop_constraints.c keeps away from there
    sg_tree_loops_place_rows(&s->tree, part->segment.loops->tree, &t->loops, t->row, t->n_rows);
    begin_to_push(s);
    for (int i = 0; i < t->n_rows; i++)
        push_row(s, t->row[i], t->imposed[i]);
    sg_status status =
        sg_tree_forward_up(part->segment.tree, &s->tree, t->zero, NULL, NULL, bad_body);
    if (status == SG_OK)
        sg_tree_loops_factor(part->segment.tree, &s->tree, part->segment.loops->tree, &t->loops,
                             NULL, 0.0, 0.0);
    return status;
}

// With the rows that are to be solved for: the active ones, or none.
static int begin_rows(struct sg_part_loop_state *t)
{
    int n = t->loops.n_active;
    if (t->imposed)
        t->loops.n_active = 0;
    return n;
}

static void end_rows(struct sg_part_loop_state *t, int n)
{
    t->loops.n_active = n;
    for (int i = 0; t->imposed && i < t->n_rows; i++)
        t->loops.lambda[t->row[i]] = t->imposed[i];
}

static sg_status factor(sg_part_state *s, int *bad_body)
{
    const sg_part *part = s->part;
    struct sg_part_loop_state *t = s->loops;
    if (t->imposed)
        return factor_imposed(s, bad_body);
    sg_status status =
        sg_tree_forward_up(part->segment.tree, &s->tree, t->zero, NULL, NULL, bad_body);
    if (status != SG_OK)
        return status;
    sg_tree_loops_place_rows(&s->tree, part->segment.loops->tree, &t->loops, t->loops.active,
                             t->loops.n_active);
    sg_tree_loops_factor(part->segment.tree, &s->tree, part->segment.loops->tree, &t->loops, NULL,
                         SG_LOOPS_FOR_ACCELERATIONS, 0.0);
    sg_loops_find_near(s);
    return SG_OK;
}

sg_status sg_part_loop_terms(sg_part_state *s, double *b, double *A, int *bad_body)
{
    int n = begin_rows(s->loops);
    sg_status status = factor(s, bad_body);
    if (status == SG_OK && s->loops->is_near)
        status = sg_loops_terms_near(s, b, A, bad_body);
    else if (status == SG_OK)
        sg_tree_loops_terms(s->part->segment.tree, &s->tree, s->part->segment.loops->tree,
                            &s->loops->loops, b, A);
    end_rows(s->loops, n);
    return status;
}

sg_status sg_part_loop_accelerations(sg_part_state *s, const double *drive, int *bad_body)
{
    const sg_part *part = s->part;
    struct sg_part_loop_state *t = s->loops;
    int n = begin_rows(t);
    bool is_done = part->built.n_given && !t->is_near; // by the terms
    if (!is_done && !t->imposed && s->loops_act) {
        sg_tree_reapply(part->segment.tree, &s->tree, s->unlooped);
        s->loops_act = false;
    }
    sg_status status = is_done ? SG_OK : factor(s, bad_body);
    if (status == SG_OK && t->is_near)
        return sg_loops_accelerations_near(s, drive, bad_body);
    if (status == SG_OK)
        sg_tree_loops_forces(part->segment.tree, &s->tree, part->segment.loops->tree, &t->loops,
                             drive);
    end_rows(t, n);
    if (status != SG_OK)
        return status;
    return sg_tree_forward_down(part->segment.tree, &s->tree, t->zero, NULL, s->a, bad_body);
}

double sg_part_loop_acceleration(const sg_part_state *s, int cut)
{
    return sg_tree_loops_acceleration(&s->tree, s->part->segment.loops->tree, cut);
}

void sg_part_loop_push(sg_part_state *s)
{
    const sg_tree_loops *l = s->part->segment.loops->tree;
    const struct sg_part_loop_state *t = s->loops;
    begin_to_push(s);
    for (int i = 0; i < l->n_rows + l->n_drives; i++) {
        double force = i < l->n_rows ? t->loops.lambda[i] : t->loops.drive[i - l->n_rows];
        if (l->row[i].cut >= 0 && force != 0.0)
            push_row(s, i, force);
    }
}

double sg_part_loop_power(const sg_part_state *s)
{
    const sg_loop_state *t = &s->loops->loops;
    double power = 0.0;
    for (int i = 0; i < s->part->segment.loops->tree->n_rows; i++)
        power += t->lambda[i] * t->rate[i];
    return power;
}

void sg_part_loop_store(const sg_part_state *s)
{
    const sg_part *part = s->part;
    const struct sg_part_loops *l = part->segment.loops;
    for (int c = 0; c < l->n_cuts; c++) {
        sg_force f =
            sg_tree_loops_reaction(part->segment.tree, &s->tree, l->tree, &s->loops->loops, c);
        sg_hidden_set_local(s->hidden, l->cut[c].force, &f.f.x, 3);
        sg_hidden_set_local(s->hidden, l->cut[c].torque, &f.n.x, 3);
    }
}
