// Text of strangers into a text for a terminal (segue/text.h).
#pragma once

#include "base/buf.h"
#include "segue/text.h"

void sg_buf_put_harmless(sg_buf *out, const char *text, size_t length);
