// Models as robotics sees them (segue/mechanics.h).
#include "segue/mechanics.h"

#include "api/model_internal.h"
#include "model3d/analysis.h"

#include <stdio.h>
#include <string.h>

typedef struct mechanics_call {
    sg_model *model;
    sg_part_analysis a;
    int object;
    sg_status status;
} mechanics_call;

static void refuse(mechanics_call *c, const char *format, const char *name)
{
    if (c->status == SG_OK)
        sg_error(&c->model->session->diags, SG_E_USAGE, (sg_span){0}, format, name);
    c->status = SG_ERR_USAGE;
}

// Enters the model; false if that cannot be. `object` may be null. Then go on if the status is
// fine.
static bool begin(mechanics_call *c, sg_model *model, const char *object, bool whole)
{
    *c = (mechanics_call){.model = model};
    if (!sg_model_enter(model))
        return false;
    const sg_model_object *m = model->live.model;
    if (!whole)
        refuse(c, "an argument is missing%s", "");
    else if (!model->live.run)
        refuse(c, "the model is not initialized%s", "");
    else if (m->n_parts != 1)
        refuse(c, "the model has not one Model3D%s", "");
    if (c->status == SG_OK)
        c->status = sg_live_evaluate(&model->live);
    if (c->status == SG_OK)
        c->status = sg_part_analysis_begin(m->parts[0], &c->a);
    c->object = c->status == SG_OK && object ? sg_part_find_object(m->parts[0], object) : -1;
    if (c->status == SG_OK && object && c->object < 0)
        refuse(c, "there is no object '%s'", object);
    return true;
}

static sg_status end(mechanics_call *c)
{
    if (c->a.part)
        sg_part_analysis_end(&c->a);
    return sg_model_leave(c->model, c->status);
}

static bool has(mechanics_call *c, size_t n, size_t wanted)
{
    if (c->status == SG_OK && n != wanted)
        refuse(c, "the number of values does not fit the coordinates%s", "");
    return c->status == SG_OK;
}

static void take(const mechanics_call *c, double *to, const double *from)
{
    if (from)
        memcpy(to, from, (size_t)c->a.n * sizeof *to);
}

size_t sg_model_n_coordinates(sg_model *model)
{
    mechanics_call c;
    if (!model || !model->live.run || model->live.model->n_parts != 1 ||
        !begin(&c, model, NULL, true))
        return 0;
    size_t n = c.status == SG_OK ? (size_t)c.a.n : 0;
    end(&c);
    return n;
}

sg_status sg_model_coordinate_name(sg_model *model, size_t i, char *name, size_t room)
{
    mechanics_call c;
    if (!begin(&c, model, NULL, name && room))
        return SG_ERR_USAGE;
    if (c.status == SG_OK && i >= (size_t)c.a.n)
        refuse(&c, "there is no such coordinate%s", "");
    if (c.status == SG_OK) {
        sg_buf text;
        sg_buf_init(&text, model->allocator);
        sg_part_coordinate_name(&c.a, (int)i, &text);
        c.status = text.failed ? SG_ERR_MEMORY : SG_OK;
        snprintf(name, room, "%s", sg_buf_text(&text));
        sg_buf_free(&text);
    }
    return end(&c);
}

sg_status sg_model_mass_matrix(sg_model *model, const double *q, double *M, size_t n_M)
{
    mechanics_call c;
    if (!begin(&c, model, NULL, M != NULL))
        return SG_ERR_USAGE;
    if (has(&c, n_M, (size_t)c.a.n * (size_t)c.a.n)) {
        take(&c, c.a.q, q);
        sg_part_mass_matrix(&c.a, M);
    }
    return end(&c);
}

sg_status sg_model_jacobian(sg_model *model, const char *object, const double *q, double *J,
                            size_t n_J)
{
    mechanics_call c;
    if (!begin(&c, model, object, J && object))
        return SG_ERR_USAGE;
    if (has(&c, n_J, 6 * (size_t)c.a.n)) {
        take(&c, c.a.q, q);
        sg_part_jacobian(&c.a, c.object, J);
    }
    return end(&c);
}

sg_status sg_model_inverse_dynamics(sg_model *model, const double *q, const double *v,
                                    const double *acceleration, double *tau, size_t n)
{
    mechanics_call c;
    if (!begin(&c, model, NULL, acceleration && tau))
        return SG_ERR_USAGE;
    if (has(&c, n, (size_t)c.a.n)) {
        take(&c, c.a.q, q);
        take(&c, c.a.v, v);
        sg_part_inverse_dynamics(&c.a, acceleration, tau);
    }
    return end(&c);
}

sg_status sg_model_pose(sg_model *model, const char *object, const double *q, double position[3],
                        double R[9])
{
    mechanics_call c;
    if (!begin(&c, model, object, object && position && R))
        return SG_ERR_USAGE;
    if (c.status == SG_OK) {
        take(&c, c.a.q, q);
        sg_pose pose = sg_part_pose(&c.a, c.object);
        v3_store(pose.r, position);
        memcpy(R, pose.R.m, sizeof pose.R.m);
    }
    return end(&c);
}

sg_status sg_model_inverse_kinematics(sg_model *model, const char *object, const double position[3],
                                      const double *R, double *q, size_t n)
{
    mechanics_call c;
    if (!begin(&c, model, object, object && position && q))
        return SG_ERR_USAGE;
    if (has(&c, n, (size_t)c.a.n)) {
        sg_mat3 turn = M3_IDENTITY;
        if (R)
            memcpy(turn.m, R, sizeof turn.m);
        if (R && m3_rotation_error(&turn) > 1e-9)
            refuse(&c, "the matrix is no rotation%s", "");
        take(&c, c.a.q, q);
        sg_part_reached reached =
            c.status == SG_OK
                ? sg_part_inverse_kinematics(&c.a, c.object, v3_from(position), R ? &turn : NULL)
                : (sg_part_reached){.ok = true};
        if (c.a.arena.failed) {
            c.status = SG_ERR_MEMORY;
        } else if (!reached.ok) {
            sg_error(&model->session->diags, SG_E_USAGE, (sg_span){0},
                     "'%s' cannot be brought there; %.3g m and %.3g rad are missing", object,
                     reached.gap, reached.angle);
            c.status = SG_ERR_SOLVER;
        } else if (c.status == SG_OK) {
            memcpy(q, c.a.q, n * sizeof *q);
        }
    }
    return end(&c);
}
