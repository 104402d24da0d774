"""The ready builds as they are described: their parts for each number of seats, and that texts, prices, tables and
examples say the same."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from math import ceil
from typing import Any

import pytest
from drafting.builds import Build, Description, read_description
from drafting.circuit import Circuit
from drafting.making import ROOT
from drafting.materials import hours, items, totals
from drafting.parts import read_toml
from drafting.placements import read_placements
from drafting.places import SEATS_OF_A_SWITCH, grove_lead, table_places
from drafting.prices import Prices, read_prices
from drafting.ready_pictures import header_picture, plugs_picture
from drafting.supplies import rails

HARDWARE = ROOT / "hardware"
MEASURES, _ = read_placements(HARDWARE)
READY = (HARDWARE / "READY.md").read_text(encoding="utf-8")
WORDS = " ".join(READY.split())
"""The page without its line breaks."""
EXAMPLE = (ROOT / "examples" / "ready.toml").read_text(encoding="utf-8")
DOMES = ("BTN_TRIGGER_HAPPY1", "BTN_TRIGGER_HAPPY6", "BTN_TRIGGER_HAPPY11", "BTN_TRIGGER_HAPPY16")


@pytest.fixture(scope="module")
def description() -> Description:
    return read_description(HARDWARE)


@pytest.fixture(scope="module")
def build(description: Description) -> Build:
    return description.builds["ready"]


@pytest.fixture(scope="module")
def on_usb(description: Description) -> Build:
    return description.builds["ready_usb"]


@pytest.fixture(scope="module")
def real() -> Prices:
    return read_prices(HARDWARE)


def ports(circuit: Circuit) -> dict[str, str]:
    """The port of a switch to which each reader's cable leads."""
    return {
        cable.wires[0].end.part: str(cable.wires[0].start)
        for cable in circuit.cables
        if cable.wires[0].start.part.startswith("switch")
    }


def count(circuit: Circuit, key: str) -> int:
    return sum(kind.key == key for kind in circuit.parts.values())


@pytest.mark.parametrize(("seats", "switches", "sets"), [(2, 1, 1), (3, 1, 1), (4, 1, 1), (5, 1, 2), (6, 2, 2)])
def test_each_reader_has_a_port_of_its_own_and_each_seat_a_buzzer(
    build: Build, seats: int, switches: int, sets: int
) -> None:
    circuit = build.circuit(seats)
    found = ports(circuit)
    assert set(found) == {"discard", *(f"reader{seat}" for seat in range(1, seats + 1))}
    assert len(set(found.values())) == len(found)
    assert count(circuit, "pahub") == switches
    assert count(circuit, "buzz") == sets == ceil(seats / len(DOMES))
    assert (seats > SEATS_OF_A_SWITCH) == (switches > 1)


def test_every_wire_of_a_grove_cable_leads_to_its_own_kind(build: Build) -> None:
    """Five volts to five volts, data to data: a plug has no other way."""
    kinds = ("SDA", "SCL", "GND")
    for cable in build.circuit(6).cables:
        if "Grove" in cable.plug:
            assert len(cable.wires) == 4
            for wire in cable.wires:
                pins = (wire.start.pin, wire.end.pin)
                pins = tuple({"GPIO2": "SDA", "GPIO3": "SCL"}.get(pin, pin) for pin in pins)
                of = [{kind for kind in kinds if kind in pin} or {"5 V"} for pin in pins]
                assert of[0] == of[1], (cable.name, wire)


def test_of_the_readers_one_has_its_field_on(build: Build, description: Description) -> None:
    (rail,) = [rail for rail in rails(build.circuit(6)) if str(rail.at) == "pi.5V"]
    reader = description.kinds["unit_rfid2"].draws["GROVE"]
    others = 2 * description.kinds["pahub"].draws["GROVE"].peak_ma
    others += description.kinds["unit_glass2"].draws["GROVE"].peak_ma
    assert rail.peak_ma == reader.peak_ma + 6 * reader.resting_ma + others


def test_the_cables_that_are_bought_are_as_long_as_the_table_was_drawn_for(build: Build) -> None:
    seats = {cable.longest_mm for cable in build.circuit(6).cables if cable.name.startswith("Seat")}
    assert seats == {MEASURES["distances"]["grove_lead"]}
    leads = {
        name: max(grove_lead(places, seat.pad) for seat in places.seats)
        for name in ("ready", "ready-four")
        for places in [table_places(MEASURES, name)]
    }
    assert f"({ceil(leads['ready'] / 10)} cm at the" in WORDS
    assert f"({ceil(leads['ready-four'] / 10)} cm)" in WORDS
    for name, seats_there in (("ready", 6), ("ready-four", 4)):
        table = MEASURES["table"][name]
        size = f"{table['length'] / 10:g} × {table['width'] / 10:g} cm for {('six' if seats_there == 6 else 'four')}"
        assert size in WORDS
        assert table["seats"] == seats_there


def test_the_cable_of_a_reader_on_usb_is_as_long_as_its_table_was_drawn_for(on_usb: Build) -> None:
    seats = {cable.longest_mm for cable in on_usb.circuit(6).cables if cable.name.startswith("Seat")}
    assert seats == {MEASURES["distances"]["usb_lead"]}
    places = table_places(MEASURES, "ready-usb")
    longest = max(grove_lead(places, seat.pad) for seat in places.seats)
    assert f"120 × 80 cm for four ({ceil(longest / 10)} cm along the drawing's way)" in WORDS


def test_the_table_for_six_alone_has_a_second_switch() -> None:
    six, four = (dict(table_places(MEASURES, name).things) for name in ("ready", "ready-four"))
    assert set(six) - set(four) == {"the second switch"}


def test_its_page_states_the_prices_and_counts_of_the_list(build: Build, real: Prices) -> None:
    sums = dict(zip(build.seats, totals(build, real, None), strict=True))
    found = {item.name: dict(zip(build.seats, item.counts, strict=True)) for item in items(build, real)}
    for seats in (2, 4, 6):
        counted = (found[name][seats] for name in ("M5Stack Unit RFID2", "M5Stack Unit PaHub v2.1"))
        row = f"| {seats} | {sums[seats] / 100:.2f} | {' | '.join(map(str, counted))} | "
        assert f"{row}{found['Sony Buzz! set, wired'][seats]} |" in READY
    four = build.seats.index(4)
    assert f"| four seats, in EUR | {totals(build, real, None)[four] / 100:.2f} |" in READY
    display = next(item for item in items(build, real) if "Glass2" in item.name)
    assert f"A display costs {display.price.cents / 100:.0f} EUR more" in WORDS
    stickers = next(item for item in items(build, real) if "NTAG213" in item.name)
    assert f"**130 NFC stickers** ({stickers.costs[0] / 100:.2f} EUR)" in WORDS
    assert (real.date, "estimated in November 2026" in WORDS) == ("2026-11", True)


def test_its_page_states_the_prices_and_counts_of_the_readers_on_usb(on_usb: Build, real: Prices) -> None:
    sums = [dict(zip(on_usb.seats, totals(on_usb, real, None, variant), strict=True)) for variant in (0, 1)]
    found = {item.name: dict(zip(on_usb.seats, item.counts, strict=True)) for item in items(on_usb, real)}
    for seats in (2, 4, 6):
        row = " | ".join(f"{each[seats] / 100:.2f}" for each in sums)
        readers, sets = found["ACS ACR1252U"][seats], found["Sony Buzz! set, wired"][seats]
        assert f"| {seats} | {row} | {readers} | {sets} |" in READY
    assert f"{sums[1][4] / 100:.2f} to {sums[0][4] / 100:.2f} |" in READY
    for key, name in (("acr1252u", "*ACR1252U*"), ("utrust_3700f", "*uTrust 3700 F*")):
        assert f"{name} (about {real.kinds[key].price.cents // 100} EUR)" in WORDS


def test_its_page_states_what_a_table_saves_without_hub_or_pi(on_usb: Build, real: Prices) -> None:
    found = {item.name: item.costs[0] for item in items(on_usb, real)}
    of_the_hub = sum(cents for name, cents in found.items() if "hub" in name or name.startswith("Cable, 1 m"))
    assert f"with {of_the_hub // 100} EUR less" in WORDS
    of_the_pi = sum(
        cents for name, cents in found.items() if "Pi" in name.split() or "Raspberry" in name or "SD" in name
    )
    assert f"saves some {of_the_pi // 100} EUR" in WORDS


def test_two_seats_without_a_hub_take_what_their_page_says(on_usb: Build, description: Description) -> None:
    draws = description.kinds["acr1252u"].draws["USB"].peak_ma, description.kinds["buzz"].draws["USB"].peak_ma
    taken, given = 3 * draws[0] + draws[1], description.kinds["pi4"].pins["USB"].limit_ma
    assert given is not None
    assert taken <= given
    assert f"up to {taken} of the {given} mA that a Pi 4 gives" in WORDS
    (hub,) = [rail for rail in rails(on_usb.circuit(6)) if str(rail.at) == "hub.PORT7"]
    assert hub.peak_ma == draws[0]


@pytest.mark.parametrize("seats", range(2, 7))
def test_each_reader_on_usb_has_a_port_of_the_hub_and_each_set_one_of_the_pi(on_usb: Build, seats: int) -> None:
    leads = {cable.wires[0].end.part: str(cable.wires[0].start) for cable in on_usb.circuit(seats).cables}
    readers = {"discard", *(f"reader{seat}" for seat in range(1, seats + 1))}
    assert len({leads[reader] for reader in readers}) == len(readers)
    assert all(leads[reader].startswith("hub.PORT") for reader in readers)
    assert [part for part, lead in leads.items() if lead == "pi.USB"] == ["hub", "buzz_a", "buzz_b"][: 2 + (seats > 4)]


def test_the_readme_and_the_questions_state_what_each_build_costs(description: Description, real: Prices) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    questions = (ROOT / "docs" / "questions.md").read_text(encoding="utf-8")
    four = totals(description.builds["ready"], real, None)[2] / 100
    assert f"about {round(four, -1):.0f} EUR for four seats" in readme
    (low, high) = re.findall(r"\[\*Ready\*\].* \| (\d+) to (\d+) \|", readme)[0]
    sums = [cents / 100 for cents in totals(description.builds["ready"], real, None)]
    assert abs(int(low) - sums[0]) <= 5
    assert abs(int(high) - sums[-1]) <= 5
    assert f"| 2 to 6 | {int(sums[0])} to {int(sums[-1])} |" in questions
    on_usb = [cents // 100 for cents in totals(description.builds["ready_usb"], real, None)]
    assert f"| 2 to 6 | {on_usb[0]} to {on_usb[-1]} |" in questions


def test_the_evening_has_the_hours_of_the_list(build: Build, real: Prices) -> None:
    four = build.seats.index(4)
    together = sum(each[four] for _, each in hours(build, real, None))
    assert round(together) == 5
    assert "Some five hours for one person" in WORDS
    times = [int(hour) * 60 + int(minute) for hour, minute in re.findall(r"^\| (\d):(\d\d) \|", READY, re.MULTILINE)]
    assert times == sorted(times)
    assert times[-1] == 60 * round(together)


def test_its_page_names_the_pins_of_the_description(build: Build) -> None:
    circuit = build.circuit(2)
    (cable,) = [cable for cable in circuit.cables if cable.name == "Pi to the splitter"]
    places = {wire.colour: circuit.pin(wire.start).place for wire in cable.wires}
    said = ", ".join(f"{colour} on pin {places[colour]}" for colour in ("red", "black", "yellow", "white"))
    assert said in WORDS
    assert "pins " + ", ".join(sorted(places.values())[:3]) + f" and {max(places.values())}" in WORDS


class Recorder:
    """A pen that keeps the words and the colours of lines."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.colours: list[str] = []

    def text(self, _x: float, _y: float, text: str, *_: Any, **__: Any) -> None:
        self.words.append(text)

    def line(self, *_: Any, colour: str = "", **__: Any) -> None:
        self.colours.append(colour)

    def box(self, *_: Any, **__: Any) -> None: ...


def test_the_picture_of_the_header_has_every_wire_of_the_cable(build: Build) -> None:
    pen: Any = Recorder()
    header_picture(MEASURES, build).draw(pen)
    said = {"yellow: SDA, on pin 3", "white: SCL, on pin 5", "red: 5 V, on pin 4", "black: ground, on pin 6"}
    assert said <= set(pen.words)
    assert len(set(pen.colours)) == 4


@pytest.mark.parametrize("name", ["ready", "ready_usb"])
def test_the_picture_of_the_plugs_has_every_part_and_every_cable(description: Description, name: str) -> None:
    pen: Any = Recorder()
    plugs_picture(description.builds[name]).draw(pen)
    circuit = description.builds[name].circuit(6)
    wires = sum(len(cable.wires) if cable.mm2 else 1 for cable in circuit.cables)
    assert len(pen.colours) == wires
    assert len(pen.words) == len(circuit.parts)
    assert sum(words.startswith("reader of seat") for words in pen.words) == 6


def uncommented() -> dict[str, Any]:
    """The example with the parts that it shows how to name by hand."""
    lines = re.sub(r"^# (?=\[\[seats\]\]$|\[discard\]$|(?:pad|button|lamp) = )|^#$", "", EXAMPLE, flags=re.MULTILINE)
    return tomllib.loads(lines)


def test_the_example_names_no_seats_and_shows_how_to(build: Build) -> None:
    assert not {"seats", "discard"} & tomllib.loads(EXAMPLE).keys()
    shown, found = uncommented(), ports(build.circuit(2))
    readers = [*(seat["pad"] for seat in shown["seats"]), shown["discard"]["pad"]]
    assert readers == [
        f"i2c:1.0x70/{found[name].removeprefix('switch_a.PORT')}" for name in ("reader1", "reader2", "discard")
    ]
    assert [seat["button"] for seat in shown["seats"]] == [f"input:1-1.3/{dome}" for dome in DOMES[:2]]
    assert [seat["lamp"] for seat in shown["seats"]] == ["led:1-1.3/buzz1", "led:1-1.3/buzz2"]


def test_the_example_and_its_page_keep_the_bus_as_slow_as_the_leads_need(build: Build) -> None:
    for text in (EXAMPLE, READY):
        assert f"dtparam=i2c_arm_baudrate={build.circuit(2).i2c_hz}" in text


def test_what_is_not_to_be_bought_is_not_in_the_lists(build: Build, on_usb: Build, real: Prices) -> None:
    every = [*items(build, real), *items(on_usb, real)]
    listed = " ".join(f"{item.name} {' '.join(item.price.sources)}" for item in every)
    for wrong in ("ACR122U", "PN532", "PbHub", "U041", "Base HAT", "wireless", "RC522"):
        assert wrong in READY
        assert wrong not in listed
    assert read_toml(HARDWARE / "ready.toml")["parts"]["discard"] == "unit_rfid2"


NAMES_AND_STRESS = frozenset({"(bench)", "Buzz!", "family", "who tried what"})
"""Words of the page that are in italics and not the table's."""


def quotes() -> list[str]:
    """Return the sentences and words of the table that the page puts into italics, from the evening on."""
    evening = READY[READY.index("## The evening") :]
    found = re.findall(r"(?<!\*)\*([^*]+)\*(?!\*)", " ".join(evening.split()))
    return [words for words in dict.fromkeys(found) if words not in NAMES_AND_STRESS]


def messages() -> Iterator[str]:
    """Every English message of the table's own catalogue."""
    text = (ROOT / "host" / "taptable" / "catalogues" / "en.po").read_text(encoding="utf-8")
    for lines in re.findall(r'^msgstr ((?:".*"\n)+)', text, flags=re.MULTILINE):
        message = "".join(re.findall(r'"(.*)"', lines)).replace('\\"', '"')
        yield message.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")


def doctors_code() -> str:
    """The code that has the doctor's sentences."""
    package = ROOT / "host" / "taptable"
    files = [*sorted((package / "doctor").glob("*.py")), *sorted((package / "drivers").glob("*/doctor.py"))]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def as_part_of_a_sentence(quote: str) -> re.Pattern[str]:
    """A pattern for a quote in a sentence that has braces where the table puts values; those are words with figures."""
    words = [
        f"(?:{re.escape(word)}|\\S*{{[^}}]*}}\\S*)" if re.search(r"\d", word) else re.escape(word)
        for word in quote.split()
    ]
    return re.compile(rf"(?<!\w){' '.join(words)}(?!\w)", re.IGNORECASE)


def test_the_sentences_that_its_page_quotes_are_those_of_the_table() -> None:
    every = list(messages())
    said = "\n".join([*every, doctors_code()])
    found = quotes()
    assert len(found) >= 12
    for quote in found:
        is_label = quote[0].isupper() and not quote.endswith(".")
        assert quote in every if is_label else as_part_of_a_sentence(quote).search(said), quote
