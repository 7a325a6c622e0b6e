/* SPDX-License-Identifier: MIT */
/** Checks on one ISA that no call needs more stack than a thread with 16 KiB has: test_stack ISA. Each group of
 * calls is the first use of the library in its own process. So choosing a backend, the warning about a wrong
 * PTO_ISA, and lazy binding count, too. A guard page lies below the stack; the deepest byte written is reported. */
#include "model/model_cvt.h"
#include "support/harness.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Sanitizers need larger frames. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#    define SANITIZED 1
#elif defined(__has_feature)
#    if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#        define SANITIZED 1
#    endif
#endif

enum { SMALL = 16384, PAINT = 0xa5, LANES = 1201, NOT_HERE = 9 };

static const _Alignas(8) unsigned char a[LANES * 8], b[LANES * 8], c[LANES * 8];
static _Alignas(8) unsigned char out[LANES * 8], other[LANES];
static unsigned successes;

/** Counts successes. A single status does not matter, but some calls of each group must have run. */
static void note(pto_status status) {
    successes += status == PTO_OK;
}

static const pto_mask_kind kinds[] = {PTO_MASK_PACKED, PTO_MASK_B8,  PTO_MASK_B16,
                                      PTO_MASK_B32,    PTO_MASK_B64, PTO_MASK_BYTE};
enum { ALL_KINDS = sizeof kinds / sizeof kinds[0] };

static void compare(void) {
    for (int type = PTO_B8; type <= PTO_F64; type++) {
        for (int op = PTO_EQ; op <= PTO_NAN; op++) {
            for (int k = 0; k < ALL_KINDS * ALL_KINDS; k++) {
                const pto_mask seed = k % 5 == 0 ? PTO_NO_MASK : pto_mask_in(c, kinds[k % ALL_KINDS]);
                const pto_mask dst = pto_mask_at(out, kinds[k / ALL_KINDS]);
                const unsigned flags = (unsigned)(k + op) % 4;
                note(pto_vcmp((pto_dtype)type, (pto_cmp)op, flags, a, b, seed, dst, LANES));
                note(pto_vcmps((pto_dtype)type, (pto_cmp)op, flags, a, b, seed, dst, LANES));
            }
        }
    }
}

static void test_classes(void) {
    for (int i = 0; i < 8 * ALL_KINDS * ALL_KINDS; i++) {
        static const pto_dtype types[] = {PTO_F32, PTO_F64, PTO_BF16, PTO_E4M3, PTO_UE8M0};
        const pto_mask_kind seed = kinds[i / 8 % ALL_KINDS], dst = kinds[i / 8 / ALL_KINDS];
        const pto_dtype type = types[i % 5];
        const pto_float_test test = (pto_float_test)(i % 8);
        const unsigned flags = PTO_MERGE * (unsigned)(i / 3 % 2);
        pto_plan plan;
        pto_status status = pto_plan_testp(&plan, type, test, flags, seed, dst);
        note(status);
        if (status == PTO_OK) pto_run(&plan, a, NULL, i % 3 ? c : NULL, out, LANES);
        note(pto_testp(type, test, flags, a, i % 3 ? pto_mask_in(c, seed) : PTO_NO_MASK,
                       pto_mask_at(out, dst), LANES));
    }
}

static void move_lanes(void) {
    for (int i = 0; i < (PTO_F64 + 1) * ALL_KINDS; i++) {
        const pto_mask m = pto_mask_in(c, kinds[i % ALL_KINDS]);
        size_t count;
        note(pto_vcompress((pto_dtype)(i / ALL_KINDS), a, m, out, LANES, &count));
        note(pto_vexpand((pto_dtype)(i / ALL_KINDS), a, m, out, LANES, &count));
    }
}

static void find_extremes(void) {
    for (int i = 0; i < (PTO_F64 + 1) * ALL_KINDS * 8; i++) {
        const pto_dtype type = (pto_dtype)(i / 8 / ALL_KINDS);
        const pto_mask seed = i % 3 ? pto_mask_in(c, kinds[i / 8 % ALL_KINDS]) : PTO_NO_MASK;
        size_t index;
        note(pto_vargmax(type, (unsigned)i % 8, a, seed, &index, LANES));
        note(pto_vargmin(type, (unsigned)i % 8, a, seed, &index, LANES));
    }
}

static void compare_by_plan(void) {
    for (int type = PTO_B8; type <= PTO_F64; type++) {
        for (int k = 0; k < ALL_KINDS * ALL_KINDS; k++) {
            pto_plan plan;
            const pto_status status = pto_plan_vcmp(&plan, (pto_dtype)type, PTO_EQ, PTO_MERGE * (k % 2U),
                                                    kinds[k % ALL_KINDS], kinds[k / ALL_KINDS]);
            note(status);
            if (status == PTO_OK) pto_run(&plan, a, b, c, out, LANES);
        }
    }
}

static void select_lanes(void) {
    for (int type = PTO_B8; type <= PTO_F64; type++) {
        note(pto_vbr((pto_dtype)type, a, out, LANES));
        note(pto_vpermute((pto_dtype)type, 64, a, b, out, LANES));
        note(pto_slct((pto_dtype)type, PTO_F32, true, a, b, c, out, LANES));
        for (int k = 0; k < ALL_KINDS; k++) {
            note(pto_vsel((pto_dtype)type, a, b, pto_mask_in(c, kinds[k]), out, LANES));
            note(pto_vselr((pto_dtype)type, a, b, pto_mask_in(c, kinds[k]), out, LANES));
            note(pto_vselrv2((pto_dtype)type, a, b, pto_mask_in(c, kinds[k]), out, LANES));
            note(pto_selp((pto_dtype)type, a, b, pto_mask_in(c, kinds[k]), out, LANES));
        }
    }
}

static void compare_and_select(void) {
    for (int type = PTO_B8; type <= PTO_F64; type++) {
        for (unsigned k = 0; k < 16; k++) {
            note(pto_vcmpsel(
                (pto_dtype)type, PTO_NE, k % 3 == 0 ? PTO_FTZ : 0, k & 1 ? pto_in_scalar(a) : pto_in_array(a),
                k & 2 ? pto_in_scalar(b) : pto_in_array(b), k & 4 ? pto_in_scalar(a) : pto_in_array(a),
                k & 8 ? pto_in_scalar(b) : pto_in_array(b), out, LANES));
        }
    }
}

static void casts(void) {
    static const pto_round rounds[] = {PTO_RN, PTO_RNA, PTO_RZ, PTO_RO, PTO_RS};
    for (int pair = 0; pair < MODEL_DTYPES * MODEL_DTYPES; pair++) {
        const pto_dtype dst = (pto_dtype)(pair / MODEL_DTYPES), src = (pto_dtype)(pair % MODEL_DTYPES);
        for (size_t r = 0; r < sizeof rounds / sizeof rounds[0]; r++) {
            const pto_cast_op op = {.dst = dst, .src = src, .round = rounds[r]};
            pto_plan plan;
            if (pto_cast_check(op) == PTO_OK)
                note(pto_cast(op, a, out, rounds[r] == PTO_RS ? (const void *)b : NULL, LANES));
            if (pto_plan_cast(&plan, op) == PTO_OK) pto_run(&plan, a, NULL, b, out, LANES);
        }
    }
}

static void select_scalars(void) {
    for (int type = PTO_B8; type <= PTO_F64; type++) {
        for (unsigned k = 0; k < 4 * ALL_KINDS; k++) {
            note(pto_vsels((pto_dtype)type, k & 1 ? pto_in_scalar(a) : pto_in_array(a),
                           k & 2 ? pto_in_scalar(b) : pto_in_array(b), pto_mask_in(c, kinds[k / 4]), out,
                           LANES));
        }
    }
}

static void maxmin_calls(void) {
    for (int type = PTO_U8; type <= PTO_F64; type++) {
        for (unsigned k = 0; k < 8 * 16; k++) {
            const pto_in x = k & 1 ? pto_in_scalar(a) : pto_in_array(a);
            const pto_in y = k & 2 ? pto_in_scalar(b) : pto_in_array(b);
            const pto_in z = k & 4 ? pto_in_scalar(c) : pto_in_array(c);
            note(pto_vmax((pto_dtype)type, k / 8, x, y, out, LANES));
            note(pto_vmin((pto_dtype)type, k / 8, x, y, out, LANES));
            note(pto_vclamp((pto_dtype)type, k / 8, x, y, z, out, LANES));
            note(pto_vrelu((pto_dtype)type, k / 8, a, out, LANES));
        }
    }
}

static void masks(void) {
    for (int k = 0; k < ALL_KINDS * ALL_KINDS; k++) {
        const pto_mask x = pto_mask_in(a, kinds[k % ALL_KINDS]), y = pto_mask_in(b, kinds[k / ALL_KINDS]);
        const pto_mask dst = pto_mask_at(out, kinds[k % 5]);
        size_t number;
        bool is;
        note(pto_mask_and(x, y, dst, LANES));
        note(pto_mask_xor(x, y, dst, LANES));
        note(pto_mask_or(x, y, dst, LANES));
        note(pto_mask_not(x, dst, LANES));
        note(pto_mask_mov(x, dst, LANES));
        note(pto_mask_sel(x, y, pto_mask_in(c, kinds[k % 4]), dst, LANES));
        note(pto_mask_count(x, LANES, &number));
        note(pto_mask_first(x, LANES, &number));
        note(pto_mask_any(x, LANES, &is));
        note(pto_mask_all(x, LANES, &is));
        note(pto_mask_none(x, LANES, &is));
    }
}

static void setp(void) {
    for (int type = 0; type < MODEL_DTYPES; type++) {
        for (int k = 0; k < 4 * ALL_KINDS; k++) {
            const pto_setp_op op = {(pto_dtype)type, PTO_NE, (pto_boolop)(k % 4), k % 3 == 0, k % 2 == 0};
            const pto_mask m = op.boolop == PTO_BOOL_NONE ? PTO_NO_MASK : pto_mask_in(c, kinds[k / 4]);
            note(pto_setp(op, a, b, m, pto_mask_at(out, kinds[k / 4]),
                          k % 2 ? pto_mask_at(other, PTO_MASK_BYTE) : PTO_NO_MASK, LANES));
        }
    }
}

static void set(void) {
    for (int dtype = 0; dtype < MODEL_DTYPES; dtype++) {
        for (int stype = 0; stype < MODEL_DTYPES; stype++) {
            for (int k = 0; k < 4; k++) {
                const pto_set_op op = {
                    (pto_dtype)dtype, (pto_dtype)stype, PTO_NE, (pto_boolop)k, false, false};
                note(pto_set(op, a, b, k == PTO_BOOL_NONE ? PTO_NO_MASK : pto_mask_in(c, PTO_MASK_BYTE), out,
                             LANES / 2));
            }
        }
    }
}

static void registers(void) {
    const pto_preg p = {{1, 2, 3, 4}}, q = {{5, 6, 7, 8}};
    pto_preg lo, hi;
    uint32_t remaining = 1000;
    for (unsigned g = 8; g <= 32; g *= 2) {
        note(pto_pset(g, PTO_PAT_M3, &lo));
        note(pto_pge(g, PTO_PAT_VL8, &lo));
        note(pto_plt(g, &remaining, &lo));
        note(pto_pintlv(g, p, q, &lo, &hi));
        note(pto_pdintlv(g, p, q, &lo, &hi));
        note(pto_pand(p, q, lo, &hi));
        note(pto_por(p, q, lo, &hi));
        note(pto_pxor(p, q, lo, &hi));
        note(pto_pnot(p, lo, &hi));
        note(pto_psel(p, q, lo, &hi));
        note(pto_ppack(p, PTO_HIGHER, &hi));
        note(pto_punpack(p, PTO_HIGHER, &hi));
    }
}

static void flags_and_setcc(void) {
    for (int type = PTO_B8; type <= PTO_F64; type++) {
        note(pto_flags_cmp((pto_dtype)type, a, b, (uint32_t *)(void *)out, LANES));
        note(pto_flags_test((pto_dtype)type, a, b, (uint32_t *)(void *)out, LANES));
        note(pto_flags_ucomi((pto_dtype)type, a, b, (uint32_t *)(void *)out, LANES));
        for (int cc = 0; cc < 16; cc++) {
            note(pto_cmp_setcc((pto_cc)cc, (pto_dtype)type, a, b, out, LANES));
            note(pto_setcc((pto_cc)cc, (const uint32_t *)(const void *)a, out, LANES));
        }
    }
}

/** Runs a plan, also over rows. */
static void run_plan(pto_status status, const pto_plan *plan, const pto_operands *operands) {
    const pto_steps steps = {{0}, {0}};
    note(status);
    if (status != PTO_OK) return;
    note(pto_rows_check(plan, operands, &steps, 64, 1));
    pto_run_rows(plan, operands, &steps, 64, 3);
    pto_run_operands(plan, operands, (size_t)LANES / 4 * 4);
}

static void plans(void) {
    const pto_operands two = {{a, b, NULL, NULL}, {out, NULL}}, three = {{a, b, c, NULL}, {out, NULL}},
                       one = {{a, NULL, NULL, NULL}, {out, NULL}}, four = {{a, b, c, a}, {out, NULL}},
                       both = {{a, b, NULL, NULL}, {out, other}};
    const pto_setp_op setp_op = {PTO_F32, PTO_LT, PTO_BOOL_NONE, false, false};
    const pto_set_op set_op = {PTO_U32, PTO_F32, PTO_LT, PTO_BOOL_NONE, false, false};
    const pto_cvt_op cvt_op = {.dst = PTO_E4M3, .src = PTO_F32, .round = PTO_RN, .satfinite = true};
    for (int type = PTO_B8; type <= PTO_F64; type++) {
        const pto_dtype t = (pto_dtype)type;
        pto_plan plan;
        run_plan(pto_plan_vcmps(&plan, t, PTO_EQ, 0, PTO_MASK_PACKED, PTO_MASK_BYTE), &plan, &two);
        run_plan(pto_plan_vsel(&plan, t, PTO_MASK_BYTE), &plan, &three);
        run_plan(pto_plan_slct(&plan, t, PTO_F32, false), &plan, &three);
        run_plan(pto_plan_vcmpsel(&plan, t, PTO_NE, 0, PTO_SCALAR_1), &plan, &four);
        run_plan(pto_plan_vsels(&plan, t, PTO_SCALAR_0, PTO_MASK_BYTE), &plan, &three);
        run_plan(pto_plan_vmax(&plan, t, 0, 0), &plan, &two);
        run_plan(pto_plan_vmin(&plan, t, 0, PTO_SCALAR_1), &plan, &two);
        run_plan(pto_plan_vclamp(&plan, t, 0, PTO_SCALAR_1 | PTO_SCALAR_2), &plan, &three);
        run_plan(pto_plan_vrelu(&plan, t, 0), &plan, &one);
        run_plan(pto_plan_setp(&plan, setp_op, PTO_MASK_BYTE, PTO_MASK_BYTE, PTO_MASK_BYTE), &plan, &both);
        run_plan(pto_plan_set(&plan, set_op, PTO_MASK_BYTE), &plan, &two);
        run_plan(pto_plan_cvt(&plan, cvt_op), &plan, &one);
    }
}

/** Copies and reads masks of each kind from any lane on, and single lanes. */
static void mask_lanes(void) {
    for (int k = 0; k < ALL_KINDS * ALL_KINDS * 3; k++) {
        const pto_mask x = pto_mask_in(a, kinds[k % ALL_KINDS]),
                       dst = pto_mask_at(out, kinds[k / ALL_KINDS % ALL_KINDS]);
        const size_t at = (size_t)k % 11;
        note(pto_mask_copy(x, at, dst, at * 3 % 8, LANES - 11));
        note(pto_mask_copy(x, 0, dst, 0, LANES));
        note(pto_mask_range(dst, at, LANES - 5, LANES));
        pto_mask_set(dst, at, pto_mask_get(x, at));
        note(pto_mask_bytes(x.kind, LANES) != 0 ? PTO_OK : PTO_ERR_MASK);
    }
    for (size_t k = 0; k < 7; k++) {
        size_t begin, count;
        note(pto_split(LANES, 7, k, &begin, &count));
    }
}

/** Runs PTO's conversions, whole and in parts, with and without a mask. */
static void convert_lanes(void) {
    static const size_t lengths[] = {(size_t)LANES / 8 * 2, 37, 1};
    for (size_t i = 0; i < pto_vcvt_form_count(); i++) {
        pto_vcvt_op op;
        note(pto_vcvt_form(i, &op));
        note(pto_vcvt_check(op));
        for (int k = 0; k < 2 * ALL_KINDS; k++) {
            const pto_mask m = k < ALL_KINDS ? pto_mask_in(c, kinds[k]) : PTO_NO_MASK;
            const size_t n = lengths[k % 3];
            note(pto_vcvt(op, a, m, out, n));
            for (int part = PTO_PART_EVEN; part <= PTO_PART_P3; part++)
                note(pto_vcvt_part(op, (pto_vpart)part, a, m, out, n));
            note(pto_vtrc(op.src, op.rnd, a, m, out, n));
        }
    }
}

/** Memory for one f32 tensor of 8 rows and 300 columns. */
enum { ROWS = 8, COLS = 300 };
static _Alignas(64) unsigned char tensor[ROWS * COLS * 4], scales[ROWS * COLS * 4];
static uint32_t words[ROWS * (COLS + 3) / 4];

static void scale_blocks(pto_block_op op, size_t block_rows, size_t block_cols) {
    const bool random = op.round == PTO_RS;
    pto_block_size size;
    op.block_rows = block_rows;
    op.block_cols = block_cols;
    note(pto_block_check(op));
    note(pto_block_sizes(op, ROWS, COLS, &size));
    note(pto_block_quantize(op, tensor, 0, ROWS, COLS, out, 0, scales, 0, random ? words : NULL));
    note(pto_block_requantize(op, tensor, 0, ROWS, COLS, out, 0, scales, 0, random ? words : NULL));
    note(pto_block_dequantize(op, out, 0, scales, 0, ROWS, COLS, tensor, 0));
    memset(scales, 0x38, sizeof scales); /* finite nonzero scales, for which kernels may take another path */
    note(pto_block_dequantize(op, out, 0, scales, 0, ROWS, COLS, tensor, 0));
}

/** Runs every rule with every type, for block shapes that have their own kernels and for odd ones. */
static void block_scaling(void) {
    enum { ELEMS = PTO_S2F6 - PTO_E4M3 + 1 };
    static const size_t shapes[][2] = {{1, 16}, {1, 32}, {1, 128}, {0, 0},  {2, 6},
                                       {8, 1},  {4, 64}, {1, 10},  {8, 290}};
    for (int i = 0; i < PTO_BLOCK_RULE_LIMIT * ELEMS * 12; i++) {
        pto_block_op op = {.round = i % 2 ? PTO_RS : PTO_RN, .two_level = i / 2 % 2};
        float number = 0;
        op.wide = (pto_dtype)(PTO_F16 + i / 4 % 3);
        op.elem = (pto_dtype)(PTO_E4M3 + i / 12 % ELEMS);
        op.rule = (pto_block_rule)(i / 12 / ELEMS);
        if (pto_block_rule_name(op.rule)[0] == '?') continue;
        note(pto_block_scale_type(op.rule) != op.elem ? PTO_OK : PTO_ERR_TYPE);
        note(pto_block_amax(op.wide, tensor, 0, ROWS, COLS, i % 2 != 0, &number));
        note(pto_block_tensor(op.rule, 1000, &number));
        if (op.two_level) op.tensor = number;
        for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++)
            scale_blocks(op, shapes[k][0], shapes[k][1]);
    }
}

static void layouts(void) {
    for (int layout = PTO_SCALES_ROWS; layout <= PTO_SCALES_32X8; layout++) {
        note(pto_scales_bytes((pto_scale_layout)layout, 4, 20) != 0 ? PTO_OK : PTO_ERR_SIZE);
        note(pto_scales_swizzle((pto_scale_layout)layout, a, 0, 4, 20, out));
        note(pto_scales_unswizzle((pto_scale_layout)layout, a, 4, 20, out, 0));
    }
    for (int layout = PTO_PACK_GGUF_MXFP4; layout <= PTO_PACK_TT_TILE4; layout++) {
        note(pto_block_pack_bytes((pto_pack_layout)layout, 32, 64) != 0 ? PTO_OK : PTO_ERR_SIZE);
        note(pto_block_pack((pto_pack_layout)layout, tensor, 0, scales, 0, 32, 64, out));
        note(pto_block_unpack((pto_pack_layout)layout, out, 32, 64, tensor, 0, scales, 0));
    }
}

static void random_words(void) {
    static const uint32_t key[2] = {1, 2}, counter[4] = {3, 4, 5, 6};
    uint32_t next[4];
    for (size_t n = 0; n < 70; n++) {
        note(pto_random_bits(key, counter, words, n));
        note(pto_random_counter(counter, n, next));
    }
}

/** Tries every pair of types, rounding and set of modifiers. */
static void convert(void) {
    for (int pair = 0; pair < MODEL_DTYPES * MODEL_DTYPES; pair++) {
        for (int round = PTO_ROUND_NONE; round <= PTO_RPI; round++) {
            for (unsigned k = 0; k < MODEL_FLAG_SETS; k++) {
                pto_cvt_op op = model_cvt_with(k);
                const void *extra = round == PTO_RS || op.scale != PTO_SCALE_NONE ? c : NULL;
                op.dst = (pto_dtype)(pair / MODEL_DTYPES);
                op.src = (pto_dtype)(pair % MODEL_DTYPES);
                op.round = (pto_round)round;
                note(pto_cvt(op, a, out, extra, 364));
                note(pto_cvt(op, a, out, extra, LANES));
            }
        }
    }
}

static void texts(void) {
    char line[64];
    pto_parse_error error;
    pto_setp_op setp_op;
    pto_set_op set_op;
    pto_cvt_op cvt_op;
    note(pto_parse_setp("setp.lt.and.ftz.f32", &setp_op, &error));
    note(pto_format_setp(setp_op, line, sizeof line));
    note(pto_parse_set("set.lt.u32.f32", &set_op, &error));
    note(pto_format_set(set_op, line, sizeof line));
    note(pto_parse_cvt("cvt.rn.satfinite.e4m3x2.f32", &cvt_op, &error));
    note(pto_format_cvt(cvt_op, line, sizeof line));
    note(pto_parse_cvt("cvt.rn.nonsense.e4m3x2.f32", &cvt_op, &error));
    (void)pto_isa_active();
}

static void words_of_text(void) {
    pto_parse_error error;
    pto_pattern pattern;
    pto_dtype type;
    pto_cmp cmp;
    pto_cc cc;
    note(pto_parse_dtype("bf16", &type, &error));
    note(pto_parse_cmp("ltu", &cmp, &error));
    note(pto_parse_pattern("PAT_VL16", &pattern, &error));
    note(pto_parse_setcc("SETNBE", &cc, &error));
    note(pto_parse_cmp("nonsense", &cmp, &error));
    note(pto_strerror(PTO_ERR_PARSE) != NULL && pto_version() != NULL ? PTO_OK : PTO_ERR_NULL);
}

/** Lists every form, checks it and explains it. */
static void forms(void) {
    char text[PTO_EXPLAIN_SIZE];
    for (size_t i = 0; i < pto_cvt_form_count(); i++) {
        const char *target;
        pto_cvt_op op;
        int ptx_isa;
        note(pto_cvt_form(i, &op));
        note(pto_cvt_check(op));
        note(pto_cvt_is_ptx(op) ? PTO_OK : PTO_ERR_TYPE);
        note(pto_cvt_since(op, &ptx_isa));
        note(pto_cvt_target(op, &target));
        note(pto_cvt_explain(op, text, sizeof text));
        note(pto_format_cvt(op, text, sizeof text));
    }
    for (size_t i = 0; i < pto_setp_form_count(); i++) {
        pto_setp_op op;
        note(pto_setp_form(i, &op));
        note(pto_setp_explain(op, text, sizeof text));
    }
    for (size_t i = 0; i < pto_set_form_count(); i++) {
        pto_set_op op;
        note(pto_set_form(i, &op));
        note(pto_set_explain(op, text, sizeof text));
    }
}

static void values(void) {
    for (int type = 0; type < MODEL_DTYPES; type++) {
        for (size_t i = 0; i < 64; i++) {
            double value;
            note(pto_dtype_value((pto_dtype)type, a + i, &value));
            note(pto_dtype_code((pto_dtype)type, (double)i / 4, out));
        }
        note(pto_dtype_bits((pto_dtype)type) != 0 && pto_dtype_name((pto_dtype)type) != NULL &&
                     pto_dtype_class((pto_dtype)type) != PTO_CLASS_NONE
                 ? PTO_OK
                 : PTO_ERR_TYPE);
    }
}

#ifndef PTO_NO_VMATH
static void exponential(void) {
    for (int k = 0; k <= ALL_KINDS; k++) {
        const pto_mask m = k < ALL_KINDS ? pto_mask_in(c, kinds[k]) : PTO_NO_MASK;
        static const double top[] = {1, 709.7827115, 710, -745, 2, 3, 4, 5, 6};
        note(pto_vexp(PTO_F32, a, m, out, LANES));
        note(pto_vexp(PTO_F64, a, m, out, LANES));
        note(pto_vexp(PTO_F64, top, m, out, sizeof top / sizeof top[0]));
    }
}
#endif

static void isa(void) {
    pto_variant variant;
    note(pto_isa_variant(0, &variant));
    for (int i = 0; i < harness_isas(); i++) {
        note(pto_isa_available((pto_isa)i) ? PTO_OK : PTO_ERR_ISA);
    }
    note(pto_isa_use(pto_isa_active()));
}

static const struct group {
    const char *name;
    void (*calls)(void);
} groups[] = {
    {"vcmp, vcmps", compare},
    {"testp", test_classes},
    {"vcompress, vexpand", move_lanes},
    {"vargmax, vargmin", find_extremes},
    {"plans of vcmp", compare_by_plan},
    {"vsel, selp, slct, vbr", select_lanes},
    {"vcmpsel", compare_and_select},
    {"vsels", select_scalars},
    {"cast", casts},
    {"vmax, vmin, vclamp, vrelu", maxmin_calls},
    {"masks", masks},
    {"setp", setp},
    {"set", set},
    {"registers", registers},
    {"flags and SETcc", flags_and_setcc},
    {"cvt", convert},
    {"plans, rows", plans},
    {"lanes of masks", mask_lanes},
    {"vcvt, vtrc, parts", convert_lanes},
    {"block scaling", block_scaling},
    {"layouts of scales", layouts},
    {"random bits", random_words},
    {"text", texts},
    {"words", words_of_text},
    {"forms", forms},
    {"values", values},
#ifndef PTO_NO_VMATH
    {"vexp", exponential},
#endif
    {"isa", isa},
};
enum { GROUPS = sizeof groups / sizeof groups[0] };

/* ---- one process per group ---- */

static const struct group *group_of_thread;

static void *thread_main(void *unused) {
    (void)unused;
    group_of_thread->calls();
    return NULL;
}

/** Runs the group in a thread with a small stack. Returns how many bytes of the stack were written, or 0 if the thread
 * cannot be created. */
static size_t stack_bytes_used(const struct group *group) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t least = (size_t)PTHREAD_STACK_MIN;
    const size_t size = ((least > SMALL ? least : SMALL) + page - 1) / page * page;
    unsigned char *buffer = mmap(NULL, size + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_attr_t attributes;
    pthread_t thread;
    size_t deepest = 0;

    if (buffer == MAP_FAILED || mprotect(buffer + page, size, PROT_READ | PROT_WRITE) != 0) return 0;
    memset(buffer + page, PAINT, size);
    group_of_thread = group;
    pthread_attr_init(&attributes);
    if (pthread_attr_setstack(&attributes, buffer + page, size) != 0) return 0;
    if (pthread_create(&thread, &attributes, thread_main, NULL) != 0) return 0;
    pthread_join(thread, NULL);
    while (deepest < size && buffer[page + deepest] == PAINT) {
        deepest++;
    }
    return size - deepest;
}

/** Runs in a child process. Exits with 0 if the group's calls succeeded within the stack. */
static void child(const struct group *group, const char *isa_name) {
    size_t deepest;
    setenv("PTO_ISA", isa_name, 1);
    if (freopen("/dev/null", "w", stderr) == NULL) _exit(1);
    deepest = stack_bytes_used(group);
    printf("  %-22s %5zu bytes, PTO_ISA=%s\n", group->name, deepest, isa_name);
    fflush(stdout);
    _exit(deepest == 0 || deepest > SMALL || successes == 0);
}

static bool fits_small_stack(const struct group *group, const char *isa_name) {
    const char *how = "too deep";
    int status = -1;
    pid_t pid;
    fflush(NULL);
    pid = fork();
    if (pid == 0) child(group, isa_name);
    if (pid < 0 || waitpid(pid, &status, 0) != pid) return false;
    if (status == 0) return true;
    if (WIFSIGNALED(status)) how = "killed by a signal";
    printf("  %-22s %s, PTO_ISA=%s\n", group->name, how, isa_name);
    return false;
}

/** Whether the ISA is available. A child process finds out, so that this process does not use the library. */
static bool is_available(const char *name) {
    int status = -1;
    const pid_t pid = fork();
    if (pid == 0) {
        for (int i = 0; i < harness_isas(); i++) {
            if (strcmp(pto_isa_name((pto_isa)i), name) == 0) _exit(!pto_isa_available((pto_isa)i));
        }
        _exit(NOT_HERE);
    }
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

int main(int argc, char **argv) {
    int failures = 0;
#ifdef SANITIZED
    printf("skipped: sanitizers need a larger stack\n");
    return HARNESS_SKIPPED;
#endif
    if (argc < 2 || !is_available(argv[1])) {
        printf("skipped: no such ISA here\n");
        return HARNESS_SKIPPED;
    }
#ifndef __OPTIMIZE__
    /* Without optimization each vector of each inlined function has its own place on the stack. */
    if (strcmp(argv[1], "scalar") != 0) {
        printf("skipped: vector kernels that are not optimised need a larger stack\n");
        return HARNESS_SKIPPED;
    }
#endif
    for (size_t i = 0; i < GROUPS; i++) {
        failures += !fits_small_stack(&groups[i], argv[1]);
#ifdef __OPTIMIZE__
        failures += !fits_small_stack(&groups[i], "nonsense"); /* chooses the best ISA */
#endif
    }
    return harness_end(failures != 0);
}
