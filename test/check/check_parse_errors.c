/* SPDX-License-Identifier: MIT */
/* Checks the position and the text of the errors that parsers report. */
#include "check/checks.h"
#include "model/model_ptx.h"
#include "support/cvt_forms.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum parser { SETP, SET, CVT, DTYPE, CMP, PATTERN, SETCC };

static const pto_parse_error untouched = {99, "untouched"};

static pto_status parse(const struct subject *s, enum parser parser, const char *text,
                        pto_parse_error *error) {
    pto_setp_op setp;
    pto_set_op set;
    pto_cvt_op cvt;
    pto_dtype type;
    pto_cmp cmp;
    pto_pattern pattern;
    pto_cc cc;
    switch (parser) {
    case SETP: return s->parse_setp(text, &setp, error);
    case SET: return s->parse_set(text, &set, error);
    case CVT: return s->parse_cvt(text, &cvt, error);
    case DTYPE: return s->parse_dtype(text, &type, error);
    case CMP: return s->parse_cmp(text, &cmp, error);
    case PATTERN: return s->parse_pattern(text, &pattern, error);
    default: return s->parse_setcc(text, &cc, error);
    }
}

/** Parses `text` with and without an error pointer. Checks that the status is the same, that error->at lies in the
 * text, and that error->text is one line. */
static pto_status parse_with_and_without_error(const struct subject *s, struct report *r, enum parser parser,
                                               const char *text, pto_parse_error *error) {
    const pto_status status = parse(s, parser, text, NULL);
    const char *end;
    *error = untouched;
    r->cases++;
    r->now.detail = text;
    if (parse(s, parser, text, error) != status)
        report_mismatch(r, "the status depends on the error's pointer");
    end = memchr(error->text, 0, sizeof error->text);
    if (!end || strchr(error->text, '\n') || error->at > strlen(text)) {
        report_mismatch(r, "at %zu, or not one line", error->at);
        *error = untouched;
    } else if (status == PTO_OK ? error->at != strlen(text) || *error->text != 0 : *error->text == 0) {
        report_mismatch(r, "%s, at %zu: \"%s\"", status_name(status), error->at, error->text);
    }
    return status;
}

static void expect_error_at(const struct subject *s, struct report *r, enum parser parser, const char *text,
                            pto_status want, size_t at, const char *words) {
    pto_parse_error error;
    const pto_status status = parse_with_and_without_error(s, r, parser, text, &error);
    if (status != want || error.at != at || !strstr(error.text, words))
        report_mismatch(r, "%s at %zu, not %s at %zu: \"%s\", not \"%s\"", status_name(status), error.at,
                        status_name(want), at, error.text, words);
}

/* ---- each kind of error ---- */

struct error_case {
    enum parser parser;
    pto_status status;
    size_t at;
    const char *text;
    const char *words; /* part of the expected error text */
};

static const struct error_case error_cases[] = {
    /* the opcode */
    {SETP, PTO_ERR_PARSE, 0, "", "\"setp\""},
    {SET, PTO_ERR_PARSE, 0, "setp.lt.f32", "\"set\""},
    {CVT, PTO_ERR_PARSE, 0, "cvta.to.global.u64", "\"cvt\""},
    {CVT, PTO_ERR_PARSE, 0, "CVT.rn.f16.f32", "\"cvt\": upper and lower case"},
    {CVT, PTO_ERR_PARSE, 0, "@p cvt.rn.f16.f32", "guard"},
    {SETP, PTO_ERR_PARSE, 0, "@!q setp.lt.f32", "guard"},
    {SETP, PTO_ERR_PARSE, 0, " setp.lt.f32", "no blank before"},
    {SETP, PTO_ERR_PARSE, 4, "setp .lt.f32", "end"},
    /* after the opcode */
    {SETP, PTO_ERR_PARSE, 11, "setp.lt.f32 p|q, a, b", "operand"},
    {SETP, PTO_ERR_PARSE, 11, "setp.lt.f32 ", "blank"},
    {CVT, PTO_ERR_PARSE, 14, "cvt.rn.f16.f32;", "';'"},
    {CVT, PTO_ERR_PARSE, 14, "cvt.rn.f16.f32\n", "end"},
    {CVT, PTO_ERR_PARSE, 14, "cvt.rn.f16.f32, h", "end"},
    {DTYPE, PTO_ERR_PARSE, 3, "f32 ", "end"},
    {CMP, PTO_ERR_PARSE, 2, "lt;", "end"},
    {SETCC, PTO_ERR_PARSE, 4, "seta al", "end"},
    /* dots */
    {CVT, PTO_ERR_PARSE, 4, "cvt..rn.f16.f32", "two dots"},
    {CVT, PTO_ERR_PARSE, 15, "cvt.rn.f16.f32.", "two dots"},
    {SETP, PTO_ERR_PARSE, 8, "setp.lt..f32", "two dots"},
    /* words */
    {CVT, PTO_ERR_PARSE, 4, "cvt.RN.f16.f32", "\"rn\": upper and lower case"},
    {CVT, PTO_ERR_PARSE, 7, "cvt.rn.F16.f32", "\"f16\""},
    {CVT, PTO_ERR_PARSE, 7, "cvt.rn.satfinit.e4m3x2.f32", "perhaps \"satfinite\""},
    {CVT, PTO_ERR_PARSE, 7, "cvt.rn.foo.f16.f32",
     "a rounding, ftz, relu, satfinite, sat, pzo, a scale or a type"},
    {CVT, PTO_ERR_PARSE, 11, "cvt.rn.f16.f33", "\"f32\""},
    {SETP, PTO_ERR_PARSE, 5, "setp.LT.f32", "\"lt\""},
    {SETP, PTO_ERR_PARSE, 8, "setp.lt.xro.f32", "an operator, a BoolOp, ftz or a type"},
    {SETP, PTO_ERR_PARSE, 8, "setp.lt.xorr.f32", "perhaps \"xor\""},
    {SETP, PTO_ERR_PARSE, 8, "setp.lt.!and.f32", "perhaps \"and\""},
    {SETP, PTO_ERR_PARSE, 13, "setp.lt.u8x4.pred", "an operator, a BoolOp, ftz or a type"},
    {SET, PTO_ERR_PARSE, 11, "set.lt.u32.pred", "only packed types"},
    {SET, PTO_ERR_PARSE, 7, "set.lt.U8X4", "\"u8x4\": upper and lower case"},
    {CVT, PTO_ERR_PARSE, 7, "cvt.rn.u8x4.f32", "expected a rounding"},
    {DTYPE, PTO_ERR_PARSE, 0, "F32", "\"f32\""},
    {DTYPE, PTO_ERR_PARSE, 0, "float", "a type such as"},
    {CMP, PTO_ERR_PARSE, 0, "GEU", "\"geu\""},
    {CMP, PTO_ERR_PARSE, 0, "==", "an operator such as"},
    {PATTERN, PTO_ERR_PARSE, 0, "pat_vl16", "\"PAT_VL16\""},
    {PATTERN, PTO_ERR_PARSE, 0, "VL16", "a pattern such as"},
    {SETCC, PTO_ERR_PARSE, 0, "setnbx", "perhaps \"setnb\""},
    {SETCC, PTO_ERR_PARSE, 0, "jne", "a SETcc mnemonic"},
    /* duplicates */
    {SETP, PTO_ERR_PARSE, 8, "setp.lt.gt.f32", "second operator"},
    {SETP, PTO_ERR_PARSE, 16, "setp.lt.and.f32.or", "second BoolOp"},
    {SETP, PTO_ERR_PARSE, 16, "setp.ftz.lt.f32.ftz", "second .ftz"},
    {SETP, PTO_ERR_PARSE, 12, "setp.lt.u32.f32", "second type"},
    {SET, PTO_ERR_PARSE, 15, "set.lt.u32.f32.f32", "third type"},
    {SET, PTO_ERR_PARSE, 12, "set.lt.u8x4.u8x4", "a packed type is the only one"},
    {SET, PTO_ERR_PARSE, 17, "set.lt.pred.u8x4.pred", "second .pred"},
    {CVT, PTO_ERR_PARSE, 15, "cvt.rn.f16.f32.rz", "second rounding"},
    {CVT, PTO_ERR_PARSE, 15, "cvt.rn.sat.f16.sat.f32", "once"},
    {CVT, PTO_ERR_PARSE, 15, "cvt.rn.f16.f32.f64", "third type"},
    /* missing */
    {SETP, PTO_ERR_PARSE, 4, "setp", "an operator"},
    {SETP, PTO_ERR_PARSE, 8, "setp.f32", "an operator"},
    {SETP, PTO_ERR_PARSE, 7, "setp.lt", "a type"},
    {SET, PTO_ERR_PARSE, 10, "set.lt.u32", "second type"},
    {SET, PTO_ERR_PARSE, 11, "set.lt.pred", "a type"},
    {SET, PTO_ERR_PARSE, 9, "set.u16x2", "an operator"},
    {CVT, PTO_ERR_PARSE, 6, "cvt.rn", "two types"},
    {CVT, PTO_ERR_PARSE, 10, "cvt.rn.f16", "second type"},
    /* types */
    {SETP, PTO_ERR_TYPE, 8, "setp.lt.u8", "setp compares no u8"},
    {SET, PTO_ERR_TYPE, 11, "set.lt.u32.e4m3", "set compares no e4m3"},
    {SET, PTO_ERR_TYPE, 7, "set.lt.u8.f32", "legal: u32 s32"},
    {SET, PTO_ERR_TYPE, 7, "set.lt.f32.f16", "f16 is not compared into f32"},
    {SETP, PTO_ERR_TYPE, 8, "setp.lt.u8x4", "setp compares no u8x4"},
    {SET, PTO_ERR_TYPE, 11, "set.lt.u32.u8", "u8x4 s8x4 u16x2 s16x2"},
    {SET, PTO_ERR_TYPE, 7, "set.lt.u32.u8x4", "u8x4 is not compared into u32; legal: u8x4"},
    {SET, PTO_ERR_TYPE, 7, "set.lt.u8x4.u32", "u32 is not compared into u8x4; legal: u32 s32"},
    {SET, PTO_ERR_TYPE, 7, "set.lt.s8x4.u8x4.pred", "u8x4 is not compared into s8x4"},
    {CVT, PTO_ERR_TYPE, 7, "cvt.rn.b16.f32", "b16 is not a destination"},
    {CVT, PTO_ERR_TYPE, 7, "cvt.u8.tf32", "tf32 is not a source"},
    {CVT, PTO_ERR_TYPE, 12, "cvt.rn.tf32.f16", "legal: tf32 <- f32"},
    {CVT, PTO_ERR_TYPE, 7, "cvt.rn.f16.e4m3", "f16x2 <- e4m3x2"},
    {CVT, PTO_ERR_TYPE, 17, "cvt.rn.satfinite.e4m3.f32", "e4m3x2 <- f32, e4m3x4 <- f32"},
    {CVT, PTO_ERR_TYPE, 4, "cvt.f32.e4m3x2", "two instructions"},
    /* operators and modifiers */
    {SETP, PTO_ERR_OP, 9, "setp.and.ltu.s32", "s32 has no .ltu"},
    {SET, PTO_ERR_OP, 4, "set.lo.u32.f32", "f32 has no .lo"},
    {SET, PTO_ERR_OP, 4, "set.lo.s8x4.pred", "s8x4 has no .lo; legal: .eq .ne .lt .le .gt .ge"},
    {SETP, PTO_ERR_MODIFIER, 8, "setp.lt.ftz.bf16", "bf16 takes no .ftz"},
    {SET, PTO_ERR_MODIFIER, 7, "set.lt.and.u16x2.ftz", "set of u16x2 takes no BoolOp"},
    {SET, PTO_ERR_MODIFIER, 13, "set.lt.s16x2.ftz", "no .ftz; legal: none"},
    {SET, PTO_ERR_MODIFIER, 7, "set.lt.rn.u8x4", "other instructions"},
    {SET, PTO_ERR_MODIFIER, 16, "set.lt.bf16.f16.ftz", "takes no .ftz"},
    {SETP, PTO_ERR_MODIFIER, 8, "setp.lt.rn.f32.sat", "other instructions"},
    {CVT, PTO_ERR_MODIFIER, 4, "cvt.f16.f32", "needs a rounding"},
    {CVT, PTO_ERR_MODIFIER, 8, "cvt.f32.rn.f16", "takes no rounding"},
    {CVT, PTO_ERR_MODIFIER, 4, "cvt.rs.f16.f32", "does not take .rs"},
    {CVT, PTO_ERR_MODIFIER, 7, "cvt.rn.e4m3x2.f32", "needs .satfinite; legal: .rn[.relu].satfinite"},
    {CVT, PTO_ERR_MODIFIER, 4, "cvt.sat.s32.s16", "takes no .sat"},
    {CVT, PTO_ERR_MODIFIER, 15, "cvt.rm.f16.f32.relu", "with .rm takes no .relu"},
    {CVT, PTO_ERR_MODIFIER, 11, "cvt.rn.ftz.relu.f16.f32", "takes no .relu with .ftz"},
};

void check_parse_errors(const struct subject *s, struct report *r) {
    pto_parse_error error = untouched;
    pto_cvt_op op;
    report_call(r, "places", NULL);
    for (size_t i = 0; i < sizeof error_cases / sizeof error_cases[0] && !report_stop(r); i++) {
        const struct error_case *m = &error_cases[i];
        expect_error_at(s, r, m->parser, m->text, m->status, m->at, m->words);
    }
    r->cases += 2;
    if (s->parse_cvt(NULL, &op, &error) != PTO_ERR_NULL || s->parse_cvt("", NULL, &error) != PTO_ERR_NULL ||
        memcmp(&error, &untouched, sizeof error) != 0)
        report_mismatch(r, "NULL: the error was written");
}

/* ---- every form, with an error at every position ---- */

enum { WORD = 24, LONGEST = 256 };

/** Copies the text to `out`, with `length` bytes from `at` on replaced by `by`. */
static void replace(char out[LONGEST], const char *text, size_t at, size_t length, const char *by) {
    size_t used = 0;
    for (size_t i = 0; i < at; i++) {
        out[used++] = text[i];
    }
    for (; *by; by++) {
        out[used++] = *by;
    }
    for (text += at + length; *text; text++) {
        out[used++] = *text;
    }
    out[used] = 0;
}

static void break_word(const struct subject *s, struct report *r, enum parser parser, const char *text,
                       size_t at, size_t length) {
    char word[WORD], other[LONGEST], broken[LONGEST];
    pto_parse_error error;
    memcpy(word, text + at, length);
    word[length] = 0;
    replace(broken, text, at, length, "zzzz");
    expect_error_at(s, r, parser, broken, PTO_ERR_PARSE, at, "expected ");

    for (size_t i = 0; i <= length; i++) {
        other[i] = (char)toupper((unsigned char)word[i]);
    }
    replace(broken, text, at, length, other);
    if (!strchr(word, 'x')) { /* the parser makes no suggestion for F16X2 */
        snprintf(other, sizeof other, "expected \"%s\"", word);
        expect_error_at(s, r, parser, broken, PTO_ERR_PARSE, at, other);
    }
    if (at != 0) { /* a third type, or a second modifier of one kind, is superfluous */
        snprintf(other, sizeof other, "%s.%s", text, word);
        expect_error_at(s, r, parser, other, PTO_ERR_PARSE, strlen(text) + 1, "");
    }
    replace(broken, text, at, length, "");
    (void)parse_with_and_without_error(s, r, parser, broken, &error);
    replace(broken, text, at + length, strlen(text + at + length), ";");
    expect_error_at(s, r, parser, broken, PTO_ERR_PARSE, at + length, "end");
}

static void break_form(const struct subject *s, struct report *r, enum parser parser, const char *text) {
    pto_parse_error error;
    if (parse_with_and_without_error(s, r, parser, text, &error) != PTO_OK)
        report_mismatch(r, "a form is not taken");
    for (size_t at = 0; at <= strlen(text);) {
        const size_t length = strcspn(text + at, ".");
        break_word(s, r, parser, text, at, length);
        at += length + 1;
    }
}

void check_parse_errors_in_forms(const struct subject *s, struct report *r) {
    const size_t step = r->quick ? 11 : 1;
    char text[48];
    report_call(r, "places in forms", NULL);
    for (size_t i = 0; i < cvt_forms_count && !report_stop(r); i += step) {
        break_form(s, r, CVT, cvt_forms[i].text);
    }
    for (size_t i = 0; i < s->setp_form_count() && !report_stop(r); i += step) {
        pto_setp_op op;
        if (s->setp_form(i, &op) != PTO_OK || s->format_setp(op, text, sizeof text) != PTO_OK)
            report_mismatch(r, "form %zu of setp", i);
        else
            break_form(s, r, SETP, text);
    }
    for (size_t i = 0; i < s->set_form_count() && !report_stop(r); i += step) {
        pto_set_op op;
        if (s->set_form(i, &op) != PTO_OK || s->format_set(op, text, sizeof text) != PTO_OK)
            report_mismatch(r, "form %zu of set", i);
        else
            break_form(s, r, SET, text);
    }
}
