"""The parts for two seats to begin with: seat boards on the Pi's own USB, one of them for the discard pad, and nothing
in the centre. A list with its price, from the description of the seat board and of the full build."""

from __future__ import annotations

from collections import Counter

from drafting import pages
from drafting.builds import Description
from drafting.materials import Item, euros, forms, items_table, number_of, tools_table
from drafting.prices import Prices, Way

STARTER = "starter"
_PI = ("pi", "psu")


def starter_items(description: Description, prices: Prices) -> list[Item]:
    """Everything to buy, with boards that are ordered. Raises DescriptionError for a thing without a price."""
    seat, full = description.seat_board, description.builds["full"]
    boards, without = prices.starter.boards, prices.starter.without
    board, table = seat.circuit(0), full.circuit(2)
    alone = seat.data["alone"]["parts"]
    kinds = Counter[str](table.parts[part].key for part in _PI)
    kinds.update(full.data["besides"])
    for part, kind in board.parts.items():
        if kind.bought and part not in alone:
            kinds[kind.key] += boards - without.get(part, 0)
    found: dict[tuple[object, ...], Item] = {}
    for key, number in kinds.items():
        for name, what_kind, what, price, way in forms(description.kinds[key], prices):
            if way is not Way.BY_HAND:
                found[key, way] = Item(name, what_kind, what, price, way, (number + price.spare,))
    for cable in [*board.cables, *(each for each in table.cables if each.name == "USB to seat 1")]:
        far = {wire.end.part for wire in cable.wires} | {wire.start.part for wire in cable.wires}
        if cable.plug in prices.cables and not far & set(alone):
            number = boards - max((without.get(part, 0) for part in far), default=0)
            name, price = f"Cable, {cable.longest_mm / 1000:g} m at most", prices.cables[cable.plug]
            found[cable.name,] = Item(name, cable.plug, cable.name.split(" to ")[0], price, price.way, (number,))
    for more in prices.more:
        if STARTER in more.need.builds and more.need.way in (None, Way.ORDERED):
            number = round(more.need.number(boards))
            found[more.name, more.number] = Item(more.name, more.number, more.what, more.price, None, (number,))
    return list(found.values())


def starter_cents(description: Description, prices: Prices) -> int:
    """The sum, in cents."""
    return sum(item.costs[0] for item in starter_items(description, prices))


def starter_page(description: Description, prices: Prices) -> str:
    """The list in Markdown."""
    together = euros(starter_cents(description, prices))
    lines = ["# Two seats to begin with: what to buy", ""]
    lines += ["Made by scripts/hardware from hardware/seat_board.toml, full.toml and prices.toml: change it there.", ""]
    lines += [f"**{together} EUR** together, with tax and without postage, estimated in {prices.date}. Nobody has"]
    lines += [
        "bought everything at these prices. Packs count whole, tools not at all. The list assumes ordered boards. [The",
        "starter](../STARTER.md) shows what a pad lies in.",
        "",
    ]
    lines += [items_table(("number",), starter_items(description, prices)), ""]
    lines += ["## Tools", "", tools_table(prices, STARTER), ""]
    steps = _hours(prices)
    rows = [*steps, ("**together**", sum(each for _, each in steps))]
    lines += ["## Hours", "", "For a builder who has soldered before. Plan twice as many for a first time.", ""]
    lines += [pages.table(("step", "hours"), ((what, number_of(each)) for what, each in rows))]
    return "\n".join(lines) + "\n"


def _hours(prices: Prices) -> list[tuple[str, float]]:
    return [
        (work.what, work.need.number(prices.starter.boards))
        for work in prices.hours
        if STARTER in work.need.builds and work.need.way in (None, Way.ORDERED)
    ]
