#include "base/crew.h"

#include "base/arena.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

// Tasks follow each other within microseconds while a solver evaluates, and seconds apart while a
// script runs. So members look so many times before they sleep; waking takes longer than a look.
enum { LOOKS = 2000, STACK = 1 << 20 };
// Where other programs have all cores nobody comes in time. Then members are called once in a while
// only.
enum { IN_VAIN = 8, ONCE_IN = 64 };

typedef struct crew_member {
    sg_crew *crew;
    pthread_t thread;
    int number;
} crew_member;

struct sg_crew {
    const sg_allocator *allocator;
    int n; // with the owner
    sg_crew_task task;
    void *context;
    atomic_uint turn;   // odd while a task may be entered; counts up where one begins and ends
    atomic_int inside;  // members that have entered it, or are about to look whether they may
    atomic_int entered; // how many have so far, in this turn
    atomic_int asleep;  // members, or the owner
    atomic_bool leaves; // there is no other task
    unsigned in_vain;   // tasks in a row that nobody came to
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    crew_member member[];
};

static void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

// ---- waiting ------------------------------------------------------------------------------------

typedef bool (*crew_question)(const sg_crew *crew, unsigned turn);

static bool is_open(unsigned turn) { return turn % 2 == 1; }

// Another one than that of `last`?
static bool has_task(const sg_crew *crew, unsigned last)
{
    unsigned turn = atomic_load(&crew->turn);
    return (is_open(turn) && turn != last) || atomic_load(&crew->leaves);
}

static bool is_empty(const sg_crew *crew, unsigned turn)
{
    (void)turn;
    return atomic_load(&crew->inside) == 0;
}

static void wait_for(sg_crew *crew, crew_question question, unsigned turn)
{
    for (int i = 0; i < LOOKS; i++) {
        if (question(crew, turn))
            return;
        relax();
    }
    pthread_mutex_lock(&crew->mutex);
    atomic_fetch_add(&crew->asleep, 1);
    while (!question(crew, turn))
        pthread_cond_wait(&crew->changed, &crew->mutex);
    atomic_fetch_sub(&crew->asleep, 1);
    pthread_mutex_unlock(&crew->mutex);
}

// After what somebody may wait for: who fell asleep before looks again.
static void wake(sg_crew *crew)
{
    if (atomic_load(&crew->asleep) == 0)
        return;
    pthread_mutex_lock(&crew->mutex);
    pthread_cond_broadcast(&crew->changed);
    pthread_mutex_unlock(&crew->mutex);
}

// Who is inside is waited for; who comes too late stays out. What decides is one number: with two,
// a member may see that a task is open and count it for the one before, and come twice.
static void *serve(void *own)
{
    const crew_member *m = own;
    sg_crew *crew = m->crew;
    unsigned last = 0;
    for (;;) {
        wait_for(crew, has_task, last);
        if (atomic_load(&crew->leaves))
            return NULL;
        atomic_fetch_add(&crew->inside, 1);
        unsigned turn = atomic_load(&crew->turn);
        if (is_open(turn) && turn != last) {
            last = turn;
            atomic_fetch_add(&crew->entered, 1);
            crew->task(crew->context, m->number);
        }
        if (atomic_fetch_sub(&crew->inside, 1) == 1)
            wake(crew);
    }
}

// ---- the crew -----------------------------------------------------------------------------------

// Signals are for the thread that owns the crew.
static bool start(crew_member *m)
{
    sigset_t all, before;
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes))
        return false;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool ok = !pthread_attr_setstacksize(&attributes, STACK) &&
              !pthread_create(&m->thread, &attributes, serve, m);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return ok;
}

static size_t size_of(int n) { return sizeof(sg_crew) + (size_t)n * sizeof(crew_member); }

sg_crew *sg_crew_create(int n, const sg_allocator *allocator)
{
    const sg_allocator *a = sg_allocator_or_default(allocator);
    n = n > SG_LARGEST_CREW ? SG_LARGEST_CREW : n;
    sg_crew *crew = n > 1 ? a->resize(a->context, NULL, 0, size_of(SG_LARGEST_CREW)) : NULL;
    if (!crew)
        return NULL;
    *crew = (sg_crew){.allocator = a, .n = 1};
    pthread_mutex_init(&crew->mutex, NULL);
    pthread_cond_init(&crew->changed, NULL);
    for (; crew->n < n; crew->n++) {
        crew_member *m = &crew->member[crew->n];
        *m = (crew_member){.crew = crew, .number = crew->n};
        if (!start(m))
            break;
    }
    if (crew->n > 1)
        return crew;
    sg_crew_destroy(crew);
    return NULL;
}

void sg_crew_destroy(sg_crew *crew)
{
    if (!crew)
        return;
    atomic_store(&crew->leaves, true);
    wake(crew);
    for (int i = 1; i < crew->n; i++)
        pthread_join(crew->member[i].thread, NULL);
    pthread_cond_destroy(&crew->changed);
    pthread_mutex_destroy(&crew->mutex);
    const sg_allocator *a = crew->allocator;
    a->resize(a->context, crew, size_of(SG_LARGEST_CREW), 0);
}

int sg_crew_size(const sg_crew *crew) { return crew ? crew->n : 1; }

void sg_crew_do(sg_crew *crew, sg_crew_task task, void *context)
{
    if (!crew) {
        task(context, 0);
        return;
    }
    crew->task = task;
    crew->context = context;
    atomic_store(&crew->entered, 0);
    unsigned turn = atomic_fetch_add(&crew->turn, 1);
    if (crew->in_vain < IN_VAIN || turn / 2 % ONCE_IN == 0)
        wake(crew);
    task(context, 0);
    atomic_fetch_add(&crew->turn, 1);
    wait_for(crew, is_empty, 0);
    crew->in_vain = atomic_load(&crew->entered) > 0 ? 0 : crew->in_vain + 1;
}
