// What `segue run --summary` and `segue check --json` tell other programs.
#include "lang/runtime.h"
#include "natives/session.h"
#include "result/json.h"

#include <stdio.h>

static void write_messages(sg_session *session, sg_buf *out)
{
    static const char *const words[] = {"error", "warning", "note"};
    sg_json_open(out, "messages", '[');
    for (size_t i = 0; i < session->diags.len; i++) {
        const char *file;
        unsigned line, column;
        const sg_diag *diag = sg_session_diag(session, i, &file, &line, &column);
        char code[16];
        snprintf(code, sizeof code, "E%04d", (int)diag->code);
        sg_json_open(out, NULL, '{');
        sg_json_put_harmless_member(out, "severity", words[diag->severity]);
        sg_json_put_harmless_member(out, "code", code);
        sg_json_put_harmless_member(out, "file", file);
        sg_json_put_count_member(out, "line", line);
        sg_json_put_count_member(out, "column", column);
        sg_json_put_harmless_member(out, "text", diag->message);
        sg_buf_putc(out, '}');
    }
    sg_buf_putc(out, ']');
}

static void write_contacts(const sg_contact_counts *counts, sg_buf *out)
{
    sg_contact_count row;
    sg_json_open(out, "contacts", '{');
    for (size_t i = 0; (row = sg_contact_count_at(counts, i)).name; i++)
        sg_json_put_count_member(out, row.name, (uint64_t)row.value);
    sg_buf_putc(out, '}');
}

static void write_simulation(sg_session *session, const sg_sim_record *r, sg_buf *out)
{
    static const char *const required[] = {"failed", "none", "ok"};
    bool ok = r->status == SG_OK && r->required >= 0;
    sg_json_open(out, NULL, '{');
    sg_json_put_harmless_member(out, "model", r->model);
    sg_json_put_count_member(
        out, "line", sg_source_position(&session->sources, r->span.file, r->span.first).line);
    sg_json_put_harmless_member(out, "solver", r->solver);
    sg_json_put_number_member(out, "startTime", r->start_time);
    sg_json_put_number_member(out, "stopTime", r->stop_time);
    sg_json_put_number_member(out, "tolerance", r->tolerance);
    sg_json_put_harmless_member(out, "status", ok ? "ok" : "failed");
    sg_json_put_harmless_member(out, "message", r->message);
    sg_json_put_number_member(out, "finalTime", r->final_time);
    sg_json_open(out, "stateNames", '[');
    for (size_t i = 0; i < r->n_states; i++)
        sg_json_put_harmless_member(out, NULL, r->state_names[i]);
    sg_buf_putc(out, ']');
    sg_json_open(out, "finalStates", '[');
    for (size_t i = 0; i < r->n_states; i++)
        sg_json_put_number_member(out, NULL, r->final_states[i]);
    sg_buf_putc(out, ']');
    sg_json_put_harmless_member(out, "requiredFinalStates", required[r->required + 1]);
    sg_json_put_count_member(out, "nSteps", r->n_steps);
    sg_json_put_count_member(out, "nRhs", r->n_rhs);
    sg_json_put_count_member(out, "nJac", r->n_jac);
    sg_json_put_count_member(out, "nEvents", r->n_events);
    sg_json_put_count_member(out, "nSegments", r->n_segments);
    sg_json_put_count_member(out, "nTranslations", r->n_translations);
    sg_json_put_number_member(out, "cpuTime", r->cpu_time);
    if (r->contacts)
        write_contacts(r->contacts, out);
    sg_buf_putc(out, '}');
}

bool sg_session_run_shares(const sg_session *session, size_t index, sg_run_shares *shares)
{
    if (!session || !shares || !session->options.timed || index >= session->simulations.len)
        return false;
    *shares = session->simulations.data[index].shares;
    return true;
}

sg_status sg_session_summary(sg_session *session, const char **text)
{
    if (text)
        *text = "";
    if (!session || !text)
        return sg_session_misuse(session, "there is no place for the summary");
    (void)sg_limits_check_slow(&session->vm->limits); // whatever ends the run, it is summed up
    sg_buf_clear(&session->text);
    sg_buf *out = &session->text;
    int exit_status = sg_session_exit_status(session);
    sg_test_counts tests = sg_script_tests(session->script);
    sg_json_open(out, NULL, '{');
    sg_json_put_harmless_member(out, "file", session->file ? session->file : "");
    sg_json_put_harmless_member(out, "status", exit_status == 0 ? "ok" : "failed");
    sg_json_put_count_member(out, "exitStatus", (uint64_t)exit_status);
    write_messages(session, out);
    sg_json_open(out, "tests", '{');
    sg_json_put_count_member(out, "passed", tests.passed);
    sg_json_put_count_member(out, "failed", tests.failed);
    sg_json_put_count_member(out, "broken", tests.broken);
    sg_buf_putc(out, '}');
    sg_json_open(out, "simulations", '[');
    for (size_t i = 0; i < session->simulations.len; i++)
        write_simulation(session, &session->simulations.data[i], out);
    sg_buf_putc(out, ']');
    sg_buf_putc(out, '}');
    sg_buf_putc(&session->text, '\n');
    *text = sg_buf_text(&session->text);
    return session->text.failed ? SG_ERR_MEMORY : SG_OK;
}
