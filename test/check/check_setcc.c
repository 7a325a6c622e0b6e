/* SPDX-License-Identifier: MIT */
/* Compares flags, conditions and SETcc bytes with the model, and on x86-64 with the instructions of the CPU. */
#include "check/checks.h"
#include "support/operands.h"
#include "support/x86_flags.h"

#include <math.h>
#include <string.h>

enum { ALL_FLAGS = 0x8d5, BYTES = 256, PAIRS = BYTES * BYTES, INTEGERS = 12, FLOATS = 4 };

static const pto_dtype integers[INTEGERS] = {PTO_B8,  PTO_U8,  PTO_S8,  PTO_B16, PTO_U16, PTO_S16,
                                             PTO_B32, PTO_U32, PTO_S32, PTO_B64, PTO_U64, PTO_S64};
static const pto_dtype floats[FLOATS] = {PTO_F32, PTO_F64, PTO_F16, PTO_BF16};

/** Returns combination k of the 64 combinations of the six flags. */
static uint32_t combination(unsigned k) {
    static const uint32_t bits[] = {PTO_CF, PTO_PF, PTO_AF, PTO_ZF, PTO_SF, PTO_OF};
    uint32_t eflags = 0;
    for (unsigned i = 0; i < 6; i++) {
        if (k >> i & 1) eflags |= bits[i];
    }
    return eflags;
}

/* ---- setcc: conditions on flags ---- */

void check_setcc_flags(const struct subject *s, struct report *r) {
    enum { LANES = 64 * 21 };
    uint32_t eflags[LANES];
    unsigned char got[LANES];
    struct rng rng;

    rng_start(&rng, "setcc flags");
    report_call(r, "setcc", "64 combinations of flags, junk in the other bits");
    for (int cc = 0; cc < MODEL_CCS; cc++) {
        for (unsigned i = 0; i < LANES; i++) {
            const uint32_t junk = i < 64 ? 0 : (uint32_t)rng_next(&rng) & ~(uint32_t)ALL_FLAGS;
            eflags[i] = combination(i % 64) | (i < 128 && i >= 64 ? ~(uint32_t)ALL_FLAGS : junk);
        }
        memset(got, 0x5a, sizeof got);
        report_status(r, s->setcc((pto_cc)cc, eflags, got, LANES), PTO_OK);
        for (unsigned i = 0; i < LANES; i++) {
            r->cases++;
            if (got[i] != model_condition((pto_cc)cc, eflags[i]))
                report_mismatch(r, "condition %d, eflags %08x: %02x", cc, (unsigned)eflags[i], got[i]);
        }
    }
}

/* ---- mnemonics ---- */

/** Tests one spelling: it must parse to the condition of its opcode. On x86-64 the results must equal those of the
 * instruction of that name. */
static void one_mnemonic(const struct subject *s, struct report *r, size_t index, const char *spelling) {
    pto_cc cc = (pto_cc)99;
    uint32_t eflags[64];
    unsigned char got[64];

    r->cases++;
    r->now.detail = spelling;
    if (s->parse_setcc(spelling, &cc, NULL) != PTO_OK || (int)cc != model_mnemonics[index].opcode - 0x90) {
        report_mismatch(r, "parsed as %d", (int)cc);
        return;
    }
    for (unsigned k = 0; k < 64; k++) {
        eflags[k] = combination(k);
    }
    report_status(r, s->setcc(cc, eflags, got, 64), PTO_OK);
    for (unsigned k = 0; k < 64 && x86_flags_here(); k++) {
        const uint8_t real = x86_setcc(index, eflags[k]);
        r->cases++;
        if (got[k] != real)
            report_mismatch(r, "eflags %08x: %02x, the CPU says %02x", (unsigned)eflags[k], got[k], real);
    }
}

static void nonsense(const struct subject *s, struct report *r) {
    static const char *const words[] = {
        "",        "set",   "cc",     "a",       "seta ",  " seta",   "setaa", "setnn",
        "setnbb",  "setcc", "setnpe", "setnpo",  "setno ", "jmp",     "setgl", "sets\n",
        "setab",   "set.a", "SETB\t", "setnaee", "seT",    "s\xc5ta", "[ETA",  "se\xd4z",
        "setnaeb", "cmova", "setq",   "setzz",   "setnzz", "setlea",  "setx",  "setnc."};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        pto_cc cc = (pto_cc)77;
        r->cases++;
        r->now.detail = words[i];
        if (s->parse_setcc(words[i], &cc, NULL) != PTO_ERR_PARSE || (int)cc != 77)
            report_mismatch(r, "not refused, or the result was written");
    }
}

/** Copies a name to `out`. Letter i is in upper case if bit i of `upper` is set. */
static void spell(char *out, const char *name, unsigned upper) {
    size_t i = 0;
    for (; name[i]; i++) {
        out[i] = (char)(upper >> i & 1 ? name[i] - 'a' + 'A' : name[i]);
    }
    out[i] = 0;
}

void check_setcc_mnemonics(const struct subject *s, struct report *r) {
    char text[16];
    pto_cc cc;

    report_call(r, "parse_setcc", NULL);
    for (size_t i = 0; i < MODEL_MNEMONICS; i++) {
        const char *name = model_mnemonics[i].name;
        if (strcmp(name, x86_mnemonic_names[i]) != 0)
            report_mismatch(r, "the tests' tables differ: %s", name);
        for (unsigned upper = 0; upper < 1U << strlen(name); upper++) {
            spell(text, name, upper);
            one_mnemonic(s, r, i, text);
        }
    }
    nonsense(s, r);
    r->now.detail = "NULL";
    r->cases++;
    if (s->parse_setcc(NULL, &cc, NULL) != PTO_ERR_NULL || s->parse_setcc("seta", NULL, NULL) != PTO_ERR_NULL)
        report_mismatch(r, "NULL is taken");
}

/* ---- flags of operands, and the fused call ---- */

/** Operands of one type, and the flags that are expected for them. */
struct flags_fixture {
    unsigned char a[PAIRS * 8], b[PAIRS * 8];
    uint32_t want[PAIRS], got[PAIRS];
    unsigned char bytes[PAIRS];
    struct rng rng;
};

static void expect_flags(struct report *r, const struct flags_fixture *w, pto_status status, size_t n,
                         const char *source) {
    const size_t size = model_size((pto_dtype)r->now.type);
    r->cases += n;
    r->now.n = n;
    r->now.detail = source;
    report_status(r, status, PTO_OK);
    for (size_t i = 0; i < n; i++) {
        if (w->want[i] == w->got[i]) continue;
        report_mismatch(r, "%llx, %llx: expected flags %03x, got %03x",
                        (unsigned long long)value_load((pto_dtype)r->now.type, w->a + i * size, 0),
                        (unsigned long long)value_load((pto_dtype)r->now.type, w->b + i * size, 0),
                        (unsigned)w->want[i], (unsigned)w->got[i]);
        return;
    }
}

/** Checks all conditions with cmp_setcc, and with setcc on the flags in w->want. */
static void expect_bytes(const struct subject *s, struct report *r, struct flags_fixture *w, pto_dtype type,
                         size_t n) {
    for (int cc = 0; cc < MODEL_CCS && !report_stop(r); cc++) {
        for (int fused = 0; fused < 2; fused++) {
            memset(w->bytes, 0x5a, n);
            r->now.call = fused ? "cmp_setcc" : "setcc";
            r->cases += n;
            report_status(r,
                          (fused ? s->cmp_setcc((pto_cc)cc, type, w->a, w->b, w->bytes, n)
                                 : s->setcc((pto_cc)cc, w->want, w->bytes, n)),
                          PTO_OK);
            for (size_t i = 0; i < n; i++) {
                if (w->bytes[i] == model_condition((pto_cc)cc, w->want[i])) continue;
                report_mismatch(r, "condition %d, lane %zu: %02x", cc, i, w->bytes[i]);
                break;
            }
        }
    }
}

/** Compares cmp_setcc with all 30 SETcc instructions of the CPU, on the CPU's own flags of each pair. */
static void expect_real_bytes(const struct subject *s, struct report *r, struct flags_fixture *w,
                              pto_dtype type, size_t n) {
    r->now.call = "cmp_setcc";
    for (size_t m = 0; m < X86_MNEMONICS && !report_stop(r); m++) {
        pto_cc cc;
        r->now.detail = x86_mnemonic_names[m];
        r->cases += n;
        if (!report_status(r, s->parse_setcc(x86_mnemonic_names[m], &cc, NULL), PTO_OK)) continue;
        report_status(r, s->cmp_setcc(cc, type, w->a, w->b, w->bytes, n), PTO_OK);
        for (size_t i = 0; i < n; i++) {
            if (w->bytes[i] == x86_setcc(m, w->want[i])) continue;
            report_mismatch(r, "lane %zu: %02x", i, w->bytes[i]);
            break;
        }
    }
}

typedef uint32_t flags_of_pair(pto_dtype type, const void *a, const void *b);

/** A call that computes flags, with the functions that compute the expected flags. */
struct flags_source {
    const char *name;
    flags_call *(*call)(const struct subject *s);
    flags_of_pair *model, *real;
    bool fused; /* cmp_setcc uses these flags */
};

static uint32_t real_cmp(pto_dtype type, const void *a, const void *b) {
    return x86_cmp(model_size(type), value_load(type, a, 0), value_load(type, b, 0));
}

static uint32_t real_test(pto_dtype type, const void *a, const void *b) {
    return x86_test(model_size(type), value_load(type, a, 0), value_load(type, b, 0));
}

/** Returns the value as a double, so that 16-bit types can be compared with UCOMISD. */
static double wide_value(pto_dtype type, const void *element) {
    const struct model_value value = model_decode(type, false, element);
    return value.nan ? (double)NAN : value.real;
}

static uint32_t real_ucomi(pto_dtype type, const void *a, const void *b) {
    float left, right;
    double wide_left, wide_right;

    if (type == PTO_F32) {
        memcpy(&left, a, sizeof left);
        memcpy(&right, b, sizeof right);
        return x86_ucomiss(left, right);
    }
    if (type != PTO_F64) return x86_ucomisd(wide_value(type, a), wide_value(type, b));
    memcpy(&wide_left, a, sizeof wide_left);
    memcpy(&wide_right, b, sizeof wide_right);
    return x86_ucomisd(wide_left, wide_right);
}

static void fill_want(struct flags_fixture *w, pto_dtype type, size_t n, flags_of_pair *flags) {
    const size_t size = model_size(type);
    for (size_t i = 0; i < n; i++) {
        w->want[i] = flags(type, w->a + i * size, w->b + i * size);
    }
}

/** Compares a call that computes flags with the model and with the CPU. Then checks all conditions on these flags. */
static void check_flags(const struct subject *s, struct report *r, struct flags_fixture *w, pto_dtype type,
                        size_t n, const struct flags_source *source) {
    pto_status status;

    r->now.call = source->name;
    r->now.type = (int)type;
    memset(w->got, 0x5a, n * sizeof w->got[0]);
    status = source->call(s)(type, w->a, w->b, w->got, n);
    fill_want(w, type, n, source->model);
    expect_flags(r, w, status, n, "the model");
    if (x86_flags_here()) {
        fill_want(w, type, n, source->real);
        expect_flags(r, w, status, n, "the CPU");
    }
    if (!source->fused) return;
    expect_bytes(s, r, w, type, n);
    if (x86_flags_here()) expect_real_bytes(s, r, w, type, n);
}

static flags_call *flags_cmp_of(const struct subject *s) {
    return s->flags_cmp;
}
static flags_call *flags_test_of(const struct subject *s) {
    return s->flags_test;
}
static flags_call *flags_ucomi_of(const struct subject *s) {
    return s->flags_ucomi;
}

static const struct flags_source cmp_source = {"flags_cmp", flags_cmp_of, model_flags_cmp, real_cmp, true};
static const struct flags_source test_source = {"flags_test", flags_test_of, model_flags_test, real_test,
                                                false};
static const struct flags_source ucomi_source = {"flags_ucomi", flags_ucomi_of, model_flags_ucomi, real_ucomi,
                                                 true};

static struct flags_fixture *fixture_open(const char *purpose) {
    struct flags_fixture *w = harness_allocate(sizeof *w);
    rng_start(&w->rng, purpose);
    return w;
}

/** Checks all 65536 pairs of bytes. */
void check_setcc_bytes(const struct subject *s, struct report *r) {
    struct flags_fixture *w = fixture_open("setcc bytes");
    report_call(r, "flags_cmp", NULL);
    for (size_t i = 0; i < PAIRS; i++) {
        w->a[i] = (unsigned char)(i / BYTES);
        w->b[i] = (unsigned char)(i % BYTES);
    }
    for (size_t t = 0; t < 3 && !report_stop(r); t++) {
        check_flags(s, r, w, integers[t], PAIRS, &cmp_source);
        check_flags(s, r, w, integers[t], PAIRS, &test_source);
    }
    harness_free(w);
}

/** Checks integers of 16 to 64 bits and floating-point types: specials, neighbours, random operands. */
void check_setcc_wide(const struct subject *s, struct report *r) {
    struct flags_fixture *w = fixture_open("setcc wide");
    const size_t n = r->quick ? 6000 : PAIRS;

    report_call(r, "flags_cmp", NULL);
    for (size_t t = 3; t < INTEGERS && !report_stop(r); t++) {
        values_pairs(&w->rng, integers[t], w->a, w->b, n);
        values_cross(integers[t], w->a, w->b);
        check_flags(s, r, w, integers[t], n, &cmp_source);
        check_flags(s, r, w, integers[t], n, &test_source);
    }
    for (size_t t = 0; t < FLOATS && !report_stop(r); t++) {
        values_pairs(&w->rng, floats[t], w->a, w->b, n);
        values_cross(floats[t], w->a, w->b);
        check_flags(s, r, w, floats[t], n, &ucomi_source);
    }
    harness_free(w);
}

/* ---- lengths, guard pages, in place ---- */

/** Memory for one type: the sources and results, all between guard pages. */
struct length_fixture {
    struct guarded a, b, eflags, dst;
    unsigned char before[2 * PAIRS];
    struct rng rng;
    size_t turn;
    pto_dtype type;
    size_t size;
};

static void lengths_open(struct length_fixture *w, pto_dtype type) {
    w->type = type;
    w->size = model_size(type);
    guarded_open(&w->a, HARNESS_LONGEST * w->size);
    guarded_open(&w->b, HARNESS_LONGEST * w->size);
    guarded_open(&w->eflags, (size_t)HARNESS_LONGEST * 4);
    guarded_open(&w->dst, HARNESS_LONGEST);
    values_pairs(&w->rng, type, w->a.data, w->b.data, w->a.size / w->size);
    guarded_freeze(&w->a);
    guarded_freeze(&w->b);
}

static void lengths_close(struct length_fixture *w) {
    guarded_close(&w->a);
    guarded_close(&w->b);
    guarded_close(&w->eflags);
    guarded_close(&w->dst);
}

static const struct flags_source *source_of(pto_dtype type, size_t turn) {
    if (model_is_float(type)) return &ucomi_source;
    return turn % 2 ? &cmp_source : &test_source;
}

/** Makes a call that computes flags. Its result eflags is equal to a (`onto` is 1) or to b (2), or it is separate (0).
 * Only 32-bit types can be replaced in place. */
static void flags_at(const struct subject *s, struct report *r, struct length_fixture *w, size_t n,
                     enum place place, int onto) {
    const struct flags_source *source = source_of(w->type, w->turn++);
    const unsigned char *a = guarded_place(&w->a, n * w->size, place);
    const unsigned char *b = guarded_place(&w->b, n * w->size, place);
    unsigned char *dst = guarded_place(&w->eflags, 4 * n, place);
    const unsigned char *left = onto == 1 ? dst : a, *right = onto == 2 ? dst : b;

    buffer_fill(&w->eflags, dst, 4 * n, (unsigned)w->turn);
    if (onto != 0) memcpy(dst, onto == 1 ? a : b, 4 * n);
    r->cases++;
    r->now.call = source->name;
    r->now.n = n;
    r->now.detail = onto == 0 ? NULL : onto == 1 ? "eflags is a" : "eflags is b";
    report_status(r, source->call(s)(w->type, left, right, (uint32_t *)(void *)dst, n), PTO_OK);
    for (size_t i = 0; i < n; i++) {
        const uint32_t want = source->model(w->type, a + i * w->size, b + i * w->size);
        report_image(r, (const unsigned char *)&want, dst + 4 * i, 4);
    }
    if (!margins_intact(&w->eflags, dst, 4 * n)) report_mismatch(r, "bytes outside eflags were written");
}

/** Checks cmp_setcc. dst is equal to a (`onto` is 1) or to b (2), or it is separate (0). Only 8-bit types can be
 * replaced in place. */
static void bytes_at(const struct subject *s, struct report *r, struct length_fixture *w, size_t n,
                     enum place place, int onto) {
    const bool real = model_is_float(w->type);
    const unsigned char *a = guarded_place(&w->a, n * w->size, place);
    const unsigned char *b = guarded_place(&w->b, n * w->size, place);
    unsigned char *dst = guarded_place(&w->dst, n, place);
    const pto_cc cc = (pto_cc)(w->turn++ % MODEL_CCS);

    buffer_fill(&w->dst, dst, n, (unsigned)w->turn);
    if (onto != 0) memcpy(dst, onto == 1 ? a : b, n);
    r->cases++;
    r->now.call = "cmp_setcc";
    r->now.n = n;
    r->now.detail = onto == 0 ? NULL : onto == 1 ? "dst is a" : "dst is b";
    report_status(r, s->cmp_setcc(cc, w->type, onto == 1 ? dst : a, onto == 2 ? dst : b, dst, n), PTO_OK);
    for (size_t i = 0; i < n; i++) {
        const uint32_t eflags =
            (real ? model_flags_ucomi : model_flags_cmp)(w->type, a + i * w->size, b + i * w->size);
        if (dst[i] != model_condition(cc, eflags))
            report_mismatch(r, "condition %d, lane %zu: %02x", cc, i, dst[i]);
    }
    if (!margins_intact(&w->dst, dst, n)) report_mismatch(r, "bytes outside dst were written");
}

/** Checks setcc on random words of flags. */
static void setcc_at(const struct subject *s, struct report *r, struct length_fixture *w, size_t n,
                     enum place place) {
    unsigned char *eflags = guarded_place(&w->eflags, 4 * n, place);
    unsigned char *dst = guarded_place(&w->dst, n, place);
    const pto_cc cc = (pto_cc)(w->turn++ % MODEL_CCS);

    rng_fill(&w->rng, eflags, 4 * n);
    memcpy(w->before, eflags, 4 * n);
    buffer_fill(&w->dst, dst, n, (unsigned)w->turn);
    r->cases++;
    r->now.call = "setcc";
    r->now.n = n;
    report_status(r, s->setcc(cc, (const uint32_t *)(const void *)eflags, dst, n), PTO_OK);
    for (size_t i = 0; i < n; i++) {
        uint32_t word;
        memcpy(&word, w->before + 4 * i, sizeof word);
        if (dst[i] != model_condition(cc, word))
            report_mismatch(r, "condition %d, lane %zu: %02x", cc, i, dst[i]);
    }
    if (memcmp(w->before, eflags, 4 * n) != 0) report_mismatch(r, "eflags was written");
    if (!margins_intact(&w->dst, dst, n)) report_mismatch(r, "bytes outside dst were written");
}

static void at_length(const struct subject *s, struct report *r, struct length_fixture *w, size_t n,
                      enum place place) {
    flags_at(s, r, w, n, place, 0);
    flags_at(s, r, w, n, place, 0);
    for (int onto = 1; onto < 3 && w->size == 4; onto++) {
        flags_at(s, r, w, n, place, onto);
    }
    for (int onto = 0; onto < (w->size == 1 ? 3 : 1); onto++) {
        bytes_at(s, r, w, n, place, onto);
    }
    setcc_at(s, r, w, n, place);
}

void check_setcc_lengths(const struct subject *s, struct report *r) {
    size_t lengths[HARNESS_MAX_LENGTHS];
    const size_t count = lengths_short(lengths, r->quick);
    struct length_fixture *w = harness_allocate(sizeof *w);
    rng_start(&w->rng, "setcc lengths");
    report_call(r, "flags_cmp", NULL);
    for (size_t t = 0; t < INTEGERS + FLOATS && !report_stop(r); t++) {
        lengths_open(w, t < INTEGERS ? integers[t] : floats[t - INTEGERS]);
        r->now.type = (int)w->type;
        for (size_t i = 0; i < 2 * count && !report_stop(r); i++) {
            at_length(s, r, w, lengths[i / 2], i % 2 ? AT_BEGIN : AT_END);
        }
        for (size_t i = 0; i < 6 && !report_stop(r); i++) {
            at_length(s, r, w, length_long(i), i % 2 ? AT_BEGIN : AT_END);
        }
        lengths_close(w);
    }
    harness_free(w);
}
