// An instantiated model: the dictionary of a system, evaluated and flattened.
//
// Two things live side by side, and both are needed. The *parameter dictionary* has the nesting of
// the model and holds every parameter, `Par` and start value as written; it is merged with the
// `merge` argument of simulate! and evaluated anew before each run (language.md 3.6 b). The *flat
// model* holds the equations; it is made once, and each run only stores new numbers in it, so a
// changed value or size never needs a new translation.
//
// Implements language.md 3.3 to 3.7, 3.9 and 4.1.
#pragma once

#include "flat/flat.h"
#include "vm/function.h"
#include "vm/value.h"

typedef struct sg_scope {
    sg_sym component; // whose equation it is; for messages
    sg_sym path;      // names are relative to this component
    sg_sym outer;     // where `up.` leads
    bool no_names;    // a binding of the top level: there is nothing above it
    bool has_up;      // `path` has a component called `up`, and `up.` is that
} sg_scope;

typedef struct sg_written {
    const struct sg_ast *ast; // ASSIGN, or the expression of a binding
    sg_sym variable;          // full name of a bound variable, null for an equation
    sg_scope scope;
} sg_written;

// A call in an equation, for the units of its arguments.
typedef struct sg_written_call {
    const struct sg_ast *ast;
    uint32_t written; // number of the equation
    sg_func_id func;
    bool told; // that it does not fit the units of its arguments
} sg_written_call;

// A component that code completed: what the code returned.
typedef struct sg_built {
    sg_sym path;
    sg_value object, model;
    // Of the present run, found before its first segment: the function that begins segments
    // (undefined: there is none), and its arguments.
    sg_value init, id, parameters;
} sg_built;

typedef struct sg_connector_ref {
    sg_sym name, component; // full names
    const sg_dict *dict;
    sg_span span;
} sg_connector_ref;

typedef struct sg_instance {
    sg_vm *vm;
    sg_module *module; // functions of the equations are looked up here
    sg_sym name;       // text of the model expression, for messages
    sg_span span;      // of the @instantiateModel call
    bool unitless;
    bool compat_flows;       // do not set unconnected flows to zero (the reference's behavior)
    bool compat_derivatives; // units that only a derivative gets wrong are a warning
    bool compat_merge;       // a Var in the merge of a run changes no value
    bool told_comparison;    // that == makes no equation
    bool inputs_given;       // top-level inputs get their values from a file
    const struct sg_constructors *constructors; // of the parameter phase (constructors.h), or null

    sg_value model;      // the dictionary that was instantiated
    sg_value parameters; // Map: parameters and start values as written
    sg_value evaluated;  // the same with every expression evaluated
    sg_map values;       // full name -> index into value_list: the evaluated leaves
    SG_VEC(sg_value) value_list;
    sg_map shown_units; // full name -> symbol of the unit that `unitless` took away
    sg_map mentioned;   // names in expressions of the parameter phase, without their paths -> 1
    // Functions and constants that equations refer to; their index is the handle in the flat model.
    SG_VEC(sg_value) handles;
    sg_map handle_of;   // object -> index
    sg_map bodies;      // function and its use -> sg_body_entry (body.h)
    sg_map derivatives; // code of a function -> symbol of its derivative (derive.h)

    // What flattening learns about connectors: all of them, those in some connection, and flows
    // that equations of an outer component mention.
    SG_VEC(sg_connector_ref) connectors;
    sg_map connected, outer_uses; // full name -> 1

    SG_VEC(sg_built) built;
    SG_VEC(sg_written) written;    // equations as written, for the check of units
    SG_VEC(sg_written_call) calls; // in their order

    sg_flat flat;
    sg_arena scratch; // of a pass; empty between them
} sg_instance;

// `instance` is zeroed memory of the caller; `self` is its value in the script. Problems go to the
// machine's diagnostics; SG_ERR_MODEL when there were any.
sg_status sg_instance_create(sg_instance *instance, sg_vm *vm, sg_module *module, sg_value self,
                             sg_value model, sg_sym name, bool unitless, sg_span span);
void sg_instance_destroy(sg_instance *instance);
void sg_instance_mark(sg_instance *instance); // for the collector

// Merges `map` (or nothing) into the parameters, permanently, and evaluates them all. Names that
// the model does not have are kept with a warning; other dimensions than before are errors.
sg_status sg_instance_evaluate(sg_instance *instance, sg_value map);

// The evaluated value of a parameter or start value by its full name; false if there is none.
bool sg_instance_value(const sg_instance *instance, sg_sym name, sg_value *out);

// ---- between the files of this folder -------------------------------------------------------

// Numbers of a value in SI units. False if it is no number, array of numbers or quantity.
bool sg_model_numbers(sg_instance *instance, sg_value value, sg_flat_value *out, sg_sym *unit);
// Keeps the SI unit of a value that is about to lose it, for those who look at results.
bool sg_model_keep_unit(sg_instance *instance, sg_sym name, sg_value value);

// Index of a value that equations refer to, rooted by the instance.
uint32_t sg_instance_handle(sg_instance *instance, sg_value value);

// What the first pass over the dictionary finds out about a value (language.md 3.3).
typedef enum sg_key_kind {
    SG_KEY_IGNORED,   // nothing, and keys that are not part of the model
    SG_KEY_PARAMETER, // a value, or Par, or Var with a value
    SG_KEY_VARIABLE,  // Var
    SG_KEY_LOCAL,     // Var(:expr): an equation in this model
    SG_KEY_MODEL,     // a component
    SG_KEY_MODELS,    // an array of components
    SG_KEY_EQUATIONS, // a list of equations or connections, or a single one
    SG_KEY_INITIAL,   // initialEquations: those of the start
    SG_KEY_BINDING,   // an expression in the names of the enclosing model
    SG_KEY_CONSTANT   // function, object: an equation with a constant
} sg_key_kind;

sg_key_kind sg_model_key_kind(const sg_instance *instance, sg_sym key, sg_value value);

// Full names. The empty path is the top level.
sg_sym sg_model_join(sg_instance *instance, sg_sym path, const char *name);
// What is left of `text`, a name in an equation, behind `up.` if this leads out of the component.
const char *sg_scope_inner(const sg_scope *scope, const char *text);
// The full name of it.
sg_sym sg_scope_name(sg_instance *instance, const sg_scope *scope, const char *text);
// The key of a dictionary that may have been meant by a name that it does not have, or null.
const char *sg_model_closest_key(const sg_instance *instance, const sg_dict *dict,
                                 const char *name);
// Whether the model was given something by this full name, whatever it is.
bool sg_model_has_key(const sg_instance *instance, sg_sym name);
// The dictionary at a path, null if there is none.
const sg_dict *sg_model_component(const sg_instance *instance, sg_sym path);
// Where to look for a mistake in `path`: the span, unless there is none or it lies in the library;
// then where the user's model names the innermost component on the path.
sg_span sg_model_place(const sg_instance *instance, sg_sym path, sg_span span);
sg_sym sg_model_element(sg_instance *instance, sg_sym key, size_t number); // key_1, key_2, ...
// Element i, from 0, of an array of components as if it stood in the dictionary by itself.
sg_dict_entry sg_model_element_entry(sg_instance *instance, const sg_dict_entry *array, size_t i);

// The value of an attribute of a Var, Par or other dictionary.
bool sg_model_attribute(const sg_instance *instance, const sg_dict *dict, const char *name,
                        sg_value *out);
bool sg_model_flag(const sg_instance *instance, const sg_dict *dict, const char *name);
bool sg_model_is_class(const sg_instance *instance, sg_value value, const char *class_name);
