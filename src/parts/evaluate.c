// The functions that the numeric program calls. Nothing here allocates.
#include "math/rotation.h"
#include "parts/balance.h"
#include "parts/feedback.h"
#include "parts/held.h"
#include "parts/part.h"
#include "parts/script_call.h"

#include <math.h>
#include <string.h>

// components3d.md 1.3
#define SAFE_ANGLE 1.5
#define TWO_PI 6.283185307179586
#define HYSTERESIS 1e-10 // as of every crossing function, language 3.8

static double margin(const double *angles)
{
    return fabs(remainder(angles[1], TWO_PI)) - SAFE_ANGLE;
}

static sg_mat3 rotation(const double *angles, bool xzy)
{
    return xzy ? rot_132(v3_from(angles)) : rot_123(v3_from(angles));
}

// At an event where the angles left the safe range: the same orientation in the other sequence, for
// this evaluation and, through the event, for the solver.
static void change_sequence(sg_part *part, sg_part_free *f, sg_events *events, double *angles)
{
    bool *xzy = &part->state.xzy[f->body];
    sg_mat3 R = rotation(angles, *xzy);
    memcpy(f->old, angles, sizeof f->old);
    *xzy = !*xzy;
    v3_store(*xzy ? rot_132_from(&R, 0.0) : rot_123_from(&R, 0.0), angles);
    memcpy(f->fresh, angles, sizeof f->fresh);
    sg_events_reinit(events, *part->n_visible + f->at + 6, 3, angles);
}

static void watch_sequence(sg_part *part, sg_part_free *f, sg_events *events, double *angles)
{
    if (!events || !sg_mode_wants_crossings(events->mode))
        return;
    // Once more in the pass that changed it: the states still hold the old angles.
    if (events->mode == SG_MODE_EVENT && memcmp(angles, f->old, sizeof f->old) == 0)
        memcpy(angles, f->fresh, sizeof f->fresh);
    else if (sg_events_deciding(events) && !events->initial && margin(angles) > 0.0)
        change_sequence(part, f, events, angles);
    events->z[events->z_hidden + f->crossing] = margin(angles) - HYSTERESIS;
}

// Coordinates of what moves freely, from the hidden states.
static void read_free(sg_part *part, sg_part_free *f, sg_events *events)
{
    const sg_hidden *hidden = part->hidden;
    const double *x = (hidden->x ? hidden->x : hidden->start.data) + f->at;
    double *q = part->q + f->first, *v = part->v + f->first;
    memcpy(q, x, 3 * sizeof *q);
    memcpy(v, x + 3, 3 * sizeof *v);
    memcpy(q + 3, x + 6, 3 * sizeof *q);
    memcpy(v + 3, x + 9, 3 * sizeof *v);
    watch_sequence(part, f, events, q + 3);
    if (!f->in_object) {
        sg_mat3 R = rotation(q + 3, part->state.xzy[f->body]);
        v3_store(m3_mul_v(&R, v3_from(x + 9)), v + 3);
    }
}

// The motion of obj1 seen from obj2, from that of obj2 seen from obj1: R takes from obj1 to obj2,
// and R' = -skew(w) R. Angles of either sequence will do, as only the orientation is asked for.
static void reverse_motion(double *q, double *v, bool *xzy)
{
    sg_mat3 R = rotation(q + 3, *xzy), back = m3_transpose(R);
    sg_vec3 r = m3_mul_v(&R, v3_from(q)), w = v3_from(v + 3);
    sg_vec3 angles = rot_123_from(&back, 0.0);
    *xzy = fabs(angles.y) > SAFE_ANGLE;
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
static void read_free_motion(sg_part *part, const sg_part_joint *joint, const sg_extern_call *call,
                             uint32_t at)
{
    double *q = part->q + joint->first, *v = part->v + joint->first;
    bool *xzy = &part->state.xzy[joint->body];
    memcpy(q, call->args[at].data, 3 * sizeof *q);
    memcpy(v, call->args[at + 1].data, 3 * sizeof *v);
    memcpy(q + 3, call->args[at + 2].data, 3 * sizeof *q);
    memcpy(v + 3, call->args[at + 3].data, 3 * sizeof *v);
    *xzy = joint->n_inputs > 4 && *call->args[at + 4].data == 0.0;
    if (joint->reversed)
        reverse_motion(q, v, xzy);
}

static void write_joint(const sg_part *part, const sg_part_joint *joint, double *result)
{
    const double *a = part->a + joint->first;
    if (joint->reversed)
        reverse_acceleration(part->q + joint->first, part->v + joint->first,
                             part->state.xzy[joint->body], a, result);
    else
        memcpy(result, a, (size_t)sg_joint_dof(joint->kind) * sizeof *a);
}

static void read_coordinates(sg_part *part, const sg_extern_call *call)
{
    uint32_t at = 1; // behind the time
    for (size_t j = 0; j < part->joints.len; j++) {
        const sg_part_joint *joint = &part->joints.data[j];
        if (joint->kind == SG_JOINT_FREE) {
            read_free_motion(part, joint, call, at);
        } else {
            part->q[joint->first] = *call->args[at].data;
            part->v[joint->first] = *call->args[at + 1].data;
        }
        at += joint->n_inputs;
    }
    for (size_t i = 0; i < part->frees.len; i++)
        read_free(part, &part->frees.data[i], call->events);
}

// Said once; the run ends with it.
static sg_status no_inertia(sg_part *part, int body)
{
    const sg_mbs *mbs = part->mbs;
    bool driven = false;
    for (size_t j = 0; j < part->joints.len; j++)
        driven |= part->joints.data[j].flange && part->joints.data[j].body == body;
    if (!part->failed && body > 0)
        sg_error(part->vm->diags, SG_E_SINGULAR_MOTION,
                 part->objects.data[mbs->body[body].root].span,
                 "the joint that carries '%s' moves nothing that has inertia; give a mass to what "
                 "it carries%s",
                 mbs->name[mbs->body[body].root], driven ? ", or inertia to its drive" : "");
    else if (!part->failed)
        sg_error(part->vm->diags, SG_E_SINGULAR_MOTION, part->span,
                 "a joint without a flange, or a free object, moves nothing that has inertia");
    part->failed = true;
    return SG_ERR_MODEL;
}

// Names a body whose acceleration is no number, if there is one.
static void explain_not_finite(const sg_part *part, sg_diags *diags)
{
    const sg_mbs *mbs = part->mbs;
    for (int k = 1; k < mbs->n_bodies; k++) {
        const sg_mbs_body *b = &mbs->body[k];
        bool finite = true;
        for (int i = 0; i < b->dof; i++)
            finite &= isfinite(part->a[b->first + i]);
        if (finite)
            continue;
        bool central = !v3_is_finite(sg_mbs_gravity(mbs, &part->state, k));
        sg_note(diags, part->objects.data[b->root].span,
                central ? "'%s' is at the center of the gravity field, where there is no direction"
                        : "the acceleration of '%s' is not finite: a force, a velocity or gravity "
                          "is too large, or its mass too small",
                mbs->name[b->root]);
        return;
    }
}

void sg_part_explain(const sg_part *part, sg_diags *diags)
{
    size_t i = 0;
    if (part->mbs && part->no_number && !part->failed)
        sg_note(diags, part->no_number->span, "%s returned no finite number for %.10g",
                part->no_number->what, part->no_number_at);
    else if (part->mbs && !part->failed)
        explain_not_finite(part, diags);
    if (!part->mbs || !part->given_M || part->failed)
        return;
    for (size_t j = 0; j < part->joints.len; j++) {
        const sg_part_joint *joint = &part->joints.data[j];
        if (!joint->flange)
            continue;
        if (part->given_M[i * (part->n_given + 1)] == 0.0)
            sg_note(diags, joint->span,
                    "the joint '%s' moves nothing that has inertia; give a mass to what it "
                    "carries, or inertia to its drive",
                    sg_vm_text(part->vm, joint->path));
        i++;
    }
}

sg_status sg_part_apply_forces(sg_part *part, double time)
{
    if (part->actors.len)
        sg_mbs_clear_applied(part->mbs, &part->state);
    sg_status status = SG_OK;
    for (size_t i = 0; status == SG_OK && i < part->actors.len; i++) {
        const sg_part_actor *actor = &part->actors.data[i];
        if (actor->apply)
            status = actor->apply(part, actor->data, time);
    }
    return status;
}

// What the equations or, with joints or laws that follow the given ones, inverse dynamics ask for.
static bool needs_terms(const sg_part *part)
{
    return !part->inside || (part->inverse && (part->split.n_inner > 0 || part->asked));
}

static sg_status evaluate_terms(sg_part *part, const sg_extern_call *call)
{
    size_t n = part->n_given;
    part->solved = part->asked = false;
    part->asked_by = NULL;
    read_coordinates(part, call);
    sg_mbs_kinematics(part->mbs, &part->state, part->q, part->v);
    sg_part_resting_kinematics(part);
    sg_status status = sg_part_apply_forces(part, call->time);
    if (status != SG_OK)
        return status;
    if (n == 0 || !needs_terms(part)) {
        memset(call->results[0].data, 0, (n ? n : 1) * sizeof(double));
        return SG_OK;
    }
    int bad_body = 0;
    part->given_M = part->matrix;
    if (part->asked)
        return sg_part_feedback_terms(part, call->time, call->results[0].data, part->matrix);
    status = sg_mbs_split_terms(part->mbs, &part->state, &part->split, call->results[0].data,
                                part->matrix, &bad_body);
    return status == SG_OK ? SG_OK : no_inertia(part, bad_body);
}

static sg_status evaluate_matrix(const sg_part *part, const sg_extern_call *call)
{
    if (needs_terms(part))
        memcpy(call->results[0].data, part->matrix,
               (size_t)part->n_given * part->n_given * sizeof(double));
    return SG_OK;
}

// Everything is known: no system of equations.
static sg_status evaluate_forward(sg_part *part, const sg_extern_call *call)
{
    int bad_body = 0;
    memset(part->tau, 0, (size_t)part->mbs->n_dof * sizeof(double));
    for (uint32_t j = 0; j < part->n_given; j++)
        part->tau[part->split.given[j]] = *call->args[1 + j].data;
    bool geared = call->n_args > 1 + part->n_given;
    for (uint32_t j = 0; geared && j < part->n_given; j++)
        part->rotor[part->split.given[j]] = *call->args[1 + part->n_given + j].data;
    const double *rotor = geared ? part->rotor : NULL;
    sg_status status = part->asked ? sg_part_feedback_solve(part, call->time, part->tau, rotor)
                                   : sg_mbs_forward_geared(part->mbs, &part->state, part->tau,
                                                           rotor, part->a, &bad_body);
    if (status != SG_OK)
        return part->asked ? status : no_inertia(part, bad_body);
    for (uint32_t j = 0; j < part->n_given; j++)
        call->results[0].data[j] = part->a[part->split.given[j]];
    part->solved = true;
    return SG_OK;
}

// The motion is known: no matrix.
static sg_status evaluate_inverse(sg_part *part, const sg_extern_call *call)
{
    uint32_t n = part->n_given;
    for (uint32_t j = 0; j < n; j++)
        part->a_given[j] = *call->args[1 + j].data;
    if (!needs_terms(part)) {
        for (uint32_t j = 0; j < n; j++)
            part->a[part->split.given[j]] = part->a_given[j];
        sg_mbs_inverse(part->mbs, &part->state, part->a, part->tau);
        for (uint32_t j = 0; j < n; j++)
            call->results[0].data[j] = part->tau[part->split.given[j]];
        return SG_OK;
    }
    memcpy(call->results[0].data, call->args[0].data, n * sizeof(double));
    for (uint32_t j = 0; j < n; j++)
        for (uint32_t i = 0; i < n; i++)
            call->results[0].data[i] += part->matrix[j * n + i] * part->a_given[j];
    return SG_OK;
}

// Derivatives of the hidden states.
static void write_free(sg_part *part, const sg_part_free *f)
{
    const double *q = part->q + f->first, *v = part->v + f->first, *a = part->a + f->first;
    bool xzy = part->state.xzy[f->body];
    double *dx = part->hidden->derivatives.data + f->at;
    sg_vec3 angles = v3_from(q + 3);
    sg_mat3 J = xzy ? rot_132_rates(angles) : rot_123_rates(angles);
    memcpy(dx, v, 3 * sizeof *dx);
    memcpy(dx + 3, a, 3 * sizeof *dx);
    v3_store(m3_mul_v(&J, v3_from(v + 3)), dx + 6);
    sg_mat3 R = rotation(q + 3, xzy);
    // Exact although R turns, since the angular velocity turns nothing in its own direction.
    v3_store(f->in_object ? v3_from(a + 3) : m3_tmul_v(&R, v3_from(a + 3)), dx + 9);
}

static sg_status store(sg_part *part, double time)
{
    part->no_number = NULL; // the solver found its way around it
    // Accelerations of all bodies, and what the joints transmit.
    sg_mbs_inverse(part->mbs, &part->state, part->a, part->tau);
    sg_part_store_results(part);
    sg_part_watch_compat(part);
    for (size_t i = 0; i < part->actors.len; i++) {
        const sg_part_actor *actor = &part->actors.data[i];
        sg_status status = actor->store ? actor->store(part, actor->data, time) : SG_OK;
        if (status != SG_OK)
            return status;
    }
    return sg_part_store_balance(part, time);
}

static sg_status finish_feedback(sg_part *part, double time)
{
    return part->n_given ? sg_part_feedback_finish(part, time)
                         : sg_part_feedback_solve(part, time, part->split.zero, NULL);
}

static sg_status evaluate_accelerations(sg_part *part, const sg_extern_call *call)
{
    int bad_body = 0;
    bool storing = call->mode == SG_MODE_RESULT;
    call->results[0].data[0] = 0.0;
    // With all joints in the equations the accelerations are known there already.
    if (part->split.n_inner == 0 && !storing && !part->balance && !part->asked)
        return SG_OK;
    for (uint32_t j = 0; j < part->n_given; j++)
        part->a_given[j] = *call->args[1 + j].data;
    sg_status status = part->solved  ? SG_OK
                       : part->asked ? finish_feedback(part, call->time)
                                     : sg_mbs_split_finish(part->mbs, &part->state, &part->split,
                                                           part->a_given, part->a, &bad_body);
    if (status != SG_OK)
        return part->asked ? status : no_inertia(part, bad_body);
    double *result = call->results[0].data;
    for (size_t j = 0; j < part->joints.len; j++) {
        const sg_part_joint *joint = &part->joints.data[j];
        if (joint->flange)
            continue;
        write_joint(part, joint, result);
        result += sg_joint_dof(joint->kind);
    }
    for (size_t i = 0; i < part->frees.len; i++)
        write_free(part, &part->frees.data[i]);
    sg_part_resting_derivatives(part, call->results[0].data);
    sg_part_evaluate_balance(part);
    return storing ? store(part, call->time) : SG_OK;
}

// ---- in the numeric program ---------------------------------------------------------------------

sg_dims sg_part_result_shape(const sg_part *part, sg_part_function kind)
{
    uint32_t n = part->n_given;
    for (size_t j = 0; kind == SG_PART_ACCELERATIONS && j < part->joints.len; j++) {
        n = j ? n : 0;
        if (!part->joints.data[j].flange)
            n += (uint32_t)sg_joint_dof(part->joints.data[j].kind);
    }
    n = n ? n : 1;
    return kind == SG_PART_MATRIX ? sg_dims_matrix(n, n) : sg_dims_vector(n);
}

static sg_status give_shape(void *context, const sg_extern_call *call, sg_dims *results)
{
    const sg_part_entry *entry = context;
    (void)call;
    *results = sg_part_result_shape(entry->part, entry->kind);
    return SG_OK;
}

static sg_status evaluate(void *context, const sg_extern_call *call)
{
    const sg_part_entry *entry = context;
    sg_part *part = entry->part;
    if (part->is_held)
        return sg_part_evaluate_held(part, entry->kind, call);
    switch (entry->kind) {
    case SG_PART_TERMS:
        return evaluate_terms(part, call);
    case SG_PART_MATRIX:
        return evaluate_matrix(part, call);
    case SG_PART_ACCELERATIONS:
        return evaluate_accelerations(part, call);
    case SG_PART_FORWARD:
        return evaluate_forward(part, call);
    case SG_PART_INVERSE:
        return evaluate_inverse(part, call);
    case SG_PART_N_FUNCTIONS:
        break;
    }
    return SG_ERR_MODEL;
}

bool sg_part_extern(sg_value function, sg_extern *out)
{
    sg_part_entry *entry = sg_part_entry_of(function);
    if (entry)
        *out = (sg_extern){entry, give_shape, evaluate};
    return entry != NULL;
}

void sg_part_set_inside(sg_part *part, bool inside, bool inverse, bool first)
{
    part->inverse = inverse || (!first && part->inverse);
    part->inside = inside && (first || part->inside);
}
