// Programs in C (program/native.h) through the system's compiler, which a helper starts
// (segue/helper.h). Libraries lie in a folder that only the helper writes to, named by what is in
// them; so a program that was compiled once, by whichever run, is not compiled again. The process
// of the model asks, loads, and runs them, behind its wall.
#pragma once

#include "program/native.h"

struct sg_session;

// Of the session whose options hold the helper; null if they do not.
const sg_native_host *sg_session_native_host(struct sg_session *session);
