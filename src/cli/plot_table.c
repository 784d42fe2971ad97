#include "plot_table.h"

#include "options.h"
#include "report.h"
#include "terminal.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int cli_take_table_option(int argc, char **argv, int *i, cli_table_request *q)
{
    static const struct {
        const char *name;
        sg_table_plot_kind kind;
    } kinds[] = {{"--points", SG_TABLE_POINTS},
                 {"--histogram", SG_TABLE_HISTOGRAM},
                 {"--scatter", SG_TABLE_SCATTER}};
    const char *value = "";
    bool found = sg_option_value(argc, argv, i, "--map", &value);
    sg_table_plot_kind kind = SG_TABLE_MAP;
    if (found && (!value || !strchr(value, ',')))
        return sg_bad_usage("plot", "--map needs two columns, X,Y, not", value ? value : "");
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0] && !found; k++) {
        found = strcmp(argv[*i], kinds[k].name) == 0;
        kind = kinds[k].kind;
    }
    if (!found)
        return -1;
    if (q->given)
        return sg_bad_usage("plot", "only one of --points, --map, --histogram and --scatter", NULL);
    *q = (cli_table_request){.given = true, .kind = kind, .map = value};
    return 0;
}

// ---- folders of studies ---------------------------------------------------------------------

static bool add_word(cli_words *w, const char *text)
{
    if (w->n + 1 >= w->cap) {
        size_t cap = w->cap ? 2 * w->cap : 64;
        char **list = realloc(w->list, cap * sizeof *list);
        if (!list)
            return false;
        w->list = list;
        w->cap = cap;
    }
    w->list[w->n] = strdup(text);
    return w->list[w->n++] != NULL;
}

void cli_free_words(cli_words *w)
{
    for (size_t i = 0; i < w->n; i++)
        free(w->list[i]);
    free(w->list);
    *w = (cli_words){0};
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_visible(const struct dirent *e) { return e->d_name[0] != '.'; }

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n > m && strcmp(text + n - m, end) == 0;
}

// The run files of one folder below runs/, in the order of runs.
static bool add_files(cli_words *w, const char *folder)
{
    struct dirent **list;
    char path[PATH_MAX];
    int n = scandir(folder, &list, is_visible, by_name);
    bool ok = true;
    for (int i = 0; i < n; i++) {
        if (ok && ends_with(list[i]->d_name, ".segue"))
            ok = snprintf(path, sizeof path, "%s/%s", folder, list[i]->d_name) < (int)sizeof path &&
                 add_word(w, path);
        free(list[i]);
    }
    if (n >= 0)
        free(list);
    return ok;
}

bool cli_kept_runs(const char *study, cli_words *w)
{
    char folder[PATH_MAX], below[PATH_MAX];
    struct dirent **list;
    if (snprintf(folder, sizeof folder, "%s/runs", study) >= (int)sizeof folder)
        return false;
    int n = scandir(folder, &list, is_visible, by_name);
    bool ok = true;
    for (int i = 0; i < n; i++) {
        if (ok)
            ok = snprintf(below, sizeof below, "%s/%s", folder, list[i]->d_name) <
                     (int)sizeof below &&
                 add_files(w, below);
        free(list[i]);
    }
    if (n >= 0)
        free(list);
    return ok;
}

static bool has_file(const char *folder, const char *name, char *path, size_t size)
{
    return snprintf(path, size, "%s/%s", folder, name) < (int)size && access(path, F_OK) == 0;
}

static sg_status add_or_fail(cli_words *out, const char *word)
{
    return add_word(out, word) ? SG_OK : SG_ERR_MEMORY;
}

static sg_status expand(cli_words *out, const char *word, bool tables)
{
    char path[PATH_MAX];
    if (!has_file(word, "study.txt", path, sizeof path))
        return add_or_fail(out, word);
    if (tables) {
        if (has_file(word, "table.segue", path, sizeof path))
            return add_or_fail(out, path);
        cli_complain("segue plot: the study in '%s' has no table yet: segue study --resume %s\n",
                     word, word);
        return SG_ERR_USAGE;
    }
    size_t before = out->n;
    if (!cli_kept_runs(word, out))
        return SG_ERR_MEMORY;
    if (out->n == before)
        cli_complain("segue plot: no run of the study in '%s' was kept (--keep-runs), so there are "
                     "no curves; its table is drawn by --x NAME, --map X,Y, --histogram or "
                     "--scatter\n",
                     word);
    return out->n > before ? SG_OK : SG_ERR_USAGE;
}

sg_status cli_expand_studies(char *const *words, int n, bool tables, cli_words *out)
{
    *out = (cli_words){0};
    sg_status status = SG_OK;
    for (int i = 0; i < n && !status; i++)
        status = expand(out, words[i], tables);
    if (status == SG_ERR_MEMORY)
        sg_report_memory();
    if (status)
        cli_free_words(out);
    return status;
}

// ---- tables ---------------------------------------------------------------------------------

bool cli_is_study_table(const char *path, const sg_result *result)
{
    const char *slash = strrchr(path, '/');
    if (strncmp(slash ? slash + 1 : path, "table.", 6) != 0)
        return false;
    size_t n = sg_result_describe(result).n_signals;
    for (size_t i = 0; i < n; i++)
        if (strcmp(sg_result_signal(result, i)->name, "failed") == 0)
            return true;
    return false;
}

// The comma between two names; those in brackets belong to one.
static const char *comma_between(const char *text)
{
    int depth = 0;
    for (; *text; text++) {
        depth += *text == '(' || *text == '[';
        depth -= *text == ')' || *text == ']';
        if (*text == ',' && depth == 0)
            return text;
    }
    return NULL;
}

sg_status cli_plot_table(const sg_result *table, const cli_table_request *request,
                         const sg_figure_options *figure, char *const *columns, size_t n,
                         const char *output, sg_diags *diags)
{
    sg_table_plot_options o = sg_table_plot_options_make();
    o.kind = request->kind;
    o.x = figure->x_axis;
    o.color_by = figure->color_by;
    o.heading = figure->heading;
    o.log_x = figure->log_x;
    o.log_y = figure->log_y;
    o.no_grid = !figure->grid;
    o.width = figure->width;
    o.height = figure->height;
    o.scale = figure->scale;
    const char *comma = request->map ? comma_between(request->map) : NULL;
    char *x = NULL;
    if (request->kind == SG_TABLE_MAP) {
        x = comma ? strndup(request->map, (size_t)(comma - request->map)) : NULL;
        o.x = x;
        o.y = comma ? comma + 1 : NULL;
    }
    sg_status status = sg_table_plot(table, (const char *const *)columns, n, output, &o, diags);
    free(x);
    return status;
}
