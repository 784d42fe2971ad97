// What `segue run --summary` and `segue check --json` tell other programs.
#include "lang/runtime.h"
#include "natives/json.h"
#include "natives/session.h"

#include <stdio.h>

static void write_messages(sg_session *session, sg_summary_json *json)
{
    static const char *const words[] = {"error", "warning", "note"};
    sg_summary_json_begin(json, "messages", '[');
    for (size_t i = 0; i < session->diags.len; i++) {
        const char *file;
        unsigned line, column;
        const sg_diag *diag = sg_session_diag(session, i, &file, &line, &column);
        char code[16];
        snprintf(code, sizeof code, "E%04d", (int)diag->code);
        sg_summary_json_begin(json, NULL, '{');
        sg_summary_json_text(json, "severity", words[diag->severity]);
        sg_summary_json_text(json, "code", code);
        sg_summary_json_text(json, "file", file);
        sg_summary_json_count(json, "line", line);
        sg_summary_json_count(json, "column", column);
        sg_summary_json_text(json, "text", diag->message);
        sg_summary_json_end(json, '}');
    }
    sg_summary_json_end(json, ']');
}

static void write_contacts(const sg_contact_counts *counts, sg_summary_json *json)
{
    sg_contact_count row;
    sg_summary_json_begin(json, "contacts", '{');
    for (size_t i = 0; (row = sg_contact_count_at(counts, i)).name; i++)
        sg_summary_json_count(json, row.name, (uint64_t)row.value);
    sg_summary_json_end(json, '}');
}

static void write_simulation(sg_session *session, const sg_sim_record *r, sg_summary_json *json)
{
    static const char *const required[] = {"failed", "none", "ok"};
    bool ok = r->status == SG_OK && r->required >= 0;
    sg_summary_json_begin(json, NULL, '{');
    sg_summary_json_text(json, "model", r->model);
    sg_summary_json_count(json, "line",
                          sg_source_position(&session->sources, r->span.file, r->span.first).line);
    sg_summary_json_text(json, "solver", r->solver);
    sg_summary_json_number(json, "startTime", r->start_time);
    sg_summary_json_number(json, "stopTime", r->stop_time);
    sg_summary_json_number(json, "tolerance", r->tolerance);
    sg_summary_json_text(json, "status", ok ? "ok" : "failed");
    sg_summary_json_text(json, "message", r->message);
    sg_summary_json_number(json, "finalTime", r->final_time);
    sg_summary_json_begin(json, "stateNames", '[');
    for (size_t i = 0; i < r->n_states; i++)
        sg_summary_json_text(json, NULL, r->state_names[i]);
    sg_summary_json_end(json, ']');
    sg_summary_json_begin(json, "finalStates", '[');
    for (size_t i = 0; i < r->n_states; i++)
        sg_summary_json_number(json, NULL, r->final_states[i]);
    sg_summary_json_end(json, ']');
    sg_summary_json_text(json, "requiredFinalStates", required[r->required + 1]);
    sg_summary_json_count(json, "nSteps", r->n_steps);
    sg_summary_json_count(json, "nRhs", r->n_rhs);
    sg_summary_json_count(json, "nJac", r->n_jac);
    sg_summary_json_count(json, "nEvents", r->n_events);
    sg_summary_json_count(json, "nSegments", r->n_segments);
    sg_summary_json_count(json, "nTranslations", r->n_translations);
    sg_summary_json_number(json, "cpuTime", r->cpu_time);
    if (r->contacts)
        write_contacts(r->contacts, json);
    sg_summary_json_end(json, '}');
}

sg_status sg_session_summary(sg_session *session, const char **text)
{
    if (text)
        *text = "";
    if (!session || !text)
        return sg_session_misuse(session, "there is no place for the summary");
    (void)sg_limits_check_slow(&session->vm->limits); // whatever ends the run, it is summed up
    sg_buf_clear(&session->text);
    sg_summary_json json = {&session->text, true};
    int exit_status = sg_session_exit_status(session);
    sg_test_counts tests = sg_script_tests(session->script);
    sg_summary_json_begin(&json, NULL, '{');
    sg_summary_json_text(&json, "file", session->file ? session->file : "");
    sg_summary_json_text(&json, "status", exit_status == 0 ? "ok" : "failed");
    sg_summary_json_count(&json, "exitStatus", (uint64_t)exit_status);
    write_messages(session, &json);
    sg_summary_json_begin(&json, "tests", '{');
    sg_summary_json_count(&json, "passed", tests.passed);
    sg_summary_json_count(&json, "failed", tests.failed);
    sg_summary_json_count(&json, "broken", tests.broken);
    sg_summary_json_end(&json, '}');
    sg_summary_json_begin(&json, "simulations", '[');
    for (size_t i = 0; i < session->simulations.len; i++)
        write_simulation(session, &session->simulations.data[i], &json);
    sg_summary_json_end(&json, ']');
    sg_summary_json_end(&json, '}');
    sg_buf_putc(&session->text, '\n');
    *text = sg_buf_text(&session->text);
    return session->text.failed ? SG_ERR_MEMORY : SG_OK;
}
