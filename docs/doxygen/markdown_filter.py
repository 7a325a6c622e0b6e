# SPDX-License-Identifier: MIT
"""Prints a Markdown page in the form that Doxygen 1.9.4 renders correctly.

    markdown_filter.py PAGE.md

The pages in docs/ are written for GitHub and for editors. Doxygen 1.9.4 differs in four places, and each of them
leaves raw markup in the site, sometimes in the whole rest of the page:

- A link whose text is broken over two lines becomes a raw @ref.
- Backticks in a heading become a visible <tt>.
- A code span that holds an apostrophe ends at the apostrophe, unless it is marked by two backticks.
- Backticks between double quotes are not markup at all.

Code blocks stay as they are. The number of lines does not change, so Doxygen's warnings name the right paragraph.
"""

import pathlib
import re
import sys

FENCE = re.compile(r"^ *```")
HEADING = re.compile(r"^#{1,6} ")
SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
LINK_TEXT = re.compile(r"\[([^][]*\n[^][]*)\]\(([^()]*)\)")


def code_span(match):
    marks, text = match.groups()
    return f"``{text}``" if marks == "`" and "'" in text else match.group()


def prose(text):
    """Text without code blocks and headings."""
    lines = text.count("\n")
    text = LINK_TEXT.sub(lambda link: f"[{' '.join(link[1].split())}]({link[2]})", text)
    text += "\n" * (lines - text.count("\n"))
    parts, end = [], 0
    for span in SPAN.finditer(text):
        parts += [text[end : span.start()].replace('"', "&quot;"), code_span(span)]
        end = span.end()
    return "".join([*parts, text[end:].replace('"', "&quot;")])


def filtered(page):
    output, paragraph, in_code = [], [], False

    def flush():
        if paragraph:
            output.append(prose("".join(paragraph)))
            paragraph.clear()

    for line in page.splitlines(keepends=True):
        if FENCE.match(line):
            flush()
            in_code = not in_code
            output.append(line)
        elif in_code:
            output.append(line)
        elif HEADING.match(line):
            flush()
            output.append(line.replace("`", ""))
        else:
            paragraph.append(line)
            if not line.strip():
                flush()
    flush()
    return "".join(output)


if __name__ == "__main__":
    sys.stdout.write(filtered(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")))
