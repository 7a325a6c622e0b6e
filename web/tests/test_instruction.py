# SPDX-License-Identifier: MIT
"""The view of one instruction, and the program in the page against the native command."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import native

FLOATS = ["0.1", "-1000", "448", "1e-40", "nan", "-inf", "-0", "3.5", "2.5", "65504", "1e30", "-7e-6"]
INTEGERS = ["0", "1", "7", "100", "0x12"]


def run_all(page: Page, lines: list[list[str]]) -> list[dict[str, Any]]:
    """Runs the page's program with each list of arguments."""
    return page.evaluate("(all) => Promise.all(all.map((args) => explorer.run(args)))", lines)


def random_evals(count: int) -> list[list[str]]:
    """Returns arguments of pto eval for random forms and values."""
    choose = random.Random(1)
    forms = [line.split()[0] for line in native.command("forms")[1].splitlines()]
    casts = [
        "cast.rn.e4m3.f32",
        "cast.rn.hif8.f32",
        "cast.rz.saturate.e5m2.f64",
        "cast.rna.e2m1.bf16",
        "cast.rn.s8.f32",
    ]
    others = [
        "add.f32",
        "fma.rn.f64",
        "min.NaN.f16x2",
        "rcp.approx.ftz.f32",
        "lg2.approx.f32",
        "mul.wide.s32",
        "pto.vadd",
    ]
    texts = [choose.choice(forms) for _ in range(count - 60)] + [choose.choice(casts + others) for _ in range(60)]
    return [["eval", text, *values(text, choose)] for text in texts]


def values(text: str, choose: random.Random) -> list[str]:
    """Returns random values for the operands of an instruction, whose types are in the messages of pto eval."""
    found: list[str] = []
    while match := re.search(r"expected a value for \S+, of type \.(\w+)", native.command("eval", text, *found)[2]):
        kind = match[1]
        choices = ["0", "1"] if kind == "pred" else INTEGERS if kind[0] in "bsu" and kind[1].isdigit() else FLOATS
        if kind in ("f16x2", "bf16x2"):
            choices = ["{1, 2}", "{nan, -0}", "0x7c00fc00", "{0.1, 65504}"]
        found.append(choose.choice(choices))
    return found


def test_eval_as_native(opener):
    """Some hundred results, and the texts of errors, are those of the native command."""
    lines = random_evals(400)
    found = run_all(opener(), lines)
    legal = 0
    for line, result in zip(lines, found, strict=True):
        status, out, err = native.command(*line)
        assert (result["status"], result["out"], result["err"]) == (status, out, err), line
        legal += status == 0
    assert legal > 350


def test_words_as_native(opener):
    """Explanations, tables and lists of forms are those of the native command."""
    words = ["cvt.rn.e4m3x2.f32", "setp.lt.and.f16x2", "set.gt.ftz.f32.f16", "e4m3", "ltu", "fma", "pto.vcvt", "setnbe"]
    lines = [["explain", word] for word in words] + [["forms", "cvt", "e2m1"], ["forms", "--json"], ["table", "hif8"]]
    for line, result in zip(lines, run_all(opener(), lines), strict=True):
        assert (result["status"], result["out"], result["err"]) == native.command(*line), line


def bits_of(row: Any) -> list[str]:
    """Returns the bits of each field of a row of the result, in the order of the page."""
    return [cells.inner_text().replace("\n", "") for cells in row.locator(".cells").all()]


def test_result(opener):
    """The first example shows its bits by field, its values, and what the conversion did."""
    page = opener()
    out = page.locator("#instruction-result .row.out")
    expect(out).to_have_count(1)
    fields = [name.split()[-1] for name in out.locator(".field").evaluate_all("all => all.map(e => e.className)")]
    assert fields == ["sign", "exponent", "significand"] * 2
    assert "".join(bits_of(out)) == f"{0x1DFE:016b}"
    assert out.locator(".badge").all_inner_texts() == ["inexact", "saturated"]
    assert out.locator(".reading .value").all_inner_texts() == ["0.1015625", "-448"]
    colours = out.locator(".cells").evaluate_all("all => all.map(e => getComputedStyle(e).color)")
    assert len(set(colours[:3])) == 3
    steps = page.locator("#instruction-words ol li").all_inner_texts()
    assert steps == [line[5:] for line in native.command("explain", "cvt.rn.satfinite.e4m3x2.f32")[1].splitlines()[4:7]]


def type_text(page: Page, text: str, *values: str) -> None:
    """Types an instruction, and values for its operands."""
    page.fill("#instruction-text", "")
    page.locator("#instruction-text").press_sequentially(text)
    page.keyboard.press("Escape")
    for i, value in enumerate(values):
        page.fill(f"#operand-{i}", value)


def test_flushed(opener):
    page = opener()
    type_text(page, "cvt.rn.ftz.bf16.f32", "1e-40")
    expect(page.locator(".row.out .badge")).to_have_text(["flushed"])


def test_typing(opener):
    """Typing evaluates without a key to confirm, fields follow the operands, and a bad value is named."""
    page = opener()
    type_text(page, "setp.lt.and.f16x2", "{1, 2}", "{2, nan}", "1")
    expect(page.locator(".row.out .reading .value")).to_have_text(["1", "0"])
    assert page.locator("#instruction-fields label").all_inner_texts() == ["a .f16x2", "b .f16x2", "c .pred"]
    page.fill("#operand-0", "{1, x}")
    expect(page.locator(".illegal")).to_contain_text("{1, x}: expected a value of type .f16x2 for a")
    page.fill("#operand-0", "{3, 0}")
    expect(page.locator(".row.out .reading .value")).to_have_text(["0", "0"])


HOLD = """() => {
  const {postMessage} = Worker.prototype;
  const held = [];
  Worker.prototype.postMessage = function(message) { held.push(() => postMessage.call(this, message)); };
  globalThis.release = () => {
    Worker.prototype.postMessage = postMessage;
    held.forEach((post) => post());
  };
}"""


@pytest.mark.parametrize("is_held", [False, True])
def test_fast_typing(opener, is_held):
    """What is typed before the operands of a new instruction are known is for these operands, even if that takes long:
    it stays in the fields and in the address, and the result is that of the last state."""
    page = opener()
    expect(page.locator(".row.out")).to_have_count(1)
    if is_held:
        page.evaluate(HOLD)
    page.fill("#instruction-text", "setp.lt.and.f16x2")
    page.fill("#operand-0", "{1, 2}")
    page.fill("#operand-1", "{2, nan}")
    if is_held:
        page.wait_for_timeout(400)  # the page has asked for the operands
        page.evaluate("release()")
    expect(page.locator("#instruction-fields label")).to_have_text(["a .f16x2", "b .f16x2", "c .pred"])
    assert page.input_value("#operand-0") == "{1, 2}"
    assert page.input_value("#operand-1") == "{2, nan}"
    expect(page.locator("#instruction-result .line")).to_contain_text("setp.lt.and.f16x2")
    expect(page.locator(".row.in .reading .value")).to_have_text(["2", "1", "nan", "2", "1"])
    expect(page.locator(".row.out .reading .value")).to_have_text(["1", "0"])
    assert "v=%7B1%2C+2%7D&v=%7B2%2C+nan%7D&v=1" in page.url


def test_late_answer(opener):
    """The answer for a text that has changed since is not shown, and a field keeps its focus and cursor when the
    operands arrive while the user types."""
    page = opener()
    expect(page.locator(".row.out")).to_have_count(1)
    page.evaluate(HOLD)
    page.fill("#instruction-text", "setp.lt.and.f16x2")
    page.wait_for_timeout(400)  # the page has asked for the operands
    page.fill("#instruction-text", "cvt.rn.bf16.f32")
    page.focus("#operand-0")
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("12")
    page.evaluate("release()")
    page.keyboard.type("8.5")
    expect(page.locator("#instruction-fields label")).to_have_text(["a .f32"])
    expect(page.locator(".row.in .reading .value")).to_have_text("128.5")
    assert page.input_value("#operand-0") == "128.5"


def test_remembered(opener):
    """Values stay with the names and types of operands."""
    page = opener()
    type_text(page, "fma.rn.f32", "1.25", "2.5", "7.75")
    expect(page.locator(".row.in .reading .value")).to_have_text(["1.25", "2.5", "7.75"])
    type_text(page, "neg.s32", "-9")
    expect(page.locator(".row.out .reading .value")).to_have_text("9")
    type_text(page, "fma.rn.f32")
    expect(page.locator(".row.in .reading .value")).to_have_text(["1.25", "2.5", "7.75"])


def test_pto(opener):
    """The short text of an operation of PTO becomes the whole line."""
    page = opener()
    type_text(page, 'pto.vcmp ... "ge"', "2", "2", "1")
    expect(page.locator("#instruction-result .line")).to_contain_text('%p = pto.vcmp %a, %b, %m, "ge" :')
    expect(page.locator(".row.out .reading .value")).to_have_text("1")


def test_completion(opener):
    """Completions appear while the user types; the arrow keys and Enter choose one."""
    page = opener()
    page.fill("#instruction-text", "")
    page.locator("#instruction-text").press_sequentially("cvt.rn.satfinite.e2m")
    options = page.locator("#instruction-list [role=option]")
    expect(options.first).to_be_visible()
    assert all(text.startswith("cvt.rn.satfinite.e2m") for text in options.all_inner_texts()[:3])
    wanted = options.nth(1).inner_text()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert page.get_attribute("#instruction-text", "aria-activedescendant") == "completion-1"
    page.keyboard.press("Enter")
    expect(page.locator("#instruction-text")).to_have_value(wanted)
    expect(page.locator("#instruction-list")).to_be_hidden()
    expect(page.locator(".row.out")).to_have_count(1)


@pytest.mark.parametrize(
    ("text", "reason", "wanted"),
    [
        ("cvt.rn.e4m3x2.f32", "needs .satfinite", "cvt.rn.satfinite.e4m3x2.f32"),
        ("setp.lt.and.f16x3", 'perhaps "f16x2" is meant', "setp.lt.and.f16x2"),
        ("cvt.rn.bf16.f33", 'perhaps "f32" is meant', "cvt.rn.bf16.f32"),
        ("mul.lo.f32", "expected a type or a modifier", "mul.f32"),
        ("testp.nan.f32", "expected a type or a modifier", "testp.notanumber.f32"),
        ('%p = pto.vcmp %a, %b, "lt"', "expected", "%p = pto.vcmp %a, %b, %m"),
        ("adt.f32", "", "add.f32"),
    ],
)
def test_alternatives(opener, text, reason, wanted):
    """An illegal instruction says why, and has legal alternatives to click."""
    page = opener(f"#instruction?text={text.replace('%', '%25').replace(' ', '+')}")
    expect(page.locator(".illegal")).to_contain_text(reason)
    chip = page.locator("#instruction-result .chip").filter(has_text=wanted).first
    expect(chip).to_be_visible()
    for one in page.locator("#instruction-result .chip").all_inner_texts():
        assert native.command("explain", one)[0] == 0
    chip.click()
    expect(page.locator(".row.out").first).to_be_visible()
    expect(page.locator(".illegal")).to_have_count(0)
