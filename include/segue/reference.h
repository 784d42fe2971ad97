// What there is: components of the library, functions of scripts and equations, 3D elements.
//
// The texts stand where the things are: in front of a definition of the library, and for what is
// written in C in `library/reference/*.txt`, one entry for each name (a test finds names without).
// Pages of docs/reference, `segue help NAME` and `segue library` are made of them.
#pragma once

#include "segue/export.h"
#include "segue/status.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*sg_reference_sink)(void *context, const char *text, size_t length);

// What is known of a name, as text for a terminal. False: nothing.
SG_API bool sg_reference_help(const char *name, sg_reference_sink write, void *context);
// The name that resembles it most, in `out`; false if none does.
SG_API bool sg_reference_closest(const char *name, char *out, size_t size);

// The groups of entries, in the order of the pages: "Electric", "Blocks", ..., "Results". Null
// beyond the end.
SG_API const char *sg_reference_group(size_t index);
// One line for each entry of a group. False: there is no such group.
SG_API bool sg_reference_list(const char *group, sg_reference_sink write, void *context);
// The page of a group for docs/reference, in Markdown.
SG_API bool sg_reference_page(const char *group, sg_reference_sink write, void *context);

// Names that a script can use and that have no entry, one a line.
SG_API sg_status sg_reference_missing(sg_reference_sink write, void *context);

#ifdef __cplusplus
}
#endif
