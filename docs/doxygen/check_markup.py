# SPDX-License-Identifier: MIT
"""Finds markup that was not rendered in the built site and man pages, and links that lead nowhere.

    check_markup.py --html FOLDER --man FOLDER [--folder PATH]...

Prints a line for each fault and exits with 1 if there is one. --folder names a folder of the build machine, which must
not appear in any page. Doxygen reports none of this: it prints markup that it does not understand as text.
"""

import argparse
import pathlib
import re
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urldefrag

TAG = (
    r"</?(?:a|b|br|center|code|div|em|h[1-6]|hr|i|img|li|ol|p|pre|span|strong|sub|sup|table|tbody|td|th|thead|tr|tt|ul)"
    r"(?:\s[^<>]*)?/?>"
)

# Markup that is a fault wherever it is visible, in code too.
ANYWHERE = {
    "a Doxygen command in code": r"[@\\](?:ref|code|endcode|verbatim|endverbatim|ilinebr|section|page|anchor|brief)\b",
    "an HTML tag as text": TAG,
    "a raw Markdown escape": r"\\\|",
}
# Markup that is a fault in prose, where code must be in a code element. \ufffc stands for such an element.
PROSE = {
    "a raw Doxygen command": r"(?<![\w.])[@\\][A-Za-z]+",
    "a raw backtick": r"`",
    "a raw Markdown link": r"\]\(|!\[|^\s*\[[^]]+\]:\s",
    "a raw Markdown table": r"^\s*\||\|\s*:?-{3,}|\| [^|\n]* \|",
    "a raw Markdown heading": r"^\s*#{1,6} ",
    "a raw Markdown list": r"^\s*[-*+] +\S.*\n\s*[-*+] +\S",
    "raw Markdown emphasis": r"\*\*|(?<!\w)__(?=\w)",
    "an entity as text": r"&(?:[a-z]+|#\d+);",
    "an option outside a code element": r"(?<!\w)(?:\u2013|\u2014)(?=[a-z])",
}
VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "wbr"}
INLINE = {"a", "b", "em", "i", "span", "strong", "sub", "sup", "font"}
CODE = {"code", "tt", "kbd", "pre"}
# Doxygen's classes of listings and declarations, which are code without a code element.
CODE_CLASSES = {
    "fragment",
    "line",
    "memItemLeft",
    "memItemRight",
    "memTemplParams",
    "memname",
    "memproto",
    "mlabels",
    "paramtype",
    "paramname",
    "fieldtype",
    "fieldname",
    "indexkey",
    "el",
    "memtitle",
}


class Page(HTMLParser):
    """The visible text of a page, its links and its anchors."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.stack = []  # of (tag, whether its content is code, whether it is invisible)
        self.prose, self.first = [], 1
        self.blocks, self.code = [], []  # of (line, text)
        self.links, self.anchors = [], set()
        self.feed(text)
        self.end_block()

    def end_block(self):
        text = "".join(self.prose)
        if text.strip():
            self.blocks.append((self.first, text))
        self.prose, self.first = [], self.getpos()[0]

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        for name in ("id", "name"):
            if attributes.get(name):
                self.anchors.add(attributes[name])
        for name in ("href", "src"):
            if attributes.get(name) and tag in ("a", "img"):
                self.links.append((self.getpos()[0], attributes[name]))
        if tag not in INLINE and tag not in CODE:
            self.end_block()
        if tag in VOID:
            return
        _, code, hidden = self.stack[-1] if self.stack else ("", False, False)
        is_code = tag in CODE or bool(CODE_CLASSES & set((attributes.get("class") or "").split()))
        if is_code and not code:
            self.prose.append("\ufffc")
        self.stack.append((tag, code or is_code, hidden or tag in ("script", "style", "head")))

    def handle_endtag(self, tag):
        if tag not in INLINE and tag not in CODE:
            self.end_block()
        if any(open_tag == tag for open_tag, _, _ in self.stack):
            while self.stack.pop()[0] != tag:
                pass

    def handle_data(self, data):
        _, code, hidden = self.stack[-1] if self.stack else ("", False, False)
        if not hidden:
            if code:
                self.code.append((self.getpos()[0], data))
            else:
                self.prose.append(data)


def matches(rules, text):
    for fault, rule in rules.items():
        found = re.search(rule, text, re.MULTILINE)
        if found:
            yield fault, " ".join(text[max(0, found.start() - 30) : found.end() + 40].split())


def html_faults(text):
    """Pairs of a line and a fault: what Doxygen printed as text though it is markup."""
    page = Page(text)
    for line, block in page.blocks:
        for fault, where in matches(PROSE | ANYWHERE, block):
            yield line, f"{fault}: {where}"
    for line, code in page.code:
        for fault, where in matches(ANYWHERE, code):
            yield line, f"{fault}: {where}"


def link_faults(pages, folder):
    """Triples of a page, a line and a link that leads to no file or to no place in it. `pages` maps names to pages."""
    for name, page in pages.items():
        for line, link in page.links:
            if re.match(r"(?:[a-z]+:|//)", link) or link in ("#", ""):
                if link.startswith("file:"):
                    yield name, line, f"a link to the build machine: {link}"
                continue
            target, anchor = (unquote(part) for part in urldefrag(link))
            target = target or name
            if target not in pages:
                if not (folder / target).is_file():
                    yield name, line, f"a link that leads nowhere: {link}"
            elif anchor and anchor not in pages[target].anchors:
                yield name, line, f"a link to a place that its page lacks: {link}"


def man_faults(text):
    """Pairs of a line and a fault of a man page in roff."""
    in_code = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith((".EX", ".EE", ".nf", ".fi")):
            in_code = line.startswith((".EX", ".nf"))
        elif not line.startswith('.\\"'):
            visible = re.sub(r"\\f(?:[A-Z]|\[[A-Z]*\])|\\&", "", line).replace("\\-", "-").replace("\\(aq", "'")
            visible = visible.replace("\\e", "\\")
            if line.startswith("."):
                visible = re.sub(r"\\\(..", "", visible)  # a bullet
            for fault, where in matches(ANYWHERE if in_code else MAN_PROSE | ANYWHERE, visible):
                yield number, f"{fault}: {where}"
    name = re.search(r"^\.SH NAME\n(.*)", text, re.MULTILINE)
    if not name or not re.fullmatch(r".*\S \\- \S.*", name[1]):
        yield 1, "NAME has no description"


MAN_PROSE = {fault: rule for fault, rule in PROSE.items() if "option" not in fault}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--html", type=pathlib.Path)
    parser.add_argument("--man", type=pathlib.Path)
    parser.add_argument("--folder", action="append", default=[])
    options = parser.parse_args()
    faults, texts = [], {}
    if options.html:
        html = {path.name: path.read_text(encoding="utf-8") for path in sorted(options.html.glob("*.html"))}
        texts |= html
        for name, text in html.items():
            faults += [(name, line, fault) for line, fault in html_faults(text)]
        faults += link_faults({name: Page(text) for name, text in html.items()}, options.html)
    if options.man:
        man = {path.name: path.read_text(encoding="utf-8") for path in sorted(options.man.glob("man*/*"))}
        texts |= man
        for name, text in man.items():
            faults += [(name, line, fault) for line, fault in man_faults(text)]
    if not texts:
        sys.exit("check_markup.py: there are no pages")
    for name, text in texts.items():
        for folder in options.folder:
            for found in re.finditer(re.escape(folder.rstrip("/")) + r"(?![\w-])", text):
                faults.append((name, text.count("\n", 0, found.start()) + 1, f"a path of the build machine: {folder}"))
    for name, line, fault in sorted(set(faults)):
        print(f"{name}:{line}: {fault}")
    if faults:
        sys.exit(1)
    print(f"{len(texts)} pages have no raw markup")


if __name__ == "__main__":
    main()
