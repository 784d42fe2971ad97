#include "parts/constructors3d.h"

#include "base/assert.h"
#include "lang/quantity.h"
#include "lang/runtime.h"
#include "syntax/ast.h"

#include <stdio.h>
#include <string.h>

typedef enum unknown_rule { FAIL, WARN } unknown_rule;

typedef struct constructor {
    const char *name;
    bool path;
    unknown_rule unknown;
    const char *required, *optional;
} constructor;

static const constructor constructors[] = {
#define SG_3D(name, path, unknown, required, optional) {#name, path, unknown, required, optional},
#include "parts/constructors3d_list.h"
#undef SG_3D
};

enum { MAX_KEYWORDS = 64, MAX_TEXT = 1024 };

// The words of a list; `storage` keeps their bytes.
static size_t split(const char *list, char storage[MAX_TEXT], const char **words, size_t n)
{
    SG_ASSERT(strlen(list) < MAX_TEXT);
    strcpy(storage, list);
    for (char *word = storage; *word && n < MAX_KEYWORDS;) {
        words[n++] = word;
        word += strcspn(word, " ");
        if (*word)
            *word++ = '\0';
    }
    return n;
}

static bool is_among(const char *name, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(name, words[i]) == 0)
            return true;
    return false;
}

static void list_words(const char *const *words, size_t n, sg_buf *out)
{
    for (size_t i = 0; i < n; i++)
        sg_buf_printf(out, "%s%s", i ? ", " : "", words[i]);
}

static sg_span keyword_span(const sg_args *args, uint32_t k)
{
    return args->spans ? args->spans[args->n + k] : args->span;
}

static sg_status check_keyword(sg_vm *vm, const constructor *c, const sg_args *args, uint32_t k,
                               const char *const *words, size_t n)
{
    const char *name = sg_vm_text(vm, args->kw[k]);
    if (is_among(name, words, n))
        return SG_OK;
    const char *hint = sg_closest_name(name, words, n);
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    sg_buf_printf(&text, "%s has no keyword '%s'", c->name, name);
    if (hint)
        sg_buf_printf(&text, "; did you mean '%s'? It takes ", hint);
    else
        sg_buf_puts(&text, n ? "; it takes " : "; it takes none");
    list_words(words, n, &text);
    sg_status status = SG_OK;
    if (c->unknown == WARN)
        sg_warning(vm->diags, SG_E_KEYWORD, keyword_span(args, k), "%s; it is ignored",
                   sg_buf_text(&text));
    else
        status = sg_raise(vm, "ArgumentError", SG_E_KEYWORD, keyword_span(args, k), "%s",
                          sg_buf_text(&text));
    sg_buf_free(&text);
    return status;
}

static sg_status check_required(sg_vm *vm, const constructor *c, const sg_args *args,
                                const char *const *words, size_t n_required)
{
    for (size_t i = 0; i < n_required; i++) {
        bool given = false;
        for (uint32_t k = 0; k < args->n_kw && !given; k++)
            given = strcmp(sg_vm_text(vm, args->kw[k]), words[i]) == 0;
        if (!given)
            return sg_raise(vm, "UndefKeywordError", SG_E_KEYWORD, args->span,
                            "%s needs the keyword '%s'", c->name, words[i]);
    }
    return SG_OK;
}

// The keyword that the only positional argument of a constructor stands for, or null.
static const char *positional_keyword(const char *name)
{
    static const struct {
        const char *name, *keyword;
    } table[] = {{"PointGravityField", "mass"}, {"TextShape", "text"}, {"FileMesh", "filename"}};
    for (size_t i = 0; i < SG_COUNT(table); i++)
        if (strcmp(table[i].name, name) == 0)
            return table[i].keyword;
    return NULL;
}

// The constructor that made a value, or "".
static const char *made_by(sg_vm *vm, sg_value value)
{
    sg_value name;
    if (sg_is(value, SG_OBJ_DICT) &&
        sg_dict_get_sym((sg_dict *)value.o, sg_vm_sym(vm, "_constructor"), &name) &&
        name.tag == SG_SYMBOL)
        return sg_vm_text(vm, name.sym);
    return "";
}

static sg_status raise_positional(sg_vm *vm, const constructor *c, const sg_args *args)
{
    static const char *const features[] = {"Scene", "Solid", "Visual"};
    const char *kind = made_by(vm, args->v[0]);
    const char *keyword = is_among(kind, features, SG_COUNT(features)) ? "feature"
                          : *kind                                      ? "shape"
                                                                       : NULL;
    if (keyword && strstr(c->optional, keyword))
        return sg_raise(vm, "MethodError", SG_E_KEYWORD, args->span,
                        "%s takes keywords only: write %s(%s = %s(...))", c->name, c->name, keyword,
                        kind);
    return sg_raise(vm, "MethodError", SG_E_KEYWORD, args->span,
                    "%s takes keywords only, such as %s(name = value)", c->name, c->name);
}

// ---- units ----------------------------------------------------------------------------------

static const struct {
    const char *unit, *keywords;
} units_of[] = {
    {"m", " translation s centerOfMass diameter length width thickness innerDiameter topDiameter "
          "lengthX lengthY lengthZ nominalLength collisionSmoothingRadius contactSphereRadius gap "
          "cameraDistance lightDistance defaultFrameLength defaultContactSphereDiameter distance "
          "wireDiameter rootDiameter charSize offset closer farther "},
    {"rad", " rotation phi cameraLongitude cameraLatitude lightLongitude lightLatitude "},
    {"s", " startTime period waitingPeriod "},
    {"m/s", " velocity attachSpeed "},
    {"rad/s", " angularVelocity attachAngularSpeed "},
    {"m/s^2", " g "},
    {"m^3/s^2", " mue "},
    {"kg", " mass massProperties "},
    {"kg*m^2", " Ixx Iyy Izz Ixy Ixz Iyz "},
    {"kg/m^3", " density "},
    {"Pa", " YoungsModulus "},
    {"K", " meltingPoint "},
    {"N", " nominalForce force "},
    {"N*m", " nominalTorque torque "},
    {"N/m", " springForceLaw "},
    {"N*s/m", " damperForceLaw "},
    {"N*m/rad", " rotSpringForceLaw "},
    {"N*m*s/rad", " rotDamperForceLaw "},
};

static const char *unit_of(const char *keyword)
{
    char word[64];
    snprintf(word, sizeof word, " %s ", keyword);
    for (size_t i = 0; i < SG_COUNT(units_of); i++)
        if (strstr(units_of[i].keywords, word))
            return units_of[i].unit;
    return NULL;
}

sg_status sg_constructors3d_check_unit(sg_vm *vm, const char *name, const char *keyword,
                                       sg_value value, sg_span span)
{
    sg_units *units = sg_runtime_of(vm)->units;
    if (!sg_is_quantity(value) && !sg_is(value, SG_OBJ_ARRAY))
        return SG_OK; // most keywords, and no need to look them up
    const char *unit = unit_of(keyword);
    if (!unit)
        return SG_OK;
    uint32_t expected = sg_unit_parse(units, unit, strlen(unit), NULL, NULL, NULL);
    uint32_t bad = sg_quantity_misfit(units, value, expected);
    if (bad == SG_UNIT_NONE)
        return SG_OK;
    return sg_raise(vm, "DimensionError", SG_E_DIMENSION, span,
                    "%s: %s is measured in %s, not in %s", name, keyword, unit,
                    sg_unit_text(units, bad));
}

static const constructor joints[] = {
#define SG_JOINT(Constructor, ...) {.name = #Constructor},
#include "parts/joints_list.h"
#undef SG_JOINT
};

// Functions get the number of their constructor; those of joints follow the others.
static void *context_of(size_t number) { return (void *)(uintptr_t)number; }

static const constructor *constructor_of(const void *context)
{
    size_t number = (uintptr_t)context, n = SG_COUNT(constructors);
    return number < n ? &constructors[number] : &joints[number - n];
}

static sg_status construct(sg_vm *vm, const sg_args *args, void *context, sg_value *out);

// The same call with its positional argument as the first keyword.
static sg_status construct_by_keyword(sg_vm *vm, const sg_args *args, const char *keyword,
                                      void *context, sg_value *out)
{
    sg_sym kw[MAX_KEYWORDS] = {sg_vm_sym(vm, keyword)};
    sg_value kwv[MAX_KEYWORDS] = {args->v[0]};
    sg_span spans[MAX_KEYWORDS] = {args->spans ? args->spans[0] : args->span};
    sg_args named = {.kw = kw, .kwv = kwv, .n_kw = 1, .span = args->span, .spans = spans};
    for (uint32_t k = 0; k < args->n_kw && named.n_kw < MAX_KEYWORDS; k++, named.n_kw++) {
        kw[named.n_kw] = args->kw[k];
        kwv[named.n_kw] = args->kwv[k];
        spans[named.n_kw] = keyword_span(args, k);
    }
    return construct(vm, &named, context, out);
}

// A symbol is the name of something in the model, but for keywords that take one of a few words.
static sg_value without_symbol(sg_vm *vm, const char *keyword, sg_value value)
{
    bool takes_word = strcmp(keyword, "zeroCrossings") == 0 || strcmp(keyword, "loops") == 0;
    if (value.tag != SG_SYMBOL || !takes_word)
        return value;
    const char *word = sg_vm_text(vm, value.sym);
    return sg_object(sg_string_make(vm, word, strlen(word)));
}

// Par(_constructor = :Name, [_path = true,] keywords...)
static sg_status construct(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    const constructor *c = constructor_of(context);
    const char *keyword = positional_keyword(c->name);
    if (args->n == 1 && keyword)
        return construct_by_keyword(vm, args, keyword, context, out);
    if (args->n)
        return raise_positional(vm, c, args);
    char required[MAX_TEXT], optional[MAX_TEXT];
    const char *words[MAX_KEYWORDS];
    size_t n_required = split(c->required, required, words, 0);
    size_t n = split(c->optional, optional, words, n_required);
    sg_status status = check_required(vm, c, args, words, n_required);
    for (uint32_t k = 0; status == SG_OK && k < args->n_kw; k++)
        status = check_keyword(vm, c, args, k, words, n);
    for (uint32_t k = 0; status == SG_OK && k < args->n_kw; k++)
        status = sg_constructors3d_check_unit(vm, c->name, sg_vm_text(vm, args->kw[k]),
                                              args->kwv[k], keyword_span(args, k));
    if (status != SG_OK)
        return status;
    sg_dict *dict = sg_dict_make(vm, sg_vm_sym(vm, "Par"));
    if (!dict)
        return SG_ERR_MEMORY;
    dict->span = args->span;
    bool ok = sg_dict_put(vm, dict, sg_symbol(sg_vm_sym(vm, "_constructor")),
                          sg_symbol(sg_vm_sym(vm, c->name)), args->span);
    if (c->path)
        ok &= sg_dict_put(vm, dict, sg_symbol(sg_vm_sym(vm, "_path")), sg_bool(true), args->span);
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_root_push(vm, sg_object(dict));
    for (uint32_t k = 0; ok && k < args->n_kw; k++) {
        const char *word = sg_vm_text(vm, args->kw[k]);
        if (is_among(word, words, n))
            ok = sg_dict_put(vm, dict, sg_symbol(args->kw[k]),
                             without_symbol(vm, word, args->kwv[k]), keyword_span(args, k));
    }
    sg_root_pop(vm, mark);
    *out = sg_object(dict);
    return ok ? SG_OK : SG_ERR_MEMORY;
}

// Keywords that a merge brought in did not pass the constructor. They may also be left from another
// one, such as the lengths of a Box that became a Sphere, so they are no error.
static void check_merged(sg_vm *vm, const constructor *c, const sg_args *args)
{
    char required[MAX_TEXT], optional[MAX_TEXT];
    const char *words[MAX_KEYWORDS];
    constructor lenient = *c;
    lenient.unknown = WARN;
    size_t n = split(c->optional, optional, words, split(c->required, required, words, 0));
    for (uint32_t k = 0; k < args->n_kw; k++)
        if (!c->path || strcmp(sg_vm_text(vm, args->kw[k]), "path") != 0)
            check_keyword(vm, &lenient, args, k, words, n);
}

// The object of the parameter phase. Joints are components, which hold more than keywords.
static sg_status make_object(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    const constructor *c = constructor_of(context);
    if (c->optional)
        check_merged(vm, c, args);
    sg_dict *dict = sg_dict_make(vm, sg_vm_sym(vm, c->name));
    bool ok = dict;
    if (dict)
        dict->span = args->span;
    for (uint32_t k = 0; ok && k < args->n_kw; k++)
        ok = sg_dict_put(vm, dict, sg_symbol(args->kw[k]), args->kwv[k], keyword_span(args, k));
    *out = sg_object(dict);
    return ok ? SG_OK : SG_ERR_MEMORY;
}

const sg_constructors sg_constructors3d = {.package = "Modia3D",
                                           .module = "Modia3D.Composition",
                                           .check_unit = sg_constructors3d_check_unit};

bool sg_constructors3d_register(sg_vm *vm, sg_module *module)
{
    sg_module *objects = sg_vm_module(vm, sg_constructors3d.module);
    bool ok = objects;
    for (size_t i = 0; ok && i < SG_COUNT(constructors); i++)
        ok = sg_vm_offer(vm, module, constructors[i].name, construct, context_of(i), NULL) &&
             sg_vm_offer(vm, objects, constructors[i].name, make_object, context_of(i), NULL);
    for (size_t i = 0; ok && i < SG_COUNT(joints); i++)
        ok = sg_vm_offer(vm, objects, joints[i].name, make_object,
                         context_of(SG_COUNT(constructors) + i), NULL);
    return ok;
}
