/* SPDX-License-Identifier: MIT */
/* The flags and conditions of a real x86-64 CPU. */
#include "support/x86_flags.h"

/* clang-format off */
#define MNEMONICS(X) \
    X(0, seta) X(1, setae) X(2, setb) X(3, setbe) X(4, setc) \
    X(5, sete) X(6, setg) X(7, setge) X(8, setl) X(9, setle) \
    X(10, setna) X(11, setnae) X(12, setnb) X(13, setnbe) X(14, setnc) \
    X(15, setne) X(16, setng) X(17, setnge) X(18, setnl) X(19, setnle) \
    X(20, setno) X(21, setnp) X(22, setns) X(23, setnz) X(24, seto) \
    X(25, setp) X(26, setpe) X(27, setpo) X(28, sets) X(29, setz)
/* clang-format on */

#define NAME(index, mnemonic) #mnemonic,
const char *const x86_mnemonic_names[X86_MNEMONICS] = {MNEMONICS(NAME)};

#if defined(__x86_64__)

enum { FLAGS = 0x8d5, AF = 0x10 };

bool x86_flags_here(void) {
    return true;
}

/* Uses PUSHF and POPF, because not every x86-64 CPU has LAHF and SAHF in 64-bit mode. The surrounding code may
 * have data in the 128 bytes below the stack pointer. LEA skips them without changing the flags. */
#    define FLAGS_TO(output)                                                                                 \
        "\n\tleaq -128(%%rsp), %%rsp\n\tpushfq\n\tpopq " output "\n\tleaq 128(%%rsp), %%rsp"
#    define FLAGS_FROM(input)                                                                                \
        "leaq -128(%%rsp), %%rsp\n\tpushq " input "\n\tpopfq\n\tleaq 128(%%rsp), %%rsp\n\t"

#    define FLAGS_OF(instruction, type, a, b)                                                                \
        do {                                                                                                 \
            uint64_t rflags;                                                                                 \
            const type left = (type)(a), right = (type)(b);                                                  \
            __asm__(instruction " %2, %1" FLAGS_TO("%0") : "=r"(rflags) : "q"(left), "q"(right) : "cc");     \
            return (uint32_t)rflags & FLAGS;                                                                 \
        } while (0)

uint32_t x86_cmp(size_t size, uint64_t a, uint64_t b) {
    switch (size) {
    case 1: FLAGS_OF("cmpb", uint8_t, a, b);
    case 2: FLAGS_OF("cmpw", uint16_t, a, b);
    case 4: FLAGS_OF("cmpl", uint32_t, a, b);
    default: FLAGS_OF("cmpq", uint64_t, a, b);
    }
}

static uint32_t test_flags(size_t size, uint64_t a, uint64_t b) {
    switch (size) {
    case 1: FLAGS_OF("testb", uint8_t, a, b);
    case 2: FLAGS_OF("testw", uint16_t, a, b);
    case 4: FLAGS_OF("testl", uint32_t, a, b);
    default: FLAGS_OF("testq", uint64_t, a, b);
    }
}

uint32_t x86_test(size_t size, uint64_t a, uint64_t b) {
    return test_flags(size, a, b) & ~(uint32_t)AF;
}

uint32_t x86_ucomiss(float a, float b) {
    uint64_t rflags;
    __asm__("ucomiss %2, %1" FLAGS_TO("%0") : "=r"(rflags) : "x"(a), "x"(b) : "cc");
    return (uint32_t)rflags & FLAGS;
}

uint32_t x86_ucomisd(double a, double b) {
    uint64_t rflags;
    __asm__("ucomisd %2, %1" FLAGS_TO("%0") : "=r"(rflags) : "x"(a), "x"(b) : "cc");
    return (uint32_t)rflags & FLAGS;
}

#    define SET(index, mnemonic)                                                                             \
    case index: __asm__(FLAGS_FROM("%1") #mnemonic " %0" : "=q"(byte) : "r"(rflags) : "cc"); break;

uint8_t x86_setcc(size_t mnemonic, uint32_t eflags) {
    const uint64_t rflags = eflags & FLAGS; /* the other bits, such as TF and DF, are 0 */
    uint8_t byte = 0;
    switch (mnemonic) { MNEMONICS(SET) }
    return byte;
}

#else

bool x86_flags_here(void) {
    return false;
}

uint32_t x86_cmp(size_t size, uint64_t a, uint64_t b) {
    (void)size, (void)a, (void)b;
    return 0;
}

uint32_t x86_test(size_t size, uint64_t a, uint64_t b) {
    (void)size, (void)a, (void)b;
    return 0;
}

uint32_t x86_ucomiss(float a, float b) {
    (void)a, (void)b;
    return 0;
}

uint32_t x86_ucomisd(double a, double b) {
    (void)a, (void)b;
    return 0;
}

uint8_t x86_setcc(size_t mnemonic, uint32_t eflags) {
    (void)mnemonic, (void)eflags;
    return 0;
}

#endif
