#include "multibody/element.h"

#include "math/rotation.h"

// Closer than this to a right second angle, the first and the third are not determined.
#define SINGULAR_COSINE 1e-12

static sg_status ask(const sg_law *law, void *caller, double x, double *y)
{
    *y = law->slope * x;
    return law->call ? law->call(law->context, caller, x, y) : SG_OK;
}

static sg_status ask3(const sg_law law[3], void *caller, sg_vec3 x, sg_vec3 *y)
{
    double out[3] = {0};
    for (int i = 0; i < 3; i++) {
        sg_status status = ask(&law[i], caller, v3_get(x, i), &out[i]);
        if (status)
            return status;
    }
    *y = v3_from(out);
    return SG_OK;
}

// Force `f` and moment `n` on `object` at its origin, the opposite on `other`, all resolved in the
// world: the pair's moment about any point is zero.
static void apply_pair(const sg_tree *tree, sg_tree_state *s, int object, int other, sg_vec3 f,
                       sg_vec3 n)
{
    sg_vec3 arm =
        v3_sub(sg_tree_object_pose(tree, s, object).r, sg_tree_object_pose(tree, s, other).r);
    sg_tree_apply(tree, s, object, (sg_force){n, f});
    sg_tree_apply(tree, s, other, (sg_force){v3_neg(v3_add(n, v3_cross(arm, f))), v3_neg(f)});
}

static sg_status apply_load(const sg_tree *tree, sg_tree_state *s, const sg_vector_load *e,
                            sg_vec3 *value, bool torque, double time, void *caller)
{
    sg_status status = e->call(e->context, caller, time, value);
    if (status)
        return status;
    sg_vec3 x = *value;
    if (e->axes != SG_WORLD) {
        sg_pose axes = sg_tree_object_pose(tree, s, e->axes);
        x = pose_vector(&axes, x);
    }
    sg_tree_apply(tree, s, e->object, torque ? (sg_force){x, V3_ZERO} : (sg_force){V3_ZERO, x});
    return SG_OK;
}

// ---- bushing --------------------------------------------------------------------------------

// The three angles of obj2 in obj1, and the moment about obj1's axes of moments about the angles'
// axes.
typedef struct angles {
    sg_vec3 value, rate;
    double sa, ca, sb, cb;
} angles;

// The angle that differs from x by whole turns and is nearest to `near`.
static double turned_near(double x, double near)
{
    return x - SG_TWO_PI * round((x - near) / SG_TWO_PI);
}

// Where the second angle is a right one, only a combination of the other two is determined. The
// first one stays.
static void singular_angles(const sg_mat3 *R, sg_vec3 w, sg_vec3 near, angles *out)
{
    const double(*m)[3] = R->m;
    double sign = m[2][0] < 0.0 ? -1.0 : 1.0, a = near.x, sa = sin(a), ca = cos(a);
    double b = turned_near(sign * SG_HALF_PI, near.y);
    double c = turned_near(sign * (atan2(m[1][2], m[1][1]) - a), near.z);
    *out = (angles){.value = v3_make(a, b, c),
                    .rate = v3_make(w.x, ca * w.y + sa * w.z, 0.0),
                    .sa = sa,
                    .ca = ca,
                    .sb = sign,
                    .cb = 0.0};
}

// Every orientation has two triples of angles in a turn: (a, b, c) and (a + pi, pi - b, c + pi).
// That near the last ones goes on where the second angle passes a right one and where the others
// pass a straight one.
static void large_angles(const sg_mat3 *R, sg_vec3 w, const sg_bushing_values *v, angles *out)
{
    const double(*m)[3] = R->m;
    double sb = rot_clamp1(m[2][0]), cb = sqrt(1.0 - sb * sb);
    if (!(cb > SINGULAR_COSINE)) {
        singular_angles(R, w, v->near, out);
        return;
    }
    sg_vec3 x = v3_make(atan2(-m[2][1], m[2][2]), asin(sb), atan2(-m[1][0], m[0][0]));
    if (v->is_near) {
        sg_vec3 y = v3_make(x.x + SG_PI, SG_PI - x.y, x.z + SG_PI), near = v->near;
        x = v3_make(turned_near(x.x, near.x), turned_near(x.y, near.y), turned_near(x.z, near.z));
        y = v3_make(turned_near(y.x, near.x), turned_near(y.y, near.y), turned_near(y.z, near.z));
        if (fabs(y.x - near.x) + fabs(y.z - near.z) < fabs(x.x - near.x) + fabs(x.z - near.z)) {
            x = y;
            cb = -cb;
        }
    }
    double sa = -m[2][1] / cb, ca = m[2][2] / cb;
    *out = (angles){.value = x, .sa = sa, .ca = ca, .sb = sb, .cb = cb};
    out->rate = v3_make(w.x + (sa * w.y - ca * w.z) * sb / cb, ca * w.y + sa * w.z,
                        (-sa * w.y + ca * w.z) / cb);
}

static sg_vec3 moment_of(const sg_bushing *e, const angles *at, sg_vec3 m)
{
    if (!e->large_angles)
        return m;
    return v3_make(m.x + at->sb * m.z, at->ca * m.y - at->sa * at->cb * m.z,
                   at->sa * m.y + at->ca * at->cb * m.z);
}

// The rate of the energy in the springs of a bushing. For small angles it is not the angular
// velocity that integrates to the angles, which are entries of the rotation matrix.
static double storing(const sg_bushing *e, const sg_bushing_values *b, const sg_measured *m)
{
    sg_mat3 skew = m3_skew(m->w), S = m3_mul(m->R, skew); // minus the rate of R
    sg_vec3 angle_rate = b->rates;
    if (!e->large_angles)
        angle_rate = v3_make(-S.m[1][2], -S.m[2][0], -S.m[0][1]);
    return v3_dot(v3_add(b->spring_torque, e->nominal_torque), angle_rate) +
           v3_dot(v3_add(b->spring_force, e->nominal_force), b->velocity);
}

static sg_status ask_bushing(const sg_bushing *e, void *caller, sg_bushing_values *b)
{
    sg_status status = ask3(e->spring, caller, b->translation, &b->spring_force);
    if (!status)
        status = ask3(e->damper, caller, b->velocity, &b->damper_force);
    if (!status)
        status = ask3(e->rot_spring, caller, b->rotation, &b->spring_torque);
    if (!status)
        status = ask3(e->rot_damper, caller, b->rates, &b->damper_torque);
    return status;
}

static sg_status apply_bushing(const sg_tree *tree, sg_tree_state *s, const sg_bushing *e,
                               void *caller, sg_bushing_values *b)
{
    sg_view from_1 = {.origin = e->obj1, .axes = e->obj1, .observer = e->obj1};
    sg_measured m = sg_tree_measure(tree, s, e->obj2, from_1);
    angles at = {.value = v3_make(m.R.m[1][2], m.R.m[2][0], m.R.m[0][1]), .rate = m.w};
    if (e->large_angles) {
        large_angles(&m.R, m.w, b, &at);
        b->cosine = at.cb;
    }
    b->translation = m.r;
    b->velocity = m.v;
    b->rotation = at.value;
    b->rates = at.rate;
    sg_status status = ask_bushing(e, caller, b);
    if (status)
        return status;
    b->torque = v3_add(v3_add(b->spring_torque, b->damper_torque), e->nominal_torque);
    sg_vec3 force = v3_add(v3_add(b->spring_force, b->damper_force), e->nominal_force);
    b->force_vector = v3_neg(v3_sub(force, b->given_force));
    b->torque_vector = v3_neg(v3_sub(moment_of(e, &at, b->torque), b->given_torque));
    b->storing = storing(e, b, &m);
    sg_pose axes = sg_tree_object_pose(tree, s, e->obj1);
    apply_pair(tree, s, e->obj2, e->obj1, pose_vector(&axes, b->force_vector),
               pose_vector(&axes, b->torque_vector));
    return SG_OK;
}

// ---- spring ---------------------------------------------------------------------------------

static sg_status apply_spring(const sg_tree *tree, sg_tree_state *s, const sg_spring *e,
                              void *caller, sg_spring_values *b)
{
    sg_view from_1 = {.origin = e->obj1, .axes = SG_WORLD, .observer = SG_WORLD};
    sg_measured m = sg_tree_measure(tree, s, e->obj2, from_1);
    b->distance = m.distance;
    b->velocity = m.rate;
    b->deflection = m.distance - e->nominal_length;
    sg_status status = ask(&e->spring, caller, b->deflection, &b->spring_force);
    if (!status)
        status = ask(&e->damper, caller, b->velocity, &b->damper_force);
    if (status)
        return status;
    b->spring_force += e->nominal_force;
    b->force = b->spring_force + b->damper_force + b->given_force;
    b->force_vector = v3_scale(m.n, -b->force);
    sg_pose axes = sg_tree_frame_motion(tree, s, e->line_axes).pose;
    apply_pair(tree, s, e->obj2, e->obj1, pose_vector(&axes, b->force_vector), V3_ZERO);
    return SG_OK;
}

// ---- all ------------------------------------------------------------------------------------

sg_force_element sg_bushing_make(const char *name, int obj1, int obj2)
{
    return (sg_force_element){
        .name = name, .kind = SG_ELEMENT_BUSHING, .u.bushing = {.obj1 = obj1, .obj2 = obj2}};
}

sg_force_element sg_spring_make(const char *name, int obj1, int obj2)
{
    return (sg_force_element){.name = name,
                              .kind = SG_ELEMENT_SPRING,
                              .u.spring = {.obj1 = obj1, .obj2 = obj2, .line_axes = SG_WORLD}};
}

static sg_status apply_element(const sg_tree *tree, sg_tree_state *s, const sg_force_element *e,
                               sg_force_values *values, double time, void *caller)
{
    switch (e->kind) {
    case SG_ELEMENT_FORCE:
    case SG_ELEMENT_TORQUE:
        return apply_load(tree, s, &e->u.load, &values->u.load, e->kind == SG_ELEMENT_TORQUE, time,
                          caller);
    case SG_ELEMENT_BUSHING:
        return apply_bushing(tree, s, &e->u.bushing, caller, &values->u.bushing);
    case SG_ELEMENT_SPRING:
        return apply_spring(tree, s, &e->u.spring, caller, &values->u.spring);
    }
    return SG_ERR_INTERNAL;
}

sg_status sg_force_elements_apply(const sg_tree *tree, sg_tree_state *s,
                                  const sg_force_element *elements, sg_force_values *values, int n,
                                  double time, void *caller, int *bad)
{
    for (*bad = 0; *bad < n; ++*bad) {
        sg_status status = apply_element(tree, s, &elements[*bad], &values[*bad], time, caller);
        if (status)
            return status;
    }
    return SG_OK;
}

// ---- energy ---------------------------------------------------------------------------------

// The integral of a law from 0 to x, by Gauss' rule with five points on each of some panels. Smooth
// laws are right to the last digits, laws with a corner to about a thousandth of their scale.
static sg_status stored(const sg_law *law, void *caller, double x, double *sum)
{
    enum { PANELS = 16 };
    static const double node[3] = {0.0, 0.5384693101056831, 0.9061798459386640};
    static const double weight[3] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
    if (!law->call) {
        *sum += 0.5 * law->slope * x * x;
        return SG_OK;
    }
    double half = 0.5 * x / PANELS;
    for (int p = 0; p < PANELS; p++)
        for (int i = -2; i <= 2; i++) {
            int k = i < 0 ? -i : i;
            double y, at = half * (2 * p + 1 + (i < 0 ? -node[k] : node[k]));
            sg_status status = law->call(law->context, caller, at, &y);
            if (status)
                return status;
            *sum += half * weight[k] * y;
        }
    return SG_OK;
}

static sg_status stored_in_bushing(const sg_bushing *e, const sg_bushing_values *b, void *caller,
                                   double *sum)
{
    sg_status status = SG_OK;
    for (int i = 0; i < 3 && !status; i++) {
        status = stored(&e->spring[i], caller, v3_get(b->translation, i), sum);
        if (!status)
            status = stored(&e->rot_spring[i], caller, v3_get(b->rotation, i), sum);
    }
    *sum += v3_dot(e->nominal_force, b->translation) + v3_dot(e->nominal_torque, b->rotation);
    return status;
}

sg_status sg_force_elements_stored(const sg_force_element *elements, const sg_force_values *values,
                                   int n, void *caller, double *out)
{
    sg_status status = SG_OK;
    *out = 0.0;
    for (int i = 0; i < n && !status; i++) {
        if (elements[i].kind == SG_ELEMENT_BUSHING) {
            status = stored_in_bushing(&elements[i].u.bushing, &values[i].u.bushing, caller, out);
        } else if (elements[i].kind == SG_ELEMENT_SPRING) {
            const sg_spring *e = &elements[i].u.spring;
            double deflection = values[i].u.spring.deflection;
            status = stored(&e->spring, caller, deflection, out);
            *out += e->nominal_force * deflection;
        }
    }
    return status;
}

sg_force_element_power sg_force_elements_power(const sg_force_element *elements,
                                               const sg_force_values *values, int n)
{
    sg_force_element_power sum = {0.0, 0.0};
    for (int i = 0; i < n; i++) {
        if (elements[i].kind == SG_ELEMENT_BUSHING) {
            const sg_bushing_values *b = &values[i].u.bushing;
            sum.lost += v3_dot(b->damper_force, b->velocity) + v3_dot(b->damper_torque, b->rates);
            sum.stored += b->storing;
        } else if (elements[i].kind == SG_ELEMENT_SPRING) {
            const sg_spring_values *b = &values[i].u.spring;
            sum.lost += b->damper_force * b->velocity;
            sum.stored += b->spring_force * b->velocity;
        }
    }
    return sum;
}
