#include "natives/part_host.h"

#include "base/assert.h"
#include "natives/embedded.h"
#include "natives/mesh_helper.h"
#include "segue/actions.h"

#include <string.h>

// The text files of library/palettes; colors first, since looks name them.
static const struct {
    const char *name;
    sg_palette_source source;
} palettes[] = {{"library/palettes/colors.txt", SG_OF_MODIA3D},
                {"library/palettes/looks.txt", SG_OF_MODIA3D},
                {"library/palettes/solids.txt", SG_OF_MODIA3D},
                {"library/palettes/more_solids.txt", SG_OF_SEGUE},
                {"library/palettes/contacts.txt", SG_OF_SEGUE}};

sg_palette *sg_session_palette(sg_session *session)
{
    sg_palette_complaint complaint;
    sg_status status = SG_OK;
    if (session->palette_ready)
        return &session->palette;
    for (size_t i = 0; i < SG_COUNT(palettes) && status == SG_OK; i++) {
        const sg_embedded *file = sg_embedded_find(palettes[i].name);
        SG_ASSERT(file);
        session->palette.source = palettes[i].source;
        status =
            sg_palette_read(&session->palette, (const char *)file->bytes, file->length, &complaint);
    }
    if (status != SG_OK) {
        sg_error(&session->diags, SG_E_MEMORY, (sg_span){0}, "out of memory for the materials");
        return NULL;
    }
    session->palette.source = SG_OF_USER;
    session->palette_ready = true;
    return &session->palette;
}

static const sg_palette *palette_of(void *context) { return sg_session_palette(context); }

// Relative names are seen from the file that is run. `Modia3D.path` leads into the library if the
// published package is not there; meshes are not part of the library.
static const char *locate(void *context, const char *name, sg_span span)
{
    sg_session *session = context;
    if (strncmp(name, SG_LIBRARY_PREFIX, strlen(SG_LIBRARY_PREFIX)) == 0) {
        sg_error(&session->diags, SG_E_MESH, span,
                 "the file '%s' belongs to the Modia3D package; say where that is with "
                 "--modia3d-path DIR",
                 name + strlen(SG_LIBRARY_PREFIX));
        return NULL;
    }
    return sg_files_input(&session->files, name, span, &session->diags);
}

static const char *output(void *context, const char *name, sg_span span)
{
    sg_session *session = context;
    return sg_files_output(&session->files, name, span, &session->diags);
}

static const sg_action_program *action_program(void *context, const char *name)
{
    const sg_session *session = context;
    for (size_t i = 0; i < session->added.action_programs.len; i++)
        if (strcmp(session->added.action_programs.data[i]->name, name) == 0)
            return session->added.action_programs.data[i];
    return NULL;
}

void sg_session_init_host(sg_session *session)
{
    sg_palette_init(&session->palette, session->allocator);
    sg_arena_init(&session->host.arena, session->allocator);
    session->host =
        (sg_part_host){.context = session,
                       .arena = session->host.arena,
                       .palette = palette_of,
                       .locate = locate,
                       .output = output,
                       .action_program = action_program,
                       .foreign_mesh = session->options.mesh_helper ? sg_ask_mesh_helper : NULL,
                       .foreign_context = session,
                       .compat = &session->compat.parts,
                       .path_rows = session->compat.path_rows,
                       .check_only = session->options.check_only,
                       .balance = session->options.balance};
}

void sg_session_free_host(sg_session *session)
{
    SG_VEC_FREE(session->allocator, &session->added.action_programs);
    sg_palette_destroy(&session->palette);
    sg_arena_destroy(&session->host.arena);
}
