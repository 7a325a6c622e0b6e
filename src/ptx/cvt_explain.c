/* SPDX-License-Identifier: MIT */
/* Explains in English what a cvt does, or why it is illegal. */
#include "ptx/explain.h"

#include "core/cast.h"
#include "core/types.h"
#include "pto/forms.h"
#include "pto/parse.h"

/* A list is first written to a buffer of this size. So it is added to the text as a whole or not at all. */
enum { LIST = 384 };

/* ---- types ---- */

static bool has_pair(pto_dtype dst, pto_dtype src) {
    struct cvt_modifiers_row rows[CVT_MAX_ROWS];
    return pto_cvt_list_modifiers(dst, src, NULL, rows) != 0;
}

static bool is_dst(pto_dtype type) {
    for (int src = 0; src < CVT_TYPES; ++src)
        if (has_pair(type, (pto_dtype)src)) return true;
    return false;
}

static bool is_src(pto_dtype type) {
    for (int dst = 0; dst < CVT_TYPES; ++dst)
        if (has_pair((pto_dtype)dst, type)) return true;
    return false;
}

static void write_type(struct sink *s, pto_dtype type, u8 lanes) {
    if (dtype_info(type) != NULL)
        pto_sink_add(s, "%s%s", pto_dtype_name(type), cvt_lanes_suffix(lanes));
    else
        pto_sink_add(s, "type %d", (int)type);
}

static void write_pair(struct sink *s, pto_cvt_op op, const struct cvt_spelling *spelling) {
    write_type(s, op.dst, spelling != NULL ? spelling->dst_lanes : CVT_X1);
    pto_sink_add(s, " <- ");
    write_type(s, op.src, spelling != NULL ? spelling->src_lanes : CVT_X1);
}

/* Lists the types that form a legal pair with `partner`, such as " u8 f16". */
static void list_partners(struct sink *list, pto_dtype partner, bool partner_is_src) {
    for (int t = 0; t < CVT_TYPES; ++t) {
        const pto_dtype type = (pto_dtype)t;
        if (partner_is_src ? has_pair(type, partner) : has_pair(partner, type))
            pto_sink_add(list, " %s", pto_dtype_name(type));
    }
}

/* Returns the type whose partners are listed: `type` itself, or f32 if no cvt has `type` on this side. f32 converts
 * from and to nearly all types. */
static pto_dtype listed_type(pto_dtype type, bool has_it) {
    return has_it ? type : PTO_F32;
}

/* Writes the legal destinations of a source, such as "legal: u8 f16 <- f32". */
static void write_dsts(struct sink *s, pto_dtype src) {
    char list[LIST];
    struct sink l = sink_into(list, sizeof list);
    src = listed_type(src, is_src(src));
    list_partners(&l, src, true);
    pto_sink_add(s, "; legal:%s <- %s", list, pto_dtype_name(src));
}

/* Writes the legal sources of a destination, such as "legal: f32 <- u8 f16". */
static void write_srcs(struct sink *s, const char *before, pto_dtype dst) {
    char list[LIST];
    struct sink l = sink_into(list, sizeof list);
    dst = listed_type(dst, is_dst(dst));
    list_partners(&l, dst, false);
    pto_sink_add(s, "%slegal: %s <-%s", before, pto_dtype_name(dst), list);
}

/* Writes the legal destinations of op.src and, on a second line, the legal sources of op.dst. For a text that is being
 * parsed, writes only the list for the type at fault. */
static void write_partners(struct sink *s, pto_cvt_op op, bool is_text, enum cvt_fault_kind kind) {
    if (!is_text || kind == CVT_BAD_DST) write_dsts(s, op.src);
    if (!is_text || kind != CVT_BAD_DST) write_srcs(s, is_text ? "; " : "\n", op.dst);
}

/* ---- modifiers ---- */

/* Writes modifiers, such as " .ftz .sat". */
static void write_flags(struct sink *s, unsigned flags) {
    for (unsigned i = 0; i < CVT_MODIFIER_COUNT; ++i)
        if ((flags >> i & 1) != 0) pto_sink_add(s, " .%s", pto_flag_words[i]);
}

static void write_row(struct sink *s, const struct cvt_modifiers_row *c) {
    if (c->round != PTO_ROUND_NONE) pto_sink_add(s, ".%s", pto_round_words[c->round]);
    for (unsigned i = 0; i < CVT_MODIFIER_COUNT; ++i) {
        if ((c->must >> i & 1) != 0)
            pto_sink_add(s, ".%s", pto_flag_words[i]);
        else if ((c->may >> i & 1) != 0)
            pto_sink_add(s, "[.%s]", pto_flag_words[i]);
    }
    if (c->round == PTO_ROUND_NONE && (c->must | c->may) == 0) pto_sink_add(s, "none");
}

/* Lists the rows of one rounding, or all of them if `round` is CVT_ROUNDS. */
static void list_rows(struct sink *l, unsigned round, const struct cvt_modifiers_row *rows, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        if (round != CVT_ROUNDS && rows[i].round != round) continue;
        if (l->length != 0) pto_sink_add(l, ", ");
        write_row(l, &rows[i]);
    }
}

/* Writes all rows. If they do not fit into the text, writes only the rows with the rounding `given`. */
static void write_rows(struct sink *s, pto_round given, const struct cvt_modifiers_row *rows, size_t count) {
    static const char head[] = "; legal: ";
    char list[LIST];
    struct sink l = sink_into(list, sizeof list);
    list_rows(&l, CVT_ROUNDS, rows, count);
    if (s->length + strlen(head) + l.length >= s->size) {
        l = sink_into(list, sizeof list);
        list_rows(&l, given, rows, count);
    }
    if (l.length != 0) pto_sink_add(s, "%s%s", head, list);
}

static void write_round_fault(struct sink *s, pto_round round, const struct cvt_modifiers_row *rows,
                              size_t count) {
    bool any = false;
    for (size_t i = 0; i < count; ++i) any = any || rows[i].round != PTO_ROUND_NONE;
    if (round == PTO_ROUND_NONE)
        pto_sink_add(s, " needs a rounding");
    else if ((unsigned)round >= CVT_ROUNDS)
        pto_sink_add(s, ": %d is not a rounding", (int)round);
    else if (any)
        pto_sink_add(s, " does not take .%s", pto_round_words[round]);
    else
        pto_sink_add(s, " takes no rounding, and so no .%s", pto_round_words[round]);
}

/* Writes which modifiers are superfluous. If they are legal without some other modifier of op, or with another
 * rounding, writes that, too. */
static void write_excess(struct sink *s, pto_cvt_op op, unsigned excess, const struct cvt_modifiers_row *rows,
                         size_t count) {
    const struct cvt_modifiers_row *clash = NULL;
    bool elsewhere = false;
    for (size_t i = 0; i < count; ++i) {
        if ((excess & ~(rows[i].must | rows[i].may)) != 0) continue;
        elsewhere = true;
        if (rows[i].round == op.round) clash = &rows[i];
    }
    if (clash != NULL) {
        pto_sink_add(s, " takes no");
        write_flags(s, excess);
        pto_sink_add(s, " with");
        write_flags(s, cvt_modifiers(op) & ~(clash->must | clash->may));
        return;
    }
    if (elsewhere && op.round != PTO_ROUND_NONE) pto_sink_add(s, " with .%s", pto_round_words[op.round]);
    pto_sink_add(s, " takes no");
    write_flags(s, excess);
}

/* ---- the fault ---- */

static unsigned count_flags(unsigned flags) {
    unsigned count = 0;
    for (; flags != 0; flags &= flags - 1) ++count;
    return count;
}

static struct cvt_fault fault_of_types(pto_cvt_op op, const struct cvt_spelling *spelling) {
    struct cvt_fault fault = {CVT_BAD_PAIR, 0, 0};
    if (!is_dst(op.dst))
        fault.kind = CVT_BAD_DST;
    else if (!is_src(op.src))
        fault.kind = CVT_BAD_SRC;
    else if (spelling != NULL && has_pair(op.dst, op.src))
        fault.kind = CVT_BAD_SPELLING;
    return fault;
}

struct cvt_fault pto_cvt_find_fault(pto_cvt_op op, const struct cvt_spelling *spelling) {
    struct cvt_modifiers_row rows[CVT_MAX_ROWS];
    const size_t count = pto_cvt_list_modifiers(op.dst, op.src, spelling, rows);
    const unsigned modifiers = cvt_modifiers(op);
    struct cvt_fault fault = {CVT_BAD_ROUND, 0, 0};
    if (count == 0) return fault_of_types(op, spelling);
    for (size_t i = 0; i < count; ++i) {
        const unsigned missing = rows[i].must & ~modifiers,
                       excess = modifiers & ~(rows[i].must | rows[i].may);
        const bool nearer =
            fault.kind == CVT_BAD_ROUND || count_flags(missing) + count_flags(excess) <
                                               count_flags(fault.missing) + count_flags(fault.excess);
        if (rows[i].round != op.round || !nearer) continue;
        fault.kind = (missing | excess) == 0 ? CVT_FINE : CVT_BAD_FLAGS;
        fault.missing = missing;
        fault.excess = excess;
    }
    return fault;
}

static void write_bad_type(struct sink *s, pto_dtype type, const char *side) {
    write_type(s, type, CVT_X1);
    if (pto_element_type(type) != type)
        pto_sink_add(s, " is a packed type: set the type of one element");
    else
        pto_sink_add(s, " is not a %s", side);
}

static void write_bad_types(struct sink *s, pto_cvt_op op, const struct cvt_spelling *spelling,
                            enum cvt_fault_kind kind) {
    if (kind == CVT_BAD_DST) {
        write_bad_type(s, op.dst, "destination");
    } else if (kind == CVT_BAD_SRC) {
        write_bad_type(s, op.src, "source");
    } else {
        pto_sink_add(s, "no cvt has ");
        write_pair(s, op, spelling);
    }
}

/* Writes `text` if pto_cast() takes the types of op. The source of a text that is being parsed is not known yet if the
 * destination is at fault. */
static void write_cast(struct sink *s, pto_cvt_op op, enum cvt_fault_kind kind, const char *text) {
    const pto_cast_op cast = {op.dst, kind == CVT_BAD_DST ? op.dst : op.src, PTO_RN, PTO_OVERFLOW_IEEE};
    if (pto_cast_status(cast) == PTO_OK) pto_sink_add(s, "%s", text);
}

/* Writes the legal spellings of a pair of types. For a composed pair, writes that two instructions are needed. */
static void write_spellings(struct sink *s, pto_cvt_op op) {
    struct cvt_modifiers_row rows[CVT_MAX_ROWS];
    struct cvt_spelling last = {0, 0};
    const size_t count = pto_cvt_list_modifiers(op.dst, op.src, NULL, rows);
    pto_cvt_op instructions[2];
    if (pto_cvt_spelling_status(op, NULL) == PTO_ERR_TYPE) {
        pto_cvt_split(op, instructions);
        pto_sink_add(s, "; two instructions convert it, through %s", pto_dtype_name(instructions[1].src));
        return;
    }
    for (size_t i = 0; i < count; ++i) {
        const struct cvt_spelling now = rows[i].spelling;
        const bool is_composed = pto_cvt_spelling_status(op, &now) == PTO_ERR_TYPE;
        if (is_composed || (now.dst_lanes == last.dst_lanes && now.src_lanes == last.src_lanes)) continue;
        pto_sink_add(s, last.dst_lanes == 0 ? "; legal: " : ", ");
        write_pair(s, op, &now);
        last = now;
    }
}

void pto_cvt_write_fault(struct sink *s, pto_cvt_op op, const struct cvt_spelling *spelling,
                         const struct cvt_fault *fault) {
    struct cvt_modifiers_row rows[CVT_MAX_ROWS];
    const size_t count = pto_cvt_list_modifiers(op.dst, op.src, spelling, rows);
    switch (fault->kind) {
    case CVT_FINE: return;
    case CVT_BAD_DST:
    case CVT_BAD_SRC:
    case CVT_BAD_PAIR:
        write_bad_types(s, op, spelling, fault->kind);
        if (spelling == NULL) write_cast(s, op, fault->kind, " (pto_cast() converts it)");
        write_partners(s, op, spelling != NULL, fault->kind);
        if (spelling != NULL) write_cast(s, op, fault->kind, "; pto_cast() converts it");
        return;
    case CVT_BAD_SPELLING:
        pto_sink_add(s, "PTX has no ");
        write_pair(s, op, spelling);
        write_spellings(s, op);
        return;
    case CVT_BAD_ROUND:
        write_pair(s, op, spelling);
        write_round_fault(s, op.round, rows, count);
        break;
    case CVT_BAD_FLAGS:
        write_pair(s, op, spelling);
        if (cvt_has_reserved(op)) {
            pto_sink_add(s, ": reserved bytes must be 0");
            break;
        }
        if (fault->missing != 0) {
            pto_sink_add(s, " needs");
            write_flags(s, fault->missing);
            if (fault->excess != 0) pto_sink_add(s, ",");
        }
        if (fault->excess != 0) write_excess(s, op, fault->excess, rows, count);
        break;
    }
    write_rows(s, op.round, rows, count);
}

/* ---- what is legal, in words ---- */

static const char *rounding_words(pto_cvt_op op) {
    static const char *const words[CVT_ROUNDS] = {[PTO_RN] = "to nearest, ties to even",
                                                  [PTO_RNA] = "to nearest, ties away from zero",
                                                  [PTO_RZ] = "towards zero",
                                                  [PTO_RM] = "towards minus infinity",
                                                  [PTO_RP] = "towards plus infinity",
                                                  [PTO_RS] = "stochastically, by the caller's random bits",
                                                  [PTO_RNI] = "to the nearest integral value, ties to even",
                                                  [PTO_RZI] = "to integral, towards zero",
                                                  [PTO_RMI] = "to integral, towards minus infinity",
                                                  [PTO_RPI] = "to integral, towards plus infinity"};
    if (op.round != PTO_ROUND_NONE) return words[op.round];
    if (cvt_is_integer(op.dst)) return op.sat ? "clamped to the range" : "the low bits, or extended";
    return op.dst != op.src && (op.dst == PTO_F16 || (op.dst == PTO_BF16 && op.src == PTO_F16))
               ? "to nearest, ties to even"
               : "exactly";
}

/* Returns what a modifier does in op: the text in CVT_MODIFIERS, except for some types. Returns NULL if
 * rounding_words() already describes the effect. */
static const char *effect_words(pto_cvt_op op, unsigned place) {
#define EFFECT(name, member, word, effect) effect,
    static const char *const words[CVT_MODIFIER_COUNT] = {CVT_MODIFIERS(EFFECT)};
#undef EFFECT
    if (place == CVT_BIT_FTZ && op.dst == PTO_F16) return ".ftz has no effect here";
    if (place == CVT_BIT_SAT && cvt_is_integer(op.dst))
        return op.round != PTO_ROUND_NONE ? "clamped to the range" : NULL;
    if (place == CVT_BIT_N2 && cvt_multiplies(op.dst)) return "multiplied by a scale for each element";
    return words[place];
}

static void write_effects(struct sink *s, pto_cvt_op op) {
    const unsigned modifiers = cvt_modifiers(op);
    pto_sink_add(s, "%s", rounding_words(op));
    for (unsigned i = 0; i < CVT_MODIFIER_COUNT; ++i) {
        const char *effect = effect_words(op, i);
        if ((modifiers >> i & 1) != 0 && effect != NULL) pto_sink_add(s, "; %s", effect);
    }
}

/* Writes since when PTX has the spelling with pairs, if that is newer than the scalar one. */
static void write_since_of_pairs(struct sink *s, pto_cvt_op op) {
    const char *target;
    int isa;
    if (pto_cvt_pairs_are_newer(op, &isa, &target))
        pto_sink_add(s, "; as %sx2 since %d.%d, %s", pto_dtype_name(op.dst), isa / 10, isa % 10, target);
}

static void write_since(struct sink *s, pto_cvt_op op) {
    const char *target;
    int isa;
    if (pto_cvt_since(op, &isa) != PTO_OK || pto_cvt_target(op, &target) != PTO_OK) return;
    pto_sink_add(s, "since PTX ISA %d.%d%s, first target %s%s", isa / 10, isa % 10,
                 isa == 63 ? " or earlier" : "", target, strcmp(target, "sm_75") == 0 ? " or earlier" : "");
    write_since_of_pairs(s, op);
}

static void write_instruction(struct sink *s, pto_cvt_op op) {
    char text[80];
    if (pto_format_cvt(op, text, sizeof text) == PTO_OK) pto_sink_add(s, "%s", text);
}

static void write_legal(struct sink *s, pto_cvt_op op) {
    pto_cvt_op instructions[2];
    if (pto_cvt_is_ptx(op)) {
        write_instruction(s, op);
        pto_sink_add(s, ": ");
        write_pair(s, op, NULL);
        pto_sink_add(s, ", ");
        write_effects(s, op);
        pto_sink_add(s, "\nlegal ");
        write_since(s, op);
        return;
    }
    pto_cvt_split(op, instructions);
    write_pair(s, op, NULL);
    pto_sink_add(s, " by two instructions: ");
    write_instruction(s, instructions[0]);
    pto_sink_add(s, ", then ");
    write_instruction(s, instructions[1]);
    pto_sink_add(s, ", ");
    write_effects(s, instructions[1]);
    pto_sink_add(s, "\nlegal, both ");
    write_since(s, op);
}

pto_status pto_cvt_explain(pto_cvt_op op, char *buf, size_t size) {
    char text[PTO_EXPLAIN_SIZE];
    struct sink s = sink_into(text, sizeof text);
    struct cvt_fault fault;
    if (buf == NULL) return PTO_ERR_NULL;
    fault = pto_cvt_find_fault(op, NULL);
    if (fault.kind == CVT_FINE)
        write_legal(&s, op);
    else
        pto_cvt_write_fault(&s, op, NULL, &fault);
    return pto_copy_text(text, buf, size);
}
