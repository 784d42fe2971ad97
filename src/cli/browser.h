// The user's browser, if there is one; and Chromium as a camera.
//
// Behind the wall no program can be started, so a helper does it that is there before
// (segue/helper.h). It knows its whole command line when it starts; a request says "now".
#pragma once

#include "segue/helper.h"

#include <stdbool.h>

// Will open this file in the browser. Null where there is no screen or no program that opens pages.
sg_helper *cli_browser_start(const char *path);
// Opens it and returns at once. False if that cannot be.
bool cli_open_in_browser(sg_helper *browser);

typedef struct cli_camera {
    char *page; // a temporary file, for the page of the picture
    char *made; // what Chromium writes, beside `png`, so that an earlier picture stays if it fails
    char *png;
    char *program, *shot, *window, *address; // the command line
    sg_helper *helper;
} cli_camera;

// Will take a picture of a page at a time, without any screen, by Chromium: $SEGUE_CHROMIUM or one
// of its usual names. False after a message if that is not there, or no file can be made.
bool cli_camera_start(cli_camera *camera, const char *png, double time, int width, int height);
// Takes it; the page is written. Returns the exit status, after a message if it cannot be made.
int cli_camera_shoot(cli_camera *camera);
// Files that are left go.
void cli_camera_end(cli_camera *camera);
