// Connections: whatever the net, potentials of a node are equal and flows into it add up to zero
// (Kirchhoff's laws), and nothing else is said.
#include "model/world_test.h"

#include <stdio.h>

static const char parts[] = "Pin = Model(v = Var(potential = true), i = Var(flow = true))\n"
                            "Two = Model(p = Pin, n = Pin)\n";

// Values that obey the laws: a potential for each node, and flows of pins that add up to zero
// there.
static void obey(model_world *w, const char *const *pins, const int *node, size_t n, sg_rng *rng)
{
    double potential[16], left[16] = {0};
    size_t last[16];
    for (int k = 0; k < 16; k++)
        potential[k] = sg_rng_normal(rng);
    for (size_t i = 0; i < n; i++)
        last[node[i]] = i;
    for (size_t i = 0; i < n; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s.v", pins[i]);
        w->var[variable(w, name).i] = potential[node[i]];
        snprintf(name, sizeof name, "%s.i", pins[i]);
        double flow = last[node[i]] == i ? -left[node[i]] : sg_rng_normal(rng);
        left[node[i]] += flow;
        w->var[variable(w, name).i] = flow;
    }
}

SG_TEST(connections_say_what_kirchhoff_says)
{
    static const char *const pins[] = {"a.p", "a.n", "b.p", "b.n", "c.p", "c.n", "d.p", "d.n"};
    static const int node[] = {0, 1, 1, 2, 1, 2, 2, 0};
    model_world w;
    char text[1024];
    snprintf(text, sizeof text,
             "%sM = Model(a = Two, b = Two, c = Two, d = Two,\n"
             "  connect = :[(a.p, d.n); (a.n, b.p, c.p); (b.n, c.n); (d.p, b.n)])",
             parts);
    OPEN_MODEL(&w, text, true);
    // Nodes of 2, 3 and 3 pins: one equation less than pins for the potentials, one for the flows.
    SG_CHECK(n_equations(&w) == (1 + 1) + (2 + 1) + (2 + 1));
    sg_rng rng = sg_rng_seeded(5);
    for (int round = 0; round < 20; round++) {
        obey(&w, pins, node, SG_COUNT(pins), &rng);
        SG_CHECK_MSG(largest_residual(&w) < 1e-12, "round %d: %g", round, largest_residual(&w));
        // And whatever is changed by itself breaks a law.
        for (size_t i = 0; i < SG_COUNT(pins); i++)
            for (int flow = 0; flow < 2; flow++) {
                char name[64];
                snprintf(name, sizeof name, "%s.%s", pins[i], flow ? "i" : "v");
                double *value = &w.var[variable(&w, name).i], kept = *value;
                *value += 1.0;
                SG_CHECK_MSG(largest_residual(&w) > 0.5, "%s is free", name);
                *value = kept;
            }
    }
    close_model(&w);
}

// A connector of the component itself is seen from inside: what flows in there flows out to the
// parts.
SG_TEST(flows_through_the_boundary_of_a_component_change_their_sign)
{
    model_world w;
    char text[1024];
    snprintf(text, sizeof text,
             "%sBox = Model(p = Pin, a = Two, b = Two, connect = :[(p, a.p, b.p); (a.n, b.n)])\n"
             "M = Model(box = Box, src = Two, connect = :[(src.p, box.p)])",
             parts);
    OPEN_MODEL(&w, text, true);
    double *in = &w.var[variable(&w, "box.p.i").i];
    w.var[variable(&w, "box.a.p.i").i] = 2.0;
    w.var[variable(&w, "box.a.n.i").i] = 5.0;
    w.var[variable(&w, "box.b.p.i").i] = 1.0;
    w.var[variable(&w, "box.b.n.i").i] = -5.0;
    *in = 3.0; // what flows into the box goes to its parts
    w.var[variable(&w, "src.p.i").i] = -3.0;
    SG_CHECK_MSG(largest_residual(&w) < 1e-12, "%g", largest_residual(&w));
    *in = -3.0;
    SG_CHECK(largest_residual(&w) > 1.0);
    close_model(&w);
}

SG_TEST(a_flow_that_nothing_is_connected_to_is_zero)
{
    model_world w;
    char text[512];
    snprintf(text, sizeof text, "%sM = Model(a = Two, b = Two, connect = :[(a.p, b.p)])", parts);
    OPEN_MODEL(&w, text, true);
    SG_CHECK(n_equations(&w) == 2 + 2);
    SG_CHECK(largest_residual(&w) == 0.0);
    w.var[variable(&w, "b.n.i").i] = 0.5;
    SG_CHECK(largest_residual(&w) == 0.5);
    close_model(&w);
}

SG_TEST(what_does_not_fit_is_not_connected)
{
    static const char other[] =
        "Flange = Model(phi = Var(potential = true), tau = Var(flow = true))\n"
        "Shaft = Model(f = Flange)\n";
    char text[1024];
    snprintf(text, sizeof text, "%s%sM = Model(a = Two, s = Shaft, connect = :[(a.p, s.f)])", parts,
             other);
    expect_refusal(text, SG_E_CONNECT, "s.f");
    snprintf(text, sizeof text, "%sM = Model(a = Two, b = Two, connect = :[(a.p, b.q)])", parts);
    expect_refusal(text, SG_E_CONNECT, "b.q");
}

// Bytes asked for by a model in which n statements name one pin.
static uint64_t star_of_statements(int n, size_t *n_eqs)
{
    sg_counted counted;
    sg_counted_init(&counted, sg_allocator_default(), 0);
    sg_buf text;
    sg_buf_init(&text, sg_allocator_default());
    sg_buf_printf(&text, "%sM = Model(g = Pin, t = [Two for i in 1:%d],\n  connect = :[", parts, n);
    for (int i = 1; i <= n; i++)
        sg_buf_printf(&text, "%s(g, t_%d.p)", i > 1 ? "; " : "", i);
    sg_buf_puts(&text, "])");
    model_world w;
    SG_CHECK(open_model_with(&counted.allocator, &w, sg_buf_text(&text), true));
    *n_eqs = n_equations(&w);
    close_model(&w);
    sg_buf_free(&text);
    return counted.bytes;
}

SG_TEST(many_statements_may_name_one_pin)
{
    size_t few, many;
    uint64_t bytes = star_of_statements(1000, &few), more = star_of_statements(8000, &many);
    // Potentials, a sum of flows, flows of the open ends and of g.
    SG_CHECK_MSG(few == 1000 + 1 + 1000 + 1 && many == 8000 + 1 + 8000 + 1, "%zu, %zu", few, many);
    SG_CHECK_MSG((double)more < 10.0 * (double)bytes, "8 times the pins, %.1f times the bytes",
                 (double)more / (double)bytes);
}

// The order of equations follows from the order of the statements: what shares a reference stands
// where the last of it stood, the sets that are joined in the order in which they are named.
SG_TEST(sets_are_joined_in_the_order_of_their_names)
{
    model_world w, twin;
    char text[1024], same[1024];
    snprintf(text, sizeof text,
             "%sM = Model(a = Two, b = Two, c = Two, d = Two,\n"
             "  connect = :[(a.p, b.p); (c.p, d.p); (a.n, b.n); (d.p, a.p, c.n)])",
             parts);
    snprintf(same, sizeof same,
             "%sM = Model(a = Two, b = Two, c = Two, d = Two,\n"
             "  connect = :[(a.n, b.n); (c.p, d.p, a.p, b.p, c.n)])",
             parts);
    OPEN_MODEL(&w, text, true);
    OPEN_MODEL(&twin, same, true);
    SG_REQUIRE(n_equations(&w) == n_equations(&twin));
    const sg_flat *f = &w.instance.flat, *g = &twin.instance.flat;
    for (uint32_t i = 0; i < f->eqs.len; i++)
        SG_CHECK(f->eqs.data[i].lhs.i == g->eqs.data[i].lhs.i &&
                 f->eqs.data[i].rhs.i == g->eqs.data[i].rhs.i);
    close_model(&w);
    close_model(&twin);
}
