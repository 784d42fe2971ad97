// Which sessions live, so that one that was destroyed before is left alone.
//
// Who destroys a session twice has a pointer to memory that may be somebody else's. So those that
// live are on a list, and a pointer that is not is not followed. That is the one thing that the
// sessions of a process share. What happens in callbacks is in natives/session.h.
#pragma once

#include "natives/session.h"

void sg_session_begin_life(sg_session *session);
void sg_session_free(sg_session *session);

// sg_session_run_file for one who has entered the session.
sg_status sg_session_run_file_inside(sg_session *session, const char *path);
