#include "natives/session.h"

#include "lang/runtime.h"

sg_session *sg_session_of(const sg_vm *vm) { return sg_runtime_of(vm)->host.context; }

void sg_session_fail(sg_session *session, sg_status status)
{
    if (session->failure == SG_OK)
        session->failure = status;
}

bool sg_session_failed(const sg_session *session)
{
    return session->failure != SG_OK || sg_script_tests(session->script).failed > 0;
}

bool sg_session_goes_on(sg_status status)
{
    return status != SG_ERR_INTERRUPT && status != SG_ERR_LIMIT && status != SG_ERR_MEMORY;
}

sg_status sg_session_stop_script(sg_vm *vm, sg_status status, sg_span span)
{
    if (sg_session_goes_on(status))
        return SG_OK;
    if (vm->exception.tag == SG_UNDEF)
        sg_raise_status(vm, status, SG_E_NONE, span, "the script was stopped");
    if (sg_is(vm->exception, SG_OBJ_EXCEPTION))
        vm->exception.o->flags = 2; // already reported
    return status;
}

void sg_session_report(sg_session *session)
{
    const sg_session_options *o = &session->options;
    sg_diag_style style = {.color = o->color};
    for (; session->n_reported < session->diags.len; session->n_reported++) {
        if (!o->report)
            continue;
        const sg_diag *diag = &session->diags.list[session->n_reported];
        sg_buf text;
        sg_buf_init(&text, session->allocator);
        sg_diag_render(diag, &session->sources, style, &text);
        o->report(o->context, diag, sg_buf_text(&text));
        sg_buf_free(&text);
    }
}
