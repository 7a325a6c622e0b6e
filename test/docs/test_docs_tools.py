# SPDX-License-Identifier: MIT
"""Tests of docs/doxygen/check_markup.py and markdown_filter.py: planted faults are found, and good pages pass.

    test_docs_tools.py FOLDER-OF-THE-TOOLS

The faulty HTML is what Doxygen 1.9.4 made of pages that it misread.
"""

import importlib.util
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(sys.argv.pop(1))


def load(name):
    spec = importlib.util.spec_from_file_location(name, TOOLS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


check = load("check_markup")
markdown = load("markdown_filter")

FAULTY = {
    "a raw Doxygen command": [
        '<p>Where results come from: @ref docs/what-is-pto.md "What PTO and PTX are", @ref x "y".</p>',
        "<p>what each computes.\n@code{python} \n&gt;&gt;&gt; x = 1\n@endcode</p>",
        "<p>Returns \\p n lanes.</p>",
    ],
    "a Doxygen command in code": ["<td><code>a, b \\ilinebr c</code></td>"],
    "a raw Markdown escape": ["<td><code>setp p\\|q</code></td>", "<p>p \\| q</p>"],
    "a raw backtick": [
        '<p>as in "Random bits of `.rs`"</p>',
        "<p>\u2018ctest -R \u2019^record[.]'` computes it</p>",
        "<p>```c\nint i;\n```</p>",
    ],
    "an HTML tag as text": [
        "<h1>PTO's &lt;tt&gt;ne&lt;/tt&gt; on floats</h1>",
        '<p>Programs &lt;table class="markdownTable"&gt; &lt;tr&gt;</p>',
        '<td><code>a &lt;/td&gt; &lt;td class="x"&gt; b</code></td>',
        "<p>one&lt;br/&gt;two</p>",
    ],
    "a raw Markdown link": [
        "<p>see [Block scaling](block-scaling.md)</p>",
        "<p>see [<code>pto.h</code>](pto.h)</p>",
        "<p>![A picture](peers.svg)</p>",
        "<p>\n[1]: https://example.org</p>",
    ],
    "a raw Markdown table": [
        "<p>| to | from |\n| --- | --- |\n| f16 | f32 |</p>",
        "<p>name | value\n--- | ---:\nx | 1</p>",
        "<li>| <code>a</code> | b |</li>",
    ],
    "a raw Markdown heading": ["<p>text\n## Threads</p>"],
    "a raw Markdown list": ["<p>these:\n- one\n- two</p>"],
    "raw Markdown emphasis": ["<p>it is **bold**</p>", "<p>it is __bold__</p>"],
    "an entity as text": ["<p>a &amp;lt; b</p>", "<p>&amp;#42;</p>"],
    "an option outside a code element": ["<p>python IN OUT \u2013recipe mxfp8</p>"],
}
GOOD = [
    "<p><code>@p setp p|q</code>, <code>`</code>, <code>[a](b)</code>, <code>--x</code></p>",
    "<p>a \u2013 b, a * b * c, x[i] (y)</p>",
    '<div class="fragment"><div class="line">std::vector&lt;float&gt; x; # no heading, **p, @p</div></div>',
    '<table><tr><td class="memItemLeft">const char **target</td></tr></table>',
    "<p>#include &lt;pto/pto.h&gt;, a &lt; b &gt; c, |x|, PTO_* &amp; __dlpack__x, 5 &lt; 6</p>".replace(
        "__dlpack__x", "more"
    ),
    "<p>user@example.org</p><script>a = '`<td>`'</script><style>@media {}</style>",
    "<pre>| a | b |\n`x`</pre><ul><li>one</li><li>two</li></ul>",
]
MAN = ".TH a 3\n.SH NAME\npto_a \\- does it\n"
MAN += ".SH DESCRIPTION\nx \\- y, \\fBz\\fR\n.IP \\(bu 3\nw\n.EX\n`a` | b | @p\n.EE\n"
FAULTY_MAN = {
    "a raw backtick": "calls `pto_cvt`",
    "a raw Markdown link": "see [x](y.md)",
    "a raw Markdown table": "| a | b |",
    "a raw Doxygen command": "as @ref x and \\ecode y",
    "an HTML tag as text": "<tt>x</tt>",
    "an entity as text": "a &lt; b",
}
MARKDOWN = [
    ("see [Block\nscaling](b.md),\nend\n", "see [Block scaling](@ref b),\nend\n\n"),
    ("## PTO's `ne` on `x`\n", "## PTO's ne on x {#page}\n"),
    ("# A\n## B c, `d`\n## b C d\n", "# A {#page}\n## B c, d {#page-b-c-d}\n## b C d {#page-b-c-d-1}\n"),
    ("run `ctest -R '^x'` now\n", "run ``ctest -R '^x'`` now\n"),
    ('| `a="b"` | "of `.rs`" |\n', '| `a="b"` | &quot;of `.rs`&quot; |\n'),
    ("| `@p a<b> p\\|q` |\n", "| <code>\\@p a&lt;b&gt; p\\|q</code> |\n"),
    ("**`a`** and **b**\n", "<b>`a`</b> and **b**\n"),
    ("``a `b' c``\n", "``a `b' c``\n"),
    ('```c\n# a `b` "c"\nx = [a\nb](c.md)\n```\n', '```c\n# a `b` "c"\nx = [a\nb](c.md)\n```\n'),
    ("a `b\nc's` d\n", "a ``b\nc's`` d\n"),
    (
        "[a](#b-c) [d](../e/README.md#f) [g](h.txt) [i](https://j.k/l.md) `[m](n.md)`\n",
        "[a](@ref page-b-c) [d](@ref e-f) [g](h.txt) [i](https://j.k/l.md) `[m](n.md)`\n",
    ),
]


class DocsTools(unittest.TestCase):
    def test_faults_in_html_are_found(self):
        for fault, texts in FAULTY.items():
            for text in texts:
                found = [said for _, said in check.html_faults(f"<html><body>{text}</body></html>")]
                assert any(said.startswith(fault + ":") for said in found), (fault, text, found)

    def test_every_rule_has_a_fault(self):
        assert set(FAULTY) == set(check.PROSE) | set(check.ANYWHERE)

    def test_good_html_passes(self):
        for text in GOOD:
            assert list(check.html_faults(text)) == [], text

    def test_man_pages(self):
        assert list(check.man_faults(MAN)) == []
        for fault, text in FAULTY_MAN.items():
            found = [said for _, said in check.man_faults(MAN + text + "\n")]
            assert any(said.startswith(fault + ":") for said in found), (fault, text, found)
        assert list(check.man_faults(MAN.replace("does it", "")))

    def test_links_and_folders(self):
        index = '<html><body><a href="{}">x</a><h1 id="top">y</h1></body></html>'
        for link, good in {
            "a.html": True, "a.html#b": True, "#top": True, "https://example.org/x": True, "pic.svg": True,
            "c.html": False, "a.html#c": False, "#bottom": False, "file:///a.html": False, "pic.png": False,
        }.items():  # fmt: skip
            assert self.run_check(index.format(link)) == good, link
        assert not self.run_check("<p>/build/here/docs</p>")
        assert self.run_check("<p>/build/herewith</p>")

    def run_check(self, index):
        """Whether a site of this page and of a good one passes."""
        with tempfile.TemporaryDirectory() as folder:
            site = pathlib.Path(folder)
            (site / "index.html").write_text(index, encoding="utf-8")
            (site / "a.html").write_text('<p id="b">z</p>', encoding="utf-8")
            (site / "pic.svg").write_text("<svg/>", encoding="utf-8")
            command = [sys.executable, TOOLS / "check_markup.py", "--html", site, "--folder", "/build/here"]
            return subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode == 0

    def test_no_pages_is_a_fault(self):
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, TOOLS / "check_markup.py", "--html", folder]
            assert subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode != 0

    def test_markdown_filter(self):
        for page, filtered in MARKDOWN:
            assert markdown.filtered(page, pathlib.Path("docs/page.md")) == filtered

    def test_links_of_the_pages_in_the_repository(self):
        root = TOOLS.resolve().parents[1]
        pages = [*root.glob("*.md"), *root.glob("docs/**/*.md"), root / "python" / "README.md"]
        assert len(pages) > 10
        faults = []
        for page in pages:
            if page.parent == TOOLS.resolve():
                continue  # index.md, whose links check_markup.py follows in the built site
            text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
            for link in re.findall(r"\]\(([^()\s]+)\)", markdown.SPAN.sub("", text)):
                file, _, heading = link.partition("#")
                target = page.parent / file if file else page
                if re.match(r"[a-z]+:", link):
                    continue
                if not target.exists() or (heading and heading not in headings(target)):
                    faults.append(f"{page.relative_to(root)}: {link}")
        assert not faults, faults


def headings(page):
    """The names that GitHub gives the headings of a page."""
    names = []
    for _, title in re.findall(r"^(#+) +(.*?)\s*$", page.read_text(encoding="utf-8"), re.MULTILINE):
        slug = markdown.heading_slug(title.replace("`", ""))
        names.append(f"{slug}-{names.count(slug)}" if slug in names else slug)
    return names


unittest.main()
