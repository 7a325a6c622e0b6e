/* SPDX-License-Identifier: MIT */
/* Arithmetic on floats or integers, by the loops of the active instruction set. */
#include "loops.h"

void pto_integers(const struct integer_parameters *p, const struct addresses *at, size_t n) {
    pto_loops()->integers(p, at, n);
}

static struct integer_parameters integer_parameters(enum arithmetic op,
                                                    const struct typed_parameters *typed) {
    static const enum integer_op integer_ops[] = {
        [ARITHMETIC_ADD] = INTEGER_ADD, [ARITHMETIC_SUB] = INTEGER_SUB, [ARITHMETIC_MUL] = INTEGER_MUL_LO,
        [ARITHMETIC_NEG] = INTEGER_NEG, [ARITHMETIC_ABS] = INTEGER_ABS, [ARITHMETIC_SHL] = INTEGER_SHL,
        [ARITHMETIC_SHR] = INTEGER_SHR};
    return (struct integer_parameters){.op = integer_ops[op],
                                       .bits = (unsigned)pto_dtype_bits(typed->type),
                                       .is_signed = pto_dtype_class(typed->type) == PTO_CLASS_SIGNED,
                                       .lane_elements = typed->elements_per_lane};
}

pto_status pto_arithmetic(enum arithmetic op, const struct typed_parameters *typed,
                          const struct addresses *at, size_t n) {
    struct integer_parameters parameters;
    if (pto_dtype_class(typed->type) == PTO_CLASS_FLOAT)
        return pto_floats(op, typed, at, n * typed->elements_per_lane);
    parameters = integer_parameters(op, typed);
    pto_integers(&parameters, at, n);
    return PTO_OK;
}

bool pto_arithmetic_prepare(enum arithmetic op, const struct typed_parameters *typed,
                            struct prepared *ready) {
    ready->is_float = pto_dtype_class(typed->type) == PTO_CLASS_FLOAT;
    if (!ready->is_float) {
        ready->integer = integer_parameters(op, typed);
        return true;
    }
    ready->operation = op;
    ready->each = typed->elements_per_lane;
    return op < ARITHMETIC_EX2 && !pto_is_directed(typed->round);
}
