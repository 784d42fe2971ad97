#include "xml/xml.h"

#include "harness/sg_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sg_status read_text(sg_arena *arena, const char *text, const sg_xml_limits *limits,
                           const sg_xml_element **root, sg_xml_complaint *complaint)
{
    return sg_xml_read(arena, text, strlen(text), limits, root, complaint);
}

SG_TEST(elements_attributes_and_texts_come_in_order)
{
    sg_arena arena;
    const sg_xml_element *root;
    sg_xml_complaint c;
    sg_arena_init(&arena, NULL);
    const char *text =
        "<?xml version=\"1.0\"?>\n<robot name=\"a&lt;b\"><!-- no -->\n"
        "  <link name='one' mass=\" 2.5 \"/> some <b>bold</b> text<link name='two'/>\n</robot>";
    SG_REQUIRE(read_text(&arena, text, NULL, &root, &c) == SG_OK);
    SG_SAME_TEXT(root->name, "robot");
    SG_SAME_TEXT(sg_xml_get(root, "name"), "a<b");
    SG_CHECK(!sg_xml_get(root, "mass") && !sg_xml_get(NULL, "mass") && !root->parent);
    const sg_xml_element *one = sg_xml_child(root, "link"), *two = sg_xml_next(one, "link");
    SG_REQUIRE(one && two && one->parent == root);
    SG_SAME_TEXT(sg_xml_get(two, "name"), "two");
    SG_CHECK(!sg_xml_next(two, "link") && !sg_xml_child(two, "link"));
    SG_SAME_TEXT(sg_xml_child(root, "b")->text, "bold");
    SG_CHECK(strstr(root->text, "some ") && strstr(root->text, " text"));
    SG_SAME_TEXT(one->text, "");
    double mass = 0.0;
    SG_CHECK(sg_xml_number(sg_xml_get(one, "mass"), &mass) && mass == 2.5);
    int n = 0;
    for (const sg_xml_element *e = root; e; e = sg_xml_walk(root, e))
        n++;
    SG_CHECK(n == 4);
    n = 0;
    for (const sg_xml_element *e = one; e; e = sg_xml_walk(one, e))
        n++;
    SG_CHECK(n == 1);
    sg_arena_destroy(&arena);
}

SG_TEST(places_lead_to_tags)
{
    sg_arena arena;
    const sg_xml_element *root;
    sg_xml_complaint c;
    sg_arena_init(&arena, NULL);
    const char *text = "<a>\n  <b unit=\"x\" unitx='>' it = \"k g\"/></a>";
    SG_REQUIRE(read_text(&arena, text, NULL, &root, &c) == SG_OK);
    const sg_xml_element *b = root->child;
    SG_CHECK(b->first == 6 && !strncmp(text + b->last - 2, "/>", 2));
    sg_arena_destroy(&arena);
}

static void is_refused(const char *text, sg_status expected, const char *words)
{
    sg_arena arena;
    const sg_xml_element *root;
    sg_xml_complaint c;
    sg_arena_init(&arena, NULL);
    sg_xml_limits limits = sg_xml_limits_default();
    limits.max_depth = 5;
    limits.max_elements = 20;
    limits.max_attributes = 3;
    limits.max_bytes = 2000;
    sg_status status = read_text(&arena, text, &limits, &root, &c);
    SG_CHECK_MSG(status == expected && !root, "%s: %d", text, (int)status);
    SG_CHECK_MSG(strstr(c.message, words), "%s: %s", text, c.message);
    SG_CHECK_MSG(c.first <= c.last && c.last <= strlen(text), "%s: %u %u", text, c.first, c.last);
    sg_arena_destroy(&arena);
}

SG_TEST(what_is_no_xml_is_refused_with_its_place)
{
    is_refused("", SG_ERR_INPUT, "no element");
    is_refused("<a>", SG_ERR_INPUT, "no element");
    is_refused("<a></b>", SG_ERR_INPUT, "mismatched");
    is_refused("<a x='1' x='2'/>", SG_ERR_INPUT, "duplicate");
    is_refused("<a/><b/>", SG_ERR_INPUT, "junk");
    is_refused("<a>\xff\xfe</a>", SG_ERR_INPUT, "well-formed");
    is_refused("<a>&nix;</a>", SG_ERR_INPUT, "entity");
    is_refused("<?xml version='1.0' encoding='klingon'?><a/>", SG_ERR_INPUT, "encoding");
}

SG_TEST(entities_of_a_text_and_things_outside_of_it_are_refused)
{
    is_refused("<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>", SG_ERR_INPUT, "entities");
    is_refused("<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>", SG_ERR_INPUT,
               "entities");
    is_refused("<!DOCTYPE a [<!ENTITY % x SYSTEM 'http://example.com/'> %x;]><a/>", SG_ERR_INPUT,
               "entities");
    is_refused("<!DOCTYPE a SYSTEM 'a.dtd'><a>&x;</a>", SG_ERR_INPUT, "not known");
    sg_arena arena;
    const sg_xml_element *root;
    sg_xml_complaint c;
    sg_arena_init(&arena, NULL);
    SG_CHECK(read_text(&arena, "<!DOCTYPE a SYSTEM 'a.dtd'><a>&amp;</a>", NULL, &root, &c) ==
             SG_OK);
    SG_SAME_TEXT(root->text, "&");
    sg_arena_destroy(&arena);
}

SG_TEST(limits_hold)
{
    is_refused("<a><a><a><a><a><a/></a></a></a></a></a>", SG_ERR_LIMIT, "deeper than 5");
    is_refused("<a b='1' c='1' d='1' e='1'/>", SG_ERR_LIMIT, "more than 3");
    char text[3000] = "<a>";
    for (int i = 0; i < 20; i++)
        strcat(text, "<b/>");
    strcat(text, "</a>");
    is_refused(text, SG_ERR_LIMIT, "more than 20");
    memset(text, ' ', sizeof(text) - 1);
    text[sizeof(text) - 1] = 0;
    memcpy(text, "<a/>", 4);
    is_refused(text, SG_ERR_LIMIT, "more than 2000");
}

SG_TEST(long_texts_are_read_in_pieces)
{
    sg_arena arena;
    const sg_xml_element *root;
    sg_xml_complaint c;
    sg_arena_init(&arena, NULL);
    size_t n = 300000, at = 0;
    char *text = malloc(n * 12 + 10);
    SG_REQUIRE(text);
    at += (size_t)sprintf(text, "<a>");
    for (size_t i = 0; i < n; i++)
        at += (size_t)sprintf(text + at, "<b>%d</b>", (int)(i % 10));
    at += (size_t)sprintf(text + at, "</a>");
    SG_REQUIRE(sg_xml_read(&arena, text, at, NULL, &root, &c) == SG_OK);
    size_t count = 0, wrong = 0;
    for (const sg_xml_element *e = root->child; e; e = e->next, count++)
        wrong += e->text[0] != '0' + (int)(count % 10) || strncmp(text + e->first, "<b>", 3) ||
                 e->last - e->first != 3;
    SG_CHECK(count == n && wrong == 0);
    free(text);
    sg_arena_destroy(&arena);
}

SG_TEST(other_encodings_become_utf_8)
{
    sg_arena arena;
    const sg_xml_element *root;
    sg_xml_complaint c;
    sg_arena_init(&arena, NULL);
    SG_REQUIRE(read_text(&arena, "<?xml version='1.0' encoding='ISO-8859-1'?><a n='\xe9'/>", NULL,
                         &root, &c) == SG_OK);
    SG_SAME_TEXT(sg_xml_get(root, "n"), "\xc3\xa9");
    sg_arena_destroy(&arena);
}

SG_TEST(values_are_whole_words)
{
    double x = 0.0, list[3] = {0};
    int64_t i = 0;
    SG_CHECK(sg_xml_number("-1e-3", &x) && x == -1e-3);
    SG_CHECK(!sg_xml_number("", &x) && !sg_xml_number("1 2", &x) && !sg_xml_number("1m", &x));
    SG_CHECK(!sg_xml_number(NULL, &x) && x == -1e-3);
    SG_CHECK(sg_xml_integer(" 12\n", &i) && i == 12);
    SG_CHECK(sg_xml_integer("-9223372036854775808", &i) && i == INT64_MIN);
    SG_CHECK(!sg_xml_integer("9223372036854775808", &i) && !sg_xml_integer("1.0", &i));
    SG_CHECK(!sg_xml_integer("-", &i) && !sg_xml_integer("1 2", &i) && !sg_xml_integer(NULL, &i));
    SG_CHECK(sg_xml_numbers("1 2  3\t4", list, 3) == 4 && list[2] == 3.0);
    SG_CHECK(sg_xml_numbers("", list, 3) == 0 && sg_xml_numbers("1,2", list, 3) == -1);
}

// An allocator that refuses from the n-th request on.
typedef struct sg_stingy {
    int left;
} sg_stingy;

static void *stingy(void *context, void *old, size_t old_size, size_t size)
{
    sg_stingy *s = context;
    (void)old_size;
    if (!size) {
        free(old);
        return NULL;
    }
    return s->left-- > 0 ? realloc(old, size) : NULL;
}

SG_TEST(memory_that_runs_out_is_told)
{
    const char *text = "<a><b c='d'>text that is long enough for a buffer of its own</b></a>";
    bool read = false;
    for (int n = 0; n < 40 && !read; n++) {
        sg_stingy s = {n};
        sg_allocator allocator = {.resize = stingy, .context = &s};
        sg_arena arena;
        const sg_xml_element *root;
        sg_xml_complaint c;
        sg_arena_init(&arena, &allocator);
        sg_status status = read_text(&arena, text, NULL, &root, &c);
        read = status == SG_OK;
        SG_CHECK_MSG(read ? root != NULL : status == SG_ERR_MEMORY, "%d: %d", n, (int)status);
        sg_arena_destroy(&arena);
    }
    SG_CHECK(read);
}
