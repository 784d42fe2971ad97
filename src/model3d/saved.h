// A part as part of a saved state (sim/component.h): the records as actions have changed them, and
// what its elements remember.
#pragma once

#include "base/archive.h"
#include "model3d/segment.h"

// The records of the present segment. One that is read builds its next segment from them, and
// changes nothing before (sg_part_begin_segment).
sg_status sg_part_archive_layout(sg_part *part, sg_archive *a);
// Once the segment was built from these: what actors, loops and the balance remember in it.
sg_status sg_part_archive(sg_part *part, sg_archive *a);
// Where the action programs of the part are (saved_actions.c), behind the layout.
sg_status sg_part_archive_actions(sg_part *part, sg_archive *a);
// Its contacts, as far as the segment is built by them, and all of them (saved_contacts.c).
void sg_part_archive_contact_layout(sg_part *part, sg_archive *a);
sg_status sg_part_archive_contacts(sg_part *part, sg_archive *a);
