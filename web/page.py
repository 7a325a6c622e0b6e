#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the page from its sources and the WebAssembly program: one file that loads nothing else.

The page's Content-Security-Policy allows only the script and the style that it contains, and no connection at all.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import hashlib
import json
import re
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
LIMIT = 1_500_000  # bytes of the page


def bundle(name: str) -> str:
    """Returns one of the page's modules with all that it imports, as a script."""
    options = ["--bundle", "--format=iife", "--minify-whitespace", "--minify-syntax", "--target=es2022"]
    command = ["esbuild", str(HERE / "page" / name), *options, "--log-level=warning", "--charset=utf8"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def style() -> str:
    """Returns the style sheet without blanks that have no meaning."""
    command = ["esbuild", str(HERE / "page" / "style.css"), "--minify-whitespace", "--log-level=warning"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def stacks() -> dict[str, str]:
    """Returns which stacks use each rule, from the comments of the enumeration in pto/block.h."""
    header = (ROOT / "include/pto/block.h").read_text()
    lines = re.findall(r"^    PTO_((?:MX|NV|FP8|BFP)_\w+)(?: = \d+)?,? +/\*\*< (.*?) \*/$", header, re.MULTILINE)
    return {name.lower().replace("_", "."): words for name, words in lines}


def examples() -> list[dict[str, object]]:
    """Returns the example programs with their texts."""
    found = json.loads((HERE / "page" / "examples.json").read_text())
    for example in found:
        lines = example.pop("lines", None)
        example["text"] = "\n".join(lines) if lines else (ROOT / example.pop("file")).read_text().rstrip()
    return found


def vocabulary(names: str, forms: str) -> dict[str, object]:
    """Returns what the program prints as names and forms, for completion."""
    lines = [json.loads(line) for line in names.splitlines()]
    return {
        "version": lines[0]["version"],
        "types": [line for line in lines if "type" in line],
        "instructions": [line for line in lines if "instruction" in line],
        "forms": " ".join(line.split()[0] for line in forms.splitlines()),
    }


def embedded(data: object) -> str:
    """Returns JSON that can stand in a script element."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def source(text: str) -> str:
    """Returns the hash of a script or a style for the Content-Security-Policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def policy(script: str, css: str) -> str:
    """Returns the Content-Security-Policy. Without a source, everything is forbidden; so are all connections."""
    return (
        f"default-src 'none'; script-src {source(script)} 'wasm-unsafe-eval'; style-src {source(css)}; "
        "worker-src blob:; img-src data:; base-uri 'none'; form-action 'none'"
    )


def page(wasm: bytes, names: str, forms: str) -> str:
    """Returns the page."""
    script, worker, css = bundle("main.js"), bundle("worker.js"), style()
    for text in (script, worker, css):
        if "</" in text and re.search(r"</(script|style)", text, re.IGNORECASE):
            raise ValueError("a source contains the end of its element")
    parts = {
        "CSP": policy(script, css),
        "STYLE": css,
        "STACKS": embedded(stacks()),
        "EXAMPLES": embedded(examples()),
        "VOCABULARY": embedded(vocabulary(names, forms)),
        "WORKER": worker,
        "WASM": base64.b64encode(gzip.compress(wasm, 9, mtime=0)).decode(),
        "SCRIPT": script,
    }
    html = (HERE / "page" / "index.html").read_text()
    return re.sub(r"@([A-Z]+)@", lambda match: parts[match[1]], html)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wasm", type=Path, help="the WebAssembly program")
    parser.add_argument("names", type=Path, help="what its subcommand names prints")
    parser.add_argument("forms", type=Path, help="what its subcommand forms prints")
    parser.add_argument("folder", type=Path, help="the folder for index.html")
    arguments = parser.parse_args()
    html = page(arguments.wasm.read_bytes(), arguments.names.read_text(), arguments.forms.read_text()).encode()
    if len(html) >= LIMIT:
        raise SystemExit(f"the page has {len(html)} bytes; the limit is {LIMIT}")
    arguments.folder.mkdir(parents=True, exist_ok=True)
    (arguments.folder / "index.html").write_bytes(html)
    print(f"{arguments.folder / 'index.html'}: {len(html)} bytes")


if __name__ == "__main__":
    main()
