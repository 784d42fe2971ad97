// Pictures of a run: a page for the browser, and files for other programs.
//
//     sg_page_options options = sg_page_options_make();
//     sg_page_write(result, "robot.html", &options, NULL, diags);
//     sg_scene_export(result, "robot.glb", SG_SCENE_GLB, diags);
//
// A run file holds what is needed (docs/formats.md), so a page can be made of any result, later and
// elsewhere. Results without a scene (models without 3D parts, other formats) give a page with
// plots only. docs/page.md says what the page can do.
#pragma once

#include "segue/diag.h"
#include "segue/export.h"
#include "segue/result.h"
#include "segue/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sg_page_options {
    size_t size;                // of this struct, as its maker fills it in
    const char *title;          // null: the name of the model
    double max_size;            // [bytes] signals are left out that would make the page larger
    const char *const *signals; // glob patterns of the signals to keep; none keeps all
    size_t n_signals;
} sg_page_options;

typedef struct sg_page_report {
    uint64_t bytes;            // size of the page
    size_t n_signals, n_left;  // signals in it, and left out to keep it small
    size_t n_bodies, n_frames; // of the picture
} sg_page_report;

SG_API sg_page_options sg_page_options_make(void); // at most 5 MB, as far as signals can help it
// Whether this build can make pages; if not, *why says what was missing when it was built.
SG_API bool sg_page_available(const char **why);
// The file appears complete or not at all. `report` may be null. SG_ERR_USAGE with a diagnostic
// where this build has no page, or the result no points.
SG_API sg_status sg_page_write(const sg_result *result, const char *path,
                               const sg_page_options *options, sg_page_report *report,
                               sg_diags *diags);

// The page of a study (segue/study.h): its table, sliders over what was varied that pick a run,
// curves of runs that were kept over each other, and the run that is picked with its picture.
typedef struct sg_study_page {
    size_t size; // of this struct, as its maker fills it in
    const char *title;
    const char *table;  // text of the table, as sg_study_table_write hands it out
    size_t n_table;     // [bytes]
    size_t n_variables; // columns behind the number of the run that were varied
    // Runs that were kept: their numbers, and their files.
    const uint64_t *runs;
    const char *const *files;
    size_t n_runs;
    double max_size; // [bytes], default 20 MB; what does not fit is left out evenly
} sg_study_page;

typedef struct sg_study_page_report {
    uint64_t bytes;    // size of the page
    uint64_t rows, of; // rows of the table in it, and those there are
    size_t curves;     // runs whose curves are in it
    size_t whole;      // runs that are in it as a whole
    size_t n_signals;  // of the curves
} sg_study_page_report;

SG_API sg_study_page sg_study_page_make(void);
// As sg_page_write.
SG_API sg_status sg_study_page_write(const sg_allocator *allocator, const sg_study_page *study,
                                     const char *path, sg_study_page_report *report,
                                     sg_diags *diags);

// Files of a scene for other programs.
typedef enum sg_scene_format {
    SG_SCENE_THREE, // JSON object scene of three.js, with its motion
    SG_SCENE_GLB,   // binary glTF 2.0, with its motion
    SG_SCENE_OBJ,   // surfaces where the run begins: Wavefront OBJ
    SG_SCENE_STL    // ... and binary STL
} sg_scene_format;

// The file appears complete or not at all. SG_ERR_USAGE with a diagnostic where the result has no
// scene.
SG_API sg_status sg_scene_export(const sg_result *result, const char *path, sg_scene_format format,
                                 sg_diags *diags);

#ifdef __cplusplus
}
#endif
