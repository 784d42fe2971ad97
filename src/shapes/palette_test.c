#include "shapes/palette.h"

#include "base/source.h"
#include "harness/sg_test.h"

#include <stdio.h>
#include <string.h>

static sg_status add(sg_palette *p, const char *text, sg_palette_complaint *c)
{
    return sg_palette_read(p, text, strlen(text), c);
}

static void refuses(const char *text, const char *part, size_t line)
{
    sg_palette p;
    sg_palette_complaint c;
    sg_palette_init(&p, sg_allocator_default());
    sg_status status = add(&p, text, &c);
    SG_CHECK_MSG(status == SG_ERR_INPUT && strstr(c.why, part) && c.line == line,
                 "'%s' gave %d: line %zu: %s", text, (int)status, c.line, c.why);
    sg_palette_destroy(&p);
}

SG_TEST(entries_of_a_palette_are_found_by_name_and_replaced_by_later_ones)
{
    sg_palette p;
    sg_palette_complaint c;
    sg_palette_init(&p, sg_allocator_default());
    SG_REQUIRE(add(&p,
                   "# mine\n\nsolid Cork: density 240, poisson 0\n"
                   "touch Cork Glass: restitution 0.3, friction 0.5, v_min 0.002, turning 0.02\n"
                   "look Dull: color 102030, shininess 0.1 # a comment\r\n"
                   "solid Cork: density 250\n",
                   &c) == SG_OK);
    SG_CHECK(p.solids.len == 1);
    const sg_solid_material *cork = sg_palette_solid(&p, "Cork");
    SG_REQUIRE(cork);
    SG_CHECK(cork->density == 250.0 && isnan(cork->poisson));
    SG_CHECK(!sg_palette_solid(&p, "cork"));
    const char *meant = sg_palette_suggest(&p, SG_PALETTE_SOLIDS, "Crok");
    SG_CHECK(meant && strcmp(meant, "Cork") == 0);
    const sg_look *dull = sg_palette_look(&p, "Dull");
    SG_REQUIRE(dull);
    SG_CHECK(dull->rgb[0] == 16 && dull->rgb[1] == 32 && dull->rgb[2] == 48);
    SG_CHECK(dull->shininess == 0.1 && dull->transparency == 0.0 && dull->shadows == 3);
    sg_contact_material touch;
    SG_CHECK(sg_palette_contact(&p, "Glass", "Cork", &touch) == SG_OK);
    SG_CHECK(touch.restitution == 0.3 && touch.v_min == 0.002 && touch.w_min == 0.02);
    sg_palette_destroy(&p);
}

SG_TEST(an_entry_says_what_its_numbers_rest_on)
{
    sg_palette p;
    sg_palette_complaint c;
    sg_palette_init(&p, sg_allocator_default());
    SG_REQUIRE(add(&p,
                   "solid Cork: density 240, young 32e6\nsource Cork: density scales, young guess\n"
                   "touch Cork Glass: friction 0.5\nsource Glass Cork: friction slope\n"
                   "solid Wax: density 900\n",
                   &c) == SG_OK);
    const sg_solid_material *cork = sg_palette_solid(&p, "Cork");
    SG_REQUIRE(cork && cork->rests);
    SG_CHECK(strcmp(cork->rests, "density scales, young guess") == 0);
    SG_CHECK(strcmp(p.contacts.data[0].rests, "friction slope") == 0);
    SG_CHECK(!sg_palette_solid(&p, "Wax")->rests);
    SG_CHECK(add(&p, "solid Cork: density 250\n", &c) == SG_OK);
    SG_CHECK(!sg_palette_solid(&p, "Cork")->rests); // others are nobody's yet
    SG_CHECK(add(&p, "source Tin: density scales\n", &c) == SG_ERR_INPUT);
    SG_CHECK(add(&p, "source Cork Cork: friction slope\n", &c) == SG_ERR_INPUT);
    SG_CHECK(add(&p, "source Cork: density\n", &c) == SG_ERR_INPUT);
    SG_CHECK(add(&p, "source Cork:\n", &c) == SG_ERR_INPUT);
    SG_CHECK(add(&p, "source\n", &c) == SG_ERR_INPUT);
    sg_palette_destroy(&p);
}

SG_TEST(a_pair_that_is_not_listed_is_the_mean_of_both_with_themselves)
{
    sg_palette p;
    sg_palette_complaint c;
    sg_palette_init(&p, sg_allocator_default());
    SG_REQUIRE(add(&p,
                   "touch A A: restitution 0.2, friction 1\n"
                   "touch B B: restitution 0.6, still 0.03\n"
                   "touch W W: watch 1\ntouch A W: watch 0\n",
                   &c) == SG_OK);
    sg_contact_material m;
    SG_REQUIRE(sg_palette_contact(&p, "B", "A", &m) == SG_OK);
    SG_NEAR(m.restitution, 0.4, 1e-15, 0.0);
    SG_NEAR(m.friction, 0.5, 1e-15, 0.0);
    SG_NEAR(m.v_min, 0.02, 1e-15, 0.0);
    SG_CHECK(sg_palette_contact(&p, "W", "A", &m) == SG_OK && m.response == SG_CONTACT_WATCH &&
             !m.alarm);
    SG_CHECK(sg_palette_contact(&p, "W", "B", &m) == SG_ERR_INPUT); // one watches, one pushes
    SG_CHECK(sg_palette_contact(&p, "A", "C", &m) == SG_ERR_INPUT);
    SG_REQUIRE(add(&p,
                   "touch L L: spring 1e6, damping 100, drilling 0.01, friction 0.2\n"
                   "touch M M: spring 3e6, turning 0.003\n",
                   &c) == SG_OK);
    SG_REQUIRE(sg_palette_contact(&p, "L", "M", &m) == SG_OK && m.response == SG_CONTACT_LINEAR);
    SG_NEAR(m.spring, 1.5e6, 1e-15, 0.0); // in series: 2/(1/1e6 + 1/3e6)
    SG_NEAR(m.damping, 50, 1e-15, 0.0);
    SG_NEAR(m.drilling, 0.005, 1e-15, 0.0);
    SG_NEAR(m.friction, 0.1, 1e-15, 0.0);
    SG_NEAR(m.v_min, 0.001, 1e-15, 0.0);
    SG_NEAR(m.w_min, 0.002, 1e-15, 0.0);
    SG_CHECK(sg_palette_contact(&p, "A", "L", &m) == SG_ERR_INPUT); // they respond differently
    sg_palette_destroy(&p);
}

SG_TEST(wrong_lines_of_a_palette_are_named)
{
    refuses("\nmetal Tin\n", "not with 'metal'", 2);
    refuses("solid: density 1\n", "one name", 1);
    refuses("solid Tin: density\n", "number must follow 'density'", 1);
    refuses("solid Tin: density heavy\n", "number must follow", 1);
    refuses("solid Tin: weight 3\n", "'weight' is not known", 1);
    refuses("solid Tin: density -1\n", "not negative", 1);
    refuses("solid Tin: poisson 0.6\n", "Poisson", 1);
    refuses("touch Tin: friction 1\n", "two names", 1);
    refuses("touch Tin Tin: restitution 1.5\n", "between 0 and 1", 1);
    refuses("touch Tin Tin: friction nan\n", "not negative", 1);
    refuses("touch Tin Tin: spring 1e6, restitution 0.5\n", "'restitution' is not known", 1);
    refuses("touch Tin Tin: damping 1\n", "'damping' is not known", 1);
    refuses("touch Tin Tin: spring 0\n", "finite and positive", 1);
    refuses("touch Tin Tin: spring 1e6, damping -1\n", "not negative", 1);
    refuses("look Odd: color mauvish\n", "not a color", 1);
    refuses("look Odd: transparency 2\n", "between 0 and 1", 1);
    refuses("color FFF white\n", "six digits", 1);
    char text[200];
    memset(text, 'a', sizeof text);
    text[199] = '\0';
    refuses(text, "too long", 1);
}

// The files that travel with the program.
static void read_own(sg_palette *p, const char *name)
{
    char path[1024], *text;
    size_t length;
    sg_palette_complaint c;
    snprintf(path, sizeof path, "%s/library/palettes/%s", SG_SOURCE_DIR, name);
    SG_REQUIRE(sg_read_file(sg_allocator_default(), path, &text, &length) == SG_OK);
    sg_status status = sg_palette_read(p, text, length, &c);
    SG_CHECK_MSG(status == SG_OK, "%s:%zu: %s", name, c.line, c.why);
    sg_allocator_default()->resize(sg_allocator_default()->context, text, length + 1, 0);
}

static void is_color(const sg_palette *p, const char *text, unsigned rgb, double alpha)
{
    uint8_t c[3] = {0};
    double a = -1.0;
    bool known = sg_color_read(p, text, c, &a);
    unsigned found = (unsigned)c[0] << 16 | (unsigned)c[1] << 8 | c[2];
    SG_CHECK_MSG(known && found == rgb && fabs(a - alpha) < 1e-12, "'%s' is %06X %g", text, found,
                 a);
}

SG_TEST(the_palettes_of_the_program_hold_what_models_name)
{
    sg_palette p;
    sg_palette_init(&p, sg_allocator_default());
    read_own(&p, "solids.txt");
    p.source = SG_OF_SEGUE;
    read_own(&p, "more_solids.txt");
    read_own(&p, "contacts.txt");
    read_own(&p, "colors.txt");
    read_own(&p, "looks.txt");
    SG_CHECK(p.solids.len == 41 && p.contacts.len == 68 && p.looks.len == 40);
    const sg_solid_material *s = sg_palette_solid(&p, "Steel");
    SG_REQUIRE(s);
    SG_CHECK(s->density == 8000.0 && s->young == 200e9 && s->expands == 1.2e-5);
    // A coat of rubber yields as rubber does, unless the user has a material of that name.
    sg_palette_complaint c;
    static const char users[] =
        "touch Rubber Ivory: restitution 0.98\ntouch Aluminium Ivory: restitution 0.5\n";
    SG_CHECK(sg_palette_touching(&p, "Rubber", s).young == 5e6);
    p.source = SG_OF_USER;
    SG_CHECK(sg_palette_read(&p, users, strlen(users), &c) == SG_OK);
    SG_CHECK(sg_palette_touching(&p, "Rubber", s).young == 200e9);
    SG_CHECK(sg_palette_touching(&p, "Aluminium", s).young == 69e9);
    sg_contact_material m;
    SG_CHECK(sg_palette_contact(&p, "DryWood", "Steel", &m) == SG_OK);
    SG_NEAR(m.restitution, 0.65, 1e-15, 0.0);
    SG_NEAR(m.friction, 0.4, 1e-15, 0.0);
    SG_CHECK(sg_palette_contact(&p, "DryWood", "BilliardTable", &m) == SG_ERR_INPUT);
    is_color(&p, "LightSeaGreen", 0x20B2AA, 1.0);
    is_color(&p, "light sea green", 0x20B2AA, 1.0);
    is_color(&p, "DarkSlateGrey", 0x2F4F4F, 1.0);
    is_color(&p, "gray42", 0x6B6B6B, 1.0);
    sg_palette_complaint complaint;
    const char own[] = "color 5A3D2B Bark MyGrey red\n";
    SG_CHECK(sg_palette_read(&p, own, strlen(own), &complaint) == SG_OK);
    is_color(&p, "bark", 0x5A3D2B, 1.0);
    is_color(&p, "My grey", 0x5A3D2B, 1.0);
    is_color(&p, "Red", 0x5A3D2B, 1.0); // replaced
    is_color(&p, "Cyan", 0x00FFFF, 1.0);
    sg_palette_destroy(&p);
}

SG_TEST(colors_are_names_digits_and_functions)
{
    sg_palette p;
    uint8_t rgb[3];
    double alpha;
    sg_palette_init(&p, sg_allocator_default());
    is_color(&p, "#1f8", 0x11FF88, 1.0);
    is_color(&p, "#12fA0b", 0x12FA0B, 1.0);
    is_color(&p, "#1f80", 0x11FF88, 0.0);
    is_color(&p, "#12fA0b33", 0x12FA0B, 0.2);
    is_color(&p, "0x3312fA0b", 0x12FA0B, 0.2);
    is_color(&p, "rgb(255, 0,16)", 0xFF0010, 1.0);
    is_color(&p, "RGBA(100%,0%,60%,0.25)", 0xFF0099, 0.25);
    is_color(&p, "hsl(120, 100%, 50%)", 0x00FF00, 1.0);
    is_color(&p, "hsla(240, 100%, 25%, 0.5)", 0x000080, 0.5);
    static const char *const none[] = {"",        "#",        "#12",       "#12345",
                                       "#gggggg", "rgb(1,2)", "rgb(1,2,3", "rgb(1,2,nan)",
                                       "mauvish", "0x12"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        SG_CHECK_MSG(!sg_color_read(&p, none[i], rgb, &alpha), "'%s'", none[i]);
    sg_palette_destroy(&p);
}

SG_TEST(a_palette_survives_refused_memory)
{
    const char *text = "solid A: density 1\ntouch A A: friction 1\nlook B: shininess 1\n"
                       "color 102030 night\n";
    for (uint64_t n = 1; n < 50; n++) {
        sg_test_allocator failing;
        sg_test_allocator_init(&failing, n);
        sg_palette p;
        sg_palette_complaint c;
        sg_palette_init(&p, &failing.allocator);
        sg_status status = add(&p, text, &c);
        SG_CHECK(status == SG_OK || status == SG_ERR_MEMORY);
        sg_palette_destroy(&p);
        SG_CHECK(failing.live_blocks == 0);
        if (status == SG_OK)
            return;
    }
    SG_CHECK_MSG(false, "it never came to an end");
}
