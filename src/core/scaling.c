/* SPDX-License-Identifier: MIT */
/* The properties of the block scaling rules. */
#include "core/scaling.h"

/* docs/block-scaling.md names the users of each rule. Fields left out mean: no second level, elements are multiplied,
 * and false. */
const struct block_rule pto_block_rules[BLOCK_RULE_COUNT] = {
    [PTO_MX_FLOOR] = {.name = "mx.floor", .family = FAMILY_MX, .propagates_nan = true},
    [PTO_MX_CEIL] = {.name = "mx.ceil", .family = FAMILY_MX, .propagates_nan = true},
    [PTO_MX_EVEN] = {.name = "mx.even", .family = FAMILY_MX, .propagates_nan = true},
    [PTO_MX_EVEN1] = {.name = "mx.even1", .family = FAMILY_MX, .propagates_nan = true, .e4m3_only = true},
    [PTO_MX_RCEIL] = {.name = "mx.rceil", .family = FAMILY_MX, .propagates_nan = true},
    [PTO_MX_RCEIL_SAT] = {.name = "mx.rceil.sat", .family = FAMILY_MX},

    [PTO_NV_TE] = {.name = "nv.te", .family = FAMILY_NV, .level = LEVEL_A},
    [PTO_NV_RCP] = {.name = "nv.rcp", .family = FAMILY_NV, .level = LEVEL_DIVISOR},
    [PTO_NV_AO] = {.name = "nv.ao", .family = FAMILY_NV, .level = LEVEL_MULTIPLIER, .propagates_nan = true},
    [PTO_NV_MODELOPT] = {.name = "nv.modelopt",
                         .family = FAMILY_NV,
                         .level = LEVEL_MULTIPLIER,
                         .scale_op = SCALE_DIVIDE,
                         .propagates_nan = true},
    [PTO_NV_CT] = {.name = "nv.ct",
                   .family = FAMILY_NV,
                   .level = LEVEL_DIVISOR,
                   .scale_op = SCALE_DIVIDE,
                   .propagates_nan = true},

    [PTO_FP8_DIV] = {.name = "fp8.div",
                     .family = FAMILY_FP8,
                     .scale_op = SCALE_DIVIDE,
                     .takes_pow2 = true,
                     .takes_eps = true},
    [PTO_FP8_RCP] = {.name = "fp8.rcp",
                     .family = FAMILY_FP8,
                     .propagates_nan = true,
                     .takes_pow2 = true,
                     .takes_eps = true},
    [PTO_FP8_MUL] = {.name = "fp8.mul", .family = FAMILY_FP8, .takes_eps = true},
    [PTO_FP8_TE] = {.name = "fp8.te", .family = FAMILY_FP8, .takes_pow2 = true, .takes_eps = true},
    [PTO_FP8_CT] = {.name = "fp8.ct",
                    .family = FAMILY_FP8,
                    .scale_op = SCALE_DIVIDE_CAST,
                    .propagates_nan = true,
                    .e4m3_only = true},
};
