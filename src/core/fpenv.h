/* SPDX-License-Identifier: MIT */
/*
 * Sets the floating-point state in which kernels run, and restores the caller's. Kernels need rounding to nearest,
 * masked exceptions, and subnormal operands either honoured or, for .ftz, flushed to zero.
 *
 * On x86 a caller in the default state pays for a read and a write of MXCSR, or, with kernels that raise no flag, for
 * four instructions. On other CPUs a write takes tens of cycles and a read takes few. There a caller in the default
 * state pays for two reads.
 *
 * The asm statements here clobber memory, so the compiler cannot move a kernel's loads and stores across them. It
 * cannot move the comparisons either, because these need the loaded values, and the stores need their results.
 */
#ifndef PTO_CORE_FPENV_H
#define PTO_CORE_FPENV_H

#include "core/kernels.h"

#if defined(__x86_64__) || defined(__SSE__)

/* MXCSR: bits 0-5 sticky flags, 6 DAZ, 7-12 exception masks, 13-14 rounding, 15 FTZ. */
enum { MXCSR_FLAGS = 0x3f, MXCSR_DAZ = 0x40, MXCSR_DEFAULT = 0x1f80 };

typedef struct fp_state {
    u32 mxcsr;
    bool changed;
} fp_state;

static inline u32 fp_get_mxcsr(void) {
    u32 x;
    __asm__ volatile("stmxcsr %0" : "=m"(x) : : "memory");
    return x;
}

static inline void fp_set_mxcsr(u32 x) {
    __asm__ volatile("ldmxcsr %0" : : "m"(x) : "memory");
}

static inline u32 fp_wanted(enum fp_requirement required) {
    return MXCSR_DEFAULT | (required == FP_FLUSH ? MXCSR_DAZ : 0);
}

/* Returns whether the current state treats subnormal operands as `required` demands. Kernels that raise no flag and do
 * not round need nothing else. The test rounds the smallest subnormal up: the result is 1.0, or 0 if operands are
 * flushed. ROUNDSS raises no flag here. Reading MXCSR instead can take three times as long as such a kernel on one
 * vector. Every CPU that has such kernels has SSE4.1, and so ROUNDSS. */
static inline bool fp_state_matches(enum fp_requirement required) {
    static const u32 least = 1;
    enum { UP_SILENTLY = 0xa };
    u32 up;
    __asm__ volatile("roundss %1, %2, %%xmm0\n\tmovd %%xmm0, %0"
                     : "=r"(up)
                     : "i"(UP_SILENTLY), "m"(least)
                     : "xmm0");
    return (up == 0) == (required == FP_FLUSH);
}

/* Enters the state that `required` names and returns the previous one. Exception flags that are set stay set. */
static inline fp_state fp_enter(enum fp_requirement required) {
    const u32 mxcsr = fp_get_mxcsr(), flags = mxcsr & MXCSR_FLAGS;
    const u32 wanted = fp_wanted(required);
    const fp_state saved = {mxcsr, mxcsr - flags != wanted};
    if (unlikely(saved.changed)) fp_set_mxcsr(wanted | flags);
    return saved;
}

/* Restores MXCSR without reading it first. A read would wait for the kernel's last instruction, and it would nearly
 * always show a flag that the kernel has set, so the write would be needed anyway. */
static inline void fp_leave(fp_state saved) {
    fp_set_mxcsr(saved.mxcsr);
}

/* Restores MXCSR after kernels that raise no flag, if fp_enter() changed it. MXCSR is not read, because a read would
 * wait for the kernel's last instruction. If fp_enter() was not called, `saved` is all zeros, and nothing is done. */
static inline void fp_leave_without_flags(fp_state saved) {
    if (unlikely(saved.changed)) fp_set_mxcsr(saved.mxcsr);
}

#elif defined(__aarch64__)

/* FPCR bit 24 (FZ) flushes f32 and f64 operands and results. In the default state all bits are 0. */
#    define FPCR_FZ ((u64)1 << 24)

typedef struct fp_state {
    u64 fpcr, fpsr;
    bool changed;
} fp_state;

static inline fp_state fp_get(void) {
    fp_state s = {0};
    __asm__ volatile("mrs %0, fpcr" : "=r"(s.fpcr) : : "memory");
    __asm__ volatile("mrs %0, fpsr" : "=r"(s.fpsr) : : "memory");
    return s;
}

static inline u64 fp_wanted(enum fp_requirement required) {
    return required == FP_FLUSH ? FPCR_FZ : 0;
}

static inline bool fp_state_matches(enum fp_requirement required) {
    return fp_get().fpcr == fp_wanted(required);
}

static inline fp_state fp_enter(enum fp_requirement required) {
    fp_state saved = fp_get();
    const u64 wanted = fp_wanted(required);
    saved.changed = saved.fpcr != wanted;
    if (saved.changed) __asm__ volatile("msr fpcr, %0" : : "r"(wanted) : "memory");
    return saved;
}

static inline void fp_leave(fp_state saved) {
    fp_state now = fp_get();
    if (now.fpcr != saved.fpcr) __asm__ volatile("msr fpcr, %0" : : "r"(saved.fpcr) : "memory");
    if (now.fpsr != saved.fpsr) __asm__ volatile("msr fpsr, %0" : : "r"(saved.fpsr) : "memory");
}

static inline void fp_leave_without_flags(fp_state saved) {
    if (saved.changed) __asm__ volatile("msr fpcr, %0" : : "r"(saved.fpcr) : "memory");
}

#elif defined(__riscv_flen)

/* RISC-V has no flush mode, so its backend tables have kernels that flush by integer operations. */

/* fcsr: bits 0-4 sticky flags, 5-7 rounding; the default state is rounding 0. Exceptions never trap. */
enum { FCSR_FLAGS = 0x1f };

typedef struct fp_state {
    unsigned long fcsr;
    bool changed;
} fp_state;

static inline unsigned long fp_get_fcsr(void) {
    unsigned long x;
    __asm__ volatile("frcsr %0" : "=r"(x) : : "memory");
    return x;
}

static inline void fp_set_fcsr(unsigned long x) {
    __asm__ volatile("fscsr %0" : : "r"(x) : "memory");
}

static inline bool fp_state_matches(enum fp_requirement required) {
    return required != FP_FLUSH && (fp_get_fcsr() & ~(unsigned long)FCSR_FLAGS) == 0;
}

/* Enters the default state and returns the previous one. Exception flags that are set stay set. */
static inline fp_state fp_enter(enum fp_requirement required) {
    const unsigned long fcsr = fp_get_fcsr(), flags = fcsr & FCSR_FLAGS;
    const fp_state saved = {fcsr, fcsr != flags};
    (void)required;
    if (unlikely(saved.changed)) fp_set_fcsr(flags);
    return saved;
}

static inline void fp_leave(fp_state saved) {
    if (unlikely(fp_get_fcsr() != saved.fcsr)) fp_set_fcsr(saved.fcsr);
}

static inline void fp_leave_without_flags(fp_state saved) {
    if (unlikely(saved.changed)) fp_set_fcsr(saved.fcsr);
}

#else

/* ISO C has no flush mode, so backend tables for such targets have kernels that flush by integer operations. */
#    include <fenv.h>

typedef struct fp_state {
    fenv_t env;
    bool changed;
} fp_state;

static inline bool fp_state_matches(enum fp_requirement required) {
    (void)required;
    return false;
}

static inline fp_state fp_enter(enum fp_requirement required) {
    fp_state saved;
    (void)required;
    fegetenv(&saved.env);
    saved.changed = true;
    fesetenv(FE_DFL_ENV);
    return saved;
}

static inline void fp_leave(fp_state saved) {
    fesetenv(&saved.env);
}

static inline void fp_leave_without_flags(fp_state saved) {
    if (saved.changed) fp_leave(saved);
}

#endif
#endif
