#include "session_cli.h"

#include "reserve.h"
#include "terminal.h"
#include "watch.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void write_stdout(void *context, const char *text, size_t length)
{
    cli_run *run = context;
    cli_progress_erase(&run->progress);
    // With --json standard output is for machines.
    cli_put_script(run->json ? stderr : stdout, text, length);
}

static void write_stderr(void *context, const char *text, size_t length)
{
    cli_run *run = context;
    cli_progress_erase(&run->progress);
    cli_flush();
    cli_put_script(stderr, text, length);
}

void cli_drop_output(void *context, const char *text, size_t length)
{
    (void)context;
    (void)text;
    (void)length;
}

// The library escapes the texts in it; a terminal sees its head and what it underlines in colors.
static void put_message(sg_severity severity, const char *text)
{
    static const char *const heads[] = {": error", ": warning", ": note"};
    static const char *const colors[] = {"\033[1;31m", "\033[1;35m", "\033[1;36m"};
    static const char bold[] = "\033[1m", plain[] = "\033[0m", margin[] = "\n      | ";
    const char *head = strstr(text, heads[severity]);
    const char *message = head ? strstr(head + 1, ": ") : NULL;
    if (!message || !cli_color(stderr)) {
        cli_put_raw(stderr, text, strlen(text));
        return;
    }
    const char *under = strstr(message, margin);
    const char *first = under ? strchr(under, '^') : NULL;
    const char *end = first ? first + 1 + strspn(first + 1, "~") : message + strlen(message);
    const struct {
        const char *color, *from, *to;
    } pieces[] = {{bold, text, head + 1},
                  {colors[severity], head + 1, message + 1},
                  {plain, message + 1, first ? first : end},
                  {colors[severity], first ? first : end, end},
                  {plain, end, end + strlen(end)}};
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        cli_put_raw(stderr, pieces[i].color, strlen(pieces[i].color));
        cli_put_raw(stderr, pieces[i].from, (size_t)(pieces[i].to - pieces[i].from));
    }
}

static void report_stderr(void *context, const sg_diag *diag, const char *rendered)
{
    cli_run *run = context;
    // A note with a place belongs to what stands before it: what explains an error is told with it.
    // Names that are misspelt make a run another one than was meant, however quiet it shall be.
    bool misspelt = diag->code == SG_E_MERGE_NAME || diag->code == SG_E_RESULT_SIGNAL;
    if (diag->severity != SG_NOTE)
        run->after_error = diag->severity == SG_ERROR || misspelt;
    if (run->quiet && (!run->after_error || (diag->severity == SG_NOTE && !diag->span.file)))
        return;
    bool end =
        diag->code == SG_E_INTERRUPT || diag->code == SG_E_LIMIT || diag->code == SG_E_MEMORY;
    if (end && !cli_watch_tells())
        return;
    cli_progress_erase(&run->progress);
    cli_flush(); // so that messages and output stay in order on a terminal
    put_message(diag->severity, rendered);
}

static void report_progress(void *context, const sg_progress *state)
{
    cli_run *run = context;
    cli_progress_report(&run->progress, state);
}

static bool take_finite(const char *name, const char *value, double least, double *out)
{
    double x;
    if (!cli_take_number(name, value, least, &x))
        return false;
    if (isinf(x)) {
        cli_complain("segue: --%s needs a finite number, not '%s'\n", name, value);
        return false;
    }
    *out = x;
    return true;
}

static bool take_size(const char *value, int *width, int *height)
{
    enum { LEAST = 16, MOST = 8192 };
    char *end;
    long w = strtol(value, &end, 10), h = *end == 'x' ? strtol(end + 1, &end, 10) : 0;
    if (!*end && w >= LEAST && h >= LEAST && w <= MOST && h <= MOST) {
        *width = (int)w;
        *height = (int)h;
        return true;
    }
    cli_complain("segue: --size is WIDTHxHEIGHT of 16 to 8192 pixels, not '%s'\n", value);
    return false;
}

static bool take_setting(cli_run *run, const char *value)
{
    const char *equals = strchr(value, '=');
    if (!equals || equals == value) {
        cli_complain("segue: --set needs NAME=VALUE, not '%s'\n", value);
        return false;
    }
    char *name = strndup(value, (size_t)(equals - value));
    if (name)
        run->settings[run->session.n_settings++] = (sg_setting){name, equals + 1};
    return name != NULL;
}

// Options that are kept as text, and where.
static const char **text_option(cli_run *run, const char *name)
{
    sg_session_options *o = &run->session;
    const struct {
        const char *name, **place;
    } table[] = {
        {"eval", &run->code},       {"summary", &run->summary},
        {"output", &o->output_dir}, {"result-format", &o->result_format},
        {"signals", &o->signals},   {"input", &o->input_file},
        {"compat", &o->compat},     {"solver", &o->solver},
        {"log", &o->log},           {"modia3d-path", &o->modia3d_path},
        {"page", &run->page},       {"fmu", &run->fmu},
        {"kind", &run->kind},       {"target", &run->target},
        {"model", &run->model},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (!strcmp(name, table[i].name))
            return table[i].place;
    return cli_pictures_option(&run->pictures, name);
}

static bool *flag_option(cli_run *run, const char *name)
{
    const struct {
        const char *name;
        bool *place;
    } table[] = {{"help", &run->help},
                 {"json", &run->json},
                 {"quiet", &run->quiet},
                 {"superobjects", &run->superobjects},
                 {"equations", &run->equations},
                 {"no-sandbox", &run->no_sandbox},
                 {"foreign-meshes", &run->foreign_meshes},
                 {"native", &run->native},
                 {"allow-fmu", &run->allow_fmu},
                 {"balance", &run->session.balance},
                 {"force", &run->force}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (!strcmp(name, table[i].name))
            return table[i].place;
    return NULL;
}

static unsigned check_option(const char *name)
{
    return !strcmp(name, "converge")         ? SG_SESSION_CONVERGE
           : !strcmp(name, "strict")         ? SG_SESSION_STRICT
           : !strcmp(name, "check-patterns") ? SG_SESSION_PATTERNS
                                             : 0;
}

static bool check_logs(const char *list)
{
    static const char *const names[] = {"statistics", "states",   "events",  "timing",
                                        "parameters", "progress", "contacts"};
    while (*list) {
        size_t length = strcspn(list, ",");
        bool known = false;
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            known |= strlen(names[i]) == length && memcmp(names[i], list, length) == 0;
        if (!known) {
            cli_complain(
                "segue: --log takes statistics, states, events, timing, parameters, progress, "
                "contacts; not '%.*s'\n",
                (int)length, list);
            return false;
        }
        list += length + (list[length] == ',');
    }
    return true;
}

static bool take_keep(const char *value, enum sg_keep *out)
{
    static const char *const names[] = {"all", "last", "none"};
    for (int i = 0; i < 3; i++)
        if (strcmp(value, names[i]) == 0) {
            *out = (enum sg_keep)i;
            return true;
        }
    cli_complain("segue: --keep takes all, last or none, not '%s'\n", value);
    return false;
}

// 0 is no limit; to the library that is a large one, since its 0 is the default.
static bool take_limit(cli_run *run, const char *name, const char *value)
{
    sg_session_options *o = &run->session;
    double number;
    if (!cli_take_number(name, value, 0, &number))
        return false;
    double count = number > 0 && number < 1e18 ? number : 1e18;
    if (!strcmp(name, "max-cpu-time"))
        o->max_cpu_time = number;
    else if (!strcmp(name, "max-time"))
        o->max_time = number;
    else if (!strcmp(name, "max-memory"))
        o->max_memory = cli_megabytes(number);
    else if (!strcmp(name, "max-events"))
        o->max_events = (uint64_t)count;
    else if (!strcmp(name, "max-files"))
        o->max_files = (uint64_t)count;
    else if (!strcmp(name, "max-output"))
        run->max_output = 1e6 * number;
    return true;
}

static bool take_option(void *context, const char *name, const char *value)
{
    cli_run *run = context;
    sg_session_options *o = &run->session;
    bool good;
    if (cli_study_take(&run->study, name, value, &good))
        return good;
    const char **text = text_option(run, name);
    bool *flag = flag_option(run, name);
    if (!strcmp(name, "log") && !check_logs(value))
        return false;
    if (!strcmp(name, "eval") && run->code) {
        cli_complain("segue: -e is given once; separate statements by ';' or a new line\n");
        return false;
    }
    if (text) {
        *text = value;
        run->parsed.has_code |= text == &run->code;
        return true;
    }
    if (!strcmp(name, "keep"))
        return take_keep(value, &o->keep);
    if (flag)
        return *flag = true;
    if (check_option(name)) {
        o->checks |= check_option(name);
        return true;
    }
    if (!strcmp(name, "set"))
        return take_setting(run, value);
    if (!strcmp(name, "allow-read")) {
        struct stat info;
        if (stat(value, &info) != 0 || !S_ISDIR(info.st_mode)) {
            cli_complain("segue: --allow-read needs a folder, and '%s' is none\n", value);
            return false;
        }
        run->allow_read[run->session.n_allow_read++] = value;
        return true;
    }
    if (!strcmp(name, "component")) {
        run->components[run->n_components++] = value;
        return true;
    }
    if (!strcmp(name, "sandbox"))
        return cli_take_sandbox(value, &run->sandbox);
    if (!strcmp(name, "stop"))
        return take_finite(name, value, -HUGE_VAL, &o->stop_time);
    if (!strcmp(name, "tol"))
        return take_finite(name, value, 1e-16, &o->tolerance);
    if (!strcmp(name, "atol"))
        return take_finite(name, value, 1e-300, &o->atol);
    if (!strcmp(name, "interval"))
        return take_finite(name, value, 1e-300, &o->interval);
    if (!strcmp(name, "png"))
        return cli_take_number(name, value, -HUGE_VAL, &run->png);
    if (!strcmp(name, "size"))
        return take_size(value, &run->width, &run->height);
    if (!strcmp(name, "repeat"))
        return cli_take_number(name, value, 1, &run->repeat);
    if (!strcmp(name, "max-size"))
        return cli_take_number(name, value, 0, &run->pictures.max_megabytes);
    return take_limit(run, name, value);
}

static bool init_run(cli_run *run, int argc)
{
    *run = (cli_run){.session = sg_session_options_make(), .pictures = cli_pictures_make()};
    run->png = (double)NAN;
    run->max_output = (double)NAN;
    run->width = 1280;
    run->height = 720;
    run->settings = calloc((size_t)argc + 1, sizeof *run->settings);
    run->components = calloc((size_t)argc + 1, sizeof *run->components);
    run->allow_read = calloc((size_t)argc + 1, sizeof *run->allow_read);
    run->parsed.rest = calloc((size_t)argc + 1, sizeof *run->parsed.rest);
    run->study.vary = calloc((size_t)argc + 1, sizeof *run->study.vary);
    run->study.metrics = calloc((size_t)argc + 1, sizeof *run->study.metrics);
    run->session.settings = run->settings;
    run->session.allow_read = run->allow_read;
    run->session.write = write_stdout;
    run->session.write_error = write_stderr;
    run->session.report = report_stderr;
    run->session.progress = report_progress;
    run->session.context = run;
    run->session.modia3d_path = getenv("SEGUE_MODIA3D_PATH");
    if (run->settings && run->components && run->allow_read && run->parsed.rest &&
        run->study.vary && run->study.metrics)
        return true;
    cli_complain("segue: out of memory\n");
    return false;
}

static void free_run(cli_run *run)
{
    for (size_t i = 0; i < run->session.n_settings; i++)
        free((char *)run->settings[i].name);
    free(run->settings);
    free(run->components);
    free(run->allow_read);
    free(run->parsed.rest);
    free(run->study.vary);
    free(run->study.metrics);
}

void cli_begin_watch(cli_run *run)
{
    if (!run->session.max_memory)
        run->session.max_memory = sg_default_memory();
    // Who wants results of any size says so with --force.
    if (isnan(run->max_output))
        run->max_output = run->force ? 0.0 : CLI_DEFAULT_OUTPUT;
    run->session.stop = cli_watch_start(&(cli_limits){.max_cpu_time = run->session.max_cpu_time,
                                                      .max_time = run->session.max_time,
                                                      .max_output = run->max_output,
                                                      .max_memory = run->session.max_memory});
}

// Where results of a model file go unasked, as the library names it.
static void allow_default_output(sg_wall *wall, const char *file)
{
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
    const char *dot = strrchr(base, '.');
    char folder[4096];
    int length = dot && dot != base ? (int)(dot - base) : (int)strlen(base);
    if (snprintf(folder, sizeof folder, "%.*s-results", length, base) < (int)sizeof folder)
        sg_wall_output(wall, folder, false);
}

static void allow_writing(sg_wall *wall, const cli_run *run)
{
    if (run->session.output_dir)
        sg_wall_output(wall, run->session.output_dir, true);
    bool is_study = run->study.n_vary || run->study.n_metrics || run->study.points;
    bool unnamed = !run->session.output_dir && !run->is_result && !is_study;
    for (size_t i = 0; unnamed && i < run->parsed.n_rest; i++) {
        const char *file = run->parsed.rest[i];
        if (strcmp(file, "-") == 0)
            allow_default_output(wall, "segue");
        else if (access(file, F_OK) == 0) // not the name of a model or a stage
            allow_default_output(wall, file);
    }
    if (!run->session.output_dir && run->code)
        allow_default_output(wall, "segue");
    sg_wall_write(wall, run->summary);
    sg_wall_write(wall, run->page);
    sg_wall_write(wall, run->pictures.html);
    for (int i = 0; i < CLI_SCENE_FORMATS; i++)
        sg_wall_write(wall, run->pictures.scene[i]);
    sg_wall_scratch(wall); // without it a run goes on as long as it needs none
}

static void allow_reading(sg_wall *wall, const cli_run *run)
{
    char folder[PATH_MAX];
    for (size_t i = 0; i < run->parsed.n_rest; i++) {
        if (run->is_result) {
            cli_allow_result(wall, run->parsed.rest[i]);
            continue;
        }
        sg_wall_read(wall, run->parsed.rest[i]); // a link of the user's may lead anywhere
        sg_wall_read_beside(wall, run->parsed.rest[i]);
        if (sg_script_folder(run->parsed.rest[i], folder, sizeof folder))
            sg_wall_read(wall, folder);
    }
    if (run->code && sg_script_folder("", folder, sizeof folder))
        sg_wall_read(wall, folder);
    for (size_t i = 0; i < run->session.n_allow_read; i++)
        sg_wall_read(wall, run->allow_read[i]);
    sg_wall_read(wall, run->session.modia3d_path);
    sg_wall_read(wall, run->session.input_file);
    sg_wall_read(wall, run->session.output_dir);
    sg_wall_read(wall, run->session.native_folder);
}

// Components are programs that the user trusts with all rights.
static bool settle_sandbox(cli_run *run)
{
    if (run->no_sandbox)
        run->sandbox = CLI_SANDBOX_OFF;
    if (run->n_components && run->sandbox == CLI_SANDBOX_REQUIRE) {
        cli_complain("segue: --component runs native code with all rights, so --sandbox=require "
                     "cannot be kept\n");
        return false;
    }
    if (run->n_components)
        run->sandbox = CLI_SANDBOX_OFF;
    return true;
}

// $XDG_CACHE_HOME/segue, or the usual place of that; made now if it is not there.
static bool make_native_folder(char *out, size_t size)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int n = cache && *cache == '/' ? snprintf(out, size, "%s/segue/native", cache)
            : home && *home == '/' ? snprintf(out, size, "%s/.cache/segue/native", home)
                                   : -1;
    if (n < 0 || (size_t)n >= size)
        return false;
    for (char *at = strchr(out + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = 0;
        mkdir(out, 0700); // it may be there
        *at = '/';
    }
    struct stat info;
    return (mkdir(out, 0700) == 0 || errno == EEXIST) && stat(out, &info) == 0 &&
           S_ISDIR(info.st_mode) && info.st_uid == geteuid() && !(info.st_mode & 022);
}

// Without it a run is interpreted, which the session says.
static bool start_compiler(cli_run *run)
{
    if (!make_native_folder(run->native_folder, sizeof run->native_folder)) {
        cli_complain("segue: --native: there is no folder of ours for compiled programs; set HOME "
                     "or XDG_CACHE_HOME\n");
        return true;
    }
    if (sg_native_helper_start(run->native_folder, &run->session.native_helper) != SG_OK) {
        cli_complain("segue: --native: no process can be started\n");
        return false;
    }
    run->session.native_folder = run->native_folder;
    return true;
}

// Helpers start, then the wall goes up, before there are threads and anything is read.
static bool give_up_rights(const cli_command *command, cli_run *run)
{
    if (!settle_sandbox(run))
        return false;
    if (run->sandbox != CLI_SANDBOX_OFF)
        run->wall = sg_wall_create();
    if (run->foreign_meshes && sg_mesh_helper_start(&run->session.mesh_helper) != SG_OK) {
        cli_complain("segue: --foreign-meshes: no process can be started\n");
        return false;
    }
    if (run->native && !start_compiler(run))
        return false;
    if (run->allow_fmu && sg_fmu_helper_start(&run->session.fmu_helper) != SG_OK) {
        cli_complain("segue: --allow-fmu: no process can be started\n");
        return false;
    }
    const char *argument = run->parsed.n_rest ? run->parsed.rest[0] : "-";
    run->is_result =
        command->views_results && strcmp(argument, "-") != 0 && sg_result_is_one(argument);
    allow_reading(run->wall, run);
    allow_writing(run->wall, run); // a script may write whatever the command is
    if (command->prepare && !command->prepare(run))
        return false;
    return cli_enter_wall(run->wall, run->sandbox, run->quiet);
}

static int run_behind_wall(const cli_command *command, cli_run *run)
{
    int exit_status = 1;
    if (give_up_rights(command, run)) {
        cli_begin_watch(run);
        cli_watch_wall(run->wall);
        cli_progress_init(&run->progress, run->quiet);
        run->pictures.quiet = run->quiet;
        exit_status = command->body(run);
        cli_watch_end();
    }
    cli_camera_end(&run->camera);
    sg_helper_destroy(run->browser);
    sg_helper_destroy(run->session.mesh_helper);
    sg_helper_destroy(run->session.native_helper);
    sg_helper_destroy(run->session.fmu_helper);
    sg_wall_destroy(run->wall);
    return exit_status;
}

int cli_run_command(const cli_command *command, int argc, char **argv)
{
    cli_run run;
    int exit_status = 1;
    bool ready = init_run(&run, argc);
    run.parsed.takes_arguments = command->takes_arguments;
    if (ready && cli_parse(argc - 1, argv + 1, command->name, command->options, command->n_options,
                           take_option, &run, &run.parsed)) {
        size_t n = run.parsed.n_rest + (run.code != NULL);
        run.session.arguments = run.parsed.arguments;
        run.session.n_arguments = run.parsed.n_arguments;
        if (run.help) {
            cli_print("%s", command->help);
            cli_print_options(command->options, command->n_options);
            cli_print("%s", command->examples);
            exit_status = 0;
        } else if (n < command->least || n > command->most) {
            cli_complain("segue %s: %s\nTry 'segue %s --help'.\n", command->name,
                         n < command->least ? "an argument is missing" : "too many arguments",
                         command->name);
        } else {
            exit_status = run_behind_wall(command, &run);
        }
    }
    free_run(&run);
    return exit_status;
}

sg_session *cli_open(cli_run *run, int *exit_status)
{
    sg_session *session = NULL;
    run->memory = *sg_allocator_default();
    run->memory.requested = cli_asked_of_malloc();
    if (run->force)
        run->session.max_result = UINT64_MAX;
    cli_watch_begin();
    sg_status status = sg_session_create(&run->memory, &run->session, &session);
    *exit_status = sg_exit_status_of(status);
    if (status == SG_ERR_MEMORY) // other reasons were reported
        cli_complain("segue: cannot start: out of memory\n");
    for (size_t i = 0; status == SG_OK && i < run->n_components; i++) {
        status = sg_session_load_components(session, run->components[i]);
        *exit_status = sg_exit_status_of(status);
    }
    if (status == SG_OK) {
        cli_watch_session(session);
        return session;
    }
    sg_session_destroy(session);
    return NULL;
}

void cli_close(sg_session *session)
{
    cli_watch_session(NULL);
    sg_session_destroy(session);
}

static sg_status run_stdin(sg_session *session)
{
    size_t length = 0, room = 65536;
    char *text = malloc(room);
    while (text) {
        length += fread(text + length, 1, room - length, stdin);
        if (length < room)
            break;
        char *grown = realloc(text, room *= 2);
        if (!grown)
            free(text);
        text = grown;
    }
    if (!text) {
        cli_complain("segue: out of memory\n");
        return SG_ERR_MEMORY;
    }
    sg_status status = sg_session_run_text(session, "<stdin>", text, length);
    free(text);
    return status;
}

sg_status cli_run_argument(sg_session *session, const char *argument)
{
    return strcmp(argument, "-") == 0 ? run_stdin(session) : sg_session_run_file(session, argument);
}
