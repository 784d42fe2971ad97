// The functions that the numeric program calls. Nothing here allocates.
#include "actions/actions.h"
#include "actions/hinge.h"
#include "base/number.h"
#include "elements/balance.h"
#include "elements/contacts.h"
#include "math/rotation.h"
#include "model3d/feedback.h"
#include "model3d/held.h"
#include "model3d/reactions.h"
#include "model3d/segment.h"
#include "parts/loops.h"
#include "parts/script_call.h"

#include <math.h>
#include <string.h>

#define HYSTERESIS 1e-10 // as of every crossing function, language 3.8

static double margin(const double *angles)
{
    return fabs(remainder(angles[1], SG_TWO_PI)) - ROT_SAFE_ANGLE;
}

double sg_part_turned_far(const double *angles) { return margin(angles) - HYSTERESIS; }

static sg_mat3 rotation(const double *angles, bool xzy)
{
    return xzy ? rot_132(v3_from(angles)) : rot_123(v3_from(angles));
}

// At an event where the angles left the safe range: the same orientation in the other sequence, for
// this evaluation and, through the event, for the solver.
static void change_sequence(const sg_part_eval *e, const sg_part_free *f, sg_part_angles *change,
                            double *angles)
{
    bool *xzy = &e->state->tree.xzy[f->body];
    sg_mat3 R = rotation(angles, *xzy);
    memcpy(change->old, angles, sizeof change->old);
    *xzy = !*xzy;
    v3_store(*xzy ? rot_132_from(&R, 0.0) : rot_123_from(&R, 0.0), angles);
    memcpy(change->fresh, angles, sizeof change->fresh);
    sg_events_reinit(e->events, *e->state->n_visible + f->at + 6, 3, angles);
}

static void watch_sequence(const sg_part_eval *e, const sg_part_free *f, sg_part_angles *change,
                           double *angles)
{
    if (!sg_mode_wants_crossings(e->mode))
        return;
    // Once more in the pass that changed it: the states still hold the old angles.
    if (e->mode == SG_MODE_EVENT && memcmp(angles, change->old, sizeof change->old) == 0)
        memcpy(angles, change->fresh, sizeof change->fresh);
    else if (sg_events_deciding(e->events) && !e->events->initial && margin(angles) > 0.0)
        change_sequence(e, f, change, angles);
    sg_part_set_crossing(e, f->crossing, sg_part_turned_far(angles));
}

// Angular velocities resolved in the parent become those in the object.
static void turn_speed(sg_part_state *s, const sg_part_free *f)
{
    double *w = s->v + f->first + 3;
    if (!f->in_object)
        v3_store(m3_mul_v(&sg_tree_turn_of(&s->tree, f->body, s->q + f->first + 3)->R, v3_from(w)),
                 w);
}

static void copy_free(sg_part_state *s, const sg_part_free *f, const double *x)
{
    double *q = s->q + f->first, *v = s->v + f->first;
    memcpy(q, x, 3 * sizeof *q);
    memcpy(v, x + 3, 3 * sizeof *v);
    memcpy(q + 3, x + 6, 3 * sizeof *q);
    memcpy(v + 3, x + 9, 3 * sizeof *v);
}

void sg_part_read_free(sg_part_state *s, const sg_part_free *f, const double *x)
{
    copy_free(s, f, x);
    turn_speed(s, f);
}

// Coordinates of what moves freely, from the hidden states.
static void read_free(const sg_part_eval *e, size_t i)
{
    sg_part_state *s = e->state;
    const sg_part_free *f = &e->part->records.frees.data[i];
    const sg_hidden *hidden = s->hidden;
    copy_free(s, f, (hidden->x ? hidden->x : hidden->start.data) + f->at);
    watch_sequence(e, f, &s->angles[i], s->q + f->first + 3);
    turn_speed(s, f);
}

// The motion of obj1 seen from obj2, from that of obj2 seen from obj1: R takes from obj1 to obj2,
// and R' = -skew(w) R. Angles of either sequence will do, as only the orientation is asked for.
static void reverse_motion(double *q, double *v, bool *xzy)
{
    sg_mat3 R = rotation(q + 3, *xzy), back = m3_transpose(R);
    sg_vec3 r = m3_mul_v(&R, v3_from(q)), w = v3_from(v + 3);
    sg_vec3 angles = rot_123_from(&back, 0.0);
    *xzy = fabs(angles.y) > ROT_SAFE_ANGLE;
    v3_store(v3_neg(r), q);
    v3_store(*xzy ? rot_132_from(&back, 0.0) : angles, q + 3);
    v3_store(v3_sub(v3_cross(w, r), m3_mul_v(&R, v3_from(v))), v);
    v3_store(v3_neg(m3_tmul_v(&R, w)), v + 3);
}

// The same for accelerations, which go the other way: `a` belongs to q and v, the result to what
// they were made of. Reversing twice is no change, so the formulas are those of the way there.
static void reverse_acceleration(const double *q, const double *v, bool xzy, const double *a,
                                 double *out)
{
    sg_mat3 R = rotation(q + 3, xzy);
    sg_vec3 r = m3_mul_v(&R, v3_from(q)), u = m3_mul_v(&R, v3_from(v)), w = v3_from(v + 3);
    sg_vec3 z = v3_from(a + 3), turn = v3_sub(v3_scale(u, 2.0), v3_cross(w, r));
    sg_vec3 sum = v3_add(v3_cross(z, r), v3_cross(w, turn));
    v3_store(v3_sub(sum, m3_mul_v(&R, v3_from(a))), out);
    v3_store(v3_neg(m3_tmul_v(&R, z)), out + 3);
}

// r, v, rot, w and, where the sequence of the angles may change, whether it is x-y-z.
static void read_free_motion(sg_part_state *s, const sg_part_joint *joint, const sg_operand *args)
{
    double *q = s->q + joint->first, *v = s->v + joint->first;
    bool *xzy = &s->tree.xzy[joint->body];
    memcpy(q, args[0].data, 3 * sizeof *q);
    memcpy(v, args[1].data, 3 * sizeof *v);
    memcpy(q + 3, args[2].data, 3 * sizeof *q);
    memcpy(v + 3, args[3].data, 3 * sizeof *v);
    *xzy = joint->n_inputs > 4 && *args[4].data == 0.0;
    if (joint->reversed)
        reverse_motion(q, v, xzy);
}

void sg_part_set_ball(sg_part_state *s, const sg_part_joint *joint, const double *rot,
                      const double *w, bool is_xzy)
{
    double q[6] = {0}, v[6] = {0};
    bool *xzy = &s->tree.xzy[joint->body];
    memcpy(q + 3, rot, 3 * sizeof *q);
    memcpy(v + 3, w, 3 * sizeof *v);
    *xzy = is_xzy;
    if (joint->reversed)
        reverse_motion(q, v, xzy);
    memcpy(s->q + joint->first, q + 3, 3 * sizeof *q);
    memcpy(s->v + joint->first, v + 3, 3 * sizeof *v);
}

void sg_part_get_ball(const sg_part_state *s, const sg_part_joint *joint, bool xzy, double *rot,
                      double *w)
{
    double q[6] = {0}, v[6] = {0};
    bool own = s->tree.xzy[joint->body];
    memcpy(q + 3, s->q + joint->first, 3 * sizeof *q);
    memcpy(v + 3, s->v + joint->first, 3 * sizeof *v);
    if (joint->reversed)
        reverse_motion(q, v, &own);
    if (own != xzy) {
        sg_mat3 R = rotation(q + 3, own);
        v3_store(xzy ? rot_132_from(&R, 0.0) : rot_123_from(&R, 0.0), q + 3);
    }
    memcpy(w, v + 3, 3 * sizeof *w);
    for (int i = 0; i < 3; i++) // as many turns as it had
        rot[i] = joint->reversed ? rot[i] + remainder(q[3 + i] - rot[i], SG_TWO_PI) : q[3 + i];
}

// The same for accelerations, from those of the tree to those of the joint's own variables.
static void reverse_ball(const sg_part_state *s, const sg_part_joint *joint, double *result)
{
    double q[6] = {0}, v[6] = {0}, a[6] = {0}, out[6];
    memcpy(q + 3, s->q + joint->first, 3 * sizeof *q);
    memcpy(v + 3, s->v + joint->first, 3 * sizeof *v);
    memcpy(a + 3, s->a + joint->first, 3 * sizeof *a);
    reverse_acceleration(q, v, s->tree.xzy[joint->body], a, out);
    memcpy(result, out + 3, 3 * sizeof *result);
}

static void write_joint(const sg_part_state *s, const sg_part_joint *joint, double *result)
{
    if (joint->cut >= 0) {
        *result = sg_part_loop_acceleration(s, joint->cut);
        return;
    }
    const double *a = s->a + joint->first;
    if (joint->reversed && joint->kind == SG_JOINT_BALL)
        reverse_ball(s, joint, result);
    else if (joint->reversed)
        reverse_acceleration(s->q + joint->first, s->v + joint->first, s->tree.xzy[joint->body], a,
                             result);
    else
        memcpy(result, a, (size_t)sg_joint_dof(joint->kind) * sizeof *a);
}

static void read_coordinates(const sg_part_eval *e, const sg_extern_call *call)
{
    const sg_part *part = e->part;
    sg_part_state *s = e->state;
    const sg_operand *args = call->args + 1; // behind the time
    for (size_t j = 0; j < part->built.joints.len; j++) {
        const sg_part_joint *joint = &part->built.joints.data[j];
        if (joint->kind == SG_JOINT_FREE) {
            read_free_motion(s, joint, args);
        } else if (joint->kind == SG_JOINT_BALL) {
            // r, w, and whether the sequence is x-y-z.
            s->ball_xzy[j] = *args[2].data == 0.0;
            sg_part_set_ball(s, joint, args[0].data, args[1].data, s->ball_xzy[j]);
        } else {
            bool cut = joint->cut >= 0;
            *(cut ? &s->loops->q[joint->cut] : &s->q[joint->first]) = *args[0].data;
            *(cut ? &s->loops->v[joint->cut] : &s->v[joint->first]) = *args[1].data;
        }
        args += joint->n_inputs;
    }
    for (size_t i = 0; i < part->records.frees.len; i++)
        read_free(e, i);
    sg_hinges_read(s);
}

static bool are_finite(const double *numbers, int n)
{
    bool finite = true;
    for (int i = 0; i < n; i++)
        finite &= isfinite(numbers[i]);
    return finite;
}

// The first body whose position or velocity is no number, or 0.
static int not_finite(const sg_part_state *s)
{
    const sg_tree *tree = s->part->segment.tree;
    for (int k = 1; k < tree->n_bodies; k++) {
        const sg_tree_body *b = &tree->body[k];
        if (!are_finite(s->q + b->first, b->dof) || !are_finite(s->v + b->first, b->dof))
            return k;
    }
    return 0;
}

static const char not_finite_text[] =
    "the position or velocity that '%s' is given is not finite at time = %.10g s";

// Said once; the run ends with it.
static sg_status no_inertia(sg_part_state *s, int body)
{
    const sg_part *part = s->part;
    const sg_tree *tree = part->segment.tree;
    int lost = not_finite(s); // inertia seen from a place that is none is none
    bool driven = false;
    for (size_t j = 0; j < part->built.joints.len; j++)
        driven |= part->built.joints.data[j].flange && part->built.joints.data[j].body == body;
    bool turns = body > 0 && tree->body[body].joint == SG_JOINT_REVOLUTE;
    if (!s->failed && lost)
        sg_error(s->diags, SG_E_SINGULAR_MOTION,
                 part->records.objects.data[tree->body[lost].root].span, not_finite_text,
                 tree->name[tree->body[lost].root], s->eval.time);
    else if (!s->failed && turns && tree->body[body].inertia.m > 0.0)
        sg_error(s->diags, SG_E_SINGULAR_MOTION,
                 part->records.objects.data[tree->body[body].root].span,
                 "'%s' has a mass, but no moment of inertia about the axis of the joint that turns "
                 "it; give it one (Ixx, Iyy, Izz of MassProperties), or a shape%s",
                 tree->name[tree->body[body].root], driven ? ", or inertia to its drive" : "");
    else if (!s->failed && body > 0)
        sg_error(s->diags, SG_E_SINGULAR_MOTION,
                 part->records.objects.data[tree->body[body].root].span,
                 "the joint that carries '%s' moves nothing that has inertia; give a mass to what "
                 "it carries%s%s",
                 tree->name[tree->body[body].root], driven ? ", or inertia to its drive" : "",
                 part->segment.loops
                     ? ", or say cut = true at a joint of its loop between two that have "
                       "one"
                     : "");
    else if (!s->failed)
        sg_error(s->diags, SG_E_SINGULAR_MOTION, part->span,
                 "a joint without a flange, or a free object, moves nothing that has inertia");
    s->failed = true;
    return SG_ERR_MODEL;
}

// Names a body whose motion or acceleration is no number, if there is one. Returns whether the
// motion is none, so that everything else follows from that.
static bool explain_not_finite(const sg_part_state *s, sg_diags *diags)
{
    const sg_part *part = s->part;
    const sg_tree *tree = part->segment.tree;
    int lost = not_finite(s);
    if (lost) {
        int root = tree->body[lost].root;
        sg_note(diags, part->records.objects.data[root].span, not_finite_text, tree->name[root],
                s->eval.time);
        return true;
    }
    for (int k = 1; k < tree->n_bodies; k++) {
        const sg_tree_body *b = &tree->body[k];
        if (are_finite(s->a + b->first, b->dof))
            continue;
        bool central = !v3_is_finite(sg_tree_gravity(tree, &s->tree, k));
        sg_note(diags, part->records.objects.data[b->root].span,
                central ? "'%s' is at the center of the gravity field, where there is no direction"
                        : "the acceleration of '%s' is not finite: a force, a velocity or gravity "
                          "is too large, or its mass too small",
                tree->name[b->root]);
        return false;
    }
    return false;
}

void sg_part_explain(const sg_part *part, sg_diags *diags)
{
    const sg_part_state *s = part->run;
    size_t i = 0;
    if (part->segment.tree && !part->records.programs.refused &&
        s->eval.time == part->records.programs.made_at)
        sg_actions_blame(part, diags);
    sg_part_explain_feedback(part, diags);
    if (part->segment.tree && s->no_number && !s->failed)
        sg_note(diags, s->no_number->span, "%s returned no finite number for %.10g",
                s->no_number->what, s->no_number_at);
    else if (part->segment.tree && !s->failed && explain_not_finite(s, diags))
        return;
    if (part->segment.tree && !s->failed)
        sg_part_explain_contacts(part, diags);
    if (!part->segment.tree || !s->has_matrix || s->failed)
        return;
    for (size_t j = 0; j < part->built.joints.len; j++) {
        const sg_part_joint *joint = &part->built.joints.data[j];
        if (!joint->flange)
            continue;
        if (s->matrix[i * (part->built.n_given + 1)] == 0.0)
            sg_note(diags, joint->span,
                    "the joint '%s' moves nothing that has inertia; give a mass to what it "
                    "carries, or inertia to its drive",
                    sg_vm_text(part->vm, joint->path));
        i++;
    }
}

sg_status sg_part_apply_some(sg_part_eval *e, bool given)
{
    const sg_part *part = e->part;
    sg_status status = SG_OK;
    for (size_t i = 0; status == SG_OK && i < part->records.actors.len; i++) {
        const sg_part_actor *actor = &part->records.actors.data[i];
        if (actor->apply && actor->is_given == given)
            status = actor->apply(e, actor->data, e->state->own[i]);
    }
    return status;
}

sg_status sg_part_apply_forces(sg_part_eval *e)
{
    const sg_part *part = e->part;
    struct sg_part_loop_state *loops = e->state->loops;
    if (part->records.actors.len || (loops && loops->pushed))
        sg_tree_clear_applied(part->segment.tree, &e->state->tree);
    e->state->loops_act = false;
    if (loops)
        loops->pushed = false;
    sg_status status = sg_part_apply_some(e, false);
    return status == SG_OK && part->built.ports.n[SG_PORT_INPUT] ? sg_part_apply_some(e, true)
                                                                 : status;
}

// What the equations or, with joints or laws that follow the given ones, inverse dynamics ask for.
static bool needs_terms(const sg_part_eval *e)
{
    const sg_part *part = e->part;
    return !part->built.inside || (part->built.inverse && (e->state->split.n_inner > 0 || e->asks));
}

// In a loop accelerations follow from forces only; what laws make of them does not reach equations.
static sg_status refuse_feedback(const sg_part_eval *e)
{
    if (!e->state->failed)
        sg_error(e->state->diags, SG_E_LOOP, e->asked_by->span,
                 "%s asks for accelerations, which is not possible in a part with closed loops "
                 "where equations act on joints",
                 e->asked_by->what);
    e->state->failed = true;
    return SG_ERR_MODEL;
}

// Where everything is, how fast, and the forces of all elements there.
static sg_status begin(sg_part_eval *e, const sg_extern_call *call)
{
    const sg_part *part = e->part;
    sg_part_state *s = e->state;
    e->mode = call->mode;
    e->time = call->time;
    e->events = call->events;
    e->solved = e->asks = false;
    e->asked_by = NULL;
    s->loops_act = false;
    read_coordinates(e, call);
    sg_tree_kinematics(part->segment.tree, &s->tree, s->q, s->v);
    sg_part_resting_kinematics(s);
    if (!part->built.ports.n[SG_PORT_INPUT])
        return sg_part_apply_forces(e);
    sg_tree_clear_applied(part->segment.tree, &s->tree);
    sg_status status = sg_part_apply_some(e, false);
    sg_tree_keep_applied(part->segment.tree, &s->tree, s->pushes);
    memset(s->inputs, 0, part->built.ports.n[SG_PORT_INPUT] * sizeof *s->inputs);
    return status == SG_OK ? sg_part_apply_some(e, true) : status;
}

// h and M of the joints with flange.
static sg_status find_terms(sg_part_eval *e, double *h)
{
    const sg_part *part = e->part;
    sg_part_state *s = e->state;
    int bad_body = 0;
    s->has_matrix = true;
    if (e->asks)
        return sg_part_feedback_terms(e, h, s->matrix);
    sg_status status =
        part->segment.loops
            ? sg_part_loop_terms(s, h, s->matrix, &bad_body)
            : sg_tree_split_terms(part->segment.tree, &s->tree, &s->split, h, s->matrix, &bad_body);
    return status == SG_OK ? SG_OK : no_inertia(s, bad_body);
}

// The matrix, too, where it must not wait for forces.
static sg_status evaluate_motion(sg_part_eval *e, const sg_extern_call *call)
{
    const sg_part *part = e->part;
    sg_status status = begin(e, call);
    if (status == SG_OK)
        status = sg_part_check_ports(e);
    if (status == SG_OK && part->built.n_given && part->built.ports.n[SG_PORT_INPUT] &&
        needs_terms(e))
        status = find_terms(e, e->state->a_given);
    return status == SG_OK ? sg_part_read_ports(e, SG_PORT_MOTION, call->results[0].data) : status;
}

// The numbers behind the motion are what equations give.
static sg_status take_inputs(sg_part_eval *e, const sg_extern_call *call)
{
    const sg_part *part = e->part;
    sg_part_state *s = e->state;
    double *to = s->inputs;
    if (!part->built.ports.n[SG_PORT_INPUT])
        return SG_OK;
    for (uint32_t k = 1; k < call->n_args; k++) {
        uint32_t n = sg_dims_count(call->args[k].shape);
        memcpy(to, call->args[k].data, n * sizeof *to);
        to += n;
    }
    sg_tree_reapply(part->segment.tree, &s->tree, s->pushes);
    s->loops_act = false;
    return sg_part_apply_some(e, true);
}

static sg_status evaluate_terms(sg_part_eval *e, const sg_extern_call *call)
{
    const sg_part *part = e->part;
    double *h = call->results[0].data;
    size_t n = part->built.n_given;
    sg_status status = sg_ports_open(&part->built.ports) ? take_inputs(e, call) : begin(e, call);
    if (status != SG_OK)
        return status;
    if (part->segment.loops && e->asks && n)
        return refuse_feedback(e);
    if (n == 0 || (!needs_terms(e) && !part->segment.loops)) {
        memset(h, 0, (n ? n : 1) * sizeof *h);
        return SG_OK;
    }
    return find_terms(e, h);
}

static sg_status evaluate_matrix(const sg_part_eval *e, const sg_extern_call *call)
{
    size_t n = e->part->built.n_given;
    if (needs_terms(e) || e->part->segment.loops)
        memcpy(call->results[0].data, e->state->matrix, n * n * sizeof(double));
    return SG_OK;
}

// Everything is known: no system of equations.
static sg_status evaluate_forward(sg_part_eval *e, const sg_extern_call *call)
{
    const sg_part *part = e->part;
    sg_part_state *s = e->state;
    const int *given = s->split.given;
    uint32_t n = part->built.n_given;
    int bad_body = 0;
    memset(s->tau, 0, (size_t)part->segment.tree->n_dof * sizeof(double));
    for (uint32_t j = 0; j < n; j++)
        s->tau[given[j]] = *call->args[1 + j].data;
    bool geared = call->n_args > 1 + n;
    for (uint32_t j = 0; geared && j < n; j++)
        s->rotor[given[j]] = *call->args[1 + n + j].data;
    const double *rotor = geared ? s->rotor : NULL;
    sg_status status = e->asks ? sg_part_feedback_solve(e, s->tau, rotor)
                               : sg_tree_forward_geared(part->segment.tree, &s->tree, s->tau, rotor,
                                                        s->a, &bad_body);
    if (status != SG_OK)
        return e->asks ? status : no_inertia(s, bad_body);
    for (uint32_t j = 0; j < n; j++)
        call->results[0].data[j] = s->a[given[j]];
    e->solved = true;
    return SG_OK;
}

// The motion is known: no matrix.
static sg_status evaluate_inverse(sg_part_eval *e, const sg_extern_call *call)
{
    const sg_part *part = e->part;
    sg_part_state *s = e->state;
    const int *given = s->split.given;
    double *forces = call->results[0].data;
    uint32_t n = part->built.n_given;
    for (uint32_t j = 0; j < n; j++)
        s->a_given[j] = *call->args[1 + j].data;
    if (!needs_terms(e)) {
        for (uint32_t j = 0; j < n; j++)
            s->a[given[j]] = s->a_given[j];
        sg_tree_inverse(part->segment.tree, &s->tree, s->a, s->tau);
        for (uint32_t j = 0; j < n; j++)
            forces[j] = s->tau[given[j]];
        return SG_OK;
    }
    memcpy(forces, call->args[0].data, n * sizeof(double));
    for (uint32_t j = 0; j < n; j++)
        for (uint32_t i = 0; i < n; i++)
            forces[i] += s->matrix[j * n + i] * s->a_given[j];
    return SG_OK;
}

// Derivatives of the hidden states.
void sg_part_write_free(sg_part_state *s, const sg_part_free *f, double *dx)
{
    const double *q = s->q + f->first, *v = s->v + f->first, *a = s->a + f->first;
    const sg_tree_turn *turn = sg_tree_turn_of(&s->tree, f->body, q + 3);
    memcpy(dx, v, 3 * sizeof *dx);
    memcpy(dx + 3, a, 3 * sizeof *dx);
    v3_store(m3_mul_v(&turn->rates, v3_from(v + 3)), dx + 6);
    // Exact although R turns, since the angular velocity turns nothing in its own direction.
    v3_store(f->in_object ? v3_from(a + 3) : m3_tmul_v(&turn->R, v3_from(a + 3)), dx + 9);
}

static sg_status store(sg_part_eval *e)
{
    const sg_part *part = e->part;
    sg_part_state *s = e->state;
    s->no_number = NULL; // the solver found its way around it
    if (part->segment.loops)
        sg_part_loop_push(s);
    // Accelerations of all bodies, and what the joints transmit.
    sg_tree_inverse(part->segment.tree, &s->tree, s->a, s->tau);
    sg_part_store_results(s);
    sg_part_store_reactions(s);
    if (part->segment.loops)
        sg_part_loop_store(s);
    if (part->records.programs.captures)
        sg_captures_store(e);
    sg_part_watch_compat(s);
    for (size_t i = 0; i < part->records.actors.len; i++) {
        const sg_part_actor *actor = &part->records.actors.data[i];
        sg_status status = actor->store ? actor->store(e, actor->data, s->own[i]) : SG_OK;
        if (status != SG_OK)
            return status;
    }
    return sg_part_store_balance(e);
}

static sg_status finish_feedback(sg_part_eval *e)
{
    return e->part->built.n_given ? sg_part_feedback_finish(e)
                                  : sg_part_feedback_solve(e, e->state->split.zero, NULL);
}

// For action programs: what they wait for, and impulses that they ask for.
static void watch(sg_part_eval *e)
{
    if (e->part->segment.loops) // what connections bear
        sg_part_loop_push(e->state);
    if (e->part->records.programs.watches)
        sg_conditions_watch(e);
    if (e->part->records.programs.captures)
        sg_captures_strike(e);
}

static sg_status evaluate_accelerations(sg_part_eval *e, const sg_extern_call *call)
{
    const sg_part *part = e->part;
    sg_part_state *s = e->state;
    double *result = call->results[0].data;
    int bad_body = 0;
    bool storing = e->mode == SG_MODE_RESULT;
    bool watching = (part->records.programs.watches || part->records.programs.captures) &&
                    sg_mode_wants_crossings(e->mode);
    result[0] = 0.0;
    // With all joints in the equations the accelerations are known there already.
    if (s->split.n_inner == 0 && !storing && !watching && !part->built.balance && !e->asks &&
        !part->built.ports.n[SG_PORT_ACCELERATION] && !part->segment.loops)
        return SG_OK;
    for (uint32_t j = 0; j < part->built.n_given; j++)
        s->a_given[j] = *call->args[1 + j].data;
    sg_status status = e->solved ? SG_OK
                       : e->asks ? finish_feedback(e)
                       : part->segment.loops
                           ? sg_part_loop_accelerations(s, s->a_given, &bad_body) // of forces
                           : sg_tree_split_finish(part->segment.tree, &s->tree, &s->split,
                                                  s->a_given, s->a, &bad_body);
    if (status != SG_OK)
        return e->asks ? status : no_inertia(s, bad_body);
    for (size_t j = 0; j < part->built.joints.len; j++) {
        const sg_part_joint *joint = &part->built.joints.data[j];
        if (joint->flange)
            continue;
        write_joint(s, joint, result);
        result += sg_joint_dof(joint->kind);
    }
    for (size_t i = 0; i < part->records.frees.len; i++) {
        const sg_part_free *f = &part->records.frees.data[i];
        sg_part_write_free(s, f, s->hidden->derivatives.data + f->at);
    }
    sg_hinges_write(s);
    sg_part_resting_derivatives(s, call->results[0].data);
    sg_part_evaluate_balance(s);
    if (watching)
        watch(e);
    return storing ? store(e) : SG_OK;
}

static sg_status evaluate_sensed(sg_part_eval *e, const sg_extern_call *call)
{
    const sg_part *part = e->part;
    sg_part_state *s = e->state;
    bool reactions = part->built.ports.reactions;
    if (reactions && part->segment.loops)
        sg_part_loop_push(s);
    sg_tree_inverse(part->segment.tree, &s->tree, s->a, s->tau); // accelerations of all bodies
    if (reactions)
        sg_part_store_reactions(s);
    if (reactions && part->segment.loops)
        sg_part_loop_store(s);
    return sg_part_read_ports(e, SG_PORT_ACCELERATION, call->results[0].data);
}

double sg_part_bound_step(const sg_part *part)
{
    const sg_part_state *s = part->run;
    double bound = part->records.programs.watches ? sg_conditions_bound(part) : (double)INFINITY;
    for (size_t i = 0; i < part->records.actors.len; i++) {
        const sg_part_actor *actor = &part->records.actors.data[i];
        if (actor->bound) {
            double own = actor->bound(&s->eval, actor->data, s->own[i]);
            bound = own < bound || isnan(own) ? own : bound; // what is no number is told
        }
    }
    return bound;
}

double sg_part_foreseen(const sg_part *part, double t0, double t1, bool goes_on)
{
    const sg_part_state *s = part->run;
    double until = t1;
    for (size_t i = 0; s->eval.time == t1 && i < part->records.actors.len; i++) {
        const sg_part_actor *actor = &part->records.actors.data[i];
        if (actor->foreseen)
            until = fmin(until, actor->foreseen(&s->eval, actor->data, s->own[i], t0, goes_on));
    }
    return until;
}

bool sg_part_bounds_steps(const sg_part *part)
{
    for (size_t i = 0; i < part->records.actors.len; i++)
        if (part->records.actors.data[i].bound)
            return true;
    return part->records.programs.watches;
}

bool sg_part_sees_steps(const sg_part *part)
{
    const sg_part_state *s = part->run;
    for (size_t i = 0; s && i < part->records.actors.len; i++) {
        const sg_part_actor *actor = &part->records.actors.data[i];
        if (actor->sees_steps && actor->sees_steps(actor->data, s->own[i]))
            return true;
    }
    return false;
}

void sg_part_see_step(const sg_part *part)
{
    const sg_part_state *s = part->run;
    for (size_t i = 0; i < part->records.actors.len; i++) {
        const sg_part_actor *actor = &part->records.actors.data[i];
        if (actor->see_step)
            actor->see_step(&s->eval, actor->data, s->own[i]);
    }
}

// ---- in the numeric program ---------------------------------------------------------------------

sg_dims sg_part_result_shape(const sg_part *part, sg_part_function kind)
{
    uint32_t n = part->built.n_given;
    if (kind == SG_PART_MOTION || kind == SG_PART_SENSED)
        n = part->built.ports.n[kind == SG_PART_MOTION ? SG_PORT_MOTION : SG_PORT_ACCELERATION];
    for (size_t j = 0; kind == SG_PART_ACCELERATIONS && j < part->built.joints.len; j++) {
        n = j ? n : 0;
        if (!part->built.joints.data[j].flange)
            n += (uint32_t)sg_joint_dof(part->built.joints.data[j].kind);
    }
    n = n ? n : 1;
    return kind == SG_PART_MATRIX ? sg_dims_matrix(n, n) : sg_dims_vector(n);
}

static sg_status give_shape(void *context, const sg_extern_call *call, sg_dims *results)
{
    const sg_part_entry *entry = context;
    const sg_part *part = entry->state->part;
    *results = sg_part_result_shape(part, entry->kind);
    bool takes = entry->kind == SG_PART_TERMS && part->built.ports.n[SG_PORT_INPUT];
    return takes ? sg_part_check_inputs(part, call) : SG_OK;
}

static sg_status evaluate(void *context, const sg_extern_call *call)
{
    const sg_part_entry *entry = context;
    sg_part_state *s = entry->state;
    if (s->is_held)
        return sg_part_evaluate_held(s, entry->kind, call);
    switch (entry->kind) {
    case SG_PART_TERMS:
        return evaluate_terms(&s->eval, call);
    case SG_PART_MATRIX:
        return evaluate_matrix(&s->eval, call);
    case SG_PART_ACCELERATIONS:
        return evaluate_accelerations(&s->eval, call);
    case SG_PART_FORWARD:
        return evaluate_forward(&s->eval, call);
    case SG_PART_INVERSE:
        return evaluate_inverse(&s->eval, call);
    case SG_PART_MOTION:
        return evaluate_motion(&s->eval, call);
    case SG_PART_SENSED:
        return evaluate_sensed(&s->eval, call);
    case SG_PART_N_FUNCTIONS:
        break;
    }
    return SG_ERR_MODEL;
}

bool sg_part_is_linear_call(sg_value function)
{
    sg_part_function kind;
    return sg_part_of_function(function, &kind) && kind != SG_PART_MATRIX && kind != SG_PART_MOTION;
}

bool sg_part_extern(sg_value function, sg_extern *out)
{
    sg_part_function kind;
    const sg_part *part = sg_part_of_function(function, &kind);
    if (part)
        *out = sg_part_state_extern(part->run, kind);
    return part != NULL;
}

sg_extern sg_part_state_extern(sg_part_state *state, sg_part_function kind)
{
    return (sg_extern){&state->entries[kind], give_shape, evaluate};
}

void sg_part_set_inside(sg_part *part, bool inside, bool inverse, bool first)
{
    part->built.inverse = inverse || (!first && part->built.inverse);
    part->built.inside = inside && (first || part->built.inside);
}
