// Pages and other pictures of results, for the commands that make them.
#pragma once

#include "segue/page.h"

typedef struct cli_pictures {
    const char *html;     // --html OUT.html, or null
    double max_megabytes; // --max-size MB, of a page
    bool quiet;           // do not say what was written
    size_t n_results;     // seen so far
    int exit_status;      // of the first picture that could not be written
} cli_pictures;

cli_pictures cli_pictures_make(void);
// Whether any picture is asked for.
bool cli_pictures_wanted(const cli_pictures *pictures);
// Writes what is asked for. Later results of the same command get names with a number: OUT-2.html.
void cli_pictures_write(cli_pictures *pictures, sg_result *result);
// One page; returns the exit status.
int cli_write_page(const cli_pictures *pictures, const sg_result *result, const char *path);
