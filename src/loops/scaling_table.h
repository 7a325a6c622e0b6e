/* SPDX-License-Identifier: MIT */
/*
 * Defines every loop over elements, and the kernels that choose among them. Include with
 *
 *   JOB(work, step, wide, elem)  defines a loop, a lanes_fn with the name work_step_wide_elem
 *
 * The lists of loops are in loops/scaling_jobs.h. Defines shrink, expand and multiply and, for
 * backends with SCALING_ISA or SCALING_LOOPS, expand_any_codes.
 */
EACH_TIMES(JOB)
EACH_TAME(JOB)
EACH_OVER(JOB)
EACH_OVER_CAST(JOB)
EACH_EXPAND(JOB)
EACH_PRODUCT(JOB)

#define IN_TABLE(work, step, wide, elem)                                                                     \
    [STEP_##step][PTO_##wide - PTO_F16][PTO_##elem - PTO_E4M3] = work##_##step##_##wide##_##elem,

static void shrink(const struct scaling *s, bool tame, const u8 *x, const float *factors, size_t block,
                   u8 *codes, size_t n) {
    static lanes_fn *const of[BLOCK_STEPS][BLOCK_WIDES][BLOCK_ELEMS] = {
        EACH_TIMES(IN_TABLE) EACH_OVER(IN_TABLE) EACH_OVER_CAST(IN_TABLE)};
    static lanes_fn *const of_tame[1][BLOCK_WIDES][BLOCK_ELEMS] = {EACH_TAME(IN_TABLE)};
    lanes_fn *const run =
        (tame && s->step == STEP_TIMES ? of_tame[0] : of[s->step])[wide_index(s->wide)][elem_index(s->elem)];
    run(s, x, factors, block, codes, n);
}

static void expand(const struct scaling *s, const u16 *halves, const float *factors, size_t block, u8 *y,
                   size_t n) {
    static lanes_fn *const of[1][BLOCK_WIDES][1] = {EACH_EXPAND(IN_TABLE)};
    of[0][wide_index(s->wide)][0](s, (const u8 *)halves, factors, block, y, n);
}

#if defined(SCALING_ISA) || defined(SCALING_LOOPS)
EACH_CODES(JOB)

static void expand_any_codes(const struct scaling *s, const u8 *codes, const float *factors, size_t block,
                             u8 *y, size_t n) {
    static lanes_fn *const of[1][BLOCK_WIDES][BLOCK_ELEMS] = {EACH_CODES(IN_TABLE)};
    of[0][wide_index(s->wide)][elem_index(s->elem)](s, codes, factors, block, y, n);
}
#endif

static void multiply(const struct scaling *s, const u8 *x, const float *factors, size_t block,
                     float *products, size_t n) {
    static lanes_fn *const of[BLOCK_STEPS][BLOCK_WIDES][1] = {EACH_PRODUCT(IN_TABLE)};
    of[s->step][wide_index(s->wide)][0](s, x, factors, block, (u8 *)products, n);
}
