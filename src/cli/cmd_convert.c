// segue convert IN OUT: a result in another format, or a robot as a model.
#include "commands.h"
#include "limited.h"
#include "report.h"
#include "segue/result.h"
#include "segue/robot.h"
#include "session_cli.h"
#include "terminal.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "usage: segue convert [options] RESULT FILE\n"
    "       segue convert [options] ROBOT MODEL.jl\n"
    "       segue convert [options] MODEL.jl ROBOT.urdf\n"
    "Writes a result in the format that FILE's suffix names: .segue, .json (SignalTables),\n"
    ".csv, .mat (Modelica, version 1.1), .arrow. Reads all of them.\n"
    "  --format F       the format, whatever the suffix: segue, json, csv, mat, arrow\n"
    "  --signals GLOB   keep only these; several with commas, or the option several times\n"
    "  --csv-units      units in the header of the CSV instead of a second file\n"
    "  --single         MAT in single precision\n"
    "Or makes a model file of a robot, in URDF (.urdf) or MJCF (.xml, .mjcf); docs/robots.md:\n"
    "  --free-base      URDF: the base moves freely; else it is fixed to the world\n"
    "  --merge-fixed    links behind fixed joints have no objects of their own\n"
    "  --repair-inertia inertias that no body can have become plausible\n"
    "  --no-stops       limits of joints are left out\n"
    "  --no-collisions  collision shapes are left out\n"
    "Or writes the bodies and joints of a model as a robot in URDF:\n"
    "  --model NAME     which model of the file, if it has several; else the last one\n"
    "  --allow-read DIR let the model read this folder too; may be repeated\n" CLI_LIMITED_HELP
    "example, after segue run examples/first/rc_filter.jl:\n"
    "  segue convert --signals 'C.*' rc_filter-results charge.csv\n";

typedef struct convert_request {
    const char *from, *to;
    sg_convert_options options;
    sg_patterns patterns;
    sg_robot_convert_options robot;
    const char *of_results, *of_robots; // an option that only one of both uses has
} convert_request;

static bool ends_in(const char *text, const char *suffix)
{
    size_t n = strlen(text), m = strlen(suffix);
    return n >= m && strcmp(text + n - m, suffix) == 0;
}

static bool is_robot(const convert_request *q)
{
    static const char *const suffixes[] = {".urdf", ".URDF", ".xml", ".XML", ".mjcf"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (ends_in(q->from, suffixes[i]))
            return true;
    return false;
}

// An option of robots.
static bool take_robot_option(const char *option, convert_request *q)
{
    const struct {
        const char *name;
        bool *flag;
    } list[] = {{"--free-base", &q->robot.free_base},
                {"--merge-fixed", &q->robot.merge_fixed},
                {"--repair-inertia", &q->robot.repair_inertia},
                {"--no-stops", &q->robot.no_stops},
                {"--no-collisions", &q->robot.no_collisions}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (strcmp(option, list[i].name) == 0) {
            *list[i].flag = true;
            q->of_robots = option;
            return true;
        }
    return false;
}

// What was asked for fits the files?
static int check(const convert_request *q)
{
    if (!q->to)
        return sg_bad_usage("convert", "needs a result or a robot, and the file to write", NULL);
    if (is_robot(q) && q->of_results)
        return sg_bad_usage("convert", "a robot is no result:", q->of_results);
    if (!is_robot(q) && q->of_robots)
        return sg_bad_usage("convert", "a result is no robot:", q->of_robots);
    if (is_robot(q) && !ends_in(q->to, ".jl"))
        return sg_bad_usage("convert", "a robot becomes a model file, .jl, not", q->to);
    return 0;
}

// 0 to go on, -1 when done, else the exit status.
static int parse(int argc, char **argv, convert_request *q)
{
    q->options = sg_convert_options_make();
    q->robot = sg_robot_convert_options_make();
    for (int i = 1; i < argc; i++) {
        const char *value;
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            cli_print("%s", help);
            return -1;
        }
        const char *option = argv[i];
        if (take_robot_option(option, q))
            continue;
        if (option[0] == '-' && option[1])
            q->of_results = option;
        if (strcmp(argv[i], "--csv-units") == 0) {
            q->options.csv_units = true;
        } else if (strcmp(argv[i], "--single") == 0) {
            q->options.single = true;
        } else if (sg_option_value(argc, argv, &i, "--format", &value) ||
                   sg_option_value(argc, argv, &i, "--result-format", &value)) {
            if (!value)
                return sg_bad_usage("convert", "--format needs a format", NULL);
            q->options.format = value;
        } else if (sg_option_value(argc, argv, &i, "--signals", &value)) {
            if (!value || !sg_patterns_add(&q->patterns, value))
                return sg_bad_usage("convert", "--signals needs a pattern", NULL);
        } else if (argv[i][0] == '-' && argv[i][1]) {
            return sg_bad_usage("convert", "no such option:", argv[i]);
        } else if (!q->from) {
            q->from = argv[i];
        } else if (!q->to) {
            q->to = argv[i];
        } else {
            return sg_bad_usage("convert", "one file to read and one to write, not", argv[i]);
        }
    }
    q->options.signals = q->patterns.list;
    q->options.n_signals = q->patterns.n;
    return check(q);
}

static int convert(int argc, char **argv)
{
    convert_request q = {0};
    int code = parse(argc, argv, &q);
    char folder[PATH_MAX] = ".";
    const char *reads[2] = {q.from, folder}; // a robot may include files of its folder
    const char *slash = code == 0 ? strrchr(q.from, '/') : NULL;
    if (slash)
        snprintf(folder, sizeof folder, "%.*s/", (int)(slash - q.from), q.from);
    if (code == 0 && !cli_begin_limited(reads, is_robot(&q) ? 2 : 1, q.to))
        code = 1;
    if (code != 0) {
        sg_patterns_free(&q.patterns);
        return code < 0 ? 0 : code;
    }
    sg_diags *diags = sg_diags_create(NULL);
    sg_result *result = NULL;
    sg_status status = diags ? SG_OK : SG_ERR_MEMORY;
    if (diags && is_robot(&q))
        status = sg_robot_convert(NULL, q.from, q.to, &q.robot, diags);
    else if (diags)
        status = sg_result_open(NULL, q.from, diags, &result);
    if (result)
        status = sg_result_convert(result, q.to, &q.options, diags);
    sg_report(diags, status);
    sg_result_destroy(result);
    sg_diags_destroy(diags);
    sg_patterns_free(&q.patterns);
    return sg_exit_status(status);
}

// ---- a model as a robot -------------------------------------------------------------------------

static bool allow_target(cli_run *run)
{
    sg_wall_write(run->wall, run->parsed.rest[1]);
    return true;
}

static int export_robot(cli_run *run)
{
    sg_robot_export_options o = sg_robot_export_options_make();
    o.model = run->model;
    o.modia3d_path = run->session.modia3d_path;
    o.allow_read = run->session.allow_read;
    o.n_allow_read = run->session.n_allow_read;
    sg_diags *diags = sg_diags_create(NULL);
    sg_status status =
        diags ? sg_robot_export(NULL, run->parsed.rest[0], run->parsed.rest[1], &o, diags)
              : SG_ERR_MEMORY;
    sg_report(diags, status);
    sg_diags_destroy(diags);
    return sg_exit_status(status);
}

static const cli_option of_models[] = {
    {"model", 0, "NAME", "which model of the file, if it has several; else the last one"},
    {"modia3d-path", 0, "DIR", "where Modia3D's objects/ folder lies"},
    {"allow-read", 0, "DIR", "let the model read this folder too; may be repeated"},
    CLI_LIMIT_OPTIONS,
    {"help", 'h', NULL, "print this page"},
};

int sg_cmd_convert(int argc, char **argv)
{
    static const cli_command of_model = {
        .name = "convert",
        .help = help,
        .examples = "",
        .options = of_models,
        .n_options = sizeof of_models / sizeof of_models[0],
        .least = 2,
        .most = 2,
        .prepare = allow_target,
        .body = export_robot,
    };
    bool to_robot = false, of_a_model = false;
    for (int i = 1; i < argc; i++) {
        to_robot |= ends_in(argv[i], ".urdf") && of_a_model;
        of_a_model |= ends_in(argv[i], ".jl");
    }
    return to_robot ? cli_run_command(&of_model, argc, argv) : cli_run_limited(argc, argv, convert);
}
