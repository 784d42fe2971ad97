// ContactLaw: what two objects do to each other where they overlap, as a function of the script. It
// takes the place of what their materials say; who is in contact, and when, stays the same.
//
// NoContact: two objects whose bodies do nothing to each other, wherever they are.
#include "elements/contacts.h"
#include "elements/elements.h"
#include "parts/script_call.h"

static void read_collider(sg_keywords *r, const char *key, int *object)
{
    *object = -1;
    sg_read_object(r, key, object);
    if (r->ok && *object < 0)
        sg_read_fail(r, key, SG_E_CONTACT, "%s is missing", key);
    else if (r->ok && !r->part->records.objects.data[*object].refused_solid &&
             !sg_part_can_collide(&r->part->records.objects.data[*object]))
        sg_read_fail(r, key, SG_E_CONTACT,
                     "'%s' cannot touch anything; it needs a Solid with collision = true",
                     r->part->records.objects.data[*object].name);
}

void sg_read_colliders(sg_keywords *r, int object[2])
{
    read_collider(r, "object1", &object[0]);
    read_collider(r, "object2", &object[1]);
    if (r->ok && object[0] == object[1])
        sg_read_fail(r, "object2", SG_E_CONTACT, "object1 and object2 are the same");
}

sg_status sg_read_contact_law(sg_part *part, const sg_part_element *element)
{
    sg_keywords r = sg_reader_make(part, element);
    sg_part_law *law = SG_NEW(&part->records.arena, sg_part_law);
    int object[2];
    if (!law)
        return SG_ERR_MEMORY;
    sg_read_colliders(&r, object);
    sg_read_contact_function(&r, "law", law);
    for (size_t i = 0; r.ok && i < part->records.contact_laws.len; i++)
        if (sg_written_law_is_of(&part->records.contact_laws.data[i], object[0], object[1]))
            sg_read_fail(&r, "object2", SG_E_CONTACT, "these two objects have a law already");
    if (!r.ok)
        return SG_ERR_MODEL;
    sg_written_law written = {object[0], object[1], sg_part_call_contact, law};
    return SG_PUSH(part->allocator, &part->records.contact_laws, written) ? SG_OK : SG_ERR_MEMORY;
}

sg_status sg_read_no_contact(sg_part *part, const sg_part_element *element)
{
    sg_keywords r = sg_reader_make(part, element);
    static const char *const keys[] = {"object1", "object2"};
    sg_part_apart apart = {{-1, -1}};
    for (int k = 0; k < 2; k++) {
        sg_read_object(&r, keys[k], &apart.object[k]);
        if (r.ok && apart.object[k] < 0)
            sg_read_fail(&r, keys[k], SG_E_CONTACT, "%s is missing", keys[k]);
    }
    if (!r.ok)
        return SG_ERR_MODEL;
    return SG_PUSH(part->allocator, &part->records.apart, apart) ? SG_OK : SG_ERR_MEMORY;
}
