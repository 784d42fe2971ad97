#include "contact/couple.h"

// The bodies of a contact that couples two; false for others.
static bool couples(const sg_contacts *c, size_t i, const bool *moves, sg_body_pair *out)
{
    const sg_touch *t = &c->detect.touch.data[i];
    const sg_collider *collider = c->detect.candidates->collider;
    int a = collider[t->a].body, b = collider[t->b].body;
    *out = a < b ? (sg_body_pair){a, b} : (sg_body_pair){b, a};
    return sg_contact_presses(&c->contact.data[i]) && moves[a] && moves[b] && a != b;
}

static bool comes_before(sg_body_pair x, sg_body_pair y)
{
    return x.a != y.a ? x.a < y.a : x.b < y.b;
}

int sg_contacts_coupled(const sg_contacts *c, const bool *moves, sg_body_pair *pair, int room)
{
    int n = 0;
    for (size_t i = 0; i < c->contact.len; i++) {
        sg_body_pair p;
        if (!couples(c, i, moves, &p))
            continue;
        // From the end: contacts come nearly in this order already.
        int k = n < room ? n : room;
        while (k > 0 && comes_before(p, pair[k - 1]))
            k--;
        if (k > 0 && !comes_before(pair[k - 1], p))
            continue;
        for (int j = n < room ? n : room - 1; j > k; j--)
            pair[j] = pair[j - 1];
        if (k < room)
            pair[k] = p;
        n++;
    }
    return n;
}
