// What @instantiateModel prints when asked to (language 5.1), and the code it can save.
#include "lang/print.h"
#include "lang/runtime.h"
#include "natives/model_object.h"
#include "natives/overview.h"
#include "result/outfile.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void write_text(sg_vm *vm, sg_buf *text)
{
    sg_vm_write(vm, sg_buf_text(text), text->len);
    sg_buf_clear(text);
}

void sg_log_file(sg_session *session, const char *name, sg_span span)
{
    sg_vm *vm = session->vm;
    const sg_source *source = sg_sources_get(&session->sources, span.file);
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    sg_buf_printf(&text, "\nInstantiating model %s\n  in module: %s\n", name,
                  sg_vm_text(vm, sg_vm_current_module(vm)->name));
    if (source)
        sg_buf_printf(&text, "  in file: %s:%u\n", source->name,
                      sg_source_position(&session->sources, span.file, span.first).line);
    write_text(vm, &text);
    sg_buf_free(&text);
}

// How many of what, the aliases, and the equations in the order in which they are solved.
static void put_details(const sg_model_object *m, sg_buf *out)
{
    const sg_flat *flat = &m->instance.flat;
    const sg_structure *s = m->compiled.structure;
    size_t n_alias = 0;
    for (uint32_t v = 1; v < flat->vars.len; v++)
        n_alias += s->aliases[v].kind == SG_ALIAS_PLUS || s->aliases[v].kind == SG_ALIAS_MINUS ||
                   s->aliases[v].kind == SG_ALIAS_ZERO || s->aliases[v].kind == SG_ALIAS_FREE_ZERO;
    sg_buf_printf(out, "%zu parameters, %zu variables, %zu equations, %zu variables eliminated\n",
                  flat->pars.len - 1, flat->vars.len - 1, flat->eqs.len - 1, n_alias);
    for (uint32_t v = 1; v < flat->vars.len; v++) {
        sg_alias a = s->aliases[v];
        const char *name = sg_sym_text(flat->symbols, flat->vars.data[v].name);
        if (a.kind == SG_ALIAS_PLUS || a.kind == SG_ALIAS_MINUS)
            sg_buf_printf(out, "  %s = %s%s\n", name, a.kind == SG_ALIAS_MINUS ? "-" : "",
                          sg_sym_text(flat->symbols, flat->vars.data[a.of.i].name));
        else if (a.kind == SG_ALIAS_ZERO || a.kind == SG_ALIAS_FREE_ZERO)
            sg_buf_printf(out, "  %s = 0\n", name);
    }
    sg_structure_dump_blocks(s, flat, out);
}

static void put_value(sg_operand value, sg_buf *out)
{
    uint32_t n = sg_dims_count(value.shape);
    sg_buf_puts(out, value.shape.dims == SG_SCALAR ? "" : "[");
    for (uint32_t i = 0; i < n; i++) {
        sg_buf_puts(out, i ? ", " : "");
        sg_print_float(value.data[i], out);
    }
    sg_buf_puts(out, value.shape.dims == SG_SCALAR ? "\n" : "]\n");
}

static void put_variable(const sg_exec *exec, uint32_t var, sg_buf *out)
{
    sg_operand value = sg_exec_var(exec, var);
    if (!value.data || value.shape.num == SG_OPAQUE)
        return;
    sg_buf_printf(out, "  %s = ", exec->program->var_names[var]);
    put_value(value, out);
}

// The variables that a step has computed: one, or the unknowns of a system.
static void put_assignment(const sg_exec *exec, const sg_step *step, sg_buf *out)
{
    const sg_program *p = exec->program;
    if (step->op == SG_OP_SOLVE) {
        const sg_torn_system *s = &p->systems.data[step->aux];
        for (uint32_t k = 0; k < s->n_unknowns; k++)
            put_variable(exec, s->unknown_vars[k], out);
        return;
    }
    for (uint32_t v = 1; step->dst && v < p->n_vars; v++)
        if (p->var_regs[v].i == step->dst)
            put_variable(exec, v, out);
}

// Evaluates once with the start values. With `all`, every variable in the order of its computation.
static sg_status execute(sg_model_object *m, bool all, sg_buf *out)
{
    sg_session *session = m->session;
    sg_status status = sg_compiled_link(&m->compiled, 10, &session->diags);
    if (status != SG_OK)
        return status;
    sg_exec *exec = m->compiled.exec;
    status = sg_exec_eval(exec, 0.0, NULL, NULL, SG_EVAL_ALL);
    if (status != SG_OK) {
        sg_exec_explain(exec, 0.0, &session->diags);
        return SG_OK; // reported; a simulation will fail in the same place
    }
    const sg_program *p = exec->program;
    sg_buf_printf(out, "Values at the start of %s:\n", sg_vm_text(session->vm, m->instance.name));
    for (uint32_t i = 0; i < p->n_states; i++)
        put_variable(exec, p->state_vars[i], out);
    for (uint32_t at = 1; all && at < p->steps.len; at++)
        put_assignment(exec, &p->steps.data[at], out);
    for (uint32_t i = 0; !all && i < p->n_states; i++)
        put_variable(exec, p->der_vars[i], out);
    return SG_OK;
}

static sg_status save_code(sg_model_object *m, const char *name, sg_span span, sg_buf *text)
{
    sg_session *session = m->session;
    const char *path = sg_files_output(&session->files, name, span, &session->diags);
    if (!path)
        return sg_files_refusal(&session->files);
    sg_structure_dump_blocks(m->compiled.structure, &m->instance.flat, text);
    sg_buf_putc(text, '\n');
    sg_program_dump(m->compiled.program, text);
    sg_outfile file;
    sg_status status = sg_outfile_open(&file, path, session->allocator, &session->diags);
    if (status == SG_OK) {
        sg_outfile_write(&file, sg_buf_text(text), text->len);
        status = sg_outfile_commit(&file, &session->diags);
    }
    sg_buf_clear(text);
    return status;
}

sg_status sg_log_model(sg_model_object *m, const sg_instantiate_options *options, sg_span span)
{
    sg_session *session = m->session;
    sg_vm *vm = session->vm;
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    if (options->log_model)
        sg_show_model(vm, sg_runtime_of(vm)->units, sg_vm_text(vm, m->instance.name),
                      m->instance.model, &text);
    if (options->log)
        sg_flat_dump(&m->instance.flat, &text);
    if (options->log_details)
        put_details(m, &text);
    else if (options->log_states)
        sg_structure_dump_blocks(m->compiled.structure, &m->instance.flat, &text);
    if (options->log_code) {
        sg_program_dump(m->compiled.program, &text);
        sg_model_put_calls(m, &text);
    }
    if (options->log_timing)
        sg_buf_printf(&text,
                      "Timing: parameters, components, connections, units %.3g ms; structure and "
                      "code %.3g ms\n",
                      1e3 * m->flatten_time, 1e3 * m->translate_time);
    write_text(vm, &text);
    sg_status status = SG_OK;
    if (options->log_execution || options->log_calculations)
        status = execute(m, options->log_calculations, &text);
    write_text(vm, &text);
    if (status == SG_OK && options->code_file && options->code_file[0])
        status = save_code(m, options->code_file, span, &text);
    sg_buf_free(&text);
    if (status == SG_ERR_IO) {
        sg_session_fail(session, status); // the model is there all the same
        return SG_OK;
    }
    if (status == SG_ERR_LIMIT)
        return sg_session_stop_script(vm, status, span);
    return status;
}
