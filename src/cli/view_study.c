#include "view_study.h"

#include "plot_table.h"
#include "report.h"
#include "segue/page.h"
#include "study_cli.h"
#include "terminal.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool cli_is_study(const char *path)
{
    char file[PATH_MAX];
    return snprintf(file, sizeof file, "%s/study.txt", path) < (int)sizeof file &&
           access(file, F_OK) == 0;
}

// Does a line "metric NAME=..." or "metric NAME" (or minimise) name this column?
static bool is_metric(const char *options, const char *name, size_t length)
{
    static const char *const words[] = {"metric ", "minimise "};
    for (const char *line = options; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        for (int i = 0; i < 2; i++) {
            size_t n = strlen(words[i]);
            if (strncmp(line, words[i], n) != 0 || strncmp(line + n, name, length) != 0)
                continue;
            char next = line[n + length];
            if (next == '=' || next == '\n' || next == '\0')
                return true;
        }
    }
    return false;
}

// Columns behind the number of the run and before the first metric. Names of variables are never in
// quotes.
static size_t count_variables(const char *table, const char *options)
{
    size_t n = 0;
    const char *at = strchr(table, ',');
    while (at && at[1] != '"') {
        size_t length = strcspn(at + 1, ",\n");
        if (is_metric(options, at + 1, length) ||
            (length == 6 && strncmp(at + 1, "status", 6) == 0) || at[1 + length] != ',')
            break;
        n++;
        at += 1 + length;
    }
    return n;
}

// The number of a run is the name of its file.
static size_t take_numbers(const cli_words *files, uint64_t *runs)
{
    for (size_t i = 0; i < files->n; i++) {
        const char *slash = strrchr(files->list[i], '/');
        runs[i] = strtoull(slash ? slash + 1 : files->list[i], NULL, 10);
    }
    return files->n;
}

static const char *name_of(const char *folder)
{
    const char *slash = strrchr(folder, '/');
    return slash && slash[1] ? slash + 1 : folder;
}

static void tell(const sg_study_page_report *r, const char *path, size_t kept)
{
    cli_complain("segue: %s: %.1f MB, %llu of %llu rows, curves of %zu and %zu whole of %zu runs "
                 "that were kept\n",
                 path, (double)r->bytes / 1e6, (unsigned long long)r->rows,
                 (unsigned long long)r->of, r->curves, r->whole, kept);
}

int cli_write_study_page(const char *folder, const char *path, double megabytes, bool quiet)
{
    char file[PATH_MAX];
    size_t n_table = 0;
    cli_words files = {0};
    snprintf(file, sizeof file, "%s/table.csv", folder);
    char *table = cli_study_read(file, &n_table);
    snprintf(file, sizeof file, "%s/study.txt", folder);
    char *options = cli_study_read(file, NULL);
    if (!table || !options) {
        cli_complain("segue: the study in '%s' has no table yet: segue study --resume %s\n", folder,
                     folder);
        free(table);
        free(options);
        return 1;
    }
    bool ok = cli_kept_runs(folder, &files);
    uint64_t *runs = ok ? calloc(files.n + 1, sizeof *runs) : NULL;
    sg_diags *diags = sg_diags_create(NULL);
    sg_study_page page = sg_study_page_make();
    sg_study_page_report report = {0};
    page.title = name_of(folder);
    page.table = table;
    page.n_table = n_table;
    page.n_variables = count_variables(table, options);
    page.max_size = megabytes > 0 ? 1e6 * megabytes : page.max_size;
    sg_status status = SG_ERR_MEMORY;
    if (runs && diags) {
        page.runs = runs;
        page.n_runs = take_numbers(&files, runs);
        page.files = (const char *const *)files.list;
        status = sg_study_page_write(NULL, &page, path, &report, diags);
    }
    sg_report(diags, status);
    if (status == SG_OK && !quiet)
        tell(&report, path, page.n_runs);
    sg_diags_destroy(diags);
    cli_free_words(&files);
    free(runs);
    free(table);
    free(options);
    return sg_exit_status(status);
}
