# SPDX-License-Identifier: MIT
"""Prints a Markdown page in the form that Doxygen 1.9.4 renders correctly.

    markdown_filter.py PAGE.md

The pages in docs/ are written for GitHub and for editors. Doxygen 1.9.4 differs, and most of these differences leave
raw markup in the site, sometimes in the whole rest of the page:

- A link whose text is broken over two lines becomes a raw @ref.
- Backticks in a heading become a visible <tt>.
- A code span that holds an apostrophe ends at the apostrophe, unless it is marked by two backticks.
- Backticks between double quotes are not markup at all.
- A bar in a code span of a table, which GitHub wants written as \\|, keeps its backslash.
- Asterisks around a code span do not make it bold.
- Headings have no name that a link could use, and README.md is not found. So pages and headings get labels.

Code blocks stay as they are. The number of lines does not change, so Doxygen's warnings name the right paragraph.
"""

import pathlib
import re
import sys

FENCE = re.compile(r"^ *```")
HEADING = re.compile(r"^(#{1,6}) +(.*?)\s*$")
SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
BOLD_CODE = re.compile(r"\*\*(`[^`\n]+`)\*\*")
LINK_TEXT = re.compile(r"\[([^][]*\n[^][]*)\]\(([^()]*)\)")
LINK = re.compile(r"\]\(([^():#]*\.md)?(?:#([\w-]+))?\)")


def page_label(path):
    """The label of a page, which is also the name of its HTML file: docs/bench/README.md is bench."""
    return (path.parent.name if path.stem == "README" else path.stem).lower()


def heading_slug(title):
    """The name that GitHub gives a heading: lower case, without punctuation, blanks as hyphens."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def code_span(match):
    marks, text = match.groups()
    if "\\|" in text:
        text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("@", "\\@")
        return f"<code>{text}</code>"
    return f"``{text}``" if marks == "`" and "'" in text else match.group()


def link(match, path):
    page, heading = match.groups()
    if not page and not heading:
        return match.group()
    label = page_label(path.parent / page if page else path)
    return f"](@ref {label}-{heading})" if heading else f"](@ref {label})"


def prose(text, path):
    """Text without code blocks and headings."""
    text = BOLD_CODE.sub(r"<b>\1</b>", text)
    lines = text.count("\n")
    text = LINK_TEXT.sub(lambda found: f"[{' '.join(found[1].split())}]({found[2]})", text)
    text += "\n" * (lines - text.count("\n"))
    parts, end = [], 0

    def add(words):
        parts.append(LINK.sub(lambda found: link(found, path), words.replace('"', "&quot;")))

    for span in SPAN.finditer(text):
        add(text[end : span.start()])
        parts.append(code_span(span))
        end = span.end()
    add(text[end:])
    return "".join(parts)


def filtered(page, path):
    """The text of a page that lies at `path`."""
    output, paragraph, in_code = [], [], False
    slugs = []

    def flush():
        if paragraph:
            output.append(prose("".join(paragraph), path))
            paragraph.clear()

    for line in page.splitlines(keepends=True):
        heading = HEADING.match(line)
        if FENCE.match(line):
            flush()
            in_code = not in_code
            output.append(line)
        elif in_code:
            output.append(line)
        elif heading:
            flush()
            marks, title = heading[1], heading[2].replace("`", "")
            slug = heading_slug(title)
            label = page_label(path)
            if slugs:
                label += f"-{slug}" + (f"-{slugs.count(slug)}" if slug in slugs else "")
            # Doxygen gives the main page, index.md, the label index by itself.
            output.append(f"{marks} {title}" + (f" {{#{label}}}\n" if label != "index" else "\n"))
            slugs.append(slug)
        else:
            paragraph.append(line)
            if not line.strip():
                flush()
    flush()
    return "".join(output)


if __name__ == "__main__":
    PAGE = pathlib.Path(sys.argv[1])
    sys.stdout.write(filtered(PAGE.read_text(encoding="utf-8"), PAGE))
