#include "model3d/analysis.h"

#include "math/dense.h"
#include "math/rotation.h"
#include "parts/part.h"

#include <math.h>
#include <string.h>

sg_status sg_part_analysis_begin(const sg_part *part, sg_part_analysis *a)
{
    *a = (sg_part_analysis){.part = part, .tree = part->segment.tree};
    sg_arena_init(&a->arena, part->allocator);
    if (!a->tree || !part->run)
        return SG_ERR_USAGE;
    a->n = a->tree->n_dof;
    size_t n = (size_t)a->n;
    sg_status status = sg_tree_state_init(a->tree, &a->arena, &a->state);
    a->q = SG_NEW_ARRAY(&a->arena, double, n + 1);
    a->v = SG_NEW_ARRAY(&a->arena, double, n + 1);
    if (status != SG_OK || !a->q || !a->v)
        return SG_ERR_MEMORY;
    const sg_part_state *run = part->run;
    memcpy(a->q, run->q, n * sizeof *a->q);
    memcpy(a->v, run->v, n * sizeof *a->v);
    memcpy(a->state.xzy, run->tree.xzy, (size_t)a->tree->n_bodies * sizeof *a->state.xzy);
    return SG_OK;
}

void sg_part_analysis_end(sg_part_analysis *a) { sg_arena_destroy(&a->arena); }

void sg_part_coordinate_name(const sg_part_analysis *a, int i, sg_buf *out)
{
    const sg_part *part = a->part;
    for (size_t k = 0; k < part->built.joints.len; k++) {
        const sg_part_joint *j = &part->built.joints.data[k];
        int dof = j->first < 0 ? 0 : sg_joint_dof(j->kind);
        if (j->first < 0 || i < j->first || i >= j->first + dof)
            continue;
        const char *name = j->form->step[j->step].inputs[0];
        sg_buf_printf(out, "%s.", sg_vm_text(part->vm, j->path));
        if (dof == 6) // r, v, rot, w
            name = i - j->first < 3 ? name : j->form->step[j->step].inputs[2];
        sg_buf_puts(out, name);
        if (dof > 1)
            sg_buf_printf(out, "[%d]", (i - j->first) % 3 + 1);
        return;
    }
    for (size_t k = 0; k < part->records.frees.len; k++) {
        const sg_part_free *f = &part->records.frees.data[k];
        if (i >= f->first && i < f->first + 6)
            sg_buf_printf(out, "%s.%s[%d]", part->records.objects.data[f->object].name,
                          i - f->first < 3 ? "translation" : "rotation", (i - f->first) % 3 + 1);
    }
}

int sg_part_find_object(const sg_part *part, const char *path)
{
    for (size_t i = 0; i < part->records.objects.len; i++)
        if (strcmp(part->records.objects.data[i].name, path) == 0)
            return (int)i;
    return -1;
}

void sg_part_mass_matrix(sg_part_analysis *a, double *M)
{
    sg_tree_kinematics(a->tree, &a->state, a->q, a->v);
    sg_tree_mass_matrix(a->tree, &a->state, M);
}

void sg_part_jacobian(sg_part_analysis *a, int object, double *J)
{
    size_t n = (size_t)a->n;
    sg_tree_kinematics(a->tree, &a->state, a->q, a->v);
    sg_tree_jacobian(a->tree, &a->state, object, V3_ZERO, J);
    for (size_t k = 0; k < 3 * n; k++) { // the velocity comes first
        double w = J[k];
        J[k] = J[3 * n + k];
        J[3 * n + k] = w;
    }
}

void sg_part_inverse_dynamics(sg_part_analysis *a, const double *acc, double *tau)
{
    sg_tree_kinematics(a->tree, &a->state, a->q, a->v);
    sg_tree_inverse(a->tree, &a->state, acc, tau);
}

sg_pose sg_part_pose(sg_part_analysis *a, int object)
{
    sg_tree_kinematics(a->tree, &a->state, a->q, a->v);
    return sg_tree_object_pose(a->tree, &a->state, object);
}

double sg_part_total_mass(sg_part_analysis *a, sg_vec3 *center)
{
    double mass = 0.0;
    sg_vec3 sum = V3_ZERO;
    sg_tree_kinematics(a->tree, &a->state, a->q, a->v);
    for (int k = 1; k < a->tree->n_bodies; k++) {
        sg_inertia i = sg_tree_world_inertia(a->tree, &a->state, k);
        if (!sg_tree_moves(a->tree, k))
            continue;
        mass += i.m;
        sum = v3_add(sum, v3_add(i.mc, v3_scale(a->state.link[k].world.r, i.m)));
    }
    *center = mass > 0.0 ? v3_scale(sum, 1.0 / mass) : V3_ZERO;
    return mass;
}

// ---- inverse kinematics -------------------------------------------------------------------------

enum { MAX_STEPS = 200, MAX_STARTS = 40 };
// What remains may be this part of the arm's size, and this angle: a few hundred roundings.
static const double close_enough = 1e-13;

typedef struct reach {
    sg_part_analysis *a;
    int object, rows; // 6, or 3 without an orientation
    sg_vec3 r;
    const sg_mat3 *R;
    double size;     // of the arm [m]: an angle of 1 rad counts as much as this
    double *J, *dq;  // 6 x n, n
    double *old, *v; // n
    double e[6];     // what is missing
} reach;

// Axis times angle of a turn.
static sg_vec3 turn_vector(sg_mat3 R)
{
    sg_vec3 s = {0.5 * (R.m[2][1] - R.m[1][2]), 0.5 * (R.m[0][2] - R.m[2][0]),
                 0.5 * (R.m[1][0] - R.m[0][1])};
    double sine = v3_norm(s), cosine = 0.5 * (m3_trace(&R) - 1.0), angle = atan2(sine, cosine);
    if (sine > 1e-8)
        return v3_scale(s, angle / sine);
    if (cosine > 0.0)
        return s;
    // Half a turn: the axis is the largest column of R + 1.
    int k =
        R.m[0][0] > R.m[1][1] ? (R.m[0][0] > R.m[2][2] ? 0 : 2) : (R.m[1][1] > R.m[2][2] ? 1 : 2);
    sg_vec3 axis = v3_add(m3_column(&R, k), v3_axis(k));
    return v3_scale(v3_unit(axis), angle);
}

// Objects that move freely stay where they are.
static void keep_free_still(const reach *k)
{
    const sg_part *part = k->a->part;
    size_t n = (size_t)k->a->n;
    for (size_t f = 0; f < part->records.frees.len; f++)
        for (size_t row = 0; row < 6; row++)
            for (size_t i = 0; i < 6 && part->records.frees.data[f].first >= 0; i++)
                k->J[row * n + (size_t)part->records.frees.data[f].first + i] = 0.0;
}

// Fills in `e` and returns its square; the Jacobian, too.
static double look(reach *k)
{
    size_t n = (size_t)k->a->n;
    sg_part_jacobian(k->a, k->object, k->J);
    keep_free_still(k);
    sg_pose pose = sg_tree_object_pose(k->a->tree, &k->a->state, k->object);
    v3_store(v3_sub(k->r, pose.r), k->e);
    if (k->R)
        v3_store(v3_scale(turn_vector(m3_mul(*k->R, m3_transpose(pose.R))), k->size), k->e + 3);
    for (size_t i = 3 * n; i < 6 * n; i++)
        k->J[i] *= k->size;
    double sum = 0.0;
    for (int i = 0; i < k->rows; i++)
        sum += k->e[i] * k->e[i];
    return sum;
}

// dq = J' (J J' + damping)^-1 e.
static bool find_step(reach *k, double damping)
{
    double m[36], b[6];
    size_t n = (size_t)k->a->n;
    int rows = k->rows;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j <= i; j++) {
            double sum = i == j ? damping : 0.0;
            for (size_t c = 0; c < n; c++)
                sum += k->J[(size_t)i * n + c] * k->J[(size_t)j * n + c];
            m[i * rows + j] = sum;
        }
    memcpy(b, k->e, (size_t)rows * sizeof *b);
    if (sg_cholesky_factor(m, rows) != SG_OK)
        return false;
    sg_cholesky_solve(m, rows, b);
    double largest = 0.0;
    for (size_t c = 0; c < n; c++) {
        k->dq[c] = 0.0;
        for (int i = 0; i < rows; i++)
            k->dq[c] += k->J[(size_t)i * n + c] * b[i];
        largest = fmax(largest, fabs(k->dq[c]));
    }
    for (size_t c = 0; c < n && largest > 1.0; c++) // a radian at most
        k->dq[c] /= largest;
    return true;
}

static void move(reach *k)
{
    sg_part_analysis *a = k->a;
    memcpy(k->old, a->q, (size_t)a->n * sizeof *k->old);
    sg_tree_kinematics(a->tree, &a->state, a->q, k->dq);
    sg_tree_rates(a->tree, &a->state, k->v);
    for (int i = 0; i < a->n; i++)
        a->q[i] += k->v[i];
}

static double descend(reach *k)
{
    double error = look(k), damping = 1e-3 * k->size * k->size;
    for (int step = 0; step < MAX_STEPS; step++) {
        if (error <= close_enough * close_enough * k->size * k->size)
            break;
        if (!find_step(k, damping)) {
            damping = 10.0 * damping + 1e-12 * k->size * k->size;
            continue;
        }
        move(k);
        double now = look(k);
        if (now < error) {
            damping *= 0.1;
        } else {
            memcpy(k->a->q, k->old, (size_t)k->a->n * sizeof *k->old);
            now = look(k);
            damping = 10.0 * damping + 1e-14 * k->size * k->size;
            if (damping > 1e6 * k->size * k->size)
                break;
        }
        error = now;
    }
    return error;
}

// Somewhere else, by a sequence that is the same every time (golden section).
static void leave(reach *k, const double *first, int start)
{
    sg_part_analysis *a = k->a;
    for (int i = 0; i < a->n; i++) {
        double x = fmod(0.6180339887498949 * (start * (i + 1) + 0.37 * i), 1.0) - 0.5;
        a->q[i] = first[i];
        for (int b = 1; b < a->tree->n_bodies; b++) {
            const sg_tree_body *body = &a->tree->body[b];
            if (i >= body->first && i < body->first + body->dof && body->dof == 1)
                a->q[i] += body->moves == SG_MOVE_SLIDES ? x * k->size : 5.0 * x;
        }
    }
}

static sg_part_reached judge(const reach *k)
{
    sg_part_reached out = {.gap = v3_norm(v3_from(k->e)),
                           .angle = k->R ? v3_norm(v3_from(k->e + 3)) / k->size : 0.0};
    // Ten times what is asked of the steps, whose end rounding decides.
    out.ok = out.gap <= 1e3 * close_enough * k->size && out.angle <= 1e3 * close_enough;
    return out;
}

sg_part_reached sg_part_inverse_kinematics(sg_part_analysis *a, int object, sg_vec3 r,
                                           const sg_mat3 *R)
{
    size_t n = (size_t)a->n;
    reach k = {.a = a, .object = object, .rows = R ? 6 : 3, .r = r, .R = R, .size = 1.0};
    k.J = SG_NEW_ARRAY(&a->arena, double, 6 * n + 1);
    k.dq = SG_NEW_ARRAY(&a->arena, double, n + 1);
    k.old = SG_NEW_ARRAY(&a->arena, double, n + 1);
    k.v = SG_NEW_ARRAY(&a->arena, double, n + 1);
    double *first = SG_NEW_ARRAY(&a->arena, double, n + 1);
    double *best = SG_NEW_ARRAY(&a->arena, double, n + 1);
    if (a->arena.failed)
        return (sg_part_reached){.gap = INFINITY};
    memcpy(first, a->q, n * sizeof *first);
    look(&k);
    // The longest lever of a joint, or how far the goal is where they only slide.
    double size = 0.0;
    for (size_t c = 0; c < n; c++)
        if (k.J[3 * n + c] != 0.0 || k.J[4 * n + c] != 0.0 || k.J[5 * n + c] != 0.0)
            size = fmax(size, hypot(k.J[c], hypot(k.J[n + c], k.J[2 * n + c])));
    k.size = fmax(size, v3_norm(v3_from(k.e)));
    k.size = k.size > 0.0 ? k.size : 1.0;
    double least = INFINITY;
    sg_part_reached out = {.ok = false};
    for (int start = 0; start < MAX_STARTS && !out.ok; start++) {
        if (start > 0)
            leave(&k, first, start);
        double error = descend(&k);
        if (error < least) {
            least = error;
            out = judge(&k);
            memcpy(best, a->q, n * sizeof *best);
        }
    }
    memcpy(a->q, best, n * sizeof *best);
    return out;
}
