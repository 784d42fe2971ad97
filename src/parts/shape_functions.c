// Functions of shapes and solids for scripts, under the name Modia3D (components3d.md 14): how
// large, how heavy, where.
#include "base/assert.h"
#include "base/diags.h"
#include "collide/aabb.h"
#include "lang/strip.h"
#include "parts/evaluated.h"
#include "parts/functions.h"
#include "parts/solid.h"
#include "parts/values.h"
#include "shapes/support.h"

#include <string.h>

// Shapes are read by the same code as those of a model, which works for a part; this is one that
// holds nothing but the shape.
typedef struct desk {
    sg_part part;
    sg_keywords reader;
    sg_dict *evaluated;
    size_t first_diag; // what is reported from here on is about the shape
} desk;

// What the object holds under this name, if it is an object, too; else the object itself.
static sg_value inside_of(sg_vm *vm, sg_value object, const char *key)
{
    sg_value inner;
    if (sg_is(object, SG_OBJ_DICT) &&
        sg_dict_get_sym((const sg_dict *)object.o, sg_vm_sym(vm, key), &inner) &&
        sg_is(inner, SG_OBJ_DICT))
        return inner;
    return object;
}

// Where a shape is needed, a Solid or Visual stands for its shape, and everywhere an Object3D (of a
// model or made by hand) for its feature: both have the same frame.
static sg_status open_desk(sg_vm *vm, const sg_args *args, sg_part_host *host, bool shape, desk *d)
{
    sg_value object = SG_VALUE_NOTHING;
    *d = (desk){.part = {.vm = vm,
                         .allocator = vm->allocator,
                         .id = "",
                         .records.host = host,
                         .records.compat = *host->compat},
                .first_diag = vm->diags->len};
    sg_arena_init(&d->part.arena, vm->allocator);
    sg_arena_init(&d->part.records.arena, vm->allocator);
    sg_value given = SG_VALUE_NOTHING;
    if (args->n)
        given = host->by_hand ? host->by_hand->element(args->v[0]) : args->v[0];
    given = inside_of(vm, given, "feature");
    sg_status status = sg_evaluated(vm, shape ? inside_of(vm, given, "shape") : given, &object);
    if (status == SG_OK && !sg_is(object, SG_OBJ_DICT))
        status = sg_raise(vm, "ArgumentError", SG_E_SHAPE3D, args->span,
                          "a shape or solid is needed here, such as Box(lengthX = 1.0)");
    if (status != SG_OK)
        return status;
    const sg_dict *dict = (const sg_dict *)object.o;
    d->reader = (sg_keywords){.part = &d->part,
                              .dict = dict,
                              .what = sg_element_kind(vm, dict),
                              .span = args->span,
                              .ok = true};
    return SG_OK;
}

static void close_desk(desk *d)
{
    sg_part_free_meshes(&d->part);
    sg_arena_destroy(&d->part.records.arena);
    sg_arena_destroy(&d->part.arena);
}

// The readers report what is wrong; here it is raised instead, so that a script may catch it.
static sg_status refused(const desk *d, const sg_args *args)
{
    sg_vm *vm = d->part.vm;
    sg_diags *diags = vm->diags;
    sg_diag found = {
        .code = SG_E_SHAPE3D, .span = args->span, .message = "this shape cannot be used"};
    for (size_t i = diags->len; i-- > d->first_diag;)
        if (diags->list[i].severity == SG_ERROR) {
            found = diags->list[i];
            diags->n_errors--;
        }
    if (diags->len > d->first_diag)
        diags->len = d->first_diag;
    return sg_raise(vm, "ArgumentError", found.code, found.span, "%s", found.message);
}

// Mass properties of the shape with that mass; with NaN those of density one.
static sg_status weigh(sg_vm *vm, const sg_args *args, sg_part_host *host, double m, sg_mass *out)
{
    desk d;
    sg_status status = open_desk(vm, args, host, true, &d);
    if (status == SG_OK) {
        const sg_part_shape *shape = sg_read_shape(&d.reader, false);
        *out = (sg_mass){0};
        if (!shape || !sg_part_shape_mass(&d.reader, shape, m, 1.0, out))
            status = refused(&d, args);
    }
    close_desk(&d);
    return status;
}

// volume(shape)
static sg_status volume_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    sg_mass mass;
    sg_status status = sg_args_check_count(vm, args, "volume", 1, 1);
    if (status == SG_OK)
        status = weigh(vm, args, context, (double)NAN, &mass);
    if (status == SG_OK)
        *out = sg_float(mass.m);
    return status;
}

// centroid(shape)
static sg_status centroid_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    sg_mass mass;
    sg_status status = sg_args_check_count(vm, args, "centroid", 1, 1);
    if (status == SG_OK)
        status = weigh(vm, args, context, 1.0, &mass);
    if (status == SG_OK)
        *out = sg_vector_value(vm, mass.c);
    return status;
}

// inertiaMatrix(shape, mass): about the center of mass
static sg_status inertia_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    sg_mass mass;
    sg_value number;
    double m = 0.0;
    sg_status status = sg_args_check_count(vm, args, "inertiaMatrix", 2, 2);
    if (status == SG_OK)
        status = sg_strip_to_si(vm, args->v[1], &number);
    if (status == SG_OK && !(sg_value_number(number, &m) && m >= 0.0))
        status = sg_raise(vm, "ArgumentError", SG_E_MASS, args->span,
                          "inertiaMatrix(shape, mass) needs a mass that is not negative");
    if (status == SG_OK)
        status = weigh(vm, args, context, m, &mass);
    if (status == SG_OK)
        *out = sg_matrix_value(vm, &mass.I_CM);
    return status;
}

// massProperties(solid): (mass, center of mass, inertia about it)
static sg_status mass_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    desk d;
    sg_mass mass = {0};
    sg_status status = sg_args_check_count(vm, args, "massProperties", 1, 1);
    if (status != SG_OK)
        return status;
    status = open_desk(vm, args, context, false, &d);
    if (status == SG_OK &&
        (strcmp(d.reader.what, "Solid") != 0 || !sg_read_solid(&d.reader, &mass) || !d.reader.ok))
        status = refused(&d, args);
    close_desk(&d);
    sg_tuple *three = status == SG_OK ? sg_tuple_make(vm, 3) : NULL;
    if (!three)
        return status == SG_OK ? SG_ERR_MEMORY : status;
    *out = sg_object(three);
    three->items[0] = sg_float(mass.m);
    three->items[1] = sg_vector_value(vm, mass.c);
    three->items[2] = sg_matrix_value(vm, &mass.I_CM);
    return SG_OK;
}

static sg_status pair_value(sg_vm *vm, sg_vec3 a, sg_vec3 b, sg_value *out)
{
    sg_tuple *pair = sg_tuple_make(vm, 2);
    *out = sg_object(pair);
    if (!pair)
        return SG_ERR_MEMORY;
    pair->items[0] = sg_vector_value(vm, a);
    pair->items[1] = sg_vector_value(vm, b);
    return pair->items[1].tag == SG_UNDEF ? SG_ERR_MEMORY : SG_OK;
}

// Farthest point of the shape in a direction, both in the shape's frame.
static sg_vec3 support_point(const sg_shape *shape, sg_vec3 e)
{
    uint32_t piece;
    sg_pose place = POSE_IDENTITY, frame = sg_shape_frame(shape, &place);
    sg_vec3 n = pose_inverse_vector(&frame, v3_unit(e));
    sg_vec3 core = sg_support(shape, n, UINT32_MAX, &piece);
    return pose_point(&frame, v3_add_scaled(core, n, shape->radius));
}

// supportPoint(shape, e), boundingBox(shape): without smoothing
static sg_status extent_native(sg_vm *vm, const sg_args *args, sg_part_host *host, bool box,
                               sg_value *out)
{
    desk d;
    sg_shape convex;
    sg_vec3 e = V3_ZERO;
    sg_value direction;
    uint32_t n = box ? 1 : 2;
    sg_status status = sg_args_check_count(vm, args, box ? "boundingBox" : "supportPoint", n, n);
    if (status == SG_OK && !box)
        status = sg_strip_to_si(vm, args->v[1], &direction);
    if (status == SG_OK && !box && !(sg_value_vec3(direction, &e) && v3_max_abs(e) > 0.0))
        status = sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, args->span,
                          "supportPoint(shape, e) needs a direction of three numbers");
    if (status != SG_OK)
        return status;
    status = open_desk(vm, args, host, true, &d);
    if (status == SG_OK) {
        const sg_part_shape *shape = sg_read_shape(&d.reader, false);
        if (!shape || !sg_part_convex(&d.reader, shape, 0.0, &convex))
            status = refused(&d, args);
    }
    if (status == SG_OK && box) {
        sg_pose place = POSE_IDENTITY;
        sg_aabb b = sg_aabb_of(&convex, &place);
        status = pair_value(vm, b.lo, b.hi, out);
    } else if (status == SG_OK) {
        *out = sg_vector_value(vm, support_point(&convex, e));
    }
    close_desk(&d);
    return status;
}

static sg_status support_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    return extent_native(vm, args, context, false, out);
}

static sg_status box_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    return extent_native(vm, args, context, true, out);
}

bool sg_parts_register_shapes(sg_vm *vm, sg_module *module, sg_part_host *host)
{
    static const struct {
        const char *name;
        sg_native_fn function;
    } table[] = {{"volume", volume_native},         {"centroid", centroid_native},
                 {"inertiaMatrix", inertia_native}, {"massProperties", mass_native},
                 {"supportPoint", support_native},  {"boundingBox", box_native}};
    for (size_t i = 0; i < SG_COUNT(table); i++)
        if (!sg_vm_offer(vm, module, table[i].name, table[i].function, host, NULL))
            return false;
    return true;
}
