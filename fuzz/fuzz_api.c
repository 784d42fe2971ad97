// Any sequence of calls of the public functions, with arguments that are valid, null, or beyond the
// end, comes back; what was made can be destroyed.
//
// Bytes choose the calls and their arguments. Objects made so far (sessions, results, comparisons,
// figures, shapes, queries, systems of bodies) stay in a few slots that later calls draw from; an
// empty slot is null. What the rules of the headers ask of a caller is kept: results are closed
// before the session that made them, and arrays are as long as promised.
#define _GNU_SOURCE // memfd_create
#include "segue/component.h"
#include "segue/multibody.h"
#include "segue/page.h"
#include "segue/session.h"
#include "segue/text.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SLOTS = 3, ROOM = 4096, MOST_CALLS = 60 };

typedef struct caller {
    const uint8_t *at, *end;
    sg_session *session;
    sg_result *kept[SLOTS]; // of that session, retained
    sg_result *result[SLOTS];
    sg_comparison *comparison;
    sg_figure *figure;
    sg_shape *shape[SLOTS];
    sg_distance_query *query;
    sg_multibody *system;
    sg_diags *diags;
} caller;

static double room[ROOM];

static unsigned next(caller *c) { return c->at < c->end ? *c->at++ : 0; }

// One of a few numbers that matter.
static size_t index_of(caller *c)
{
    static const size_t list[] = {0, 1, 2, 3, 50, 1000, UINT32_MAX, SIZE_MAX};
    return list[next(c) % 8];
}

static int number(caller *c)
{
    static const int list[] = {0, 1, 2, 3, -1, 77, INT_MAX, INT_MIN};
    return list[next(c) % 8];
}

static double real(caller *c)
{
    static const double list[] = {0.0,    1.0,   -1.0,        0.5,
                                  1e-300, 1e300, (double)NAN, (double)INFINITY};
    return list[next(c) % 8];
}

static const char *text(caller *c)
{
    static const char *const list[] = {NULL,  "",        "x",    "m",          "time",   "*",
                                       "ast", "x[1]",    "flat", "x[1:end]",   "der(x)", "blocks",
                                       "]",   "program", "\xff", "no\x1bname", "x[99]",  "model"};
    return list[next(c) % (sizeof list / sizeof list[0])];
}

static sg_diags *list(caller *c) { return next(c) % 4 ? c->diags : NULL; }

static sg_result *some_result(caller *c)
{
    unsigned k = next(c);
    return k & 8 ? c->kept[k % SLOTS] : c->result[k % SLOTS];
}

// An array for `n` numbers, or null.
static double *array(caller *c) { return next(c) % 8 ? room : NULL; }

static void drop(void *context, const char *bytes, size_t length)
{
    (void)context, (void)bytes, (void)length;
}

// ---- sessions and their results -----------------------------------------------------------------

static void keep(void *context, sg_result *result)
{
    caller *c = context;
    for (int i = 0; i < SLOTS; i++)
        if (!c->kept[i]) {
            c->kept[i] = sg_result_retain(result);
            return;
        }
}

static void close_session(caller *c)
{
    sg_figure_destroy(c->figure);
    sg_comparison_destroy(c->comparison);
    c->figure = NULL;
    c->comparison = NULL;
    for (int i = 0; i < SLOTS; i++) {
        sg_result_destroy(c->kept[i]);
        c->kept[i] = NULL;
    }
    sg_session_destroy(c->session);
    c->session = NULL;
}

static void open_session(caller *c)
{
    close_session(c);
    sg_session_options o = sg_session_options_make();
    unsigned flags = next(c);
    o.output_dir = "/dev/null/nowhere";
    o.context = c;
    o.finished = flags & 1 ? keep : NULL;
    o.scene = flags & 2 ? SG_SCENE_RECORDED : SG_SCENE_WITH_FILES;
    o.check_only = flags & 4;
    o.balance = flags & 8;
    o.max_cpu_time = 0.2;
    o.max_events = 100;
    if (flags & 16)
        o.tolerance = real(c);
    if (flags & 32)
        o.stop_time = real(c);
    if (flags & 64)
        o.n_settings = index_of(c) % 2;
    if (flags & 128)
        o.compat = text(c);
    sg_session_create(NULL, next(c) % 16 ? &o : NULL, next(c) % 16 ? &c->session : NULL);
}

static const char *const scripts[] = {
    "using Modia\nM = Model(x = Var(init = 1.0), equations = :[der(x) = -x])\nm = "
    "@instantiateModel(M)\nsimulate!(m, stopTime = 0.1, interval = 0.05)\n",
    "using Modia3D\nB = Model3D(world = Object3D(feature = Scene()), b = Object3D(parent = :world, "
    "fixedToParent = false, feature = Solid(shape = Sphere(diameter = 0.1), solidMaterial = "
    "\"Steel\")))\nb = @instantiateModel(B, unitless = true)\nsimulate!(b, stopTime = 0.05)\n",
    "x = undefined_name\n", "", "error(\"no\")\n"};

static void use_session(caller *c)
{
    const char *out, *file;
    unsigned line, column;
    static const sg_component nameless = {.abi = SG_COMPONENT_ABI};
    switch (next(c) % 10) {
    case 0:
    case 1: {
        const char *script = scripts[next(c) % 5];
        sg_session_run_text(c->session, "fuzz.jl", script, strlen(script));
        break;
    }
    case 2:
        sg_session_run_text(c->session, text(c), NULL, next(c) % 2);
        break;
    case 3:
        sg_session_run_file(c->session, text(c));
        break;
    case 4:
        sg_session_summary(c->session, next(c) % 8 ? &out : NULL);
        break;
    case 5:
        sg_session_info(c->session, text(c), next(c) % 8 ? &out : NULL);
        sg_session_superobjects(c->session, text(c), next(c) % 8 ? &out : NULL);
        break;
    case 6:
        sg_session_dump(c->session, text(c), text(c), next(c) % 8 ? &out : NULL);
        break;
    case 7:
        sg_session_diag(c->session, index_of(c), &file, &line, next(c) % 2 ? &column : NULL);
        sg_session_place(c->session, &file, &line, &column);
        break;
    case 8:
        sg_session_add_component(c->session, next(c) % 2 ? &nameless : NULL);
        sg_session_load_components(c->session, text(c));
        break;
    default:
        sg_session_exit_status(c->session);
        sg_session_output(c->session);
        sg_session_skipped(c->session);
    }
}

// ---- results ------------------------------------------------------------------------------------

// From a file that exists in memory only, or from nowhere.
static void open_result(caller *c)
{
    static const char table[] = "time,x,r[1],r[2]\n0,1,2,3\n0.5,NaN,,4\n1,-1,0,1e300\n";
    static int fd = -1;
    char path[64];
    if (fd < 0 && ((fd = memfd_create("table", 0)) < 0 || write(fd, table, sizeof table - 1) < 0))
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    sg_result **slot = &c->result[next(c) % SLOTS];
    sg_result_destroy(*slot);
    *slot = NULL;
    sg_result_open(NULL, next(c) % 4 ? path : text(c), list(c), next(c) % 8 ? slot : NULL);
}

static void use_result(caller *c)
{
    sg_result *r = some_result(c);
    size_t i = index_of(c);
    sg_extent extent;
    char name[32];
    switch (next(c) % 8) {
    case 0:
        sg_result_describe(r);
        sg_result_segment(r, i);
        sg_result_event(r, i);
        break;
    case 1:
        sg_result_parameter_at(r, i);
        sg_result_attribute_at(r, i);
        sg_result_signal_segments(r, i);
        break;
    case 2:
        sg_element_name(sg_result_signal(r, i), (uint32_t)index_of(c), name, next(c) % 33);
        break;
    case 3: {
        size_t n = index_of(c);
        if (n <= ROOM || n > sg_result_points(r)) // else the array would be too short
            sg_result_values(r, text(c), index_of(c), n, array(c), list(c));
        break;
    }
    case 4:
        sg_result_extent(r, i, (uint32_t)index_of(c), next(c) % 8 ? &extent : NULL, list(c));
        break;
    case 5: {
        sg_compare_options o = sg_compare_options_make();
        o.rtol = real(c);
        o.n_signals = next(c) % 8 == 0;
        sg_comparison_destroy(c->comparison);
        c->comparison = NULL;
        sg_result_compare(NULL, r, some_result(c), next(c) % 4 ? &o : NULL, list(c),
                          &c->comparison);
        break;
    }
    case 6:
        sg_comparison_get(c->comparison, i);
        sg_comparison_worst(c->comparison);
        sg_comparison_count(c->comparison);
        break;
    default: {
        sg_convert_options o = sg_convert_options_make();
        o.format = text(c);
        sg_result_convert(r, "/dev/null/nowhere.csv", &o, list(c));
        sg_scene_export(r, "/dev/null/nowhere", (sg_scene_format)number(c), list(c));
        sg_page_write(r, "/dev/null/nowhere.html", NULL, NULL, list(c));
    }
    }
}

static void use_figure(caller *c)
{
    sg_figure_options o = sg_figure_options_make();
    sg_text_plot style = {number(c), number(c), next(c) % 2, next(c) % 2};
    o.x_axis = text(c);
    o.width = real(c);
    o.max_legend = (uint32_t)index_of(c);
    switch (next(c) % 4) {
    case 0:
        sg_figure_destroy(c->figure);
        c->figure = sg_figure_create(NULL);
        break;
    case 1:
        sg_figure_plot(c->figure, (uint32_t)index_of(c), (uint32_t)index_of(c), some_result(c),
                       text(c), text(c), list(c));
        break;
    case 2:
        sg_figure_print(c->figure, next(c) % 2 ? &o : NULL, style, next(c) % 8 ? drop : NULL, NULL,
                        list(c));
        break;
    default:
        sg_figure_save(c->figure, "/dev/null/nowhere.svg", &o, list(c));
    }
}

// ---- shapes and bodies --------------------------------------------------------------------------

static sg_shape_spec spec_of(caller *c)
{
    sg_shape_spec s = {.kind = (sg_shape_kind)number(c), .axis = number(c)};
    if (next(c) % 2)
        s.kind = (sg_shape_kind)(next(c) % 8);
    for (int i = 0; i < 3; i++)
        s.size[i] = real(c);
    s.smoothing = real(c);
    s.vertices = array(c);
    s.n_vertices = next(c) % 9;
    return s;
}

static void use_shapes(caller *c)
{
    sg_placement place[2] = {{.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}},
                             {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}}};
    sg_shape_spec spec = spec_of(c);
    sg_distance_answer answer;
    sg_distance_query_options settings = sg_distance_query_options_make();
    unsigned k = next(c) % SLOTS;
    switch (next(c) % 3) {
    case 0:
        sg_shape_destroy(c->shape[k]);
        c->shape[k] = NULL;
        sg_shape_create(NULL, next(c) % 8 ? &spec : NULL, NULL, &c->shape[k]);
        sg_shape_bound(c->shape[k]);
        break;
    case 1:
        settings.mode = (sg_distance_mode)number(c);
        settings.mpr_tolerance = real(c);
        settings.mpr_iterations = number(c) % 1000;
        sg_distance_query_destroy(c->query);
        c->query = NULL;
        sg_distance_query_create(NULL, next(c) % 4 ? &settings : NULL, &c->query);
        sg_distance_query_reset(c->query);
        break;
    default:
        place[1].r[next(c) % 3] = real(c);
        place[0].R[next(c) % 9] += real(c);
        sg_distance_between(c->query, c->shape[k], &place[0], c->shape[next(c) % SLOTS],
                            next(c) % 8 ? &place[1] : NULL, next(c) % 8 ? &answer : NULL);
    }
}

static void make_system(caller *c)
{
    sg_multibody_object o[4];
    sg_multibody_gravity g = {(sg_multibody_field)(next(c) % 4), {real(c), 0, -9.81}, real(c)};
    int n = (int)(next(c) % 5);
    for (int i = 0; i < n; i++) {
        o[i] = sg_multibody_object_make(text(c), i - 1, (sg_multibody_joint)(next(c) % 5));
        sg_shape_spec spec = spec_of(c);
        sg_multibody_set_shape(&o[i], &spec, real(c));
        if (next(c) % 8 == 0)
            o[i].parent = number(c);
        if (next(c) % 8 == 0)
            o[i].axis[2] = real(c);
    }
    sg_multibody_link link = {.obj1 = number(c), .obj2 = number(c), .axis = {1.0}};
    if (next(c) % 4 == 0 && n)
        sg_multibody_connect(o, n, number(c), &link, list(c));
    sg_multibody_destroy(c->system);
    c->system = NULL;
    sg_multibody_create(NULL, n ? o : NULL, n, g, list(c), &c->system);
}

static void use_system(caller *c)
{
    sg_placement pose;
    double v[6] = {0};
    int object = number(c);
    room[next(c) % 8] = real(c);
    switch (next(c) % 6) {
    case 0:
        sg_multibody_set_state(c->system, array(c), array(c));
        sg_multibody_rates(c->system, array(c));
        sg_multibody_switch_angles(c->system, array(c));
        break;
    case 1:
        sg_multibody_pose(c->system, object, next(c) % 8 ? &pose : NULL);
        sg_multibody_velocity(c->system, object, v, v + 3);
        sg_multibody_acceleration(c->system, object, v, v + 3);
        break;
    case 2:
        sg_multibody_jacobian(c->system, object, array(c));
        sg_multibody_mass_matrix(c->system, array(c));
        break;
    case 3:
        v[0] = real(c);
        sg_multibody_apply(c->system, object, v, v + 3);
        sg_multibody_apply_at(c->system, object, v, v + 3);
        sg_multibody_clear_forces(next(c) % 2 ? c->system : NULL);
        break;
    case 4:
        sg_multibody_inverse(c->system, array(c), room + 64);
        sg_multibody_reaction(c->system, object, v, v + 3);
        break;
    default:
        sg_multibody_forward(c->system, array(c), room + 64, list(c));
        sg_multibody_balance_of(c->system);
        sg_multibody_first(c->system, object);
        sg_multibody_body_root(c->system, object);
    }
}

static void call_one(caller *c)
{
    switch (next(c) % 10) {
    case 0:
        open_session(c);
        break;
    case 9:
        open_result(c);
        break;
    case 1:
    case 2:
        use_session(c);
        break;
    case 3:
    case 4:
        use_result(c);
        break;
    case 5:
        use_figure(c);
        break;
    case 6:
        use_shapes(c);
        break;
    case 7:
        make_system(c);
        break;
    default:
        use_system(c);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    caller c = {.at = data, .end = data + size, .diags = sg_diags_create(NULL)};
    memset(room, 0, sizeof room);
    for (int n = 0; n < MOST_CALLS && c.at < c.end; n++)
        call_one(&c);
    close_session(&c);
    for (int i = 0; i < SLOTS; i++) {
        sg_result_destroy(c.result[i]);
        sg_shape_destroy(c.shape[i]);
    }
    sg_distance_query_destroy(c.query);
    sg_multibody_destroy(c.system);
    sg_diags_destroy(c.diags);
    return 0;
}
