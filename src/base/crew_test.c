// Every piece of every task is done exactly once, by however many.
#include "base/crew.h"

#include "harness/sg_test.h"

#include <stdatomic.h>

enum { PIECES = 100, TASKS = 2000 };

typedef struct heap_of_work {
    atomic_int next, calls;
    int done[PIECES];
    int member[PIECES];
} heap_of_work;

static void work(void *context, int member)
{
    heap_of_work *h = context;
    atomic_fetch_add(&h->calls, 1);
    for (;;) {
        int i = atomic_fetch_add(&h->next, 1);
        if (i >= PIECES)
            return;
        h->done[i]++;
        h->member[i] = member;
    }
}

SG_TEST(every_piece_of_work_is_done_once)
{
    for (int n = 0; n <= 5; n++) {
        heap_of_work h = {0};
        sg_crew *crew = sg_crew_create(n, NULL);
        int size = sg_crew_size(crew);
        SG_CHECK(size >= 1 && size <= (n > 1 ? n : 1));
        for (int k = 0; k < TASKS; k++) {
            atomic_store(&h.next, 0);
            atomic_store(&h.calls, 0);
            sg_crew_do(crew, work, &h);
            SG_CHECK(atomic_load(&h.calls) >= 1 && atomic_load(&h.calls) <= size);
        }
        for (int i = 0; i < PIECES; i++)
            SG_CHECK(h.done[i] == TASKS && h.member[i] >= 0 && h.member[i] < size);
        sg_crew_destroy(crew);
    }
}

SG_TEST(a_crew_may_have_nothing_to_do)
{
    sg_crew_destroy(sg_crew_create(SG_LARGEST_CREW, NULL));
    sg_crew_destroy(NULL);
    SG_CHECK(sg_crew_size(NULL) == 1);
}
