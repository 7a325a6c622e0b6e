/* SPDX-License-Identifier: MIT */
/*
 * exp kernels on SLEEF's vectors. A vec.h that has v_exp_f32 and v_exp_f64 says so with VEC_HAS_EXP; where
 * SLEEF has no vectors for the vocabulary (SIMDe's renderings) the table names the scalar kernels, which give
 * the same bits.
 */
#ifdef PTO_WITH_SLEEF
#    ifdef VEC_HAS_EXP

#        define NAME(name)       CAT3(name, _, ISA)
#        define EXP_KERNEL(lane) CAT3(exp_, lane, CAT(_, ISA))

static void NAME(exp_f32)(const void *src, void *dst, size_t n) {
    const u8 *in = src;
    u8 *out = dst;
    for (; n >= VLANES_32; n -= VLANES_32) {
        v_store(out, v_exp_f32(v_load(in)));
        in += VBYTES;
        out += VBYTES;
    }
    if (n != 0) v_store_n_32(out, v_exp_f32(v_load_n_32(in, n)), n);
}

static void NAME(exp_f64)(const void *src, void *dst, size_t n) {
    const u8 *in = src;
    u8 *out = dst;
    for (; n >= VLANES_64; n -= VLANES_64) {
        v_store(out, v_exp_f64(v_load(in)));
        in += VBYTES;
        out += VBYTES;
    }
    if (n != 0) v_store_n_64(out, v_exp_f64(v_load_n_64(in, n)), n);
}

#        undef NAME
#    else
#        define EXP_KERNEL(lane) CAT3(pto_exp_, lane, _scalar)
#    endif
#endif
