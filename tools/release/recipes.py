# SPDX-License-Identifier: MIT
"""Fills the recipes of packaging/ for one source archive.

python recipes.py ARCHIVE URL HOMEPAGE OUT

The recipes have the words in WORDS in place of what is known only when the archive exists.
"""

import base64
import hashlib
import re
import sys
from pathlib import Path

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"


def words(archive: Path, url: str, homepage: str) -> dict[str, str]:
    """Returns what each word of the recipes stands for."""
    data = archive.read_bytes()
    sha256 = hashlib.sha256(data)
    return {
        "@VERSION@": re.fullmatch(r"libpto-(\d+\.\d+\.\d+)\.tar\.gz", archive.name)[1],
        "@URL@": url,
        "@HOMEPAGE@": homepage,
        "@SHA256@": sha256.hexdigest(),
        "@SHA256_BASE64@": base64.b64encode(sha256.digest()).decode(),
        "@SHA512@": hashlib.sha512(data).hexdigest(),
    }


def main() -> None:
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    archive, url, homepage, out = Path(sys.argv[1]), sys.argv[2], sys.argv[3], Path(sys.argv[4])
    values = words(archive, url, homepage)
    used = set()
    for path in sorted(PACKAGING.rglob("*")):
        if not path.is_file() or path.suffix in (".md", ".pyc"):
            continue
        text = path.read_text()
        for word, value in values.items():
            used |= {word} if word in text else set()
            text = text.replace(word, value)
        unknown = re.findall(r"@[A-Z0-9_]+@", text)
        if unknown:
            sys.exit(f"recipes.py: {path} has the unknown words {' '.join(unknown)}")
        target = out / path.relative_to(PACKAGING)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    if used != set(values):
        sys.exit(f"recipes.py: no recipe has {' '.join(sorted(set(values) - used))}")


if __name__ == "__main__":
    main()
