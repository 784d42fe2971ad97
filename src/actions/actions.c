#include "actions/actions.h"

#include "actions/action_functions.h"
#include "actions/restructure.h"
#include "base/assert.h"
#include "elements/balance.h"
#include "elements/elements.h"
#include "integration/env.h"
#include "lang/strip.h"

#include <math.h>
#include <string.h>

// ---- the object of the script -----------------------------------------------------------------

// Under this key a ModelActions keeps its program.
static const char program_key[] = "_program";

static void destroy_actions(sg_vm *vm, void *data)
{
    sg_actions *a = data;
    sg_arena_destroy(&a->arena);
    sg_arena_destroy(&a->path_arena);
    SG_VEC_FREE(vm->allocator, &a->list);
    vm->allocator->resize(vm->allocator->context, a, sizeof *a, 0);
}

const sg_native_class sg_actions_class = {.name = "ModelActions", .destroy = destroy_actions};

sg_sym sg_actions_key(sg_vm *vm) { return sg_vm_sym(vm, program_key); }

static bool next_is(const sg_dict *dict, size_t *at, sg_sym key, sg_dict_entry *entry)
{
    return sg_dict_next(dict, at, entry) && entry->key.tag == SG_SYMBOL &&
           entry->key.sym.i == key.i;
}

sg_actions *sg_actions_behind(sg_sym key, uint32_t *place, sg_value value)
{
    const sg_dict *dict = sg_is(value, SG_OBJ_DICT) ? (const sg_dict *)value.o : NULL;
    sg_dict_entry entry;
    size_t at = *place;
    bool found = dict && next_is(dict, &at, key, &entry);
    for (uint32_t i = 0; dict && !found && i < dict->count; i++) {
        at = i;
        found = next_is(dict, &at, key, &entry);
        *place = i;
    }
    if (found)
        value = entry.value;
    return sg_native_data(value, &sg_actions_class);
}

sg_actions *sg_actions_of(sg_vm *vm, sg_value value)
{
    // Most are programs themselves, as the part keeps them.
    sg_actions *a = sg_native_data(value, &sg_actions_class);
    return a ? a : sg_actions_behind(sg_actions_key(vm), &(uint32_t){0}, value);
}

static sg_value make_actions(sg_part *part, sg_actions **out)
{
    const sg_allocator *allocator = part->allocator;
    sg_value value = {.tag = SG_UNDEF};
    sg_actions *a = allocator->resize(allocator->context, NULL, 0, sizeof *a);
    if (!a)
        return value;
    *a = (sg_actions){.part = part, .time = (double)NAN};
    sg_arena_init(&a->arena, allocator);
    sg_arena_init(&a->path_arena, allocator);
    value = sg_native_make(part->vm, &sg_actions_class, a);
    if (value.tag == SG_UNDEF)
        destroy_actions(part->vm, a);
    *out = a;
    return value;
}

// ---- reading ------------------------------------------------------------------------------------

// A program only appends commands. One that takes longer than this does not end [s].
#define PROGRAM_SECONDS 2.0

// Calls the program with a limit of its own.
static sg_status run_program(sg_part *part, sg_actions *a, sg_value function, sg_value self)
{
    sg_vm *vm = part->vm;
    sg_limits before = vm->limits;
    double until = sg_cpu_time() - before.cpu_start + PROGRAM_SECONDS;
    bool shorter = before.max_cpu_time <= 0.0 || until < before.max_cpu_time;
    sg_value out;
    if (shorter)
        vm->limits.max_cpu_time = until;
    a->open = true;
    sg_status status = sg_call_values(vm, function, &self, 1, &out);
    a->open = false;
    vm->limits.max_cpu_time = before.max_cpu_time;
    if (status == SG_OK || status == SG_ERR_INTERRUPT || status == SG_ERR_MEMORY)
        return status;
    if (status == SG_ERR_LIMIT && shorter && sg_cpu_time() - before.cpu_start >= until) {
        vm->exception = (sg_value){.tag = SG_UNDEF};
        sg_error(vm->diags, SG_E_ACTION, a->span,
                 "%s: its action program did not end within %g s of CPU time; it runs once, before "
                 "the simulation, and only appends commands",
                 a->name, PROGRAM_SECONDS);
        return SG_ERR_MODEL;
    }
    sg_report_exception(vm);
    sg_note(vm->diags, a->span, "in the action program of %s", a->name);
    return status;
}

// The same for a program that the host has, in C.
static sg_status run_host_program(sg_part *part, sg_actions *a, const sg_string *name)
{
    const sg_part_host *host = part->records.host;
    const char *text = sg_arena_text(&a->arena, name->text, name->len);
    if (!text)
        return SG_ERR_MEMORY;
    const sg_action_program *program =
        host->action_program ? host->action_program(host->context, text) : NULL;
    if (!program) {
        sg_error(part->vm->diags, SG_E_ACTION, a->span,
                 "%s: there is no action program '%s'; the program that runs this model adds it "
                 "to its session (segue/actions.h), or actions is a function",
                 a->name, text);
        return SG_ERR_MODEL;
    }
    size_t before = part->vm->diags->len;
    a->open = true;
    sg_status status = program->write(program->context, a);
    a->open = false;
    if (status != SG_OK && status != SG_ERR_MEMORY && part->vm->diags->len == before)
        sg_error(part->vm->diags, SG_E_ACTION, a->span, "%s: the action program '%s' failed",
                 a->name, text);
    return status == SG_OK || status == SG_ERR_MEMORY ? status : SG_ERR_MODEL;
}

static bool is_function(sg_value value)
{
    return sg_is(value, SG_OBJ_FUNCTION) || sg_is(value, SG_OBJ_CLOSURE) ||
           sg_is(value, SG_OBJ_STRUCT) || sg_is(value, SG_OBJ_NATIVE);
}

sg_status sg_read_actions(sg_part *part, const sg_part_element *element)
{
    sg_keywords r = sg_reader_make(part, element);
    sg_value function = SG_VALUE_NOTHING;
    int world = -1;
    double start = 0.0;
    sg_read_object(&r, "world", &world);
    sg_read_number(&r, "startTime", &start);
    bool closes = false; // looked at when the model was built
    sg_read_flag(&r, "closesLoops", &closes);
    if (r.ok && !part->records.objects.data[world].scene)
        sg_read_fail(&r, "world", SG_E_ACTION,
                     "the world of action programs is the Object3D with the Scene");
    bool given = r.ok && sg_read_has(&r, "actions", &function);
    bool named = given && sg_is(function, SG_OBJ_STRING);
    if (r.ok && !named && (!given || !is_function(function)))
        sg_read_fail(&r, "actions", SG_E_ACTION,
                     "actions must be a function of one argument that appends commands, such as "
                     "ActionAttach(actions, ...)");
    if (!r.ok)
        return SG_ERR_MODEL;
    sg_actions *a;
    sg_value self = make_actions(part, &a);
    if (self.tag == SG_UNDEF ||
        !sg_dict_put(part->vm, element->dict, sg_symbol(sg_vm_sym(part->vm, program_key)), self,
                     element->span) ||
        !SG_PUSH(part->allocator, &part->records.programs.all, self))
        return SG_ERR_MEMORY;
    a->name = sg_arena_printf(&a->arena, "ModelActions '%s'", element->path);
    a->element = element->path;
    a->span = element->span;
    a->next_time = start;
    if (!a->name)
        return SG_ERR_MEMORY;
    return named ? run_host_program(part, a, (const sg_string *)function.o)
                 : run_program(part, a, function, self);
}

void sg_actions_mark(sg_vm *vm, const sg_part *part)
{
    for (size_t i = 0; i < part->records.programs.all.len; i++)
        sg_mark_value(vm, part->records.programs.all.data[i]);
}

bool sg_action_joint_kind(const char *name, sg_joint_kind *out)
{
    bool turns = strcmp(name, "revolute") == 0, slides = strcmp(name, "prismatic") == 0;
    if (turns || slides)
        *out = turns ? SG_JOINT_REVOLUTE : SG_JOINT_PRISMATIC;
    return turns || slides;
}

int sg_actions_object(const sg_part *part, const char *path)
{
    size_t n = strlen(part->id);
    for (size_t i = 0; path && i < part->records.objects.len; i++) {
        const char *name = part->records.objects.data[i].name;
        if (n && strncmp(name, part->id, n) == 0 && name[n] == '.' &&
            strcmp(name + n + 1, path) == 0)
            return (int)i;
        if (strcmp(name, path) == 0)
            return (int)i;
    }
    return -1;
}

void sg_actions_find_objects(sg_part *part)
{
    for (size_t i = 0; i < part->records.programs.all.len; i++) {
        sg_actions *a = sg_actions_of(part->vm, part->records.programs.all.data[i]);
        for (size_t k = 0; k < a->list.len; k++) {
            sg_action *action = &a->list.data[k];
            const char *const names[3] = {action->part, action->depot, action->old};
            for (int j = 0; j < 3; j++)
                action->object[j] = sg_actions_object(part, names[j]);
        }
    }
}

// ---- at events ----------------------------------------------------------------------------------

const double *sg_actions_position(sg_actions *a, double time)
{
    if (a->path && a->now_time != time)
        sg_path_position(a->path, time, a->now, NULL, NULL);
    else if (!a->path)
        memcpy(a->now, a->position, a->n_signals * sizeof *a->now);
    a->now_time = time;
    return a->now;
}

// From the present reference position through the points of the command.
static sg_status begin_path(sg_actions *a, const sg_action *action, double time)
{
    uint32_t n = a->n_signals, n_points = action->n_points + 1;
    const double *now = sg_actions_position(a, time);
    sg_arena_destroy(&a->path_arena); // of the path that ends here
    a->path = NULL;
    double *points = SG_NEW_ARRAY(&a->path_arena, double, (size_t)n *n_points);
    for (uint32_t j = 0; points && j < n; j++) {
        points[(size_t)j * n_points] = now[j];
        memcpy(points + (size_t)j * n_points + 1, action->positions + (size_t)j * action->n_points,
               action->n_points * sizeof *points);
    }
    if (points)
        a->path = sg_path_make(&a->path_arena, points, n_points, n, a->v_max, a->a_max, time,
                               a->part->records.host->path_rows);
    a->now_time = (double)NAN;
    return a->path ? SG_OK : SG_ERR_MEMORY;
}

// Executes a command; *restart if it asks for a new segment.
static sg_status execute(sg_actions *a, sg_action *action, sg_events *events, bool *restart)
{
    const sg_part_compat *compat = &a->part->records.compat;
    double time = events->time;
    *restart = sg_action_is_structural(action->kind);
    a->next_time = time + action->period;
    if (action->kind == SG_ACTION_PTP) {
        sg_status status = begin_path(a, action, time);
        a->next_time = status == SG_OK ? a->path->end_time : time;
        return status;
    }
    if (action->kind == SG_ACTION_EVENT) {
        a->part->records.mattered.event_segments = true;
        *restart = compat->event_segments;
    }
    if (action->kind == SG_ACTION_WAIT_UNTIL) {
        a->waiting = action;
        a->waiting_since = time;
        a->met = false;
        events->n_changes++; // it may hold already
    }
    action->freed = false;
    if (sg_capture_wanted(a->part, action)) { // the change comes behind it
        a->capturing = action;
        a->captured = *restart = false;
        events->n_changes++;
    } else if (sg_action_is_structural(action->kind)) {
        a->do_ = action;
        a->made = false;
    }
    return SG_OK;
}

// After an impulse: the change that it was for. What is fixed elsewhere is released in front of it.
static bool finish_capture(sg_actions *a)
{
    sg_action *action = a->capturing;
    if (!action || !a->captured)
        return false;
    a->made = false;
    if (a->capture.frees) {
        a->release = (sg_action){.kind = SG_ACTION_RELEASE,
                                 .span = action->span,
                                 .part = action->part,
                                 .object = {action->object[0], -1, -1},
                                 .contacts = action->contacts};
        action->freed = true;
        a->do_ = &a->release;
        a->captured = false;
        return true;
    }
    a->do_ = action;
    a->capturing = NULL;
    return true;
}

// Whether it is time for the next command.
static bool is_due(sg_actions *a, const sg_events *events)
{
    double time = events->time;
    if ((a->waiting && !a->met) || a->capturing)
        return false;
    if (a->waiting)
        a->next_time = time;
    a->waiting = NULL;
    return time >= a->next_time || sg_events_same_instant(events, time, a->next_time);
}

// All commands that are due, up to one that begins a segment.
static sg_status at_event(sg_actions *a, sg_events *events)
{
    bool restart = a->waits || finish_capture(a);
    sg_status status = SG_OK;
    while (!restart && !status && a->next < a->list.len && is_due(a, events))
        status = execute(a, &a->list.data[a->next++], events, &restart);
    a->waits = restart;
    if (restart)
        sg_events_restart(events, SG_RESTART_FULL);
    else if (a->next < a->list.len && !a->waiting && !a->capturing)
        sg_events_next_event(events, a->next_time);
    return status;
}

// As published: one command in each evaluation; a request made while a segment is initialized is
// lost, and so is an instant that is not behind the present one.
static sg_status at_event_late(sg_actions *a, sg_events *events)
{
    bool restart = a->waits || finish_capture(a);
    sg_status status = SG_OK;
    if (!restart && a->next < a->list.len && is_due(a, events)) {
        status = execute(a, &a->list.data[a->next++], events, &restart);
        if (restart && events->initial)
            a->part->records.mattered.late_actions = true;
        restart = restart && !events->initial;
    }
    a->waits = restart;
    if (restart)
        sg_events_restart(events, SG_RESTART_FULL);
    else if (a->next < a->list.len && !a->waiting && !a->capturing &&
             (events->initial || a->next_time > events->time))
        sg_events_next_event(events, a->next_time);
    return status;
}

// The condition that is waited for may be an argument behind the program.
static void look_at_input(sg_actions *a, const sg_extern_call *call)
{
    const sg_condition *c = a->waiting ? &a->waiting->condition : NULL;
    if (c && c->kind == SG_CONDITION_INPUT)
        a->met = *call->args[c->input].data != 0.0;
}

sg_status sg_actions_evaluate(sg_actions *a, const sg_extern_call *call)
{
    a->time = call->time;
    if (!call->events || !sg_events_deciding(call->events))
        return SG_OK;
    look_at_input(a, call);
    return a->part->records.compat.late_actions ? at_event_late(a, call->events)
                                                : at_event(a, call->events);
}

// ---- between segments -----------------------------------------------------------------------

sg_status sg_actions_change_structure(sg_part *part)
{
    sg_status status = SG_OK;
    for (size_t i = 0; status == SG_OK && i < part->records.programs.all.len; i++) {
        sg_actions *a = sg_actions_of(part->vm, part->records.programs.all.data[i]);
        bool again = a->do_ && !a->waits; // of another program, or one that was lost before
        a->waits = false;
        // A chain that was turned around has nothing to be turned again.
        if (!a->do_ || (a->made && a->do_->kind == SG_ACTION_FLIP_CHAIN))
            continue;
        part->records.mattered.late_actions |= again && part->records.compat.late_actions;
        sg_part_balance_before_change(part);
        part->records.programs.made = a->do_;
        part->records.programs.made_at = a->time;
        const char *refused = a->do_->impulse ? a->capture.refused : NULL;
        status = sg_part_restructure(part, a->do_, refused, a->time);
        a->made = true;
        if (!part->records.compat.late_actions) // as published, it is made again at every restart
            a->do_ = NULL;
    }
    return status;
}

void sg_actions_blame(const sg_part *part, sg_diags *diags)
{
    const sg_action *made = part->records.programs.made;
    if (made)
        sg_note(diags, made->span, "%s of '%s' at time = %.10g s caused this",
                sg_action_name(made->kind), made->part, part->records.programs.made_at);
}

// ---- after a run ----------------------------------------------------------------------------

static void note_waiting(const sg_actions *a, size_t left, sg_diags *diags)
{
    char what[256];
    sg_condition_describe(&a->waiting->condition, what, sizeof what);
    sg_note(diags, a->waiting->span,
            "%s: the run ended before %zu of its commands; it waits since time = %.10g s until %s",
            a->name, left, a->waiting_since, what);
}

void sg_part_report_actions(const sg_part *part, sg_diags *diags)
{
    for (size_t i = 0; i < part->records.programs.all.len; i++) {
        const sg_actions *a = sg_actions_of(part->vm, part->records.programs.all.data[i]);
        size_t left = a->list.len - a->next;
        if (!left)
            continue;
        if (isnan(a->time))
            sg_warning(diags, SG_E_ACTION, a->span,
                       "%s: none of its commands was executed; an equation must call "
                       "executeActions of it",
                       a->name);
        else if (a->waiting)
            note_waiting(a, left, diags);
        else
            sg_note(diags, a->list.data[a->next].span,
                    "%s: the run ended before %zu of its commands; this one would be due at time = "
                    "%.10g s",
                    a->name, left, a->next_time);
    }
}
