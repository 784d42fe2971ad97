// segue view of the folder of a study.
#pragma once

#include <stdbool.h>

// Whether a path is such a folder.
bool cli_is_study(const char *path);
// Its page; returns the exit status. `megabytes` is the largest one, 0 for the default.
int cli_write_study_page(const char *folder, const char *path, double megabytes, bool quiet);
