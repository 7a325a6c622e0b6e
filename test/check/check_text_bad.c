/* SPDX-License-Identifier: MIT */
/* Checks that parsers refuse malformed text, parse single words, and survive mutations of legal text. */
#include "check/checks.h"
#include "model/model_ptx.h"

#include <string.h>

/* ---- malformed ---- */

static const char *const malformed[] = {
    "",
    ".",
    "..",
    "setp",
    "set",
    "setp.",
    "set.",
    "setp.lt",
    "setp.f32",
    "setp..lt.f32",
    "setp.lt..f32",
    "setp.lt.f32.",
    ".setp.lt.f32",
    " setp.lt.f32",
    "setp.lt.f32 ",
    "setp. lt.f32",
    "setp .lt.f32",
    "SETP.LT.F32",
    "Setp.lt.f32",
    "setp.LT.f32",
    "setp.lt.F32",
    "setp.lt.lt.f32",
    "setp.lt.gt.f32",
    "setp.lt.f32.lt",
    "setp.lt.f32.f32",
    "setp.lt.f32.f64",
    "setp.lt.u8.f32",
    "setp.lt.and.or.f32",
    "setp.lt.and.and.f32",
    "setp.lt.ftz.ftz.f32",
    "setp.ftz.lt.f32.ftz",
    "setp.lt.f32x2",
    "setp.lt.f3",
    "setp.lt.f322",
    "setp.l.f32",
    "setp.ltt.f32",
    "setp.lt.not.f32",
    "setp.lt.f32\n",
    "setp.lt.f32\t",
    "setp,lt,f32",
    "setp.lt.f32 p, a, b",
    "setp.lt.f32;",
    "@p setp.lt.f32",
    "setp.unordered.f32",
    "setp.lt.none.f32",
    "setp.lt.and",
    "setp.and.f32",
    "setp.ftz",
    "setp.lt.ftz",
    "setpx.lt.f32",
    "set p.lt.f32",
    "sett.lt.u32.f32",
    "cvt.lt.f32",
    "lt.f32",
    "f32",
    "set.lt.u32",
    "set.u32.f32",
    "set.lt.u32.f32.f32",
    "set.lt.u32.f32.f64",
    "set.lt.lt.u32.f32",
    "set.lt.u32.f32.",
    "set..lt.u32.f32",
    "set.lt.u32 .f32",
    "set.lt.u32->f32",
    "set.lt.and.xor.u32.f32",
    "set.lt.ftz.u32.f32.ftz",
    "SET.lt.u32.f32",
    "set.lt.pred.f32",
    "set.lt.u32.pred",
    "setp.lt.\xff",
    "\xff\xff\xff\xff",
    "setp.lt.f32\x80",
    "setp.\x01.f32",
    "setp.eq.b128",
    "setp.lt.and.f32.c",
    "setp.lt.!and.f32",
    "setp.lt.v2.f32",
    "set.lt",
    "setp.f32.ftz",
    "setp.lt.f32.and.and",
    "setp.lt.f16x4",
    "set.lt.u8x2",
    "set.lt.s16x4",
    "set.lt.u8x4.u8x4",
    "set.lt.u8x4.pred.u8x4",
    "set.lt.u8x4.u8x4.u8x4",
    "set.lt.u8x4.pre",
    "set.pred",
};

/** Texts that must be refused, with any error status. Most have words or types that setp and set do not take. */
static const char *const refused[] = {
    "setp.lt.rn.f32",      "setp.lt.sat.f32",   "setp.lt.f32.satfinite",
    "set.lt.relu.u32.f32", "set.rz.lt.u32.f32", "setp.lt.global.f32",
    "set.lt.f32",          "setp.lt.u32.f32",   "set.lt.u8x4.u8x4",
    "set.lt.u32.u8x4",     "set.lt.u8x4.u32",   "setp.lt.u8x4",
    "set.lt.ftz.u16x2",    "set.lt.and.s8x4",   "set.lo.s16x2",
};

static void malformed_setp(const struct subject *s, struct report *r, const char *text, bool any) {
    const pto_setp_op before = {PTO_E2M1, PTO_HS, PTO_XOR, true, true};
    pto_setp_op op = before;
    const pto_status status = s->parse_setp(text, &op, NULL);
    r->cases++;
    r->now.call = "parse_setp";
    r->now.detail = text;
    if (any ? status == PTO_OK : status != PTO_ERR_PARSE) report_mismatch(r, "%s", status_name(status));
    if (!model_same_setp(&before, &op)) report_mismatch(r, "the result was written");
}

static void malformed_set(const struct subject *s, struct report *r, const char *text, bool any) {
    const pto_set_op before = {PTO_E2M1, PTO_TF32, PTO_HS, PTO_XOR, true, true};
    pto_set_op op = before;
    const pto_status status = s->parse_set(text, &op, NULL);
    r->cases++;
    r->now.call = "parse_set";
    r->now.detail = text;
    if (any ? status == PTO_OK : status != PTO_ERR_PARSE) report_mismatch(r, "%s", status_name(status));
    if (!model_same_set(&before, &op)) report_mismatch(r, "the result was written");
}

static void nulls(const struct subject *s, struct report *r) {
    pto_setp_op setp;
    pto_set_op set;
    pto_dtype type;
    pto_cmp cmp;
    pto_pattern pattern;
    const pto_status statuses[] = {
        s->parse_setp(NULL, &setp, NULL),
        s->parse_setp("setp.lt.f32", NULL, NULL),
        s->parse_setp("", NULL, NULL),
        s->parse_set(NULL, &set, NULL),
        s->parse_set("set.lt.u32.f32", NULL, NULL),
        s->parse_dtype(NULL, &type, NULL),
        s->parse_dtype("f32", NULL, NULL),
        s->parse_cmp(NULL, &cmp, NULL),
        s->parse_cmp("lt", NULL, NULL),
        s->parse_pattern(NULL, &pattern, NULL),
        s->parse_pattern("PAT_H", NULL, NULL),
    };
    r->now.detail = "NULL";
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        r->cases++;
        if (statuses[i] != PTO_ERR_NULL) report_mismatch(r, "NULL %zu: %s", i, status_name(statuses[i]));
    }
}

void check_text_malformed(const struct subject *s, struct report *r) {
    report_call(r, "parse_setp", NULL);
    for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++) {
        malformed_setp(s, r, malformed[i], false);
        malformed_set(s, r, malformed[i], false);
    }
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        malformed_setp(s, r, refused[i], true);
        malformed_set(s, r, refused[i], true);
    }
    nulls(s, r);
}

/* ---- words ---- */

static void each_dtype(const struct subject *s, struct report *r) {
    static const char *const names[MODEL_DTYPES] = {
        "b8",    "b16",      "b32",      "b64",         "u8",          "u16",        "u32",   "u64",
        "s8",    "s16",      "s32",      "s64",         "f16",         "bf16",       "f32",   "f64",
        "tf32",  "e4m3",     "e5m2",     "e2m3",        "e3m2",        "e2m1",       "ue8m0", "s2f6",
        "ue5m3", "f16x2",    "bf16x2",   "u8x4",        "s8x4",        "u16x2",      "s16x2", "e1m2",
        "hif8",  "e4m3fnuz", "e5m2fnuz", "e4m3b11fnuz", "e4m3ieee",    "e3m4",       "u4",    "s4",
        "u2",    "s2",       "bfp8",     "bfp4",        "binary8p3se", "binary8p4se"};
    for (int i = 0; i < MODEL_DTYPES; i++) {
        pto_dtype type = (pto_dtype)99;
        r->cases++;
        r->now.detail = names[i];
        if (s->parse_dtype(names[i], &type, NULL) != PTO_OK || (int)type != i ||
            strcmp(pto_dtype_name(type), names[i]) != 0)
            report_mismatch(r, "parsed as %d", (int)type);
    }
}

static void bad_words(const struct subject *s, struct report *r) {
    static const char *const words[] = {
        "",         ".",       "f32.",     ".f32",   "F32",    "lt ",  " lt",     "LT",
        "f",        "f3",      "f322",     "bf16x",  "pat_h",  "PAT_", "PAT_VL5", "PAT_VL256",
        "PAT_ALL ", "PAT_H\n", "PAT_VL01", "VL1",    "?",      "ftz",  "and",     "f32\x80",
        "eqq",      "e",       "setp",     "PAT_HH", "PAT_M2", "pred", "b128"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        pto_dtype type = (pto_dtype)99;
        pto_cmp cmp = (pto_cmp)99;
        pto_pattern pattern = (pto_pattern)99;
        r->cases += 3;
        r->now.detail = words[i];
        if (s->parse_dtype(words[i], &type, NULL) != PTO_ERR_PARSE || (int)type != 99)
            report_mismatch(r, "a type");
        if (s->parse_cmp(words[i], &cmp, NULL) != PTO_ERR_PARSE || (int)cmp != 99)
            report_mismatch(r, "an operator");
        if (s->parse_pattern(words[i], &pattern, NULL) != PTO_ERR_PARSE || (int)pattern != 99)
            report_mismatch(r, "a pattern");
    }
}

void check_text_words(const struct subject *s, struct report *r) {
    report_call(r, "parse_dtype", NULL);
    each_dtype(s, r);
    r->now.call = "parse_cmp";
    for (int i = 0; i < MODEL_OPS; i++) {
        pto_cmp cmp = (pto_cmp)99;
        r->cases++;
        r->now.detail = model_op_name((pto_cmp)i);
        if (s->parse_cmp(r->now.detail, &cmp, NULL) != PTO_OK || (int)cmp != i)
            report_mismatch(r, "parsed as %d", (int)cmp);
    }
    bad_words(s, r);
}

/* ---- mutations: the text ends right before a guard page; a text that parses must format and parse again ---- */

enum { LONGEST_MUTANT = 160 };

static const char *const legal_texts[] = {
    "setp.lt.and.ftz.f16x2",
    "set.lt.and.ftz.u32.f32",
    "setp.geu.xor.f64",
    "set.hs.s32.u64",
    "SETNBE",
    "PAT_VL128",
    "setp.nan.bf16x2",
    "set.neu.bf16x2.bf16x2",
    "set.lt.u8x4.pred",
    "set.s16x2.ne",
    "bf16",
    "ltu",
};

static size_t mutate(struct rng *rng, char *text, size_t length) {
    static const char alphabet[] = "..setplfuabxndrz0123468\xff\x01 ";
    char letter;
    const size_t at = rng_below(rng, length + 1);
    const char *legal_text = legal_texts[rng_below(rng, sizeof legal_texts / sizeof legal_texts[0])];
    const size_t part = rng_below(rng, strlen(legal_text) + 1);

    rng_fill(rng, &letter, 1);
    if (letter == 0 || rng_below(rng, 4)) letter = alphabet[rng_below(rng, sizeof alphabet - 1)];
    switch (rng_below(rng, 5)) {
    case 0: /* replace */
        if (at < length) text[at] = letter;
        return length;
    case 1: /* insert */
        if (length + 1 > LONGEST_MUTANT) return length;
        memmove(text + at + 1, text + at, length - at);
        text[at] = letter;
        return length + 1;
    case 2: /* delete */
        if (at == length) return length;
        memmove(text + at, text + at + 1, length - at - 1);
        return length - 1;
    case 3: /* insert the start of another text */
        if (length + part > LONGEST_MUTANT) return length;
        memmove(text + at + part, text + at, length - at);
        memcpy(text + at, legal_text, part);
        return length + part;
    default: return at; /* truncate */
    }
}

/** Returns whether the text parsed. Also checks that the error's position and text fit the status. */
static bool parsed(struct report *r, pto_status status, const pto_parse_error *error, const char *text) {
    if (error->at > strlen(text) || !memchr(error->text, 0, sizeof error->text) ||
        (error->text[0] == 0) != (status == PTO_OK))
        report_mismatch(r, "\"%s\": what is wrong and where?", text);
    return status == PTO_OK;
}

static void feed(const struct subject *s, struct report *r, const char *text) {
    char buf[48];
    pto_setp_op setp, setp_again;
    pto_set_op set, set_again;
    pto_dtype type;
    pto_cmp cmp;
    pto_cc cc;
    pto_pattern pattern;
    pto_parse_error error;

    r->cases++;
    if (parsed(r, s->parse_setp(text, &setp, &error), &error, text) &&
        (model_setp_status(setp) != PTO_OK || s->format_setp(setp, buf, sizeof buf) != PTO_OK ||
         s->parse_setp(buf, &setp_again, NULL) != PTO_OK || !model_same_setp(&setp, &setp_again)))
        report_mismatch(r, "\"%s\": no round trip", text);
    if (parsed(r, s->parse_set(text, &set, &error), &error, text) &&
        (model_set_status(set) != PTO_OK || s->format_set(set, buf, sizeof buf) != PTO_OK ||
         s->parse_set(buf, &set_again, NULL) != PTO_OK || !model_same_set(&set, &set_again)))
        report_mismatch(r, "\"%s\": no round trip", text);
    if (parsed(r, s->parse_dtype(text, &type, &error), &error, text) &&
        strcmp(text, pto_dtype_name(type)) != 0)
        report_mismatch(r, "\"%s\" is no type", text);
    if (parsed(r, s->parse_cmp(text, &cmp, &error), &error, text) && strcmp(text, model_op_name(cmp)) != 0)
        report_mismatch(r, "\"%s\" is no operator", text);
    if (parsed(r, s->parse_setcc(text, &cc, &error), &error, text) &&
        (strlen(text) < 4 || strlen(text) > 6 || (unsigned)cc >= MODEL_CCS))
        report_mismatch(r, "\"%s\" is no mnemonic", text);
    if (parsed(r, s->parse_pattern(text, &pattern, &error), &error, text) && strncmp(text, "PAT_", 4) != 0)
        report_mismatch(r, "\"%s\" is no pattern", text);
}

void check_text_mutations(const struct subject *s, struct report *r) {
    char text[2 * LONGEST_MUTANT];
    size_t length = 0;
    struct guarded memory;
    struct rng rng;

    rng_start(&rng, "mutations");
    guarded_open(&memory, (size_t)2 * LONGEST_MUTANT);
    report_call(r, "the parsers", "mutations");
    for (size_t i = 0; i < (r->quick ? 20000U : 400000U) && !report_stop(r); i++) {
        char *at;
        if (i % 8 == 0) { /* start over from a legal text */
            const char *legal_text = legal_texts[rng_below(&rng, sizeof legal_texts / sizeof legal_texts[0])];
            length = strlen(legal_text);
            memcpy(text, legal_text, length);
        }
        length = mutate(&rng, text, length);
        at = (char *)guarded_place(&memory, length + 1, AT_END);
        memcpy(at, text, length);
        at[length] = 0;
        feed(s, r, at);
    }
    guarded_close(&memory);
}
