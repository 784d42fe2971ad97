// Lines that a part adds to the log of a run. What others may ask for is in run.h.
#pragma once

#include "parts/part.h"

void sg_part_log(const sg_part *part, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
