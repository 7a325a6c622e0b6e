/* SPDX-License-Identifier: MIT */
/* Parses instruction text, and reports where and why it is invalid. */
#include "pto/parse.h"

#include "core/types.h"
#include "pto/setcc.h"
#include "ptx/explain.h"
#include "ptx/setp_forms.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- words ---- */

/* A word of the text. It is not terminated by a 0. */
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

/* Returns the index of the name that equals w, or -1. An empty word equals no name. */
static int find(struct word w, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; ++i)
        if (w.length != 0 && word_is(w, names[i])) return (int)i;
    return -1;
}

static int find_dtype(struct word w) {
    for (int t = 0; t < DTYPE_COUNT; ++t)
        if (word_is(w, pto_dtype_name((pto_dtype)t))) return t;
    return -1;
}

/* Converts ASCII letters only, independent of the locale. */
static int lower_case(char c) {
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static bool same_letter(char x, char y) {
    return lower_case(x) == lower_case(y);
}

/* ---- errors ---- */

/* The state of a parser: the whole text, the rest that is still to be read (NULL at the end), and where to store
 * errors, or NULL if they are not to be stored. */
struct reader {
    const char *text, *rest;
    pto_parse_error *error;
};

static struct reader read_text(const char *text, pto_parse_error *error) {
    const struct reader r = {text, text, error};
    return r;
}

/* Returns the next word; words are separated by dots. */
static struct word next_word(struct reader *r) {
    struct word w = {r->rest, strcspn(r->rest, ".")};
    r->rest = w.at[w.length] == '.' ? w.at + w.length + 1 : NULL;
    return w;
}

/* Sets the position of the error to `at`. Returns a sink that writes the error's text. */
static struct sink start_error(const struct reader *r, const char *at) {
    r->error->at = (size_t)(at - r->text);
    return sink_into(r->error->text, sizeof r->error->text);
}

/* Reports that `what` was expected at position `at`. Returns PTO_ERR_PARSE. */
static pto_status expect(const struct reader *r, const char *at, const char *what) {
    struct sink s;
    if (r->error == NULL) return PTO_ERR_PARSE;
    s = start_error(r, at);
    pto_sink_add(&s, "%s", what);
    return PTO_ERR_PARSE;
}

static pto_status expect_at_end(const struct reader *r, const char *what) {
    return expect(r, r->text + strlen(r->text), what);
}

/* Reports success: the error's text is empty, and its position is the end of the text. Returns PTO_OK. */
static pto_status accept(const struct reader *r) {
    if (r->error == NULL) return PTO_OK;
    (void)start_error(r, r->text + strlen(r->text));
    return PTO_OK;
}

/* Returns word i of the words that an instruction may have, or NULL after the last one. They are used for
 * suggestions. */
typedef const char *vocabulary(size_t i);

static const char *dtype_word(size_t i) {
    return i < DTYPE_COUNT ? pto_dtype_name((pto_dtype)i) : NULL;
}

static const char *comparison_word(size_t i) {
    if (i < CMP_COUNT) return pto_cmp_words[i];
    i -= CMP_COUNT;
    if (i < BOOLOP_COUNT - 1) return pto_boolop_words[i + 1];
    i -= BOOLOP_COUNT - 1;
    return i == 0 ? "ftz" : dtype_word(i - 1);
}

static const char *cvt_word(size_t i) {
    if (i < CVT_ROUNDS - 1) return pto_round_words[i + 1];
    i -= CVT_ROUNDS - 1;
    if (i < CVT_MODIFIER_COUNT) return pto_flag_words[i];
    i -= CVT_MODIFIER_COUNT;
    return i < PTO_U8X4 ? dtype_word(i) : NULL; /* only set has the packed types */
}

/* Returns the length of the longest common prefix of x and y, ignoring case, but at most `most`. */
static size_t common_head(const char *x, const char *y, size_t most) {
    size_t n = 0;
    while (n < most && same_letter(x[n], y[n])) ++n;
    return n;
}

/* Returns the length of the longest common suffix, ignoring case, but at most `most`. The arguments point to the
 * ends. */
static size_t common_tail(const char *x_end, const char *y_end, size_t most) {
    size_t n = 0;
    while (n < most && same_letter(*--x_end, *--y_end)) ++n;
    return n;
}

/* Returns whether w equals the name, ignoring case, except for at most one letter that is wrong, added or missing. */
static bool differs_by_one_letter(struct word w, const char *name) {
    const size_t length = strlen(name), least = min_size(w.length, length);
    const size_t head = common_head(w.at, name, least);
    const size_t same = head + common_tail(w.at + w.length, name + length, least - head);
    return w.length - same <= 1 && length - same <= 1;
}

/* Returns whether w equals the name, ignoring case. */
static bool same_letters(struct word w, const char *name) {
    size_t i = 0;
    while (i < w.length && name[i] != 0 && same_letter(w.at[i], name[i])) ++i;
    return i == w.length && name[i] == 0;
}

/* Returns the word that was probably meant, or NULL. A word that differs only in case is preferred. */
static const char *suggestion(struct word w, vocabulary *words) {
    const char *name, *near = NULL;
    for (size_t i = 0; (name = words(i)) != NULL; ++i) {
        if (same_letters(w, name)) return name;
        if (near == NULL && w.length > 2 && differs_by_one_letter(w, name)) near = name;
    }
    return near;
}

/* Reports that word w is not legal here; `expected` names what is legal. Blanks, operands and guard predicates, which
 * surround an opcode in a program, get messages of their own. Returns PTO_ERR_PARSE. */
static pto_status refuse_word(const struct reader *r, struct word w, vocabulary *words,
                              const char *expected) {
    static const char operands[] = " \t\r\n;,";
    size_t head = 0;
    const char *meant;
    struct sink s;
    if (r->error == NULL) return PTO_ERR_PARSE;
    while (head < w.length && strchr(operands, w.at[head]) == NULL) ++head;
    if (w.length != 0 && w.at[0] == '@')
        return expect(r, w.at, "expected the opcode: a guard is not part of it");
    if (head == 0 && w.length != 0 && w.at == r->text)
        return expect(r, w.at, "expected the opcode: no blank before it");
    if (head < w.length)
        return expect(r, w.at + head, "expected the end: no blank, operand or ';' belongs to the opcode");
    if (w.length == 0 && w.at != r->text)
        return expect(r, w.at, "expected a word: there are two dots, or one at an end");
    meant = suggestion(w, words);
    s = start_error(r, w.at);
    if (meant != NULL && same_letters(w, meant))
        pto_sink_add(&s, "expected \"%s\": upper and lower case differ", meant);
    else if (meant == NULL || expected[0] == '"')
        pto_sink_add(&s, "expected %s", expected);
    else
        pto_sink_add(&s, "expected %s; perhaps \"%s\" is meant", expected, meant);
    return PTO_ERR_PARSE;
}

/* Reads the instruction's name, which must be `name`. */
static pto_status read_name(struct reader *r, vocabulary *names, const char *name) {
    const struct word w = next_word(r);
    char expected[32];
    struct sink s = sink_into(expected, sizeof expected);
    if (word_is(w, name)) return PTO_OK;
    pto_sink_add(&s, "\"%s\", the instruction", name);
    return refuse_word(r, w, names, expected);
}

static const char *only_setp(size_t i) {
    return i == 0 ? "setp" : NULL;
}

static const char *only_set(size_t i) {
    return i == 0 ? "set" : NULL;
}

static const char *only_cvt(size_t i) {
    return i == 0 ? "cvt" : NULL;
}

/* ---- texts of a single word ---- */

static const char *cmp_word(size_t i) {
    return i < CMP_COUNT ? pto_cmp_words[i] : NULL;
}

static const char *const pattern_names[] = {"PAT_ALL", "PAT_ALLF", "PAT_H",    "PAT_Q",    "PAT_M3",
                                            "PAT_M4",  "PAT_VL1",  "PAT_VL2",  "PAT_VL3",  "PAT_VL4",
                                            "PAT_VL8", "PAT_VL16", "PAT_VL32", "PAT_VL64", "PAT_VL128"};

_Static_assert(COUNT(pattern_names) == PTO_PAT_VL128 + 1, "every pattern must have a name");

static const char *pattern_word(size_t i) {
    return i < COUNT(pattern_names) ? pattern_names[i] : NULL;
}

pto_status pto_parse_dtype(const char *text, pto_dtype *type, pto_parse_error *error) {
    const struct reader r = read_text(text, error);
    int t;
    if (text == NULL || type == NULL) return PTO_ERR_NULL;
    t = find_dtype(whole(text));
    if (t < 0) return refuse_word(&r, whole(text), dtype_word, "a type such as f16, u32, e4m3");
    *type = (pto_dtype)t;
    return accept(&r);
}

pto_status pto_parse_cmp(const char *text, pto_cmp *cmp, pto_parse_error *error) {
    const struct reader r = read_text(text, error);
    int c;
    if (text == NULL || cmp == NULL) return PTO_ERR_NULL;
    c = find(whole(text), pto_cmp_words, CMP_COUNT);
    if (c < 0) return refuse_word(&r, whole(text), cmp_word, "an operator such as eq, lt, geu, nan");
    *cmp = (pto_cmp)c;
    return accept(&r);
}

pto_status pto_parse_pattern(const char *text, pto_pattern *pattern, pto_parse_error *error) {
    const struct reader r = read_text(text, error);
    int p;
    if (text == NULL || pattern == NULL) return PTO_ERR_NULL;
    p = find(whole(text), pattern_names, COUNT(pattern_names));
    if (p < 0)
        return refuse_word(&r, whole(text), pattern_word, "a pattern such as PAT_ALL, PAT_M4, PAT_VL16");
    *pattern = (pto_pattern)p;
    return accept(&r);
}

/* ---- setp and set ---- */

/* The position of each part of a setp or set in the text, or NULL if the part is absent. `foreign` is the first
 * modifier that only other instructions have. */
struct setp_places {
    const char *cmp, *boolop, *ftz, *type[2], *pred, *foreign;
};

/* Stores the position of word w in *place. If *place is already set, the part is repeated: reports `message`. */
static pto_status note_once(const struct reader *r, const char **place, struct word w, const char *message) {
    if (*place != NULL) return expect(r, w.at, message);
    *place = w.at;
    return PTO_OK;
}

/* Returns whether w is a modifier that PTX has, but only for other instructions. */
static bool is_foreign(struct word w) {
    return find(w, pto_flag_words, CVT_MODIFIER_COUNT) >= 0 || find(w, pto_round_words, CVT_ROUNDS) >= 0;
}

static pto_status take_type(const struct reader *r, struct setp_places *s, struct word w, size_t types,
                            pto_dtype type, pto_set_op *op) {
    if (s->type[0] == NULL) {
        s->type[0] = w.at;
        op->dtype = op->stype = type;
        return PTO_OK;
    }
    if (types == 1) return expect(r, w.at, "expected no second type: setp has one");
    op->stype = type;
    return note_once(r, &s->type[1], w, "expected no third type: set has two");
}

/* Reads one word of a setp or set into *op and *s. */
static pto_status take(const struct reader *r, struct setp_places *s, struct word w, size_t types,
                       pto_set_op *op) {
    int found = find(w, pto_cmp_words, CMP_COUNT);
    if (found >= 0) {
        op->cmp = (pto_cmp)found;
        return note_once(r, &s->cmp, w, "expected no second operator");
    }
    found = find(w, pto_boolop_words, BOOLOP_COUNT);
    if (found >= 0) {
        op->boolop = (pto_boolop)found;
        return note_once(r, &s->boolop, w, "expected no second BoolOp");
    }
    found = find_dtype(w);
    if (found >= 0) return take_type(r, s, w, types, (pto_dtype)found, op);
    if (word_is(w, "ftz")) {
        op->ftz = true;
        return note_once(r, &s->ftz, w, "expected no second .ftz");
    }
    if (types == 2 && word_is(w, "pred")) return note_once(r, &s->pred, w, "expected no second .pred");
    if (!is_foreign(w)) return refuse_word(r, w, comparison_word, "an operator, a BoolOp, ftz or a type");
    if (s->foreign == NULL) s->foreign = w.at;
    return PTO_OK;
}

/* Checks that the text has the right number of types: one if it is a packed type of set, otherwise `types`. A .pred is
 * allowed only with a packed type, where the assembler ignores it. */
static pto_status count_types(const struct reader *r, size_t types, const struct setp_places *s,
                              const pto_set_op *op) {
    const bool packed = types == 2 && pto_is_packed(op->dtype);
    if (s->type[0] == NULL) return expect_at_end(r, "expected a type such as .f32");
    if (packed && s->type[1] != NULL && op->stype == op->dtype)
        return expect(r, s->type[1], "expected no second type: a packed type is the only one");
    if (s->pred != NULL && !packed) return expect(r, s->pred, "expected no .pred: only packed types take it");
    if (s->type[types - 1] == NULL && !packed)
        return expect_at_end(r, "expected a second type: the type of the operands");
    return PTO_OK;
}

/* Reads all words after the name. Reports an error if they do not follow the grammar. */
static pto_status read_comparison(struct reader *r, size_t types, struct setp_places *s, pto_set_op *op) {
    while (r->rest != NULL) {
        const pto_status status = take(r, s, next_word(r), types, op);
        if (status != PTO_OK) return status;
    }
    if (s->cmp == NULL) return expect_at_end(r, "expected an operator such as .lt");
    return count_types(r, types, s, op);
}

/* Returns the position that comes first in the text. A position is NULL if its part is absent; if both are NULL,
 * returns NULL. */
static const char *first_place(const char *x, const char *y) {
    if (x == NULL || y == NULL) return x != NULL ? x : y;
    return x < y ? x : y;
}

/* Reports that a form is illegal. The position is that of the word that causes `status`. Returns `status`. */
static pto_status refuse_comparison(const struct reader *r, const char *name, const struct setp_places *s,
                                    pto_set_op op, pto_status status) {
    const char *at = s->type[0];
    struct sink sink;
    if (r->error == NULL) return status;
    if (status == PTO_ERR_OP) at = s->cmp;
    if (status == PTO_ERR_MODIFIER) at = pto_is_packed(op.stype) ? first_place(s->boolop, s->ftz) : s->ftz;
    if (status == PTO_ERR_TYPE && s->type[1] != NULL && pto_set_type(op.stype) == NULL) at = s->type[1];
    sink = start_error(r, at);
    pto_set_write_fault(&sink, name, op, status);
    return status;
}

/* Parses a setp (`types` is 1) or a set (`types` is 2). Reports the error that comes first in the documented order. So
 * a modifier of another instruction is reported only if the types and the operator are legal. */
static pto_status parse_comparison(struct reader *r, const char *name, size_t types, pto_set_op *op) {
    struct setp_places s = {NULL, NULL, NULL, {NULL, NULL}, NULL, NULL};
    const pto_set_op nothing = {PTO_B8, PTO_B8, PTO_EQ, PTO_BOOL_NONE, false, false};
    pto_status status;
    *op = nothing;
    status = read_name(r, types == 1 ? only_setp : only_set, name);
    if (status == PTO_OK) status = read_comparison(r, types, &s, op);
    if (status != PTO_OK) return status;
    status = types == 1 ? pto_setp_legal(setp_of_set(*op)) : pto_set_legal(*op);
    if (status != PTO_OK) return refuse_comparison(r, name, &s, *op, status);
    if (s.foreign == NULL) return accept(r);
    (void)expect(r, s.foreign, "expected no modifier of other instructions: the only one here is .ftz");
    return PTO_ERR_MODIFIER;
}

pto_status pto_parse_setp(const char *text, pto_setp_op *op, pto_parse_error *error) {
    struct reader r = read_text(text, error);
    pto_set_op parsed;
    pto_status status;
    if (text == NULL || op == NULL) return PTO_ERR_NULL;
    status = parse_comparison(&r, "setp", 1, &parsed);
    if (status == PTO_OK) *op = setp_of_set(parsed);
    return status;
}

pto_status pto_parse_set(const char *text, pto_set_op *op, pto_parse_error *error) {
    struct reader r = read_text(text, error);
    pto_set_op parsed;
    pto_status status;
    if (text == NULL || op == NULL) return PTO_ERR_NULL;
    status = parse_comparison(&r, "set", 2, &parsed);
    if (status == PTO_OK) *op = parsed;
    return status;
}

/* ---- cvt ---- */

/* A cvt that is being read: the op, the spelling of its types, and the position of each part in the text. */
struct cvt_parse {
    pto_cvt_op op;
    struct cvt_spelling spelling;
    const char *type[2], *round, *flag[CVT_MODIFIER_COUNT];
};

/* Returns the type that w names, or -1. Sets *lanes to 2 or 4 for a floating-point type with x2 or x4, such as
 * "e4m3x2", otherwise to 1. */
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
    return pto_dtype_class((pto_dtype)type) == PTO_CLASS_FLOAT && type < CVT_TYPES ? type : -1;
}

static pto_status take_cvt_type(const struct reader *r, struct cvt_parse *s, struct word w, pto_dtype type,
                                u8 lanes) {
    if (s->type[0] == NULL) {
        s->op.dst = type;
        s->spelling.dst_lanes = lanes;
        s->type[0] = w.at;
        return PTO_OK;
    }
    s->op.src = type;
    s->spelling.src_lanes = lanes;
    return note_once(r, &s->type[1], w, "expected no third type: cvt has two");
}

#define COMMA_WORD(name, member, word, effect) ", " word

static pto_status take_cvt(const struct reader *r, struct cvt_parse *s, struct word w) {
    u8 lanes;
    int found = find_cvt_type(w, &lanes);
    if (found >= 0) return take_cvt_type(r, s, w, (pto_dtype)found, lanes);
    found = find(w, pto_round_words, CVT_ROUNDS);
    if (found >= 0) {
        s->op.round = (pto_round)found;
        return note_once(r, &s->round, w, "expected no second rounding");
    }
    found = find(w, pto_flag_words, CVT_MODIFIER_COUNT);
    if (found < 0)
        return refuse_word(r, w, cvt_word, "a rounding" CVT_SWITCHES(COMMA_WORD) ", a scale or a type");
    if ((1U << found & CVT_ANY_SCALE) != 0 && s->op.scale != PTO_SCALE_NONE)
        return expect(r, w.at, "expected no second scale");
    s->op = cvt_with_modifiers(s->op, cvt_modifiers(s->op) | 1U << found);
    return note_once(r, &s->flag[found], w, "expected this modifier once");
}

static pto_status read_cvt(struct reader *r, struct cvt_parse *s) {
    pto_status status = read_name(r, only_cvt, "cvt");
    while (status == PTO_OK && r->rest != NULL) status = take_cvt(r, s, next_word(r));
    if (status != PTO_OK) return status;
    if (s->type[0] == NULL) return expect_at_end(r, "expected two types: the destination, then the source");
    if (s->type[1] == NULL) return expect_at_end(r, "expected a second type: the source");
    return PTO_OK;
}

/* Returns the position in the text of the first superfluous modifier. */
static const char *excess_word(const struct cvt_parse *s, unsigned excess) {
    const char *at = NULL;
    for (unsigned i = 0; i < CVT_MODIFIER_COUNT; ++i)
        if ((excess >> i & 1) != 0 && (at == NULL || s->flag[i] < at)) at = s->flag[i];
    return at;
}

/* Returns the position of the fault in the text. A missing modifier is reported at the first type, because PTX puts
 * modifiers before the types. */
static const char *place_of_fault(const struct cvt_parse *s, const struct cvt_fault *fault) {
    switch (fault->kind) {
    case CVT_BAD_PAIR:
    case CVT_BAD_SRC: return s->type[1];
    case CVT_BAD_ROUND: return s->round != NULL ? s->round : s->type[0];
    case CVT_BAD_FLAGS: return fault->missing != 0 ? s->type[0] : excess_word(s, fault->excess);
    default: return s->type[0];
    }
}

pto_status pto_parse_cvt(const char *text, pto_cvt_op *op, pto_parse_error *error) {
    struct reader r = read_text(text, error);
    struct cvt_parse s;
    struct cvt_fault fault;
    struct sink sink;
    pto_status status;
    if (text == NULL || op == NULL) return PTO_ERR_NULL;
    memset(&s, 0, sizeof s);
    status = read_cvt(&r, &s);
    if (status != PTO_OK) return status;
    status = pto_cvt_spelling_status(s.op, &s.spelling);
    if (status == PTO_OK) {
        *op = s.op;
        return accept(&r);
    }
    if (error == NULL) return status;
    fault = pto_cvt_find_fault(s.op, &s.spelling);
    sink = start_error(&r, place_of_fault(&s, &fault));
    pto_cvt_write_fault(&sink, s.op, &s.spelling, &fault);
    return status;
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

/* Returns mnemonic i of the table above, counted row by row, or NULL after the last one. */
static const char *cc_word(size_t i) {
    const size_t names = COUNT(cc_names[0]);
    for (size_t cc = 0; cc < COUNT(cc_names); ++cc)
        for (size_t j = 0; j < names && cc_names[cc][j] != NULL; ++j)
            if (i-- == 0) return cc_names[cc][j];
    return NULL;
}

pto_status pto_parse_setcc(const char *mnemonic, pto_cc *cc, pto_parse_error *error) {
    const struct reader r = read_text(mnemonic, error);
    if (mnemonic == NULL || cc == NULL) return PTO_ERR_NULL;
    for (size_t i = 0; i < COUNT(cc_names); ++i)
        for (size_t j = 0; j < COUNT(cc_names[i]) && cc_names[i][j] != NULL; ++j)
            if (same_letters(whole(mnemonic), cc_names[i][j])) {
                *cc = (pto_cc)i;
                return accept(&r);
            }
    return refuse_word(&r, whole(mnemonic), cc_word, "a SETcc mnemonic such as setnbe");
}
