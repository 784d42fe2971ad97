// A run that is killed leaves a file that can be read up to the last flush.
//
// A child writes points as fast as it can and notes in shared memory when it wrote which; the
// parent kills it at a random moment and looks at what is left. The flush period is made short, so
// that a second of testing sees many moments. SG_KILLS sets their number.
#include "base/limits.h"
#include "harness/sg_test.h"
#include "result/sample_test.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N_SIGNALS = 40, N_NOTES = 200000 };
static const double period = 0.01; // [s] of wall time between flushes

// When each hundredth point was written.
typedef struct notes {
    volatile uint64_t n;
    double when[N_NOTES];
} notes;

static double value_of(uint64_t point, int signal)
{
    return (double)point * (signal + 1) + 0.5 * (signal % 3 == 0);
}

static void write_until_killed(const char *path, notes *shared)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_signal signals[N_SIGNALS];
    char names[N_SIGNALS][16];
    for (int i = 0; i < N_SIGNALS; i++) {
        snprintf(names[i], sizeof names[i], "x%d", i);
        signals[i] = (sg_signal){.name = names[i]};
    }
    sg_writer_options options = sg_writer_options_default();
    options.path = path;
    options.flush_period = period;
    sg_result_writer *w;
    if (sg_result_writer_create(&options, &diags, &w) != SG_OK)
        _exit(1);
    double columns[N_SIGNALS];
    for (uint64_t p = 0; p < (uint64_t)100 * N_NOTES; p++) {
        if (p % 20000 == 0 && sg_result_writer_begin_segment(w, (double)p, "", signals,
                                                             p % 40000 ? N_SIGNALS : 7) != SG_OK)
            _exit(2);
        for (int i = 0; i < N_SIGNALS; i++)
            columns[i] = value_of(p, i);
        if (sg_result_writer_point(w, (double)p, columns) != SG_OK)
            _exit(3);
        if (p % 100 == 0) {
            shared->when[p / 100] = sg_wall_time();
            shared->n = p / 100 + 1;
        }
    }
    _exit(0);
}

static void check_remains(const char *path, const notes *shared)
{
    sg_diags diags;
    sg_diags_init(&diags, NULL);
    sg_result *r;
    SG_REQUIRE(sg_result_open_run(path, NULL, &diags, &r) == SG_OK);
    SG_CHECK(!r->finished);
    // Every point older than the flush period is there; a little more time for the writing itself.
    uint64_t n = shared->n, safe = 0;
    while (safe < n && shared->when[safe] < shared->when[n - 1] - period - 0.03)
        safe++;
    SG_CHECK_MSG(safe == 0 || r->n_points > (safe - 1) * 100, "%llu points of at least %llu",
                 (unsigned long long)r->n_points, (unsigned long long)(safe - 1) * 100);
    double x[SG_MAX_ROWS];
    for (size_t b = 0; b < r->n_blocks; b++)
        for (int s = SG_TIME; s < N_SIGNALS && s < (int)r->n_signals; s += 13) {
            uint64_t first = r->blocks[b].first_point;
            SG_REQUIRE(sg_result_read(r, s, 0, first, r->blocks[b].n_points, x, &diags) == SG_OK);
            bool missing = s >= 7 && first / 20000 % 2 == 0;
            for (uint32_t i = 0; i < r->blocks[b].n_points; i++) {
                double expected = s < 0 ? (double)(first + i) : value_of(first + i, s);
                if (missing ? !sg_is_missing(x[i]) : x[i] != expected) {
                    SG_CHECK_MSG(false, "signal %d is wrong at %llu", s,
                                 (unsigned long long)(first + i));
                    break;
                }
            }
        }
    sg_result_destroy(r);
    sg_diags_destroy(&diags);
}

SG_TEST(a_killed_run_is_readable_up_to_the_last_flush)
{
    const char *wanted = getenv("SG_KILLS");
    int kills = wanted ? atoi(wanted) : 20;
    notes *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    SG_REQUIRE(shared != MAP_FAILED);
    sg_rng rng = sg_rng_seeded((uint64_t)kills);
    for (int k = 0; k < kills; k++) {
        const char *path = sample_path("killed.segue"), *part = sample_path("killed.segue.part");
        unlink(part);
        shared->n = 0;
        pid_t child = fork();
        SG_REQUIRE(child >= 0);
        if (child == 0)
            write_until_killed(path, shared);
        // Something must have been written before a kill can harm it.
        for (int wait = 0; wait < 2000 && shared->n < 2; wait++)
            usleep(1000);
        usleep((useconds_t)sg_rng_uniform(&rng, 0, 80000));
        kill(child, SIGKILL);
        int status;
        waitpid(child, &status, 0);
        SG_CHECK(WIFSIGNALED(status));
        check_remains(part, shared);
        SG_CHECK(access(path, F_OK) != 0);
        unlink(part);
    }
    munmap(shared, sizeof *shared);
}
