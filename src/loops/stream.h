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

#endif
