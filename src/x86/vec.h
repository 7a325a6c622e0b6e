/* SPDX-License-Identifier: MIT */
/*
 * Entries of the vocabulary that AVX2 and AVX-512 share. Part of each folder's vec.h, which first defines VBYTES and
 *
 *   load_masked(p, b)   loads the first b bytes of a vector at p under a mask; the other bytes are 0
 *   store_masked(p, x, b)
 *                       stores the first b bytes of x under a mask
 *   load_at_end(p, b)   does the same with a vector whose unused lanes precede the operand
 *   store_at_end(p, x, b)
 */
#ifndef PTO_X86_VEC_H
#define PTO_X86_VEC_H

/*
 * A masked access whose unused lanes lie on an unmapped page touches nothing there, but takes hundreds of
 * cycles, because microcode checks the mask. So a short vector that would cross into another page ends with the
 * operand instead, and its unused lanes precede it. Emulators that touch whole vectors then stay on the
 * operand's pages, too.
 */
static ALWAYS_INLINE bool crosses_page(const void *p) {
    const size_t page = 4096;
    return unlikely((uintptr_t)p % page > page - VBYTES);
}

static ALWAYS_INLINE vec v_load_bytes(const void *p, size_t bytes) {
    return crosses_page(p) ? load_at_end(p, bytes) : load_masked(p, bytes);
}

static ALWAYS_INLINE void v_store_bytes(void *p, vec x, size_t bytes) {
    if (crosses_page(p))
        store_at_end(p, x, bytes);
    else
        store_masked(p, x, bytes);
}

#define VEC_X86
static ALWAYS_INLINE void v_stream_end(void) {
    _mm_sfence();
}

static ALWAYS_INLINE u64 bits_gather(u64 x, unsigned s) {
    return _pext_u64(x, ~(u64)0 / low_bits(s));
}

static ALWAYS_INLINE u64 bits_scatter(u64 x, unsigned s) {
    return _pdep_u64(x, ~(u64)0 / low_bits(s));
}

#endif
