// Forces on one body, shared by inverse and forward dynamics: what its motion needs and what the
// surroundings supply. Resolved in the world, about the origin of the body.
#pragma once

#include "multibody/state.h"

static inline sg_sym3 body_inertia(const sg_tree_body *b, const sg_tree_link *l)
{
    sg_sym3 own = s3_from(&b->inertia.I);
    return s3_turn(&l->world.R, &own);
}

// What an acceleration takes beyond the pull of gravity. Gravity acts on every part of the body
// alike, so it is an acceleration less to bring about.
static inline sg_force body_force(const sg_tree *tree, const sg_tree_state *s, int k, sg_vec3 mc,
                                  const sg_sym3 *I, sg_motion acc)
{
    acc.v = v3_sub(acc.v, sg_tree_gravity(tree, s, k));
    return newton_euler(tree->body[k].inertia.m, mc, I, s->link[k].vel.w, acc);
}

// The applied forces, which are kept in the body's frame.
static inline sg_force body_push(const sg_tree_state *s, int k)
{
    const sg_tree_link *l = &s->link[k];
    if (!s->is_pushed)
        return (sg_force){V3_ZERO, V3_ZERO};
    return (sg_force){m3_mul_v(&l->world.R, l->push.n), m3_mul_v(&l->world.R, l->push.f)};
}
