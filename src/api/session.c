#include "api/lifetime.h"
#include "base/options.h"
#include "builtins/builtins.h"
#include "byhand/objects.h"
#include "lang/runtime.h"
#include "natives/c_component.h"
#include "natives/embedded.h"
#include "natives/model_object.h"
#include "natives/overrides.h"
#include "natives/part_host.h"
#include "parts/constructors3d.h"
#include "segue/actions.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

sg_session_options sg_session_options_make(void)
{
    return (sg_session_options){.size = sizeof(sg_session_options),
                                .stop_time = (double)NAN,
                                .tolerance = (double)NAN,
                                .atol = (double)NAN,
                                .interval = (double)NAN};
}

int sg_exit_status_of(sg_status status)
{
    switch (status) {
    case SG_OK:
        return 0;
    case SG_ERR_USAGE:
    case SG_ERR_IO:
        return 1;
    case SG_ERR_MODEL:
    case SG_ERR_INPUT:
    case SG_ERR_INTERNAL:
        return 2;
    case SG_ERR_INIT:
        return 3;
    case SG_ERR_SOLVER:
        return 4;
    case SG_ERR_CHECK:
        return 5;
    case SG_ERR_LIMIT:
    case SG_ERR_MEMORY:
        return 6;
    case SG_ERR_ACTION:
        return 7;
    case SG_ERR_INTERRUPT:
        return 130;
    }
    return 2;
}

// ---- messages -------------------------------------------------------------------------------

const char *sg_session_output(const sg_session *session)
{
    return session && session->files_ready && session->files.output_made ? session->files.output_dir
                                                                         : NULL;
}

size_t sg_session_diag_count(const sg_session *session) { return session ? session->diags.len : 0; }

const sg_diag *sg_session_diag(const sg_session *session, size_t index, const char **file,
                               unsigned *line, unsigned *column)
{
    const sg_diag *diag = session ? sg_diags_get(&session->diags, index) : NULL;
    const sg_source *source = diag ? sg_sources_get(&session->sources, diag->span.file) : NULL;
    sg_position at = source
                         ? sg_source_position(&session->sources, diag->span.file, diag->span.first)
                         : (sg_position){0, 0};
    if (file)
        *file = source ? source->name : "";
    if (line)
        *line = at.line;
    if (column)
        *column = at.column;
    return diag;
}

size_t sg_session_skipped(const sg_session *session) { return session ? session->n_skipped : 0; }

int sg_session_exit_status(const sg_session *session)
{
    if (!session)
        return sg_exit_status_of(SG_ERR_USAGE);
    if (session->failure != SG_OK)
        return sg_exit_status_of(session->failure);
    sg_test_counts tests = sg_script_tests(session->script);
    return tests.failed ? sg_exit_status_of(SG_ERR_CHECK) : 0;
}

bool sg_session_place(const sg_session *session, const char **file, unsigned *line,
                      unsigned *column)
{
    if (!session || !file || !line || !column)
        return false;
    uint64_t place = atomic_load_explicit(&session->vm->place_outside, memory_order_acquire);
    const sg_source *source = sg_sources_find(&session->sources, (uint32_t)(place >> 32));
    if (!source)
        return false;
    sg_position at = sg_source_count_lines(source, (uint32_t)place);
    *file = source->name;
    *line = at.line;
    *column = at.column;
    return true;
}

// ---- the host of the script -------------------------------------------------------------------

static void write_out(void *context, const char *text, size_t length)
{
    sg_session *session = context;
    sg_session_report(session); // so that messages stay in order with the output
    if (session->options.write)
        session->options.write(session->options.context, text, length);
}

static void write_err(void *context, const char *text, size_t length)
{
    sg_session *session = context;
    if (!session->options.write_error) {
        write_out(context, text, length);
        return;
    }
    sg_session_report(session);
    session->options.write_error(session->options.context, text, length);
}

static sg_status load_file(void *context, const char *path, const char *from, char **text,
                           size_t *length, sg_buf *name)
{
    sg_session *session = context;
    sg_arena arena;
    sg_diags diags;
    sg_arena_init(&arena, session->allocator);
    sg_diags_init(&diags, session->allocator);
    const char *found_name, *found;
    sg_status status = sg_files_read(&session->files, &arena, from && from[0] ? from : NULL, path,
                                     sg_vm_where(session->vm), &diags, &found_name, &found, length);
    status = sg_session_pass_on(session, &diags, status);
    if (status == SG_OK) {
        sg_buf_puts(name, found_name);
        *text = session->allocator->resize(session->allocator->context, NULL, 0, *length + 1);
        if (*text) {
            memcpy(*text, found, *length);
            (*text)[*length] = '\0';
        } else {
            status = SG_ERR_MEMORY;
        }
    }
    sg_diags_destroy(&diags);
    sg_arena_destroy(&arena);
    return status;
}

// True if a name in the tree stands for something that only a run could tell.
static bool mentions_unknown(sg_session *session, const sg_module *module, const sg_ast *ast)
{
    if (ast->kind == SG_AST_NAME && sg_is_unknown(sg_module_get(module, ast->sym)))
        return true;
    for (uint32_t i = 0; i < ast->n; i++)
        if (mentions_unknown(session, module, ast->kids[i]))
            return true;
    return false;
}

static void make_unknown(sg_session *session, sg_module *module, const sg_ast *target)
{
    if (target->kind == SG_AST_NAME &&
        !sg_native_data(sg_module_get(module, target->sym), &sg_model_class))
        sg_module_set(session->vm, module, target->sym, sg_unknown_value(session->vm));
    for (uint32_t i = 0; target->kind == SG_AST_TUPLE && i < target->n; i++)
        make_unknown(session, module, target->kids[i]);
}

static bool is_mutating_call(const sg_session *session, const sg_ast *ast)
{
    if (ast->kind != SG_AST_CALL || ast->n < 2 || ast->kids[0]->kind != SG_AST_NAME)
        return false;
    const char *name = sg_vm_text(session->vm, ast->kids[0]->sym);
    return name[0] && name[strlen(name) - 1] == '!';
}

// What a skipped statement would have assigned or changed is unknown, too.
static void assign_unknown(sg_session *session, sg_module *module, const sg_ast *ast)
{
    if (ast->kind == SG_AST_ASSIGN || ast->kind == SG_AST_OPASSIGN)
        make_unknown(session, module, ast->kids[0]);
    else if (is_mutating_call(session, ast))
        make_unknown(session, module, ast->kids[1]);
    for (uint32_t i = 0; i < ast->n; i++)
        assign_unknown(session, module, ast->kids[i]);
}

// A mistake ends a run, but not a check: it is reported, and what the statement would have assigned
// is unknown from then on, so that nothing else is blamed for it. False after too many.
static bool go_on_after_mistake(sg_session *session, sg_module *module, const sg_ast *statement)
{
    enum { MANY = 20 };
    if (!statement || session->diags.n_errors >= MANY)
        return false;
    sg_value exception = session->vm->exception;
    if (!sg_is(exception, SG_OBJ_EXCEPTION) || exception.o->flags != 2) // 2: reported already
        sg_report_exception(session->vm);
    sg_session_fail(session, SG_ERR_MODEL);
    assign_unknown(session, module, statement);
    session->models.n_unknown_before = session->models.n_unknown;
    return true;
}

// Did it fail at such a thing, which a function took from elsewhere?
static bool stumbled_over_unknown(const sg_session *session)
{
    sg_value e = session->vm->exception;
    return sg_is(e, SG_OBJ_EXCEPTION) && ((const sg_exception *)e.o)->about_stand_in;
}

// Is it one that makes a model, and has made none so far?
static bool lacks_model(const sg_session *session, const sg_ast *statement, const sg_ast *ast)
{
    sg_span made = session->models.span, all = statement->span;
    if (made.file == all.file && made.first >= all.first && made.last <= all.last)
        return false;
    if (ast->kind == SG_AST_MACROCALL &&
        strstr(sg_vm_text(session->vm, ast->sym), "instantiateModel"))
        return true;
    for (uint32_t i = 0; i < ast->n; i++)
        if (lacks_model(session, statement, ast->kids[i]))
            return true;
    return false;
}

// `segue check`: a statement that fails because nothing was simulated is left out.
static bool skip_statement(void *context, sg_module *module, const sg_ast *statement)
{
    sg_session *session = context;
    bool skip = session->models.n_unknown > session->models.n_unknown_before ||
                (statement &&
                 (mentions_unknown(session, module, statement) || stumbled_over_unknown(session)));
    if (skip && statement)
        assign_unknown(session, module, statement);
    session->models.skipped |= skip && statement && lacks_model(session, statement, statement);
    session->models.n_unknown_before = session->models.n_unknown;
    session->n_skipped += skip;
    return skip || go_on_after_mistake(session, module, statement);
}

// ---- names that are not defined ---------------------------------------------------------------

// Whether a line of the text begins with the definition of a name.
static bool defines(const char *text, size_t left, const char *name)
{
    size_t length = strlen(name);
    while (left > length + 2) {
        if (memcmp(text, name, length) == 0 &&
            (text[length] == ' ' || text[length] == '=' || text[length] == '('))
            return true;
        const char *end = memchr(text, '\n', left);
        if (!end)
            break;
        left -= (size_t)(end + 1 - text);
        text = end + 1;
    }
    return false;
}

// The file of the library that defines a name at the beginning of a line, or null.
static const char *library_file(const char *name)
{
    static const char folder[] = "library/models/";
    const size_t n = sizeof folder - 1;
    for (size_t i = 0; i < sg_embedded_count; i++) {
        const sg_embedded *file = &sg_embedded_files[i];
        if (strncmp(file->name, folder, n) == 0 &&
            defines((const char *)file->bytes, file->length, name))
            return file->name + n;
    }
    return NULL;
}

// Things of one kind that other programs have under these names.
static const char *kind_of_name(const char *name)
{
    static const struct {
        const char *names, *sentence;
    } kinds[] = {
        {" Ball Hinge Slider Weld Fixed Free ",
         "joints are Revolute, Prismatic, Cylindrical, Planar, Helical, Spherical, Universal, Fix, "
         "many of them also WithFlange, and Rod, which closes loops; an Object3D with "
         "fixedToParent = false moves freely"},
        {" Cube Cuboid Brick Block Plane Torus Tube Mesh Ring ",
         "shapes are Box, Sphere, Ellipsoid, Cylinder, Cone, Capsule, Beam, FileMesh and others "
         "(docs/shapes.md)"},
        {" ode45 ode15s ode23 ode23s ode113 RK45 RK23 LSODA DASSL dassl Dopri5 dopri5 Euler RK4 "
         "BDF odeint solve_ivp ",
         "solvers are CVODE_BDF(), CVODE_Adams(), IDA(), Tsit5(), DP8() and others "
         "(docs/solvers.md)"},
        {" VariableVoltage VoltageSource PWLVoltage ",
         "a voltage that changes is a SignalVoltage whose input v an equation or a block gives: "
         "V = SignalVoltage, equations = :[V.v = if time < 1.0u\"s\"; 0.0u\"V\" else "
         "10.0u\"V\" end]"},
        {" StepTorque SineTorque TorqueStep ConstantTorque ",
         "a torque is a Torque whose input tau an equation or a block gives: "
         "T = Torque, equations = :[T.tau = 2.0u\"N*m\"]"}};
    char padded[64];
    if (snprintf(padded, sizeof padded, " %s ", name) >= (int)sizeof padded)
        return NULL;
    for (size_t i = 0; i < SG_COUNT(kinds); i++)
        if (strstr(kinds[i].names, padded))
            return kinds[i].sentence;
    return NULL;
}

static bool hint_undefined(void *context, const char *name, sg_buf *out)
{
    sg_session *session = context;
    const char *file = library_file(name), *kind = kind_of_name(name);
    sg_module *modia3d = sg_vm_module(session->vm, "Modia3D");
    bool in_prelude = !session->has_prelude && session->prelude(session) &&
                      sg_module_get(modia3d, sg_vm_sym(session->vm, name)).tag != SG_UNDEF;
    if (in_prelude)
        sg_buf_puts(out, "it comes with: using Modia3D");
    else if (file)
        sg_buf_printf(out, "it comes with: include(\"$(Modia.modelsPath)/%s\")", file);
    else if (kind)
        sg_buf_puts(out, kind);
    return in_prelude || file || kind;
}

// Modia.Resistor: the library is reachable through its module, too. Its files are loaded when first
// asked for.
static bool define_from_library(void *context, sg_module *module, const char *name)
{
    sg_session *session = context;
    const char *file = module == sg_vm_module(session->vm, "Modia") ||
                               module == sg_vm_module(session->vm, "Modia3D")
                           ? library_file(name)
                           : NULL;
    if (!file)
        return false;
    char inside[64], outside[96];
    snprintf(inside, sizeof inside, "library/models/%s", file);
    snprintf(outside, sizeof outside, SG_MODIA_PATH "/models/%s", file);
    const sg_embedded *found = sg_embedded_find(inside);
    return found && sg_script_run_text(session->script, module, outside, (const char *)found->bytes,
                                       found->length, NULL) == SG_OK;
}

// ---- packages -------------------------------------------------------------------------------

static bool set_text(sg_session *session, sg_module *module, const char *name, const char *text)
{
    return sg_module_set(session->vm, module, sg_vm_sym(session->vm, name),
                         sg_string_value(session->vm, text));
}

// The folder that holds objects/; the folder objects itself is understood, too.
static const char *modia3d_root(sg_session *session)
{
    const char *path = session->options.modia3d_path;
    if (!path)
        return SG_MODIA3D_PATH;
    char whole[PATH_MAX]; // a relative one is meant from where the command is given
    path = realpath(path, whole) ? whole : path;
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    static const char objects[] = "objects";
    size_t n = sizeof objects - 1;
    if (length >= n && memcmp(path + length - n, objects, n) == 0 &&
        (length == n || path[length - n - 1] == '/'))
        length -= n;
    return length ? sg_arena_text(&session->arena, path, length) : ".";
}

static bool define_paths(sg_session *session)
{
    sg_module *modia = sg_vm_module(session->vm, "Modia");
    sg_module *modia3d = sg_vm_module(session->vm, "Modia3D");
    const char *root = modia3d_root(session);
    return root && modia && modia3d && set_text(session, modia, "path", SG_MODIA_PATH) &&
           set_text(session, modia, "modelsPath", SG_MODIA_PATH "/models") &&
           set_text(session, modia, "Version", SG_VERSION_TEXT) &&
           set_text(session, modia3d, "path", root) &&
           set_text(session, modia3d, "modelsPath", SG_MODIA_PATH "/models") &&
           set_text(session, modia3d, "Version", SG_VERSION_TEXT);
}

// `using Modia3D` brings in all of Modia, too, and the name Modia itself.
static bool share_names(sg_session *session)
{
    sg_vm *vm = session->vm;
    sg_module *modia = sg_vm_module(vm, "Modia"), *modia3d = sg_vm_module(vm, "Modia3D");
    if (!sg_module_complete(modia))
        return false;
    for (size_t i = 0; i < modia->cells.len; i++) {
        sg_sym name = {(uint32_t)modia->cells.entries[i].key};
        sg_value value = sg_module_get(modia, name);
        if (value.tag != SG_UNDEF && sg_module_get(modia3d, name).tag == SG_UNDEF &&
            !sg_module_set(vm, modia3d, name, value))
            return false;
    }
    // Names of its parts lead to it: Modia3D.Shapes.VisualMaterial.
    static const char *const parts[] = {"Basics", "Frames", "Shapes", "PathPlanning",
                                        "AnimationExport"};
    for (size_t i = 0; i < SG_COUNT(parts); i++) {
        sg_sym part = sg_vm_sym(vm, parts[i]);
        if (sg_module_get(modia3d, part).tag == SG_UNDEF &&
            !sg_module_set(vm, modia3d, part, sg_object(modia3d)))
            return false;
    }
    return sg_module_set(vm, modia3d, sg_vm_sym(vm, "Modia"), sg_object(modia));
}

static bool register_3d(sg_session *session)
{
    sg_module *modia3d = sg_vm_module(session->vm, "Modia3D");
    return sg_session_register_parts(session) && sg_constructors3d_register(session->vm, modia3d) &&
           sg_by_hand_register(session->vm, modia3d, &session->host) && share_names(session);
}

// The functions of 3D, and joints and rotations, written in the language itself. Reading these
// takes as long as all else of an empty session, and most models do without.
static bool load_prelude(sg_session *session)
{
    static const char *const names[] = {"Modia3D.jl", "rotations.jl"};
    if (session->has_prelude)
        return true;
    session->has_prelude = true; // these name the package, too
    if (!register_3d(session))
        return false;
    for (size_t i = 0; i < SG_COUNT(names); i++) {
        char inside[64], outside[64];
        snprintf(inside, sizeof inside, "library/prelude/%s", names[i]);
        snprintf(outside, sizeof outside, SG_MODIA3D_PATH "/prelude/%s", names[i]);
        const sg_embedded *file = sg_embedded_find(inside);
        if (!file ||
            sg_script_run_text(session->script, sg_vm_module(session->vm, "Modia3D"), outside,
                               (const char *)file->bytes, file->length, NULL) != SG_OK)
            return false;
    }
    return true;
}

static bool prepare_text(void *context, const char *text, size_t length)
{
    sg_session *session = context;
    static const char name[] = "Modia3D";
    const size_t n = sizeof name - 1;
    for (const char *at = text, *end = text + length; !session->has_prelude; at++) {
        at = (size_t)(end - at) >= n ? memchr(at, name[0], (size_t)(end - at) - n + 1) : NULL;
        if (!at)
            return true;
        if (memcmp(at, name, n) == 0)
            return load_prelude(session);
    }
    return true;
}

static bool register_all(sg_session *session)
{
    sg_module *modia3d = sg_vm_module(session->vm, "Modia3D");
    return modia3d && define_paths(session) && sg_session_register_models(session) &&
           sg_session_register_simulate(session) && sg_session_register_studies(session) &&
           sg_session_register_results(session) && sg_session_register_solution(session) &&
           sg_session_register_arguments(session) && sg_session_register_plots(session) &&
           sg_session_register_system(session) && sg_session_register_robots(session) &&
           sg_session_register_analysis(session) && sg_session_register_tables(session) &&
           sg_session_register_streams(session) && sg_session_register_signals(session) &&
           sg_session_register_paths(session) && sg_session_register_model_json(session) &&
           sg_session_register_components(session) && sg_session_register_c_components(session) &&
           sg_session_register_fmus(session);
}

// ---- the session ------------------------------------------------------------------------------

#define DEFAULT_EVENTS 100000000
#define DEFAULT_FILES 10000
enum { RENDERED_ROOM = 4096 };

static sg_limits limits_of(const sg_session_options *options)
{
    sg_limits limits = sg_limits_default();
    limits.stop = options->stop;
    limits.max_cpu_time = options->max_cpu_time;
    limits.max_time = options->max_time;
    if (options->max_memory)
        limits.max_memory = options->max_memory;
    limits.max_events = options->max_events ? options->max_events : DEFAULT_EVENTS;
    return limits;
}

// A number that overrides one of a script: NaN for none.
static bool overrides(double x, double least) { return isnan(x) || (isfinite(x) && x >= least); }

// What cannot be meant by options, as a sentence; null if all is well.
static const char *misused(const sg_session_options *o)
{
    if ((o->n_settings && !o->settings) || (o->n_allow_read && !o->allow_read) ||
        (o->n_sinks && !o->sinks))
        return "settings, folders to read or sinks are counted, but not there";
    for (size_t i = 0; i < o->n_settings; i++)
        if (!o->settings[i].name || !o->settings[i].value)
            return "a setting has no name or no value";
    for (size_t i = 0; i < o->n_allow_read; i++)
        if (!o->allow_read[i])
            return "a folder to read has no name";
    if (!overrides(o->stop_time, -HUGE_VAL) || !overrides(o->tolerance, 0.0) ||
        !overrides(o->atol, 0.0) || !overrides(o->interval, 0.0))
        return "stop time, tolerances and interval are numbers, and NaN where the script decides";
    if (!(o->max_cpu_time >= 0.0))
        return "a limit of CPU time is zero or more seconds";
    return NULL;
}

sg_status sg_session_create(const sg_allocator *allocator, const sg_session_options *given,
                            sg_session **out)
{
    sg_session_options o = sg_session_options_make(), *options = &o;
    if (out)
        *out = NULL;
    if (!out || !sg_options_take(options, sizeof o, given))
        return SG_ERR_USAGE;
    allocator = sg_allocator_or_default(allocator);
    sg_session *session = allocator->resize(allocator->context, NULL, 0, sizeof *session);
    if (!session)
        return SG_ERR_MEMORY;
    *session = (sg_session){.options = *options,
                            .life.free = sg_session_free,
                            .prelude = load_prelude,
                            .life.busy = true};
    sg_limits limits = limits_of(options);
    sg_counted_init(&session->counted, allocator, 0);
    limits.memory = &session->counted;
    session->allocator = allocator = &session->counted.allocator;
    sg_arena_init(&session->arena, allocator);
    sg_sources_init(&session->sources, allocator);
    sg_diags_init(&session->diags, allocator);
    sg_diags_reserve(&session->diags, 1); // so that a lack of memory can be told
    sg_buf_init(&session->text, allocator);
    sg_buf_init(&session->told.rendered, allocator);
    sg_buf_pad(&session->told.rendered, ' ', RENDERED_ROOM);
    session->symbols = sg_symbols_create(allocator);
    sg_script_host host = {.context = session,
                           .builtins = sg_builtins_register,
                           .write_out = write_out,
                           .write_err = write_err,
                           .load = load_file,
                           .prepare = prepare_text,
                           .skip = options->check_only ? skip_statement : NULL,
                           .hint = hint_undefined,
                           .define = define_from_library};
    if (session->symbols)
        session->script =
            sg_script_create(allocator, session->symbols, &session->sources, &session->diags,
                             (sg_limits){.max_depth = limits.max_depth}, host);
    if (session->script)
        session->vm = sg_script_vm(session->script);
    sg_buf message;
    sg_buf_init(&message, allocator);
    const char *wrong = misused(options);
    if (wrong)
        sg_buf_puts(&message, wrong);
    bool known = !wrong && sg_compat_parse(options->compat, &session->compat, &message) &&
                 sg_overrides_known(options, &message);
    if (!known) {
        sg_error(&session->diags, SG_E_USAGE, (sg_span){0}, "%s", sg_buf_text(&message));
        sg_session_report(session);
    }
    sg_buf_free(&message);
    sg_session_init_host(session);
    if (!known) {
        sg_session_free(session);
        return SG_ERR_USAGE;
    }
    if (!session->vm || !register_all(session)) {
        sg_session_free(session);
        return SG_ERR_MEMORY;
    }
    // An empty session takes milliseconds and some megabytes; limits are for what comes now.
    session->counted.max = limits.max_memory + session->counted.live;
    session->vm->limits = limits;
    sg_heap_begin(session->vm);
    session->end = limits;
    session->end.memory = NULL;
    session->counted.until = &session->end;
    session->life.busy = false;
    sg_session_begin_life(session);
    *out = session;
    return SG_OK;
}

void sg_session_free(sg_session *session)
{
    const sg_allocator *allocator = session->allocator, *outer = session->counted.inner;
    sg_session_close_figures(session);
    sg_session_forget_files(session);
    if (session->script)
        sg_script_destroy(session->script);
    sg_components_free(session);
    if (session->files_ready)
        sg_files_destroy(&session->files);
    sg_result_destroy(session->input_table);
    SG_VEC_FREE(allocator, &session->simulations);
    SG_VEC_FREE(allocator, &session->extra_keywords);
    sg_session_free_host(session);
    sg_symbols_destroy(session->symbols);
    sg_sources_destroy(&session->sources);
    sg_diags_destroy(&session->diags);
    sg_buf_free(&session->text);
    sg_buf_free(&session->told.rendered);
    sg_arena_destroy(&session->arena);
    outer->resize(outer->context, session, sizeof *session, 0);
}

sg_status sg_session_add_component(sg_session *session, const sg_component *component)
{
    if (!session || !component)
        return sg_session_misuse(session, "sg_session_add_component needs a component");
    if (!sg_session_enter(session, "sg_session_add_component"))
        return SG_ERR_USAGE;
    sg_status status = sg_components_add(session, component);
    sg_session_report(session);
    return sg_session_leave(session, status);
}

sg_status sg_session_load_components(sg_session *session, const char *path)
{
    if (!session || !path)
        return sg_session_misuse(session, "sg_session_load_components needs a path");
    if (!sg_session_enter(session, "sg_session_load_components"))
        return SG_ERR_USAGE;
    sg_status status = sg_components_load(session, path);
    sg_session_report(session);
    return sg_session_leave(session, status);
}

static bool has_actions(const sg_session *session, const char *name)
{
    const sg_part_host *host = &session->host;
    return host->action_program(host->context, name) != NULL;
}

sg_status sg_session_add_actions(sg_session *session, const sg_action_program *program)
{
    if (!session || !program || !program->name || !*program->name || !program->write)
        return sg_session_misuse(session, "sg_session_add_actions needs a name and a function");
    if (!sg_session_enter(session, "sg_session_add_actions"))
        return SG_ERR_USAGE;
    sg_status status = SG_OK;
    if (has_actions(session, program->name)) {
        sg_error(&session->diags, SG_E_ACTION, (sg_span){0},
                 "the action program '%s' was added before", program->name);
        status = SG_ERR_USAGE;
    } else if (!SG_PUSH(session->allocator, &session->added.action_programs, program)) {
        status = SG_ERR_MEMORY;
    }
    sg_session_report(session);
    return sg_session_leave(session, status);
}

static bool begin_file(sg_session *session, const char *path)
{
    if (session->files_ready)
        sg_files_destroy(&session->files);
    session->files_ready = sg_files_init(
        &session->files, session->allocator, path,
        &(sg_file_rules){.output_dir = session->options.output_dir,
                         .modia3d_path = session->options.modia3d_path,
                         .allow_read = session->options.allow_read,
                         .n_allow_read = session->options.n_allow_read,
                         .max_files = session->options.max_files ? session->options.max_files
                                                                 : DEFAULT_FILES,
                         .n_written = session->files.n_written});
    session->file = path ? sg_arena_text(&session->arena, path, strlen(path)) : "";
    if (!session->files_ready)
        sg_session_fail(session, SG_ERR_MEMORY);
    return session->files_ready;
}

static sg_status end_file(sg_session *session, sg_status status)
{
    if (!session->options.check_only && !session->files.over) { // what was drawn so far
        sg_status drawn = sg_session_write_figures(session),
                  closed = sg_session_close_files(session);
        status = status == SG_OK ? drawn : status;
        status = status == SG_OK ? closed : status;
    }
    if (sg_session_ran_out(session))
        status = sg_limits_truth(&session->vm->limits, SG_ERR_MEMORY);
    if (status != SG_OK)
        sg_session_fail(session, status);
    sg_session_report(session);
    return status;
}

sg_status sg_session_run_text(sg_session *session, const char *name, const char *text,
                              size_t length)
{
    if (!session || !name || (!text && length))
        return sg_session_misuse(session, "sg_session_run_text needs a name and a text");
    if (!sg_session_enter(session, "sg_session_run_text"))
        return SG_ERR_USAGE;
    sg_status status = SG_ERR_MEMORY;
    if (begin_file(session, NULL)) {
        session->file = sg_arena_text(&session->arena, name, strlen(name));
        status = sg_script_run_text(session->script, NULL, name, text ? text : "", length, NULL);
    }
    return sg_session_leave(session, end_file(session, status));
}

// Blanks and comments only.
static bool is_empty(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '#' && !(i + 1 < length && text[i + 1] == '='))
            while (i + 1 < length && text[i + 1] != '\n')
                i++;
        else if (!strchr(" \t\r\n;", text[i]) || !text[i])
            return false;
    }
    return true;
}

sg_status sg_session_run_file_inside(sg_session *session, const char *path)
{
    if (!begin_file(session, path))
        return end_file(session, SG_ERR_MEMORY);
    size_t before = session->sources.len;
    sg_status status = sg_script_run_file(session->script, NULL, path);
    const sg_source *source = sg_sources_get(&session->sources, (uint32_t)before + 1);
    if (status == SG_OK && source && is_empty(source->text, source->length))
        sg_warning(&session->diags, SG_E_NONE, (sg_span){.file = (uint32_t)before + 1},
                   "there is nothing to run in this file");
    return end_file(session, status);
}

sg_status sg_session_run_file(sg_session *session, const char *path)
{
    if (!session || !path)
        return sg_session_misuse(session, "sg_session_run_file needs a path");
    if (!sg_session_enter(session, "sg_session_run_file"))
        return SG_ERR_USAGE;
    return sg_session_leave(session, sg_session_run_file_inside(session, path));
}
