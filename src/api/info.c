// `segue info` and `segue dump`: what a session holds, as text.
#include "api/lifetime.h"
#include "lang/runtime.h"
#include "model3d/model3d.h"
#include "natives/model_object.h"
#include "natives/overview.h"
#include "syntax/parser.h"

#include <errno.h>
#include <string.h>

static sg_status usage(sg_session *session, const char *text, const char *name)
{
    sg_error(&session->diags, SG_E_USAGE, (sg_span){0}, "%s '%s'", text, name);
    sg_session_fail(session, SG_ERR_USAGE);
    sg_session_report(session);
    return SG_ERR_USAGE;
}

// ---- info -----------------------------------------------------------------------------------

static void describe(sg_session *session, const char *name, sg_value value)
{
    sg_vm *vm = session->vm;
    sg_model_object *m = sg_native_data(value, &sg_model_class);
    if (m && m->compiled_ok) {
        sg_buf_printf(&session->text, "%s: instantiated from %s, %zu equations, %zu parameters\n",
                      name, sg_vm_text(vm, m->instance.name), m->instance.flat.eqs.len - 1,
                      m->instance.flat.pars.len - 1);
        sg_structure_dump_blocks(m->compiled.structure, &m->instance.flat, &session->text);
    } else if (sg_is(value, SG_OBJ_DICT)) {
        sg_show_model(vm, sg_runtime_of(vm)->units, name, value, &session->text);
    }
}

// For people: only what is instantiated.
static void describe_overview(sg_session *session, const char *name, sg_value value)
{
    sg_model_object *m = sg_native_data(value, &sg_model_class);
    if (!m || !m->compiled_ok)
        return;
    if (session->text.len)
        sg_buf_putc(&session->text, '\n');
    sg_model_overview(m, name, &session->text);
}

static bool is_model(const sg_session *session, sg_value value)
{
    return sg_native_data(value, &sg_model_class) ||
           (sg_is(value, SG_OBJ_DICT) &&
            strcmp(sg_vm_text(session->vm, ((sg_dict *)value.o)->class_), "Model") == 0);
}

// The super-objects of a model's 3D parts.
static void describe_parts(sg_session *session, const char *name, sg_value value)
{
    sg_model_object *m = sg_native_data(value, &sg_model_class);
    bool linked = !m || !m->compiled_ok;
    for (size_t i = 0; m && i < m->n_parts; i++) {
        const sg_part *part = m->parts[i];
        if (!linked) { // the file may not have asked for a simulation
            size_t first = session->diags.len;
            sg_status status = sg_compiled_link(&m->compiled, 10, &session->diags);
            linked = true;
            if (status != SG_OK) {
                sg_diags_drop_repeated(&session->diags, first); // the file's run may have said it
                sg_session_fail(session, status);
                sg_session_report(session);
                return;
            }
        }
        const char *id = sg_part_id(part);
        sg_buf_printf(&session->text, "%s%s%s\n", name, id[0] ? "." : "", id);
        sg_part_dump(part, &session->text);
    }
}

typedef void describer(sg_session *session, const char *name, sg_value value);

// Globals of the module that the file defines, else of Main.
static void list_module(sg_session *session, const sg_module *module, const char *model,
                        describer *describe_one, size_t *found)
{
    for (size_t i = 0; i < module->cells.len; i++) {
        const sg_cell *cell = (const sg_cell *)(uintptr_t)module->cells.entries[i].value;
        sg_value value = cell->value;
        const char *name = sg_vm_text(session->vm, cell->name);
        if (sg_is(value, SG_OBJ_MODULE) && value.o != (sg_obj *)(uintptr_t)module &&
            ((sg_module *)value.o)->parent == module)
            list_module(session, (sg_module *)value.o, model, describe_one, found);
        else if (is_model(session, value) && (!model || strcmp(model, name) == 0)) {
            describe_one(session, name, value);
            ++*found;
        }
    }
}

static sg_status list(sg_session *session, const char *model, describer *describe_one,
                      const char **text)
{
    if (text)
        *text = "";
    if (!session || !text)
        return sg_session_misuse(session, "there is no place for the text");
    if (!sg_session_enter(session, "sg_session_info"))
        return SG_ERR_USAGE;
    sg_buf_clear(&session->text);
    size_t found = 0;
    list_module(session, session->vm->main, model, describe_one, &found);
    sg_status status = session->text.failed ? SG_ERR_MEMORY : SG_OK;
    if (model && !found)
        status = usage(session, "this file defines no model", model);
    else if (!session->life.doomed)
        *text = sg_buf_text(&session->text);
    return sg_session_leave(session, status);
}

sg_status sg_session_info(sg_session *session, const char *model, const char **text)
{
    return list(session, model, describe, text);
}

sg_status sg_session_overview(sg_session *session, const char *model, const char **text)
{
    sg_status status = list(session, model, describe_overview, text);
    // Nothing of it is instantiated: as it is written, then.
    return status == SG_OK && !(*text)[0] ? list(session, model, describe, text) : status;
}

sg_status sg_session_superobjects(sg_session *session, const char *model, const char **text)
{
    return list(session, model, describe_parts, text);
}

// ---- dump -----------------------------------------------------------------------------------

static sg_status dump_tree(sg_session *session, const char *path)
{
    char *bytes;
    size_t length;
    if (sg_read_file(session->allocator, path, &bytes, &length) != SG_OK) {
        sg_error(&session->diags, SG_E_IO, (sg_span){0}, "cannot read '%s': %s", path,
                 strerror(errno));
        return SG_ERR_IO;
    }
    uint32_t file = sg_sources_add(&session->sources, path, bytes, length);
    session->allocator->resize(session->allocator->context, bytes, length + 1, 0);
    sg_ast *tree = NULL;
    sg_status status = file ? sg_parse(&session->sources, file, session->symbols, &session->arena,
                                       &session->diags, (sg_parser_options){0}, &tree)
                            : SG_ERR_MEMORY;
    if (tree)
        sg_ast_dump(session->symbols, tree, &session->text);
    return status;
}

static void dump_model(sg_session *session, const char *stage, const sg_model_object *m)
{
    sg_buf *out = &session->text;
    sg_buf_printf(out, "# model %s\n", sg_vm_text(session->vm, m->instance.name));
    if (strcmp(stage, "model") == 0)
        sg_show_model(session->vm, sg_runtime_of(session->vm)->units,
                      sg_vm_text(session->vm, m->instance.name), m->instance.model, out);
    else if (strcmp(stage, "flat") == 0)
        sg_flat_dump(&m->instance.flat, out);
    else if (strcmp(stage, "blocks") == 0) {
        sg_structure_dump_aliases(m->compiled.structure, &m->instance.flat, out);
        sg_structure_dump_blocks(m->compiled.structure, &m->instance.flat, out);
    } else if (m->compiled.program) {
        sg_program_dump(m->compiled.program, out);
    }
}

static void dump_module(sg_session *session, const char *stage, const sg_module *module)
{
    for (size_t i = 0; i < module->cells.len; i++) {
        const sg_cell *cell = (const sg_cell *)(uintptr_t)module->cells.entries[i].value;
        const sg_model_object *m = sg_native_data(cell->value, &sg_model_class);
        if (m && m->compiled_ok)
            dump_model(session, stage, m);
        else if (sg_is(cell->value, SG_OBJ_MODULE) &&
                 ((sg_module *)cell->value.o)->parent == module)
            dump_module(session, stage, (sg_module *)cell->value.o);
    }
}

sg_status sg_session_dump(sg_session *session, const char *stage, const char *path,
                          const char **text)
{
    static const char *const stages[] = {"ast", "model", "flat", "blocks", "program"};
    bool known = false;
    if (text)
        *text = "";
    if (!session || !stage || !path || !text)
        return sg_session_misuse(session, "sg_session_dump needs a stage, a path and a place for "
                                          "the text");
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++)
        known |= strcmp(stage, stages[i]) == 0;
    if (!sg_session_enter(session, "sg_session_dump"))
        return SG_ERR_USAGE;
    if (!known)
        return sg_session_leave(
            session,
            usage(session, "a stage is one of ast, model, flat, blocks, program; not", stage));
    sg_buf_clear(&session->text);
    sg_status status;
    if (strcmp(stage, "ast") == 0) {
        status = dump_tree(session, path);
        if (status != SG_OK)
            sg_session_fail(session, status);
        sg_session_report(session);
    } else {
        status = sg_session_run_file_inside(session, path);
        dump_module(session, stage, session->vm->main);
    }
    if (!session->life.doomed)
        *text = sg_buf_text(&session->text);
    return sg_session_leave(session, session->text.len ? SG_OK : status);
}
