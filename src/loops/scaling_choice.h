/* SPDX-License-Identifier: MIT */
/*
 * The rules that choose between two scales of a block, for as many blocks at once as a vector has lanes. A lane has the
 * elements of one block, one after the other, so errors are summed in the order of the rule. Part of scaling.h, written
 * in the operations of scaling_rules.h. The definition is scalar/scaling_choice.c.
 */

/* Returns the magnitude of the e2m1 value nearest to x, with saturation; 6 for a NaN. Adding a power of two rounds to a
 * multiple of 1/2, and from 2 on to fewer fraction bits. */
static ALWAYS_INLINE floats e2m1_magnitude(floats x) {
    const words m = w_at_most(w_magnitude(as_words(x)), bits_of_float(6.0F));
    const words e = w_at_least(w_and(m, F32_INFINITY), bits_of_float(1.0F));
    const floats power = as_floats(w_add(e, (u32)22 << 23));
    return f_sub(f_add(as_floats(m), power), power);
}

/* What is computed, as compile-time constants. */
struct choice_job {
    enum block_choice choice;
    bool squares;
};

/* Returns the error of the magnitude x for a scale of value |v|. r is the magnitude of the factor of elements, and v
 * has the sign of that factor. The errors of x and -x have the same magnitude. `product` is x times scale_operand,
 * which only CHOICE_FAST uses. */
static ALWAYS_INLINE floats error_of(struct choice_job j, const struct scaling *s, floats x, floats product,
                                     floats v, floats r) {
    const floats w = f_mul(e2m1_magnitude(f_mul(x, r)), v);
    switch (j.choice) {
    case CHOICE_TE: return f_sub(f_div_by(f_mul_by(w, s->level), s->six_targets), x);
    case CHOICE_FI: return f_sub(f_mul_by(w, s->factor_operand), x);
    default: return f_sub(w, product);
    }
}

/* Returns the error of the magnitude x by ModelOpt's fake quantizer, whose scale is z. r is z, but 1 if z is infinite
 * or a NaN. */
static ALWAYS_INLINE floats fake_error_of(floats x, floats z, floats r) {
    const words y = w_magnitude(as_words(f_mul(e2m1_magnitude(f_div(x, r)), r)));
    return f_sub(x, as_floats(w_select_const(w_eq(w_magnitude(as_words(z)), 0), 0, y)));
}

static ALWAYS_INLINE floats add_error(struct choice_job j, const struct scaling *s, floats sum, floats x,
                                      floats product, floats v, floats r) {
    const floats u = j.choice == CHOICE_MODELOPT ? fake_error_of(x, v, r) : error_of(j, s, x, product, v, r);
    return f_add(sum, j.squares ? f_mul(u, u) : as_floats(w_magnitude(as_words(u))));
}

/* The blocks of a step: `count` blocks, of which the first begins at element `from` of a row. */
struct choice_step {
    size_t from, count;
};

/* CHOICE_LANES is the most blocks of a step: the sums of all rows must fit a small stack. Elements are loaded for
 * CHOICE_COLUMNS columns of the blocks at once. */
enum { CHOICE_LANES = 32, CHOICE_COLUMNS = 16 };

/* columns[i] has the magnitude of element i of each block as f32, and 0 if there is none. */
typedef float choice_columns[CHOICE_COLUMNS][CHOICE_LANES];

#ifdef SCALING_ISA
/* Loads CHOICE_COLUMNS columns of VLANES_32 blocks, which are `stride` bytes apart. */
static ALWAYS_INLINE void load_whole(const u8 *p, size_t stride, pto_dtype type, choice_columns columns) {
    for (size_t first = 0; first < CHOICE_COLUMNS; first += VLANES_32) {
        u32v x[VLANES_32];
        UNROLL for (size_t k = 0; k < VLANES_32; ++k) x[k] =
            magnitude_of_32((u32v)load_tensor(p + k * stride + first * tensor_elem_bytes(type), type));
        v_transpose(x);
        UNROLL for (size_t k = 0; k < VLANES_32; ++k) v_store_32((u8 *)columns[first + k], x[k], 4);
    }
}

static NOINLINE void load_whole_columns(const u8 *p, size_t stride, pto_dtype type, choice_columns columns) {
    switch (type) {
    case PTO_F16: load_whole(p, stride, PTO_F16, columns); break;
    case PTO_BF16: load_whole(p, stride, PTO_BF16, columns); break;
    default: load_whole(p, stride, PTO_F32, columns); break;
    }
}
#endif

/* Loads `width` columns of the blocks of a step, from column `first` on. */
static NOINLINE void load_columns(const struct scaling *s, const struct block_elements *e, const u8 *row,
                                  struct choice_step at, size_t first, size_t width, choice_columns columns) {
    const size_t size = tensor_elem_bytes(s->type), stride = e->block * size, left = e->n - at.from;
    const size_t whole = left / e->block,
                 rest = left % e->block; /* all blocks of the row, and a shorter one */
    const u8 *const p = row + (at.from + first) * size;
#ifdef SCALING_ISA
    if (at.count == VLANES_32 && whole >= VLANES_32 && width == CHOICE_COLUMNS) {
        load_whole_columns(p, stride, s->type, columns);
        return;
    }
#endif
    for (size_t i = 0; i < width; ++i) {
        const size_t lanes = min_size(at.count, first + i < rest ? whole + 1 : whole);
        const words x = as_words(f_load_column(p + i * size, stride, s->type, lanes));
        w_store_padded((u8 *)columns[i], w_magnitude(x), at.count);
    }
}

/* Sets *sum6 and *sum4 to the errors of one row of each block by the two scales. */
static ALWAYS_INLINE void sum_row(struct choice_job j, const struct scaling *s,
                                  const struct block_elements *e, const u8 *row, struct choice_step at,
                                  floats v6, floats r6, floats v4, floats r4, floats *sum6, floats *sum4) {
    const size_t longest = min_size(e->block, e->n - at.from);
    floats e6 = as_floats(w_const(0)), e4 = e6;
    choice_columns columns;
    for (size_t first = 0; first < longest; first += CHOICE_COLUMNS) {
        const size_t width = min_size(longest - first, CHOICE_COLUMNS);
        load_columns(s, e, row, at, first, width, columns);
        for (size_t i = 0; i < width; ++i) {
            const floats x = as_floats(w_load_padded((const u8 *)columns[i], at.count));
            const floats product = j.choice == CHOICE_FAST ? f_mul_by(x, s->scale_operand) : x;
            e6 = add_error(j, s, e6, x, product, v6, r6);
            e4 = add_error(j, s, e4, x, product, v4, r4);
        }
    }
    *sum6 = e6;
    *sum4 = e4;
}

/* Returns the sums over the rows: of halves of the rows, then of halves of these, and so on. */
static ALWAYS_INLINE floats sum_of_rows(float sums[CHOICE_ROWS][CHOICE_LANES], size_t count) {
    for (size_t half = CHOICE_ROWS / 2; half != 0; half /= 2)
        for (size_t i = 0; i < half; ++i) {
            u8 *const first = (u8 *)sums[i], *const second = (u8 *)sums[i + half];
            const words sum = as_words(
                f_add(as_floats(w_load_padded(first, count)), as_floats(w_load_padded(second, count))));
            w_store_padded(first, sum, count);
        }
    return as_floats(w_load_padded((const u8 *)sums[0], count));
}

/* Sets *sum6 and *sum4 to the errors of blocks of several rows. */
static ALWAYS_INLINE void sum_rows(struct choice_job j, const struct scaling *s,
                                   const struct block_elements *e, struct choice_step at, floats v6,
                                   floats r6, floats v4, floats r4, floats *sum6, floats *sum4) {
    float sums[2][CHOICE_ROWS][CHOICE_LANES] = {{{0}}};
    for (size_t i = 0; i < e->rows; ++i) {
        floats e6, e4;
        sum_row(j, s, e, e->x + i * e->stride, at, v6, r6, v4, r4, &e6, &e4);
        w_store_padded((u8 *)sums[0][i], as_words(e6), at.count);
        w_store_padded((u8 *)sums[1][i], as_words(e4), at.count);
    }
    *sum6 = sum_of_rows(sums[0], at.count);
    *sum4 = sum_of_rows(sums[1], at.count);
}

static ALWAYS_INLINE void sum_errors(struct choice_job j, const struct scaling *s,
                                     const struct block_elements *e, struct choice_step at, floats v6,
                                     floats r6, floats v4, floats r4, floats *sum6, floats *sum4) {
    if (e->rows == 1)
        sum_row(j, s, e, e->x, at, v6, r6, v4, r4, sum6, sum4);
    else
        sum_rows(j, s, e, at, v6, r6, v4, r4, sum6, sum4);
}

/* Ranks sums in their order: the bits plus 1, since no sum is negative; 0 for a NaN. */
static ALWAYS_INLINE words ranks_of(floats sum) {
    return w_select_const(w_nans(as_words(sum)), 0, w_add(w_magnitude(as_words(sum)), 1));
}

/* The scale of ModelOpt's fake quantizer for a block scale p before rounding. */
static ALWAYS_INLINE floats fake_scales(const struct scaling *s, floats p) {
    return f_mul_by(e4m3_value(e4m3_of(f_mul_by(p, s->scale_operand))), s->fake_inverse);
}

static ALWAYS_INLINE words modelopt_codes(struct choice_job j, const struct scaling *s,
                                          const struct block_elements *e, struct choice_step at, floats a) {
    const floats p6 = f_div_by(a, 6.0F), p4 = f_div_by(f_mul_by(a, 1.5F), 6.0F);
    const floats z6 = fake_scales(s, p6), z4 = fake_scales(s, p4);
    const masks huge6 = w_gt_u(w_magnitude(as_words(z6)), F32_LARGEST),
                huge4 = w_gt_u(w_magnitude(as_words(z4)), F32_LARGEST);
    const floats r6 = as_floats(w_select_const(huge6, bits_of_float(1.0F), as_words(z6))),
                 r4 = as_floats(w_select_const(huge4, bits_of_float(1.0F), as_words(z4)));
    floats sum6, sum4, p;
    sum_errors(j, s, e, at, z6, r6, z4, r4, &sum6, &sum4);
    p = as_floats(w_select(w_lt_u(ranks_of(sum4), ranks_of(sum6)), as_words(p4), as_words(p6)));
    p = f_mul_by(replace_zero(p, 1.0F), (float)pto_block_rules[s->rule].target);
    return e4m3_of(clamped(f_div_by(p, s->level_sixth), 0x1p-9F, 448.0F));
}

/* Returns x, which is not negative, with the sign of y. */
static ALWAYS_INLINE floats with_sign_of(floats x, words y) {
    return as_floats(w_sum(as_words(x), w_and(y, (u32)1 << 31)));
}

/* A tie and a NaN choose the scale that maps to 6. */
static ALWAYS_INLINE words chosen_codes(struct choice_job j, const struct scaling *s,
                                        const struct block_elements *e, struct choice_step at, floats a) {
    const floats b6 = f_mul_by(f_div_by(a, 6.0F), s->scale_operand);
    const words c6 = e4m3_of(b6), c4 = e4m3_of(f_mul_by(b6, 1.5F));
    const floats v6 = e4m3_value(c6), v4 = e4m3_value(c4);
    const words r6 = as_words(choice_factors(s, v6)), r4 = as_words(choice_factors(s, v4));
    floats sum6, sum4;
    words least;
    sum_errors(j, s, e, at, with_sign_of(v6, r6), as_floats(w_magnitude(r6)), with_sign_of(v4, r4),
               as_floats(w_magnitude(r4)), &sum6, &sum4);
    /* The rank of a NaN less 1 is the largest word, so the map to 4 does not win with a NaN. For the map to 6 it is
     * raised to 0, so that it does not win against one either. */
    least = w_add(ranks_of(sum4), -(u32)1);
    return w_select(w_lt_u(least, w_at_least(w_add(ranks_of(sum6), -(u32)1), 0)), c4, c6);
}

/* Chooses the scales of the blocks of a step. Returns whether all blocks are known to be in range, as
 * scales_fn does. */
static ALWAYS_INLINE bool choose_step(struct choice_job j, const struct scaling *s,
                                      const struct block_elements *e, struct choice_step at,
                                      const u32 *maxima, u8 *scales, float *factors) {
    const floats a = f_of_tensor_code(w_load_padded((const u8 *)maxima, at.count), s->type);
    words code, factor;
    if (j.choice == CHOICE_MODELOPT)
        code = modelopt_codes(j, s, e, at, a);
    else
        code = chosen_codes(j, s, e, at, a);
    if (j.choice == CHOICE_FI) code = w_select_const(w_eq(as_words(a), 0), 0, code);
    factor = as_words(nv_factors(s, code));
    if (j.choice == CHOICE_FI) factor = w_select_const(w_eq(as_words(a), 0), F32_CANONICAL_NAN, factor);
    w_store(scales, code, 1, at.count);
    w_store_padded((u8 *)factors, factor, at.count);
    return w_reduce_max(w_first(w_magnitude(as_words(f_mul(a, as_floats(factor)))), at.count)) <
           bits_of_float(s->product_limit);
}

#define CHOOSE(choice, squares)                                                                              \
    static bool choose_##choice##_##squares(const struct scaling *s, const struct block_elements *e,         \
                                            struct choice_step at, const u32 *maxima, u8 *scales,            \
                                            float *factors) {                                                \
        const struct choice_job j = {CHOICE_##choice, squares};                                              \
        return choose_step(j, s, e, at, maxima, scales, factors);                                            \
    }
CHOOSE(TE, false)
CHOOSE(TE, true)
CHOOSE(FI, false)
CHOOSE(FI, true)
CHOOSE(FAST, false)
CHOOSE(FAST, true)
CHOOSE(MODELOPT, true)
#undef CHOOSE

typedef bool choose_step_fn(const struct scaling *s, const struct block_elements *e, struct choice_step at,
                            const u32 *maxima, u8 *scales, float *factors);

static bool choose_scales(const struct scaling *s, const struct block_elements *e, const u32 *maxima,
                          size_t count, u8 *scales, float *factors) {
    static choose_step_fn *const kernels[][2] = {[CHOICE_TE] = {choose_TE_false, choose_TE_true},
                                                 [CHOICE_FI] = {choose_FI_false, choose_FI_true},
                                                 [CHOICE_FAST] = {choose_FAST_false, choose_FAST_true},
                                                 [CHOICE_MODELOPT] = {NULL, choose_MODELOPT_true}};
    const struct block_rule *rule = &pto_block_rules[s->rule];
    choose_step_fn *const choose = kernels[rule->choice][rule->squares];
    const size_t lanes = min_size(rule_lanes(), CHOICE_LANES);
    bool in_range = true;
    for (size_t k = 0; k < count; k += lanes) {
        const struct choice_step at = {k * e->block, min_size(count - k, lanes)};
        in_range &= choose(s, e, at, maxima + k, scales + k, factors + k);
    }
    return in_range;
}
