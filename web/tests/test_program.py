# SPDX-License-Identifier: MIT
"""The view of programs, against pto run --trace."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect

import native

EXAMPLES = json.loads((native.ROOT / "web/page/examples.json").read_text())
READ = """(title) => {
  const table = [...document.querySelectorAll("#program-results h3")].find((head) => head.textContent === title);
  return [...table.nextElementSibling.querySelectorAll("tbody tr")].map((row) => ({
    line: row.querySelector(".line")?.textContent ?? "",
    register: row.querySelector(".register").textContent,
    values: [...row.querySelectorAll("td.number")].map((cell) => cell.textContent),
  }));
}"""


def text_of(example: dict) -> str:
    return "\n".join(example["lines"]) if "lines" in example else (native.ROOT / example["file"]).read_text().rstrip()


def native_trace(example: dict, tmp_path) -> list[list[str]]:
    """Returns the lines of pto run --trace as words: the line's number, register, type and up to 8 values."""
    import numpy as np

    inputs = []
    for name, text in example["inputs"].items():
        values = [value.strip() for value in text.split(",")]
        path = tmp_path / f"{name.strip('%')}.npy"
        np.save(path, np.array([float(value) for value in values], np.float32))
        inputs += ["-i", f"{name}={path}" if len(values) > 1 else f"{name}={values[0]}"]
    status, out, err = native.command("run", "-", "--trace", *inputs, stdin=text_of(example))
    assert status == 0, err
    return [line.replace("{", "").replace("}", "").replace(",", "").split() for line in out.splitlines()]


@pytest.mark.parametrize("example", EXAMPLES, ids=[example["name"] for example in EXAMPLES])
def test_trace(opener, example, tmp_path):
    """Each example's trace and results are those of the native command."""
    page = opener("#program")
    page.get_by_role("button", name=example["name"], exact=True).click()
    expect(page.locator("#program-text")).to_have_value(text_of(example))
    expect(page.locator("#program-results h3").last).to_have_text("Results")
    page.wait_for_timeout(500)
    wanted = native_trace(example, tmp_path)
    line = ""
    found = []
    for row in page.evaluate(READ, "Each line"):
        line = row["line"] or line
        found.append([line, *row["register"].split(), *row["values"][:8]])
    found += [[*row["register"].split(), *row["values"][:8]] for row in page.evaluate(READ, "Results")]
    cleaned = [
        [word.strip("{}").replace("{", "").replace("}", "").replace(",", "") for word in " ".join(row).split()]
        for row in found
    ]
    wanted = [row[:-1] if row[-1] == "..." else row for row in wanted]
    assert cleaned == wanted


def set_text(page: Page, text: str) -> None:
    page.fill("#program-text", text)


def test_typing(opener):
    """A program that is typed has a field for each input, and runs at once; errors have their place."""
    page = opener("#program")
    set_text(page, "fma.rn.f32 d, a, b, c;")
    expect(page.locator("#program-inputs label")).to_have_count(3)
    for i, value in enumerate(["1, 2, 3", "10", "0.5"]):
        page.fill(f"#input-{i}", value)
    expect(page.locator("#program-results td.number").first).to_have_text("10.5")
    assert page.evaluate(READ, "Results")[0]["values"] == ["10.5", "20.5", "30.5"]
    page.check("#program-bits")
    expect(page.locator("#program-results td.number").first).to_have_text("0x41280000")
    set_text(page, "add.f32 x, y, y;\nadd.f33 d, x, x;")
    expect(page.locator(".illegal")).to_contain_text("line 2: expected a type or a modifier of this instruction")
    set_text(page, "")
    expect(page.locator("#program-results")).to_be_visible()
