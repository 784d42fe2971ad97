// Numbers in the spelling of the language, for trees and for values alike.
#pragma once

#include "base/buf.h"

// Float64: the shortest digits that read back, with '.' or exponent: 1.0, 1.0e-5, Inf, NaN.
void sg_print_float(double x, sg_buf *out);
void sg_print_float32(double x, sg_buf *out); // as text of println: 0.1; shown as 0.1f0
void sg_show_float32(double x, sg_buf *out);
