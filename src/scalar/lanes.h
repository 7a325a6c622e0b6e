/* SPDX-License-Identifier: MIT */
/*
 * Includes scalar/compare.h once for each lane type, with
 *   LANE          the type's name, as in LANE_f32
 *   TYPE          its storage, an integer type
 *   RELATE(a, b)  the enum outcome of comparing two TYPEs
 *   FLOATING      1 if operands can be unordered
 * scalar/compare.h undefines these macros.
 */
#include "scalar/relation.h"

#define LANE         u8
#define TYPE         u8
#define RELATE(a, b) relate_unsigned(a, b)
#define FLOATING     0
#include "scalar/compare.h"

#define LANE         u16
#define TYPE         u16
#define RELATE(a, b) relate_unsigned(a, b)
#define FLOATING     0
#include "scalar/compare.h"

#define LANE         u32
#define TYPE         u32
#define RELATE(a, b) relate_unsigned(a, b)
#define FLOATING     0
#include "scalar/compare.h"

#define LANE         u64
#define TYPE         u64
#define RELATE(a, b) relate_unsigned(a, b)
#define FLOATING     0
#include "scalar/compare.h"

#define LANE         s8
#define TYPE         s8
#define RELATE(a, b) relate_signed(a, b)
#define FLOATING     0
#include "scalar/compare.h"

#define LANE         s16
#define TYPE         s16
#define RELATE(a, b) relate_signed(a, b)
#define FLOATING     0
#include "scalar/compare.h"

#define LANE         s32
#define TYPE         s32
#define RELATE(a, b) relate_signed(a, b)
#define FLOATING     0
#include "scalar/compare.h"

#define LANE         s64
#define TYPE         s64
#define RELATE(a, b) relate_signed(a, b)
#define FLOATING     0
#include "scalar/compare.h"

#define LANE         f16
#define TYPE         u16
#define RELATE(a, b) relate_float(a, b, format_of(16, 10))
#define FLOATING     1
#include "scalar/compare.h"

#define LANE f16z
#define TYPE u16
#define RELATE(a, b)                                                                                         \
    relate_float(flush_subnormal(a, format_of(16, 10)), flush_subnormal(b, format_of(16, 10)),               \
                 format_of(16, 10))
#define FLOATING 1
#include "scalar/compare.h"

#define LANE         bf16
#define TYPE         u16
#define RELATE(a, b) relate_float(a, b, format_of(16, 7))
#define FLOATING     1
#include "scalar/compare.h"

#define LANE         f32
#define TYPE         u32
#define RELATE(a, b) relate_float(a, b, format_of(32, 23))
#define FLOATING     1
#include "scalar/compare.h"

#define LANE f32z
#define TYPE u32
#define RELATE(a, b)                                                                                         \
    relate_float(flush_subnormal(a, format_of(32, 23)), flush_subnormal(b, format_of(32, 23)),               \
                 format_of(32, 23))
#define FLOATING 1
#include "scalar/compare.h"

#define LANE         f64
#define TYPE         u64
#define RELATE(a, b) relate_float(a, b, format_of(64, 52))
#define FLOATING     1
#include "scalar/compare.h"
