"""Mistakes in a description: the real one, broken in one place, and the sentence that reports it."""

from __future__ import annotations

from collections.abc import Callable
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


def said(build: str, change: Change, seats: int = 2, *, by_hand: bool = False) -> list[str]:
    """The sentences about a build after a change to the files."""
    data = deepcopy(FOUND)
    change(data)
    parts = data.pop("parts")
    return mistakes(describe(parts, data).builds[build].circuit(seats, by_hand=by_hand))


def both(*changes: Change) -> Change:
    def change(data: dict[str, Any]) -> None:
        for one in changes:
            one(data)

    return change


def without(file: str, net: str, end: str, kind: str = "nets") -> Change:
    return lambda data: data[file][kind][net].remove(end)


def joined(file: str, net: str, *ends: str, kind: str = "nets") -> Change:
    return lambda data: data[file][kind].setdefault(net, []).extend(ends)


def moved(file: str, end: str, net: str, other: str, kind: str = "nets") -> Change:
    return both(without(file, net, end, kind), joined(file, other, end, kind=kind))


def cable(data: dict[str, Any], file: str, name: str, kind: str = "cables") -> dict[str, Any]:
    (found,) = [cable for cable in data[file][kind] if cable["name"] == name]
    return found


def without_wire(file: str, name: str, index: int = 0, kind: str = "cables") -> Change:
    return lambda data: cable(data, file, name, kind)["wires"].pop(index)


def rewired(file: str, name: str, wire: list[str], index: int = 0) -> Change:
    def change(data: dict[str, Any]) -> None:
        cable(data, file, name)["wires"][index] = wire

    return change


def pin(file: str, name: str, where: list[str]) -> Change:
    return lambda data: data[file]["pins"].update({name: where})


def seat_pin(file: str, seat: int, name: str, where: list[str]) -> Change:
    return lambda data: data[file]["seats"][seat - 1]["pins"].update({name: where})


def part(key: str, **facts: Any) -> Change:
    return lambda data: data["parts"][key].update(facts)


def test_nothing_is_said_of_the_description_as_it_is() -> None:
    for build in ("full", "compact", "seat_board", "ready"):
        assert said(build, lambda _data: None) == []
        assert said(build, lambda _data: None, by_hand=True) == []


# pins


def test_a_pin_used_twice() -> None:
    assert "pi.GPIO13 is used twice: for LAMP1 and for LAMP2." in said(
        "compact", seat_pin("compact", 2, "LAMP", ["pi.GPIO13", "out at rest"])
    )


def test_two_inputs_on_one_pin() -> None:
    assert "pi.GPIO24 is used twice: for POWER and for BUTTON1." in said(
        "compact", seat_pin("compact", 1, "BUTTON", ["pi.GPIO24", "in"])
    )


def test_a_pin_that_the_board_does_not_have() -> None:
    assert said("full", pin("centre", "RESET", ["pi.GPIO28", "out"])) == [
        "pin RESET: pi (Raspberry Pi 4 Model B) has no pin GPIO28.",
    ]


def test_a_net_or_a_wire_to_a_pin_or_a_part_that_there_is_not() -> None:
    assert said("full", joined("centre", "5V", "oled.XYZ", "radio.5V", "AERIAL")) == [
        'net 5V: oled (OLED 2.42" 128×64) has no pin XYZ.',
        "net 5V: there is no part of the name radio.",
        "net 5V: there is no part of the name AERIAL.",
    ]
    assert said("full", rewired("full", "USB to the hub", ["pi.USB", "hub.PORT8", "red"])) == [
        "cable USB to the hub: hub (USB 2.0 hub, 7 ports, with a supply of its own) has no pin PORT8.",
    ]


def test_a_pin_that_cannot_do_what_it_is_for() -> None:
    assert said("seat_board", pin("seat_board", "SPI_SCK", ["pico.GP21", "SPI0 SCK"]), 0) == [
        "SPI_SCK can't be on pico.GP21: it can't do SPI0 SCK; GP2, GP6, GP18, GP22 can.",
    ]
    assert said("full", pin("centre", "OLED_SDA", ["pi.GPIO5", "I2C9 SDA"])) == [
        "OLED_SDA can't be on pi.GPIO5: it can't do I2C9 SDA; no pin of it can.",
    ]
    assert "RESET can't be on pi.5V: that is no pin to choose." in said(
        "full", pin("centre", "RESET", ["pi.5V", "out"])
    )


@pytest.mark.parametrize("bcm", [2, 5, 8])
def test_a_lamp_on_a_pin_that_is_pulled_up_while_the_pi_starts(bcm: int) -> None:
    says = f"LAMP1 can't be on pi.GPIO{bcm}: it is pulled up while the board starts, and would be on."
    assert says in said("compact", seat_pin("compact", 1, "LAMP", [f"pi.GPIO{bcm}", "out at rest"]))


def test_a_pin_of_the_serial_console() -> None:
    assert said("compact", seat_pin("compact", 1, "LAMP", ["pi.GPIO14", "out at rest"])) == [
        "LAMP1 can't be on pi.GPIO14: the system uses that pin itself.",
    ]


def test_a_lamp_on_the_pin_that_early_picos_borrow_at_each_reset_of_the_bus() -> None:
    assert said("seat_board", pin("seat_board", "LAMP", ["pico.GP15", "out"]), 0) == [
        "LAMP can't be on pico.GP15: the system uses that pin itself.",
    ]


def test_a_pin_that_is_joined_and_has_no_name() -> None:
    assert said("compact", joined("compact", "SPARE", "pi.GPIO14", "driver.IN8")) == [
        "pi.GPIO14 leads somewhere, but no name under [pins] says what it is for.",
        "driver.IN8 is an input, and nothing drives it.",
    ]


def test_a_name_that_no_net_has() -> None:
    assert said("full", pin("centre", "SPARE", ["pi.GPIO5", "in"])) == [
        "SPARE (pi.GPIO5) leads nowhere.",
        "pi.GPIO5 is an input, and nothing drives it.",
    ]


# nets


def test_a_pin_in_two_nets() -> None:
    assert said("full", joined("centre", "PI_3V3", "test_3v3.1"))[0] == "test_3v3.1 is in two nets: 3V3 and PI_3V3."
    assert "pico.GP22 is in two nets: RING and LED." in said("seat_board", joined("seat_board", "LED", "pico.GP22"), 0)


def test_an_end_that_was_left_out() -> None:
    assert said("seat_board", without("seat_board", "GND", "shifter_capacitor.2"), 0) == [
        "shifter_capacitor.2 leads nowhere.",
    ]


def test_a_contact_that_ends_at_its_socket() -> None:
    assert "button.NO leads nowhere." in said("seat_board", without("seat_board", "CONTACT", "button_socket.NO"), 0)
    assert "button.NO leads nowhere." in said("seat_board", without_wire("seat_board", "Button"), 0)


def test_a_part_that_is_bridged() -> None:
    assert "filter.1 and filter.2 are joined: filter is bridged." in said(
        "seat_board", moved("seat_board", "filter.1", "BUTTON", "GND"), 0
    )


# levels


def test_5_v_on_a_pin_that_survives_3_3() -> None:
    assert said("compact", moved("compact", "pull_up{seat}.1", "PI_3V3", "5V", kind="seat_nets")) == [
        f"pi.{gpio} survives 3.6 V, and pi.5V puts 5 V on it." for gpio in ("GPIO4", "GPIO5")
    ]


def test_3_3_v_for_an_input_that_takes_more() -> None:
    assert said("seat_board", moved("seat_board", "ring_resistor.1", "RING_5V", "RING"), 0) == [
        "ring.DI takes 3.5 V or more for high, and pico.GP22 gives 3.3 V.",
    ]


def test_the_output_of_a_5_v_chip_at_the_pi() -> None:
    assert "pi.GPIO9 survives 3.6 V, and discard.MISO puts 4.6 V on it." in said(
        "full", lambda data: data["parts"]["rc522"]["pins"]["MISO"].update(volts=5.0)
    )


def test_an_input_that_nothing_drives() -> None:
    assert said("full", without_wire("centre", "Discard reader", 0)) == [
        "discard.SDA is an input, and nothing drives it.",
    ]
    assert said("seat_board", without("seat_board", "GND", "shifter.3A"), 0) == [
        "shifter.3A is an input, and nothing drives it.",
    ]


def test_two_outputs_on_one_wire() -> None:
    without_diodes = both(
        lambda data: data["compact"]["seat_parts"].pop("diode"),
        without("compact", "{bus}_MISO", "diode{seat}.K", "seat_nets"),
        without("compact", "MISO{seat}", "diode{seat}.A", "seat_nets"),
        joined("compact", "{bus}_MISO", "reader_socket{seat}.MISO", kind="seat_nets"),
        lambda data: data["compact"]["seat_nets"].pop("MISO{seat}"),
    )
    assert said("compact", without_diodes, 3) == [
        "reader2.MISO and reader3.MISO drive the same wire: it takes a diode behind each.",
    ]


def test_a_diode_the_wrong_way_round() -> None:
    turned = both(
        moved("centre", "discard_diode.K", "SPI0_MISO", "DISCARD_MISO"),
        moved("centre", "discard_diode.A", "DISCARD_MISO", "SPI0_MISO"),
    )
    assert said("full", both(turned, without("centre", "SPI0_MISO", "pull_down_SPI0.1"))) == [
        "pull_down_SPI0.1 leads nowhere.",
        "pi.GPIO9 is an input, and nothing drives it.",
    ]


def test_an_output_that_is_joined_to_a_supply() -> None:
    assert "pi.GPIO12 is an output, and joined to pi.GND_14." in said("full", joined("centre", "SOUNDER", "pi.GND_14"))
    assert "pi.GPIO12 is an output, and joined to pi.3V3." in said("full", joined("centre", "SOUNDER", "pi.3V3"))


def test_a_base_without_a_resistor() -> None:
    assert "transistor.B is on pico.GP12 without a resistor between them." in said(
        "seat_board", moved("seat_board", "transistor.B", "BASE", "LAMP"), 0
    )


# supplies and ground


def test_a_missing_ground() -> None:
    assert said("full", without_wire("centre", "Discard reader", 4)) == [
        "discard.GND isn't joined to the ground of pi.",
    ]


def test_a_seat_board_without_the_ground_of_its_cable() -> None:
    assert "board1.pico.AGND isn't joined to the ground of pi." in said(
        "full", without_wire("full", "USB to seat {seat}", 1, "seat_cables")
    )


def test_a_part_without_its_supply() -> None:
    assert said("full", without_wire("centre", "Discard reader", 6)) == [
        "discard.3.3V has no supply: it takes 2.5 to 3.6 V.",
    ]


def test_a_reader_at_5_v() -> None:
    assert said("full", moved("centre", "discard_socket.3.3V", "3V3", "5V")) == [
        "discard.3.3V takes 2.5 to 3.6 V, and pi.5V gives 5 V.",
    ]


def test_two_supplies_joined() -> None:
    assert "pi.3V3 and regulator.OUT are both supplies, and joined." in said(
        "full", moved("centre", "regulator.OUT", "3V3", "PI_3V3")
    )


def test_a_lamp_that_leads_nowhere() -> None:
    assert said("seat_board", without_wire("seat_board", "Button", 3), 0) == [
        "button.LED- leads neither to ground nor to a transistor.",
    ]


def test_more_readers_on_a_pico_than_its_3_3_v_gives() -> None:
    heavy = part("rc522", draws={"3.3V": {"typical_ma": 200, "peak_ma": 310, "source": "three of them"}})
    assert said("seat_board", heavy, 0) == [
        "pico.3V3 gives 300 mA (Pico data sheet, pin 3V3(OUT): keep the load below 300 mA), "
        "and up to 312 mA are drawn.",
        "supply.OUT gives 500 mA (USB 2.0, 7.2.1: a port gives 500 mA), and up to 515 mA are drawn.",
    ]


def test_more_than_a_regulator_without_copper_for_its_tab_gives() -> None:
    bright = part("oled", draws={"VCC": {"typical_ma": 120, "peak_ma": 260, "source": "another display"}})
    assert [each for each in said("full", bright) if each.startswith("regulator.OUT gives 350 mA")]


def test_a_ring_that_nobody_bounds_is_too_much_for_a_port() -> None:
    full_white = part("ring", draws={"5V": {"typical_ma": 300, "peak_ma": 720, "source": "12 pixels of 60 mA"}})
    found = said("full", full_white)
    assert "hub.PORT1 gives 500 mA (USB 2.0, 7.2.1), and up to 964 mA are drawn." in found


def test_readers_on_the_pi_s_own_3_3_v() -> None:
    (sentence,) = said("full", moved("centre", "discard_socket.3.3V", "3V3", "PI_3V3"))
    assert sentence.startswith("pi.3V3 gives 50 mA (")
    assert sentence.endswith("), and up to 121 mA are drawn.")


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
        "and up to 1296 mA are drawn.",
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
    assert said("full", moved("centre", "power_pull_up.1", "PI_3V3", "GND")) == [
        "POWER (pi.GPIO24) has no pull-up of its own: a contact's wire takes one.",
    ]


def test_a_button_without_a_capacitor() -> None:
    assert said("full", moved("centre", "power_filter.1", "POWER", "PI_3V3")) == [
        "POWER (pi.GPIO24) has no capacitor to ground: static would look like a press.",
    ]


def test_a_button_straight_on_the_pin() -> None:
    def straight(data: dict[str, Any]) -> None:
        del data["centre"]["parts"]["power_series"]
        nets = data["centre"]["nets"]
        nets["POWER"] = [end for net in ("POWER", "POWER_CONTACT") for end in nets.pop(net) if "series" not in end]

    assert said("full", straight) == [
        "POWER (pi.GPIO24) has no resistor between it and the contact: it takes one for the filter.",
    ]


def test_a_filter_that_makes_a_press_late() -> None:
    assert said("full", lambda data: data["centre"]["parts"].update(power_series="resistor_1k")) == [
        "POWER (pi.GPIO24) comes 100 µs late through its filter: 50 µs are allowed.",
    ]


def test_readers_on_one_bus_without_a_pull_down() -> None:
    assert said("compact", moved("compact", "pull_down_SPI1.2", "GND", "3V3"), 3) == [
        "SPI1_MISO (pi.GPIO19) hears 2 outputs, and no resistor pulls it down.",
    ]


@pytest.mark.parametrize(
    ("diode", "net", "lead"),
    [
        ("contact_esd", "CONTACT", "button.NO"),
        ("lamp_esd", "LAMP_LOW", "button.LED-"),
        ("ring_esd", "RING_DATA", "ring.DI"),
    ],
)
def test_a_lead_to_a_hand_without_a_suppressor_diode(diode: str, net: str, lead: str) -> None:
    assert said("seat_board", moved("seat_board", f"{diode}.1", net, "3V3"), 0) == [
        f"{lead} has no suppressor diode: static from a hand would reach what it leads to.",
    ]


def test_a_lamp_without_a_fuse() -> None:
    assert said("seat_board", moved("seat_board", "button_socket.LED+", "LAMP_HIGH", "5V"), 0) == [
        "button.LED+ is on pico.VBUS without a fuse: its lead on ground would take all else with it.",
    ]


def test_a_lead_too_long_for_spi() -> None:
    assert said("full", lambda data: cable(data, "centre", "Discard reader").update(longest_mm=500)) == [
        "cable Discard reader may be 500 mm long: SPI at 1 MHz takes 300 mm at most.",
    ]


def test_a_cable_to_several_parts() -> None:
    assert "cable Scoreboard leads to several parts: make it several cables." in said(
        "full", rewired("centre", "Scoreboard", ["oled_socket.GND", "discard.GND", "black"])
    )


# wires that are too slow


def test_a_suppressor_diode_of_some_nf_at_the_data_of_a_ring() -> None:
    slow = "takes 4230 ns to get a level over 380 Ω, with 5060 pF on the wire: 180 ns are allowed."

    def everywhere(data: dict[str, Any]) -> None:
        data["seat_board"]["only_printed"] = []

    assert said("seat_board", everywhere, 0, by_hand=True) == [f"ring.DI {slow}"]
    assert f"board2.ring.DI {slow}" in said("full", everywhere, by_hand=True)
    assert said("seat_board", everywhere, 0) == []


def test_a_capacitor_and_a_resistor_that_are_too_slow_for_the_bus_of_a_reader() -> None:
    assert said("full", lambda data: data["centre"]["parts"].update(discard_sck="resistor_2k2")) == [
        "discard.SCK takes 346 ns to get a level over 2250 Ω, with 70 pF on the wire: 300 ns are allowed.",
    ]
    assert said("full", part("diode", pf=200))[0] == (
        "pi.GPIO9 takes 506 ns to get a level over 1000 Ω, with 230 pF on the wire: 300 ns are allowed."
    )


def test_a_suppressor_diode_by_hand_at_the_bus_of_the_scoreboard() -> None:
    protected = both(
        lambda data: data["centre"]["parts"].update(oled_esd="tvs"),
        joined("centre", "OLED_SDA", "oled_esd.1"),
        joined("centre", "GND", "oled_esd.2"),
    )
    assert said("full", protected) == []
    (slow,) = said("full", protected, by_hand=True)
    assert slow.startswith("pi.GPIO2 takes 7"), slow
    assert slow.endswith(" ns are allowed.")


# plugs in the wrong socket


def four_poles(data: dict[str, Any]) -> None:
    data["parts"]["socket_oled"]["pcb"] = {"footprint": "PH_4"}


def test_a_display_whose_plug_fits_into_the_socket_of_a_button() -> None:
    assert said("compact", four_poles) == [
        f"The plug of {plug} fits into {socket}: then {harm}"
        for plug, socket, harm in (
            ("Scoreboard", "button_socket1", "oled.SCL survives 3.6 V, and lamp_fuse.OUT puts 5 V on it."),
            ("Scoreboard", "button_socket2", "oled.SCL survives 3.6 V, and lamp_fuse.OUT puts 5 V on it."),
            ("Button 1", "oled_socket", "regulator.OUT is shorted to ground."),
            ("Button 2", "oled_socket", "regulator.OUT is shorted to ground."),
        )
    ]
    assert said("full", four_poles) == []


def test_a_sounder_whose_plug_would_put_a_supply_on_the_power_button() -> None:
    found = said("full", moved("centre", "piezo_socket.1", "PIEZO", "5V"))
    assert "The plug of Power button fits into piezo_socket: then pi.5V is shorted to ground." in found


def test_an_output_without_a_resistor_at_a_socket_into_which_a_button_fits() -> None:
    found = said("full", moved("centre", "piezo_socket.1", "PIEZO", "SOUNDER"))
    harm = "then pi.GPIO12 is an output, and meets ground over 0 Ω."
    assert f"The plug of Power button fits into piezo_socket: {harm}" in found


def test_a_sounder_that_does_not_survive_what_is_at_the_power_button_s_socket() -> None:
    found = said("full", lambda data: data["parts"]["piezo"]["pins"]["+"].update(most=3.31, high_from=1.0))
    assert found == []
    found = said("full", lambda data: data["parts"]["piezo"]["pins"]["+"].update(most=3.0))
    assert (
        "The plug of Sounder fits into power_socket: then piezo.+ survives 3 V, and pi.3V3 puts 3.3 V on it." in found
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


def test_leads_of_a_metre_at_the_speed_for_a_display() -> None:
    slow = "takes 380 ns to get a level over 3197 Ω, with 140 pF on the wire: 300 ns are allowed."
    found = said("ready", lambda data: data["ready"].update(i2c_hz=400_000))
    assert found == [f"switch_a.PORT{port}_{line} {slow}" for port in (0, 1) for line in ("SDA", "SCL")]


def test_a_lead_of_four_metres_behind_a_switch() -> None:
    assert said("ready", lambda data: cable(data, "ready", "Seat {seat}", "seat_cables").update(longest_mm=4000)) == [
        f"switch_a.PORT{port}_{line} takes 1196 ns to get a level over 3197 Ω, with 440 pF on the wire: "
        "1000 ns are allowed."
        for port in (0, 1)
        for line in ("SDA", "SCL")
    ]


def test_a_switch_that_pulls_the_bus_of_the_pi_up_to_5_v() -> None:
    def older(data: dict[str, Any]) -> None:
        for line in ("SDA", "SCL"):
            data["parts"]["pahub"]["pins"][line]["pulled_up_v"] = 5.0

    assert "pi.GPIO2 survives 3.6 V, and switch_a.SDA pulls it up to 5 V." in said("ready", older)


def test_readers_that_plug_together_at_the_3_3_v_of_the_pi() -> None:
    fed = ["pi.3V3", "splitter.GROVE", "red"]
    found = said("ready", rewired("ready", "Pi to the splitter", fed, 1))
    assert "reader1.GROVE takes 4.4 to 5.5 V, and pi.3V3 gives 3.3 V." in found


def test_a_switch_that_nothing_leads_to() -> None:
    found = said("ready", lambda data: data["ready"]["seats"][5].update(cables=[]), 6)
    assert "switch_b.SDA is an input, and nothing drives it." in found
    assert "reader6.GROVE has no supply: it takes 4.4 to 5.5 V." in found
