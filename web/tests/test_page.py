# SPDX-License-Identifier: MIT
"""The page as a whole: nothing is loaded, links restore the state, widths, colours, labels, focus, contrast."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from conftest import FOLDER

LIMIT = 1_500_000
CHECKS = (Path(__file__).parent / "checks.js").read_text().split("\n", 2)[2].rstrip().rstrip(";")
VIEWS = ["instruction", "formats", "blocks", "program"]
STATES = [
    "#instruction?text=cvt.rn.satfinite.e5m2x2.f32&v=70000&v=-0",
    "#instruction?text=cvt.rn.e4m3x2.f32",
    "#formats?type=e3m2&code=0x11&scale=linear",
    "#blocks?x=1+2+3.3+nan&wide=bf16&format=nv.e2m1&against=nv.ct&shown=3",
    "#blocks?x=1+2+3.3+nan&format=mx.e4m3&round=rs&random=seed+9",
    "#program?text=add.f32+d%2C+a%2C+b%3B&in=a%3D1%2C+2&in=b%3D0.1&bits=1",
    "#program?text=.entry+k%28.param+.u64+y%29+%7B+.reg+.b64+%25a%3B+ld.param.u64+%25a%2C+%5By%5D%3B+"
    "st.global.u32+%5B%25a%5D%2C+7%3B+%7D&in=y%3Dzeros%3Au32%3A2&kernel=k&grid=2&block=1x1&shared=16&first=1",
]
FRAGMENTS = [*[f"#{view}" for view in VIEWS], STATES[1], STATES[-1]]


def check(page: Page, name: str) -> Any:
    """Runs one of the checks of checks.js in the page."""
    return page.evaluate(f"{CHECKS}.{name}()")


def settled(page: Page) -> str:
    """Returns the text of the view that is shown, when it does not change any more."""
    before = None
    for _ in range(40):
        text = page.locator("main").inner_text() + str(
            page.locator("main").evaluate(
                "main => [...main.querySelectorAll('input, select, textarea')].map((field) => field.value)"
            )
        )
        if text == before:
            return text
        before = text
        page.wait_for_timeout(250)
    raise AssertionError("the page does not settle")


def test_size():
    """The page is one file of less than 1.5 MB."""
    files = [path for path in FOLDER.rglob("*") if path.is_file()]
    assert [path.name for path in files] == ["index.html"]
    assert sum(path.stat().st_size for path in files) < LIMIT


def test_no_connection(opener, address):
    """The page cannot connect to anything, not even to its own server."""
    page = opener()
    for attempt in (
        f"fetch('{address}').then(() => 'connected', () => 'refused')",
        f"new Promise((end) => {{ const image = new Image(); image.onload = () => end('connected');"
        f" image.onerror = () => end('refused'); image.src = '{address}?image'; }})",
        f"new Promise((end) => {{ const socket = new WebSocket('{address.replace('http', 'ws')}');"
        f" socket.onopen = () => end('connected'); socket.onerror = () => end('refused'); }}).catch(() => 'refused')",
        "navigator.sendBeacon && Promise.resolve('refused')",
    ):
        assert page.evaluate(attempt) == "refused"
    blocked = [problem for problem in opener.problems if "Content Security Policy" in problem]
    assert len(blocked) >= 3
    opener.problems.clear()


def test_file(opener):
    """The page works when it is opened as a file, without a server."""
    page = opener(STATES[0], address=(FOLDER / "index.html").as_uri())
    expect(page.locator(".row.out .badge")).to_have_text(["saturated", "exact"])


@pytest.mark.parametrize("fragment", STATES)
def test_link(opener, fragment):
    """The address that the page sets restores exactly what is shown."""
    page = opener(fragment)
    text = settled(page)
    again = opener("#" + page.url.split("#", 1)[1])
    assert settled(again) == text
    for part in fragment.split("?")[1].split("&"):
        assert part in page.url


def test_history(opener):
    """Views are steps of the history, and a changed address changes the page."""
    page = opener()
    page.click("#tab-formats")
    page.wait_for_selector("body[data-ready=formats]")
    page.select_option("#formats-type", "e2m1")
    expect(page.locator("#formats-rows tr")).to_have_count(16)
    page.go_back()
    page.go_back()
    expect(page.locator("#view-instruction")).to_be_visible()
    page.evaluate("location.hash = '#formats?type=e5m2'")
    expect(page.locator("#formats-type")).to_have_value("e5m2")
    expect(page.locator("#formats-rows tr")).to_have_count(256)


@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_phone(opener, fragment):
    """At 360 pixels the page does not scroll sideways, all tabs are visible, and buttons are large enough."""
    page = opener(fragment, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    settled(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.evaluate("document.body.getBoundingClientRect().right") <= 360
    for tab in page.locator("[role=tab]").all():
        box = tab.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
        assert box["height"] >= 30


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_contrast(opener, scheme, fragment):
    """Text has a contrast of at least 4.5 in both schemes, and the dark one is dark."""
    page = opener(fragment, color_scheme=scheme)
    settled(page)
    back = page.evaluate("getComputedStyle(document.documentElement).backgroundColor.match(/\\d+/g).map(Number)[0]")
    assert (back < 60) == (scheme == "dark")
    assert check(page, "contrast") == []


@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_names(opener, fragment):
    page = opener(fragment)
    settled(page)
    assert check(page, "names") == []


@pytest.mark.parametrize("view", VIEWS)
def test_focus(opener, view):
    """Tab goes through the page in the order of the document, and the focus is visible."""
    page = opener(f"#{view}")
    settled(page)
    page.evaluate("document.activeElement.blur()")
    seen: list[dict[str, Any]] = []
    for _ in range(14):
        page.keyboard.press("Tab")
        seen.append(check(page, "focused"))
    assert seen[0]["id"] == "skip"
    assert [one["id"] for one in seen[1:3]] == ["copy", f"tab-{view}"]
    places = [one["at"] for one in seen if one["tag"] != "BODY"]
    assert places == sorted(places)
    assert all(one["outline"] != "none" and one["shown"] for one in seen if one["tag"] != "BODY")


def test_tabs(opener):
    """The arrow keys change the view, as for every list of tabs."""
    page = opener()
    page.focus("#tab-instruction")
    for name in VIEWS[1:]:
        page.keyboard.press("ArrowRight")
        page.wait_for_selector(f"body[data-ready={name}]")
        expect(page.locator(f"#tab-{name}")).to_have_attribute("aria-selected", "true")
        expect(page.locator("main > section:visible")).to_have_count(1)
    expect(page.locator("#status")).to_have_attribute("aria-live", "polite")


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("view", VIEWS)
def test_no_shift(opener, view, width):
    """Nothing that the user sees moves while the page starts: its cumulative layout shift is below 0.02."""
    page = opener(f"#{view}", viewport={"width": width, "height": 800})
    settled(page)
    assert check(page, "shifts") < 0.02


def test_announcement(opener):
    """Results are announced to screen readers."""
    page = opener()
    expect(page.locator("#status")).to_contain_text("Result: d is -448, 0.1015625")
