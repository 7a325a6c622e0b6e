# SPDX-License-Identifier: MIT
"""The view of block scaling: every rule of every format against the native library, bit by bit."""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

import native

ROW = (
    "0.0123 -0.4 1.75 3 -6.5 0.33 0 2.25 nan 0.875 -1.125 5 0.0625 -0.02 1 7 -3.5 0.7 -0.09 12 0.5 -2.75 1e-9 -8 4.4 -0"
)
READ = """() => [...document.querySelectorAll("section.group")].flatMap((group) =>
    [...group.querySelectorAll("tbody tr")].map((row) => ({
      group: group.dataset.group,
      rule: row.dataset.rule,
      level: row.querySelector(".rule").textContent,
      scales: [...row.querySelectorAll(".scale code")].map((code) => code.textContent),
      codes: [...row.querySelectorAll("td.code")].map((cell) => cell.querySelector("code").textContent),
      titles: [...row.querySelectorAll("td.code")].map((cell) => cell.title),
      differs: [...row.querySelectorAll("td.code")].map((cell) => cell.classList.contains("differs")),
      count: row.cells[4].textContent,
      letter: row.querySelector(".letter").textContent,
    })))"""


def results(page: Page) -> list[dict[str, Any]]:
    page.wait_for_selector("body:not([data-busy])")
    return page.evaluate(READ)


def bits(x: np.ndarray) -> np.ndarray:
    """Returns a matrix's bits as unsigned integers."""
    x = np.atleast_2d(x)
    return np.ascontiguousarray(x.view(f"u{x.itemsize}"))


def check(
    found: list[dict[str, Any]], x: np.ndarray, wide: str, shown: int = 32, random: np.ndarray | None = None
) -> None:
    """Compares all rows of the page with the library, for the first elements of the first row."""
    cases = native.cases(random is not None)
    wanted = {(f"{family}.{elem}", rule + (".pow2" if pow2 else "")) for family, elem, rule, pow2 in cases}
    assert {(row["group"], row["rule"]) for row in found} == wanted
    assert random is not None or {row["rule"].removesuffix(".pow2") for row in found} == set(native.rules())
    references = {}
    for row in found:
        rule, elem = row["rule"].removesuffix(".pow2"), row["group"].split(".")[1]
        native_result = native.quantize(x, wide, elem, rule, row["rule"].endswith(".pow2"), random)
        codes, scales = native_result["codes"], native_result["scales"]
        assert [int(code, 16) for code in row["codes"]] == codes[0, :shown].tolist(), row["rule"]
        block = native.COLUMNS[rule.split(".")[0]]
        count = -(-min(shown, x.shape[1]) // block)
        assert [int(scale, 16) for scale in row["scales"]] == scales[0, :count].tolist(), row["rule"]
        values = [title.split("value ")[1].split(";")[0] for title in row["titles"]]
        check_values(values, native_result["values"][0, :shown], wide)
        if native_result["tensor"][0] != 0:
            assert f"({native_result['tensor'][0]:#010x})" in row["level"]
        reference = references.setdefault(row["group"], native_result)
        different = codes[0] != reference["codes"][0]
        same_values = native_result["values"][0] == reference["values"][0]
        assert row["differs"] == (different | ~same_values)[:shown].tolist()
        if reference is not native_result:
            total = int((codes != reference["codes"]).sum())
            assert row["count"].startswith(f"{total} of {codes.size}" if total else "0")


def check_values(texts: list[str], wanted: np.ndarray, wide: str) -> None:
    """Compares values as text with the bits of f32, f16 or bf16."""
    if wide == "bf16":
        exact = (wanted.astype(np.uint32) << 16).view(np.float32)
    else:
        exact = wanted.view({"f32": np.float32, "f16": np.float16}[wide])
    found = np.array([float(text) for text in texts]).astype(exact.dtype)
    assert np.array_equal(found, exact, equal_nan=True)
    assert np.array_equal(np.signbit(found), np.signbit(exact)) or np.isnan(exact).any()


@pytest.mark.parametrize("wide", ["f32", "bf16", "f16"])
def test_row(opener, wide):
    """A row of numbers that is pasted: all rules of all formats."""
    page = opener("#blocks")
    page.select_option("#blocks-wide", wide)
    page.fill("#blocks-text", ROW)
    x = np.array([float(text) for text in ROW.split()], np.float32)
    if wide == "bf16":
        raw = x.view(np.uint32)
        nearest = ((raw + 0x7FFF + (raw >> 16 & 1)) >> 16).astype(np.uint16)
        image = np.where(np.isnan(x), np.uint16(0x7FC0), nearest).reshape(1, -1)
    else:
        image = bits(x.astype({"f32": np.float32, "f16": np.float16}[wide]))
    check(results(page), image, wide)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("seed 81985529216486895", native.random_words(81985529216486895, 7 * 3)),
        ("0x12345678, 0xffffffff 7", np.resize(np.array([0x12345678, 0xFFFFFFFF, 7], np.uint32), 7 * 3)),
    ],
)
def test_stochastic(opener, text, words):
    """Stochastic rounding with the words of a seed, or with words that are repeated: all rules that have it."""
    page = opener("#blocks")
    rows = [" ".join(ROW.split()[i:] + ROW.split()[:i]) for i in range(3)]
    page.fill("#blocks-text", "\n".join(rows))
    page.check("#blocks-table")
    expect(page.locator("#blocks-random")).to_be_disabled()
    page.select_option("#blocks-round", "rs")
    page.fill("#blocks-random", text)
    x = np.array([[float(value) for value in row.split()] for row in rows], np.float32)
    found = results(page)
    check(found, bits(x), "f32", random=words)
    assert len(found) > 30
    assert page.locator("th.code").nth(5).get_attribute("title").endswith(f"random word {words[1]:#010x}")
    page.select_option("#blocks-round", "rn")
    check(results(page), bits(x), "f32")


def test_bad_random_words(opener):
    page = opener("#blocks?round=rs&random=seven")
    expect(page.locator("#blocks-results .illegal")).to_contain_text(
        "seven: expected a value of type .u32 for random words"
    )
    for seed in ("seed", "seed x", "seed -1", "seed 7 8", "seed 18446744073709551616"):
        page.fill("#blocks-random", seed)
        shown = f'expected a seed from 0 to 2^64 - 1, not "{seed[4:].strip()}"'
        expect(page.locator("#blocks-results .illegal")).to_contain_text(shown)


def test_letters(opener):
    """Two rules have the same letter if, and only if, their results are the same."""
    found = results(opener("#blocks"))
    for a in found:
        for b in found:
            if a["group"] == b["group"]:
                same = all(a[name] == b[name] for name in ("scales", "codes")) and [
                    title.split(";")[0] for title in a["titles"]
                ] == [title.split(";")[0] for title in b["titles"]]
                assert same == (a["letter"] == b["letter"])
    assert any(any(row["differs"]) for row in found)


def test_bad_value(opener):
    page = opener("#blocks?x=1+2+three")
    expect(page.locator("#blocks-results .illegal")).to_contain_text("three: expected a value of type .f32")
    page.fill("#blocks-text", "1 2 {3, 4")
    expect(page.locator("#blocks-results .illegal")).to_contain_text("{3, 4: expected a value of type .f32")


def test_long_value(opener):
    """The exact decimal of the smallest f32, which has 151 characters, and the value after it."""
    page = opener(f"#blocks?x=1+{2.0**-149:.149f}+5&format=mx.e4m3")
    values = [title.split("value ")[1].split(";")[0] for title in results(page)[0]["titles"]]
    assert values[0] == "1"
    assert len(values) == 3


def npy(x: np.ndarray) -> bytes:
    """Returns a .npy file."""
    header = f"{{'descr': '{x.dtype.str}', 'fortran_order': False, 'shape': {x.shape}, }}"
    header = header.ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + x.tobytes()


def safetensors(tensors: dict[str, tuple[str, np.ndarray]]) -> bytes:
    """Returns a .safetensors file."""
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, (dtype, x) in tensors.items():
        header[name] = {"dtype": dtype, "shape": x.shape, "data_offsets": (len(data), len(data) + x.nbytes)}
        data += x.tobytes()
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def drop(page: Page, name: str, content: bytes) -> None:
    """Drops a file on the page."""
    page.evaluate(
        """([name, bytes]) => {
          const data = new DataTransfer();
          data.items.add(new File([new Uint8Array(bytes)], name));
          const target = document.getElementById("blocks-drop");
          for (const kind of ["dragenter", "dragover", "drop"])
            target.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
        }""",
        [name, list(content)],
    )
    expect(page.locator("#blocks-note")).to_contain_text(name)


def random_matrix(rows: int, cols: int) -> np.ndarray:
    generator = np.random.default_rng(5)
    return (generator.standard_normal((rows, cols)) * np.exp2(generator.integers(-6, 6, (rows, 1)))).astype(np.float32)


@pytest.mark.parametrize("dtype", ["f4", "f2", "f8"])
def test_npy(opener, dtype):
    """A .npy file that is dropped: counts of the whole tensor, and the first elements."""
    page = opener("#blocks")
    x = random_matrix(6, 256).astype(dtype)
    drop(page, "x.npy", npy(x))
    wide = {"f4": "f32", "f2": "f16", "f8": "f32"}[dtype]
    check(results(page), bits(x.astype(np.float32 if wide == "f32" else np.float16)), wide)


def test_safetensors(opener):
    """A .safetensors file with tensors of several types; a name chooses one."""
    page = opener("#blocks")
    x = random_matrix(4, 160)
    half = (x.view(np.uint32) >> 16).astype(np.uint16)
    drop(page, "model.safetensors", safetensors({"a.weight": ("F32", x), "b.weight": ("BF16", half), "c": ("I64", x)}))
    check(results(page), bits(x), "f32")
    page.select_option("#blocks-tensor", "b.weight")
    expect(page.locator("#blocks-note")).to_contain_text("b.weight, 4 \u00d7 160 of bf16")
    check(results(page), half, "bf16")
    page.click("#blocks-use")
    expect(page.locator("#blocks-text")).to_have_value(" ".join(f"{code:#06x}" for code in half[0, :32]))
    check(results(page), half[:1, :32], "bf16")


def test_bad_files(opener):
    page = opener("#blocks")
    for name, content, reason in [
        ("x.npy", npy(np.zeros(4, np.complex64)), "no elements of type <c8"),
        ("x.npy", npy(np.zeros(4, ">f4")), "no elements of type >f4"),
        ("x.npy", npy(np.zeros(4, "<f4")).replace(b"<f4", b"<constructor"), "no elements of type <constructor"),
        ("x.safetensors", b"\xff" * 20, "longer than the file"),
        ("x.safetensors", safetensors({"a": ("F32", np.zeros(3, np.float32))}).replace(b"[3]", b" 3 "), "not a list"),
        ("x.safetensors", safetensors({"a": ("I64", np.zeros(3, np.int64))}), "no tensor of type F32"),
    ]:
        page.set_input_files("#blocks-file", {"name": name, "mimeType": "", "buffer": content})
        expect(page.locator("#blocks-error")).to_contain_text(reason)


def test_window(opener):
    """The row, the first column and the rule to compare with can be chosen."""
    page = opener("#blocks")
    x = random_matrix(5, 200)
    drop(page, "x.npy", npy(x))
    page.select_option("#blocks-format", "mx.e2m1")
    page.select_option("#blocks-against", "mx.rceil")
    for name, value in {"row": "3", "first": "64", "shown": "8"}.items():
        page.fill(f"#blocks-{name}", value)
    found = {row["rule"]: row for row in results(page)}
    wanted = native.quantize(bits(x), "f32", "e2m1", "mx.even")
    assert [int(code, 16) for code in found["mx.even"]["codes"]] == wanted["codes"][3, 64:72].tolist()
    assert [int(code, 16) for code in found["mx.even"]["scales"]] == wanted["scales"][3, 2:3].tolist()
    assert found["mx.rceil"]["count"] == "reference"
    page.fill("#blocks-first", "1e2")
    titles = {title.split(":")[0] for row in results(page) for title in row["titles"]}
    assert titles == {f"element {i}" for i in range(1, 9)}
    page.fill("#blocks-first", str(2**32))  # more than the explorer's size_t holds: the last column
    titles = {title.split(":")[0] for row in results(page) for title in row["titles"]}
    assert titles == {"element 199"}
