/* SPDX-License-Identifier: MIT */
/* Finds the parameters of a kernel that are pointers, by following addresses back through the steps that
 * compute them. */
#include "launch.h"

#include "steps.h"

#include <stdlib.h>

/* Uses of the value of a register: as an address of global memory, and to store there. */
enum { USED_AS_ADDRESS = 1, USED_TO_STORE = 2 };

/* Adds a use to a register of 64 bits. Returns whether the register did not have it before. Ignores other
 * registers. */
static bool add_use(const struct ptx_kernel *k, unsigned char *uses, int reg, unsigned char use) {
    if (reg == ABSENT || k->code.regs[reg].predicate || pto_reg_bits(&k->code.regs[reg]) != 64) return false;
    if ((uses[reg] | use) == uses[reg]) return false;
    uses[reg] |= use;
    return true;
}

static bool is_global(enum space space) {
    return space == SPACE_GLOBAL || space == SPACE_GENERIC;
}

/* Adds the uses that follow from a step: the address of a load or store is used as an address; and if a step
 * copies, selects, adds or subtracts, its sources have the uses of the result. Returns whether a register has
 * a new use. */
static bool pass_back(const struct ptx_kernel *k, const struct step *s, unsigned char *uses) {
    const unsigned char use = s->dst[0] == ABSENT ? 0 : uses[s->dst[0]];
    const bool is_access = s->kind == STEP_LOAD || s->kind == STEP_STORE || s->kind == STEP_ATOMIC;
    bool changed = false;
    if (is_access && is_global(s->parameters.memory.space))
        changed = add_use(k, uses, s->src[0],
                          s->kind == STEP_LOAD ? USED_AS_ADDRESS : USED_AS_ADDRESS | USED_TO_STORE);
    if (s->kind != STEP_COMPUTE || use == 0) return changed;
    if (s->run == pto_step_mov || s->run == pto_step_add || s->run == pto_step_sub || s->run == pto_step_selp)
        changed |= add_use(k, uses, s->src[0], use);
    if (s->run == pto_step_integer && s->parameters.integer.op == INTEGER_MAD_WIDE)
        changed |= add_use(k, uses, s->src[2], use);
    if (s->run == pto_step_add || s->run == pto_step_selp) changed |= add_use(k, uses, s->src[1], use);
    return changed;
}

/* Returns the parameter that a step loads, or NULL. */
static pto_parameter *loaded_parameter(const struct ptx_kernel *k, const struct step *s) {
    const struct reg *address;
    if (s->kind != STEP_LOAD || s->parameters.memory.space != SPACE_PARAMETER) return NULL;
    address = &k->code.regs[s->src[0]];
    for (size_t i = 0; i < k->parameter_count; i++)
        if (address->kind == REG_CONSTANT &&
            address->value + (uint64_t)s->parameters.memory.offset == k->places[i])
            return &k->parameters[i];
    return NULL;
}

bool pto_kernel_mark_pointers(struct ptx_kernel *k) {
    unsigned char *uses = calloc(k->code.reg_count + 1, 1);
    bool changed = uses != NULL;
    if (!uses) return false;
    while (changed) {
        changed = false;
        for (size_t i = k->code.step_count; i-- > 0;) changed |= pass_back(k, &k->code.steps[i], uses);
    }
    for (size_t i = 0; i < k->code.step_count; i++) {
        const struct step *s = &k->code.steps[i];
        pto_parameter *p = loaded_parameter(k, s);
        if (!p || s->dst[0] == ABSENT) continue;
        p->pointer |= uses[s->dst[0]] != 0;
        p->written |= (uses[s->dst[0]] & USED_TO_STORE) != 0;
    }
    free(uses);
    return true;
}
