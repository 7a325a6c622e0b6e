// SPDX-License-Identifier: MIT
/// @file texts.h  Runs texts of PTX on the operands of a cell, as programs and as kernels of a module.
#ifndef PTO_BENCH_TEXTS_H
#define PTO_BENCH_TEXTS_H

#include "peers/contender.h"

namespace bench {

/// Whether libpto was built with programs. Without them the functions below do nothing or return PTO_ERR_ISA.
extern const bool has_texts;

/// Returns the description of a call that runs a text: BENCH_PROGRAM, BENCH_INSTRUCTION or BENCH_KERNEL.
bench_what run(bench_operation operation, const bench_text &text);

/// Runs args.what->text once as a program with the operands a, b and c, each if the text reads it, and the result d.
/// a and c are args.a.
pto_status program_once(const bench_args &args);

/// Runs the program repeatedly, as a user would: it is parsed and its memory is allocated before. A user reads the
/// result where the program has it. So only the first call for an instruction set, which is verified, copies its last
/// result to the place to which other contenders write.
void program_repeated(const bench_args *args, size_t repeat);

/// The same with a kernel of a module: one thread for each element loads a and b, runs the text and stores d. The
/// number of elements must be a multiple of 128, the threads of a block.
pto_status kernel_once(const bench_args &args);
void kernel_repeated(const bench_args *args, size_t repeat);

} // namespace bench

#endif
