// Contacts as part of a saved state (base/archive.h): who touches whom, and what each remembers of
// how it began, of where it holds on, and of how deep and hard it was.
#pragma once

#include "base/archive.h"
#include "contact/contacts.h"

// To an archive, or back into contacts that were made for the same segment, before their first
// evaluation. What detection remembers to be faster is not part of it. SG_ERR_MEMORY.
sg_status sg_contacts_archive(sg_contacts *contacts, sg_archive *a);
