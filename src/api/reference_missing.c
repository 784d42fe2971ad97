#include "api/reference_missing.h"

#include "natives/session.h"
#include "segue/reference.h"

#include <stdio.h>
#include <string.h>

// Functions, constructors and models; what begins with an underscore is of the program itself, as
// are these, which the prelude needs.
static bool wants_entry(const char *name, sg_value value)
{
    static const char own[] =
        " componentFunctions model3DFunctions leadAlong leadAround wantedCut turnsByAngles "
        "turningFlange slidingFlange jointBetween "
        "madeByHand otherSequence threeOf nearerOne ";
    char padded[64];
    bool kind = sg_is(value, SG_OBJ_FUNCTION) || sg_is(value, SG_OBJ_DICT);
    snprintf(padded, sizeof padded, " %s ", name);
    return kind && name[0] != '_' && name[0] != '#' && !strstr(own, padded);
}

static bool check_module(const sg_vm *vm, const sg_module *module, sg_reference_sink write,
                         void *context)
{
    if (!module || !sg_module_complete(module))
        return false;
    for (size_t i = 0; i < module->cells.len; i++) {
        sg_sym name = {(uint32_t)module->cells.entries[i].key};
        const char *text = sg_vm_text(vm, name);
        if (!wants_entry(text, sg_module_get(module, name)) || sg_reference_has(text))
            continue;
        write(context, text, strlen(text));
        write(context, "\n", 1);
    }
    return true;
}

sg_status sg_reference_missing(sg_reference_sink write, void *context)
{
    if (!write)
        return SG_ERR_USAGE;
    sg_session_options options = sg_session_options_make();
    sg_session *session = NULL;
    sg_status status = sg_session_create(NULL, &options, &session);
    if (status != SG_OK)
        return status;
    if (!session->prelude(session) ||
        !check_module(session->vm, session->vm->base, write, context) ||
        !check_module(session->vm, sg_vm_module(session->vm, "Modia3D"), write, context))
        status = SG_ERR_MEMORY;
    sg_session_destroy(session);
    return status;
}
