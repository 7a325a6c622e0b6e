/* SPDX-License-Identifier: MIT */
/* Checks the text of setp and set: every legal form parses in every order of its words and formats in PTX's order;
 * all other combinations are refused with the right status. */
#include "check/checks.h"
#include "support/legal_table.h"
#include "support/spelling.h"

#include <string.h>

/** The initial results. A parser that refuses a text must leave them unchanged. */
static const pto_setp_op untouched_setp = {PTO_E2M1, PTO_HS, PTO_XOR, true, true};
static const pto_set_op untouched_set = {PTO_E2M1, PTO_TF32, PTO_HS, PTO_XOR, true, true};

static void want_setp(const struct subject *s, struct report *r, const char *text, pto_status want,
                      const pto_setp_op *op) {
    pto_setp_op got = untouched_setp;
    const pto_status status = s->parse_setp(text, &got, NULL);
    r->cases++;
    if (status != want)
        report_mismatch(r, "\"%s\": expected %s, got %s", text, status_name(want), status_name(status));
    if (!model_same_setp(&got, want == PTO_OK ? op : &untouched_setp))
        report_mismatch(r, "\"%s\": wrong result", text);
}

static void want_set(const struct subject *s, struct report *r, const char *text, pto_status want,
                     const pto_set_op *op) {
    pto_set_op got = untouched_set;
    const pto_status status = s->parse_set(text, &got, NULL);
    r->cases++;
    if (status != want)
        report_mismatch(r, "\"%s\": expected %s, got %s", text, status_name(want), status_name(status));
    if (!model_same_set(&got, want == PTO_OK ? op : &untouched_set))
        report_mismatch(r, "\"%s\": wrong result", text);
}

/* ---- every combination of words, legal or not, in PTX's order ---- */

typedef void visit_setp(const struct subject *s, struct report *r, const pto_setp_op *op);
typedef void visit_set(const struct subject *s, struct report *r, const pto_set_op *op);

static void each_setp(const struct subject *s, struct report *r, visit_setp *visit) {
    for (int i = 0; i < MODEL_DTYPES * MODEL_OPS * MODEL_BOOLS * 2 && !report_stop(r); i++) {
        pto_setp_op op = {.ftz = i % 2};
        op.boolop = (pto_boolop)(i / 2 % MODEL_BOOLS);
        op.cmp = (pto_cmp)(i / (2 * MODEL_BOOLS) % MODEL_OPS);
        op.type = (pto_dtype)(i / (2 * MODEL_BOOLS * MODEL_OPS));
        visit(s, r, &op);
    }
}

static void each_set(const struct subject *s, struct report *r, visit_set *visit) {
    for (int i = 0; i < MODEL_DTYPES * MODEL_DTYPES * MODEL_OPS * MODEL_BOOLS * 2 && !report_stop(r); i++) {
        pto_set_op op = {.ftz = i % 2};
        op.boolop = (pto_boolop)(i / 2 % MODEL_BOOLS);
        op.cmp = (pto_cmp)(i / (2 * MODEL_BOOLS) % MODEL_OPS);
        op.stype = (pto_dtype)(i / (2 * MODEL_BOOLS * MODEL_OPS) % MODEL_DTYPES);
        op.dtype = (pto_dtype)(i / (2 * MODEL_BOOLS * MODEL_OPS * MODEL_DTYPES));
        visit(s, r, &op);
    }
}

/** Returns the model's status, and checks that the table of legal forms agrees. */
static pto_status setp_verdict(struct report *r, const pto_setp_op *op) {
    const pto_status status = model_setp_status(*op);
    const bool legal = legal_table_setp(pto_dtype_name(op->type), op->ftz, model_op_name(op->cmp));
    if (legal != (status == PTO_OK)) report_mismatch(r, "the model and the table differ");
    return status;
}

static pto_status set_verdict(struct report *r, const pto_set_op *op) {
    const pto_status status = model_set_status(*op);
    const bool listed = legal_table_set(pto_dtype_name(op->dtype), pto_dtype_name(op->stype), op->ftz,
                                        model_op_name(op->cmp));
    const bool legal = listed && (!model_is_packed(op->stype) || op->boolop == PTO_BOOL_NONE);
    if (legal != (status == PTO_OK)) report_mismatch(r, "the model and the table differ");
    return status;
}

static void parse_one_setp(const struct subject *s, struct report *r, const pto_setp_op *op) {
    const struct spelling w = spelling_of_setp(op);
    char text[SPELLING_TEXT];
    spelling_join(text, "setp", &w, NULL);
    want_setp(s, r, text, setp_verdict(r, op), op);
}

static void parse_one_set(const struct subject *s, struct report *r, const pto_set_op *op) {
    const struct spelling w = spelling_of_set(op);
    char text[SPELLING_TEXT];
    spelling_join(text, "set", &w, NULL);
    want_set(s, r, text, set_verdict(r, op), op);
}

void check_text_legality(const struct subject *s, struct report *r) {
    report_call(r, "parse_setp", NULL);
    if (legal_table_setp_count() != LEGAL_SETP_FORMS || legal_table_set_count() != LEGAL_SET_FORMS)
        report_mismatch(r, "the table has %zu and %zu forms", legal_table_setp_count(),
                        legal_table_set_count());
    each_setp(s, r, parse_one_setp);
    r->now.call = "parse_set";
    each_set(s, r, parse_one_set);
}

/* ---- legal forms in every order ---- */

static void permute_setp(const struct subject *s, struct report *r, const pto_setp_op *op) {
    const struct spelling w = spelling_of_setp(op);
    size_t order[SPELLING_WORDS] = {0, 1, 2, 3, 4};
    char text[SPELLING_TEXT];
    if (model_setp_status(*op) != PTO_OK) return;
    do {
        spelling_join(text, "setp", &w, order);
        want_setp(s, r, text, PTO_OK, op);
    } while (spelling_next_order(&w, order));
}

static void permute_words(const struct subject *s, struct report *r, const struct spelling *w,
                          const pto_set_op *op) {
    size_t order[SPELLING_WORDS] = {0, 1, 2, 3, 4};
    char text[SPELLING_TEXT];
    do {
        spelling_join(text, "set", w, order);
        want_set(s, r, text, PTO_OK, op);
    } while (spelling_next_order(w, order));
}

/** Parses a legal form of set in every order of its words. A form on packed integers is also parsed with an additional
 * .pred in every position, because NVIDIA's assembler ignores that word. */
static void permute_set(const struct subject *s, struct report *r, const pto_set_op *op) {
    struct spelling w = spelling_of_set(op);
    if (model_set_status(*op) != PTO_OK) return;
    permute_words(s, r, &w, op);
    if (!model_is_packed(op->stype)) return;
    w.word[w.count++] = "pred";
    w.first_type = w.count;
    permute_words(s, r, &w, op);
}

void check_text_legal(const struct subject *s, struct report *r) {
    report_call(r, "parse_setp", "orders of modifiers");
    each_setp(s, r, permute_setp);
    r->now.call = "parse_set";
    each_set(s, r, permute_set);
}

/* ---- format ---- */

/** Checks a formatted text, which must have PTX's order. A buffer that is too small must be unchanged. */
static void want_text(struct report *r, const char *want, pto_status want_status, pto_status status,
                      const char *buf, size_t size) {
    const size_t length = strlen(want);
    r->cases++;
    if (want_status == PTO_OK && size <= length) want_status = PTO_ERR_SIZE;
    if (status != want_status)
        report_mismatch(r, "\"%s\", size %zu: expected %s, got %s", want, size, status_name(want_status),
                        status_name(status));
    if (want_status == PTO_OK && strcmp(buf, want) != 0) report_mismatch(r, "\"%s\", not \"%s\"", buf, want);
    for (size_t i = want_status == PTO_OK ? length + 1 : 0; i < SPELLING_TEXT; i++) {
        if (buf[i] != '#') report_mismatch(r, "\"%s\", size %zu: byte %zu was written", want, size, i);
    }
}

static void format_one_setp(const struct subject *s, struct report *r, const pto_setp_op *op) {
    const struct spelling w = spelling_of_setp(op);
    const pto_status verdict = model_setp_status(*op);
    char want[SPELLING_TEXT], buf[SPELLING_TEXT];
    spelling_join(want, "setp", &w, NULL);
    for (size_t size = 0; size <= 48; size += verdict == PTO_OK ? 1 : 48) {
        memset(buf, '#', sizeof buf);
        want_text(r, want, verdict, s->format_setp(*op, buf, size), buf, size);
    }
    if (verdict == PTO_OK) want_setp(s, r, buf, PTO_OK, op);
}

static void format_one_set(const struct subject *s, struct report *r, const pto_set_op *op) {
    const struct spelling w = spelling_of_set(op);
    const pto_status verdict = model_set_status(*op);
    char want[SPELLING_TEXT], buf[SPELLING_TEXT];
    spelling_join(want, "set", &w, NULL);
    for (size_t size = 0; size <= 48; size += verdict == PTO_OK ? 1 : 48) {
        memset(buf, '#', sizeof buf);
        want_text(r, want, verdict, s->format_set(*op, buf, size), buf, size);
    }
    if (verdict == PTO_OK) want_set(s, r, buf, PTO_OK, op);
}

/** Checks ops with not_c. It does not appear in the text. It is an error without a BoolOp, and so for packed types,
 * which have no BoolOp. */
static void format_not_c(const struct subject *s, struct report *r) {
    const pto_setp_op setp = {PTO_F32, PTO_LT, PTO_AND, true, false}, bare = {.type = PTO_S16, .not_c = true};
    const pto_set_op set = {PTO_U32, PTO_F32, PTO_LT, PTO_XOR, true, false};
    const pto_dtype packed[] = {PTO_U8X4, PTO_S8X4, PTO_U16X2, PTO_S16X2};
    pto_set_op lone = {PTO_U32, PTO_S32, PTO_GE, PTO_BOOL_NONE, true, false};
    char buf[SPELLING_TEXT];
    memset(buf, '#', sizeof buf);
    want_text(r, "", PTO_ERR_MODIFIER, s->format_setp(bare, buf, 48), buf, 48);
    want_text(r, "", PTO_ERR_MODIFIER, s->format_set(lone, buf, 48), buf, 48);
    for (size_t i = 0; i < sizeof packed / sizeof packed[0]; i++) {
        lone.dtype = lone.stype = packed[i];
        want_text(r, "", PTO_ERR_MODIFIER, s->format_set(lone, buf, 48), buf, 48);
    }
    want_text(r, "setp.lt.and.f32", PTO_OK, s->format_setp(setp, buf, 48), buf, 48);
    memset(buf, '#', sizeof buf);
    want_text(r, "set.lt.xor.u32.f32", PTO_OK, s->format_set(set, buf, 48), buf, 48);
    memset(buf, '#', sizeof buf);
}

/** Formats ops with invalid enumerators, and formats to NULL. */
static void format_nonsense(const struct subject *s, struct report *r) {
    static const int wrong[] = {-1, MODEL_DTYPES, 255, 1000, INT32_MIN, INT32_MAX};
    const pto_setp_op good = {PTO_F32, PTO_LT, PTO_AND, false, false};
    const pto_set_op good_set = {PTO_U32, PTO_F32, PTO_LT, PTO_AND, false, false};
    char buf[SPELLING_TEXT];

    memset(buf, '#', sizeof buf);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        pto_setp_op op = good;
        pto_set_op set = good_set;
        op.type = set.stype = (pto_dtype)wrong[i];
        want_text(r, "", PTO_ERR_TYPE, s->format_setp(op, buf, 48), buf, 48);
        want_text(r, "", PTO_ERR_TYPE, s->format_set(set, buf, 48), buf, 48);
        op = good;
        set = good_set;
        set.dtype = (pto_dtype)wrong[i];
        want_text(r, "", PTO_ERR_TYPE, s->format_set(set, buf, 48), buf, 48);
        set = good_set;
        op.cmp = set.cmp = (pto_cmp)wrong[i];
        want_text(r, "", PTO_ERR_OP, s->format_setp(op, buf, 48), buf, 48);
        want_text(r, "", PTO_ERR_OP, s->format_set(set, buf, 48), buf, 48);
        op = good;
        set = good_set;
        op.boolop = set.boolop = (pto_boolop)wrong[i];
        want_text(r, "", PTO_ERR_MODIFIER, s->format_setp(op, buf, 48), buf, 48);
        want_text(r, "", PTO_ERR_MODIFIER, s->format_set(set, buf, 48), buf, 48);
    }
    format_not_c(s, r);
    want_text(r, "", PTO_ERR_NULL, s->format_setp(good, NULL, 48), buf, 48);
    want_text(r, "", PTO_ERR_NULL, s->format_set(good_set, NULL, 48), buf, 48);
}

void check_text_format(const struct subject *s, struct report *r) {
    report_call(r, "format_setp", NULL);
    each_setp(s, r, format_one_setp);
    r->now.call = "format_set";
    each_set(s, r, format_one_set);
    r->now.call = "format";
    format_nonsense(s, r);
}
