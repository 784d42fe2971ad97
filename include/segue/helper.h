// Helpers: small processes that do what the process behind the wall must not do.
//
// A host decides whether any may start, and when: before it goes behind the wall (segue/wall.h),
// best before it has threads. What runs is one service in one process. It takes bytes through a
// pipe and gives bytes back; no names of files and no descriptors travel. Each request is served by
// a process of its own, which the helper forks, so that a crash, a hang or a heap in pieces is the
// end of one request: one status with words, nothing left behind, and the next request is served.
//
// Unless a service keeps its rights, it has a wall of its own, narrower than ours: no file at all,
// no system call but those on memory and on its pipe, no new process or thread, and bounds on time,
// processor time and memory. What it answers is as foreign as the file it read, and is read so.
//
// Served now: meshes in foreign formats, by assimp (segue/session.h, `mesh_helper`), programs of
// models by a compiler (`native_helper`), and the browser of `segue view`. A service that starts
// programs (a browser, a compiler, a queue of jobs) keeps its rights; what it starts is settled
// before the wall goes up, and a request says no more than which. One that runs foreign code with a
// memory (FMUs, `fmu_helper`) stays, behind a wall of its own.
#pragma once

#include "segue/export.h"
#include "segue/status.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sg_helper sg_helper;
typedef struct sg_helper_answer sg_helper_answer;

enum { SG_HELPER_WORDS = 256 }; // room for a sentence, with its 0

typedef struct sg_helper_service {
    const char *name; // of what does it, for messages: "the reader of foreign meshes"
    // In the helper, once, before its wall: loads libraries. False with words if it cannot; every
    // request is answered with these then. May be null.
    bool (*prepare)(void *context, char words[SG_HELPER_WORDS]);
    // In the helper, behind its wall, once for each request. A status other than SG_OK with words.
    sg_status (*serve)(void *context, const void *request, size_t n, sg_helper_answer *answer,
                       char words[SG_HELPER_WORDS]);
    // In the process that asks, again and again while it waits: true when nobody needs the answer
    // any more. The helper is ended then. May be null.
    bool (*over)(void *context);
    void *context;                  // in the helper: as it was when that was started
    double max_time, max_cpu_time;  // of a request [s]
    size_t max_memory;              // of a request, beyond what the helper has [bytes]
    size_t max_request, max_answer; // [bytes]
    bool keeps_rights;              // no wall, no bounds but on time: it starts programs
    // One process serves all requests, one after the other, and remembers what it likes in between.
    // Its end is that of the helper: later requests are told how it ended. It has the rights of
    // `keeps_rights`, and is expected to give up what it does not need by itself (segue/wall.h).
    bool stays;
    // In the helper, after the process that stays has ended, in whatever way: takes away what
    // `prepare` made. May be null.
    void (*clear)(void *context);
} sg_helper_service;

// A minute, 2 GiB of memory, requests and answers of 1 GiB.
SG_API sg_helper_service sg_helper_service_make(void);

// Forks. Takes a fraction of a millisecond; `prepare` goes on meanwhile. SG_ERR_USAGE, SG_ERR_IO
// where there can be no process, SG_ERR_MEMORY.
SG_API sg_status sg_helper_start(const sg_helper_service *service, sg_helper **out);
// In `serve`: adds bytes to the answer. False if nobody wants them any more.
SG_API bool sg_helper_answer_put(sg_helper_answer *answer, const void *bytes, size_t n);
// One request, from one thread at a time. The answer belongs to the helper and lives until the next
// request. A status other than SG_OK comes with words: what `serve` said, SG_ERR_LIMIT where a
// bound was reached, SG_ERR_IO for a process that crashed or answered nonsense, SG_ERR_INTERRUPT
// where `over` said so.
SG_API sg_status sg_helper_ask(sg_helper *helper, const void *request, size_t n,
                               const void **answer, size_t *n_answer, char words[SG_HELPER_WORDS]);
// Ends it and waits for its end.
SG_API void sg_helper_destroy(sg_helper *helper);

// The helper for `mesh_helper` of segue/session.h: reads meshes by the library assimp, if that is
// installed.
SG_API sg_status sg_mesh_helper_start(sg_helper **out);
// The helper for `fmu_helper` of segue/session.h: runs FMUs of other tools. It reads its own folder
// for temporary files and the system's libraries, writes to that folder, and starts nothing. One
// process has all FMUs: if one of them crashes, the others are gone, too.
SG_API sg_status sg_fmu_helper_start(sg_helper **out);

// The helper for `native_helper` of segue/session.h: compiles programs in C with the system's
// compiler (CC, cc, gcc or clang) to libraries in `folder`, which is there, and which the process
// that asks may read. It keeps its rights.
SG_API sg_status sg_native_helper_start(const char *folder, sg_helper **out);

#ifdef __cplusplus
}
#endif
