// Any text is either a palette or refused with the line; every name in it can be asked for, and any
// word is a color or not.
#include "shapes/palette.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ask(const sg_palette *p, const char *word)
{
    uint8_t rgb[3];
    double alpha;
    sg_contact_material contact;
    sg_palette_suggest(p, SG_PALETTE_SOLIDS, word);
    sg_palette_suggest(p, SG_PALETTE_LOOKS, word);
    if (sg_color_read(p, word, rgb, &alpha) && !(alpha >= 0.0 && alpha <= 1.0))
        abort();
    for (size_t i = 0; i < p->solids.len && i < 20; i++) {
        const char *name = p->solids.data[i].name;
        if (!sg_palette_solid(p, name) || sg_solid_material_check(&p->solids.data[i]))
            abort();
        sg_palette_contact(p, name, word, &contact);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    sg_palette p;
    sg_palette_complaint complaint;
    char word[65] = "";
    sg_palette_init(&p, sg_allocator_default());
    sg_status status = sg_palette_read(&p, (const char *)data, size, &complaint);
    if (status == SG_ERR_INPUT && !complaint.line)
        abort(); // refused without a place
    size_t n = size < 64 ? size : 64;
    if (n)
        memcpy(word, data, n);
    ask(&p, word);
    sg_palette_destroy(&p);
    return 0;
}
