// Insertion-ordered dictionaries whose copies share one store.
//
// A dictionary is a view on the first `count` entries of a store. Appending to a view that ends
// where the store ends extends the store in place, also when it is shared: the other views do not
// see the new entry. So a chain m = m | Map(k = v) costs time linear in the entries. Replacing and
// removing copy the store first if someone else looks at it. A hash index is made once a store
// has more than a few entries.
#include "vm/vm.h"

#include <math.h>
#include <string.h>

enum { LINEAR_UP_TO = 8 };

struct sg_dict_store {
    uint32_t refs;
    uint32_t epoch;  // of the marking that has seen it
    uint32_t marked; // entries seen in that epoch
    uint32_t used, cap;
    sg_dict_entry *entries;
    uint32_t *slots; // entry + 1, 0 is free; null while the store is small
    uint32_t n_slots;
    // What modifications replaced, which hardly ever happens: pairs of key and value.
    sg_value *were;
    uint32_t n_were;
};

// Tuples are looked into so far; what lies deeper leaves the spread to the rest.
enum { HASHED_LEVELS = 8 };

static uint64_t hash_within(sg_value key, int level)
{
    if (sg_is(key, SG_OBJ_STRING)) {
        const sg_string *s = (const sg_string *)key.o;
        return sg_hash_bytes(s->text, s->len);
    }
    if (key.tag == SG_FLOAT && fabs(key.d) < 0x1p63 && key.d == (double)(int64_t)key.d)
        return sg_hash_u64((uint64_t)(int64_t)key.d); // 1.0 and 1 are one key
    if (key.tag == SG_OBJECT && key.o->kind == SG_OBJ_TUPLE) {
        const sg_tuple *tuple = (const sg_tuple *)key.o;
        uint64_t h = tuple->n;
        for (uint32_t i = 0; level < HASHED_LEVELS && i < tuple->n; i++)
            h = sg_hash_u64(h ^ hash_within(tuple->items[i], level + 1));
        return h;
    }
    if (key.tag == SG_OBJECT)
        return key.o->kind; // by content; rare, so a poor spread is fine and never wrong
    return sg_hash_u64((uint64_t)key.i ^ ((uint64_t)(key.tag == SG_SYMBOL) << 62));
}

static uint64_t hash_key(sg_value key) { return hash_within(key, 0); }

static bool same_key(sg_value a, sg_value b, int depth)
{
    if (a.tag == SG_SYMBOL || b.tag == SG_SYMBOL)
        return a.tag == b.tag && a.sym.i == b.sym.i;
    return sg_value_equal_within(NULL, a, b, true, depth);
}

static sg_dict_store *new_store(sg_vm *vm, uint32_t cap)
{
    sg_dict_store *store = sg_heap_resize(vm, NULL, 0, sizeof *store);
    if (!store)
        return NULL;
    *store = (sg_dict_store){.refs = 1, .cap = cap};
    store->entries = sg_heap_resize(vm, NULL, 0, cap * sizeof(sg_dict_entry));
    if (!store->entries) {
        sg_heap_resize(vm, store, sizeof *store, 0);
        return NULL;
    }
    return store;
}

static void drop_store(sg_vm *vm, sg_dict_store *store)
{
    if (!store || --store->refs)
        return;
    sg_heap_resize(vm, store->entries, store->cap * sizeof(sg_dict_entry), 0);
    if (store->slots)
        sg_heap_resize(vm, store->slots, store->n_slots * sizeof(uint32_t), 0);
    if (store->were)
        sg_heap_resize(vm, store->were, 2 * store->n_were * sizeof(sg_value), 0);
    sg_heap_resize(vm, store, sizeof *store, 0);
}

static void index_entry(sg_dict_store *store, uint32_t entry)
{
    uint32_t mask = store->n_slots - 1;
    uint32_t at = (uint32_t)hash_key(store->entries[entry].key) & mask;
    while (store->slots[at])
        at = (at + 1) & mask;
    store->slots[at] = entry + 1;
}

// Makes or enlarges the index so that at most half of the slots are taken.
static bool build_index(sg_vm *vm, sg_dict_store *store)
{
    uint32_t want = 32;
    while (want < 2 * (store->used + 1))
        want *= 2;
    uint32_t *slots = sg_heap_resize(vm, NULL, 0, want * sizeof(uint32_t));
    if (!slots)
        return false;
    memset(slots, 0, want * sizeof(uint32_t));
    if (store->slots)
        sg_heap_resize(vm, store->slots, store->n_slots * sizeof(uint32_t), 0);
    store->slots = slots;
    store->n_slots = want;
    for (uint32_t i = 0; i < store->used; i++)
        if (store->entries[i].key.tag != SG_UNDEF)
            index_entry(store, i);
    return true;
}

// The entry with this key within the view, or null.
static sg_dict_entry *find_within(const sg_dict *dict, sg_value key, int depth)
{
    sg_dict_store *store = dict->store;
    if (!store)
        return NULL;
    if (!store->slots) {
        for (uint32_t i = 0; i < dict->count; i++)
            if (store->entries[i].key.tag != SG_UNDEF &&
                same_key(store->entries[i].key, key, depth))
                return &store->entries[i];
        return NULL;
    }
    uint32_t mask = store->n_slots - 1;
    uint32_t at = (uint32_t)hash_key(key) & mask;
    for (; store->slots[at]; at = (at + 1) & mask) {
        uint32_t entry = store->slots[at] - 1;
        if (entry < dict->count && store->entries[entry].key.tag != SG_UNDEF &&
            same_key(store->entries[entry].key, key, depth))
            return &store->entries[entry];
    }
    return NULL;
}

static sg_dict_entry *find(const sg_dict *dict, sg_value key) { return find_within(dict, key, 0); }

// A store of its own for this dictionary, without the removed entries, with room for one more.
static bool separate(sg_vm *vm, sg_dict *dict)
{
    uint32_t cap = dict->live < 4 ? 4 : dict->live + dict->live / 2 + 1;
    sg_dict_store *store = new_store(vm, cap);
    if (!store)
        return false;
    for (uint32_t i = 0; i < dict->count; i++)
        if (dict->store->entries[i].key.tag != SG_UNDEF)
            store->entries[store->used++] = dict->store->entries[i];
    if (dict->store->were) {
        size_t bytes = 2 * dict->store->n_were * sizeof(sg_value);
        store->were = sg_heap_resize(vm, NULL, 0, bytes);
        if (!store->were) {
            drop_store(vm, store);
            return false;
        }
        memcpy(store->were, dict->store->were, bytes);
        store->n_were = dict->store->n_were;
    }
    drop_store(vm, dict->store);
    dict->store = store;
    dict->count = dict->live = store->used;
    return store->used <= LINEAR_UP_TO || build_index(vm, store);
}

static bool append(sg_vm *vm, sg_dict *dict, sg_dict_entry entry)
{
    if (!dict->store) {
        dict->store = new_store(vm, 4);
        if (!dict->store)
            return false;
    } else if (dict->count != dict->store->used && !separate(vm, dict)) {
        return false;
    }
    sg_dict_store *store = dict->store;
    if (store->used == store->cap) {
        if (store->cap > UINT32_MAX / 4)
            return false;
        uint32_t cap = 2 * store->cap;
        void *entries = sg_heap_resize(vm, store->entries, store->cap * sizeof(sg_dict_entry),
                                       cap * sizeof(sg_dict_entry));
        if (!entries)
            return false;
        store->entries = entries;
        store->cap = cap;
    }
    store->entries[store->used++] = entry;
    dict->count++;
    dict->live++;
    if (store->slots && 2 * store->used <= store->n_slots) {
        index_entry(store, store->used - 1);
        return true;
    }
    return store->used <= LINEAR_UP_TO || build_index(vm, store);
}

bool sg_dict_reserve(sg_vm *vm, sg_dict *dict, uint32_t n)
{
    if (!dict->store && n)
        dict->store = new_store(vm, n);
    return dict->store || !n;
}

sg_dict *sg_dict_make(sg_vm *vm, sg_sym class_)
{
    sg_dict *dict = sg_heap_new(vm, SG_OBJ_DICT, sizeof *dict);
    if (dict)
        dict->class_ = class_;
    return dict;
}

sg_dict *sg_dict_copy(sg_vm *vm, const sg_dict *dict)
{
    sg_dict *copy = sg_dict_make(vm, dict->class_);
    if (!copy)
        return NULL;
    copy->span = dict->span;
    copy->count = dict->count;
    copy->live = dict->live;
    copy->store = dict->store;
    copy->head.flags = (uint16_t)(dict->head.flags | SG_DICT_LAZY);
    if (copy->store)
        copy->store->refs++;
    return copy;
}

bool sg_dict_put(sg_vm *vm, sg_dict *dict, sg_value key, sg_value value, sg_span span)
{
    sg_dict_entry *entry = find(dict, key);
    if (!entry)
        return append(vm, dict, (sg_dict_entry){.key = key, .value = value, .span = span});
    if (dict->store->refs > 1) {
        if (!separate(vm, dict))
            return false;
        entry = find(dict, key);
    }
    entry->value = value;
    entry->span = span;
    return true;
}

bool sg_dict_get_within(const sg_dict *dict, sg_value key, int depth, sg_value *out)
{
    const sg_dict_entry *entry = find_within(dict, key, depth);
    if (entry)
        *out = entry->value;
    return entry != NULL;
}

bool sg_dict_get(const sg_dict *dict, sg_value key, sg_value *out)
{
    return sg_dict_get_within(dict, key, 0, out);
}

bool sg_dict_get_sym(const sg_dict *dict, sg_sym key, sg_value *out)
{
    return sg_dict_get(dict, sg_symbol(key), out);
}

sg_span sg_dict_span(const sg_dict *dict, sg_sym key)
{
    const sg_dict_entry *entry = find(dict, sg_symbol(key));
    return entry ? entry->span : dict->span;
}

void sg_dict_mark_added(sg_dict *dict, sg_value key)
{
    sg_dict_entry *entry = find(dict, key);
    if (entry)
        entry->added = true;
}

bool sg_dict_mark_replaced(sg_vm *vm, sg_dict *dict, sg_value key, sg_value was)
{
    sg_dict_entry *entry = find(dict, key);
    if (entry)
        entry->replaced = was.tag != SG_UNDEF;
    if (!entry || !entry->replaced)
        return true;
    // The newest pair of a key counts.
    sg_dict_store *store = dict->store;
    size_t before = 2 * store->n_were * sizeof(sg_value);
    sg_value *were = sg_heap_resize(vm, store->were, before, before + 2 * sizeof(sg_value));
    if (!were)
        return false;
    were[2 * store->n_were] = key;
    were[2 * store->n_were + 1] = was;
    store->were = were;
    store->n_were++;
    return true;
}

sg_value sg_dict_was(const sg_dict *dict, sg_value key)
{
    const sg_dict_store *store = dict->store;
    for (uint32_t i = store ? store->n_were : 0; i-- > 0;)
        if (same_key(store->were[2 * i], key, 0))
            return store->were[2 * i + 1];
    return (sg_value){.tag = SG_UNDEF};
}

bool sg_dict_remove(sg_vm *vm, sg_dict *dict, sg_value key)
{
    sg_dict_entry *entry = find(dict, key);
    if (!entry)
        return false;
    if (dict->store->refs > 1) {
        if (!separate(vm, dict))
            return false;
        entry = find(dict, key);
    }
    // The slot keeps pointing here, so that later entries of its chain stay reachable.
    entry->key = entry->value = (sg_value){.tag = SG_UNDEF};
    dict->live--;
    if (dict->count > 16 && dict->live < dict->count / 2)
        separate(vm, dict);
    return true;
}

size_t sg_dict_len(const sg_dict *dict) { return dict->live; }

bool sg_dict_next(const sg_dict *dict, size_t *at, sg_dict_entry *out)
{
    while (*at < dict->count) {
        const sg_dict_entry *entry = &dict->store->entries[(*at)++];
        if (entry->key.tag != SG_UNDEF) {
            *out = *entry;
            return true;
        }
    }
    return false;
}

void sg_dict_mark(sg_vm *vm, sg_dict *dict)
{
    sg_dict_store *store = dict->store;
    if (!store)
        return;
    // Entries behind every view's end would be stale, so only what a view sees is marked.
    uint32_t from = store->epoch == vm->epoch ? store->marked : 0;
    for (uint32_t i = from; i < dict->count; i++) {
        sg_mark_value(vm, store->entries[i].key);
        sg_mark_value(vm, store->entries[i].value);
    }
    store->epoch = vm->epoch;
    store->marked = dict->count > from ? dict->count : from;
}

void sg_dict_free(sg_vm *vm, sg_dict *dict)
{
    drop_store(vm, dict->store);
    dict->store = NULL;
}
