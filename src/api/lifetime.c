#include "api/lifetime.h"

#include "lang/runtime.h"

#include <stdatomic.h>

// Held for some instructions, by whoever creates or destroys a session.
static atomic_flag living_is_used = ATOMIC_FLAG_INIT;
static sg_session *living; // the newest; each knows the next

static void lock(void)
{
    while (atomic_flag_test_and_set_explicit(&living_is_used, memory_order_acquire))
        ;
}

static void unlock(void) { atomic_flag_clear_explicit(&living_is_used, memory_order_release); }

void sg_session_begin_life(sg_session *session)
{
    lock();
    session->life.next = living;
    living = session;
    unlock();
}

static bool is_living(const sg_session *session)
{
    lock();
    const sg_session *at = living;
    while (at && at != session)
        at = at->life.next;
    unlock();
    return at != NULL;
}

// False if it was not on the list: somebody else ends it.
static bool end_life(const sg_session *session)
{
    lock();
    sg_session **at = &living;
    while (*at && *at != session)
        at = &(*at)->life.next;
    bool found = *at != NULL;
    if (found)
        *at = session->life.next;
    unlock();
    return found;
}

void sg_session_destroy(sg_session *session)
{
    if (!session || !is_living(session))
        return;
    if (!session->life.busy) {
        if (end_life(session))
            sg_session_free(session);
        return;
    }
    // The host may give up what its callbacks work with, so they are not called again.
    end_life(session);
    session->life.doomed = true;
    session->options.write = NULL;
    session->options.report = NULL;
    session->options.progress = NULL;
    session->options.finished = NULL;
    session->options.stop = NULL;
    session->life.ended = SG_STOP_INTERRUPT;
    session->vm->limits.stop = session->end.stop = &session->life.ended;
    session->vm->limits.countdown = 0;
}
