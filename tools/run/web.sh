# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# Builds the explorer, a page for the browser, and tests it. Sourced by ./run.

web()
{
    build_step web
    say "open build/web/index.html in a browser, or put build/web on any file server"
}

# test_web: tests the page in a headless Chromium, and compares its results with those of the command and the library.
test_web()
{
    need_environment build/web-python tools/requirements/web.txt
    build web
    build release pto_command pto_shared
    build/web-python/bin/python -m pytest -q -rs -c pyproject.toml web/tests
}
