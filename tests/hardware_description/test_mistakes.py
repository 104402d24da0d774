"""What a description can have wrong: the real one, broken in one place, and the sentence that is said of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

import pytest
from drafting.builds import FILES, describe
from drafting.checks import mistakes
from drafting.making import ROOT
from drafting.parts import DescriptionError, read_toml
from drafting.supplies import rails

FOUND: dict[str, Any] = {name: read_toml(ROOT / "hardware" / f"{name}.toml") for name in ("parts", *FILES)}

Change = Callable[[dict[str, Any]], object]


def said(build: str, change: Change, seats: int = 2, options: Sequence[str] = ()) -> list[str]:
    """What is said of a build after a change to the files."""
    data = deepcopy(FOUND)
    change(data)
    parts = data.pop("parts")
    return mistakes(describe(parts, data).builds[build].circuit(seats, options=options))


def cable(data: dict[str, Any], file: str, name: str, kind: str = "cables") -> dict[str, Any]:
    (found,) = [cable for cable in data[file][kind] if cable["name"] == name]
    return found


def without_wire(file: str, name: str, index: int = 0, kind: str = "cables") -> Change:
    return lambda data: cable(data, file, name, kind)["wires"].pop(index)


def rewired(file: str, name: str, wire: list[str], index: int = 0, kind: str = "cables") -> Change:
    def change(data: dict[str, Any]) -> None:
        cable(data, file, name, kind)["wires"][index] = wire

    return change


def one_more(file: str, wire: list[str]) -> Change:
    return lambda data: data[file]["cables"].append({"name": "new", "wires": [wire]})


def pin(file: str, name: str, where: list[str]) -> Change:
    return lambda data: data[file]["pins"].update({name: where})


def seat_pin(file: str, seat: int, name: str, where: list[str]) -> Change:
    return lambda data: data[file]["seats"][seat - 1]["pins"].update({name: where})


def part(key: str, **facts: Any) -> Change:
    return lambda data: data["parts"][key].update(facts)


def test_nothing_is_said_of_the_description_as_it_is() -> None:
    for build, options in (("full", ()), ("compact", ()), ("seat_board", ("button",))):
        assert said(build, lambda _data: None, options=options) == []


# pins


def test_a_pin_used_twice() -> None:
    assert said("full", seat_pin("full", 2, "LAMP", ["pi.GPIO13", "out at rest"])) == [
        "pi.GPIO13 is used twice: for LAMP1 and for LAMP2.",
    ]


def test_two_inputs_on_one_pin() -> None:
    assert "pi.GPIO21 is used twice: for POWER and for BUTTON1." in said(
        "full", seat_pin("full", 1, "BUTTON", ["pi.GPIO21", "in"])
    )


def test_a_pin_that_the_board_does_not_have() -> None:
    assert said("full", pin("full", "RESET", ["pi.GPIO28", "out"])) == [
        "pin RESET: pi (Raspberry Pi 4 Model B) has no pin GPIO28.",
        "cable Reader signals: no pin is named RESET.",
    ]


def test_a_wire_to_a_pin_a_part_or_a_name_that_there_is_not() -> None:
    assert said("full", one_more("full", ["hub.PORT8", "oled.XYZ", "red"])) == [
        "cable new: hub (USB 2.0 hub, 7 ports, with a supply of its own) has no pin PORT8.",
        'cable new: oled (OLED 2.42" 128×64) has no pin XYZ.',
    ]
    assert said("full", one_more("full", ["radio.GND", "AERIAL", "red"])) == [
        "cable new: there is no part of the name radio.",
        "cable new: no pin is named AERIAL.",
    ]


def test_a_pin_that_cannot_do_what_it_is_for() -> None:
    assert said("seat_board", pin("seat_board", "SPI_SCK", ["pico.GP21", "SPI0 SCK"]), 0) == [
        "SPI_SCK can't be on pico.GP21: it can't do SPI0 SCK; GP2, GP6, GP18, GP22 can.",
    ]
    assert said("full", pin("full", "OLED_SDA", ["pi.GPIO5", "I2C9 SDA"])) == [
        "OLED_SDA can't be on pi.GPIO5: it can't do I2C9 SDA; no pin of it can.",
    ]
    assert "RESET can't be on pi.5V: that is no pin to choose." in said("full", pin("full", "RESET", ["pi.5V", "out"]))


@pytest.mark.parametrize("bcm", [2, 5, 8])
def test_a_lamp_on_a_pin_that_is_pulled_up_while_the_pi_starts(bcm: int) -> None:
    says = f"LAMP1 can't be on pi.GPIO{bcm}: it is pulled up while the board starts, and would be on."
    assert says in said("full", seat_pin("full", 1, "LAMP", [f"pi.GPIO{bcm}", "out at rest"]))


def test_a_pin_of_the_serial_console() -> None:
    assert said("full", seat_pin("full", 1, "LAMP", ["pi.GPIO14", "out at rest"])) == [
        "LAMP1 can't be on pi.GPIO14: the system uses that pin before any program runs.",
    ]


def test_a_pin_that_is_wired_and_has_no_name() -> None:
    assert said("full", one_more("full", ["pi.GPIO5", "driver.IN8", "blue"])) == [
        "pi.GPIO5 has a wire, but no name under [pins] says what it is for.",
        "driver.IN8 is an input, and nothing drives it.",
    ]


def test_a_name_that_has_no_wire() -> None:
    assert said("full", pin("full", "SPARE", ["pi.GPIO5", "in"])) == [
        "SPARE (pi.GPIO5) has no wire.",
        "pi.GPIO5 is an input, and nothing drives it.",
    ]


# levels


def test_5_v_on_a_pin_that_survives_3_3() -> None:
    wrong = ["centre.5V", "pull_up{seat}.1", "red"]
    assert said("full", rewired("centre", "Pull-up {seat}", wrong, kind="seat_cables")) == [
        f"pi.{gpio} survives 3.6 V, and {by} puts 5 V on it." for gpio in ("GPIO4", "GPIO17") for by in ("pi.5V",)
    ]


def test_3_3_v_for_an_input_that_takes_more() -> None:
    def without_shifter(data: dict[str, Any]) -> None:
        rewired("seat_board", "Ring data at 5 V", ["RING", "ring_resistor.1", "white"])(data)

    assert said("seat_board", without_shifter, 0) == [
        "ring.DI takes 3.5 V or more for high, and pico.GP22 gives 3.3 V.",
    ]


def test_the_output_of_a_5_v_chip_at_the_pi() -> None:
    assert "pi.GPIO9 survives 3.6 V, and discard.MISO puts 5 V on it." in said(
        "full", lambda data: data["parts"]["rc522"]["pins"]["MISO"].update(volts=5.0)
    )


def test_an_input_that_nothing_drives() -> None:
    assert said("full", without_wire("full", "Discard reader", 1)) == [
        "discard.SCK is an input, and nothing drives it.",
    ]
    assert said("seat_board", without_wire("seat_board", "Idle gates", 2), 0) == [
        "shifter.3A is an input, and nothing drives it.",
    ]


def test_two_outputs_on_one_wire() -> None:
    def without_diode(data: dict[str, Any]) -> None:
        rewired("compact", "Diode {seat}", ["{bus}_MISO", "reader_socket{seat}.MISO", "violet"], kind="seat_cables")(
            data
        )
        data["compact"]["seat_cables"].remove(cable(data, "compact", "Answers {seat}", "seat_cables"))

    assert "reader2.MISO and reader3.MISO drive the same wire: it takes a diode behind each." in said(
        "compact", without_diode, 3
    )


def test_a_diode_the_wrong_way_round() -> None:
    def turned(data: dict[str, Any]) -> None:
        rewired("compact", "Discard diode", ["SPI0_MISO", "discard_diode.A", "violet"])(data)
        rewired("compact", "Discard answers", ["discard_diode.K", "discard_socket.MISO", "violet"])(data)

    def alone(data: dict[str, Any]) -> None:
        turned(data)
        seat_pin("compact", 1, "PAD", ["pi.GPIO7", "out"])(data)
        data["compact"]["seats"][0]["words"]["bus"] = "SPI1"
        data["compact"]["cables"].remove(cable(data, "compact", "Pull-down of SPI0"))
        data["compact"]["cables"].remove(cable(data, "compact", "Pull-down of SPI0 to ground"))

    assert said("compact", alone) == ["pi.GPIO9 is an input, and nothing drives it."]


def test_an_output_that_is_joined_to_a_supply() -> None:
    assert "pi.GPIO13 is an output, and joined to pi.GND_14." in said(
        "full", one_more("full", ["LAMP1", "centre.GND", "black"])
    )
    assert "pi.GPIO13 is an output, and joined to pi.3V3." in said(
        "full", one_more("full", ["LAMP1", "centre.PI 3.3V", "pink"])
    )


def test_a_base_without_a_resistor() -> None:
    def straight(data: dict[str, Any]) -> None:
        rewired("seat_board", "Pin of the lamp", ["LAMP", "transistor.B", "blue"])(data)

    assert said("seat_board", straight, 0, ["button"]) == [
        "transistor.B is on pico.GP15 without a resistor between them.",
    ]


# supplies and ground


def test_a_missing_ground() -> None:
    assert said("full", without_wire("full", "Discard reader", 4)) == [
        "discard.GND isn't joined to the ground of pi.",
    ]


def test_a_seat_board_without_the_ground_of_its_cable() -> None:
    assert "board1.pico.GND_3 isn't joined to the ground of pi." in said(
        "full", without_wire("full", "USB to seat {seat}", 1, "seat_cables")
    )


def test_a_part_without_its_supply() -> None:
    assert said("full", without_wire("full", "Discard reader", 6)) == [
        "discard.3.3V has no supply: it takes 2.5 to 3.6 V.",
    ]


def test_a_reader_at_5_v() -> None:
    wrong = ["centre.5V", "discard_socket.3.3V", "red"]
    assert said("full", rewired("full", "Discard reader supply", wrong, 1)) == [
        "discard.3.3V takes 2.5 to 3.6 V, and pi.5V gives 5 V.",
    ]


def test_two_supplies_joined() -> None:
    assert "pi.3V3 and regulator.OUT are both supplies, and joined." in said(
        "full", one_more("full", ["centre.3.3V", "centre.PI 3.3V", "orange"])
    )


def test_a_lamp_that_leads_nowhere() -> None:
    assert said("full", without_wire("centre", "Lamp {seat}", 0, "seat_cables")) == [
        "button1.LED- leads neither to ground nor to a transistor.",
        "button2.LED- leads neither to ground nor to a transistor.",
    ]


def test_more_readers_on_a_pico_than_its_3_3_v_gives() -> None:
    heavy = part("rc522", draws={"3.3V": {"typical_ma": 200, "peak_ma": 310, "source": "three of them"}})
    assert said("seat_board", heavy, 0) == [
        "pico.3V3 gives 300 mA (Pico data sheet, pin 3V3(OUT): keep the load below 300 mA), "
        "and up to 310 mA are drawn.",
    ]


def test_a_ring_that_nobody_bounds_is_too_much_for_a_port() -> None:
    full_white = part("ring", draws={"5V": {"typical_ma": 300, "peak_ma": 720, "source": "12 pixels of 60 mA"}})
    found = said("full", full_white)
    assert "hub.PORT1 gives 500 mA (USB 2.0, 7.2.1), and up to 942 mA are drawn." in found


def test_readers_on_the_pi_s_own_3_3_v() -> None:
    wrong = ["centre.PI 3.3V", "discard_socket.3.3V", "pink"]
    (sentence,) = said("full", rewired("full", "Discard reader supply", wrong, 1))
    assert sentence.startswith("pi.3V3 gives 50 mA (")
    assert sentence.endswith("), and up to 125 mA are drawn.")


def test_seat_boards_on_the_ports_of_the_pi_itself() -> None:
    def without_hub(data: dict[str, Any]) -> None:
        cable(data, "full", "USB to seat {seat}", "seat_cables")["wires"] = [
            ["pi.USB", "board{seat}.pico.USB", "red"],
            ["pi.USB_GND", "board{seat}.pico.USB_GND", "black"],
        ]
        data["full"]["cables"].remove(cable(data, "full", "USB to the hub"))
        data["full"]["cables"].remove(cable(data, "full", "Supply of the hub"))
        for name in ("hub", "psu_hub"):
            del data["full"]["parts"][name]

    assert said("full", without_hub, 3) == []
    assert said("full", without_hub, 4) == [
        "pi.USB gives 1200 mA (Raspberry Pi documentation, Power supply: 1.2 A for all four ports), "
        "and up to 1208 mA are drawn.",
    ]


def test_several_fields_at_once_in_the_compact_build_would_draw_more() -> None:
    def peak(change: Change) -> int:
        data = deepcopy(FOUND)
        change(data)
        circuit = describe(data.pop("parts"), data).builds["compact"].circuit(4)
        return next(rail.peak_ma for rail in rails(circuit) if str(rail.at) == "regulator.OUT")

    assert peak(lambda data: data["compact"].pop("one_at_a_time")) - peak(lambda _data: None) == 4 * 100


# contacts and leads


def test_a_button_without_a_pull_up_of_its_own() -> None:
    assert said("full", without_wire("centre", "Power pull-up")) == [
        "POWER (pi.GPIO21) has no pull-up of its own: a contact's wire takes one.",
    ]


def test_a_button_without_a_capacitor() -> None:
    assert said("full", without_wire("centre", "Power filter to ground")) == [
        "POWER (pi.GPIO21) has no capacitor to ground: static would look like a press.",
    ]


def test_a_button_straight_on_the_pin() -> None:
    def straight(data: dict[str, Any]) -> None:
        rewired("centre", "Power contact", ["POWER", "power_terminal.1", "yellow"])(data)
        data["centre"]["cables"].remove(cable(data, "centre", "Pin of the power button"))

    assert said("full", straight) == [
        "POWER (pi.GPIO21) has no resistor between it and the contact: it takes one for the filter.",
    ]


def test_a_filter_that_makes_a_press_late() -> None:
    assert said("full", lambda data: data["centre"]["parts"].update(power_series="resistor_1k")) == [
        "POWER (pi.GPIO21) comes 100 µs late through its filter: 50 µs are allowed.",
    ]


def test_readers_on_one_bus_without_a_pull_down() -> None:
    assert said("compact", without_wire("compact", "Pull-down of SPI0 to ground")) == [
        "SPI0_MISO (pi.GPIO9) hears 2 outputs, and no resistor pulls it down.",
    ]


def test_a_lead_too_long_for_spi() -> None:
    assert said("full", lambda data: cable(data, "full", "Discard reader").update(longest_mm=500)) == [
        "cable Discard reader may be 500 mm long: SPI at 1 MHz takes 300 mm at most.",
    ]
    assert said("seat_board", lambda data: cable(data, "seat_board", "Reader").update(longest_mm=300), 0) == [
        "cable Reader may be 300 mm long: SPI at 4 MHz takes 200 mm at most.",
    ]


def test_a_cable_to_several_parts() -> None:
    assert "cable Scoreboard leads to several parts: make it several cables." in said(
        "full", rewired("centre", "Scoreboard", ["oled_socket.GND", "discard.GND", "black"])
    )


# files


def test_a_kind_of_part_that_there_is_not() -> None:
    with pytest.raises(DescriptionError) as caught:
        said("full", lambda data: data["full"]["parts"].update(hub="hubb"))
    assert str(caught.value) == 'full.toml: hub can\'t be "hubb": parts.toml has none.'


def test_a_pin_that_is_nothing_known() -> None:
    with pytest.raises(DescriptionError) as caught:
        said("full", lambda data: data["parts"]["rc522"]["pins"]["SCK"].update({"is": "inptu"}))
    assert str(caught.value).startswith('parts.toml: rc522.SCK can\'t be "inptu": it takes one of gpio, input, ')
