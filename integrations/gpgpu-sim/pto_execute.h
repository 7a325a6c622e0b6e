/* SPDX-License-Identifier: MIT */
/* Executes instructions of PTX in GPGPU-Sim's functional simulator by libpto. README.md says how to call it. */
#ifndef PTO_EXECUTE_H
#define PTO_EXECUTE_H

class ptx_instruction;
class ptx_thread_info;

/* Executes the instruction in this thread, and returns true. Returns false, without an effect, for an instruction that
 * is left to the simulator: a type of instruction that pto_execute.cc does not list, memory operands, special
 * registers, carries, PTXPlus, or text that libpto refuses. The guard predicate is not read. */
bool pto_execute(const ptx_instruction *instruction, ptx_thread_info *thread);

/* Whether pto_execute() executes anything. It is true at first, unless the environment variable PTO_GPGPUSIM is 0. */
bool pto_execute_enabled();
void pto_execute_enable(bool on);

#endif
