#include "model/merged_var.h"

#include "base/assert.h"
#include "lang/quantity.h"
#include "lang/runtime.h"
#include "lang/unit.h"
#include "model/flatten.h"
#include "vm/vm.h"

#include <string.h>

static bool has_value(const sg_instance *instance, const sg_dict *dict, const char *name,
                      sg_value *out)
{
    return sg_model_attribute(instance, dict, name, out) && out->tag != SG_NOTHING;
}

static sg_span place_of(const sg_instance *instance, const sg_dict *dict, const char *name,
                        sg_span around)
{
    sg_span span = sg_dict_span(dict, sg_vm_sym(instance->vm, name));
    return span.file ? span : around;
}

static void tell(const sg_instance *instance, sg_sym name, const sg_dict *dict, const char *key,
                 sg_span span, const char *why)
{
    sg_warning(instance->vm->diags, SG_E_MERGE_NAME, place_of(instance, dict, key, span),
               "'%s' of '%s' %s", key, sg_vm_text(instance->vm, name), why);
}

// What @instantiateModel decided about the variable stays; who only repeats it is not told.
static void tell_settled(const sg_instance *instance, const sg_flat_var *var, const sg_dict *dict,
                         sg_span span)
{
    static const struct {
        const char *name;
        uint32_t bits;
    } settled[] = {{"potential", SG_ATTR_POTENTIAL},
                   {"flow", SG_ATTR_FLOW},
                   {"input", SG_ATTR_TOP_INPUT | SG_ATTR_COMPONENT_INPUT},
                   {"output", SG_ATTR_OUTPUT},
                   {"hideResult", SG_ATTR_HIDE_RESULT},
                   {"steady", SG_ATTR_STEADY},
                   {"parameter", 0}};
    sg_value value;
    for (size_t i = 0; i < SG_COUNT(settled); i++)
        if (sg_model_attribute(instance, dict, settled[i].name, &value) &&
            sg_model_flag(instance, dict, settled[i].name) !=
                ((var->attributes & settled[i].bits) != 0))
            tell(instance, var->name, dict, settled[i].name, span,
                 "is settled by @instantiateModel, so this merge does not change it");
    if (has_value(instance, dict, "value", &value))
        tell(instance, var->name, dict, "value", span,
             "has no effect: it is a variable, not a parameter");
}

// Typical size and bounds of a quantity have its dimension.
static bool check_dimensions(const sg_instance *instance, sg_sym name, const sg_dict *dict,
                             sg_span span)
{
    static const char *const sizes[] = {"nominal", "min", "max"};
    const sg_units *units = sg_runtime_of(instance->vm)->units;
    sg_value own, size;
    if (!sg_instance_value(instance, name, &own) || !sg_is_quantity(own))
        return true;
    for (size_t i = 0; i < SG_COUNT(sizes); i++)
        if (has_value(instance, dict, sizes[i], &size) && sg_is_quantity(size) &&
            !sg_unit_same_dimension(units, sg_quantity_unit(own), sg_quantity_unit(size))) {
            sg_error(instance->vm->diags, SG_E_UNIT_EQUATION,
                     place_of(instance, dict, sizes[i], span),
                     "'%s' and its %s have different dimensions", sg_vm_text(instance->vm, name),
                     sizes[i]);
            return false;
        }
    return true;
}

static sg_merged merged_variable(sg_instance *instance, sg_var_id id, const sg_dict *dict,
                                 sg_span span, sg_value *out)
{
    sg_flat_var *var = sg_flat_var_get(&instance->flat, id);
    sg_value init, start;
    bool fixed = var->attributes & SG_ATTR_HAS_INIT;
    bool has_init = has_value(instance, dict, "init", &init);
    bool has_start = has_value(instance, dict, "start", &start);
    if (!check_dimensions(instance, var->name, dict, span) ||
        !sg_flatten_sizes(instance, dict, id, span))
        return SG_MERGED_FAILED;
    tell_settled(instance, var, dict, span);
    sg_merged_check_attributes(instance, dict);
    if (fixed && !has_init && sg_model_attribute(instance, dict, "init", &init))
        tell(instance, var->name, dict, "init", span,
             "stays: only before @instantiateModel it can be taken away");
    if (has_init && !fixed && (var->attributes & SG_ATTR_HAS_START))
        tell(instance, var->name, dict, "init", span,
             "is taken for its start value, since that is what the model gives it; the "
             "initialization may move it");
    if (has_start && fixed && !has_init)
        tell(instance, var->name, dict, "start", span,
             "has no effect, since the variable has an init value and that holds");
    if (!has_init && (!has_start || fixed))
        return SG_MERGED_NOTHING;
    *out = has_init ? init : start;
    return SG_MERGED_VALUE;
}

sg_merged sg_merged_var(sg_instance *instance, sg_sym name, const sg_dict_entry *e, sg_value *out)
{
    bool var = sg_model_is_class(instance, e->value, "Var");
    bool par = sg_model_is_class(instance, e->value, "Par");
    bool map = sg_model_is_class(instance, e->value, "Map");
    sg_value unused;
    const sg_dict *dict = var || par || map ? (const sg_dict *)e->value.o : NULL;
    if (!dict || sg_model_attribute(instance, dict, "_constructor", &unused))
        return SG_MERGED_AS_IS;
    sg_var_id id = sg_flat_var_find(&instance->flat, name);
    if (id.i && !par)
        return merged_variable(instance, id, dict, e->span, out);
    if (!map && sg_flat_par_find(&instance->flat, name).i &&
        has_value(instance, dict, "value", out))
        return SG_MERGED_VALUE;
    return SG_MERGED_AS_IS;
}

// Attributes that are not known have no effect; one that resembles a known one was meant for it.
void sg_merged_check_attributes(const sg_instance *instance, const sg_dict *var)
{
    static const char *const known[] = {"value", "init", "start", "parameter", "constant", "input",
                                        "output", "potential", "flow", "min", "max", "info",
                                        "hideResult", "nominal", "steady",
                                        // of results and other tools: stored, and never a mistake
                                        "unit", "fixed", "state", "final", "size", "alias"};
    const sg_vm *vm = instance->vm;
    sg_dict_entry e;
    for (size_t at = 0; sg_dict_next(var, &at, &e);) {
        bool found = e.key.tag != SG_SYMBOL || sg_vm_text(vm, e.key.sym)[0] == '_';
        for (size_t i = 0; !found && i < SG_COUNT(known); i++)
            found = strcmp(sg_vm_text(vm, e.key.sym), known[i]) == 0;
        const char *meant =
            found ? NULL : sg_closest_name(sg_vm_text(vm, e.key.sym), known, SG_COUNT(known));
        if (meant)
            sg_warning(vm->diags, SG_E_KEYWORD, e.span,
                       "a Var has no attribute '%s', so this has no effect; did you mean '%s'?",
                       sg_vm_text(vm, e.key.sym), meant);
    }
}
