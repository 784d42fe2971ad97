// What 3D parts ask of the session: materials, files, switches (parts/host.h).
#pragma once

#include "natives/session.h"
#include "parts/host.h"

// Fills the table; the palette is read when it is first asked for.
void sg_session_init_host(sg_session *session);
void sg_session_free_host(sg_session *session);
// The palette, with everything that comes with the program in it. Null after reporting.
sg_palette *sg_session_palette(sg_session *session);
