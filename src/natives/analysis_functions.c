// massMatrix, jacobian, inverseDynamics, inverseKinematics! and what goes with them: a model with a
// 3D part as robotics sees it (model3d/analysis.h), at the state where it is or at any other.
#include "lang/runtime.h"
#include "model3d/analysis.h"
#include "natives/model_object.h"
#include "natives/natives.h"
#include "natives/overrides.h"
#include "parts/read.h"
#include "parts/values.h"

#include <math.h>
#include <string.h>

// ---- the state ----------------------------------------------------------------------------------

// A model that has not run, or was posed since, stands at its start values.
static sg_status stand_at_start(sg_session *session, sg_model_object *m)
{
    sg_sim_options options = sg_sim_options_default();
    sg_sim_outcome outcome = {0};
    sg_sim_run_state *run = NULL;
    const double *x;
    m->start_time = m->compiled.start_time = options.start;
    m->compiled.inputs = NULL;
    m->compiled.tolerance = options.tolerance;
    sg_status status = sg_instance_evaluate(&m->instance, SG_VALUE_NOTHING);
    if (status == SG_OK)
        status = sg_model_translate_again(m, (sg_span){0});
    if (status == SG_OK)
        status = sg_compiled_link(&m->compiled, options.dae_min_size, &session->diags);
    options.single = m->single;
    m->running = true;
    if (status == SG_OK)
        status = sg_sim_open(session->allocator, &m->compiled.model, &options, NULL, 0,
                             &session->vm->limits, &session->diags, &outcome, &run);
    if (status == SG_OK)
        status = sg_sim_evaluate(run, &x);
    if (run) {
        sg_status closed = sg_sim_close(run, status);
        status = status == SG_OK ? closed : status;
        sg_sim_outcome_free(&outcome);
    }
    m->running = false;
    return status;
}

typedef struct analysis_call {
    sg_session *session;
    const sg_args *args;
    const char *name;
    sg_model_object *m;
    sg_part_analysis a;
    int object;
} analysis_call;

// The model of the first argument, ready; raises. End it in any case.
static sg_status begin(analysis_call *c, sg_vm *vm, const sg_args *args, void *context,
                       const char *name, uint32_t least, uint32_t most)
{
    *c = (analysis_call){.session = context, .args = args, .name = name, .object = -1};
    if (args->n < least || args->n > most)
        return sg_raise(vm, "MethodError", SG_E_ARGUMENT, args->span,
                        "%s takes %u to %u arguments (docs/robots.md)", name, least, most);
    c->m = sg_model_argument(vm, args, name);
    if (!c->m)
        return SG_ERR_MODEL;
    if (c->m->running)
        return sg_raise(vm, "ErrorException", SG_E_ARGUMENT, args->span,
                        "%s: the model is running; functions that it calls cannot ask for that",
                        name);
    if (c->m->n_parts != 1)
        return sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, args->span,
                        "%s needs a model with one Model3D, not %zu", name, c->m->n_parts);
    sg_status status = c->m->result && !c->m->posed ? SG_OK : stand_at_start(c->session, c->m);
    if (status == SG_OK)
        status = sg_part_analysis_begin(c->m->parts[0], &c->a);
    if (status == SG_ERR_MEMORY)
        return status;
    return status == SG_OK ? SG_OK
                           : sg_raise(vm, "ErrorException", SG_E_ARGUMENT, args->span,
                                      "%s: the model has no initial values", name);
}

static void end(analysis_call *c)
{
    if (c->a.part)
        sg_part_analysis_end(&c->a);
}

// Argument `i`, if it is there, as numbers of all coordinates.
static sg_status take(analysis_call *c, sg_vm *vm, uint32_t i, const char *what, double *out)
{
    sg_numbers numbers;
    if (i >= c->args->n)
        return SG_OK;
    sg_status status = sg_numbers_of(vm, c->args->v[i], c->args->span, &numbers);
    if (status != SG_OK)
        return status;
    if ((int)numbers.n != c->a.n || numbers.rank > 1)
        return sg_raise(vm, "DimensionMismatch", SG_E_ARGUMENT, c->args->span,
                        "%s: %s has %u numbers; the model has %d coordinates "
                        "(coordinateNames(m))",
                        c->name, what, numbers.n, c->a.n);
    memcpy(out, sg_numbers_data(&numbers), numbers.n * sizeof *out);
    return SG_OK;
}

static sg_status take_object(analysis_call *c, sg_vm *vm)
{
    const char *path = c->args->n > 1 ? sg_text_of(vm, c->args->v[1]) : NULL;
    c->object = path ? sg_part_find_object(c->m->parts[0], path) : -1;
    return c->object >= 0 ? SG_OK
                          : sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, c->args->span,
                                     "%s: there is no object '%s'", c->name, path ? path : "");
}

// ---- functions ----------------------------------------------------------------------------------

// From row-major numbers.
static sg_status matrix(sg_vm *vm, const double *x, size_t rows, size_t columns, sg_value *out)
{
    size_t dims[2] = {rows, columns};
    sg_array *a = sg_array_make(vm, SG_ELEM_FLOAT, 2, dims);
    if (!a)
        return SG_ERR_MEMORY;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            a->f[i + j * rows] = x[i * columns + j];
    *out = sg_object(a);
    return SG_OK;
}

static sg_status vector(sg_vm *vm, const double *x, size_t n, sg_value *out)
{
    sg_array *a = sg_vector_make(vm, SG_ELEM_FLOAT, n);
    if (!a)
        return SG_ERR_MEMORY;
    if (n)
        memcpy(a->f, x, n * sizeof *x);
    *out = sg_object(a);
    return SG_OK;
}

static double *room(analysis_call *c, size_t rows)
{
    return SG_NEW_ARRAY(&c->a.arena, double, rows *(size_t)c->a.n + 1);
}

static sg_status mass_matrix_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    analysis_call c;
    sg_status status = begin(&c, vm, args, context, "massMatrix", 1, 2);
    if (status == SG_OK)
        status = take(&c, vm, 1, "q", c.a.q);
    double *M = status == SG_OK ? room(&c, (size_t)c.a.n) : NULL;
    if (M) {
        sg_part_mass_matrix(&c.a, M);
        status = matrix(vm, M, (size_t)c.a.n, (size_t)c.a.n, out);
    }
    end(&c);
    return status == SG_OK && !M ? SG_ERR_MEMORY : status;
}

static sg_status jacobian_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    analysis_call c;
    sg_status status = begin(&c, vm, args, context, "jacobian", 2, 3);
    if (status == SG_OK)
        status = take_object(&c, vm);
    if (status == SG_OK)
        status = take(&c, vm, 2, "q", c.a.q);
    double *J = status == SG_OK ? room(&c, 6) : NULL;
    if (J) {
        sg_part_jacobian(&c.a, c.object, J);
        status = matrix(vm, J, 6, (size_t)c.a.n, out);
    }
    end(&c);
    return status == SG_OK && !J ? SG_ERR_MEMORY : status;
}

static sg_status inverse_dynamics_native(sg_vm *vm, const sg_args *args, void *context,
                                         sg_value *out)
{
    analysis_call c;
    sg_status status = begin(&c, vm, args, context, "inverseDynamics", 4, 4);
    double *tau = status == SG_OK ? room(&c, 1) : NULL, *acc = tau ? room(&c, 1) : NULL;
    if (status == SG_OK && !acc)
        status = SG_ERR_MEMORY;
    if (status == SG_OK)
        status = take(&c, vm, 1, "q", c.a.q);
    if (status == SG_OK)
        status = take(&c, vm, 2, "qd", c.a.v);
    if (status == SG_OK)
        status = take(&c, vm, 3, "qdd", acc);
    if (status == SG_OK) {
        sg_part_inverse_dynamics(&c.a, acc, tau);
        status = vector(vm, tau, (size_t)c.a.n, out);
    }
    end(&c);
    return status;
}

static sg_status pair(sg_vm *vm, sg_value a, sg_value b, sg_value *out)
{
    sg_tuple *t = sg_tuple_make(vm, 2);
    if (!t || a.tag == SG_UNDEF || b.tag == SG_UNDEF)
        return SG_ERR_MEMORY;
    t->items[0] = a;
    t->items[1] = b;
    *out = sg_object(t);
    return SG_OK;
}

static sg_status forward_kinematics_native(sg_vm *vm, const sg_args *args, void *context,
                                           sg_value *out)
{
    analysis_call c;
    sg_status status = begin(&c, vm, args, context, "forwardKinematics", 2, 3);
    if (status == SG_OK)
        status = take_object(&c, vm);
    if (status == SG_OK)
        status = take(&c, vm, 2, "q", c.a.q);
    if (status == SG_OK) {
        sg_pose pose = sg_part_pose(&c.a, c.object);
        sg_root_mark mark = sg_root_mark_get(vm);
        sg_value r = sg_vector_value(vm, pose.r);
        sg_root_push(vm, r);
        sg_value R = sg_matrix_value(vm, &pose.R);
        sg_root_push(vm, R);
        status = pair(vm, r, R, out);
        sg_root_pop(vm, mark);
    }
    end(&c);
    return status;
}

static sg_status total_mass_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    analysis_call c;
    sg_status status = begin(&c, vm, args, context, "totalMass", 1, 2);
    if (status == SG_OK)
        status = take(&c, vm, 1, "q", c.a.q);
    if (status == SG_OK) {
        sg_vec3 center;
        double mass = sg_part_total_mass(&c.a, &center);
        sg_root_mark mark = sg_root_mark_get(vm);
        sg_value r = sg_vector_value(vm, center);
        sg_root_push(vm, r);
        status = pair(vm, sg_float(mass), r, out);
        sg_root_pop(vm, mark);
    }
    end(&c);
    return status;
}

static sg_status coordinate_names_native(sg_vm *vm, const sg_args *args, void *context,
                                         sg_value *out)
{
    analysis_call c;
    sg_status status = begin(&c, vm, args, context, "coordinateNames", 1, 1);
    sg_array *names = status == SG_OK ? sg_vector_make(vm, SG_ELEM_ANY, (size_t)c.a.n) : NULL;
    sg_root_mark mark = sg_root_mark_get(vm);
    if (names)
        sg_root_push(vm, sg_object(names));
    for (int i = 0; names && i < c.a.n && status == SG_OK; i++) {
        sg_buf name;
        sg_buf_init(&name, c.session->allocator);
        sg_part_coordinate_name(&c.a, i, &name);
        sg_value text = sg_string_value(vm, sg_buf_text(&name));
        if (text.tag == SG_UNDEF || name.failed)
            status = SG_ERR_MEMORY;
        else
            names->v[i] = text;
        sg_buf_free(&name);
    }
    sg_root_pop(vm, mark);
    if (status == SG_OK && !names)
        status = SG_ERR_MEMORY;
    if (status == SG_OK)
        *out = sg_object(names);
    end(&c);
    return status;
}

// ---- inverse kinematics -------------------------------------------------------------------------

// A position, a tuple of position and matrix, or a matrix of four rows and columns.
static sg_status take_pose(analysis_call *c, sg_vm *vm, sg_value value, sg_vec3 *r, sg_mat3 *R,
                           bool *turned)
{
    const char *const what =
        "the pose is a position of three numbers, (position, matrix), or a matrix of 4 x 4";
    sg_numbers numbers;
    *turned = false;
    if (sg_is(value, SG_OBJ_TUPLE)) {
        const sg_tuple *t = (const sg_tuple *)value.o;
        *turned = t->n == 2 && sg_value_vec3(t->items[0], r) && sg_value_mat3(t->items[1], R);
        if (!*turned)
            return sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, c->args->span, "%s: %s", c->name,
                            what);
    } else {
        sg_status status = sg_numbers_of(vm, value, c->args->span, &numbers);
        if (status != SG_OK)
            return status;
        const double *x = sg_numbers_data(&numbers);
        if (numbers.rank == 1 && numbers.n == 3) {
            *r = v3_from(x);
            return SG_OK;
        }
        if (numbers.rank != 2 || numbers.n != 16)
            return sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, c->args->span, "%s: %s", c->name,
                            what);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                R->m[i][j] = x[i + 4 * j];
        *r = v3_from(x + 12);
        *turned = true;
    }
    if (m3_rotation_error(R) > 1e-9)
        return sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, c->args->span,
                        "%s: the matrix of the pose is no rotation", c->name);
    return SG_OK;
}

// The coordinates of joints with one of them become start values.
static sg_status set_start(analysis_call *c, sg_vm *vm)
{
    sg_dict *map = sg_dict_make(vm, sg_vm_sym(vm, "Map"));
    sg_status status = map ? SG_OK : SG_ERR_MEMORY;
    sg_root_mark mark = sg_root_mark_get(vm);
    if (map)
        sg_root_push(vm, sg_object(map));
    for (int i = 0; i < c->a.n && status == SG_OK; i++) {
        sg_buf name;
        sg_value old;
        sg_buf_init(&name, c->session->allocator);
        sg_part_coordinate_name(&c->a, i, &name);
        const char *text = sg_buf_text(&name);
        if (!strchr(text, '[') && sg_instance_value(&c->m->instance, sg_vm_sym(vm, text), &old) &&
            old.tag != SG_NOTHING)
            status = sg_put_nested(vm, map, text, sg_float(c->a.q[i]), c->args->span);
        sg_buf_free(&name);
    }
    if (status == SG_OK)
        status = sg_instance_evaluate(&c->m->instance, sg_object(map));
    sg_root_pop(vm, mark);
    c->m->posed = true;
    return status;
}

static sg_status inverse_kinematics_native(sg_vm *vm, const sg_args *args, void *context,
                                           sg_value *out)
{
    analysis_call c;
    sg_vec3 r = V3_ZERO;
    sg_mat3 R = M3_IDENTITY;
    bool turned = false;
    sg_status status = begin(&c, vm, args, context, "inverseKinematics!", 3, 4);
    if (status == SG_OK)
        status = take_object(&c, vm);
    if (status == SG_OK)
        status = take_pose(&c, vm, args->v[2], &r, &R, &turned);
    if (status == SG_OK)
        status = take(&c, vm, 3, "q", c.a.q);
    if (status == SG_OK) {
        sg_part_reached reached = sg_part_inverse_kinematics(&c.a, c.object, r, turned ? &R : NULL);
        if (c.a.arena.failed)
            status = SG_ERR_MEMORY;
        else if (!reached.ok)
            status = sg_raise(vm, "ErrorException", SG_E_ARGUMENT, args->span,
                              "inverseKinematics!: '%s' cannot be brought there; %.3g m and %.3g "
                              "rad are missing",
                              sg_text_of(vm, args->v[1]), reached.gap, reached.angle);
        else
            status = set_start(&c, vm);
    }
    if (status == SG_OK)
        status = vector(vm, c.a.q, (size_t)c.a.n, out);
    end(&c);
    return status;
}

bool sg_session_register_analysis(sg_session *session)
{
    static const sg_session_function list[] = {
        {"massMatrix", mass_matrix_native, NULL},
        {"jacobian", jacobian_native, NULL},
        {"inverseDynamics", inverse_dynamics_native, NULL},
        {"forwardKinematics", forward_kinematics_native, NULL},
        {"inverseKinematics!", inverse_kinematics_native, NULL},
        {"totalMass", total_mass_native, NULL},
        {"coordinateNames", coordinate_names_native, NULL}};
    return sg_session_register(session, list, SG_COUNT(list));
}
