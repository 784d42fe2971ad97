// Inside of segue/helper.h: asking with an eye on the limits of a session.
#pragma once

#include "segue/helper.h"

// True when nobody waits any more: an interrupt, a limit. The helper is ended then.
typedef bool sg_helper_over(void *context);

// As sg_helper_ask; SG_ERR_INTERRUPT without words where `over` said so.
sg_status sg_helper_ask_until(sg_helper *helper, const void *request, size_t n, const void **answer,
                              size_t *n_answer, char words[SG_HELPER_WORDS], sg_helper_over *over,
                              void *context);
