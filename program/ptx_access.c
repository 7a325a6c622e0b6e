/* SPDX-License-Identifier: MIT */
/* The words of ld, ldu, st, atom and red. NVIDIA's assembler takes them in any order, the type too, but at most one of
 * each kind, and not all of them together. Those that order accesses or advise caches change no result here. */
#include "ptx.h"

#include <string.h>

enum { LD = PTX_LD, LDU = PTX_LDU, ST = PTX_ST, ATOM = PTX_ATOM, RED = PTX_RED };

static const struct access_word {
    const char *text;
    enum word_kind kind;
    unsigned users; /* the instructions that have it */
} access_words[] = {
    {"weak", WORD_ORDER, LD | ST},
    {"volatile", WORD_ORDER, LD | ST},
    {"relaxed", WORD_ORDER, LD | ST | ATOM | RED},
    {"acquire", WORD_ORDER, LD | ATOM},
    {"release", WORD_ORDER, ST | ATOM | RED},
    {"acq_rel", WORD_ORDER, ATOM},
    {"mmio", WORD_MMIO, LD | ST},
    {"cta", WORD_SCOPE, LD | ST | ATOM | RED},
    {"cluster", WORD_SCOPE, LD | ST | ATOM | RED},
    {"gpu", WORD_SCOPE, LD | ST | ATOM | RED},
    {"sys", WORD_SCOPE, LD | ST | ATOM | RED},
    {"ca", WORD_CACHE, LD},
    {"cg", WORD_CACHE, LD | ST},
    {"cs", WORD_CACHE, LD | ST},
    {"lu", WORD_CACHE, LD},
    {"cv", WORD_CACHE, LD},
    {"wb", WORD_CACHE, ST},
    {"wt", WORD_CACHE, ST},
    {"nc", WORD_NC, LD},
    {"L1::evict_normal", WORD_L1, LD | ST},
    {"L1::evict_unchanged", WORD_L1, LD | ST},
    {"L1::evict_first", WORD_L1, LD | ST},
    {"L1::evict_last", WORD_L1, LD | ST},
    {"L1::no_allocate", WORD_L1, LD | ST},
    {"L2::evict_normal", WORD_L2, LD | ST},
    {"L2::evict_first", WORD_L2, LD | ST},
    {"L2::evict_last", WORD_L2, LD | ST},
    {"L2::cache_hint", WORD_HINT, LD | ST | ATOM | RED},
    {"L2::64B", WORD_PREFETCH, LD},
    {"L2::128B", WORD_PREFETCH, LD},
    {"L2::256B", WORD_PREFETCH, LD},
    {"and", WORD_OPERATION, ATOM | RED},
    {"or", WORD_OPERATION, ATOM | RED},
    {"xor", WORD_OPERATION, ATOM | RED},
    {"exch", WORD_OPERATION, ATOM},
    {"cas", WORD_OPERATION, ATOM},
    {"add", WORD_OPERATION, ATOM | RED},
    {"inc", WORD_OPERATION, ATOM | RED},
    {"dec", WORD_OPERATION, ATOM | RED},
    {"min", WORD_OPERATION, ATOM | RED},
    {"max", WORD_OPERATION, ATOM | RED},
};

static const struct access_word *find(const struct opcode_word *w, unsigned user) {
    for (size_t i = 0; i < sizeof access_words / sizeof access_words[0]; i++)
        if ((access_words[i].users & user) && pto_word_is(w, access_words[i].text)) return &access_words[i];
    return NULL;
}

static bool is(const struct access *a, enum word_kind kind, const char *text) {
    return a->word[kind] && strcmp(a->word[kind], text) == 0;
}

static unsigned vector_size(const struct opcode_word *w) {
    return pto_word_is(w, "v2") ? 2 : pto_word_is(w, "v4") ? 4 : pto_word_is(w, "v8") ? 8 : 0;
}

/* Reads one word. Sets *again if there was one of its kind before. Returns false if the instruction does not
 * have it. */
static bool take(const struct opcode_word *w, unsigned user, struct memory_parameters *m, struct access *a,
                 bool *again) {
    const struct access_word *found = find(w, user);
    const unsigned size = user & (LD | LDU | ST) ? vector_size(w) : 0;
    enum space space;
    pto_dtype type;
    *again = false;
    if (found) {
        *again = a->word[found->kind] != NULL;
        a->word[found->kind] = found->text;
    } else if (size != 0) {
        *again = m->count != 1;
        m->count = size;
    } else if (pto_word_space(w, &space)) {
        *again = a->has_space;
        a->has_space = true;
        a->is_const = pto_word_is(w, "const");
        m->space = space;
    } else if (pto_word_type(w, &type)) {
        *again = a->has_type;
        a->has_type = true;
        m->type = type;
    } else {
        return false;
    }
    return true;
}

/* Returns what is wrong with the order of accesses, or NULL. */
static const char *wrong_order(unsigned user, const struct memory_parameters *m, const struct access *a) {
    const bool orders = a->word[WORD_ORDER] && !is(a, WORD_ORDER, "weak"),
               is_volatile = is(a, WORD_ORDER, "volatile");
    const bool has_scope = a->word[WORD_SCOPE] != NULL;
    if (!(user & (LD | ST))) return NULL;
    if ((orders && !is_volatile) != has_scope)
        return "expected .relaxed, .acquire or .release together with a scope, such as .gpu";
    if (orders && (a->is_const || m->space == SPACE_PARAMETER || (m->space == SPACE_LOCAL && !is_volatile)))
        return "accesses to this space cannot be ordered";
    if (a->word[WORD_MMIO] && (!is(a, WORD_SCOPE, "sys") || a->word[WORD_L1] || a->word[WORD_PREFETCH] ||
                               m->count != 1 || m->space > SPACE_GLOBAL))
        return "expected .mmio with an order, .sys, global memory, no vector and no advice to caches";
    if (orders && a->word[WORD_CACHE]) return "an access that is ordered has no cache operator";
    if (a->word[WORD_NC] && a->word[WORD_ORDER]) return "an access with .nc has no order";
    return NULL;
}

/* Returns what is wrong with the words that advise caches, or NULL. */
static const char *wrong_advice(const struct memory_parameters *m, const struct access *a, bool is_global) {
    const bool is_volatile = is(a, WORD_ORDER, "volatile");
    if (!is_global && (a->word[WORD_L1] || a->word[WORD_L2] || a->word[WORD_HINT] || a->word[WORD_PREFETCH]))
        return "only accesses to global memory take advice to caches";
    if (a->word[WORD_L1] && (is_volatile || a->word[WORD_CACHE]))
        return "expected no advice for L1 beside .volatile or a cache operator";
    if (a->word[WORD_HINT] && is_volatile) return "expected no cache hint beside .volatile";
    if (a->word[WORD_NC] && (is(a, WORD_CACHE, "lu") || is(a, WORD_CACHE, "cv")))
        return "this cache operator does not go with .nc";
    if (a->word[WORD_NC] && (m->space != SPACE_GLOBAL || a->is_const)) return ".nc needs .global";
    if (a->word[WORD_L2] && pto_dtype_bits(m->type) * m->count != 256)
        return "expected a vector of 256 bits beside advice for L2";
    return NULL;
}

static const char *wrong_space(unsigned user, const struct memory_parameters *m, const struct access *a) {
    if (user == ST && m->space == SPACE_PARAMETER) return "a kernel cannot write its parameters";
    if (user == ST && a->is_const) return "constants cannot be written";
    if (user == LDU && (a->is_const || m->space > SPACE_GLOBAL)) return "expected global memory";
    if ((user & (ATOM | RED)) && (a->is_const || m->space == SPACE_PARAMETER || m->space == SPACE_LOCAL))
        return "expected global or shared memory";
    return NULL;
}

bool pto_ptx_access(struct ptx *x, const struct token *opcode, unsigned user, struct memory_parameters *m,
                    struct access *a) {
    struct opcode_word w = {NULL, 0};
    const char *error;
    bool is_global;
    size_t bits;
    *a = (struct access){{NULL}, false, false, false};
    while (pto_word_next(opcode, &w)) {
        bool again;
        if (!take(&w, user, m, a, &again))
            return pto_word_error(x, opcode, &w, "expected a word that this instruction has");
        if (again) return pto_word_error(x, opcode, &w, "expected one word of this kind");
    }
    if (!a->has_type) return pto_text_error(&x->text, opcode, "expected a type");
    is_global = m->space <= SPACE_GLOBAL && !a->is_const;
    bits = pto_dtype_bits(m->type) * m->count;
    error = wrong_space(user, m, a);
    if (!error) error = wrong_order(user, m, a);
    if (!error) error = wrong_advice(m, a, is_global);
    if (!error && bits > 128 && (bits > 256 || !is_global || user == LDU))
        error = "expected a vector of at most 128 bits, or of 256 in global memory";
    return !error || pto_text_error(&x->text, opcode, "%s", error);
}

bool pto_ptx_hint(struct ptx *x, const struct statement *s, const struct access *a, size_t before) {
    if (!pto_ptx_operand_count(x, s, before + (a->word[WORD_HINT] != NULL))) return false;
    return !a->word[WORD_HINT] ||
           pto_ptx_source(x, &s->operand[before], (struct requirement){.type = PTO_U64, .plain = true}) !=
               ABSENT;
}
