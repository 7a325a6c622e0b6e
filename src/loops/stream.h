/* SPDX-License-Identifier: MIT */
/*
 * Streaming (non-temporal) stores. An ordinary store first reads the cache line. For a result that no cache
 * will hold, that adds a third to the memory traffic. Part of vocabulary.h, which describes v_stream and
 * v_stream_end.
 */
#ifndef PTO_LOOPS_STREAM_H
#define PTO_LOOPS_STREAM_H

#ifdef VEC_X86
enum { STREAMS = true };
#else
enum { STREAMS = false };
static ALWAYS_INLINE void v_stream(void *p, vec x) {
    v_store(p, x);
}
static ALWAYS_INLINE void v_stream_end(void) {}
#endif

/* Returns whether streaming stores pay for n elements. Elements must be aligned, so that one of them begins
 * each line. The caller must also check that dst is not a source, whose lines are in the cache. */
static ALWAYS_INLINE bool stream_pays(const void *dst, size_t element_bytes, size_t n) {
    return STREAMS && n >= STREAM_BYTES / element_bytes && (uintptr_t)dst % element_bytes == 0;
}

/* Returns how many bytes of dst lie before the first multiple of VBYTES. */
static ALWAYS_INLINE size_t stream_head(const void *dst) {
    return -(uintptr_t)dst % VBYTES;
}

#endif
