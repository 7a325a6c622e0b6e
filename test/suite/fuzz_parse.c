/* SPDX-License-Identifier: MIT */
/* Fuzz target for libFuzzer: the text parsers and formatters. A text that parses must format, and parse again to
 * the same op. An op that formats must parse. */
#include "model/model_cvt.h"

#include <stdlib.h>
#include <string.h>

enum { BUFFER_SIZE = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds) abort();
}

static bool same_setp(pto_setp_op x, pto_setp_op y) {
    return x.type == y.type && x.cmp == y.cmp && x.boolop == y.boolop && x.ftz == y.ftz && !x.not_c &&
           !y.not_c;
}

static bool same_set(pto_set_op x, pto_set_op y) {
    return x.dtype == y.dtype && x.stype == y.stype && x.cmp == y.cmp && x.boolop == y.boolop &&
           x.ftz == y.ftz && !x.not_c && !y.not_c;
}

/** buf has exactly `size` bytes, so that a sanitizer detects a write past its end. */
static void setp_round_trip(pto_setp_op op, size_t size) {
    char *buf = malloc(size ? size : 1);
    pto_setp_op again;
    require(buf != NULL);
    if (pto_format_setp(op, buf, size) == PTO_OK) {
        op.not_c = false;
        require(strlen(buf) < size && pto_parse_setp(buf, &again, NULL) == PTO_OK && same_setp(op, again));
    }
    free(buf);
}

static void set_round_trip(pto_set_op op, size_t size) {
    char *buf = malloc(size ? size : 1);
    pto_set_op again;
    require(buf != NULL);
    if (pto_format_set(op, buf, size) == PTO_OK) {
        op.not_c = false;
        require(strlen(buf) < size && pto_parse_set(buf, &again, NULL) == PTO_OK && same_set(op, again));
    }
    free(buf);
}

/** Explains any op, valid or not, into a buffer that is always large enough and into one of `size` bytes. */
static void explain_cvt(pto_cvt_op op, size_t size) {
    char text[PTO_EXPLAIN_SIZE], *buf = malloc(size ? size : 1);
    require(buf != NULL && pto_cvt_explain(op, text, sizeof text) == PTO_OK && text[0] != 0);
    require((pto_cvt_explain(op, buf, size) == PTO_OK) == (strlen(text) < size));
    free(buf);
}

static void explain_set(pto_set_op op) {
    const pto_setp_op setp = {op.stype, op.cmp, op.boolop, op.not_c, op.ftz};
    char text[PTO_EXPLAIN_SIZE];
    require(pto_set_explain(op, text, sizeof text) == PTO_OK && text[0] != 0);
    require(pto_setp_explain(setp, text, sizeof text) == PTO_OK && text[0] != 0);
}

static void cvt_round_trip(pto_cvt_op op, size_t size) {
    char *buf = malloc(size ? size : 1);
    pto_cvt_op again;
    require(buf != NULL);
    if (pto_format_cvt(op, buf, size) == PTO_OK)
        require(strlen(buf) < size && pto_parse_cvt(buf, &again, NULL) == PTO_OK &&
                model_same_cvt(&op, &again));
    free(buf);
}

/** Checks that the error's position and text fit the status. Returns the status. */
static pto_status check_error(pto_status status, const pto_parse_error *error, const char *text) {
    const size_t length = strlen(text);
    require(error->at <= length && memchr(error->text, 0, sizeof error->text) != NULL);
    require(strchr(error->text, '\n') == NULL && (error->text[0] == 0) == (status == PTO_OK));
    require(status != PTO_OK || error->at == length);
    return status;
}

static void parse_text(const char *text) {
    pto_parse_error error;
    char buf[BUFFER_SIZE];
    pto_setp_op setp;
    pto_set_op set;
    pto_cvt_op cvt;
    pto_dtype type;
    pto_cmp cmp;
    pto_cc cc;
    pto_pattern pattern;

    if (check_error(pto_parse_setp(text, &setp, &error), &error, text) == PTO_OK) {
        require(pto_format_setp(setp, buf, sizeof buf) == PTO_OK);
        setp_round_trip(setp, sizeof buf);
    }
    if (check_error(pto_parse_set(text, &set, &error), &error, text) == PTO_OK) {
        require(pto_format_set(set, buf, sizeof buf) == PTO_OK);
        set_round_trip(set, sizeof buf);
    }
    if (check_error(pto_parse_cvt(text, &cvt, &error), &error, text) == PTO_OK) {
        require(pto_format_cvt(cvt, buf, sizeof buf) == PTO_OK);
        cvt_round_trip(cvt, sizeof buf);
    }
    if (check_error(pto_parse_dtype(text, &type, &error), &error, text) == PTO_OK)
        require(strcmp(text, pto_dtype_name(type)) == 0);
    if (check_error(pto_parse_cmp(text, &cmp, &error), &error, text) == PTO_OK)
        require((unsigned)cmp <= PTO_NAN);
    if (check_error(pto_parse_setcc(text, &cc, &error), &error, text) == PTO_OK)
        require((unsigned)cc <= PTO_CC_G);
    if (check_error(pto_parse_pattern(text, &pattern, &error), &error, text) == PTO_OK)
        require((unsigned)pattern <= PTO_PAT_VL128);
}

/** Returns a field of an op: mostly an enumerator or one past the last, sometimes any int. */
static int field(const uint8_t *data, size_t size, size_t at, int members) {
    int value;
    if (at >= size) return 0;
    if (data[at] < 224) return data[at] % (members + 1);
    if (at + sizeof value > size) return -1;
    memcpy(&value, data + at, sizeof value);
    return value;
}

static void format_ops(const uint8_t *data, size_t size) {
    pto_setp_op setp;
    pto_set_op set;
    pto_cvt_op cvt = {.round = PTO_ROUND_NONE};
    setp.type = set.dtype = (pto_dtype)field(data, size, 0, MODEL_DTYPES);
    set.stype = (pto_dtype)field(data, size, 1, MODEL_DTYPES);
    setp.cmp = set.cmp = (pto_cmp)field(data, size, 2, PTO_NAN + 1);
    setp.boolop = set.boolop = (pto_boolop)field(data, size, 3, PTO_XOR + 1);
    setp.ftz = set.ftz = size > 4 && data[4] & 1;
    setp.not_c = set.not_c = size > 4 && data[4] & 2;
    setp_round_trip(setp, size > 5 ? data[5] % (BUFFER_SIZE + 1) : BUFFER_SIZE);
    set_round_trip(set, size > 5 ? data[5] % (BUFFER_SIZE + 1) : BUFFER_SIZE);
    if (size > 3) cvt = model_cvt_with(data[3] % MODEL_FLAG_SETS);
    cvt.dst = set.dtype;
    cvt.src = set.stype;
    cvt.round = (pto_round)field(data, size, 2, PTO_RPI + 1);
    cvt_round_trip(cvt, size > 5 ? data[5] % (BUFFER_SIZE + 1) : BUFFER_SIZE);
    explain_cvt(cvt, size > 5 ? data[5] : BUFFER_SIZE);
    explain_set(set);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    require(text != NULL);
    if (size != 0) memcpy(text, data, size);
    text[size] = 0;
    parse_text(text);
    format_ops(data, size);
    free(text);
    return 0;
}
