// The wall around every command (segue/wall.h): how much of it the user wants.
#pragma once

#include "segue/wall.h"

typedef enum cli_sandbox {
    CLI_SANDBOX_AUTO,    // what the kernel has; a note tells what it lacks
    CLI_SANDBOX_REQUIRE, // all of it, or nothing is done
    CLI_SANDBOX_OFF,
} cli_sandbox;

// False after a message.
bool cli_take_sandbox(const char *value, cli_sandbox *out);

// A result to read: the file with what belongs to it, or the folder with all in it.
void cli_allow_result(sg_wall *wall, const char *path);

// Goes behind the wall. False after a message where that is required and cannot be; a quiet command
// has no notes.
bool cli_enter_wall(sg_wall *wall, cli_sandbox how, bool quiet);
