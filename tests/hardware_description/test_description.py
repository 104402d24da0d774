"""The description in hardware/ as it is: right in every size, and everything made from it up to date."""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path

import pytest
from drafting.backfeed import into_pins
from drafting.builds import Description, read_description
from drafting.circuit import SPI_HZ, At
from drafting.firmware_pins import firmware_pins
from drafting.generated import stale
from drafting.making import EXAMPLES, MADE, ROOT, WIRING, all_mistakes, generate_texts, main
from drafting.supplies import rails
from tapshared import lights
from taptable.config import Config, load_config
from taptable.drivers.header_lines import HEADER_PINS, SPI_LINES, SPI_SELECTS
from taptable.drivers.spi.pads import SpiPad
from taptable.sim import setting_up

HARDWARE = ROOT / "hardware"


@pytest.fixture(scope="module")
def description() -> Description:
    return read_description(HARDWARE)


@pytest.fixture(scope="module")
def files(description: Description) -> dict[str, str]:
    return dict(generate_texts(description, ROOT))


def test_nothing_is_wrong_with_any_build_of_any_size(description: Description) -> None:
    assert all_mistakes(description) == []


def test_the_service_s_page_states_what_flows_into_a_pi_that_is_off(description: Description) -> None:
    page = (ROOT / "docs" / "service.md").read_text(encoding="utf-8")
    flows = {
        name: into_pins(description.builds[name].circuit(description.builds[name].seats[-1]))
        for name in ("full", "compact")
    }
    assert {at.pin for at in flows["full"]} == {"GPIO2", "GPIO3", "GPIO25"} == {at.pin for at in flows["compact"]}
    readers = flows["compact"][At("pi", "GPIO25")] / flows["full"][At("pi", "GPIO25")]
    assert readers == pytest.approx(5)
    assert f"{flows['full'][At('pi', 'GPIO2')]:.2f} mA into each of the pins GPIO2 and GPIO3" in page
    assert f"{flows['full'][At('pi', 'GPIO25')]:.2f} mA each into GPIO25" in page
    together = [sum(flow.values()) for flow in flows.values()]
    assert (
        f"together {together[0]:.1f} mA in the full build and {together[1]:.1f} mA with five readers"
        in page.replace("\n", " ")
    )


def test_no_drawing_names_a_version() -> None:
    drawings = sorted((ROOT / MADE).glob("*.svg"))
    assert drawings
    for drawing in drawings:
        text = drawing.read_text(encoding="utf-8").replace("www.w3.org", "")
        assert not re.search(r"graphviz|wireviz|[0-9]+\.[0-9]+\.[0-9]+", text, re.IGNORECASE), drawing.name


def test_what_lies_there_and_isn_t_made_any_more_is_stale(tmp_path: Path) -> None:
    (tmp_path / MADE).mkdir(parents=True)
    (tmp_path / MADE / "kept.md").write_text("as made", encoding="utf-8")
    (tmp_path / MADE / "changed.md").write_text("by hand", encoding="utf-8")
    (tmp_path / MADE / "left.svg").touch()
    wanted = {f"{MADE}/{name}.md": b"as made" for name in ("kept", "changed", "new")}
    assert stale(wanted, sorted((tmp_path / MADE).iterdir()), tmp_path) == [
        f"{MADE}/changed.md",
        f"{MADE}/new.md",
        f"{MADE}/left.svg",
    ]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for path in (*HARDWARE.glob("*.toml"), *HARDWARE.glob("examples/*"), ROOT / WIRING):
        there = tmp_path / path.relative_to(ROOT)
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, there)
    return tmp_path


def broken(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_nothing_is_made_from_a_description_with_a_mistake(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken(copy / "hardware" / "centre.toml", '["pi.GPIO12", "out at rest"]', '["pi.GPIO3", "out at rest"]')
    broken(copy / "hardware" / "centre.toml", '["pi.GPIO3", "I2C1 SCL"]', '["pi.GPIO5", "I2C1 SCL"]')
    assert main([], copy) == 1
    assert capsys.readouterr().err.splitlines()[:2] == [
        "full: OLED_SCL can't be on pi.GPIO5: it can't do I2C1 SCL; GPIO3 can.",
        "full: SOUNDER can't be on pi.GPIO3: it is pulled up while the board starts, and would be on.",
    ]
    assert not (copy / MADE).exists()


@pytest.mark.parametrize(
    ("path", "old", "new", "sentence"),
    [
        ("hardware/compact.toml", "[parts]", "[parts", "compact.toml: this is no TOML: "),
        ("hardware/examples/full.toml", "@SOUNDER@", "@HORN@", "hardware/examples/full.toml: no pin is named HORN."),
        (WIRING, "<!-- /compact pins -->", "", "the page has no place for compact pins: it takes the lines "),
    ],
)
def test_a_part_that_can_t_be_made_is_reported(
    copy: Path, capsys: pytest.CaptureFixture[str], path: str, old: str, new: str, sentence: str
) -> None:
    broken(copy / path, old, new)
    assert main(["--check"], copy) == 1
    assert capsys.readouterr().err.startswith(sentence)


def test_one_change_of_a_pin_reaches_wiring_example_tables_and_firmware(copy: Path, files: dict[str, str]) -> None:
    broken(copy / "hardware" / "centre.toml", '"pi.GPIO12"', '"pi.GPIO26"')
    broken(copy / "hardware" / "compact.toml", '"pi.GPIO26"', '"pi.GPIO12"')
    broken(copy / "hardware" / "seat_board.toml", 'RING = ["pico.GP22", "out"]', 'RING = ["pico.GP21", "out"]')
    changed = generate_texts(read_description(copy / "hardware"), copy)
    assert {path for path in files if changed[path] != files[path]} == {
        "examples/compact.toml",
        "examples/full.toml",
        "firmware/seatboard/pins.py",
        WIRING,
        *(path for path in files if path.startswith(f"{MADE}/stripboard-")),
    }
    assert 'pin = "gpio:26"' in changed["examples/full.toml"]
    assert "\nRING = 21\n" in changed["firmware/seatboard/pins.py"]


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_has_no_name_left_to_fill_in(files: dict[str, str], name: str) -> None:
    assert "@" not in files[f"examples/{name}.toml"]


def test_a_drawing_shows_every_wire_of_its_sheet_and_every_wire_is_drawn(
    description: Description, files: dict[str, str]
) -> None:
    for build in description.builds.values():
        for cable in build.circuit(build.seats[-1]).cables:
            inner = ": " in cable.name or cable.name == "USB"  # of a seat board, which has a drawing of its own
            assert inner or cable.sheets, cable.name
    source = files[f"{MADE}/seat-board-cables.yml"]
    for label in ("'NO'", "COM", "LED+", "LED-", "5V", "DI"):
        assert f"- {label}\n" in source
    assert source.count("colors:") == 2


def test_a_cable_with_plugs_is_drawn_as_one_line(files: dict[str, str]) -> None:
    source = files[f"{MADE}/full-usb.yml"]
    assert source.count("wirecount: 1\n") == 8
    assert "GND" not in source
    assert "colors" not in source


def test_the_wiring_lists_what_is_joined(files: dict[str, str]) -> None:
    text = files[WIRING].partition("<!-- seat_board nets -->")[2]
    assert "| `RING_5V` | shifter.1Y (3), ring_resistor.1 |" in text
    assert "board1." not in text


def test_a_drawing_says_which_models_of_the_pi_it_is_for(files: dict[str, str]) -> None:
    assert "type: Raspberry Pi 4 Model B or Raspberry Pi 5\n" in files[f"{MADE}/full-supply.yml"]


def load_example(name: str) -> Config:
    return load_config(ROOT / "examples" / f"{name}.toml", lambda _game: [])


def test_the_simulated_table_has_its_parts_where_the_description_has_them() -> None:
    example, compact = load_example("compact"), setting_up.PART_ADDRESSES["compact"]
    assert [str(seat.button) for seat in example.seats] == compact["buttons"]
    assert [str(seat.lamp) for seat in example.seats] == compact["lamps"]
    assert [str(seat.pad) for seat in example.seats] == compact["pads"]


def test_each_seat_of_the_full_build_has_pad_button_and_lamp_on_its_board() -> None:
    for seat in load_example("full").seats:
        assert seat.pad.kind == "board"
        assert seat.button == seat.lamp == seat.pad


def test_the_header_is_the_one_that_configuration_and_doctor_know(description: Description) -> None:
    pins = description.kinds["pi4"].pins
    assert pins == {**description.kinds["pi5"].pins, **{name: pins[name] for name in ("USB",)}}
    assert {bcm: int(pins[f"GPIO{bcm}"].place) for bcm in HEADER_PINS} == dict(HEADER_PINS)
    for bus, lines in SPI_LINES.items():
        for bcm, function in zip(lines, ("MISO", "MOSI", "SCLK"), strict=True):
            assert f"SPI{bus} {function}" in pins[f"GPIO{bcm}"].can
        for device, bcm in enumerate(SPI_SELECTS[bus]):
            assert f"SPI{bus} CE{device}" in pins[f"GPIO{bcm}"].can


def test_the_ring_draws_what_the_firmware_keeps_it_to(description: Description) -> None:
    assert description.kinds["ring"].draws["5V"].peak_ma == lights.RING_MOST_MA


def test_the_leads_on_the_pi_are_judged_by_the_speed_that_the_daemon_uses() -> None:
    assert SpiPad(1, 0, 1, None).speed_hz == SPI_HZ


def test_the_ring_of_the_enclosure_has_as_many_pixels_as_the_firmware_expects(description: Description) -> None:
    mechanics = tomllib.loads((HARDWARE / "mechanics.toml").read_text(encoding="utf-8"))
    assert mechanics["ring"]["pixels"] == description.seat_board.data["firmware"]["PIXELS"]


def test_the_firmware_s_pins_are_those_of_the_description(description: Description) -> None:
    text = firmware_pins(description.seat_board)
    assert "\nSPI_SCK = 18\n" in text
    assert text.startswith('"""')
    assert compile(text, "pins.py", "exec")


def test_the_load_of_a_supply_is_the_sum_of_what_it_feeds_through_regulators_and_boards(
    description: Description,
) -> None:
    kinds = description.kinds
    circuit = description.builds["full"].circuit(6)
    found = {str(rail.at): rail.peak_ma for rail in rails(circuit)}
    board = sum(
        draws.peak_ma
        for draws in (
            kinds["pico"].draws["USB"],
            kinds["rc522"].draws["3.3V"],
            kinds["ring"].draws["5V"],
            kinds["shifter"].draws["VCC"],
            kinds["arcade_button"].draws["LED+"],
        )
    )
    board += 2  # 3.3 V over the pull-up of a contact that is closed, rounded up
    assert found["hub.PORT6"] == board
    assert found["psu_hub.OUT"] == 6 * board + kinds["hub"].draws["DC"].peak_ma
    assert found["psu.OUT"] == (
        found["pi.5V"] + found["pi.3V3"] + found["pi.USB"] + kinds["pi4"].draws["USB_C"].peak_ma
    )


def test_of_the_readers_on_the_pi_s_spi_one_has_its_field_on(description: Description) -> None:
    circuit = description.builds["compact"].circuit(4)
    (rail,) = [rail for rail in rails(circuit) if str(rail.at) == "regulator.OUT"]
    reader = description.kinds["rc522"].draws["3.3V"]
    oled = description.kinds["oled_small"].draws["VCC"]
    assert rail.peak_ma == reader.peak_ma + 4 * reader.resting_ma + oled.peak_ma
