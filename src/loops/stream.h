/* SPDX-License-Identifier: MIT */
/*
 * Streaming stores. A result that no cache will keep costs a third of its traffic more if its lines are first
 * read, as ordinary stores do. Part of vocabulary.h, which says what v_stream and v_stream_end are.
 */
#ifndef PTO_LOOPS_STREAM_H
#define PTO_LOOPS_STREAM_H

#ifdef VEC_HAS_STREAM
enum { STREAMS = true };
#else
enum { STREAMS = false };
static ALWAYS_INLINE void v_stream(void *p, vec x) {
    v_store(p, x);
}
static ALWAYS_INLINE void v_stream_end(void) {}
#endif

/* Not for a dst that is a source too: its lines are in the cache. Nor where no element begins a line. */
static ALWAYS_INLINE bool stream_pays(const void *dst, size_t element_bytes, size_t n) {
    return STREAMS && n >= STREAM_BYTES / element_bytes && (uintptr_t)dst % element_bytes == 0;
}

/* Bytes before the first line. */
static ALWAYS_INLINE size_t stream_head(const void *dst) {
    return -(uintptr_t)dst % VBYTES;
}

/* Lanes at to at + lanes - 1 of packed bits, lanes <= 64; no byte without one of them is read. */
static ALWAYS_INLINE u64 bits_at(const u8 *bits, size_t at, size_t lanes) {
    const size_t shift = at % 8, bytes = (shift + lanes + 7) / 8;
    const u8 *p = bits + at / 8;
    const u64 low = load_bytes(p, bytes) >> shift;
    return bytes > 8 ? low | (u64)p[8] << (64 - shift) : low;
}

#endif
