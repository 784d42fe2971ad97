// System calls by a list of what is needed (seccomp).
//
// A list of what is refused is never complete: each kernel adds calls. So everything is refused
// that is not named here. Calls that carry rights in their numbers are looked at more closely:
// memory is never executable unless it is a file that cannot be written through it, new threads are
// allowed and new processes are not, signals go to this process alone, and descriptors are asked
// harmless questions only. What is refused fails with EPERM, which somebody reports; calls that are
// newer than this list do not exist (ENOSYS), so that a C library takes its older way. Code of
// another architecture ends the process.
#pragma once

#include <stdbool.h>

typedef enum sg_calls {
    SG_CALLS_RUN,    // a command: files, threads, memory, the terminal, helpers that are there
    SG_CALLS_HELPER, // one request of a helper: memory and descriptors that are open
} sg_calls;

// From here on, for this thread and those that it starts. False where the kernel or the
// architecture has none, or in builds with sanitizers.
bool sg_calls_restrict(sg_calls kind);
