// @test and its family: counting, reporting, nested sets with a summary (language.md 2.12).
#include "builtins/subjects.h"

#include <stdio.h>
#include <string.h>

static void count(sg_runtime *runtime, bool passed, bool broken)
{
    if (!broken) {
        sg_script_count_test(runtime, passed);
        return;
    }
    runtime->tests.broken++;
    if (runtime->sets.len)
        runtime->sets.data[runtime->sets.len - 1].broken++;
}

static const char *text_of(sg_value v)
{
    return sg_is(v, SG_OBJ_STRING) ? ((sg_string *)v.o)->text : "";
}

static void exception_text(sg_vm *vm, sg_value e, sg_buf *out)
{
    if (sg_is(e, SG_OBJ_EXCEPTION)) {
        const sg_exception *x = (const sg_exception *)e.o;
        if (x->type != vm->types.ErrorException)
            sg_buf_printf(out, "%s: ", sg_vm_text(vm, x->type->name));
        sg_print_value(vm, sg_runtime_of(vm)->units, x->message, out);
    } else {
        sg_print_value(vm, sg_runtime_of(vm)->units, e, out);
    }
}

static sg_span exception_span(const sg_vm *vm, sg_value e, sg_span otherwise)
{
    if (sg_is(e, SG_OBJ_EXCEPTION) && ((sg_exception *)e.o)->span.file)
        return sg_exception_place(vm, (sg_exception *)e.o);
    return otherwise;
}

static bool already_reported(sg_value e) { return sg_is(e, SG_OBJ_EXCEPTION) && e.o->flags == 2; }

// Of something that failed and was reported before.
static bool follows(sg_value e)
{
    return sg_is(e, SG_OBJ_EXCEPTION) && ((sg_exception *)e.o)->code == SG_E_FOLLOWS;
}

// A test that fails because nothing was simulated (segue check) says nothing; the host decides.
static bool is_skipped(sg_vm *vm, bool raised, sg_value exception, sg_value value)
{
    const sg_script_host *host = &sg_runtime_of(vm)->host;
    if (!host->skip || (!raised && value.tag == SG_BOOL && value.b))
        return false;
    if (!raised && value.tag == SG_BOOL) // a comparison with something unknown is false
        return host->skip(host->context, NULL, NULL);
    bool stumbled =
        sg_is(exception, SG_OBJ_EXCEPTION) && ((const sg_exception *)exception.o)->about_stand_in;
    return !raised || stumbled || host->skip(host->context, NULL, NULL);
}

// What the host uses for values of a run that did not happen.
static bool is_unknown(sg_value v)
{
    return sg_is(v, SG_OBJ_NATIVE) && ((sg_native *)v.o)->class_->stands_in;
}

// _test(broken, text, exception, value, [left, right])
static sg_status helper_test(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "@test", 4, 6) != SG_OK)
        return SG_ERR_MODEL;
    sg_runtime *runtime = sg_runtime_of(vm);
    bool broken = args->v[0].tag == SG_BOOL && args->v[0].b;
    const char *text = text_of(args->v[1]);
    sg_value exception = args->v[2], value = args->v[3];
    bool raised = exception.tag != SG_NOTHING;
    bool passed = !raised && value.tag == SG_BOOL && value.b;
    *out = sg_bool(passed);
    if (is_skipped(vm, raised, exception, value) ||
        (args->n >= 6 && (is_unknown(args->v[4]) || is_unknown(args->v[5]))))
        return SG_OK;
    if (broken) { // expected to fail; passing unexpectedly is a failure
        count(runtime, false, !passed);
        if (passed)
            sg_error(vm->diags, SG_E_TEST, args->span, "a test marked as broken passes now: %s",
                     text);
        return SG_OK;
    }
    count(runtime, passed, false);
    if (passed)
        return SG_OK;
    sg_buf detail;
    sg_buf_init(&detail, vm->allocator);
    if (raised) {
        exception_text(vm, exception, &detail);
        if (follows(exception)) {
            sg_warning(vm->diags, SG_E_FOLLOWS, args->span, "the test %s fails: %s", text,
                       sg_buf_text(&detail));
        } else if (!already_reported(exception)) {
            sg_error(vm->diags, SG_E_TEST, exception_span(vm, exception, args->span),
                     "error in the test %s: %s", text, sg_buf_text(&detail));
            sg_note(vm->diags, args->span, "in this test");
        }
    } else if (value.tag != SG_BOOL) {
        sg_error(vm->diags, SG_E_TEST, args->span, "the test is neither true nor false: %s", text);
    } else {
        if (args->n >= 6) {
            sg_show_value(vm, runtime->units, args->v[4], &detail);
            sg_buf_puts(&detail, " and ");
            sg_show_value(vm, runtime->units, args->v[5], &detail);
        }
        sg_error(vm->diags, SG_E_TEST, args->span, "test failed: %s%s%s", text,
                 detail.len ? "; the sides are " : "", sg_buf_text(&detail));
    }
    sg_buf_free(&detail);
    return SG_OK;
}

static sg_status helper_skip(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)args, (void)context;
    count(sg_runtime_of(vm), false, true);
    *out = SG_VALUE_NOTHING;
    return SG_OK;
}

// _test_throws(text, type, exception)
static sg_status helper_throws(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "@test_throws", 3, 3) != SG_OK)
        return SG_ERR_MODEL;
    sg_value wanted = args->v[1], e = args->v[2];
    const char *text = text_of(args->v[0]);
    bool raised = e.tag != SG_NOTHING, passed = false;
    if (raised) {
        sg_value thrown =
            sg_is(e, SG_OBJ_EXCEPTION) && e.o->flags == 1 ? ((sg_exception *)e.o)->payload : e;
        if (sg_is(wanted, SG_OBJ_TYPE))
            passed = sg_isa(vm, thrown, (sg_type *)wanted.o) ||
                     (sg_type *)wanted.o == vm->types.LoadError;
        else if (sg_is(wanted, SG_OBJ_STRING)) {
            sg_buf message;
            sg_buf_init(&message, vm->allocator);
            exception_text(vm, thrown, &message);
            passed = strstr(sg_buf_text(&message), text_of(wanted)) != NULL;
            sg_buf_free(&message);
        } else if (sg_is(wanted, SG_OBJ_EXCEPTION) && sg_is(thrown, SG_OBJ_EXCEPTION)) {
            const sg_exception *a = (const sg_exception *)wanted.o, *b = (sg_exception *)thrown.o;
            passed = a->type == b->type;
        }
    }
    *out = sg_bool(passed);
    if (!passed && is_skipped(vm, raised, e, SG_VALUE_NOTHING))
        return SG_OK;
    count(sg_runtime_of(vm), passed, false);
    if (passed)
        return SG_OK;
    sg_buf message;
    sg_buf_init(&message, vm->allocator);
    if (raised)
        exception_text(vm, e, &message);
    sg_error(vm->diags, SG_E_TEST, args->span, "test failed: %s %s%s", text,
             raised ? "raises another error: " : "raises no error", sg_buf_text(&message));
    sg_buf_free(&message);
    return SG_OK;
}

// ---- sets ---------------------------------------------------------------------------------------

static sg_status helper_begin(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    sg_runtime *runtime = sg_runtime_of(vm);
    sg_test_set set = {.name = args->n ? args->v[0] : SG_VALUE_NOTHING};
    *out = SG_VALUE_NOTHING;
    if (!SG_PUSH(vm->allocator, &runtime->sets, set))
        return sg_raise_status(vm, SG_ERR_MEMORY, SG_E_MEMORY, args->span, "out of memory");
    return SG_OK;
}

static void write_summary(sg_vm *vm, const sg_test_set *set, size_t depth)
{
    sg_buf line;
    sg_buf_init(&line, vm->allocator);
    const char *name = sg_is(set->name, SG_OBJ_STRING) ? text_of(set->name) : "test set";
    sg_buf_pad(&line, ' ', 2 * depth);
    sg_buf_printf(&line, "Test Summary: %s | Pass %zu", name, set->passed);
    if (set->failed)
        sg_buf_printf(&line, "  Fail %zu", set->failed);
    if (set->errors)
        sg_buf_printf(&line, "  Error %zu", set->errors);
    if (set->broken)
        sg_buf_printf(&line, "  Broken %zu", set->broken);
    sg_buf_printf(&line, "  Total %zu\n", set->passed + set->failed + set->errors + set->broken);
    sg_vm_write(vm, sg_buf_text(&line), line.len);
    sg_buf_free(&line);
}

// _testset_end(exception or nothing)
static sg_status helper_end(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    sg_runtime *runtime = sg_runtime_of(vm);
    *out = SG_VALUE_NOTHING;
    if (!runtime->sets.len)
        return SG_OK;
    sg_test_set set = runtime->sets.data[--runtime->sets.len];
    sg_value e = args->n ? args->v[0] : SG_VALUE_NOTHING;
    if (sg_is(e, SG_OBJ_EXCEPTION)) {
        set.errors++;
        runtime->tests.failed++;
        if (!already_reported(e)) {
            vm->exception = e;
            sg_report_exception(vm);
        }
        sg_note(vm->diags, args->span, "this error ends the test set '%s'",
                sg_is(set.name, SG_OBJ_STRING) ? text_of(set.name) : "");
    }
    write_summary(vm, &set, runtime->sets.len);
    if (runtime->sets.len) { // an outer set counts what its inner ones count
        sg_test_set *outer = &runtime->sets.data[runtime->sets.len - 1];
        outer->passed += set.passed;
        outer->failed += set.failed;
        outer->broken += set.broken;
        outer->errors += set.errors;
    }
    return SG_OK;
}

bool sg_register_testing(sg_vm *vm)
{
    static const sg_builtin list[] = {{"_test", helper_test, NULL},
                                      {"_test_skip", helper_skip, NULL},
                                      {"_test_throws", helper_throws, NULL},
                                      {"_testset_begin", helper_begin, NULL},
                                      {"_testset_end", helper_end, NULL}};
    return sg_register_all(vm, list, SG_COUNT(list));
}
