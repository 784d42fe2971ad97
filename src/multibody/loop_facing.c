#include "multibody/loop_facing.h"

#include "math/quat.h"
#include "multibody/cut_form.h"

#include <math.h>

// The cosine of 60 degrees: the products are steep enough up to there to find their zero, and a
// half turn is far away.
#define FAR 0.5

// Of a row of two perpendicular directions: these in the world.
typedef struct row_directions {
    sg_vec3 a, b;
} row_directions;

static row_directions directions_of(const sg_tree_state *s, const sg_tree_loops *l, int i)
{
    const sg_loop_row *row = &l->row[i];
    const sg_loop_path *p = &l->path[row->path];
    return (row_directions){m3_mul_v(&s->link[p->body1].world.R, row->a),
                            m3_mul_v(&s->link[p->body2].world.R, row->b)};
}

// The row becomes the part about `axis` of the turn that leads from the first frame to the second.
static void turn_row(const sg_tree_state *s, const sg_tree_loops *l, sg_loop_state *t, int i,
                     sg_vec3 axis, sg_vec3 turn)
{
    const sg_loop_path *p = &l->path[l->row[i].path];
    t->g[i] = v3_dot(axis, turn);
    t->rate[i] = v3_dot(axis, v3_sub(s->link[p->body2].vel.w, s->link[p->body1].vel.w));
    t->gamma[i] = 0.0;
    t->on2[i] = (sg_force){axis, V3_ZERO};
    t->on1[i] = (sg_force){v3_neg(axis), V3_ZERO};
}

// Rows `first` and the next are x1 . z2 and y1 . z2.
static void face_axis(const sg_tree_state *s, const sg_tree_loops *l, sg_loop_state *t, int first)
{
    row_directions x = directions_of(s, l, first), y = directions_of(s, l, first + 1);
    sg_vec3 z1 = v3_cross(x.a, y.a), n = v3_cross(z1, x.b);
    double cosine = v3_dot(z1, x.b), sine = v3_norm(n);
    if (cosine >= FAR)
        return;
    sg_vec3 axis = sine > 0.0 ? v3_scale(n, 1.0 / sine) : x.a; // opposite: any way around will do
    sg_vec3 turn = v3_scale(axis, atan2(sine, cosine));
    turn_row(s, l, t, first, y.a, turn);
    turn_row(s, l, t, first + 1, v3_neg(x.a), turn);
}

// Rows from `first` on are y1 . z2, z1 . x2 and x1 . y2.
static void face_frame(const sg_tree_state *s, const sg_tree_loops *l, sg_loop_state *t, int first)
{
    sg_vec3 axis1[3], axis2[3];
    for (int i = 0; i < 3; i++) {
        row_directions d = directions_of(s, l, first + i);
        axis1[(i + 1) % 3] = d.a;
        axis2[(i + 2) % 3] = d.b;
    }
    sg_mat3 R1 = m3_columns(axis1[0], axis1[1], axis1[2]);
    sg_mat3 R2 = m3_columns(axis2[0], axis2[1], axis2[2]), R = m3_mul(R1, m3_transpose(R2));
    if (m3_trace(&R) >= 1.0 + 2.0 * FAR)
        return;
    sg_quat q = q_from_mat3(&R); // w is not negative
    sg_vec3 half = v3_make(q.x, q.y, q.z);
    sg_vec3 turn = v3_scale(v3_unit(half), 2.0 * atan2(v3_norm(half), q.w));
    for (int i = 0; i < 3; i++)
        turn_row(s, l, t, first + i, v3_neg(axis1[i]), turn);
}

void sg_tree_loops_face(const sg_tree_state *s, const sg_tree_loops *l, sg_loop_state *t)
{
    for (int c = 0; c < l->n_cuts; c++) {
        const sg_cut_form *form = sg_cut_form_of(l->cut[c].kind);
        if (form->parallel)
            face_axis(s, l, t, l->first_row[c] + form->parallel - 1);
        if (form->aligned)
            face_frame(s, l, t, l->first_row[c] + form->aligned - 1);
    }
}
