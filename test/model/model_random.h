/* SPDX-License-Identifier: MIT */
/** @file model_random.h
 * The model of Philox4x32-10, as described in the paper (Salmon, Moraes, Dror and Shaw, SC11, section 4.3).
 * Multiplication is built from 16-bit halves. */
#ifndef PTO_TEST_MODEL_RANDOM_H
#define PTO_TEST_MODEL_RANDOM_H

#include <pto/pto.h>

/** Computes one block of four words. */
void model_random_block(const uint32_t key[2], const uint32_t counter[4], uint32_t block[4]);

/** Computes counter + blocks with 128 bits. `next` may be `counter`. */
void model_random_counter(const uint32_t counter[4], uint64_t blocks, uint32_t next[4]);

/** Computes n words from `counter` on. */
void model_random_words(const uint32_t key[2], const uint32_t counter[4], uint32_t *words, size_t n);

#endif
