/* SPDX-License-Identifier: MIT */
/*
 * What the vocabularies of AVX2 and AVX-512 share. Part of each folder's vec.h, which before it defines
 * VBYTES and
 *
 *   load_masked(p, b)   the first b bytes of a vector at p, under a mask; the others 0
 *   store_masked(p, x, b)
 *   load_at_end(p, b)   the same by a vector that ends where they do
 *   store_at_end(p, x, b)
 */
#ifndef PTO_X86_VEC_H
#define PTO_X86_VEC_H

/*
 * A masked access whose unused lanes lie on a page that is not mapped touches nothing there, but takes
 * hundreds of cycles: the processor's microcode has to find out. So a short vector that would cross into
 * another page ends with the operand instead, its unused lanes before it. Emulators that touch whole vectors
 * stay on the operand's pages, too.
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

#define VEC_HAS_STREAM
static ALWAYS_INLINE void v_stream_end(void) {
    _mm_sfence();
}

#define VEC_HAS_BITS_GATHER
static ALWAYS_INLINE u64 bits_gather(u64 x, unsigned s) {
    return _pext_u64(x, ~(u64)0 / low_bits(s));
}

static ALWAYS_INLINE u64 bits_scatter(u64 x, unsigned s) {
    return _pdep_u64(x, ~(u64)0 / low_bits(s));
}

#endif
