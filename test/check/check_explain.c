/* SPDX-License-Identifier: MIT */
/* Checks the explanations of cvt, setp and set ops: every op has one, even an invalid op, and what an explanation
 * calls legal is legal. For modifiers of cvt the list of legal ones is complete. */
#include "check/checks.h"
#include "model/model_cvt.h"
#include "model/model_ptx.h"
#include "support/cvt_forms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TYPES = MODEL_DTYPES + 2, LIST = PTO_EXPLAIN_SIZE };

/** Writes the explanation of `op` to `text` and returns true. Also checks buffer sizes: with one byte too few
 * nothing is written. */
typedef pto_status explain_call(const struct subject *s, const void *op, char *buf, size_t size);

static bool explained(const struct subject *s, struct report *r, explain_call *explain, const void *op,
                      char text[PTO_EXPLAIN_SIZE]) {
    char small[PTO_EXPLAIN_SIZE];
    size_t length;
    r->cases++;
    memset(text, '#', PTO_EXPLAIN_SIZE);
    if (explain(s, op, text, PTO_EXPLAIN_SIZE) != PTO_OK || !memchr(text, 0, PTO_EXPLAIN_SIZE)) {
        report_mismatch(r, "no explanation");
        return false;
    }
    length = strlen(text);
    memset(small, '#', sizeof small);
    if (explain(s, op, small, length) != PTO_ERR_SIZE || small[0] != '#' || small[length] != '#')
        report_mismatch(r, "a buffer that is too short");
    if (explain(s, op, small, length + 1) != PTO_OK || strcmp(small, text) != 0)
        report_mismatch(r, "a buffer that just holds it");
    if (explain(s, op, NULL, PTO_EXPLAIN_SIZE) != PTO_ERR_NULL) report_mismatch(r, "buf NULL");
    return true;
}

/** Checks that the text is one or two lines of printable characters. */
static void well_formed(struct report *r, const char *text) {
    size_t breaks = 0;
    for (const char *p = text; *p; p++) {
        breaks += *p == '\n';
        if (*p != '\n' && (*p < ' ' || *p > '~')) report_mismatch(r, "\"%s\": a character", text);
    }
    if (*text == 0 || breaks > 1 || text[strlen(text) - 1] == '\n' || text[0] == '\n')
        report_mismatch(r, "\"%s\": lines", text);
}

/** Copies what follows "legal: " in a line to `list`. Returns the rest of the text, or NULL if there is no such
 * list. */
static const char *next_list(const char *text, char list[LIST]) {
    static const char mark[] = "legal: ";
    const char *at = strstr(text, mark);
    size_t length;
    if (!at) return NULL;
    at += sizeof mark - 1;
    length = strcspn(at, "\n");
    memcpy(list, at, length);
    list[length] = 0;
    return at + length;
}

/** Returns the next word of `*list`, or NULL after the last. Words are separated by the characters of `between`.
 * Modifies the list. */
static char *next_word(char **list, const char *between) {
    char *word = *list + strspn(*list, between);
    const size_t length = strcspn(word, between);
    if (length == 0) return NULL;
    *list = word + length + (word[length] != 0);
    word[length] = 0;
    return word;
}

static int find_type(const char *name) {
    for (int t = 0; t < MODEL_DTYPES; t++) {
        if (strcmp(pto_dtype_name((pto_dtype)t), name) == 0) return t;
    }
    return -1;
}

/* ---- cvt: types ---- */

static bool model_has_pair(int dst, int src) {
    const pto_cvt_op op = {.dst = (pto_dtype)dst, .src = (pto_dtype)src};
    return dst >= 0 && src >= 0 && model_cvt_status(&op) != PTO_ERR_TYPE;
}

/** Checks a list such as "u8 f16 <- f32": each destination type must be legal with each source type. */
static void legal_pairs(struct report *r, char *list) {
    int dsts[MODEL_DTYPES], count = 0, pairs = 0;
    char *arrow = strstr(list, "<-"), *right, *word;
    if (!arrow) {
        report_mismatch(r, "no pairs are called legal");
        return;
    }
    *arrow = 0;
    right = arrow + 2;
    while (count < MODEL_DTYPES && (word = next_word(&list, " ")) != NULL) {
        dsts[count++] = find_type(word);
    }
    while ((word = next_word(&right, " ")) != NULL) {
        for (int i = 0; i < count; i++, pairs++) {
            if (!model_has_pair(dsts[i], find_type(word)))
                report_mismatch(r, "\"%s\": that is not legal", word);
        }
    }
    if (pairs == 0) report_mismatch(r, "no pairs are called legal");
}

static bool names_type(const char *text, pto_dtype type) {
    char number[32];
    const char *name = pto_dtype_name(type);
    snprintf(number, sizeof number, "type %d", (int)type);
    return strstr(text, strcmp(name, "?") == 0 ? number : name) != NULL;
}

static void explained_types(struct report *r, const pto_cvt_op *op, const char *text) {
    char list[LIST];
    const char *rest = text;
    size_t lists = 0;
    if (!names_type(text, op->dst) && !names_type(text, op->src))
        report_mismatch(r, "\"%s\" names no type", text);
    for (; (rest = next_list(rest, list)) != NULL; lists++) {
        legal_pairs(r, list);
    }
    if (lists == 0) report_mismatch(r, "\"%s\": nothing is called legal", text);
}

/* ---- cvt: modifiers ---- */

/** Adds the modifier `word`, such as "rn" or "sat", to `op`. Returns false if there is no such modifier. */
static bool add_modifier(pto_cvt_op *op, const char *word) {
    for (int round = 1; round < MODEL_ROUNDS; round++) {
        if (strcmp(word, model_round_name((pto_round)round)) != 0) continue;
        op->round = (pto_round)round;
        return true;
    }
    for (int i = 0; i < MODEL_FLAGS; i++) {
        pto_cvt_op with;
        if (strcmp(word, model_flag_names[i]) != 0) continue;
        with = model_cvt_with(model_cvt_flags(op) | 1U << i);
        with.dst = op->dst;
        with.src = op->src;
        with.round = op->round;
        *op = with;
        return true;
    }
    return false;
}

/** Returns how many sets the optional modifiers of an alternative have. These stand in brackets. */
static unsigned subsets_of(const char *alternative) {
    unsigned subsets = 1;
    for (const char *p = alternative; *p; p++) {
        if (*p == ']') subsets *= 2;
    }
    return subsets;
}

/** Checks that every set of modifiers in an alternative such as ".rn[.relu].satfinite" is legal, and marks it in
 * `seen`. */
static void legal_alternative(struct report *r, const pto_cvt_op *pair, const char *alternative, bool *seen) {
    const unsigned subsets = subsets_of(alternative);
    char copy[LIST];
    for (unsigned subset = 0; subset < subsets; subset++) {
        pto_cvt_op op = {.dst = pair->dst, .src = pair->src};
        unsigned optional = 0;
        char *rest = copy, *word;
        snprintf(copy, sizeof copy, "%s", strcmp(alternative, "none") == 0 ? "" : alternative);
        while ((word = next_word(&rest, ".")) != NULL) {
            /* the words of "a[.b].c" are "a[", "b]" and "c" */
            const bool is_optional = strchr(word, ']') != NULL;
            const bool left_out = is_optional && (subset >> optional++ & 1) != 0;
            word[strcspn(word, "[]")] = 0;
            if (*word && !left_out && !add_modifier(&op, word))
                report_mismatch(r, "\"%s\" is no modifier", word);
        }
        if (model_cvt_status(&op) != PTO_OK) report_mismatch(r, "\"%s\" is not legal", alternative);
        seen[model_cvt_modifiers_number(&op)] = true;
    }
}

/** Checks that the list has exactly the legal sets of modifiers of the pair. */
static void check_complete_list(struct report *r, const pto_cvt_op *pair, char *list) {
    bool seen[MODEL_CVT_MODIFIERS] = {false};
    char *alternative;
    while ((alternative = next_word(&list, ", ")) != NULL) {
        legal_alternative(r, pair, alternative, seen);
    }
    for (size_t i = 0; i < MODEL_CVT_MODIFIERS; i++) {
        pto_cvt_op op = model_cvt_modifiers(i);
        op.dst = pair->dst;
        op.src = pair->src;
        if (seen[i] != (model_cvt_status(&op) == PTO_OK)) report_mismatch(r, "a form is not in the list");
    }
}

/** Whether `head`, the part of an explanation before the legal forms, names the fault: a modifier that `op` has, as
 * in " .sat", or a modifier that `op` needs. */
static bool names_modifier(const char *head, const pto_cvt_op *op) {
    char word[16];
    if ((unsigned)op->round >= MODEL_ROUNDS && strstr(head, "rounding")) return true;
    if ((unsigned)op->scale > PTO_SCALE_N2 && strstr(head, "scale")) return true;
    if (model_cvt_has_reserved(op) && strstr(head, "reserved bytes must be 0")) return true;
    if ((unsigned)op->round >= MODEL_ROUNDS) return false;
    if (op->round == PTO_ROUND_NONE && strstr(head, "needs a rounding")) return true;
    snprintf(word, sizeof word, " .%s", model_round_name(op->round));
    if (op->round != PTO_ROUND_NONE && strstr(head, word)) return true;
    for (int i = 0; i < MODEL_FLAGS; i++) {
        const bool said = model_cvt_flags(op) >> i & 1;
        snprintf(word, sizeof word, " .%s", model_flag_names[i]);
        if (strstr(head, word) && (said || strstr(head, "needs"))) return true;
    }
    return false;
}

static void explained_modifiers(struct report *r, const pto_cvt_op *op, const char *text) {
    char list[LIST], head[LIST], pair[32];
    snprintf(head, sizeof head, "%s", text);
    if (strstr(head, "; legal")) *strstr(head, "; legal") = 0;
    snprintf(pair, sizeof pair, "%s <- %s", pto_dtype_name(op->dst), pto_dtype_name(op->src));
    if (strstr(head, pair) != head || !names_modifier(head, op))
        report_mismatch(r, "\"%s\" does not name the mistake", text);
    if (!next_list(text, list))
        report_mismatch(r, "\"%s\": nothing is called legal", text);
    else
        check_complete_list(r, op, list);
}

/* ---- cvt: legal ops ---- */

/** Checks an op that has a scalar spelling and an x2 spelling. If these need different PTX versions or targets, the
 * text must also name those of the x2 spelling. */
static void explained_spellings(struct report *r, const pto_cvt_op *op, const char *text) {
    const struct cvt_since *scalar = NULL, *pairs = NULL;
    char x2_since[64] = "";
    bool differ;
    for (size_t i = 0; i < cvt_forms_count; i++) {
        const struct cvt_since *row = cvt_since_of(cvt_forms[i].text);
        if (!model_same_cvt(&cvt_forms[i].op, op) || !row) continue;
        if (strstr(cvt_forms[i].text, "x2."))
            pairs = row;
        else
            scalar = row;
    }
    differ = scalar && pairs && (scalar->isa != pairs->isa || strcmp(scalar->target, pairs->target) != 0);
    if (differ)
        snprintf(x2_since, sizeof x2_since, "; as %sx2 since %d.%d, %s", pto_dtype_name(op->dst),
                 pairs->isa / 10, pairs->isa % 10, pairs->target);
    if (differ ? !strstr(text, x2_since) : strstr(text, "x2 since") != NULL)
        report_mismatch(r, "\"%s\" does not tell the age of the spellings", text);
}

static void explained_legal(const struct subject *s, struct report *r, const pto_cvt_op *op,
                            const char *text) {
    char version[32], instruction[MODEL_CVT_TEXT];
    const char *target = "";
    int isa = 0;
    if (s->cvt_since(*op, &isa) != PTO_OK || s->cvt_target(*op, &target) != PTO_OK)
        report_mismatch(r, "since when?");
    snprintf(version, sizeof version, "PTX ISA %d.%d", isa / 10, isa % 10);
    if (!strstr(text, "\nlegal") || !strstr(text, version) || !strstr(text, target))
        report_mismatch(r, "\"%s\" does not say since when it is legal", text);
    if (model_cvt_check(op) == PTO_OK &&
        (s->format_cvt(*op, instruction, sizeof instruction) != PTO_OK || !strstr(text, instruction)))
        report_mismatch(r, "\"%s\" does not say the instruction", text);
    if (model_cvt_check(op) != PTO_OK && !strstr(text, "two instructions: cvt."))
        report_mismatch(r, "\"%s\" does not say the two instructions", text);
    explained_spellings(r, op, text);
}

static pto_status call_cvt(const struct subject *s, const void *op, char *buf, size_t size) {
    return s->cvt_explain(*(const pto_cvt_op *)op, buf, size);
}

/** Whether to skip an op. A sample suffices for types that do not exist and for illegal modifiers, which take the
 * longest to check. */
static bool is_skipped(const struct report *r, int i, pto_status status) {
    if (status == PTO_OK) return false;
    return i % (status == PTO_ERR_TYPE ? 83 : r->quick ? 61 : 7) != 0;
}

static int any_type(int number) {
    return number < MODEL_DTYPES ? number : number == MODEL_DTYPES ? -1 : 1000;
}

void check_cvt_explain(const struct subject *s, struct report *r) {
    static char now[2 * MODEL_CVT_TEXT];
    report_call(r, "cvt_explain", now);
    for (int i = 0; i < MODEL_CVT_MODIFIERS * TYPES * TYPES && !report_stop(r); i++) {
        pto_cvt_op op = model_cvt_modifiers((size_t)i % MODEL_CVT_MODIFIERS);
        char text[PTO_EXPLAIN_SIZE];
        pto_status status;
        if (i % 101 == 0) op.round = (pto_round)-7;
        if (i % 103 == 0) op.scale = (pto_cvt_scale)-7;
        if (i % 107 == 0) op.reserved[i % 3] = 1;
        op.src = (pto_dtype)any_type(i / MODEL_CVT_MODIFIERS % TYPES);
        op.dst = (pto_dtype)any_type(i / MODEL_CVT_MODIFIERS / TYPES);
        status = model_cvt_status(&op);
        if (is_skipped(r, i, status)) continue;
        model_cvt_describe(&op, now);
        if (!explained(s, r, call_cvt, &op, text)) return;
        well_formed(r, text);
        if (status == PTO_OK)
            explained_legal(s, r, &op, text);
        else if (status == PTO_ERR_TYPE)
            explained_types(r, &op, text);
        else
            explained_modifiers(r, &op, text);
    }
}

/* ---- setp and set ---- */

static pto_status call_setp(const struct subject *s, const void *op, char *buf, size_t size) {
    return s->setp_explain(*(const pto_setp_op *)op, buf, size);
}

static pto_status call_set(const struct subject *s, const void *op, char *buf, size_t size) {
    return s->set_explain(*(const pto_set_op *)op, buf, size);
}

/** Returns the status of `op` after the part that is at fault is replaced by `word` from the list. */
typedef pto_status try_word(const pto_set_op *op, const char *word, pto_status fault);

/** Returns `op` with the type, operator or BoolOp that `word` names, and without .ftz if a modifier is at fault. */
static pto_set_op with_word(const pto_set_op *op, const char *word, pto_status fault, bool first_type) {
    pto_set_op tried = *op;
    if (fault == PTO_ERR_TYPE && first_type) tried.dtype = (pto_dtype)find_type(word);
    if (fault == PTO_ERR_TYPE && !first_type) tried.stype = (pto_dtype)find_type(word);
    for (int cmp = 0; fault == PTO_ERR_OP && cmp < MODEL_OPS; cmp++) {
        if (*word == '.' && strcmp(model_op_name((pto_cmp)cmp), word + 1) == 0) tried.cmp = (pto_cmp)cmp;
    }
    if (fault != PTO_ERR_MODIFIER) return tried;
    tried.ftz = false;
    for (int b = 0; b < MODEL_BOOLS; b++) {
        const char *name = b == 0 ? "none" : model_bool_name((pto_boolop)b);
        if (strcmp(word + (*word == '.'), name) == 0 && (unsigned)op->boolop >= MODEL_BOOLS)
            tried.boolop = (pto_boolop)b;
        if (strcmp(word + (*word == '.'), name) == 0 && op->not_c && op->boolop == PTO_BOOL_NONE)
            tried.boolop = (pto_boolop)b;
        if (strcmp(word, "none") == 0 && model_is_packed(op->stype)) {
            tried.boolop = PTO_BOOL_NONE;
            tried.not_c = false;
        }
    }
    return tried;
}

static pto_status of_setp(const pto_set_op *op, const char *word, pto_status fault) {
    const pto_set_op tried = with_word(op, word, fault, false);
    const pto_setp_op setp = {tried.stype, tried.cmp, tried.boolop, tried.not_c, tried.ftz};
    if (tried.not_c && tried.boolop == PTO_BOOL_NONE) return PTO_ERR_MODIFIER;
    return model_setp_status(setp);
}

/** Implements try_word for set. If a type is at fault, `word` is a destination type if op->stype can be compared, else
 * a source type. */
static pto_status of_set(const pto_set_op *op, const char *word, pto_status fault) {
    const pto_setp_op source = {op->stype, PTO_EQ, PTO_BOOL_NONE, false, false};
    const bool first = model_setp_status(source) == PTO_OK;
    pto_set_op tried = with_word(op, word, fault, first);
    if (tried.not_c && tried.boolop == PTO_BOOL_NONE) return PTO_ERR_MODIFIER;
    if (!first)
        tried.dtype = model_is_packed(tried.stype) ? tried.stype : PTO_U32; /* legal with every other source
                                                                             * type */
    return model_set_status(tried);
}

/** Checks that every word of the list makes the op legal, or leaves only faults that are checked later. */
static void check_words_repair(struct report *r, const pto_set_op *op, pto_status fault, const char *text,
                               try_word *try) {
    char list[LIST], *rest = list, *word;
    size_t words = 0;
    if (!next_list(text, list)) {
        report_mismatch(r, "\"%s\": nothing is called legal", text);
        return;
    }
    for (; (word = next_word(&rest, " ")) != NULL; words++) {
        const pto_status status = try(op, word, fault);
        if (status != PTO_OK && status <= fault) report_mismatch(r, "\"%s\": %s is not legal", text, word);
    }
    if (words == 0) report_mismatch(r, "\"%s\": an empty list", text);
}

static void explained_compare(struct report *r, const pto_set_op *op, pto_status fault, const char *text,
                              try_word *try) {
    well_formed(r, text);
    if (fault == PTO_OK) {
        if (strncmp(text, "legal: ", 7) != 0)
            report_mismatch(r, "\"%s\" does not say that it is legal", text);
        return;
    }
    if (strncmp(text, "legal: ", 7) == 0) report_mismatch(r, "\"%s\" of what is not legal", text);
    if (fault == PTO_ERR_TYPE && !names_type(text, op->stype) && !names_type(text, op->dtype))
        report_mismatch(r, "\"%s\" names no type", text);
    check_words_repair(r, op, fault, text, try);
}

enum { CMPS = MODEL_OPS + 1, BOOLS = MODEL_BOOLS + 1, MODIFIERS = CMPS * BOOLS * 4 };

static pto_set_op set_number(int i) {
    pto_set_op op = {.ftz = i % 2, .not_c = i / 2 % 2};
    op.boolop = (pto_boolop)(i / 4 % BOOLS);
    op.cmp = (pto_cmp)(i / 4 / BOOLS % CMPS);
    op.stype = (pto_dtype)any_type(i / MODIFIERS % TYPES);
    op.dtype = (pto_dtype)any_type(i / MODIFIERS / TYPES);
    return op;
}

void check_setp_explain(const struct subject *s, struct report *r) {
    report_call(r, "setp_explain", NULL);
    for (int i = 0; i < MODIFIERS * TYPES && !report_stop(r); i++) {
        const pto_set_op as_set = set_number(i);
        const pto_setp_op op = {as_set.stype, as_set.cmp, as_set.boolop, as_set.not_c, as_set.ftz};
        char text[PTO_EXPLAIN_SIZE];
        pto_status fault = model_setp_status(op);
        if (fault == PTO_OK && op.not_c && op.boolop == PTO_BOOL_NONE) fault = PTO_ERR_MODIFIER;
        r->now.type = (int)op.type;
        r->now.op = (int)op.cmp;
        if (!explained(s, r, call_setp, &op, text)) return;
        explained_compare(r, &as_set, fault, text, of_setp);
    }
}

void check_set_explain(const struct subject *s, struct report *r) {
    report_call(r, "set_explain", NULL);
    for (int i = 0; i < MODIFIERS * TYPES * TYPES && !report_stop(r); i += r->quick ? 7 : 1) {
        const pto_set_op op = set_number(i);
        char text[PTO_EXPLAIN_SIZE];
        pto_status fault = model_set_status(op);
        if (fault == PTO_OK && op.not_c && op.boolop == PTO_BOOL_NONE) fault = PTO_ERR_MODIFIER;
        r->now.type = (int)op.stype;
        r->now.op = (int)op.cmp;
        if (!explained(s, r, call_set, &op, text)) return;
        explained_compare(r, &op, fault, text, of_set);
        if (fault == PTO_OK && model_is_packed(op.stype) &&
            !strstr(text, "PTX ISA 9.4, first target sm_107f"))
            report_mismatch(r, "\"%s\" does not say since when", text);
    }
}
