/* SPDX-License-Identifier: MIT */
#include "core/scaling.h"

/* In the order of sections 2 to 4 of docs/block-scaling.md, which name the users of each. */
const struct block_rule pto_block_rules[PTO_BLOCK_RULES] = {
    [PTO_MX_FLOOR] = {"mx.floor", FAMILY_MX, LEVEL_NONE, STEP_TIMES, .keeps_nan = true},
    [PTO_MX_CEIL] = {"mx.ceil", FAMILY_MX, LEVEL_NONE, STEP_TIMES, .keeps_nan = true},
    [PTO_MX_EVEN] = {"mx.even", FAMILY_MX, LEVEL_NONE, STEP_TIMES, .keeps_nan = true},
    [PTO_MX_EVEN1] = {"mx.even1", FAMILY_MX, LEVEL_NONE, STEP_TIMES, .keeps_nan = true, .e4m3_alone = true},
    [PTO_MX_RCEIL] = {"mx.rceil", FAMILY_MX, LEVEL_NONE, STEP_TIMES, .keeps_nan = true},
    [PTO_MX_RCEIL_SAT] = {"mx.rceil.sat", FAMILY_MX, LEVEL_NONE, STEP_TIMES},

    [PTO_NV_TE] = {"nv.te", FAMILY_NV, LEVEL_A, STEP_TIMES},
    [PTO_NV_RCP] = {"nv.rcp", FAMILY_NV, LEVEL_DIVISOR, STEP_TIMES},
    [PTO_NV_AO] = {"nv.ao", FAMILY_NV, LEVEL_MULTIPLIER, STEP_TIMES, .keeps_nan = true},
    [PTO_NV_MODELOPT] = {"nv.modelopt", FAMILY_NV, LEVEL_MULTIPLIER, STEP_OVER, .keeps_nan = true},
    [PTO_NV_CT] = {"nv.ct", FAMILY_NV, LEVEL_DIVISOR, STEP_OVER, .keeps_nan = true},

    [PTO_FP8_DIV] = {"fp8.div", FAMILY_FP8, LEVEL_NONE, STEP_OVER, .takes_pow2 = true, .takes_eps = true},
    [PTO_FP8_RCP] = {"fp8.rcp", FAMILY_FP8, LEVEL_NONE, STEP_TIMES, .keeps_nan = true, .takes_pow2 = true,
                     .takes_eps = true},
    [PTO_FP8_MUL] = {"fp8.mul", FAMILY_FP8, LEVEL_NONE, STEP_TIMES, .takes_eps = true},
    [PTO_FP8_TE] = {"fp8.te", FAMILY_FP8, LEVEL_NONE, STEP_TIMES, .takes_pow2 = true, .takes_eps = true},
    [PTO_FP8_CT] = {"fp8.ct", FAMILY_FP8, LEVEL_NONE, STEP_OVER_CAST, .keeps_nan = true, .e4m3_alone = true},
};
