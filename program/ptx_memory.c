/* SPDX-License-Identifier: MIT */
/* The PTX instructions that only kernels have: loads, stores, conversions of addresses, barriers. */
#include "ptx.h"

#include "number.h"

#include <string.h>

/* ---- loads and stores ---- */

static bool is_memory_type(pto_dtype type) {
    return pto_is_untyped(type) || pto_is_integer(type) || type == PTO_F32 || type == PTO_F64;
}

/* The words of ld and st. Those that order accesses or advise caches change no result here. */
static bool parse_memory_words(struct ptx *x, const struct token *opcode, struct memory_parameters *m,
                               bool *has_hint) {
    static const char *const no_effect[] = {
        "weak", "volatile", "relaxed", "acquire", "release", "cta", "cluster", "gpu", "sys", "mmio",
        "ca",   "cg",       "cs",      "lu",      "cv",      "wb",  "wt",      "nc",  NULL};
    struct opcode_word w = {NULL, 0};
    bool has_space = false, has_type = false;
    *has_hint = false;
    while (pto_word_next(opcode, &w)) {
        if (has_type) return pto_word_error(x, opcode, &w, "expected nothing behind the type");
        if (pto_word_is(&w, "L1::no_allocate") ||
            (w.length > 4 && (memcmp(w.at, "L1::", 4) == 0 || memcmp(w.at, "L2::", 4) == 0)))
            *has_hint = *has_hint || pto_word_is(&w, "L2::cache_hint");
        else if (!has_space && pto_word_space(&w, &m->space))
            has_space = true;
        else if (m->count == 1 && (pto_word_is(&w, "v2") || pto_word_is(&w, "v4")))
            m->count = w.at[1] == '2' ? 2 : 4;
        else if (pto_word_type(&w, &m->type) && is_memory_type(m->type))
            has_type = true;
        else if (!pto_word_is_one_of(&w, no_effect))
            return pto_word_error(
                x, opcode, &w, "expected a space, a vector size, a type or a modifier of this instruction");
    }
    if (!has_type) return pto_text_error(&x->text, opcode, "expected a type at the end");
    if (pto_dtype_bits(m->type) * m->count > 128)
        return pto_text_error(&x->text, opcode, "expected a vector of at most 128 bits");
    return true;
}

/* Returns the requirement on the register of an element, which may be wider than the element if it is an integer. */
static struct requirement requirement_of(pto_dtype type) {
    return (struct requirement){.type = type, .wider = pto_dtype_class(type) != PTO_CLASS_FLOAT};
}

/* Reads the registers of the elements: one, or a group of `count`. */
static bool element_registers(struct ptx *x, const struct operand *o, const struct memory_parameters *m,
                              bool is_load, int *regs) {
    const struct requirement need = requirement_of(m->type);
    if (o->kind == OPERAND_GROUP) {
        if (o->count != m->count)
            return pto_text_error(&x->text, &o->token, "expected %u registers in braces", m->count);
        for (size_t i = 0; i < o->count; i++)
            regs[i] = is_load ? pto_ptx_part_result(x, &o->part[i].token, need)
                              : pto_ptx_part_source(x, &o->part[i], need);
        return !x->text.failed;
    }
    if (m->count != 1)
        return pto_text_error(&x->text, &o->token, "expected %u registers in braces", m->count);
    regs[0] = is_load ? pto_ptx_result(x, o, need) : pto_ptx_source(x, o, need);
    return regs[0] != ABSENT;
}

static bool check_count(struct ptx *x, const struct statement *s, size_t count) {
    return s->count == count || pto_text_error(&x->text, &s->opcode, "expected %zu operands", count);
}

static bool make_memory(struct ptx *x, const struct statement *s, bool is_load) {
    struct step step = pto_step_of(NULL, s->opcode.line);
    struct memory_parameters m = {.count = 1};
    bool has_hint;
    step.kind = is_load ? STEP_LOAD : STEP_STORE;
    if (!parse_memory_words(x, &s->opcode, &m, &has_hint) || !check_count(x, s, has_hint ? 3 : 2))
        return false;
    if (!is_load && m.space == SPACE_PARAMETER)
        return pto_text_error(&x->text, &s->opcode, "a kernel cannot write its parameters");
    step.src[0] = pto_ptx_address(x, &s->operand[is_load ? 1 : 0], m.space, &m.offset);
    if (step.src[0] == ABSENT) return false;
    if (!element_registers(x, &s->operand[is_load ? 0 : 1], &m, is_load, is_load ? step.dst : step.src + 1))
        return false;
    step.parameters.memory = m;
    return pto_ptx_step(x, s, &step);
}

static bool make_load(struct ptx *x, const struct statement *s) {
    return make_memory(x, s, true);
}

static bool make_store(struct ptx *x, const struct statement *s) {
    return make_memory(x, s, false);
}

/* ---- conversions of addresses ---- */

/* Addresses of shared and local memory are offsets; as generic addresses they are in windows of their own. */
static uint64_t window_of(enum space space) {
    if (space == SPACE_SHARED) return (uint64_t)WINDOW_SHARED << WINDOW_SHIFT;
    return space == SPACE_LOCAL ? (uint64_t)WINDOW_LOCAL << WINDOW_SHIFT : 0;
}

static bool make_cvta(struct ptx *x, const struct statement *s) {
    struct step step = pto_step_of(pto_step_mov, s->opcode.line);
    struct opcode_word w = {NULL, 0};
    enum space space = SPACE_GENERIC;
    bool to_space, good;
    uint64_t window;
    good = pto_word_next(&s->opcode, &w);
    to_space = good && pto_word_is(&w, "to");
    if (to_space) good = pto_word_next(&s->opcode, &w);
    good = good && pto_word_space(&w, &space) && pto_word_next(&s->opcode, &w) && pto_word_is(&w, "u64");
    if (!good || pto_word_next(&s->opcode, &w))
        return pto_text_error(&x->text, &s->opcode, "expected cvta[.to], a space and .u64");
    if (!check_count(x, s, 2)) return false;
    step.dst[0] = pto_ptx_result(x, &s->operand[0], requirement_of(PTO_U64));
    step.src[0] = pto_ptx_source(x, &s->operand[1], requirement_of(PTO_U64));
    window = window_of(space);
    if (window != 0) {
        step.run = to_space ? pto_step_sub : pto_step_add;
        step.src[1] = pto_ir_constant(x->program, PTO_U64, false, window);
        if (step.src[1] == ABSENT) return pto_ptx_no_memory(x);
    }
    step.parameters.typed = (struct typed_parameters){.type = PTO_U64, .elements_per_lane = 1};
    return pto_ptx_step(x, s, &step);
}

/* ---- barriers ---- */

/* bar.warp.sync waits for lanes of a warp. All lanes at it go on together, as late as possible, which is later than
 * PTX asks for. */
static bool make_barrier(struct ptx *x, const struct statement *s) {
    enum { BARRIERS = 16 };
    struct step step = pto_step_of(NULL, s->opcode.line);
    uint64_t number = 0;
    step.kind = STEP_BARRIER;
    step.parameters.barrier = WARP_BARRIER;
    if (!check_count(x, s, 1)) return false;
    if (pto_token_is(&s->opcode, "bar.warp.sync")) return pto_ptx_step(x, s, &step);
    if (!pto_token_is(&s->opcode, "bar.sync") && !pto_token_is(&s->opcode, "barrier.sync") &&
        !pto_token_is(&s->opcode, "barrier.sync.aligned") && !pto_token_is(&s->opcode, "bar.cta.sync") &&
        !pto_token_is(&s->opcode, "barrier.cta.sync") &&
        !pto_token_is(&s->opcode, "barrier.cta.sync.aligned"))
        return pto_text_error(&x->text, &s->opcode,
                              "of the barriers, only bar.sync and bar.warp.sync are supported");
    if (s->operand[0].kind != OPERAND_NUMBER ||
        pto_number_bits(&s->operand[0].token, false, PTO_U32, &number) || number >= BARRIERS)
        return pto_text_error(&x->text, &s->operand[0].token, "expected the number of a barrier, 0 to 15");
    step.parameters.barrier = (uint32_t)number;
    return pto_ptx_step(x, s, &step);
}

static bool make_trap(struct ptx *x, const struct statement *s) {
    struct step step = pto_step_of(NULL, s->opcode.line);
    step.kind = STEP_TRAP;
    return check_count(x, s, 0) && pto_ptx_step(x, s, &step);
}

/* Fences and prefetches: all accesses here take effect in the order of the text. */
static bool make_nothing(struct ptx *x, const struct statement *s) {
    (void)x, (void)s;
    return true;
}

/* ---- the table ---- */

static const struct {
    const char *name;
    bool (*make)(struct ptx *x, const struct statement *s);
} instructions[] = {
    {"ld", make_load},
    {"ldu", make_load},
    {"st", make_store},
    {"cvta", make_cvta},
    {"bar", make_barrier},
    {"barrier", make_barrier},
    {"trap", make_trap},
    {"membar", make_nothing},
    {"fence", make_nothing},
    {"prefetch", make_nothing},
    {"prefetchu", make_nothing},
    {"shfl", pto_ptx_make_warp},
    {"vote", pto_ptx_make_warp},
    {"activemask", pto_ptx_make_warp},
    {"match", pto_ptx_make_warp},
    {"elect", pto_ptx_make_warp},
    {"redux", pto_ptx_make_warp},
    {"atom", pto_ptx_make_atom},
    {"red", pto_ptx_make_red},
};

enum { INSTRUCTIONS = sizeof instructions / sizeof instructions[0] };

static size_t row_of(const struct token *opcode) {
    const char *dot = memchr(opcode->at, '.', opcode->length);
    const struct opcode_word name = {opcode->at, dot ? (size_t)(dot - opcode->at) : opcode->length};
    size_t i = 0;
    while (i < INSTRUCTIONS && !pto_word_is(&name, instructions[i].name)) i++;
    return i;
}

bool pto_ptx_is_kernel_opcode(const struct token *opcode) {
    return row_of(opcode) < INSTRUCTIONS;
}

bool pto_ptx_kernel_instruction(struct ptx *x, const struct statement *s) {
    return instructions[row_of(&s->opcode)].make(x, s);
}
