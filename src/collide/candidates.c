#include "collide/candidates.h"

// Each pair of groups once, in both lists; asking for it twice or for a group itself does nothing.
static bool is_listed(const sg_candidates *c, const int *filled, int g, int h)
{
    for (int k = c->first[g]; k < c->first[g] + filled[g]; k++)
        if (c->unseen[k] == h)
            return true;
    return false;
}

static int64_t count_pairs(const sg_candidates *c, const int *members, const int *filled)
{
    int64_t n = c->n, pairs = n * (n - 1) / 2;
    for (int g = 0; g < c->n_groups; g++) {
        pairs -= (int64_t)members[g] * (members[g] - 1) / 2;
        for (int k = c->first[g]; k < c->first[g] + filled[g]; k++)
            if (c->unseen[k] > g)
                pairs -= (int64_t)members[g] * members[c->unseen[k]];
    }
    return pairs;
}

// Squeezes out the room of pairs that were asked for twice.
static void close_gaps(sg_candidates *c, const int *filled)
{
    int at = 0;
    for (int g = 0; g < c->n_groups; g++) {
        int from = c->first[g];
        c->first[g] = at;
        for (int k = 0; k < filled[g]; k++)
            c->unseen[at++] = c->unseen[from + k];
    }
    c->first[c->n_groups] = at;
}

sg_status sg_candidates_init(sg_candidates *c, const sg_collider *collider, int n,
                             const sg_group_pair *unseen, int n_unseen, sg_arena *arena)
{
    *c = (sg_candidates){.collider = collider, .n = n};
    for (int i = 0; i < n; i++) {
        if (collider[i].group < 0 || collider[i].body < 0 || !collider[i].shape)
            return SG_ERR_INPUT;
        if (collider[i].group >= c->n_groups)
            c->n_groups = collider[i].group + 1;
    }
    size_t groups = (size_t)c->n_groups;
    c->first = SG_NEW_ARRAY(arena, int, groups + 1);
    c->unseen = SG_NEW_ARRAY(arena, int, 2 * (size_t)n_unseen + 1);
    int *members = SG_NEW_ARRAY(arena, int, groups + 1);
    int *filled = SG_NEW_ARRAY(arena, int, groups + 1);
    if (!c->first || !c->unseen || !members || !filled)
        return SG_ERR_MEMORY;
    for (int i = 0; i < n; i++)
        members[collider[i].group]++;
    for (int k = 0; k < n_unseen; k++) {
        int a = unseen[k].a, b = unseen[k].b;
        if (a < 0 || b < 0)
            return SG_ERR_INPUT;
        if (a < c->n_groups && b < c->n_groups) { // groups without colliders do not matter
            c->first[a + 1]++;
            c->first[b + 1]++;
        }
    }
    for (int g = 0; g < c->n_groups; g++)
        c->first[g + 1] += c->first[g];
    for (int k = 0; k < n_unseen; k++) {
        int a = unseen[k].a, b = unseen[k].b;
        if (a >= c->n_groups || b >= c->n_groups || a == b || is_listed(c, filled, a, b))
            continue;
        c->unseen[c->first[a] + filled[a]++] = b;
        c->unseen[c->first[b] + filled[b]++] = a;
    }
    c->pairs = count_pairs(c, members, filled);
    close_gaps(c, filled);
    return SG_OK;
}
