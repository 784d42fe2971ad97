// segue plot RESULT... SIGNAL...: curves as a picture, or quickly in the terminal.
#include "commands.h"
#include "earlier.h"
#include "limited.h"
#include "plot_table.h"
#include "report.h"
#include "segue/result.h"
#include "terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

static const char help[] =
    "usage: segue plot [options] RESULT... [SIGNAL...]\n"
    "Draws signals of one or several results. Every SIGNAL is a diagram of its own, one below the\n"
    "other; signals joined by commas share one: segue plot run.segue phi,w body.r[2]. Patterns\n"
    "such as 'robot.*' stand for all signals that match. Without signals the states are drawn.\n"
    "The folder of a study stands for all of its runs that were kept.\n"
    "  -o FILE          .svg, .png or .pdf; without it the plot is drawn as text\n"
    "what is seen:\n"
    "  --from T --to T  a part of the run [s]\n"
    "  --xlim A:B       ends of the horizontal axis; one of them may be left out\n"
    "  --ylim A:B       ends of the vertical axis (the left one)\n"
    "  --log[=x|y|xy]   logarithmic axes; --log alone is y\n"
    "  --deg            angles and their rates in degrees\n"
    "  --x SIGNAL       horizontal axis instead of time\n"
    "  --equal          one scale for both axes, with --x\n"
    "  --right SIGNAL   signals of the right axis, with commas; without it two units in a\n"
    "                   diagram have an axis each\n"
    "many runs:\n"
    "  --color-by NAME  color the results by the value of a parameter\n"
    "  --band           median, where nine of ten runs are, and where all are\n"
    "tables of studies (DIR or DIR/table.segue; columns instead of signals, with -o):\n"
    "  --x NAME, --points  columns over a variable, a point for each run; one run for each value\n"
    "                   makes a line; --color-by NAME colors the points by another column\n"
    "  --map X,Y        a column as a color over two variables: fields of a grid, the means of\n"
    "                   many draws, or points\n"
    "  --histogram      how often which values are, with mean, deviation and quantiles\n"
    "  --scatter        2 to 8 columns, each over each\n"
    "looks:\n"
    "  --columns N      diagrams side by side\n"
    "  --events         vertical marks where events happened\n"
    "  --heading TEXT   instead of model and solver\n"
    "  --no-grid        without grid lines\n"
    "  --legend N       at most N entries in a legend, which counts the others (100); 0: none\n"
    "  --size WxH       size of the picture in 1/96 inch\n"
    "  --scale X        pixels of a PNG per unit of size (2)\n"
    "  --ascii          text without Braille dots\n" CLI_LIMITED_HELP
    "examples, after segue run examples/first/rc_filter.jl:\n"
    "  segue plot rc_filter-results C.v,R.v R.i\n"
    "  segue plot -o both.svg rc_filter-results/Filter.segue rc_filter-results/Filter-2.segue "
    "C.v\n";

enum { MAX_DEFAULT = 8 }; // diagrams drawn when no signal is named

typedef struct plot_request {
    sg_figure_options options;
    const char *output;
    uint32_t columns;
    bool ascii;
    cli_table_request table;
    char **words; // results and signals
    int n_words;
} plot_request;

static bool parse_size(const char *text, double *width, double *height)
{
    char *end;
    *width = text ? strtod(text, &end) : 0;
    if (!text || *end != 'x')
        return false;
    *height = strtod(end + 1, &end);
    return *end == '\0' && *width >= 100 && *height >= 100 && *width <= 20000 && *height <= 20000;
}

// A:B, A: or :B.
static bool parse_range(const char *text, double *lo, double *hi)
{
    const char *colon = text ? strchr(text, ':') : NULL;
    char first[64];
    if (!colon || (size_t)(colon - text) >= sizeof first || (colon == text && !colon[1]))
        return false;
    memcpy(first, text, (size_t)(colon - text));
    first[colon - text] = '\0';
    return (!first[0] || sg_option_number(first, lo)) &&
           (!colon[1] || sg_option_number(colon + 1, hi)) && !(*lo >= *hi);
}

// What part of the curves is seen. -1 if it is no such option.
static int parse_window_option(int argc, char **argv, int *i, sg_figure_options *o)
{
    const char *value;
    const struct {
        const char *name;
        double *to;
    } times[] = {{"--from", &o->from}, {"--to", &o->to}};
    for (int k = 0; k < 2; k++)
        if (sg_option_value(argc, argv, i, times[k].name, &value))
            return value && sg_option_number(value, times[k].to)
                       ? 0
                       : sg_bad_usage("plot", "--from and --to are times in seconds, not",
                                      value ? value : "");
    if (sg_option_value(argc, argv, i, "--xlim", &value))
        return parse_range(value, &o->x_lo, &o->x_hi)
                   ? 0
                   : sg_bad_usage("plot", "--xlim is LOW:HIGH, not", value ? value : "");
    if (sg_option_value(argc, argv, i, "--ylim", &value))
        return parse_range(value, &o->y_lo, &o->y_hi)
                   ? 0
                   : sg_bad_usage("plot", "--ylim is LOW:HIGH, not", value ? value : "");
    if (strncmp(argv[*i], "--log=", 6) == 0) {
        value = argv[*i] + 6;
        o->log_x = strcmp(value, "x") == 0 || strcmp(value, "xy") == 0;
        o->log_y = strcmp(value, "y") == 0 || strcmp(value, "xy") == 0;
        return o->log_x || o->log_y ? 0 : sg_bad_usage("plot", "--log is x, y or xy, not", value);
    }
    if (sg_option_value(argc, argv, i, "--right", &value)) {
        o->right = value;
        return value ? 0 : sg_bad_usage("plot", "--right needs signals", NULL);
    }
    if (sg_option_value(argc, argv, i, "--color-by", &value)) {
        o->color_by = value;
        return value ? 0 : sg_bad_usage("plot", "--color-by needs a parameter", NULL);
    }
    return -1;
}

static int parse_value_option(int argc, char **argv, int *i, plot_request *q)
{
    const char *value;
    double number;
    int code = parse_window_option(argc, argv, i, &q->options);
    if (code < 0)
        code = cli_take_table_option(argc, argv, i, &q->table);
    if (code >= 0)
        return code;
    if (sg_option_value(argc, argv, i, "-o", &value)) {
        if (value && value[0] == '-') // the name was forgotten, and this is the next option
            return sg_bad_usage(
                "plot", "-o needs a file ('./-x' for one that begins with '-'), not", value);
        q->output = value;
        return value ? 0 : sg_bad_usage("plot", "-o needs a file", NULL);
    }
    if (sg_option_value(argc, argv, i, "--x", &value)) {
        q->options.x_axis = value;
        return value ? 0 : sg_bad_usage("plot", "--x needs a signal", NULL);
    }
    if (sg_option_value(argc, argv, i, "--heading", &value)) {
        q->options.heading = value;
        return value ? 0 : sg_bad_usage("plot", "--heading needs a text", NULL);
    }
    if (sg_option_value(argc, argv, i, "--size", &value))
        return parse_size(value, &q->options.width, &q->options.height)
                   ? 0
                   : sg_bad_usage("plot", "--size is WIDTHxHEIGHT of 100 to 20000, not",
                                  value ? value : "");
    if (sg_option_value(argc, argv, i, "--columns", &value)) {
        if (!sg_option_number(value, &number) || number < 1 || number > 100)
            return sg_bad_usage("plot", "--columns is a number from 1 to 100, not",
                                value ? value : "");
        q->columns = (uint32_t)number;
        return 0;
    }
    if (sg_option_value(argc, argv, i, "--legend", &value)) {
        if (!sg_option_number(value, &number) || number < 0 || number > 1000)
            return sg_bad_usage("plot", "--legend is a number, not", value ? value : "");
        q->options.max_legend = (uint32_t)number;
        return 0;
    }
    if (sg_option_value(argc, argv, i, "--scale", &value)) {
        if (!sg_option_number(value, &q->options.scale) || q->options.scale < 0.1 ||
            q->options.scale > 20)
            return sg_bad_usage("plot", "--scale is a number from 0.1 to 20, not",
                                value ? value : "");
        return 0;
    }
    return sg_bad_usage("plot", "no such option:", argv[*i]);
}

static int check_table(const plot_request *q)
{
    bool points = q->table.given && q->table.kind == SG_TABLE_POINTS;
    if (points && !q->options.x_axis)
        return sg_bad_usage("plot", "--points needs --x: a column to draw over", NULL);
    if (q->table.given && !points && q->options.x_axis)
        return sg_bad_usage("plot", "--x is for --points; a map has --map X,Y", NULL);
    return q->table.given && !q->output
               ? sg_bad_usage("plot", "pictures of tables need -o FILE", NULL)
               : 0;
}

static int parse(int argc, char **argv, plot_request *q)
{
    q->options = sg_figure_options_make();
    q->columns = 1;
    q->words = calloc((size_t)argc, sizeof *q->words);
    if (!q->words)
        return 6;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            cli_print("%s", help);
            return -1;
        }
        if (strcmp(argv[i], "--events") == 0)
            q->options.events = true;
        else if (strcmp(argv[i], "--no-grid") == 0)
            q->options.grid = false;
        else if (strcmp(argv[i], "--ascii") == 0)
            q->ascii = true;
        else if (strcmp(argv[i], "--deg") == 0)
            q->options.degrees = true;
        else if (strcmp(argv[i], "--equal") == 0)
            q->options.equal = true;
        else if (strcmp(argv[i], "--band") == 0)
            q->options.band = true;
        else if (strcmp(argv[i], "--log") == 0)
            q->options.log_y = true;
        else if (argv[i][0] != '-' || !argv[i][1])
            q->words[q->n_words++] = argv[i];
        else {
            int code = parse_value_option(argc, argv, &i, q);
            if (code)
                return code;
        }
    }
    if (!(isnan(q->options.from) || isnan(q->options.to)) && q->options.from >= q->options.to)
        return sg_bad_usage("plot", "--from must be before --to", NULL);
    if (q->options.equal && !q->options.x_axis)
        return sg_bad_usage("plot", "--equal needs --x: time and a signal have no common scale",
                            NULL);
    if (q->options.band && q->options.x_axis)
        return sg_bad_usage("plot", "--band is drawn over time, not with --x", NULL);
    return q->n_words ? check_table(q) : sg_bad_usage("plot", "needs a result", NULL);
}

typedef struct plotter {
    const plot_request *request;
    sg_result **results;
    int n_results;
    sg_figure *figure;
    sg_diags *diags;
    uint32_t n_diagrams;
} plotter;

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// The legend tells results apart by the names of their files, with the folder where these are the
// same.
static const char *prefix_of(const plotter *p, int k, char *out, size_t size)
{
    out[0] = '\0';
    if (p->n_results < 2)
        return out;
    char **words = p->request->words;
    const char *name = base_of(words[k]);
    for (int i = 0; i < p->n_results; i++)
        if (i != k && strcmp(base_of(words[i]), name) == 0)
            name = words[k];
    snprintf(out, size, "%s", name);
    char *dot = strrchr(out, '.');
    if (dot && !strchr(dot, '/'))
        *dot = '\0';
    strncat(out, ": ", size - strlen(out) - 1);
    return out;
}

static sg_status add_signal(plotter *p, const char *name)
{
    uint32_t row = p->n_diagrams / p->request->columns,
             column = p->n_diagrams % p->request->columns;
    bool pattern = strpbrk(name, "*?") != NULL;
    for (int k = 0; k < p->n_results; k++) {
        char prefix[256];
        sg_result *r = p->results[k];
        prefix_of(p, k, prefix, sizeof prefix);
        sg_status status = SG_OK;
        size_t n = sg_result_describe(r).n_signals, matches = 0;
        for (size_t i = 0; pattern && i < n && status == SG_OK; i++) {
            const char *candidate = sg_result_signal(r, i)->name;
            if (!sg_glob_name(name, candidate))
                continue;
            matches++;
            status = sg_figure_plot(p->figure, row, column, r, candidate, prefix, p->diags);
        }
        // A pattern without a match is reported like any other unknown name.
        if (status == SG_OK && matches == 0)
            status = sg_figure_plot(p->figure, row, column, r, name, prefix, p->diags);
        if (status != SG_OK)
            return status;
    }
    return SG_OK;
}

static sg_status add_diagram(plotter *p, const char *word)
{
    sg_patterns names = {0};
    sg_status status = sg_patterns_add(&names, word) ? SG_OK : SG_ERR_MEMORY;
    for (size_t i = 0; i < names.n && status == SG_OK; i++)
        status = add_signal(p, names.list[i]);
    sg_patterns_free(&names);
    p->n_diagrams++;
    return status;
}

static sg_status add_default(plotter *p)
{
    sg_status status = SG_OK;
    size_t n = sg_result_describe(p->results[0]).n_signals;
    for (int states = 1; states >= 0 && p->n_diagrams == 0; states--)
        for (size_t i = 0; i < n && p->n_diagrams < MAX_DEFAULT && status == SG_OK; i++) {
            const sg_signal *s = sg_result_signal(p->results[0], i);
            if (!states || s->state)
                status = add_diagram(p, s->name);
        }
    return status;
}

static void write_out(void *context, const char *text, size_t length)
{
    cli_put_raw(context, text, length); // the library escapes the names in it
}

static bool speaks_utf8(void)
{
    const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (int i = 0; i < 3; i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            return strstr(value, "UTF-8") || strstr(value, "utf8") || strstr(value, "UTF8");
    }
    return false;
}

static sg_status draw(plotter *p)
{
    const plot_request *q = p->request;
    if (q->output)
        return sg_figure_save(p->figure, q->output, &q->options, p->diags);
    bool terminal = isatty(STDOUT_FILENO);
    sg_text_plot style = {.width = 80,
                          .height = 24,
                          .unicode = !q->ascii && speaks_utf8(),
                          .color = cli_color(stdout)};
    struct winsize window;
    if (terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 30) {
        style.width = window.ws_col;
        style.height = window.ws_row > 10 ? window.ws_row : 24;
    }
    return sg_figure_print(p->figure, &q->options, style, write_out, stdout, p->diags);
}

// A name that ends like a result is meant as one, also when it is not there.
static bool ends_like_result(const char *word)
{
    static const char *const suffixes[] = {".segue", ".part", ".json", ".csv", ".mat", ".arrow"};
    size_t n = strlen(word);
    for (int i = 0; i < 6; i++) {
        size_t length = strlen(suffixes[i]);
        if (n > length && strcmp(word + n - length, suffixes[i]) == 0)
            return true;
    }
    return false;
}

// All results stay open while they are drawn, and a study has more of them than a process usually
// may have open.
static void allow_files(size_t n)
{
    struct rlimit limit;
    if (n < 200 || getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
}

// The first word and those behind it that are or look like results.
static sg_status open_results(plotter *p)
{
    const plot_request *q = p->request;
    for (int i = 0; i < q->n_words; i++) {
        const char *word = q->words[i];
        if (i > 0 && !ends_like_result(word) && !sg_result_is_one(word))
            break;
        sg_status status = sg_result_open(NULL, word, p->diags, &p->results[i]);
        if (status != SG_OK)
            return status;
        p->n_results++;
    }
    return SG_OK;
}

// Tables of studies that a picture over a variable is asked of.
static bool is_table(const plotter *p)
{
    const plot_request *q = p->request;
    return q->table.given || (q->output && q->options.x_axis && p->n_results == 1 &&
                              cli_is_study_table(q->words[0], p->results[0]));
}

static sg_status plot_columns(plotter *p)
{
    const plot_request *q = p->request;
    if (p->n_results > 1)
        return sg_bad_usage("plot", "one table at a time", NULL) ? SG_ERR_USAGE : SG_OK;
    return cli_plot_table(p->results[0], &q->table, &q->options, q->words + 1,
                          (size_t)q->n_words - 1, q->output, p->diags);
}

static sg_status plot(plotter *p)
{
    sg_status status = open_results(p);
    if (status == SG_OK && is_table(p))
        return plot_columns(p);
    const char *example = "";
    size_t n_old = cli_count_earlier_runs((const char *const *)p->request->words,
                                          (size_t)p->n_results, &example);
    if (n_old)
        cli_complain("segue: warning: %zu of these %d results %s of an earlier run, such as '%s': "
                     "the first result of that name is younger\n",
                     n_old, p->n_results, n_old == 1 ? "is" : "are", example);
    for (int i = p->n_results; i < p->request->n_words && status == SG_OK; i++)
        status = add_diagram(p, p->request->words[i]);
    if (status == SG_OK && p->n_diagrams == 0)
        status = add_default(p);
    return status == SG_OK ? draw(p) : status;
}

static int plot_all(int argc, char **argv)
{
    plot_request q = {0};
    cli_words expanded = {0};
    int code = parse(argc, argv, &q);
    if (code == 0) {
        bool tables = q.table.given || q.options.x_axis;
        code = sg_exit_status(cli_expand_studies(q.words, q.n_words, tables, &expanded));
        free(q.words);
        q.words = expanded.list;
        q.n_words = (int)expanded.n;
        allow_files(expanded.n);
    }
    if (code == 0 && !cli_begin_limited((const char *const *)q.words, (size_t)q.n_words, q.output))
        code = 1;
    if (code == 0) {
        plotter p = {.request = &q,
                     .results = calloc((size_t)q.n_words + 1, sizeof(sg_result *)),
                     .figure = sg_figure_create(NULL),
                     .diags = sg_diags_create(NULL)};
        sg_status status = p.results && p.figure && p.diags ? plot(&p) : SG_ERR_MEMORY;
        cli_flush();
        sg_report(p.diags, status);
        sg_figure_destroy(p.figure);
        for (int i = 0; i < p.n_results; i++)
            sg_result_destroy(p.results[i]);
        free(p.results);
        sg_diags_destroy(p.diags);
        code = sg_exit_status(status);
    }
    if (expanded.list)
        cli_free_words(&expanded);
    else
        free(q.words);
    return code < 0 ? 0 : code;
}

int sg_cmd_plot(int argc, char **argv) { return cli_run_limited(argc, argv, plot_all); }
