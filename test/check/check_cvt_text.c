/* SPDX-License-Identifier: MIT */
/* Checks cvt as text: parses every combination of words and legal forms in every word order, and formats every
 * operation. */
#include "check/checks.h"
#include "support/cvt_forms.h"
#include "model/model_cvt.h"
#include "support/spelling.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/** Parses `text` and compares the status and the result with those expected. A refused text must leave the result
 * unchanged. */

static void want_op(const struct subject *s, struct report *r, const char *text, pto_status want,
                    const pto_cvt_op *op) {
    const pto_cvt_op untouched = model_cvt_invalid();
    pto_cvt_op got = untouched;
    const pto_status status = s->parse_cvt(text, &got, NULL);
    r->cases++;
    if (status != want)
        report_mismatch(r, "\"%s\": expected %s, got %s", text, status_name(want), status_name(status));
    if (!model_same_cvt(&got, want == PTO_OK ? op : &untouched))
        report_mismatch(r, "\"%s\": wrong result", text);
}

/** Writes "cvt" and the modifiers of `op`. Returns the length. */
static size_t put_modifiers(char text[SPELLING_TEXT], const pto_cvt_op *op) {
    size_t used = sizeof "cvt" - 1;
    memcpy(text, "cvt", sizeof "cvt");
    used = spelling_append(text, used, model_round_name(op->round));
    for (int i = 0; i < MODEL_FLAGS; i++) {
        used = spelling_append(text, used, model_cvt_flags(op) >> i & 1 ? model_flag_names[i] : "");
    }
    return used;
}

/* ---- every combination ---- */

/** Where modifiers do not matter, a quick run tries one of FEW sets of them: for pairs of types that do not exist,
 * and for texts with two scales. */
enum { FEW = 41 };

static bool is_skipped(const struct report *r, size_t number, pto_status want) {
    return r->quick && (want == PTO_ERR_TYPE || want == PTO_ERR_PARSE) && number % FEW != 0;
}

/** Parses these modifiers with every pair of types. Returns the number of legal texts. */
static size_t every_pair(const struct subject *s, struct report *r, size_t modifiers) {
    pto_cvt_op op = model_cvt_modifiers(modifiers);
    char text[SPELLING_TEXT];
    const size_t used = put_modifiers(text, &op);
    size_t legal = 0;
    for (size_t i = 0; i < (size_t)MODEL_CVT_WORDS * MODEL_CVT_WORDS && !report_stop(r); i++) {
        const struct model_cvt_word *dst = &model_cvt_words[i / MODEL_CVT_WORDS];
        const struct model_cvt_word *src = &model_cvt_words[i % MODEL_CVT_WORDS];
        const pto_status want = model_cvt_spelling(dst, src, &op);
        if (is_skipped(r, modifiers + i, want)) continue;
        op.dst = dst->type;
        op.src = src->type;
        spelling_append(text, spelling_append(text, used, dst->name), src->name);
        want_op(s, r, text, want, &op);
        legal += want == PTO_OK;
    }
    return legal;
}

/** Checks that the parser and the model accept exactly the texts of data/cvt_legal.json. The parser must accept all of
 * them, must agree with the model on every combination, and both must accept equally many texts. */
void check_cvt_text_legality(const struct subject *s, struct report *r) {
    size_t legal = 0;
    report_call(r, "parse_cvt", "every combination");
    for (size_t i = 0; i < cvt_forms_count; i++) {
        want_op(s, r, cvt_forms[i].text, PTO_OK, &cvt_forms[i].op);
    }
    for (size_t i = 0; i < MODEL_CVT_MODIFIERS && !report_stop(r); i++) {
        legal += every_pair(s, r, i);
    }
    if (legal != cvt_forms_count) report_mismatch(r, "%zu forms", legal);
}

/* ---- every order of words: the types keep their order, modifiers stand before, between and after them ---- */

/** Splits a legal text into its words, which are stored in `copy`. */
static struct spelling words_of(const char *text, char copy[SPELLING_TEXT]) {
    struct spelling w = {{NULL}, 0, 0};
    snprintf(copy, SPELLING_TEXT, "%s", text);
    for (char *dot = strchr(copy, '.'); dot && w.count < SPELLING_WORDS; dot = strchr(dot + 1, '.')) {
        *dot = 0;
        w.word[w.count++] = dot + 1;
    }
    w.first_type = w.count - 2;
    return w;
}

void check_cvt_text_orders(const struct subject *s, struct report *r) {
    report_call(r, "parse_cvt", "orders of words");
    for (size_t i = 0; i < cvt_forms_count && !report_stop(r); i++) {
        char copy[SPELLING_TEXT], text[SPELLING_TEXT];
        const struct spelling w = words_of(cvt_forms[i].text, copy);
        size_t order[SPELLING_WORDS] = {0, 1, 2, 3, 4, 5, 6};
        do {
            spelling_join(text, "cvt", &w, order);
            want_op(s, r, text, PTO_OK, &cvt_forms[i].op);
        } while (spelling_next_order(&w, order));
    }
}

/* ---- format ---- */

/** Returns the expected text: the spelling with the fewest lanes, or "" if PTX does not have the operation. */
static const char *spelling_of(const pto_cvt_op *op) {
    const struct cvt_form *best = NULL;
    for (size_t i = 0; i < cvt_forms_count; i++) {
        if (!model_same_cvt(&cvt_forms[i].op, op)) continue;
        if (!best || cvt_forms[i].lanes < best->lanes) best = &cvt_forms[i];
    }
    return best ? best->text : "";
}

/** A buffer size that holds every text of cvt. */
enum { LONG_ENOUGH = PTO_TEXT_SIZE };

/** Formats `op` into a buffer of `size` bytes. `verdict` is the status if the buffer is large enough. `want` is the
 * expected text, or "" if `verdict` is an error. */
static void format_one(const struct subject *s, struct report *r, const pto_cvt_op *op, const char *want,
                       pto_status verdict, size_t size) {
    const size_t length = strlen(want);
    char buf[SPELLING_TEXT], blank[SPELLING_TEXT];
    pto_status status;
    size_t written;
    memset(buf, '#', sizeof buf);
    memset(blank, '#', sizeof blank);
    status = s->format_cvt(*op, buf, size);
    r->cases++;
    if (verdict == PTO_OK && size <= length) verdict = PTO_ERR_SIZE;
    if (status != verdict)
        report_mismatch(r, "\"%s\", size %zu: expected %s, got %s", want, size, status_name(verdict),
                        status_name(status));
    if (verdict == PTO_OK && strcmp(buf, want) != 0) report_mismatch(r, "\"%s\", not \"%s\"", buf, want);
    written = verdict == PTO_OK ? length + 1 : 0;
    if (memcmp(buf + written, blank + written, sizeof buf - written) != 0)
        report_mismatch(r, "size %zu: more than %zu bytes were written", size, written);
    if (verdict == PTO_OK) want_op(s, r, buf, PTO_OK, op);
}

static void format_nonsense(const struct subject *s, struct report *r) {
    static const int wrong[] = {-1, MODEL_DTYPES, 33, 255, 1000, INT_MIN, INT_MAX};
    const pto_cvt_op good = {.dst = PTO_F16, .src = PTO_F32, .round = PTO_RN};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        pto_cvt_op op = good;
        op.dst = (pto_dtype)wrong[i];
        format_one(s, r, &op, "", PTO_ERR_TYPE, LONG_ENOUGH);
        op = good;
        op.src = (pto_dtype)wrong[i];
        format_one(s, r, &op, "", PTO_ERR_TYPE, LONG_ENOUGH);
        op = good;
        op.round = (pto_round)wrong[i];
        format_one(s, r, &op, "", PTO_ERR_MODIFIER, LONG_ENOUGH);
        op = good;
        op.scale = (pto_cvt_scale)wrong[i];
        format_one(s, r, &op, "", PTO_ERR_MODIFIER, LONG_ENOUGH);
    }
    r->cases++;
    if (s->format_cvt(good, NULL, 48) != PTO_ERR_NULL) report_mismatch(r, "buf NULL");
}

/** Formats every operation. Those of PTX are formatted into buffers of every size; a buffer that is too small must
 * stay unchanged. */
void check_cvt_text_format(const struct subject *s, struct report *r) {
    const size_t all = (size_t)MODEL_CVT_MODIFIERS * MODEL_CVT_TYPES * MODEL_CVT_TYPES;
    report_call(r, "format_cvt", NULL);
    for (size_t i = 0; i < all && !report_stop(r); i++) {
        pto_cvt_op op = model_cvt_modifiers(i % MODEL_CVT_MODIFIERS);
        pto_status verdict;
        const char *want;
        op.dst = (pto_dtype)(i / MODEL_CVT_MODIFIERS % MODEL_CVT_TYPES);
        op.src = (pto_dtype)(i / MODEL_CVT_MODIFIERS / MODEL_CVT_TYPES);
        verdict = model_cvt_check(&op);
        if (is_skipped(r, i, verdict)) continue;
        want = verdict == PTO_OK ? spelling_of(&op) : "";
        for (size_t size = verdict == PTO_OK ? 0 : LONG_ENOUGH; size <= LONG_ENOUGH; size++) {
            format_one(s, r, &op, want, verdict, size);
        }
    }
    format_nonsense(s, r);
}

/* ---- malformed ---- */

static const char *const malformed[] = {
    "",
    ".",
    "..",
    "cvt",
    "cvt.",
    "cvt.rn",
    "cvt.f16",
    "cvt.rn.f16",
    "cvt.rn.f16.",
    "cvt.rn.f16.f32.",
    "cvt..rn.f16.f32",
    "cvt.rn..f16.f32",
    "cvt.rn.f16..f32",
    ".cvt.rn.f16.f32",
    " cvt.rn.f16.f32",
    "cvt.rn.f16.f32 ",
    "cvt .rn.f16.f32",
    "cvt. rn.f16.f32",
    "cvt.rn.f16.f32\n",
    "cvt.rn.f16.f32\t",
    "cvt.rn.f16.f32;",
    "cvt.rn.f16.f32 h, f",
    "@p cvt.rn.f16.f32",
    "CVT.RN.F16.F32",
    "Cvt.rn.f16.f32",
    "cvt.RN.f16.f32",
    "cvt.rn.F16.f32",
    "cvt,rn,f16,f32",
    "cvt.rn.rn.f16.f32",
    "cvt.rn.rz.f16.f32",
    "cvt.rn.f16.f32.rn",
    "cvt.rz.f16.rn.f32",
    "cvt.rzi.rni.s32.f32",
    "cvt.ftz.ftz.f32.f32",
    "cvt.rn.ftz.f16.f32.ftz",
    "cvt.sat.sat.s32.s64",
    "cvt.sat.s32.s64.sat",
    "cvt.rn.relu.relu.f16.f32",
    "cvt.rn.pzo.pzo.f16.f32",
    "cvt.rn.satfinite.scaled.e4m3x2.f32",
    "cvt.rn.satfinite.scaled::n1.e4m3x2.f32",
    "cvt.rn.satfinite.scaled::n3::ue8m0.e4m3x2.f32",
    "cvt.rn.satfinite.scaled::n1::e4m3.e4m3x2.f32",
    "cvt.rn.satfinite.scaled:n1:ue8m0.e4m3x2.f32",
    "cvt.rn.satfinite.scaled::n1::ue8m0x.e4m3x2.f32",
    "cvt.rn.satfinite.scaled.n1.ue8m0.e4m3x2.f32",
    "cvt.rn.satfinite.n1::ue8m0.e4m3x2.f32",
    "cvt.rn.satfinite.scaled::n1::ue8m0.scaled::n1::ue8m0.e4m3x2.f32",
    "cvt.rn.satfinite.scaled::n1::ue8m0.scaled::n2::ue8m0.e4m3x2.f32",
    "cvt.rn.satfinite.s2f7x2.f32",
    "cvt.rn.ue5m3x.f32",
    "cvt.rn.satfinite.satfinite.e4m3x2.f32",
    "cvt.rn.f16.f32.f32",
    "cvt.rn.f16.f16.f32",
    "cvt.rn.f16.f32.f64",
    "cvt.r.f16.f32",
    "cvt.rnn.f16.f32",
    "cvt.rnx.f16.f32",
    "cvt.none.f16.f32",
    "cvt.rn.f1.f32",
    "cvt.rn.f166.f32",
    "cvt.rn.f16x.f32",
    "cvt.rn.f16x3.f32",
    "cvt.rn.f16x22.f32",
    "cvt.rn.f16x2x2.f32",
    "cvt.rn.satfinite.e4m3x.f32",
    "cvt.rn.satfinite.e4m3x3.f32",
    "cvt.rn.satfinite.e4m3x8.f32",
    "cvt.rn.satfinite.e4m.f32",
    "cvt.rn.satfinit.e4m3x2.f32",
    "cvt.rn.satfinitee.e4m3x2.f32",
    "cvt.rn.rel.f16.f32",
    "cvt.rn.f16->f32",
    "cvt.rn.f16\xff.f32",
    "\xff\xff\xff\xff",
    "cvt.rn.f16.f32\x80",
    "cvt.\x01.f16.f32",
    "cvt.rn.foo.f16.f32",
    "cvtx.rn.f16.f32",
    "cvt2.rn.f16.f32",
    "cv.rn.f16.f32",
    "rn.f16.f32",
    "f16.f32",
    "setp.lt.f32",
    "set.lt.u32.f32",
    "cvta.to.global.u64",
};

/** Texts that must be refused, with any error status: words of other instructions, types that cvt does not have, and
 * texts that ptxas accepts by mistake. */
static const char *const refused[] = {
    "cvt.pack.sat.u8.s32.b32",
    "cvt.pack.sat.u16.s32",
    "cvt.rn.ue8m0x4.f32",
    "cvt.rz.satfinite.ue8m0x4.f32",
    "cvt.rn.finite.f16.f32",
    "cvt.lt.f16.f32",
    "cvt.and.f16.f32",
    "cvt.rn.global.f16.f32",
    "cvt.rn.f16x4.f32",
    "cvt.rn.f32x2.f32",
    "cvt.rn.bf16x4.f32",
    "cvt.u128.u64",
    "cvt.rn.f16.pred",
    "cvt.u32.b128",
    "cvt.rn.satfinite.f8.f32",
    "cvt.rn.scaled.f16.f32",
    "cvt.rs.satfinite.s2f6x2.f32",
    "cvt.rs.pzo.f16x2.f32",
    "cvt.rn.ftz.pzo.bf16.f32",
    "cvt.rm.pzo.f16.f32",
    "cvt.rn.satfinite.scaled::n2::ue8m0.e4m3x2.f32",
    "cvt.rp.scaled::n1::ue8m0.ue5m3x2.f32",
    "cvt.rn.satfinite.s2f6x2.f16x2",
    "cvt.rn.f16x2.s2f6x2",
    "cvt.rn.relu.ue5m3x2.f32",
    "cvt.rn.satfinite.s2f6.f32",
    "cvt.rn.ue5m3.f32",
};

static void want_refusal(const struct subject *s, struct report *r, const char *text, bool any) {
    const pto_cvt_op untouched = model_cvt_invalid();
    pto_cvt_op op = untouched;
    const pto_status status = s->parse_cvt(text, &op, NULL);
    r->cases++;
    r->now.detail = text;
    if (any ? status == PTO_OK : status != PTO_ERR_PARSE) report_mismatch(r, "%s", status_name(status));
    if (!model_same_cvt(&untouched, &op)) report_mismatch(r, "the result was written");
}

void check_cvt_text_malformed(const struct subject *s, struct report *r) {
    pto_cvt_op op;
    report_call(r, "parse_cvt", NULL);
    for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++) {
        want_refusal(s, r, malformed[i], false);
    }
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        want_refusal(s, r, refused[i], true);
    }
    r->now.detail = "NULL";
    r->cases += 3;
    if (s->parse_cvt(NULL, &op, NULL) != PTO_ERR_NULL) report_mismatch(r, "text NULL");
    if (s->parse_cvt("cvt.rn.f16.f32", NULL, NULL) != PTO_ERR_NULL) report_mismatch(r, "result NULL");
    if (s->parse_cvt("", NULL, NULL) != PTO_ERR_NULL) report_mismatch(r, "result NULL, no text");
}

/* ---- mutations: the text ends right before a guard page; a text that parses must format and parse again ---- */

enum { LONGEST = 120 };

static size_t mutate(struct rng *rng, char *text, size_t length) {
    static const char alphabet[] = "...cvtrnzmpisafeluxbdo::0123468\xff\x01 ";
    const char letter = alphabet[rng_below(rng, sizeof alphabet - 1)];
    const size_t at = rng_below(rng, length + 1);
    const char *other = cvt_forms[rng_below(rng, cvt_forms_count)].text;
    const size_t part = rng_below(rng, strlen(other) + 1);
    const size_t tail = strlen(other) - part;

    switch (rng_below(rng, 5)) {
    case 0:
        if (at < length) text[at] = letter;
        return length;
    case 1:
        if (at == length) return length;
        memmove(text + at, text + at + 1, length - at - 1);
        return length - 1;
    case 2: /* insert the end of another text */
        if (length + tail > LONGEST) return length;
        memmove(text + at + tail, text + at, length - at);
        for (size_t i = 0; i < tail; i++) {
            text[at + i] = other[part + i];
        }
        return length + tail;
    case 3:
        if (length == LONGEST) return length;
        memmove(text + at + 1, text + at, length - at);
        text[at] = letter;
        return length + 1;
    default: return at;
    }
}

static void feed(const struct subject *s, struct report *r, const char *text) {
    char buf[LONG_ENOUGH];
    pto_cvt_op op, again;
    pto_parse_error error;
    pto_status status;
    r->cases++;
    status = s->parse_cvt(text, &op, &error);
    if (error.at > strlen(text) || !memchr(error.text, 0, sizeof error.text) ||
        (error.text[0] == 0) != (status == PTO_OK))
        report_mismatch(r, "\"%s\": what is wrong and where?", text);
    if (status != PTO_OK) return;
    if (model_cvt_check(&op) != PTO_OK || s->format_cvt(op, buf, sizeof buf) != PTO_OK ||
        s->parse_cvt(buf, &again, NULL) != PTO_OK || !model_same_cvt(&op, &again))
        report_mismatch(r, "\"%s\": no round trip", text);
}

void check_cvt_text_mutations(const struct subject *s, struct report *r) {
    char text[2 * LONGEST];
    size_t length = 0;
    struct guarded memory;
    struct rng rng;

    rng_start(&rng, "cvt mutations");
    guarded_open(&memory, (size_t)2 * LONGEST);
    report_call(r, "parse_cvt", "mutations");
    for (size_t i = 0; i < (r->quick ? 20000U : 400000U) && !report_stop(r); i++) {
        char *at;
        if (i % 6 == 0) { /* start over from a legal text */
            const char *legal_text = cvt_forms[rng_below(&rng, cvt_forms_count)].text;
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
