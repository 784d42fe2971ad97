// segue-mpi: studies by the ranks of MPI.
//
//     mpirun -np 4 segue-mpi study model.jl --vary k=1:10:1000 --metric 'last(x)'
//
// The first rank hands out runs, a few at a time, and writes the rows that come back; the others
// make runs. It is a program of its own, so that `segue` needs no MPI. A rank that dies ends the
// job, as MPI has it; the rows that came back are there, and --resume makes the others. There is no
// wall: MPI needs files and connections that the wall refuses.
#include "commands.h"
#include "crowd.h"
#include "session_cli.h"
#include "study_cli.h"
#include "terminal.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TAG_ASK = 1, TAG_RUNS, TAG_ROW, TAG_FATAL };

// ---- who makes runs -----------------------------------------------------------------------------

typedef struct member {
    uint64_t from, to;
    bool dismissed;
} member;

static bool member_next(void *context, uint64_t *run)
{
    member *m = context;
    if (m->from >= m->to) {
        unsigned long long range[2] = {0, 0};
        MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_ASK, MPI_COMM_WORLD);
        MPI_Recv(range, 2, MPI_UNSIGNED_LONG_LONG, 0, TAG_RUNS, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        m->from = range[0];
        m->to = range[1];
        m->dismissed = m->from >= m->to;
    }
    *run = m->from;
    return m->from < m->to;
}

static bool member_done(void *context, uint64_t run, const sg_study_row *row)
{
    member *m = context;
    m->from = run + 1;
    if (!row)
        return true;
    size_t length = strlen(row->line) + 1, n = sizeof(double) + sizeof(int) + length;
    char *bytes = malloc(n);
    if (!bytes)
        return false;
    int status = (int)row->status;
    memcpy(bytes, &row->cpu_time, sizeof(double));
    memcpy(bytes + sizeof(double), &status, sizeof status);
    memcpy(bytes + sizeof(double) + sizeof status, row->line, length);
    MPI_Send(bytes, (int)n, MPI_BYTE, 0, TAG_ROW, MPI_COMM_WORLD);
    free(bytes);
    return true;
}

static void member_give_up(void *context, sg_status status, const char *words)
{
    (void)context;
    char text[1024];
    int n = snprintf(text, sizeof text, "%c%s", (char)('A' + (int)status), words);
    MPI_Send(text, n < (int)sizeof text ? n + 1 : (int)sizeof text, MPI_BYTE, 0, TAG_FATAL,
             MPI_COMM_WORLD);
}

static void follow(cli_run *run)
{
    int go = 0;
    MPI_Bcast(&go, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (!go)
        return;
    member m = {0};
    cli_source source = {&m, member_next, member_done, member_give_up};
    cli_study_work(run, &source);
    // Who gave up is told of the end, too.
    uint64_t rest;
    for (m.from = m.to; !m.dismissed; m.from = m.to)
        member_next(&m, &rest);
}

// ---- who hands them out -------------------------------------------------------------------------

static sg_status lead(cli_run *run, uint64_t n, char *words, size_t size)
{
    int go = 1, ranks, part = cli_study_open_part(&run->study);
    sg_status status = part < 0 ? SG_ERR_IO : SG_OK;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Bcast(&go, 1, MPI_INT, 0, MPI_COMM_WORLD);
    uint64_t next = 0, chunk = n / (50ULL * (unsigned)ranks);
    chunk = chunk < 1 ? 1 : chunk > 64 ? 64 : chunk;
    for (int left = ranks - 1; left > 0;) {
        MPI_Status from;
        int length;
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &from);
        MPI_Get_count(&from, MPI_BYTE, &length);
        char *bytes = malloc((size_t)length + 1);
        if (!bytes)
            MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Recv(bytes, length, MPI_BYTE, from.MPI_SOURCE, from.MPI_TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        bytes[length] = '\0';
        if (from.MPI_TAG == TAG_ASK) {
            bool over = status != SG_OK || next >= n;
            unsigned long long range[2] = {over ? 0 : next, over ? 0 : next + chunk};
            next = over ? next : next + chunk;
            range[1] = range[1] < n ? range[1] : n;
            MPI_Send(range, 2, MPI_UNSIGNED_LONG_LONG, from.MPI_SOURCE, TAG_RUNS, MPI_COMM_WORLD);
            left -= over;
        } else if (from.MPI_TAG == TAG_ROW) {
            sg_study_row row = {.line = bytes + sizeof(double) + sizeof(int)};
            memcpy(&row.cpu_time, bytes, sizeof(double));
            if (!cli_study_put_row(part, &row)) {
                status = SG_ERR_IO;
                snprintf(words, size, "rows cannot be written");
            }
        } else if (status == SG_OK) {
            status = (sg_status)(bytes[0] - 'A');
            snprintf(words, size, "%s", bytes + 1);
        }
        free(bytes);
    }
    if (part >= 0)
        close(part);
    return status;
}

static void dismiss(void)
{
    int go = 0;
    MPI_Bcast(&go, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank = 0, ranks = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    cli_terminal_begin();
    if (argc < 2 || strcmp(argv[1], "study") != 0) {
        if (rank == 0)
            cli_complain("usage: mpirun -np N segue-mpi study [OPTION...] MODEL.jl\n"
                         "The same as 'segue study', by the ranks of MPI (docs/studies.md).\n");
        MPI_Finalize();
        return 1;
    }
    if (ranks < 2) {
        cli_complain("segue-mpi: the first rank hands out runs, so two are needed at least\n");
        MPI_Finalize();
        return 1;
    }
    if (rank > 0 && !freopen("/dev/null", "w", stderr)) // all would say the same
        MPI_Abort(MPI_COMM_WORLD, 1);
    static char open[] = "--no-sandbox";
    char **arguments = calloc((size_t)argc + 2, sizeof *arguments);
    if (!arguments)
        MPI_Abort(MPI_COMM_WORLD, 1);
    memcpy(arguments, argv + 1, (size_t)(argc - 1) * sizeof *arguments);
    arguments[argc - 1] = open;
    cli_crowd crowd = {
        .rank = rank, .ranks = ranks, .lead = lead, .follow = follow, .dismiss = dismiss};
    int status = cli_terminal_end(sg_cmd_study_by(argc, arguments, &crowd));
    free(arguments);
    if (rank > 0 && status != 0) { // the first one may wait for it, or have said the same
        sleep(1);
        MPI_Abort(MPI_COMM_WORLD, status);
    }
    MPI_Finalize();
    return status;
}
