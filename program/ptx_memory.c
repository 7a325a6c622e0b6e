/* SPDX-License-Identifier: MIT */
/* The PTX instructions that only kernels have: loads, stores, conversions of addresses, barriers and trap.
 * Also the table of all such instructions. */
#include "ptx.h"

#include "number.h"

#include <string.h>

/* ---- loads and stores ---- */

static bool is_memory_type(pto_dtype type) {
    return pto_is_untyped(type) || pto_is_integer(type) || type == PTO_F32 || type == PTO_F64;
}

/* Returns the requirement on the register of an element, which may be wider than the element. */
static struct requirement requirement_of(pto_dtype type) {
    return (struct requirement){.type = type, .wider = true};
}

/* Returns the register of an element, or ABSENT for the sink of a load. A store takes no address and no special
 * register. */
static int element_register(struct ptx *x, const struct part *part, struct requirement need, bool is_load) {
    const struct token *name = &part->token;
    if (is_load && part->is_number) {
        (void)pto_text_error(&x->text, name, "expected a register to write");
        return ABSENT;
    }
    if (is_load) return pto_ptx_part_result(x, name, need);
    if (!part->is_number && (pto_ptx_is_special(x, name) || pto_ptx_symbol(x, name))) {
        (void)pto_text_error(&x->text, name, "expected a register or a number");
        return ABSENT;
    }
    return pto_ptx_part_source(x, part, need);
}

/* Sets `regs` to the registers of the elements: one register, or a group of m->count registers in braces. */
static bool element_registers(struct ptx *x, const struct operand *o, const struct memory_parameters *m,
                              bool is_load, int *regs) {
    const struct requirement need = requirement_of(m->type);
    const struct part one = {o->token, o->kind == OPERAND_NUMBER, o->number};
    const bool is_one = o->kind == OPERAND_NUMBER || (o->kind == OPERAND_NAME && !o->negated);
    const size_t count = o->kind == OPERAND_GROUP ? o->count : is_one;
    size_t bits = 0;
    if (count != m->count || (is_one && count != 1) || (is_one && m->count != 1))
        return pto_text_error(&x->text, &o->token, "expected %u registers in braces", m->count);
    for (size_t i = 0; i < count; i++) {
        const struct part *part = is_one ? &one : &o->part[i];
        size_t is;
        regs[i] = element_register(x, part, need, is_load);
        if (x->text.failed) return false;
        if (regs[i] == ABSENT || part->is_number) continue;
        is = pto_reg_bits(&x->program->regs[regs[i]]);
        if (bits != 0 && is != bits)
            return pto_text_error(&x->text, &part->token, "expected registers of one width");
        bits = is;
    }
    return bits != 0 || !is_load || pto_text_error(&x->text, &o->token, "expected a register to write");
}

static bool make_access(struct ptx *x, const struct statement *s, unsigned user) {
    const bool is_load = user != PTX_ST;
    struct step step = pto_step_of(NULL, s->opcode.line);
    struct memory_parameters m = {.count = 1};
    struct access a;
    step.kind = is_load ? STEP_LOAD : STEP_STORE;
    if (!pto_ptx_access(x, &s->opcode, user, &m, &a)) return false;
    if (!is_memory_type(m.type))
        return pto_text_error(&x->text, &s->opcode, "memory has no elements of this type");
    if (!pto_ptx_hint(x, s, &a, 2)) return false;
    step.src[0] = pto_ptx_address(x, &s->operand[is_load ? 1 : 0], m.space, &m.offset);
    if (step.src[0] == ABSENT) return false;
    if (!element_registers(x, &s->operand[is_load ? 0 : 1], &m, is_load, is_load ? step.dst : step.src + 1))
        return false;
    step.parameters.memory = m;
    return pto_ptx_step(x, s, &step);
}

static bool make_load(struct ptx *x, const struct statement *s) {
    return make_access(x, s, PTX_LD);
}

static bool make_uniform_load(struct ptx *x, const struct statement *s) {
    return make_access(x, s, PTX_LDU);
}

static bool make_store(struct ptx *x, const struct statement *s) {
    return make_access(x, s, PTX_ST);
}

/* ---- conversions of addresses ---- */

/* Returns the generic address of offset 0 in shared or local memory, where the addresses of these spaces are
 * offsets; 0 for other spaces. */
static uint64_t window_of(enum space space) {
    if (space == SPACE_SHARED) return (uint64_t)WINDOW_SHARED << WINDOW_SHIFT;
    return space == SPACE_LOCAL ? (uint64_t)WINDOW_LOCAL << WINDOW_SHIFT : 0;
}

static bool make_cvta(struct ptx *x, const struct statement *s) {
    struct step step = pto_step_of(pto_step_mov, s->opcode.line);
    struct opcode_word w = {NULL, 0};
    enum space space = SPACE_GENERIC;
    bool to_space, good, has_type = false;
    uint64_t window;
    good = pto_word_next(&s->opcode, &w);
    to_space = good && pto_word_is(&w, "to");
    if (to_space) good = pto_word_next(&s->opcode, &w);
    for (size_t i = 0; i < 2 && good; i++) { /* the space and the type, in any order */
        good = pto_word_is(&w, "u64") ? !has_type : pto_word_space(&w, &space) && i == has_type;
        has_type = has_type || pto_word_is(&w, "u64");
        if (i == 0) good = good && pto_word_next(&s->opcode, &w);
    }
    if (!good || !has_type || pto_word_next(&s->opcode, &w))
        return pto_text_error(&x->text, &s->opcode, "expected cvta[.to], a space and .u64");
    if (!pto_ptx_operand_count(x, s, 2)) return false;
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

static bool is_block_barrier(const struct token *opcode) {
    static const char *const forms[] = {"bar.sync",
                                        "bar.cta.sync",
                                        "barrier.sync",
                                        "barrier.sync.aligned",
                                        "barrier.aligned.sync",
                                        "barrier.cta.sync",
                                        "barrier.cta.sync.aligned",
                                        "barrier.cta.aligned.sync"};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (pto_token_is(opcode, forms[i])) return true;
    return false;
}

/* Appends the step of a barrier. At bar.warp.sync, lanes wait until no other lane of the group can run, which
 * is longer than PTX requires. */
static bool make_barrier(struct ptx *x, const struct statement *s) {
    enum { BARRIERS = 16 };
    const bool is_warp = pto_token_is(&s->opcode, "bar.warp.sync");
    struct step step = pto_step_of(NULL, s->opcode.line);
    uint64_t number = 0;
    step.kind = STEP_BARRIER;
    step.parameters.barrier = WARP_BARRIER;
    if (!is_warp && !is_block_barrier(&s->opcode))
        return pto_text_error(&x->text, &s->opcode,
                              "of the barriers, only bar.sync and bar.warp.sync are supported");
    if (!pto_ptx_operand_count(x, s, 1)) return false;
    if (is_warp)
        return pto_ptx_source(x, &s->operand[0], (struct requirement){.type = PTO_U32, .plain = true}) !=
                   ABSENT &&
               pto_ptx_step(x, s, &step);
    if (s->operand[0].kind != OPERAND_NUMBER ||
        pto_number_bits(&s->operand[0].token, false, PTO_U32, &number) || number >= BARRIERS)
        return pto_text_error(&x->text, &s->operand[0].token, "expected the number of a barrier, 0 to 15");
    step.parameters.barrier = (uint32_t)number;
    return pto_ptx_step(x, s, &step);
}

static bool make_trap(struct ptx *x, const struct statement *s) {
    struct step step = pto_step_of(NULL, s->opcode.line);
    step.kind = STEP_TRAP;
    return pto_ptx_operand_count(x, s, 0) && pto_ptx_step(x, s, &step);
}

/* ---- fences and prefetches: all accesses here take effect in the order of the text ---- */

/* Counts the words of an opcode that are among `texts`, which ends with NULL. */
static size_t count_words(const struct token *opcode, const char *const *texts) {
    struct opcode_word w = {NULL, 0};
    size_t count = 0;
    while (pto_word_next(opcode, &w)) count += !texts || pto_word_is_one_of(&w, texts);
    return count;
}

static bool make_membar(struct ptx *x, const struct statement *s) {
    static const char *const levels[] = {"cta", "gl", "sys", NULL};
    if (count_words(&s->opcode, levels) != 1 || count_words(&s->opcode, NULL) != 1)
        return pto_text_error(&x->text, &s->opcode, "expected .cta, .gl or .sys");
    return pto_ptx_operand_count(x, s, 0);
}

/* Fences between proxies and of barriers in memory concern units that the CPU does not have. */
static bool make_fence(struct ptx *x, const struct statement *s) {
    static const char *const scopes[] = {"cta", "cluster", "gpu", "sys", NULL}, *const orders[] = {
                                                                                    "sc", "acq_rel",
                                                                                    "acquire", "release",
                                                                                    NULL};
    const size_t with_order = count_words(&s->opcode, orders);
    struct opcode_word w = {NULL, 0};
    if (pto_word_next(&s->opcode, &w) &&
        ((w.length >= 5 && memcmp(w.at, "proxy", 5) == 0) || pto_word_is(&w, "mbarrier_init")))
        return true;
    if (with_order > 1 || count_words(&s->opcode, scopes) != 1 ||
        count_words(&s->opcode, NULL) != with_order + 1)
        return pto_text_error(&x->text, &s->opcode,
                              "expected at most one order and a scope, such as .acq_rel.gpu");
    return pto_ptx_operand_count(x, s, 0);
}

static bool make_prefetch(struct ptx *x, const struct statement *s) {
    static const char *const levels[] = {"L1", "L2", "L2::evict_last", "L2::evict_normal", NULL},
                             *const spaces[] = {"global", "local", NULL};
    const size_t with_space = count_words(&s->opcode, spaces);
    int64_t offset;
    if (with_space > 1 || count_words(&s->opcode, levels) != 1 ||
        count_words(&s->opcode, NULL) != with_space + 1)
        return pto_text_error(&x->text, &s->opcode, "expected at most one space and a level of cache");
    return pto_ptx_operand_count(x, s, 1) &&
           pto_ptx_address(x, &s->operand[0], SPACE_GENERIC, &offset) != ABSENT;
}

/* ---- the table ---- */

static const struct {
    const char *name;
    bool (*make)(struct ptx *x, const struct statement *s);
} instructions[] = {
    {"ld", make_load},
    {"ldu", make_uniform_load},
    {"st", make_store},
    {"cvta", make_cvta},
    {"bar", make_barrier},
    {"barrier", make_barrier},
    {"trap", make_trap},
    {"membar", make_membar},
    {"fence", make_fence},
    {"prefetch", make_prefetch},
    {"prefetchu", make_prefetch},
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
