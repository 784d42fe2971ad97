// The user's browser, if there is one; and Chromium as a camera.
#pragma once

#include <stdbool.h>

// Opens a file in the browser and returns at once. False where there is no screen or no program
// that opens pages.
bool cli_open_in_browser(const char *path);

// A picture of a page at a time, without any screen, by Chromium: $SEGUE_CHROMIUM or one of its
// usual names. Returns the exit status, after a message if it cannot be made.
int cli_take_picture(const char *page, const char *png, double time, int width, int height);
