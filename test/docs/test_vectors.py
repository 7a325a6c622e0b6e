# SPDX-License-Identifier: MIT
"""Runs the examples of docs/vectors.md, and compares the formats of `pto vectors` with each other.

    test_vectors.py ROOT-OF-THE-REPOSITORY PTO

PTO is the command line of `pto`, in one or more words. The example in Python is skipped without ml_dtypes, the one in C
without a compiler, the one in SystemVerilog without Icarus Verilog.
"""

import csv
import importlib.util
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv[1])
PTO = sys.argv[2:]
PAGE = (ROOT / "docs/vectors.md").read_text(encoding="utf-8")
FORM = "cvt.rn.bf16.f32"

# A form of each kind: a predicate, two predicates, a scale, random bits, a 64-bit source, packed codes, and blocks of
# each family with and without a level.
FORMS = [
    FORM,
    "setp.lt.and.f16x2",
    "slct.ftz.b64.f32",
    "cvt.rz.satfinite.scaled::n1::ue8m0.e2m1x2.f32",
    "cvt.rs.satfinite.e4m3x4.f32",
    "cvt.rn.bf16x2.e2m1x2",
    "cast.rs.s2.f64",
    "vcvt.R.sat.s8.f16",
    "block.mx.rceil.e2m1.bf16",
    "block.nv.te.two_level.e2m1.f32",
    "block.fp8.div.e4m3.f16",
    "block.bfp.tt.bfp4.f32",
]


def vectors(*arguments):
    """Returns the output of `pto vectors`."""
    return subprocess.run([*PTO, "vectors", *arguments], check=True, capture_output=True, text=True).stdout


def examples(language):
    """Returns the code blocks of the page in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, flags=re.DOTALL | re.MULTILINE)


def flat(row):
    """Returns the elements of a row of JSON in one list."""
    return [element for cell in row for element in (cell if isinstance(cell, list) else [cell])]


class Formats(unittest.TestCase):
    """JSON, CSV and hex have the same rows."""

    def check(self, name):
        document = json.loads(vectors(name))
        (form,) = document["vectors"]
        self.assertEqual(form["name"], name)
        self.assertNotEqual(form["source"], "")
        rows = [[int(element, 16) for element in flat(row)] for row in form["rows"]]
        text = vectors(name, "--format", "csv")
        comments = [line for line in text.splitlines() if line.startswith("#")]
        self.assertIn(f"# name: {name}", comments)
        self.assertIn(f"# source: {form['source']}", comments)
        self.assertIn(f"libpto {document['version']}", comments[2])
        names, *lines = csv.reader(line for line in text.splitlines() if not line.startswith("#"))
        self.assertEqual(len(names), len(rows[0]))
        self.assertEqual([[int(cell, 16) for cell in line] for line in lines], rows)
        self.assertEqual(list(self.hex_rows(name, form["columns"])), rows)

    def hex_rows(self, name, columns):
        """Yields the rows of a hex file."""
        text = vectors(name, "--format", "hex")
        widths = [(column["bits"] + 3) // 4 for column in columns]
        total = sum(4 * width * column["count"] for width, column in zip(widths, columns, strict=True))
        lines = [line for line in text.splitlines() if not line.startswith("//")]
        self.assertIn(f"// rows: {len(lines)} of {total} bits", text)
        for line in lines:
            row = []
            for field, width, column in zip(line.split("_"), widths, columns, strict=True):
                self.assertEqual(len(field), width * column["count"])
                digits = [field[i : i + width] for i in range(0, len(field), width)]
                row += [int(word, 16) for word in reversed(digits)]
            yield row

    def test_formats(self):
        for name in FORMS:
            with self.subTest(name):
                self.check(name)

    def test_several(self):
        document = json.loads(vectors("vcmp.*.s16", "nv.gguf", "--count", "0"))
        names = [form["name"] for form in document["vectors"]]
        self.assertIn("vcmp.lt.s16", names)
        self.assertIn("block.nv.gguf.e2m1.bf16", names)
        self.assertEqual(document["count"], 0)

    def test_seed(self):
        one, other = (json.loads(vectors(FORM, "--seed", seed))["vectors"][0]["rows"] for seed in "01")
        self.assertEqual(len(one), len(other))
        self.assertEqual(one[:1500], other[:1500])
        self.assertNotEqual(one, other)


class Examples(unittest.TestCase):
    """Each example accepts the vectors, and finds a wrong result."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for form in ("json", "csv", "hex"):
            vectors(FORM, "--output", folder.name, "--format", form)

    def run_here(self, *command):
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)

    def check(self, form, *command):
        """Runs a command, and again after one result was changed: 1.0 becomes the next bf16."""
        first = self.run_here(*command)
        self.assertEqual(first.returncode, 0, first.stdout + first.stderr)
        path = self.folder / f"{FORM}.{form}"
        text = path.read_text(encoding="utf-8")
        changed = re.sub(r"(3f800000\W{0,4}_?(?:0x)?)3f80", r"\g<1>3f81", text, count=1)
        self.assertNotEqual(text, changed)
        path.write_text(changed, encoding="utf-8")
        self.assertNotEqual(self.run_here(*command).returncode, 0)

    @unittest.skipUnless(importlib.util.find_spec("ml_dtypes"), "no ml_dtypes")
    def test_python(self):
        (self.folder / "example.py").write_text(examples("python")[0], encoding="utf-8")
        self.check("json", sys.executable, "example.py")

    @unittest.skipUnless(importlib.util.find_spec("xxhash"), "no xxhash")
    def test_digest(self):
        code = f'import json\n\nwith open("{FORM}.json") as file:\n    form = json.load(file)["vectors"][0]\n'
        (self.folder / "example.py").write_text(code + examples("python")[1], encoding="utf-8")
        said = self.run_here(sys.executable, "example.py").stdout
        self.assertEqual(said.split(), vectors("--digest", FORM).split()[:1])

    @unittest.skipUnless(shutil.which("cc"), "no C compiler")
    def test_c(self):
        (self.folder / "example.c").write_text(examples("c")[0], encoding="utf-8")
        built = self.run_here("cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-o", "example", "example.c")
        self.assertEqual(built.returncode, 0, built.stderr)
        self.check("csv", "./example")

    @unittest.skipUnless(shutil.which("iverilog"), "no Icarus Verilog")
    def test_systemverilog(self):
        (self.folder / "example.sv").write_text(examples("systemverilog")[1], encoding="utf-8")
        built = self.run_here("iverilog", "-g2012", "-o", "example", "example.sv")
        self.assertEqual(built.returncode, 0, built.stderr)
        self.check("hex", "vvp", "-n", "example")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
