# SPDX-License-Identifier: MIT
"""The view of the small formats."""

from __future__ import annotations

import json

from playwright.sync_api import expect

import native


def rows_of(page) -> list[list[str]]:
    """Returns the text of the table of all codes."""
    return page.locator("#formats-rows").evaluate(
        "body => [...body.rows].map((row) => [...row.cells].map((cell) => cell.textContent))"
    )


def test_all_formats(opener):
    """Each small format has all its codes, with the values, classes and neighbours of the native table."""
    page = opener("#formats")
    names = page.locator("#formats-type option").evaluate_all("all => all.map((option) => option.value)")
    wanted = native.command("table", "none")[2].split("bits:")[1].split("\n")[0].split()
    assert names == [name for name in wanted if name != "b8"]
    for name in names:
        page.select_option("#formats-type", name)
        page.wait_for_function("(name) => location.hash.includes(`type=${name}&`)", arg=name)
        page.wait_for_function(
            "(name) => document.getElementById('formats-line').ariaLabel.includes(` ${name} `)", arg=name
        )
        table = [json.loads(line) for line in native.command("table", "--json", name)[1].splitlines()]
        finite = sorted({float(code["value"]) for code in table if code["class"] != "nan"})
        rows = rows_of(page)
        assert len(rows) == len(table)
        for row, code in zip(rows, table, strict=True):
            value = float(code["value"])
            assert row[0] == code["bits"]
            assert int(row[1], 2) == int(code["bits"], 16)
            assert row[4] == code["class"]
            if code["class"] == "nan":
                continue
            assert float(row[2]) == value
            at = finite.index(value)
            assert [text == "" or float(text) for text in row[5:]] == [
                at == 0 or finite[at - 1],
                at == len(finite) - 1 or finite[at + 1],
            ]
        ticks = page.locator("#formats-line line.tick").count()
        assert ticks == sum(1 for code in table if code["class"] not in ("nan", "infinity"))


def test_keyboard(opener):
    """The arrow keys move among the codes and along the number line."""
    page = opener("#formats?type=e4m3&code=0x38")
    page.locator("#formats-grid [aria-pressed=true]").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#formats-code .value")).to_have_text("1.125")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#formats-code .value")).to_have_text("4.5")
    page.locator("#formats-line").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#formats-code .value")).to_have_text("4")
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="4 0x48").click()
    expect(page.locator("#formats-code .value")).to_have_text("4")
    assert "code=0x48" in page.url


def test_line(opener):
    """A click on the number line chooses the nearest value; the scale is linear or logarithmic."""
    page = opener("#formats?type=e2m1&scale=linear")
    box = page.locator("#formats-line").bounding_box()
    page.mouse.click(box["x"] + box["width"] * (0.02 + 0.96 * 10 / 12), box["y"] + box["height"] / 2)
    expect(page.locator("#formats-code .value")).to_have_text("4")
    places = "all => all.map((tick) => Number(tick.getAttribute('x1')))"
    linear = page.locator("#formats-line line.tick").evaluate_all(places)
    page.check("#formats-scale")
    assert linear != page.locator("#formats-line line.tick").evaluate_all(places)
    assert linear == sorted(linear)
