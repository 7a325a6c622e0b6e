# SPDX-License-Identifier: MIT
"""Man pages from Doxygen's XML: one for every call, struct and enumeration, and libpto(7) for the rules of them all.

man_pages.py XML-FOLDER MAN-FOLDER VERSION
"""

import pathlib
import re
import sys
import textwrap
import xml.etree.ElementTree as ET

WIDTH = 76  # of tables, which are set as they are


def escaped(text):
    return text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")


def line_start(text):
    """roff takes a point or a quote that begins a line for a command."""
    return "\\&" + text if text[:1] in (".", "'", "\\(aq") else text


def plain(element):
    return re.sub(r"\s+", " ", "".join(element.itertext())).strip()


def set_as_is(lines):
    return [".PP", ".in +4n", ".EX", *(line_start(escaped(line)) for line in lines), ".EE", ".in"]


def code(listing):
    lines = []
    for line in listing.iter("codeline"):
        text = ""
        for highlight in line.iter("highlight"):
            text += highlight.text or ""
            for child in highlight:
                text += " " if child.tag == "sp" else "".join(child.itertext())
                text += child.tail or ""
        lines.append(text)
    return set_as_is(lines)


def table(element):
    """Rows in columns. While they are too wide together, the widest column gets narrower, and its cells are wrapped."""
    rows = [[plain(entry) for entry in row.iter("entry")] for row in element.iter("row")]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    while sum(widths) + 2 * (len(widths) - 1) > WIDTH and max(widths) > 12:
        widths[widths.index(max(widths))] -= 1
    lines = []
    for row in rows:
        cells = [textwrap.wrap(cell, widths[i], break_long_words=False) or [""] for i, cell in enumerate(row)]
        for k in range(max(len(cell) for cell in cells)):
            parts = [(cell[k] if k < len(cell) else "").ljust(widths[i]) for i, cell in enumerate(cells)]
            lines.append(line_start(escaped("  ".join(parts).rstrip())))
    return [".PP", ".EX", *lines, ".EE"]


def blocks(element):
    """The paragraphs, lists, tables and listings of a description, each as (plain text, roff lines)."""
    for para in element.iter("para"):
        if any(para in parent.iter("para") for parent in element.iter("listitem")):
            continue  # comes with its list
        if any(para in parent.iter("para") for parent in element.iter("entry")):
            continue
        text = para.text or ""
        for child in para:
            if child.tag in ("itemizedlist", "table", "programlisting", "verbatim", "preformatted"):
                if text.strip():
                    yield flow(text)
                text = ""
                if child.tag == "itemizedlist":
                    lines = []
                    for item in child.iter("listitem"):
                        lines += [".IP \\(bu 3", line_start(escaped(plain(item)))]
                    yield "", [*lines]
                elif child.tag == "table":
                    yield "", table(child)
                elif child.tag == "programlisting":
                    yield "", code(child)
                else:
                    yield "", set_as_is("".join(child.itertext()).strip("\n").split("\n"))
            else:
                text += "".join(child.itertext())
            text += child.tail or ""
        if text.strip():
            yield flow(text)


def flow(text):
    text = re.sub(r"\s+", " ", text).strip()
    return text, [".PP", line_start(escaped(text))]


def described(member):
    """Its description, and its statuses apart, which have a section of their own."""
    body, returns = [], []
    for part in ("briefdescription", "detaileddescription"):
        for text, lines in blocks(member.find(part)):
            at = text.find("Returns PTO_OK")
            if at > 0:
                body += flow(text[:at])[1]
                returns += flow(text[at:])[1]
            else:
                (returns if at == 0 else body).extend(lines)
    return body, returns


def page(folder, section, name, version, parts):
    path = folder / f"man{section}" / f"{name}.{section}"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ['.\\" Made from the comments of the headers.', f'.TH {name} {section} "" "libpto {version}" "libpto"']
    for title, body in parts:
        if body:
            lines += [f".SH {title}", *(body[1:] if body[0] == ".PP" else body)]
    path.write_text("\n".join(lines) + "\n")


def see_also(names, name):
    others = [other for other in names if other != name] + ["libpto"]
    return [", ".join(f"\\fB{escaped(other)}\\fR({7 if other == 'libpto' else 3})" for other in others)]


def prototype(member):
    kind = plain(member.find("type"))
    parameters = [
        "".join((plain(p.find("type")), " ", plain(p.find("declname")))).replace("* ", "*")
        if p.find("declname") is not None
        else plain(p.find("type"))
        for p in member.findall("param")
    ]
    text = f"{kind} {member.findtext('name')}({', '.join(parameters) or 'void'});".replace("* ", "*")
    return [line_start(escaped(line)) for line in textwrap.wrap(text, WIDTH, subsequent_indent="    ")]


def enumeration(member):
    lines = []
    for value in member.findall("enumvalue"):
        said = " ".join(plain(value.find(part)) for part in ("briefdescription", "detaileddescription")).strip()
        name = f"\\fB{escaped(value.findtext('name'))}\\fR"
        if said:
            lines += [".TP 18", name, line_start(escaped(said))]
        else:
            lines += [".br" if lines else ".PP", name]
    return lines


def structure(compound):
    lines = []
    for member in compound.iter("memberdef"):
        said = " ".join(plain(member.find(part)) for part in ("briefdescription", "detaileddescription")).strip()
        declared = f"{plain(member.find('type'))} {member.findtext('name')}{member.findtext('argsstring') or ''}"
        declared = declared.replace("* ", "*")
        lines += [".TP", f"\\fB{escaped(declared)}\\fR", line_start(escaped(said)) or "\\&"]
    return lines


def calls(listing, name):
    return re.search(rf"\b{name}\b", "".join(listing.itertext())) is not None


def example_of(listings, name, names):
    """The header's listings that call a function. If there are none, the pages of functions that do have an example."""
    others = [other for other in names if any(calls(listing, other) for listing in listings)]
    if name not in others:
        return ["See " + ", ".join(f"\\fB{escaped(other)}\\fR(3)" for other in others) + "."] if others else []
    return [line for listing in listings if calls(listing, name) for line in code(listing)]


def header_pages(compound, structs, folder, version):
    header = "pto/" + compound.findtext("compoundname").split("/")[-1]
    include = [".nf", f".B #include <{header}>"]
    listings = list(compound.find("detaileddescription").iter("programlisting"))
    members = [
        m
        for m in compound.iter("memberdef")
        if m.get("kind") in ("function", "enum") and re.match("pto_", m.findtext("name") or "")
    ]
    names = [m.findtext("name") for m in members if m.get("kind") == "function"]
    for member in members:
        name = member.findtext("name")
        body, returns = described(member)
        brief = plain(member.find("briefdescription"))
        parts = [("NAME", [f"{escaped(name)} \\- {escaped(brief)}"])]
        if member.get("kind") == "function":
            parts += [
                ("SYNOPSIS", [*include, ".PP", *prototype(member), ".fi"]),
                ("DESCRIPTION", body),
                ("RETURN VALUE", returns),
                ("EXAMPLE", example_of(listings, name, names)),
            ]
        else:
            parts += [("SYNOPSIS", [*include, ".fi"]), ("DESCRIPTION", body), ("VALUES", enumeration(member))]
        page(folder, 3, name, version, [*parts, ("SEE ALSO", see_also(names, name))])
    for inner in compound.findall("innerclass"):
        struct = structs[inner.get("refid")]
        name = struct.findtext("compoundname")
        brief = plain(struct.find("briefdescription"))
        page(
            folder,
            3,
            name,
            version,
            [
                ("NAME", [f"{escaped(name)} \\- {escaped(brief)}"]),
                ("SYNOPSIS", [*include, ".fi"]),
                ("DESCRIPTION", described(struct)[0]),
                ("MEMBERS", structure(struct)),
                ("SEE ALSO", see_also(names, name)),
            ],
        )
    return names


def main():
    source, folder, version = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
    compounds = [
        ET.parse(path).getroot().find("compounddef")
        for path in sorted(source.glob("*.xml"))
        if path.name != "index.xml"
    ]
    compounds = [c for c in compounds if c is not None]
    structs = {c.get("id"): c for c in compounds if c.get("kind") == "struct"}
    calls = []
    for compound in compounds:
        if compound.get("kind") == "file" and compound.findtext("compoundname").endswith(".h"):
            calls += header_pages(compound, structs, folder, version)
    rules = next(c for c in compounds if (c.findtext("compoundname") or "").endswith("types.h"))
    page(
        folder,
        7,
        "libpto",
        version,
        [
            ("NAME", ["libpto \\- PTO and PTX compare, select and convert on CPUs, exact to the bit"]),
            ("SYNOPSIS", [".nf", ".B #include <pto/pto.h>", ".PP", "cc prog.c \\-lpto", ".fi"]),
            ("DESCRIPTION", described(rules)[0]),
            ("CALLS", [", ".join(f"\\fB{escaped(call)}\\fR(3)" for call in calls)]),
        ],
    )
    print(f"man pages of {len(calls)} calls")


main()
