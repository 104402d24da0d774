"""What has to be bought: every part and cable of a build, counted for each number of seats, as a page and as a
sheet."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import StringIO

from drafting.builds import Build
from drafting.circuit import Cable, Circuit
from drafting.pages import table


@dataclass(frozen=True, slots=True)
class Item:
    """Something to buy, and how many for each number of seats."""

    name: str
    number: str
    what: str
    counts: tuple[int, ...]


def items(build: Build) -> list[Item]:
    """Everything for a build, by numbers of seats; a seat board is counted once."""
    counted = [_count(build, seats) for seats in build.seats]
    return _rows(counted)


def page(build: Build) -> str:
    """The bill of materials in Markdown."""
    lines = [f"# {build.title}: what to buy", "", f"Made by scripts/hardware from hardware/{build.key}.toml.", ""]
    heads = [f"{seats} seats" for seats in build.seats] if len(build.seats) > 1 else ["one"]
    lines += [_table(heads, items(build))]
    return "\n".join(lines) + "\n"


def sheet(build: Build) -> str:
    """The same for a spreadsheet."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["part", "number", "what for", *(f"{seats} seats" if seats else "one" for seats in build.seats)])
    writer.writerows([item.name, item.number, item.what, *item.counts] for item in items(build))
    return out.getvalue()


def _table(heads: Sequence[str], rows: Iterable[Item]) -> str:
    cells = ((item.name, item.number, item.what, *map(str, item.counts)) for item in rows)
    return table(("part", "maker's number or kind", "", *heads), cells)


_Key = tuple[str, str, str]


def _rows(counted: Sequence[Counter[_Key]]) -> list[Item]:
    keys = dict.fromkeys(key for counter in counted for key in counter)
    return [Item(*key, tuple(counter[key] for counter in counted)) for key in keys]


def _count(build: Build, seats: int) -> Counter[_Key]:
    variants = [build.circuit(seats, variant) for variant in range(len(build.variants))]
    found: Counter[_Key] = Counter()
    for part in variants[0].parts:
        if variants[0].parts[part].bought and part not in build.data.get("alone", {}).get("parts", {}):
            found[_either(variants, part)] += 1
    for key, number in build.data.get("besides", {}).items():
        kind = build.kinds[key]
        found[kind.name, kind.number, kind.what] += number
    for cable in variants[0].cables:
        found[_cable(cable)] += 1
    return found


def _either(variants: Sequence[Circuit], part: str) -> _Key:
    """What a part is; both, where it depends on the model of the Pi."""
    kinds = list(dict.fromkeys((v.parts[part].name, v.parts[part].number, v.parts[part].what) for v in variants))
    names, numbers, purposes = zip(*kinds, strict=True)
    return ", or ".join(names), ", or ".join(numbers), ", or ".join(dict.fromkeys(purposes))


def _cable(cable: Cable) -> _Key:
    return f"Cable, {cable.longest_mm / 1000:g} m at most", cable.plug, cable.name.rstrip("0123456789 ")
