# SPDX-License-Identifier: MIT
"""Checks that the files and functions that the design pages name exist, and that tables list every rule and variable.

    test_design.py ROOT-OF-THE-REPOSITORY
"""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop(1))
PAGES = ["docs/design.md", "src/loops/BACKEND.md", "CONTRIBUTING.md"]
CODE = ["src", "include", "program", "cli", "tools", "test", "cmake"]
BACKEND = re.compile(r"_(avx2|avx512|neon|sve|rvv|generic|scalar)(_\w+)?$")


def code_words(root):
    """Returns all words of the code below `root`."""
    words = set()
    for folder in CODE:
        for path in (root / folder).rglob("*"):
            if path.suffix in {".c", ".h", ".hpp", ".cmake", ".txt"}:
                words.update(re.findall(r"\w+", path.read_text(encoding="utf-8")))
    return words


def missing_paths(root, page, text):
    """Returns the paths in backquotes and the targets of links that do not exist, relative to the root or to the page."""
    names = re.findall(r"`((?:\w+/)+[\w.]*|[\w/]+\.[ch])`", text)
    links = [link.split("#")[0] for link in re.findall(r"\]\(([^)]*)\)", text) if "://" not in link]
    folder = (root / page).parent
    files = {path.name for folder in CODE for path in (root / folder).rglob("*")}
    return [
        name
        for name in names + links
        if name and not (root / name).exists() and not (folder / name).exists() and name not in files
    ]


def missing_functions(words, text):
    """Returns the functions, written `name()`, and macros that do not occur in the code.

    Loops add the backend's name to those of functions.
    """
    names = re.findall(r"`(\w+)\(\)`", text) + re.findall(r"`([A-Z]+_[A-Z0-9_]+)`", text)
    return [name for name in names if name not in words and BACKEND.sub("", name) not in words]


def missing_rows(page, names):
    """Returns the names of which `page` has no table row, in a page of Markdown or the comment of a header."""
    rows = [line for line in page.splitlines() if line.lstrip(" *").startswith("|")]
    return [name for name in names if not any(re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])", row) for row in rows)]


class Design(unittest.TestCase):
    def test_what_pages_name_exists(self):
        words = code_words(ROOT)
        for page in PAGES:
            text = (ROOT / page).read_text(encoding="utf-8")
            with self.subTest(page=page):
                self.assertIn("`", text)
                self.assertEqual(missing_paths(ROOT, page, text), [])
                self.assertEqual(missing_functions(words, text), [])

    def test_tables_list_block_rules_and_variables(self):
        rules = re.findall(r'\.name = "(.*?)"', (ROOT / "src/core/scaling.c").read_text(encoding="utf-8"))
        variables = re.findall(r', "(PTO_\w+)",', (ROOT / "src/core/variants.h").read_text(encoding="utf-8"))
        self.assertTrue(rules and variables)
        for page, names in (
            ("docs/block-scaling.md", rules),
            ("include/pto/block.h", ["PTO_" + rule.upper().replace(".", "_") for rule in rules]),
            ("include/pto/isa.h", variables),
            ("docs/platforms.md", variables),
        ):
            with self.subTest(page=page):
                self.assertEqual(missing_rows((ROOT / page).read_text(encoding="utf-8"), names), [])

    def test_what_is_missing_is_found(self):
        text = "`src/core/no_such_file.h`, `src/core/check.h`, `pto_vcmp()`, `no_function()`, `NO_MACRO`, [a](no-page.md)"
        self.assertEqual(missing_paths(ROOT, PAGES[0], text), ["src/core/no_such_file.h", "no-page.md"])
        self.assertEqual(missing_functions({"pto_vcmp"}, text), ["no_function", "NO_MACRO"])
        self.assertEqual(missing_rows(" * | PTO_A_B | x |\nmx.b", ["PTO_A_B", "PTO_A", "mx.b"]), ["PTO_A", "mx.b"])


if __name__ == "__main__":
    unittest.main()
