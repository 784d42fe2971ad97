#include "natives/result_files.h"

#include "base/assert.h"
#include "result/glob.h"
#include "result/load.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MAX_PATTERNS = 512 };
static const double large_result = 100e6;  // [bytes] from which on the size is worth a note
static const double largest_result = 10e9; // ... and from which on somebody has to want it

// The length of the name that a model expression begins with: Filter of "Filter | Map(R = 5)".
static size_t name_length(const char *model)
{
    size_t n = 0;
    while (isalnum((unsigned char)model[n]) || model[n] == '_' || (unsigned char)model[n] >= 128 ||
           (n && model[n] == '.'))
        n++;
    return n;
}

// A model that is written out has no name.
static bool has_name(const char *model)
{
    size_t n = name_length(model);
    return n && !(n == 5 && memcmp(model, "Model", n) == 0) &&
           !(n == 7 && memcmp(model, "Model3D", n) == 0);
}

static bool same_stem(const char *a, const char *b)
{
    size_t n = name_length(a);
    return has_name(a) == has_name(b) &&
           (!has_name(a) || (n == name_length(b) && memcmp(a, b, n) == 0));
}

const char *sg_result_stem(sg_session *session, const char *model, enum sg_keep keep)
{
    size_t before = 0;
    const char *name = has_name(model) ? model : "model";
    for (size_t i = 0; keep == SG_KEEP_ALL && i < session->simulations.len; i++)
        before += same_stem(session->simulations.data[i].model, model);
    return before ? sg_arena_printf(&session->arena, "%.*s-%zu", (int)name_length(name), name,
                                    before + 1)
                  : sg_arena_text(&session->arena, name, name_length(name));
}

// The patterns of --signals, separated by commas; those in brackets belong to a pattern.
static size_t split_patterns(const sg_session *session, sg_arena *arena, const char **list)
{
    const char *text = session->options.signals;
    size_t n = 0;
    int depth = 0;
    for (const char *c = text, *start = text; text && n < MAX_PATTERNS; c++) {
        depth += *c == '[';
        depth -= *c == ']';
        if (*c && (*c != ',' || depth > 0))
            continue;
        if (c > start)
            list[n++] = sg_arena_text(arena, start, (size_t)(c - start));
        if (!*c)
            break;
        start = c + 1;
    }
    return arena->failed ? 0 : n;
}

// Where a run file stays; null, told, if nothing can be written there. Who did not ask for a folder
// gets a warning only, once.
static const char *kept_path(sg_session *session, const char *name, sg_span span)
{
    sg_diags why;
    sg_diags_init(&why, session->allocator);
    const char *path = sg_files_output(&session->files, name, span, &why);
    if (path && !sg_files_writable(path)) {
        sg_error(&why, SG_E_IO, span, "cannot write '%s': %s", path, strerror(errno));
        path = NULL;
    }
    const char *text = why.len ? why.list[0].message : "out of memory";
    if (!path && (session->options.output_dir || session->files.over))
        sg_error(&session->diags, why.len ? why.list[0].code : SG_E_MEMORY, span, "%s", text);
    else if (!path && !session->told.not_kept)
        sg_warning(&session->diags, SG_E_IO, span,
                   "results are not kept: %s; -o DIR takes another folder", text);
    session->told.not_kept |= !path;
    sg_diags_destroy(&why);
    return path;
}

const char *sg_script_name(const sg_session *session)
{
    const char *slash = session->file ? strrchr(session->file, '/') : NULL;
    return slash ? slash + 1 : session->file ? session->file : "";
}

// Two scripts that share a folder given by -o may have models of one name. The first run of each
// looks whose file it is about to replace.
static void tell_replaced(sg_session *session, const char *path, sg_span span)
{
    sg_diags quiet;
    sg_result *old = NULL;
    sg_diags_init(&quiet, session->allocator);
    if (access(path, R_OK) == 0 && sg_result_load(path, session->allocator, &quiet, &old) == SG_OK)
        for (size_t i = 0; i < old->n_attributes; i++) {
            const sg_attribute *a = &old->attributes[i];
            if (strcmp(a->key, "model.file") == 0 && strcmp(a->text, sg_script_name(session)) != 0)
                sg_warning(&session->diags, SG_E_IO, span,
                           "'%s', a result of '%s', is replaced; -o DIR gives each script a folder "
                           "of its own",
                           path, a->text);
        }
    sg_result_destroy(old);
    sg_diags_destroy(&quiet);
}

sg_status sg_result_files_open(sg_session *session, const char *stem, enum sg_keep keep,
                               sg_span span, sg_result_writer **out)
{
    const char *patterns[MAX_PATTERNS];
    sg_writer_options options = sg_writer_options_default();
    options.allocator = session->allocator;
    options.keep = session->options.keep_run_files && keep != SG_KEEP_NONE;
    options.signals = patterns;
    options.n_signals = split_patterns(session, &session->arena, patterns);
    const char *name = sg_arena_printf(&session->arena, "%s.segue", stem);
    uint64_t n_before = session->files.n_written;
    if (options.keep && name)
        options.path = kept_path(session, name, span);
    // The same name again is not one more file.
    if (keep == SG_KEEP_LAST && options.path && access(options.path, F_OK) == 0)
        session->files.n_written = n_before;
    if (options.keep && !options.path && session->files.over)
        return SG_ERR_LIMIT;
    if (options.keep && !options.path && session->options.output_dir)
        return SG_ERR_IO;
    options.keep &= options.path != NULL;
    bool first = !strchr(stem, '-') && (keep != SG_KEEP_LAST || !session->simulations.len);
    if (options.keep && session->options.output_dir && first)
        tell_replaced(session, options.path, span);
    options.spool_after = options.keep ? 0.0 : session->told.not_kept ? HUGE_VAL : 1.0;
    if (!options.keep) {
        // The folder is made by the writer, if the run lasts that long.
        options.path = sg_arena_printf(&session->arena, "%s/%s", session->files.output_dir, name);
    }
    if (session->arena.failed)
        return SG_ERR_MEMORY;
    return sg_result_writer_create(&options, &session->diags, out);
}

sg_status sg_result_files_in_memory(sg_session *session, sg_arena *arena, sg_result_writer **out)
{
    sg_writer_options options = sg_writer_options_default();
    const char **patterns = SG_NEW_ARRAY(arena, const char *, MAX_PATTERNS);
    if (!patterns)
        return SG_ERR_MEMORY;
    options.allocator = session->allocator;
    options.memory_limit = SIZE_MAX;
    options.spool_after = HUGE_VAL;
    options.signals = patterns;
    options.n_signals = split_patterns(session, arena, patterns);
    return arena->failed ? SG_ERR_MEMORY : sg_result_writer_create(&options, &session->diags, out);
}

// Patterns of --signals that match nothing. Signals of 3D parts and of other built components may
// appear later; else a pattern without any is a mistake, best told before the run.
static sg_status check_patterns(sg_session *session, sg_arena *arena, const char *const *patterns,
                                size_t n_patterns, const sg_signal *signals, size_t n,
                                bool may_change, sg_span span)
{
    size_t n_empty = 0;
    const char **names = SG_NEW_ARRAY(arena, const char *, n + 1);
    for (size_t i = 0; i < n && names; i++)
        names[i] = signals[i].name;
    for (size_t k = 0; k < n_patterns && names; k++) {
        size_t i = 0;
        while (i < n && !sg_glob_any(&patterns[k], 1, signals[i].name))
            i++;
        n_empty += i == n;
    }
    bool none = n_empty && n_empty == n_patterns && !may_change;
    for (size_t k = 0; k < n_patterns && names && n_empty; k++) {
        size_t i = 0;
        while (i < n && !sg_glob_any(&patterns[k], 1, signals[i].name))
            i++;
        const char *hint = i == n ? sg_closest_name(patterns[k], names, n) : NULL;
        if (i == n)
            sg_diags_add(&session->diags, none ? SG_ERROR : SG_WARNING, SG_E_RESULT_SIGNAL, span,
                         "--signals %s matches no signal%s%s%s%s", patterns[k],
                         may_change ? " of the start" : "", hint ? "; did you mean '" : "",
                         hint ? hint : "", hint ? "'?" : "");
    }
    return none ? SG_ERR_USAGE : SG_OK;
}

// Bytes of the result, and its signals; 0 if nobody can tell.
static sg_status estimate(sg_session *session, const sg_signal *signals, size_t n, bool may_change,
                          double points, sg_span span, uint64_t *bytes, uint32_t *kept)
{
    sg_arena arena; // there may be thousands of runs
    sg_arena_init(&arena, session->allocator);
    const char *patterns[MAX_PATTERNS];
    size_t n_patterns = split_patterns(session, &arena, patterns);
    sg_status status = n_patterns ? check_patterns(session, &arena, patterns, n_patterns, signals,
                                                   n, may_change, span)
                                  : SG_OK;
    *bytes = 0;
    if (status == SG_OK && points >= 1 && points < 1e15)
        *bytes = sg_result_estimate(signals, n, patterns, n_patterns, (uint64_t)points, kept);
    sg_arena_destroy(&arena);
    return status;
}

sg_status sg_result_files_estimate(sg_session *session, const sg_signal *signals, size_t n,
                                   bool may_change, const sg_sim_options *options, sg_span span)
{
    double span_of_time = options->stop - options->start;
    double interval = options->interval > 0 ? options->interval : span_of_time / 500;
    double points = interval > 0 ? floor(span_of_time / interval) + 1 : 1;
    uint32_t kept = 0;
    uint64_t bytes;
    if (estimate(session, signals, n, may_change, points, span, &bytes, &kept) != SG_OK)
        return SG_ERR_USAGE;
    if (!bytes)
        return SG_OK;
    if ((double)bytes < large_result) {
        char line[128];
        int length =
            snprintf(line, sizeof line, "      Result: %u signals x %.0f points = %.3g MB\n", kept,
                     points, (double)bytes / 1e6);
        if (options->log)
            sg_vm_write(session->vm, line, (size_t)length);
        return SG_OK;
    }
    uint64_t most = session->options.max_result;
    double room =
        session->options.keep_run_files && !most ? sg_files_room(&session->files) : HUGE_VAL;
    bool refused = (double)bytes > (most ? (double)most : largest_result) || (double)bytes > room;
    if (refused && (double)bytes > room)
        sg_error(&session->diags, SG_E_RESULT_LIMIT, span,
                 "the result would have %u signals x %.0f points = %.1f GB, and the disk has room "
                 "for %.1f GB; take a coarser interval, fewer signals (--signals), or --force",
                 kept, points, (double)bytes / 1e9, room / 1e9);
    else if (refused)
        sg_error(&session->diags, SG_E_RESULT_LIMIT, span,
                 "the result would have %u signals x %.0f points = %.1f GB; take a coarser "
                 "interval, fewer signals (--signals), or --force",
                 kept, points, (double)bytes / 1e9);
    else
        sg_warning(&session->diags, SG_E_RESULT_LIMIT, span,
                   "the result will be large: %u signals x %.0f points = %.1f GB; --signals and "
                   "--interval make it smaller",
                   kept, points, (double)bytes / 1e9);
    return refused ? SG_ERR_USAGE : SG_OK;
}

static sg_attribute count(const char *key, uint64_t value)
{
    return (sg_attribute){key, SG_ELEMENT_INTEGER, (double)value, ""};
}

sg_status sg_result_files_finish(sg_result_writer *writer, const sg_sim_outcome *outcome,
                                 const char *restitution, sg_status status, sg_result **result)
{
    const sg_sim_stats *s = &outcome->stats;
    // No CPU times: the same run gives the same file.
    sg_attribute statistics[] = {{"statistics.terminationTime", SG_ELEMENT_REAL, outcome->t, ""},
                                 count("statistics.nStates", s->n_states_max),
                                 count("statistics.nResults", sg_result_writer_points(writer)),
                                 count("statistics.nSegments", s->n_segments),
                                 count("statistics.nf_total", s->nf_total),
                                 count("statistics.nf_integrator", s->nf_integrator),
                                 count("statistics.nf_zeroCrossings", s->nf_crossings),
                                 count("statistics.nJac", s->n_jac),
                                 count("statistics.nAcceptedSteps", s->n_steps),
                                 count("statistics.nRejectedSteps", s->n_rejected),
                                 count("statistics.nTimeEvents", s->n_time_events),
                                 count("statistics.nStateEvents", s->n_state_events),
                                 count("statistics.nRestartEvents", s->n_restart_events),
                                 count("statistics.nFullRestartEvents", s->n_full_restart_events),
                                 {.key = NULL}, // what not all runs have
                                 {.key = NULL}};
    size_t n = SG_COUNT(statistics) - 2;
    if (restitution[0])
        statistics[n++] = (sg_attribute){"contacts.restitution", SG_ELEMENT_TEXT, 0.0, restitution};
    if (s->n_islands)
        statistics[n++] = count("statistics.nIslands", s->n_islands);
    return sg_result_writer_finish(writer, status, statistics, n, result);
}
