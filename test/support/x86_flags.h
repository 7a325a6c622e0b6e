/* SPDX-License-Identifier: MIT */
/**
 * @file x86_flags.h
 * The real instructions of an x86-64: CMP, TEST, UCOMISS and UCOMISD with the flags they leave, and each
 * SETcc mnemonic on given flags. Elsewhere x86_flags_here() is false and nothing else may be called.
 */
#ifndef PTO_TEST_X86_FLAGS_H
#define PTO_TEST_X86_FLAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool x86_flags_here(void);

/** EFLAGS, of which CF PF AF ZF SF OF only, after the instruction on operands of 1, 2, 4 or 8 bytes. AF after
 * TEST, which is undefined, is given as 0. */
uint32_t x86_cmp(size_t size, uint64_t a, uint64_t b);
uint32_t x86_test(size_t size, uint64_t a, uint64_t b);
uint32_t x86_ucomiss(float a, float b);
uint32_t x86_ucomisd(double a, double b);

/** The byte that the assembler's mnemonic sets. x86_mnemonic_names[i] names the i-th. */
enum { X86_MNEMONICS = 30 };
extern const char *const x86_mnemonic_names[X86_MNEMONICS];
uint8_t x86_setcc(size_t mnemonic, uint32_t eflags);

#endif
