// --compat resting-parent: free motion relative to a moving parent as the published program has it.
//
// It leaves out the Coriolis acceleration, turns the parent's angular velocity by the wrong matrix,
// and takes a frame that carries nothing but free objects for one at rest (components3d.md 7.1,
// 13.7). The multibody system itself stays physical: it gets the velocities that the body has by
// those formulas, and the accelerations that come out are read back by them.
#include "math/rotation.h"
#include "multibody/dynamics.h"
#include "multibody/measure.h"
#include "parts/part.h"
#include "parts/solid.h"

#include <stdlib.h>

// Velocities of the frame are computed there only if it leads a body or something but free objects
// depends on it.
bool sg_part_is_left_out(const sg_part *part, int object)
{
    const sg_part_object *o = &part->records.objects.data[object];
    bool leads = part->segment.tree->body[part->segment.tree->object[object].body].root == object;
    bool collides = o->solid && o->solid->contact_material[0];
    return !leads && !collides && !o->has_force && !part->segment.holds_joint[object];
}

// How many such objects there are between it and the world.
static int level_of(const sg_tree *tree, int body)
{
    int level = 0;
    for (int k = tree->body[body].parent; k > 0; k = tree->body[k].parent)
        level += tree->body[k].joint == SG_JOINT_FREE && tree->body[k].parent > 0;
    return level;
}

static void add_resting(sg_part *part, int object, int body, int32_t free, uint32_t result)
{
    if (part->segment.tree->body[body].parent == 0)
        return; // what carries it never moves
    part->segment.resting[part->segment.n_carried++] = (sg_part_resting){
        .object = object,
        .body = body,
        .first = part->segment.tree->body[body].first,
        .level = level_of(part->segment.tree, body),
        .left_out = sg_part_is_left_out(part, part->segment.bodies[object].parent),
        .free = free,
        .result = result};
}

static int compare_levels(const void *a, const void *b)
{
    const sg_part_resting *x = a, *y = b;
    return x->level != y->level ? x->level - y->level : x->body - y->body;
}

bool sg_part_find_resting(sg_part *part)
{
    uint32_t result = 0;
    size_t n = part->records.frees.len + part->built.joints.len;
    part->segment.resting = SG_NEW_ARRAY(&part->segment.arena, sg_part_resting, n + 1);
    part->segment.n_carried = part->segment.n_resting = 0;
    if (!part->segment.resting)
        return false;
    for (size_t i = 0; i < part->records.frees.len; i++)
        add_resting(part, part->records.frees.data[i].object, part->records.frees.data[i].body,
                    (int32_t)i, 0);
    for (size_t j = 0; j < part->built.joints.len; j++) {
        const sg_part_joint *joint = &part->built.joints.data[j];
        if (joint->kind == SG_JOINT_FREE && !joint->reversed)
            add_resting(part, joint->object, joint->body, -1, result);
        result += joint->flange ? 0 : (uint32_t)sg_joint_dof(joint->kind);
    }
    qsort(part->segment.resting, part->segment.n_carried, sizeof *part->segment.resting,
          compare_levels);
    part->records.may_matter.resting_parent = part->segment.n_carried > 0;
    part->segment.n_resting = part->records.compat.resting_parent ? part->segment.n_carried : 0;
    return true;
}

static sg_vec3 turned(const sg_pose *p, sg_vec3 v) { return m3_tmul_v(&p->R, v); }

// The parent as that program sees it.
static sg_frame_motion published_parent(const sg_part_state *s, const sg_part_resting *f)
{
    const sg_part *part = s->part;
    sg_frame_motion p =
        sg_tree_frame_motion(part->segment.tree, &s->tree, part->segment.bodies[f->object].parent);
    if (f->left_out)
        p.V = p.A = (sg_motion){V3_ZERO, V3_ZERO};
    return p;
}

static void set_velocities(sg_part_state *s, const sg_part_resting *f, sg_motion *own)
{
    const sg_part *part = s->part;
    double *v = s->v + f->first;
    sg_vec3 r = v3_from(s->q + f->first);
    sg_frame_motion p = published_parent(s, f);
    sg_frame_motion real =
        sg_tree_frame_motion(part->segment.tree, &s->tree, part->segment.bodies[f->object].parent);
    sg_mat3 R_rel = s->tree.xzy[f->body] ? rot_132(v3_from(s->q + f->first + 3))
                                         : rot_123(v3_from(s->q + f->first + 3));
    own->v = v3_from(v);
    own->w = v3_from(v + 3);
    // Velocities of the body by the published formulas, resolved in the object and in the world.
    sg_vec3 w_parent = turned(&p.pose, p.V.w), real_w = turned(&real.pose, real.V.w);
    sg_vec3 w = v3_add(turned(&p.pose, w_parent), own->w);
    sg_vec3 v0 = v3_add(p.V.v, pose_vector(&p.pose, v3_add(own->v, v3_cross(w_parent, r))));
    // The relative velocities that give these in reality.
    v3_store(v3_sub(turned(&real.pose, v3_sub(v0, real.V.v)), v3_cross(real_w, r)), v);
    v3_store(v3_sub(w, m3_mul_v(&R_rel, real_w)), v + 3);
}

void sg_part_resting_kinematics(sg_part_state *s)
{
    const sg_part *part = s->part;
    for (size_t i = 0; i < part->segment.n_resting;) {
        // What carries one of them is known before it.
        int level = part->segment.resting[i].level;
        for (; i < part->segment.n_resting && part->segment.resting[i].level == level; i++)
            set_velocities(s, &part->segment.resting[i], &s->resting[i]);
        sg_tree_kinematics(part->segment.tree, &s->tree, s->q, s->v);
    }
}

static void write_states(const sg_part_state *s, const sg_part_resting *f, const sg_motion *own,
                         sg_vec3 a, sg_vec3 z_rel)
{
    const sg_part_free *free = &s->part->records.frees.data[f->free];
    double *dx = s->hidden->derivatives.data + free->at;
    sg_vec3 angles = v3_from(s->q + f->first + 3);
    bool xzy = s->tree.xzy[f->body];
    sg_mat3 J = xzy ? rot_132_rates(angles) : rot_123_rates(angles);
    sg_mat3 R_rel = xzy ? rot_132(angles) : rot_123(angles);
    v3_store(own->v, dx);
    v3_store(a, dx + 3);
    v3_store(m3_mul_v(&J, own->w), dx + 6);
    v3_store(free->in_object ? z_rel : m3_tmul_v(&R_rel, z_rel), dx + 9);
}

void sg_part_resting_derivatives(sg_part_state *s, double *results)
{
    const sg_part *part = s->part;
    if (part->segment.n_resting)
        sg_tree_inverse(part->segment.tree, &s->tree, s->a, s->tau);
    for (size_t i = 0; i < part->segment.n_resting; i++) {
        const sg_part_resting *f = &part->segment.resting[i];
        sg_vec3 r = v3_from(s->q + f->first);
        sg_frame_motion p = published_parent(s, f);
        sg_frame_motion own = sg_tree_frame_motion(part->segment.tree, &s->tree, f->object);
        sg_vec3 w = turned(&p.pose, p.V.w), z = turned(&p.pose, p.A.w);
        sg_vec3 a = v3_sub(turned(&p.pose, v3_sub(own.A.v, p.A.v)), v3_cross(z, r));
        a = v3_sub(a, v3_cross(w, v3_cross(w, r)));
        sg_vec3 z_rel = v3_sub(turned(&own.pose, own.A.w), turned(&p.pose, z));
        if (f->free >= 0) {
            write_states(s, f, &s->resting[i], a, z_rel);
        } else {
            v3_store(a, results + f->result);
            v3_store(z_rel, results + f->result + 3);
        }
    }
}
