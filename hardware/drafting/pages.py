"""Markdown: tables, and the parts of a page that are made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from drafting.parts import DescriptionError


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [heads, ("---",) * len(heads), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def fill_in(page: str, sections: Mapping[str, str]) -> str:
    """Replace the text between `<!-- name -->` and `<!-- /name -->` of a page. Raises DescriptionError without them."""
    for name, text in sections.items():
        begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
        if begin not in page or end not in page:
            raise DescriptionError(f"the page has no place for {name}: it takes the lines {begin.strip()} and {end}.")
        before, _, rest = page.partition(begin)
        page = f"{before}{begin}\n{text}\n\n{end}{rest.partition(end)[2]}"
    return page
