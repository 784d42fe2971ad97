// Time, paths, random numbers, and where the running code is.
#include "builtins/subjects.h"

#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static sg_status native_time(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)vm, (void)args;
    if (context) { // time_ns
        *out = sg_int((int64_t)(sg_wall_time() * 1e9));
        return SG_OK;
    }
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    *out = sg_float((double)now.tv_sec + 1e-9 * (double)now.tv_nsec);
    return SG_OK;
}

static sg_status native_joinpath(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    sg_buf path;
    sg_buf_init(&path, vm->allocator);
    for (uint32_t i = 0; i < args->n; i++) {
        const sg_string *part = NULL;
        if (sg_arg_string(vm, args, i, &part) != SG_OK) {
            sg_buf_free(&path);
            return SG_ERR_MODEL;
        }
        if (part->text[0] == '/')
            sg_buf_clear(&path);
        else if (path.len && path.text[path.len - 1] != '/')
            sg_buf_putc(&path, '/');
        sg_buf_add(&path, part->text, part->len);
    }
    *out = sg_object(sg_string_make(vm, sg_buf_text(&path), path.len));
    sg_buf_free(&path);
    return SG_OK;
}

static sg_status native_basename(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    const sg_string *path = NULL;
    if (sg_arg_string(vm, args, 0, &path) != SG_OK)
        return SG_ERR_MODEL;
    const char *slash = strrchr(path->text, '/');
    size_t folder = slash ? (size_t)(slash - path->text) : 0;
    const char *name = slash ? slash + 1 : path->text;
    switch ((int)(uintptr_t)context) {
    case 0:
        *out = sg_string_value(vm, name);
        return SG_OK;
    case 1:
        *out = sg_object(sg_string_make(vm, path->text, folder ? folder : slash != NULL));
        return SG_OK;
    default: { // splitext
        const char *dot = strrchr(name, '.');
        size_t stem = dot && dot != name ? (size_t)(dot - path->text) : path->len;
        sg_tuple *tuple = sg_tuple_make(vm, 2);
        if (!tuple)
            return SG_ERR_MEMORY;
        tuple->items[0] = sg_object(sg_string_make(vm, path->text, stem));
        tuple->items[1] = sg_object(sg_string_make(vm, path->text + stem, path->len - stem));
        *out = sg_object(tuple);
        return SG_OK;
    }
    }
}

static sg_status native_pwd(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)args, (void)context;
    char folder[4096];
    *out = sg_string_value(vm, getcwd(folder, sizeof folder) ? folder : ".");
    return SG_OK;
}

static sg_status native_false(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)vm, (void)args;
    *out = sg_bool(context != NULL);
    return SG_OK;
}

// GC.gc(): not here, where values may be held that nobody else knows, but at the next safe point.
static sg_status native_collect(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)args;
    (void)context;
    vm->threshold = 0;
    vm->budget = 0;
    *out = SG_VALUE_NOTHING;
    return SG_OK;
}

static sg_status native_nothing(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)vm, (void)args, (void)context;
    *out = SG_VALUE_NOTHING;
    return SG_OK;
}

// ---- where the code is --------------------------------------------------------------------------

static sg_status helper_place(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    const sg_source *source = sg_sources_get(vm->sources, args->span.file);
    const char *name = source ? source->name : "";
    const char *slash = strrchr(name, '/');
    switch ((int)(uintptr_t)context) {
    case 0:
        *out = slash ? sg_object(sg_string_make(vm, name, (size_t)(slash - name)))
                     : sg_string_value(vm, ".");
        return SG_OK;
    case 1:
        *out = sg_string_value(vm, name);
        return SG_OK;
    case 2:
        *out = sg_int(
            source ? sg_source_position(vm->sources, args->span.file, args->span.first).line : 0);
        return SG_OK;
    default:
        *out = sg_object(sg_vm_current_module(vm));
        return SG_OK;
    }
}

// ---- random numbers: the same sequence in every run ---------------------------------------------

static uint64_t next_random(sg_vm *vm)
{
    uint64_t z = vm->random_state += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

static double uniform(sg_vm *vm) { return (double)(next_random(vm) >> 11) * 0x1p-53; }

static double normal(sg_vm *vm)
{
    double u = 1 - uniform(vm), v = uniform(vm);
    return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

static sg_status native_rand(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    bool gauss = context != NULL;
    uint32_t first = 0;
    sg_value source = SG_VALUE_NOTHING;
    if (args->n && (sg_is_sequence(args->v[0]) || sg_is(args->v[0], SG_OBJ_TYPE) ||
                    sg_is(args->v[0], SG_OBJ_TUPLE))) {
        source = args->v[0];
        first = 1;
    }
    size_t dims[SG_MAX_DIMS];
    uint32_t n = 0;
    for (uint32_t i = first; i < args->n && n < SG_MAX_DIMS; i++) {
        int64_t d = 0;
        if (sg_arg_int(vm, args, i, &d) != SG_OK)
            return SG_ERR_MODEL;
        dims[n++] = d < 0 ? 0 : (size_t)d;
    }
    bool integer =
        sg_is(source, SG_OBJ_TYPE) && sg_type_wide((sg_type *)source.o) == vm->types.Int64;
    bool choice = sg_is_sequence(source) || sg_is(source, SG_OBJ_TUPLE);
    int64_t length = choice ? sg_length(vm, source) : 0;
    if (choice && length < 1)
        return SG_RAISE_ARGUMENT(vm, args, "rand needs something to choose from");
    size_t total = 1;
    for (uint32_t i = 0; i < n; i++)
        total *= dims[i];
    sg_array *array = n ? sg_array_make(vm, SG_ELEM_ANY, n, dims) : NULL;
    if (n && !array)
        return SG_ERR_MEMORY;
    for (size_t i = 0; i < total; i++) {
        sg_value v;
        if (choice) {
            sg_value at = sg_int((int64_t)(next_random(vm) % (uint64_t)length) + 1);
            sg_status status = sg_index(vm, source, &at, 1, &v);
            if (status != SG_OK)
                return status;
        } else if (integer) {
            v = sg_int((int64_t)next_random(vm));
        } else {
            v = sg_float(gauss ? normal(vm) : uniform(vm));
        }
        if (!array) {
            *out = v;
            return SG_OK;
        }
        array->v[i] = v;
    }
    *out = sg_object(sg_array_narrow(vm, array));
    return SG_OK;
}

static sg_status native_seed(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    int64_t seed = 0;
    if (sg_arg_int(vm, args, args->n ? args->n - 1 : 0, &seed) != SG_OK)
        return SG_ERR_MODEL;
    vm->random_state = (uint64_t)seed;
    *out = SG_VALUE_NOTHING;
    return SG_OK;
}

bool sg_register_system(sg_vm *vm)
{
    static const sg_builtin_form list[] = {
        {"time", native_time, 0},         {"time_ns", native_time, 1},
        {"joinpath", native_joinpath, 0}, {"basename", native_basename, 0},
        {"dirname", native_basename, 1},  {"splitext", native_basename, 2},
        {"pwd", native_pwd, 0},           {"sleep", native_nothing, 0},
        {"gc", native_collect, 0},        {"_dir", helper_place, 0},
        {"_file", helper_place, 1},       {"_line", helper_place, 2},
        {"_module", helper_place, 3},     {"rand", native_rand, 0},
        {"randn", native_rand, 1},        {"seed!", native_seed, 0}};
    if (!sg_register_forms(vm, list, SG_COUNT(list)))
        return false;
    sg_module *sys = sg_vm_module(vm, "Sys");
    return sys && sg_vm_offer(vm, sys, "iswindows", native_false, NULL, NULL) &&
           sg_vm_offer(vm, sys, "isapple", native_false, NULL, NULL) &&
           sg_vm_offer(vm, sys, "islinux", native_false, vm, NULL) &&
           sg_vm_offer(vm, sys, "isunix", native_false, vm, NULL);
}
