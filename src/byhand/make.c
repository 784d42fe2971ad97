// Making objects and joints by hand: constructors, their keywords, and the names they have in
// modules.
#include "base/assert.h"
#include "byhand/objects.h"
#include "lang/strip.h"
#include "parts/constructors3d.h"
#include "parts/evaluated.h"
#include "parts/functions.h"
#include "parts/read.h"
#include "parts/values.h"
#include "vm/bytecode.h"

#include <math.h>
#include <string.h>

// ---- arguments ----------------------------------------------------------------------------------

// Where the script made the call: not inside of the functions of Modia3D that hand it on.
static sg_span place_of_call(const sg_vm *vm, const sg_hand_shop *shop, const sg_args *args)
{
    for (uint32_t i = vm->n_frames; i > 0; i--) {
        const sg_frame *frame = &vm->frames[i - 1];
        if (frame->proto->module != shop->modia3d)
            return i == vm->n_frames ? args->span : sg_proto_span(frame->proto, frame->ip);
    }
    return args->span;
}

static sg_span keyword_place(const sg_hand_element *e, const sg_args *args, uint32_t k)
{
    sg_span span = args->spans ? args->spans[args->n + k] : e->span;
    return span.file == e->span.file ? span : e->span;
}

static bool put(sg_vm *vm, sg_hand_element *e, const char *key, sg_value value, sg_span span)
{
    return sg_dict_put(vm, e->keys, sg_symbol(sg_vm_sym(vm, key)), value, span);
}

// The keywords of objects and joints, and which one of a Model3D's element each stands for.
typedef struct hand_keyword {
    const char *name, *meaning;
    bool of_object;
} hand_keyword;

static const hand_keyword keywords[] = {
    {"parent", "parent", true},
    {"feature", "feature", true},
    {"translation", "translation", true},
    {"r", "translation", true},
    {"rotation", "rotation", true},
    {"rotationMatrix", "rotationMatrix", true},
    {"R", "rotationMatrix", true},
    {"q", "rotationMatrix", true},
    {"fixedToParent", "fixedToParent", true},
    {"fixed", "fixedToParent", true},
    {"velocity", "velocity", true},
    {"angularVelocity", "angularVelocity", true},
    {"angularVelocityResolvedInParent", "angularVelocityResolvedInParent", true},
    {"lockable", "lockable", true},
    {"assemblyRoot", "assemblyRoot", true},
    {"name", "name", true},
    {"path", "name", true},
    {"axis", "axis", false},
    {"canCollide", "canCollide", false},
    {"phi", "phi", false},
    {"phi_start", "phi", false},
    {"s", "s", false},
    {"s_start", "s", false}};

// Null if there is none; the nearest one of objects then.
static const hand_keyword *find_keyword(const char *name, const char **near)
{
    const char *names[SG_COUNT(keywords)];
    size_t n = 0;
    for (size_t i = 0; i < SG_COUNT(keywords); i++) {
        if (strcmp(keywords[i].name, name) == 0)
            return &keywords[i];
        if (keywords[i].of_object)
            names[n++] = keywords[i].name;
    }
    *near = sg_closest_name(name, names, n);
    return NULL;
}

static sg_status read_rotation(sg_vm *vm, sg_value value, sg_span span, sg_value *out)
{
    sg_mat3 R;
    if (!sg_value_rotation(value, &R))
        return sg_raise(vm, "ArgumentError", SG_E_JOINT, span,
                        "a rotation is a matrix R with three rows and R*R' = 1, or a quaternion q "
                        "of four numbers with length 1");
    *out = sg_matrix_value(vm, &R);
    return out->tag == SG_UNDEF ? SG_ERR_MEMORY : SG_OK;
}

static sg_status read_name(sg_vm *vm, sg_hand_element *e, sg_value value, sg_span span)
{
    if (value.tag == SG_SYMBOL)
        e->name = value.sym;
    else if (sg_is(value, SG_OBJ_STRING))
        e->name = sg_vm_sym(vm, ((const sg_string *)value.o)->text);
    else if (value.tag != SG_NOTHING)
        return sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, span, "a name must be a text");
    return SG_OK;
}

// phi = 0.3, phi = 30u"°" or, as for a Model3D, phi = Var(init = 0.3).
static sg_status read_start(sg_vm *vm, sg_hand_element *e, const char *key, sg_value value,
                            sg_span span)
{
    static const char *const attributes[] = {"init", "start"};
    sg_value plain, number = value;
    if (sg_is(value, SG_OBJ_DICT))
        number = sg_int(0);
    for (size_t i = 0; sg_is(value, SG_OBJ_DICT) && i < SG_COUNT(attributes); i++)
        if (sg_dict_get_sym((sg_dict *)value.o, sg_vm_sym(vm, attributes[i]), &number))
            break;
    sg_status status =
        sg_constructors3d_check_unit(vm, sg_vm_text(vm, e->keys->class_), key, number, span);
    if (status == SG_OK)
        status = sg_strip_to_si(vm, number, &plain);
    if (status == SG_OK && !(sg_value_number(plain, &e->q[0]) && isfinite(e->q[0])))
        status = sg_raise(vm, "ArgumentError", SG_E_JOINT, span,
                          "%s must be a finite number to begin with", key);
    return status;
}

// One keyword that objects and joints have in common, or that goes to the readers as it is.
static sg_status take_keyword(sg_vm *vm, sg_hand_element *e, const char *key, sg_value value,
                              sg_span span)
{
    const char *near = NULL;
    const hand_keyword *known = find_keyword(key, &near);
    sg_value plain;
    SG_ASSERT(known);
    if (strcmp(known->meaning, "name") == 0)
        return read_name(vm, e, value, span);
    if (strcmp(known->meaning, "phi") == 0 || strcmp(known->meaning, "s") == 0)
        return read_start(vm, e, known->meaning, value, span);
    sg_status status = sg_constructors3d_check_unit(vm, sg_vm_text(vm, e->keys->class_),
                                                    known->meaning, value, span);
    if (status == SG_OK)
        status = sg_evaluated(vm, value, &plain);
    if (status == SG_OK && strcmp(known->meaning, "rotationMatrix") == 0)
        status = read_rotation(vm, plain, span, &plain);
    if (status != SG_OK)
        return status;
    return put(vm, e, known->meaning, plain, span) ? SG_OK : SG_ERR_MEMORY;
}

// ---- making -------------------------------------------------------------------------------------

// Attaching something to what is being analyzed is noticed, as the tree is built but once.
static void outdate(const sg_hand_object *o)
{
    if (o->element.world && o->element.world->analysis)
        o->element.world->analysis->outdated = true;
}

// An object or joint of `size` bytes, zero but for the element at its head. Null when memory ran
// out.
static void *make_element(sg_vm *vm, sg_hand_shop *shop, const sg_args *args, const char *kind,
                          const sg_native_class *class_, size_t size)
{
    sg_hand_element *e = vm->allocator->resize(vm->allocator->context, NULL, 0, size);
    if (!e)
        return NULL;
    memset(e, 0, size);
    e->shop = shop;
    e->first = -1;
    e->order = shop->n_made++;
    e->span = place_of_call(vm, shop, args);
    e->keys = sg_dict_make(vm, sg_vm_sym(vm, kind));
    e->self = e->keys ? sg_native_make(vm, class_, e) : (sg_value){.tag = SG_UNDEF};
    if (e->self.tag == SG_UNDEF) { // nobody else will free it
        vm->allocator->resize(vm->allocator->context, e, size, 0);
        return NULL;
    }
    e->keys->span = e->span;
    return e;
}

// The parent of an object, or its feature.
static sg_status take_relation(sg_vm *vm, sg_hand_object *o, sg_value value, bool parent,
                               sg_span span)
{
    sg_hand_object *up = sg_hand_object_of(value);
    if (value.tag == SG_NOTHING)
        return SG_OK;
    if (up && parent) {
        if (o->parent)
            return sg_raise(vm, "ArgumentError", SG_E_TREE, span,
                            "an Object3D has one parent, two are given");
        o->parent = up;
        return put(vm, &o->element, "parent", sg_object(up->element.keys), span) ? SG_OK
                                                                                 : SG_ERR_MEMORY;
    }
    if (parent || !sg_is(value, SG_OBJ_DICT))
        return parent ? sg_hand_raise_no_object(vm, "parent", span)
                      : sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, span,
                                 "feature must be Scene(...), Solid(...) or Visual(...)");
    sg_value feature;
    o->feature = value;
    sg_status status = sg_evaluated(vm, value, &feature);
    if (status == SG_OK && !put(vm, &o->element, "feature", feature, span))
        status = SG_ERR_MEMORY;
    return status;
}

static sg_status take_object_keyword(sg_vm *vm, sg_hand_object *o, const sg_args *args, uint32_t k)
{
    const char *key = sg_vm_text(vm, args->kw[k]);
    sg_span span = keyword_place(&o->element, args, k);
    const char *near = NULL;
    const hand_keyword *known = find_keyword(key, &near);
    if (!known || !known->of_object) {
        sg_warning(vm->diags, SG_E_KEYWORD, span,
                   "Object3D has no keyword '%s'; it is ignored%s%s%s", key,
                   near ? ". Did you mean '" : "", near ? near : "", near ? "'?" : "");
        return SG_OK;
    }
    if (strcmp(key, "parent") == 0 || strcmp(key, "feature") == 0)
        return take_relation(vm, o, args->kwv[k], key[0] == 'p', span);
    return take_keyword(vm, &o->element, key, args->kwv[k], span);
}

// Object3D([parent or feature ...]; keywords...)
static sg_status object_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    sg_status status = sg_args_check_count(vm, args, "Object3D", 0, 2);
    if (status != SG_OK)
        return status;
    sg_hand_object *o =
        make_element(vm, context, args, "Object3D", &sg_hand_object_class, sizeof *o);
    if (!o)
        return SG_ERR_MEMORY;
    o->feature = SG_VALUE_NOTHING;
    for (uint32_t i = 0; status == SG_OK && i < args->n; i++)
        status = take_relation(vm, o, args->v[i], sg_hand_object_of(args->v[i]) != NULL,
                               o->element.span);
    for (uint32_t k = 0; status == SG_OK && k < args->n_kw; k++)
        status = take_object_keyword(vm, o, args, k);
    if (status == SG_OK && o->parent) {
        if (!SG_PUSH(vm->allocator, &o->parent->children, o))
            status = SG_ERR_MEMORY;
        outdate(o->parent);
    }
    *out = o->element.self;
    return status;
}

static sg_status take_objects(sg_vm *vm, sg_hand_joint *j, const sg_args *args, const char *kind)
{
    static const char *const keys[2] = {"obj1", "obj2"};
    sg_hand_object **objects[2] = {&j->obj1, &j->obj2};
    for (uint32_t i = 0; i < 2; i++) {
        const sg_value *named = sg_args_find(vm, args, keys[i]);
        sg_value value = i < args->n ? args->v[i] : named ? *named : SG_VALUE_NOTHING;
        *objects[i] = sg_hand_object_of(value);
        if (!*objects[i])
            return sg_hand_raise_no_object(vm, kind, j->element.span);
        if (!put(vm, &j->element, keys[i], sg_object((*objects[i])->element.keys), j->element.span))
            return SG_ERR_MEMORY;
    }
    if (j->obj1 == j->obj2)
        return sg_raise(vm, "ArgumentError", SG_E_TREE, j->element.span,
                        "%s connects an object with itself", kind);
    return SG_OK;
}

static sg_status take_joint_keywords(sg_vm *vm, sg_hand_joint *j, const sg_args *args,
                                     const char *kind)
{
    static const char *const moving[] = {"obj1", "obj2",    "axis", "phi",  "phi_start", "w", "s",
                                         "v",    "s_start", "name", "path", "canCollide"};
    static const char *const fixed[] = {"obj1", "obj2", "translation", "rotation", "rotationMatrix",
                                        "r",    "R",    "q",           "name",     "path"};
    bool is_fix = j->kind == SG_JOINT_FIXED;
    sg_status status = sg_args_check_keywords(vm, args, kind, is_fix ? fixed : moving,
                                              is_fix ? SG_COUNT(fixed) : SG_COUNT(moving));
    for (uint32_t k = 0; status == SG_OK && k < args->n_kw; k++) {
        const char *key = sg_vm_text(vm, args->kw[k]);
        // Speeds mean nothing here.
        if (strncmp(key, "obj", 3) != 0 && strcmp(key, "w") != 0 && strcmp(key, "v") != 0)
            status = take_keyword(vm, &j->element, key, args->kwv[k],
                                  keyword_place(&j->element, args, k));
    }
    return status;
}

static sg_status make_joint(sg_vm *vm, const sg_args *args, sg_hand_shop *shop, const char *kind,
                            sg_joint_kind what, sg_value *out)
{
    sg_status status = sg_args_check_count(vm, args, kind, 0, 2);
    if (status != SG_OK)
        return status;
    sg_hand_joint *j = make_element(vm, shop, args, kind, sg_hand_joint_class(what), sizeof *j);
    if (!j)
        return SG_ERR_MEMORY;
    j->kind = what;
    *out = j->element.self;
    if (what != SG_JOINT_FIXED &&
        !put(vm, &j->element, "axis", sg_int(what == SG_JOINT_REVOLUTE ? 3 : 1), j->element.span))
        return SG_ERR_MEMORY;
    status = take_objects(vm, j, args, kind);
    if (status == SG_OK)
        status = take_joint_keywords(vm, j, args, kind);
    if (status != SG_OK)
        return status;
    outdate(j->obj1);
    outdate(j->obj2);
    return SG_PUSH(vm->allocator, &j->obj1->joints, j) &&
                   SG_PUSH(vm->allocator, &j->obj2->joints, j)
               ? SG_OK
               : SG_ERR_MEMORY;
}

static sg_status revolute_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    return make_joint(vm, args, context, "Revolute", SG_JOINT_REVOLUTE, out);
}

static sg_status prismatic_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    return make_joint(vm, args, context, "Prismatic", SG_JOINT_PRISMATIC, out);
}

static sg_status fix_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    return make_joint(vm, args, context, "Fix", SG_JOINT_FIXED, out);
}

// ---- names in modules ---------------------------------------------------------------------------

// Object3D and Fix of Modia3D: those of models, unless they are given something made by hand.
typedef struct fork {
    sg_native_fn model, hand;
    void *model_context, *hand_context;
} fork;

static sg_status fork_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    const fork *f = context;
    bool hand = false;
    for (uint32_t i = 0; i < args->n && !hand; i++)
        hand = sg_hand_object_of(args->v[i]) != NULL;
    for (uint32_t k = 0; k < args->n_kw && !hand; k++)
        hand = sg_hand_object_of(args->kwv[k]) != NULL;
    return hand ? f->hand(vm, args, f->hand_context, out)
                : f->model(vm, args, f->model_context, out);
}

static bool register_fork(sg_vm *vm, sg_hand_shop *shop, const char *name, sg_native_fn hand)
{
    sg_value known = sg_module_get(shop->modia3d, sg_vm_sym(vm, name));
    fork *f = SG_NEW(&shop->host->arena, fork);
    if (!f || !sg_is(known, SG_OBJ_FUNCTION))
        return false; // it is made where its name is first asked for, if there is memory
    const sg_function *model = (const sg_function *)known.o;
    *f = (fork){model->native, hand, model->context, shop};
    return sg_vm_offer(vm, shop->modia3d, name, fork_native, f, NULL);
}

// madeByHand(object)
static sg_status made_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    *out = sg_bool(args->n == 1 && sg_hand_object_of(args->v[0]));
    return sg_args_check_count(vm, args, "madeByHand", 1, 1);
}

bool sg_by_hand_register(sg_vm *vm, sg_module *modia3d, sg_part_host *host)
{
    static const struct {
        const char *name;
        sg_native_fn function;
    } kinds[] = {{"Object3D", object_native},
                 {"Revolute", revolute_native},
                 {"Prismatic", prismatic_native},
                 {"Fix", fix_native}};
    sg_sym name = sg_vm_sym(vm, "Composition");
    sg_module *composition = sg_module_make(vm, name, modia3d);
    sg_hand_shop *shop = SG_NEW(&host->arena, sg_hand_shop);
    bool ok = composition && shop && sg_module_set(vm, modia3d, name, sg_object(composition));
    if (!ok)
        return false;
    *shop = (sg_hand_shop){.host = host, .modia3d = modia3d};
    host->by_hand = &sg_by_hand_hooks;
    for (size_t i = 0; ok && i < SG_COUNT(kinds); i++)
        ok = sg_vm_offer(vm, composition, kinds[i].name, kinds[i].function, shop, NULL);
    // The joints of models are written in the language, as methods without positional arguments;
    // what has some comes here.
    return ok && sg_module_use(vm, composition, modia3d) &&
           sg_vm_offer(vm, modia3d, "madeByHand", made_native, NULL, NULL) &&
           sg_vm_offer(vm, modia3d, "Revolute", revolute_native, shop, NULL) &&
           sg_vm_offer(vm, modia3d, "Prismatic", prismatic_native, shop, NULL) &&
           register_fork(vm, shop, "Object3D", object_native) &&
           register_fork(vm, shop, "Fix", fix_native) &&
           sg_hand_register_world(vm, modia3d, shop) &&
           sg_hand_register_world(vm, composition, shop);
}
