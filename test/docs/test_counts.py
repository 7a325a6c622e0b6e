# SPDX-License-Identifier: MIT
"""Compares the counts in the documents with those that the command prints.

    test_counts.py ROOT-OF-THE-REPOSITORY PTO

PTO is the command line of `pto`, in one or more words. NEWS.md is not read, because it describes earlier versions.
"""

import json
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(sys.argv[1])
PTO = sys.argv[2:]

# What a pattern's number counts. Each pattern must occur in the documents.
PATTERNS = {
    r"(\d+) forms of `cvt`": "spelled",
    r"`cvt` has (\d+) forms": "spelled",
    r"[(](\d+)[)], `setp`": "spelled",
    r"(\d+) forms \(types, modifiers\) of PTX `cvt`": "spelled",
    r"target has it; (\d+) forms": "spelled",
    r"`pto_cvt_op` has (\d+),": "distinct",
    r"With (\d+) forms of composed pairs": "composed",
    r"`pto_cvt` supports (\d+)\.": "cvt",
    r"`setp` \((\d+)\)": "setp",
    r"^(\d+) forms: every operator": "setp",
    r"`set` \((\d+)\)": "set",
    r"^(\d+) forms, counted in the same way": "set",
    r"(\d+) conversions of PTO": "vcvt",
    r"PTO conversions \((\d+) forms\)": "vcvt",
    r"in (\d+) forms: all that the verifier takes": "vcvt",
    r"by (\d+) rules": "rules",
    r"(\d+) of them have names \(`pto_block_rule`\)": "rules",
    r"`docs/digests-sm_90.jsonl` has (\d+) lines": "sm_90",
}


def read_counts():
    """Returns the counts. The test forms_table checks docs/forms.md, from which the number of PTX spellings is read."""
    info = json.loads(subprocess.run([*PTO, "info", "--json"], check=True, capture_output=True, text=True).stdout)
    forms = (ROOT / "docs/forms.md").read_text(encoding="utf-8")
    record = (ROOT / "docs/digests-sm_90.jsonl").read_text(encoding="utf-8")
    return {
        **info["forms"],
        "rules": info["rules"],
        "spelled": int(re.search(r"PTX has (\d+) forms", forms)[1]),
        "distinct": info["forms"]["cvt"] - info["forms"]["composed"],
        "sm_90": len(record.splitlines()),
    }


def read_documents():
    paths = [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md")), ROOT / "test/data/README.md"]
    return {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in paths}


def wrong_counts(documents, counts):
    """Returns a line for each wrong count, and for each pattern that no document has."""
    wrong, unused = [], set(PATTERNS)
    for page, text in documents.items():
        for number, line in enumerate(text.splitlines(), 1):
            for pattern, name in PATTERNS.items():
                for found in re.findall(pattern, line):
                    unused.discard(pattern)
                    if int(found) != counts[name]:
                        wrong.append(f"{page}:{number}: {found} in '{line.strip()}' must be {counts[name]} ({name})")
    return wrong + [f"no document has {pattern}" for pattern in sorted(unused)]


class Counts(unittest.TestCase):
    def test_counts_of_documents(self):
        wrong = wrong_counts(read_documents(), read_counts())
        if wrong:
            self.fail("\n" + "\n".join(wrong))

    def test_each_wrong_count_is_found(self):
        counts = read_counts()
        for name in counts:
            with self.subTest(name=name):
                wrong = wrong_counts(read_documents(), {**counts, name: counts[name] + 1})
                self.assertTrue(wrong)
                self.assertRegex(wrong[0], r"^[\w/]+\.md:\d+: \d+ in ")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
