// Pages and other pictures of results, for the commands that make them.
#pragma once

#include "segue/page.h"

enum { CLI_SCENE_FORMATS = SG_SCENE_STL + 1 };

typedef struct cli_pictures {
    const char *html;                     // --html OUT.html, or null
    const char *scene[CLI_SCENE_FORMATS]; // --three-json, --glb, --obj, --stl, or null
    double max_megabytes;                 // --max-size MB, of a page
    bool quiet;                           // do not say what was written
    size_t n_results;                     // seen so far
    int exit_status;                      // of the first picture that could not be written
    bool out_of_memory;                   // not told yet: a session may be about to do so
} cli_pictures;

cli_pictures cli_pictures_make(void);
// Where the path of an option goes; null if it is none of a picture.
const char **cli_pictures_option(cli_pictures *pictures, const char *name);
// Whether any picture is asked for.
bool cli_pictures_wanted(const cli_pictures *pictures);
bool cli_scene_wanted(const cli_pictures *pictures); // in a format that only 3D parts can have
// Whether the file of an option can be written, null and "-" can: told here if not, before the run,
// which will make the folder `results`, or one named after the model where that is null.
bool cli_can_write(const char *option, const char *path, const char *results);
bool cli_pictures_check(const cli_pictures *pictures, const char *results); // all of them
// Writes what is asked for. Later results of the same command get names with a number: OUT-2.html.
void cli_pictures_write(cli_pictures *pictures, const sg_result *result);
// Says what is left to say, if `exit_status`, that of the command without its pictures, is not that
// of memory already. Returns the exit status with them; `shown` is theirs.
int cli_pictures_end(const cli_pictures *pictures, int exit_status, int shown);
// One page; returns the exit status.
int cli_write_page(cli_pictures *pictures, const sg_result *result, const char *path);
