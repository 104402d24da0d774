"""The manual as a site: what its hook makes of a page, and what its own pages say, compared with the code."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tapshared.version import OLDEST_SUPPORTED
from taptable.memory import database, deckfile

from manual.hook import as_python_markdown, slug

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
SVG = "{http://www.w3.org/2000/svg}"
TROUBLE = (DOCS / "troubleshooting.md").read_text(encoding="utf-8")
DOCTOR = (DOCS / "doctor.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("forge", "site"),
    [
        ("1. a\n   b\n\n   c", "1. a\n    b\n\n    c"),
        ("- a\n  - b\n    c\n- d", "- a\n    - b\n        c\n- d"),
        ("10. a\n\n    ```sh\n    b\n      c\n    ```", "10. a\n\n    ```sh\n    b\n      c\n    ```"),
        ("1. a\n\n   ```sh\n   b\n     c\n\n   ```\n\nd", "1. a\n\n    ```sh\n    b\n      c\n\n    ```\n\nd"),
        ("a\n- b", "a\n\n- b"),
        ("a\n\n- b\n- c", "a\n\n- b\n- c"),
        ("1. a\n\n   b\n2. c", "1. a\n\n    b\n\n2. c"),
        ("```json lines\n- a\n   b\n```", "```json\n- a\n   b\n```"),
        ("a\n<!-- not run: b -->\n<!-- c\nd\n-->\ne", "a\ne"),
        ("| `a \\| b` | c \\| d |", "| `a | b` | c \\| d |"),
    ],
)
def test_a_page_is_written_as_python_markdown_reads_it(forge: str, site: str):
    assert "\n".join(line for line, _ in as_python_markdown(forge)) == site


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [("By hand", "by-hand"), ("Where is …?", "where-is-"), ("`[page]`, TLS – and", "page-tls--and")],
)
def test_a_heading_has_the_anchor_of_the_forge(heading: str, anchor: str):
    assert slug(heading, "-") == anchor


def test_the_groups_and_checks_of_the_doctor_that_the_troubles_name_are_there():
    checks = {
        heading: set(re.findall(r"^\| `([\w-]+)`", text, re.MULTILINE))
        for heading, text in re.findall(r"^## `(\w+)`\n(.*?)(?=^## |\Z)", DOCTOR, re.MULTILINE | re.DOTALL)
    }
    groups = {group for named in re.findall(r"taptable doctor --only ([\w,]+)", TROUBLE) for group in named.split(",")}
    links = re.findall(r"\[([^\]]+)\]\(doctor\.md#(\w+)\)", TROUBLE)
    assert groups
    assert groups <= checks.keys()
    assert [(group, check) for names, group in links for check in re.findall(r"`([\w-]+)`", names)]
    assert [(g, c) for names, g in links for c in re.findall(r"`([\w-]+)`", names) if c not in checks[g]] == []


def test_each_trouble_is_in_the_list_at_the_top_and_has_its_check():
    troubles = re.findall(r"^## (.+)$", TROUBLE, re.MULTILINE)
    assert re.findall(r"^- \[(.+)\]\(#", TROUBLE, re.MULTILINE) == troubles
    assert TROUBLE.count("**Doctor:**") == len(troubles)


def test_upgrading_names_the_versions_of_the_code():
    upgrading = (DOCS / "upgrading.md").read_text(encoding="utf-8")
    assert f"firmware from version {OLDEST_SUPPORTED} on" in upgrading
    assert f"(it is {database.VERSION} now)" in upgrading
    assert f"`taptable-deck`, which is {deckfile.FORMAT} in all versions" in upgrading


def test_the_drawing_for_programmers_and_what_is_below_it_name_every_package():
    page = (DOCS / "parts.md").read_text(encoding="utf-8").partition("\n| ")[0]
    packages = [path.parent.name for path in (ROOT / "host" / "taptable").glob("*/__init__.py")]
    assert [each for each in packages if not re.search(rf"\b{each}/", page)] == []


def test_the_drawing_for_everybody_has_its_text_and_stays_legible_on_a_phone():
    drawing = ElementTree.parse(DOCS / "pictures" / "overview.svg").getroot()
    width = float(drawing.attrib["viewBox"].split()[2])
    sizes = [float(each.attrib["font-size"]) for each in drawing.iter() if "font-size" in each.attrib]
    assert len(drawing.findtext(f"{SVG}desc") or "") > 200
    assert min(sizes) * 350 / width > 10
    assert "prefers-color-scheme: dark" in (drawing.findtext(f"{SVG}style") or "")
