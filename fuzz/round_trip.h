// A result goes out in every format and comes back; what must hold of it.
//
// It is written to a new folder in memory, read back, and compared column by column: each has the
// values that its format can hold, or the writer said why not. What came back is converted once
// more, and from there on nothing may change, not even a byte. Results with many values are passed
// over; they cost time and show nothing new.
#pragma once

#include "result/result.h"

// Aborts, with a word on stderr, if a promise is broken.
void round_trip_all(const sg_result *result);
