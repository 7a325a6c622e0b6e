/* SPDX-License-Identifier: MIT */
/** @file x86_flags.h
 * The instructions of an x86-64 CPU: CMP, TEST, UCOMISS and UCOMISD with the flags that they set, and each SETcc
 * mnemonic on given flags. On other CPUs x86_flags_here() returns false, and no other function may be called. */
#ifndef PTO_TEST_X86_FLAGS_H
#define PTO_TEST_X86_FLAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool x86_flags_here(void);

/** Returns EFLAGS, reduced to CF, PF, AF, ZF, SF and OF, after the instruction on operands of 1, 2, 4 or 8 bytes.
 * AF is undefined after TEST and returned as 0. */
uint32_t x86_cmp(size_t size, uint64_t a, uint64_t b);
uint32_t x86_test(size_t size, uint64_t a, uint64_t b);
uint32_t x86_ucomiss(float a, float b);
uint32_t x86_ucomisd(double a, double b);

/** Returns the byte that the instruction sets. x86_mnemonic_names[i] is the name of mnemonic i. */
enum { X86_MNEMONICS = 30 };
extern const char *const x86_mnemonic_names[X86_MNEMONICS];
uint8_t x86_setcc(size_t mnemonic, uint32_t eflags);

#endif
