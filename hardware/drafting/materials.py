"""The shopping list: every part, cable and other thing that a build needs, counted for each number of seats, with
prices and hours, as a page and as a sheet. Boards are ordered, or wired by hand: the list says what only one of the two
needs."""

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
from drafting.prices import Price, Prices, Tool, Way

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


def totals(build: Build, prices: Prices, way: Way, variant: int = 0) -> tuple[int, ...]:
    """The sum for each number of seats, in cents, with boards of that kind."""
    costs = (item.costs for item in items(build, prices, variant) if item.way in (None, way))
    return tuple(map(sum, zip(*costs, strict=True)))


def hours(build: Build, prices: Prices, way: Way) -> list[tuple[str, tuple[float, ...]]]:
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


def page(build: Build, prices: Prices) -> str:
    """The list in Markdown."""
    everything = items(build, prices)
    lines = [f"# {build.title}: what to buy", ""]
    lines += [
        f"Made by scripts/hardware from hardware/{build.key}.toml and prices.toml: change it there. [Buying]({BUYING})"
    ]
    lines += ["helps you choose buttons, displays, hubs and Pis.", ""]
    lines += ["## What it costs", "", _totals(build, prices), ""]
    lines += [f"In EUR with tax and without postage, estimated in {prices.date}. Nobody has bought everything at these"]
    lines += ["prices. Packs count whole, tools not at all.", ""]
    for way, title in ((None, "Whichever way"), (Way.ORDERED, "Boards ordered"), (Way.BY_HAND, "By hand")):
        lines += [f"## {title}", "", _table(build, [item for item in everything if item.way is way]), ""]
    if len(build.variants) > 1:
        lines += [f"## With a {build.variants[1]} instead", "", *_instead(build, prices), ""]
    lines += ["## Tools", "", _tools(prices), "", "## Hours", "", _hours(build, prices)]
    return "\n".join(lines) + "\n"


def _totals(build: Build, prices: Prices) -> str:
    rows = [(way.value, *map(euros, totals(build, prices, way))) for way in Way]
    return table(("EUR", *_heads(build)), rows)


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
    dearer = totals(build, prices, Way.ORDERED, 1)[0] - totals(build, prices, Way.ORDERED)[0]
    gone = ", ".join(item.name for item in first if item not in other)
    yield f"This replaces: {gone}. It costs {euros(dearer)} EUR more."


def _tools(prices: Prices) -> str:
    return tools_table(prices.tools)


def tools_table(tools: Iterable[Tool]) -> str:
    """Tools in Markdown."""
    return table(("tool", "", "EUR"), ((tool.name, tool.what, euros(tool.cents)) for tool in tools))


def _hours(build: Build, prices: Prices) -> str:
    rows: list[Sequence[str]] = []
    for way in Way:
        steps = hours(build, prices, way)
        rows += [(way.value, what, *map(number_of, each)) for what, each in steps]
        together = map(sum, zip(*(each for _, each in steps), strict=True))
        rows.append((way.value, "**together**", *map(number_of, together)))
    return table(("", "step", *_heads(build)), rows)


def sheet(build: Build, prices: Prices) -> str:
    """The same for a spreadsheet: things, and last what they cost together."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["part", "number", "what for", "boards", "EUR", "in a pack", "where", *_heads(build)])
    for item in items(build, prices):
        price, way = item.price, item.way.value if item.way else "either"
        row = [item.name, item.number, item.what, way, euros(price.cents), price.pack, "; ".join(price.sources)]
        writer.writerow([*row, *item.counts])
    for way in Way:
        writer.writerow(
            ["EUR together", "", prices.date, way.value, "", "", "", *map(euros, totals(build, prices, way))]
        )
    return out.getvalue()


def _heads(build: Build) -> list[str]:
    return [f"{seats} seats" if seats else "one" for seats in build.seats]


def _each(price: Price) -> str:
    return euros(price.cents) + (f" for {price.pack}" if price.pack > 1 else "")


def euros(cents: int) -> str:
    """Cents as euros."""
    return f"{cents / 100:.2f}"


def number_of(value: float) -> str:
    """Hours, to three figures."""
    return f"{value:.3g}"
