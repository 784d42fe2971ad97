// Meshes of foreign formats through a helper (segue/helper.h): bytes of a file there, bytes of an
// STL file back.
#pragma once

#include "shapes/mesh_foreign.h"

// A sg_foreign_mesh_ask; its context is the session, whose options hold the helper.
sg_foreign_mesh_ask sg_ask_mesh_helper;
