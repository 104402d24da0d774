"""The report of the doctor: what it has of a table, what it never has, and its file."""

from __future__ import annotations

import datetime
import json
import re
import signal
import tomllib
from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cli.commands import Terminal
from memory.processes import folder_for_all, no_file_larger_than, without_privileges
from table.rig import on_i2c, run_in_given_time
from taptable import __version__
from taptable.core.game_options import GameOptions
from taptable.doctor.examination import CHECKS, LIVE, Patient, examine
from taptable.doctor.findings import ok, skipped, unseen
from taptable.doctor.report import WITHHELD, TableReport, is_harmless
from taptable.drivers.input.keys import key_name
from taptable.memory.decks import Decks
from taptable.sim.setting_up import set_up

from doctor.breaking import both, conversation, plug_in, put_deck, unplug
from doctor.rig import Bench, Spoil, leave_intact, powered_table
from doctor.test_command import at_a_terminal
from doctor.test_gains import faint
from doctor.test_live import TAG, Helper, buttons_to_boards, tried

DAY = datetime.date(2026, 11, 27)
NO_BROKER = tuple(group for group in CHECKS if group != "mqtt")


def reported(
    folder: Path,
    spoil: Spoil = leave_intact,
    *,
    compact: bool = False,
    rewritten: Callable[[str], str] = str,
    groups: Collection[str] = NO_BROKER,
    patient_of: Callable[[Patient], Patient] = lambda patient: patient,
) -> str:
    """Return the report about a table at which somebody helps, after `spoil` has changed something."""

    async def visit() -> str:
        with powered_table(folder, compact=compact, rewritten=rewritten) as bench:
            helper = Helper(bench)
            spoil(bench)
            patient = patient_of(replace(bench.examined_table, somebody=helper))
            report = TableReport(patient, DAY)
            async for group, finding in examine(patient, groups):
                report.add(group, finding)
            return report.render(is_complete=True)

    return run_in_given_time(visit)


def parts_of(text: str) -> dict[str, dict[str, Any]]:
    return {examined["part"]: examined for examined in tomllib.loads(text)["examined"]}


def real(patient: Patient) -> Patient:
    """A patient whose parts claim to be real."""
    return replace(patient, drivers=replace(patient.drivers, are_models=False))


def an_empty_report(folder: Path) -> TableReport:
    async def make() -> TableReport:
        with powered_table(folder) as bench:
            return TableReport(bench.examined_table, DAY)

    return run_in_given_time(make)


def test_it_has_the_versions_and_each_part_with_its_results_and_figures(tmp_path: Path) -> None:
    text = reported(tmp_path, faint, patient_of=real)
    document = tomllib.loads(text)
    assert (document["report"], document["taptable"], document["day"]) == (1, __version__, DAY)
    assert (document["parts"], document["complete"], document["groups"]) == ("real", True, list(NO_BROKER))
    computer = document["computer"]
    assert computer.pop("python").startswith("3.")
    assert computer == {
        "model": "Raspberry Pi 4 Model B Rev 1.4",
        "bits": 64,
        "system": "debian bookworm",
        "kernel": "6.12.25+rpt-rpi-v8",
    }
    parts = parts_of(text)
    assert {name: part["driver"] for name, part in parts.items() if "driver" in part} == {
        **dict.fromkeys(("pad 1", "pad 2"), "board"),
        **dict.fromkeys(("button 1", "button 2", "lamp 1", "lamp 2", "sounder"), "gpio"),
        "discard pad": "spi",
        "oled": "oled",
    }
    gains = parts["pad 1"]["measured"]["gains"]
    assert gains["read_percent_at_18_db"] < gains["read_percent_at_38_db"] == 100
    assert gains["looks_per_s"] == pytest.approx(250, rel=0.02)
    assert parts["pad 1"]["measured"]["card"] == {"uid_bytes": 7}
    assert parts["pad 1"]["result"]["gains"] == "warning"
    assert parts["discard pad"]["measured"]["reader"] == {"version_register": "0x92"}
    assert parts["discard pad"]["measured"]["gains"]["looks_per_s"] > 0
    press = parts["button 1"]["measured"]["press"]
    assert press["held_ms"] == pytest.approx(120, abs=10)
    assert press["most_bounces"] > 0 < press["longest_bounce_ms"]
    assert parts["button 1"]["stated"]["press"] == {"stamp_uncertainty_us": 50}
    assert parts["buttons"]["stated"]["order"]["tie_below_us"] == 100
    assert parts["board 1"]["measured"]["firmware"] == {"firmware": "1.3.0", "pixels": 12}
    assert parts["board 1"]["stated"]["clock"]["stamp_uncertainty_us"] > 0
    lamps = {"confirmed_by_a_person": True, "switched_on": [1, 2], "switched_off_by_press": [1, 2]}
    assert parts["lamps"]["measured"]["lamps"] == lamps
    assert parts["oled"]["measured"]["picture"]["confirmed_by_a_person"]
    assert parts["oled"]["measured"]["picture"]["whole_picture_ms"] > 0
    assert parts["oled"]["stated"]["configured"] == {
        "display": "ssd1309",
        "interface": "i2c",
        "columns": 128,
        "rows": 64,
        "rotate": 0,
        "i2c_address": "0x3C",
    }
    assert parts["oled"]["result"]["display"] == "ok"
    assert parts["buttons"]["result"] == {"order": "ok", "order-2": "ok"}  # as called, and as pressed


def test_figures_of_models_are_never_called_measured(tmp_path: Path) -> None:
    text = reported(tmp_path, compact=True, groups=["readers"])
    assert "\n# Models, no real parts: this is a simulation.\n" in text
    assert tomllib.loads(text)["parts"] == "models, no real parts"
    parts = parts_of(text)
    assert parts["pad 1"]["modelled"]["reader"] == {"version_register": "0x92"}
    assert not any("measured" in part for part in parts.values())


def test_a_reader_on_i2c_has_its_address_and_what_its_lead_does(tmp_path: Path) -> None:
    parts = parts_of(reported(tmp_path, rewritten=on_i2c, groups=["buses", "readers"]))
    pad = parts["pad 1"]
    assert (pad["driver"], pad["modelled"]["reader"]) == ("i2c", {"version_register": "0x15"})
    assert pad["modelled"]["lead"] == {"reads": 200, "wrong_reads": 0}
    assert pad["stated"]["configured"] == {"gain_db": 33, "i2c_address": "0x28", "behind_switch": True}
    assert parts["I²C bus 1"]["stated"]["i2c-speed"]["bus_khz"] == 100
    assert parts["other"]["result"] == {"switch": "ok"}


def test_controllers_have_their_make_interval_and_stated_uncertainty_but_no_port(tmp_path: Path) -> None:
    def dome(pin: re.Match[str]) -> str:
        return f'button = "input:1-1.3/{key_name(0x2C0 + 5 * (int(pin[1]) % 4))}"'

    def rewritten(text: str) -> str:
        text = re.sub(r'lamp = "gpio:(\d+)"', lambda pin: f'lamp = "led:1-1.3/buzz{pin[1]}"', text)
        return re.sub(r'button = "gpio:(\d+)"', dome, text)

    text = reported(tmp_path, rewritten=rewritten, groups=["controllers"])
    parts = parts_of(text)
    device = {"usb_vendor": "0x054c", "usb_product": "0x0002", "product": "Logitech Buzz(tm) Controller V1"}
    assert (parts["button 1"]["driver"], parts["lamp 2"]["driver"]) == ("input", "led")
    assert parts["button 1"]["modelled"]["controller"] == {**device, "interval_ms": 10}
    assert parts["button 1"]["stated"]["controller"] == {"stamp_uncertainty_us": 8_500}
    assert parts["lamp 2"]["modelled"]["led"] == device
    assert "1-1.3" not in text


def test_a_button_that_reports_settled_presses_has_no_bounces(tmp_path: Path) -> None:
    parts = parts_of(reported(tmp_path, rewritten=buttons_to_boards, groups=[LIVE]))
    assert parts["button 1"]["modelled"]["press"] == {"held_ms": pytest.approx(120, abs=10)}
    assert 0 < parts["button 1"]["stated"]["press"]["stamp_uncertainty_us"] < 10_000


def test_a_no_is_a_no_and_nobodys_answer_is_none(tmp_path: Path) -> None:
    for folder in ("tried", "reported"):
        tmp_path.joinpath(folder).mkdir()
    _, found = tried(tmp_path / "tried", lambda helper: setattr(helper, "says_no_to", "lamp"))
    report = an_empty_report(tmp_path / "reported")
    report.add(LIVE, found["lamps", "lamps"])
    report.add(LIVE, unseen("rings", "rings", "nobody was there to say whether it was so"))
    parts = parts_of(report.render(is_complete=True))
    assert parts["lamps"]["result"] == {"lamps": "fault"}
    assert parts["lamps"]["modelled"]["lamps"]["confirmed_by_a_person"] is False
    assert (parts["rings"]["result"], "modelled" in parts["rings"]) == ({"rings": "unseen"}, False)


# --- no names ---

NAMED = ("annahaus", "anna", "stammtisch", "e66141040396b52f", "e66141040396b530", "waldweg", "living-room", "192.168")


def named(text: str) -> str:
    """Write names, numbers and addresses into a configuration."""
    text = text.replace("board:sim1", "board:e66141040396b52f").replace("board:sim2", "board:e66141040396b530")
    text = text.replace('name = "Simulated table"', 'name = "Annas Stammtisch, Waldweg 7"')
    text = text.replace("[page]\n", "[page]\nnetwork = true\n")
    return f"""{text}
[speech]
device = "plughw:CARD=Waldweg"
[mqtt]
host = "mqtt.annahaus.fritz.box"
user = "anna"
"""


def name_everything(bench: Bench) -> None:
    """Give names to users, decks and files, and break some things whose findings contain them."""
    bench.write("/etc/passwd", "root:x:0:0:root:/root:/bin/bash\nanna:x:1000:1000:Anna:/home/anna:/bin/bash\n")
    bench.write("/etc/os-release", 'ID=annahaus\nPRETTY_NAME="Annahaus Linux"\nVERSION_CODENAME=bookworm\n')
    bench.write("/proc/sys/kernel/osrelease", "6.12.25-annahaus\n")
    bench.write("/etc/NetworkManager/system-connections/Annahaus.nmconnection", "[wifi]\nssid=Annahaus\n")
    bench.changed(local_name=lambda: "annahaus.local")
    both(
        unplug("e66141040396b530"),
        plug_in("0005", "e66141040396b531"),
        put_deck("anna", "{"),
        conversation(lambda talk: talk._hello_fields.update(firmware="annas-own-1")),
    )(bench)


def test_a_table_full_of_names_gives_a_report_without_any(tmp_path: Path) -> None:
    uids: set[str] = set()

    def spoil(bench: Bench) -> None:
        name_everything(bench)
        uids.update(Decks(bench.config.table.decks).deck("sample").cards)

    text = reported(tmp_path, spoil, rewritten=named).lower()
    assert len(uids) > 100
    told = [*NAMED, *uids, TAG, *(f"{TAG[:-2]}{number:02x}" for number in range(3)), str(tmp_path).lower(), "home"]
    assert [name for name in told if name in text] == []
    assert not re.search(r"[0-9a-f]{8}|\d+\.\d+\.\d+\.\d+|@|/dev/|/var/", text)
    parts = parts_of(text)
    assert parts["board 2"]["result"]["usb"] == "fault"
    assert parts["usb"]["result"] == {"unnamed": "warning"}
    assert parts["other"]["result"] == {"other-decks": "warning"}
    assert parts["pad 1"]["result"]["card"] == "ok"
    assert tomllib.loads(text)["computer"]["system"] == "another"
    assert tomllib.loads(text)["computer"]["kernel"] == "6.12.25"


HARMFUL: tuple[Any, ...] = (
    "/home/anna",
    "anna@annahaus",
    "04a1b2c3d4e5f6",
    "04A1B2C3 and more",
    "10.0.0.7",
    "b8:27:eb:12:34:56",
    "Käthe",
    "two\nlines",
    '" quoted',
    "x" * 81,
    "",
    1_300_000_017,
    float("nan"),
    float("inf"),
    ["Anna"],
    [[1]],
    {"uid": 7},
    None,
)


def test_a_drivers_figure_that_may_name_somebody_is_withheld(tmp_path: Path) -> None:
    assert [value for value in HARMFUL if is_harmless(value)] == []
    report = an_empty_report(tmp_path)
    figures = {f"figure_{number}": value for number, value in enumerate(HARMFUL)}
    report.add("readers", ok("reader", "pad 1", "well").with_figures({**figures, "Anna's = 1\n": 7}))
    (modelled,) = (
        part["modelled"] for part in parts_of(report.render(is_complete=True)).values() if "modelled" in part
    )
    assert modelled == {"reader": dict.fromkeys(figures, WITHHELD)}


def test_a_drivers_figure_with_a_word_of_the_configuration_is_withheld(tmp_path: Path) -> None:
    async def make() -> str:
        with powered_table(tmp_path, rewritten=named) as bench:
            report = TableReport(bench.examined_table, DAY)
            figures = {"chip": "PN532 of Waldweg", "other_chip": "PN532 1.6", "card": "Anna"}
            report.add("readers", ok("reader", "pad 1", "well").with_figures(figures))
            return report.render(is_complete=True)

    figures = parts_of(run_in_given_time(make))["pad 1"]["modelled"]["reader"]
    assert figures == {"chip": WITHHELD, "other_chip": "PN532 1.6", "card": WITHHELD}


def test_strange_checks_and_parts_are_called_other(tmp_path: Path) -> None:
    report = an_empty_report(tmp_path)
    for part in ("anna.json", "pad anna", "pad 100", "Anna's board", "SPI bus 0", "spi"):
        report.add("readers", skipped("anna", part, "nothing"))
    parts = parts_of(report.render(is_complete=True))
    assert parts["other"]["result"] == dict.fromkeys(("other", "other-2", "other-3", "other-4"), "skipped")
    assert parts["SPI bus 0"]["result"] == parts["spi"]["result"] == {"other": "skipped"}


def test_a_driver_that_fails_to_describe_its_parts_takes_no_other_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr("taptable.drivers.oled.doctor.OledDoctor.describe", fail)
    parts = parts_of(an_empty_report(tmp_path).render(is_complete=True))
    assert parts["oled"] == {"part": "oled", "driver": "oled"}
    assert parts["pad 1"]["stated"] == {"configured": {"gain_db": 33}}


# --- its file ---


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(capsys)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """The configuration of a table whose files are in order."""
    return set_up(tmp_path, "online", GameOptions(2, "de", {}, None), "de").file


def ask(terminal: Terminal, table: Path, *arguments: object) -> Any:
    return terminal.run("doctor", "--only", "decks,journal", "--config", table, *arguments)


def test_it_is_written_to_a_new_file(terminal: Terminal, table: Path) -> None:
    file = table.parent / "report.toml"
    ran = ask(terminal, table, "--report", file)
    assert ran.status == 0
    assert ran.err == f"The report is in {file}. Read it before you give it to others.\n"
    document = tomllib.loads(file.read_text(encoding="utf-8"))
    assert (document["complete"], document["groups"], document["parts"]) == (True, ["decks", "journal"], "real")
    assert parts_of(file.read_text(encoding="utf-8"))["deck"]["result"] == {"deck": "ok", "controls": "ok"}
    assert not list(table.parent.glob(".report*"))


def test_it_replaces_a_file_only_with_force(terminal: Terminal, table: Path) -> None:
    file = table.parent / "report.toml"
    file.write_text("mine", encoding="utf-8")
    ran = ask(terminal, table, "--report", file)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == f"taptable doctor: {file} exists already: name another file, or add --force to replace it.\n"
    assert file.read_text(encoding="utf-8") == "mine"
    assert ask(terminal, table, "--report", file, "--force").status == 0
    assert "report = 1" in file.read_text(encoding="utf-8")


def test_a_file_that_has_come_meanwhile_stays_and_the_report_is_printed(
    terminal: Terminal, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = table.parent / "report.toml"
    render = TableReport.render

    def late(self: TableReport, *, is_complete: bool) -> str:
        file.write_text("mine", encoding="utf-8")
        return render(self, is_complete=is_complete)

    monkeypatch.setattr(TableReport, "render", late)
    ran = ask(terminal, table, "--report", file)
    assert ran.status == 2
    assert "exists already" in ran.err
    assert "report = 1" in ran.err
    assert file.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("none/report.toml", r"The report can't be written: there is no folder .*/none\."),
        (".", r"--report takes a file, and .* is a folder\."),
    ],
)
def test_where_no_file_can_be_it_says_so_before_anything_is_examined(
    terminal: Terminal, table: Path, name: str, sentence: str
) -> None:
    ran = ask(terminal, table, "--report", table.parent / name)
    assert (ran.status, ran.out) == (2, "")
    assert re.fullmatch(f"taptable doctor: {sentence}\n", ran.err)


def test_a_folder_that_is_closed_is_named_before_anything_is_examined(terminal: Terminal, table: Path) -> None:
    with folder_for_all() as folder:
        folder.chmod(0o555)
        with without_privileges():
            ran = ask(terminal, table, "--report", folder / "report.toml")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.endswith(f"you have no right to write to the folder {folder}.\n")


def test_on_a_full_disk_the_report_is_printed_with_the_reason(terminal: Terminal, table: Path) -> None:
    file = table.parent / "report.toml"
    with no_file_larger_than(100):
        ran = ask(terminal, table, "--report", file)
    assert ran.status == 2
    assert "report = 1" in ran.err
    assert ran.err.endswith(f"taptable doctor: The report can't be written to {file}: File too large.\n")
    assert sorted(path.name for path in table.parent.glob("*report*")) == []


def test_a_dash_prints_it_after_the_findings(terminal: Terminal, table: Path) -> None:
    ran = ask(terminal, table, "--report", "-")
    findings, about, report = ran.out.partition("# What `taptable doctor` found")
    assert "All is well" in findings
    assert tomllib.loads(about + report)["report"] == 1
    ran = ask(terminal, table, "--report", "-", "--json")
    assert (ran.status, ran.out) == (2, "")
    assert "both print to standard output" in ran.err


def test_with_json_the_figures_are_in_the_document_too(terminal: Terminal, table: Path) -> None:
    ran = ask(terminal, table, "--report", table.parent / "report.toml", "--json")
    assert all({"measured", "stated"} <= set(finding) for finding in json.loads(ran.out)["findings"])


def test_each_button_is_judged_as_soon_as_it_is_released(tmp_path: Path) -> None:
    async def visit() -> list[tuple[str, bool]]:
        with powered_table(tmp_path) as bench:
            helper = Helper(bench)
            patient = replace(bench.examined_table, somebody=helper)
            judged: list[tuple[str, bool]] = []
            async for _, finding in examine(patient, [LIVE]):
                if finding.name == "press":
                    judged.append((finding.part, "  button 2: pressed" in helper.told))
            return judged

    assert run_in_given_time(visit) == [("button 1", False), ("button 2", True)]


def test_ctrl_c_writes_what_was_found_until_then(table: Path) -> None:
    file = table.parent / "report.toml"
    with at_a_terminal(table.parent, "--only", "system,live", "--report", str(file), NO_COLOR="1") as at:
        at.sees("Press each of the 2 buttons and release it")
        at.running.send_signal(signal.SIGINT)
        assert at.ends() == 130
        assert "The report, which is incomplete, is in" in at.seen
        assert "Traceback" not in at.seen
    text = file.read_text(encoding="utf-8")
    assert tomllib.loads(text)["complete"] is False
    assert "# Incomplete: the examination was stopped." in text
    assert parts_of(text)["computer"]["result"]["python"] == "ok"
