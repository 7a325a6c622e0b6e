/* SPDX-License-Identifier: MIT */
/* Reads and sets the floating-point state. */
#include "support/fpstate.h"

#include <stdio.h>

bool fp_state_same(const struct fp_state *a, const struct fp_state *b) {
    return a->control == b->control && a->status == b->status && a->x87 == b->x87;
}

#if defined(__x86_64__) || defined(__i386__)

#    include <xmmintrin.h>

enum { MXCSR_FLAGS = 0x3f, MXCSR_DAZ = 0x40, MXCSR_MASKS = 0x1f80, MXCSR_FTZ = 0x8000, MXCSR_RC_SHIFT = 13 };

static uint64_t x87_words(void) {
    /* cppcheck-suppress constVariable ; the assembler writes it */
    uint32_t image[7] = {0}; /* control, status, tag, and four words about the last instruction */
    /* fnstenv also masks all exceptions; fldenv restores them. */
    __asm__ volatile("fnstenv %0\n\tfldenv %0" : "=m"(image));
    return (uint64_t)(image[0] & 0xffff) << 32 | (image[1] & 0xffff) << 16 | (image[2] & 0xffff);
}

struct fp_state fp_state_get(void) {
    struct fp_state state;
    const uint32_t mxcsr = _mm_getcsr();
    state.control = mxcsr & ~(uint32_t)MXCSR_FLAGS;
    state.status = mxcsr & MXCSR_FLAGS;
    state.x87 = x87_words();
    return state;
}

void fp_state_set(const struct fp_state *state) {
    _mm_setcsr((uint32_t)(state->control | state->status));
}

/** number = rounding (4) x flushing (4) x unmasked (2) x sticky flags set (2) */
bool fp_state_hostile(size_t number, struct fp_state *state, const char **title) {
    static char text[96];
    static const char *const roundings[] = {"nearest", "down", "up", "to zero"};
    const size_t rounding = number % 4;
    const size_t flushing = number / 4 % 4;
    const size_t unmasked = number / 16 % 2;
    const size_t sticky = number / 32;

    if (sticky > 1) return false;
    state->control = rounding << MXCSR_RC_SHIFT | (flushing & 1 ? MXCSR_FTZ : 0) |
                     (flushing & 2 ? MXCSR_DAZ : 0) | (unmasked ? 0 : MXCSR_MASKS);
    state->status = sticky ? MXCSR_FLAGS : 0;
    state->x87 = x87_words();
    snprintf(text, sizeof text, "rounding %s%s%s%s%s", roundings[rounding], flushing & 1 ? ", FTZ" : "",
             flushing & 2 ? ", DAZ" : "", unmasked ? ", exceptions unmasked" : "",
             sticky ? ", flags set" : "");
    *title = text;
    return true;
}

#elif defined(__aarch64__)

enum {
    FPCR_FIZ = 1 << 0,
    FPCR_AH = 1 << 1,
    FPCR_NEP = 1 << 2,
    FPCR_TRAPS = 0x9f00,
    FPCR_FZ16 = 1 << 19,
    FPCR_RMODE_SHIFT = 22,
    FPCR_FZ = 1 << 24,
    FPCR_DN = 1 << 25,
    FPCR_AHP = 1 << 26,
    FPSR_FLAGS = 0x9f,
    FPSR_QC = 1 << 27
};

struct fp_state fp_state_get(void) {
    struct fp_state state = {0, 0, 0};
    __asm__ volatile("mrs %0, fpcr" : "=r"(state.control));
    __asm__ volatile("mrs %0, fpsr" : "=r"(state.status));
    return state;
}

void fp_state_set(const struct fp_state *state) {
    __asm__ volatile("msr fpcr, %0" : : "r"(state->control));
    __asm__ volatile("msr fpsr, %0" : : "r"(state->status));
}

/** Returns which of these control bits the CPU actually stores. */
static uint64_t stored_bits(uint64_t control) {
    const struct fp_state before = fp_state_get();
    struct fp_state wanted = before;
    uint64_t got;
    wanted.control = control;
    fp_state_set(&wanted);
    got = fp_state_get().control;
    fp_state_set(&before);
    return got;
}

/** number = rounding (4) x flushing and NaN bits (6) x traps (2) x sticky flags set (2) */
bool fp_state_hostile(size_t number, struct fp_state *state, const char **title) {
    static char text[96];
    static const char *const roundings[] = {"nearest", "up", "down", "to zero"};
    static const uint64_t bits[] = {
        0,       FPCR_FZ, FPCR_FZ16,
        FPCR_DN, FPCR_AH, FPCR_FZ | FPCR_FZ16 | FPCR_DN | FPCR_AHP | FPCR_FIZ | FPCR_NEP};
    static const char *const names[] = {"", ", FZ", ", FZ16", ", DN", ", AH", ", FZ FZ16 DN AHP FIZ NEP"};
    enum { SETS = sizeof bits / sizeof bits[0] };
    const size_t rounding = number % 4;
    const size_t set = number / 4 % SETS;
    const size_t traps = number / (4 * SETS) % 2;
    const size_t sticky = number / (8 * SETS);

    if (sticky > 1) return false;
    state->control =
        stored_bits((uint64_t)rounding << FPCR_RMODE_SHIFT | bits[set] | (traps ? FPCR_TRAPS : 0));
    state->status = sticky ? FPSR_FLAGS | FPSR_QC : 0;
    state->x87 = 0;
    snprintf(text, sizeof text, "rounding %s%s%s%s", roundings[rounding], names[set], traps ? ", traps" : "",
             sticky ? ", flags set" : "");
    *title = text;
    return true;
}

#else

/* Other CPUs use <fenv.h>: ISO C defines only the rounding mode and the flags. */
#    include <fenv.h>

static const int roundings[] = {
    FE_TONEAREST,
#    ifdef FE_DOWNWARD
    FE_DOWNWARD,
#    endif
#    ifdef FE_UPWARD
    FE_UPWARD,
#    endif
#    ifdef FE_TOWARDZERO
    FE_TOWARDZERO,
#    endif
};
enum { ROUNDINGS = sizeof roundings / sizeof roundings[0] };

struct fp_state fp_state_get(void) {
    const struct fp_state state = {(uint64_t)fegetround(), (uint64_t)fetestexcept(FE_ALL_EXCEPT), 0};
    return state;
}

void fp_state_set(const struct fp_state *state) {
    fesetround((int)state->control);
    feclearexcept(FE_ALL_EXCEPT);
    feraiseexcept((int)state->status);
}

/** number = rounding x sticky flags set (2) */
bool fp_state_hostile(size_t number, struct fp_state *state, const char **title) {
    static char text[64];
    const size_t rounding = number % ROUNDINGS, sticky = number / ROUNDINGS;
    if (sticky > 1) return false;
    state->control = (uint64_t)roundings[rounding];
    state->status = sticky ? FE_ALL_EXCEPT : 0;
    state->x87 = 0;
    snprintf(text, sizeof text, "rounding mode %d%s", roundings[rounding], sticky ? ", flags set" : "");
    *title = text;
    return true;
}

#endif

void fp_states_collect(struct fp_states *states, bool quick) {
    const char *title;
    states->count = 0;
    for (size_t i = 0; states->count < FP_STATES_MAX; i += quick ? 7 : 1) {
        if (!fp_state_hostile(i, &states->state[states->count], &title)) break;
        snprintf(states->title[states->count++], FP_STATES_TITLE, "%s", title);
    }
}
