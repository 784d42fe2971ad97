// The components written in C that a session knows, and the shared libraries some came from.
#include "natives/c_component.h"

#include <dlfcn.h>
#include <string.h>

static sg_status refuse(sg_session *session, const char *name, const char *why)
{
    sg_error(&session->diags, SG_E_COMPONENT, (sg_span){0}, "component '%s' %s", name, why);
    return SG_ERR_USAGE;
}

static bool functions_are_good(const sg_component *c)
{
    for (size_t i = 0; i < c->n_functions; i++) {
        const sg_component_function *f = &c->functions[i];
        if (!f->name || !f->call || f->n_arguments > SG_COMPONENT_MOST_ARGUMENTS ||
            f->n_results > SG_COMPONENT_MOST_RESULTS)
            return false;
        for (size_t k = 0; k < i; k++)
            if (strcmp(c->functions[k].name, f->name) == 0)
                return false;
    }
    return true;
}

sg_status sg_components_add(sg_session *session, const sg_component *component)
{
    if (component->abi != SG_COMPONENT_ABI) { // nothing behind this number is known
        sg_error(&session->diags, SG_E_COMPONENT, (sg_span){0},
                 "a component was made for version %u of segue/component.h, this is version %u; "
                 "compile it anew",
                 component->abi, SG_COMPONENT_ABI);
        return SG_ERR_USAGE;
    }
    const char *name = component->name ? component->name : "";
    if (!name[0] || (component->n_functions && !component->functions) ||
        !functions_are_good(component))
        return refuse(session, name,
                      "needs a name, and functions with different names, at most 63 arguments and "
                      "16 results");
    for (size_t i = 0; i < session->added.components.len; i++)
        if (strcmp(session->added.components.data[i]->name, name) == 0)
            return refuse(session, name, "was added before");
    return SG_PUSH(session->allocator, &session->added.components, component) ? SG_OK
                                                                              : SG_ERR_MEMORY;
}

static sg_status add_library(sg_session *session, void *library, const char *path)
{
    const sg_component_library *list = dlsym(library, SG_COMPONENT_LIBRARY);
    if (!list || list->abi != SG_COMPONENT_ABI) {
        if (list)
            sg_error(&session->diags, SG_E_COMPONENT, (sg_span){0},
                     "'%s' was made for version %u of segue/component.h, this is version %u; "
                     "compile it anew",
                     path, list->abi, SG_COMPONENT_ABI);
        else
            sg_error(&session->diags, SG_E_COMPONENT, (sg_span){0},
                     "'%s' does not export " SG_COMPONENT_LIBRARY
                     ", by which a library names its components",
                     path);
        return SG_ERR_USAGE;
    }
    sg_status status = SG_OK;
    for (uint32_t i = 0; i < list->n && status == SG_OK; i++)
        status = sg_components_add(session, list->components[i]);
    return status;
}

sg_status sg_components_load(sg_session *session, const char *path)
{
    sg_buf file;
    sg_buf_init(&file, session->allocator);
    // A bare name is a file of the current folder, not one that the system looks for.
    sg_buf_puts(&file, strchr(path, '/') ? "" : "./");
    sg_buf_puts(&file, path);
    void *library = file.failed ? NULL : dlopen(sg_buf_text(&file), RTLD_NOW | RTLD_LOCAL);
    sg_buf_free(&file);
    if (!library) {
        const char *why = dlerror();
        sg_error(&session->diags, SG_E_IO, (sg_span){0}, "cannot load components from '%s': %s",
                 path, why ? why : "out of memory");
        return SG_ERR_IO;
    }
    // Kept open also when something is wrong with it: part of its list may be in the table.
    if (!SG_PUSH(session->allocator, &session->added.libraries, library)) {
        dlclose(library);
        return SG_ERR_MEMORY;
    }
    return add_library(session, library, path);
}

void sg_components_free(sg_session *session)
{
    for (size_t i = 0; i < session->added.libraries.len; i++)
        dlclose(session->added.libraries.data[i]);
    SG_VEC_FREE(session->allocator, &session->added.libraries);
    SG_VEC_FREE(session->allocator, &session->compiler.programs);
    SG_VEC_FREE(session->allocator, &session->added.components);
}
