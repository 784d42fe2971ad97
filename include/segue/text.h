// Text of strangers on a terminal.
//
// Names, messages and results may come from a file that somebody sent. A terminal obeys what it is
// told: escape sequences move the cursor, change its title or paste, and characters that turn the
// direction of writing make a line read as another. What prints such text lets these through as
// visible escapes only:
//
//     for (size_t n, skip; length; text += n + skip, length -= n + skip) {
//         char escape[SG_ESCAPE_SIZE];
//         n = sg_text_harmless(text, length, &skip, escape);
//         fwrite(text, 1, n, stdout);
//         fputs(escape, stdout);
//     }
//
// Rendered diagnostics, plots as text and JSON of Segue have been through this.
#pragma once

#include "segue/export.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SG_ESCAPE_SIZE = 8 };

// The number of bytes at the beginning of `text` that do no harm: all but control characters
// (save new line and tabulator), those that set the direction of writing, and bytes that are no
// UTF-8. What follows them, `*skip` bytes, is to be shown as `escape`: \x1b, \u202e; both are empty
// at the end of the text.
SG_API size_t sg_text_harmless(const char *text, size_t length, size_t *skip,
                               char escape[SG_ESCAPE_SIZE]);

#ifdef __cplusplus
}
#endif
