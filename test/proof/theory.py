# SPDX-License-Identifier: MIT
"""Obligations of the definition: src/scalar equals SMT-LIB's theory of IEEE 754, with the documented rules for NaN,
overflow, flushing and so on. Nothing in the files theory_*.py was taken from src/."""

import convert
import lanes
import terms
import theory_cvt
import theory_lanes
import theory_vcvt
from claims import Call, Case, prove_equal


def rules_of(form):
    if isinstance(form, lanes.Form):
        return theory_lanes
    return theory_cvt if form.call == "cvt" else theory_vcvt


def reason_if_left_out(form):
    """Returns why IEEE 754 does not define a form, or None."""
    return rules_of(form).reason_if_left_out(form)


def conversion(form, inputs):
    """The Case of a conversion by the rules of IEEE 754."""
    rules = rules_of(form)
    op, results = rules.Op.read(form.op), []
    for k, x in enumerate(inputs.elements):
        scale = (inputs.extra[k // form.group],) if inputs.extra else ()
        results.append(rules.expected(op, x, *scale))
    return Case(inputs, results, form.dst_bits, [])


def prove(module, form):
    """Proves that the definition of a form gives what IEEE 754 and the documents give."""
    terms.forget_terms()
    if isinstance(form, lanes.Form):
        n = lanes.PERIOD
        definition = lanes.run(module, "scalar", form, Call(n))
        return prove_equal(definition, [theory_lanes.case(form, definition.inputs, n)], n)
    definition = convert.run(module, "scalar", form, Call(1))
    return prove_equal(definition, [conversion(form, definition.inputs)], convert.BACK)
