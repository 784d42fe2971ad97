// The user's browser, if there is one.
#pragma once

#include <stdbool.h>

// Opens a file in the browser and returns at once. False where there is no screen or no program
// that opens pages.
bool cli_open_in_browser(const char *path);
