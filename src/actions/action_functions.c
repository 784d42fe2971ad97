#include "actions/action_functions.h"

#include "base/assert.h"
#include "lang/runtime.h"
#include "lang/strip.h"
#include "parts/constructors3d.h"
#include "parts/functions.h"
#include "parts/read.h"

#include <math.h>
#include <string.h>

// More commands than this are a loop without end.
enum { MOST_COMMANDS = 1000000 };

typedef struct action_command {
    const char *name;
    sg_action_kind kind;
    uint32_t least, most; // arguments, the program among them
    const char *usage;
} action_command;

static const action_command commands[] = {
    {"ActionAttach", SG_ACTION_ATTACH, 3, 3, "actions, movablePart, robotOrDepot"},
    {"ActionReleaseAndAttach", SG_ACTION_RELEASE_AND_ATTACH, 3, 3,
     "actions, movablePart, robotOrDepot"},
    {"ActionRelease", SG_ACTION_RELEASE, 2, 3, "actions, movablePart"},
    {"ActionDelete", SG_ACTION_DELETE, 2, 3, "actions, movablePart"},
    {"ActionPark", SG_ACTION_PARK, 2, 3, "actions, movablePart, carrier"},
    {"ActionWake", SG_ACTION_WAKE, 2, 2, "actions, movablePart"},
    {"ActionFlipChain", SG_ACTION_FLIP_CHAIN, 4, 4,
     "actions, movablePartNew, robotOrDepot, movablePartOld"},
    {"EventAfterPeriod", SG_ACTION_EVENT, 1, 2, "actions, period"},
    {"ActionWait", SG_ACTION_WAIT, 1, 2, "actions, period"},
    {"ActionWaitUntil", SG_ACTION_WAIT_UNTIL, 2, 3, "actions, condition"},
    {"ptpJointSpace", SG_ACTION_PTP, 2, 2, "actions, positions"}};

const char *sg_action_name(sg_action_kind kind)
{
    for (size_t i = 0; i < SG_COUNT(commands); i++)
        if (commands[i].kind == kind)
            return commands[i].name;
    return "";
}

static sg_status complain(sg_vm *vm, const sg_args *args, const char *text)
{
    return sg_raise(vm, "ArgumentError", SG_E_ACTION, args->span, "%s", text);
}

// The program that is being written; null after raising.
static sg_actions *open_program(sg_vm *vm, const sg_args *args, const char *function)
{
    sg_actions *a = args->n ? sg_actions_of(vm, args->v[0]) : NULL;
    if (a && a->open)
        return a;
    sg_raise(
        vm, "ArgumentError", SG_E_ACTION, args->span,
        a ? "%s belongs in an action program, which runs once, before the simulation"
          : "%s needs the argument of the action program as its first argument; a program is a "
            "function given as ModelActions(world = :world, actions = program)",
        function);
    return NULL;
}

// ---- arguments ----------------------------------------------------------------------------------

static sg_status read_period(sg_vm *vm, const sg_args *args, const char *command,
                             const char *keyword, sg_value value, double *out)
{
    sg_value plain;
    sg_status status = sg_constructors3d_check_unit(vm, command, keyword, value, args->span);
    if (status == SG_OK)
        status = sg_strip_to_si(vm, value, &plain);
    if (status != SG_OK)
        return status;
    if (!sg_to_float(plain, out))
        return sg_raise(vm, "ArgumentError", SG_E_ACTION, args->span,
                        "%s: the %s must be a number of seconds", command, keyword);
    if (!(*out >= 0.0) || !isfinite(*out))
        return sg_raise(vm, "ArgumentError", SG_E_ACTION, args->span,
                        "%s: the %s must be finite and not negative; it is %g s", command, keyword,
                        *out);
    return SG_OK;
}

static sg_status read_path(sg_vm *vm, const sg_args *args, uint32_t i, sg_arena *arena,
                           const char **out)
{
    if (!sg_is(args->v[i], SG_OBJ_STRING) || !sg_string_is_plain((sg_string *)args->v[i].o))
        return complain(vm, args, "objects are given by their paths, such as \"robot.lock\"");
    const sg_string *text = (const sg_string *)args->v[i].o;
    *out = sg_arena_text(arena, text->text, text->len);
    return *out ? SG_OK : SG_ERR_MEMORY;
}

static double item(const sg_array *array, size_t i)
{
    return array->elem == SG_ELEM_INT ? (double)array->n[i] : array->f[i];
}

// Numbers in SI units: one, a vector or a matrix. *rows x *cols, column by column.
static sg_status read_numbers(sg_vm *vm, const sg_args *args, sg_value value, sg_arena *arena,
                              double **out, uint32_t *rows, uint32_t *cols)
{
    sg_value plain;
    sg_status status = sg_strip_to_si(vm, value, &plain);
    double one;
    if (status != SG_OK)
        return status;
    bool single = sg_to_float(plain, &one);
    const sg_array *array = sg_is(plain, SG_OBJ_ARRAY) ? (const sg_array *)plain.o : NULL;
    if (!single && (!array || array->ndims > 2 || array->len == 0 || array->len > UINT32_MAX / 2 ||
                    (array->elem != SG_ELEM_FLOAT && array->elem != SG_ELEM_INT)))
        return complain(vm, args, "a number, a vector or a matrix of numbers is needed here");
    size_t n = single ? 1 : array->len;
    *rows = single ? 1 : (uint32_t)array->dims[0];
    *cols = single || array->ndims == 1 ? 1 : (uint32_t)array->dims[1];
    *out = SG_NEW_ARRAY(arena, double, n);
    for (size_t i = 0; *out && i < n; i++) {
        (*out)[i] = single ? one : item(array, i);
        if (!isfinite((*out)[i]))
            return complain(vm, args, "positions, velocities and limits must be finite");
    }
    return *out ? SG_OK : SG_ERR_MEMORY;
}

// ---- conditions -----------------------------------------------------------------------------

// One keyword says what is waited for.
static const struct {
    const char *keyword;
    sg_condition_kind kind;
    uint32_t n_objects;
} measures[] = {{"closer", SG_CONDITION_CLOSER, 2},
                {"farther", SG_CONDITION_FARTHER, 2},
                {"contact", SG_CONDITION_TOUCH, 2},
                {"force", SG_CONDITION_FORCE, 1},
                {"torque", SG_CONDITION_TORQUE, 1}};

// A limit is a positive number; `contact` is true or false.
static sg_status read_limit(sg_vm *vm, const sg_args *args, const char *keyword, sg_value value,
                            sg_condition *c)
{
    sg_value plain;
    if (c->kind == SG_CONDITION_TOUCH) {
        if (value.tag != SG_BOOL)
            return complain(vm, args, "ActionWaitUntil: contact must be true or false");
        c->kind = value.b ? SG_CONDITION_TOUCH : SG_CONDITION_APART;
        return SG_OK;
    }
    sg_status status =
        sg_constructors3d_check_unit(vm, "ActionWaitUntil", keyword, value, args->span);
    if (status == SG_OK)
        status = sg_strip_to_si(vm, value, &plain);
    if (status == SG_OK &&
        (!sg_to_float(plain, &c->limit) || !(c->limit > 0.0) || !isfinite(c->limit)))
        status = sg_raise(vm, "ArgumentError", SG_E_ACTION, args->span,
                          "ActionWaitUntil: %s must be a positive number", keyword);
    return status;
}

// The number of an argument of executeActions.
static sg_status read_input(sg_vm *vm, const sg_args *args, sg_actions *a, sg_condition *c)
{
    if (args->n_kw || args->n != 2)
        return complain(vm, args,
                        "ActionWaitUntil(actions, k) waits for condition k of executeActions, and "
                        "takes nothing else");
    if (args->v[1].i < 1 || args->v[1].i > INT32_MAX)
        return complain(vm, args, "ActionWaitUntil: conditions are counted from 1");
    *c = (sg_condition){.kind = SG_CONDITION_INPUT, .input = (uint32_t)args->v[1].i};
    if (c->input > a->n_inputs)
        a->n_inputs = c->input;
    return SG_OK;
}

static sg_status read_condition(sg_vm *vm, const sg_args *args, sg_actions *a, sg_condition *c)
{
    const char *names[SG_COUNT(measures)], *keyword = "";
    const sg_value *given = NULL;
    uint32_t n = 0, n_objects = 0;
    if (args->v[1].tag == SG_INT)
        return read_input(vm, args, a, c);
    for (size_t i = 0; i < SG_COUNT(measures); i++)
        names[i] = measures[i].keyword;
    sg_status status =
        sg_args_check_keywords(vm, args, "ActionWaitUntil", names, SG_COUNT(measures));
    if (status != SG_OK)
        return status;
    for (size_t i = 0; i < SG_COUNT(measures); i++) {
        const sg_value *value = sg_args_find(vm, args, names[i]);
        if (!value)
            continue;
        given = value;
        keyword = names[i];
        n_objects = measures[i].n_objects;
        *c = (sg_condition){.kind = measures[i].kind, .actor = -1};
        n++;
    }
    if (n != 1 || args->n != 1 + n_objects)
        return complain(vm, args,
                        "ActionWaitUntil takes the number of a condition of executeActions, two "
                        "objects with closer, farther or contact, or one object or force element "
                        "with force or torque");
    for (uint32_t k = 0; status == SG_OK && k < n_objects; k++)
        status = read_path(vm, args, 1 + k, &a->arena, &c->name[k]);
    return status == SG_OK ? read_limit(vm, args, keyword, *given, c) : status;
}

// ---- commands -------------------------------------------------------------------------------

// Three numbers along the axes of the world.
static sg_status read_vector(sg_vm *vm, const sg_args *args, const char *command,
                             const char *keyword, sg_arena *arena, bool *given, sg_vec3 *out)
{
    const sg_value *value = sg_args_find(vm, args, keyword);
    double *numbers;
    uint32_t rows, cols;
    if (!value)
        return SG_OK;
    sg_status status = sg_constructors3d_check_unit(vm, command, keyword, *value, args->span);
    if (status == SG_OK)
        status = read_numbers(vm, args, *value, arena, &numbers, &rows, &cols);
    if (status == SG_OK && (rows != 3 || cols != 1))
        return sg_raise(vm, "DimensionMismatch", SG_E_SHAPE, args->span,
                        "%s: %s must be a vector of 3 numbers", command, keyword);
    if (status == SG_OK)
        *out = v3_from(numbers);
    *given = status == SG_OK;
    return status;
}

static sg_status read_flag(sg_vm *vm, const sg_args *args, const char *keyword, bool *out)
{
    const sg_value *value = sg_args_find(vm, args, keyword);
    if (value && value->tag != SG_BOOL)
        return sg_raise(vm, "ArgumentError", SG_E_ACTION, args->span, "%s must be true or false",
                        keyword);
    if (value)
        *out = value->b;
    return SG_OK;
}

// joint = "revolute" or "prismatic" and its axis: 1, 2, 3, or a vector along the axes of the depot.
static sg_status read_joint(sg_vm *vm, const sg_args *args, sg_actions *a, sg_action *action)
{
    const sg_value *joint = sg_args_find(vm, args, "joint"), *axis = sg_args_find(vm, args, "axis");
    bool given = false;
    action->joint = SG_JOINT_FIXED;
    if (!joint && axis)
        return complain(vm, args,
                        "ActionAttach: an axis needs joint = \"revolute\" or "
                        "\"prismatic\"");
    if (!joint)
        return SG_OK;
    if (!sg_is(*joint, SG_OBJ_STRING) ||
        !sg_action_joint_kind(((const sg_string *)joint->o)->text, &action->joint))
        return complain(vm, args, "ActionAttach: joint must be \"revolute\" or \"prismatic\"");
    action->axis = v3_axis(2);
    if (axis && axis->tag == SG_INT) {
        if (axis->i < 1 || axis->i > 3)
            return complain(vm, args, "ActionAttach: axis must be 1, 2, 3 or a vector");
        action->axis = v3_axis((int)axis->i - 1);
        return SG_OK;
    }
    sg_status status =
        read_vector(vm, args, "ActionAttach", "axis", &a->arena, &given, &action->axis);
    if (status == SG_OK && !(v3_norm(action->axis) > 0.0))
        return complain(vm, args, "ActionAttach: axis must not be zero");
    return status;
}

static sg_status read_keywords(sg_vm *vm, const sg_args *args, const action_command *c,
                               sg_actions *a, sg_action *action)
{
    static const char *const names[] = {"waitingPeriod", "enableContactDetection", "velocity",
                                        "angularVelocity"};
    static const char *const joining[] = {"waitingPeriod", "enableContactDetection", "impulse",
                                          "joint", "axis"};
    bool joins = c->kind == SG_ACTION_ATTACH;
    bool takes = c->kind == SG_ACTION_RELEASE_AND_ATTACH || c->kind == SG_ACTION_PARK;
    size_t n = !sg_action_is_structural(c->kind) ? 0 : c->kind == SG_ACTION_WAKE ? 4 : 2;
    sg_status status = sg_args_check_keywords(vm, args, c->name, joins || takes ? joining : names,
                                              joins   ? SG_COUNT(joining)
                                              : takes ? 3
                                                      : n);
    const sg_value *period = sg_args_find(vm, args, names[0]);
    action->contacts = true;
    if (status == SG_OK && period)
        status = read_period(vm, args, c->name, names[0], *period, &action->period);
    if (status == SG_OK)
        status = read_flag(vm, args, names[1], &action->contacts);
    if (status == SG_OK)
        status = read_flag(vm, args, joining[2], &action->impulse);
    action->forgets = sg_args_find(vm, args, joining[2]) && !action->impulse;
    if (status == SG_OK && joins)
        status = read_joint(vm, args, a, action);
    if (status == SG_OK)
        status = read_vector(vm, args, c->name, names[2], &a->arena, &action->has_velocity,
                             &action->velocity);
    if (status == SG_OK)
        status = read_vector(vm, args, c->name, names[3], &a->arena, &action->has_angular_velocity,
                             &action->angular_velocity);
    return status;
}

static sg_status read_objects(sg_vm *vm, const sg_args *args, sg_actions *a, sg_action *action)
{
    // As published, ActionRelease and ActionDelete take a third argument that says nothing.
    bool ignored = action->kind == SG_ACTION_RELEASE || action->kind == SG_ACTION_DELETE;
    sg_status status = read_path(vm, args, 1, &a->arena, &action->part);
    if (status == SG_OK && args->n > 2 && !ignored)
        status = read_path(vm, args, 2, &a->arena, &action->depot);
    if (status == SG_OK && action->kind == SG_ACTION_FLIP_CHAIN)
        status = read_path(vm, args, 3, &a->arena, &action->old);
    return status;
}

static sg_status read_points(sg_vm *vm, const sg_args *args, sg_actions *a, sg_action *action)
{
    uint32_t cols;
    if (!a->n_signals)
        return complain(vm, args, "ptpJointSpace needs addReferencePath before it");
    sg_status status =
        read_numbers(vm, args, args->v[1], &a->arena, &action->positions, &action->n_points, &cols);
    if (status == SG_OK && cols != a->n_signals)
        return sg_raise(vm, "DimensionMismatch", SG_E_SHAPE, args->span,
                        "ptpJointSpace: the reference path has %u signals, the positions %u "
                        "columns; each row is a point",
                        a->n_signals, cols);
    return status;
}

static sg_status command_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    const action_command *c = &commands[(uintptr_t)context];
    sg_actions *a = open_program(vm, args, c->name);
    sg_action action = {.kind = c->kind, .span = args->span};
    *out = SG_VALUE_NOTHING;
    if (!a)
        return SG_ERR_MODEL;
    if (args->n < c->least || args->n > c->most)
        return sg_raise(vm, "MethodError", SG_E_ACTION, args->span,
                        "it is %s(%s), not %u arguments", c->name, c->usage, args->n);
    if (a->list.len >= MOST_COMMANDS)
        return sg_raise(vm, "ErrorException", SG_E_ACTION, args->span,
                        "more than %d commands; does this program end?", (int)MOST_COMMANDS);
    sg_status status = c->kind == SG_ACTION_WAIT_UNTIL
                           ? read_condition(vm, args, a, &action.condition)
                           : read_keywords(vm, args, c, a, &action);
    if (status == SG_OK && sg_action_is_structural(c->kind))
        status = read_objects(vm, args, a, &action);
    else if (status == SG_OK && c->kind == SG_ACTION_PTP)
        status = read_points(vm, args, a, &action);
    else if (status == SG_OK && c->kind != SG_ACTION_WAIT_UNTIL && args->n > 1)
        status = read_period(vm, args, c->name, "period", args->v[1], &action.period);
    if (status == SG_OK && !SG_PUSH(vm->allocator, &a->list, action))
        status = SG_ERR_MEMORY;
    return status;
}

// ---- the reference path -------------------------------------------------------------------------

static sg_status read_limits(sg_vm *vm, const sg_args *args, const char *key, sg_actions *a,
                             double standard, double **out)
{
    const sg_value *given = sg_args_find(vm, args, key);
    uint32_t rows = a->n_signals, cols = 1;
    sg_status status = SG_OK;
    *out = NULL;
    if (given) {
        status = read_numbers(vm, args, *given, &a->arena, out, &rows, &cols);
    } else {
        *out = SG_NEW_ARRAY(&a->arena, double, rows + 1);
        for (uint32_t i = 0; *out && i < rows; i++)
            (*out)[i] = standard;
    }
    if (status == SG_OK && !*out)
        status = SG_ERR_MEMORY;
    if (status == SG_OK && (rows != a->n_signals || cols != 1))
        return sg_raise(vm, "DimensionMismatch", SG_E_SHAPE, args->span,
                        "addReferencePath: %s has %u entries for %u names", key, rows * cols,
                        a->n_signals);
    for (uint32_t i = 0; status == SG_OK && standard > 0.0 && i < rows; i++)
        if (!((*out)[i] > 0.0))
            return sg_raise(vm, "ArgumentError", SG_E_ACTION, args->span,
                            "addReferencePath: %s must be positive; entry %u is %g", key, i + 1,
                            (*out)[i]);
    return status;
}

static sg_status add_path_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    static const char *const keywords[] = {"names", "position", "v_max", "a_max"};
    (void)context;
    *out = SG_VALUE_NOTHING;
    sg_actions *a = open_program(vm, args, "addReferencePath");
    if (!a)
        return SG_ERR_MODEL;
    sg_status status = sg_args_check_keywords(vm, args, "addReferencePath", keywords, 4);
    const sg_value *names = sg_args_find(vm, args, "names");
    const sg_array *list = names && sg_is(*names, SG_OBJ_ARRAY) ? (sg_array *)names->o : NULL;
    if (status != SG_OK)
        return status;
    if (!list || !list->len || list->len > UINT32_MAX / 2)
        return complain(vm, args, "addReferencePath needs names = [\"angle1\", ...]");
    if (a->n_signals)
        return complain(vm, args, "this program has a reference path already");
    a->n_signals = (uint32_t)list->len;
    a->now = SG_NEW_ARRAY(&a->arena, double, list->len);
    a->now_time = NAN;
    if (!a->now)
        return SG_ERR_MEMORY;
    status = read_limits(vm, args, "position", a, 0.0, &a->position);
    if (status == SG_OK)
        status = read_limits(vm, args, "v_max", a, 1.0, &a->v_max);
    if (status == SG_OK)
        status = read_limits(vm, args, "a_max", a, 1.0, &a->a_max);
    return status;
}

static double signal_of(sg_actions *a, uint32_t index, bool initial, double time)
{
    return initial ? a->position[index] : sg_actions_position(a, time)[index];
}

static sg_status position_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    bool initial = context != NULL;
    const char *name = initial ? "getRefPathInitPosition" : "getRefPathPosition";
    sg_actions *a = args->n == 2 ? sg_actions_of(vm, args->v[0]) : NULL;
    *out = SG_VALUE_NOTHING;
    if (!a || args->v[1].tag != SG_INT)
        return sg_raise(vm, "MethodError", SG_E_ACTION, args->span,
                        "%s needs what executeActions returns and the number of a signal", name);
    if (args->v[1].i < 1 || args->v[1].i > (int64_t)a->n_signals)
        return sg_raise(vm, "BoundsError", SG_E_BOUNDS, args->span,
                        "%s: signal %lld of a reference path with %u", name,
                        (long long)args->v[1].i, a->n_signals);
    *out = sg_float(signal_of(a, (uint32_t)args->v[1].i - 1, initial, a->time));
    return SG_OK;
}

// In a script there is nothing to execute.
static sg_status execute_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    *out = SG_VALUE_NOTHING;
    return complain(vm, args,
                    "executeActions belongs in an equation of the model: currentAction = "
                    "executeActions(program), where program is a ModelActions of the same model");
}

// ---- in equations -------------------------------------------------------------------------------

static sg_actions *program_of(sg_action_call *c, const sg_extern_call *call)
{
    return call->n_args
               ? sg_actions_behind(c->key, &c->place, sg_script_value(c->table, call->args[0]))
               : NULL;
}

// Says once what is wrong with a call of an equation.
static sg_status refuse(const sg_action_call *c, const char *text)
{
    sg_vm *vm = c->table->vm;
    sg_raise(vm, "ArgumentError", SG_E_ACTION, (sg_span){0}, "%s", text);
    c->table->error = vm->exception;
    vm->exception = (sg_value){.tag = SG_UNDEF};
    return SG_ERR_MODEL;
}

static sg_status opaque(void *context, const sg_extern_call *call, sg_dims *results)
{
    (void)context;
    for (uint32_t k = 0; k < call->n_results; k++)
        results[k] = sg_dims_scalar(SG_OPAQUE);
    return SG_OK;
}

// Returns its argument.
static sg_status call_execute(void *context, const sg_extern_call *call)
{
    sg_action_call *c = context;
    sg_actions *a = program_of(c, call);
    if (!a)
        return refuse(c, "executeActions needs a ModelActions of this model as its first argument");
    if (a->n_inputs >= call->n_args)
        return refuse(c, "the action program waits for a condition that executeActions does not "
                         "have; conditions follow its first argument");
    for (uint32_t k = 1; k < call->n_args; k++)
        if (call->args[k].shape.num != SG_TRUTH || call->args[k].shape.dims != SG_SCALAR)
            return refuse(c, "what follows the ModelActions in executeActions must be conditions, "
                             "such as w > 10.0, that are true or false");
    if (call->n_results)
        *call->results[0].data = *call->args[0].data;
    return sg_actions_evaluate(a, call);
}

static sg_status call_position(sg_action_call *c, const sg_extern_call *call, bool initial)
{
    sg_actions *a = program_of(c, call);
    double index = call->n_args == 2 ? *call->args[1].data : 0.0;
    if (!a || call->n_args != 2)
        return refuse(c, "getRefPathPosition needs what executeActions returns and the number of a "
                         "signal");
    if (!(index >= 1.0 && index <= a->n_signals) || index != floor(index))
        return refuse(c, a->n_signals ? "the reference path has no signal of this number"
                                      : "the action program has no addReferencePath");
    if (call->n_results)
        *call->results[0].data = signal_of(a, (uint32_t)index - 1, initial, call->time);
    return SG_OK;
}

static sg_status call_present(void *context, const sg_extern_call *call)
{
    return call_position(context, call, false);
}

static sg_status call_initial(void *context, const sg_extern_call *call)
{
    return call_position(context, call, true);
}

static const struct {
    const char *name;
    sg_extern row;
} in_equations[] = {{"executeActions", {.shapes = opaque, .call = call_execute}},
                    {"getRefPathPosition", {.call = call_present}},
                    {"getRefPathInitPosition", {.call = call_initial}}};

bool sg_actions_extern(sg_action_call *context, sg_value function, sg_extern *out)
{
    sg_vm *vm = context->table->vm;
    context->key = sg_actions_key(vm);
    const sg_module *module = sg_vm_module(vm, "Modia3D");
    for (size_t i = 0; module && i < SG_COUNT(in_equations); i++) {
        sg_value own = sg_module_get(module, sg_vm_sym(vm, in_equations[i].name));
        if (own.tag != SG_OBJECT || function.tag != SG_OBJECT || own.o != function.o)
            continue;
        *out = in_equations[i].row;
        out->context = context;
        return true;
    }
    return false;
}

bool sg_parts_register_actions(sg_vm *vm, sg_module *module)
{
    static char yes;
    bool ok = true;
    for (size_t i = 0; ok && i < SG_COUNT(commands); i++)
        ok = sg_vm_offer(vm, module, commands[i].name, command_native, (void *)(uintptr_t)i, NULL);
    return ok && sg_vm_offer(vm, module, "addReferencePath", add_path_native, NULL, NULL) &&
           sg_vm_offer(vm, module, "executeActions", execute_native, NULL, NULL) &&
           sg_vm_offer(vm, module, "getRefPathPosition", position_native, NULL, NULL) &&
           sg_vm_offer(vm, module, "getRefPathInitPosition", position_native, &yes, NULL);
}
