# SPDX-License-Identifier: MIT
"""Opens the page in a headless Chromium. Each test fails if the console has an error or the page loads anything."""

from __future__ import annotations

import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

FOLDER = Path(__file__).resolve().parents[2] / "build/web"
CHROMIUM = "/usr/bin/chromium"
TIMEOUT = 60_000  # milliseconds, for machines that do other things


class Handler(http.server.SimpleHTTPRequestHandler):
    """A file server, as any host of static files is one."""

    def log_message(self, *arguments: object) -> None:
        pass


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The address of the page on a file server."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(FOLDER)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/index.html"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


class Opener:
    """Opens pages, and collects what they must not do."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser, self.address = browser, address
        self.contexts: list[Any] = []
        self.problems: list[str] = []

    def __call__(self, fragment: str = "", *, address: str | None = None, **options: Any) -> Page:
        expect.set_options(timeout=TIMEOUT)
        context = self.browser.new_context(**({"viewport": {"width": 1280, "height": 900}} | options))
        context.set_default_timeout(TIMEOUT)
        self.contexts.append(context)
        page = context.new_page()
        start = address or self.address
        page.on("console", lambda message: self.problems.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        page.on("request", lambda request: self._check(request.url, start))
        page.goto(start + fragment)
        page.wait_for_selector("body[data-ready]")
        return page

    def _check(self, url: str, start: str) -> None:
        if url.split("#")[0] != start and not url.startswith(("data:", "blob:")):
            self.problems.append(f"request: {url}")

    def close(self) -> None:
        for context in self.contexts:
            context.close()


@pytest.fixture
def opener(browser: Browser, address: str) -> Iterator[Opener]:
    opener = Opener(browser, address)
    yield opener
    opener.close()
    assert opener.problems == []
