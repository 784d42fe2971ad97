#include "model3d/loop_constraints.h"

#include "model3d/loop_project.h"
#include "model3d/segment.h"
#include "sim/compiled.h"

#include <math.h>
#include <string.h>

// What is left of a pivot where a singular position is near enough. There the equations with the
// constraints have a matrix that changes with every step, and soon becomes singular.
#define FADED 0.01

bool sg_part_constrains(const sg_part *part)
{
    // The states of a joint that an action made are not known here.
    for (size_t i = 0; i < part->records.hinges.len; i++)
        if (!part->records.hinges.data[i].closes)
            return false;
    // Nor are the angles of a ball that is turned around those of the tree.
    for (size_t j = 0; j < part->built.joints.len; j++)
        if (part->built.joints.data[j].kind == SG_JOINT_BALL && part->built.joints.data[j].reversed)
            return false;
    return sg_part_has_loops(part) && !part->records.scene.projects_loops;
}

uint32_t sg_part_most_constraints(const sg_part *part)
{
    return (uint32_t)part->segment.loops->tree->n_rows;
}

uint32_t sg_part_n_constraints(const sg_part *part) { return (uint32_t)part->run->loops->n_rows; }

uint32_t sg_part_begin_constraints(const sg_part *part, const sg_compiled *compiled,
                                   bool *differential)
{
    struct sg_part_loop_state *t = part->run->loops;
    sg_part_find_loop_states(part, compiled);
    size_t bytes = (size_t)t->loops.n_active * sizeof *t->row;
    if (!t->n_chosen || t->n_rows != t->loops.n_active || memcmp(t->row, t->loops.active, bytes))
        t->n_chosen++;
    t->n_rows = t->loops.n_active;
    memcpy(t->row, t->loops.active, bytes);
    for (size_t j = 0; differential && j < part->built.joints.len; j++) {
        if (part->built.joints.data[j].cut < 0)
            continue;
        if (t->q_state[j] >= 0)
            differential[t->q_state[j]] = false;
        if (t->v_state[j] >= 0)
            differential[t->v_state[j]] = false;
    }
    return (uint32_t)t->n_rows;
}

void sg_part_constraint_forces(const sg_part *part, double *lambda)
{
    const struct sg_part_loop_state *t = part->run->loops;
    for (int i = 0; i < t->n_rows; i++)
        lambda[i] = t->loops.lambda[t->row[i]];
}

void sg_part_constraint_sizes(const sg_part *part, double *lambda, double *mu)
{
    sg_part_state *s = part->run;
    struct sg_part_loop_state *t = s->loops;
    static const double one = 1.0;
    for (int i = 0; i < t->n_rows; i++) {
        double sum = 0.0;
        lambda[i] = sg_tree_loops_inertia(part->segment.tree, part->segment.loops->tree, &t->loops,
                                          t->row[i]);
        if (!mu)
            continue;
        sg_tree_loops_transpose(part->segment.tree, &s->tree, part->segment.loops->tree, &t->loops,
                                &t->row[i], 1, &one, t->step);
        for (int d = 0; d < part->segment.tree->n_dof; d++)
            sum += t->step[d] * t->step[d];
        mu[i] = 1.0 / sqrt(sum);
    }
}

void sg_part_impose(const sg_part *part, const double *lambda)
{
    part->run->loops->imposed = lambda;
}

// Coordinates move by -transpose(G) mu in addition.
static void add_mu(const sg_part *part, const double *mu, double *r)
{
    sg_part_state *s = part->run;
    struct sg_part_loop_state *t = s->loops;
    double *pull = t->step;
    sg_tree_loops_transpose(part->segment.tree, &s->tree, part->segment.loops->tree, &t->loops,
                            t->row, t->n_rows, mu, pull);
    for (size_t j = 0; j < part->built.joints.len; j++) {
        const sg_part_joint *joint = &part->built.joints.data[j];
        int first = joint->first;
        if (joint->kind == SG_JOINT_BALL && t->q_state[j] >= 0) {
            double *to = r + t->q_state[j];
            sg_mat3 rates = sg_tree_turn_of(&s->tree, joint->body, s->q + first)->rates;
            v3_store(v3_add(v3_from(to), m3_mul_v(&rates, v3_from(pull + first))), to);
            continue;
        }
        if (first >= 0 && t->q_state[j] >= 0)
            r[t->q_state[j]] += t->q_sign[j] * pull[first];
    }
    for (size_t i = 0; i < part->records.frees.len; i++) {
        const sg_part_free *f = &part->records.frees.data[i];
        const double *own = pull + f->first;
        double *to = r + *s->n_visible + f->at;
        sg_mat3 rates = sg_tree_turn_of(&s->tree, f->body, s->q + f->first + 3)->rates;
        v3_store(v3_add(v3_from(to), v3_from(own)), to);
        v3_store(v3_add(v3_from(to + 6), m3_mul_v(&rates, v3_from(own + 3))), to + 6);
    }
}

// What is measured in cut joints, against the states that the equations have for it.
static void compare_cuts(const sg_part *part, const double *x, double *r)
{
    const sg_part_state *s = part->run;
    const struct sg_part_loop_state *t = s->loops;
    for (size_t j = 0; j < part->built.joints.len; j++) {
        int cut = part->built.joints.data[j].cut, q = t->q_state[j], v = t->v_state[j];
        if (cut < 0)
            continue;
        double near = q >= 0 ? t->q_sign[j] * x[q] : 0.0;
        sg_cut_motion m = sg_tree_loops_measure(&s->tree, part->segment.loops->tree, cut, near);
        if (q >= 0)
            r[q] = x[q] - t->q_sign[j] * m.q;
        if (v >= 0)
            r[v] = x[v] - t->v_sign[j] * m.v;
    }
}

void sg_part_constraint_residuals(const sg_part *part, const double *x, const double *mu, double *r,
                                  double *rate, double *gap)
{
    const struct sg_part_loop_state *t = part->run->loops;
    add_mu(part, mu, r);
    compare_cuts(part, x, r);
    for (int i = 0; i < t->n_rows; i++) {
        rate[i] = t->loops.rate[t->row[i]];
        gap[i] = t->loops.g[t->row[i]];
    }
}

void sg_part_constraint_accelerations(const sg_part *part, double *out)
{
    const struct sg_part_loop_state *t = part->run->loops;
    sg_tree_loops_openings(&part->run->tree, part->segment.loops->tree, t->row, t->n_rows, out);
}

bool sg_part_constraints_near(const sg_part *part) { return part->run->loops->is_near; }

uint64_t sg_part_constraints_chosen(const sg_part *part) { return part->run->loops->n_chosen; }

sg_status sg_part_look_at_constraints(sg_part *part, sg_compiled *compiled, sg_events *events,
                                      double t, double *x, sg_constraint_outlook *out)
{
    const struct sg_part_loop_state *l = part->run->loops;
    double left;
    size_t bytes = (size_t)l->n_rows * sizeof *l->row;
    sg_status status = sg_part_look_at_loops(part, compiled, events, t, x);
    bool same = l->n_rows == l->loops.n_active && !memcmp(l->row, l->loops.active, bytes);
    bool fades = sg_tree_loops_faded(&l->loops, &left) >= 0 && left < FADED;
    *out = fades ? SG_CONSTRAINTS_FADE : same ? SG_CONSTRAINTS_STAY : SG_CONSTRAINTS_CHANGED;
    return status;
}
