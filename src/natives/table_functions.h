// Text files and tables of scripts, shared by those who read and write them.
#pragma once

#include "natives/session.h"

// The text of a file that the script may read, made with the allocator of the session (length + 1
// bytes). Raises.
sg_status sg_script_read(sg_session *session, const sg_args *args, const char *name, char **text,
                         size_t *length);
// Writes a file below the output folder. Raises.
sg_status sg_script_write(sg_session *session, sg_span span, const char *name, const char *text,
                          size_t length);

// Dictionaries and named tuples of vectors.
bool sg_is_plain_table(sg_vm *vm, sg_value value);
// The first argument as a result whose points are its rows; *first is the name of its first column,
// which lives as long as the table. Raises.
sg_status sg_plain_table_result(sg_vm *vm, const sg_args *args, const char **first,
                                sg_result **out);
