"""The list of materials: everything has a price and two sources, and the sums are right."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from copy import deepcopy
from math import ceil
from typing import Any

import pytest
from drafting.builds import Build, Description, read_description
from drafting.making import ROOT
from drafting.materials import Item, hours, items, page, sheet, totals, ways
from drafting.parts import DescriptionError, read_toml
from drafting.prices import Prices, Way, parse_prices, read_prices
from drafting.starter import STARTER, starter_cents, starter_items, starter_page

HARDWARE = ROOT / "hardware"
FOUND: dict[str, Any] = dict(read_toml(HARDWARE / "prices.toml"))
BUILDS = ("full", "compact", "seat_board", "ready", "ready_usb")


@pytest.fixture(scope="module")
def description() -> Description:
    return read_description(HARDWARE)


@pytest.fixture(scope="module")
def real() -> Prices:
    return read_prices(HARDWARE)


def changed(change: Callable[[dict[str, Any]], object]) -> Prices:
    data = deepcopy(FOUND)
    change(data)
    return parse_prices(data)


def counts(build: Build, real: Prices, way: Way = Way.ORDERED) -> dict[str, tuple[int, ...]]:
    return {item.name: item.counts for item in items(build, real) if item.way in (None, way)}


def test_parts_grow_with_the_seats_and_two_readers_are_spare(description: Description, real: Prices) -> None:
    full = counts(description.builds["full"], real)
    assert full["Raspberry Pi Pico"] == (2, 3, 4, 5, 6)
    assert full["RC522 reader board"] == (5, 6, 7, 8, 9)
    assert full["Schottky diode"] == (1, 1, 1, 1, 1)
    compact = counts(description.builds["compact"], real)
    assert compact["Schottky diode"] == (3, 4, 5)
    assert compact["RC522 reader board"] == (5, 6, 7)
    assert "Raspberry Pi Pico" not in compact


def test_what_only_stands_in_for_the_table_or_comes_with_something_is_not_bought(
    description: Description, real: Prices
) -> None:
    board = counts(description.builds["seat_board"], real)
    assert board["Raspberry Pi Pico"] == (1,)
    assert not [name for name in board if "USB" in name or name == "Cable, 3 m at most"]
    full = items(description.builds["full"], real)
    assert not [item for item in full if item.number.startswith("comes with")]


def test_a_printed_board_takes_other_forms_than_one_wired_by_hand(description: Description, real: Prices) -> None:
    def numbers(way: Way) -> set[str]:
        return {item.number for item in items(description.builds["full"], real) if item.way in (None, way)}

    assert {"BC817-40 (SOT-23)", "JST S4B-PH-K-S"} <= numbers(Way.ORDERED) - numbers(Way.BY_HAND)
    assert "BC337-40 (TO-92)" in numbers(Way.BY_HAND) - numbers(Way.ORDERED)
    assert "SC0915" in numbers(Way.ORDERED) & numbers(Way.BY_HAND)


@pytest.mark.parametrize("kind", sorted(FOUND["kinds"]))
def test_nothing_is_bought_without_a_price_and_nothing_is_priced_that_is_not_bought(
    description: Description, kind: str
) -> None:
    without = changed(lambda data: data["kinds"].pop(kind))
    said: list[str] = []
    for build in description.builds.values():
        for variant in range(len(build.variants)):
            try:
                items(build, without, variant)
            except DescriptionError as error:
                said.append(str(error))
    assert said
    assert set(said) == {f"prices.toml has no price for {kind} ({description.kinds[kind].name})."}


@pytest.mark.parametrize("plug", sorted(FOUND["cables"]))
def test_every_cable_has_a_price_and_every_price_a_cable(description: Description, plug: str) -> None:
    without = changed(lambda data: data["cables"].pop(plug))
    said: list[str] = []
    for build in description.builds.values():
        try:
            items(build, without)
        except DescriptionError as error:
            said.append(str(error))
    assert set(said) == {f'prices.toml has no price for the cable "{plug}".'}


def test_a_price_says_what_and_two_sources() -> None:
    with pytest.raises(DescriptionError) as caught:
        changed(lambda data: data["kinds"]["npn"]["printed"].update(sources=["the one shop"]))
    assert str(caught.value) == "prices.toml: npn, printed is to be had at 1 source: it takes two."
    with pytest.raises(DescriptionError) as caught:
        changed(lambda data: data["more"][0].pop("eur"))
    assert str(caught.value) == "prices.toml: Seat board, printed has no eur."


@pytest.mark.parametrize("name", BUILDS)
def test_the_totals_are_the_sums_of_what_the_sheet_lists(description: Description, real: Prices, name: str) -> None:
    build = description.builds[name]
    head, *rows = csv.reader(sheet(build, real).splitlines())
    first = head.index("where") + 1
    kinds = ways(build, real)
    assert kinds == ((None,) if name.startswith("ready") else tuple(Way))
    things, last = rows[: -len(kinds)], rows[-len(kinds) :]
    for way, together in zip(kinds, last, strict=True):
        assert together[head.index("boards")] == (way or "together")
        sums = [0.0] * len(build.seats)
        for row in things:
            if row[head.index("boards")] in ("either", way):
                eur, pack = float(row[head.index("EUR")]), int(row[head.index("in a pack")])
                for column, count in enumerate(row[first:]):
                    sums[column] += eur * ceil(int(count) / pack)
        assert together[first:] == [f"{total:.2f}" for total in sums]
        assert f"| {way or 'together'} | {' | '.join(together[first:])} |" in page(build, real)


def test_a_dearer_reader_makes_the_table_dearer_by_their_number_and_no_more(
    description: Description, real: Prices
) -> None:
    build = description.builds["full"]
    dearer = changed(lambda data: data["kinds"]["rc522"].update(eur=FOUND["kinds"]["rc522"]["eur"] + 1))
    for way in Way:
        difference = [
            after - before for after, before in zip(totals(build, dearer, way), totals(build, real, way), strict=True)
        ]
        assert difference == [500, 600, 700, 800, 900]


def test_the_starter_s_page_and_list_have_its_price(description: Description, real: Prices) -> None:
    cents = starter_cents(description, real)
    assert cents == sum(item.costs[0] for item in starter_items(description, real))
    assert f"**{cents / 100:.2f} EUR** together" in starter_page(description, real)
    assert f"for some {cents // 100} EUR" in (HARDWARE / "STARTER.md").read_text(encoding="utf-8")
    found = re.search(r"\*\*together\*\* \| ([\d.]+)", starter_page(description, real))
    assert found is not None
    hours = round(float(found[1]))
    assert f"hours (some {hours})" in (HARDWARE / "STARTER.md").read_text(encoding="utf-8")
    about = f"about {round(cents, -3) // 100} EUR and {hours} hours"
    assert about in (HARDWARE.parent / "README.md").read_text(encoding="utf-8")
    dearer = changed(lambda data: data["kinds"]["pico"].update(eur=FOUND["kinds"]["pico"]["eur"] + 1))
    assert starter_cents(description, dearer) == cents + 300


def test_two_seats_to_begin_with_need_neither_wood_nor_a_3d_printer(description: Description, real: Prices) -> None:
    text = starter_page(description, real)
    assert "Soldering iron" in text
    assert "Pin strip" in text
    assert not any(word in text for word in ("3D printer", "Router", "Cutter for strips", "Forstner"))


def test_what_puts_a_printed_centre_board_on_the_pi_is_not_bought_for_a_strip_board(real: Prices) -> None:
    (socket,) = [more for more in real.more if more.name.startswith("Socket 2×20")]
    (ribbon,) = [more for more in real.more if "ribbon cable" in more.name]
    assert (socket.need.way, ribbon.need.way) == (Way.ORDERED, Way.BY_HAND)


def test_two_seats_to_begin_with_take_what_their_page_names(description: Description, real: Prices) -> None:
    numbers = {item.name: item.counts[0] for item in starter_items(description, real) if "Cable" not in item.name}
    assert numbers["Raspberry Pi Pico"] == 3
    assert numbers["RC522 reader board"] == 5
    assert numbers["Ring of 12 WS2812B, 50 mm"] == numbers["Arcade button with LED, 30 mm, 5 V"] == 2
    assert numbers["Suppressor diode, 5 V, both ways"] == 12
    cables = {item.number: item.counts[0] for item in starter_items(description, real) if "Cable" in item.name}
    assert sorted(cables.values()) == [2, 2, 3]
    assert not any("OLED" in name or "sounder" in name or "Centre" in name for name in numbers)


def test_packs_are_bought_whole(real: Prices) -> None:
    (boards,) = [more for more in real.more if more.name == "Seat board, printed"]
    assert [Item("", "", "", boards.price, None, (count,)).costs[0] // boards.price.cents for count in (1, 5, 6)] == [
        1,
        1,
        2,
    ]


def test_another_pi_says_what_it_costs_more(description: Description, real: Prices) -> None:
    build = description.builds["compact"]
    more = totals(build, real, Way.BY_HAND, 1)[0] - totals(build, real, Way.BY_HAND)[0]
    text = page(build, real)
    assert f"Raspberry Pi 4 Model B, Raspberry Pi 15 W USB-C supply. It costs {more / 100:.2f} EUR more." in text
    assert "| Raspberry Pi 5 | SC1110 |" in text.partition("## With a Raspberry Pi 5 instead")[2]


@pytest.mark.parametrize("name", BUILDS)
def test_hours_are_added_up(description: Description, real: Prices, name: str) -> None:
    build = description.builds[name]
    text = page(build, real)
    for way in ways(build, real):
        steps = hours(build, real, way)
        assert steps
        (row,) = re.findall(rf"^\| {way or ''} \| \*\*together\*\* \| (.*) \|$", text, re.MULTILINE)
        assert [float(cell) for cell in row.split(" | ")] == pytest.approx(
            [sum(each[column] for _, each in steps) for column in range(len(build.seats))], abs=0.05
        )


def test_prices_name_builds_that_there_are() -> None:
    named = {build for entry in (*FOUND["more"], *FOUND["hours"]) for build in entry["builds"]}
    assert named == {*BUILDS, STARTER}


def test_what_is_optional_is_listed_apart_and_in_no_sum(description: Description, real: Prices) -> None:
    build = description.builds["ready"]
    text = page(build, real)
    needed, optional = text.split("## If you like")
    assert "Unit Glass2" not in needed
    assert "Unit Glass2" in optional
    dearer = changed(lambda data: data["kinds"]["unit_glass2"].update(eur=99))
    assert totals(build, dearer, None) == totals(build, real, None)
    assert ",optional,99.00," in sheet(build, dearer)


def test_a_cheaper_reader_says_what_it_costs_less_for_few_and_for_many_seats(
    description: Description, real: Prices
) -> None:
    build = description.builds["ready_usb"]
    less = [one - other for one, other in zip(totals(build, real, None), totals(build, real, None, 1), strict=True)]
    text = page(build, real).partition("## With a uTrust 3700 F instead")[2]
    assert f"It costs {less[0] / 100:.2f} to {less[-1] / 100:.2f} EUR less." in text
    assert less[0] > 0


@pytest.mark.parametrize("name", ["ready", "ready_usb"])
def test_parts_that_plug_together_take_no_tool_for_soldering(description: Description, real: Prices, name: str) -> None:
    text = page(description.builds[name], real)
    assert "microSD" in text.partition("## Tools")[2]
    assert not any(word in text for word in ("Soldering", "Solder,", "Flux", "3D printer", "wire strippers", "Router"))
    assert "Soldering iron" in page(description.builds["seat_board"], real)
