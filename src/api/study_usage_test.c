// Every public function of studies with arguments that cannot be.
#include "harness/sg_test.h"
#include "segue/study.h"

#include <math.h>

SG_TEST(studies_take_impossible_arguments)
{
    sg_study *s = NULL;
    sg_study_row row;
    sg_study_table *table = NULL;
    double v;
    sg_study_options o = sg_study_options_make();
    SG_CHECK(sg_study_create(NULL, NULL, NULL, NULL) == SG_ERR_USAGE);
    o.size = 3;
    SG_CHECK(sg_study_create(NULL, &o, NULL, &s) == SG_ERR_USAGE && !s);
    SG_CHECK(sg_study_create(NULL, NULL, NULL, &s) == SG_OK && sg_study_count(s) == 1);
    SG_CHECK(sg_study_count(NULL) == 0 && sg_study_variables(NULL) == 0 &&
             sg_study_metrics(NULL) == 0);
    SG_CHECK(!sg_study_variable(s, 0) && !sg_study_metric(s, 0) && !sg_study_header(NULL));
    SG_CHECK(sg_study_point(s, 0, &v, 1, NULL) == SG_ERR_USAGE);
    SG_CHECK(sg_study_run(s, NULL, NULL, 0, NULL, &row) == SG_ERR_USAGE);
    SG_CHECK(sg_study_run_options_make().size > 0);
    SG_CHECK(sg_study_lost(s, 5, "x", &row) == SG_ERR_USAGE);
    SG_CHECK(sg_study_table_create(NULL, &table) == SG_ERR_USAGE);
    SG_CHECK(sg_study_table_create(s, &table) == SG_OK);
    SG_CHECK(sg_study_table_add(table, NULL, 1) == SG_ERR_USAGE);
    SG_CHECK(!sg_study_table_has(table, 7) && !sg_study_table_failed(table, 7));
    SG_CHECK(sg_study_table_count(NULL) == 0 && sg_study_table_failures(NULL) == 0);
    sg_study_table_write(NULL, NULL, NULL);
    sg_study_table_write_times(table, NULL, NULL);
    sg_result *result = NULL;
    SG_CHECK(sg_study_table_result(NULL, NULL, &result) == SG_ERR_USAGE);
    SG_CHECK(sg_study_table_result(table, NULL, NULL) == SG_ERR_USAGE);
    sg_study_table_drop_failed(NULL);
    sg_study_search *search = NULL;
    SG_CHECK(sg_study_search_create(NULL, NULL, &search) == SG_ERR_USAGE);
    SG_CHECK(sg_study_search_create(s, NULL, &search) == SG_ERR_USAGE && !search); // no variables
    SG_CHECK(sg_study_search_points(NULL, &v, 1) == SG_ERR_USAGE);
    SG_CHECK(sg_study_search_tell(NULL, &v, 1) == SG_ERR_USAGE);
    SG_CHECK(sg_study_search_count(NULL) == 0 && sg_study_search_spread(NULL) == 0.0);
    SG_CHECK(isnan(sg_study_table_metric(NULL, 0, 0)) && isnan(sg_study_table_metric(table, 0, 9)));
    sg_study_search_destroy(NULL);
    sg_study_index index;
    SG_CHECK(sg_study_table_index(NULL, 0, 0, &index) == SG_ERR_USAGE);
    SG_CHECK(sg_study_table_index(table, 0, 0, &index) == SG_ERR_USAGE);
    sg_study_table_destroy(table);
    sg_study_table_destroy(NULL);
    sg_study_destroy(s);
    sg_study_destroy(NULL);
}
