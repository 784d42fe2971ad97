#include "multibody/dynamics.h"

#include "multibody/forces.h"
#include "multibody/joint.h"

#include <string.h>

void sg_tree_inverse(const sg_tree *tree, sg_tree_state *s, const double *a, double *tau)
{
    for (int k = 1; k < tree->n_bodies; k++) {
        const sg_tree_body *b = &tree->body[k];
        sg_tree_link *l = &s->link[k];
        sg_motion *gain = &s->work[k].gain;
        *gain = motion_add(arm_to_child(l->arm, s->work[b->parent].gain),
                           joint_motion(b, l, a + b->first));
        l->acc = motion_add(l->rest, *gain);
        sg_sym3 I = body_inertia(b, l);
        sg_vec3 mc = m3_mul_v(&l->world.R, b->inertia.mc);
        l->force = force_sub(body_force(tree, s, k, mc, &I, l->acc), body_push(s, k));
    }
    for (int k = tree->n_bodies - 1; k > 0; k--) {
        const sg_tree_body *b = &tree->body[k];
        const sg_tree_link *l = &s->link[k];
        joint_force(b, l, l->force, tau + b->first);
        if (b->parent > 0) {
            sg_tree_link *up = &s->link[b->parent];
            up->force = force_add(up->force, arm_to_parent(l->arm, l->force));
        }
    }
}

sg_force sg_tree_reaction(const sg_tree_state *s, int body) { return s->link[body].force; }

// Column of one degree of freedom: the force that accelerates all that body k carries, seen by its
// own joint and by every joint on the way to the world.
static void fill_column(const sg_tree *tree, const sg_tree_state *s, int k, int i, double *M)
{
    const sg_tree_body *b = &tree->body[k];
    double entry[6];
    size_t n = (size_t)tree->n_dof, column = (size_t)b->first + (size_t)i;
    sg_force F = inertia_mul(&s->composite[k], joint_column(b, &s->link[k], i));
    for (int j = k; j > 0; j = tree->body[j].parent) {
        const sg_tree_body *c = &tree->body[j];
        joint_force(c, &s->link[j], F, entry);
        for (int d = 0; d < c->dof; d++) {
            size_t row = (size_t)c->first + (size_t)d;
            M[row * n + column] = M[column * n + row] = entry[d];
        }
        F = arm_to_parent(s->link[j].arm, F);
    }
}

void sg_tree_mass_matrix(const sg_tree *tree, sg_tree_state *s, double *M)
{
    if (tree->n_dof > 0) // else there may be no M
        memset(M, 0, (size_t)tree->n_dof * (size_t)tree->n_dof * sizeof *M);
    for (int k = 0; k < tree->n_bodies; k++)
        s->composite[k] = sg_tree_world_inertia(tree, s, k);
    for (int k = tree->n_bodies - 1; k > 0; k--) {
        sg_inertia *up = &s->composite[tree->body[k].parent];
        *up = inertia_add(*up, inertia_shift(s->composite[k], s->link[k].arm));
        for (int i = 0; i < tree->body[k].dof; i++)
            fill_column(tree, s, k, i, M);
    }
}
