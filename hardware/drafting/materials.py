"""The shopping list: every part, cable and other thing that a build needs, counted for each number of seats, with
prices and hours, as a page and as a sheet. Boards are ordered, or wired by hand: the list says what only one of the two
needs. A build without boards has one list."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from math import ceil

from drafting.builds import Build
from drafting.pages import table
from drafting.parts import DescriptionError, Kind
from drafting.prices import Price, Prices, Way

BUYING = "../BUYING.md"


@dataclass(frozen=True, slots=True)
class Item:
    """Something to buy, and how many for each number of seats; `way` if only boards of that kind need it."""

    name: str
    number: str
    what: str
    price: Price
    way: Way | None
    counts: tuple[int, ...]

    @property
    def costs(self) -> tuple[int, ...]:
        """The cost for each number of seats, in cents."""
        return tuple(self.price.of(count) for count in self.counts)


def items(build: Build, prices: Prices, variant: int = 0) -> list[Item]:
    """Everything for a build with one model of the Pi, by numbers of seats. Raises DescriptionError for a thing without
    a price."""
    counted = [_count(build, prices, seats, variant) for seats in build.seats]
    keys = dict.fromkeys(key for found in counted for key in found)
    return [Item(*key, tuple(ceil(found.get(key, 0)) for found in counted)) for key in keys]


def ways(build: Build, prices: Prices) -> tuple[Way | None, ...]:
    """The kinds of boards that the build may have, or None alone if it has no board."""
    used = {item.way for item in items(build, prices)}
    return tuple(way for way in Way if way in used) or (None,)


def totals(build: Build, prices: Prices, way: Way | None, variant: int = 0) -> tuple[int, ...]:
    """The sum for each number of seats, in cents, with boards of that kind, and without what is optional."""
    chosen = (item for item in items(build, prices, variant) if not item.price.optional)
    costs = (item.costs for item in chosen if item.way in (None, way))
    return tuple(map(sum, zip(*costs, strict=True)))


def hours(build: Build, prices: Prices, way: Way | None) -> list[tuple[str, tuple[float, ...]]]:
    """How long each step takes for each number of seats."""
    return [
        (work.what, tuple(work.need.number(seats) for seats in build.seats))
        for work in prices.hours
        if build.key in work.need.builds and work.need.way in (None, way)
    ]


_Key = tuple[str, str, str, Price, Way | None]


def _count(build: Build, prices: Prices, seats: int, variant: int) -> Mapping[_Key, float]:
    found: defaultdict[_Key, float] = defaultdict(float)
    by_hand = _kinds(build, seats, variant, by_hand=True)
    for key, number in _kinds(build, seats, variant).items():
        for form in forms(build.kinds[key], prices):
            found[form] += (by_hand[key] if form[4] is Way.BY_HAND else number) + form[3].spare
    circuit = build.circuit(seats, variant)
    alone = {cable["name"] for cable in build.data.get("alone", {}).get("cables", [])}
    for cable in circuit.cables:
        if cable.bought and cable.name not in alone:
            if cable.plug not in prices.cables:
                raise DescriptionError(f'prices.toml has no price for the cable "{cable.plug}".')
            price = prices.cables[cable.plug]
            name = cable.name.split(": ")[-1].rstrip("0123456789 ")
            found[f"Cable, {cable.longest_mm / 1000:g} m at most", cable.plug, name, price, price.way] += 1
    for more in prices.more:
        if build.key in more.need.builds:
            found[more.name, more.number, more.what, more.price, more.need.way] += more.need.number(seats)
    return found


def _kinds(build: Build, seats: int, variant: int, *, by_hand: bool = False) -> Counter[str]:
    """The kinds of parts, and how many of each: on boards, plugged in, and besides."""
    alone = build.data.get("alone", {}).get("parts", {})
    parts = build.circuit(seats, variant, by_hand=by_hand).parts
    found = Counter(kind.key for part, kind in parts.items() if kind.bought and part not in alone)
    found.update(build.data.get("besides", {}))
    return found


def forms(kind: Kind, prices: Prices) -> Iterator[_Key]:
    """The forms in which a kind is bought: one, or one for each way of making boards."""
    if kind.key not in prices.kinds:
        raise DescriptionError(f"prices.toml has no price for {kind.key} ({kind.name}).")
    price, printed = prices.kinds[kind.key].price, prices.kinds[kind.key].printed
    if printed is None or kind.pcb is None:
        yield kind.name, kind.number, kind.what, price, price.way
    else:
        yield kind.name, kind.pcb.number, kind.what, printed, Way.ORDERED
        yield kind.name, kind.number, kind.what, price, Way.BY_HAND


# the page

_TITLES = {None: "Whichever way", Way.ORDERED: "Boards ordered", Way.BY_HAND: "By hand"}
_READY = "helps you choose a Pi, and [the evening](../READY.md) shows what to do with the parts."
_HELPS = {"ready": _READY, "ready_usb": _READY}


def page(build: Build, prices: Prices) -> str:
    """The list in Markdown."""
    everything = items(build, prices)
    lines = [f"# {build.title}: what to buy", ""]
    lines += [
        f"Made by scripts/hardware from hardware/{build.key}.toml and prices.toml: change it there. [Buying]({BUYING})"
    ]
    lines += [_HELPS.get(build.key, "helps you choose buttons, displays, hubs and Pis."), ""]
    lines += ["## What it costs", "", _totals(build, prices), ""]
    lines += [f"In EUR with tax and without postage, estimated in {prices.date}. Nobody has bought everything at these"]
    lines += ["prices. Packs count whole, tools not at all.", ""]
    needed = [item for item in everything if not item.price.optional]
    for way in dict.fromkeys((None, *ways(build, prices))):
        title = _TITLES[way] if ways(build, prices) != (None,) else "The parts"
        lines += [f"## {title}", "", _table(build, [item for item in needed if item.way is way]), ""]
    if optional := [item for item in everything if item.price.optional]:
        lines += ["## If you like", "", _table(build, optional), ""]
    if len(build.variants) > 1:
        lines += [f"## With {with_article(build.variants[1])} instead", "", *_instead(build, prices), ""]
    lines += ["## Tools", "", tools_table(prices, build.key), "", "## Hours", "", _hours(build, prices)]
    return "\n".join(lines) + "\n"


def _totals(build: Build, prices: Prices) -> str:
    rows = [(_named(way), *map(euros, totals(build, prices, way))) for way in ways(build, prices)]
    return table(("EUR", *_heads(build)), rows)


def _named(way: Way | None) -> str:
    return way.value if way else "together"


def _table(build: Build, chosen: Iterable[Item]) -> str:
    return items_table(_heads(build), chosen)


def items_table(heads: Sequence[str], chosen: Iterable[Item]) -> str:
    """Things to buy in Markdown; `heads` are those of the columns of their counts."""
    rows = (
        (item.name, item.number, item.what, *map(str, item.counts), _each(item.price), "; ".join(item.price.sources))
        for item in chosen
    )
    return table(("part", "kind, or maker's number", "", *heads, "EUR", "where"), rows)


def _instead(build: Build, prices: Prices) -> Iterator[str]:
    """The changes with another model of the Pi."""
    first, other = items(build, prices), items(build, prices, 1)
    yield _table(build, [item for item in other if item not in first])
    yield ""
    way = ways(build, prices)[0]
    pairs = zip(totals(build, prices, way, 1), totals(build, prices, way), strict=True)
    dearer = [more - less for more, less in pairs]
    gone = ", ".join(item.name for item in first if item not in other)
    cost = " to ".join(dict.fromkeys(euros(abs(each)) for each in (dearer[0], dearer[-1])))
    yield f"This replaces: {gone}. It costs {cost} EUR {'more' if dearer[0] > 0 else 'less'}."


def tools_table(prices: Prices, key: str) -> str:
    """The tools that a list needs, in Markdown."""
    tools = (tool for tool in prices.tools if key not in tool.without)
    return table(("tool", "", "EUR"), ((tool.name, tool.what, euros(tool.cents)) for tool in tools))


def _hours(build: Build, prices: Prices) -> str:
    rows: list[Sequence[str]] = []
    for way in ways(build, prices):
        steps, name = hours(build, prices, way), way.value if way else ""
        rows += [(name, what, *map(number_of, each)) for what, each in steps]
        together = map(sum, zip(*(each for _, each in steps), strict=True))
        rows.append((name, "**together**", *map(number_of, together)))
    return table(("", "step", *_heads(build)), rows)


def sheet(build: Build, prices: Prices) -> str:
    """The same for a spreadsheet: things, and last what they cost together, without what is optional."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["part", "number", "what for", "boards", "EUR", "in a pack", "where", *_heads(build)])
    for item in items(build, prices):
        price, way = item.price, item.way.value if item.way else "optional" if item.price.optional else "either"
        row = [item.name, item.number, item.what, way, euros(price.cents), price.pack, "; ".join(price.sources)]
        writer.writerow([*row, *item.counts])
    for way in ways(build, prices):
        writer.writerow(
            ["EUR together", "", prices.date, _named(way), "", "", "", *map(euros, totals(build, prices, way))]
        )
    return out.getvalue()


def _heads(build: Build) -> list[str]:
    return [f"{seats} seats" if seats else "one" for seats in build.seats]


def _each(price: Price) -> str:
    return euros(price.cents) + (f" for {price.pack}" if price.pack > 1 else "")


def with_article(name: str) -> str:
    """A name after *a*, or after *an* before an A."""
    return f"{'an' if name.startswith('A') else 'a'} {name}"


def euros(cents: int) -> str:
    """Cents as euros."""
    return f"{cents / 100:.2f}"


def number_of(value: float) -> str:
    """Hours, to three figures."""
    return f"{value:.3g}"
