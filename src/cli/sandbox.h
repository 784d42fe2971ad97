// Rights that a run does not need, given up to the kernel before a model is read.
//
// The library keeps scripts in their folders by its own rules. This is the second wall, for the day
// a rule has a hole: Landlock lets the process read where the rules and its libraries need it and
// write only below its output folders, seccomp lets it start no program and open no connection.
// Kernels that lack them, and builds with sanitizers, go without; nothing is said, since the rules
// hold all the same. docs/security.md tells what is given up when.
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct cli_sandbox cli_sandbox;

// Nothing is given up before cli_sandbox_enter. Null where the kernel cannot do it.
cli_sandbox *cli_sandbox_create(void);
// A file or a folder with all below it may be read.
void cli_sandbox_read(cli_sandbox *sandbox, const char *path);
// The folder that holds a file may be read, and be written to if so said.
void cli_sandbox_folder_of(cli_sandbox *sandbox, const char *file, bool write);
// A file that is there may be written: a device, or what /dev/stdout stands for.
void cli_sandbox_write(cli_sandbox *sandbox, const char *file);
// An output folder; it is made now and taken away at the end if it is empty still. A link is
// followed only if the user named it.
void cli_sandbox_output(cli_sandbox *sandbox, const char *folder, bool named);
// From here on, for this thread and those that it starts. False if there is no sandbox.
bool cli_sandbox_enter(cli_sandbox *sandbox);
void cli_sandbox_destroy(cli_sandbox *sandbox);
