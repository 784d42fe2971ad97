// A small run with two segments that the tests of this folder share: `phi`, its derivative, a
// vector and a matrix, an alias, a negated alias, a constant, an integer, a
// boolean; a body that appears at t = 1.
#pragma once

#include "result/result.h"
#include "result/writer.h"

enum { SAMPLE_POINTS = 22 }; // 11 in each segment, the doubled one at t = 1 included

sg_result *sample_result(const sg_writer_options *options, sg_diags *diags);
// A path in a folder for such files below the build tree. Holds for the next seven calls.
const char *sample_path(const char *name);
// The whole content of a file, to be freed; null if it cannot be read.
char *sample_bytes(const char *path, size_t *length);
