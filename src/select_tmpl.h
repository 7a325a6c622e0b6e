/* SPDX-License-Identifier: MIT */
/*
 * Select and fill kernels for one element width, written once against the vocabulary of an ISA's vec.h.
 * Include with WIDTH  8, 16, 32, 64 and ISA defined. Leaves select_WIDTH_ISA and fill_WIDTH_ISA.
 */
#define NAME(prefix)  CAT3(prefix, WIDTH, CAT(_, ISA))
#define W(prefix)     CAT(prefix, WIDTH)
#define LANES         W(VLANES_)
#define ELEMENT_BYTES ((size_t)WIDTH / 8)

static ALWAYS_INLINE vec NAME(pick_)(u64 bits, vec x, vec y) {
    return W(v_sel_)(W(m_from_bits_)(bits), x, y);
}

static void NAME(select_)(const void *x, const void *y, const void *bits, void *dst, size_t n) {
    const u8 *px = x, *py = y, *in = bits;
    u8 *out = dst;
    u64 word;
    for (; n >= 64; n -= 64) {
        word = load64(in);
        UNROLL
        for (size_t i = 0; i < 64 / LANES; ++i) {
            size_t at = i * VBYTES;
            v_store(out + at, NAME(pick_)(word >> i * LANES % 64, v_load(px + at), v_load(py + at)));
        }
        in += 8;
        px += 64 * ELEMENT_BYTES;
        py += 64 * ELEMENT_BYTES;
        out += 64 * ELEMENT_BYTES;
    }
    if (n == 0) return;
    word = load_bytes(in, (n + 7) / 8);
    for (size_t i = 0; i < n; i += LANES) {
        size_t lanes = min_size(n - i, LANES), at = i * ELEMENT_BYTES;
        vec vx = W(v_load_n_)(px + at, lanes), vy = W(v_load_n_)(py + at, lanes);
        W(v_store_n_)(out + at, NAME(pick_)(word >> i, vx, vy), lanes);
    }
}

static void NAME(fill_)(const void *scalar, void *dst, size_t n) {
    u8 *out = dst;
    vec s = W(v_set1_)(scalar);
    for (; n >= LANES; n -= LANES) {
        v_store(out, s);
        out += VBYTES;
    }
    if (n != 0) W(v_store_n_)(out, s, n);
}

#undef NAME
#undef W
#undef LANES
#undef ELEMENT_BYTES
#undef WIDTH
