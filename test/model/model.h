/* SPDX-License-Identifier: MIT */
/** @file model.h
 * The model, which is slow but simple. It was written from the documents independently of the library and shares
 * only its public enums. Elements are converted to C numbers and compared as such; operators are the tables of PTX
 * ISA 9.3.1. Masks are read and written bit by bit, from the table of kinds in mask.h. Call it only in the default
 * floating-point state, and never compile it with -ffast-math. */
#ifndef PTO_TEST_MODEL_H
#define PTO_TEST_MODEL_H

#include <pto/pto.h>

/* MODEL_DTYPES counts all members of pto_dtype. MODEL_TYPES of them are compared and selected: the one-lane types and
 * small floats. */
enum { MODEL_DTYPES = 46, MODEL_TYPES = 27, MODEL_OPS = 18, MODEL_KINDS = 6 };

/** The relation of two operands. The first may be less than the second, equal to it, greater, or one may be a NaN. */
enum model_relation { MODEL_LESS, MODEL_EQUAL, MODEL_GREATER, MODEL_UNORDERED };

/** An element as C numbers. Its type determines which member is used. */
struct model_value {
    double real;
    int64_t integer;
    uint64_t unsigned_integer;
    bool nan;
};

/** The one-lane types in the order of types.h, then the small floats. All tests enumerate types from this list. */
extern const pto_dtype model_types[MODEL_TYPES];

/** Whether compare and select take the type. */
bool model_has_type(pto_dtype type);

/** The size of an element in bytes, or 0 for a type that compare and select do not take. */
size_t model_size(pto_dtype type);

bool model_is_float(pto_dtype type);

/** Whether the type is a float of at most 8 bits. */
bool model_is_small(pto_dtype type);

/** The sign bit of a floating-point type. The bits above it are ignored. */
uint64_t model_sign_bit(pto_dtype type);
bool model_has_op(pto_dtype type, pto_cmp op);
bool model_has_ftz(pto_dtype type);

/** The widths of the fields of a floating-point type; 0 for other types. */
int model_exponent_bits(pto_dtype type);
int model_fraction_bits(pto_dtype type);

/** Returns "lt" and so on, or "?" for an invalid operator. */
const char *model_op_name(pto_cmp op);

struct model_value model_decode(pto_dtype type, bool ftz, const void *element);
enum model_relation model_relate(pto_dtype type, const struct model_value *a, const struct model_value *b);
bool model_holds(pto_cmp op, enum model_relation relation);

/** Applies model_relate() to n lanes. If `one_b` is true, all lanes of a are related to b[0]. */
void model_relations(pto_dtype type, const struct model_value *a, const struct model_value *b, bool one_b,
                     unsigned char *relation, size_t n);

/** Returns the operator's row of the table, indexed by relation. */
void model_truth_row(pto_cmp op, bool truth_row[4]);

/** Returns a CMP b: model_decode(), model_relate() and model_holds() in one call. */
bool model_compare(pto_dtype type, pto_cmp op, bool ftz, const void *a, const void *b);

/** Returns one lane of pto_vcmp()'s result, given the comparison, the seed and the old result. */
bool model_vcmp_lane(bool holds, bool seed, bool merge, bool old);

const char *model_kind_name(pto_mask_kind kind);

/** Returns the predicate image kind (PTO_MASK_B8 to PTO_MASK_B64) for elements of this type. */
pto_mask_kind model_image_kind(pto_dtype type);

/** The number of bits per lane. */
size_t model_lane_bits(pto_mask_kind kind);

bool model_kind_fits(pto_mask_kind kind, pto_dtype type);
size_t model_mask_bytes(pto_mask_kind kind, size_t n);
bool model_mask_get(pto_mask_kind kind, const void *image, size_t lane);

/** Sets one lane without changing the others. */
void model_mask_set(pto_mask_kind kind, void *image, size_t lane, bool on);

/** Writes n truth values as a mask of this kind, with exactly the bytes that the library must write. */
void model_mask_put(pto_mask_kind kind, void *image, const unsigned char *truth, size_t n);

#endif
