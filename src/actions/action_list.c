// Action programs written in C (segue/actions.h): the same commands, from plain structs.
#include "actions/actions.h"

#include <math.h>
#include <string.h>

static sg_status refuse(const sg_actions *a, const char *text)
{
    sg_error(a->part->vm->diags, SG_E_ACTION, a->span, "%s: %s", a->name, text);
    return SG_ERR_MODEL;
}

static bool are_finite(const double *x, size_t n)
{
    for (size_t i = 0; x && i < n; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

static const char *copy(sg_actions *a, const char *text)
{
    return text ? sg_arena_text(&a->arena, text, strlen(text)) : NULL;
}

// How many objects a command names.
static int objects_of(sg_action_kind kind)
{
    switch (kind) {
    case SG_ACTION_ATTACH:
    case SG_ACTION_RELEASE_AND_ATTACH:
        return 2;
    case SG_ACTION_RELEASE:
    case SG_ACTION_DELETE:
    case SG_ACTION_PARK:
    case SG_ACTION_WAKE:
        return 1;
    case SG_ACTION_FLIP_CHAIN:
        return 3;
    case SG_ACTION_EVENT:
    case SG_ACTION_WAIT:
    case SG_ACTION_WAIT_UNTIL:
    case SG_ACTION_PTP:
        break;
    }
    return 0;
}

static sg_status set_condition(sg_actions *a, const sg_action_command *command, sg_condition *c)
{
    bool load =
        command->condition == SG_CONDITION_FORCE || command->condition == SG_CONDITION_TORQUE;
    bool limited = load || command->condition == SG_CONDITION_CLOSER ||
                   command->condition == SG_CONDITION_FARTHER;
    *c = (sg_condition){.kind = command->condition,
                        .input = command->input,
                        .limit = command->limit,
                        .name = {copy(a, command->part), copy(a, command->depot)},
                        .actor = -1};
    if (command->condition <= SG_CONDITION_NONE || command->condition > SG_CONDITION_TORQUE)
        return refuse(a, "a command that waits needs a condition");
    if (c->kind == SG_CONDITION_INPUT && (c->input < 1 || c->input > INT32_MAX))
        return refuse(a, "conditions of executeActions are counted from 1");
    if (c->kind == SG_CONDITION_INPUT && c->input > a->n_inputs)
        a->n_inputs = c->input;
    if (limited && !(c->limit > 0.0 && isfinite(c->limit)))
        return refuse(a, "the limit of a condition must be a positive number");
    if (c->kind != SG_CONDITION_INPUT && (!command->part || (!load && !command->depot)))
        return refuse(a, "a condition names two objects, or one that bears a load");
    return SG_OK;
}

// From point by point to signal by signal.
static sg_status set_points(sg_actions *a, const sg_action_command *command, sg_action *action)
{
    size_t n = a->n_signals, n_points = command->n_points;
    if (!n)
        return refuse(a, "a path needs sg_action_list_add_path before it");
    if (!command->points || !n_points || n_points > UINT32_MAX / 2)
        return refuse(a, "a path needs points");
    if (!are_finite(command->points, n * n_points))
        return refuse(a, "the points of a path must be finite");
    action->positions = SG_NEW_ARRAY(&a->arena, double, n *n_points);
    action->n_points = (uint32_t)n_points;
    for (size_t i = 0; action->positions && i < n_points; i++)
        for (size_t j = 0; j < n; j++)
            action->positions[j * n_points + i] = command->points[i * n + j];
    return action->positions ? SG_OK : SG_ERR_MEMORY;
}

static sg_status set_joint(const sg_actions *a, const sg_action_command *command, sg_action *action)
{
    action->joint = SG_JOINT_FIXED;
    if (!command->joint)
        return SG_OK;
    action->axis = command->axis ? v3_from(command->axis) : v3_axis(2);
    if (!sg_action_joint_kind(command->joint, &action->joint))
        return refuse(a, "the joint of an attachment must be \"revolute\" or \"prismatic\"");
    double length = v3_norm(action->axis);
    return length > 0.0 && isfinite(length)
               ? SG_OK
               : refuse(a, "the axis of an attachment must be finite and not zero");
}

static void set_motion(const sg_action_command *command, sg_action *action)
{
    action->has_velocity = command->velocity != NULL;
    action->has_angular_velocity = command->angular_velocity != NULL;
    if (command->velocity)
        action->velocity = v3_from(command->velocity);
    if (command->angular_velocity)
        action->angular_velocity = v3_from(command->angular_velocity);
}

sg_status sg_action_list_add(sg_action_list *a, const sg_action_command *command)
{
    if (!a || !command || !a->open)
        return SG_ERR_USAGE;
    int n = objects_of(command->kind);
    sg_action action = {.kind = command->kind,
                        .span = a->span,
                        .period = command->period,
                        .contacts = !command->contacts_off,
                        .impulse = command->impulse};
    if (command->kind > SG_ACTION_PTP)
        return refuse(a, "there is no command of this kind");
    if (!(command->period >= 0.0 && isfinite(command->period)))
        return refuse(a, "a period must be finite and not negative");
    if ((n > 0 && !command->part) || (n > 1 && !command->depot) || (n > 2 && !command->old))
        return refuse(a, "a command does not name all of its objects");
    if (!are_finite(command->velocity, 3) || !are_finite(command->angular_velocity, 3))
        return refuse(a, "velocities must be finite");
    bool parks = command->kind == SG_ACTION_PARK;
    action.part = n > 0 ? copy(a, command->part) : NULL;
    action.depot = n > 1 || parks ? copy(a, command->depot) : NULL;
    action.old = n > 2 ? copy(a, command->old) : NULL;
    if (command->kind == SG_ACTION_WAKE)
        set_motion(command, &action);
    sg_status status = command->kind == SG_ACTION_WAIT_UNTIL
                           ? set_condition(a, command, &action.condition)
                       : command->kind == SG_ACTION_PTP    ? set_points(a, command, &action)
                       : command->kind == SG_ACTION_ATTACH ? set_joint(a, command, &action)
                                                           : SG_OK;
    if (status == SG_OK && (a->arena.failed || !SG_PUSH(a->part->vm->allocator, &a->list, action)))
        status = SG_ERR_MEMORY;
    return status;
}

static double *copy_numbers(sg_actions *a, const double *x, size_t n, double standard)
{
    double *out = SG_NEW_ARRAY(&a->arena, double, n);
    for (size_t i = 0; out && i < n; i++)
        out[i] = x ? x[i] : standard;
    return out;
}

sg_status sg_action_list_add_path(sg_action_list *a, const sg_action_path *path)
{
    if (!a || !path || !a->open)
        return SG_ERR_USAGE;
    size_t n = path->n;
    if (a->n_signals)
        return refuse(a, "this program has a reference path already");
    if (!n || n > UINT32_MAX / 2)
        return refuse(a, "a reference path needs signals");
    if (!are_finite(path->position, n) || !are_finite(path->v_max, n) ||
        !are_finite(path->a_max, n))
        return refuse(a, "positions and limits must be finite");
    for (size_t i = 0; i < n; i++)
        if ((path->v_max && !(path->v_max[i] > 0.0)) || (path->a_max && !(path->a_max[i] > 0.0)))
            return refuse(a, "limits of a reference path must be positive");
    a->position = copy_numbers(a, path->position, n, 0.0);
    a->v_max = copy_numbers(a, path->v_max, n, 1.0);
    a->a_max = copy_numbers(a, path->a_max, n, 1.0);
    a->now = copy_numbers(a, NULL, n, 0.0);
    a->now_time = (double)NAN;
    a->n_signals = a->arena.failed ? 0 : (uint32_t)n;
    return a->n_signals ? SG_OK : SG_ERR_MEMORY;
}
