# SPDX-License-Identifier: MIT
"""gfloat: the algorithm of the OCP specification, in double precision."""

import block_rules as rules
import gfloat
import numpy as np
from gfloat import formats

from stacks import Known

PACKAGES = ("gfloat",)
RULES = ("mx.floor", "mx.int8")
ELEMENTS = {
    "e4m3": formats.format_info_ocp_e4m3,
    "e5m2": formats.format_info_ocp_e5m2,
    "e2m3": formats.format_info_ocp_e2m3,
    "e3m2": formats.format_info_ocp_e3m2,
    "e2m1": formats.format_info_ocp_e2m1,
    "s2f6": formats.format_info_ocp_int8,
}
BLOCKS = 150  # random blocks and special blocks of a case; gfloat is slow, because it converts single elements


def covers(case, blocks):
    kept = np.isfinite(blocks.astype(np.float32)).all(axis=1)
    kept[BLOCKS:-BLOCKS] = False
    return kept


def answer(case, blocks, ours):
    info = gfloat.BlockFormatInfo("mx", ELEMENTS[case.elem], blocks.shape[1], formats.format_info_ocp_e8m0)

    def encoded(block):
        scale = gfloat.compute_scale_amax(info.etype.emax, block)
        return list(gfloat.encode_block(info, scale, block / scale))

    rows = np.array([encoded(block) for block in blocks.astype(np.float64)], np.uint8)
    return rules.Answer(rows[:, 1:], rows[:, 0], None)


def known(case, blocks, ours):
    if case.rule != "mx.int8":
        return ()
    return (Known("writes the code 80, which is -2", where=(ours.codes == 0x81).any(axis=1)),)
