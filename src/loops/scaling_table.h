/* SPDX-License-Identifier: MIT */
/*
 * Defines every loop over elements, and the kernels that choose among them. Include with
 *
 *   JOB(work, scale_op, type, elem)  defines a loop, a lanes_fn with the name work_scale_op_type_elem
 *
 * The lists of loops are in loops/scaling.h. Defines quantize, dequantize_f16 and scaled_products and, for
 * backends with SCALING_ISA or SCALING_LOOPS, run_dequantize_codes.
 */
EACH_QUANTIZE_MULTIPLY(JOB)
EACH_QUANTIZE_IN_RANGE(JOB)
EACH_QUANTIZE_DIVIDE(JOB)
EACH_QUANTIZE_DIVIDE_CAST(JOB)
EACH_QUANTIZE_CLAMP(JOB)
EACH_QUANTIZE_NEAREST(JOB)
EACH_DEQUANTIZE_F16(JOB)
EACH_SCALED_PRODUCTS(JOB)

#define IN_TABLE(work, scale_op, type, elem)                                                                 \
    [SCALE_##scale_op][PTO_##type - PTO_F16][PTO_##elem - PTO_E4M3] = work##_##scale_op##_##type##_##elem,

static void quantize(const struct scaling *s, bool in_range, const u8 *x, const float *factors, size_t block,
                     u8 *codes, size_t n) {
    static lanes_fn *const kernels[SCALE_OPS][BLOCK_TENSOR_TYPES][BLOCK_ELEM_TYPES] = {
        EACH_QUANTIZE_MULTIPLY(IN_TABLE) EACH_QUANTIZE_DIVIDE(IN_TABLE) EACH_QUANTIZE_DIVIDE_CAST(IN_TABLE)
            EACH_QUANTIZE_CLAMP(IN_TABLE) EACH_QUANTIZE_NEAREST(IN_TABLE)};
    static lanes_fn *const kernels_in_range[SCALE_OPS][BLOCK_TENSOR_TYPES][BLOCK_ELEM_TYPES] = {
        EACH_QUANTIZE_IN_RANGE(IN_TABLE)};
    /* A product of e2m1 that is in range needs no clamp. */
    const enum scale_op op =
        in_range && s->scale_op == SCALE_CLAMP && s->elem == PTO_E2M1 ? SCALE_MULTIPLY : s->scale_op;
    const size_t type = tensor_type_index(s->type), elem = elem_index(s->elem);
    lanes_fn *const run = in_range ? kernels_in_range[op][type][elem] : NULL;
    (run != NULL ? run : kernels[s->scale_op][type][elem])(s, x, factors, block, codes, n);
}

static void dequantize_f16(const struct scaling *s, const u16 *halves, const float *factors, size_t block,
                           u8 *y, size_t n) {
    static lanes_fn *const kernels[1][BLOCK_TENSOR_TYPES][1] = {EACH_DEQUANTIZE_F16(IN_TABLE)};
    kernels[0][tensor_type_index(s->type)][0](s, (const u8 *)halves, factors, block, y, n);
}

#if defined(SCALING_ISA) || defined(SCALING_LOOPS)
EACH_DEQUANTIZE_CODES(JOB)

static void run_dequantize_codes(const struct scaling *s, const u8 *codes, const float *factors, size_t block,
                                 u8 *y, size_t n) {
    static lanes_fn *const kernels[1][BLOCK_TENSOR_TYPES][BLOCK_ELEM_TYPES] = {
        EACH_DEQUANTIZE_CODES(IN_TABLE)};
    kernels[0][tensor_type_index(s->type)][elem_index(s->elem)](s, codes, factors, block, y, n);
}
#endif

static void scaled_products(const struct scaling *s, const u8 *x, const float *factors, size_t block,
                            float *products, size_t n) {
    static lanes_fn *const kernels[SCALE_OPS][BLOCK_TENSOR_TYPES][1] = {EACH_SCALED_PRODUCTS(IN_TABLE)};
    kernels[s->scale_op][tensor_type_index(s->type)][0](s, x, factors, block, (u8 *)products, n);
}
