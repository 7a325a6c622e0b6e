# SPDX-License-Identifier: MIT
"""The view of programs, against pto run --trace."""

from __future__ import annotations

import json
from urllib.parse import quote

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


LINES = [example for example in EXAMPLES if ".entry" not in text_of(example)]


@pytest.mark.parametrize("example", LINES, ids=[example["name"] for example in LINES])
def test_trace(opener, example, tmp_path):
    """Each example's trace and results are those of the native command."""
    page = opener("#program")
    page.get_by_role("button", name=example["name"], exact=True).click()
    expect(page.locator("#program-text")).to_have_value(text_of(example))
    page.wait_for_selector("body:not([data-busy])")
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


def paste(page: Page, text: str) -> None:
    """Sets a long text at once; fill() enters its lines one after the other, which takes Chromium seconds."""
    page.locator("#program-text").evaluate(
        "(area, text) => { area.value = text; area.dispatchEvent(new InputEvent('input')); }", text
    )


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


def launch_inputs(inputs: dict[str, str], tmp_path) -> list[str]:
    """Returns options of pto launch for what the fields contain: "f32: 1, 2", "zeros:f32:8" or a value."""
    import numpy as np

    options = []
    for name, text in inputs.items():
        value = text
        if text.startswith("f32: "):
            value = tmp_path / f"{name}.npy"
            np.save(value, np.array([float(word) for word in text[5:].split(",")], np.float32))
        options += ["-i", f"{name}={value}"]
    return options


def native_thread(text: str, thread: int, options: list[str]) -> tuple[list[list[str]], list[list[str]]]:
    """Returns what pto launch prints: the trace of a thread, and the arrays that the kernel wrote."""
    status, out, err = native.command("launch", "-", *options, "--trace", str(thread), stdin=text)
    assert status == 0, err
    lines = [line.split() for line in out.splitlines()]
    steps = [line for line in lines if line[0].isdigit()]
    return steps, [[word for word in line if word != "..."] for line in lines if not line[0].isdigit()]


def check_launch(page: Page, text: str, options: list[str], first: int = 0) -> None:
    """Compares the columns of the trace with the traces of single threads, and the results."""
    page.wait_for_selector("body:not([data-busy])")
    line, found = "", []
    for row in page.evaluate(READ, "Each line"):
        line = row["line"] or line
        found.append([line, *row["register"].split(), row["values"]])
    assert len(found[0][3]) == 8
    for i in range(8):
        steps, results = native_thread(text, first + i, options)
        assert [[*row[:3], row[3][i]] for row in found if row[3][i] != "\u00b7"] == steps
    assert [[*row["register"].split(), *row["values"][:8]] for row in page.evaluate(READ, "Results")] == results


def test_kernel(opener, tmp_path):
    """A kernel of PTX is launched: traces of threads that branch, and results, are those of pto launch."""
    [example] = [example for example in EXAMPLES if ".entry" in text_of(example)]
    text = text_of(example)
    page = opener("#program")
    page.get_by_role("button", name=example["name"], exact=True).click()
    check_launch(page, text, launch_inputs(example["inputs"], tmp_path))
    idle = page.locator("#program-results td.idle").count()
    assert idle > 0
    x = "f32: " + ", ".join(str((i * 37 % 23 - 11) / 4) for i in range(40))
    page.fill("#input-0", x)
    page.fill("#input-1", "zeros:f32:40")
    page.fill("#input-2", "37")
    page.fill("#program-grid", "5")
    page.fill("#program-block", "8")
    page.fill("#program-first", "32")
    inputs = launch_inputs({"x": x, "y": "zeros:f32:40", "n": "37"}, tmp_path)
    check_launch(page, text, [*inputs, "--grid", "5", "--block", "8"], 32)
    expect(page.locator("#program-results")).to_contain_text("5 blocks of 8 threads each")
    again = opener("#" + page.url.split("#", 1)[1])
    check_launch(again, text, [*inputs, "--grid", "5", "--block", "8"], 32)


def test_module(opener, tmp_path):
    """A file of a compiler: its kernels can be chosen, their parameters have fields, and a bad access is named."""
    page = opener("#program")
    text = (native.ROOT / "test/data/kernels/nvcc135_sm_90a.ptx").read_text().rstrip()
    paste(page, text)
    page.wait_for_selector("body:not([data-busy])")
    kernels = [line for line in native.command("launch", "-", stdin=text)[1].splitlines() if not line.startswith(" ")]
    options = page.locator("#program-kernel option").evaluate_all("all => all.map((option) => option.value)")
    assert options == kernels
    page.select_option("#program-kernel", "k03_clamp")
    expect(page.locator("#program-inputs label").first).to_contain_text("k03_clamp_param_0")
    page.wait_for_selector("body:not([data-busy])")
    names = [label.split()[0] for label in page.locator("#program-inputs label").all_inner_texts()]
    values = [field.input_value() for field in page.locator("#program-inputs input").all()]
    check_launch(page, text, ["k03_clamp", *launch_inputs(dict(zip(names, values, strict=True)), tmp_path)])
    page.fill("#input-0", "f32: 1, 2")
    expect(page.locator(".illegal")).to_contain_text("thread 2")
    page.fill("#input-0", "1, 2")
    expect(page.locator(".illegal")).to_contain_text("expected an array such as f32: 1, 2, 3 or zeros:f32:64")
    page.fill("#input-0", "f32: 1, two")
    expect(page.locator(".illegal")).to_contain_text("two: expected a value of type .f32 for k03_clamp_param_0")


def test_blocks_of_pto(opener):
    """A kernel of PTO runs in as many blocks as the grid has."""
    text = (native.ROOT / "examples/normalize_rows.pto").read_text()
    page = opener("#program")
    paste(page, text)
    values = [str((i * 7 % 13) - 6) for i in range(768)]
    page.wait_for_selector("#input-1")
    page.fill("#input-0", ", ".join(values))
    page.fill("#input-1", ", ".join(["0"] * 768))
    page.fill("#program-grid", "2")
    page.wait_for_selector("body:not([data-busy])")
    expect(page.locator(".illegal")).to_have_count(0)
    assert page.evaluate(READ, "Results")[0]["values"][:3] == ["-1", "0.16666667", "-0.8333333"]
    page.fill("#program-grid", "3")
    expect(page.locator(".illegal")).to_contain_text("past its end")
    expect(page.locator("#program-kernel")).to_be_hidden()


def test_fast_typing(opener):
    """Values that are typed at once after a program are for its inputs."""
    page = opener("#program")
    set_text(page, "add.f32 d, p, q;")
    page.fill("#input-0", "1, 2")
    page.fill("#input-1", "10")
    expect(page.locator("#program-inputs label")).to_have_text(["p .f32", "q .f32"])
    page.wait_for_selector("body:not([data-busy])")
    assert page.evaluate(READ, "Results")[0]["values"] == ["11", "12"]


def test_types_of_kernels(opener):
    """The first values of an array have the type that its kernel loads, also where names of kernels have a $."""
    kernels = "".join(
        f".visible .entry {name}(.param .u64 a) {{ .reg .u64 %r; .reg .{type} %v; ld.param.u64 %r, [a]; "
        f"cvta.to.global.u64 %r, %r; ld.global.{type} %v, [%r]; ret; }}\n"
        for name, type in {"k": "f32", "k$2": "u32"}.items()
    )
    text = quote(f".version 8.6\n.target sm_90\n.address_size 64\n{kernels}")
    for name, type in {"k": "f32", "k$2": "u32"}.items():
        page = opener(f"#program?kernel={quote(name)}&text={text}")
        page.wait_for_selector("body:not([data-busy])")
        assert page.input_value("#input-0").startswith(f"{type}: ")
