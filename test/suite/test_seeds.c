/* SPDX-License-Identifier: MIT */
/* Runs the code of the pages that libpto implements, block by block, on arrays on one ISA: PTX "setp" for half
 * precision, "Predicated Execution" with its tables, Intel's SETcc page, and PTO's "Compare And Select". */
#include "support/cmocka_all.h"
#include "support/harness.h"
#include "model/model_ptx.h"
#include "support/values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 1003, VREG = 64 }; /* VREG: lanes of a 256-byte register of 32-bit elements */

static struct rng rng;

#define OK(call) assert_int_equal(call, PTO_OK)

static bool bit(const uint8_t *mask, size_t i) {
    return mask[i / 8] >> i % 8 & 1;
}

static void fill(pto_dtype type, void *a, void *b, size_t n) {
    values_pairs(&rng, type, a, b, n);
}

/* ---- PTX: Half Precision Comparison Instructions: setp ---- */

/** "Syntax": every line, with every operator and BoolOp that it lists. */
static void setp_half_syntax(void **state) {
    static const char *const ops[] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
                                      "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
    static const char *const bools[] = {"", ".and", ".or", ".xor"};
    static const char *const types[] = {".f16", ".ftz.f16", ".f16x2", ".ftz.f16x2", ".bf16", ".bf16x2"};
    (void)state;
    for (size_t i = 0; i < (size_t)14 * 4 * 6; i++) {
        char text[64];
        pto_setp_op op;
        snprintf(text, sizeof text, "setp.%s%s%s", ops[i % 14], bools[i / 14 % 4], types[i / 56]);
        OK(pto_parse_setp(text, &op, NULL));
    }
}

/** "Semantics", first branch: t = a CmpOp b; p = BoolOp(t, c). */
static void one_lane_semantics(const pto_setp_op *op) {
    uint16_t a[N], b[N];
    uint8_t c[N], p[N];
    fill(op->type, a, b, N);
    rng_fill(&rng, c, N);
    OK(pto_setp(*op, a, b, op->boolop ? pto_bytes(c) : PTO_NO_MASK, pto_bytes(p), PTO_NO_MASK, N));
    for (size_t i = 0; i < N; i++) {
        const bool t = model_compare(op->type, op->cmp, op->ftz, &a[i], &b[i]);
        assert_int_equal(p[i], model_bool(op->boolop, t, c[i] != 0));
    }
}

/** "Semantics", second branch: fA[0] = a[0:15], fA[1] = a[16:31]; p from t[0], q from t[1]. */
static void pair_semantics(const pto_setp_op *op) {
    uint32_t a[N], b[N];
    uint8_t c[N], p[N], q[N];
    const pto_dtype half = model_part(op->type);
    fill(half, a, b, (size_t)2 * N);
    rng_fill(&rng, c, N);
    OK(pto_setp(*op, a, b, op->boolop ? pto_bytes(c) : PTO_NO_MASK, pto_bytes(p), pto_bytes(q), N));
    for (size_t i = 0; i < N; i++) {
        const uint16_t fA[2] = {(uint16_t)a[i], (uint16_t)(a[i] >> 16)};
        const uint16_t fB[2] = {(uint16_t)b[i], (uint16_t)(b[i] >> 16)};
        const bool t0 = model_compare(half, op->cmp, op->ftz, &fA[0], &fB[0]);
        const bool t1 = model_compare(half, op->cmp, op->ftz, &fA[1], &fB[1]);
        assert_int_equal(p[i], model_bool(op->boolop, t0, c[i] != 0));
        assert_int_equal(q[i], model_bool(op->boolop, t1, c[i] != 0));
    }
}

static void setp_half_semantics(void **state) {
    static const pto_dtype types[] = {PTO_F16, PTO_BF16, PTO_F16X2, PTO_BF16X2};
    (void)state;
    for (int i = 0; i < 4 * MODEL_OPS * MODEL_BOOLS * 2; i++) {
        pto_setp_op op = {.type = types[i % 4], .cmp = (pto_cmp)(i / 4 % MODEL_OPS)};
        op.boolop = (pto_boolop)(i / (4 * MODEL_OPS) % MODEL_BOOLS);
        op.ftz = i / (4 * MODEL_OPS * MODEL_BOOLS);
        if (model_setp_status(op) != PTO_OK) continue;
        (model_is_pair(op.type) ? pair_semantics : one_lane_semantics)(&op);
    }
}

/** "Examples": a comparison of pairs, then one that is guarded by the first one's q:
 *     setp.lt.and.f16x2  p|q,a,b,r;
 * @q  setp.eq.f16        p,i,n;
 * On arrays the guard becomes a select between the old p and the new one. */
static void example_pair(const char *first, const char *second, pto_dtype half) {
    uint32_t a[N], b[N];
    uint16_t i16[N], n16[N];
    uint8_t r[N], p[N], q[N], eq[N], expected[N];
    pto_setp_op pairs, guarded;

    OK(pto_parse_setp(first, &pairs, NULL));
    OK(pto_parse_setp(second, &guarded, NULL));
    fill(half, a, b, (size_t)2 * N);
    fill(half, i16, n16, N);
    rng_fill(&rng, r, N);
    for (size_t k = 0; k < N; k++) {
        const uint16_t low[2] = {(uint16_t)a[k], (uint16_t)b[k]},
                       high[2] = {(uint16_t)(a[k] >> 16), (uint16_t)(b[k] >> 16)};
        const bool t0 = model_compare(half, pairs.cmp, false, &low[0], &low[1]);
        const bool t1 = model_compare(half, pairs.cmp, false, &high[0], &high[1]);
        const bool old_p = pairs.boolop == PTO_AND ? t0 && r[k] : t0 || r[k];
        const bool guard = pairs.boolop == PTO_AND ? t1 && r[k] : t1 || r[k];
        expected[k] = guard ? model_compare(half, PTO_EQ, false, &i16[k], &n16[k]) : old_p;
    }
    OK(pto_setp(pairs, a, b, pto_bytes(r), pto_bytes(p), pto_bytes(q), N));
    OK(pto_setp(guarded, i16, n16, PTO_NO_MASK, pto_bytes(eq), PTO_NO_MASK, N));
    OK(pto_mask_sel(pto_bytes(eq), pto_bytes(p), pto_bytes(q), pto_bytes(p), N));
    assert_memory_equal(expected, p, N);

    OK(pto_setp(pairs, a, b, pto_bytes(r), pto_bytes(p), pto_bytes(q), N)); /* and by merging */
    OK(pto_vcmp(half, PTO_EQ, PTO_MERGE, i16, n16, pto_bytes(q), pto_bytes(p), N));
    assert_memory_equal(expected, p, N);
}

static void setp_lt_and_f16x2_then_at_q_setp_eq_f16(void **state) {
    (void)state;
    example_pair("setp.lt.and.f16x2", "setp.eq.f16", PTO_F16);
}

static void setp_gt_or_bf16x2_then_at_q_setp_eq_bf16(void **state) {
    (void)state;
    example_pair("setp.gt.or.bf16x2", "setp.eq.bf16", PTO_BF16);
}

/* ---- PTX: Predicated Execution ---- */

static void fill_counters(int32_t *i, int32_t *n, int32_t *j, int32_t *expected) {
    fill(PTO_S32, i, n, N);
    for (size_t k = 0; k < N; k++) {
        j[k] = (int32_t)k;
        expected[k] = j[k];
        if (i[k] < n[k]) expected[k] = expected[k] + 1;
    }
}

/** if (i < n) j = j + 1; as setp.lt.s32 p,i,n; @p add.s32 j,j,1; */
static void at_p_add_s32(void **state) {
    int32_t i[N], n[N], j[N], sum[N], expected[N];
    uint8_t p[N / 8 + 1];
    pto_setp_op lt;
    (void)state;
    fill_counters(i, n, j, expected);
    OK(pto_parse_setp("setp.lt.s32", &lt, NULL));
    OK(pto_setp(lt, i, n, PTO_NO_MASK, pto_packed(p), PTO_NO_MASK, N));
    for (size_t k = 0; k < N; k++) {
        sum[k] = j[k] + 1;
    }
    OK(pto_vsel(PTO_S32, sum, j, pto_packed(p), j, N));
    assert_memory_equal(expected, j, sizeof j);
}

/** The same loop body with a branch: setp.lt.s32 p,i,n; @!p bra L1; add.s32 j,j,1; L1: -- lanes that branch do not
 * change j. */
static void at_not_p_bra(void **state) {
    int32_t i[N], n[N], j[N], sum[N], expected[N];
    uint8_t p[N], branch[N];
    const pto_setp_op lt = {.type = PTO_S32, .cmp = PTO_LT};
    (void)state;
    fill_counters(i, n, j, expected);
    OK(pto_setp(lt, i, n, PTO_NO_MASK, pto_bytes(p), PTO_NO_MASK, N));
    OK(pto_mask_not(pto_bytes(p), pto_bytes(branch), N));
    for (size_t k = 0; k < N; k++) {
        sum[k] = j[k] + 1;
    }
    OK(pto_vsel(PTO_S32, j, sum, pto_bytes(branch), j, N));
    assert_memory_equal(expected, j, sizeof j);
}

/** Table 22: signed, unsigned and bit-size operators, compared with C's operators. */
static void table_22_integer_operators(void **state) {
    static const char *const names[6][3] = {{"eq.s32", "eq.u32", "eq.b32"}, {"ne.s32", "ne.u32", "ne.b32"},
                                            {"lt.s32", "lo.u32", NULL},     {"le.s32", "ls.u32", NULL},
                                            {"gt.s32", "hi.u32", NULL},     {"ge.s32", "hs.u32", NULL}};
    uint32_t a[N], b[N];
    uint8_t p[N];
    (void)state;
    fill(PTO_S32, a, b, N);
    for (size_t k = 0; k < 18; k++) {
        const char *name = names[k / 3][k % 3];
        char text[16];
        pto_setp_op op;
        if (!name) continue;
        snprintf(text, sizeof text, "setp.%s", name);
        OK(pto_parse_setp(text, &op, NULL));
        OK(pto_setp(op, a, b, PTO_NO_MASK, pto_bytes(p), PTO_NO_MASK, N));
        for (size_t i = 0; i < N; i++) {
            const int64_t x = k % 3 == 0 ? (int32_t)a[i] : (int64_t)a[i],
                          y = k % 3 == 0 ? (int32_t)b[i] : (int64_t)b[i];
            const bool truth[6] = {x == y, x != y, x<y, x <= y, x> y, x >= y};
            assert_int_equal(p[i], truth[k / 3]);
        }
    }
}

/** Tables 23 to 25: the C expressions in them, with isNaN(a) and isNaN(b) written out. */
static bool float_table(pto_cmp op, float a, float b) {
    const bool num = !isnan(a) && !isnan(b);
    switch (op) {
    case PTO_EQ: return a == b && num;
    case PTO_NE: return a != b && num;
    case PTO_LT: return a < b && num;
    case PTO_LE: return a <= b && num;
    case PTO_GT: return a > b && num;
    case PTO_GE: return a >= b && num;
    case PTO_EQU: return a == b || !num;
    case PTO_NEU: return a != b || !num;
    case PTO_LTU: return a < b || !num;
    case PTO_LEU: return a <= b || !num;
    case PTO_GTU: return a > b || !num;
    case PTO_GEU: return a >= b || !num;
    case PTO_NUM: return num;
    default: return !num;
    }
}

static void tables_23_to_25_float_operators(void **state) {
    float a[N], b[N];
    uint8_t p[N];
    (void)state;
    fill(PTO_F32, a, b, N);
    for (int k = 0; k < MODEL_OPS; k++) {
        const pto_setp_op op = {.type = PTO_F32, .cmp = (pto_cmp)k};
        if (!model_has_op(PTO_F32, op.cmp)) continue;
        OK(pto_setp(op, a, b, PTO_NO_MASK, pto_bytes(p), PTO_NO_MASK, N));
        for (size_t i = 0; i < N; i++) {
            assert_int_equal(p[i], float_table(op.cmp, a[i], b[i]));
        }
    }
}

/** "Manipulating Predicates": and, or, xor, not, mov on predicates. */
static void predicate_and_or_xor_not_mov(void **state) {
    uint8_t a[N / 8 + 1] = {0}, b[N / 8 + 1] = {0}, d[5][N / 8 + 1];
    const pto_mask x = pto_packed(a), y = pto_packed(b);
    (void)state;
    rng_fill(&rng, a, sizeof a);
    rng_fill(&rng, b, sizeof b);
    OK(pto_mask_and(x, y, pto_packed(d[0]), N));
    OK(pto_mask_or(x, y, pto_packed(d[1]), N));
    OK(pto_mask_xor(x, y, pto_packed(d[2]), N));
    OK(pto_mask_not(x, pto_packed(d[3]), N));
    OK(pto_mask_mov(x, pto_packed(d[4]), N));
    for (size_t i = 0; i < N; i++) {
        assert_int_equal(bit(d[0], i), bit(a, i) && bit(b, i));
        assert_int_equal(bit(d[1], i), bit(a, i) || bit(b, i));
        assert_int_equal(bit(d[2], i), bit(a, i) != bit(b, i));
        assert_int_equal(bit(d[3], i), !bit(a, i));
        assert_int_equal(bit(d[4], i), bit(a, i));
    }
}

/** selp.u32 %r1,1,0,%p; and setp.ne.u32 converts it back. */
static void selp_u32_1_0_p(void **state) {
    uint32_t one[N], zero[N], r1[N];
    const uint32_t c1 = 1, c0 = 0;
    uint8_t p[N / 8 + 1], back[N / 8 + 1];
    const pto_setp_op ne = {.type = PTO_U32, .cmp = PTO_NE};
    (void)state;
    rng_fill(&rng, p, sizeof p);
    p[N / 8] &= (1U << N % 8) - 1;
    OK(pto_vbr(PTO_U32, &c1, one, N));
    OK(pto_vbr(PTO_U32, &c0, zero, N));
    OK(pto_selp(PTO_U32, one, zero, pto_packed(p), r1, N));
    for (size_t i = 0; i < N; i++) {
        assert_int_equal(r1[i], bit(p, i) ? 1 : 0);
    }
    OK(pto_setp(ne, r1, zero, PTO_NO_MASK, pto_packed(back), PTO_NO_MASK, N));
    assert_memory_equal(p, back, sizeof p);
}

/* ---- Intel: SETcc, row by row: opcode, mnemonic, condition as printed ---- */

static void setcc_row(const char *mnemonic, unsigned opcode, const bool truth[64]) {
    uint32_t eflags[64];
    uint8_t got[64];
    pto_cc cc;
    OK(pto_parse_setcc(mnemonic, &cc, NULL));
    assert_int_equal(0x90 + (unsigned)cc, opcode);
    for (unsigned k = 0; k < 64; k++) {
        eflags[k] = (k & 1 ? PTO_CF : 0U) | (k & 2 ? PTO_PF : 0U) | (k & 4 ? PTO_AF : 0U) |
                    (k & 8 ? PTO_ZF : 0U) | (k & 16 ? PTO_SF : 0U) | (k & 32 ? PTO_OF : 0U);
    }
    OK(pto_setcc(cc, eflags, got, 64));
    for (unsigned k = 0; k < 64; k++) {
        assert_int_equal(got[k], truth[k]);
    }
}

#define ROW(mnemonic, opcode, condition)                                                                     \
    static void mnemonic(void **state) {                                                                     \
        bool truth[64];                                                                                      \
        (void)state;                                                                                         \
        for (unsigned k = 0; k < 64; k++) {                                                                  \
            const unsigned CF = k & 1, PF = k >> 1 & 1, ZF = k >> 3 & 1, SF = k >> 4 & 1, OF = k >> 5 & 1;   \
            (void)CF, (void)PF, (void)ZF, (void)SF, (void)OF;                                                \
            truth[k] = condition;                                                                            \
        }                                                                                                    \
        setcc_row(#mnemonic, opcode, truth);                                                                 \
    }
ROW(SETA, 0x97, CF == 0 && ZF == 0)
ROW(SETAE, 0x93, CF == 0)
ROW(SETB, 0x92, CF == 1)
ROW(SETBE, 0x96, CF == 1 || ZF == 1)
ROW(SETC, 0x92, CF == 1)
ROW(SETE, 0x94, ZF == 1)
ROW(SETG, 0x9f, ZF == 0 && SF == OF)
ROW(SETGE, 0x9d, SF == OF)
ROW(SETL, 0x9c, SF != OF)
ROW(SETLE, 0x9e, ZF == 1 || SF != OF)
ROW(SETNA, 0x96, CF == 1 || ZF == 1)
ROW(SETNAE, 0x92, CF == 1)
ROW(SETNB, 0x93, CF == 0)
ROW(SETNBE, 0x97, CF == 0 && ZF == 0)
ROW(SETNC, 0x93, CF == 0)
ROW(SETNE, 0x95, ZF == 0)
ROW(SETNG, 0x9e, ZF == 1 || SF != OF)
ROW(SETNGE, 0x9c, SF != OF)
ROW(SETNL, 0x9d, SF == OF)
ROW(SETNLE, 0x9f, ZF == 0 && SF == OF)
ROW(SETNO, 0x91, OF == 0)
ROW(SETNP, 0x9b, PF == 0)
ROW(SETNS, 0x99, SF == 0)
ROW(SETNZ, 0x95, ZF == 0)
ROW(SETO, 0x90, OF == 1)
ROW(SETP, 0x9a, PF == 1)
ROW(SETPE, 0x9a, PF == 1)
ROW(SETPO, 0x9b, PF == 0)
ROW(SETS, 0x98, SF == 1)
ROW(SETZ, 0x94, ZF == 1)

/** "above and below" use CF and are unsigned; "greater and less" use SF and OF and are signed. */
static void above_is_unsigned_greater_is_signed(void **state) {
    int32_t a[N], b[N];
    uint8_t above[N], greater[N];
    (void)state;
    fill(PTO_S32, a, b, N);
    OK(pto_cmp_setcc(PTO_CC_A, PTO_B32, a, b, above, N));
    OK(pto_cmp_setcc(PTO_CC_G, PTO_B32, a, b, greater, N));
    for (size_t i = 0; i < N; i++) {
        assert_int_equal(above[i], (uint32_t)a[i] > (uint32_t)b[i]);
        assert_int_equal(greater[i], a[i] > b[i]);
    }
}

/* ---- PTO: Compare And Select ---- */

static const pto_cmp modes[] = {PTO_EQ, PTO_NE, PTO_LT, PTO_LE, PTO_GT, PTO_GE};

static bool by_mode(pto_cmp mode, float a, float b) {
    return float_table(mode, a, b); /* NE ordered, as in PTX */
}

static pto_preg pset_b32_all(void) {
    pto_preg all;
    OK(pto_pset(32, PTO_PAT_ALL, &all));
    return all;
}

/** for (i < N) if (seed[i]) dst[i] = (src0[i] CMP src1[i]) ? 1 : 0; */
static void pto_vcmp_loop(void **state) {
    float src0[VREG], src1[VREG];
    pto_preg seed, dst;
    (void)state;
    for (size_t k = 0; k < 60; k++) {
        const pto_cmp mode = modes[k % 6];
        fill(PTO_F32, src0, src1, VREG);
        rng_fill(&rng, &seed, sizeof seed);
        OK(pto_vcmp(PTO_F32, mode, 0, src0, src1, pto_mask_at(seed.w, PTO_MASK_B32),
                    pto_mask_at(dst.w, PTO_MASK_B32), VREG));
        for (size_t i = 0; i < VREG; i++) {
            bool want = false;
            if (model_mask_get(PTO_MASK_B32, seed.w, i)) want = by_mode(mode, src0[i], src1[i]) ? 1 : 0;
            assert_int_equal(model_mask_get(PTO_MASK_B32, dst.w, i), want);
        }
    }
}

/** %lt_mask = pto.vcmp %a, %b, %all_active, "lt" */
static void pto_vcmp_lt_mask(void **state) {
    float a[VREG], b[VREG];
    const pto_preg all_active = pset_b32_all();
    pto_preg lt_mask;
    pto_cmp lt;
    (void)state;
    OK(pto_parse_cmp("lt", &lt, NULL));
    fill(PTO_F32, a, b, VREG);
    OK(pto_vcmp(PTO_F32, lt, 0, a, b, pto_mask_in(all_active.w, PTO_MASK_B32),
                pto_mask_at(lt_mask.w, PTO_MASK_B32), VREG));
    for (size_t i = 0; i < VREG; i++) {
        assert_int_equal(model_mask_get(PTO_MASK_B32, lt_mask.w, i), a[i] < b[i]);
    }
}

/** for (i < N) if (seed[i]) dst[i] = (src[i] CMP scalar) ? 1 : 0; */
static void pto_vcmps_loop(void **state) {
    float src[VREG], scalar[VREG];
    pto_preg seed, dst;
    (void)state;
    fill(PTO_F32, src, scalar, VREG);
    for (size_t k = 0; k < VREG; k++) {
        const pto_cmp mode = modes[k % 6];
        rng_fill(&rng, &seed, sizeof seed);
        OK(pto_vcmps(PTO_F32, mode, 0, src, &scalar[k], pto_mask_at(seed.w, PTO_MASK_B32),
                     pto_mask_at(dst.w, PTO_MASK_B32), VREG));
        for (size_t i = 0; i < VREG; i++) {
            const bool on = model_mask_get(PTO_MASK_B32, seed.w, i);
            assert_int_equal(model_mask_get(PTO_MASK_B32, dst.w, i), on && by_mode(mode, src[i], scalar[k]));
        }
    }
}

/** %positive_mask = pto.vcmps %values, %c0_f32, %all_active, "gt" */
static void pto_vcmps_positive_mask(void **state) {
    float values[VREG], other[VREG];
    const float c0_f32 = 0.0F;
    const pto_preg all_active = pset_b32_all();
    pto_preg positive_mask;
    (void)state;
    fill(PTO_F32, values, other, VREG);
    OK(pto_vcmps(PTO_F32, PTO_GT, 0, values, &c0_f32, pto_mask_in(all_active.w, PTO_MASK_B32),
                 pto_mask_at(positive_mask.w, PTO_MASK_B32), VREG));
    for (size_t i = 0; i < VREG; i++) {
        assert_int_equal(model_mask_get(PTO_MASK_B32, positive_mask.w, i), values[i] > 0);
    }
}

typedef pto_status select_call(pto_dtype t, const void *src0, const void *src1, pto_mask m, void *dst,
                               size_t n);

static void select_loop(select_call *call, bool reversed) {
    uint32_t src0[N], src1[N], dst[N];
    uint8_t mask[N];
    fill(PTO_F32, src0, src1, N);
    rng_fill(&rng, mask, N);
    for (size_t i = 0; i < N; i++) {
        mask[i] &= 1;
    }
    OK(call(PTO_F32, src0, src1, pto_bytes(mask), dst, N));
    for (size_t i = 0; i < N; i++) {
        if (reversed) assert_int_equal(dst[i], mask[i] ? src1[i] : src0[i]);
        if (!reversed) assert_int_equal(dst[i], mask[i] ? src0[i] : src1[i]);
    }
}

static void pto_vsel_loop(void **state) {
    (void)state;
    select_loop(pto_vsel, false);
}

static void pto_vselr_loop(void **state) {
    (void)state;
    select_loop(pto_vselr, true);
}

static void pto_vselrv2_operands(void **state) {
    (void)state;
    select_loop(pto_vselrv2, true);
}

/** %result = pto.vsel %true_vals, %false_vals, %condition */
static void pto_vsel_conditional_assignment(void **state) {
    uint32_t true_vals[VREG], false_vals[VREG], dst[VREG];
    pto_preg condition;
    (void)state;
    fill(PTO_F32, true_vals, false_vals, VREG);
    rng_fill(&rng, &condition, sizeof condition);
    OK(pto_vsel(PTO_F32, true_vals, false_vals, pto_mask_at(condition.w, PTO_MASK_B32), dst, VREG));
    for (size_t i = 0; i < VREG; i++) {
        assert_int_equal(dst[i], model_mask_get(PTO_MASK_B32, condition.w, i) ? true_vals[i] : false_vals[i]);
    }
}

/** "Clamp negative values to zero (manual ReLU)": pset_b32, vbr, vcmps "lt", vsel. Also as one vcmpsel. */
static void pto_relu(void **state) {
    float input[VREG], other[VREG], zero[VREG], clamped[VREG], fused[VREG];
    const float c0_f32 = 0.0F;
    const pto_preg all = pset_b32_all();
    pto_preg neg_mask;
    (void)state;
    fill(PTO_F32, input, other, VREG);
    OK(pto_vbr(PTO_F32, &c0_f32, zero, VREG));
    OK(pto_vcmps(PTO_F32, PTO_LT, 0, input, &c0_f32, pto_mask_in(all.w, PTO_MASK_B32),
                 pto_mask_at(neg_mask.w, PTO_MASK_B32), VREG));
    OK(pto_vsel(PTO_F32, zero, input, pto_mask_at(neg_mask.w, PTO_MASK_B32), clamped, VREG));
    for (size_t i = 0; i < VREG; i++) {
        /* a pointer, because clang 14 computes x < 0 ? 0 : x with f32.max of WebAssembly, which changes NaNs */
        const float *want = input[i] < 0 ? &c0_f32 : &input[i];
        assert_memory_equal(&clamped[i], want, sizeof *want);
    }
    OK(pto_vcmpsel(PTO_F32, PTO_LT, 0, pto_in_array(input), pto_in_scalar(&c0_f32), pto_in_scalar(&c0_f32),
                   pto_in_array(input), fused, VREG));
    assert_memory_equal(clamped, fused, sizeof fused);
}

/** "Element-wise max via compare+select" */
static void pto_elementwise_max(void **state) {
    float a[VREG], b[VREG], max_ab[VREG], fused[VREG];
    const pto_preg all = pset_b32_all();
    pto_preg gt_mask;
    (void)state;
    fill(PTO_F32, a, b, VREG);
    OK(pto_vcmp(PTO_F32, PTO_GT, 0, a, b, pto_mask_in(all.w, PTO_MASK_B32),
                pto_mask_at(gt_mask.w, PTO_MASK_B32), VREG));
    OK(pto_vsel(PTO_F32, a, b, pto_mask_at(gt_mask.w, PTO_MASK_B32), max_ab, VREG));
    for (size_t i = 0; i < VREG; i++) {
        assert_memory_equal(&max_ab[i], a[i] > b[i] ? &a[i] : &b[i], sizeof a[i]);
    }
    OK(pto_vcmpsel(PTO_F32, PTO_GT, 0, pto_in_array(a), pto_in_array(b), pto_in_array(a), pto_in_array(b),
                   fused, VREG));
    assert_memory_equal(max_ab, fused, sizeof fused);
}

/** "Threshold filter" */
static void pto_threshold_filter(void **state) {
    float scores[VREG], other[VREG], zero[VREG], filtered[VREG];
    const float threshold = 0.25F, c0_f32 = 0.0F;
    const pto_preg all = pset_b32_all();
    pto_preg above_thresh;
    (void)state;
    fill(PTO_F32, scores, other, VREG);
    OK(pto_vbr(PTO_F32, &c0_f32, zero, VREG));
    OK(pto_vcmps(PTO_F32, PTO_GE, 0, scores, &threshold, pto_mask_in(all.w, PTO_MASK_B32),
                 pto_mask_at(above_thresh.w, PTO_MASK_B32), VREG));
    OK(pto_vsel(PTO_F32, scores, zero, pto_mask_at(above_thresh.w, PTO_MASK_B32), filtered, VREG));
    for (size_t i = 0; i < VREG; i++) {
        assert_memory_equal(&filtered[i], scores[i] >= threshold ? &scores[i] : &c0_f32, sizeof scores[i]);
    }
}

#ifndef PTO_NO_VMATH
/** "Softmax safe exp": too_small = vcmps "lt"; clamped = vsel; exp_result = vexp */
static void pto_safe_exp(void **state) {
    float x_minus_max[VREG], min_exp_arg_vec[VREG], clamped[VREG], exp_result[VREG];
    const float min_exp_arg = -80.0F;
    const pto_preg all = pset_b32_all();
    pto_preg too_small;
    (void)state;
    for (size_t i = 0; i < VREG; i++) {
        x_minus_max[i] = -3.0F * (float)i;
    }
    OK(pto_vbr(PTO_F32, &min_exp_arg, min_exp_arg_vec, VREG));
    OK(pto_vcmps(PTO_F32, PTO_LT, 0, x_minus_max, &min_exp_arg, pto_mask_in(all.w, PTO_MASK_B32),
                 pto_mask_at(too_small.w, PTO_MASK_B32), VREG));
    OK(pto_vsel(PTO_F32, min_exp_arg_vec, x_minus_max, pto_mask_at(too_small.w, PTO_MASK_B32), clamped,
                VREG));
    OK(pto_vexp(PTO_F32, clamped, pto_mask_in(all.w, PTO_MASK_B32), exp_result, VREG));
    for (size_t i = 0; i < VREG; i++) {
        const double want = exp((double)(x_minus_max[i] < min_exp_arg ? min_exp_arg : x_minus_max[i]));
        assert_true(fabs((double)exp_result[i] - want) <= want * 1.2e-7);
    }
}
#endif

#define T(name) cmocka_unit_test(name)

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        T(setp_half_syntax),
        T(setp_half_semantics),
        T(setp_lt_and_f16x2_then_at_q_setp_eq_f16),
        T(setp_gt_or_bf16x2_then_at_q_setp_eq_bf16),
        T(at_p_add_s32),
        T(at_not_p_bra),
        T(table_22_integer_operators),
        T(tables_23_to_25_float_operators),
        T(predicate_and_or_xor_not_mov),
        T(selp_u32_1_0_p),
        T(SETA),
        T(SETAE),
        T(SETB),
        T(SETBE),
        T(SETC),
        T(SETE),
        T(SETG),
        T(SETGE),
        T(SETL),
        T(SETLE),
        T(SETNA),
        T(SETNAE),
        T(SETNB),
        T(SETNBE),
        T(SETNC),
        T(SETNE),
        T(SETNG),
        T(SETNGE),
        T(SETNL),
        T(SETNLE),
        T(SETNO),
        T(SETNP),
        T(SETNS),
        T(SETNZ),
        T(SETO),
        T(SETP),
        T(SETPE),
        T(SETPO),
        T(SETS),
        T(SETZ),
        T(above_is_unsigned_greater_is_signed),
        T(pto_vcmp_loop),
        T(pto_vcmp_lt_mask),
        T(pto_vcmps_loop),
        T(pto_vcmps_positive_mask),
        T(pto_vsel_loop),
        T(pto_vsel_conditional_assignment),
        T(pto_vselr_loop),
        T(pto_vselrv2_operands),
        T(pto_relu),
        T(pto_elementwise_max),
        T(pto_threshold_filter),
#ifndef PTO_NO_VMATH
        T(pto_safe_exp),
#endif
    };
    const int status = harness_start(argc, argv);
    if (status != 0) return status;
    rng_start(&rng, "seeds");
    return harness_end(cmocka_run_group_tests_name("seeds", tests, NULL, NULL));
}
