// segue convert IN OUT: a result in another format.
#include "commands.h"
#include "limited.h"
#include "report.h"
#include "segue/result.h"
#include "terminal.h"

#include <string.h>

static const char help[] =
    "usage: segue convert [options] RESULT FILE\n"
    "Writes a result in the format that FILE's suffix names: .segue, .json (SignalTables),\n"
    ".csv, .mat (Modelica, version 1.1), .arrow. Reads all of them.\n"
    "  --format F       the format, whatever the suffix: segue, json, csv, mat, arrow\n"
    "  --signals GLOB   keep only these; several with commas, or the option several times\n"
    "  --csv-units      units in the header of the CSV instead of a second file\n"
    "  --single         MAT in single precision\n" CLI_LIMITED_HELP
    "example, after segue run examples/first/rc_filter.jl:\n"
    "  segue convert --signals 'C.*' rc_filter-results charge.csv\n";

typedef struct convert_request {
    const char *from, *to;
    sg_convert_options options;
    sg_patterns patterns;
} convert_request;

// 0 to go on, -1 when done, else the exit status.
static int parse(int argc, char **argv, convert_request *q)
{
    q->options = sg_convert_options_make();
    for (int i = 1; i < argc; i++) {
        const char *value;
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            cli_print("%s", help);
            return -1;
        }
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
            return sg_bad_usage("convert", "one result and one file, not", argv[i]);
        }
    }
    q->options.signals = q->patterns.list;
    q->options.n_signals = q->patterns.n;
    return q->to ? 0 : sg_bad_usage("convert", "needs a result and the file to write", NULL);
}

static int convert(int argc, char **argv)
{
    convert_request q = {0};
    int code = parse(argc, argv, &q);
    if (code == 0 && !cli_begin_limited(&q.from, 1, q.to))
        code = 1;
    if (code != 0) {
        sg_patterns_free(&q.patterns);
        return code < 0 ? 0 : code;
    }
    sg_diags *diags = sg_diags_create(NULL);
    sg_result *result = NULL;
    sg_status status = diags ? sg_result_open(NULL, q.from, diags, &result) : SG_ERR_MEMORY;
    if (status == SG_OK)
        status = sg_result_convert(result, q.to, &q.options, diags);
    sg_report(diags, status);
    sg_result_destroy(result);
    sg_diags_destroy(diags);
    sg_patterns_free(&q.patterns);
    return sg_exit_status(status);
}

int sg_cmd_convert(int argc, char **argv) { return cli_run_limited(argc, argv, convert); }
