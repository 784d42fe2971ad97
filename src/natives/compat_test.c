// The list of --compat: single switches, all of them, and names that there are not.
#include "natives/compat.h"

#include "harness/sg_test.h"

#include <stdio.h>
#include <string.h>

static bool parse(const char *list, sg_compat *out, char *message, size_t room)
{
    sg_buf text;
    sg_buf_init(&text, sg_allocator_default());
    bool ok = sg_compat_parse(list, out, &text);
    snprintf(message, room, "%s", sg_buf_text(&text));
    sg_buf_free(&text);
    return ok;
}

SG_TEST(switches_are_named_one_by_one_or_all_at_once)
{
    sg_compat c;
    char message[256];
    SG_CHECK(parse(NULL, &c, message, sizeof message) && !c.open_flows && !c.parts.solid_tubes);
    SG_CHECK(parse("open-flows,solid-tubes", &c, message, sizeof message));
    SG_CHECK(c.open_flows && c.parts.solid_tubes && !c.path_rows && !c.parts.still_frames);
    SG_CHECK(parse("modia-0.12", &c, message, sizeof message));
    SG_CHECK(c.open_flows && c.path_rows && c.fixed_thresholds && c.unknown_signals &&
             c.parts.still_frames && c.parts.lost_momentum && c.parts.nonsmooth_restitution);
}

SG_TEST(a_switch_keeps_its_former_name)
{
    sg_compat before, now;
    char message[256];
    SG_CHECK(parse("sudden-restitution", &before, message, sizeof message));
    SG_CHECK(parse("nonsmooth-restitution", &now, message, sizeof message));
    SG_CHECK(before.parts.nonsmooth_restitution && memcmp(&before, &now, sizeof now) == 0);
}

SG_TEST(a_name_that_there_is_not_is_refused_with_the_nearest_one)
{
    sg_compat c;
    char message[256];
    SG_CHECK(!parse("open-flow", &c, message, sizeof message));
    SG_CHECK_MSG(strstr(message, "open-flow") && strstr(message, "open-flows"), "%s", message);
    SG_CHECK(!parse("solid-tubes,nonsense", &c, message, sizeof message));
    SG_CHECK_MSG(strstr(message, "nonsense"), "%s", message);
    char longer[200];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    SG_CHECK(!parse(longer, &c, message, sizeof message));
}
