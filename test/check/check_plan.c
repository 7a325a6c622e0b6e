/* SPDX-License-Identifier: MIT */
/* Checks the statuses of plans, that plans keep their ISA, the choice of the ISA, and names. Other checks test the
 * results of plans. */
#include "check/checks.h"
#include "model/model_maxmin.h"
#include "model/model_ptx.h"
#include "support/values.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static const int nonsense[] = {-1, INT_MIN, INT_MAX, 1000, MODEL_DTYPES};
enum { NONSENSE = sizeof nonsense / sizeof nonsense[0], DTYPES = MODEL_DTYPES };

static int member_or_not(int number, int members) {
    return number < members ? number : nonsense[number - members];
}

/** Compares the status. After an error the plan must be unchanged. */
static void expect_plan(struct report *r, const pto_plan *plan, pto_status got, pto_status want) {
    pto_plan unchanged;
    memset(&unchanged, 0x5a, sizeof unchanged);
    r->cases++;
    report_status(r, got, want);
    if (want != PTO_OK && memcmp(plan, &unchanged, sizeof unchanged) != 0) {
        report_mismatch(r, "%s, yet the plan was changed", status_name(got));
    }
}

static bool kind_fits(int kind, pto_dtype type) {
    return kind >= 0 && kind < MODEL_KINDS && model_kind_fits((pto_mask_kind)kind, type);
}

static pto_status compare_status(pto_dtype type, pto_cmp op, unsigned flags, int seed, int dst) {
    if (!model_has_type(type)) return PTO_ERR_TYPE;
    if (!model_has_op(type, op)) return PTO_ERR_OP;
    if (flags & ~(unsigned)(PTO_FTZ | PTO_MERGE)) return PTO_ERR_MODIFIER;
    if ((flags & PTO_FTZ) && !model_has_ftz(type)) return PTO_ERR_MODIFIER;
    return kind_fits(seed, type) && kind_fits(dst, type) ? PTO_OK : PTO_ERR_MASK;
}

static void plan_compare_statuses(struct report *r, plan_vcmp_call *call, pto_dtype type, pto_cmp op,
                                  unsigned flags) {
    enum { KINDS = MODEL_KINDS + NONSENSE };
    r->now.type = (int)type;
    r->now.op = (int)op;
    r->now.flags = (int)flags;
    for (int kinds = 0; kinds < KINDS * KINDS; kinds++) {
        const int seed = member_or_not(kinds % KINDS, MODEL_KINDS);
        const int dst = member_or_not(kinds / KINDS, MODEL_KINDS);
        pto_plan plan;
        pto_status status;
        memset(&plan, 0x5a, sizeof plan);
        status = call(&plan, type, op, flags, (pto_mask_kind)seed, (pto_mask_kind)dst);
        r->now.kinds[0] = seed;
        r->now.kinds[1] = dst;
        expect_plan(r, &plan, status, compare_status(type, op, flags, seed, dst));
    }
}

static void plan_select_statuses(const struct subject *s, struct report *r) {
    pto_plan unchanged;
    report_call(r, "plan_vsel", NULL);
    for (int t = 0; t < DTYPES + NONSENSE; t++) {
        const pto_dtype type = (pto_dtype)member_or_not(t, DTYPES);
        for (int k = 0; k < MODEL_KINDS + NONSENSE; k++) {
            const int kind = member_or_not(k, MODEL_KINDS);
            const pto_status want = !model_has_type(type)   ? PTO_ERR_TYPE
                                    : kind_fits(kind, type) ? PTO_OK
                                                            : PTO_ERR_MASK;
            pto_plan plan;
            pto_status status;
            memset(&plan, 0x5a, sizeof plan);
            status = s->plan_vsel(&plan, type, (pto_mask_kind)kind);
            r->now.type = (int)type;
            r->now.kinds[0] = kind;
            expect_plan(r, &plan, status, want);
        }
    }
    memset(&unchanged, 0x5a, sizeof unchanged);
    expect_plan(r, &unchanged, s->plan_vsel(NULL, PTO_F32, PTO_MASK_PACKED), PTO_ERR_NULL);
    expect_plan(r, &unchanged, s->plan_vsel(NULL, PTO_TF32, PTO_MASK_B8), PTO_ERR_NULL);
}

void check_plan_status(const struct subject *s, struct report *r) {
    static const unsigned flags[] = {0, 1, 2, 3, 4, 7, 0x80000000U};
    enum { FLAG_SETS = sizeof flags / sizeof flags[0], OPS = MODEL_OPS + NONSENSE };
    plan_vcmp_call *const calls[] = {s->plan_vcmp, s->plan_vcmps};

    for (int i = 0; i < 2; i++) {
        pto_plan unchanged;
        pto_status status;
        memset(&unchanged, 0x5a, sizeof unchanged);
        report_call(r, i == 0 ? "plan_vcmp" : "plan_vcmps", NULL);
        status = calls[i](NULL, PTO_F32, PTO_LT, 0, PTO_MASK_PACKED, PTO_MASK_PACKED);
        expect_plan(r, &unchanged, status, PTO_ERR_NULL);
        status = calls[i](NULL, PTO_TF32, PTO_LO, 99, PTO_MASK_B8, PTO_MASK_B8);
        expect_plan(r, &unchanged, status, PTO_ERR_NULL);
        for (int form = 0; form < (DTYPES + NONSENSE) * OPS * FLAG_SETS; form++) {
            const int type = member_or_not(form / OPS / FLAG_SETS, DTYPES);
            const int op = member_or_not(form / FLAG_SETS % OPS, MODEL_OPS);
            plan_compare_statuses(r, calls[i], (pto_dtype)type, (pto_cmp)op, flags[form % FLAG_SETS]);
        }
    }
    plan_select_statuses(s, r);
}

/* ---- plans of PTX instructions and of vcmpsel ---- */

static bool kind_fits_word(int kind, pto_dtype type) {
    return kind >= 0 && kind < MODEL_KINDS && model_kind_fits_word((pto_mask_kind)kind, type);
}

/** Returns a random kind; every second one is PACKED. */
static int random_kind(struct rng *rng) {
    return rng_below(rng, 2) ? PTO_MASK_PACKED
                             : member_or_not((int)rng_below(rng, MODEL_KINDS + NONSENSE), MODEL_KINDS);
}

/** Returns `legal`, the status of the op, if it is an error. Else returns the status of c, which cannot be negated
 * without a BoolOp and whose kind must fit. */
static pto_status combined_status(pto_status legal, pto_boolop boolop, bool not_c, bool kinds_fit) {
    if (legal != PTO_OK) return legal;
    if (boolop == PTO_BOOL_NONE && not_c) return PTO_ERR_MODIFIER;
    return kinds_fit ? PTO_OK : PTO_ERR_MASK;
}

static void plan_setp_statuses(const struct subject *s, struct report *r, struct rng *rng) {
    enum { OPS = MODEL_OPS + NONSENSE, BOOLS = MODEL_BOOLS + NONSENSE };
    report_call(r, "plan_setp", NULL);
    for (int i = 0; i < (DTYPES + NONSENSE) * OPS * BOOLS * 4; i++) {
        const pto_setp_op op = {.type = (pto_dtype)member_or_not(i / (OPS * BOOLS * 4), DTYPES),
                                .cmp = (pto_cmp)member_or_not(i / (BOOLS * 4) % OPS, MODEL_OPS),
                                .boolop = (pto_boolop)member_or_not(i / 4 % BOOLS, MODEL_BOOLS),
                                .not_c = i % 2,
                                .ftz = i / 2 % 2};
        const int c = random_kind(rng), p = random_kind(rng), q = random_kind(rng);
        const bool fit =
            kind_fits_word(c, op.type) && kind_fits_word(p, op.type) && kind_fits_word(q, op.type);
        pto_plan plan;
        pto_status status;
        memset(&plan, 0x5a, sizeof plan);
        status = s->plan_setp(&plan, op, (pto_mask_kind)c, (pto_mask_kind)p, (pto_mask_kind)q);
        r->now.type = (int)op.type;
        r->now.op = (int)op.cmp;
        expect_plan(r, &plan, status, combined_status(model_setp_status(op), op.boolop, op.not_c, fit));
    }
}

static void plan_set_statuses(const struct subject *s, struct report *r, struct rng *rng) {
    enum { TYPES = DTYPES + NONSENSE, BOOLS = MODEL_BOOLS + NONSENSE };
    report_call(r, "plan_set", NULL);
    for (int i = 0; i < TYPES * TYPES * BOOLS * 4; i++) {
        const pto_set_op op = {
            .dtype = (pto_dtype)member_or_not(i / (TYPES * BOOLS * 4), DTYPES),
            .stype = (pto_dtype)member_or_not(i / (BOOLS * 4) % TYPES, DTYPES),
            .cmp = (pto_cmp)member_or_not((int)rng_below(rng, MODEL_OPS + NONSENSE), MODEL_OPS),
            .boolop = (pto_boolop)member_or_not(i / 4 % BOOLS, MODEL_BOOLS),
            .not_c = i % 2,
            .ftz = i / 2 % 2};
        const int c = random_kind(rng);
        pto_plan plan;
        pto_status status;
        memset(&plan, 0x5a, sizeof plan);
        status = s->plan_set(&plan, op, (pto_mask_kind)c);
        r->now.type = (int)op.stype;
        r->now.op = (int)op.cmp;
        expect_plan(r, &plan, status,
                    combined_status(model_set_status(op), op.boolop, op.not_c, kind_fits_word(c, op.stype)));
    }
}

static bool slct_has_type(pto_dtype type) {
    for (int i = 0; i < MODEL_SELP_TYPES; i++) {
        if (model_selp_types[i] == type) return true;
    }
    return false;
}

static void plan_slct_statuses(const struct subject *s, struct report *r) {
    enum { TYPES = DTYPES + NONSENSE };
    report_call(r, "plan_slct", NULL);
    for (int i = 0; i < TYPES * TYPES * 2; i++) {
        const pto_dtype type = (pto_dtype)member_or_not(i / 2 / TYPES, DTYPES);
        const pto_dtype ctype = (pto_dtype)member_or_not(i / 2 % TYPES, DTYPES);
        const bool ftz = i % 2, has = slct_has_type(type) && (ctype == PTO_S32 || ctype == PTO_F32);
        pto_plan plan;
        pto_status status;
        memset(&plan, 0x5a, sizeof plan);
        status = s->plan_slct(&plan, type, ctype, ftz);
        r->now.type = (int)type;
        expect_plan(r, &plan, status,
                    !has                      ? PTO_ERR_TYPE
                    : ftz && ctype == PTO_S32 ? PTO_ERR_MODIFIER
                                              : PTO_OK);
    }
}

static void plan_vcmpsel_statuses(const struct subject *s, struct report *r) {
    static const unsigned flags[] = {0, PTO_FTZ, PTO_MERGE, 4, 0x80000000U};
    static const unsigned scalars[] = {0, 1, 8, 15, 16, 0x80000000U};
    enum { OPS = MODEL_OPS + NONSENSE };
    report_call(r, "plan_vcmpsel", NULL);
    for (int i = 0; i < (DTYPES + NONSENSE) * OPS * 30; i++) {
        const pto_dtype type = (pto_dtype)member_or_not(i / 30 / OPS, DTYPES);
        const pto_cmp op = (pto_cmp)member_or_not(i / 30 % OPS, MODEL_OPS);
        const unsigned flag = flags[i % 5], some = scalars[i % 30 / 5];
        /* the status of vcmp with these flags, except that PTO_MERGE is refused: there is no mask to merge into */
        pto_status want = compare_status(type, op, flag, PTO_MASK_PACKED, PTO_MASK_PACKED);
        pto_plan plan;
        pto_status status;
        if (want == PTO_OK && (flag == PTO_MERGE || some > 15)) want = PTO_ERR_MODIFIER;
        memset(&plan, 0x5a, sizeof plan);
        status = s->plan_vcmpsel(&plan, type, op, flag, some);
        r->now.type = (int)type;
        r->now.op = (int)op;
        expect_plan(r, &plan, status, want);
    }
}

void check_plan_ptx_status(const struct subject *s, struct report *r) {
    const pto_setp_op setp = {.type = PTO_F32, .cmp = PTO_LT};
    const pto_set_op set = {.dtype = PTO_TF32, .stype = PTO_TF32};
    pto_plan unchanged;
    struct rng rng;
    rng_start(&rng, "plan ptx status");
    plan_setp_statuses(s, r, &rng);
    plan_set_statuses(s, r, &rng);
    plan_slct_statuses(s, r);
    plan_vcmpsel_statuses(s, r);
    report_call(r, "plans", "plan NULL");
    memset(&unchanged, 0x5a, sizeof unchanged);
    expect_plan(r, &unchanged, s->plan_setp(NULL, setp, PTO_MASK_B8, PTO_MASK_B8, PTO_MASK_B8), PTO_ERR_NULL);
    expect_plan(r, &unchanged, s->plan_set(NULL, set, PTO_MASK_B8), PTO_ERR_NULL);
    expect_plan(r, &unchanged, s->plan_slct(NULL, PTO_TF32, PTO_TF32, true), PTO_ERR_NULL);
    expect_plan(r, &unchanged, s->plan_vcmpsel(NULL, PTO_TF32, PTO_LO, 99, 99), PTO_ERR_NULL);
}

/* ---- plans of vmax, vmin, vclamp, vrelu and vsels ---- */

static const unsigned scalar_sets[] = {0, 1, 2, 3, 4, 7, 8, 0x80000000U};
enum { SCALAR_SETS = sizeof scalar_sets / sizeof scalar_sets[0] };

static void plan_vsels_statuses(const struct subject *s, struct report *r) {
    enum { KINDS = MODEL_KINDS + NONSENSE };
    report_call(r, "plan_vsels", NULL);
    for (int i = 0; i < (DTYPES + NONSENSE) * KINDS * SCALAR_SETS; i++) {
        const pto_dtype type = (pto_dtype)member_or_not(i / SCALAR_SETS / KINDS, DTYPES);
        const int kind = member_or_not(i / SCALAR_SETS % KINDS, MODEL_KINDS);
        const unsigned scalars = scalar_sets[i % SCALAR_SETS];
        const pto_status want = !model_has_type(type)   ? PTO_ERR_TYPE
                                : scalars > 3           ? PTO_ERR_MODIFIER
                                : kind_fits(kind, type) ? PTO_OK
                                                        : PTO_ERR_MASK;
        pto_plan plan;
        memset(&plan, 0x5a, sizeof plan);
        r->now.type = (int)type;
        r->now.kinds[0] = kind;
        expect_plan(r, &plan, s->plan_vsels(&plan, type, scalars, (pto_mask_kind)kind), want);
    }
}

static pto_status plan_maxmin(const struct subject *s, pto_plan *plan, enum model_maxmin call, pto_dtype type,
                              unsigned flags, unsigned scalars) {
    switch (call) {
    case MODEL_MAX: return s->plan_vmax(plan, type, flags, scalars);
    case MODEL_MIN: return s->plan_vmin(plan, type, flags, scalars);
    case MODEL_CLAMP: return s->plan_vclamp(plan, type, flags, scalars);
    default: return s->plan_vrelu(plan, type, flags);
    }
}

static void plan_maxmin_statuses(const struct subject *s, struct report *r, enum model_maxmin call) {
    static const char *const names[MODEL_MAXMIN_CALLS] = {"plan_vmax", "plan_vmin", "plan_vclamp",
                                                          "plan_vrelu"};
    enum { FLAGS = 17 }; /* every set of the four flags, and an invalid flag */
    report_call(r, names[call], NULL);
    for (int i = 0; i < (DTYPES + NONSENSE) * FLAGS * SCALAR_SETS; i++) {
        const pto_dtype type = (pto_dtype)member_or_not(i / SCALAR_SETS / FLAGS, DTYPES);
        const unsigned flags = (unsigned)(i / SCALAR_SETS % FLAGS), scalars = scalar_sets[i % SCALAR_SETS];
        pto_status want = model_maxmin_status(call, type, flags);
        pto_plan plan;
        if (want == PTO_OK && call != MODEL_RELU && scalars >> model_maxmin_operands(call))
            want = PTO_ERR_MODIFIER;
        memset(&plan, 0x5a, sizeof plan);
        r->now.type = (int)type;
        expect_plan(r, &plan, plan_maxmin(s, &plan, call, type, flags, scalars), want);
    }
}

void check_plan_maxmin_status(const struct subject *s, struct report *r) {
    pto_plan unchanged;
    plan_vsels_statuses(s, r);
    memset(&unchanged, 0x5a, sizeof unchanged);
    expect_plan(r, &unchanged, s->plan_vsels(NULL, PTO_TF32, 99, PTO_MASK_B8), PTO_ERR_NULL);
    for (int call = 0; call < MODEL_MAXMIN_CALLS; call++) {
        plan_maxmin_statuses(s, r, (enum model_maxmin)call);
        expect_plan(r, &unchanged, plan_maxmin(s, NULL, (enum model_maxmin)call, PTO_TF32, 99, 99),
                    PTO_ERR_NULL);
    }
}

/* ---- a plan keeps its ISA; the choice of an ISA ---- */

enum { PLAN_LANES = 203 };

/** Runs the plan while another ISA is active. The plan must give the expected lanes and stay unchanged. */
static void run_under(struct report *r, const pto_plan *plan, const float *a, const float *b,
                      const unsigned char *expected) {
    unsigned char got[PLAN_LANES];
    pto_plan before;
    memcpy(&before, plan, sizeof before);
    memset(got, 0x33, sizeof got);
    pto_run(plan, a, b, NULL, got, PLAN_LANES);
    r->cases++;
    report_image(r, expected, got, PLAN_LANES);
    if (memcmp(&before, plan, sizeof before) != 0) report_mismatch(r, "running the plan has changed it");
}

/** Runs plans made under each ISA under every other ISA. All backends give equal lanes, so these do not show which
 * one ran. But a plan records its ISA, so plans of one op made under two ISAs must differ in their bytes. */
void check_plan_keeps_isa(const struct subject *s, struct report *r) {
    static float a[PLAN_LANES], b[PLAN_LANES];
    static unsigned char expected[PLAN_LANES];
    pto_plan plans[HARNESS_MAX_ISAS];
    size_t count = 0;
    const pto_isa active = pto_isa_active();
    struct rng rng;

    report_call(r, "plan_vcmp", "made under one ISA, run under another");
    rng_start(&rng, "plan keeps isa");
    values_pairs(&rng, PTO_F32, a, b, PLAN_LANES);
    for (int i = 0; i < PLAN_LANES; i++) {
        expected[i] = model_compare(PTO_F32, PTO_LTU, true, &a[i], &b[i]);
    }
    memset(plans, 0, sizeof plans);
    for (int i = 0; i < harness_isas(); i++) {
        if (s->isa_use((pto_isa)i) != PTO_OK) continue;
        if (s->plan_vcmp(&plans[count++], PTO_F32, PTO_LTU, PTO_FTZ, PTO_MASK_PACKED, PTO_MASK_BYTE) !=
            PTO_OK) {
            report_mismatch(r, "no plan");
            return;
        }
    }
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < harness_isas(); k++) {
            if (s->isa_use((pto_isa)k) == PTO_OK) run_under(r, &plans[i], a, b, expected);
        }
        for (size_t k = 0; k < i; k++) {
            if (memcmp(&plans[i], &plans[k], sizeof plans[i]) == 0)
                report_mismatch(r, "plans of two ISAs are equal");
        }
    }
    use_isa(active);
}

enum { PTX_PLANS = 6 };

static pto_status make_ptx_plan(const struct subject *s, pto_plan *plan, int number) {
    const pto_setp_op setp = {.type = PTO_F32, .cmp = PTO_LT};
    const pto_set_op set = {.dtype = PTO_F32, .stype = PTO_F32, .cmp = PTO_LT};
    switch (number) {
    case 0: return s->plan_setp(plan, setp, PTO_MASK_PACKED, PTO_MASK_BYTE, PTO_MASK_B32);
    case 1: return s->plan_set(plan, set, PTO_MASK_PACKED);
    case 2: return s->plan_slct(plan, PTO_F32, PTO_F32, true);
    case 3: return s->plan_vcmpsel(plan, PTO_F32, PTO_LT, 0, PTO_SCALAR_1);
    case 4: return s->plan_vsels(plan, PTO_F32, PTO_SCALAR_1, PTO_MASK_PACKED);
    default: return s->plan_vclamp(plan, PTO_F32, PTO_FTZ, PTO_SCALAR_1);
    }
}

/** Checks that plans made under two ISAs differ in their bytes, like check_plan_keeps_isa(). */
void check_plan_ptx_keeps_isa(const struct subject *s, struct report *r) {
    static const char *const names[PTX_PLANS] = {"plan_setp",    "plan_set",   "plan_slct",
                                                 "plan_vcmpsel", "plan_vsels", "plan_vclamp"};
    const pto_isa active = pto_isa_active();
    for (int number = 0; number < PTX_PLANS; number++) {
        pto_plan plans[HARNESS_MAX_ISAS];
        size_t count = 0;
        memset(plans, 0, sizeof plans);
        report_call(r, names[number], "made under each ISA");
        for (int i = 0; i < harness_isas(); i++) {
            if (s->isa_use((pto_isa)i) != PTO_OK) continue;
            r->cases++;
            if (make_ptx_plan(s, &plans[count++], number) != PTO_OK) report_mismatch(r, "no plan");
            for (size_t k = 0; k + 1 < count; k++) {
                if (memcmp(&plans[count - 1], &plans[k], sizeof plans[k]) == 0)
                    report_mismatch(r, "plans of two ISAs are equal");
            }
        }
    }
    use_isa(active);
}

void check_isa_status(const struct subject *s, struct report *r) {
    const pto_isa active = pto_isa_active();
    report_call(r, "isa_use", NULL);
    for (int i = -2; i < 40; i++) {
        const pto_isa isa = (pto_isa)(i == -2 ? INT_MAX : i);
        const bool available = i >= 0 && i < harness_isas() && pto_isa_available(isa);
        const pto_status status = s->isa_use(isa);
        r->cases++;
        if (status != (available ? PTO_OK : PTO_ERR_ISA))
            report_mismatch(r, "ISA %d: %s", i, status_name(status));
        if (pto_isa_active() != (available ? isa : active)) {
            report_mismatch(r, "ISA %d, available: %d, but %s is active now", i, available,
                            pto_isa_name(pto_isa_active()));
        }
        if (i >= harness_isas() && pto_isa_available(isa)) report_mismatch(r, "ISA %d is available?", i);
        use_isa(active);
    }
}

/* ---- names ---- */

static void expect_text(struct report *r, const char *got, const char *want) {
    r->cases++;
    if (!got || strcmp(got, want) != 0)
        report_mismatch(r, "expected \"%s\", got \"%s\"", want, got ? got : "NULL");
}

/** Returns the class of a type that is not packed. */
static pto_class class_of(int type) {
    switch (pto_dtype_name((pto_dtype)type)[0]) {
    case 'b': return type <= PTO_B64 ? PTO_CLASS_BITS : PTO_CLASS_FLOAT;
    case 'u': return type == PTO_UE8M0 || type == PTO_UE5M3 ? PTO_CLASS_FLOAT : PTO_CLASS_UNSIGNED;
    case 's': return type == PTO_S2F6 ? PTO_CLASS_FLOAT : PTO_CLASS_SIGNED;
    default: return PTO_CLASS_FLOAT;
    }
}

static void check_dtype_words(const struct subject *s, struct report *r) {
    static const char *const names[DTYPES] = {
        "b8",    "b16",      "b32",      "b64",         "u8",          "u16",        "u32",   "u64",
        "s8",    "s16",      "s32",      "s64",         "f16",         "bf16",       "f32",   "f64",
        "tf32",  "e4m3",     "e5m2",     "e2m3",        "e3m2",        "e2m1",       "ue8m0", "s2f6",
        "ue5m3", "f16x2",    "bf16x2",   "u8x4",        "s8x4",        "u16x2",      "s16x2", "e1m2",
        "hif8",  "e4m3fnuz", "e5m2fnuz", "e4m3b11fnuz", "e4m3ieee",    "e3m4",       "u4",    "s4",
        "u2",    "s2",       "bfp8",     "bfp4",        "binary8p3se", "binary8p4se"};
    static const size_t bits[DTYPES] = {8,  16, 32, 64, 8, 16, 32, 64, 8, 16, 32, 64, 16, 16, 32, 64,
                                        32, 8,  8,  8,  8, 4,  8,  8,  8, 32, 32, 32, 32, 32, 32, 4,
                                        8,  8,  8,  8,  8, 8,  4,  4,  2, 2,  8,  4,  8,  8};
    report_call(r, "dtype_name, dtype_bits, dtype_class", NULL);
    for (int i = 0; i < DTYPES; i++) {
        expect_text(r, pto_dtype_name((pto_dtype)i), names[i]);
        r->now.type = i;
        if (pto_dtype_bits((pto_dtype)i) != bits[i])
            report_mismatch(r, "%zu bits?", pto_dtype_bits((pto_dtype)i));
        if (s->dtype_class((pto_dtype)i) != (strchr(names[i], 'x') ? PTO_CLASS_PACKED : class_of(i)))
            report_mismatch(r, "class %d?", (int)s->dtype_class((pto_dtype)i));
    }
    for (int i = 0; i < NONSENSE; i++) {
        expect_text(r, pto_dtype_name((pto_dtype)nonsense[i]), "?");
        if (pto_dtype_bits((pto_dtype)nonsense[i]) != 0) report_mismatch(r, "bits of no type");
        if (s->dtype_class((pto_dtype)nonsense[i]) != PTO_CLASS_NONE) report_mismatch(r, "class of no type");
    }
}

static void check_error_text(const struct subject *s, struct report *r) {
    const char *seen[PTO_ERR_PATTERN + 1];
    report_call(r, "strerror", NULL);
    for (int i = 0; i <= PTO_ERR_PATTERN; i++) {
        seen[i] = s->error_text((pto_status)i);
        r->cases++;
        if (!seen[i] || !*seen[i] || strchr(seen[i], '\n')) {
            report_mismatch(r, "status %d has no line of text", i);
            continue;
        }
        for (int k = 0; k < i; k++) {
            if (seen[k] && strcmp(seen[i], seen[k]) == 0)
                report_mismatch(r, "statuses %d and %d read the same", k, i);
        }
    }
    for (int i = 0; i < NONSENSE; i++) {
        const char *text = s->error_text((pto_status)nonsense[i]);
        r->cases++;
        if (!text || !*text) report_mismatch(r, "status %d has no text", nonsense[i]);
    }
}

void check_words(const struct subject *s, struct report *r) {
    char version[32];

    check_dtype_words(s, r);
    check_error_text(s, r);
    snprintf(version, sizeof version, "%d.%d.%d", PTO_VERSION_MAJOR, PTO_VERSION_MINOR, PTO_VERSION_PATCH);
    report_call(r, "version", NULL);
    expect_text(r, pto_version(), version);
    report_call(r, "isa_name", NULL);
    expect_text(r, pto_isa_name(PTO_ISA_SCALAR), "scalar");
    expect_text(r, pto_isa_name(PTO_ISA_AVX2), "avx2");
    expect_text(r, pto_isa_name(PTO_ISA_AVX512), "avx512");
    expect_text(r, pto_isa_name(PTO_ISA_NEON), "neon");
    expect_text(r, pto_isa_name(PTO_ISA_SVE), "sve");
    expect_text(r, pto_isa_name(PTO_ISA_RVV), "rvv");
    expect_text(r, pto_isa_name(PTO_ISA_GENERIC), "generic");
    expect_text(r, pto_isa_name((pto_isa)-1), "?");
    expect_text(r, pto_isa_name((pto_isa)99), "?");
}
