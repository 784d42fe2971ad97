// segue plot of studies: pictures of tables, and the runs of a folder.
#pragma once

#include "segue/result.h"

#include <stdbool.h>

// What `segue plot` was told of tables.
typedef struct cli_table_request {
    bool given; // one of the kinds was asked for
    sg_table_plot_kind kind;
    const char *map; // "X,Y"
} cli_table_request;

// Takes --points, --map, --histogram, --scatter. -1: it is none of them; else the exit status.
int cli_take_table_option(int argc, char **argv, int *i, cli_table_request *request);

// Folders of studies among the words become their table, or for curves the files of all runs that
// were kept; free with cli_free_words. Failures, SG_ERR_MEMORY and SG_ERR_USAGE, were told.
typedef struct cli_words {
    char **list;
    size_t n, cap;
} cli_words;
sg_status cli_expand_studies(char *const *words, int n, bool tables, cli_words *out);
void cli_free_words(cli_words *words);
// The files of all runs of a study that were kept, in their order. False without memory.
bool cli_kept_runs(const char *study, cli_words *out);

// A table of a study by its name and its columns.
bool cli_is_study_table(const char *path, const sg_result *result);
sg_status cli_plot_table(const sg_result *table, const cli_table_request *request,
                         const sg_figure_options *figure, char *const *columns, size_t n,
                         const char *output, sg_diags *diags);
