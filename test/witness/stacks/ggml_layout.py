# SPDX-License-Identifier: MIT
"""What the two implementations of GGUF have in common."""

import block_rules as rules
import numpy as np

from stacks import Known, magnitudes


def unpacked(units):
    """Codes and scales of GGUF units: of 17 bytes with one scale, or of 36 with four."""
    groups = 1 if units.shape[1] == 17 else 4
    scales, packed = units[:, :groups].reshape(-1), units[:, groups:].reshape(len(units) * groups, -1)
    return rules.Answer(np.concatenate([packed & 15, packed >> 4], axis=1), scales, None)


def known(case, blocks):
    if case.rule == "nv.gguf":
        return ()
    a = magnitudes(blocks)
    outside = ((a > 0) & (a < 2.0**-125)) | ~np.isfinite(a)
    return (Known("a below 2^-125, or not finite: undefined in C", where=outside),)
