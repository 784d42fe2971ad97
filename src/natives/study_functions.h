// study(...) of scripts, and functions of the script as metrics of any study.
#pragma once

#include "natives/session.h"
#include "result/result.h"

// The function of this name in the module of the running code, in Main, or in a module that the
// file defines.
bool sg_study_function(sg_session *session, const char *name, sg_value *out);
// What a function of the script makes of a result: a number in SI units, NaN for nothing or
// missing. SG_ERR_CHECK with a message if it raises, or returns something else.
sg_status sg_study_ask(sg_session *session, sg_value function, const char *name, sg_result *result,
                       double *out);
