// A name that is not defined, and what was meant by it.
//
// The machine knows the name only. The statement around it often tells more: 10mm is a quantity
// without its u"", b = 2*a in a Model wants a Par, connect = [(a.p, b.n)] lacks its colon.
#include "lang/runtime.h"
#include "lang/unit.h"
#include "syntax/foreign.h"

#include <string.h>

typedef struct undefined_name {
    sg_runtime *runtime;
    sg_sym name;
    sg_span place;
    // What stands around the place, innermost; null if there is none.
    const sg_ast *call;     // with a keyword of this name: a key of the model is meant
    const sg_ast *keyword;  // NAME = value
    const sg_ast *list;     // equations = [...] or connect = [...], not quoted
    const sg_ast *quantity; // a product without an operator: 10mm
    bool in_operation;      // of the value of `keyword`
} undefined_name;

static void look_at(undefined_name *u, const sg_ast *ast)
{
    bool array = ast->kind == SG_AST_KW && ast->n &&
                 (ast->kids[0]->kind == SG_AST_VECT || ast->kids[0]->kind == SG_AST_VCAT ||
                  ast->kids[0]->kind == SG_AST_HCAT);
    if (array && sg_is_list_key(u->runtime, ast->sym))
        u->list = ast;
    if (ast->kind == SG_AST_KW) {
        u->keyword = ast;
        u->in_operation = false;
    }
    if (ast->kind == SG_AST_CALL && (ast->flags & SG_AST_INFIX))
        u->in_operation = true;
    if (ast->kind == SG_AST_CALL && (ast->flags & SG_AST_JUXT) && ast->n == 3 &&
        ast->kids[2]->kind == SG_AST_NAME && ast->kids[2]->span.first == u->place.first)
        u->quantity = ast;
    for (uint32_t i = 0; ast->kind == SG_AST_CALL && i < ast->n; i++)
        if (ast->kids[i]->kind == SG_AST_KW && ast->kids[i]->sym.i == u->name.i)
            u->call = ast;
}

// Down to the place.
static void search(undefined_name *u, const sg_ast *ast)
{
    if (ast->span.file != u->place.file || ast->span.first > u->place.first ||
        ast->span.last < u->place.last)
        return;
    look_at(u, ast);
    for (uint32_t i = 0; i < ast->n; i++)
        search(u, ast->kids[i]);
}

static bool is_unit(const undefined_name *u, const char *name)
{
    return sg_unit_parse(u->runtime->units, name, strlen(name), NULL, NULL, NULL) != SG_UNIT_BAD;
}

static void print(const undefined_name *u, const sg_ast *ast, sg_buf *out)
{
    sg_ast_print(u->runtime->vm->symbols, ast, out);
}

// The end of the sentence behind "'x' is not defined". False: nothing is known.
static bool explain(const undefined_name *u, const char *name, sg_buf *out)
{
    const sg_vm *vm = u->runtime->vm;
    const sg_script_host *host = &u->runtime->host;
    const char *foreign = sg_foreign_name(name);
    char room[SG_UNIT_ROOM];
    const char *unit = !u->quantity       ? NULL
                       : is_unit(u, name) ? name
                                          : sg_unit_of_others(name, room);
    if (unit) {
        sg_buf_puts(out, "a quantity is written ");
        print(u, u->quantity->kids[1], out);
        sg_buf_printf(out, "u\"%s\"", unit);
        return true;
    }
    if (u->list && u->call) {
        sg_buf_printf(out, "what stands there is quoted: %s = :[...]",
                      sg_vm_text(vm, u->list->sym));
        return true;
    }
    if (u->call && u->keyword && u->in_operation) {
        sg_buf_printf(out, "what is computed from other keys is written %s = Par(value = :(",
                      sg_vm_text(vm, u->keyword->sym));
        print(u, u->keyword->kids[0], out);
        sg_buf_puts(out, "))");
        return true;
    }
    if (u->call) {
        sg_buf_printf(out, "to name the component '%s', write :%s", name, name);
        return true;
    }
    if (foreign)
        sg_buf_puts(out, foreign);
    return foreign || (host->hint && host->hint(host->context, name, out));
}

void sg_explain_undefined(sg_runtime *runtime, const sg_ast *statement)
{
    sg_vm *vm = runtime->vm;
    sg_exception *e =
        sg_is(vm->exception, SG_OBJ_EXCEPTION) ? (sg_exception *)vm->exception.o : NULL;
    if (!e || e->code != SG_E_NAME || e->payload.tag != SG_SYMBOL)
        return;
    undefined_name u = {.runtime = runtime, .name = e->payload.sym, .place = e->span};
    search(&u, statement);
    const char *name = sg_vm_text(vm, u.name);
    sg_buf text, end;
    sg_buf_init(&text, vm->allocator);
    sg_buf_init(&end, vm->allocator);
    if (explain(&u, name, &end)) {
        sg_buf_printf(&text, "'%s' is not defined; %s", name, sg_buf_text(&end));
        sg_value message = sg_string_value(vm, sg_buf_text(&text));
        if (message.tag == SG_OBJECT)
            e->message = message;
    }
    sg_buf_free(&text);
    sg_buf_free(&end);
}
