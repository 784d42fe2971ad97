// Quantities of elements while the model runs: what equations ask for, and what they give.
#include "math/quat.h"
#include "math/rotation.h"
#include "multibody/measure.h"
#include "parts/part.h"
#include "parts/script_call.h"

#include <string.h>

// ---- before a segment ---------------------------------------------------------------------------

static sg_status tell_gone(const sg_part *part, const sg_port *port)
{
    sg_error(part->vm->diags, SG_E_PORT, port->span,
             "'%s' does not exist in this segment: there is no %s '%s' that has it", port->name,
             port->place->kind, port->place->name);
    return SG_ERR_MODEL;
}

// What equations may ask of an object.
typedef enum object_quantity {
    POSITION,
    ANGLES,
    ROTATION,
    QUATERNION,
    VELOCITY,
    TURNING,
    ACCELERATION,
    TURNING_UP,
    PROPER_ACCELERATION,
    N_QUANTITIES
} object_quantity;

static int quantity_of(const char *signal)
{
    static const char *const names[N_QUANTITIES] = {"r_abs", "rot123_abs", "R_abs",
                                                    "q_abs", "v_abs",      "w_abs",
                                                    "a_abs", "z_abs",      "properAcceleration"};
    int k = 0;
    while (k < N_QUANTITIES && strcmp(names[k], signal) != 0)
        k++;
    return k;
}

static sg_status bind_object(const sg_part *part, sg_port *port)
{
    port->object = -1;
    port->quantity = quantity_of(port->kind->signal);
    for (size_t i = 0; i < part->records.objects.len && port->object < 0; i++)
        if (strcmp(part->records.objects.data[i].name, port->place->name) == 0)
            port->object = (int)i;
    bool gone = port->object < 0 || part->records.objects.data[port->object].gone;
    return gone ? tell_gone(part, port) : SG_OK;
}

static sg_status bind_signal(const sg_part *part, sg_port *port)
{
    const sg_hidden *hidden = part->segment.hidden;
    port->local = -1;
    for (size_t i = 0; i < hidden->locals.len && port->local < 0; i++)
        if (strcmp(hidden->locals.data[i].name, port->name) == 0)
            port->local = (int32_t)i;
    return port->local < 0 ? tell_gone(part, port) : SG_OK;
}

// Which actors show signals of a level.
static void list_actors(const sg_part *part, sg_port_level level, uint32_t *actors, uint32_t *n)
{
    for (size_t i = 0; i < part->records.actors.len; i++) {
        const sg_part_actor *actor = &part->records.actors.data[i];
        bool asked = false;
        for (size_t k = 0; k < part->built.ports.list.len; k++) {
            const sg_port *port = &part->built.ports.list.data[k];
            asked |= port->kind->level == level && port->object < 0 &&
                     port->local >= actor->first_local &&
                     port->local < actor->first_local + actor->n_locals;
        }
        if (asked && actor->store)
            actors[(*n)++] = (uint32_t)i;
    }
}

sg_status sg_part_bind_ports(sg_part *part)
{
    sg_ports *ports = &part->built.ports;
    sg_status status = SG_OK;
    for (size_t i = 0; i < ports->list.len && status == SG_OK; i++) {
        sg_port *port = &ports->list.data[i];
        if (strcmp(port->kind->element, "Object3D") == 0 && !sg_port_is_reaction(port->kind))
            status = bind_object(part, port);
        else if (port->kind->level != SG_PORT_INPUT)
            status = bind_signal(part, port);
    }
    for (int level = 0; level < SG_PORT_INPUT && status == SG_OK; level++) {
        ports->actors[level] =
            SG_NEW_ARRAY(&part->segment.arena, uint32_t, part->records.actors.len + 1);
        ports->n_actors[level] = 0;
        if (!ports->actors[level])
            return SG_ERR_MEMORY;
        list_actors(part, (sg_port_level)level, ports->actors[level], &ports->n_actors[level]);
    }
    return status;
}

bool sg_part_find_input(const sg_part *part, const char *element, const char *signal, uint32_t *at)
{
    for (size_t i = 0; i < part->built.ports.list.len; i++) {
        const sg_port *port = &part->built.ports.list.data[i];
        if (port->kind->level != SG_PORT_INPUT || strcmp(port->place->name, element) != 0 ||
            strcmp(port->kind->signal, signal) != 0)
            continue;
        *at = port->at;
        return true;
    }
    return false;
}

sg_status sg_part_check_inputs(const sg_part *part, const sg_extern_call *call)
{
    uint32_t k = 1;
    for (size_t i = 0; i < part->built.ports.list.len; i++) {
        const sg_port *port = &part->built.ports.list.data[i];
        if (port->kind->level != SG_PORT_INPUT)
            continue;
        uint32_t n = sg_dims_count(call->args[k++].shape), wanted = sg_port_size(port->kind);
        if (n == wanted)
            continue;
        sg_error(part->vm->diags, SG_E_PORT, port->span, "'%s' must be %s; here it has %u number%s",
                 port->name, wanted == 1 ? "a number" : "a vector of three numbers", n,
                 n == 1 ? "" : "s");
        return SG_ERR_MODEL;
    }
    return SG_OK;
}

// Laws of the script that ask for accelerations have their own loop (model3d/feedback.h), of which
// the equations know nothing.
sg_status sg_part_check_ports(const sg_part_eval *e)
{
    const sg_port *bad = NULL;
    for (size_t i = 0; e->asks && i < e->part->built.ports.list.len; i++) {
        const sg_port *port = &e->part->built.ports.list.data[i];
        if (port->kind->level == SG_PORT_ACCELERATION || port->depends_on_laws)
            bad = port;
    }
    if (!bad)
        return SG_OK;
    if (!e->state->failed)
        sg_error(e->state->diags, SG_E_PORT, bad->span,
                 "equations cannot use '%s' while %s asks for accelerations; let equations give "
                 "that force",
                 bad->name, e->asked_by->what);
    e->state->failed = true;
    return SG_ERR_MODEL;
}

void sg_part_explain_feedback(const sg_part *part, sg_diags *diags)
{
    bool singular = false;
    for (size_t i = 0; i < diags->len; i++)
        singular |= diags->list[i].code == SG_E_LINEAR_SYSTEM;
    for (size_t i = 0; singular && i < part->built.ports.list.len; i++) {
        const sg_port *port = &part->built.ports.list.data[i];
        if (port->kind->level != SG_PORT_ACCELERATION)
            continue;
        sg_note(diags, port->span,
                "a force that depends on '%s' may take away all of the inertia that it moves, as "
                "a force of plus mass times acceleration does; then no acceleration is determined",
                port->name);
        return;
    }
}

// ---- what equations ask for ---------------------------------------------------------------------

static void store_matrix(const sg_mat3 *R, double *out)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[3 * i + j] = R->m[i][j];
}

static void read_object(const sg_part_state *s, const sg_port *port, double *out)
{
    const sg_tree *tree = s->part->segment.tree;
    sg_frame_motion m = sg_tree_frame_motion(tree, &s->tree, port->object);
    sg_mat3 R_abs = m3_transpose(m.pose.R);
    sg_quat q;
    switch ((object_quantity)port->quantity) {
    case POSITION:
        v3_store(m.pose.r, out);
        break;
    case ANGLES:
        v3_store(rot_123_from(&R_abs, 0.0), out);
        break;
    case ROTATION:
        store_matrix(&R_abs, out);
        break;
    case QUATERNION:
        q = q_from_mat3(&R_abs);
        memcpy(out, (double[4]){q.x, q.y, q.z, q.w}, 4 * sizeof *out);
        break;
    case VELOCITY:
        v3_store(m.V.v, out);
        break;
    case TURNING:
        v3_store(m3_mul_v(&R_abs, m.V.w), out);
        break;
    case ACCELERATION:
        v3_store(m.A.v, out);
        break;
    case TURNING_UP:
        v3_store(m3_mul_v(&R_abs, m.A.w), out);
        break;
    case PROPER_ACCELERATION:
        v3_store(m3_mul_v(&R_abs, v3_sub(m.A.v, sg_tree_gravity_at(tree, m.pose.r))), out);
        break;
    case N_QUANTITIES:
        break;
    }
}

sg_status sg_part_read_ports(sg_part_eval *e, sg_port_level level, double *out)
{
    const sg_ports *ports = &e->part->built.ports;
    sg_part_state *s = e->state;
    for (uint32_t i = 0; i < ports->n_actors[level]; i++) {
        uint32_t k = ports->actors[level][i];
        const sg_part_actor *actor = &e->part->records.actors.data[k];
        sg_status status = actor->store(e, actor->data, s->own[k]);
        if (status != SG_OK)
            return status;
    }
    out[0] = 0.0; // also where nothing is asked for
    for (size_t i = 0; i < ports->list.len; i++) {
        const sg_port *port = &ports->list.data[i];
        if (port->kind->level != level)
            continue;
        if (port->object >= 0)
            read_object(s, port, out + port->at);
        else
            memcpy(out + port->at, s->hidden->local.data + s->hidden->locals.data[port->local].at,
                   sg_port_size(port->kind) * sizeof *out);
    }
    return SG_OK;
}
