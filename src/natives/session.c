#include "natives/session.h"

#include "lang/runtime.h"
#include "segue/text.h"

#include <stdio.h>
#include <string.h>

sg_session *sg_session_of(const sg_vm *vm) { return sg_runtime_of(vm)->host.context; }

// Somebody says that memory ran out. A library that asks the C library itself may have been the
// first to be refused; or the time was over, and only that is known to him.
static void note_refusal(sg_counted *counted)
{
    if (!sg_counted_ran_out(counted))
        *(counted->told ? &counted->ended : &counted->failed) = true;
}

bool sg_session_ran_out(sg_session *session)
{
    const volatile sig_atomic_t *stop = session->options.stop;
    bool told = stop && *stop == SG_STOP_MEMORY;
    for (size_t i = session->told.n; i < session->diags.len && !told; i++)
        told = session->diags.list[i].code == SG_E_MEMORY;
    if (told)
        note_refusal(&session->counted);
    return sg_counted_ran_out(&session->counted);
}

void sg_session_fail(sg_session *session, sg_status status)
{
    if (status == SG_ERR_MEMORY)
        note_refusal(&session->counted);
    if (sg_session_ran_out(session))
        status = session->vm ? sg_limits_truth(&session->vm->limits, SG_ERR_MEMORY) : SG_ERR_MEMORY;
    else if (status == SG_ERR_IO && session->files.over)
        status = SG_ERR_LIMIT;
    if (session->failure == SG_OK)
        session->failure = status;
}

bool sg_session_failed(const sg_session *session)
{
    return session->failure != SG_OK || sg_script_tests(session->script).failed > 0;
}

sg_status sg_session_misuse(sg_session *session, const char *text)
{
    if (!session || session->life.doomed)
        return SG_ERR_USAGE;
    sg_misuse(&session->diags, text);
    sg_session_fail(session, SG_ERR_USAGE);
    if (session->life.busy) // reported later, or the callback would be called from within itself
        return SG_ERR_USAGE;
    session->life.busy = true;
    sg_session_report(session);
    return sg_session_leave(session, SG_ERR_USAGE);
}

bool sg_session_enter(sg_session *session, const char *function)
{
    char text[128];
    snprintf(text, sizeof text, "%s cannot be called from a callback of the same session",
             function);
    if (session->life.busy)
        sg_session_misuse(session, text);
    bool free = !session->life.busy;
    session->life.busy = true;
    return free;
}

sg_status sg_session_leave(sg_session *session, sg_status status)
{
    session->life.busy = false;
    if (!session->life.doomed)
        return status;
    session->life.free(session);
    return SG_ERR_INTERRUPT;
}

bool sg_session_goes_on(sg_status status)
{
    return status != SG_ERR_INTERRUPT && status != SG_ERR_LIMIT && status != SG_ERR_MEMORY;
}

// Does a message say why the script ends? Memory is told at the end, in any case.
static bool end_is_told(const sg_diags *diags, sg_status status)
{
    for (size_t i = 0; i < diags->len; i++)
        if (diags->list[i].code == SG_E_LIMIT || diags->list[i].code == SG_E_INTERRUPT)
            return true;
    return status == SG_ERR_MEMORY;
}

sg_status sg_session_stop_script(sg_vm *vm, sg_status status, sg_span span)
{
    if (sg_session_goes_on(status))
        return SG_OK;
    bool told = end_is_told(vm->diags, status);
    if (vm->exception.tag == SG_UNDEF && !told)
        sg_vm_poll(vm); // raises the reason
    if (vm->exception.tag == SG_UNDEF)
        sg_raise_status(vm, status, SG_E_NONE, span, "the script was stopped");
    if (told && sg_is(vm->exception, SG_OBJ_EXCEPTION))
        vm->exception.o->flags = 2; // already reported
    return status;
}

sg_status sg_session_pass_on(sg_session *session, const sg_diags *diags, sg_status status)
{
    for (size_t i = 0; i < diags->len; i++) {
        const sg_diag *d = &diags->list[i];
        if (d->severity != SG_ERROR)
            sg_diags_put(&session->diags, *d);
        else if (session->vm->exception.tag == SG_UNDEF)
            status = sg_raise_status(session->vm, status, d->code, d->span, "%s", d->message);
    }
    return status;
}

// Where memory ran out, everything that is said from then on may be a consequence of it: a matrix
// that cannot be factored, a file that cannot be read. It is left out, and the truth is told.
static void tell_memory(sg_session *session)
{
    if (!sg_session_ran_out(session))
        return;
    sg_diags_cut(&session->diags, session->told.n);
    if (session->told.memory)
        return;
    session->told.memory = true;
    char words[SG_LIMITS_WORDS] = "out of memory";
    const sg_vm *vm = session->vm;
    sg_code code = vm ? sg_limits_words(&vm->limits, SG_ERR_MEMORY, words) : SG_E_MEMORY;
    sg_error(&session->diags, code, vm ? vm->place : (sg_span){0}, "%s", words);
    sg_session_fail(session, SG_ERR_MEMORY);
}

// The first line of a message, for which memory is never needed.
static void render_short(const sg_session *session, const sg_diag *diag, char *text, size_t size)
{
    static const char *const words[] = {"error", "warning", "note"};
    const sg_source *source = sg_sources_get(&session->sources, diag->span.file);
    sg_position at = source ? sg_source_count_lines(source, diag->span.first) : (sg_position){0, 0};
    int n = source ? snprintf(text, size, "%.200s:%u:%u: ", source->name, at.line, at.column)
                   : snprintf(text, size, "segue: ");
    n += snprintf(text + n, size - (size_t)n, "%s", words[diag->severity]);
    if (diag->code != SG_E_NONE)
        n += snprintf(text + n, size - (size_t)n, "[E%04d]", (int)diag->code);
    snprintf(text + n, size - (size_t)n, ": %.200s\n", diag->message);
    // What a terminal would obey cannot be escaped without room for it.
    char escape[SG_ESCAPE_SIZE];
    for (size_t length = strlen(text), skip; length; text += skip, length -= skip) {
        size_t good = sg_text_harmless(text, length, &skip, escape);
        memset(text + good, '?', skip);
        skip += good;
    }
}

void sg_session_report(sg_session *session)
{
    const sg_session_options *o = &session->options;
    if (session->told.held)
        return;
    tell_memory(session);
    while (session->told.n < session->diags.len) {
        // A copy: the callback may ask for something that adds to the list.
        sg_diag *entry = &session->diags.list[session->told.n++];
        if (o->checks & SG_SESSION_STRICT && entry->severity == SG_WARNING) {
            entry->severity = SG_ERROR;
            sg_session_fail(session, SG_ERR_CHECK);
        }
        const sg_diag copy = *entry, *diag = &copy;
        if (!o->report)
            continue;
        sg_buf *text = &session->told.rendered;
        sg_buf_clear(text);
        sg_diag_render(diag, &session->sources, text);
        char plain[512];
        if (text->failed)
            render_short(session, diag, plain, sizeof plain);
        o->report(o->context, diag, text->failed ? plain : sg_buf_text(text));
    }
}
