// How much of the speeds of bodies counts while they touch, for the weights of the solver.
//
// A relative tolerance of a speed says nothing about an impact if both bodies have that speed: on a
// train at 1 km/s an error of 1 mm/s is within 1e-6, but of a ball that strikes its floor with
// 4 m/s it is 2.5e-4, in each step. What matters is how fast the two move against each other. So
// the velocity of a free body counts up to the largest speed that it has against what it touches,
// and so does that of the joint with a translation that a body slides on. All of it counts against
// what stands still, and where nothing is touched. Renewed before each step.
#include "elements/contacts.h"

#include <float.h>
#include <math.h>

bool sg_part_find_carriers(sg_part *part, sg_part_contacts *c)
{
    const sg_tree *tree = part->segment.tree;
    c->carrier = SG_NEW_ARRAY(&part->segment.arena, int, tree->n_bodies + 1);
    c->slide =
        SG_NEW_ARRAY(&part->segment.arena, int, tree->n_bodies + 1); // for those who define states
    if (!c->carrier || !c->slide)
        return false;
    for (size_t i = 0; i < part->records.frees.len; i++)
        c->carrier[part->records.frees.data[i].body] = (int)i + 1;
    for (int b = 1; b < tree->n_bodies; b++) // parents have smaller numbers
        if (!c->carrier[b])
            c->carrier[b] = c->carrier[tree->body[b].parent];
    return true;
}

// The larger of what counts so far and the speed of a body against another.
static void count_speed(const sg_part_contacts *c, const sg_body_view *view, int body, int other,
                        double *most)
{
    sg_vec3 own = body_velocity(view, body)->v, its = body_velocity(view, other)->v;
    double speed = c->moves[other] ? v3_distance(own, its) : (double)INFINITY;
    *most = fmax(*most, fmax(speed, DBL_MIN)); // 0 is for all of it
}

static void count_against(const sg_part *part, const sg_part_contacts *c, const sg_body_view *view,
                          int body, int other)
{
    sg_hidden *hidden = part->segment.hidden;
    if (c->carrier[body]) {
        const sg_part_free *f = &part->records.frees.data[c->carrier[body] - 1];
        count_speed(c, view, f->body, other, &hidden->states.data[f->velocity].most);
    }
    if (c->slide[body])
        count_speed(c, view, body, other, &hidden->sizes.data[c->slide[body] - 1].most);
}

void sg_part_limit_speeds(const sg_part_eval *e, const sg_part_contacts *c,
                          const sg_part_touching *t)
{
    const sg_part *part = e->part;
    const sg_contacts *all = &t->contacts;
    sg_body_view view = sg_part_body_view(e->state);
    for (size_t i = 0; i < part->records.frees.len; i++)
        part->segment.hidden->states.data[part->records.frees.data[i].velocity].most = 0.0;
    for (int b = 0; b < view.n; b++)
        if (c->slide[b])
            part->segment.hidden->sizes.data[c->slide[b] - 1].most = 0.0;
    for (size_t i = 0; i < all->contact.len; i++) {
        const sg_touch *touch = &all->detect.touch.data[i];
        int a = c->collider[touch->a].body, b = c->collider[touch->b].body;
        count_against(part, c, &view, a, b);
        count_against(part, c, &view, b, a);
    }
}

bool sg_part_bound_size(sg_part *part, const sg_part_joint *joint, uint32_t var, bool rate)
{
    sg_hidden *hidden = part->segment.hidden;
    bool slides = joint->kind == SG_JOINT_PRISMATIC || joint->kind == SG_JOINT_FREE;
    bool turns = joint->kind == SG_JOINT_REVOLUTE;
    double reach = slides ? sg_part_reach_of(part, joint->body) : 0.0;
    double increment = joint->kind == SG_JOINT_PRISMATIC || turns
                           ? sg_part_difference_of(part, joint->body, rate + (turns ? 2 : 0))
                           : 0.0;
    if (!var || !(reach > 0.0 || increment > 0.0))
        return true;
    if (!sg_hidden_bound_size(hidden, var, rate ? 0.0 : reach))
        return false;
    hidden->sizes.data[hidden->sizes.len - 1].increment = increment;
    if (rate && reach > 0.0) // as contacts say
        part->records.contacts->slide[joint->body] = (int)hidden->sizes.len;
    return true;
}
