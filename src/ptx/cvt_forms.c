/* SPDX-License-Identifier: MIT */
/* Decides which conversions are legal, and enumerates them. */
#include "ptx/cvt_forms.h"

#include <stdatomic.h>

#include "pto/forms.h"
#include "ptx/cvt_rules.h"

static bool in(u32 set, int member) {
    return (unsigned)member < 32 && (set >> member & 1) != 0;
}

static bool has_pair(const struct cvt_rule *r, pto_cvt_op op) {
    return in(r->dst, (int)op.dst) && in(r->src, (int)op.src);
}

static bool is_spelled(const struct cvt_rule *r, const struct cvt_spelling *s) {
    return s == NULL || (r->spelling.dst_lanes == s->dst_lanes && r->spelling.src_lanes == s->src_lanes);
}

/* Returns whether integer type dst can represent every value of integer type src. */
static bool contains(pto_dtype dst, pto_dtype src) {
    size_t d = pto_dtype_bits(dst), s = pto_dtype_bits(src);
    if (cvt_is_signed(dst) == cvt_is_signed(src)) return d >= s;
    return cvt_is_signed(dst) && d > s;
}

/* Returns the modifiers that a rule allows for op's types, including the required ones. */
static unsigned may_of(const struct cvt_rule *r, pto_cvt_op op) {
    const unsigned narrows = (r->may & SAT_NARROWS) != 0 && !contains(op.dst, op.src) ? CVT_SAT : 0U;
    return (r->may & ~(unsigned)SAT_NARROWS) | narrows | r->must;
}

static bool has_modifiers(const struct cvt_rule *r, pto_cvt_op op) {
    const unsigned modifiers = cvt_modifiers(op);
    return in(r->rounds, (int)op.round) && (modifiers & ~may_of(r, op)) == 0 && (r->must & ~modifiers) == 0;
}

/* Returns the first rule that allows op in spelling s (in any spelling if s is NULL), or NULL if there is none. Sets
 * *status to PTO_OK, PTO_ERR_TYPE or PTO_ERR_MODIFIER. */
static const struct cvt_rule *find(const struct cvt_rule *rules, size_t count, pto_cvt_op op,
                                   const struct cvt_spelling *s, pto_status *status) {
    *status = PTO_ERR_TYPE;
    for (size_t i = 0; i < count; ++i) {
        if (!has_pair(&rules[i], op) || !is_spelled(&rules[i], s)) continue;
        *status = PTO_ERR_MODIFIER;
        if (!has_modifiers(&rules[i], op)) continue;
        *status = PTO_OK;
        return &rules[i];
    }
    return NULL;
}

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

pto_status pto_cvt_spelling_status(pto_cvt_op op, const struct cvt_spelling *spelling) {
    pto_status status;
    (void)find(cvt_ptx_rules, COUNT(cvt_ptx_rules), op, spelling, &status);
    return status;
}

static NOINLINE pto_status search(pto_cvt_op op) {
    const pto_status status = pto_cvt_spelling_status(op, NULL);
    pto_status composed;
    if (status == PTO_OK) return status;
    (void)find(cvt_composed_rules, COUNT(cvt_composed_rules), op, NULL, &composed);
    return status == PTO_ERR_TYPE || composed == PTO_OK ? composed : status;
}

/*
 * Searching the rules takes longer than a short call. So the result is cached in a word for each destination, source
 * and rounding. A word has two pairs of bytes, each for one rule: the modifiers that it allows (low byte) and requires
 * (high byte). No destination, source and rounding has more than two different pairs. If one had, the ops of its other
 * pairs would be found by searching each time. PAIR_NONE is a pair that allows no op. Words are stored XORed with two
 * such pairs, so that a word of zeros (not yet cached) allows no op.
 */
enum { PAIR_BITS = 16, MUST_AT = 8, PAIR_NONE = 0x80 << MUST_AT };
#define EMPTY_WORD ((u32)PAIR_NONE << PAIR_BITS | PAIR_NONE)

static _Atomic(u32) cache[CVT_TYPES][CVT_TYPES][CVT_ROUNDS];

static bool pair_allows(u32 pair, unsigned modifiers) {
    return ((modifiers & ~pair) & 0xff) == 0 && (pair >> MUST_AT & ~modifiers & 0xff) == 0;
}

static u32 pairs_of(const struct cvt_rule *rules, size_t count, pto_cvt_op op, u32 pairs) {
    for (size_t i = 0; i < count; ++i) {
        const struct cvt_rule *r = &rules[i];
        const u32 pair = (u32)r->must << MUST_AT | may_of(r, op);
        if (!has_pair(r, op) || !in(r->rounds, (int)op.round)) continue;
        if (pairs >> PAIR_BITS == PAIR_NONE && (pairs & 0xffff) != pair) pairs = pairs << PAIR_BITS | pair;
    }
    return pairs;
}

/* Searches the rules and, if op is legal, caches what they allow for its types and rounding. No memory ordering is
 * needed, because every thread stores the same word, and the word refers to no other data. */
static NOINLINE pto_status search_and_cache(pto_cvt_op op) {
    const pto_status status = search(op);
    u32 pairs = EMPTY_WORD;
    if (status != PTO_OK) return status;
    pairs = pairs_of(cvt_ptx_rules, COUNT(cvt_ptx_rules), op, pairs);
    pairs = pairs_of(cvt_composed_rules, COUNT(cvt_composed_rules), op, pairs);
    atomic_store_explicit(&cache[op.dst][op.src][op.round], pairs ^ EMPTY_WORD, memory_order_relaxed);
    return PTO_OK;
}

pto_status pto_cvt_status(pto_cvt_op op) {
    const unsigned modifiers = cvt_modifiers(op);
    u32 pairs;
    if ((unsigned)op.dst >= CVT_TYPES || (unsigned)op.src >= CVT_TYPES || (unsigned)op.round >= CVT_ROUNDS)
        return search(op);
    pairs = atomic_load_explicit(&cache[op.dst][op.src][op.round], memory_order_relaxed) ^ EMPTY_WORD;
    return pair_allows(pairs, modifiers) || pair_allows(pairs >> PAIR_BITS, modifiers) ? PTO_OK
                                                                                       : search_and_cache(op);
}

pto_status pto_cvt_check(pto_cvt_op op) {
    return pto_cvt_status(op);
}

bool pto_cvt_is_ptx(pto_cvt_op op) {
    return pto_cvt_spelling_status(op, NULL) == PTO_OK;
}

bool pto_cvt_find_spelling(pto_cvt_op op, struct cvt_spelling *spelling) {
    pto_status status;
    const struct cvt_rule *r = find(cvt_ptx_rules, COUNT(cvt_ptx_rules), op, NULL, &status);
    if (r != NULL) *spelling = r->spelling;
    return r != NULL;
}

void pto_cvt_split(pto_cvt_op op, pto_cvt_op instructions[2]) {
    const pto_dtype via = op.src == PTO_BF16 ? PTO_F32 : op.src == PTO_UE8M0 ? PTO_BF16 : PTO_F16;
    const pto_cvt_op first = {.dst = via, .src = op.src, .round = via == PTO_F32 ? PTO_ROUND_NONE : PTO_RN};
    instructions[0] = first;
    instructions[1] = op;
    instructions[1].src = via;
}

/* ---- every form ---- */

/* Returns whether the set `flags` contains all modifiers in `must`, and no modifiers other than those in `must` and
 * `may`. */
static bool flags_fit(unsigned flags, unsigned must, unsigned may) {
    return (must & ~flags) == 0 && (flags & ~(must | may)) == 0;
}

/* Returns whether one of the `count` earlier rows allows everything that row c allows. */
static bool is_repeat(struct cvt_modifiers_row c, const struct cvt_modifiers_row *earlier, size_t count) {
    for (size_t i = 0; i < count; ++i)
        if (earlier[i].round == c.round && flags_fit(c.must, earlier[i].must, earlier[i].may) &&
            flags_fit(c.must | c.may, earlier[i].must, earlier[i].may))
            return true;
    return false;
}

static size_t add_rows(const struct cvt_rule *rules, size_t rule_count, pto_dtype dst, pto_dtype src,
                       const struct cvt_spelling *s, struct cvt_modifiers_row *rows, size_t count) {
    for (size_t i = 0; i < rule_count; ++i) {
        const struct cvt_rule *r = &rules[i];
        const pto_cvt_op op = {.dst = dst, .src = src, .round = PTO_ROUND_NONE};
        if (!has_pair(r, op) || !is_spelled(r, s)) continue;
        for (int round = 0; round < CVT_ROUNDS; ++round) {
            const struct cvt_modifiers_row c = {(pto_round)round, r->must, may_of(r, op), r->spelling};
            if (in(r->rounds, round) && !is_repeat(c, rows, count) && count < CVT_MAX_ROWS) rows[count++] = c;
        }
    }
    return count;
}

size_t pto_cvt_list_modifiers(pto_dtype dst, pto_dtype src, const struct cvt_spelling *s,
                              struct cvt_modifiers_row rows[CVT_MAX_ROWS]) {
    size_t count = add_rows(cvt_ptx_rules, COUNT(cvt_ptx_rules), dst, src, s, rows, 0);
    if (s != NULL) return count;
    return add_rows(cvt_composed_rules, COUNT(cvt_composed_rules), dst, src, NULL, rows, count);
}

/* The sets of modifiers that are legal with one rounding. Each possible set of modifiers has a bit. */
struct flag_sets {
    u64 word[CVT_MODIFIER_SETS / 64];
};
_Static_assert(CVT_MODIFIER_SETS % 64 == 0, "the sets of modifiers must fill whole 64-bit words");

static bool has_set(const struct flag_sets *sets, unsigned flags) {
    return (sets->word[flags / 64] >> flags % 64 & 1) != 0;
}

/* Adds every set of modifiers that a row allows. Returns how many of them are new. */
static size_t add_sets(struct flag_sets *sets, struct cvt_modifiers_row c) {
    const unsigned free = c.may & ~c.must;
    size_t added = 0;
    for (unsigned some = free;; some = (some - 1) & free) {
        const unsigned flags = c.must | some;
        added += !has_set(sets, flags);
        sets->word[flags / 64] |= (u64)1 << flags % 64;
        if (some == 0) return added;
    }
}

/* Sets sets[r] to the sets of modifiers that are legal for a pair of types with rounding r. Returns the number of
 * forms. */
static size_t pair_forms(pto_dtype dst, pto_dtype src, struct flag_sets sets[CVT_ROUNDS]) {
    struct cvt_modifiers_row rows[CVT_MAX_ROWS];
    const size_t count = pto_cvt_list_modifiers(dst, src, NULL, rows);
    size_t forms = 0;
    memset(sets, 0, CVT_ROUNDS * sizeof sets[0]);
    for (size_t i = 0; i < count; ++i) forms += add_sets(&sets[rows[i].round], rows[i]);
    return forms;
}

/* Returns form i of a pair of types. */
static pto_cvt_op pair_form(pto_dtype dst, pto_dtype src, const struct flag_sets sets[CVT_ROUNDS], size_t i) {
    pto_cvt_op op = {.dst = dst, .src = src, .round = PTO_ROUND_NONE};
    for (int round = 0; round < CVT_ROUNDS; ++round)
        for (unsigned flags = 0; flags < CVT_MODIFIER_SETS; ++flags) {
            if (!has_set(&sets[round], flags) || i-- != 0) continue;
            op.round = (pto_round)round;
            return cvt_with_modifiers(op, flags);
        }
    return op;
}

/* Sets *op to form i and returns true. If there is no form i, returns false and sets *count to the number of forms. */
static bool find_form(size_t i, pto_cvt_op *op, size_t *count) {
    struct flag_sets sets[CVT_ROUNDS];
    *count = 0;
    for (int pair = 0; pair < CVT_TYPES * CVT_TYPES; ++pair) {
        const pto_dtype dst = (pto_dtype)(pair / CVT_TYPES), src = (pto_dtype)(pair % CVT_TYPES);
        const size_t forms = pair_forms(dst, src, sets);
        if (i - *count < forms) {
            *op = pair_form(dst, src, sets, i - *count);
            return true;
        }
        *count += forms;
    }
    return false;
}

size_t pto_cvt_form_count(void) {
    pto_cvt_op unused;
    size_t count;
    (void)find_form(SIZE_MAX, &unused, &count);
    return count;
}

pto_status pto_cvt_form(size_t i, pto_cvt_op *op) {
    size_t count;
    if (op == NULL) return PTO_ERR_NULL;
    return find_form(i, op, &count) ? PTO_OK : PTO_ERR_SIZE;
}
