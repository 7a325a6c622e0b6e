/* SPDX-License-Identifier: MIT */
/* Runs loads and stores of kernels, and checks every access. */
#include "launch.h"

#include <string.h>

/* ---- finding memory ---- */

/* An access of one lane, for error messages. */
struct access {
    const struct step *step;
    size_t lane;
    size_t bytes;
    bool is_store;
};

/* The window of an address, and the offset in this window, in bytes. */
struct location {
    struct window window;
    int64_t offset;
};

/* Returns the window and offset of an address in a space. If no memory belongs to the address, window.name is
 * NULL. */
static struct location locate(const struct launch *l, enum space space, uint64_t address, size_t lane) {
    const uint64_t rounded = address + ((uint64_t)1 << (WINDOW_SHIFT - 1)), number = rounded >> WINDOW_SHIFT;
    struct location at = {{NULL, NULL, 0, true, false}, (int64_t)(address - (number << WINDOW_SHIFT))};
    if (space == SPACE_PARAMETER) {
        at.window = (struct window){"the parameters", l->parameters, l->kernel->parameter_bytes, false, true};
        at.offset = (int64_t)address;
    } else if (space == SPACE_SHARED || (space == SPACE_GENERIC && number == WINDOW_SHARED)) {
        at.window.name = "shared memory";
        at.window.data = l->shared + lane / l->group.threads * l->shared_bytes;
        at.window.bytes = l->shared_bytes;
        if (space == SPACE_SHARED) at.offset = (int64_t)(address & UINT32_MAX);
    } else if (space == SPACE_LOCAL || (space == SPACE_GENERIC && number == WINDOW_LOCAL)) {
        at.window.name = "local memory";
        at.window.data = l->local + lane * l->local_bytes;
        at.window.bytes = l->local_bytes;
        if (space == SPACE_LOCAL) at.offset = (int64_t)(address & UINT32_MAX);
    } else if (number >= FIRST_WINDOW && number < l->window_count) {
        at.window = l->windows[number];
    }
    return at;
}

static bool is_allowed(const struct location *at, size_t bytes, bool is_store) {
    return at->window.name && at->offset >= 0 && (uint64_t)at->offset % bytes == 0 &&
           at->window.bytes >= bytes && (uint64_t)at->offset <= at->window.bytes - bytes &&
           (at->window.is_writable || !is_store);
}

static pto_status refuse(struct launch *l, const struct access *a, const struct location *at,
                         uint64_t address) {
    const char *verb = a->is_store ? "writes" : "reads", *name = at->window.name;
    const size_t thread = a->lane % l->group.threads,
                 block = l->group.first_block + a->lane / l->group.threads;
    if (!name && address == 0)
        return pto_launch_error(
            l, a->step, "", PTO_ERR_SIZE,
            "thread %zu of block %zu %s %zu bytes at a null pointer, which is in no array", thread, block,
            verb, a->bytes);
    if (!name)
        return pto_launch_error(
            l, a->step, "", PTO_ERR_SIZE,
            "thread %zu of block %zu %s %zu bytes at address 0x%llx, which is in no array", thread, block,
            verb, a->bytes, (unsigned long long)address);
    if (a->is_store && !at->window.is_writable)
        return pto_launch_error(l, a->step, name, PTO_ERR_SIZE,
                                "thread %zu of block %zu writes %zu bytes to %s, which it may only read",
                                thread, block, a->bytes, name);
    if (at->offset < 0)
        return pto_launch_error(l, a->step, name, PTO_ERR_SIZE,
                                "thread %zu of block %zu %s %zu bytes at %s - %lld, before its beginning",
                                thread, block, verb, a->bytes, name, -(long long)at->offset);
    if ((uint64_t)at->offset % a->bytes != 0)
        return pto_launch_error(
            l, a->step, name, PTO_ERR_SIZE,
            "thread %zu of block %zu %s %zu bytes at %s + %lld, which is not a multiple of %zu", thread,
            block, verb, a->bytes, name, (long long)at->offset, a->bytes);
    return pto_launch_error(l, a->step, name, PTO_ERR_SIZE,
                            "thread %zu of block %zu %s %zu bytes at %s + %lld, past its end (%zu bytes)",
                            thread, block, verb, a->bytes, name, (long long)at->offset, at->window.bytes);
}

/* ---- addresses of all lanes ---- */

static size_t element_bytes(const struct memory_parameters *m) {
    return pto_dtype_bits(m->type) / 8;
}

bool pto_memory_strided(const struct launch *l, const struct step *s, bool is_store, struct strided *to) {
    const struct memory_parameters *m = &s->parameters.memory;
    const struct lane_values *v = &l->values[s->src[0]];
    const size_t bytes = element_bytes(m) * m->count;
    struct ramp address = v->ramp;
    struct location least_at, greatest_at;
    int64_t least, greatest;
    const unsigned bits = (unsigned)pto_reg_bits(&l->kernel->code.regs[s->src[0]]);
    if (!v->is_ramp || m->space == SPACE_SHARED || m->space == SPACE_LOCAL || bits != 64) return false;
    address.first += (uint64_t)m->offset;
    if (!pto_ramp_range(&address, &l->group, 64, false, &least, &greatest)) return false;
    least_at = locate(l, m->space, (uint64_t)least, 0);
    greatest_at = locate(l, m->space, (uint64_t)greatest, 0);
    if (least_at.window.name != greatest_at.window.name || /* two windows can have the same memory */
        least >> WINDOW_SHIFT == WINDOW_SHARED || least >> WINDOW_SHIFT == WINDOW_LOCAL)
        return false;
    if (!is_allowed(&least_at, bytes, is_store) || !is_allowed(&greatest_at, bytes, is_store)) return false;
    if ((address.per_thread | address.per_block) % bytes != 0) return false;
    to->window = least_at.window;
    to->first = least_at.window.data + least_at.offset + (address.first - (uint64_t)least);
    to->per_thread = (ptrdiff_t)address.per_thread;
    to->per_block = (ptrdiff_t)address.per_block;
    return true;
}

/* Returns whether the addresses of all neighbouring lanes differ by `per_thread`, also between two blocks. */
static bool is_one_run(const struct launch *l, const struct strided *a) {
    return l->group.blocks == 1 || a->per_block == (ptrdiff_t)l->group.threads * a->per_thread;
}

pto_status pto_memory_find(struct launch *l, const struct step *s, bool is_store,
                           const struct lane_mask *mask) {
    const struct memory_parameters *m = &s->parameters.memory;
    const size_t bytes = element_bytes(m) * m->count;
    const unsigned char *addresses = pto_launch_lanes(l, s->src[0]);
    const size_t width = pto_reg_bits(&l->kernel->code.regs[s->src[0]]) / 8;
    for (size_t i = 0; i < l->group.lanes; i++) {
        const struct access a = {s, i, bytes, is_store};
        struct location at;
        uint64_t address = 0;
        if (mask && !pto_mask_has(mask, i)) continue;
        memcpy(&address, addresses + i * width, width);
        address += (uint64_t)m->offset;
        at = locate(l, m->space, address, i);
        if (!is_allowed(&at, bytes, is_store)) return refuse(l, &a, &at, address);
        l->places[i] = at.window.data + at.offset;
    }
    return PTO_OK;
}

/* ---- copying elements between memory and registers ---- */

/* Loads n elements of `narrow` bytes, which are `stride` bytes apart, and extends them to `wide` bytes. */
static inline void load_run(size_t narrow, size_t wide, bool is_signed, const unsigned char *from,
                            ptrdiff_t stride, unsigned char *to, size_t n) {
    const unsigned above = (unsigned)(64 - 8 * narrow);
    for (size_t i = 0; i < n; i++) {
        uint64_t x = 0;
        memcpy(&x, from + (ptrdiff_t)i * stride, narrow);
        if (is_signed) x = (uint64_t)((int64_t)(x << above) >> above);
        memcpy(to + i * wide, &x, wide);
    }
}

/* Stores the low `narrow` bytes of n elements of `wide` bytes, `stride` bytes apart. */
static inline void store_run(size_t narrow, size_t wide, const unsigned char *from, unsigned char *to,
                             ptrdiff_t stride, size_t n) {
    for (size_t i = 0; i < n; i++) memcpy(to + (ptrdiff_t)i * stride, from + i * wide, narrow);
}

/* Copies an array in parts, because memcpy() of long arrays can use `rep movsb`, which takes many times longer on some
 * CPUs if the source begins near the start of a page. */
static void copy_array(const unsigned char *from, unsigned char *to, size_t bytes) {
    enum { PART = 1024 };
    for (size_t i = 0; i < bytes; i += PART) memcpy(to + i, from + i, bytes - i < PART ? bytes - i : PART);
}

/* The two functions below pass common sizes as constants, so that memcpy() becomes one instruction. */

static void load_any(size_t narrow, size_t wide, bool is_signed, const unsigned char *from, ptrdiff_t stride,
                     unsigned char *to, size_t n) {
    if (narrow == wide && stride == (ptrdiff_t)wide) {
        copy_array(from, to, n * wide);
        return;
    }
    switch (narrow * 16 + wide) {
    case 0x12: load_run(1, 2, is_signed, from, stride, to, n); break;
    case 0x14: load_run(1, 4, is_signed, from, stride, to, n); break;
    case 0x22: load_run(2, 2, false, from, stride, to, n); break;
    case 0x24: load_run(2, 4, is_signed, from, stride, to, n); break;
    case 0x44: load_run(4, 4, false, from, stride, to, n); break;
    case 0x88: load_run(8, 8, false, from, stride, to, n); break;
    default: load_run(narrow, wide, is_signed, from, stride, to, n); break;
    }
}

static void store_any(size_t narrow, size_t wide, const unsigned char *from, unsigned char *to,
                      ptrdiff_t stride, size_t n) {
    if (narrow == wide && stride == (ptrdiff_t)wide) {
        copy_array(from, to, n * wide);
        return;
    }
    switch (narrow * 16 + wide) {
    case 0x12: store_run(1, 2, from, to, stride, n); break;
    case 0x14: store_run(1, 4, from, to, stride, n); break;
    case 0x22: store_run(2, 2, from, to, stride, n); break;
    case 0x44: store_run(4, 4, from, to, stride, n); break;
    case 0x88: store_run(8, 8, from, to, stride, n); break;
    default: store_run(narrow, wide, from, to, stride, n); break;
    }
}

static size_t reg_bytes(const struct launch *l, int reg) {
    return pto_reg_bits(&l->kernel->code.regs[reg]) / 8;
}

/* ---- loads ---- */

static bool is_signed_type(pto_dtype type) {
    return pto_dtype_class(type) == PTO_CLASS_SIGNED;
}

void pto_memory_load_strided(const struct launch *l, const struct step *s, const struct strided *a,
                             unsigned k, unsigned char *to) {
    const struct memory_parameters *m = &s->parameters.memory;
    const size_t narrow = element_bytes(m), wide = reg_bytes(l, s->dst[k]);
    const bool one = is_one_run(l, a);
    const size_t runs = one ? 1 : l->group.blocks, n = one ? l->group.lanes : l->group.threads;
    for (size_t b = 0; b < runs; b++)
        load_any(narrow, wide, is_signed_type(m->type), a->first + (ptrdiff_t)b * a->per_block + k * narrow,
                 a->per_thread, to + b * n * wide, n);
}

/* Returns the number of lanes in `mask` if they are the first ones of the group, otherwise 0. */
static size_t count_first_lanes(const struct launch *l, const struct lane_mask *mask) {
    size_t count = 0;
    while (count < l->group.lanes && pto_mask_has(mask, count)) count++;
    for (size_t i = count; i < l->group.lanes; i++)
        if (pto_mask_has(mask, i)) return 0;
    return count;
}

/* Sets *to as pto_memory_strided() does, for the lanes in `mask` if these are the first ones of the group, as they are
 * where an array ends; otherwise for all lanes. Sets *lanes to a group of these lanes. */
static bool find_strided(struct launch *l, const struct step *s, bool is_store, const struct lane_mask *mask,
                         struct strided *to, struct group *lanes) {
    const struct group all = l->group;
    const struct ramp *address = &l->values[s->src[0]].ramp;
    const bool is_linear = all.blocks == 1 || address->per_block == all.threads * address->per_thread;
    const size_t first = mask && is_linear ? count_first_lanes(l, mask) : 0;
    bool found;
    *lanes = first != 0 ? (struct group){first, 1, first, all.first_block} : all;
    if (is_store && mask && first == 0) return false;
    l->group = *lanes;
    found = pto_memory_strided(l, s, is_store, to);
    l->group = all;
    return found;
}

bool pto_memory_is_array(const struct launch *l, const struct step *s, const struct strided *a, int reg) {
    const struct memory_parameters *m = &s->parameters.memory;
    return m->count == 1 && element_bytes(m) == reg_bytes(l, reg) &&
           a->per_thread == (ptrdiff_t)element_bytes(m) && is_one_run(l, a);
}

/* Loads element k of each lane to its register. If `may_point` is set and the elements of all lanes are
 * consecutive in a constant window, the register points to them and nothing is copied. */
static void load_whole(struct launch *l, const struct step *s, const struct strided *a, unsigned k,
                       bool may_point) {
    const struct memory_parameters *m = &s->parameters.memory;
    const size_t narrow = element_bytes(m), wide = reg_bytes(l, s->dst[k]);
    struct lane_values *v = &l->values[s->dst[k]];
    if (a->per_thread == 0 && a->per_block == 0) {
        uint64_t value = 0;
        load_any(narrow, wide, is_signed_type(m->type), a->first + k * narrow, 0, (unsigned char *)&value, 1);
        v->is_ramp = true;
        v->ramp = pto_ramp_uniform(value);
    } else if (may_point && a->window.is_constant && pto_memory_is_array(l, s, a, s->dst[k])) {
        v->is_ramp = false;
        v->data = a->first;
    } else {
        pto_memory_load_strided(l, s, a, k, pto_launch_result(l, s->dst[k]));
    }
}

static void load_places(const struct launch *l, const struct step *s, const struct lane_mask *mask,
                        unsigned k, unsigned char *to) {
    const struct memory_parameters *m = &s->parameters.memory;
    const size_t narrow = element_bytes(m), wide = reg_bytes(l, s->dst[k]);
    for (size_t i = 0; i < l->group.lanes; i++)
        if (!mask || pto_mask_has(mask, i))
            load_any(narrow, wide, is_signed_type(m->type), l->places[i] + k * narrow, 0, to + i * wide, 1);
}

pto_status pto_memory_load(struct launch *l, const struct step *s, const struct lane_mask *mask) {
    const struct group all = l->group;
    /* lanes that have ended may get any value */
    const bool merges = mask && memcmp(mask->words, l->alive.words, (all.lanes + 63) / 64 * 8) != 0;
    struct group lanes;
    struct strided a;
    const bool strided = find_strided(l, s, false, mask, &a, &lanes);
    pto_status status = strided ? PTO_OK : pto_memory_find(l, s, false, mask);
    for (unsigned k = 0; k < s->parameters.memory.count && status == PTO_OK; k++) {
        const int reg = s->dst[k];
        if (reg == ABSENT) continue;
        l->group = strided ? lanes : all;
        if (strided && !merges)
            load_whole(l, s, &a, k, lanes.lanes == all.lanes);
        else if (strided)
            pto_memory_load_strided(l, s, &a, k, l->scratch[k]);
        else
            load_places(l, s, mask, k, l->scratch[k]);
        l->group = all;
        if (merges)
            status = pto_launch_merge(l, reg, l->scratch[k], mask);
        else if (!strided)
            memcpy(pto_launch_result(l, reg), l->scratch[k], all.lanes * reg_bytes(l, reg));
    }
    return status;
}

/* ---- stores ---- */

void pto_memory_store_strided(const struct launch *l, const struct step *s, const struct strided *a,
                              unsigned k, const unsigned char *from) {
    const size_t narrow = element_bytes(&s->parameters.memory), wide = reg_bytes(l, s->src[1 + k]);
    const bool one = is_one_run(l, a);
    const size_t runs = one ? 1 : l->group.blocks, n = one ? l->group.lanes : l->group.threads;
    for (size_t b = 0; b < runs; b++)
        store_any(narrow, wide, from + b * n * wide, a->first + (ptrdiff_t)b * a->per_block + k * narrow,
                  a->per_thread, n);
}

static void store_places(const struct launch *l, const struct step *s, const struct lane_mask *mask,
                         unsigned k, const unsigned char *from) {
    const size_t narrow = element_bytes(&s->parameters.memory), wide = reg_bytes(l, s->src[1 + k]);
    for (size_t i = 0; i < l->group.lanes; i++)
        if (!mask || pto_mask_has(mask, i))
            store_any(narrow, wide, from + i * wide, l->places[i] + k * narrow, 0, 1);
}

/* If several lanes store to the same address, memory gets all elements of the last of these lanes, because
 * each element is stored for all lanes in ascending order. */
pto_status pto_memory_store(struct launch *l, const struct step *s, const struct lane_mask *mask) {
    const struct group all = l->group;
    struct group lanes;
    struct strided a;
    const bool strided = find_strided(l, s, true, mask, &a, &lanes);
    const pto_status status = strided ? PTO_OK : pto_memory_find(l, s, true, mask);
    for (unsigned k = 0; k < s->parameters.memory.count && status == PTO_OK; k++) {
        const unsigned char *from = pto_launch_lanes(l, s->src[1 + k]);
        l->group = strided ? lanes : all;
        if (strided)
            pto_memory_store_strided(l, s, &a, k, from);
        else
            store_places(l, s, mask, k, from);
        l->group = all;
    }
    return status;
}
