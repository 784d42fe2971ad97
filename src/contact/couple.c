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

static int leader(int *up, int k)
{
    while (up[k] != k) {
        up[k] = up[up[k]];
        k = up[k];
    }
    return k;
}

int sg_contacts_islands(const sg_contacts *c, const bool *moves, int n_bodies, int *island)
{
    // Until the end `island` is a forest: each body points to another of its group or to itself,
    // always to one with a smaller number.
    for (int k = 0; k < n_bodies; k++)
        island[k] = k;
    for (size_t i = 0; i < c->contact.len; i++) {
        sg_body_pair p;
        if (!couples(c, i, moves, &p))
            continue;
        int a = leader(island, p.a), b = leader(island, p.b);
        if (a < b)
            island[b] = a;
        else
            island[a] = b;
    }
    int n = 0;
    for (int k = 0; k < n_bodies; k++) // leaders come first and have their number by then
        island[k] = !moves[k] ? -1 : island[k] == k ? n++ : island[island[k]];
    return n;
}
