/* SPDX-License-Identifier: MIT */
#include "pto/parse.h"

#include <stdio.h>

#include "ptx/cvt_forms.h"
#include "core/types.h"
#include "ptx/setp_forms.h"
#include "pto/setcc.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- words ---- */

/* A word of the text: not terminated. */
struct word {
    const char *at;
    size_t length;
};

static bool word_is(struct word w, const char *name) {
    return strlen(name) == w.length && memcmp(name, w.at, w.length) == 0;
}

static struct word whole(const char *text) {
    struct word w = {text, strlen(text)};
    return w;
}

/* The words between dots, from *text on, which moves behind the one returned and is NULL after the last. */
static struct word next_word(const char **text) {
    struct word w = {*text, strcspn(*text, ".")};
    *text = w.at[w.length] == '.' ? w.at + w.length + 1 : NULL;
    return w;
}

/* ---- vocabularies: index = enumerator ---- */

static const char *const cmp_names[] = {"eq", "ne",  "lt",  "le",  "gt",  "ge",  "lo",  "ls",  "hi",
                                        "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};

static const char *const bool_names[] = {"", "and", "or", "xor"};

static const char *const round_names[] = {"",   "rn",  "rna", "rz",  "rm", "rp",
                                          "rs", "rni", "rzi", "rmi", "rpi"};

/* Modifiers of other instructions: words of PTX, but not in setp and set; neither are roundings. */
static const char *const foreign_modifiers[] = {"satfinite", "relu", "sat"};

static const char *const pattern_names[] = {"PAT_ALL", "PAT_ALLF", "PAT_H",    "PAT_Q",    "PAT_M3",
                                            "PAT_M4",  "PAT_VL1",  "PAT_VL2",  "PAT_VL3",  "PAT_VL4",
                                            "PAT_VL8", "PAT_VL16", "PAT_VL32", "PAT_VL64", "PAT_VL128"};

_Static_assert(COUNT(cmp_names) == PTO_NAN + 1, "an operator without a name");
_Static_assert(COUNT(round_names) == PTO_RPI + 1, "a rounding without a name");
_Static_assert(COUNT(bool_names) == PTO_XOR + 1, "a BoolOp without a name");
_Static_assert(COUNT(pattern_names) == PTO_PAT_VL128 + 1, "a pattern without a name");

/* The index of a name, or -1. An empty word is no name. */
static int find(struct word w, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; ++i)
        if (w.length != 0 && word_is(w, names[i])) return (int)i;
    return -1;
}

static int find_dtype(struct word w) {
    for (int t = 0; dtype_info((pto_dtype)t) != NULL; ++t)
        if (word_is(w, pto_dtype_name((pto_dtype)t))) return t;
    return -1;
}

pto_status pto_parse_dtype(const char *text, pto_dtype *type, pto_parse_error *error) {
    (void)error;
    int t;
    if (text == NULL || type == NULL) return PTO_ERR_NULL;
    t = find_dtype(whole(text));
    if (t < 0) return PTO_ERR_PARSE;
    *type = (pto_dtype)t;
    return PTO_OK;
}

pto_status pto_parse_cmp(const char *text, pto_cmp *cmp, pto_parse_error *error) {
    (void)error;
    int c;
    if (text == NULL || cmp == NULL) return PTO_ERR_NULL;
    c = find(whole(text), cmp_names, COUNT(cmp_names));
    if (c < 0) return PTO_ERR_PARSE;
    *cmp = (pto_cmp)c;
    return PTO_OK;
}

pto_status pto_parse_pattern(const char *text, pto_pattern *pattern, pto_parse_error *error) {
    (void)error;
    int p;
    if (text == NULL || pattern == NULL) return PTO_ERR_NULL;
    p = find(whole(text), pattern_names, COUNT(pattern_names));
    if (p < 0) return PTO_ERR_PARSE;
    *pattern = (pto_pattern)p;
    return PTO_OK;
}

/* ---- setp and set ---- */

/* What the words of a comparing instruction say; -1 for what is not said. */
struct said {
    int cmp, boolop, type[2];
    bool ftz, foreign;
};

/* Take one word up; false if it is no word of PTX, or says a thing twice. */
static bool take(struct said *s, struct word w, size_t types) {
    int found = find(w, cmp_names, COUNT(cmp_names));
    if (found >= 0) {
        if (s->cmp >= 0) return false;
        s->cmp = found;
        return true;
    }
    found = find(w, bool_names, COUNT(bool_names));
    if (found >= 0) {
        if (s->boolop >= 0) return false;
        s->boolop = found;
        return true;
    }
    found = find_dtype(w);
    if (found >= 0) {
        for (size_t i = 0; i < types; ++i)
            if (s->type[i] < 0) {
                s->type[i] = found;
                return true;
            }
        return false;
    }
    if (word_is(w, "ftz")) {
        if (s->ftz) return false;
        s->ftz = true;
        return true;
    }
    if (find(w, foreign_modifiers, COUNT(foreign_modifiers)) < 0 &&
        find(w, round_names, COUNT(round_names)) < 0)
        return false;
    s->foreign = true;
    return true;
}

static pto_status parse_instruction(const char *text, const char *name, size_t types, struct said *s) {
    const struct said nothing = {-1, -1, {-1, -1}, false, false};
    *s = nothing;
    if (!word_is(next_word(&text), name)) return PTO_ERR_PARSE;
    while (text != NULL)
        if (!take(s, next_word(&text), types)) return PTO_ERR_PARSE;
    return s->cmp < 0 || s->type[types - 1] < 0 ? PTO_ERR_PARSE : PTO_OK;
}

/* The first complaint in the documented order: the types and operator of the form come before a foreign
 * modifier. */
static pto_status verdict(pto_status legal, const struct said *s) {
    return legal == PTO_OK && s->foreign ? PTO_ERR_MODIFIER : legal;
}

pto_status pto_parse_setp(const char *text, pto_setp_op *op, pto_parse_error *error) {
    (void)error;
    struct said s;
    pto_setp_op parsed;
    pto_status status;
    if (text == NULL || op == NULL) return PTO_ERR_NULL;
    status = parse_instruction(text, "setp", 1, &s);
    if (status != PTO_OK) return status;
    parsed.type = (pto_dtype)s.type[0];
    parsed.cmp = (pto_cmp)s.cmp;
    parsed.boolop = s.boolop < 0 ? PTO_BOOL_NONE : (pto_boolop)s.boolop;
    parsed.not_c = false;
    parsed.ftz = s.ftz;
    status = verdict(pto_setp_legal(parsed), &s);
    if (status == PTO_OK) *op = parsed;
    return status;
}

pto_status pto_parse_set(const char *text, pto_set_op *op, pto_parse_error *error) {
    (void)error;
    struct said s;
    pto_set_op parsed;
    pto_status status;
    if (text == NULL || op == NULL) return PTO_ERR_NULL;
    status = parse_instruction(text, "set", 2, &s);
    if (status != PTO_OK) return status;
    parsed.dtype = (pto_dtype)s.type[0];
    parsed.stype = (pto_dtype)s.type[1];
    parsed.cmp = (pto_cmp)s.cmp;
    parsed.boolop = s.boolop < 0 ? PTO_BOOL_NONE : (pto_boolop)s.boolop;
    parsed.not_c = false;
    parsed.ftz = s.ftz;
    status = verdict(pto_set_legal(parsed), &s);
    if (status == PTO_OK) *op = parsed;
    return status;
}

static pto_status copy_text(const char *text, char *buf, size_t size) {
    size_t bytes = strlen(text) + 1;
    if (bytes > size) return PTO_ERR_SIZE;
    memcpy(buf, text, bytes);
    return PTO_OK;
}

/* Longer than any instruction with its modifiers and two types. */
enum { LONGEST = 48 };

pto_status pto_format_setp(pto_setp_op op, char *buf, size_t size) {
    char text[LONGEST];
    pto_status status = pto_setp_legal(op);
    if (buf == NULL) return PTO_ERR_NULL;
    if (status != PTO_OK) return status;
    (void)snprintf(text, sizeof text, "setp.%s%s%s%s.%s", cmp_names[op.cmp],
                   op.boolop != PTO_BOOL_NONE ? "." : "", bool_names[op.boolop], op.ftz ? ".ftz" : "",
                   pto_dtype_name(op.type));
    return copy_text(text, buf, size);
}

pto_status pto_format_set(pto_set_op op, char *buf, size_t size) {
    char text[LONGEST];
    pto_status status = pto_set_legal(op);
    if (buf == NULL) return PTO_ERR_NULL;
    if (status != PTO_OK) return status;
    (void)snprintf(text, sizeof text, "set.%s%s%s%s.%s.%s", cmp_names[op.cmp],
                   op.boolop != PTO_BOOL_NONE ? "." : "", bool_names[op.boolop], op.ftz ? ".ftz" : "",
                   pto_dtype_name(op.dtype), pto_dtype_name(op.stype));
    return copy_text(text, buf, size);
}

/* ---- cvt ---- */

/* The words of a cvt: the op, how its types are spelled, and how many of them there were. */
struct cvt_said {
    pto_cvt_op op;
    struct cvt_spelling spelling;
    int types;
};

/* "e4m3x2": a floating-point type, and how many of it. */
static int find_cvt_type(struct word w, u8 *lanes) {
    int type;
    *lanes = CVT_X1;
    if (w.length > 2 && w.at[w.length - 2] == 'x' &&
        (w.at[w.length - 1] == '2' || w.at[w.length - 1] == '4')) {
        *lanes = w.at[w.length - 1] == '2' ? CVT_X2 : CVT_X4;
        w.length -= 2;
    }
    type = find_dtype(w);
    if (type < 0 || *lanes == CVT_X1) return type;
    return dtype_info((pto_dtype)type)->class == CLASS_FLOAT && type < PTO_F16X2 ? type : -1;
}

/* Set a flag; false if it was set before. */
static bool take_flag(bool *flag) {
    bool first = !*flag;
    *flag = true;
    return first;
}

static bool take_cvt(struct cvt_said *s, struct word w) {
    u8 lanes;
    int found = find_cvt_type(w, &lanes);
    if (found >= 0) {
        if (s->types == 0) {
            s->op.dst = (pto_dtype)found;
            s->spelling.dst_lanes = lanes;
        } else {
            s->op.src = (pto_dtype)found;
            s->spelling.src_lanes = lanes;
        }
        return ++s->types <= 2;
    }
    found = find(w, round_names, COUNT(round_names));
    if (found >= 0) {
        if (s->op.round != PTO_ROUND_NONE) return false;
        s->op.round = (pto_round)found;
        return true;
    }
    if (word_is(w, "ftz")) return take_flag(&s->op.ftz);
    if (word_is(w, "sat")) return take_flag(&s->op.sat);
    if (word_is(w, "satfinite")) return take_flag(&s->op.satfinite);
    if (word_is(w, "relu")) return take_flag(&s->op.relu);
    return false;
}

pto_status pto_parse_cvt(const char *text, pto_cvt_op *op, pto_parse_error *error) {
    (void)error;
    struct cvt_said s;
    pto_status status;
    if (text == NULL || op == NULL) return PTO_ERR_NULL;
    memset(&s, 0, sizeof s);
    if (!word_is(next_word(&text), "cvt")) return PTO_ERR_PARSE;
    while (text != NULL)
        if (!take_cvt(&s, next_word(&text))) return PTO_ERR_PARSE;
    if (s.types != 2) return PTO_ERR_PARSE;
    status = pto_cvt_spelled(s.op, s.spelling);
    if (status == PTO_OK) *op = s.op;
    return status;
}

static const char *lanes_suffix(u8 lanes) {
    return lanes == CVT_X1 ? "" : lanes == CVT_X2 ? "x2" : "x4";
}

pto_status pto_format_cvt(pto_cvt_op op, char *buf, size_t size) {
    char text[LONGEST];
    struct cvt_spelling s;
    if (buf == NULL) return PTO_ERR_NULL;
    if (!pto_cvt_find_spelling(op, &s)) return pto_cvt_check(op);
    (void)snprintf(text, sizeof text, "cvt%s%s%s%s%s%s.%s%s.%s%s", op.round != PTO_ROUND_NONE ? "." : "",
                   round_names[op.round], op.ftz ? ".ftz" : "", op.relu ? ".relu" : "",
                   op.satfinite ? ".satfinite" : "", op.sat ? ".sat" : "", pto_dtype_name(op.dst),
                   lanes_suffix(s.dst_lanes), pto_dtype_name(op.src), lanes_suffix(s.src_lanes));
    return copy_text(text, buf, size);
}

/* ---- SETcc ---- */

/* The mnemonics of each condition. */
static const char *const cc_names[][3] = {
    [PTO_CC_O] = {"seto"},
    [PTO_CC_NO] = {"setno"},
    [PTO_CC_B] = {"setb", "setc", "setnae"},
    [PTO_CC_AE] = {"setae", "setnb", "setnc"},
    [PTO_CC_E] = {"sete", "setz"},
    [PTO_CC_NE] = {"setne", "setnz"},
    [PTO_CC_BE] = {"setbe", "setna"},
    [PTO_CC_A] = {"seta", "setnbe"},
    [PTO_CC_S] = {"sets"},
    [PTO_CC_NS] = {"setns"},
    [PTO_CC_P] = {"setp", "setpe"},
    [PTO_CC_NP] = {"setnp", "setpo"},
    [PTO_CC_L] = {"setl", "setnge"},
    [PTO_CC_GE] = {"setge", "setnl"},
    [PTO_CC_LE] = {"setle", "setng"},
    [PTO_CC_G] = {"setg", "setnle"},
};

/* Whether text is this name of lower-case letters in any case: the bit 0x20 tells the cases of ASCII letters
 * apart. */
static bool same_letters(const char *text, const char *name) {
    for (; *name != '\0'; ++name, ++text)
        if ((*text | 0x20) != *name) return false;
    return *text == '\0';
}

pto_status pto_parse_setcc(const char *mnemonic, pto_cc *cc, pto_parse_error *error) {
    (void)error;
    if (mnemonic == NULL || cc == NULL) return PTO_ERR_NULL;
    for (size_t i = 0; i < COUNT(cc_names); ++i)
        for (size_t j = 0; j < COUNT(cc_names[i]) && cc_names[i][j] != NULL; ++j)
            if (same_letters(mnemonic, cc_names[i][j])) {
                *cc = (pto_cc)i;
                return PTO_OK;
            }
    return PTO_ERR_PARSE;
}
