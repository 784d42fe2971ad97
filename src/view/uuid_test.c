#include "view/uuid.h"

#include "harness/sg_test.h"

static void check(sg_uuid space, const char *name, const char *expected)
{
    char text[37];
    sg_uuid_format(sg_uuid_make(space, name), text);
    SG_SAME_TEXT(text, expected);
}

SG_TEST(identifiers_are_those_of_the_published_program)
{
    check(sg_uuid_modia3d, "Scene", "7e7c965e-496f-5a3f-aa68-d1597c04d113");
    check(sg_uuid_modia3d, "coordinateSystem.red", "caf252c9-83cb-5294-9974-2e4e41d7f2c0");
    check(sg_uuid_make(sg_uuid_modia3d, "Scene"), "Directional Light",
          "e448d27b-985d-5178-b77d-402d63075836");
}

SG_TEST(names_of_any_length_have_identifiers)
{
    // The first from RFC 4122's namespace of DNS names; the second fills more than one block.
    static const sg_uuid dns = {{0x6b, 0xa7, 0xb8, 0x10, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00,
                                 0xc0, 0x4f, 0xd4, 0x30, 0xc8}};
    check(dns, "python.org", "886313e1-3b8a-5372-9b90-0c9aee199e5d");
    check(dns, "a.name.that.is.longer.than.one.block.of.sixty.four.bytes.and.then.some.more",
          "ad875dfc-42a7-5d13-ba45-7b970cb05b64");
    check(dns, "", "4ebd0208-8328-5d69-8c44-ec50939c0967");
}
