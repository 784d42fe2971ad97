// simulate! and linearize!: the run, the record of what happened.
#include "lang/runtime.h"
#include "model3d/model3d.h"
#include "natives/animations.h"
#include "natives/bounds.h"
#include "natives/inputs.h"
#include "natives/model_object.h"
#include "natives/overrides.h"
#include "natives/result_files.h"
#include "natives/running.h"
#include "natives/shares.h"
#include "natives/simulate_arguments.h"
#include "natives/touches.h"
#include "sim/recorder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- the result -----------------------------------------------------------------------------

// What a run needs besides its sinks.
typedef struct running {
    sg_model_object *model;
    sg_result_writer *writer;
    sg_arena arena;
    bool progressed; // somebody was told how far the run is
    const sg_sim_options *options;
    bool by_host; // as that of sg_simulate_arguments
    sg_span span;
} running;

// The first of the sinks: says how large the result will be before anything else happens, and which
// bodies a segment has.
static sg_status announce(void *context, const char *model, uint32_t segment, double t,
                          const sg_signal *signals, size_t n)
{
    (void)model;
    (void)t;
    const running *r = context;
    sg_status status = SG_OK;
    if (segment == 0)
        status = sg_result_files_estimate(r->model->session, signals, n,
                                          r->model->instance.built.len > 0, r->options, r->span);
    if (r->options->log_states)
        sg_components_log_segment(r->model->components);
    if (status != SG_OK)
        return status;
    return SG_OK;
}

static void tell_progress(running *r, const sg_sim_progress *p, bool done)
{
    const sg_session *session = r->model->session;
    if (!session->options.progress)
        return;
    r->progressed = true;
    sg_progress progress = {.model = sg_vm_text(session->vm, r->model->instance.name),
                            .t = p->t,
                            .start = p->start,
                            .stop = p->stop,
                            .h = p->h,
                            .n_steps = p->n_steps,
                            .n_events = p->n_events,
                            .events_per_second = p->events_per_second,
                            .real_time_factor = p->real_time_factor,
                            .wall_time = p->wall_time,
                            .segment = p->segment,
                            .done = done};
    session->options.progress(session->options.context, &progress);
}

// Now and then while a simulation runs. While no points come, those that wait still reach the disk
// within a second or so.
static void look_up(void *user, const sg_sim_progress *progress)
{
    running *r = user;
    sg_result_writer_tick(r->writer); // an error stays with the writer until the next point
    tell_progress(r, progress, false);
}

// ---- the record -----------------------------------------------------------------------------

static const char *state_name(const sg_model_object *m, size_t i)
{
    const sg_sim_segment *segment = &m->compiled.model.segment;
    return segment->state_names && i < segment->n_states ? segment->state_names[i] : "";
}

static bool has_same_names(const sg_sim_record *r, const sg_model_object *m, size_t n)
{
    bool same = r->n_states == n && r->state_names;
    for (size_t i = 0; i < n && same; i++)
        same = strcmp(r->state_names[i], state_name(m, i)) == 0;
    return same;
}

// Scripts that simulate thousands of times do so with a few models: names are kept once in a row.
static const char **keep_state_names(const sg_model_object *m, size_t n)
{
    sg_session *session = m->session;
    size_t before = session->simulations.len;
    if (before && has_same_names(&session->simulations.data[before - 1], m, n))
        return session->simulations.data[before - 1].state_names;
    const char **names = SG_NEW_ARRAY(&session->arena, const char *, n + 1);
    for (size_t i = 0; i < n && names; i++) {
        const char *name = state_name(m, i);
        const char *copy = sg_arena_text(&session->arena, name, strlen(name));
        names[i] = copy ? copy : "";
    }
    return names;
}

static void record(sg_model_object *m, const sg_simulate_arguments *a,
                   const sg_sim_outcome *outcome, size_t first_diag, sg_span span)
{
    sg_session *session = m->session;
    sg_arena *arena = &session->arena;
    const char *message = "";
    for (size_t i = first_diag; i < session->diags.len && !message[0]; i++)
        if (session->diags.list[i].severity == SG_ERROR)
            message = session->diags.list[i].message;
    sg_sim_record r = {.model = sg_vm_text(session->vm, m->instance.name),
                       .solver = a->sim.method->name,
                       .message = message,
                       .span = span,
                       .start_time = a->sim.start,
                       .stop_time = a->sim.stop,
                       .tolerance = a->sim.tolerance,
                       .final_time = outcome->t,
                       .cpu_time = outcome->stats.init_cpu_time + outcome->stats.sim_cpu_time,
                       .status = outcome->status,
                       .required = !a->sim.test_final_states                              ? 0
                                   : outcome->status == SG_OK && outcome->final_states_ok ? 1
                                                                                          : -1,
                       .n_steps = outcome->stats.n_steps,
                       .n_rhs = outcome->stats.nf_total,
                       .n_jac = outcome->stats.n_jac,
                       .n_events = outcome->stats.n_time_events + outcome->stats.n_state_events,
                       .n_segments = outcome->stats.n_segments,
                       .n_translations = m->translated.n_translations};
    if (session->options.timed) {
        r.shares = sg_run_shares_of(m->flatten_time + m->translate_time, outcome);
        r.shares.model = r.model;
        r.shares.solver = r.solver;
    }
    if (m->has_contacts) {
        sg_contact_counts *contacts = SG_NEW(arena, sg_contact_counts);
        if (contacts)
            *contacts = m->contacts;
        r.contacts = contacts;
    }
    r.n_states = outcome->x ? outcome->n_states : 0;
    r.state_names = keep_state_names(m, r.n_states);
    r.final_states = SG_NEW_ARRAY(arena, double, r.n_states + 1);
    if (r.final_states && r.n_states)
        memcpy(r.final_states, outcome->x, r.n_states * sizeof *r.final_states);
    SG_PUSH(session->allocator, &session->simulations, r);
}

static void keep_final_states(sg_model_object *m, const sg_sim_outcome *outcome)
{
    if (outcome->x && sg_vec_reserve(m->session->allocator, (void **)&m->final_states,
                                     &m->cap_final_states, outcome->n_states, sizeof(double))) {
        memcpy(m->final_states, outcome->x, outcome->n_states * sizeof(double));
        m->n_final_states = outcome->n_states;
    }
}

static void write_log(void *user, const char *text) { sg_vm_write(user, text, strlen(text)); }

// ---- simulate! ------------------------------------------------------------------------------

static sg_status keep_blob(void *context, const char *name, const void *bytes, size_t length)
{
    return sg_result_writer_blob(context, name, bytes, length);
}

// A run file that stays holds what a page needs; one that nobody asked for only if the page is.
static void log_scene(const running *r, sg_film *film)
{
    const sg_session_options *o = &r->model->session->options;
    sg_scene_log_init(&film->scene, r->model->session->allocator);
    if (film->n_parts && (o->keep_run_files || o->scene != SG_SCENE_WITH_FILES || r->by_host)) {
        film->scene.keep = keep_blob;
        film->scene.context = r->writer;
    }
}

typedef struct reserved {
    running *run;
    sg_film *film;
    sg_touches *touches;
} reserved;

// Where memory may be taken: for what the functions of the script make, and for the result.
static sg_status reserve(void *user)
{
    const reserved *r = user;
    if (r->run->model->instance.flat.funcs.len > 1)
        sg_heap_reserve(r->run->model->session->vm);
    size_t film = r->film->scene.bytes.cap, touches = sg_touches_reserve(r->touches);
    return sg_result_writer_reserve(r->run->writer, film > touches ? film : touches);
}

// What becomes of the points: signals for the size of the result, the run file and the sinks of the
// session's options; frames of 3D parts, if `animated`.
static sg_status run_with_sinks(running *r, bool animated, sg_sim_options *options, sg_film *film,
                                sg_sim_outcome *outcome)
{
    sg_model_object *m = r->model;
    sg_session *session = m->session;
    size_t n = session->options.n_sinks;
    sg_sink *sinks = SG_NEW_ARRAY(&r->arena, sg_sink, n + 3);
    sg_bounds_watch watch = {.flat = &m->instance.flat,
                             .diags = &session->diags,
                             .arena = &r->arena,
                             .tolerance = options->tolerance};
    if (!sinks)
        return SG_ERR_MEMORY;
    sg_animations_film(m, options, film);
    film->scene_only = r->by_host;
    if (session->options.scene == SG_SCENE_REQUIRED && !film->n_parts) {
        sg_error(&session->diags, SG_E_ANIMATION, r->span,
                 "model '%s' has no 3D parts, so there is no scene to write",
                 sg_vm_text(session->vm, m->instance.name));
        return SG_ERR_USAGE;
    }
    log_scene(r, film);
    sinks[0] = (sg_sink){.context = r, .begin_segment = announce};
    sinks[1] = sg_result_writer_sink(r->writer);
    sinks[2] = sg_bounds_sink(&watch);
    for (size_t i = 0; i < n; i++)
        sinks[i + 3] = session->options.sinks[i];
    sg_recorder recorder;
    sg_recorder_init(&recorder, session->allocator, sg_vm_text(session->vm, m->instance.name),
                     &m->compiled, sinks, n + 3, m->single, &session->diags);
    sg_touches touches;
    sg_touches_init(&touches, film->parts, film->n_parts, session->allocator, r->writer);
    sg_sim_sink list[] = {sg_recorder_sink(&recorder), sg_touches_sink(&touches),
                          sg_film_sink(film)};
    options->reserve = reserve;
    options->reserve_user = &(reserved){r, film, &touches};
    m->running = true;
    sg_status status = sg_sim_run(session->allocator, &m->compiled.model, options, list,
                                  animated ? 3 : 2, &session->vm->limits, &session->diags, outcome);
    m->running = false;
    sg_heap_settle(session->vm);
    sg_recorder_destroy(&recorder);
    sg_touches_destroy(&touches);
    return status;
}

// What coefficients of restitution acted as in all parts of the model, in words.
static const char *restitution_of(const sg_model_object *m, sg_arena *arena)
{
    const char *all = "";
    for (size_t i = 0; i < m->n_parts; i++) {
        const char *text = sg_part_restitution(m->parts[i]);
        if (text[0])
            all = sg_arena_printf(arena, "%s%s%s", all, all[0] ? ", " : "", text);
        if (!all)
            return "";
    }
    return all;
}

static sg_status open_result(running *r, enum sg_keep keep)
{
    sg_model_object *m = r->model;
    sg_session *session = m->session;
    if (r->by_host)
        return sg_result_files_in_memory(session, &r->arena, &r->writer);
    m->result_stem = sg_result_stem(session, sg_vm_text(session->vm, m->instance.name), keep);
    return m->result_stem ? sg_result_files_open(session, m->result_stem, keep, r->span, &r->writer)
                          : SG_ERR_MEMORY;
}

static sg_status run_model(sg_model_object *m, sg_simulate_arguments *a, sg_span span,
                           bool animated, sg_sim_outcome *outcome)
{
    sg_session *session = m->session;
    running r = {.model = m, .options = &a->sim, .by_host = a->by_host, .span = span};
    sg_film film = {0};
    sg_arena_init(&r.arena, session->allocator);
    sg_status status = open_result(&r, a->keep);
    if (status == SG_OK)
        status = sg_running_meta(m, &a->sim, r.writer, &r.arena);
    if (status == SG_OK) {
        a->sim.single = m->single;
        a->sim.write = write_log;
        a->sim.write_user = session->vm;
        a->sim.progress = look_up;
        a->sim.progress_user = &r;
        a->sim.progress_period = 0.2;
        const uint64_t *requested = session->counted.inner->requested;
        a->sim.allocated = requested ? requested : &session->counted.bytes;
        m->compiled.tolerance = a->sim.tolerance;
        session->host.log = a->sim.log;
        session->host.log_events = a->sim.log_events;
        status = run_with_sinks(&r, animated, &a->sim, &film, outcome);
        if (r.progressed)
            tell_progress(&r, &(sg_sim_progress){.t = outcome->t}, true);
        if (status == SG_ERR_CHECK) // the run itself went well; the caller counts the test
            status = SG_OK;
        // The end may have been noticed first by a request for memory, and those that followed were
        // refused: from here on everybody knows, and the result gets what it needs.
        (void)sg_limits_check_slow(&session->vm->limits);
        status = sg_limits_truth(&session->vm->limits, status);
        sg_result_destroy(m->result);
        m->result = NULL;
        sg_status written = sg_result_files_finish(r.writer, outcome, restitution_of(m, &r.arena),
                                                   status, &m->result);
        status = status == SG_OK ? written : status;
        written = sg_animations_finish(&film, a->sim.log);
        status = status == SG_OK ? written : status;
        sg_scene_log_destroy(&film.scene);
        sg_animation_destroy(&film.stage);
        if (m->result && !m->result->n_points) { // it never began
            sg_result_destroy(m->result);
            m->result = NULL;
        }
    }
    sg_result_writer_destroy(r.writer);
    sg_arena_destroy(&r.arena);
    return status;
}

// An impact takes less time than steps that somebody chose for the rest of the motion.
static void tell_fixed_steps(const sg_model_object *m, const sg_sim_options *o, sg_span span)
{
    if (o->adaptive || !m->contacts.begun || !sg_algorithm_is_one_step(o->method))
        return;
    sg_warning(&m->session->diags, SG_E_CONTACT, span,
               "bodies touch in this run, and adaptive = false takes steps of one length, which "
               "ignore contacts: the run may step over them, and bodies may leave them with any "
               "speed. Leave out adaptive = false, with CVODE_BDF() or IDA() for hard contacts, "
               "Tsit5() for soft ones");
}

static sg_status linearization(sg_vm *vm, const sg_sim_outcome *outcome, sg_value *out);

// Says what is really run when the command line changed it.
static void tell_overrides(sg_session *session, const sg_simulate_arguments *a, sg_span span)
{
    const sg_session_options *o = &session->options;
    if (isnan(o->stop_time) && isnan(o->tolerance) && isnan(o->atol) && isnan(o->interval) &&
        !o->solver && !o->n_settings)
        return;
    sg_buf text;
    sg_buf_init(&text, session->allocator);
    if (!isnan(o->atol))
        sg_buf_printf(&text, ", atol = %g", a->sim.atol);
    for (size_t i = 0; i < o->n_settings; i++)
        sg_buf_printf(&text, ", %s = %s", o->settings[i].name, o->settings[i].value);
    sg_note(&session->diags, span,
            "with the command line: stopTime = %g s, tolerance = %g, interval = %g s, solver = "
            "%s%s",
            a->sim.stop, a->sim.tolerance,
            a->sim.interval > 0 ? a->sim.interval : (a->sim.stop - a->sim.start) / 500,
            a->sim.method->name, sg_buf_text(&text));
    sg_buf_free(&text);
}

// What stores or takes up energy is never negative, or the model runs away. Who means it, an active
// circuit say, is told once.
static void tell_negative(sg_model_object *m, sg_span span)
{
    static const struct {
        const char *unit, *name;
    } table[] = {{"Ω", "resistance"}, {"F", "capacitance"},  {"H", "inductance"},
                 {"kg", "mass"},      {"kg*m^2", "inertia"}, {"J/K", "heat capacity"}};
    sg_session *session = m->session;
    const sg_flat *flat = &m->instance.flat;
    sg_units *units = sg_runtime_of(session->vm)->units;
    for (size_t i = 1; i < flat->pars.len && !m->told_negative; i++) {
        const sg_flat_par *par = &flat->pars.data[i];
        const char *unit = par->unit.i ? sg_sym_text(flat->symbols, par->unit) : "";
        if (par->value.kind != SG_FLAT_NUMBER || !(par->value.numbers[0] < 0.0) || !unit[0])
            continue;
        uint32_t of = sg_unit_parse(units, unit, strlen(unit), NULL, NULL, NULL);
        for (size_t k = 0; k < SG_COUNT(table) && of != SG_UNIT_BAD; k++) {
            uint32_t known =
                sg_unit_parse(units, table[k].unit, strlen(table[k].unit), NULL, NULL, NULL);
            if (known == SG_UNIT_BAD || !sg_unit_same_dimension(units, of, known))
                continue;
            sg_warning(&session->diags, SG_E_BOUNDS_LEFT, par->span.file ? par->span : span,
                       "'%s' = %.6g %s is a negative %s; is that meant?",
                       sg_sym_text(flat->symbols, par->name), par->value.numbers[0], unit,
                       table[k].name);
            m->told_negative = true;
            break;
        }
    }
}

static bool is_joint_angle(const sg_model_object *m, const char *name)
{
    const char *dot = strrchr(name, '.');
    size_t length = dot ? (size_t)(dot - name) : 0;
    for (size_t i = 0; i < m->n_parts; i++) {
        const sg_part *part = m->parts[i];
        for (size_t k = 0; k < part->built.joints.len; k++) {
            const char *path =
                sg_sym_text(m->instance.flat.symbols, part->built.joints.data[k].path);
            const sg_part_joint *joint = &part->built.joints.data[k];
            if (joint->kind == SG_JOINT_REVOLUTE && strlen(path) == length && dot &&
                strncmp(path, name, length) == 0 &&
                strcmp(joint->form->step[joint->step].inputs[0], dot + 1) == 0)
                return true;
        }
    }
    return false;
}

// Angles of joints are in rad, and -150 is a number of degrees. A whole number of more than one and
// a half turns is hardly ever an angle in rad; 150u"°" is none.
static void tell_degrees(const sg_model_object *m, sg_span span)
{
    enum { SUSPICIOUS = 10 }; // [rad]
    const sg_flat *flat = &m->instance.flat;
    for (size_t i = 1; i < flat->vars.len; i++) {
        const sg_flat_var *var = &flat->vars.data[i];
        const char *name = sg_sym_text(flat->symbols, var->name);
        if (!(var->attributes & SG_ATTR_HAS_INIT) || var->value.kind != SG_FLAT_NUMBER ||
            !(fabs(var->value.numbers[0]) >= SUSPICIOUS) ||
            var->value.numbers[0] != floor(var->value.numbers[0]) || !is_joint_angle(m, name))
            continue;
        double x = var->value.numbers[0];
        sg_warning(&m->session->diags, SG_E_ARGUMENT, var->span.file ? var->span : span,
                   "'%s' begins at %g rad, which is %.3g turns; degrees are written %gu\"°\"", name,
                   x, x / (2.0 * SG_PI), x);
    }
}

// Values that nobody gave.
static void tell_defaults(const sg_model_object *m, const sg_simulate_arguments *a, sg_span span)
{
    sg_diags *diags = &m->session->diags;
    const sg_flat *flat = &m->instance.flat;
    if (a->other_run)
        sg_note(diags, span,
                "requiredFinalStates is not tested: the command line changed the model or the "
                "stop time");
    if (a->no_stop && !a->sim.linearize)
        sg_note(diags, span,
                "no stopTime is given: the model is initialized at time = %g s and not simulated",
                a->sim.start);
    if (a->zero_interval && a->sim.stop > a->sim.start)
        sg_note(diags, span,
                "interval = 0 stands for the default, (stopTime - startTime)/500 = %g s",
                (a->sim.stop - a->sim.start) / 500);
    if (a->sim.interval > a->sim.stop - a->sim.start && a->sim.stop > a->sim.start)
        sg_warning(
            diags, SG_E_ARGUMENT, span,
            "interval = %g s is longer than the run of %g s: only its start, its end and its "
            "events are stored",
            a->sim.interval, a->sim.stop - a->sim.start);
    // With initial equations a state without a value of its own may get one from them.
    size_t n = a->sim.log && !flat->initial_eqs.len ? m->compiled.program->n_states : 0;
    for (size_t i = 0; i < n; i++) {
        const sg_flat_var *var = &flat->vars.data[m->compiled.program->state_vars[i]];
        if (!(var->attributes & (SG_ATTR_HAS_INIT | SG_ATTR_HAS_START | SG_ATTR_STEADY)))
            sg_note(diags, var->span, "the state '%s' has no init value; 0 is taken",
                    sg_sym_text(flat->symbols, var->name));
    }
}

static void print_parameters(sg_model_object *m, const char *name, sg_value dict)
{
    sg_vm *vm = m->session->vm;
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    sg_show_model(vm, sg_runtime_of(vm)->units, name, dict, &text);
    sg_vm_write(vm, sg_buf_text(&text), text.len);
    sg_buf_free(&text);
}

static bool compares(const sg_exprs *exprs)
{
    for (uint32_t i = 1; i < exprs->len; i++)
        if (exprs->nodes[i].op >= SG_X_LT && exprs->nodes[i].op <= SG_X_NE)
            return true;
    return false;
}

// Final states that belong to the published program may need one of its peculiarities.
static void suggest_compat(sg_model_object *m, sg_span span)
{
    const sg_compat *on = &m->session->compat;
    if (m->compiled.exec->memories.layout.n_previous && !on->previous_at_start)
        sg_note(&m->session->diags, span,
                "the published program does not advance 'previous' at the first tick; if these "
                "numbers come from it, use --compat previous-at-start");
    if (compares(&m->instance.flat.exprs) && !on->plain_comparisons)
        sg_note(&m->session->diags, span,
                "the published program steps over comparisons in equations; if these numbers come "
                "from it, use --compat plain-comparisons");
    sg_components_suggest_compat(m->components, &m->session->diags, span);
    if (m->session->has_still_row && !on->path_rows)
        sg_note(&m->session->diags, span,
                "the published program lets a row of a path without motion end at time 0; if these "
                "numbers come from it, use --compat path-rows");
}

// Which of the peculiarities that were asked for were in play.
static void report_compat(sg_model_object *m, sg_span span)
{
    const sg_compat *on = &m->session->compat;
    sg_diags *diags = &m->session->diags;
    if (m->compiled.exec->memories.layout.n_previous && on->previous_at_start)
        sg_note(diags, span,
                "--compat previous-at-start: in this model the first tick does not advance "
                "'previous'");
    if (compares(&m->instance.flat.exprs) && on->plain_comparisons)
        sg_note(diags, span,
                "--compat plain-comparisons: in this model comparisons in equations are no events");
    sg_components_report_compat(m->components, diags);
    if (m->session->has_still_row && on->path_rows)
        sg_note(diags, span, "--compat path-rows: a row of a path without motion ends at time 0");
}

// --converge: the same run at a ten times smaller tolerance; the first result is kept.
static sg_status converge(sg_session *session, sg_model_object *m, const sg_simulate_arguments *a,
                          sg_span span)
{
    sg_simulate_arguments fine = *a;
    sg_sim_outcome outcome = {0};
    fine.sim.tolerance = a->sim.tolerance / 10;
    fine.sim.atol = a->sim.atol / 10;
    fine.sim.test_final_states = fine.sim.log = fine.sim.log_events = fine.sim.log_states = false;
    sg_result *first = sg_result_retain(m->result);
    // The file of the first run must not be overwritten by the second, which nobody asked to keep.
    bool keep = session->options.keep_run_files;
    session->options.keep_run_files = false;
    sg_status status = sg_compiled_link(&m->compiled, fine.sim.dae_min_size, &session->diags);
    if (status == SG_OK)
        status = run_model(m, &fine, span, false, &outcome);
    session->options.keep_run_files = keep;
    if (status == SG_OK)
        status = sg_report_difference(session, first, m->result, a->sim.tolerance, span);
    sg_sim_outcome_free(&outcome);
    sg_result_destroy(m->result);
    m->result = first;
    return status;
}

// *out is the pair of linearize!, or the model, or what is known of it without a run.
static sg_status simulate(sg_session *session, sg_model_object *m, const sg_args *args,
                          sg_simulate_arguments *a, sg_value *out)
{
    sg_vm *vm = session->vm;
    size_t first_diag = session->diags.len, n_errors = session->diags.n_errors;
    sg_sim_outcome outcome = {.status = SG_ERR_MODEL, .t = a->sim.start};
    m->start_time = m->compiled.start_time = a->sim.start;
    m->compiled.no_nominals = a->sim.compat_tolerance;
    m->compiled.tolerance = a->sim.tolerance;
    bool ran = false;
    m->has_contacts = false;
    sg_status status = a->by_host ? SG_OK : sg_simulate_keep_extra(m, args);
    if (status == SG_OK)
        status = sg_instance_evaluate(&m->instance, a->merge);
    if (status == SG_OK)
        status = sg_model_translate_again(m, args->span);
    if (status == SG_OK && a->log_parameters)
        print_parameters(m, "parameters", m->instance.parameters);
    if (status == SG_OK && a->log_evaluated)
        print_parameters(m, "evaluatedParameters", m->instance.evaluated);
    if (status == SG_OK && !session->options.check_only && !a->by_host)
        status = sg_inputs_prepare(m, a->sim.start, a->sim.stop, args->span);
    // A check does not know values that come from runs, and nothing can be said of them.
    bool linkable = !session->options.check_only || !sg_holds_unknown(m->instance.parameters);
    if (status == SG_OK && linkable)
        status = sg_compiled_link(&m->compiled, a->sim.dae_min_size, &session->diags);
    if (status == SG_OK && session->options.check_only) {
        m->experiment = a->sim; // for whoever runs it later
        m->experiment.final_states = NULL;
        m->experiment.test_final_states = false;
        m->has_experiment = !a->no_stop;
        *out = sg_unknown_value(vm);
        return SG_OK;
    }
    if (status == SG_OK) {
        tell_overrides(session, a, args->span);
        tell_defaults(m, a, args->span);
        tell_negative(m, args->span);
        tell_degrees(m, args->span);
        ran = true;
        status = run_model(m, a, args->span, true, &outcome);
        m->posed = false;
        sg_session_count_contacts(m, a->log_contacts, args->span);
        tell_fixed_steps(m, &a->sim, args->span);
        if (status == SG_OK) {
            report_compat(m, args->span);
            sg_components_report(m->components, &session->diags);
        }
    }
    if (status == SG_OK && session->options.checks & SG_SESSION_CONVERGE)
        status = converge(session, m, a, args->span);
    if (m->result)
        status = status == SG_OK ? sg_write_formats(m, args->span) : status;
    if (status == SG_ERR_IO) // of an animation, too
        status = sg_files_refusal(&session->files);
    if (status == SG_ERR_MEMORY)
        sg_session_fail(session, status); // before anything else is said
    if (status != SG_OK)
        sg_running_explain(m, first_diag, n_errors);
    // What the run reports without a place belongs to this call.
    for (size_t i = first_diag; i < session->diags.len; i++)
        if (!session->diags.list[i].span.file)
            session->diags.list[i].span = args->span;
    if (ran && m->result && session->options.finished && status != SG_ERR_MEMORY)
        session->options.finished(session->options.context, m->result);
    if (ran && session->options.balance)
        sg_session_print_balance(m, a->sim.tolerance, args->span);
    outcome.status = status;
    m->solver = a->sim.method->name;
    keep_final_states(m, &outcome);
    if (a->by_host) { // who asked has the status, and there may be thousands of them
        sg_sim_outcome_free(&outcome);
        return status;
    }
    record(m, a, &outcome, first_diag, args->span);
    bool checked = a->sim.test_final_states;
    bool passed = status == SG_OK && (!checked || outcome.final_states_ok);
    if (checked)
        sg_script_count_test(sg_runtime_of(vm), passed);
    if (status != SG_OK)
        sg_session_fail(session, status);
    else if (!passed) {
        suggest_compat(m, args->span);
        sg_session_fail(session, SG_ERR_CHECK);
    }
    if (status == SG_OK) {
        *out = sg_solution_make(vm, m->result, outcome.status);
        if (a->sim.linearize)
            status = linearization(vm, &outcome, out);
        else if (out->tag == SG_UNDEF)
            status = SG_ERR_MEMORY;
    }
    sg_sim_outcome_free(&outcome);
    // Repeated errors are counted, but not told.
    bool told = m->failed || session->diags.n_errors > n_errors;
    m->failed = status != SG_OK;
    if (m->failed && told && session->told.n <= first_diag &&
        sg_diags_drop_repeated(&session->diags, first_diag))
        sg_warning(&session->diags, SG_E_FOLLOWS, args->span,
                   "simulate! fails again, for the reason given above");
    return status;
}

// Messages get their places and their causes when the run is over, so what the log prints meanwhile
// must not send them off.
static sg_status simulate_quietly(sg_session *session, sg_model_object *m, const sg_args *args,
                                  sg_simulate_arguments *a, sg_value *out)
{
    session->told.held++;
    sg_status status = simulate(session, m, args, a, out);
    session->told.held--;
    return status;
}

sg_status sg_simulate_by_host(sg_model_object *m, sg_simulate_arguments *a)
{
    const sg_args none = {0};
    sg_value nothing;
    return simulate_quietly(m->session, m, &none, a, &nothing);
}

// Arguments that make no sense: reported, counted as a failed test, and the script goes on.
static void refuse(sg_session *session, sg_model_object *m, sg_status status)
{
    m->failed = true;
    sg_report_exception(session->vm);
    sg_script_count_test(session->script, false);
    sg_session_fail(session, status);
}

// A model that functions of it cannot simulate while it runs, for it would lose what it stands on.
static sg_model_object *idle_model(sg_vm *vm, const sg_args *args, const char *function)
{
    sg_model_object *m = sg_model_argument(vm, args, function);
    if (!m || !m->running)
        return m;
    sg_raise(vm, "ErrorException", SG_E_ARGUMENT, args->span,
             "%s: the model '%s' is running already; a function that it calls cannot run it again",
             function, sg_vm_text(vm, m->instance.name));
    return NULL;
}

static sg_status simulate_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    sg_session *session = context;
    *out = SG_VALUE_NOTHING;
    if (args->n && args->v[0].tag == SG_NOTHING) {
        sg_warning(&session->diags, SG_E_FOLLOWS, args->span,
                   "simulate! is skipped: the model could not be instantiated");
        return SG_OK;
    }
    sg_model_object *m = idle_model(vm, args, "simulate!");
    if (!m)
        return SG_ERR_MODEL;
    sg_simulate_arguments a;
    sg_status status = sg_simulate_read(m, args, &a);
    if (status == SG_OK)
        status = simulate_quietly(session, m, args, &a, out);
    else if (sg_session_goes_on(status))
        refuse(session, m, status);
    sg_simulate_arguments_free(vm, &a);
    return sg_session_stop_script(vm, status, args->span);
}

// ---- linearize! -----------------------------------------------------------------------------

// (A, x): the Jacobian of the derivatives at the final states, and these.
static sg_status linearization(sg_vm *vm, const sg_sim_outcome *outcome, sg_value *out)
{
    size_t n = outcome->n_states, dims[2] = {n, n};
    sg_tuple *pair = sg_tuple_make(vm, 2);
    sg_array *A = sg_array_make(vm, SG_ELEM_FLOAT, 2, dims);
    sg_array *x = sg_vector_make(vm, SG_ELEM_FLOAT, n);
    if (!pair || !A || !x)
        return SG_ERR_MEMORY;
    if (n) {
        memcpy(A->f, outcome->A, n * n * sizeof(double));
        memcpy(x->f, outcome->x, n * sizeof(double));
    }
    pair->items[0] = sg_object(A);
    pair->items[1] = sg_object(x);
    *out = sg_object(pair);
    return SG_OK;
}

static sg_status linearize_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    sg_session *session = context;
    *out = SG_VALUE_NOTHING;
    if (args->n && args->v[0].tag == SG_NOTHING)
        return SG_OK;
    sg_model_object *m = idle_model(vm, args, "linearize!");
    if (!m)
        return SG_ERR_MODEL;
    sg_simulate_arguments a;
    sg_status status = sg_simulate_read(m, args, &a);
    a.sim.linearize = true;
    const sg_value *analytic = sg_args_find(vm, args, "analytic");
    if (analytic && analytic->tag == SG_BOOL && analytic->b)
        sg_note(&session->diags, args->span,
                "analytic = true: the Jacobian is computed by differences all the same");
    if (status == SG_OK)
        status = simulate_quietly(session, m, args, &a, out);
    else if (sg_session_goes_on(status))
        refuse(session, m, status);
    sg_simulate_arguments_free(vm, &a);
    return sg_session_stop_script(vm, status, args->span);
}

bool sg_session_register_simulate(sg_session *session)
{
    sg_module *modia = sg_vm_module(session->vm, "Modia");
    return sg_vm_offer(session->vm, modia, "simulate!", simulate_native, session,
                       "simulate!(model, solver; stopTime = ..., tolerance = ...)") &&
           sg_vm_offer(session->vm, modia, "linearize!", linearize_native, session,
                       "linearize!(model, solver; stopTime = ...)");
}
