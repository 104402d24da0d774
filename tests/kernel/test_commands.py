"""`taptable run` and `taptable doctor` as processes on a kernel with a Pi's pins and bus, and nothing put in the place
of anything: only the readers are missing, since the kernel has no simulator of SPI."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from cli.commands import command, process
from cli.deck_rig import box
from cli.running import running
from taptable.config import load_config
from taptable.daemon.power_off import REQUEST_FILE
from taptable.drivers.header_lines import bcm_of
from taptable.drivers.oled.display_model import DisplayModel
from taptable.memory.decks import Decks

from kernel.header import Contacts

pytestmark = pytest.mark.long
EXAMPLE = Path(__file__).parents[2] / "examples" / "compact.toml"
POWER = 24
SERVICE = {"GPIOZERO_PIN_FACTORY": "lgpio", "LANGUAGE": "en"}
READERS = {"discard pad", "pad 1", "pad 2", "pad 3", "pad 4"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a compact table of four, as the example describes it."""
    text = EXAMPLE.read_text(encoding="utf-8").partition("\n[page]")[0].replace('"de"', '"en"')
    (tmp_path / "table.toml").write_text(text, encoding="utf-8")
    Decks(tmp_path / "decks").save(box())
    return tmp_path


def findings(folder: Path) -> dict[str, tuple[str, str]]:
    """The doctor's findings about the Pi's own interfaces: state and words, by check and part."""
    said = process("doctor", "--only", "pins,buses,display,contacts", "--json", folder=folder, environment=SERVICE)
    found = json.loads(said.out)["findings"]
    return {f"{each['name']} of {each['part']}": (each["state"], each["found"]) for each in found}


def test_the_doctor_finds_pins_bus_and_display_in_order(folder: Path, display: DisplayModel) -> None:
    found = findings(folder)
    parts = [f"{kind} of {kind} {seat}" for kind in ("button", "lamp") for seat in range(1, 5)]
    parts += ["button of power button", "sounder of sounder", "i2c of oled", "i2c-speed of oled", "display of oled"]
    parts += [f"{check} of pins" for check in ("gpio-module", "gpio-device", "working-folder", "pin-factory")]
    assert {part: state for part, (state, _) in found.items() if part in parts} == dict.fromkeys(parts, "ok")
    assert found["pin-factory of pins"][1] == "LGPIOFactory, with the kernel's time of an edge"
    assert display.illegal == []


def test_the_doctor_says_where_lgpio_can_t_make_its_pipe(folder: Path) -> None:
    # the disk of this kernel can't be written to
    there = {**SERVICE, "TAPTABLE_CONFIG": str(folder / "table.toml")}
    said = process("doctor", "--only", "pins", "--json", folder=Path("/"), environment=there)
    found = {each["name"]: (each["state"], each["found"]) for each in json.loads(said.out)["findings"]}
    assert found["working-folder"] == ("fault", "/ isn't writable, so lgpio can't work")
    assert found["pin-factory"][0] == "fault"


def test_the_daemon_takes_all_that_is_there_hears_the_power_button_and_leaves_in_order(
    folder: Path, display: DisplayModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in SERVICE.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(folder / "run"))
    (folder / "run").mkdir()
    contacts = Contacts()
    with running(command("run"), folder) as daemon:
        daemon.read_until("^INFO: taptable .* at table ", *(f"^WARNING: Part lost: {part}: " for part in READERS))
        contacts.move(POWER, True)
        daemon.read_until("^INFO: Power-off requested, ")
        contacts.move(POWER, False)
        assert (folder / "run" / REQUEST_FILE).exists()
        daemon.read_until("^WARNING: Power-off failed, ")  # the request was taken back, as nobody took it
        assert display.image().getbbox()
        assert daemon.stop() == 0
    lost = re.findall(r"^WARNING: Part lost: ([\w ]+): ", daemon.log, re.MULTILINE)
    assert sorted(lost) == sorted(READERS)
    assert not display.image().getbbox()
    lamps = [bcm_of(parts.lamp) for parts in load_config(folder / "table.toml", lambda _: []).seats]
    assert not any(contacts.is_high(bcm) for bcm in lamps)
