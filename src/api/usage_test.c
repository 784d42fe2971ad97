// Every public function is called with what cannot be: null, numbers beyond the end, kinds that do
// not exist. It says SG_ERR_USAGE, or null, or nothing happens; the program goes on.
//
// tests/headers/check.sh sees to it that no function of include/segue is missing here.
#include "harness/sg_test.h"
#include "segue/actions.h"
#include "segue/component.h"
#include "segue/fmu.h"
#include "segue/helper.h"
#include "segue/mechanics.h"
#include "segue/model.h"
#include "segue/multibody.h"
#include "segue/page.h"
#include "segue/reference.h"
#include "segue/robot.h"
#include "segue/session.h"
#include "segue/text.h"
#include "segue/wall.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define REFUSED(call) SG_CHECK_MSG((call) == SG_ERR_USAGE, "%s", #call)

static void drop(void *context, const char *text, size_t length)
{
    (void)context, (void)text, (void)length;
}

SG_TEST(lists_of_messages_that_are_not_there_are_empty)
{
    SG_CHECK(sg_allocator_default() != NULL);
    sg_diags_destroy(NULL);
    sg_diags_clear(NULL);
    SG_CHECK(sg_diags_count(NULL) == 0 && !sg_diags_get(NULL, 0));
    sg_diags *diags = sg_diags_create(NULL);
    SG_REQUIRE(diags);
    SG_CHECK(!sg_diags_get(diags, 0) && !sg_diags_get(diags, SIZE_MAX));
    sg_diags_destroy(diags);
}

SG_TEST(text_that_is_not_there_has_no_harmless_part)
{
    char escape[SG_ESCAPE_SIZE];
    size_t skip;
    SG_CHECK(sg_text_harmless(NULL, 5, &skip, escape) == 0);
    SG_CHECK(sg_text_harmless("text", 4, NULL, escape) == 0);
    SG_CHECK(sg_text_harmless("text", 4, &skip, NULL) == 0);
    SG_CHECK(sg_text_harmless("text", 0, &skip, escape) == 0 && skip == 0 && !escape[0]);
}

SG_TEST(walls_and_helpers_refuse_what_cannot_be)
{
    const char *const missing = sg_wall_missing(0);
    sg_wall *wall = sg_wall_create();
    SG_CHECK(missing && missing[0]);
    sg_wall_read(NULL, "x");
    sg_wall_read(wall, NULL);
    sg_wall_read_beside(NULL, "x");
    sg_wall_read_beside(wall, NULL);
    sg_wall_write(NULL, "x");
    sg_wall_write(wall, NULL);
    sg_wall_output(NULL, "x", true);
    sg_wall_output(wall, NULL, true);
    SG_CHECK(!sg_wall_scratch(NULL));
    SG_CHECK(sg_wall_enter(NULL) == 0);
    sg_wall_abandon(NULL);
    sg_wall_abandon(wall);
    sg_wall_destroy(NULL);
    sg_wall_destroy(wall);
    char words[SG_HELPER_WORDS];
    const void *answer;
    size_t n;
    sg_helper *helper;
    sg_helper_service service = sg_helper_service_make(); // serves nothing
    REFUSED(sg_helper_start(NULL, &helper));
    REFUSED(sg_helper_start(&service, NULL));
    REFUSED(sg_helper_start(&service, &helper));
    REFUSED(sg_mesh_helper_start(NULL));
    REFUSED(sg_native_helper_start(NULL, NULL));
    REFUSED(sg_fmu_helper_start(NULL));
    REFUSED(sg_helper_ask(NULL, "x", 1, &answer, &n, words));
    SG_CHECK(!sg_helper_answer_put(NULL, "x", 1));
    sg_helper_destroy(NULL);
}

static const sg_component nameless = {.abi = SG_COMPONENT_ABI};
static const sg_action_program idle = {.name = "idle"};

SG_TEST(sessions_refuse_what_cannot_be)
{
    const char *text;
    sg_session *session = NULL;
    sg_session_options options = sg_session_options_make();
    SG_CHECK(sg_default_memory() > 0);
    char folder[4];
    SG_CHECK(!sg_script_folder(NULL, folder, sizeof folder) && !sg_script_folder("x", NULL, 9));
    SG_CHECK(!sg_script_folder("x.jl", folder, sizeof folder)); // no room
    sg_session_options odd = options;
    odd.size = 3;
    REFUSED(sg_session_create(NULL, &odd, &session));
    odd.size = sizeof odd + 8; // of a later header
    REFUSED(sg_session_create(NULL, &odd, &session));
    REFUSED(sg_session_create(NULL, &options, NULL));
    REFUSED(sg_session_add_component(NULL, &nameless));
    REFUSED(sg_session_load_components(NULL, "x.so"));
    REFUSED(sg_session_add_actions(NULL, &idle));
    REFUSED(sg_action_list_add(NULL, &(sg_action_command){.kind = SG_ACTION_WAIT}));
    REFUSED(sg_action_list_add_path(NULL, &(sg_action_path){.n = 1}));
    REFUSED(sg_session_run_file(NULL, "x.jl"));
    REFUSED(sg_session_run_text(NULL, "x", "1", 1));
    sg_run_shares shares;
    SG_CHECK(!sg_session_run_shares(NULL, 0, &shares));
    REFUSED(sg_session_summary(NULL, &text));
    REFUSED(sg_session_info(NULL, NULL, &text));
    REFUSED(sg_session_overview(NULL, NULL, &text));
    REFUSED(sg_session_superobjects(NULL, NULL, &text));
    REFUSED(sg_session_dump(NULL, "ast", "x.jl", &text));
    SG_CHECK(sg_session_exit_status(NULL) == 1 && sg_session_diag_count(NULL) == 0);
    SG_CHECK(!sg_session_output(NULL) && sg_session_skipped(NULL) == 0);
    SG_CHECK(!sg_session_diag(NULL, 0, NULL, NULL, NULL));
    SG_CHECK(!sg_session_place(NULL, NULL, NULL, NULL));
    SG_CHECK(sg_default_memory() > 0);
    SG_CHECK(sg_exit_status_of((sg_status)1000) == 2);
    const char *place;
    unsigned row, col;
    SG_CHECK(!sg_session_place(NULL, &place, &row, &col));
    sg_session_destroy(NULL);

    SG_REQUIRE(sg_session_create(NULL, &options, &session) == SG_OK);
    REFUSED(sg_session_add_component(session, NULL));
    REFUSED(sg_session_add_component(session, &nameless));
    REFUSED(sg_session_load_components(session, NULL));
    REFUSED(sg_session_add_actions(session, NULL));
    REFUSED(sg_session_add_actions(session, &idle));
    REFUSED(sg_session_run_file(session, NULL));
    REFUSED(sg_session_run_text(session, NULL, "1", 1));
    REFUSED(sg_session_run_text(session, "x", NULL, 1));
    SG_CHECK(sg_session_run_text(session, "empty", NULL, 0) == SG_OK);
    SG_CHECK(!sg_session_run_shares(session, 0, &(sg_run_shares){0}) &&
             !sg_session_run_shares(session, 0, NULL));
    REFUSED(sg_session_summary(session, NULL));
    REFUSED(sg_session_info(session, NULL, NULL));
    REFUSED(sg_session_overview(session, NULL, NULL));
    REFUSED(sg_session_info(session, "no such model", &text));
    REFUSED(sg_session_superobjects(session, NULL, NULL));
    REFUSED(sg_session_dump(session, NULL, "x.jl", &text));
    REFUSED(sg_session_dump(session, "ast", NULL, &text));
    REFUSED(sg_session_dump(session, "ast", "x.jl", NULL));
    REFUSED(sg_session_dump(session, "no stage", "x.jl", &text));
    SG_CHECK(!sg_session_place(session, NULL, NULL, NULL));
    SG_CHECK(sg_session_exit_status(session) == 1);
    SG_CHECK(sg_session_diag_count(session) > 0 && sg_session_diag(session, 0, NULL, NULL, NULL));
    const char *file = "?";
    unsigned line = 1, column = 1;
    SG_CHECK(!sg_session_diag(session, 50, &file, &line, &column));
    SG_CHECK(!file[0] && line == 0 && column == 0);
    SG_CHECK(!sg_session_diag(session, SIZE_MAX, &file, &line, &column));
    sg_session_destroy(session);
}

static bool refuses(sg_session_options options)
{
    sg_session *session = NULL;
    sg_status status = sg_session_create(NULL, &options, &session);
    sg_session_destroy(session);
    return status == SG_ERR_USAGE && !session;
}

SG_TEST(options_of_sessions_that_cannot_be_are_refused)
{
    static const sg_setting no_name = {NULL, "1"};
    static const char *const no_folder[] = {NULL};
    sg_session_options usual = sg_session_options_make(), o = usual;
    o.n_settings = 1;
    SG_CHECK(refuses(o));
    o.settings = &no_name;
    SG_CHECK(refuses(o));
    o = usual;
    o.n_allow_read = 1;
    SG_CHECK(refuses(o));
    o.allow_read = no_folder;
    SG_CHECK(refuses(o));
    o = usual;
    o.n_sinks = 1;
    SG_CHECK(refuses(o));
    o = usual;
    o.tolerance = -1e-6;
    SG_CHECK(refuses(o));
    o = usual;
    o.interval = HUGE_VAL;
    SG_CHECK(refuses(o));
    o = usual;
    o.stop_time = -HUGE_VAL;
    SG_CHECK(refuses(o));
    o = usual;
    o.max_cpu_time = (double)NAN;
    SG_CHECK(refuses(o));
    o = usual;
    o.compat = "modia-9000";
    SG_CHECK(refuses(o));
}

static const char *make_csv(void)
{
    static const char path[] = SG_SCRATCH "/usage.csv";
    FILE *file = fopen(path, "w");
    if (file) {
        fputs("time,x\n0,1\n1,2\n", file);
        fclose(file);
    }
    return path;
}

static void check_without_result(void)
{
    double x[4];
    sg_result *r = NULL;
    sg_extent extent;
    sg_comparison *c = NULL;
    sg_page_report report;
    const char *why;
    REFUSED(sg_result_open(NULL, NULL, NULL, &r));
    REFUSED(sg_result_open(NULL, "x.csv", NULL, NULL));
    SG_CHECK(sg_result_open(NULL, "no such file", NULL, &r) == SG_ERR_IO && !r);
    SG_CHECK(!sg_result_retain(NULL));
    sg_result_destroy(NULL);
    SG_CHECK(sg_result_describe(NULL).n_points == 0 && sg_result_describe(NULL).path[0] == '\0');
    SG_CHECK(sg_result_points(NULL) == 0 && sg_result_signal_segments(NULL, 0) == 0);
    SG_CHECK(!sg_result_signal(NULL, 0) && !sg_result_parameter_at(NULL, 0));
    SG_CHECK(!sg_result_attribute_at(NULL, 0) && !sg_result_event(NULL, 0));
    SG_CHECK(sg_result_segment(NULL, 0).n_points == 0);
    sg_contact_entry contact;
    SG_CHECK(sg_result_contact_count(NULL) == 0);
    REFUSED(sg_result_contacts(NULL, 0, 1, &contact, NULL));
    REFUSED(sg_result_values(NULL, "x", 0, 1, x, NULL));
    REFUSED(sg_result_extent(NULL, 0, 0, &extent, NULL));
    SG_CHECK(!sg_glob_name(NULL, "x") && !sg_glob_name("*", NULL) && !sg_result_is_one(NULL));
    REFUSED(sg_result_convert(NULL, "x.csv", NULL, NULL));
    REFUSED(sg_result_compare(NULL, NULL, NULL, NULL, NULL, &c));
    SG_CHECK(sg_comparison_count(NULL) == 0 && sg_comparison_different(NULL) == 0);
    SG_CHECK(!sg_comparison_get(NULL, 0) && !sg_comparison_worst(NULL));
    sg_comparison_destroy(NULL);
    REFUSED(sg_page_write(NULL, "x.html", NULL, &report, NULL));
    REFUSED(sg_scene_export(NULL, "x.glb", SG_SCENE_GLB, NULL));
    SG_CHECK(sg_page_available(NULL) == sg_page_available(&why));
}

static void check_result(sg_result *r)
{
    double x[4];
    sg_extent extent;
    sg_comparison *c = NULL;
    sg_convert_options convert = sg_convert_options_make();
    sg_compare_options compare = sg_compare_options_make();
    sg_page_options page = sg_page_options_make();
    SG_CHECK(!sg_result_signal(r, SIZE_MAX) && !sg_result_parameter_at(r, SIZE_MAX));
    SG_CHECK(!sg_result_attribute_at(r, SIZE_MAX) && !sg_result_event(r, SIZE_MAX));
    SG_CHECK(sg_result_segment(r, SIZE_MAX).n_points == 0);
    SG_CHECK(sg_result_signal_segments(r, SIZE_MAX) == 0);
    sg_contact_entry contact;
    REFUSED(sg_result_contacts(r, SIZE_MAX, 1, &contact, NULL));
    REFUSED(sg_result_contacts(r, 0, 1, NULL, NULL));
    REFUSED(sg_result_values(r, NULL, 0, 1, x, NULL));
    REFUSED(sg_result_values(r, "x", 0, 1, NULL, NULL));
    REFUSED(sg_result_values(r, "x", UINT64_MAX, 1, x, NULL));
    REFUSED(sg_result_values(r, "x", 1, SIZE_MAX, x, NULL));
    REFUSED(sg_result_values(r, "", 0, 1, x, NULL));
    REFUSED(sg_result_extent(r, 0, 0, NULL, NULL));
    REFUSED(sg_result_extent(r, SIZE_MAX, 0, &extent, NULL));
    REFUSED(sg_result_extent(r, 0, UINT32_MAX, &extent, NULL));
    REFUSED(sg_result_convert(r, NULL, &convert, NULL));
    convert.n_signals = 1;
    REFUSED(sg_result_convert(r, SG_SCRATCH "/usage_2.csv", &convert, NULL));
    REFUSED(sg_result_compare(NULL, r, r, NULL, NULL, NULL));
    compare.rtol = (double)NAN;
    REFUSED(sg_result_compare(NULL, r, r, &compare, NULL, &c));
    SG_CHECK(sg_result_compare(NULL, r, r, NULL, NULL, &c) == SG_OK);
    SG_CHECK(!sg_comparison_get(c, SIZE_MAX) && !sg_comparison_worst(c));
    sg_comparison_destroy(c);
    REFUSED(sg_page_write(r, NULL, &page, NULL, NULL));
    page.max_size = (double)NAN;
    REFUSED(sg_page_write(r, SG_SCRATCH "/usage.html", &page, NULL, NULL));
    REFUSED(sg_scene_export(r, NULL, SG_SCENE_GLB, NULL));
    REFUSED(sg_scene_export(r, SG_SCRATCH "/usage.glb", (sg_scene_format)77, NULL));
    REFUSED(sg_scene_export(r, SG_SCRATCH "/usage.glb", SG_SCENE_GLB, NULL)); // it has no scene
}

SG_TEST(results_refuse_what_cannot_be)
{
    char name[8] = "?";
    check_without_result();
    sg_element_name(NULL, 0, name, sizeof name);
    SG_CHECK(!name[0]);
    sg_result *r = NULL;
    SG_REQUIRE(sg_result_open(NULL, make_csv(), NULL, &r) == SG_OK);
    check_result(r);
    sg_element_name(sg_result_signal(r, 0), UINT32_MAX, NULL, 8);
    sg_element_name(sg_result_signal(r, 0), UINT32_MAX, name, 0);
    sg_result_destroy(r);
}

SG_TEST(pages_of_studies_refuse_what_cannot_be)
{
    sg_study_page p = sg_study_page_make();
    sg_study_page_report report;
    REFUSED(sg_study_page_write(NULL, NULL, "x.html", &report, NULL));
    REFUSED(sg_study_page_write(NULL, &p, "x.html", &report, NULL)); // no table
    p.table = "run,k,status,message,seed\n";
    REFUSED(sg_study_page_write(NULL, &p, NULL, NULL, NULL));
    p.n_runs = 1;
    REFUSED(sg_study_page_write(NULL, &p, "x.html", &report, NULL));
    p.n_runs = 0;
    p.max_size = -1;
    REFUSED(sg_study_page_write(NULL, &p, "x.html", &report, NULL));
}

SG_TEST(pictures_of_tables_refuse_what_cannot_be)
{
    sg_result *r = NULL;
    SG_REQUIRE(sg_result_open(NULL, make_csv(), NULL, &r) == SG_OK);
    sg_table_plot_options o = sg_table_plot_options_make();
    const char *columns[] = {NULL};
    REFUSED(sg_table_plot(NULL, NULL, 0, "x.svg", &o, NULL));
    REFUSED(sg_table_plot(r, NULL, 0, NULL, &o, NULL));
    REFUSED(sg_table_plot(r, columns, 1, "x.svg", &o, NULL));
    REFUSED(sg_table_plot(r, NULL, 0, "x.svg", &o, NULL)); // points over nothing
    o.kind = SG_TABLE_MAP;
    o.x = "x";
    REFUSED(sg_table_plot(r, NULL, 0, "x.svg", &o, NULL));
    o.kind = SG_TABLE_HISTOGRAM;
    o.width = 5;
    REFUSED(sg_table_plot(r, NULL, 0, "x.svg", &o, NULL));
    sg_result_destroy(r);
}

SG_TEST(figures_refuse_what_cannot_be)
{
    sg_result *r = NULL;
    SG_REQUIRE(sg_result_open(NULL, make_csv(), NULL, &r) == SG_OK);
    sg_figure *f = sg_figure_create(NULL);
    SG_REQUIRE(f);
    sg_figure_options options = sg_figure_options_make();
    sg_text_plot style = {.width = 40, .height = 10};
    REFUSED(sg_figure_plot(NULL, 0, 0, r, "x", NULL, NULL));
    REFUSED(sg_figure_plot(f, 0, 0, NULL, "x", NULL, NULL));
    REFUSED(sg_figure_plot(f, 0, 0, r, NULL, NULL, NULL));
    REFUSED(sg_figure_plot(f, UINT32_MAX, 0, r, "x", NULL, NULL));
    REFUSED(sg_figure_plot(f, 0, UINT32_MAX, r, "x", NULL, NULL));
    REFUSED(sg_figure_save(NULL, "x.svg", &options, NULL));
    REFUSED(sg_figure_save(f, NULL, &options, NULL));
    REFUSED(sg_figure_print(NULL, &options, style, drop, NULL, NULL));
    REFUSED(sg_figure_print(f, &options, style, NULL, NULL, NULL));
    SG_CHECK(sg_figure_plot(f, 0, 0, r, "x", NULL, NULL) == SG_OK);
    style.width = style.height = INT_MIN; // sizes of a terminal are cut to what can be drawn
    SG_CHECK(sg_figure_print(f, NULL, style, drop, NULL, NULL) == SG_OK);
    style.width = style.height = INT_MAX;
    SG_CHECK(sg_figure_print(f, NULL, style, drop, NULL, NULL) == SG_OK);
    options.width = (double)NAN;
    REFUSED(sg_figure_save(f, SG_SCRATCH "/usage.svg", &options, NULL));
    options.width = 1e300;
    REFUSED(sg_figure_save(f, SG_SCRATCH "/usage.svg", &options, NULL));
    sg_figure_destroy(f);
    sg_figure_destroy(NULL);
    sg_result_destroy(r);
}

SG_TEST(distances_refuse_what_cannot_be)
{
    const sg_placement here = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    sg_shape_spec spec = {.kind = SG_SHAPE_SPHERE, .size = {1.0}};
    sg_shape *ball = NULL;
    sg_diags *diags = sg_diags_create(NULL);
    REFUSED(sg_shape_create(NULL, NULL, diags, &ball));
    SG_CHECK(sg_diags_count(diags) == 1 && !ball);
    sg_diags_destroy(diags);
    REFUSED(sg_shape_create(NULL, &spec, NULL, NULL));
    spec.kind = (sg_shape_kind)77;
    REFUSED(sg_shape_create(NULL, &spec, NULL, &ball));
    spec.kind = SG_SHAPE_MESH;
    SG_CHECK(sg_shape_create(NULL, &spec, NULL, &ball) == SG_ERR_INPUT);
    spec.kind = SG_SHAPE_CYLINDER;
    spec.size[1] = 1.0;
    spec.axis = INT_MIN;
    SG_CHECK(sg_shape_create(NULL, &spec, NULL, &ball) == SG_ERR_INPUT && !ball);
    spec.axis = 77;
    SG_CHECK(sg_shape_create(NULL, &spec, NULL, &ball) != SG_OK && !ball);
    spec.axis = 0;
    SG_REQUIRE(sg_shape_create(NULL, &spec, NULL, &ball) == SG_OK);
    SG_CHECK(sg_shape_bound(NULL) == 0.0);
    sg_shape_destroy(NULL);

    sg_distance_query_options settings = sg_distance_query_options_make();
    sg_distance_query *query = NULL;
    REFUSED(sg_distance_query_create(NULL, &settings, NULL));
    settings.mode = (sg_distance_mode)77;
    REFUSED(sg_distance_query_create(NULL, &settings, &query));
    SG_REQUIRE(sg_distance_query_create(NULL, NULL, &query) == SG_OK);
    sg_distance_answer answer;
    REFUSED(sg_distance_between(NULL, ball, &here, ball, &here, &answer));
    REFUSED(sg_distance_between(query, NULL, &here, ball, &here, &answer));
    REFUSED(sg_distance_between(query, ball, NULL, ball, &here, &answer));
    REFUSED(sg_distance_between(query, ball, &here, NULL, &here, &answer));
    REFUSED(sg_distance_between(query, ball, &here, ball, NULL, &answer));
    REFUSED(sg_distance_between(query, ball, &here, ball, &here, NULL));
    SG_CHECK(answer.message);
    sg_distance_query_reset(NULL);
    sg_distance_query_destroy(query);
    sg_distance_query_destroy(NULL);
    sg_shape_destroy(ball);

    sg_distance_cases *cases = NULL;
    REFUSED(sg_distance_cases_read(NULL, NULL, 1, NULL, &cases));
    REFUSED(sg_distance_cases_read(NULL, "x 1", 3, NULL, NULL));
    SG_CHECK(sg_distance_cases_read(NULL, NULL, 0, NULL, &cases) == SG_ERR_MODEL);
    SG_CHECK(sg_distance_cases_count(NULL) == 0 && !sg_distance_cases_get(NULL, 0));
    sg_distance_cases_destroy(NULL);
}

static void check_without_system(void)
{
    const sg_multibody_object world = sg_multibody_object_make(NULL, -1, SG_MULTIBODY_FIXED);
    const sg_multibody_gravity none = {0};
    sg_multibody_object part = world;
    sg_multibody_link link = {0};
    sg_multibody *s = NULL;
    sg_placement pose;
    double x[6] = {0};
    const sg_shape_spec ball = {.kind = SG_SHAPE_SPHERE, .size = {1.0}};
    REFUSED(sg_multibody_set_shape(NULL, &ball, 1.0));
    REFUSED(sg_multibody_set_shape(&part, NULL, 1.0));
    REFUSED(sg_multibody_set_mesh(NULL, x, 1, NULL, 0, 1.0, NULL));
    REFUSED(sg_multibody_set_mesh(&part, NULL, 3, NULL, 0, 1.0, NULL));
    REFUSED(sg_multibody_set_mesh(&part, x, 2, NULL, 3, 1.0, NULL));
    REFUSED(sg_multibody_set_mesh(&part, x, SIZE_MAX, NULL, 0, 1.0, NULL));
    REFUSED(sg_multibody_connect(NULL, 1, 0, &link, NULL));
    REFUSED(sg_multibody_connect(&part, 1, 0, NULL, NULL));
    REFUSED(sg_multibody_connect(&part, 1, 5, &link, NULL));
    REFUSED(sg_multibody_connect(&part, INT_MAX, 0, &link, NULL));
    REFUSED(sg_multibody_create(NULL, NULL, 1, none, NULL, &s));
    REFUSED(sg_multibody_create(NULL, &world, 1, none, NULL, NULL));
    REFUSED(sg_multibody_create(NULL, &world, INT_MAX, none, NULL, &s));
    REFUSED(sg_multibody_create(NULL, &world, -1, none, NULL, &s));
    SG_CHECK(sg_multibody_dof(NULL) == 0 && sg_multibody_bodies(NULL) == 0);
    SG_CHECK(sg_multibody_body_root(NULL, 0) == -1 && sg_multibody_body_of(NULL, 0) == -1);
    SG_CHECK(sg_multibody_first(NULL, 0) == -1 && sg_multibody_switch_angles(NULL, x) == 0);
    REFUSED(sg_multibody_set_state(NULL, x, x));
    sg_multibody_rates(NULL, x);
    REFUSED(sg_multibody_pose(NULL, 0, &pose));
    REFUSED(sg_multibody_velocity(NULL, 0, x, x));
    REFUSED(sg_multibody_acceleration(NULL, 0, x, x));
    REFUSED(sg_multibody_jacobian(NULL, 0, x));
    REFUSED(sg_multibody_point_jacobian(NULL, 0, x, x));
    REFUSED(sg_multibody_apply(NULL, 0, x, x));
    REFUSED(sg_multibody_apply_at(NULL, 0, x, x));
    sg_multibody_clear_forces(NULL);
    sg_multibody_inverse(NULL, x, x);
    REFUSED(sg_multibody_reaction(NULL, 0, x, x));
    REFUSED(sg_multibody_forward(NULL, x, x, NULL));
    sg_multibody_mass_matrix(NULL, x);
    SG_CHECK(sg_multibody_balance_of(NULL).kinetic == 0.0);
    sg_multibody_destroy(NULL);
}

SG_TEST(multibody_systems_refuse_what_cannot_be)
{
    check_without_system();
    sg_multibody_object parts[2] = {sg_multibody_object_make("world", -1, SG_MULTIBODY_FIXED),
                                    sg_multibody_object_make("a", 0, SG_MULTIBODY_REVOLUTE)};
    const sg_shape_spec ball = {.kind = SG_SHAPE_SPHERE, .size = {1.0}};
    const sg_multibody_gravity none = {0};
    sg_multibody *s = NULL;
    double x[6] = {0};
    SG_REQUIRE(sg_multibody_set_shape(&parts[1], &ball, 1.0) == SG_OK);
    parts[1].joint = (sg_multibody_joint)77;
    REFUSED(sg_multibody_create(NULL, parts, 2, none, NULL, &s));
    parts[1].joint = SG_MULTIBODY_REVOLUTE;
    parts[1].parent = INT_MAX;
    SG_CHECK(sg_multibody_create(NULL, parts, 2, none, NULL, &s) == SG_ERR_MODEL && !s);
    parts[1].parent = 0;
    SG_REQUIRE(sg_multibody_create(NULL, parts, 2, none, NULL, &s) == SG_OK);
    REFUSED(sg_multibody_set_state(s, NULL, x));
    REFUSED(sg_multibody_set_state(s, x, NULL));
    sg_multibody_rates(s, NULL);
    SG_CHECK(sg_multibody_switch_angles(s, NULL) == 0);
    for (int object = -1; object <= 2; object += 3) { // in front of the first, behind the last
        sg_placement pose;
        REFUSED(sg_multibody_pose(s, object, &pose));
        REFUSED(sg_multibody_velocity(s, object, x, x));
        REFUSED(sg_multibody_apply(s, object, x, x));
        SG_CHECK(sg_multibody_body_of(s, object) == -1 && sg_multibody_first(s, object) == -1);
        SG_CHECK(sg_multibody_body_root(s, object) == -1);
    }
    REFUSED(sg_multibody_pose(s, 1, NULL));
    REFUSED(sg_multibody_velocity(s, 1, NULL, x));
    REFUSED(sg_multibody_acceleration(s, 1, x, NULL));
    REFUSED(sg_multibody_jacobian(s, 1, NULL));
    REFUSED(sg_multibody_point_jacobian(s, 1, NULL, x));
    REFUSED(sg_multibody_apply(s, 1, NULL, x));
    REFUSED(sg_multibody_apply_at(s, 1, x, NULL));
    sg_multibody_inverse(s, NULL, x);
    sg_multibody_inverse(s, x, NULL);
    REFUSED(sg_multibody_reaction(s, 1, NULL, x));
    REFUSED(sg_multibody_forward(s, NULL, x, NULL));
    REFUSED(sg_multibody_forward(s, x, NULL, NULL));
    sg_multibody_mass_matrix(s, NULL);
    sg_multibody_destroy(s);
}

SG_TEST(models_refuse_what_cannot_be)
{
    double x = 1.0;
    sg_model *model = NULL;
    sg_result *result = NULL;
    static const char text[] =
        "using Modia\nA = Model(k = 1.0, x = Var(init = 1.0), equations = :[der(x) = -k*x])\n";
    sg_model_options options = sg_model_options_make();
    options.stop = 1.0;
    REFUSED(sg_model_open_file(NULL, NULL, &options, NULL, &model));
    REFUSED(sg_model_open_file(NULL, "a.jl", &options, NULL, NULL));
    REFUSED(sg_model_open_text(NULL, NULL, text, sizeof text - 1, &options, NULL, &model));
    REFUSED(sg_model_open_text(NULL, "a.jl", NULL, 4, &options, NULL, &model));
    REFUSED(sg_model_open_text(NULL, "a.jl", text, sizeof text - 1, &options, NULL, NULL));
    SG_CHECK(sg_version(NULL, NULL, NULL) != NULL);
    SG_REQUIRE(sg_model_open_text(NULL, "a.jl", text, sizeof text - 1, &options, NULL, &model) ==
               SG_OK);
    for (int i = 0; i < 2; i++) { // without a model, and with one
        sg_model *m = i ? model : NULL;
        REFUSED(sg_model_set(m, NULL, &x, 1));
        REFUSED(sg_model_set(m, "k", NULL, 1));
        REFUSED(sg_model_set(m, "nothing", &x, 1));
        REFUSED(sg_model_set_text(m, NULL, "1.0"));
        REFUSED(sg_model_set_text(m, "k", NULL));
        REFUSED(sg_model_set_text(m, "nothing", "1.0"));
        REFUSED(sg_model_get(m, NULL, &x, 1));
        REFUSED(sg_model_get(m, "k", NULL, 1));
        REFUSED(sg_model_get(m, "nothing", &x, 1));
        REFUSED(sg_model_index(m, SG_MODEL_INPUTS, NULL, NULL));
        REFUSED(sg_model_set_inputs(m, NULL, 1, &x, 1));
        REFUSED(sg_model_get_signals(m, NULL, 1, &x, 1));
        REFUSED(sg_model_run(m, NULL, NULL));
        REFUSED(sg_model_step(m));
        REFUSED(sg_model_step_to(m, 0.5));
        REFUSED(sg_model_step_toward(m, 0.5));
        size_t n_states, n_crossings;
        sg_model_event event;
        bool due;
        REFUSED(sg_model_hand_over(m, &n_states, &n_crossings));
        REFUSED(sg_model_outer_states(m, NULL, 1));
        REFUSED(sg_model_outer_nominals(m, NULL, 1));
        REFUSED(sg_model_outer_move(m, 0.0, NULL, 1));
        REFUSED(sg_model_outer_rates(m, NULL, 1));
        REFUSED(sg_model_outer_crossings(m, NULL, 1));
        REFUSED(sg_model_outer_event(m, &event));
        REFUSED(sg_model_outer_look(m, &event));
        REFUSED(sg_model_outer_step_done(m, &due));
        sg_model_experiment backward = sg_model_experiment_make(), loose = backward;
        backward.start = 0.0;
        backward.stop = -1.0;
        loose.tolerance = 2.0;
        REFUSED(sg_model_set_experiment(m, &backward));
        REFUSED(sg_model_set_experiment(m, &loose));
        REFUSED(sg_model_result(m, &result));
        REFUSED(sg_model_result(m, NULL));
        SG_CHECK(sg_model_count(m, (sg_model_list)-1) == 0);
        SG_CHECK(!sg_model_at(m, SG_MODEL_PARAMETERS, 1));
    }
    sg_model_state *state = NULL;
    REFUSED(sg_model_save(NULL, &state));
    REFUSED(sg_model_save(model, NULL));
    REFUSED(sg_model_save(model, &state)); // not initialized
    REFUSED(sg_model_restore(NULL, NULL));
    REFUSED(sg_model_restore(model, NULL));
    SG_CHECK(!sg_model_state_bytes(NULL, NULL));
    REFUSED(sg_model_state_make(NULL, NULL, 1, &state));
    REFUSED(sg_model_state_make(NULL, "x", 1, NULL));
    SG_CHECK(sg_model_state_make(NULL, "x", 1, &state) == SG_ERR_INPUT);
    REFUSED(sg_model_state_write(NULL, "x", NULL));
    REFUSED(sg_model_state_read(NULL, NULL, NULL, &state));
    REFUSED(sg_model_state_read(NULL, "x", NULL, NULL));
    sg_model_state_destroy(NULL);
    REFUSED(sg_model_initialize(NULL));
    REFUSED(sg_model_reset(NULL));
    REFUSED(sg_model_set_experiment(NULL, NULL));
    REFUSED(sg_model_record(NULL));
    REFUSED(sg_model_record(model)); // not initialized
    SG_CHECK(isnan(sg_model_get_experiment(NULL).stop) && sg_model_experiment_make().size > 0);
    SG_CHECK(sg_model_run_options_make().size > 0);
    SG_CHECK(!sg_model_look(NULL).initialized);
    const double two[] = {1.0, 2.0};
    SG_CHECK(sg_model_set(model, "k", two, 2) == SG_ERR_INPUT);
    double of_joints[9] = {0};
    char name_of[9];
    SG_CHECK(sg_model_n_coordinates(NULL) == 0 && sg_model_n_coordinates(model) == 0);
    REFUSED(sg_model_coordinate_name(model, 0, name_of, sizeof name_of));
    REFUSED(sg_model_mass_matrix(model, NULL, of_joints, 1)); // not initialized
    REFUSED(sg_model_jacobian(NULL, "a", NULL, of_joints, 6));
    REFUSED(sg_model_inverse_dynamics(NULL, NULL, NULL, of_joints, of_joints, 1));
    REFUSED(sg_model_pose(NULL, "a", NULL, of_joints, of_joints));
    REFUSED(sg_model_inverse_kinematics(NULL, "a", of_joints, NULL, of_joints, 1));
    SG_CHECK(sg_model_initialize(model) == SG_OK);
    REFUSED(sg_model_mass_matrix(model, NULL, of_joints, 0)); // no bodies
    REFUSED(sg_model_step_to(model, NAN));
    REFUSED(sg_model_step_to(model, -1.0));
    REFUSED(sg_model_step_to(model, 1.5));
    sg_model_destroy(model);
    sg_model_destroy(NULL);
}

SG_TEST(fmus_are_not_made_of_nothing)
{
    sg_fmu_options options = sg_fmu_options_make();
    REFUSED(sg_fmu_export(NULL, "a.jl", "a.fmu", &options, NULL)); // no adapter
    options.adapter = "none.so";
    REFUSED(sg_fmu_export(NULL, NULL, "a.fmu", &options, NULL));
    REFUSED(sg_fmu_export(NULL, "a.jl", NULL, &options, NULL));
    options.version = 1;
    REFUSED(sg_fmu_export(NULL, "a.jl", "a.fmu", &options, NULL));
    options.version = 3;
    options.co_simulation = false;
    REFUSED(sg_fmu_export(NULL, "a.jl", "a.fmu", &options, NULL));
}

SG_TEST(robots_are_not_made_of_nothing)
{
    sg_robot_convert_options options = sg_robot_convert_options_make();
    REFUSED(sg_robot_convert(NULL, NULL, "a.jl", &options, NULL));
    REFUSED(sg_robot_convert(NULL, "a.urdf", NULL, &options, NULL));
    SG_CHECK(sg_robot_convert(NULL, "none/a.urdf", "a.jl", NULL, NULL) == SG_ERR_IO);
    options.size = 3;
    REFUSED(sg_robot_convert(NULL, "a.urdf", "a.jl", &options, NULL));
    sg_robot_export_options back = sg_robot_export_options_make();
    REFUSED(sg_robot_export(NULL, NULL, "a.urdf", &back, NULL));
    REFUSED(sg_robot_export(NULL, "a.jl", NULL, &back, NULL));
    back.size = 3;
    REFUSED(sg_robot_export(NULL, "a.jl", "a.urdf", &back, NULL));
}

// One that was left empty is none.
SG_TEST(an_allocator_without_a_function_is_that_of_the_c_library)
{
    static const sg_allocator empty = {0};
    sg_diags *diags = sg_diags_create(&empty);
    sg_figure *figure = sg_figure_create(&empty);
    SG_REQUIRE(diags && figure);
    sg_figure_destroy(figure);
    sg_session_options options = sg_session_options_make();
    sg_session *session = NULL;
    SG_CHECK(sg_session_create(&empty, &options, &session) == SG_OK);
    sg_session_destroy(session);
    sg_result *result = NULL;
    SG_CHECK(sg_result_open(&empty, "/nowhere/x.csv", diags, &result) == SG_ERR_IO && !result);
    sg_distance_query *query = NULL;
    SG_CHECK(sg_distance_query_create(&empty, NULL, &query) == SG_OK);
    sg_distance_query_destroy(query);
    sg_shape *shape = NULL;
    const sg_shape_spec ball = {.kind = SG_SHAPE_SPHERE, .size = {1.0}};
    SG_CHECK(sg_shape_create(&empty, &ball, NULL, &shape) == SG_OK);
    sg_shape_destroy(shape);
    sg_distance_cases *cases = NULL;
    SG_CHECK(sg_distance_cases_read(&empty, "no cases", 8, NULL, &cases) != SG_OK && !cases);
    sg_multibody *system = NULL;
    const sg_multibody_object world = sg_multibody_object_make("world", -1, SG_MULTIBODY_FIXED);
    SG_CHECK(sg_multibody_create(&empty, &world, 1, (sg_multibody_gravity){0}, diags, &system) !=
             SG_ERR_USAGE);
    sg_multibody_destroy(system);
    sg_diags_destroy(diags);
}

static void count_bytes(void *context, const char *text, size_t length)
{
    (void)text;
    *(size_t *)context += length;
}

SG_TEST(the_reference_knows_what_there_is_and_refuses_what_cannot_be)
{
    char name[64];
    size_t n = 0;
    SG_CHECK(!sg_reference_help(NULL, count_bytes, &n) && !sg_reference_help("Resistor", NULL, &n));
    SG_CHECK(!sg_reference_closest(NULL, name, sizeof name) && !sg_reference_group(1000));
    SG_CHECK(!sg_reference_list(NULL, count_bytes, &n) &&
             !sg_reference_page("no", count_bytes, &n));
    SG_CHECK(sg_reference_missing(NULL, NULL) == SG_ERR_USAGE && n == 0);
    SG_CHECK(sg_reference_help("Resistor", count_bytes, &n) && n > 100);
    SG_CHECK(sg_reference_closest("Resistr", name, sizeof name));
    SG_SAME_TEXT(name, "Resistor");
    n = 0;
    SG_CHECK(sg_reference_missing(count_bytes, &n) == SG_OK && n == 0);
}
