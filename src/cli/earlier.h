// Run files that an earlier study left in the folder of results.
//
// A script that simulates a model 50 times leaves Filter.segue, Filter-2.segue, ...
// Filter-50.segue. If it made 200 runs the last time, 150 of those are still there, and `segue plot
// out/*.segue` would mix them in. Within a session the first file is finished before all others of
// its name, so one that is older than the first belongs to an earlier session. No date inside of
// the files is needed, which would keep equal runs from having equal files.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Is this NAME-N.segue, and NAME.segue beside it younger?
bool cli_is_from_earlier_run(const char *path);

// Those among files that a command was given: how many, and the first of them in *example.
size_t cli_count_earlier_runs(const char *const *paths, size_t n, const char **example);

// A note about those that lie in a folder of results, if there are any.
void cli_tell_earlier_runs(const char *folder);
