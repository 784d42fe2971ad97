#include "natives/mesh_helper.h"

#include "natives/session.h"
#include "wall/helper.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- in the helper ------------------------------------------------------------------------------

static bool prepare(void *context, char words[SG_HELPER_WORDS])
{
    (void)context;
    char message[SG_MESH_MESSAGE] = "";
    bool ok = sg_foreign_mesh_load(message);
    if (!ok)
        snprintf(words, SG_HELPER_WORDS, "%s", message);
    return ok;
}

// A request is the ending of the file's name, a 0, and its bytes.
static sg_status serve(void *context, const void *request, size_t n, sg_helper_answer *answer,
                       char words[SG_HELPER_WORDS])
{
    (void)context;
    const char *extension = request, *end = memchr(request, 0, n);
    char message[SG_MESH_MESSAGE] = "";
    void *stl = NULL;
    size_t n_stl = 0;
    if (!end)
        return SG_ERR_INPUT;
    sg_status status = sg_foreign_mesh_read(extension, end + 1, n - (size_t)(end + 1 - extension),
                                            &stl, &n_stl, message);
    if (status == SG_OK && !sg_helper_answer_put(answer, stl, n_stl))
        status = SG_ERR_IO;
    snprintf(words, SG_HELPER_WORDS, "%s", message);
    free(stl);
    return status;
}

sg_status sg_mesh_helper_start(sg_helper **out)
{
    sg_helper_service service = sg_helper_service_make();
    service.name = "the reader of foreign meshes";
    service.prepare = prepare;
    service.serve = serve;
    return sg_helper_start(&service, out);
}

// ---- in the process that wants a mesh -----------------------------------------------------------

static bool is_over(void *context)
{
    sg_session *session = context;
    return sg_limits_check_often(&session->vm->limits) != SG_OK;
}

sg_status sg_ask_mesh_helper(void *context, const char *extension, const void *bytes, size_t n,
                             sg_arena *arena, const void **stl, size_t *n_stl,
                             char message[SG_MESH_MESSAGE])
{
    sg_session *session = context;
    size_t head = strlen(extension) + 1;
    char *request = n < SIZE_MAX - head ? sg_arena_alloc(arena, head + n, 1) : NULL;
    char words[SG_HELPER_WORDS];
    const void *answer;
    if (!request)
        return SG_ERR_MEMORY;
    memcpy(request, extension, head);
    memcpy(request + head, bytes, n);
    sg_status status = sg_helper_ask_until(session->options.mesh_helper, request, head + n, &answer,
                                           n_stl, words, is_over, session);
    if (status == SG_OK) {
        char *copy = sg_arena_alloc(arena, *n_stl + 1, 1);
        if (!copy)
            return SG_ERR_MEMORY;
        memcpy(copy, answer, *n_stl);
        *stl = copy;
    }
    snprintf(message, SG_MESH_MESSAGE, "%s",
             status == SG_ERR_INTERRUPT ? "the run ends before it was read" : words);
    return status;
}
